"""Trumps named in the middle of a deal: a few cards each, the seat after the dealer names a suit, then the rest.

The page declares the parts as the `stages` of its deal, in the phases `NAMING` and `SECOND`, spreads `NAMED_MID_DEAL`
into its `on` and `PARTS` into its phases, and sets `unwritten_part`. Its record of the hand is a `TrumpHand`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.cards import SUIT_NAMES, SUITS, Ranking
from events.model import Call, Deal, Event, Name, Play
from reducers.evolve import on_deal
from reducers.model import Evolve, Phase, State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import WHO_DEALS, as_many_as_dealt, dealt_out, declared_deal
from reducers.words.trial_acts import try_naming
from reducers.words.trick_play import TRICKS, TrickHand, is_led, lay_out_tricks, open_play, strengths  # fmt: skip

NAMING, SECOND = "naming", "second deal"


class TrumpHand(TrickHand):
    """The record of a hand with named trumps; `trump` is empty until they are named."""

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        super().__init__(state, ranked)
        self.ranked, self.trump = ranked, ""


def name_trumps_first(state: State[Any]) -> None:
    """Begin a hand with the first part of the deal; the seat after the dealer names trumps."""
    lay_out_tricks(state)
    state.phase, state.turn = NAMING, (state.terms.after(state.dealer),)


# -- checks -----------------------------------------------------------------------------------------------------------


def named_by_the_first_seat(name: Name, state: State[Any]) -> CheckResult | None:
    """The seat after the dealer names a suit, once."""
    hand, first = state.hand, state.terms.after(state.dealer)
    if name.what not in SUITS:
        return broken("trumps are one of c, d, h, s")
    if hand.trick.lost:
        return unknown("whether trumps had been named: acts are missing from the record")
    if hand.trump:
        return broken(f"{SUIT_NAMES[hand.trump]} were named already")
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if name.by != first:
        return broken(f"{first} sits {'left' if state.terms.way == 1 else 'right'} of the dealer and names trumps")
    return None


def named_between_the_parts(name: Name, state: State[Any]) -> CheckResult | None:
    """Trumps are named after the first part of the deal and before the second."""
    if state.hand.trick.lost or state.hand.trump:
        return None
    if is_led(state):
        return broken("trumps are named before the first lead")
    few = declared_deal(state).at_first
    if any(len(pile) > few and not pile.vague for pile in map(state.holding, state.game.dealing.playing(state))):
        return broken(f"trumps are named after the first {few} cards, and the rest had already been dealt")
    return None


def named_mid_deal(name: Name, state: State[Any]) -> CheckResult | None:
    """The right seat names trumps at the right time, for texts with one rule for both."""
    return named_by_the_first_seat(name, state) or named_between_the_parts(name, state)


def trumps_are_named_first(play: Play, state: State[Any]) -> CheckResult | None:
    """The first card is led although trumps were not named."""
    if is_led(state) or state.hand.trump or state.hand.trick.lost:
        return None
    return unknown("whether trumps were named: that may be missing from the record")


def in_two_parts(deal: Deal, state: State[Any]) -> CheckResult | None:
    """A seat is dealt no more than the first part before trumps are named, and no more than all cards after it."""
    if all_is_dealt(state):
        return unknown("all cards had been dealt: the line stands here twice, or one is missing from the record")
    says = as_many_as_dealt(deal, state)
    if says is None or state.settled or state.phase != NAMING:
        return says
    if not every_seat_has(declared_deal(state).at_first, state):
        return says
    return unknown("whether trumps had been named: a line may be missing from the record")


def every_seat_has(each: int, state: State[Any]) -> bool:
    """Return True if every seat may have n cards."""
    return all(pile.vague or len(pile) >= each for pile in map(state.holding, state.game.dealing.playing(state)))


# -- what happens -----------------------------------------------------------------------------------------------------


def on_name(name: Name, state: State[Any]) -> None:
    """Set trumps; the rest of the deal follows, unless it was recorded before."""
    hand = state.hand
    if name.what in SUITS and not hand.trump and not is_led(state):
        hand.trump, hand.trick.blind = name.what, hand.trick.lost
        hand.trick.power = strengths(state.game.pack, hand.ranked, name.what)
        if state.phase == NAMING:
            state.phase, state.turn = SECOND, (state.terms.after(state.dealer),)
            # After an uncounted first part it is unknown whether there is a second one.
            if not any(state.holding(seat).vague for seat in state.game.dealing.playing(state)):
                play_once_dealt(state)


def all_is_dealt(state: State[Any]) -> bool:
    """Return True if play has begun, so that nothing is left to deal."""
    return bool(state.number) and not state.settled and state.phase == "play"


def on_part(deal: Deal, state: State[Any]) -> None:
    """Apply a part of the deal; after the last card of the second one play begins. A deal after that is a repeated
    line."""
    if all_is_dealt(state):
        return
    on_deal(deal, state)
    if state.phase == SECOND:
        play_once_dealt(state)


def play_once_dealt(state: State[Any]) -> None:
    """Start the play once all seats have all their cards."""
    if every_seat_has(declared_deal(state).each, state):
        state.acts = 1
        open_play(state)


def second_deal_is_due(state: State[Any]) -> bool:
    """Return True if the rest of the deal comes before a lead, though it need not be recorded."""
    return state.phase == SECOND


def unwritten_part(state: State[Any], act: Event) -> None:
    """Infer from a lead that trumps were named, and from a lead or a word of the play that everything was dealt."""
    if isinstance(act, Play) and state.phase == NAMING:
        state.infer("trumps were named before this; the suit was not recorded")
        state.hand.trick.blind = True
        state.phase = SECOND
    if isinstance(act, Play | Call) and state.phase == SECOND:
        dealt_out(state)
        open_play(state)


NAMED_MID_DEAL: Mapping[type[Event], Evolve] = {**TRICKS, Name: on_name, Deal: on_part}
PARTS: Mapping[str, Phase] = {
    NAMING: Phase(
        "naming trumps", (Name,), "the trump suit: c, d, h or s", to_do="name trumps", bare=tuple(SUITS),
        tries=(try_naming(*SUITS),), ignores_holdings=True,
    ),
    SECOND: Phase(
        "the second deal", (Deal, Play, Name), "the first lead; the rest of the deal need not be typed", to_do="lead",
        one_card=True, verb_required=(Deal, Name), ignores_holdings=True,
    ),
}  # fmt: skip


def trump_named(state: State[Any]) -> dict[str, str]:
    """The trumps, for the view of the table."""
    return {"trump": state.hand.trump} if state.hand.trump else {}
