"""Hands of Kaiser by their results alone, for tests of scores, sheets and derived lines."""

from __future__ import annotations

from given import log

from events.model import Recorded

# Three hands by their results: NS 10, EW 0; NS 3, EW 7; NS −9, EW 1.
FIRST = "@ tally declarer=NS level=7 trump=h tricks.NS=5 tricks.EW=3 five=NS three=EW"
SECOND = "@ tally declarer=EW level=6 trump=c tricks.NS=3 tricks.EW=5 five=EW three=EW"
THIRD = "@ tally declarer=NS level=12 trump=d tricks.NS=7 tricks.EW=1 five=NS three=NS"
UNKNOWN = "@ tally declarer=NS level=7 trump=h tricks.NS=5 tricks.EW=3 three=EW"


def hands(*parts: str, **option: int) -> list[Recorded]:
    """A match of hands: each part is what is written after `@ hand n`, lines parted by `;`."""
    lines = [line for n, part in enumerate(parts, 1) for line in (f"@ hand {n}", *part.split(";"))]
    return log(
        "kaiser", "\n".join(line.strip() for line in lines if line.strip()), N="Ann", E="Bea", S="Carl", W="Dora",
        option=option,
    )
