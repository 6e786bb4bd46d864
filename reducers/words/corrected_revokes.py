"""A corrected revoke: the card is taken back out of the trick in progress, and another one played in its place.

A card taken back is a line of the record, which removes the play before the page sees it. The rules about it are
here: `revoke_put_right` says that a revoke may be corrected until its trick is full, and `in_turn_or_in_place` whose
turn it is. Unrecorded corrections are found here too: a page calls `taken_back_unwritten` before it plays a card in
the usual way, and `put_in_place`. The record of the hand is a `Mending`, and keeps the empty places of the trick.
"""

from __future__ import annotations

from typing import Any, Protocol

from events.cards import SUIT_NAMES
from events.model import Back, Fault, Move, Play
from reducers.evolve import finish_hand, shown_as_taken_back
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.tricks import CARD_UNSEEN, Tricks, gather_trick, holds_suit, one_card_in_turn


class Mending(Protocol):
    """The part of a page's record of a hand about cards that were taken back.

    `empty` has the seats with an empty place in the trick, in the order of play; `leader` led to it. `mended` are the
    seats that took a card back, each with the number of tricks won before.
    """

    empty: tuple[str, ...]
    leader: str
    mended: tuple[tuple[str, int], ...]


def seat_taking_back(move: Back | Move, state: State[Any]) -> str:
    """The seat that takes a card of the trick back to its hand; "" for any other move."""
    if isinstance(move, Back):
        return move.by if move.by in state.terms.seats else ""
    seat = move.to.removeprefix("hand:")
    return seat if move.src == "trick" and seat in state.terms.seats else ""


def place_in_trick(seat: str, state: State[Any]) -> int | None:
    """The place of a seat's card in the trick in progress, 0 for the lead; None if it has none there."""
    return next((i for i, (who, _) in enumerate(state.hand.trick.plays) if who == seat), None)


def mended_before(seat: str, state: State[Any]) -> bool:
    """True if a player before this seat has taken a card back in the trick in progress."""
    hand = state.hand
    here = [who for who, number in hand.mended if number == len(hand.trick.won)]
    plays = hand.trick.plays
    leader = plays[0][0] if plays and not hand.empty else hand.leader
    order = state.terms.in_turn(leader) if here and leader else ()
    return bool(order) and any(order.index(who) < order.index(seat) for who in here)


def may_not_take_back(seat: str, state: State[Any]) -> CheckResult | None:
    """Why a seat may not take its card of the trick in progress back; None if it may.

    It may if it did not follow suit and could, or if a player before it in the trick has taken a card back.
    """
    tricks, at = state.hand.trick, place_in_trick(seat, state)
    if tricks.lost or tricks.astray:
        return unknown("whether the trick was full: acts are missing from the record")
    if at is None:
        return broken(f"{seat} has no card in an incomplete trick")
    if mended_before(seat, state):
        return None
    if not at:
        return broken(f"{seat} led, and no player had taken a card back")
    led, suits = tricks.led, tricks.suits
    suit = suits.of[tricks.plays[at][1]]
    if "?" in (suit, led):
        return unknown(CARD_UNSEEN)
    if suit == led:
        return broken(f"{seat} followed suit, and no player before {seat} had taken a card back")
    held = holds_suit(state.holding(seat), led, suits)
    if held is None:
        return unknown(f"whether {seat} held {SUIT_NAMES[led]}", state.holding(seat))
    return None if held else broken(f"{seat} holds no {SUIT_NAMES[led]}, so there is no revoke to correct")


def revoke_put_right(move: Back | Move, state: State[Any]) -> CheckResult | None:
    """A revoke is corrected until the trick is full, by its player; later players may then change their cards."""
    seat = seat_taking_back(move, state)
    if not seat or state.hand is None:
        return None
    if move.by not in (seat, "@"):
        return broken(f"{seat} played the card, so only {seat} may take it back")
    return may_not_take_back(seat, state)


def kept_from_putting_it_right(fault: Fault, state: State[Any]) -> CheckResult | None:
    """A denial of this right (`fault back E`) is wrong if the seat may take its card back."""
    if fault.word != "back" or not state.number or not fault.who:
        return None
    why = may_not_take_back(fault.who, state)
    if why is None:
        return broken(f"the trick is not full, and {fault.who} may take the card back")
    return why if why.verdict == "open" else None


def replaces_its_card(play: Play, state: State[Any]) -> bool:
    """True if a seat with a card in the trick in progress plays another one in its place, without a record that it
    took the first one back: it follows suit now and had not, or a player before it has taken a card back."""
    tricks: Tricks = state.hand.trick
    at = place_in_trick(play.by, state)
    if at is None or play.by in state.turn or tricks.lost or len(play.cards) > 1:
        return False
    if mended_before(play.by, state):
        return True
    suit_of = tricks.suits.of
    before, now = suit_of[tricks.plays[at][1]], suit_of[state.code(play.cards)]
    return before != "?" and before != tricks.led == now != "?"


def in_turn_or_in_place(play: Play, state: State[Any]) -> CheckResult | None:
    """Each seat in turn plays one card; a seat with an empty place in the trick may play too."""
    if play.by in state.hand.empty or replaces_its_card(play, state):
        return None
    says, at = one_card_in_turn(play, state), place_in_trick(play.by, state)
    if says is None or at is None or len(play.cards) > 1:
        return says
    # An unseen card may have been a revoke, which this one corrects.
    tricks = state.hand.trick
    suit_of = tricks.suits.of
    perhaps = suit_of[tricks.plays[at][1]] == "?" and suit_of[state.code(play.cards)] in (tricks.led, "?")
    return unknown(f"whether {play.by} took a card back: that card was not seen") if perhaps else says


def taken_back_unwritten(play: Play, state: State[Any]) -> None:
    """Infer that a card was taken back, if another one is played in its place."""
    if not replaces_its_card(play, state):
        return
    seat = play.by
    card = next(code for who, code in state.hand.trick.plays if who == seat)
    state.infer(f"{seat} took the {state.game.pack.shown(card)} back before this (not recorded)")
    take_up_from_trick(seat, state)


def on_back(back: Back, state: State[Any]) -> None:
    """Note that a player has taken a card back: later players may change theirs."""
    shown_as_taken_back(back, state)
    if state.number and not state.settled and back.by in state.terms.seats:
        state.hand.mended = (*state.hand.mended, (back.by, len(state.hand.trick.won)))


def take_up_from_trick(seat: str, state: State[Any]) -> None:
    """Move the card of a seat from the trick in progress back to its hand."""
    hand, tricks = state.hand, state.hand.trick
    at, row = place_in_trick(seat, state), tricks.pile.row
    if at is None or row is None or len(row) != len(tricks.plays):
        return
    if not hand.empty:
        hand.leader = tricks.plays[0][0]
    state.table.take_at(at, tricks.plays[at][1], tricks.pile, state.holding(seat))
    del tricks.plays[at]
    hand.mended = (*hand.mended, (seat, len(tricks.won)))
    hand.empty = state.turn = tuple(s for s in state.terms.in_turn(hand.leader) if s == seat or s in hand.empty)
    weigh_again(tricks)


def weigh_again(tricks: Tricks) -> None:
    """Find again who is ahead in the trick; what its unseen cards may have been no longer matters."""
    tricks.unseen = {}
    if tricks.plays:
        tricks.weigh()
    else:
        tricks.led = ""


def put_in_place(play: Play, state: State[Any]) -> bool:
    """Play a card into the empty place of a seat that took one back. Return False if it has none."""
    hand, tricks = state.hand, state.hand.trick
    if play.by not in hand.empty:
        return False
    hand.empty = tuple(seat for seat in hand.empty if seat != play.by)
    if not tricks.plays or len(tricks.pile) != len(tricks.plays):
        # Nothing else is there: the card now played is led. Or a card was moved away that had not been played there.
        return False
    order = state.terms.in_turn(hand.leader)
    at = sum(order.index(seat) < order.index(play.by) for seat, _ in tricks.plays)
    state.table.move_one(state.table.code(play.cards), state.holding(play.by), tricks.pile)
    row = tricks.pile.row
    row.insert(at, row.pop())
    tricks.plays.insert(at, (play.by, row[at]))
    if not at:
        tricks.led = tricks.suits.of[row[at]]
        tricks.strength = tricks.power[tricks.led]
        tricks.values = tricks.strength.values
    weigh_again(tricks)
    next_place_or_seat(state)
    return True


def next_place_or_seat(state: State[Any]) -> None:
    """After a place was filled: turn to another empty one or to the next seat, or finish the trick."""
    tricks: Tricks = state.hand.trick
    there = {seat for seat, _ in tricks.plays}
    if state.hand.empty:
        state.turn = state.hand.empty
    elif len(there) < len(tricks.seats):
        rest = (seat for seat in state.terms.in_turn(state.hand.leader) if seat not in there)
        state.turn = (next(rest),) if not tricks.lost else tricks.seats
    else:
        state.turn = tricks._finish(state.at)
        gather_trick(state, tricks)
        if not state.turn:
            finish_hand(state)
