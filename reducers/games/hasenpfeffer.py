"""Hasenpfeffer: four players in partnerships bid for trumps, above which stand a joker and two bowers; without a bid
the joker binds its holder to three tricks; ten points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from events.model import Bid, Deal, Discard, Draw, End, Event, Fault, Move, Name, Pass, Play, Show
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, HouseRules, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, Catalogue, CheckResult, DealSpec, Game, Dealing,
    Judging, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, Standing, State,
    TallyFacts, Terms, try_pass, add_points, as_many_as_dealt, try_bidding, broken, choice, counts_nothing, deals_next,
    face_down, gained, hand_score, try_lead_or_follow, try_naming, number, of_the, or_said, apply_reported_facts, pack,
    partnerships, ranking, ensure_dealt, result_text, rule, shown_only, shuffle_and_deal, side, signed, summary_of,
    figure_of_line, running_total, unasked, unknown, we_they, why_void, yes_or_no,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.high_bidder import (
    as_many_as_the_widow_has, discards_one, makes_trumps, next_discard, now_the_discard, the_discard_comes_last,
    the_high_bidder_leads_first, the_widow_is_taken_first, trumps_are_named_next,
)  # fmt: skip
from reducers.words.joker_binds import (
    BOUND, BoundHand, after_a_void_hand_the_next_deals, each_seat_calls_once, holder_of_the_joker,
    is_played_though_void, is_void, no_other_bid_than_the_forced_one, nobody_bids_on_a_void_hand,
    the_holder_of_the_joker_bids, there_is_one_round, infer_parts_before_joker, void_if_the_joker_is_the_widow,
)  # fmt: skip
from reducers.words.one_round import GONE_BY, gone_by, seat_that_bid
from reducers.words.act_batches import plays_in_order
from reducers.words.sheets import bid_by, contract_alone
from reducers.words.suits import bowers
from reducers.words.trick_play import (
    first_to_act, trick_counts, TRICKS, any_card_without_the_suit, just_taken, must_follow_suit, trick_winners_as_ruled,
    one_card_in_turn, strengths, strengths_before_trumps, suit_led, winner_gathers,
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
         "before the first lead.", "widow, trumps, discard",
         {Draw: the_widow_is_taken_first, Name: trumps_are_named_next, Discard: the_discard_comes_last}),
    rule("R7", BIDDING, DUTY, "One card is discarded, face down; it may be any of the seven.",
         "one discard", {Discard: as_many_as_the_widow_has}),
    rule("R8", PLAY, DUTY, "The high bidder leads to the first trick, the winner of a trick to the next.", "lead",
         {Play: the_high_bidder_leads_first}),
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


class Hand(BoundHand):
    """State of one hand of Hasenpfeffer."""

    __slots__ = ()

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.trick.power, self.trick.blind = strengths_before_trumps(PACK, PLAIN, *TRUMPS.items()), True


@RULES.check("R12", Deal)
def six_each_and_the_widow(deal: Deal, state: State[Hand]) -> CheckResult | None:
    if state.phase == "joker":
        # The deal begins the next hand.
        return None
    if deal.face == "up" and any(pile == "widow" for pile, _ in deal.piles):
        return broken("the widow lies face down")
    return as_many_as_dealt(deal, state)


# Bidding
RULES.check("R1", Bid, Pass, when="auction gap")(each_seat_calls_once)


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


RULES.check("R3", Bid, Pass, when="joker naming discarding")(there_is_one_round)
RULES.check("R4", Bid, Draw, Name, Discard, Play)(the_holder_of_the_joker_bids)
RULES.check("R4", Bid, when="naming")(no_other_bid_than_the_forced_one)
RULES.check("R5", Bid, Draw, Name, Discard, Play)(nobody_bids_on_a_void_hand)
RULES.check("R5", End)(void_if_the_joker_is_the_widow)
RULES.check("R5", HandEvent)(after_a_void_hand_the_next_deals)


# The widow, trumps, the discard
def on_name(name: Name, state: State[Hand]) -> None:
    if makes_trumps(name, state):
        state.hand.trick.power = strengths(PACK, PLAIN, name.what, TRUMPS[name.what])
        now_the_discard(state)


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
            default_act=next_discard, to_do="discard", one_card=True, bare=(),
            verb_required=(Discard, Draw, Name, Bid, Pass), tries=(discards_one,),
        ),
        "play": Phase(
            "play", (Play, Draw, Name, Discard), "a card", to_do="play", one_card=True,
            verb_required=(Draw, Name, Discard),
            tries=(try_lead_or_follow,), apply_batch=plays_in_order,
        ),
    },
    on={**TRICKS, **BOUND, Name: on_name},
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
