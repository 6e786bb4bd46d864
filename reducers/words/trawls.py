"""Trawls: a trump is led, and every seat that has one plays it; the first in turn without one has lost the hand.

It says `none`, or plays another card. The page's record of the hand has `trump`, and keeps what decides a hand early
(`decided`). A page puts `on_card_to_a_trawl` and `on_card_shown_late` into its `on`, asks `says_none` about a call,
sets `still_of_a_trawl` as its `belongs_to_finished_hand`, and calls `card_with_none` first in its `unwritten`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from events.model import Bid, Call, Event, Play, Show
from reducers.evolve import reopen_hand
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.early_ends import decide, may_have, played_on, still_of_the_hand
from reducers.words.trial_acts import try_lead_or_follow
from reducers.words.trick_play import on_card
from reducers.words.tricks import NO_TRUMPS, holds_suit, must_follow_suit
from reducers.words.upcards import on_card_shown

NONE = "none"


def may_be_a_trawl(state: State[Any]) -> bool:
    """Return True if a trump was, or may have been, led to the trick in progress."""
    trick = state.hand.trick
    return bool(trick.lost or (trick.plays and (trick.blind or trick.led in (state.hand.trump, "?"))))


def is_a_trawl(state: State[Any]) -> bool:
    """Return True if a trump was certainly led to the trick in progress, or to the one just full."""
    trick, trump = state.hand.trick, state.hand.trump
    return bool(trump) and not trick.lost and trick.led == trump


def may_have_lost(state: State[Any]) -> tuple[str, ...]:
    """The seats that may have failed to follow a trawl in the last trick: trumps or their cards are unknown."""
    hand = state.hand
    trick, trump = hand.trick, hand.trump
    plays = trick.plays or (trick.won[-1].plays if trick.won else ())
    suits = [trick.suits.of[code] for _, code in plays]
    if not plays or hand.lost_by or (trump and suits[0] not in (trump, "?")):
        return ()
    return tuple(
        seat for (seat, _), suit in zip(plays, suits, strict=True) if suit == "?" or suit != (trump or suits[0])
    )


def may_be_over(state: State[Any]) -> bool:
    """Return True if the hand may have been won or lost unnoticed, as trumps or cards were not seen."""
    if not state.number or state.settled:
        return False
    trick = state.hand.trick
    enough = len(trick.won) >= state.hand.enough and any(
        may_have(side, trick.won, state) >= state.hand.enough for side in state.terms.sides
    )
    return enough or (trick.blind and bool(trick.won)) or bool(may_have_lost(state))


def shows_out(state: State[Any], *more: tuple[str, int]) -> str:
    """The first seat in turn that could not follow a trawl, in the trick with `more` cards; empty if there is none."""
    trick, trump = state.hand.trick, state.hand.trump
    if not trick.plays or trick.led != trump or trick.lost:
        return ""
    plays = (*trick.plays, *more)
    in_turn = zip(plays, state.terms.in_turn(plays[0][0]), strict=False)
    # After a card out of turn, a card of a seat before it may be missing from the record.
    seen = takewhile(lambda pair: pair[0][0] == pair[1], in_turn)
    return next((seat for (seat, code), _ in seen if trick.suits.of[code] not in (trump, "?")), "")


# -- checks -----------------------------------------------------------------------------------------------------------


def must_follow_a_plain_lead(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that holds the suit led plays it, if no trump is known to have been led."""
    trick = state.hand.trick
    return must_follow_suit(play, state) if trick.plays and trick.led != (state.hand.trump or "-") else None


def must_follow_a_trawl(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that has a trump plays it to a trump that was led."""
    trick = state.hand.trick
    return must_follow_suit(play, state) if trick.plays and trick.led == state.hand.trump else None


def none_is_said_to_a_trawl(call: Call, state: State[Any]) -> CheckResult | None:
    """A seat that says `none` is to play to a trump that was led, and has none."""
    trick, trump = state.hand.trick, state.hand.trump
    if call.word != NONE:
        return None
    if trick.lost or (trick.plays and (trick.blind or trick.led == "?")):
        return unknown("whether a trump was led" if trick.lost else NO_TRUMPS if trick.blind else "which card was led")
    if not trick.plays or trick.led != trump:
        return broken("no trump was led")
    if call.by not in state.turn:
        return broken(f"it is the turn of {state.turn[0]}")
    held = state.holding(call.by)
    has = holds_suit(held, trump, trick.suits)
    if has:
        return broken(f"{call.by} holds a trump", held.certain & trick.suits.sure[trump], call.by)
    if has is False:
        return None
    return unknown(f"whether {call.by} held a trump", held)


# -- what happens -----------------------------------------------------------------------------------------------------


def says_none(call: Call, state: State[Any]) -> bool:
    """Return True if a seat says that it has no trump and so loses the hand; without a trump led nothing changes."""
    lost = call.word == NONE and may_be_a_trawl(state)
    if lost:
        state.hand.lost_by = call.by
    return lost


def on_card_to_a_trawl(play: Play, state: State[Any]) -> None:
    """Apply a card; a seat that cannot follow a trawl ends the hand, and so does the trick that wins it."""
    if state.settled:
        card_with_none(state, play)
    if played_on(play, state):
        return
    if state.number and not state.settled and not state.hand.lost_by:
        state.hand.lost_by = shows_out(state, (play.by, state.code(play.cards)))
    on_card(play, state)
    decide(state)


def on_card_shown_late(show: Show, state: State[Any]) -> None:
    """Apply a show; after the upcard is seen, the trick in progress may be a trawl."""
    on_card_shown(show, state)
    if state.number and not state.settled:
        state.hand.lost_by = state.hand.lost_by or shows_out(state)
        decide(state)


def card_with_none(state: State[Any], act: Event) -> None:
    """Reopen the hand for the card that a player plays with `none`, and for a later one if trumps are unknown: the
    lead was no trump, or the hand would be over."""
    if not (state.number and state.settled and isinstance(act, Play) and still_of_the_hand(state, act)):
        return
    hand, plays = state.hand, state.hand.trick.plays
    with_none = bool(plays) and act.by == hand.lost_by and act.by not in [seat for seat, _ in plays]
    if with_none or (hand.trick.blind and hand.lost_by):
        hand.lost_by = hand.lost_by if with_none else ""
        reopen_hand(state)
        state.phase, state.turn = "play", (act.by,)


def still_of_a_trawl(state: State[Any], act: Event) -> bool:
    """Return True if an act belongs to the finished hand: a card, a repeated `none` of its loser, or any word while
    it is unknown whether a trump was led."""
    if isinstance(act, Bid | Call):
        loser = state.hand.lost_by if state.number and state.settled else ""
        repeated = isinstance(act, Call) and act.word == NONE and act.by == loser
        return bool(loser) and (state.hand.trick.blind or repeated)
    return still_of_the_hand(state, act)


# -- many cards at once, and acts to try ------------------------------------------------------------------------------


def plays_or_has_none(seat: str, state: State[Any]) -> Iterator[Event]:
    """A card, or `none` to a lead."""
    yield from try_lead_or_follow(seat, state)
    if state.hand.trick.plays:
        yield Call(by=seat, word=NONE)
