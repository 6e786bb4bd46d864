"""Lying down: a side is one point short of the game, and only winning a hand takes it there.

While a side lies down no player raises; its captain may forfeit the hand before the lead, unless the other side lies
down too.

The page's record of the hand has the captains in its `stakes` (`raising`), the sides that lie down in `down` (None if
unknown), and the side that forfeits in `forfeits`. The phases before the lead are `raising` and `forfeiting`.
"""

from __future__ import annotations

from typing import Any

from events.model import Bid, Call, Event, Fault
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.scoring import Standing
from reducers.words.raising import answering

FORFEIT = "forfeit"


def sides_lying_down(before: Standing, at: int) -> tuple[str, ...] | None:
    """The sides that lie down, as they have exactly `at` points; None if a total is unknown."""
    totals = before.totals
    return None if None in totals.values() else tuple([one for one, n in totals.items() if n == at])


def raise_or_forfeit(hand: Any, state: State[Any]) -> None:
    """Before the lead let both captains raise, or let the captain of the one side that lies down forfeit."""
    down, captains = hand.down, hand.stakes.captains
    speakers = [captain for side, captain in captains.items() if not down or side in down]
    state.phase = "forfeiting" if down else "raising"
    if down is not None and len(down) == len(captains):
        state.phase, speakers = "play", []
    state.turn = tuple(dict.fromkeys((state.terms.after(state.dealer), *speakers)))


def a_side_that_lies_down_may_forfeit(act: Bid | Call, state: State[Any]) -> CheckResult | None:
    """While a side lies down there is no raise, and its captain may forfeit before the lead."""
    down, forfeits = state.hand.down, isinstance(act, Call) and act.word == FORFEIT
    if not forfeits and not isinstance(act, Bid) and not answering(act):
        return None
    if down is None or state.hand.trick.lost:
        return unknown("the points of the teams and the calls before" if down is None else "the calls before this")
    if not forfeits:
        lie = f"{down[0]} lies" if len(down) == 1 else "both teams lie"
        return broken(f"{lie} down, so there is no raise") if down else None
    if len(down) != 1:
        return broken("both teams lie down, so the hand is played" if down else "no team lies down")
    captain = state.hand.stakes.captains[down[0]]
    if act.by != captain:
        return broken(f"{captain} is the captain of {down[0]}, which lies down, and chooses")
    return broken("the first card was played") if state.phase == "play" else None


def nobody_is_kept_from_forfeiting(fault: Fault, state: State[Any]) -> CheckResult | None:
    """Check a fault by which the table denies a side that lies down its right to forfeit."""
    side = state.hand.forfeits if state.number else ""
    if fault.word != FORFEIT or not side or state.hand.down != (side,):
        return None
    mine = fault.who in ("", state.hand.stakes.captains[side])
    return broken(f"{side} lies down, and may forfeit the hand") if mine else None


def who_may_speak(state: State[Any], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by an act before the lead: a card is the leader's, a word a captain's."""
    if state.phase not in ("raising", "forfeiting"):
        return state.turn
    down, captains = state.hand.down, state.hand.stakes.captains
    if kind in (Bid, Call):
        return tuple(seat for one, seat in captains.items() if not down or one in down)
    return state.turn[:1]
