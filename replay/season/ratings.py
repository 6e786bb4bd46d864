"""Ratings for games of more than two sides, by openskill (Plackett–Luce, Weng and Lin 2011).

A new player begins at 25 ± 8.3. The cautious figure is shown: the mean less three times its uncertainty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from events.errors import needs_extra

Sides = Sequence[tuple[Sequence[int], int]]
"""A match: for each side the numbers of its players, and its place."""


def rate(matches: Iterable[Sides]) -> dict[int, tuple[float, float, int]]:
    """Mean, uncertainty and number of matches of each player after these matches, in order. Raises UsageError if
    openskill is not installed."""
    with needs_extra("a rating", "seasons"):
        from openskill.models import PlackettLuce
    model: Any = PlackettLuce()
    now: dict[int, Any] = {}
    counts: dict[int, int] = {}
    for sides in matches:
        # A player on two sides, or a table of one, gives no comparison.
        players = [who for members, _ in sides for who in members]
        if len(sides) < 2 or len(set(players)) < len(players):
            continue
        teams = [[now.get(who) or model.rating() for who in members] for members, _ in sides]
        rated = model.rate(teams, ranks=[float(place) for _, place in sides])
        for (members, _), team in zip(sides, rated, strict=True):
            for who, rating in zip(members, team, strict=True):
                now[who] = rating
                counts[who] = counts.get(who, 0) + 1
    return {who: (float(one.mu), float(one.sigma), counts[who]) for who, one in now.items()}
