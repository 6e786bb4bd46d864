"""Facts: values as written after a `=` or in a tag, and nested facts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from events.errors import NotationError
from events.limits import DEPTH, MAX_INT
from events.tokens import INNER_SEGMENT, SEGMENT, nfc, unescape, whole_number
from events.words import shown_word

_PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"|([^",\s]*)')


def read_value(text: str, *, column: int = 1, line: int = 1, file: str = "") -> Any:
    """Parse a fact's value: whole number, yes or no, `-` for None, a comma-separated list, else text (quoted or not).

    Raises NotationError with the column of the fault.

    >>> [read_value(v) for v in ("5", "yes", "-", "N,3", "N,", '"5"', "kaiser.R11")]
    [5, True, None, ['N', 3], ['N'], '5', 'kaiser.R11']
    """
    out: list[Any] = []
    i = 0

    def fail(what: str, expected: str = "") -> NotationError:
        return NotationError(
            what, line=line, column=column + i, expected=expected or "a value",
            todo='Put text with spaces, quotes or commas into "quotes".', file=file,
        )  # fmt: skip

    while True:
        piece = _PIECE.match(text, i)
        assert piece is not None  # the second alternative of the pattern matches everywhere
        if piece[1] is not None:
            out.append(nfc(unescape(piece[1], '"\\')))
        elif piece[2]:
            out.append(_read_atom(piece[2], fail))
        elif out and i == len(text) and len(out) == 1:
            return out  # a comma after a single value makes it a list
        else:
            raise fail("a value is missing" if i >= len(text) or text[i] == "," else "the quote is not closed")
        i = piece.end()
        if i == len(text):
            return out[0] if len(out) == 1 else out
        if text[i] != ",":
            raise fail(f"{shown_word(text[i:])} is not part of the value", "a comma or the end")
        i += 1


def _read_atom(text: str, fail: Any) -> Any:
    if text == "-":
        return None
    if text in ("yes", "no"):
        return text == "yes"
    if re.fullmatch(r"[+-]?[0-9]+", text):
        number = whole_number(text)
        if number is None:
            raise fail(f"the number {shown_word(text)} is out of bounds", f"at most {MAX_INT}")
        return number
    return nfc(text)


def nest(rows: Iterable[tuple[str, Any, int]], *, line: int = 1, file: str = "") -> dict[str, Any]:
    """Nested facts from rows of (dotted key, value, column).

    Raises NotationError for a malformed key, a key given twice, or a key that is both a value and a prefix of others.

    >>> nest([("tricks.NS", 5, 1), ("tricks.EW", 3, 13), ("closed", True, 25)])
    {'tricks': {'NS': 5, 'EW': 3}, 'closed': True}
    """
    facts: dict[str, Any] = {}
    for key, value, column in rows:
        enter_fact(facts, key, value, column, line=line, file=file)
    return facts


def enter_fact(facts: dict[str, Any], key: str, value: Any, column: int = 1, *, line: int = 1, file: str = "") -> None:
    """Store one value under its dotted key. Raises NotationError as `nest` does."""

    def fail(what: str, expected: str, todo: str = "") -> NotationError:
        return NotationError(what, line=line, column=column, expected=expected, todo=todo, file=file)

    parts = key.split(".")
    if not (SEGMENT.fullmatch(parts[0]) and all(INNER_SEGMENT.fullmatch(p) for p in parts[1:])):
        raise fail(f"{shown_word(key)} is not a key", "letters and digits, parts joined by dots (tricks.NS)")
    if len(parts) > DEPTH:
        raise fail(f"the key {shown_word(key)} has {len(parts)} parts", f"at most {DEPTH}")
    held = facts
    for i, part in enumerate(parts[:-1]):
        held = held.setdefault(part, {})
        if not isinstance(held, dict):
            stem = ".".join(parts[: i + 1])
            raise fail(f"{shown_word(stem)} already has a value of its own", f"a key that does not begin with {stem}.")
    if isinstance(held.get(parts[-1]), dict):
        raise fail(f"{shown_word(key)} already begins other keys", f"{key}.… or another key")
    if parts[-1] in held:
        raise fail(f"the key {shown_word(key)} is given twice", "each key once", "Strike one of the two.")
    held[parts[-1]] = value
