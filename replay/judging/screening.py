"""Decide which corrections can explain what is wrong with a record: by a fast screening, and after they were judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reducers.evolve import evolve
from reducers.legal import plans
from reducers.model import State
from reducers.silent_acts import put_in_unwritten
from replay.budget import COPY, LONG, Budget, steps_of, weight_of
from replay.judging.candidates import act_put_in, forms_of_acts, from_stock, gaps_for_missing_act, unwritten_acts
from replay.judging.numbering import numbered_as_meant
from replay.judging.segments import (
    MAX_LINES_APART,
    CandidateCorrection,
    Diagnosis,
    HandSegment,
    far_from,
    first_symptoms,
    wrong_at_sight,
)
from replay.log import NumberedEvent

MIN_FINDINGS_EXPLAINED = 3


class Screening:
    """Drops candidates that cannot be the explanation, by a fold with checks from the corrected line on, without
    hindsight.

    More knowledge never makes a broken rule allowed, so a correction that reveals a conflict or a breach on the way
    to the first symptom, or leaves the symptom, explains nothing.
    """

    def __init__(self, stretch: HandSegment, base: Diagnosis, budget: Budget) -> None:
        self.stretch, self.base, self.budget = stretch, base, budget
        self.starts = first_symptoms(stretch, base)
        self.sight: dict[int, dict[str, int]] = {}
        state = stretch.begun()
        for i, placed in enumerate(stretch.events):
            self._reach(state, placed, i + 1)
            self.sight[placed.n] = dict(wrong_at_sight(state, placed.event))
        budget.spend(steps_of([placed.event for placed in stretch.events]))

    @staticmethod
    def _reach(state: State[Any], placed: NumberedEvent, step: int) -> None:
        state.at, state.table.now = placed.n, step

    def passed(self, candidates: Iterable[CandidateCorrection]) -> Iterator[CandidateCorrection]:
        """The candidates that may explain something, best first."""
        wanted: dict[int, list[CandidateCorrection]] = {}
        for one in numbered_as_meant(self.stretch, candidates, self.budget):
            wanted.setdefault(one.index, []).append(one)
        if not wanted:
            return
        good: list[tuple[int, int, CandidateCorrection]] = []
        state = self.stretch.begun()
        for i, placed in enumerate(self.stretch.events[: max(wanted) + 1]):
            for one in wanted.get(i, ()):
                worth = self.worth(state, one.events, i)
                if worth is not None:
                    good.append((worth, far_from(i, self.starts), one))
            self._reach(state, placed, i + 1)
            evolve(state, placed.event)
            state.table.trouble.clear()
        yield from (one for _, _, one in sorted(good, key=lambda g: g[:2]))

    def inserted(self) -> Iterator[CandidateCorrection]:
        """An unrecorded act in every gap where it may have caused the symptoms."""
        forms = forms_of_acts(self.stretch)
        good: list[tuple[int, int, int, CandidateCorrection]] = []
        for i, state in gaps_for_missing_act(self.stretch, self.base):
            self.budget.spend(1 + 2 * COPY)
            for place, (act, quiet) in enumerate(unwritten_acts(state, forms)):
                if self.budget.left <= 0:
                    break
                (one,) = numbered_as_meant(
                    self.stretch, [act_put_in(self.stretch, {i: (act,)}, quiet=quiet)], self.budget,
                )
                worth = self.worth(state, one.events, i + 1)
                if worth is not None:
                    good.append((worth, far_from(i, self.starts), place, one))
        yield from (one for *_, one in sorted(good, key=lambda g: g[:3]))

    def worth(self, before: State[Any], events: Sequence[NumberedEvent], i: int) -> int | None:
        """Return the change in weight against the record from event `i` on (below 0 is better); None if it explains
        nothing."""
        if self.budget.left <= 0:
            return None
        state = before.fork()
        self.budget.spend(COPY)
        base, sight = self.base, self.sight
        # A correction may leave a symptom, if it is not the last that it could explain.
        waiting = {self.stretch.events[start].n for start in self.starts if start >= i}
        settled = False
        there = {p.n for p in events[i:]}
        # A struck line has nothing wrong with it any more.
        better = sum(
            sum(found.values()) for p in self.stretch.events[i:] if p.n not in there for found in (sight[p.n],)
        )
        worse = 0
        slack = 1 if base.symptoms else 0
        for step, placed in enumerate(events[i:], i + 1):
            self.budget.spend(weight_of(state, longest=len(self.stretch.events)) * steps_of((placed.event,)))
            self._reach(state, placed, step)
            if placed.n == self.stretch.limit and type(placed.event) not in plans(state.game.key)[state.phase]:
                # An inserted act may imply others that went unrecorded before it.
                put_in_unwritten(placed.event, state)
            gone = state.again
            found = dict(wrong_at_sight(state, placed.event))
            self.budget.spend(COPY * (state.again - gone) if len(self.stretch.events) > LONG else 0)
            was = sight.get(placed.n, {})
            for rule, weight in found.items():
                key = (rule, placed.n)
                if rule not in was and key not in base.asked and key not in base.broken:
                    worse += weight
            better += sum(max(0, weight - found.get(rule, 0)) for rule, weight in was.items())
            if worse > better + slack:
                return None
            if placed.n in waiting:
                waiting.discard(placed.n)
                settled = settled or not was or any(found.get(rule, 0) < weight for rule, weight in was.items())
                if not waiting and not settled:
                    return None
        if base.symptoms and any(sight[p.n] for p in self.stretch.events[self.starts[0] :]):
            return worse - better if worse < better else None
        return worse - better if not worse or base.symptoms else None


def explains(one: CandidateCorrection, base: Diagnosis) -> bool:
    """True if a correction counts as an explanation (`replay.judging.repairs` has the rules)."""
    look = one.look
    assert look is not None
    if len(look.conflicts) > len(base.conflicts) or one.weight >= base.weight:
        return False
    if len(look.conflicts) < len(base.conflicts):
        return True
    gone = base.all - look.all
    others = {pos for _, pos in gone} - {one.at}
    ordered = len(look.disorder) < len(base.disorder)
    nothing_new = look.all <= base.all
    if one.kind == "side" or (one.kind == "swap" and one.rank == 0):
        goes_on = next((p.n for p in one.events[one.index + 1 :] if p.event.by != "@"), 0)
        return nothing_new and one.at in {pos for _, pos in gone} and goes_on not in {pos for _, pos in look.all}
    if one.kind == "blank":
        if base.conflicts or not nothing_new:
            return False
        if base.order:
            # A player who alone acts out of order may have gained that right with a card that was recorded wrong.
            return ordered and (len(gone) > 1 or {base.by.get(pos) for pos in base.disorder} == {base.by.get(one.at)})
        sure = look.opens(one.at) <= base.opens(one.at)
        # Findings about the act itself count too: an invalid meld, and what others do with it.
        settled = {pos for _, pos in gone}
        many = len(others) >= 2 and len(settled) >= MIN_FINDINGS_EXPLAINED
        return not look.all and many and (sure or len({base.by[p] for p in settled}) >= 2)
    if not base.symptoms:
        return explains_breaches(one, look, base)
    return (ordered and bool(gone)) or (base.short and not look.short)


def explains_breaches(one: CandidateCorrection, look: Diagnosis, base: Diagnosis) -> bool:
    """True if a correction explains a hand with no symptom of the record."""
    settled = {pos for _, pos in base.all - look.all}
    others, nothing_new = settled - {one.at}, look.all <= base.all
    certain = look.opens(*one.corrected) <= base.opens()
    if (
        certain and nothing_new and one.kind == "swap" and inferred_too_early(one, base)
        and len(look.inferred) < len(base.inferred)
    ):
        # The second line records what was inferred before the first.
        return bool(settled.intersection(one.corrected))
    if one.turned_up and certain and (not look.all or (nothing_new and settled >= {f.at for f in one.fixes})):
        # No player chose these cards, and the findings about both go at once.
        return True
    if one.kind == "insert" and nothing_new and len(others) >= MIN_FINDINGS_EXPLAINED and certain:
        return True
    if one.quiet:
        # Players silently declined a right before another did the suspect act; a card was turned up, which is
        # no choice;
        # or the recorder leaves such acts out.
        accused, acts = {base.by[pos] for pos in settled}, [fix.event for fix in one.fixes if fix.event is not None]
        turned = all(map(from_stock, acts))
        plain = certain and (len(settled) > 1 if turned else accused.isdisjoint(act.by for act in acts))
        if plain and not turned:
            # What else was broken in the hand says nothing about that.
            return nothing_new and bool(settled)
        return not look.all and (plain or (len(acts) > 1 < len(accused) and len(settled) >= MIN_FINDINGS_EXPLAINED))
    if one.kind == "strike" and one.rank == 0:
        # The line repeats the one before it; and nothing else is wrong in the hand, or a later line shows it too.
        return certain and (not look.all or (nothing_new and one.at in settled and len(settled) > 1))
    if one.numbered and len(settled) > 1:
        # No player chose these numbers, and several acts refer to the other meld.
        return not look.all and certain
    if one.kind == "swap" and len(look.inferred) > len(base.inferred):
        # The other order implies missing acts.
        return False
    ats = [f.at for f in one.fixes]
    both = one.kind == "swap" and abs(ats[0] - ats[-1]) <= MAX_LINES_APART and settled >= set(ats)
    return not look.all and certain and (both or len({base.by[pos] for pos in settled}) >= 2)


def inferred_too_early(one: CandidateCorrection, base: Diagnosis) -> bool:
    """True if an act that was not recorded is inferred at one of two neighbouring lines."""
    return one.rank == 1 and not base.symptoms and any(f.at in base.inferred for f in one.fixes)
