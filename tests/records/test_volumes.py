"""Sealed matches that are bound together: the same bytes and proofs as each by itself, and what is done to them is
found and named."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from plain_rows import mend
from sampling import a_few, examples, sized

from cli.app import run_command_line
from events.errors import ConflictError, KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from events.limits import AT_ONCE_BYTES, MAX_BOUND_BYTES
from events.model import Call, Note, Open, Pass, Recorded
from records import HOME, SealedError, Store, volume_codec
from records.bundle import make_bundle
from records.copying_books import copy_book
from records.hashes import NO_PREVIOUS
from records.rows import BOUND_EVENTS, VOLUME_EVENTS, VOLUME_MATCHES, MatchEntry, Stretch, Volume
from records.sealed_codec import compressed
from records.verify_bundle import verify
from records.volume_codec import Bound, OpenVolume, bind, split_evenly
from replay.simulate import simulate

GAMES = ("kaiser", "scopa", "jersey-gin", "yaniv")


def logs(number: int) -> dict[str, list[Recorded]]:
    """Matches of one hand, of several games, one of them a variation of another, some without times or with a key."""
    found = {}
    for i in range(number):
        opening, *rest = simulate(GAMES[i % len(GAMES)], seed=i, hands=1)
        assert isinstance(opening.event, Open)
        facts = {**opening.event.facts, "Match": f"hand-{i:03}"}
        if i == 7:
            facts |= {"Parent": "hand-003", "ParentEvent": 2}
        log = [msgspec.structs.replace(opening, event=Open(by="@", facts=facts)), *rest[: 5 + i % 30]]
        if i % 5 == 1:
            log = [msgspec.structs.replace(r, time="") for r in log]
        if i % 5 == 2:
            log = [
                msgspec.structs.replace(
                    r, key=f"key {r.n // 2}" if r.n else "opened", recorder="ann" if r.n % 2 else "bob",
                )
                for r in log
            ]
        found[f"hand-{i:03}"] = log
    return found


LOGS = logs(40)


def game_of(name: str) -> str:
    opening = LOGS[name][0].event
    assert isinstance(opening, Open)
    return str(opening.facts["Game"])


def fill(store: Store, *, sealed: bool, logs: dict[str, list[Recorded]] = LOGS) -> None:
    """All of them in one commit."""
    with store.together():
        for name, log in logs.items():
            assert isinstance(log[0].event, Open)
            store.import_match(name, log, game=str(log[0].event.facts["Game"]), sealed=sealed)


def state(store: Store) -> list[object]:
    """All that a reader sees, but for whether a match is sealed."""
    seen: list[object] = [
        [(m.match, m.last, m.created, m.changed, m.facts, m.over, m.parent, m.parent_n) for m in store.matches()]
    ]
    for name in store.ids():
        seen += [
            store.read(name), store.read(name, after=3), store.length(name), store.lines(name), store.tip(name),
            store.end(name),
        ]
    seen += [store.tail(), store.tail(after=70, limit=50), store.leaves(HOME, store.books()[0].head), store.books()]
    seen += [
        store.matches(game="scopa") != [], store.ids(game="yaniv"), store.find("hand-017"), store.verify(HOME).root,
    ]
    return seen


@pytest.fixture
def shelf(store: Store) -> Store:
    """A store of which forty matches are bound in one volume, besides one that is open."""
    fill(store, sealed=True)
    store.create_match({}, game="kaiser", match="open")
    assert store.backend.conn.execute("SELECT count(*), sum(matches) FROM volumes").fetchone() == (1, len(LOGS))
    assert store.backend.conn.execute("SELECT count(*) FROM sealed").fetchone() == (0,)
    return store


def test_a_reader_sees_what_it_would_see_of_open_matches(store: Store, tmp_path: Path) -> None:
    """Events, lists, positions, leaves, keys: the same, whether they are open, sealed one by one, or bound; to every
    reader."""
    seen = []
    for way in ("open", "bound", "later"):
        with Store.open(tmp_path / f"{way}.db", clock=store._clock) as one:
            fill(one, sealed=way == "bound")
            if way == "later":
                assert len(list(one.seal_all(LOGS, unfinished=True))) == len(LOGS)
            assert one.backend.conn.execute("SELECT count(*) FROM volumes").fetchone() == (0 if way == "open" else 1,)
            one.check()
            assert one.verify(HOME).found == []
            assert one.faults() == []
            seen.append(state(one))
            assert {m.sealed for m in one.matches()} == {way != "open"}
            with Store.open(tmp_path / f"{way}.db", write=False) as reader:
                assert state(reader) == seen[-1]
    assert seen[0] == seen[1]
    assert seen[0] == seen[2]


def test_the_proofs_hold(store: Store, tmp_path: Path) -> None:
    """A checkpoint from before agrees, and a bundle is the one that was made before."""
    fill(store, sealed=False)
    slip = store.sign(HOME)
    bundle = make_bundle(store, "hand-012")
    list(store.seal_all(LOGS, unfinished=True))
    assert make_bundle(store, "hand-012") == bundle
    assert verify(json.loads(bundle), None, slip.note)
    assert store.verify(HOME, slip).found == []
    store.create_match({}, game="kaiser")
    store.sign(HOME)
    assert store.verify(HOME, slip).found == []


def test_nothing_is_added_to_a_bound_match(shelf: Store) -> None:
    before = state(shelf)
    for name in ("hand-000", "hand-001", "hand-002"):
        with pytest.raises(SealedError):
            shelf.append(name, [Recorded(n=0, event=Pass(by="N"))])
        assert shelf.import_match(name, LOGS[name], game="kaiser").status == "same"
        assert shelf.import_match(name, LOGS[name], game="kaiser", sealed=True).status == "same"
        with pytest.raises(SealedError):
            shelf.import_match(name, [*LOGS[name], Recorded(n=len(LOGS[name]), event=Pass(by="S"))], game="kaiser")
    with pytest.raises(ConflictError):
        shelf.import_match("hand-000", LOGS["hand-001"], game="kaiser")
    again = shelf.append("hand-002", [msgspec.structs.replace(r, n=0) for r in LOGS["hand-002"][2:4]], key="key 1")
    assert again.repeated
    assert shelf.seal("hand-002").events == len(LOGS["hand-002"])
    assert state(shelf) == before


def test_one_is_opened_and_the_others_stay(shelf: Store) -> None:
    """Unsealed, corrected and sealed again; its volume has one less, and nothing of the others moved."""
    slip = shelf.sign(HOME)
    before = state(shelf)
    for name in ("hand-007", "hand-000", "hand-039"):
        assert shelf.unseal(name) == len(LOGS[name])
        assert state(shelf) == before
    assert shelf.backend.conn.execute("SELECT matches, events FROM volumes").fetchone()[0] == len(LOGS) - 3
    assert not [m for m in shelf.matches() if m.match == "hand-007" and m.sealed]
    shelf.check()
    assert shelf.verify(HOME, slip).found == []
    shelf.append("hand-007", [Recorded(n=0, event=Note(by="@"), text="later")], key="late")
    shelf.seal("hand-007", unfinished=True)
    assert shelf.append("hand-007", [Recorded(n=0, event=Note(by="@"), text="later")], key="late").repeated
    assert shelf.verify(HOME, slip).found == []
    for name in LOGS:
        shelf.unseal(name)
    assert shelf.backend.conn.execute("SELECT count(*) FROM volumes").fetchone() == (0,)
    shelf.check()
    assert shelf.verify(HOME, slip).found == []


def test_whether_one_is_over_can_be_noted(shelf: Store) -> None:
    """Noted again it stays where it is; noted anew it is taken out, and is what it was."""
    before = [m for m in shelf.matches() if m.match == "hand-005"]
    shelf.set_over("hand-005", False)
    assert shelf.backend.conn.execute("SELECT matches FROM volumes").fetchone() == (len(LOGS),)
    shelf.set_over("hand-005", True)
    assert [msgspec.structs.replace(m, over=False) for m in shelf.matches() if m.match == "hand-005"] == before
    assert shelf.backend.conn.execute("SELECT matches FROM volumes").fetchone() == (len(LOGS) - 1,)
    assert shelf.verify(HOME).found == []
    shelf.check()


@pytest.mark.rest
def test_those_that_come_one_by_one_wait_for_each_other(store: Store) -> None:
    """Each has a row of its own until they fill a volume; `--compact` binds the rest."""
    few = logs(VOLUME_MATCHES + 20)
    fill(store, sealed=False, logs=few)
    before = state(store)
    count = store.backend.conn.execute
    for i, name in enumerate(few, 1):
        store.seal(name, unfinished=True)
        bound = VOLUME_MATCHES if i >= VOLUME_MATCHES else 0
        assert count(
            "SELECT count(*), (SELECT coalesce(sum(matches), 0) FROM volumes) FROM sealed"
        ).fetchone() == (i - bound, bound)
    store.compact()
    assert count("SELECT count(*), (SELECT sum(matches) FROM volumes) FROM sealed").fetchone() == (0, len(few))
    assert state(store) == before
    store.check()
    assert store.verify(HOME).found == []


def test_what_is_refused_in_a_commit_takes_nothing_else_along(store: Store) -> None:
    """Matches that wait to be bound are seen by whoever asks in the same commit, and are gone with it if it fails."""
    names = list(LOGS)
    for part in (names[:20], names[20:]):
        with store.together():
            for name in part:
                store.import_match(name, LOGS[name], game=game_of(name), sealed=True)
                if name in ("hand-003", "hand-031"):
                    assert store.import_match(name, LOGS[name], game=game_of(name), sealed=True).status == "same"
                    assert name in [m.match for m in store.matches()]
                if name in ("hand-010", "hand-025"):
                    store.set_over(name, True)
                    with pytest.raises(ConflictError):
                        store.import_match(name, LOGS["hand-001"], game="kaiser", sealed=True)
                    with pytest.raises(SealedError):
                        store.append(name, [Recorded(n=0, event=Pass(by="N"))])
                    assert store.length(name) == len(LOGS[name])
    store.check()
    assert store.verify(HOME).found == []
    assert {m.match: m.over for m in store.matches()} == {name: name in ("hand-010", "hand-025") for name in names}
    before = state(store)

    def broken_off() -> None:
        with store.together():
            for name, log in logs(60).items():
                if name not in LOGS:
                    store.import_match(name, log, game="kaiser", sealed=True)
            assert len(store.matches()) == 60
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken_off()
    assert state(store) == before


def repacked(conn: sqlite3.Connection, change: Callable[[list[Bound]], list[Bound]]) -> None:
    """A volume edited by somebody who knows its form, but not the hashes."""
    (number, *columns) = conn.execute(f"SELECT volume, {', '.join(Volume._fields)} FROM volumes").fetchone()
    opened = OpenVolume(Volume._make(columns))
    parts = [
        Bound(opened.entry(slot), Stretch(HOME, m, 0, *opened.columns(slot), []), opened.tip(slot))
        for m, slot in opened.slots.items()
    ]
    said = ", ".join(f"{name} = ?" for name in Volume._fields)
    conn.execute(f"UPDATE volumes SET {said} WHERE volume = ?", (*bind(change(parts)), number))


def edited(name: str, **changed: Callable[..., object]) -> Callable[[list[Bound]], list[Bound]]:
    def change(parts: list[Bound]) -> list[Bound]:
        return [
            part._replace(
                events=part.events._replace(**{k: make(list(getattr(part.events, k))) for k, make in changed.items()})
            )
            if part.entry.match == name else part
            for part in parts
        ]  # fmt: skip

    return change


def put(at: int, what: object) -> Callable[[list[object]], list[object]]:
    return lambda values: [*values[:at], what, *values[at + 1 :]]


def entry_of(name: str, **changed: object) -> Callable[[list[Bound]], list[Bound]]:
    return lambda parts: [
        p._replace(entry=msgspec.structs.replace(p.entry, **changed)) if p.entry.match == name else p for p in parts
    ]


ONE = "hand-010"
NAMED: dict[str, Callable[[sqlite3.Connection], object]] = {
    "a payload": lambda c: repacked(
        c, edited(ONE, payloads=put(1, b'{"event":{"by":"S","verb":"pass"}}'), types=put(1, "pass")),
    ),
    "a time": lambda c: repacked(c, edited(ONE, times=put(2, "2026-01-03T19:00:06.000Z"))),
    "a key": lambda c: repacked(c, edited(ONE, keys=put(1, "other"))),
    "a recorder": lambda c: repacked(c, edited(ONE, recorders=put(1, "other"))),
    "a version": lambda c: repacked(c, edited(ONE, versions=put(1, 2))),
    "the tip": lambda c: c.execute(
        "UPDATE volumes SET tips = CAST(substr(tips, 1, 80) || zeroblob(8) || substr(tips, 89) AS BLOB)"
    ),
}
FOUND: dict[str, Callable[[sqlite3.Connection], object]] = {
    "an event taken out": lambda c: repacked(
        c,
        lambda parts: edited(
            ONE,
            **{
                k: (lambda v: v[:-1])
                for k in ("positions", "types", "versions", "times", "recorders", "keys", "payloads")
            }
        )(
            entry_of(ONE, last=len(LOGS[ONE]) - 2)(parts)
        ),
    ),
    "a match taken out": lambda c: repacked(c, lambda parts: parts[:10] + parts[11:]),
    "a match under another name": lambda c: repacked(c, entry_of(ONE, match="else")),
    "whether it is over": lambda c: repacked(c, entry_of(ONE, is_over=1)),
    "when it was changed": lambda c: repacked(c, entry_of(ONE, created="2020-01-01T00:00:00.000Z")),
    "its game in the list": lambda c: c.execute("UPDATE matches SET game = 'omi' WHERE match = ?", (ONE,)),
    "its beginning in the list": lambda c: c.execute("UPDATE matches SET created = 'x' WHERE match = ?", (ONE,)),
    "its end in the list": lambda c: c.execute("UPDATE matches SET last = 3 WHERE match = ?", (ONE,)),
    "over in the list": lambda c: c.execute("UPDATE matches SET is_over = 1 WHERE match = ?", (ONE,)),
    "changed in the list": lambda c: c.execute(
        "UPDATE matches SET changed = '2030-01-01T00:00:00.000Z' WHERE match = ?", (ONE,),
    ),
    "the parent in the list": lambda c: c.execute(
        "UPDATE matches SET parent = 'hand-000', parent_n = 1 WHERE match = ?", (ONE,),
    ),
    "a check sum": lambda c: (c.execute("UPDATE matches SET game = 'omi' WHERE match = ?", (ONE,)), mend(c)),
    "another volume": lambda c: c.execute("UPDATE matches SET volume = 7 WHERE match = ?", (ONE,)),
    "no volume": lambda c: c.execute("UPDATE matches SET volume = NULL WHERE match = ?", (ONE,)),
    "a volume that is none": lambda c: c.execute("UPDATE matches SET volume = 'x' WHERE match = ?", (ONE,)),
    "said to be open": lambda c: c.execute("UPDATE matches SET is_sealed = 0 WHERE match = ?", (ONE,)),
    "taken off the list": lambda c: c.execute("DELETE FROM matches WHERE match = ?", (ONE,)),
    "an open one said to be bound": lambda c: c.execute(
        "UPDATE matches SET volume = 1, is_sealed = 1 WHERE match = 'open'"
    ),
    "the volume gone": lambda c: c.execute("DELETE FROM volumes"),
    "the volume twice": lambda c: c.execute(f"INSERT INTO volumes SELECT 2, {', '.join(Volume._fields)} FROM volumes"),
    "its book": lambda c: c.execute("UPDATE volumes SET book = 'else'"),
    "its first place": lambda c: c.execute("UPDATE volumes SET first_pos = 90"),
    "its last place": lambda c: c.execute("UPDATE volumes SET last_pos = 90"),
    "how many matches": lambda c: c.execute("UPDATE volumes SET matches = 39"),
    "how many events": lambda c: c.execute("UPDATE volumes SET events = events - 1"),
    "its dictionary": lambda c: c.execute("UPDATE volumes SET dictionary = 99"),
    "the kind of a column": lambda c: c.execute("UPDATE volumes SET dictionary = 'x'"),
    "the clock cut": lambda c: c.execute("UPDATE volumes SET clock = substr(clock, 2)"),
    "the clock as text": lambda c: c.execute("UPDATE volumes SET clock = CAST('x' AS TEXT)"),
    "the tips cut": lambda c: c.execute("UPDATE volumes SET tips = substr(tips, 9)"),
    "the body gone": lambda c: c.execute("UPDATE volumes SET body = x''"),
    "more after the body": lambda c: c.execute("UPDATE volumes SET body = CAST(body || x'00' AS BLOB)"),
}


@pytest.mark.parametrize("name", a_few([*NAMED, *FOUND], 3))
def test_what_is_done_to_a_volume_is_found(shelf: Store, name: str) -> None:
    """Without a checkpoint from elsewhere, and by the name of the match if it is of one; nobody who reads crashes."""
    conn = shelf.backend.conn
    conn.execute("PRAGMA foreign_keys = OFF")
    assert shelf.verify(HOME).found == []
    (NAMED | FOUND)[name](conn)
    found = shelf.verify(HOME).found
    assert found, name
    if name in NAMED:
        assert {(c.kind, c.match) for c in found} == {("edited", ONE)}
    elif name not in (
        "its book", "how many matches", "how many events", "the volume twice", "the volume gone", "its first place",
        "its last place",
    ):
        assert ("open" if "open one" in name else ONE) in {c.match for c in found} | {
            word for c in found for word in c.text.replace(",", " ").split()
        } or "else" in str(found)
    works: list[Callable[[], object]] = [
        shelf.matches, shelf.tail, shelf.books, shelf.last_open_match, lambda: shelf.sign(HOME), shelf.check,
        lambda: list(shelf.seal_all(LOGS)), lambda: shelf.set_over(ONE, True),
    ]
    works += [lambda m=m: (shelf.read(m), shelf.tip(m), shelf.length(m), shelf.unseal(m)) for m in (*LOGS, "open")]
    for work in works:
        try:
            work()
        except (StoreError, NotFoundError, SealedError, UsageError):
            continue
    if "list" not in name and not name.startswith("whe"):  # an entry is written anew by whoever opens the match
        assert shelf.verify(HOME).found, "nobody made it look whole"


def test_a_match_is_taken_out_though_another_was_changed(shelf: Store) -> None:
    """The one that was changed stays as it is, and is named after it."""
    NAMED["a payload"](shelf.backend.conn)
    assert shelf.unseal("hand-003") == len(LOGS["hand-003"])
    assert {(c.kind, c.match) for c in shelf.verify(HOME).found} == {("edited", ONE)}
    with pytest.raises(StoreError, match=f"match {ONE}"):
        shelf.unseal(ONE)
    assert {(c.kind, c.match) for c in shelf.verify(HOME).found} == {("edited", ONE)}


def test_a_match_that_was_changed_is_not_bound(store: Store) -> None:
    """It would look whole then: it stays by itself, as evidence, and the others are bound."""
    fill(store, sealed=False)
    for name in list(LOGS)[:15]:
        store.seal(name, unfinished=True)
    store.backend.conn.execute("UPDATE sealed SET tip = zeroblob(32) WHERE match = ?", (ONE,))
    store.backend.conn.execute("UPDATE matches SET game = 'omi' WHERE match = 'hand-003'")
    list(store.seal_all(list(LOGS)[15:], unfinished=True))
    assert store.backend.conn.execute("SELECT match FROM sealed ORDER BY match").fetchall() == [("hand-003",), (ONE,)]
    assert {c.match for c in store.verify(HOME).found} == {ONE, "hand-003"}


def test_a_dictionary_of_a_later_kibitz_is_named(shelf: Store) -> None:
    shelf.backend.conn.execute("UPDATE volumes SET dictionary = 99")
    with pytest.raises(StoreError, match=r"match hand-010.*sealed with dictionary 99.*Use a newer Kibitz"):
        shelf.read(ONE)


def test_every_byte_of_a_volume_counts(shelf: Store) -> None:
    """One bit of it turned, wherever: it cannot be read, or is named, or nobody sees a difference."""
    conn, chance = shelf.backend.conn, random.Random(5)
    truth = state(shelf)
    (whole,) = conn.execute(f"SELECT {', '.join(Volume._fields)} FROM volumes").fetchall()
    told = 0
    for i in range(75):
        column = ("tips", "clock", "body")[i % 3]
        data = bytearray(whole[Volume._fields.index(column)])
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        conn.execute(f"UPDATE volumes SET {column} = ?", (bytes(data),))
        if shelf.verify(HOME).found:
            told += 1
        else:
            assert state(shelf) == truth
        conn.execute(f"UPDATE volumes SET {column} = ?", (whole[Volume._fields.index(column)],))
    assert told > 60
    assert state(shelf) == truth


# The form


def bound(
    name: str, payloads: list[bytes], times: list[str] | None = None, first: int = 1, **more: list[object],
) -> Bound:
    count = len(payloads)
    columns: dict[str, list[object]] = {
        "recorders": [""] * count, "keys": [""] * count, "versions": [1] * count, **more,
    }
    events = Stretch(
        HOME, name, 0, list(range(first, first + count)), [json.loads(p)["event"]["verb"] for p in payloads],
        columns["versions"],
        times or [""] * count, columns["recorders"], columns["keys"], payloads, [NO_PREVIOUS] * (count + 1),
    )  # fmt: skip
    return Bound(
        MatchEntry(name, HOME, "kaiser", times[0] if times else "2026", "2026", count - 1, 0, None, None, 1), events,
        bytes(32),
    )


PASS = b'{"event":{"by":"N","verb":"pass"}}'
texts = st.text(max_size=8).filter(lambda t: t.encode("utf-8", "ignore").decode() == t)
times = st.one_of(
    st.just(""), st.just("2026-03-14T20:05:11Z"), st.just("1969-12-31T23:59:59.999Z"),
    st.just("nonsense, 24 long, not it"), st.datetimes().map(lambda d: d.isoformat(timespec="milliseconds") + "Z"),
    st.integers(0, 90_000).map(lambda ms: f"2026-03-14T20:0{ms // 60_000}:{ms // 1000 % 60:02}.{ms % 1000:03}Z"),
)  # fmt: skip
values = st.one_of(
    st.integers(-5, 300), texts, st.lists(texts, max_size=3),
    st.sampled_from(["7h", "Qs", '",', "%", "%b", '"verb":"x"', "[1,2]"]),
)
rows = st.tuples(
    st.integers(0, 3), st.sampled_from(["pass", "play", "x"]), st.integers(1, 3), times, texts, texts, values, values,
)


@examples(80, derandomize=True, deadline=None)
@given(st.lists(st.lists(rows, min_size=1, max_size=8), min_size=1, max_size=6))
def test_whatever_is_bound_comes_out_the_same(
    matches: list[list[tuple[int, str, int, str, str, str, object, object]]]
) -> None:
    """Any gaps, versions, odd times, names with any characters, payloads with what looks like a word and is none:
    byte for byte."""
    parts, pos = [], 0
    for i, rows in enumerate(matches):
        positions = []
        for gap, *_ in rows:
            pos += gap + 1
            positions.append(pos)
        payloads = [
            json.dumps(
                {"event": {"by": who, "facts": a, "verb": verb}, "text": b}, separators=(",", ":"), ensure_ascii=False,
            ).encode()
            for _, verb, _, _, who, _, a, b in rows
        ]
        columns = (
            [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows], [r[4] for r in rows], [r[5] for r in rows]
        )
        events = Stretch(HOME, f"m{i}", 0, positions, *columns, payloads, [])
        parts.append(
            Bound(
                MatchEntry(f"m{i}", HOME, rows[0][4], rows[0][3], rows[0][5], len(rows) - 1, i % 2, None, None, 1),
                events, b"t" * 32,
            )
        )
    opened = OpenVolume(bind(parts))
    for slot, part in enumerate(parts):
        assert opened.lines(slot) == part.events.lines()
        assert opened.entry(slot) == part.entry
        assert (opened.starts[slot], opened.ends[slot]) == (part.events.positions[0], part.events.positions[-1])
        assert opened.opening(slot)[1:] == (part.events.payloads[0], part.events.times[0], part.events.times[-1])


@pytest.mark.parametrize(
    "payload", [b'{"event":{"by":"\x00","verb":"pass"}}', b'{"event":{"by":"N",\n"verb":"pass"}}', b"{}", b"{", b""],
)
def test_what_would_not_come_out_the_same_is_not_bound(payload: bytes) -> None:
    part = bound("m", [PASS])
    with pytest.raises(UnreadableError):
        bind([part._replace(events=part.events._replace(payloads=[payload], types=["pass"]))])


def test_a_volume_has_bounds() -> None:
    """Of matches, of events, of the events and the bytes of one; what is just within them is bound."""
    whole = [bound(f"m{i}", [PASS] * 64, first=64 * i + 1) for i in range(VOLUME_MATCHES)]
    assert bind(whole).events == VOLUME_EVENTS
    for parts in (
        [], [*whole, bound("one more", [PASS], first=VOLUME_EVENTS + 1)],
        [*whole[1:], bound("longer", [PASS] * 65, first=VOLUME_EVENTS + 1)],
        [bound("long", [PASS] * (BOUND_EVENTS + 1))],
        [bound("large", [PASS[:-2] + b',"text":"' + b"x" * 1000 + b'"}}'] * 260)],
    ):  # fmt: skip
        with pytest.raises(UnreadableError):
            bind(parts)
    assert bind([bound("long", [PASS] * BOUND_EVENTS)]).matches == 1


def test_many_different_words_are_told_apart() -> None:
    """More than one byte can number, up to the bound; more than that is refused."""
    def said(i: int) -> bytes:
        return b'{"event":{"by":"N","number":%d,"verb":"x"}}' % i

    for number in (239, 240, 241, 4000):
        parts = [bound(f"m{i}", [said(j) for j in range(i, number, 8)], first=i * number + 1) for i in range(8)]
        opened = OpenVolume(bind(parts))
        assert [opened.lines(i) for i in range(8)] == [part.events.lines() for part in parts]
    with pytest.raises(UnreadableError):
        bind(
            [
                bound(
                    f"m{i}",
                    [
                        json.dumps(
                            {"event": {"by": "N", "n": [9 * k + i for k in range(600)], "verb": "x"}},
                            separators=(",", ":"),
                        ).encode()
                    ],
                    first=i + 1,
                )
                for i in range(9)
            ]
        )


@pytest.mark.parametrize("sizes", [[1], [40] * 64, [40] * 65, [40] * 200, [300] * 50, [1024] * 9, [1, 1000] * 40, []])
def test_matches_are_parted_evenly(sizes: list[int]) -> None:
    parts, at = [], 0
    for number in split_evenly(sizes):
        parts.append(sizes[at : at + number])
        at += number
    assert at == len(sizes)
    assert all(0 < len(part) <= VOLUME_MATCHES and sum(part) <= VOLUME_EVENTS for part in parts)
    if len(set(sizes)) == 1 and len(parts) > 1 and sizes[0] < 60:
        assert max(map(len, parts)) - min(map(len, parts)) <= len(parts)


def head_of(volume: Volume) -> tuple[dict[str, object], bytes]:
    text = zstandard.ZstdDecompressor(
        dict_data=zstandard.ZstdCompressionDict(volume_codec_dictionary())
    ).decompress(volume.body)
    head, rest = text.split(b"\n", 1)
    return json.loads(head), rest


def volume_codec_dictionary() -> bytes:
    from records.sealed_codec import _bytes_of

    return _bytes_of(1)


def everything(volume: Volume) -> None:
    """Whatever can be asked of a volume: nothing but UnreadableError may come of it."""
    opened = OpenVolume(volume)
    for slot in range(len(opened.counts)):
        for ask in (opened.entry, opened.lines, opened.opening, opened.tip):
            try:
                ask(slot)
            except UnreadableError:
                continue


ODD_VALUES = (
    "x", -1, 0, 1, 2, 10**9, 2**63, 10**30, None, [], [1], ["x"], [[1]], [-5] * 6, [2**62] * 6, [10**9] * 6, ["", 1],
    {}, True, 1.5, "x" * 70_000,
)


def test_a_head_that_lies_is_refused() -> None:
    """Whatever stands in the place of any of its values: no crash, and no more memory than events may have."""
    times = [f"2026-03-14T20:05:{s:02}.000Z" for s in range(6)]
    volume = bind(
        [
            bound(
                f"m{i}", [PASS[:-2] + b',"n":%d}}' % j for j in range(6)], times, first=6 * i + 1, keys=["a", "b"] * 3,
            )
            for i in range(6)
        ]
    )
    head, rest = head_of(volume)
    everything(volume)
    refused = 0
    tracemalloc.start()
    for name in [*volume_codec._Head.__struct_fields__, "more"]:
        for value in ODD_VALUES:
            lie = volume._replace(body=compressed(json.dumps({**head, name: value}).encode() + b"\n" + rest, 1))
            try:
                everything(lie)
            except UnreadableError:
                refused += 1
    assert tracemalloc.get_traced_memory()[1] < 16_000_000
    tracemalloc.stop()
    assert refused > 300


def test_a_volume_never_becomes_gigabytes() -> None:
    """A frame that is longer than a volume may be, and words that are long and said often, are refused before they
    are laid out."""
    bombs = [
        compressed(b"\n" * (AT_ONCE_BYTES + 1), 1), compressed(b"[" * AT_ONCE_BYTES, 1),
        compressed(b"\0" * AT_ONCE_BYTES, 1),
    ]
    word = b'"' + b"x" * 500_000 + b'"'
    head = {
        "match": ["m"], "game": "g", "changed": "", "events": 1000, "shapes": 1, "words": 1, "shaped": 1000,
        "worded": 1000, "pos": [1], "odd": ["" ],
    }  # fmt: skip
    text = (
        json.dumps(head).encode() + b"\n" + b'{"event":{"by":"N","t":\0,"verb":"pass"}}' + b"\n" + word + b"\n"
        + bytes(2000)
    )
    bombs.append(compressed(text, 1))
    for body in bombs:
        volume = Volume(HOME, 1, 1000, 1, 1000, 1, bytes(8), b"", body)
        tracemalloc.start()
        with pytest.raises(UnreadableError, match="sealed"):
            OpenVolume(volume).lines(0)
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
        tracemalloc.stop()
    small = text.replace(word, b'"' + b"x" * (MAX_BOUND_BYTES // 1000 - 50) + b'"')
    assert len(
        OpenVolume(Volume(HOME, 1, 1000, 1, 1000, 1, bytes(8), b"", compressed(small, 1))).lines(0)
    ) == 1000, "the control"


# Others


def test_a_book_is_copied_with_its_volumes(shelf: Store, tmp_path: Path) -> None:
    """Leaves and signed heads are the same; what was bound is sealed there, and bound; done again it brings nothing."""
    slip = shelf.sign(HOME)
    with Store.open(tmp_path / "copy.db") as target:
        assert copy_book(shelf.backend, target.backend, HOME).root == slip.root.hex()
        assert target.backend.conn.execute("SELECT sum(matches) FROM volumes").fetchone() == (len(LOGS),)
        assert target.verify(HOME, slip, [slip_key(shelf)]).found == []
        assert target.matches() == shelf.matches()
        assert copy_book(shelf.backend, target.backend, HOME).added == 0
        target.check()
    NAMED["a payload"](shelf.backend.conn)
    with Store.open(tmp_path / "other.db") as target, pytest.raises(StoreError):
        copy_book(shelf.backend, target.backend, HOME)


def slip_key(store: Store) -> bytes:
    return store.public_keys()[0]


def test_an_archive_is_imported_and_bound_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`simulate`, `import --seal`, `verify`, `db check`, `db backup`: as the manual says."""
    db, archive = str(tmp_path / "k.db"), str(tmp_path / "a.jsonl")
    assert run_command_line(["simulate", "kaiser", "--matches", "40", "--hands", "1", "-o", archive]) == 0
    assert run_command_line(["--db", db, "import", archive, "--seal"]) == 0
    assert run_command_line(["--db", db, "verify", "home"]) == 0
    assert run_command_line(["--db", db, "db", "check"]) == 0
    assert run_command_line(["--db", db, "db", "backup", str(tmp_path / "b.db")]) == 0
    capsys.readouterr()
    with sqlite3.connect(tmp_path / "b.db") as conn:
        assert conn.execute("SELECT sum(matches) FROM volumes").fetchone() == (40,)
    conn.close()
    assert run_command_line(["--db", db, "import", archive, "--seal"]) == 0
    assert "already here" in capsys.readouterr().out


BIND_ON = """
import sys
from records import Store

with Store.open(sys.argv[1], timeout=30) as store:
    names = store.ids()
    print("ready", flush=True)
    while True:
        list(store.seal_all(names, unfinished=True))
        print("bound", flush=True)
        for name in names[::3]:
            store.unseal(name)
"""


@pytest.mark.both
def test_a_kill_while_binding_loses_nothing(store: Store, path: Path) -> None:
    """SIGKILL at any moment of binding and opening: every match is one or the other, whole; readers see it all the
    while."""
    fill(store, sealed=False)
    slip, truth = store.sign(HOME), {name: store.read(name) for name in LOGS}
    store.close()
    volumes = set()
    kills = sized(2, 12)
    for i in range(kills):
        child = subprocess.Popen([sys.executable, "-c", BIND_ON, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        if i == kills - 1:
            # However slow the machine is, the last kill finds something bound.
            assert child.stdout.readline() == "bound\n"
        until = time.monotonic() + 0.03 + 0.56 * i / kills
        while time.monotonic() < until:
            with Store.open(path, write=False, timeout=10) as reader:
                for name in list(LOGS)[i::kills]:
                    assert reader.read(name) == truth[name]
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        with Store.open(path) as again:
            again.check()
            assert again.verify(HOME, slip).found == []
            assert {name: again.read(name) for name in LOGS} == truth
            volumes.add(again.backend.conn.execute("SELECT coalesce(sum(matches), 0) FROM volumes").fetchone()[0])
    assert len(volumes) > 1, "the kills must fall on several sides"


def test_a_failure_while_binding_takes_all_of_it_back(store: Store) -> None:
    """The disk is full, or SQLite refuses, in the middle of it: nothing is half there, and the next try goes
    through."""
    before = state_of_nothing(store)
    store.backend.conn.execute(
        "CREATE TEMP TRIGGER t BEFORE INSERT ON main.volumes BEGIN SELECT RAISE(ABORT, 'broken'); END"
    )
    with pytest.raises(KibitzError):
        fill(store, sealed=True)
    store.backend.conn.execute("DROP TRIGGER t")
    assert state_of_nothing(store) == before
    fill(store, sealed=True)
    store.check()
    assert store.verify(HOME).found == []
    assert len(store.matches()) == len(LOGS)


def state_of_nothing(store: Store) -> list[object]:
    return [store.matches(), store.books(), store.ids()]


def test_calls_with_amounts_are_bound(store: Store) -> None:
    """Numbers, refs and remarks of a match that was written down by hand."""
    for i in range(16):
        store.create_match({"Seats": ["N", "S"]}, game="kaiser", match=f"m{i}", key=f"open {i}")
        store.append(
            f"m{i}",
            [
                Recorded(n=0, event=Call(by="N", word="w", amount=j), recorder="ann", text=f'said "{j}", {i}')
                for j in range(6)
            ]
        )
    before = [store.read(f"m{i}") for i in range(16)]
    list(store.seal_all([f"m{i}" for i in range(16)], unfinished=True))
    assert store.backend.conn.execute("SELECT count(*) FROM volumes").fetchone() == (1,)
    assert [store.read(f"m{i}") for i in range(16)] == before
    assert store.create_match({"Seats": ["N", "S"]}, game="kaiser", match="m3", key="open 3") == "m3"
