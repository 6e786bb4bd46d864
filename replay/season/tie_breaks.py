"""Tie-breaks: how players with the same figure are ordered, in an order that the club states.

| name | puts first |
|---|---|
| `head-to-head` | who won more matches against the others of the group than they lost |
| `wins` | who won more matches |
| `difference` | who has the greater sum of points by which their side was better |
| `best-evening` | who had the better best evening |

A group is split by the first of them that tells two of its players apart; what is left together goes on to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from events.errors import UsageError

TIE_BREAKS = {
    "head-to-head": "head to head", "wins": "matches won", "difference": "points difference",
    "best-evening": "best evening",
}
"""The tie-breaks, and their names on paper."""
T = TypeVar("T")


class TieBreak(NamedTuple):
    """A group of equal players that was split: their numbers, first to last, and the tie-break."""

    who: tuple[int, ...]
    by: str


def parse_ties(text: str) -> tuple[str, ...]:
    """The tie-breaks of a list with commas; `all` is all of them in their order. Raises UsageError.

    >>> parse_ties("wins, difference"), parse_ties("")
    (('wins', 'difference'), ())
    """
    said = tuple(word.strip().casefold().replace(" ", "-") for word in text.split(",") if word.strip())
    said = tuple(TIE_BREAKS) if said == ("all",) else said
    for word in said:
        if word not in TIE_BREAKS or said.count(word) > 1:
            raise UsageError(
                f"{word[:40]!r} is {'named twice' if word in TIE_BREAKS else 'no tie-break'}",
                expected=f"some of {', '.join(TIE_BREAKS)}, each once, the first first; or all",
            )
    return said


def split_ties(
    group: Sequence[int], ties: Sequence[str], value: Callable[[str, int], float], won: Mapping[tuple[int, int], int],
) -> tuple[list[list[int]], list[TieBreak]]:
    """The players of a group in order, those who stay equal together, and the splits that were made. `value` is the
    figure of a player for a tie-break, greater first; `won` counts the matches of the first against the second."""
    if len(group) < 2 or not ties:
        return [list(group)], []
    by, *others = ties
    if by == "head-to-head":
        worth = {
            who: float(sum(won.get((who, other), 0) - won.get((other, who), 0) for other in group)) for who in group
        }
    else:
        worth = {who: value(by, who) for who in group}
    levels = sorted(set(worth.values()), reverse=True)
    out: list[list[int]] = []
    splits = [TieBreak(tuple(sorted(group, key=lambda who: -worth[who])), by)] if len(levels) > 1 else []
    for level in levels:
        # After a split, the next group is judged by all tie-breaks again: fewer opponents may decide head to head.
        together = [who for who in group if worth[who] == level]
        parts, more = split_ties(together, ties if len(levels) > 1 else others, value, won)
        out += parts
        splits += more
    return out, splits
