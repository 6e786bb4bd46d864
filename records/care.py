"""Looking after a store: a backup while others write, and going on with a copy that lacks its end."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import StoreError, UsageError
from records import ends
from records.faults import translated_errors
from records.foreign import foreign_in
from records.schema import SETTLED, UNSETTLED

if TYPE_CHECKING:
    from records.store import Store


def backup(store: Store, target: str | os.PathLike[str]) -> Path:
    """Copy the store as it is at this moment to a new file; others may go on writing meanwhile.

    The copy is one file, whole, without key, checked before it gets its name. UsageError if `target` exists or its
    directory does not; StoreError if reading or writing fails: then there is no `target`.
    """
    from records.store import guarded

    path = Path(target)
    if path.exists():
        raise UsageError("there is a file of this name already", where=str(path), todo="Name a new file")
    if not path.parent.is_dir():
        raise UsageError("there is no such directory", where=str(path.parent))
    new = path.with_name(path.name + ".part")
    _remove(new)
    try:
        with translated_errors(path), closing(sqlite3.connect(new, isolation_level=None)) as copy:
            # All pages in one go are one moment of the store: a reader keeps its view, writers write on. No lock
            # of ours is needed for that, and nobody waits for us.
            store._conn.backup(copy)
            # One file, nothing beside it; and not half carried over, whatever the original says.
            copy.execute("PRAGMA journal_mode=DELETE").fetchone()
            guarded(copy)
            if not store.lacking() and not any(one.stops for one in foreign_in(copy)):
                copy.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")
            (state,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise StoreError(f"the copy is damaged ({state})", where=str(path), todo="Check the store itself")
        _sync(new)
        os.replace(new, path)
        _sync(path.parent)
    except OSError as error:
        raise StoreError(f"the copy cannot be written ({error.strerror})", where=str(path)) from error
    finally:
        _remove(new)
    return path


def accept(path: str | os.PathLike[str]) -> list[str]:
    """Let a store that lacks its end be written to again, as it is; the books this is about. StoreError if it is damaged."""
    from records.locking import FileLock
    from records.store import Store, _check_foreign, _check_names, _connect, _file_at

    with Store.open(path, write=False) as store:
        books = store._unsettled()
        store.check()
        guard = FileLock.of(store.path)
        try:
            with guard.held(5.0), translated_errors(store.path):
                _check_names(store.path, _file_at(store.path))
                if books:
                    with closing(_connect(store.path, "rw", 5.0)) as conn:
                        _check_foreign(conn, store.path, write=True)
                        conn.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")
                given_up = ends.accept(store)
        finally:
            guard.close()
    return sorted({*books, *(one.book for one in given_up)})


def version(path: str | os.PathLike[str] | None) -> int:
    """The version of the store's tables as they are now. NotFoundError or StoreError if there is none."""
    from records import schema
    from records.store import _connect_reading, _look, default_path

    where = default_path() if path is None else Path(path)
    _look(where, create=False, make_parents=False)
    with closing(_connect_reading(where, 5.0)) as conn:
        return schema.version_of(conn, where)


def _remove(path: Path) -> None:
    for name in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
        name.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    if os.name != "posix" and path.is_dir():
        return
    fd = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


