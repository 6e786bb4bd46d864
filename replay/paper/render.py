"""A scoresheet written out: plain text, CSV for a spreadsheet, a Markdown table, or an HTML page to print.

All four say the same: the facts of the match, the blocks with their figures, how the figures were added, the remarks.
"""

from __future__ import annotations

from typing import Literal, get_args

from events.errors import UsageError
from reducers.sheet import Sheet
from replay.paper.as_csv import as_csv
from replay.paper.as_markdown import as_markdown
from replay.paper.as_text import as_text
from replay.paper.sheet_page import Look, sheet_page

Format = Literal["text", "csv", "md", "html"]
FORMATS: tuple[str, ...] = get_args(Format)


def render(sheet: Sheet, format: str = "text", columns: int = 0, look: Look | None = None) -> str:
    """The sheet as "text" (of at most so many columns, if a number is given), "csv", "md" or "html" (as `look` says). Raises
    UsageError for any other format."""
    match format:
        case "text":
            return as_text(sheet, columns)
        case "csv":
            return as_csv(sheet)
        case "md":
            return as_markdown(sheet)
        case "html":
            return sheet_page(sheet, look)
    raise UsageError(f"there is no format '{format}'", expected=f"one of {', '.join(FORMATS)}")


__all__ = ["FORMATS", "Format", "render"]
