"""From the log to the state: corrections folded in, events applied one after the other, any position reached.

The log itself never changes. What is folded is its *corrected* view: each event in its place, as it stands after the
fixes; an event put in by a fix is called by the number of that fix. A fix of a ruling has no effect: a ruling is revoked
only by a later one. A meld that is named by its number is the one that had the number when the line was typed, and is
written with the number it has now (`replay.references`).
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from events.errors import NotFoundError, UnreadableError
from events.model import (
    Event,
    Fix,
    Open,
    Recorded,
    Ruling,
    verb_of,
)
from reducers.begin import begin
from reducers.evolve import evolve
from reducers.model import State
from replay.log import Misfit, NumberedEvent
from replay.references import Meaning, Reader, renumbers


class Corrected(Struct, frozen=True):
    """The corrected view of a log: what to fold, in order; what was struck out; corrections that point nowhere.

    `adrift` are the lines that speak of a meld which a correction took away: what they did with it nobody can say.
    `meaning` is what the numbers in each line meant when it was typed; that a shorter log need not find it anew.
    """

    opening: Open
    events: tuple[NumberedEvent, ...]
    struck: tuple[NumberedEvent, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    adrift: frozenset[int] = frozenset()
    meaning: Meaning | None = None


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
    if not any(type(r.event) is Fix for r in log):
        # The comprehension is the hot path of a clean log; that no event is a fix was just seen.
        return Corrected(opening, tuple([NumberedEvent(r.n, r.n, r.event, r) for r in log[1:]]))  # type: ignore[arg-type]  # as said above
    order = Order()
    there: dict[int, NumberedEvent] = {}
    struck: dict[int, NumberedEvent] = {}
    misfits: list[Misfit] = []
    behind: dict[int, int] = {}
    reader = Reader(opening, meaning)
    for r in log[1:]:
        fix = r.event
        if not isinstance(fix, Fix):
            order.put(r.n, order.last)
            there[r.n] = NumberedEvent(r.n, r.n, fix, r)
            reader.typed(there[r.n])
            continue
        old = there.get(fix.at)
        kind = renumbers(fix, old.event if old is not None and fix.how != "insert" else None)
        if kind is not None:
            reader.before(kind, fix.at, order, there)
        if fix.at == 0 and fix.how == "replace" and isinstance(fix.event, Open):
            opening = fix.event
        elif old is None and not (fix.how == "insert" and fix.at == 0):
            what = "is a correction itself" if 0 < fix.at < r.n and fix.at not in struck else "is not there"
            what = "was struck out before" if fix.at in struck else what
            misfits.append(Misfit(r.n, f"event {fix.at} {what}, so it cannot be corrected"))
        elif old is not None and fix.how != "insert" and isinstance(old.event, Ruling):
            # What was decided is undone by a decision, in the open, not by a correction of the record.
            misfits.append(Misfit(r.n, irrevocable(fix.at)))
        elif fix.how == "insert" and fix.event is not None:
            # Several insertions after one event stand in the order in which they were entered.
            after = behind.get(fix.at, fix.at)
            order.put(r.n, after)
            behind[fix.at] = r.n
            there[r.n] = NumberedEvent(r.n, r.n, fix.event, r)
            reader.typed(there[r.n])
        elif old is not None and fix.how == "replace" and fix.event is not None:
            there[fix.at] = NumberedEvent(fix.at, r.n, fix.event, old.recorded, (*old.was, (old.at, old.event)))
            reader.typed(there[fix.at])
        elif old is not None:
            struck[fix.at] = NumberedEvent(fix.at, r.n, old.event, old.recorded, old.was)
            # Whatever was put in behind it keeps its place.
            del there[fix.at]
    events = tuple(there[n] for n in order if n in there)
    if not reader.moved:
        return Corrected(opening, events, tuple(struck.values()), tuple(misfits))
    meant, gone = reader.corrected(events)
    misfits += [Misfit(n, f"of the piles this speaks of, {' and '.join(what)}") for n, what in sorted(gone.items())]
    return Corrected(opening, tuple(meant), tuple(struck.values()), tuple(misfits), frozenset(gone), reader.meaning)


class Order:
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
    return run(view.opening, view.events)


def run(opening: Open, events: Sequence[NumberedEvent]) -> State[Any]:
    """Apply events to a match that begins with this opening."""
    state = begin(opening.facts)
    table_at = state
    for placed in events:
        table_at.at = table_at.table.now = placed.n
        evolve(state, placed.event)
    return state


def describe(event: Event) -> str:
    """The verb of an event, for sentences about it."""
    return verb_of(event)


def own_state(start: State[Any]) -> State[Any]:
    """A state to go on from, with a table of its own, for folding a hand from its beginning: the hand brings its own
    record with it, so that the one before need not be copied."""
    out = snapshot(start)
    out.table = start.table.as_it_lies()
    return out


def snapshot(state: State[Any]) -> State[Any]:
    """The state as it is now, as far as the fold goes on by replacing and not by changing what hangs on it."""
    out = copy.copy(state)
    out.scores, out.inferred, out.claims = list(state.scores), list(state.inferred), list(state.claims)
    return out
