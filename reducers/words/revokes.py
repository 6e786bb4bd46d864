"""Revokes: whether a seat did not follow suit in an earlier trick although it could, and a claim that ends the hand.

`call revoke E` says that E revoked in a trick that is full; without a seat it means any player. The hand is then over,
in the phase `CLAIMED`; a card that is played after it shows that the table rejected the claim. The record of the hand
is a `Claiming`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from msgspec.structs import replace

from events.cards import SUIT_NAMES, SUITS
from events.model import Call, Event, Play
from events.name_lists import one_of
from reducers.evolve import finish_hand, reopen_hand
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.sweeps import DECIDED, continue_after_sweep
from reducers.words.tricks import Tricks

CLAIMED = "claimed"
REVOKE = "revoke"


class Claiming(Protocol):
    """The fields for claims in a page's record of a hand. `accused`: the seats, one of which is said to have revoked.
    `claimed`: their side. `turned_down`: the same while the first card after a rejected claim is played. `was`: the
    phase and the turn before the claim."""

    accused: tuple[str, ...]
    claimed: str
    turned_down: str
    was: tuple[str, tuple[str, ...]]


def not_followed(seat: str, state: State[Any]) -> tuple[int, int, bool]:
    """What a seat did in the tricks that are full: the mask of suits that it did not follow, the mask of those that it
    played later and so had held, and True if an unseen card leaves more open.

    No card comes to a hand after the deal, so what is played later was held before.
    """
    tricks: Tricks = state.hand.trick
    suits, missed, later, doubt = tricks.suits, 0, 0, tricks.lost
    for plays in (*(trick.plays for trick in tricks.won), tuple(tricks.plays)):
        card = next((code for who, code in plays if who == seat), None)
        if card is None:
            continue
        led, suit = suits.of[plays[0][1]], suits.of[card]
        later |= missed & suits.sure.get(suit, 0)
        # An unseen card may be of a suit that was not followed before.
        doubt = doubt or (suit == "?" and missed != 0)
        if plays[0][0] == seat or len(plays) < len(tricks.seats):
            continue
        if "?" in (led, suit):
            doubt = True
        elif led != suit:
            missed |= suits.sure.get(led, 0)
    return missed, later, doubt


def has_revoked(seat: str, state: State[Any]) -> bool | None:
    """True if a seat did not follow suit in a full trick although it held the suit; None if hidden cards decide it."""
    missed, later, doubt = not_followed(seat, state)
    held = state.holding(seat).any_of(missed) if missed else False
    return True if later or held else None if doubt or held is None else False


def suits_missed(seat: str, state: State[Any]) -> str:
    """The suits that a seat did not follow, in words."""
    sure, (missed, _, _) = state.hand.trick.suits.sure, not_followed(seat, state)
    return one_of(SUIT_NAMES[suit] for suit in SUITS if missed & sure[suit]) or "the suit led"


# -- claims -----------------------------------------------------------------------------------------------------------


def accused(call: Call, state: State[Any]) -> tuple[str, ...]:
    """The seats accused by a claim: the one named, else all seats, the other side first."""
    if call.who in state.terms.seats:
        return (call.who,)
    side_of, seats = state.terms.side_of, state.terms.seats
    return tuple(sorted(seats, key=lambda seat: side_of[seat] == side_of[call.by]))


def is_too_late_to_claim(state: State[Any]) -> bool:
    """Return True if nothing can be claimed any more. A hand that is decided may still be played out, so it is not over
    before the next one begins."""
    return not state.number or (state.settled and not state.turn and state.phase != DECIDED)


def claim_is_founded(call: Call, state: State[Any]) -> CheckResult | None:
    """A revoke is claimed while the hand lasts, and a seat accused of it made one in a full trick."""
    if call.word == "on" and state.number and state.phase == CLAIMED:
        # A player says that play goes on, as the claim was rejected.
        return no_more_play(state.hand.claimed, state)
    if call.word != REVOKE:
        return None
    if is_too_late_to_claim(state):
        return broken("the hand is over, so no revoke can be claimed")
    seats = accused(call, state)
    found = [has_revoked(seat, state) for seat in seats]
    if True in found:
        return None
    if None in found:
        seat = seats[found.index(None)]
        return unknown(f"whether {seat} held {suits_missed(seat, state)}")
    who = seats[0] if len(seats) == 1 else "everybody"
    return broken(f"{who} followed suit in each full trick, or could not")


def ends_the_hand(play: Play, state: State[Any]) -> CheckResult | None:
    """After a claim that is right the hand is over."""
    return no_more_play(state.hand.turned_down, state)


def no_more_play(said: str, state: State[Any]) -> CheckResult | None:
    """Return broken if the hand is over because of a claim about this side, which is known to have revoked."""
    if not said or not any(has_revoked(seat, state) for seat in state.hand.accused):
        return None
    return broken(f"a revoke of {said} was claimed, and the hand is over")


def on_claim(call: Call, state: State[Any]) -> None:
    """Apply a claim: the hand ends for the accused side. Before a trick is full there can be no revoke."""
    hand = state.hand
    if call.word != REVOKE or is_too_late_to_claim(state) or not (hand.trick.won or hand.trick.lost):
        return
    if state.phase == DECIDED:
        continue_after_sweep(state)
    hand.was = (state.phase, state.turn)
    hand.accused = seats = accused(call, state)
    hand.claimed = state.terms.side_of[next((seat for seat in seats if has_revoked(seat, state)), seats[0])]
    finish_hand(state)
    state.phase = CLAIMED


def claim_did_not_stand(state: State[Any]) -> None:
    """Go on with the hand, as a card was played after a claim."""
    hand = state.hand
    hand.turned_down, hand.claimed = hand.claimed, ""
    reopen_hand(state)
    state.phase, state.turn = hand.was
    state.infer("the claim of a revoke was rejected: the play goes on")


def founded_claims(seat: str, state: State[Any]) -> Iterator[Event]:
    """Each claim of a revoke that is known to be right."""
    return (Call(by=seat, word=REVOKE, who=who) for who in state.terms.seats if has_revoked(who, state))


def whoever_revoked(state: State[Any], event: Event) -> tuple[Event, ...]:
    """A claim as it is typed: a seat may be in lower case."""
    if isinstance(event, Call) and event.word == REVOKE and event.what.upper() in state.terms.seats:
        return (replace(event, what="", who=event.what.upper()),)
    return (event,)
