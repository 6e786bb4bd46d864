"""What a holding may come to in games that add up cards: pontoon, seven and a half.

A holding is asked through its view; the answer lists every set of values its cards may have, so that a rule can tell
what is certain, what is possible and what is not.
"""

from __future__ import annotations

from collections import Counter
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
    pack, free = pile.table.pack, pile.table.free()
    if pile.vague or pile.hidden > MOST_UNSEEN:
        return None
    known = [v for v, mask in values.items() for _ in range(pack.count(pile.certain & mask))]
    # Half-known slots are worth what they show; once later cards are named, which slot is whose is not asked.
    half = [c for c in (pile.row or pile.half) if c > pack.unknown and not pile.later]
    slots = max(0, pile.hidden) - len(half)
    left = {v: pack.count(free & mask) for v, mask in values.items()}
    shown = [[v for v, mask in values.items() if pack.may_be[c] & mask & free] for c in half]
    out = set[tuple[int, ...]]()
    for chosen in combinations_with_replacement(sorted(values), slots):
        for some in product(*shown):
            if all(n <= left[v] for v, n in Counter((*chosen, *some)).items()):
                out.add(tuple(sorted((*known, *chosen, *some))))
    return frozenset(out) or None
