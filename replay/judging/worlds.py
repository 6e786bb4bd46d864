"""Enumerate the worlds of a hand, judge each, and collect what all agree on.

A *world* is one assignment of faces to all unseen cards of a hand that agrees with everything recorded: what was
dealt, taken and shown, and how many. What a rule says in all worlds is certain; what it says in some is open. This
code shares nothing with the view's counting, so the two can check each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from math import factorial, prod
from random import Random
from typing import Any, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack
from events.model import Event
from reducers.evolve import evolve
from reducers.model import State
from reducers.rules import Verdict
from reducers.scoring import HandScore
from reducers.table import Table
from replay.budget import Budget, steps_of
from replay.fold import Corrected
from replay.judging.assignments import all_assignments, count_assignments, sampled_assignments, world_from
from replay.judging.findings import Either, EventPlace, Finding, Judgement, without_duplicates
from replay.judging.hidden_cards import HandReading, HiddenCard, read_hand, trace_hidden_cards
from replay.judging.hindsight import CardProof
from replay.judging.impossible_holdings import Charge, demand_of, one_is_broken
from replay.judging.rule_questions import RuleQuestion

# A late hand of a long record gets fewer worlds, drawn at random, but at least this many.
FEWEST = 40
# Most charges of a hand that are compared with each other.
MOST_CHARGES = 8
# Most assignments listed per possible world, as not every assignment fits what was seen.
LISTED = 20
# Steps for tracing the unseen cards of a hand then.
FEW_STEPS = 1_000
# A world costs about as many steps as the record itself. Worlds are cut short at this multiple of the budget.
PATIENCE = 2
# Steps to start a world.
STEPS_PER_WORLD = 20


class Walker(Protocol):
    """The judge as the worlds use it: a log that was read, and the walk that asks its rules."""

    view: Corrected
    events: list[Event]
    hand_at: list[int]
    budget: Budget
    weight: int

    def state_before(self, hand: int) -> State[Any]:
        """A copy of the state before the first event of a hand."""

    def walk(
        self, events: Sequence[Event], proofs: Sequence[CardProof], *, state: State[Any] | None = None, first: int = 1,
        astray: Sequence[bool] | None = None, asked: Container[int] | None = None,
    ) -> Iterator[RuleQuestion]:  # fmt: skip
        """Ask the rules about these events, in order, or about those at the steps `asked`."""


World: TypeAlias = tuple[Sequence[HiddenCard], list[tuple[HiddenCard, int]]]
"""The unseen cards of a hand, and the face of each in a world."""


class Opinion(Struct, frozen=True):
    """What all worlds together say about one act and one rule ("" for any rule at all).

    `worlds` is the number of worlds in which it is broken; `text` is the rule's text, if it is the same in all.
    """

    pos: int
    rule: str
    verdict: Verdict
    worlds: int = 0
    text: str = ""


class SecondOpinion(Struct):
    """The second opinion on one hand. `worlds` is the number tried; `complete` is True if these are all.

    `opinions` lists what is broken or open (anything else about the `acts` is allowed, if `complete`); `points` has
    the possible points of each side with all worlds tried; `why` is the reason if the hand could not be examined.
    `acts` are the positions judged in each world, `last` is the last position of the hand. `together` are open
    charges at least one of which is broken in every world.
    """

    hand: int
    worlds: int
    complete: bool
    opinions: list[Opinion]
    points: dict[str, list[int | None]]
    cards: dict[int, list[str]]
    why: str = ""
    # True if the worlds took too many steps and no more were tried.
    cut: bool = False
    last: int = 0
    acts: frozenset[int] = frozenset()
    together: tuple[Charge, ...] = ()

    def opinion(self, pos: int, rule: str) -> Opinion:
        """The opinion on an act and a rule; by default one that allows it."""
        return next((o for o in self.opinions if o.pos == pos and o.rule == rule), Opinion(pos, rule, Verdict.ALLOWED))

    def verdict(self, pos: int, rule: str) -> Verdict:
        """The verdict on an act and a rule."""
        found = self.opinion(pos, rule).verdict
        return found if self.complete or found == Verdict.OPEN else Verdict.OPEN


def lies_in_few_ways(table: Table, most: int) -> bool:
    """True if cards are unseen at the end of a hand, and can be shared out among their piles in at most `most` ways.
    Cards that left unseen are not counted."""
    piles = [pile for pile in table.piles.values() if pile.vague or pile.covered]
    counts = [pile.covered for pile in piles]
    return bool(counts) and not any(
        pile.vague for pile in piles
    ) and factorial(sum(counts)) <= most * prod(map(factorial, counts))


def opinions_on(
    judge: Walker, hands: Sequence[int], budget: Budget, *, steps: int, limit: int,
) -> Iterator[SecondOpinion]:
    """The exact opinion on each of these hands, in order. They share one budget, with at most `steps` for each.

    If a hand has more than `limit` worlds, or than the budget allows, a random sample is judged.
    """
    for waiting, number in zip(range(len(hands), 0, -1), hands, strict=True):
        judge.budget = budget.part(steps, of=waiting)
        yield _look(judge, number, _read(judge, number), limit, judge.budget)


def answers_by_worlds(
    judge: Walker, asked: Mapping[int, Collection[Charge]], few: Container[int], several: Container[int],
    budget: Budget, *, limit: int,
) -> Iterator[SecondOpinion]:  # fmt: skip
    """The exact opinion on the charges that are `asked` about, by hand, if all worlds agree on any.

    Worlds are tried in the `few` hands, which may have at most `limit` of them, until it is clear that they agree on
    nothing. In hands with `several` charges about one holding, it is asked whether any holding keeps all the rules.
    """
    for waiting, number in zip(range(len(asked), 0, -1), sorted(asked), strict=True):
        charges = frozenset(asked[number])
        of_one_holding = number in several and len(charges) <= MOST_CHARGES
        steps = _steps_of(judge, charges, *_span(judge, number))
        # An act in question may have come before the first line of the hand.
        if not steps or not (number in few or of_one_holding):
            continue
        if budget.left <= 0:
            budget.cut("ways", number)
            continue
        judge.budget = budget.part(budget.left, of=waiting)
        hand = _read(judge, number, steps[0])
        if hand is None:
            continue
        found = _agreeing(judge, number, hand, limit, charges, steps) if number in few else None
        if found is None and of_one_holding:
            found = SecondOpinion(number, 0, False, [], {}, {}, together=_no_holding(judge, hand, steps))
        if found is not None:
            yield found


def _span(judge: Walker, hand: int) -> tuple[int, int]:
    """The first and the last step of a hand."""
    return bisect_left(judge.hand_at, hand) + 1, bisect_right(judge.hand_at, hand)


def _read(judge: Walker, hand: int, kept: int = 0) -> HandReading | None:
    """The reading of a hand, with the state before the step `kept`; None if its unseen cards cannot be traced."""
    first, last = _span(judge, hand)
    # A reading numbers the acts by their steps.
    plain = all(placed.n == step for step, placed in enumerate(judge.view.events[first - 1 : kept], first))
    return read_hand(judge.state_before(hand), judge.events[first - 1 : last], first, kept if plain else 0)


def _look(judge: Walker, number: int, hand: HandReading | None, limit: int, budget: Budget) -> SecondOpinion:
    """The exact opinion on one hand."""
    ways, free, why = trace_hidden_cards(hand, however=True)
    if hand is None or why:
        together = _no_holding(judge, hand) if hand is not None else ()
        return SecondOpinion(number, 0, False, [], {}, {}, why, together=together)
    worlds, pack = _Worlds(judge, hand), hand.table.pack
    # Each world costs about as many steps as the record itself.
    for _ in judge.walk(hand.events, (), state=hand.start.fork(), first=hand.first, astray=hand.astray):
        pass
    limit = min(limit, max(FEWEST, budget.left // max(1, budget.spent)))
    whole = all(count <= limit for count in accumulate(count_assignments(slots, free, pack) for slots in ways))
    if whole:
        cut = worlds.try_each(_each_world(ways, free, pack))
    else:
        cut = worlds.try_each(
            ((ways[i], chosen) for i, chosen in sampled_assignments(ways, free, pack, limit, Random(0)))
        )
    out = worlds.opinion(number, complete=whole and not cut, cut=cut)
    return out if out.complete else replace(out, together=_no_holding(judge, hand))


def _agreeing(
    judge: Walker, number: int, hand: HandReading, limit: int, charges: frozenset[Charge], asked: Sequence[int],
) -> SecondOpinion | None:
    """The exact opinion on one hand, empty if the worlds agree on none of the charges; None if there are too many
    worlds."""
    pack, left = hand.table.pack, judge.budget.left
    ways, free, why = trace_hidden_cards(hand, however=True, most_steps=FEW_STEPS)
    most = max(0, min(limit, left // len(hand.events)))
    # An upper bound. Worlds are listed one by one only if it is not far above the limit.
    if why or any(
        count > LISTED * limit for count in accumulate(count_assignments(slots, free, pack) for slots in ways)
    ):
        return None
    listed = list(islice(_each_world(ways, free, pack), most + 1))
    each = STEPS_PER_WORLD + judge.weight * steps_of(hand.events[: asked[-1] + 1 - hand.first])
    if len(listed) > most or len(listed) * each > PATIENCE * left:
        return None
    # In a random order worlds that disagree come soon.
    Random(0).shuffle(listed)
    worlds = _Worlds(judge, hand, asked)
    cut = worlds.try_each(listed, charges)
    return worlds.opinion(number, complete=not cut, cut=cut)


def _steps_of(judge: Walker, charges: Iterable[Charge], first: int, last: int) -> list[int]:
    """The steps of the acts that are charged, of those from `first` to `last`."""
    acts = {pos for pos, _ in charges}
    return [step for step in range(first, last + 1) if judge.view.events[step - 1].n in acts]


def _asked_at(
    asked: Sequence[int], judge: Walker, hand: HandReading, events: Sequence[Event], proofs: Sequence[CardProof],
    state: State[Any], astray: Sequence[bool] | None = None, first: int = 0,
) -> Iterator[RuleQuestion]:  # fmt: skip
    """The answers about the acts at the steps `asked`, played no further than the last of these; about all if there are
    none. `state` is the one before the hand, or before the step `first`."""
    first = first or hand.first
    events = events[first - hand.first : asked[-1] + 1 - hand.first if asked else len(events)]
    astray = astray and astray[first - hand.first :]
    return judge.walk(events, proofs, state=state, first=first, astray=astray, asked=asked or None)


def _each_world(ways: Sequence[Sequence[HiddenCard]], free: int, pack: Pack) -> Iterator[World]:
    """Every assignment in each of these ways."""
    return ((slots, chosen) for slots in ways for chosen in all_assignments(slots, free, pack))


def _no_holding(judge: Walker, hand: HandReading, asked: Sequence[int] = ()) -> tuple[Charge, ...]:
    """Charges about one seat, at least one of which is certain whatever it held; of the acts at the steps `asked`, or
    of all."""
    proofs = hand.proofs("shown", "turned", "found")
    demands = [
        demand
        for said in _asked_at(asked, judge, hand, hand.events, proofs, hand.start.fork())
        if said.says.verdict == Verdict.OPEN and said.owner != "table" and (demand := demand_of(said)) is not None
    ]
    return one_is_broken(demands, hand.table.pack)


def _can_be(start: State[Any], played: Sequence[Event], first: int) -> bool:
    """True if no pile runs out of cards in a world that fixes the number of uncounted cards."""
    state = start.fork()
    for step, event in enumerate(played, first):
        state.at = state.table.now = step
        evolve(state, event)
        if state.table.trouble:
            return False
    return True


class _Worlds:
    """Judges the worlds of a hand and counts the results."""

    def __init__(self, judge: Walker, hand: HandReading, asked: Sequence[int] = ()) -> None:
        self.judge, self.hand = judge, hand
        # The steps whose acts are judged in each world, which then is not played on to its score; none for all.
        self.asked = asked
        # Cards identified in a row are not among the slots of the holdings.
        self.turned = hand.proofs("turned")
        # The sets of charges broken together, with the number of worlds for each.
        self.broken: dict[frozenset[Charge], int] = {}
        # The texts of each broken charge, and the charges left open in a world with a text.
        self.texts: dict[Charge, set[str]] = {}
        self.unsure: dict[Charge, str] = {}
        self.points: dict[str, set[int | None]] = {}
        self.faces: dict[int, set[str]] = {}
        self.tried = 0

    def agreed_so_far(self, charges: frozenset[Charge]) -> frozenset[Charge]:
        """The charges on which the worlds tried so far agree; all, if each of these worlds breaks one of them."""
        broken = [some & charges for some in self.broken]
        return charges.difference(self.unsure, *broken) if frozenset() in broken else charges

    def try_each(self, worlds: Iterable[World], charges: frozenset[Charge] = frozenset()) -> bool:
        """Judge these worlds. Returns True if the rest were skipped because of the budget, or because they agree on
        none of the `charges`."""
        budget, hand, asked = self.judge.budget, self.hand, self.asked
        enough = budget.spent + PATIENCE * budget.left
        # What was broken in a world, by all that is known until the last act that is asked about.
        same: dict[Any, frozenset[Charge]] = {}
        for slots, chosen in worlds:
            if budget.spent > enough and self.tried:
                return True
            budget.spend(STEPS_PER_WORLD)
            counted = not any(slot.many for slot in slots)
            played, proofs, told = world_from(slots, chosen, hand.events, hand.first, hand.table.pack)
            if played is None or not (counted or _can_be(hand.start, played, hand.first)):
                continue
            last = asked[-1] if asked else hand.last
            stays = Counter([(p.pile, p.code, p.since, min(p.until, last + 1)) for p in proofs if p.since <= last])
            faces = tuple([(step, *codes) for step, codes in told.items() if step <= last])
            known = (faces, frozenset(stays.items())) if counted else len(same)
            broken = same.get(known)
            if broken is None:
                from_midway = hand.midway is not None and not any(step < hand.kept for step in told) and counted
                broken = same[known] = self._judged(played, [*proofs, *self.turned], asked, from_midway)
            self.tried += 1
            self.broken[broken] = self.broken.get(broken, 0) + 1
            for step, codes in told.items():
                names = self.faces.setdefault(self.judge.view.events[step - 1].n, set())
                names.update(hand.table.pack.faces[c] for c in codes)
            if charges:
                left = self.agreed_so_far(charges)
                if not left:
                    return True
                if left != charges:
                    # The other questions stay open, and are not asked again.
                    charges, same = left, {}
                    asked = _steps_of(self.judge, left, hand.first, hand.last)
        return False

    def _judged(
        self, played: Sequence[Event], proofs: Sequence[CardProof], asked: Sequence[int], midway: bool,
    ) -> frozenset[Charge]:
        """Judge one world, perhaps from the state midway. Return what is broken in it, and note the rest."""
        hand, broken = self.hand, set[Charge]()
        state = hand.midway.fork() if midway and hand.midway is not None else hand.start.fork()
        first = hand.kept if midway else hand.first
        for said in _asked_at(asked, self.judge, hand, played, proofs, state, hand.astray, first):
            charge = (said.placed.n, f"{said.owner}.{said.rule.id}")
            if said.says.verdict == Verdict.BROKEN:
                broken.add(charge)
                self.texts.setdefault(charge, set()).add(said.says.text)
            elif said.says.verdict == Verdict.OPEN:
                self.unsure[charge] = said.says.text
        score: HandScore | None = state.score
        for who, n in (score.points if score else {}).items():
            self.points.setdefault(who, set()).add(n)
        return frozenset(broken)

    def opinion(self, hand: int, *, complete: bool, cut: bool) -> SecondOpinion:
        """What all worlds together say."""

        def verdict(n: int) -> Verdict:
            return Verdict.BROKEN if n == self.tried and complete else Verdict.OPEN

        charges: dict[Charge, int] = {}
        acts: dict[int, int] = {}
        for broken, n in self.broken.items():
            for charge in broken:
                charges[charge] = charges.get(charge, 0) + n
            for pos in {pos for pos, _ in broken}:
                acts[pos] = acts.get(pos, 0) + n
        opinions = [
            Opinion(pos, rule, verdict(n), n, next(iter(texts)) if len(texts := self.texts[pos, rule]) == 1 else "")
            for (pos, rule), n in sorted(charges.items())
        ]
        opinions += [Opinion(pos, "", verdict(n), n) for pos, n in sorted(acts.items())]
        # A charge that a rule leaves open in a fully known world is open.
        opinions += [
            Opinion(pos, rule, Verdict.OPEN, text=self.unsure[pos, rule])
            for pos, rule in sorted(self.unsure.keys() - charges.keys())
        ]
        opinions += [Opinion(pos, "", Verdict.OPEN) for pos in sorted({pos for pos, _ in self.unsure} - acts.keys())]
        if not complete:
            # A sample proves "open" only with worlds of both kinds.
            opinions = [
                o for o in opinions if (charges.get((o.pos, o.rule), 0) if o.rule else acts.get(o.pos, 0)) < self.tried
            ]
        ranges = {who: sorted(ns, key=lambda n: (n is None, n or 0)) for who, ns in self.points.items()}
        cards = {pos: sorted(names) for pos, names in self.faces.items()}
        why = "" if self.tried else "no world agrees with the record"
        complete = complete and self.tried > 0
        steps = range(self.hand.first, self.hand.last + 1)
        certain = {charge for charge, n in charges.items() if n == self.tried}
        together = one_in_each([broken - certain for broken in self.broken]) if complete else ()
        judged = frozenset(self.judge.view.events[step - 1].n for step in self.asked or steps)
        last = self.judge.view.events[steps[-1] - 1].n
        return SecondOpinion(hand, self.tried, complete, opinions, ranges, cards, why, cut, last, judged, together)


def one_in_each(worlds: Sequence[frozenset[Charge]]) -> tuple[Charge, ...]:
    """A small set of charges with one in each of these sets, in order; empty if one of the sets is empty.

    >>> one_in_each([frozenset({(4, "R1"), (6, "R1")}), frozenset({(5, "R2")}), frozenset({(4, "R1")})])
    ((4, 'R1'), (5, 'R2'))
    >>> one_in_each([frozenset({(4, "R1")}), frozenset()])
    ()
    """
    left, chosen = list(worlds), []
    if not all(left):
        return ()
    while left:
        counts: dict[Charge, int] = {}
        for broken in left:
            for charge in broken:
                counts[charge] = counts.get(charge, 0) + 1
        best = max(sorted(counts, reverse=True), key=counts.__getitem__)
        chosen.append(best)
        left = [broken for broken in left if best not in broken]
    return tuple(sorted(chosen))


def with_all_worlds(judgement: Judgement, opinions: Iterable[SecondOpinion]) -> Judgement:
    """Settle open questions of hands whose worlds were all tried and agree.

    What is broken in every world is broken, known by the end of the hand at the latest; what is allowed in every
    world is dropped. If every world breaks a rule in one act or another, that is added to `either`.
    """
    told = [e for e in opinions if e.complete or e.together]
    if not told:
        return judgement
    whole = {e.hand: e for e in told if e.complete}
    findings = [answered for f in judgement.findings if (answered := _answered(f, whole.get(f.at.hand))) is not None]
    left = {(f.at.pos, f.rule) for f in findings if f.verdict == Verdict.OPEN}
    settled = {(f.at.pos, f.rule) for f in judgement.open} - left
    either = [one for one in judgement.either if settled.isdisjoint(one.charges)]
    said = {charge for one in either for charge in one.charges}
    either += [
        Either(e.hand, e.together) for e in told if e.together and left.issuperset(e.together)
        and said.isdisjoint(e.together)
    ]
    return replace(judgement, findings=without_duplicates(findings, either), either=tuple(either))


def _answered(f: Finding, e: SecondOpinion | None) -> Finding | None:
    """Settle an open question by the worlds of its hand; None if all of them allow the act."""
    # A question about the line that begins a hand belongs to the hand before it.
    if e is None or f.verdict != Verdict.OPEN or f.rule.startswith("table.") or f.at.pos not in e.acts:
        return f
    says = e.opinion(f.at.pos, f.rule)
    if says.verdict == Verdict.OPEN:
        # What the only world leaves open depends on no card.
        return replace(f, text=says.text) if e.worlds == 1 and says.text else f
    if says.verdict == Verdict.ALLOWED:
        return None
    worlds = (
        "the only way the unseen cards can lie breaks" if e.worlds == 1
        else f"each of the {e.worlds} ways the unseen cards can lie breaks"
    )
    return replace(
        f, verdict=Verdict.BROKEN, known_from=EventPlace(e.last, e.hand), bound=True,
        evidence=tuple(dict.fromkeys((f.at.pos, e.last))), worlds=e.worlds,
        text=says.text or "the rule is broken whichever cards the unseen ones are",
        because=(f"by trying: {worlds} it",),
    )  # fmt: skip
