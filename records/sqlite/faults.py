"""The one place where database errors become errors with advice for a person."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from events.errors import KibitzError, StoreError, UsageError
from records.sqlite.locking import IN_USE as _IN_USE

NO_STORE = "this is not a Kibitz store"
LEFT_ALONE = "Name another file; this one was left as it is"
BESIDE = (
    "the store cannot be opened without writing beside it",
    "Allow writing to its directory, or copy the store to another place",
)
CLOSED = ("the store cannot be opened", "Look at the path, and at the permissions of the file and of its directory")

_DAMAGED = "Copy the file before anything else, then export what can still be read, or go back to a backup"
_SENTENCES: tuple[tuple[str, str, str], ...] = (
    ("SQLITE_BUSY", *_IN_USE),
    ("SQLITE_LOCKED", *_IN_USE),
    ("SQLITE_READONLY_DIRECTORY", *BESIDE),
    ("SQLITE_READONLY_CANTINIT", *BESIDE),
    ("SQLITE_READONLY_RECOVERY", *BESIDE),
    (
        "SQLITE_READONLY", "the store may be read but not written",
        "Allow writing to the file and to its directory, or use another store",
    ),
    ("SQLITE_FULL", "there is no room left to write; nothing was recorded", "Make room on the disk and try again"),
    ("SQLITE_NOTADB", NO_STORE, LEFT_ALONE),
    ("SQLITE_CORRUPT", "the store is damaged", _DAMAGED),
    ("SQLITE_CANTOPEN", *CLOSED),
    ("SQLITE_PERM", *CLOSED),
    ("SQLITE_AUTH", *CLOSED),
    ("SQLITE_IOERR", "the disk reports an error", "Look at the disk; what was acknowledged before is kept"),
    (
        "SQLITE_CONSTRAINT", "the store refuses an entry that contradicts what it holds",
        "Check the store; this is a fault of the program or of the file",
    ),
    ("SQLITE_TOOBIG", "an entry is too large for the store", "Split it into smaller events"),
)
"""Prefixes of SQLite's error names, tried in order, each with what is wrong and what to do."""


def refusal(error: sqlite3.Error, path: Path) -> KibitzError:
    """The error that explains a fault of SQLite. SQLite's own message is added only if ours would be vague."""
    name = getattr(error, "sqlite_errorname", "") or ""
    for beginning, what, todo in _SENTENCES:
        if name.startswith(beginning):
            if beginning in {"SQLITE_CONSTRAINT", "SQLITE_IOERR"}:
                what += f" ({error})"
            return StoreError(what, where=str(path), todo=todo)
    if isinstance(error, sqlite3.ProgrammingError):
        # Errors of the driver: a closed store, a store used in another thread.
        return UsageError(f"the store cannot be used like this ({error})", where=str(path))
    if "no such table" in str(error) or "no such column" in str(error):
        # The migrations say it is a store, but a part of it is missing.
        return StoreError(
            f"the store is damaged ({error})", where=str(path), todo="Go back to a backup; this file was left as it is"
        )
    return StoreError(f"the store cannot be used ({error})", where=str(path))


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """Raise database errors inside as StoreError or UsageError."""
    try:
        yield
    except Exception as error:
        if (said := error_for(error, path)) is None:
            raise
        raise said from error


def error_for(error: BaseException, path: Path) -> KibitzError | None:
    """The error for a fault of the database or its driver; None for any other exception."""
    if isinstance(error, sqlite3.Error):
        return refusal(error, path)
    if isinstance(error, UnicodeDecodeError):
        # If the schema itself is damaged, the driver cannot even decode SQLite's message.
        return StoreError(
            "the store is damaged (a text in it is not UTF-8)", where=str(path), todo=_DAMAGED,
        )
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return UsageError(f"a store cannot hold this text or number ({error})", where=str(path))
    return None
