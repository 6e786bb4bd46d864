"""From when a finding was known, if the proofs alone do not say it: every shorter log that may know it first is asked.

Without conflicts a longer log never knows less until something is corrected, so halving finds the shortest among those
from one correction to the next. In a hand that contradicts itself a finding may come and go, and each shorter log is asked
in turn. When this part of the budget is at an end, the rest is dated by the end of its hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.model import Recorded
from reducers.model import State
from reducers.rules import Verdict
from replay.budget import Budget
from replay.fold import Corrected, corrected
from replay.judging.contradictions import ConflictReading
from replay.judging.findings import EventPlace, Finding

# One part in so many of the budget is for dating findings by shorter logs; a log so full of trouble that this does not
# do has its findings dated by the end of their hand, which is late but never wrong.
DATING = 3

Key: TypeAlias = tuple[int, str]
"""A finding by its position and rule."""


class Shorter(Struct, frozen=True):
    """What a shorter log says: what is broken, the hands in which it contradicts itself, and those it gave up."""

    broken: set[Key]
    clashing: frozenset[int]
    given_up: frozenset[int]


Judged: TypeAlias = Callable[[Corrected, int, State[Any] | None, Budget], Shorter]
"""Judges a shorter log: its events, the hand to look at (0: all), the state before them, and the budget."""


class Dating:
    """Dates findings about one log that was read. `fixes` are the positions of its corrections, `judged` asks a shorter log."""

    def __init__(self, reading: ConflictReading, log: Sequence[Recorded], fixes: Sequence[int], judged: Judged) -> None:
        self.reading, self.log, self.fixes, self.judged = reading, log, fixes, judged
        self.budget = reading.budget.part(reading.budget.limit // DATING)
        self.known: dict[int, Shorter] = {}
        # Whether a shorter log could not be asked, or was not read to its end: it says nothing for certain.
        self.refused = False
        self._before: dict[int, State[Any]] = {}
        self._entered: dict[int, list[int]] = {}

    def dated(self, findings: list[Finding], hand: int | None = None) -> list[Finding]:
        """The findings, with a date for each broken rule that has none, or for those of one hand."""
        if not self.log:
            return [replace(f, known_from=f.at) if is_undated(f) else f for f in findings]
        hands = {p.n: h for p, h in zip(self.reading.view.events, self.reading.hand_at, strict=True)} if any(map(is_undated, findings)) else {}
        out = []
        for f in findings:
            if is_undated(f) and hand in (None, f.at.hand):
                n = self._first_known(f)
                bound = self.refused and n != f.at.pos
                if bound:
                    self.budget.cut("dates", f.at.hand)
                evidence = tuple(dict.fromkeys((*(e for e in f.evidence if e <= n), n)))
                f = replace(f, known_from=EventPlace(n, hands.get(n, f.at.hand)), bound=bound, evidence=evidence)
            out.append(f)
        return out

    def _first_known(self, finding: Finding) -> int:
        """The position at which a shorter log first shows it; the end of its hand if nobody can say."""
        pos, hand, key = finding.at.pos, finding.at.hand, (finding.at.pos, finding.rule)
        # Only what was entered about this hand, and corrections, can have told anything.
        told = self.entered(hand)
        latest = max(pos, told[-1]) if told else pos
        self.refused = self.budget.left <= 0
        if self.refused:
            return latest
        at = told[bisect_left(told, pos) :]
        if not at or at[0] != pos:
            at = [pos, *at]
        for part in split_at_corrections(at, self.fixes):
            first = self._first_of(part, key, hand, whole=part[-1] == at[-1])
            if first is not None:
                return first
        return latest

    def _first_of(self, part: Sequence[int], key: Key, hand: int, *, whole: bool) -> int | None:
        """The first of these positions at which it is known; None if it is not at the last. The `whole` log shows it."""
        shown = whole or key in self._broken(part[-1], hand)
        clashing = self.known[part[-1]].clashing if part[-1] in self.known else self.reading.clashing
        if hand in clashing:
            return next((n for n in part if key in self._broken(n, hand)), None)
        if not shown:
            return None
        return part[bisect_left(part, True, 0, len(part) - 1, key=lambda n: key in self._broken(n, hand))]

    def _broken(self, n: int, hand: int) -> set[Key]:
        """What the log up to a position says is broken."""
        if n not in self.known:
            if self.budget.left <= 0:
                self.refused = True
                return set()
            self.known[n] = shorter = self._asked(n, hand)
            self.refused = self.refused or hand in shorter.given_up - self.reading.given_up
        return self.known[n].broken

    def _asked(self, n: int, hand: int) -> Shorter:
        view = self.reading.view
        if self.fixes:
            shorter = [r for r in self.log if r.n <= n]
            # To fold the corrections in takes as long as to read what they make of it.
            self.budget.spend(len(shorter))
            return self.judged(corrected(shorter, view.meaning), 0, None, self.budget)
        # Nothing that came later touches the hands before, so they need not be read again.
        first, last = self.reading.span(hand)
        part = tuple(p for p in view.events[first - 1 : last] if p.n <= n)
        return self.judged(Corrected(view.opening, part), hand, self.before(hand), self.budget)

    def before(self, hand: int) -> State[Any]:
        """The state before the first event of a hand."""
        if hand not in self._before:
            self._before[hand] = self.reading.state_before(hand)
        return self._before[hand]

    def entered(self, hand: int) -> list[int]:
        """The positions at which something was entered about this hand, corrections among them."""
        if hand not in self._entered:
            first, last = self.reading.span(hand)
            self._entered[hand] = sorted({*(p.n for p in self.reading.view.events[first - 1 : last]), *self.fixes})
        return self._entered[hand]


def is_undated(finding: Finding) -> bool:
    """Whether this is broken, and nobody has said yet from when that was known."""
    return finding.known_from is None and finding.verdict == Verdict.BROKEN


def split_at_corrections(positions: Sequence[int], fixes: Iterable[int]) -> list[list[int]]:
    """Positions in order, parted before each correction.

    >>> split_at_corrections([3, 4, 5, 8, 9], [5, 9])
    [[3, 4], [5, 8], [9]]
    """
    out: list[list[int]] = []
    begins = set(fixes)
    for n in positions:
        if not out or n in begins:
            out.append([])
        out[-1].append(n)
    return out
