"""Copies of a store in a file: a backup while others write, and a copy of a backup."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from events.errors import StoreError, UsageError
from records.sqlite.connecting import connect_reading, guarded
from records.sqlite.faults import translated_errors
from records.sqlite.foreign import foreign_in
from records.sqlite.schema import SETTLED, UNSETTLED
from records.syncing import synced


def copy_to(conn: sqlite3.Connection, path: Path, *, whole: bool) -> None:
    """Copy the current state of the store to a new file; others may write meanwhile. `whole`: the store lacks
    nothing.

    The copy is one complete file, without the key, and is checked before it gets its name. UsageError if `path`
    exists or its directory does not; StoreError if reading or writing fails: then there is no `path`."""
    if path.exists():
        raise UsageError("there is a file of this name already", where=str(path), todo="Name a new file")
    if not path.parent.is_dir():
        raise UsageError("there is no such directory", where=str(path.parent))
    new = path.with_name(path.name + ".part")
    _remove(new)
    try:
        with translated_errors(path), closing(sqlite3.connect(new, isolation_level=None)) as copy:
            # Copying all pages in one step gives one state of the store. It is a read transaction: writers go on, and
            # no lock of ours is needed.
            conn.backup(copy)
            # One file, with no WAL beside it; and marked as complete, whatever the original says.
            copy.execute("PRAGMA journal_mode=DELETE").fetchone()
            guarded(copy)
            if whole and not any(one.stops for one in foreign_in(copy)):
                copy.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")
            (state,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise StoreError(f"the copy is damaged ({state})", where=str(path), todo="Check the store itself")
        synced(new)
        os.replace(new, path)
        synced(path.parent)
    except OSError as error:
        raise StoreError(f"the copy cannot be written ({error.strerror})", where=str(path)) from error
    finally:
        _remove(new)


def copy_of(backup: Path, new: Path) -> None:
    """Copy a backup with its WAL to one new file. StoreError if it cannot be read."""
    with translated_errors(backup), closing(connect_reading(backup, 5.0)) as source, closing(
        sqlite3.connect(new, isolation_level=None)
    ) as copy:
        guarded(copy)
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").fetchone()


def is_open(path: Path) -> bool:
    """True if another program has the store open, even idle. An unusable file counts as closed."""
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path, isolation_level=None, timeout=0.5)) as conn:
        try:
            guarded(conn)
            conn.execute("PRAGMA wal_autocheckpoint=0").fetchone()
            conn.execute("PRAGMA locking_mode=EXCLUSIVE").fetchone()
            conn.execute("BEGIN IMMEDIATE")
            conn.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            # Other errors mean that the store is unusable, which may be why a backup is restored.
            return getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
    return False


def _remove(path: Path) -> None:
    for name in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
        name.unlink(missing_ok=True)
