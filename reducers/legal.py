"""What may be done now: the checks of each phase, the acts of a game, and the legal acts they leave."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from events.model import (
    ABOUT,
    Deal,
    End,
    Event,
    Gap,
    Hand,
    Move,
    Open,
    Pay,
    Show,
    Shuffle,
    Tally,
)
from reducers.model import State
from reducers.registry import find_game
from reducers.rules import Check
from reducers.terms import hand_of

# What belongs to another hand, once one is over.
ANOTHER_HAND: frozenset[type[Event]] = frozenset((Hand, Deal, Shuffle))


# What may be written at any time: it is about the log, the score or the frame of the hand, not part of its order.
ANY_TIME: frozenset[type[Event]] = frozenset((Open, Hand, Deal, End, Tally, Show, Move, Pay, Shuffle, Gap, *ABOUT))


# What moves or shows cards that lie there: before the first hand there are none, and no rule has anything to say.
ON_THE_TABLE: frozenset[type[Event]] = frozenset((Move, Show))


@cache
def plans(key: str) -> dict[str, dict[type[Event], tuple[Check, ...]]]:
    """For each phase of a game the checks that judge each type of act that belongs to it."""
    game = find_game(key)
    table: dict[str, dict[type[Event], tuple[Check, ...]]] = {}
    for name in (*game.phases, "between", "over"):
        acts = set(game.phases[name].acts) if name in game.phases else set()
        asked = [c for c in game.rules.checks if not c.when or name in c.when]
        table[name] = {t: tuple(c for c in asked if t in c.on) for t in acts | ANY_TIME}
    return table


@cache
def acts_of(key: str) -> frozenset[type[Event]]:
    """The types of event that are acts of play in some phase of a game."""
    return frozenset(t for phase in find_game(key).phases.values() for t in phase.acts)


def begins_unwritten(event: Event, state: State[Any]) -> bool:
    """Whether this act is the first of a hand that nobody began. What a page lists for the phase `between` speaks of the hand
    that is over, if there was one, and begins none; nor does what is still of that hand."""
    if state.phase != "between" or state.ended:
        return False
    # Once it is known who deals nobody draws cards for it, and those that a seat shows or moves are of its hand.
    of_a_hand = not state.number and isinstance(event, Show | Move) and event.by in state.terms.seats and event.src in ("", hand_of(event.by))
    if not (of_a_hand and "Dealer" in state.terms.facts) and (type(event) not in acts_of(state.game.key) or state.game.belongs_to_finished_hand(state, event)):
        return False
    after = state.game.phases.get("between")
    return after is None or type(event) not in (after.acts if state.number else after.early)


def objections(state: State[Any], event: Event) -> Iterator[Any]:
    """Every check that is not content with the act in this position: pairs of rule and what it says. That it shows what another
    seat broke before speaks of no fault of this act."""
    if state.hand is None and type(event) in ON_THE_TABLE:
        return
    for check in plans(state.game.key)[state.phase].get(type(event), ()):
        says = check.run(event, state)
        if says is not None and not (says.at and says.by not in ("", event.by)):
            yield check.rule, says


class Legal(Struct, frozen=True):
    """What may be done now: the seats that may act, the acts known to be possible, and whether these are all."""

    seats: tuple[str, ...]
    acts: tuple[Event, ...]
    complete: bool


def legal(state: State[Any], limit: int | None = None) -> Legal:
    """What may be done now and by whom, from the same checks that judge.

    Acts with cards that are only possibly held are left out, and `complete` is False then. At most `limit` acts
    (as many as the page wants listed, if none is given).
    """
    acts: list[Event] = []
    limit = state.game.most_acts if limit is None else limit
    complete = all(state.game.knows_all_choices(state, s) for s in state.turn if s in state.terms.seats)
    for event in state.game.candidates(state) if state.number else ():
        if len(acts) >= limit:
            complete = False
            break
        if not any(says.verdict == "broken" for _, says in objections(state, event)):
            acts.append(event)
    return Legal(state.turn, tuple(acts), complete)


__all__ = ["Legal", "begins_unwritten", "legal", "objections", "plans"]
