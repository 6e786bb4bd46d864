"""The one place where trouble with the database becomes a refusal a person can act on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from events.errors import ConflictError, KibitzError, StoreError, UsageError
from events.model import Recorded
from records.locking import IN_USE as _IN_USE


class StaleWriterError(ConflictError):
    """The match has moved on since the writer last looked. Nothing was written.

    `unseen` are the events the writer has not seen, in order; `last` is the position of the last event in the store.
    `unseen` is empty where the writer claims to have seen more than the store has.
    """

    def __init__(self, match: str, expect: int, last: int, unseen: Sequence[Recorded]) -> None:
        self.match, self.expect, self.last, self.unseen = match, expect, last, list(unseen)
        if last > expect:
            added = "1 event was" if last - expect == 1 else f"{last - expect} events were"
            what, todo = f"{added} added after event {expect}", "Look at what was added, then try again"
        else:
            what, todo = f"the writer has seen event {expect}, the store ends at event {last}", "Read the match again"
        super().__init__(what, where=f"match {match}", expected=f"event {expect} to be the last", todo=todo)


class SealedError(ConflictError):
    """The match is sealed: nothing can be added to it before it is opened again. Nothing was written."""

    def __init__(self, match: str) -> None:
        self.match = match
        super().__init__(
            "the match is sealed, nothing can be added to it",
            where=f"match {match}",
            todo=f"For a later correction or ruling open it again: `kibitz db seal --unseal {match}`",
        )


NO_STORE = "this is not a Kibitz store"
LEFT_ALONE = "Name another file; this one was left as it is"
BESIDE = (
    "the store cannot be opened without writing beside it",
    "Allow writing to its directory, or copy the store to another place",
)
CLOSED = ("the store cannot be opened", "Look at the path, and at the permissions of the file and of its directory")

# SQLite's names for its errors, by their beginning, in the order asked: what is wrong, what to do.
_SENTENCES: tuple[tuple[str, tuple[str, str]], ...] = (
    ("SQLITE_BUSY", _IN_USE),
    ("SQLITE_LOCKED", _IN_USE),
    ("SQLITE_READONLY_DIRECTORY", BESIDE),
    ("SQLITE_READONLY_CANTINIT", BESIDE),
    ("SQLITE_READONLY_RECOVERY", BESIDE),
    (
        "SQLITE_READONLY",
        (
            "the store may be read but not written",
            "Allow writing to the file and to its directory, or use another store",
        ),
    ),
    ("SQLITE_FULL", ("there is no room left to write; nothing was recorded", "Make room on the disk and try again")),
    ("SQLITE_NOTADB", (NO_STORE, LEFT_ALONE)),
    (
        "SQLITE_CORRUPT",
        (
            "the store is damaged",
            "Copy the file before anything else, then export what can still be read, or go back to a backup",
        ),
    ),
    ("SQLITE_CANTOPEN", CLOSED),
    ("SQLITE_PERM", CLOSED),
    ("SQLITE_AUTH", CLOSED),
    ("SQLITE_IOERR", ("the disk reports an error", "Look at the disk; what was acknowledged before is kept")),
    (
        "SQLITE_CONSTRAINT",
        (
            "the store refuses an entry that contradicts what it holds",
            "Check the store; this is a fault of the program or of the file",
        ),
    ),
    ("SQLITE_TOOBIG", ("an entry is too large for the store", "Split it into smaller events")),
)


def refusal(error: sqlite3.Error, path: Path) -> KibitzError:
    """The refusal that says what SQLite meant. The sentence of SQLite stands in it only where ours would be vague."""
    name = getattr(error, "sqlite_errorname", "") or ""
    for beginning, (what, todo) in _SENTENCES:
        if name.startswith(beginning):
            if beginning in {"SQLITE_CONSTRAINT", "SQLITE_IOERR"}:
                what += f" ({error})"
            return StoreError(what, where=str(path), todo=todo)
    if isinstance(error, sqlite3.ProgrammingError):
        # The driver's own complaints: a closed store, a store carried into another thread.
        return UsageError(f"the store cannot be used like this ({error})", where=str(path))
    if "no such table" in str(error) or "no such column" in str(error):
        # The migrations say the store is ours, yet a part of it is missing.
        return StoreError(
            f"the store is damaged ({error})", where=str(path), todo="Go back to a backup; this file was left as it is"
        )
    return StoreError(f"the store cannot be used ({error})", where=str(path))


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """Raise what goes wrong with the database inside as `StoreError` or `UsageError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise refusal(error, path) from error
    except UnicodeDecodeError as error:
        # Where the tables themselves are broken, the driver cannot even read what SQLite says about it.
        raise StoreError(
            "the store is damaged (a text in it is not UTF-8)",
            where=str(path),
            todo="Copy the file before anything else, then export what can still be read, or go back to a backup",
        ) from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise UsageError(f"a store cannot hold this text or number ({error})", where=str(path)) from error
