"""Look ahead: the seats that act next, and the winner of a trick, known before anything is recorded.

A page without a network continues with this: it names the seat to act, and advances the trick. If the choice of act
makes a difference, nothing is predicted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from events.cards import SUITS, UNKNOWN
from events.model import Bet, Bid, Call, Event, Name, Pass, Pay, Play, Show
from reducers.legal import legal
from reducers.model import State
from reducers.words.tricks import Tricks, tricks_in
from replay.table.shorthand import applied

MOST_AHEAD = 12
"""Most acts looked ahead."""
MOST_TRIED = 40
SPOKEN = frozenset((Bid, Pass, Name, Call, Bet))
"""Acts of an auction: the next seat speaks, whatever the one before it said."""


class ActsAhead(Struct, frozen=True, omit_defaults=True):
    """The acts to come: `coming` are the seats of the next acts in this part of the hand; if these are `cards`, one
    each, calls in between do not use up a turn.

    For tricks won by the strongest card, whose winner leads: `next` gives each seat's next player; `strong` the cards
    that can win, by the suit led, strongest first, equal ones together (`AsAs`); `left` counts the tricks left with
    this one.
    """

    coming: tuple[str, ...] = ()
    cards: bool = False
    next: dict[str, str] = {}
    strong: dict[str, tuple[str, ...]] = {}
    left: int = 0


def look_ahead(state: State[Any]) -> ActsAhead:
    """Return the acts to come in a position."""
    if state.ended or not state.number:
        return ActsAhead()
    coming: list[str] = []
    reached = [state]
    while len(coming) < MOST_AHEAD and is_known(reached, state.phase):
        coming.append(reached[0].turn[0])
        reached = [then for now in reached for then in positions_after(now)][:MOST_TRIED]
    tricks = tricks_in(state.hand)
    leads_on = bool(reached) and reached[0].phase == state.phase and len(coming) < MOST_AHEAD
    cards = is_one_card_each(state)
    if tricks is None or not leads_on or tricks.lost or tricks.blind or not cards:
        return ActsAhead(tuple(coming), cards)
    strong = winning_cards(tricks)
    if not strong or any(len(seats) != 1 for seats in tricks.next.values()):
        return ActsAhead(tuple(coming), cards)
    return ActsAhead(
        tuple(coming), cards, {seat: seats[0] for seat, seats in tricks.next.items()}, strong,
        tricks.total - len(tricks.won),
    )


def is_known(reached: list[State[Any]], phase: str) -> bool:
    """Return True if the same single seat acts in all these positions, in this part of the hand."""
    return bool(reached) and all(
        len(now.turn) == 1 and now.turn == reached[0].turn and now.phase == phase and not now.ended for now in reached
    )


def is_one_card_each(state: State[Any]) -> bool:
    """Return True if each seat plays one card here, can do nothing instead, and turns up nothing in between."""
    phase = state.game.phases.get(state.phase)
    if phase is None or not phase.one_card or Play not in phase.acts or Show in phase.acts:
        return False
    return tricks_in(state.hand) is not None or (Pass not in phase.acts and Pay not in phase.acts)


def positions_after(state: State[Any]) -> Iterator[State[Any]]:
    """The positions after each representative act: an unseen card, or the lowest and highest bid."""
    for act in acts_to_try(state):
        then = state.copy()
        applied(then, act)
        yield then


def acts_to_try(state: State[Any]) -> list[Event]:
    """Acts that represent all possible ones; empty if that is unknown."""
    phase = state.game.phases.get(state.phase)
    if is_one_card_each(state):
        return [Play(by=state.turn[0], cards=(UNKNOWN,))]
    if phase is None or not SPOKEN.issuperset(phase.acts):
        return []
    acts: list[Event] = list(legal(state, limit=MOST_TRIED).acts)
    silent = [act for act in acts if isinstance(act, Pass)]
    return list(dict.fromkeys([*acts[:1], *silent, *acts[-1:]]))


def winning_cards(tricks: Tricks) -> dict[str, tuple[str, ...]]:
    """The cards that can win a trick, by the suit led, strongest first; empty if a card has no suit."""
    pack = tricks.table.pack
    faces = pack.tokens[: pack.unknown]
    found: dict[str, tuple[str, ...]] = {}
    if any(len(face) != 2 or face[1] not in SUITS for face in faces):
        return found
    for led in dict.fromkeys(tricks.suits.of[: pack.unknown]):
        by_value: dict[int, str] = {}
        for face, value in zip(faces, tricks.power[led].values if led in tricks.power else (), strict=False):
            if value > 0:
                by_value[value] = by_value.get(value, "") + face
        found[led] = tuple(by_value[value] for value in sorted(by_value, reverse=True))
    return found
