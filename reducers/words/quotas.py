"""Quotas of tricks: each seat has to take a number of tricks set by its place after the dealer; tricks over it count.

The match keeps how far each seat was over or short in the last hand (`Quoted`), for use in the next hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field
from msgspec.structs import replace

from reducers.scoring import HandScore, Points, ScoreLine, Standing, signed
from reducers.terms import Terms

OVER = "over"
"""Label of the score line that says by how much each seat is over its quota, or short of it."""


class Quoted(Standing, frozen=True):
    """The standing, and the number of tricks each seat took over its quota in the last hand that counted: negative if
    short, None if unknown."""

    surplus: Points = field(default_factory=dict)


def nobody_is_over(terms: Terms) -> Quoted:
    """The standing before the first hand."""
    nothing: Points = dict.fromkeys(terms.seats, 0)
    return Quoted(totals={**nothing}, surplus=nothing)


def quotas_of(dealer: str, quotas: tuple[int, ...], terms: Terms) -> dict[str, int]:
    """The quota of each seat; `quotas` are those of the dealer and of the seats after it, in turn.

    >>> from reducers.first_state import begin
    >>> quotas_of("B", (7, 6, 4), begin({"Game": "pluck", "Seats": "A B C"}).terms)
    {'B': 7, 'C': 6, 'A': 4}
    """
    return dict(zip(terms.in_turn(dealer), quotas, strict=True))


def over_and_short(tricks: Points, quota: Mapping[str, int]) -> ScoreLine:
    """By how much each seat is over its quota, or short of it.

    >>> line = over_and_short({"A": 8, "B": 6, "C": None}, {"A": 7, "B": 6, "C": 4})
    >>> line.amounts, line.sums
    ({'A': 1, 'B': 0, 'C': None}, {'A': '8 − 7 = +1', 'B': '6 − 6 = 0'})
    """
    over: Points = {who: None if n is None else n - quota[who] for who, n in tricks.items()}
    sums = {who: f"{tricks[who]} − {quota[who]} = {signed(n) if n else 0}" for who, n in over.items() if n is not None}
    return ScoreLine(OVER, over, sums)


def over_is_kept(before: Quoted, after: Quoted, hand: HandScore) -> Quoted:
    """The standing after a hand, with its surplus over the quotas; after a hand that does not count the old one."""
    line = next((line for line in hand.lines if line.label == OVER), None)
    if line is not None:
        return replace(after, surplus=line.amounts)
    unheard: Points = dict.fromkeys(before.surplus)
    return replace(after, surplus=unheard if None in hand.points.values() else before.surplus)
