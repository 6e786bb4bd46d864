"""German Whist: two players draw for a hand in thirteen tricks, and the last thirteen decide who wins it.

The rules are the well-known ones, as the usual books of card games give them (Parlett, *The Penguin Book of Card
Games*; pagat.com, "German Whist"); no sentence is theirs.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from events.model import Deal, Hand, Move, Play
from reducers.page import (
    CONSEQUENCE,
    DUTY,
    Catalogue,
    Dealing,
    DealSpec,
    Display,
    Game,
    HandScore,
    HouseRules,
    Phase,
    Points,
    ScoreLine,
    Shorthand,
    State,
    TallyFacts,
    apply_reported_facts,
    as_many_as_dealt,
    contract,
    counts,
    counts_nothing,
    deal_passes_on,
    deals_next,
    ensure_dealt,
    first_to_target,
    gained,
    hand_score,
    ledger,
    pack,
    ranking,
    rule,
    running_total,
    signed,
    singles,
    summary_of,
    try_lead_or_follow,
    turned_up,
)  # fmt: skip
from reducers.piles import Lies
from kibitz_german_whist.open_stock import (
    OPEN_STOCK,
    OpenStockHand,
    is_turned_in_time,
    next_is_turned_up,
    play_with_open_stock,
    turn_up,
)  # fmt: skip
from reducers.words.trick_play import (
    first_lead,
    just_taken,
    must_follow_suit,
    one_card_in_turn,
    owner,
    sign_of_trumps,
    suit_led,
    winner_gathers,
)  # fmt: skip
from reducers.words.upcards import UPCARD

RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"
PACK, PLAIN = pack(RANKS), ranking(RANKS)
DEAL = DealSpec(each=13, then=(turned_up("upcard"),), rest="stock")


class Options(HouseRules, frozen=True):
    """House rules of German Whist."""

    target: Annotated[int, Meta(ge=1, le=99, description="hands that win the match")] = 3


SETUP, DRAWING, PLAY, SCORING = "Setup", "First half", "Play", "Scoring"
RULES = Catalogue(
    "german-whist",
    rule("R1", SETUP, CONSEQUENCE, "Each player is dealt thirteen cards, the next is turned up, and the rest is the "
         "stock.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", SETUP, CONSEQUENCE, "The suit of the first card turned up is trumps for the whole hand.", "trumps"),
    rule("R3", PLAY, DUTY, "The dealer's opponent leads first, then the winner of each trick.",
         "lead", {Play: first_lead}),
    rule("R4", PLAY, DUTY, "The players play one card each in turn.", "play in turn", {Play: one_card_in_turn}),
    rule("R5", PLAY, DUTY, "A player who holds the suit led plays it; without it any card may be played.",
         "follow suit", {Play: must_follow_suit}),
    rule("R6", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R7", DRAWING, CONSEQUENCE, "While there is a stock, the winner of a trick takes the card turned up and the "
         "loser the next one unseen; then another is turned up.", "the draw", {Move: is_turned_in_time}),
    rule("R8", SCORING, CONSEQUENCE,
         "The first thirteen tricks count nothing; whoever takes most of the other thirteen "
         "wins the hand.", "seven tricks"),
    rule("R9", SCORING, CONSEQUENCE, "A hand won is worth a point; three points win the match.", "the match"),
    rule("R10", SETUP, DUTY, "The deal goes to the other player.", "the deal passes", {Hand: deal_passes_on}),
)  # fmt: skip


class Tally(TallyFacts):
    """What a hand of German Whist is scored from."""

    taken: Points = counts(
        "tricks of the second half that a player took", of=DEAL.each, rule="R8",
        asks="who took how many of the last tricks",
    )  # fmt: skip


def tally(state: State[OpenStockHand]) -> Tally:
    trick, side_of = state.hand.trick, state.terms.side_of
    owners = [owner(one, side_of) for one in trick.won[trick.total - DEAL.each :]]
    known = len(trick.won) == trick.total and not trick.lost and "" not in owners
    taken = {side: owners.count(side) if known else None for side in state.terms.sides}
    return apply_reported_facts(Tally(taken), state)


def score(state: State[OpenStockHand]) -> HandScore:
    t, trumps = tally(state), sign_of_trumps(state)
    points: Points = {player: None if n is None else int(n > DEAL.each // 2) for player, n in t.taken.items()}
    lines = (ScoreLine("tricks", t.taken), ScoreLine("points", points, {p: signed(n) for p, n in points.items()}))
    missing = ["who took how many of the last tricks"] if None in points.values() else []
    nothing = counts_nothing(state, t.void, contract=trumps)
    return nothing or hand_score(state, points, lines, contract=trumps, unknown=missing)


GAME = Game(
    key="german-whist", name="German Whist", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=turn_up, chance_acts_first=next_is_turned_up,
    ),
    options=Options, rules=RULES,
    readings={
        "What wins a match?": "hands, three unless agreed otherwise; the texts play hand by hand",
        "Must the draws be recorded?": "no: they follow from the tricks and from the cards turned up",
        "Must the cards turned up be written?": "no: a lead shows that all have drawn, and one more lies there unseen",
    },
    start=lambda state: play_with_open_stock(state, PLAIN),
    phases={
        "play": Phase("play", (Play,), "a card", to_do="play", one_card=True, tries=(try_lead_or_follow,)),
    },
    on=OPEN_STOCK,
    tally=Tally, compute_tally=tally, score=score, after=first_to_target,
    sheet=ledger({"trumps": contract}, {"{}": gained, "in all": running_total}),
    shorthand=Shorthand(led=suit_led),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump else {}, last_outcome_text=just_taken,
        contract=sign_of_trumps, piles={UPCARD: Lies("stack", "beside", called="next card")},
    ),
)  # fmt: skip
