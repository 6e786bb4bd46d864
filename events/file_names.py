"""Names of files and folders that are valid on every operating system, so that any machine can unpack them."""

from __future__ import annotations

_DEVICES = frozenset((
    "con", "prn", "aux", "nul", "conin$", "conout$",
    *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
))
"""Device names that Windows reserves, with any extension and in either case."""


def file_name(text: str) -> str:
    """A portable file name: letters, digits, `-`, `_` and `.`, never one that Windows reserves or shortens.

    Two match ids never give the same name. A text without any usable character gives `_`.

    >>> list(map(file_name, ("kaiser-4f7k2m", "con", "nul.2026", "a.", "a:b/c", "../x")))
    ['kaiser-4f7k2m', 'con~', 'nul~.2026', 'a.~', 'a-b-c', '_..-x']
    """
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in text)
    stem, dot, ending = name.partition(".")
    if stem.lower() in _DEVICES:
        name = f"{stem}~{dot}{ending}"
    # A leading dot hides a file, and Windows drops a trailing one.
    return ("_" if name[:1] in ("", ".") else "") + name + ("~" if name.endswith(".") else "")


__all__ = ["file_name"]
