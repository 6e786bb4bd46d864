"""Decide what happens to the cards after a trick that a correction gives to another seat.

The recorder assigned them by turn, as the record then stood. If the recorder watched the seats, the cards stay with
them, and a player led out of turn; if the recorder watched only the cards, they shift, and the new winner of the
trick led. Only the table knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from events.cards import pretty_all
from events.model import Fix, Play, Recorded
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.words.tricks import Trick, tricks_in
from replay.budget import Budget
from replay.fold import Corrected, corrected
from replay.judging.correction import Ref, SuggestedCorrection
from replay.judging.segments import QuickJudge
from replay.log import NumberedEvent

MOST_LOOKED_AT = 12
"""Most corrections of a log, the latest, that are checked for giving a trick to another seat."""


def cards_that_may_move(before: Corrected, after: Corrected, fix: Fix) -> SuggestedCorrection | None:
    """Return the correction that shifts the cards after a trick; None if the same seat takes it as before.

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
    text = (
        f"{winner} takes the trick now, and not {was}. The cards behind it stay with their seats; or all "
        f"of them move round, and {winner} led {pretty_all(card.cards)}"
    )
    return SuggestedCorrection((moved,), led.n, new[2], "turn", (), 0, text, (line,))


def moved_round(
    log: Sequence[Recorded], broken: Mapping[tuple[str, int], int], budget: Budget,
) -> Iterator[SuggestedCorrection]:
    """Yield corrections that shift cards which are out of turn because an earlier trick was corrected, with what each
    settles. `broken` maps rule and position to the hand."""
    at = {pos for _, pos in broken}
    # Only a corrected play can give a trick to another seat.
    plays = {r.n for r in log if isinstance(r.event, Play)}
    fixes = [
        (k, r.event) for k, r in enumerate(log)
        if isinstance(r.event, Fix) and r.event.how != "turn" and r.event.at in plays
        and any(pos > r.event.at for pos in at)
    ]
    for k, fix in fixes[-MOST_LOOKED_AT:]:
        if budget.left < 8 * len(log):
            return
        budget.spend(4 * len(log))
        offer = cards_that_may_move(corrected(log[:k]), corrected(log[: k + 1]), fix)
        if offer is None or offer.at not in at:
            continue
        budget.spend(2 * len(log))
        judged = QuickJudge(corrected(offer.typed(log)))
        still = {(rule, pos) for pos, rule in judged.broken()} | {(f.rule, f.at.pos) for f in judged.conflicts}
        here = [(rule, pos) for (rule, pos), hand in broken.items() if hand == offer.hand]
        if gone := [one for one in here if one not in still]:
            yield replace(offer, removes=tuple(Ref(*one) for one in gone), leaves=len(here) - len(gone))


def led_behind(view: Corrected, at: int) -> tuple[Trick, NumberedEvent, int] | None:
    """The trick with the event at `at`, the next card led, and the hand; None if there is no such card."""
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
        if (
            reached and trick is None and tricks is not None and tricks.won and not tricks.plays
            and tricks.won[-1].at == placed.n
        ):
            trick = tricks.won[-1]
        if reached and (state.settled or state.number != hand != 0):
            return None
    return None
