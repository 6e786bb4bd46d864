"""The unseen cards of a hand, as slots: when each came, when it was shown or left, and what it may be.

A slot is what a holding's unseen card is made of: it came with the deal or a later pick-up, and was shown, left unseen,
or lay there to the end. Filling every slot with a free face in every possible way gives the worlds that agree with the
record. Physical facts only; no rule is asked.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import UNKNOWN, Pack, item, squeeze
from events.model import Capture, Deal, Event, Hand
from reducers.game import evolve
from reducers.state import State
from reducers.table import Entry, Table
from replay.budget import Budget


class Proof(Struct, frozen=True):
    """An unseen card that turned out: it lay in `pile` after step `since` and until step `until`."""

    pile: str
    since: int
    until: int
    code: int


class Slot(Struct, frozen=True):
    """An unseen card on its way through the hand, and what it may be.

    `stays` are the holdings it lay in: pile, the step after which, the step until which. `leaves` are the steps in
    which it moved on unseen, where its face belongs into the event; `turns` puts cards that left in one step in order.
    `code` is the face if it was shown in the end. `many` says that it came with cards that nobody counted; if such a slot
    neither left nor was shown, it stands for `least` cards or more.
    """

    stays: tuple[tuple[str, int, int], ...]
    may_be: int
    code: int | None = None
    leaves: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    many: bool = False
    least: int = 0

    @property
    def open_ended(self) -> bool:
        """Whether it stands for cards that nobody counted."""
        return self.many and self.code is None and not self.leaves


class _Group(Struct, frozen=True):
    """Unseen cards that lie in a pile and cannot be told apart: `origin` numbers the known cards they once were."""

    pile: str
    since: int
    may_be: int
    count: int
    before: tuple[tuple[str, int, int], ...] = ()
    leaves: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    origin: int = 0
    many: bool = False
    """Nobody counted these: there are `count` of them, or more."""


MOST_WAYS = 200
# Ways that lead nowhere are given up after so many steps, too.
MOST_STEPS = 20_000
# Ways the hidden cards of a hand can lie, up to which elimination looks at every one.
FEW = 500
# Events that are only written anew, not folded, for one step of the budget.
LIGHT = 10


def snap(state: State[Any]) -> State[Any]:
    """The state as it is now, as far as the fold goes on by replacing and not by changing what hangs on it."""
    out = copy.copy(state)
    out.scores, out.inferred, out.claims = list(state.scores), list(state.inferred), list(state.claims)
    return out


def slots_of(
    start: State[Any], events: Sequence[Event], first: int, last: int
) -> tuple[list[list[Slot]], int, str]:
    """Every way to match the cards shown and gone with those that came unseen; the free faces; or why not.

    `start` is the state before the hand, `events` are the steps `first` to `last`, of which the first begins the hand. A card that goes unseen from one
    holding to another is the same card. Which of several equal unseen cards it is that leaves makes no difference.
    """
    pack = start.game.pack
    state = snap(start)
    # What lies there still is of the hand before; only what is noted is the walk's own.
    state.table = copy.copy(start.table)
    journal: list[Entry] = []
    state.table.journal, state.table.trouble = journal, []
    covered: dict[str, int] = {}
    gone = False
    tainted: set[str] = set()
    # Steps in which it makes no difference for how long the unseen cards of a holding have been there.
    undated: set[int] = set()
    for step, event in enumerate(events, first):
        state.at = state.table.now = step
        noted = len(journal)
        if state.phase in state.game.unasked:
            undated.add(step)
        evolve(state, event)
        # A row that took in a card out of a hidden hand: which of its unseen cards that is, is not followed.
        gone = gone or any(e.kind == "out" for e in journal[noted:])
        for pile in state.table.piles.values():
            if pile.row is not None:
                if gone and pile.covered > covered.get(pile.name, 0):
                    tainted.add(pile.name)
                covered[pile.name] = pile.covered
        if any(e.kind in ("turned", "in") and (e.src or e.pile) in tainted for e in journal[noted:]):
            return [], 0, "a card that was laid down unseen was taken up or shown again"
    # What elimination named at the end of the hand is a slot like the others here.
    named = [e.code for e in journal if e.kind == "named"]
    free = state.table.pack.full - state.table.located + sum(pack.unit[c] for c in named)
    lost = next((e.pile for e in journal if e.kind == "lost"), "")
    if lost:
        return [], free, f"nobody counted the cards of {lost} any more"
    if any(e.kind == "mixed" for e in journal):
        return [], free, "cards that had been seen were shuffled, and nobody knows where they went"
    if any(e.kind == "out" and e.code == pack.many for e in journal):
        return [], free, "nobody counted the cards that left a hand"
    counted = {e.pile for e in journal if e.code == pack.many}
    # How many lie in a row is no matter here: in each way the cards can lie, those that came out of it are counted.
    if any(p.vague and p.row is None and p.name not in counted for p in state.table.piles.values()):
        return [], free, "nobody counted the cards of a hand"
    ways: list[list[Slot]] = []
    marked: dict[int, int] = {}

    steps = 0
    # What is still to be followed, the next last: from which entry of the journal, with which unseen cards in the piles,
    # those whose way is at its end, and the card that has just gone out.
    todo: list[tuple[int, tuple[_Group, ...], tuple[Slot, ...], _Group | None]] = [(0, (), (), None)]
    while todo and len(ways) <= MOST_WAYS and steps <= MOST_STEPS:
        i, groups, done, moving = todo.pop()
        steps += 1
        if i == len(journal):
            rest = [_slot(g, last + 1, None) for g in groups for _ in range(1 if g.many else g.count)]
            ways.append([*_settled(done, moving), *rest])
            continue
        e = journal[i]
        if e.kind == "in":
            may_be = pack.may_be[e.code]
            if e.step in undated:
                groups = _dated(groups, e.pile, e.step)
            if moving is not None and moving.before[-1][0] == e.src:
                came = replace(moving, pile=e.pile, since=e.step, may_be=moving.may_be & may_be, count=1)
                todo.append((i + 1, _joined(groups, came), done, None))
            else:
                came = _Group(e.pile, e.step, may_be, 1, many=e.code == pack.many)
                todo.append((i + 1, _joined(groups, came), _settled(done, moving), None))
        elif e.kind == "forgot":
            mask = sum(pack.field[c] for c in set(pack.codes(e.code)))
            marked[i + 1] = mask
            known = _Group(e.pile, e.step - 1, mask, pack.count(e.code), origin=i + 1)
            todo.append((i + 1, (*groups, known), _settled(done, moving), None))
        elif e.kind == "back":
            todo.append((i + 1, tuple(g for g in groups if g.pile != e.pile), _settled(done, moving), None))
        elif e.kind in ("shown", "out"):
            done = _settled(done, moving)
            parted: list[tuple[int, tuple[_Group, ...], tuple[Slot, ...], _Group | None]] = []
            for k, g in enumerate(groups):
                if g.pile != e.pile or not (g.count or g.many):
                    continue
                left = (*groups[:k], replace(g, count=max(0, g.count - 1)), *groups[k + 1 :])
                if e.kind == "shown":
                    if g.may_be & pack.field[e.code]:
                        parted.append((i + 1, left, (*done, _slot(g, e.step, e.code)), None))
                else:
                    stay = (*g.before, (g.pile, g.since, e.step))
                    may_be = g.may_be & pack.may_be[e.code]
                    if may_be:
                        went = replace(g, count=1, before=stay, may_be=may_be, leaves=(*g.leaves, e.step), turns=(*g.turns, i))
                        parted.append((i + 1, left, done, went))
            todo += reversed(parted)
        else:
            todo.append((i + 1, groups, _settled(done, moving), None))

    if len(ways) > MOST_WAYS or steps > MOST_STEPS:
        return [], free, "the unseen cards went too many ways"
    if pack.single:
        for mask in marked.values():
            # Those faces lay among these slots and nowhere else.
            ways = [[_without(slot, mask) for slot in way] for way in ways]
    ways = [w for w in ways if all(s.may_be for s in w)]
    return ways, free, "" if ways else "what was shown does not fit what was dealt"


def _slot(group: _Group, until: int, code: int | None) -> Slot:
    stays = (*group.before, (group.pile, group.since, until))
    return Slot(stays, group.may_be, code, group.leaves, group.turns, group.many, group.count if group.many else 0)


def _settled(done: tuple[Slot, ...], moving: _Group | None) -> tuple[Slot, ...]:
    """The card that went out came to lie in no holding: its way ends there."""
    return done if moving is None else (*done, Slot(moving.before, moving.may_be, None, moving.leaves, moving.turns, moving.many))


def _joined(groups: tuple[_Group, ...], came: _Group) -> tuple[_Group, ...]:
    """The groups with one more card, together with those it cannot be told from."""
    for k, g in enumerate(groups):
        if g.count and not g.many and g.since == came.since and g.pile == came.pile and replace(g, count=1) == came:
            return (*groups[:k], replace(g, count=g.count + 1), *groups[k + 1 :])
    return (*groups, came)


def _dated(groups: tuple[_Group, ...], pile: str, step: int) -> tuple[_Group, ...]:
    """The groups with the unseen cards of this pile as if they all had come in this step."""
    out: tuple[_Group, ...] = ()
    for g in groups:
        loose = g.pile == pile and not g.origin and not g.many
        for _ in range(g.count if loose else 0):
            out = _joined(out, replace(g, since=step, count=1))
        out = out if loose else (*out, g)
    return out


def _without(slot: Slot, mask: int) -> Slot:
    """The slot without these faces, unless it is among those that were known to be these."""
    if slot.code is not None or not slot.may_be & ~mask:
        return slot
    return replace(slot, may_be=slot.may_be & ~mask)


def classes_of(slots: Sequence[Slot]) -> list[tuple[Slot, int]]:
    """The unknown slots, equal ones counted together; those that left unseen, or that nobody counted, stand alone."""
    out: list[tuple[Slot, int]] = []
    for slot in slots:
        if slot.code is not None:
            continue
        if not slot.leaves and not slot.many and out and out[-1][0] == slot:
            out[-1] = (slot, out[-1][1] + 1)
        else:
            out.append((slot, 1))
    return out


def ways_of(slots: Sequence[Slot], free: int, pack: Pack) -> int:
    """At most so many assignments there are."""
    left, ways = pack.count(free), 1
    for slot, count in classes_of(slots):
        if slot.open_ended:
            ways *= 1 << max(0, left)
            continue
        if count > left:
            return 0
        ways *= math.comb(left, count)
        left -= count
    return ways


def every(slots: Sequence[Slot], free: int, pack: Pack) -> Iterator[list[tuple[Slot, int]]]:
    """Every assignment of free faces to the unknown slots: pairs of slot and code. A slot that stands for cards that
    nobody counted has as many pairs as it has cards."""
    classes = classes_of(slots)

    def assign(i: int, left: list[int]) -> Iterator[list[tuple[Slot, int]]]:
        if i == len(classes):
            yield []
            return
        slot, count = classes[i]
        fits = [c for c in left if slot.may_be & pack.field[c]]
        for n in range(slot.least, len(fits) + 1) if slot.open_ended else (count,):
            for chosen in dict.fromkeys(combinations(fits, n)):
                rest = list(left)
                for c in chosen:
                    rest.remove(c)
                for more in assign(i + 1, rest):
                    yield [*((slot, c) for c in chosen), *more]

    if ways_of(slots, free, pack):  # with too few faces left there is none, and looking for it would take for ever
        yield from assign(0, list(pack.codes(free)))


def drawn(ways: list[list[Slot]], free: int, pack: Pack, limit: int, random: Random) -> Iterator[tuple[int, list[tuple[Slot, int]]]]:
    """So many assignments drawn at random."""
    faces = list(pack.codes(free))
    for _ in range(limit):
        which = random.randrange(len(ways))
        random.shuffle(faces)
        left, chosen = list(faces), list[tuple[Slot, int]]()
        short = False
        # Slots that nobody counted get their share last, so that the others find their cards.
        for slot, count in sorted(classes_of(ways[which]), key=lambda c: c[0].open_ended):
            fits = [c for c in left if slot.may_be & pack.field[c]]
            if slot.open_ended:
                count = random.randint(slot.least, max(slot.least, len(fits)))
            short = short or len(fits) < count
            for c in fits[:count]:
                left.remove(c)
                chosen.append((slot, c))
        if not short:
            yield which, chosen


def world(
    slots: Sequence[Slot], chosen: Sequence[tuple[Slot, int]], events: Sequence[Event], first: int, pack: Pack
) -> tuple[list[Event] | None, list[Proof], dict[int, list[int]]]:
    """The events and holdings of one world; the faces of cards that left unseen, by step."""
    named = [*((slot, slot.code) for slot in slots if slot.code is not None), *chosen]
    gone = sorted((turn, step, code) for slot, code in named for step, turn in zip(slot.leaves, slot.turns, strict=True))
    told: dict[int, list[int]] = {}
    for _, step, code in gone:
        told.setdefault(step, []).append(code)
    # What moved on by itself (the rest of a board) stands in no event.
    told = {step: codes[:room] for step, codes in told.items() if (room := unseen_in(events[step - first]))}
    proofs: list[Proof] = []
    came: dict[tuple[str, int], int] = {}
    for slot, code in named:
        if slot.many:
            pile, since, _ = slot.stays[0]
            came[pile, since] = came.get((pile, since), 0) + 1
        for pile, since, until in slot.stays:
            proofs.append(Proof(pile, since, until, code))
            if until in slot.leaves and until in told:
                # From the first event that its face is written into, the table knows the card.
                break
    played = list(events)
    for (pile, step), count in came.items():
        played[step - first] = counted(played[step - first], pile, count)
    for step, codes in told.items():
        opened = opened_with(played[step - first], [pack.faces[c] for c in codes])
        if opened is None:
            return None, [], {}
        played[step - first] = opened
    return played, proofs, told


def counted(event: Event, pile: str, count: int) -> Event:
    """The event with so many unseen cards for those that nobody counted on their way into this pile.

    >>> from events.model import Deal, Draw
    >>> counted(Deal(by="@", piles=(("N", ("*x??", "7h")), ("E", ("*x??",)))), "N", 3).piles
    (('N', ('3x??', '7h')), ('E', ('*x??',)))
    >>> counted(Draw(by="N", cards=("*x??",)), "N", 1).cards
    ('??',)
    """
    wanted = [UNKNOWN] * count

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for text in cards:
            if not text.startswith("*x"):
                out.append(text)
                continue
            out += wanted
            wanted.clear()
        return squeeze(out)

    if isinstance(event, Deal):
        return replace(event, piles=tuple((n, fill(c) if n.removeprefix("hand:") == pile else c) for n, c in event.piles))
    cards: tuple[str, ...] = getattr(event, "cards", ())
    return replace(event, cards=fill(cards)) if cards and not isinstance(event, Hand) else event


def named(
    start: State[Any], events: Sequence[Event], first: int, last: int, budget: Budget
) -> dict[int, tuple[int, ...]] | None:
    """The cards that left unseen and that can be one only in every way the cards of a hand can lie, by step.

    Nothing is said where the ways cannot be listed, or are too many to look at each. None if the budget was at an end
    before: each way is a step for every `LIGHT` of its events.
    """
    ways, free, why = slots_of(start, events, first, last)
    pack = start.game.pack
    if why or sum(ways_of(slots, free, pack) for slots in ways) > FEW:
        return {}
    told: dict[int, set[tuple[int, ...]]] = {}
    for slots in ways:
        for chosen in every(slots, free, pack):
            if budget.left <= 0:
                return None
            budget.spend(1 + len(events) // LIGHT)
            for step, codes in world(slots, chosen, events, first, pack)[2].items():
                told.setdefault(step, set()).add(tuple(codes))
            if told and all(len(faces) > 1 for faces in told.values()):
                # The same steps are told of in every world, and none of them has one card only.
                return {}
    return {step: next(iter(faces)) for step, faces in told.items() if len(faces) == 1}


def nothing_to_name(entries: Sequence[Entry], table: Table) -> bool:
    """Whether it is plain from the journal of a hand, and the table at its end, that elimination names no card.

    If a card that left unseen may be any of the free ones, and these are of two faces at least, it can change places with
    another in each world. It may be any of them unless a half of it was seen, it went on to another holding, or it
    may be one of those that were known before and are free again.
    """
    pack = table.pack
    free = pack.full - table.located + sum(pack.unit[e.code] for e in entries if e.kind == "named")
    if len(set(pack.codes(free))) < 2:
        return False
    if any(e.code != pack.unknown for e in entries if e.kind in ("in", "out")):
        return False
    if any(a.kind == "out" and b.kind == "in" and b.src == a.pile for a, b in pairwise(entries)):
        return False
    return not any(free & pack.field[c] for e in entries if e.kind == "forgot" for c in pack.codes(e.code))


def unseen_in(event: Event) -> int:
    """How many of the cards that an event moves were not seen, or not wholly."""
    cards = (*getattr(event, "cards", ()), *(event.takes if isinstance(event, Capture) else ()))
    items = [item(text) for text in cards if text != "*" and not text.startswith("*x")]
    return sum(it.count or 1 for it in items if "?" in it.card and not it.stands_for)


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
            it = item(text) if not text.startswith("*") else None
            if it is None or "?" not in it.card or it.stands_for:
                out.append(text)
                continue
            out.extend(left.pop(0) if left else it.card for _ in range(it.count or 1))
        return squeeze(out)

    changes: dict[str, Any] = {}
    if isinstance(event, Hand):
        return event
    if getattr(event, "cards", ()):
        changes["cards"] = fill(event.cards)  # type: ignore[union-attr]  # it has the field: just asked
    if isinstance(event, Capture):
        changes["takes"] = fill(event.takes)
    return replace(event, **changes) if changes and not left else None
