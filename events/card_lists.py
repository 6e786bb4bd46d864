"""The lists of cards in an event: all of them, and the same event with each of them changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from events.model import Cards, Event

E = TypeVar("E", bound=Event)


def card_lists(event: Event) -> list[Cards]:
    """Every list of cards that an event has, in the order of its fields."""
    out: list[Cards] = [cards for name in ("cards", "takes") if (cards := getattr(event, name, ()))]
    return [*out, *getattr(event, "groups", ()), *(cards for _, cards in getattr(event, "piles", ()))]


def cards_in(event: Event) -> Iterator[str]:
    """Every card in the event, as it is written."""
    return (card for cards in card_lists(event) for card in cards)


def with_card_lists(event: E, change: Callable[[Cards], Cards]) -> E:
    """The event with each list of cards changed; an empty one stays."""
    changes: dict[str, Any] = {n: change(cards) for n in ("cards", "takes") if (cards := getattr(event, n, ()))}
    if groups := getattr(event, "groups", ()):
        changes["groups"] = tuple(map(change, groups))
    if piles := getattr(event, "piles", ()):
        changes["piles"] = tuple((name, change(cards) if cards else cards) for name, cards in piles)
    return replace(event, **changes) if changes else event
