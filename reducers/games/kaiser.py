"""Kaiser: four players in partnerships bid for trumps; the five of hearts is worth five tricks,
the three of spades costs three."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from events.model import Bid, Call, Deal, Event, Fault, Gap, Move, Name, Pass, Play, Show
from events.model import Hand as HandEvent
from reducers.evolve import is_for_next_hand
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUIT_NAMES, SUITS, WHO_DEALS, Catalogue, CheckResult, DealSpec, Game,
    Dealing, Judging, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State,
    TallyFacts, try_pass, as_many_as_dealt, try_bidding, broken, choice, counts, HouseRules, counts_nothing,
    dealt_again_by_the_same, deals_next, try_each_card, figure, finish_hand, gained, hand_score, highest_at_target,
    try_naming, number, of_the, on_show, or_said, apply_reported_facts, pack, partnerships, reopen_hand, pretty,
    ranking, ensure_dealt, result_text, rule, shuffle_and_deal, side, side_named, signed, summary_of, figure_of_line,
    running_total, unasked, unknown, we_they, why_void, yes_or_no, after_gap,
)  # fmt: skip
from reducers.words import one_round
from reducers.words.auction import Auction
from reducers.words.one_round import GONE_BY, call_in_turn, gone_by, seat_that_bid
from reducers.words.act_batches import plays_in_order
from reducers.words.sheets import bid_by, contract_alone
from reducers.words.trick_play import (
    first_to_act, TRICKS, Tricks, first_lead, just_taken, is_led, must_follow_suit, trick_winners_as_ruled, on_card,
    one_card_in_turn, open_play, side_with, strengths, suit_led, winner_gathers,
)  # fmt: skip

# Setup
SEATS = partnerships("N E S W")
PACK = pack("A K Q J 10 9 8", plus="7c 7d 5h 3s")
DEAL = DealSpec(each=8)
FIVE, THREE = PACK.code["5h"], PACK.code["3s"]
COURT = PACK.mask_of([c for c in PACK.faces if c[0] in "AKQJ" or c in ("5h", "3s")])

# Card ranking: the usual order; the five and the three are simply the lowest of their suits.
PLAIN = ranking("A K Q J 10 9 8 7 5 3")


class Options(HouseRules, frozen=True):
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


SETUP, BIDDING, PLAY = "Setup", "Bidding", "Play of the hand"
RULES = Catalogue(
    "kaiser",
    rule("R1", SETUP, CONSEQUENCE, "The whole pack of 32 is dealt, eight cards to each seat.",
         "the deal", {Deal: as_many_as_dealt}),
    rule("R2", SETUP, RIGHT, "A seat whose hand has no ace, king, queen, jack, five of hearts or three of spades may "
         "claim a misdeal, before its own call; all throw in their cards, and the same dealer deals again.",
         "misdeal", {HandEvent: dealt_again_by_the_same}),
    rule("R3", BIDDING, DUTY, "Calls go round once, from the dealer's left to the dealer.",
         "call in turn", {(Bid, Pass): call_in_turn}),
    rule("R4", BIDDING, DUTY, "A bid is for at least the minimum and at most twelve.", "level of a bid"),
    rule("R5", BIDDING, DUTY, "A bid outranks the one that stands; no trump outranks a trump bid of its level.",
         "bid higher"),
    rule("R6", BIDDING, RIGHT, "The dealer, who calls last, may take the contract by equalling the bid that stands.",
         "dealer may equal"),
    rule("R7", BIDDING, RIGHT, "Anybody may pass, the dealer too.", "pass"),
    rule("R8", BIDDING, DUTY, "The winner of the bidding names one suit as trumps, once, before the first lead; not in "
         "a no-trump contract.", "name trumps"),
    rule("R9", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: first_lead}),
    rule("R10", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R11", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R12", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R13", PLAY, CONSEQUENCE, "All eight tricks are played, even when the contract is settled.", "eight tricks"),
)  # fmt: skip

READINGS = {
    "When may a misdeal be claimed?": "after the deal and before the claimant's own call; later the right has lapsed",
    "A call that the table does not let stand": "a fault that names whose it is (@ fault misdeal N; equal, pass) takes "
    "it back, and the hand goes on from there",
    "Four passes": "the hand is void and the deal passes left; option all_pass=dealer_forced holds the dealer to a bid",
    "Doubling and the contract": "the contract is compared before a no-trump score is doubled: twelve is the most a "
    "side can take",
    "Are the defenders doubled at no trump?": "no; option defenders_doubled",
    "What a failed contract costs": "the points taken, to the letter, so a negative hand adds; option "
    "failed_contract=bid",
    "Both sides level at or above the target": "another hand is played",
    "The deal": "passes to the left after every hand but a misdeal",
    "The brake": "looks at the defenders' score before the hand",
}


class Hand:
    """State of one hand of Kaiser."""

    def __init__(self, state: State[Hand]) -> None:
        self.auction = Auction()
        self.trump: str | None = None
        self.trick = Tricks(state, DEAL.each)
        self.trick.power = strengths(PACK, PLAIN, "")
        # True if a card was played after a gap, and no call was recorded since.
        self.led_since = False
        # The seat that claimed a misdeal; then the position, phase and turn at its claim.
        self.misdeal = ""
        self.claimed: tuple[int, str, tuple[str, ...]] = (0, "", ())

    @property
    def no_trump(self) -> bool:
        """True if the contract is played without trumps."""
        return self.auction.high is not None and self.auction.high.strain == "no"


# Setup: the misdeal
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
    """True if a seat has lost the right to a misdeal by its own call."""
    return phase != "auction" or state.hand.auction.has_called(seat)


def claim_refused(fault: Fault, state: State[Hand]) -> bool:
    """True if the fault refuses the misdeal just claimed."""
    hand = state.hand
    if fault.word != "misdeal" or not state.number or not hand.misdeal or state.phase != "between" or state.stop_reason:
        return False
    return hand.claimed[0] in fault.refs or (not fault.refs and fault.who == hand.misdeal)


@RULES.check("R2", Fault)
def a_worthless_hand_is_not_refused(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table plays on although a misdeal was claimed."""
    if not claim_refused(fault, state) or too_late(state.hand.misdeal, state.hand.claimed[1], state):
        return None
    seat = state.hand.misdeal
    held = state.holding(seat)
    worth = held.any_of(COURT)
    if worth is None:
        return unknown(f"the hand of {seat} was not shown")
    text = f"{seat} holds no card that counts, and the misdeal was {seat}'s right"
    return None if worth else broken(text, held.certain, seat, together=True)


def on_call(call: Call, state: State[Hand]) -> None:
    """A misdeal ends the hand; the same dealer deals again."""
    if call.word == "misdeal":
        state.hand.misdeal, state.hand.claimed = call.by, (state.at, state.phase, state.turn)
        finish_hand(state)


# Bidding
def value(bid: Bid) -> int:
    """Rank of a bid in the order 6, 6 no, 7, 7 no, … 12 no.

    >>> value(Bid(by="N", level=7)) < value(Bid(by="E", level=7, strain="no")) < value(Bid(by="S", level=8))
    True
    """
    return 2 * (bid.level or 0) + (bid.strain == "no")


def said(bid: Bid) -> str:
    """A bid as spoken; "?" if its level is unknown."""
    return "?" if bid.level is None else f"{bid.level} no" if bid.strain == "no" else f"{bid.level}"


@RULES.check("R4", Bid)
def bid_from_the_minimum_to_twelve(bid: Bid, state: State[Hand]) -> CheckResult | None:
    low = state.terms.options.min_bid
    if bid.strain not in ("", "no"):
        return broken("a bid is a number, or a number with 'no'; trumps are named later")
    return None if bid.level is not None and low <= bid.level <= 12 else broken(f"a bid is for {low} to 12")


@RULES.check("R5", Bid)
def bid_higher(bid: Bid, state: State[Hand]) -> CheckResult | None:
    if gone_by(state):
        return unknown(GONE_BY)
    high = state.hand.auction.high
    if high is not None and state.dealer_is_guess and value(bid) == value(high):
        return unknown(WHO_DEALS)
    if high is not None and bid.by != state.dealer and value(bid) <= value(high):
        return broken(f"{said(bid)} does not outrank the {said(high)} that stands")
    return None


@RULES.check("R6", Bid)
def dealer_bids_as_high_at_least(bid: Bid, state: State[Hand]) -> CheckResult | None:
    if gone_by(state):
        return unknown(GONE_BY)
    high = state.hand.auction.high
    if high is not None and bid.by == state.dealer and value(bid) < value(high):
        return broken(f"the dealer may equal the {said(high)} that stands, not go below it")
    return None


@RULES.check("R7", Pass)
def anybody_may_pass(act: Pass, state: State[Hand]) -> CheckResult | None:
    """Passing is a right, except under the house rule that makes the dealer bid."""
    if state.terms.options.all_pass != "dealer_forced":
        return None
    if gone_by(state) or state.dealer_is_guess:
        return unknown(GONE_BY if gone_by(state) else WHO_DEALS)
    auction = state.hand.auction
    if act.by != state.dealer or auction.high is not None:
        return None
    if auction.unwritten or auction.before(act.by, one_round.calling_order(state)):
        return unknown("whether all others have passed (not recorded)")
    return broken("by the house rule the dealer must bid when all others have passed")


def refused(fault: Fault, word: str, state: State[Hand]) -> bool:
    """True if the fault refuses the pass, or the bid that equals, just made."""
    if state.number and (state.phase == "play" or state.hand.trump or state.hand.misdeal):
        return False
    return one_round.refuses_last_call(fault, word, bid=word == "equal", state=state)


@RULES.check("R6", Fault)
def the_dealer_may_equal(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table does not let the dealer take the contract with an equal bid."""
    if not refused(fault, "equal", state):
        return None
    *before, (seat, bid) = state.hand.auction.calls
    high = max((value(b) for _, b in before if b is not None), default=0)
    equal = bid is not None and seat == state.dealer and value(bid) == high
    return broken(f"{seat} deals and may equal the bid that stands") if equal else None


@RULES.check("R7", Fault)
def nobody_is_made_to_bid(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table does not let a player pass."""
    if not refused(fault, "pass", state):
        return None
    seat, options = state.hand.auction.calls[-1][0], state.terms.options
    forced = options.all_pass == "dealer_forced" and seat == state.dealer and state.hand.auction.high is None
    return None if forced else broken(f"{seat} may pass")


def on_fault(fault: Fault, state: State[Hand]) -> None:
    """Take back what the table refuses; the hand goes on from there."""
    if claim_refused(fault, state):
        _, phase, turn = state.hand.claimed
        state.hand.misdeal = ""
    elif refused(fault, "equal", state) or refused(fault, "pass", state):
        phase, turn = "auction", (state.hand.auction.take_back(),)
    else:
        return
    if state.settled:
        reopen_hand(state)
    state.phase, state.turn = phase, turn


def on_bid(bid: Bid, state: State[Hand]) -> None:
    one_round.prepare_call(bid.by, state)
    state.hand.auction.bid(bid)
    next_call(state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    one_round.prepare_call(act.by, state)
    state.hand.auction.passed(act.by)
    next_call(state)


def next_call(state: State[Hand]) -> None:
    """Once all have called, the winner names trumps; without a bid the hand is over."""
    state.hand.led_since = False
    if one_round.call_goes_on(state):
        return
    if state.hand.auction.high is None:
        finish_hand(state)
    else:
        bidding_is_over(state)


def bidding_is_over(state: State[Hand]) -> None:
    """Trumps are named next; at no trump the play begins."""
    auction = state.hand.auction
    if state.hand.no_trump:
        open_play(state)
    else:
        state.phase, state.turn = "naming", (auction.bidder,) if auction.bidder else state.terms.seats


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer that the bidding ended, or that trumps were named, from an act of a later part of the hand."""
    if state.phase == "auction" and isinstance(act, Name | Play):
        one_round.infer_remaining_calls(act.by if isinstance(act, Name) else "", state)
        bidding_is_over(state)
    if state.phase == "naming" and isinstance(act, Play):
        state.infer("trumps were named before this; the suit was not recorded")
        state.hand.trick.blind = True
        open_play(state)


@RULES.check("R8", Name)
def the_bidder_names_a_suit(name: Name, state: State[Hand]) -> CheckResult | None:
    if gone_by(state) and name.what in SUITS:
        return broken("trumps are named before the first lead") if state.hand.led_since else unknown(GONE_BY)
    auction = state.hand.auction
    # A player who names trumps with no call recorded has won the bidding.
    bidder = name.by if name.by in auction.unwritten and not is_led(state) else auction.bidder
    if state.hand.no_trump and bidder == auction.bidder:
        return broken("the contract is at no trump; no suit is named")
    if state.hand.trump:
        return broken(f"{SUIT_NAMES[state.hand.trump]} were named already")
    if is_led(state):
        return broken("trumps are named before the first lead")
    if bidder and name.by != bidder:
        return broken(f"{bidder} won the bidding and names trumps")
    return None if name.what in SUITS else broken("trumps are one of c, d, h, s")


def on_name(name: Name, state: State[Hand]) -> None:
    if name.by in state.hand.auction.unwritten and not is_led(state):
        one_round.bid_unheard(name.by, state)
    if name.what in SUITS and not state.hand.no_trump and not state.hand.trump and not is_led(state):
        state.hand.trump = name.what
        state.hand.trick.power = strengths(PACK, PLAIN, name.what)
    open_play(state)


# Play of the hand
def on_play(play: Play, state: State[Hand]) -> None:
    before = state.phase
    on_card(play, state)
    state.hand.led_since |= before != "play"


# Scoring
def a_card_without_a_trick(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a side has the five or the three without a trick, else ""."""
    for key, card in (("five", "5h"), ("three", "3s")):
        if known.get(f"tricks.{side_named(known.get(key), state.terms)}") == 0:
            return f"{known[key]} cannot have the {pretty(card)} without a trick"
    return ""


def trumps_at_no_trump(known: Mapping[str, Any], state: State[Hand]) -> str:
    bid = not is_for_next_hand(state) and state.phase != "auction" and state.hand.no_trump
    named = known.get("trump") and known.get("no", bid) is True
    return "the contract is at no trump; no suit is named" if named else ""


class Tally(TallyFacts):
    """What a hand of Kaiser is scored from. `declarer` is a side; None if unknown."""

    declarer: str | None = side("seat or side that plays the contract")
    level: int | None = number(
        "the bid, 6 to 12", lambda terms: terms.options.min_bid, 12, rule="R4", stands=True
    )
    no_trump: bool | None = unasked(yes_or_no("yes for a no-trump contract; no if it is left out", key="no"))
    trump: str = or_said(choice("suit that was named", *SUITS, rule="R8"), no={"no": True})
    tricks: Points = of_the("declarer", counts(
        "tricks taken by a side", of=DEAL.each, one_by_one=("trick", "seat or side that took that trick"), rule="R13",
        asks="who took which trick",
        ruling="tricks that a side gets, or gives with a minus", ruling_one="side that gets that trick, with its cards",
    ))  # fmt: skip
    five: str | None = side(
        "side that has the five of hearts", asks="who has the 5♥", ruling="side that gets the five of hearts"
    )
    three: str | None = side(
        "side that has the three of spades", asks="who has the 3♠", ruling="side that gets the three of spades"
    )
    void: str = why_void("misdeal or all-pass: the hand does not count")

    laws = (
        Law(("tricks", "five", "three"), a_card_without_a_trick, "R13"),
        Law(("no", "trump"), trumps_at_no_trump, "R8"),
    )


WORDS = {
    "misdeal": "call: throw a worthless hand in; fault: the table refuses that; end: the hand is dealt again",
    "equal": "fault: the table does not let the dealer equal the bid that stands",
    "pass": "fault: the table does not let a player pass",
}


def tally(state: State[Hand]) -> Tally:
    hand, out = state.hand, Tally()
    if hand.auction.high is not None:
        out.declarer, out.level = state.terms.side_of.get(hand.auction.bidder), hand.auction.high.level
        out.no_trump, out.trump = hand.no_trump, hand.trump or ""
    elif not hand.auction.silent(state.terms.seats):
        out.void = "all-pass"
    if hand.misdeal:
        out.void = "misdeal"
    if len(hand.trick.won) == DEAL.each and not gone_by(state):
        out.tricks = hand.trick.taken_by(state.terms.side_of)
    if not gone_by(state):
        out.five, out.three = (side_with(code, state) for code in (FIVE, THREE))
    return apply_reported_facts(out, state)


def trick_value(tricks: int, five: bool, three: bool) -> int:
    """Value of a side's tricks.

    >>> trick_value(5, five=True, three=False), trick_value(2, five=False, three=True)
    (10, -1)
    """
    return tricks + 5 * five - 3 * three


def value_of_tricks(t: Tally, who: str) -> tuple[int | None, str]:
    """Value of the tricks of a side and its sum in words; None and "" if unknown."""
    n = t.tricks.get(who)
    if n is None or t.five is None or t.three is None:
        return None, ""
    worth = trick_value(n, t.five == who, t.three == who)
    extra = f"{' + 5 (5♥)' if t.five == who else ''}{' − 3 (3♠)' if t.three == who else ''}"
    return worth, f"{n} trick{'' if n == 1 else 's'}{extra} = {figure(worth)}"


def score_tally(
    t: Tally, before: Points, options: Options
) -> tuple[Points, tuple[ScoreLine, ...], str, tuple[str, ...]]:
    """Points of both sides, the lines behind them, "made" or "failed", and notes for the reader.

    A contract made at no trump counts double for the declarers; the defenders add what they took:

    >>> t = Tally("NS", 7, True, "", {"NS": 6, "EW": 2}, "NS", "EW")
    >>> score_tally(t, {"NS": 0, "EW": 0}, Options())[0]
    {'NS': 22, 'EW': -1}

    A failed contract costs the points taken; defenders above the brake gain nothing:

    >>> t = Tally("NS", 8, False, "h", {"NS": 4, "EW": 4}, "EW", "EW")
    >>> score_tally(t, {"NS": 10, "EW": 46}, Options())[0]
    {'NS': -4, 'EW': 0}
    """
    took = {who: value_of_tricks(t, who) for who in before}
    told = {who: text for who, (_, text) in took.items() if text}
    tricks = ScoreLine("tricks", {who: v for who, (v, _) in took.items()}, told)
    if t.declarer not in before or t.level is None or t.no_trump is None:
        return dict.fromkeys(before), (tricks,), "", ()
    points: Points = dict.fromkeys(before)
    sums, notes, outcome = dict[str, str](), list[str](), ""
    for who, (v, _) in took.items():
        if v is None:
            continue
        if who == t.declarer:
            outcome = "made" if v >= t.level else "failed"
            points[who], sums[who] = declarers(v, t.level, t.no_trump, options)
            if outcome == "failed" and v < 0 and options.failed_contract == "points_taken":
                less = "the failed contract took negative points, so subtracting them adds (to the letter of the rules)"
                notes.append(less)
        else:
            gain = 2 * v if t.no_trump and options.defenders_doubled else v
            points[who], sums[who] = defenders(gain, before[who], options)
    line = ScoreLine("points", points, {who: text for who, text in sums.items() if text})
    return points, (tricks, line), outcome, tuple(notes)


def declarers(v: int, level: int, no_trump: bool, options: Options) -> tuple[int, str]:
    """Points that the contract brings or costs the declarers, and their sum in words."""
    made = v >= level
    base, what = (level, f"bid {level}") if not made and options.failed_contract == "bid" else (v, figure(v))
    base, what = (2 * base, f"2 × {what}") if no_trump else (base, what)
    points = base if made else -base
    return points, f"{'made' if made else 'failed'}: {f'{what} → ' if what != figure(base) else ''}{signed(points)}"


def defenders(gain: int, before: int | None, options: Options) -> tuple[int | None, str]:
    """Points that the defenders add (None if unknown), and their sum in words: at most nothing above the brake."""
    if before is None:
        return (None if gain > 0 else gain), ""
    if before > options.brake and gain > 0:
        return 0, f"brake: at {before}, above {options.brake}, {signed(gain)} is not counted"
    return gain, signed(gain)


def in_words(declarer: str | None, level: int | None, no_trump: bool | None, trump: str, state: State[Hand]) -> str:
    """Declarer, points and trumps in words; "" if the declarer or the level is unknown."""
    if level is None or not declarer:
        return ""
    return f"{state.terms.name(declarer)} {level} {'no trump' if no_trump else GLYPHS.get(trump, '')}".strip()


def contract(state: State[Hand]) -> str:
    """The highest bid so far, with the trumps once they are named."""
    hand = state.hand
    high, side = hand.auction.high, state.terms.side_of.get(hand.auction.bidder)
    return "" if high is None or hand.misdeal else in_words(side, high.level, hand.no_trump, hand.trump or "", state)


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    bid = in_words(t.declarer, t.level, t.no_trump, t.trump, state)
    if nothing := counts_nothing(state, t.void, contract=bid):
        return nothing
    points, lines, outcome, notes = score_tally(t, state.before.totals, state.terms.options)
    unknown = ["the contract"] if t.declarer is None or t.level is None or t.no_trump is None else []
    unknown += ["who took which trick"] if None in t.tricks.values() or not t.tricks else []
    unknown += [f"who has the {card}" for card, has in (("5♥", t.five), ("3♠", t.three)) if has is None]
    source = "tricks" if any("trick" in facts for facts in state.tallies) else ""
    return hand_score(
        state, points, lines, contract=bid, result=outcome, notes=notes, unknown=unknown, source=source,
        bidder=seat_that_bid(state),
    )  # fmt: skip


def brakes(s: HandScore, state: State[Hand]) -> tuple[str, ...]:
    """Notes below a hand on the sheet, with the sides on which the brake was."""
    on = [who for line in s.lines for who, text in line.sums.items() if text.startswith("brake")]
    return (*s.notes, *(f"brake on {state.terms.name(who)}" for who in on))


# What may be done now
def claims(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A claim of a misdeal, with a hand known to be worthless."""
    held = state.holding(seat)
    if len(held) and held.complete and not held.certain & COURT:
        yield Call(by=seat, word="misdeal")


def bids(seat: str, state: State[Hand]) -> Iterable[Event]:
    return try_bidding(range(state.terms.options.min_bid, 13), "", "no")(seat, state)


def headline(state: State[Hand]) -> dict[str, Any]:
    """The contract, for the headline of the table."""
    hand = state.hand
    high = hand.auction.high
    if high is None:
        return {}
    return {"bidder": hand.auction.bidder, "bid": said(high), "trump": "no" if hand.no_trump else hand.trump or ""}


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: good hands bid, so that matches end."""
    held = state.holding(event.by).certain
    if isinstance(event, Bid):
        strong = sum(1 for c in PACK.cards(held) if c[0] in "AKQ") + 2 * bool(held & PACK.field[FIVE])
        return 0.02 + (2.0 if (event.level or 0) <= 4 + strong / 2 else 0.0) / (1 + 3 * (event.strain == "no"))
    return 0.1 + PACK.count(held & PACK.suit[event.what]) ** 2 if isinstance(event, Name) else 1.0


GAME = Game(
    key="kaiser", name="Kaiser", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("auction"), Hand),
    phases={
        "auction": Phase(
            "bidding", (Bid, Pass, Call), "a bid (7, 7no) or a pass", default_act=lambda state: Pass(by=state.turn[0]),
            to_do="call", bare=("no",), tries=(try_pass, bids, claims),
        ),
        "naming": Phase(
            "naming trumps", (Name,), "the trump suit: c, d, h or s", to_do="name trumps", bare=tuple(SUITS),
            tries=(try_naming(*SUITS),),
        ),
        "play": Phase(
            "play", (Play, Name), "a card", to_do="play", one_card=True, verb_required=(Name,), tries=(try_each_card,),
            apply_batch=plays_in_order,
        ),
    },
    on={
        **TRICKS, Bid: on_bid, Pass: on_pass, Call: on_call, Name: on_name, Play: on_play, Show: on_show,
        Gap: after_gap(led_since=False), Fault: on_fault,
    },
    tally=Tally, compute_tally=tally, score=score, after=highest_at_target,
    sheet=we_they(
        {"contract": contract_alone, "bid by": bid_by, "result": result_text},
        {"{} took": figure_of_line("tricks"), "{} ±": gained, "{}": running_total}, brakes,
    ),
    judging=Judging(transfer=lambda state, facts: trick_winners_as_ruled(facts, state.hand.trick.won, state)),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(led=suit_led),
    display=Display(headline=headline, last_outcome_text=just_taken, contract=contract),
    simulation=Simulation(weigh=weigh, most_hands=100),
)  # fmt: skip
