"""A log as an onlooker saw it: the open log with cards turned into `??`. No event appears or disappears.

A card is seen if it comes from or goes to a pile that the onlooker sees, or if the notation says that it was face up.
Cards that are named aloud, shown, melded or captured are open. Each event is masked on its own: a card played at 29
does not reveal the deal at 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from events.cards import item, squeeze
from events.errors import UsageError
from events.model import Cards, Deal, Discard, Draw, Face, Fix, Move, Piles, Plain, Play, Recorded, Shuffle
from reducers.evolve import each_pile
from reducers.model import Game
from reducers.piles import how_it_lies
from reducers.registry import page_for
from reducers.terms import Terms
from replay.fold import terms_throughout
from replay.log import first_opening
from replay.masking import masked

PUBLIC = "public"


# The default source and target of a card verb; "" is the actor's own holding.
USUAL: Mapping[type[Any], tuple[str, str]] = {
    Play: ("", "trick"),
    Draw: ("stock", ""),
    Discard: ("", "discard"),
    Move: ("", ""),
}


def hide(records: Iterable[Recorded], viewer: str = PUBLIC) -> list[Recorded]:
    """Return the log as the whole table saw it, or one seat.

    Raises UsageError for a viewer without a seat, UnreadableError for a log without its opening.
    """
    log = list(records)
    game = page_for(first_opening(log).facts)
    terms = terms_throughout(r.event for r in log)
    if viewer != PUBLIC and viewer not in terms.seats:
        raise UsageError(
            f"'{viewer}' does not sit at this table", expected=f"{PUBLIC} or one of {', '.join(terms.seats)}"
        )
    eyes = Onlooker(game, terms, viewer)
    return [replace(r, event=_fixed(r.event, eyes) if isinstance(r.event, Fix) else eyes.plain(r.event)) for r in log]


class Onlooker:
    """One onlooker at one table: which cards of an event are seen."""

    def __init__(self, game: Game, terms: Terms, viewer: str) -> None:
        self.game, self.terms, self.viewer = game, terms, viewer

    def own(self, pile: str) -> bool:
        """True if the onlooker sees this pile because it is their own."""
        lies, owner = how_it_lies(pile, self.game.display.piles, self.terms)
        return lies.seen == "owner" and self.viewer in (owner, *self.terms.sides.get(owner, ()))

    def look(self, pile: str) -> bool:
        """True if a card that leaves this pile, or is put on it, is seen."""
        return how_it_lies(pile, self.game.display.piles, self.terms)[0].seen in ("all", "top") or self.own(pile)

    def plain(self, event: Plain) -> Plain:
        """Turn the unseen cards of the event into `??`."""
        match event:
            case Deal():
                return replace(
                    event, piles=tuple((name, self._dealt(name, cards, event)) for name, cards in event.piles)
                )
            case Shuffle():
                return self._shuffled(event)
            case Play() | Draw() | Discard() | Move():
                return self._moved(event)
        return event

    def _moved(self, event: Play | Draw | Discard | Move) -> Plain:
        src, dst = USUAL[type(event)]
        src = event.src or src or f"hand:{event.by}"
        if isinstance(event, Move):
            dst = event.to
        elif isinstance(event, Discard):
            # A pattern for all discards applies to those of one seat too.
            dst = f"{dst}:{event.by}"
        dst = dst or f"hand:{event.by}"
        if event.face == "up":
            return event
        if event.face == "down":
            seen = self.own(src) or self.own(dst)
        else:
            # A played card goes to the middle, face up.
            seen = isinstance(event, Play) or self.look(src) or self.look(dst)
        return event if seen else replace(event, cards=masked(event.cards))

    def _dealt(self, name: str, cards: Cards, deal: Deal) -> Cards:
        return cards if self._lies(name, deal.face) else self._packets(name, cards, deal.face)

    def _lies(self, name: str, face: Face | None) -> bool:
        if face == "up" or self.own(name):
            return True
        return face is None and how_it_lies(name, self.game.display.piles, self.terms)[0].seen == "all"

    def _packets(self, name: str, cards: Cards, face: Face | None) -> Cards:
        """Cards dealt to hidden piles; the top card of a packet may be face up."""
        if face == "down" or how_it_lies(name, self.game.display.piles, self.terms)[0].seen != "top":
            return masked(cards)
        slots = [c for text in cards for c in _slots(text)]
        share = max(1, len(slots) // len(each_pile(name)))
        return squeeze(c if i % share == share - 1 else masked((c,))[0] for i, c in enumerate(slots))

    def _shuffled(self, event: Shuffle) -> Shuffle:
        """After a shuffle the order is unknown, unless the pile is open."""
        changes: dict[str, Cards | Piles] = {}
        if event.cards and not self._lies(event.to or event.src, None):
            changes["cards"] = masked(event.cards)
        if event.piles:
            changes["piles"] = tuple((name, c if self._lies(name, None) else masked(c)) for name, c in event.piles)
        return replace(event, **changes)


def _fixed(fix: Fix, eyes: Onlooker) -> Fix:
    return fix if fix.event is None else replace(fix, event=eyes.plain(fix.event))


def _slots(text: str) -> list[str]:
    """A written item, as single cards if it was counted."""
    if text == "*":
        return [text]
    it = item(text)
    return [text] if it.count is None or it.card == text.partition("=")[0] else [it.card] * it.count
