"""Botifarra: four players in partnerships; no bidding, but nines on top, a duty to head the trick, and doubling up to
eight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any

from msgspec import Meta

from events.model import Call, Deal, Event, Facts, Fault, Gap, Move, Name, Pass, Play
from events.model import Tally as TallyEvent
from reducers.model import InItsPlace
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, SUIT_NAMES, WHO_DEALS, Catalogue, Cell, CheckResult, DealSpec,
    Direction, Game, Dealing, MatchRules, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase,
    Points, State, TallyFacts, try_pass, as_many_as_dealt, bounded, broken, choice, contract, counts, counts_nothing,
    deals_next, try_each_card, first_to_target, gained, grows, hand_score, try_naming, number, apply_reported_facts,
    pack, partnerships, ranking, ensure_dealt, rule, shuffle_and_deal, summary_of, figure_of_line, to_the_right,
    running_total, unasked, unknown, we_they, HouseRules, after_gap,
)  # fmt: skip
from reducers.words.card_points import CardPoints
from reducers.words.raising import (
    Stakes, asks_around, next_raise, no_more_than_the_most, raises, raises_no_more, the_right_side_raises,
    they_speak_in_turn, whoever_may_raise_may_do_it,
)  # fmt: skip
from reducers.words.act_batches import plays_in_order
from reducers.words.trick_play import (
    first_to_act, NO_TRUMPS, TRICKS, Tricks, first_lead, just_taken, must_follow_suit, must_head_the_opponents,
    one_card_in_turn, why_out_of_turn, partner_is_ahead, play_to_trick, strengths, suit_led, why_unknown,
    winner_gathers,
)  # fmt: skip
from reducers.words.tallies import is_cut_short
from reducers.words.tricks import Strength

# Setup
SEATS = partnerships("N E S W")
PACK = pack("9 A K Q J 8 7 6 5 4 3 2")
DEAL = DealSpec(each=12)
PAR, MOST = 36, 8

# Card ranking: the nine is the highest of every suit.
PLAIN = ranking("9 A K Q J 8 7 6 5 4 3 2")
STRENGTH = PLAIN.strength(PACK)
WORTH = CardPoints(PACK, {"9": 5, "A": 4, "K": 3, "Q": 2, "J": 1}, trick=1)
WHOLE = WORTH.whole(tricks=DEAL.each)
# For each card, the cards of its suit below it; below a worthless card all are worthless too.
BELOW = tuple(
    sum(PACK.field[d] for d in range(PACK.unknown) if PACK.suit_of[d] == PACK.suit_of[c] and STRENGTH[d] < STRENGTH[c])
    for c in range(PACK.unknown)
)
RAISES = ("double", "redouble", "reredouble")


class Options(HouseRules, frozen=True):
    """House rules of Botifarra."""

    direction: Direction = "clockwise"
    target: Annotated[int, Meta(ge=1, le=999, description="score that ends the match")] = 101
    losing_side_lowest_always: Annotated[
        bool, Meta(description="a seat that cannot head an opponent's trick gives the lowest card of the suit, with "
                               "points or not")
    ] = False
    heading_lowest_when_worthless: Annotated[
        bool, Meta(description="a worthless card that heads the trick must be the lowest such card")
    ] = False


SETUP, STAKES, PLAY = "Setup", "Determining trumps and doubling", "Play of the hand"
RULES = Catalogue(
    "botifarra",
    rule("R1", STAKES, DUTY, "The dealer opens the hand: a suit for trumps, botifarra (no trumps), or the choice "
         "passed to the partner.", "the dealer chooses"),
    rule("R2", STAKES, DUTY, "The partner to whom the choice was passed makes it.", "the partner must choose"),
    rule("R3", STAKES, RIGHT, "The dealer's opponents may double, the dealer's side may redouble a double, the "
         "opponents may reredouble.", "who may double",
         {Call: the_right_side_raises, Fault: whoever_may_raise_may_do_it}),
    rule("R4", STAKES, DUTY, "No hand counts more than eightfold; botifarra begins at two.",
         "at most eight", {Call: no_more_than_the_most}),
    rule("R5", STAKES, DUTY, "They speak in turn, starting after the last speaker.", "speak in turn"),
    rule("R6", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead", {Move: winner_gathers}),
    rule("R7", PLAY, DUTY, "A seat that holds the suit led plays it.", "follow suit"),
    rule("R8", PLAY, DUTY, "A seat that can beat the card that is ahead must, with the suit led or, without it, with a "
         "trump, unless its partner is ahead.", "head the trick"),
    rule("R9", PLAY, DUTY, "A worthless card that does not head an opponent's trick is the lowest the seat holds of "
         "its suit.", "the lowest worthless card"),
    rule("R10", PLAY, DUTY, "Each seat in turn plays one card to a trick.", "play in turn"),
    rule("R11", SETUP, DUTY, "The whole pack is dealt, twelve cards to each seat.",
         "twelve each", {Deal: as_many_as_dealt}),
    rule("R12", "Scoring", CONSEQUENCE, "A hand counts 72 in all: twelve tricks, and sixty points in their cards.",
         "seventy-two"),
)  # fmt: skip

READINGS = {
    "How far may a botifarra be doubled?": "twice: it counts two from the start, and eight is the most",
    "101: reached or exceeded?": "reached is enough",
    "Does the lowest-card rule bind against an opponent who cannot be headed?": "yes, for worthless cards; a point "
    "card may be given instead; option losing_side_lowest_always",
    "Heading with a worthless card": "any card that heads will do; option heading_lowest_when_worthless",
    "Void, and only lower trumps": "any card; there is no duty to trump low",
    "The partner is ahead and the seat is void": "it may discard or trump; the lowest-card rule looks at the suit of "
    "the card chosen",
    "Who speaks first about doubling?": "the opponents, in turn after the seat that chose; the lead stands for "
    "unrecorded passes",
    "Who may redouble?": "the dealer's side, also when the partner chose",
    "The deal": "in packets of any size; a seat without recorded cards has twelve unseen ones",
    "A pass or a choice out of turn": "is marked, unless it shows an unrecorded act; a pass takes no choice from the "
    "dealer, and the seat with the choice may still make it",
    "Trumps that were not recorded": "the winners are then unknown, and the duty to head the trick is not judged",
    "The next dealer": "passes on in the direction of play; after a misdeal the same dealer deals again",
    "Three games an evening": "are three matches, with partners changed",
}


class Hand:
    """The record of one hand of Botifarra."""

    def __init__(self, state: State[Hand]) -> None:
        self.strain: str | None = None
        # The seat that has the choice, and the seat that has named something.
        self.chooser, self.named = state.dealer, ""
        self.stakes = Stakes(state.dealer, RAISES, MOST)
        self.trick = Tricks(state, DEAL.each)
        self.trick.power = strengths(PACK, PLAIN, "")

    @property
    def multiplier(self) -> int | None:
        """How often the hand counts; None if calls are missing from the record."""
        return self.stakes.multiplier


def partner(seat: str, state: State[Hand]) -> str:
    return state.terms.left(seat, 2)


# Determining trumps and doubling
STRAINS = (*SUITS, "nt")


def choosing(act: Name | Pass, state: State[Hand]) -> bool:
    """Return True if this is an act of the choice; after a gap it is unknown who chooses."""
    return (state.phase == "choice" or isinstance(act, Name)) and not state.hand.trick.blind


def raises_nothing(act: Name | Pass, state: State[Hand]) -> bool:
    """Return True if this may be the pass of an opponent who does not double, so that trumps have been named."""
    sides = state.terms.side_of
    return isinstance(act, Pass) and state.phase == "choice" and sides.get(act.by) != sides[state.dealer]


@RULES.check("R1", Name, Pass)
def the_dealer_chooses(act: Name | Pass, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if isinstance(act, Name) and act.what not in STRAINS:
        return broken("the choice is c, d, h, s or nt")
    if choosing(act, state) and hand.named and hand.named in (hand.chooser, act.by):
        return broken(f"{hand.named} has chosen already")
    if choosing(act, state) and state.dealer_is_guess and not hand.named and hand.chooser == state.dealer:
        return unknown(WHO_DEALS)
    if choosing(act, state) and hand.chooser == state.dealer != act.by:
        if isinstance(act, Name) and act.by == partner(state.dealer, state):
            return unknown(f"whether {state.dealer} passed the choice on (not recorded)")
        if raises_nothing(act, state):
            return unknown("whether trumps were named before this (not recorded)")
        return broken(f"{state.dealer} deals and chooses")
    return None


@RULES.check("R2", Name, Pass)
def the_partner_must_choose(act: Name | Pass, state: State[Hand]) -> CheckResult | None:
    chooser = state.hand.chooser
    if not choosing(act, state) or chooser == state.dealer:
        return None
    if raises_nothing(act, state):
        return unknown("whether trumps were named before this (not recorded)")
    if act.by != chooser:
        return broken(f"the choice was passed to {chooser}")
    return broken(f"{state.dealer} has passed the choice on; it cannot go back") if isinstance(act, Pass) else None


def chooses_first(seat: str, state: State[Hand]) -> None:
    """Infer the dealer, if not recorded, from the first seat to choose or to pass the choice on."""
    hand = state.hand
    if state.dealer_is_guess and state.phase == "choice" and not hand.named and hand.chooser == state.dealer != seat:
        state.infer(f"{seat} chooses and so has dealt (not recorded)")
        state.dealer = hand.chooser = hand.stakes.maker = seat


def on_name(name: Name, state: State[Hand]) -> None:
    hand = state.hand
    chooses_first(name.by, state)
    if state.phase == "choice" and hand.chooser == state.dealer and name.by == partner(state.dealer, state):
        state.infer(f"{state.dealer} passed the choice to {name.by} (not recorded)")
    hand.named = name.by
    if name.what in STRAINS:
        hand.strain = name.what
        hand.stakes.begin(2 if name.what == "nt" else 1)
        hand.trick.power = strengths(PACK, PLAIN, name.what if name.what in SUITS else "")
    if not asks_around(name.by, state):
        open_play(state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """Apply a pass: the dealer passes the choice on; later a player who may raise does not."""
    hand = state.hand
    if state.phase == "play" or hand.trick.blind:
        return
    chooses_first(act.by, state)
    if state.phase != "choice":
        if not raises_no_more(act, state):
            open_play(state)
    elif act.by == state.dealer:  # a pass of another seat takes no choice from the dealer
        hand.chooser = partner(state.dealer, state)
        state.turn = (hand.chooser,)


@RULES.check("R4", TallyEvent)
def a_botifarra_counts_two_at_least(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    told = event.facts
    two = told.get("strain") == "nt" and told.get("multiplier") == 1
    return broken("a botifarra counts 2, 4 or 8-fold") if two else None


RULES.check("R5", Call, Pass)(they_speak_in_turn)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from a raise or a card that trumps were named."""
    if state.phase == "choice" and (isinstance(act, Play) or (isinstance(act, Call) and act.word in RAISES)):
        state.infer("trumps were named before this; the suit was not recorded")
        state.hand.stakes.multiplier = None
        if isinstance(act, Play):
            open_play(state)
        else:
            asks_around(state.dealer, state)


def on_call(call: Call, state: State[Hand]) -> None:
    if call.word in RAISES and not raises(call, state):
        open_play(state)


def open_play(state: State[Hand]) -> None:
    """Start the play; the dealer's left leads, any seat if the dealer is unknown."""
    if state.phase != "play":
        terms = state.terms
        state.phase, state.turn = "play", terms.seats if state.dealer_is_guess else (terms.after(state.dealer),)
        # Without named trumps the winner of a trick is unknown.
        state.hand.trick.blind |= state.hand.strain is None


# Play of the hand
@RULES.check("R6", Play)
def the_right_seat_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    if state.hand.trick.blind and not state.hand.trick.plays:
        return unknown("who leads: what decides it was not recorded")
    return first_lead(play, state)


RULES.check("R7", Play)(must_follow_suit)
RULES.check("R8", Play)(must_head_the_opponents)


@RULES.check("R9", Play)
def the_lowest_worthless_card(play: Play, state: State[Hand]) -> CheckResult | None:
    trick, options = state.hand.trick, state.terms.options
    if not trick.plays:
        return None
    code = state.code(play.cards)
    if code >= PACK.unknown:
        return unknown("the card was not seen")
    worthless = not WORTH.of[code]
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
        return unknown("an unseen card leaves open who was ahead" if state.hand.strain else NO_TRUMPS)
    dark = why_unknown(trick) or why_out_of_turn(play.by, state)
    if has and dark is None:
        suit = SUIT_NAMES[PACK.suit_of[code]]
        return broken(f"{play.by} holds a lower card of {suit}", held.certain & lower, play.by)
    return dark or unknown(f"whether {play.by} held a lower card of the suit")


RULES.check("R10", Play)(one_card_in_turn)


def plays_beyond_doubt(first: InItsPlace, later: Iterator[InItsPlace], state: State[Hand]) -> InItsPlace | None:
    """Apply a run of legal plays, if no house rule asks for more and each card is `well_chosen`."""
    options = state.terms.options
    if options.losing_side_lowest_always or options.heading_lowest_when_worthless or not state.hand.strain:
        return first
    return plays_in_order(first, later, state, partial(well_chosen, state.terms.side_of))


def well_chosen(
    side_of: Mapping[str, str], seat: str, code: int, known: int, ahead: str, best: int, strength: Strength
) -> bool:
    """Return True if a card that follows, from a fully seen hand, certainly heads the trick if it must, and is the
    lowest worthless one if it must be."""
    if side_of[ahead] != side_of[seat]:
        if strength.values[code] > best:
            return True
        in_suit, trumps = strength.above(best)
        if known & (in_suit if PACK.suit_of[code] == strength.led else trumps):
            return False
    return bool(WORTH.of[code]) or not known & BELOW[code]


def on_play(play: Play, state: State[Hand]) -> None:
    if state.phase != "play":
        ensure_dealt(state)
        open_play(state)
    play_to_trick(play, state)


# Scoring
class Tally(TallyFacts):
    """What a hand of Botifarra is scored from; None if unknown."""

    strain: str = choice("the suit chosen; or nt", *STRAINS, rule="R1")
    multiplier: int | None = grows(
        number("what the hand is multiplied by, 1, 2, 4 or 8", only=(1, 2, 4, MOST), rule="R4", stands=True)
    )
    counted: Points = bounded(WORTH.at_least, counts(
        f"what a side's tricks count, 0 to {WHOLE}", of=WHOLE, key="points", rule="R12",
    ))  # fmt: skip
    tricks: Points = unasked(counts("tricks taken by a side", of=DEAL.each, rule="R12"))

    laws = (Law(("points", "tricks"), WORTH.not_made, "R12"),)


WORDS = {
    "double": "call: the opponents of the dealer raise the stakes; fault: the table objected",
    "redouble": "call: the dealer's side raises them again; fault",
    "reredouble": "call: the opponents raise them once more; fault",
}


def tally(state: State[Hand]) -> Tally:
    hand, out = state.hand, Tally()
    if hand.strain:
        out.strain, out.multiplier = hand.strain, hand.multiplier
    if is_cut_short(state) and not (hand.trick.plays or hand.trick.won):
        out.multiplier = None  # there may have been a double
    if len(hand.trick.won) == DEAL.each and not hand.trick.lost:
        out.counted = WORTH.taken(state)
    apply_reported_facts(out, state)
    out.strain = out.strain or hand.strain or ""
    return out


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """The question that a result without its cards leaves open: how often the hand counts."""
    t = tally(state)
    if not t.void and state.tallies and t.multiplier is None:
        fold = [n for n in (1, 2, 4, MOST) if n > 1 or t.strain != "nt"]
        yield "how often it counts", {f"{n}-fold": {"multiplier": n} for n in fold}


def score_tally(t: Tally) -> tuple[Points, tuple[ScoreLine, ...], str]:
    """Points of both sides, the score lines, and the side that gained.

    >>> score_tally(Tally("h", 2, {"NS": 50, "EW": 22}))[0]
    {'NS': 28, 'EW': 0}
    >>> score_tally(Tally("nt", 2, {"NS": 36, "EW": 36}))[0]
    {'NS': 0, 'EW': 0}
    """
    lines = [ScoreLine("counted", t.counted)]
    if None in t.counted.values() or not t.counted or t.multiplier is None:
        return dict.fromkeys(t.counted), tuple(lines), ""
    points: Points = {}
    sums: dict[str, str] = {}
    for side, n in t.counted.items():
        over = (n or 0) - PAR
        points[side] = max(over, 0) * t.multiplier
        if over > 0:
            times = f", {t.multiplier} × {over} = {points[side]}" if t.multiplier > 1 else ""
            sums[side] = f"{n} − {PAR} = {over}{times}"
    lines.append(ScoreLine("points", points, sums))
    return points, tuple(lines), next((s for s, n in points.items() if n), "even")


def in_words(strain: str | None, multiplier: int | None) -> str:
    """The strain, and how often the hand counts if more than once."""
    sign = "botifarra" if strain == "nt" else GLYPHS.get(strain or "", "")
    return f"{sign} ×{multiplier}" if sign and (multiplier or 1) > 1 else sign


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    trumps = in_words(t.strain, t.multiplier)
    if nothing := counts_nothing(state, t.void, contract=trumps):
        return nothing
    points, lines, result = score_tally(t)
    open_ = [] if t.multiplier is not None else ["how often it counts" if t.strain else "the strain"]
    if not points or None in points.values():
        open_.append("what the tricks count")
        points = dict.fromkeys(state.terms.sides)
    return hand_score(state, points, lines, contract=trumps, result=result, unknown=open_)


def counted_or_not(s: HandScore, side: str, state: State[Hand]) -> Cell:
    """The value of a side's tricks, or why nothing counts."""
    return figure_of_line("counted")(s, side, state) if s.lines else Cell(s.result or "–")


def headline(state: State[Hand]) -> dict[str, Any]:
    hand = state.hand
    return {"trump": hand.strain, "multiplier": hand.multiplier or "?"} if hand.strain else {}


def weigh(state: State[Hand], event: Event) -> float:
    """Weights for the simulation: long suits are chosen, strong hands raise now and then."""
    if isinstance(event, Name):
        held = state.holding(event.by).certain
        return 1.0 if event.what == "nt" else 0.1 + PACK.count(held & PACK.suit[event.what]) ** 2
    return 0.3 if isinstance(event, Call) else 1.0


GAME = Game(
    key="botifarra", name="Botifarra", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        counter_clockwise=to_the_right,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("choice", dealer=True), Hand),
    phases={
        "choice": Phase(
            "choosing trumps", (Name, Pass), "the trump suit (c, d, h, s), nt, or a pass to the partner",
            to_do="choose", bare=STRAINS, tries=(try_naming(*STRAINS), try_pass),
        ),
        "doubling": Phase(
            "doubling", (Call, Pass, Play, Name), "double, redouble, reredouble or a pass; the lead ends it",
            default_act=lambda state: Pass(by=state.turn[0]), to_do="speak", verb_required=(Name,),
            tries=(try_pass, next_raise),
        ),
        "play": Phase(
            "play", (Play, Call), "a card", to_do="play", one_card=True, tries=(try_each_card,),
            apply_batch=plays_beyond_doubt
        ),
    },
    on={**TRICKS, Name: on_name, Pass: on_pass, Call: on_call, Play: on_play, Gap: after_gap("doubling")},
    tally=Tally, compute_tally=tally, score=score, after=first_to_target, match=MatchRules(hand_points="counted"),
    sheet=we_they({"trumps": contract}, {"{} counted": counted_or_not, "{} ±": gained, "{}": running_total}),
    omissions=Omissions(
        unwritten=unwritten,
        always_written=dict.fromkeys(
            ("calls of double", "calls of redouble", "calls of reredouble"),
            "they multiply the points of the hand, and nothing else shows them",
        ),
        missing=missing,
    ),
    shorthand=Shorthand(led=suit_led),
    display=Display(
        headline=headline, last_outcome_text=just_taken,
        contract=lambda state: in_words(state.hand.strain, state.hand.multiplier),
    ),
    simulation=Simulation(weigh=weigh, most_hands=150),
)  # fmt: skip
