"""One event of a replay: who acts, what it says in words, what was written there before."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.model import verb_of
from reducers.model import State
from replay.log import NumberedEvent
from replay.masking import cards_in
from replay.plain_text import named
from replay.table.shorthand import short
from replay.table.wording import describe_event


class Step(Struct, omit_defaults=True):
    """An event of a replay.

    `n` is what it is called; `by` who acts; `says` the act in a sentence with names, `short` as a list has it, without the
    actor. `cards` are those it is about. `group` is its place among the groups of the hand. `text` is the remark of the
    recorder, `glyphs` are its marks. `at` is the position of the correction that brought it, if one did, and `was` what stood
    here before. `change` is what changes in the frame.
    """

    n: int
    by: str
    verb: str
    says: str
    short: str
    group: int = -1
    cards: tuple[str, ...] = ()
    text: str = ""
    glyphs: tuple[int, ...] = ()
    at: int = 0
    was: tuple[str, ...] = ()
    change: dict[str, Any] = {}


def step_of(placed: NumberedEvent, state: State[Any]) -> Step:
    """The step of an event; the state is the one before it."""
    event, called = placed.event, state.terms.called
    return Step(
        n=placed.n, by=event.by, verb=verb_of(event), says=named(describe_event(event), called) + ".",
        short=short(event), cards=tuple(cards_in(event)), text=placed.recorded.text, glyphs=placed.recorded.glyphs,
        at=placed.at if placed.at != placed.n else 0, was=tuple(short(old) for _, old in placed.was),
    )  # fmt: skip


__all__ = ["Step", "step_of"]
