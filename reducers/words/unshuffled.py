"""A pack that is not shuffled between two hands: what is left of it lies on top, and under it the cards that were played.

So a card that went under cannot come up before all above it have been dealt. What is known of that is kept beside the
stock, since the cards that were played lie there in an order nobody saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from reducers.table import Table


class Order(Struct):
    """What is known of a pack that goes on: how many cards were dealt from it, and how many lie at least above others."""

    taken: int = 0
    above: dict[int, int] = {}

    def too_deep(self, code: int, row: Sequence[int], ahead: int = 0) -> bool:
        """Whether a card cannot be the next one from this row, `ahead` cards after its top.

        >>> Order(3, {7: 4}).too_deep(7, [99]), Order(3, {7: 4}).too_deep(7, [99, 99], 1), Order().too_deep(7, [7, 8])
        (True, False, True)
        """
        at = len(row) - 1 - ahead
        return self.above.get(code, 0) > self.taken + ahead or code in row[: max(at, 0)]

    def buried(self, code: int) -> bool:
        """Whether a card cannot be among those dealt by now."""
        return self.above.get(code, 0) >= max(self.taken, 1)


def goes_on(before: Table, order: Order, table: Table) -> Order:
    """The stock comes to lie for the next hand as it was left; hands back what is known to lie deep in it although not just
    where."""
    stock, left, pack, piles = table.row("stock"), list(before.row("stock").row or []), table.pack, before.piles.values()
    if sum(map(len, piles)) != pack.size or any(p.vague for p in piles):
        table.lay([pack.unknown] * pack.size, stock)
        return Order()
    above = {code: n - order.taken for code, n in order.above.items() if n > order.taken}
    for pile in piles:
        if pile.row is None and pile.known:
            above |= dict.fromkeys(pack.codes(pile.known), len(left))
    table.lay([pack.unknown] * (pack.size - len(left)) + left, stock)
    return Order(0, {c: n for c, n in above.items() if c not in left} if above else {})
