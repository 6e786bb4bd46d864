"""How much may be looked at for one record, counted in steps and not in seconds, and what was therefore cut short.

To fold a log once and to ask its rules once takes as many steps as it has events, and is always done. Everything
beyond (reading a record that contradicts itself again, dating a finding by shorter logs, naming cards by elimination,
trying corrections, looking at every way the unseen cards can lie) draws on one `Budget`. A step is one event folded or
asked about, on any machine, so that everybody gets the same answer to the same log. What did not get to its end is
noted with the hand, and whoever reads the answer is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from events.model import Event, Hand, Tally
from reducers.legal import plans
from reducers.model import State

STEPS = 100_000
"""So many steps for any record, a second or two."""
EACH = 10
"""So many more for each of its first `MANY` events."""
MANY = 2_000
"""The events of fifty hands at cards. Of a longer record only what is judged once grows with its length."""
EACH_MORE = 5
"""So many more for each event beyond these."""
COPY = 5
"""To copy a state, or to begin one or a hand, takes as long as so many steps."""
TALLY = 20
"""To apply a tally takes as long as so many: it is reckoned with all that the table has noted of its hand."""

PILES = 64
"""With so many piles more on the table, an event takes a step more. No game has as many; lines that make no sense lay as many melds as
there are lines."""
CHECKS = 16
"""To ask so many rules about an act takes a step more, which is counted in a log longer than a hand of any game (`LONG`)."""
LONG = 500
NO_HAND = 4
"""In a record of which a hand has more than `LONG` events a step counts as so many: no game has such a hand, and lines that make no sense
take several times as long to look at as those of a table."""

Work = Literal["reading", "elimination", "dates", "corrections", "ways"]
SAID: dict[Work, str] = {
    "reading": "the record contradicts itself too often to be read again each time; the cards that were put down count as unseen",
    "elimination": "too many ways in which the unseen cards can lie; what elimination may name was not looked for",
    "dates": "too many findings to date each; some may have been known earlier",
    "corrections": "too many corrections to try each; another one may explain more",
    "ways": "too many ways in which the unseen cards can lie; not each was looked at",
}
"""What is said of a hand in which work of this kind was cut short."""


class Cut(Struct, frozen=True, order=True):
    """Work that was not done to its end, and the hand it was about; 0 for all of the record."""

    hand: int
    what: Work


class Budget:
    """Steps that may be gone, and what was cut short when they were.

    A `part` draws on the whole it is a part of: what one leaves, another may use. Everything that was cut short is
    noted in the whole.
    """

    __slots__ = ("_within", "cuts", "limit", "spent")

    def __init__(self, limit: int, within: Budget | None = None) -> None:
        self.limit, self.spent, self._within = limit, 0, within
        self.cuts: set[Cut] = set() if within is None else within.cuts

    def spend(self, steps: int) -> None:
        """So many steps were gone."""
        self.spent += steps
        if self._within is not None:
            self._within.spend(steps)

    @property
    def left(self) -> int:
        """How many steps may still be gone."""
        left = self.limit - self.spent
        return left if self._within is None else min(left, self._within.left)

    def part(self, steps: int, of: int = 1) -> Budget:
        """A budget of at most so many steps within this one; with `of`, a fair share for one of so many that wait.

        >>> whole = Budget(100)
        >>> first = whole.part(80, of=2)
        >>> first.left
        50
        >>> first.spend(10); whole.left, whole.part(80).left
        (90, 80)
        """
        return Budget(max(0, min(steps, self.left // max(1, of))), self)

    def cut(self, what: Work, hand: int = 0) -> None:
        """Note that work of this kind was cut short in this hand."""
        self.cuts.add(Cut(hand, what))


def steps_of(events: Sequence[Event]) -> int:
    """How many steps it takes to apply these events, or to ask about them."""
    kinds = [type(event) for event in events]
    return len(events) + (TALLY - 1) * kinds.count(Tally) + (COPY - 1) * kinds.count(Hand)


def weight_of(state: State[Any], events: int = 0, longest: int = 0) -> int:
    """How many steps it takes to apply one of so many events in this position, or to ask about it; the `longest` hand has so many."""
    weight = (_asking(state.game.key) if events > LONG else 1) + len(state.table.piles) // PILES
    return weight * NO_HAND if longest > LONG else weight


@cache
def _asking(game: str) -> int:
    """How many steps it takes to ask about an act of a game: more where a page has very many rules about one.

    >>> _asking("kaiser"), _asking("burraco")
    (1, 2)
    """
    return 1 + max(len(checks) for acts in plans(game).values() for checks in acts.values()) // CHECKS


def budget_for(events: int) -> Budget:
    """The budget for a record of so many events.

    >>> budget_for(1_000).limit, budget_for(100_000).limit
    (110000, 610000)
    """
    return Budget(STEPS + EACH * min(events, MANY) + EACH_MORE * max(0, events - MANY))


def cuts_in_words(cuts: Iterable[Cut]) -> list[str]:
    """What was cut short, a sentence for each kind of work with its hands.

    >>> cuts_in_words([Cut(3, "dates"), Cut(1, "dates")])
    ['cut short in hands 1 and 3: too many findings to date each; some may have been known earlier']
    """
    hands: dict[Work, list[int]] = {}
    for cut in sorted(cuts):
        hands.setdefault(cut.what, []).append(cut.hand)
    return [f"cut short{_where(numbers)}: {SAID[what]}" for what, numbers in hands.items()]


def _where(hands: list[int]) -> str:
    """The hands in words; nothing for the whole record."""
    named = [str(n) for n in hands if n]
    if len(named) > 6:
        named = [*named[:5], f"{len(named) - 5} more"]
    return f" in hand{'s' * (len(named) > 1)} {' and '.join(', '.join(named).rsplit(', ', 1))}" if named else ""


__all__ = ["COPY", "LONG", "NO_HAND", "Budget", "Cut", "budget_for", "cuts_in_words", "steps_of", "weight_of"]
