"""One round of calls, from the seat after the dealer to the dealer: turns to call, and calls that were not recorded.

The page's record of the hand keeps the `Auction` as `auction`, and its phase of calls is called `auction`.
"""

from __future__ import annotations

from typing import Any

from events.model import Bid, Event, Fault
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.auction import Auction
from reducers.words.deals import WHO_DEALS, ensure_dealt

GONE_BY = "calls before this are missing from the record"


def calling_order(state: State[Any]) -> tuple[str, ...]:
    """The seats in calling order, from the one after the dealer to the dealer."""
    return state.terms.in_turn(state.terms.after(state.dealer))


def gone_by(state: State[Any]) -> bool:
    """Return True if acts of this hand are missing from the record."""
    lost: bool = state.hand.trick.lost
    return lost


def call_in_turn(call: Event, state: State[Any]) -> CheckResult | None:
    """Each seat has one call, in turn.

    A seat that was skipped may have passed without a line; if it calls later, that call is certainly out of order.
    """
    auction: Auction = state.hand.auction
    if gone_by(state):
        return unknown(GONE_BY)
    if call.by in auction.unwritten:
        return broken(f"{call.by} had to call before the calls that have been made since")
    if call.by in state.turn:
        return None
    if auction.has_called(call.by):
        return broken(f"{call.by} has called already; there is one round")
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if state.phase == "auction" and call.by in state.terms.seats:
        before = " and ".join(auction.before(call.by, calling_order(state)))
        return unknown(f"whether {before} passed before this (not recorded)")
    return broken("the bidding is over")


def prepare_call(seat: str, state: State[Any]) -> None:
    """Prepare for a call: infer from it the dealer, if not recorded, and the passes of the seats before."""
    if not state.acts or state.settled:
        ensure_dealt(state)
    if state.phase != "auction":
        return
    auction: Auction = state.hand.auction
    if state.dealer_is_guess and not auction.calls:
        dealer = state.terms.after(seat, -1)
        if dealer != state.dealer:
            state.infer(f"{seat} calls first, so {dealer} has dealt (not recorded)")
        state.dealer, state.turn = dealer, (seat,)
    if state.turn != (seat,) and (before := auction.before(seat, calling_order(state))):
        # A bid would have been recorded.
        state.infer(f"{' and '.join(before)} passed before {seat} called (not recorded)")
        auction.skip(before)


def call_goes_on(state: State[Any]) -> bool:
    """Return True if the next seat may call, False once all have: the bidding is over. A later call changes nothing."""
    auction: Auction = state.hand.auction
    if state.phase != "auction":
        return True
    last = auction.calls[-1][0]
    if state.turn == (last,) and not auction.unwritten and len(auction.calls) < len(state.terms.seats):
        state.turn = state.terms.next[last]
        return True
    silent = auction.silent(calling_order(state))
    if silent:
        state.turn = silent[:1]
    elif auction.high is None and auction.unwritten:
        # Perhaps all have passed; the next act shows it.
        state.turn = auction.unwritten
    else:
        return False
    return True


def infer_remaining_calls(winner: str, state: State[Any]) -> None:
    """Infer calls that were not recorded: passes, but the `winner`, or the only seat left, must have bid."""
    auction: Auction = state.hand.auction
    rest = auction.silent(calling_order(state))
    unheard = (*rest, *auction.unwritten)
    bid = winner if winner in unheard else unheard[0] if auction.high is None and len(unheard) == 1 else ""
    passed = [seat for seat in rest if seat != bid]
    if auction.high is None and not bid:
        state.infer("the end of the bidding was not recorded, so the contract and its declarer are unknown")
    elif passed:
        state.infer(f"{' and '.join(passed)} passed before this (not recorded)")
    auction.skip(passed)
    if bid:
        bid_unheard(bid, state)


def bid_unheard(seat: str, state: State[Any]) -> None:
    """Infer that a seat won the bidding with a bid of unknown height."""
    state.infer(f"{seat} won the bidding; the bid was not recorded")
    state.hand.auction.bid(Bid(by=seat))


def refuses_last_call(fault: Fault, word: str, *, bid: bool, state: State[Any]) -> bool:
    """Return True if this fault rejects the bid, or the pass, that was just made."""
    made = state.hand.auction.calls if state.number and not state.hand.trick.won and not state.hand.trick.plays else ()
    if fault.word != word or not made or fault.who not in ("", made[-1][0]):
        return False
    return bool(fault.who or fault.refs) and bid is (made[-1][1] is not None)


def seat_that_bid(state: State[Any]) -> str:
    """The seat that bid the contract: the `declarer` of the last tally that names one, else the high bidder."""
    told = (facts.get("declarer") for facts in reversed(state.tallies))
    bidder: str = state.hand.auction.bidder
    return next((seat for seat in told if seat in state.terms.seats), bidder)
