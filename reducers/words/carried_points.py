"""A hand without a winner, after which extra points ride on the next one: its winner gets them too."""

from __future__ import annotations

from msgspec.structs import replace

from reducers.scoring import HandScore, Standing, add_points, plus
from reducers.terms import Terms

TIED = "tied"
"""The result of a hand that no side won, after which a point rides on the next."""


class Riding(Standing, frozen=True):
    """The match so far, with the extra points for the winner of the next hand; None if unknown."""

    extra: int | None = 0


def nothing_rides(terms: Terms) -> Riding:
    """The standing before the first hand, with nothing riding on it."""
    return Riding(totals=dict.fromkeys(terms.sides, 0))


def rides_on(before: Standing, hand: HandScore, *, most: int | None = None) -> Riding:
    """Add the points of a hand. A tie adds a point for the next winner, up to `most`; a winner takes them."""
    assert isinstance(before, Riding)
    extra: int | None = 0
    if hand.result == TIED:
        extra = plus(before.extra, 1)
        extra = extra if most is None or extra is None else min(extra, most)
    elif not any(n != 0 for n in hand.points.values()):
        extra = before.extra
    elif all(n is None for n in hand.points.values()):
        extra = None
    return replace(before, totals=add_points(before.totals, hand.points), hands=before.hands + 1, extra=extra)


def with_the_extra(points: int, before: Standing) -> tuple[int | None, str]:
    """The points of a hand's winner with the extra ones, and the words for these.

    >>> with_the_extra(2, Riding(totals={}, extra=1)), with_the_extra(1, Riding(totals={}))
    ((3, ' + 1 from the tie'), (1, ''))
    """
    extra = getattr(before, "extra", 0)
    return plus(points, extra), f" + {extra} from the tie{'s' * (extra > 1)}" if extra else ""


def extra_in_words(standing: Standing) -> dict[str, str]:
    """The points that ride on the hand in play, for the headline."""
    extra = getattr(standing, "extra", 0)
    return {"rides on it": "?" if extra is None else str(extra)} if extra != 0 else {}
