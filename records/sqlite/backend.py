"""A store in one SQLite file: transactions under one lock, each on the disk when it ends, and noted beside the file.

All that is written, and every checkpoint of the write-ahead file, runs under one lock (`records.sqlite.locking`). Where
each book ends is noted beside the file before a commit is acknowledged (`records.sqlite.ends`).
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import get_ident
from types import TracebackType

from events.errors import StoreError, UsageError
from records.rows import LostEnd
from records.sqlite.connecting import check_one_name, file_at, file_names
from records.sqlite.ends import EndsFile
from records.sqlite.faults import said_of, translated_errors
from records.sqlite.foreign import foreign_in
from records.sqlite.inserting import SqliteWriter
from records.sqlite.locking import FileLock
from records.sqlite.reading import SqliteReader


class SqliteBackend:
    """An open file. Made by `records.sqlite.opening.open_file`; belongs to the thread that opened it."""

    def __init__(self, conn: sqlite3.Connection, path: Path, lock: FileLock, *, write: bool, timeout: float) -> None:
        self.path = path
        self.writable = write
        self.warnings: list[str] = []
        self.gone: list[LostEnd] = []
        """What was acknowledged and is not here, as far as the ends kept beside the file tell."""
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
        """Each question asked inside sees the file as it is then; that costs less than a snapshot."""
        return _Reading(self.writer if self.writable else self.reader)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteReader]:
        """All that is read inside is one state of the file."""
        try:
            own = not self.conn.in_transaction
            try:
                if own:
                    self.conn.execute("BEGIN")
                # Inside of a transaction that writes, whoever writes knows what is not in the tables yet.
                yield self.reader if own else self.writer
            finally:
                if own and self.conn.in_transaction:
                    self.conn.execute("COMMIT")
        except Exception as error:
            if (said := said_of(error, self.path)) is None:
                raise
            raise said from error

    def transaction(self) -> _Turn:
        """One transaction under the lock, which is taken at the start: nobody can write between our looking and writing."""
        return _Turn(self)

    def refuse(self) -> None:
        """UsageError if nothing can be written now, by this thread, whatever the state of the file."""
        if not self.writable:
            raise UsageError("the store was opened for reading only", where=self.place)
        if get_ident() != self._thread:
            self.conn.execute("SELECT 1")  # says so
        if self.conn.in_transaction:
            raise UsageError("one commit cannot hold another", where=self.place)

    def begin(self) -> SqliteWriter:
        """Take the lock and begin a transaction; `let_go` has to follow, whatever becomes of it. StoreError if it is refused."""
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
        """Give the lock back, as it was held so many times before, and roll back what nobody committed."""
        self.writer.rest()
        with suppress(sqlite3.Error):
            if self.conn.in_transaction:
                self.writer.forget()
                self.conn.execute("ROLLBACK")
        self.lock.back_to(depth)

    def end(self, error: BaseException | None) -> None:
        """Commit what was written, or take it back after an error."""
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
                # After a full disk SQLite may have rolled back by itself; and the first error is the one to tell.
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
        """Refuse to write into a file that is closed, distrusted, or no longer the one that was opened."""
        if self._closed:
            self.conn.execute("SELECT 1")  # says so
        if trouble := self._failed or self.lock.trouble():
            raise StoreError(
                f"the store is closed for writing since the disk failed ({trouble})",
                where=self.place,
                todo="Open it again; it is verified before anything is written. What was acknowledged is kept",
            )
        self._check_file()

    def _check_file(self) -> None:
        """StoreError if the file got a second name, or is no longer where it was opened: somebody else may write there."""
        try:
            there = os.stat(self._name)
            if there.st_nlink < 2 and there.st_ino == self._inode and there.st_dev == self._device:
                return
        except OSError:
            there = None
        if there is None or (there.st_ino, there.st_dev) != (self._inode, self._device):
            raise StoreError(
                f"the store was {'moved or removed' if there is None else 'replaced by another file'} while it was open",
                where=self.place,
                todo="Open it again at its place; what was acknowledged is in the file that was there, and in its -wal",
            )
        check_one_name(self.path, there)

    def _distrust(self, error: BaseException) -> None:
        """After a failed sync nobody knows what is on the disk and what only in memory; so nobody writes on top of it."""
        if isinstance(error, sqlite3.Error) and (getattr(error, "sqlite_errorname", "") or "").startswith("SQLITE_IOERR"):
            self._failed = str(error)
            self.lock.mark(f"{error.sqlite_errorname}: {error}")

    def _carry_over(self) -> None:
        """Carry the write-ahead file over into the store, as far as readers allow; under the lock.

        What was appended is on the disk already, so a failure here does not take it back; it only ends the writing.
        """
        try:
            (busy, *_) = self.conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self.writer.due = bool(busy)
        except sqlite3.Error as error:
            self._distrust(error)

    def note_ends(self, note: Callable[[], None]) -> None:
        """Note beside the file where its books end. What was acknowledged is safe without it, so that it may fail."""
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
        """What is wrong with the pages, indexes and references of the file, a sentence each."""
        with translated_errors(self.path):
            wrong = [str(row[0]) for row in self.conn.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
            if not wrong:
                wrong += [
                    f"an entry of {row[0]} points to a missing one of {row[2]}"
                    for row in self.conn.execute("PRAGMA foreign_key_check")
                ]
        return wrong

    def foreign(self) -> list[str]:
        """What is in the file and not Kibitz's, a sentence each."""
        with translated_errors(self.path):
            return [one.text for one in foreign_in(self.conn)]

    def settle(self) -> None:
        """Note that the file is whole once the write-ahead file is carried over."""
        with translated_errors(self.path):
            self.writer.settle()

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk: the bytes of the file before and after.

        Writes the whole file anew, in one transaction; needs as much room again while it does.
        """
        with translated_errors(self.path):
            if not self.writable or self.conn.in_transaction:
                raise UsageError("this needs a store that is open for writing", where=self.place)
        bound = -1
        while bound:  # the first also asks whether writing is allowed
            with self.transaction() as writer:
                bound = writer.bind_rest()
        with translated_errors(self.path), self.lock.held(self._timeout):
            try:
                # The file is the whole store once its write-ahead file is cut off, and says so, whatever ends us before
                # we close.
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
        """Wait so long: a file gives no hints."""
        time.sleep(seconds)

    def backup(self, target: Path) -> bool:
        """Copy the file as it is at this moment to a new one; others may go on writing meanwhile. See `copy_to`."""
        from records.sqlite.copying import copy_to

        copy_to(self.conn, target, whole=not self.lacks)
        return True

    def abandon(self) -> None:
        """Forget what was opened, but for the connection and the lock, which whoever opened it goes on with."""
        self._closed = True
        self.ends.close()

    def close(self) -> None:
        """Close the file. Closing twice does no harm."""
        if self._closed:
            return
        with translated_errors(self.path), self._lock_to_close():
            try:
                if self.writable and not self._failed and not self.lock.trouble():
                    self.settle()
            except UsageError:
                pass  # it belongs to another thread, as the next line tells
            except (sqlite3.Error, StoreError) as error:
                # Nothing is lost, but the file does not say so; whoever opens it next has to look.
                self.lock.mark(f"the store could not be closed properly ({error})")
            self.conn.close()
        self._closed = True
        self.ends.close()
        self.lock.close()

    @contextmanager
    def _lock_to_close(self) -> Iterator[None]:
        """The lock, if it can be had. If it is held for long, its holder has the store open: then we are not the last."""
        with ExitStack() as stack:
            if self.writable:
                with suppress(StoreError):
                    stack.enter_context(self.lock.held(self._timeout))
            yield

    def __del__(self) -> None:
        # A store that is forgotten would be closed all the same, but not under the lock. As the interpreter ends, names of this module
        # may be gone already.
        try:
            if self.writable:
                self.close()
        except Exception:
            pass


class _Reading:
    """Questions without a transaction as a `with` statement; by hand, because every match that is read goes through it."""

    __slots__ = ("_reader",)

    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader

    def __enter__(self) -> SqliteReader:
        return self._reader

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None and (said := said_of(error, self._reader.path)) is not None:
            raise said from error


class _Turn:
    """A transaction as a `with` statement; by hand, because every append goes through it."""

    __slots__ = ("_backend", "_depth")

    def __init__(self, backend: SqliteBackend) -> None:
        self._backend = backend
        self._depth = -1  # how often the lock was held before; -1 while there is nothing to let go

    def __enter__(self) -> SqliteWriter:
        try:
            self._backend.refuse()
            self._depth = self._backend.lock.depth
            return self._backend.begin()
        except BaseException as error:
            self._let_go()
            if (said := said_of(error, self._backend.path)) is None:
                raise
            raise said from error

    def _let_go(self) -> None:
        depth = getattr(self, "_depth", -1)  # it may have been interrupted before it had one
        if depth >= 0:
            self._depth = -1
            self._backend.let_go(depth)

    def __del__(self) -> None:
        # An interrupt may come when the block is left, before anything below could take notice of it.
        self._let_go()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._backend.end(error)
        except BaseException as wrong:
            if (said := said_of(wrong, self._backend.path)) is not None:
                raise said from wrong
            if wrong is not error:
                raise
        finally:
            self._let_go()
