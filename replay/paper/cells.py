"""The cells of a sheet for every format: figures, sums, footnotes, legends."""

from __future__ import annotations

import re

from msgspec.structs import replace

from reducers.sheet import Block, Cell, Sheet, SheetRow
from replay.languages.translate import in_language, phrase
from replay.plain_text import one_plain_line, text_columns

HOW = phrase("How it was added")
BESIDE = phrase("Beside the score")
DOT = "·"
"""Replaces zeros other than totals, so that many of them do not hide the rest."""
NOUGHTS = ("0", "+0", "−0")
LEGEND = {
    "wrong": phrase("differs from the computed figure"),
    "claimed": phrase("as the table stated it"),
    "crossed": phrase("replaced or struck out"),
    "unknown": phrase("cannot be known from the record"),
}
_FIGURE = re.compile(r"[+−-]?\d+")
_DECIMAL = re.compile(r"[+−-]?\d+\.\d+")


def block_in_language(block: Block) -> Block:
    """A block with its heads and cells in the language of the reader; its sums stay, for they are compared."""
    own = [column.head for column in block.layout] or block.columns
    heads = tuple(
        f"{in_language(head.removesuffix(part).strip())} {in_language(part)}".strip()
        for head, part in zip(block.columns, own, strict=True)
    )
    rows = tuple(
        replace(row, cells=tuple(replace(cell, text=in_language(cell.text)) for cell in row.cells))
        for row in block.rows
    )
    return replace(block, heading=in_language(block.heading), columns=heads, rows=rows)


def is_figure(text: str) -> bool:
    return _FIGURE.fullmatch(text) is not None


def drawn(cell: Cell) -> str:
    """The text of a cell, with a chalk stroke drawn in characters, standing or erased.

    >>> drawn(Cell("", "", "line")), drawn(Cell("×", "", "line")), drawn(Cell("hand 3", "", "erased"))
    ('━━━━━━━━', '━━━×━━━━', '·· hand 3 ··')
    """
    text = one_plain_line(cell.text)
    if cell.mark == "line":
        return f"━━━{text}{'━' * max(3, 5 - text_columns(text))}"
    if cell.mark not in ("total", "won", "count") and text in NOUGHTS:
        return DOT
    return f"·· {text} ··" if cell.mark == "erased" else text


def stroke_in_words(text: str, mark: str) -> str:
    """A stroke of chalk in words.

    >>> stroke_in_words("", "line"), stroke_in_words("×", "line"), stroke_in_words("hand 3", "erased")
    ('stands', 'stands ×', 'erased in hand 3')
    """
    return f"stands {text}".rstrip() if mark == "line" else f"erased in {text}"


def right_aligned(block: Block) -> list[bool]:
    """For each column, True if it holds figures and is aligned to the right."""
    out = []
    for i in range(len(block.columns)):
        cells = [row.cells[i] for row in block.rows if i < len(row.cells) and row.kind != "part"]
        # A count is a figure, with whatever sign beside it.
        texts = ["0" if cell.mark == "count" else cell.text for cell in cells]
        told = [end for t in texts if t not in ("–", "?", "") for end in t.split("..")]
        out.append(bool(told) and all(is_figure(t) or _DECIMAL.fullmatch(t) for t in told))
    return out


def row_name(block: Block, row: SheetRow) -> str:
    """The name of the row: its first cell, with the head of its column before a bare number."""
    first = one_plain_line(row.cells[0].text) if row.cells else ""
    return f"{block.columns[0]} {first}" if block.columns and is_figure(first) else first


def notes_of(block: Block) -> list[tuple[str, str]]:
    return [(row_name(block, row), one_plain_line(note)) for row in block.rows for note in row.notes]


# Seating belongs in a record, not on a sheet, whose head or columns name the players.
_UNTOLD = frozenset(("Players", "Hands"))


def facts_told(sheet: Sheet) -> list[tuple[str, str]]:
    """The facts above a sheet, the result first."""
    told = [(name, value) for name, value in sheet.facts if name not in _UNTOLD and not name.startswith("Side ")]
    return sorted(told, key=lambda fact: fact[0] != "Result")


SIGNED = phrase("Last signed head of the book")
"""The heading of the checkpoint on a sheet or report."""
