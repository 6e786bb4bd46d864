"""Somebody with full access to the file changes what was recorded: verify says so, given a checkpoint from before.

Two kinds of forger. The crude one edits rows, numbers and check sums, but leaves the hashes of the events. The patient
one writes the whole book anew, so that all hashes agree with the forged history; only what the table carried away can
tell then.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from plain_rows import mend, plain_rows
from proof.harness import Kept, found_by_verify, proving, scratch, signed, sizes, submission

from events.model import Recorded
from records import HOME, BookEvent, Store

SIGNED = 40  # so many submissions are there when the checkpoint is taken
LATER = 6  # so many are added afterwards
MATCHES = ("kaiser-a", "kaiser-b")


def make(path: Path) -> tuple[Kept, int]:
    """A book of two matches, a checkpoint somewhere on the way, and how many events it covers."""
    with Store.open(path, timeout=5) as store:
        for match in MATCHES:
            store.create_match({"Seats": ["N", "E"]}, game="kaiser", match=match, key=f"open {match}")
        for i in range(SIGNED + LATER):
            if i == SIGNED:
                kept = signed(store)[HOME]
                size = store.books()[0].head
            drafts = [structs.replace(r, text=r.text[:60]) for r in submission(f"t-{i}")]
            store.append(MATCHES[i * i % 5 % 2], drafts, key=f"t-{i}")
    return kept, size


# The crude forger. Each takes the rows into its hands and says where it did so: a position, or a span.

Crude = Callable[[sqlite3.Connection, random.Random, int], tuple[int, int]]


def renumber(conn: sqlite3.Connection, order: list[tuple[int, str]]) -> None:
    """Give the events the places in which they stand in `order` (old position, match), each match its own numbers.

    Book, matches and keys follow, so that nothing but the hashes tells.
    """
    conn.execute("UPDATE events SET pos = -pos, n = -n - 1")
    numbers: dict[str, int] = {}
    for pos, (old, match) in enumerate(order, 1):
        n = numbers.get(match, -1) + 1
        numbers[match] = n
        conn.execute("UPDATE events SET pos = ?, n = ? WHERE pos = ?", (pos, n, -old))
    conn.execute("DELETE FROM events WHERE pos < 0")
    follow(conn)


def follow(conn: sqlite3.Connection) -> None:
    """Make all that counts events agree with the events that are there."""
    conn.execute("UPDATE books SET head = (SELECT max(pos) FROM events)")
    conn.execute("UPDATE matches SET last = (SELECT max(n) FROM events e WHERE e.match = matches.match)")
    conn.execute("DELETE FROM keys")
    rows = conn.execute("SELECT match, key, min(n), max(n) FROM events WHERE key <> '' GROUP BY match, key").fetchall()
    for match, key, first, last in rows:
        conn.execute(
            "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, '', ?, ?, '')",
            (match, key, first, last),
        )
    mend(conn)


def places(conn: sqlite3.Connection) -> list[tuple[int, str]]:
    return [(pos, match) for pos, match in conn.execute("SELECT pos, match FROM events ORDER BY pos")]


def inner(conn: sqlite3.Connection, chance: random.Random, size: int) -> int:
    """The position of an event that is signed and not an opening."""
    found = [pos for (pos,) in conn.execute("SELECT pos FROM events WHERE n > 0 AND pos <= ?", (size,))]
    return chance.choice(found)


def edit(column: str, value: object) -> Crude:
    def act(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
        pos = inner(conn, chance, size)
        conn.execute(f"UPDATE events SET {column} = ? WHERE pos = ?", (value, pos))
        return pos, pos

    return act


def delete_leaving_a_hole(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    pos = inner(conn, chance, size)
    conn.execute("DELETE FROM events WHERE pos = ?", (pos,))
    return pos, pos


def delete_and_close_up(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    pos = inner(conn, chance, size)
    renumber(conn, [place for place in places(conn) if place[0] != pos])
    return pos, pos


def insert(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    """A copy of some event, with a text of its own, put in before another."""
    pos = inner(conn, chance, size)
    order = places(conn)
    new = len(order) + 1
    match = chance.choice(MATCHES)
    conn.execute(
        "INSERT INTO events (book, pos, match, n, type, version, time, recorder, key, payload, prev, leaf)"
        " SELECT book, ?, ?, 100000, 'note', version, time, 'mallory', '', "
        "'{\"event\":{\"by\":\"@\",\"verb\":\"note\"}}', prev, leaf FROM events WHERE pos = ?",
        (new, match, pos),
    )
    opened = next(i for i, place in enumerate(order) if place[1] == match) + 1
    at = max(pos - 1, opened)
    renumber(conn, [*order[:at], (new, match), *order[at:]])
    return at + 1, at + 1


SAID = ("type", "version", "time", "recorder", "key", "payload")


def swap_contents(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    columns = ", ".join(SAID)
    for _ in range(1000):
        one, other = sorted((inner(conn, chance, size), inner(conn, chance, size)))
        rows = [conn.execute(f"SELECT {columns} FROM events WHERE pos = ?", (pos,)).fetchone() for pos in (one, other)]
        if rows[0] != rows[1]:
            break
    for pos, row in ((one, rows[1]), (other, rows[0])):
        conn.execute(f"UPDATE events SET ({columns}) = (?, ?, ?, ?, ?, ?) WHERE pos = ?", (*row, pos))
    follow(conn)
    return one, other


def swap_places(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    order = places(conn)
    while True:
        one, other = sorted((inner(conn, chance, size), inner(conn, chance, size)))
        if one != other and order[one - 1][1] == order[other - 1][1]:
            break
    order[one - 1], order[other - 1] = order[other - 1], order[one - 1]
    renumber(conn, order)
    return one, other


def cut(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    """The end is taken off, down to before the checkpoint."""
    upto = chance.randrange(3, size)
    conn.execute("DELETE FROM events WHERE pos > ?", (upto,))
    follow(conn)
    return upto + 1, size


def fork(conn: sqlite3.Connection, chance: random.Random, size: int) -> tuple[int, int]:
    """All events from somewhere on say something else."""
    since = inner(conn, chance, size)
    conn.execute("UPDATE events SET recorder = 'mallory', key = '' WHERE pos >= ?", (since,))
    follow(conn)
    return since, size


CRUDE: dict[str, tuple[str, Crude]] = {
    "payload edited": ("edited", edit("payload", '{"event":{"by":"N","cards":["2c"],"verb":"play"}}')),
    "type edited": ("edited", edit("type", "show")),
    "version edited": ("edited", edit("version", 7)),
    "time edited": ("edited", edit("time", "2020-01-01T00:00:00.000Z")),
    "recorder edited": ("edited", edit("recorder", "mallory")),
    "key edited": ("edited", edit("key", "another")),
    "deleted, a hole left": ("deleted", delete_leaving_a_hole),
    "deleted, closed up": ("deleted", delete_and_close_up),
    "inserted": ("inserted", insert),
    "contents swapped": ("swapped", swap_contents),
    "places swapped": ("swapped", swap_places),
    "cut": ("cut", cut),
    "forked": ("", fork),
}


@sizes(8, 500)
def test_what_a_crude_forger_did_is_named(size: int) -> None:
    """Edited, deleted, inserted, swapped, cut, forked: found, called so, and at the right position."""
    with proving(f"crude tampering, each kind x {size}") as proof, scratch() as directory:
        kept, covered = make(directory / "kibitz.db")
        forged = directory / "forged.db"
        for name, (kind, act) in CRUDE.items():
            for _ in range(size):
                shutil.copy(directory / "kibitz.db", forged)
                conn = sqlite3.connect(forged, isolation_level=None)
                conn.execute("BEGIN")
                with plain_rows(conn):
                    first, last = act(conn, proof.chance, covered)
                conn.execute("COMMIT")
                conn.close()
                with Store.open(forged, write=False, timeout=1) as store:
                    found = found_by_verify(store, HOME, kept)
                assert found, f"{name} at {first} to {last}: nothing found"
                proof.count(name)
                right = [c for c in found if c.kind == kind and c.first <= last and c.last >= first]
                if kind and not right:
                    proof.count(f"{name}: called otherwise")
                    proof.figures.setdefault("examples", []).append(
                        [name, first, last, [(c.kind, c.text) for c in found[:4]]]
                    )
        strange = {name: number for name, number in proof.figures.items() if name.endswith("otherwise")}
        assert not strange, strange


# The patient forger


def rewrite(events: list[BookEvent], path: Path) -> None:
    """A store of its own whose book `home` holds these events in this order: whole, and consistent in itself."""
    told: dict[str, list[Recorded]] = {}
    with Store.open(path, timeout=5) as store:
        for placed in events:
            log = told.setdefault(placed.match, [])
            log.append(structs.replace(placed.recorded, n=len(log)))
            store.import_match(placed.match, log, game="kaiser")


def forge(events: list[BookEvent], name: str, chance: random.Random, size: int) -> list[BookEvent]:
    """Another history of the same evening."""
    inner = [i for i, placed in enumerate(events[:size]) if placed.recorded.n > 0]
    events, at, other = list(events), chance.choice(inner), chance.choice(inner)
    changed = structs.replace(events[at].recorded, text=events[at].recorded.text + " (forged)")
    if name == "edited":
        events[at] = structs.replace(events[at], recorded=changed)
    elif name == "deleted":
        del events[at]
    elif name == "inserted":
        # before a signed one, so within what is signed
        events.insert(at, structs.replace(events[at], recorded=changed))
    elif name == "swapped":
        while (events[at].match, events[at].recorded) == (events[other].match, events[other].recorded):
            other = chance.choice(inner)
        events[at], events[other] = events[other], events[at]
    elif name == "cut":
        del events[at:]
    else:
        events[at:] = [
            structs.replace(p, recorded=structs.replace(p.recorded, recorder="mallory")) for p in events[at:]
        ]
    return events


@sizes(4, 100)
def test_a_patient_forger_is_found_by_the_checkpoint(size: int) -> None:
    """A history written anew, consistent in itself, does not agree with what the table carried away; without that,
    nobody could tell."""
    with proving(f"patient tampering, each kind x {size}") as proof, scratch() as directory:
        kept, covered = make(directory / "kibitz.db")
        with Store.open(directory / "kibitz.db", write=False) as store:
            events = store.tail(HOME)
            assert not found_by_verify(store, HOME, kept)
        forged = directory / "forged.db"
        for name in ("nothing", "edited", "deleted", "inserted", "swapped", "cut", "forked"):
            for _ in range(size):
                for old in directory.glob("forged.db*"):
                    old.unlink()
                rewrite(events if name == "nothing" else forge(events, name, proof.chance, covered), forged)
                with Store.open(forged, write=False, timeout=1) as store:
                    found = found_by_verify(store, HOME, kept)
                    alone = store.verify(HOME).found
                proof.count(name)
                # The control, in both directions: the same history agrees, and the checkpoint alone is what tells.
                assert not alone, alone
                if name == "nothing":
                    assert not found, found
                else:
                    assert {c.kind for c in found} & ({"cut"} if name == "cut" else {"forked", "cut"}), (name, found)


def test_a_verify_that_looks_only_at_rows_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the hashes of the events the crude forger goes unseen."""
    monkeypatch.setattr("records.proof.verify.TamperWalk.changes", lambda self: [])
    monkeypatch.setattr("records.proof.verify._compare", lambda *_: (0, 0, []))
    with pytest.raises(AssertionError, match="nothing found"):
        test_what_a_crude_forger_did_is_named(1)
