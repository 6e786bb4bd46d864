"""Printed text: hidden characters made visible, wrapped to the width of a terminal, with the names of players."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from events.visible_text import visible


def one_plain_line(text: str) -> str:
    """Text on one line, with control characters and changes of the writing direction made visible.

    >>> one_plain_line("Ann\\x1b[31m\\nBea")
    'Ann\\\\x1b[31m\\\\x0aBea'
    """
    return visible(text)


def text_columns(text: str) -> int:
    """The width of a text in columns of a terminal.

    >>> text_columns("Zoë"), text_columns("日本"), text_columns("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def shortened(text: str, to: int) -> str:
    """Shorten a text to this many columns.

    >>> shortened("Olena", 5), shortened("Bartholomew", 5)
    ('Olena', 'Bart…')
    """
    if text_columns(text) <= to:
        return text
    while text_columns(text) >= to:
        text = text[:-1]
    return text + "…"


NARROWEST = 20
"""The least width for wrapping."""
_HEAD = re.compile(r"\s*\S.*?\s{2,}(?=\S)")
# A seat stays with the card it plays, a verb of one letter with the next word; a gap before a word is part of the
# layout.
_WORD = re.compile(r"\s*(?:\(?(?:[A-Za-z.]|[A-Z]:\d) (?=\S))*\S+")


def wrapped(text: str, columns: int) -> Iterator[str]:
    """Wrap one line at this width, between words, with the rest indented; 0 columns leave it as it is.

    A line of two parts with a gap between them is indented to the second. A word longer than a line is cut.

    >>> list(wrapped("12  N K♥, E 8♣, S 8♥, W 9♥ · Anna to play", 24))
    ['12  N K♥, E 8♣, S 8♥,', '    W 9♥ · Anna to play']
    >>> list(wrapped("the cards added (m 8c), the discard", 20))
    ['the cards added', '  (m 8c), the', '  discard']
    >>> list(wrapped("as it is", 0))
    ['as it is']
    """
    if columns <= 0 or text_columns(text) <= columns:
        yield text
        return
    columns = max(columns, NARROWEST)
    head = _HEAD.match(text)
    indent = text_columns(text) - text_columns(text.lstrip()) + 2
    if head is not None and text_columns(head.group()) <= columns // 2:
        indent = text_columns(head.group())
    line, begun = "", False
    for word in _WORD.findall(text.rstrip()):
        while text_columns(line) + text_columns(word) > columns:
            if begun:
                yield line
                line, begun, word = " " * min(indent, columns // 2), False, word.lstrip()
                continue
            part = _as_much_as(word, columns - text_columns(line))
            yield line + part
            line, word = " " * min(indent, columns // 2), word[len(part) :]
        line += word
        begun = True
    if begun:
        yield line


def all_folded(lines: Iterable[str], columns: int) -> Iterator[str]:
    """Wrap each of these lines."""
    for line in lines:
        yield from wrapped(line, columns)


def _as_much_as(word: str, columns: int) -> str:
    """The longest prefix of a word that fits, at least one character."""
    part = word[: max(columns, 1)]
    while len(part) > 1 and text_columns(part) > columns:
        part = part[:-1]
    return part


def with_player_names(text: str, called: Mapping[str, str], *, letters: bool = False) -> str:
    """Replace seats and sides in a sentence by their players' names. Text to type (in backquotes) stays.

    With `letters`, so does a letter to type after its own name.

    >>> called = {"W": "Doris", "NS": "Olena & Walter", "A": "A"}
    >>> with_player_names("W holds one (J♦); NS has 2: type `fix 9 W play 9h`, A", called)
    'Doris holds one (J♦); Olena & Walter has 2: type `fix 9 W play 9h`, A'
    >>> (
    ...     with_player_names("hand:W and W:2 and 3 W♥", called),
    ...     with_player_names("20 for W: a sequence", called),
    ...     with_player_names("Doris (W) to play", called),
    ...     with_player_names("Ann W (W) to play, not S", {"W": "Ann W", "S": "Bo"}),
    ... )
    ('hand:W and W:2 and 3 W♥', '20 for Doris: a sequence', 'Doris to play', 'Ann W to play, not Bo')
    >>> with_player_names("tricks.NS is 0 to 8, not 9; type tricks.NS=8", called)
    'tricks of Olena & Walter is 0 to 8, not 9; type tricks.NS=8'
    """
    names = tuple((who, name) for who, name in called.items() if who != name)
    if not names:
        return text
    table = dict(names)
    # A name with its letter is said already; the letter adds nothing.
    said = {f"{name} ({who})": f"{name} ({who})" if letters else name for who, name in names}
    words = _whole_words(tuple(table))
    parts = text.split("`")
    parts[::2] = [
        "".join(
            said.get(piece) or words.sub(lambda found: f"{found[1]} of " * bool(found[1]) + table[found[2]], piece)
            for piece in (re.split(f"({'|'.join(map(re.escape, said))})", part) if " (" in part else [part])
        )
        for part in parts[::2]
    ]
    return "`".join(parts)


def contract_told(contract: str) -> str:
    """A contract in words: a symbol or a card alone is the trumps.

    >>> contract_told("♥"), contract_told("10♣"), contract_told("N 7 ♥"), contract_told("K♦ due")
    ('trumps ♥', 'trumps 10♣', 'N 7 ♥', 'K♦ due')
    """
    return f"trumps {contract}" if re.fullmatch("(?:10|[2-9AKQJ])?[♣♦♥♠]", contract) else contract


def player_names(sides: Mapping[str, Iterable[str]], names: Mapping[str, str]) -> dict[str, str]:
    """The name of each seat and side: its players' names, or the seat or side itself if one of them has none.

    >>> player_names({"NS": "NS", "EW": "EW"}, {"N": "Ann", "S": "Carl", "E": "Bea"})
    {'N': 'Ann', 'S': 'Carl', 'NS': 'Ann & Carl', 'E': 'Bea', 'W': 'W', 'EW': 'EW'}
    """
    out: dict[str, str] = {}
    for side, members in sides.items():
        seats = tuple(members)
        out |= {seat: names.get(seat, seat) for seat in seats}
        known = all(seat in names for seat in seats)
        out[side] = names.get(side) or (" & ".join(names[seat] for seat in seats) if known else side)
    return out


@lru_cache(maxsize=64)
def _whole_words(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for these words on their own, not within the name of a pile or a card; or as the owner of a fact that
    is not to be typed."""
    among = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<![\w:.#=<>&])(?:([a-z]+)\.)?({among})(?![\w=♣♦♥♠]|[.:]\w)")
