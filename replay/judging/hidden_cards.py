"""The unseen cards of a hand, as slots: when each came, when it was shown or left, and what it may be.

A slot is what a holding's unseen card is made of: it came with the deal or a later pick-up, and was shown, left unseen,
or lay there to the end. Filling every slot with a free face in every possible way gives the worlds that agree with the
record. Physical facts only; no rule is asked.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack
from events.model import Event
from reducers.evolve import evolve
from reducers.model import State
from reducers.table import JournalEntry, Table
from replay.judging.hindsight import CardProof
from replay.masking import unseen_in


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
# What can lie where after an entry, if it makes no difference how it came there, is followed for one case in so many steps.
STEPS_A_CASE = 10


_Point: TypeAlias = tuple[int, tuple[_Group, ...], tuple[HiddenCard, ...], _Group | None]
"""Where the cards are followed from: an entry of the journal, the unseen cards in the piles before it, those whose way is
at its end, and the card that has just gone out."""


def trace_hidden_cards(
    start: State[Any], events: Sequence[Event], first: int, last: int, *,
    unless: Callable[[Sequence[JournalEntry], Table], bool] = lambda journal, table: False, however: bool = False, most_steps: int = MOST_STEPS,
) -> tuple[list[list[HiddenCard]], int, str]:  # fmt: skip
    """Every way to match the cards shown and gone with those that came unseen; the free faces; or why not. `unless` the journal
    of the hand and the table at its end say that nobody needs to know. If they are too many, and it may be however they went
    (`however`), cards that went unseen from one holding to another while no check asks what a seat holds are not followed
    there: the ways tell only what they came to, and nothing of what was passed on.

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
    why = _uncounted(journal, table, (start.coming or start.terms).seats)
    if why or unless(journal, table):
        return [], free, why or "nobody needs to know"
    trail = _Trail(journal, undated, pack, last)
    ways = trail.ways(most_steps)
    if ways is None and however:
        ways = trail.ways_told_apart_at_the_end(most_steps // STEPS_A_CASE)
    if ways is None:
        return [], free, "the unseen cards went too many ways"
    ways = [w for w in ways if all(s.may_be for s in w)]
    return ways, free, "" if ways else "what was shown does not fit what was dealt"


def _journal_of(start: State[Any], events: Sequence[Event], first: int) -> tuple[list[JournalEntry], set[int], Table] | None:
    """What the journal notes of a hand, the steps in which it makes no difference for how long the unseen cards of a holding
    have been there, and the table at the end. None if a card that was laid down unseen was taken up or shown again, unless every unseen
    card of its row was laid down so: with its face in the event that laid it down, it is known from there on wherever it goes. Where
    it was shown there, it was `found` to be that card."""
    state = start.snapshot()
    # What lies there still is of the hand before; only what is noted is the walk's own.
    state.table = copy.copy(start.table)
    journal: list[JournalEntry] = []
    state.table.journal, state.table.trouble = journal, []
    rows = _Rows()
    undated: set[int] = set()
    for step, event in enumerate(events, first):
        state.at = state.table.now = step
        noted = len(journal)
        if state.phase in state.game.phases_ignoring_holdings:
            undated.add(step)
        evolve(state, event)
        here = journal[noted:]
        laid = rows.laid_down(here, state.table)
        went = sum(e.kind == "out" for e in here)
        if laid is None or (laid and unseen_in(event) > went):
            return None
        for e in laid:
            at = journal.index(e, noted)
            journal[at : at + 1] = [replace(e, kind="found")] if e.kind == "turned" else []
        rows.change(state.table, went)
    return journal, undated, state.table


class _Rows:
    """How many unseen cards lie in each row, and how many of them were laid down there out of a hidden hand.

    In the rows `laid` all of them were, in those that are `mixed` some: which of its unseen cards these are, is not followed.
    """

    def __init__(self) -> None:
        self.covered: dict[str, int] = {}
        self.out_of_hands: dict[str, int] = {}
        self.mixed: set[str] = set()
        self.laid: set[str] = set()

    def laid_down(self, here: Sequence[JournalEntry], table: Table) -> list[JournalEntry] | None:
        """The entries of an event, after which the table lies like this, about cards that had been laid down out of a hand. None if that
        cannot be told of one."""
        left = dict(self.covered)
        fewer = [name for name, n in self.covered.items() if n > (table.piles[name].covered if name in table.piles else 0)]
        out: list[JournalEntry] = []
        for e in here:
            if e.kind not in ("turned", "in"):
                continue
            name = e.src or e.pile
            # What lay nowhere in this row came into it with the event itself.
            sources = [name] if left.get(name) or e.kind == "in" else fewer
            left[name] = left.get(name, 0) - 1
            if self.mixed.intersection(sources):
                return None
            if self.laid.intersection(sources):
                out.append(e)
        return out

    def change(self, table: Table, went: int) -> None:
        """An event came in which so many unseen cards went out of holdings."""
        rows = {pile.name: pile.covered for pile in table.piles.values() if pile.row is not None}
        if rows == self.covered:
            return
        # What left a row in which all were laid down came to lie in another one, or nowhere that matters.
        for name, now in rows.items():
            before, mine = self.covered.get(name, 0), self.out_of_hands.get(name, 0)
            if now < before and mine == before:
                went += before - now
                self.out_of_hands[name] = now
        for name, now in rows.items():
            more = now - self.covered.get(name, 0)
            if more > 0:
                self.out_of_hands[name] = self.out_of_hands.get(name, 0) + min(more, went)
        self.covered = rows
        self.laid = {name for name, mine in self.out_of_hands.items() if mine and mine == rows.get(name)}
        self.mixed = {name for name, mine in self.out_of_hands.items() if mine} - self.laid


def proofs_of_a_hand(
    start: State[Any], events: Sequence[Event], first: int, kinds: Collection[str] = ("shown", "turned", "found")
) -> list[CardProof] | None:
    """Which unseen cards of a hand turned out to be which, in holdings ("shown") and rows ("turned"). None if a card that was laid down
    unseen was taken up or shown again."""
    told = _journal_of(start, events, first)
    return None if told is None else [CardProof(e.pile, e.since, e.step, e.code) for e in told[0] if e.kind in kinds]


def _uncounted(journal: Sequence[JournalEntry], table: Table, seats: Collection[str]) -> str:
    """Why the unseen cards of a hand cannot be followed, if they cannot: the cards of a holding are not counted any more."""
    many = table.pack.many
    lost = next((e.pile for e in journal if e.kind == "lost"), "")
    if lost:
        return f"nobody counted the cards of {lost} any more"
    if not table.pack.single and any(e.kind == "mixed" for e in journal):
        return "cards that had been seen were shuffled, and nobody knows where they went"
    if any(e.kind == "out" and e.code == many for e in journal):
        return "nobody counted the cards that left a hand"
    counted = {e.pile for e in journal if e.code == many}
    # How many lie in a row is no matter here: in each way the cards can lie, those that came out of it are counted.
    # What was won has no cards but those that were played to it.
    if any(p.vague and p.row is None and p.name not in counted and p.name.partition(":")[0] in seats for p in table.piles.values()):
        return "nobody counted the cards of a hand"
    return ""


class _Trail:
    """The ways of the unseen cards of a hand through its journal.

    `marked` are the faces that were known before, by the entry that forgets them. If the pack has one of each, they lie among
    those cards and nowhere else: no other card that is not shown in the end is one of them.
    """

    def __init__(self, journal: Sequence[JournalEntry], undated: set[int], pack: Pack, last: int) -> None:
        self.journal, self.undated, self.pack, self.last = journal, undated, pack, last
        self.marked = {i: self._faces(e.code) for i, e in enumerate(journal) if e.kind == "forgot"}

    def _faces(self, bag: int) -> int:
        """What a card may be that is one of these."""
        return sum(self.pack.field[c] for c in set(self.pack.codes(bag)))

    def ways(self, most_steps: int) -> list[list[HiddenCard]] | None:
        """All of them; None if they are too many, or take more steps to follow."""
        ways: list[list[HiddenCard]] = []
        steps = 0
        # What is still to be followed, the next last.
        todo: list[_Point] = [(0, (), (), None)]
        while todo and len(ways) <= MOST_WAYS and steps <= most_steps:
            point = todo.pop()
            steps += 1
            if point[0] == len(self.journal):
                ways.append(self._at_the_end(point))
            else:
                todo += self._after(point)
        return None if len(ways) > MOST_WAYS or steps > most_steps else ways

    def ways_told_apart_at_the_end(self, most_cases: int) -> list[list[HiddenCard]] | None:
        """The same, of which each stands for all that differ only in how cards went from holding to holding while no check
        asks what a seat holds. None if there are more than `most_cases` of them after an entry."""
        cases: dict[_Point, None] = {(0, (), (), None): None}
        for e in self.journal:
            merges = e.step in self.undated
            after = (later for point in cases for later in self._after(point))
            cases = dict.fromkeys(self._merged(later, e) if merges else later for later in after)
            if len(cases) > most_cases:
                return None
        return [self._at_the_end(point) for point in cases] if len(cases) <= MOST_WAYS else None

    def _merged(self, point: _Point, e: JournalEntry) -> _Point:
        """The same cards without what nobody asks: which way they came, and since when they lie there."""
        i, groups, done, moving = point
        mine: dict[_Group, int] = {}
        for g in groups:
            if g.pile == e.pile and not g.many and g.count:
                alike = replace(g, count=1)
                if e.kind == "in" and self._unasked(g, e.step):
                    alike = replace(alike, since=e.step, before=(), leaves=(), turns=())
                mine[alike] = mine.get(alike, 0) + g.count
        here = sorted((replace(g, count=n) for g, n in mine.items()), key=_in_order)
        if e.kind == "shown" and done:
            done = (*done[:-1], replace(done[-1], may_be=self.pack.field[e.code]))
        return i, (*(g for g in groups if g.pile != e.pile or g.many), *here), done, moving

    def _unasked(self, group: _Group, until: int) -> bool:
        """Whether no check asked what a seat holds since these cards were dealt."""
        since = group.before[0][1] if group.before else group.since
        return all(step in self.undated for step in range(since + 1, until + 1))

    def _at_the_end(self, point: _Point) -> list[HiddenCard]:
        """All cards of a way, with those that lie somewhere at the end."""
        _, groups, done, moving = point
        rest = [self._left(_slot(g, self.last + 1, None), g) for g in groups for _ in range(1 if g.many else g.count)]
        return [*self._settled(done, moving), *rest]

    def _left(self, slot: HiddenCard, group: _Group) -> HiddenCard:
        """A card that was not shown in the end: none of those that were known, unless it is among them. Those among which it is
        may have been known once before, in another pile."""
        for i, mask in self.marked.items() if self.pack.single else ():
            if i >= group.origin:
                slot = _without(slot, mask)
        return slot

    def _settled(self, done: tuple[HiddenCard, ...], moving: _Group | None) -> tuple[HiddenCard, ...]:
        """The card that went out came to lie in no holding: its way ends there."""
        if moving is None:
            return done
        return *done, self._left(HiddenCard(moving.before, moving.may_be, None, moving.leaves, moving.turns, moving.many), moving)

    def _after(self, point: _Point) -> list[_Point]:
        """After one more entry: one way for each of the unseen cards that it may be about, the first last."""
        i, groups, done, moving = point
        e = self.journal[i]
        if e.kind == "in":
            return [self._came(e, point)]
        if e.kind in ("shown", "out"):
            return self._gone(e, point)
        if e.kind == "forgot":
            groups, done = self._forgotten(e, point)
        elif e.kind == "mixed":
            # Of a pack with one of each: what is unseen in a hand by now is none of the cards that lay open until they were shuffled.
            mask = self._faces(e.code)
            groups = tuple(replace(g, may_be=g.may_be & ~mask) for g in groups)
            done = tuple(slot if slot.code is not None else replace(slot, may_be=slot.may_be & ~mask) for slot in done)
        elif e.kind == "found":
            done = self._settled(done, moving)
            mask = self.pack.field[e.code]
            return [
                (i + 1, groups, (*done[:k], replace(slot, code=e.code), *done[k + 1 :]), None)
                for k, slot in reversed(list(enumerate(done))) if slot.code is None and slot.leaves and slot.may_be & mask
            ]  # fmt: skip
        elif e.kind == "back":
            groups = tuple(g for g in groups if g.pile != e.pile)
        return [(i + 1, groups, self._settled(done, moving), None)]

    def _came(self, e: JournalEntry, point: _Point) -> _Point:
        """After a card came unseen: the one that has just gone out, or another."""
        i, groups, done, moving = point
        may_be = self.pack.may_be[e.code]
        if e.step in self.undated:
            groups = _dated(groups, e.pile, e.step)
        if moving is not None and moving.before[-1][0] == e.src:
            came = replace(moving, pile=e.pile, since=e.step, may_be=moving.may_be & may_be, count=1)
        else:
            came = _Group(e.pile, e.step, may_be, 1, many=e.code == self.pack.many)
            done = self._settled(done, moving)
        return i + 1, _joined(groups, came), done, None

    def _forgotten(self, e: JournalEntry, point: _Point) -> tuple[tuple[_Group, ...], tuple[HiddenCard, ...]]:
        """After cards that were known cannot be told apart any more: they, with the others, which are none of them."""
        i, groups, done, _ = point
        mask = self.marked[i]
        if self.pack.single and e.step in self.undated:
            # Elsewhere a page may have taken a card for one that a rule asks for: what is shown of it later is no proof there.
            groups = tuple(replace(g, may_be=g.may_be & ~mask) for g in groups)
        return (*groups, _Group(e.pile, e.step - 1, mask, self.pack.count(e.code), origin=i + 1)), done

    def _gone(self, e: JournalEntry, point: _Point) -> list[_Point]:
        """After a card was shown, or went out unseen: one way for each of the unseen cards that it may be, the first last."""
        i, groups, done, moving = point
        done = self._settled(done, moving)
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


def _in_order(group: _Group) -> tuple[str, int, int, int]:
    return group.pile, group.since, group.origin, group.may_be


def _slot(group: _Group, until: int, code: int | None) -> HiddenCard:
    stays = (*group.before, (group.pile, group.since, until))
    return HiddenCard(stays, group.may_be, code, group.leaves, group.turns, group.many, group.count if group.many else 0)


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
