"""Appending and reading: positions, stale writers, submission keys, listings."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from plain_rows import EVENT, events_in, forge

from events.errors import ConflictError, KibitzError, NotFoundError, UnreadableError, UsageError
from events.model import Note, Open, Pass, Play, Recorded
from records import HOME, Appended, StaleWriterError, Store, default_path, new_match_id
from records.names import ID_ALPHABET


def play(card: str, by: str = "N", n: int = 0, **around: object) -> Recorded:
    return Recorded(n=n, event=Play(by=by, cards=(card,)), **around)


def cards(records: list[Recorded]) -> list[str]:
    return [r.event.cards[0] for r in records if isinstance(r.event, Play)]


# Opening a match


def test_a_new_match_is_its_opening(store: Store) -> None:
    """What was agreed stands at position 0, together with the game and the id, stamped by the clock."""
    match = store.create_match({"Seats": ["N", "E"]}, game="kaiser", recorder="ann", text="at the club")
    (opening,) = store.read(match)
    assert opening.n == 0
    assert opening.event == Open(by="@", facts={"Game": "kaiser", "Match": match, "Seats": ["N", "E"]})
    assert (opening.recorder, opening.text, opening.time) == ("ann", "at the club", "2026-03-14T20:05:12.250Z")
    assert store.length(match) == 1


def test_ids_are_hard_to_misread() -> None:
    game, _, rest = new_match_id("Court Piece").rpartition("-")
    assert game == "court-piece"
    assert len(rest) == 6
    assert set(rest) <= set(ID_ALPHABET)
    assert not set(ID_ALPHABET) & set("01ilo")
    assert len({new_match_id("kaiser") for _ in range(200)}) == 200


def test_a_fresh_id_that_is_taken_is_drawn_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    draws = iter(["kaiser-aaaaaa", "kaiser-aaaaaa", "kaiser-aaaaaa", "kaiser-bbbbbb"])
    monkeypatch.setattr("records.store.new_match_id", lambda game: next(draws))
    assert store.create_match({}, game="kaiser") == "kaiser-aaaaaa"
    assert store.create_match({}, game="kaiser") == "kaiser-bbbbbb"


def test_an_id_that_is_taken_is_refused(store: Store, match: str) -> None:
    with pytest.raises(ConflictError, match="already"):
        store.create_match({}, game="kaiser", match=match)
    assert store.length(match) == 1


@pytest.mark.parametrize("bad", ["", "Kaiser", "a b", "../up", "-x", "a" * 65, "ä", "x\0", "a/b", "x\n"])
def test_an_impossible_id_is_refused(store: Store, bad: str) -> None:
    with pytest.raises(UsageError, match="id of a match"):
        store.create_match({}, game="kaiser", match=bad)
    assert store.matches() == []


def test_facts_that_name_another_game_or_match_are_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="Game"):
        store.create_match({"Game": "yaniv"}, game="kaiser")
    with pytest.raises(UsageError, match="Match"):
        store.create_match({"Match": "a"}, game="kaiser", match="b")
    assert store.create_match({"Match": "a", "Game": "kaiser"}, game="kaiser") == "a"


def test_a_match_opened_twice_with_one_key_is_one_match(store: Store) -> None:
    """A retry after a lost answer must not leave two matches on the list."""
    first = store.create_match({"Unit": "chip"}, game="kaiser", key="k1")
    assert store.create_match({"Unit": "chip"}, game="kaiser", key="k1") == first
    assert [row.match for row in store.matches()] == [first]
    with pytest.raises(ConflictError, match="other terms"):
        store.create_match({"Unit": "cent"}, game="kaiser", key="k1")
    with pytest.raises(ConflictError, match="other terms"):
        store.create_match({"Unit": "chip"}, game="kaiser", match="another", key="k1")
    assert store.create_match({"Unit": "chip"}, game="kaiser", key="k2") != first


# Appending


def test_positions_are_handed_out_by_the_store(store: Store, match: str) -> None:
    assert store.append(match, [play("Td", n=77)]) == Appended(1, 1)
    assert store.append(match, [play("7h"), play("8h"), play("9h")]) == Appended(2, 4)
    assert [r.n for r in store.read(match)] == [0, 1, 2, 3, 4]
    assert cards(store.read(match)) == ["Td", "7h", "8h", "9h"]
    assert store.length(match) == 5


def test_the_envelope_is_kept(store: Store, match: str) -> None:
    draft = play("7h", same=True, t=3120, glyphs=(1, 4), text="found {a} ♥", recorder="ann", v=1)
    store.append(match, [draft, play("8h", time="2020-01-01T00:00:00.000Z")], key="k")
    one, two = store.read(match, after=0)
    assert one == Recorded(
        n=1,
        event=draft.event,
        same=True,
        t=3120,
        glyphs=(1, 4),
        text="found {a} ♥",
        recorder="ann",
        key="k",
        time="2026-03-14T20:05:13.250Z",
    )
    assert (two.time, two.key) == ("2020-01-01T00:00:00.000Z", "k")


def test_time_is_written_in_utc_with_milliseconds(path: Path) -> None:
    east = timezone(timedelta(hours=2))
    with Store.open(path, clock=lambda: datetime(2026, 1, 1, 1, 0, 0, 999_999, tzinfo=east)) as store:
        match = store.create_match({}, game="yaniv")
        assert store.read(match)[0].time == "2025-12-31T23:00:00.999Z"
    with Store.open(path) as store:
        store.append(match, [play("7h")])
        stamp = datetime.fromisoformat(store.read(match)[-1].time)
        assert abs(datetime.now(UTC) - stamp) < timedelta(minutes=1)


def test_a_stale_writer_gets_what_it_has_not_seen(store: Store, match: str) -> None:
    """Given two events nobody told the writer about, when it appends after 1, then it gets them and nothing is kept."""
    store.append(match, [play("7h"), play("8h"), play("9h")])
    with pytest.raises(StaleWriterError) as caught:
        store.append(match, [play("Td")], expect=1)
    assert cards(caught.value.unseen) == ["8h", "9h"]
    assert [r.n for r in caught.value.unseen] == [2, 3]
    assert caught.value.last == 3
    assert isinstance(caught.value, ConflictError)
    assert "2 events were added after event 1" in str(caught.value)
    assert store.length(match) == 4
    assert store.append(match, [play("Td")], expect=3) == Appended(4, 4)


def test_a_writer_who_has_seen_the_opening_expects_0(store: Store, match: str) -> None:
    assert store.append(match, [play("7h")], expect=0) == Appended(1, 1)
    with pytest.raises(StaleWriterError, match="1 event was added"):
        store.append(match, [play("8h")], expect=0)


def test_a_writer_ahead_of_the_store_is_told_so(store: Store, match: str) -> None:
    with pytest.raises(StaleWriterError, match="ends at event 0") as caught:
        store.append(match, [play("7h")], expect=9)
    assert caught.value.unseen == []
    assert store.length(match) == 1


def test_a_retry_with_its_key_is_harmless_for_ever(path: Path, store: Store, match: str) -> None:
    """The first answer comes again, whatever was added since, stale expectation or not, also after reopening."""
    first = store.append(match, [play("7h"), play("8h")], expect=0, key="k1")
    store.append(match, [play("9h")], key="k2")
    again = store.append(match, [play("7h"), play("8h")], expect=0, key="k1")
    assert again == Appended(first.first, first.last, repeated=True)
    store.close()
    with Store.open(path) as later:
        assert later.append(match, [play("7h"), play("8h")], expect=0, key="k1").repeated
        assert cards(later.read(match)) == ["7h", "8h", "9h"]


@pytest.mark.parametrize(
    "other",
    [
        [play("8h")],
        [play("7h"), play("7h")],
        [play("7h", text="x")],
        [play("7h", recorder="bob")],
        [play("7h", by="S")],
    ],
)
def test_a_key_used_for_something_else_is_a_conflict(store: Store, match: str, other: list[Recorded]) -> None:
    store.append(match, [play("7h", recorder="ann")], key="k1")
    with pytest.raises(ConflictError, match="event 1, which says something else"):
        store.append(match, other, key="k1")
    assert store.length(match) == 2


def test_a_retry_is_known_even_if_events_are_spelled_otherwise_by_now(store: Store, match: str) -> None:
    """A newer version of an event type changes its bytes; the retry of an old submission must still be harmless."""
    store.append(match, [play("7h"), play("8h")], key="k1")
    store.backend.conn.execute("UPDATE keys SET fingerprint = 'as it was spelled then'")
    assert store.append(match, [play("7h"), play("8h")], key="k1") == Appended(1, 2, repeated=True)
    with pytest.raises(ConflictError):
        store.append(match, [play("7h")], key="k1")


def test_keys_belong_to_their_match(store: Store, match: str) -> None:
    other = store.create_match({}, game="kaiser")
    assert store.append(match, [play("7h")], key="k1") == store.append(other, [play("7h")], key="k1")


def test_drafts_may_carry_the_key_themselves(store: Store, match: str) -> None:
    store.append(match, [play("7h", key="a"), play("8h", key="a")])
    assert store.append(match, [play("7h", key="a"), play("8h", key="a")]).repeated
    with pytest.raises(UsageError, match="different submission keys"):
        store.append(match, [play("7h", key="a"), play("8h", key="b")])
    with pytest.raises(UsageError, match="different submission keys"):
        store.append(match, [play("7h", key="a")], key="b")
    assert store.length(match) == 3


def test_without_a_key_the_same_event_may_come_twice(store: Store, match: str) -> None:
    store.append(match, [play("7h")])
    assert not store.append(match, [play("7h")]).repeated
    assert store.length(match) == 3


def test_an_append_is_all_or_nothing(store: Store, match: str) -> None:
    """One event that cannot be written takes the others with it, and the store goes on working."""
    bad = Recorded(n=0, event=Play(by="N", cards=(7,)))
    with pytest.raises(UnreadableError):
        store.append(match, [play("7h"), bad])
    assert store.length(match) == 1
    assert store.append(match, [play("7h")]) == Appended(1, 1)


def test_a_failure_in_the_middle_leaves_no_trace(store: Store, match: str) -> None:
    """Given a database that breaks on a row of three, when three are appended, then none is kept and no position
    lost."""
    store.backend.conn.execute(
        "CREATE TEMP TRIGGER trip BEFORE INSERT ON recent WHEN new.events = 3 BEGIN SELECT RAISE(ABORT, 'tripped'); END"
    )
    with pytest.raises(KibitzError, match="tripped"):
        store.append(match, [play("7h"), play("8h"), play("9h")], key="k")
    store.backend.conn.execute("DROP TRIGGER trip")
    assert store.length(match) == 1
    assert store.books()[0].head == 1
    assert store.append(match, [play("7h"), play("8h"), play("9h")], key="k") == Appended(1, 3)
    store.check()


@pytest.mark.parametrize("text", ["\ud800", "a\ud800b"])
def test_text_that_cannot_be_written_is_refused(store: Store, match: str, text: str) -> None:
    for draft in (play("7h", text=text), play("7h", recorder=text)):
        with pytest.raises(KibitzError):
            store.append(match, [draft])
    with pytest.raises(KibitzError):
        store.append(match, [play("7h")], key=text)
    with pytest.raises(KibitzError):
        store.find(text)
    assert store.length(match) == 1


def test_nothing_to_append_is_refused(store: Store, match: str) -> None:
    with pytest.raises(UsageError, match="nothing to append"):
        store.append(match, [])


def test_a_match_that_is_not_there(store: Store, match: str) -> None:
    for ask in (
        lambda: store.append("kaiser-nobody", [play("7h")]),
        lambda: store.read("kaiser-nobody"),
        lambda: store.read("kaiser-nobody", after=3),
        lambda: store.length("kaiser-nobody"),
        lambda: store.set_over("kaiser-nobody", True),
        lambda: store.find("yaniv"),
    ):
        with pytest.raises(NotFoundError, match=f"there is no match.*{match}"):
            ask()


# Reading and listing


def test_reading_after_a_position(store: Store, match: str) -> None:
    store.append(match, [play("7h"), play("8h")])
    assert [r.n for r in store.read(match, after=0)] == [1, 2]
    assert [r.n for r in store.read(match, after=1)] == [2]
    assert store.read(match, after=2) == []
    assert store.read(match, after=99) == []


def test_the_list_has_the_latest_first(store: Store, match: str) -> None:
    yaniv = store.create_match({"A": "Ann"}, game="yaniv", book="club")
    kaiser = store.create_match({}, game="kaiser", book="club")
    store.append(match, [play("7h")])
    store.set_over(kaiser, True)
    assert [row.match for row in store.matches()] == [match, kaiser, yaniv]
    assert [row.match for row in store.matches(book="club")] == [kaiser, yaniv]
    assert [row.match for row in store.matches(game="kaiser")] == [match, kaiser]
    assert [row.match for row in store.matches(open_only=True)] == [match, yaniv]
    assert [row.match for row in store.matches(book="club", game="kaiser", open_only=True)] == []
    row = store.matches()[-1]
    assert (row.book, row.game, row.last, row.over) == ("club", "yaniv", 0, False)
    assert row.facts == {"Game": "yaniv", "Match": yaniv, "A": "Ann"}
    assert row.created == row.changed == store.read(yaniv)[0].time
    assert (row.parent, row.parent_n) == (None, None)
    assert store.matches()[0].last == 1


def test_changed_in_the_same_moment_the_book_decides(path: Path) -> None:
    with Store.open(path, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as store:
        for name in ("b", "a", "c"):
            store.create_match({}, game="kaiser", match=name)
        store.append("b", [play("7h")])
        assert [row.match for row in store.matches()] == ["b", "c", "a"]
        assert store.last_open_match() == "b"


def test_the_last_open_match(store: Store) -> None:
    assert store.last_open_match() is None
    one = store.create_match({}, game="kaiser")
    two = store.create_match({}, game="kaiser")
    assert store.last_open_match() == two
    store.append(one, [play("7h")])
    assert store.last_open_match() == one
    store.set_over(one, True)
    assert store.last_open_match() == two
    store.set_over(one, False)
    assert store.last_open_match() == one


def test_a_prefix_finds_its_match(store: Store) -> None:
    for name in ("kaiser-4f7k2m", "kaiser-4g", "kaiser-4gx", "yaniv-9x"):
        store.create_match({}, game="any", match=name)
    assert store.find("kaiser-4f") == "kaiser-4f7k2m"
    assert store.find(" KAISER-4F ") == "kaiser-4f7k2m"
    assert store.find("y") == "yaniv-9x"
    assert store.find("kaiser-4g") == "kaiser-4g", "an id in full wins over a longer one"
    with pytest.raises(NotFoundError, match=r"3 matches begin with 'kai'.*kaiser-4f7k2m, kaiser-4g, kaiser-4gx"):
        store.find("kai")
    with pytest.raises(NotFoundError, match="there is no match 'k%'"):
        store.find("k%")


def test_a_store_with_no_match_says_so(store: Store) -> None:
    with pytest.raises(NotFoundError, match="the store has none yet"):
        store.find("kaiser")


def test_a_book_keeps_its_matches_in_one_sequence(store: Store, match: str) -> None:
    other = store.create_match({}, game="yaniv")
    away = store.create_match({}, game="yaniv", book="away")
    store.append(match, [play("7h"), play("8h")])
    store.append(away, [play("Td")])
    store.append(other, [play("9h")])
    assert [(e.pos, e.match, e.recorded.n) for e in store.tail(HOME)] == [
        (1, match, 0),
        (2, other, 0),
        (3, match, 1),
        (4, match, 2),
        (5, other, 1),
    ]
    assert [e.pos for e in store.tail(HOME, after=3)] == [4, 5]
    assert [e.pos for e in store.tail(HOME, after=1, limit=2)] == [2, 3]
    assert [(e.pos, e.recorded.n) for e in store.tail("away")] == [(1, 0), (2, 1)]
    assert store.tail(HOME, after=5) == []
    assert [(b.book, b.head) for b in store.books()] == [(HOME, 5), ("away", 2)]
    with pytest.raises(NotFoundError, match=r"no book 'nowhere'.*home, away"):
        store.tail("nowhere")
    store.check()


def test_any_browser_can_read_a_payload(path: Path, store: Store, match: str) -> None:
    """Payloads are JSON text, not blobs; type and version stand beside them."""
    store.append(match, [play("7h", text="♥ out of turn")])
    with sqlite3.connect(path) as plain:
        row = plain.execute("SELECT type, version, typeof(payload), payload FROM events WHERE n = 1").fetchone()
    plain.close()
    assert row[:3] == ("play", 1, "text")
    assert json.loads(row[3]) == {"event": {"verb": "play", "by": "N", "cards": ["7h"]}, "text": "♥ out of turn"}


def test_the_view_shows_every_event_as_it_was_written(path: Path, store: Store, match: str) -> None:
    """Filed or not, with gaps in the positions, with keys, times and recorders of their own: a row an event, its
    hashes too."""
    other = store.create_match({}, game="yaniv", match="yaniv-friday", key="open")
    for i in range(40):
        store.append(match, [play("7h", text=f"no. {i}, “so”")], key=f"k{i}" if i % 3 else "")
        store.append(other, [play("Td", recorder="bob")] * (1 + i % 3))
        if i == 20:
            store.set_over(other, False)  # everything but an append files the tail
    store.import_match("else", store.read(match)[:5], game="kaiser", book="club")
    store.append(match, [play("8h")])
    with closing(sqlite3.connect(path)) as plain:
        shown = plain.execute(f"SELECT {EVENT} FROM events ORDER BY book, pos").fetchall()
        assert plain.execute("SELECT count(*) FROM recent").fetchone() == (1,)
    assert shown == events_in(store.backend.conn)
    assert len(shown) == sum(book.head for book in store.books())


# Opening the store


def test_a_closed_store_says_so(store: Store, match: str) -> None:
    store.close()
    store.close()
    with pytest.raises(UsageError, match="closed"):
        store.read(match)


def test_a_store_stays_with_its_thread(store: Store, match: str) -> None:
    caught: list[BaseException] = []

    def elsewhere() -> None:
        try:
            store.read(match)
        except KibitzError as error:
            caught.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert isinstance(caught[0], UsageError)


def test_a_reader_cannot_write(path: Path, store: Store, match: str) -> None:
    with Store.open(path, write=False) as reader:
        assert reader.length(match) == 1
        for write in (
            lambda: reader.append(match, [play("7h")]),
            lambda: reader.create_match({}, game="kaiser"),
            lambda: reader.set_over(match, True),
        ):
            with pytest.raises(UsageError, match="reading only"):
                write()
        assert reader.backend.conn.execute("PRAGMA query_only").fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            forge(reader.backend.conn, "DELETE FROM events")
        assert [row.match for row in reader.matches()] == [match]


def test_a_reader_sees_what_is_added_meanwhile(path: Path, store: Store, match: str) -> None:
    with Store.open(path, write=False) as reader:
        store.append(match, [play("7h")])
        assert reader.length(match) == 2


def test_appends_are_durable_when_acknowledged(store: Store) -> None:
    settings = [store.backend.conn.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert settings == ["wal", 2]
    assert store.backend.conn.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert not store.backend.conn.in_transaction


def test_the_default_store_lies_in_the_users_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its directory is made; another place has to exist."""
    monkeypatch.setattr("platformdirs.user_data_path", lambda *a, **k: tmp_path / "data" / "kibitz")
    assert default_path() == tmp_path / "data" / "kibitz" / "kibitz.db"
    with Store.open() as store:
        assert store.path == default_path()
    assert default_path().exists()
    with pytest.raises(NotFoundError, match="no such directory"):
        Store.open(tmp_path / "else" / "where.db")


@pytest.mark.parametrize("name", ["a b.db", "q?mode=memory.db", "hash#tag.db", "100%.db", "ünï.db", ":memory:"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name) as store:
        store.create_match({}, game="kaiser")
    assert (tmp_path / name).stat().st_size > 0
    with Store.open(str(tmp_path / name), write=False) as store:
        assert len(store.matches()) == 1


def test_a_long_match_is_read_in_one_go(store: Store, match: str) -> None:
    store.append(match, [Recorded(n=0, event=Pass(by="N"))] * 5000)
    statements: list[str] = []
    store.backend.conn.set_trace_callback(statements.append)
    assert len(store.read(match)) == 5001
    # The events, and where the match ends.
    assert len(statements) == 2


def test_notes_may_follow_the_end(store: Store, match: str) -> None:
    """That a match is over closes nothing: a ruling or a note may come later."""
    store.set_over(match, True)
    assert store.append(match, [Recorded(n=0, event=Note(by="@", refs=(0,)))]) == Appended(1, 1)
    assert store.matches()[0].over
