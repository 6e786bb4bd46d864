"""Makes text from a file, a store or a command line safe to print.

A terminal obeys control characters, and bidirectional ones make a line look different from what is stored. Code that
prints such text passes it through `visible`. `records/verify_bundle.py` stands alone and repeats this.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

_KEPT = frozenset("\u200c\u200d")
"""Joiners: names in many scripts need them, and they control nothing."""
_MARKS = "ARABIC", "SYRIAC", "KAITHI"
"""Scripts with visible marks among the format characters."""


def is_hidden(char: str) -> bool:
    """True if the character controls a terminal or the direction of writing, or is invisible.

    >>> [is_hidden(c) for c in ("a", "\\x1b", "\\u202e", "\\u200d", "\\ud800", "\\u0600")]
    [False, True, True, False, True, False]
    """
    if char.isprintable():
        return False
    kind = unicodedata.category(char)
    if kind == "Cf":
        name = unicodedata.name(char, "")
        return char not in _KEPT and not (name.startswith(_MARKS) and name != "ARABIC LETTER MARK")
    return kind in ("Cc", "Cs", "Zl", "Zp")


def escaped(char: str) -> str:
    """The escape that shows a hidden character, as in Python and JSON.

    >>> escaped("\\x1b"), escaped("\\u202e"), escaped("\\U000e0041")
    ('\\\\x1b', '\\\\u202e', '\\\\U000e0041')
    """
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str, keep: str = "") -> str:
    """The text with every hidden character escaped; those in `keep` stay, such as a line end.

    >>> visible("Ann\\x1b[31m\\u202e"), visible("two\\nlines", keep="\\n")
    ('Ann\\\\x1b[31m\\\\u202e', 'two\\nlines')
    """
    if text.isprintable():
        return text
    return "".join(escaped(c) if c not in keep and is_hidden(c) else c for c in text)


NAME = "1 to 200 printable characters"


def is_name(text: str) -> bool:
    """True if the text may name a person, place or book. The same rule holds for all input.

    >>> [is_name(text) for text in ("Zoë", "", "An\u202ena", "x" * 201, " ")]
    [True, False, False, False, False]
    """
    if not text.isprintable():
        text = "".join(c for c in text if c not in _KEPT)
    return 0 < len(text) <= 200 and text.isprintable() and not text.isspace()


def duplicate_name(seats: Mapping[str, str]) -> str:
    """A name that two seats share, ignoring case; empty if there is none."""
    spelled = [name.casefold() for name in seats.values()]
    return next((name for name in seats.values() if spelled.count(name.casefold()) > 1), "")


_IN_JSON = re.compile(r"[^\x20-\x7e\n]")


def visible_json(text: str) -> str:
    """Equivalent JSON with every hidden character in its texts escaped."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _IN_JSON.sub(_escape_json, text)


def _escape_json(found: re.Match[str]) -> str:
    char = found[0]
    if not is_hidden(char):
        return char
    return "".join(f"\\u{unit:04x}" for unit in _units(ord(char)))


def _units(code: int) -> tuple[int, ...]:
    """The UTF-16 code units of a character, for a JSON escape."""
    if code < 0x10000:
        return (code,)
    code -= 0x10000
    return 0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)
