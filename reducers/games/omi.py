"""Omi: four players in partnerships take tricks with trumps that are named on the first four cards; ten points win."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.model import Deal, Move, Name, Play
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, SUITS, UNOBSERVABLE, WHO_DEALS, Catalogue, DealSpec, Game, Dealing,
    MatchRules, Judging, Omissions, Shorthand, Display, HandScore, ScoreLine, Phase, Points, Standing, State,
    TallyFacts, Terms, choice, contract, counts_nothing, deal_passes_on, deals_next, try_each_card, figure, gained,
    hand_score, apply_reported_facts, pack, partnerships, ranking, ensure_dealt, result_text, rule, shuffle_and_deal,
    summary_of, figure_of_line, running_total, we_they, HouseRules, add_points, plus,
)  # fmt: skip
from reducers.words.act_batches import plays_in_order
from reducers.words.trick_play import (
    trick_counts, tricks_of_each, first_lead, just_taken, must_follow_suit, trick_winners_as_ruled, one_card_in_turn,
    sign_of_trumps, suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.trumps_named_mid_deal import (
    NAMED_MID_DEAL, NAMING, PARTS, SECOND, TrumpHand, in_two_parts, name_trumps_first, named_between_the_parts,
    named_by_the_first_seat, second_deal_is_due, trump_named, trumps_are_named_first, unwritten_part,
)  # fmt: skip

# Setup
RANKS = "A K Q J 10 9 8 7"
PACK, PLAIN = pack(RANKS), ranking(RANKS)
DEAL = DealSpec(each=8, stages=((NAMING, 4), (SECOND, 4)))
# Points for all eight tricks, and for most of them: of the dealer's side, and of the side that named trumps.
ALL, DEALERS, DECLARERS = 3, 2, 1


class Options(HouseRules, frozen=True):
    """House rules of Omi."""

    target: Annotated[int, Meta(ge=1, le=99, description="points that win the match")] = 10
    tie_extra: Annotated[
        Literal["single", "accumulate"],
        Meta(description="after several ties in a row one extra point rides on the next hand, or one for each"),
    ] = "single"


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "omi",
    rule("R1", SETUP, CONSEQUENCE, "Of the 32 cards, seven to ace, each seat is dealt four, and four more once trumps "
         "are named.", "the deal", {Deal: in_two_parts}),
    rule("R2", SETUP, DUTY, "The dealer's left names a suit as trumps, once; it need not hold any of it.",
         "name trumps", {Name: named_by_the_first_seat, Play: trumps_are_named_first}),
    rule("R3", SETUP, DUTY, "Trumps are named on the first four cards, before the others are dealt.",
         "trumps before the second deal", {Name: named_between_the_parts}),
    rule("R4", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: first_lead}),
    rule("R5", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R6", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R7", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R8", PLAY, CONSEQUENCE, "All eight tricks are played.", "eight tricks"),
    rule("R9", PLAY, CONSEQUENCE, "All eight tricks count three; five to seven count two for the dealer's side and one "
         "for the other.", "points"),
    rule("R10", PLAY, CONSEQUENCE, "Four tricks each score nothing, and the winner of the next hand gets one more "
         "point.", "a tie"),
    rule("R11", PLAY, DUTY, "The deal passes to the left after every hand.", "the deal passes",
         {HandEvent: deal_passes_on}),
    rule("R12", PLAY, CONSEQUENCE, "The first side with ten points wins the match.", "the match"),
    rule("R13", SETUP, UNOBSERVABLE, "No player may give advice on trumps. A whisper is not in a record, so a table "
         "that heard one writes a remark."),
)  # fmt: skip

READINGS = {
    "Two ties in a row": "leave one extra point in all: option tie_extra=accumulate gives one for each",
    "Does the extra point go with all eight tricks too?": "yes, that makes four",
    "All eight tricks taken by the dealer's side": "count three, as for the others",
    "Whose side is the declarer's?": "that of the dealer's left, so always the dealer's opponents",
    "An extra point when the match is over": "lapses: the next match begins without it",
    "How do the cards rank?": "from the ace down to the seven; the text only implies it",
    "A score above the target": "stands as it is, though there are only ten tokens a side",
    "A lead by the partner of who named trumps": "is out of turn: the declarer leads in person",
    "A hand that does not count": "leaves an extra point as it was; a misdeal is dealt again by the same dealer",
}
WORDS = {
    "revoke": "fault: the table saw that a seat had not followed suit, and went on",
    "advice": "fault: the table heard advice on trumps",
}


TIED = "tied"
"""The result of a hand that no side won, after which a point rides on the next."""


class Riding(Standing, frozen=True):
    """The match so far, with the extra points for the winner of the next hand; None if unknown."""

    extra: int | None = 0


def with_the_extra(points: int, before: Standing) -> tuple[int | None, str]:
    """The points of a hand's winner with the extra ones, and the words for these.

    >>> with_the_extra(2, Riding(totals={}, extra=1)), with_the_extra(1, Riding(totals={}))
    ((3, ' + 1 from the tie'), (1, ''))
    """
    extra = getattr(before, "extra", 0)
    return plus(points, extra), f" + {extra} from the tie{'s' * (extra > 1)}" if extra else ""


def extra_in_words(standing: Standing) -> dict[str, str]:
    """The points that ride on the hand in play, for the headline."""
    extra = getattr(standing, "extra", 0)
    return {"rides on it": "?" if extra is None else str(extra)} if extra != 0 else {}


# Scoring
class Tally(TallyFacts):
    """What a hand of Omi is scored from."""

    tricks: Points = trick_counts("side", DEAL.each, "R8", one_by_one=True)
    trump: str = choice("suit that was trumps", *SUITS, rule="R2")


def tally(state: State[TrumpHand]) -> Tally:
    return apply_reported_facts(Tally(tricks_of_each(state), state.hand.trump), state)


def worth(tricks: int, dealers: bool) -> tuple[int, str]:
    """Points of the side with more tricks, for n tricks, and the words for them.

    >>> [worth(n, dealers)[0] for n in (5, 7, 8) for dealers in (True, False)]
    [2, 1, 2, 1, 3, 3]
    """
    if tricks == DEAL.each:
        return ALL, f"all eight tricks: {ALL}"
    points = DEALERS if dealers else DECLARERS
    return points, f"{tricks} tricks as {'dealers' if dealers else 'declarers'}: {points}"


def score(state: State[TrumpHand]) -> HandScore:
    t, side_of, dealer = tally(state), state.terms.side_of, state.dealer
    trumps = GLYPHS.get(t.trump, "")
    nobody: Points = dict.fromkeys(state.terms.sides, 0)
    known = {side: n for side, n in t.tricks.items() if n is not None}
    if nothing := counts_nothing(state, t.void, contract=trumps, unfinished=len(known) < len(nobody)):
        return nothing
    line = ScoreLine("tricks", t.tricks)
    if len(known) < len(nobody):
        unseen: Points = dict.fromkeys(nobody)
        return hand_score(state, unseen, (line,), contract=trumps, unknown=["who took how many tricks"])
    ahead = max(known, key=lambda side: known[side])
    if known[ahead] * 2 == DEAL.each:
        return hand_score(state, nobody, (line,), contract=trumps, result=TIED)
    if state.dealer_is_guess and known[ahead] < DEAL.each:
        return hand_score(state, {**nobody, ahead: None}, (line,), contract=trumps, unknown=[WHO_DEALS])
    points, said = worth(known[ahead], side_of[dealer] == ahead)
    got, more = with_the_extra(points, state.before)
    told = f"{said}{more} = {got}" if more else said
    missing = ["whether an extra point rode on the hand"] if got is None else []
    lines = (line, ScoreLine("points", {**nobody, ahead: got}, {ahead: told}))
    won = f"{state.terms.name(ahead)} {figure(known[ahead])}–{figure(DEAL.each - known[ahead])}"
    return hand_score(state, {**nobody, ahead: got}, lines, contract=trumps, result=won, unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Riding:
    """Add a hand to the standing. A tie adds a point for the next winner, who takes it. The first side at the target
    has won; only one side scores in a hand."""
    assert isinstance(before, Riding)
    extra: int | None = 0
    if hand.result == TIED:
        extra = plus(before.extra, 1)
        extra = extra if terms.options.tie_extra == "accumulate" or extra is None else min(extra, 1)
    elif not any(n != 0 for n in hand.points.values()):
        extra = before.extra
    elif all(n is None for n in hand.points.values()):
        extra = None
    totals = add_points(before.totals, hand.points)
    at_target = [side for side, n in totals.items() if n is not None and n >= terms.options.target]
    winner = before.winner or next(iter(at_target), "")
    return replace(before, totals=totals, hands=before.hands + 1, extra=extra, winner=winner, over=bool(winner))


GAME = Game(
    key="omi", name="Omi", family="tricks", summary=summary_of(__doc__),
    seating=partnerships(), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        chance_acts_first=second_deal_is_due,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(name_trumps_first, lambda state: TrumpHand(state, PLAIN)),
    phases={
        **PARTS,
        "play": Phase(
            "play", (Play, Name), "a card", to_do="play", one_card=True, verb_required=(Name,), tries=(try_each_card,),
            apply_batch=plays_in_order,
        ),
    },
    on=NAMED_MID_DEAL,
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(new_match=lambda terms: Riding(totals=dict.fromkeys(terms.sides, 0))),
    sheet=we_they(
        {"trumps": contract, "result": result_text},
        {"{} took": figure_of_line("tricks"), "{} ±": gained, "{}": running_total},
    ),
    judging=Judging(transfer=lambda state, facts: trick_winners_as_ruled(facts, state.hand.trick.won, state)),
    omissions=Omissions(unwritten=unwritten_part),
    shorthand=Shorthand(led=suit_led),
    display=Display(
        headline=lambda state: {**trump_named(state), **extra_in_words(state.before)}, last_outcome_text=just_taken,
        contract=sign_of_trumps,
    ),
)  # fmt: skip
