"""The suit of a card in a trick: mostly the one it shows, but a joker or a bower may be a trump.

`printed_suits` is for packs in which every card has the suit it shows. If cards change their suit, a page lists the
trumps one by one, the highest first; until trumps are known, such a card is of one suit or another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from events.cards import SUITS, Pack, Ranking, same_colour


class Suits:
    """The suit of each card of a pack in a trick.

    `of` has the suit of every code and `named` that of every written card; `?` is an unknown suit. For each suit,
    `sure` is the mask of the cards that certainly have it and `perhaps` that of the cards that may.
    """

    def __init__(self, pack: Pack, of: Sequence[str], sure: Mapping[str, int], perhaps: Mapping[str, int]) -> None:
        self.of, self.sure, self.perhaps = tuple(of), dict(sure), dict(perhaps)
        self.named = dict(zip(pack.tokens, self.of, strict=True))

    def __deepcopy__(self, memo: object) -> Suits:
        # It depends on a pack and on trumps, not on a hand.
        return self


@cache
def printed_suits(pack: Pack) -> Suits:
    """Every card has the suit it shows; a joker has none."""
    return Suits(pack, pack.suit_of, pack.suit, pack.suit)


@cache
def with_trumps(pack: Pack, trump: str, trumps: tuple[str, ...]) -> Suits:
    """These cards are the trumps, and no others; every other suit has the rest of its cards.

    >>> from events.cards import pack
    >>> p = pack("A J 9", jokers=1); suits = with_trumps(p, "h", ("Jo", "Jh", "Jd", "Ah", "9h"))
    >>> [suits.named[card] for card in ("Jo", "Jd", "Ad", "Jc", "?h", "?d", "J?", "??")]
    ['h', 'h', 'd', 'c', 'h', '?', '?', '?']
    >>> p.cards(suits.sure["d"])
    ['Ad', '9d']
    """
    listed = pack.mask_of(trumps)
    sure = {suit: listed if suit == trump else pack.suit[suit] & ~listed for suit in SUITS}
    return Suits(pack, [of_bag(mask, sure) for mask in pack.may_be], sure, sure)


@cache
def before_trumps(pack: Pack, *possible: tuple[str, tuple[str, ...]]) -> Suits:
    """Suits while trumps are unknown: a card that one of the `possible` trumps would move to another suit has an
    unknown suit.

    >>> from events.cards import pack
    >>> p = pack("A J 9", jokers=1); suits = before_trumps(p, *bowers("A 9", "Jo").items())
    >>> [suits.named[card] for card in ("Jo", "Jd", "Ad", "?c", "??")], p.cards(suits.perhaps["h"])
    (['?', '?', 'd', '?', '?'], ['Jd', 'Ah', '9h', 'Jh', 'Jo'])
    """
    each = [with_trumps(pack, trump, trumps) for trump, trumps in possible]
    sure, perhaps = dict[str, int](), dict[str, int]()
    for suit in SUITS:
        sure[suit], perhaps[suit] = pack.everything, 0
        for suits in each:
            sure[suit] &= suits.sure[suit]
            perhaps[suit] |= suits.sure[suit]
    return Suits(pack, [of_bag(mask, sure) for mask in pack.may_be], sure, perhaps)


def of_bag(cards: int, sure: Mapping[str, int]) -> str:
    """The suit that all of these cards certainly have; `?` if there is none."""
    return next((suit for suit, mask in sure.items() if cards and not cards & ~mask), "?")


def bowers(others: str, *above: str) -> dict[str, tuple[str, ...]]:
    """In games with bowers: the trumps, highest first, for each possible trump suit. They are the cards `above`, the
    jack of trumps (right bower), the other jack of its colour (left bower), and the `others` of the suit.

    >>> bowers("A K", "Jo")["c"]
    ('Jo', 'Jc', 'Js', 'Ac', 'Kc')
    """
    ranks = others.replace("10", "T").split()
    return {suit: (*above, f"J{suit}", f"J{same_colour(suit)}", *(rank + suit for rank in ranks)) for suit in SUITS}


def places(pack: Pack, trumps: Ranking | tuple[str, ...]) -> tuple[int, ...]:
    """For each face code of the pack a number that is larger for a higher trump."""
    if isinstance(trumps, Ranking):
        return trumps.strength(pack)
    rank = {card: len(trumps) - i for i, card in enumerate(trumps)}
    return tuple(rank.get(face, 0) for face in pack.faces)
