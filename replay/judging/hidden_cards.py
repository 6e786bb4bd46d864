"""The unseen cards of a hand, as slots: when each came, when it was shown or left, and what it may be.

A slot is what a holding's unseen card is made of: it came with the deal or a later pick-up, and was shown, left unseen,
or lay there to the end. Filling every slot with a free face in every possible way gives the worlds that agree with the
record. Physical facts only; no rule is asked.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack
from events.model import Event
from reducers.evolve import evolve
from reducers.model import State
from reducers.table import Entry, Table
from replay.fold import snapshot
from replay.judging.hindsight import Proof


class HiddenCard(Struct, frozen=True):
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


_Point: TypeAlias = tuple[int, tuple[_Group, ...], tuple[HiddenCard, ...], _Group | None]
"""Where the cards are followed from: an entry of the journal, the unseen cards in the piles before it, those whose way is
at its end, and the card that has just gone out."""


def trace_hidden_cards(
    start: State[Any], events: Sequence[Event], first: int, last: int, *,
    unless: Callable[[Sequence[Entry], Table], bool] = lambda journal, table: False,
) -> tuple[list[list[HiddenCard]], int, str]:  # fmt: skip
    """Every way to match the cards shown and gone with those that came unseen; the free faces; or why not. `unless` the journal
    of the hand and the table at its end say that nobody needs to know.

    `start` is the state before the hand, `events` are the steps `first` to `last`, of which the first begins the hand. A card that goes unseen from one
    holding to another is the same card. Which of several equal unseen cards it is that leaves makes no difference.
    """
    pack = start.game.pack
    told = _journal_of(start, events, first)
    if told is None:
        return [], 0, "a card that was laid down unseen was taken up or shown again"
    journal, undated, table = told
    # What elimination named at the end of the hand is a slot like the others here.
    named = [e.code for e in journal if e.kind == "named"]
    free = pack.full - table.located + sum(pack.unit[c] for c in named)
    why = _uncounted(journal, table)
    if why or unless(journal, table):
        return [], free, why or "nobody needs to know"
    trail = _Trail(journal, undated, pack, last)
    ways = trail.ways()
    if ways is None:
        return [], free, "the unseen cards went too many ways"
    if pack.single:
        for mask in trail.marked.values():
            # Those faces lay among these slots and nowhere else.
            ways = [[_without(slot, mask) for slot in way] for way in ways]
    ways = [w for w in ways if all(s.may_be for s in w)]
    return ways, free, "" if ways else "what was shown does not fit what was dealt"


def _journal_of(start: State[Any], events: Sequence[Event], first: int) -> tuple[list[Entry], set[int], Table] | None:
    """What the journal notes of a hand, the steps in which it makes no difference for how long the unseen cards of a holding
    have been there, and the table at the end. None if a card that was laid down unseen was taken up or shown again."""
    state = snapshot(start)
    # What lies there still is of the hand before; only what is noted is the walk's own.
    state.table = copy.copy(start.table)
    journal: list[Entry] = []
    state.table.journal, state.table.trouble = journal, []
    covered: dict[str, int] = {}
    gone = False
    tainted: set[str] = set()
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
            return None
    return journal, undated, state.table


def proofs_of_a_hand(start: State[Any], events: Sequence[Event], first: int) -> list[Proof] | None:
    """Which unseen cards of a hand turned out to be which. None if a card that was laid down unseen was taken up or shown again."""
    told = _journal_of(start, events, first)
    return None if told is None else [Proof(e.pile, e.since, e.step, e.code) for e in told[0] if e.kind in ("shown", "turned")]


def _uncounted(journal: Sequence[Entry], table: Table) -> str:
    """Why the unseen cards of a hand cannot be followed, if they cannot: somebody lost count of them."""
    many = table.pack.many
    lost = next((e.pile for e in journal if e.kind == "lost"), "")
    if lost:
        return f"nobody counted the cards of {lost} any more"
    if any(e.kind == "mixed" for e in journal):
        return "cards that had been seen were shuffled, and nobody knows where they went"
    if any(e.kind == "out" and e.code == many for e in journal):
        return "nobody counted the cards that left a hand"
    counted = {e.pile for e in journal if e.code == many}
    # How many lie in a row is no matter here: in each way the cards can lie, those that came out of it are counted.
    if any(p.vague and p.row is None and p.name not in counted for p in table.piles.values()):
        return "nobody counted the cards of a hand"
    return ""


class _Trail:
    """The ways of the unseen cards of a hand through its journal; `marked` are the faces that were known before, by the entry
    that forgets them."""

    def __init__(self, journal: Sequence[Entry], undated: set[int], pack: Pack, last: int) -> None:
        self.journal, self.undated, self.pack, self.last = journal, undated, pack, last
        self.marked: dict[int, int] = {}

    def ways(self) -> list[list[HiddenCard]] | None:
        """All of them; None if they are too many."""
        journal = self.journal
        ways: list[list[HiddenCard]] = []
        steps = 0
        # What is still to be followed, the next last.
        todo: list[_Point] = [(0, (), (), None)]
        while todo and len(ways) <= MOST_WAYS and steps <= MOST_STEPS:
            point = todo.pop()
            i, groups, done, moving = point
            steps += 1
            if i == len(journal):
                rest = [_slot(g, self.last + 1, None) for g in groups for _ in range(1 if g.many else g.count)]
                ways.append([*_settled(done, moving), *rest])
                continue
            e = journal[i]
            if e.kind == "in":
                todo.append(self._came(e, point))
            elif e.kind in ("shown", "out"):
                todo += self._gone(e, point)
            else:
                if e.kind == "forgot":
                    groups = (*groups, self._forgotten(e, i))
                elif e.kind == "back":
                    groups = tuple(g for g in groups if g.pile != e.pile)
                todo.append((i + 1, groups, _settled(done, moving), None))
        return None if len(ways) > MOST_WAYS or steps > MOST_STEPS else ways

    def _came(self, e: Entry, point: _Point) -> _Point:
        """After a card came unseen: the one that has just gone out, or another."""
        i, groups, done, moving = point
        may_be = self.pack.may_be[e.code]
        if e.step in self.undated:
            groups = _dated(groups, e.pile, e.step)
        if moving is not None and moving.before[-1][0] == e.src:
            came = replace(moving, pile=e.pile, since=e.step, may_be=moving.may_be & may_be, count=1)
        else:
            came = _Group(e.pile, e.step, may_be, 1, many=e.code == self.pack.many)
            done = _settled(done, moving)
        return i + 1, _joined(groups, came), done, None

    def _forgotten(self, e: Entry, i: int) -> _Group:
        """Cards that were known and cannot be told apart any more."""
        mask = sum(self.pack.field[c] for c in set(self.pack.codes(e.code)))
        self.marked[i + 1] = mask
        return _Group(e.pile, e.step - 1, mask, self.pack.count(e.code), origin=i + 1)

    def _gone(self, e: Entry, point: _Point) -> list[_Point]:
        """After a card was shown, or went out unseen: one way for each of the unseen cards that it may be, the first last."""
        i, groups, done, moving = point
        done = _settled(done, moving)
        parted: list[_Point] = []
        for k, g in enumerate(groups):
            if g.pile != e.pile or not (g.count or g.many):
                continue
            left = (*groups[:k], replace(g, count=max(0, g.count - 1)), *groups[k + 1 :])
            if e.kind == "shown":
                if g.may_be & self.pack.field[e.code]:
                    parted.append((i + 1, left, (*done, _slot(g, e.step, e.code)), None))
                continue
            may_be = g.may_be & self.pack.may_be[e.code]
            if may_be:
                stay = (*g.before, (g.pile, g.since, e.step))
                went = replace(g, count=1, before=stay, may_be=may_be, leaves=(*g.leaves, e.step), turns=(*g.turns, i))
                parted.append((i + 1, left, done, went))
        parted.reverse()
        return parted


def _slot(group: _Group, until: int, code: int | None) -> HiddenCard:
    stays = (*group.before, (group.pile, group.since, until))
    return HiddenCard(stays, group.may_be, code, group.leaves, group.turns, group.many, group.count if group.many else 0)


def _settled(done: tuple[HiddenCard, ...], moving: _Group | None) -> tuple[HiddenCard, ...]:
    """The card that went out came to lie in no holding: its way ends there."""
    return done if moving is None else (*done, HiddenCard(moving.before, moving.may_be, None, moving.leaves, moving.turns, moving.many))


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


def _without(slot: HiddenCard, mask: int) -> HiddenCard:
    """The slot without these faces, unless it is among those that were known to be these."""
    if slot.code is not None or not slot.may_be & ~mask:
        return slot
    return replace(slot, may_be=slot.may_be & ~mask)
