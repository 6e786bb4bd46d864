"""Hands that were dealt unseen, read as if the cards that were played from them had been seen in the deal, or at the lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.cards import UNKNOWN, one_by_one
from events.model import ABOUT, Bid, Call, Deal, End, Fix, Hand, Name, Pass, Pay, Play, Recorded, Show
from reducers.model import Game
from reducers.table import Entry, Pile, Table
from replay.log import NumberedEvent

# What moves no card: a hand of nothing else but its deal and cards played from the holdings came to light as it was played.
SAID = frozenset((Bid, Pass, Name, Call, End, Pay, *ABOUT)) - {Fix}


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


def dealt_in_parts(game: Game) -> bool:
    """Whether the deal of a game has parts, and no rule asks what a seat holds before the last of them is done."""
    stages = game.deal.stages if game.deal is not None else ()
    return bool(stages) and all(phase in game.unasked for phase, _ in stages)


def dealt_whole(game: Game) -> bool:
    """Whether the whole pack goes to the seats, so that every card that somebody plays was dealt to that hand."""
    return game.deal is not None and game.deal.uneven


def as_played(events: Sequence[NumberedEvent], *, in_parts: bool = False, whole: bool = False) -> list[NumberedEvent]:
    """The events with the hands laid open that were dealt unseen and played card by card; empty where there are none.

    Where a hand has nothing but its deal and cards that were seen as they were played, and each seat played as many as it
    was dealt, it was dealt these; a card of another pile may have been shown. Whether that can be, the walk over them shows.
    A deal may be `in_parts`, if it makes no difference with which of them a card came. If the `whole` pack is dealt, nobody can
    have played a card from elsewhere: what was not played of a hand stays unseen then.
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
            opened = (plain and _laid_open(out, deals, played, in_parts, whole)) or opened
            deals, played, plain = [], {}, True
        elif kind is Deal:
            deals.append(i)
            plain = plain and not played
        elif kind not in SAID and not (type(event) is Show and event.src and not event.src.startswith("hand:")):
            plain = False
    opened = (plain and _laid_open(out, deals, played, in_parts, whole)) or opened
    return out if opened else []


Held: TypeAlias = dict[str, list[tuple[int, str]]]
"""The cards that each seat played from a step of a hand to its end, with the steps in which they came to light."""


def held_at_the_lead(events: Sequence[NumberedEvent]) -> dict[int, Held]:
    """What each seat held when the play of a hand began, by the step of that lead, as far as the play shows it.

    Cards may have changed hands unseen before it, and some may be shown. From the lead on there is nothing but cards played one
    by one.
    """
    out: dict[int, Held] = {}
    held: Held = {}
    shown: dict[tuple[str, str], int] = {}
    lead, unlike, plain = 0, False, True
    for step, placed in enumerate(events, 1):
        event = placed.event
        kind = type(event)
        if type(event) is Play:
            lead = lead or step
            plain = plain and not event.src and len(event.cards) == 1
            held.setdefault(event.by, []).append((shown.get((event.by, event.cards[0]), step), event.cards[0]))
        elif kind is Hand:
            if lead and unlike and plain:
                out[lead] = held
            held, shown, lead, unlike, plain = {}, {}, 0, False, True
        elif type(event) is Show:
            seat = event.src.removeprefix("hand:") or event.by
            # A card that is shown out of a hand came to light then; a card of another pile is no matter.
            unlike = unlike or not event.src or event.src.startswith("hand:")
            for group in event.groups if lead else ():
                for card in group:
                    shown.setdefault((seat, card), step)
        elif kind not in SAID:
            # What was played before a card changed hands is not followed.
            plain, unlike = plain and not lead, kind is not Deal
    if lead and unlike and plain:
        out[lead] = held
    return out


def lay_open(held: Held, table: Table) -> bool:
    """Read the hands of the table as `held` says, if every unseen card of them has its place in it; else leave them. Whether that was so.

    The journal notes each card as shown in the step in which it came to light.
    """
    pack = table.pack
    found: list[tuple[Pile, int, list[tuple[int, int]]]] = []
    located = table.located
    for seat, played in held.items():
        pile = table.piles.get(seat)
        codes = [(step, pack.code.get(card, pack.unknown)) for step, card in played]
        if pile is None or pile.row is not None or pile.vague or pile.half or seat in table.written or not pack.single:
            return False
        if any(code >= pack.unknown for _, code in codes) or len(codes) != len(pile):
            return False
        bag = sum([pack.unit[code] for _, code in codes])
        new = bag & ~pile.known
        if pack.count(bag) != len(codes) or pile.known & ~bag or new & located:
            return False
        located |= new
        found.append((pile, bag, [(step, code) for step, code in codes if pack.unit[code] & new]))
    for pile, bag, shown in found:
        pile.known, pile.unseen = bag, 0
        since = table.since.get(pile.name, 0)
        if table.journal is not None:
            table.journal += [Entry("shown", pile.name, step, code, since) for step, code in shown]
    table.located = located
    return True


def _laid_open(
    events: list[NumberedEvent], deals: Sequence[int], played: Mapping[str, list[str]], in_parts: bool, whole: bool
) -> bool:
    """Write into the deals of a hand what was played from them, if that is every card that was dealt unseen, or the `whole` pack was
    dealt."""
    dealt: dict[str, list[str]] = {}
    hidden = set()
    for i in deals:
        deal = events[i].event
        assert isinstance(deal, Deal)
        for name, cards in deal.piles:
            unseen = any("?" in c for c in cards)
            if unseen and not name.startswith("hand:"):
                # What is left of the pack stays where it lies: nobody played a card from there.
                continue
            # A card that is turned up for its holder is dealt by itself; other hands come in parts only if the game has them so.
            if unseen and name in hidden and not in_parts:
                return False
            if unseen:
                hidden.add(name)
            if name in hidden and any(c.startswith("*") for c in cards):
                return False
            dealt.setdefault(name, []).extend(one_by_one(cards) if "*" not in cards else cards)
    found = {name: _filled(name, dealt[name], played, whole) for name in hidden}
    if any(cards is None for cards in found.values()):
        return False
    left = {name: iter(cards) for name, cards in found.items() if cards is not None}
    for i in deals:
        deal = events[i].event
        assert isinstance(deal, Deal)
        piles = tuple(
            (name, tuple(islice(left[name], len(one_by_one(cards)))) if name in left else cards) for name, cards in deal.piles
        )
        events[i] = replace(events[i], event=replace(deal, piles=piles))
    return bool(deals)


def _filled(name: str, slots: Sequence[str], played: Mapping[str, list[str]], whole: bool) -> list[str] | None:
    """The cards dealt to a pile with those that were played in the place of the unseen ones; None if they are not all, and the
    `whole` pack was not dealt."""
    faces = played.get(name.removeprefix("hand:"), [])
    known = {c for c in slots if c != UNKNOWN}
    came = set(faces)
    if len(came) != len(faces) or any("?" in c or "=" in c for c in came):
        return None
    more = [c for c in faces if c not in known]
    if whole:
        fits = len(more) <= len(slots) - len(known) and not any("?" in c for c in known)
    else:
        fits = len(faces) == len(slots) and came.issuperset(known)
    rest = iter(more)
    return [next(rest, UNKNOWN) if c == UNKNOWN else c for c in slots] if fits else None
