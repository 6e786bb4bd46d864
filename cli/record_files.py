"""The records of a file that a command is asked for: several are taken one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import UnreadableError

if TYPE_CHECKING:
    from records import Loaded

waiting: dict[str, Loaded] = {}
"""The records of a file that were read, by name, until they are loaded."""


def records_of(text: str) -> Iterator[tuple[str, bool]]:
    """What to `load`, one after the other: a match of the store, or each record of a file; and whether it is the only one."""
    if text != "-" and not looks_like_file(text):
        yield text, True
        return
    from records import load_files

    _refuse_folder(text)
    records = load_files(text)
    loaded, after = next(records), next(records, None)
    waiting[loaded.file] = loaded
    yield loaded.file, after is None
    while after is not None:
        waiting[after.file] = after
        yield after.file, False
        after = next(records, None)


def looks_like_file(text: str) -> bool:
    """Whether a path is meant and not a match: it is there, or it is spelled like one."""
    try:
        if Path(text).is_file():
            return True
    except (OSError, ValueError):
        return True
    return os.sep in text or "/" in text or text.lower().endswith((".kib", ".jsonl", ".json", ".txt"))


def _refuse_folder(text: str) -> None:
    try:
        if Path(text).is_dir():
            raise UnreadableError("this is a folder", where=text, expected="a file")
    except (OSError, ValueError) as error:
        raise UnreadableError(f"the file cannot be read ({error})", where=text) from error
