"""Sweeps: a side that takes all of the first tricks of a hand stops it, unless it chooses to play on.

The hand is scored at the stop, and is not over while it may go on: it is in the phase `SWEEP`, or `DECIDED` once a
trick was lost after it. `call stop` and `call on` are the choices of the side; a lead means `on`, the next hand `stop`.
The record of the hand is a `Sweeping`; `first` is the number of tricks that make a sweep.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Protocol

from events.model import Call, Event, Fault, Gap, Hand, Play
from reducers.evolve import finish_hand, new_hand
from reducers.model import InItsPlace, State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.act_batches import plays_in_order
from reducers.words.trial_acts import try_each_card
from reducers.words.trick_play import TRICKS, first_lead
from reducers.words.tricks import Tricks, owner

SWEEP, DECIDED = "sweep", "decided"


class Sweeping(Protocol):
    """The fields for a sweep in a page's record of a hand: `sweep` is the side that has one, empty if none does."""

    first: int
    sweep: str


def sweepers(state: State[Any]) -> tuple[str, ...]:
    """The sides that may have all of the first n tricks; empty while fewer were played."""
    tricks: Tricks = state.hand.trick
    first: int = state.hand.first
    if len(tricks.won) < first or tricks.lost:
        return ()
    side_of = state.terms.side_of
    sides = set(state.terms.sides)
    for trick in tricks.won[:first]:
        side = owner(trick, side_of)
        sides &= {side} if side else {side_of[seat] for seat in trick.winners}
    return tuple(side for side in state.terms.sides if side in sides)


def stop_at_a_sweep(state: State[Any]) -> None:
    """Stop the hand after the first n tricks if one side has them all, and after a later trick that it loses."""
    hand, tricks, first = state.hand, state.hand.trick, state.hand.first
    if state.settled or tricks.plays or tricks.lost or state.phase != "play" or len(tricks.won) < first:
        return
    won = len(tricks.won)
    if won == first and not hand.sweep:
        sides = sweepers(state)
        if len(sides) == 1 and all(owner(trick, state.terms.side_of) for trick in tricks.won):
            hand.sweep = sides[0]
            stand_still(SWEEP, state)
    elif hand.sweep and won > first and owner(tricks.won[-1], state.terms.side_of) not in ("", hand.sweep):
        stand_still(DECIDED, state)


def stand_still(phase: str, state: State[Any]) -> None:
    """Score the hand as it is; it may go on."""
    leader = state.turn
    finish_hand(state)
    state.phase = phase
    if phase == SWEEP:
        sides, side_of = state.terms.sides, state.terms.side_of
        state.turn = (*leader, *(seat for seat in sides[side_of[leader[0]]] if seat not in leader))


def continue_after_sweep(state: State[Any]) -> None:
    """Go on with the hand after a stop; it keeps its score so far."""
    state.settled = False
    state.phase, state.turn = "play", state.hand.trick.won[-1].winners


def on_choice(call: Call, state: State[Any]) -> None:
    """Apply the choice of the side that swept: stop the hand, or play on."""
    if state.phase == SWEEP and call.word == "on":
        continue_after_sweep(state)
    elif state.phase == SWEEP and call.word == "stop":
        state.phase, state.turn = "between", ()


def begin_after_a_stop(hand: Hand, state: State[Any]) -> None:
    """Begin the next hand. If the one before broke off after the first n tricks, it was stopped there, so the side that
    may have them all has them."""
    if state.number and not state.settled:
        tricks: Tricks = state.hand.trick
        sides = sweepers(state) if len(tricks.won) == state.hand.first and not tricks.plays else ()
        if len(sides) == 1 and not state.hand.sweep:
            state.infer(f"the hand stopped after {state.hand.first} tricks: {sides[0]} took them all")
            state.hand.sweep = sides[0]
            finish_hand(state)
    new_hand(hand, state)


# -- who may choose ---------------------------------------------------------------------------------------------------


def sweepers_choose(call: Call, state: State[Any]) -> CheckResult | None:
    """Only the side that swept stops the hand or plays on."""
    if call.word not in ("on", "stop"):
        return None
    if call.word == "on" and state.number and state.settled and not state.turn and state.phase != "between":
        # The call says that the hand goes on after a stop; no rule says who may say it.
        return None
    if not state.number or (state.settled and not state.turn):
        return broken("no hand is in play, so there is no choice to make")
    hand = state.hand
    if state.phase == SWEEP:
        right = state.terms.side_of[call.by] == hand.sweep
        return None if right else broken(f"{hand.sweep} took the first {hand.first} tricks and chooses")
    if hand.sweep:
        return broken(f"{hand.sweep} chose before this to play on")
    tricks: Tricks = hand.trick
    if tricks.lost or (len(tricks.won) == hand.first and not tricks.plays and sweepers(state)):
        return unknown(f"who took the first {hand.first} tricks")
    return broken(f"no side has just taken all of the first {hand.first} tricks")


def kept_from_playing_on(fault: Fault, state: State[Any]) -> CheckResult | None:
    """Check a fault (`fault on E`) by which the table denies the side that swept its right to play on."""
    if fault.word != "on" or state.phase != SWEEP:
        return None
    swept = state.hand.sweep
    if fault.who and state.terms.side_of.get(fault.who) != swept:
        return None
    return broken(f"{swept} took the first {state.hand.first} tricks and may play on")


def lead_or_play_on(play: Play, state: State[Any]) -> CheckResult | None:
    """The leader leads; after a sweep the winner of the last trick leads to play on."""
    if state.phase != SWEEP:
        return first_lead(play, state)
    return None if play.by == state.turn[0] else broken(f"{state.turn[0]} won the last trick and leads")


# -- the ways through a hand ------------------------------------------------------------------------------------------


def stop_or_play_on(seat: str, state: State[Any]) -> Iterator[Event]:
    """What the side that swept may do: stop, say that it plays on, or lead."""
    yield from (Call(by=seat, word=word) for word in ("stop", "on"))
    if seat == state.turn[0]:
        yield from try_each_card(seat, state)


def on_gap_after_a_stop(gap: Gap, state: State[Any]) -> None:
    """Apply a gap: a hand that had stopped is over."""
    if state.number and state.settled and state.phase in state.game.phases:
        state.phase, state.turn = "between", ()
    TRICKS[Gap](gap, state)


def plays_up_to_a_sweep(first: InItsPlace, later: Iterator[InItsPlace], state: State[Any]) -> InItsPlace | None:
    """Apply legal plays up to the trick that may stop the hand, and after it. Return the first event not applied."""
    hand, tricks = state.hand, state.hand.trick
    left = len(tricks.seats) * (hand.first - len(tricks.won)) - len(tricks.plays)
    if hand.sweep or getattr(hand, "empty", ()) or getattr(hand, "turned_down", ""):
        return first
    if left <= 0:
        return plays_in_order(first, later, state)
    stopped = plays_in_order(first, islice(later, left - 1), state)
    if len(tricks.won) < hand.first:
        return stopped
    stop_at_a_sweep(state)
    act = next(later, None) if stopped is None else stopped
    return act if act is None or state.phase != "play" else plays_in_order(act, later, state)
