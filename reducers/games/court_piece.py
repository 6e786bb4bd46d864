"""Court Piece: four players in partnerships win hands of thirteen tricks; seven hands in a row, or the first seven
tricks of one, are a court."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from events.cards import SUIT_NAMES
from events.model import Back, Call, Deal, Event, Fault, Gap, Move, Name, Play, End
from events.model import Hand as HandEvent
from events.name_lists import one_of
from reducers.evolve import shown_as_taken_back, new_hand
from reducers.model import InItsPlace
from reducers.page import (
    finish_hand, reopen_hand, begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, UNOBSERVABLE, WHO_DEALS, Catalogue,
    CheckResult, DealSpec, Game, Dealing, MatchRules, Judging, Omissions, Shorthand, Display, HandScore, Law, ScoreLine,
    Phase, Points, Standing, State, TallyFacts, Terms, bounded, broken, choice, contract, counts, counts_nothing,
    try_each_card, figure, figures, gained, grows, hand_score, ensure_hand_started, of_the, or_said,
    apply_reported_facts, pack, partnerships, plus, ranking, ensure_dealt, result_text, rule, settle, side, side_named,
    summary_of, figure_of_line, running_total, unasked, unknown, we_they, add_points, shuffle_and_deal,
)  # fmt: skip
from reducers.rules import Breach
from reducers.scoring import Penalty
from reducers.words.act_batches import plays_in_order
from reducers.words.deals import is_next_hand
from reducers.words.scores import highest_has_won, scorer_told
from reducers.words.trick_play import (
    just_taken, must_follow_suit, on_card, sign_of_trumps, suit_led, winner_gathers, TRICKS, first_lead,
)  # fmt: skip
from reducers.words.shown_facts import certain_owner
from reducers.words.tricks import gathered_by, owner, CARD_UNSEEN, Tricks, gather_trick, holds_suit, one_card_in_turn
from reducers.words.trumps_named_mid_deal import (
    NAMED_MID_DEAL, NAMING, PARTS, SECOND, TrumpHand, in_two_parts, name_trumps_first, named_mid_deal,
    second_deal_is_due, trump_named, trumps_are_named_first, unwritten_part,
)  # fmt: skip

# Setup
RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"
PACK, PLAIN = pack(RANKS), ranking(RANKS)
DEAL = DealSpec(each=13, stages=((NAMING, 5), (SECOND, 8)))
# Tricks that make a sweep, hands in a row that make a court, and courts for all thirteen tricks.
FIRST, IN_A_ROW, ALL = 7, 7, 52


class Options(Struct, frozen=True):
    """House rules of Court Piece."""

    hands: Annotated[int, Meta(ge=0, le=999, description="hands of a match; 0 until the table ends it")] = 0
    reset_on_any_court: Annotated[
        bool, Meta(description="after any court the hands in a row are counted from 0 again, not only after the "
                               "seventh")
    ] = False


SETUP, PLAY, REVOKES, COURTS, PASSING = "Setup", "Game play", "Revokes", "Scoring courts", "Passing the deal"


RULES = Catalogue(
    "court-piece",
    rule("R1", SETUP, CONSEQUENCE, "Of the 52 cards each seat is dealt five, and eight more once trumps are named.",
         "the deal", {Deal: in_two_parts}),
    rule("R2", SETUP, DUTY, "The dealer's left names a suit as trumps, once, on the first five cards.",
         "name trumps", {Name: named_mid_deal, Play: trumps_are_named_first}),
    rule("R3", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead"),
    rule("R4", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R5", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R6", REVOKES, RIGHT, "Until the trick is full a seat that did not follow suit may take its card back and "
         "follow; those who played after it may then change their cards too.", "put a revoke right"),
    rule("R7", REVOKES, CONSEQUENCE, "A revoke in an earlier trick that is found while the hand lasts ends it: the "
         "other side wins the hand and a court.", "revoke"),
    rule("R8", COURTS, RIGHT, "A side that has taken the first seven tricks stops the hand, or plays on for all of "
         "them.", "play on"),
    rule("R9", COURTS, CONSEQUENCE, "If both sides have some of the first seven tricks, all thirteen are played.",
         "thirteen tricks"),
    rule("R10", PASSING, DUTY, "A player of the side that lost deals: the dealer's left if the dealer's side won; "
         "else the dealer again, or the dealer's partner if the hand gave a court.", "who deals"),
    rule("R11", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick.",
         "play in turn"),
    rule("R12", COURTS, CONSEQUENCE, "The first seven tricks are a court, all thirteen are 52. The seventh hand won in "
         "a row is a court too, and the count then starts again.", "courts"),
    rule("R13", COURTS, CONSEQUENCE, "After the agreed time or number of hands, the side with more courts wins; with "
         "equal courts the match is drawn.", "the match"),
    rule("R14", SETUP, UNOBSERVABLE, "No player may give advice on trumps. A whisper is not in a record, so a table "
         "that heard one writes a remark."),
)  # fmt: skip

READINGS = {
    "Does a hand won by a sweep or by a revoke count among those in a row?": "yes, and it ends the other side's; a "
    "court of these kinds does not set the count back (option reset_on_any_court)",
    "A sweep, or a revoke, that is the seventh hand in a row": "gives both courts",
    "Do the 52 courts come on top of the court for the sweep?": "no, they take its place",
    "Who deals after a court?": "always the side that lost: the dealer's left if the dealer's side won it, the "
    "dealer's partner if it did not",
    "A trick is lost after a sweep": "the hand may end there, and the court stays; it may be played out too",
    "A revoke of those who play on after a sweep": "forfeits the hand, with the court of the sweep",
    "A revoke of the others after a sweep": "gives the one court; it is not added to that of the sweep",
    "The time is over inside a hand": "the hand does not count, except for the court of a completed sweep",
    "Until when can a revoke be claimed?": "until the last trick is full, or the hand was stopped; then it is too late",
    "Can it be claimed after a trick that was lost after a sweep?": "yes, until the next hand begins",
    "Who may claim it?": "any player who finds it; a claim without a seat is about the player who revoked",
    "Who decides to play on?": "either partner, and the first who does; a lead says it too",
    "Is a revoke put right after the last seat has played?": "no, the trick is full then",
    "A claim that the table turns down": "the play simply goes on",
    "Both sides have revoked": "the first claim that stands decides",
    "In how many packets are the eight dealt?": "in any",
    "A hand that does not count": "is dealt again by the same dealer, and leaves the hands in a row as they were",
}
WORDS = {
    "revoke": "call: claim that a player revoked in an earlier trick; fault: the table saw it and went on",
    "on": "call: play on after the first seven tricks, or after a claim that did not stand; fault: the table does not "
    "let a player play on",
    "stop": "call: end the hand after the first seven tricks",
    "back": "fault: the table does not let a player correct a revoke, or change a card after that",
    "advice": "fault: the table heard advice on trumps",
}


class Hand(TrumpHand):
    """The record of one hand of Court Piece.

    `sweep`: the side that took the first seven tricks. `empty`: the seats with an empty place in the trick, in order of
    play, as they took a card back; `leader` led to it. `mended`: the seats that took a card back, each with the
    number of tricks won before. `accused`: the seats, one of which is said to have revoked; `claimed`: their side;
    `turned_down`: the same while the first card after a rejected claim is played; `was`: phase and turn before it.
    """

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.sweep = ""
        self.empty: tuple[str, ...] = ()
        self.leader = ""
        self.mended: tuple[tuple[str, int], ...] = ()
        self.accused: tuple[str, ...] = ()
        self.claimed, self.turned_down = "", ""
        self.was: tuple[str, tuple[str, ...]] = ("", ())


# Game play
def on_play(play: Play, state: State[Hand]) -> None:
    """Apply a card; after a stop, or after a claim, it shows that the hand goes on."""
    if not state.number:
        ensure_dealt(state)
    if state.phase == SWEEP:
        continue_after_sweep(state)
    taken_back_unwritten(play, state)
    if not put_in_place(play, state):
        on_card(play, state)
    state.hand.turned_down = ""
    stop_at_a_sweep(state)


def on_call(call: Call, state: State[Hand]) -> None:
    """Apply a call: a claim of a revoke; a choice after a sweep; or that play goes on after a claim or a lost trick."""
    if state.number and call.word == "on" and state.phase in (CLAIMED, DECIDED):
        resume(state)
        state.hand.turned_down = ""
    elif state.number:
        on_claim(call, state)
        on_choice(call, state)


def resume(state: State[Hand]) -> None:
    """Go on with a hand that had stopped: a claim was rejected, or a trick was lost after a sweep."""
    if state.phase == DECIDED:
        continue_after_sweep(state)
        return
    claim_did_not_stand(state)
    if state.hand.sweep:
        settle(state)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer unrecorded acts: how the deal or the play went on, or that a new hand has begun."""
    if isinstance(act, Play) and state.phase in (CLAIMED, DECIDED):
        resume(state)
    elif isinstance(act, Name) and state.settled:
        ensure_hand_started(state)
    else:
        unwritten_part(state, act)


# Revokes corrected in their trick. A card taken back is a line of the record, which removes the play before the page
# sees it; an unrecorded correction is inferred from another card of the same seat.
def seat_taking_back(move: Back | Move, state: State[Hand]) -> str:
    """The seat that takes a card of the trick back to its hand; "" for any other move."""
    if isinstance(move, Back):
        return move.by if move.by in state.terms.seats else ""
    seat = move.to.removeprefix("hand:")
    return seat if move.src == "trick" and seat in state.terms.seats else ""


def place_in_trick(seat: str, state: State[Hand]) -> int | None:
    """The place of a seat's card in the trick in progress, 0 for the lead; None if it has none there."""
    return next((i for i, (who, _) in enumerate(state.hand.trick.plays) if who == seat), None)


def mended_before(seat: str, state: State[Hand]) -> bool:
    """True if a player before this seat has taken a card back in the trick in progress."""
    hand = state.hand
    here = [who for who, number in hand.mended if number == len(hand.trick.won)]
    plays = hand.trick.plays
    leader = plays[0][0] if plays and not hand.empty else hand.leader
    order = state.terms.in_turn(leader) if here and leader else ()
    return bool(order) and any(order.index(who) < order.index(seat) for who in here)


def may_not_take_back(seat: str, state: State[Hand]) -> CheckResult | None:
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


@RULES.check("R6", Back, Move)
def revoke_put_right(move: Back | Move, state: State[Hand]) -> CheckResult | None:
    """A revoke is corrected until the trick is full, by its player; later players may then change their cards."""
    seat = seat_taking_back(move, state)
    if not seat or state.hand is None:
        return None
    if move.by not in (seat, "@"):
        return broken(f"{seat} played the card, so only {seat} may take it back")
    return may_not_take_back(seat, state)


@RULES.check("R6", Fault)
def kept_from_putting_it_right(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """A denial of this right (`fault back E`) is wrong if the seat may take its card back."""
    if fault.word != "back" or not state.number or not fault.who:
        return None
    why = may_not_take_back(fault.who, state)
    if why is None:
        return broken(f"the trick is not full, and {fault.who} may take the card back")
    return why if why.verdict == "open" else None


def replaces_its_card(play: Play, state: State[Hand]) -> bool:
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


@RULES.check("R11", Play)
def in_turn_or_in_place(play: Play, state: State[Hand]) -> CheckResult | None:
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


def taken_back_unwritten(play: Play, state: State[Hand]) -> None:
    """Infer that a card was taken back, if another one is played in its place."""
    if not replaces_its_card(play, state):
        return
    seat = play.by
    card = next(code for who, code in state.hand.trick.plays if who == seat)
    state.infer(f"{seat} took the {state.game.pack.shown(card)} back before this (not recorded)")
    take_up_from_trick(seat, state)


def on_back(back: Back, state: State[Hand]) -> None:
    """Note that a player has taken a card back: later players may change theirs."""
    shown_as_taken_back(back, state)
    if state.number and not state.settled and back.by in state.terms.seats:
        state.hand.mended = (*state.hand.mended, (back.by, len(state.hand.trick.won)))


def take_up_from_trick(seat: str, state: State[Hand]) -> None:
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


def put_in_place(play: Play, state: State[Hand]) -> bool:
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
    assert row is not None
    row.insert(at, row.pop())
    tricks.plays.insert(at, (play.by, row[at]))
    if not at:
        tricks.led = tricks.suits.of[row[at]]
        tricks.strength = tricks.power[tricks.led]
        tricks.values = tricks.strength.values
    weigh_again(tricks)
    next_place_or_seat(state)
    return True


def next_place_or_seat(state: State[Hand]) -> None:
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


# Sweeps: the hand is scored at the stop, and is not over while it may go on, in the phase `SWEEP`, or `DECIDED` once a
# trick was lost after it. `call stop` and `call on` are the choices; a lead means `on`, the next hand `stop`.
SWEEP, DECIDED = "sweep", "decided"


def sweepers(state: State[Hand]) -> tuple[str, ...]:
    """The sides that may have all of the first seven tricks; empty while fewer were played."""
    tricks: Tricks = state.hand.trick
    if len(tricks.won) < FIRST or tricks.lost:
        return ()
    side_of = state.terms.side_of
    sides = set(state.terms.sides)
    for trick in tricks.won[:FIRST]:
        side = owner(trick, side_of)
        sides &= {side} if side else {side_of[seat] for seat in trick.winners}
    return tuple(side for side in state.terms.sides if side in sides)


def stop_at_a_sweep(state: State[Hand]) -> None:
    """Stop the hand after the first seven tricks if one side has them all, and after a later trick that it loses."""
    hand, tricks = state.hand, state.hand.trick
    if state.settled or tricks.plays or tricks.lost or state.phase != "play" or len(tricks.won) < FIRST:
        return
    won = len(tricks.won)
    if won == FIRST and not hand.sweep:
        sides = sweepers(state)
        if len(sides) == 1 and all(owner(trick, state.terms.side_of) for trick in tricks.won):
            hand.sweep = sides[0]
            stand_still(SWEEP, state)
    elif hand.sweep and won > FIRST and owner(tricks.won[-1], state.terms.side_of) not in ("", hand.sweep):
        stand_still(DECIDED, state)


def stand_still(phase: str, state: State[Hand]) -> None:
    """Score the hand as it is; it may go on."""
    leader = state.turn
    finish_hand(state)
    state.phase = phase
    if phase == SWEEP:
        sides, side_of = state.terms.sides, state.terms.side_of
        state.turn = (*leader, *(seat for seat in sides[side_of[leader[0]]] if seat not in leader))


def continue_after_sweep(state: State[Hand]) -> None:
    """Go on with the hand after a stop; it keeps its score so far."""
    state.settled = False
    state.phase, state.turn = "play", state.hand.trick.won[-1].winners


def on_choice(call: Call, state: State[Hand]) -> None:
    """Apply the choice of the side that swept: stop the hand, or play on."""
    if state.phase == SWEEP and call.word == "on":
        continue_after_sweep(state)
    elif state.phase == SWEEP and call.word == "stop":
        state.phase, state.turn = "between", ()


def begin_after_a_stop(hand: HandEvent, state: State[Hand]) -> None:
    """Begin the next hand. If the one before broke off after seven tricks, it was stopped there, so the side that may
    have them all has them."""
    if state.number and not state.settled:
        tricks: Tricks = state.hand.trick
        sides = sweepers(state) if len(tricks.won) == FIRST and not tricks.plays else ()
        if len(sides) == 1 and not state.hand.sweep:
            state.infer(f"the hand stopped after {FIRST} tricks: {sides[0]} took them all")
            state.hand.sweep = sides[0]
            finish_hand(state)
    new_hand(hand, state)


@RULES.check("R8", Call)
def sweepers_choose(call: Call, state: State[Hand]) -> CheckResult | None:
    """Only the side that swept stops the hand or plays on."""
    if call.word not in ("on", "stop"):
        return None
    if call.word == "on" and state.number and state.settled and not state.turn and state.phase != "between":
        # The call says that the hand goes on after a stop; no rule says who may say it.
        return None
    if not state.number or (state.settled and not state.turn):
        return broken("no hand is in play, so there is no choice to make")
    hand = state.hand
    if state.phase == SWEEP:
        right = state.terms.side_of[call.by] == hand.sweep
        return None if right else broken(f"{hand.sweep} took the first {FIRST} tricks and chooses")
    if hand.sweep:
        return broken(f"{hand.sweep} chose before this to play on")
    tricks: Tricks = hand.trick
    if tricks.lost or (len(tricks.won) == FIRST and not tricks.plays and sweepers(state)):
        return unknown(f"who took the first {FIRST} tricks")
    return broken(f"no side has just taken all of the first {FIRST} tricks")


@RULES.check("R8", Fault)
def kept_from_playing_on(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Check a fault (`fault on E`) by which the table denies the side that swept its right to play on."""
    if fault.word != "on" or state.phase != SWEEP:
        return None
    swept = state.hand.sweep
    if fault.who and state.terms.side_of.get(fault.who) != swept:
        return None
    return broken(f"{swept} took the first {FIRST} tricks and may play on")


@RULES.check("R3", Play)
def lead_or_play_on(play: Play, state: State[Hand]) -> CheckResult | None:
    """The leader leads; after a sweep the winner of the last trick leads to play on."""
    if state.phase != SWEEP:
        return first_lead(play, state)
    return None if play.by == state.turn[0] else broken(f"{state.turn[0]} won the last trick and leads")


def stop_or_play_on(seat: str, state: State[Hand]) -> Iterator[Event]:
    """What the side that swept may do: stop, say that it plays on, or lead."""
    yield from (Call(by=seat, word=word) for word in ("stop", "on"))
    if seat == state.turn[0]:
        yield from try_each_card(seat, state)


def on_gap_after_a_stop(gap: Gap, state: State[Hand]) -> None:
    """Apply a gap: a hand that had stopped is over."""
    if state.number and state.settled and state.phase in state.game.phases:
        state.phase, state.turn = "between", ()
    TRICKS[Gap](gap, state)


def plays_up_to_a_sweep(first: InItsPlace, later: Iterator[InItsPlace], state: State[Hand]) -> InItsPlace | None:
    """Apply legal plays up to the trick that may stop the hand, and after it. Return the first event not applied."""
    hand, tricks = state.hand, state.hand.trick
    left = len(tricks.seats) * (FIRST - len(tricks.won)) - len(tricks.plays)
    if hand.sweep or hand.empty or hand.turned_down:
        return first
    if left <= 0:
        return plays_in_order(first, later, state)
    stopped = plays_in_order(first, islice(later, left - 1), state)
    if len(tricks.won) < FIRST:
        return stopped
    stop_at_a_sweep(state)
    act = next(later, None) if stopped is None else stopped
    return act if act is None or state.phase != "play" else plays_in_order(act, later, state)


# Revokes that are claimed later: `call revoke E` says that E revoked in a full trick, `call revoke` that anybody did
CLAIMED = "claimed"
REVOKE = "revoke"


def not_followed(seat: str, state: State[Hand]) -> tuple[int, int, bool]:
    """What a seat did in the tricks that are full: the mask of suits that it did not follow, the mask of those that it
    played later and so had held, and True if an unseen card leaves more open.

    No card comes to a hand after the deal, so what is played later was held before.
    """
    tricks: Tricks = state.hand.trick
    suits, missed, later, doubt = tricks.suits, 0, 0, tricks.lost
    for plays in (*(trick.plays for trick in tricks.won), tuple(tricks.plays)):
        card = next((code for who, code in plays if who == seat), None)
        if card is None:
            continue
        led, suit = suits.of[plays[0][1]], suits.of[card]
        later |= missed & suits.sure.get(suit, 0)
        # An unseen card may be of a suit that was not followed before.
        doubt = doubt or (suit == "?" and missed != 0)
        if plays[0][0] == seat or len(plays) < len(tricks.seats):
            continue
        if "?" in (led, suit):
            doubt = True
        elif led != suit:
            missed |= suits.sure.get(led, 0)
    return missed, later, doubt


def has_revoked(seat: str, state: State[Hand]) -> bool | None:
    """True if a seat did not follow suit in a full trick although it held the suit; None if hidden cards decide it."""
    missed, later, doubt = not_followed(seat, state)
    held = state.holding(seat).any_of(missed) if missed else False
    return True if later or held else None if doubt or held is None else False


def suits_missed(seat: str, state: State[Hand]) -> str:
    """The suits that a seat did not follow, in words."""
    sure, (missed, _, _) = state.hand.trick.suits.sure, not_followed(seat, state)
    return one_of(SUIT_NAMES[suit] for suit in SUITS if missed & sure[suit]) or "the suit led"


def accused(call: Call, state: State[Hand]) -> tuple[str, ...]:
    """The seats accused by a claim: the one named, else all seats, the other side first."""
    if call.who in state.terms.seats:
        return (call.who,)
    side_of, seats = state.terms.side_of, state.terms.seats
    return tuple(sorted(seats, key=lambda seat: side_of[seat] == side_of[call.by]))


def is_too_late_to_claim(state: State[Hand]) -> bool:
    """Return True if nothing can be claimed any more. A hand that is decided may still be played out, so it is not over
    before the next one begins."""
    return not state.number or (state.settled and not state.turn and state.phase != DECIDED)


@RULES.check("R7", Call)
def claim_is_founded(call: Call, state: State[Hand]) -> CheckResult | None:
    """A revoke is claimed while the hand lasts, and a seat accused of it made one in a full trick."""
    if call.word == "on" and state.number and state.phase == CLAIMED:
        # A player says that play goes on, as the claim was rejected.
        return no_more_play(state.hand.claimed, state)
    if call.word != REVOKE:
        return None
    if is_too_late_to_claim(state):
        return broken("the hand is over, so no revoke can be claimed")
    seats = accused(call, state)
    found = [has_revoked(seat, state) for seat in seats]
    if True in found:
        return None
    if None in found:
        seat = seats[found.index(None)]
        return unknown(f"whether {seat} held {suits_missed(seat, state)}")
    who = seats[0] if len(seats) == 1 else "everybody"
    return broken(f"{who} followed suit in each full trick, or could not")


@RULES.check("R7", Play)
def ends_the_hand(play: Play, state: State[Hand]) -> CheckResult | None:
    """After a claim that is right the hand is over."""
    return no_more_play(state.hand.turned_down, state)


def no_more_play(said: str, state: State[Hand]) -> CheckResult | None:
    """Return broken if the hand is over because of a claim about this side, which is known to have revoked."""
    if not said or not any(has_revoked(seat, state) for seat in state.hand.accused):
        return None
    return broken(f"a revoke of {said} was claimed, and the hand is over")


def on_claim(call: Call, state: State[Hand]) -> None:
    """Apply a claim: the hand ends for the accused side. Before a trick is full there can be no revoke."""
    hand = state.hand
    if call.word != REVOKE or is_too_late_to_claim(state) or not (hand.trick.won or hand.trick.lost):
        return
    if state.phase == DECIDED:
        continue_after_sweep(state)
    hand.was = (state.phase, state.turn)
    hand.accused = seats = accused(call, state)
    hand.claimed = state.terms.side_of[next((seat for seat in seats if has_revoked(seat, state)), seats[0])]
    finish_hand(state)
    state.phase = CLAIMED


def claim_did_not_stand(state: State[Hand]) -> None:
    """Go on with the hand, as a card was played after a claim."""
    hand = state.hand
    hand.turned_down, hand.claimed = hand.claimed, ""
    reopen_hand(state)
    state.phase, state.turn = hand.was
    state.infer("the claim of a revoke was rejected: the play goes on")


def founded_claims(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each claim of a revoke that is known to be right."""
    return (Call(by=seat, word=REVOKE, who=who) for who in state.terms.seats if has_revoked(who, state))


def whoever_revoked(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """A claim as it is typed: a seat may be in lower case."""
    if isinstance(event, Call) and event.word == REVOKE and event.what.upper() in state.terms.seats:
        return (replace(event, what="", who=event.what.upper()),)
    return (event,)


ROW = "in a row"
BROKEN_OFF = "broken off"
"""Result of a hand without a winner, as it was not played to its end."""


class Streak(Standing, frozen=True):
    """The standing, and how many hands in a row each side has won; None if unknown."""

    row: Points = field(default_factory=dict)


def won_by(hand: HandScore | None) -> str:
    """The side that won a hand; empty if none did, or it is unknown."""
    row = next((line.amounts for line in hand.lines if line.label == ROW), {}) if hand is not None else {}
    return next((side for side, n in row.items() if n != 0), "")


def one_hand_more(before: Standing, hand: HandScore, *, anew: bool) -> Streak:
    """The standing after one more hand. `anew`: counts in a row restart at 0 after it. A hand without a winner leaves
    them, or makes them unknown if it was played out."""
    assert isinstance(before, Streak)
    row = next((line.amounts for line in hand.lines if line.label == ROW), before.row)
    played = hand.source != "void" and hand.result != BROKEN_OFF
    if played and not won_by(hand):
        row = dict.fromkeys(before.row)
    totals = add_points(before.totals, hand.points)
    return replace(before, totals=totals, row=dict.fromkeys(row, 0) if anew else row, hands=before.hands + played)


def row_in_words(standing: Standing) -> dict[str, str]:
    """The hands in a row of each side, in words for the view of the table."""
    row = {side: n for side, n in getattr(standing, "row", {}).items() if n}
    return {ROW: " ".join(f"{side} {n}" for side, n in row.items())} if row else {}


def shuffle_and_deal_until_enough(state: State[Hand], random: Random) -> list[Event]:
    """Chance events between two hands; without an agreed number of `hands` the table ends the match after a while."""
    if state.settled and state.number > 1 and not state.terms.options.hands and random.random() < 0.1:
        return [End(by="@", what="match", why="time")]
    return shuffle_and_deal(state, random)


# Passing the deal
def dealers(state: State[Hand]) -> tuple[str, ...]:
    """The seats that may have to deal the next hand: one, if the result of the last one is known."""
    s, terms = state.scores[-1] if state.scores else None, state.terms
    dealer = state.dealer if s is None else s.dealer
    winner, partner = won_by(s), state.terms.left(dealer, 2)
    if s is None or s.source == "void" or s.result == BROKEN_OFF:
        return (dealer,)
    if not winner:
        return terms.seats
    if terms.side_of[dealer] == winner:
        return (terms.left(dealer),)
    courts = s.points.get(winner)
    return (dealer, partner) if courts is None else (partner,) if courts else (dealer,)


def next_dealer(state: State[Hand]) -> str:
    """The next dealer; the same dealer again if that is unknown."""
    due = dealers(state)
    return due[0] if len(due) == 1 else state.dealer


@RULES.check("R10", HandEvent)
def a_loser_deals(hand: HandEvent, state: State[Hand]) -> CheckResult | None:
    if not is_next_hand(hand, state) or state.stop_reason or state.score is None or state.score.source == "void":
        return None
    due = dealers(state)
    if due == (hand.by,):
        return None
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if hand.by in due:
        return unknown("who won the hand, and with a court or without")
    return broken(f"{one_of(due)} deals, not {hand.by}")


def a_sweep_and_a_loss(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: reported tricks, sweep, revoke and winner must agree."""
    terms, sides = state.terms, tuple(state.terms.sides)
    tricks = {side: n for side in sides if type(n := known.get(f"tricks.{side}")) is int}
    swept, revoked, won = (side_named(known.get(key), terms) for key in ("sweep", "revoke", "winner"))
    fewer = len(tricks) == len(sides) and sum(tricks.values()) < DEAL.each
    if swept and tricks.get(swept, FIRST) < FIRST:
        return f"{swept} cannot have swept the first seven tricks with {tricks[swept]}"
    # A side that goes on after a sweep loses one trick, and the hand is decided; with more the rest was played out.
    if fewer and not revoked and (max(tricks.values()) < FIRST or (not swept and min(tricks.values()) > 1)):
        told = " and ".join(map(str, tricks.values()))
        return f"{told} do not add up to {DEAL.each} tricks, and no side swept seven"
    if won and won == revoked:
        return f"{won} revoked and cannot have won the hand"
    if won and not revoked and (tricks.get(won, FIRST) < FIRST or swept not in ("", won)):
        return f"{won} cannot have won the hand with {tricks.get(won, 'the sweep of the others')}"
    return ""


class Tally(TallyFacts):
    """What a hand of Court Piece is scored from; sides are None if not reported."""

    winner: str | None = side("side that won the hand", asks="who won the hand")
    tricks: Points = or_said(of_the("winner", grows(counts(
        "tricks taken by a side", of=DEAL.each, fewest=0, rule="R9",
        ruling="tricks that a side gets, or gives with a minus",
    ))), sweep={"sweep": "{}"}, revoke={"revoke": "{other}"})  # fmt: skip
    trump: str = choice("suit that was trumps", *SUITS, rule="R2")
    sweep: str | None = bounded(lambda state: {"": may_sweep(state)}, unasked(side(
        "side that took the first seven tricks", ruling="side that has the first seven tricks",
    )))  # fmt: skip
    revoke: str | None = unasked(side(
        "side that forfeits the hand by a revoke", ruling="side that forfeits the hand",
    ))  # fmt: skip
    courts: Points = unasked(figures(
        "courts of a side, as somebody decided", 0, ALL + 1, rule="R12", ruling="courts that the hand gives a side",
    ))  # fmt: skip

    laws = (Law(("winner", "tricks", "sweep", "revoke"), a_sweep_and_a_loss, "R9"),)


def may_sweep(state: State[Hand]) -> str | tuple[str, ...] | None:
    """"" if both sides have one of the first seven tricks; the one side that has, or nobody; None if neither has."""
    tricks = state.hand.trick
    owners = {certain_owner(trick, state.terms.side_of) for trick in tricks.won[:FIRST]} - {""}
    return None if tricks.lost or not owners else "" if len(owners) > 1 else (*owners, "-")


def tally(state: State[Hand]) -> Tally:
    hand, tricks = state.hand, state.hand.trick
    played: Points = dict.fromkeys(state.terms.sides)
    if hand.sweep or (len(tricks.won) == DEAL.each and not tricks.lost):
        played = tricks.taken_by(state.terms.side_of)
    moves = Tally(tricks=played, sweep=hand.sweep or None, revoke=hand.claimed or None, trump=hand.trump)
    t = apply_reported_facts(moves, state)
    known, may = {side: n for side, n in t.tricks.items() if n is not None}, may_sweep(state)
    if t.revoke:
        t.winner = state.terms.other(t.revoke)
        return t
    if len(known) == 1 and 0 in known.values():
        t.sweep = t.sweep or state.terms.other(next(iter(known)))
    ahead = [side for side, n in known.items() if n >= FIRST]
    if len(known) == 2 and (0 in known.values() or sum(known.values()) < DEAL.each) and ahead and (
        may is None or ahead[0] in may
    ):
        t.sweep = t.sweep or ahead[0]
    t.winner = t.sweep or (ahead[0] if ahead else t.winner or scorer_told(state) or None)
    if t.sweep and not known:
        # A sweep reported without tricks was stopped, as is the custom.
        t.tricks = {side: FIRST * (side == t.sweep) for side in t.tricks}
    return t


def courts_of(t: Tally, row: int | None) -> tuple[int | None, list[str]]:
    """The courts of the winner, whose `row` is the number of hands won in a row with it, and the sums.

    >>> courts_of(Tally("NS", {"NS": 8, "EW": 5}), 7)
    (1, ['seventh hand in a row: 1'])
    >>> courts_of(Tally("EW", {"NS": 0, "EW": 13}, sweep="EW"), 1)
    (52, ['all thirteen tricks: 52'])
    >>> courts_of(Tally("NS", {"NS": 7, "EW": 0}, sweep="NS"), 7)
    (2, ['the first seven tricks: 1', 'seventh hand in a row: 1'])
    """
    sums, got = [], 0
    if not t.revoke and None in t.tricks.values():
        # A win does not say how it was won: the side may have swept the first seven tricks, or all.
        return None, []
    if t.revoke:
        got, sums = 1, ["revoke of the others: 1"]
    elif t.sweep and t.tricks.get(t.sweep) == DEAL.each:
        got, sums = ALL, [f"all thirteen tricks: {ALL}"]
    elif t.sweep:
        got, sums = 1, ["the first seven tricks: 1"]
    if row == IN_A_ROW:
        got, sums = got + 1, [*sums, "seventh hand in a row: 1"]
    return (None if row is None else got), sums


BY_A_REVOKE = "by a revoke"


def said_of(t: Tally, state: State[Hand]) -> str:
    """The result of a hand in words."""
    if t.winner is None:
        return ""
    name, known = state.terms.name(t.winner), list(t.tricks.values())
    if t.revoke:
        return f"{name} {BY_A_REVOKE}"
    figures = "" if None in known else "–".join(figure(n) for n in sorted(known, key=lambda n: -(n or 0)))
    return f"{name} {'swept' if t.sweep else 'won'} {figures}".strip()


def penalties(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """Penalties: the first proven revoke of a hand forfeits it, with a court for the others, unless it was claimed."""
    claimed = {s.number for s in state.scores if s.result.endswith(BY_A_REVOKE)}
    found: dict[int, Breach] = {}
    for breach in sorted(breaches, key=lambda b: b.pos):
        if breach.rule == "court-piece.R4" and breach.by in state.terms.side_of and breach.hand not in claimed:
            found.setdefault(breach.hand, breach)
    for breach in found.values():
        guilty = state.terms.side_of[breach.by]
        name = state.terms.name
        text = f"{name(guilty)} forfeit the hand, and {name(state.terms.other(guilty))} score a court"
        yield Penalty(breach.hand, breach.pos, "court-piece.R7", {"revoke": guilty}, text)


def score(state: State[Hand]) -> HandScore:
    t, before = tally(state), state.before
    assert isinstance(before, Streak)
    trumps = GLYPHS.get(t.trump, "")
    nothing: Points = dict.fromkeys(state.terms.sides, 0)
    if t.void or not (t.sweep or t.revoke):
        over = counts_nothing(state, t.void, contract=trumps)
        if over is not None:
            return over
    if t.winner is None and state.stop_reason:
        return hand_score(state, nothing, contract=trumps, result=BROKEN_OFF, notes=("broken off; no side wins it",))
    if t.winner is None:
        return hand_score(state, dict.fromkeys(nothing), contract=trumps, unknown=["who won the hand"])
    row = plus(before.row[t.winner], 1)
    courts, sums = courts_of(t, row)
    points: Points = {side: courts if side == t.winner else 0 for side in nothing} | t.courts
    lines = (
        *((ScoreLine("tricks", t.tricks),) if None not in t.tricks.values() else ()),
        ScoreLine("courts", points, {t.winner: ", ".join(sums)} if sums else {}),
        ScoreLine(ROW, {side: row if side == t.winner else 0 for side in nothing}),
    )
    why = "how many hands in a row were won" if row is None else "whether the first seven tricks were swept"
    missing = [why] if courts is None else []
    return hand_score(state, points, lines, contract=trumps, result=said_of(t, state), unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Streak:
    """The standing: the seventh hand in a row restarts the count; after the agreed hands the match is over."""
    options, winner = terms.options, won_by(hand)
    row = next((line.amounts for line in hand.lines if line.label == ROW), {}).get(winner)
    court = options.reset_on_any_court and bool(hand.points.get(winner))
    now = one_hand_more(before, hand, anew=row == IN_A_ROW or court)
    return highest_has_won(now, terms) if options.hands and now.hands >= options.hands else now


def who_is_meant(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by a line without one: after a sweep the leader; any seat may say that play goes on."""
    if state.phase in (CLAIMED, DECIDED):
        return state.terms.seats[:1]
    return state.turn[:1] if state.phase == SWEEP else state.turn


GAME = Game(
    key="court-piece", name="Court Piece", family="tricks", summary=summary_of(__doc__),
    seating=partnerships(), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=next_dealer, chance=shuffle_and_deal_until_enough,
        chance_acts_first=second_deal_is_due,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(name_trumps_first, Hand),
    phases={
        **PARTS,
        "play": Phase(
            "play", (Play, Call, Name), "a card", to_do="play", one_card=True, verb_required=(Name,),
            tries=(try_each_card, founded_claims), apply_batch=plays_up_to_a_sweep,
        ),
        SWEEP: Phase(
            "after the first seven tricks", (Call, Play), "stop, on, or a card that plays on; or the next hand",
            to_do="stop or play on", one_card=True, tries=(stop_or_play_on,),
        ),
        DECIDED: Phase("after a lost trick", (Call,), "the next hand, or on", to_do="go on"),
        CLAIMED: Phase("after a claim", (Call,), "the next hand; or on, if the claim did not stand", to_do="go on"),
        "between": Phase("between two hands", (Call,), "the next hand"),
        "gap": Phase("after a gap", (Deal, Name, Play, Call), "whatever comes next", to_do="go on"),
    },
    on={
        **NAMED_MID_DEAL, Play: on_play, Back: on_back, Move: gathered_by, Call: on_call, Gap: on_gap_after_a_stop,
        HandEvent: begin_after_a_stop,
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: Streak(totals=dict.fromkeys(terms.sides, 0), row=dict.fromkeys(terms.sides, 0)),
        ended_by_the_table=highest_has_won, hand_points="tricks",
    ),
    sheet=we_they(
        {"trumps": contract, "result": result_text},
        {"{} in a row": figure_of_line(ROW), "{} ±": gained, "{} courts": running_total}
    ),
    judging=Judging(said_any_time=frozenset(("revoke",)), penalties=penalties),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(expand=whoever_revoked, implied_actor=who_is_meant, led=suit_led),
    display=Display(
        headline=lambda state: {**trump_named(state), **row_in_words(state.before)}, last_outcome_text=just_taken,
        contract=sign_of_trumps,
    ),
)  # fmt: skip
