"""Hands in a row: the winner of each hand, the number a side has won in a row, and a match that ends when the table
says so.

The score of a hand has a line `ROW`: the number that its winner has won in a row, 0 for the others.
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
"""Result of a hand without a winner, as it was not played to its end."""


class Streak(Standing, frozen=True):
    """The standing, and how many hands in a row each side has won; None if unknown."""

    row: Points = field(default_factory=dict)


def nothing_won(terms: Terms) -> Streak:
    """The standing before the first hand."""
    nothing: Points = dict.fromkeys(terms.sides, 0)
    return Streak(totals=nothing, row=nothing)


def row_line(winner: str, row: int | None, before: Streak) -> ScoreLine:
    """The score line for the winner's hands in a row; those of the others drop to 0."""
    return ScoreLine(ROW, {side: row if side == winner else 0 for side in before.row})


def won_by(hand: HandScore | None) -> str:
    """The side that won a hand; empty if none did, or it is unknown."""
    row = next((line.amounts for line in hand.lines if line.label == ROW), {}) if hand is not None else {}
    return next((side for side, n in row.items() if n != 0), "")


def one_hand_more(before: Standing, hand: HandScore, *, anew: bool) -> Streak:
    """The standing after one more hand. `anew`: counts in a row restart at 0 after it. A hand without a winner leaves
    them, or makes them unknown if it was played out."""
    assert isinstance(before, Streak)
    row = next((line.amounts for line in hand.lines if line.label == ROW), before.row)
    played = hand.source != "void" and hand.result != BROKEN_OFF
    if played and not won_by(hand):
        row = dict.fromkeys(before.row)
    totals = add_points(before.totals, hand.points)
    return replace(before, totals=totals, row=dict.fromkeys(row, 0) if anew else row, hands=before.hands + played)


def highest_has_won(standing: Standing, terms: Terms) -> Any:
    """The match is over: the highest total wins; a tie is a draw."""
    return with_winners(standing, leaders_by_total(standing.totals, fewest=False))


def row_in_words(standing: Standing) -> dict[str, str]:
    """The hands in a row of each side, in words for the view of the table."""
    row = {side: n for side, n in getattr(standing, "row", {}).items() if n}
    return {ROW: " ".join(f"{side} {n}" for side, n in row.items())} if row else {}


def shuffle_and_deal_until_enough(state: State[Any], random: Random) -> list[Event]:
    """Chance events between two hands; without an agreed number of `hands` the table ends the match after a while."""
    if state.settled and state.number > 1 and not state.terms.options.hands and random.random() < 0.1:
        return [End(by="@", what="match", why="time")]
    return shuffle_and_deal(state, random)
