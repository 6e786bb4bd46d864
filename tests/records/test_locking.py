"""One lock for all writers: taken by every append, checkpoint, opening and closing; and what a failed disk leads to."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from plain_rows import forge

from events.errors import StoreError
from events.model import Pass, Recorded
from records import Store
from records.names import sidecar_path
from records.sqlite.backend import SqliteBackend
from records.sqlite.inserting import CHECKPOINT_EVERY
from records.sqlite.locking import FileLock, network_warning

PASS = Recorded(n=0, event=Pass(by="N"))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Somebody else holds the lock of the store."""
    lock = FileLock.of(path)
    with lock.held(1):
        yield
    lock.close()


# The lock


def test_only_one_holds_it(path: Path) -> None:
    one, two = FileLock.of(path), FileLock.of(path)
    with one.held(0):
        with pytest.raises(StoreError, match="in use by another program"), two.held(0.05):
            pass
        with one.held(0):
            pass  # whoever has it may take it again
        with pytest.raises(StoreError), two.held(0):
            pass
    with two.held(0):
        pass
    one.close()
    two.close()


def test_whoever_waits_gets_it(path: Path) -> None:
    got: list[float] = []

    def wait() -> None:
        lock = FileLock.of(path)
        with lock.held(5):
            got.append(time.monotonic())
        lock.close()

    with held(path):
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.1)
        freed = time.monotonic()
        assert got == []
    thread.join(5)
    assert got[0] >= freed


def test_a_program_that_dies_lets_go(path: Path) -> None:
    script = (
        "import os,sys; from pathlib import Path; from records.sqlite.locking import FileLock\nlock = "
        "FileLock.of(Path(sys.argv[1]))\nwith lock.held(1):\n    os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)], timeout=60).returncode == 9
    with held(path):
        pass


def test_two_names_of_one_store_have_one_lock(path: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "link.db"
    path.touch()
    link.symlink_to(path)
    assert sidecar_path(link, "lock") == sidecar_path(path, "lock")


# What is done under it


def test_an_append_waits_and_then_says_so(path: Path, store: Store, match: str) -> None:
    with held(path):
        for write in (
            lambda: store.append(match, [PASS]),
            lambda: store.create_match({}, game="kaiser"),
            lambda: store.set_over(match, True),
        ):
            with pytest.raises(StoreError, match="in use by another program") as caught:
                write()
            assert caught.value.exit_code == 7
        assert store.length(match) == 1, "reading needs no lock"
    assert store.append(match, [PASS]).last == 1


def test_a_writer_waits_to_open_and_a_reader_does_not(path: Path, store: Store, match: str) -> None:
    with held(path):
        with pytest.raises(StoreError, match="in use by another program"):
            Store.open(path, timeout=0.05)
        with Store.open(path, write=False, timeout=0.05) as reader:
            assert reader.length(match) == 1
    Store.open(path, timeout=0.05).close()


def test_closing_does_not_wait_for_ever(path: Path, store: Store, match: str) -> None:
    with held(path):
        store.close()
    with Store.open(path) as again:
        assert again.length(match) == 1


def test_a_reader_who_closes_last_leaves_everything_where_it_is(path: Path, store: Store, match: str) -> None:
    """It neither carries the write-ahead file over nor removes it, so it needs no lock."""
    reader = Store.open(path, write=False)
    store.append(match, [PASS])
    store.close()
    wal = path.with_name("kibitz.db-wal")
    before = (path.read_bytes(), wal.read_bytes())
    reader.close()
    assert (path.read_bytes(), wal.read_bytes()) == before


def locked_while(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[tuple[str, bool]]:
    """Notes for every statement that may write, and for closing, whether the lock was held then."""
    seen: list[tuple[str, bool]] = []

    def is_held() -> bool:
        lock = FileLock.of(path)
        try:
            with lock.held(0):
                return False
        except StoreError:
            return True
        finally:
            lock.close()

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
            if not sql.startswith(("SELECT", "PRAGMA query", "PRAGMA foreign", "PRAGMA sync", "PRAGMA full")):
                seen.append((sql.split("(")[0][:24], is_held()))
            return super().execute(sql, *args)

        def close(self) -> None:
            seen.append(("close", is_held()))
            super().close()

    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *a, **k: seen.append(("connect", is_held())) or connect(*a, factory=Watched, **k),
    )
    return seen


def test_everything_that_writes_holds_the_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = locked_while(monkeypatch, path)
    with Store.open(path) as store:
        match = store.create_match({}, game="kaiser")
        store.append(match, [PASS] * (CHECKPOINT_EVERY + 1))
        store.set_over(match, True)
    assert {"connect", "BEGIN IMMEDIATE", "COMMIT", "PRAGMA wal_checkpoint", "close"} <= {what for what, _ in seen}
    assert [what for what, was_held in seen if not was_held] == []


def test_a_forgotten_store_is_closed_under_the_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = locked_while(monkeypatch, path)
    Store.open(path)
    assert [was_held for what, was_held in seen if what == "close"] == [True]


def test_sqlite_never_carries_over_by_itself(path: Path, store: Store, match: str) -> None:
    """Only every so many events, and by us: the write-ahead file grows until then."""
    assert store.backend.conn.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
    wal = path.with_name("kibitz.db-wal")
    sizes = []
    for _ in range(CHECKPOINT_EVERY - 2):
        store.append(match, [PASS])
        sizes.append(wal.stat().st_size)
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0] + 4096 * (CHECKPOINT_EVERY - 10)
    done: list[str] = []
    store.backend.conn.set_trace_callback(done.append)
    store.append(match, [PASS])
    assert [word for word in done if "checkpoint" in word] == ["PRAGMA wal_checkpoint(PASSIVE)"]
    store.append(match, [PASS])
    store.append(match, [PASS] * 10)
    assert wal.stat().st_size <= sizes[-1] + 60 * 4120, "it starts again from its beginning"


def test_a_reader_who_stays_does_not_stop_the_writing(path: Path, store: Store, match: str) -> None:
    with Store.open(path, write=False) as reader:
        reader.backend.conn.execute("BEGIN")
        reader.length(match)
        for _ in range(CHECKPOINT_EVERY + 5):
            store.append(match, [PASS])
        assert reader.length(match) == 1
        reader.backend.conn.execute("COMMIT")
        assert reader.length(match) == CHECKPOINT_EVERY + 6
    store.check()


# A disk that fails


class Failing:
    """A connection on which one statement fails as on a broken disk."""

    def __init__(self, conn: sqlite3.Connection, statement: str, name: str) -> None:
        self._conn, self._statement, self._name = conn, statement, name

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
        if sql.startswith(self._statement):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = self._name
            raise error
        return self._conn.execute(sql, *args)

    def __getattr__(self, name: str) -> object:
        return getattr(self._conn, name)


def connect_through(store: Store, conn: object) -> None:
    """From now on the store speaks to this connection."""
    backend = store.backend
    assert isinstance(backend, SqliteBackend)
    backend.conn = backend.reader._conn = backend.writer._conn = conn


def test_after_a_failed_sync_nobody_writes_before_the_store_is_verified(path: Path, store: Store, match: str) -> None:
    """Given a commit whose sync failed, then this store and others that are open only read; a new one goes on."""
    other = Store.open(path, timeout=0.1)
    conn = store.backend.conn
    connect_through(store, Failing(conn, "COMMIT", "SQLITE_IOERR_FSYNC"))
    with pytest.raises(StoreError, match="disk reports an error") as caught:
        store.append(match, [PASS], key="k")
    assert caught.value.exit_code == 7
    connect_through(store, conn)
    for one in (store, other):
        with pytest.raises(StoreError, match=r"closed for writing.*FSYNC|closed for writing.*I/O"):
            one.append(match, [PASS], key="k")
        assert one.length(match) == 1, "reading goes on"
    with Store.open(path, timeout=0.1) as again:
        assert again.append(match, [PASS], key="k").last == 1
    assert other.append(match, [PASS]).last == 2, "it was verified meanwhile"
    with pytest.raises(StoreError, match="closed for writing"):
        store.append(match, [PASS])
    other.close()


def test_a_damaged_store_stays_closed_after_a_failed_sync(path: Path, store: Store, match: str) -> None:
    store.append(match, [PASS, PASS])
    sidecar_path(path, "lock").write_text("SQLITE_IOERR_FSYNC: disk I/O error\n")
    forge(store.backend.conn, "UPDATE events SET payload = replace(payload, 'N', 'S') WHERE n = 1")
    with pytest.raises(StoreError, match=r"damaged: event 2 .* is not the one that was written"):
        Store.open(path)
    assert sidecar_path(path, "lock").stat().st_size > 0
    with Store.open(path, write=False) as reader:
        assert reader.length(match) == 3


def test_a_failed_checkpoint_does_not_take_an_append_back(path: Path, store: Store, match: str) -> None:
    """The event is on the disk, so the append succeeds; the next one does not."""
    conn = store.backend.conn
    store.backend.writer.due = True
    connect_through(store, Failing(conn, "PRAGMA wal_checkpoint", "SQLITE_IOERR_WRITE"))
    assert store.append(match, [PASS]).last == 1
    connect_through(store, conn)
    with pytest.raises(StoreError, match="closed for writing"):
        store.append(match, [PASS])
    store.close()
    with Store.open(path) as again:
        assert again.length(match) == 2


def test_a_full_disk_is_no_broken_disk(store: Store, match: str) -> None:
    conn = store.backend.conn
    connect_through(store, Failing(conn, "COMMIT", "SQLITE_FULL"))
    with pytest.raises(StoreError, match="no room left"):
        store.append(match, [PASS])
    connect_through(store, conn)
    assert store.append(match, [PASS]).last == 1


def test_a_store_that_could_not_be_closed_properly_is_verified(path: Path, store: Store, match: str) -> None:
    store.append(match, [PASS])
    conn = store.backend.conn
    connect_through(store, Failing(conn, "UPDATE books SET settled = 1", "SQLITE_FULL"))
    store.close()
    with Store.open(path) as again:
        assert again.length(match) == 2
        assert sidecar_path(path, "lock").stat().st_size == 0


# One sync a commit


SYNCS = """
import sys
from events.model import Pass, Recorded
from records import Store
with Store.open(sys.argv[1]) as store:
    match = store.create_match({}, game="kaiser")
    for i in range(int(sys.argv[2])):
        store.append(match, [Recorded(n=0, event=Pass(by="N"))], expect=i)
"""


def syncs(path: Path, appends: int) -> int:
    trace = path.with_name(f"trace-{appends}")
    run = subprocess.run(
        [
            "strace", "-f", "-e", "trace=fsync,fdatasync,sync_file_range,msync", "-o", str(trace), sys.executable, "-c",
            SYNCS, str(path), str(appends),
        ],
        capture_output=True, timeout=120,
    )  # fmt: skip
    if run.returncode:
        pytest.skip("system calls cannot be traced here")
    return sum("sync(" in line for line in trace.read_text().splitlines())


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_a_commit_costs_one_sync(tmp_path: Path) -> None:
    """40 appends more cost 40 syncs more."""
    few = syncs(tmp_path / "a.db", 10)
    assert few > 10
    assert syncs(tmp_path / "b.db", 50) - few == 40


# Where it lies


MOUNTS = b"""/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb /home/ann/disk ext4 rw 0 0
//nas/cards /mnt/the\\040nas cifs rw 0 0
host:/x /srv/club fuse.sshfs rw 0 0
"""


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/var/kibitz.db", ""),
        ("/home/ann/kibitz.db", "nfs4"),
        ("/home/ann/disk/kibitz.db", ""),
        ("/mnt/the nas/kibitz.db", "cifs"),
        ("/srv/club/kibitz.db", "fuse.sshfs"),
        ("/srv/clubs/kibitz.db", ""),
        ("/homes/kibitz.db", ""),
    ],
)
def test_a_network_file_system_is_named(tmp_path: Path, place: str, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_bytes(MOUNTS)
    said = network_warning(Path(place), mounts)
    assert (f"network file system ({kind})" in said) if kind else said == ""


def test_the_store_passes_the_warning_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert network_warning(path, path / "no such file") == ""
    monkeypatch.setattr("records.sqlite.opening.network_warning", lambda path: "far away")
    with Store.open(path) as store:
        assert store.warnings == ["far away"]
        assert store.books() == []
