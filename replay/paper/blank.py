"""A pad to print and fill in by hand: the game's own sheet of a match of which nothing is recorded yet."""

from __future__ import annotations

from msgspec.structs import replace

from events.errors import UsageError
from events.model import Hand, Open, Recorded
from reducers.model import Game, State
from reducers.registry import find_game
from reducers.scoring import ScoreLine
from reducers.sheet import Block, Cell, Head, Sheet, SheetRow, SheetSide
from replay.fold import fold
from replay.paper.grids import drawn_sheet

MOST_LINES = 28
"""The lines of all tables that leave room to write on a page."""
MOST_LINES_OF_PARTS = 38
"""The same of a pad with a part for each hand, whose lines are close together."""
MOST_HANDS = 30
_UNKNOWN = frozenset(("?", "–"))


def blank(game: str, players: int = 0) -> Sheet:
    """The pad of a game, for the usual number of players or the given one: a row for each hand of a match or, if their
    number is open, as many as fit on a page.

    Raises NotFoundError, and UsageError for a number of players that the game does not have.
    """
    page = find_game(game)
    sizes = page.seating.sizes
    if players and players not in sizes:
        raise UsageError(f"{page.name} is not for {players} players", expected=page.seating.in_words)
    seats = sizes[players] if players else page.seating.usual
    hands: int = getattr(_unplayed(page, seats, 0).terms.options, "hands", 0)
    # A pad for matches of a single hand is for an evening.
    if hands < 2:
        first, second = (_pad(page, seats, hands) for hands in (1, 2))
        parts = len(first.blocks) == 1 and any(row.kind == "part" for row in first.blocks[0].rows)
        room = (MOST_LINES_OF_PARTS if parts else MOST_LINES) - _lines(first)
        hands = max(1, min(MOST_HANDS, 1 + room // (_lines(second) - _lines(first))))
    pad = _pad(page, seats, hands)
    # Of short matches there are several on a page, each with room for its names.
    again = MOST_LINES // (_lines(pad) + 1) - 1 if len(pad.blocks) == 1 else 0
    return replace(pad, blocks=(*pad.blocks, *(replace(pad.blocks[0], heading=f"Match {n + 2}") for n in range(again))))


def _unplayed(page: Game, seats: tuple[str, ...], hands: int) -> State[object]:
    """A match of some hands without a single act."""
    facts = {"Game": page.key, "Seats": " ".join(seats), **{seat: f"player {i}" for i, seat in enumerate(seats, 1)}}
    # A hand is over once the next one has begun.
    begun = [
        Recorded(n=i + 1, event=Hand(by=seats[i % len(seats)], number=i + 1)) for i in range(hands + 1 if hands else 0)
    ]
    state = fold([Recorded(n=0, event=Open(by="@", facts=facts)), *begun])
    state.scores = [s for s in state.scores if s.number <= hands]
    return state


def _pad(page: Game, seats: tuple[str, ...], hands: int) -> Sheet:
    """The sheet of unplayed hands, with empty fields for everything that is not known before they are played."""
    state, empty = _unplayed(page, seats, hands), Sheet(page.name, (("Game", page.name),), ())
    printed: tuple[ScoreLine, ...] = getattr(page.sheet, "printed", ())
    lines = tuple(replace(line, amounts=dict.fromkeys(state.terms.sides)) for line in printed)
    state.scores = [replace(s, lines=lines) for s in state.scores]
    names = tuple(map(state.terms.name, seats))
    begun = page.sheet(_unplayed(page, seats, 0), empty).blocks
    blocks = tuple(
        _emptied(block, before, names) for block, before in zip(page.sheet(state, empty).blocks, begun, strict=False)
    )
    sides = tuple(SheetSide(state.terms.name(side), "", players=members) for side, members in state.terms.sides.items())
    return replace(empty, blocks=blocks, head=Head(page.name, sides=sides), blank=True)


def _emptied(block: Block, before: Block, names: tuple[str, ...]) -> Block:
    """A block with empty cells for unknown figures and for players; strokes of chalk stand as at the beginning."""
    strokes = {i: row for i, row in enumerate(before.rows) if any(cell.mark == "line" for cell in row.cells)}

    def below(row: SheetRow) -> SheetRow:
        """Label the running totals, so that their rows are not used for a hand."""
        named = row.kind != "rule" or bool(row.cells[0].text)
        return row if named else replace(row, cells=(Cell("so far"), *row.cells[1:]))

    def emptied(cell: Cell) -> Cell:
        return Cell("" if cell.text in _UNKNOWN or any(name in cell.text for name in names) else cell.text)

    rows = (strokes.get(i, SheetRow(tuple(map(emptied, row.cells)), row.kind)) for i, row in enumerate(block.rows))
    return replace(block, rows=tuple(map(below, rows)))


def _lines(pad: Sheet) -> int:
    """The number of lines of the tables of a pad on paper."""
    return sum(1 + len(grid.lines) for drawn in drawn_sheet(pad)[0] for grid in drawn.wide)
