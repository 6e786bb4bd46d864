"""The end of every book is kept beside the store: what was acknowledged and is gone is missed, and nothing else is."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sampling import a_few, sized

from cli.app import run_command_line
from events.errors import StoreError
from events.model import Note, Pass, Recorded
from records import HOME, Store
from records.maintenance import accept_lost_end
from records.sqlite.ends import ends_path, key_of_book, leaf_at, read_ends
from records.sqlite.frames import wal_state_at
from records.sqlite.locking import sidecar_path

PASS = Recorded(n=0, event=Pass(by="N"))
LONG = Recorded(n=0, event=Note(by="@"), text="x" * 900)


def without(path: Path) -> None:
    """The broken store of the controls: it keeps nothing beside it."""
    ends_path(path).unlink()


# Killed


DYING = """
import os, signal, sys
from events.model import Pass, Recorded
from records import Store

path, steps, unsettled = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "unsettled"
store = Store.open(path, timeout=5)
for match in ("one", "two"):
    store.create_match({}, game="kaiser", match=match)
    for i in range(20):
        store.append(match, [Recorded(n=0, event=Pass(by="N"))])
store.seal("one", unfinished=True)
if unsettled:
    store.backend.writer.settle = lambda: None
left = [steps]
def step(*_):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
store.backend.conn.set_progress_handler(step, 20)
store.backend.conn.set_trace_callback(step)
store.compact()
store.backend.conn.set_trace_callback(None)
store.backend.conn.set_progress_handler(None, 20)
print("compacted", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(path: Path, steps: int, how: str = "") -> bool:
    """A program of its own dies after so many steps of compacting, or right after it. Whether it came to the end."""
    ran = subprocess.run([sys.executable, "-c", DYING, str(path), str(steps), how], capture_output=True, timeout=60)
    assert ran.returncode == -signal.SIGKILL, ran.stderr.decode()
    return b"compacted" in ran.stdout


def whole(path: Path) -> None:
    """The store opens by itself, nothing is said to be missing, and it goes on."""
    with Store.open(path, timeout=5) as store:
        assert store.warnings == []
        assert store.lacking() == []
        store.check()
        assert (store.length("one"), store.length("two")) == (21, 21)
        assert store.verify(HOME).found == []
        store.append("two", [PASS])


@pytest.mark.both
@pytest.mark.parametrize("kept", a_few(["kept", "lost"], 1))
def test_killed_while_compacting_nothing_is_missing(tmp_path: Path, kept: str) -> None:
    """Killed between any two steps of `seal --compact`, or right after it, the store goes on, also without its ends."""
    (tmp_path / "0").mkdir()
    assert not killed(tmp_path / "0" / "k.db", 0)
    steps, done = 0, False
    while not done:
        folder = tmp_path / str(steps + 1)
        folder.mkdir()
        done = killed(folder / "k.db", steps)
        if kept == "lost":
            without(folder / "k.db")
        whole(folder / "k.db")
        steps += 1 if steps < 4 else sized(240, 80)
    assert steps > 100


def test_a_store_that_compacts_unsettled_is_caught(tmp_path: Path) -> None:
    """The control: without the two things that prevent it, the same kill leaves a store that says something is
    missing."""
    path = tmp_path / "k.db"
    assert killed(path, 10**9, "unsettled")
    kept = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    without(path)
    with pytest.raises(StoreError, match="may be missing"):
        whole(path)
    for name, data in kept.items():
        (tmp_path / name).write_bytes(data)
    whole(path)


APPENDING = """
import os, signal, sys
from events.model import Pass, Note, Recorded
from records import Store
store = Store.open(sys.argv[1], timeout=5)
store.create_match({}, game="kaiser", match="one")
for i in range(int(sys.argv[2])):
    store.append("one", [Recorded(n=0, event=Note(by="@"), text=f"{i} " + "x" * 900)])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def crash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files as a kill left them."""
    path = tmp_path_factory.mktemp("crash") / "kibitz.db"
    ran = subprocess.run([sys.executable, "-c", APPENDING, str(path), "30"], capture_output=True, timeout=60)
    assert ran.returncode == -signal.SIGKILL, ran.stderr.decode()
    assert sidecar_path(path, "wal").stat().st_size > 30 * 4096
    return path


@pytest.fixture
def crashed(crash: Path, path: Path) -> Path:
    """A store whose only writer was killed after 30 appends: most of them are in the write-ahead file alone."""
    for ending in ("", "-wal", "-ends"):
        shutil.copy(f"{crash}{ending}", f"{path}{ending}")
    return path


def test_a_crash_and_then_a_plain_sqlite(crashed: Path) -> None:
    """Given a crash, when sqlite3 reads the store and closes it, then the write-ahead file is gone, and nothing is
    missing."""
    conn = sqlite3.connect(crashed)
    assert conn.execute("SELECT count(*) FROM events").fetchone() == (31,)
    conn.close()
    assert not sidecar_path(crashed, "wal").exists()
    with Store.open(crashed, write=False) as reader:
        assert reader.warnings == []
    with Store.open(crashed) as store:
        assert store.warnings == []
        assert store.append("one", [PASS]).last == 31


def test_a_plain_sqlite_cannot_be_told_without_the_ends(crashed: Path) -> None:
    """The control, and what is said if nobody knows: it may be missing, no more."""
    sqlite3.connect(crashed).execute("SELECT count(*) FROM events").connection.close()
    without(crashed)
    with pytest.raises(StoreError, match="may be missing"):
        Store.open(crashed)


# The write-ahead file


def cut_to(size: int) -> Callable[[Path], None]:
    return lambda wal: os.truncate(wal, size)


def spoilt(at: int) -> Callable[[Path], None]:
    def act(wal: Path) -> None:
        data = bytearray(wal.read_bytes())
        data[at] ^= 0x20
        wal.write_bytes(data)

    return act


FRAME = 24 + 4096
DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (Path.unlink, r"its write-ahead file \(-wal\) is missing"),
    "empty": (cut_to(0), r"its write-ahead file \(-wal\) is missing, or an empty one was put in its place"),
    "less than a header": (cut_to(20), r"is cut short after 20 bytes"),
    "a header alone": (cut_to(32), r"is cut short after 0 whole frames"),
    "cut within a frame": (cut_to(32 + 20 * FRAME + 100), r"is cut short after 20 whole frames and 100 bytes"),
    "cut between frames": (cut_to(32 + 20 * FRAME), r"is cut short after 20 whole frames"),
    "header spoilt": (spoilt(9), r"the header of its write-ahead file \(-wal\) is damaged"),
    "magic spoilt": (spoilt(1), r"the header of its write-ahead file \(-wal\) is damaged"),
    "page spoilt": (spoilt(32 + 20 * FRAME + 500), r"is damaged: frame 21 of \d+ is not the one that was written"),
    "check sum spoilt": (spoilt(32 + 20 * FRAME + 17), r"is damaged: frame 21 of \d+ is not the one that was written"),
    "salt spoilt": (spoilt(32 + 20 * FRAME + 9), r"is damaged: frame 21 of \d+ is not the one that was written"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_write_ahead_file_is_noticed(crashed: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing, cut short and damaged are told apart; nothing is appended over the gap, nothing more is lost."""
    harm, said = DAMAGE[kind]
    wal = sidecar_path(crashed, "wal")
    harm(wal)
    before = (crashed.read_bytes(), wal.read_bytes() if wal.stat().st_size else b"") if wal.exists() else None
    with pytest.raises(
        StoreError, match=rf"book home ends at event \d+, 31 events were recorded in it; .*{said}",
    ) as caught:
        Store.open(crashed)
    assert caught.value.exit_code == 7
    assert "db check --accept" in str(caught.value)
    if before:
        assert (crashed.read_bytes(), wal.read_bytes()) == before, "what may be needed to mend it is left"
    run_command_line(["--db", str(crashed), "list"])
    assert "what was added last is missing" in capsys.readouterr().err
    with Store.open(crashed, write=False) as reader:
        assert len(reader.lacking()) == 1
        assert reader.verify(HOME).found == [], "what is left is whole in itself"
    for command in (["verify", HOME], ["db", "check"]):
        assert run_command_line(["--db", str(crashed), *command]) == 7
        said = capsys.readouterr().out
        assert said.startswith("cut ")
        assert "31 events were recorded in it" in said
    with pytest.raises(StoreError, match="31 events were recorded"):
        Store.open(crashed)


@pytest.mark.parametrize("kind", ["empty", "cut within a frame", "page spoilt"])
def test_a_damaged_write_ahead_file_is_accepted_knowingly(crashed: Path, kind: str) -> None:
    """After `db check --accept` the store goes on with what is there, and says no more about it."""
    DAMAGE[kind][0](sidecar_path(crashed, "wal"))
    assert accept_lost_end(crashed) == [HOME]
    assert run_command_line(["--db", str(crashed), "verify", HOME]) == 0
    with Store.open(crashed) as store:
        assert store.warnings == []
        last = store.length("one") - 1
        assert last < 30
        assert store.append("one", [PASS]).last == last + 1
        assert store.verify(HOME).found == []
    assert accept_lost_end(crashed) == []


@pytest.mark.parametrize(
    "kind", ["cut within a frame", "cut between frames", "page spoilt", "check sum spoilt", "salt spoilt"],
)
def test_without_the_ends_a_damaged_write_ahead_file_is_not_noticed(crashed: Path, kind: str) -> None:
    """The control: nothing but the ends beside the store tells; SQLite forgets what it cannot read without a word."""
    DAMAGE[kind][0](sidecar_path(crashed, "wal"))
    without(crashed)
    with Store.open(crashed) as store:
        assert store.append("one", [PASS]).last < 30


def test_what_was_never_acknowledged_is_not_missed(crashed: Path) -> None:
    """Given a write that a crash cut short after the last commit, when the store is opened, then nothing is said."""
    wal = sidecar_path(crashed, "wal")
    data = wal.read_bytes()
    wal.write_bytes(data + data[-FRAME:][:2000])
    with Store.open(crashed) as store:
        assert store.warnings == []
        assert store.length("one") == 31


def test_as_far_as_sqlite_reads(crashed: Path, tmp_path: Path) -> None:
    """However long the file is, as many frames are called whole as SQLite takes, or up to one commit more."""
    wal = sidecar_path(crashed, "wal").read_bytes()
    many = (len(wal) - 32) // FRAME
    assert (wal_state_at(sidecar_path(crashed, "wal")).frames, (len(wal) - 32) % FRAME) == (many, 0)
    (tmp_path / "x").mkdir()
    copy = tmp_path / "x" / "k.db"
    for size in range(33, len(wal), 39_119):
        shutil.copy(crashed, copy)
        sidecar_path(copy, "wal").write_bytes(wal[:size])
        told = wal_state_at(sidecar_path(copy, "wal"))
        conn = sqlite3.connect(copy)
        (_, taken, _) = conn.execute("PRAGMA wal_checkpoint").fetchone()
        conn.close()
        assert told.state == "cut short"
        assert told.frames == (size - 32) // FRAME
        assert told.frames - 12 <= taken <= told.frames


# What is kept


def end(path: Path, book: str = HOME) -> int:
    return read_ends(path)[key_of_book(book)].position


def refused(store: Store) -> None:
    """Something is written among others, and taken back."""
    with store._together.part():
        store.append("cup-1", [PASS])
        raise StoreError("not an event of this evening")


def given_up(store: Store) -> None:
    """What is written together is given up."""
    with store.together():
        store.append("cup-1", [PASS])
        raise StoreError("not an event of this evening")


def test_an_end_is_noted_with_every_commit(path: Path, store: Store, match: str) -> None:
    """By every writer, for every book, before the append returns; and only what was committed."""
    with Store.open(path) as other:
        other.create_match({}, game="kaiser", match="cup-1", book="cup")
        for i in range(5):
            (store if i % 2 else other).append("cup-1", [PASS])
            (other if i % 2 else store).append(match, [PASS, PASS])
            assert (end(path), end(path, "cup")) == (store.tail()[-1].pos, store.tail("cup")[-1].pos)
    with store.together():
        store.append(match, [PASS])
        with pytest.raises(StoreError, match="not an event of"):
            refused(store)
        assert end(path) == 11
    assert (end(path), end(path, "cup")) == (12, 6)
    for book, last in ((HOME, 12), ("cup", 6)):
        assert read_ends(path)[key_of_book(book)].leaf == leaf_at(store.backend.reader, book, last)
    assert ends_path(path).stat().st_size == 512, "a place for each book"
    with pytest.raises(StoreError, match="not an event of"):
        given_up(store)
    assert end(path, "cup") == 6
    store.append("cup-1", [PASS])
    assert end(path, "cup") == 7


def test_what_lags_is_brought_up(path: Path, store: Store, match: str) -> None:
    """After a loss of power the ends may lag, be torn or be gone: nothing is claimed then, and the next writer notes
    them."""
    store.append(match, [PASS])
    old = ends_path(path).read_bytes()
    store.append(match, [PASS])
    store.close()
    for left in (old, old[:100], b"", b"\0" * 256, old[:20] + b"\xff" + old[21:], b"7" * 300):
        ends_path(path).write_bytes(left)
        with Store.open(path, write=False) as reader:
            assert reader.warnings == []
        with Store.open(path) as store:
            assert store.warnings == []
            assert end(path) == 3


def test_an_end_within_a_sealed_match_is_known(path: Path, store: Store, match: str) -> None:
    """Given a book whose events are sealed, when it is opened, then its end is compared with the leaf in the blob."""
    store.create_match({}, game="kaiser", match="two")
    lag = [ends_path(path).read_bytes()]
    for _ in range(3):
        store.append(match, [PASS])
        lag.append(ends_path(path).read_bytes())
    leaves = [leaf_at(store.backend.reader, HOME, pos) for pos in range(1, 6)]
    for one in (match, "two"):
        store.seal(one, unfinished=True)
    assert [leaf_at(store.backend.reader, HOME, pos) for pos in range(1, 7)] == [*leaves, None]
    store.close()
    for data in lag:
        ends_path(path).write_bytes(data)
        with Store.open(path, write=False) as reader:
            assert reader.warnings == []


@pytest.mark.parametrize("where", ["file", "directory"])
def test_an_end_that_cannot_be_noted_stops_nothing(path: Path, store: Store, match: str, where: str) -> None:
    """What is on the disk was acknowledged: that it cannot be noted is a warning, no refusal."""
    store.close()
    ends_path(path).unlink()
    ends_path(path).mkdir()
    with Store.open(path) as store:
        assert "where the books end cannot be noted" in store.warnings[0]
        assert store.append(match, [PASS]).last == 1


# Another file in its place


def test_a_backup_put_back_is_noticed(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """Given a backup copied over the store, when it is opened for writing, then it is refused until it is accepted."""
    store.append(match, [PASS])
    made = store.backup(tmp_path / "b.db")
    store.append(match, [PASS, PASS])
    store.close()
    shutil.copy(made, path)
    with pytest.raises(
        StoreError, match=r"home ends at event 2, 4 events were recorded in it; .* earlier time, such as a backup",
    ):
        Store.open(path)
    assert accept_lost_end(path) == [HOME]
    with Store.open(path) as store:
        assert store.append(match, [PASS]).last == 2
        assert store.verify(HOME).found == []


def test_another_history_is_noticed(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """Given a store of as many events that are others, when it lies in the place of this one, then that is said."""
    store.append(match, [PASS])
    store.close()
    with Store.open(tmp_path / "o.db") as other:
        other.create_match({}, game="kaiser", match=match)
        other.append(match, [PASS])
    os.replace(tmp_path / "o.db", path)
    with pytest.raises(StoreError, match="event 2 of book home is not the one that was recorded there"):
        Store.open(path)
    with Store.open(path, write=False) as reader:
        assert "event 2 of book home is not" in reader.warnings[0]


def test_a_book_that_is_gone_is_missed(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    made = store.backup(tmp_path / "b.db")
    store.create_match({}, game="kaiser", book="cup ♥")
    store.close()
    shutil.copy(made, path)
    with pytest.raises(StoreError, match="book cup ♥ is not there, 1 event was recorded in it"):
        Store.open(path)
    accept_lost_end(path)
    with Store.open(path) as store:
        assert store.warnings == []
        store.create_match({}, game="kaiser", book="cup ♥")
        assert end(path, "cup ♥") == 1


@pytest.mark.parametrize("left", ["missing", "empty"])
def test_no_new_store_is_begun_in_the_place_of_a_lost_one(crashed: Path, left: str) -> None:
    """Given a store whose file is gone, when it is opened, then nothing of what is left beside it is removed."""
    wal = sidecar_path(crashed, "wal").read_bytes()
    crashed.unlink()
    if left == "empty":
        crashed.touch()
    with pytest.raises(
        StoreError, match=rf"the store is gone: the file is {left}, and events were recorded \(31 in book home\)",
    ):
        Store.open(crashed)
    assert sidecar_path(crashed, "wal").read_bytes() == wal
    without(crashed)
    with Store.open(crashed) as store:
        assert store.matches() == []


@pytest.mark.parametrize(("wal", "seen"), [("kept", 31), ("empty", 0), ("missing", 0)])
def test_a_store_is_read_where_nothing_can_be_written_beside_it(
    crashed: Path, wal: str, seen: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a store on a read-only disk could not be read, or not all of it: a link to nowhere where
    SQLite wants its `-shm` keeps it from writing one, as such a disk does."""
    sidecar_path(crashed, "shm").symlink_to(crashed.parent / "nowhere" / "shm")
    beside = sidecar_path(crashed, "wal")
    {"kept": lambda: None, "empty": partial(os.truncate, beside, 0), "missing": beside.unlink}[wal]()
    with closing(
        sqlite3.connect(f"{crashed.as_uri()}?mode=ro", uri=True)
    ) as plain, pytest.raises(sqlite3.OperationalError, match="unable"):
        plain.execute("SELECT 1 FROM sqlite_master")
    with Store.open(crashed, write=False) as reader:
        events = sum(row.last + 1 for row in reader.matches())
        assert events == seen if seen else events < 31
        assert bool(reader.lacking()) == (not seen)
        assert wal == "kept" or "(-wal) is missing" in reader.lacking()[0]
    if wal == "kept":
        monkeypatch.setattr("records.sqlite.connecting.ALONE", "ro&vfs=no-such-thing")
        with pytest.raises(StoreError, match="Copy the store and its -wal to a directory that can be written"):
            Store.open(crashed, write=False)


def test_a_write_ahead_file_that_was_removed_is_missing_whoever_has_looked_since(
    crashed: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, the second command would call empty what the first one called missing: SQLite makes an empty
    one to read."""
    sidecar_path(crashed, "wal").unlink()
    for _ in range(2):
        run_command_line(["--db", str(crashed), "list"])
        assert "its write-ahead file (-wal) is missing" in capsys.readouterr().err
