"""Mattis: two games in one; cards won in tricks are then got rid of, each play beating the last, and the player left
with cards is the fool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.model import Call, Deal, Draw, Event, Fault, Move, Name, Play
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, SUITS, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Omissions, Shorthand,
    Display, Simulation, HandScore, Sheet, Standing, State, TallyFacts, Terms, choice, apply_reported_facts, pack,
    ranking, rule, seat, seats, shuffle_and_deal, singles, summary_of, unknown, why_void, HouseRules, GamesInMatch,
)  # fmt: skip
from reducers.words.beating import Beating
from reducers.words.building import (
    BUILDING_HANDS, phases_of_halves, WORDS_OF_HALVES, any_card_may_be_played, blind_from_the_stock, give_back, highest,
    just_happened, leads_or_has_drawn, lose_count_of_building, may_tie, meant_by, next_in_round, building_card_in_turn,
    out_in_the_second_half, the_maker_leads, play_a_card, shows_the_second_half, standing_of_the_halves, suit_on_top,
    take_trick, the_highest_gathers, BUILDING, Building, TwoHalves, as_many_each, draws_up, first_half, first_to_lead,
    half_time, last_card_makes_trumps, ensure_first_half_dealt, shows_the_last_card, stock_cards_left,
)  # fmt: skip
from reducers.words.shedding import (
    SHEDDING, acts_in_turn, beats_what_lies, why_order_unknown, has_cards, several_are_a_sequence, takes_one_play,
    whoever_can_beat_does,
)  # fmt: skip
from reducers.words.strokes import (
    games_and_strokes, games_without_a_winner, loser_is_not_out, left_by, loser_or_next_deals, players_out, stroke,
    trumps_made, who_lost, who_was_left,
)  # fmt: skip

# Setup
SEATS = singles(3, 4, 5, 6, 7, 8)
PACK = pack()

DEAL = DealSpec(each=3, rest="stock")

# Card ranking: aces high; in the first half suits mean nothing
BEATING = Beating(PACK, ranking("A K Q J 10 9 8 7 6 5 4 3 2"))


class Options(HouseRules, frozen=True):
    """House rules of Mattis."""

    games: GamesInMatch = 3
    blind_on_last_card: Annotated[
        bool, Meta(description="the last card of the stock may be played blind; its suit is trumps then too")
    ] = False
    draw_order: Annotated[
        Literal["winner", "in_rounds", "free"],
        Meta(description="who draws first when the stock runs out: the winner of the trick and on round the table, "
             "each filling up; one card each in turn; or the quickest player"),
    ] = "winner"  # fmt: skip
    voluntary_pickup: Annotated[bool, Meta(description="a player who could beat the table may still pick up")] = False
    next_deal: Annotated[Literal["left", "mattis"], Meta(description="who deals the next game")] = "left"


FIRST, HALF, SECOND, ENDING = "Building the hands", "Ending the first half", "Playing the hands out", "Ending the game"
RULES = Catalogue(
    "mattis",
    rule("R1", FIRST, DUTY, "In the first half each player plays one card in turn, clockwise; the dealer's left leads "
         "first, then the winner of the trick.", "play in turn"),
    rule("R2", FIRST, RIGHT, "In the first half any card may be played; suits need not be followed.", "any card"),
    rule("R3", FIRST, DUTY, "A card may be played blind from the top of the stock while there is one to spare, and "
         "the card turned up must be played.", "play blind"),
    rule("R4", FIRST, CONSEQUENCE, "The highest rank takes the trick; those who tie play one more card each until one "
         "of them is ahead, who takes all.", "who takes the trick"),
    rule("R5", FIRST, DUTY, "Each player is dealt three cards and draws up to three after a trick while the stock "
         "lasts, the winner first; there are no other draws.", "draw up to three"),
    rule("R6", HALF, DUTY, "Whoever draws the last card of the stock shows it and lays it with the cards won; its suit "
         "is trumps.", "show the last card"),
    rule("R7", HALF, CONSEQUENCE, "The first half is over when a player has no card left: each player adds the rest "
         "of the hand to the cards won and plays on with these; a player without any is blåmattis.", "half-time"),
    rule("R8", SECOND, DUTY, "Whoever drew the last card leads first in the second half.", "trump maker leads"),
    rule("R9", SECOND, DUTY, "In the second half a play beats all cards on the table: higher in the suit, or a trump "
         "on a plain suit; a player who can beat them must.", "beat the table"),
    rule("R10", SECOND, DUTY, "Several cards played together are a sequence: two or more of one suit, each next in "
         "rank to the one before.", "sequence"),
    rule("R11", SECOND, DUTY, "A player who cannot beat the table picks up the lowest play on it, all of its cards "
         "and no others.", "pick up the lowest"),
    rule("R12", SECOND, DUTY, "Turns go round to the left; a trick is full with as many plays as players were in the "
         "game when it began, and the last to play leads to the next.", "act in turn"),
    rule("R13", ENDING, CONSEQUENCE, "A player who plays the last card in hand is out of the game; the last player "
         "left is the mattis.", "going out"),
)  # fmt: skip

READINGS = {
    "In which order players draw": "the winner of the trick first, then clockwise, each filling up; it matters only "
    "when the stock runs out; option draw_order",
    "Unrecorded draws": "are taken as made, unseen, but prove nothing; the last card of the stock should be recorded "
    "(C draw up 7h)",
    "The last card of the stock played blind": "not allowed, as no player would make trumps; option "
    "blind_on_last_card, and then the player who turned it up makes them",
    "When the first half stops": "when a player has no card after a trick is taken and the stock is gone; a tie is "
    "played out first",
    "A tied player has no card for the tie": "may play blind; else all cards on the table go back to those who played "
    "them, and the first half is over, or, with one card left in the stock, the same player leads again",
    "Nothing won, but cards left in hand": "the cards left are the hand for the second half; only a player without any "
    "is blåmattis",
    "Any trump is higher": "than any plain card; among trumps rank decides",
    "All previous cards": "a play must beat all cards on the table, even if a play before it beat nothing",
    "The ace": "stands above the king and nowhere else, in sequences too",
    "The lowest card on the table": "the play that has lain longest, whole",
    "Picking up what could be beaten": "not allowed; option voluntary_pickup",
    "All plays have been taken up": "the next player to the left leads to a new trick, and its size is counted again",
    "Whoever played last has just gone out": "the next player to the left who has cards leads",
    "Does a trick shrink when a player goes out?": "no; so a player may play to it twice",
    "Blåmattis at an empty table": "is passed over, but still in the game and counted; picks up cards as soon as "
    "there are some on the table",
    "One player has cards, and a blåmattis none": "both are in the game: if the player with cards plays the last one, "
    "the blåmattis must pick it up and is the mattis",
    "Two players left, both with one card": "the game ends with the first of them to play it",
    "An unseen card may have tied": "then it is unknown whether the next card breaks the tie or leads, and from there "
    "on the hands are unknown",
    "An unseen card of the first half": "leaves open who took the trick; who leads next is noted as inferred, "
    "or `move * <trick >won:B` says who gathered it",
    "How many games make a match": "the text knows single games; option games; `end match agreed` whenever the table "
    "stops",
    "Who deals": "the deal passes to the left; option next_deal=mattis; after a misdeal the same player deals",
    "The hat": "is worn by the last mattis; it changes no play and is shown on the sheet",
}


# Building the hands
def all_have_played(state: State[Hand]) -> None:
    """The highest rank takes the trick; players who tie play on among themselves."""
    hand = state.hand
    ahead, perhaps = highest(state)
    if perhaps:
        hand.doubt = f"a card of trick {len(hand.won) + 1} was not seen, and so who took it"
        hand.may_tie = may_tie(state)
        take_trick(tuple(s for s, _ in hand.round if s in ahead or s in perhaps), state)
    elif len(ahead) > 1:
        hand.waiting, hand.round, hand.tied = list(ahead), [], True
        next_in_round(state)
    else:
        take_trick(ahead, state)


def no_card_for_the_tie(state: State[Hand]) -> bool:
    """If a player has no card for the tie, every card goes back to the hand it came from. Return True if so."""
    hand = state.hand
    if not hand.tied:
        return False
    leader = hand.lying[0].seat
    state.infer(f"{hand.waiting[0]} has no card for the tie: all cards on the table go back to those who played them")
    give_back(state)
    hand.leaders = (leader,)
    if stock_cards_left(state):
        state.turn = (leader,)
    else:
        half_time(state)
    return True


def blamattis_plays_on(state: State[Hand]) -> tuple[str, ...]:
    """All players are in the game at half-time, with or without cards; return their seats."""
    state.hand.blamattis = tuple(s for s in state.terms.seats if not has_cards(s, state))
    return state.terms.seats


class Hand(TwoHalves):
    """State of one game of Mattis; `blamattis` has the seats that began the second half without a card."""

    beating: ClassVar[Beating] = BEATING
    building: ClassVar[Building] = Building(
        each=DEAL.each, plays_to=lambda seat, terms: terms.around(seat), full=all_have_played,
        short=no_card_for_the_tie,
        draws=lambda state: state.terms.around(state.hand.leaders[0]),
        over=lambda state: not all(has_cards(s, state) for s in state.terms.seats), plays_on=blamattis_plays_on,
        blind_to_the_last=lambda state: bool(state.terms.options.blind_on_last_card),
    )  # fmt: skip
    last_only: ClassVar[bool] = False

    def __init__(self, first: str) -> None:
        super().__init__(first)
        self.blamattis: tuple[str, ...] = ()

    @property
    def mattis(self) -> str:
        """The last player left when all others are out; empty while there are several."""
        return self.last_left


def on_play(play: Play, state: State[Hand]) -> None:
    ensure_first_half_dealt(state)
    shows_the_second_half(play, state)
    breaks_a_tie = play.by in state.hand.may_tie and (first_half(state) or play.by not in state.turn)
    if breaks_a_tie:
        # The card may break the tie, or lead after unrecorded draws.
        lose_count_of_building(state)
    play_a_card(play, state)
    if breaks_a_tie:
        state.turn = (*state.turn, *(s for s in state.hand.won[-1].winners if s not in (play.by, *state.turn)))


def whose_card_comes(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none; players who may have tied the last trick may play on."""
    seats, hand = leads_or_has_drawn(state, kind), state.hand
    ties = hand.may_tie if kind is Play and state.phase == "leading" and not hand.opened else ()
    return (*seats, *(s for s in ties if s not in seats))


# The checks shared by both halves, in the order of the findings
RULES.check("R1", Play, when=BUILDING)(building_card_in_turn)
RULES.check("R2", Fault, when=BUILDING)(any_card_may_be_played)
RULES.check("R3", Play)(blind_from_the_stock)
RULES.check("R4", Move)(the_highest_gathers)
RULES.check("R5", Deal)(as_many_each)
RULES.check("R5", Draw)(draws_up)
RULES.check("R6", Draw, when=BUILDING)(shows_the_last_card)
RULES.check("R6", Name)(last_card_makes_trumps)


# Playing the hands out: checks shared with other shedding games, in the order of the findings
@RULES.check("R8", Play, when=SHEDDING)
def the_trump_maker_leads_first(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.opened:
        return None
    if dark := why_order_unknown(state):
        return dark
    if play.by in state.turn:
        return None
    return unknown(hand.doubt) if play.by in hand.may_tie else the_maker_leads(state)


RULES.check("R9", Play, when=SHEDDING)(beats_what_lies)


@RULES.check("R9", Draw, when=SHEDDING)
def whoever_could_beat_does_not_pick_up(draw: Draw, state: State[Hand]) -> CheckResult | None:
    return None if state.terms.options.voluntary_pickup else whoever_can_beat_does(draw, state)


RULES.check("R10", Play, when=SHEDDING)(several_are_a_sequence)
RULES.check("R11", Draw, when=SHEDDING)(takes_one_play)
RULES.check("R12", Play, Draw, when=SHEDDING)(acts_in_turn)


# Ending the game
RULES.check("R13", Call)(out_in_the_second_half)


# Scoring: who was left with cards
class Tally(TallyFacts):
    """What a game of Mattis is scored from; empty if unknown."""

    mattis: str = seat("the player left with cards", rule="R13", ruling="the player who counts as the mattis")
    out: tuple[str, ...] = players_out("R13")
    blamattis: Sequence[str] = seats("players without a card at half-time", once=True, rule="R7")
    trump: str = choice("suit that was trumps", *SUITS, rule="R6")
    void: str = why_void("misdeal: the game does not count", ruling="yes: the game does not count")

    laws = (loser_is_not_out("mattis", "R13", "is not the mattis"),)


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    # In no order; unknown until half-time.
    blamattis = list(hand.blamattis) if hand.live and not why_order_unknown(state) else ()
    t = apply_reported_facts(Tally(hand.mattis, tuple(hand.out), blamattis, hand.trump), state)
    t.mattis = t.mattis or left_by(t.out, state)
    return t


def score(state: State[Hand]) -> HandScore:
    """Score of the game in play: one stroke for the mattis."""
    t = tally(state)
    notes = [f"{state.terms.name(s)} was blåmattis" for s in t.blamattis]
    return stroke(state, t.mattis, t.out, t.void, t.trump, called="mattis", notes=notes)


class Match(Standing, frozen=True):
    """The standing, and the player who wears the hat."""

    hat: str = ""


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a game to the standing. A number of games makes a match without a winner; the last loser wears the hat."""
    assert isinstance(before, Match)
    return replace(games_without_a_winner(before, hand, terms), hat=who_lost(hand) or before.hat)


# The sheet: a row for each game, strokes for the mattis
GAMES = games_and_strokes("mattis")


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """The sheet: a row for each game, and above them the player who wears the hat."""
    hat = state.standing.hat if isinstance(state.standing, Match) else ""
    facts = (*empty.facts, ("The hat", state.terms.name(hat))) if hat else empty.facts
    return GAMES(state, replace(empty, facts=facts))


# At the table
def headline(state: State[Hand]) -> dict[str, Any]:
    """The stock, trumps and their maker, the players out and the wearer of the hat, for the headline."""
    before = state.before
    return standing_of_the_halves(state) | ({"hat": before.hat} if isinstance(before, Match) and before.hat else {})


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what has just happened: the trick, a tie, half-time, a player who went out."""
    blue = " and ".join(state.hand.blamattis)
    return just_happened(state, f", {blue} blåmattis" if blue else "")


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: long sequences first, now and then a card played blind."""
    if isinstance(event, Play) and event.src == "stock":
        return 0.2
    return float(len(event.cards) ** 2) if isinstance(event, Play) else 1.0


GAME = Game(
    key="mattis", name="Mattis", family="tricks and shedding", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_first_half_dealt, next_dealer=loser_or_next_deals, chance=shuffle_and_deal,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS_OF_HALVES,
    start=lambda state: Hand(first_to_lead(state)),
    phases=phases_of_halves(
        first="a card (4d), a card turned up from the stock (blind 4d), or a whole trick on one line", last_card="7h",
        led="a card or a sequence (6c7c8c)", beaten="the lowest play picked up", to_do="beat it or pick up",
    ),
    on={**BUILDING_HANDS, Play: on_play},
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: Match(dict.fromkeys(terms.seats, 0)), fewest_lead=lambda terms: True, nobody_wins=True,
        open_table=True,
    ),
    sheet=sheet,
    omissions=Omissions(missing=who_was_left("mattis")),
    shorthand=Shorthand(expand=meant_by, implied_actor=whose_card_comes, led=suit_on_top),
    display=Display(headline=headline, last_outcome_text=last_outcome_text, contract=trumps_made),
    simulation=Simulation(weigh=weigh, most_hands=120),
)  # fmt: skip
