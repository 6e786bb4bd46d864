"""An upcard that makes trumps: the card turned up beside the hands, as soon as it, or its suit, is seen.

The page's record of the hand is an `UpcardHand`, or has the same fields and `with_trumps`. Until the upcard is seen,
the winner of a trick is unknown. Briscola, Écarté and Envite use it.
"""

from __future__ import annotations

from typing import Any

from events.cards import SUITS, Ranking
from events.model import Deal, Show
from reducers.evolve import on_deal, on_show
from reducers.model import HandRecord, State
from reducers.words.deals import declared_deal
from reducers.words.tricks import Strength, Tricks, strengths

UPCARD = "upcard"


class UpcardHand(HandRecord):
    """The record of a hand in which an upcard makes trumps; `trump` is its suit, empty while unknown.

    A page with cards of other suits among the trumps has its own `with_trumps`, which is also called before trumps are
    known."""

    def __init__(self, state: State[Any], ranked: Ranking, total: int = 0) -> None:
        self.trick = Tricks(state, total or declared_deal(state).each)
        self.ranked, self.trump = ranked, ""
        self.trick.power, self.trick.blind = self.with_trumps(""), True

    def with_trumps(self, suit: str) -> dict[str, Strength]:
        """The strengths of the cards for each suit led, with this suit as trumps; `suit` is empty while unknown."""
        return strengths(self.trick.table.pack, self.ranked, suit)


def on_upcard(deal: Deal, state: State[Any]) -> None:
    """Apply a deal; the card that is turned up makes trumps."""
    on_deal(deal, state)
    see_trumps(state)


def on_card_shown(show: Show, state: State[Any]) -> None:
    """Apply a show; it may be the upcard, which had not been recorded."""
    if show.src == UPCARD and state.number and not state.acts and not len(state.table.row(UPCARD)):
        state.table.lay([state.game.pack.unknown], state.table.row(UPCARD))
    on_show(show, state)
    see_trumps(state)


def see_trumps(state: State[Any]) -> None:
    """Set trumps once the upcard, or its suit, is seen."""
    pile = state.table.piles.get(UPCARD)
    if state.number and pile is not None and pile.row and not state.hand.trump:
        trumps_are(state.game.pack.suit_of[pile.row[-1]], state)


def trumps_are(suit: str, state: State[Any]) -> None:
    """Set trumps if this is a suit; the cards in the trick may change in strength."""
    hand = state.hand
    if suit in SUITS:
        hand.trump, hand.trick.blind = suit, hand.trick.lost
        hand.trick.rank_by(hand.with_trumps(suit))
