"""Possible totals of a holding in games that add up cards: pontoon, seven and a half.

The answer lists every total that the cards may come to, so that a rule can tell what is certain, possible or
impossible. One kind of card may count for more than its value, as the page says: an ace one, or eleven if that does not
exceed twenty-one; a wild card whatever is best.
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
    """The values of the cards of a pack: for each value, lowest first, the mask of its cards.

    Cards of the value `best_of` may count for more: `comes_to` gives the total of a hand with one, by the sum of all
    its values."""

    def __init__(
        self, pack: Pack, masks: Mapping[int, int], *, best_of: int = 1, comes_to: Callable[[int], int] | None = None
    ) -> None:
        self.pack, self.masks = pack, tuple(masks.items())
        self.best_of, self.comes_to = best_of, comes_to or (lambda hard: best(hard, ace=True))
        self.worth = [next((value for value, mask in self.masks if field & mask), 0) for field in pack.field]


def lies_open(pile: Pile) -> bool:
    """Return True if all cards of a hand are seen by the record so far, without what later events prove."""
    return not (pile.unseen or pile.half or pile.vague)


def possible_totals(pile: Pile, values: Values) -> frozenset[int] | None:
    """Every total the cards of a pile may come to; None if too many are unseen.

    Unseen cards are among those without a known place.

    >>> from events.cards import pack
    >>> from reducers.table import Table
    >>> two = pack("A 10"); table = Table(two); held = table.bag("A")
    >>> table.lay([two.code["Tc"], two.unknown], held)
    >>> sorted(possible_totals(held, Values(two, {1: two.rank["A"], 10: two.rank["T"]})))
    [20, 21]
    """
    if lies_open(pile):
        return fill_known_sums(*sum_of_values(pile.known, values), values)
    slots = max(0, pile.hidden)
    if pile.vague or slots > MOST_UNSEEN:
        return None
    hard, special = sum_of_values(pile.certain, values)
    if not slots:
        return fill_known_sums(hard, special, values)
    pack, free = values.pack, pile.table.free()
    count = int.bit_count if pack.single else pack.count
    left = tuple([(v, n if (n := count(free & mask)) < slots else slots) for v, mask in values.masks])
    if not pile.half and pile.row is None:
        return fill_known_sums(hard, special, values, left, slots) or None
    # A half-known slot has the values it may show; later known cards are not assigned to slots.
    half = [c for c in (pile.row or pile.half) if c > pack.unknown and not pile.later]
    shown = tuple([tuple([v for v, mask in values.masks if pack.may_be[c] & mask & free]) for c in half])
    return fill_known_sums(hard, special, values, left, slots - len(half), shown) or None


@lru_cache(maxsize=4096)
def sum_of_values(bag: int, values: Values) -> tuple[int, bool]:
    """The sum of the values of known cards, and True if one of them may count for more."""
    worth = [values.worth[code] for code in values.pack.codes(bag)]
    return sum(worth), values.best_of in worth


@lru_cache(maxsize=4096)
def fill_known_sums(
    hard: int, special: bool, values: Values, left: tuple[tuple[int, int], ...] = (), slots: int = 0,
    shown: tuple[tuple[int, ...], ...] = (),
) -> frozenset[int]:  # fmt: skip
    """Every total of known cards (sum `hard`) with n more slots filled, and with cards of possible values `shown`;
    `left` is the number of cards left of each value.

    Cached, as a game asks about the same few positions again and again.
    """
    room, out = dict(left), set[int]()
    for chosen in combinations_with_replacement(room, slots):
        for some in product(*shown):
            unseen = (*chosen, *some)
            if all(unseen.count(v) <= room[v] for v in unseen):
                whole = hard + sum(unseen)
                out.add(values.comes_to(whole) if special or values.best_of in unseen else whole)
    return frozenset(out)


def best(hard: int, ace: bool, most: int = 21) -> int:
    """The best total of cards that add up to `hard`, aces as one: ten more for one ace if not over `most`."""
    return hard + 10 if ace and hard + 10 <= most else hard


def common_answer(found: Iterable[int] | None, what: Callable[[int], bool]) -> bool | None:
    """The answer of `what` if it is the same for all possible totals, else None; None if they are unknown."""
    answers = {what(n) for n in found} if found is not None else {True, False}
    return answers.pop() if len(answers) == 1 else None


def judge_total(answer: bool | None, wrong: str, doubt: str, pile: Pile) -> CheckResult | None:
    """The verdict of a check that depends on all cards of a hand together."""
    if answer is None:
        return unknown(doubt, pile)
    return broken(wrong, pile.certain, pile.name, together=True) if answer else None


def total_told(found: frozenset[int] | None, most: int = 21) -> str:
    """The possible totals in words.

    >>> total_told(frozenset({19})), total_told(frozenset({22, 25})), total_told(frozenset({12, 15}))
    ('19', 'more than 21', '12 to 15')
    """
    low, high = (min(found), max(found)) if found else (0, most)
    return f"{low}" if low == high else f"more than {most}" if low > most else f"{low} to {high}"
