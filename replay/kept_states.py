"""States of matches, cached from line to line by a process that records many of them.

A state is stored under the leaf hash of the last event folded into it. The leaf identifies that event and everything
before it in its match, so a cached state always belongs to this record, whoever wrote to it meanwhile.
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
    """The part of a store that reads matches."""

    def read(self, match: str, after: int = -1) -> Sequence[Recorded]: ...
    def tip(self, match: str) -> tuple[int, bytes]: ...


class _Kept(NamedTuple):
    last: int
    leaf: bytes
    state: State[Any]
    goes_on_with: Callable[[Event], bool]


class KeptStates:
    """The states of the last matches requested, at most `most`. For one store and one thread."""

    def __init__(self, record: MatchSource, most: int = 64) -> None:
        self.record, self.most = record, most
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, match: str) -> State[Any]:
        """The state of a match after all its events, not to be changed. Raises what reading and folding it raise."""
        last, leaf = self.record.tip(match)
        kept = self._kept.get(match)
        if kept is not None and kept.leaf == leaf:
            self._kept.move_to_end(match)
            return kept.state
        records = self.record.read(match)
        view = corrected(records)
        state = apply_events(view.opening, view.events)
        if records[-1].n == last:  # else another writer was faster, and the leaf is of a later event
            self._keep(match, _Kept(last, leaf, state, view.goes_on_with))
        return state

    def take(self, match: str, events: Sequence[Recorded]) -> None:
        """Fold in events appended since `of`. If one of them changes earlier ones, the match is folded again later."""
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
