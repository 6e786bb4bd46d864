"""Simulated matches: the same again from the same seed, whole, and with the truth told about what is wrong in them."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from msgspec.structs import replace
from sampling import sampled

from events.canon import encode
from events.errors import NotFoundError, UnreadableError, UsageError
from events.model import Bid, Call, Capture, Deal, Fix, Hand, Open, Play, Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import Game
from reducers.registry import PAGES, find_game, games_with_cards
from replay import simulate as module
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import (
    SimulationError,
    Truth,
    attempts,
    broken_by,
    derived_seed,
    simulate,
    simulate_breaches,
    with_slips,
)
from replay.typos import near_miss


def with_part(key: str, part: str, **fields: object) -> Game:
    """The page of a game with other fields in one of its parts."""
    page = find_game(key)
    return replace(page, **{part: replace(getattr(page, part), **fields)})


def text(log: list[Recorded]) -> bytes:
    """A log as bytes."""
    return b"\n".join(encode(r) for r in log)


@sampled("game, seed", sorted(PAGES), (5, "five"), each=1, short=1)
def test_a_seed_is_a_match(game: str, seed: int | str) -> None:
    """If this failed, a simulated match could not be had again."""
    match = text(simulate(game, seed=seed))
    assert match == text(simulate(game, seed=seed))
    assert match != text(simulate(game, seed=6))


@pytest.mark.rest
def test_a_seed_is_the_same_match_in_another_process() -> None:
    """If this failed, the order of a set or a hash would leak into the cards."""
    code = (
        "import hashlib; from events.canon import encode; from replay.simulate import simulate, simulate_breaches;"
        "log = simulate('kaiser', seed=5) + simulate_breaches('kaiser', seed=5)[0];"
        "print(hashlib.sha256(b''.join(map(encode, log))).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(runs) == 1


def test_matches_of_a_series_can_be_had_alone() -> None:
    """If this failed, match 900 of a thousand could only be had by playing 899 others."""
    series = [simulate("kaiser", seed=derived_seed(7, i), hands=1) for i in range(3)]
    assert len({text(log) for log in series}) == 3
    assert derived_seed(7, 1) == 232903014977184, "the seeds of a series have changed"


def test_so_many_hands_are_played_and_no_more() -> None:
    """If this failed, a short example could not be made."""
    log = simulate("kaiser", seed=2, hands=3)
    assert [r.event.number for r in log if isinstance(r.event, Hand)] == [1, 2, 3]
    state = fold(log)
    assert state.settled
    assert not state.ended
    with pytest.raises(UsageError):
        simulate("kaiser", seed=2, hands=0)


def test_terms_are_those_asked_for() -> None:
    """If this failed, house rules could not be tried out by playing."""
    log = simulate("kaiser", seed=1, options={"target": 10}, names={"A": "Ann", "BD": "the visitors"}, seats="ABCD")
    state = fold(log)
    assert state.terms.seats == ("A", "B", "C", "D")
    assert state.terms.options.target == 10
    assert state.terms.name("A") == "Ann"
    assert state.terms.name("BD") == "the visitors"


def test_terms_that_do_not_exist_are_refused() -> None:
    """If this failed, a typing error in the terms would be played as if nothing had been said."""
    with pytest.raises(NotFoundError):
        simulate("whist", seed=1)
    with pytest.raises(UnreadableError, match="no option 'goal'"):
        simulate("kaiser", seed=1, options={"goal": 10})
    with pytest.raises(UsageError, match="'X' does not sit at this table"):
        simulate("kaiser", seed=1, names={"X": "Ann"})
    with pytest.raises(UsageError):
        simulate_breaches("kaiser", seed=1, p=2)


def test_times_go_on_and_are_always_the_same() -> None:
    """If this failed, a log made twice would differ, or an event would be entered before the one above it."""
    log = simulate("kaiser", seed=1, hands=2)
    times = [r.time for r in log]
    assert times == sorted(set(times))
    assert times[0] == "2026-01-03T19:00:00.000Z"
    assert {r.recorder for r in log} == {"simulation"}
    assert [r.n for r in log] == list(range(len(log)))


def test_a_page_that_forbids_a_legal_act_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a legal act that nobody ever chooses would never be tried."""
    page = with_part("kaiser", "simulation", weigh=lambda state, act: 0.0 if isinstance(act, Bid) else 1.0)
    monkeypatch.setattr(module, "find_game", lambda key: page)
    with pytest.raises(SimulationError, match="the weight of"):
        simulate("kaiser", seed=1)


def test_a_match_that_does_not_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a page with which nobody can win would run for ever."""
    monkeypatch.setattr(module, "find_game", lambda key: with_part(key, "simulation", most_hands=2))
    with pytest.raises(SimulationError, match="does not end within 2 hands"):
        simulate("kaiser", seed=1)
    monkeypatch.setattr(module, "find_game", lambda key: with_part(key, "dealing", chance=lambda state, random: []))
    with pytest.raises(SimulationError, match="chance does nothing"):
        simulate("kaiser", seed=1)


# -- breaches


def test_a_breach_is_what_the_truth_says() -> None:
    """If this failed, a judge measured by the truth would be measured wrongly."""
    log, truth = simulate_breaches("kaiser", seed=3, p=0.2, hands=3)
    assert truth.breaches
    told = {b.position: b for b in truth.breaches}
    state = begin(log[0].event.facts if isinstance(log[0].event, Open) else {})
    for r in log[1:]:
        if r.n in told:
            assert told[r.n].act == r.event
            assert broken_by(state, r.event) == {0: told[r.n].rules}
        elif r.event.by != "@":
            assert broken_by(state, r.event) == {}
        state.at = state.table.now = r.n
        evolve(state, r.event)
    assert state.table.trouble == [], "a breach is done with cards that are there"


def test_no_mischief_is_a_legal_match() -> None:
    """If this failed, the two ways of playing would not be the same game."""
    log, truth = simulate_breaches("kaiser", seed=3, p=0.0)
    assert truth == Truth("kaiser")
    assert log == simulate("kaiser", seed=3)


def test_attempts_reach_beyond_what_a_page_proposes() -> None:
    """If this failed, a page that proposes only legal acts would never be tried with others."""
    state = begin({"Game": "kaiser"})
    for event in find_game("kaiser").dealing.chance(state, Random(1)):
        evolve(state, event)
    tried = list(attempts(state))
    assert Bid(by="N", level=13) in tried
    assert Bid(by="N", level=1, strain="no") in tried
    assert Call(by="N", word="misdeal") in tried
    assert all(act.by == "N" for act in tried)


# -- slips


def undone(log: list[Recorded], truth: Truth) -> list[object]:
    """The events as they really happened, worked out from the log and the truth about it."""
    events = [r.event for r in log]
    for s in reversed(truth.slips):
        if s.kind == "forgotten":
            events.insert(s.position, s.was)
        elif s.kind == "mistyped":
            events[s.position] = s.was
        else:
            events[s.position], events[s.position + 1] = events[s.position + 1], events[s.position]
            assert events[s.position] == s.was
    return list(events)


@pytest.mark.parametrize("seed", range(10))
def test_slips_are_what_the_truth_says(seed: int) -> None:
    """If this failed, what really happened could not be worked out from the truth."""
    games = sorted(games_with_cards())
    clean, before = simulate_breaches(games[seed % len(games)], seed=seed, hands=2)
    log, truth = with_slips(clean, 0.2, Random(seed), before)
    assert truth.slips
    assert undone(log, truth) == [r.event for r in clean]
    assert [r.n for r in log] == list(range(len(log)))
    for b in truth.breaches:
        mistyped = any(s.kind == "mistyped" and s.position == b.position for s in truth.slips)
        assert mistyped or log[b.position].event == b.act
    forgotten = [s.was for s in truth.slips if s.kind == "forgotten"]
    assert len(truth.breaches) >= len(before.breaches) - len(forgotten)


def test_every_kind_of_slip_happens() -> None:
    """If this failed, a kind of slip would be promised and never made."""
    _, truth = with_slips(simulate("kaiser", seed=1), 0.3, Random(1))
    assert {s.kind for s in truth.slips} == {"forgotten", "mistyped", "swapped"}
    for s in truth.slips:
        assert s.was.by != "@"
        assert s.kind != "mistyped" or isinstance(s.was, Play | Capture)


def test_the_frame_of_a_hand_is_never_typed_wrong() -> None:
    """If this failed, a slip could take the cards away that everything else is judged by."""
    clean = simulate("kaiser", seed=1)
    log, _ = with_slips(clean, 1.0, Random(1))
    frame = [r.event for r in clean if isinstance(r.event, Open | Hand | Deal)]
    assert [r.event for r in log if isinstance(r.event, Open | Hand | Deal)] == frame


def test_no_slips_is_the_same_log() -> None:
    """If this failed, making no error would change something."""
    clean = simulate("kaiser", seed=1)
    assert with_slips(clean, 0.0, Random(1)) == (clean, Truth("kaiser"))


def test_a_log_with_references_is_left_alone() -> None:
    """If this failed, `fix #15` would point at another event than the one that was meant."""
    log = simulate("kaiser", seed=1, hands=1)
    log.append(Recorded(n=len(log), event=Fix(by="@", at=5, how="strike")))
    with pytest.raises(UsageError, match="refers to another"):
        with_slips(log, 0.1, Random(1))


def test_cards_are_mistyped_as_people_do() -> None:
    """If this failed, slips would be nothing like those at a table."""
    assert near_miss("Ah", "Kh")
    assert near_miss("Ah", "2h")
    assert near_miss("Ah", "As")
    assert not near_miss("Ah", "5c")


def test_the_truth_survives_being_written() -> None:
    """If this failed, the file beside a simulated log could not be read again."""
    _, truth = with_slips(*_with_breaches())
    assert truth.breaches
    assert truth.slips
    assert Truth.from_json(truth.to_json()) == truth
    with pytest.raises(UnreadableError):
        Truth.from_json(b"[]")
    with pytest.raises(UnreadableError):
        Truth.from_json(b"\xff")


def _with_breaches() -> tuple[list[Recorded], float, Random, Truth]:
    log, truth = simulate_breaches("kaiser", seed=3, p=0.2, hands=3)
    return log, 0.2, Random(1), truth


def test_the_judge_reads_a_log_full_of_slips() -> None:
    """If this failed, a recorder in a hurry would get no answer at all."""
    log, _ = with_slips(simulate("kaiser", seed=1), 0.5, Random(1))
    assert judge(log).findings
