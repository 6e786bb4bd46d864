"""Decide whether cards can all be laid out in melds at once: a whole table, and cards of a hand with it.

For packs with each card up to twice, sets of three or four different suits, and runs of three or more with the ace at
either end, never both. The answer is exact. The search goes through the ranks from the ace up. The state below a rank
is small: for each suit the number of open runs with one card, two, or three and more, and the number of its aces that
wait for the king. So each such state is searched once, whichever way led to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from msgspec import Struct

from events.cards import RANKS, SUITS

MOST_STEPS = 40_000
"""Limit of positions for one question; the search then gives up."""

Open = tuple[int, int, int]
"""The open runs of a suit: numbers of those with one card, two cards, three or more."""
Counts = tuple[int, int, int, int]
"""Number of cards of a rank, for each suit."""
NONE: Open = (0, 0, 0)
NO_CARDS: Counts = (0, 0, 0, 0)
ACE_ABOVE = len(RANKS)


def may_be_sets(of_each: Sequence[int]) -> bool:
    """Return True if n cards of a rank, by suit, make one set, two sets, or none as there are no cards.

    >>> may_be_sets((1, 1, 1, 0)), may_be_sets((2, 2, 1, 1)), may_be_sets((2, 1, 1, 1)), may_be_sets(NO_CARDS)
    (True, True, False, True)
    """
    count = sum(of_each)
    return not count or (count >= 3 and max(of_each) == 1) or count >= 6


SETS: tuple[Counts, ...] = tuple(
    (c, d, h, s) for c, d, h, s in product(range(3), repeat=4) if may_be_sets((c, d, h, s))
)
"""What the sets of one rank may have of each suit; no card at all is the first."""


@cache
def ways_to_part(cards: Counts) -> tuple[tuple[Counts, Counts], ...]:
    """The ways to split the cards of a rank, by suit: those in sets, and those that go into runs.

    >>> ways_to_part((1, 1, 1, 0))
    (((0, 0, 0, 0), (1, 1, 1, 0)), ((1, 1, 1, 0), (0, 0, 0, 0)))
    """
    a, b, c, d = cards
    ways = ((in_sets, (a - in_sets[0], b - in_sets[1], c - in_sets[2], d - in_sets[3])) for in_sets in SETS)
    return tuple((in_sets, rest) for in_sets, rest in ways if min(rest) >= 0)


class Rebuilt(Struct, frozen=True):
    """The answer: `melds`, each in order, None if there is no way; number of positions searched (`steps`). `given_up`:
    the search stopped, and the answer is unknown."""

    melds: tuple[tuple[str, ...], ...] | None
    steps: int
    given_up: bool = False


def rebuilt(cards: Iterable[str], most_steps: int = MOST_STEPS) -> Rebuilt:
    """Melds that use each of these cards, if there are any. Raise ValueError if a card is there more than twice.

    >>> rebuilt("5c 6c 7c 7d 7h 7c".split()).melds
    (('7c', '7d', '7h'), ('5c', '6c', '7c'))
    >>> rebuilt("Kc Ac 2c".split()).melds, rebuilt("Ac 2c 3c Qc Kc Ac".split()).melds
    (None, (('Ac', '2c', '3c'), ('Qc', 'Kc', 'Ac')))
    """
    of = [[0, 0, 0, 0] for _ in RANKS]
    for card in cards:
        of[RANKS.index(card[0])][SUITS.index(card[1])] += 1
    if any(n > 2 for rank in of for n in rank):
        raise ValueError("no card is there more than twice")
    return _Search([(c, d, h, s) for c, d, h, s in of], most_steps).answer()


class _Step(Struct, frozen=True):
    """The cards of one rank: those in sets, and those in runs."""

    in_sets: Counts
    in_runs: Counts


class _Search:
    """One search: the cards of each rank by suit, from the ace up."""

    def __init__(self, of: list[Counts], most_steps: int) -> None:
        self.of, self.left = of, most_steps
        self.most = most_steps
        # Dead ends: the rank, the open runs of each suit, the aces that wait.
        self.dead: set[tuple[int, tuple[Open, ...], Counts]] = set()

    def answer(self) -> Rebuilt:
        for low, above, in_sets in self._aces():
            begun = tuple((n, 0, 0) for n in low)
            way = self._from(1, begun, above)
            if way is not None:
                first = _Step(in_sets, low)
                melds = melds_of([first, *way, _Step(NO_CARDS, above)])
                return Rebuilt(melds, self.most - self.left)
            if self.left <= 0:
                return Rebuilt(None, self.most, given_up=True)
        return Rebuilt(None, self.most - self.left)

    def _aces(self) -> Iterator[tuple[Counts, Counts, Counts]]:
        """The ways to split the aces: below a two, above a king, in sets."""
        aces, twos, kings = self.of[0], self.of[1], self.of[-1]
        for in_sets, rest in ways_to_part(aces):
            ways = [
                [(low, n - low) for low in range(n + 1) if low <= twos[i] and n - low <= kings[i]]
                for i, n in enumerate(rest)
            ]
            for (a, b), (c, d), (e, f), (g, h) in product(*ways):
                yield (a, c, e, g), (b, d, f, h), in_sets

    def _from(self, rank: int, runs: tuple[Open, ...], above: Counts) -> list[_Step] | None:
        """The steps for this rank and those above it, None if there are none, from these open runs and waiting aces."""
        if rank == ACE_ABOVE:
            return [] if all(may_end(run, aces) for run, aces in zip(runs, above, strict=True)) else None
        key = rank, runs, above
        if key in self.dead or self.left <= 0:
            return None
        self.left -= 1
        then = self.of[rank + 1] if rank + 1 < ACE_ABOVE else above
        after = above if rank + 2 == ACE_ABOVE else NO_CARDS if rank + 2 > ACE_ABOVE else self.of[rank + 2]
        clubs, diamonds, hearts, spades = runs
        for in_sets, rest in ways_to_part(self.of[rank]):
            # The rest goes into runs: all short runs must go on.
            one = longer(clubs, rest[0], then[0], after[0])
            if one is None:
                continue
            two = longer(diamonds, rest[1], then[1], after[1])
            if two is None:
                continue
            three = longer(hearts, rest[2], then[2], after[2])
            if three is None:
                continue
            four = longer(spades, rest[3], then[3], after[3])
            if four is None:
                continue
            way = self._from(rank + 1, (one, two, three, four), above)
            if way is not None:
                way.insert(0, _Step(in_sets, rest))
                return way
        self.dead.add(key)
        return None


@cache
def longer(run: Open, cards: int, then: int = 2, after: int = 2) -> Open | None:
    """The open runs of a suit after n cards of the next rank joined them. None if a short run is left without a card,
    or if the two ranks after it have too few cards of the suit for the short runs.

    A card extends a run of three rather than beginning another: whatever the new run could become, the old one can too.

    >>> longer((1, 0, 1), 2), longer((0, 1, 0), 2), longer((1, 1, 0), 1), longer((0, 1, 0), 2, 0)
    ((0, 1, 1), (1, 0, 1), None, None)
    """
    one, two, more = run
    free = cards - one - two
    if free < 0:
        return None
    on = min(more, free)
    new = free - on
    return (new, one, two + on) if new + one <= then and new <= after else None


def may_end(run: Open, aces: int) -> bool:
    """Return True if the runs that are open above the king can end with n aces."""
    one, two, more = run
    return not one and two <= aces <= two + more


def melds_of(steps: Sequence[_Step]) -> tuple[tuple[str, ...], ...]:
    """The melds of these steps through the ranks; the sets first."""
    sets: list[list[str]] = []
    runs: list[list[str]] = []
    open_runs: tuple[list[list[str]], ...] = ([], [], [], [])
    for rank, step in zip((*RANKS, RANKS[0]), steps, strict=True):
        sets += sets_of(rank, step.in_sets)
        for suit, cards, mine in zip(SUITS, step.in_runs, open_runs, strict=True):
            # The shortest first, as they need the card.
            mine.sort(key=len)
            for run in mine[:cards]:
                run.append(rank + suit)
            new = [[rank + suit] for _ in range(cards - len(mine))]
            runs += new
            mine[:] = [*mine[:cards], *new]
    whole = [part for run in runs for part in ((run[:3], run[3:]) if len(run) > len(RANKS) else (run,))]
    return tuple(tuple(meld) for meld in (*sets, *whole))


def sets_of(rank: str, of_each: Sequence[int]) -> list[list[str]]:
    """One set, or two, with n cards of each suit.

    >>> sets_of("7", (2, 2, 1, 1)), sets_of("7", NO_CARDS)
    ([['7c', '7d', '7h'], ['7c', '7d', '7s']], [])
    """
    if sum(of_each) < 6:
        return [[rank + suit for suit, n in zip(SUITS, of_each, strict=True) if n]] if any(of_each) else []
    first, second = list[str](), list[str]()
    for suit, n in zip(SUITS, of_each, strict=True):
        for _ in range(n):
            # A suit with one card goes to the set with fewer cards.
            (first if len(first) <= len(second) and rank + suit not in first else second).append(rank + suit)
    return [first, second]
