"""The page that stands in for a game whose own page is not installed: it has no rules, and points are those told."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.model import ABOUT, EVENT_TYPES, End, Event, Gap, Hand, Open, Tally
from reducers.games.pad import GAME as PAD
from reducers.model import Game, Phase, State

FRAME = frozenset((Open, Hand, End, Tally, Gap, *ABOUT))
ACTS = tuple(kind for kind in EVENT_TYPES if kind not in FRAME)
"""All events that only the rules of a game can apply: here they change nothing."""


def change_nothing(event: Event, state: State[Any]) -> None:
    """Apply an act whose rules are unknown."""


def stand_in(key: str) -> Game:
    """The stand-in page of a game; its key ends in `?`."""
    return replace(
        PAD, key=key, phases={"result": Phase("result", ACTS, "what each player or side won or lost in the hand")},
        on=dict.fromkeys(ACTS, change_nothing), words={}, readings={},
        match=replace(PAD.match, ended_by_the_table=lambda standing, terms: standing),
    )  # fmt: skip


__all__ = ["stand_in"]
