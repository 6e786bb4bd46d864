"""Proposals before the play: one seat proposes or lets it be, the other accepts or declines, and so again after each exchange.

The page's record of the hand keeps the `Proposals` as `proposals` and its `Tricks` as `trick`; its phases are called
`proposing` and `answering`. What follows from an answer is the page's business. Écarté uses it.
"""

from __future__ import annotations

from typing import Any

from events.model import Call, Pass
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
    turned the first exchange down, `NOBODY` once one was accepted, empty while it is not known."""

    __slots__ = ("accepted", "by", "refused", "to")

    def __init__(self, by: str, to: str) -> None:
        self.by, self.to = by, to
        self.accepted, self.refused = 0, ""

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
    return None if state.phase == "answering" else unknown(f"whether {said.by} proposed before this: {GONE}")


def shows_who_deals(call: Call, state: State[Any]) -> None:
    """Whoever proposes first, or answers, shows who has dealt, if nobody recorded it."""
    said: Proposals = state.hand.proposals
    if not state.guessed or said.refused or call.word not in (PROPOSE, *ANSWERS):
        return
    if call.by == (said.to if call.word == PROPOSE else said.by):
        said.by, said.to = said.to, said.by
        state.dealer = said.to
        state.infer(f"{said.by} proposes, so {said.to} has dealt; nobody wrote it")
        state.turn = (said.by,) if state.phase == "proposing" else state.turn


__all__ = [
    "ACCEPT", "ANSWERS", "DECLINE", "NOBODY", "PROPOSE", "Proposals", "answered_in_turn", "proposed_in_turn", "shows_who_deals",
]  # fmt: skip
