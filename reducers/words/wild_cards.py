"""Melds with at most one wild card, a joker or a two that is not in its own place: the order of their cards, and what
is wrong with cards that are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from events.cards import Pack, item
from events.model import Cards
from reducers.words.melds import Melds, however_many, in_any_reading

KEPT = 1 << 16
ORDER = "A 2 3 4 5 6 7 8 9 10 J Q K A"


class Lay(NamedTuple):
    """A meld in order: its cards from the low end, the wild one (empty: none), its place, and what it stands for."""

    order: Cards
    run: bool
    wild: str = ""
    at: int = -1
    stands: str = ""


class Group(NamedTuple):
    """Cards laid together: those there before and those added, the rank of the set if it is a new one, what is wrong
    with them if they are no meld (empty: nothing), and whether they are one (None if unseen cards decide it)."""

    lying: Cards
    more: Cards
    new_set: str
    fault: str = ""
    answer: bool | None = True

    @property
    def cards(self) -> Cards:
        return (*self.lying, *self.more)


class WildMelds:
    """Melds with at most one wild card, of a pack in which sets may have equal cards and an ace is at either end of a
    run; `melds` are those that there were if jokers alone were wild.

    >>> from events.cards import pack
    >>> m = WildMelds(pack(copies=2, jokers=4), {})
    >>> m.lie(["7s", "Jo", "8s"])
    Lay(order=('Jo', '7s', '8s'), run=True, wild='Jo', at=0, stands='6s')
    >>> m.lie(["2h", "3h", "4h", "6h"])
    Lay(order=('3h', '4h', '2h', '6h'), run=True, wild='2h', at=2, stands='5h')
    >>> m.lie(["2h", "3h", "4h"]).wild, m.lie(["7c", "7c", "2d"]).stands, m.lie(["Ah", "2h", "3h", "Jo"]).stands
    ('', '7?', '4h')
    >>> m.is_meld(["7c", "7d", "??"]), m.is_meld(["7c", "2d", "2h"])
    (None, False)
    >>> [m.fault(tuple(cards.split())) for cards in ("7c 7d 2d Jo", "7c Jo", "Qh Kh Ah 2h", "3c 5d")]
    ['wild', 'set', 'ace', 'run']
    """

    def __init__(self, pack: Pack, worth: Mapping[str, int]) -> None:
        def melds(order: str, most_wild: int = 1) -> Melds:
            sizes = (3, pack.size)
            return Melds(
                pack, worth, order, set_sizes=sizes, suits_differ=False, wild=("Jo",), most_wild=most_wild,
            )

        self.melds, self.many_wild, self.round_the_corner = melds(ORDER), melds(ORDER, 12), melds(ORDER + ORDER[1:])
        self.ranks = self.melds.order
        self.lies: Callable[[Cards], Lay | None] = lru_cache(maxsize=KEPT)(self._lay)
        self.answers: Callable[[Cards], bool | None] = lru_cache(maxsize=KEPT)(self._answer)
        self.thirds: Callable[[str, str], Cards] = lru_cache(maxsize=KEPT)(self._thirds)
        self.fault: Callable[[Cards], str] = lru_cache(maxsize=KEPT)(self._fault)
        self.rank_of_set: Callable[[Cards], str] = lru_cache(maxsize=KEPT)(self._rank_of_set)
        self.group: Callable[[Cards, Cards], Group] = lru_cache(maxsize=KEPT)(self._group)

    def lie(self, cards: Iterable[str]) -> Lay | None:
        """These cards as a meld in order; None if they are no meld."""
        return self.lies(tuple(sorted(cards)))

    def is_meld(self, cards: Iterable[str]) -> bool | None:
        """True if these cards are a meld; None if unseen cards decide it."""
        return self.answers(tuple(sorted(cards)))

    def _lay(self, cards: Cards) -> Lay | None:
        """The order of these cards, uncached."""
        for natural, wild in markings(cards):
            group = marked_cards(natural, wild)
            if "2" not in {c[0] for c in natural} and self.melds.is_set(group):
                stands = natural[0][0] + "?"
                return Lay((*natural, wild), False, wild, len(natural), stands) if wild else Lay(tuple(natural), False)
            if self.melds.is_run(group):
                return self._in_order(natural, wild)
        return None

    def _in_order(self, natural: Sequence[str], wild: str) -> Lay:
        """A run from its low end: the wild card in the gap, else below, or above if the ace is low."""
        for ace in (0, len(self.ranks) - 1):
            at = {ace if c[0] == "A" else self.ranks.index(c[0]): c for c in natural}
            low, top = min(at), max(at)
            gaps = [p for p in range(low, top) if p not in at]
            if wild and not gaps:
                gaps = [low - 1 if low else top + 1]
            if len(gaps) == bool(wild):
                at |= dict.fromkeys(gaps, wild)
                order = tuple(at[p] for p in sorted(at))
                if not wild:
                    return Lay(order, True)
                return Lay(order, True, wild, gaps[0] - min(at), self.ranks[gaps[0]] + natural[0][1])
        raise AssertionError(f"{natural} with {wild or 'nothing'} is a run")

    def _answer(self, cards: Cards) -> bool | None:
        """The answer of `is_meld`, for uncounted and half-seen cards too."""
        if not any("?" in c for c in cards):
            return self.lies(cards) is not None
        return however_many(cards, lambda group: in_any_reading(group, self._as_seen, self.melds.pack), len(self.ranks))

    def _as_seen(self, seen: Sequence[str]) -> bool | None:
        """The same for cards that are fully seen or unseen, none half seen or uncounted."""
        cards = tuple(sorted(seen))
        if "??" not in cards:
            return self.lies(cards) is not None
        is_set, is_run = self.melds.is_set, self.melds.is_run
        ways = list(markings(cards))
        answers = [is_run(marked_cards(*marking)) for marking in ways]
        answers += [is_set(marked_cards(natural, wild)) for natural, wild in ways if "2" not in {c[0] for c in natural}]
        return True if True in answers else None if None in answers else False

    def _fault(self, cards: Cards) -> str:
        """What is wrong with cards that are no meld, judged by the one that was probably meant: `wild` (more than one
        wild card), `set`, `ace` (at neither end of the run, or one too many) or `run`."""
        cards = tuple(c for c in cards if c[0] != "*")
        wild = [c for c in cards if c == "Jo" or c[0] == "2"]
        natural = [c for c in cards if c not in wild and c[0] != "?"]
        suits = {c[1] for c in cards if c not in wild}
        for own in ([], *([c] for c in dict.fromkeys(wild) if c[1] in suits)):
            jokers = ["Jo"] * (len(wild) - len(own))
            if len(jokers) > 1 and (self.many_wild.is_meld([*natural, *own, *jokers]) or len(natural) == 1):
                return "wild"
        if len({c[0] for c in natural}) < 2:
            return "set"
        aces = sum(c[0] == "A" for c in cards)
        corner = any(self.round_the_corner.is_run(marked_cards(*marking)) for marking in markings(cards))
        return "ace" if len(suits) == 1 and (aces > 1 or corner) else "run"

    def _rank_of_set(self, cards: Cards) -> str:
        """The rank of a set; empty for a run, or with unseen cards."""
        found = None if "?" in "".join(cards) else self.lie(cards)
        return "" if found is None or found.run else found.order[0][0]

    def _group(self, lying: Cards, more: Cards) -> Group:
        """These cards together with those that lie there already."""
        cards = tuple(sorted((*lying, *more)))
        answer, new_set = self.is_meld(cards), "" if self.rank_of_set(lying) else self.rank_of_set(cards)
        if answer is True or (lying and self.is_meld(lying) is False):
            return Group(lying, more, new_set)  # a group that was no meld before is an earlier fault
        if answer is False:
            return Group(lying, more, new_set, self.fault(cards), False)
        ranks = {c[0] for c in cards if c != "Jo" and c[0] not in "?2*"}
        return Group(lying, more, new_set, "set" if len(ranks) < 2 else "run", None)

    def told_wrong(self, cards: Cards, said: Cards) -> Iterator[tuple[str, str, str]]:
        """Cards of a meld that are `said` to stand for another one (`2h=5h`) than they do: the card, what it stands
        for, and what was said. None if the meld was not all seen."""
        found = None if "?" in "".join(cards) else self.lie(cards)
        for it in map(item, said if found is not None else ()):
            stands = found.stands if found is not None and it.card == found.wild else it.card
            pairs = zip(it.stands_for or "", stands, strict=False)
            if it.stands_for and stands and not all(a == b or "?" in (a, b) for a, b in pairs):
                yield it.card, stands, it.stands_for

    def in_place_of_wild(self, lying: Cards, more: Cards) -> tuple[Cards, str]:
        """The wild cards of those added that fit only because the one that is wild there, a two, goes to its own place,
        and that two; () if there are none."""
        before = self.lie(lying)
        if before is None or not before.wild:
            return (), ""
        wild = tuple(c for c in more if c == "Jo" or (c[0] == "2" and c[1] != before.stands[1]))
        without = self.lie((*lying, *(c for c in more if c not in wild)))
        return ((), "") if without is not None and not without.wild else (wild, before.wild)

    def threes(self, cards: Iterable[str]) -> Iterator[Cards]:
        """Every meld of three of these cards, each once, in order."""
        copies, seen = Counter(cards), set[Cards]()
        for one, two in combinations_with_replacement(copies, 2):
            for third in self.thirds(one, two):
                three = tuple(sorted((one, two, third)))
                if three not in seen and all(three.count(c) <= copies[c] for c in three):
                    seen.add(three)
                    found = self.lies(three)
                    assert found is not None  # that is what makes it a third
                    yield found.order

    def _thirds(self, one: str, two: str) -> Cards:
        """The cards that make a meld with these two natural ones."""
        if "Jo" in (one, two) or (one[0] != two[0] and one[1] != two[1]):
            return ()
        return tuple(c for c in self.melds.pack.faces if self.lie((one, two, c)) is not None)


def markings(cards: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Every way to take one joker or two as the wild card, none first: the other cards, and the wild one.

    >>> list(markings(("2h", "3h")))
    [(['2h', '3h'], ''), (['3h'], '2h')]
    """
    if "Jo" not in cards:
        yield list(cards), ""
    for wild in ["Jo"] if "Jo" in cards else dict.fromkeys(c for c in cards if c[0] == "2"):
        rest = list(cards)
        rest.remove(wild)
        yield rest, wild


def marked_cards(natural: Sequence[str], wild: str) -> list[str]:
    """The cards of a marking; as twos are natural in a run, a joker stands for the wild one."""
    return [*natural, "Jo"] if wild else [*natural]
