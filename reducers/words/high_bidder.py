"""The high bidder takes the widow, names trumps, discards as many cards face down, and leads to the first trick.

The page derives its record of a hand from `BidderHand`; its phases are called `naming`, `discarding` and `play`, and
the widow is the pile `widow`. All later acts of the high bidder imply that the widow was taken, so many tables do not
record that; many do not record the discard either, which is face down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.cards import SUIT_NAMES, SUITS, Ranking, how_many
from events.model import Discard, Draw, Event, Name, Play
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words import one_round
from reducers.words.auction import Auction
from reducers.words.deals import ensure_dealt, whole_deal
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.trick_play import TrickHand, first_lead, is_led

GONE = "that may be missing from the record"


class BidderHand(TrickHand):
    """The record of a hand in which the high bidder takes a widow.

    `trump` is "" until trumps are named. `taken` means that the widow is in the bidder's hand, `drawn` that a line
    says so; `thrown` is the number of cards discarded in the record, None if uncounted.
    """

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        super().__init__(state, ranked)
        self.auction = Auction()
        self.trump = ""
        self.taken = self.drawn = False
        self.thrown: int | None = 0

    @property
    def bidder(self) -> str:
        """The high bidder; "" while there is none."""
        return self.auction.bidder


# -- acts to try ------------------------------------------------------------------------------------------------------


def not_the_bidder(act: Event, state: State[Any], does: str) -> CheckResult | None:
    """Why a seat may not do what only the high bidder does; None if it may."""
    if gone_by(state):
        return unknown(GONE_BY)
    bidder = state.hand.bidder
    if bidder in ("", act.by) or won_unheard(act, state):
        return None
    return broken(f"{bidder} won the bidding and {does}")


def won_unheard(act: Event, state: State[Any]) -> bool:
    """True if this act shows that a seat without a recorded call won the bidding."""
    return state.phase == "naming" and act.by in state.hand.auction.unwritten


def the_widow_is_taken_first(draw: Draw, state: State[Any]) -> CheckResult | None:
    """The high bidder takes the widow before naming trumps, and draws nothing else."""
    hand, wrong = state.hand, not_the_bidder(draw, state, "takes the widow")
    if draw.src not in ("", "widow"):
        return broken("the high bidder takes the widow and draws nothing else")
    if wrong is not None:
        return wrong
    if hand.drawn:
        return broken("the widow was taken already")
    return broken("the widow is taken before trumps are named") if hand.taken else None


def trumps_are_named_next(name: Name, state: State[Any]) -> CheckResult | None:
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


def the_discard_comes_last(discard: Discard, state: State[Any]) -> CheckResult | None:
    """The high bidder discards after trumps are named, before the first lead."""
    wrong = not_the_bidder(discard, state, "discards")
    if wrong is not None:
        return wrong
    return broken("the discard comes before the first lead") if is_led(state) else None


def as_many_as_the_widow_has(discard: Discard, state: State[Any]) -> CheckResult | None:
    """As many cards are discarded as the widow has, face down."""
    many, thrown, widow = how_many(discard.cards), state.hand.thrown, whole_deal(state)["widow"]
    if discard.face == "up":
        return broken("cards are discarded face down")
    if many is None or thrown is None or gone_by(state):
        return unknown("how many cards were discarded: not counted")
    return broken(f"{thrown + many} cards are discarded, and the widow has {widow}") if thrown + many > widow else None


def the_high_bidder_leads_first(play: Play, state: State[Any]) -> CheckResult | None:
    """The high bidder leads to the first trick, the winner of a trick to the next."""
    trick = state.hand.trick
    return first_lead(play, state) if trick.won or trick.plays else not_the_bidder(play, state, "leads")


# -- applying acts ----------------------------------------------------------------------------------------------------


def bidding_is_over(state: State[Any]) -> None:
    """End the bidding: the high bidder takes the widow and names trumps."""
    state.phase, state.turn = "naming", (state.hand.bidder,)


def on_draw(draw: Draw, state: State[Any]) -> None:
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


def take_the_widow(state: State[Any]) -> None:
    """Infer that the widow was taken, from an act of the high bidder."""
    hand, widow = state.hand, state.table.row("widow")
    if not hand.taken:
        state.table.move([state.game.pack.unknown] * len(widow), widow, state.holding(hand.bidder))
    hand.taken = True


def makes_trumps(name: Name, state: State[Any]) -> bool:
    """Name trumps. True if that makes them: the page then ranks the cards by them and calls `now_the_discard`."""
    ensure_dealt(state, name)
    hand = state.hand
    if name.what not in SUITS or hand.trump or is_led(state):
        return False
    hand.trump, hand.trick.blind = name.what, hand.trick.lost
    return True


def now_the_discard(state: State[Any]) -> None:
    """Continue after the naming: the widow was taken, and the high bidder discards."""
    if state.phase == "naming":
        take_the_widow(state)
        state.phase, state.turn = "discarding", (state.hand.bidder,)


def on_discard(discard: Discard, state: State[Any]) -> None:
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


def the_bidder_is_to_lead(state: State[Any]) -> None:
    """Begin the play."""
    state.phase, state.turn = "play", (state.hand.bidder,)


def later_than_the_bidding(act: Event, state: State[Any]) -> None:
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


# -- acts to try ------------------------------------------------------------------------------------------------------


def discards_one(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the discard of each card of the hand, alone."""
    yield from (Discard(by=seat, cards=(card,)) for card in state.game.pack.cards(state.holding(seat).certain))


def next_discard(state: State[Any]) -> Event | None:
    """The act of a lone `.`: discard an unseen card."""
    return Discard(by=state.turn[0], cards=("??",)) if state.turn else None
