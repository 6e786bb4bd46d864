"""The slow, exact second opinion: every way the hidden cards can lie, each replayed and judged.

A *world* is one assignment of faces to all unseen cards of a hand that agrees with everything recorded: what was dealt,
taken and shown, and how many. What a rule says in all worlds is certain; what it says in some is open. Nothing here
shares a line with the view's counting, so the two can check each other.

Where there are more worlds than `limit`, so many are drawn at random: a sample can prove that something is *open* (one
world each way), never that it is broken or allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack, item, squeeze
from events.model import Capture, Event, Hand, Recorded
from reducers.game import begin, evolve
from reducers.rules import Verdict
from reducers.scoring import HandScore
from reducers.state import State
from reducers.table import Entry
from replay.fold import corrected
from replay.judge import Judge, Proof

LIMIT = 6000


class Slot(Struct, frozen=True):
    """An unseen card of a holding: when it came, when it was shown or left unseen (`until`), and what it may be.

    `code` is the face if it was shown, else None; `leaves` says that it left unseen, in the event at `until`.
    """

    pile: str
    since: int
    until: int
    may_be: int
    code: int | None = None
    leaves: bool = False


class Opinion(Struct, frozen=True):
    """What all worlds together say about one act and one rule ("" for: does it break any rule at all?)."""

    pos: int
    rule: str
    verdict: Verdict


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

    def verdict(self, pos: int, rule: str) -> Verdict:
        """The verdict on an act and a rule."""
        found = next((o.verdict for o in self.opinions if o.pos == pos and o.rule == rule), Verdict.ALLOWED)
        return found if self.complete or found == Verdict.OPEN else Verdict.OPEN


def exact(records: Iterable[Recorded], *, hand: int | None = None, limit: int = LIMIT, seed: int = 0) -> list[Exact]:
    """The exact opinion on each hand of a log, or on one. Raises like `replay.judge.judge`."""
    judge = Judge(corrected(list(records)))
    judge.learn()
    return [_look(judge, number, limit, seed) for number in _hands(judge) if hand is None or number == hand]


def _hands(judge: Judge) -> list[int]:
    return sorted({n for n in judge.hand_at if n})


def _look(judge: Judge, hand: int, limit: int, seed: int) -> Exact:
    steps = [i for i, n in enumerate(judge.hand_at, 1) if n == hand]
    first, last = steps[0], steps[-1]
    start = begin(judge.view.opening.facts)
    for step, event in enumerate(judge.events[: first - 1], 1):
        start.at, start.table.now = judge.view.events[step - 1].n, step
        evolve(start, event)
    start.table.trouble.clear()
    events = judge.events[first - 1 : last]
    pack = start.game.pack
    ways, free, why = _slots(judge, start, events, first, last)
    if why:
        return Exact(hand, 0, False, [], {}, {}, why)
    count = sum(_ways_of(slots, free, pack) for slots in ways)
    seen: dict[tuple[int, str], int] = {}
    broken_acts: dict[int, int] = {}
    points: dict[str, set[int | None]] = {}
    faces: dict[int, set[str]] = {}
    tried = 0
    worlds: Iterator[tuple[int, list[int]]]
    if count <= limit:
        worlds = ((i, chosen) for i, slots in enumerate(ways) for chosen in _every(slots, free, pack))
    else:
        worlds = _drawn(ways, free, pack, limit, Random(seed))
    for which, chosen in worlds:
        slots = ways[which]
        played, proofs, told = _world(slots, chosen, events, first, pack)
        if played is None:
            continue
        state = start.copy()
        acts: set[int] = set()
        for said in judge.walk(played, proofs, state=state, first=first):
            if said.says.verdict == Verdict.BROKEN:
                key = (said.placed.n, f"{said.owner}.{said.rule.id}")
                seen[key] = seen.get(key, 0) + 1
                acts.add(said.placed.n)
        tried += 1
        for pos in acts:
            broken_acts[pos] = broken_acts.get(pos, 0) + 1
        for step, codes in told.items():
            faces.setdefault(judge.view.events[step - 1].n, set()).update(pack.faces[c] for c in codes)
        score: HandScore | None = state.score
        for who, n in (score.points if score else {}).items():
            points.setdefault(who, set()).add(n)
    complete = count <= limit
    opinions = [
        Opinion(pos, rule, Verdict.BROKEN if n == tried and complete else Verdict.OPEN) for (pos, rule), n in sorted(seen.items())
    ]
    opinions += [
        Opinion(pos, "", Verdict.BROKEN if n == tried and complete else Verdict.OPEN) for pos, n in sorted(broken_acts.items())
    ]
    if not complete:
        # A sample proves open only with a world each way.
        opinions = [o for o in opinions if (seen.get((o.pos, o.rule)) or broken_acts.get(o.pos, 0)) < tried]
    ranges = {who: sorted(ns, key=lambda n: (n is None, n or 0)) for who, ns in points.items()}
    cards = {pos: sorted(names) for pos, names in faces.items()}
    return Exact(hand, tried, complete and tried > 0, opinions, ranges, cards, "" if tried else "no world agrees with the record")


# -- what is unseen ---------------------------------------------------------------------------------------------------


class _Group(Struct):
    """Unseen cards that came into a pile together and cannot be told apart."""

    pile: str
    since: int
    may_be: int
    count: int


def _slots(
    judge: Judge, start: State[Any], events: Sequence[Event], first: int, last: int
) -> tuple[list[list[Slot]], int, str]:
    """Every way to match the cards shown and gone with those that came unseen; the free faces; or why not."""
    pack = start.game.pack
    state = start.copy()
    journal: list[Entry] = []
    state.table.journal = journal
    for step, event in enumerate(events, first):
        state.at, state.table.now = judge.view.events[step - 1].n, step
        evolve(state, event)
    # What elimination named at the end of the hand is a slot like the others here.
    named = [e.code for e in journal if e.kind == "named"]
    free = state.table.pack.full - state.table.located + sum(pack.unit[c] for c in named)
    groups: list[_Group] = []
    deaths: list[tuple[str, int, int | None]] = []
    outs = {(e.step) for e in journal if e.kind == "out"}
    for e in journal:
        if e.kind == "lost":
            return [], free, f"nobody counted the cards of {e.pile} any more"
        if e.kind == "in":
            if e.step in outs:
                return [], free, "cards went from one hidden hand to another"
            same = next((g for g in groups if (g.pile, g.since, g.may_be) == (e.pile, e.step, pack.may_be[e.code])), None)
            if same is None:
                groups.append(_Group(e.pile, e.step, pack.may_be[e.code], 1))
            else:
                same.count += 1
        elif e.kind == "forgot":
            mask = sum(pack.field[c] for c in set(pack.codes(e.code)))
            groups.append(_Group(e.pile, e.step - 1, mask, pack.count(e.code)))
        elif e.kind == "shown":
            deaths.append((e.pile, e.step, e.code))
        elif e.kind == "out":
            deaths.append((e.pile, e.step, None))
    if any(p.vague for p in state.table.piles.values()):
        return [], free, "nobody counted the cards of a hand"
    ways: list[list[Slot]] = []

    def match(i: int, groups: list[_Group], slots: list[Slot]) -> None:
        if len(ways) > 200:
            return
        if i == len(deaths):
            rest = [Slot(g.pile, g.since, last + 1, g.may_be) for g in groups for _ in range(g.count)]
            ways.append(slots + rest)
            return
        pile, step, code = deaths[i]
        for k, g in enumerate(groups):
            if g.pile != pile or not g.count or g.since >= step or (code is not None and not g.may_be & pack.field[code]):
                continue
            less = [*groups[:k], replace(g, count=g.count - 1), *groups[k + 1 :]]
            match(i + 1, less, [*slots, Slot(pile, g.since, step, g.may_be, code, code is None)])

    match(0, groups, [])
    return ways, free, "" if ways else "what was shown does not fit what was dealt"


def _classes(slots: Sequence[Slot]) -> list[tuple[Slot, int]]:
    """The unknown slots, equal ones counted together; those that left unseen stand alone."""
    out: list[tuple[Slot, int]] = []
    for slot in slots:
        if slot.code is not None:
            continue
        if not slot.leaves and out and out[-1][0] == slot:
            out[-1] = (slot, out[-1][1] + 1)
        else:
            out.append((slot, 1))
    return out


def _ways_of(slots: Sequence[Slot], free: int, pack: Pack) -> int:
    """At most so many assignments there are."""
    left, ways = pack.count(free), 1
    for _, count in _classes(slots):
        if count > left:
            return 0
        ways *= math.comb(left, count)
        left -= count
    return ways


def _every(slots: Sequence[Slot], free: int, pack: Pack) -> Iterator[list[int]]:
    """Every assignment of free faces to the unknown slots, in the order of `_classes`."""
    classes = _classes(slots)

    def assign(i: int, left: list[int]) -> Iterator[list[int]]:
        if i == len(classes):
            yield []
            return
        slot, count = classes[i]
        fits = [c for c in left if slot.may_be & pack.field[c]]
        for chosen in dict.fromkeys(combinations(fits, count)):
            rest = list(left)
            for c in chosen:
                rest.remove(c)
            for more in assign(i + 1, rest):
                yield [*chosen, *more]

    yield from assign(0, list(pack.codes(free)))


def _drawn(ways: list[list[Slot]], free: int, pack: Pack, limit: int, random: Random) -> Iterator[tuple[int, list[int]]]:
    """So many assignments drawn at random."""
    faces = list(pack.codes(free))
    for _ in range(limit):
        which = random.randrange(len(ways))
        random.shuffle(faces)
        left, chosen = list(faces), []
        for slot, count in _classes(ways[which]):
            fits = [c for c in left if slot.may_be & pack.field[c]][:count]
            for c in fits:
                left.remove(c)
            chosen += fits
        if len(chosen) == sum(n for _, n in _classes(ways[which])):
            yield which, chosen


def _world(
    slots: Sequence[Slot], chosen: Sequence[int], events: Sequence[Event], first: int, pack: Pack
) -> tuple[list[Event] | None, list[Proof], dict[int, list[int]]]:
    """The events and holdings of one world; the faces of cards that left unseen, by step."""
    faces = iter(chosen)
    proofs: list[Proof] = []
    told: dict[int, list[int]] = {}
    for slot in slots:
        code = slot.code if slot.code is not None else next(faces)
        proofs.append(Proof(slot.pile, slot.since, slot.until, code))
        if slot.leaves:
            told.setdefault(slot.until, []).append(code)
    played = list(events)
    for step, codes in told.items():
        opened = opened_with(played[step - first], [pack.faces[c] for c in codes])
        if opened is None:
            return None, [], {}
        played[step - first] = opened
    return played, proofs, told


def opened_with(event: Event, faces: Sequence[str]) -> Event | None:
    """The event with its unseen cards named, in the order written; None if the faces do not fit it.

    >>> from events.model import Play
    >>> opened_with(Play(by="N", cards=("2x??", "7h")), ["Kc", "Ac"]).cards
    ('Kc', 'Ac', '7h')
    """
    left = list(faces)

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for text in cards:
            it = item(text) if text != "*" else None
            if it is None or "?" not in it.card or it.stands_for:
                out.append(text)
                continue
            out.extend(left.pop(0) if left else it.card for _ in range(it.count or 1))
        return squeeze(out)

    changes: dict[str, Any] = {}
    if isinstance(event, Hand):
        return event
    if getattr(event, "cards", ()):
        changes["cards"] = fill(event.cards)  # type: ignore[union-attr]
    if isinstance(event, Capture):
        changes["takes"] = fill(event.takes)
    return replace(event, **changes) if changes and not left else None
