"""The register of players: who is who because somebody said so, and a name that is shown nowhere any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.errors import ConflictError, NotFoundError, UsageError
from events.kib import read_kib
from events.model import Fix, Note, Open, Recorded
from events.register_notes import NameLink, register_entries, register_note, registered
from events.writing import write_line
from records import Store, players
from records.loading import StoreLoader
from records.movements import keep_movement, kept_movement
from records.register import REGISTER, Register, compared_name
from records.transfer import import_records

NAMES = {"N": "Ann Lee", "E": "Bo", "S": "Cy", "W": "Ann"}


def log(match: str, names: dict[str, str], text: str = "", recorder: str = "Bo") -> list[Recorded]:
    """A match of which only the names matter."""
    facts = {"Game": "kaiser", "Match": match, "Seats": "N E S W", "Date": "2026-03-14", **names}
    return [
        Recorded(n=0, event=Open(by="@", facts=facts), recorder=recorder, text=text),
        Recorded(n=1, event=Note(by="@"), recorder=recorder, text=text),
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "k.db") as opened:
        import_records(opened, log("m1", NAMES, "Ann  lee was late, said Ann", "Ann Lee"), book="league")
        import_records(opened, log("m2", {**NAMES, "N": "Dee"}, "Ann Lee looked on"), book="other")
        yield opened


def names(store: Store, match: str) -> dict[str, str]:
    facts = store.told(match)[0].event.facts
    return {seat: facts[seat] for seat in "NESW"}


def test_a_name_is_a_players_because_somebody_said_so(store: Store) -> None:
    """If this failed, two people who are spelled alike would share a row, or one row would be guessed."""
    ann = players.add_player(store, " Ann   Lee ")
    assert (ann.id, ann.name, ann.links) == ("p1", "Ann Lee", ())
    assert store.register.player_of("m1", "league", "N", "Ann Lee") is None
    players.link_name(store, ann, NameLink(name="Ann", book="league"))
    register = store.register
    assert [register.player_of("m1", book, "W", "Ann") is not None for book in ("league", "other")] == [True, False]
    assert register.player_of(
        "m1", "league", "W", "ann",
    ) is None, "nothing is taken for the same that is not written the same"
    other = players.add_player(store, "Ann Smith")
    players.link_name(store, other, NameLink(match="m1", seat="W"))
    assert store.register.player_of(
        "m1", "league", "W", "Ann",
    ) == store.register.named("Ann Smith"), "what is said of the seat goes first"
    with pytest.raises(ConflictError, match="p1"):
        players.link_name(store, other, NameLink(name="Ann", book="league"))
    players.unlink_name(store, store.register.named("p2"), NameLink(match="m1", seat="W"))
    assert store.register.player_of("m1", "league", "W", "Ann") == store.register.named("p1")


def test_a_new_player_has_the_own_name_unless_it_is_anothers(store: Store) -> None:
    """If this failed, adding a member would be refused, or take the spelling of another."""
    one = players.add_player(store, "Ann Lee", linked=True)
    assert one.links == (NameLink(name="Ann Lee"),)
    players.link_name(store, one, NameLink(name="Ann"))
    assert players.add_player(store, "Ann", linked=True).links == ()
    assert players.rename_player(store, one, "Ann Smith", linked=True).links == (
        NameLink(name="Ann Lee"), NameLink(name="Ann"), NameLink(name="Ann Smith"),
    )
    assert players.same_person(store, "A. S.", "Ann Smith").id == one.id
    assert players.same_person(store, "Boo", "Bo").links == (NameLink(name="Bo"), NameLink(name="Boo"))


def test_two_spellings_become_one_player(store: Store) -> None:
    one, two = players.add_player(store, "Ann Lee"), players.add_player(store, "A. Lee")
    players.link_name(store, two, NameLink(name="Ann"))
    merged = players.merge_players(store, two, one)
    assert merged.id == "p1"
    assert merged.links == (NameLink(name="Ann"),)
    assert store.register.player("p2") == merged, "the old id still leads there"
    assert store.register.next_id() == "p3", "and is never given again"
    with pytest.raises(UsageError, match="one player already"):
        players.merge_players(store, merged, merged)
    with pytest.raises(NotFoundError):
        store.register.named("A. Lee")


def test_who_is_forgotten_is_shown_nowhere(store: Store) -> None:
    """If this failed, the name would still be read where it matters: in what is printed and sent."""
    ann = players.add_player(store, "Ann Lee", recorder="Ann Lee")
    players.link_name(store, ann, NameLink(name="Ann Lee"))
    before = [line.payload for line in store.lines("m1")]
    players.forget_player(store, ann)
    assert names(store, "m1") == {"N": "Former player 1", "E": "Bo", "S": "Cy", "W": "Ann"}
    first = store.told("m1")[0]
    assert (first.recorder, first.text) == ("Former player 1", "Former player 1 was late, said Ann")
    assert store.told("m2")[1].text == "Former player 1 looked on"
    shown = [
        *store.told("m1"), *store.told("m2"), *store.told(REGISTER), *store.matches(), *StoreLoader(store.path)("m1"),
    ]
    assert "ann lee" not in compared_name(repr(shown)).casefold()
    assert [line.payload for line in store.lines("m1")] == before, "the log keeps its bytes"
    assert store.verify("league").found == store.verify(REGISTER).found == []
    assert store.told("m1", after=0) == store.told("m1")[1:]
    with pytest.raises(NotFoundError) as error:
        store.register.named("Ann Lee")
    assert "Former player 1" in error.value.expected


def test_somebody_else_of_the_same_name_keeps_it(store: Store) -> None:
    """If this failed, forgetting one Ann would take the name of another."""
    ann = players.add_player(store, "Ann Lee")
    players.link_name(store, ann, NameLink(match="m1", seat="W"))
    players.forget_player(store, ann)
    assert names(store, "m1") == {
        "N": "Ann Lee", "E": "Bo", "S": "Cy", "W": "Former player 1",
    }, "the other one at the table is written Ann Lee"
    assert store.told("m1")[0].text == "Ann  lee was late, said Former player 1"
    assert store.told("m2")[1].text == "Former player 1 looked on"
    players.link_name(store, players.add_player(store, "Ann Lee"), NameLink(name="Ann Lee"))
    assert store.told("m2")[1].text == "Ann Lee looked on", "another player goes by that name"


def test_a_corrected_name_is_hidden_too(store: Store) -> None:
    ann = players.add_player(store, "Ann Lee")
    players.link_name(store, ann, NameLink(name="Anne"))
    facts = {"Game": "kaiser", "Match": "m1", "Seats": "N E S W", **NAMES, "N": "Anne"}
    store.append("m1", [Recorded(n=1, event=Fix(by="@", at=0, how="replace", event=Open(by="@", facts=facts)))])
    players.forget_player(store, ann)
    assert "Anne" not in repr(store.told("m1"))
    assert store.told("m1")[-1].event.event.facts["Seats"] == "N E S W"


@pytest.mark.parametrize("name", ["", " ", "a\u202eb", "x" * 201, "p12", "Former player 9"])
def test_what_is_no_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(UsageError):
        players.add_player(store, name)
    assert store.end(REGISTER) is None, "nothing was written"


def test_the_register_is_no_match_that_is_played(store: Store) -> None:
    """If this failed, `record` would go on with the register, and `audit --all` would stumble over it."""
    players.add_player(store, "Ann Lee")
    assert {row.match for row in store.matches()} == set(store.ids()) == {"m1", "m2"}
    assert store.last_open_match() in ("m1", "m2")
    assert [row.match for row in store.matches(book=REGISTER)] == [REGISTER]


def test_decisions_and_movements_are_kept_in_the_log(store: Store) -> None:
    """If this failed, a movement that was carried to another machine would be read as another one."""
    ann = players.add_player(store, "Ann Lee")
    players.adjust_player(
        store, ann, {"vp": -3}, book="league", game="kaiser", day="2026-03-14", why="Ann Lee came late",
    )
    for rounds in (["1:2/1"], ["1:2/1", "2:1/2"]):
        keep_movement(
            store, book="league", day="2026-03-14", game="kaiser", kind="swiss", title="Cup",
            entrants=["Ann Lee & Bo", "Cy"], rounds=rounds, options={"target": "32"},
        )
    text = "\n".join(["%kib 1", *(write_line(r) for r in store.read(REGISTER) if r.n)])
    reading = read_kib(text)
    assert not reading.errors
    again = Register([store.read(REGISTER)[0], *reading.records])
    kept = again.movement_of("league")
    assert kept is not None
    assert (kept.entrants, kept.rounds, kept.options, kept.kind, kept.name) == (
        ("Ann Lee & Bo", "Cy"), ("1:2/1", "2:1/2"), {"target": "32"}, "swiss", "Cup",
    )
    assert again.adjustments("league") == store.register.adjustments("league")
    assert again.adjustments("other") == []
    players.forget_player(store, ann)
    shown = store.register.movement_of("league", "2026-03-14")
    assert shown is not None
    assert shown.entrants == ("Former player 1 & Bo", "Cy")
    assert store.register.adjustments()[0].why == "Former player 1 came late"
    with pytest.raises(NotFoundError, match="no movement"):
        kept_movement(store, "other")


def test_a_match_of_that_id_is_not_taken_for_the_register(tmp_path: Path) -> None:
    with Store.open(tmp_path / "k.db") as store:
        store.create_match({"Seats": "N E S W"}, game="kaiser", match=REGISTER)
        with pytest.raises(ConflictError, match="is a game"):
            players.add_player(store, "Ann Lee")
        assert store.register.players == {}


@pytest.mark.parametrize(
    "facts",
    [
        {"did": "add"}, {"did": "add", "player": 3, "name": "x"}, {"did": "sing", "player": "p1"},
        {"did": "link", "player": "p1", "name": ["x"]}, {"did": "merge", "player": "p1", "into": "p1"},
        {"did": "merge", "player": "p1", "into": "p9"}, {"did": "forget", "player": "p7"}, {}, {"did": "file"},
        {"did": "file", "match": "m1"}, {"did": "file", "match": "m1", "book": "b", "last": "x"},
        {"did": "file", "match": "m1", "book": "b", "player": "p1"},
    ],
)  # fmt: skip
def test_an_entry_that_says_nothing_changes_nothing(facts: dict[str, object]) -> None:
    """If this failed, one odd line could make the whole register unreadable."""
    first = Recorded(n=1, event=register_note("add", "p1", name="Ann"))
    odd = Recorded(n=2, event=Note(by="@", facts=facts))
    assert list(Register([first, odd]).players) == ["p1"]
    assert Register([first, odd]).players["p1"].name == "Ann"
    assert Register([first, odd]).filed == {}


def test_an_entry_can_be_struck_and_replaced() -> None:
    lines = [
        Recorded(n=1, event=register_note("add", "p1", name="Ann")),
        Recorded(n=2, event=register_note("link", "p1", name="An")),
    ]
    struck = Recorded(n=3, event=Fix(by="@", at=2, how="strike"))
    better = Recorded(n=4, event=Fix(by="@", at=1, how="replace", event=register_note("add", "p1", name="Anna")))
    register = Register([*lines, struck, better])
    assert (register.players["p1"].name, register.players["p1"].links) == ("Anna", ())
    assert [one.did for one in register_entries([*lines, struck])] == ["add"]
    assert registered(replace(lines[0], event=Open(by="@", facts={"did": "add"}))) is None
