"""Names of files and folders that every system takes: the same on all of them, so that what one machine wrote another can unpack."""

from __future__ import annotations

_DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³")))
"""What Windows keeps for itself, with any ending and in either case."""


def file_name(text: str) -> str:
    """A name like this text: of letters, digits, `-`, `_` and `.`, and none that Windows keeps for itself or would shorten.

    Two ids of matches never come to the same name. Of a text in which nothing can be kept, `_`.

    >>> file_name("kaiser-4f7k2m"), file_name("con"), file_name("nul.2026"), file_name("a."), file_name("a:b/c"), file_name("../x")
    ('kaiser-4f7k2m', 'con~', 'nul~.2026', 'a.~', 'a-b-c', '_..-x')
    """
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in text)
    stem, dot, ending = name.partition(".")
    if stem.lower() in _DEVICES:
        name = f"{stem}~{dot}{ending}"
    # A dot in front hides a file, and one at the end is dropped.
    return ("_" if name[:1] in ("", ".") else "") + name + ("~" if name.endswith(".") else "")


__all__ = ["file_name"]
