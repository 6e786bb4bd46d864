"""The figures of a sheet as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from reducers.sheet import Sheet
from replay.paper.cells import is_figure
from replay.plain_text import clean

HEADS = ("hand", "dealer", "contract", "result", "side", "part", "amount", "sum", "stated")
"""The columns of the table: `docs/sheets.md` says what each holds."""

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def as_csv(sheet: Sheet) -> str:
    """One row for each hand, side and part, RFC 4180: comma, CRLF, every line with the same number of fields.

    Of each hand and side the `part` is each line of its score, then "hand" for what they come to, then "total" for the match
    after it. `amount` is a plain number (`-3`), empty if it is not known; `sum` its arithmetic in words; `stated` what the
    table wrote of it. Any text that a spreadsheet might run as a formula is written with an apostrophe before it.
    """
    buffer = io.StringIO()
    out = csv.writer(buffer, lineterminator="\r\n")
    out.writerow(HEADS)
    for f in sheet.figures:
        told = map(safe, (f.dealer, f.contract, f.result, f.side, f.part))
        numbers = ["" if n is None else str(n) for n in (f.amount, f.stated)]
        out.writerow([str(f.hand), *told, numbers[0], safe(f.sum), numbers[1]])
    return buffer.getvalue()


def safe(text: str) -> str:
    """A figure as a number; any other text so that a spreadsheet does not take it for a formula.

    >>> safe("−3"), safe("+7"), safe("=HYPERLINK(1)")
    ('-3', '7', "'=HYPERLINK(1)")
    """
    if is_figure(text):
        return text.replace("−", "-").removeprefix("+")
    text = clean(text)
    return "'" + text if text.lstrip().startswith(_DANGEROUS) else text


__all__ = ["HEADS", "as_csv", "safe"]
