"""Rounds before the play in which each seat, the dealer first, throws a card away or passes one on to another seat.

The page's record of the hand has as `rounds` what is done in each: 0 for a card that is thrown, else how many places to
the left a card is passed. It keeps the number of the current round as `round`, the seats that have acted in it as
`acted`, and sets `gap` if acts are missing from the record. The phases are called `discarding` and `passing`; the
page's `on_to_play` starts what comes after the last round.

Other seats do not see what is passed, so a table may leave out these lines: the next act shows that they took place.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from events.cards import how_many
from events.model import Discard, Event, Move, Play
from reducers.evolve import on_move, steps_while
from reducers.facts import listed_with_and
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.silent_acts import put_in_unwritten
from reducers.terms import hand_of
from reducers.words.called_card import changes_hands
from reducers.words.deals import WHO_DEALS, ensure_dealt

GONE_BY = "acts are missing from the record"
ROUNDS = ("discarding", "passing")
"""The phases in which cards are thrown and passed on."""
TO_THE = {1: "to the left", 2: "across", 3: "to the right"}


def begin_rounds(state: State[Any]) -> None:
    """Let the dealer begin the first round; any seat may if the dealer is unknown."""
    round_begins(0, state)


def round_begins(number: int, state: State[Any]) -> None:
    """Begin a round; after the last one start the play."""
    hand = state.hand
    hand.round, hand.acted = number, ()
    if number == len(hand.rounds):
        hand.on_to_play(state)
        return
    state.phase = "passing" if hand.rounds[number] else "discarding"
    state.turn = state.terms.seats if state.dealer_is_guess else (state.dealer,)


def record_part(seat: str, state: State[Any]) -> None:
    """Record that a seat has thrown or passed a card; move on to the next seat or round."""
    hand = state.hand
    if seat in hand.acted or seat not in state.terms.seats:
        return
    hand.acted = (*hand.acted, seat)
    if len(hand.acted) == len(state.terms.seats):
        round_begins(hand.round + 1, state)
        return
    after = state.terms.after(seat)
    if state.dealer_is_guess or seat not in state.turn or after in hand.acted:
        left = seats_to_act(state)
        state.turn = left if state.dealer_is_guess else left[:1]
    else:
        state.turn = (after,)


def seats_to_act(state: State[Any]) -> tuple[str, ...]:
    """The seats that have not acted in this round, in turn."""
    return tuple(seat for seat in state.terms.in_turn(state.dealer) if seat not in state.hand.acted)


def receiver(seat: str, state: State[Any]) -> str:
    """The seat that gets the card passed by `seat` in this round."""
    to: str = state.terms.left(seat, state.hand.rounds[state.hand.round])
    return to


def which_way(state: State[Any]) -> str:
    """The direction in which cards are passed now, in words; empty if none are."""
    return TO_THE[state.hand.rounds[state.hand.round]] if state.phase == "passing" else ""


# -- what the rules say -----------------------------------------------------------------------------------------------


def in_its_turn(act: Event, state: State[Any], did: str) -> CheckResult | None:
    """Each seat acts once in a round, in turn; `did` is the word for it."""
    if act.by in state.turn:
        return None
    if act.by in state.hand.acted:
        return broken(f"{act.by} has {did} a card in this round")
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"it is the turn of {state.turn[0]}")


def one_is_thrown_in_turn(discard: Discard, state: State[Any]) -> CheckResult | None:
    """Each seat throws one card in a round, the dealer first."""
    many = how_many(discard.cards)
    if many is None:
        return unknown("the cards were not counted")
    return in_its_turn(discard, state, "thrown") if many == 1 else broken("one card is thrown in a round")


def cards_are_thrown_first(move: Move, state: State[Any]) -> CheckResult | None:
    """A card is passed on before all have thrown one; a line may be missing."""
    if state.number and state.phase == "discarding" and state.acts and changes_hands(move, state):
        return unknown(
            f"whether {listed_with_and(seats_to_act(state))} threw a card; that may be missing from the record"
        )
    return None


def passed_the_right_way(move: Move, state: State[Any]) -> CheckResult | None:
    """One card is passed on, in the direction of this round."""
    if not state.number or state.phase != "passing" or not changes_hands(move, state):
        return None
    many, to = how_many(move.cards), receiver(move.by, state)
    if many is None:
        return unknown("the cards were not counted")
    if many != 1:
        return broken("one card is passed in a round")
    way = TO_THE.get(state.hand.rounds[state.hand.round], "on")
    return None if move.to == hand_of(to) else broken(f"cards are passed {way}: {move.by} passes to {to}")


def passed_in_turn(move: Move, state: State[Any]) -> CheckResult | None:
    """The dealer passes first, then the others in turn; in no other phase does a card change hands."""
    if not state.number or state.settled or not changes_hands(move, state) or state.phase == "discarding":
        return None
    if state.phase == "passing":
        return in_its_turn(move, state, "passed")
    return unknown(GONE_BY) if state.hand.gap else broken("no card is passed now")


# -- what happens -----------------------------------------------------------------------------------------------------


def on_discard(discard: Discard, state: State[Any]) -> None:
    """Apply a discard, face up."""
    held = state.holding(discard.by)
    state.table.move(state.table.codes(discard.cards, held), held, state.table.row("discard"))
    if state.phase == "discarding":
        record_part(discard.by, state)


def on_passed(move: Move, state: State[Any]) -> None:
    """Apply a pass, or any other move of cards."""
    passes = state.number and not state.settled and changes_hands(move, state)
    if passes:
        ensure_dealt(state)
        put_in_unwritten(move, state)
    on_move(move, state)
    if passes and state.phase == "passing":
        record_part(move.by, state)


def unwritten_rounds(act: Event, state: State[Any]) -> None:
    """Infer from an act that the rounds before it took place, though they were not recorded."""
    hand = state.hand
    if state.phase not in ROUNDS:
        return
    until = len(hand.rounds)
    if isinstance(act, Discard):
        until = hand.round + bool(hand.rounds[hand.round])
    elif isinstance(act, Move):
        until = hand.round + (not hand.rounds[hand.round])
    if hand.round >= until:
        return
    state.infer(f"{unseen_parts(until, state)} before this (not recorded)")
    for _ in steps_while(lambda: hand.round < until):
        for seat in seats_to_act(state):
            to = state.holding(receiver(seat, state)) if state.phase == "passing" else state.table.row("discard")
            state.table.move_one(state.game.pack.unknown, state.holding(seat), to)
            record_part(seat, state)


def unseen_parts(until: int, state: State[Any]) -> str:
    """What was done up to this round, in words."""
    hand = state.hand
    if until > hand.round + 1:
        return "cards were thrown and passed on"
    did = "passed a card " + TO_THE.get(hand.rounds[hand.round], "on") if hand.rounds[hand.round] else "threw a card"
    return f"{listed_with_and(seats_to_act(state))} {did}"


# -- what may be done -------------------------------------------------------------------------------------------------


def throws(seat: str, state: State[Any]) -> Iterator[Event]:
    """Discards to try: each card of the seat, and one of the seat after the next, whose turn it is not."""
    for who, most in ((seat, None), (state.terms.after(seat, 2), 1)):
        cards = state.game.pack.cards(state.holding(who).certain)
        yield from (Discard(by=who, cards=(card,)) for card in islice(cards, most))


def passes_on(seat: str, state: State[Any]) -> Iterator[Event]:
    """Passes to try: each card; the first also to every other seat; one of the seat after the next, out of turn."""
    pack, right = state.game.pack, receiver(seat, state)
    cards = pack.cards(state.holding(seat).certain)
    yield from (Move(by=seat, cards=(card,), to=hand_of(right)) for card in cards)
    others = [other for other in state.terms.seats if other not in (seat, right)]
    yield from (Move(by=seat, cards=(card,), to=hand_of(other)) for card in cards[:1] for other in others)
    after = state.terms.after(seat, 2)
    theirs = pack.cards(state.holding(after).certain)
    yield from (Move(by=after, cards=(card,), to=hand_of(receiver(after, state))) for card in theirs[:1])


def thrown_or_passed(event: Event, state: State[Any]) -> Event:
    """A bare card as a discard or a pass in the phases of the rounds; any other act unchanged."""
    if not isinstance(event, Play) or event.src or state.phase not in ROUNDS:
        return event
    if state.phase == "discarding":
        return Discard(by=event.by, cards=event.cards)
    return Move(by=event.by, cards=event.cards, to=hand_of(receiver(event.by, state)))


def unseen_pass(state: State[Any]) -> Event | None:
    """What a lone `.` means: an unseen card is passed on."""
    return Move(by=state.turn[0], cards=("??",), to=hand_of(receiver(state.turn[0], state))) if state.turn else None
