"""Zetema: melds are shown for points and stay in the hand, discards lie by rank, and whoever throws the fifth of a rank
scores for it; kings and queens are married."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations
from math import gcd
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.cards import SEVERAL, Pack, how_many, one_by_one, pretty_all, squeeze
from events.model import Deal, Discard, Draw, Event, Gap, Meld, Move, Show
from events.model import Tally as TallyEvent
from reducers.evolve import pile_named, is_for_next_hand
from reducers.page import (
    CONSEQUENCE, DUTY, SUITS, Catalogue, CheckResult, DealSpec, Game, Dealing, Shorthand, Display, Simulation,
    HandScore, Law, ScoreLine, Phase, Points, after_gap, State, TallyFacts, Terms, add_points,
    as_many_as_dealt, broken, counts_nothing, deals_next, figure, figures, HouseRules, finish_hand, first_to_target,
    grows, hand_of, hand_score, on_move, apply_reported_facts, pack, pairs, partnerships, plus, pretty, ensure_dealt,
    result_text, rule, seatings, shuffle_and_deal, singles, summary_of, unknown,
)  # fmt: skip
from reducers.page import on_show as common_show
from reducers.piles import Lies
from reducers.scoring import sum_of
from reducers.words.rummy import cards_lying, try_discards, first_turn, not_the_turn, one_card, take_drawn
from reducers.words.sheets import hand_parts
from reducers.words.tallies import in_this_hand, last_values

# Setup: the pack has one suit twice, so that each rank has five cards
RANKS = "A23456789TJQK"
PER_RANK = 5
DEAL = DealSpec(each=6, shares={6: 5}, rest="stock")
MANY = 4  # with n players or more the target is lower

# Game play: points of melds, marriages and zetemas
SEQUENCE, FLUSH, FLUSH_SEQUENCE, ASSEMBLY = "sequences", "flushes", "flush sequences", "assemblies"
SIX_CARDS = {SEQUENCE: 20, FLUSH: 30, FLUSH_SEQUENCE: 50}
ASSEMBLIES = {"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}
MARRIAGES = {0: 0, 1: 10, 2: 30, 3: 60, 4: 100}
ZETEMAS = {"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}
LABELS = (SEQUENCE, FLUSH, FLUSH_SEQUENCE, ASSEMBLY, "marriages", "zetemas")
FEWEST_SHOWN = 4  # fewer cards are shown for another reason
UNCOUNTED = ("*",)  # stands for uncounted cards


@cache
def pack_with(suit: str) -> Pack:
    """The pack with this suit twice."""
    single = pack()
    return Pack({face: 1 + (face[1] == suit) for face in single.faces})


PACK = pack_with("s")
UNSEEN = PACK.unknown


class Options(HouseRules, frozen=True):
    """House rules of Zetema."""

    double_suit: Annotated[Literal["c", "d", "h", "s"], Meta(description="the suit that is in the pack twice")] = "s"
    target: Annotated[
        int, Meta(ge=0, le=9999, description="score that wins; 0 is 300, and 200 if four or more play")
    ] = 0
    ace_in_sequence: Annotated[
        Literal["low", "high", "both"], Meta(description="place of an ace in a sequence")
    ] = "low"
    five_marriages: Annotated[int, Meta(ge=100, le=300, description="points for all five marriages at once")] = 150


SETUP, TURN, MELDS, MARRY, FIVE = "Setup", "Play of the hand", "Melds", "Marriages", "Forming zetemas"
END = "Ending the hand"
RULES = Catalogue(
    "zetema",
    rule("R1", TURN, DUTY, "The player left of the dealer begins; a turn begins with one card drawn from the stock.",
         "play in turn"),
    rule("R2", TURN, DUTY, "A meld is shown, scores at once, and stays in the hand.", "melds are shown"),
    rule("R3", TURN, DUTY, "A discard comes from the hand and goes to the pile of its rank.", "pile of its rank"),
    rule("R4", TURN, DUTY, "After a meld the discard is one of its cards.", "discard of the meld"),
    rule("R5", MELDS, DUTY, "A sequence is six cards that follow each other, not all of one suit.", "sequence"),
    rule("R6", MELDS, DUTY, "A flush is six cards of one suit.", "flush"),
    rule("R7", MELDS, CONSEQUENCE, "Six cards of one suit that follow each other are a flush sequence.",
         "flush sequence"),
    rule("R8", MELDS, DUTY, "An assembly is five cards of one rank.", "assembly"),
    rule("R9", MELDS, DUTY, "If six play, sequence, flush and flush sequence have five cards.", "five of six"),
    rule("R10", MARRY, DUTY, "A marriage is king and queen of one suit; at least one of them comes from the hand, the "
         "other may come from the pile of its rank.", "marriage"),
    rule("R11", MARRY, DUTY, "In a turn there is a meld or there are marriages, not both.", "meld or marriage"),
    rule("R12", MARRY, DUTY, "After marriages the hand is filled up, and the turn ends without a discard.", "fill up"),
    rule("R13", MARRY, DUTY, "No card comes back from the general pile.", "general pile"),
    rule("R14", FIVE, CONSEQUENCE, "The fifth card of a rank on its pile is a zetema for its player, and the five go "
         "to the general pile.", "zetema"),
    rule("R15", END, CONSEQUENCE, "When the stock is out there are no more draws; a player without cards drops out.",
         "stock out"),
    rule("R16", END, CONSEQUENCE, "Whoever reaches the target has won, and play ends at once.", "target"),
    rule("R17", MELDS, CONSEQUENCE, "A sequence scores 20, a flush 30, a flush sequence 50; an assembly of kings or "
         "queens 130, of jacks 120, of aces or fives 110, of any other rank 100.", "what melds score"),
    rule("R18", MARRY, CONSEQUENCE, "Of marriages declared together one scores 10, two 30, three 60, four 100, and "
         "each imperial one, of the doubled suit, ten more; all five score 150.", "what marriages score"),
    rule("R19", FIVE, CONSEQUENCE, "A zetema of jacks scores 20, of aces or fives 15, of kings or queens 50, of any "
         "other rank 5.", "what zetemas score"),
    rule("R20", SETUP, DUTY, "Each player is dealt six cards, or five if six play; one suit is in the pack twice.",
         "six each", {Deal: as_many_as_dealt}),
)  # fmt: skip

READINGS = {
    "The meld and the sequence of one turn": "the sentence about marriages means the meld and the marriage",
    "Five marriages": "150 in all; option five_marriages",
    "Imperial marriages": "ten more for each that is in the doubled suit, unless all five are declared at once",
    "The ace in a sequence": "is below the two; option ace_in_sequence. A sequence never goes round the corner",
    "Several melds in a turn": "one, as the discard must be one of its cards",
    "The same meld in a later turn": "counts again, if another card has come in the place of the one thrown",
    "A flush of the doubled suit": "may have equal cards, and then is no sequence",
    "Seven cards that make a meld": "six of them are shown",
    "Marriages recorded on two lines of a turn": "were declared together",
    "A card married out of a pile": "may lie anywhere in it; if it is there and cannot be in the hand, taking it need "
    "not be recorded",
    "When a marriage is declared": "after the draw of the turn",
    "The hand is filled up": "to six cards, or five, as far as the stock goes",
    "The end of a hand": "no player has a card left; kings and queens may be in their piles then",
    "Melds and marriages": "need not be declared; a zetema counts by itself",
    "Cards shown": "are a meld if they are four or more, in turn and out of the hand",
    "An invalid meld": "scores nothing, and binds no discard",
    "Five players": "play alone, to 200",
    "Partners": "sit across from each other, and what they score is added up",
    "Who deals next": "the player to the left",
    "A draw that is not in the record": "was made nevertheless: a draw may not be skipped, so most records leave "
    "draws out",
    "A discard whose rank was not seen": "lies apart; the counts of the piles by rank are then unknown",
}


class Hand:
    """State of one hand.

    `player` is the seat on turn (empty after unrecorded acts), `begun` is True once a card was drawn or discarded,
    `drawn` once the card of the turn is drawn, `supposed` if that draw was not recorded. `meld` has the cards of the
    meld shown in this turn, `taken` those taken out of piles to be married, `married` and `imperial` count the
    marriages of this turn; `due` is the number of cards still to be drawn after them. `wed` is the seat that married
    last while no other has acted since, and `just` the marriages in that turn; `thrown` is the last seat that
    discarded. `scored` has side, kind, points and description of each score, in order, `at` its position.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.player, self.begun = first_turn("turn", state), False
        self.size = DEAL.among(len(state.terms.seats)).each
        self.scored: list[tuple[str, str, int | None, str]] = []
        self.at: list[int] = []
        self.gap = False
        self.wed = self.thrown = ""
        self.just = 0, 0
        for rank in RANKS:
            state.table.row(f"rank:{rank}")
        state.table.row("dead")
        self.new_turn()

    def new_turn(self) -> None:
        """Reset the state of the turn."""
        self.drawn, self.supposed, self.due, self.married, self.imperial = False, False, 0, 0, 0
        self.meld: tuple[int, ...] = ()
        self.taken: tuple[str, ...] = ()


# Play of the hand
@RULES.check("R1", Draw, Discard, Meld, Show)
def play_in_turn(act: Draw | Discard | Meld | Show, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not hand.player or act.by == hand.player or act.by not in state.terms.seats:
        return None
    if act.by == hand.wed and (isinstance(act, Discard) or marries_more(act, state)):
        return None  # a discard breaks R12
    if fills_up_uncounted(act, state):
        return None
    if hand.due and act.by == state.terms.after(hand.player):
        return None  # the cards due after marriages were drawn, though unrecorded
    return None if isinstance(act, Show) and not meld_shown(act, state) else not_the_turn(hand.begun, state)


@RULES.check("R1", Draw, when="turn play discard marriage")
def draw_one_card(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if (draw.src or "stock") != "stock" or draw.by != hand.player:
        return None
    late = "draws at the beginning of the turn" if hand.supposed else "has drawn already"
    return broken(f"{draw.by} {late}") if hand.drawn else one_card(draw.cards, "drawn")


@RULES.check("R1", Discard)
def discard_one_card(discard: Discard, state: State[Hand]) -> CheckResult | None:
    return one_card(discard.cards, "discarded") if discard.by == state.hand.player else None


@RULES.check("R15", Draw)
def the_stock_is_out(draw: Draw, state: State[Hand]) -> CheckResult | None:
    stock = state.table.piles.get("stock")
    if (draw.src or "stock") != "stock" or not state.hand.begun or stock is None or stock.row or stock.vague:
        return None
    return broken("the stock is out: there are no more draws")


def stock_left(state: State[Hand]) -> bool:
    """True if there may be a card to draw."""
    stock = state.table.row("stock")
    return bool(stock.row) or stock.vague


def act_of(who: str, state: State[Hand], before: str = "") -> None:
    """Prepare an act of a seat: infer what was due before it and is not recorded."""
    hand = state.hand
    if who != hand.player or (hand.married and before in ("draw", "discard")):
        fill_up_unwritten(state)
    if who != hand.player and not hand.due:
        hand.new_turn()
        hand.player = who
    hand.begun, hand.wed, hand.thrown = True, "", ""
    if before and before != "draw" and not hand.drawn and not hand.married:
        if stock_left(state):
            state.table.move([UNSEEN], state.table.row("stock"), state.holding(who))
            hand.supposed = True
        hand.drawn = True


def fill_up_unwritten(state: State[Hand]) -> None:
    """Infer the draw of the cards due after marriages."""
    hand = state.hand
    if hand.due:
        state.table.move([UNSEEN] * hand.due, state.table.row("stock"), state.holding(hand.player))
        next_turn(state)


def marries_more(act: Event, state: State[Hand]) -> bool:
    """True if a player whose marriages left no card to draw, so that the next one might play, goes on marrying."""
    hand = state.hand
    goes_on = isinstance(act, Meld) or (isinstance(act, Draw) and act.src.startswith("rank:"))
    return goes_on and act.by == hand.wed != hand.player and bool(hand.player)


def fills_up_uncounted(act: Event, state: State[Hand]) -> bool:
    """True if a player draws after marriages and had uncounted cards before, so the number of cards due is unknown."""
    return isinstance(act, Draw) and act.by == state.hand.wed and (act.src or "stock") == "stock" and (
        state.hand.gap or state.holding(act.by).vague
    )


def goes_on_marrying(act: Event, state: State[Hand]) -> None:
    """Give the turn back to the player who married last."""
    if marries_more(act, state):
        hand = state.hand
        hand.new_turn()
        hand.player, hand.drawn, (hand.married, hand.imperial) = act.by, True, hand.just


def written_after_all(draw: Draw, state: State[Hand]) -> None:
    """Take back the inferred draw of this turn if it is recorded later, alone or with those that fill up the hand."""
    hand, count = state.hand, how_many(draw.cards) or 0
    if draw.by != hand.player or (draw.src or "stock") != "stock" or not hand.supposed or count != hand.due + 1:
        return
    hand.supposed, own = False, state.holding(draw.by)
    if own.unseen:
        state.table.move([UNSEEN], own, state.table.row("stock"))
        hand.due += bool(hand.due)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """A card from the stock begins a turn, or fills up after marriages; one from a pile is taken to be married."""
    hand = state.hand
    goes_on_marrying(draw, state)
    written_after_all(draw, state)
    if fills_up_uncounted(draw, state):
        take_drawn(draw, state)
        if hand.gap:
            next_turn(state)
        return
    if draw.by == hand.player and hand.due and (draw.src or "stock") == "stock":
        take_drawn(draw, state)
        hand.due = max(0, hand.due - (how_many(draw.cards) or hand.due))
        if not hand.due:
            next_turn(state)
        return
    from_pile = draw.src.startswith("rank:")
    for card in one_by_one(draw.cards) if from_pile else ():
        seen_after_all(card, draw.src, state)
    if not from_pile and draw.by == hand.player and hand.taken:
        take_drawn(draw, state)  # too late: what came out of a pile is still to be married
        return
    act_of(draw.by, state, "marriage" if from_pile else "draw")
    if from_pile:
        out_of_the_pile(draw, state)
        hand.taken += tuple(one_by_one(draw.cards))
        state.phase, state.turn = "marriage", (draw.by,)
    else:
        take_drawn(draw, state)
        hand.drawn = True
        state.phase, state.turn = "play", (draw.by,)


def next_turn(state: State[Hand]) -> None:
    """Pass the turn to the next player who has a card or can draw one; if there is none, the hand is over."""
    hand, terms = state.hand, state.terms
    hand.new_turn()
    if hand.gap:
        hand.player, state.phase, state.turn = "", "turn", terms.seats
        return
    for seat in terms.in_turn(terms.after(hand.player)):
        if stock_left(state) or len(state.holding(seat)):
            hand.player = seat
            state.phase, state.turn = "turn" if stock_left(state) else "play", (seat,)
            return
    finish_hand(state)


def has_scored(who: str, kind: str, points: int | None, what: str, state: State[Hand]) -> None:
    """Record points for the side of a seat; if it reaches the target, the hand is over."""
    hand, side = state.hand, state.terms.side_of[who]
    hand.scored.append((side, kind, points, what))
    hand.at.append(state.at)
    total = plus(state.before.totals[side], points_of(side, state))
    if total is not None and total >= target_of(state.terms):
        finish_hand(state)


def uncertain(state: State[Hand]) -> bool:
    """True if the score is unknown: acts went unrecorded, or a discard was not seen."""
    return state.hand.gap or bool(cards_lying("discard", state))


def target_of(terms: Terms) -> int:
    """Score that wins the match."""
    return int(terms.options.target) or (200 if len(terms.seats) >= MANY else 300)


# Discards
@RULES.check("R3", Discard, Move)
def discard_to_the_pile_of_its_rank(act: Discard | Move, state: State[Hand]) -> CheckResult | None:
    if isinstance(act, Discard):
        return None if act.src in ("", hand_of(act.by)) else broken("a discard comes from the hand")
    code = state.code(act.cards)
    if not thrown_by_move(act, state) or how_many(act.cards) != 1 or act.to == f"rank:{PACK.rank_of[code]}":
        return None
    if PACK.rank_of[code] == "?":
        return unknown("which rank the card has: not seen")
    return broken(f"{PACK.shown(code)} goes to the pile of its rank, not to {act.to.replace(':', ' ')}")


def thrown_by_move(move: Move, state: State[Hand]) -> bool:
    """True if a card goes from the player's own hand to one of the piles by rank."""
    own = move.by in state.terms.seats and move.src in ("", hand_of(move.by))
    return own and move.to.startswith("rank:") and not state.settled and not puts_back(move, state)


def puts_back(move: Move, state: State[Hand]) -> bool:
    """True if cards taken to be married go back to their piles."""
    taken, own = state.hand.taken, hand_of(state.hand.player)
    there = all(card in taken and move.to == f"rank:{card[0]}" for card in one_by_one(move.cards))
    return bool(taken) and there and (move.src or hand_of(move.by)) == own


@RULES.check("R4", Discard)
def discard_of_the_meld(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand, code = state.hand, state.code(discard.cards)
    if not hand.meld or discard.by != hand.player or how_many(discard.cards) != 1:
        return None
    if code in hand.meld and code < UNSEEN:
        return None
    if any(PACK.may_be_same(shown, code) for shown in hand.meld):
        return unknown("whether the discard is one of the cards shown")
    return broken(f"{PACK.shown(code)} is not one of the cards shown, {pretty_all(PACK.tokens[c] for c in hand.meld)}")


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Discard a card to the pile of its rank; the turn passes."""
    act_of(discard.by, state, "discard")
    src = pile_named(state, discard.src or discard.by)
    throw(discard.by, state.table.codes(discard.cards, src), discard.src or discard.by, "", state)


def throw(who: str, codes: list[int], src: str, onto: str, state: State[Hand]) -> None:
    """Move cards to the piles of their ranks, or to `onto`; the fifth card of a rank is a zetema."""
    hand, table = state.hand, state.table
    hand.thrown = who
    for code in codes:
        rank = PACK.rank_of[code]
        pile = table.row(onto or (f"rank:{rank}" if rank in RANKS else "discard"))
        table.move([code], pile_named(state, src), pile)
        if len(pile) >= PER_RANK and pile.name.startswith("rank:") and not onto:
            table.move([*reversed(pile.codes())], pile, table.row("dead"))
            has_scored(who, "zetemas", ZETEMAS.get(rank, 5), rank_text(rank), state)
    if not state.settled:
        next_turn(state)


def rank_text(rank: str) -> str:
    """A rank as people write it."""
    return "10" if rank == "T" else rank


# Melds
@cache
def in_sequence(size: int, ace: str) -> tuple[frozenset[str], ...]:
    """The ranks of each sequence of n cards."""
    order = {"low": RANKS, "high": RANKS[1:] + "A"}.get(ace, RANKS + "A")
    return tuple(frozenset(order[i : i + size]) for i in range(len(order) - size + 1))


@lru_cache(maxsize=1 << 14)
def kind_of(cards: tuple[str, ...], size: int, ace: str) -> tuple[str, int] | None:
    """Kind and points of a meld; None if the cards are none. `size` is the number of cards in a sequence.

    >>> kind_of(("9d", "Th", "Js", "Qh", "Kd", "8d"), 6, "low"), kind_of(("5c", "5d", "5h", "5s", "5s"), 6, "low")
    (('sequences', 20), ('assemblies', 110))
    >>> kind_of(("2s", "2s", "4s", "5s", "9s", "Ks"), 6, "low"), kind_of(("Ah", "Kh", "Qh", "Jh", "Th", "9h"), 6, "low")
    (('flushes', 30), ('flushes', 30))
    """
    ranks = {c[0] for c in cards}
    if len(ranks) == 1 and len(cards) == PER_RANK:
        return ASSEMBLY, ASSEMBLIES.get(cards[0][0], 100)
    if len(cards) != size:
        return None
    one_suit = len({c[1] for c in cards}) == 1
    in_order = ranks in in_sequence(size, ace)
    if not one_suit and not in_order:
        return None
    kind = (FLUSH_SEQUENCE if in_order else FLUSH) if one_suit else SEQUENCE
    return kind, SIX_CARDS[kind]


def cards_shown(show: Show) -> tuple[str, ...]:
    """The cards shown, one by one; `UNCOUNTED` if their number is unknown."""
    cards = [card for group in show.groups for card in group]
    return UNCOUNTED if how_many(cards) is None else tuple(one_by_one(cards))


def meld_shown(show: Show, state: State[Hand]) -> tuple[str, ...]:
    """The cards of a meld shown from the player's hand before the discard; empty if it is no meld."""
    hand, cards = state.hand, cards_shown(show)
    if not state.number or state.settled or show.src not in ("", hand_of(show.by)) or hand.meld:
        return ()
    if show.by not in state.terms.seats or (len(cards) < FEWEST_SHOWN and cards != UNCOUNTED) or hand.thrown == show.by:
        return ()
    return cards


def judged_as_meld(rule_id: str, show: Show, state: State[Hand]) -> CheckResult | None:
    """Verdict of one of the rules of melds on cards that are shown; None if they do not break it."""
    cards, size, ace = meld_shown(show, state), state.hand.size, state.terms.options.ace_in_sequence
    if not cards or show.by not in (state.hand.player or show.by,):
        return None
    found = kind_seen(cards, size, ace)
    if found is not None and found[1] is None:
        return unknown("what the meld is: not all of it was seen")
    faults = faults_of(cards, size, ace)
    if found is not None or rule_id not in faults:
        return None
    if len(faults) > 1:
        return unknown("which rule the cards break: not all of them were seen")
    return broken(f"{pretty_all(cards)} {WRONG[rule_id].format(size)}")


def kind_seen(cards: tuple[str, ...], size: int, ace: str) -> tuple[str, int | None] | None:
    """Kind and points of a meld; points are None if the cards may be a meld but were not all seen or counted."""
    if cards == UNCOUNTED:
        return "melds", None
    if not any("?" in card for card in cards):
        return kind_of(cards, size, ace)
    ranks, suits = ([c[i] for c in cards if c[i] != "?"] for i in (0, 1))
    alike = len(cards) == PER_RANK and len(set(ranks)) <= 1
    in_order = len(set(ranks)) == len(ranks) and any(there.issuperset(ranks) for there in in_sequence(size, ace))
    may_be = alike or (len(cards) == size and (len(set(suits)) <= 1 or in_order))
    return ("melds", None) if may_be else None


def faults_of(cards: tuple[str, ...], size: int, ace: str) -> tuple[str, ...]:
    """The rule that cards break if they are no meld; several if unseen cards decide it.

    >>> faults_of(("5s", "5s", "8s", "Js", "Js"), 6, "low"), faults_of(("5s", "5s", "??", "Js", "Js"), 6, "low")
    (('R9',), ('R9', 'R5'))
    """
    ranks, suits = ({c[i] for c in cards if c[i] != "?"} for i in (0, 1))
    of_other_size = any(kind_seen(cards, other, ace) for other in (5, 6) if other != size)
    may_be = {"R8": len(ranks) <= 1, "R9": of_other_size, "R6": len(suits) <= 1 and not of_other_size}
    found = tuple(rule_id for rule_id, possible in may_be.items() if possible)
    if found and not any("?" in card for card in cards):
        return found[:1]
    return (*found, "R5")


WRONG = {
    "R5": "are neither {} cards that follow each other, nor of one suit",
    "R6": "are not {} cards of one suit",
    "R8": "are not five cards of one rank",
    "R9": "would have to be {} cards",
}
for judged in WRONG:
    RULES.check(judged, Show)(partial(judged_as_meld, judged))


@RULES.check("R2", Meld)
def melds_stay_in_the_hand(meld: Meld, state: State[Hand]) -> CheckResult | None:
    long = [group for group in pairs_of(meld) if len(group) >= FEWEST_SHOWN]
    return broken(f"{pretty_all(long[0])} are shown, and stay in the hand") if long else None


@RULES.check("R2", Show)
def one_meld_in_a_turn(show: Show, state: State[Hand]) -> CheckResult | None:
    hand, cards = state.hand, cards_shown(show)
    if not hand.meld or show.by != hand.player or show.src not in ("", hand_of(show.by)):
        return None
    again = kind_of(cards, hand.size, state.terms.options.ace_in_sequence)
    return broken(f"{show.by} has shown a meld in this turn") if again else None


def on_show(show: Show, state: State[Hand]) -> None:
    """Score a meld shown during the turn."""
    hand, cards = state.hand, meld_shown(show, state)
    if not cards or show.by != (hand.player or show.by) or hand.married or hand.due:
        common_show(show, state)
        return
    ensure_dealt(state)
    act_of(show.by, state, "meld")
    common_show(show, state)
    found = kind_seen(cards, hand.size, state.terms.options.ace_in_sequence)
    if found is None:
        return
    hand.meld = () if cards == UNCOUNTED else tuple(state.table.codes(cards))
    state.phase, state.turn = "discard", (show.by,)
    kind, points = found
    has_scored(show.by, kind, points, rank_text(cards[0][0]) if kind == ASSEMBLY else "", state)


# Marriages
def pairs_of(meld: Meld) -> list[tuple[str, ...]]:
    """The pairs that are laid, card by card: two groups, or four cards in one."""
    out: list[tuple[str, ...]] = []
    for group in meld.groups:
        cards = one_by_one(group)
        suits = [c for c in cards if c[0] == "K"], [c for c in cards if c[0] == "Q"]
        if len(cards) > 2 and len(suits[0]) == len(suits[1]) == len(cards) / 2:
            queens = {c[1]: c for c in suits[1]}
            out += [(king, queens.get(king[1], suits[1][0])) for king in suits[0]]
        else:
            out.append(tuple(cards))
    return out


def is_marriage(pair: tuple[str, ...]) -> bool | None:
    """True if these are king and queen of one suit; None if unseen cards decide it."""
    if len(pair) != 2:
        return False
    for king, queen in (pair, pair[::-1]):
        if king[0] in "K?" and queen[0] in "Q?" and (king[1] == queen[1] or "?" in king[1] + queen[1]):
            return None if "?" in king + queen else True
    return False


@RULES.check("R10", Meld)
def king_and_queen_of_one_suit(meld: Meld, state: State[Hand]) -> CheckResult | None:
    taken, wedded = state.hand.taken, pairs_of(meld)
    for pair in wedded:
        if len(pair) < FEWEST_SHOWN and is_marriage(pair) is False:
            return broken(f"{pretty_all(pair)} are not king and queen of one suit")
    for suit in dict.fromkeys(card[1] for card in taken):
        of_suit = taken.count("K" + suit), taken.count("Q" + suit)
        if min(of_suit) and sum(of_suit) > sum(pair[0][1] in (suit, "?") for pair in wedded):
            return broken("one card of a marriage at least comes from the hand")
    for pair in wedded:
        if is_marriage(pair) and all(out_of_its_pile(card, meld.by, state) for card in pair):
            return broken(f"{pretty_all(pair)} are in their piles, but at least one of them comes from the hand")
    left = left_unmarried(taken, wedded)
    if any(is_marriage(pair) is None for pair in wedded):
        return unknown("whether they are king and queen of one suit: not all cards were seen")
    return broken(f"{pretty_all(left)} came out of the pile to be married") if left else None


def out_of_its_pile(card: str, who: str, state: State[Hand]) -> bool:
    """True if a king or queen certainly comes out of its pile: it was taken, or is there and can be in no hand."""
    hand, pack = state.hand, state.game.pack
    if card in hand.taken:
        return pack.copies[pack.code[card]] == 1
    code, pile = pack.code[card], f"rank:{card[0]}"
    free = (pack.full - state.table.located) & pack.field[code] if not hand.drawn and stock_left(state) else 0
    return code in cards_lying(pile, state) and state.holding(who).any_of(pack.field[code]) is False and not free


def left_unmarried(taken: Sequence[str], wedded: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Those of the cards taken out of piles that cannot be among the married ones."""
    married, left = [card for pair in wedded for card in pair], list[str]()
    for card in sorted(taken, key=lambda card: "?" in card):
        fits = [one for one in married if PACK.may_be_same(PACK.code[card], PACK.code[one])]
        found = min(fits, key=lambda one: "?" in one, default=None)
        if found is None:
            left.append(card)
        else:
            married.remove(found)
    return tuple(left)


@RULES.check("R10", Draw)
def taken_to_be_married(draw: Draw, state: State[Hand]) -> CheckResult | None:
    code = state.code(draw.cards)
    if not draw.src.startswith("rank:") and draw.src != "discard":
        return None
    if draw.src not in ("rank:K", "rank:Q"):
        return broken("only kings and queens come out of the piles")
    if code >= UNSEEN:
        return unknown("which card was taken")
    face, card = PACK.faces[code], PACK.shown(code)
    has = partner_in_hand(face, draw.by, state, state.hand.taken.count(face))
    if has or (not state.hand.drawn and stock_left(state)):
        return None  # an unrecorded card drawn may be the partner, as the marriage will show
    if has is False:
        return broken(f"{draw.by} has nothing in the hand to marry {card}")
    return unknown(f"whether {draw.by} has the partner of {card}")


@RULES.check("R10", Discard)
def married_or_left_there(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not hand.taken or hand.married or discard.by != hand.player:
        return None
    # Without a partner it should not have been taken; either way it was not married.
    return broken(f"{pretty_all(hand.taken)} came out of the pile to be married")


def partner_in_hand(card: str, who: str, state: State[Hand], more: int = 0) -> bool | None:
    """True if a player has the partner of a king or queen in hand besides those taken out of a pile and `more` of
    them; None if unknown."""
    if card[0] not in "KQ" or "?" in card:
        return None
    partner = PACK.code[("Q" if card[0] == "K" else "K") + card[1]]
    taken = state.hand.taken.count(PACK.faces[partner]) + more
    least, most = state.holding(who).how_many(state.game.pack.field[partner])
    return True if least > taken else False if most <= taken else None


@RULES.check("R11", Meld, Show, Draw)
def a_meld_or_marriages(act: Meld | Show | Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if act.by != hand.player or (isinstance(act, Draw) and not act.src.startswith("rank:")):
        return None
    if isinstance(act, Show):
        begun = f"taken {pretty_all(hand.taken)} to be married" if hand.taken else "married" if hand.married else ""
        return broken(f"{act.by} has {begun} in this turn") if begun and meld_shown(act, state) else None
    return broken(f"{act.by} has shown a meld in this turn") if hand.meld else None


@RULES.check("R12", Discard, Draw)
def fill_up_and_no_discard(act: Discard | Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if isinstance(act, Discard):
        return broken(f"{act.by} has married: the turn ends without a discard") if act.by == hand.wed else None
    count = how_many(act.cards)
    if act.by != hand.player or not hand.due or count is None or count <= hand.due or act.src not in ("", "stock"):
        return None
    if hand.supposed and count == hand.due + 1:
        return unknown("whether the card of the turn, which was not recorded, is among them")
    return broken(f"{act.by} fills up with {hand.due} card{'s' * (hand.due > 1)}, not with {count}")


@RULES.check("R13", Draw, Move)
def nothing_out_of_the_general_pile(act: Draw | Move, state: State[Hand]) -> CheckResult | None:
    if act.src != "dead" or (isinstance(act, Move) and act.by not in state.terms.seats):
        return None
    return broken("no card comes back from the general pile")


def as_a_discard(
    check: Callable[[Discard, State[Hand]], CheckResult | None], move: Move, state: State[Hand]
) -> CheckResult | None:
    """Verdict of a rule of discards on a card recorded as a move to a pile by rank; None for other moves."""
    return check(Discard(by=move.by, cards=move.cards), state) if thrown_by_move(move, state) else None


OF_DISCARDS = (
    ("R1", play_in_turn), ("R1", discard_one_card), ("R4", discard_of_the_meld), ("R10", married_or_left_there),
    ("R12", fill_up_and_no_discard),
)  # fmt: skip
for about, asked in OF_DISCARDS:
    RULES.check(about, Move)(partial(as_a_discard, asked))


@RULES.check("R14", Move)
def five_of_a_rank(move: Move, state: State[Hand]) -> CheckResult | None:
    if not move.src.startswith("rank:") or move.to != "dead" or uncertain(state):
        return None
    lying = len(cards_lying(move.src, state))
    return broken(f"only {lying} cards of the rank are there") if lying else None


def may_lie(code: int, name: str, state: State[Hand]) -> bool:
    """True if this card may be in a pile, as far as its cards were seen."""
    return any(PACK.may_be_same(card, code) for card in cards_lying(name, state))


def seen_after_all(card: str, name: str, state: State[Hand]) -> None:
    """Infer that a king or queen coming out of its pile, which was not seen to go there, was an unseen discard."""
    rank, table = name.removeprefix("rank:"), state.table
    if card[0] == "?":
        card = rank + card[1]  # its pile gives the rank
    code = PACK.code[card]
    if not may_lie(code, name, state) and may_lie(code, "discard", state):
        table.move([code], table.row("discard"), table.row(name))
        state.infer(f"an unseen discard was {pretty(card)}, which came out of its pile")


def out_of_the_pile(draw: Draw, state: State[Hand]) -> None:
    """Take cards out of a pile by rank, from any place in it."""
    table, pile, own = state.table, state.table.row(draw.src), state.holding(draw.by)
    for code in table.codes(draw.cards, pile):
        there = {card for card in cards_lying(pile.name, state) if PACK.may_be_same(card, code)}
        if code >= UNSEEN and len(there) == 1 and min(there) < UNSEEN:
            table.move(there, pile, own)
            continue
        if code >= UNSEEN and there:
            # It is unknown which of them are left.
            table.mix([UNSEEN] * len(pile), pile, pile)
        table.move([code], pile, own)


def on_meld(meld: Meld, state: State[Hand]) -> None:
    """Marry kings and queens: they go to the general pile and score together; then the hand is filled up."""
    hand, who, table = state.hand, meld.by, state.table
    goes_on_marrying(meld, state)
    act_of(who, state, "marriage")
    wedded = pairs_of(meld)
    for card in (card for pair in wedded for card in pair):
        code, own = table.code((card,)), state.holding(who)
        pile = f"rank:{card[0]}"
        if card[0] in "KQ" and code < UNSEEN and own.any_of(PACK.field[code]) is False:
            seen_after_all(card, pile, state)
            if may_lie(code, pile, state):
                table.move([code], table.row(pile), own)
                state.infer(f"{who} took {pretty(card)} out of its pile (not recorded)")
        table.move([code], own, table.row("dead"))
    hand.taken = left_unmarried(hand.taken, wedded)
    before = worth_of(hand.married, hand.imperial, state.terms.options)
    right = [pair for pair in wedded if len(pair) == 2 and is_marriage(pair) is not False]
    suits = [next((card[1] for card in pair if card[1] != "?"), "?") for pair in right]
    hand.married += len(right)
    hand.imperial += suits.count(state.terms.options.double_suit)
    after = None if "?" in suits else worth_of(hand.married, hand.imperial, state.terms.options)
    hand.due = 0 if hand.gap else max(0, min(hand.size - len(state.holding(who)), len(table.row("stock"))))
    hand.just = hand.married, hand.imperial
    state.phase, state.turn = "refill", (who,)
    if right:
        scored = None if after is None else after - before
        has_scored(who, "marriages", scored, at_once(hand.married, hand.imperial), state)
    if not hand.due and not state.settled:
        next_turn(state)
    hand.wed = who


def at_once(married: int, imperial: int) -> str:
    """Number of marriages in words.

    >>> at_once(1, 1), at_once(3, 1), at_once(2, 0)
    ('one imperial', 'three, one imperial', 'two')
    """
    number = ("none", "one", "two", "three", "four", "five")
    said = number[min(married, 5)]
    if not imperial:
        return said
    return f"{said} imperial" if imperial == married else f"{said}, {number[min(imperial, 5)]} imperial"


def worth_of(married: int, imperial: int, options: Options) -> int:
    """Points of n marriages that are declared at once.

    >>> [worth_of(n, m, Options()) for n, m in ((1, 0), (1, 1), (4, 2), (5, 2))]
    [10, 20, 120, 150]
    """
    return MARRIAGES[married] + 10 * imperial if married in MARRIAGES else options.five_marriages


def on_other_moves(move: Move, state: State[Hand]) -> None:
    """A card moved to a pile by name is the discard, and a discard taken back is made again. Five cards that have
    gone to the general pile do not go there again."""
    in_play = bool(state.number) and not state.settled
    if in_play and thrown_by_move(move, state):
        ensure_dealt(state)
        act_of(move.by, state, "discard")
        codes = state.table.codes(move.cards, state.holding(move.by))
        throw(move.by, codes, move.by, "" if move.to == f"rank:{PACK.rank_of[codes[0]]}" else move.to, state)
        return
    if in_play and move.src.startswith("rank:") and move.to == "dead" and not cards_lying(move.src, state):
        return
    taken_back = in_play and move.src.startswith("rank:") and move.to == hand_of(state.hand.thrown)
    who, back = state.hand.thrown if in_play else "", in_play and puts_back(move, state)
    on_move(move, state)
    if back:
        state.hand.taken = left_unmarried(state.hand.taken, [tuple(one_by_one(move.cards))])
        state.phase = state.phase if state.hand.taken else "play"
    if taken_back:
        hand = state.hand
        hand.new_turn()
        hand.player, hand.drawn, hand.thrown = who, True, ""
        state.phase, state.turn = "play", (who,)


# Scoring
def told_of_each_side(known: Mapping[str, Any], state: State[Hand]) -> Points:
    """Points of each side in the hand, as far as reported."""
    return {side: n for side in state.terms.sides if type(n := known.get(f"points.{side}")) is int}


def play_ends_at_the_target(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if two sides reach the target, or one exceeds it by more than an act can score, else ""."""
    terms, target = state.terms, target_of(state.terms)
    before = state.standing if is_for_next_hand(state) else state.before
    then = add_points(before.totals, told_of_each_side(known, state))
    there = {side: n for side, n in then.items() if n is not None and n >= target}
    if len(there) > 1:
        have = " and ".join(f"{side} has {n}" for side, n in there.items())
        return f"{have}, and play ends when one side has {target}"
    most = target - 1 + max(*ASSEMBLIES.values(), terms.options.five_marriages)
    over = next((f"{side} has {n}, and play ends at {target}: " for side, n in there.items() if n > most), "")
    return f"{over}nothing scores so much at once" if over else ""


@RULES.check("R14", TallyEvent)
def every_rank_makes_a_zetema(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """A hand that is played out has a zetema of each rank but kings and queens; other scores are multiples of ten."""
    told = told_of_each_side(last_values(in_this_hand(event.facts, state), state), state)
    before = state.standing if is_for_next_hand(state) else state.before
    there = any(n is None or n >= target_of(state.terms) for n in add_points(before.totals, told).values())
    if event.facts.get("void") or there or len(told) < len(state.terms.sides):
        return None
    whole = sum(ZETEMAS.get(rank, 5) for rank in RANKS if rank not in "KQ")
    brought = sum(n or 0 for n in told.values())
    if brought >= whole and (brought - whole) % gcd(10, state.terms.options.five_marriages) == 0:
        return None
    besides = "" if brought < whole else ", and tens besides"
    return unknown(f"whether the hand was played out: zetemas alone bring {whole}{besides}, and {brought} were "
                   "reported")


class Tally(TallyFacts):
    """What a hand is scored from: what each side scored in it."""

    points: Points = grows(figures(
        "points of a side in the hand", 0, step=5, rule="R16", ruling="points that count for a side"
    ))

    laws = (Law(("points",), play_ends_at_the_target, "R16"),)


def points_of(side: str, state: State[Hand]) -> int | None:
    """Points of a side in the hand so far; None if unknown."""
    mine = [points for whose, _, points, _ in state.hand.scored if whose == side]
    return None if uncertain(state) else sum_of(mine)


def tally(state: State[Hand]) -> Tally:
    played = state.hand.begun
    return apply_reported_facts(Tally({s: points_of(s, state) if played else None for s in state.terms.sides}), state)


def score(state: State[Hand]) -> HandScore:
    t, sides = tally(state), state.terms.sides
    points: Points = {side: t.points.get(side) for side in sides}
    if nothing := counts_nothing(state, t.void, so_far=points):
        return nothing
    lines = [] if state.tallies else [line for label in (*LABELS, "melds") for line in line_of(label, state)]
    missing = [f"what {state.terms.name(side)} scored" for side, n in points.items() if n is None]
    target, totals = target_of(state.terms), add_points(state.before.totals, points)
    there = [side for side, n in totals.items() if n is not None and n >= target]
    ended = f"{target} for {state.terms.name(there[0])}" if there else ""
    return hand_score(state, points, lines or [ScoreLine("points", points)], result=ended, unknown=missing)


def line_of(label: str, state: State[Hand]) -> Iterator[ScoreLine]:
    """Line with the points of each side for one kind of score; nothing if there were none."""
    scored = [one for one in state.hand.scored if one[1] == label]
    if not scored:
        return
    amounts: Points = {}
    sums: dict[str, str] = {}
    for side in state.terms.sides:
        mine = [(what, n) for whose, _, n, what in scored if whose == side]
        amounts[side] = sum_of(n for _, n in mine)
        if len(mine) > 1 or any(what for what, _ in mine):
            called = ((SEVERAL.get(what, what.replace(", ", " with ")), n) for what, n in mine)
            sums[side] = ", ".join(f"{what} {figure(n)}".strip() for what, n in called)
    yield ScoreLine(label, amounts, sums)


# What may be done now
def draws(who: str, state: State[Hand]) -> Iterator[Event]:
    """The card of the turn; after marriages the cards due, or one too many."""
    tokens, row, due = state.game.pack.tokens, cards_lying("stock", state), state.hand.due
    for count in dict.fromkeys((due, due + 1) if due else (1,)):
        if count <= len(row):
            yield Draw(by=who, cards=squeeze(tokens[code] for code in row[: -count - 1 : -1]))


def shows_melds(who: str, state: State[Hand]) -> Iterator[Event]:
    """Every meld that the cards make, and near misses."""
    cards, size = state.game.pack.cards(state.holding(who).certain), state.hand.size
    ace, near = state.terms.options.ace_in_sequence, 2
    for count in (5, 6) if state.phase == "play" else ():
        for some in dict.fromkeys(combinations(cards, count)):
            if kind_of(some, size, ace):
                yield Show(by=who, groups=(some,))
            elif near and (len({c[1] for c in some}) == 1 or len({c[0] for c in some}) == count):
                near -= 1
                yield Show(by=who, groups=(some,))


def marries(who: str, state: State[Hand]) -> Iterator[Event]:
    """All marriages in the hand, singly or together; and a king with another queen."""
    cards = state.game.pack.cards(state.holding(who).certain)
    kings, queens = [c for c in cards if c[0] == "K"], [c for c in cards if c[0] == "Q"]
    couples = [("K" + s, "Q" + s) for s in SUITS for _ in range(min(kings.count("K" + s), queens.count("Q" + s)))]
    for count in range(1, len(couples) + 1):
        for some in dict.fromkeys(combinations(couples, count)):
            yield Meld(by=who, groups=some)
    yield from (Meld(by=who, groups=((k, q),)) for k in kings[:1] for q in queens[:1] if k[1] != q[1])


def takes_partners(who: str, state: State[Hand]) -> Iterator[Event]:
    """Draws of kings and queens from their piles."""
    tokens = state.game.pack.tokens
    for pile in ("rank:K", "rank:Q"):
        for code in dict.fromkeys(cards_lying(pile, state)):
            yield Draw(by=who, cards=(tokens[code],), src=pile)


def perhaps_married(cards: Sequence[str]) -> bool:
    """True if cards named together are meant to be married: kings and queens, and no assembly."""
    return all(card[0] in "KQ" for card in cards) and len(cards) < PER_RANK


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: several cards are a marriage or a meld; a king or queen drawn by name comes out of its pile."""
    cards = event.cards if isinstance(event, Discard | Draw) else ()
    if isinstance(event, Meld) and len(event.groups) == 1:
        cards = event.groups[0]
    if len(cards) > 1 and "?" not in "".join(cards) and not isinstance(event, Draw):
        if perhaps_married(cards):
            return (Meld(by=event.by, groups=(cards,)),)
        # Fewer cards are one discard each, by successive players.
        return (Show(by=event.by, groups=(cards,)),) if len(cards) >= FEWEST_SHOWN else ()
    if isinstance(event, Meld) and len(cards) == 1 and not event.to:
        return ()
    if isinstance(event, Draw) and not event.src and "?" not in "".join(cards):
        pile = f"rank:{event.cards[0][0]}"
        there = event.cards[0][0] in "KQ" and state.code(event.cards) in cards_lying(pile, state)
        return (replace(event, src=pile),) if there else ()
    return (event,)


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none: while cards are due, a discard belongs to the next player."""
    hand = state.hand
    return (state.terms.after(hand.player),) if hand.due and kind is not Draw else state.turn


def quiet(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: an unseen draw of the turn's card, or of those due after marriages."""
    count = state.hand.due or 1
    cards = ("??",) if count == 1 else (f"{count}x??",)
    # Before the first act the cards may be undealt.
    there = stock_left(state) or not state.hand.begun
    return Draw(by=state.turn[0], cards=cards) if state.turn and there else None


def headline(state: State[Hand]) -> dict[str, Any]:
    """Height of the stock, and the points scored in the hand, for the headline."""
    told: dict[str, Any] = {"stock": len(cards_lying("stock", state))}
    so_far: Points = {side: points_of(side, state) for side in state.terms.sides}
    if any(so_far.values()):
        told["this hand"] = {side: "?" if n is None else n for side, n in so_far.items()}
    return told


SCORED = {
    SEQUENCE: "a sequence", FLUSH: "a flush", FLUSH_SEQUENCE: "a flush sequence", ASSEMBLY: "an assembly",
    "zetemas": "a zetema",
}


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what the last act has scored."""
    now = [one for one, at in zip(state.hand.scored, state.hand.at, strict=True) if at == state.at]
    return ", ".join(f"{figure(n)} for {side}: {named_so(kind, what)}" for side, kind, n, what in now)


def named_so(kind: str, what: str) -> str:
    """What was scored for, in words.

    >>> named_so("marriages", "one imperial"), named_so("marriages", "three, one imperial"), named_so(ASSEMBLY, "5")
    ('one imperial marriage', 'three marriages, one imperial', 'an assembly of fives')
    """
    if kind == "marriages":
        number, comma, imperial = what.partition(", ")
        return f"{number} marriage{'' if number.startswith('one') else 's'}{comma}{imperial}"
    return SCORED.get(kind, "a meld") + (f" of {SEVERAL[what]}" if what in SEVERAL else f" ({what})" if what else "")


# Simulation: score what can be scored, throw what helps least
def weigh(state: State[Hand], event: Event) -> float:
    if isinstance(event, Show):
        return 50.0
    if isinstance(event, Meld):
        return 10.0 * len(event.groups)
    if isinstance(event, Draw):
        return 4.0
    if not isinstance(event, Discard):
        return 1.0
    card, held = event.cards[0], state.game.pack.cards(state.holding(event.by).certain)
    if len(cards_lying(f"rank:{card[0]}", state)) == PER_RANK - 1:
        return 20.0
    kept = sum(c[1] == card[1] for c in held) + 2 * sum(c[0] == card[0] for c in held) + 3 * (card[0] in "KQ")
    return 6.0 / (1 + kept) ** 2


ACTS = (Draw, Discard, Show, Meld)
GAME = Game(
    key="zetema", name="Zetema", family="rummy", summary=summary_of(__doc__),
    seating=seatings(singles(2, 3, 5), partnerships(), pairs(6)), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        packs=lambda terms: pack_with(terms.options.double_suit),
    ),
    options=Options, rules=RULES, readings=READINGS,
    start=Hand,
    phases={
        "turn": Phase(
            "the draw", ACTS,
            "a card drawn (. unseen, d 5c if it was seen), or at once a discard (9h), a meld (8h9d10sjhqhkd) or "
            "marriages (khqh, or ksqs/khqh)",
            default_act=quiet, to_do="draw", tries=(draws,), verb_required=(Show,),
        ),
        "play": Phase(
            "the turn", ACTS,
            "a discard (9h), a meld (8h9d10sjhqhkd), marriages (khqh, or ksqs/khqh), or the partner out of its pile "
            "(qh)",
            default_act=quiet, to_do="play", tries=(try_discards, shows_melds, marries, takes_partners),
            verb_required=(Show,),
        ),
        "discard": Phase(
            "the discard", ACTS, "a discard out of the meld (9h)",
            to_do="discard", tries=(try_discards, marries), verb_required=(Show,),
        ),
        "marriage": Phase(
            "the marriage", ACTS, "the marriages (khqh, or ksqs/khqh)",
            to_do="marry", tries=(marries, takes_partners, try_discards), verb_required=(Show,),
        ),
        "refill": Phase(
            "filling up", ACTS, "the cards drawn (. unseen)",
            default_act=quiet, to_do="fill up", tries=(draws, try_discards), verb_required=(Show,),
        ),
    },
    on={
        Draw: on_draw, Discard: on_discard, Show: on_show, Meld: on_meld, Move: on_other_moves,
        Gap: after_gap("turn", gap=True, player="", wed="", thrown="", also=lambda state: state.hand.new_turn()),
    },
    tally=Tally, compute_tally=tally, score=score,
    after=lambda before, hand, terms: first_to_target(before, hand, terms, target_of(terms)),
    sheet=hand_parts(result_text, printed=(*LABELS, "melds")),
    shorthand=Shorthand(
        expand=expand_shorthand, implied_actor=implied_actor,
        # A king and a queen are married, right or wrong.
        is_one_act=lambda cards: len(cards) >= FEWEST_SHOWN or sorted(card[0] for card in cards) == ["K", "Q"],
    ),
    display=Display(
        headline=headline, reminders=("this hand",), last_outcome_text=last_outcome_text,
        piles={
            "rank": Lies("column", "middle", "all", called="pile"),
            "dead": Lies("stack", "beside", "all", called="general pile"),
        },
    ),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
