"""Scopa: two players take cards that pair or add up; most cards, most diamonds, the seven of diamonds, the best primiera and every sweep count a point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from random import Random
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import SUIT_NAMES, SUITS, how_many, pack, pretty
from events.model import Capture, Deal, End, Event, Fault, Gap, Move, Play, Show
from events.model import Hand as HandEvent
from reducers import facts as fact
from reducers.evolve import finish_hand, in_hand, on_move, pile_named, spread
from reducers.evolve import on_show as common_show
from reducers.legal import legal
from reducers.model import Game, Phase, State
from reducers.rules import DUTY, RIGHT, Catalogue, CheckResult, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, Standing, added, figure
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.table import Pile, Table
from reducers.tally import facts_declared
from reducers.terms import Terms, hand_of, singles
from reducers.words.captures import Captures, Worth, codes_of
from reducers.words.deals import WHO_DEALS, deals_next
from reducers.words.rulings import cards_over
from reducers.words.tallies import readable, void_of

# Setup: the queen stands for the knight, the jack for the footsoldier, diamonds for coins
SEATS = singles(2)
PACK = pack("A 2 3 4 5 6 7 J Q K")
CARDS_EACH, ON_BOARD = 3, 4
UNSEEN = PACK.unknown
KINGS, DIAMONDS, SEVEN = PACK.rank["K"], PACK.suit["d"], PACK.field[PACK.code["7d"]]

# Capture values
WORTH = Worth(PACK, {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "J": 8, "Q": 9, "K": 10})

# Primiera: what the best card of each suit counts
PRIME = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
BEST_FIRST = {suit: [rank + suit for rank in PRIME] for suit in SUITS}


class Options(Struct, frozen=True):
    """House rules of Scopa."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 11
    kings_redeal: Annotated[
        int, Meta(ge=1, le=5, description="so many kings among the first board cards and the hand is dealt again; 5: never")
    ] = 3
    last_play_sweep: Annotated[bool, Meta(description="the very last play of a hand may be a sweep too")] = False


RULES = Catalogue(
    "scopa",
    rule("R1", "Game play", DUTY, "Whoever did not deal begins; then each in turn plays one card.", "play in turn"),
    rule("R2", "Game play", DUTY, "A card that pairs takes one board card of its own rank, and only that one.", "pair"),
    rule("R3", "Game play", DUTY, "A card that does not pair takes two or more board cards that add up exactly to its value.", "add up"),
    rule("R4", "Game play", DUTY, "A card that can pair must pair; it may not take a sum then.", "pair first"),
    rule("R5", "Game play", DUTY, "A card that can capture may not be laid to the board instead.", "no trailing"),
    rule("R6", "Game play", RIGHT, "Among equal cards, or among several sums, the player chooses.", "choice"),
    rule("R7", "Game play", DUTY, "Three cards go to each hand and, once, four to the board; later deals give the board none.", "the deal"),
    rule("R8", "Setup", DUTY, "With three or more kings among the first four board cards the hand is not played but dealt again.", "three kings"),
)  # fmt: skip

READINGS = {
    "Trailing while another card could capture": "allowed: the ban is on the card that could capture, not on the turn",
    "Clearing the board with the very last card of a hand": "no sweep; clearing it earlier is one, even if nobody captures after it; option last_play_sweep",
    "Both players could pass the target by sweeps": "sweeps are counted in the order in which they were made",
    "A sweep that would be the winning point": "does not end the hand: everything is counted after the last card",
    "Can both reach the target?": "no: points are counted one at a time, and what is left over is not counted",
    "Level in the primiera": "nobody has the point; a player alone with all four suits has it",
    "An empty board": "whatever is played then is trailed",
    "A hand without any capture": "what lies on the board at its end belongs to nobody",
    "Three kings": "dealing again is taken as a duty, by the same dealer; option kings_redeal says how many, 5 means never",
    "Face cards in a sum": "count like any other: jack and ace make nine, queen and ace make ten",
    "Larger tables": "no rules are given for them; two play",
    "The deal": "alternates, except after a misdeal",
    "An act out of turn": "is broken; as it may be the recorder who missed an act, whether a later card could have captured stays open until the board is shown",
    "Order of the later deals": "three cards to whoever did not deal, then three to the dealer, in one packet each",
}


class Hand:
    """One hand of Scopa as it goes.

    `unwritten` are the piles that got cards by inference and whose deal nobody has written yet; a deal that is written
    takes the place of the inferred one, so that nothing is dealt twice. `doubt` says that an act may be missing:
    somebody was not in turn, and until the board is shown nobody can say whether it is as recorded. `uncounted` says that
    cards were taken which nobody counted, so that what was taken and whether the board was swept cannot be said.
    """

    __slots__ = (
        "board", "captures", "doubt", "gap", "holdings", "kings", "later_deals", "over", "row_before", "stock", "turns", "uncounted",
        "unwritten",
    )  # fmt: skip

    def __init__(self, state: State[Hand]) -> None:
        table, first = state.table, state.terms.left(state.dealer)
        self.turns = {first: state.dealer, state.dealer: first}
        self.holdings = {seat: table.bag(seat) for seat in self.turns}
        self.stock = table.row("stock")
        self.captures = Captures(state)
        self.board = self.captures.board
        self.unwritten: tuple[Pile, ...] = ()
        self.row_before: list[int] = []
        self.kings: tuple[int, int] | None = None
        self.over = self.gap = self.doubt = self.later_deals = self.uncounted = False
        table.lay([UNSEEN] * PACK.size, self.stock)
        self.deal(table, first=True)

    def deal(self, table: Table, *, first: bool = False) -> None:
        """Three cards to each empty hand, and the first time four to the board, from the top of the stock."""
        piles = [pile for pile in self.holdings.values() if not len(pile)]
        if first and not len(self.board):
            piles.append(self.board)
        row = self.stock.row or []
        self.row_before, self.unwritten = list(row), tuple(piles)
        for pile in piles:
            count = ON_BOARD if pile is self.board else CARDS_EACH
            table.move([UNSEEN] * (count if self.stock.vague else min(count, len(row))), self.stock, pile)

    def undo_deal(self, table: Table) -> bool:
        """Take back what was dealt by inference; returns whether there was anything."""
        if not self.unwritten:
            return False
        table.give_back(self.unwritten, self.stock, self.row_before)
        self.unwritten = ()
        return True

    def lose_count(self) -> None:
        """Acts went by unrecorded: who holds what, what lies on the board and who swept it is lost for this hand."""
        self.gap, self.unwritten = True, ()
        table = self.board.table
        for pile in (*self.holdings.values(), self.board, self.stock):
            table.lose_sight(pile)
        for pile in self.captures.won.values():
            pile.vague = True

    def has_cards(self, seat: str) -> bool | None:
        """Whether a seat has a card left; None if nobody counted its cards."""
        pile = self.holdings[seat]
        if pile.known or pile.unseen or pile.half:
            return True
        return None if pile.vague and self.unplaced else False

    @property
    def unplaced(self) -> bool:
        """Whether there are cards of which nobody has seen yet where they lie; what later events prove is no matter here."""
        return self.board.table.located != PACK.full

    def cards_left(self) -> bool | None:
        """Whether cards are left in the stock or in a hand; None if it cannot be told."""
        held = [*map(self.has_cards, self.turns), bool(self.stock.row) or (None if self.stock.vague and self.unplaced else False)]
        return True if True in held else None if None in held else False


def start(state: State[Hand]) -> Hand:
    """A hand begins with forty cards, three to each player and four on the board; nobody has seen them yet."""
    state.phase = "play"
    state.turn = first_to_play(state)
    return Hand(state)


def first_to_play(state: State[Hand]) -> tuple[str, ...]:
    """Who sits to the dealer's left; either, if nobody recorded who deals."""
    return state.terms.seats if state.guessed else (state.terms.left(state.dealer),)


# Setup: the deal
@RULES.check("R7", Deal)
def three_cards_each_and_four_once(deal: Deal, state: State[Hand]) -> CheckResult | None:
    dealt: dict[str, int] = {}
    for name, cards in deal.piles:
        name, count = name.removeprefix("hand:"), how_many(cards)
        if count is None and name != "stock":
            return unknown(f"nobody counted the cards dealt to {name}")
        dealt[name] = dealt.get(name, 0) + (count or 0)
    for name, count in dealt.items():
        if name != "board" and name not in state.terms.seats:
            continue
        pile = state.table.piles.get(name)
        if pile is not None and not state.settled and pile not in state.hand.unwritten:
            if name == "board" and state.acts:
                return broken("a later deal brings no cards to the board")
            count += len(pile)
        at_most = ON_BOARD if name == "board" else CARDS_EACH
        if count > at_most:
            return broken(f"{'the board' if name == 'board' else name} gets {at_most} cards, not {count}")
    return too_few(deal, dealt, state)


def too_few(deal: Deal, dealt: dict[str, int], state: State[Hand]) -> CheckResult | None:
    """When the stock is laid out everybody has their cards: piles of which nobody wrote a card, or all of them."""
    if "stock" not in dealt or state.settled or state.acts:
        return None
    for pile in (*state.hand.holdings.values(), state.hand.board):
        count = dealt.get(pile.name, 0) + (0 if pile in state.hand.unwritten else len(pile))
        wanted = ON_BOARD if pile is state.hand.board else CARDS_EACH
        if 0 < count < wanted and pile.vague:
            return unknown(f"nobody counted the cards dealt to {pile.name}")
        if 0 < count < wanted:
            return broken(f"{'the board' if pile is state.hand.board else pile.name} gets {wanted} cards, not {count}")
    return None


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """Cards as they were dealt; `stock=…` says how the rest lies. What is not written stays inferred."""
    in_hand(state)
    hand, table = state.hand, state.table
    infer_the_rest = hand.undo_deal(state.table) or not state.acts
    src = pile_named(state, deal.src) if deal.src else hand.stock
    for name, cards in sorted(deal.piles, key=lambda pile: pile[0] == "stock"):
        for pile, codes in spread(state, name, cards):
            if pile is hand.stock:
                table.tell_order(codes, pile)
            else:
                table.move(codes, src, pile)
    if infer_the_rest and not hand.gap:
        hand.deal(state.table, first=not state.acts)
    if not state.acts:
        again = hand.board.how_many(KINGS)[0] >= state.terms.options.kings_redeal
        state.phase, state.turn = ("misdeal", ()) if again else ("play", first_to_play(state))


# Setup: three kings
@RULES.check("R8", Play, Capture)
def three_kings_are_dealt_again(act: Event, state: State[Hand]) -> CheckResult | None:
    """Looked at once, when the first card is played."""
    if state.acts:
        return None
    enough = state.terms.options.kings_redeal
    low, high = state.hand.board.how_many(KINGS)
    if low >= enough:
        return broken(f"{low} kings are among the first board cards: the hand is dealt again", proof(KINGS, state.hand.board), "board")
    return unknown("the first board cards were not seen") if high >= enough else None


@RULES.check("R8", End)
def only_kings_are_a_misdeal(end: End, state: State[Hand]) -> CheckResult | None:
    if end.why != "misdeal" or end.what != "hand" or state.settled:
        return None
    enough = state.terms.options.kings_redeal
    low, high = state.hand.kings or state.hand.board.how_many(KINGS)
    if high < enough:
        return broken(f"{high or 'no'} king{'s' * (high != 1)} among the first board cards; it takes {enough} to deal again")
    return unknown("the first board cards were not seen") if low < enough else None


# Game play
@RULES.check("R1", Play, Capture)
def one_card_in_turn(act: Play | Capture, state: State[Hand]) -> CheckResult | None:
    if len(act.cards) > 1 or len(act.cards[0]) > 2:
        return broken("one card is played at a time")
    if act.by in state.turn:
        return None
    first = state.terms.left(state.dealer)
    if not state.acts and state.guessed:
        return unknown(WHO_DEALS)
    if not state.acts:
        return None if act.by == first else broken(f"{state.dealer} dealt, so {first} begins")
    return broken(f"it is the turn of {state.turn[0]}") if state.turn else None


def taken(capture: Capture, state: State[Hand]) -> tuple[int, ...]:
    """The codes of the cards a capture takes."""
    return tuple(state.hand.board.codes()) if capture.takes == ("*",) else codes_of(PACK, capture.takes)


@RULES.check("R2", Capture)
def a_pair_is_one_card(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code, takes = state.code(capture.cards), taken(capture, state)
    rank = WORTH.same[code]
    if len(takes) > 1:
        if not rank:
            return unknown("whether the card pairs with one of those taken")
        if any(WORTH.same[t] == rank for t in takes):
            return broken(f"{PACK.shown(code)} takes one card of its rank and nothing else")
        unseen = max(takes) >= UNSEEN and may_pair(code, takes, state)
        return unknown("whether the card pairs with one of those taken") if unseen else None
    if not takes:
        return broken("a capture takes a card")
    if not rank or not WORTH.of[takes[0]]:
        return unknown("whether the two cards have the same rank")
    return None if WORTH.same[takes[0]] == rank else broken(f"{PACK.shown(takes[0])} alone does not pair with {PACK.shown(code)}")


def may_pair(code: int, takes: Iterable[int], state: State[Hand]) -> bool:
    """Whether a card that was taken and not wholly seen may have the rank of the card that took it."""
    rank, board = WORTH.same[code], state.hand.board
    return any(t >= UNSEEN and board.may_leave(t) & rank for t in takes)


@RULES.check("R3", Capture)
def a_sum_is_exact(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code, takes = state.code(capture.cards), taken(capture, state)
    if len(takes) < 2 or any(WORTH.same[t] and WORTH.same[t] == WORTH.same[code] for t in takes):
        return None
    worth, values = WORTH.of[code], [WORTH.of[t] for t in takes]
    total, unseen = sum(values), values.count(0)
    if worth and not unseen:
        return None if total == worth else broken(f"{' + '.join(map(PACK.shown, takes))} = {total}, and {PACK.shown(code)} takes {worth}")
    if worth and total + unseen > worth and not may_pair(code, takes, state):
        return broken(f"the cards taken count more than {PACK.shown(code)}: at least {total + unseen}")
    # An unseen card may have the rank of one of those taken; then another rule is broken, and not this one.
    return unknown("a card of this capture was not seen")


@RULES.check("R4", Capture)
def pairing_comes_first(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code, takes = state.code(capture.cards), taken(capture, state)
    rank = WORTH.same[code]
    if len(takes) < 2 or (rank and any(WORTH.same[t] == rank for t in takes)):
        return None
    board = state.hand.board
    pairs = board.any_of(rank) if rank else None
    if pairs and missing_act(capture, state):
        return unknown(f"an act may be missing before this, and {PACK.shown(code)} paired with nothing then")
    if pairs and all(WORTH.of[t] for t in takes):
        return broken(f"{PACK.shown(code)} pairs with {names(board.certain & rank)}, so it may not take a sum", board.certain & rank, "board")
    return None if pairs is False else unknown(f"whether {PACK.shown(code)} could pair")


@RULES.check("R5", Play)
def a_card_that_captures_is_not_trailed(play: Play, state: State[Hand]) -> CheckResult | None:
    code, board = state.code(play.cards), state.hand.board
    if not WORTH.of[code]:
        return an_unseen_card_trailed(play, state, code)
    seen = board.certain
    for takes in ways(code, seen):
        if missing_act(play, state):
            return unknown(f"an act may be missing before this, and {names(takes)} may have lain there no more")
        return broken(f"{PACK.shown(code)} could take {names(takes)}", proof(takes, board), "board")
    unseen = board.hidden + board.vague
    if unseen and WORTH.adds_up(WORTH.of[code], seen, unseen, board.table.free()) is None:
        return unknown(f"whether {PACK.shown(code)} could take a card nobody saw on the board")
    return None


def an_unseen_card_trailed(play: Play, state: State[Hand], code: int) -> CheckResult | None:
    """Nobody saw the card; it captures for certain where every card that it can have been does."""
    board, held = state.hand.board, state.holding(play.by)
    if not len(board) and not board.vague:
        return None
    if play.src not in ("", hand_of(play.by)):
        return unknown("the card was not seen")
    may_be, seen, unseen = held.may_leave(code), board.certain, board.hidden + board.vague
    free = board.table.free()
    cards = list(PACK.codes(may_be))
    if cards and not any(next(ways(c, seen), 0) or (unseen and WORTH.adds_up(WORTH.of[c], seen, unseen, free) is not False) for c in cards):
        return None
    takes = [next(ways(c, seen), 0) for c in cards]
    if cards and all(takes) and not missing_act(play, state):
        lying = sum(PACK.unit[c] for c in PACK.codes(seen) if any(t & PACK.field[c] for t in takes))
        return broken(f"{play.by} can only have laid {' or '.join(map(PACK.shown, cards))}, and could take {names(lying)}", lying, "board")
    return unknown("the card was not seen")


def missing_act(act: Event, state: State[Hand]) -> bool:
    """Whether the board may not be what was recorded, because somebody acted out of turn: the recorder may have slept."""
    return state.hand.doubt or act.by not in (state.turn or first_to_play(state))


def ways(code: int, board: int) -> Iterator[int]:
    """What a card may take of these board cards: one of its rank; where there is none, every sum."""
    pairs = board & WORTH.same[code]
    if pairs:
        yield from (PACK.unit[c] for c in PACK.codes(pairs))
    elif WORTH.of[code] and WORTH.adds_up(WORTH.of[code], board):
        yield from WORTH.sums(WORTH.of[code], board)


def proof(cards: int, board: Pile) -> int:
    """Those of these board cards that only later events name, since it could not be known before; else all of them."""
    lying = board.certain & cards
    return lying & ~board.known or lying


def names(bag: int) -> str:
    return " ".join(pretty(c) for c in PACK.cards(bag))


@RULES.check("R6", Fault)
def the_player_chooses(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """A table that says another card, or another sum, had to be taken denies the right to choose."""
    if fault.word != "choice" or not state.number:
        return None
    for capture in reversed(state.hand.captures.log):
        if capture.at in fault.refs or (not fault.refs and fault.who in ("", capture.side)):
            choice = list(ways(capture.card, capture.board))
            took = sum({PACK.unit[c] for c in capture.takes if c < UNSEEN})
            if len(choice) > 1 and took in choice:
                return broken(f"{PACK.shown(capture.card)} could take {' or '.join(map(names, choice))}, as {capture.side} liked")
            return None
    return None


def has_been_dealt(seat: str, hand: Hand) -> bool:
    """Whether a seat without a card that has one all the same shows that both were out and cards were dealt: nobody
    counted the other hand."""
    out = hand.has_cards(seat) is False and hand.has_cards(hand.turns[seat]) is None
    return out and bool(hand.stock.row or hand.stock.vague)


def begin_act(act: Event, state: State[Hand]) -> None:
    """A card is played: the hand has begun, and a deal that nobody wrote has happened all the same."""
    in_hand(state)
    hand = state.hand
    hand.doubt = missing_act(act, state)
    if hand.holdings[hand.turns[act.by]].vague and not hand.gap and has_been_dealt(act.by, hand):
        hand.deal(state.table)
    if not state.acts:
        state.phase, hand.kings = "play", hand.board.how_many(KINGS)
    if hand.unwritten and not state.acts:
        state.infer(f"cards were dealt to {', '.join(pile.name for pile in hand.unwritten)}; nobody wrote it")
    elif hand.unwritten and not hand.later_deals:
        hand.later_deals = True
        state.infer("three cards each are dealt here, and again in this hand whenever nobody has a card left; not every deal was written")
    hand.unwritten = ()
    state.acts += 1


def on_play(play: Play, state: State[Hand]) -> None:
    """A card is trailed."""
    begin_act(play, state)
    src = pile_named(state, play.src) if play.src else state.holding(play.by)
    short = not len(src) and not src.vague
    state.table.move(state.table.codes(play.cards, src), src, state.hand.board)
    next_turn(play.by, state, short)


def on_capture(capture: Capture, state: State[Hand]) -> None:
    """Card and cards taken go to the player; an empty board is a sweep, except after the very last card."""
    begin_act(capture, state)
    hand, holding, codes = state.hand, state.holding(capture.by), state.table.codes
    short = not len(holding) and not holding.vague
    takes = codes(capture.takes, hand.board)
    empty = hand.captures.take(state.table, capture.by, codes(capture.cards, holding), takes, holding, state.at)
    hand.uncounted = hand.uncounted or hand.board.vague
    left = empty and hand.cards_left()
    if left or (empty and state.terms.options.last_play_sweep):
        hand.captures.swept()
    elif left is None:
        hand.uncounted = True  # whether it was the very last card, and so no sweep, nobody can say
    next_turn(capture.by, state, short)


def next_turn(seat: str, state: State[Hand], short: bool) -> None:
    """The other player, while there are cards; then three new ones each, or the end of the hand.

    Whoever plays a card more than they had (`short`) shows that an act of the other was not recorded.
    """
    hand = state.hand
    if short:
        hand.lose_count()
    other = hand.turns[seat]
    state.turn = (other,)
    if hand.has_cards(other) is not False or hand.gap:
        return
    mine = hand.has_cards(seat)
    if mine:
        state.turn = (seat,)
    elif mine is None:
        state.turn = (other, seat)  # either has another card, or both are out and cards are dealt
    elif hand.stock.row or hand.cards_left() is not False:
        hand.deal(state.table)
    else:
        # Ending the hand: the remainder
        hand.over = True
        hand.captures.remainder(state.table)
        finish_hand(state)


def on_taking_back(move: Move, state: State[Hand]) -> None:
    """A card taken back from the board, or from a capture, makes it that player's turn again.

    The remainder that somebody is seen to gather has gone there already.
    """
    seat, hand = move.to.removeprefix("hand:"), state.hand
    if state.settled and state.number and hand.over and move.src == "board" and move.to == f"won:{hand.captures.last}":
        return
    back = not state.settled and seat in hand.holdings and move.src in ("board", f"won:{seat}")
    if back:
        hand.undo_deal(state.table)
    on_move(move, state)
    if back:
        state.turn = (seat,)
        if move.src != "board":
            hand.captures.taken_back()


def on_show(show: Show, state: State[Hand]) -> None:
    """Whoever says what lies on the board ends the doubt about it."""
    common_show(show, state)
    if show.src == "board" and not state.settled:
        state.hand.doubt = False


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded; either player may go on."""
    if not state.settled:
        state.hand.lose_count()
        state.phase, state.turn = "play", state.terms.seats


# Scoring
Span: TypeAlias = tuple[int, int]


class Tally(Struct):
    """What a hand of Scopa is scored from.

    A count is at least and at most, the same where it is known, and missing where nothing is. `primiera` is 0 without
    all four suits, `best` its arithmetic; `seven` is None where it is not known who has it, empty if nobody has.
    """

    cards: dict[str, Span] = {}
    diamonds: dict[str, Span] = {}
    seven: str | None = None
    primiera: dict[str, Span] = {}
    best: dict[str, str] = {}
    sweeps: Points = {}
    order: tuple[str, ...] | None = None
    void: str = ""


# What four cards, one of each suit, can come to; and how often a player has a turn.
PRIMIERAS = tuple(sorted({0, *map(sum, product(PRIME.values(), repeat=len(SUITS)))}))
TURNS = (PACK.size - 4) // 2

TALLY = {
    "cards.*": fact.number("cards taken; of two players one suffices", 0, PACK.size, together=PACK.size),
    "diamonds.*": fact.number("diamonds taken; of two players one suffices", 0, PACK.count(DIAMONDS), together=PACK.count(DIAMONDS)),
    "seven": fact.somebody("player who has the seven of diamonds", "seat"),
    "primiera.*": fact.number("primiera of a player, 0 without all four suits", only=PRIMIERAS, says=f"{{key}} is 0, or what four cards come to ({PRIMIERAS[1]} to {PRIMIERAS[-1]})"),
    "best.*": fact.cards("or the best card of each suit, 7d,6c,As,5h", len(SUITS)),
    "sweeps.*": fact.number("sweeps of a player, 0 if none", 0, TURNS),
    "sweeps.order": fact.seats("who made the sweeps, in order; needed only where the target is reached by them"),
    "void": fact.word("misdeal: the hand does not count"),
}


def one_card_with_both(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A card lies with one player; the seven of diamonds with nobody who has no diamond."""
    seven, players = known.get("seven"), state.terms.seats
    if known.get(f"diamonds.{seven}") == 0:
        return f"{seven} has no diamond, and so not the 7♦"
    best = {p: list_of(known.get(f"best.{p}")) for p in players}
    for player, other in (players, players[::-1]):
        if twice := [c for c in best[player] if c in best[other]]:
            return f"both have the {pretty(twice[0])}"
        if "7d" in best[player] and seven not in (None, player):
            return f"{player} has the 7♦, and not {seven}"
        if best[player] and known.get(f"primiera.{player}") not in (None, prime(best[player])[0]):
            return f"{' '.join(map(pretty, best[player]))} count {prime(best[player])[0]}, not {known[f'primiera.{player}']}"
    return ""


def sweeps_in_order(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Who swept how often, and in which order, say the same."""
    order = known.get("sweeps.order")
    for player in state.terms.seats if order is not None else ():
        n, told = list_of(order).count(player), known.get(f"sweeps.{player}")
        if told not in (None, n):
            return f"{player} has {n} sweeps in the order of all, and {told} in number"
    return ""


def list_of(value: Any) -> list[str]:
    """One or several, as a list."""
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


LAWS = (
    fact.Law(("seven", "diamonds", "best", "primiera"), one_card_with_both),
    fact.Law(("sweeps",), sweeps_in_order),
)
WORDS = {
    "misdeal": "end: three kings, the hand is dealt again",
    "void": "end: the hand does not count",
    "choice": "fault: another card or sum should have been taken, says the table",
}


def prime(cards: Iterable[str]) -> tuple[int, str]:
    """The primiera of these cards, 0 without all four suits, and how it comes about.

    >>> prime(["5h", "2h", "7d", "6c", "Kc", "As"])
    (70, '7♦21 + 6♣18 + A♠16 + 5♥15 = 70')
    >>> prime(["7h", "7d", "6c"])
    (0, 'no spades')
    """
    held = set(cards)
    best = {suit: card for suit, order in BEST_FIRST.items() if (card := next((c for c in order if c in held), ""))}
    if len(best) < len(SUITS):
        return 0, "no " + " or ".join(SUIT_NAMES[s] for s in SUITS if s not in best)
    four = sorted(best.values(), key=lambda c: -PRIME[c[0]])
    total = sum(PRIME[c[0]] for c in four)
    return total, " + ".join(f"{pretty(c)}{PRIME[c[0]]}" for c in four) + f" = {total}"


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` says."""
    t = Tally(void=void_of(state, "misdeal" if state.phase == "misdeal" else ""))
    if state.acts:
        from_moves(t, state)
    for facts in readable(state):
        from_facts(t, facts, state.terms.seats)
    return t


def from_moves(t: Tally, state: State[Hand]) -> None:
    """What the players took. A hand that was not recorded to its end leaves open what they took after that."""
    hand = state.hand
    won = hand.captures.won
    whole = (hand.over or bool(state.cut)) and not hand.gap and not hand.uncounted
    for player, pile in won.items():
        other = won[hand.turns[player]]
        if whole:
            t.cards[player], t.diamonds[player], may_have = (len(pile), len(pile)), pile.how_many(DIAMONDS), pile.may_hold()
        else:
            t.cards[player] = (len(pile), PACK.size - len(other))
            t.diamonds[player] = (pile.how_many(DIAMONDS)[0], PACK.count(DIAMONDS) - other.how_many(DIAMONDS)[0])
            may_have = PACK.full & ~other.certain
        least, t.best[player] = prime(PACK.cards(pile.certain))
        t.primiera[player] = (least, least if may_have == pile.certain else prime(PACK.cards(may_have))[0])
    has_seven = {player: pile.any_of(SEVEN) for player, pile in won.items()}
    t.seven = next((player for player, has in has_seven.items() if has), "" if whole and None not in has_seven.values() else None)
    if whole:
        t.order = hand.captures.sweeps
        t.sweeps = {player: t.order.count(player) for player in won}


def from_facts(t: Tally, facts: dict[str, Any], players: tuple[str, ...]) -> None:
    """What a `tally` says goes over what the moves gave."""

    def numbers(key: str) -> dict[str, int]:
        given = facts.get(key)
        return {p: n for p, n in given.items() if p in players and type(n) is int} if isinstance(given, dict) else {}

    for key, table, total in (("cards", t.cards, PACK.size), ("diamonds", t.diamonds, PACK.count(DIAMONDS))):
        counts = numbers(key)
        for player, other in (players, players[::-1]):
            if player in counts:
                table[player] = (counts[player], counts[player])
            elif other in counts:
                table[player] = (total - counts[other], total - counts[other])
    if "seven" in facts and facts["seven"] is not None:
        t.seven = facts["seven"] if facts["seven"] in players else None
    for player, total in numbers("primiera").items():
        t.primiera[player], t.best[player] = (total, total), str(total)
    best = facts.get("best")
    for player, four in best.items() if isinstance(best, dict) else ():
        if four is None or four == fact.UNREAD:
            continue
        total, t.best[player] = prime(list_of(four))
        t.primiera[player] = (total, total)
    t.sweeps = {**t.sweeps, **numbers("sweeps")}
    sweeps = facts.get("sweeps")
    order = sweeps.get("order") if isinstance(sweeps, dict) else None
    if order is not None and order != fact.UNREAD:
        t.order = tuple(list_of(order))
        t.sweeps = {player: t.order.count(player) for player in players}
    elif sweeps is not None:
        t.order = None


def more(spans: dict[str, Span], players: tuple[str, ...]) -> str | None:
    """Who has more: a player, nobody when level (empty), None if it cannot be told.

    >>> more({"A": (21, 21), "B": (19, 19)}, ("A", "B")), more({"A": (5, 5), "B": (5, 5)}, ("A", "B"))
    ('A', '')
    >>> more({"A": (20, 21), "B": (19, 20)}, ("A", "B")) is None
    True
    """
    one, two = (spans.get(p, (0, PRIMIERAS[-1])) for p in players)
    if one[0] > two[1] or two[0] > one[1]:
        return players[0] if one[0] > two[1] else players[1]
    return "" if one[0] == one[1] == two[0] == two[1] else None


class Count:
    """The points of a hand, added one by one until somebody has the target.

    What each has gained is at least `low` and at most `high`: a point that nobody can award leaves both open.
    """

    def __init__(self, before: Points, target: int) -> None:
        self.target = target
        self.start = {who: (n, n) if n is not None else (0, target - 1) for who, n in before.items()}
        self.low = dict.fromkeys(before, 0)
        self.high = dict.fromkeys(before, 0)

    def total(self, who: str) -> Span:
        """The score of a player by now, at least and at most."""
        low, high = self.start[who]
        return low + self.low[who], min(high + self.high[who], max(self.target, low))

    @property
    def stopped(self) -> bool | None:
        """Whether somebody has the target; None if it cannot be told."""
        perhaps = False
        for who in self.start:
            low, high = self.total(who)
            if low >= self.target:
                return True
            perhaps = perhaps or high >= self.target
        return None if perhaps else False

    def point(self, winner: str | None) -> Points:
        """One point for the winner, nobody (empty) or somebody (None): what it adds to each score."""
        stopped, gain = self.stopped, dict[str, int | None]()
        may_have_won = [who for who in self.start if self.total(who)[1] >= self.target]
        for who in self.start:
            perhaps = winner in (who, None) and not stopped
            # Where only this player may have stopped the counting, either the target was reached or this point is added.
            certain = not may_have_won or (may_have_won == [who] and self.start[who][0] == self.start[who][1])
            self.low[who] += perhaps and winner == who and certain
            self.high[who] = min(self.high[who] + perhaps, max(self.target - self.start[who][0], 0))
            gain[who] = (1 if winner == who and stopped is False else None) if perhaps else 0
        return gain

    def sweeps(self, made: Points) -> Points:
        """Sweeps whose order nobody knows; it matters only where somebody may reach the target by them."""
        near = [who for who, n in made.items() if n is None or self.total(who)[1] + n >= self.target]
        if self.stopped or (None not in made.values() and (not near or 0 in made.values())):
            return self.sweeps_in_order([who for who, n in made.items() for _ in range(min(n or 0, self.target))], made)
        gain: Points = {}
        for who, n in made.items():
            low, high = self.total(who)
            if near == [who] and low == high and n is not None:
                gain[who] = self.target - low  # only this player can get there, and does
                self.low[who] = self.high[who] = self.low[who] + self.target - low
            else:
                gain[who] = 0 if n == 0 else None
                self.high[who] = min(self.high[who] + (self.target if n is None else n), self.target)
        return gain

    def sweeps_in_order(self, order: Iterable[str], made: Points) -> Points:
        """Sweeps in the order in which they were made."""
        gain: Points = dict.fromkeys(made, 0)
        for who in order:
            gain = added(gain, self.point(who))
        return gain

    @property
    def points(self) -> Points:
        """What each player gained."""
        return {who: low if low == self.high[who] else None for who, low in self.low.items()}


def score_tally(t: Tally, before: Points, options: Options) -> tuple[Points, tuple[Line, ...], tuple[str, ...], tuple[str, ...]]:
    """Points of both players, the lines behind them, what a reader should know, and what is missing.

    The most cards, the most diamonds, the seven of diamonds, the primiera, then the sweeps:

    >>> t = Tally({"A": (21, 21), "B": (19, 19)}, {"A": (4, 4), "B": (6, 6)}, "A", {"A": (78, 78), "B": (70, 70)})
    >>> t.sweeps, t.order = {"A": 2, "B": 1}, ("A", "B", "A")
    >>> score_tally(t, {"A": 0, "B": 0}, Options())[0]
    {'A': 5, 'B': 2}

    Counting stops with the eleventh point: A has it with the seven of diamonds and is not paid for the rest.

    >>> points, lines, notes, missing = score_tally(t, {"A": 9, "B": 9}, Options())
    >>> points, notes
    ({'A': 2, 'B': 1}, ('A has 11 with the 7♦; counting stopped there',))

    Sweeps are counted in the order they were made; where nobody knows it, some figures stay open.

    >>> score_tally(t, {"A": 6, "B": 9}, Options())[0]
    {'A': 4, 'B': 2}
    >>> t.order = None
    >>> score_tally(t, {"A": 6, "B": 9}, Options())[0], score_tally(t, {"A": 6, "B": 5}, Options())[0]
    ({'A': None, 'B': None}, {'A': 5, 'B': None})
    """
    players = tuple(before)
    count = Count(before, options.target)
    lines: list[Line] = []
    notes: list[str] = []
    missing: list[str] = []

    def write(label: str, gain: Points, sums: dict[str, str], was_stopped: bool | None) -> bool | None:
        stopped = was_stopped or count.stopped
        lines.append(Line(label, gain, sums, "uncounted" if was_stopped else ""))
        if stopped and not was_stopped:
            who = next(p for p in players if count.total(p)[0] >= options.target)
            notes.append(f"{who} has {options.target} with the {label}; counting stopped there")
        return stopped

    stopped = count.stopped
    if stopped:
        notes.append("the match was won before this hand; nothing is counted")

    for label, winner, sums in (
        ("cards", more(t.cards, players), said(t.cards)),
        ("diamonds", more(t.diamonds, players), said(t.diamonds)),
        ("7♦", t.seven, {t.seven: "taken"} if t.seven else {}),
        ("primiera", more(t.primiera, players), {p: t.best.get(p) or str(span[0]) for p, span in t.primiera.items()}),
    ):
        if winner is None and not stopped:
            missing.append(f"who has {'the 7♦' if label == '7♦' else 'the better primiera' if label == 'primiera' else f'more {label}'}")
        stopped = write(label, count.point(winner), sums, stopped)
    made: Points = {p: t.sweeps.get(p) for p in players}
    gain = count.sweeps_in_order(t.order, made) if t.order is not None else count.sweeps(made)
    write("sweeps", gain, {p: str(n) for p, n in made.items() if n is not None}, stopped)
    if not stopped and None in made.values():
        missing.append("the sweeps")
    elif None in gain.values() and not missing:
        missing.append("the score before this hand" if None in before.values() else "the order of the sweeps")
    return count.points, tuple(lines), tuple(notes), tuple(missing)


def said(spans: dict[str, Span]) -> dict[str, str]:
    """Counts as a person says them: `21`, `4 to 6`."""
    return {p: str(least) if least == most else f"{least} to {most}" for p, (least, most) in spans.items()}


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded."""
    t = tally(state)
    nothing: Points = dict.fromkeys(state.terms.sides, 0)
    if t.void:
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    if not state.settled and not state.tallies:
        return HandScore(state.number, state.dealer, "nothing", points=nothing, unknown=("the hand is in play",))
    points, lines, notes, missing = score_tally(t, state.before.totals, state.terms.options)
    cards = [n for n, most in t.cards.values() if n == most]
    if len(cards) == 2 and sum(cards) != PACK.size and not state.cut and state.tallies:
        notes = (*notes, f"{cards[0]} and {cards[1]} cards are not the {PACK.size} of the pack")
    return HandScore(state.number, state.dealer, "tally" if state.tallies else "moves", "", "", lines, points, {}, notes, missing)


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """What a result without its cards leaves open, as far as it can be asked in a word: who has the seven of diamonds."""
    t = tally(state)
    if not t.void and state.tallies and t.seven is None:
        yield "who has the 7♦", {p: {"seven": p} for p in state.terms.seats}


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Whoever has the target first has won; counting has stopped there."""
    totals = added(before.totals, hand.points)
    winner = before.winner or next((who for who, n in totals.items() if n is not None and n >= terms.options.target), "")
    return replace(before, totals=totals, over=bool(winner), winner=winner, hands=before.hands + 1)


# The sheet: the five points in their order, crossed out where they were not counted any more
CATEGORIES = ("cards", "diamonds", "7♦", "primiera", "sweeps")


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """A row a hand: for each player the five points in the order of counting, and the running score."""
    players = state.terms.seats
    rows = []
    for s in state.scores:
        if s.source == "nothing" and not any(n is None for n in s.points.values()):
            continue
        lines = {line.label: line for line in s.lines}
        cells = [Cell(str(s.number)), Cell(state.terms.name(s.dealer))]
        for player in players:
            cells += [counted(lines.get(label), player) for label in CATEGORIES]
            won = state.standing.winner == player and s is state.scores[-1]
            total, points = s.totals.get(player), s.points.get(player)
            sums = "" if total is None or points is None else f"{total - points} + {points} = {total}"
            cells.append(Cell(figure(total), sums, "won" if won else "total"))
        rows.append(Row(tuple(cells), notes=(*([s.result] if s.result else []), *s.notes)))
    heads = ["hand", "dealer"]
    for player in players:
        heads += [f"{player} {label}" for label in CATEGORIES] + [player]
    return replace(empty, blocks=(Block("Score", tuple(heads), tuple(rows)),))


def counted(line: Line | None, player: str) -> Cell:
    """One of the five points of a player."""
    if line is None:
        return Cell("–")
    why = line.sums.get(player, "")
    if line.column == "uncounted":
        return Cell("–", f"{why}, not counted".lstrip(", "), "crossed")
    amount = line.amounts.get(player)
    return Cell(figure(amount), why, "unknown" if amount is None else "")


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    board = state.hand.board.certain if state.phase == "play" else 0
    for seat in state.turn:
        for code in PACK.codes(state.holding(seat).certain):
            card = (PACK.faces[code],)
            pairs = (PACK.unit[c] for c in PACK.codes(board & WORTH.same[code]))
            for takes in (*pairs, *WORTH.sums(WORTH.of[code], board)):
                yield Capture(by=seat, cards=card, takes=tuple(PACK.cards(takes)))
            yield Play(by=seat, cards=card)


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """A bare card that takes something is that capture; `play up` is a card trailed, whatever it could have taken.

    Four cards, while none has been dealt to the board, are the board.
    """
    if not isinstance(event, Play | Capture) or event.src or state.settled:
        return (event,)
    if isinstance(event, Play) and (event.face or len(event.cards) > 1):
        board = state.hand.board
        if event.face or how_many(event.cards) != ON_BOARD or state.acts or board not in state.hand.unwritten:
            return (event,)
        return (Deal(by="@", face="up", piles=(("board", event.cards),)),)
    if isinstance(event, Capture) and event.takes:
        return (event,)
    takes = ways(state.code(event.cards), state.hand.board.certain)
    return tuple(Capture(by=event.by, cards=event.cards, takes=tuple(PACK.cards(bag))) for bag in takes) or (event,)


def only_act(state: State[Hand]) -> Event | None:
    """A lone `.` is the one thing that can be done, where there is only one."""
    found = legal(state, limit=2)
    return found.acts[0] if found.complete and len(found.acts) == 1 else None


def headline(state: State[Hand]) -> dict[str, Any]:
    """Cards left to deal, sweeps so far, and who captured last."""
    captures = state.hand.captures
    return {"stock": len(state.hand.stock), "last capture": captures.last, **{f"sweeps {p}": captures.sweeps.count(p) for p in captures.won}}


def latest(state: State[Hand]) -> str:
    """A sweep, new cards, or the remainder."""
    hand, told = state.hand, []
    log = hand.captures.log
    if log and log[-1].at == state.at and log[-1].sweep:
        told.append(f"a sweep for {log[-1].side}")
    if state.acts and hand.unwritten:
        told.append(f"new cards, {len(hand.stock)} left")
    return ", ".join(told)


# Simulation: a capture is worth more than a card trailed, a large one most
def chance(state: State[Hand], random: Random) -> list[Event]:
    if state.phase == "misdeal":
        return [End(by="@", what="hand", why="misdeal")]
    cards = list(PACK.faces)
    random.shuffle(cards)
    dealer = state.game.next_dealer(state) if state.number else state.terms.dealer
    first = state.terms.left(dealer)
    return [
        HandEvent(by=dealer, number=state.number + 1),
        Deal(by="@", piles=((hand_of(first), tuple(cards[:3])), (hand_of(dealer), tuple(cards[3:6])))),
        Deal(by="@", face="up", piles=(("board", tuple(cards[6:10])),)),
        Deal(by="@", face="down", piles=(("stock", tuple(cards[10:])),)),
    ]


def weigh(state: State[Hand], event: Event) -> float:
    return 2.0 * (1 + len(event.takes)) if isinstance(event, Capture) else 1.0


GAME = Game(
    key="scopa",
    name="Scopa",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="2",
    seating=SEATS,
    pack=PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=facts_declared(TALLY, LAWS, {"cards.*": "cards that a player gets"}),
    missing=missing,
    words=WORDS,
    phases={
        "play": Phase("play", (Play, Capture), "a card (5s, played as the capture it makes), or card/cards taken (Kh/6c4d)", quiet=only_act, to_do="play"),
        "misdeal": Phase("three kings", (Play, Capture), "a new deal: end hand misdeal", to_do="deal again"),
    },
    start=start,
    on={Deal: on_deal, Play: on_play, Capture: on_capture, Move: on_taking_back, Show: on_show, Gap: on_gap},
    candidates=candidates,
    new_match=lambda terms: Standing(dict.fromkeys(terms.sides, 0)),
    score=score,
    after=after,
    next_dealer=deals_next,
    sheet=sheet,
    chance=chance,
    weigh=weigh,
    most_hands=40,
    hidden={"*": "owner", "stock": "nobody", "won:*": "nobody"},
    usual=usual,
    transfer=lambda state, facts: cards_over(facts, state),
    headline=headline,
    latest=latest,
)
