"""States of matches, kept from one line to the next by whoever writes many of them down.

A state is kept under the leaf of the last event that was folded into it. The leaf names that event and everything before it in
its match, so that a state which is kept cannot be of another record, whoever wrote to it meanwhile.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from events.model import Event, Recorded
from reducers.evolve import evolve
from reducers.model import State
from replay.fold import apply_events, corrected


class MatchSource(Protocol):
    """Where matches are kept, as far as their states are asked for."""

    def read(self, match: str, after: int = -1) -> Sequence[Recorded]: ...
    def tip(self, match: str) -> tuple[int, bytes]: ...


class _Kept(NamedTuple):
    last: int
    leaf: bytes
    state: State[Any]
    goes_on_with: Callable[[Event], bool]


class KeptStates:
    """The states of the matches that were asked for last, `most` of them at most. For one record and one thread."""

    def __init__(self, record: MatchSource, most: int = 64) -> None:
        self.record, self.most = record, most
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, match: str) -> State[Any]:
        """Where a match stands after all its events; not to be changed. Raises what reading and folding it raise."""
        last, leaf = self.record.tip(match)
        kept = self._kept.get(match)
        if kept is not None and kept.leaf == leaf:
            self._kept.move_to_end(match)
            return kept.state
        records = self.record.read(match)
        view = corrected(records)
        state = apply_events(view.opening, view.events)
        if records[-1].n == last:  # else somebody wrote in between, and the leaf is not that of the last
            self._keep(match, _Kept(last, leaf, state, view.goes_on_with))
        return state

    def take(self, match: str, events: Sequence[Recorded]) -> None:
        """Fold events in that were appended after `of` was asked; if one of them changes what was there, all is folded anew later."""
        kept = self._kept.pop(match, None)
        if kept is None or not all(kept.goes_on_with(r.event) for r in events):
            return
        last, leaf = self.record.tip(match)
        if last == kept.last + len(events):
            state = kept.state
            for n, r in enumerate(events, kept.last + 1):
                state.at = state.table.now = n
                evolve(state, r.event)
            self._keep(match, _Kept(last, leaf, state, kept.goes_on_with))

    def _keep(self, match: str, kept: _Kept) -> None:
        self._kept[match] = kept
        self._kept.move_to_end(match)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
