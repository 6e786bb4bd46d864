"""The joker binds: if nobody bids, whoever holds it shows it, and has to; if it is the widow, the hand is void.

The page derives its record of a hand from `BoundHand`, which has the auction in one round (`one_round`) and all that the high
bidder does (`high_bidder`); its option `forced_bid` says to how many tricks the joker binds. The part of a hand in which it is
looked for is the phase `joker`. A page spreads `BOUND` into its `on`, and names `unwritten` and, as its `belongs_to_finished_hand`,
`is_played_though_void`. Hasenpfeffer uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.cards import Ranking
from events.model import Bid, Deal, Discard, Draw, End, Event, Hand, Name, Pass, Play, Show
from reducers.evolve import finish_hand, on_deal, on_show, reopen_hand
from reducers.model import Evolve, State
from reducers.rules import CheckResult, broken, unknown
from reducers.words import one_round
from reducers.words.auction import Auction
from reducers.words.deals import WHO_DEALS
from reducers.words.high_bidder import GONE, BidderHand, bidding_is_over, later_than_the_bidding, on_discard, on_draw
from reducers.words.one_round import call_in_turn


class BoundHand(BidderHand):
    """The record of a hand in which the joker may bind its holder.

    `forced` says that it binds the high bidder, `spoken` that the bid was written too; `bound_at` is the act
    from which that was seen, if nobody wrote it. `void` says that the joker is the widow.
    """

    __slots__ = ("bound_at", "forced", "spoken", "void")

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        super().__init__(state, ranked)
        self.forced = self.spoken = self.void = False
        self.bound_at = -1


# -- what is known ----------------------------------------------------------------------------------------------------


def is_void(hand: BoundHand) -> bool:
    """Whether the joker is the widow, and nobody has played on."""
    return bool(hand.void and hand.auction.high is None)


def seen_to_be_the_widow(state: State[Any]) -> bool:
    """Whether the joker lies in the widow by what was seen so far, whatever comes to light later."""
    return state.game.pack.code["Jo"] in (state.table.row("widow").row or ())


def holder_of_the_joker(state: State[Any]) -> str:
    """Who holds the joker for certain; empty if nobody can tell."""
    return next((seat for seat in state.terms.seats if state.holding(seat).any_of(state.game.pack.joker)), "")


def all_may_have_passed(state: State[Any]) -> bool:
    """Whether the bidding may be over without a bid: of the four passes one at most is not written."""
    auction: Auction = state.hand.auction
    unheard = (*auction.silent(state.terms.seats), *auction.unwritten)
    return state.phase == "auction" and auction.high is None and len(unheard) < 2


def bound_after_all(call: Bid | Pass, state: State[Any]) -> bool:
    """Whether a seat that has passed may bid because the joker binds it."""
    if not isinstance(call, Bid) or (call.level, call.strain) != (state.terms.options.forced_bid, ""):
        return False
    return state.hand.auction.has_called(call.by) and all_may_have_passed(state)


def goes_with_the_joker(bid: Bid, state: State[Any]) -> bool:
    """Whether this is the bid of the seat that has shown the joker."""
    hand = state.hand
    return state.phase == "naming" and hand.forced and not hand.spoken and bid.by == hand.bidder


def was_unheard(bid: Event, state: State[Any]) -> bool:
    """Whether this is the bid of a seat that was seen to have won the bidding before anybody wrote with what bid."""
    auction: Auction = state.hand.auction
    unheard = auction.high is not None and auction.high.level is None
    return unheard and isinstance(bid, Bid) and bid.by == auction.bidder


def seen_from_this(act: Event, state: State[Any]) -> bool:
    """Whether this act is the first by which a seat is seen to be bound: it bids, or it names trumps, or leads."""
    return state.phase == "joker" if isinstance(act, Bid) else state.hand.bound_at == state.at


def is_played_though_void(state: State[Any], act: Event) -> bool:
    """Whether an act is still of a hand that was void: nobody wrote another deal, and the hand that lies open has its card."""
    void = state.number and state.settled and is_void(state.hand)
    if not void or not isinstance(act, Draw | Name | Discard | Play):
        return False
    held, card = state.holding(act.by), "" if isinstance(act, Name) else act.cards[0]
    if isinstance(act, Draw):
        return held.complete and card in ("Jo", "??")
    return held.complete and (not card or bool(held.known & state.game.pack.unit_of.get(card, 0)))


# -- what may be done -------------------------------------------------------------------------------------------------


def each_seat_calls_once(call: Bid | Pass, state: State[Any]) -> CheckResult | None:
    """Each seat has one call, in turn; if all may have passed, another is the joker's."""
    if bound_after_all(call, state):
        return unknown(f"whether everybody had passed: {GONE}")
    return call_in_turn(call, state)


def there_is_one_round(call: Bid | Pass, state: State[Any]) -> CheckResult | None:
    """Once everybody has called, nobody bids but the seat that the joker binds."""
    if isinstance(call, Bid) and (state.phase == "joker" or goes_with_the_joker(call, state)):
        return None
    if was_unheard(call, state):
        return unknown(f"whether {call.by} bid before trumps were named: {GONE}")
    may_be_void = state.phase == "joker" and state.table.row("widow").any_of(state.game.pack.joker) is not False
    if call.by in state.hand.auction.unwritten or may_be_void:
        return unknown(f"whether {call.by} had called, or another hand had begun: {GONE}")
    return broken("the bidding is over")


def as_bound(bid: Bid, state: State[Any]) -> CheckResult | None:
    """A seat that is bound bids as many as the house rules say."""
    forced = state.terms.options.forced_bid
    if (bid.level, bid.strain) == (forced, ""):
        return None
    return broken(f"after four passes the joker binds its holder to {forced}, neither more nor less")


def the_holder_of_the_joker_bids(act: Event, state: State[Any]) -> CheckResult | None:
    """After four passes whoever holds the joker bids, as many as it binds to."""
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
    return None if state.table.row("widow").any_of(state.game.pack.joker) else broken(f"{act.by} does not hold the joker")


def no_other_bid_than_the_forced_one(bid: Bid, state: State[Any]) -> CheckResult | None:
    """Whoever has shown the joker writes no other bid than the one it binds to."""
    return as_bound(bid, state) if goes_with_the_joker(bid, state) else None


def nobody_bids_on_a_void_hand(act: Event, state: State[Any]) -> CheckResult | None:
    """A hand of which the joker is the widow is not played."""
    if not seen_from_this(act, state):
        return None
    if not (state.hand.void or state.table.row("widow").any_of(state.game.pack.joker)):
        return None
    return broken("all four passed and the joker is the widow, so that the hand is void", state.game.pack.joker, "widow")


def void_if_the_joker_is_the_widow(end: End, state: State[Any]) -> CheckResult | None:
    """The table calls the hand void only if all have passed and nobody holds the joker."""
    hand: BoundHand | None = state.hand if state.number and not state.settled else None
    if hand is None or hand.void or hand.trick.lost or end.what != "hand" or end.why != "void":
        return None
    if hand.auction.high is not None:
        return broken(f"{hand.auction.bidder} {'is bound by the joker' if hand.forced else 'has bid'}, so that the hand is not void")
    is_widow = state.table.row("widow").any_of(state.game.pack.joker)
    if state.phase != "joker" or is_widow:
        return None
    if is_widow is None:
        return unknown("whether the joker is the widow")
    whose = holder_of_the_joker(state)
    text = f"{whose or 'somebody'} holds the joker and is bound to bid, so that the hand is not void"
    return broken(text, state.game.pack.joker, whose)


def after_a_void_hand_the_next_deals(hand: Hand, state: State[Any]) -> CheckResult | None:
    """After a void hand the next seat deals; after any other nothing is said of it."""
    record, right = state.hand if state.number else None, state.terms.after(state.dealer)
    if record is None or hand.number != state.numbered + 1:
        return None
    if record.auction.high is not None or not (record.void or state.phase == "joker" or state.stop_reason == "void"):
        return None
    if hand.by == right or hand.by not in state.terms.seats:
        return None
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"the hand was void, and {right} deals next, not {hand.by}")


# -- what becomes of it -----------------------------------------------------------------------------------------------


def on_bid(bid: Bid, state: State[Any]) -> None:
    """A seat bids, or is bound to."""
    one_round.calls(bid.by, state)
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


def on_pass(act: Pass, state: State[Any]) -> None:
    """A seat passes."""
    one_round.calls(act.by, state)
    if state.phase in ("auction", "gap"):
        state.hand.auction.passed(act.by)
        next_call(state)


def next_call(state: State[Any]) -> None:
    """After everybody's call the bidding is over, or, without a bid, the joker is looked for."""
    if one_round.call_goes_on(state):
        return
    if state.hand.auction.high is None:
        look_for_the_joker(state)
    else:
        bidding_is_over(state)


def look_for_the_joker(state: State[Any]) -> None:
    """If the joker was seen to be the widow, the hand is over; else its holder is bound to bid, or somebody is."""
    if seen_to_be_the_widow(state):
        the_hand_is_void(state)
        return
    seen = next((seat for seat in state.terms.seats if state.holding(seat).known & state.game.pack.joker), "")
    state.phase, state.turn = "joker", (seen,) if seen else state.terms.seats


def the_hand_is_void(state: State[Any]) -> None:
    """The joker is the widow: the hand is over, and counts nothing."""
    state.hand.void = True
    finish_hand(state)


def all_have_passed(state: State[Any]) -> None:
    """What comes next shows that those who have not called passed too."""
    auction: Auction = state.hand.auction
    silent = auction.silent(one_round.calling_order(state))
    if silent:
        state.infer(f"{' and '.join(silent)} passed before this; nobody wrote it")
        auction.skip(silent)
    state.phase = "joker"


def joker_binds(seat: str, state: State[Any]) -> None:
    """This seat is seen to be bound to bid."""
    state.hand.forced = True
    state.hand.auction.bid(Bid(by=seat, level=state.terms.options.forced_bid))
    bidding_is_over(state)


def on_dealt(deal: Deal, state: State[Any]) -> None:
    """Cards are dealt; after four passes that is the next hand, as nobody has shown the joker."""
    if state.phase == "joker":
        the_hand_is_void(state)
    on_deal(deal, state)


def on_shown(show: Show, state: State[Any]) -> None:
    """Cards are shown; after four passes the joker says who is bound, or that the hand is void."""
    on_show(show, state)
    if not any("Jo" in group for group in show.groups):
        return
    if all_may_have_passed(state):
        all_have_passed(state)
    if state.phase == "joker" and seen_to_be_the_widow(state):
        the_hand_is_void(state)
    elif state.phase == "joker" and (not show.src or show.src.startswith("hand:")):
        joker_binds(show.src.removeprefix("hand:") or show.by, state)


def infer_parts_before_joker(state: State[Any], act: Event) -> None:
    """What belongs to a later part of the hand shows that those before it are over, and what nobody wrote of them."""
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
            one_round.round_is_over(act.by, state)
            bidding_is_over(state)
    if state.phase == "joker":
        state.infer(f"all four passed, and {act.by} was bound to bid by the joker; nobody wrote it")
        joker_binds(act.by, state)
        hand.bound_at = state.at
    later_than_the_bidding(act, state)


BOUND: Mapping[type[Event], Evolve] = {
    Deal: on_dealt, Bid: on_bid, Pass: on_pass, Show: on_shown, Draw: on_draw, Discard: on_discard,
}  # fmt: skip


__all__ = [
    "BOUND", "BoundHand", "after_a_void_hand_the_next_deals", "each_seat_calls_once", "holder_of_the_joker",
    "is_played_though_void", "is_void", "no_other_bid_than_the_forced_one", "nobody_bids_on_a_void_hand",
    "the_holder_of_the_joker_bids", "there_is_one_round", "infer_parts_before_joker", "void_if_the_joker_is_the_widow",
]  # fmt: skip
