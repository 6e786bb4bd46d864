"""From the log to the state: fold corrections in, apply events in order, reach any position.

The log itself never changes. What is folded is its *corrected* view: each event in its place, as it is after the
fixes, without the acts that the table let a player take back (`replay.takebacks`). A later line may also show that a
gap hides no beginning of a hand. An event inserted by a fix has the
number of that fix. A fix of a ruling has no effect: only a later ruling revokes it. A meld's number refers to the
meld that had it when the line was typed, and is replaced by its current number (`replay.references`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotFoundError
from events.model import Event, Fix, Gap, Hand, Open, Plain, Play, Recorded, Ruling
from events.unread_lines import Doubted
from reducers.evolve import evolve
from reducers.first_state import begin, terms_of
from reducers.model import State
from reducers.registry import page_for
from reducers.seating import with_all
from reducers.terms import Terms, called_by
from replay.log import Misfit, NumberedEvent, first_opening
from replay.references import Meaning, ReferenceReader, renumbers
from replay.takebacks import TakenBack, gaps_without_a_hand, may_take_back, stands_as_written, without_taken_back

LAST = 2**31
"""A position after every log."""


class Corrected(Struct, frozen=True):
    """The corrected view of a log: the events to fold, in order; those struck out; corrections without a target.

    `adrift` are the lines that refer to a meld which a correction removed: their effect is unknown. `meaning` is what
    the numbers in each line meant when it was typed, to be reused for shorter logs. `taken_back` are the acts that
    were taken back; while the place of one `waits` to be filled, later acts of others are left out of the view.
    """

    opening: Open
    events: tuple[NumberedEvent, ...]
    struck: tuple[NumberedEvent, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    adrift: frozenset[int] = frozenset()
    meaning: Meaning | None = None
    taken_back: tuple[TakenBack, ...] = ()
    waits: bool = False

    def steps(self) -> dict[int, int]:
        """The step of each position, from 1: that of its event, or for an act taken back the step before which it was
        made."""
        found = {p.n: step for step, p in enumerate(self.events, 1)}
        return {
            **{one.act.n: found.get(one.after, 0) + 1 for one in self.taken_back}, **found
        } if self.taken_back else found

    def goes_on_with(self, *events: Event) -> bool:
        """True if adding these events to the log adds them to the end of this view."""
        return not (
            self.waits or any(type(event) in (Fix, Open) or may_take_back(event) for event in events)
            or (Hand in map(type, events) and gaps_without_a_hand([*(p.event for p in self.events), *events]))
        )


def standing_before(view: Corrected, n: int, *, behind: bool = False) -> Corrected:
    """The view before the place of event `n`, or including it with `behind`. An inserted event is in its place; an
    event that is struck out, or still to come, is placed by its number."""
    place = next((i for i, p in enumerate(view.events) if p.n == n), None)
    if place is None:
        return replace(view, events=tuple(p for p in view.events if p.n < n + behind))
    return replace(view, events=view.events[: place + behind])


def terms_at(view: Corrected, pos: int, terms: Terms) -> Terms:
    """The terms of a match with the names of the players who sat there at a position; they may have changed since."""
    seats = (*terms.seats, *terms.sides, *terms.names)
    said = [view.opening.facts, *(p.event.facts for p in view.events if p.n <= pos and type(p.event) is Open)]
    names = {who: str(facts[who]) for facts in said for who in seats if who in facts}
    return replace(terms, names=names, called=called_by(terms.sides, names))


def terms_throughout(events: Iterable[Event]) -> Terms:
    """The terms of a match with the seats of all players who may sit at the table during it. Raises UnreadableError
    for an invalid opening."""
    said = [e.facts for e in (event.event if type(event) is Fix else event for event in events) if type(e) is Open]
    terms = terms_of(page_for(said[0]), said[0])
    tables = [str(facts["Seats"]).split() for facts in said[1:] if "Seats" in facts]
    return with_all(terms, [terms.seats, *tables]) if tables and page_for(said[0]).match.open_table else terms


class Sitting(Struct, frozen=True):
    """A player at a seat, from one position of the log to another (`LAST` if no other player follows)."""

    seat: str
    name: str
    since: int = 0
    until: int = LAST


def sittings(view: Corrected, terms: Terms) -> tuple[Sitting, ...]:
    """The players at each seat, in order: a later opening with another name seats a substitute, or moves a player. A
    seat without a name is called by its letter; a name that is added later applies from the start."""
    sat = {seat: [Sitting(seat, str(view.opening.facts.get(seat, seat)))] for seat in terms.seats}
    for at, event in ((p.n, p.event) for p in view.events if type(p.event) is Open):
        for seat in terms.seats:
            before, name = sat[seat][-1], str(event.facts.get(seat, sat[seat][-1].name))
            if before.name == seat:
                sat[seat][-1] = replace(before, name=name)
            elif name != before.name:
                sat[seat][-1:] = [replace(before, until=at - 1), Sitting(seat, name, at)]
    return tuple(one for seat in terms.seats for one in sat[seat])


def corrected(records: Iterable[Recorded], meaning: Meaning | None = None) -> Corrected:
    """Fold the fixes into the log; `meaning` is that of a longer log, if known.

    Raises UnreadableError for a log without its opening.
    """
    log = list(records)
    opening = first_opening(log)
    if stands_as_written(log):
        # The comprehension is the hot path of a clean log, without fixes.
        return Corrected(opening, tuple([NumberedEvent(r.n, r.n, r.event, r) for r in log[1:]]))  # type: ignore[arg-type]  # as said above
    folding = Folding(opening, meaning)
    for r in log[1:]:
        if isinstance(r.event, Fix):
            folding.doubted |= type(r) is Doubted
            folding.correct(r, r.event)
        else:
            folding.put(r.n, folding.order.last, NumberedEvent(r.n, r.n, r.event, r))
    return without_takebacks(with_hands_in_a_row(folding.result()))


def with_hands_in_a_row(view: Corrected) -> Corrected:
    """The view with a gap of no acts for each gap that hides no beginning of a hand: a tally behind it is of the hand
    before it."""
    events = list(view.events)
    for i in gaps_without_a_hand([p.event for p in events]):
        events[i] = replace(events[i], event=Gap(by=events[i].event.by, number=0))
    return replace(view, events=tuple(events))


def without_takebacks(view: Corrected) -> Corrected:
    """The view without the acts that were taken back."""
    left = without_taken_back(view.events)
    if not left.taken and not left.pointless:
        return view
    misfits = [
        Misfit(p.n, f"there is no act of {p.event.by} before this that could be taken back") for p in left.pointless
    ]
    return replace(view, events=left.events, misfits=(*view.misfits, *misfits), taken_back=left.taken, waits=left.waits)


class Folding:
    """The corrections of a log being folded: the lines in order, those struck out, and corrections without a target."""

    def __init__(self, opening: Open, meaning: Meaning | None) -> None:
        self.opening = opening
        self.order = LineOrder()
        self.there: dict[int, NumberedEvent] = {}
        self.struck: dict[int, NumberedEvent] = {}
        # Struck lines as they were before.
        self.gone: dict[int, NumberedEvent] = {}
        self.misfits: list[Misfit] = []
        self.behind: dict[int, int] = {}
        self.reader = ReferenceReader(opening, meaning)
        self.doubted = False

    def put(self, n: int, after: int, event: NumberedEvent) -> None:
        """Place a line after another."""
        self.order.put(n, after)
        self.there[n] = event
        self.reader.typed(event)

    def correct(self, r: Recorded, fix: Fix) -> None:
        """Fold one correction in, or record why it has no target."""
        old, struck = self.there.get(fix.at), self.struck.get(fix.at)
        kind = renumbers(fix, old.event if old is not None and fix.how != "insert" else None)
        if kind is not None:
            self.reader.before(kind, fix.at, self.order, self.there)
        if fix.at == 0 and fix.how == "replace" and isinstance(fix.event, Open):
            self.opening = fix.event
        elif struck is not None and fix.how == "replace" and fix.event is not None:
            # A struck line is back in its place, with the same or another event.
            del self.struck[fix.at]
            gone = self.gone.pop(fix.at)
            self.there[fix.at] = gone if fix.event == gone.event else replaced(gone, r, fix.event)
            self.reader.typed(self.there[fix.at])
        elif old is None and not (fix.how == "insert" and (fix.at == 0 or struck is not None)):
            self.misfits.append(Misfit(r.n, self._nothing_at(fix.at, r.n)))
        elif old is not None and fix.how != "insert" and isinstance(old.event, Ruling):
            # A ruling is revoked openly by a ruling, not by a correction of the record.
            self.misfits.append(Misfit(r.n, irrevocable(fix.at)))
        elif fix.how == "insert" and fix.event is not None:
            # Several insertions after one event keep the order of entry.
            self.put(r.n, self.behind.get(fix.at, fix.at), NumberedEvent(r.n, r.n, fix.event, r))
            self.behind[fix.at] = r.n
        elif old is not None and fix.how == "turn" and fix.event is not None:
            self._turn(r, fix.at, old.event, fix.event)
        elif old is not None and fix.how == "replace" and fix.event is not None:
            self.there[fix.at] = replaced(old, r, fix.event)
            self.reader.typed(self.there[fix.at])
        elif old is not None:
            self.struck[fix.at] = NumberedEvent(fix.at, r.n, old.event, old.recorded, old.was)
            # Lines inserted after it keep their place.
            self.gone[fix.at] = self.there.pop(fix.at)

    def _turn(self, r: Recorded, at: int, old: Plain, now: Plain) -> None:
        """Shift the cards played from one on, to the end of its hand, by the same number of seats."""
        state, hand = begin(self.opening.facts), 0
        for placed in [self.there[n] for n in self.order if n in self.there]:
            state.at = state.table.now = placed.n
            evolve(state, placed.event)
            if placed.n == at:
                hand, seats = state.number, state.terms.seats
                if type(old) is not Play or old.by not in seats or now.by not in seats:
                    self.misfits.append(
                        Misfit(r.n, f"event {at} is no card that a seat played, so nothing moves round from there")
                    )
                    return
                steps = seats.index(now.by) - seats.index(old.by)
            elif hand and state.number != hand:
                return
            if hand and type(placed.event) is Play and placed.event.by in seats:
                seat = seats[(seats.index(placed.event.by) + steps) % len(seats)]
                self.there[placed.n] = replaced(placed, r, now if placed.n == at else replace(placed.event, by=seat))
                self.reader.typed(self.there[placed.n])

    def _nothing_at(self, at: int, n: int) -> str:
        """The reason why event `n` has no target."""
        if at in self.struck:
            return f"event {at} was struck out before, so it cannot be struck out"
        what = "is a correction itself" if 0 < at < n else "is not there"
        return f"event {at} {what}, so it cannot be corrected"

    def result(self) -> Corrected:
        """The corrected view, after all lines."""
        events, struck = tuple(self.there[n] for n in self.order if n in self.there), tuple(self.struck.values())
        if not self.reader.moved:
            return Corrected(self.opening, events, struck, tuple(self.misfits))
        meant, gone = self.reader.corrected(events)
        # A correction that may not have been made takes nothing away for certain.
        self.misfits += [] if self.doubted else [
            Misfit(n, f"of the piles in this line, {' and '.join(what)}") for n, what in sorted(gone.items())
        ]
        return Corrected(self.opening, tuple(meant), struck, tuple(self.misfits), frozenset(gone), self.reader.meaning)


def replaced(old: NumberedEvent, by: Recorded, event: Plain) -> NumberedEvent:
    """The event as changed by a later correction."""
    return NumberedEvent(old.n, by.n, event, old.recorded, (*old.was, (old.at, old.event)))


class LineOrder:
    """The numbers of the lines in order, 0 before the first. A line can be inserted after any other."""

    __slots__ = ("_next", "last")

    def __init__(self) -> None:
        self._next: dict[int, int] = {}
        self.last = 0

    def put(self, n: int, after: int) -> None:
        """Insert line `n` after line `after`."""
        if after == self.last:
            self.last = n
        else:
            self._next[n] = self._next[after]
        self._next[after] = n

    def __iter__(self) -> Iterator[int]:
        n = 0
        while n != self.last:
            n = self._next[n]
            yield n


def irrevocable(at: int) -> str:
    """The reason why a correction cannot change a ruling."""
    return f"event {at} is a ruling, and only a later ruling that names it takes its place; it still holds"


def fold(records: Iterable[Recorded], *, until: int | None = None) -> State[Any]:
    """Return the state after the log, or after the position `until` (the log as it was then, without later fixes).

    Raises NotFoundError for a position the log does not have, UnreadableError for a log that cannot be opened.
    """
    log = list(records)
    if until is not None:
        last = log[-1].n if log else 0
        if not 0 <= until <= last:
            raise NotFoundError(f"there is no event {until}", expected=f"a position from 0 to {last}")
        log = [r for r in log if r.n <= until]
    view = corrected(log)
    return apply_events(view.opening, view.events)


def apply_events(opening: Open, events: Sequence[NumberedEvent]) -> State[Any]:
    """Apply events to a match that begins with this opening."""
    state = begin(opening.facts)
    for placed in events:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
    return state
