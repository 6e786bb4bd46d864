"""The hands of a match that are worth opening: broken rules, disputes, the biggest swing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from reducers.scoring import signed

TELLING = 1.5
"""A swing is named if it is this many times the usual one of its match."""
BROKEN, DISPUTED = 100.0, 10.0
"""How much a breach and a dispute weigh; a swing weighs how many times the usual one it is."""


class HandToOpen(Struct, frozen=True):
    """A hand worth opening, or one reason to open it: its number, the event to open it at, what it is (broken, dispute
    or swing), in words, and how much it weighs."""

    hand: int
    at: int
    kind: str
    text: str
    weight: float


def hands_to_open(
    reasons: Iterable[HandToOpen], points: Mapping[int, Mapping[str, int | None]], shown: Mapping[int, int],
    name: Callable[[str], str],
) -> tuple[HandToOpen, ...]:
    """The hands of a match with something to see, the most interesting first, each with all its reasons. `reasons` are
    the breaches and the disputes, `points` those of each hand, `shown` the last event with cards of each hand."""
    told: dict[int, list[HandToOpen]] = {}
    for one in (*sorted(reasons, key=lambda one: -one.weight), *_swings(points, shown, name)):
        told.setdefault(one.hand, []).append(one)
    return tuple(sorted((
        HandToOpen(
            hand, ones[0].at, ones[0].kind, "; ".join(dict.fromkeys(one.text for one in ones)),
            sum(one.weight for one in ones),
        )
        for hand, ones in told.items()
    ), key=lambda one: -one.weight))  # fmt: skip


def _swings(
    points: Mapping[int, Mapping[str, int | None]], shown: Mapping[int, int], name: Callable[[str], str],
) -> Iterator[HandToOpen]:
    """The hands with the biggest difference between the best and the worst side, if it stands out."""
    known = {hand: {side: n for side, n in of.items() if n is not None} for hand, of in points.items()}
    apart = {hand: max(of.values()) - min(of.values()) for hand, of in known.items() if of}
    swings = {hand: swing for hand, swing in apart.items() if swing}
    usual = sum(swings.values()) / len(swings) if len(swings) > 1 else 0
    for hand, swing in swings.items():
        if usual and swing == max(swings.values()) and swing >= TELLING * usual:
            gained = known[hand]
            ends = max(gained, key=gained.__getitem__), min(gained, key=gained.__getitem__)
            text = "biggest swing: " + ", ".join(f"{name(side)} {signed(gained[side])}" for side in ends)
            yield HandToOpen(hand, shown.get(hand, 0), "swing", text, swing / usual)
