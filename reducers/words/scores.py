"""Scores of a hand and a match: a hand that counts nothing, the parts of a score, and the winner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from reducers.facts import UNREAD
from reducers.model import State
from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, leaders_by_total, with_winners
from reducers.terms import Terms
from reducers.words.tallies import readable


def counts_nothing(
    state: State[Any], void: str = "", *, contract: str = "", unfinished: bool = False,
    then: str = "no points are scored", so_far: Points | None = None,
) -> HandScore | None:  # fmt: skip
    """The score of a hand that is void, still in play, or broken off `unfinished` (`then` says what follows); None if
    it counts. `so_far` are the points of a hand in play that are scored as soon as they are made."""
    nothing: Points = dict.fromkeys(state.terms.sides, 0)
    number, dealer = state.number, state.dealer
    if void:
        return HandScore(number, dealer, "void", result=void, points=nothing)
    if not state.settled and not state.tallies:
        return HandScore(
            number, dealer, "nothing", contract, points=so_far or nothing, unknown=("the hand is in play",),
        )
    if state.stop_reason and unfinished:
        return HandScore(
            number, dealer, source_of(state), contract, state.stop_reason, points=nothing,
            notes=(f"broken off; {then}",)
        )
    return None


def source_of(state: State[Any]) -> str:
    """The source of a score: "tally" if a tally was reported, else "moves"."""
    return "tally" if state.tallies else "moves"


def hand_score(
    state: State[Any],
    points: Points,
    lines: Iterable[ScoreLine] = (),
    *,
    contract: str = "",
    result: str = "",
    notes: Iterable[str] = (),
    unknown: Iterable[str] = (),
    source: str = "",
    bidder: str = "",
) -> HandScore:
    """The score of the hand in play; `unknown` names what is missing for a full score, `bidder` the seat that bid.

    If the table reported the points of the hand, they count, whatever else was reported or played.
    """
    if told := points_told(state):
        points = {side: told.get(side, n) for side, n in points.items()}
        unknown = unknown if None in points.values() else ()
    return HandScore(
        state.number, state.dealer, source or source_of(state), contract, result, tuple(lines), points, {},
        tuple(notes), tuple(unknown), bidder,
    )  # fmt: skip


def points_told(state: State[Any]) -> Points:
    """The points of the hand by its tallies, if its game counts no other points; None for one that is impossible."""
    if not state.tallies or not state.game.tally.tells_points:
        return {}
    told = [facts["points"] for facts in readable(state) if isinstance(facts.get("points"), dict)]
    return {who: None if n == UNREAD else n for stem in told for who, n in stem.items()}


def scorer_told(state: State[Any]) -> str:
    """The only side or player with points in the tallies of the hand; empty if there is none, or several."""
    scored = [who for who, n in points_told(state).items() if n]
    return scored[0] if len(scored) == 1 else ""


def first_to_target(before: Standing, hand: HandScore, terms: Terms, target: int | None = None) -> Standing:
    """The standing of a match won by the first to reach the target (for a text in which only one side scores, or
    counting stops there). The default `target` is that of the options."""
    totals, there = add_points(before.totals, hand.points), terms.options.target if target is None else target
    winner = before.winner or next((who for who, n in totals.items() if n is not None and n >= there), "")
    return replace(before, totals=totals, over=bool(winner), winner=winner, hands=before.hands + 1)


def highest_at_target(before: Standing, hand: HandScore, terms: Terms, target: int | None = None) -> Standing:
    """The match ends with the hand that takes a total to the target, for the highest; on a tie it goes on. The default
    `target` is that of the options."""
    totals, there = add_points(before.totals, hand.points), terms.options.target if target is None else target
    known = [n for n in totals.values() if n is not None]
    best = max(known, default=0)
    ahead = [who for who, n in totals.items() if n == best]
    over = len(known) == len(totals) and best >= there and len(ahead) == 1
    return replace(before, totals=totals, over=over, winner=ahead[0] if over else "", hands=before.hands + 1)


class Level(Standing, frozen=True):
    """The standing of a match of n hands; `level` are the sides tied for the lead, who play further hands."""

    level: tuple[str, ...] = ()


class HighestAfter(Struct, frozen=True):
    """The end of a match made by `highest_after`."""

    hands: Callable[[Terms], int]

    def __call__(self, before: Standing, hand: HandScore, terms: Terms) -> Standing:
        """The standing after one more hand."""
        totals, level = add_points(before.totals, hand.points), getattr(before, "level", ()) or tuple(before.totals)
        played = before.hands + (hand.source != "void")
        over, ahead, known = False, level, [totals[who] for who in level]
        if hand.source != "void" and played >= self.hands(terms) and None not in known:
            ahead = tuple(who for who in level if totals[who] == max(n for n in known if n is not None))
            over = len(ahead) == 1
        return Level(
            totals, ahead[0] if over else "", over, played, level=() if over or len(ahead) == len(totals) else ahead,
        )


def highest_after(hands: Callable[[Terms], int]) -> HighestAfter:
    """The highest total after n hands wins. Those who are tied play on, hand by hand, until one is ahead."""
    return HighestAfter(hands)


class MostHandsOf(Struct, frozen=True):
    """The end of a match made by `most_hands_of` or `best_of_hands`."""

    hands: Callable[[Terms], int]
    enough: Callable[[Terms], int] | None = None

    def __call__(self, before: Standing, hand: HandScore, terms: Terms) -> Standing:
        """The standing after one more hand."""
        totals, played = add_points(before.totals, hand.points), before.hands + (hand.source != "void")
        known = [n for n in totals.values() if n is not None]
        most, enough = max(known, default=0), self.enough
        over = len(known) == len(totals) and (
            played >= self.hands(terms) or (enough is not None and most >= enough(terms))
        )
        ahead = [who for who, n in totals.items() if n == most]
        return replace(
            before, totals=totals, over=over, winner=ahead[0] if over and len(ahead) == 1 else "", hands=played,
        )


def most_hands_of(hands: Callable[[Terms], int]) -> MostHandsOf:
    """All n hands are played; the side that won more of them wins, and there is no winner if they are tied."""
    return MostHandsOf(hands)


def best_of_hands(hands: Callable[[Terms], int]) -> MostHandsOf:
    """The same, but the match is over once a side has won more than half of the hands."""
    return MostHandsOf(hands, lambda terms: hands(terms) // 2 + 1)


def highest_of(hands: Callable[[Terms], int], target: Callable[[Terms], int]) -> MostHandsOf:
    """The highest total wins after n hands, or once a total reaches the target; no side if it is tied."""
    return MostHandsOf(hands, target)


def sides_ahead(points: Points, *further: Mapping[str, int | None], among: Iterable[str]) -> tuple[str, ...]:
    """Those of `among` with most points; ties are broken by the `further` figures, one after the other. Empty if points
    or a deciding figure are unknown.

    >>> (
    ...     sides_ahead({"A": 9, "B": 9, "C": 4}, {"A": 5, "B": 12, "C": 13}, among="ABC"),
    ...     sides_ahead({"A": None, "B": 1}, among="AB")
    ... )
    (('B',), ())
    >>> (
    ...     sides_ahead({"A": 9, "B": 9}, {"A": 5, "B": None}, among="AB"),
    ...     sides_ahead({"A": 9, "B": 9}, {"A": 0, "B": 0}, among="AB")
    ... )
    ((), ('A', 'B'))
    """
    first = tuple(among)
    if None in points.values():
        return ()
    for figures in (points, *further):
        told = {who: n for who in first if (n := figures.get(who)) is not None}
        if len(first) > 1 and len(told) < len(first):
            return ()
        first = tuple(who for who in first if len(first) == 1 or told[who] == max(told.values()))
    return first


def highest_has_won(standing: Standing, terms: Terms) -> Any:
    """The match is over: the highest total wins; a tie is a draw."""
    return with_winners(standing, leaders_by_total(standing.totals, fewest=False))
