"""Draws of one card from the stock or of the whole discard pile, and what unrecorded draws leave open.

A draw that is missing in the record is taken to be from the stock; it may have been the pile. A page derives its record
of a hand from `PileDraws`, which has the fields of `reducers.words.rummy` besides: `ending` is `closed` if the player
`by` had no card left, and `stock` if the stock was out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.cards import how_many
from events.model import Draw
from reducers.evolve import pile_named
from reducers.model import HandRecord, State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile
from reducers.words.deals import take_as_it_lies
from reducers.words.rummy import cards_lying, missed_one, without_cards


class PileDraws(HandRecord):
    """The draws of a hand.

    `drawn`: the turn has begun with a draw. `lone`: the card taken in this turn as the only one of the pile. `fewer`
    and `more`: by how many cards a seat may hold fewer or more than the record has. `lay`: the sizes of the pile at
    unrecorded draws, with the last seat that drew. `loose`: the pile may differ from the record.
    """

    def __init__(self) -> None:
        self.drawn = False
        self.lone: int | None = None
        self.lose_draws()

    def lose_draws(self) -> None:
        """Forget all draws, as acts are missing from the record."""
        self.fewer: dict[str, int] = {}
        self.more: dict[str, int] = {}
        self.lay: dict[int, str] = {}
        self.unwritten: tuple[str, ...] = ()
        self.loose, self.written = False, 0


def draws_one_or_the_pile(draw: Draw, state: State[Any]) -> CheckResult | None:
    """A draw is the top card of the stock, or all of the discard pile."""
    hand, src, pack = state.hand, draw.src or "stock", state.game.pack
    if src not in ("stock", "discard"):
        return broken("cards are drawn from the stock or from the discard pile")
    pile, number = state.table.piles.get(src), how_many(draw.cards)
    if src == "stock":
        if number is None:
            return unknown("how many cards were drawn")
        if number != 1:
            return broken("one card is drawn from the stock")
        code = state.code(draw.cards)
        top = pile.row[-1] if pile is not None and pile.row and not pile.vague else pack.unknown
        another = max(code, top) < pack.unknown and code != top
        return broken(f"{pack.shown(code)} is not on top of the stock") if another else None
    if pile is None or number in (None, len(pile)) or not len(pile) or (pile.vague and (number or 0) > len(pile)):
        return None  # the table itself finds that a pile is empty
    if hand.loose or number in heights_of_the_pile(state):
        return unknown("how many cards the pile had: a draw or a discard before this was not recorded")
    return broken(f"the pile is taken whole: {'at least ' * pile.vague}{len(pile)} cards, not {number}")


def heights_of_the_pile(state: State[Any]) -> set[int]:
    """The possible sizes of the discard pile: an unrecorded draw may have been all of it."""
    high = len(cards_lying("discard", state))
    perhaps_taken = state.hand.lay if missed_one(state) else ()
    return {high, *(high - below for below in perhaps_taken)}


def draw_one_or_the_pile(draw: Draw, state: State[Any]) -> Pile:
    """Take the cards of a draw into the hand. Return the pile they came from."""
    hand, table, src = state.hand, state.table, pile_named(state, draw.src or "stock")
    part = how_many(draw.cards) not in (None, len(src))
    sure = not hand.loose and len(heights_of_the_pile(state)) == 1
    if src.name == "discard" and not hand.ending:
        hand.lone = src.codes()[-1] if len(src) == 1 and sure and not src.vague else None
    codes = table.codes(draw.cards, src)
    take_as_it_lies(codes, src, state.holding(draw.by), table)
    if src.name == "discard":
        hand.loose, hand.lay = False, {}
        unseen = max(codes, default=0) >= table.pack.unknown
        if (part and not sure) or (src.vague and unseen):
            forget_the_pile(state)
        elif part and unseen:
            # The number of cards left is known, but not which.
            table.lose_sight(src)
            src.vague = False
    elif src.name == "stock" and not hand.ending:
        hand.written += 1
    pile: Pile = src
    return pile


def draw_unwritten(seat: str, state: State[Any]) -> None:
    """Infer the draw of a player who goes on without one in the record, if there is a stock."""
    hand, table = state.hand, state.table
    stock, pile = table.row("stock"), table.row("discard")
    hand.drawn = True
    if not stock.row and not stock.vague:
        return
    table.move([table.pack.unknown], stock, state.holding(seat))
    state.infer(f"{seat} drew a card from the stock (not recorded)")
    if len(pile) or pile.vague:
        hand.unwritten += (seat,)
        hand.more[seat] = hand.more.get(seat, 0) + max(0, len(pile) - 1)
        hand.lay[len(pile)] = seat


def drew_the_pile(codes: Iterable[int], src: Pile, seat: str, state: State[Any]) -> None:
    """Correct an inferred draw: cards of this hand that seem to be in the discard pile show that the draw was the pile.
    The rest of the pile is then unknown."""
    hand, table, pack, pile = state.hand, state.table, state.game.pack, state.table.row("discard")
    below = max((high for high, who in hand.lay.items() if who == seat), default=0)
    if src.row is not None or not below:
        return
    lay, some = (pile.row or [])[:below], missed_one(state)
    shown = [code for code in codes if code in lay and code < pack.unknown and not src.certain & pack.field[code]]
    # A table that records only draws of the pile did not omit one, unless the card can be no other.
    shown = [code for code in shown if some or not table.free() & pack.field[code]]
    if shown:
        table.lose_sight(src)
        forget_the_pile(state)
        state.infer(f"{seat} took the pile before this, as {pack.shown(shown[0])} lay in it (not recorded)")


def left_over(seat: str, gone: int, state: State[Any]) -> tuple[int, int]:
    """Least and greatest number of cards that a seat has after its draw, with n cards gone from its counted hand."""
    hand = state.hand
    left = len(state.holding(seat)) - gone + (not hand.drawn or seat != hand.player)
    # Each unrecorded draw may have been the pile.
    more = hand.more.get(seat, 0) if hand.more and missed_one(state) else 0
    return max(0, left - hand.fewer.get(seat, 0)) if left > 0 else left, left + more


def forget_the_pile(state: State[Any]) -> None:
    """Empty the discard pile, as it is unknown which of its cards were taken."""
    pile = state.table.row("discard")
    state.table.lose_sight(pile)
    pile.row, state.hand.lay, state.hand.loose = [], {}, False


def may_play_on(seat: str, state: State[Any]) -> bool:
    """Return True if the hand, which ended by a doubtful count, may go on with this player."""
    hand = state.hand
    if not hand.ending or not hand.thrown or seat != state.terms.left(hand.thrown):
        return False
    if hand.shown != without_cards(hand.shown, state):
        return False
    if hand.ending == "closed":
        return bool(hand.more.get(hand.by))
    return hand.ending == "stock" and missed_one(state)


def go_on_after_all(seat: str, state: State[Any]) -> bool:
    """Take the end of the hand back, as the next player plays on: a player had more cards, or the stock was higher.
    Return False if the hand is over."""
    hand, table = state.hand, state.table
    if not may_play_on(seat, state):
        return False
    if hand.ending == "closed":
        table.lose_sight(state.holding(hand.by))
        state.infer(f"{hand.by} had a card left, as the next player goes on: an unrecorded draw was the pile")
    else:
        table.row("stock").vague = True
        state.infer("the stock was not out, as the next player goes on: an unrecorded draw was the pile")
    hand.ending, hand.by, hand.shown, hand.player = "", "", (), seat
    return True
