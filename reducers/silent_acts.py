"""Acts that tables leave unwritten: put in where a written act shows that they were made.

A page declares them in two ways. `Omissions.unwritten` yields those that an act certainly shows, by the custom of
the table: they are applied before it, and noted as inferred. The act that goes without saying in a phase is its
`default_act`: where an act is out of place, the fewest of these that put it in its place are offered as lines.
Nothing else is ever put in, and nothing that a rule forbids: no breach is excused by an act that its player was not
free to make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from events.cards import how_many, squeeze
from events.model import Call, Draw, Event
from reducers.legal import acts_of, objections, plans
from reducers.model import State
from reducers.rules import Verdict
from reducers.table import Pile

MOST_IN_A_ROW = 12
"""The most acts that are offered before one written act."""


def put_in_unwritten(act: Event, state: State[Any]) -> None:
    """Apply the acts that this act shows to have been made and that nobody wrote; note them as inferred."""
    for silent in (state.game.omissions.unwritten(state, act) if state.hand is not None else None) or ():
        state.game.on[type(silent.act)](silent.act, state)
        if silent.says:
            state.silent = (*state.silent, silent.act)
            state.infer(f"{silent.says} (not recorded)")


def was_put_in(kind: type[Event], by: str, state: State[Any]) -> bool:
    """True if an act of this type by a seat was inferred in this hand, and was not written since."""
    return any(type(act) is kind and act.by == by for act in state.silent)


def forget_written(act: Event, state: State[Any]) -> None:
    """Forget that an act was inferred, as it is written now."""
    state.silent = tuple(one for one in state.silent if type(one) is not type(act) or one.by != act.by)


def gone_from_above(code: int, pile: Pile, came_from: dict[str, int]) -> Sequence[int]:
    """The cards that left a packet unrecorded: those that lie on this one, if the card before it came from right above
    it, under them too. `came_from` has the place of that card by packet, and gets the place of this one."""
    row = pile.row
    if not row or code == row[-1] or max(code, row[-1]) >= pile.table.pack.unknown or code not in row:
        if came_from:
            came_from.pop(pile.name, None)
        return ()
    at = len(row) - 1 - row[::-1].index(code)
    before, came_from[pile.name] = came_from.get(pile.name), at
    return row[at + 1 :] if before == at + 1 else ()


def is_out_of_turn(state: State[Any], event: Event) -> bool:
    """True if another seat was to act. Words allowed at any time are never out of turn."""
    if not state.turn or event.by in state.turn or type(event) not in acts_of(state.game.key):
        return False
    return not (isinstance(event, Call) and event.word in state.game.judging.said_any_time)


def acts_left_out(act: Event, state: State[Any]) -> tuple[Event, ...]:
    """The fewest acts that may have been left out, at least one, after which this act is in its phase and in turn, and
    breaks fewer rules than now, or none. Empty if there are no such acts, or no hand has begun; the state is not
    changed."""
    if state.hand is None:
        return ()
    there, out = state.fork(), list[Event]()
    there.table.journal = None
    before = certainly_breaks(act, state)
    if type(act) not in plans(there.game.key)[there.phase]:
        put_in_unwritten(act, there)
    for _ in range(MOST_IN_A_ROW):
        first: tuple[Event, State[Any]] | None = None
        for due in due_in(there, act):
            then = there.fork()
            then.game.on[type(due)](due, then)
            if is_in_its_place(act, then) and (not (after := certainly_breaks(act, then)) or after < before):
                return (*out, due)
            first = first or (due, then)
        if first is None:
            break
        out.append(first[0])
        there = first[1]
    return ()


def due_in(state: State[Any], act: Event) -> Iterator[Event]:
    """The acts that may have been left out here before this act, without those that a rule forbids."""
    phase = state.game.phases.get(state.phase)
    if phase is None or not state.turn:
        return
    for due in phase.left_out(state, act) if phase.left_out is not None else (phase.default_act(state),):
        due = named_from_stock(due, state) if isinstance(due, Draw) else due
        if due is not None and type(due) in state.game.on and not certainly_breaks(due, state):
            yield due


def named_from_stock(draw: Draw, state: State[Any]) -> Draw:
    """The same draw with the cards that are known to lie on top of the stock."""
    stock, count = state.table.piles.get("stock"), how_many(draw.cards)
    top = (
        stock.row[: -count - 1 : -1] if count and stock is not None and stock.row and draw.src in ("", "stock") else []
    )
    return replace(draw, cards=squeeze(state.game.pack.tokens[code] for code in top)) if len(top) == count else draw


def is_in_its_place(act: Event, state: State[Any]) -> bool:
    """True if the act belongs to this phase of the hand, and no other seat is to act."""
    return type(act) in plans(state.game.key)[state.phase] and not is_out_of_turn(state, act)


def certainly_breaks(act: Event, state: State[Any]) -> set[str]:
    """The rules that the act certainly breaks in this position."""
    return {rule.id for rule, says in objections(state, act) if says.verdict == Verdict.BROKEN}
