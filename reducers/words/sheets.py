"""Scoresheets by name: a page chooses a form and names its columns; the figures and their sums come from the score.

A column is a word: of the hand (`contract`, `result`), or of one side or player (`taken("tricks")`, `gained`, `total`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from reducers.model import State
from reducers.scoring import HandScore, figure, signed
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.terms import Terms

OfTheHand: TypeAlias = Callable[[HandScore, State[Any]], Cell]
OfASide: TypeAlias = Callable[[HandScore, str, State[Any]], Cell]


class Form(Struct, frozen=True, kw_only=True):
    """A sheet with a row for each hand: its number, its dealer, columns of the hand, then columns of each side.

    `once` and `each` have the columns by their heads; in a head of `each`, `{}` is the side as the sheet calls it: by `name`
    (the player's or the partners'), by `seat`, by `side` or as `we and they`; then the sheet says above who they are. Of
    several `each`, the columns of all sides in the first stand before those in the next. `notes` are what stands below a
    row. `first` are the heads of number and dealer; a game in which it is no matter who deals has but one. `second` says
    what stands in the second column, if it is not the dealer.
    """

    once: Mapping[str, OfTheHand]
    each: Mapping[str, OfASide] | tuple[Mapping[str, OfASide], ...]
    called: Literal["name", "seat", "side", "we and they"] = "name"
    heading: str = "Score"
    first: tuple[str, ...] = ("hand", "dealer")
    second: OfTheHand = lambda s, state: Cell(state.terms.name(s.dealer))
    notes: Callable[[HandScore, State[Any]], tuple[str, ...]] = lambda s, state: s.notes

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match as far as it was played."""
        sides = tuple(state.terms.sides)
        names = names_of(self.called, sides, state.terms)
        each = (head.format(name) for group in self.groups for name in names for head in group)
        heads = (*self.first, *self.once, *each)
        rows = tuple(self.row(s, sides, state) for s in state.scores if stands(s))
        facts = empty.facts
        if self.called in ("side", "we and they"):
            facts = (*facts, *zip(names, map(state.terms.name, sides), strict=True))
        return replace(empty, facts=facts, blocks=(Block(self.heading, heads, rows),))

    @property
    def groups(self) -> tuple[Mapping[str, OfASide], ...]:
        """The columns of the sides, as they stand together."""
        return self.each if isinstance(self.each, tuple) else (self.each,)

    def row(self, s: HandScore, sides: tuple[str, ...], state: State[Any]) -> Row:
        """The row of one hand."""
        cells = [Cell(str(s.number)), self.second(s, state)][: len(self.first)]
        cells += [column(s, state) for column in self.once.values()]
        cells += [column(s, side, state) for group in self.groups for side in sides for column in group.values()]
        return Row(tuple(cells), notes=self.notes(s, state))


def ledger(
    once: Mapping[str, OfTheHand], each: Mapping[str, OfASide], *, called: Literal["name", "seat"] = "name",
    heading: str = "Score", notes: Callable[[HandScore, State[Any]], tuple[str, ...]] = lambda s, state: s.notes,
) -> Form:  # fmt: skip
    """A row for each hand, with the same columns for each side or player."""
    return Form(once=once, each=each, called=called, heading=heading, notes=notes)


def we_they(
    once: Mapping[str, OfTheHand],
    each: Mapping[str, OfASide],
    notes: Callable[[HandScore, State[Any]], tuple[str, ...]] = lambda s, state: s.notes,
) -> Form:
    """The sheet of two partnerships: WE and THEY, with who they are above it."""
    return Form(once=once, each=each, called="we and they", notes=notes)


def running(once: Mapping[str, OfTheHand] | None = None, *, heading: str = "Score") -> Form:
    """A row for each hand with nothing but everybody's running total; what the hand brought is its sum."""
    return Form(once=once or {}, each={"{}": total_with_gain}, heading=heading)


class Columns(Struct, frozen=True, kw_only=True):
    """A sheet with a column for each side or player: what each hand gave, and what that comes to.

    After `every` so many hands a line is drawn, with the totals below it; the last line has the totals of the match.
    """

    once: Mapping[str, OfTheHand]
    every: int
    called: Literal["name", "seat"] = "name"
    heading: str = "Score"

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match as far as it was played."""
        sides = tuple(state.terms.sides)
        scores, rows = list(shown(state)), list[Row]()
        for i, s in enumerate(scores, 1):
            cells = [Cell(str(s.number)), *(column(s, state) for column in self.once.values())]
            void = (s.result,) if s.source == "void" else ()
            rows.append(Row((*cells, *(points_alone(s, side, state) for side in sides)), notes=(*void, *s.notes)))
            if i == len(scores):
                rows.append(self.line_below("total", s, state))
            elif i % self.every == 0:
                rows.append(self.line_below("", s, state))
        heads = ("hand", *self.once, *names_of(self.called, sides, state.terms))
        return replace(empty, blocks=(Block(self.heading, heads, tuple(rows)),))

    def line_below(self, name: Literal["", "total"], s: HandScore, state: State[Any]) -> Row:
        """The totals after a hand, with a line above them."""
        totals = (Cell(figure(s.totals.get(side)), "", self.mark(name, side, state)) for side in state.terms.sides)
        return Row((Cell(name), *(Cell("") for _ in self.once), *totals), name or "rule")

    def mark(self, name: str, side: str, state: State[Any]) -> Literal["total", "won"]:
        """How a total stands out: that of the winner as won."""
        return "won" if name and side == state.standing.winner else "total"


def columns(once: Mapping[str, OfTheHand] | None = None, *, every: int = 5, heading: str = "Score") -> Columns:
    """A column for each player with what each hand gave, and a line with the totals after `every` so many hands."""
    return Columns(once=once or {}, every=every, heading=heading)


def names_of(called: str, sides: tuple[str, ...], terms: Terms) -> tuple[str, ...]:
    """What a sheet calls the sides."""
    if called == "we and they":
        return ("WE", "THEY")
    return sides if called in ("seat", "side") else tuple(map(terms.name, sides))


def stands(s: HandScore) -> bool:
    """Whether a hand has a row: not one that is in play, of which nothing is known but its contract."""
    return s.source != "nothing" or None in s.points.values() or bool(s.contract)


# -- columns --------------------------------------------------------------------------------------------------------------


def contract(s: HandScore, state: State[Any]) -> Cell:
    """What was played: the contract, the trumps."""
    return Cell(s.contract or "–")


def result(s: HandScore, state: State[Any]) -> Cell:
    """What came of it."""
    return Cell(s.result or "–")


def taken(label: str) -> OfASide:
    """The figure of a side in the line of the score with this label, with its sum."""
    return Taken(label)


class Taken(Struct, frozen=True):
    """The column that `taken` makes."""

    label: str

    def __call__(self, s: HandScore, side: str, state: State[Any]) -> Cell:
        """The cell of one side."""
        line = next((line for line in s.lines if line.label == self.label), None)
        return Cell("–") if line is None else Cell(figure(line.amounts.get(side)), line.sums.get(side, ""))


def gained(s: HandScore, side: str, state: State[Any]) -> Cell:
    """What the hand brought, with all its sums."""
    return Cell(signed(s.points.get(side)), sums_of(s, side), "unknown" if s.points.get(side) is None else "")


def points_alone(s: HandScore, side: str, state: State[Any]) -> Cell:
    """What the hand brought, as it is written in a column to be added up; a dash if the hand does not count."""
    if s.source == "void":
        return Cell("–")
    n = s.points.get(side)
    return Cell(figure(n), sums_of(s, side), "unknown" if n is None else "")


def total(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The running total."""
    return Cell(figure(s.totals.get(side)), "", "total")


def total_with_gain(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The running total, with what the hand brought as its sum."""
    return Cell(figure(s.totals.get(side)), signed(s.points.get(side)), "total")


def sums_of(s: HandScore, side: str) -> str:
    """The arithmetic of a hand for one side."""
    return "; ".join(line.sums[side] for line in s.lines if side in line.sums)


def shown(state: State[Any]) -> Iterator[HandScore]:
    """The hands that have a row, for a page that draws its sheet itself."""
    return (s for s in state.scores if stands(s))
