"""The records of a file given to a command. Several records are processed one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from events.errors import UnreadableError

if TYPE_CHECKING:
    from records import Loaded

waiting: dict[str, Loaded] = {}
"""Records read from a file but not loaded yet, by name."""


def records_of(text: str) -> Iterator[str]:
    """The names to `load`, one after the other: a match of the store, or each record of a file.

    `RECORD.json+OPENING.json` is a record that is shown in part, with what an opening shows of it. Raises
    KibitzError if the file cannot be read.
    """
    if text != "-" and not looks_like_file(text):
        yield text
        return
    from records import load_files
    from records.intake import read_whole

    file, *others = [text] if "+" not in text or os.path.isfile(text) else text.split("+")
    _refuse_folder(file)
    openings = [read_whole(other).decode("utf-8", "replace") for other in others]
    for loaded in load_files(file, openings):
        waiting[loaded.file] = loaded
        yield loaded.file


def expanded(words: Iterable[str]) -> Iterator[str]:
    """The words, with each pattern such as `*.kib` replaced by the matching files, sorted.

    Some shells (cmd, PowerShell) leave patterns to the program. A file with exactly that name, and a pattern without
    matching files, are kept as they are.
    """
    for word in words:
        found: list[str] = []
        if any(sign in word for sign in "*?[") and not os.path.isfile(word):
            from glob import glob

            found = sorted(glob(word))
        yield from found or [word]


def looks_like_file(text: str) -> bool:
    """Whether the text means a file, not a match: the file exists, or the text looks like a path."""
    return (
        os.path.isfile(text) or os.sep in text or "/" in text
        or text.lower().endswith((".kib", ".jsonl", ".json", ".txt"))
    )


def _refuse_folder(text: str) -> None:
    if os.path.isdir(text):
        raise UnreadableError("this is a folder", where=text, expected="a file")
