"""Melds in which several cards may be wild, those of some ranks and jokers: at most half of a meld, and never two
neighbours of a run. A card of a wild rank may also stand in its own place; then it is not wild.

Wild ranks may change from hand to hand: a page makes one `WildRanks` for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import TypeAlias

from events.cards import SUITS, Pack, item
from events.model import Cards
from reducers.words.melds import LeastDeadwood, however_many, in_any_reading

Lying: TypeAlias = tuple[tuple[Cards, ...], ...]
"""Melds on the table, each as the ways in which its cards may be read."""

KEPT = 1 << 14
SET_SIZES, SHORTEST = (3, 4), 3


class WildRanks:
    """The melds of a hand: sets of three or four of one rank in different suits, runs of three or more of one suit.

    `wild` are the ranks that may stand for any card, besides jokers. `worth` has, by card code, the value of a card in
    no meld, and `wild_worth` that of a wild one. `order` has the ranks as they follow each other.

    >>> from events.cards import pack
    >>> p = pack(jokers=2); m = WildRanks(p, "25", (10,) * 53, 15)
    >>> m.is_meld(["7c", "7d", "2h"]), m.is_meld(["7c", "2d", "Jo"]), m.is_meld(["7c", "??", "Jo"])
    (True, False, None)
    >>> m.lies(("6h", "2d", "8h", "Jo"))
    (('6h', '2d=7h', '8h', 'Jo=9h'),)
    >>> m.fault(("6h", "2d", "Jo", "9h")), m.fault(("Ah", "Jo", "4h")), m.fault(("7c", "7c", "7d"))
    ('neighbours', 'run', 'set')
    >>> best = m.best(p.bag("6h 8h Jo 3c 3d 3s Kc".split()))
    >>> best.deadwood, sorted(" ".join(p.cards(b)) for b in best.melds)
    (10, ['3c 3d 3s', '6h 8h Jo'])
    """

    def __init__(
        self, pack: Pack, wild: Iterable[str], worth: Sequence[int], wild_worth: int,
        order: str = "A 2 3 4 5 6 7 8 9 10 J Q K",
    ) -> None:  # fmt: skip
        self.pack, self.wild, self.wild_worth = pack, frozenset(wild), wild_worth
        self.worth = tuple(worth)
        self.counts = tuple(wild_worth if self.may_be_wild(face) else worth[i] for i, face in enumerate(pack.faces))
        self.order = tuple(order.replace("10", "T").split())
        self.places = {r: tuple(i for i, o in enumerate(self.order) if o == r) for r in self.order}
        self.wild_mask = pack.mask_of(self.may_be_wild)
        self.lies: Callable[[Cards], tuple[Cards, ...]] = lru_cache(maxsize=KEPT)(self._lies)
        self.fault: Callable[[Cards], str] = lru_cache(maxsize=KEPT)(self._fault)
        self.best: Callable[[int], LeastDeadwood] = lru_cache(maxsize=KEPT)(self._best)
        self._least_beside: Callable[[int, Lying], int] = lru_cache(maxsize=KEPT)(self._beside_melds)
        self.answers: Callable[[Cards], bool | None] = lru_cache(maxsize=KEPT)(self._answer)

    def may_be_wild(self, card: str) -> bool:
        """Return True if a card may stand for another one."""
        return card[:2] == "Jo" or card[0] in self.wild

    def points(self, bag: int) -> int:
        """The value of these cards in no meld."""
        return sum([self.counts[code] for code in self.pack.codes(bag)])

    # -- is it a meld, and in what order --------------------------------------------------------------------------

    def is_meld(self, group: Iterable[str]) -> bool | None:
        """True if these cards are a meld; None if unseen cards decide it."""
        return self.answers(tuple(group))

    def _answer(self, group: Cards) -> bool | None:
        if not any("?" in c.partition("=")[0] for c in group):
            return bool(self.lies(group))
        return however_many(group, lambda cards: in_any_reading(cards, self._as_seen, self.pack), len(self.order))

    def _as_seen(self, seen: Sequence[str]) -> bool | None:
        """The same for cards that are fully seen or unseen."""
        cards = tuple(c for c in seen if c != "??")
        unseen = len(seen) - len(cards)
        if not unseen:
            return bool(self.lies(cards))
        # If every seen card may be wild, an unseen one determines the meld: any card may be that.
        named = self.pack.faces if all(map(self.may_be_wild, cards)) else ()
        ways = ((cards, unseen), *(((*cards, face), unseen - 1) for face in named))
        found = (self._found(some, left, half=True, apart=True) for some, left in ways)
        return None if any(next(melds, None) is not None for melds in found) else False

    def _lies(self, group: Cards) -> tuple[Cards, ...]:
        """Every reading of these cards as a meld: each wild one with what it stands for, a run from its low end.

        The order in which they were laid tells which card stands for what; but a meld in which no card needs to be wild
        may have been laid in any order.
        """
        ways = list(dict.fromkeys(self._found(group, 0, half=True, apart=True)))
        faces = [c.partition("=")[0] for c in group]
        in_order = [way for way in ways if [c.partition("=")[0] for c in way] in (faces, faces[::-1])]
        natural = [way for way in ways if not any("=" in c for c in way) and way not in in_order]
        return tuple(in_order + natural) if in_order else tuple(ways)

    def _fault(self, group: Cards) -> str:
        """Why cards are no meld: too many are wild (`half`), two wild `neighbours`, or no `set` or `run` all the same.
        Empty if they are a meld. With unseen cards: the kind of meld they may be."""
        unseen = any("?" in c.partition("=")[0] for c in group)
        tried = (("", True, True), ("half", False, True), ("neighbours", True, False), ("half", False, False))
        for name, half, apart in tried:
            if not unseen and next(self._found(group, 0, half=half, apart=apart), None) is not None:
                return name
        ranks = [c[0] for c in group if "=" not in c and c[0] not in (*self.wild, "?", "*") and c[:2] != "Jo"]
        return "set" if ranks and len(set(ranks)) == 1 else "run"

    def _found(self, group: Cards, unseen: int, *, half: bool, apart: bool) -> Iterator[Cards]:
        """The melds that these cards make with n unseen ones, which may be any. `half`: at most half of one is wild.
        `apart`: no two wild cards are neighbours in a run."""
        items = [item(c) for c in group]
        roles = [self._roles(it.card, it.stands_for) for it in items]
        n = len(items) + unseen
        for way in product(*roles):
            natural = [it.card for it, wild in zip(items, way, strict=True) if not wild]
            wild = [(it.card, it.stands_for or "??") for it, is_wild in zip(items, way, strict=True) if is_wild]
            if (half and 2 * len(wild) > n) or not natural:
                continue
            if SET_SIZES[0] <= n <= SET_SIZES[1]:
                yield from self._set(natural, wild)
            if SHORTEST <= n <= len(self.order):
                yield from self._runs(natural, wild, n, apart=apart)

    def _roles(self, card: str, stands_for: str) -> tuple[bool, ...]:
        """The roles a card may have here: natural (False), wild (True)."""
        if card[:2] == "Jo":
            return (True,)
        if stands_for:
            return (False,) if stands_for == card else (True,) if self.may_be_wild(card) else ()
        return (False, True) if card[0] in self.wild else (False,)

    def _set(self, natural: list[str], wild: list[tuple[str, str]]) -> Iterator[Cards]:
        """The set that these cards make; at most one."""
        ranks = {c[0] for c in natural} | {s[0] for _, s in wild if s[0] != "?"}
        suits = [c[1] for c in natural] + [s[1] for _, s in wild if s[1] != "?"]
        if len(ranks) == 1 and len(set(suits)) == len(suits):
            rank = natural[0][0]
            yield (*natural, *(f"{c}={rank}{s[1]}" for c, s in wild))

    def _runs(self, natural: list[str], wild: list[tuple[str, str]], n: int, *, apart: bool) -> Iterator[Cards]:
        """The runs of n cards with these cards; the unseen cards in them are not named."""
        if len({c[1] for c in natural}) > 1:
            return
        suit = natural[0][1]
        for taken in product(*(self.places.get(c[0], ()) for c in natural)):
            if len(set(taken)) < len(taken) or max(taken) - min(taken) >= n:
                continue
            at = dict(zip(taken, natural, strict=True))
            for low in range(max(0, max(taken) - n + 1), min(min(taken), len(self.order) - n) + 1):
                holes = [p for p in range(low, low + n) if p not in at]
                for chosen in combinations(holes, len(wild)):
                    if apart and any(b - a == 1 for a, b in pairwise(chosen)):
                        continue
                    stands = [self.order[p] + suit for p in chosen]
                    for cards in in_their_places(wild, stands):
                        there = dict(zip(chosen, cards, strict=True)) | at
                        yield tuple(there[p] for p in sorted(there))

    def longer(self, lying: Iterable[Cards], more: Sequence[str]) -> tuple[Cards, ...]:
        """The readings of a meld with these cards added, if no card changes what it stands for; empty if they do not
        fit.

        >>> from events.cards import pack
        >>> m = WildRanks(pack(jokers=2), "2", (10,) * 53, 15)
        >>> m.longer(m.lies(("5h", "6h", "2d")), ["4h"]), m.longer(m.lies(("5h", "6h", "2d")), ["7h"])
        ((('4h', '5h', '6h', '2d=7h'),), ())
        """
        if len(more) == 1 and "=" not in more[0]:
            found = [way for old in lying for way in self._with_one(old, more[0])]
        else:
            found = [w for old in lying for w in self._found((*map(as_natural, old), *more), 0, half=True, apart=True)]
        return tuple(dict.fromkeys(found))

    def _with_one(self, lies: Cards, card: str) -> Iterator[Cards]:
        """The meld with one more card, natural or wild: of a set, or at an end of a run."""
        low, is_wild = lies[0][-2:], self.may_be_wild(card)
        if lies[1][-2] == low[0]:
            if (card[0] == low[0] or is_wild) and len(lies) < SET_SIZES[1]:
                if card[:2] != "Jo" and card[0] == low[0] and card[1] not in {c[-1] for c in lies}:
                    yield (*lies, card)
                elif is_wild and 2 * (sum("=" in c for c in lies) + 1) <= len(lies) + 1:
                    yield (*lies, f"{card}={low[0]}?")
            return
        if card[1] != low[1] and not is_wild:
            return
        spare = is_wild and 2 * (sum("=" in c for c in lies) + 1) <= len(lies) + 1
        for below in self.places[low[0]]:
            if self.order[below : below + 2] != (low[0], lies[1][-2]):
                continue
            for place, beside in ((below - 1, lies[0]), (below + len(lies), lies[-1])):
                if not 0 <= place < len(self.order):
                    continue
                face = self.order[place] + low[1]
                if card == face or (spare and "=" not in beside):
                    laid = card if card == face else f"{card}={face}"
                    yield (laid, *lies) if place < below else (*lies, laid)

    # -- the least deadwood ---------------------------------------------------------------------------------------

    def deadwood(self, bag: int) -> int:
        """The least value of these cards, exactly."""
        return self.best(bag).deadwood

    def least_left(self, bag: int, *, may_discard: bool) -> int:
        """The least value of these cards, with one of them still to be discarded or none."""
        least = self.deadwood(bag)
        return min([least, *map(self.deadwood, self._but_one(bag))]) if least and may_discard else least

    def can_be_laid(self, bag: int, lying: Lying = (), *, may_discard: bool) -> bool:
        """Return True if these cards are melds or extend those on the table (`lying`), but for the one to be discarded.

        >>> from events.cards import pack
        >>> p = pack(); m = WildRanks(p, "", (10,) * 52, 15)
        >>> four = p.bag(["8c", "9c", "Tc", "Kd"]); rest = p.bag(["9c"]); lying = (m.lies(("6c", "7c", "8c")),)
        >>> (
        ...     m.can_be_laid(four, may_discard=True),
        ...     m.can_be_laid(four, may_discard=False),
        ...     m.can_be_laid(rest, lying, may_discard=False)
        ... )
        (True, False, True)
        """
        left = self.beside(bag, lying)
        if not left or (may_discard and self.pack.count(left) == 1):
            return True
        return may_discard and any(not self.beside(rest, lying) for rest in self._but_one(bag))

    def _but_one(self, bag: int) -> list[int]:
        """These cards without one of them, for each of them."""
        return [bag - self.pack.unit[code] for code in set(self.pack.codes(bag))]

    def beside(self, bag: int, lying: Lying) -> int:
        """The smallest rest of these cards outside melds, as some of them may extend those on the table."""
        least = bag - sum(self.best(bag).melds)
        return self._least_beside(bag, lying) if least and lying else least

    def _beside_melds(self, bag: int, lying: Lying) -> int:
        least = bag - sum(self.best(bag).melds)
        for i, ways in enumerate(lying):
            for code in set(self.pack.codes(bag)):
                if longer := self.longer(ways, (self.pack.faces[code],)):
                    rest = self.beside(bag - self.pack.unit[code], (*lying[:i], longer, *lying[i + 1 :]))
                    least = min(least, rest, key=self.points)
                    if not least:
                        return 0
        return least

    def _best(self, bag: int) -> LeastDeadwood:
        """The least deadwood, and melds that leave it: depth first, each rest of the hand once.

        A card of a wild rank outside its own place is as good as a joker, so these are only counted.
        """
        pack, by_first = self.pack, dict[int, list[tuple[int, int, int]]]()
        wild = pack.count(bag & self.wild_mask)
        for natural, holes in dict.fromkeys(self._natural_parts(bag, wild)):
            first = next(pack.codes(natural))
            by_first.setdefault(first, []).append((natural, holes, holes + pack.count(natural & self.wild_mask)))
        known: dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]] = {}

        def least(left: int, wild: int) -> tuple[int, tuple[tuple[int, int], ...]]:
            if not left:
                return wild * self.wild_worth, ()
            if (left, wild) in known:
                return known[left, wild]
            first = next(pack.codes(left))
            dead, melds = least(left - pack.unit[first], wild)
            if not self.wild_mask & pack.field[first]:
                dead += self.worth[first]
            for natural, holes, spent in by_first.get(first, ()):
                if dead and spent <= wild and pack.contains(left, natural):
                    other, more = least(left - natural, wild - spent)
                    if other < dead:
                        dead, melds = other, ((natural, holes), *more)
            known[left, wild] = dead, melds
            return dead, melds

        jokers = bag & pack.joker
        dead, melds = least(bag - jokers, wild)
        return LeastDeadwood(dead, tuple(self._with_wild_cards(bag, melds)))

    def _with_wild_cards(self, bag: int, melds: Sequence[tuple[int, int]]) -> Iterator[int]:
        """The melds with wild cards in their holes, as bags: jokers last, as they have no place of their own."""
        free = list(self.pack.codes((bag - sum(natural for natural, _ in melds)) & self.wild_mask))
        for natural, holes in melds:
            yield natural + sum(self.pack.unit[free.pop()] for _ in range(holes))

    def _natural_parts(self, bag: int, wild: int) -> Iterator[tuple[int, int]]:
        """The natural cards of every meld that a hand with n wild cards can make, and the number of wild cards it
        needs."""
        pack = self.pack
        held = {pack.faces[code] for code in pack.codes(bag - (bag & pack.joker))}
        for rank in dict.fromkeys(self.order):
            same = [pack.unit_of[rank + s] for s in SUITS if rank + s in held]
            for size in range(2, len(same) + 1):
                for holes in range(max(0, SET_SIZES[0] - size), min(wild, size, SET_SIZES[1] - size) + 1):
                    yield from ((sum(chosen), holes) for chosen in combinations(same, size))
        for suit in SUITS:
            at = [pack.unit_of[r + suit] if r + suit in held else 0 for r in self.order]
            for low, lowest in enumerate(at):
                if lowest:
                    yield from self._runs_from(low, at, wild)

    def _runs_from(self, low: int, at: Sequence[int], wild: int) -> Iterator[tuple[int, int]]:
        """The runs of a suit with this lowest natural card: natural cards, and the number of wild ones."""
        todo, last = [(at[low], 0, low)], len(at) - 1
        while todo:
            natural, holes, top = todo.pop()
            size = top - low + 1
            for outside in range((low > 0) + (top < last) + 1):
                if size + outside >= SHORTEST and 2 * (holes + outside) <= size + outside and holes + outside <= wild:
                    yield natural, holes + outside
            # The next card, or the one after it with a wild one between.
            todo += [
                (natural + at[top + step], holes + step - 1, top + step)
                for step in (1, 2)
                if top + step <= last and at[top + step] and holes + step - 1 <= wild and not natural & at[top + step]
            ]


def in_their_places(wild: Sequence[tuple[str, str]], stands: Sequence[str]) -> Iterator[Cards]:
    """Wild cards for these cards of a run, each with what it stands for: as said, the others in the order laid, up or
    down.

    >>> list(in_their_places([("2d", "??"), ("Jo", "4h"), ("2c", "??")], ["4h", "6h", "8h"]))
    [('Jo=4h', '2d=6h', '2c=8h'), ('Jo=4h', '2c=6h', '2d=8h')]
    """
    said = {told: card for card, told in wild if "?" not in told}
    if len(said) < sum("?" not in told for _, told in wild) or said.keys() - set(stands):
        return
    others = [(card, told) for card, told in wild if "?" in told]
    for order in (others, others[::-1]) if len(others) > 1 else (others,):
        left = iter(order)
        cards = [(said[s], s, s) if s in said else (*next(left), s) for s in stands]
        if all(card != s and told[0] in ("?", s[0]) and told[1] in ("?", s[1]) for card, told, s in cards):
            yield tuple(f"{card}={s}" for card, _, s in cards)


def as_natural(card: str) -> str:
    """A card with a fixed place: a natural one of a wild rank stands for itself."""
    return card if "=" in card else f"{card}={card}"
