"""The records that are measured: whole hands at any table of a game, legal and with breaches, degraded in one way.

Each comes from its seed, the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from msgspec.structs import replace

from events.model import Facts, Recorded
from reducers.facts import set_fact
from reducers.model import State
from reducers.registry import find_game
from replay.degrade import Degraded, Kind, degrade, onlookers
from replay.few_holes import HOLES, make_holes
from replay.simulate import Truth, derived_seed, simulate, simulate_breaches
from replay.testing.declared import TOLD, Told


def as_computed(state: State[Any]) -> Facts:
    """The facts that the page computes from the moves of a hand, without unknown ones."""
    computed = state.game.compute_tally(state) if state.game.compute_tally is not None else None
    facts: Facts = {}
    for attribute, spec in computed.told.items() if computed is not None else ():
        value = getattr(computed, attribute)
        value = {who: n for who, n in value.items() if n is not None} if isinstance(value, Mapping) else value
        if value not in (None, "", {}, ()):
            set_fact(facts, spec.key, list(value) if isinstance(value, tuple) else value)
    return facts


LONG = 250
"""Of a match with more lines than this in two hands, only the first hand is used."""
MOST = 2000
"""A hand with more lines is cut."""
FEWEST = 3
"""A match with breaches has at least this many, if one of the first `TRIES` matches does."""
TRIES = 50
Terms = tuple[tuple[str, ...] | None, tuple[tuple[str, Any], ...]]
"""The seats and the house rules of a table; no seats are those of the smallest."""
USUAL: Terms = (None, ())


def told_by_tally(game: str) -> Told | None:
    """The facts of a tally of this game, from the state at the end of a hand; None for a game without cards."""
    told = TOLD.get(game, as_computed if find_game(game).has_cards else None)

    def facts(state: State[Any]) -> Facts:
        assert told is not None
        void = state.score is not None and state.score.source == "void"
        return {"void": True} if void else {key: fact for key, fact in told(state).items() if fact != ""}

    return None if told is None else facts


@lru_cache(maxsize=64)
def a_match(
    game: str, seed: int, legal: bool, most: int, terms: Terms = USUAL,
) -> tuple[tuple[Recorded, ...], Truth, str, tuple[Recorded, ...]]:
    """Two hands, or one if they are long, legal or with breaches: the log, its truth, who wrote it, and their record.

    A hand with more lines than `most` is cut there.
    """
    at: dict[str, Any] = {"seats": terms[0], "options": dict(terms[1])}
    log, truth = simulate(game, seed=derived_seed("degraded", seed), hands=2, **at), Truth(game)
    hands = 1 if len(log) > min(LONG, most) else 2
    if legal and hands == 1:
        log = simulate(game, seed=derived_seed("degraded", seed), hands=1, **at)
    again = 0
    while not legal and len(truth.breaches) < FEWEST and again < TRIES:
        log, truth = simulate_breaches(game, seed=derived_seed(f"degraded {seed}", again), p=0.08, hands=hands, **at)
        truth = replace(truth, breaches=tuple(b for b in truth.breaches if b.position < most))
        again += 1
    log = list(log[:most])
    # Every other record was written by the table, which does not see the hands.
    seen = list(onlookers(log))
    rng = Random(f"{game}/{seed}/{legal}")
    who, whole = seen[0] if rng.random() < 0.5 else rng.choice(seen)
    return tuple(log), truth, who, whole


def corpus(
    game: str, kind: Kind, legal: bool, seeds: Iterable[int], most: int = MOST,
    *, seats: Iterable[str] | None = None, options: Mapping[str, Any] | None = None,
) -> Iterator[Degraded]:  # fmt: skip
    """The degraded logs of one game and kind, one of each match, the same on every machine.

    They sit at these `seats` with these `options`, or at the smallest table without house rules. A hand is told by its
    tally only if it is whole.
    """
    terms: Terms = (None if seats is None else tuple(seats), tuple((options or {}).items()))
    for seed in seeds:
        log, truth, who, whole = a_match(game, seed, legal, MOST if kind == "tally" else most, terms)
        one = degrade(kind, whole, log, truth, Random(f"{game}/{seed}/{legal}/{kind}"), told=told_by_tally(game))
        if one is not None:
            yield replace(one, what=f"match {seed} as {who} saw it; {one.what}")


def with_holes(
    game: str, legal: bool, matches: Iterable[int], records: int, most: int = MOST, *, among: Iterable[str] = HOLES
) -> Iterator[Degraded]:
    """The logs of one game with one or two holes of these kinds, `records` for each match, the same on every
    machine."""
    among = tuple(among)
    for seed in matches:
        log, truth, who, whole = a_match(game, seed, legal, most)
        for i in range(records):
            rng = Random(f"holes/{game}/{seed}/{legal}/{i}")
            one = make_holes(whole, log, truth, rng, told=told_by_tally(game), among=among)
            if one is not None:
                yield replace(one, what=f"match {seed} as {who} saw it, record {i}; {one.what}")
