"""The scoresheet as data: one model, written out as text, CSV, Markdown or HTML by `replay.paper.render`.

A page lays its sheet out as blocks of rows; every figure carries the arithmetic behind it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Cell(Struct, frozen=True):
    """One place of the sheet. `sum` is the arithmetic of a figure; `mark` how it should stand out.

    A `line` is a stroke of chalk that still stands, its text the marks on it; one that is `erased` says when it went.
    """

    text: str
    sum: str = ""
    mark: Literal["", "total", "crossed", "claimed", "wrong", "unknown", "won", "line", "erased"] = ""


class Row(Struct, frozen=True):
    """One line: its cells in the order of the columns. `kind` may draw a rule above it ("rule") or head a part."""

    cells: tuple[Cell, ...]
    kind: Literal["", "rule", "part", "total"] = ""
    notes: tuple[str, ...] = ()


class Block(Struct, frozen=True):
    """A table of the sheet: heading, column heads, rows."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Sheet(Struct, frozen=True):
    """A scoresheet: title, facts about the match (name and value), tables, and remarks below them.

    `signed` is the last signed head of the book the match is in, line by line, for the table to carry away.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    remarks: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
