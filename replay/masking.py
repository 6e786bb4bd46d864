"""Mask or name the cards of an event, and find where an event shows a card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from events.card_lists import cards_in, with_card_lists
from events.cards import item, squeeze
from events.model import Capture, Cards, Deal, Discard, Event, Hand, Meld, Move, Play
from replay.log import NumberedEvent


def masked(cards: Iterable[str]) -> Cards:
    """The same number of cards, all unseen, even half-known ones; `*`, a whole pile, stays.

    >>> masked(["7h", "Kc", "2x?d"]), masked(["*"]), masked(["*x??", "7h"]), masked(["Jo=7h"])
    (('4x??',), ('*',), ('*x??',), ('??',))
    """
    return squeeze(text if text == "*" else _covered(text) for text in cards)


def _covered(text: str) -> str:
    count = item(text).count
    return "??" if count == 1 else f"{'*' if count is None else count}x??"


def has_card(event: Event, card: str) -> bool:
    """True if the event has this card."""
    return any(c == card or (c.startswith(card) and c.partition("=")[0] == card) for c in cards_in(event))


def puts_down(event: Event) -> bool:
    """True if the event takes cards out of the actor's own holding."""
    own = ("", f"hand:{event.by}")
    return isinstance(event, Play | Capture | Discard | Move) and event.src in own


def put_down_unseen(event: Event) -> Event:
    """Mask all cards that the event takes out of the actor's holding."""
    if isinstance(event, Play | Capture | Discard | Move):
        return replace(event, cards=masked(event.cards))
    return event


def last_sighting(events: Sequence[NumberedEvent], card: str) -> NumberedEvent | None:
    """The last of these events that shows a card in the current hand; None if there is none."""
    if card in ("", "??"):
        return None
    for placed in reversed(events):
        if isinstance(placed.event, Hand):
            return None
        if has_card(placed.event, card):
            return placed
    return None


def mask_cards(event: Event, cards: Iterable[str]) -> Event:
    """Mask these cards wherever they are in the event, without changing their number.

    >>> from events.model import Play
    >>> mask_cards(Play(by="N", cards=("7h",)), ["7h"]).cards
    ('??',)
    >>> mask_cards(Play(by="N", cards=("7h", "2x8?", "*")), ["7h", "2x8?", "*"]).cards
    ('3x??', '*')
    """
    gone = set(cards)
    return _blurred(event, lambda card: card in gone)


def mask_one(event: Event, card: str) -> Event:
    """Mask the first occurrence of this card; a duplicate stays seen.

    >>> from events.model import Play
    >>> mask_one(Play(by="N", cards=("7h", "7h", "7s")), "7h").cards
    ('??', '7h', '7s')
    """
    left = iter((True,))
    return _blurred(event, lambda other: other == card and next(left, False))


def _blurred(event: Event, gone: Callable[[str], bool]) -> Event:
    def blur(items: tuple[str, ...]) -> tuple[str, ...]:
        return squeeze(as_many_unseen(c) if c != "*" and gone(c.partition("=")[0]) else c for c in items)

    def as_many_unseen(text: str) -> str:
        count, times, _ = text.rpartition("x")
        return f"{count}{times}??"

    return with_card_lists(event, blur)


def unseen_in(event: Event) -> int:
    """The number of cards moved by an event that were not wholly seen. A deal counts if it lays the cards open."""
    cards = (*getattr(event, "cards", ()), *(event.takes if isinstance(event, Capture) else ()))
    if isinstance(event, Meld):
        cards = tuple(card for group in event.groups for card in group)
    if isinstance(event, Deal) and event.face == "up":
        cards = tuple(card for _, dealt in event.piles for card in dealt)
    items = [item(text) for text in cards if text != "*" and not text.startswith("*x")]
    return sum(it.count or 1 for it in items if "?" in it.card and not it.stands_for)


def opened_with(event: Event, faces: Sequence[str]) -> Event | None:
    """Name the unseen cards of the event, in the order written; None if the faces do not fit.

    >>> from events.model import Play
    >>> opened_with(Play(by="N", cards=("2x??", "7h")), ["Kc", "Ac"]).cards
    ('Kc', 'Ac', '7h')
    >>> opened_with(Meld(by="N", groups=(("7c", "??", "7h"), ("??", "2d"))), ["7s", "Ad"]).groups
    (('7c', '7s', '7h'), ('Ad', '2d'))
    """
    left = list(faces)

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for text in cards:
            it = item(text) if not text.startswith("*") else None
            if it is None or "?" not in it.card or it.stands_for:
                out.append(text)
                continue
            out.extend(left.pop(0) if left else it.card for _ in range(it.count or 1))
        return squeeze(out)

    changes: dict[str, Any] = {}
    if isinstance(event, Hand):
        return event
    if getattr(event, "cards", ()):
        changes["cards"] = fill(event.cards)  # type: ignore[union-attr]  # it has the field: just asked
    if isinstance(event, Capture):
        changes["takes"] = fill(event.takes)
    if isinstance(event, Meld):
        changes["groups"] = tuple([fill(group) for group in event.groups])
    if isinstance(event, Deal) and event.face == "up":
        changes["piles"] = tuple([(name, fill(dealt)) for name, dealt in event.piles])
    return replace(event, **changes) if changes and not left else None
