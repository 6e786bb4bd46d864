"""Stakes and payments: games in which one player holds the bank, and everybody else plays against it."""

from __future__ import annotations

from collections.abc import Iterable

from events.model import Bet, Pay


def staked_on(bet: Bet) -> str:
    """The hand that a stake belongs to: the one named, else the actor's.

    >>> staked_on(Bet(by="A", amount=4)), staked_on(Bet(by="A", amount=4, on="hand:A:2"))
    ('A', 'A:2')
    """
    return bet.on.removeprefix("hand:") or bet.by


def paid_to(pay: Pay, bank: str) -> tuple[str, int]:
    """Whose hand a payment is about, and what it brings that player; nobody's where the bank is no party to it.

    >>> [paid_to(Pay(by=by, amount=4, **ends), "D") for by, ends in (("D", {"to": "B"}), ("A", {}), ("B", {"src": "D"}))]
    [('B', 4), ('A', -4), ('B', 4)]
    >>> paid_to(Pay(by="A", amount=4, to="B"), "D"), paid_to(Pay(by="@", amount=4, src="hand:A:2"), "D")
    (('', 0), ('A:2', -4))
    """
    by, seat = bank if pay.by == "@" else pay.by, pay.by.partition(":")[0]
    src, to = pay.src.removeprefix("hand:"), pay.to.removeprefix("hand:")
    src = src or (by if seat != to.partition(":")[0] else bank)
    to = to or (by if seat != src.partition(":")[0] else bank)
    if to == src or bank not in (src, to):
        return "", 0
    return (to, pay.amount) if src == bank else (src, -pay.amount)


def total(amounts: Iterable[int | None]) -> int | None:
    """The sum; None where one of them is not known.

    >>> total([4, -2]), total([4, None])
    (2, None)
    """
    every = list(amounts)
    return None if None in every else sum(n or 0 for n in every)


def amounts(low: int, high: int, most: int = 24) -> list[int]:
    """Stakes worth listing; of a wide range the round ones and the ends.

    >>> amounts(0, 5), len(amounts(1, 1000)) <= 30
    ([1, 2, 3, 4, 5], True)
    """
    low = max(low, 1)
    if high - low <= most:
        return list(range(low, high + 1))
    step = (high - low) // most + 1
    return sorted({low, low + 1, *range(step * (low // step + 1), high, step), high - 1, high})
