"""A live match: what each new event adds to a replay.

A `Follower` makes the same steps as `replay.viewer.document`, event by event. Findings, and hidden cards that later
events reveal, are not included: a client requests the document again once a hand is over.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.errors import UsageError
from events.model import Event, Fix, Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from replay.fold import corrected
from replay.log import NumberedEvent
from replay.viewer.frames import Frames
from replay.viewer.grouping import Grouping
from replay.viewer.steps import labels_in_language, step_of


class News(Struct, omit_defaults=True):
    """What one event adds: its step, the groups of its hand from the first changed one on, and the frame if it begins
    a hand. `over` is True if the hand is over now."""

    n: int
    hand: int
    step: dict[str, Any]
    groups: list[Any]
    first_group: int
    frame: dict[str, Any] | None = None
    over: bool = False


class Follower:
    """A growing log as `viewer` sees it, who sees everything of the hands in `whole`. The initial `records` may hold
    corrections and takebacks; added ones may not."""

    def __init__(self, records: Sequence[Recorded], viewer: str, whole: Collection[int] = ()) -> None:
        self.view = view = corrected(records)
        self.state: State[Any] = begin(view.opening.facts)
        self.frames = Frames(self.state, viewer, whole)
        self.grouping = Grouping()
        self.last = records[-1].n
        self.acts: dict[int, Event] = {}
        # The hand of each event, by its position and by that of the correction that brought it.
        self.hand_of: dict[int, int] = {0: 0}
        # The first event of each trick or turn of the current hand, by its position in the log.
        self.turns: list[int] = []
        # The last reported leader and winner of each group.
        self.won: list[tuple[str, str]] = []
        self.hand = -1
        self.over: set[int] = set()
        for placed in view.events:
            self._add(placed)

    def add(self, r: Recorded) -> News:
        """Add the next event. Raises UsageError for one that changes earlier ones; the client must then reload."""
        if isinstance(r.event, Fix) or not self.view.goes_on_with(r.event):
            raise UsageError("this line may change what was shown", todo="Follow the match again from the start")
        placed = NumberedEvent(r.n, r.n, r.event, r)
        self.view = replace(self.view, events=(*self.view.events, placed))
        return self._add(placed)

    def _add(self, placed: NumberedEvent) -> News:
        state = self.state
        state.at = state.table.now = placed.n
        step = step_of(placed, state, self.acts)
        self.grouping.before(state)
        known = len(state.inferred)
        evolve(state, placed.event)
        if state.number != self.hand:
            # An unfinished hand is over as soon as another begins.
            self.over |= set(range(1, state.number))
            self.hand, self.grouping, self.turns, self.won = state.number, Grouping(), [], []
        frame = None
        if self.frames.anew:
            frame = msgspec.to_builtins(self.frames.whole())
        else:
            step.change = self.frames.changed()
        step.inferred = tuple(text for _, text in state.inferred[known:])
        groups = len(self.grouping.groups)
        step.group = self.grouping.join(placed, state)
        if len(self.grouping.groups) > groups and self.grouping.groups[-1].kind != "about":
            self.turns.append(placed.at)
        self.hand_of[placed.n] = self.hand_of[placed.at] = state.number
        if state.settled or state.ended:
            self.over.add(state.number)
        else:
            self.over.discard(state.number)
        self.last = max(self.last, placed.n)
        won = [(g.leader, g.winner) for g in self.grouping.groups]
        first = next(
            (i for i, (now, before) in enumerate(zip(won, self.won, strict=False)) if now != before),
            min(len(self.won), max(0, len(won) - 1)),
        )
        self.won = won
        fresh = [msgspec.to_builtins(g) for g in self.grouping.groups[first:]]
        told, fresh, frame = labels_in_language((msgspec.to_builtins(step), fresh, frame), state.game.key)
        return News(placed.n, state.number, told, fresh, first, frame, state.number in self.over)
