"""A store in one SQLite file: transactions under one lock, each durable when it ends, and noted beside the file.

All writes, and every checkpoint of the write-ahead log (WAL), run under one lock (`records.sqlite.locking`). The end
of each book is noted beside the file before a commit is acknowledged (`records.sqlite.ends`).
"""

from __future__ import annotations

import os
import sqlite3
import time
from _thread import get_ident
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from events.errors import StoreError, UsageError
from records.rows import LostEnd
from records.sqlite.connecting import check_one_name, file_at, file_names
from records.sqlite.ends import EndsFile
from records.sqlite.faults import error_for, translated_errors
from records.sqlite.foreign import foreign_in
from records.sqlite.inserting import SqliteWriter
from records.sqlite.locking import FileLock
from records.sqlite.reading import SqliteReader


class SqliteBackend:
    """An open file (`records.backend.Backend`). Made by `records.sqlite.opening.open_file`; belongs to the thread that
    opened it."""

    def __init__(self, conn: sqlite3.Connection, path: Path, lock: FileLock, *, write: bool, timeout: float) -> None:
        self.path = path
        self.writable = write
        self.warnings: list[str] = []
        self.gone: list[LostEnd] = []
        """Acknowledged events that are lost, according to the ends kept beside the file."""
        self.conn = conn
        self.lock = lock
        self.ends = EndsFile(path)
        self.reader = SqliteReader(conn, path)
        self.writer = SqliteWriter(conn, path)
        self.lacks: list[str] = []
        self._timeout = timeout
        self._failed = ""
        self._closed = False
        self._thread = get_ident()
        self._name = os.path.abspath(path)
        file = file_at(self._name)
        self._inode, self._device = (file.st_ino, file.st_dev) if file is not None else (-1, -1)
        if not write and file is not None and file.st_nlink > 1:
            self.warnings.append(f"{path}: {file_names(file)}; what was added under another one may not be seen here")

    @property
    def place(self) -> str:
        """The file, as it was named."""
        return str(self.path)

    def lacking(self) -> list[str]:
        """A sentence if this is a copy that lacks its end."""
        return self.lacks

    # Transactions

    def reading(self) -> _Reading:
        return _Reading(self.writer if self.writable else self.reader)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteReader]:
        try:
            own = not self.conn.in_transaction
            try:
                if own:
                    self.conn.execute("BEGIN")
                # In a write transaction the writer knows what is not in the tables yet.
                yield self.reader if own else self.writer
            finally:
                if own and self.conn.in_transaction:
                    self.conn.execute("COMMIT")
        except Exception as error:
            if (said := error_for(error, self.path)) is None:
                raise
            raise said from error

    def transaction(self) -> _Turn:
        """A transaction under the lock, which is taken first: there is no write between our reading and writing."""
        return _Turn(self)

    def refuse(self) -> None:
        """UsageError if this thread may not write now, whatever the state of the file."""
        if not self.writable:
            raise UsageError("the store was opened for reading only", where=self.place)
        if get_ident() != self._thread:
            self.conn.execute("SELECT 1")  # raises the error
        if self.conn.in_transaction:
            raise UsageError("one commit cannot hold another", where=self.place)

    def begin(self) -> SqliteWriter:
        """Take the lock and begin a transaction. `let_go` must follow in any case. StoreError if it is refused."""
        self.lock.take(self._timeout)
        try:
            self._check()
            self.writer.begin()
            self.conn.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            self._distrust(error)
            raise
        return self.writer

    def let_go(self, depth: int) -> None:
        """Release the lock to its former depth, and roll back what was not committed."""
        self.writer.rest()
        with suppress(sqlite3.Error):
            if self.conn.in_transaction:
                self.writer.forget()
                self.conn.execute("ROLLBACK")
        self.lock.back_to(depth)

    def end(self, error: BaseException | None) -> None:
        """Commit, or roll back if there is an error."""
        writer = self.writer
        try:
            try:
                if error is not None:
                    raise error
                writer.check_parts()
                writer.bind()
                self.conn.execute("COMMIT")
            except BaseException:
                writer.forget()
                writer.rest()
                # After a full disk SQLite may have rolled back by itself; report the first error in any case.
                if self.conn.in_transaction:
                    with suppress(sqlite3.Error):
                        self.conn.execute("ROLLBACK")
                raise
            if writer.ended:
                self.note_ends(self._note_ended)
            if writer.due:
                self._carry_over()
        except sqlite3.Error as wrong:
            self._distrust(wrong)
            raise
        finally:
            if writer.failed is not None:
                self._distrust(writer.failed)

    def _check(self) -> None:
        """Refuse to write to a file that is closed, had a disk failure, or is no longer the one that was opened."""
        if self._closed:
            self.conn.execute("SELECT 1")  # raises the error
        if trouble := self._failed or self.lock.trouble():
            raise StoreError(
                f"the store is closed for writing since the disk failed ({trouble})",
                where=self.place,
                todo="Open it again; it is verified before anything is written. What was acknowledged is kept",
            )
        self._check_file()

    def _check_file(self) -> None:
        """StoreError if the file got a second name or was moved or replaced: another program may write there."""
        try:
            there = os.stat(self._name)
            if there.st_nlink < 2 and there.st_ino == self._inode and there.st_dev == self._device:
                return
        except OSError:
            there = None
        if there is None or (there.st_ino, there.st_dev) != (self._inode, self._device):
            raise StoreError(
                f"the store was {'moved or removed' if there is None else 'replaced by another file'} "
                "while it was open",
                where=self.place,
                todo="Open it again at its place; what was acknowledged is in the file that was there, and in its -wal",
            )
        check_one_name(self.path, there)

    def _distrust(self, error: BaseException) -> None:
        """After a failed sync it is unknown what is on disk; so stop all writing to the store."""
        if isinstance(error, sqlite3.Error) and (
            getattr(error, "sqlite_errorname", "") or ""
        ).startswith("SQLITE_IOERR"):
            self._failed = str(error)
            self.lock.mark(f"{error.sqlite_errorname}: {error}")

    def _carry_over(self) -> None:
        """Checkpoint the WAL as far as readers allow, under the lock.

        The events are on disk already, so a failure here does not undo them; it only stops further writing.
        """
        try:
            (busy, *_) = self.conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self.writer.due = bool(busy)
        except sqlite3.Error as error:
            self._distrust(error)

    def note_ends(self, note: Callable[[], None]) -> None:
        """Note the ends of books beside the file. A failure only adds a warning: acknowledged events are safe without
        it."""
        try:
            note()
        except OSError as error:
            why = f"{self.ends.path}: where the books end cannot be noted ({error.strerror or error})"
            if why not in self.warnings:
                self.warnings.append(why)

    def _note_ended(self) -> None:
        for book, (position, leaf) in self.writer.ended.items():
            self.ends.note(book, position, leaf)

    # The file

    def file_faults(self) -> list[str]:
        """Faults in the pages, indexes and references of the file, a sentence each."""
        with translated_errors(self.path):
            wrong = [str(row[0]) for row in self.conn.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
            if not wrong:
                wrong += [
                    f"an entry of {row[0]} points to a missing one of {row[2]}"
                    for row in self.conn.execute("PRAGMA foreign_key_check")
                ]
        return wrong

    def foreign(self) -> list[str]:
        """Objects in the file that are not Kibitz's, a sentence each."""
        with translated_errors(self.path):
            return [one.text for one in foreign_in(self.conn)]

    def settle(self) -> None:
        """Mark the file as complete for when the WAL is checkpointed."""
        with translated_errors(self.path):
            self.writer.settle()

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk. Returns the size of the file in bytes before and after.

        Rewrites the whole file in one transaction, and needs as much free space meanwhile."""
        with translated_errors(self.path):
            if not self.writable or self.conn.in_transaction:
                raise UsageError("this needs a store that is open for writing", where=self.place)
        bound = -1
        while bound:  # the first transaction also checks that writing is allowed
            with self.transaction() as writer:
                bound = writer.bind_rest()
        with translated_errors(self.path), self.lock.held(self._timeout):
            try:
                # After the checkpoint the file is the whole store, and is marked so even if the process dies before
                # it is closed.
                self.writer.settle()
                self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                before = self.path.stat().st_size
                self.conn.execute("VACUUM")
                self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error as error:
                self._distrust(error)
                raise
        return before, self.path.stat().st_size

    def wait(self, seconds: float) -> None:
        """Wait this long: a file gives no signals."""
        time.sleep(seconds)

    def backup(self, target: Path) -> bool:
        """Copy the current state to a new file; others may write meanwhile. See `copy_to`."""
        from records.sqlite.copying import copy_to

        copy_to(self.conn, target, whole=not self.lacks)
        return True

    def abandon(self) -> None:
        """Discard this object but not the connection and the lock, which the opener goes on using."""
        self._closed = True
        self.ends.close()

    def close(self) -> None:
        if self._closed:
            return
        with translated_errors(self.path), self._lock_to_close():
            try:
                if self.writable and not self._failed and not self.lock.trouble():
                    self.settle()
            except UsageError:
                pass  # it belongs to another thread; the next line says so
            except (sqlite3.Error, StoreError) as error:
                # Nothing is lost, but the file is not marked as complete; the next program to open it must check.
                self.lock.mark(f"the store could not be closed properly ({error})")
            self.conn.close()
        self._closed = True
        self.ends.close()
        self.lock.close()

    @contextmanager
    def _lock_to_close(self) -> Iterator[None]:
        """Try to hold the lock. If its holder keeps it for long, the store is open there, and we are not the last."""
        with ExitStack() as stack:
            if self.writable:
                with suppress(StoreError):
                    stack.enter_context(self.lock.held(self._timeout))
            yield

    def __del__(self) -> None:
        # Python would close a dropped store too, but not under the lock. At exit, names of this module may be gone
        # already.
        try:
            if self.writable:
                self.close()
        except Exception:
            pass


class _Reading:
    """A context of queries without a transaction; a class for speed, because every read of a match uses it."""

    __slots__ = ("_reader",)

    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader

    def __enter__(self) -> SqliteReader:
        return self._reader

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and (said := error_for(error, self._reader.path)) is not None:
            raise said from error


class _Turn:
    """A transaction context; a class for speed, because every append uses it."""

    __slots__ = ("_backend", "_depth")

    def __init__(self, backend: SqliteBackend) -> None:
        self._backend = backend
        self._depth = -1  # lock depth before; -1 if there is nothing to release

    def __enter__(self) -> SqliteWriter:
        try:
            self._backend.refuse()
            self._depth = self._backend.lock.depth
            return self._backend.begin()
        except BaseException as error:
            self._let_go()
            if (said := error_for(error, self._backend.path)) is None:
                raise
            raise said from error

    def _let_go(self) -> None:
        depth = getattr(self, "_depth", -1)  # it may have been interrupted before it was set
        if depth >= 0:
            self._depth = -1
            self._backend.let_go(depth)

    def __del__(self) -> None:
        # An interrupt may come on leaving the block, before `__exit__` runs.
        self._let_go()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._backend.end(error)
        except BaseException as wrong:
            if (said := error_for(wrong, self._backend.path)) is not None:
                raise said from wrong
            if wrong is not error:
                raise
        finally:
            self._let_go()
