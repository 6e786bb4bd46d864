"""The unseen cards of a hand, as slots: when each came, when it was shown or left, and what it may be.

A slot is one unseen card of a holding: it was dealt or picked up, and was shown, left unseen, or stayed to the end.
Filling every slot with a free face in every possible way gives the worlds that agree with the record. No rules are
used, only physical facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack, how_many
from events.model import Deal, Event, Hand, Move
from reducers.evolve import each_pile, evolve
from reducers.model import State
from reducers.table import JournalEntry, Table
from replay.judging.hindsight import CardProof
from replay.masking import unseen_in


class HiddenCard(Struct, frozen=True):
    """An unseen card on its way through the hand, and what it may be.

    `stays` are the holdings it was in: pile, the step after which, the step until which. `leaves` are the steps in
    which it moved on unseen, whose events its face belongs into; `turns` orders cards that left in one step. `code`
    is the face if it was shown in the end. `many` is True if it came with uncounted cards; if such a slot neither
    left nor was shown, it stands for `least` cards or more. If it `was_known`, it was a known card of its pile until
    another left that pile unseen, in the step after its first stay began.
    """

    stays: tuple[tuple[str, int, int], ...]
    may_be: int
    code: int | None = None
    leaves: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    many: bool = False
    least: int = 0
    was_known: bool = False

    @property
    def laid_open(self) -> bool:
        """True if it was laid open for all to see, so that its face belongs into the event that brought it."""
        return bool(self.leaves) and self.leaves[0] <= self.stays[0][1]

    @property
    def open_ended(self) -> bool:
        """True if the slot stands for an unknown number of cards."""
        return self.many and self.code is None and not self.leaves


class _Group(Struct, frozen=True):
    """Indistinguishable unseen cards of a pile. `origin` numbers the known cards they once were."""

    pile: str
    since: int
    may_be: int
    count: int
    before: tuple[tuple[str, int, int], ...] = ()
    leaves: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    origin: int = 0
    many: bool = False
    """True if uncounted: there are `count` of them, or more."""


MOST_WAYS = 200
# Most steps of the search, including dead ends.
MOST_STEPS = 20_000
# Merged cases are limited to one per this many steps.
STEPS_A_CASE = 10


_Point: TypeAlias = tuple[int, tuple[_Group, ...], tuple[HiddenCard, ...], _Group | None]
"""A point of the search: the index of the next journal entry, the unseen cards in piles, the finished cards, and the
card that has just left."""


class HandReading(Struct):
    """The events of a hand, from step `first` on and from the state at its `start`, and what their fold showed.

    `undated` are the steps in which the age of a holding's unseen cards does not matter; `table` is the one in the
    end; `laid_open` are the entries of cards that were laid open and not seen, which may lie in rows. `astray` says of
    each event whether the record shows that an act may be missing before it. A hidden card that would put a player out
    of turn is no sign of that. `midway` is the state before step `kept`, if it would be the same whatever the unseen
    cards are that have not been put down by then.
    """

    start: State[Any]
    events: Sequence[Event]
    first: int
    journal: list[JournalEntry]
    undated: set[int]
    table: Table
    laid_open: set[JournalEntry]
    astray: list[bool]
    kept: int
    midway: State[Any] | None

    @property
    def last(self) -> int:
        """The last step of the hand."""
        return self.first + len(self.events) - 1

    def proofs(self, *kinds: str) -> list[CardProof]:
        """Proofs of the unseen cards of the hand: in holdings ("shown"), or in rows ("turned", "found")."""
        return [CardProof(e.pile, e.since, e.step, e.code) for e in self.journal if e.kind in kinds]


def trace_hidden_cards(
    hand: HandReading | None, *, unless: Callable[[Sequence[JournalEntry], Table], bool] = lambda journal, table: False,
    however: bool = False, most_steps: int = MOST_STEPS,
) -> tuple[list[list[HiddenCard]], int, str]:  # fmt: skip
    """Match the cards that were shown or left with those that came unseen. Returns every way, the free faces, and the
    reason if there is no way.

    A card that goes unseen from one holding to another is the same card, and equal unseen cards are interchangeable.
    The search is skipped if `unless` is true of the journal and the final table. With `however`, too many ways are
    merged: cards passed from holding to holding while no check uses holdings are no longer traced there.
    """
    if hand is None:
        return [], 0, "a card that was laid down unseen was taken up or shown again"
    pack, journal, table = hand.table.pack, hand.journal, hand.table
    # A card named by elimination at the end of the hand is a slot like the others here.
    named = [e.code for e in journal if e.kind == "named"]
    free = pack.full - table.located + sum(pack.unit[c] for c in named)
    why = _uncounted(journal, table, (hand.start.coming or hand.start.terms).seats)
    if why or unless(journal, table):
        return [], free, why or "nobody needs to know"
    trail = _Trail(journal, hand.undated, hand.laid_open, pack, hand.last)
    ways = trail.ways(most_steps)
    if ways is None and however:
        ways = trail.ways_told_apart_at_the_end(most_steps // STEPS_A_CASE)
    if ways is None:
        return [], free, "the unseen cards went too many ways"
    ways = [w for w in ways if all(s.may_be for s in w)]
    return ways, free, "" if ways else "what was shown does not fit what was dealt"


def read_hand(start: State[Any], events: Sequence[Event], first: int, kept: int = 0) -> HandReading | None:
    """Fold a hand whose first event has the step `first`; `start` is the state before it. The state before the step
    `kept` is kept.

    Return None if a card that was laid down unseen was taken up or shown again. Exception: if every unseen card of its
    row was laid down so, and no player took it up into the hand, its face is written into the event that laid it down.
    If it was shown in the row, the entry becomes `found`.
    """
    # Cards still on the table are of the hand before.
    state = start.fork()
    journal: list[JournalEntry] = []
    state.table.journal, state.table.trouble = journal, []
    rows = _Rows()
    undated: set[int] = set()
    seats = (start.coming or start.terms).seats
    laid_open: dict[int, list[JournalEntry]] = {}
    reached = set[str]()
    astray: list[bool] = []
    midway = None
    for step, event in enumerate(events, first):
        if step == kept > first and not state.table.consulted and state.undecided is None:
            midway = state.fork()
        state.at = state.table.now = step
        noted = len(journal)
        phase = state.game.phases.get(state.phase)
        if phase is not None and phase.ignores_holdings:
            undated.add(step)
        astray.append(state.table.astray)
        evolve(state, event)
        here = journal[noted:]
        laid = rows.laid_down(here, state.table)
        went = sum(e.kind == "out" for e in here)
        if laid is None or (laid and unseen_in(event) > went) or any(comes_into_a_hand(e, seats) for e in laid):
            return None
        for e in laid:
            at = journal.index(e, noted)
            journal[at : at + 1] = [replace(e, kind="found")] if e.kind == "turned" else []
        if not went and (came := came_open(event, here, rows.covered, state.table)):
            laid_open[step] = came
        reached |= set() if isinstance(event, Deal | Hand) else rows.higher(state.table)
        rows.change(state.table, went)
    # What goes from a row to no player's holding (cards that were won) stays out of sight.
    away = [e for e in journal if e.kind == "in" and is_row(e.src, state.table) and not comes_into_a_hand(e, seats)]
    stayed = [e for e in journal if e not in away]
    traced = traced_to_the_end(laid_open, stayed, state.table, reached, {e.src for e in away})
    in_rows = {e.pile for step in traced for e in laid_open[step] if is_row(e.pile, state.table)}
    journal = [e for e in journal if e not in away or e.src not in in_rows]
    journal = with_open_cards(journal, {step: laid_open[step] for step in traced}, in_rows)
    opened = {e for step in traced for e in laid_open[step]}
    return HandReading(start, events, first, journal, undated, state.table, opened, astray, kept, midway)


def with_open_cards(
    journal: list[JournalEntry], laid_open: Mapping[int, Sequence[JournalEntry]], rows: set[str],
) -> list[JournalEntry]:
    """The journal with the unseen cards that were laid open, into these rows too, and what was seen of them there."""
    for step, came in laid_open.items():
        rest = [e for e in journal if e.step != step or e not in came]
        at = next((i for i, e in enumerate(rest) if e.step > step), len(rest))
        journal = [*rest[:at], *came, *rest[at:]]
    out: list[JournalEntry] = []
    for e in journal:
        if e.kind == "in" and e.src in rows:
            out.append(replace(e, kind="out", pile=e.src, src=""))
        out.append(replace(e, kind="shown") if e.kind == "turned" and e.pile in rows else e)
    return out


def is_row(name: str, table: Table) -> bool:
    """True if there is a row of this name."""
    return name in table.piles and table.piles[name].row is not None


def came_open(
    event: Event, here: Sequence[JournalEntry], before: Mapping[str, int], table: Table
) -> list[JournalEntry]:
    """The unseen cards that an event laid open for all to see, as entries of the journal, in the order written; empty
    if it laid none or their places are unclear. `before` has the number of unseen cards in each row before it."""
    if not isinstance(event, Deal | Move) or event.face != "up":
        return []
    came = [e for e in here if e.kind == "in" and not e.src]
    dealt = dict(event.piles) if isinstance(event, Deal) else {}
    for name, pile in table.piles.items():
        # A deal that was only inferred had laid other cards there.
        fresh = pile.row is not None and how_many(dealt.get(name, ())) == len(pile.row)
        more = (pile.covered if pile.row is not None else 0) - (0 if fresh else before.get(name, 0))
        unseen = [code for code in pile.row or () if code >= table.pack.unknown]
        came += [JournalEntry("in", name, table.now, code) for code in unseen[len(unseen) - more :] if more > 0]
    names = [pile for name, _ in event.piles for pile in each_pile(name.removeprefix("hand:"))] if isinstance(
        event, Deal
    ) else []
    piles = {e.pile for e in came}
    if len(came) != unseen_in(event) or (len(piles) > 1 and not piles.issubset(names)):
        return []
    return sorted(came, key=lambda e: names.index(e.pile)) if len(piles) > 1 else came


MOVED = frozenset(("in", "named", "turned"))
"""Journal entries after which a row has an unseen card less."""


def traced_to_the_end(
    laid_open: Mapping[int, Sequence[JournalEntry]], journal: Sequence[JournalEntry], table: Table,
    reached: set[str], won: set[str],
) -> set[int]:
    """The steps whose open cards stayed in their rows, were seen there later, went to a holding, or moved on among
    rows alone. `reached` are the rows that unseen cards moved to, `won` those from which cards went out of sight."""
    laid = Counter([e.pile for came in laid_open.values() for e in came if is_row(e.pile, table)])
    places = reached.union(laid)
    moved = Counter([e.src or e.pile for e in journal if e.kind in MOVED and (e.src or e.pile) in places])
    lost = {e.src or e.pile for e in journal if e.kind in ("found", "mixed")}
    if lost.union(moved) & places:
        lost |= {
            name for name, n in laid.items()
            if n != moved[name] + table.piles[name].covered and (moved[name] or name not in won)
        }
    traced = set(laid_open)
    while unclear := {step for step in traced if lost & {e.pile for e in laid_open[step]}}:
        lost |= {e.pile for step in unclear for e in laid_open[step] if e.pile in laid}
        traced -= unclear
    return traced


def comes_into_a_hand(e: JournalEntry, seats: Collection[str]) -> bool:
    """True if an unseen card came into the hand of a player, who may show it later."""
    return e.kind == "in" and e.pile.partition(":")[0] in seats


class _Rows:
    """The number of unseen cards in each row, and how many of them came from a hidden hand.

    In the rows `laid` all of them did, in those `mixed` only some, and those are not traced.
    """

    def __init__(self) -> None:
        self.covered: dict[str, int] = {}
        self.out_of_hands: dict[str, int] = {}
        self.mixed: set[str] = set()
        self.laid: set[str] = set()

    def laid_down(self, here: Sequence[JournalEntry], table: Table) -> list[JournalEntry] | None:
        """The entries of an event about cards that were laid down from a hand; `table` is the table after it. None if
        that is unknown for an entry."""
        left = dict(self.covered)
        fewer = [
            name for name, n in self.covered.items() if n > (table.piles[name].covered if name in table.piles else 0)
        ]
        out: list[JournalEntry] = []
        for e in here:
            if e.kind not in ("turned", "in"):
                continue
            name = e.src or e.pile
            # A card that was not in the row before came into it with this event.
            sources = [name] if left.get(name) or e.kind == "in" else fewer
            left[name] = left.get(name, 0) - 1
            if self.mixed.intersection(sources):
                return None
            if self.laid.intersection(sources):
                out.append(e)
        return out

    def higher(self, table: Table) -> set[str]:
        """The rows with more unseen cards than before an event."""
        return {name for name, pile in table.piles.items() if pile.row and pile.covered > self.covered.get(name, 0)}

    def change(self, table: Table, went: int) -> None:
        """Update the rows after an event in which `went` unseen cards left holdings."""
        rows = {pile.name: pile.covered for pile in table.piles.values() if pile.row is not None}
        if rows == self.covered:
            return
        # Cards from a row that is all laid down move to another row, or out of sight.
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


def _uncounted(journal: Sequence[JournalEntry], table: Table, seats: Collection[str]) -> str:
    """The reason why unseen cards of a hand cannot be traced, as the size of a holding is unknown; else ""."""
    many = table.pack.many
    lost = next((e.pile for e in journal if e.kind == "lost"), "")
    if lost:
        return f"the cards of {lost} are no longer counted"
    if not table.pack.single and any(e.kind == "mixed" for e in journal):
        return "seen cards were shuffled, and it is unknown where they went"
    if any(e.kind == "out" and e.code == many for e in journal):
        return "the cards that left a hand were not counted"
    counted = {e.pile for e in journal if e.code == many}
    # The size of a row does not matter: each way counts the cards that came out of it. Won piles hold only cards that
    # were played to them.
    if any(
        p.vague and p.row is None and p.name not in counted and p.name.partition(":")[0] in seats
        for p in table.piles.values()
    ):
        return "the cards of a hand were not counted"
    return ""


class _Trail:
    """The search for the ways of a hand's unseen cards through its journal.

    `marked` are the faces that were known before, by the entry that forgets them. In a pack without duplicates they
    are among those cards and nowhere else: no other card that stays unseen is one of them.
    """

    def __init__(
        self, journal: Sequence[JournalEntry], undated: set[int], laid_open: set[JournalEntry], pack: Pack, last: int,
    ) -> None:
        self.journal, self.undated, self.laid_open, self.pack, self.last = journal, undated, laid_open, pack, last
        self.marked = {i: self._faces(e.code) for i, e in enumerate(journal) if e.kind == "forgot"}

    def _faces(self, bag: int) -> int:
        """The mask of faces of a card that is one of these."""
        return sum(self.pack.field[c] for c in set(self.pack.codes(bag)))

    def ways(self, most_steps: int) -> list[list[HiddenCard]] | None:
        """All ways; None if there are too many, or finding them takes more than `most_steps`."""
        ways: list[list[HiddenCard]] = []
        steps = 0
        # Points still to follow, the next one last.
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
        """Ways merged if they differ only in how cards moved between holdings while no check uses holdings. None if
        more than `most_cases` are left after an entry."""
        cases: dict[_Point, None] = {(0, (), (), None): None}
        for e in self.journal:
            merges = e.step in self.undated
            after = (later for point in cases for later in self._after(point))
            cases = dict.fromkeys(self._merged(later, e) if merges else later for later in after)
            if len(cases) > most_cases:
                return None
        return [self._at_the_end(point) for point in cases] if len(cases) <= MOST_WAYS else None

    def _merged(self, point: _Point, e: JournalEntry) -> _Point:
        """Forget what no check uses: how the cards came to a holding, and when."""
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
        """True if no check used the holdings since these cards were dealt."""
        since = group.before[0][1] if group.before else group.since
        return all(step in self.undated for step in range(since + 1, until + 1))

    def _at_the_end(self, point: _Point) -> list[HiddenCard]:
        """All cards of a way, including those still in a pile at the end."""
        _, groups, done, moving = point
        rest = [self._left(_slot(g, self.last + 1, None), g) for g in groups for _ in range(1 if g.many else g.count)]
        return [*self._settled(done, moving), *rest]

    def _left(self, slot: HiddenCard, group: _Group) -> HiddenCard:
        """Exclude the faces that were known later than this unseen card was, unless it is among those cards."""
        for i, mask in self.marked.items() if self.pack.single else ():
            if i >= group.origin:
                slot = _without(slot, mask)
        return slot

    def _settled(self, done: tuple[HiddenCard, ...], moving: _Group | None) -> tuple[HiddenCard, ...]:
        """Finish the card that left, as it came to no holding."""
        if moving is None:
            return done
        return *done, self._left(
            HiddenCard(
                moving.before, moving.may_be, None, moving.leaves, moving.turns, moving.many,
                was_known=moving.origin > 0,
            ), moving,
        )

    def _after(self, point: _Point) -> list[_Point]:
        """The points after one more entry: one for each unseen card that it may concern, the first last."""
        i, groups, done, moving = point
        e = self.journal[i]
        if e.kind == "in":
            return [self._came(e, point)]
        if e.kind in ("shown", "out"):
            return self._gone(e, point)
        if e.kind == "forgot":
            groups, done = self._forgotten(e, point)
        elif e.kind == "mixed":
            # In a pack without duplicates, cards unseen by now are none of those that were open before the shuffle.
            mask = self._faces(e.code)
            groups = tuple(replace(g, may_be=g.may_be & ~mask) for g in groups)
            done = tuple(slot if slot.code is not None else replace(slot, may_be=slot.may_be & ~mask) for slot in done)
        elif e.kind == "found":
            done = self._settled(done, moving)
            mask = self.pack.field[e.code]
            return [
                (i + 1, groups, (*done[:k], replace(slot, code=e.code), *done[k + 1 :]), None)
                for k,
                slot in reversed(list(enumerate(done))) if slot.code is None and slot.leaves and slot.may_be & mask
            ]  # fmt: skip
        elif e.kind == "back":
            groups = tuple(g for g in groups if g.pile != e.pile)
        return [(i + 1, groups, self._settled(done, moving), None)]

    def _came(self, e: JournalEntry, point: _Point) -> _Point:
        """The point after a card came unseen: the one that has just left, or another."""
        i, groups, done, moving = point
        may_be = self.pack.may_be[e.code]
        if e.step in self.undated:
            groups = _dated(groups, e.pile, e.step)
        if moving is not None and moving.before[-1][0] == e.src:
            came = replace(moving, pile=e.pile, since=e.step, may_be=moving.may_be & may_be, count=1)
        else:
            came = _Group(e.pile, e.step, may_be, 1, many=e.code == self.pack.many)
            if e in self.laid_open:
                # Its face belongs into the event that laid it open.
                came = replace(came, leaves=(e.step,), turns=(self._first_at(i),))
            done = self._settled(done, moving)
        return i + 1, _joined(groups, came), done, None

    def _first_at(self, i: int) -> int:
        """The first of equal entries in a row, this one among them: which of the cards is which does not matter."""
        while i and self.journal[i - 1] == self.journal[i]:
            i -= 1
        return i

    def _forgotten(self, e: JournalEntry, point: _Point) -> tuple[tuple[_Group, ...], tuple[HiddenCard, ...]]:
        """Known cards become indistinguishable from the others in their pile, which are none of them."""
        i, groups, done, _ = point
        mask = self.marked[i]
        if self.pack.single and e.step in self.undated:
            # Otherwise a game may have taken a card for one that a rule requires, so that showing it later proves
            # nothing.
            groups = tuple(replace(g, may_be=g.may_be & ~mask) for g in groups)
        return (*groups, _Group(e.pile, e.step - 1, mask, self.pack.count(e.code), origin=i + 1)), done

    def _gone(self, e: JournalEntry, point: _Point) -> list[_Point]:
        """The points after a card was shown or left unseen: one for each unseen card that it may be, the first last."""
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
    return HiddenCard(
        stays, group.may_be, code, group.leaves, group.turns, group.many, group.count if group.many else 0,
        was_known=group.origin > 0,
    )


def _joined(groups: tuple[_Group, ...], came: _Group) -> tuple[_Group, ...]:
    """Add a card, counted with those it cannot be told apart from."""
    for k, g in enumerate(groups):
        if g.count and not g.many and g.since == came.since and g.pile == came.pile and replace(g, count=1) == came:
            return (*groups[:k], replace(g, count=g.count + 1), *groups[k + 1 :])
    return (*groups, came)


def _dated(groups: tuple[_Group, ...], pile: str, step: int) -> tuple[_Group, ...]:
    """Treat all unseen cards of this pile as if they had come in this step."""
    out: tuple[_Group, ...] = ()
    for g in groups:
        loose = g.pile == pile and not g.origin and not g.many
        for _ in range(g.count if loose else 0):
            out = _joined(out, replace(g, since=step, count=1))
        out = out if loose else (*out, g)
    return out


def _without(slot: HiddenCard, mask: int) -> HiddenCard:
    """Exclude these faces, unless the card is known to be one of them."""
    if slot.code is not None or not slot.may_be & ~mask:
        return slot
    return replace(slot, may_be=slot.may_be & ~mask)
