"""A card that the declarer names: the player who holds it hands it over, and gets another card in return.

All players hear which card is named; only those two see the card given in return. The page's record of the hand keeps
the card as `named`, and as `holder` the seat that handed it over; its phases are called `naming`, `asking` (the
holder is unknown), `handing` (the holder is known), `returning` and `discarding`. In the widow the card is out of
reach. If an act implies unrecorded phases, the record keeps its position and these phases as `passed_over`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from events.cards import how_many, pretty
from events.model import Discard, Event, Move
from reducers.evolve import on_move
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile
from reducers.terms import hand_of
from reducers.words.one_against import GONE, defenders, gathered_by_the_side
from reducers.words.one_round import GONE_BY, gone_by

ASKED = ("asking", "handing")


def seen_in_pile(pile: Pile) -> int:
    """The bag of the cards that were seen in a pile so far."""
    pack = pile.table.pack
    return pile.known if pile.row is None else sum(pack.unit[code] for code in pile.row if code < pack.unknown)


def changes_hands(move: Move, state: State[Any]) -> bool:
    """True if a card goes from one hand to another."""
    seats = state.terms.seats
    return move.by in seats and move.src in ("", hand_of(move.by)) and move.to.removeprefix("hand:") in seats


def the_card_named_is_handed_over(move: Move, state: State[Any]) -> CheckResult | None:
    """The player who holds the named card hands it over."""
    hand, pack = state.hand, state.game.pack
    if hand is None or state.phase not in ASKED or not changes_hands(move, state):
        return None
    if state.phase == "asking" and gives_back_already(move, state):
        return unknown(f"whether {move.to.removeprefix('hand:')} handed over the {pretty(hand.named)}: {GONE}")
    if move.by == hand.declarer or move.to != hand_of(hand.declarer):
        return broken(f"{hand.declarer} gets the {pretty(hand.named)} first")
    code = state.code(move.cards)
    if how_many(move.cards) != 1 or (code < pack.unknown and pack.faces[code] != hand.named):
        return broken(f"{hand.declarer} has named the {pretty(hand.named)}")
    return None


def unwritten_parts(state: State[Any]) -> tuple[str, ...]:
    """The phases of the hand that are unrecorded before the current act."""
    at, parts = state.hand.passed_over
    return parts if at == state.at else ()


def shows_a_name(move: Move, state: State[Any]) -> bool:
    """True if a card is handed to the declarer without a recorded naming."""
    if state.phase != "naming" or not state.hand.declarer or not changes_hands(move, state):
        return False
    return move.to == hand_of(state.hand.declarer) and how_many(move.cards) == 1 and (
        was_card_unseen(move, state) or move.cards[0] in nameable_cards(state)
    )


def was_card_unseen(move: Move, state: State[Any]) -> bool:
    """True if the card that changes hands was not fully seen."""
    return state.code(move.cards) >= state.game.pack.unknown


def nameable_cards(state: State[Any]) -> tuple[str, ...]:
    """The cards that may be named: the bare words of the phase `naming`."""
    return state.game.phases["naming"].bare or ()


def gives_back_already(move: Move, state: State[Any]) -> bool:
    """True if the declarer gives a card to a player who may have handed over the named one."""
    hand, pack = state.hand, state.game.pack
    to = move.to.removeprefix("hand:")
    return move.by == hand.declarer and bool(state.holding(to).any_of(pack.field[pack.code[hand.named]]) is not False)


def nobody_wrote_who_handed_it_over(act: Event, state: State[Any]) -> CheckResult | None:
    """Finding about cards of the widow taken, or a card played, as if no player held the named card."""
    if unwritten_parts(state)[:1] not in (("asking",), ("handing",)):
        return None
    card = state.game.pack.field[state.game.pack.code[state.hand.named]]
    return withheld(card, state) or unknown(
        f"whether another player held the {pretty(state.hand.named)}; an exchange may be missing from the record"
    )


def nobody_wrote_what_was_given_back(act: Event, state: State[Any]) -> CheckResult | None:
    """Finding about a hand that goes on as if no card was owed for the named one."""
    return unknown(
        f"whether {state.hand.declarer} gave a card back: {GONE}"
    ) if unwritten_parts(state)[:1] == ("returning",) else None


def withheld(card: int, state: State[Any]) -> CheckResult | None:
    """Finding about another player who is seen to hold the named card; None if no player is."""
    for other in defenders(state):
        if state.holding(other).any_of(card):
            text = f"{other} holds the {pretty(state.hand.named)} that was named, and has not handed it over"
            return broken(text, card, other, by=other)
    return None


def the_holder_hands_it_over(discard: Discard, state: State[Any]) -> CheckResult | None:
    """Finding about a declarer who discards as if no player held the named card."""
    if not state.hand.named or state.hand.holder or state.hand.thrown != 0:
        return None
    card = state.game.pack.field[state.game.pack.code[state.hand.named]]
    kept = withheld(card, state)
    if kept is not None:
        return kept
    widow = state.table.piles.get("widow")
    if widow is not None and widow.certain & card:
        return None
    text = f"whether another player held the {pretty(state.hand.named)}; an exchange may be missing from the record"
    return unknown(text, widow)


def one_other_card_is_given_back(move: Move, state: State[Any]) -> CheckResult | None:
    """The declarer gives one card for it, and not the named one itself."""
    hand, pack = state.hand, state.game.pack
    if hand is None or state.phase != "returning" or not changes_hands(move, state):
        return None
    if move.by != hand.declarer or move.to != hand_of(hand.holder):
        return broken(
            f"{hand.declarer} gives {hand.holder} a card for "
            f"{f'the {pretty(hand.named)}' if hand.named else 'the one named'}"
        )
    if how_many(move.cards) != 1:
        return broken("one card is given back")
    if not hand.named:
        return None
    card, code = pack.field[pack.code[hand.named]], state.code(move.cards)
    if code < pack.unknown:
        return broken(f"another card is given for the {pretty(hand.named)}") if pack.field[code] == card else None
    own = state.holding(move.by)
    if not own.may_leave(code) & card:
        return None
    text = f"whether the {pretty(hand.named)} itself was given back"
    return unknown(text, own)


def the_card_is_given_back_first(discard: Discard, state: State[Any]) -> CheckResult | None:
    """Finding about a declarer who discards before the returned card was recorded."""
    return unknown(f"whether {state.hand.declarer} gave a card back: {GONE}")


def there_is_no_other_exchange(move: Move, state: State[Any]) -> CheckResult | None:
    """No card goes from hand to hand except the named one, and the one for it."""
    if (
        state.hand is None or state.phase in (*ASKED, "returning") or not changes_hands(move, state)
        or shows_a_name(move, state)
    ):
        return None
    if gone_by(state) or state.settled:
        return unknown(GONE_BY) if gone_by(state) else None
    return broken("no card is passed now")


def asks_for(card: str, state: State[Any]) -> None:
    """Apply a naming: the seat that holds the card hands it over, if it is known which seat does."""
    hand, pack, seats = state.hand, state.game.pack, state.terms.seats
    hand.named, field = card, pack.field[pack.code[card]]
    there = next((name for name, pile in state.table.piles.items() if seen_in_pile(pile) & field), "")
    if there == "widow" or there == hand.declarer:
        state.phase, state.turn = "discarding", (hand.declarer,)
    elif there in seats:
        state.phase, state.turn = "handing", (there,)
    else:
        state.phase, state.turn = "asking", (*defenders(state), hand.declarer)


def on_moved(move: Move, state: State[Any]) -> None:
    """Apply a move: a card changes hands, or a trick is gathered."""
    hand, pack = state.hand, state.game.pack
    if not changes_hands(move, state):
        gathered_by_the_side(move, state)
        return
    if state.phase == "asking" and gives_back_already(move, state):
        hand.holder = move.to.removeprefix("hand:")
        state.infer(f"{hand.holder} handed over the {pretty(hand.named)} before this (not recorded)")
        state.table.move_one(pack.code[hand.named], state.holding(hand.holder), state.holding(hand.declarer))
        state.phase, state.turn = "returning", (hand.declarer,)
    to_the_declarer = move.by != hand.declarer and move.to == hand_of(hand.declarer)
    if (
        state.phase in ASKED and to_the_declarer and state.code(move.cards) >= pack.unknown
        and how_many(move.cards) == 1
    ):
        # All players heard which card it is.
        move = replace(move, cards=(hand.named,))
    on_move(move, state)
    if state.phase in ASKED and to_the_declarer:
        hand.holder = move.by
        state.phase, state.turn = "returning", (hand.declarer,)
    elif state.phase == "returning":
        state.phase, state.turn = "discarding", (hand.declarer,)


def give_back_unseen(state: State[Any]) -> None:
    """Infer that an unseen card was given for the named one."""
    hand = state.hand
    state.infer(f"{hand.declarer} gave {hand.holder} a card before this (not recorded)")
    state.table.move_one(state.game.pack.unknown, state.holding(hand.declarer), state.holding(hand.holder))


def hands_over(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the move of the named card, and wrong ones, which the checks remove."""
    hand, pack = state.hand, state.game.pack
    cards = pack.cards(state.holding(seat).certain)
    if seat != hand.declarer:
        wrong = [card for card in cards if card != hand.named][:2]
        to = hand_of(hand.declarer)
        yield from (Move(by=seat, cards=(card,), to=to) for card in (hand.named, *wrong) if card in cards)


def gives_back(seat: str, state: State[Any]) -> Iterator[Event]:
    """The moves of each card of the declarer, given for the named one."""
    to = hand_of(state.hand.holder)
    return (Move(by=seat, cards=(card,), to=to) for card in state.game.pack.cards(state.holding(seat).certain))
