"""The short ways of judging: one walk in which every rule is asked with what had been seen.

More knowledge never takes back an "allowed". So what a rule was content with it stays content with, and only what it could
not answer, or objected to, has to be asked again with what later events prove. A log that was seen whole and gives no
cause for a finding is done with one walk (`spotless`). Where hands were dealt unseen, the walk (`glance`) also learns
which unseen cards turned out to be which, and keeps what was asked; it gives up where the record contradicts itself,
or where an act stands in no place of its own: then only the long way of the judge will do.
"""

from __future__ import annotations

import copy
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import UNKNOWN, one_by_one
from events.model import ABOUT, Bid, Call, Deal, End, Event, Fix, Gap, Hand, Name, Open, Pass, Play, Recorded, Tally
from reducers.game import ANY_TIME, ON_THE_TABLE, acts_of, begin, evolve, find, in_hand, plans, plays_on, seated
from reducers.rules import CheckFunction
from reducers.state import State, names_of
from reducers.table import Entry
from replay.budget import Budget
from replay.fold import Placed
from replay.slots import Proof, named, nothing_to_name, snap

# What the journal notes of cards that did not stay unseen.
SEEN = frozenset(("in", "shown", "turned", "named", "back"))
# What moves no card: a hand of nothing else but its deal and cards played from the holdings came to light as it was played.
SAID = frozenset((Bid, Pass, Name, Call, End, *ABOUT)) - {Fix}

Script = tuple[Callable[[Any, Any], None], tuple[CheckFunction, ...]]
Course = tuple[Any, ...]


@cache
def scripts(key: str) -> dict[str, dict[type[Event], Script]]:
    """For each phase of a game what is done with each type of event there: how it is applied, and what is asked first.

    Acts out of their phase are left out, and so are tallies, whose facts are looked at one by one.
    """
    on = find(key).on
    return {
        phase: {
            kind: (on.get(kind, evolve_only) if kind is not End else evolve_only, tuple(check.run for check in checks))
            for kind, checks in plan.items() if kind is not Tally and (kind in on or kind in ANY_TIME)
        }
        for phase, plan in plans(key).items()
    }  # fmt: skip


def evolve_only(event: Event, state: State[Any]) -> None:
    """Apply an event in the general way."""
    evolve(state, event)


def spotless(opening: Open, log: Iterable[Recorded | Placed]) -> State[Any] | None:
    """The state in which a log ends that gives no cause for any finding; None if it may give one.

    What could be said of cards that went by unseen needs more than this.
    """
    state = begin(opening.facts)
    key = state.game.key
    table, seats = scripts(key), state.terms.side_of
    journal: list[Entry] = []
    state.table.journal = journal
    phase, here = state.phase, before_a_hand(key, state.phase)
    for r in log:
        event = r.event
        state.at = r.n
        if state.phase is not phase:
            phase, here = state.phase, table[state.phase]
        script = here.get(type(event))
        if state.ended and plays_on(event, state):
            return None
        if script is None or event.by not in seats:
            script = out_of_the_way(event, state, script)
            if script is None:
                return None
        act, checks = script
        for check in checks:
            if check(event, state) is not None:
                return None
        act(event, state)
    if state.table.trouble or any(e.kind not in SEEN for e in journal):
        return None
    return state


@cache
def before_a_hand(key: str, phase: str) -> dict[type[Event], Script]:
    """The same for one phase without what is done with cards on the table: there are none before the first hand."""
    return {kind: script for kind, script in scripts(key)[phase].items() if kind not in ON_THE_TABLE}


def out_of_the_way(event: Event, state: State[Any], script: Script | None) -> Script | None:
    """What is done with an event that is no act in its place: the deal, a claim, the first act of a hand nobody began.

    None if it is out of order, or if it is one that the short ways do not look at.
    """
    kind = type(event)
    if kind is Fix or kind is Tally or state.table.trouble or (kind is Gap and state.settled):
        return None
    key = state.game.key
    if kind in acts_of(key) and not (event.by == "@" and kind in ANY_TIME):
        if not seated(event.by, state):
            return None
        if state.phase == "between":
            in_hand(state)
            script = scripts(key)[state.phase].get(kind)
    return script


def dealt_unseen(log: Iterable[Recorded]) -> bool:
    """Whether the first deal of a log has cards that were not seen."""
    deal = next((r.event for r in log if type(r.event) is Deal), None)
    return isinstance(deal, Deal) and any("?" in card for _, cards in deal.piles for card in cards)


# -- hands that were not seen -------------------------------------------------------------------------------------------


class Start(Struct):
    """Where a hand begins: its first step, and the state before it."""

    step: int
    state: State[Any]


class Doubt(Struct):
    """The steps of a hand at which a check was not content.

    For the first of them: the checks, the state just before it, and how the hand stood after it; no state where a page
    keeps more of a hand than can be copied and compared at a glance.
    """

    steps: list[int]
    checks: tuple[CheckFunction, ...] = ()
    before: State[Any] | None = None
    after: Course | None = None


class Again(Struct):
    """A hand that has to be walked again: from its `first` step to its `last`, asking from the step `asked` on.

    `state` is the state before the hand, `proofs` say which of its unseen cards turned out to be which. Where a single act
    is in question, and no card had left unseen before it, it is to be asked about first as the only `doubt`.
    """

    first: int
    last: int
    asked: int
    state: State[Any]
    proofs: list[Proof]
    doubt: Doubt | None


class Glance(Struct):
    """What one walk without hindsight came to.

    `state` is the state at the end, `hands` the hand after each step, `starts` where each hand begins. `doubts` is where a
    check was not content, by the hand in play as it was asked; `gone` the step of each hand at which a card first left
    unseen.
    """

    state: State[Any]
    events: Sequence[Placed]
    hands: list[int]
    journal: list[Entry]
    doubts: dict[int, Doubt]
    gone: dict[int, int]
    starts: dict[int, Start]

    def again(self) -> list[Again] | None:
        """The hands to be walked again: those with a doubt, and those in which cards left unseen.

        None where a check was not content before any hand began, or where it cannot be said since when a card lay in its
        place.
        """
        out: list[Again] = []
        for hand in sorted({*self.doubts, *self.gone}):
            if hand not in self.starts:
                return None
            first, entries = self.starts[hand].step, self._entries(hand)
            proofs = [Proof(e.pile, e.since, e.step, e.code) for e in entries if e.kind in ("shown", "turned")]
            if any(p.since < first for p in proofs):
                return None
            # The act that begins a hand is asked about while the hand before it still lies there.
            doubt, last = self.doubts.get(hand), self._last(hand)
            alone = doubt is not None and len(doubt.steps) == 1 and self.gone.get(hand, last) >= doubt.steps[0]
            state = self.starts[hand].state
            state.table.journal = None
            if last < len(self.events) and self._begins(last + 1):
                last += 1
            out.append(Again(first, last, first + self._begins(first), state, proofs, doubt if alone else None))
        return out

    def look_closer(self, budget: Budget) -> bool:
        """Whether elimination names a card that nobody saw, or may: then the record says more than was asked here."""
        for hand in sorted(self.gone):
            start, after = self.starts.get(hand), self.starts.get(hand + 1)
            if start is None or nothing_to_name(self._entries(hand), (after.state if after else self.state).table):
                continue
            last = self._last(hand)
            faces = named(start.state, [p.event for p in self.events[start.step - 1 : last]], start.step, last, budget)
            if faces is None or faces:
                return True
        return False

    def _begins(self, step: int) -> bool:
        """Whether somebody wrote here that a hand begins; else its first act began it."""
        return type(self.events[step - 1].event) is Hand

    def _last(self, hand: int) -> int:
        """The last step of a hand."""
        after = self.starts.get(hand + 1)
        return after.step - 1 if after else len(self.events)

    def _entries(self, hand: int) -> list[Entry]:
        """What the journal notes of a hand."""
        low = bisect_left(self.journal, self.starts[hand].step, key=_step_of)
        return self.journal[low : bisect_right(self.journal, self._last(hand), lo=low, key=_step_of)]


_step_of = attrgetter("step")


def glance(opening: Open, events: Sequence[Placed]) -> Glance | None:
    """Walk a log once, with what had been seen; None where something is out of order, or cannot be.

    Every act has been asked about then, and every unseen card that came to light is in the journal.
    """
    state = begin(opening.facts)
    key = state.game.key
    table, seats = scripts(key), state.terms.side_of
    seen = Glance(state, events, [], [], {}, {}, {})
    hands, starts = seen.hands, seen.starts
    state.table.journal = seen.journal
    phase, here, number = state.phase, before_a_hand(key, state.phase), 0
    for step, placed in enumerate(events, 1):
        event = placed.event
        kind = type(event)
        state.at = placed.n
        state.table.now = step
        start = snap(state) if state.settled or kind is Hand else None
        if state.phase is not phase:
            phase, here = state.phase, table[state.phase]
        script = here.get(kind)
        if state.ended and plays_on(event, state):
            return None
        if script is None or event.by not in seats:
            script = out_of_the_way(event, state, script)
            if script is None:
                return None
        act, checks = script
        for check in checks:
            if check(event, state) is not None:
                doubtful(event, state, script, seen)
                break
        else:
            act(event, state)
        if state.number != number:
            if start is None:
                return None
            number, starts[state.number] = state.number, Start(step, start)
        hands.append(number)
    for e in seen.journal:
        if e.kind == "out":
            seen.gone.setdefault(hands[e.step - 1], e.step)
    return None if state.table.trouble else seen


def doubtful(event: Event, state: State[Any], script: Script, seen: Glance) -> None:
    """Keep that a check was not content with an act, and apply it."""
    act, checks = script
    doubt = seen.doubts.get(state.number)
    if doubt is not None:
        doubt.steps.append(state.table.now)
        act(event, state)
        return
    seen.doubts[state.number] = doubt = Doubt([state.table.now])
    hand = state.hand
    if all(is_plain(getattr(hand, name)) for name in names_of(hand)):
        doubt.checks = tuple(check for check in checks if check(event, state) is not None)
        doubt.before = kept(state)
    act(event, state)
    if doubt.before is not None:
        doubt.after = course(state)


def course(state: State[Any]) -> Course:
    """How the hand stands: whose turn it is, what the page keeps of it, how many cards lie where, known and unseen."""
    hand = [getattr(state.hand, name) for name in names_of(state.hand)]
    piles = [(p.name, p.known, p.unseen, p.half, p.row and len(p.row)) for p in state.table.piles.values()]
    return (state.phase, state.turn, state.number, state.settled, state.ended, state.table.astray, repr(hand), piles)


def is_plain(value: object) -> bool:
    """Whether a value is a word or a number, an event, or made of such.

    >>> is_plain(("A", 1)), is_plain({"A": [2]}), is_plain(Hand(by="A", number=1)), is_plain(object())
    (True, True, True, False)
    """
    if value is None or isinstance(value, str | int | Struct):
        return True
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    return isinstance(value, tuple | list | set) and all(map(is_plain, value))


def kept(state: State[Any]) -> State[Any]:
    """The state as it is now, with a table and a hand of its own: the walk goes on without it."""
    out = snap(state)
    out.table, out.hand = state.table.as_it_lies(), copy.copy(state.hand)
    for name in names_of(state.hand):
        value = getattr(state.hand, name)
        if isinstance(value, dict | list | set | tuple):
            setattr(out.hand, name, copy.deepcopy(value))
    return out


# -- hands that came to light as they were played -------------------------------------------------------------------------


def as_played(events: Sequence[Placed]) -> list[Placed]:
    """The events with the hands laid open that were dealt unseen and played card by card; empty where there are none.

    Where a hand has nothing but its deal and cards that were seen as they were played, and each seat played as many as it
    was dealt, it was dealt these. Whether that can be, the walk over them shows.
    """
    out = list(events)
    deals: list[int] = []
    played: dict[str, list[str]] = {}
    opened = False
    plain = True
    for i, placed in enumerate(events):
        event = placed.event
        kind = type(event)
        if type(event) is Play:
            if event.src:
                plain = False
            played.setdefault(event.by, []).extend(event.cards)
        elif kind is Hand:
            opened = (plain and _laid_open(out, deals, played)) or opened
            deals, played, plain = [], {}, True
        elif kind is Deal:
            deals.append(i)
            plain = plain and not played
        elif kind not in SAID:
            if not opened:
                return []
            plain = False
    opened = (plain and _laid_open(out, deals, played)) or opened
    return out if opened else []


def _laid_open(events: list[Placed], deals: Sequence[int], played: Mapping[str, list[str]]) -> bool:
    """Write into the deals of a hand what was played from them, if that is every card that was dealt unseen."""
    found: dict[int, Placed] = {}
    for i in deals:
        deal = events[i].event
        assert isinstance(deal, Deal)
        piles = [(name, _filled(name, cards, played)) for name, cards in deal.piles]
        if any(cards is None for _, cards in piles):
            return False
        found[i] = replace(events[i], event=replace(deal, piles=tuple(piles)))
    for i, placed in found.items():
        events[i] = placed
    return bool(found)


def _filled(name: str, cards: tuple[str, ...], played: Mapping[str, list[str]]) -> tuple[str, ...] | None:
    """The cards dealt to a pile with those that were played in the place of the unseen ones; None if they are not all."""
    if not any("?" in c for c in cards):
        return cards
    slots, faces = one_by_one(cards), played.get(name.removeprefix("hand:"), [])
    known = [c for c in slots if c != UNKNOWN]
    came = set(faces)
    if len(came) != len(faces) or len(faces) != len(slots) or "*x??" in cards or not came.issuperset(known):
        return None
    return None if any("?" in c or "=" in c for c in came) else (*known, *(c for c in faces if c not in known))
