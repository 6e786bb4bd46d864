"""The file of a store and connections to it: what may be opened, and with which precautions."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from events.errors import NotFoundError, StoreError, UsageError
from records.names import sidecar_path
from records.sqlite.ends import ends_path, read_ends
from records.sqlite.faults import BESIDE, CLOSED, LEFT_ALONE, NO_STORE, translated_errors
from records.sqlite.foreign import foreign_in
from records.sqlite.locking import FileLock


def refuse_foreign_file(path: Path, *, create: bool, make_parents: bool) -> None:
    """Refuse what cannot be a store before SQLite touches it. StoreError, NotFoundError or UsageError."""
    try:
        if "\0" in str(path):
            raise UsageError(f"{str(path)!r} is not the name of a file")
        if path.is_dir():
            raise StoreError("this is a directory", where=str(path), expected="a file")
        if path.exists():
            if not path.is_file():
                raise StoreError("this is not an ordinary file", where=str(path), expected="a file")
            # SQLite takes such a short file for an empty database and would overwrite it. Only its size is read:
            # opening and closing the file here would drop the locks that other threads hold on it.
            if 0 < path.stat().st_size < 512:
                raise StoreError(NO_STORE, where=str(path), todo=LEFT_ALONE)
            if path.stat().st_size or not create:
                return
        elif not create:
            raise NotFoundError("there is no store here", where=str(path), todo="Look at the path, or start a match")
        look_for_lost(path)
        if make_parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.is_dir():
            raise NotFoundError(
                "there is no such directory", where=str(path.parent), todo="Make it first, or name another place"
            )
    except OSError as error:
        raise StoreError(
            f"the store cannot be reached ({error.strerror})", where=str(path), todo="Look at the path and permissions"
        ) from error


def file_at(path: str | Path) -> os.stat_result | None:
    """The status of the file; None if there is no file."""
    try:
        return os.stat(path)
    except OSError:
        return None


def file_names(file: os.stat_result) -> str:
    return f"this file has {file.st_nlink} names (hard links)"


def check_one_name(path: Path, file: os.stat_result | None) -> None:
    """Refuse to write to a file with two names: each name has its own WAL and lock, so that events get lost."""
    if file is not None and file.st_nlink > 1:
        raise StoreError(
            f"{file_names(file)}, and a program that opens it under another one does not see what is added here",
            where=str(path),
            expected="one name; symbolic links to it do no harm",
            todo=f"Remove the others (`find DIRECTORY -samefile {path.name}` lists them), or go on with a copy "
            "(`kibitz db backup FILE`)",
        )


def size_of(path: Path) -> int:
    """The size of a file in bytes; -1 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def look_for_lost(path: Path) -> None:
    """Refuse to start a new store where one was lost: SQLite would remove what is left of it beside the file."""
    if ends := [end for end in read_ends(path).values() if end.position]:
        said = ", ".join(f"{end.position} in book {end.book:.80}" for end in ends[:5])
        raise StoreError(
            f"the store is gone: the file is {'empty' if path.exists() else 'missing'}, and events were "
            f"recorded ({said})",
            where=str(path),
            todo=f"Put it back, or a backup of it; to begin a new store instead, remove {ends_path(path)}",
        )


def lock_of(path: Path, *, write: bool) -> FileLock:
    """The lock of the store; a reader's is a dummy. StoreError if a writer cannot have one."""
    if not write:
        return FileLock(path, None)
    try:
        return FileLock.of(path)
    except OSError as error:
        what, todo = BESIDE if path.exists() else CLOSED
        raise StoreError(what, where=str(path), todo=todo) from error


def connect(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    """A connection without implicit transactions. `mode` is SQLite's: `ro`, `rw`, `rwc`.

    A read-only connection may be closed by another thread than the one that opened it."""
    with translated_errors(path):
        conn = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=timeout, isolation_level=None,
            check_same_thread=not mode.startswith("ro")
        )
        return guarded(conn)


def guarded(conn: sqlite3.Connection) -> sqlite3.Connection:
    """The connection with guards against a malicious file: schema functions may only compute, pages are checked."""
    for guard in _GUARDS:
        conn.execute(guard)
    return conn


ALONE = "ro&vfs=unix-none"
"""SQLite's mode for a file without a shared index beside it (not on Windows)."""
_GUARDS = ("PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON")


def check_foreign(conn: sqlite3.Connection, path: Path, *, write: bool) -> None:
    """StoreError if a foreign object in the file could act while it is read or, with `write`, written."""
    with translated_errors(path):
        found = [one for one in foreign_in(conn) if one.stops == "reading" or (write and one.stops)]
    if found:
        raise StoreError(
            f"the store holds what could show or write something else than was recorded: {found[0].text}",
            where=str(path),
            todo=("Take it out with the program that put it in, or go back to a backup")
            + ("; reading goes on" if found[0].stops == "writing" else ""),
        )


def connect_reading(path: Path, timeout: float) -> sqlite3.Connection:
    """A read-only connection.

    SQLite keeps two small files beside an open store. If it may not create them (a directory without write
    permission, a read-only disk) and no program has the store open (there is no `-shm`), the files do not change and
    are read without them: the file alone if its `-wal` is missing or empty, else both. StoreError with advice if
    SQLite cannot do that."""
    conn = connect(path, "ro", timeout)
    try:
        conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the caller's next query reports other faults
        name, wal = getattr(error, "sqlite_errorname", ""), sidecar_path(path, "wal")
        in_use = wal.exists() and sidecar_path(path, "shm").is_file()
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")) and os.access(path, os.R_OK) and not in_use:
            conn.close()
            return connect(path, "ro&immutable=1", timeout) if size_of(wal) <= 0 else _connect_alone(path, timeout)
    return conn


def _connect_alone(path: Path, timeout: float) -> sqlite3.Connection:
    """A read-only connection that keeps its index of the WAL in memory."""
    try:
        conn = connect(path, ALONE, timeout)
        conn.execute("PRAGMA locking_mode=EXCLUSIVE")
        conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except (sqlite3.Error, StoreError) as error:
        raise StoreError(
            "nothing can be written beside the store, and what was added last is in its write-ahead file (-wal)",
            where=str(path), todo="Copy the store and its -wal to a directory that can be written, and read it there",
        ) from error  # fmt: skip
    return conn
