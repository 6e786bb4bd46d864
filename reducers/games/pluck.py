"""Pluck: three players take tricks, each with a quota; what one is over counts, and plucks the best cards of those
who were short; twenty points win."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta

from events.model import Deal, Event, Fault, Move, Name, Play
from events.model import Hand as HandEvent
from reducers.page import (
    CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUIT_NAMES, SUITS, WHO_DEALS, Catalogue, CheckResult, DealSpec, Game, Dealing,
    MatchRules, Judging, Omissions, Shorthand, Display, Simulation, HandScore, ScoreLine, Phase, Points, Standing,
    State, TallyFacts, Terms, as_many_as_dealt, broken, choice, contract, counts_nothing, deal_passes_on, deals_next,
    try_each_card, figure, gained, hand_score, highest_at_target, HouseRules, ledger, try_naming, apply_reported_facts,
    pack, ranking, ensure_dealt, rule, shuffle_and_deal, singles, summary_of, figure_of_line, running_total, unknown,
)  # fmt: skip
from reducers.words.breaking import breaks_trumps, no_trump_is_led_too_early
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.plucks import (
    BEFORE_TRUMPS, NAMING, PAYING, PLUCKS, Plucks, as_often_as_over, every_pluck_is_made, next_plucking_step,
    no_joker_is_passed, on_pluck, one_card_is_paid_back_at_once, paid_back_before_trumps, pay_back_unseen,
    plucked_or_paid_back, plucks_come_before_trumps, plucks_in_words, the_higher_quota_plucks_first,
    the_highest_comes_back, the_next_unseen, tries_to_pay_back, tries_to_pluck, who_plucks_or_names,
)  # fmt: skip
from reducers.words.quotas import Quoted, nobody_is_over, over_and_short, over_is_kept, quotas_of
from reducers.words.trick_play import (
    trick_counts, tricks_of_each, TRICKS, TrickHand, any_card_without_the_suit, first_lead, just_taken, lay_out_tricks,
    is_led, must_follow_suit, trick_winners_as_ruled, on_card, one_card_in_turn, sign_of_trumps, strengths,
    strengths_before_trumps, suit_led, winner_gathers,
)  # fmt: skip

# Setup: the two of clubs is in the pack so that it can be dealt evenly.
RANKS = "A K Q J 10 9 8 7 6 5 4 3"
PACK, PLAIN = pack(RANKS, plus="2c", jokers=2, told_apart=True), ranking(f"{RANKS} 2")
DEAL = DealSpec(each=17)
# Quotas of the dealer, the dealer's left and the dealer's right.
QUOTAS = (7, 6, 4)
OPENING = "2c"
# All trumps in order, the big and the little joker first.
TRUMPS = {suit: ("Jo+", "Jo-", *(card for r in PLAIN.ranks if (card := r + suit) in PACK)) for suit in SUITS}


class Options(HouseRules, frozen=True):
    """House rules of Pluck."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 20
    pluck_optional: Annotated[bool, Meta(description="plucks not made before trumps are named lapse")] = True
    pluck_order: Annotated[
        Literal["free", "higher_quota"], Meta(description="if two may pluck, in any order, or the higher quota first")
    ] = "free"
    forced_trump_lead_breaks: Annotated[
        bool, Meta(description="a trump led from a hand with only trumps breaks trumps")
    ] = True


SETUP, PLAY, PLUCKING, SCORING = "Setup", "Play of the hand", "Plucks", "Scoring"
RULES = Catalogue(
    "pluck",
    rule("R1", SETUP, CONSEQUENCE, "All 51 cards are dealt, seventeen to each seat: ace to three of every suit, the "
         "two of clubs and two jokers.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", PLUCKING, DUTY, "Cards are plucked from the second hand of a match on, after the deal and before trumps "
         "are named.", "when to pluck", {Move: plucks_come_before_trumps}),
    rule("R3", PLUCKING, DUTY, "A seat plucks once for each trick that it was over its quota in the last hand, from "
         "seats that were short, and from each once for every trick that was missing.",
         "how often to pluck", {Move: as_often_as_over, Name: every_pluck_is_made}),
    rule("R4", PLUCKING, DUTY, "A joker is neither passed nor paid back.", "no joker", {Move: no_joker_is_passed}),
    rule("R5", PLUCKING, DUTY, "The highest card of the suit that was passed comes back, be it that card itself.",
         "pay back the highest", {Move: the_highest_comes_back}),
    rule("R6", PLUCKING, DUTY, "One card is passed, and one comes back before anything else happens.",
         "pay back at once", {Move: one_card_is_paid_back_at_once, (Name, Play): paid_back_before_trumps}),
    rule("R7", PLAY, DUTY, "The dealer names one of the four suits as trumps, once, before the first lead.",
         "name trumps"),
    rule("R8", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick, and the winner of a trick leads "
         "to the next.", "play in turn", {Play: one_card_in_turn}),
    rule("R9", PLAY, DUTY, "Whoever holds the two of clubs leads it to the first trick.", "the two of clubs leads"),
    rule("R10", PLAY, DUTY, "A seat that holds the suit led plays it; the jokers are trumps.",
         "follow suit", {Play: must_follow_suit}),
    rule("R11", PLAY, DUTY, "No trump is led before trumps are broken, unless the leader holds only trumps.",
         "no trump lead before they are broken", {Play: no_trump_is_led_too_early}),
    rule("R12", PLAY, CONSEQUENCE, "The first trump played by a seat that cannot follow suit breaks trumps; if clubs "
         "are trumps, they are broken from the first trick on.", "trumps are broken"),
    rule("R13", PLAY, RIGHT, "A seat that cannot follow may play any card, and there is no duty to beat another.",
         "any card", {Fault: any_card_without_the_suit}),
    rule("R14", PLAY, CONSEQUENCE, "The highest trump wins the trick, the big joker before the little one and the ace; "
         "without a trump, the highest card of the suit led.", "who wins", {Move: winner_gathers}),
    rule("R15", SCORING, CONSEQUENCE, "Of the seventeen tricks the dealer must take seven, the dealer's left six, "
         "the dealer's right four; each one more scores a point, and a seat that is short loses nothing.", "points"),
    rule("R16", SCORING, DUTY, "The deal passes to the left after every hand.", "the deal passes",
         {HandEvent: deal_passes_on}),
    rule("R17", SCORING, CONSEQUENCE, "Somebody with twenty points ends the match, and the highest total wins it.",
         "the match"),
)  # fmt: skip

READINGS = {
    "Do the jokers follow a trump lead?": "yes: they are trumps in everything; before the break none is led",
    "The joker if clubs are trumps": "is a club: a hand without another one plays it to the first trick",
    "Two who may pluck, or two to pluck from": "pluck in any order; with option pluck_order=higher_quota the higher "
    "quota of the hand goes first. Each pluck is paid back before the next",
    "Do plucks have to be made?": "no, what is left lapses when trumps are named; with option pluck_optional=no, yes",
    "May a card go back that was plucked before?": "yes, any card but a joker may be passed",
    "May the very card come back that was passed?": "yes, if it is the highest of its suit",
    "A hand with only trumps before they are broken": "leads one, and breaks them, unless option "
    "forced_trump_lead_breaks=no",
    "A trump played by a seat that could follow, or led too early": "does not break trumps",
    "Who deals first?": "that is not said; the table does",
    "Two who get to twenty in one hand": "the higher total wins; if it is level, the match goes on",
    "A hand that does not count": "leaves the plucks as the hand before it gave them; a misdeal is dealt again by the "
    "same dealer",
    "An unrecorded pluck": "is no breach; a card that can only be a payment shows it",
    "A revoke": "has no price in this text",
}
WORDS = {
    "revoke": "fault: the table saw that a seat had not followed suit, and went on",
}


class Hand(TrickHand):
    """State of one hand of Pluck: the trumps, the plucks, and whether trumps are broken (None if unknown)."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.trick.power, self.trick.blind = strengths_before_trumps(PACK, PLAIN, *TRUMPS.items()), True
        self.plucks = Plucks(state, PLAIN, lapse=state.terms.options.pluck_optional)
        self.trump = ""
        self.broken: bool | None = False


def start(state: State[Hand]) -> Hand:
    """Plucks come first, if there are any; then the dealer names trumps."""
    lay_out_tricks(state)
    state.hand = Hand(state)
    next_plucking_step(state)
    return state.hand


# Plucks
@RULES.check("R3", Move)
def in_the_order_of_the_table(move: Move, state: State[Hand]) -> CheckResult | None:
    if state.terms.options.pluck_order == "free" or state.dealer_is_guess:
        return None
    return the_higher_quota_plucks_first(move, quotas_of(state.dealer, QUOTAS, state.terms), state)


# Trumps
@RULES.check("R7", Name)
def the_dealer_names_trumps(name: Name, state: State[Hand]) -> CheckResult | None:
    if name.what not in SUITS:
        return broken("trumps are one of c, d, h, s")
    if gone_by(state):
        return unknown(GONE_BY)
    if state.hand.trump:
        return broken(f"{SUIT_NAMES[state.hand.trump]} were named already")
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if name.by != state.dealer:
        return broken(f"{state.dealer} deals and names trumps")
    return broken("trumps are named before the first lead") if is_led(state) else None


def on_name(name: Name, state: State[Hand]) -> None:
    """Name trumps; then the holder of the two of clubs leads it."""
    hand = state.hand
    if name.what in SUITS and not hand.trump and not is_led(state):
        hand.trump, hand.trick.blind = name.what, hand.trick.lost
        hand.trick.power = strengths(PACK, PLAIN, name.what, TRUMPS[name.what])
        hand.broken = name.what == PACK.suit_named[OPENING]
        if state.phase in BEFORE_TRUMPS:
            the_opening_is_led(state)


def the_opening_is_led(state: State[Hand]) -> None:
    """Give the lead to the seat known to hold the two of clubs, or to all seats if unknown."""
    card, seats = PACK.field[PACK.code[OPENING]], state.terms.seats
    state.phase = "play"
    state.turn = tuple(seat for seat in seats if state.holding(seat).certain & card) or seats


def on_move(move: Move, state: State[Hand]) -> None:
    """A pluck, or a trick that is gathered. Before the first lead the two of clubs may have changed hands."""
    on_pluck(move, state)
    if state.phase == "play" and not is_led(state):
        the_opening_is_led(state)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from a lead that the plucks were paid back and that trumps were named."""
    if not isinstance(act, Play) or state.phase not in ("play", *BEFORE_TRUMPS):
        return
    if state.hand.plucks.owed:
        pay_back_unseen(state)
    if state.phase in BEFORE_TRUMPS:
        state.infer("trumps were named before this; the suit was not recorded")
        state.hand.broken = None
        the_opening_is_led(state)


# Play of the hand
@RULES.check("R8", Play)
def the_winner_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    return first_lead(play, state) if state.hand.trick.won else None


@RULES.check("R9", Play)
def the_two_of_clubs_is_led(play: Play, state: State[Hand]) -> CheckResult | None:
    trick, card = state.hand.trick, PACK.field[PACK.code[OPENING]]
    if trick.plays or trick.won:
        return None
    if trick.lost:
        return unknown(GONE_BY)
    if play.cards[0] == OPENING:
        return None
    if PACK.may_be[state.code(play.cards)] & card:
        return unknown("the card that was led was not seen")
    holder = next((seat for seat in state.terms.seats if state.holding(seat).any_of(card)), "")
    text = f"{holder or 'the holder'} leads the 2♣ to the first trick"
    return broken(text, card, holder) if holder else broken(text)


def on_play(play: Play, state: State[Hand]) -> None:
    """Play a card; the first trump of a seat that cannot follow breaks trumps."""
    if not state.acts or state.phase in BEFORE_TRUMPS or state.hand.plucks.owed:
        ensure_dealt(state)
        unwritten(state, play)
    if not state.hand.broken and state.phase == "play":
        state.hand.broken = breaks_trumps(play, state, forced=state.terms.options.forced_trump_lead_breaks)
    on_card(play, state)


# Scoring
class Tally(TallyFacts):
    """What a hand of Pluck is scored from."""

    tricks: Points = trick_counts("player", DEAL.each, "R15", one_by_one=True)
    trump: str = choice("suit that was trumps", *SUITS, rule="R7")


def tally(state: State[Hand]) -> Tally:
    return apply_reported_facts(Tally(tricks_of_each(state), state.hand.trump), state)


def score(state: State[Hand]) -> HandScore:
    t, terms = tally(state), state.terms
    trumps, untold = GLYPHS.get(t.trump, ""), None in t.tricks.values()
    if nothing := counts_nothing(state, t.void, contract=trumps, unfinished=untold):
        return nothing
    unseen: Points = dict.fromkeys(terms.seats)
    missing = ["who took how many tricks"] if untold else []
    if state.dealer_is_guess:
        lines = (ScoreLine("tricks", t.tricks), ScoreLine("over", unseen))
        return hand_score(state, unseen, lines, contract=trumps, unknown=[*missing, WHO_DEALS])
    over = over_and_short(t.tricks, quotas_of(state.dealer, QUOTAS, terms))
    points: Points = {seat: None if n is None else max(0, n) for seat, n in over.amounts.items()}
    told = " ".join(f"{terms.name(seat)} {figure(n)}" for seat, n in t.tricks.items())
    return hand_score(
        state, points, (ScoreLine("tricks", t.tricks), over), contract=trumps, result=told, unknown=missing
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Quoted:
    """Add a hand to the standing. The highest total wins once one is at the target; tricks over a quota make plucks."""
    now = highest_at_target(before, hand, terms)
    assert isinstance(before, Quoted)
    assert isinstance(now, Quoted)
    return over_is_kept(before, now, hand)


# At the table
def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: most plucks are made before trumps are named."""
    return 0.5 if isinstance(event, Name) and state.phase == PLUCKS else 1.0


def headline(state: State[Hand]) -> dict[str, Any]:
    """The trumps for the headline; before they are named, the plucks that each player may make."""
    return {"trump": state.hand.trump} if state.hand.trump else plucks_in_words(state)


NAMES = try_naming(*SUITS)


def names_trumps(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Names of each suit. At a table that makes all plucks there are none before the first pluck."""
    if state.phase != PLUCKS or state.hand.plucks.lapse or state.hand.plucks.made:
        yield from NAMES(seat, state)


GAME = Game(
    key="pluck", name="Pluck", family="tricks", summary=summary_of(__doc__),
    seating=singles(3), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        PLUCKS: Phase(
            "plucks", (Name,), "a card to pluck with (A move x >B), or the trump suit: c, d, h or s",
            default_act=the_next_unseen, to_do="pluck or name trumps", bare=tuple(SUITS),
            tries=(tries_to_pluck, names_trumps),
        ),
        PAYING: Phase(
            "paying back", (Name,), "the highest card of the suit that was passed (x unseen)",
            default_act=the_next_unseen,
            to_do="pay back", bare=tuple(SUITS), verb_required=(Name,), tries=(tries_to_pay_back,),
        ),
        NAMING: Phase(
            "naming trumps", (Name,), "the trump suit: c, d, h or s", to_do="name trumps", bare=tuple(SUITS),
            tries=(names_trumps, tries_to_pluck),
        ),
        "play": Phase(
            "play", (Play, Name), "a card", to_do="play", one_card=True, verb_required=(Name,), tries=(try_each_card,),
        ),
    },
    on={**TRICKS, Move: on_move, Name: on_name, Play: on_play}, concludes_from_hands=True,
    tally=Tally, compute_tally=tally, score=score, after=after, match=MatchRules(new_match=nobody_is_over),
    sheet=ledger({"trumps": contract}, {"{} took": figure_of_line("tricks"), "{} ±": gained, "{}": running_total}),
    judging=Judging(transfer=lambda state, facts: trick_winners_as_ruled(facts, state.hand.trick.won, state)),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(expand=plucked_or_paid_back, implied_actor=who_plucks_or_names, led=suit_led),
    display=Display(headline=headline, last_outcome_text=just_taken, contract=sign_of_trumps),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
