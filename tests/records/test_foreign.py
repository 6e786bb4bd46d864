"""What is in the file and is not Kibitz's: refused if it could act, reported otherwise, and never waited for."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from sampling import a_few

from cli.app import run_command_line
from events.errors import StoreError
from events.model import Pass, Recorded
from records import HOME, Store
from records.maintenance import accept_lost_end
from records.sqlite.connecting import _GUARDS
from records.sqlite.foreign import foreign_in

PASS = Recorded(n=0, event=Pass(by="N"))
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"


@pytest.fixture
def closed(store: Store, match: str, path: Path) -> Path:
    store.append(match, [PASS, PASS], key="k")
    store.close()
    return path


def put_in(path: Path, words: str) -> None:
    """Somebody changes the file behind our back; what it holds is not looked at."""
    conn = sqlite3.connect(path)
    conn.executescript(words)
    conn.close()


def redefined(path: Path, name: str, old: str, new: str) -> None:
    """The definition of a table is written anew, whatever its rows are."""
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA writable_schema=ON")
    done = conn.execute(
        "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND instr(sql, ?)", (old, new, name, old),
    )
    assert done.rowcount == 1
    conn.commit()
    conn.close()


LIES = {
    "a view": ("CREATE VIEW late AS SELECT * FROM runs", "a view is not Kibitz's: late"),
    "an endless view": (f"CREATE VIEW late AS {ENDLESS}", "a view is not Kibitz's: late"),
    "another view of ours": (
        "DROP VIEW events; CREATE VIEW events AS SELECT 1 AS n", "a view stands in the place of the view events",
    ),
    "a table as our view": (
        "DROP VIEW events; CREATE TABLE events (n)", "a table stands in the place of the view events",
    ),
    "a table": ("CREATE TABLE notes (a, b)", "a table is not Kibitz's: notes"),
    "an index": ("CREATE INDEX mine ON runs (beside)", "an index is not Kibitz's: mine on runs"),
    "a column": ("ALTER TABLE runs ADD COLUMN mood TEXT", "the column mood of runs is not Kibitz's"),
    "two columns": (
        "ALTER TABLE matches ADD COLUMN a; ALTER TABLE matches ADD COLUMN [b c] INTEGER", "the column b c of matches",
    ),
}


@pytest.mark.parametrize("what", LIES)
def test_what_only_lies_there_is_reported(
    closed: Path, match: str, what: str, capsys: pytest.CaptureFixture[str],
) -> None:
    """Given a foreign view, table, index or column, then verify and check report it; reading and writing go on."""
    words, said = LIES[what]
    put_in(closed, words)
    with Store.open(closed) as store:
        assert store.append(match, [PASS]).last == 3
        assert any(said in c.text and c.kind == "inserted" for c in store.faults())
        assert store.verify(HOME).found == []
    for command in (["verify", HOME], ["db", "check"]):
        assert run_command_line(["--db", str(closed), *command]) == 7
        assert said in capsys.readouterr().out


ACTS = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON recent BEGIN UPDATE matches SET game = 'yaniv'; END",
    "a trigger on another table": (
        "CREATE TABLE x (a REFERENCES books(book)); CREATE TRIGGER t AFTER DELETE ON x BEGIN DELETE FROM runs; END"
    ),
    "an endless trigger": (
        f"CREATE TRIGGER t AFTER INSERT ON recent BEGIN INSERT INTO tiles SELECT 'home', x, x FROM ({ENDLESS}); END"
    ),
    "an index that computes": "CREATE INDEX mine ON runs (length(payload))",
    "an index over a part": "CREATE INDEX mine ON runs (beside) WHERE n > 0",
    "an index that forbids": "CREATE UNIQUE INDEX mine ON runs (events, book)",
    "another index of our name": "DROP INDEX unfinished; CREATE INDEX unfinished ON matches (upper(game))",
}


@pytest.mark.parametrize("what", ACTS)
def test_a_store_in_which_something_acts_is_not_written(closed: Path, match: str, what: str, tmp_path: Path) -> None:
    """It is read, checked and backed up; nothing is written to it, and a copy is not written to either."""
    put_in(closed, ACTS[what])
    before = closed.read_bytes()
    with pytest.raises(
        StoreError, match=r"could show or write something else.*not Kibitz's.*reading goes on",
    ) as caught:
        Store.open(closed)
    assert caught.value.exit_code == 7
    with Store.open(closed, write=False) as reader:
        assert reader.read(match)
        assert {c.kind for c in reader.faults()} == {"inserted"}
        copy = reader.backup(tmp_path / "copy.db")
    with pytest.raises(StoreError, match="not Kibitz's"):
        Store.open(copy)
    assert closed.read_bytes() == before


def test_a_copy_in_which_something_acts_is_not_accepted(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """To go on with a copy that lacks its end is to write to it."""
    store.append(match, [PASS])
    (tmp_path / "copy.db").write_bytes(path.read_bytes())
    put_in(tmp_path / "copy.db", ACTS["a trigger"])
    with pytest.raises(StoreError, match="a trigger is not Kibitz's"):
        accept_lost_end(tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db", write=False) as reader:
        assert reader.matches()[0].game == "kaiser"


def test_a_trigger_acts_if_nobody_looks(closed: Path, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the look at the opening, a trigger changes what is listed in the middle of an append."""
    put_in(closed, ACTS["a trigger"])
    monkeypatch.setattr("records.sqlite.connecting.foreign_in", lambda conn: [])
    with Store.open(closed) as store:
        store.append(match, [PASS])
        assert store.backend.conn.execute("SELECT game FROM matches").fetchone() == ("yaniv",)


@pytest.mark.parametrize("name", a_few(["runs", "recent", "matches", "books", "migrations", "sealed", "keys"], 2))
@pytest.mark.parametrize("write", [True, False])
def test_a_view_in_the_place_of_a_table_costs_nothing(closed: Path, name: str, write: bool) -> None:
    """Given a view without an end that is called like a table, then it is refused before it is asked anything."""
    put_in(closed, f"DROP TABLE {name}; CREATE VIEW {name.title()} AS {ENDLESS}")
    began = time.process_time()
    with pytest.raises(StoreError, match=r"a view stands in the place|another program"):
        Store.open(closed, write=write)
    assert time.process_time() - began < 2


def test_an_endless_view_is_waited_for_otherwise(closed: Path) -> None:
    """The control: asked what a reader asks at its opening, the same file does not come to an end."""
    put_in(closed, f"DROP TABLE books; CREATE VIEW books(book) AS {ENDLESS}")
    conn = sqlite3.connect(closed)
    conn.set_progress_handler(lambda: 1, 3_000_000)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        conn.execute("SELECT book FROM books ORDER BY book").fetchone()
    conn.close()


REDEFINED = {
    "computed": ('beside TEXT NOT NULL', "\"beside\" TEXT NOT NULL GENERATED ALWAYS AS ('mallory') VIRTUAL"),
    "checked": (' n INTEGER NOT NULL', ' "n" INTEGER NOT NULL CHECK (length(randomblob(1000000)) > n)'),
    "compared otherwise": ('match TEXT NOT NULL', '"match" TEXT NOT NULL COLLATE NOCASE'),
    "hidden in a comment": (
        ' n INTEGER NOT NULL', ' "n" INTEGER NOT NULL /*\'*/ CHECK (length(randomblob(1000000)) > n) /*\'*/',
    ),
    "hidden behind a column": (
        'leaves BLOB NOT NULL', '"leaves" BLOB NOT NULL, "check" TEXT, CHECK (length("check") > 0)',
    ),
    "of another type": ('payload TEXT', '"payload" INTEGER'),
    "called otherwise": ('payload TEXT', '"payloaf" TEXT'),
    "filled by itself": ('leaves BLOB NOT NULL', "\"leaves\" BLOB NOT NULL, more DEFAULT (randomblob(1000000))"),
}


@pytest.mark.parametrize("what", REDEFINED)
def test_a_table_defined_otherwise_is_refused(closed: Path, what: str) -> None:
    """A column that computes, checks or compares in its own way could show something else than what was recorded."""
    redefined(closed, "runs", *REDEFINED[what])
    for write in (True, False):
        with pytest.raises(StoreError, match=r"the table runs is not defined as it was made|the store is damaged"):
            Store.open(closed, write=write)


@pytest.mark.parametrize(
    ("old", "new"), [('beside TEXT', '[BESIDE]  text'), (' pos INTEGER NOT NULL', ' `pos`\nINTEGER NOT  NULL')],
)
def test_spelling_is_no_matter(closed: Path, match: str, old: str, new: str) -> None:
    """Other versions of the tools spell the same table in other ways."""
    redefined(closed, "runs", old, new)
    with Store.open(closed) as store:
        store.append(match, [PASS])
        assert store.faults() == []


def test_what_sqlite_keeps_for_itself_is_no_matter(closed: Path) -> None:
    put_in(closed, "ANALYZE")
    with Store.open(closed) as store:
        assert store.faults() == []


def test_the_list_agrees_with_the_steps(store: Store) -> None:
    """A new store holds nothing foreign, and all that the list names; so a step that is forgotten here is found."""
    from records.sqlite.tables import INDEXES, TABLES, VIEWS

    assert foreign_in(store.backend.conn) == []
    names = {name for (name,) in store.backend.conn.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")}
    assert names == {*TABLES, *INDEXES, *VIEWS}


def test_files_are_opened_with_care(
    path: Path, store: Store, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever connects to a store: no function of a schema is trusted, and the cells of its pages are looked at."""
    seen: list[sqlite3.Connection] = []

    class Kept(sqlite3.Connection):
        def close(self) -> None:
            seen.append(self)
            assert [
                self.execute(f"PRAGMA {name}").fetchone() for name in ("trusted_schema", "cell_size_check")
            ] == [(0,), (1,)]
            super().close()

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Kept, **k))
    with Store.open(path, write=False) as reader:
        reader.backup(tmp_path / "b.db")
    Store.open(path).close()
    accept_lost_end(path)
    assert len(seen) >= 4
    assert len(_GUARDS) == 2


# Bytes after a sealed blob


def test_bytes_after_a_sealed_match_are_reported(path: Path, store: Store, match: str) -> None:
    """Given a sealed match to whose blob something was added, then reading refuses it and verify names it."""
    store.append(match, [PASS] * 40)
    store.seal(match, unfinished=True)
    assert store.verify(HOME).found == []
    for added in (b"\0", b"a secret", b"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00"):
        store.backend.conn.execute("UPDATE sealed SET body = CAST(body || ? AS BLOB)", (added,))
        with pytest.raises(StoreError, match="more bytes stand in the sealed match than were sealed"):
            store.read(match)
        (one,) = [c for c in store.verify(HOME).found if c.kind == "edited"]
        assert "more bytes stand" in one.text
        store.backend.conn.execute("UPDATE sealed SET body = substr(body, 1, length(body) - ?)", (len(added),))
        assert store.verify(HOME).found == []


def test_bytes_after_a_sealed_match_are_passed_over_otherwise(
    store: Store, match: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: the library that takes the blob apart passes over what follows it."""
    store.append(match, [PASS])
    store.seal(match, unfinished=True)
    store.backend.conn.execute("UPDATE sealed SET body = CAST(body || x'00' AS BLOB)")
    monkeypatch.setattr("records.sealed_codec._end_of_frame", len)
    assert store.verify(HOME).found == []
