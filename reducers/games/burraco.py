"""Burraco: partners lay down sets and runs that are theirs in common; seven cards make a burraco, and nobody
closes without one, nor before the side has had its pozzetto."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from events.cards import how_many, squeeze
from events.model import Call, Cards, Deal, Discard, Draw, Event, Fault, Gap, Meld, Move, Show
from events.model import Tally as TallyEvent
from reducers.evolve import on_tally as common_tally
from reducers.evolve import pile_named
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, Cell, CheckResult, DealSpec, Game, Dealing, Omissions, Shorthand, Display,
    Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, add_points,
    as_many_as_dealt, broken, changing, counts_nothing, deals_next, face_down, figures, finish_hand, grows, hand_of,
    hand_score, on_move, on_show, or_said, apply_reported_facts, pack, partnerships, pretty, pretty_all,
    ensure_dealt, rule, shuffle_and_deal, side_named, summary_of, turned_up, unasked, unknown,
    HouseRules, highest_at_target, in_play, lose_track, missing_facts, yes_or_no_each,
)  # fmt: skip
from reducers.page import side as a_side
from reducers.piles import OfPile
from reducers.table import Pile
from reducers.words.deals import take_as_it_lies
from reducers.words.layouts import codes_of_group
from reducers.words.melds import UNCOUNTED, written_cards_in
from reducers.words.rummy import (
    cards_laid, cards_lying, first_turn, judge_faults, meld_owner, not_the_turn, one_card, shows_the_rest,
    still_to_show, top_code, try_discards, try_show_hand, without_cards,
)  # fmt: skip
from reducers.words.sheets import hand_parts
from reducers.words.tallies import last_values, no_more_in_all
from reducers.words.whole_pile import (
    PileDraws, draw_one_or_the_pile, draw_unwritten, draws_one_or_the_pile, drew_the_pile, go_on_after_all, left_over,
    may_play_on,
)  # fmt: skip
from reducers.words.wild_cards import Group, WildMelds

# Setup: two packs with their jokers; eleven cards each, two pozzetti of eleven, one card turned up
SEATS = partnerships()
PACK = pack(copies=2, jokers=4)
POZZETTI = ("pozzetto:1", "pozzetto:2")
DEAL = DealSpec(each=11, then=(face_down(11, *POZZETTI), turned_up("discard")), rest="stock")
UNSEEN = PACK.unknown

# Card values
WORTH = {"Jo": 30, "2": 20, "A": 15, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}
BURRACOS = {"clean": 200, "semi-clean": 150, "dirty": 100}
CLOSING, NO_POZZETTO = 100, -100

# Melding: a set may have the same card twice
WILD_MELDS = WildMelds(PACK, WORTH)
MELDS, lie, is_meld, rank_of_set = WILD_MELDS.melds, WILD_MELDS.lie, WILD_MELDS.is_meld, WILD_MELDS.rank_of_set
BURRACO = 7
WILD = PACK.mask_of(lambda card: card[0] == "2" or card == "Jo")

# Ending the hand
LAST_CARDS, STALEMATE = 2, 4


class Options(HouseRules, frozen=True):
    """House rules of Burraco."""

    target: Annotated[int, Meta(ge=1, le=99999, description="the match ends when a side has more than this")] = 2000
    target_is_enough: Annotated[
        bool, Meta(description="the match ends with the target itself, not only beyond it")
    ] = False
    one_card_pile_rule: Annotated[
        bool, Meta(description="a card taken as the only one of the pile is not thrown back in the same turn")
    ] = True
    semi_clean: Annotated[
        bool, Meta(description="a burraco with a wild card beside seven natural ones in a row scores 150")
    ] = False


SETUP, TURNS, MELDING, WILD_CARDS = "Setup", "Game play", "Melding", "Wild cards"
POZZETTO, ENDING = "Taking a pozzetto", "Ending the hand"
RULES = Catalogue(
    "burraco",
    rule("R1", TURNS, DUTY, "The player left of the dealer begins and the turn goes round; it begins with the top card "
         "of the stock, or with all of the discard pile.", "draw first"),
    rule("R2", TURNS, DUTY, "Whoever takes a pile of a single card does not throw that card back in the same turn; its "
         "twin may be thrown.", "no throwing back"),
    rule("R3", TURNS, DUTY, "A turn ends with one discard from the hand.", "discard one"),
    rule("R4", MELDING, DUTY, "A set is three or more cards of one rank; twos and jokers make none.", "set"),
    rule("R5", MELDING, DUTY, "A run is three or more cards of one suit that follow each other.", "run"),
    rule("R6", MELDING, DUTY, "An ace stands at the low or at the high end of a run, and a run has one ace at most.",
         "one ace"),
    rule("R7", MELDING, DUTY, "A side has one set of each rank.", "one set a rank"),
    rule("R8", MELDING, DUTY, "Melds stay as they are laid: two are never joined, and none is divided or taken up "
         "again.", "no joining"),
    rule("R9", WILD_CARDS, DUTY, "A meld has one wild card at most, a joker or a two; a two in its own place in a run "
         "is not wild.", "one wild card"),
    rule("R10", WILD_CARDS, CONSEQUENCE, "The wild card of a run fills the gap if there is one, and is at the low end "
         "if there is none.", "place of the wild card"),
    rule("R11", WILD_CARDS, RIGHT, "A two in its own place may become the wild card of its run, if the run has no "
         "other.", "the two turns wild"),
    rule("R12", WILD_CARDS, DUTY, "A natural card may take the place a wild card holds for it; another wild card may "
         "not.", "wild for wild"),
    rule("R13", MELDING, DUTY, "Cards are added only to melds of the player's own side, whichever partner laid them.",
         "own melds"),
    rule("R14", POZZETTO, DUTY, "The first of a side to run out of cards takes one pozzetto, all of it: at once "
         "within a turn, or at the player's next turn after a discard.", "pozzetto"),
    rule("R15", POZZETTO, DUTY, "Once a side has had its pozzetto, no player of it may lay down so much that the turn "
         "can no longer end correctly.", "keep a card"),
    rule("R16", ENDING, DUTY, "To close, a side has had its pozzetto and has a burraco, and the last card thrown is "
         "not a wild card.", "closing"),
    rule("R17", ENDING, CONSEQUENCE, "The turn in which the stock comes down to two cards is the last.", "stock out"),
    rule("R18", ENDING, CONSEQUENCE, "Four turns in a row that only take the one card thrown before and throw another "
         "end the hand.", "stalemate"),
    rule("R19", SETUP, DUTY, "Each player is dealt eleven cards, and so is each pozzetto; one card is turned up beside "
         "the stock.", "the deal", {Deal: as_many_as_dealt}),
)  # fmt: skip

READINGS = {
    "Melds of one rank only, as the object says": "runs count too, and so does any meld of seven",
    "The target": "more than 2,000 ends the match; option target_is_enough",
    "The example 2-3-4 of hearts with a joker behind": "shows the count only; the joker is at the low end, as the ace",
    "Low end of a run that begins with the ace": "no card is below it, so the wild card is above the top card; a "
    "run of all thirteen takes none",
    "A two of the suit that moves to the low end beside its three": "is in its own place again and no longer wild; the "
    "run may become clean",
    "The two itself added to a run whose wild card is in its place": "allowed; the wild card moves one lower",
    "Wild cards in sets": "one at most; it stays what it is, and natural cards are simply added",
    "Two aces": "the limit is for runs; sets of aces are allowed",
    "A wild card laid at the wrong end": "is put right, not refused: the table shows it in its place; only a recorded "
    "place is found wrong",
    "A wild card that fills a gap": "does not leave it to open another; it moves when its own card comes, or when it "
    "was free at an end",
    "Several cards added at once": "are judged as if they came one by one, in the order that suits the player",
    "The card taken from a pile of one": "with two equal cards in the turn either may be thrown; the pozzetto may "
    "supply the twin, and any joker is the twin of a joker",
    "A single card left that may not be thrown": "the meld that leaves it is the breach, as the turn can no longer "
    "end correctly",
    "The last card is wild": "it may be thrown as the way to the pozzetto, not to close",
    "A pozzetto that is still face down": "has been taken: the partner may close, and it counts as its player's "
    "cards, also after the last discard of the hand",
    "Closing with the pozzetto taken in the same turn": "allowed",
    "All cards melded after the pozzetto": "broken, and counts as closed as it was played, until it is ruled on or "
    "takes a card back",
    "Stalemate": "a turn with a meld breaks the series; the card turned up at the deal was no player's discard",
    "The draw that leaves two cards": "its turn is played out, and may still close with the bonus",
    "Clean or dirty": "judged at the end; a clean burraco may be dirtied later",
    "An invalid meld": "counts as laid; with a wild card in it seven cards are dirty",
    "Level above the target": "another hand is played",
    "Next dealer": "to the left; after a misdeal the same dealer deals again",
    "Semi-clean burraco": "not in the text; option semi_clean",
    "Irregularities": "the text has no penalties: what was played counts as played, until it is ruled on",
    "A draw that is not in the record": "was from the stock, unseen, and was not recorded; the same goes for taking "
    "up the pozzetto",
    "A record that writes draws from the stock as a rule, and misses one": "that one may have been the pile: what the "
    "pile has, and whether the stock is out, is open",
    "Counts after a discard that is not in the record": "it may have been made; findings that depend on the number of "
    "cards are open",
    "A hand that goes on after it seems to have ended": "goes on, if an unrecorded draw may be the reason",
    "A pozzetto drawn face down after the last discard": "is taken, and stays face down until the next own turn",
    "Hands shown after a discard of a player with uncounted cards": "the player who threw that card closed",
    "Which acts are listed as legal": "melds of three cards and single cards added; longer melds are several of these "
    "in one",
    "A tally beside the cards": "the reported facts count, and the sheet notes where the cards differ",
    "A hand broken off": "counts as it stands; misdeal and void do not count",
}


class Hand(PileDraws):
    """The record of one hand of Burraco.

    `player`: the seat whose turn it is (empty after a gap). `thrown`: the last seat to discard. `laid`: the cards laid
    in this turn, by meld. `idle`: the turn only took the one card discarded before; `series`: number of such turns in a
    row. `last`: what a discard that is taken back brings back. `taken`: the seat that took the pozzetto of a side, but
    for those that `perhaps` had none yet. `waiting`: the pozzetto that a seat has still to take up. `ending`: closed,
    stock or stalemate. `by`: the seat that closed. `turned`: the events that made a natural two wild.
    """

    def __init__(self, first: str) -> None:
        super().__init__()
        self.thrown, self.series = "", 0
        self.begin_turn(first)
        self.last: tuple[int | None, dict[str, int], bool, int] = (None, {}, False, 0)
        self.melds: dict[str, int] = {}
        # The last meld that was asked about, its position, and its groups.
        self.asked: tuple[Meld | None, int, tuple[Group, ...]] = (None, 0, ())
        self.ending, self.by, self.news, self.gap = "", "", "", False
        self.shown: tuple[str, ...] = ()
        self.turned: set[int] = set()
        self.lose_pozzetti()

    def begin_turn(self, seat: str) -> None:
        """Begin the turn of this player."""
        self.player, self.drawn, self.idle, self.lone = seat, False, False, None
        self.laid: dict[str, int] = {}

    def lose_pozzetti(self) -> None:
        """Forget who has had a pozzetto."""
        self.waiting: dict[str, str] = {}
        self.taken: dict[str, str] = {}
        self.perhaps: set[str] = set()


# Setup
def begun(seat: str, state: State[Hand]) -> None:
    """Make sure that the hand is in play before an act; it may have seemed to be over."""
    state.hand.news = ""
    if state.hand.ending and go_on_after_all(seat, state):
        state.phase, state.turn = "draw", (seat,)


# Game play
TURN = (Draw, Meld, Discard)


@RULES.check("R1", *TURN)
def play_in_turn(act: Draw | Meld | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if act.by == hand.player or not hand.player or hand.drawn or hand.ending or from_pozzetto(act):
        return None
    return not_the_turn(bool(hand.thrown), state)


@RULES.check("R1", Draw)
def draw_the_top_card_or_the_pile(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending or from_pozzetto(draw):
        return None
    if hand.drawn and draw.by == hand.player:
        done = "laid down cards" if hand.laid else "drawn"
        return broken(f"{draw.by} has {done} already, and the turn begins with one draw")
    return draws_one_or_the_pile(draw, state)


@RULES.check("R1", Meld)
def melds_come_from_the_hand(meld: Meld, state: State[Hand]) -> CheckResult | None:
    right = not from_elsewhere(meld) or meld.src.startswith("meld:")
    return None if right else broken("cards are taken into the hand first")


def from_elsewhere(act: Meld | Discard) -> bool:
    """Return True if the cards laid or discarded are not from the hand."""
    return bool(act.src) and act.src != hand_of(act.by)


@RULES.check("R2", Discard)
def the_single_card_is_not_thrown_back(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.lone is None or discard.by != hand.player or hand.ending or not state.terms.options.one_card_pile_rule:
        return None
    code = state.code(discard.cards)
    if hand.lone >= UNSEEN or code >= UNSEEN:
        return unknown("whether it is the card that was taken")
    if code != hand.lone:
        return None
    text = f"{discard.by} took {PACK.shown(code)} alone from the pile and has no other"
    return twin_needed(discard.by, code, state, text)


def twin_needed(seat: str, lone: int, state: State[Hand], text: str) -> CheckResult | None:
    """The verdict on discarding the card taken alone: legal if there is a copy of it in the turn, held or laid."""
    low, high = state.holding(seat).how_many(PACK.field[lone])
    laid = sum(PACK.count(bag & PACK.field[lone]) for bag in state.hand.laid.values())
    if low + laid > 1:
        return None
    if high + laid < 2 and seat not in state.hand.waiting:
        return broken(text)
    return unknown(f"whether {seat} had another {PACK.shown(lone)}")


@RULES.check("R2", Meld)
def the_single_card_is_not_all_that_is_left(meld: Meld, state: State[Hand]) -> CheckResult | None:
    """The card taken alone cannot be discarded; if it fits no meld either, the turn cannot end."""
    hand, lone = state.hand, state.hand.lone
    if lone is None or lone >= UNSEEN or meld.by != hand.player or not state.terms.options.one_card_pile_rule:
        return None
    if left_between(meld, state) != (1, 1):
        return None
    down = codes_of_group(put_down(meld, state), PACK)
    if kept_card(meld, state) != PACK.unit[lone] or lone in down:
        return None
    if any(c >= UNSEEN and PACK.may_be[c] & PACK.field[lone] for c in down):
        return unknown(f"whether {PACK.shown(lone)} was laid: a card was not seen")
    others = () if state.terms.side_of[meld.by] in hand.taken else melds_after(meld, state)
    if any(is_meld((*group, PACK.faces[lone])) is not False for group in others):
        return None
    text = f"all that is left is {PACK.shown(lone)}, taken alone from the pile, which may not be thrown"
    return twin_needed(meld.by, lone, state, text)


@RULES.check("R3", Discard)
def discard_one_card(discard: Discard, state: State[Hand]) -> CheckResult | None:
    one = one_card(put_down(discard, state), "discarded")
    return one or (broken("a discard comes from the hand") if from_elsewhere(discard) else None)


@RULES.check("R3", *TURN)
def a_turn_ends_with_a_discard(act: Draw | Meld | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if act.by == hand.player or not hand.drawn or hand.ending or from_pozzetto(act):
        return None
    return broken(f"{hand.player} has drawn and not discarded yet")


def take_turn(seat: str, state: State[Hand]) -> None:
    """Give the turn to the seat that acts, even out of turn; a discard of the player before may then be missing. A
    pozzetto that waits for the player is taken up first."""
    hand = state.hand
    if hand.player != seat:
        if hand.drawn and hand.player:
            hand.fewer[hand.player] = hand.fewer.get(hand.player, 0) + 1
            hand.loose = True
        hand.begin_turn(seat)
    if seat in hand.waiting:
        state.infer(f"{seat} took up the {take_up(seat, state)} cards of the pozzetto (not recorded)")


def draw_if_nobody_wrote_it(seat: str, state: State[Hand]) -> None:
    """Infer a draw before cards are laid or discarded, if none was recorded."""
    take_turn(seat, state)
    if not state.hand.drawn:
        draw_unwritten(seat, state)
        last_turn(state)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    begun(draw.by, state)
    hand, seat = state.hand, draw.by
    if from_pozzetto(draw):
        if stays_face_down(draw, state):
            hand.waiting[seat] = taken_of(hand.waiting[seat], draw.src, state)
        else:
            take_up(seat, state, draw)
        return
    if not hand.ending:
        take_turn(seat, state)
    src = draw_one_or_the_pile(draw, state)
    if hand.ending:
        return
    if src.name == "discard":
        hand.idle = hand.lone is not None and bool(hand.thrown) and state.terms.left(hand.thrown) == seat
    elif src.name == "stock":
        last_turn(state)
    hand.drawn, state.phase, state.turn = True, "turn", (seat,)


def last_turn(state: State[Hand]) -> None:
    stock = state.table.row("stock")
    if len(stock) == LAST_CARDS and not stock.vague:
        state.hand.news = "two cards left in the stock: the last turn"


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Apply a discard, which ends the turn; the player may go to the pozzetto, or close."""
    begun(discard.by, state)
    hand, table, seat = state.hand, state.table, discard.by
    if not hand.ending:
        draw_if_nobody_wrote_it(seat, state)
    src = pile_named(state, discard.src or seat)
    codes = table.codes(discard.cards, src)
    drew_the_pile(codes, src, seat, state)
    table.move(codes, src, table.row("discard"))
    if hand.ending:
        return
    hand.last = (hand.lone, hand.laid, hand.idle, hand.series)
    hand.series = hand.series + 1 if hand.idle else 0
    hand.thrown, hand.drawn, hand.lone, hand.laid, hand.idle = seat, False, None, {}, False
    stock = table.row("stock")
    if state.holding(seat).empty and not goes_to_pozzetto(seat, state):
        end("closed", seat, state)
    elif len(stock) <= LAST_CARDS and not stock.vague:
        end("stock", "", state)
    elif hand.series == STALEMATE:
        end("stalemate", "", state)
    elif hand.gap:
        hand.player, state.phase, state.turn = "", "draw", state.terms.seats
    else:
        hand.player = state.terms.left(seat)
        state.phase, state.turn = "pozzetto" if hand.player in hand.waiting else "draw", (hand.player,)


# Melding
@lru_cache(maxsize=1 << 12)
def faces_of(cards: Cards) -> Cards:
    """Written cards one by one, with `UNCOUNTED` for uncounted ones."""
    uncounted = (UNCOUNTED,) if any(text[:1] == "*" for text in cards) else ()
    return (*(PACK.tokens[c] for c in codes_of_group(cards, PACK)), *uncounted)


def put_down(act: Meld | Discard, state: State[Any]) -> Cards:
    """The cards laid or discarded, one by one."""
    first, *more = cards_laid(act, state)
    return tuple(chain(first, *more)) if more else first


def on_table(state: State[Any], name: str) -> Cards:
    """The cards of a meld on the table."""
    pile = state.table.piles.get(name)
    if pile is None:
        return ()
    return (UNCOUNTED,) if pile.vague and state.hand.gap else written_cards_in(pile)


def laid(meld: Meld, state: State[Hand]) -> tuple[Group, ...]:
    """The groups of a meld, with the cards that were there before; kept, as every rule about the act asks for them."""
    hand = state.hand
    if hand.asked[0] is not meld or hand.asked[1] != state.at:
        # After a gap it is unknown which melds there are, and so which one has that number.
        lying = () if not meld.to else (UNCOUNTED,) if hand.gap else on_table(state, meld.to)
        groups = (put_down(meld, state),) if meld.to else cards_laid(meld, state)
        hand.asked = meld, state.at, tuple([WILD_MELDS.group(lying, faces_of(group)) for group in groups])
    return hand.asked[2]


def melds_of(side: str, state: State[Hand]) -> dict[str, Cards]:
    """The melds of a side: cards by name."""
    start = f"meld:{side}:"
    return {name: on_table(state, name) for name, p in state.table.piles.items() if p.row and name.startswith(start)}


def melds_after(meld: Meld, state: State[Hand]) -> list[Cards]:
    """The melds of the side after this act."""
    before = melds_of(state.terms.side_of[meld.by], state)
    others = [cards for name, cards in before.items() if name != meld.to]
    return [*others, *(group.cards for group in laid(meld, state))]


judge_faults(RULES, laid, {
    "set": ("R4", "is not a set of three or more cards of one rank, with one wild card at most"),
    "run": ("R5", "is neither a set nor a run of one suit"),
    "ace": ("R6", "has an ace that is at neither end, or one too many"),
    "wild": ("R9", "has more than one wild card"),
})  # fmt: skip


@RULES.check("R7", Meld)
def one_set_of_each_rank(meld: Meld, state: State[Hand]) -> CheckResult | None:
    side = state.terms.side_of[meld.by]
    new = [group for group in laid(meld, state) if group.new_set]
    sets = {rank_of_set(cards) for name, cards in melds_of(side, state).items() if name != meld.to} if new else set()
    for group in new:
        if group.new_set in sets:
            return broken(f"{side} has a set of that rank already: {pretty_all(group.more)} goes onto it")
        sets.add(group.new_set)
    return None


@RULES.check("R8", Move, Meld)
def melds_stay_as_they_are(act: Move | Meld, state: State[Hand]) -> CheckResult | None:
    """Only cards of this turn may be taken back, and cards that are no meld."""
    if not act.src.startswith("meld:") or not state.number or state.settled:
        return None
    if isinstance(act, Meld) or act.to != hand_of(act.by):
        return broken("melds are neither joined nor divided")
    lying = on_table(state, act.src)
    fresh = state.hand.laid.get(act.src, 0) if act.by == state.hand.player else 0
    back = codes_of_group(lying if act.cards == ("*",) else act.cards, PACK)
    of_this_turn = all(c >= UNSEEN or back.count(c) <= PACK.count(fresh & PACK.field[c]) for c in back)
    if is_meld(lying) is not True or of_this_turn:
        return None
    return broken(f"the table had {pretty_all(PACK.tokens[c] for c in back)} before this turn")


# Wild cards
@RULES.check("R10", Meld)
def the_wild_card_lies_in_its_place(meld: Meld, state: State[Hand]) -> CheckResult | None:
    """A wild card stands for what follows from the other cards, so a different written value is wrong."""
    if not any("=" in c for group in meld.groups for c in group):
        return None
    written_so = (put_down(meld, state),) if meld.to else cards_laid(meld, state)
    for group, said in zip(laid(meld, state), written_so, strict=True):
        for card, stands, told in WILD_MELDS.told_wrong(group.cards, said):
            what = "is itself there" if stands == card else f"stands for {pretty(stands)}"
            return broken(f"{pretty(card)} {what}, not for {pretty(told)}")
    return None


@RULES.check("R11", Fault)
def a_two_may_turn_wild(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """A two may leave its place and turn wild; a fault that denies it is wrong."""
    if fault.word != "pinella" or not state.number or not state.hand.turned & set(fault.refs):
        return None
    return broken("the run had no other wild card, so its two could become one")


@RULES.check("R12", Meld)
def a_wild_card_is_not_replaced_by_another(meld: Meld, state: State[Hand]) -> CheckResult | None:
    """No second wild card is added that fits only because it sends the first, a two, to its own place."""
    if not meld.to:
        return None
    (group,) = laid(meld, state)
    if is_meld(group.cards) is False or not any(c == "Jo" or c[0] in "?2" for c in group.more):
        return None
    if any("?" in c for c in group.cards):
        return unknown("a card of the meld was not seen")
    new, there = WILD_MELDS.in_place_of_wild(group.lying, group.more)
    return broken(f"{pretty_all(new)} would take the place of {pretty(there)}, which is wild as well") if new else None


@RULES.check("R13", Meld)
def add_to_own_melds(meld: Meld, state: State[Hand]) -> CheckResult | None:
    side = state.terms.side_of[meld.by]
    if not meld.to:
        return None
    if not meld.to.startswith(f"meld:{side}:"):
        return broken(f"{meld.by} adds to melds of {side} only")
    if cards_lying(meld.to, state):
        return None
    if state.hand.gap:
        return unknown("whether there was such a meld: acts are missing from the record")
    return broken("there is no such meld on the table")


def on_meld(meld: Meld, state: State[Hand]) -> None:
    """Lay new melds of a side, numbered in the order laid, or add cards to one; the rules place them in order."""
    begun(meld.by, state)
    table, hand, seat = state.table, state.hand, meld.by
    hand.asked, side = (None, 0, ()), state.terms.side_of[seat]
    if not hand.ending:
        draw_if_nobody_wrote_it(seat, state)
        hand.idle, state.phase, state.turn = False, "turn", (seat,)
    src = pile_named(state, meld.src or seat)
    for group in meld.groups:
        if not meld.to:
            hand.melds[side] = hand.melds.get(side, 0) + 1
        pile = pile_named(state, meld.to or f"meld:{side}:{hand.melds[side]}")
        if meld.to and hand.gap:
            another_perhaps(pile, group, side, state)
        before, codes = len(pile), table.codes(group, src)
        drew_the_pile(codes, src, seat, state)
        table.move(codes, src, pile)
        lies = pile.codes()
        # The difference to the cards before; an impossible card came as an unseen one.
        hand.laid[pile.name] = hand.laid.get(pile.name, 0) + sum([PACK.unit[c] for c in lies[before:] if c < UNSEEN])
        if pile.row is not None and meld_owner(pile.name):
            # Cards laid on another pile are no meld, and stay in the order given.
            put_in_order(pile, [PACK.tokens[c] for c in lies], before, state)
    if not hand.ending and state.holding(seat).empty:
        if goes_to_pozzetto(seat, state):
            state.phase = "pozzetto"
        else:
            end("closed", seat, state)


def another_perhaps(pile: Pile, group: Cards, side: str, state: State[Hand]) -> None:
    """Correct melds after a gap: unrecorded melds have numbers too, so one that would be no meld was another one."""
    hand, number = state.hand, pile.name.rpartition(":")[2]
    if is_meld((*on_table(state, pile.name), *faces_of(group))) is not True:
        pile.vague = True
    if pile.name.startswith(f"meld:{side}:") and number.isdigit():
        hand.melds[side] = max(hand.melds.get(side, 0), int(number))


def put_in_order(pile: Pile, cards: list[str], old: int, state: State[Hand]) -> None:
    """Put the cards of a meld in order from its low end; the first `old` cards were there before."""
    found = lie(cards) if "??" not in cards else None
    if found is not None:
        pile.row = [PACK.code[c] for c in found.order]
        # A two that was there before is now the wild card: it turned wild. A second copy may just have been added.
        if found.wild[:1] == "2" and found.wild in cards[:old] and cards.count(found.wild) == 1:
            was = lie(cards[:old])
            if was is not None and not was.wild and not pile.vague:
                state.hand.turned.add(state.at)
    if old < BURRACO <= len(cards):
        kind = "" if found is None else "dirty " if found.wild else "clean "
        state.hand.news = f"a {kind}burraco for {meld_owner(pile.name)}"


# Taking a pozzetto
def from_pozzetto(act: Event) -> bool:
    return isinstance(act, Draw) and act.src.startswith("pozzetto")


def stays_face_down(draw: Draw, state: State[Hand]) -> bool:
    """Return True if a player takes the pozzetto without looking: after a discard, before the next own turn."""
    return draw.face == "down" and draw.by in state.hand.waiting and draw.by != state.hand.player


def free_pozzetti(state: State[Hand]) -> list[str]:
    """The pozzetti that lie there and wait for no player."""
    return [name for name in POZZETTI if cards_lying(name, state) and name not in state.hand.waiting.values()]


def taken_of(name: str, asked: str, state: State[Hand]) -> str:
    """The pozzetto that was taken: the one asked for, unless it waits for a player, as they are alike until seen."""
    return asked if asked != name and asked in free_pozzetti(state) else name


def goes_to_pozzetto(seat: str, state: State[Hand]) -> bool:
    """Give a player without cards the side's pozzetto, to take up now or at the next turn. False if none is left."""
    hand, side, free = state.hand, state.terms.side_of[seat], free_pozzetti(state)
    if side in hand.taken or not free:
        return False
    hand.taken[side], hand.waiting[seat] = seat, max(free, key=lambda name: len(cards_lying(name, state)))
    if hand.more.get(seat):
        hand.perhaps.add(side)
    hand.news = f"{seat} goes to the pozzetto"
    return True


def take_up(seat: str, state: State[Hand], draw: Draw | None = None) -> int:
    """Move the pozzetto into the hand, whole or as written; return the number of cards."""
    hand, table, sides = state.hand, state.table, state.terms.side_of
    name = hand.waiting.pop(seat, "")
    asked = draw.src if draw is not None else name
    name = name and taken_of(name, asked, state)
    name = name or next((pozzetto for pozzetto in (asked, *POZZETTI) if cards_lying(pozzetto, state)), asked)
    pile = pile_named(state, name)
    codes = table.codes(("*",) if draw is None else draw.cards, pile)
    take_as_it_lies(codes, pile, state.holding(seat), table)
    if not len(pile):
        # If the partner took it instead, the player need not wait any more. If an opponent took it, who had come to one
        # unseen, the other one waits.
        foes = (other for other, p in hand.waiting.items() if p == name and sides[other] != sides[seat])
        mine = dict.fromkeys(foes, next(iter(free_pozzetti(state)), ""))
        hand.waiting = {other: p for other, p in {**hand.waiting, **mine}.items() if p not in (name, "")}
    if draw is not None:
        held, fewer = state.holding(seat), hand.fewer.pop(seat, 0)
        if fewer and len(held) > len(codes):
            # A player who takes the pozzetto has no card left: an unrecorded discard was made.
            table.lose_sight(held)
            state.infer(f"{seat} had no card left, as the pozzetto was taken: a discard before this was not recorded")
        hand.more.pop(seat, None)
        hand.perhaps.discard(sides[seat])
        hand.taken.setdefault(sides[seat], seat)
        hand.idle = False
        if not hand.ending and seat == hand.player:
            state.phase, state.turn = "turn" if hand.drawn else "draw", (seat,)
    return len(codes)


@RULES.check("R14", Draw)
def take_the_pozzetto_when_out_of_cards(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, seat = state.hand, draw.by
    if not from_pozzetto(draw) or hand.ending:
        return None
    name, side = hand.waiting.get(seat), state.terms.side_of[seat]
    if name is None:
        taker = hand.taken.get(side)
        if taker and side in hand.perhaps:
            return unknown(f"whether {taker} took the pozzetto before: an unrecorded draw may have been the pile")
        return broken(f"{side} has had its pozzetto: {taker} took it") if taker else still_holds(seat, state)
    name = taken_of(name, draw.src, state)
    if seat != hand.player and hand.player and not stays_face_down(draw, state):
        return broken("after a discard the pozzetto stays face down until the next own turn")
    number, size, lies = how_many(draw.cards), len(cards_lying(name, state)), state.table.piles.get(name)
    if number != size and lies is not None and lies.vague:
        return unknown("how many cards the pozzetto had")
    return None if number in (None, size) else broken(f"the pozzetto is taken whole: {size} cards, not {number}")


def still_holds(seat: str, state: State[Hand]) -> CheckResult:
    """The verdict on a player who should have no card, and has or may have some."""
    pile = state.holding(seat)
    if pile.vague or len(pile) <= state.hand.fewer.get(seat, 0):
        return unknown(f"whether {seat} had a card left")
    return broken(f"{seat} still holds {len(pile)} card{'s' * (len(pile) != 1)}")


def left_between(act: Meld | Discard, state: State[Hand]) -> tuple[int, int | None]:
    """Least and greatest number of cards the player has left; None for the greatest if uncounted."""
    seat, gone = act.by, how_many(put_down(act, state))
    if state.holding(seat).vague or gone is None or not state.acts or from_elsewhere(act):
        return 0, None
    return left_over(seat, gone - len(cards_lying(state.hand.waiting.get(seat, ""), state)), state)


def kept_card(meld: Meld, state: State[Hand]) -> int:
    """The card (a bag) that is left after a meld that leaves one; 0 if unknown."""
    pile = state.holding(meld.by)
    rest = pile.certain
    for code in codes_of_group(put_down(meld, state), PACK):
        if code < UNSEEN and rest & PACK.field[code]:
            rest -= PACK.unit[code]
    return rest or pile.stays


def has_burraco(groups: Collection[Cards], gap: bool) -> bool | None:
    """True if there is a meld of seven; None if melds are uncounted, or there may be others."""
    if any(len(group) - (UNCOUNTED in group) >= BURRACO for group in groups):
        return True
    return None if gap or any(UNCOUNTED in group for group in groups) else False


@RULES.check("R15", Meld)
def keep_a_card_to_throw(meld: Meld, state: State[Hand]) -> CheckResult | None:
    hand, side = state.hand, state.terms.side_of[meld.by]
    if hand.ending or (side not in hand.taken and not hand.gap):
        return None
    low, high = left_between(meld, state)
    if low > 1 or from_elsewhere(meld):
        return None
    if high is None or (high > low and high > 0):
        return unknown(f"how many cards {meld.by} had")
    if high < 1:
        return broken(f"{side} has had its pozzetto, and {meld.by} keeps no card to throw")
    burraco = has_burraco(melds_after(meld, state), hand.gap)
    if not burraco:
        text = f"{meld.by} keeps one card and cannot close with it: {side} has no burraco"
        return unknown(f"whether {side} has a burraco") if burraco is None else broken(text)
    kept, pile = kept_card(meld, state), state.holding(meld.by)
    if kept:
        text = f"the one card that {meld.by} keeps is wild and cannot be the last"
        return broken(text, kept, meld.by) if kept & WILD else None
    down = codes_of_group(put_down(meld, state), PACK)
    most = pile.how_many(WILD)[1] - sum(bool(PACK.unit[c] & WILD) for c in down if c < UNSEEN)
    return unknown(f"whether the card that {meld.by} keeps is wild") if most > 0 or not hand.drawn else None


# Ending the hand
@RULES.check("R16", Discard)
def close_with_pozzetto_and_burraco(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand, side = state.hand, state.terms.side_of[discard.by]
    if hand.ending or (side not in hand.taken and not hand.gap):
        return None
    low, left = left_between(discard, state)
    code = state.code(discard.cards)
    if low > 0 or from_elsewhere(discard):
        return None
    burraco = has_burraco(melds_of(side, state).values(), hand.gap)
    wild = None if code >= UNSEEN else bool(PACK.unit[code] & WILD)
    if burraco and wild is False:
        return None
    if left is None or left > 0:
        return unknown(f"whether that was the last card of {discard.by}")
    if burraco is False:
        return broken(f"{discard.by} closes, and {side} has no burraco")
    if burraco is None and not wild:
        return unknown(f"whether {side} has a burraco")
    if wild:
        return broken(f"{discard.by} closes with {PACK.shown(code)}, a wild card")
    return unknown("whether the last card was wild")


@RULES.check("R16", Call)
def closing_is_said_when_it_may_be(call: Call, state: State[Hand]) -> CheckResult | None:
    hand, side = state.hand, state.terms.side_of[call.by]
    if call.word != "close" or (hand.ending and call.by == hand.by):
        return None
    pile = state.holding(call.by)
    if hand.ending:
        return broken("the hand was over before that")
    if pile.vague or len(pile):
        return still_holds(call.by, state)
    return broken(f"{side} has not had its pozzetto before") if call.by in hand.waiting else None


@RULES.check("R16", TallyEvent)
def closing_is_told_as_it_was(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    if not state.number or state.settled or not state.hand.ending or "closed" not in event.facts:
        return None
    by = state.hand.by
    right = side_named(event.facts["closed"], state.terms) == (state.terms.side_of[by] if by else "")
    return None if right else broken(f"{by} closed" if by else "no player closed")


@RULES.check("R16", TallyEvent)
def closing_is_told_of_a_side_that_might(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """A side that closes has had its pozzetto and has a burraco; for hands that only a tally reports."""
    side, told = side_named(event.facts.get("closed"), state.terms), last_values([event.facts], state)
    if not side or (state.acts and not state.settled):
        return None
    if told.get(f"pozzetto.{side}") is False:
        return broken(f"{side} closed, and never had its pozzetto")
    without = [told.get(f"{kind}.{side}", kind != "semi") for kind in KINDS] == [0, 0, 0]
    return broken(f"{side} closed, and has no burraco") if without else None


def nothing_after(ending: str, text: str, act: Event, state: State[Hand]) -> CheckResult | None:
    """There is no draw, meld or discard after the hand has ended in this way."""
    hand = state.hand
    if hand.ending:
        return broken(text.format(hand.by)) if hand.ending == ending and not may_play_on(act.by, state) else None
    if ending != "closed" or hand.drawn or act.by == hand.thrown or not may_have_closed(hand.thrown, state):
        return None
    return unknown(f"whether {hand.thrown} has closed: its cards were not counted")


for ends_by, how_it_ended, the_end_in_words in (
    ("R16", "closed", "{} has closed: the hand is over"),
    ("R17", "stock", "two cards were left in the stock, and that turn is over: so is the hand"),
    ("R18", "stalemate", "four turns only took the one card thrown before: the hand is over"),
):
    RULES.check(ends_by, *TURN)(partial(nothing_after, how_it_ended, the_end_in_words))


def on_call(call: Call, state: State[Hand]) -> None:
    """Apply a call: a player declares the hand closed, and the table accepts it."""
    state.hand.news = ""
    if call.word == "close" and not state.hand.ending:
        if call.by in state.hand.waiting:
            del state.hand.waiting[call.by], state.hand.taken[state.terms.side_of[call.by]]
        end("closed", call.by, state)


def end(ending: str, seat: str, state: State[Hand]) -> None:
    """End the play. An unseen pozzetto counts as a hand, and players show their cards."""
    hand = state.hand
    hand.ending, hand.by = ending, seat
    for holder in list(hand.waiting):
        take_up(holder, state)
    hand.news = f"{seat} closes" if seat else {"stock": "the stock is out", "stalemate": "a stalemate"}[ending]
    state.phase = "count"
    hand.shown = without_cards(state.terms.seats, state)
    still_to_show(state.terms.around(state.terms.left(state.dealer)), state)


def on_showing(show: Show, state: State[Hand]) -> None:
    """Apply a show; at the end of the hand each player shows the cards left."""
    hand = state.hand
    if state.number and not state.settled and show.by in hand.waiting and show.src in ("", hand_of(show.by)):
        shown = f"{show.by} shows the {take_up(show.by, state)} cards of the pozzetto"
        state.infer(f"{shown}: the hand was over before it was taken up")
    on_show(show, state)
    if not state.number or not state.acts:
        return
    hand.news = ""
    others = show.by in state.terms.seats and show.by != hand.thrown
    if others and not hand.ending and not state.settled and may_have_closed(hand.thrown, state):
        state.infer(f"{hand.thrown} closed with the last discard, as the others show what is left")
        end("closed", hand.thrown, state)
    own_cards = show.src in ("", hand_of(show.by)) and (state.settled or hand.ending)
    if own_cards and shows_the_rest(show.by, state.turn, state):
        still_to_show(state.turn, state)


def may_have_closed(seat: str, state: State[Hand]) -> bool:
    """Return True if the last discard may have been the last card of an uncounted hand."""
    if not seat or state.hand.drawn:
        return False
    return state.holding(seat).vague and state.terms.side_of[seat] in state.hand.taken


def on_tally(event: TallyEvent, state: State[Hand]) -> None:
    """Apply a tally; points reported for the cards left stand for a show."""
    common_tally(event, state)
    if state.hand.ending and not state.settled and None not in tally(state).left.values():
        finish_hand(state)


def on_taking_back(move: Move, state: State[Hand]) -> None:
    """Apply cards taken back: it is that player's turn again, without the closing or the pozzetto."""
    hand = state.hand
    on_move(move, state)
    seat = move.to.removeprefix("hand:")
    if not state.number or state.settled or seat != move.by or seat not in state.terms.seats:
        return
    if move.src.startswith("meld:") and hand.player == seat:
        for code in codes_of_group(move.cards, PACK):
            if code < UNSEEN and hand.laid.get(move.src, 0) & PACK.field[code]:
                hand.laid[move.src] -= PACK.unit[code]
    elif move.src != "discard" or seat != hand.thrown or hand.drawn:
        return
    else:
        hand.lone, hand.laid, hand.idle, hand.series = hand.last
    if hand.waiting.pop(seat, ""):
        hand.taken.pop(state.terms.side_of[seat])
    hand.player, hand.thrown, hand.drawn, hand.ending, hand.by = seat, "", True, "", ""
    state.phase, state.turn = "turn", (seat,)


def lose_the_thread(state: State[Hand]) -> None:
    """After a gap holdings, melds, turn and stock are unknown. If play had ended, the next act belongs to another hand,
    unless it shows cards that were left."""
    hand, over = state.hand, bool(state.hand.ending)
    lose_track(state, "" if over else "draw", gap=True, news="")
    if over:
        finish_hand(state)
        state.gap = True
    else:
        hand.begin_turn("")
        hand.lose_draws()
        hand.lose_pozzetti()
        hand.thrown, hand.series = "", 0
        state.table.row("discard").row = []


# Scoring
# The value of all cards, each a multiple of five, and the greatest number of melds of seven.
ALL_CARDS = sum(MELDS.worth[code] * PACK.count(PACK.full & PACK.field[code]) for code in range(PACK.unknown))
MOST_BURRACOS = PACK.size // BURRACO
KINDS = ("clean", "dirty", "semi")


def burracos_are_worth_something(known: Mapping[str, Any], state: State[Any]) -> str:
    """A law: the seven cards of a burraco are worth at least five each."""
    for side in state.terms.sides:
        burracos, melds = sum(known.get(f"{key}.{side}", 0) for key in KINDS), known.get(f"melds.{side}")
        if melds is not None and melds < burracos * BURRACO * 5:
            return f"{burracos} burraco{'s' * (burracos != 1)} of {side} are worth more than {melds}"
    return ""


class Tally(TallyFacts):
    """What a hand of Burraco is scored from; `closed` is a side, empty if none did, None while unknown."""

    melds: Points = grows(figures("what the cards in the melds of a side are worth", 0, ALL_CARDS, step=5))
    left: Points = changing(figures("what both partners have left, an unseen pozzetto with it", 0, ALL_CARDS, step=5))
    clean: Points = changing(figures("clean burracos of a side", 0, MOST_BURRACOS))
    dirty: Points = changing(figures("dirty burracos of a side", 0, MOST_BURRACOS))
    semi: Points = changing(unasked(figures(
        "semi-clean burracos of a side, if the house counts them", 0, MOST_BURRACOS,
    )))  # fmt: skip
    # Other facts are ruled in points.
    closed: str | None = or_said(
        a_side(
            "the side that closed; - if none did", rule="R16", asks="who closed",
            ruling="the side that counts as having closed",
        ), nobody={"closed": None},
    )  # fmt: skip
    pozzetto: dict[str, bool | None] = changing(
        yes_or_no_each("whether a side had its pozzetto", asks="whether {} had its pozzetto"),
        lambda state, side: not state.hand.ending,
    )

    laws = (
        Law(("melds", "left"), no_more_in_all("melds left", ALL_CARDS, f"all cards are worth {ALL_CARDS}, not {{n}}")),
        Law(("melds", *KINDS), burracos_are_worth_something),
        Law(KINDS, no_more_in_all(
            "clean dirty semi", MOST_BURRACOS, f"there are cards for {MOST_BURRACOS} burracos, not for {{n}}"
        )),
    )  # fmt: skip


WORDS = {
    "close": "said (call close) after the last discard: the hand is closed",
    "pile": "typed for the whole discard pile drawn",
    "pinella": "fault: the table would not let a two turn wild in the event named",
}


def kind_of(cards: Cards, options: Options) -> str | None:
    """The kind of a meld of seven or more: clean, dirty or semi; None if an unseen card decides it.

    >>> kind_of(("Jo", *"3c 4c 5c 6c 7c 8c 9c".split()), Options(semi_clean=True))
    'semi'
    >>> kind_of(("Jo", *"3c 4c 5c 6c 7c 8c".split()), Options())
    'dirty'
    """
    if any("?" in c for c in cards):
        return "dirty" if "Jo" in cards and not options.semi_clean else None
    found = lie(cards)
    if found is None:
        return "dirty" if any(PACK.unit_of[c] & WILD for c in cards) else "clean"
    if not found.wild:
        return "clean"
    in_a_row = max(found.at, len(cards) - found.at - 1) if found.run else len(cards) - 1
    return "semi" if options.semi_clean and in_a_row >= BURRACO else "dirty"


def counted(state: State[Hand]) -> Tally:
    """The tally by the cards on the table."""
    hand, sides, piles = state.hand, state.terms.sides, state.table.piles
    t = Tally()
    t.closed = state.terms.side_of[hand.by] if hand.by else "" if hand.ending else None
    for side, seats in sides.items():
        groups = melds_of(side, state).values()
        kinds = [kind_of(group, state.terms.options) for group in groups if len(group) >= BURRACO]
        seen = not hand.gap and not any("?" in c for group in groups for c in group)
        t.melds[side] = sum(MELDS.worth[PACK.code[card]] for g in groups for card in g) if seen else None
        held = [piles[name] for seat in seats for name in (seat, hand.waiting.get(seat)) if name in piles]
        complete = all(pile.complete for pile in held)
        t.left[side] = sum(MELDS.points(pile.certain) for pile in held) if complete else None
        for kind in KINDS:
            getattr(t, kind)[side] = None if hand.gap or None in kinds else kinds.count(kind)
        # A seat with uncounted cards may have gone to the pozzetto.
        uncounted = hand.gap or any(state.holding(seat).vague for seat in seats)
        t.pozzetto[side] = True if side in hand.taken else None if uncounted else False
    return t


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: by its cards, overruled by a `tally` or a ruling."""
    unknown_of_each = [dict.fromkeys(state.terms.sides) for _ in range(6)]
    t = counted(state) if state.acts else Tally(*unknown_of_each[1:], pozzetto=unknown_of_each[0])
    if not state.acts and not state.terms.options.semi_clean:
        # If the house does not count semi-clean burracos, none are reported.
        t.semi = dict.fromkeys(state.terms.sides, 0)
    if state.stop_reason and not state.hand.ending:
        t.closed = ""
    return apply_reported_facts(t, state)


def score_tally(t: Tally, options: Options) -> tuple[Points, tuple[ScoreLine, ...]]:
    """Points of the hand, and the score lines.

    North and South close with a clean burraco; East and West have a dirty one, and never had their pozzetto:

    >>> t = Tally({"NS": 310, "EW": 150}, {"NS": 25, "EW": 90}, closed="NS", pozzetto={"NS": True, "EW": False},
    ...           clean={"NS": 1, "EW": 0}, dirty={"NS": 0, "EW": 1}, semi={"NS": 0, "EW": 0})
    >>> score_tally(t, Options())[0]
    {'NS': 585, 'EW': 60}
    """
    hands = {s: None if n is None else -n for s, n in t.left.items()}
    lines = [ScoreLine("melds", dict(t.melds), column="cards"), ScoreLine("hands", hands, column="cards")]
    for kind, number in (("clean", t.clean), ("semi-clean", t.semi), ("dirty", t.dirty)):
        if options.semi_clean or kind != "semi-clean":
            worth = BURRACOS[kind]
            sums = {s: f"{n} × {worth} = {n * worth}" for s, n in number.items() if n}
            amounts = {s: None if n is None else n * worth for s, n in number.items()}
            lines.append(ScoreLine(f"{kind} burracos", amounts, sums, "base"))
    closing: Points = {s: None if t.closed is None else CLOSING * (s == t.closed) for s in t.melds}
    without: Points = {s: None if had is None else NO_POZZETTO * (not had) for s, had in t.pozzetto.items()}
    lines += [ScoreLine("closing", closing, column="base"), ScoreLine("no pozzetto", without, column="base")]
    points: Points = dict.fromkeys(t.melds, 0)
    for line in lines:
        points = add_points(points, line.amounts)
    return points, tuple(lines)


def score(state: State[Hand]) -> HandScore:
    hand, name, t = state.hand, state.terms.name, tally(state)
    if nothing := counts_nothing(state, t.void):
        return nothing
    points, lines = score_tally(t, state.terms.options)
    ended = {"stock": "stock out"}.get(hand.ending, hand.ending) or state.stop_reason
    if t.closed:
        ended = f"{name(hand.by or t.closed)} closed"
    burracos = [t.clean, t.dirty, t.semi]
    of_what = {"cards in the melds": [t.melds], "cards left in the hands": [t.left], "burracos": burracos}
    missing = [f"the {what} of {s}" for what, of in of_what.items() for s in t.melds if None in [n.get(s) for n in of]]
    missing += [question for question, _ in missing_facts(state)] if None in points.values() else []
    return hand_score(state, points, lines, contract=ended, notes=notes(state), unknown=missing)


def notes(state: State[Hand]) -> Iterator[str]:
    """Notes for a reader of the sheet: melds that are none but count, and a tally that differs from the cards."""
    t = counted(state) if state.hand.ending and state.tallies else None
    for fact, n in last_values(state.tallies, state).items() if t is not None else ():
        key, _, side = fact.partition(".")
        by_cards = getattr(t, key)[side] if key in ("melds", "left", *KINDS) else None
        if by_cards is not None and n != by_cards:
            yield f"the tally has {n} for {key} of {side}; by the cards it is {by_cards}"
    for side in state.terms.sides if state.acts else ():
        for cards in melds_of(side, state).values():
            if is_meld(cards) is False:
                yield f"{pretty_all(cards)} of {side} is not a meld; it counts as laid"


# The sheet: for each side the base (burracos, closing, pozzetto), the cards, the hand and the running total
def ended(s: HandScore, state: State[Hand]) -> Cell:
    return Cell(s.contract or s.result or "–")


# Names of the score lines on the sheet.
WRITTEN = {"no pozzetto": "pozzetto not taken", "melds": "cards laid", "hands": "left in hand"}


# What may be done now: melds of three and single cards added; longer ones are several of these
def try_drawing(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Draws to try: the top card of the stock, or all of the discard pile."""
    code = top_code("stock", state)
    yield Draw(by=seat, cards=(PACK.tokens[code] if code >= 0 else "??",))
    if cards_lying("discard", state):
        yield Draw(by=seat, cards=squeeze(on_table(state, "discard")), src="discard")


def try_melding(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Melds to try."""
    cards = PACK.cards(state.holding(seat).certain)
    yield from (Meld(by=seat, groups=(three,)) for three in WILD_MELDS.threes(cards))
    for name, lying in melds_of(state.terms.side_of[seat], state).items():
        fits = [card for card in dict.fromkeys(cards) if "?" not in "".join(lying) and lie((*lying, card))]
        yield from (Meld(by=seat, groups=((face,),), to=name) for face in fits)


def try_pozzetto(seat: str, state: State[Hand]) -> Iterator[Draw]:
    """The pozzetto that a player has to take up."""
    if cards_lying(name := state.hand.waiting.get(seat, ""), state):
        yield Draw(by=seat, cards=squeeze(on_table(state, name)), src=name)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The meaning of a short line: the pile by its word, `*` or top card; cards that are no meld go onto own melds."""
    hand, by = state.hand, event.by
    match event:
        case Call(word="pile"):
            return (Draw(by=by, cards=("*",), src="discard"),) if event == Call(by=by, word="pile") else ()
        case Draw(src="pozzetto"):
            return (replace(event, src=hand.waiting.get(by, POZZETTI[0])),)
        case Draw(src="") if not how_many(event.cards) or UNSEEN not in codes_of_group(event.cards, PACK):
            pile = on_table(state, "discard")
            meant = event.cards == ("*",) or event.cards == pile[-1:] or sorted(faces_of(event.cards)) == sorted(pile)
            return (Draw(by=by, cards=("*",), src="discard"),) if meant and not hand.drawn else ()
        case Meld(to="", groups=(group,)) if is_meld(faces_of(group)) is False:
            cards, side = faces_of(group), state.terms.side_of[by]
            fits = [name for name, lying in melds_of(side, state).items() if is_meld((*lying, *cards)) is not False]
            return tuple(replace(event, to=name) for name in fits) or (event,)
        case Meld() if event.to.startswith("hand:") and event.to.split(":")[1] in state.terms.sides:
            return (replace(event, to="meld:" + event.to.removeprefix("hand:")),)
    return (event,)


def unseen_draw(state: State[Hand]) -> Event | None:
    """What a lone `.` means: an unseen card drawn from the stock."""
    return Draw(by=state.turn[0], cards=("??",)) if len(state.turn) == 1 else None


def unseen_pozzetto(state: State[Hand]) -> Event | None:
    """What a lone `.` means: the pozzetto is taken up."""
    draw = next(try_pozzetto(state.turn[0], state), None) if state.turn else None
    return None if draw is None else replace(draw, cards=squeeze(["??"] * len(cards_lying(draw.src, state))))


def headline(state: State[Hand]) -> dict[str, Any]:
    """The height of the stock, the pozzetti taken, and how the hand ended."""
    hand, sides = state.hand, [side for side in state.terms.sides if side in state.hand.taken]
    unseen = {side: " (not looked at)" * (hand.taken[side] in hand.waiting) for side in sides}
    return {
        "stock": len(cards_lying("stock", state)) or None,
        **{f"pozzetto {side}": hand.taken[side] + unseen[side] for side in sides},
        **({hand.ending: hand.by or "no player closed"} if hand.ending else {}),
    }


def of_pile(state: State[Hand], name: str) -> OfPile | None:
    """The kind of burraco of a meld, and what its wild card stands for."""
    if not name.startswith("meld:"):
        return None
    cards = on_table(state, name)
    found = None if any("?" in c for c in cards) else lie(cards)
    wild = ((found.wild, found.stands),) if found is not None and found.wild else ()
    kind = kind_of(cards, state.terms.options) if len(cards) >= BURRACO else None
    return OfPile(f"burraco, {'semi-clean' if kind == 'semi' else kind}" if kind else "", wild)


# Simulation: meld what can be melded, take the pile if it helps, discard single cards
def weigh(state: State[Hand], event: Event) -> float:
    held = state.holding(event.by).certain
    own = melds_of(state.terms.side_of[event.by], state).values()
    if isinstance(event, Draw) and event.src == "discard":
        faces, above = PACK.cards(held), event.cards[-1]
        useful = any(lie((*meld, card)) for card in event.cards for meld in own) or any(
            WILD_MELDS.thirds(one, above) for one in set(faces) - {above} if one[0] == above[0]
        )
        return 2.0 if useful else 0.05
    if isinstance(event, Discard):
        code = state.code(event.cards)
        if code >= UNSEEN or PACK.unit[code] & WILD:
            return 0.01
        if any(lie((*meld, *event.cards)) for meld in own):
            return 0.05
        return 1.0 / (1 + 2 * PACK.count(held & PACK.rank[PACK.rank_of[code]]))
    if isinstance(event, Meld):
        wild = any(c == "Jo" or c[0] == "2" for c in event.groups[0])
        return (1.0 if wild else 20.0) if event.to else (1.5 if wild else 10.0)
    return 1.0


ACTS = (*TURN, Call)
DRAW = ". a card from the stock (it may be left out), pile for the discard pile"
CARDS = "melds (7c7d7h), cards added (m 8c, or meld 8c >NS:2), the discard (9h)"
GAME = Game(
    key="burraco", name="Burraco", family="rummy", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=lambda state: Hand(first_turn("draw", state)),
    phases={
        "draw": Phase(
            "the draw", ACTS, f"{DRAW}; then {CARDS}", default_act=unseen_draw, to_do="draw", tries=(try_drawing,),
        ),
        "turn": Phase("the turn", ACTS, CARDS, to_do="meld or discard", tries=(try_discards, try_melding)),
        "pozzetto": Phase(
            "the pozzetto", ACTS, f". the pozzetto is taken up (it may be left out); then {CARDS}",
            default_act=unseen_pozzetto, to_do="take up the pozzetto", tries=(try_pozzetto,),
        ),
        "count": Phase(
            "the count", ACTS, "each shows what is left (E show 9h9cKd), or a tally (tally left.NS=0 left.EW=85)",
            to_do="show what is left", bare_shows=True, tries=(try_show_hand,),
        ),
    },
    on={
        Draw: on_draw, Discard: on_discard, Meld: on_meld, Call: on_call, Show: on_showing, TallyEvent: on_tally,
        Move: on_taking_back, Gap: in_play(lose_the_thread),
    },
    tally=Tally, compute_tally=tally, score=score,
    after=lambda before, hand, terms: highest_at_target(
        before, hand, terms, terms.options.target + (not terms.options.target_is_enough),
    ),
    sheet=hand_parts(ended, called=WRITTEN, printed=("clean burracos", "dirty burracos", "closing", *WRITTEN)),
    omissions=Omissions(
        always_written={"draws from discard": "to take all of them up was a choice, and nothing else shows it"},
    ),
    shorthand=Shorthand(expand=expand_shorthand, is_one_act=lambda cards: len(cards) >= 3),
    display=Display(
        headline=headline,
        # A burraco, a pozzetto, the last turn, the end of the hand.
        last_outcome_text=lambda state: state.hand.news, of_pile=of_pile,
    ),
    simulation=Simulation(most_acts=2000, weigh=weigh),
)  # fmt: skip
