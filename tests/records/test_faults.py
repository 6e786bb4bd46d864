"""When the store cannot be used: one clear sentence, and nothing that was acknowledged is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from plain_rows import forge

from events.errors import NotFoundError, StoreError, UsageError
from events.model import Pass, Recorded
from records import BookRow, Store, listing
from records.sqlite import opening, schema
from records.sqlite.faults import refusal

PASS = Recorded(n=0, event=Pass(by="N"))


def opens(path: Path, **how: object) -> None:
    Store.open(path, timeout=0.1, **how).close()


# Locked


def test_a_locked_store_says_who_to_wait_for(path: Path, store: Store, match: str) -> None:
    """Given another program in the middle of a write, when we append, then we are told; afterwards it works."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"kibitz\.db: the store is in use by another program\. Wait") as caught:
        store.append(match, [PASS])
    assert caught.value.exit_code == 7
    assert store.length(match) == 1, "reading goes on"
    with Store.open(path, write=False) as reader:
        assert reader.length(match) == 1
    other.execute("ROLLBACK")
    other.close()
    assert store.append(match, [PASS]).last == 1


@pytest.mark.parametrize("write", [True, False])
def test_a_store_locked_from_the_start(path: Path, write: bool) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("CREATE TABLE t (a)")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="in use by another program"):
        opens(path, write=write)
    other.execute("ROLLBACK")
    other.close()


def test_opening_waits_where_sqlite_does_not(path: Path, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a store that answers "busy" at once for a moment, when we open it, then we wait for it; but not for
    ever."""
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorname = "SQLITE_BUSY_RECOVERY"
    connect, answers = sqlite3.connect, [busy] * 3

    def hesitant(*args: object, **how: object) -> sqlite3.Connection:
        if answers:
            raise answers.pop()
        return connect(*args, **how)

    # A clock that goes on only while we wait: on a slow machine the tenth of a second would be over before the
    # third answer.
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    clock.sleep = lambda seconds: setattr(clock, "now", clock.now + seconds)
    monkeypatch.setattr(opening, "_time", clock)
    monkeypatch.setattr(sqlite3, "connect", hesitant)
    opens(path)
    assert answers == []
    answers.extend([busy] * 1000)
    with pytest.raises(StoreError, match="in use by another program"):
        opens(path)
    assert 985 <= len(answers) <= 990, "one try in ten milliseconds, for a hundred"


# Read-only


@contextmanager
def as_ordinary_user() -> Iterator[None]:
    """Permissions mean nothing to the superuser; so, for a moment, be somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def public(store: Store, path: Path, match: str) -> Iterator[Path]:
    """The store with its match, closed, in a directory of its own that everybody may enter."""
    if not hasattr(os, "seteuid"):
        pytest.skip("needs POSIX permissions")
    store.close()
    directory = Path(tempfile.mkdtemp())
    shutil.copy(path, directory / "kibitz.db")
    directory.chmod(0o777)
    yield directory / "kibitz.db"
    directory.chmod(0o700)
    shutil.rmtree(directory)


def test_a_read_only_file_can_be_read(public: Path, match: str) -> None:
    public.chmod(0o444)
    with as_ordinary_user(), Store.open(public, write=False) as reader:
        assert reader.length(match) == 1


def test_a_read_only_file_is_not_written(public: Path, match: str) -> None:
    public.chmod(0o444)
    before = public.read_bytes()
    with (
        as_ordinary_user(),
        pytest.raises(StoreError, match="may be read but not written"),
        Store.open(public) as store,
    ):
        store.append(match, [PASS])
    assert public.read_bytes() == before


def test_a_store_in_a_read_only_directory_can_be_read(public: Path, match: str) -> None:
    """As on a disk that cannot be written: the file alone is the whole store."""
    public.chmod(0o444)
    public.parent.chmod(0o555)
    with as_ordinary_user(), Store.open(public, write=False) as reader:
        assert reader.length(match) == 1
        assert [row.match for row in reader.matches()] == [match]
    assert [p.name for p in public.parent.iterdir()] == ["kibitz.db"]


def test_a_store_in_a_read_only_directory_is_not_written(public: Path, match: str) -> None:
    public.chmod(0o666)
    public.parent.chmod(0o555)
    with (
        as_ordinary_user(),
        pytest.raises(StoreError, match=r"without writing beside it.*its directory"),
        Store.open(public) as store,
    ):
        store.append(match, [PASS])


def test_an_old_store_that_cannot_be_brought_up_to_date(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading would need a step that may not be written: both facts are said."""
    monkeypatch.setattr("records.sqlite.schema.MIGRATIONS", [*schema.MIGRATIONS, lambda db: None])
    public.chmod(0o444)
    before = public.read_bytes()
    with as_ordinary_user(), pytest.raises(StoreError, match=r"version 5 .* up to version 6 .* not written"):
        opens(public, write=False)
    assert public.read_bytes() == before


def test_no_store_is_made_in_a_read_only_directory(public: Path) -> None:
    public.parent.chmod(0o555)
    with as_ordinary_user(), pytest.raises(StoreError, match=r"cannot be opened.*permissions"):
        opens(public.with_name("new.db"))


def test_a_store_that_may_not_be_read(public: Path) -> None:
    public.chmod(0)
    for write in (True, False):
        with as_ordinary_user(), pytest.raises(StoreError, match=r"cannot be opened.*permissions"):
            opens(public, write=write)


def test_a_directory_that_may_not_be_entered(public: Path) -> None:
    public.parent.chmod(0)
    with as_ordinary_user(), pytest.raises(StoreError, match="cannot be reached"):
        opens(public)


# Full


def test_a_full_disk_loses_nothing_that_was_acknowledged(path: Path, store: Store, match: str) -> None:
    """Given no more room, when an append fails, then what was there before is there, and with room it goes on."""
    (pages,) = store.backend.conn.execute("PRAGMA page_count").fetchone()
    store.backend.conn.execute(f"PRAGMA max_page_count = {pages + 5}")
    long = Recorded(n=0, event=Pass(by="N"), text="x" * 900)
    kept = 0
    full: list[StoreError] = []
    while kept < 1000 and not full:
        try:
            kept = store.append(match, [long, long], key=f"k{kept}").last
        except StoreError as error:
            full.append(error)
    assert "no room left" in str(full[0])
    assert kept > 0
    assert store.length(match) == kept + 1
    with Store.open(path, write=False) as reader:
        assert [r.n for r in reader.read(match)] == list(range(kept + 1))
    store.backend.conn.execute("PRAGMA max_page_count = 100000")
    again = store.append(match, [long, long], key=f"k{kept}")
    assert (again.first, again.repeated) == (kept + 1, False)
    store.check()


def test_a_disk_too_full_for_a_new_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attempt leaves no half-made store in the way of the next."""
    connect = sqlite3.connect

    def cramped(*args: object, **how: object) -> sqlite3.Connection:
        conn: sqlite3.Connection = connect(*args, **how)
        conn.execute("PRAGMA max_page_count = 3")
        return conn

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", cramped)
        with pytest.raises(StoreError, match="no room left"):
            opens(path)
    with Store.open(path) as store:
        store.create_match({}, game="kaiser")


# Not a store, or a broken one


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    "content", [b'%kib 1\n[Game "kaiser"]\n' * 40, b"SQLite format 3\0" + b"\xff" * 4000, b"x", b"%kib 1\n"]
)
def test_a_file_that_is_no_database_is_left_alone(path: Path, content: bytes, write: bool) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"not a Kibitz store|damaged"):
        opens(path, write=write)
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_store_only_if_asked(path: Path) -> None:
    path.touch()
    with pytest.raises(NotFoundError, match="empty"):
        opens(path, write=False)
    with pytest.raises(NotFoundError, match="empty"):
        opens(path, create=False)
    assert path.read_bytes() == b""
    with Store.open(path) as store:
        assert store.matches() == []


def test_a_directory_is_no_store(tmp_path: Path) -> None:
    for write in (True, False):
        with pytest.raises(StoreError, match="this is a directory; expected a file"):
            opens(tmp_path, write=write)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_no_store(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(StoreError, match="not an ordinary file"):
        opens(path)


def test_a_missing_store_is_not_made_for_reading(path: Path) -> None:
    for how in ({"write": False}, {"create": False}, {"write": False, "create": True}):
        with pytest.raises(NotFoundError, match="there is no store here") as caught:
            opens(path, **how)
        assert caught.value.exit_code == 5
    assert not path.exists()


def test_a_file_in_the_way_of_a_directory(path: Path) -> None:
    path.touch()
    with pytest.raises((StoreError, NotFoundError), match=r"cannot be reached|no such directory"):
        opens(path / "kibitz.db")


def test_a_name_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not the name of a file"):
        opens(Path(f"{tmp_path}/a\0b"))


def damage(path: Path, where: Callable[[int], int]) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(where(size))
        file.write(b"\xa5" * 4096)


def test_a_damaged_page_is_found_by_the_check(path: Path, store: Store, match: str) -> None:
    store.append(match, [Recorded(n=0, event=Pass(by="N"), text="x" * 200)] * 200)
    store.check()
    store.close()
    damage(path, lambda size: size - 4096)
    with Store.open(path, write=False) as reader, pytest.raises(StoreError, match=r"(?s)damaged.*backup"):
        reader.check()


def test_a_store_cut_short(path: Path, store: Store, match: str) -> None:
    store.append(match, [Recorded(n=0, event=Pass(by="N"), text="x" * 200)] * 200)
    store.close()
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(StoreError, match="damaged"), Store.open(path, write=False) as reader:
        reader.read(match)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("DELETE FROM events WHERE n = 1", "book home has 2 events up to position 3"),
        ("DELETE FROM events WHERE n = 2", "match kaiser-tuesday has 2 events up to position 2"),
        ("UPDATE events SET n = 7 WHERE n = 2", "match kaiser-tuesday has 3 events up to position 2"),
        ("UPDATE events SET pos = 7 WHERE n = 2", "book home has 3 events up to position 3"),
        ("DELETE FROM books", "an entry of (matches|runs) points to a missing one of books"),
    ],
)
def test_missing_events_are_found_by_the_check(store: Store, match: str, words: str, found: str) -> None:
    store.append(match, [PASS, PASS])
    store.backend.conn.execute("PRAGMA foreign_keys = OFF")
    forge(store.backend.conn, words)
    with pytest.raises(StoreError, match=found):
        store.check()


@pytest.mark.parametrize("payload", ["", "{", "null", '{"event":{"verb":"fly","by":"N"}}', '{"event":7}'])
def test_an_event_that_cannot_be_read_is_named(store: Store, match: str, payload: str) -> None:
    store.append(match, [PASS, PASS])
    forge(store.backend.conn, "UPDATE events SET payload = ? WHERE n = 1", values=(payload,))
    with pytest.raises(StoreError, match=f"match {match}, event 1: the stored event cannot be read"):
        store.read(match)
    assert len(store.read(match, after=1)) == 1


@pytest.mark.parametrize(
    ("words", "look"),
    [
        ("UPDATE matches SET last = '2x'", lambda store, match: store.length(match)),
        ("UPDATE matches SET parent_n = 'x'", lambda store, match: store.matches()),
        ("UPDATE books SET head = 'x'", lambda store, match: store.books()),
    ],
)
def test_a_text_where_a_number_belongs_is_told(
    store: Store, match: str, words: str, look: Callable[[Store, str], object]
) -> None:
    """One turned bit in the head of a row makes a text of a number."""
    store.append(match, [PASS, PASS])
    store.backend.conn.execute("PRAGMA ignore_check_constraints = ON")
    forge(store.backend.conn, words)
    with pytest.raises(StoreError, match="damaged") as caught:
        look(store, match)
    assert caught.value.exit_code == 7


@pytest.mark.parametrize(
    "column", ["version = 1.5", "time = x'61'", "recorder = x'61'", "key = x'61'", "version = 'x'"],
)
def test_a_column_of_an_event_with_another_kind_is_told(store: Store, match: str, column: str) -> None:
    store.append(match, [PASS, PASS])
    forge(store.backend.conn, f"UPDATE events SET {column} WHERE n = 1")
    with pytest.raises(StoreError, match=r"event 1: the stored events cannot be read \(.* of another (kind|type)"):
        store.read(match)


@pytest.mark.parametrize(
    "payload", ["{", '{"event":{"by":"N","verb":"pas"}}', '{"event":{"by":"N","verb":"pass"},"x":1}'],
)
def test_the_event_that_cannot_be_read_is_named(store: Store, match: str, payload: str) -> None:
    store.append(match, [PASS, PASS, PASS])
    forge(store.backend.conn, "UPDATE events SET payload = ? WHERE n = 2", values=(payload,))
    with pytest.raises(StoreError, match=r"event 2: the stored event cannot be read"):
        store.read(match)
    assert [r.n for r in store.read(match, after=2)] == [3]


@pytest.mark.parametrize(
    "row",
    [
        {"book": 7, "head": 1, "created": "x"}, {"book": "a", "head": "1", "created": "x"},
        {"book": "a", "head": 1, "created": None},
    ]
)
def test_a_row_of_a_listing_with_a_column_of_another_kind_is_told(store: Store, row: dict[str, object]) -> None:
    with pytest.raises(StoreError, match="damaged"):
        listing._as(store.backend.reader, BookRow, row)


def test_a_table_that_is_gone(store: Store, match: str) -> None:
    store.backend.conn.execute("PRAGMA foreign_keys = OFF")
    store.backend.conn.execute("DROP TABLE keys")
    with pytest.raises(StoreError, match="damaged"):
        store.append(match, [PASS], key="k")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("SQLITE_BUSY_SNAPSHOT", "in use"),
        ("SQLITE_LOCKED_SHAREDCACHE", "in use"),
        ("SQLITE_READONLY_DBMOVED", "not written"),
        ("SQLITE_IOERR_FSYNC", r"disk reports an error \(boom\)"),
        ("SQLITE_CORRUPT_INDEX", "damaged"),
        ("SQLITE_PERM", "cannot be opened"),
        ("SQLITE_CONSTRAINT_UNIQUE", r"contradicts what it holds \(boom\)"),
        ("SQLITE_TOOBIG", "too large"),
        ("SQLITE_MISUSE", r"cannot be used \(boom\)"),
    ],
)
def test_each_kind_of_trouble_has_its_sentence(name: str, says: str) -> None:
    error = sqlite3.OperationalError("boom")
    error.sqlite_errorname = name
    told = refusal(error, Path("kibitz.db"))
    assert isinstance(told, StoreError)
    assert told.where == "kibitz.db"
    with pytest.raises(StoreError, match=says):
        raise told
