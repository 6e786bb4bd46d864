"""How many payments settle a table, found the slow way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations


def groups_at_most(amounts: tuple[int, ...]) -> int:
    """In how many groups that cancel out these amounts can be parted, tried one after the other."""
    if not amounts:
        return 0
    first, *others = amounts
    best = 0
    for size in range(len(others) + 1):
        for chosen in combinations(range(len(others)), size):
            if first + sum(others[i] for i in chosen) == 0:
                best = max(best, 1 + groups_at_most(tuple(n for i, n in enumerate(others) if i not in chosen)))
    return best


def fewest(amounts: Iterable[int]) -> int:
    """The fewest payments: as many as the players, less the groups that can settle among themselves."""
    paying = tuple(n for n in amounts if n)
    return len(paying) - groups_at_most(paying)
