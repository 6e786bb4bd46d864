"""Scores as plain values: the lines of a hand with their arithmetic, the points of a hand, the standing of the match.

A figure that is unknown from the record is None, and so is every sum with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

Points: TypeAlias = dict[str, int | None]


class ScoreLine(Struct, frozen=True, gc=False):
    """One component of a hand's score: its amount for each side or seat, and the sum as a person would write it.

    `column` is the part of a divided sheet ("above", "below").
    """

    label: str
    amounts: Points
    sums: dict[str, str] = {}
    column: str = ""


class HandScore(Struct, frozen=True, gc=False):
    """The score of one hand.

    `source` says what it rests on: "moves", "tricks", "tally", "void" or "nothing". `points` are added to the match
    score, `totals` is the standing after the hand. `unknown` names what is missing for a full score, `notes` are
    remarks for the reader of the sheet. `bidder` is the seat that bid the contract, "" if unknown.
    """

    number: int
    dealer: str
    source: str
    contract: str = ""
    result: str = ""
    lines: tuple[ScoreLine, ...] = ()
    points: Points = {}
    totals: Points = {}
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    bidder: str = ""

    @property
    def told(self) -> str:
        """The contract and its result on one line; a result that is a sentence follows a comma.

        >>> (
        ...     HandScore(1, "N", "moves", "NS 7 ♥", "made").told,
        ...     HandScore(1, "A", "moves", "trumps ♠", "B is the loser").told
        ... )
        ('NS 7 ♥ made', 'trumps ♠, B is the loser')
        """
        apart = ", " if self.contract and self.result[:1].isupper() else " "
        return f"{self.contract}{apart}{self.result}".strip()


class Penalty(Struct, frozen=True):
    """A penalty that the text of a game prescribes for a proven irregularity of a hand.

    `at` is the position of the act, `rule` the rule that prescribes the penalty, `facts` its effect in the words of a
    ruling (`{"tricks": {"NS": 2, "EW": -2}}`, `{"points": {"NS": -3}}`), `text` the same as a sentence.
    """

    hand: int
    at: int
    rule: str
    facts: dict[str, Any]
    text: str


class Standing(Struct, frozen=True, gc=False):
    """The match so far: totals by side or seat, and one `winner` or several `winners`. Pages may extend it."""

    totals: Points
    winner: str = ""
    over: bool = False
    hands: int = 0
    # The hands that counted towards a number agreed by the table (`HouseRules.hands`).
    counted: int = 0
    winners: tuple[str, ...] = ()
    # The totals of players who left the table, by seat (`reducers.seating`).
    left: Points = {}


S = TypeVar("S", bound=Standing)


def with_winners(standing: S, ahead: Sequence[str]) -> S:
    """The standing of a match that is over, with one winner or several joint winners.

    >>> one, two = (with_winners(Standing({"A": 7, "B": 7}), ahead) for ahead in (["A"], ["A", "B"]))
    >>> (one.winner, one.winners), (two.winner, two.winners), two.over
    (('A', ()), ('', ('A', 'B')), True)
    """
    alone = len(ahead) == 1
    return replace(standing, over=True, winner=ahead[0] if alone else "", winners=() if alone else tuple(ahead))


def plus(a: int | None, b: int | None) -> int | None:
    """Add two figures; None if either is unknown.

    >>> plus(2, 3), plus(2, None)
    (5, None)
    """
    return None if a is None or b is None else a + b


def sum_of(amounts: Iterable[int | None]) -> int | None:
    """The sum; None if one of them is unknown.

    >>> sum_of([4, -2]), sum_of([4, None])
    (2, None)
    """
    every = list(amounts)
    return None if None in every else sum(n or 0 for n in every)


def add_points(before: Points, points: Points) -> Points:
    """A standing with the points of a hand added."""
    return {who: plus(total, points.get(who, 0)) for who, total in before.items()}


def leaders_by_total(totals: Points, *, fewest: bool) -> list[str]:
    """The sides with the most points, or the fewest if these lead; [] if a total is unknown.

    >>> (
    ...     leaders_by_total({"A": 145, "B": 120, "C": 120}, fewest=True),
    ...     leaders_by_total({"A": 7, "B": None}, fewest=False)
    ... )
    (['B', 'C'], [])
    """
    known = [n for n in totals.values() if n is not None]
    if not known or len(known) < len(totals):
        return []
    best = (min if fewest else max)(known)
    return [who for who, n in totals.items() if n == best]


def signed(amount: int | None) -> str:
    """A figure with its sign, a real minus, `?` if unknown.

    >>> signed(5), signed(-3), signed(None)
    ('+5', '−3', '?')
    """
    if amount is None:
        return "?"
    return f"−{-amount}" if amount < 0 else f"+{amount}"


def figure(amount: int | None) -> str:
    """A figure with a real minus, `?` if unknown."""
    return "?" if amount is None else f"−{-amount}" if amount < 0 else str(amount)
