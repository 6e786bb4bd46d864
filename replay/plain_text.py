"""Text as it is printed: with hidden characters visible, and its width on a terminal."""

from __future__ import annotations

import unicodedata

from events.visible import visible


def clean(text: str) -> str:
    """Text on one line, with what steers a terminal or turns the writing direction made visible.

    >>> clean("Ann\\x1b[31m\\nBea")
    'Ann\\\\x1b[31m\\\\x0aBea'
    """
    return visible(text)


def width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width("Zoë"), width("日本"), width("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


__all__ = ["clean", "width"]
