"""A sealed match is one row: the same bytes, the same proofs, nothing added before it is opened again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_rows import events_in, file_tail, forge
from sampling import a_few, examples

from cli.app import run_command_line
from events.errors import ConflictError, NotFoundError, StoreError, UnreadableError, UsageError
from events.model import Call, Fix, Note, Pass, Recorded
from records import HOME, Appended, SealedError, StaleWriterError, Store, export_jsonl, sealed_codec
from records.bundle import make_bundle
from records.merkle import TILE
from records.rows import EventLine
from records.sealed_codec import DICTIONARIES, seal_lines, unpack
from records.verify_bundle import verify


def said(i: int, text: str = "") -> Recorded:
    return Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann", text=text)


@pytest.fixture
def book(store: Store) -> Store:
    """Two matches, their events mixed, `one` over and signed; submission keys on some events of both."""
    for name in ("one", "two"):
        store.create_match({"Seats": ["N", "S"]}, game="kaiser", match=name, key=f"open {name}")
    for i in range(12):
        store.append("one", [said(i), said(i + 100, "two at once")], key=f"k{i}" if i % 2 else "")
        store.append("two", [said(i)])
    store.set_over("one", True)
    return store


def state(store: Store) -> list[object]:
    """All that a reader sees, but for whether a match is sealed."""
    seen: list[object] = [[(m.match, m.last, m.changed, m.facts, m.over) for m in store.matches()], store.books()]
    for row in store.matches():
        seen += [store.read(row.match), store.read(row.match, after=3), store.length(row.match), store.lines(row.match)]
    seen += [
        store.tail(), store.tail(after=7, limit=5), store.tail(after=30), store.leaves(HOME, store.books()[0].head),
    ]
    return [*seen, store.find("on"), store.last_open_match()]


def test_nothing_changes_for_a_reader(book: Store, path: Path) -> None:
    """Sealed and unsealed: the same events, positions, listings, leaves; every row is back as it was."""
    tables = ("books", "matches", "keys", "sealed")
    before = state(book)
    file_tail(book.backend.conn)
    rows = [book.backend.conn.execute(f"SELECT * FROM {t} ORDER BY 1, 2").fetchall() for t in tables]
    events = events_in(book.backend.conn)
    done = book.seal("one")
    assert (done.match, done.events) == ("one", 25)
    assert book.backend.conn.execute("SELECT count(*) FROM runs WHERE match = 'one'").fetchone() == (0,)
    assert book.backend.conn.execute("SELECT key FROM keys WHERE match = 'one'").fetchall() == [("open one",)]
    assert state(book) == before
    assert {m.match: m.sealed for m in book.matches()} == {"one": True, "two": False}
    book.check()
    with Store.open(path, write=False) as reader:
        assert state(reader) == before
    assert book.seal("one") == done
    assert book.unseal("one") == book.unseal("one") == 25
    now = [book.backend.conn.execute(f"SELECT * FROM {t} ORDER BY 1, 2").fetchall() for t in tables]
    assert [r[:4] for r in now[0]] == [r[:4] for r in rows[0]]
    assert now[1:] == rows[1:]
    assert events_in(book.backend.conn) == events


def test_the_proofs_hold(book: Store, tmp_path: Path) -> None:
    """A checkpoint from before agrees with the sealed book, and a bundle made from it is the one made before."""
    slip = book.sign(HOME)
    bundle = make_bundle(book, "one")
    book.seal("one")
    assert make_bundle(book, "one") == bundle
    assert verify(json.loads(bundle), None, slip.note)
    done = book.verify(HOME, slip)
    assert (done.found, done.size, done.root) == ([], 38, slip.root.hex())
    assert book.faults() == []
    book.append("two", [said(1)])
    book.sign(HOME)
    assert book.verify(HOME, slip).found == []


def test_nothing_is_added_to_a_sealed_match(book: Store) -> None:
    """Not by an append, stale or not, nor by a longer file; a retry still has its first answer."""
    whole = book.read("one")
    first = book.append("one", [said(1), said(101, "two at once")], key="k1")
    book.seal("one")
    before = state(book)
    for expect in (None, 24, 3):
        with pytest.raises(SealedError, match=r"match one: the match is sealed.*--unseal one"):
            book.append("one", [said(5)], expect=expect)
    with pytest.raises(SealedError):
        book.append("one", [said(5)], key="new")
    assert book.append("one", [said(1), said(101, "two at once")], key="k1") == first == Appended(3, 4, repeated=True)
    with pytest.raises(ConflictError, match=r"'k1' was used for events 3 to 4"):
        book.append("one", [said(1)], key="k1")
    assert book.create_match({"Seats": ["N", "S"]}, game="kaiser", match="one", key="open one") == "one"
    assert book.import_match("one", whole, game="kaiser").status == "same"
    assert book.import_match("one", whole[:7], game="kaiser").status == "same"
    with pytest.raises(SealedError):
        book.import_match("one", [*whole, Recorded(n=25, event=Pass(by="S"))], game="kaiser")
    assert state(book) == before


def test_a_later_correction_needs_the_match_opened(book: Store) -> None:
    """Unsealed, a fix goes in as it would have; keys that came with the match are known as before; sealed again it
    holds."""
    slip = book.sign(HOME)
    book.seal("one")
    book.unseal("one")
    assert book.append("one", [said(1), said(101, "two at once")], key="k1").repeated
    fix = Recorded(n=0, event=Fix(by="@", at=3, how="strike"))
    assert book.append("one", [fix], expect=24, key="late") == Appended(25, 25)
    book.seal("one")
    assert book.read("one")[-1].event == fix.event
    assert book.append("one", [fix], key="late").repeated
    assert book.verify(HOME, slip).found == []


def test_only_what_is_over_is_sealed(book: Store) -> None:
    with pytest.raises(UsageError, match="match two is not over"):
        book.seal("two")
    assert book.to_seal() == ["one"]
    assert book.to_seal("elsewhere") == []
    assert [s.match for s in book.seal_all(book.to_seal())] == ["one"]
    assert book.to_seal() == []
    assert book.last_open_match() == "two"
    book.seal("two", unfinished=True)
    assert book.last_open_match() is None
    with pytest.raises(NotFoundError):
        book.seal("three")
    with pytest.raises(NotFoundError):
        book.unseal("three")


@pytest.mark.parametrize(
    "harm",
    a_few([
        "UPDATE events SET payload = replace(payload, '103', '104') WHERE match = 'one' AND n = 8",
        "UPDATE events SET time = '' WHERE match = 'one' AND n = 8",
        "UPDATE events SET leaf = zeroblob(32) WHERE match = 'one' AND n = 24",
        "UPDATE events SET payload = CAST(payload AS BLOB) || x'0a' WHERE match = 'one' AND n = 8",
        "UPDATE events SET recorder = 7 WHERE match = 'one' AND n = 8",
        "DELETE FROM events WHERE match = 'one' AND n = 24",
        "DELETE FROM events WHERE match = 'one' AND n = 4",
        "DELETE FROM keys WHERE key = 'k3'",
        "UPDATE keys SET last = 9 WHERE key = 'k3'",
    ], 3),
)
def test_a_match_that_was_changed_is_not_sealed(book: Store, harm: str) -> None:
    """Sealing must not make a forged match look whole: it is refused, and the rows stay as evidence."""
    forge(book.backend.conn, harm)
    before = events_in(book.backend.conn)
    with pytest.raises(StoreError, match="not sealed"):
        book.seal("one")
    assert events_in(book.backend.conn) == before
    assert book.backend.conn.execute("SELECT count(*) FROM sealed").fetchone() == (0,)


def repacked(conn: sqlite3.Connection, n: int, **changed: object) -> None:
    """A sealed event edited by somebody who knows the form, but not the hashes."""
    (body,) = conn.execute("SELECT body FROM sealed").fetchone()
    lines = unpack(body, 1)
    lines[n] = lines[n]._replace(**changed)
    conn.execute("UPDATE sealed SET body = ?", (seal_lines(lines),))


HARM = {
    "a payload": lambda c: repacked(c, 4, payload=b'{"event":{"by":"S","verb":"pass"}}', type="pass"),
    "a time": lambda c: repacked(c, 4, time="2020-01-01T00:00:00.000Z"),
    "a key": lambda c: repacked(c, 4, key="other"),
    "the last event cut": lambda c: (
        c.execute(
            "UPDATE sealed SET body = ?, events = 24",
            (seal_lines(unpack(c.execute("SELECT body FROM sealed").fetchone()[0], 1)[:-1]),),
        )
    ),
    "the tip": lambda c: c.execute("UPDATE sealed SET tip = zeroblob(32)"),
    "the dictionary": lambda c: c.execute("UPDATE sealed SET dictionary = 2"),
    "the dictionary's kind": lambda c: c.execute("UPDATE sealed SET dictionary = 'x'"),
    "the blob": lambda c: c.execute("UPDATE sealed SET body = x'28b52ffd'"),
    "the blob gone": lambda c: c.execute("UPDATE sealed SET body = x''"),
    "the blob as text": lambda c: c.execute("UPDATE sealed SET body = 'x'"),
    "the place": lambda c: c.execute("UPDATE sealed SET first_pos = 2"),
    "the end": lambda c: c.execute("UPDATE sealed SET last_pos = 90"),
    "the number": lambda c: c.execute("UPDATE sealed SET events = 3"),
    "the name": lambda c: c.execute("UPDATE sealed SET match = 'else'"),
    "the book": lambda c: c.execute("UPDATE sealed SET book = 'else'"),
    "taken out": lambda c: c.execute("DELETE FROM sealed"),
    "said to be open": lambda c: c.execute("UPDATE matches SET is_sealed = 0 WHERE match = 'one'"),
    "said to be sealed": lambda c: c.execute("UPDATE matches SET is_sealed = 1 WHERE match = 'two'"),
    "a key of an opening": lambda c: c.execute("DELETE FROM keys WHERE match = 'one'"),
}


@pytest.mark.parametrize("name", a_few(HARM, 6))
def test_what_is_done_to_a_sealed_match_is_found(book: Store, name: str) -> None:
    """Without a checkpoint from elsewhere; and nobody who reads it crashes."""
    book.seal("one")
    book.backend.conn.execute("PRAGMA foreign_keys = OFF")
    assert book.verify(HOME).found == []
    HARM[name](book.backend.conn)
    found = book.verify(HOME).found
    assert found
    if name in ("a payload", "a time", "a key", "the tip", "the blob", "the dictionary"):
        assert [(c.kind, c.match, c.first, c.last) for c in found] == [("edited", "one", 1, 37)]
    for read in (book.matches, book.tail, lambda: book.read("one"), book.last_open_match, lambda: book.sign(HOME)):
        try:
            read()
        except (StoreError, NotFoundError):
            continue


def test_a_dictionary_of_a_later_kibitz_is_named(book: Store) -> None:
    book.seal("one")
    book.backend.conn.execute("UPDATE sealed SET dictionary = 99")
    with pytest.raises(StoreError, match=r"sealed with dictionary 99.*Use a newer Kibitz"):
        book.read("one")


def test_the_dictionaries_are_those_that_were_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was changed would make what it sealed unreadable: it is refused, and none is missing."""
    for number in DICTIONARIES:
        assert sealed_codec._bytes_of(number)
    monkeypatch.setitem(DICTIONARIES, 1, "0" * 16)
    with pytest.raises(StoreError, match="the dictionary was changed"):
        sealed_codec._bytes_of(1)


times = st.one_of(
    st.just(""), st.just("2026-03-14T20:05:11Z"), st.just("1969-12-31T23:59:59.999Z"),
    st.just("nonsense, 24 long, not it"), st.datetimes().map(lambda d: d.isoformat(timespec="milliseconds") + "Z"),
)  # fmt: skip
texts = st.text(max_size=12).filter(lambda t: t.encode("utf-8", "ignore").decode() == t)


@examples(150, derandomize=True, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 40), st.sampled_from(["pass", "open", "x"]), st.integers(1, 3), times, texts, texts, texts
        ),
        min_size=1,
        max_size=12,
    )
)
def test_whatever_is_packed_comes_out_the_same(rows: list[tuple[int, str, int, str, str, str, str]]) -> None:
    """Any gaps between positions, versions, odd times, names with any characters: byte for byte."""
    lines, pos = [], 0
    for n, (gap, verb, version, moment, who, key, text) in enumerate(rows):
        pos += gap + 1
        payload = json.dumps({"event": {"verb": verb}, "text": text}).encode()
        lines.append(EventLine(pos, n, verb, version, moment, who, key, payload))
    assert unpack(seal_lines(lines), 1) == lines


def test_what_would_not_come_out_the_same_is_not_packed() -> None:
    for payload in (b'{"event":{"verb":"pass"}}\n', b'{"event":{"verb":"play"}}', b"{", b""):
        with pytest.raises(UnreadableError):
            seal_lines([EventLine(1, 0, "pass", 1, "", "", "", payload)])


def test_import_seals_at_once(store: Store, book: Store, tmp_path: Path) -> None:
    """As if it had been imported and then sealed; again it is the same; longer it is refused."""
    whole = book.read("one")
    with Store.open(tmp_path / "a.db", clock=lambda: book._clock()) as a:
        a.import_match("one", whole, game="kaiser", sealed=True)
        a.import_match("two", book.read("two"), game="kaiser")
        assert a.backend.conn.execute("SELECT count(*) FROM runs WHERE match = 'one'").fetchone() == (0,)
        assert a.read("one") == whole
        assert a.import_match("one", whole, game="kaiser", sealed=True).status == "same"
        assert a.import_match("two", book.read("two"), game="kaiser", sealed=True).status == "same"
        assert [m.sealed for m in a.matches()] == [True, True]
        with pytest.raises(SealedError):
            a.import_match("one", [*whole, Recorded(n=25, event=Pass(by="S"))], game="kaiser", sealed=True)
        assert a.append("one", [said(1), said(101, "two at once")], key="k1").repeated
        assert a.create_match({"Seats": ["N", "S"]}, game="kaiser", match="one", key="open one") == "one"
        a.check()
        sealed = a.backend.conn.execute("SELECT * FROM sealed WHERE match = 'one'").fetchone()
        a.unseal("one")
        a.seal("one", unfinished=True)
        assert a.backend.conn.execute("SELECT * FROM sealed WHERE match = 'one'").fetchone() == sealed
        a.sign(HOME)
        assert a.verify(HOME).found == []


def test_many_at_once_are_one_commit(book: Store, path: Path) -> None:
    """Nothing is there before the end; what is refused inside harms nothing else; heads are signed after it."""
    opening = book.read("two")[:1]
    with Store.open(path, write=False) as other:
        with book.together():
            for i in range(3):
                book.import_match(f"new{i}", opening, game="kaiser", sealed=i == 1)
            with pytest.raises(ConflictError):
                book.import_match("new2", book.read("one")[:1], game="kaiser")
            with pytest.raises(StaleWriterError):
                book.append("two", [said(1)], expect=1)
            book.set_over("new2", True)
            with pytest.raises(UsageError), book.together():
                pass
            assert len(other.matches()) == 2
        assert len(other.matches()) == 5

    def broken_off() -> None:
        with book.together():
            book.append("two", [said(1)])
            book.set_over("two", True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken_off()
    assert not [m for m in book.matches() if m.match == "two" and m.over]
    done = book.verify(HOME)
    assert (done.found, done.size, done.signed) == ([], 41, 41)


def test_a_failure_of_the_database_takes_all_of_it_back(book: Store) -> None:
    """Also where the caller goes on: half of a commit that was promised whole is never written."""
    before = state(book)

    def go_on() -> None:
        with book.together():
            book.append("two", [said(1)])
            book.backend.conn.execute(
                "CREATE TEMP TRIGGER t BEFORE INSERT ON recent BEGIN SELECT RAISE(ABORT, 'broken'); END"
            )
            with pytest.raises(StoreError):
                book.append("two", [said(2)])
            book.backend.conn.execute("DROP TRIGGER t")
            with pytest.raises(StoreError):
                book.append("two", [said(3)])

    with pytest.raises(StoreError, match="so none of them is"):
        go_on()
    assert state(book) == before
    book.append("two", [said(3)])


def test_a_long_book_is_signed_by_its_tiles(store: Store, match: str) -> None:
    """The roots over every 1,024 leaves are kept when they are signed; the head is the same as without them, and what
    is done to a tile, or to the events since the last, is found."""
    notes = [Recorded(n=0, event=Note(by="@"), text="x")] * 700
    for _ in range(5):
        store.append(match, notes)
        made = store.sign(HOME)
        assert store.verify(HOME).root == made.root.hex()
    assert store.backend.conn.execute("SELECT count(*) FROM tiles").fetchone() == (3501 // TILE,)
    assert store.verify(HOME).found == []
    store.seal(match, unfinished=True)
    store.create_match({}, game="kaiser")
    assert store.verify(HOME).root == store.sign(HOME).root.hex()
    store.backend.conn.execute("UPDATE tiles SET root = zeroblob(32) WHERE number = 1")
    assert [c.text for c in store.verify(HOME).found] == ["events 1025 to 2048 are not those whose root was kept"]
    store.create_match({}, game="kaiser")
    with pytest.raises(StoreError, match="not signed"):
        store.sign(HOME)


SEAL_ON = """
import sys
from records import Store

with Store.open(sys.argv[1], timeout=30) as store:
    print("ready", flush=True)
    while True:
        store.seal("one")
        store.unseal("one")
"""


@pytest.mark.rest
def test_a_kill_while_sealing_loses_nothing(book: Store, path: Path) -> None:
    """SIGKILL at any moment of sealing and unsealing: the match is one or the other, whole; and readers see it all the
    while."""
    for i in range(3):
        book.append("one", [said(i, "x" * 200)] * 400)
    truth, slip = book.read("one"), book.sign(HOME)
    book.close()
    both = set()
    for i in range(40):
        if i >= 8 and both == {True, False}:
            break
        child = subprocess.Popen([sys.executable, "-c", SEAL_ON, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        until = time.monotonic() + 0.02 + 0.019 * (i % 13)
        while time.monotonic() < until:
            with Store.open(path, write=False, timeout=10) as reader:
                assert reader.read("one") == truth
                assert len(reader.tail(after=1000)) == 1238 - 1000
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        with Store.open(path) as store:
            both.add(store.matches()[0].sealed)
            assert store.read("one") == truth
            store.check()
            assert store.verify(HOME, slip).found == []
    assert both == {True, False}, "the kills must fall on both sides"


def test_the_room_goes_back_to_the_disk(book: Store, path: Path) -> None:
    for i in range(5):
        book.append("one", [said(i, "x" * 200)] * 800)
    book.seal("one")
    before = state(book)
    was, now = book.compact()
    assert now < was / 4
    assert path.stat().st_size == now
    assert state(book) == before
    book.append("two", [said(1)])
    book.check()


def test_many_are_sealed_some_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than fit into one commit; and one that cannot be sealed stops the rest, not what came before."""
    monkeypatch.setattr("records.store.AT_ONCE", 2)
    for i in range(5):
        store.create_match({}, game="kaiser", match=f"m{i}")
        if i != 3:
            store.set_over(f"m{i}", True)
    done = []
    with pytest.raises(UsageError, match="match m3 is not over"):
        done.extend(store.seal_all([f"m{i}" for i in range(5)]))
    assert [m.match for m in store.matches() if m.sealed] == ["m2", "m1", "m0"]
    assert [s.match for s in store.seal_all(store.to_seal())] == ["m4"]


def test_the_command(
    book: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path,
) -> None:
    """Sealed, listed, opened, sealed again; what does not go together is a matter of usage, what is shut a conflict."""
    whole = export_jsonl(book.read("one"))
    book.close()
    monkeypatch.setenv("KIBITZ_DB", str(book.path))

    def out(*command: str) -> tuple[int, str]:
        return run_command_line(list(command)), capsys.readouterr().out

    assert [out(*c)[0] for c in (("db", "seal"), ("db", "seal", "one", "--all"), ("db", "seal", "two"))] == [2, 2, 2]
    assert out("db", "seal", "--all", "--unseal")[0] == out("db", "seal", "one", "--book", HOME)[0] == 2
    code, told = out("db", "seal", "--all", "--compact")
    assert (code, told.split(" sealed in ")[0]) == (0, "one: 25 events")
    assert json.loads(out("list", "--json")[1])[0]["sealed"] is not json.loads(out("list", "--json")[1])[1]["sealed"]
    assert out("export", "one", "--format", "jsonl")[1].encode() == whole
    assert out("verify", "one")[0] == out("db", "check")[0] == 0
    assert out("db", "seal", "--unseal", "one") == (0, "one: 25 events, open\n")
    assert json.loads(out("db", "seal", "one", "two", "--unfinished", "--json")[1])["sealed"][1]["match"] == "two"
    (tmp_path / "f.jsonl").write_bytes(whole)
    assert out("--db", str(tmp_path / "n.db"), "import", "--seal", str(tmp_path / "f.jsonl"))[0] in (0, 3)
    assert json.loads(out("--db", str(tmp_path / "n.db"), "list", "--json")[1])[0]["sealed"] is True
