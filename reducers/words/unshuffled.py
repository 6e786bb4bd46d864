"""A pack that is not shuffled between two hands: the rest of it is on top, and under it the cards that were played.

So a played card cannot come up before all cards above it have been dealt. What is known of that is kept beside the
stock, since the order of the played cards was not seen. The page's record of a hand has it as `pack`, and as `shuffled`
whether the cards were mixed after that hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from events.cards import one_by_one
from events.model import Deal, Draw, Show, Shuffle
from reducers.model import State
from reducers.table import Table
from reducers.words.bets import seat_of


class PackOrder(Struct):
    """What is known of an unshuffled pack: cards dealt (`taken`), and by card the least number of cards `above` it."""

    taken: int = 0
    above: dict[int, int] = {}

    def too_deep(self, code: int, row: Sequence[int], ahead: int = 0) -> bool:
        """Return True if a card cannot be the next one from this row, `ahead` cards after its top.

        >>> (
        ...     PackOrder(3, {7: 4}).too_deep(7, [99]),
        ...     PackOrder(3, {7: 4}).too_deep(7, [99, 99], 1),
        ...     PackOrder().too_deep(7, [7, 8])
        ... )
        (True, False, True)
        """
        at = len(row) - 1 - ahead
        return self.above.get(code, 0) > self.taken + ahead or code in row[: max(at, 0)]

    def buried(self, code: int) -> bool:
        """Return True if a card cannot be among those dealt so far."""
        return self.above.get(code, 0) >= max(self.taken, 1)


def carry_stock_over(before: Table, order: PackOrder, table: Table) -> PackOrder:
    """Set up the stock for the next hand as it was left. Return what is known of cards deep in it without an exact
    place."""
    stock, left, pack, piles = table.row("stock"), list(
        before.row("stock").row or []
    ), table.pack, before.piles.values()
    if sum(map(len, piles)) != pack.size or any(p.vague for p in piles):
        table.lay([pack.unknown] * pack.size, stock)
        return PackOrder()
    above = {code: n - order.taken for code, n in order.above.items() if n > order.taken}
    if len(left) == pack.size:
        # No card is anywhere else.
        stock.row, table.located, table.glimpsed = left, before.located, before.glimpsed
        table.since[stock.name] = table.now
    else:
        for pile in piles:
            if pile.row is None and pile.known:
                above |= dict.fromkeys(pack.codes(pile.known), len(left))
        table.lay([pack.unknown] * (pack.size - len(left)) + left, stock)
    return PackOrder(0, {c: n for c, n in above.items() if c not in left} if above else {})


def cannot_be_on_top(code: int, state: State[Any], ahead: int = 0) -> bool:
    """Return True if a card cannot be at the top of the stock, or `ahead` cards from it, by the order of the pack."""
    table, order = state.table, state.hand.pack
    row, unknown = table.row("stock").row or [], table.pack.unknown
    there = row[-1 - ahead] if ahead < len(row) else unknown
    if code >= unknown or code == there:
        return False
    # A card without a certain place is in no certain place of the stock.
    known = row if table.located & table.pack.field[code] else ()
    return there < unknown or bool(order.too_deep(code, known, ahead))


def forget_order(state: State[Any], *top: int) -> None:
    """Mix the stock: the order is unknown, except perhaps for these cards on top."""
    stock = state.table.row("stock")
    known = list(top)[-len(stock) :]
    state.table.mix([state.table.pack.unknown] * (len(stock) - len(known)) + known, stock, stock)
    state.hand.pack.above = {}


def mixed(shuffle: Shuffle, state: State[Any]) -> None:
    """Apply a shuffle of the pack; it may give the new order."""
    if state.hand is not None and state.settled:
        state.hand.shuffled = True
    elif state.hand is not None:
        named = [state.table.codes(cards) for name, cards in shuffle.piles if name == "stock"]
        forget_order(state, *(named[-1] if named else ()))


def cannot_have_come(event: Deal | Draw | Show, state: State[Any], shown_by: str = "") -> str:
    """The first of these cards that cannot have come up yet; empty if all can have."""
    order, pack = state.hand.pack, state.table.pack
    if shown_by and not order.above:
        return ""
    cards = cards_from_stock(event, state, shown_by)
    codes = [pack.code.get(card, pack.unknown) for card in cards]
    if not shown_by and (state.table.row("stock").row or [])[: -1 - len(codes) : -1] == codes:
        return ""
    for ahead, code in enumerate(codes):
        if order.buried(code) if shown_by else cannot_be_on_top(code, state, ahead):
            return cards[ahead]
    return ""


def cards_from_stock(event: Deal | Draw | Show, state: State[Any], shown_by: str) -> Sequence[str]:
    """The cards that come from the stock now; for a show, those that must have come before, face down."""
    if isinstance(event, Draw):
        return one_by_one(event.cards) if event.src in ("", "stock") else ()
    if isinstance(event, Deal):
        dealt = [cards for name, cards in event.piles if seat_of(name.removeprefix("hand:")) in state.terms.seats]
        return one_by_one(c for cards in dealt for c in cards)
    held, unit_of = state.holding(shown_by).known, state.table.pack.unit_of
    return [c for group in event.groups for c in group if not held & unit_of.get(c, 0)]
