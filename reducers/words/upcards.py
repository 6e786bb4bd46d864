"""An upcard that makes trumps: the card turned up beside the hands, as soon as somebody saw it, or its suit.

The page's record of the hand is an `UpcardHand`, or keeps the same and has its `with_trumps`. Until the upcard was seen nobody
can tell who wins a trick. Briscola, Écarté and Envite use it.
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
    """The record of a hand in which an upcard makes trumps; `trump` is its suit, empty while nobody saw it.

    A page of which cards of other suits are among the trumps has its own `with_trumps`, which is asked before they are known, too.
    """

    __slots__ = ("ranked", "trick", "trump")

    def __init__(self, state: State[Any], ranked: Ranking, total: int = 0) -> None:
        self.trick = Tricks(state, total or declared_deal(state).each)
        self.ranked, self.trump = ranked, ""
        self.trick.power, self.trick.blind = self.with_trumps(""), True

    def with_trumps(self, suit: str) -> dict[str, Strength]:
        """How strong the cards are with this suit as trumps, for each suit led; with an empty one, while nobody knows them."""
        return strengths(self.trick.table.pack, self.ranked, suit)


def on_upcard(deal: Deal, state: State[Any]) -> None:
    """Cards are dealt; the one that is turned up makes trumps."""
    on_deal(deal, state)
    see_trumps(state)


def on_card_shown(show: Show, state: State[Any]) -> None:
    """Cards are shown; that may be the upcard, which nobody had written."""
    if show.src == UPCARD and state.number and not state.acts and not len(state.table.row(UPCARD)):
        state.table.lay([state.game.pack.unknown], state.table.row(UPCARD))
    on_show(show, state)
    see_trumps(state)


def see_trumps(state: State[Any]) -> None:
    """As soon as somebody saw the upcard, or its suit, trumps are known."""
    pile = state.table.piles.get(UPCARD)
    if state.number and pile is not None and pile.row and not state.hand.trump:
        trumps_are(state.game.pack.suit_of[pile.row[-1]], state)


def trumps_are(suit: str, state: State[Any]) -> None:
    """This suit is trumps, if it is one; what lies in the trick already may be worth something else with them."""
    hand = state.hand
    if suit in SUITS:
        hand.trump, hand.trick.blind = suit, hand.trick.lost
        hand.trick.rank_by(hand.with_trumps(suit))


__all__ = ["UPCARD", "UpcardHand", "on_card_shown", "on_upcard", "see_trumps", "trumps_are"]
