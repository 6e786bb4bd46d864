"""Melds with at most one wild card, a joker or a two that is not in its own place, and the order of their cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from events.model import Cards
from reducers.words.melds import Melds, however_many, in_any_reading

KEPT = 1 << 16


class Lay(NamedTuple):
    """A meld in order: its cards from the low end, the wild one (empty: none), its place, and what it stands for."""

    order: Cards
    run: bool
    wild: str = ""
    at: int = -1
    stands: str = ""


class WildMelds:
    """Melds with at most one wild card; `melds` are those of the game if jokers alone were wild.

    >>> from events.cards import pack
    >>> order = "A 2 3 4 5 6 7 8 9 10 J Q K A"
    >>> m = WildMelds(Melds(pack(copies=2, jokers=4), {}, order, suits_differ=False, wild=("Jo",)))
    >>> m.lie(["7s", "Jo", "8s"])
    Lay(order=('Jo', '7s', '8s'), run=True, wild='Jo', at=0, stands='6s')
    >>> m.lie(["2h", "3h", "4h", "6h"])
    Lay(order=('3h', '4h', '2h', '6h'), run=True, wild='2h', at=2, stands='5h')
    >>> m.lie(["2h", "3h", "4h"]).wild, m.lie(["7c", "7c", "2d"]).stands, m.lie(["Ah", "2h", "3h", "Jo"]).stands
    ('', '7?', '4h')
    >>> m.is_meld(["7c", "7d", "??"]), m.is_meld(["7c", "2d", "2h"])
    (None, False)
    """

    def __init__(self, melds: Melds) -> None:
        self.melds, self.ranks = melds, melds.order
        self.lies: Callable[[Cards], Lay | None] = lru_cache(maxsize=KEPT)(self._lay)
        self.answers: Callable[[Cards], bool | None] = lru_cache(maxsize=KEPT)(self._answer)
        self.thirds: Callable[[str, str], Cards] = lru_cache(maxsize=KEPT)(self._thirds)

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
