"""The files of the viewer in one: its ES modules as one script, its style sheets as one style.

The modules are written without a build step and import each other by name. Here they stand one after the other, each after
those that it imports, without their imports and exports: so no two of them may use a name twice at the top. What is said to a
reader of the source (comments that have their own lines, the indentation) is left out.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
FIRST, MAIN, STYLES = "unpack.js", "viewer.js", ("viewer.css", "page.css")
_IMPORT = re.compile(r"""^import\s+(?:\{[^}]*\}\s*from\s*)?["']\./([\w.-]+\.js)["'];?[ \t]*\n""", re.M)
_EXPORTED = re.compile(r"^export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)", re.M)
_LISTED = re.compile(r"^export\s*\{[^}]*\};?[ \t]*\n", re.M)
_BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.M | re.S)
_LINE = re.compile(r"^[ \t]*//.*\n", re.M)


@cache
def script(folder: Path = STATIC) -> str:
    """All modules as one script; empty if there are none."""
    done: dict[str, str] = {}
    if (folder / MAIN).is_file():
        for name in (FIRST, MAIN):
            _add(name, folder, done)
    return "".join(done.values()).replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _add(name: str, folder: Path, done: dict[str, str]) -> None:
    """A module behind those that it imports."""
    if name in done:
        return
    source = (folder / name).read_text(encoding="utf-8")
    done[name] = ""
    for other in _IMPORT.findall(source):
        _add(other, folder, done)
    text = _LISTED.sub("", _EXPORTED.sub("", _IMPORT.sub("", _without_comments(source))))
    done.pop(name)
    done[name] = text if text.endswith("\n") else text + "\n"


def _without_comments(source: str) -> str:
    """A module without the comments that have their own lines, and without indentation; one with a text of several lines
    (between backquotes) stays as it is."""
    if any(line.count("`") % 2 for line in source.splitlines()):
        return source
    return re.sub(r"\n\s+", "\n", _LINE.sub("", _BLOCK.sub("", source)))


@cache
def style(folder: Path = STATIC) -> str:
    """All style sheets as one."""
    sheets = [(folder / name).read_text(encoding="utf-8") for name in STYLES if (folder / name).is_file()]
    without = (re.sub(r"/\*.*?\*/", "", sheet, flags=re.S).strip() for sheet in sheets)
    return re.sub(r"\s*\n\s*", "\n", "\n".join(without)).replace("</", "<\\/")


__all__ = ["script", "style"]
