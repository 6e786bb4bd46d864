"""A stock with its top card turned up: the winner of a trick takes that card, the other player the next one unseen.

German Whist uses it. The first card turned up makes trumps. After each trick the next card is turned up, until the
stock is out; the rest of the tricks follow without draws. What is drawn follows from the tricks and the cards turned
up, so no draws are written; a table may leave out the cards turned up too. The record of the hand is an
`OpenStockHand`; while it is `due`, chance acts first (`next_is_turned_up`).
"""

from __future__ import annotations

from random import Random
from typing import Any

from events.cards import Ranking
from events.model import Deal, Event, Gap, Move, Play, Show
from reducers.evolve import on_deal, on_move, on_show
from reducers.gaps import after_gap
from reducers.model import Evolve, State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile
from reducers.words import trick_play
from reducers.words.deals import declared_deal, ensure_dealt, shuffle_and_deal
from reducers.words.tricks import Tricks, gathered_by
from reducers.words.upcards import UPCARD, UpcardHand, on_card_shown, on_upcard


class OpenStockHand(UpcardHand):
    """The record of such a hand. `due`: cards are to be drawn since the last trick. `turned`: the next card has been
    turned up, and the draws wait for the winner of that trick to be known."""

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        super().__init__(state, ranked, state.game.pack.size // len(state.terms.seats))
        self.due = self.turned = False


def play_with_open_stock(state: State[Any], ranked: Ranking) -> OpenStockHand:
    """Begin a hand with the lead of the seat after the dealer. The stock and the card turned up come with the deal."""
    trick_play.lay_out_tricks(state)
    state.phase, state.turn = "play", (state.terms.after(state.dealer),)
    return OpenStockHand(state, ranked)


def tricks_with_draws(state: State[Any]) -> int:
    """The number of tricks after which cards are drawn."""
    trick: Tricks = state.hand.trick
    return trick.total - declared_deal(state).each


def on_card(play: Play, state: State[Any]) -> None:
    """Apply a card played; a lead shows that all have drawn, and after a full trick the next card is turned up."""
    hand = state.hand if state.number and not state.settled else None
    if hand is not None and hand.due and not hand.trick.plays:
        winners = hand.trick.won[-1].winners
        hand_out(winners[0] if len(winners) == 1 else play.by, state)
    before = len(hand.trick.won) if hand is not None else 0
    trick_play.on_card(play, state)
    hand = state.hand
    full = not state.settled and not hand.trick.lost and len(hand.trick.won) > before
    if not full or len(hand.trick.won) > tricks_with_draws(state):
        return
    hand.due, hand.turned = True, False
    if hand.trick.plays:
        # The trick before was full without its last card in the record, and the next one is led already.
        hand_out(play.by, state)
    elif len(hand.trick.won) == tricks_with_draws(state) and len(winners := hand.trick.won[-1].winners) == 1:
        hand_out(winners[0], state)


def hand_out(winner: str, state: State[Any]) -> None:
    """Give the winner of the last trick the card turned up, and the others a card of the stock each."""
    hand, table, unseen = state.hand, state.table, state.game.pack.unknown
    upcard, stock = table.row(UPCARD), table.row("stock")
    goes_on = len(hand.trick.won) < tricks_with_draws(state)
    row = upcard.row if upcard.row is not None else []
    # A card that has been turned up since lies on top of it.
    later = [row.pop()] if hand.turned and len(row) > 1 else []
    table.move_one(on_top(upcard, unseen), upcard, state.holding(winner))
    row += later
    for seat in state.terms.in_turn(winner)[1:]:
        table.move_one(on_top(stock, unseen), stock, state.holding(seat))
    if goes_on and not hand.turned:
        table.move_one(on_top(stock, unseen), stock, upcard)
    hand.due = hand.turned = False


def on_top(stock: Pile, unseen: int) -> int:
    """The card on top of the stock, unseen if it is not known."""
    return stock.row[-1] if stock.row and not stock.vague else unseen


def on_moved(move: Move, state: State[Any]) -> None:
    """Apply a move: the next card of the stock is turned up, or a trick is gathered."""
    if move.src != "stock" or move.to != UPCARD:
        gathered_by(move, state)
        return
    ensure_dealt(state)
    hand = state.hand
    winners: tuple[str, ...] = hand.trick.won[-1].winners if hand.due and hand.trick.won else ()
    if len(winners) == 1:
        # The draws come first.
        hand.turned = True
        hand_out(winners[0], state)
    hand.turned = len(winners) > 1
    on_move(move, state)


def next_is_turned_up(state: State[Any]) -> bool:
    """True if the next card of the stock is turned up now, before the next lead (for `chance_acts_first` of a page)."""
    if not state.number or state.settled:
        return False
    hand = state.hand
    return bool(hand.due and not hand.turned and len(hand.trick.won) < tricks_with_draws(state))


def on_first_upcard(event: Deal | Show, state: State[Any]) -> None:
    """Apply a deal or a show: of the cards turned up only the first one makes trumps."""
    if state.number and not state.settled and state.hand.trick.won:
        (on_deal if isinstance(event, Deal) else on_show)(event, state)  # type: ignore[arg-type]  # each of its own kind
    elif isinstance(event, Deal):
        on_upcard(event, state)
    else:
        on_card_shown(event, state)


def turn_up(state: State[Any], random: Random) -> list[Event]:
    """Acts of chance: the deal, and after a trick the next card of the stock turned up."""
    if not next_is_turned_up(state):
        return shuffle_and_deal(state, random)
    pack, stock = state.game.pack, state.table.row("stock").row or []
    drawn = len(state.terms.seats) - 1
    card = pack.tokens[stock[-1 - drawn]] if len(stock) > drawn else "??"
    return [Move(by="@", cards=(card,), face="up", src="stock", to=UPCARD)]


def is_turned_in_time(move: Move, state: State[Any]) -> CheckResult | None:
    """A card is turned up after each trick until the stock is out, and at no other time."""
    if move.src != "stock" or move.to != UPCARD or state.settled:
        return None
    hand = state.hand
    if hand.trick.lost or state.table.astray:
        return unknown("cards are missing from the record, perhaps also the card turned up before this")
    if next_is_turned_up(state):
        return None
    if hand.trick.plays:
        return broken("a card is turned up after the trick, and this one is not full")
    return broken(
        "a card is turned up already" if len(hand.trick.won) < tricks_with_draws(state) else "the stock is out"
    )


OPEN_STOCK: dict[type[Event], Evolve] = {
    Deal: on_first_upcard, Show: on_first_upcard, Play: on_card, Move: on_moved,
    Gap: after_gap(due=False, turned=False),
}  # fmt: skip
