"""Mattis: two games in one; cards won in tricks are then got rid of, each play beating the last, and whoever is left
with cards is the fool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many
from events.model import Call, Deal, Draw, Event, Facts, Fault, Gap, Move, Name, Play, Show
from events.model import Tally as TallyEvent
from reducers.evolve import pile_named
from reducers.page import (
    CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUIT_NAMES, SUITS, Catalogue, Cell, CheckResult, Dealt, Game, HandScore, Law,
    Line, Phase, Points, Sheet, Standing, State, TallyFacts, Terms, added, broken, choice, deals_next, each_card,
    figure, hand_score, in_hand, on_move, on_show, overlaid, pack, ranking, rule, seat, seats, shuffle_and_deal,
    singles, summary_of, unknown, why_void,
)  # fmt: skip
from reducers.words import shedding
from reducers.words.beating import Beating, Laid
from reducers.words.shedding import (
    SHEDDING, acts_in_turn, beats_all_that_lies, clouded, each_play, forced_pick_up, has_cards, has_none_left, lay,
    lowest_taken, next_to_act, pick_up, said_to_be_out, several_are_a_sequence, takes_the_lowest, the_lowest, turn_to,
    whoever_can_beat_does,
)  # fmt: skip
from reducers.words.sheets import Form
from reducers.words.tallies import seats_in
from reducers.words.tricks import Trick

# Setup
SEATS = singles(3, 4, 5, 6, 7, 8)
PACK = pack()
CARDS_EACH = 3
DEAL = Dealt(each=CARDS_EACH, rest="stock")
UNSEEN = PACK.unknown

# Card ranking: aces high; in the first half suits mean nothing
BEATING = Beating(PACK, ranking("A K Q J 10 9 8 7 6 5 4 3 2"))
STRENGTH = BEATING.strength
VALUE = {rank: i for i, rank in enumerate(BEATING.order, 1)}


class Options(Struct, frozen=True):
    """House rules of Mattis."""

    games: Annotated[int, Meta(ge=1, le=99, description="games that make a match")] = 3
    blind_on_last_card: Annotated[
        bool, Meta(description="the last card of the stock may be played blind; its suit is trumps then too")
    ] = False
    draw_order: Annotated[
        Literal["winner", "in_rounds", "free"],
        Meta(description="who draws first where the stock runs out: the winner of the trick and on round the table, "
             "each filling up; one card each in turn; or whoever is quicker"),
    ] = "winner"  # fmt: skip
    voluntary_pickup: Annotated[bool, Meta(description="whoever could beat the table may pick up all the same")] = False
    next_deal: Annotated[Literal["left", "mattis"], Meta(description="who deals the next game")] = "left"


FIRST, HALF, SECOND, ENDING = "Building the hands", "Ending the first half", "Playing the hands out", "Ending the game"
RULES = Catalogue(
    "mattis",
    rule("R1", FIRST, DUTY, "In the first half everybody plays one card in turn, clockwise; the dealer's left leads "
         "first, then whoever won the trick.", "play in turn"),
    rule("R2", FIRST, RIGHT, "In the first half any card may be played; suits need not be followed.", "any card"),
    rule("R3", FIRST, DUTY, "A card may be played blind from the top of the stock while there is one to spare, and the "
         "card turned up has to be played.", "play blind"),
    rule("R4", FIRST, CONSEQUENCE, "The highest rank takes the trick; those who tie play one more card each until one "
         "of them is ahead, and that one takes all.", "who takes the trick"),
    rule("R5", FIRST, DUTY, "Everybody is dealt three cards, and after a trick draws up to three while the stock "
         "lasts, the winner first; nobody draws at another time.", "draw up to three"),
    rule("R6", HALF, DUTY, "Whoever draws the last card of the stock shows it and lays it with the cards won; its suit "
         "is trumps.", "show the last card"),
    rule("R7", HALF, CONSEQUENCE, "The first half is over when somebody has no card left: everybody adds the rest of "
         "the hand to the cards won and plays on with these; whoever has none is blåmattis.", "half-time"),
    rule("R8", SECOND, DUTY, "Whoever drew the last card leads first in the second half.", "trump maker leads"),
    rule("R9", SECOND, DUTY, "In the second half a play beats all that lies: higher in the suit, or a trump on a plain "
         "suit; whoever can beat it does.", "beat the table"),
    rule("R10", SECOND, DUTY, "Several cards played together are a sequence: two or more of one suit, each next in "
         "rank to the one before.", "sequence"),
    rule("R11", SECOND, DUTY, "Whoever cannot beat the table takes up the lowest play on it, all of its cards and "
         "nothing else.", "pick up the lowest"),
    rule("R12", SECOND, DUTY, "Turns go round to the left; a trick is full with as many plays as players were in the "
         "game when it began, and whoever played last leads to the next.", "act in turn"),
    rule("R13", ENDING, CONSEQUENCE, "Whoever plays the last card in hand is out of the game; the last one left is the "
         "mattis.", "going out"),
)  # fmt: skip

READINGS = {
    "In which order players draw": "the winner of the trick first, then clockwise, each filling up; it matters only "
    "where the stock runs out; option draw_order",
    "Draws that were not written": "took place all the same, unseen, but prove nothing; the last card of the stock "
    "should be written (C draw up 7h)",
    "The last card of the stock played blind": "not allowed, as nobody would make trumps; option blind_on_last_card, "
    "and then whoever turned it up makes them",
    "When the first half stops": "when somebody has no card after a trick is taken and the stock is gone; a tie is "
    "played out first",
    "A tied player has no card for the tie": "may play blind; else all cards on the table go back to those who played "
    "them, and the first half is over, or, with one card left in the stock, the same player leads again",
    "Nothing won, but cards left in hand": "the cards left are the hand for the second half; only a player without any "
    "is blåmattis",
    "Any trump is higher": "than any plain card; among trumps rank decides",
    "All previous cards": "a play has to beat everything that lies, also where a play before it beat nothing",
    "The ace": "stands above the king and nowhere else, in sequences too",
    "The lowest card on the table": "the play that has lain longest, whole",
    "Picking up what could be beaten": "not allowed; option voluntary_pickup",
    "All plays have been taken up": "the next player to the left leads to a new trick, and its size is counted anew",
    "Whoever played last has just gone out": "the next player to the left who has cards leads",
    "Does a trick shrink when somebody goes out?": "no; so a player may play to it twice",
    "Blåmattis at an empty table": "is passed over, but still in the game and counted; takes cards up as soon as some "
    "lie there",
    "One player has cards, and a blåmattis none": "both are in the game: if the one plays the last card, the blåmattis "
    "has to take it and is the mattis",
    "Two players left, both with one card": "the game ends with the first of them to play it",
    "A card that nobody saw may have tied": "then whether the next card played breaks the tie or leads cannot be told, "
    "and from there on who holds what is open",
    "A card of the first half that nobody saw": "leaves open who took the trick; who leads next is noted as inferred, "
    "or `move * <trick >won:B` says who gathered it",
    "How many games make a match": "the text knows single games; option games; `end match agreed` whenever the table "
    "stops",
    "Who deals": "the deal passes to the left; option next_deal=mattis; after a misdeal the same player deals",
    "The hat": "is worn by the last mattis; it changes no play and is shown on the sheet",
}


class Hand:
    """One game of Mattis as it goes. What the second half keeps, `reducers.words.shedding` says.

    First half: `round` has the cards played since the trick or the tie began, `waiting` the seats still to play to it
    (`tied` in a tie), `leaders` who leads next (several if a card was not seen, none if nobody knows). `lying` is what
    lies on the table, oldest first, in both halves. `unwritten` says that draws were inferred, `uncounted` that cards
    nobody saw were among them, `guessed` that the last card was; `may_tie` names who may be the first to play again, as
    the last trick may have been a tie.
    """

    __slots__ = (
        "blamattis", "cleared", "doubt", "drawn", "gap", "gone", "guessed", "leaders", "live", "lying", "maker",
        "may_tie", "opened", "out", "round", "size", "tied", "trump", "turned", "uncounted", "unwritten", "waiting",
        "won",
    )  # fmt: skip
    beating: ClassVar[Beating] = BEATING

    def __init__(self, first: str) -> None:
        self.lying: list[Laid] = []
        self.round: list[tuple[str, int]] = []
        self.waiting: list[str] = []
        self.tied = False
        self.leaders: tuple[str, ...] = (first,)
        self.won: list[Trick] = []
        self.drawn: dict[str, int] = {}
        self.turned: tuple[str, int] | None = None
        self.maker = self.trump = ""
        self.live: list[str] = []
        self.out: list[str] = []
        self.blamattis: tuple[str, ...] = ()
        self.size = 0
        self.gone = self.cleared = 0
        self.may_tie: tuple[str, ...] = ()
        self.opened = self.gap = self.unwritten = self.uncounted = self.guessed = False
        self.doubt = ""

    @property
    def mattis(self) -> str:
        """Who is left when everybody else is out; empty while there are several."""
        return self.live[0] if len(self.live) == 1 else ""


def start(state: State[Hand]) -> Hand:
    """Before the deal nothing lies on the table; left of the dealer leads. The stock is laid out with the deal."""
    for player in state.terms.seats:
        state.table.bag(player)
    state.table.row("trick")
    first = state.terms.left(state.dealer)
    state.phase, state.turn = "building", (first,)
    return Hand(first)


def ready(state: State[Hand]) -> None:
    """Any act of play finds a game dealt: what nobody wrote of the deal are unseen cards, three each and the stock."""
    in_hand(state)
    if state.acts:
        return
    state.acts, table = 1, state.table
    for player in state.terms.seats:
        if not len(state.holding(player)):
            table.lay([UNSEEN] * CARDS_EACH, state.holding(player))
    stock = table.row("stock")
    stock.row = [UNSEEN] * (PACK.size - sum(map(len, table.piles.values()))) + (stock.row or [])


def stock_left(state: State[Hand]) -> int:
    """How many cards the stock has; before the deal was written, all that will not be dealt."""
    if not state.acts and "stock" not in state.table.piles:
        return PACK.size - CARDS_EACH * len(state.terms.seats)
    return len(state.table.row("stock").row or ())


def on_stock_top(state: State[Hand]) -> int:
    """The card on top of the stock as far as it is known."""
    row = state.table.row("stock").row if "stock" in state.table.piles else None
    return row[-1] if row else UNSEEN


def uncounted(state: State[Hand]) -> CheckResult | None:
    """Why nobody can say how many cards the stock and the hands of the first half have, if so."""
    if state.hand.uncounted:
        return clouded(state) or unknown("draws went by unwritten, so nobody counted the cards")
    return clouded(state)


def half_is_over(state: State[Hand]) -> CheckResult | None:
    """Why the second half may have begun although nobody wrote how the first one ended, if so."""
    hand, left = state.hand, stock_left(state)
    spare = CARDS_EACH * len(state.terms.seats) if hand.uncounted else 0
    if left > spare and not hand.gap and not (state.acts and state.table.row("stock").vague):
        return None
    return uncounted(state) or unknown("the stock is gone, and the second half may have begun")


def was_won(play: Play, state: State[Hand]) -> bool:
    """Whether a card is played that somebody has won: it is played again in the second half, and not before."""
    code = state.code(play.cards)
    piles = state.table.piles.items() if code < UNSEEN else ()
    return any(pile.certain & PACK.field[code] for name, pile in piles if name.startswith("won"))


# The phases of the first half, for checks that are about it; those of the second are `SHEDDING`.
BUILDING = "building drawing"


def first_half(state: State[Hand]) -> bool:
    return state.phase in ("building", "drawing")


def second_half(state: State[Hand]) -> bool:
    return state.phase in ("leading", "shedding")


# Building the hands
@RULES.check("R1", Play, when=BUILDING)
def one_card_in_turn(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    count = how_many(play.cards)
    if count is None:
        return unknown("nobody counted the cards")
    if count != 1:
        return half_is_over(state) or broken("one card is played at a time in the first half")
    if dark := clouded(state):
        return dark
    if hand.waiting:
        return None if play.by == hand.waiting[0] else broken(f"it is the turn of {hand.waiting[0]}")
    if play.by in hand.leaders:
        return None
    if state.phase == "drawing" and runs_out(state):
        # The first half may be over with the last card of the stock, and then whoever drew it leads.
        return unknown("who drew the last card of the stock was not written")
    won = hand.won and hand.won[-1].winners == hand.leaders
    return broken(f"{hand.leaders[0]} {'took the trick' if won else 'sits left of the dealer'} and leads")


@RULES.check("R2", Fault, when=BUILDING)
def any_card_may_be_played(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table took it for a fault that somebody played another suit."""
    return broken("in the first half any card may be played") if fault.word == "suit" else None


@RULES.check("R3", Play)
def blind_from_the_stock(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if play.src != "stock":
        if hand.turned and hand.turned[0] == play.by and first_half(state):
            return broken(f"{play.by} turned up {PACK.shown(hand.turned[1])} and has to play it")
        return None
    if not first_half(state):
        return clouded(state) or broken("the stock is gone")
    left, top, code = stock_left(state), on_stock_top(state), state.code(play.cards)
    if hand.gap:
        return clouded(state)
    if state.acts and state.table.row("stock").vague:
        return unknown("nobody counted the stock")
    if state.phase == "drawing":
        if runs_out(state, spare=not state.terms.options.blind_on_last_card):
            return clouded(state) or unknown("how many cards were drawn before this was not written")
        top = UNSEEN
    if left == 0:
        return uncounted(state) or broken("the stock is gone")
    if left == 1 and not state.terms.options.blind_on_last_card:
        drawn = "the last card of the stock is drawn and makes trumps; it is not played blind"
        return uncounted(state) or broken(drawn)
    if top < UNSEEN and code < UNSEEN and top != code:
        return broken(f"{PACK.shown(top)} lay on top of the stock")
    if top != code and any(c < UNSEEN for c in state.table.row("stock").row or ()):
        return clouded(state)  # who drew before this, and so how deep a stock that was partly seen now is, may be open
    return None


def on_play(play: Play, state: State[Hand]) -> None:
    """What nobody wrote before this took place first: draws, or the cards of those passed over."""
    ready(state)
    hand, seat = state.hand, play.by
    if first_half(state) and half_is_over(state) and ((how_many(play.cards) or 0) > 1 or was_won(play, state)):
        second_begins(state)
    if seat in hand.may_tie and first_half(state):
        # Whether this is played to break the tie, or to lead after draws nobody wrote, cannot be told.
        lose_count(state)
    if state.phase == "drawing":
        draw_unwritten(state)
    if hand.waiting and seat not in hand.waiting and any(s == seat for s, _ in hand.round):
        fill_up(state)
    if first_half(state):
        play_to_trick(play, state)
    else:
        lay(play, state)


def play_to_trick(play: Play, state: State[Hand]) -> None:
    """A card of the first half, from the hand or turned up from the stock."""
    hand, table, seat = state.hand, state.table, play.by
    if not hand.waiting:
        lead(seat, state)
    src, trick = pile_named(state, play.src or seat), table.row("trick")
    codes = table.codes(play.cards, src)
    table.move(codes, src, trick)
    lying = (trick.row or [])[-len(codes) :]
    hand.turned = None
    if play.src == "stock" and not len(src) and not src.vague and lying:
        make_trumps(seat, lying[-1], state)
    hand.lying += [Laid(seat, (code,)) for code in lying]
    hand.round.append((seat, lying[0] if lying else UNSEEN))
    if seat in hand.waiting:
        hand.waiting.remove(seat)
    next_in_round(state)


def lead(seat: str, state: State[Hand]) -> None:
    """A new trick. Who leads shows who took the last one, where a card of it was not seen."""
    hand = state.hand
    if len(hand.leaders) > 1 and seat in hand.leaders and hand.won and len(hand.won[-1].winners) > 1:
        hand.won[-1] = replace(hand.won[-1], winners=(seat,), inferred=True)
        give_trick("won", f"won:{seat}", state)
        state.infer(f"{seat} took trick {len(hand.won)}, as {seat} leads; a card of it was not seen")
    hand.waiting, hand.round, hand.tied = list(state.terms.around(seat)), [], False
    hand.leaders = (seat,)


def next_in_round(state: State[Hand]) -> None:
    """Who plays next; a round that is full is taken, or goes on among those who tie."""
    hand = state.hand
    state.phase = "building"
    while hand.waiting and not has_cards(hand.waiting[0], state) and not may_play_blind(state):
        if hand.tied:
            undo_trick(state)
            return
        hand.waiting.pop(0)
    if hand.waiting:
        state.turn = (hand.waiting[0],)
        return
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


def may_play_blind(state: State[Hand]) -> bool:
    left = stock_left(state)
    return left > 1 or (left == 1 and state.terms.options.blind_on_last_card) or state.table.row("stock").vague


def highest(state: State[Hand]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has the highest rank of the round, and whose unseen card may be as high."""
    cards, free = state.hand.round, state.table.free()
    best = max(VALUE.get(PACK.rank_of[c], 0) for _, c in cards)
    ahead = tuple(dict.fromkeys(s for s, c in cards if best and VALUE.get(PACK.rank_of[c], 0) == best))
    unseen = [(s, PACK.may_be[c] & free) for s, c in cards if PACK.rank_of[c] == "?"]
    perhaps = tuple(s for s, bag in unseen if any(STRENGTH[c] >= best for c in PACK.codes(bag)))
    return ahead or tuple(s for s, _ in cards), perhaps


def may_tie(state: State[Hand]) -> tuple[str, ...]:
    """Who may be the first to play again, because the highest rank of the round may have been played twice."""
    cards, free = state.hand.round, state.table.free()
    best = max(VALUE.get(PACK.rank_of[c], 0) for _, c in cards)
    first = set[str]()
    for rank in range(max(best, 1), len(VALUE) + 1):
        mask = PACK.rank[BEATING.order[rank - 1]]
        had = [s for s, c in cards if VALUE.get(PACK.rank_of[c]) == rank]
        may = [s for s, c in cards if s in had or (PACK.rank_of[c] == "?" and PACK.may_be[c] & free & mask)]
        # Whoever plays first of two who may tie, and everybody who certainly does not come before.
        first.update(s for i, s in enumerate(may) if len(may) > i + 1 and not any(s in had for s in may[:i]))
    return tuple(first)


def take_trick(winners: tuple[str, ...], state: State[Hand]) -> None:
    """All cards on the table go to whoever took the trick; while that is open they lie with nobody."""
    hand = state.hand
    hand.won.append(Trick(state.at, tuple((s, c) for s, codes in hand.lying for c in codes), winners))
    give_trick("trick", f"won:{winners[0]}" if len(winners) == 1 else "won", state)
    hand.lying, hand.leaders, hand.drawn = [], winners, {}
    between_tricks(state)


def give_trick(src: str, dst: str, state: State[Hand]) -> None:
    """The cards of the last trick go from one row to another."""
    here, there = state.table.row(src).row, state.table.row(dst).row
    assert here is not None
    assert there is not None
    count = len(state.hand.won[-1].plays)
    there += here[-count:]
    del here[-count:]


def undo_trick(state: State[Hand]) -> None:
    """A tie that cannot be played out: every card goes back to the hand it came from."""
    hand, trick = state.hand, state.table.row("trick")
    leader = hand.lying[0].seat
    state.infer(f"{hand.waiting[0]} has no card for the tie: all cards on the table go back to those who played them")
    for player, codes in reversed(hand.lying):
        for code in reversed(codes):
            state.table.move_one(code, trick, state.holding(player))
    hand.lying, hand.waiting, hand.round, hand.tied, hand.leaders = [], [], [], False, (leader,)
    if stock_left(state):
        state.turn = (leader,)
    else:
        half_time(state)


def fill_up(state: State[Hand]) -> None:
    """A player plays again before all have played: the cards in between went by unwritten."""
    hand, trick = state.hand, state.table.row("trick")
    missing = list(hand.waiting)
    for player in missing:
        state.table.move_one(UNSEEN, state.holding(player), trick)
        hand.lying.append(Laid(player, (UNSEEN,)))
        hand.round.append((player, UNSEEN))
    hand.waiting = []
    state.infer(f"trick {len(hand.won) + 1} was full before this: the card of {' and '.join(missing)} was not written")
    next_in_round(state)
    if state.phase == "drawing":
        draw_unwritten(state)


@RULES.check("R4", Move)
def the_highest_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    """The table says who took the trick that is full."""
    hand = state.hand
    if not gathers(move, state):
        return None
    last, who = hand.won[-1], move.to[4:]
    if len(last.winners) > 1 or last.inferred:
        return unknown("a card of the trick was not seen")
    if who != last.winner and not last.gathered:
        card = next(c for s, c in reversed(last.plays) if s == last.winner)
        return broken(f"{last.winner} took the trick with the {PACK.shown(card)}")
    return None


def gathers(move: Move, state: State[Hand]) -> bool:
    """Whether this says who took the trick just played."""
    if move.src != "trick" or not move.to.startswith("won:") or move.to[4:] not in state.terms.seats:
        return False
    hand = state.hand
    return bool(state.number) and first_half(state) and bool(hand.won) and not hand.lying and not hand.drawn


def on_gathering(move: Move, state: State[Hand]) -> None:
    """Whoever gathered the last trick has its cards, and leads; anything else is a move like any other."""
    hand = state.hand
    if not gathers(move, state):
        on_move(move, state)
        return
    last, who = hand.won[-1], move.to[4:]
    before = last.gathered or last.winner
    give_trick(f"won:{before}" if before else "won", move.to, state)
    hand.won[-1], hand.leaders = replace(last, gathered=who), (who,)
    hand.may_tie = ()
    if not before:
        # Who has the cards was seen now, whatever the card nobody saw was.
        hand.doubt = ""
    between_tricks(state)


# Building the hands: drawing
def between_tricks(state: State[Hand]) -> None:
    """A trick is taken: those who lack cards draw, and without a stock the half ends as soon as somebody has none."""
    hand = state.hand
    seat = next_drawer(state)
    if seat:
        state.phase, state.turn = "drawing", (seat,) if len(hand.leaders) == 1 else hand.leaders
    elif not stock_left(state) and not all(has_cards(s, state) for s in state.terms.seats):
        half_time(state)
    else:
        state.phase, state.turn = "building", hand.leaders or state.terms.seats


def lacks(seat: str, state: State[Hand]) -> int:
    """How many cards a seat has to draw."""
    pile = state.holding(seat)
    return 0 if pile.vague or (has := len(pile)) >= CARDS_EACH else CARDS_EACH - has


def wanted(state: State[Hand]) -> int:
    """How many cards are to be drawn now by all together."""
    return sum(lacks(s, state) for s in state.terms.seats)


def runs_out(state: State[Hand], spare: int = 0) -> bool:
    """Whether the stock has no more than so many cards beyond those that are to be drawn now."""
    left = stock_left(state) - spare
    return left <= CARDS_EACH * len(state.terms.seats) and left <= wanted(state)


def next_drawer(state: State[Hand]) -> str:
    """Who draws the next card, empty when nobody does any more."""
    hand, stock = state.hand, state.table.row("stock")
    if not stock.row or stock.vague or not hand.leaders:
        return ""
    due = (s for s in state.terms.around(hand.leaders[0]) if lacks(s, state))
    if state.terms.options.draw_order == "in_rounds":
        return min(due, key=lambda s: hand.drawn.get(s, 0), default="")
    return next(due, "")


@RULES.check("R5", Deal)
def three_cards_each(deal: Deal, state: State[Hand]) -> CheckResult | None:
    """Nobody gets more; whether somebody has less shows when the stock is laid out."""
    if state.acts:
        return None
    dealt = {name.removeprefix("hand:"): how_many(cards) for name, cards in deal.piles}
    for player in state.terms.seats:
        before = 0 if state.settled else len(state.holding(player))
        now = dealt.get(player, 0)
        if now is None:
            return unknown(f"nobody counted the cards dealt to {player}")
        count = before + now
        uncounted = not state.settled and player in state.table.piles and state.holding(player).vague
        if (player in dealt and count > CARDS_EACH) or ("stock" in dealt and 0 < count < CARDS_EACH and not uncounted):
            return broken(f"each player gets {CARDS_EACH} cards; {player} has {count}")
    return None


@RULES.check("R5", Draw)
def draw_up_to_three(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, count = state.hand, how_many(draw.cards)
    if draw.src not in ("", "stock"):
        if not first_half(state):
            return None
        return half_is_over(state) or broken("in the first half cards are drawn from the stock")
    if not first_half(state):
        return clouded(state) or broken("the stock is gone")
    if dark := clouded(state):
        return dark
    if hand.lying:
        return broken("cards are drawn when the trick is taken")
    pile = state.holding(draw.by)
    if count is None or pile.vague:
        return unknown("nobody counted the cards")
    if count > lacks(draw.by, state):
        has = f"{len(pile)} card{'s' * (len(pile) != 1)}"
        return uncounted(state) or broken(f"{draw.by} has {has}, and three are the most")
    if state.terms.options.draw_order == "free" or not runs_out(state):
        return None
    first = next_drawer(state)
    if first and draw.by != first and not draws_the_last(draw, state):
        return uncounted(state) or broken(f"{first} draws first, and the stock is running out")
    return None


def draws_the_last(draw: Draw, state: State[Hand]) -> bool:
    """Whether this is the last card of the stock, shown by the seat it falls to; draws before it were not written."""
    if draw.face != "up" or state.phase != "drawing" or how_many(draw.cards) != 1:
        return False
    left = stock_left(state)
    if left == 1 or left > wanted(state):
        return False
    after = state.copy()
    draw_unwritten(after, leave=1)
    return next_drawer(after) == draw.by


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ready(state)
    if draw.src == "trick" and first_half(state) and half_is_over(state):
        second_begins(state)
    if draw.src == "trick" and not first_half(state):
        pick_up(draw, state)
        return
    hand, table = state.hand, state.table
    if not hand.lying:
        hand.may_tie = ()
    if draws_the_last(draw, state):
        draw_unwritten(state, leave=1)
    src = pile_named(state, draw.src or "stock")
    for code in table.codes(draw.cards, src):
        # After a gap nobody knows how many are left; a card that is shown then is the last one.
        last = src.name == "stock" and ((len(src) == 1 and not src.vague) or (src.vague and draw.face == "up"))
        draw_one(draw.by, code, state, src=src.name, last=last, shown_to_all=draw.face != "down")
    if first_half(state) and not hand.lying:
        between_tricks(state)


def draw_one(
    seat: str, code: int, state: State[Hand], *, src: str = "stock", last: bool, shown_to_all: bool = True
) -> None:
    """One card; the last of the stock makes trumps, and goes to the cards won unless it was kept."""
    table, hand = state.table, state.hand
    stock = table.row(src)
    if not last:
        table.move_one(code, stock, state.holding(seat))
    elif shown_to_all:
        won = table.row(f"won:{seat}")
        table.move_one(code, stock, won)
        make_trumps(seat, (won.row or [UNSEEN])[-1], state)
    else:
        top = (stock.row or [UNSEEN])[-1]
        table.move_one(code, stock, state.holding(seat))
        make_trumps(seat, top if top < UNSEEN else code, state)
    hand.drawn[seat] = hand.drawn.get(seat, 0) + 1


def make_trumps(seat: str, code: int, state: State[Hand]) -> None:
    """The last card of the stock: its suit, if it was seen, and who drew it."""
    suit = PACK.suit_of[code]
    state.hand.maker, state.hand.trump = seat, suit if suit in SUITS else ""


def draw_unwritten(state: State[Hand], leave: int = 0) -> None:
    """The draws nobody wrote take place, unseen, down to so many cards left in the stock."""
    hand = state.hand
    while stock_left(state) > leave and (seat := next_drawer(state)):
        last = stock_left(state) == 1
        if on_stock_top(state) >= UNSEEN:
            hand.uncounted, hand.guessed = True, last
        draw_one(seat, UNSEEN, state, last=last)
        if last:
            state.infer(f"{seat} drew the last card of the stock; nobody wrote which")
        elif not hand.unwritten:
            state.infer("after each trick, unless a draw is written, whoever lacked cards drew up to three")
            hand.unwritten = True
    if not leave:
        between_tricks(state)


def on_show_of_cards(show: Show, state: State[Hand]) -> None:
    """The top of the stock turned up is to be played; the last card shown late tells trumps."""
    if show.src == "stock" and state.number:
        ready(state)
        row = state.table.row("stock").row
        code = state.code(show.groups[0])
        if row and code < UNSEEN and row[-1] >= UNSEEN:
            state.table.tell_order([*row[:-1], code], state.table.row("stock"))
        state.hand.turned = (show.by, code)
        return
    on_show(show, state)
    hand = state.hand
    if state.number and first_half(state) and show.src == f"won:{hand.maker}" and not hand.trump:
        make_trumps(hand.maker, state.code(show.groups[0]), state)
        hand.guessed = False


# Ending the first half
@RULES.check("R6", Draw, when=BUILDING)
def the_last_card_is_shown(draw: Draw, state: State[Hand]) -> CheckResult | None:
    count = how_many(draw.cards)
    if draw.src not in ("", "stock") or draw.face != "down" or count is None:
        return None
    if state.hand.gap:
        return clouded(state)
    if not 0 < stock_left(state) <= count:
        return None
    return uncounted(state) or broken(f"{draw.by} drew the last card of the stock and did not show it")


@RULES.check("R6", Name)
def the_last_card_makes_trumps(name: Name, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.gap:
        return None
    if hand.maker and not hand.trump:
        return unknown("the last card of the stock was not seen")
    if not hand.trump:
        return clouded(state) or broken("the last card of the stock makes trumps, and it has not been drawn")
    if name.what != hand.trump:
        return broken(f"the last card of the stock makes {SUIT_NAMES[hand.trump]} trumps")
    return None


def on_name(name: Name, state: State[Hand]) -> None:
    """After a gap: who made trumps, and which, so that the second half begins; in what order it is played nobody can
    say, as the name may have come too early."""
    ready(state)
    hand = state.hand
    if name.what in SUITS and hand.gap and first_half(state):
        hand.maker, hand.trump = name.by, name.what
        half_time(state)


def half_time(state: State[Hand]) -> None:
    """What was won, and what was left in hand, is the hand for the second half."""
    hand, table, players = state.hand, state.table, state.terms.seats
    if hand.guessed:
        hand.doubt = hand.doubt or "who drew the last card of the stock was not written"
    perhaps = {s for trick in hand.won if len(trick.winners) > 1 and not trick.gathered for s in trick.winners}
    if perhaps:
        # A trick went to one of these, nobody knows to whom.
        for pile in (table.row("won"), *map(state.holding, sorted(perhaps))):
            table.lose_sight(pile)
    for player in players:
        won = table.row(f"won:{player}")
        for code in reversed(list(won.row or [])):
            table.move_one(code, won, state.holding(player))
    hand.blamattis = tuple(s for s in players if not has_cards(s, state))
    hand.live, hand.out, hand.lying, hand.waiting = list(players), [], [], []
    state.phase = "leading"
    turn_to(next_to_act(hand.maker, state, itself=True) if hand.maker else players, state)


def second_begins(state: State[Hand]) -> None:
    """An act that belongs to the second half shows that the first one is over, though the record does not tell how."""
    lose_count(state)
    half_time(state)
    lose_count(state)
    state.infer("the second half has begun; nobody wrote how the first one ended")


# Playing the hands out: what the words of shedding judge, in the order of the findings
@RULES.check("R8", Play, when=SHEDDING)
def the_trump_maker_leads_first(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.opened:
        return None
    if dark := clouded(state):
        return dark
    if play.by in state.turn:
        return None
    maker = f"{hand.maker} drew the last card of the stock"
    none_left = f" and has none left, so {state.turn[0]} leads"
    return broken(maker + (" and leads" if state.turn == (hand.maker,) else none_left))


RULES.check("R9", Play, when=SHEDDING)(beats_all_that_lies)


@RULES.check("R9", Draw, when=SHEDDING)
def whoever_could_beat_does_not_pick_up(draw: Draw, state: State[Hand]) -> CheckResult | None:
    return None if state.terms.options.voluntary_pickup else whoever_can_beat_does(draw, state)


RULES.check("R10", Play, when=SHEDDING)(several_are_a_sequence)
RULES.check("R11", Draw, when=SHEDDING)(takes_the_lowest)
RULES.check("R12", Play, Draw, when=SHEDDING)(acts_in_turn)


# Ending the game
@RULES.check("R13", Call)
def without_a_card_left(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "out":
        return None
    return broken("nobody goes out in the first half") if first_half(state) else has_none_left(call, state)


def on_call(call: Call, state: State[Hand]) -> None:
    """Where nobody counted any more, the table says who is out."""
    ready(state)
    if call.word == "out" and second_half(state):
        said_to_be_out(call.by, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: who holds what, what lies and whose turn it is, nobody can say."""
    if not state.settled and state.number:
        ready(state)
        lose_count(state)


def lose_count(state: State[Hand]) -> None:
    """Who holds what, what lies and whose turn it is, nobody can say any more."""
    hand, table = state.hand, state.table
    if second_half(state):
        shedding.lose_count(state)
        return
    for pile in [*table.piles.values()]:
        table.lose_sight(pile)
    hand.gap, hand.may_tie, hand.lying, hand.waiting, hand.round, hand.leaders = True, (), [], [], [], ()
    state.phase, state.turn = "building", state.terms.seats


# Scoring: who was left with cards
def the_last_one_left(known: Mapping[str, Any], state: State[Hand]) -> str:
    """The mattis did not go out, and everybody else did."""
    mattis, out = known.get("mattis"), seats_in(known.get("out", ()), state.terms)
    if mattis in out:
        return f"{mattis} went out and is not the mattis"
    return "somebody is left with the cards" if len(out) == len(state.terms.seats) else ""


class Tally(TallyFacts):
    """What a game of Mattis is scored from; empty where it is not known."""

    mattis: str = seat("the player left with cards", rule="R13", ruling="the player who counts as the mattis")
    out: tuple[str, ...] = seats(
        "the players who went out, in order", once=True, rule="R13",
        says="nobody goes out twice: {key} is different seats",
    )  # fmt: skip
    blamattis: tuple[str, ...] = seats("players without a card at half-time", once=True, rule="R7")
    trump: str = choice("suit that was trumps", *SUITS, rule="R6")
    void: str = why_void("misdeal: the game does not count", ruling="yes: the game does not count")

    laws = (Law(("mattis", "out"), the_last_one_left, "R13"),)


WORDS = {
    "blind": "typed for a card played from the top of the stock (blind 4d)",
    "out": "said (call out) by who has played the last card; needed only where cards were not counted",
    "suit": "fault: the table minded that a suit was not followed in the first half",
    "misdeal": "end: the game is dealt again",
    "void": "end: the game does not count",
}


@RULES.check("R7", TallyEvent)
def blamattis_has_no_card(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """What the table says of half-time, against the moves."""
    if "blamattis" not in event.facts or not state.number or not state.hand.live or clouded(state):
        return None
    said = seats_in(event.facts["blamattis"], state.terms)
    for player in state.terms.seats:
        if (player in said) != (player in state.hand.blamattis):
            return broken(f"{player} had {'cards' if player in said else 'no card'} at half-time")
    return None


@RULES.check("R13", TallyEvent)
def out_as_it_was_played(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """Who went out by the moves is not the mattis, and went out in that order."""
    out, mattis = seats_in(event.facts.get("out", ()), state.terms), str(event.facts.get("mattis", ""))
    hand = state.hand if state.number else None
    if hand is None or not hand.mattis or clouded(state):
        return None
    if mattis and mattis != hand.mattis:
        return broken(f"{hand.mattis} was left with the cards")
    if out and list(out) != hand.out:
        return broken(f"they went out in the order {', '.join(hand.out)}")
    return None


def tally(state: State[Hand]) -> Tally:
    """The tally of the game in play: from its moves, overlaid by what a `tally` or a ruling says."""
    hand = state.hand
    t = overlaid(Tally(hand.mattis, tuple(hand.out), hand.blamattis, hand.trump), state)
    if not t.mattis and len(t.out) == len(state.terms.seats) - 1:
        t.mattis = next(s for s in state.terms.seats if s not in t.out)
    return t


def score(state: State[Hand]) -> HandScore:
    """One stroke for the mattis."""
    t, name, players = tally(state), state.terms.name, state.terms.seats
    contract = f"trumps {GLYPHS[t.trump]}" if t.trump in GLYPHS else ""
    nothing: Points = dict.fromkeys(players, 0)
    nobody_knows: Points = dict.fromkeys(players)
    if t.void:
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    if t.mattis:
        points: Points = {s: int(s == t.mattis) for s in players}
        lines = [Line("mattis", points)]
        if len(t.out) == len(players) - 1:
            lines.append(Line("out", {s: i for i, s in enumerate((*t.out, t.mattis), 1)}))
        notes = [f"{name(s)} was blåmattis" for s in t.blamattis]
        return hand_score(
            state, points, lines, contract=contract, result=f"{name(t.mattis)} is the mattis", notes=notes
        )
    if state.cut:
        broken_off = ["broken off; nobody is the mattis"]
        return hand_score(state, nothing, contract=contract, result="broken off", notes=broken_off)
    if not state.settled:
        points = nobody_knows if state.tallies else nothing
        return hand_score(state, points, contract=contract, unknown=["the game is in play"], source="nothing")
    return hand_score(state, nobody_knows, contract=contract, unknown=["who was left with cards"])


def fool_of(s: HandScore | None) -> str:
    """The mattis of a game; empty if nobody is, or nobody knows."""
    return next((who for who, n in s.points.items() if n), "") if s is not None else ""


class Match(Standing, frozen=True):
    """The standing, and who wears the hat."""

    hat: str = ""


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """So many games make a match; nobody wins it, but somebody wears the hat."""
    assert isinstance(before, Match)
    games = before.hands + (hand.source in ("moves", "tally", "tricks"))
    hat, over = fool_of(hand) or before.hat, games >= terms.options.games
    return replace(before, totals=added(before.totals, hand.points), hands=games, over=over, hat=hat)


def next_dealer(state: State[Hand]) -> str:
    """To the left, or the mattis by a house rule; after a misdeal the same dealer deals again."""
    fool = fool_of(state.scores[-1]) if state.scores and state.terms.options.next_deal == "mattis" else ""
    return fool or deals_next(state)


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """A game whose end was not recorded: who had cards left."""
    t = tally(state)
    if not t.void and not t.mattis and not state.cut:
        yield "who was left with cards", {s: {"mattis": s} for s in state.terms.seats if s not in t.out}


# The sheet: a row a game, strokes for the mattis
def trumps(s: HandScore, state: State[Hand]) -> Cell:
    return Cell(s.contract.rpartition(" ")[2] or "–")


def went_out(s: HandScore, state: State[Hand]) -> Cell:
    """Who went out, in order."""
    places = next((line.amounts for line in s.lines if line.label == "out"), {})
    order = sorted((n or 0, who) for who, n in places.items() if who != fool_of(s))
    return Cell(", ".join(state.terms.name(who) for _, who in order) or "–")


def left_with_cards(s: HandScore, state: State[Hand]) -> Cell:
    fool = fool_of(s)
    return Cell(state.terms.name(fool)) if fool else Cell(s.result or "?", "", "" if s.result else "unknown")


def strokes(s: HandScore, who: str, state: State[Hand]) -> Cell:
    return Cell(figure(s.totals.get(who)), "", "won" if who == fool_of(s) else "total")


GAMES = Form(
    once={"trumps": trumps, "went out": went_out, "mattis": left_with_cards}, each={"{}": strokes}, heading="Games",
    first=("game", "dealer"),
)  # fmt: skip


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """A row for each game, and above them who wears the hat."""
    hat = state.standing.hat if isinstance(state.standing, Match) else ""
    facts = (*empty.facts, ("The hat", state.terms.name(hat))) if hat else empty.facts
    return GAMES(state, replace(empty, facts=facts))


# What may be done now
def from_the_stock(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The top of the stock, played blind, or drawn."""
    top = (PACK.tokens[on_stock_top(state)],)
    if stock_left(state):
        yield Play(by=seat, cards=top, src="stock")
        yield Draw(by=seat, cards=top)


def next_draw(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The next card of the stock; the last one is shown, or kept against the rule."""
    last, top = stock_left(state) == 1, (PACK.tokens[on_stock_top(state)],)
    yield Draw(by=seat, cards=top, face="up" if last else None)
    if last:
        yield Draw(by=seat, cards=top, face="down")


# Typing at the table
def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """`blind 4d` is a card from the stock; in the second half a draw is the pick-up; the last card is drawn openly."""
    if isinstance(event, Call) and event.word == "blind":
        # `kc` may also be read as a word.
        card = event.what.capitalize()
        return (Play(by=event.by, cards=event.cards or (card if card in PACK.code else "??",), src="stock"),)
    if isinstance(event, Call) and event.word not in WORDS:
        return ()
    if not isinstance(event, Draw):
        return (event,)
    if event.src in ("", "trick") and second_half(state):
        unseen = all("?" in card for card in event.cards) and bool(state.hand.lying)
        return (lowest_taken(event.by, state) if unseen else replace(event, src="trick"),)
    seen = state.code(event.cards) != UNSEEN
    if seen and not event.src and event.face is None and state.phase == "drawing":
        up = replace(event, face="up")
        return (up,) if stock_left(state) == 1 or draws_the_last(up, state) else (event,)
    return (event,)


def whose(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Draws may be left out, so a card typed alone after a trick is the winner's lead."""
    return state.hand.leaders if kind is Play and state.phase == "drawing" else state.turn


def forced_draw(state: State[Hand]) -> Event | None:
    """A lone `.` after a trick: an unseen card drawn."""
    return Draw(by=state.turn[0], cards=("??",)) if state.turn else None


def led(state: State[Hand]) -> str:
    """A rank alone answers the suit on top; the first half knows no suits."""
    hand = state.hand
    return PACK.suit_of[hand.lying[-1].codes[-1]] if second_half(state) and hand.lying else ""


def headline(state: State[Hand]) -> dict[str, Any]:
    """The stock, trumps and who made them, who is out, and who wears the hat."""
    hand, before = state.hand, state.before
    facts: dict[str, Any] = {"stock": stock_left(state)} if first_half(state) else {}
    if hand.maker:
        facts |= {"trump": hand.trump or "?", "trump maker": hand.maker}
    if hand.out:
        facts["out"] = " ".join(hand.out)
    return facts | ({"hat": before.hat} if isinstance(before, Match) and before.hat else {})


def latest(state: State[Hand]) -> str:
    """The trick, the tie, the end of the stock, half-time, who went out."""
    hand = state.hand
    if state.settled:
        return ""
    parts = []
    if hand.won and hand.won[-1].at == state.at:
        parts.append(f"trick {len(hand.won)} to {' or '.join(hand.won[-1].winners)}")
    if hand.tied and not hand.round and hand.waiting:
        parts.append(f"tie: {' and '.join(hand.waiting)} play again")
    if state.phase == "drawing" and runs_out(state):
        parts.append(f"{stock_left(state)} left in the stock: {last_drawer(state)} draws the last one")
    if second_half(state) and not hand.opened:
        suit = f"{SUIT_NAMES[hand.trump]} are trumps" if hand.trump else "which suit is trumps was not seen"
        blue = f", {' and '.join(hand.blamattis)} blåmattis" if hand.blamattis else ""
        parts.append(f"the second half: {suit}{blue}")
    elif hand.gone == state.at and hand.out:
        parts.append(f"{hand.out[-1]} is out")
    if hand.opened and hand.cleared == state.at and len(state.turn) == 1:
        parts.append(f"{state.turn[0]} leads")
    return ", ".join(parts)


def last_drawer(state: State[Hand]) -> str:
    """To whom the last card of the stock falls."""
    after = state.copy()
    if stock_left(after) > 1:
        draw_unwritten(after, leave=1)
    return next_drawer(after)


def weigh(state: State[Hand], event: Event) -> float:
    """In a simulation: long sequences first, and now and then a card played blind."""
    if isinstance(event, Play) and event.src == "stock":
        return 0.2
    return float(len(event.cards) ** 2) if isinstance(event, Play) else 1.0


GAME = Game(
    key="mattis",
    name="Mattis",
    summary=summary_of(__doc__),
    players="3 to 8, each alone",
    seating=SEATS,
    pack=PACK,
    deal=DEAL,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=Tally,
    told=tally,
    words=WORDS,
    phases={
        "building": Phase(
            "the first half", (Play, Draw, Name, Call),
            "a card (4d), a card turned up from the stock (blind 4d), or a whole trick on one line",
            to_do="play", one_card=True, bare=(), verbed=(Draw,), tries=(each_card, from_the_stock),
        ),
        "drawing": Phase(
            "drawing", (Draw, Play, Name, Call),
            "the next lead, as draws may be left out; the last card of the stock (C draw up 7h)",
            quiet=forced_draw, to_do="draw, or lead", one_card=True, bare=(), verbed=(Draw,), tries=(next_draw,),
        ),
        "leading": Phase(
            "the second half", (Play, Draw, Call), "a card or a sequence (6c7c8c)", to_do="lead", verbed=(Draw,),
            tries=(each_play, the_lowest),
        ),
        "shedding": Phase(
            "the second half", (Play, Draw, Call),
            "a card or a sequence (6c7c8c), or the lowest play picked up (. alone)",
            quiet=forced_pick_up, to_do="beat it or pick up", verbed=(Draw,), tries=(each_play, the_lowest),
        ),
    },
    start=start,
    on={
        Play: on_play, Draw: on_draw, Move: on_gathering, Show: on_show_of_cards, Name: on_name, Call: on_call,
        Gap: on_gap,
    },
    new_match=lambda terms: Match(dict.fromkeys(terms.seats, 0)),
    score=score,
    after=after,
    next_dealer=next_dealer,
    sheet=sheet,
    chance=shuffle_and_deal,
    weigh=weigh,
    most_hands=120,
    usual=usual,
    whose=whose,
    unasked=frozenset(("building", "drawing")),
    led=led,
    headline=headline,
    latest=latest,
    missing=missing,
)  # fmt: skip
