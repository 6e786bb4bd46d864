"""The hands of a match that are worth opening: broken rules, disputes, the biggest swing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from reducers.scoring import signed

TELLING = 1.5
"""A swing is named if it is this many times the usual one of its match."""


class HandToOpen(Struct, frozen=True):
    """A hand worth opening: its number, the event to open it at, the reasons in words, and how much it weighs."""

    hand: int
    at: int
    reasons: tuple[str, ...]
    weight: float


def hands_to_open(doc: Mapping[str, Any]) -> list[HandToOpen]:
    """The hands of a replay with something to see, the most interesting first: rules that were broken, then disputes
    and rulings, then the biggest swing. `doc` is plain data."""
    found = [one for hand in doc["hands"] if hand["number"] for one in _looked_at(doc, hand)]
    return sorted(found, key=lambda one: -one.weight)


def _looked_at(doc: Mapping[str, Any], hand: Mapping[str, Any]) -> Iterator[HandToOpen]:
    broken = [
        f for f in doc["findings"] if f["hand"] == hand["number"] and f["verdict"] == "broken" and not f["record"]
    ]
    steps = {s["n"] for s in hand["steps"]}
    disputes = [s for s in doc["said"] if s["kind"] in ("dispute", "ruling") and s["n"] in steps]
    swing, usual = _swing(hand), [one for one in map(_swing, doc["hands"]) if one]
    biggest = len(usual) > 1 and swing == max(usual) and swing * len(usual) >= TELLING * sum(usual)
    reasons = [f["title"] for f in broken] + [
        s["text"].rstrip(".") for s in disputes
    ] + ([_gained(doc, hand)] if biggest else [])
    if not reasons:
        return
    asked = [n for s in disputes for n in s["refs"] if n in steps]
    cards = [s["n"] for s in hand["steps"] if s.get("cards")]
    at = next(iter([*(f["at"] for f in broken), *asked, *(s["n"] for s in disputes), *cards[-1:]]), hand["last"])
    weight = 100 * len(broken) + 10 * len(disputes) + (swing * len(usual) / sum(usual) if biggest else 0)
    yield HandToOpen(hand["number"], at, tuple(dict.fromkeys(reasons)), weight)


def _swing(hand: Mapping[str, Any]) -> int:
    """The difference that a hand makes between its best and its worst side; 0 if it is not known."""
    points = [n for n in hand["points"].values() if isinstance(n, int)]
    return max(points) - min(points) if len(points) > 1 else 0


def _gained(doc: Mapping[str, Any], hand: Mapping[str, Any]) -> str:
    """Who gained and who lost most in a hand."""
    called, points = hand.get("called", doc["called"]), hand["points"]
    ends = sorted(points, key=lambda who: -points[who])
    return "biggest swing: " + ", ".join(f"{called.get(who, who)} {signed(points[who])}" for who in (ends[0], ends[-1]))


__all__ = ["HandToOpen", "hands_to_open"]
