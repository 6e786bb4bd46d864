"""Whether cards can all be laid out in melds at once: a whole table, with cards of a hand among them.

For packs in which each card is there up to twice, sets of three or four different suits, and runs of three or more with
the ace at either end, never both. The answer is exact. The ranks are gone through from the ace up. What has to be known of
the ranks below is little: for each suit how many runs are still open that have one card, two, or three and more, and how
many of its aces wait for the king. So one way from there stands for all that lead there, and each is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from msgspec import Struct

from events.cards import RANKS, SUITS

MOST_STEPS = 40_000
"""So many positions are looked at for one question; then it is given up."""

Open = tuple[int, int, int]
"""The open runs of a suit: how many have one card, two cards, three or more."""
Counts = tuple[int, int, int, int]
"""How many cards of a rank, one number for each suit."""
NONE: Open = (0, 0, 0)
NO_CARDS: Counts = (0, 0, 0, 0)
ACE_ABOVE = len(RANKS)


def may_be_sets(of_each: Sequence[int]) -> bool:
    """Whether so many cards of a rank, by suit, make one set, or two, or are none at all.

    >>> may_be_sets((1, 1, 1, 0)), may_be_sets((2, 2, 1, 1)), may_be_sets((2, 1, 1, 1)), may_be_sets(NO_CARDS)
    (True, True, False, True)
    """
    count = sum(of_each)
    return not count or (count >= 3 and max(of_each) == 1) or count >= 6


SETS: tuple[Counts, ...] = tuple((c, d, h, s) for c, d, h, s in product(range(3), repeat=4) if may_be_sets((c, d, h, s)))
"""What the sets of one rank may have of each suit; no card at all is the first."""


@cache
def ways_to_part(cards: Counts) -> tuple[tuple[Counts, Counts], ...]:
    """The ways to part the cards of a rank, by suit: those in sets, and those that go into runs.

    >>> ways_to_part((1, 1, 1, 0))
    (((0, 0, 0, 0), (1, 1, 1, 0)), ((1, 1, 1, 0), (0, 0, 0, 0)))
    """
    a, b, c, d = cards
    ways = ((in_sets, (a - in_sets[0], b - in_sets[1], c - in_sets[2], d - in_sets[3])) for in_sets in SETS)
    return tuple((in_sets, rest) for in_sets, rest in ways if min(rest) >= 0)


class Rebuilt(Struct, frozen=True):
    """The answer: `melds`, each in order, None if there is no way; `steps` positions were looked at. With `given_up` nobody
    knows whether there is one."""

    melds: tuple[tuple[str, ...], ...] | None
    steps: int
    given_up: bool = False


def rebuilt(cards: Iterable[str], most_steps: int = MOST_STEPS) -> Rebuilt:
    """Melds that take in each of these cards, if there are any.

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
    """What is done with the cards of one rank: those in sets, and the others, which are in runs."""

    in_sets: Counts
    in_runs: Counts


class _Search:
    """One question: the cards of each rank by suit, from the ace up."""

    def __init__(self, of: list[Counts], most_steps: int) -> None:
        self.of, self.left = of, most_steps
        self.most = most_steps
        # What leads nowhere: the rank, the open runs of each suit, the aces that wait.
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
        """The ways to part the aces: below a two, above a king, in sets."""
        aces, twos, kings = self.of[0], self.of[1], self.of[-1]
        for in_sets, rest in ways_to_part(aces):
            ways = [
                [(low, n - low) for low in range(n + 1) if low <= twos[i] and n - low <= kings[i]] for i, n in enumerate(rest)
            ]
            for (a, b), (c, d), (e, f), (g, h) in product(*ways):
                yield (a, c, e, g), (b, d, f, h), in_sets

    def _from(self, rank: int, runs: tuple[Open, ...], above: Counts) -> list[_Step] | None:
        """What to do with this rank and those above it, or None; the open runs and the aces that wait are as given."""
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
            # Those that a set leaves go into runs: all short runs have to go on.
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
    """The open runs of a suit after so many cards of the next rank joined them; None if a short one is left without, or if the
    two ranks that come then have too few cards of the suit for those that are short now.

    A card rather makes a run of three longer than it begins another: whatever the new one could become, the old one can too.

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
    """Whether the runs that are open above the king end well with so many aces."""
    one, two, more = run
    return not one and two <= aces <= two + more


def melds_of(steps: Sequence[_Step]) -> tuple[tuple[str, ...], ...]:
    """The melds that come of this way through the ranks; the sets first."""
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
    """One set, or two, with so many cards of each suit.

    >>> sets_of("7", (2, 2, 1, 1)), sets_of("7", NO_CARDS)
    ([['7c', '7d', '7h'], ['7c', '7d', '7s']], [])
    """
    if sum(of_each) < 6:
        return [[rank + suit for suit, n in zip(SUITS, of_each, strict=True) if n]] if any(of_each) else []
    first, second = list[str](), list[str]()
    for suit, n in zip(SUITS, of_each, strict=True):
        for _ in range(n):
            # A suit that is there once goes to the set with fewer cards.
            (first if len(first) <= len(second) and rank + suit not in first else second).append(rank + suit)
    return [first, second]


__all__ = ["MOST_STEPS", "Rebuilt", "rebuilt"]
