"""The deal of a hand, reconstructed from the whole log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.cards import how_many, is_face
from events.model import Event
from reducers.evolve import each_pile
from reducers.model import State
from reducers.table import Pile
from reducers.words.deals import whole_deal
from replay.auditing.audit_shapes import Card, Packet, ReconstructedDeal
from replay.auditing.proof import HindsightReplay
from replay.log import NumberedEvent
from replay.table.wording import reading_order, sorted_cards


class _Lot(Struct):
    """A packet during the walk: its known cards, each with the position that showed it, and the number and possible
    faces of unseen ones.

    `in_order` is True for an ordered pile that was seen whole.
    """

    pile: str
    step: int
    known: list[Card]
    hidden: int
    free: list[str]
    vague: bool
    in_order: bool = False


class DealWalk:
    """The packets of a hand, collected during a walk over the match: after each event, what each pile got by a deal."""

    def __init__(self, memory: HindsightReplay) -> None:
        self.memory = memory
        self.lots: dict[tuple[str, int], _Lot] = {}
        # The step at which a pile was last dealt to, and the seats that have acted since, with the step of their
        # first act.
        self.current: dict[str, int] = {}
        self.acted: dict[str, int] = {}

    def look(self, step: int, event: Event, state: State[Any], sizes: Mapping[str, int]) -> None:
        """After an event, record the piles that got cards by a deal; `sizes` are the numbers of cards before it."""
        named: set[str] = set()
        if isinstance(event, ev.Deal):
            named = {pile for name, _ in event.piles for pile in each_pile(name.removeprefix("hand:").rstrip("_"))}
        for name, pile in state.table.piles.items():
            # Cards under a dealt pile (`reserve:A:down`) were dealt with it.
            dealt_to, size = name in named or name.rpartition(":")[0] in named, sizes.get(name, 0)
            if not dealt_to and not self._came_unwritten(step, event, name, pile, sizes, state):
                continue
            if pile.row is not None and name.partition(":")[0] in ("won", "trick", "discard", "dead", "stock"):
                continue
            if not (len(pile) or pile.vague):
                continue
            # An act that implies a deal comes after that deal.
            if name in self.current and self.acted.get(name, step) == step:
                self.lots.pop((name, self.current[name]), None)
            self.current[name] = step
            if self.acted.get(name) != step:
                self.acted.pop(name, None)
            lot = self.lot(step, name, pile, state)
            self.lots[name, step] = lot if dealt_to or size else self.without_a_draw(self.before(event, lot), state)

    def _came_unwritten(
        self, step: int, event: Event, name: str, pile: Pile, sizes: Mapping[str, int], state: State[Any],
    ) -> bool:
        """True if a holding got cards by an unrecorded deal: its owner did not take them, and no player passed them."""
        holding, size = name.partition(":")[0] in state.terms.seats and pile.row is None, sizes.get(name, 0)
        if not holding:
            return False
        if isinstance(event, ev.Deal) and size and name not in self.acted and state.table.since.get(name) == step:
            # Cards of an unrecorded deal go back into the stock when a part of the deal is recorded, and are dealt
            # again.
            return True
        now = sizes_of(state)
        # If no card has come to the table or out of the stock since the deal, it came from elsewhere on the table.
        if (
            name in self.current and sum(now.values()) <= sum(sizes.values())
            and now.get("stock", 0) >= sizes.get("stock", 0)
        ):
            return False
        # In a rummy a packet is for several players. One who had cards, and alone has more, drew them in an
        # unrecorded act.
        drew = event.by if isinstance(event, ev.Draw) else ""
        alone = not any(now.get(seat, 0) > sizes.get(seat, 0) for seat in state.terms.seats if seat not in (name, drew))
        if name in self.current and size and alone and state.game.family == "rummy":
            return False
        # In a dealt hand, unseen cards come and go with unrecorded passes.
        grew = len(pile) > size or (state.table.since.get(name) == step and name not in self.current)
        moved = (
            isinstance(event, ev.Draw | ev.Move) and event.by == name
        ) or (isinstance(event, ev.Move) and goes_to(event, name))
        # A player who draws first has more cards than those drawn if the deal was not recorded.
        drawn = isinstance(event, ev.Draw) and len(pile) <= (how_many(event.cards) or len(pile))
        return grew and not (moved and (size or drawn))

    def before(self, event: Event, lot: _Lot) -> _Lot:
        """The packet of an unrecorded deal, before the act that implies it."""
        if isinstance(event, ev.Move) and goes_to(event, lot.pile):
            # One of these cards was passed, and it is unknown which.
            cards = len(lot.known) + lot.hidden - (how_many(event.cards) or 0)
            return replace(
                lot, known=[], hidden=cards,
                free=sorted_cards({*lot.free, *(c.card for c in lot.known)} - {*event.cards}),
            )
        if isinstance(event, ev.Draw) and event.by == lot.pile:
            seen, count = [card for card in event.cards if is_face(card)], how_many(event.cards) or 0
            if len(seen) == count:
                return replace(lot, known=without(lot.known, seen))
            # One of these cards was drawn, and it is unknown which.
            return replace(
                lot, known=[], hidden=len(lot.known) + lot.hidden - count,
                free=sorted_cards({*lot.free, *(c.card for c in lot.known)}),
            )
        if isinstance(event, ev.Play | ev.Discard | ev.Move) and event.by == lot.pile and not event.src:
            elsewhere = {card.card for other in self.lots.values() if other is not lot for card in other.known}
            if elsewhere & {*event.cards}:
                # It was open in a dealt pile.
                return lot
            seen = [card for card in event.cards if is_face(card)]
            known = [*lot.known, *(Card(card, "certain", self.memory.pos(lot.step)) for card in seen)]
            return replace(lot, known=known, hidden=lot.hidden + (how_many(event.cards) or 0) - len(seen))
        return lot

    def without_a_draw(self, lot: _Lot, state: State[Any]) -> _Lot:
        """The packet of a player with an unrecorded draw before the first act: one card is too many, and it is
        unknown which."""
        known = state.game.family == "rummy" and state.game.dealing.deal is not None
        gets = whole_deal(state).get(lot.pile, 0) if known else 0
        if not gets or len(lot.known) + lot.hidden != gets + 1:
            return lot
        return replace(lot, known=[], hidden=gets, free=sorted_cards({*lot.free, *(c.card for c in lot.known)}))

    def lot(self, step: int, name: str, pile: Pile, state: State[Any]) -> _Lot:
        """The content of a pile just dealt to, with what later events prove."""
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
        """The deal, after the walk."""
        packets = tuple(self.packet(lot) for lot in self.lots.values())
        unknown = any(p.vague or any(c.how == "unknown" for c in p.cards) for p in packets)
        return ReconstructedDeal(hand, packets, bool(packets) and not unknown)

    def packet(self, lot: _Lot) -> Packet:
        """The packet with its cards in order. Unseen cards are inferred if exactly as many faces are left."""
        seen = {c.card for c in lot.known}
        free = [c for c in lot.free if c not in seen or not self.memory.pack.single]
        known, hidden = list(lot.known), lot.hidden
        if hidden and hidden == len(free) and not lot.vague:
            known += [Card(c, "inferred") for c in free]
            hidden, free = 0, []
        cards = known if lot.in_order else sorted(known, key=lambda c: reading_order(c.card))
        cards += [Card("??", "unknown")] * max(0, hidden)
        return Packet(
            lot.pile, self.memory.pos(lot.step), tuple(cards), tuple(sorted_cards(free)) if hidden else (), lot.vague,
        )


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
    """The number of cards in each pile."""
    return {name: len(pile) for name, pile in state.table.piles.items()}


def goes_to(move: ev.Move, name: str) -> bool:
    """True if a card is moved to this hand."""
    return move.to.removeprefix("hand:") == name


class DealsOf:
    """The deals of some hands, collected during a walk over the log (a `WalkingOnlooker`)."""

    def __init__(self, memory: HindsightReplay, hands: Iterable[int]) -> None:
        self.memory = memory
        self.walks = {hand: DealWalk(memory) for hand in hands}
        # The pile sizes before the last event, and that event, which is examined after it was applied.
        self.sizes: dict[str, int] = {}
        self.previous: tuple[int, Event] | None = None

    def look(self, step: int, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        self.look_back(state)
        if state.number in self.walks and isinstance(
            event, ev.Play | ev.Capture | ev.Discard | ev.Draw | ev.Meld | ev.Arrange,
        ):
            self.walks[state.number].acted.setdefault(event.by, step)
        self.previous = (step, event)
        self.sizes = sizes_of(state)

    def look_back(self, state: State[Any]) -> None:
        """After an event, examine it if it is of one of the hands."""
        if self.previous is not None and (
            found := self.walks.get(self.memory.hand_at[self.previous[0] - 1])
        ) is not None:
            found.look(*self.previous, state, self.sizes)

    def told(self) -> list[ReconstructedDeal]:
        """The deals, after the walk."""
        return [walk.dealt(hand) for hand, walk in self.walks.items()]
