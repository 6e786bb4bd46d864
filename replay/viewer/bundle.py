"""The files of the viewer in one: its ES modules as one script, its style sheets as one style.

The modules are written without a build step and import each other by name. Here they stand one after the other, each after
those that it imports, without their imports and exports: so no two of them may use a name twice at the top. Otherwise they stand
as they were written, so that whoever looks into a page can read what it runs.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
FIRST, MAIN, STYLES = "unpack.js", "viewer.js", ("viewer.css", "page.css")
"""What brings a page to life, the module that imports all others, and the styles in their order."""
OFFERED = ("Viewer", "Replay", "el", "button", "said")
"""What pages of others use of the viewer, by these names."""
PICTURES = "pictures.js"
"""What draws positions where there is no browser; no page brings it."""
_IMPORT = re.compile(r"""^import\s+(?:\{[^}]*\}\s*from\s*)?["']\./([\w.-]+\.js)["'];?[ \t]*\n""", re.M)
_EXPORTED = re.compile(r"^export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)", re.M)
_LISTED = re.compile(r"^export\s*\{[^}]*\};?[ \t]*\n", re.M)


@cache
def script(folder: Path = STATIC) -> str:
    """All modules of the viewer as one script; empty if there are none."""
    return _joined(MAIN, folder) if (folder / MAIN).is_file() else ""


@cache
def unpacking(folder: Path = STATIC) -> str:
    """The script with which a page begins: it unpacks the others."""
    return (folder / FIRST).read_text(encoding="utf-8").replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def drawing(folder: Path = STATIC) -> str:
    """The modules that draw a position, as one script for an engine without a page."""
    return _joined(PICTURES, folder)


def _joined(name: str, folder: Path) -> str:
    """A module and all that it imports, as one script."""
    done: dict[str, str] = {}
    _add(name, folder, done)
    return "\n".join(done.values())


def _add(name: str, folder: Path, done: dict[str, str]) -> None:
    """A module after those that it imports."""
    if name in done:
        return
    source = (folder / name).read_text(encoding="utf-8")
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


__all__ = ["drawing", "script", "style", "unpacking"]
