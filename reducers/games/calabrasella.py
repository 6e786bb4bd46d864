"""Calabrasella: one player against two, with a three from one of them and up to four cards of the widow; thirty-five
points in aces, threes, twos, face cards and the last trick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many, pretty
from events.model import Bid, Deal, Discard, Draw, Event, Move, Name, Pass, Pay, Play, Show
from events.model import Hand as HandEvent
from reducers.model import HandRecord
from reducers.page import (
    changes_hands, finish_hand, on_move, on_show, begin_with, CONSEQUENCE, DUTY, WHO_DEALS, Catalogue, CheckResult,
    DealSpec, Game, Dealing, MatchRules, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase,
    Points, State, TallyFacts, try_pass, as_many_as_dealt, bounded, broken, contract, counts_nothing, deals_next,
    try_each_card, face_down, gained, hand_of, hand_score, ledger, number, apply_reported_facts, pack, ranking,
    ensure_dealt, result_text, rule, seat, settlement_sheet, shuffle_and_deal, singles, summary_of, running_total,
    unasked, unknown, why_void, HandsInMatch,
)  # fmt: skip
from reducers.piles import Lies
from reducers.silent_acts import put_in_unwritten
from reducers.table import Pile
from reducers.words import one_round
from reducers.words.act_batches import plays_in_order
from reducers.words.auction import Auction
from reducers.words.bank import most_chips
from reducers.words.card_points import CardPoints, trick_taker
from reducers.words.deals import whole_deal
from reducers.words.one_round import GONE_BY, call_in_turn, gone_by
from reducers.words.reported_cards import seen_in_pile
from reducers.words.trick_play import (
    winner_leads_next, first_to_act, TRICKS, Tricks, just_taken, is_led, must_follow_suit, on_card, one_card_in_turn,
    strengths, suit_led,
)  # fmt: skip
from reducers.words.tricks import gathered_by, winner_gathers

# Setup
PACK = pack("3 2 A K Q J 7 6 5 4")
DEAL = DealSpec(each=12, then=(face_down(4, "widow"),))

# Card ranking: the queen stands above the jack here.
PLAIN = ranking("3 2 A K Q J 7 6 5 4")
THREES, TWOS = PACK.rank["3"], PACK.rank["2"]
NAMEABLE = tuple(rank + suit for rank in "32" for suit in "cdhs")

# Scoring
WORTH = CardPoints(PACK, {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}, last=3)
WHOLE = WORTH.whole(tricks=DEAL.each)
MOST_ASIDE = 12
# Four aces count 12, three with another card no more than 10.
NONE_ASIDE = 11


class Options(Struct, frozen=True):
    """House rules of Calabrasella."""

    hands: HandsInMatch = 12
    stake: Annotated[int, Meta(ge=1, le=1_000_000, description="chips for a point")] = 1
    aside_to: Annotated[
        Literal["none", "last_trick"], Meta(description="who has the points of the cards put aside")
    ] = "none"


SETUP, BIDDING, PLAY, SCORING = "Setup", "Bidding and exchanging cards", "Play of the hand", "Scoring"
RULES = Catalogue(
    "calabrasella",
    rule("R1", SETUP, CONSEQUENCE, "All forty cards are dealt: twelve to each seat, and four to the widow.",
         "the deal", {Deal: as_many_as_dealt}),
    rule("R2", BIDDING, DUTY, "From the dealer's left each seat passes or plays, once; the first to play is the "
         "declarer, and the bidding is over.", "pass or play",
         {(Bid, Pass): call_in_turn}),
    rule("R3", BIDDING, DUTY, "If all three pass, the hand is void, and the next seat deals.", "three passes"),
    rule("R4", BIDDING, DUTY, "The declarer names a three not in hand; with all four threes, a two not in hand.",
         "name a card"),
    rule("R5", BIDDING, DUTY, "Whoever holds the card that was named hands it to the declarer.",
         "hand it over"),
    rule("R6", BIDDING, DUTY, "The declarer gives the holder one other card for it.",
         "give one back"),
    rule("R7", BIDDING, DUTY, "If the card is in the widow, there is no exchange, and no other card is named.",
         "no other exchange"),
    rule("R8", BIDDING, DUTY, "The declarer discards one to four cards before the widow is turned up.",
         "discard"),
    rule("R9", BIDDING, DUTY, "The declarer takes from the widow the number of cards discarded, and none of the "
         "discards.",
         "take from the widow"),
    rule("R10", PLAY, DUTY, "The declarer's left leads to the first trick, regardless of the dealer.",
         "first lead"),
    rule("R11", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R12", PLAY, DUTY, "The highest card of the suit led wins the trick, and its player leads to the next; the "
         "defenders keep their tricks together.", "who wins"),
    rule("R13", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to each of twelve tricks.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R14", SCORING, CONSEQUENCE, "An ace counts 3, a three, two or face card 1, the last trick 3; cards put "
         "aside count for no side.", "thirty-five points"),
    rule("R15", SCORING, CONSEQUENCE, "Each defender pays the declarer the difference, or receives it; at 35 to "
         "nothing it is doubled.", "the payment"),
)  # fmt: skip

READINGS = {
    "Do the cards put aside count?": "not by the text, which takes them out of play; option aside_to=last_trick gives "
    "them to the winner of the last trick",
    "33 to nothing": "is not doubled: the text speaks of 35",
    "Level": "no player pays; this needs an odd number of points put aside",
    "All four threes and all four twos": "there is no card to name; the declarer goes on to the discard",
    "May the card be given back that was just received?": "no; it is another card that is given for it",
    "May the declarer name a card in the widow?": "yes: the widow is not seen yet, and the card may be taken from it",
    "May the declarer discard cards that count?": "yes, the three received among them",
    "Who leads if the declarer's left has dealt?": "still the declarer's left",
    "Who deals after a hand that was played?": "the next on the left, as after three passes",
    "How long is a match?": "the text has no end: after option hands the most chips win; hands=0 goes on until "
    "`end match`. A hand that all three passed does not count",
    "Running out of chips": "is left to the table; a balance may be negative",
    "An unrecorded exchange": "is no breach, unless the cards show that there was none: the declarer plays twelve "
    "seen cards, none of them from the widow, or from a defender",
    "Whose are the tricks of the defenders?": "they belong to both; a `move` may name either",
}


class Hand(HandRecord):
    """The record of one hand of Calabrasella.

    `named`: the card that was named. `holder`: the seat that handed it over. `thrown`: number of cards discarded (None
    if uncounted); `drawn`: number taken. `turned`: the widow was seen to be turned up. `passed_over`: the position of
    an act that shows that parts of the hand were not recorded, and these parts. `before`: the bags of the declarer's
    cards before that, if all were seen, and of those in the widow.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.auction = Auction()
        self.named = self.holder = ""
        self.thrown: int | None = 0
        self.drawn = 0
        self.turned = False
        self.passed_over: tuple[int, tuple[str, ...]] = (0, ())
        self.before = 0, 0
        self.trick = Tricks(state, DEAL.each)
        self.trick.power = strengths(PACK, PLAIN, "")

    @property
    def declarer(self) -> str:
        """The seat that plays alone; empty if there is none yet, or it is unknown."""
        return self.auction.bidder


ALONE, AGAINST = "declarer", "defenders"
GONE = "that may be missing from the record"


def defenders(state: State[Hand]) -> tuple[str, ...]:
    """The seats that play together against the declarer."""
    return tuple(seat for seat in state.terms.seats if seat != state.hand.declarer)


def not_the_declarer(event: Event, state: State[Hand], does: str) -> CheckResult | None:
    """Check an act that is reserved for the declarer: unknown if the declarer is, broken if another seat acts."""
    declarer = state.hand.declarer
    if gone_by(state):
        return unknown(GONE_BY)
    if not declarer:
        return unknown(f"who plays alone; {GONE}")
    return None if event.by == declarer else broken(f"{declarer} plays alone and {does}")


@RULES.check("R2", Bid)
def there_is_one_bid(bid: Bid, state: State[Hand]) -> CheckResult | None:
    """A seat passes or bids to play; there is nothing to outbid."""
    return None if bid.level is None and bid.strain in ("", "play") else broken("a seat passes, or bids to play")


def on_bid(bid: Bid, state: State[Hand]) -> None:
    """The first bidder plays alone, and the calls end; the page's next phase is called `naming`."""
    one_round.prepare_call(bid.by, state)
    state.hand.auction.bid(bid)
    if state.phase == "auction":
        state.phase, state.turn = "naming", (bid.by,)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """Record a pass; if all have passed, end the hand."""
    one_round.prepare_call(act.by, state)
    state.hand.auction.passed(act.by)
    if not one_round.call_goes_on(state):
        finish_hand(state)


def the_play_begins(state: State[Hand]) -> None:
    """Start the play: the seat left of the declarer leads, any seat if the declarer is unknown."""
    declarer = state.hand.declarer
    state.phase, state.turn = "play", (state.terms.left(declarer),) if declarer else state.terms.seats


@RULES.check("R10", Play)
def the_declarers_left_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    """The seat left of the declarer leads to the first trick, whichever seat dealt."""
    trick = state.hand.trick
    if trick.plays or trick.won:
        return None
    if trick.lost:
        return unknown(GONE_BY)
    if not state.hand.declarer:
        return unknown(f"who plays alone; {GONE}")
    right = state.terms.left(state.hand.declarer)
    return None if play.by == right else broken(f"{right} sits left of {state.hand.declarer}, the declarer, and leads")


@RULES.check("R12", Move)
def the_winners_side_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    """The winner's side gathers the trick; each defender may take it for the defenders."""
    hand = state.hand
    says = winner_gathers(move, state) if hand is not None else None
    if says is None or not hand.declarer or hand.trick.plays or not hand.trick.won:
        return says
    return says if hand.declarer in (move.to[4:], *hand.trick.won[-1].winners) else None


def sides_of(declarer: str, state: State[Hand]) -> dict[str, str]:
    """The side of each seat: the declarer's, or the defenders'."""
    return {one: ALONE if one == declarer else AGAINST for one in state.terms.seats}


@RULES.check("R15", Pay)
def paid_what_is_due(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """Chips are paid after the hand, one payment for each defender or for both at once."""
    last = state.score if state.number and state.settled else None
    if last is None or pay.by not in state.terms.seats:
        return None
    if None in last.points.values():
        return unknown("the result of the hand is unknown")
    gains = {one: n or 0 for one, n in last.points.items()}
    to = pay.to.removeprefix("hand:")
    if gains[pay.by] >= 0 or (to and gains.get(to, 0) <= 0):
        return broken(f"{pay.by} has nothing to pay{f' to {to}' if to else ''}")
    one = min(-gains[pay.by], *(n for n in gains.values() if n > 0))
    right = (one,) if to else (one, -gains[pay.by])
    return None if pay.amount in right else broken(f"{pay.by} pays {one}{f' to {to}' if to else ''}, not {pay.amount}")


def gathered_by_the_side(move: Move, state: State[Hand]) -> None:
    """Apply the gathering of a trick; the defenders keep theirs together."""
    hand = state.hand
    winners = hand.trick.won[-1].winners if hand.trick.won else ()
    ours = move.to[4:] in defenders(state) and hand.declarer and hand.declarer not in winners
    if move.src != "trick" or move.to[:4] != "won:" or not ours or hand.trick.plays:
        gathered_by(move, state)


# Bidding
RULES.check("R2", Name, when="auction")(call_in_turn)


@RULES.check("R2", Discard, Draw)
def nobody_wrote_who_plays(act: Discard | Draw, state: State[Hand]) -> CheckResult | None:
    """An exchange of cards shows an unrecorded bid; for a first lead another rule says it."""
    return unknown(f"whether {act.by} bid to play: {GONE}") if "auction" in unwritten_parts(state) else None


@RULES.check("R3", HandEvent)
def after_three_passes_the_next_deals(hand: HandEvent, state: State[Hand]) -> CheckResult | None:
    """After three passes the next seat deals; the text does not say who deals after a hand that was played."""
    last = state.score if state.number else None
    if last is None or last.result != "all-pass" or hand.number != state.numbered + 1:
        return None
    right = state.terms.left(state.dealer)
    if hand.by == right or hand.by not in state.terms.seats:
        return None
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"all three passed, and {right} deals next")


ASKED = ("asking", "handing")


@RULES.check("R5", Move)
def the_card_named_is_handed_over(move: Move, state: State[Hand]) -> CheckResult | None:
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


def unwritten_parts(state: State[Hand]) -> tuple[str, ...]:
    """The phases of the hand that are unrecorded before the current act."""
    at, parts = state.hand.passed_over
    return parts if at == state.at else ()


def shows_a_name(move: Move, state: State[Hand]) -> bool:
    """True if a card is handed to the declarer without a recorded naming."""
    if state.phase != "naming" or not state.hand.declarer or not changes_hands(move, state):
        return False
    return move.to == hand_of(state.hand.declarer) and how_many(move.cards) == 1 and (
        state.code(move.cards) >= PACK.unknown or move.cards[0] in (state.game.phases["naming"].bare or ())
    )


def gives_back_already(move: Move, state: State[Hand]) -> bool:
    """True if the declarer gives a card to a player who may have handed over the named one."""
    hand, pack = state.hand, state.game.pack
    to = move.to.removeprefix("hand:")
    return move.by == hand.declarer and bool(state.holding(to).any_of(pack.field[pack.code[hand.named]]) is not False)


@RULES.check("R5", Draw, Play)
def nobody_wrote_who_handed_it_over(act: Event, state: State[Hand]) -> CheckResult | None:
    """Finding about cards of the widow taken, or a card played, as if no player held the named card."""
    if unwritten_parts(state)[:1] not in (("asking",), ("handing",)):
        return None
    card = state.game.pack.field[state.game.pack.code[state.hand.named]]
    return withheld(card, state) or unknown(
        f"whether another player held the {pretty(state.hand.named)}; an exchange may be missing from the record"
    )


@RULES.check("R6", Discard, Draw, Play)
def nobody_wrote_what_was_given_back(act: Event, state: State[Hand]) -> CheckResult | None:
    """Finding about a hand that goes on as if no card was owed for the named one."""
    return unknown(
        f"whether {state.hand.declarer} gave a card back: {GONE}"
    ) if unwritten_parts(state)[:1] == ("returning",) else None


def withheld(card: int, state: State[Hand]) -> CheckResult | None:
    """Finding about another player who is seen to hold the named card; None if no player is."""
    for other in defenders(state):
        if state.holding(other).any_of(card):
            text = f"{other} holds the {pretty(state.hand.named)} that was named, and has not handed it over"
            return broken(text, card, other, by=other)
    return None


@RULES.check("R5", Discard, when="asking discarding")
def the_holder_hands_it_over(discard: Discard, state: State[Hand]) -> CheckResult | None:
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


@RULES.check("R6", Move)
def one_other_card_is_given_back(move: Move, state: State[Hand]) -> CheckResult | None:
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


@RULES.check("R6", Discard, when="returning")
def the_card_is_given_back_first(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """Finding about a declarer who discards before the returned card was recorded."""
    return unknown(f"whether {state.hand.declarer} gave a card back: {GONE}")


@RULES.check("R7", Move)
def there_is_no_other_exchange(move: Move, state: State[Hand]) -> CheckResult | None:
    """No card goes from hand to hand except the named one, and the one for it."""
    if (
        state.hand is None or state.phase in (*ASKED, "returning") or not changes_hands(move, state)
        or shows_a_name(move, state)
    ):
        return None
    if gone_by(state) or state.settled:
        return unknown(GONE_BY) if gone_by(state) else None
    return broken("no card is passed now")


def asks_for(card: str, state: State[Hand]) -> None:
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


def on_moved(move: Move, state: State[Hand]) -> None:
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


def give_back_unseen(state: State[Hand]) -> None:
    """Infer that an unseen card was given for the named one."""
    hand = state.hand
    state.infer(f"{hand.declarer} gave {hand.holder} a card before this (not recorded)")
    state.table.move_one(state.game.pack.unknown, state.holding(hand.declarer), state.holding(hand.holder))


def hands_over(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Yield the move of the named card, and wrong ones, which the checks remove."""
    hand, pack = state.hand, state.game.pack
    cards = pack.cards(state.holding(seat).certain)
    if seat != hand.declarer:
        wrong = [card for card in cards if card != hand.named][:2]
        to = hand_of(hand.declarer)
        yield from (Move(by=seat, cards=(card,), to=to) for card in (hand.named, *wrong) if card in cards)


def gives_back(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The moves of each card of the declarer, given for the named one."""
    to = hand_of(state.hand.holder)
    return (Move(by=seat, cards=(card,), to=to) for card in state.game.pack.cards(state.holding(seat).certain))


# The card that is named
@RULES.check("R4", Name)
def a_missing_three_is_named(name: Name, state: State[Hand]) -> CheckResult | None:
    if state.phase != "auction":
        wrong = not_the_declarer(name, state, "names a card")
        if wrong is not None:
            return wrong
        if state.hand.named:
            return broken(f"the {pretty(state.hand.named)} was named already")
    if name.what not in NAMEABLE:
        return broken("a three is named, or a two")
    if one_round.gone_by(state):
        return unknown(GONE_BY)
    own, card = state.holding(name.by), PACK.field[PACK.code[name.what]]
    if name.what[0] == "2" and own.how_many(THREES)[0] < 4:
        text = f"{name.by} names a two and does not hold all four threes"
        for pile in (*map(state.holding, state.terms.seats), state.table.row("widow")):
            if pile.name != name.by and pile.certain & THREES:
                return broken(text, pile.certain & THREES, pile.name)
        if state.table.located & THREES & ~own.known or (own.complete and not own.later):
            return broken(text, own.known, name.by)
        return unknown(f"whether {name.by} held all four threes; an exchange may be missing from the record")
    if own.empty:
        return unknown(f"whether {name.by} held the {pretty(name.what)}; an exchange may be missing from the record")
    held = own.any_of(card)
    if held and own.known & card:
        return broken(f"{name.by} holds the {pretty(name.what)} and names it", card, name.by)
    if held is False:
        return None
    return unknown(
        f"whether {name.by} held the {pretty(name.what)}; an exchange may be missing from the record", own
    )


@RULES.check("R4", Discard, when="naming")
def a_card_is_named_first(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """A card is named before the discard; a player with all threes and twos has none to name."""
    all_eight = state.holding(discard.by).how_many(THREES | TWOS)[0] == len(NAMEABLE)
    return None if all_eight else unknown(f"whether {discard.by} named a card: {GONE}")


@RULES.check("R4", Discard, Draw, Play)
def nobody_wrote_a_name(act: Discard | Draw | Play, state: State[Hand]) -> CheckResult | None:
    """The hand goes on without a card named: the cards played show it, unless the widow has such a card."""
    declarer, (before, widow) = state.hand.declarer, state.hand.before
    if not declarer or "naming" not in unwritten_parts(state):
        return None
    held = state.holding(declarer)
    missing = (THREES if THREES & ~before else TWOS) & ~before
    all_seen = isinstance(act, Play) and before and PACK.count(widow) == len(state.table.row("widow")) and held.complete
    if all_seen and not missing & widow and not held.certain & ~(before | widow):
        text = f"{declarer} named no card: none came from the defenders"
        return broken(text, held.certain, declarer, together=True, by=declarer)
    return unknown(f"whether {declarer} named a card: {GONE}", held)


@RULES.check("R4", Move, when="naming")
def nobody_wrote_which_was_named(move: Move, state: State[Hand]) -> CheckResult | None:
    """A card handed over shows that it was named."""
    return unknown(f"whether {state.hand.declarer} named the card: {GONE}") if shows_a_name(move, state) else None


def on_move_of_a_card(move: Move, state: State[Hand]) -> None:
    """Apply a card that changes hands: the first one was named, even if that was not recorded."""
    named = shows_a_name(move, state)
    if named and move.cards[0] in NAMEABLE:
        state.infer(f"{state.hand.declarer} named the {pretty(move.cards[0])} before this (not recorded)")
        asks_for(move.cards[0], state)
    on_moved(move, state)
    if named and not state.hand.named:
        state.infer(f"{state.hand.declarer} named the card that {move.by} hands over; the card was not recorded")
        state.hand.holder, state.phase = move.by, "returning"


def on_name(name: Name, state: State[Hand]) -> None:
    """Apply the name of a card; its holder, if known, hands it over."""
    unwritten(state, name)
    if state.phase == "naming" and name.what in NAMEABLE:
        asks_for(name.what, state)


BEFORE = ("naming", *ASKED, "returning", "discarding")


@RULES.check("R8", Discard)
def some_are_discarded(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """The declarer discards at least one card, and no more than the widow has, before it is turned up."""
    hand, most = state.hand, whole_deal(state)["widow"]
    wrong = not_the_declarer(discard, state, "discards") if state.phase != "auction" else None
    if wrong is not None or state.phase == "gap":
        return wrong
    if hand.turned or hand.drawn:
        return broken("the widow is turned up already")
    many = how_many(discard.cards)
    if many is None or hand.thrown is None:
        return unknown("how many cards were discarded: not counted")
    return None if 1 <= hand.thrown + many <= most else broken(f"1 to {most} cards are discarded")


@RULES.check("R8", Show)
def the_widow_is_turned_after_the_discard(show: Show, state: State[Hand]) -> CheckResult | None:
    """The widow is turned up after the discard; a later discard shows whether it was too early."""
    if state.hand is None or show.src != "widow" or state.phase not in BEFORE:
        return None
    return unknown(GONE_BY if gone_by(state) else f"whether cards were discarded: {GONE}")


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Apply the declarer's discard; the page's next phase is called `drawing`."""
    put_in_unwritten(discard, state)
    hand, held = state.hand, state.holding(discard.by)
    state.table.move(state.table.codes(discard.cards, held), held, state.table.row(f"discard:{discard.by}"))
    if state.phase in ("discarding", "drawing"):
        many = how_many(discard.cards)
        hand.thrown = None if many is None or hand.thrown is None else hand.thrown + many
        state.phase, state.turn = "drawing", (hand.declarer,)


def on_shown(show: Show, state: State[Hand]) -> None:
    """Apply a show; it may turn up the widow."""
    on_show(show, state)
    if show.src == "widow" and state.number and not state.settled and state.phase != "play":
        state.hand.turned = True


@RULES.check("R9", Draw)
def as_many_are_taken(draw: Draw, state: State[Hand]) -> CheckResult | None:
    """The declarer takes as many cards as were discarded, and only from the widow."""
    hand = state.hand
    wrong = not_the_declarer(draw, state, "takes cards of the widow") if state.phase != "auction" else None
    if wrong is not None or state.phase == "gap":
        return wrong
    if draw.src not in ("", "widow"):
        return broken("cards are taken from the widow only")
    many = so_many(draw, state)
    if state.phase != "drawing" or hand.thrown is None or many is None:
        return unknown(f"how many cards were discarded: {GONE}")
    if hand.drawn + many > hand.thrown:
        return broken(f"{hand.drawn + many} cards are taken, and {hand.thrown} were discarded")
    return None


@RULES.check("R8", Draw, Play)
def nobody_wrote_the_discard(act: Draw | Play, state: State[Hand]) -> CheckResult | None:
    """Cards of the widow are taken, or play begins, without a recorded discard; the cards played may show it."""
    declarer, (before, widow) = state.hand.declarer, state.hand.before
    if "discarding" not in unwritten_parts(state) or not declarer:
        return None
    held = state.holding(declarer)
    if isinstance(act, Play) and held.certain & widow:
        return None
    if isinstance(act, Play) and held.complete and (
        state.game.pack.count(widow) == whole_deal(state)["widow"] or held.certain == before
    ):
        return broken(
            f"{declarer} has no card of the widow, and discarded none", held.certain, declarer, together=True,
            by=declarer,
        )
    return unknown(f"whether {declarer} discarded: {GONE}", held)


@RULES.check("R9", Play)
def nobody_wrote_what_was_taken(play: Play, state: State[Hand]) -> CheckResult | None:
    """Play begins before as many cards were taken as were discarded."""
    if unwritten_parts(state) != ("drawing",):
        return None
    return unknown(f"whether {state.hand.declarer} took from the widow the number of cards discarded: {GONE}")


def so_many(draw: Draw, state: State[Hand]) -> int | None:
    """Number of cards taken (`*`: all of the widow); None if uncounted."""
    widow = state.table.row("widow")
    return len(widow) if draw.cards == ("*",) and not widow.vague else how_many(draw.cards)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Take cards of the widow; with the last of them play begins."""
    put_in_unwritten(draw, state)
    hand, widow = state.hand, state.table.row("widow")
    # After a gap the cards of the widow are unknown.
    widow.vague = widow.vague or gone_by(state)
    many = so_many(draw, state)
    codes = [taken_of(code, widow) for code in state.table.codes(draw.cards, widow)]
    if any(code >= state.game.pack.unknown for code in codes) and seen_in_pile(widow):
        # It is unknown which of the face-up cards were taken.
        state.table.lose_sight(widow)
    state.table.move(codes, widow, state.holding(draw.by))
    hand.drawn += many or 1
    if state.phase == "drawing" and (hand.thrown is None or hand.drawn >= hand.thrown):
        the_play_begins(state)


def taken_of(code: int, widow: Pile) -> int:
    """The card of the widow that was taken, if it was half seen and can be only one."""
    pack = widow.table.pack
    may_be = [c for c in widow.row or () if c < pack.unknown and pack.may_be[code] & pack.field[c]]
    return may_be[0] if code > pack.unknown and len(may_be) == 1 else code


def exchange_unseen(act: Event, state: State[Hand]) -> None:
    """Infer an exchange with the widow that was not, or not fully, recorded."""
    hand, table, pack = state.hand, state.table, state.game.pack
    if not hand.declarer:
        # It is unknown whose hand changed.
        for pile in (*map(state.holding, state.terms.seats), table.row("widow")):
            table.lose_sight(pile)
        return
    held, widow = state.holding(hand.declarer), table.row("widow")
    hand.before = hand.before if hand.thrown else (0 if held.covered or held.vague else held.known, seen_in_pile(widow))
    if isinstance(act, Play) and hand.thrown == 0:
        state.infer(f"{hand.declarer} exchanged cards with the widow before this (not recorded)")
        # Whichever cards were exchanged, both piles have as many as before.
        unseen = [pack.unknown] * len(widow)
        table.move(unseen, held, widow)
        table.mix(unseen * 2, widow, widow)
        table.move(unseen, widow, held)
        # They were there before the act that shows it.
        table.since[held.name] = table.now - 1
        hand.thrown = None
        return
    if state.phase != "drawing" and not hand.thrown:
        many = how_many(act.cards) if isinstance(act, Draw) else None
        state.infer(f"{hand.declarer} discarded before this (not recorded)")
        codes = [pack.many] if many is None else [pack.unknown] * many
        table.move(codes, held, table.row(f"discard:{hand.declarer}"))
        hand.thrown = many
    if isinstance(act, Play):
        state.infer(f"{hand.declarer} took cards of the widow before this; the cards were not recorded")
        table.lose_sight(widow)
        table.move([pack.many] if hand.thrown is None else [pack.unknown] * (hand.thrown - hand.drawn), widow, held)


def try_widow_discards(seat: str, state: State[Hand]) -> Iterator[Event]:
    """One card or more, as many as the widow has."""
    cards = state.game.pack.cards(state.holding(seat).certain)
    for many in range(1, whole_deal(state)["widow"] + 1):
        yield from (Discard(by=seat, cards=some) for some in combinations(cards, many))


def takes(seat: str, state: State[Hand]) -> Iterator[Event]:
    """As many cards of the widow as were discarded; and one more."""
    cards = state.game.pack.cards(seen_in_pile(state.table.row("widow")))
    many = (state.hand.thrown or 0) - state.hand.drawn
    for some in (*combinations(cards, many), *combinations(cards, many + 1)):
        yield Draw(by=seat, cards=some, src="widow")


def turns_the_widow(state: State[Hand]) -> bool:
    """Return True if the widow is to be turned up now."""
    return state.phase == "drawing" and not state.hand.turned and not state.hand.drawn


def turned_widow(state: State[Hand]) -> list[Event]:
    """The widow is turned up, as it is in the simulation."""
    row, tokens = state.table.row("widow").codes(), state.game.pack.tokens
    return [Show(by="@", groups=(tuple(tokens[code] for code in row),), src="widow")]


# Inferred acts
PARTS = ("auction", "naming", *ASKED, "returning", "discarding", "drawing", "play")
BELONGS: Mapping[type[Event], str] = {Name: "naming", Discard: "discarding", Draw: "drawing", Play: "play"}


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from an act of a later part of the hand that the earlier parts are over."""
    if state.phase not in PARTS or type(act) not in BELONGS:
        return
    if isinstance(act, Discard) and state.phase == "drawing":
        # The discard goes on in another line.
        state.phase = "discarding"
    upto = PARTS.index(BELONGS[type(act)])
    if PARTS.index(state.phase) < upto:
        state.hand.passed_over = state.at, PARTS[PARTS.index(state.phase) : upto]
    if state.phase == "auction" and upto:
        if isinstance(act, Play):
            state.infer("a seat bid to play before this; which one was not recorded")
        else:
            one_round.prepare_call(act.by, state)
            state.infer(f"{act.by} bid to play before this (not recorded)")
            state.hand.auction.bid(Bid(by=act.by, strain="play"))
        state.phase, state.turn = "naming", (state.hand.declarer,) if state.hand.declarer else state.terms.seats
    if PARTS.index(state.phase) >= upto:
        return
    if state.phase == "returning":
        give_back_unseen(state)
    if upto > PARTS.index("discarding") and PARTS.index(state.phase) < upto:
        exchange_unseen(act, state)
    state.phase, state.turn = PARTS[upto], (state.hand.declarer,) if state.hand.declarer else state.terms.seats
    if state.phase == "play":
        the_play_begins(state)


# Play of the hand
RULES.check("R12", Play)(winner_leads_next)
def on_play(play: Play, state: State[Hand]) -> None:
    if state.phase not in ("play", "gap") or not state.acts:
        ensure_dealt(state)
        unwritten(state, play)
    on_card(play, state)


# Scoring
def more_than_there_is(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: both sides have the points of the pack, but for the cards put aside."""
    mine, theirs, aside = known.get("points"), known.get("defenders"), known.get("aside")
    told = [n for n in (mine, theirs) if n is not None]
    if aside == NONE_ASIDE or (len(told) == 2 and WHOLE - sum(told) == NONE_ASIDE):
        return f"four cards count {MOST_ASIDE}, or {NONE_ASIDE - 1} or less, not {NONE_ASIDE}"
    to_last = state.terms.options.aside_to == "last_trick"
    least = WHOLE if to_last else WHOLE - (MOST_ASIDE if aside is None else aside)
    most = WHOLE if to_last or aside is None else WHOLE - aside
    if not told or (sum(told) <= most and (len(told) < 2 or least <= sum(told))):
        return ""
    some = f"{MOST_ASIDE} put aside at the most" if aside is None else f"{aside} put aside"
    aside_too = "" if to_last else f", with {some}"
    if len(told) < 2:
        return f"{told[0]} is more than the {WHOLE} points of a hand{aside_too}"
    return f"{mine} and {theirs} do not add up to the {WHOLE} points of the hand{aside_too}"


class Tally(TallyFacts):
    """What a hand of Calabrasella is scored from."""

    declarer: str = seat("player who plays alone", rule="R2", asks="who plays alone")
    points: int | None = bounded(lambda state: so_far(ALONE, state), number(
        "what the declarer's tricks count, with the last one", 0, WHOLE, rule="R14"
    ))  # fmt: skip
    defenders: int | None = bounded(lambda state: so_far(AGAINST, state), number(
        "what the defenders' tricks count, with the last one", 0, WHOLE, rule="R14"
    ))  # fmt: skip
    aside: int | None = unasked(number("what the four cards count that were put aside", 0, MOST_ASIDE, rule="R14"))
    void: str = why_void("misdeal or all-pass: the hand does not count")

    laws = (Law(("points", "defenders", "aside"), more_than_there_is, "R14"),)


def so_far(side: str, state: State[Hand]) -> dict[str, int]:
    """The least value of the tricks of a side, whatever is still played."""
    declarer = state.hand.declarer
    return {"": WORTH.between(state, sides_of(declarer, state))[side][0]} if declarer else {}


def tally(state: State[Hand]) -> Tally:
    hand, out = state.hand, Tally()
    out.declarer = hand.declarer
    if not hand.declarer and not hand.auction.silent(state.terms.seats) and not is_led(state):
        out.void = "all-pass"
    if hand.declarer and len(hand.trick.won) == DEAL.each and not gone_by(state):
        taken = WORTH.taken(state, sides_of(hand.declarer, state))
        out.points, out.defenders = taken[ALONE], taken[AGAINST]
        if state.terms.options.aside_to == "last_trick":
            with_what_is_aside(out, trick_taker(hand.trick.won[-1], sides_of(hand.declarer, state)))
    apply_reported_facts(out, state)
    return with_the_other_side(out, state) if state.tallies else out


def with_the_other_side(t: Tally, state: State[Hand]) -> Tally:
    """The tally with the other side's points, if the points aside are known: with all 35 on one side they are 0."""
    told = t.defenders if t.points is None else t.points
    aside = 0 if state.terms.options.aside_to == "last_trick" or told == WHOLE else t.aside
    if told is not None and aside is not None:
        rest = WHOLE - aside - told
        t.points, t.defenders = rest if t.points is None else t.points, rest if t.defenders is None else t.defenders
    return t


def with_what_is_aside(t: Tally, last: str) -> None:
    """Give the side that took the last trick all points that the other has not."""
    if last == ALONE:
        t.points = None if t.defenders is None else WHOLE - t.defenders
    else:
        t.defenders = None if t.points is None or not last else WHOLE - t.points
        t.points = t.points if last else None


def in_words(declarer: str | None, state: State[Hand]) -> str:
    """The declarer and the card that was named, in words."""
    named = f" ({pretty(state.hand.named)})" if state.hand.named else ""
    return f"{state.terms.name(declarer)}{named}" if declarer else ""


def score(state: State[Hand]) -> HandScore:
    t, terms = tally(state), state.terms
    plays = in_words(t.declarer, state)
    if nothing := counts_nothing(state, t.void, contract=plays):
        return nothing
    missing = [] if t.declarer else ["who plays alone"]
    if t.points is None or t.defenders is None:
        missing.append("what the tricks of each side count")
    if t.declarer not in terms.seats or t.points is None or t.defenders is None:
        return hand_score(state, dict.fromkeys(terms.seats), contract=plays, unknown=missing)
    each, text = payment(t.points, t.defenders, terms.options.stake)
    due = {one: 2 * each if one == t.declarer else -each for one in terms.seats}
    gains: Points = {**due}
    counted: Points = {one: t.points if one == t.declarer else t.defenders for one in terms.seats}
    both = f"2 × {abs(each)} = {2 * abs(each)}"
    sums = {one: f"{'gets' if n > 0 else 'pays'} {both if one == t.declarer else text}" for one, n in due.items() if n}
    cards = dict[str, str]() if state.tallies else WORTH.counted_out(state, sides_of(t.declarer, state))
    cards = cards if len(cards) == 2 else {}
    told = {one: cards[ALONE] if one == t.declarer else f"together {cards[AGAINST]}" for one in terms.seats if cards}
    lines = (ScoreLine("cards", counted, told), ScoreLine("chips", gains, sums))
    outcome = f"{t.points} : {t.defenders}"
    return hand_score(state, gains, lines, contract=plays, result=outcome, unknown=missing)


def payment(mine: int, theirs: int, stake: int) -> tuple[int, str]:
    """What each defender pays the declarer (negative if the declarer pays), and the sum in words.

    >>> payment(19, 16, 1), payment(11, 24, 1), payment(35, 0, 2), payment(0, 35, 1)[0], payment(33, 0, 1)[0]
    ((3, '19 − 16 = 3'), (-13, '24 − 11 = 13'), (140, '35 − 0 = 35, doubled, 2 a point: 140'), -70, 33)
    """
    over = mine - theirs
    times = 2 if abs(over) == WHOLE else 1
    text = f"{max(mine, theirs)} − {min(mine, theirs)} = {abs(over)}{', doubled' * (times > 1)}"
    text += f", {stake} a point" if stake > 1 else ""
    each = over * times * stake
    return each, f"{text}: {abs(each)}" if times * stake > 1 else text


# What may be done now
def names_a_card(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A card to name; with all of them in the hand, the discards."""
    if state.holding(seat).how_many(THREES | TWOS)[0] < len(NAMEABLE):
        yield from (Name(by=seat, what=card) for card in NAMEABLE)
    else:
        yield from try_widow_discards(seat, state)


def chance(state: State[Hand], random: Random) -> list[Event]:
    """Chance events: the widow is turned up after the discard; between two hands the pack is dealt."""
    return turned_widow(state) if turns_the_widow(state) else shuffle_and_deal(state, random)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The meaning of bare cards in this part of the hand: handed over, given back, discarded or taken."""
    hand = state.hand
    if isinstance(event, Draw) and not event.src:
        return (replace(event, src="widow"),)
    if not isinstance(event, Play) or event.src:
        return (event,)
    if state.phase in ASKED and event.by == hand.declarer and event.cards == (hand.named,):
        return tuple(Move(by=one, cards=event.cards, to=hand_of(hand.declarer)) for one in defenders(state))
    if state.phase in ASKED and event.by != hand.declarer:
        return (Move(by=event.by, cards=event.cards, to=hand_of(hand.declarer)),)
    if state.phase == "returning" and event.by == hand.declarer:
        return (Move(by=event.by, cards=event.cards, to=hand_of(hand.holder)),)
    if state.phase in ("auction", "naming") and event.cards[0] in NAMEABLE:
        return (Name(by=event.by, what=event.cards[0]),)
    if state.phase in (*ASKED, "discarding") and event.by == hand.declarer:
        return (Discard(by=event.by, cards=event.cards),)
    if state.phase == "drawing" and event.by == hand.declarer:
        if how_many(event.cards) == len(state.table.row("widow")) != hand.thrown and turns_the_widow(state):
            return (Show(by="@", groups=(event.cards,), src="widow"),)
        return (Draw(by=event.by, cards=event.cards, src="widow"),)
    return (event,)


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Cards without a seat are the declarer's, even if a defender may still hand over the named card."""
    return (state.hand.declarer,) if state.phase == "asking" else state.turn


def weigh(state: State[Hand], event: Event) -> float:
    """Weights for the simulation: players mostly bid, and discard worthless cards."""
    if isinstance(event, Discard):
        return 0.02 if any(WORTH.of[PACK.code[card]] for card in event.cards) else 1.0
    return 3.0 if isinstance(event, Bid) else 1.0


def headline(state: State[Hand]) -> dict[str, Any]:
    hand = state.hand
    return {"declarer": hand.declarer, **({"named": hand.named} if hand.named else {})} if hand.declarer else {}


GAME = Game(
    key="calabrasella", name="Calabrasella", family="tricks", summary=summary_of(__doc__),
    seating=singles(3, how="one against two"), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=chance, chance_acts_first=turns_the_widow,
    ),
    options=Options, rules=RULES, readings=READINGS,
    start=begin_with(first_to_act("auction"), Hand),
    phases={
        "auction": Phase(
            "bidding", (Bid, Pass, Name), "a pass, or `bid play`; a card that is named shows it",
            default_act=lambda state: Pass(by=state.turn[0]), to_do="speak", bare=("play", *NAMEABLE),
            tries=(try_pass, lambda seat, state: [Bid(by=seat, strain="play")]),
        ),
        "naming": Phase(
            "naming a card", (Name, Discard), "a three that is not in the hand (3d)", to_do="name a card",
            bare=NAMEABLE, verb_required=(Discard,), tries=(names_a_card,),
        ),
        "asking": Phase(
            "handing the card over", (Discard, Name), "the card named, from its holder (C 3d), or the discard",
            to_do="hand it over or discard", verb_required=(Discard, Name), tries=(hands_over,),
        ),
        "handing": Phase(
            "handing the card over", (Name,), "the card that was named", to_do="hand it over", verb_required=(Name,),
            tries=(hands_over,),
        ),
        "returning": Phase(
            "giving a card back", (Discard,), "a card for it (x unseen)", to_do="give a card back",
            verb_required=(Discard,), tries=(gives_back,),
        ),
        "discarding": Phase(
            "the discard", (Discard,), "one to four cards thrown (3x unseen)", to_do="discard",
            verb_required=(Discard,), tries=(try_widow_discards,),
        ),
        "drawing": Phase(
            "the widow", (Draw,), "the same number of cards from the widow", to_do="take cards", verb_required=(Draw,),
            tries=(takes,),
        ),
        "play": Phase(
            "play", (Play,), "a card", to_do="play", one_card=True, tries=(try_each_card,), apply_batch=plays_in_order,
        ),
    },
    on={
        **TRICKS, Bid: on_bid, Pass: on_pass, Name: on_name, Move: on_move_of_a_card, Discard: on_discard,
        Show: on_shown, Draw: on_draw, Play: on_play,
    },
    tally=Tally, compute_tally=tally, score=score, after=most_chips, match=MatchRules(hand_points="cards"),
    sheet=settlement_sheet(ledger({"plays": contract, "points": result_text}, {"{} ±": gained, "{}": running_total})),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(expand=expand_shorthand, implied_actor=implied_actor, led=suit_led),
    display=Display(
        headline=headline, last_outcome_text=just_taken, contract=lambda state: in_words(state.hand.declarer, state),
        piles={"widow": Lies("stack", "beside", "all"), "discard": Lies("stack", "beside", "nobody")},
    ),
    simulation=Simulation(most_acts=1000, weigh=weigh),
)  # fmt: skip
