"""The hands of a match that are worth opening: broken rules, disputes, the biggest swing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from reducers.scoring import signed

TELLING = 1.5
"""A swing is named if it is this many times the usual one of its match."""
WEIGHTS = {"broken": 100.0, "dispute": 10.0}


class Highlight(Struct, frozen=True):
    """A reason to open a hand: the hand, the event to open it at, what it is (broken, dispute or swing), in words."""

    hand: int
    at: int
    kind: str
    text: str


class HandToOpen(Struct, frozen=True):
    """A hand worth opening: its number, the event to open it at, its first reason's kind, all reasons in words, and how
    much it weighs."""

    hand: int
    at: int
    kind: str
    text: str
    weight: float


def hands_to_open(
    reasons: Iterable[Highlight], points: Mapping[int, Mapping[str, int | None]], shown: Mapping[int, int],
    name: Callable[[str], str],
) -> tuple[HandToOpen, ...]:
    """The hands of a match with something to see, the most interesting first: rules that were broken, then disputes,
    then the biggest swing. `reasons` are the breaches and the disputes, `points` those of each hand, `shown` the last
    event with cards of each hand."""
    told: dict[int, list[Highlight]] = {}
    for one in sorted(reasons, key=lambda one: -WEIGHTS[one.kind]):
        told.setdefault(one.hand, []).append(one)
    weights = {hand: sum(WEIGHTS[one.kind] for one in ones) for hand, ones in told.items()}
    for hand, share in _swings(points):
        gained = {side: n for side, n in points[hand].items() if n is not None}
        ends = max(gained, key=gained.__getitem__), min(gained, key=gained.__getitem__)
        text = "biggest swing: " + ", ".join(f"{name(side)} {signed(gained[side])}" for side in ends)
        told.setdefault(hand, []).append(Highlight(hand, shown.get(hand, 0), "swing", text))
        weights[hand] = weights.get(hand, 0) + share
    return tuple(sorted((
        HandToOpen(hand, ones[0].at, ones[0].kind, "; ".join(dict.fromkeys(one.text for one in ones)), weights[hand])
        for hand, ones in told.items()
    ), key=lambda one: -one.weight))


def _swings(points: Mapping[int, Mapping[str, int | None]]) -> Iterator[tuple[int, float]]:
    """The hands with the biggest difference between the best and the worst side, and how many times the usual one it
    is, if it stands out."""
    known = {hand: [n for n in of.values() if n is not None] for hand, of in points.items()}
    swings = {hand: max(of) - min(of) for hand, of in known.items() if len(of) > 1 and max(of) > min(of)}
    usual = sum(swings.values()) / len(swings) if len(swings) > 1 else 0
    for hand, swing in swings.items():
        if usual and swing == max(swings.values()) and swing >= TELLING * usual:
            yield hand, swing / usual


__all__ = ["HandToOpen", "Highlight", "hands_to_open"]
