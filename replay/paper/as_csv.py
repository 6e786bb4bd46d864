"""A sheet as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from reducers.sheet import Sheet
from replay.paper.cells import LEGEND, in_words, is_figure, sums_of
from replay.plain_text import clean

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def as_csv(sheet: Sheet) -> str:
    """One table for a spreadsheet, RFC 4180: comma, CRLF, every line with the same number of fields.

    The columns are `block, line, 1, 2, … n, notes`, n being the widest block. `line` says what the line is: "title",
    "fact" (name in 1, value in 2), "head" (the column heads of a block), "row", "part", "rule" or "total" (its rows, as
    on the sheet), "remark" (text in 1), "signed" (a line of the
    signed head of the book). `notes` has the arithmetic of a row, `WE ±: made: +(7) = +7`, the marks of its
    cells and its remarks. So a filter on `line` gives the bare rows, and the whole reads like the sheet.

    Figures are plain numbers (`-3`, and `7` for `+7`). Any other text that a spreadsheet might run as a formula is
    written with an apostrophe before it.
    """
    n = max([2, *(len(b.columns) for b in sheet.blocks), *(len(r.cells) for b in sheet.blocks for r in b.rows)])
    buffer = io.StringIO()
    out = csv.writer(buffer, lineterminator="\r\n")

    def write(block: str, line: str, cells: Iterable[str], notes: str = "") -> None:
        fields = [_safe(c) for c in cells]
        out.writerow([_safe(block), line, *fields, *[""] * (n - len(fields)), _safe(notes)])

    out.writerow(["block", "line", *(str(i + 1) for i in range(n)), "notes"])
    write("", "title", [sheet.title])
    for name, value in sheet.facts:
        write("", "fact", [name, value])
    for block in sheet.blocks:
        write(block.heading, "head", block.columns)
        for row in block.rows:
            notes = [f"{head}: {text}" for head, text in sums_of(block, row)]
            notes += [f"{block.columns[i]}: {LEGEND[c.mark]}" for i, c in enumerate(row.cells) if c.mark in ("wrong", "crossed") and i < len(block.columns)]
            write(block.heading, row.kind or "row", [in_words(c) for c in row.cells], "; ".join([*notes, *row.notes]))
    for remark in sheet.remarks:
        write("", "remark", [remark])
    for line in sheet.signed:
        write("", "signed", [line])
    return buffer.getvalue()


def _safe(text: str) -> str:
    """A figure as a number; any other text so that a spreadsheet does not take it for a formula.

    >>> _safe("−3"), _safe("+7"), _safe("=HYPERLINK(1)")
    ('-3', '7', "'=HYPERLINK(1)")
    """
    if is_figure(text):
        return text.replace("−", "-").removeprefix("+")
    text = clean(text)
    return "'" + text if text.lstrip().startswith(_DANGEROUS) else text
