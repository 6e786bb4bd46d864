"""Proposals before the play: one seat proposes or lets it be, the other accepts or declines, and so again after each exchange.

The page's record of the hand keeps the `Proposals` as `proposals` and its `Tricks` as `trick`; its phases are called
`proposing` and `answering`. What follows from an answer is the page's business. Écarté uses it.
"""

from __future__ import annotations

from typing import Any

from events.model import Call, Event, Pass, Play
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import WHO_DEALS
from reducers.words.one_round import GONE_BY, gone_by

PROPOSE, ACCEPT, DECLINE = "propose", "accept", "decline"
ANSWERS = (ACCEPT, DECLINE)
GONE = "that may be missing from the record"
NOBODY = "none"


class Proposals:
    """What was proposed and answered. `by` proposes and `to` answers; `accepted` is how often. `refused` is the seat that
    turned the first exchange down, `NOBODY` once one was accepted, empty while it is not known. `plays` is the seat that
    showed, when it was to speak, that it wants no exchange, and has said nothing else since."""

    __slots__ = ("accepted", "by", "plays", "refused", "to")

    def __init__(self, by: str, to: str) -> None:
        self.by, self.to = by, to
        self.accepted, self.refused, self.plays = 0, "", ""

    def accepts(self) -> None:
        """A proposal is accepted."""
        self.accepted += 1
        self.refused = NOBODY

    def refuses(self, seat: str) -> None:
        """A seat wants no exchange; only for the first one it matters who that was."""
        self.refused = self.refused or seat


def proposed_in_turn(act: Call | Pass, state: State[Any]) -> CheckResult | None:
    """Only one seat proposes, or lets it be, and the other has nothing to say before that."""
    said: Proposals = state.hand.proposals
    if isinstance(act, Call) and act.word != PROPOSE:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if isinstance(act, Call) and act.by != said.by:
        if state.guessed and not said.refused:
            return unknown(WHO_DEALS)
        return broken(f"{said.by} proposes, and {act.by} answers")
    if state.phase == "play":
        return broken("the play has begun, and nothing is proposed any more")
    if isinstance(act, Call) and said.plays == act.by:
        return broken(f"{act.by} has let it be, and proposes nothing any more")
    if state.phase == "answering":
        return unknown(f"whether {said.to} accepted or declined: {GONE}")
    if state.phase == "proposing" and act.by != said.by:
        return unknown(f"what {said.by} said before this: {GONE}")
    return None


def answered_in_turn(call: Call, state: State[Any]) -> CheckResult | None:
    """The other seat accepts or declines what was proposed."""
    said: Proposals = state.hand.proposals
    if call.word not in ANSWERS:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if call.by != said.to:
        if state.guessed and not said.refused:
            return unknown(WHO_DEALS)
        return broken(f"{said.to} answers what {said.by} proposes")
    if state.phase == "play":
        return broken("the play has begun, and there is nothing to answer")
    if said.plays == call.by and call.word == ACCEPT:
        return broken(f"{call.by} has let it be, and accepts nothing any more")
    return None if state.phase == "answering" else unknown(f"whether {said.by} proposed before this: {GONE}")


def shows_who_deals(act: Event, state: State[Any]) -> None:
    """Whoever speaks, changes cards or leads first shows who has dealt, if nobody recorded it."""
    said: Proposals = state.hand.proposals
    if not state.guessed or said.refused or state.phase != "proposing":
        return
    if act.by == (said.by if isinstance(act, Call) and act.word in ANSWERS else said.to):
        said.by, said.to = said.to, said.by
        state.dealer = said.to
        state.infer(f"{said.by} {begins_with(act)}, so {said.to} has dealt; nobody wrote it")
        state.turn = (said.by,)


def begins_with(act: Event) -> str:
    """What the dealer's opponent does first, as words."""
    if isinstance(act, Call):
        return "proposes"
    return "leads" if isinstance(act, Play) else "speaks first" if isinstance(act, Pass) else "changes cards first"


__all__ = [
    "ACCEPT", "ANSWERS", "DECLINE", "NOBODY", "PROPOSE", "Proposals", "answered_in_turn", "proposed_in_turn", "shows_who_deals",
]  # fmt: skip
