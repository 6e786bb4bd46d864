"""Botifarra: four players in partnerships; no bidding, but nines on top, a duty to head the trick, and doubling up to eight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import GLYPHS, SUIT_NAMES, SUITS, pack, ranking
from events.model import Call, Deal, Event, Facts, Fault, Gap, Move, Name, Pass, Play
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers import facts as fact
from reducers.model import Game, InItsPlace, Phase, State
from reducers.rules import CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, Standing, added, figure, signed
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.tally import facts_declared
from reducers.terms import Terms, hand_of, partnerships
from reducers.words.deals import WHO_DEALS, misdealt, no_more_than
from reducers.words.runs import plays_in_order
from reducers.words.tallies import figures, readable, void_of
from reducers.words.tricks import (
    Strength,
    Tricks,
    dealt,
    forget_holdings,
    gathered_by,
    must_follow_suit,
    must_head_the_trick,
    one_card_in_turn,
    out_of_turn,
    owner,
    play_to_trick,
    strengths,
    who_led,
    why_unknown,
    winner_gathers,
)

# Setup
SEATS = partnerships("N E S W")
PACK = pack("9 A K Q J 8 7 6 5 4 3 2")
CARDS_EACH = 12
WHOLE, PAR = 72, 36
MOST = 8

# Card ranking: the nine is the highest of every suit.
PLAIN = ranking("9 A K Q J 8 7 6 5 4 3 2")
STRENGTH = PLAIN.strength(PACK)
WORTH = {"9": 5, "A": 4, "K": 3, "Q": 2, "J": 1}
WORTH_OF = tuple(WORTH.get(rank, 0) for rank in PACK.rank_of)
POINT_CARDS = PACK.mask_of(lambda card: card[0] in WORTH)
# For each card, the cards of its suit below it; for a worthless one they are all worthless too.
BELOW = tuple(
    sum(PACK.field[d] for d in range(PACK.unknown) if PACK.suit_of[d] == PACK.suit_of[c] and STRENGTH[d] < STRENGTH[c])
    for c in range(PACK.unknown)
)


class Options(Struct, frozen=True):
    """House rules of Botifarra."""

    direction: Annotated[
        Literal["clockwise", "counter-clockwise"], Meta(description="which way play goes round")
    ] = "clockwise"
    target: Annotated[int, Meta(ge=1, le=999, description="score that ends the match")] = 101
    losing_side_lowest_always: Annotated[
        bool, Meta(description="who cannot head an opponent's trick gives the lowest card of the suit, points or not")
    ] = False
    heading_lowest_when_worthless: Annotated[
        bool, Meta(description="a worthless card that heads the trick is the lowest one that does")
    ] = False


RULES = Catalogue(
    "botifarra",
    rule("R1", "Determining trumps and doubling", DUTY, "The dealer opens the hand: a suit for trumps, botifarra (no trumps), or the choice passed to the partner.", "the dealer chooses"),
    rule("R2", "Determining trumps and doubling", DUTY, "The partner to whom the choice was passed makes it.", "the partner must choose"),
    rule("R3", "Determining trumps and doubling", RIGHT, "The dealer's opponents may double, the dealer's side may redouble a double, the opponents may reredouble.", "who may double"),
    rule("R4", "Determining trumps and doubling", DUTY, "No hand counts more than eightfold; botifarra begins at two.", "at most eight"),
    rule("R5", "Determining trumps and doubling", DUTY, "They speak in turn, beginning behind whoever spoke last.", "speak in turn"),
    rule("R6", "Play of the hand", DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.", "lead"),
    rule("R7", "Play of the hand", DUTY, "A seat that holds the suit led plays it.", "follow suit"),
    rule("R8", "Play of the hand", DUTY, "A seat that can beat the card that is ahead must, with the suit led or, without it, with a trump, unless its partner is ahead.", "head the trick"),
    rule("R9", "Play of the hand", DUTY, "A worthless card that does not head an opponent's trick is the lowest the seat holds of its suit.", "the lowest worthless card"),
    rule("R10", "Play of the hand", DUTY, "Each seat in turn plays one card to a trick.", "play in turn"),
    rule("R11", "Setup", DUTY, "The whole pack is dealt, twelve cards to each seat.", "twelve each"),
    rule("R12", "Scoring", CONSEQUENCE, "A hand counts 72 in all: twelve tricks, and sixty points in their cards.", "seventy-two"),
)  # fmt: skip

READINGS = {
    "How far may a botifarra be doubled?": "twice: it counts two from the start, and eight is the most",
    "101: reached or exceeded?": "reached is enough",
    "Does the lowest-card rule bind against an opponent who cannot be headed?": "yes, for worthless cards; a point card may be given instead; option losing_side_lowest_always",
    "Heading with a worthless card": "any card that heads will do; option heading_lowest_when_worthless",
    "Void, and only lower trumps": "any card; there is no duty to trump low",
    "The partner is ahead and the seat is void": "it may discard or trump; the lowest-card rule looks at the suit of the card chosen",
    "Who speaks first about doubling?": "the opponents in turn behind whoever chose; the lead stands for the passes nobody wrote",
    "Who may redouble?": "the dealer's side, also when the partner chose",
    "The deal": "in packets of any size; a seat to which nobody wrote a card has twelve unseen ones",
    "A pass or a choice out of turn": "is marked, unless it shows what nobody wrote; a pass takes no choice from the dealer, and whoever has the choice may still make it",
    "Trumps nobody wrote": "who won is not known then, and no duty to head is held against anybody",
    "The next dealer": "passes on in the direction of play; after a misdeal the same dealer deals again",
    "Three games an evening": "are three matches, with partners changed",
}


class Hand:
    """One hand of Botifarra as it goes."""

    __slots__ = ("chooser", "multiplier", "named", "raised", "raises", "speakers", "strain", "trick")

    def __init__(self, state: State[Hand]) -> None:
        self.strain: str | None = None
        # Whose choice it is, and who has named something.
        self.chooser, self.named = state.dealer, ""
        # None where what was said went by unrecorded.
        self.multiplier: int | None = 1
        # So many raises were heard, in order or not, since anything went by unrecorded.
        self.raises = 0
        # The last raise, if it was in order.
        self.raised: Call | None = None
        # Who may still speak about doubling before play begins.
        self.speakers: tuple[str, ...] = ()
        self.trick = Tricks(state, CARDS_EACH, {s: (left(state, s),) for s in state.terms.seats})
        self.trick.power = strengths(PACK, PLAIN, "")


def left(state: State[Any], seat: str, steps: int = 1) -> str:
    """The next seat in the direction of play."""
    way = 1 if state.terms.options.direction == "clockwise" else -1
    return state.terms.left(seat, way * steps)


def partner(state: State[Any], seat: str) -> str:
    return state.terms.left(seat, 2)


def start(state: State[Hand]) -> Hand:
    for seat in state.terms.seats:
        state.table.bag(seat)
    for side in state.terms.sides:
        state.table.row(f"won:{side}")
    state.phase, state.turn = "choice", (state.dealer,)
    return Hand(state)


def ready(state: State[Hand]) -> None:
    """Any act finds a hand begun and dealt; a deal nobody wrote is twelve unseen cards each."""
    dealt(state, CARDS_EACH)


@RULES.check("R11", Deal)
def twelve_each(deal: Deal, state: State[Hand]) -> CheckResult | None:
    stray = next((name for name, _ in deal.piles if name.removeprefix("hand:") not in state.terms.seats), "")
    if stray:
        return broken(f"all cards are dealt to the seats, none to {stray}")
    return no_more_than(dict.fromkeys(state.terms.seats, CARDS_EACH), deal, state)


# Determining trumps and doubling
STRAINS = (*SUITS, "nt")


def choosing(act: Name | Pass, state: State[Hand]) -> bool:
    """Whether this is an act of the choice; after a gap nobody knows whose it is."""
    return (state.phase == "choice" or isinstance(act, Name)) and not state.hand.trick.blind


def raises_nothing(act: Name | Pass, state: State[Hand]) -> bool:
    """Whether this may be the pass of an opponent of the dealer who does not double: then trumps have been named."""
    sides = state.terms.side_of
    return isinstance(act, Pass) and state.phase == "choice" and sides.get(act.by) != sides[state.dealer]


@RULES.check("R1", Name, Pass)
def the_dealer_chooses(act: Name | Pass, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if isinstance(act, Name) and act.what not in STRAINS:
        return broken("the choice is c, d, h, s or nt")
    if choosing(act, state) and hand.named == hand.chooser:
        return broken(f"{hand.chooser} has chosen already")
    if choosing(act, state) and state.guessed and not hand.named and hand.chooser == state.dealer:
        return unknown(WHO_DEALS)
    if choosing(act, state) and hand.chooser == state.dealer != act.by:
        if isinstance(act, Name) and act.by == partner(state, state.dealer):
            return unknown(f"whether {state.dealer} passed the choice on; nobody wrote it")
        if raises_nothing(act, state):
            return unknown("whether trumps were named before this; nobody wrote it")
        return broken(f"{state.dealer} deals and chooses")
    return None


@RULES.check("R2", Name, Pass)
def the_partner_must_choose(act: Name | Pass, state: State[Hand]) -> CheckResult | None:
    chooser = state.hand.chooser
    if not choosing(act, state) or chooser == state.dealer:
        return None
    if raises_nothing(act, state):
        return unknown("whether trumps were named before this; nobody wrote it")
    if act.by != chooser:
        return broken(f"the choice was passed to {chooser}")
    return broken(f"{state.dealer} has passed the choice on; it cannot go back") if isinstance(act, Pass) else None


def chooses_first(seat: str, state: State[Hand]) -> None:
    """If nobody recorded who deals, the first to choose, or to pass the choice on, shows it."""
    if state.guessed and state.phase == "choice" and not state.hand.named and state.hand.chooser == state.dealer != seat:
        state.infer(f"{seat} chooses, and so has dealt; nobody wrote it")
        state.dealer = state.hand.chooser = seat


def on_name(name: Name, state: State[Hand]) -> None:
    ready(state)
    hand = state.hand
    chooses_first(name.by, state)
    if state.phase == "choice" and hand.chooser == state.dealer and name.by == partner(state, state.dealer):
        state.infer(f"{state.dealer} passed the choice to {name.by}; nobody wrote it")
    hand.named = name.by
    if name.what in STRAINS:
        hand.strain = name.what
        hand.multiplier = 2 if name.what == "nt" else 1
        hand.trick.power = strengths(PACK, PLAIN, name.what if name.what in SUITS else "")
    may_speak(state, name.by)


def on_pass(act: Pass, state: State[Hand]) -> None:
    ready(state)
    hand = state.hand
    if state.phase == "play" or hand.trick.blind:
        return
    chooses_first(act.by, state)
    if state.phase == "choice":
        if act.by == state.dealer:  # a pass of anybody else takes no choice from the dealer
            hand.chooser = partner(state, state.dealer)
            state.turn = (hand.chooser,)
        return
    if act.by not in hand.speakers:
        raised_unheard(act.by, state)
    passed_over(act.by, state)
    hand.speakers = hand.speakers[1:]
    state.turn = hand.speakers[:1]
    if not hand.speakers:
        open_play(state)


def passed_over(seat: str, state: State[Hand]) -> None:
    """Whoever speaks shows that those who were asked before have passed; a raise would have been written."""
    hand = state.hand
    at = hand.speakers.index(seat) if seat in hand.speakers else 0
    if at:
        state.infer(f"{' and '.join(hand.speakers[:at])} passed before {seat} spoke; nobody wrote it")
        hand.speakers = hand.speakers[at:]
        state.turn = hand.speakers[:1]


def raised_unheard(seat: str, state: State[Hand]) -> None:
    """Somebody passes who has nothing to answer: perhaps the stakes were raised before."""
    hand, side = state.hand, state.terms.side_of
    state.infer(f"{seat} passes, so the stakes may have been raised before; nobody wrote it")
    hand.multiplier = None
    hand.speakers = tuple(s for s in (seat, partner(state, seat)) if side[s] == side[seat])


STEPS = {1: "double", 2: "redouble", 4: "reredouble"}


def step_now(hand: Hand) -> str:
    """The word that raises the stakes now."""
    base = 2 if hand.strain == "nt" else 1
    return STEPS.get((hand.multiplier or 0) // base, "")


@RULES.check("R3", Call)
def the_right_side_raises(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word not in STEPS.values():
        return None
    if state.hand.multiplier is None or state.hand.trick.lost:
        if list(STEPS.values()).index(call.word) < state.hand.raises:
            # The stakes are at least as high as what has been heard made them.
            return broken("the stakes have been raised further already")
        return unknown("what was said before this went by unrecorded")
    step = step_now(state.hand)
    if answers_unheard(call, state):
        return unknown(f"whether somebody said {step} before this; nobody wrote it")
    if call.word != step:
        return broken(f"what may be said now is {step or 'nothing more'}")
    dealers = state.terms.side_of[call.by] == state.terms.side_of[state.dealer]
    if dealers != (step == "redouble") and state.guessed:
        return unknown(WHO_DEALS)
    if dealers != (step == "redouble"):
        return broken(f"it is for the {'dealer' if step == 'redouble' else 'opponents of the dealer'} and not for {call.by}")
    return None


def answers_unheard(call: Call, state: State[Hand]) -> bool:
    """Whether a raise answers one that nobody wrote: it is the next but one, and its side may say it."""
    words, step = list(STEPS.values()), step_now(state.hand)
    if state.phase != "doubling" or not step or call.word not in words or words.index(call.word) != words.index(step) + 1:
        return False
    dealers = state.terms.side_of[call.by] == state.terms.side_of[state.dealer]
    return dealers == (call.word == "redouble")


@RULES.check("R3", Fault)
def whoever_may_raise_may_do_it(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table took a raise that was in order for a fault."""
    raised = state.hand.raised if state.number else None
    if raised is None or fault.word != raised.word or fault.who not in ("", raised.by):
        return None
    return broken(f"{raised.by} may {raised.word} here")


@RULES.check("R4", Call)
def no_more_than_eight(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word not in STEPS.values():
        return None
    hand = state.hand
    if (hand.multiplier is None or hand.trick.lost) and hand.raises < len(STEPS):
        return unknown("how high the stakes are: what was said before this went by unrecorded")
    if hand.multiplier == MOST or hand.raises >= len(STEPS):
        return broken(f"the hand counts {MOST}-fold already")
    return None


@RULES.check("R5", Call, Pass)
def they_speak_in_turn(act: Call | Pass, state: State[Hand]) -> CheckResult | None:
    if state.phase == "play":
        return broken("the time to raise is over") if state.hand.multiplier != MOST else None
    hand = state.hand
    if state.phase != "doubling" or act.by in state.turn:
        return None
    if state.guessed:
        return unknown(WHO_DEALS)
    if act.by in hand.speakers:
        before = hand.speakers[: hand.speakers.index(act.by)]
        return unknown(f"whether {' and '.join(before)} passed before this; nobody wrote it")
    if isinstance(act, Pass) or hand.multiplier is None or answers_unheard(act, state):
        return unknown("whether the stakes were raised before this; nobody wrote it")
    return broken(f"it is for {state.turn[0]} to speak" if state.turn else "nobody has anything to say")


def unwritten(state: State[Hand], act: Event) -> None:
    """A raise, or a card, shows that trumps were named."""
    hand = state.hand
    if state.phase == "choice" and (isinstance(act, Play) or (isinstance(act, Call) and act.word in STEPS.values())):
        state.infer("trumps were named before this; nobody wrote which")
        hand.multiplier = None
        if isinstance(act, Play):
            open_play(state)
        else:
            may_speak(state, state.dealer)


def on_call(call: Call, state: State[Hand]) -> None:
    ready(state)
    unwritten(state, call)
    hand = state.hand
    if call.word in STEPS.values():
        in_order = state.phase == "doubling" and not any(check(call, state) for check in (the_right_side_raises, no_more_than_eight, they_speak_in_turn))
        hand.raised = call if in_order else None
        if answers_unheard(call, state):
            state.infer(f"somebody said {step_now(hand)} before this; nobody wrote it")
            hand.multiplier = hand.multiplier and 2 * hand.multiplier
        passed_over(call.by, state)
        hand.raises += 1
        hand.multiplier = hand.multiplier and min(2 * hand.multiplier, MOST)
        may_speak(state, call.by)


def may_speak(state: State[Hand], last: str) -> None:
    """Those who may raise now, in turn behind whoever spoke last; nobody at eight, or once cards are played."""
    hand = state.hand
    if state.phase == "play" or hand.trick.blind:
        return
    dealers = step_now(hand) == "redouble"
    side = state.terms.side_of[state.dealer]
    order = [left(state, last, i) for i in (1, 2, 3, 4)]
    hand.speakers = tuple(s for s in order if (state.terms.side_of[s] == side) == dealers)
    if hand.multiplier == MOST:
        open_play(state)
        return
    state.phase, state.turn = "doubling", hand.speakers[:1]


def open_play(state: State[Hand]) -> None:
    if state.phase != "play":
        state.phase, state.turn = "play", state.terms.seats if state.guessed else (left(state, state.dealer),)
        # Without trumps named nobody can tell who wins.
        state.hand.trick.blind |= state.hand.strain is None


# Play of the hand
@RULES.check("R6", Play)
def the_right_seat_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    if trick.plays:
        return None
    if trick.blind:
        return unknown("who leads: what decides it was not recorded")
    if state.guessed and not trick.won:
        return unknown(WHO_DEALS)
    leaders = state.turn if state.phase == "play" else (left(state, state.dealer),)
    doubtful = who_led(play.by, state)
    if doubtful is not None or play.by in leaders:
        return doubtful
    return broken(f"{leaders[0]} {'won the last trick' if trick.won else 'sits behind the dealer'} and leads")


RULES.check("R7", Play)(must_follow_suit)


def partner_is_ahead(seat: str, state: State[Hand]) -> bool | None:
    """Whether the seat's side is winning the trick; None where an unseen card may be ahead."""
    trick, side_of = state.hand.trick, state.terms.side_of
    if not trick.doubt:
        return side_of[trick.ahead] == side_of[seat]
    mine = {side_of[s] == side_of[seat] for s in trick.perhaps_ahead()}
    return mine.pop() if len(mine) == 1 else None


@RULES.check("R8", Play)
def head_the_trick(play: Play, state: State[Hand]) -> CheckResult | None:
    if not state.hand.trick.plays:
        return None
    excused = partner_is_ahead(play.by, state)
    if excused:
        return None
    says = must_head_the_trick(play, state)
    if says is None or (excused is not None and state.hand.strain):
        return says
    return unknown("an unseen card may be ahead" if excused is None else "no trumps were recorded")


@RULES.check("R9", Play)
def the_lowest_worthless_card(play: Play, state: State[Hand]) -> CheckResult | None:
    trick, options = state.hand.trick, state.terms.options
    if not trick.plays:
        return None
    code = state.code(play.cards)
    if code >= PACK.unknown:
        return unknown("the card was not seen")
    worthless = not PACK.field[code] & POINT_CARDS
    if not worthless and not options.losing_side_lowest_always:
        return None
    excused = partner_is_ahead(play.by, state)
    if not worthless and excused:
        return None
    held, lower = state.holding(play.by), BELOW[code]
    doubt = (trick.doubt and not excused) or not state.hand.strain
    if excused is False and not doubt and trick.values[code] > trick.best:
        if not worthless or not options.heading_lowest_when_worthless:
            return None
        in_suit, trumps = trick.strength.above(trick.best)
        lower &= in_suit | trumps
    has = held.any_of(lower)
    if has is False:
        return None
    if doubt:
        return unknown("an unseen card leaves open who was ahead" if state.hand.strain else "no trumps were recorded")
    dark = why_unknown(trick) or out_of_turn(play.by, state)
    if has and dark is None:
        return broken(f"{play.by} holds a lower card of {SUIT_NAMES[PACK.suit_of[code]]}", held.certain & lower, play.by)
    return dark or unknown(f"whether {play.by} held a lower card of the suit")


RULES.check("R10", Play)(one_card_in_turn)


def plays_beyond_doubt(first: InItsPlace, later: Iterator[InItsPlace], state: State[Hand]) -> InItsPlace | None:
    """The run of plays in order, as long as no house rule asks for more and each card is `well_chosen`."""
    options = state.terms.options
    if options.losing_side_lowest_always or options.heading_lowest_when_worthless or not state.hand.strain:
        return first
    return plays_in_order(first, later, state, partial(well_chosen, state.terms.side_of))


def well_chosen(side_of: Mapping[str, str], seat: str, code: int, known: int, ahead: str, best: int, strength: Strength) -> bool:
    """Whether a card that follows, out of a hand that was seen whole, surely heads the trick if it must, and is the lowest
    worthless one if it must be."""
    if side_of[ahead] != side_of[seat]:
        if strength.values[code] > best:
            return True
        in_suit, trumps = strength.above(best)
        if known & (in_suit if PACK.suit_of[code] == strength.led else trumps):
            return False
    return bool(WORTH_OF[code]) or not known & BELOW[code]


def on_play(play: Play, state: State[Hand]) -> None:
    if state.phase != "play":
        ready(state)
        unwritten(state, play)
        open_play(state)
    play_to_trick(play, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: anybody may go on, with anything; what was raised meanwhile nobody knows."""
    if state.settled or not state.number:
        return
    if state.phase != "play":
        state.hand.multiplier = None
    # It may be another hand that goes on after this.
    state.phase, state.hand.raises = "doubling", 0
    forget_holdings(state, CARDS_EACH)


RULES.check("R6", Move)(winner_gathers)


# Scoring
class Tally(Struct):
    """What a hand of Botifarra is scored from; None where it is not known."""

    strain: str | None = None
    multiplier: int | None = None
    counted: Points = {}
    void: str = ""


TALLY = {
    "strain": fact.choice("the suit chosen, or nt", *STRAINS, rule="R1"),
    "multiplier": fact.number("1, 2, 4 or 8; left out, nobody doubled", only=(1, 2, 4, MOST), rule="R4", stands=True),
    "points.*": fact.number("what a side's tricks count, 0 to 72", 0, WHOLE, together=WHOLE, rule="R12"),
    "tricks.*": fact.number("tricks taken by a side", 0, CARDS_EACH, together=CARDS_EACH, rule="R12"),
    "void": fact.word("misdeal: the hand does not count"),
}


def points_unlike_the_tricks(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A trick counts one at least, and without a trick there is nothing to count."""
    for side in state.terms.sides:
        points, tricks = known.get(f"points.{side}"), known.get(f"tricks.{side}")
        if points is not None and tricks is not None and (points < tricks or (points and not tricks)):
            return f"{tricks} tricks do not count {points}"
    return ""


LAWS = (fact.Law(("points", "tricks"), points_unlike_the_tricks, "R12"),)
WORDS = {
    "double": "call: the opponents of the dealer raise the stakes; fault: the table minded it", "redouble": "call: the dealer's side raises them again; fault",
    "reredouble": "call: the opponents raise them once more; fault", "misdeal": "end: the hand is dealt again", "void": "end: the hand does not count",
}  # fmt: skip


@RULES.check("R4", TallyEvent)
def a_botifarra_counts_two_at_least(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    told = event.facts
    return broken("a botifarra counts 2, 4 or 8-fold") if told.get("strain") == "nt" and told.get("multiplier") == 1 else None


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` says."""
    hand = state.hand
    out = Tally(hand.strain, hand.multiplier if hand.strain else None)
    out.void = void_of(state)
    if len(hand.trick.won) == CARDS_EACH and not hand.trick.lost:
        out.counted = counted(state)
    for facts in readable(state):
        if facts.get("strain") in STRAINS:
            out.strain = facts["strain"]
            out.multiplier = out.multiplier or (2 if out.strain == "nt" else 1)
        if "multiplier" in facts:
            out.multiplier = facts["multiplier"] if type(facts["multiplier"]) is int else None
    out.counted = figures("points", state) or out.counted
    return out


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """What a result without its cards leaves open: how often the hand counts."""
    t = tally(state)
    if not t.void and state.tallies and t.multiplier is None:
        yield "how often it counts", {f"{n}-fold": {"multiplier": n} for n in (1, 2, 4, MOST) if n > 1 or t.strain != "nt"}


def counted(state: State[Hand]) -> Points:
    """What each side's tricks count as played: a point a trick, and the cards in it."""
    points: Points = dict.fromkeys(state.terms.sides, 0)
    for trick in state.hand.trick.won:
        side = owner(trick, state.terms.side_of)
        codes = [code for _, code in trick.plays]
        if not side or max(codes) >= PACK.unknown:
            return counted_by_pile(state)
        points[side] = (points[side] or 0) + 1 + sum([WORTH_OF[code] for code in codes])
    return points


def counted_by_pile(state: State[Hand]) -> Points:
    """The same from the won cards, where elimination has named every one of them."""
    taken = state.hand.trick.taken_by(state.terms.side_of)
    points: Points = {}
    for side in state.terms.sides:
        pile, n = state.table.row(f"won:{side}"), taken[side]
        # A trick that only who led next gives to this side was not laid to the others.
        whole = n is not None and len(pile) == n * len(state.terms.seats) and not pile.hidden
        points[side] = None if n is None or not whole else n + sum(WORTH.get(c[0], 0) for c in PACK.cards(pile.certain))
    return points


def score_tally(t: Tally) -> tuple[Points, tuple[Line, ...], str]:
    """Points of both sides, the lines behind them, and who came out ahead.

    >>> score_tally(Tally("h", 2, {"NS": 50, "EW": 22}))[0]
    {'NS': 28, 'EW': 0}
    >>> score_tally(Tally("nt", 2, {"NS": 36, "EW": 36}))[0]
    {'NS': 0, 'EW': 0}
    """
    lines = [Line("counted", t.counted)]
    if None in t.counted.values() or not t.counted or t.multiplier is None:
        return dict.fromkeys(t.counted), tuple(lines), ""
    points: Points = {}
    sums: dict[str, str] = {}
    for side, n in t.counted.items():
        over = (n or 0) - PAR
        points[side] = max(over, 0) * t.multiplier
        if over > 0:
            sums[side] = f"{n} − {PAR} = {over}" + (f", {t.multiplier} × {over} = {points[side]}" if t.multiplier > 1 else "")
    lines.append(Line("points", points, sums))
    return points, tuple(lines), next((s for s, n in points.items() if n), "even")


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    sides = state.terms.sides
    strain = "botifarra" if t.strain == "nt" else GLYPHS.get(t.strain or "", "")
    contract = f"{strain} ×{t.multiplier}" if strain and (t.multiplier or 1) > 1 else strain
    nothing: Points = dict.fromkeys(sides, 0)
    if t.void:
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    if not state.settled and not state.tallies:
        return HandScore(state.number, state.dealer, "nothing", contract, points=nothing, unknown=("the hand is in play",))
    points, lines, result = score_tally(t)
    missing: tuple[str, ...] = () if t.multiplier is not None else ("how often it counts",) if t.strain else ("the strain",)
    if not points or None in points.values():
        missing = (*missing, "what the tricks count")
        points = dict.fromkeys(sides)
    return HandScore(state.number, state.dealer, "tally" if state.tallies else "moves", contract, result, lines, points, unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Only one side scores in a hand, so the first to the target has won."""
    totals = added(before.totals, hand.points)
    home = [side for side, n in totals.items() if n is not None and n >= terms.options.target]
    return replace(before, totals=totals, over=bool(home), winner=home[0] if home else "", hands=before.hands + 1)


def next_dealer(state: State[Hand]) -> str:
    """On in the direction of play; after a misdeal the same dealer deals again."""
    return state.dealer if misdealt(state) else left(state, state.dealer)


# The sheet: what was chosen, what both sides counted, the running score
def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    we, they = state.terms.sides
    rows = []
    for s in state.scores:
        cells = [Cell(str(s.number)), Cell(state.terms.name(s.dealer)), Cell(s.contract or "–")]
        for side in (we, they):
            took = s.lines[0].amounts.get(side) if s.lines else None
            sums = "; ".join(line.sums[side] for line in s.lines if side in line.sums)
            cells += [Cell(figure(took) if s.lines else s.result or "–"), Cell(signed(s.points.get(side)), sums), Cell(figure(s.totals.get(side)), "", "total")]
        rows.append(Row(tuple(cells), notes=s.notes))
    heads = ("hand", "dealer", "trumps", "WE counted", "WE ±", "WE", "THEY counted", "THEY ±", "THEY")
    facts = (*empty.facts, ("WE", state.terms.name(we)), ("THEY", state.terms.name(they)))
    return replace(empty, facts=facts, blocks=(Block("Score", heads, tuple(rows)),))


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    for seat in state.turn:
        if state.phase == "choice":
            yield from (Name(by=seat, what=strain) for strain in STRAINS)
            yield Pass(by=seat)
        elif state.phase == "doubling":
            yield Pass(by=seat)
            yield Call(by=seat, word=step_now(state.hand) or "double")
        elif state.phase == "play":
            yield from (Play(by=seat, cards=(card,)) for card in PACK.cards(state.holding(seat).certain))


def headline(state: State[Hand]) -> dict[str, Any]:
    hand = state.hand
    return {"trump": hand.strain, "multiplier": hand.multiplier or "?"} if hand.strain else {}


def latest(state: State[Hand]) -> str:
    return state.hand.trick.just_taken(state.at)


# Simulation
def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = list(PACK.faces)
    random.shuffle(cards)
    first = next_dealer(state) if state.number else state.terms.dealer
    order = [left(state, first, i) for i in (1, 2, 3, 4)]
    hands = tuple((hand_of(s), tuple(cards[CARDS_EACH * i : CARDS_EACH * (i + 1)])) for i, s in enumerate(order))
    return [HandEvent(by=first, number=state.number + 1), Deal(by="@", piles=hands)]


def weigh(state: State[Hand], event: Event) -> float:
    """Long suits are chosen, strong hands raise, now and then."""
    if isinstance(event, Name):
        held = state.holding(event.by).certain
        return 1.0 if event.what == "nt" else 0.1 + PACK.count(held & PACK.suit[event.what]) ** 2
    return 0.3 if isinstance(event, Call) else 1.0


GAME = Game(
    key="botifarra",
    name="Botifarra",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="4, partners opposite",
    seating=SEATS,
    pack=PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=facts_declared(TALLY, LAWS),
    missing=missing,
    words=WORDS,
    phases={
        "choice": Phase("choosing trumps", (Name, Pass), "the trump suit (c, d, h, s), nt, or a pass to the partner", to_do="choose", bare=STRAINS),
        "doubling": Phase("doubling", (Call, Pass, Play, Name), "double, redouble, reredouble or a pass; the lead ends it", quiet=lambda state: Pass(by=state.turn[0]), to_do="speak", verbed=(Name,)),
        "play": Phase("play", (Play, Call), "a card", to_do="play", one_card=True, run=plays_beyond_doubt),
    },
    start=start,
    on={Name: on_name, Pass: on_pass, Call: on_call, Play: on_play, Move: gathered_by, Gap: on_gap},
    candidates=candidates,
    new_match=lambda terms: Standing(dict.fromkeys(terms.sides, 0)),
    score=score,
    after=after,
    next_dealer=next_dealer,
    sheet=sheet,
    chance=chance,
    weigh=weigh,
    most_hands=150,
    hidden={"*": "owner", "won:*": "nobody", "won": "nobody"},
    headline=headline,
    latest=latest,
    led=lambda state: state.hand.trick.led if state.phase == "play" and state.hand.trick.plays else "",
    unwritten=unwritten,
)
