"""Hands of poker: what five cards are called, and which of two hands is better (Poke)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

KINDS = ("none", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush", "royal")
"""What a hand may be, from the lowest."""
IN_WORDS = {
    "none": "no pair", "pair": "one pair", "two-pair": "two pair", "three": "three of a kind", "full-house": "full house",
    "four": "four of a kind", "straight-flush": "straight flush", "royal": "royal flush",
}  # fmt: skip
ORDER = "23456789TJQKA"
PLACES = {rank: place for place, rank in enumerate(ORDER)}
WHEEL = (12, 3, 2, 1, 0)
BY_SIZES = {(4, 1): "four", (3, 2): "full-house", (3, 1, 1): "three", (2, 2, 1): "two-pair", (2, 1, 1, 1): "pair"}


class PokerHand(NamedTuple):
    """What five cards come to; of two, the greater one is better, and suits are no matter."""

    kind: int
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """What it is called in a record."""
        return KINDS[self.kind]


def poker_hand(cards: Sequence[str], *, wheel: bool = True) -> PokerHand:
    """What five cards are; with `wheel` an ace may be the lowest card of a straight.

    >>> [poker_hand(hand.split()).name for hand in ("Ah Kh Qh Jh Th", "5c 4c 3c 2c Ac", "9c 9d 9h 9s 2c", "9c 9d 9h 2s 2c")]
    ['royal', 'straight-flush', 'four', 'full-house']
    >>> poker_hand("6c 5d 4h 3s 2c".split()) > poker_hand("5c 4d 3h 2s Ac".split())
    True
    >>> poker_hand("5c 4d 3h 2s Ac".split(), wheel=False).name
    'none'
    """
    counted = dict[int, int]()
    for card in cards:
        rank = PLACES[card[0]]
        counted[rank] = counted.get(rank, 0) + 1
    several = len(counted) < len(cards)
    ranks = tuple(sorted(counted, key=lambda rank: (counted[rank], rank) if several else rank, reverse=True))
    straight = len(ranks) == 5 and (ranks[0] - ranks[4] == 4 or (wheel and ranks == WHEEL))
    flush = len({card[1] for card in cards}) == 1
    if ranks == WHEEL and straight:
        ranks = (3, 2, 1, 0, -1)
    if straight and flush:
        name = "royal" if ranks[0] == len(ORDER) - 1 else "straight-flush"
    elif straight or flush:
        name = "flush" if flush else "straight"
    else:
        name = BY_SIZES.get(tuple(sorted(counted.values(), reverse=True)), "none")
    return PokerHand(KINDS.index(name), ranks)


def in_words(kind: str) -> str:
    """What a kind of hand is called at the table.

    >>> in_words("two-pair"), in_words("flush")
    ('two pair', 'flush')
    """
    return IN_WORDS.get(kind, kind)
