"""Victory points: what a margin between two sides gives to the winner and to the loser, by a table of the club.

The table is CSV, a row a step: the greatest margin of the step (empty in the last row), the winner's points, the
loser's. A line that begins with `#` says where the table is from:

    # three hands
    up to,winner,loser
    50,10,10
    150,11,9
    ,20,0
"""

from __future__ import annotations

import csv
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from events.errors import UnreadableError

MOST_STEPS = 200


def exact_figure(n: float | Decimal) -> float:
    """A figure with at most two decimals; a whole one is an integer. Raises ValueError if it is none.

    >>> exact_figure(Decimal("12.50")), exact_figure(0.1 + 0.2), exact_figure(7.0)
    (12.5, 0.3, 7)
    """
    rounded = round(float(n), 2)
    if not abs(rounded) < 1e15:
        raise ValueError(n)
    return int(rounded) if rounded == int(rounded) else rounded


class VictoryTable(Struct, frozen=True):
    """The steps of a table: the greatest margin (None for any), the points of the winner and of the loser, which may
    have two decimals."""

    steps: tuple[tuple[int | None, float, float], ...]

    def points(self, margin: int) -> float:
        """The victory points of a side that was better by this margin; a negative one is the loser's.

        >>> table = parse_victory_table("up to,winner,loser\\n50,10,10\\n150,12,8\\n,20,0")
        >>> [table.points(margin) for margin in (0, -50, 51, -51, -999)]
        [10, 10, 12, 8, 0]
        """
        for most, winner, loser in self.steps:
            if most is None or abs(margin) <= most:
                return winner if margin > 0 else loser if margin < 0 else exact_figure((winner + loser) / 2)
        return 0


def parse_victory_table(text: str) -> VictoryTable:
    """The table in a text. Raises UnreadableError with the row that cannot be read."""
    steps: list[tuple[int | None, float, float]] = []
    for number, row in enumerate(csv.reader(text.lstrip("\ufeff").splitlines()), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#") or (not steps and cells[0].casefold() == "up to"):
            continue
        try:
            most, winner, loser = cells
            step = (int(most) if most else None, exact_figure(Decimal(winner)), exact_figure(Decimal(loser)))
        except (ValueError, InvalidOperation):
            raise UnreadableError(
                f"{','.join(row)[:60]!r} is no step of a table of victory points", where=f"row {number}",
                expected="up to,winner,loser, as 50,10,10; nothing before the last two in the last row",
            ) from None
        if steps and (steps[-1][0] is None or (step[0] is not None and step[0] <= steps[-1][0])):
            raise UnreadableError(
                "the margins do not grow", where=f"row {number}",
                expected="a greater margin in each row, and none in the last",
            )
        steps.append(step)
    if not steps or steps[-1][0] is not None or len(steps) > MOST_STEPS:
        raise UnreadableError(
            "the table of victory points does not end",
            expected=f"at most {MOST_STEPS} steps, and a last one without a margin, as ,20,0",
        )
    return VictoryTable(tuple(steps))
