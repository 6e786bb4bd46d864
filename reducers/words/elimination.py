"""Elimination: a player who reaches a score is out of the game, and gets no cards; the last one left wins.

The standing of such a match is a `LastOneLeft`, and the page's `playing` is `still_in`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.model import Deal, Event, Tally
from reducers.evolve import is_for_next_hand
from reducers.model import State
from reducers.rules import CheckFunction, CheckResult, broken
from reducers.scoring import HandScore, ScoreLine, Standing, figure, with_winners
from reducers.sheet import Block, Cell, Column, Sheet, SheetRow
from reducers.terms import Terms, hand_of
from reducers.words.sheets import OfTheHand, hands_with_row
from reducers.words.tallies import counts_from_tally


class LastOneLeft(Standing, frozen=True):
    """The standing with the players who are out, in the order in which they went."""

    out: tuple[str, ...] = ()


def out_of(state: State[Any]) -> tuple[str, ...]:
    """The seats that are out of the game, by the hands before the one in play."""
    standing = state.standing if state.settled else state.before
    return standing.out if isinstance(standing, LastOneLeft) else ()


def still_in(state: State[Any]) -> tuple[str, ...]:
    """The seats that are still in the game."""
    out = out_of(state)
    return tuple(s for s in state.terms.seats if s not in out)


def out_of_the_game(act: Event, state: State[Any]) -> CheckResult | None:
    """A player who is out gets no cards and takes no turn."""
    out = out_of(state)
    if not out:
        return None
    if isinstance(act, Deal):
        dealt = [s for s in out for name, _ in act.piles if name == hand_of(s)]
        return broken(f"{' and '.join(dealt)} went out before this hand and gets no cards") if dealt else None
    return broken(f"{act.by} went out before this hand") if act.by in out else None


def out_by_the_tally(word: str, figures: str) -> CheckFunction:
    """A check: a tally names no player who is out, neither as the seat in the fact `word`, nor with a figure. It is of
    the hand in play, or of the one that is just over."""

    def check(event: Tally, state: State[Any]) -> CheckResult | None:
        told = (event.facts.get(word), *counts_from_tally(figures, [event.facts]))
        standing = state.standing if is_for_next_hand(state) else state.before
        there = [s for s in (standing.out if isinstance(standing, LastOneLeft) else ()) if s in told]
        return broken(f"{' and '.join(there)} went out before this hand") if there else None

    return check


def last_one_left(before: Standing, totals: Mapping[str, int | None], gone: tuple[str, ...], terms: Terms) -> Standing:
    """The standing after these seats went out. If all who were left did, those with the lowest total win."""
    assert isinstance(before, LastOneLeft)
    left = [s for s in terms.seats if s not in before.out and s not in gone]
    after = replace(before, totals=dict(totals), hands=before.hands + 1, out=(*before.out, *gone))
    if len(left) > 1:
        return after
    lowest = min((totals[s] or 0 for s in gone), default=0)
    return with_winners(after, left or [s for s in gone if totals[s] == lowest])


def gone_with_the_hand(state: State[Any]) -> str:
    """The players who go out with the hand just played, in words."""
    if state.settled and isinstance(state.before, LastOneLeft) and isinstance(state.standing, LastOneLeft):
        gone = [s for s in state.standing.out if s not in state.before.out]
        return f"{' and '.join(gone)} out" if gone else ""
    return ""


class UntilOneIsLeft(Struct, frozen=True, kw_only=True):
    """A sheet with each player's points and running total, hand by hand; players who are out have no more figures.

    `once` has the columns of the hand. `out` says if a total puts its player out. The line of the score called
    `changed` is a further change of a total, in a step (`200 → 100`), and `why` explains it in words. The figure of a
    player in the line called `good` is marked.
    """

    once: Mapping[str, OfTheHand]
    out: Callable[[int, Terms], bool]
    changed: str
    why: Callable[[str, str], str]
    good: str = ""

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match as far as it was played."""
        out: set[str] = set()
        rows = tuple([self.row(s, out, state) for s in hands_with_row(state)])
        names = tuple(map(state.terms.name, state.terms.seats))
        heads = ("hand", "dealer", *self.once, *(head for name in names for head in (f"{name} +", name)))
        each = (column for name in names for column in (Column("+", name, "gain"), Column("", name, "total")))
        layout = (Column("hand"), Column("dealer", role="dealer"), *map(Column, self.once), *each)
        shared = state.standing.winners
        remarks = ("The last players went out level, and share the win.",) if shared else ()
        return replace(empty, blocks=(Block("Score", heads, rows, layout),), remarks=(*empty.remarks, *remarks))

    def row(self, s: HandScore, out: set[str], state: State[Any]) -> SheetRow:
        """The row of one hand; players who go out with it are added to `out`."""
        name, lines = state.terms.name, {line.label: line for line in s.lines}
        cells = [Cell(str(s.number)), Cell(name(s.dealer)), *(column(s, state) for column in self.once.values())]
        notes, good = list(s.notes), lines[self.good].amounts if self.good in lines else {}
        changed = lines.pop(self.changed, ScoreLine(self.changed, {}))
        for p in state.terms.seats:
            if p in out:
                cells += [Cell("–"), Cell("–")]
                continue
            change, step = changed.amounts.get(p) or 0, changed.sums.get(p, "")
            scored, total = s.points.get(p), s.totals.get(p)
            sums = "; ".join(line.sums[p] for line in lines.values() if p in line.sums)
            gone = total is not None and self.out(total, state.terms)
            mark: Any = "unknown" if scored is None else "won" if p in good else ""
            cells.append(Cell(figure(None if scored is None else scored - change), sums, mark))
            cells.append(Cell(figure(total), step, "crossed" if gone else "total"))
            if p in changed.amounts and step:
                notes.append(self.why(name(p), step))
            if gone:
                out.add(p)
                notes.append(f"{name(p)} is out with {total}")
        return SheetRow(tuple(cells), notes=tuple(notes))
