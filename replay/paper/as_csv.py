"""The figures of a sheet as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from reducers.sheet import Sheet
from replay.paper.cells import is_figure
from replay.plain_text import one_plain_line

HEADS = ("hand", "dealer", "contract", "result", "side", "part", "amount", "sum", "stated")
"""The columns of the table, described in `docs/sheets.md`."""

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def as_csv(sheet: Sheet) -> str:
    """A row for each hand, side and part, by RFC 4180: comma, CRLF, every line with the same number of fields.

    The `part` of a hand and side is each line of its score, then "hand" for their sum, then "total" for the match
    after it. `amount` is a plain number (`-3`), empty if unknown; `sum` its arithmetic in words; `stated` what the
    table wrote. A sheet without figures per hand, of an evening or a pad, is written table by table, each line after
    its heading. Text that a spreadsheet might run as a formula gets an apostrophe before it.
    """
    if sheet.figures is None:
        tables = [
            (block.heading, *cells) for block in sheet.blocks
            for cells in (block.columns, *([cell.text for cell in row.cells] for row in block.rows))
        ]
        width = max(map(len, tables), default=0)
        return rows_as_csv([*row, *[None] * (width - len(row))] for row in tables)
    return rows_as_csv([
        HEADS,
        *(
            (f.hand, f.dealer, f.contract, f.result, f.side, f.part, f.amount, f.sum, f.stated)
            for f in sheet.figures
        )
    ])


def rows_as_csv(rows: Iterable[Sequence[str | float | None]]) -> str:
    """Rows of texts and numbers as CSV: empty for None, and no text that a spreadsheet would run.

    >>> rows_as_csv([("player", "points"), ("Ann", -3), ("=1+1", None)])
    "player,points\\r\\nAnn,-3\\r\\n'=1+1,\\r\\n"
    """
    buffer = io.StringIO()
    out = csv.writer(buffer, lineterminator="\r\n")
    for row in rows:
        out.writerow([safe(value) if isinstance(value, str) else value for value in row])
    return buffer.getvalue()


def safe(text: str) -> str:
    """A figure as a number; any other text so that a spreadsheet does not take it for a formula.

    >>> safe("−3"), safe("+7"), safe("=HYPERLINK(1)")
    ('-3', '7', "'=HYPERLINK(1)")
    """
    if is_figure(text):
        return text.replace("−", "-").removeprefix("+")
    text = one_plain_line(text)
    return "'" + text if text.lstrip().startswith(_DANGEROUS) else text
