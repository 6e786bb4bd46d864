"""The frame of a trick game with a stock: after a trick each seat draws, the winner first, until the stock is out.

One card may be turned up with the deal; its suit is trumps, and it is drawn last of all. A page spreads `STOCK_TRICKS`
into its `on`, has the phases `play` and `draw`, and keeps a `StockHand`, or a subclass, as its record. Many tables
record no draws: they follow from the cards played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.cards import Ranking, how_many, pretty
from events.model import Deal, Draw, Event, Gap, Move, Play, Show
from events.name_lists import one_of
from reducers.evolve import pile_named
from reducers.gaps import after_gap
from reducers.model import Evolve, State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import NOT_ON_TOP, Pile, Trouble
from reducers.words import trick_play
from reducers.words.deals import declared_deal
from reducers.words.tricks import Tricks, gathered_by, who_led
from reducers.words.upcards import UPCARD, UpcardHand, on_card_shown, on_upcard, see_trumps


class StockHand(UpcardHand):
    """The record of a hand of tricks with a stock.

    `drawn`: the seats that have drawn since the last trick, in order, with the position of the draw. `late`: seats
    whose draw was not recorded before the next lead. `unwritten`: all such seats of this hand. `written`: seats with a
    recorded draw."""

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        super().__init__(state, ranked, state.game.pack.size // len(state.terms.seats))
        self.trick.blind = bool(declared_deal(state).then)
        self.drawn: dict[str, int] = {}
        self.late: set[str] = set()
        self.unwritten: set[str] = set()
        self.written: set[str] = set()


def play_with_a_stock(state: State[Any]) -> None:
    """Begin a hand with the lead of the seat after the dealer. The stock comes with the deal."""
    trick_play.lay_out_tricks(state)
    state.phase, state.turn = "play", (state.terms.after(state.dealer),)


# -- who draws ---------------------------------------------------------------------------------------------------------


def draws_to_come(state: State[Any]) -> bool:
    """Return True if cards are drawn after the last trick taken: not once the hands run out."""
    trick: Tricks = state.hand.trick
    return not trick.lost and 0 < len(trick.won) <= trick.total - declared_deal(state).each


def yet_to_draw(state: State[Any]) -> tuple[str, ...]:
    """The seats that have not drawn since the last trick, in order from its first possible winner."""
    winners = state.hand.trick.won[-1].winners
    return tuple(seat for seat in state.terms.in_turn(winners[0]) if seat not in state.hand.drawn)


def row_or_empty(name: str, state: State[Any]) -> Pile:
    """The row with this name; an empty one, not put on the table, if there is none."""
    pile = state.table.piles.get(name)
    return pile if pile is not None else Pile(state.table, name, row=True)


def drawn_from(draw: Draw, state: State[Any]) -> str:
    """The pile drawn from, if the draw has none: the stock, or the upcard if it is that card or the last one."""
    if draw.src:
        return draw.src
    stock, upcard, code = row_or_empty("stock", state), row_or_empty(UPCARD, state), state.code(draw.cards)
    out = stock.empty
    is_it = code < state.game.pack.unknown and upcard.shows(code)
    return UPCARD if len(upcard) and (out or is_it) else "stock"


def on_draw(draw: Draw, state: State[Any]) -> None:
    """Apply a draw. If the next trick has been led, the card was in the hand by then."""
    hand, seat = state.hand, draw.by
    hand.written.add(seat)
    src = pile_named(state, drawn_from(draw, state))
    if seat in hand.late:
        hand.late.discard(seat)
        hand.unwritten.discard(seat)
        state.table.reveal(state.table.codes(draw.cards, src), state.holding(seat))
        return
    take_from_stock(state.table.codes(draw.cards, src), src, seat, state)
    hand.drawn[seat] = state.at
    if state.phase != "draw":
        return
    if src.name == UPCARD and hand.unwritten.issuperset(yet_to_draw(state)):
        # No cards are left: seats whose draws are not recorded have drawn.
        everybody_has_drawn(seat, state)
    else:
        next_to_draw(state)


def take_from_stock(codes: list[int], src: Pile, seat: str, state: State[Any]) -> None:
    """Move cards to a hand; the upcard shows trumps if it had not been seen."""
    if src.name == UPCARD and not state.hand.trump:
        state.table.reveal(codes, src)
        see_trumps(state)
    for code in codes:
        not_on_top(code, src, state)
        state.table.move_one(code, src, state.holding(seat))


def not_on_top(code: int, src: Pile, state: State[Any]) -> None:
    """Note as trouble that another card than the known top of the stock is drawn."""
    pack, row = state.game.pack, src.row
    if not row or src.vague or code >= pack.unknown or row[-1] == code or (row[-1] >= pack.unknown and code not in row):
        return
    text = f"{pretty(pack.faces[code])} is not on top of the {src.name}"
    state.table.trouble.append(Trouble(NOT_ON_TOP, text, pack.faces[code], src.name))


def next_to_draw(state: State[Any]) -> None:
    """Set the turn to the next seat to draw, or let the winner of the trick lead."""
    hand, left = state.hand, yet_to_draw(state)
    stock = row_or_empty("stock", state)
    # If a seat drew one too many, there is none for the last.
    if left and (len(stock) or stock.vague or len(row_or_empty(UPCARD, state))):
        # If several seats may have won, each of them may be the first, and then any seat the next.
        winners = hand.trick.won[-1].winners
        state.phase, state.turn = "draw", left[:1] if len(winners) == 1 else left if hand.drawn else winners
        return
    hand.drawn = {}
    state.phase, state.turn = "play", hand.trick.won[-1].winners


def on_card(play: Play, state: State[Any]) -> None:
    """Apply a card played; after a full trick the seats draw."""
    trick = state.hand.trick if state.number and not state.settled else None
    before = len(trick.won) if trick is not None else 0
    trick_play.on_card(play, state)
    trick = state.hand.trick
    if len(trick.won) == before or state.settled:
        return
    state.hand.late = set()
    if not draws_to_come(state):
        return
    if trick.plays:
        # The trick before was full without its last card in the record; the draws after it are not recorded either.
        infer_trick_draws(play.by, state)
    else:
        next_to_draw(state)


def infer_trick_draws(leader: str, state: State[Any]) -> None:
    """Infer unrecorded draws, as the next trick is led."""
    hand, winners = state.hand, state.hand.trick.won[-1].winners
    first = winners[0] if len(winners) == 1 or leader not in winners else leader
    for seat in state.terms.in_turn(first):
        if seat in hand.drawn:
            continue
        src = drawn_from(Draw(by=seat, cards=("??",)), state)
        take_from_stock([state.game.pack.unknown], state.table.row(src), seat, state)
        if hand.written and seat not in hand.unwritten:
            state.infer(f"{seat} drew a card before this (not recorded)")
        hand.late.add(seat)
        hand.unwritten.add(seat)
    hand.drawn = {}


def unwritten_draws(state: State[Any], act: Event) -> None:
    """Infer from a lead that all have drawn (for `unwritten` of a page)."""
    if state.phase == "draw" and isinstance(act, Play):
        everybody_has_drawn(act.by, state)


def everybody_has_drawn(leader: str, state: State[Any]) -> None:
    """Infer all unrecorded draws; the winner leads."""
    infer_trick_draws(leader, state)
    state.phase, state.turn = "play", state.hand.trick.won[-1].winners


# -- what must be drawn ------------------------------------------------------------------------------------------------


def draw_in_turn(draw: Draw, state: State[Any]) -> CheckResult | None:
    """After a trick each seat draws one card, the winner first, before the next lead."""
    hand, seat = state.hand, draw.by
    trick = hand.trick
    if trick.lost:
        return None
    # Uncounted cards may be a single one.
    if (how_many(draw.cards) or 1) > 1:
        return broken("one card is drawn at a time")
    if state.phase == "draw":
        return out_of_order(seat, state)
    if seat in hand.late:
        return broken(f"{trick.plays[0][0] if trick.plays else trick.won[-1].leader} led before {seat} had drawn")
    if trick.plays and len(trick.won) < trick.total - declared_deal(state).each:
        return broken("a card is drawn after the trick, and this one is not full")
    return broken("all players have drawn" if draws_to_come(state) else "no card is drawn now")


def out_of_order(seat: str, state: State[Any]) -> CheckResult | None:
    """Check that no other seat draws before this one, while cards are drawn."""
    hand = state.hand
    winners = hand.trick.won[-1].winners
    if seat in hand.drawn:
        return broken(f"{seat} has drawn a card after this trick already")
    first = yet_to_draw(state)[0]
    if len(winners) > 1:
        return unknown(f"who won the trick before: {one_of(winners)}")
    if seat == winners[0] and hand.drawn and seat not in hand.written:
        other, at = next(iter(hand.drawn.items()))
        return broken(f"{seat} won the trick and draws first", at=at, by=other)
    if seat == first or first in hand.unwritten:
        # This table does not record the draws of the first seat.
        return None
    if first == winners[0] and not hand.drawn and first not in hand.written:
        return unknown(f"whether {first} had drawn: a draw may be missing from the record", told=False)
    return broken(f"{first} won the trick and draws first" if first == winners[0] else f"{first} draws before {seat}")


def upcard_is_drawn_last(draw: Draw, state: State[Any]) -> CheckResult | None:
    """The upcard is drawn when nothing else is left."""
    hand, stock = state.hand, row_or_empty("stock", state)
    trick: Tricks = hand.trick
    if trick.lost or drawn_from(draw, state) != UPCARD:
        return None
    last_round = state.phase == "draw" and len(trick.won) == trick.total - declared_deal(state).each
    # Seats whose draws are not recorded have their cards by now.
    if last_round and hand.unwritten.issuperset(seat for seat in yet_to_draw(state) if seat != draw.by):
        return None
    if stock.vague:
        return unknown("how many cards were left in the stock")
    left = len(stock)
    many = f"{left} cards of the stock are" if left > 1 else "1 card of the stock is"
    return broken(f"{many} left, and the upcard is drawn last") if left else None


def winner_leads_after_drawing(play: Play, state: State[Any]) -> CheckResult | None:
    """The winner of a trick leads to the next, after all have drawn."""
    trick: Tricks = state.hand.trick
    if trick.plays or not trick.won or trick.lost:
        return None
    doubtful = who_led(play.by, state)
    if doubtful is not None:
        return doubtful
    if play.by not in trick.won[-1].winners:
        return broken(f"{one_of(trick.won[-1].winners)} won the last trick and leads")
    if state.phase != "draw" or not state.hand.written:
        return None
    missing = " and ".join(seat for seat in yet_to_draw(state) if seat not in state.hand.unwritten)
    return unknown(f"whether {missing} had drawn: a draw may be missing from the record") if missing else None


# -- what may be drawn -------------------------------------------------------------------------------------------------


def default_stock_draw(state: State[Any]) -> Event | None:
    """What a lone `.` means: the next card of the stock, unseen; the last one is the upcard."""
    if not state.turn:
        return None
    draw = Draw(by=state.turn[0], cards=("??",))
    upcard = row_or_empty(UPCARD, state).row
    if drawn_from(draw, state) != UPCARD or not upcard:
        return draw
    return Draw(by=draw.by, cards=(state.game.pack.tokens[upcard[-1]],), src=UPCARD)


def try_draws(seat: str, state: State[Any]) -> Iterator[Event]:
    """The next card, for this seat or another, and the upcard before its time: wrong draws are tried as well."""
    tokens, stock, upcard = state.game.pack.tokens, row_or_empty("stock", state).row, row_or_empty(UPCARD, state).row
    src, row = ("", stock) if stock else (UPCARD, upcard)
    if row:
        # A draw may be missing of a seat without a recorded draw: then another may draw early without a certain breach.
        all_wrong = seat == state.turn[0] and (bool(state.hand.drawn) or seat in state.hand.written)
        for other in yet_to_draw(state) if all_wrong else (seat,):
            yield Draw(by=other, cards=(tokens[row[-1]],), src=src)
    if stock and upcard:
        yield Draw(by=seat, cards=(tokens[upcard[-1]],), src=UPCARD)


def leads_or_draws(state: State[Any], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by a line without a seat: a card is led by the winner, though others may still draw."""
    return state.hand.trick.won[-1].winners if kind is Play and state.phase == "draw" else state.turn


STOCK_TRICKS: dict[type[Event], Evolve] = {
    Deal: on_upcard, Show: on_card_shown, Draw: on_draw, Play: on_card, Move: gathered_by, Gap: after_gap(),
}  # fmt: skip
