"""Cards that are easily mistyped for another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from events.card_lists import cards_in, with_card_lists
from events.cards import RANKS, Pack, is_face, squeeze
from events.model import Event, Name, Plain

if TYPE_CHECKING:
    from random import Random


def faces(event: Event) -> list[str]:
    """The cards that an event names, without those that another card stands for."""
    return [*filter(is_face, (*cards_in(event), *([event.what] if isinstance(event, Name) else [])))]


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
    return with_card_lists(event, lambda cards: squeeze(map(typed, cards)))  # type: ignore[return-value]  # simulated logs have no corrections


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
