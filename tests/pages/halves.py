"""Halves: a small game for the tests, dealt in two parts with an act between them, and played the other way round.

Two, three or four players, each alone. Twenty-eight cards, eight to ace. Four cards each, then the seat behind the
dealer names trumps, then two more each, and one is turned up. Six tricks without a duty to trump; a point a trick,
ten win.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Meta, Struct
from pages.registering import in_the_registry

from events.model import Deal, Event, Move, Name, Play
from reducers.evolve import on_deal
from reducers.page import (
    CONSEQUENCE,
    DUTY,
    RIGHT,
    SUITS,
    Catalogue,
    Dealing,
    DealSpec,
    Display,
    Game,
    HandScore,
    Omissions,
    Phase,
    Points,
    ScoreLine,
    Shorthand,
    State,
    TallyFacts,
    apply_reported_facts,
    as_many_as_dealt,
    counts,
    counts_nothing,
    deals_next,
    figure_of_line,
    gained,
    hand_score,
    highest_at_target,
    ledger,
    pack,
    ranking,
    rule,
    running_total,
    seat,
    shuffle_and_deal,
    singles,
    summary_of,
    try_each_card,
    try_naming,
    turned_up,
    why_void,
)  # fmt: skip
from reducers.rules import CheckResult, broken
from reducers.words.deals import dealt_out, ensure_dealt
from reducers.words.trick_play import (
    TRICKS,
    TrickHand,
    first_lead,
    just_taken,
    lay_out_tricks,
    must_follow_suit,
    one_card_in_turn,
    open_play,
    strengths,
    suit_led,
    winner_gathers,
)  # fmt: skip

KEY = "halves"
PACK, PLAIN = pack("A K Q J 10 9 8"), ranking("A K Q J 10 9 8")
DEAL = DealSpec(each=6, stages=(("naming", 4), ("second deal", 2)), then=(turned_up("upcard"),), rest="stock")


class Options(Struct, frozen=True):
    """House rules of Halves."""

    target: Annotated[int, Meta(ge=1, le=99, description="points that win the match")] = 10


RULES = Catalogue(
    KEY,
    rule(
        "H1", "Setup", CONSEQUENCE, "Four cards each, then two, and one is turned up.", "the deal",
        {Deal: as_many_as_dealt},
    ),
    rule("H2", "Setup", RIGHT, "The seat behind the dealer names trumps.", "trumps"),
    rule(
        "H3", "Play", DUTY, "The seat behind the dealer leads, then the winner of each trick.", "lead",
        {Play: first_lead},
    ),
    rule("H4", "Play", DUTY, "One card each, the other way round.", "in turn", {Play: one_card_in_turn}),
    rule("H5", "Play", DUTY, "Who holds the suit led plays it.", "follow suit", {Play: must_follow_suit}),
    rule(
        "H6", "Play", CONSEQUENCE, "The highest trump wins, else the highest of the suit led.", "who wins",
        {Move: winner_gathers},
    ),
)  # fmt: skip


@RULES.check("H2", Name)
def the_first_seat_names_trumps(name: Name, state: State[TrickHand]) -> CheckResult | None:
    return None if name.by in state.turn and name.what in SUITS else broken("trumps are for the seat behind the dealer")


class Tally(TallyFacts):
    """What a hand of Halves is scored from."""

    tricks: Points = counts(
        "tricks of a player", of=DEAL.each, asks="who took how many tricks", ruling="tricks that a player gets",
    )
    last: str = seat("who took the last trick", asks="who took the last trick", ruling="who gets the last trick")
    void: str = why_void("misdeal")


def start(state: State[TrickHand]) -> TrickHand:
    lay_out_tricks(state)
    state.phase, state.turn = "naming", (state.terms.after(state.dealer),)
    return TrickHand(state, PLAIN)


def on_name(name: Name, state: State[TrickHand]) -> None:
    ensure_dealt(state)
    state.hand.trick.power = strengths(PACK, PLAIN, name.what)
    state.phase, state.turn = "second deal", ()


def on_second_deal(deal: Deal, state: State[TrickHand]) -> None:
    """Once everything is dealt the first card is led."""
    on_deal(deal, state)
    if state.phase == "second deal" and state.table.row("upcard").row:
        open_play(state)


def unwritten(state: State[TrickHand], act: Event) -> None:
    """A card shows that the rest was dealt."""
    if state.phase == "second deal":
        dealt_out(state)


def tally(state: State[TrickHand]) -> Tally:
    tricks = state.hand.trick
    out = Tally(dict.fromkeys(state.terms.sides))
    if len(tricks.won) == DEAL.each:
        out.tricks, out.last = tricks.taken_by(state.terms.side_of), tricks.won[-1].winner
    return apply_reported_facts(out, state)


def score(state: State[TrickHand]) -> HandScore:
    t = tally(state)
    points: Points = {who: None if n is None else n + (t.last == who) for who, n in t.tricks.items()}
    return counts_nothing(state, t.void) or hand_score(state, points, [ScoreLine("tricks", t.tricks)])


GAME = Game(
    key=KEY, name="Halves", family="shedding", summary=summary_of(__doc__),
    seating=singles(2, 3, 4), pack=PACK,
    dealing=Dealing(deal=DEAL, next_dealer=deals_next, chance=shuffle_and_deal, counter_clockwise=lambda options: True),
    options=Options, rules=RULES, readings={}, words={"misdeal": "end: again"},
    start=start,
    phases={
        "naming": Phase("naming", (Name,), "a suit", tries=(try_naming(*SUITS),)),
        "second deal": Phase("the second deal", (Deal, Play), "the rest of the deal"),
        "play": Phase("play", (Play,), "a card", one_card=True, tries=(try_each_card,)),
    },
    on={**TRICKS, Name: on_name, Deal: on_second_deal},
    tally=Tally, compute_tally=tally, score=score, after=highest_at_target,
    sheet=ledger({}, {"{} tricks": figure_of_line("tricks"), "{} ±": gained, "{}": running_total}),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(led=suit_led),
    display=Display(last_outcome_text=just_taken),
)  # fmt: skip


registered = partial(in_the_registry, KEY, __name__)
"""The page is in the registry while this lasts; its key."""


__all__ = ["GAME", "KEY", "registered"]
