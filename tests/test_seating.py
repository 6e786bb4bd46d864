"""Joining and leaving between two hands, asked of every game in which it can be done (`reducers.seating`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sampling import each_game
from service_at import evening

from events import read_kib, write_kib
from events.errors import NotationError
from events.model import Event, Hand, Open, Play, Recorded, Tally
from reducers.model import State
from reducers.registry import PAGES, find_game
from reducers.rules import Verdict
from reducers.seating import everybody, joins, leaves, whole_totals
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.season.facts import match_facts
from replay.simulate import simulate
from replay.table.frame import frame
from replay.table.game_help import help_lines
from replay.table.picture import render_frame
from replay.table.position import here, where_it_stands
from replay.table.session import Session
from replay.viewer.document import document

OPEN = tuple(key for key in PAGES if find_game(key).match.open_table)
NAMES = {"A": "Ann", "B": "Bea", "C": "Cleo"}
MONEY = ("pontoon", "seven-and-a-half", "put-and-take", "ziginette", "play-or-pay", "funfzehnern")


def comes_and_goes(state: State[Any]) -> Iterable[Event]:
    """Timo joins after the first hand, behind the first seat; Bea leaves after the second one; she comes back after
    the third."""
    if state.number == 1:
        yield joins("Timo", "A", state)
    if state.number == 2:
        yield leaves("B", state)
    if state.number == 3:
        yield joins("Bea", "", state)


def long_enough(game: str) -> dict[str, Any]:
    """House rules by which a match does not end with its first hands."""
    return {name: value for name, value in {
        "hands": 0 if game == "machiavelli" else 9, "games": 9, "target": 200, "out_above": 900, "out_at": 900,
    }.items()
            if name in find_game(game).options.__struct_fields__}  # fmt: skip


def played(game: str, seed: int = 1, **options: Any) -> list[Recorded]:
    """Four hands of a match in which somebody joins, leaves and comes back."""
    return simulate(
        game, seed=seed, hands=4, seats="ABC", names=NAMES, options={**long_enough(game), **options},
        between=comes_and_goes,
    )


@each_game(OPEN, short=5)
def test_each_hand_is_played_by_those_who_sit_there(game: str) -> None:
    """The deal goes to those who sit at the table and to nobody else, no rule is broken, and each total is the sum
    of the own hands."""
    log = played(game)
    state = fold(log)
    assert not state.table.trouble
    assert not judge(log).broken
    at_table = [set("ABC"), set("ABCD"), set("ACD"), set("ABCD")]
    assert [set(score.points) for score in state.scores] == at_table
    assert all(score.dealer in there for score, there in zip(state.scores, at_table, strict=True))
    first = state.game.match.new_match(everybody(state)).totals
    for who in "ABCD":
        own = [score.points[who] or 0 for score in state.scores if who in score.points]
        assert whole_totals(state.standing)[who] == (first[who] or 0) + sum(own)
    assert fold(read_kib(write_kib(log)).records).scores == state.scores


@each_game(OPEN, short=3)
def test_the_others_score_as_in_a_match_of_their_own(game: str) -> None:
    """The hand after somebody has left is worth what it is in a match that those who stay begin with it."""
    log = played(game)
    begins = [i for i, r in enumerate(log) if isinstance(r.event, Hand)]
    here = log[begins[2] : begins[3]]
    opening = log[0].event
    assert isinstance(opening, Open)
    facts = {**{k: v for k, v in opening.facts.items() if k != "B"}, "Seats": "A D C", "D": "Timo"}
    alone = [
        Recorded(n=0, event=Open(by="@", facts=facts)),
        *(msgspec.structs.replace(r, n=i) for i, r in enumerate(here, 1)),
    ]
    if game not in ("pay-me", "pontoon"):  # there the number of the hand, or the pack, goes on from the hand before
        assert fold(alone).scores[0].points == fold(log).scores[2].points


@each_game(OPEN, short=3)
def test_sheet_viewer_score_and_season_have_all_who_sat_there(game: str) -> None:
    """Everything that is made of a match names the player who joined, and leaves the hands before blank."""
    log = played(game)
    sheet, score, shown, facts = sheet_of(log), score_match(log), document(log), match_facts("m", log)
    told = dict(sheet.facts)["Joined and left"]
    assert told.startswith("Timo joined in hand 2 with ")
    assert ", Bea left after hand 2, Bea came back in hand 4 with " in told
    assert set(score.totals) == set(score.seats) == set(shown["seats"]) == set("ABCD")
    assert [set(h.points) for h in score.hands] == [set("ABC"), set("ABCD"), set("ACD"), set("ABCD")]
    by_name = {one.name: one for one in facts.seats}
    assert {name: one.hands for name, one in by_name.items()} == {"Ann": 4, "Timo": 3, "Bea": 3, "Cleo": 4}
    assert {name: one.total for name, one in by_name.items()} == {
        "Ann": score.totals["A"], "Timo": score.totals["D"], "Bea": score.totals["B"], "Cleo": score.totals["C"],
    }
    if game in MONEY:
        assert sum(n or 0 for n in score.totals.values()) == sum(
            n or 0 for n in fold(log).game.match.new_match(everybody(fold(log))).totals.values()
        )


@each_game(OPEN, short=5)
def test_everything_can_be_asked_wherever_the_record_stops(game: str) -> None:
    """After somebody has left, before the next hand, at its beginning and in its middle: sheet, score, viewer and
    season have the kept total."""
    log = played(game)
    begins = [i for i, r in enumerate(log) if isinstance(r.event, Hand)]
    stops = {
        begins[1] - 1, begins[1] + 1, begins[2] - 1, begins[2], begins[2] + 1, begins[2] + 3, begins[3] - 1, begins[3],
        begins[3] + 2, len(log),
    }
    for stop in sorted(stops):
        part = log[:stop]
        state, score = fold(part), score_match(part)
        assert set(score.totals) == set(score.seats) == set(everybody(state).seats)
        assert {who: score.totals[who] for who in state.standing.left} == state.standing.left
        assert sheet_of(part).blocks
        assert set(document(part)["totals"]) == set(score.totals)
        assert {one.seat for one in match_facts("m", part).seats} == set(score.seats)
        assert not judge(part).broken


def the_dealer_leaves(state: State[Any]) -> Iterable[Event]:
    """Whoever dealt the first hand, or held the bank, leaves after it."""
    if state.number == 1:
        yield leaves(state.dealer, state)


@each_game(OPEN, short=5)
def test_who_deals_or_banks_may_leave(game: str) -> None:
    """The deal, or the bank, goes to somebody who sits there, and whoever takes it breaks no rule: the text does not
    say who it is."""
    log = simulate(game, seed=2, hands=3, seats="ABCD", options=long_enough(game), between=the_dealer_leaves)
    state = fold(log)
    first, second, third = (score.dealer for score in state.scores)
    assert first not in (second, third)
    others = [seat for seat in "ABCD" if seat not in (first, second)]
    for bank in others:
        begins = [i for i, r in enumerate(log) if isinstance(r.event, Hand)][1]
        other = [*log[:begins], Recorded(n=log[begins].n, event=Hand(by=bank, number=2))]
        assert not judge(other).broken


@each_game(OPEN, short=3)
def test_a_spectator_sees_no_card_that_a_joining_player_holds(game: str) -> None:
    """The hand of a player who joined is hidden like any other, and a score can be told from the hidden record too."""
    log = played(game)
    hidden = hide(log)
    assert not fold(hidden).table.trouble
    assert [score.dealer for score in fold(hidden).scores] == [score.dealer for score in fold(log).scores]
    seen = [card for r in hidden for name, cards in getattr(r.event, "piles", ()) if name == "hand:D" for card in cards]
    shown = [
        card for r in log for name, cards in getattr(r.event, "piles", ()) if name == "hand:D"
        and getattr(r.event, "face", "") != "up" for card in cards
    ]
    assert not shown or "??" in "".join(seen)
    assert hide(log, "D")


POINTS = tuple(key for key in OPEN if "joiner" in find_game(key).options.__struct_fields__)
PAD = '%kib 1\n[Game "pad"]\n[Seats "A B C"]\n[A "Ann"]\n[B "Bea"]\n[C "Cleo"]\n'


@pytest.mark.parametrize("game", POINTS)
def test_a_player_begins_with_what_the_table_agreed_on(game: str) -> None:
    """Nothing, the worst total or the average of those who are in the game, half a point rounded up."""
    first = {}
    for rule in ("nothing", "worst", "average"):
        scores = fold(played(game, joiner=rule)).scores
        before, then = [n or 0 for n in scores[0].totals.values()], scores[1]
        first[rule] = (then.totals["D"] or 0) - (then.points["D"] or 0)
        worst = max(before) if find_game(game).match.fewest_lead(fold(played(game)).terms) else min(before)
        assert first[rule] == {"nothing": 0, "worst": worst, "average": (2 * sum(before) + 3) // 6}[rule]
    assert len(set(first.values())) > 1


@pytest.mark.parametrize(("rule", "winner"), [("out", "A"), ("counts", "B")])
def test_whether_a_player_who_left_can_win_is_agreed(rule: str, winner: str) -> None:
    """Bea leaves with the best total, which counts at the end only by the house rule."""
    options = f'[Option.target "50"]\n[Option.wins "low"]\n[Option.leaver "{rule}"]\n'
    log = read_kib(
        f'{PAD}{options}C hand 1\n@ tally points.A=10 points.B=2 points.C=7\n@ open Seats="A C"\nA hand '
        '2\n@ tally points.A=3 points.C=60\n'
    ).records
    score = score_match(log)
    assert (score.winner, score.totals, score.left) == (winner, {"A": 13, "C": 67, "B": 2}, ("B",))
    places = {side.side: (side.place, side.won) for side in match_facts("m", log).sides}
    assert places == {
        "out": {"A": (1, True), "B": (3, False), "C": (2, False)},
        "counts": {"A": (2, False), "B": (1, True), "C": (3, False)},
    }[rule]


REFUSED = {
    ("yaniv", "A B C", "h7, A 5h", "join Timo"): "hand 1 is in play",
    ("yaniv", "A B C", "h7, A 5h", "leave Cleo"): "hand 1 is in play",
    ("yaniv", "A B C D E", "", "join Timo"): "the table is full: Yaniv is played by 2 to 5",
    ("yaniv", "A B", "", "leave Bea"): "fewer than 2 would be left in the match",
    ("yaniv", "A B C", "", "join Cleo"): "Cleo sits at this table already",
    ("yaniv", "A B C", "", "join"): "it is not said who joins",
    ("yaniv", "A B C", "", "join D=Dan"): "it is not said who joins",
    ("yaniv", "A B C", "", "leave Nora"): "no player called Nora sits at this table",
    ("yaniv", "A B C", "", 'open Seats="C B A"'): "the players who stay keep their order",
    ("yaniv", "A B C", "", 'open Seats="A B C D" D="Ann"'): "Ann would sit in two places",
    ("kaiser", "N E S W", "", "join Timo"): "nobody joins or leaves a match of Kaiser",
    ("kaiser", "N E S W", "", "leave W"): "nobody joins or leaves a match of Kaiser",
    ("zetema", "A B C", "", "leave Cleo"): "nobody joins or leaves a match of Zetema",
    ("briscola", "A B", "", "join Timo"): "nobody joins or leaves a match of Briscola",
}


@pytest.mark.parametrize(("game", "seats", "typed", "line"), REFUSED)
def test_who_cannot_join_or_leave_is_told_why(game: str, seats: str, typed: str, line: str) -> None:
    """A full table, a hand in play, a game in partnerships: the line is refused, and says what to do."""
    facts = {"Game": game, "Seats": seats, **{k: v for k, v in NAMES.items() if k in seats.split()}}
    session = Session([Recorded(n=0, event=Open(by="@", facts=facts))])
    for one in filter(None, typed.split(", ")):
        session.take(at(session, session.complete(one).events))
    with pytest.raises(NotationError, match=REFUSED[game, seats, typed, line]) as refused:
        session.complete(line)
    assert refused.value.todo or refused.value.expected


def at(session: Session, events: Iterable[Recorded]) -> list[Recorded]:
    """The events of a typed line with their positions."""
    return [msgspec.structs.replace(r, n=session.records[-1].n + i) for i, r in enumerate(events, 1)]


@each_game(OPEN, short=3)
def test_whoever_looks_is_answered_whoever_came_and_went(game: str) -> None:
    """If this failed, a question of the recorder would end in an error, because a player who has left has a score
    and no seat."""
    seats = next(s for s in sorted(find_game(game).seating.sizes) if s + 1 in find_game(game).seating.sizes)
    session = Session([Recorded(n=0, event=Open(by="@", facts={"Game": game, "Seats": " ".join("ABCDEFGH"[:seats])}))])
    for line in (
        "hand", "end hand", "join Timo", "hand", "end hand", "leave A", "join Rosa after Timo", "hand", "end hand",
        "leave Rosa", "join A",
    ):
        session.take(at(session, session.complete(line).events))
        reader, shown = session.of_the_record, frame(session.state)
        assert [*here(reader), *where_it_stands(session.state)]
        assert [*help_lines(session.state)]
        assert render_frame(shown)
        assert sheet_of(session.records)


def test_lines_are_typed_by_the_names_at_the_table() -> None:
    """Figures typed after a line about joining or leaving are those of the players of the next hand, in the order of
    their seats."""
    session = Session(read_kib(PAD).records)
    for line in (
        "1 2 3", "join Timo after Ann", "4 5 6 7", "leave Bea", "join Rosa", "8 9 10 11", "join Bea after Cleo",
        "1 1 1 1 1",
    ):
        session.take(at(session, session.complete(line).events))
    told = [p.facts["points"] for p in (r.event for r in session.records) if isinstance(p, Tally)]
    assert told == [
        {"A": 1, "B": 2, "C": 3}, {"A": 4, "D": 5, "B": 6, "C": 7}, {"A": 8, "D": 9, "C": 10, "E": 11},
        dict.fromkeys("ADBCE", 1),
    ]  # fmt: skip
    assert [score.dealer for score in session.state.scores] == ["C", "A", "D", "B"]
    assert session.state.standing.totals == {"A": 14, "D": 15, "B": 9, "C": 21, "E": 12}
    assert not session.state.standing.left


def test_a_player_joins_after_a_gap_in_which_the_hand_may_have_ended() -> None:
    """Nobody wrote the rest of the hand: it is left open, and the totals hang on it. The next hand has a player
    more."""
    log = read_kib('%kib 1\n[Game "pay-me"]\n[Seats "A B"]\nB hand 1\n@ deal A=3x?? B=3x??\nA draw ??\n@ gap\n'
               '@ open Seats="A B C" C="Cleo"\n'
               "C hand 2\n@ tally out=A deadwood.B=5 deadwood.C=10\n").records  # fmt: skip
    state = fold(log)
    assert [dict(score.points) for score in state.scores] == [{"A": None, "B": None}, {"A": 0, "B": 5, "C": 10}]
    assert state.standing.totals == {"A": None, "B": None, "C": 10}
    assert all(f.verdict != Verdict.BROKEN for f in judge(log).findings)


def test_a_line_put_in_later_seats_a_player_from_there_on() -> None:
    """A join that was not written is put in by a correction, in front of the hand in which the player sat there."""
    text = (
        PAD
        + (
            "C hand 1\n@ tally points.A=1 points.B=2 points.C=3\nA hand 2\n@ tally points.A=1 points.B=2 "
            "points.C=3 points.D=4\n"
        )
    )
    told = read_kib(text + '@ fix #2+ @ open Seats="A B C D" D="Timo"\n').records
    assert fold(told).scores[1].points == {"A": 1, "B": 2, "C": 3, "D": 4}
    assert [f.rule for f in judge(read_kib(text).records).findings]
    assert not judge(told).findings


def test_nobody_who_left_acts_or_is_dealt_cards() -> None:
    """A card of an empty place is a finding of the table, and changes nothing."""
    log = read_kib(
        '%kib 1\n[Game "play-or-pay"]\n[Seats "A B C D"]\nD hand 1\n@ end hand void\n@ open Seats="A B '
        'D"\nA hand 2\nC play 9c\n'
    ).records
    assert isinstance(log[-1].event, Play)
    assert [f.rule for f in judge(log).broken] == ["table.T7"]
    assert document(log)["totals"] == dict(score_match(log).totals) == dict.fromkeys("ABDC", 0)


def test_a_stranger_is_still_refused_a_seat_that_was_left() -> None:
    """The seat of a player who left is kept for that player, with the total; another one takes a new letter."""
    log = read_kib(PAD + 'C hand 1\n@ tally points.A=1 points.B=2 points.C=3\n@ open Seats="A C"\n'
               'A hand 2\n@ tally points.A=1 points.C=1\n'
               '@ open Seats="A B C" B="Nora"\nC hand 3\n@ tally points.A=1 points.C=1\n').records  # fmt: skip
    assert [f.text for f in judge(log).broken] == ["these terms cannot be: B is the seat of Bea, who left"]
    assert fold(log).terms.seats == ("A", "C")


def test_players_come_and_go_over_the_service(tmp_path: Path) -> None:
    """Lines handed in over the network change who sits at the table; the board has the totals of all, and a
    spectator no card of a new hand."""
    with evening(tmp_path) as club:
        match = club.match(simulate("yaniv", seed=3, hands=1, seats="AB", names={"A": "Ann", "B": "Bea"}), game="yaniv")
        recorder, spectator = club.as_("recorder", match), club.as_("spectator", match)
        recorder.lines(match, "join Timo after A", "hand", "deal A=5x?? B=5x?? C=2c3c4c5c6c")
        refused = recorder.line(match, "leave B")
        assert refused.status_code == 422
        assert "hand 2 is in play" in str(refused.json())
        recorder.lines(match, "end hand misdeal!", "leave B", "hand")
        seen = spectator.get(f"/matches/{match}/events").json()["events"]
        dealt = next(dict(e["event"]["piles"]) for e in reversed(seen) if e["event"]["verb"] == "deal")
        assert dealt["hand:C"] == ["5x??"]
        pad = recorder.get(f"/matches/{match}/pad").json()
        assert pad["seats"] == ["A", "C"]
