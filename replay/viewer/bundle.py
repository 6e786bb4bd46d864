"""The files of the viewer in one: its ES modules as one script, its style sheets as one style.

The modules are written without a build step and import each other by name. Here they are concatenated, each after its
imports, without import and export statements, so no two of them may use the same top-level name. Their types, which
no browser reads, are left out. Otherwise they are unchanged, so that a page's code can be read.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
FIRST, MAIN, STYLES = "unpack.js", "viewer.js", ("viewer.css", "page.css")
"""The script that starts a page, the module that imports all others, and the styles in order."""
OFFERED = ("Viewer", "Replay", "el", "button", "said", "pictureAt")
"""The names of the viewer that other pages use."""
PICTURES = "pictures.js"
"""Draws positions without a browser; no page includes it."""
_IMPORT = re.compile(r"""^import\s+(?:\{[^}]*\}\s*from\s*)?["']\./([\w.-]+\.js)["'];?[ \t]*\n""", re.M)
_EXPORTED = re.compile(r"^export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)", re.M)
_TYPES = re.compile(r"(?:^[ \t]*)?/\*\*\s(?:(?!\*/).)*\*/[ \t]*", re.M | re.S)
_LISTED = re.compile(r"^export\s*\{[^}]*\};?[ \t]*\n", re.M)


def without_types(source: str) -> str:
    """A script without its comments about types, line by line as before.

    >>> without_types("/**\\n * @param {string} a\\n */\\nconst f = (/** @type {string} */ a) => a; // a\\n")
    '\\n\\n\\nconst f = (a) => a; // a\\n'
    """
    return _TYPES.sub(lambda found: "\n" * found[0].count("\n"), source)


@cache
def script(folder: Path = STATIC) -> str:
    """All modules of the viewer as one script; "" if there are none."""
    return _joined(MAIN, folder) if (folder / MAIN).is_file() else ""


@cache
def unpacking(folder: Path = STATIC) -> str:
    """The first script of a page, which unpacks the others."""
    return (folder / FIRST).read_text(encoding="utf-8").replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def drawing(folder: Path = STATIC) -> str:
    """The modules that draw a position, as one script for an engine without a page."""
    return _joined(PICTURES, folder)


def _joined(name: str, folder: Path) -> str:
    """A module and all its imports, as one script."""
    done: dict[str, str] = {}
    _add(name, folder, done)
    return "\n".join(done.values())


def _add(name: str, folder: Path, done: dict[str, str]) -> None:
    """Add a module after its imports."""
    if name in done:
        return
    source = without_types((folder / name).read_text(encoding="utf-8"))
    done[name] = ""
    for other in _IMPORT.findall(source):
        _add(other, folder, done)
    done.pop(name)
    done[name] = _LISTED.sub("", _EXPORTED.sub("", _IMPORT.sub("", source)))


@cache
def style(folder: Path = STATIC) -> str:
    """All style sheets as one."""
    sheets = [(folder / name).read_text(encoding="utf-8") for name in STYLES if (folder / name).is_file()]
    return "\n".join(sheets).replace("</", "<\\/")
