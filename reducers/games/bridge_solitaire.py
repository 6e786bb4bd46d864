"""Bridge Solitaire: one player bids and plays rubber bridge against the stock, which calls by rote and answers as it
comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many
from events.name_lists import one_of
from events.model import (
    Bid, Call, Deal, Discard, Draw, End, Event, Facts, Gap, Hand as HandEvent, Move, Pass, Play, Show, Shuffle,
    Tally as TallyEvent,
)  # fmt: skip
from reducers import facts as fact
from reducers.evolve import new_hand, on_end, pile_named, steps_while
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, SUITS, SUIT_NAMES, Catalogue, CheckResult, Game, Dealing, MatchRules, Omissions,
    Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, Terms, try_pass,
    try_bidding, bounded, broken, choice, finish_hand, grows, hand_score, ensure_hand_started, number, on_move,
    apply_reported_facts, pack, pretty, pretty_all, ranking, read_by_the_page, rule, settle, side, summary_of, unasked,
    unknown, unless_told,
)  # fmt: skip
from reducers.piles import Lies
from reducers.table import Pile
from reducers.terms import Seating
from reducers.words.chosen_hand import (
    FACE_DOWN, FACE_UP, KEPT, ChosenHand, closed_cards_stay_closed, complete_choice, ensure_laid_open, jokers_are_kept,
    keep_drawn, six_are_kept, throw_out, try_sixes, try_throwing_out,
)  # fmt: skip
from reducers.words.deals import cut, deal_from, dealt_up, no_more_than
from reducers.words.contract import (
    BOOK, DOUBLED, HONOURS, STRAINS, Contract, Rubber, broken_off, carried, pad_entry, higher, honours, made_or_set,
    new_rubber, outranks, rubber_bonus, bid_text, entries_sum, unknown_entries,
)  # fmt: skip
from reducers.words.pad import RubberSheet
from reducers.words.tallies import figure_bounds, figures_of_sides, in_this_hand, readable
from reducers.words.suits import Suits, printed_suits
from reducers.words.tricks import (
    Trick, carry_over, gather_trick, gathered_by, must_follow_suit, owner, strengths, who_led, winner_gathers,
)  # fmt: skip

# Setup: the player, and the house, which is the stock
SEATS = Seating({2: ("P", "H")}, {2: {"P": ("P",), "H": ("H",)}}, {2: "against the stock"}, house="H")
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2", jokers=2)
TRICKS = 13
FOUR_CARDS = 4
LEVELS, LEVELS_OF_HOUSE = range(1, 8), range(1, 7)
A_BID = "a bid is one to seven, in c, d, h, s or nt"
HONOURS_PAID = (0, 100, 150)
THIRTEEN = "a hand has thirteen tricks"
JOKER, UNSEEN = PACK.code["Jo"], PACK.unknown

# Card ranking: the usual order, aces high; a joker has no rank and no suit.
PLAIN = ranking("A K Q J 10 9 8 7 6 5 4 3 2")
SHOWN = printed_suits(PACK)
NO_TRUMP_SHAPES = ((4, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 2))


class Options(Struct, frozen=True):
    """House rules of Bridge Solitaire."""

    house_suit_tie: Annotated[
        Literal["any", "highest"], Meta(description="of suits equally short the house bids any, or the highest")
    ] = "any"
    opponent_honors: Annotated[bool, Meta(description="the house scores the honours it played, too")] = False
    end: Annotated[
        Literal["rubber", "hands"], Meta(description="a rubber, or an agreed number of hands at most")
    ] = "rubber"
    hands: Annotated[int, Meta(ge=1, le=99, description="how many hands, if their number is agreed")] = 8
    unfinished: Annotated[
        Literal["bonus", "none"],
        Meta(description="300 for the only game and 100 for the only part score of an unfinished rubber, or nothing"),
    ] = "bonus"


CHOICE, BIDDING, PLAY = "Determining the player's hand", "Bidding", "Play of the hand"
RULES = Catalogue(
    "bridge-solitaire",
    rule("R1", CHOICE, DUTY, "Exactly six of the thirteen cards lying open go into the hand.", "keep six"),
    rule("R2", CHOICE, DUTY, "A joker among the thirteen must be kept.", "keep the jokers"),
    rule("R3", CHOICE, DUTY, "The seven cards face down are turned up when the six are chosen, not before; of the "
         "cards thrown out only the top one may be looked at from then on (a silent look leaves no trace).",
         "closed cards"),
    rule("R4", BIDDING, CONSEQUENCE, "The house bids six less the player's winning cards, in the player's shortest "
         "suit, and passes if nothing is left.", "the house's call"),
    rule("R5", BIDDING, DUTY, "When the house has passed, the player must bid.", "must bid"),
    rule("R6", BIDDING, RIGHT, "Against a bid of the house the player may pass or bid higher: more tricks, or the "
         "same number in a higher strain. Each calls once, the house first.", "bid higher"),
    rule("R7", BIDDING, DUTY, "No trump may be bid with 4-3-3-3, with 3-3-3-3 and a joker, or with 3-3-3-2 and both "
         "jokers, and with nothing else.", "shape for no trump"),
    rule("R8", BIDDING, CONSEQUENCE, "A joker in the player's hand doubles the contract, and both redouble it, "
         "whichever side plays it.", "doubled by jokers"),
    rule("R9", PLAY, DUTY, "The player follows suit if able; a joker is thrown only by a player who cannot follow, "
         "on a joker, or as a lead.", "follow suit"),
    rule("R10", PLAY, DUTY, "The side that defends leads to the first trick, the winner of a trick to the next; each "
         "plays one card to a trick.", "lead and turn"),
    rule("R11", PLAY, DUTY, "The house leads the top card of the stock. It answers with the first card that can be "
         "played: of the suit led, a trump, or a joker; those before it are out of play.", "first card that fits"),
    rule("R12", PLAY, DUTY, "At no trump the house turns up four cards for an answer; if none of them fits, the "
         "player wins the trick.", "four cards at no trump"),
    rule("R13", PLAY, DUTY, "The stock is taken from the top in its order, and is not shuffled again.",
         "order of the stock"),
    rule("R14", PLAY, CONSEQUENCE, "The last card of the stock is the answer to the trick in progress, whatever it is; "
         "then every card left in the player's hand is a trick for the player.", "the stock runs out"),
)  # fmt: skip

READINGS = {
    "Two suits equally short": "the house may bid either, and is proposed the higher; option house_suit_tie=highest",
    "May the house bid no trump?": "no: it always bids the short suit; the shapes bind the player",
    "Whose are the cards thrown out when winners are counted?": "the house's, like every card that is not in the hand",
    "Must the house follow suit before it may trump?": "no: the first card of the suit led, trump or joker is taken, "
    "as in both worked hands",
    "The last card of the stock": "compared like any answer, so the trick is the player's unless the card fits and is "
    "better",
    "The stock empty at the end of a trick": "no further trick is begun; the cards left are the player's tricks",
    "Fewer than four cards left at no trump": "the last card of the stock is the answer, whatever it is",
    "A joker led by the player and answered by a joker": "the house wins; the exception is for the joker led by "
    "the house",
    "A joker led by the player": "any card is an answer to it",
    "Honours of the house": "none, as it holds no hand; option opponent_honors counts those it played to the tricks",
    "Usual scoring": "rubber bridge: 100 for a redoubled contract made, 300 for each doubled undertrick from the "
    "fourth on",
    "What the player bids when the house has passed": "anything from one to seven",
    "Doubling of the house's contract": "the player's jokers double it as well",
    "Equal totals at the end of the rubber": "a tie",
    "Both have passed": "there is no contract, and the hand does not count",
    "A fifth card turned up at no trump": "it is out of play; the trick stays the player's",
    "What falls under the player's winners when they are counted?": "nothing: the house parts with a card only to take "
    "a trick, so a long suit is counted with care",
    "May the house bid again?": "no: each calls once, and the bid of the house is settled by the hand",
    "From when on are the cards thrown out closed?": "from when the first of the seven is turned up",
    "A hand recorded as dealt to the player": "is the hand as it was when it had been chosen",
    "A hand begun when the rubber is over": "does not count",
    "A bid without a level or a strain": "is played as a bid of one, or at no trump",
    "An agreed number of hands": "a rubber that is won before ends the match",
}

Said: TypeAlias = Bid | Pass


class Hand(ChosenHand):
    """The record of one hand of Bridge Solitaire."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state)
        self.pile, self.dead = state.table.row("trick"), state.table.row("dead")
        self.said: dict[str, Said] = {}
        self.contract: Bid | None = None
        self.declarer = self.void = ""
        # The trump suit, empty at no trump, None while the contract is unknown.
        self.trump: str | None = None
        self.plays: list[tuple[str, int]] = []
        self.won: list[Trick] = []
        # Cards turned up for this trick; tricks that fell to the player when the stock ran out.
        self.turned = self.rest = 0
        # The house has just turned up four cards at no trump, and none of them fitted.
        self.by_default = False
        # Unrecorded cards were played, so it is unknown which card leads.
        self.astray = False
        self.over = False

    @property
    def trick(self) -> Hand:
        """The hand itself, which holds the trick in progress for the words of tricks."""
        return self

    @property
    def led(self) -> str:
        """The suit led to the trick in progress; empty for a joker."""
        return PACK.suit_of[self.plays[0][1]]

    @property
    def suits(self) -> Suits:
        """The suit of each card."""
        return SHOWN

    @property
    def leader(self) -> str:
        """The seat that led to the trick in progress; empty between two tricks."""
        return self.plays[0][0] if self.plays else ""


def start(state: State[Hand]) -> Hand:
    """Begin a hand with the whole pack unseen; the player deals and chooses."""
    player, house = state.terms.seats
    for name in ("stock", f"reserve:{player}", "board", "discard", "trick", "dead", f"won:{player}", f"won:{house}"):
        state.table.row(name)
    for seat in state.terms.seats:
        state.table.bag(seat)
    state.table.lay([UNSEEN] * PACK.size, state.table.row("stock"))
    state.dealer, state.phase, state.turn = player, "choice", (player,)
    return Hand(state)


# Setup: seven face down, thirteen face up, the rest is the stock; then the choice of the hand
RULES.check("R1", Deal)(lambda deal, state: no_more_than({"board": FACE_UP}, deal, state))
RULES.check("R3", Deal)(lambda deal, state: no_more_than({f"reserve:{state.terms.seats[0]}": FACE_DOWN}, deal, state))
RULES.check("R1", Draw, Discard)(six_are_kept)
RULES.check("R2", Draw, Discard, when="choice opening")(jokers_are_kept)
RULES.check("R3", Draw, Show, Move)(closed_cards_stay_closed)


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """Apply a deal; the cards that are not dealt are the stock: 34 unseen ones, unless the deal gives their order."""
    ensure_hand_started(state)
    if state.phase == "play" and state.hand.astray:
        # There is no deal during the play: the hand was over before this, and its end is missing.
        new_hand(None, state)
        begun = f"hand {state.number} begins here, as cards are dealt"
        state.infer(f"{begun}; the end of the one before it was not recorded")
    hand = state.hand
    if any(pile is hand.held for pile in deal_from(hand.stock, deal, state)):
        # It has been chosen, and six of its cards were face up.
        hand.kept = min(KEPT, len(hand.held))


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Apply a discard: the player throws out cards; the house turns up a card that cannot be played."""
    ensure_laid_open(state)
    if discard.by == state.hand.house or state.phase == "play":
        turn_up(discard, state)
    else:
        throw_out(discard, state)


# Bidding: the house
def winning_tricks(ranks: str) -> int:
    """The number of tricks a holding in one suit is good for, if the house has every other card of it.

    The highest card left in the suit wins; to beat the player's best, the house spends its best on the player's worst.
    So there are as many tricks as cards, and the highest ranks win one each.

    >>> [winning_tricks(r) for r in ("AQT9", "AQT32", "AKQJT8", "Q87", "K43", "A93", "94", "3", "")]
    [2, 3, 5, 1, 1, 1, 0, 0, 0]
    """
    return sum(rank in ranks for rank in PLAIN.ranks[: len(ranks)])


def by_suit(bag: int) -> dict[str, str]:
    """The ranks held in each suit; jokers count in none."""
    ranks = dict.fromkeys(SUITS, "")
    for card in PACK.cards(bag & ~PACK.joker):
        ranks[card[1]] += card[0]
    return ranks


def house_call(bag: int) -> tuple[int, tuple[str, ...]]:
    """The call of the house against a hand: the level, 0 for a pass, and the shortest suits, highest first.

    >>> house_call(PACK.bag("Ah Qh Th 3h 2h 3d Kc 4c 3c As 9s 3s Jo".split()))
    (1, ('d',))
    """
    ranks = by_suit(bag)
    level = 6 - sum(winning_tricks(r) for r in ranks.values())
    fewest = min(map(len, ranks.values()))
    return max(0, level), tuple(suit for suit in "shdc" if len(ranks[suit]) == fewest)


def as_seen(state: State[Hand]) -> State[Hand]:
    """The state by what the table could know so far: later cards do not change the result of an act."""
    return state.fork() if state.table.later else state


def thirteen(state: State[Hand]) -> int | None:
    """The player's whole hand (a bag), including face-down cards; None if not all of it is known."""
    hand = state.hand
    if state.phase == "play" or hand.kept != KEPT or not (hand.held.complete and hand.reserve.complete):
        return None
    bag = hand.held.certain + hand.reserve.certain
    return bag if PACK.count(bag) == TRICKS else None


def house_due(state: State[Hand]) -> tuple[Said, ...]:
    """The legal calls of the house, in the highest of its suits first; empty if the hand is unknown."""
    bag, house = thirteen(state), state.hand.house
    if bag is None:
        return ()
    level, suits = house_call(bag)
    if state.terms.options.house_suit_tie == "highest":
        suits = suits[:1]
    return tuple(Bid(by=house, level=level, strain=suit) for suit in suits) if level else (Pass(by=house),)


@RULES.check("R4", Bid, Pass)
def the_house_calls_by_rote(call: Said, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if call.by != hand.house or state.phase == "play":
        return None
    if isinstance(call, Bid) and (call.strain not in SUITS or call.level not in LEVELS_OF_HOUSE):
        return broken("the house bids one to six in a suit")
    bag = thirteen(state)
    if bag is None:
        return unknown(f"the thirteen cards of {hand.player} decide the call, and not all of them were seen")
    level, suits = house_call(bag)
    why = ""
    if not level:
        why = "the player has six winning tricks or more, so the house passes" if isinstance(call, Bid) else ""
    elif isinstance(call, Pass) or call.level != level or call.strain not in suits:
        bids = one_of(bid_text(level, suit) for suit in suits)
        why = f"{6 - level} winning tricks from six leave {level}: the house bids {bids}"
    elif state.terms.options.house_suit_tie == "highest" and call.strain != suits[0]:
        why = f"of suits equally short the house bids the highest: {bid_text(level, suits[0])}"
    return broken(why, bag, hand.player, together=True) if why else None


@RULES.check("R4", TallyEvent)
def a_told_contract_of_the_house(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    tallies = in_this_hand(event.facts, state)
    level, strain = last_told(tallies, "level"), last_told(tallies, "strain")
    if last_told(tallies, "declarer") != state.terms.seats[1] or (strain != "nt" and level != 7):
        return None
    return broken("the house bids one to six in a suit")


# Bidding: the player
def house_said(state: State[Hand]) -> tuple[Said, ...]:
    """The call of the house, or, if it was not recorded, its legal calls; empty if unknown."""
    written = state.hand.said.get(state.hand.house)
    return house_due(state) if written is None else (written,)


@RULES.check("R5", Pass)
def the_player_bids_when_the_house_passes(act: Pass, state: State[Hand]) -> CheckResult | None:
    if act.by != state.hand.player or act.by in state.hand.said:
        return None
    calls = house_said(state)
    if calls and isinstance(calls[0], Pass):
        return broken(f"{calls[0].by} has passed, so {act.by} must bid")
    return None if calls else unknown("the call of the house was not recorded")


@RULES.check("R6", Bid, Pass)
def each_calls_once_the_player_higher(call: Said, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if call.by in hand.said:
        return broken(f"{call.by} has called already; each calls once")
    if call.by == hand.house:
        return broken(f"{hand.house} calls first, and {hand.player} has called") if hand.said else None
    if isinstance(call, Pass):
        return None
    if call.strain not in STRAINS or call.level not in LEVELS:
        return broken(A_BID)
    calls = house_said(state)
    bids = [c for c in calls if isinstance(c, Bid) and c.strain in STRAINS]
    unbeaten = [b for b in bids if not outranks(call.level or 0, call.strain, b.level or 0, b.strain)]
    if not calls or len(bids) > len(unbeaten) > 0:
        return unknown("the call of the house was not recorded")
    if not unbeaten:
        return None
    said, heard = (bid_text(bid.level, bid.strain) for bid in (call, bids[-1]))
    return broken(f"{said} is not higher than {heard}")


@RULES.check("R7", Bid)
def no_trump_needs_the_shape(bid: Bid, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if bid.strain != "nt" or bid.by != hand.player or bid.by in hand.said or state.phase == "play":
        return None
    if hand.kept != KEPT:
        return unknown(f"the hand of {bid.by} was not seen")
    counts = [among_thirteen(state, PACK.suit[suit]) for suit in SUITS]
    low, high = among_thirteen(state, PACK.joker)
    fits = any(
        low <= TRICKS - sum(shape) <= high and all(a <= n <= b for n, (a, b) in zip(order, counts, strict=True))
        for shape in NO_TRUMP_SHAPES
        for order in set(permutations(shape))
    )
    if not fits:
        shape = "-".join(str(a) for a, _ in sorted(counts, reverse=True))
        long = sum(PACK.suit[suit] for suit, (least, _) in zip(SUITS, counts, strict=True) if least > 4)
        cards = hand.held.certain & (long or PACK.everything)
        jokers = " with a joker" * (low == 1) + " with both jokers" * (low == 2)
        return broken(f"the hand is {shape}{jokers}", cards, bid.by, together=True)
    return None if thirteen(state) is not None else unknown(f"the shape of the hand of {bid.by} was not seen")


@RULES.check("R8", Call)
def jokers_double(call: Call, state: State[Hand]) -> CheckResult | None:
    jokers = {"double": 1, "redouble": 2}.get(call.word)
    low, high = among_thirteen(state, PACK.joker)
    if jokers is None or low == jokers == high:
        return None
    if low <= jokers <= high:
        return unknown(f"how many jokers {state.hand.player} has")
    held = f"{low} joker{'s' * (low != 1)}" if low == high else "other jokers"
    return broken(f"{state.hand.player} has {held}, and only jokers double")


def make_call(call: Said, state: State[Hand]) -> None:
    """Apply a call; each seat calls once. The player's call settles the contract."""
    ensure_laid_open(state)
    complete_choice(state)
    hand = state.hand
    if call.by == hand.player and hand.house not in hand.said:
        due = house_due(as_seen(state))
        if len(due) == 1:
            hand.said[hand.house] = due[0]
            heard = bid_text(due[0].level, due[0].strain) if isinstance(due[0], Bid) else "a pass"
            state.infer(f"the house's call was {heard}, as the hand demands (not recorded)")
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
        hand.trump = won.strain if won.strain in SUITS else ""
        level = won.level or 1
        hand.contract = replace(won, level=level if level in LEVELS else None, strain=hand.trump or "nt")
    state.phase, state.turn = "play", (hand.other[hand.declarer],)


# Play of the hand: what fits
def fits(code: int, hand: Hand) -> bool | None:
    """True if a card turned up answers the lead: one of its suit, a trump, a joker; None if unknown."""
    if hand.led == "":
        return True
    sure = PACK.joker | PACK.suit.get(hand.led, 0) | (PACK.suit[hand.trump] if hand.trump else 0)
    may_be = PACK.may_be[code]
    if not may_be & ~sure:
        return True
    return None if hand.led == "?" or hand.trump is None or may_be & sure else False


def last_card(hand: Hand) -> bool | None:
    """True if the stock has at most one card left. None if all of it may be gone, as throws are often left out: no
    later line shows more of an unseen stock, and it need not have a trump or a joker, which nobody throws."""
    stock, row = hand.stock, hand.stock.row or ()
    if not stock.vague and (len(row) <= 1 or row[-1] < UNSEEN):
        return len(row) <= 1
    kept = PACK.joker | PACK.suit.get(hand.trump or "", 0)
    return False if not hand.astray and (PACK.count(stock.certain) > 1 or stock.how_many(kept)[0]) else None


@RULES.check("R9", Play, Discard, when="play")
def the_player_follows_suit(act: Play | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if act.by != hand.player:
        return None
    if isinstance(act, Discard) or act.src not in ("", f"hand:{hand.player}"):
        return broken("the player plays from the hand, to the trick")
    if hand.leader != hand.house or not hand.led:
        return None
    says = must_follow_suit(act, state)
    if says is not None and says.verdict == "broken" and act.cards == ("Jo",):
        return replace(says, text=f"{says.text}, so a joker may not be thrown")
    return says


@RULES.check("R10", Play, Discard, when="play")
def lead_and_turn(act: Play | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if isinstance(act, Play) and (len(act.cards) > 1 or how_many(act.cards) != 1):
        return broken("one card is played at a time")
    if hand.astray:
        return None
    doubtful = who_led(act.by, state)
    if doubtful is not None or act.by in state.turn or (act.by == hand.house and hand.by_default):
        return doubtful
    if act.by == hand.player and perhaps_four(hand):
        return unknown("whether a card that was turned up is missing from the record")
    if hand.plays:
        return broken(f"{hand.leader} has led, and {state.turn[0]} plays to this trick")
    return broken(f"{state.turn[0]} {'won the last trick' if hand.won else 'defends'}, and leads")


@RULES.check("R10", Move)
def the_winner_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    return winner_gathers(move, state) if state.number and not state.hand.astray else None


@RULES.check("R11", Play, Discard, when="play")
def the_first_card_that_fits(act: Play | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if act.by != hand.house or hand.by_default:
        return None
    if act.src not in ("", "stock"):
        return broken(f"{act.by} plays from the stock, not from {act.src}")
    if not hand.plays:
        leads = isinstance(act, Discard) and act.by in state.turn and not hand.astray
        return broken("to lead, the house plays the top card of the stock, whatever it is") if leads else None
    if hand.leader == hand.house:
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


@RULES.check("R12", Play, Discard, when="play")
def four_cards_at_no_trump(act: Play | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if act.by != hand.house:
        return None
    if hand.by_default:
        return broken(f"four cards did not fit, so {hand.player} wins the trick and leads")
    if hand.trump != "" or not hand.plays or isinstance(act, Play):
        return None
    if (count := how_many(act.cards)) is None:
        return unknown("how many cards were turned up")
    too_many = "no more than four cards are turned up for an answer at no trump"
    return broken(too_many) if hand.turned + count > FOUR_CARDS else None


def perhaps_four(hand: Hand) -> bool:
    """Return True if the trick may be the player's by default: cards were turned up at no trump, and it is unknown how
    many, or in several tricks none was written."""
    some = hand.turned > 0 or (len(hand.won) > 2 and not len(hand.dead))
    unseen = hand.stock.vague or (hand.stock.row or [UNSEEN])[-1] >= UNSEEN
    return hand.leader == hand.player and hand.trump == "" and some and unseen


@RULES.check("R13", Play, Discard, Draw, Shuffle)
def the_stock_stays_as_it_lies(act: Play | Discard | Draw | Shuffle, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if isinstance(act, Shuffle):
        touched = "stock" in (act.src, act.to, *(name for name, _ in act.piles))
        return broken("the stock is not shuffled again") if touched and state.acts and not state.settled else None
    if act.src == "stock_":
        return broken("the stock is taken from the top")
    if state.phase == "gap" or (act.src != "stock" and (act.by != hand.house or act.src)):
        return None
    if hand.stock.vague:
        # It is unknown how many cards are above.
        return None
    for card, lies in zip(act.cards, reversed(hand.stock.row or []), strict=False):
        code = state.code((card,))
        if code >= UNSEEN or lies >= UNSEEN:
            return None
        if code != lies:
            skipped = passed_over(act, state)
            if skipped:
                cards = pretty_all(PACK.faces[c] for c in skipped)
                return unknown(f"whether {cards} was turned up before this (not recorded)")
            return broken(f"{pretty(PACK.faces[lies])} is on top of the stock")
    return None


def passed_over(act: Play | Discard | Draw | Shuffle, state: State[Hand]) -> list[int]:
    """The known cards above the one of this act that answer nothing: the house turned them up without a line."""
    hand, row = state.hand, state.hand.stock.row
    answers = isinstance(act, Play | Discard) and act.by == hand.house and hand.leader == hand.player
    if not answers or not row or hand.stock.vague:
        return []
    code, above = state.code(act.cards[:1]), list[int]()
    for lies in reversed(row):
        if lies == code:
            return above
        fourth = hand.trump == "" and hand.turned + len(above) + 1 >= FOUR_CARDS
        if lies >= UNSEEN or fits(lies, hand) is not False or fourth:
            return []
        above.append(lies)
    return []


# Play of the hand: what happens
def begin_play(state: State[Hand]) -> None:
    """Start the play, even if the contract is unknown."""
    if state.phase == "play":
        return
    ensure_laid_open(state)
    complete_choice(state)
    if state.phase == "gap":
        lose_the_thread(state)
    elif isinstance(state.hand.said.get(state.hand.house) or next(iter(house_due(as_seen(state))), None), Pass):
        hand = state.hand
        hand.declarer = hand.player
        state.infer(f"{hand.player} has made a bid, as {hand.house} passed; the bid was not recorded")
    else:
        what = f"the call of {state.hand.player} was not recorded, so the contract is unknown"
        state.infer(f"both had called before this; {what}")
    state.phase, state.turn = "play", state.terms.seats


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from a card that both have called."""
    by_house = isinstance(act, Discard) and act.by == state.hand.house and state.phase in ("house call", "call")
    if state.phase != "between" and (isinstance(act, Play) or by_house):
        begin_play(state)


def source(act: Play | Discard, state: State[Hand]) -> Pile:
    """The pile a card is played or turned up from: the player's hand, or the stock."""
    hand = state.hand
    pile: Pile = pile_named(state, act.src) if act.src else hand.stock if act.by == hand.house else hand.held
    return pile


def on_play(play: Play, state: State[Hand]) -> None:
    begin_play(state)
    hand, src = state.hand, source(play, state)
    code = state.table.code(play.cards)
    if play.by == hand.house and hand.by_default:
        state.table.move_one(code, src, hand.dead)
        end_of_play(state)
        return
    if hand.leader == play.by:
        unwritten_answer(state)
        if state.settled:
            return
    if src is hand.stock and src.row and src.row[-1] != code < UNSEEN:
        turned_up_unwritten(play, state)
    add(play.by, code, src, state)


def add(seat: str, code: int, src: Pile, state: State[Hand]) -> None:
    """Add a card to the trick; the second one completes it."""
    hand = state.hand
    if not hand.plays and hand.won and len(hand.won[-1].winners) > 1 and not hand.astray:
        if not hand.won[-1].gathered:
            carry_over(seat, state, hand)
        hand.won[-1] = replace(hand.won[-1], winners=(seat,), inferred=True)
    state.table.move_one(code, src, hand.pile)
    assert hand.pile.row
    hand.plays.append((seat, hand.pile.row[-1]))
    hand.by_default = False
    if len(hand.plays) == 1:
        state.turn = (hand.other[seat],)
        hand.turned = 0
    else:
        complete_trick(possible_winners(state), state)


def complete_trick(winners: tuple[str, ...], state: State[Hand]) -> None:
    """Give the cards to the winner, who leads to the next trick, if there is one."""
    hand = state.hand
    hand.won.append(Trick(state.at, tuple(hand.plays), winners))
    hand.plays = []
    state.turn = winners
    gather_trick(state, hand)
    end_of_play(state)


def end_of_play(state: State[Hand]) -> None:
    """End the play after thirteen tricks, or with an empty hand or stock; the last leaves the player the rest."""
    hand = state.hand
    if hand.stock.empty:
        hand.rest = min(TRICKS - len(hand.won), len(hand.held))
    hand.over = hand.over or hand.stock.empty or len(hand.won) == TRICKS or hand.held.empty
    if hand.over:
        finish_hand(state)


def winner(leader: str, lead: int, answer: int, trump: str, hand: Hand) -> str:
    """The winner of two cards; the house wins any trick with a joker, unless it led one and got the other."""
    if JOKER in (lead, answer):
        return hand.player if leader == hand.house and lead == answer else hand.house
    power = strengths(PACK, PLAIN, trump)[PACK.suit_of[lead]].values
    return leader if power[lead] > power[answer] else hand.other[leader]


def possible_winners(state: State[Hand]) -> tuple[str, ...]:
    """The possible winners of the trick: each unseen card may be any that has no known place."""
    hand = state.hand
    (leader, lead), (_, answer) = hand.plays
    if hand.astray:
        return state.terms.seats
    if hand.trump is not None and lead < UNSEEN and answer < UNSEEN:
        return (winner(leader, lead, answer, hand.trump, hand),)
    free = state.table.free()
    trumps = ("", *SUITS) if hand.trump is None else (hand.trump,)
    cards = ([c] if c < UNSEEN else list(dict.fromkeys(PACK.codes(PACK.may_be[c] & free))) for c in (lead, answer))
    found = (winner(leader, a, b, trump, hand) for trump, a, b in product(trumps, *cards) if a != b or a == JOKER)
    one = next(found, leader)
    return (one, hand.other[one]) if any(who != one for who in found) else (one,)


def turn_up(discard: Discard, state: State[Hand]) -> None:
    """Turn up cards that do not fit: they go out of play; the fourth at no trump, or the last, ends the trick."""
    begin_play(state)
    hand, src = state.hand, source(discard, state)
    if src is hand.stock:
        turned_up_unwritten(discard, state)
    for code in state.table.codes(discard.cards, src):
        answering = src is hand.stock and hand.leader == hand.player
        if answering and not src.vague and len(src) <= 1:
            add(hand.house, code, src, state)
            return
        state.table.move_one(code, src, hand.dead)
        hand.turned += 1
        if answering and hand.trump == "" and hand.turned >= FOUR_CARDS and not src.vague:
            hand.by_default = True
            complete_trick((hand.player,), state)
    if not hand.plays and not state.settled:
        end_of_play(state)


def turned_up_unwritten(act: Play | Discard, state: State[Hand]) -> None:
    """Infer that the cards above the one of this act went out of play."""
    hand, skipped = state.hand, passed_over(act, state)
    if skipped:
        cards = pretty_all(PACK.faces[c] for c in skipped)
        state.infer(f"{cards} was turned up before this and answered nothing (not recorded)")
        for code in skipped:
            state.table.move_one(code, hand.stock, hand.dead)
            hand.turned += 1


def unwritten_answer(state: State[Hand]) -> None:
    """Infer the answer to a lead, as the leader plays again. A known stock gives the answer of the house."""
    hand = state.hand
    trick = len(hand.won) + 1
    if hand.leader == hand.house:
        state.infer(f"trick {trick} was full before this: the card of {hand.player} was not recorded")
        add(hand.player, UNSEEN, hand.held, state)
        return
    if perhaps_four(hand):
        none = f"none of the cards turned up was played, and {hand.player} leads"
        state.infer(f"trick {trick} was {hand.player}'s by default: {none}")
        complete_trick((hand.player,), state)
        return
    state.infer(f"trick {trick} was full before this: the answer of the house was not recorded")
    for _ in steps_while(lambda: len(hand.won) < trick and not state.settled):
        top = hand.stock.row[-1] if hand.stock.row else UNSEEN
        if top >= UNSEEN:
            break
        if fits(top, hand) or last_card(hand):
            add(hand.house, top, hand.stock, state)
        else:
            turn_up(Discard(by=hand.house, cards=(PACK.faces[top],), src="stock"), state)
    if len(hand.won) < trick and not state.settled:
        hand.stock.vague = True
        add(hand.house, UNSEEN, hand.stock, state)


def on_gathering(move: Move, state: State[Hand]) -> None:
    """Apply a record of the winner of a trick, or of a card taken back; any other move is applied as usual."""
    hand = state.hand
    if state.number == 0:
        on_move(move, state)
    elif move.src == "trick" and hand.plays and not move.to.startswith("won:"):
        back = state.table.codes(move.cards, hand.pile)
        on_move(move, state)
        state.turn = tuple([seat for seat, code in hand.plays if code in back][-1:]) or state.turn
        hand.plays = [(seat, code) for seat, code in hand.plays if code not in back]
    else:
        gathered_by(move, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Apply a gap: any seat may act."""
    hand = state.hand
    if state.phase == "play":
        lose_the_thread(state)
    elif not state.settled:
        if state.phase in ("choice", "opening"):
            hand.top = ""
            for pile in (hand.board, hand.reserve, hand.held):
                state.table.lose_sight(pile)
        state.phase, state.turn = "gap", state.terms.seats


def lose_the_thread(state: State[Hand]) -> None:
    """Make the rest of the hand unknown: holdings, the height of the stock, the lead and the winners."""
    hand = state.hand
    hand.astray, hand.by_default, hand.plays, state.turn = True, False, [], state.terms.seats
    for pile in (hand.held, hand.stock):
        state.table.lose_sight(pile)


# Scoring
def as_many_by_seat(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: the declarer's tricks, reported without a seat, and those of the other seat make thirteen."""
    declarer, mine = known.get("declarer"), known.get("tricks")
    others = (known.get(f"tricks.{seat}") for seat in state.terms.seats if seat != declarer)
    theirs = next((n for n in others if n is not None), None)
    if declarer is None or mine is None or theirs is None or f"tricks.{declarer}" in known or mine + theirs == TRICKS:
        return ""
    return f"{mine} and {theirs} are not the thirteen tricks of a hand"


def honours_at_no_trump(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: four aces are the only honours at no trump."""
    if known.get("strain") != "nt" or 100 not in (known.get("honors"), known.get("househonors")):
        return ""
    return "four aces are the honours at no trump, and count 150, not 100"


class Tally(TallyFacts):
    """What a hand is scored from; `tricks` are the declarer's, `honors` the player's. None if unknown."""

    declarer: str | None = side("seat that plays the contract")
    level: int | None = number("the level of the contract, 1 to 7", LEVELS[0], LEVELS[-1], rule="R6", says=A_BID)
    strain: str = choice("the strain of the contract; c, d, h, s or nt", *STRAINS, rule="R6", says=A_BID)
    jokers: int | None = number(
        "jokers in the player's hand: 0, 1 doubles, 2 redouble", 0, 2, rule="R8",
        says="a hand has no joker, one or two",
    )  # fmt: skip
    tricks: int | None = bounded(
        lambda state: {"": tricks_so_far(state).get(state.hand.declarer)},
        number("tricks of the declarer", 0, TRICKS, rule="R14", says=THIRTEEN),
    )  # fmt: skip
    by_seat: Points = bounded(lambda state: tricks_so_far(state), read_by_the_page({
        "tricks.*": fact.number("tricks of a seat", 0, TRICKS, together=TRICKS, rule="R14", says=THIRTEEN),
    }, {}))  # fmt: skip
    one_by_one: dict[str, str] = bounded(lambda state: takers_so_far(state), read_by_the_page({
        "trick.#": fact.somebody("seat that took that trick", "seat", numbered=TRICKS, counts="tricks", rule="R14"),
    }, {}))  # fmt: skip
    honors: int | None = number("points for honours of the player: 0, 100 or 150", only=HONOURS_PAID)
    house_honors: int | None = unless_told(0, grows(unasked(
        number("the honours of the house, if it scores them", only=HONOURS_PAID, key="househonors")
    )))

    laws = (Law(("tricks", "declarer"), as_many_by_seat, "R14"), Law(("honors", "househonors"), honours_at_no_trump))


WORDS = {
    "double": "call: one joker in the player's hand doubles the contract",
    "redouble": "call: both jokers redouble it",
}


def last_told(tallies: Sequence[Facts], key: str, known: Any = None) -> Any:
    """The last value of a fact in the tallies of a hand; `known` if there is none."""
    return next((facts[key] for facts in reversed(tallies) if key in facts), known)


def among_thirteen(state: State[Hand], mask: int) -> tuple[int, int]:
    """Least and greatest number of these cards among the player's thirteen: played, still held, or face down."""
    hand, piles = state.hand, state.table.piles
    plays = (*(play for trick in hand.won for play in trick.plays), *hand.plays)
    mine = [code for seat, code in plays if seat == hand.player and PACK.may_be[code] & mask]
    (low, high), (least, most) = hand.held.how_many(mask), hand.reserve.how_many(mask)
    low, high = low + least + len([code for code in mine if code < UNSEEN]), high + most + len(mine)
    if low < high:
        # An unseen card of a trick that elimination has named is still anybody's.
        not_away = (hand.player, hand.reserve.name)
        elsewhere = [n for n in piles if n not in not_away and not n.startswith(("won", "trick"))]
        away = sum([piles[name].how_many(mask)[0] for name in elsewhere])
        away += len([code for seat, code in plays if seat != hand.player and code < UNSEEN and PACK.field[code] & mask])
        high = min(high, PACK.count(PACK.full & mask) - away)
    return low, high


def tricks_so_far(state: State[Hand]) -> dict[str, int]:
    """The number of tricks of each seat; empty if a winner is unknown."""
    hand, owners = state.hand, list(takers_so_far(state).values())
    if len(owners) < len(hand.won):
        return {}
    return {seat: owners.count(seat) + hand.rest * (seat == hand.player) for seat in state.terms.seats}


def takers_so_far(state: State[Hand]) -> dict[str, str]:
    """The seat that took each trick with a known winner, by its number."""
    owners = [owner(trick, state.terms.side_of) for trick in state.hand.won]
    return {str(n): seat for n, seat in enumerate(owners, 1) if seat}


def honours_held(strain: str, state: State[Hand]) -> tuple[int | None, int | None]:
    """The points for the honours of the player, and for those that the house played; None if unknown."""
    if not state.acts:
        return (None, None) if state.tallies else (0, 0)
    mask = PACK.rank["A"] if strain == "nt" else PACK.mask_of([rank + strain for rank in HONOURS])
    mine = among_thirteen(state, mask)
    answers = [code for trick in state.hand.won for seat, code in trick.plays if seat == state.hand.house]
    played = [code for code in answers if PACK.may_be[code] & mask]
    theirs = (sum(code < UNSEEN for code in played), len(played))
    worth = [{honours(strain, n) for n in range(low, high + 1)} for low, high in (mine, theirs)]
    first, second = (may_be.pop() if len(may_be) == 1 else None for may_be in worth)
    return first, second


def jokers_of_the_player(state: State[Hand]) -> int | None:
    """The number of jokers the player was dealt; None if unknown."""
    hand = state.hand
    if not (hand.said or hand.plays or hand.won):
        return None if state.acts or state.tallies else 0
    low, high = among_thirteen(state, PACK.joker)
    return low if low == high else None


def contract(state: State[Hand]) -> str:
    """The declarer and the contract, in words."""
    declarer, bid = state.hand.declarer, state.hand.contract
    if not declarer:
        return ""
    level, strain = (bid.level, bid.strain) if bid is not None else (None, None)
    return f"{state.terms.name(declarer)} {written(level, strain, jokers_of_the_player(as_seen(state)))}"


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overruled by a `tally`. Impossible facts are unknown."""
    hand, seen = state.hand, as_seen(state)
    t = Tally(declarer=hand.declarer or None, jokers=jokers_of_the_player(seen), void=hand.void)
    if hand.contract is not None:
        t.level, t.strain = hand.contract.level, hand.contract.strain
    strain = last_told(readable(state), "strain", t.strain)
    t.honors, t.house_honors = honours_held(strain, seen) if strain in STRAINS else (None, 0)
    apply_reported_facts(t, state)
    amounts = [honours(t.strain or "c", held) for held in range(len(HONOURS) + 1)]
    t.honors, t.house_honors = (n if n in amounts else None for n in (t.honors, t.house_honors))
    t.tricks = tricks_of_the_declarer(t.declarer, state)
    return t


def tricks_of_the_declarer(declarer: str | None, state: State[Hand]) -> int | None:
    """The declarer's tricks as reported (perhaps for the other seat) or as played; None if unknown."""
    hand, told = state.hand, last_told(readable(state), "tricks")
    if type(told) is int:
        return told
    by_seat = figures_of_sides("tricks", state).get(declarer or hand.player)
    if by_seat is not None or not hand.over or hand.astray:
        return by_seat
    mine = tricks_so_far(state).get(hand.player)
    return mine if mine is None or declarer in (None, hand.player) else TRICKS - mine


def score_tally(t: Tally, before: Rubber, sides: tuple[str, str], options: Options) -> tuple[list[ScoreLine], str]:
    """The entries of a hand, and the result of the contract.

    Five honours and a doubled contract made with nothing to spare:

    >>> t = Tally("P", 1, "c", 1, 7, honors=150)
    >>> [(e.column, e.label, e.amounts["P"]) for e in score_tally(t, new_rubber("PH"), ("P", "H"), Options())[0]]
    [('below', 'tricks', 40), ('above', 'insult', 50), ('above', 'honours', 150)]
    """
    result = ""
    if t.declarer is None or t.level is None or not t.strain or t.jokers is None or t.tricks is None:
        lines = unknown_entries((t.declarer,) if t.declarer else sides, sides)
    else:
        contract = Contract(t.declarer, t.level, t.strain, 2**t.jokers)
        lines = made_or_set(contract, t.tricks, before.vulnerable(t.declarer), sides)
        over = t.tricks - BOOK - t.level
        result = f"down {-over}" if over < 0 else f"made{f' +{over}' if over else ''}"
    for seat, amount in zip(sides, (t.honors, t.house_honors if options.opponent_honors else 0), strict=True):
        if amount is None:
            lines.append(ScoreLine("honours", {seat: None}, {}, "above"))
        elif amount:
            what = "four aces" if t.strain == "nt" else "four honours" if amount == 100 else "five honours"
            lines.append(pad_entry("honours", seat, amount, f"{what} in one hand: {amount}"))
    return lines, result


def score(state: State[Hand]) -> HandScore:
    """The score of the hand in play by what was recorded; the last hand also has the bonus of the rubber."""
    t = tally(state)
    before, options, sides = state.before, state.terms.options, state.terms.seats
    assert isinstance(before, Rubber)
    lines: list[ScoreLine] = []
    missing: tuple[str, ...] = ()
    result = t.void or "the rubber was over" * before.over
    if result:
        source = "void"
    elif not state.settled and not state.tallies:
        source, missing = "nothing", ("the hand is in play",)
    else:
        source = "tricks" if any("trick" in facts for facts in state.tallies) else "tally" if state.tallies else "moves"
        lines, result = score_tally(t, before, (sides[0], sides[1]), options)
        lines += rubber_bonus(before, lines)
        missing = unknown_figures(t, before, options)
    after_it = carried(before, lines)
    counts = source not in ("void", "nothing")
    last = state.ended == "agreed" or (options.end == "hands" and counts and after_it.hands >= options.hands)
    if last and not (before.over or after_it.over) and options.unfinished == "bonus":
        lines += broken_off(after_it)
    points = {side: entries_sum(lines, side) for side in sides}
    title = f"{state.terms.name(t.declarer)} {written(t.level, t.strain, t.jokers)}" if t.declarer else ""
    return hand_score(state, points, lines, contract=title, result=result, unknown=missing, source=source)


def written(level: int | None, strain: str | None, jokers: int | None) -> str:
    """The contract as the pad has it: the bid, doubled or not.

    >>> written(1, "c", 1), written(3, "nt", 0), written(None, None, None)
    ('1♣ doubled', '3NT', '?')
    """
    what = bid_text(level, strain or "") if level is not None else "?"
    return f"{what} {DOUBLED[2 ** (jokers or 0)]}".strip()


def unknown_figures(t: Tally, before: Rubber, options: Options) -> tuple[str, ...]:
    """What is missing for a full score."""
    missing = {
        "the contract": t.declarer is None or t.level not in LEVELS or not t.strain,
        "how many jokers the player had": t.jokers is None,
        "who took which trick": t.tricks is None,
        "the player's honours": t.honors is None,
        "the honours of the house": t.house_honors is None and options.opponent_honors,
        "who has won a game": t.declarer is not None and before.vulnerable(t.declarer) is None,
    }
    return tuple(what for what, lacking in missing.items() if lacking)


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """The question that a result without its cards leaves open: the tricks of the declarer."""
    t = tally(state)
    if state.tallies and not t.void and t.declarer is not None and t.tricks is None:
        low, high = figure_bounds("tricks", state).get(t.declarer, (0, TRICKS))
        yield "who took which trick", {f"{t.declarer} {n}": {"tricks": n} for n in range(low, high + 1)}


def after(before: Rubber, hand: HandScore, terms: Terms) -> Rubber:
    """The standing: the rubber ends with the second game of a side or the last agreed hand; later hands add nothing."""
    if before.over:
        return before
    lost = not hand.lines and None in hand.points.values()
    standing = carried(before, unknown_entries(hand.points, hand.points) if lost else hand.lines, hand.points)
    if hand.source in ("void", "nothing"):
        return replace(standing, hands=before.hands)
    if terms.options.end == "hands" and standing.hands >= terms.options.hands and not standing.over:
        return replace(standing, over=True, winner=higher(standing.totals))
    return standing


def on_end_of_match(event: End, state: State[Hand]) -> None:
    """Apply the end of the match: an unfinished rubber scores for its only game and its only part score."""
    on_end(event, state)
    if event.what == "match" and state.number:
        settle(state)


# What may be done now
def passes(state: State[Hand]) -> Event | None:
    """What a lone `.` means: a pass of the player, unless the house has passed."""
    return None if any(isinstance(call, Pass) for call in house_said(state)) else Pass(by=state.turn[0])


def cards_of(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The player's cards; for the house the top card of the stock, which it plays or turns up."""
    hand = state.hand
    if seat == hand.player:
        yield from (Play(by=seat, cards=(card,)) for card in dict.fromkeys(PACK.cards(hand.held.certain)))
    elif forced_by_stock(state) is not None:
        card = (PACK.tokens[hand.stock.codes()[-1]],)
        yield Play(by=seat, cards=card, src="stock")
        if not last_card(hand):
            yield Discard(by=seat, cards=card, src="stock")


def forced_by_stock(state: State[Hand]) -> Event | None:
    """What the house must do with the top card of the stock; None if the card, or whether it fits, is unknown."""
    hand = state.hand
    if not hand.stock.row or hand.stock.row[-1] >= UNSEEN:
        return None
    top = hand.stock.row[-1]
    cards = (PACK.faces[top],)
    answer = not hand.plays or last_card(hand) or fits(top, hand)
    if answer is False:
        return Discard(by=hand.house, cards=cards, src="stock")
    return Play(by=hand.house, cards=cards, src="stock") if answer else None


def all_in_view(state: State[Hand], seat: str) -> bool:
    """Return True if all that a seat chooses from is known: the board, the player's hand, the top of the stock."""
    hand = state.hand
    if state.phase in ("choice", "opening"):
        return state.phase == "opening" or not hand.board.hidden
    if state.phase == "play" and seat == hand.house:
        return forced_by_stock(state) is not None
    return hand.held.complete and state.phase != "gap"


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The meaning of a short line: the pile of the cards; a card that does not fit is only turned up."""
    if state.phase == "between" or not isinstance(event, Play | Discard | Draw | Bid):
        return (event,)
    hand = state.hand
    if isinstance(event, Bid):
        return (replace(event, strain="nt"),) if event.strain in ("n", "no") else (event,)
    if event.src:
        return (event,)
    if event.by != hand.house:
        if isinstance(event, Play) or (isinstance(event, Discard) and state.phase == "play"):
            return (event,)
        return (replace(event, src=hand.source(event)),)
    answering = isinstance(event, Play) and hand.leader == hand.player and not last_card(hand)
    if answering and not hand.stock.vague and fits(state.code(event.cards), hand) is False:
        return (Discard(by=event.by, cards=event.cards, src="stock"),)
    return (replace(event, src="stock"),)


def last_outcome_text(state: State[Hand]) -> str:
    """The winner of the trick that has just been completed, and why, if nothing else shows it."""
    hand = state.hand
    if not hand.won or hand.plays or hand.won[-1].at != state.at or hand.astray:
        return ""
    how = " by default" if len(hand.won[-1].plays) == 1 else ""
    text = f"trick {len(hand.won)} to {one_of(hand.won[-1].winners)}{how}"
    return text + f"; the stock is out, {hand.rest} more to {hand.player}" if hand.rest else text


# Simulation: high cards are kept and led, and bids can be made, so that games are won
WORTH_KEEPING = {"A": 6, "K": 4, "Q": 3, "J": 2}


def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = [PACK.faces[code] for code in PACK.codes(PACK.full)]
    random.shuffle(cards)
    player = state.terms.seats[0]
    down, up = cut(cards, FACE_DOWN), cut(cards, FACE_UP)
    return [
        HandEvent(by=player, number=state.number + 1),
        Deal(by="@", face="down", piles=((f"reserve:{player}", down),)),
        Deal(by="@", face="up", piles=(("board", up),)),
        Deal(by="@", face="down", piles=(("stock", tuple(cards)),)),
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
    key="bridge-solitaire", name="Bridge Solitaire", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        lay_deal=ensure_laid_open, next_dealer=lambda state: state.terms.seats[0], chance=chance, own_piles=("board",),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "choice": Phase(
            "choosing", (Draw, Discard, Bid, Pass), "the six cards kept from the board", to_do="choose six",
            tries=(try_sixes,),
        ),
        "opening": Phase(
            "turning up", (Draw, Discard, Bid, Pass),
            "the seven thrown out, the visible one last; then the seven turned up",
            default_act=lambda state: state.hand.turned_up(), to_do="throw seven out and turn seven up",
            tries=(try_throwing_out,),
        ),
        "house call": Phase(
            "the house's call", (Bid, Pass, Call), "the house's bid (1d) or a pass",
            default_act=lambda state: next(iter(house_due(state)), None), to_do="call",
            tries=(try_bidding(LEVELS_OF_HOUSE, *SUITS), try_pass),
        ),
        "call": Phase(
            "the player's call", (Bid, Pass, Call), "a bid (1c, 2nt) or a pass", default_act=passes, to_do="call",
            tries=(try_pass, try_bidding(LEVELS, *STRAINS)),
        ),
        "gap": Phase("after a gap", (Draw, Discard, Bid, Pass, Call, Play), "whatever comes next", to_do="go on"),
        "play": Phase(
            "play", (Play, Discard, Call, Bid, Pass),
            "a card; from the stock, one that is played or one that does not fit",
            default_act=lambda state: forced_by_stock(state) if state.hand.house in state.turn else None,
            to_do="play", tries=(cards_of,),
        ),
    },
    on={
        Deal: on_deal, Draw: keep_drawn, Discard: on_discard, Bid: make_call, Pass: make_call, Play: on_play,
        Move: on_gathering, End: on_end_of_match, Gap: on_gap,
    },
    tally=Tally, compute_tally=tally, score=score,
    after=after,  # type: ignore[arg-type]  # the standing of this page is a rubber
    match=MatchRules(new_match=lambda terms: new_rubber(terms.sides)),
    sheet=RubberSheet(("PLAYER", "HOUSE")),
    omissions=Omissions(unwritten=unwritten, missing=missing),
    shorthand=Shorthand(
        expand=expand_shorthand, led=lambda state: state.hand.led if state.phase == "play" and state.hand.plays else "",
        open_deal=lambda state, cards: dealt_up(state, cards, (("board", FACE_UP),)),
    ),
    display=Display(
        headline=lambda state: {
            "declarer": state.hand.declarer, "tricks": tricks_so_far(state)
        } if state.hand.declarer else {},
        last_outcome_text=last_outcome_text, contract=contract,
        piles={"reserve": Lies("stack", "front", "nobody"), "discard": Lies("stack", "beside", "top")},
    ),
    simulation=Simulation(knows_all_choices=all_in_view, most_acts=2000, weigh=weigh, most_hands=60),
)  # fmt: skip
