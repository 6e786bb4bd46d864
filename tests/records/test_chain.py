"""Every event carries the hash of itself and of the one before; the layout is fixed to the byte."""

from __future__ import annotations

import hashlib

import pytest
from plain_rows import events_in

from events.model import Pass, Recorded
from records import Store, verify_bundle
from records.hashes import NO_PREVIOUS, leaf_hash, row_digest
from records.sqlite.schema import DIGESTED

PASS = Recorded(n=0, event=Pass(by="N"))


def columns(store: Store) -> list[tuple[object, ...]]:
    return events_in(store.backend.conn)


def test_the_layout_to_the_byte() -> None:
    """As docs/store.md spells it out; if this changes, every checkpoint ever handed out is void."""
    entry = (
        b"kibitz.event/1\n"
        b"\0\0\0\4home" b"\0\0\0\0\0\0\0\5" b"\0\0\0\3eve" b"\0\0\0\0\0\0\0\2" b"\0\0\0\4play" b"\0\0\0\0\0\0\0\1"
        b"\0\0\0\1T" b"\0\0\0\3ann" b"\0\0\0\0" + b"\xab" * 32 + b"\0\0\0\2{}"
    )  # fmt: skip
    ours = leaf_hash(b"home", 5, b"eve", 2, b"play", 1, b"T", b"ann", b"", b"\xab" * 32, b"{}")
    assert ours == hashlib.sha256(b"\0" + entry).digest()
    event = {"pos": 5, "n": 2, "type": "play", "version": 1, "time": "T", "recorder": "ann", "key": "", "payload": "{}"}
    assert verify_bundle.entry_of("home", "eve", event, b"\xab" * 32) == entry


def test_every_event_names_the_one_before_it_in_its_match(store: Store) -> None:
    for match in ("one", "two"):
        store.create_match({}, game="kaiser", match=match, key=f"open-{match}")
    store.append("one", [PASS, PASS], key="k")
    store.append("two", [PASS])
    store.append("one", [PASS])
    tips: dict[object, bytes] = {}
    for book, pos, match, n, type_, v, time, recorder, key, payload, prev, leaf in columns(store):
        texts = [str(t).encode() for t in (book, match, type_, time, recorder, key, payload)]
        assert prev == tips.get(match, NO_PREVIOUS)
        assert leaf == leaf_hash(texts[0], pos, texts[1], n, texts[2], v, *texts[3:6], prev, texts[6])
        tips[match] = leaf
    assert len(columns(store)) == 6


@pytest.mark.parametrize("place", range(11))
def test_nothing_can_change_without_its_leaf(place: int) -> None:
    """Also bytes that wander from one field to the next give another leaf."""
    values: list[object] = [b"ho", 1, b"me", 2, b"pl", 1, b"ay", b"an", b"n", NO_PREVIOUS, b"{}"]
    other = list(values)
    other[place] = values[place] + 1 if isinstance(values[place], int) else b"x" + bytes(values[place])[1:]
    assert leaf_hash(*values) != leaf_hash(*other)
    texts = [i for i, value in enumerate(values) if isinstance(value, bytes) and i not in (9, place)]
    if isinstance(values[place], bytes) and place != 9:
        moved = list(values)
        moved[place] = bytes(values[place])[:-1]
        moved[texts[-1]] = bytes(values[place])[-1:] + bytes(values[texts[-1]])
        assert leaf_hash(*values) != leaf_hash(*moved)


def test_rows_beside_the_events_have_a_check_sum(store: Store, match: str) -> None:
    store.append(match, [PASS], key="k")
    store.set_over(match, True)
    store.import_match(
        "else", [Recorded(n=0, event=r.event) for r in store.read(match)[:1]], game="kaiser", book="club",
    )
    for table, names in DIGESTED.items():
        rows = store.backend.conn.execute(f"SELECT {', '.join(names)}, digest FROM {table}").fetchall()
        assert rows
        for *values, digest in rows:
            assert digest == row_digest(*values), table


def test_reading_asks_for_the_events_and_where_they_end(store: Store, match: str) -> None:
    store.append(match, [PASS] * 50)
    asked: list[str] = []
    store.backend.conn.set_trace_callback(asked.append)
    store.read(match)
    assert len(asked) == 2
