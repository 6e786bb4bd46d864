"""The scoresheet as data: one model, from which `replay.paper` draws every format.

A page lays out its sheet as blocks of rows; every figure carries the arithmetic behind it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Cell(Struct, frozen=True):
    """One cell of the sheet. `sum` is the arithmetic of a figure; `mark` how it should stand out.

    A `line` is a stroke of chalk that still stands, with the marks on it as text; an `erased` one says when it went.
    A `count` is written even if it is 0. `small` is what was counted, beside the point it gave; `stated` the table's
    own figure, if different; `shaded` shows whose turn it was to hold the bank.
    """

    text: str
    sum: str = ""
    mark: Literal["", "total", "crossed", "claimed", "wrong", "unknown", "won", "line", "erased", "count"] = ""
    small: str = ""
    stated: str = ""
    shaded: bool = False


class SheetRow(Struct, frozen=True):
    """One line: its cells in the order of the columns. `kind` may draw a rule above it or make it a heading
    ("part")."""

    cells: tuple[Cell, ...]
    kind: Literal["", "rule", "part", "total"] = ""
    notes: tuple[str, ...] = ()


class Column(Struct, frozen=True):
    """A column of a block: a fact of the hand or, with `who`, a figure of the side or player of that name.

    `head` is its heading without the name; `role` says if it is for the dealer, the gain, or the total.
    """

    head: str
    who: str = ""
    role: Literal["", "dealer", "gain", "total"] = ""


class Block(Struct, frozen=True):
    """A table of the sheet: heading, column heads, rows.

    `layout` describes each column by its parts, if the block has a row for each hand and the same columns for each
    side. `form` is how players draw it: "we and they" on both sides of a line, the "parts" of each hand above a rule,
    the "cards" of each row as a hand, those of the first four around a table if it is a "compass", or "" for a plain
    table.
    """

    heading: str
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    layout: tuple[Column, ...] = ()
    form: Literal["", "we and they", "parts", "cards", "compass"] = ""


class SheetSide(Struct, frozen=True):
    """A side or player at the head of a sheet: the name, the total so far, whether it has won, and who may sign.

    `stack` is the part of the total from before the match, if chips are settled.
    """

    name: str
    total: str
    won: bool = False
    players: tuple[str, ...] = ()
    confirmed: bool = False
    stack: int = 0


class Head(Struct, frozen=True):
    """The head of a sheet: the game, the evening, the place, the day as in ISO 8601, the length of the match, and
    its end.

    `scorer` kept the record, which has `lines` lines.
    """

    game: str = ""
    event: str = ""
    place: str = ""
    date: str = ""
    terms: str = ""
    sides: tuple[SheetSide, ...] = ()
    verdict: str = ""
    scorer: str = ""
    lines: int = 0


class Figure(Struct, frozen=True):
    """One figure of one side in one hand: a `part` of its gain, all of it ("hand"), or the "total" after it.

    `stated` is the table's own figure, None if it wrote none.
    """

    hand: int
    dealer: str
    contract: str
    result: str
    side: str
    part: str
    amount: int | None
    sum: str = ""
    stated: int | None = None


class Sheet(Struct, frozen=True):
    """A scoresheet: title, facts about the match (name and value), tables, and remarks below them.

    `signed` is the last signed head of the match's book, line by line, for the table to keep. `figures` are all
    figures of the match as numbers, or None for a sheet that adds up no hand (an evening, a blank pad). A remark that
    begins with † is about a figure that the table wrote differently. A `blank` sheet is a pad to write on: the names of
    its sides stand for fields.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    remarks: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    head: Head = Head()
    figures: tuple[Figure, ...] | None = None
    blank: bool = False
