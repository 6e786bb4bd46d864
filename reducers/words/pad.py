"""The pad of rubber bridge: ruled in four, a column for each side, what counts towards the game below the line."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from reducers.model import State
from reducers.scoring import HandScore, ScoreLine, figure
from reducers.sheet import Block, Cell, Column, Sheet, SheetRow
from reducers.words.contract import Rubber, new_rubber
from reducers.words.sheets import contract, hands_with_row, result_text, running_total


class RubberSheet(Struct, frozen=True):
    """The sheet of a rubber for two sides; `called` are the heads of their columns.

    Above the line the newest entry is on top; below it a rule ends each game. A second block has a row for each hand.
    `printed` are the entries of a hand on a pad.
    """

    called: tuple[str, str]
    printed: tuple[ScoreLine, ...] = (ScoreLine("", {}, column="above"), ScoreLine("", {}, column="below"))

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The pad of the match so far."""
        sides = tuple(state.terms.sides)
        above, below, rubber = pad_entries(state, sides)
        won = state.ended and rubber.winner
        totals = (Cell(figure(rubber.totals[side]), "", "won" if side == won else "total") for side in sides)
        last = SheetRow((Cell(""), Cell("total"), *totals), "total")
        rows = (part("above the line"), *above, part("below the line"), *below, last)
        hands = []
        for s in hands_with_row(state):
            cells = [Cell(str(s.number)), contract(s, state), result_text(s, state)]
            cells += [column(s, side, state) for side in sides for column in (brought, running_total)]
            hands.append(SheetRow(tuple(cells), notes=s.notes))
        names = (state.terms.name(side) for side in sides)
        one, other = (
            name if name != side else head for name, side, head in zip(names, sides, self.called, strict=True)
        )
        each = (column for name in (one, other) for column in (Column("±", name, "gain"), Column("", name, "total")))
        blocks = (
            Block("Score", ("hand", "entry", one, other), rows),
            Block("Hands", ("hand", "contract", "result", f"{one} ±", one, f"{other} ±", other), tuple(hands),
                  (Column("hand"), Column("contract"), Column("result"), *each)),
        )
        games = ("Games", " : ".join(figure(rubber.games[side]) for side in sides))
        return replace(empty, facts=(*empty.facts, games), blocks=blocks)


def pad_entries(state: State[Any], sides: tuple[str, ...]) -> tuple[list[SheetRow], list[SheetRow], Rubber]:
    """The rows above the line and below it, and the rubber that they make."""
    above: list[SheetRow] = []
    below: list[SheetRow] = []
    rubber: Any = new_rubber(sides)
    kind: Literal["", "rule"] = ""
    for s in hands_with_row(state):
        for line in s.lines:
            row = SheetRow(
                (Cell(str(s.number) if line.label else ""), Cell(line.label), *(entered(line, side) for side in sides))
            )
            if line.column == "above":
                above.insert(0, row)
            else:
                below.append(replace(row, kind=kind))
                kind = ""
        games, rubber = rubber.games, state.game.after(rubber, s, state.terms)
        if rubber.games != games and None not in rubber.games.values():
            kind = "rule"
    return above, below, rubber


def part(name: str) -> SheetRow:
    """The heading of a part of the pad."""
    return SheetRow((Cell(""), Cell(name), Cell(""), Cell("")), "part")


def brought(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The total of a hand for a side; the entries show how it was added."""
    points = s.points.get(side)
    return Cell(figure(points), "", "unknown" if points is None else "")


def entered(line: ScoreLine, side: str) -> Cell:
    """The amount of an entry for a side; empty if it is zero."""
    n = line.amounts.get(side, 0)
    return Cell(figure(n) if n != 0 else "", line.sums.get(side, ""), "unknown" if n is None else "")
