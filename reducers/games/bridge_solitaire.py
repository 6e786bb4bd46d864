"""Bridge Solitaire: one player bids and plays rubber bridge against the stock, which calls by rote and answers as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import SUIT_NAMES, SUITS, how_many, pack, pretty, ranking, squeeze
from events.model import Bid, Call, Deal, Discard, Draw, End, Event, Facts, Gap, Move, Pass, Play, Show, Shuffle
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers.game import Game, Phase, Seating, finish_hand, in_hand, on_end, on_move, pile_named, settle, spread
from reducers.rules import CONSEQUENCE, DUTY, RIGHT, Catalogue, Says, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, figure
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.state import State, Terms
from reducers.table import Pile
from reducers.words.contract import (
    DOUBLED,
    HONOURS,
    STRAINS,
    Contract,
    Rubber,
    broken_off,
    carried,
    depends_on_vulnerability,
    entry,
    higher,
    honours,
    made_or_set,
    new_rubber,
    outranks,
    rubber_bonus,
    said,
    sum_of,
)
from reducers.words.tricks import Trick, owner, strengths

# Setup: the player, and the house, which is nobody but the stock
SEATS = Seating({2: ("P", "H")}, {2: {"P": ("P",), "H": ("H",)}})
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2", jokers=2)
FACE_DOWN, FACE_UP, KEPT = 7, 13, 6
TRICKS = 13
FOUR_CARDS = 4
JOKER, UNSEEN = PACK.code["Jo"], PACK.unknown

# Card ranking: the usual order, aces high; a joker has no rank and no suit.
PLAIN = ranking("A K Q J 10 9 8 7 6 5 4 3 2")
NO_TRUMP_SHAPES = ((4, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 2))


class Options(Struct, frozen=True):
    """House rules of Bridge Solitaire."""

    house_suit_tie: Annotated[
        Literal["any", "highest"], Meta(description="of suits equally short the house bids any, or the highest")
    ] = "any"
    opponent_honors: Annotated[bool, Meta(description="the house scores the honours it played, too")] = False
    end: Annotated[Literal["rubber", "hands"], Meta(description="a rubber, or an agreed number of hands at most")] = "rubber"
    hands: Annotated[int, Meta(ge=1, le=99, description="how many hands, where their number is agreed")] = 8
    unfinished: Annotated[
        Literal["bonus", "none"], Meta(description="300 for the only game and 100 for the only part score of an unfinished rubber, or nothing")
    ] = "bonus"


RULES = Catalogue(
    "bridge-solitaire",
    rule("R1", "Determining the player's hand", DUTY, "Exactly six of the thirteen cards lying open go into the hand.", "keep six"),
    rule("R2", "Determining the player's hand", DUTY, "A joker among the thirteen must be kept.", "keep the jokers"),
    rule("R3", "Determining the player's hand", DUTY, "The seven cards face down are turned up when the six are chosen, not before; of the cards thrown out only the top one may be looked at from then on (a silent look leaves no trace).", "closed cards"),
    rule("R4", "Bidding", CONSEQUENCE, "The house bids six less the player's winning cards, in the suit of which the player has fewest, and passes where nothing is left.", "the house's call"),
    rule("R5", "Bidding", DUTY, "When the house has passed, the player must bid.", "must bid"),
    rule("R6", "Bidding", RIGHT, "Against a bid of the house the player may pass or bid higher: more tricks, or as many in a higher strain. Each calls once, the house first.", "bid higher"),
    rule("R7", "Bidding", DUTY, "No trump may be bid with 4-3-3-3, with 3-3-3-3 and a joker, or with 3-3-3-2 and both jokers, and with nothing else.", "shape for no trump"),
    rule("R8", "Bidding", CONSEQUENCE, "A joker in the player's hand doubles the contract, both redouble it, whoever plays it.", "doubled by jokers"),
    rule("R9", "Play of the hand", DUTY, "The player follows suit where able; a joker is thrown only by a player who cannot follow, on a joker, or as a lead.", "follow suit"),
    rule("R10", "Play of the hand", DUTY, "The side that defends leads to the first trick, the winner of a trick to the next; each plays one card to a trick.", "lead and turn"),
    rule("R11", "Play of the hand", DUTY, "The house leads the top card of the stock. It answers with the first card that can be played: of the suit led, a trump, or a joker; those before it are out of play.", "first card that fits"),
    rule("R12", "Play of the hand", DUTY, "At no trump the house turns up four cards for an answer; if none of them fits, the trick is the player's.", "four cards at no trump"),
    rule("R13", "Play of the hand", DUTY, "The stock is taken from the top as it lies, and is not shuffled again.", "order of the stock"),
    rule("R14", "Play of the hand", CONSEQUENCE, "The last card of the stock is the answer to the trick in progress, whatever it is; then every card left in the player's hand is a trick for the player.", "the stock runs out"),
)  # fmt: skip

READINGS = {
    "Two suits equally short": "the house may bid either, and is proposed the higher; option house_suit_tie=highest",
    "May the house bid no trump?": "no: it always bids the short suit; the shapes bind the player",
    "Whose are the cards thrown out when winners are counted?": "the house's, like every card that is not in the hand",
    "Must the house follow suit before it may trump?": "no: the first card of the suit led, trump or joker is taken, as in both worked hands",
    "The last card of the stock": "compared like any answer, so the trick is the player's unless the card fits and is better",
    "The stock empty at the end of a trick": "no further trick is begun; the cards left are the player's tricks",
    "Fewer than four cards left at no trump": "the last card of the stock is the answer, whatever it is",
    "A joker led by the player and answered by a joker": "the house wins; the exception is for the joker led by the house",
    "A joker led by the player": "any card is an answer to it",
    "Honours of the house": "none, as it holds no hand; option opponent_honors counts those it played to the tricks",
    "Usual scoring": "rubber bridge: 100 for a redoubled contract made, 300 for each doubled undertrick from the fourth on",
    "What the player bids when the house has passed": "anything from one to seven",
    "Doubling of the house's contract": "the player's jokers double it as well",
    "Equal totals at the end of the rubber": "a tie",
    "Both have passed": "nobody has a contract, and the hand does not count",
    "A fifth card turned up at no trump": "it is out of play; the trick stays the player's",
    "A bid without a level or a strain": "is played as a bid of one, or at no trump",
    "An agreed number of hands": "a rubber that is won before ends the match",
}

Said: TypeAlias = Bid | Pass
Answer = TypeVar("Answer")


class Hand:
    """One hand of Bridge Solitaire as it goes."""

    __slots__ = (
        "board", "by_default", "contract", "declarer", "gap", "house", "kept", "over", "player", "plays", "rest", "said",
        "stock", "top", "trick", "trump", "turned", "void", "won",
    )  # fmt: skip

    def __init__(self, state: State[Hand]) -> None:
        self.player, self.house = state.terms.seats
        self.board, self.stock, self.trick = (state.table.row(name) for name in ("board", "stock", "trick"))
        self.kept = 0
        # The card that lies on top of those thrown out, where it was written.
        self.top = ""
        self.said: dict[str, Said] = {}
        self.contract: Bid | None = None
        self.declarer = ""
        # The trump suit, empty at no trump, None while the contract is not known.
        self.trump: str | None = None
        self.plays: list[tuple[str, int]] = []
        self.turned = 0
        self.won: list[Trick] = []
        # The house has just turned up four cards at no trump, and none of them fitted.
        self.by_default = False
        # Tricks that fell to the player when the stock ran out.
        self.rest = 0
        self.over = self.gap = False
        self.void = ""

    @property
    def reserve(self) -> str:
        """The name of the pile that lies face down."""
        return f"reserve:{self.player}"

    @property
    def led(self) -> str:
        """The suit led to the trick in progress; empty for a joker."""
        return PACK.suit_of[self.plays[0][1]]


def start(state: State[Hand]) -> Hand:
    """The pack lies there unseen; the player is about to deal to himself, and to choose."""
    player, house = state.terms.seats
    state.dealer = player
    for name in ("stock", f"reserve:{player}", "board", "discard", "trick", "dead", f"won:{player}", f"won:{house}"):
        state.table.row(name)
    for seat in state.terms.seats:
        state.table.bag(seat)
    state.table.lay([UNSEEN] * PACK.size, state.table.row("stock"))
    state.phase, state.turn = "choice", (player,)
    return Hand(state)


# Setup: seven face down, thirteen face up, the rest is the stock
@RULES.check("R1", Deal)
def thirteen_lie_open(deal: Deal, state: State[Hand]) -> Says | None:
    return too_many(deal, "board", FACE_UP, state)


@RULES.check("R3", Deal)
def seven_lie_face_down(deal: Deal, state: State[Hand]) -> Says | None:
    return too_many(deal, f"reserve:{state.terms.seats[0]}", FACE_DOWN, state)


def too_many(deal: Deal, name: str, most: int, state: State[Hand]) -> Says | None:
    pile = None if state.settled else state.table.piles.get(name)
    for where, cards in deal.piles:
        count = (how_many(cards) or 0) + (0 if pile is None else len(pile))
        if where == name and count > most:
            return broken(f"{most} cards are dealt to {name}, not {count}")
    return None


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """What is not dealt is the stock: 34 unseen cards, unless the deal says how they lie."""
    in_hand(state)
    stock = state.hand.stock
    src = pile_named(state, deal.src) if deal.src else stock
    for name, cards in sorted(deal.piles, key=lambda pile: pile[0] == "stock"):
        for pile, codes in spread(state, name, cards):
            if pile is stock:
                state.table.tell_order(codes, stock)
            else:
                state.table.move(codes, src, pile)


def ready(state: State[Hand]) -> None:
    """Any act of play finds a hand begun and dealt; what nobody wrote of the deal is unseen."""
    in_hand(state)
    if not state.acts:
        for name, count in ((state.hand.reserve, FACE_DOWN), ("board", FACE_UP)):
            pile = state.table.row(name)
            state.table.move([UNSEEN] * (count - len(pile)), state.hand.stock, pile)
        state.acts = 1


# Determining the player's hand
def from_pile(act: Draw | Discard, hand: Hand) -> str:
    """Where the cards come from, where nobody wrote it: first the board, then what lies face down."""
    if isinstance(act, Discard):
        return act.src or "board"
    return act.src or ("board" if hand.kept < KEPT else hand.reserve)


def count_of(act: Draw | Discard, pile: Pile) -> int:
    """How many cards an act moves."""
    count = how_many(act.cards)
    return len(pile) if count is None else count


@RULES.check("R1", Draw, Discard)
def six_are_kept(act: Draw | Discard, state: State[Hand]) -> Says | None:
    if state.phase == "play":
        return None
    hand = state.hand
    if act.by != hand.player:
        return broken(f"{hand.player} chooses the hand")
    src = from_pile(act, hand)
    if src == "board":
        count = count_of(act, hand.board)
        thrown = len(state.table.row("discard"))
        if isinstance(act, Draw) and hand.kept + count > KEPT:
            return broken(f"six cards are kept, not {hand.kept + count}")
        if isinstance(act, Discard) and thrown + count > FACE_UP - KEPT:
            return broken(f"seven cards are thrown out, not {thrown + count}, so that six are kept")
    elif src not in (hand.reserve, "discard"):
        return broken(f"the hand is made of six open cards and the seven face down, nothing comes from {src}")
    return None


@RULES.check("R2", Draw, Discard)
def jokers_are_kept(act: Draw | Discard, state: State[Hand]) -> Says | None:
    hand = state.hand
    if state.phase not in ("choice", "opening") or from_pile(act, hand) != "board":
        return None
    named, all_seen = act.cards.count("Jo"), all(c in PACK for c in act.cards)
    sure, perhaps = hand.board.how_many(PACK.joker)
    if isinstance(act, Discard):
        # With six kept, a joker was left behind when they were chosen.
        if hand.kept >= KEPT or not (named or (perhaps and not all_seen)):
            return None
        return broken("a joker is thrown out") if named else unknown("whether a joker was thrown out")
    if hand.kept + count_of(act, hand.board) < KEPT:
        return None
    if sure > named and all_seen:
        return broken("a joker lies on the board and is not among the six")
    return unknown("whether a joker was left on the board") if perhaps > named else None


@RULES.check("R3", Draw, Show, Move)
def closed_cards_stay_closed(act: Draw | Show | Move, state: State[Hand]) -> Says | None:
    hand, src = state.hand, act.src
    if state.number == 0 or state.settled:
        return None
    if isinstance(act, Draw):
        src = from_pile(act, hand)
    if src == hand.reserve and state.phase == "choice":
        return broken("the seven cards are turned up only when six of the open ones are chosen")
    if src == "discard" and state.phase != "choice":
        cards = [c for group in act.groups for c in group] if isinstance(act, Show) else []
        if how_many(cards) != 1 or hand.top not in ("", *cards):
            return broken("of the cards thrown out only the top one may be looked at")
        return None if hand.top else unknown("which of the cards thrown out lies on top")
    return None


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ready(state)
    hand = state.hand
    src = pile_named(state, from_pile(draw, hand))
    codes = state.table.codes(draw.cards, src)
    if src is hand.board:
        if max(codes, default=0) >= UNSEEN and len(codes) < len(src):
            unsure(src, state)
        hand.kept += len(codes)
    state.table.move(codes, src, state.holding(draw.by))
    choice_made(state)


def unsure(pile: Pile, state: State[Hand]) -> None:
    """Some of these cards went away and nobody wrote which: each of them may be gone."""
    assert pile.row is not None
    state.table.located -= pile.certain - pile.later
    pile.row[:] = [UNSEEN] * len(pile.row)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """The player throws out what is not kept; the house turns up a card that cannot be played."""
    ready(state)
    hand = state.hand
    if discard.by == hand.house or state.phase == "play":
        turn_up(discard, state)
        return
    src = pile_named(state, from_pile(discard, hand))
    codes = state.table.codes(discard.cards, src)
    state.table.move(codes, src, state.table.row("discard"))
    hand.top = discard.cards[-1] if discard.cards[-1] in PACK else ""
    if src is hand.board and len(src) and len(src) + hand.kept == KEPT:
        state.infer("the cards left on the board were kept")
        hand.kept = KEPT
        state.table.move(src.codes()[::-1], src, state.holding(hand.player))
    choice_made(state)


def choice_made(state: State[Hand]) -> None:
    """The choice is made when six are kept; the house calls when nothing is left to throw out or turn up."""
    hand = state.hand
    if state.phase in ("choice", "opening"):
        if hand.kept >= KEPT or not len(hand.board):
            state.phase = "opening"
        if state.phase == "opening" and not len(hand.board) and not len(state.table.row(hand.reserve)):
            state.phase, state.turn = "house call", (hand.house,)


def complete_hand(state: State[Hand]) -> None:
    """The hand goes on: what nobody wrote of the choice is added."""
    hand, table = state.hand, state.table
    if state.phase not in ("choice", "opening"):
        return
    held = state.holding(hand.player)
    missing = min(KEPT - hand.kept, len(hand.board))
    if missing > 0:
        if missing < len(hand.board):
            unsure(hand.board, state)
        table.move([UNSEEN] * missing, hand.board, held)
        state.infer(f"{missing} of the cards on the board were kept before this; nobody wrote which")
        hand.kept += missing
    if len(hand.board):
        table.move(hand.board.codes(), hand.board, table.row("discard"))
        state.infer("the cards that were not kept were thrown out")
    reserve = table.row(hand.reserve)
    if len(reserve):
        table.move(reserve.codes()[::-1], reserve, held)
        state.infer("the cards that lay face down were turned up")
    choice_made(state)


# Bidding: the house
@cache
def winning_tricks(ranks: str) -> int:
    """How many tricks a holding in one suit is good for, when every other card of it is the house's.

    The highest card left in the suit wins; to beat the player's best, the house spends its best on the player's worst.

    >>> [winning_tricks(r) for r in ("AQT9", "AQT32", "AKQJT8", "Q87", "K43", "A93", "94", "3", "")]
    [2, 3, 5, 1, 1, 1, 0, 0, 0]
    """
    mine = [r for r in PLAIN.ranks if r in ranks]
    theirs = [r for r in PLAIN.ranks if r not in ranks]
    tricks = 0
    while mine:
        if not theirs or PLAIN.place(mine[0]) < PLAIN.place(theirs[0]):
            mine.pop(0)
            tricks += 1
        else:
            mine.pop()
            theirs.pop(0)
    return tricks


def by_suit(bag: int) -> dict[str, str]:
    """The ranks held in each suit; jokers count in none."""
    ranks = dict.fromkeys(SUITS, "")
    for card in PACK.cards(bag & ~PACK.joker):
        ranks[card[1]] += card[0]
    return ranks


def house_call(bag: int) -> tuple[int, tuple[str, ...]]:
    """What the house calls against a hand: the level, 0 for a pass, and the suits that are shortest, highest first.

    >>> house_call(PACK.bag("Ah Qh Th 3h 2h 3d Kc 4c 3c As 9s 3s Jo".split()))
    (1, ('d',))
    """
    ranks = by_suit(bag)
    level = 6 - sum(winning_tricks(r) for r in ranks.values())
    fewest = min(map(len, ranks.values()))
    return max(0, level), tuple(suit for suit in "shdc" if len(ranks[suit]) == fewest)


def without_hindsight(state: State[Hand], ask: Callable[[], Answer]) -> Answer:
    """What the table could know by now: later cards help to judge an act, they do not change what came of it."""
    table = state.table
    later = {pile: pile.later for pile in table.piles.values() if pile.later}
    proved, table.later = table.later, 0
    for pile in later:
        pile.later = 0
    answer = ask()
    for pile, bag in later.items():
        pile.later = bag
    table.later = proved
    return answer


def thirteen(state: State[Hand]) -> int | None:
    """The player's whole hand, also while the seven still lie face down; None where not all of it is known."""
    held, down = state.holding(state.hand.player), state.table.row(state.hand.reserve)
    known = held.complete and down.complete and state.hand.kept == KEPT and state.phase != "play"
    return held.certain + down.certain if known else None


def computed_call(state: State[Hand]) -> Said | None:
    """The call that the house owes, in the highest of its suits; None where the hand is not known."""
    bag = thirteen(state)
    if bag is None:
        return None
    level, suits = house_call(bag)
    return Bid(by=state.hand.house, level=level, strain=suits[0]) if level else Pass(by=state.hand.house)


@RULES.check("R4", Bid, Pass)
def the_house_calls_by_rote(call: Said, state: State[Hand]) -> Says | None:
    hand = state.hand
    if call.by != hand.house or state.phase == "play":
        return None
    if isinstance(call, Bid) and (call.strain not in SUITS or call.level not in range(1, 7)):
        return broken("the house bids one to six in a suit")
    bag = thirteen(state)
    if bag is None:
        return unknown(f"the thirteen cards of {hand.player} decide the call, and not all of them were seen")
    level, suits = house_call(bag)
    if not level:
        return broken("the player has six winning tricks or more, so the house passes", bag, hand.player, together=True) if isinstance(call, Bid) else None
    due = " or ".join(said(level, suit) for suit in suits)
    if isinstance(call, Pass) or call.level != level or call.strain not in suits:
        return broken(f"{6 - level} winning tricks from six leave {level}: the house bids {due}", bag, hand.player, together=True)
    if state.terms.options.house_suit_tie == "highest" and call.strain != suits[0]:
        return broken(f"of suits equally short the house bids the highest: {said(level, suits[0])}", bag, hand.player, together=True)
    return None


# Bidding: the player
def house_said(state: State[Hand]) -> Said | None:
    """What the house called, or, where nobody wrote it, must have called; None where that cannot be told."""
    return state.hand.said.get(state.hand.house) or computed_call(state)


@RULES.check("R5", Pass)
def the_player_bids_when_the_house_passes(act: Pass, state: State[Hand]) -> Says | None:
    if act.by != state.hand.player or act.by in state.hand.said:
        return None
    house = house_said(state)
    if isinstance(house, Pass):
        return broken(f"{house.by} has passed, so {act.by} must bid")
    return unknown("the call of the house was not written") if house is None else None


@RULES.check("R6", Bid, Pass)
def each_calls_once_the_player_higher(call: Said, state: State[Hand]) -> Says | None:
    hand = state.hand
    if call.by in hand.said:
        return broken(f"{call.by} has called already; each calls once")
    if call.by == hand.house:
        return broken(f"{hand.house} calls first, and {hand.player} has called") if hand.said else None
    if isinstance(call, Pass):
        return None
    if call.strain not in STRAINS or call.level not in range(1, 8):
        return broken("a bid is one to seven, in c, d, h, s or nt")
    house = house_said(state)
    if house is None:
        return unknown("the call of the house was not written")
    if isinstance(house, Bid) and house.strain in STRAINS and not outranks(call.level or 0, call.strain, house.level or 0, house.strain):
        return broken(f"{said(call.level, call.strain)} is not higher than {said(house.level, house.strain)}")
    return None


@RULES.check("R7", Bid)
def no_trump_needs_the_shape(bid: Bid, state: State[Hand]) -> Says | None:
    if bid.strain != "nt" or bid.by != state.hand.player or bid.by in state.hand.said:
        return None
    piles = (state.holding(bid.by), state.table.row(state.hand.reserve))
    if state.hand.kept != KEPT:
        return unknown(f"the hand of {bid.by} was not seen")
    counts = [total([pile.how_many(PACK.suit[suit]) for pile in piles]) for suit in SUITS]
    low, high = total([pile.how_many(PACK.joker) for pile in piles])
    fits = any(
        low <= TRICKS - sum(shape) <= high and all(a <= n <= b for n, (a, b) in zip(order, counts, strict=True))
        for shape in NO_TRUMP_SHAPES
        for order in set(turns(shape))
    )
    if not fits:
        shape = "-".join(str(a) for a, _ in sorted(counts, reverse=True))
        long = sum(PACK.suit[suit] for suit, (least, _) in zip(SUITS, counts, strict=True) if least > 4)
        cards = piles[0].certain & (long or PACK.everything)
        return broken(f"the hand is {shape}{' with a joker' * (low == 1)}{' with both jokers' * (low == 2)}", cards, bid.by, together=True)
    return None if thirteen(state) is not None else unknown(f"the shape of the hand of {bid.by} was not seen")


def total(bounds: list[tuple[int, int]]) -> tuple[int, int]:
    """At least and at most how many, of several piles together."""
    return sum(low for low, _ in bounds), sum(high for _, high in bounds)


def turns(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The odd number of a shape in each of the four suits."""
    return [shape[i:] + shape[:i] for i in range(4)]


@RULES.check("R8", Call)
def jokers_double(call: Call, state: State[Hand]) -> Says | None:
    if call.word not in ("double", "redouble"):
        return None
    low, high = among_thirteen(state, PACK.joker)
    jokers = 1 if call.word == "double" else 2
    if not low <= jokers <= high:
        held = f"{low} joker{'s' * (low != 1)}" if low == high else "other jokers"
        return broken(f"{state.hand.player} has {held}, and only jokers double")
    return None if low == high else unknown(f"how many jokers {state.hand.player} has")


def on_bid(bid: Bid, state: State[Hand]) -> None:
    make_call(bid, state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    make_call(act, state)


def make_call(call: Said, state: State[Hand]) -> None:
    """Each calls once; when the player has called, the contract is settled."""
    ready(state)
    complete_hand(state)
    hand = state.hand
    if call.by == hand.player and hand.house not in hand.said:
        due = without_hindsight(state, lambda: computed_call(state))
        if due is not None:
            hand.said[hand.house] = due
            heard = said(due.level, due.strain) if isinstance(due, Bid) else "a pass"
            state.infer(f"the house's call was {heard}, as the hand demands; nobody wrote it")
    hand.said[call.by] = call
    if hand.plays or hand.won:
        return
    if hand.player not in hand.said:
        state.phase, state.turn = "call", (hand.player,)
        return
    mine, theirs = hand.said[hand.player], hand.said.get(hand.house)
    if isinstance(mine, Pass) and isinstance(theirs, Pass):
        hand.void = "passed out"
        finish_hand(state)
        return
    hand.declarer = hand.player if isinstance(mine, Bid) else hand.house
    won = mine if isinstance(mine, Bid) else theirs
    if isinstance(won, Bid):
        hand.contract = replace(won, level=won.level or 1, strain=won.strain if won.strain in SUITS else "nt")
        hand.trump = hand.contract.strain if hand.contract.strain in SUITS else ""
    state.phase, state.turn = "play", (hand.house if hand.declarer == hand.player else hand.player,)


# Play of the hand: what fits
@cache
def answers(led: str, trump: str | None) -> tuple[int, int]:
    """The cards with which the house certainly answers, and those with which it perhaps does."""
    if led == "":
        return PACK.everything, PACK.everything
    trumps = PACK.suit[trump] if trump else 0
    sure = PACK.joker | trumps | PACK.suit.get(led, 0)
    return sure, PACK.everything if led == "?" or trump is None else sure


def fits(code: int, hand: Hand) -> bool | None:
    """Whether a card turned up answers the lead; None where that cannot be told."""
    sure, perhaps = answers(hand.led, hand.trump)
    may_be = PACK.may_be[code]
    if not may_be & ~sure:
        return True
    return None if may_be & perhaps else False


def last_card(hand: Hand) -> bool | None:
    """Whether the stock is down to its last card; None where nobody counted the cards turned up."""
    return None if hand.stock.vague else len(hand.stock) <= 1


@RULES.check("R9", Play, Discard)
def the_player_follows_suit(act: Play | Discard, state: State[Hand]) -> Says | None:
    hand = state.hand
    if act.by != hand.player or state.phase != "play":
        return None
    if isinstance(act, Discard) or act.src not in ("", f"hand:{hand.player}"):
        return broken("the player plays from the hand, to the trick")
    if not hand.plays or hand.plays[0][0] != hand.house:
        return None
    led = hand.led
    code = state.code(act.cards)
    suit = PACK.suit_of[code]
    if led in ("", suit) and led != "?":
        return None
    if led == "?":
        return unknown("a card of this trick was not seen")
    held = state.holding(act.by)
    follows = held.any_of(PACK.suit[led])
    if suit == "?" and follows is not False:
        # Nobody saw the card; what it can have been may still be enough.
        may_be = held.may_leave(code)
        if may_be and not may_be & ~PACK.suit[led]:
            return None
        if not may_be or may_be & PACK.suit[led]:
            return unknown("a card of this trick was not seen")
    if follows:
        how = ", so a joker may not be thrown" if code == JOKER else ""
        return broken(f"{SUIT_NAMES[led]} were led, and {act.by} holds one{how}", held.certain & PACK.suit[led], act.by)
    return unknown(f"whether {act.by} held {SUIT_NAMES[led]}") if follows is None else None


@RULES.check("R10", Play, Discard)
def lead_and_turn(act: Play | Discard, state: State[Hand]) -> Says | None:
    hand = state.hand
    if state.phase != "play":
        return None
    if isinstance(act, Play) and (len(act.cards) > 1 or how_many(act.cards) != 1):
        return broken("one card is played at a time")
    if not hand.plays and hand.won and len(hand.won[-1].winners) > 1 and act.by in hand.won[-1].winners:
        # That somebody leads does not prove that they had won.
        return unknown(f"who won the trick before: {' or '.join(hand.won[-1].winners)}")
    if act.by in state.turn or (act.by == hand.house and hand.by_default) or (act.by == hand.player and perhaps_four(hand)):
        return None
    if hand.plays:
        return broken(f"{hand.plays[0][0]} has led, and {state.turn[0]} plays to this trick")
    return broken(f"{state.turn[0]} {'won the last trick' if hand.won else 'defends'}, and leads")


@RULES.check("R10", Move)
def the_winner_gathers(move: Move, state: State[Hand]) -> Says | None:
    won = state.hand.won if state.number else []
    if move.src != "trick" or not won or state.hand.plays or not move.to.startswith("won:") or move.to[4:] in won[-1].winners:
        return None
    return broken(f"{won[-1].winners[0]} won the trick")


@RULES.check("R11", Play, Discard)
def the_first_card_that_fits(act: Play | Discard, state: State[Hand]) -> Says | None:
    hand = state.hand
    if act.by != hand.house or state.phase != "play" or hand.by_default:
        return None
    if act.src not in ("", "stock"):
        return broken(f"{act.by} plays from the stock, not from {act.src}")
    if not hand.plays:
        if isinstance(act, Discard) and act.by in state.turn:
            return broken("to lead, the house plays the top card of the stock, whatever it is")
        return None
    if hand.plays[0][0] == hand.house:
        return None
    if isinstance(act, Discard):
        answer = [fits(state.code((c,)), hand) for c in act.cards]
        if True in answer:
            return broken(f"{pretty(act.cards[answer.index(True)])} could be played, and may not be passed over")
        return unknown("whether the card turned up could be played") if None in answer else None
    if last_card(hand):
        return None
    answered = fits(state.code(act.cards), hand)
    if answered is False and last_card(hand) is not None:
        what = f"of {SUIT_NAMES[hand.led]}" if hand.led in SUIT_NAMES else "of the suit led"
        return broken(f"{pretty(act.cards[0])} is neither {what}, nor a trump, nor a joker")
    return None if answered else unknown("whether this card could be played")


@RULES.check("R12", Play, Discard)
def four_cards_at_no_trump(act: Play | Discard, state: State[Hand]) -> Says | None:
    hand = state.hand
    if act.by != hand.house or state.phase != "play":
        return None
    if hand.by_default:
        return broken(f"four cards did not fit, so the trick is {hand.player}'s, who leads")
    if hand.trump == "" and hand.plays and isinstance(act, Discard):
        count = how_many(act.cards)
        if count is None:
            return unknown("how many cards were turned up")
        if hand.turned + count > FOUR_CARDS:
            return broken("no more than four cards are turned up for an answer at no trump")
    return None


def perhaps_four(hand: Hand) -> bool:
    """Whether the trick may be the player's by default: cards were turned up at no trump, and nobody counted them."""
    led = bool(hand.plays) and hand.plays[0][0] == hand.player
    return led and hand.trump == "" and hand.turned > 0 and hand.stock.vague


@RULES.check("R13", Play, Discard, Draw, Shuffle)
def the_stock_stays_as_it_lies(act: Play | Discard | Draw | Shuffle, state: State[Hand]) -> Says | None:
    hand = state.hand
    if isinstance(act, Shuffle):
        touched = "stock" in (act.src, act.to, *(name for name, _ in act.piles))
        return broken("the stock is not shuffled again") if touched and state.acts and not state.settled else None
    if act.src == "stock_":
        return broken("the stock is taken from the top")
    if act.src != "stock" and (act.by != hand.house or act.src):
        return None
    row = hand.stock.row or []
    for place, card in enumerate(act.cards, 1):
        code = state.code((card,))
        if place > len(row) or code >= UNSEEN or row[-place] >= UNSEEN:
            return None
        if row[-place] != code:
            return broken(f"{pretty(PACK.faces[row[-place]])} lies on top of the stock")
    return None


# Play of the hand: what happens
def on_play(play: Play, state: State[Hand]) -> None:
    begin_play(state)
    hand = state.hand
    src = pile_named(state, play.src) if play.src else hand.stock if play.by == hand.house else state.holding(play.by)
    code = state.table.code(play.cards)
    if play.by == hand.house and hand.by_default:
        state.table.move_one(code, src, state.table.row("dead"))
        end_of_play(state)
        return
    if hand.plays and hand.plays[0][0] == play.by:
        unwritten_answer(state)
        if state.settled:
            return
    add(play.by, code, src, state)


def begin_play(state: State[Hand]) -> None:
    """A card played before the contract is known: the play begins all the same."""
    if state.phase != "play":
        ready(state)
        complete_hand(state)
        state.phase, state.turn = "play", state.terms.seats


def add(seat: str, code: int, src: Pile, state: State[Hand]) -> None:
    """A card joins the trick; the second one completes it."""
    hand = state.hand
    if not hand.plays and hand.won and len(hand.won[-1].winners) > 1:
        last = hand.won[-1]
        gather(pile_of(last.winners, state), pile_of((seat,), state), len(last.plays))
        last.winners, last.inferred = (seat,), True
    state.table.move_one(code, src, hand.trick)
    assert hand.trick.row
    hand.plays.append((seat, hand.trick.row[-1]))
    hand.by_default = False
    if len(hand.plays) == 1:
        state.turn = (hand.house if seat == hand.player else hand.player,)
        hand.turned = 0
    else:
        complete_trick(possible_winners(state), state)


def complete_trick(winners: tuple[str, ...], state: State[Hand]) -> None:
    """The cards go to the winner, who leads to the next trick, if there is one."""
    hand = state.hand
    hand.won.append(Trick(state.at, tuple(hand.plays), winners))
    hand.plays = []
    gather(hand.trick, pile_of(winners, state), len(hand.trick))
    state.turn = winners
    end_of_play(state)


def pile_of(winners: tuple[str, ...], state: State[Hand]) -> Pile:
    """Where a trick lies; while it is open who won it, with nobody."""
    return state.table.row(f"won:{winners[0]}" if len(winners) == 1 else "won")


def gather(src: Pile, dst: Pile, count: int) -> None:
    """The last cards of one row go to another, as they lie."""
    assert src.row is not None
    assert dst.row is not None
    start = len(src.row) - count
    dst.row += src.row[start:]
    del src.row[start:]


def end_of_play(state: State[Hand]) -> None:
    """Thirteen tricks, or a hand without cards, end the play; so does the stock, and leaves the player the rest."""
    hand, held = state.hand, state.holding(state.hand.player)
    if not hand.stock.vague and not len(hand.stock):
        hand.rest = min(TRICKS - len(hand.won), len(held))
        hand.over = True
    elif len(hand.won) == TRICKS or (not held.vague and not len(held)):
        hand.over = True
    if hand.over:
        finish_hand(state)


def winner(leader: str, lead: int, answer: int, trump: str, hand: Hand) -> str:
    """Who wins two cards: the house any trick with a joker, unless it led one and got the other."""
    if JOKER in (lead, answer):
        return hand.player if leader == hand.house and lead == answer else hand.house
    power = strengths(PACK, PLAIN, trump)[PACK.suit_of[lead]].values
    other = hand.house if leader == hand.player else hand.player
    return leader if power[lead] > power[answer] else other


def possible_winners(state: State[Hand]) -> tuple[str, ...]:
    """Who may have won the trick: each card that was not seen may be any that has no place yet."""
    hand = state.hand
    (leader, lead), (_, answer) = hand.plays
    if hand.trump is not None and lead < UNSEEN and answer < UNSEEN:
        return (winner(leader, lead, answer, hand.trump, hand),)
    free = state.table.free()
    found: list[str] = []
    trumps = ("", *SUITS) if hand.trump is None else (hand.trump,)
    leads, others = ([c] if c < UNSEEN else list(dict.fromkeys(PACK.codes(PACK.may_be[c] & free))) for c in (lead, answer))
    for trump, first, second in product(trumps, leads, others):
        if first == second != JOKER:
            continue
        who = winner(leader, first, second, trump, hand)
        if who not in found:
            found.append(who)
            if len(found) == 2:
                break
    return tuple(found) or (leader,)


def turn_up(discard: Discard, state: State[Hand]) -> None:
    """Cards of the stock that do not fit go out of play; the fourth at no trump, and the last of all, end the trick."""
    begin_play(state)
    hand, table = state.hand, state.table
    src = pile_named(state, discard.src) if discard.src else hand.stock if discard.by == hand.house else state.holding(discard.by)
    dead = table.row("dead")
    for code in table.codes(discard.cards, src):
        answering = src is hand.stock and bool(hand.plays) and hand.plays[0][0] == hand.player
        if answering and last_card(hand):
            add(hand.house, code, src, state)
            return
        table.move_one(code, src, dead)
        hand.turned += 1
        if answering and hand.trump == "" and hand.turned >= FOUR_CARDS and not src.vague:
            hand.by_default = True
            complete_trick((hand.player,), state)
    if not hand.plays and not state.settled:
        end_of_play(state)


def unwritten_answer(state: State[Hand]) -> None:
    """A seat plays again before its trick is full: the answer went by unwritten. A known stock tells the house's."""
    hand = state.hand
    trick = len(hand.won) + 1
    if hand.plays[0][0] == hand.house:
        state.infer(f"trick {trick} was full before this: the card of {hand.player} was not written")
        add(hand.player, UNSEEN, state.holding(hand.player), state)
        return
    if perhaps_four(hand):
        state.infer(f"trick {trick} was {hand.player}'s by default: none of the cards turned up was played, and {hand.player} leads")
        complete_trick((hand.player,), state)
        return
    state.infer(f"trick {trick} was full before this: the answer of the house was not written")
    full = len(hand.won)
    while len(hand.won) == full and hand.stock.row and hand.stock.row[-1] < UNSEEN and not state.settled:
        top = hand.stock.row[-1]
        card = (PACK.faces[top],)
        if fits(top, hand) or last_card(hand):
            add(hand.house, top, hand.stock, state)
        else:
            turn_up(Discard(by=hand.house, cards=card, src="stock"), state)
    if len(hand.won) == full and not state.settled:
        hand.stock.vague = True
        add(hand.house, UNSEEN, hand.stock, state)


def on_gathering(move: Move, state: State[Hand]) -> None:
    """The table says who took the trick, or a card of it goes back; anything else is a move like any other."""
    hand, to = state.hand, move.to[4:]
    if move.src != "trick" or state.number == 0:
        on_move(move, state)
    elif hand.plays:
        back = state.table.codes(move.cards, hand.trick)
        on_move(move, state)
        for seat, code in hand.plays:
            if code in back:
                state.turn = (seat,)
        hand.plays = [(seat, code) for seat, code in hand.plays if code not in back]
    elif to in state.terms.sides and hand.won:
        last = hand.won[-1]
        seat = owner(last, state.terms.side_of)
        gather(pile_of((seat,) if seat else last.winners, state), state.table.row(move.to), len(last.plays))
        last.gathered = to
        if state.settled:
            settle(state)
        else:
            state.turn = (to,)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: what is held, how deep the stock is and who took what is lost for this hand."""
    if state.settled:
        return
    hand = state.hand
    hand.gap = True
    for pile in (state.holding(hand.player), hand.stock):
        state.table.lose_sight(pile)
    if state.phase == "play":
        hand.plays, state.turn = [], (hand.player, hand.house)


# Scoring
class Tally(Struct):
    """What a hand is scored from; `tricks` are the declarer's, `honors` the player's. None where it is not known."""

    declarer: str | None = None
    level: int | None = None
    strain: str | None = None
    jokers: int | None = None
    tricks: int | None = None
    honors: int | None = None
    house_honors: int | None = 0
    void: str = ""


TALLY = {
    "declarer": "seat that plays the contract",
    "level": "1 to 7",
    "strain": "c, d, h, s or nt",
    "jokers": "jokers in the player's hand: 0 (also if left out), 1 doubles, 2 redouble",
    "tricks": "tricks of the declarer",
    "tricks.*": "tricks of a seat",
    "trick.#": "seat that took that trick",
    "honors": "the player's honours: 0 (also if left out), 100 or 150",
    "househonors": "the honours of the house, where it scores them",
    "void": "why the hand does not count",
}
WORDS = {
    "double": "call: one joker in the player's hand doubles the contract",
    "redouble": "call: both jokers redouble it",
    "misdeal": "end: the hand is dealt again",
    "void": "end: the hand does not count",
}


@RULES.check("R14", TallyEvent)
def thirteen_tricks_in_a_tally(event: TallyEvent, state: State[Hand]) -> Says | None:
    tricks = event.facts.get("tricks")
    if isinstance(tricks, int) and tricks not in range(TRICKS + 1):
        return broken(f"a hand has thirteen tricks, not {tricks}")
    if isinstance(tricks, dict):
        counts = [n for n in tricks.values() if isinstance(n, int)]
        if len(counts) == 2 and sum(counts) != TRICKS:
            return broken(f"{counts[0]} and {counts[1]} are not the thirteen tricks of a hand")
    return None


def among_thirteen(state: State[Hand], mask: int) -> tuple[int, int]:
    """At least and at most how many of these the player's thirteen cards had, played or still held."""
    hand = state.hand
    mine = [code for trick in (*(t.plays for t in hand.won), hand.plays) for seat, code in trick if seat == hand.player]
    low, high = state.holding(hand.player).how_many(mask)
    free = state.table.free()
    for code in mine:
        if code < UNSEEN:
            low, high = low + bool(PACK.field[code] & mask), high + bool(PACK.field[code] & mask)
        else:
            high += bool(PACK.may_be[code] & mask & free)
    return low, min(high, PACK.count(PACK.full & mask))


def honour_cards(strain: str) -> int:
    """The mask of the honours of a strain: five trumps, or the four aces."""
    return PACK.rank["A"] if strain == "nt" else PACK.mask_of([rank + strain for rank in HONOURS])


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` says."""
    hand = state.hand
    out = Tally(declarer=hand.declarer or None, void=hand.void or (state.cut if state.cut in ("misdeal", "void") else ""))
    if hand.contract is not None:
        out.level, out.strain = hand.contract.level, hand.contract.strain
    if hand.said or hand.plays or hand.won:
        low, high = without_hindsight(state, lambda: among_thirteen(state, PACK.joker))
        out.jokers = low if low == high else None
    took: dict[str, int | None] = {}
    of_declarer: int | None = None
    if hand.over and not hand.gap:
        took[hand.player] = tricks_of(hand.player, state)
    for facts in state.tallies:
        out.declarer = str(facts.get("declarer", out.declarer or "")) or None
        out.strain = str(facts.get("strain", out.strain or "")) or None
        out.level, out.jokers = whole(facts, "level", out.level), whole(facts, "jokers", out.jokers)
        tricks = facts.get("tricks")
        if isinstance(tricks, dict):
            took = {seat: n for seat, n in tricks.items() if isinstance(n, int)}
        elif isinstance(tricks, int):
            of_declarer = tricks
        if isinstance(facts.get("trick"), dict) and len(facts["trick"]) == TRICKS:
            took = {seat: list(facts["trick"].values()).count(seat) for seat in state.terms.seats}
        if facts.get("void"):
            out.void = "void" if facts["void"] is True else str(facts["void"])
    if state.tallies and not state.acts and out.jokers is None:
        out.jokers = 0
    if of_declarer is not None:
        out.tricks = of_declarer
    elif out.declarer in took:
        out.tricks = took[out.declarer]
    elif len(took) == 1:
        (n,) = took.values()
        out.tricks = None if n is None else TRICKS - n
    if out.strain in STRAINS:
        out.honors, out.house_honors = honours_held(out.strain, state)
    for facts in state.tallies:
        out.honors = whole(facts, "honors", out.honors)
        out.house_honors = whole(facts, "househonors", out.house_honors)
    return out


def whole(facts: Facts, key: str, default: int | None) -> int | None:
    """The number a fact states; None where it states something else."""
    value = facts.get(key, default)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def tricks_of(seat: str, state: State[Hand]) -> int | None:
    """How many tricks a seat has; None where one of them cannot be told."""
    owners = [owner(trick, state.terms.side_of) for trick in state.hand.won]
    return None if "" in owners else owners.count(seat) + state.hand.rest * (seat == state.hand.player)


def honours_held(strain: str, state: State[Hand]) -> tuple[int | None, int | None]:
    """What the honours of the player earn, and those that the house played; None where that cannot be told."""
    if not state.acts:
        return 0, 0
    mask = honour_cards(strain)
    low, high = without_hindsight(state, lambda: among_thirteen(state, mask))
    mine = {honours(strain, n) for n in range(low, high + 1)}
    low = high = 0
    for trick in state.hand.won:
        for seat, code in trick.plays:
            if seat == state.hand.house and PACK.may_be[code] & mask:
                high += 1
                low += code < UNSEEN
    theirs = {honours(strain, n) for n in range(low, high + 1)}
    return mine.pop() if len(mine) == 1 else None, theirs.pop() if len(theirs) == 1 else None


def score_tally(t: Tally, before: Rubber, sides: tuple[str, str], options: Options) -> tuple[list[Line], str]:
    """The entries of a hand, and how the contract went.

    Five honours and a doubled contract made with nothing to spare:

    >>> t = Tally("P", 1, "c", 1, 7, 150)
    >>> [(e.column, e.label, e.amounts["P"]) for e in score_tally(t, new_rubber("PH"), ("P", "H"), Options())[0]]
    [('below', 'tricks', 40), ('above', 'insult', 50), ('above', 'honours', 150)]
    """
    player, house = sides
    nobody_knows: Points = dict.fromkeys(sides)
    lines: list[Line] = []
    result = ""
    level, strain, jokers = t.level, t.strain, t.jokers
    sound = t.declarer in sides and level in range(1, 8) and strain in STRAINS and t.tricks in range(14)
    if not sound or jokers not in (0, 1, 2) or t.declarer is None or level is None or strain is None or t.tricks is None:
        lines = [Line("contract", nobody_knows, {}, column) for column in ("below", "above")]
    else:
        contract = Contract(t.declarer, level, strain, 2**jokers)
        vulnerable = before.vulnerable(t.declarer)
        lines = list(made_or_set(contract, t.tricks, bool(vulnerable), sides))
        if vulnerable is None and depends_on_vulnerability(contract, t.tricks):
            lines = [e if e.column == "below" else Line(e.label, dict.fromkeys(e.sums), {}, e.column) for e in lines]
        over = t.tricks - 6 - level
        result = f"down {-over}" if over < 0 else f"made{f' +{over}' if over else ''}"
    for side, amount in ((player, t.honors), (house, t.house_honors if options.opponent_honors else 0)):
        if amount is None:
            lines.append(Line("honours", {side: None}, {}, "above"))
        elif amount:
            what = "four aces" if strain == "nt" else f"{ {100: 'four', 150: 'five'}.get(amount, '?')} honours"
            lines.append(entry("honours", side, amount, f"{what} in one hand: {amount}"))
    return lines, result


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded; the last hand also carries what the rubber is worth."""
    t = tally(state)
    before, options, hand = state.before, state.terms.options, state.hand
    assert isinstance(before, Rubber)
    sides = (hand.player, hand.house)
    source = "tally" if state.tallies else "moves"
    if any("trick" in facts for facts in state.tallies):
        source = "tricks"
    lines: list[Line] = []
    result, missing = t.void, []
    if t.void:
        source = "void"
    elif not state.settled and not state.tallies:
        source, missing = "nothing", ["the hand is in play"]
    else:
        lines, result = score_tally(t, before, sides, options)
        lines += rubber_bonus(before, lines)
        missing = unknown_figures(t, before)
    after_it = carried(before, lines)
    last = state.ended == "agreed" or (options.end == "hands" and source not in ("void", "nothing") and after_it.hands >= options.hands)
    if last and not after_it.over and options.unfinished == "bonus":
        lines += broken_off(after_it)
    points = {side: sum_of(lines, side) for side in sides}
    return HandScore(state.number, state.dealer, source, title(t, state.terms), result, tuple(lines), points, {}, (), tuple(missing))


def title(t: Tally, terms: Terms) -> str:
    """The contract as a pad has it: who, what, doubled or not."""
    if t.declarer is None:
        return ""
    what = said(t.level, t.strain or "") if t.level is not None else "?"
    doubled = DOUBLED[2**t.jokers] if t.jokers in (0, 1, 2) and t.jokers is not None else ""
    return f"{terms.name(t.declarer)} {what} {doubled}".strip()


def unknown_figures(t: Tally, before: Rubber) -> list[str]:
    """What is missing for a full score."""
    missing = []
    if t.declarer is None or t.level is None or t.strain not in STRAINS:
        missing.append("the contract")
    if t.jokers is None:
        missing.append("how many jokers the player had")
    if t.tricks is None:
        missing.append("who took which trick")
    if t.honors is None:
        missing.append("the player's honours")
    if t.declarer in before.games and before.vulnerable(t.declarer or "") is None:
        missing.append("who has won a game")
    return missing


def after(before: Rubber, hand: HandScore, terms: Terms) -> Rubber:
    """The rubber is over with the second game of a side, or with the last of the hands agreed on."""
    lines = hand.lines
    if not lines and None in hand.points.values():
        lines = tuple(Line("contract", hand.points, {}, column) for column in ("below", "above"))
    standing = carried(before, lines)
    if hand.source in ("void", "nothing"):
        return replace(standing, hands=before.hands)
    options = terms.options
    if options.end == "hands" and standing.hands >= options.hands and not standing.over:
        return replace(standing, over=True, winner=higher(standing.totals))
    return standing


def on_end_of_match(event: End, state: State[Hand]) -> None:
    """Left unfinished, a rubber is worth what its only game and its only part score bring."""
    on_end(event, state)
    if event.what == "match" and state.number:
        settle(state)


# The sheet: a pad ruled in four, PLAYER and HOUSE, above and below the line
def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """Above the line the newest entry stands on top; below it a rule ends each game."""
    player, house = sides = state.terms.seats
    above: list[Row] = []
    below: list[Row] = []
    hands: list[Row] = []
    rubber = new_rubber(sides)
    kind: Literal["", "rule"] = ""
    for s in state.scores:
        if s.source == "nothing" and not s.contract and not s.lines:
            continue
        for line in s.lines:
            row = Row((Cell(str(s.number)), Cell(line.label), *(amount(line, side) for side in sides)))
            if line.column == "above":
                above.insert(0, row)
            else:
                below.append(replace(row, kind=kind))
                kind = ""
        games = rubber.games
        rubber = after(rubber, s, state.terms)
        if rubber.games != games and None not in rubber.games.values():
            kind = "rule"
        cells = [Cell(str(s.number)), Cell(s.contract or "–"), Cell(s.result or "–")]
        for side in sides:
            sums = "; ".join(line.sums[side] for line in s.lines if side in line.sums)
            got = s.points.get(side)
            cells += [Cell(figure(got), sums, "unknown" if got is None else ""), Cell(figure(s.totals.get(side)), "", "total")]
        hands.append(Row(tuple(cells), notes=s.notes))
    won = state.ended and rubber.winner
    total = Row(
        (Cell(""), Cell("total"), *(Cell(figure(rubber.totals[s]), "", "won" if s == won else "total") for s in sides)), "total"
    )  # fmt: skip
    part = [Row((Cell(""), Cell(name), Cell(""), Cell("")), "part") for name in ("above the line", "below the line")]
    facts = (
        *empty.facts, ("PLAYER", state.terms.name(player)), ("HOUSE", state.terms.name(house)),
        ("Games", " : ".join(figure(rubber.games[s]) for s in sides)),
    )  # fmt: skip
    pad = Block("Score", ("hand", "entry", "PLAYER", "HOUSE"), (part[0], *above, part[1], *below, total))
    heads = ("hand", "contract", "result", "PLAYER ±", "PLAYER", "HOUSE ±", "HOUSE")
    return replace(empty, facts=facts, blocks=(pad, Block("Hands", heads, tuple(hands))))


def amount(line: Line, side: str) -> Cell:
    """What an entry gives a side; nothing where it is the other's."""
    n = line.amounts.get(side, 0)
    return Cell(figure(n) if n != 0 else "", line.sums.get(side, ""), "unknown" if n is None else "")


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    hand, seats = state.hand, state.terms.seats
    if state.phase == "choice":
        yield from choices(state)
    elif state.phase == "opening":
        if len(hand.board):
            cards = [PACK.tokens[c] for c in hand.board.codes()]
            for top in dict.fromkeys(cards):
                rest = cards.copy()
                rest.remove(top)
                yield Discard(by=hand.player, cards=squeeze([*rest, top]), src="board")
        else:
            yield turned_up(state)
    elif state.phase == "house call":
        due = computed_call(state)
        yield from (Bid(by=hand.house, level=level, strain=suit) for level in range(1, 7) for suit in SUITS)
        yield due if isinstance(due, Pass) else Pass(by=hand.house)
    elif state.phase == "call":
        yield Pass(by=hand.player)
        yield from (Bid(by=hand.player, level=level, strain=strain) for level in range(1, 8) for strain in STRAINS)
    elif state.phase == "play":
        for seat in seats:
            if seat in state.turn:
                yield from cards_of(seat, state)


def choices(state: State[Hand]) -> Iterator[Event]:
    """Every way to keep six, jokers first and then high cards: of 1716 the better ones come first."""
    hand = state.hand
    cards = [PACK.tokens[c] for c in hand.board.codes()]
    if hand.board.hidden:
        return
    jokers = [c for c in cards if c == "Jo"]
    others = sorted((c for c in cards if c != "Jo"), key=lambda c: PLAIN.place(c[0]))
    for kept in combinations(others, max(0, KEPT - hand.kept - len(jokers))):
        yield Draw(by=hand.player, cards=(*jokers, *kept), src="board")


def turned_up(state: State[Hand]) -> Draw:
    """The cards face down are turned up, as far as they are known."""
    codes = state.table.row(state.hand.reserve).codes()
    return Draw(by=state.hand.player, cards=squeeze(PACK.tokens[c] for c in codes), src=state.hand.reserve)


def cards_of(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The player's cards; for the house the top card of the stock, which it plays or turns up."""
    hand = state.hand
    if seat == hand.player:
        yield from (Play(by=seat, cards=(card,)) for card in dict.fromkeys(PACK.cards(state.holding(seat).certain)))
    elif forced_by_stock(state) is not None:
        card = (PACK.tokens[hand.stock.codes()[-1]],)
        yield Play(by=seat, cards=card, src="stock")
        if not last_card(hand):
            yield Discard(by=seat, cards=card, src="stock")


def forced_by_stock(state: State[Hand]) -> Event | None:
    """What the house does with the top card of the stock; None where that card, or whether it fits, is not known."""
    hand = state.hand
    if not hand.stock.row or hand.stock.row[-1] >= UNSEEN:
        return None
    top = hand.stock.row[-1]
    play = Play(by=hand.house, cards=(PACK.faces[top],), src="stock")
    if not hand.plays or last_card(hand):
        return play
    answer = fits(top, hand)
    if answer is False:
        return Discard(by=play.by, cards=play.cards, src="stock")
    return play if answer else None


def all_in_view(state: State[Hand], seat: str) -> bool:
    """Whether what a seat chooses from is known: the board, the player's hand, the top of the stock."""
    hand = state.hand
    if state.phase == "choice":
        return not hand.board.hidden
    if state.phase == "opening":
        return True
    if state.phase == "play" and seat == hand.house:
        return forced_by_stock(state) is not None
    return state.holding(hand.player).complete


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """What a short line means here: where the cards come from, and that a card which does not fit is only turned up."""
    if state.phase == "between" or not isinstance(event, Play | Discard | Draw | Bid):
        return (event,)
    hand = state.hand
    if isinstance(event, Bid):
        return (replace(event, strain="nt"),) if event.strain in ("n", "no") else (event,)
    if event.by != hand.house:
        if isinstance(event, Play) or event.src or (isinstance(event, Discard) and state.phase == "play"):
            return (event,)
        return (replace(event, src=from_pile(event, hand)),)
    if event.src:
        return (event,)
    answering = isinstance(event, Play) and hand.plays and hand.plays[0][0] == hand.player and not last_card(hand)
    if answering and not hand.stock.vague and fits(state.code(event.cards), hand) is False:
        return (Discard(by=event.by, cards=event.cards, src="stock"),)
    return (replace(event, src="stock"),)


def headline(state: State[Hand]) -> dict[str, Any]:
    """The contract and the tricks, for whoever looks at the table."""
    hand = state.hand
    if not hand.declarer:
        return {}
    taken = {seat: n for seat in state.terms.seats if (n := tricks_of(seat, state)) is not None}
    low, high = among_thirteen(state, PACK.joker)
    doubled = DOUBLED[2**low] if low == high else ""
    bid = said(hand.contract.level, hand.contract.strain) if hand.contract else "?"
    return {"declarer": hand.declarer, "contract": f"{bid} {doubled}".strip(), "tricks": taken}


def latest(state: State[Hand]) -> str:
    """Who took the trick that has just been completed, and why where it shows nowhere."""
    hand = state.hand
    if not hand.won or hand.plays or hand.won[-1].at != state.at:
        return ""
    how = " by default" if len(hand.won[-1].plays) == 1 else ""
    text = f"trick {len(hand.won)} to {' or '.join(hand.won[-1].winners)}{how}"
    return text + f"; the stock is out, {hand.rest} more to {hand.player}" if hand.rest else text


# Simulation: high cards are kept and led, and bids can be made, so that games are won
WORTH_KEEPING = {"A": 6, "K": 4, "Q": 3, "J": 2}


def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = [PACK.faces[code] for code in PACK.codes(PACK.full)]
    random.shuffle(cards)
    player = state.terms.seats[0]
    down, up, rest = tuple(cards[:7]), tuple(cards[7:20]), tuple(cards[20:])
    return [
        HandEvent(by=player, number=state.number + 1),
        Deal(by="@", face="down", piles=((f"reserve:{player}", down),)),
        Deal(by="@", face="up", piles=(("board", up),)),
        Deal(by="@", face="down", piles=(("stock", rest),)),
    ]


def weigh(state: State[Hand], event: Event) -> float:
    hand = state.hand
    if isinstance(event, Draw):
        return 1 + sum([WORTH_KEEPING.get(card[0], 0) for card in event.cards]) ** 4
    if isinstance(event, Bid) and event.by == hand.player:
        ranks = by_suit(state.holding(event.by).certain)
        winners = sum(winning_tricks(r) for r in ranks.values())
        length = 3 if event.strain == "nt" else len(ranks[event.strain])
        level = event.level or 1
        return (1 + length) * 0.1 ** (level + 1) + (length**3 if winners + length / 2 >= 6.5 + 1.5 * level else 0)
    if isinstance(event, Play) and event.by == hand.player:
        height = 0 if event.cards[0] == "Jo" else 13 - PLAIN.place(event.cards[0][0])
        if not hand.plays:
            return 0.2 + height**2
        wins = winner(hand.house, hand.plays[0][1], PACK.code[event.cards[0]], hand.trump or "", hand) == hand.player
        return 0.2 + (20 if wins else 0) + (13 - height) / 5
    return 1.0


GAME = Game(
    key="bridge-solitaire",
    name="Bridge Solitaire",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="1, against the stock",
    seating=SEATS,
    pack=PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=TALLY,
    words=WORDS,
    phases={
        "choice": Phase("choosing", (Draw, Discard, Bid, Pass), "the six cards kept from the board", to_do="choose six"),
        "opening": Phase(
            "turning up", (Draw, Discard, Bid, Pass), "the seven thrown out, the visible one last; then the seven turned up",
            quiet=turned_up, to_do="throw seven out and turn seven up",
        ),
        "house call": Phase("the house's call", (Bid, Pass), "the house's bid (1d) or a pass", quiet=computed_call, to_do="call"),
        "call": Phase(
            "the player's call", (Bid, Pass, Call), "a bid (1c, 2nt) or a pass",
            quiet=lambda state: None if isinstance(house_said(state), Pass) else Pass(by=state.turn[0]), to_do="call",
        ),
        "play": Phase(
            "play", (Play, Discard, Call, Bid, Pass), "a card; from the stock, one that is played or one that does not fit",
            quiet=lambda state: forced_by_stock(state) if state.hand.house in state.turn else None, to_do="play",
        ),
    },
    start=start,
    on={
        Deal: on_deal, Draw: on_draw, Discard: on_discard, Bid: on_bid, Pass: on_pass, Play: on_play, Move: on_gathering,
        End: on_end_of_match, Gap: on_gap,
    },
    candidates=candidates,
    informed=all_in_view,
    new_match=lambda terms: new_rubber(terms.sides),
    score=score,
    after=after,  # type: ignore[arg-type]  # the standing of this page is a rubber
    next_dealer=lambda state: state.terms.seats[0],
    sheet=sheet,
    chance=chance,
    weigh=weigh,
    usual=usual,
    most_hands=60,
    most_acts=2000,
    hidden={"*": "owner", "stock": "nobody", "reserve:*": "nobody", "discard": "top", "won:*": "nobody"},
    headline=headline,
    latest=latest,
    led=lambda state: state.hand.led if state.phase == "play" and state.hand.plays else "",
)  # fmt: skip
