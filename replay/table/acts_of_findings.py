"""Describe what a finding is about: the act of a player, and its trick."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from events.model import ABOUT, Hand, Play
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.words.tricks import tricks_in
from replay.fold import Corrected
from replay.judging.findings import OF_THE_RECORD, Finding
from replay.table.wording import describe_event


def with_their_acts(findings: Iterable[Finding], view: Corrected, state: State[Any]) -> Iterator[Finding]:
    """Add to each finding about a player's act the act in words and the number of its trick."""
    findings = list(findings)
    at = {f.at.pos for f in findings if f.act and f.rule not in OF_THE_RECORD}
    acts = {
        p.n: p.event for p in (*view.events, *(one.act for one in view.taken_back)) if p.n in at
        and p.event.by in state.terms.seats and type(p.event) is not Hand
    }
    tricks = trick_numbers(acts, view)
    for f in findings:
        act = acts.get(f.at.pos) if f.act and f.rule not in OF_THE_RECORD else None
        yield f if act is None or isinstance(act, ABOUT) else replace(
            f, did=describe_event(act, state.game), trick=tricks.get(f.at.pos),
        )


def trick_numbers(positions: Collection[int], view: Corrected) -> Mapping[int, int]:
    """The trick number of the card played at each of these positions, if the game has tricks and none went uncounted.
    """
    state: State[Any] = begin(view.opening.facts)
    found = dict[int, int]()
    last = max((i for i, placed in enumerate(view.events) if placed.n in positions), default=-1)
    for placed in view.events[: last + 1]:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
        tricks = tricks_in(state.hand) if placed.n in positions and isinstance(placed.event, Play) else None
        if tricks is not None and not tricks.lost:
            found[placed.n] = len(tricks.won) + bool(tricks.plays)
    return found
