"""One player against the others: the first that bids to play does so alone, and the others keep their tricks together.

The page's record of the hand keeps the `Auction` as `auction`, the `Tricks` as `trick`, and the seat that plays alone
as `declarer` (empty if none or unknown). The declarer pays each of the others, or is paid by each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.model import Bid, Event, Move, Pass, Pay, Play
from reducers.evolve import finish_hand
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words import one_round
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.tricks import gathered_by, winner_gathers

ALONE, AGAINST = "declarer", "defenders"
GONE = "that may be missing from the record"


def defenders(state: State[Any]) -> tuple[str, ...]:
    """The seats that play together against the declarer."""
    return tuple(seat for seat in state.terms.seats if seat != state.hand.declarer)


def not_the_declarer(event: Event, state: State[Any], does: str) -> CheckResult | None:
    """Check an act that is reserved for the declarer: unknown if the declarer is, broken if another seat acts."""
    declarer = state.hand.declarer
    if gone_by(state):
        return unknown(GONE_BY)
    if not declarer:
        return unknown(f"who plays alone; {GONE}")
    return None if event.by == declarer else broken(f"{declarer} plays alone and {does}")


def there_is_one_bid(bid: Bid, state: State[Any]) -> CheckResult | None:
    """A seat passes or bids to play; there is nothing to outbid."""
    return None if bid.level is None and bid.strain in ("", "play") else broken("a seat passes, or bids to play")


def on_bid(bid: Bid, state: State[Any]) -> None:
    """The first bidder plays alone, and the calls end; the page's next phase is called `naming`."""
    one_round.prepare_call(bid.by, state)
    state.hand.auction.bid(bid)
    if state.phase == "auction":
        state.phase, state.turn = "naming", (bid.by,)


def on_pass(act: Pass, state: State[Any]) -> None:
    """Record a pass; if all have passed, end the hand."""
    one_round.prepare_call(act.by, state)
    state.hand.auction.passed(act.by)
    if not one_round.call_goes_on(state):
        finish_hand(state)


def bids_to_play(seat: str, state: State[Any]) -> Iterator[Event]:
    """The bid to play alone."""
    yield Bid(by=seat, strain="play")


def the_play_begins(state: State[Any]) -> None:
    """Start the play: the seat left of the declarer leads, any seat if the declarer is unknown."""
    declarer = state.hand.declarer
    state.phase, state.turn = "play", (state.terms.left(declarer),) if declarer else state.terms.seats


def the_declarers_left_leads(play: Play, state: State[Any]) -> CheckResult | None:
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


def the_winners_side_gathers(move: Move, state: State[Any]) -> CheckResult | None:
    """The winner's side gathers the trick; each defender may take it for the defenders."""
    hand = state.hand
    says = winner_gathers(move, state) if hand is not None else None
    if says is None or not hand.declarer or hand.trick.plays or not hand.trick.won:
        return says
    return says if hand.declarer in (move.to[4:], *hand.trick.won[-1].winners) else None


def sides_of(declarer: str, state: State[Any]) -> dict[str, str]:
    """The side of each seat: the declarer's, or the defenders'."""
    return {one: ALONE if one == declarer else AGAINST for one in state.terms.seats}


def paid_what_is_due(pay: Pay, state: State[Any]) -> CheckResult | None:
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


def gathered_by_the_side(move: Move, state: State[Any]) -> None:
    """Apply the gathering of a trick; the defenders keep theirs together."""
    hand = state.hand
    winners = hand.trick.won[-1].winners if hand.trick.won else ()
    ours = move.to[4:] in defenders(state) and hand.declarer and hand.declarer not in winners
    if move.src != "trick" or move.to[:4] != "won:" or not ours or hand.trick.plays:
        gathered_by(move, state)
