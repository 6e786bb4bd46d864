"""The plain turn of a rummy game: draw one card, discard one, and lay nothing down before the hand ends.

Kowah, Pay Me and Rumino use it. A page derives its record of a hand from `DrawAndThrow` and spreads `TURNS` into its
`on`; its phases are called `draw` and `discard`, or end with these words. A card may be claimed out of turn: a player
other than the next one draws it from the discards, or out of the hand that has just drawn it (`src` is that hand).
The page rules who may do so, and what follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from events.cards import how_many
from events.model import Discard, Draw, Event, Gap, Move, Show, Shuffle
from reducers.evolve import on_move, pile_named
from reducers.gaps import after_gap
from reducers.model import Evolve, HandRecord, State
from reducers.rules import CheckResult, broken
from reducers.silent_acts import gone_from_above
from reducers.words.deals import ensure_dealt, next_of, shuffle_and_deal
from reducers.words.rummy import (
    TURN_UNKNOWN,
    cards_lying,
    chance_turns_over,
    draw_unseen,
    draws_from_top,
    first_turn,
    not_the_turn,
    one_discard,
    takes_back_the_discard,
    throw,
    top_code,
    turn_over_unwritten,
    turn_stock_over,
)


class DrawAndThrow(HandRecord):
    """A hand of plain turns; `reducers.words.rummy` explains the fields that it shares with other games.

    `seats` play it; `begun` is True once a card was drawn or discarded, `by` is the player who ended the hand. With
    `renewed`, all discards except the top one are shuffled when the stock is empty.
    """

    def __init__(self, state: State[Any], *, renewed: bool) -> None:
        self.renewed = renewed
        self.seats: tuple[str, ...] = state.game.dealing.playing(state)
        self.player, self.thrown, self.ending, self.by = first_turn("draw", state), "", "", ""
        self.drawn = self.begun = self.gap = False
        self.unwritten: tuple[str, ...] = ()
        self.came_from: dict[str, int] = {}
        self.written = 0
        self.shown: tuple[str, ...] = ()


# -- checks -----------------------------------------------------------------------------------------------------------


def is_claim(act: Event, state: State[Any]) -> bool:
    """True if a card that another player has discarded or drawn is drawn out of turn."""
    player = state.hand.player
    if not isinstance(act, Draw):
        return False
    return act.src.startswith("hand:") or (act.src == "discard" and player not in ("", act.by))


def turn_by_turn(act: Draw | Discard, state: State[Any]) -> CheckResult | None:
    """The player left of the dealer begins, and the turn goes round; a claim is made out of turn."""
    hand = state.hand
    if hand.ending or not hand.player or act.by == hand.player or act.by not in hand.seats or is_claim(act, state):
        return None
    if isinstance(act, Discard) and act.by == hand.thrown:
        return None  # another rule judges a second discard
    return not_the_turn(hand.begun, state)


def draw_one_card(draw: Draw, state: State[Any]) -> CheckResult | None:
    """A turn begins with one card, the top one of the stock or of the discards."""
    return None if is_claim(draw, state) else draws_from_top(draw, state)


def throw_one_card(discard: Discard, state: State[Any]) -> CheckResult | None:
    """A turn ends with one discard from the hand."""
    return broken("no card may be discarded now") if state.hand.ending else one_discard(discard, state)


# -- applying acts ----------------------------------------------------------------------------------------------------


def draw_a_card(draw: Draw, state: State[Any]) -> None:
    """Draw a card; the player who draws has the turn."""
    hand, seat = state.hand, draw.by
    if (draw.src or "stock") == "stock":
        renew_unwritten(state)
        hand.written += not hand.ending
        stock = state.table.row("stock")
        if gone_from_above(state.code(draw.cards), stock, hand.came_from):
            # Two draws in a row came from below the same card: its own draw was not recorded.
            state.leave_out("draws")
            state.table.lose_sight(stock)
            for one in hand.seats:
                state.holding(one).vague = True
    take_from_top(draw, state)
    if not hand.ending and seat in hand.seats:
        has_drawn(seat, state)


def take_from_top(draw: Draw, state: State[Any]) -> None:
    """Take cards out of a pile. A single card is the top one if it can be, even if its double is below."""
    table, pack, src = state.table, state.game.pack, pile_named(state, draw.src or "stock")
    codes, above = table.codes(draw.cards, src), src.row[-1] if src.row else -1
    one = len(codes) == 1 and above not in (-1, codes[0]) and pack.unknown != codes[0] != pack.many
    if one and pack.may_be[above] & pack.may_be[codes[0]]:
        table.take_at(len(src.row) - 1, codes[0], src, state.holding(draw.by))
    else:
        table.move(codes, src, state.holding(draw.by))


def has_drawn(seat: str, state: State[Any]) -> None:
    """Give the turn to the player who has drawn, or who took a discard back."""
    hand = state.hand
    hand.player, hand.thrown, hand.drawn, hand.begun = seat, "", True, True
    state.phase, state.turn = "discard", (seat,)


def throw_a_card(discard: Discard, state: State[Any]) -> None:
    """Discard a card, and pass the turn to the left."""
    hand, seat = state.hand, discard.by
    if seat in hand.seats and not hand.ending and not (hand.drawn and seat == hand.player) and seat != hand.thrown:
        infer_draw(seat, "before the discard", state)
    throw(discard, state)
    if not hand.ending and seat in hand.seats:
        hand.drawn, hand.thrown, hand.begun = False, seat, True
        turn_to_the_left(seat, state)


def infer_draw(seat: str, when: str, state: State[Any]) -> None:
    """Infer the draw of a player who continues without one, while there is a stock."""
    renew_unwritten(state)
    stock = state.table.row("stock")
    if stock.row or stock.vague:
        draw_unseen(seat, when, state)
        has_drawn(seat, state)


def drawn_before_showing(show: Show, state: State[Any]) -> None:
    """Infer the draw of the player in turn who shows one card more than the hand has."""
    pile, hand = pile_named(state, show.src or show.by), state.hand
    if not state.number or state.settled or pile.name != hand.player or hand.drawn or pile.vague:
        return
    if how_many(tuple(card for group in show.groups for card in group)) == len(pile) + 1:
        draw_unseen(pile.name, "before its cards were shown", state)
        hand.drawn = True


def turn_to_the_left(seat: str, state: State[Any]) -> None:
    """Turn to the next player to draw; after a gap it may be any player."""
    hand = state.hand
    hand.player = "" if hand.gap else next_of(hand.seats, seat, state.terms)
    state.phase, state.turn = "draw", hand.seats if hand.gap else (hand.player,)


def on_taking_back(move: Move, state: State[Any]) -> None:
    """Give the turn back to a player who takes the discard back."""
    on_move(move, state)
    hand = state.hand
    if takes_back_the_discard(move, state) and not hand.drawn and not hand.ending:
        has_drawn(hand.thrown, state)


# -- an empty stock ---------------------------------------------------------------------------------------------------


def below_the_top(state: State[Any]) -> int:
    """The number of discards below the top one."""
    return max(0, len(cards_lying("discard", state)) - 1)


def renew_unwritten(state: State[Any]) -> None:
    """Make a new stock before a draw from an empty one, if the game continues that way."""
    stock = state.table.row("stock")
    if state.hand.renewed and not stock.row and not stock.vague:
        turn_over_unwritten(below_the_top(state), state)


def on_shuffle(shuffle: Shuffle, state: State[Any]) -> None:
    """Shuffle discards into a new stock."""
    if state.number and not state.settled:
        ensure_dealt(state)
        turn_stock_over(shuffle, below_the_top(state), state)


def stock_is_due(state: State[Any]) -> bool:
    """True if the stock is empty and a player is to draw: chance makes a new one."""
    stock = state.table.row("stock")
    out = state.phase.endswith("draw") and not stock.row and not stock.vague
    return out and state.hand.renewed and not state.hand.gap and below_the_top(state) > 0


def deal_or_renew(state: State[Any], random: Random) -> list[Event]:
    """The acts of chance: the deal, or a new stock out of the discards."""
    due = stock_is_due(state)
    return chance_turns_over(below_the_top(state), state, random) if due else shuffle_and_deal(state, random)


# -- typing and headline ----------------------------------------------------------------------------------------------


def draws_unseen(state: State[Any]) -> Event | None:
    """The act of a lone `.`: the player in turn draws an unseen card of the stock."""
    return Draw(by=implied_drawer(state)[0], cards=("??",)) if state.turn else None


def implied_drawer(state: State[Any]) -> tuple[str, ...]:
    """The player in turn, though others may claim a card meanwhile; if unknown, all who may act."""
    player = state.hand.player if state.number and not state.settled else ""
    return (player,) if player else state.turn


def as_drawn(draw: Draw, state: State[Any]) -> tuple[Draw, ...]:
    """A card named when one is to be drawn: drawn from the discards if on top; () for any other, a discard."""
    if draw.src or state.code(draw.cards) >= state.game.pack.unknown or (state.number and state.hand.drawn):
        return (draw,)
    return (replace(draw, src="discard"),) if state.code(draw.cards) == top_code("discard", state) else ()


def stock_and_discards(state: State[Any]) -> dict[str, Any]:
    """The headline: the number of cards in the stock, and the top discard."""
    above = top_code("discard", state)
    return {"stock": len(cards_lying("stock", state))} | (
        {"discard": state.game.pack.shown(above)} if above >= 0 else {}
    )


TURNS: Mapping[type[Event], Evolve] = {
    Draw: draw_a_card, Discard: throw_a_card, Shuffle: on_shuffle, Move: on_taking_back,
    Gap: after_gap("draw", by="", **TURN_UNKNOWN),
}  # fmt: skip
