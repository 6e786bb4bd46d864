"""Possible card totals: what a number of cards of a pack can count, for one side, for two, and for all together.

`worth` always lists the value of each card of the pack, once for each copy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

from events.cards import Pack
from reducers.evolve import is_for_next_hand
from reducers.model import State

Worth: TypeAlias = tuple[int, ...]


def worth_of_all(pack: Pack, of: Sequence[int]) -> Worth:
    """The value of each card of a pack, the highest first, from the values of its codes."""
    return tuple(sorted((of[code] for code in pack.codes(pack.full)), reverse=True))


@lru_cache(maxsize=64)
def possible_sums(worth: Worth) -> tuple[int, ...]:
    """The possible totals by the number of cards, as a bit for each total.

    >>> [format(sums, "b") for sums in possible_sums((5, 1, 1))]
    ['1', '100010', '1000100', '10000000']
    """
    sums = [1, *[0] * len(worth)]
    for there, value in enumerate(worth, 1):
        for cards in range(there, 0, -1):
            sums[cards] |= sums[cards - 1] << value
    return tuple(sums)


def can_count(points: int, worth: Worth, numbers: Collection[int]) -> bool:
    """True if cards can count this total, with one of these `numbers` of cards.

    >>> can_count(6, (5, 1, 1), (2,)), can_count(6, (5, 1, 1), (1, 3)), can_count(-1, (5, 1, 1), (0,))
    (True, False, False)
    """
    return points >= 0 and any(possible_sums(worth)[cards] >> points & 1 for cards in numbers)


@cache
def shared_by_two(worth: Worth, whole: int, by: int) -> frozenset[tuple[int, int]]:
    """The possible totals of two sides with `whole` cards between them, each side with a multiple of `by` cards."""
    ways = {(0, 0, 0, 0)}
    for value in {n for n in worth if n}:
        there = worth.count(value)
        each = [(i, j) for i in range(there + 1) for j in range(there + 1 - i)]
        ways = {(a + i, p + i * value, b + j, q + j * value) for a, p, b, q in ways for i, j in each}
    plain = worth.count(0)
    ways = {way for way in ways if whole - plain <= way[0] + way[2] <= whole}
    return frozenset((p, q) for a, p, b, q in ways if any(a <= k and b <= whole - k for k in range(0, whole + 1, by)))


def no_hands_count(key: str, of: Sequence[int], each: int) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law that says why the players cannot have the figures reported under `key` with `each` cards; "" if they can.

    `of` is the value of each card, by its code. In a hand that was played, a player out of turn may hold one card more.
    """

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        worth, many = worth_of_all(state.game.pack, of), each + (state.acts > 0 and not is_for_next_hand(state))
        told = {who: n for who in state.terms.seats if type(n := known.get(f"{key}.{who}")) is int}
        for some in (*((who,) for who in told), tuple(told)):
            points, most = sum(told[who] for who in some), sum(worth[: many * len(some)])
            if points > most:
                return f"{' and '.join(some)} cannot be left with {points}: {many} cards each come to {most} at most"
        never = next(
            (f"{n} points for {who}" for who, n in told.items() if not can_count(n, worth, range(many + 1))), "",
        )
        return f"{many} cards or fewer cannot come to {never}" if never else ""

    return wrong
