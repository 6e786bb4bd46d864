"""The work budget of one record, in steps rather than seconds, and what was cut short because of it.

Folding a log once and checking its rules once takes as many steps as it has events, and is always done. All other
work (reading a contradictory record again, dating a finding by shorter logs, elimination, trying corrections,
enumerating the ways the unseen cards can lie) draws on one `Budget`. A step is one event folded or checked, on any
machine, so that everyone gets the same answer to the same log. Unfinished work is recorded with its hand, and
reported with the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from events.model import Event, Hand, Tally
from reducers.legal import plans
from reducers.model import State
from replay.languages.translate import listed_words, phrase, t, tn

STEPS = 100_000
"""Steps for any record, a second or two."""
EACH = 10
"""Additional steps for each of its first `MANY` events."""
MANY = 2_000
"""The events of fifty hands at cards. In a longer record only single judging grows with its length."""
EACH_MORE = 5
"""Additional steps for each event beyond these."""
COPY = 5
"""Steps to copy a state, or to begin one or a hand."""
TALLY = 20
"""Steps to apply a tally, which is compared with everything noted of its hand."""

PILES = 64
"""An event costs one more step per this many piles. No game has as many; meaningless lines may lay a meld per line."""
CHECKS = 16
"""Rules per additional step for checking an act, counted in logs longer than a hand of any game (`LONG`)."""
LONG = 500
NO_HAND = 4
"""The cost factor of a record with a hand of more than `LONG` events. No game has such a hand, and meaningless lines
take several times as long as those of a table."""

Work = Literal["reading", "elimination", "dates", "corrections", "ways"]
SAID: dict[Work, str] = {
    "reading": phrase(
        "the record contradicts itself too often to be read again each time; the cards that were put down "
        "count as unseen"
    ),
    "elimination": phrase(
        "too many ways in which the unseen cards can lie; what elimination may name was not looked for"
    ),
    "dates": phrase("too many findings to date each; some may have been known earlier"),
    "corrections": phrase("too many corrections to try each; another one may explain more"),
    "ways": phrase("too many ways in which the unseen cards can lie; not each was looked at"),
}
"""The message for a hand in which work of this kind was cut short."""


class Cut(Struct, frozen=True, order=True):
    """Unfinished work, and its hand; 0 for the whole record."""

    hand: int
    what: Work


class Budget:
    """A number of steps, and the work that was cut short.

    A `part` draws on its whole: what one part leaves, another may use. Everything cut short is recorded in the whole.
    """

    __slots__ = ("_within", "cuts", "limit", "spent")

    def __init__(self, limit: int, within: Budget | None = None) -> None:
        self.limit, self.spent, self._within = limit, 0, within
        self.cuts: set[Cut] = set() if within is None else within.cuts

    def spend(self, steps: int) -> None:
        """Charge this many steps."""
        self.spent += steps
        if self._within is not None:
            self._within.spend(steps)

    @property
    def left(self) -> int:
        """The number of steps left."""
        left = self.limit - self.spent
        return left if self._within is None else min(left, self._within.left)

    def part(self, steps: int, of: int = 1) -> Budget:
        """A budget of at most this many steps within this one; with `of`, a fair share for one of that many waiting.

        >>> whole = Budget(100)
        >>> first = whole.part(80, of=2)
        >>> first.left
        50
        >>> first.spend(10); whole.left, whole.part(80).left
        (90, 80)
        """
        return Budget(max(0, min(steps, self.left // max(1, of))), self)

    def cut(self, what: Work, hand: int = 0) -> None:
        """Record that work of this kind was cut short in this hand."""
        self.cuts.add(Cut(hand, what))


def steps_of(events: Sequence[Event]) -> int:
    """The number of steps to apply or check these events."""
    kinds = [type(event) for event in events]
    return len(events) + (TALLY - 1) * kinds.count(Tally) + (COPY - 1) * kinds.count(Hand)


def weight_of(state: State[Any], events: int = 0, longest: int = 0) -> int:
    """The number of steps to apply or check an event in this position of a log of `events` events; `longest` is the
    length of its longest hand."""
    weight = (_asking(state.game.key) if events > LONG else 1) + len(state.table.piles) // PILES
    return weight * NO_HAND if longest > LONG else weight


@cache
def _asking(game: str) -> int:
    """The number of steps to check an act of a game: more if the game has very many rules about one.

    >>> _asking("kaiser"), _asking("burraco")
    (1, 2)
    """
    return 1 + max(len(checks) for acts in plans(game).values() for checks in acts.values()) // CHECKS


def budget_for(events: int) -> Budget:
    """The budget for a record of this many events.

    >>> budget_for(1_000).limit, budget_for(100_000).limit
    (110000, 610000)
    """
    return Budget(STEPS + EACH * min(events, MANY) + EACH_MORE * max(0, events - MANY))


def cuts_in_words(cuts: Iterable[Cut]) -> list[str]:
    """Describe what was cut short, a sentence for each kind of work with its hands.

    >>> cuts_in_words([Cut(3, "dates"), Cut(1, "dates")])
    ['cut short in hands 1 and 3: too many findings to date each; some may have been known earlier']
    """
    hands: dict[Work, list[int]] = {}
    for cut in sorted(cuts):
        hands.setdefault(cut.what, []).append(cut.hand)
    return [_cut_short(numbers, t(SAID[what])) for what, numbers in hands.items()]


def _cut_short(hands: list[int], what: str) -> str:
    named = [str(n) for n in hands if n]
    if len(named) > 6:
        named = [*named[:5], t("{n} more", n=len(named) - 5)]
    where = listed_words(named)
    return tn(
        "cut short in hand {hands}: {what}", "cut short in hands {hands}: {what}", len(named), hands=where, what=what,
    ) if named else t("cut short: {what}", what=what)
