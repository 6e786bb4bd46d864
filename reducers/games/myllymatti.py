"""Myllymatti: two halves; cards won in tricks of two are then got rid of, each beating the last or taking it up, and
the player left with cards has lost."""

from __future__ import annotations

from random import Random
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from events.cards import how_many
from events.model import Call, Deal, Draw, End, Event, Fault, Move, Name, Play
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, SUITS, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Omissions, Shorthand,
    Display, Simulation, HandScore, State, TallyFacts, broken, choice, on_move, apply_reported_facts, pack, ranking,
    rule, seat, shuffle_and_deal, singles, summary_of, unknown, why_void, HouseRules, GamesInMatch,
)  # fmt: skip
from reducers.words.beating import Beating
from reducers.words.building import (
    BUILDING_HANDS, phases_of_halves, WORDS_OF_HALVES, any_card_may_be_played, blind_from_the_stock, give_back, highest,
    just_happened, leads_or_has_drawn, may_tie, meant_by, on_gathering, building_card_in_turn, play_a_card,
    out_in_the_second_half, the_maker_leads, shows_the_second_half, standing_of_the_halves, suit_on_top, take_trick,
    the_highest_gathers, BUILDING, Building, TwoHalves, as_many_each, between_tricks, draws_up, first_half,
    first_to_lead, half_time, last_card_makes_trumps, next_drawer, order_in_doubt, ensure_first_half_dealt, second_half,
    shows_the_last_card, stock_cards_left, seats_with_cards,
)  # fmt: skip
from reducers.words.shedding import (
    SHEDDING, acts_in_turn, beats_what_lies, why_order_unknown, has_cards, several_are_a_sequence, takes_one_play,
    whoever_can_beat_does,
)  # fmt: skip
from reducers.words.strokes import (
    games_and_strokes, games_without_a_winner, loser_is_not_out, left_by, loser_or_next_deals, players_out, stroke,
    trumps_made, who_was_left,
)  # fmt: skip

# Setup
PACK = pack()
DEAL = DealSpec(each=3, rest="stock")
BEATING = Beating(PACK, ranking("A K Q J 10 9 8 7 6 5 4 3 2"))
LONGEST = 400
"""Number of acts after which a simulated second half counts as endless and is broken off."""


class Options(HouseRules, frozen=True):
    """House rules of Myllymatti."""

    games: GamesInMatch = 3
    draw_after_bounce: Annotated[bool, Meta(description="cards are drawn after a bounce too")] = True
    draw_order: Annotated[
        Literal["winner", "leader", "free"],
        Meta(description="who draws first: the winner of the trick (after a bounce the leader); always the leader; "
                         "or the quicker player"),
    ] = "winner"  # fmt: skip
    must_beat_if_able: Annotated[bool, Meta(description="a player who can beat the last card may not pick it "
                                                        "up")] = False
    sequences: Annotated[bool, Meta(description="neighbours of one suit may be played together, as one play")] = False
    next_deal: Annotated[Literal["left", "loser"], Meta(description="who deals the next game")] = "left"


FIRST, HALF, SECOND = "Building the hands", "Ending the first half", "Playing the hands out"
RULES = Catalogue(
    "myllymatti",
    rule("R1", FIRST, DUTY, "The dealer's left leads to the first trick.", "first lead"),
    rule("R2", FIRST, DUTY, "A trick of the first half is a card of the leader and one of the player on the left; the "
         "higher rank takes it and leads next. After a bounce, two equal ranks, the cards stay on the table, and the "
         "same player leads.",
         "leader and next player"),
    rule("R3", FIRST, RIGHT, "In the first half any card may be played; suits need not be followed.", "any card"),
    rule("R4", FIRST, DUTY, "A card may be played blind from the top of the stock while it has two or more cards, and "
         "the card turned up must be played.", "play blind"),
    rule("R5", FIRST, DUTY, "Everybody is dealt three cards; after a trick both its players draw up to three while the "
         "stock lasts, the winner first.", "draw up to three"),
    rule("R6", HALF, DUTY, "Whoever draws the last card of the stock shows it and lays it with the cards won; its suit "
         "is trumps.", "show the last card"),
    rule("R7", HALF, CONSEQUENCE, "The first half is over when the player to play has no card: cards on the table go "
         "back to their players, the hands are shown, and all of these join the cards won.", "half-time"),
    rule("R8", SECOND, DUTY, "In the second half a card beats the last one: higher in its suit, or a trump on a plain "
         "suit.", "beat the last card"),
    rule("R9", SECOND, DUTY, "A player who does not beat the last card picks up only that card; the next player faces "
         "the card below.", "take up the last card"),
    rule("R10", SECOND, DUTY, "The player who drew the last card of the stock leads first, then the last to play to a "
         "full trick; if all cards were picked up, the player after the last to do so. Turns go "
         "round to the left.", "lead and turn"),
    rule("R11", SECOND, CONSEQUENCE, "A trick is full with as many cards as players were in the game when it began; "
         "then it is put away.", "full trick"),
    rule("R12", SECOND, DUTY, "One card is played at a time; a player who has played the last card in hand is out, "
         "and the last player left has lost.", "one card, going out"),
)  # fmt: skip

READINGS = {
    "Who draws first": "the winner of the trick, after a bounce the leader; option draw_order",
    "Unrecorded draws": "are taken as made, unseen, but prove nothing; the last card of the stock should be recorded "
    "(C draw up 7h)",
    "Are cards drawn after a bounce?": "yes, both fill up; option draw_after_bounce",
    "Who plays after a bounce?": "the same two: the leader leads again",
    "No card in hand while the stock has some": "can be only with draw_after_bounce=no: a card is played blind; if one "
    "alone is left in the stock, all cards on the table go back to those who played them, and the same one leads again",
    "Cards of a bounce at half-time": "go back to those who played them, as those of an unfinished trick do",
    "Both lack a card, and one is left": "the first to draw shows it, the other stays short",
    "One card left in the stock": "is drawn, and cannot be played blind",
    "The player to play has no card, others have": "the first half is still over",
    "Nothing at half-time": "a player without a card at half-time is out at once",
    "Has the last card to be beaten?": "no: a player who can may still pick it up; option must_beat_if_able",
    "Several cards together": "are against the rules; by option sequences neighbours of one suit are one play, beaten "
    "and taken up whole",
    "Whoever played last has just gone out": "the next player to the left who has cards leads",
    "Does a trick shrink when a player goes out?": "no; so a player may play to it twice",
    "Two players left": "the game ends with the last card of one of them, even in mid-trick",
    "An unseen card may have bounced": "then its winner is unknown until a player gathers it (`move * <trick >won:B`)",
    "A game that does not end": "is broken off by the table: end hand void",
    "How many games make a match": "option games; `end match agreed` whenever the table stops",
    "Who deals": "the deal passes to the left; option next_deal=loser; after a misdeal the same player deals",
}


# Building the hands
def both_have_played(state: State[Hand]) -> None:
    """The higher rank takes the trick; after a bounce the cards stay on the table and the same player leads."""
    hand = state.hand
    ahead, perhaps = highest(state)
    leader = hand.round[0][0]
    if perhaps:
        hand.doubt = f"a card of trick {len(hand.won) + 1} was not seen, and so who took it"
        tied = bool(may_tie(state))
        players = tuple(dict.fromkeys(s for s, _ in hand.round))
        might = tuple(s for s in players if s in ahead or s in perhaps)
        hand.may_tie = (leader,) if tied else ()
        take_trick(players if tied else might, state)
    elif len(ahead) > 1:
        hand.leaders, hand.drawn, hand.bounced = (leader,), {}, state.at
        between_tricks(state)
        if (
            first_half(state)
            and stock_cards_left(state) == 1
            and not next_drawer(state)
            and not has_cards(leader, state)
        ):
            lead_again(leader, state)
    else:
        take_trick(ahead, state)


def nothing_to_play(state: State[Hand]) -> bool:
    """If the player to act has no card, end the half, or lead again for the last card of the stock; return True."""
    hand = state.hand
    seat, leader = hand.waiting[0], hand.leaders[0]
    if stock_cards_left(state):
        lead_again(leader, state)
        return True
    state.infer(f"{seat} has no card: those on the table go back to those who played them")
    give_back(state)
    half_time(state)
    return True


def lead_again(leader: str, state: State[Hand]) -> None:
    """The last card of the stock is still to be drawn, but no card can be played: cards go back to the hands."""
    state.infer("a card is missing to play on: all cards on the table go back to those who played them")
    give_back(state)
    state.phase, state.turn, state.hand.leaders = "building", (leader,), (leader,)


def leader_has_none(state: State[Hand]) -> bool:
    """True if the half is over between two tricks; the cards of a bounce then go back to the hands."""
    hand = state.hand
    over = bool(hand.leaders) and not any(has_cards(s, state) for s in hand.leaders)
    if over and hand.lying:
        state.infer(f"{hand.leaders[0]} has no card: those on the table go back to those who played them")
        give_back(state)
    return over


def who_draws(state: State[Hand]) -> tuple[str, ...]:
    """Seats that draw: those that played, the winner first, or the leader first by a house rule."""
    hand, options = state.hand, state.terms.options
    if hand.lying and not options.draw_after_bounce:
        return ()
    if options.draw_order == "leader" and hand.round:
        return tuple(state.terms.around(hand.round[0][0]))
    return tuple(state.terms.around(hand.leaders[0]))


class Hand(TwoHalves):
    """State of one game of Myllymatti; `bounced` is the position of the last bounce."""

    beating: ClassVar[Beating] = BEATING
    building: ClassVar[Building] = Building(
        each=DEAL.each, plays_to=lambda seat, terms: (seat, terms.left(seat)), full=both_have_played,
        short=nothing_to_play, draws=who_draws, over=leader_has_none, plays_on=seats_with_cards, draws_on_a_tie=True,
    )  # fmt: skip
    last_only: ClassVar[bool] = True

    def __init__(self, first: str) -> None:
        super().__init__(first)
        self.bounced = 0


def opening(state: State[Hand]) -> bool:
    """True if no card was played yet."""
    return not (state.hand.won or state.hand.lying or state.hand.waiting)


@RULES.check("R1", Play, when=BUILDING)
def the_dealers_left_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    return building_card_in_turn(play, state) if opening(state) else None


@RULES.check("R2", Play, when=BUILDING)
def leader_and_next_player(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if opening(state):
        return None
    if hand.lying and not hand.waiting and play.by not in hand.leaders and how_many(play.cards) == 1:
        return order_in_doubt(state) or broken(f"after a bounce {hand.leaders[0]} leads again")
    return building_card_in_turn(play, state)


@RULES.check("R2", Move)
def the_higher_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    if takes_a_bounce(move, state):
        return order_in_doubt(state) or broken("both cards have the same rank, and stay on the table until a trick "
                                               "is won")
    return the_highest_gathers(move, state)


RULES.check("R3", Fault, when=BUILDING)(any_card_may_be_played)
RULES.check("R4", Play)(blind_from_the_stock)
RULES.check("R5", Deal)(as_many_each)
RULES.check("R5", Draw)(draws_up)
RULES.check("R6", Draw, when=BUILDING)(shows_the_last_card)
RULES.check("R6", Name)(last_card_makes_trumps)


def takes_a_bounce(move: Move, state: State[Hand]) -> bool:
    """True if a player gathers two cards of one rank."""
    if not state.number or not first_half(state) or move.src != "trick" or move.to[4:] not in state.terms.seats:
        return False
    return bool(state.hand.lying) and not state.hand.waiting


def on_play(play: Play, state: State[Hand]) -> None:
    """Play a card. The lead after a possible bounce shows nothing about that trick."""
    ensure_first_half_dealt(state)
    hand = state.hand
    shows_the_second_half(play, state)
    play_a_card(play, state)
    if first_half(state) and hand.waiting:
        hand.may_tie = ()


def on_card_moved(move: Move, state: State[Hand]) -> None:
    """Gather a trick. At half-time, cards moved to the cards won may be in the hand already."""
    if takes_a_bounce(move, state):
        take_trick((move.to[4:],), state)
    elif state.number and second_half(state) and not state.hand.opened and move.to[:4] == "won:":
        if move.to[4:] not in state.terms.seats or move.src not in ("", "trick", move.to[4:]):
            on_move(move, state)
        elif move.cards != ("*",):
            state.table.reveal(state.table.codes(move.cards), state.holding(move.to[4:]))
    else:
        on_gathering(move, state)


# Playing the hands out
RULES.check("R8", Play, when=SHEDDING)(beats_what_lies)
RULES.check("R9", Draw, when=SHEDDING)(takes_one_play)


@RULES.check("R9", Draw, when=SHEDDING)
def beats_it_if_able(draw: Draw, state: State[Hand]) -> CheckResult | None:
    return whoever_can_beat_does(draw, state) if state.terms.options.must_beat_if_able else None


@RULES.check("R10", Play, when=SHEDDING)
def the_trump_maker_leads_first(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.opened or play.by in state.turn:
        return None
    return why_order_unknown(state) or the_maker_leads(state)


RULES.check("R10", Play, Draw, when=SHEDDING)(acts_in_turn)


@RULES.check("R11", Move, when=SHEDDING)
def put_away_when_full(move: Move, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if move.src != "trick" or move.to not in ("dead", "discard") or not hand.lying:
        return None
    return why_order_unknown(state) or broken(
        f"the trick is full with {hand.size} cards, and has {len(hand.lying)}"
    )


@RULES.check("R12", Play, when=SHEDDING)
def one_card_at_a_time(play: Play, state: State[Hand]) -> CheckResult | None:
    if state.terms.options.sequences:
        return several_are_a_sequence(play, state)
    count = how_many(play.cards)
    if count is None:
        return unknown("the cards were not counted")
    return broken("one card is played at a time") if count > 1 else None
RULES.check("R12", Call)(out_in_the_second_half)


# Scoring: who was left with cards
class Tally(TallyFacts):
    """What a game of Myllymatti is scored from; empty if unknown."""

    loser: str = seat("the player left with cards", rule="R12", ruling="the player who counts as the loser")
    out: tuple[str, ...] = players_out("R12")
    trump: str = choice("suit that was trumps", *SUITS, rule="R6")
    void: str = why_void("misdeal: the game does not count", ruling="yes: the game does not count")

    laws = (loser_is_not_out("loser", "R12", "has not lost"),)


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    t = apply_reported_facts(Tally(hand.last_left, tuple(hand.out), hand.trump), state)
    t.loser = t.loser or left_by(t.out, state)
    return t


def score(state: State[Hand]) -> HandScore:
    """Score of the game in play: one stroke for the loser."""
    t = tally(state)
    return stroke(state, t.loser, t.out, t.void, t.trump, called="loser")


# At the table
def goes_on_for_ever(state: State[Hand]) -> bool:
    """True if a second half goes round in circles, so that the table breaks it off."""
    return second_half(state) and state.at - state.hand.halfway > LONGEST


def chance(state: State[Hand], random: Random) -> list[Event]:
    """The deal, or the end of a game that does not end by itself."""
    if state.turn and goes_on_for_ever(state):
        return [End(by="@", what="hand", why="void")]
    return shuffle_and_deal(state, random)


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what has just happened: a bounce, a trick, half-time, a player who went out."""
    hand, told = state.hand, just_happened(state)
    if state.settled or hand.bounced != state.at or not hand.lying:
        return told
    return ", ".join(filter(None, (f"a bounce: {hand.leaders[0]} leads again, {len(hand.lying)} cards lie", told)))


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: few cards are played blind, and few picked up that could be beaten."""
    if isinstance(event, Play):
        return 0.2 if event.src == "stock" else float(len(event.cards))
    return 0.1 if second_half(state) else 1.0


GAME = Game(
    key="myllymatti", name="Myllymatti", family="tricks and shedding", summary=summary_of(__doc__),
    seating=singles(3), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_first_half_dealt, next_dealer=loser_or_next_deals, chance=chance,
        chance_acts_first=goes_on_for_ever,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS_OF_HALVES,
    start=lambda state: Hand(first_to_lead(state)),
    phases=phases_of_halves(
        first="a card (6d), a card turned up from the stock (blind 7s), or both cards of a trick on one line",
        last_card="4h", led="a card (Kh)", beaten="the last card taken up", to_do="beat it or take it up",
    ),
    on={**BUILDING_HANDS, Play: on_play, Move: on_card_moved},
    tally=Tally, compute_tally=tally, score=score, after=games_without_a_winner,
    match=MatchRules(fewest_lead=lambda terms: True, nobody_wins=True),
    sheet=games_and_strokes("loser"),
    omissions=Omissions(missing=who_was_left("loser")),
    shorthand=Shorthand(expand=meant_by, implied_actor=leads_or_has_drawn, led=suit_on_top),
    display=Display(headline=standing_of_the_halves, last_outcome_text=last_outcome_text, contract=trumps_made),
    simulation=Simulation(weigh=weigh, most_hands=120),
)  # fmt: skip
