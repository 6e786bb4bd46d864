"""Find from when a finding was known, if the proofs alone do not say it, by judging shorter logs.

Without conflicts a longer log never knows less until something is corrected, so a binary search between corrections
finds the shortest one. In a hand that contradicts itself a finding may come and go, and each shorter log is judged in
turn. When this part of the budget is spent, the remaining findings are dated by the end of their hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
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

# One part in `DATING` of the budget is for dating findings. If it is spent, findings are dated by the end of their
# hand, which may be late but is never wrong.
DATING = 3

Key: TypeAlias = tuple[int, str]
"""A finding by its position and rule."""


class Shorter(Struct, frozen=True):
    """The verdict on a shorter log: broken findings, hands that contradict themselves, and hands that were given up."""

    broken: set[Key]
    clashing: frozenset[int]
    given_up: frozenset[int]


Judged: TypeAlias = Callable[[Corrected, int, State[Any] | None, Budget], Shorter]
"""Judges a shorter log: its events, the hand to judge (0: all), the state before them, and the budget."""


class Dating:
    """Dates findings about one log. `fixes` are the positions of its corrections, `judged` judges a shorter log."""

    def __init__(self, reading: ConflictReading, log: Sequence[Recorded], fixes: Sequence[int], judged: Judged) -> None:
        self.reading, self.log, self.fixes, self.judged = reading, log, fixes, judged
        self.budget = reading.budget.part(reading.budget.limit // DATING)
        self.known: dict[int, Shorter] = {}
        # True if a shorter log could not be judged, or not to its end: its date is only a bound.
        self.refused = False
        self._before: dict[int, State[Any]] = {}
        self._entered: dict[int, list[int]] = {}

    def dated(self, findings: list[Finding], hand: int | None = None) -> list[Finding]:
        """Return the findings with a date for each broken rule that has none, in all hands or in one."""
        if not self.log:
            return [replace(f, known_from=f.at) if is_undated(f) else f for f in findings]
        hands = {
            p.n: h for p, h in zip(self.reading.view.events, self.reading.hand_at, strict=True)
        } if any(map(is_undated, findings)) else {}
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
        """The position at which a shorter log first shows the finding; the end of its hand if that is unknown."""
        pos, hand, key = finding.at.pos, finding.at.hand, (finding.at.pos, finding.rule)
        # Only entries about this hand, and corrections, can have revealed it.
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
        """The first of these positions at which the finding is known; None if the last one does not show it. With
        `whole`, it does."""
        shown = whole or key in self._broken(part[-1], hand)
        clashing = self.known[part[-1]].clashing if part[-1] in self.known else self.reading.clashing
        if hand in clashing:
            return next((n for n in part if key in self._broken(n, hand)), None)
        if not shown:
            return None
        return part[bisect_left(part, True, 0, len(part) - 1, key=lambda n: key in self._broken(n, hand))]

    def _broken(self, n: int, hand: int) -> set[Key]:
        """The broken findings of the log up to a position."""
        if n not in self.known:
            if self.budget.left <= 0:
                self.refused = True
                return set()
            self.known[n] = shorter = self._asked(n, hand)
            self.refused = self.refused or hand in shorter.given_up - self.reading.given_up
        return self.known[n].broken

    def _asked(self, n: int, hand: int) -> Shorter:
        view = self.reading.view
        first, last = self.reading.span(hand)
        if not self.fixes:
            part = tuple(p for p in view.events[first - 1 : last] if p.n <= n)
            return self.judged(Corrected(view.opening, part), hand, self.before(hand), self.budget)
        known = [r for r in self.log if r.n <= n]
        # Folding the corrections in costs as much as reading the result.
        self.budget.spend(len(known))
        shorter = corrected(known, view.meaning)
        before, clashing = slice(first - 1), self.reading.clashing
        if clashing or shorter.taken_back or shorter.opening != view.opening or (
            shorter.events[before] != view.events[before]
        ):
            return self.judged(shorter, 0, None, self.budget)
        # The hands before are those of the whole log, and later ones do not affect this hand: it is judged alone.
        later = {p.n for p in view.events[last:]}
        part = tuple(takewhile(lambda p: p.n not in later, shorter.events[first - 1 :]))
        return self.judged(replace(shorter, events=part), hand, self.before(hand), self.budget)

    def before(self, hand: int) -> State[Any]:
        """The state before the first event of a hand."""
        if hand not in self._before:
            self._before[hand] = self.reading.state_before(hand)
        return self._before[hand]

    def entered(self, hand: int) -> list[int]:
        """The positions of entries about this hand, and of all corrections."""
        if hand not in self._entered:
            first, last = self.reading.span(hand)
            self._entered[hand] = sorted({*(p.n for p in self.reading.view.events[first - 1 : last]), *self.fixes})
        return self._entered[hand]


def is_undated(finding: Finding) -> bool:
    """True if the finding is broken and has no date yet."""
    return finding.known_from is None and finding.verdict == Verdict.BROKEN


def split_at_corrections(positions: Sequence[int], fixes: Iterable[int]) -> list[list[int]]:
    """Split sorted positions before each correction.

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
