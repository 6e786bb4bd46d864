"""Settling up: the fewest payments after which no player owes anything.

All balances together are 0. Players connected by payments form a group with balance 0, and connecting n people takes
n - 1 payments. So the payments are fewest if the groups are most. The number of groups in a set of players follows
from the sets with one player less: with ten players these are 1,024 sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

EXACTLY = 12
"""The most players with certainly the fewest payments; more pay as one group, with one payment less than players."""


class Payment(NamedTuple):
    """One payment: payer, payee, amount."""

    by: str
    to: str
    amount: int


def fewest_payments(balances: Mapping[str, int]) -> list[Payment]:
    """The payments after which no player owes anything, the largest first. Raises ValueError for a sum other than 0.

    >>> fewest_payments({"Maureen": 69, "Derek": -19, "Sheila": -30, "Ken": -20})[:2]
    [Payment(by='Sheila', to='Maureen', amount=30), Payment(by='Ken', to='Maureen', amount=20)]
    >>> [tuple(p) for p in fewest_payments({"A": 7, "B": 5, "C": -7, "D": -5})]
    [('C', 'A', 7), ('D', 'B', 5)]
    """
    if total := sum(balances.values()):
        raise ValueError(f"the balances add up to {total}, not to zero")
    payments = [p for group in most_groups({who: n for who, n in balances.items() if n}) for p in within(group)]
    return sorted(payments, key=lambda p: -p.amount)


def most_groups(balances: Mapping[str, int]) -> list[dict[str, int]]:
    """The players in as many groups as can settle among themselves.

    >>> most_groups({"A": 7, "B": 5, "C": -7, "D": -5})
    [{'A': 7, 'C': -7}, {'B': 5, 'D': -5}]
    """
    players, amounts = list(balances), list(balances.values())
    if len(players) > EXACTLY:
        return [dict(balances)]
    everybody = (1 << len(players)) - 1
    total, groups, left_last = [0] * (everybody + 1), [0] * (everybody + 1), [0] * (everybody + 1)
    for some in range(1, everybody + 1):
        without = [(groups[some & ~(1 << i)], i) for i in range(len(players)) if some >> i & 1]
        most, i = max(without, key=lambda one: one[0])
        total[some] = total[some & ~(1 << i)] + amounts[i]
        groups[some], left_last[some] = most + (total[some] == 0), i
    # Players are removed one by one: whenever the rest cancel out, those removed since the last time are a group.
    out: list[dict[str, int]] = []
    left, group = everybody, dict[str, int]()
    while left:
        i = left_last[left]
        group[players[i]] = amounts[i]
        left &= ~(1 << i)
        if total[left] == 0:
            out.append({who: n for who, n in balances.items() if who in group})
            group = {}
    return out


def within(group: Mapping[str, int]) -> list[Payment]:
    """Settle a group: the player who owes most pays the one who is owed most, and so on."""
    left = dict(group)
    payments = []
    while any(left.values()):
        by, to = min(left, key=lambda who: left[who]), max(left, key=lambda who: left[who])
        amount = min(-left[by], left[to])
        payments.append(Payment(by, to, amount))
        left[by] += amount
        left[to] -= amount
    return payments
