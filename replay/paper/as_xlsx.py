"""A sheet as a workbook with formulas: if a cell is corrected, the totals follow.

The first page has the tables of the sheet, with the same heads. The result of a hand is the sum of its parts if they
add up to it; a total is the previous one plus the hand, or the sum of the column. The second page has every figure with
its arithmetic, like the CSV.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from events.errors import needs_extra
from reducers.sheet import Block, Cell, Sheet
from replay.paper.as_csv import HEADS
from replay.paper.cells import is_figure
from replay.plain_text import one_plain_line


def as_xlsx(sheet: Sheet) -> bytes:
    """The workbook. Raises UsageError if XlsxWriter is not installed."""
    with needs_extra("a workbook", "sheets"):
        import xlsxwriter
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(
        buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    )
    # The file has no creation time, so the same sheet gives the same file.
    book.set_properties({"created": datetime(1980, 1, 1)})
    _score(book, sheet)
    _figures(book, sheet)
    book.close()
    return buffer.getvalue()


def _score(book: Any, sheet: Sheet) -> None:
    """The page with the tables of the sheet."""
    page, bold, dim = book.add_worksheet("Score"), book.add_format({"bold": True}), book.add_format(
        {"font_color": "#555a62"}
    )
    page.write_string(0, 0, one_plain_line(sheet.title), book.add_format({"bold": True, "font_size": 14}))
    page.write_string(1, 0, one_plain_line(next((value for name, value in sheet.facts if name == "Result"), "")))
    at = 3
    for block in sheet.blocks:
        page.write_string(at, 0, one_plain_line(block.heading), bold)
        for i, head in enumerate(block.columns):
            page.write_string(at + 1, i, one_plain_line(head), dim)
        formulas = _formulas(block, at + 2)
        for y, row in enumerate(block.rows):
            for x, cell in enumerate(row.cells):
                text, form = one_plain_line(cell.text), bold if cell.mark in _TOTALS else None
                if (y, x) in formulas:
                    page.write_formula(at + 2 + y, x, formulas[y, x], form, _number(cell))
                elif (n := _number(cell)) is not None:
                    page.write_number(at + 2 + y, x, n, form)
                elif text:
                    page.write_string(at + 2 + y, x, text, form)
        at += len(block.rows) + 3
    for y, remark in enumerate(sheet.remarks, at):
        page.write_string(y, 0, one_plain_line(remark), dim)
    page.set_column(1, 3, 12)
    page.freeze_panes(5, 1)
    page.fit_to_pages(1, 0)


_TOTALS = ("total", "won", "crossed")


def _number(cell: Cell) -> int | None:
    """The figure of a cell."""
    text = one_plain_line(cell.text)
    return int(text.replace("−", "-")) if is_figure(text) else None


def _formulas(block: Block, top: int) -> dict[tuple[int, int], str]:
    """The formulas of a block by row and column; its first row is in this row of the page."""
    out: dict[tuple[int, int], str] = {}
    for x in range(1, len(block.columns)):
        numbers = {
            y: n for y, row in enumerate(block.rows) if x < len(row.cells) and (n := _number(row.cells[x])) is not None
        }
        totals = [
            y for y in numbers if block.rows[y].kind in ("rule", "total") and block.rows[y].cells[x].mark in _TOTALS
        ]
        role, who = (block.layout[x].role, block.layout[x].who) if block.layout else ("", "")
        mine = [i for i, one in enumerate(block.layout) if who and one.who == who]
        if block.form == "parts":
            out |= _parts_of_hands(block, numbers, x, top)
        elif role == "gain":
            out |= _sums_of_parts(block, numbers, [i for i in mine if not block.layout[i].role], x, top)
        elif role == "total":
            gain = next((i for i in mine if block.layout[i].role == "gain"), None)
            out |= _running(block, numbers, gain, x, top)
        elif not block.layout:
            for y in totals:
                above = [n for n in numbers if n < y and n not in totals]
                out |= {
                    (y, x): _sum_of([_cell(top + n, x) for n in above], numbers[y] - sum(numbers[n] for n in above))
                } if above else {}
    return out


def _parts_of_hands(block: Block, numbers: dict[int, int], x: int, top: int) -> dict[tuple[int, int], str]:
    """Each hand as the sum of its entries, and each total as the one before it and the hand."""
    out, entries, hand, total = {}, list[int](), -1, -1
    for y, row in enumerate(block.rows):
        if row.kind == "part":
            entries = []
        elif y not in numbers:
            continue
        elif row.kind == "rule":
            hand, out[y, x] = y, _sum_of(
                [_cell(top + n, x) for n in entries], numbers[y] - sum(numbers[n] for n in entries),
            )
        elif row.cells[x].mark in _TOTALS:
            terms = [n for n in (total, hand) if n >= 0]
            total, out[y, x] = y, _sum_of(
                [_cell(top + n, x) for n in terms], numbers[y] - sum(numbers[n] for n in terms),
            )
        else:
            entries.append(y)
    return out


def _sums_of_parts(
    block: Block, numbers: dict[int, int], parts: list[int], x: int, top: int,
) -> dict[tuple[int, int], str]:
    """The result of each hand as the sum of its parts, if they add up to it in all hands."""
    told = {y: {i: n for i in parts if (n := _number(block.rows[y].cells[i])) is not None} for y in numbers}
    if not any(any(one.values()) for one in told.values()) or any(
        sum(one.values()) != numbers[y] for y, one in told.items()
    ):
        return {}
    return {(y, x): _sum_of([_cell(top + y, i) for i in one], 0) for y, one in told.items() if one}


def _running(block: Block, numbers: dict[int, int], gain: int | None, x: int, top: int) -> dict[tuple[int, int], str]:
    """Each total as the one before it and the result of the hand; another change, such as a reset, is a number."""
    out = {}
    for y, n in numbers.items():
        won = _number(block.rows[y].cells[gain]) if gain is not None else None
        terms = [_cell(top + y - 1, x)] if y - 1 in numbers else []
        terms += [_cell(top + y, gain)] if gain is not None and won is not None and (y == 0 or terms) else []
        if terms:
            out[y, x] = _sum_of(terms, n - numbers.get(y - 1, 0) - (won or 0))
    return out


def _sum_of(terms: Sequence[str], more: int) -> str:
    """A formula that adds cells and a number.

    >>> _sum_of(["E6", "F6"], 0), _sum_of(["E6"], -5)
    ('=E6+F6', '=E6-5')
    """
    return f"={'+'.join(terms)}" + (f"{more:+d}" if more else "")


def _cell(row: int, column: int) -> str:
    """The name of a cell in a spreadsheet, such as `E6` for row 5, column 4."""
    from xlsxwriter.utility import xl_rowcol_to_cell

    name: str = xl_rowcol_to_cell(row, column)
    return name


def _figures(book: Any, sheet: Sheet) -> None:
    """The page with every figure and its arithmetic."""
    told = sheet.figures or ()
    if not told:
        return
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
