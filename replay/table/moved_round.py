"""What becomes of the cards behind a trick that somebody else takes once a card of it is corrected.

The recorder wrote them as played by those whose turn it was by the record as it stood. If the seats were watched, they stay with them, and
somebody led out of turn; if only the cards were, they move round, and whoever takes the trick now led. Nobody but the table knows.
"""

from __future__ import annotations

from typing import Any

from events.cards import pretty_all
from events.model import Fix, Play
from events.writing import write_event
from reducers.begin import begin
from reducers.evolve import evolve
from reducers.words.tricks import Trick, tricks_in
from replay.fold import Corrected
from replay.judging.correction import SuggestedCorrection
from replay.log import NumberedEvent


def cards_that_may_move(before: Corrected, after: Corrected, fix: Fix) -> SuggestedCorrection | None:
    """The correction by which the cards behind a trick move round; None if the trick is taken by the same seat as before.

    `before` and `after` are the match without and with the correction `fix`.
    """
    old, new = led_behind(before, fix.at), led_behind(after, fix.at)
    if old is None or new is None or not old[0].winner or not new[0].winner or old[0].winner == new[0].winner:
        return None
    led = new[1]
    card, winner, was = led.event, new[0].winner, old[0].winner
    if not isinstance(card, Play) or card.by == winner or card.by != was:
        return None
    moved = Fix(by="@", at=led.n, how="turn", event=Play(by=winner, cards=card.cards))
    line = write_event(moved).removeprefix("@ ")
    text = f"{winner} takes the trick now, and not {was}. The cards behind it stay with their seats; or all of them move round, and {winner} led {pretty_all(card.cards)}"
    return SuggestedCorrection((moved,), led.n, new[2], "turn", (), 0, text, (line,))


def led_behind(view: Corrected, at: int) -> tuple[Trick, NumberedEvent, int] | None:
    """The trick that the event at `at` belongs to, the card that was led behind it, and the hand; None if there is no such card."""
    state: Any = begin(view.opening.facts)
    trick: Trick | None = None
    reached = False
    for placed in view.events:
        if trick is not None and isinstance(placed.event, Play):
            return trick, placed, state.number
        state.at = state.table.now = placed.n
        hand = state.number
        evolve(state, placed.event)
        reached = reached or placed.n == at
        tricks = tricks_in(state.hand) if state.number else None
        if reached and trick is None and tricks is not None and tricks.won and not tricks.plays and tricks.won[-1].at == placed.n:
            trick = tricks.won[-1]
        if reached and (state.settled or state.number != hand != 0):
            return None
    return None


__all__ = ["cards_that_may_move"]
