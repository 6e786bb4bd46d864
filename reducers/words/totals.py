"""What a holding may come to in games that add up cards: pontoon, seven and a half.

A holding is asked through its view; the answer lists every set of values its cards may have, so that a rule can tell
what is certain, what is possible and what is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, product

from reducers.table import Pile

MOST_UNSEEN = 5


def values_of(pile: Pile, values: Mapping[int, int]) -> frozenset[tuple[int, ...]] | None:
    """Every multiset of values the cards of a pile may have; None where too little of it was seen to say.

    `values` maps a value to the mask of the cards that have it. Unseen cards are among those without a known place.

    >>> from events.cards import pack
    >>> from reducers.table import Table
    >>> two = pack("A 10"); table = Table(two); held = table.bag("A")
    >>> table.lay([two.code["Tc"], two.unknown], held)
    >>> sorted(values_of(held, {1: two.rank["A"], 10: two.rank["T"]}))
    [(1, 10), (10, 10)]
    """
    pack = pile.table.pack
    if pile.vague or pile.hidden > MOST_UNSEEN:
        return None
    bag, slots = pile.certain, max(0, pile.hidden)
    known = [v for v, mask in values.items() if (here := bag & mask) for _ in range(pack.count(here))]
    if not slots:
        return frozenset({tuple(sorted(known))})
    # Half-known slots are worth what they show; once later cards are named, which slot is whose is not asked.
    free, half = pile.table.free(), [c for c in (pile.row or pile.half) if c > pack.unknown and not pile.later]
    left = {v: pack.count(free & mask) for v, mask in values.items()}
    shown = [[v for v, mask in values.items() if pack.may_be[c] & mask & free] for c in half]
    out = set[tuple[int, ...]]()
    for chosen in combinations_with_replacement(sorted(values), slots - len(half)):
        for some in product(*shown):
            unseen = (*chosen, *some)
            if all(unseen.count(v) <= left[v] for v in unseen):
                out.add(tuple(sorted((*known, *unseen))))
    return frozenset(out) or None
