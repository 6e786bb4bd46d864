"""From the log to the state: corrections folded in, events applied one after the other, any position reached.

The log itself never changes. What is folded is its *corrected* view: each event in its place, as it stands after the
fixes, without the acts that the table let a player take back (`replay.takebacks`); an event put in by a fix is called by the
number of that fix. A fix of a ruling has no effect: a ruling is revoked only by a later one. A meld that is named by its
number is the one that had the number when the line was typed, and is written with the number it has now
(`replay.references`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotFoundError, UnreadableError
from events.model import (
    Event,
    Fix,
    Open,
    Plain,
    Play,
    Recorded,
    Ruling,
)
from events.unread_lines import Doubted
from reducers.evolve import FRAME, evolve, may_begin
from reducers.first_state import begin, terms_of
from reducers.model import State
from reducers.registry import find_game
from reducers.seating import with_all
from reducers.terms import Terms, called_by
from replay.log import Misfit, NumberedEvent
from replay.references import Meaning, ReferenceReader, renumbers
from replay.takebacks import TakenBack, may_take_back, stands_as_written, without_taken_back

LAST = 2**31
"""A position behind every log."""


class Corrected(Struct, frozen=True):
    """The corrected view of a log: what to fold, in order; what was struck out; corrections that point nowhere.

    `adrift` are the lines that speak of a meld which a correction took away: what they did with it nobody can say.
    `meaning` is what the numbers in each line meant when it was typed; that a shorter log need not find it anew. `taken_back`
    are the acts that the table let a player take back; while the place of one `waits` to be filled, what others did behind it
    is left out of the view.
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
        """The step of each position, counted from 1: where its event stands, or the one before which an act was made that was taken back."""
        found = {p.n: step for step, p in enumerate(self.events, 1)}
        return {**{one.act.n: found.get(one.after, 0) + 1 for one in self.taken_back}, **found} if self.taken_back else found

    def goes_on_with(self, event: Event) -> bool:
        """Whether the view of the log with one more event is this one with that event behind it."""
        return not (self.waits or type(event) in (Fix, Open) or may_take_back(event))


def standing_before(view: Corrected, n: int, *, behind: bool = False) -> Corrected:
    """The view up to the place where event `n` stands, or with `behind` up to and with it; what was put in by a correction stands where it was
    put in. What is struck out, or still to come, has its place by its number."""
    place = next((i for i, p in enumerate(view.events) if p.n == n), None)
    if place is None:
        return replace(view, events=tuple(p for p in view.events if p.n < n + behind))
    return replace(view, events=view.events[: place + behind])


def terms_at(view: Corrected, pos: int, terms: Terms) -> Terms:
    """The terms of a match with the names of those who sat there at a position; somebody else may sit there by now."""
    seats = (*terms.seats, *terms.sides, *terms.names)
    said = [view.opening.facts, *(p.event.facts for p in view.events if p.n <= pos and type(p.event) is Open)]
    names = {who: str(facts[who]) for facts in said for who in seats if who in facts}
    return replace(terms, names=names, called=called_by(terms.sides, names))


def terms_throughout(events: Iterable[Event]) -> Terms:
    """The terms of a match with the seats of all who may sit at the table on the way. Raises UnreadableError for an opening that cannot be."""
    said = [e.facts for e in (event.event if type(event) is Fix else event for event in events) if type(e) is Open]
    terms = terms_of(find_game(str(said[0].get("Game", ""))), said[0])
    tables = [str(facts["Seats"]).split() for facts in said[1:] if "Seats" in facts]
    return with_all(terms, [terms.seats, *tables]) if tables and find_game(str(said[0]["Game"])).open_table else terms


class Sitting(Struct, frozen=True):
    """Somebody at a seat, from one position of the log to another (`LAST` if nobody else sits there later)."""

    seat: str
    name: str
    since: int = 0
    until: int = LAST


def sittings(view: Corrected, terms: Terms) -> tuple[Sitting, ...]:
    """Who sat at each seat, one after the other: a later opening that names somebody else seats a substitute, or moves a player. A seat
    without a name is called by its letter; a name that is given to it later is that of who sat there all along."""
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
    """Fold the fixes into the log; `meaning` is that of a longer log, if it is known already.

    Raises UnreadableError for a log without its opening.
    """
    log = list(records)
    if not log or not isinstance(log[0].event, Open):
        raise UnreadableError(
            "the record does not begin with the opening of a match",
            expected="a tag block that names the game",
            todo='Begin it with tags like [Game "kaiser"].',
        )
    opening = log[0].event
    if stands_as_written(log):
        # The comprehension is the hot path of a clean log; that no event is a fix was just seen.
        return Corrected(opening, tuple([NumberedEvent(r.n, r.n, r.event, r) for r in log[1:]]))  # type: ignore[arg-type]  # as said above
    folding = Folding(opening, meaning)
    for r in log[1:]:
        if isinstance(r.event, Fix):
            folding.doubted |= type(r) is Doubted
            folding.correct(r, r.event)
        else:
            folding.put(r.n, folding.order.last, NumberedEvent(r.n, r.n, r.event, r))
    return without_takebacks(folding.result())


def without_takebacks(view: Corrected) -> Corrected:
    """The view without what the table let a player take back."""
    left = without_taken_back(view.events)
    if not left.taken and not left.pointless:
        return view
    misfits = [Misfit(p.n, f"there is no act of {p.event.by} before this that could be taken back") for p in left.pointless]
    return replace(view, events=left.events, misfits=(*view.misfits, *misfits), taken_back=left.taken, waits=left.waits)


class Folding:
    """The corrections of a log on their way into it: the lines in their order, those struck out, and what fits nowhere."""

    def __init__(self, opening: Open, meaning: Meaning | None) -> None:
        self.opening = opening
        self.order = LineOrder()
        self.there: dict[int, NumberedEvent] = {}
        self.struck: dict[int, NumberedEvent] = {}
        # The same as they stood before they were struck out.
        self.gone: dict[int, NumberedEvent] = {}
        self.misfits: list[Misfit] = []
        self.behind: dict[int, int] = {}
        self.reader = ReferenceReader(opening, meaning)
        self.doubted = False

    def put(self, n: int, after: int, event: NumberedEvent) -> None:
        """A line stands behind another."""
        self.order.put(n, after)
        self.there[n] = event
        self.reader.typed(event)

    def correct(self, r: Recorded, fix: Fix) -> None:
        """Fold one correction in, or note why it points nowhere."""
        old, struck = self.there.get(fix.at), self.struck.get(fix.at)
        kind = renumbers(fix, old.event if old is not None and fix.how != "insert" else None)
        if kind is not None:
            self.reader.before(kind, fix.at, self.order, self.there)
        if fix.at == 0 and fix.how == "replace" and isinstance(fix.event, Open):
            self.opening = fix.event
        elif struck is not None and fix.how == "replace" and fix.event is not None:
            # What was struck out stands again in its place, as it was or otherwise.
            del self.struck[fix.at]
            gone = self.gone.pop(fix.at)
            self.there[fix.at] = gone if fix.event == gone.event else replaced(gone, r, fix.event)
            self.reader.typed(self.there[fix.at])
        elif old is None and not (fix.how == "insert" and (fix.at == 0 or struck is not None)):
            self.misfits.append(Misfit(r.n, self._nothing_at(fix.at, r.n)))
        elif old is not None and fix.how != "insert" and isinstance(old.event, Ruling):
            # What was decided is undone by a decision, in the open, not by a correction of the record.
            self.misfits.append(Misfit(r.n, irrevocable(fix.at)))
        elif fix.how == "insert" and fix.event is not None:
            # Several insertions after one event stand in the order in which they were entered.
            self.put(r.n, self.behind.get(fix.at, fix.at), NumberedEvent(r.n, r.n, fix.event, r))
            self.behind[fix.at] = r.n
        elif old is not None and fix.how == "turn" and fix.event is not None:
            self._turn(r, fix.at, old.event, fix.event)
        elif old is not None and fix.how == "replace" and fix.event is not None:
            self.there[fix.at] = replaced(old, r, fix.event)
            self.reader.typed(self.there[fix.at])
        elif old is not None:
            self.struck[fix.at] = NumberedEvent(fix.at, r.n, old.event, old.recorded, old.was)
            # Whatever was put in behind it keeps its place.
            self.gone[fix.at] = self.there.pop(fix.at)

    def _turn(self, r: Recorded, at: int, old: Plain, now: Plain) -> None:
        """The cards played from one on, to the end of its hand, move round to the seats so much further on."""
        state, hand = begin(self.opening.facts), 0
        for placed in [self.there[n] for n in self.order if n in self.there]:
            state.at = state.table.now = placed.n
            evolve(state, placed.event)
            if placed.n == at:
                hand, seats = state.number, state.terms.seats
                if type(old) is not Play or old.by not in seats or now.by not in seats:
                    self.misfits.append(Misfit(r.n, f"event {at} is no card that a seat played, so nothing moves round from there"))
                    return
                steps = seats.index(now.by) - seats.index(old.by)
            elif hand and state.number != hand:
                return
            if hand and type(placed.event) is Play and placed.event.by in seats:
                seat = seats[(seats.index(placed.event.by) + steps) % len(seats)]
                self.there[placed.n] = replaced(placed, r, now if placed.n == at else replace(placed.event, by=seat))
                self.reader.typed(self.there[placed.n])

    def _nothing_at(self, at: int, n: int) -> str:
        """Why event `n` corrects nothing that is there."""
        if at in self.struck:
            return f"event {at} was struck out before, so it cannot be struck out"
        what = "is a correction itself" if 0 < at < n else "is not there"
        return f"event {at} {what}, so it cannot be corrected"

    def result(self) -> Corrected:
        """The corrected view, once all lines were looked at."""
        events, struck = tuple(self.there[n] for n in self.order if n in self.there), tuple(self.struck.values())
        if not self.reader.moved:
            return Corrected(self.opening, events, struck, tuple(self.misfits))
        meant, gone = self.reader.corrected(events)
        # A correction that may not have been made takes nothing away for certain.
        self.misfits += [] if self.doubted else [Misfit(n, f"of the piles this speaks of, {' and '.join(what)}") for n, what in sorted(gone.items())]
        return Corrected(self.opening, tuple(meant), struck, tuple(self.misfits), frozenset(gone), self.reader.meaning)


def replaced(old: NumberedEvent, by: Recorded, event: Plain) -> NumberedEvent:
    """What stands in the place of an event by a later correction."""
    return NumberedEvent(old.n, by.n, event, old.recorded, (*old.was, (old.at, old.event)))


class LineOrder:
    """The numbers of the lines in the order in which they stand, 0 before the first; a line is put in behind any other."""

    __slots__ = ("_next", "last")

    def __init__(self) -> None:
        self._next: dict[int, int] = {}
        self.last = 0

    def put(self, n: int, after: int) -> None:
        """This line stands behind that one."""
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
    """Why a correction cannot touch a ruling."""
    return f"event {at} is a ruling, and only a later ruling that names it takes its place; it still holds"


def fold(records: Iterable[Recorded], *, until: int | None = None) -> State[Any]:
    """The state after the log, or after the position `until` (the log as it stood then, later fixes not known).

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
        event = placed.event
        kind = type(event)
        act = state.game.on.get(kind)
        if may_begin(state) or act is None or kind in FRAME or state.ended or event.by not in state.terms.side_of:
            evolve(state, event)
        else:
            # What `evolve` does with an act in the middle of a hand, without a call for each of them.
            act(event, state)
    return state


def own_state(start: State[Any]) -> State[Any]:
    """A state to go on from, with a table of its own, for folding a hand from its beginning: the hand brings its own
    record with it, so that the one before need not be copied."""
    out = start.snapshot()
    out.table = start.table.as_it_lies()
    return out
