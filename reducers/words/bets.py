"""Stakes and payments: games in which one player holds the bank, and all others play against it.

A player may have several hands; each is named by its holding, `A`, then `A:2`.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from msgspec import Struct

from events.model import Bet, Facts, Pay
from reducers.scoring import plus, sum_of


def seat_of(name: str) -> str:
    """The seat that plays a hand.

    >>> seat_of("A"), seat_of("A:2")
    ('A', 'A')
    """
    return name.partition(":")[0]


def by_hand(facts: Facts, key: str, seats: Container[str]) -> list[tuple[str, Any]]:
    """The values of a fact with one value for each hand, for the hands of these seats.

    >>> by_hand({"stake": {"A": 4, "A:2": 4, "X": 1}}, "stake", "AB"), by_hand({"stake": 4}, "stake", "AB")
    ([('A', 4), ('A:2', 4)], [])
    """
    given = facts.get(key)
    return [(n, value) for n, value in given.items() if seat_of(n) in seats] if isinstance(given, dict) else []


def staked_on(bet: Bet) -> str:
    """The hand that a stake is on: the one named, else the actor's.

    >>> staked_on(Bet(by="A", amount=4)), staked_on(Bet(by="A", amount=4, on="hand:A:2"))
    ('A', 'A:2')
    """
    return bet.on.removeprefix("hand:") or bet.by


def paid_to(pay: Pay, bank: str) -> tuple[str, int]:
    """The hand that a payment is about, and the chips it brings that player; ("", 0) if the bank is not involved.

    >>> [
    ...     paid_to(Pay(by=by, amount=4, **ends), "D")
    ...     for by, ends in (("D", {"to": "B"}), ("A", {}), ("B", {"src": "D"}))
    ... ]
    [('B', 4), ('A', -4), ('B', 4)]
    >>> paid_to(Pay(by="A", amount=4, to="B"), "D"), paid_to(Pay(by="@", amount=4, src="hand:A:2"), "D")
    (('', 0), ('A:2', -4))
    """
    by, seat = bank if pay.by == "@" else pay.by, seat_of(pay.by)
    src, to = pay.src.removeprefix("hand:"), pay.to.removeprefix("hand:")
    src = src or (by if seat != seat_of(to) else bank)
    to = to or (by if seat != seat_of(src) else bank)
    if to == src or bank not in (src, to):
        return "", 0
    return (to, pay.amount) if src == bank else (src, -pay.amount)


class Account(Struct):
    """The account between the bank and the player of a hand, who may be paid for it or for all hands at once.

    `due` is the sum due for each of the player's hands, None if unseen cards decide it; `paid` the chips paid for each.

    >>> a = Account("A", {"A": 4, "A:2": -2}, {}); (a.mine, a.whole), a.pay(2), (a.mine, a.whole, a.had)
    ((4, 2), None, (0, 0, 2))
    >>> a = Account("A", {"A": 4, "A:2": None}, {}); a.pay(3), (a.mine, a.whole)
    (None, (1, None))
    """

    name: str
    due: dict[str, int | None]
    paid: dict[str, int]

    @property
    def all_due(self) -> int | None:
        """The sum due for all hands, before any payment."""
        return sum_of(self.due.values())

    @property
    def had(self) -> int:
        """The sum already paid for all hands."""
        return sum(self.paid.get(name, 0) for name in self.due)

    @property
    def mine(self) -> int | None:
        """The chips still to pay for this hand."""
        return plus(self.due.get(self.name), -self.paid.get(self.name, 0))

    @property
    def whole(self) -> int | None:
        """The chips still to pay for all hands."""
        return plus(self.all_due, -self.had)

    def pay(self, amount: int) -> None:
        """Record a payment. A payment that settles all the hands of a player settles each."""
        if amount == self.whole != self.mine:
            self.paid.update({name: gain or 0 for name, gain in self.due.items()})
        else:
            self.paid[self.name] = self.paid.get(self.name, 0) + amount


def stakes_to_list(low: int, high: int, most: int = 24) -> list[int]:
    """Stakes worth listing; for a wide range the round ones and the ends.

    >>> stakes_to_list(0, 5), len(stakes_to_list(1, 1000)) <= 30
    ([1, 2, 3, 4, 5], True)
    """
    low = max(low, 1)
    if high - low <= most:
        return list(range(low, high + 1))
    step = (high - low) // most + 1
    return sorted({low, low + 1, *range(step * (low // step + 1), high, step), high - 1, high})
