"""Hasenpfeffer: four players in partnerships bid for trumps, above which stand a joker and two bowers; without a bid
the joker binds its holder to three tricks; ten points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from events.cards import SUIT_NAMES, how_many
from events.model import Bid, Deal, Discard, Draw, End, Event, Fault, Move, Name, Pass, Play, Show
from events.model import Hand as HandEvent
from reducers.page import (
    finish_hand, on_deal, on_show, reopen_hand, begin_with, HouseRules, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS,
    Catalogue, CheckResult, DealSpec, Game, Dealing, Judging, Omissions, Shorthand, Display, Simulation, HandScore, Law,
    ScoreLine, Phase, Points, Standing, State, TallyFacts, Terms, try_pass, add_points, as_many_as_dealt, try_bidding,
    broken, choice, counts_nothing, deals_next, face_down, gained, hand_score, try_lead_or_follow, try_naming, number,
    of_the, or_said, apply_reported_facts, pack, partnerships, ranking, ensure_dealt, result_text, rule, shown_only,
    shuffle_and_deal, side, signed, summary_of, figure_of_line, running_total, unasked, unknown, we_they, why_void,
    yes_or_no, WHO_DEALS,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words import one_round
from reducers.words.act_batches import plays_in_order
from reducers.words.auction import Auction
from reducers.words.deals import whole_deal
from reducers.words.one_round import GONE_BY, gone_by, seat_that_bid, call_in_turn
from reducers.words.sheets import bid_by, contract_alone
from reducers.words.suits import bowers
from reducers.words.trick_play import (
    first_to_act, trick_counts, TRICKS, any_card_without_the_suit, just_taken, must_follow_suit, trick_winners_as_ruled,
    one_card_in_turn, strengths, strengths_before_trumps, suit_led, winner_gathers, TrickHand, first_lead, is_led,
)  # fmt: skip

# Setup: the 25th card is the widow.
RANKS = "A K Q J 10 9"
PACK, PLAIN = pack(RANKS, jokers=1), ranking(RANKS)
DEAL = DealSpec(each=6, then=(face_down(1, "widow"),))

# Card ranking: the joker and both bowers are trumps, above the ace of the suit.
TRUMPS = bowers("A K Q 10 9", "Jo")

# Reason a hand is void if the joker is the widow and no player bids.
IN_THE_WIDOW = "joker-in-widow"


class Options(HouseRules, frozen=True):
    """House rules of Hasenpfeffer."""

    target: Annotated[int, Meta(ge=1, le=99, description="points that win the match")] = 10
    forced_bid: Annotated[
        int, Meta(ge=1, le=6, description="tricks to which the joker binds its holder if all four pass")
    ] = 3
    defenders_can_go_out: Annotated[
        bool, Meta(description="defenders who reach the target win although the contract is made")
    ] = True


SETUP, RANKING, BIDDING, PLAY, SCORING = "Setup", "Card ranking", "Bidding", "Play of the hand", "Scoring"
RULES = Catalogue(
    "hasenpfeffer",
    rule("R1", BIDDING, DUTY, "From the dealer's left to the dealer, each seat calls once.", "call in turn"),
    rule("R2", BIDDING, DUTY, "A bid is for one to six tricks, and for more than the bid that stands.", "bid higher"),
    rule("R3", BIDDING, DUTY, "The bidding is over with the dealer's call; there is no second round.", "one round"),
    rule("R4", BIDDING, DUTY, "If all four pass, the holder of the joker shows it and must bid "
         "exactly three.", "the joker binds"),
    rule("R5", BIDDING, CONSEQUENCE, "If all four pass and the joker is the widow, the hand is void, and the next seat "
         "deals.", "the joker is the widow"),
    rule("R6", BIDDING, DUTY, "The high bidder takes the widow, then names a suit as trumps, then discards; all that "
         "before the first lead.", "widow, trumps, discard"),
    rule("R7", BIDDING, DUTY, "One card is discarded, face down; it may be any of the seven.",
         "one discard"),
    rule("R8", PLAY, DUTY, "The high bidder leads to the first trick, the winner of a trick to the next.", "lead"),
    rule("R9", PLAY, DUTY, "A seat that holds the suit led plays it; the joker and both bowers are of the trump suit.",
         "follow suit", {Play: must_follow_suit}),
    rule("R10", PLAY, RIGHT, "A seat that cannot follow suit may play any card, a trump or not.", "any card",
         {Fault: any_card_without_the_suit}),
    rule("R11", PLAY, DUTY, "Each seat in turn, clockwise, plays one card of its hand to a trick.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R12", SETUP, CONSEQUENCE, "Each seat is dealt six cards; the last of the 25 is the widow, face down.",
         "the deal"),
    rule("R13", RANKING, CONSEQUENCE, "The highest trump wins the trick: joker, jack of trumps, jack of the other suit "
         "of its colour, ace; without a trump, the highest card of the suit led.", "who wins", {Move: winner_gathers}),
    rule("R14", SCORING, CONSEQUENCE, "Declarers who take at least the tricks they bid score one for each, else they "
         "lose the bid; defenders always score their tricks.", "points"),
    rule("R15", SCORING, CONSEQUENCE, "The first side with ten points wins the match; if both get there in one hand, "
         "the declarers do.", "the match"),
)  # fmt: skip

READINGS = {
    "Defenders who reach ten while the contract is made": "win, unless the declarers are at ten too; by option "
    "defenders_can_go_out=no they do so only in a hand in which they declare or the contract fails",
    "Passes after a bid of six": "may be recorded or left out; no higher bid is possible",
    "Must the last to call bid if they hold the joker?": "no: all four may pass, and then the joker binds",
    "May the joker's holder bid more than three after four passes?": "no: three, or what option forced_bid says",
    "Who takes the widow after a forced bid?": "the joker's holder, who is the high bidder in everything",
    "May the discard be looked at?": "no: it lies face down until the hand is over",
    "The joker or the left bower is led": "the suit led is trumps",
    "Who deals next?": "the next player on the left after every hand; the text says so only of a void one, so another "
    "order is no breach. A misdeal is dealt again by the same dealer",
    "Negative totals": "stand as they are",
    "An unrecorded forced bid": "is seen from who names trumps or leads",
    "An unrecorded discard": "has been made: the high bidder leads with six cards",
    "Nobody shows the joker, and the next hand is dealt": "it was the widow, unless its holder was seen",
}
WORDS = {
    "revoke": "fault: the table says that a seat had to follow suit, and goes on",
    "void": "end: the hand does not count, as the joker is the widow",
}


class Hand(TrickHand):
    """State of one hand of Hasenpfeffer.

    `trump` is "" until trumps are named. `taken` means that the widow is in the bidder's hand, `drawn` that a line
    says so; `thrown` is the number of cards discarded in the record, None if uncounted. `forced`: the joker binds the
    high bidder. `spoken`: the bid was recorded too. `bound_at`: position of the act that showed it, if the bid was not
    recorded; else -1. `void`: the joker is in the widow.
    """

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.trick.power, self.trick.blind = strengths_before_trumps(PACK, PLAIN, *TRUMPS.items()), True
        self.auction = Auction()
        self.trump = ""
        self.taken = self.drawn = self.forced = self.spoken = self.void = False
        self.thrown: int | None = 0
        self.bound_at = -1

    @property
    def bidder(self) -> str:
        """The high bidder; "" while there is none."""
        return self.auction.bidder


def not_the_bidder(act: Event, state: State[Hand], does: str) -> CheckResult | None:
    """Why a seat may not do what only the high bidder does; None if it may."""
    if gone_by(state):
        return unknown(GONE_BY)
    bidder = state.hand.bidder
    if bidder in ("", act.by) or won_unheard(act, state):
        return None
    return broken(f"{bidder} won the bidding and {does}")


def won_unheard(act: Event, state: State[Hand]) -> bool:
    """True if this act shows that a seat without a recorded call won the bidding."""
    return state.phase == "naming" and act.by in state.hand.auction.unwritten


@RULES.check("R6", Draw)
def the_widow_is_taken_first(draw: Draw, state: State[Hand]) -> CheckResult | None:
    """The high bidder takes the widow before naming trumps, and draws nothing else."""
    hand, wrong = state.hand, not_the_bidder(draw, state, "takes the widow")
    if draw.src not in ("", "widow"):
        return broken("the high bidder takes the widow and draws nothing else")
    if wrong is not None:
        return wrong
    if hand.drawn:
        return broken("the widow was taken already")
    return broken("the widow is taken before trumps are named") if hand.taken else None


@RULES.check("R6", Name)
def trumps_are_named_next(name: Name, state: State[Hand]) -> CheckResult | None:
    """The high bidder names a suit, once, before the discard and the first lead."""
    hand = state.hand
    if name.what not in SUITS:
        return broken("trumps are one of c, d, h, s")
    wrong = not_the_bidder(name, state, "names trumps")
    if wrong is not None:
        return wrong
    if hand.trump:
        return broken(f"{SUIT_NAMES[hand.trump]} were named already")
    if is_led(state):
        return broken("trumps are named before the first lead")
    return broken("trumps are named before the discard") if hand.thrown != 0 else None


@RULES.check("R6", Discard)
def the_discard_comes_last(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """The high bidder discards after trumps are named, before the first lead."""
    wrong = not_the_bidder(discard, state, "discards")
    if wrong is not None:
        return wrong
    return broken("the discard comes before the first lead") if is_led(state) else None


@RULES.check("R7", Discard)
def as_many_as_the_widow_has(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """As many cards are discarded as the widow has, face down."""
    many, thrown, widow = how_many(discard.cards), state.hand.thrown, whole_deal(state)["widow"]
    if discard.face == "up":
        return broken("cards are discarded face down")
    if many is None or thrown is None or gone_by(state):
        return unknown("how many cards were discarded: not counted")
    return broken(f"{thrown + many} cards are discarded, and the widow has {widow}") if thrown + many > widow else None


@RULES.check("R8", Play)
def the_high_bidder_leads_first(play: Play, state: State[Hand]) -> CheckResult | None:
    """The high bidder leads to the first trick, the winner of a trick to the next."""
    trick = state.hand.trick
    return first_lead(play, state) if trick.won or trick.plays else not_the_bidder(play, state, "leads")


def bidding_is_over(state: State[Hand]) -> None:
    """End the bidding: the high bidder takes the widow and names trumps."""
    state.phase, state.turn = "naming", (state.hand.bidder,)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Take the widow; if that was inferred before, its cards are seen now."""
    ensure_dealt(state, draw)
    hand, table = state.hand, state.table
    widow, held = table.row("widow"), state.holding(draw.by)
    widow.vague = widow.vague or gone_by(state)
    codes = table.codes(draw.cards, widow)
    if hand.taken and not widow.row:
        table.reveal(codes, held)
    else:
        table.move(codes, widow, held)
    hand.taken = hand.drawn = True


def take_the_widow(state: State[Hand]) -> None:
    """Infer that the widow was taken, from an act of the high bidder."""
    hand, widow = state.hand, state.table.row("widow")
    if not hand.taken:
        state.table.move([state.game.pack.unknown] * len(widow), widow, state.holding(hand.bidder))
    hand.taken = True


def on_name(name: Name, state: State[Hand]) -> None:
    """Name trumps; then the widow was taken, and the high bidder discards."""
    ensure_dealt(state, name)
    hand = state.hand
    if name.what not in SUITS or hand.trump or is_led(state):
        return
    hand.trump, hand.trick.blind = name.what, hand.trick.lost
    hand.trick.power = strengths(PACK, PLAIN, name.what, TRUMPS[name.what])
    if state.phase == "naming":
        take_the_widow(state)
        state.phase, state.turn = "discarding", (state.hand.bidder,)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Discard cards. Cards discarded after the lead are those that were inferred before it."""
    ensure_dealt(state, discard)
    hand, table = state.hand, state.table
    held, pile = state.holding(discard.by), table.row(f"discard:{discard.by}")
    codes = table.codes(discard.cards, held)
    if state.phase == "play" and hand.thrown == 0 and len(pile):
        table.reveal(codes, pile)
    else:
        table.move(codes, held, pile)
    many = how_many(discard.cards)
    hand.thrown = None if many is None or hand.thrown is None else hand.thrown + many
    if state.phase == "discarding" and (hand.thrown is None or hand.thrown >= whole_deal(state)["widow"]):
        the_bidder_is_to_lead(state)


def the_bidder_is_to_lead(state: State[Hand]) -> None:
    """Begin the play."""
    state.phase, state.turn = "play", (state.hand.bidder,)


def later_than_the_bidding(act: Event, state: State[Hand]) -> None:
    """Infer what an act of a later phase implies: the winner of the bidding, the naming of trumps, the discard."""
    hand, widow = state.hand, whole_deal(state)["widow"]
    if won_unheard(act, state):
        one_round.bid_unheard(act.by, state)
        state.turn = (act.by,)
    if not isinstance(act, Discard | Play) or state.phase not in ("naming", "discarding"):
        return
    if state.phase == "naming":
        state.infer("trumps were named before this; the suit was not recorded")
        take_the_widow(state)
        state.phase = "discarding"
    if isinstance(act, Play):
        due = 0 if hand.thrown is None else max(0, widow - hand.thrown)
        pile = state.table.row(f"discard:{hand.bidder}")
        state.table.move([state.game.pack.unknown] * due, state.holding(hand.bidder), pile)
        the_bidder_is_to_lead(state)


# Bidding, and the joker that binds its holder if nobody bids
def is_void(hand: Hand) -> bool:
    """Return True if the joker is in the widow and no bid shows that play went on."""
    return bool(hand.void and hand.auction.high is None)


def seen_to_be_the_widow(state: State[Hand]) -> bool:
    """Return True if the joker is in the widow by what has been seen so far, whatever is seen later."""
    return state.game.pack.code["Jo"] in (state.table.row("widow").row or ())


def holder_of_the_joker(state: State[Hand]) -> str:
    """The seat that certainly holds the joker; empty if unknown."""
    return next((seat for seat in state.terms.seats if state.holding(seat).any_of(state.game.pack.joker)), "")


def all_may_have_passed(state: State[Hand]) -> bool:
    """Return True if the bidding may be over without a bid: every seat has called or was passed over, or only one has
    not."""
    auction: Auction = state.hand.auction
    silent = auction.silent(state.terms.seats)
    return state.phase == "auction" and auction.high is None and len((*silent, *auction.unwritten * bool(silent))) < 2


def bound_after_all(call: Bid | Pass, state: State[Hand]) -> bool:
    """Return True if a seat that has passed, or was passed over, may bid because the joker binds it."""
    if not isinstance(call, Bid) or (call.level, call.strain) != (state.terms.options.forced_bid, ""):
        return False
    return bool(state.hand.auction.times.get(call.by)) and all_may_have_passed(state)


def goes_with_the_joker(bid: Bid, state: State[Hand]) -> bool:
    """Return True if this is the bid of the seat that has shown the joker."""
    hand = state.hand
    return state.phase == "naming" and hand.forced and not hand.spoken and bid.by == hand.bidder


def was_unheard(bid: Event, state: State[Hand]) -> bool:
    """Return True if this bid was inferred earlier, without its height: the seat had been seen to win the bidding."""
    auction: Auction = state.hand.auction
    unheard = auction.high is not None and auction.high.level is None
    return unheard and isinstance(bid, Bid) and bid.by == auction.bidder


def seen_from_this(act: Event, state: State[Hand]) -> bool:
    """Return True if this act is the first to show that a seat is bound: it bids, names trumps or leads."""
    return state.phase == "joker" if isinstance(act, Bid) else state.hand.bound_at == state.at


def is_played_though_void(state: State[Hand], act: Event) -> bool:
    """True if an act belongs to the last hand, a void one: the actor's hand is fully seen and has the card."""
    void = state.number and state.settled and is_void(state.hand)
    if not void or not isinstance(act, Draw | Name | Discard | Play):
        return False
    held, card = state.holding(act.by), "" if isinstance(act, Name) else act.cards[0]
    if isinstance(act, Draw):
        return held.complete and card in ("Jo", "??")
    return held.complete and (not card or bool(held.known & state.game.pack.unit_of.get(card, 0)))


@RULES.check("R1", Bid, Pass, when="auction gap")
def each_seat_calls_once(call: Bid | Pass, state: State[Hand]) -> CheckResult | None:
    """Each seat has one call, in turn. If all may have passed, a second call is the bid that the joker forces."""
    if bound_after_all(call, state):
        return unknown("whether all seats had passed: that may be missing from the record")
    return call_in_turn(call, state)


@RULES.check("R3", Bid, Pass, when="joker naming discarding")
def there_is_one_round(call: Bid | Pass, state: State[Hand]) -> CheckResult | None:
    """Once all have called, only the seat that the joker binds may bid."""
    if isinstance(call, Bid) and (state.phase == "joker" or goes_with_the_joker(call, state)):
        return None
    if was_unheard(call, state):
        return unknown(f"whether {call.by} bid before trumps were named: that may be missing from the record")
    may_be_void = state.phase == "joker" and state.table.row("widow").any_of(state.game.pack.joker) is not False
    if call.by in state.hand.auction.unwritten or may_be_void:
        return unknown(f"whether {call.by} had called, or another hand had begun: that may be missing from the record")
    return broken("the bidding is over")


def as_bound(bid: Bid, state: State[Hand]) -> CheckResult | None:
    """A seat that is bound bids exactly the `forced_bid` of the house rules."""
    forced = state.terms.options.forced_bid
    if (bid.level, bid.strain) == (forced, ""):
        return None
    return broken(f"after four passes the joker binds its holder to exactly {forced}")


@RULES.check("R4", Bid, Draw, Name, Discard, Play)
def the_holder_of_the_joker_bids(act: Event, state: State[Hand]) -> CheckResult | None:
    """After four passes the holder of the joker bids, exactly what the joker binds to."""
    if state.hand.void or not seen_from_this(act, state):
        return None
    another_bid = as_bound(act, state) if isinstance(act, Bid) else None
    holds = state.holding(act.by).any_of(state.game.pack.joker)
    if another_bid is not None or holds:
        return another_bid
    if holds is None:
        return unknown(f"whether {act.by} holds the joker")
    whose = holder_of_the_joker(state)
    if whose:
        return broken(f"{whose} holds the joker and is bound to bid", state.game.pack.joker, whose)
    # If it is the widow, R5 says so.
    return None if state.table.row("widow").any_of(state.game.pack.joker) else broken(
        f"{act.by} does not hold the joker"
    )


@RULES.check("R4", Bid, when="naming")
def no_other_bid_than_the_forced_one(bid: Bid, state: State[Hand]) -> CheckResult | None:
    """The seat that has shown the joker bids exactly what the joker binds to."""
    return as_bound(bid, state) if goes_with_the_joker(bid, state) else None


@RULES.check("R5", Bid, Draw, Name, Discard, Play)
def nobody_bids_on_a_void_hand(act: Event, state: State[Hand]) -> CheckResult | None:
    """There is no bid on a hand with the joker in the widow."""
    if not seen_from_this(act, state):
        return None
    if not (state.hand.void or state.table.row("widow").any_of(state.game.pack.joker)):
        return None
    return broken(
        "all four passed and the joker is the widow, so the hand is void", state.game.pack.joker, "widow",
    )


@RULES.check("R5", End)
def void_if_the_joker_is_the_widow(end: End, state: State[Hand]) -> CheckResult | None:
    """The table declares the hand void only if all have passed and no player holds the joker."""
    hand = state.hand if state.number and not state.settled else None
    if hand is None or hand.void or hand.trick.lost or end.what != "hand" or end.why != "void":
        return None
    if hand.auction.high is not None:
        return broken(
            f"{hand.auction.bidder} {'is bound by the joker' if hand.forced else 'has bid'}, so the hand is not void"
        )
    is_widow = state.table.row("widow").any_of(state.game.pack.joker)
    if state.phase != "joker" or is_widow:
        return None
    if is_widow is None:
        return unknown("whether the joker is the widow")
    whose = holder_of_the_joker(state)
    text = f"{whose or 'a player'} holds the joker and is bound to bid, so the hand is not void"
    return broken(text, state.game.pack.joker, whose)


@RULES.check("R5", HandEvent)
def after_a_void_hand_the_next_deals(hand: HandEvent, state: State[Hand]) -> CheckResult | None:
    """After a void hand the next seat deals. This check says nothing of other hands."""
    record, right = state.hand if state.number else None, state.terms.after(state.dealer)
    if record is None or hand.number != state.numbered + 1:
        return None
    if record.auction.high is not None or not (record.void or state.phase == "joker" or state.stop_reason == "void"):
        return None
    if hand.by == right or hand.by not in state.terms.seats:
        return None
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(
        f"the hand was void, and {right} deals next, not {hand.by}"
    )


def on_bid(bid: Bid, state: State[Hand]) -> None:
    """Record a bid; it may be the one that the joker forces."""
    one_round.prepare_call(bid.by, state)
    hand = state.hand
    if bound_after_all(bid, state):
        all_have_passed(state)
    if state.phase == "discarding" and was_unheard(bid, state):
        hand.auction.bid(bid)
    elif state.phase in ("joker", "naming"):
        hand.forced = hand.spoken = state.phase == "joker" or (hand.forced and bid.by == hand.bidder)
        hand.auction.bid(bid)
        bidding_is_over(state)
    elif state.phase in ("auction", "gap"):
        hand.auction.bid(bid)
        next_call(state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """Record a pass."""
    one_round.prepare_call(act.by, state)
    if state.phase in ("auction", "gap"):
        state.hand.auction.passed(act.by)
        next_call(state)


def next_call(state: State[Hand]) -> None:
    """Move on after a call: to the next seat, the end of the bidding, or, without a bid, the phase `joker`."""
    if one_round.call_goes_on(state):
        return
    if state.hand.auction.high is None:
        look_for_the_joker(state)
    else:
        bidding_is_over(state)


def look_for_the_joker(state: State[Hand]) -> None:
    """End the hand if the joker was seen in the widow; else its holder (any seat, if unknown) must bid."""
    if seen_to_be_the_widow(state):
        the_hand_is_void(state)
        return
    seen = next((seat for seat in state.terms.seats if state.holding(seat).known & state.game.pack.joker), "")
    state.phase, state.turn = "joker", (seen,) if seen else state.terms.seats


def the_hand_is_void(state: State[Hand]) -> None:
    """End the hand, scoring nothing, as the joker is in the widow."""
    state.hand.void = True
    finish_hand(state)


def all_have_passed(state: State[Hand]) -> None:
    """Infer that the seats that have not called passed too."""
    auction: Auction = state.hand.auction
    silent = auction.silent(one_round.calling_order(state))
    if silent:
        state.infer(f"{' and '.join(silent)} passed before this (not recorded)")
        auction.skip(silent)
    state.phase = "joker"


def joker_binds(seat: str, state: State[Hand]) -> None:
    """Record that this seat is bound to bid."""
    state.hand.forced = True
    state.hand.auction.bid(Bid(by=seat, level=state.terms.options.forced_bid))
    bidding_is_over(state)


def on_dealt(deal: Deal, state: State[Hand]) -> None:
    """Apply a deal. After four passes it is the deal of the next hand, as no player has shown the joker."""
    if state.phase == "joker":
        the_hand_is_void(state)
    on_deal(deal, state)


def on_shown(show: Show, state: State[Hand]) -> None:
    """Apply a show. After four passes the joker shows which seat is bound, or that the hand is void."""
    on_show(show, state)
    if not any("Jo" in group for group in show.groups):
        return
    if all_may_have_passed(state):
        all_have_passed(state)
    if state.phase == "joker" and seen_to_be_the_widow(state):
        the_hand_is_void(state)
    elif state.phase == "joker" and (not show.src or show.src.startswith("hand:")):
        joker_binds(show.src.removeprefix("hand:") or show.by, state)


def infer_parts_before_joker(state: State[Hand], act: Event) -> None:
    """Infer from an act of a later part of the hand the passes and the forced bid that were not recorded."""
    if not isinstance(act, Draw | Name | Discard | Play):
        return
    hand = state.hand
    if is_played_though_void(state, act):
        reopen_hand(state)
        state.phase = "joker"
    if state.phase == "auction":
        if hand.auction.high is None and hand.auction.has_called(act.by):
            all_have_passed(state)
        else:
            one_round.infer_remaining_calls(act.by, state)
            bidding_is_over(state)
    if state.phase == "joker":
        state.infer(f"all four passed, and {act.by} was bound to bid by the joker (not recorded)")
        joker_binds(act.by, state)
        hand.bound_at = state.at
    later_than_the_bidding(act, state)


@RULES.check("R12", Deal)
def six_each_and_the_widow(deal: Deal, state: State[Hand]) -> CheckResult | None:
    if state.phase == "joker":
        # The deal begins the next hand.
        return None
    if deal.face == "up" and any(pile == "widow" for pile, _ in deal.piles):
        return broken("the widow lies face down")
    return as_many_as_dealt(deal, state)


@RULES.check("R2", Bid, when="auction gap")
def bid_higher(bid: Bid, state: State[Hand]) -> CheckResult | None:
    if bid.strain or bid.level is None or not 1 <= bid.level <= DEAL.each:
        return broken(f"a bid is for 1 to {DEAL.each} tricks, and trumps are named later")
    if gone_by(state):
        return unknown(GONE_BY)
    high = state.hand.auction.high
    if high is None or high.level is None or bid.level > high.level:
        return None
    return broken(f"{bid.level} is not more than the {high.level} that stands")


# Scoring
def bound_to_another_bid(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a forced bid is not for the number of tricks that the house rules say, else ""."""
    forced, level = state.terms.options.forced_bid, known.get("level")
    wrong = known.get("forced") is True and level not in (None, forced)
    return f"the joker binds to {forced} tricks, not to {level}" if wrong else ""


class Tally(TallyFacts):
    """What a hand of Hasenpfeffer is scored from. `declarer` is a side; None if unknown."""

    declarer: str | None = side("seat or side that plays the contract")
    level: int | None = or_said(
        number("the bid, 1 to 6", 1, DEAL.each, rule="R2", stands=True), joker={"forced": True}
    )
    forced: bool | None = shown_only(lambda forced: {"forced": forced or None}, unasked(
        yes_or_no("yes if the joker bound its holder to the bid", rule="R4")
    ))  # fmt: skip
    trump: str = choice("suit that was named", *SUITS, rule="R6")
    tricks: Points = of_the("declarer", trick_counts("side", DEAL.each, "R14", one_by_one=True))
    void: str = why_void(f"misdeal or {IN_THE_WIDOW}: the hand does not count")

    laws = (Law(("forced", "level"), bound_to_another_bid, "R4"),)


def bid_so_far(state: State[Hand]) -> Tally:
    """Tally of the hand in play from its auction alone."""
    hand, out = state.hand, Tally()
    if hand.auction.high is not None and not (gone_by(state) and hand.auction.silent(state.terms.seats)):
        out.declarer, out.level = state.terms.side_of.get(hand.bidder), hand.auction.high.level
        out.forced = hand.forced
    out.trump = hand.trump
    if is_void(hand) or (state.phase == "joker" and not holder_of_the_joker(state)):
        out.void = IN_THE_WIDOW
    return out


def tally(state: State[Hand]) -> Tally:
    hand, out = state.hand, bid_so_far(state)
    if len(hand.trick.won) == DEAL.each and not gone_by(state):
        out.tricks = hand.trick.taken_by(state.terms.side_of)
    return with_the_forced_level(apply_reported_facts(out, state), state)


def with_the_forced_level(t: Tally, state: State[Hand]) -> Tally:
    """Fill in the level of a forced bid from the house rules if no bid was recorded; return `t`."""
    if t.forced and t.level is None:
        t.level = state.terms.options.forced_bid
    return t


def in_words(declarer: str | None, level: int | None, trump: str, state: State[Hand]) -> str:
    """Declarer, number of tricks and trumps in words; "" if the declarer or the level is unknown."""
    if declarer is None or level is None:
        return ""
    return f"{state.terms.name(declarer)} {level} {GLYPHS.get(trump, '')}".strip()


def contract(state: State[Hand]) -> str:
    """The highest bid so far, with the trumps once they are named."""
    hand, high = state.hand, state.hand.auction.high
    if high is None or is_void(hand) or (gone_by(state) and hand.auction.silent(state.terms.seats)):
        return ""
    if state.phase == "joker" and not holder_of_the_joker(state):
        return ""
    level = state.terms.options.forced_bid if hand.forced and high.level is None else high.level
    return in_words(state.terms.side_of.get(hand.bidder), level, hand.trump, state)


def worth(tricks: int, level: int) -> tuple[int, str]:
    """Points of the declarers for a contract, and the words for them.

    >>> worth(5, 4), worth(3, 4)[0], worth(4, 4)[0]
    ((5, 'made 4: +5'), -4, 4)
    """
    points = tricks if tricks >= level else -level
    return points, f"{'made' if points > 0 else 'failed'} {level}: {signed(points)}"


def score(state: State[Hand]) -> HandScore:
    t, terms = tally(state), state.terms
    bid = in_words(t.declarer, t.level, t.trump, state)
    if nothing := counts_nothing(state, t.void, contract=bid):
        return nothing
    tricks: Points = {who: t.tricks.get(who) for who in terms.sides}
    points: Points = dict.fromkeys(terms.sides)
    missing = ["the contract"] if not bid else []
    missing += ["who took how many tricks"] if None in tricks.values() else []
    lines, outcome = [ScoreLine("tricks", tricks)], ""
    for who, n in sorted(tricks.items(), key=lambda told: told[0] != t.declarer) if t.declarer else ():
        if who != t.declarer:
            points[who] = n
            lines.append(ScoreLine("defenders", {who: n}, {} if n is None else {who: signed(n)}))
        elif n is None or t.level is None:
            lines.append(ScoreLine("declarers", {who: None}))
        else:
            points[who], told = worth(n, t.level)
            lines.append(ScoreLine("declarers", {who: points[who]}, {who: told}))
            outcome = "forced, " * bool(t.forced) + told.partition(" ")[0]
    return hand_score(
        state, points, lines, contract=bid, result=outcome, unknown=missing, bidder=seat_that_bid(state)
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. A side at the target has won; if both are, the declarers have. The option
    `defenders_can_go_out` says if defenders may win when the contract is made."""
    totals, options = add_points(before.totals, hand.points), terms.options
    there = [who for who, n in totals.items() if n is not None and n >= options.target]
    declarers = next((who for line in hand.lines if line.label == "declarers" for who in line.amounts), "")
    if not options.defenders_can_go_out and "failed" not in hand.result:
        there = [who for who in there if who == declarers]
    winner = before.winner
    if declarers in there:
        winner = declarers
    elif there and None not in totals.values() and (declarers or len(there) == 1):
        winner = there[0]
    return replace(before, totals=totals, winner=winner, over=bool(winner), hands=before.hands + 1)


# At the table
def shows_the_joker(seat: str, state: State[Hand]) -> Iterator[Event]:
    if state.holding(seat).certain & PACK.joker:
        yield Show(by=seat, groups=(("Jo",),))


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a draw comes from the widow, and a bare joker after four passes is shown, not played."""
    if isinstance(event, Play) and state.phase == "joker" and event.cards == ("Jo",):
        return (Show(by=event.by, groups=(event.cards,)),)
    return (replace(event, src="widow"),) if isinstance(event, Draw) and not event.src else (event,)


def headline(state: State[Hand]) -> dict[str, Any]:
    """The contract, for the headline of the table."""
    hand = state.hand
    if hand.auction.high is None:
        return {}
    level = "?" if hand.auction.high.level is None else str(hand.auction.high.level)
    said = level + " forced" * hand.forced
    return {"bidder": hand.bidder, "bid": said, **({"trump": hand.trump} if hand.trump else {})}


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: players bid and name trumps by strength; some hands get no bid."""
    held = state.holding(event.by).certain
    trumps = {suit: PACK.count(held & PACK.mask_of(cards)) for suit, cards in TRUMPS.items()}
    if isinstance(event, Bid) and state.phase == "auction":
        return 0.5 if (event.level or 0) <= max(trumps.values()) - 1 + PACK.count(held & PACK.rank["A"]) / 2 else 0.01
    return trumps[event.what] ** 2 + 0.1 if isinstance(event, Name) else 1.0


GAME = Game(
    key="hasenpfeffer", name="Hasenpfeffer", family="tricks", summary=summary_of(__doc__),
    seating=partnerships(), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("auction"), Hand),
    phases={
        "auction": Phase(
            "bidding", (Bid, Pass), "a bid (1 to 6) or a pass", default_act=lambda state: Pass(by=state.turn[0]),
            to_do="call", bare=(), tries=(try_pass, try_bidding(range(1, DEAL.each + 2))),
        ),
        "joker": Phase(
            "the joker after four passes", (Bid, Pass),
            "the joker, from its holder (E jo), or `.` if it is the widow",
            default_act=lambda state: Show(by="@", groups=(("Jo",),), src="widow"), to_do="show the joker", bare=(),
            tries=(shows_the_joker, try_bidding(range(1, DEAL.each + 1))),
        ),
        "naming": Phase(
            "naming trumps", (Name, Draw, Bid, Pass), "the trump suit: c, d, h or s", to_do="name trumps",
            bare=tuple(SUITS), verb_required=(Draw, Bid, Pass), tries=(try_naming(*SUITS),),
        ),
        "discarding": Phase(
            "the discard", (Discard, Draw, Name, Bid, Pass, Play),
            "`.` for the card thrown (discard 9c if it was seen), or the first lead at once",
            default_act=lambda state: Discard(by=state.turn[0], cards=("??",)) if state.turn else None,
            to_do="discard", one_card=True, bare=(),
            verb_required=(Discard, Draw, Name, Bid, Pass),
            tries=(
                lambda seat, state: (Discard(by=seat, cards=(c,)) for c in PACK.cards(state.holding(seat).certain)),
            ),
        ),
        "play": Phase(
            "play", (Play, Draw, Name, Discard), "a card", to_do="play", one_card=True,
            verb_required=(Draw, Name, Discard),
            tries=(try_lead_or_follow,), apply_batch=plays_in_order,
        ),
    },
    on={
        **TRICKS, Deal: on_dealt, Bid: on_bid, Pass: on_pass, Show: on_shown, Draw: on_draw, Name: on_name,
        Discard: on_discard,
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    sheet=we_they(
        {"contract": contract_alone, "bid by": bid_by, "result": result_text},
        {"{} took": figure_of_line("tricks"), "{} ±": gained, "{}": running_total},
    ),
    judging=Judging(transfer=lambda state, facts: trick_winners_as_ruled(facts, state.hand.trick.won, state)),
    omissions=Omissions(
        unwritten=infer_parts_before_joker, belongs_to_finished_hand=is_played_though_void,
    ),
    shorthand=Shorthand(expand=expand_shorthand, led=suit_led),
    display=Display(
        headline=headline, last_outcome_text=just_taken, contract=contract,
        piles={"discard": Lies("stack", "beside", "nobody")},
    ),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
