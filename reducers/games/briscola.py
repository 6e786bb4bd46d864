"""Briscola: two to four players take tricks for the cards in them, drawing after each; there is no duty to follow
suit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from events.model import Call, Deal, Draw, Event, Fault, Move, Play
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, UNOBSERVABLE, Catalogue, CheckResult, DealSpec, Game, Dealing,
    Omissions, Shorthand, Display, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, Terms, as_many_as_dealt,
    bounded, broken, choice, contract, counts, HouseRules, counts_nothing, deal_passes_on, deals_next, try_each_card,
    gained, hand_score, highest_after, ledger, apply_reported_facts, pack, partnerships, ranking, ensure_dealt, rule,
    seatings, shuffle_and_deal, singles, summary_of, running_total, turned_up, unknown,
)  # fmt: skip
from reducers.words.card_points import CardPoints
from reducers.words.stock_tricks import (
    STOCK_TRICKS, StockHand, try_draws, draw_in_turn, leads_or_draws, default_stock_draw, play_with_a_stock,
    unwritten_draws, upcard_is_drawn_last, winner_leads_after_drawing,
)  # fmt: skip
from reducers.words.trick_play import (
    dealers_next_leads_first, just_taken, one_card_in_turn, sign_of_trumps, winner_gathers,
)  # fmt: skip

# Setup
SEATS = seatings(singles(2, 3), partnerships())
RANKS = "A 3 K Q J 7 6 5 4 2"
PACK = pack(RANKS)
WITHOUT = {two: pack(RANKS, minus=two) for two in ("2c", "2d", "2h", "2s")}
DEAL = DealSpec(each=3, then=(turned_up("upcard"),), rest="stock")

# Card ranking, and what the cards count
RANKED = ranking(RANKS)
VALUES = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
COUNTS = {cards: CardPoints(cards, VALUES) for cards in (PACK, *WITHOUT.values())}
ALL = 120


class Options(HouseRules, frozen=True):
    """House rules of Briscola."""

    removed_two: Annotated[
        Literal["2c", "2d", "2h", "2s"], Meta(description="the two removed from the pack with three players")
    ] = "2c"


SETUP, RANKING, PLAY, MATCH = "Setup", "Card ranking", "Game play", "Scoring"
RULES = Catalogue(
    "briscola",
    rule("R1", SETUP, CONSEQUENCE, "The pack has forty cards, without eights, nines and tens; with three players one "
         "of the twos is removed too.", "the pack"),
    rule("R2", SETUP, CONSEQUENCE, "Each seat is dealt three cards and the next is turned up; the rest is the stock.",
         "the deal", {Deal: as_many_as_dealt}),
    rule("R3", PLAY, DUTY, "The dealer's left leads to the first trick.",
         "first lead", {Play: dealers_next_leads_first}),
    rule("R4", PLAY, RIGHT, "Any card of the hand may be played: there is no duty to follow suit, to trump or to win.",
         "any card"),
    rule("R5", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R6", PLAY, DUTY, "After a trick each seat draws one card, the winner first and then clockwise, before the "
         "next lead.", "draw in turn", {Draw: draw_in_turn}),
    rule("R7", PLAY, DUTY, "The winner of a trick leads to the next, after all players have drawn.",
         "lead", {Play: winner_leads_after_drawing}),
    rule("R8", PLAY, DUTY, "The upcard is drawn last of all.", "upcard last", {Draw: upcard_is_drawn_last}),
    rule("R9", PLAY, RIGHT, "Once the stock is out, and before the next lead, each of four players may look at the "
         "partner's three cards; no card changes hands.", "look at the partner's hand"),
    rule("R10", PLAY, CONSEQUENCE, "Each player has three cards at each lead until the stock is out; three tricks are "
         "left then.", "three cards"),
    rule("R11", PLAY, DUTY, "The players play one card each to a trick, clockwise.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R12", MATCH, CONSEQUENCE, "An ace counts 11, a three 10, a king 4, a queen 3, a jack 2, the rest nothing: "
         "120 in a hand.", "120 points"),
    rule("R13", MATCH, CONSEQUENCE, "Two hands are played, or three with three players; the highest total wins.",
         "the match"),
    rule("R14", MATCH, CONSEQUENCE, "Those who are level at the top play another hand, until one is ahead.", "a tie"),
    rule("R15", MATCH, DUTY, "The deal passes to the left.", "the deal passes", {HandEvent: deal_passes_on}),
    rule("R16", SETUP, UNOBSERVABLE, "Partners agree to play together, or the two higher of four cards drawn do: that "
         "is before the match, and its record has the seats."),
)  # fmt: skip

READINGS = {
    "Which two is removed with three players?": "the two of clubs, unless agreed otherwise: option removed_two",
    "Must the draws be recorded?": "no: they follow from the tricks. A lead shows that all players have drawn; if a "
    "table records draws, a missing one leaves open whether the lead came too early",
    "How is the look at the partner's hand recorded?": "as `call look` by the player who looks; the cards seen are "
    "not recorded",
    "Who plays another hand after a tie?": "all, so that the cards come out even; only those who were level can win it",
    "What counts in that hand?": "its own points: the totals of those who play it off were level",
    "Who deals it?": "the deal goes on to the left; the text sets no limit to such hands",
    "Is a match over once one hand decides it?": "no, all its hands are played",
    "Exchanging a low trump for the upcard": "is not in this text, and breaks the rule about the upcard",
}
WORDS = {
    "look": "call: look at the partner's three cards; fault: the table does not let a player look",
    "revoke": "fault: the table says that a card was not allowed",
}


def hands_of(terms: Terms) -> int:
    """Number of hands of a match: two players and partnerships play two; of three each deals one."""
    return 3 if len(terms.seats) == 3 else 2


class Hand(StockHand):
    """The record of one hand of Briscola, with the seats that have looked at their partner's cards."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, RANKED)
        self.looked: set[str] = set()


# Game play
@RULES.check("R4", Fault)
def every_card_was_allowed(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("any card may be played, whatever was led") if fault.word == "revoke" else None


def may_not_look(state: State[Hand]) -> CheckResult | None:
    """The verdict on looking at the partner's hand now; None if it is legal."""
    hand = state.hand
    if len(state.terms.seats) != 4:
        return broken("only partners look at each other's hands, and here each player plays alone")
    if hand.trick.lost:
        return unknown("whether the stock was out: acts are missing from the record")
    # At a table that writes no draws, the look shows that the last cards were drawn.
    last_draws = state.phase == "draw" and len(hand.trick.won) == hand.trick.total - DEAL.each and bool(hand.written)
    if last_draws and hand.unwritten:
        return unknown("whether the last cards had been drawn")
    if last_draws or len(hand.trick.won) < hand.trick.total - DEAL.each:
        return broken("the stock is not out yet")
    if hand.trick.plays or len(hand.trick.won) > hand.trick.total - DEAL.each:
        return broken("the look comes before the last three tricks, and they have begun")
    return None


@RULES.check("R9", Call)
def partners_look_when_the_stock_is_out(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "look":
        return None
    partners = state.terms.sides[state.terms.side_of[call.by]]
    if call.who and (call.who == call.by or call.who not in partners):
        return broken(f"{call.who} is not the partner of {call.by}")
    return may_not_look(state)


@RULES.check("R9", Fault)
def nobody_is_kept_from_looking(fault: Fault, state: State[Hand]) -> CheckResult | None:
    if fault.word != "look":
        return None
    why = may_not_look(state)
    if why is None:
        return broken("the stock is out, so partners may look at each other's hands")
    return why if why.verdict == "open" else None


def on_look(call: Call, state: State[Hand]) -> None:
    if call.word == "look":
        state.hand.looked.add(call.by)


def looks(seat: str, state: State[Hand]) -> Iterator[Event]:
    if len(state.terms.seats) == 4 and seat not in state.hand.looked:
        yield Call(by=seat, word="look")


# Scoring
class Tally(TallyFacts):
    """What a hand of Briscola is scored from."""

    points: Points = bounded(lambda state: COUNTS[state.game.pack].at_least(state), counts(
        "what the cards of a side count", of=ALL, rule="R12", asks="how many points each side has",
        ruling="points that a side gets, or gives with a minus",
    ))  # fmt: skip
    trump: str = choice("suit that was trumps", *SUITS)

    laws = (Law(("points",), lambda known, state: COUNTS[state.game.pack].not_made(known, state), "R12"),)


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    whole = len(hand.trick.won) == hand.trick.total and not hand.trick.lost
    points = COUNTS[state.game.pack].taken(state) if whole else dict.fromkeys(state.terms.sides)
    return apply_reported_facts(Tally(points, hand.trump), state)


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    trumps = GLYPHS.get(t.trump, "")
    missing = ["how many points each side has"] if None in t.points.values() else []
    sums = COUNTS[state.game.pack].counted_out(state) if not state.tallies and None not in t.points.values() else {}
    line = ScoreLine("points", t.points, sums)
    nothing = counts_nothing(state, t.void, contract=trumps)
    return nothing or hand_score(state, t.points, (line,), contract=trumps, unknown=missing)


GAME = Game(
    key="briscola", name="Briscola", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        packs=lambda terms: WITHOUT[terms.options.removed_two] if len(terms.seats) == 3 else PACK,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(play_with_a_stock, Hand),
    phases={
        "play": Phase(
            "play", (Play, Draw, Call), "a card", to_do="play", one_card=True, verb_required=(Draw, Call),
            tries=(try_each_card, looks), ignores_holdings=True,
        ),
        "draw": Phase(
            "drawing", (Draw, Play, Call), "a card drawn (.), or straight the next lead",
            default_act=default_stock_draw,
            to_do="draw",
            one_card=True, verb_required=(Draw, Call), tries=(try_draws,), ignores_holdings=True,
        ),
    },
    on={**STOCK_TRICKS, Call: on_look},
    tally=Tally, compute_tally=tally, score=score, after=highest_after(hands_of),
    sheet=ledger({"trumps": contract}, {"{}": gained, "in all": running_total}),
    omissions=Omissions(unwritten=unwritten_draws, often_omitted_rules=frozenset({"R6"})),
    shorthand=Shorthand(implied_actor=leads_or_draws),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump else {}, last_outcome_text=just_taken,
        contract=sign_of_trumps,
    ),
)  # fmt: skip
