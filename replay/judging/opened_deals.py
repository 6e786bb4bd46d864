"""Read hands that were dealt unseen as if the deal had shown the cards played from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from events.cards import UNKNOWN, how_many, one_by_one
from events.model import ABOUT, Bid, Call, Deal, End, Event, Fix, Hand, Name, Pass, Pay, Play, Recorded, Show
from reducers.model import Game
from replay.log import NumberedEvent

# Events that move no card, and events of a hand with only a deal and plays: such a hand is revealed as it is played.
SAID = frozenset((Bid, Pass, Name, Call, End, Pay, *ABOUT)) - {Fix}
PLAIN = SAID | {Hand, Deal, Play}
PLAIN_OR_SHOWN = PLAIN | {Show}

Line = TypeVar("Line", Recorded, NumberedEvent)
"""A line of a log as recorded, or in its place after the corrections."""


def dealt_unseen(log: Iterable[Recorded]) -> bool:
    """True if the first deal of a log has unseen cards."""
    deal = next((r.event for r in log if type(r.event) is Deal), None)
    return isinstance(deal, Deal) and any("?" in card for _, cards in deal.piles for card in cards)


def dealt_in_parts(game: Game) -> bool:
    """True if the deal has parts, and no rule asks what a seat holds before the last of them."""
    stages = game.dealing.deal.stages if game.dealing.deal is not None else ()
    return bool(stages) and all(game.phases[phase].ignores_holdings for phase, _ in stages)


HandOfLines: TypeAlias = tuple[int, int, list[type[Event]]]
"""The first event of a hand, the end, and the types of its events."""


def dealt_whole(game: Game) -> bool:
    """True if the whole pack goes to the seats, so that every card a seat plays was dealt to it."""
    return game.dealing.deal is not None and game.dealing.deal.uneven


def with_deals_revealed(events: Sequence[Line], game: Game) -> list[Line]:
    """Write the played cards into the deal of hands that were dealt unseen and played card by card.

    If a hand has nothing but its deal and seen plays, and each seat played as many cards as it was dealt, it was
    dealt these; a card of another pile may have been shown. The walk over the result shows whether that is possible.
    """
    in_parts, whole = dealt_in_parts(game), dealt_whole(game)
    out = list(events)
    for first, last, kinds in each_hand(events):
        if Deal in kinds and _is_plain(events, first, kinds):
            _lay_open(out, first, last, kinds, in_parts, whole)
    return out


def each_hand(events: Sequence[Line]) -> Iterator[HandOfLines]:
    """The hands of a log, including what comes before the first."""
    first, last, kinds = 0, 0, list[type[Event]]()
    for last, placed in enumerate(events):
        kind = type(placed.event)
        if kind is Hand and kinds:
            yield first, last, kinds
            first, kinds = last, []
        kinds.append(kind)
    if kinds:
        yield first, last + 1, kinds


def _is_plain(events: Sequence[Line], first: int, kinds: list[type[Event]]) -> bool:
    """True if a hand has only its deal, then plays from the holdings, and speech; cards of another pile may be shown.
    """
    lead = kinds.index(Play) if Play in kinds else len(kinds)
    if Deal in kinds[lead:]:
        return False
    if PLAIN.issuperset(kinds):
        return True
    if not PLAIN_OR_SHOWN.issuperset(kinds):
        return False
    return not any(_out_of_a_hand(events[first + i].event) for i, kind in enumerate(kinds) if kind is Show)


def _out_of_a_hand(event: Event) -> bool:
    """True if this shows cards from a hand."""
    return type(event) is Show and (not event.src or event.src.startswith("hand:"))


def _lay_open(
    events: list[Line], first: int, last: int, kinds: Sequence[type[Event]], in_parts: bool, whole: bool,
) -> None:
    """Write the cards played in a hand into its deals, if they are all the unseen cards dealt, or the `whole` pack
    was dealt."""
    dealt: dict[str, list[str]] = {}
    hidden = set()
    deals = [
        (first + i, event) for i, kind in enumerate(kinds) if kind is Deal
        and type(event := events[first + i].event) is Deal
    ]
    for _, deal in deals:
        for name, cards in deal.piles:
            # The rest of the pack stays in place: no card was played from there.
            if not name.startswith("hand:"):
                continue
            unseen = any("?" in c for c in cards)
            # A card turned up for its holder is dealt separately. Other hands come in parts only if the game deals
            # so.
            if unseen and name in hidden and not in_parts:
                return
            if unseen:
                hidden.add(name)
            if name in hidden and any(c.startswith("*") for c in cards):
                return
            dealt.setdefault(name, []).extend(one_by_one(cards) if "*" not in cards else cards)
    played: dict[str, list[str]] = {}
    for i in range(first, last) if hidden else ():
        event = events[i].event
        if type(event) is Play:
            if event.src:
                return
            played.setdefault(event.by, []).extend(event.cards)
    found = {name: _filled(name, dealt[name], played, whole) for name in hidden}
    if any(cards is None for cards in found.values()):
        return
    left = {name: iter(cards) for name, cards in found.items() if cards is not None}
    for i, deal in deals if hidden else ():
        piles = tuple([
            (name, tuple(islice(left[name], how_many(cards))) if name in left else cards)
            for name, cards in deal.piles
        ])
        events[i] = replace(events[i], event=replace(deal, piles=piles))


def _filled(name: str, slots: Sequence[str], played: Mapping[str, list[str]], whole: bool) -> list[str] | None:
    """The cards dealt to a pile, with played cards for the unseen ones; None if some are missing and the `whole` pack
    was not dealt."""
    faces = played.get(name.removeprefix("hand:"), [])
    came = set(faces)
    if len(came) != len(faces):
        return None
    written = "".join(faces)
    if "?" in written or "=" in written:
        return None
    known = {c for c in slots if c != UNKNOWN}
    if not known and len(faces) == len(slots):
        return faces
    more = [c for c in faces if c not in known]
    if whole:
        fits = len(more) <= len(slots) - len(known) and not any("?" in c for c in known)
    else:
        fits = len(faces) == len(slots) and came.issuperset(known)
    rest = iter(more)
    return [next(rest, UNKNOWN) if c == UNKNOWN else c for c in slots] if fits else None
