"""The formats of what is written on paper: their names, the endings of their files, their media types."""

from __future__ import annotations

from collections.abc import Collection
from os.path import splitext

MEDIA = {
    "text": "text/plain", "csv": "text/csv", "md": "text/markdown", "html": "text/html",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "pdf": "application/pdf",
    "png": "image/png",
}  # fmt: skip
"""The media type of each format."""
BINARY = ("xlsx", "pdf", "png")
"""The formats that are no text; each needs an extra."""
SHEET = tuple(MEDIA)
PLAIN = tuple(name for name in SHEET if name not in BINARY)
MOVEMENT = SEASON = tuple(name for name in SHEET if name != "png")
REPORT = ("html", "md", "pdf")

_ENDINGS = {"text": "txt"}
_OTHER_ENDINGS = {"txt": "text", "htm": "html", "markdown": "md"}


def ending_of(format: str) -> str:
    """The ending of the files of a format.

    >>> ending_of("text"), ending_of("pdf")
    ('txt', 'pdf')
    """
    return _ENDINGS.get(format, format)


def format_by_ending(
    path: str, formats: Collection[str], what: str, todo: str = "Name such a file, or choose a format with --format."
) -> str:
    """The format that the ending of a file names; "" for a path without an ending. Raises UsageError if `what` is
    written is in none of `formats` then.

    >>> format_by_ending("evening.HTM", SHEET, "a sheet"), format_by_ending("-", SHEET, "a sheet")
    ('html', '')
    """
    ending = splitext(path)[1].lower().removeprefix(".")
    found = _OTHER_ENDINGS.get(ending, ending)
    if not found or found in formats:
        return found
    from events.errors import UsageError
    from events.name_lists import one_of

    endings = one_of(f".{ending_of(name)}" for name in formats)
    raise UsageError(
        f"{what} has no format with this ending", where=path, expected=f"a file that ends in {endings}", todo=todo,
    )
