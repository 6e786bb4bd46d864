"""Lines that are handed in: what they mean, twice the same, too late, and who may write what."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from browsers import in_a_thread_of_its_own
from replays import example, records_of
from sampling import a_few
from service_at import Evening, evening
from taps import lines_of_a_hand

from events.errors import UsageError
from events.kib import read_bytes
from events.model import EVENT_TYPES, Claim, Confirm, Deal, Dispute, End, Fix, Open, Play, Recorded, Ruling
from events.writing import write_event
from replay import viewer
from replay.fold import fold
from replay.redact import hide
from replay.simulate import simulate
from service import pages
from service.write_permissions import WRITABLE, why_refused

BIDDING = ("6", "pass", "pass", "pass", "name h")


@pytest.fixture
def club(tmp_path: Path):
    with evening(tmp_path) as made:
        yield made


def test_a_line_is_answered_with_what_it_meant_and_with_the_keys_for_the_next(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    told = recorder.lines(match, *BIDDING, "8h").json()
    assert (told["first"], told["last"], told["repeated"]) == (6, 6, False)
    assert told["line"].startswith("6  Name N 8♥")
    assert told["pad"]["led"] == "h"
    assert told["pad"]["last"] == 6


def test_the_same_line_under_the_same_key_is_written_once_and_answered_alike(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING)
    first = recorder.line(match, "8h", key="k1", expect=5)
    recorder.lines(match, "9h")
    again = recorder.line(match, "8h", key="k1", expect=5)
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json()["first"], again.json()["line"], again.json()["repeated"]) == (6, first.json()["line"], True)
    assert club.service.shared.reading.length(match) == 8


def test_a_line_that_waited_is_written_where_it_was_typed_for_or_not_at_all(club: Evening) -> None:
    """If this failed, a card that waited on a phone would be written for another player than the one who played it."""
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING)
    assert recorder.line(match, "8h", key="k1", expect=5, seat="N", phase="play").status_code == 201
    # Behind the line before it, by its key; not behind one that was discarded.
    assert recorder.line(match, "9h", key="k2", after="k1", seat="E", phase="play").json()["last"] == 7
    gone = recorder.line(match, "Qh", key="k4", after="k3", seat="W")
    assert (gone.status_code, gone.json()["type"]) == (409, "urn:kibitz:problem:unfounded")
    # Others have written behind that line: it is stale.
    assert recorder.line(match, "Qh", key="k4", after="k1", seat="W").json()["missed"][0]["n"] == 7
    for bound, said in (
        ({"seat": "W"}, "typed for Name W, and now it is the turn of Name S"),
        ({"phase": "bidding"}, "another part of the hand"),
    ):
        told = recorder.line(match, "Qh", key="k4", after="k2", **bound)
        assert (told.status_code, told.json()["type"]) == (409, "urn:kibitz:problem:elsewhere")
        assert said in told.json()["title"]
    assert club.service.shared.reading.length(match) == 8


def test_a_step_that_went_unsaid_is_no_other_seat(club: Evening) -> None:
    """If this failed, a recorder of Zetema who does not write what is drawn unseen would be asked about every
    discard after a marriage."""
    match = club.match(game="zetema")
    recorder = club.as_("recorder", match)
    for line in lines_of_a_hand(hide(simulate("zetema", seed=3, hands=1)), 1):
        pad = recorder.get(f"/matches/{match}/pad").json()
        seat = pad["turn"][0] if len(pad["turn"]) == 1 else ""
        told = recorder.line(match, line.text, expect=pad["last"], seat=seat, phase=pad["phase"])
        if line.answer:
            told = recorder.line(match, line.answer, expect=pad["last"], seat=seat, phase=pad["phase"])
        assert told.status_code == 201, (line.text, told.json())


def test_another_line_under_a_used_key_is_refused(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING)
    recorder.line(match, "8h", key="k1")
    other = recorder.line(match, "9h", key="k1")
    assert other.status_code == 422
    assert other.json()["type"] == "urn:kibitz:problem:key-reused"


def test_undo_under_a_used_key_takes_back_once(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING, "8h", "9h")
    recorder.line(match, "undo", key="k1")
    again = recorder.line(match, "undo", key="k1")
    assert again.json()["repeated"] is True
    assert club.service.shared.reading.length(match) == 9


def test_a_stale_writer_is_told_what_was_missed(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING)
    late = recorder.line(match, "8h", expect=3)
    assert late.status_code == 409
    assert [one["n"] for one in late.json()["missed"]] == [4, 5]
    assert late.json()["missed"][0]["line"] == "Name W passes"


def test_what_breaks_a_rule_is_kept_only_on_purpose(club: Evening) -> None:
    match = club.match()
    director = club.as_("director")
    recorder = club.as_("recorder", match)
    recorder.lines(match, "6", "pass", "pass", "pass")
    doubt = director.line(match, "N bid 6")
    assert doubt.status_code == 422
    assert doubt.json()["type"] in ("urn:kibitz:problem:doubt", "urn:kibitz:problem:unreadable")
    kept = recorder.line(match, "name h")
    assert kept.status_code == 201


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("S 8h", "Name S 8♥: Name N sits left of the dealer and leads"),
        ("W pass", "Name W passes: not now; expected Name N to play: a card"),
    ],
)
def test_a_doubt_is_told_in_a_line_without_numbers_and_commands(club: Evening, line: str, says: str) -> None:
    """If this failed, the phone would say "kaiser.R9" and "keep it with !" to somebody at a table, and each name
    twice."""
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING)
    assert recorder.line(match, line).json()["doubts"] == [says]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"options": {"target": "x"}}, "score that ends the match: a whole number from 1 to 999, not 'x'"),
        (
            {"options": {"all_pass": "nix"}},
            "after four passes: a new deal, or the dealer must bid: dealer forced or redeal, not 'nix'",
        ),
        (
            {"seats": {"N": "\u202e", "E": "B", "S": "C", "W": "D"}},
            "seats: a name is 1 to 200 printable characters (seat N)",
        ),
        (
            {"seats": {"N": "A", "E": "A", "S": "C", "W": "D"}},
            "seats: A sits in two places; tell two players of one name apart, as A A and A B",
        ),
        ({"date": "soon"}, "date: a date is written like 2026-03-14, not 'soon'"),
        ({"book": "register"}, "the players are kept in the book of this name"),
    ],
)
def test_what_is_wrong_with_a_new_match_is_said_in_the_words_of_the_form(
    club: Evening, body: dict[str, Any], says: str,
) -> None:
    told = club.as_("director").post(
        "/matches", {"game": "kaiser", "seats": {"N": "A", "E": "B", "S": "C", "W": "D"}, **body},
    )
    assert (told.status_code, told.json()["title"]) == (400, says)
    assert "kibitz" not in told.text.replace("urn:kibitz", "")


def test_a_tally_against_the_cards_is_asked_about_at_once(club: Evening) -> None:
    """Whoever holds the phone reads the names of the players, and can send it again as it was played."""
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING, "Ah", "8h", "9h", "Th")
    told = "tally tricks.NS=0 tricks.EW=8"
    asked = recorder.line(match, told)
    assert (asked.status_code, asked.json()["type"]) == (422, "urn:kibitz:problem:doubt")
    assert asked.json()["doubts"] == [
        "result: Name N & Name S won trick 1: 8 tricks for Name E & Name W are not possible"
    ]
    assert recorder.line(match, told, as_played=True).status_code == 201
    assert recorder.line(match, "tally tricks.NS=9").status_code == 422
    recorder.lines(match, "undo", "tally tricks.NS=5 tricks.EW=3")


@pytest.mark.parametrize(
    ("role", "line", "status"),
    a_few([
        ("recorder", "@ ruling #1 rule=kaiser.R11", 403), ("seat", "8h", 403), ("seat", "N claim NS=3", 201),
        ("seat", "NS claim NS=3", 201), ("seat", "E claim NS=3", 403), ("seat", "N dispute #1", 201),
        ("spectator", "8h", 403), ("director", "8h", 201),
    ], 4),
)  # fmt: skip
def test_each_role_writes_what_is_its_own(club: Evening, role: str, line: str, status: int) -> None:
    match = club.match()
    club.as_("director").lines(match, *BIDDING)
    asker = club.as_(role, match, "N" if role == "seat" else "")
    assert asker.line(match, line).status_code == status


def test_what_an_undo_puts_back_is_not_what_the_recorder_saw(club: Evening) -> None:
    """If this failed, an undo on a phone would write hidden cards away."""
    records = simulate("kaiser", seed=3, hands=1)[:4]
    match = club.match(records)
    deal = next(r for r in records if isinstance(r.event, Deal))
    director, recorder = club.as_("director"), club.as_("recorder", match)
    first = deal.event.piles[0]
    director.lines(
        match,
        f"fix {deal.n} deal " + " ".join(f"{name}={''.join(cards)}" for name, cards in deal.event.piles) + " {twice}",
    )
    recorder.lines(match, "undo")
    last = club.service.shared.reading.read(match)[-1]
    assert last.event.event == deal.event
    assert first[1] == last.event.event.piles[0][1]


def test_a_phone_takes_a_card_back_and_whoever_follows_sees_the_table_without_it(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, *BIDDING, "N Ac", "E 9d")
    told = recorder.get(f"/matches/{match}/pad").json()
    recorder.lines(match, "back", "8c", "9c")
    log = club.service.shared.reading.read(match)
    assert [write_event(r.event) for r in log[-4:]] == ["E play 9d", "E back", "E play 8c", "S play 9c"]
    assert [seat for seat, _ in fold(log).hand.trick.plays] == ["N", "E", "S"]
    assert recorder.get(f"/matches/{match}/pad").json() != told


def test_the_end_of_a_match_keeps_its_verdict_and_is_noted(club: Evening) -> None:
    match = club.match()
    director = club.as_("director")
    director.lines(match, *BIDDING, "end match agreed")
    assert [row.over for row in club.service.shared.reading.matches()] == [True]
    assert club.service.shared.reading.read(match)[-1].event.facts


def test_events_are_taken_whole_or_not_at_all(club: Evening) -> None:
    match = club.match()
    director = club.as_("director")
    body = {
        "events": [
            {"n": 1, "event": {"verb": "bid", "by": "N", "level": 6}}, {"n": 2, "event": {"verb": "pass", "by": "E"}},
        ],
        "key": "k", "expect": 0,
    }
    first, again = director.post(f"/matches/{match}/events", body), director.post(f"/matches/{match}/events", body)
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json()["last"], again.json()["repeated"]) == (2, True)
    body["events"] = [{"n": 1, "event": {"verb": "pass", "by": "N"}}]
    assert director.post(f"/matches/{match}/events", body).status_code == 422


def test_the_director_sees_what_a_ruling_would_make_of_the_score_before_it_is_given(club: Evening) -> None:
    match = club.match()
    director = club.as_("director")
    director.lines(match, "hand", "tally points.NS=12 points.EW=3")
    last = club.service.shared.reading.read(match)[-1].n
    told = director.get(f"/matches/{match}/ruled?line=%40 ruling %23{last} points.NS=-5 points.EW=8").json()
    assert (told["now"], told["then"]) == (
        "not finished; Name N & Name S 12 – Name E & Name W 3",
        "not finished, as ruled; Name N & Name S 7 – Name E & Name W 11",
    )
    assert told["why"] == ["Name N & Name S −5 points, Name E & Name W +8 points"]
    assert club.service.shared.reading.read(match)[-1].n == last
    assert director.get(f"/matches/{match}/ruled?line=N pass").status_code == 422
    assert "tricks handed over do not add up" in director.get(
        f"/matches/{match}/ruled?line=%40 ruling %23{last} tricks.NS=1"
    ).text
    assert club.as_("recorder", match).get(
        f"/matches/{match}/ruled?line=%40 ruling %23{last} points.NS=1"
    ).status_code == 403


def test_whether_a_submission_landed(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.line(match, "6", key="k1")
    assert recorder.get("/submissions/k1").json() == {"match": match, "first": 1, "last": 1}
    assert recorder.get("/submissions/k2").status_code == 404


def test_the_record_that_is_fetched_is_the_record(club: Evening) -> None:
    match = club.match(simulate("scopa", seed=2, hands=1), "scopa")
    text = club.as_("director").get(f"/matches/{match}/kib").content
    read = read_bytes(text, "kib")
    assert not read.errors
    assert [r.event for r in read.records] == [r.event for r in club.service.shared.reading.read(match)]
    assert isinstance(read.records[0], Recorded)


@pytest.mark.parametrize(
    ("name", "upto", "leads"),
    [
        ("kaiser-evening", 124, ["Olena & Walter"]), ("pontoon-kitchen", 90, ["Maureen"]),
        ("ziginette-bleecker", 30, ["Vito"]),
        # Where the fewest points lead.
        ("couillon-estaminet", 92, ["Jef & Mia"]), ("rumino-bagni", 80, ["Marta"]),
        # Nobody leads alone.
        ("kaiser-evening", 20, []),
    ],
)  # fmt: skip
def test_the_board_shows_who_leads(club: Evening, name: str, upto: int, leads: list[str]) -> None:
    records = [r for r in records_of(example(name)) if r.n <= upto]
    club.match(records, game=records[0].event.facts["Game"], match=name)
    (table,) = club.as_("director").get("/board").json()["tables"]
    assert [side["name"] for side in table["sides"] if side["leads"]] == leads


def test_the_board_is_of_the_last_evening(club: Evening) -> None:
    """If this failed, the hall would look at the tables of a whole winter, or a director would search tonight's below
    them."""
    director, ids = club.as_("director"), {}
    for day, over in (("2026-01-06", True), ("2026-01-13", False), ("2026-01-20", True), ("2026-01-20", False)):
        seats = {"A": "Ann", "B": "Bo"}
        told = director.post("/matches", {"game": "pad", "book": "league", "date": day, "seats": seats})
        match = ids[day, over] = told.json()["match"]
        if over:
            for line in ("tally points.A=3 points.B=1", "@ end match"):
                assert director.line(match, line).status_code == 201
    shown = [one["match"] for one in director.get("/board?book=league").json()["tables"]]
    assert set(shown) == {match for (day, over), match in ids.items() if day == "2026-01-20" or not over}
    whole = [one["match"] for one in director.get("/board?book=league&whole=true").json()["tables"]]
    assert whole == [
        ids["2026-01-20", False], ids["2026-01-13", False], ids["2026-01-20", True], ids["2026-01-06", True],
    ]


def test_the_board_says_what_a_hand_came_to(club: Evening) -> None:
    for name, upto in (("scopa-sunday", 60), ("kaiser-evening", 124)):
        records = [r for r in records_of(example(name)) if r.n <= upto]
        club.match(records, game=records[0].event.facts["Game"], match=name)
    ended = {table["game"]: table["ended"] for table in club.as_("director").get("/board").json()["tables"]}
    # Where a hand has no words of its own, who got what.
    assert ended == {"Scopa": "hand 1: Rosa +1, Pietro +4", "Kaiser": "hand 3: Olena & Walter 7 ♠ made"}


def test_games_are_offered_by_their_names(club: Evening) -> None:
    """If this failed, a director would look for Écarté below the Z."""
    names = [game["name"] for game in club.as_("director").get("/games").json()]
    assert [
        name for name in names if name in ("Écarté", "Envite", "Dingo", "Score pad", "Scopa", "Ziginette", "Zetema")
    ] == [
        "Dingo", "Écarté", "Envite", "Scopa", "Score pad", "Zetema", "Ziginette",
    ]  # fmt: skip


# -- who may write what

WROTE = {
    "a picture that nobody attached": {
        "verb": "note", "by": "@", "facts": {"sha256": "a" * 64, "kind": "jpeg", "bytes": 10},
    },
    "that a picture was removed": {"verb": "note", "by": "@", "facts": {"removed": "a" * 64}},
    "a remark that is sealed": {"verb": "note", "by": "@", "facts": {"sealed": True}},
    "the same in a correction": {
        "verb": "fix", "by": "@", "at": 1, "how": "insert",
        "event": {"verb": "note", "by": "@", "facts": {"removed": "a" * 64}},
    },
    "another game": {"verb": "open", "by": "@", "facts": {"Game": "scopa"}},
    "another match": {"verb": "open", "by": "@", "facts": {"Match": "other"}},
    "the verdict": {"verb": "end", "by": "@", "what": "match", "facts": {"rules": "1"}},
}


@pytest.mark.parametrize("role", ["recorder", "director"])
@pytest.mark.parametrize("what", a_few(WROTE, 3))
def test_what_only_a_command_writes_is_refused_of_everybody(club: Evening, what: str, role: str) -> None:
    """If this failed, a recorder could take evidence away, or make the match look forged for good."""
    match = club.match()
    before = club.service.shared.reading.length(match)
    told = club.as_(role, match).post(f"/matches/{match}/events", {"events": [{"n": 0, "event": WROTE[what]}]})
    assert told.status_code in (403, 422), told.text
    assert "Traceback" not in told.text
    assert club.service.shared.reading.length(match) == before


@pytest.mark.parametrize(
    "line",
    [
        "@ note removed=" + "a" * 64, "@ note sha256=" + "a" * 64 + " kind=png bytes=9", "@ note sealed=true",
        "@ open Game=scopa",
    ]
)
def test_a_typed_line_cannot_say_it_either(club: Evening, line: str) -> None:
    match = club.match()
    before = club.service.shared.reading.length(match)
    told = club.as_("director", match).line(match, line)
    assert told.status_code == 422, told.text
    assert club.service.shared.reading.length(match) == before


def test_every_field_of_every_event_is_listed_or_written_by_kibitz_alone() -> None:
    """If this failed, a field that was added could be written by anybody before somebody thought of who may."""
    unlisted = {
        (kind, f.name) for kind in EVENT_TYPES for f in msgspec.structs.fields(kind)
        if f.name not in WRITABLE["director"].get(kind, ())
    }
    assert unlisted == {(End, "facts")}
    assert set(WRITABLE["seat"]) == {Claim, Confirm, Dispute}
    assert {kind for kind in WRITABLE["director"] if kind not in WRITABLE["recorder"]} == {Open, Ruling}


def test_a_field_that_is_not_listed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a list without the card of a play lets nobody play one."""
    play = Play(by="N", cards=("8h",))
    assert why_refused("recorder", play) == ""
    monkeypatch.setitem(WRITABLE, "recorder", {**WRITABLE["recorder"], Play: frozenset({"by"})})
    assert why_refused("recorder", play) == "the cards of a play cannot be written here"
    assert why_refused(
        "recorder", Fix(by="@", at=3, how="replace", event=play),
    ) == "the cards of a play cannot be written here"
    assert why_refused("spectator", play)


def test_a_service_that_has_stopped_has_closed_what_each_thread_read_through(tmp_path: Path) -> None:
    """If this failed, an evening that is begun again and again in one process would hold the file more and more
    often."""
    with evening(tmp_path) as made:
        store = in_a_thread_of_its_own(lambda: made.service.shared.reading)
        match = made.match()
        assert store.ids() == [match]
    with pytest.raises(UsageError, match="closed"):
        store.ids()


PHRASES = {
    "director": (
        "spectator link, all tables", "Active links", "revoke", "record ruling", "change ruling", "ruling requested",
        "rule (optional)",
    ),
    "season": ("publish", "unpublish"),
    "players": ("Names not linked to a player",),
    "watch": ("Sent to the director.", "Viewing an earlier position", "reason (optional)"),
    "phone": (
        "discard my line", "that is how it was played", "undo the last line", "I missed some plays", "Build a line",
    ),
}
"""What a club would say, by the page that says it."""
FORMER = (
    "link for all who follow", "link for spectators", "links in force", "take back,", "not in force", "hang it out",
    "hung out", "take it down", "nobody's yet", "leave it out", "it was played so", "acts not seen", "put together\"",
    "rule otherwise", "wants a decision", "sees it now", "not at the end", "as the table saw", "with this proof",
    "all known today", "may stay empty", "if there is one\"",
)  # fmt: skip
PLACES = (Path(pages.__file__).parent / "static", Path(viewer.__file__).parent / "static")


def said_on(script: Path) -> str:
    """What stands between quotes in a script: what a page may say."""
    lines = (
        line for line in script.read_text(encoding="utf-8").splitlines()
        if not line.strip().startswith(("//", "*", "/*"))
    )
    return "\n".join(said for line in lines for said in re.findall(r'"[^"]*"|`[^`]*`', line))


def test_pages_say_what_a_club_would_say() -> None:
    for page, phrases in PHRASES.items():
        said = said_on(PLACES[0] / f"{page}.js")
        assert [phrase for phrase in phrases if phrase not in said] == [], page
    scripts = [script for place in PLACES for script in place.glob("*.js")]
    assert [(script.name, phrase) for script in scripts for phrase in FORMER if phrase in said_on(script)] == []


@pytest.mark.parametrize(
    "page", ["index", "board", "season", "players", "find", "watch", "enter", "viewer", "panels", "menu"],
)
def test_no_command_stands_on_a_page_for_readers(page: str) -> None:
    said = "".join(said_on(place / f"{page}.js") for place in PLACES if (place / f"{page}.js").exists())
    assert re.findall(r"kibitz [a-z]+|\b(?:fix|undo|tally) [#0-9]", said) == []


def test_a_finding_is_told_to_the_recorder_without_its_number(club: Evening) -> None:
    """If this failed, the phone would show `kaiser.R11` and a line to type, cut off, to somebody at a table."""
    match, told = club.match(), list[Any]()
    recorder = club.as_("recorder", match)
    for line in (*BIDDING, "8h 9d Jh Qh", "W Ad Td 8d Kd", "W Ac 9c 9h", "hand"):
        told += recorder.line(match, line, as_played=True).json()["told"]
    assert [(one["text"], one["n"], one["lines"]) for one in told] == [
        ("follow suit: Name E plays 9♦; hearts were led, and Name E holds one", 7, [])
    ]
