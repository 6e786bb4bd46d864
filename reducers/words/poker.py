"""Hands of poker: names of five cards, and which of two hands is better (Poke)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

KINDS = ("none", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush", "royal")
"""Kinds of a hand, from the lowest."""
IN_WORDS = {
    "none": "no pair", "pair": "one pair", "two-pair": "two pair", "three": "three of a kind",
    "full-house": "full house", "four": "four of a kind", "straight-flush": "straight flush", "royal": "royal flush",
}  # fmt: skip
ORDER = "23456789TJQKA"
PLACES = {rank: place for place, rank in enumerate(ORDER)}
WHEEL = (12, 3, 2, 1, 0)
STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL = map(KINDS.index, ("straight", "flush", "straight-flush", "royal"))
# The kind of a hand that has several cards of a rank, by the number of each.
BY_SIZES: Mapping[tuple[int, ...], int] = {
    sizes: KINDS.index(name) for sizes, name in (
        ((4, 1), "four"), ((3, 2), "full-house"), ((3, 1, 1), "three"), ((2, 2, 1), "two-pair"), ((2, 1, 1, 1), "pair"),
    )
}  # fmt: skip


class PokerHand(NamedTuple):
    """The value of five cards; the greater of two hands is better, and suits do not count."""

    kind: int
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the kind as it is recorded."""
        return KINDS[self.kind]


def poker_hand(cards: Sequence[str], *, wheel: bool = True) -> PokerHand:
    """The value of five cards; with `wheel` an ace may be the lowest card of a straight.

    >>> [
    ...     poker_hand(hand.split()).name
    ...     for hand in ("Ah Kh Qh Jh Th", "5c 4c 3c 2c Ac", "9c 9d 9h 9s 2c", "9c 9d 9h 2s 2c")
    ... ]
    ['royal', 'straight-flush', 'four', 'full-house']
    >>> poker_hand("6c 5d 4h 3s 2c".split()) > poker_hand("5c 4d 3h 2s Ac".split())
    True
    >>> poker_hand("5c 4d 3h 2s Ac".split(), wheel=False).name
    'none'
    """
    places = [PLACES[card[0]] for card in cards]
    several = set(places)
    if len(several) < len(places):
        ranks = tuple(sorted(several, key=lambda place: (places.count(place), place), reverse=True))
        return PokerHand(BY_SIZES[tuple([places.count(place) for place in ranks])], ranks)
    ranks = tuple(sorted(places, reverse=True))
    flush = len({card[1] for card in cards}) == 1
    if wheel and ranks == WHEEL:
        ranks = (3, 2, 1, 0, -1)
    if ranks[0] - ranks[-1] != len(cards) - 1:
        return PokerHand(FLUSH if flush else 0, ranks)
    if not flush:
        return PokerHand(STRAIGHT, ranks)
    return PokerHand(ROYAL if ranks[0] == len(ORDER) - 1 else STRAIGHT_FLUSH, ranks)


def kind_in_words(kind: str) -> str:
    """The name of a kind of hand in words.

    >>> kind_in_words("two-pair"), kind_in_words("flush")
    ('two pair', 'flush')
    """
    return IN_WORDS.get(kind, kind)
