"""What a holding may come to in games that add up cards: pontoon, seven and a half.

A holding is asked through its view; the answer lists every set of values its cards may have, so that a rule can tell
what is certain, what is possible and what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product

from events.cards import Pack
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile

MOST_UNSEEN = 5


class Values:
    """What the cards of a game count: for each value the mask of the cards that have it."""

    __slots__ = ("masks",)

    def __init__(self, masks: Mapping[int, int]) -> None:
        self.masks = tuple(masks.items())


def values_of(pile: Pile, values: Values) -> frozenset[tuple[int, ...]] | None:
    """Every multiset of values the cards of a pile may have; None where too little of it was seen to say.

    Unseen cards are among those without a known place.

    >>> from events.cards import pack
    >>> from reducers.table import Table
    >>> two = pack("A 10"); table = Table(two); held = table.bag("A")
    >>> table.lay([two.code["Tc"], two.unknown], held)
    >>> sorted(values_of(held, Values({1: two.rank["A"], 10: two.rank["T"]})))
    [(1, 10), (10, 10)]
    """
    pack, slots = pile.table.pack, max(0, pile.hidden)
    if pile.vague or slots > MOST_UNSEEN:
        return None
    if not slots:
        return values_from(pack, values, pile.certain, 0, 0, ()) or None
    # Half-known slots are worth what they show; once later cards are named, which slot is whose is not asked.
    half = () if pile.later else tuple([pack.may_be[c] for c in (pile.row or pile.half) if c > pack.unknown])
    return values_from(pack, values, pile.certain, pile.table.free(), slots, half) or None


@lru_cache(maxsize=4096)
def values_from(
    pack: Pack, values: Values, bag: int, free: int, slots: int, half: tuple[int, ...]
) -> frozenset[tuple[int, ...]]:
    """The same of a bag with so many slots for free cards, of which some were `half` seen.

    Every rule about a hand asks this of the same position.
    """
    count = int.bit_count if pack.single else pack.count
    known = tuple([v for v, mask in values.masks if (here := bag & mask) for _ in range(count(here))])
    left = tuple([(v, min(slots, count(free & mask))) for v, mask in values.masks])
    shown = tuple([tuple([v for v, mask in values.masks if may_be & mask & free]) for may_be in half])
    return filled(known, left, slots - len(half), shown)


@lru_cache(maxsize=4096)
def soft_totals(found: frozenset[tuple[int, ...]]) -> frozenset[int]:
    """The best totals of these values."""
    return frozenset(map(soft_total, found))


def totals_of(pile: Pile, values: Values) -> frozenset[int] | None:
    """Every best total the cards of a pile may come to; None where too little of it was seen to say."""
    found = values_of(pile, values)
    return None if found is None else soft_totals(found)


@lru_cache(maxsize=4096)
def filled(
    known: tuple[int, ...], left: tuple[tuple[int, int], ...], slots: int, shown: tuple[tuple[int, ...], ...]
) -> frozenset[tuple[int, ...]]:
    """Every multiset of values that the known ones come to with so many slots filled, and those of which the values are
    `shown`: `left` says how many cards of each value there are for them.

    A game asks this of the same few positions again and again.
    """
    room = dict(left)
    out = set[tuple[int, ...]]()
    for chosen in combinations_with_replacement(sorted(room), slots):
        for some in product(*shown):
            unseen = (*chosen, *some)
            if all(unseen.count(v) <= room[v] for v in unseen):
                out.add(tuple(sorted((*known, *unseen))))
    return frozenset(out)


def soft_total(values: Iterable[int], most: int = 21) -> int:
    """The best total with aces of one or eleven: the highest that is not over `most`, else the lowest.

    >>> soft_total((1, 10)), soft_total((1, 1, 9)), soft_total((1, 9, 5, 10)), soft_total((10, 9, 3))
    (21, 21, 25, 22)
    """
    hard = sum(values)
    return hard + 10 if 1 in values and hard + 10 <= most else hard


def is_it(found: Iterable[int] | None, what: Callable[[int], bool]) -> bool | None:
    """Whether that holds of everything that may be: yes, no, or None for perhaps."""
    answers = {what(n) for n in found} if found is not None else {True, False}
    return answers.pop() if len(answers) == 1 else None


def against(answer: bool | None, wrong: str, doubt: str, pile: Pile) -> CheckResult | None:
    """What a check says that depends on the cards of a hand; all of them together prove it."""
    if answer is None:
        return unknown(doubt)
    return broken(wrong, pile.certain, pile.name, together=True) if answer else None


def total_told(found: frozenset[int] | None, most: int = 21) -> str:
    """The total in words, as far as it is one.

    >>> total_told(frozenset({19})), total_told(frozenset({22, 25})), total_told(frozenset({12, 15}))
    ('19', 'more than 21', '12 to 15')
    """
    low, high = (min(found), max(found)) if found else (0, most)
    return f"{low}" if low == high else f"more than {most}" if low > most else f"{low} to {high}"
