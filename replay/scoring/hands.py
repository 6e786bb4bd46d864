"""A log read to its end for its score: each finished hand, the state, and the confirmations."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.model import Confirm, Hand
from events.unread_lines import unread_in
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.words.tricks import tricks_in
from replay.fold import Corrected
from replay.read_log import ReadLog
from replay.scoring.outcomes import HandEnd
from replay.scoring.score_shapes import Confirmation


class Folded(Struct, frozen=True):
    """A log read to its end: its corrected view, the state, the confirmations, the last position, its hands, and the
    unreadable lines."""

    view: Corrected
    state: State[Any]
    agreed: tuple[Confirmation, ...]
    position: int
    hands: list[HandEnd]
    unread: tuple[str, ...] = ()


def folded_log(log: ReadLog) -> Folded:
    """Read a log to its end. Call it as `log.once(folded_log)`. Raises like `replay.fold.fold`."""
    agreed: list[Confirmation] = []
    hands, state = _read(log.view, agreed)
    return Folded(log.view, state, tuple(agreed), log.last, hands, tuple(unread_in(log)))


def hand_ends(view: Corrected) -> list[HandEnd]:
    """Every hand of a log, in order, the one in play last."""
    return _read(view, [])[0]


def _read(view: Corrected, agreed: list[Confirmation]) -> tuple[list[HandEnd], State[Any]]:
    """The hands, and the state at the end; confirmations are added to `agreed`."""
    state = begin(view.opening.facts)
    out: list[HandEnd] = []
    start, first, doubtful = state.snapshot(), 1, False
    for step, placed in enumerate(view.events, 1):
        event = placed.event
        ends = state.settled or type(event) is Hand
        before, number = (state.snapshot(), state.number) if ends else (state, state.number)
        state.at = state.table.now = placed.n
        evolve(state, event)
        if state.number != number:
            if number:
                out.append(replace(_closing(before, first, step - 1, start, over=True), doubtful=doubtful))
            start, first, doubtful = before, step, False
        if type(event) is Confirm:
            refs = event.refs or tuple(c.at for c in state.claims[-1:])
            agreed.append(Confirmation(placed.n, event.by, state.number, refs))
        if state.table.trouble:
            # A card was recorded wrong, so moves prove nothing against the reported result.
            doubtful, state.believed = True, "told"
            tricks = tricks_in(state.hand)
            if tricks is not None:
                tricks.contradicted = True
        state.table.trouble.clear()
    if state.number:
        out.append(replace(_closing(state.snapshot(), first, len(view.events), start, over=False), doubtful=doubtful))
    return out, state


def _closing(state: State[Any], first: int, last: int, start: State[Any], *, over: bool) -> HandEnd:
    counted = state.score is not None
    return HandEnd(state.number, first, last, start, state, counted or over, over and not counted and not state.settled)
