"""Turnover Bridge: two players take tricks out of columns that lie open, with spades as trumps; fourteen tricks win."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from msgspec import Meta

from events.model import Deal, Fault, Move, Play, Show
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, RIGHT, SUIT_NAMES, Catalogue, CheckResult, DealSpec, Game, Dealing, Shorthand,
    Display, HandScore, ScoreLine, Phase, Points, State, TallyFacts, as_many_as_dealt, broken, counts_nothing,
    deals_next, face_down, figure, finish_hand, hand_score, ledger, apply_reported_facts, pack, ranking, result_text,
    rule, singles, summary_of, figure_of_line, running_total, HouseRules, turned_up, GamesInMatch, Omissions,
)  # fmt: skip
from reducers.words import columns
from reducers.words.columns import (
    COLUMN_TRICKS, ColumnHand, below_is_meant, deal_or_turn_up, had_at_the_time,
    must_follow_with_what_lies_open, only_what_lies_open, reached_or_covered, ready_in_columns, to_be_turned_up,
    turned_up_at_once, has_card_to_turn, upper_cards, implied_column_actor,
)  # fmt: skip
from reducers.words.scores import most_hands_of
from reducers.words.trick_play import (
    first_to_act, trick_counts, card_denied, first_lead, just_taken, one_card_in_turn, owner, suit_led, who_led,
    winner_gathers,
)  # fmt: skip

# Setup
RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"
PACK, PLAIN, TRUMPS = pack(RANKS), ranking(RANKS), "s"
DEAL = DealSpec(each=2, then=(face_down(12, "col:*:1..12"), turned_up("col:*:1..12", 12)))
ALL, MOST = 26, 14
# The phase after a game is won, in which the table may play on.
WON = "won"


class Options(HouseRules, frozen=True):
    """House rules of Turnover Bridge."""

    play_out: Annotated[bool, Meta(description="all 26 tricks are played, though fourteen have won")] = False
    games: GamesInMatch = 1


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "turnover-bridge",
    rule("R1", SETUP, CONSEQUENCE, "Each player has twelve columns of a card face down with one face up on it, and two "
         "cards in hand.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", PLAY, DUTY, "The dealer's opponent leads to the first trick.", "first lead"),
    rule("R3", PLAY, DUTY, "Only cards in hand and open cards are played, never a covered one, one to a trick and in "
         "turn.", "only open cards", {Play: only_what_lies_open}),
    rule("R4", PLAY, DUTY, "Whoever has a card of the suit led, open or in hand, plays it.", "follow suit",
         {Play: must_follow_with_what_lies_open}),
    rule("R5", PLAY, RIGHT, "A player who has none plays any card that can be played.", "any card"),
    rule("R6", PLAY, RIGHT, "Any card that can be played may be led, spades at any time.", "any lead"),
    rule("R7", PLAY, CONSEQUENCE, "The higher spade wins the trick; without one, the higher card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R8", PLAY, DUTY, "The winner of a trick leads to the next.", "lead"),
    rule("R9", PLAY, DUTY, "The card below is turned up as soon as the one on it is played, and may be played from "
         "then on.", "turn up", {Show: turned_up_at_once}),
    rule("R10", PLAY, CONSEQUENCE, "Fourteen tricks win the game, and the play ends there; thirteen each are a tie.",
         "fourteen tricks"),
)  # fmt: skip

READINGS = {
    "When is the card below turned up?": "at once, so that the player who follows sees it before answering; the "
    "follower's own comes too late for that trick",
    "Does a covered card have to follow suit?": "no, nor may it be played",
    "The two cards in hand": "may be played at any time, and are not made up",
    "Play after fourteen tricks": "is allowed and changes nothing; option play_out=yes has all 26 tricks played",
    "Who deals the next game, and who the first?": "they deal in turn; who deals first is agreed before it",
    "Thirteen tricks each": "are a tie; nothing is played again for it",
    "Several games": "are won by the player who wins more of them; with equal wins there is no winner",
    "Looking at a covered card": "is not allowed: a record of what a player sees does not show the player's own ones "
    "either",
    "The order of the columns": "is of no importance; their numbers only tell them apart",
    "An unrecorded card below": "can still be played, and counts as one of those in hand",
}
WORDS = {
    "revoke": "fault: the table saw that a player had not followed suit, and went on",
}


# Game play
@RULES.check("R2", Play, when="play")
def the_other_leads_first(play: Play, state: State[ColumnHand]) -> CheckResult | None:
    return None if state.hand.trick.won else first_lead(play, state)


@RULES.check("R3", Play)
def one_card_each_in_turn(play: Play, state: State[ColumnHand]) -> CheckResult | None:
    return one_card_in_turn(play, state)


@RULES.check("R8", Play)
def the_winner_leads(play: Play, state: State[ColumnHand]) -> CheckResult | None:
    trick = state.hand.trick
    if not trick.won or trick.plays or state.phase != WON:
        return first_lead(play, state) if trick.won else None
    winners = trick.won[-1].winners
    wrong = None if play.by in winners else broken(f"{winners[0]} won the last trick and leads")
    return who_led(play.by, state) or wrong


@RULES.check("R5", Fault)
def without_the_suit_any_card_is_free(fault: Fault, state: State[ColumnHand]) -> CheckResult | None:
    denied = card_denied(fault, state) if fault.word == "revoke" else None
    if denied is None or not denied.before or (had := had_at_the_time(denied, state)) is None:
        return None
    suit = state.game.pack.suit[denied.led]
    if had & suit:
        return None
    return broken(f"{denied.seat} had no {SUIT_NAMES[denied.led]} to play, and any card was allowed")


@RULES.check("R6", Fault)
def any_card_may_be_led(fault: Fault, state: State[ColumnHand]) -> CheckResult | None:
    denied = card_denied(fault, state) if fault.word == "revoke" else None
    return None if denied is None or denied.before else broken("any card may be led, spades too")


def won_for_certain(state: State[ColumnHand]) -> Counter[str]:
    """Number of tricks that each player certainly has."""
    return Counter(owner(trick, state.terms.side_of) for trick in state.hand.trick.won)


def on_card(play: Play, state: State[ColumnHand]) -> None:
    """Play a card. The game is won with the fourteenth trick, unless all tricks are played out."""
    if state.phase == WON:
        state.played_on, state.turn = True, state.turn or state.hand.trick.won[-1].winners
    columns.on_card(play, state)
    trick = state.hand.trick
    if state.settled or trick.plays or state.terms.options.play_out or len(trick.won) < MOST or trick.lost:
        return
    if max(n for who, n in won_for_certain(state).items() if who) >= MOST:
        finish_hand(state)
        state.phase = WON


class Tally(TallyFacts):
    """What a game of Turnover Bridge is scored from."""

    tricks: Points = trick_counts(
        "player", ALL, "R10", stops=lambda terms: ALL if terms.options.play_out else MOST
    )


def tally(state: State[ColumnHand]) -> Tally:
    trick, tricks = state.hand.trick, dict[str, int | None].fromkeys(state.terms.sides)
    sure = won_for_certain(state)
    if not trick.lost and (len(trick.won) == ALL or max(sure.values(), default=0) >= MOST):
        tricks = trick.taken_by(state.terms.side_of)
        if None in tricks.values():
            tricks = {side: n if (n := sure[side]) >= MOST else None for side in tricks}
    return apply_reported_facts(Tally(tricks), state)


def score(state: State[ColumnHand]) -> HandScore:
    """Score of the game in play, as far as it is recorded."""
    t, terms = tally(state), state.terms
    nobody: Points = dict.fromkeys(terms.sides, 0)
    known = {side: n for side, n in t.tricks.items() if n is not None}
    winner = next((side for side, n in known.items() if n >= MOST), "")
    told = bool(winner) or len(known) == len(nobody)
    if nothing := counts_nothing(state, t.void, unfinished=not told):
        return nothing
    tricks = ScoreLine("tricks", t.tricks)
    if not told:
        return hand_score(state, dict.fromkeys(nobody), (tricks,), unknown=["who took how many tricks"])
    most_first = sorted(t.tricks.values(), key=lambda n: -1 if n is None else n, reverse=True)
    figures = "–".join(figure(n) for n in most_first)
    won = f"{terms.name(winner)} {figures}" if winner else f"tie {figures}"
    points: Points = {side: int(side == winner) for side in nobody}
    return hand_score(state, points, (tricks, ScoreLine("games", points)), result=won)


GAME = Game(
    key="turnover-bridge", name="Turnover Bridge", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ready_in_columns, next_dealer=deals_next, chance=deal_or_turn_up,
        chance_acts_first=has_card_to_turn,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("play"), lambda state: ColumnHand(state, PLAIN, TRUMPS)),
    phases={
        "play": Phase(
            "play", (Play, Show), "a card, then what it uncovers (s 8c)", to_do="play", one_card=True,
            verb_required=(Show,),
            tries=(reached_or_covered,),
        ),
        WON: Phase(
            "after the fourteenth trick", (Play,), "the next game, or a card if the table plays on", to_do="play on"
        ),
    },
    on={**COLUMN_TRICKS, Play: on_card},
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.games),
    sheet=ledger({"result": result_text}, {"{} tricks": figure_of_line("tricks"), "{}": running_total}),
    omissions=Omissions(may_be_over=lambda state: state.phase == WON),
    shorthand=Shorthand(expand=below_is_meant, implied_actor=implied_column_actor, led=suit_led, open_deal=upper_cards),
    display=Display(
        last_outcome_text=lambda state: "; ".join(filter(None, (just_taken(state), to_be_turned_up(state)))),
    ),
)  # fmt: skip
