"""A scoresheet in any format: plain text, Markdown for a chat, HTML, PDF, an image; CSV and a workbook for a
spreadsheet.

All show one sheet: its head, its figures, how they were added, the remarks.
"""

from __future__ import annotations

from events.errors import UsageError
from reducers.sheet import Sheet
from replay.paper.as_csv import as_csv
from replay.paper.as_markdown import as_markdown
from replay.paper.as_pdf import as_pdf, as_png
from replay.paper.as_text import as_text
from replay.paper.as_xlsx import as_xlsx
from replay.paper.dates import with_dates
from replay.paper.formats import SHEET
from replay.paper.sheet_page import PageLook, sheet_page


def render(sheet: Sheet, format: str = "text", columns: int = 0, look: PageLook | None = None) -> str:
    """The sheet as "text" (at most `columns` wide, if given), "csv", "md" or "html" (styled by `look`). Dates are as
    `look` says, but for data. Raises UsageError for any other format."""
    if format == "csv":
        return as_csv(sheet)
    sheet = with_dates(sheet, (look or PageLook()).dates)
    match format:
        case "text":
            return as_text(sheet, columns)
        case "md":
            return as_markdown(sheet)
        case "html":
            return sheet_page(sheet, look)
    raise UsageError(f"there is no format '{format}'", expected=f"one of {', '.join(SHEET)}")


def written_sheet(sheet: Sheet, format: str, columns: int = 0, look: PageLook | None = None) -> bytes:
    """The sheet in any format, as the bytes of a file. Raises UsageError for an unknown format, or if its extra is
    not installed."""
    look = look or PageLook()
    match format:
        case "xlsx":
            return as_xlsx(sheet)
        case "pdf":
            return as_pdf(with_dates(sheet, look.dates), look)
        case "png":
            return as_png(with_dates(sheet, look.dates), look)
    return render(sheet, format, columns, look).encode()
