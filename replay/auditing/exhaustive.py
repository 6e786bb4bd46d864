"""The slow, exact second opinion: every way the hidden cards can lie, each replayed and judged.

A *world* is one assignment of faces to all unseen cards of a hand that agrees with everything recorded: what was dealt,
taken and shown, and how many. What a rule says in all worlds is certain; what it says in some is open. Nothing here
shares a line with the view's counting, so the two can check each other.

Where there are more worlds than `limit`, so many are drawn at random: a sample can prove that something is *open* (one
world each way), never that it is broken or allowed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import Any

from msgspec import Struct

from events.model import Event, Recorded
from reducers.begin import begin
from reducers.evolve import evolve
from reducers.model import State
from reducers.rules import Verdict
from reducers.scoring import HandScore
from replay.budget import Budget
from replay.judging.assignments import all_assignments, counted_out, sampled_assignments, world_from
from replay.judging.hidden_cards import HiddenCard, trace_hidden_cards
from replay.judging.hindsight import Proof
from replay.judging.judge import Judge
from replay.read_log import read

LIMIT = 6000


# So many events are folded and asked about in all worlds of a record; a hand that comes late in a record with many has
# fewer worlds, but so many at least, drawn at random.
STEPS = 300_000
FEWEST = 40


# A world takes about as many steps as the record as it stands; if the worlds take so many times as many, they are cut short.
PATIENCE = 2


# To begin a world anew takes as long as so many steps.
ANEW = 20


class Opinion(Struct, frozen=True):
    """What all worlds together say about one act and one rule ("" for: does it break any rule at all?).

    `worlds` is in how many of those tried it is broken.
    """

    pos: int
    rule: str
    verdict: Verdict
    worlds: int = 0


class Exact(Struct):
    """The second opinion on one hand. `worlds` were tried; `complete` says these are all there are.

    `opinions` lists what is broken or open (anything not listed is allowed, if `complete`); `points` has the possible
    points of each side with all worlds tried; `why` says why a hand could not be looked at.
    """

    hand: int
    worlds: int
    complete: bool
    opinions: list[Opinion]
    points: dict[str, list[int | None]]
    cards: dict[int, list[str]]
    why: str = ""
    # Whether the worlds took so many steps that no more were tried.
    cut: bool = False

    def verdict(self, pos: int, rule: str) -> Verdict:
        """The verdict on an act and a rule."""
        found = next((o.verdict for o in self.opinions if o.pos == pos and o.rule == rule), Verdict.ALLOWED)
        return found if self.complete or found == Verdict.OPEN else Verdict.OPEN


def exact(
    records: Iterable[Recorded], *, hand: int | Collection[int] | None = None, limit: int = LIMIT, seed: int = 0
) -> list[Exact]:
    """The exact opinion on each hand of a log, on one or on some. Raises like `replay.judging.judge.judge`.

    The hands share one budget, so that there are fewer worlds for each of many.
    """
    judge = Judge(read(records).view)
    # What elimination would name is found out here, not taken over.
    judge.infer_hidden_cards(eliminate=False)
    wanted = {hand} if isinstance(hand, int) else hand
    hands = [n for n in _hands(judge) if wanted is None or n in wanted]
    budget = Budget(STEPS)
    out: list[Exact] = []
    start, folded = begin(judge.view.opening.facts), 0
    for waiting, number in zip(range(len(hands), 0, -1), hands, strict=True):
        first = bisect_left(judge.hand_at, number) + 1
        for step in range(folded + 1, first):
            start.at, start.table.now = judge.view.events[step - 1].n, step
            evolve(start, judge.events[step - 1])
        folded = first - 1
        start.table.trouble.clear()
        out.append(_look(judge, number, start.copy(), limit, seed, budget.part(STEPS, of=waiting)))
    return out


def _can_be(start: State[Any], played: Sequence[Event], first: int) -> bool:
    """Whether the piles had as many cards as went out of them in a world in which cards that nobody counted are so many."""
    state = start.copy()
    for step, event in enumerate(played, first):
        state.at = state.table.now = step
        evolve(state, event)
        if state.table.trouble:
            return False
    return True


def _hands(judge: Judge) -> list[int]:
    return sorted({n for n in judge.hand_at if n})


def _look(judge: Judge, hand: int, start: State[Any], limit: int, seed: int, budget: Budget) -> Exact:
    """The exact opinion on one hand, of which `start` is the state before it."""
    first, last = bisect_left(judge.hand_at, hand) + 1, bisect_right(judge.hand_at, hand)
    events = judge.events[first - 1 : last]
    pack = start.game.pack
    ways, free, why = trace_hidden_cards(start, events, first, last, however=True)
    if why:
        return Exact(hand, 0, False, [], {}, {}, why)
    judge.budget = budget
    worlds = _Worlds(judge, start, events, first, [p for p in judge.turned if first <= p.until <= last])
    limit = min(limit, max(FEWEST, budget.left // max(1, budget.spent)))
    counts = accumulate(counted_out(slots, free, pack) for slots in ways)
    whole = all(count <= limit for count in counts)
    if whole:
        cut = worlds.try_each((slots, chosen) for slots in ways for chosen in all_assignments(slots, free, pack))
    else:
        cut = worlds.try_each(((ways[i], chosen) for i, chosen in sampled_assignments(ways, free, pack, limit, Random(seed))))
    return worlds.opinion(hand, complete=whole and not cut, cut=cut)


class _Worlds:
    """The worlds of a hand: each is judged, and what came of it is counted."""

    def __init__(self, judge: Judge, start: State[Any], events: Sequence[Event], first: int, turned: Sequence[Proof]) -> None:
        self.judge, self.start, self.events, self.first, self.turned = judge, start, events, first, turned
        self.astray = self._astray()
        # Each world takes about as many steps as the record as it stands.
        for _ in judge.walk(events, (), state=start.copy(), first=first, astray=self.astray):
            pass
        # In how many worlds a rule was broken by an act, and any rule by it; what was left open in one.
        self.broken: dict[tuple[int, str], int] = {}
        self.acts: dict[int, int] = {}
        self.unsure: set[tuple[int, str]] = set()
        self.points: dict[str, set[int | None]] = {}
        self.faces: dict[int, set[str]] = {}
        self.tried = 0

    def _astray(self) -> list[bool]:
        """Before which events an act may be missing: that is the record's to say. That a hidden card would have put somebody
        out of turn is no sign of it."""
        out: list[bool] = []
        plain = self.start.copy()
        for step, event in enumerate(self.events, self.first):
            out.append(plain.table.astray)
            plain.at, plain.table.now = self.judge.view.events[step - 1].n, step
            evolve(plain, event)
        return out

    def try_each(self, worlds: Iterable[tuple[Sequence[HiddenCard], list[tuple[HiddenCard, int]]]]) -> bool:
        """Judge these worlds; whether that took so many steps that the rest were left out."""
        budget, pack = self.judge.budget, self.start.game.pack
        enough = budget.spent + PATIENCE * budget.left
        for slots, chosen in worlds:
            if budget.spent > enough and self.tried:
                return True
            budget.spend(ANEW)
            played, proofs, told = world_from(slots, chosen, self.events, self.first, pack)
            if played is None or (any(slot.many for slot in slots) and not _can_be(self.start, played, self.first)):
                continue
            self._judged(played, [*proofs, *self.turned])
            for step, codes in told.items():
                self.faces.setdefault(self.judge.view.events[step - 1].n, set()).update(pack.faces[c] for c in codes)
        return False

    def _judged(self, played: Sequence[Event], proofs: Sequence[Proof]) -> None:
        """Judge one world and count what came of it."""
        state = self.start.copy()
        acts: set[int] = set()
        for said in self.judge.walk(played, proofs, state=state, first=self.first, astray=self.astray):
            key = (said.placed.n, f"{said.owner}.{said.rule.id}")
            if said.says.verdict == Verdict.BROKEN:
                self.broken[key] = self.broken.get(key, 0) + 1
                acts.add(said.placed.n)
            elif said.says.verdict == Verdict.OPEN:
                self.unsure.add(key)
        self.tried += 1
        for pos in acts:
            self.acts[pos] = self.acts.get(pos, 0) + 1
        score: HandScore | None = state.score
        for who, n in (score.points if score else {}).items():
            self.points.setdefault(who, set()).add(n)

    def opinion(self, hand: int, *, complete: bool, cut: bool) -> Exact:
        """What all worlds together say."""

        def verdict(n: int) -> Verdict:
            return Verdict.BROKEN if n == self.tried and complete else Verdict.OPEN

        opinions = [Opinion(pos, rule, verdict(n), n) for (pos, rule), n in sorted(self.broken.items())]
        opinions += [Opinion(pos, "", verdict(n), n) for pos, n in sorted(self.acts.items())]
        # What a rule leaves open although this world has a card in every place is open.
        opinions += [Opinion(pos, rule, Verdict.OPEN) for pos, rule in sorted(self.unsure - self.broken.keys())]
        opinions += [Opinion(pos, "", Verdict.OPEN) for pos in sorted({pos for pos, _ in self.unsure} - self.acts.keys())]
        if not complete:
            # A sample proves open only with a world each way.
            opinions = [o for o in opinions if (self.broken.get((o.pos, o.rule), 0) if o.rule else self.acts.get(o.pos, 0)) < self.tried]
        ranges = {who: sorted(ns, key=lambda n: (n is None, n or 0)) for who, ns in self.points.items()}
        cards = {pos: sorted(names) for pos, names in self.faces.items()}
        why = "" if self.tried else "no world agrees with the record"
        return Exact(hand, self.tried, complete and self.tried > 0, opinions, ranges, cards, why, cut)
