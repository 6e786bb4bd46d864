"""Slate: a page of the tests that is a score pad on which lines of chalk are erased and marked.

A hand is told by the lines that each side erases of its five (or of as many as were agreed), and by the marks it has
to add.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace
from pages.registering import in_the_registry

from reducers.games import pad
from reducers.page import (
    HandScore,
    MatchRules,
    Points,
    ScoreLine,
    State,
    TallyFacts,
    add_points,
    apply_reported_facts,
    chalk,
    counts_nothing,
    figure_of_line,
    figures,
    hand_score,
    ledger,
    why_void,
)  # fmt: skip

KEY = "slate"


class Options(Struct, frozen=True):
    """House rules of Slate."""

    lines: Annotated[int, Meta(ge=1, le=20, description="lines of a side")] = 5


class Told(TallyFacts):
    """What a hand of Slate comes to."""

    lines: Points = figures("lines that a side erases")
    marks: Points = figures("marks that a side has to add")
    void: str = why_void("the hand does not count")


def told(state: State[str]) -> Told:
    return apply_reported_facts(Told(), state)


def score(state: State[str]) -> HandScore:
    t = told(state)
    sides = state.terms.sides
    erased: Points = {side: t.lines.get(side) for side in sides}
    marked: Points = {side: t.marks.get(side, 0) for side in sides}
    points: Points = {side: None if n is None else n - (marked[side] or 0) for side, n in erased.items()}
    lines = (ScoreLine("lines", erased), ScoreLine("marks", marked))
    return counts_nothing(state, t.void) or hand_score(state, points, lines)


GAME = replace(
    pad.GAME, key=KEY, name="Slate", options=Options, tally=Told, compute_tally=told, score=score,
    after=lambda before, hand, terms: replace(before, totals=add_points(before.totals, hand.points)),
    match=MatchRules(ended_by_the_table=lambda standing, terms: standing),
    sheet=chalk(
        lambda terms: terms.options.lines, erased="lines", marked="marks",
        hands=ledger({}, {"{}": figure_of_line("lines")}, heading="Hands"),
    ),
)  # fmt: skip

registered = partial(in_the_registry, KEY, __name__)
"""The page is in the registry while this lasts; its key."""

__all__ = ["GAME", "KEY", "registered"]
