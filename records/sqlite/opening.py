"""Opens a store in a file: recovers it after a crash, upgrades it, and refuses it if acknowledged events are lost."""

from __future__ import annotations

import os
import sqlite3
import time as _time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from events.errors import NotFoundError, StoreError
from records.names import first_names, sidecar_path
from records.sqlite import schema
from records.sqlite.backend import SqliteBackend
from records.sqlite.connecting import (
    check_foreign,
    check_one_name,
    connect,
    connect_reading,
    file_at,
    lock_of,
    refuse_foreign_file,
    size_of,
)
from records.sqlite.ends import AcknowledgedEnd, books_with_lost_end, bring_up, key_of_book, read_ends, reset_ends
from records.sqlite.faults import translated_errors
from records.sqlite.locking import FileLock, network_warning
from records.sqlite.reading import SqliteReader
from records.sqlite.schema import SETTLED, UNSETTLED
from records.syncing import synced

Examine = Callable[[SqliteBackend], str]
"""Checks a whole store; a sentence if it is not what was written, else empty."""


class _Left(Struct, frozen=True):
    """The files beside the store before it was opened: the ends of its books, the size of its WAL (-1: none)."""

    ends: dict[str, AcknowledgedEnd]
    wal: int


class _How(Struct, frozen=True):
    """Options for opening a file; see `open_file`."""

    write: bool
    create: bool
    timeout: float
    now: Callable[[], str]
    examine: Examine


class _OldStoreError(Exception):
    """A reader has found a store of an earlier version."""

    def __init__(self, version: int) -> None:
        self.version = version


def open_file(
    path: Path, *, write: bool, create: bool, make_parents: bool, timeout: float, now: Callable[[], str],
    examine: Examine
) -> SqliteBackend:
    """Open the store in a file; with `create` a missing one is created, with `make_parents` its directory too.

    `timeout` is how many seconds to wait for other programs; `now` gives the time as it is written. `examine` checks
    a store whose disk failed before it is written again. NotFoundError if there is no store and none may be created;
    StoreError if the file cannot be used.
    """
    how = _How(write, write and create, timeout, now, examine)
    refuse_foreign_file(path, create=how.create, make_parents=make_parents)
    deadline = _time.monotonic() + timeout
    lock = lock_of(path, write=write)
    try:
        while True:
            try:
                # Under the lock: the first to open a store may have to recover it after a crash, and the last to
                # close it checkpoints the WAL. Readers do neither, and have no lock.
                with lock.held(max(deadline - _time.monotonic(), 0)):
                    return _opened(path, how, lock)
            except _OldStoreError as old:
                # Without our own lock: the upgrade opens a writer, which takes the lock itself.
                lock.close()
                _upgrade(path, old.version, how)
                lock = lock_of(path, write=write)
            except StoreError as error:
                # While a foreign program is the last to close the store, SQLite may return "busy" at once instead of
                # waiting; so wait here.
                busy = getattr(error.__cause__, "sqlite_errorname", "").startswith("SQLITE_BUSY")
                if not busy or _time.monotonic() >= deadline:
                    raise
                _time.sleep(0.01)
    except BaseException:
        lock.close()
        raise


def _opened(path: Path, how: _How, lock: FileLock) -> SqliteBackend:
    # Read before the store: what others acknowledge meanwhile is then in the store, and not in here.
    left = _Left(read_ends(path), size_of(sidecar_path(path, "wal")))
    if how.write:
        check_one_name(path, file_at(path))
        conn = connect(path, "rwc" if how.create else "rw", how.timeout)
    else:
        conn = connect_reading(path, how.timeout)
    backend: SqliteBackend | None = None
    try:
        version = schema.version_of(conn, path)
        if version == 0 and not how.create:
            raise NotFoundError("the file is empty, there is no store in it", where=str(path))
        if version:
            check_foreign(conn, path, write=how.write)
        with translated_errors(path):
            _set_up(conn, write=how.write)
        if version < schema.newest():
            if not how.write:
                raise _OldStoreError(version)
            schema.upgrade(conn, path, how.now())
        backend = SqliteBackend(conn, path, lock, write=how.write, timeout=how.timeout)
        _take_stock(backend, left, how.examine)
    except BaseException:
        if backend is not None:
            backend.abandon()  # the lock is still held, and may be needed for another attempt
        conn.close()
        raise
    return backend


def _set_up(conn: sqlite3.Connection, *, write: bool) -> None:
    if not write:
        conn.execute("PRAGMA query_only=ON")
        return
    conn.execute("PRAGMA foreign_keys=ON")
    # Readers and one writer do not block each other, and a commit waits for the disk.
    conn.execute("PRAGMA journal_mode=WAL").fetchone()
    conn.execute("PRAGMA synchronous=FULL")
    # If a plain sync leaves data in the cache of the drive (macOS), ask for more; no effect elsewhere.
    conn.execute("PRAGMA fullfsync=ON")
    # We decide when to checkpoint, because of the lock.
    conn.execute("PRAGMA wal_autocheckpoint=0").fetchone()


def _upgrade(path: Path, version: int, how: _How) -> None:
    """Upgrade an old store for a reader. StoreError says that an upgrade is due and why it failed."""
    try:
        open_file(
            path, write=True, create=False, make_parents=False, timeout=how.timeout, now=how.now, examine=how.examine
        ).close()
    except StoreError as error:
        raise StoreError(
            f"the store has version {version} and has to be brought up to version "
            f"{schema.newest()} before it can be read, but {error.what}",
            where=str(path),
            todo=error.todo,
        ) from error.__cause__


# The state in which the store was left


def _take_stock(backend: SqliteBackend, left: _Left, examine: Examine) -> None:
    """Check the state in which the store was left. StoreError if it is doubtful and would be written to."""
    path = backend.path
    if backend.writable and (warning := network_warning(path)):
        backend.warnings.append(warning)
    if backend.writable and backend.lock.trouble():
        _examine_after_trouble(backend, examine)
    with translated_errors(path):
        backend.lacks = _missed(backend, left)
        if backend.writable and not backend.lacks:
            backend.note_ends(lambda: bring_up(backend.reader, left.ends, backend.ends))
    if backend.lacks and not backend.writable:
        backend.warnings.append(f"{path}: {backend.lacks[0]}")
    elif backend.lacks:
        _keep_as_it_is(backend)
        raise StoreError(
            backend.lacks[0],
            where=str(path),
            todo="Copy the store with all that lies beside it before anything else, or go back to a backup "
            "(`kibitz db restore`); `kibitz db check --accept` goes on with what is there",
        )


def _examine_after_trouble(backend: SqliteBackend, examine: Examine) -> None:
    """After a failed disk write, check that all acknowledged events are intact. StoreError if not."""
    if wrong := examine(backend):
        raise StoreError(
            f"the disk failed while the store was written, and the store is damaged: {wrong}",
            where=str(backend.path),
            todo="Copy the file before anything else, then go back to a backup",
        )
    backend.settle()
    backend.lock.clear()


def _missed(backend: SqliteBackend, left: _Left) -> list[str]:
    """A sentence if acknowledged events are missing, or may be."""
    backend.gone = books_with_lost_end(backend.reader, left.ends)
    if backend.gone:
        texts = "; ".join(one.text for one in backend.gone[:5])
        return [f"what was added last is missing: {texts}; {_why_gone(backend, left.wal)}"]
    if books := [book for book in _cut_off(backend) if key_of_book(book) not in left.ends]:
        return [
            "this is a copy taken while the store was in use, or its -wal file is gone: "
            f"what was added last may be missing (book {first_names(books)})"
        ]
    return []


def _why_gone(backend: SqliteBackend, wal: int) -> str:
    """The reason why events are missing, given the size of the WAL before the store was opened."""
    from records.sqlite.frames import EMPTY, MISSING, wal_state_at

    if wal <= 0 and not backend.reader.unsettled():
        return "the file is one of an earlier time, such as a backup that was put back"
    try:
        return (MISSING if wal < 0 else EMPTY if not wal else wal_state_at(sidecar_path(backend.path, "wal"))).text
    except OSError as error:
        return f"its write-ahead file (-wal) cannot be read ({error.strerror})"


def _cut_off(backend: SqliteBackend) -> list[str]:
    """The books whose end was in a WAL that is missing.

    Checked twice, because the last writer may settle them and close meanwhile.
    """
    for _ in range(2):
        books = backend.reader.unsettled()
        if not books or size_of(sidecar_path(backend.path, "wal")) > 0:
            return []
    return books


def _keep_as_it_is(backend: SqliteBackend) -> None:
    """Close without checkpointing and removing a WAL that may be needed to repair the store.

    The last connection would do that, unless it is read-only.
    """
    with suppress(sqlite3.Error):
        reader = connect(backend.path, "ro", 0)
        reader.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        backend.conn.close()
        reader.close()


def accept_as_it_is(path: Path) -> list[str]:
    """Accept that the store at `path` is complete, whatever was acknowledged. Returns the books that lack events."""
    guard = lock_of(path, write=True)
    try:
        with guard.held(5.0), translated_errors(path), closing(connect(path, "rw", 5.0)) as conn:
            check_one_name(path, file_at(path))
            check_foreign(conn, path, write=True)
            reader = SqliteReader(conn, path)
            books = reader.unsettled()
            if books:
                conn.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")
            given_up = reset_ends(reader, path)
    finally:
        guard.close()
    return sorted({*books, *(one.book for one in given_up)})


@contextmanager
def made_whole(path: Path) -> Iterator[SqliteBackend]:
    """A store in a new file, which gets its name only when the `with` block ends without an error."""
    with named_when_whole(path, ()) as new:
        backend = open_file(
            new, write=True, create=True, make_parents=False, timeout=5.0,
            now=lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"), examine=lambda _: "",
        )  # fmt: skip
        try:
            yield backend
        finally:
            backend.close()


@contextmanager
def named_when_whole(path: Path, beside: Sequence[str]) -> Iterator[Path]:
    """The temporary path of a new store; it becomes `path` when the `with` block ends without an error.

    The files `beside` it, with these endings, are renamed first. `finish_naming` completes the renaming after a
    crash.
    """
    new = sidecar_path(path, "making")
    _remove(new)
    try:
        yield new
        os.replace(new, sidecar_path(path, "made"))
        finish_naming(path, beside)
    finally:
        _remove(new)


def finish_naming(path: Path, beside: Sequence[str]) -> None:
    """Complete the renaming of a new store, if it was interrupted."""
    made, new = sidecar_path(path, "made"), sidecar_path(path, "making")
    if made.exists():
        for ending in beside:
            with suppress(FileNotFoundError):
                os.replace(sidecar_path(new, ending), sidecar_path(path, ending))
        _remove(new)
        os.replace(made, path)
        synced(path.parent)


def _remove(path: Path) -> None:
    """Remove a file and the files beside it."""
    for one in (path, *path.parent.glob(f"{path.name}-*")):
        one.unlink(missing_ok=True)
