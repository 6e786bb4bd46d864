"""A sheet to hang on a wall: the head, the result and the figures, without what only the table needs."""

from __future__ import annotations

from msgspec.structs import replace

from reducers.sheet import Block, Sheet


def for_the_wall(sheet: Sheet) -> Sheet:
    """The sheet without sums, remarks, the table's own figures, signatures, and what is said of the record."""
    sides = tuple(replace(side, players=()) for side in sheet.head.sides)
    head = replace(sheet.head, sides=sides, scorer="", lines=0)
    return replace(sheet, blocks=tuple(map(_figures_alone, sheet.blocks)), remarks=(), signed=(), head=head)


def _figures_alone(block: Block) -> Block:
    rows = (
        replace(row, cells=tuple(replace(cell, sum="", stated="") for cell in row.cells), notes=())
        for row in block.rows
    )
    return replace(block, rows=tuple(rows))
