"""What is typed and cannot be meant: a score of a side that is not there, a reference to an event that is not.

A finding would say so the next day. At the table the line is refused, and the recorder types it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.errors import NotationError
from events.model import Call, Claim, Dispute, Event, Fault, Fix, Recorded, Ruling
from reducers.model import State
from replay.scoring.rulings import WORDS


def screen(event: Event, records: Sequence[Recorded], state: State[Any], column: int = 1) -> None:
    """Raises NotationError for what cannot be meant in this match."""
    if isinstance(event, Claim):
        screen_claim(event, state, column)
    for ref in getattr(event, "refs", ()):
        if ref > records[-1].n:
            raise NotationError(
                f"there is no event {ref}", column=column, expected=f"an event of this match, 0 to {records[-1].n}", todo="`log` lists them."
            )  # fmt: skip
    if isinstance(event, Ruling):
        screen_ruling(event, records, state, column)


def screen_claim(claim: Claim, state: State[Any], column: int) -> None:
    """A score is stated of a side, or of a seat that speaks for it."""
    terms = state.terms
    sides = tuple(state.before.totals)
    for key, value in claim.facts.items():
        for who in value if key == "hand" and isinstance(value, Mapping) else (key,):
            if who not in (*sides, *terms.seats):
                raise NotationError(
                    f"'{who}' is no side of this match", column=column, expected=f"the score of {' and '.join(sides)}, as in claim {sides[0]}=…"
                )  # fmt: skip


def screen_ruling(ruling: Ruling, records: Sequence[Recorded], state: State[Any], column: int) -> None:
    """The word of a ruling is one that decides something: of every game, of this one, or of what is ruled on."""
    events = {r.n: r.event.event if isinstance(r.event, Fix) else r.event for r in records}
    asked = {e.word for ref in ruling.refs if isinstance(e := events.get(ref), Dispute | Fault | Call | Ruling)}
    if ruling.word and ruling.word not in {*WORDS, *state.game.words, *asked}:
        raise NotationError(
            f"'{ruling.word}' is not a word of a ruling", column=column, expected=", ".join(WORDS), todo="Say the rest in a remark: {…}."
        )  # fmt: skip
