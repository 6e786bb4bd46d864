"""The deal of a hand, as the whole log tells it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import how_many, is_face
from events.errors import NotFoundError
from events.model import (
    Arrange,
    Capture,
    Deal,
    Discard,
    Draw,
    Event,
    Meld,
    Move,
    Play,
    Recorded,
)
from reducers.evolve import each_pile
from reducers.model import State
from reducers.table import Pile
from reducers.words.deals import whole_deal
from replay.auditing.audit_shapes import Card, Packet, ReconstructedDeal
from replay.auditing.proof import HindsightReplay
from replay.log import NumberedEvent
from replay.read_log import read_log
from replay.table.wording import reading_order, sorted_cards


def deal_of(records: Iterable[Recorded], hand: int) -> ReconstructedDeal:
    """The deal of a hand as the whole log tells it. Raises NotFoundError for a hand the log does not have.

    A card is certain where it was seen, in the deal or when it left; inferred where the rest of the pack leaves no
    choice; else unknown. Cards dealt later in the hand are packets of their own.
    """
    memory = HindsightReplay(read_log(records))
    if hand not in memory.hand_at:
        raise NotFoundError(f"there is no hand {hand}", expected=f"a hand from 1 to {max(memory.hand_at, default=0)}")
    deals = DealsOf(memory, [hand])
    memory.walk(deals)
    return deals.told()[0]


class _Lot(Struct):
    """A packet while the walk goes on: cards with the position that showed each, how many are unseen, which these may be.

    `in_order` are those of a pile that is laid in an order, and was seen whole.
    """

    pile: str
    step: int
    known: list[Card]
    hidden: int
    free: list[str]
    vague: bool
    in_order: bool = False


class DealWalk:
    """The packets of a hand, gathered while the whole match is walked: after each event, what each pile got by a deal."""

    def __init__(self, memory: HindsightReplay) -> None:
        self.memory = memory
        self.lots: dict[tuple[str, int], _Lot] = {}
        # The step at which a pile was last dealt to, and the seats that have acted since, with the step in which they first did.
        self.current: dict[str, int] = {}
        self.acted: dict[str, int] = {}

    def look(self, step: int, event: Event, state: State[Any], sizes: Mapping[str, int]) -> None:
        """After an event: keep the piles that got cards by a deal; `sizes` are those before it."""
        named: set[str] = set()
        if isinstance(event, Deal):
            named = {pile for name, _ in event.piles for pile in each_pile(name.removeprefix("hand:").rstrip("_"))}
        for name, pile in state.table.piles.items():
            # What lies under a pile that was dealt (`reserve:A:down`) was dealt with it.
            dealt_to, size = name in named or name.rpartition(":")[0] in named, sizes.get(name, 0)
            if not dealt_to and not self._came_unwritten(step, event, name, pile, sizes, state):
                continue
            if pile.row is not None and name.partition(":")[0] in ("won", "trick", "discard", "dead", "stock"):
                continue
            if not (len(pile) or pile.vague):
                continue
            # An act that shows that there was a deal before it comes after that deal.
            if name in self.current and self.acted.get(name, step) == step:
                self.lots.pop((name, self.current[name]), None)
            self.current[name] = step
            if self.acted.get(name) != step:
                self.acted.pop(name, None)
            lot = self.lot(step, name, pile, state)
            self.lots[name, step] = lot if dealt_to or size else self.without_a_draw(self.before(event, lot), state)

    def _came_unwritten(self, step: int, event: Event, name: str, pile: Pile, sizes: Mapping[str, int], state: State[Any]) -> bool:
        """Whether a holding got cards that neither its owner took nor anybody passed on: by a deal that nobody wrote."""
        holding, size = name.partition(":")[0] in state.terms.seats and pile.row is None, sizes.get(name, 0)
        if not holding:
            return False
        if isinstance(event, Deal) and size and name not in self.acted and state.table.since.get(name) == step:
            # What nobody wrote goes back into the stock when a part of the deal is written, and is dealt once more.
            return True
        now = sizes_of(state)
        # If no card has come to the table since the deal, nor out of the stock, it lay elsewhere before.
        if name in self.current and sum(now.values()) <= sum(sizes.values()) and now.get("stock", 0) >= sizes.get("stock", 0):
            return False
        # In a rummy a packet is for several players: one who had cards, and alone has more, drew them, though nobody wrote it.
        drew = event.by if isinstance(event, Draw) else ""
        alone = not any(now.get(seat, 0) > sizes.get(seat, 0) for seat in state.terms.seats if seat not in (name, drew))
        if name in self.current and size and alone and state.game.family == "rummy":
            return False
        # In a hand that was dealt, cards that nobody saw come and go with passes that were not written.
        grew = len(pile) > size or (state.table.since.get(name) == step and name not in self.current)
        moved = (isinstance(event, Draw | Move) and event.by == name) or (isinstance(event, Move) and goes_to(event, name))
        # Whoever draws first has more cards than those drawn if nobody wrote the deal.
        drawn = isinstance(event, Draw) and len(pile) <= (how_many(event.cards) or len(pile))
        return grew and not (moved and (size or drawn))

    def before(self, event: Event, lot: _Lot) -> _Lot:
        """The packet of a deal that nobody wrote as it was before the act that shows it."""
        if isinstance(event, Move) and goes_to(event, lot.pile):
            # Of the cards that lie there one was passed, and nobody can say which.
            cards = len(lot.known) + lot.hidden - (how_many(event.cards) or 0)
            return replace(lot, known=[], hidden=cards, free=sorted_cards({*lot.free, *(c.card for c in lot.known)} - {*event.cards}))
        if isinstance(event, Draw) and event.by == lot.pile:
            seen, count = [card for card in event.cards if is_face(card)], how_many(event.cards) or 0
            if len(seen) == count:
                return replace(lot, known=without(lot.known, seen))
            # Of the cards that lie there one was drawn, and nobody can say which.
            return replace(lot, known=[], hidden=len(lot.known) + lot.hidden - count, free=sorted_cards({*lot.free, *(c.card for c in lot.known)}))
        if isinstance(event, Play | Discard | Move) and event.by == lot.pile and not event.src:
            elsewhere = {card.card for other in self.lots.values() if other is not lot for card in other.known}
            if elsewhere & {*event.cards}:
                # It lay open in a pile that was dealt.
                return lot
            seen = [card for card in event.cards if is_face(card)]
            known = [*lot.known, *(Card(card, "certain", self.memory.pos(lot.step)) for card in seen)]
            return replace(lot, known=known, hidden=lot.hidden + (how_many(event.cards) or 0) - len(seen))
        return lot

    def without_a_draw(self, lot: _Lot, state: State[Any]) -> _Lot:
        """The packet of a player who drew before the first act, though nobody wrote that either: one card is too many, and nobody
        can say which."""
        gets = whole_deal(state).get(lot.pile, 0) if state.game.family == "rummy" and state.game.deal is not None else 0
        if not gets or len(lot.known) + lot.hidden != gets + 1:
            return lot
        return replace(lot, known=[], hidden=gets, free=sorted_cards({*lot.free, *(c.card for c in lot.known)}))

    def lot(self, step: int, name: str, pile: Pile, state: State[Any]) -> _Lot:
        """What lies in a pile that was just dealt to, with what later events prove."""
        memory = self.memory
        memory.lay(state, step + 1)
        pack = state.game.pack
        seen = pack.cards(pile.known) if pile.row is None else [pack.tokens[c] for c in pile.row if c < pack.unknown]
        known = [Card(c, "certain", memory.pos(step)) for c in seen]
        for proof in memory.standing(step + 1):
            if proof.pile == name:
                card, pos = pack.faces[proof.code], memory.pos(proof.until)
                known.append(Card(card, "inferred" if card in memory.inferred.get(pos, ()) else "certain", pos))
        in_order = pile.row is not None and len(known) == len(pile.row) and not pile.vague
        return _Lot(name, step, known, pile.hidden, pack.cards(state.table.free()), pile.vague, in_order)

    def dealt(self, hand: int) -> ReconstructedDeal:
        """The deal as it is told, once the walk is done."""
        packets = tuple(self.packet(lot) for lot in self.lots.values())
        unknown = any(p.vague or any(c.how == "unknown" for c in p.cards) for p in packets)
        return ReconstructedDeal(hand, packets, bool(packets) and not unknown)

    def packet(self, lot: _Lot) -> Packet:
        """A packet as it is told: its cards in order; the only ones that are left for the unseen ones are inferred."""
        seen = {c.card for c in lot.known}
        free = [c for c in lot.free if c not in seen or not self.memory.pack.single]
        known, hidden = list(lot.known), lot.hidden
        if hidden and hidden == len(free) and not lot.vague:
            known += [Card(c, "inferred") for c in free]
            hidden, free = 0, []
        cards = known if lot.in_order else sorted(known, key=lambda c: reading_order(c.card))
        cards += [Card("??", "unknown")] * max(0, hidden)
        return Packet(lot.pile, self.memory.pos(lot.step), tuple(cards), tuple(sorted_cards(free)) if hidden else (), lot.vague)


def without(known: Iterable[Card], taken: list[str]) -> list[Card]:
    """The known cards of a packet without those that were taken."""
    kept, left = [], [*taken]
    for card in known:
        if card.card in left:
            left.remove(card.card)
        else:
            kept.append(card)
    return kept


def sizes_of(state: State[Any]) -> dict[str, int]:
    """How many cards each pile has."""
    return {name: len(pile) for name, pile in state.table.piles.items()}


def goes_to(move: Move, name: str) -> bool:
    """Whether a card is moved to this hand."""
    return move.to.removeprefix("hand:") == name


class DealsOf:
    """The deals of some hands, gathered while somebody walks the log (an `Onlooker`)."""

    def __init__(self, memory: HindsightReplay, hands: Iterable[int]) -> None:
        self.memory = memory
        self.walks = {hand: DealWalk(memory) for hand in hands}
        # What each pile had before the event before, and that event, which is looked at after it was applied.
        self.sizes: dict[str, int] = {}
        self.previous: tuple[int, Event] | None = None

    def look(self, step: int, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        self.look_back(state)
        if state.number in self.walks and isinstance(event, Play | Capture | Discard | Draw | Meld | Arrange):
            self.walks[state.number].acted.setdefault(event.by, step)
        self.previous = (step, event)
        self.sizes = sizes_of(state)

    def look_back(self, state: State[Any]) -> None:
        """After an event, if it is of one of the hands."""
        if self.previous is not None and (found := self.walks.get(self.memory.hand_at[self.previous[0] - 1])) is not None:
            found.look(*self.previous, state, self.sizes)

    def told(self) -> list[ReconstructedDeal]:
        """The deals, when the walk is done."""
        return [walk.dealt(hand) for hand, walk in self.walks.items()]


__all__ = ["DealsOf", "deal_of"]
