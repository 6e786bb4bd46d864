"""Two matches that are the same to somebody, and differ in what they may not see: cards, remarks, pictures, the
judge's verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from events.cards import item, squeeze
from events.model import Deal, Discard, Draw, Event, Hand, Move, Open, Play, Recorded, Shuffle
from reducers.first_state import terms_of
from reducers.registry import find_game
from replay.redact import Onlooker

Cards = tuple[str, ...]


def hand_numbers(log: Sequence[Recorded]) -> list[int]:
    """The hand each event belongs to: 1 from the beginning of the first one on."""
    out, hand = [], 0
    for r in log:
        hand += isinstance(r.event, Hand)
        out.append(hand)
    return out


def slots(cards: Iterable[str]) -> list[str]:
    """A list of cards, one place each; what has no number takes one."""
    out: list[str] = []
    for text in cards:
        it = item(text)
        out += [text] if text == "*" or it.count is None or it.count == 1 else [it.card] * it.count
    return out


def known(card: str) -> bool:
    """Whether a place names a card."""
    return card != "*" and "?" not in card


Change = Callable[[Cards, Cards], Cards]


def each_list(event: Event, told: Event, change: Change) -> Event:
    """The event with `change` of each list of cards in it, and of that list as it is told."""
    if not isinstance(event, Deal | Shuffle | Play | Draw | Discard | Move):
        return event
    as_told: Any = told
    new: dict[str, Any] = {}
    if getattr(event, "cards", ()):
        new["cards"] = change(event.cards, as_told.cards)
    if isinstance(event, Deal | Shuffle) and event.piles:
        new["piles"] = tuple(
            (name, change(cards, other)) for (name, cards), (_, other) in zip(event.piles, as_told.piles, strict=True)
        )
    return replace(event, **new)


def other_cards(
    log: Sequence[Recorded], viewer: str, hands: Iterable[int], seed: int, *, likely: bool = False,
) -> list[Recorded]:
    """The same match to `viewer` ("public" or a seat), but in these hands the cards that they do not see have
    changed places.

    `likely`: only those that they never see in the hand, so that the other match could have been played as well.
    Else all of them: the other match is full of breaches that only a director can know of.
    """
    opening = log[0].event
    assert isinstance(opening, Open)
    game = find_game(str(opening.facts["Game"]))
    eyes, chance, wanted = Onlooker(game, terms_of(game, opening.facts), viewer), Random(seed), {*hands}
    told = [eyes.plain(r.event) for r in log]
    new = list(log)
    for hand in wanted:
        places = [i for i, n in enumerate(hand_numbers(log)) if n == hand]
        hidden: list[str] = []
        seen: set[str] = set()

        def look(cards: Cards, other: Cards, hidden: list[str] = hidden, seen: set[str] = seen) -> Cards:
            for card, shown in zip(slots(cards), slots(other), strict=True):
                if known(card) and not known(shown):
                    hidden.append(card)
                elif known(card):
                    seen.add(card)
            return cards

        for i in places:
            each_list(log[i].event, told[i], look)
            seen |= set(getattr(told[i], "takes", ())) | {
                card for group in getattr(told[i], "groups", ()) for card in slots(group)
            }
        swapped = sorted({card for card in hidden if not (likely and card in seen)})
        mixed = list(swapped)
        chance.shuffle(mixed)
        other_name = dict(zip(swapped, mixed, strict=True))

        def change(cards: Cards, other: Cards, to: dict[str, str] = other_name) -> Cards:
            return squeeze(
                to.get(card, card) if known(card) and not known(shown) else card
                for card, shown in zip(slots(cards), slots(other), strict=True)
            )

        for i in places:
            new[i] = replace(log[i], event=each_list(log[i].event, told[i], change))
    return new


def hides_something(log: Sequence[Recorded], viewer: str, hands: Iterable[int]) -> bool:
    """Whether anything of these hands is hidden from `viewer`."""
    opening = log[0].event
    assert isinstance(opening, Open)
    game = find_game(str(opening.facts["Game"]))
    eyes, wanted = Onlooker(game, terms_of(game, opening.facts), viewer), {*hands}
    return any(n in wanted and eyes.plain(r.event) != r.event for r, n in zip(log, hand_numbers(log), strict=True))
