"""Hands that were dealt unseen, read as if the cards that were played from them had been seen in the deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.cards import UNKNOWN, one_by_one
from events.model import ABOUT, Bid, Call, Deal, End, Fix, Hand, Name, Pass, Play, Recorded
from replay.log import NumberedEvent

# What moves no card: a hand of nothing else but its deal and cards played from the holdings came to light as it was played.
SAID = frozenset((Bid, Pass, Name, Call, End, *ABOUT)) - {Fix}


def dealt_unseen(log: Iterable[Recorded]) -> bool:
    """Whether the first deal of a log has cards that were not seen."""
    deal = next((r.event for r in log if type(r.event) is Deal), None)
    return isinstance(deal, Deal) and any("?" in card for _, cards in deal.piles for card in cards)


def is_plain(value: object) -> bool:
    """Whether a value is a word or a number, an event, or made of such.

    >>> is_plain(("A", 1)), is_plain({"A": [2]}), is_plain(Hand(by="A", number=1)), is_plain(object())
    (True, True, True, False)
    """
    if value is None or isinstance(value, str | int | Struct):
        return True
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    return isinstance(value, tuple | list | set) and all(map(is_plain, value))


def as_played(events: Sequence[NumberedEvent]) -> list[NumberedEvent]:
    """The events with the hands laid open that were dealt unseen and played card by card; empty where there are none.

    Where a hand has nothing but its deal and cards that were seen as they were played, and each seat played as many as it
    was dealt, it was dealt these. Whether that can be, the walk over them shows.
    """
    out = list(events)
    deals: list[int] = []
    played: dict[str, list[str]] = {}
    opened = False
    plain = True
    for i, placed in enumerate(events):
        event = placed.event
        kind = type(event)
        if type(event) is Play:
            if event.src:
                plain = False
            played.setdefault(event.by, []).extend(event.cards)
        elif kind is Hand:
            opened = (plain and _laid_open(out, deals, played)) or opened
            deals, played, plain = [], {}, True
        elif kind is Deal:
            deals.append(i)
            plain = plain and not played
        elif kind not in SAID:
            if not opened:
                return []
            plain = False
    opened = (plain and _laid_open(out, deals, played)) or opened
    return out if opened else []


def _laid_open(events: list[NumberedEvent], deals: Sequence[int], played: Mapping[str, list[str]]) -> bool:
    """Write into the deals of a hand what was played from them, if that is every card that was dealt unseen."""
    found: dict[int, NumberedEvent] = {}
    if len(deals) > 1:
        played = _besides_what_was_seen(events, deals, played)
    for i in deals:
        deal = events[i].event
        assert isinstance(deal, Deal)
        piles = [(name, _filled(name, cards, played)) for name, cards in deal.piles]
        if any(cards is None for _, cards in piles):
            return False
        found[i] = replace(events[i], event=replace(deal, piles=tuple(piles)))
    for i, placed in found.items():
        events[i] = placed
    return bool(found)


def _besides_what_was_seen(
    events: Sequence[NumberedEvent], deals: Sequence[int], played: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """What each seat played of the cards that nobody saw dealt: its last card may have been turned up."""
    seen: dict[str, set[str]] = {}
    for i in deals:
        deal = events[i].event
        for name, cards in deal.piles if isinstance(deal, Deal) else ():
            if not any("?" in c for c in cards):
                seen.setdefault(name.removeprefix("hand:"), set()).update(one_by_one(cards))
    return {seat: [card for card in cards if card not in seen.get(seat, ())] for seat, cards in played.items()}


def _filled(name: str, cards: tuple[str, ...], played: Mapping[str, list[str]]) -> tuple[str, ...] | None:
    """The cards dealt to a pile with those that were played in the place of the unseen ones; None if they are not all."""
    if not any("?" in c for c in cards):
        return cards
    slots, faces = one_by_one(cards), played.get(name.removeprefix("hand:"), [])
    known = [c for c in slots if c != UNKNOWN]
    came = set(faces)
    if len(came) != len(faces) or len(faces) != len(slots) or "*x??" in cards or not came.issuperset(known):
        return None
    return None if any("?" in c or "=" in c for c in came) else (*known, *(c for c in faces if c not in known))
