"""A run of acts says and does what each of its acts would: it goes on only where no check has anything to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import length_hint
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from sampling import seeds

from events.model import Bid, Call, Deal, Draw, Event, Gap, Hand, Name, Note, Open, Pass, Play, Recorded, Show
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.legal import plans
from reducers.model import InItsPlace, Run, State, attribute_names
from reducers.registry import PAGES, find_game
from reducers.rules import CheckFunction
from reducers.table import Pile
from reducers.words.act_batches import plays_in_order
from reducers.words.tricks import Tricks
from replay.fold import corrected, fold
from replay.judging.first_look import first_look, runs_by_phase
from replay.judging.judge import Judge, deduce
from replay.masking import put_down_unseen
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches

GAMES = sorted(game for game in PAGES if runs_by_phase(game))
TRICK_GAMES = [game for game in GAMES if find_game(game).family == "tricks"]


# House rules under which a page may have more to say of a play.
STRICTER = {"botifarra": {"losing_side_lowest_always": "yes", "heading_lowest_when_worthless": "yes"}}


def spoiled_log(game: str, seed: int) -> list[Recorded]:
    """Two hands with breaches and slips of the recorder: some are hidden, without the line that begins them, or played
    under a stricter house rule."""
    rng = Random(f"runs/{game}/{seed}")
    log = list(simulate_breaches(game, seed=seed, p=rng.choice((0.0, 0.1, 0.3)), hands=2)[0])
    if rng.random() < 0.2:
        log = list(hide(log))
    if game in STRICTER and rng.random() < 0.5:
        option = dict([rng.choice(list(STRICTER[game].items()))])
        log[0] = replace(log[0], event=replace(log[0].event, facts={**log[0].event.facts, "Option": option}))
    for _ in range(rng.choice((0, 1, 2, 3))):
        kind = rng.choice((Play, Play, Play, Deal, object))
        slip(log, rng.choice([i for i, r in enumerate(log) if i and isinstance(r.event, kind)] or [1]), game, rng)
    if rng.random() < 0.25:
        log = [r for r in log if not isinstance(r.event, Hand)]
    return [replace(r, n=n) for n, r in enumerate(log)]


def slip(log: list[Recorded], i: int, game: str, rng: Random) -> None:
    """One slip of the recorder at this line, or a deal of which two cards were not seen, or not wholly."""
    r, event, kind = log[i], log[i].event, rng.randrange(7)
    faces, seats = find_game(game).pack.faces, sorted({r.event.by for r in log if isinstance(r.event, Play)} or {"@"})
    if isinstance(event, Deal):
        # Of two hands, for a card that nobody saw at all would be known by counting if it were the only one.
        seen = [pile for pile in event.piles if len(pile[1][0]) == 2]
        two = rng.sample(seen, 2) if len(seen) > 1 else []
        covered = {name: (*cards[1:], rng.choice(("??", "?" + cards[0][1], cards[0][0] + "?"))) for name, cards in two}
        log[i] = replace(
            r, event=replace(event, piles=tuple((name, covered.get(name, cards)) for name, cards in event.piles)),
        )
    elif kind == 0 or (kind == 1 and isinstance(event, Name)):
        del log[i]
    elif kind == 1:
        log[i - 1 : i + 1] = [r, log[i - 1]] if i > 1 else log[i - 1 : i + 1]
    elif kind in (2, 3):
        log[i] = replace(r, event=replace(event, by=rng.choice(seats)))
    elif kind == 4 and isinstance(event, Play):
        log[i] = replace(r, event=replace(event, cards=(rng.choice(faces),)))
    elif kind == 5 and isinstance(event, Play):
        log[i] = replace(r, event=put_down_unseen(event))
    elif kind == 6:
        log.insert(i, replace(r, event=Gap(by="@") if rng.random() < 0.3 else Note(by="@")))


def laid_out(value: Any) -> Any:
    """What a page keeps of a hand, or a part of it, as words and numbers that can be compared."""
    if isinstance(value, Pile):
        return (value.name, value.known, value.unseen, value.half, value.row)
    if isinstance(value, dict):
        return {key: laid_out(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [laid_out(one) for one in value]
    if type(value).__module__.startswith("reducers.words.") and (names := attribute_names(value)):
        return [(name, laid_out(getattr(value, name))) for name in names if name != "table" and name[0] != "_"]
    return value


def how_it_stands(state: State[Any]) -> tuple[Any, ...]:
    """All that a run may have changed."""
    tricks = next(
        (t for name in attribute_names(state.hand) if isinstance(t := getattr(state.hand, name), Tricks)), None,
    )
    own = [
        (name, getattr(tricks, name)) for name in attribute_names(tricks)
        if name not in ("table", "pile", "strength", "_power")
    ] if tricks else []
    # What begins with an underscore is remembered to save work.
    plain = dict | set | tuple if tricks else object
    own += [
        (name, laid_out(v)) for name in attribute_names(state.hand) if isinstance(v := getattr(state.hand, name), plain)
        and name != "table" and name[0] != "_"
    ]
    piles = [(p.name, p.known, p.unseen, p.half, p.row) for p in state.table.piles.values()]
    played = (state.at, state.phase, state.turn, state.number, state.settled, state.ended, state.scores, state.inferred)
    return (own, piles, played, state.table.located, state.table.astray, state.table.trouble)


def acts_in_runs(log: Sequence[Recorded], runs: dict[str, Run]) -> int:
    """How many acts went in runs, begun before each event of a log; every check is asked about each of them."""
    assert isinstance(log[0].event, Open)
    state, went = begin(log[0].event.facts), 0
    for i, r in enumerate(log[1:], 1):
        if state.phase in runs and not state.ended:
            went += acts_in_run(log[i:], runs[state.phase], state)
        state.at = r.n
        evolve(state, r.event)
        state.table.trouble.clear()
    return went


def acts_in_all_runs(logs: Iterable[Sequence[Recorded]], runs: dict[str, Run]) -> int:
    """The same of several logs."""
    return sum(acts_in_runs(log, runs) for log in logs)


def acts_in_run(log: Sequence[Recorded], run: Run, state: State[Any]) -> int:
    """The same for the run that begins here: it does what its acts do one by one."""
    ran, asked = state.copy(), state.copy()
    later: Iterator[InItsPlace] = iter(log[1:])
    stopped = run(log[0], later, ran)
    taken = len(log) - length_hint(later) - (stopped is not None)
    assert stopped is (log[taken] if taken < len(log) else None)
    for r in log[:taken]:
        assert asked.phase == state.phase
        assert [
            c.rule.id for c in plans(asked.game.key)[asked.phase][type(r.event)] if c.run(r.event, asked) is not None
        ] == []
        asked.at = r.n
        evolve(asked, r.event)
    assert how_it_stands(ran) == how_it_stands(asked)
    return taken


@pytest.mark.parametrize("seed", seeds(4, 300))
@pytest.mark.parametrize("game", GAMES)
def test_a_run_takes_nothing_that_a_check_objects_to(game: str, seed: int) -> None:
    """If this failed, a breach in the middle of a run would never be found, or a hand would end otherwise than it
    was played."""
    acts_in_runs(spoiled_log(game, seed), runs_by_phase(game))


def ends_with_a_full_trick(log: list[Recorded]) -> bool:
    """Whether the hand of a log has more than eight cards, as many of each seat."""
    opening = log[0].event
    assert isinstance(opening, Open)
    plays = sum(isinstance(r.event, Play) for r in log)
    return plays > 8 and plays % len(begin(opening.facts).terms.seats) == 0


def a_hand(game: str) -> tuple[list[Recorded], int]:
    """The record of one hand in which nobody talks during the play, and where in it the second card is played. A
    trick that ends a hand is full in it, and there are more than eight cards."""
    logs = (list(simulate(game, seed=seed, hands=1)) for seed in range(1, 40))
    log = next(log for log in logs if ends_with_a_full_trick(log))
    second = next(i for i, r in enumerate(log) if isinstance(r.event, Play)) + 1
    return [r for i, r in enumerate(log) if i < second or not isinstance(r.event, Call | Bid | Pass | Show)], second


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_a_run_goes_on_to_the_end_of_a_hand(game: str) -> None:
    """If this failed, runs could be as cautious as you like, and the test above would ask about nothing."""
    log, second = a_hand(game)
    state = begin(log[0].event.facts)
    for r in log[1:second]:
        evolve(state, r.event)
    plays = sum(isinstance(r.event, Play) for r in log)
    assert acts_in_run(log[second:], runs_by_phase(game)[state.phase], state) == plays - 1


@pytest.mark.parametrize("unseen", ["??", "*x??"])
@pytest.mark.parametrize("game", TRICK_GAMES)
def test_a_hand_that_was_not_seen_whole_is_left_to_the_checks(game: str, unseen: str) -> None:
    """If this failed, a seat would be taken to have no card of a suit that it may hold unseen."""
    logs = []
    for seed in range(6):
        log = list(simulate(game, seed=seed, hands=1))
        at = next(i for i, r in enumerate(log) if isinstance(r.event, Deal))
        deal = log[at].event
        assert isinstance(deal, Deal)
        piles = list(deal.piles)
        # Of two hands and suits, so that each may have the card that the other one has.
        for i, best in ((seed % len(piles), max), ((seed + 1) % len(piles), min)):
            name, cards = piles[i]
            piles[i] = (name, (*[c for c in cards if c != best(cards, key=lambda c: (c[1], c))], unseen))
        log[at] = replace(log[at], event=replace(deal, piles=tuple(piles)))
        logs.append(log)
    acts_in_all_runs(logs, runs_by_phase(game))


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_the_first_look_goes_in_runs(game: str) -> None:
    """If this failed, a run would lead the first look astray, which would then leave a clean log to be walked again."""
    log = simulate(game, seed=2, hands=3)
    assert isinstance(log[0].event, Open)
    whole = first_look(begin(log[0].event.facts), log[1:])
    assert whole is not None
    assert whole.faultless
    assert how_it_stands(whole.state) == how_it_stands(fold(log))
    second_hand = next((i for i, r in enumerate(log) if isinstance(r.event, Hand) and r.event.number == 2), len(log))
    cut = corrected(log[: min(a_hand(game)[1] + 9, second_hand)])
    seen = first_look(begin(cut.opening.facts), cut.events)
    assert seen is not None
    assert seen.hands == [1] * len(cut.events)
    assert (seen.state.at, seen.state.table.now) == (cut.events[-1].n, len(cut.events))


@pytest.mark.parametrize("change", ["seat", "card", "two cards", "unseen", "half seen", "note"])
@pytest.mark.parametrize("game", TRICK_GAMES)
def test_a_run_stops_before_what_is_not_plainly_in_order(game: str, change: str) -> None:
    """If this failed, a run would read past the line that there is something to say about."""
    log, second = a_hand(game)
    at = second + 6
    play, before = log[at].event, log[at - 1].event
    assert isinstance(play, Play)
    # Whoever plays the last card of a trick may lead the next one.
    others = next(r.event for r in log[at + 1 :] if isinstance(r.event, Play) and r.event.by != play.by)
    wrong = {
        "seat": replace(play, by=before.by), "card": replace(play, cards=others.cards),
        "two cards": replace(play, cards=play.cards * 2), "unseen": replace(play, cards=("??",)),
        "half seen": replace(play, cards=(f"{play.cards[0][0]}?",)), "note": Note(by="@"),
    }[change]  # fmt: skip
    log[at] = replace(log[at], event=wrong)
    state = begin(log[0].event.facts)
    for r in log[1:second]:
        evolve(state, r.event)
    assert acts_in_run(log[second:], runs_by_phase(game)[state.phase], state) == at - second


@pytest.mark.parametrize("game", GAMES)
def test_what_follows_the_last_card_is_not_of_that_hand(game: str) -> None:
    """If this failed, an act after the end of a hand would be taken for one of its play, and nobody would find it."""
    log, said = list(simulate(game, seed=1, hands=1)), 0
    while not isinstance(log[-1].event, Play | Draw):
        log.pop()
    for seat in fold(log).terms.seats:
        for act in (
            Play(by=seat, cards=("2c",)), Name(by=seat, what="h"),
            *(Call(by=seat, word=word) for word in find_game(game).words),
        ):
            longer = [*log, replace(log[-1], n=log[-1].n + 1, event=act)]
            short, long = deduce(longer), Judge(corrected(longer), longer).run()
            assert short.findings == long.findings
            assert short.state.phase == long.state.phase
            said += bool(short.findings)
    assert said


AT_ONCE = sorted(game for game in PAGES if find_game(game).rules.asked_at_once)


def objections_at_once(game: str, seed: int, at_once: Mapping[type[Event], CheckFunction]) -> int:
    """How many acts of a log one of the checks objects to, and so does what is asked in place of them all."""
    log, found = spoiled_log(game, seed), 0
    assert isinstance(log[0].event, Open)
    state = begin(log[0].event.facts)
    for r in log[1:]:
        state.at = r.n
        checks, ask = plans(game)[state.phase].get(type(r.event), ()), at_once.get(type(r.event))
        if ask is not None and checks and state.hand is not None and r.event.by in state.terms.seats:
            said, first = [c.run(r.event, state) for c in checks], ask(r.event, state)
            assert first in said if first is not None else not any(said)
            found += first is not None
        evolve(state, r.event)
        state.table.trouble.clear()
    return found


@pytest.mark.parametrize("seed", seeds(4, 200))
@pytest.mark.parametrize("game", AT_ONCE)
def test_what_is_asked_at_once_objects_if_a_check_does(game: str, seed: int) -> None:
    """If this failed, the first look would let a breach pass that a walk finds."""
    objections_at_once(game, seed, find_game(game).rules.asked_at_once)


@pytest.mark.parametrize("game", AT_ONCE)
def test_what_asks_too_little_is_seen(game: str) -> None:
    """If this failed, the test above would let pass what asks about nothing, or would meet nothing to object to."""
    at_once = find_game(game).rules.asked_at_once
    assert sum(objections_at_once(game, seed, at_once) for seed in range(4))
    nothing = dict.fromkeys(at_once, lambda event, state: None)
    with pytest.raises(AssertionError):
        sum(objections_at_once(game, seed, nothing) for seed in range(4))


def any_play(first: InItsPlace, later: Iterator[InItsPlace], state: State[Any]) -> InItsPlace | None:
    """A run that does not ask whether a play is in order."""
    placed: InItsPlace | None = first
    phase = state.phase
    while placed is not None and isinstance(placed.event, Play) and state.phase == phase:
        state.at = placed.n
        evolve(state, placed.event)
        placed = next(later, None)
    return placed


@pytest.mark.parametrize(("game", "generous"), [(game, any_play) for game in GAMES] + [("botifarra", plays_in_order)])
def test_a_run_that_goes_too_far_is_seen(game: str, generous: Run) -> None:
    """If this failed, the tests above would let a run pass that looks at nothing, or one that leaves out a page's
    own duties."""
    runs = dict.fromkeys(runs_by_phase(game), generous)
    with pytest.raises(AssertionError, match="R"):
        acts_in_all_runs((spoiled_log(game, seed) for seed in range(20)), runs)


@pytest.mark.parametrize("seed", seeds(2, 200))
@pytest.mark.parametrize("game", GAMES)
def test_a_log_is_judged_as_if_there_were_no_runs(game: str, seed: int) -> None:
    """If this failed, the judge would lose its place in a log behind a run."""
    log = spoiled_log(game, seed)
    short, long = deduce(log), Judge(corrected(log), log).run()
    assert short.findings == long.findings
    assert (short.state.at, short.state.turn, short.state.scores) == (long.state.at, long.state.turn, long.state.scores)
