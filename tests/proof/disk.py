"""A disk that can be watched and that can fail, under the store's own code.

SQLite reaches its files through a layer that may be replaced; Python's `sqlite3` does not offer that, `apsw` does,
with a SQLite of its own. `on_disk(disk)` lets everything that asks `sqlite3` for a connection have one of apsw's
that behaves alike (`Connection`), and whose files lie on a `Disk`. So the store's statements, their order, its locks
and its handling of errors are the real ones; the SQLite below is the one that apsw carries
(`apsw.sqlite_lib_version()`), not Python's.

The `Disk` passes everything on to real files, and keeps account of every write, cut, sync and removal. It knows which
bytes a loss of power could take: those written since the last sync of their file. `Disk.fail` makes a call go wrong.
"""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

apsw = pytest.importorskip("apsw", reason="the proofs on a failing disk need apsw: pip install '.[proof]'")

# The connection


# Which of the errors of `sqlite3` stands for which code of SQLite; all others are OperationalError.
_CLASSES: dict[int, type[sqlite3.DatabaseError]] = {
    apsw.SQLITE_CORRUPT: sqlite3.DatabaseError,
    apsw.SQLITE_NOTADB: sqlite3.DatabaseError,
    apsw.SQLITE_CONSTRAINT: sqlite3.IntegrityError,
    apsw.SQLITE_MISMATCH: sqlite3.IntegrityError,
    apsw.SQLITE_TOOBIG: sqlite3.DataError,
    apsw.SQLITE_MISUSE: sqlite3.ProgrammingError,
}
_NAMES = {**apsw.mapping_result_codes, **apsw.mapping_extended_result_codes}


def _as_sqlite3(error: apsw.Error) -> sqlite3.Error:
    """The error that `sqlite3` would have raised."""
    if isinstance(error, apsw.ConnectionClosedError | apsw.CursorClosedError):
        return sqlite3.ProgrammingError("Cannot operate on a closed database.")
    code = getattr(error, "extendedresult", None) or getattr(error, "result", apsw.SQLITE_ERROR)
    made = _CLASSES.get(code & 0xFF, sqlite3.OperationalError)(str(error))
    made.sqlite_errorcode = code
    made.sqlite_errorname = str(_NAMES.get(code, _NAMES.get(code & 0xFF, "")))
    return made


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise _as_sqlite3(error) from error


class Cursor:
    """The rows of one statement, all fetched at once, so that no statement stays open by accident."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self._rows: Iterator[tuple[Any, ...]] = iter(())
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    def execute(self, sql: str, values: Any = ()) -> Cursor:
        real = self._conn.real
        with _translated():
            before = real.total_changes()
            cursor = real.cursor()
            cursor.execute(self._conn.rewrite(sql), values or None)
            # apsw has no description for a statement without columns, nor after the last row.
            try:
                columns = cursor.get_description()
            except apsw.ExecutionCompleteError:
                columns = ()
            self._rows = iter(cursor.fetchall())
            self.description = [(name, *[None] * 6) for name, *_ in columns] or None
            self.rowcount = real.total_changes() - before if self.description is None else -1
            self.lastrowid = real.last_insert_rowid()
        return self

    def executemany(self, sql: str, many: Iterable[Any]) -> Cursor:
        changed = 0
        for values in many:
            changed += max(0, self.execute(sql, values).rowcount)
        self.rowcount = changed
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self._rows)

    def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]:
        return list(itertools.islice(self._rows, size))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._rows

    def close(self) -> None:
        self._rows = iter(())


class Connection:
    """An apsw connection that looks like one of `sqlite3` with `isolation_level=None`, as far as a store asks.

    What is not here raises AttributeError: the store then uses something that the proof does not cover.
    """

    def __init__(self, real: apsw.Connection, rewrite: Callable[[str], str]) -> None:
        self.real, self.rewrite = real, rewrite
        self.isolation_level = None

    @property
    def in_transaction(self) -> bool:
        with _translated():
            return bool(self.real.in_transaction)

    @property
    def total_changes(self) -> int:
        with _translated():
            return int(self.real.total_changes())

    def cursor(self) -> Cursor:
        return Cursor(self)

    def execute(self, sql: str, values: Any = ()) -> Cursor:
        return Cursor(self).execute(sql, values)

    def executemany(self, sql: str, many: Iterable[Any]) -> Cursor:
        return Cursor(self).executemany(sql, many)

    def executescript(self, sql: str) -> Cursor:
        return Cursor(self).execute(sql)

    def create_function(self, name: str, narg: int, func: Callable[..., Any], *, deterministic: bool = False) -> None:
        with _translated():
            self.real.create_scalar_function(name, func, narg, deterministic=deterministic)

    def commit(self) -> None:
        if self.in_transaction:
            self.execute("COMMIT")

    def rollback(self) -> None:
        if self.in_transaction:
            self.execute("ROLLBACK")

    def close(self) -> None:
        # apsw tells what went wrong while closing; sqlite3 does not, and closes all the same.
        try:
            self.real.close()
        except apsw.Error:
            self.real.close(True)


@contextmanager
def on_disk(disk: Disk, rewrite: Callable[[str], str] = lambda sql: sql) -> Iterator[None]:
    """Inside, `sqlite3.connect` gives connections whose files lie on `disk`. `rewrite` may change statements."""

    def connect(
        database: Any, timeout: float = 5.0, isolation_level: Any = None, uri: bool = False, **other: Any,
    ) -> Any:
        assert isolation_level is None, "the adapter leaves transactions to the store"
        assert set(other) <= {"check_same_thread", "cached_statements"}, f"the adapter does not know {other}"
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | (apsw.SQLITE_OPEN_URI if uri else 0)
        with _translated():
            real = apsw.Connection(str(database), flags=flags, vfs=disk.name)
            real.set_busy_timeout(int(timeout * 1000))
        return Connection(real, rewrite)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        yield


# The disk


class Inode:
    """One file, whatever it is called: the bytes that are safe, and what was done to it since."""

    def __init__(self, safe: bytes = b"") -> None:
        self.safe = bytearray(safe)
        self.unsafe: list[tuple[str, int, bytes]] = []  # ("write", offset, data) or ("cut", size, b"")
        self.named = False  # whether its name has reached the disk


class Step:
    """Something that happened on the disk, in order."""

    __slots__ = ("data", "inode", "kind", "name", "offset")

    def __init__(self, kind: str, name: str, inode: Inode | None = None, offset: int = 0, data: bytes = b"") -> None:
        self.kind, self.name, self.inode, self.offset, self.data = kind, name, inode, offset, data


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._path = os.fspath(path) if path else ""
        self._base = os.path.basename(self._path)
        disk.called("open", self._base)
        new = bool(self._path) and not os.path.exists(self._path)
        super().__init__("", name, flags)
        if self._path:
            self._inode = disk.opened(self._path, new)
        # SQLite syncs the directory together with the first sync of a log or journal it has made.
        journal = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL
        self._names_too = new and bool(flags[0] & journal)

    def excepthook(self, *_: object) -> bool:
        return True  # our own failures, which SQLite has been told of

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.called("read", self._base)
        return bytes(super().xRead(amount, offset))

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.called("write", self._base)
        super().xWrite(data, offset)
        if self._path:
            self._disk.wrote(self._base, self._inode, offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        self._disk.called("truncate", self._base)
        super().xTruncate(size)
        if self._path:
            self._disk.cut(self._base, self._inode, size)

    def xSync(self, flags: int) -> None:
        try:
            self._disk.called("sync", self._base)
        except apsw.Error:
            if self._disk.loses_on_failed_sync and self._path:
                self._forget()
            raise
        super().xSync(flags)
        if self._path:
            self._disk.synced(self._base, self._inode, self._names_too)
            self._names_too = False

    def xFileSize(self) -> int:
        self._disk.called("size", self._base)
        return int(super().xFileSize())

    def _forget(self) -> None:
        """After a failed sync the system may drop what it could not write, and say nothing more about it."""
        with open(self._path, "r+b") as file:
            file.write(self._inode.safe)
            file.truncate(len(self._inode.safe))
        self._inode.unsafe.clear()


class Disk(apsw.VFS):
    """A layer below SQLite: real files, an account of what was done to them, and failures on demand."""

    _numbers = itertools.count()

    def __init__(self, *, record: bool = False) -> None:
        self.name = f"proof-{next(self._numbers)}"
        super().__init__(self.name, "")
        self.record = record
        self.steps: list[Step] = []
        self.files: dict[str, Inode] = {}
        self.calls = 0
        self.fired = 0
        self.loses_on_failed_sync = False
        self._fails: Callable[[int, str], int] = lambda n, what: 0
        self._by_kind: dict[str, int] = {}

    def excepthook(self, *_: object) -> bool:
        return True

    def fail(self, when: Callable[[int, str], int]) -> None:
        """From now on every call goes to `when(number, kind)` first: 0, or the code of SQLite it fails with.

        Numbers count from 1 from here on; `kind` is open, read, write, truncate, sync, size or delete.
        """
        self.calls = self.fired = 0
        self._fails = when

    def heal(self) -> None:
        self._fails = lambda n, what: 0

    def called(self, what: str, name: str) -> None:
        self.calls += 1
        if code := self._fails(self.calls, what):
            self.fired += 1
            raise apsw.exception_for(code)

    def mark(self, name: str) -> None:
        """Note in the account that something was acknowledged here."""
        self.steps.append(Step("mark", name))

    # What the files say

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self, name, flags)

    def xDelete(self, path: str, sync_directory: bool) -> None:
        self.called("delete", os.path.basename(path))
        super().xDelete(path, sync_directory)
        self.files.pop(path, None)
        if self.record:
            self.steps.append(Step("delete now" if sync_directory else "delete", os.path.basename(path)))

    def opened(self, path: str, new: bool) -> Inode:
        inode = self.files.get(path)
        if inode is None or new:
            inode = Inode(b"" if new else Path(path).read_bytes())
            inode.named = not new
            self.files[path] = inode
            if self.record:
                self.steps.append(
                    Step("make" if new else "find", os.path.basename(path), inode, data=bytes(inode.safe))
                )
        return inode

    def wrote(self, name: str, inode: Inode, offset: int, data: bytes) -> None:
        if self.record:
            self.steps.append(Step("write", name, inode, offset, data))
        else:
            inode.unsafe.append(("write", offset, data))

    def cut(self, name: str, inode: Inode, size: int) -> None:
        if self.record:
            self.steps.append(Step("cut", name, inode, size))
        else:
            inode.unsafe.append(("cut", size, b""))

    def synced(self, name: str, inode: Inode, names_too: bool) -> None:
        if self.record:
            self.steps.append(Step("sync", name, inode))
            if names_too:
                self.steps.append(Step("sync names", name))
        else:
            settle(inode)


def settle(inode: Inode) -> None:
    """All that was done to the file is safe now."""
    for kind, at, data in inode.unsafe:
        apply(inode.safe, kind, at, data)
    inode.unsafe.clear()


def apply(content: bytearray, kind: str, at: int, data: bytes) -> None:
    if kind == "cut":
        # SQLite only ever cuts a file shorter; longer would mean zeros.
        del content[at:]
        content.extend(b"\0" * (at - len(content)))
        return
    if len(content) < at:
        content.extend(b"\0" * (at - len(content)))
    content[at : at + len(data)] = data


# The loss of power


class Afterwards:
    """What may lie on the disk after the power went at some step. Steps are taken in one by one with `take`."""

    def __init__(self) -> None:
        self.now: dict[str, Inode] = {}  # what the names mean to running programs
        self.safe: dict[str, Inode] = {}  # what they mean on the disk

    def take(self, step: Step) -> None:
        if step.kind in ("make", "find"):
            assert step.inode is not None
            copy = Inode(step.data)
            self.now[step.name] = copy
            if step.kind == "find":
                self.safe[step.name] = copy
        elif step.kind in ("write", "cut"):
            self.now[step.name].unsafe.append((step.kind, step.offset, step.data))
        elif step.kind == "sync":
            settle(self.now[step.name])
        elif step.kind in ("sync names", "delete now"):
            if step.kind == "delete now":
                self.now.pop(step.name, None)
            self.safe = dict(self.now)
        elif step.kind == "rename":
            self.now[step.data.decode()] = self.now.pop(step.name)
        elif step.kind == "delete":
            # Its name may come back until the directory is synced.
            self.now.pop(step.name, None)

    def pending(self) -> int:
        """How many writes could be lost now."""
        return sum(len(inode.unsafe) for inode in self.now.values())

    def image(self, chance: random.Random, sector: int) -> dict[str, bytes]:
        """One of the states the disk may be in: of what was not synced, any sector may be there, torn or missing."""
        # The names reach the disk together, or those of the last sync of the directory stay.
        names = self.now if chance.random() < 0.5 else self.safe
        files: dict[str, bytes] = {}
        for name, inode in names.items():
            content = bytearray(inode.safe)
            # Four weathers: everything made it, nothing did, the order was kept up to some write, or pure chance.
            weather = chance.randrange(4)
            upto = chance.randrange(len(inode.unsafe) + 1)
            for number, (kind, at, data) in enumerate(inode.unsafe):
                if weather == 1 or (weather == 2 and number > upto):
                    continue
                if weather == 0 or (weather == 2 and number < upto):
                    apply(content, kind, at, data)
                elif kind == "cut":
                    if chance.random() < 0.5:
                        apply(content, kind, at, data)
                else:
                    _tear(content, at, data, chance, sector)
            files[name] = bytes(content)
        return files


def _tear(content: bytearray, at: int, data: bytes, chance: random.Random, sector: int) -> None:
    """Write some sectors of `data`, in part, or not at all. The file may have grown by what never came: zeros or
    refuse."""
    end = at + len(data)
    if chance.random() < 0.5 and len(content) < end:
        missing = end - len(content)
        content.extend(b"\0" * missing if chance.random() < 0.5 else chance.randbytes(missing))
    start = at
    while start < end:
        stop = min(end, (start // sector + 1) * sector)
        fate = chance.random()
        if fate < 0.6:
            kept = stop if fate < 0.5 else chance.randint(start, stop)
            apply(content, "write", start, data[start - at : kept - at])
        start = stop


def lay_out(files: dict[str, bytes], directory: Path) -> None:
    """Put an image where the store will look for it, and nothing else beside it."""
    for old in directory.iterdir():
        old.unlink()
    for name, content in files.items():
        (directory / name).write_bytes(content)


def versions() -> dict[str, str]:
    return {"apsw": apsw.apsw_version(), "sqlite in apsw": apsw.sqlite_lib_version()}

