"""Kaiser: four players in partnerships bid for trumps; the five of hearts is worth five tricks, the three of spades costs three."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import GLYPHS, SUIT_NAMES, SUITS, pack, pretty, ranking
from events.model import Bid, Call, Deal, Event, Facts, Fault, Gap, Move, Name, Pass, Play, Show
from events.model import Hand as HandEvent
from reducers import facts as fact
from reducers.evolve import finish_hand, on_show, play_on
from reducers.model import Game, Phase, State
from reducers.rules import CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, Standing, added, figure, signed
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.terms import Terms, hand_of, partnerships
from reducers.words.auction import Auction
from reducers.words.deals import WHO_DEALS, deals_next, dealt_again_by_the_same, no_more_than
from reducers.words.rulings import counted, numbered, side_named
from reducers.words.tallies import counts_left, figures, readable, void_of, word_told
from reducers.words.tricks import (
    Tricks,
    dealt,
    forget_holdings,
    gathered_by,
    must_follow_suit,
    one_card_in_turn,
    owner,
    play_to_trick,
    strengths,
    who_led,
    winner_gathers,
)

# Setup
SEATS = partnerships("N E S W")
PACK = pack("A K Q J 10 9 8", plus="7c 7d 5h 3s")
CARDS_EACH = 8
FIVE, THREE = PACK.code["5h"], PACK.code["3s"]
COURT = PACK.mask_of([c for c in PACK.faces if c[0] in "AKQJ" or c in ("5h", "3s")])

# Card ranking: the usual order; the five and the three are simply the lowest of their suits.
PLAIN = ranking("A K Q J 10 9 8 7 5 3")


class Options(Struct, frozen=True):
    """House rules of Kaiser."""

    target: Annotated[int, Meta(ge=1, le=999, description="score that ends the match")] = 52
    brake: Annotated[int, Meta(ge=0, le=999, description="defenders above this score gain nothing")] = 45
    min_bid: Annotated[int, Meta(ge=1, le=12, description="lowest level of a bid")] = 6
    failed_contract: Annotated[
        Literal["points_taken", "bid"], Meta(description="what a failed contract costs: the points taken, or the bid")
    ] = "points_taken"
    defenders_doubled: Annotated[bool, Meta(description="a no-trump hand doubles the defenders too")] = False
    all_pass: Annotated[
        Literal["redeal", "dealer_forced"], Meta(description="after four passes: a new deal, or the dealer must bid")
    ] = "redeal"


RULES = Catalogue(
    "kaiser",
    rule("R1", "Setup", CONSEQUENCE, "The whole pack of 32 is dealt, eight cards to each seat.", "the deal"),
    rule("R2", "Setup", RIGHT, "A seat whose hand has no ace, king, queen, jack, five of hearts or three of spades may claim a misdeal, before its own call; all throw in their cards, and the same dealer deals again.", "misdeal"),
    rule("R3", "Bidding", DUTY, "Calls go round once, from the dealer's left to the dealer.", "call in turn"),
    rule("R4", "Bidding", DUTY, "A bid is for at least the minimum and at most twelve.", "level of a bid"),
    rule("R5", "Bidding", DUTY, "A bid outranks the one that stands; no trump outranks a trump bid of its level.", "bid higher"),
    rule("R6", "Bidding", RIGHT, "The dealer, who calls last, may take the contract by equalling the bid that stands.", "dealer may equal"),
    rule("R7", "Bidding", RIGHT, "Anybody may pass, the dealer too.", "pass"),
    rule("R8", "Bidding", DUTY, "The winner of the bidding names one suit as trumps, once, before the first lead; not in a no-trump contract.", "name trumps"),
    rule("R9", "Play of the hand", DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.", "lead"),
    rule("R10", "Play of the hand", DUTY, "Each seat in turn, clockwise, plays one card to a trick.", "play in turn"),
    rule("R11", "Play of the hand", DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.", "follow suit"),
    rule("R12", "Play of the hand", CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.", "who wins"),
    rule("R13", "Play of the hand", CONSEQUENCE, "All eight tricks are played, even when the contract is settled.", "eight tricks"),
)  # fmt: skip

READINGS = {
    "When may a misdeal be claimed?": "after the deal and before the claimant's own call; later the right has lapsed",
    "A call that the table does not let stand": "a fault that names whose it is (@ fault misdeal N; equal, pass) takes it back, and the hand goes on from there",
    "Four passes": "the hand is void and the deal passes left; option all_pass=dealer_forced holds the dealer to a bid",
    "Doubling and the contract": "the contract is compared before a no-trump score is doubled: twelve is the most a side can take",
    "Are the defenders doubled at no trump?": "no; option defenders_doubled",
    "What a failed contract costs": "the points taken, to the letter, so a negative hand adds; option failed_contract=bid",
    "Both sides level at or above the target": "another hand is played",
    "The deal": "passes to the left after every hand but a misdeal",
    "The brake": "looks at the defenders' score before the hand",
}


class Hand:
    """One hand of Kaiser as it goes."""

    __slots__ = ("auction", "claimed", "led_since", "misdeal", "trick", "trump")

    def __init__(self, state: State[Hand]) -> None:
        self.auction = Auction()
        self.trump: str | None = None
        self.trick = Tricks(state, CARDS_EACH)
        self.trick.power = strengths(PACK, PLAIN, "")
        # After acts went by unrecorded: whether a card has been played since, and nobody called after that.
        self.led_since = False
        # Who claimed a misdeal; and where, in which part of the hand, and whose turn it was.
        self.misdeal = ""
        self.claimed: tuple[int, str, tuple[str, ...]] = (0, "", ())

    @property
    def no_trump(self) -> bool:
        """Whether the contract is played without trumps."""
        return self.auction.high is not None and self.auction.high.strain == "no"


def start(state: State[Hand]) -> Hand:
    """Before the deal the holdings are empty; the first to speak sits left of the dealer."""
    for seat in state.terms.seats:
        state.table.bag(seat)
    for side in state.terms.sides:
        state.table.row(f"won:{side}")
    state.phase = "auction"
    state.turn = (state.terms.left(state.dealer),)
    return Hand(state)


def ready(state: State[Hand]) -> None:
    """Any act of play finds a hand begun and dealt; a deal nobody wrote is eight unseen cards each."""
    dealt(state, CARDS_EACH)


# Setup: the misdeal
@RULES.check("R1", Deal)
def the_whole_pack_is_dealt(deal: Deal, state: State[Hand]) -> CheckResult | None:
    stray = next((name for name, _ in deal.piles if name.removeprefix("hand:") not in state.terms.seats), "")
    if stray:
        return broken(f"all cards are dealt to the seats, none to {stray}")
    return no_more_than(dict.fromkeys(state.terms.seats, CARDS_EACH), deal, state)


@RULES.check("R2", Call)
def only_a_worthless_hand_is_a_misdeal(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "misdeal":
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if too_late(call.by, state.phase, state):
        return broken(f"{call.by} has called already, and the right to a misdeal has lapsed")
    held = state.holding(call.by)
    worth = held.any_of(COURT)
    if worth:
        return broken(f"{call.by} holds a card that counts", held.certain & COURT, call.by)
    return unknown(f"the hand of {call.by} was not shown") if worth is None else None


def too_late(seat: str, phase: str, state: State[Hand]) -> bool:
    """Whether a seat has lost the right to a misdeal by its own call."""
    return phase != "auction" or state.hand.auction.has_called(seat)


def claim_refused(fault: Fault, state: State[Hand]) -> bool:
    """Whether the table refuses with this the misdeal that was just claimed."""
    hand = state.hand
    if fault.word != "misdeal" or not state.number or not hand.misdeal or state.phase != "between" or state.cut:
        return False
    return hand.claimed[0] in fault.refs or (not fault.refs and fault.who == hand.misdeal)


@RULES.check("R2", Fault)
def a_worthless_hand_is_not_refused(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table plays on although a misdeal was claimed."""
    if not claim_refused(fault, state) or too_late(state.hand.misdeal, state.hand.claimed[1], state):
        return None
    seat = state.hand.misdeal
    held = state.holding(seat)
    worth = held.any_of(COURT)
    if worth is None:
        return unknown(f"the hand of {seat} was not shown")
    return None if worth else broken(f"{seat} holds no card that counts, and the misdeal was {seat}'s right", held.certain, seat, together=True)


RULES.check("R2", HandEvent)(dealt_again_by_the_same)


# Bidding
def value(bid: Bid) -> int:
    """The place of a bid in the order 6, 6 no, 7, 7 no, … 12 no.

    >>> value(Bid(by="N", level=7)) < value(Bid(by="E", level=7, strain="no")) < value(Bid(by="S", level=8))
    True
    """
    return 2 * (bid.level or 0) + (bid.strain == "no")


def said(bid: Bid) -> str:
    """A bid as it is spoken; one that nobody wrote is a question mark."""
    if bid.level is None:
        return "?"
    return f"{bid.level} no" if bid.strain == "no" else f"{bid.level}"


@RULES.check("R3", Bid, Pass)
def call_in_turn(call: Event, state: State[Hand]) -> CheckResult | None:
    """Somebody passed over may have passed without a line; it is out of order for certain if they call later."""
    auction = state.hand.auction
    if state.hand.trick.lost:
        return unknown(GONE_BY)
    if call.by in auction.unwritten:
        return broken(f"the call of {call.by} comes before those that have been made since")
    if call.by in state.turn:
        return None
    if auction.has_called(call.by):
        return broken(f"{call.by} has called already; there is one round")
    if state.guessed:
        return unknown(WHO_DEALS)
    if state.phase == "auction" and call.by in state.terms.seats:
        return unknown(f"whether {' and '.join(auction.before(call.by, in_order(state)))} passed before this; nobody wrote it")
    return broken("the bidding is over")


GONE_BY = "what was said before this went by unrecorded"


def in_order(state: State[Hand]) -> tuple[str, ...]:
    """The seats as they call, from the dealer's left to the dealer."""
    return state.terms.around(state.terms.left(state.dealer))


@RULES.check("R4", Bid)
def bid_from_the_minimum_to_twelve(bid: Bid, state: State[Hand]) -> CheckResult | None:
    low = state.terms.options.min_bid
    if bid.strain not in ("", "no"):
        return broken("a bid is a number, or a number with 'no'; trumps are named later")
    if bid.level is None or not low <= bid.level <= 12:
        return broken(f"a bid is for {low} to 12")
    return None


@RULES.check("R5", Bid)
def bid_higher(bid: Bid, state: State[Hand]) -> CheckResult | None:
    if state.hand.trick.lost:
        return unknown(GONE_BY)
    high = state.hand.auction.high
    if high is not None and state.guessed and value(bid) == value(high):
        return unknown(WHO_DEALS)
    if high is not None and bid.by != state.dealer and value(bid) <= value(high):
        return broken(f"{said(bid)} does not outrank the {said(high)} that stands")
    return None


@RULES.check("R6", Bid)
def dealer_bids_as_high_at_least(bid: Bid, state: State[Hand]) -> CheckResult | None:
    if state.hand.trick.lost:
        return unknown(GONE_BY)
    high = state.hand.auction.high
    if high is not None and bid.by == state.dealer and value(bid) < value(high):
        return broken(f"the dealer may equal the {said(high)} that stands, not go below it")
    return None


@RULES.check("R7", Pass)
def anybody_may_pass(act: Pass, state: State[Hand]) -> CheckResult | None:
    """Only the house rule that holds the dealer to a bid takes the right away."""
    if state.terms.options.all_pass != "dealer_forced":
        return None
    if gone_by(state) or state.guessed:
        return unknown(GONE_BY if gone_by(state) else WHO_DEALS)
    forced, auction = act.by == state.dealer, state.hand.auction
    if forced and auction.high is None and (auction.unwritten or auction.before(act.by, in_order(state))):
        return unknown("whether everybody else has passed; nobody wrote it")
    if forced and auction.high is None:
        return broken("by the house rule the dealer must bid when everybody else has passed")
    return None


def call_refused(fault: Fault, word: str, state: State[Hand]) -> bool:
    """Whether the table refuses with this the call that was just made."""
    calls = state.hand.auction.calls if state.number and state.phase != "play" and not led(state) and not state.hand.trump else ()
    if fault.word != word or not calls or state.hand.misdeal or fault.who not in ("", calls[-1][0]):
        return False
    return bool(fault.who or fault.refs) and (word == "pass") is (calls[-1][1] is None)


@RULES.check("R6", Fault)
def the_dealer_may_equal(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table does not let the dealer take the contract for as much."""
    if not call_refused(fault, "equal", state):
        return None
    *before, (seat, bid) = state.hand.auction.calls
    high = max((value(b) for _, b in before if b is not None), default=0)
    return broken(f"{seat} deals and may equal the bid that stands") if bid is not None and seat == state.dealer and value(bid) == high else None


@RULES.check("R7", Fault)
def nobody_is_made_to_bid(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table does not let somebody pass."""
    if not call_refused(fault, "pass", state):
        return None
    seat = state.hand.auction.calls[-1][0]
    forced = state.terms.options.all_pass == "dealer_forced" and seat == state.dealer and state.hand.auction.high is None
    return None if forced else broken(f"{seat} may pass")


def on_fault(fault: Fault, state: State[Hand]) -> None:
    """What the table does not let stand is taken back, and the hand goes on from there."""
    if claim_refused(fault, state):
        _, phase, turn = state.hand.claimed
        state.hand.misdeal = ""
    elif call_refused(fault, "equal", state) or call_refused(fault, "pass", state):
        phase, turn = "auction", (state.hand.auction.take_back(),)
    else:
        return
    if state.settled:
        play_on(state)
    state.phase, state.turn = phase, turn


def on_bid(bid: Bid, state: State[Hand]) -> None:
    calls(bid.by, state)
    passed_over(bid.by, state)
    state.hand.auction.bid(bid)
    next_call(state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    calls(act.by, state)
    passed_over(act.by, state)
    state.hand.auction.passed(act.by)
    next_call(state)


def calls(seat: str, state: State[Hand]) -> None:
    """A seat calls. If nobody recorded who deals, the first call shows it."""
    ready(state)
    state.hand.led_since = False
    if state.guessed and state.phase == "auction" and not state.hand.auction.calls:
        dealer = state.terms.left(seat, -1)
        if dealer != state.dealer:
            state.infer(f"{seat} calls first, so {dealer} has dealt; nobody wrote it")
        state.dealer, state.turn = dealer, (seat,)


def passed_over(seat: str, state: State[Hand]) -> None:
    """Whoever calls shows that those before have had their call; a bid would have been written."""
    if state.phase != "auction" or state.turn == (seat,):
        return
    before = state.hand.auction.before(seat, in_order(state))
    if before:
        state.infer(f"{' and '.join(before)} passed before {seat} called; nobody wrote it")
        state.hand.auction.skip(before)


def next_call(state: State[Hand]) -> None:
    """The call goes on to the left; after four of them the bidding is over. A call made later changes nothing."""
    auction = state.hand.auction
    if state.phase != "auction":
        return
    last = auction.calls[-1][0]
    if state.turn == (last,) and not auction.unwritten and len(auction.calls) < len(state.terms.seats):
        state.turn = state.terms.next[last]
        return
    silent = auction.silent(in_order(state))
    if silent:
        state.turn = silent[:1]
    elif auction.high is None and auction.unwritten:
        # Perhaps all have passed; what comes next shows it.
        state.turn = auction.unwritten
    elif auction.high is None:
        finish_hand(state)
    elif state.hand.no_trump:
        open_play(state)
    else:
        state.phase, state.turn = "naming", (auction.bidder,)


def on_call(call: Call, state: State[Hand]) -> None:
    """A misdeal ends the hand; the same dealer deals again."""
    ready(state)
    if call.word == "misdeal":
        state.hand.misdeal, state.hand.claimed = call.by, (state.at, state.phase, state.turn)
        finish_hand(state)


def unwritten(state: State[Hand], act: Event) -> None:
    """What belongs to a later part of the hand shows how the bidding ended, and that trumps were named."""
    if state.phase == "auction" and isinstance(act, Name | Play):
        bidding_is_over(act.by if isinstance(act, Name) else "", state)
    if state.phase == "naming" and isinstance(act, Play):
        state.infer("trumps were named before this; nobody wrote which")
        state.hand.trick.blind = True
        open_play(state)


def bidding_is_over(names: str, state: State[Hand]) -> None:
    """The rest of the calls were not written: passes, unless the one who names trumps, or the only one left, must have bid."""
    auction = state.hand.auction
    rest = auction.silent(in_order(state))
    unheard = (*rest, *auction.unwritten)
    bid = names if names in unheard else unheard[0] if auction.high is None and len(unheard) == 1 else ""
    passed = [seat for seat in rest if seat != bid]
    if auction.high is None and not bid:
        state.infer("the bidding was not written to its end, and so nobody knows who plays what contract")
    elif passed:
        state.infer(f"{' and '.join(passed)} passed before this; nobody wrote it")
    auction.skip(passed)
    if bid:
        bid_unheard(bid, state)
    if state.hand.no_trump:
        open_play(state)
    else:
        state.phase, state.turn = "naming", (auction.bidder,) if auction.bidder else state.terms.seats


def bid_unheard(seat: str, state: State[Hand]) -> None:
    """Somebody is seen to have won the bidding; how high nobody wrote."""
    state.infer(f"{seat} won the bidding; nobody wrote with what bid")
    state.hand.auction.bid(Bid(by=seat))


@RULES.check("R8", Name)
def the_bidder_names_a_suit(name: Name, state: State[Hand]) -> CheckResult | None:
    if gone_by(state) and name.what in SUITS:
        return broken("trumps are named before the first lead") if state.hand.led_since else unknown(GONE_BY)
    auction = state.hand.auction
    # Whoever names trumps and has no call written has won the bidding with it.
    bidder = name.by if name.by in auction.unwritten and not led(state) else auction.bidder
    if state.hand.no_trump and bidder == auction.bidder:
        return broken("the contract is at no trump; no suit is named")
    if state.hand.trump:
        return broken(f"{SUIT_NAMES[state.hand.trump]} were named already")
    if led(state):
        return broken("trumps are named before the first lead")
    if bidder and name.by != bidder:
        return broken(f"{bidder} won the bidding and names trumps")
    return None if name.what in SUITS else broken("trumps are one of c, d, h, s")


def led(state: State[Hand]) -> bool:
    """Whether the first card has been played."""
    return bool(state.hand.trick.won or state.hand.trick.plays)


def on_name(name: Name, state: State[Hand]) -> None:
    ready(state)
    unwritten(state, name)
    if name.by in state.hand.auction.unwritten and not led(state):
        bid_unheard(name.by, state)
    if name.what in SUITS and not state.hand.no_trump and not state.hand.trump and not led(state):
        state.hand.trump = name.what
        state.hand.trick.power = strengths(PACK, PLAIN, name.what)
    open_play(state)


def open_play(state: State[Hand]) -> None:
    if state.phase != "play" and not gone_by(state):
        state.phase, state.turn = "play", state.terms.seats if state.guessed else (state.terms.left(state.dealer),)


# Play of the hand
@RULES.check("R9", Play)
def the_right_seat_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    if trick.plays:
        return None
    if state.guessed and not trick.won:
        return unknown(WHO_DEALS)
    doubtful = who_led(play.by, state)
    if doubtful is not None or play.by in state.turn:
        return doubtful
    return broken(f"{state.turn[0]} {'won the last trick' if trick.won else 'sits left of the dealer'} and leads")


RULES.check("R10", Play)(one_card_in_turn)
RULES.check("R11", Play)(must_follow_suit)


def on_play(play: Play, state: State[Hand]) -> None:
    if state.phase != "play":
        ready(state)
        unwritten(state, play)
        open_play(state)
        state.hand.led_since = True
    play_to_trick(play, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: until the hand is over anybody may do anything."""
    if state.settled or not state.number:
        return
    forget_holdings(state, CARDS_EACH)
    # What was played before this may be of another hand, and so may what is called after it.
    state.phase, state.hand.led_since = "gap", False


def gone_by(state: State[Hand]) -> bool:
    """Whether acts of this hand went by unrecorded."""
    return state.hand.trick.lost


RULES.check("R12", Move)(winner_gathers)


# Scoring
class Tally(Struct):
    """What a hand of Kaiser is scored from. `declarer` is a side; None where it is not known."""

    declarer: str | None = None
    level: int | None = None
    no_trump: bool | None = False
    trump: str = ""
    tricks: Points = {}
    five: str | None = None
    three: str | None = None
    void: str = ""


TALLY = {
    "declarer": fact.somebody("seat or side that plays the contract", "side", "seat"),
    "level": fact.number("the bid, 6 to 12", lambda terms: terms.options.min_bid, 12, rule="R4", stands=True),
    "no": fact.yes_or_no("yes for a no-trump contract; no if it is left out"),
    "trump": fact.choice("suit that was named", *SUITS, rule="R8"),
    "tricks.*": fact.number("tricks taken by a side", 0, CARDS_EACH, together=CARDS_EACH, rule="R13"),
    "trick.#": fact.somebody("seat or side that took that trick", "side", "seat", numbered=CARDS_EACH, counts="tricks", rule="R13"),
    "five": fact.somebody("side that has the five of hearts", "side", "seat"),
    "three": fact.somebody("side that has the three of spades", "side", "seat"),
    "void": fact.word("misdeal or all-pass: the hand does not count"),
}


def a_card_without_a_trick(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Whoever has the five or the three has taken a trick."""
    for key, card in (("five", "5h"), ("three", "3s")):
        if known.get(f"tricks.{side_named(known.get(key), state.terms)}") == 0:
            return f"{known[key]} cannot have the {pretty(card)} without a trick"
    return ""


def trumps_at_no_trump(known: Mapping[str, Any], state: State[Hand]) -> str:
    return "the contract is at no trump; no suit is named" if known.get("no") is True and known.get("trump") else ""


LAWS = (
    fact.Law(("tricks", "five", "three"), a_card_without_a_trick, "R13"),
    fact.Law(("no", "trump"), trumps_at_no_trump, "R8"),
)
WORDS = {
    "misdeal": "call: throw a worthless hand in; fault: the table refuses that; end: the hand is dealt again",
    "equal": "fault: the table does not let the dealer equal the bid that stands",
    "pass": "fault: the table does not let somebody pass",
    "void": "end: the hand does not count",
}


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` says."""
    hand, side_of = state.hand, state.terms.side_of
    out = Tally()
    if hand.auction.high is not None:
        out.declarer, out.level = side_of.get(hand.auction.bidder), hand.auction.high.level
        out.no_trump, out.trump = hand.no_trump, hand.trump or ""
    passed = not hand.auction.silent(state.terms.seats) and hand.auction.high is None
    out.void = void_of(state, "misdeal" if hand.misdeal else "all-pass" if passed else "")
    if len(hand.trick.won) == CARDS_EACH and not gone_by(state):
        out.tricks = hand.trick.taken_by(side_of)
        out.five, out.three = (with_card(state, code) for code in (FIVE, THREE))
    tallies = readable(state)
    for facts in tallies:
        if "declarer" in facts:
            out.declarer = side_named(facts["declarer"], state.terms) or None
        if "level" in facts:
            out.level = facts["level"] if type(facts["level"]) is int else None
        if "no" in facts:
            out.no_trump = None if facts["no"] == fact.UNREAD else bool(facts["no"])
        out.trump = word_told(facts, "trump", out.trump)
    out.tricks = figures("tricks", state) or out.tricks
    for facts in (*tallies, *state.transfers):
        if "five" in facts:
            out.five = side_named(facts["five"], state.terms) or None
        if "three" in facts:
            out.three = side_named(facts["three"], state.terms) or None
    for facts in state.transfers:
        out.tricks = counted(facts, out.tricks, state.terms)
    return out


TRANSFERS = {
    "tricks.*": "tricks that a side gets, or gives with a minus",
    "trick.#": "side that gets that trick, with its cards",
    "five": "side that gets the five of hearts",
    "three": "side that gets the three of spades",
}


def transfer(state: State[Hand], facts: Facts) -> list[str]:
    """A trick by its number changes hands; what is only counted is added in the tally."""
    return numbered(facts, state.hand.trick.won, state)


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """What a result without its cards leaves open: who took how many tricks, the five and the three.

    A side without a trick took neither.
    """
    t = tally(state)
    if t.void or not t.tricks:
        return
    may_have = t.tricks
    if None in t.tricks.values():
        counts = counts_left("tricks", state)
        if not counts:
            return
        may_have = dict.fromkeys(t.tricks, 1)
        yield "who took which trick", counts
    for name, card, side in (("five", "5h", t.five), ("three", "3s", t.three)):
        if side is None:
            yield f"who has the {pretty(card)}", {who: {name: who} for who, n in may_have.items() if n}


def with_card(state: State[Hand], code: int) -> str | None:
    """The side in whose tricks a card lies as played."""
    trick = state.hand.trick.with_card(code)
    if trick is not None:
        return owner(trick, state.terms.side_of) or None
    # Nobody saw it played: by elimination it may still have a place.
    for side in state.terms.sides:
        if state.table.row(f"won:{side}").certain & PACK.field[code]:
            return side
    return None


def trick_value(tricks: int, five: bool, three: bool) -> int:
    """What a side's tricks are worth.

    >>> trick_value(5, five=True, three=False), trick_value(2, five=False, three=True)
    (10, -1)
    """
    return tricks + 5 * five - 3 * three


def score_tally(t: Tally, before: Points, options: Options) -> tuple[Points, tuple[Line, ...], str, tuple[str, ...]]:
    """Points of both sides, the lines behind them, made or failed, and what a reader should know.

    A contract made at no trump counts double for the declarers; the defenders add what they took:

    >>> t = Tally("NS", 7, True, "", {"NS": 6, "EW": 2}, "NS", "EW")
    >>> score_tally(t, {"NS": 0, "EW": 0}, Options())[0]
    {'NS': 22, 'EW': -1}

    A failed contract costs the points taken; defenders above the brake gain nothing:

    >>> t = Tally("NS", 8, False, "h", {"NS": 4, "EW": 4}, "EW", "EW")
    >>> score_tally(t, {"NS": 10, "EW": 46}, Options())[0]
    {'NS': -4, 'EW': 0}
    """
    worth: Points = {}
    sums: dict[str, str] = {}
    for side in before:
        n = t.tricks.get(side)
        if n is None or t.five is None or t.three is None:
            worth[side] = None
            continue
        five, three = t.five == side, t.three == side
        took = worth[side] = trick_value(n, five, three)
        sums[side] = f"{n} trick{'' if n == 1 else 's'}{' + 5 (5♥)' if five else ''}{' − 3 (3♠)' if three else ''} = {figure(took)}"
    lines = [Line("tricks", worth, sums)]
    if t.declarer not in before or t.level is None or t.no_trump is None:
        return dict.fromkeys(before), tuple(lines), "", ()
    points: Points = {}
    sums = {}
    notes: list[str] = []
    result = ""
    for side, v in worth.items():
        if v is None:
            points[side] = None
            continue
        if side == t.declarer:
            made = v >= t.level
            result = "made" if made else "failed"
            base, what = v, figure(v)
            if not made and options.failed_contract == "bid":
                base, what = t.level, f"bid {t.level}"
            base, what = (2 * base, f"2 × {what}") if t.no_trump else (base, what)
            points[side] = base if made else -base
            sums[side] = f"{result}: {what + ' → ' if what != figure(base) else ''}{signed(points[side])}"
            if not made and v < 0 and options.failed_contract == "points_taken":
                notes.append("the failed contract took less than nothing, so subtracting it adds (to the letter of the rules)")
        else:
            gain = 2 * v if t.no_trump and options.defenders_doubled else v
            score_before = before[side]
            if score_before is None:
                points[side] = None if gain > 0 else gain
            elif score_before > options.brake and gain > 0:
                points[side] = 0
                sums[side] = f"brake: at {score_before}, above {options.brake}, {signed(gain)} is not counted"
            else:
                points[side] = gain
                sums[side] = signed(gain)
    lines.append(Line("points", points, sums))
    return points, tuple(lines), result, tuple(notes)


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded."""
    t = tally(state)
    source = "tally" if state.tallies else "moves"
    if any("trick" in facts for facts in state.tallies):
        source = "tricks"
    if t.void:
        nothing: Points = dict.fromkeys(state.terms.sides, 0)
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    contract = ""
    if t.level is not None and t.declarer:
        suit = "no trump" if t.no_trump else GLYPHS.get(t.trump, "")
        contract = f"{state.terms.name(t.declarer)} {t.level} {suit}".strip()
    if not state.settled and not state.tallies:
        return HandScore(state.number, state.dealer, "nothing", contract, points=dict.fromkeys(state.terms.sides, 0), unknown=("the hand is in play",))
    points, lines, result, notes = score_tally(t, state.before.totals, state.terms.options)
    missing = []
    if t.declarer is None or t.level is None or t.no_trump is None:
        missing.append("the contract")
    if None in t.tricks.values() or not t.tricks:
        missing.append("who took which trick")
    missing += [f"who has the {pretty(card)}" for card, side in (("5h", t.five), ("3s", t.three)) if side is None]
    return HandScore(state.number, state.dealer, source, contract, result, lines, points, {}, notes, tuple(missing))


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """The first hand that takes a side to the target ends the match for the higher score; level, it goes on."""
    totals = added(before.totals, hand.points)
    (we, mine), (they, theirs) = totals.items()
    over, winner = False, ""
    if mine is not None and theirs is not None and mine != theirs and max(mine, theirs) >= terms.options.target:
        over, winner = True, we if mine > theirs else they
    return Standing(totals, winner, over, before.hands + 1)


# The sheet: WE and THEY, running
def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """A row a hand: the bid, made or failed, what both sides took, and the running score."""
    we, they = state.terms.sides
    rows = []
    for s in state.scores:
        if s.source == "nothing" and not s.contract:
            continue
        took = s.lines[0] if s.lines else None
        cells = [Cell(str(s.number)), Cell(state.terms.name(s.dealer)), Cell(s.contract or "–"), Cell(s.result or "–")]
        for side in (we, they):
            sums = "; ".join(line.sums[side] for line in s.lines if side in line.sums)
            cells.append(Cell(figure(took.amounts[side]) if took else "–", took.sums.get(side, "") if took else ""))
            cells.append(Cell(signed(s.points.get(side)), sums, "unknown" if s.points.get(side) is None else ""))
            cells.append(Cell(figure(s.totals.get(side)), "", "total"))
        notes = (*s.notes, *(f"brake on {state.terms.name(side)}" for line in s.lines for side, t in line.sums.items() if t.startswith("brake")))
        rows.append(Row(tuple(cells), notes=notes))
    heads = ("hand", "dealer", "contract", "result", "WE took", "WE ±", "WE", "THEY took", "THEY ±", "THEY")
    facts = (*empty.facts, ("WE", state.terms.name(we)), ("THEY", state.terms.name(they)))
    return replace(empty, facts=facts, blocks=(Block("Score", heads, tuple(rows)),))


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    for seat in state.turn:
        if state.phase == "auction":
            yield Pass(by=seat)
            for level in range(state.terms.options.min_bid, 13):
                yield Bid(by=seat, level=level)
                yield Bid(by=seat, level=level, strain="no")
            held = state.holding(seat)
            if len(held) and held.complete and not held.certain & COURT:
                yield Call(by=seat, word="misdeal")
        elif state.phase == "naming":
            yield from (Name(by=seat, what=suit) for suit in SUITS)
        elif state.phase == "play":
            for card in PACK.cards(state.holding(seat).certain):
                yield Play(by=seat, cards=(card,))


def headline(state: State[Hand]) -> dict[str, Any]:
    """The contract, for whoever looks at the table."""
    high = state.hand.auction.high
    if high is None:
        return {}
    return {"bidder": state.hand.auction.bidder, "bid": said(high), "trump": "no" if state.hand.no_trump else state.hand.trump or ""}


def latest(state: State[Hand]) -> str:
    return state.hand.trick.just_taken(state.at)


# Simulation: who has good cards bids, so that matches end
def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = list(PACK.faces)
    random.shuffle(cards)
    first = state.game.next_dealer(state) if state.number else state.terms.dealer
    hands = tuple((hand_of(seat), tuple(cards[8 * i : 8 * i + 8])) for i, seat in enumerate(state.terms.around(state.terms.left(first))))
    return [HandEvent(by=first, number=state.number + 1), Deal(by="@", piles=hands)]


def weigh(state: State[Hand], event: Event) -> float:
    if isinstance(event, Bid):
        held = state.holding(event.by).certain
        strong = sum(1 for c in PACK.cards(held) if c[0] in "AKQ") + 2 * bool(held & PACK.field[FIVE])
        return 0.02 + (2.0 if (event.level or 0) <= 4 + strong / 2 else 0.0) / (1 + 3 * (event.strain == "no"))
    if isinstance(event, Name):
        held = state.holding(event.by).certain
        return 0.1 + PACK.count(held & PACK.suit[event.what]) ** 2
    return 1.0


GAME = Game(
    key="kaiser",
    name="Kaiser",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="4, partners opposite",
    seating=SEATS,
    pack=PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=TALLY,
    laws=LAWS,
    words=WORDS,
    phases={
        "auction": Phase("bidding", (Bid, Pass, Call), "a bid (7, 7no) or a pass", quiet=lambda state: Pass(by=state.turn[0]), to_do="call", bare=("no",)),
        "naming": Phase("naming trumps", (Name,), "the trump suit: c, d, h or s", to_do="name trumps", bare=tuple(SUITS)),
        "play": Phase("play", (Play, Name), "a card", to_do="play", one_card=True, verbed=(Name,)),
        "gap": Phase("after a gap", (Bid, Pass, Call, Name, Play), "whatever comes next", to_do="go on"),
    },
    start=start,
    on={Bid: on_bid, Pass: on_pass, Call: on_call, Name: on_name, Play: on_play, Move: gathered_by, Show: on_show, Gap: on_gap, Fault: on_fault},
    candidates=candidates,
    new_match=lambda terms: Standing(dict.fromkeys(terms.sides, 0)),
    score=score,
    after=after,
    next_dealer=deals_next,
    sheet=sheet,
    chance=chance,
    weigh=weigh,
    most_hands=100,
    hidden={"*": "owner", "won:*": "nobody"},
    headline=headline,
    latest=latest,
    transfers=TRANSFERS,
    transfer=transfer,
    missing=missing,
    led=lambda state: state.hand.trick.led if state.phase == "play" and state.hand.trick.plays else "",
    unwritten=unwritten,
)
