"""A sheet as a workbook with formulas: if a cell is corrected, the totals follow.

The first page is the score: a row per hand and, for each side, the lines of its score, their sum, and the total. The
result of a hand is the sum of its lines if the rules add them up, and the total is the previous one plus the hand.
The second page has every figure with its arithmetic, like the CSV.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from events.errors import UsageError
from reducers.sheet import Figure, Sheet
from replay.paper.as_csv import HEADS
from replay.plain_text import one_plain_line

_BEGINS = 4
"""The row of the heads, below the title and the result."""


def as_xlsx(sheet: Sheet) -> bytes:
    """The workbook. Raises UsageError if XlsxWriter is not installed."""
    try:
        import xlsxwriter
    except ImportError:
        raise UsageError("a workbook needs the extra kibitz[sheets]", todo="Install it with `pip install 'kibitz[sheets]'`.") from None
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False})
    # The file has no creation time, so the same sheet gives the same file.
    book.set_properties({"created": datetime(1980, 1, 1)})
    _score(book, sheet)
    _figures(book, sheet)
    book.close()
    return buffer.getvalue()


def adds_up(figures: Sequence[Figure], side: str) -> bool:
    """True if a side's result of every hand is the sum of the lines of its score."""
    sums: dict[int, int] = {}
    for f in figures:
        if f.side == side and f.part not in ("hand", "total"):
            sums[f.hand] = sums.get(f.hand, 0) + (f.amount or 0)
    return bool(sums) and all(f.amount in (None, sums.get(f.hand, 0)) for f in figures if f.side == side and f.part == "hand")


def _score(book: Any, sheet: Sheet) -> None:
    """The page with formulas."""
    told = sheet.figures or ()
    page, bold, dim = book.add_worksheet("Score"), book.add_format({"bold": True}), book.add_format({"font_color": "#555a62"})
    page.write_string(0, 0, one_plain_line(sheet.title), book.add_format({"bold": True, "font_size": 14}))
    page.write_string(1, 0, one_plain_line(next((value for name, value in sheet.facts if name == "Result"), "")))
    hands: dict[int, list[Figure]] = {}
    for f in told:
        hands.setdefault(f.hand, []).append(f)
    heads = ["hand", "dealer", "contract", "result"]
    for side in dict.fromkeys(f.side for f in told):
        page.write_string(_BEGINS - 1, len(heads), one_plain_line(side), bold)
        lines = dict.fromkeys(f.part for f in told if f.side == side and f.part not in ("hand", "total"))
        column = _Side(page, len(heads), tuple(lines) if adds_up(told, side) else (), bold)
        for row, figures in enumerate(hands.values(), _BEGINS + 1):
            column.write(row, {f.part: f for f in figures if f.side == side})
        heads += [*column.lines, "hand", "total"]
    for i, head in enumerate(heads):
        page.write_string(_BEGINS, i, one_plain_line(head), dim)
    for row, (number, figures) in enumerate(hands.items(), _BEGINS + 1):
        page.write_number(row, 0, number)
        for i, text in enumerate((figures[0].dealer, figures[0].contract, figures[0].result), 1):
            page.write_string(row, i, one_plain_line(text))
    for row, remark in enumerate(sheet.remarks, _BEGINS + 2 + len(hands)):
        page.write_string(row, 0, one_plain_line(remark), dim)
    page.set_column(1, 3, 12)
    page.freeze_panes(_BEGINS + 1, 1)
    page.fit_to_pages(1, 0)


class _Side:
    """The columns of one side: the lines of its score, their sum, and the total; `before` is the total so far."""

    def __init__(self, page: Any, at: int, lines: tuple[str, ...], bold: Any) -> None:
        self.page, self.at, self.lines, self.bold = page, at, lines, bold
        self.before: int | None = 0

    def write(self, row: int, told: dict[str, Figure]) -> None:
        """Write the cells of one hand."""
        for i, line in enumerate(self.lines, self.at):
            if line in told and told[line].amount is not None:
                self.page.write_number(row, i, told[line].amount)
        i = self.at + len(self.lines)
        hand, total = told["hand"].amount, told["total"].amount
        if hand is None:
            self.page.write_string(row, i, "?")
        elif self.lines:
            self.page.write_formula(row, i, f"=SUM({_cell(row, self.at)}:{_cell(row, i - 1)})", None, hand)
        else:
            self.page.write_number(row, i, hand)
        if total is None:
            self.page.write_string(row, i + 1, "?")
        elif hand is None or self.before is None:
            self.page.write_number(row, i + 1, total, self.bold)
        else:
            # A change of the total besides the hand, such as a reset, is a number in the formula.
            off = total - hand - self.before
            first = row == _BEGINS + 1
            formula = f"={'' if first else _cell(row - 1, i + 1) + '+'}{_cell(row, i)}"
            opening = self.before if first else 0
            self.page.write_formula(row, i + 1, formula + (f"{off + opening:+d}" if off + opening else ""), self.bold, total)
        self.before = total


def _cell(row: int, column: int) -> str:
    """The name of a cell in a spreadsheet.

    >>> _cell(5, 4), _cell(0, 27)
    ('E6', 'AB1')
    """
    name, column = "", column + 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return f"{name}{row + 1}"


def _figures(book: Any, sheet: Sheet) -> None:
    """The page with every figure and its arithmetic."""
    told = sheet.figures or ()
    page, dim = book.add_worksheet("Figures"), book.add_format({"font_color": "#555a62"})
    for i, head in enumerate(HEADS):
        page.write_string(0, i, head, dim)
    for row, f in enumerate(told, 1):
        for i, value in enumerate((f.hand, f.dealer, f.contract, f.result, f.side, f.part, f.amount, f.sum, f.stated)):
            if isinstance(value, int):
                page.write_number(row, i, value)
            elif value:
                page.write_string(row, i, one_plain_line(value))
    page.autofilter(0, 0, max(len(told), 1), len(HEADS) - 1)
    page.set_column(1, 7, 14)


__all__ = ["adds_up", "as_xlsx"]
