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
    CONSEQUENCE, DUTY, WHO_DEALS, Catalogue, CheckResult, Dealt, Game, HandScore, Law, Line, Phase, Points, State,
    TallyFacts, a_pass, as_many_as_dealt, broken, contract, counts_nothing, deals_next, each_card, face_down,
    finish_hand, gained, hand_of, hand_score, ledger, number, on_move, on_show, overlaid, pack, ranking, ready,
    result, rule, seat, settlement, shuffle_and_deal, singles, summary_of, total, unasked, unknown, why_void,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words import one_round
from reducers.words.auction import Auction
from reducers.words.bank import most_chips
from reducers.words.card_points import CardPoints, taker
from reducers.words.one_round import GONE_BY, call_in_turn, gone_by
from reducers.words.runs import plays_in_order
from reducers.words.trick_play import (
    TRICKS, Tricks, first_lead, just_taken, lay_out, led, must_follow_suit, on_card, one_card_in_turn, strengths,
    suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.tricks import gathered_by

# Setup
PACK = pack("3 2 A K Q J 7 6 5 4")
DEAL = Dealt(each=12, then=(face_down(4, "widow"),))
UNSEEN = PACK.unknown

# Card ranking: the queen stands above the jack here.
PLAIN = ranking("3 2 A K Q J 7 6 5 4")
THREES, TWOS = PACK.rank["3"], PACK.rank["2"]
NAMEABLE = tuple(rank + suit for rank in "32" for suit in "cdhs")

# Scoring
WORTH = CardPoints(PACK, {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}, last=3)
WHOLE = WORTH.whole(tricks=DEAL.each)
MOST_ASIDE = 12
ALONE, AGAINST = "declarer", "defenders"
GONE = "that may be missing from the record"


class Options(Struct, frozen=True):
    """House rules of Calabrasella."""

    hands: Annotated[
        int, Meta(ge=0, le=999, description="hands in a match; 0 for an evening without a fixed end")
    ] = 12
    stake: Annotated[int, Meta(ge=1, le=1_000_000, description="chips for a point")] = 1
    aside_to: Annotated[
        Literal["none", "last_trick"], Meta(description="who has the points of the cards put aside")
    ] = "none"


SETUP, BIDDING, PLAY, SCORING = "Setup", "Bidding and exchanging cards", "Play of the hand", "Scoring"
RULES = Catalogue(
    "calabrasella",
    rule("R1", SETUP, CONSEQUENCE, "The whole pack of forty is dealt: twelve cards to each seat, and four to the widow.",
         "the deal", {Deal: as_many_as_dealt}),
    rule("R2", BIDDING, DUTY, "From the dealer's left each seat passes or plays, once; the first that plays is the "
         "declarer, and nobody speaks any more.", "pass or play", {(Bid, Pass): call_in_turn}),
    rule("R3", BIDDING, DUTY, "If all three pass, the hand is void, and the next seat deals.", "three passes"),
    rule("R4", BIDDING, DUTY, "The declarer names a three that is not in the own hand; a two only with all four threes.",
         "name a card"),
    rule("R5", BIDDING, DUTY, "Whoever holds the card that was named hands it to the declarer.", "hand it over"),
    rule("R6", BIDDING, DUTY, "The declarer gives the holder one other card for it.", "give one back"),
    rule("R7", BIDDING, DUTY, "If the card lies in the widow, nothing is exchanged, and no other card is named.",
         "no other exchange"),
    rule("R8", BIDDING, DUTY, "The declarer discards one to four cards before the widow is turned up.", "discard"),
    rule("R9", BIDDING, DUTY, "The declarer takes as many cards of the widow as were discarded, and none of the discards.",
         "take from the widow"),
    rule("R10", PLAY, DUTY, "The declarer's left leads to the first trick, whoever dealt.", "first lead"),
    rule("R11", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R12", PLAY, DUTY, "The highest card of the suit led wins the trick, and its player leads to the next; the "
         "tricks of the defenders lie together.", "who wins"),
    rule("R13", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to each of twelve tricks.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R14", SCORING, CONSEQUENCE, "An ace counts 3, a three, two or face card 1, the last trick 3; what is put aside "
         "counts for nobody.", "thirty-five points"),
    rule("R15", SCORING, CONSEQUENCE, "Each defender pays the declarer the difference, or is paid it; twice if it is 35 to "
         "nothing.", "the payment"),
)  # fmt: skip

READINGS = {
    "Do the cards put aside count?": "not by the text, which takes them out of play; option aside_to=last_trick gives "
    "them to whoever takes the last trick",
    "33 to nothing": "is not doubled: the text speaks of 35",
    "Level": "nobody pays; that can only be if an odd number of points was put aside",
    "All four threes and all four twos": "nothing can be named; the declarer goes on to the discard",
    "May the card be given back that was just received?": "no; it is another card that is given for it",
    "May a card be named that lies in the widow?": "yes: the widow is not seen yet, and the card may be taken from it",
    "May the declarer discard cards that count?": "yes, the three received among them",
    "Who leads if the declarer's left has dealt?": "the declarer's left all the same",
    "Who deals after a hand that was played?": "the next on the left, as after three passes",
    "How long is a match?": "the text has no end: after option hands the most chips win; hands=0 goes on until "
    "`end match`. A hand that all three passed is none of them",
    "Running out of chips": "is left to the table; a balance may be below nothing",
    "An exchange that nobody wrote": "is accused of nobody: that the declarer plays the card shows nothing by itself",
    "Whose are the tricks of the defenders?": "of both; a `move` may name either of them",
}
WORDS = {
    "void": "end: the hand does not count",
    "misdeal": "end: the hand is dealt again",
}


class Hand(HandRecord):
    """One hand of Calabrasella as it goes.

    `named` is the card that was named, `holder` the seat that handed it over, `thrown` how many cards were discarded
    (None if nobody counted) and `drawn` how many were taken; `turned` says that the widow was seen to be turned up.
    """

    __slots__ = ("auction", "drawn", "holder", "named", "thrown", "trick", "turned")

    def __init__(self, state: State[Hand]) -> None:
        self.auction = Auction()
        self.named = self.holder = ""
        self.thrown: int | None = 0
        self.drawn = 0
        self.turned = False
        self.trick = Tricks(state, DEAL.each)
        self.trick.power = strengths(PACK, PLAIN, "")

    @property
    def declarer(self) -> str:
        """The seat that plays alone; empty while nobody does, or nobody knows."""
        return self.auction.bidder


def start(state: State[Hand]) -> Hand:
    """The dealer's left speaks first."""
    lay_out(state)
    state.phase, state.turn = "auction", (state.terms.left(state.dealer),)
    return Hand(state)


def defenders(state: State[Hand]) -> tuple[str, ...]:
    return tuple(seat for seat in state.terms.seats if seat != state.hand.declarer)


def not_the_declarer(event: Event, state: State[Hand], does: str) -> CheckResult | None:
    """Why a seat may not do what is the declarer's."""
    declarer = state.hand.declarer
    if gone_by(state):
        return unknown(GONE_BY)
    if not declarer:
        return unknown(f"who plays alone; {GONE}")
    return None if event.by == declarer else broken(f"{declarer} plays alone and {does}")


# Bidding
RULES.check("R2", Name, when="auction")(call_in_turn)


@RULES.check("R2", Bid)
def there_is_one_bid(bid: Bid, state: State[Hand]) -> CheckResult | None:
    return None if bid.level is None and bid.strain in ("", "play") else broken("a seat passes, or bids to play")


@RULES.check("R3", HandEvent)
def after_three_passes_the_next_deals(hand: HandEvent, state: State[Hand]) -> CheckResult | None:
    """After a hand that was played the text does not say who deals."""
    last = state.score if state.number else None
    if last is None or last.result != "all-pass" or hand.number != state.numbered + 1:
        return None
    right = state.terms.left(state.dealer)
    if hand.by == right or hand.by not in state.terms.seats:
        return None
    return unknown(WHO_DEALS) if state.guessed else broken(f"all three passed, and {right} deals next")


def on_bid(bid: Bid, state: State[Hand]) -> None:
    one_round.calls(bid.by, state)
    state.hand.auction.bid(bid)
    if state.phase == "auction":
        state.phase, state.turn = "naming", (bid.by,)


def on_pass(act: Pass, state: State[Hand]) -> None:
    one_round.calls(act.by, state)
    state.hand.auction.passed(act.by)
    if not one_round.call_goes_on(state):
        finish_hand(state)


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
        if state.table.located & THREES & ~own.known or (own.complete and not own.later):
            return broken(f"{name.by} names a two and does not hold all four threes", own.known, name.by)
        return unknown(f"whether {name.by} held all four threes; an exchange may be missing from the record")
    held = own.any_of(card) if len(own) or own.vague else None
    if held and own.known & card:
        return broken(f"{name.by} holds the {pretty(name.what)} and names it", card, name.by)
    if held is False:
        return None
    return unknown(f"whether {name.by} held the {pretty(name.what)}; an exchange may be missing from the record")


@RULES.check("R4", Discard, when="naming")
def a_card_is_named_first(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """With all threes and twos there is none to name."""
    all_eight = state.holding(discard.by).how_many(THREES | TWOS)[0] == len(NAMEABLE)
    return None if all_eight else unknown(f"whether {discard.by} named a card: {GONE}")


def on_name(name: Name, state: State[Hand]) -> None:
    """The seat whose card it is hands it over, if it is known whose it is."""
    ready(state)
    unwritten(state, name)
    hand = state.hand
    if state.phase != "naming" or name.what not in NAMEABLE:
        return
    hand.named = name.what
    card, piles = PACK.field[PACK.code[name.what]], state.table.piles
    there = next((pile for pile, lying in piles.items() if seen(lying) & card), "")
    if there == "widow" or there == hand.declarer:
        state.phase, state.turn = "discarding", (hand.declarer,)
    else:
        known = there in state.terms.seats
        state.phase, state.turn = ("handing", (there,)) if known else ("asking", (*defenders(state), hand.declarer))


def seen(pile: Any) -> int:
    """The bag of the cards that were seen to lie in a pile by now."""
    known: int = pile.known if pile.row is None else sum(PACK.unit[code] for code in pile.row if code < UNSEEN)
    return known


# The exchange
# Somebody may hold the card that was named; or it is known who does.
ASKED = ("asking", "handing")


def changes_hands(move: Move, state: State[Hand]) -> bool:
    """Whether a card goes from one hand to another."""
    seats = state.terms.seats
    return move.by in seats and move.src in ("", hand_of(move.by)) and move.to.removeprefix("hand:") in seats


@RULES.check("R5", Move)
def the_card_named_is_handed_over(move: Move, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand is None or state.phase not in ASKED or not changes_hands(move, state):
        return None
    if move.by == hand.declarer or move.to != hand_of(hand.declarer):
        return broken(f"{hand.declarer} gets the {pretty(hand.named)} first")
    code = state.code(move.cards)
    if how_many(move.cards) != 1 or (code < UNSEEN and PACK.faces[code] != hand.named):
        return broken(f"{hand.declarer} has named the {pretty(hand.named)}")
    return None


@RULES.check("R5", Discard, when="asking discarding")
def the_holder_hands_it_over(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """The declarer discards, as if nobody held the card."""
    if not state.hand.named or state.hand.holder or state.hand.thrown != 0:
        return None
    card = PACK.field[PACK.code[state.hand.named]]
    for other in defenders(state):
        if state.holding(other).any_of(card):
            text = f"{other} holds the {pretty(state.hand.named)} that was named, and has not handed it over"
            return broken(text, card, other)
    widow = state.table.piles.get("widow")
    if widow is not None and widow.certain & card:
        return None
    return unknown(f"whether somebody held the {pretty(state.hand.named)}; an exchange may be missing from the record")


@RULES.check("R6", Move)
def one_other_card_is_given_back(move: Move, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand is None or state.phase != "returning" or not changes_hands(move, state):
        return None
    if move.by != hand.declarer or move.to != hand_of(hand.holder):
        return broken(f"{hand.declarer} gives {hand.holder} a card for the {pretty(hand.named)}")
    if how_many(move.cards) != 1:
        return broken("one card is given for it")
    card, code = PACK.field[PACK.code[hand.named]], state.code(move.cards)
    if code < UNSEEN:
        return broken(f"another card is given for the {pretty(hand.named)}") if PACK.field[code] == card else None
    may_be = state.holding(move.by).may_leave(code)
    return unknown(f"whether the {pretty(hand.named)} itself was given back") if may_be & card else None


@RULES.check("R6", Discard, when="returning")
def the_card_is_given_back_first(discard: Discard, state: State[Hand]) -> CheckResult | None:
    return unknown(f"whether {state.hand.declarer} gave a card back: {GONE}")


@RULES.check("R7", Move)
def there_is_no_other_exchange(move: Move, state: State[Hand]) -> CheckResult | None:
    if state.hand is None or state.phase in (*ASKED, "returning") or not changes_hands(move, state):
        return None
    if gone_by(state) or state.settled:
        return unknown(GONE_BY) if gone_by(state) else None
    return broken("no card changes hands now")


def on_moved(move: Move, state: State[Hand]) -> None:
    """A card changes hands; or a trick is gathered, which both defenders have together."""
    hand = state.hand
    if not changes_hands(move, state):
        winners = hand.trick.won[-1].winners if hand.trick.won else ()
        ours = move.to[4:] in defenders(state) and hand.declarer and hand.declarer not in winners
        if move.src != "trick" or move.to[:4] != "won:" or not ours or hand.trick.plays:
            gathered_by(move, state)
        return
    if state.phase in ASKED:
        if state.code(move.cards) >= UNSEEN and how_many(move.cards) == 1:
            move = replace(move, cards=(hand.named,))
        on_move(move, state)
        hand.holder = move.by
        state.phase, state.turn = "returning", (hand.declarer,)
        return
    on_move(move, state)
    if state.phase == "returning":
        state.phase, state.turn = "discarding", (hand.declarer,)


# The widow
@RULES.check("R8", Discard)
def one_to_four_are_discarded(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    wrong = not_the_declarer(discard, state, "discards") if state.phase != "auction" else None
    if wrong is not None or state.phase == "gap":
        return wrong
    if hand.turned or hand.drawn:
        return broken("the widow is turned up already")
    many = how_many(discard.cards)
    if many is None or hand.thrown is None:
        return unknown("how many cards were discarded; nobody counted")
    return None if 1 <= hand.thrown + many <= 4 else broken("one to four cards are discarded")


@RULES.check("R8", Show)
def the_widow_is_turned_after_the_discard(show: Show, state: State[Hand]) -> CheckResult | None:
    early = ("naming", *ASKED, "returning", "discarding")
    if state.hand is None or show.src != "widow" or state.phase not in ("auction", *early):
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    return unknown(f"whether cards were discarded: {GONE}") if state.phase != "auction" else None


def on_discard(discard: Discard, state: State[Hand]) -> None:
    ready(state)
    unwritten(state, discard)
    hand, held = state.hand, state.holding(discard.by)
    state.table.move(state.table.codes(discard.cards, held), held, state.table.row(f"discard:{discard.by}"))
    if state.phase in ("discarding", "drawing"):
        many = how_many(discard.cards)
        hand.thrown = None if many is None or hand.thrown is None else hand.thrown + many
        state.phase, state.turn = "drawing", (hand.declarer,)


def on_shown(show: Show, state: State[Hand]) -> None:
    on_show(show, state)
    if show.src == "widow" and state.number and state.phase == "drawing":
        state.hand.turned = True


@RULES.check("R9", Draw)
def as_many_are_taken(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    wrong = not_the_declarer(draw, state, "takes cards of the widow") if state.phase != "auction" else None
    if wrong is not None or state.phase == "gap":
        return wrong
    if draw.src not in ("", "widow"):
        return broken("cards are taken from the widow only")
    many = how_many(draw.cards)
    if state.phase != "drawing" or hand.thrown is None or many is None:
        return unknown(f"how many cards were discarded: {GONE}")
    if hand.drawn + many > hand.thrown:
        return broken(f"{hand.drawn + many} cards are taken, and {hand.thrown} were discarded")
    return None


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ready(state)
    unwritten(state, draw)
    hand, widow = state.hand, state.table.row("widow")
    codes = [taken_of(code, widow) for code in state.table.codes(draw.cards, widow)]
    if any(code >= UNSEEN for code in codes) and seen(widow):
        # Which of the cards that lie open were taken, nobody saw.
        state.table.lose_sight(widow)
    state.table.move(codes, widow, state.holding(draw.by))
    hand.drawn += how_many(draw.cards) or 1
    if state.phase == "drawing" and (hand.thrown is None or hand.drawn >= hand.thrown):
        open_play(state)


def taken_of(code: int, widow: Any) -> int:
    """The card of the widow that was taken, if it was seen but half and there is only one that it can be."""
    may_be = [c for c in widow.row if c < UNSEEN and PACK.may_be[code] & PACK.field[c]]
    return may_be[0] if code > UNSEEN and len(may_be) == 1 else code


def open_play(state: State[Hand]) -> None:
    """The declarer's left leads, if anybody knows who plays alone."""
    declarer = state.hand.declarer
    state.phase, state.turn = "play", (state.terms.left(declarer),) if declarer else state.terms.seats


# What nobody wrote
PARTS = ("auction", "naming", *ASKED, "returning", "discarding", "drawing", "play")
BELONGS: Mapping[type[Event], str] = {Name: "naming", Discard: "discarding", Draw: "drawing", Play: "play"}


def unwritten(state: State[Hand], act: Event) -> None:
    """What belongs to a later part of the hand shows that the parts before it are over."""
    if state.phase not in PARTS or type(act) not in BELONGS:
        return
    if isinstance(act, Discard) and state.phase == "drawing":
        # The discard goes on, in another line.
        state.phase = "discarding"
    upto = PARTS.index(BELONGS[type(act)])
    if state.phase == "auction" and upto:
        if isinstance(act, Play):
            state.infer("somebody bid to play before this; nobody wrote who")
        else:
            one_round.calls(act.by, state)
            state.infer(f"{act.by} bid to play before this; nobody wrote it")
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
        open_play(state)


def give_back_unseen(state: State[Hand]) -> None:
    """A card was given for the one that was named; nobody wrote it."""
    hand = state.hand
    state.infer(f"{hand.declarer} gave {hand.holder} a card before this; nobody wrote it")
    state.table.move_one(UNSEEN, state.holding(hand.declarer), state.holding(hand.holder))


def exchange_unseen(act: Event, state: State[Hand]) -> None:
    """Cards were discarded, or taken from the widow, of which nobody wrote a line, or not all."""
    hand, table = state.hand, state.table
    if not hand.declarer:
        # Nobody knows whose hand changed.
        for pile in (*map(state.holding, state.terms.seats), table.row("widow")):
            table.lose_sight(pile)
        return
    held, widow = state.holding(hand.declarer), table.row("widow")
    if state.phase != "drawing" and not hand.thrown:
        many = how_many(act.cards) if isinstance(act, Draw) else None
        state.infer(f"{hand.declarer} discarded before this; nobody wrote it")
        codes = [PACK.many] if many is None else [UNSEEN] * many
        table.move(codes, held, table.row(f"discard:{hand.declarer}"))
        hand.thrown = many
    if isinstance(act, Play):
        state.infer(f"{hand.declarer} took cards of the widow before this; nobody wrote which")
        table.lose_sight(widow)
        table.move([PACK.many] if hand.thrown is None else [UNSEEN] * (hand.thrown - hand.drawn), widow, held)


# Play of the hand
@RULES.check("R10", Play)
def the_declarers_left_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    if trick.plays or trick.won:
        return None
    if trick.lost:
        return unknown(GONE_BY)
    if not state.hand.declarer:
        return unknown(f"who plays alone; {GONE}")
    right = state.terms.left(state.hand.declarer)
    return None if play.by == right else broken(f"{right} sits left of {state.hand.declarer}, the declarer, and leads")


@RULES.check("R12", Play)
def the_winner_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    return first_lead(play, state) if state.hand.trick.won else None


@RULES.check("R12", Move)
def the_winners_side_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    says = winner_gathers(move, state) if hand is not None else None
    if says is None or not hand.declarer:
        return says
    return says if hand.declarer in (move.to[4:], *hand.trick.won[-1].winners) else None


def on_play(play: Play, state: State[Hand]) -> None:
    if state.phase not in ("play", "gap") or not state.acts:
        ready(state)
        unwritten(state, play)
    on_card(play, state)


# Scoring
def more_than_there_is(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Both sides have what the pack counts, but for what was put aside."""
    mine, theirs, aside = known.get("points"), known.get("defenders"), known.get("aside")
    if mine is None or theirs is None:
        return ""
    to_last = state.terms.options.aside_to == "last_trick"
    least = WHOLE if to_last else WHOLE - (MOST_ASIDE if aside is None else aside)
    most = WHOLE if to_last or aside is None else WHOLE - aside
    if least <= mine + theirs <= most:
        return ""
    put = "" if to_last else f", less the {aside} put aside" if aside is not None else f", less {MOST_ASIDE} at the most"
    return f"{mine} and {theirs} are not the {WHOLE} points there are{put}"


class Tally(TallyFacts):
    """What a hand of Calabrasella is scored from."""

    declarer: str = seat("player who plays alone", rule="R2", asks="who plays alone")
    points: int | None = number("what the declarer's tricks count, with the last one", 0, WHOLE, rule="R14")
    defenders: int | None = number("what the defenders' tricks count, with the last one", 0, WHOLE, rule="R14")
    aside: int | None = unasked(number("what the four cards count that were put aside", 0, MOST_ASIDE, rule="R14"))
    void: str = why_void("misdeal or all-pass: the hand does not count")

    laws = (Law(("points", "defenders", "aside"), more_than_there_is, "R14"),)


def sides_of(declarer: str, state: State[Hand]) -> dict[str, str]:
    """The sides of a hand: the declarer, and the two others together."""
    return {one: ALONE if one == declarer else AGAINST for one in state.terms.seats}


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` says."""
    hand, out = state.hand, Tally()
    out.declarer = hand.declarer
    if not hand.declarer and not hand.auction.silent(state.terms.seats) and not led(state):
        out.void = "all-pass"
    if hand.declarer and len(hand.trick.won) == DEAL.each and not gone_by(state):
        taken = WORTH.taken(state, sides_of(hand.declarer, state))
        out.points, out.defenders = taken[ALONE], taken[AGAINST]
        if state.terms.options.aside_to == "last_trick":
            with_what_is_aside(out, taker(hand.trick.won[-1], sides_of(hand.declarer, state)))
    overlaid(out, state)
    if out.defenders is None and out.points is not None and state.tallies:
        aside = 0 if state.terms.options.aside_to == "last_trick" else out.aside
        out.defenders = None if aside is None else WHOLE - aside - out.points
    return out


def with_what_is_aside(t: Tally, last: str) -> None:
    """The side that took the last trick has all that the other has not."""
    if last == ALONE:
        t.points = None if t.defenders is None else WHOLE - t.defenders
    else:
        t.defenders = None if t.points is None or not last else WHOLE - t.points
        t.points = t.points if last else None


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded."""
    t = tally(state)
    terms, named = state.terms, f" ({pretty(state.hand.named)})" if state.hand.named else ""
    plays = f"{terms.name(t.declarer)}{named}" if t.declarer else ""
    nothing = counts_nothing(state, t.void, contract=plays)
    if nothing is not None:
        return nothing
    missing = [] if t.declarer else ["who plays alone"]
    if t.points is None or t.defenders is None:
        missing.append("what the tricks of each side count")
    if t.declarer not in terms.seats or t.points is None or t.defenders is None:
        return hand_score(state, dict.fromkeys(terms.seats), contract=plays, unknown=missing)
    each, text = payment(t.points, t.defenders, terms.options.stake)
    gains: Points = {one: 2 * each if one == t.declarer else -each for one in terms.seats}
    counted: Points = {one: t.points if one == t.declarer else t.defenders for one in terms.seats}
    sums = {one: f"2 × {abs(each)} = {2 * abs(each)}" if one == t.declarer else text for one in terms.seats if each}
    cards = {} if state.tallies else WORTH.counted_out(state, sides_of(t.declarer, state))
    told = {one: cards[ALONE if one == t.declarer else AGAINST] for one in terms.seats} if len(cards) == 2 else {}
    lines = (Line("cards", counted, told), Line("chips", gains, sums))
    outcome = f"{t.points} : {t.defenders}"
    return hand_score(state, gains, lines, contract=plays, result=outcome, unknown=missing)


def payment(mine: int, theirs: int, stake: int) -> tuple[int, str]:
    """What each defender pays the declarer, below nothing if it is paid; and the sum.

    >>> payment(19, 16, 1), payment(11, 24, 1), payment(35, 0, 2), payment(0, 35, 1)[0], payment(33, 0, 1)[0]
    ((3, '19 − 16 = 3'), (-13, '24 − 11 = 13'), (140, '35 − 0 = 35, doubled, 2 a point: 140'), -70, 33)
    """
    over = mine - theirs
    times = 2 if abs(over) == WHOLE else 1
    text = f"{max(mine, theirs)} − {min(mine, theirs)} = {abs(over)}{', doubled' * (times > 1)}"
    text += f", {stake} a point" if stake > 1 else ""
    each = over * times * stake
    return each, f"{text}: {abs(each)}" if times * stake > 1 else text


@RULES.check("R15", Pay)
def paid_what_is_due(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """Chips that change hands after the hand, one payment for each defender, or both at once."""
    last = state.score if state.number and state.settled else None
    if last is None or pay.by not in state.terms.seats:
        return None
    if None in last.points.values():
        return unknown("what the hand came to is not known")
    gains = {one: n or 0 for one, n in last.points.items()}
    to = pay.to.removeprefix("hand:")
    if gains[pay.by] >= 0 or (to and gains.get(to, 0) <= 0):
        return broken(f"{pay.by} has nothing to pay{f' to {to}' if to else ''}")
    one = min(-gains[pay.by], *(n for n in gains.values() if n > 0))
    right = (one,) if to else (one, -gains[pay.by])
    return None if pay.amount in right else broken(f"{pay.by} pays {one}{f' to {to}' if to else ''}, not {pay.amount}")


# What may be done now
def bids_to_play(seat: str, state: State[Hand]) -> Iterator[Event]:
    yield Bid(by=seat, strain="play")


def names_a_card(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A card to name; with all of them in the hand the discard comes next."""
    if state.holding(seat).how_many(THREES | TWOS)[0] < len(NAMEABLE):
        yield from (Name(by=seat, what=card) for card in NAMEABLE)
    else:
        yield from discards(seat, state)


def hands_over(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The card that was named, or another, which the checks remove."""
    hand = state.hand
    cards = PACK.cards(state.holding(seat).certain)
    if seat != hand.declarer:
        wrong = [card for card in cards if card != hand.named][:2]
        yield from (Move(by=seat, cards=(card,), to=hand_of(hand.declarer)) for card in (hand.named, *wrong) if card in cards)


def gives_back(seat: str, state: State[Hand]) -> Iterator[Event]:
    to = hand_of(state.hand.holder)
    return (Move(by=seat, cards=(card,), to=to) for card in PACK.cards(state.holding(seat).certain))


def discards(seat: str, state: State[Hand]) -> Iterator[Event]:
    """One to four cards."""
    cards = PACK.cards(state.holding(seat).certain)
    for many in range(1, 5):
        yield from (Discard(by=seat, cards=some) for some in combinations(cards, many))


def takes(seat: str, state: State[Hand]) -> Iterator[Event]:
    """As many cards of the widow as were discarded; and one more."""
    cards, many = PACK.cards(seen(state.table.row("widow"))), (state.hand.thrown or 0) - state.hand.drawn
    for some in (*combinations(cards, many), *combinations(cards, many + 1)):
        yield Draw(by=seat, cards=some, src="widow")


def chance(state: State[Hand], random: Random) -> list[Event]:
    """The widow is turned up after the discard; between two hands the pack is dealt."""
    if turns_the_widow(state):
        return [Show(by="@", groups=(tuple(PACK.tokens[code] for code in state.table.row("widow").codes()),), src="widow")]
    return shuffle_and_deal(state, random)


def turns_the_widow(state: State[Hand]) -> bool:
    return state.phase == "drawing" and not state.hand.turned and not state.hand.drawn


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Bare cards are what the part of the hand asks for: handed over, given back, thrown, taken."""
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


def whose(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Cards without a seat are the declarer's, though somebody may still hand over the one that was named."""
    return (state.hand.declarer,) if state.phase == "asking" else state.turn


def weigh(state: State[Hand], event: Event) -> float:
    """In a simulation somebody plays mostly, and worthless cards are thrown."""
    if isinstance(event, Discard):
        return 0.02 if any(WORTH.of[PACK.code[card]] for card in event.cards) else 1.0
    return 3.0 if isinstance(event, Bid) else 1.0


def headline(state: State[Hand]) -> dict[str, Any]:
    hand = state.hand
    return {"declarer": hand.declarer, **({"named": hand.named} if hand.named else {})} if hand.declarer else {}


GAME = Game(
    key="calabrasella", name="Calabrasella", summary=summary_of(__doc__), players="3, one against two",
    seating=singles(3), pack=PACK, deal=DEAL, options=Options, rules=RULES, readings=READINGS,
    tally=Tally, told=tally, words=WORDS, piles={"widow": Lies("stack", "beside", "all"), "discard": Lies("stack", "beside", "nobody")},
    phases={
        "auction": Phase(
            "bidding", (Bid, Pass, Name), "a pass, or `bid play`; a card that is named shows it",
            quiet=lambda state: Pass(by=state.turn[0]), to_do="speak", bare=("play", *NAMEABLE), tries=(a_pass, bids_to_play),
        ),
        "naming": Phase(
            "naming a card", (Name, Discard), "a three that is not in the hand (3d)", to_do="name a card", bare=NAMEABLE, verbed=(Discard,),
            tries=(names_a_card,),
        ),
        "asking": Phase(
            "handing the card over", (Discard, Name), "the card named, from whoever holds it (C 3d), or the discard",
            to_do="hand it over or discard", verbed=(Discard, Name), tries=(hands_over,),
        ),
        "handing": Phase(
            "handing the card over", (Name,), "the card that was named", to_do="hand it over", verbed=(Name,),
            tries=(hands_over,),
        ),
        "returning": Phase(
            "giving a card back", (Discard,), "a card for it (x unseen)", to_do="give a card back", verbed=(Discard,), tries=(gives_back,),
        ),
        "discarding": Phase(
            "the discard", (Discard,), "one to four cards thrown (3x unseen)", to_do="discard", verbed=(Discard,), tries=(discards,),
        ),
        "drawing": Phase(
            "the widow", (Draw,), "as many cards of the widow", to_do="take cards", verbed=(Draw,), tries=(takes,),
        ),
        "play": Phase("play", (Play,), "a card", to_do="play", one_card=True, tries=(each_card,), run=plays_in_order),
        "gap": Phase("after a gap", (Bid, Pass, Name, Discard, Draw, Play), "whatever comes next", to_do="go on"),
    },
    start=start,
    on={
        **TRICKS, Bid: on_bid, Pass: on_pass, Name: on_name, Move: on_moved, Discard: on_discard, Show: on_shown,
        Draw: on_draw, Play: on_play,
    },
    score=score,
    after=most_chips,
    next_dealer=deals_next,
    sheet=settlement(ledger({"plays": contract, "points": result}, {"{} ±": gained, "{}": total})),
    chance=chance,
    due=turns_the_widow,
    usual=usual,
    whose=whose,
    weigh=weigh,
    most_acts=1000,
    headline=headline,
    latest=just_taken,
    led=suit_led,
    unwritten=unwritten,
)  # fmt: skip
