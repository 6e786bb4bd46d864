"""Couillon: four players in partnerships, four tricks; a suit is offered for trumps, a trump may always be played, and
lines are erased from a slate."""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.model import Bid, Call, Deal, Event, Fault, Move, Name, Pass, Play, Show
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUIT_NAMES, SUITS, Catalogue, Cell, CheckResult, DealSpec, Game,
    Dealing, MatchRules, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, Standing,
    State, TallyFacts, Terms, try_pass, add_points, as_many_as_dealt, bounded, broken, try_calling, chalk, choice,
    counts_nothing, deal_passes_on, deals_next, try_each_card, figures, hand_score, ledger, try_naming, on_deal,
    on_show, apply_reported_facts, pack, partnerships, plus, ranking, ensure_dealt, rule, seat, HouseRules,
    shuffle_and_deal, summary_of, figure_of_line, running_total, turned_up, unasked, unknown,
)  # fmt: skip
from reducers.words import one_round
from reducers.words.auction import Auction
from reducers.words.card_points import CardPoints
from reducers.words.one_round import call_in_turn
from reducers.words.trick_play import (
    first_to_act, TRICKS, Tricks, card_denied, first_lead, just_taken, must_follow_suit_or_trump, one_card_in_turn,
    open_play, strengths, suit_led, winner_gathers,
)  # fmt: skip

# Setup
SEATS = partnerships("N E S W")
RANKS = "A K Q J 10 9 8 7"
PACK = pack(RANKS)
SHORT = pack(RANKS, minus=" ".join(f"{rank}{suit}" for rank in "87" for suit in SUITS))
DEAL = DealSpec(each=4, then=(turned_up("upcard"),), rest="stock")

# Card ranking, and what the cards count
PLAIN = ranking(RANKS)
COUNTS = {cards: CardPoints(cards, {"A": 4, "K": 3, "Q": 2, "J": 1}, tricks=DEAL.each) for cards in (PACK, SHORT)}
ALL = COUNTS[PACK].whole(tricks=0)
NOBODY = "none"


class Options(HouseRules, frozen=True):
    """House rules of Couillon."""

    lines: Annotated[int, Meta(ge=1, le=20, description="lines that each side must erase")] = 5
    deck: Annotated[Literal["32", "24"], Meta(description="cards of the pack: 24 are without eights and sevens")] = "32"
    double_penalty: Annotated[
        bool, Meta(description="after a tie, the side that accepted trumps and lost adds two marks")
    ] = False


SETUP, TRUMPS, PLAY, SCORING = "Setup", "Determining trumps", "Play of the hand", "Scoring"
RULES = Catalogue(
    "couillon",
    rule("R1", SETUP, DUTY, "Each seat is dealt four cards, and the next card of the stub is turned up; it goes to no "
         "hand.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", TRUMPS, DUTY, "From the dealer's left, each seat accepts or declines the turned-up suit as trumps, "
         "once, until one accepts.", "accept in turn", {(Call, Pass): call_in_turn}),
    rule("R3", TRUMPS, DUTY, "If all decline, the bottom card of the stub makes trumps. Nobody names a suit.",
         "no suit is named"),
    rule("R4", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: first_lead}),
    rule("R5", PLAY, RIGHT, "A trump may be played to any trick.", "trump anything"),
    rule("R6", PLAY, DUTY, "A seat that plays no trump plays the suit led if it has it.", "follow suit"),
    rule("R7", PLAY, RIGHT, "A seat without the suit led may play any card.", "any card"),
    rule("R8", PLAY, DUTY, "If trumps are led, a seat that holds a trump plays one.", "follow trumps"),
    rule("R9", PLAY, RIGHT, "There is no duty to trump, to overtrump or to beat a card.", "no duty to beat"),
    rule("R10", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R11", PLAY, CONSEQUENCE, "Four tricks are played.", "four tricks"),
    rule("R12", PLAY, DUTY, "The players play one card each to a trick, clockwise.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R13", SCORING, CONSEQUENCE, "An ace counts 4, a king 3, a queen 2, a jack 1. The side that has more wins the "
         "hand and erases a line.", "the hand"),
    rule("R14", SCORING, CONSEQUENCE, "A side that accepted trumps and lost marks a line, which takes one win more.",
         "the mark"),
    rule("R15", SCORING, CONSEQUENCE, "If both sides have the same, nothing is erased or marked, and the next decided "
         "hand counts double.", "a tie"),
    rule("R16", SCORING, DUTY, "The deal passes to the left.", "the deal passes", {HandEvent: deal_passes_on}),
    rule("R17", SCORING, CONSEQUENCE, "The side that has erased all its lines wins the match.", "all lines"),
)  # fmt: skip

READINGS = {
    "32 cards, or 24 with a stub of eight?": "32, as the pack is put together in plain words; option deck=24",
    "What do eights and sevens count?": "nothing, like tens and nines",
    "In which order do they speak?": "the dealer's left, the dealer's partner, the dealer's right, the dealer",
    "Who leads to the later tricks?": "the winner of the trick before",
    "The bottom card makes trumps": "then no seat has accepted them, and no side can add a mark",
    "Several ties in a row": "the next hand that is decided counts double, not more",
    "A double hand lost by those who accepted": "two strokes are erased, and one mark is added; option double_penalty",
    "A mark when every line has one": "still goes onto the last line; only the strokes count",
    "Playing a trump that is too low": "is allowed, as nothing forbids it",
    "Who wins the hand?": "the side with more points, not with more tricks",
    "Who pays for trumps that were accepted?": "the side that accepted them",
    "What does a claim say?": "the strokes that each side has still to erase, marks included",
}
WORDS = {
    "accept": "call: the suit turned up is trumps",
    "decline": "call: not this suit; the same as a pass",
    "revoke": "fault: the table says that a card was not allowed",
}


class Slate(Standing, frozen=True):
    """The strokes that each side has still to erase, and whether the next hand counts double; None if unknown."""

    double: bool | None = False


class Hand:
    """The record of one hand of Couillon.

    `accepted` is the seat that accepted trumps, `NOBODY` if the bottom card made them, empty if unknown.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.auction = Auction()
        self.accepted = self.trump = ""
        self.trick = Tricks(state, DEAL.each)
        self.trick.power = strengths(state.game.pack, PLAIN, "")
        self.trick.blind = True


# Determining trumps
def accepts(act: Event) -> bool:
    return isinstance(act, Call) and act.word == "accept"


def on_call(act: Call | Pass, state: State[Hand]) -> None:
    """Apply a call: the suit turned up is accepted or declined; after four declines the bottom card is turned up."""
    if isinstance(act, Call) and act.word not in ("accept", "decline"):
        return
    one_round.prepare_call(act.by, state)
    hand = state.hand
    if not accepts(act):
        hand.auction.passed(act.by)
        if not one_round.call_goes_on(state):
            state.phase, state.turn = "bottom", (state.dealer,)
    elif not hand.accepted:
        hand.auction.bid(Bid(by=act.by))
        hand.accepted = act.by
        see_trumps(state)
        open_play(state)


@RULES.check("R3", Name)
def nobody_names_a_suit(name: Name, state: State[Hand]) -> CheckResult | None:
    return broken("the turned-up suit is accepted or declined; no suit is named")


def see_trumps(state: State[Hand]) -> None:
    """Set trumps once the card that makes them is seen."""
    hand, made_by = state.hand, "stock" if state.hand.accepted == NOBODY else "upcard"
    pile = state.table.piles.get(made_by)
    if hand.accepted and not hand.trump and pile is not None and pile.row:
        trumps_are(state.game.pack.suit_of[pile.row[0]], state)


def trumps_are(suit: str, state: State[Hand]) -> None:
    if suit in SUITS:
        state.hand.trump, state.hand.trick.blind = suit, state.hand.trick.lost
        state.hand.trick.rank_by(strengths(state.game.pack, PLAIN, suit))


def on_dealt(deal: Deal, state: State[Hand]) -> None:
    on_deal(deal, state)
    see_trumps(state)


def on_shown(show: Show, state: State[Hand]) -> None:
    """Apply a show: the bottom of the stub makes trumps once all have declined, and shows that they have."""
    if show.src != "stock_" or not state.number or state.settled or state.hand.accepted not in ("", NOBODY):
        on_show(show, state)
        if state.number and not state.settled:
            see_trumps(state)
        return
    ensure_dealt(state)
    all_declined(state)
    code = state.code(show.groups[0])
    state.table.tell_order([code], state.table.row("stock"))
    trumps_are(state.game.pack.suit_of[code], state)
    open_play(state)


def all_declined(state: State[Hand]) -> None:
    """Infer that all have declined, as the bottom card is turned up."""
    silent = state.hand.auction.silent(one_round.calling_order(state)) if state.phase == "auction" else ()
    if silent:
        state.infer(f"{' and '.join(silent)} declined before this (not recorded)")
        state.hand.auction.skip(silent)
    state.hand.accepted = NOBODY


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from a lead that trumps have been made."""
    if not isinstance(act, Play) or state.phase not in ("auction", "bottom"):
        return
    if state.phase == "bottom":
        state.hand.accepted = NOBODY
        see_trumps(state)
        if not state.hand.trump:
            state.infer("the bottom card was turned up before this; the card was not recorded")
    else:
        state.infer("trumps were made before this; how was not recorded")
    open_play(state)


# Play of the hand
@RULES.check("R6", Play)
def follow_suit(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    return must_follow_suit_or_trump(play, state) if trick.plays and trick.led != (state.hand.trump or "-") else None


@RULES.check("R8", Play)
def follow_trumps(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    return must_follow_suit_or_trump(play, state) if trick.plays and trick.led == state.hand.trump else None


def right_used(fault: Fault, state: State[Hand]) -> str:
    """The rule that allowed the last card, if a fault denies it: R7 if its seat had none of the suit led."""
    denied = card_denied(fault, state) if fault.word == "revoke" and state.number and state.hand.trump else None
    if denied is None or not denied.led:
        return ""
    suit = state.game.pack.suit_of[denied.code]
    return "R9" if suit == denied.led else "R5" if suit == state.hand.trump else "R7"


@RULES.check("R5", Fault)
def a_trump_may_always_be_played(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("a trump may be played to any trick") if right_used(fault, state) == "R5" else None


@RULES.check("R7", Fault)
def without_the_suit_any_card_is_free(fault: Fault, state: State[Hand]) -> CheckResult | None:
    denied = card_denied(fault, state)
    if denied is None or right_used(fault, state) != "R7":
        return None
    follows = state.holding(denied.seat).any_of(state.game.pack.suit[denied.led])
    if follows is None:
        return unknown(f"whether {denied.seat} held {SUIT_NAMES[denied.led]}", state.holding(denied.seat))
    return None if follows else broken("the seat had no card of the suit led")


@RULES.check("R9", Fault)
def nobody_has_to_beat(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("the card followed suit, and there is no duty to beat "
                  "another") if right_used(fault, state) == "R9" else None


# Scoring
class Tally(TallyFacts):
    """What a hand of Couillon is scored from."""

    declarer: str = seat(
        f"seat that accepted trumps; {NOBODY} if the bottom card made them", NOBODY, asks="who accepted trumps"
    )
    points: Points = bounded(lambda state: COUNTS[state.game.pack].at_least(state), figures(
        f"what a side's cards count, 0 to {ALL}", 0, ALL, rule="R13",
    ))  # fmt: skip
    trump: str = unasked(choice("suit that was trumps", *SUITS))

    laws = (Law(("points",), lambda known, state: COUNTS[state.game.pack].not_made(known, state), "R13"),)


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    whole = len(hand.trick.won) == DEAL.each and not hand.trick.lost
    points = COUNTS[state.game.pack].taken(state) if whole else dict.fromkeys(state.terms.sides)
    return apply_reported_facts(Tally(hand.accepted, points, hand.trump), state)


def strokes(t: Tally, before: Slate, terms: Terms) -> tuple[Points, Points]:
    """The strokes that each side erases and marks, in a hand with known points."""
    erased, marked = dict.fromkeys(terms.sides, 0), dict.fromkeys(terms.sides, 0)
    winner, loser = sorted(terms.sides, key=lambda who: -(t.points[who] or 0))
    if t.points[winner] == t.points[loser]:
        return {**erased}, {**marked}
    once = before.totals[winner] == 1
    off: Points = {**erased, winner: 1 if once else None if before.double is None else 1 + before.double}
    on: Points = {**marked}
    if not t.declarer:
        on[loser] = None
    elif terms.side_of.get(t.declarer) == loser:
        twice = before.double if terms.options.double_penalty else False
        on[loser] = None if twice is None else 1 + twice
    return off, on


def in_words(trump: str, declarer: str | None, state: State[Hand]) -> str:
    """The trumps, and who accepted them, in words."""
    said = "" if not declarer else "bottom card" if declarer == NOBODY else state.terms.name(declarer)
    return f"{GLYPHS.get(trump, '')} {said}".strip()


def trumps(s: HandScore, state: State[Hand]) -> Cell:
    """The trumps of a hand."""
    suit = s.contract[:1]
    return Cell(suit if suit in GLYPHS.values() else "–")


def score(state: State[Hand]) -> HandScore:
    """The score of the hand in play by what was recorded: the strokes erased and marked."""
    t, terms, before = tally(state), state.terms, state.before
    assert isinstance(before, Slate)
    named = in_words(t.trump, t.declarer, state)
    if nothing := counts_nothing(state, t.void, contract=named):
        return nothing
    points: Points = {who: t.points.get(who) for who in terms.sides}
    sums = COUNTS[state.game.pack].counted_out(state) if not state.tallies and None not in points.values() else {}
    lines, missing = [ScoreLine("points", points, sums)], [] if t.declarer else ["who accepted trumps"]
    if None in points.values():
        missing.append("what the cards of each side count")
        return hand_score(state, dict.fromkeys(terms.sides), lines, contract=named, unknown=missing)
    off, on = strokes(t, before, terms)
    for label, some in (("erased", off), ("marked", on)):
        lines.append(ScoreLine(label, {who: n for who, n in some.items() if n != 0}))
    change: Points = {who: plus(on[who], None if off[who] is None else -(off[who] or 0)) for who in terms.sides}
    tie = not any(n != 0 for n in off.values())
    if before.double is None and not tie:
        missing.append("whether the hand counts double")
    notes = ["a tie: the next hand that is decided counts double"] if tie else ["counts double"] * bool(before.double)
    missing = [] if tie else missing
    return hand_score(state, change, lines, contract=named, result="tie" if tie else "", notes=notes, unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Slate:
    """The standing: a side with nothing left to erase has won; a tie makes the next hand double."""
    assert isinstance(before, Slate)
    totals = add_points(before.totals, hand.points)
    winner = next((who for who, n in totals.items() if n == 0), "")
    tied = next((not any(n != 0 for n in line.amounts.values()) for line in hand.lines if line.label == "erased"), None)
    double = before.double if hand.source == "void" else tied
    return replace(before, totals=totals, over=bool(winner), winner=winner, hands=before.hands + 1, double=double)


# At the table
def turns_the_bottom(state: State[Hand], random: Random) -> list[Event]:
    """Chance events: the deal; and the bottom card, once all have declined."""
    if state.phase != "bottom":
        return shuffle_and_deal(state, random)
    row = state.table.row("stock").row or [state.game.pack.unknown]
    return [Show(by="@", groups=((state.game.pack.tokens[row[0]],),), src="stock_")]


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The meaning of a bare card after four declines: the bottom card that is turned up."""
    if state.phase == "bottom" and isinstance(event, Play | Show) and not event.src:
        cards = event.cards if isinstance(event, Play) else event.groups[0]
        return (Show(by="@", groups=(cards,), src="stock_"),)
    return (event,)


def weigh(state: State[Hand], event: Event) -> float:
    """Weights for the simulation: players with trumps accept them, and mostly follow suit."""
    trick = state.hand.trick
    if isinstance(event, Play):
        return 1.0 if not trick.plays or state.game.pack.suit_of[state.code(event.cards)] == trick.led else 0.3
    if not accepts(event):
        return 1.0
    upcard = state.table.piles.get("upcard")
    suit = state.game.pack.suit_of[upcard.row[-1]] if upcard is not None and upcard.row else ""
    return 0.15 + state.game.pack.count(state.holding(event.by).certain & state.game.pack.suit.get(suit, 0)) ** 2 / 8


GAME = Game(
    key="couillon", name="Couillon", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=turns_the_bottom,
        chance_acts_first=lambda state: state.phase == "bottom",
        packs=lambda terms: SHORT if terms.options.deck == "24" else PACK,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("auction"), Hand),
    phases={
        "auction": Phase(
            "accepting trumps", (Call, Pass, Name), "accept, or a pass",
            default_act=lambda state: Pass(by=state.turn[0]),
            to_do="accept or pass", bare=(), verb_required=(Name,),
            tries=(try_pass, try_calling("accept"), try_naming(*SUITS)),
        ),
        "bottom": Phase(
            "turning up the bottom card", (Call, Pass, Name), "the bottom card of the stub, which makes trumps",
            to_do="turn up the bottom card", bare=(), verb_required=(Name,),
        ),
        "play": Phase(
            "play", (Play, Name), "a card", to_do="play", one_card=True, bare=(), verb_required=(Name,),
            tries=(try_each_card, try_naming("nt")),
        ),
    },
    on={
        **TRICKS, Name: lambda name, state: ensure_dealt(state), Call: on_call, Pass: on_call, Deal: on_dealt,
        Show: on_shown,
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: Slate(dict.fromkeys(terms.sides, terms.options.lines)), hand_points="points",
        fewest_lead=lambda terms: True,
    ),
    sheet=chalk(
        lambda terms: terms.options.lines, erased="erased", marked="marked",
        hands=ledger(
            {
                "trumps": trumps,
                "made by": lambda s, state: Cell(s.contract.removeprefix(trumps(s, state).text).strip() or "–"),
            },
            {"{}": figure_of_line("points"), "left": running_total},
        ),
    ),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(expand=expand_shorthand, led=suit_led),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump else {}, last_outcome_text=just_taken,
        contract=lambda state: in_words(state.hand.trump, state.hand.accepted, state),
    ),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
