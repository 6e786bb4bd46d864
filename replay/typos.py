"""Cards that are easily mistyped for another."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from events.cards import RANKS, Pack, is_face, squeeze
from events.model import (
    Cards,
    Event,
    Name,
    Plain,
)


def faces(event: Event) -> list[str]:
    """The cards that an event names, without those that another card stands for."""
    lists = [getattr(event, "cards", ()), getattr(event, "takes", ()), *getattr(event, "groups", ())]
    lists += [cards for _, cards in getattr(event, "piles", ())]
    return [c for cards in lists for c in cards if is_face(c)] + (
        [event.what] if isinstance(event, Name) and is_face(event.what) else []
    )


def mistyped(event: Event, pack: Pack, rng: Random) -> Plain:
    """Mistype one card of the event: a neighbour in rank, or the same rank in another suit."""
    at = rng.randrange(len(faces(event)))
    seen = -1

    def typed(card: str) -> str:
        nonlocal seen
        if not is_face(card):
            return card
        seen += 1
        if seen != at:
            return card
        return rng.choice(
            [c for c in pack.faces if c != card and near_miss(c, card)] or [c for c in pack.faces if c != card]
        )

    if isinstance(event, Name):
        return replace(event, what=typed(event.what))
    return change_each_list(event, lambda cards: squeeze(map(typed, cards)))


def change_each_list(event: Event, change: Callable[[Cards], Cards]) -> Plain:
    """Change every list of cards in the event."""
    changes: dict[str, Any] = {n: change(getattr(event, n)) for n in ("cards", "takes") if getattr(event, n, ())}
    if getattr(event, "groups", ()):
        changes["groups"] = tuple(map(change, event.groups))  # type: ignore[union-attr]  # it has the field: just asked
    if getattr(event, "piles", ()):
        changes["piles"] = tuple((name, change(cards) if cards else cards) for name, cards in event.piles)  # type: ignore[union-attr]  # as above
    return replace(event, **changes) if changes else event  # type: ignore[return-value]  # simulated logs have no corrections


def near_miss(card: str, other: str) -> bool:
    """True if one card is easily mistyped for the other.

    >>> near_miss("7h", "8h"), near_miss("7h", "7d"), near_miss("7h", "9h"), near_miss("Jo", "Jh")
    (True, True, False, False)
    """
    if "Jo" in (card[:2], other[:2]):
        return False
    if card[1] == other[1]:
        return abs(RANKS.index(card[0]) - RANKS.index(other[0])) in (1, len(RANKS) - 1)
    return card[0] == other[0]
