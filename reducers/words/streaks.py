"""Hands in a row: who won each hand, how many a side has won one after the other, and a match that ends when the table
says so.

The score of a hand has a line `ROW`: for the side that won it how many it has won in a row then, for the others
nothing.
"""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec import field
from msgspec.structs import replace

from events.model import End, Event
from reducers.model import State
from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, leaders_by_total, with_winners
from reducers.terms import Terms
from reducers.words.deals import shuffle_and_deal

ROW = "in a row"
BROKEN_OFF = "broken off"
"""The result of a hand that nobody won, as it was not played to its end."""


class Streak(Standing, frozen=True):
    """The match so far, and how many hands in a row each side has won; None where nobody knows."""

    row: Points = field(default_factory=dict)


def nothing_won(terms: Terms) -> Streak:
    """Nobody has won a hand yet."""
    nothing: Points = dict.fromkeys(terms.sides, 0)
    return Streak(totals=nothing, row=nothing)


def row_line(winner: str, row: int | None, before: Streak) -> ScoreLine:
    """The line of a score that says how often in a row the winner has won; the hands of the others do not count any
    more."""
    return ScoreLine(ROW, {side: row if side == winner else 0 for side in before.row})


def won_by(hand: HandScore | None) -> str:
    """The side that won a hand; empty if nobody did, or nobody knows."""
    row = next((line.amounts for line in hand.lines if line.label == ROW), {}) if hand is not None else {}
    return next((side for side, n in row.items() if n != 0), "")


def one_hand_more(before: Standing, hand: HandScore, *, anew: bool) -> Streak:
    """The points are added, and the hands in a row are what the hand made of them, or are counted `anew` after it; a
    hand that nobody won leaves them."""
    assert isinstance(before, Streak)
    row = next((line.amounts for line in hand.lines if line.label == ROW), before.row)
    played = hand.source != "void" and hand.result != BROKEN_OFF
    if played and not won_by(hand):
        row = dict.fromkeys(before.row)
    totals = add_points(before.totals, hand.points)
    return replace(before, totals=totals, row=dict.fromkeys(row, 0) if anew else row, hands=before.hands + played)


def highest_has_won(standing: Standing, terms: Terms) -> Any:
    """The match is over: the highest total wins, and if that is level it is a draw."""
    return with_winners(standing, leaders_by_total(standing.totals, fewest=False))


def row_in_words(standing: Standing) -> dict[str, str]:
    """Who has won how many hands in a row, for whoever looks at the table."""
    row = {side: n for side, n in getattr(standing, "row", {}).items() if n}
    return {ROW: " ".join(f"{side} {n}" for side, n in row.items())} if row else {}


def shuffle_and_deal_until_enough(state: State[Any], random: Random) -> list[Event]:
    """What chance does between two hands; if no number of `hands` was agreed, the table has enough after a while."""
    if state.settled and state.number > 1 and not state.terms.options.hands and random.random() < 0.1:
        return [End(by="@", what="match", why="time")]
    return shuffle_and_deal(state, random)
