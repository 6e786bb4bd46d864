"""The records of a file that a command is asked for: several are taken one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import UnreadableError

if TYPE_CHECKING:
    from records import Loaded

waiting: dict[str, Loaded] = {}
"""The records of a file that were read, by name, until they are loaded."""


def records_of(text: str) -> Iterator[str]:
    """What to `load`, one after the other: a match of the store, or each record of a file. Raises KibitzError if the file cannot be had."""
    if text != "-" and not looks_like_file(text):
        yield text
        return
    from records import load_files

    _refuse_folder(text)
    for loaded in load_files(text):
        waiting[loaded.file] = loaded
        yield loaded.file


def expanded(words: Iterable[str]) -> Iterator[str]:
    """The words, and in the place of a pattern such as `*.kib` the files that it fits, sorted: some shells (cmd, PowerShell) leave patterns
    to the program. A file of that very name, and a pattern that no file fits, stay as they are."""
    for word in words:
        found: list[str] = []
        if any(sign in word for sign in "*?[") and not _is_file(word):
            from glob import glob

            found = sorted(glob(word))
        yield from found or [word]


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


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
