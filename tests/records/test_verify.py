"""Verification says what was done to a store: which kind of change, and where."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from plain_rows import file_tail, forge, plain_rows
from sampling import a_few, examples

from events.errors import NotFoundError, StoreError, UnreadableError, UsageError
from events.model import Call, Recorded
from records import HOME, Store
from records.hashes import NO_PREVIOUS, leaf_hash, row_digest
from records.proof.signing import signed_path
from records.sqlite.schema import DIGESTED

COLUMNS = "pos, match, n, type, version, time, recorder, key, prev, payload"


def said(i: int) -> Recorded:
    return Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann")


@pytest.fixture
def book(store: Store) -> Store:
    """Two matches, their events mixed: positions 1 to 22 of the book; signed after 12 and at the end."""
    one = store.create_match({}, game="kaiser", match="one")
    two = store.create_match({}, game="kaiser", match="two")
    for i in range(10):
        store.append(one, [said(i)], key=f"k{i}" if i % 3 == 0 else "")
        store.append(two, [said(100 + i)])
        if i == 4:
            store.sign(HOME)
    store.sign(HOME)
    return store


Hand = Callable[[sqlite3.Connection], object]


def renumber(conn: sqlite3.Connection, match: str, pos: int, by: int) -> None:
    """Close the gap left at `pos`, or make room there, in the book and in the match; hashes stay as they are."""
    (n,) = conn.execute("SELECT coalesce(max(n), -1) FROM events WHERE match = ? AND pos < ?", (match, pos)).fetchone()
    order = "DESC" if by > 0 else "ASC"
    for (at,) in conn.execute(f"SELECT pos FROM events WHERE pos >= ? ORDER BY pos {order}", (pos,)).fetchall():
        conn.execute("UPDATE events SET pos = pos + ? WHERE pos = ?", (by, at))
    for (at,) in conn.execute(
        f"SELECT n FROM events WHERE match = ? AND n > ? ORDER BY n {order}", (match, n)
    ).fetchall():
        conn.execute("UPDATE events SET n = n + ? WHERE match = ? AND n = ?", (by, match, at))
    set_heads(conn)


def set_heads(conn: sqlite3.Connection) -> None:
    """Make the entries of book and matches agree with the events that are there, check sums too."""
    conn.execute("UPDATE books SET head = (SELECT max(pos) FROM events)")
    conn.execute("UPDATE matches SET last = (SELECT max(n) FROM events e WHERE e.match = matches.match)")
    for table, columns in DIGESTED.items():
        for row in conn.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall():
            same = " AND ".join(f"{c} IS ?" for c in columns)
            conn.execute(f"UPDATE {table} SET digest = ? WHERE {same}", (row_digest(*row), *row))


def rehash(conn: sqlite3.Connection) -> None:
    """Compute every hash anew, as somebody would who knows how it is done."""
    tips: dict[str, bytes] = {}
    for pos, match, n, type_, v, *texts, _, payload in conn.execute(
        f"SELECT {COLUMNS} FROM events ORDER BY pos"
    ).fetchall():
        prev = tips.get(match, NO_PREVIOUS)
        time, recorder, key = (t.encode() for t in texts)
        tips[match] = leaf_hash(
            b"home", pos, match.encode(), n, type_.encode(), v, time, recorder, key, prev, payload.encode()
        )
        conn.execute("UPDATE events SET prev = ?, leaf = ? WHERE pos = ?", (prev, tips[match], pos))
    where = "WHERE e.match = keys.match AND e.key = keys.key"
    conn.execute(f"DELETE FROM keys WHERE NOT EXISTS (SELECT 1 FROM events e {where})")
    conn.execute(f"UPDATE keys SET (first, last) = (SELECT min(n), max(n) FROM events e {where})")
    set_heads(conn)


def change(conn: sqlite3.Connection, pos: int) -> None:
    conn.execute("UPDATE events SET payload = replace(payload, '\"amount\":', '\"amount\":7') WHERE pos = ?", (pos,))


def edit_with_leaf(conn: sqlite3.Connection) -> None:
    """The content and its own leaf, but not what follows."""
    change(conn, 8)
    row = conn.execute(f"SELECT {COLUMNS} FROM events WHERE pos = 8").fetchone()
    pos, match, n, type_, v, time, recorder, key, prev, payload = row
    leaf = leaf_hash(
        b"home", pos, match.encode(), n, type_.encode(), v, time.encode(), recorder.encode(), key.encode(), prev,
        payload.encode()
    )
    conn.execute("UPDATE events SET leaf = ? WHERE pos = 8", (leaf,))


def swap_payloads(conn: sqlite3.Connection) -> None:
    a, b = (conn.execute("SELECT payload FROM events WHERE pos = ?", (p,)).fetchone()[0] for p in (7, 11))
    conn.execute("UPDATE events SET payload = ? WHERE pos = 7", (b,))
    conn.execute("UPDATE events SET payload = ? WHERE pos = 11", (a,))


def swap_rows(conn: sqlite3.Connection, a: int = 7, b: int = 11) -> None:
    """Whole rows, with their hashes: only the numbers change."""
    (n, m) = (conn.execute("SELECT n FROM events WHERE pos = ?", (p,)).fetchone()[0] for p in (a, b))
    conn.execute("UPDATE events SET pos = -1, n = -1 WHERE pos = ?", (a,))
    conn.execute("UPDATE events SET pos = ?, n = ? WHERE pos = ?", (a, n, b))
    conn.execute("UPDATE events SET pos = ?, n = ? WHERE pos = -1", (b, m))


def delete(conn: sqlite3.Connection, *positions: int, close: bool = False) -> None:
    for pos in sorted(positions, reverse=True):
        (match,) = conn.execute("SELECT match FROM events WHERE pos = ?", (pos,)).fetchone()
        conn.execute("DELETE FROM events WHERE pos = ?", (pos,))
        if close:
            renumber(conn, match, pos, -1)


def insert(conn: sqlite3.Connection, pos: int, *, hashed: bool) -> None:
    (match, n) = conn.execute("SELECT match, n FROM events WHERE pos = ?", (pos,)).fetchone()
    renumber(conn, match, pos, 1)
    prev = conn.execute("SELECT leaf FROM events WHERE match = ? AND n = ?", (match, n - 1)).fetchone()[0]
    payload = '{"event":{"by":"S","verb":"pass"}}'
    leaf = leaf_hash(b"home", pos, match.encode(), n, b"pass", 1, b"", b"", b"", prev, payload.encode())
    conn.execute(
        "INSERT INTO events (book, pos, match, n, type, version, time, recorder, key, payload, prev, leaf)"
        " VALUES ('home', ?, ?, ?, 'pass', 1, '', '', '', ?, ?, ?)",
        (pos, match, n, payload, prev, leaf if hashed else bytes(32)),
    )
    set_heads(conn)


def both(*hands: Hand) -> Hand:
    def work(conn: sqlite3.Connection) -> None:
        for hand in hands:
            hand(conn)

    return work


TAMPERED: dict[str, tuple[Hand, list[tuple[str, int, int]]]] = {
    "a payload edited": (lambda c: change(c, 9), [("edited", 9, 9)]),
    "the first event edited": (lambda c: change(c, 3), [("edited", 3, 3)]),
    "the last event edited": (lambda c: change(c, 22), [("edited", 22, 22)]),
    "two edited": (both(lambda c: change(c, 9), lambda c: change(c, 15)), [("edited", 9, 9), ("edited", 15, 15)]),
    "a time edited": (
        lambda c: c.execute("UPDATE events SET time = '2020-01-01T00:00:00.000Z' WHERE pos = 9"),
        [("edited", 9, 9)],
    ),
    "a recorder edited": (lambda c: c.execute("UPDATE events SET recorder = 'bob' WHERE pos = 9"), [("edited", 9, 9)]),
    "a type edited": (lambda c: c.execute("UPDATE events SET type = 'pass' WHERE pos = 9"), [("edited", 9, 9)]),
    "a version edited": (lambda c: c.execute("UPDATE events SET version = 2 WHERE pos = 9"), [("edited", 9, 9)]),
    "a leaf edited": (lambda c: c.execute("UPDATE events SET leaf = zeroblob(32) WHERE pos = 9"), [("edited", 9, 9)]),
    "an event edited with its leaf": (edit_with_leaf, [("edited", 8, 8)]),
    "an event deleted": (lambda c: delete(c, 9), [("deleted", 9, 9)]),
    "three events deleted": (lambda c: delete(c, 9, 10, 11), [("deleted", 9, 11)]),
    "an opening deleted": (lambda c: delete(c, 1), [("deleted", 1, 1)]),
    "an event deleted and the gap closed": (lambda c: delete(c, 9, close=True), [("deleted", 9, 9)]),
    "two events deleted and the gaps closed": (
        lambda c: delete(c, 9, 15, close=True),
        [("deleted", 9, 9), ("deleted", 15, 15)],
    ),
    "an event inserted": (lambda c: insert(c, 9, hashed=True), [("inserted", 9, 9)]),
    "an event inserted with a wrong hash": (lambda c: insert(c, 9, hashed=False), [("inserted", 9, 9)]),
    "two contents swapped": (swap_payloads, [("swapped", 7, 11)]),
    "two events swapped": (swap_rows, [("swapped", 7, 11)]),
    "neighbours of two matches swapped": (lambda c: swap_numbers(c, 7, 8), [("swapped", 7, 8)]),
    "the end cut": (both(lambda c: delete(c, 21, 22), set_heads), [("cut", 21, 22)]),
    "the end cut, heads left": (lambda c: delete(c, 22), [("cut", 22, 22)]),
    "all cut": (lambda c: delete(c, *range(1, 23)), [("cut", 1, 22)]),
    # Whoever knows how it is done leaves no trace in the book itself; the checkpoints still tell between which it was.
    "an edit with everything hashed anew": (both(lambda c: change(c, 9), rehash), [("forked", 1, 12)]),
    "a late edit with everything hashed anew": (both(lambda c: change(c, 18), rehash), [("forked", 13, 22)]),
    "a deletion with everything hashed anew": (
        both(lambda c: delete(c, 15, close=True), rehash),
        [("cut", 22, 22)],
    ),
    "an insertion with everything hashed anew": (
        both(lambda c: insert(c, 15, hashed=True), rehash), [("forked", 13, 22)],
    ),
    "a swap with everything hashed anew": (both(lambda c: swap_rows(c, 15, 19), rehash), [("forked", 13, 22)]),
}  # fmt: skip


def swap_numbers(conn: sqlite3.Connection, a: int, b: int) -> None:
    """Only the places in the book."""
    conn.execute("UPDATE events SET pos = -1 WHERE pos = ?", (a,))
    conn.execute("UPDATE events SET pos = ? WHERE pos = ?", (a, b))
    conn.execute("UPDATE events SET pos = ? WHERE pos = -1", (b,))


@pytest.mark.parametrize("name", a_few(TAMPERED, 6))
def test_what_was_done_is_named_with_its_place(book: Store, name: str) -> None:
    """Given a signed book, when somebody changes the file behind our back, then verify says what and where."""
    assert book.verify(HOME).found == []
    hand, expected = TAMPERED[name]
    with plain_rows(book.backend.conn) as conn:
        hand(conn)
    places = [(c.kind, c.first, c.last) for c in book.verify(HOME).found if c.first]
    assert places == expected


RUNS = {
    "a payload as bytes": "payload = CAST(payload AS BLOB)",
    "a line too many": "payload = payload || char(10) || '{}'",
    "a line too few": "payload = substr(payload, instr(payload, char(10)) + 1)",
    "what stands beside": "beside = replace(beside, ':', ';')",
    "nothing beside": "beside = ''",
    "a name that is not known": "beside = '{\"evil\":1}'",
    "a leaf too few": "leaves = substr(leaves, 33)",
    "no leaf": "leaves = x''",
    "the end": "last_pos = last_pos + 1",
    "the number": "events = events + 1",
    "the number as text": "events = 'x'",
    "the place": "pos = pos + 1",
    "the place as text": "pos = 'x'",
    "the place in the match": "n = n + 1",
    "another book": "book = 'else'",
}


@pytest.mark.parametrize("name", a_few(RUNS, 5))
def test_a_run_that_is_not_whole_is_reported(book: Store, path: Path, name: str) -> None:
    """Given a change by which a row of several events does not come apart, then nothing is shown in their place, and
    verify names them; the other match is read as before."""
    file_tail(book.backend.conn)
    before = book.read("two")
    book.backend.conn.execute("PRAGMA foreign_keys = OFF")
    book.backend.conn.execute(f"UPDATE runs SET {RUNS[name]} WHERE match = 'one' AND n = 0")
    found = book.verify(HOME).found
    assert found
    if "book" not in name and "text" not in name:
        assert any(c.first and c.match in ("one", "") for c in found), found
    assert book.read("two") == before

    def look() -> None:
        book.read("one")
        book.check()

    with pytest.raises(StoreError):
        look()


def test_what_was_added_last_is_verified_before_it_is_filed(book: Store) -> None:
    """Given a change to what is not filed yet, then verify names it, and nothing is written on top of it."""
    last = book.append("one", [said(7), said(8)], key="late").last
    for change, kind in (
        ("payload = replace(payload, ':8', ':9')", "edited"), ("fingerprint = 'x'", "edited"),
        ("changed = ''", "edited"), ("key = 'other'", "edited"), ("n = n + 1", "edited"), ("beside = '{}'", "edited"),
    ):  # fmt: skip
        conn = book.backend.conn
        conn.execute("BEGIN")
        conn.execute(f"UPDATE recent SET {change} WHERE place = (SELECT max(place) FROM recent)")
        try:
            assert kind in {c.kind for c in book.verify(HOME).found}, change
        finally:
            conn.execute("ROLLBACK")
    assert book.verify(HOME).found == []
    book.backend.conn.execute("UPDATE recent SET fingerprint = 'x'")
    with Store.open(book.path) as other, pytest.raises(StoreError, match="what was added last is not what was written"):
        other.set_over("two", True)
    assert book.length("one") == last + 1


def test_what_is_written_is_found_to_be_so(book: Store, path: Path) -> None:
    done = book.verify(HOME)
    assert (done.size, done.signed, done.checkpoints, done.found) == (22, 22, 2, [])
    assert done.root == book.sign(HOME).root.hex()
    book.append("one", [said(5)])
    done = book.verify(HOME)
    assert (done.size, done.signed, done.found) == (23, 22, [])
    with Store.open(path, write=False) as reader:
        assert reader.verify(HOME) == done
        assert reader.faults() == []


@pytest.mark.parametrize("name", [name for name in TAMPERED if "anew" in name])
def test_an_earlier_checkpoint_is_enough(book: Store, name: str) -> None:
    """Given only a slip of paper, and a store whose own checkpoints were thrown away, the change is found all the
    same."""
    final = book.sign(HOME)
    with plain_rows(book.backend.conn) as conn:
        TAMPERED[name][0](conn)
    book.backend.conn.execute("DELETE FROM checkpoints")
    signed_path(book.path).unlink()
    assert book.verify(HOME).found == [], "nothing in the file gives it away"
    assert {c.kind for c in book.verify(HOME, final).found} <= {"forked", "cut"}
    assert book.verify(HOME, final).found != []


def test_a_checkpoint_by_somebody_else_proves_nothing(book: Store, tmp_path: Path) -> None:
    """It must not make an honest store look forged; nor is one of another book of any use."""
    with Store.open(tmp_path / "other.db") as other:
        other.create_match({}, game="kaiser")
        foreign = other.sign(HOME)
    with pytest.raises(UnreadableError, match="not signed with a key of this store"):
        book.verify(HOME, foreign)
    book.create_match({}, game="kaiser", book="club")
    with pytest.raises(UsageError, match="is of book 'club'"):
        book.verify(HOME, book.sign("club"))
    with pytest.raises(NotFoundError):
        book.verify("nowhere")


def test_a_store_made_up_anew_is_found_by_the_old_key(book: Store, tmp_path: Path) -> None:
    """Given the public key the table was told, a store with another key and another history is caught."""
    (old,) = book.public_keys()
    slip = book.sign(HOME)
    with Store.open(tmp_path / "other.db") as other:
        other.create_match({}, game="kaiser", match="one")
        other.append("one", [said(9)] * 30)
        other.sign(HOME)
        found = [(c.kind, c.first, c.last) for c in other.verify(HOME, slip, [old]).found]
        assert found == [("forked", 1, 22), ("foreign", 23, 31)], "and what its own key signed counts for nothing"


BESIDE = {
    "a game": "UPDATE matches SET game = 'yaniv'",
    "a moment": "UPDATE matches SET changed = '2020-01-01T00:00:00.000Z'",
    "an end": "UPDATE matches SET is_over = 1",
    "a length": "UPDATE matches SET last = 3",
    "a head": "UPDATE books SET head = 21",
    "a fingerprint": "UPDATE keys SET fingerprint = 'x'",
    "a submission key lost": "DELETE FROM keys WHERE key = 'k3'",
    "a root": "UPDATE checkpoints SET root = 'x' WHERE size = 12",
    "a note": "UPDATE checkpoints SET note = replace(note, '12', '13') WHERE size = 12",
    "a match not listed": "UPDATE matches SET book = 'else'",
}


@pytest.mark.parametrize("name", a_few(BESIDE, 3))
def test_what_stands_beside_the_events_is_looked_at_too(book: Store, name: str) -> None:
    book.backend.conn.execute("PRAGMA foreign_keys = OFF")
    forge(book.backend.conn, BESIDE[name])
    assert book.verify(HOME).found != []


def test_nobody_is_accused_while_others_write(
    path: Path, store: Store, match: str, writing: Callable[[Path, str], AbstractContextManager[None]]
) -> None:
    """Given a program that appends and signs without a pause, then every verification finds the book as written."""
    sizes: set[int] = set()
    rounds = 0
    with writing(path, match):
        deadline = time.monotonic() + 300
        # How often is up to us, how far the other gets meanwhile up to the disk: one may take seconds for a sync.
        while rounds < 40 or (len(sizes) < 5 and time.monotonic() < deadline):
            rounds += 1
            with Store.open(path, write=False, timeout=10) as reader:
                done = reader.verify(HOME)
                assert (done.found, reader.warnings) == ([], [])
                sizes.add(done.size)
    assert len(sizes) >= 5


@examples(60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_single_change_is_found_where_it_is(book: Store, data: st.DataObject) -> None:
    """Wherever it is done: edited, deleted, inserted, swapped. Taken back afterwards, the book is whole again."""
    conn = book.backend.conn
    conn.execute("BEGIN")
    try:
        expected = _changed(conn, data)
        assert [(c.kind, c.first, c.last) for c in book.verify(HOME).found if c.first] == [expected]
    finally:
        conn.execute("ROLLBACK")
    assert book.verify(HOME).found == []


def _changed(book: sqlite3.Connection, data: st.DataObject) -> tuple[str, int, int]:
    """Something is changed; what it should be called, and where."""
    with plain_rows(book) as conn:
        what = data.draw(st.sampled_from(["edited", "deleted", "closed", "inserted", "swapped", "contents"]))
        pos = data.draw(st.integers(3, 22))
        if what == "edited":
            change(conn, pos)
            expected = ("edited", pos, pos)
        elif what in ("deleted", "closed"):
            pos = min(pos, 20)
            delete(conn, pos, close=what == "closed")
            expected = ("deleted", pos, pos)
        elif what == "inserted":
            insert(conn, pos, hashed=data.draw(st.booleans()))
            expected = ("inserted", pos, pos)
        else:
            other = data.draw(st.integers(3, 22).filter(lambda o: o != pos))
            pos, other = sorted((pos, other))
            same = conn.execute(
                "SELECT count(DISTINCT match) FROM events WHERE pos IN (?, ?)", (pos, other),
            ).fetchone() == (1,)
            if what == "swapped" and same:
                swap_rows(conn, pos, other)
            else:
                one, two = (
                    conn.execute("SELECT payload FROM events WHERE pos = ?", (p,)).fetchone()[0] for p in (pos, other)
                )
                conn.execute("UPDATE events SET payload = ? WHERE pos = ?", (two, pos))
                conn.execute("UPDATE events SET payload = ? WHERE pos = ?", (one, other))
            expected = ("swapped", pos, other)
    return expected
