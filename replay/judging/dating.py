"""From when a finding was known: the log parted at its corrections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def split_at_corrections(positions: Sequence[int], fixes: Iterable[int]) -> list[list[int]]:
    """Positions in order, parted before each correction.

    >>> split_at_corrections([3, 4, 5, 8, 9], [5, 9])
    [[3, 4], [5, 8], [9]]
    """
    out: list[list[int]] = []
    begins = set(fixes)
    for n in positions:
        if not out or n in begins:
            out.append([])
        out[-1].append(n)
    return out
