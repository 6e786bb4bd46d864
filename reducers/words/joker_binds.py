"""The joker binds: if no player bids, the holder of the joker must show it and bid; if it is in the widow, the hand is
void.

The page derives its record of a hand from `BoundHand`, which has the auction in one round (`one_round`) and all that
the high bidder does (`high_bidder`). The option `forced_bid` is the number of tricks that the joker binds to. The joker
is looked for in the phase `joker`. A page spreads `BOUND` into its `on`, and sets `unwritten` and
`belongs_to_finished_hand` (to `is_played_though_void`)."""

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

    `forced`: the joker binds the high bidder. `spoken`: the bid was recorded too. `bound_at`: position of the act that
    showed it, if the bid was not recorded; else -1. `void`: the joker is in the widow.
    """

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        super().__init__(state, ranked)
        self.forced = self.spoken = self.void = False
        self.bound_at = -1


# -- what is known ----------------------------------------------------------------------------------------------------


def is_void(hand: BoundHand) -> bool:
    """Return True if the joker is in the widow and no bid shows that play went on."""
    return bool(hand.void and hand.auction.high is None)


def seen_to_be_the_widow(state: State[Any]) -> bool:
    """Return True if the joker is in the widow by what has been seen so far, whatever is seen later."""
    return state.game.pack.code["Jo"] in (state.table.row("widow").row or ())


def holder_of_the_joker(state: State[Any]) -> str:
    """The seat that certainly holds the joker; empty if unknown."""
    return next((seat for seat in state.terms.seats if state.holding(seat).any_of(state.game.pack.joker)), "")


def all_may_have_passed(state: State[Any]) -> bool:
    """Return True if the bidding may be over without a bid: every seat has called or was passed over, or only one has
    not."""
    auction: Auction = state.hand.auction
    silent = auction.silent(state.terms.seats)
    return state.phase == "auction" and auction.high is None and len((*silent, *auction.unwritten * bool(silent))) < 2


def bound_after_all(call: Bid | Pass, state: State[Any]) -> bool:
    """Return True if a seat that has passed, or was passed over, may bid because the joker binds it."""
    if not isinstance(call, Bid) or (call.level, call.strain) != (state.terms.options.forced_bid, ""):
        return False
    return bool(state.hand.auction.times.get(call.by)) and all_may_have_passed(state)


def goes_with_the_joker(bid: Bid, state: State[Any]) -> bool:
    """Return True if this is the bid of the seat that has shown the joker."""
    hand = state.hand
    return state.phase == "naming" and hand.forced and not hand.spoken and bid.by == hand.bidder


def was_unheard(bid: Event, state: State[Any]) -> bool:
    """Return True if this bid was inferred earlier, without its height: the seat had been seen to win the bidding."""
    auction: Auction = state.hand.auction
    unheard = auction.high is not None and auction.high.level is None
    return unheard and isinstance(bid, Bid) and bid.by == auction.bidder


def seen_from_this(act: Event, state: State[Any]) -> bool:
    """Return True if this act is the first to show that a seat is bound: it bids, names trumps or leads."""
    return state.phase == "joker" if isinstance(act, Bid) else state.hand.bound_at == state.at


def is_played_though_void(state: State[Any], act: Event) -> bool:
    """True if an act belongs to the last hand, a void one: the actor's hand is fully seen and has the card."""
    void = state.number and state.settled and is_void(state.hand)
    if not void or not isinstance(act, Draw | Name | Discard | Play):
        return False
    held, card = state.holding(act.by), "" if isinstance(act, Name) else act.cards[0]
    if isinstance(act, Draw):
        return held.complete and card in ("Jo", "??")
    return held.complete and (not card or bool(held.known & state.game.pack.unit_of.get(card, 0)))


# -- what may be done -------------------------------------------------------------------------------------------------


def each_seat_calls_once(call: Bid | Pass, state: State[Any]) -> CheckResult | None:
    """Each seat has one call, in turn. If all may have passed, a second call is the bid that the joker forces."""
    if bound_after_all(call, state):
        return unknown(f"whether all seats had passed: {GONE}")
    return call_in_turn(call, state)


def there_is_one_round(call: Bid | Pass, state: State[Any]) -> CheckResult | None:
    """Once all have called, only the seat that the joker binds may bid."""
    if isinstance(call, Bid) and (state.phase == "joker" or goes_with_the_joker(call, state)):
        return None
    if was_unheard(call, state):
        return unknown(f"whether {call.by} bid before trumps were named: {GONE}")
    may_be_void = state.phase == "joker" and state.table.row("widow").any_of(state.game.pack.joker) is not False
    if call.by in state.hand.auction.unwritten or may_be_void:
        return unknown(f"whether {call.by} had called, or another hand had begun: {GONE}")
    return broken("the bidding is over")


def as_bound(bid: Bid, state: State[Any]) -> CheckResult | None:
    """A seat that is bound bids exactly the `forced_bid` of the house rules."""
    forced = state.terms.options.forced_bid
    if (bid.level, bid.strain) == (forced, ""):
        return None
    return broken(f"after four passes the joker binds its holder to exactly {forced}")


def the_holder_of_the_joker_bids(act: Event, state: State[Any]) -> CheckResult | None:
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


def no_other_bid_than_the_forced_one(bid: Bid, state: State[Any]) -> CheckResult | None:
    """The seat that has shown the joker bids exactly what the joker binds to."""
    return as_bound(bid, state) if goes_with_the_joker(bid, state) else None


def nobody_bids_on_a_void_hand(act: Event, state: State[Any]) -> CheckResult | None:
    """There is no bid on a hand with the joker in the widow."""
    if not seen_from_this(act, state):
        return None
    if not (state.hand.void or state.table.row("widow").any_of(state.game.pack.joker)):
        return None
    return broken(
        "all four passed and the joker is the widow, so the hand is void", state.game.pack.joker, "widow",
    )


def void_if_the_joker_is_the_widow(end: End, state: State[Any]) -> CheckResult | None:
    """The table declares the hand void only if all have passed and no player holds the joker."""
    hand: BoundHand | None = state.hand if state.number and not state.settled else None
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


def after_a_void_hand_the_next_deals(hand: Hand, state: State[Any]) -> CheckResult | None:
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


# -- applying the acts ------------------------------------------------------------------------------------------------


def on_bid(bid: Bid, state: State[Any]) -> None:
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


def on_pass(act: Pass, state: State[Any]) -> None:
    """Record a pass."""
    one_round.prepare_call(act.by, state)
    if state.phase in ("auction", "gap"):
        state.hand.auction.passed(act.by)
        next_call(state)


def next_call(state: State[Any]) -> None:
    """Move on after a call: to the next seat, the end of the bidding, or, without a bid, the phase `joker`."""
    if one_round.call_goes_on(state):
        return
    if state.hand.auction.high is None:
        look_for_the_joker(state)
    else:
        bidding_is_over(state)


def look_for_the_joker(state: State[Any]) -> None:
    """End the hand if the joker was seen in the widow; else its holder (any seat, if unknown) must bid."""
    if seen_to_be_the_widow(state):
        the_hand_is_void(state)
        return
    seen = next((seat for seat in state.terms.seats if state.holding(seat).known & state.game.pack.joker), "")
    state.phase, state.turn = "joker", (seen,) if seen else state.terms.seats


def the_hand_is_void(state: State[Any]) -> None:
    """End the hand, scoring nothing, as the joker is in the widow."""
    state.hand.void = True
    finish_hand(state)


def all_have_passed(state: State[Any]) -> None:
    """Infer that the seats that have not called passed too."""
    auction: Auction = state.hand.auction
    silent = auction.silent(one_round.calling_order(state))
    if silent:
        state.infer(f"{' and '.join(silent)} passed before this (not recorded)")
        auction.skip(silent)
    state.phase = "joker"


def joker_binds(seat: str, state: State[Any]) -> None:
    """Record that this seat is bound to bid."""
    state.hand.forced = True
    state.hand.auction.bid(Bid(by=seat, level=state.terms.options.forced_bid))
    bidding_is_over(state)


def on_dealt(deal: Deal, state: State[Any]) -> None:
    """Apply a deal. After four passes it is the deal of the next hand, as no player has shown the joker."""
    if state.phase == "joker":
        the_hand_is_void(state)
    on_deal(deal, state)


def on_shown(show: Show, state: State[Any]) -> None:
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


def infer_parts_before_joker(state: State[Any], act: Event) -> None:
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


BOUND: Mapping[type[Event], Evolve] = {
    Deal: on_dealt, Bid: on_bid, Pass: on_pass, Show: on_shown, Draw: on_draw, Discard: on_discard,
}  # fmt: skip
