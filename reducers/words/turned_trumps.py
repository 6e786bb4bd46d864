"""Trumps that are turned up with the deal: the dealer's last card makes them, and then belongs to the dealer's hand.

A page declares a deal with `last_up`, spreads `TURNED_TRUMPS` into its `on`, and keeps a `TurnedHand` or a subclass.
Until the card, or its suit, is seen, the winner of a trick is unknown.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.cards import SUITS, Ranking, how_many, one_by_one, pretty
from events.model import Deal, Event, Play, Show
from reducers.evolve import ensure_hand_started, is_dealer_open, on_deal, on_show
from reducers.model import Evolve, HandRecord, State
from reducers.rules import CheckResult, broken, unknown
from reducers.terms import hand_of
from reducers.words.deals import as_many_as_dealt, declared_deal, ensure_dealt
from reducers.words.trick_play import TRICKS, Tricks, is_led, lay_out_tricks, sign_of_trumps, strengths


class TurnedHand(HandRecord):
    """The record of a hand in which the dealer's last card makes trumps.

    `turned` is that card, perhaps half seen, and `trump` its suit; empty while unknown.
    """

    def __init__(self, state: State[Any], ranked: Ranking, trumps: Ranking | None = None) -> None:
        self.trick = Tricks(state, declared_deal(state).each)
        self.trick.power = strengths(state.game.pack, ranked, "")
        self.trick.blind = True
        if trumps is not None:
            self.trick.possible_powers = tuple(strengths(state.game.pack, ranked, suit, trumps) for suit in SUITS)
        self.ranked, self.ranked_trumps, self.trump, self.turned = ranked, trumps, "", ""


def first_seat_leads(state: State[Any]) -> None:
    """Begin a hand with the lead of the seat after the dealer; trumps come with the deal."""
    lay_out_tricks(state)
    state.phase, state.turn = "play", (state.terms.after(state.dealer),)


def on_last_card(deal: Deal, state: State[Any]) -> None:
    """Apply a deal; the card that is turned up makes trumps."""
    ensure_hand_started(state)
    deal = as_the_dealers(deal, state)
    on_deal(deal, state)
    for name, cards in deal.piles if deal.face == "up" else ():
        seat = name.removeprefix("hand:")
        if seat in state.terms.seats and how_many(cards) == 1:
            if state.undecided is not None and seat in state.undecided.seats:
                # The owner of the last card is the dealer.
                state.dealer, state.turn, state.undecided, state.dealer_is_guess = seat, (
                    state.terms.after(seat),
                ), None, False
            make_trumps(cards, state)


def card_of_trumps(state: State[Any]) -> str:
    """The card that makes trumps in the hand in play, or the sign of its suit; empty while both are unknown."""
    turned: str = state.hand.turned
    return pretty(turned) if turned else sign_of_trumps(state)


def as_the_dealers(deal: Deal, state: State[Any]) -> Deal:
    """The deal with a card turned up beside the hands as the dealer's last one."""
    if deal.face != "up" or all(name != "upcard" for name, _ in deal.piles):
        return deal
    dealer = hand_of(who_deals(state))
    return replace(deal, piles=tuple((dealer if name == "upcard" else name, cards) for name, cards in deal.piles))


def who_deals(state: State[Any]) -> str:
    """The dealer of the hand in play; between hands, of the hand that a deal begins."""
    return state.game.dealing.next_dealer(state) if state.settled and state.number else state.dealer


def dealt_as_many(deal: Deal, state: State[Any]) -> CheckResult | None:
    """No seat gets more cards than are dealt; the one that is turned up is the dealer's."""
    return as_many_as_dealt(as_the_dealers(deal, state), state)


def on_last_card_shown(show: Show, state: State[Any]) -> None:
    """Apply a show; a card that the dealer shows before the first lead is the last one of the deal."""
    in_play = state.number and not state.settled and not state.hand.trick.lost
    whose = show.src.removeprefix("hand:") or show.by
    last = in_play and not is_led(state) and not state.hand.turned and whose == state.dealer
    if last:
        ensure_dealt(state)
    on_show(show, state)
    if last and sum(how_many(group) or 2 for group in show.groups) == 1:
        make_trumps(show.groups[0], state)


def make_trumps(cards: tuple[str, ...], state: State[Any]) -> None:
    """Let this card make trumps, if its suit was seen and none was turned up before it."""
    hand, (card,) = state.hand, one_by_one(cards)
    suit = state.game.pack.suit_of[state.code((card,))]
    if suit in SUITS and not hand.turned:
        hand.turned, hand.trump, hand.trick.blind = card, suit, hand.trick.lost
        hand.trick.power = strengths(state.game.pack, hand.ranked, suit, hand.ranked_trumps)


def the_dealers_last_is_turned_up(deal: Deal, state: State[Any]) -> CheckResult | None:
    """No seat gets more cards than are dealt, and one of all is turned up, the dealer's."""
    return dealt_as_many(deal, state) or only_the_dealers_last(deal, state)


def only_the_dealers_last(deal: Deal, state: State[Any]) -> CheckResult | None:
    """One of all cards dealt is turned up, the dealer's last."""
    if deal.face != "up":
        return None
    deal = as_the_dealers(deal, state)
    up = [(name.removeprefix("hand:"), how_many(cards)) for name, cards in deal.piles]
    if sum(n or 0 for _, n in up) > 1 or (state.number and not state.settled and state.hand.turned):
        return broken("one card is turned up, the dealer's last")
    dealer = who_deals(state)
    wrong = [seat for seat, _ in up if seat != dealer]
    return broken(
        f"the card that is turned up is the last of {dealer}, who deals"
    ) if wrong and not is_dealer_open(state) else None


def trumps_are_turned_up_first(play: Play, state: State[Any]) -> CheckResult | None:
    """The first card is led without a record of the card turned up."""
    if is_led(state) or state.hand.trump or state.hand.trick.lost:
        return None
    return unknown("which card was turned up as the dealer's last: that may be missing from the record")


TURNED_TRUMPS: dict[type[Event], Evolve] = {**TRICKS, Deal: on_last_card, Show: on_last_card_shown}
