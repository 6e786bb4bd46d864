"""Pay Me: eleven hands of three to thirteen cards, with other wild cards in each; a player with only melds goes out,
and the others have one last turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import Pack, how_many, one_by_one
from events.model import Call, Deal, Discard, Draw, Event, Fault, Gap, Meld, Move, Show
from events.model import Tally as TallyEvent
from reducers.evolve import is_for_next_hand
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, Cell, CheckResult, DealSpec, Game, Dealing, MatchRules, Shorthand, Display,
    Simulation, HandScore, Joiner, Law, Leaver, ScoreLine, Phase, Points, Sheet, Standing, State, TallyFacts, Terms,
    add_points, as_many_as_dealt, broken, changing, player_columns, counts_nothing, deals_next, figures, hand_of,
    hand_score, of_each_but, apply_reported_facts, pack, pretty_all, rule, seat, singles, summary_of, turned_up,
    unknown, after_gap,
)  # fmt: skip
from reducers.scoring import with_winners
from reducers.piles import OfPile
from reducers.words.card_sums import no_hands_count
from reducers.words.deals import counted_hand, ensure_dealt, unseen_draw
from reducers.words.draw_and_throw import (
    TURNS, DrawAndThrow, deal_or_renew, infer_draw, on_taking_back, stock_is_due, turn_to_the_left,
)  # fmt: skip
from reducers.words.rummy import (
    JudgedGroup, may_be_drawn, cards_lying, try_discards, draws, draws_from_top, groups_of, judge_faults, lay_melds,
    meld_names, not_the_turn, on_table, TURN_UNKNOWN, one_discard, meld_owner, show_cards, try_show_hand,
    shows_the_rest, still_to_show, throw, top_code, without_cards,
)  # fmt: skip
from reducers.words.tallies import in_this_hand, last_values
from reducers.words.wild_ranks import Lying, WildRanks

# Setup: three cards in the first hand, thirteen in the eleventh; the rank of that number is wild, with jokers and twos
PACK = pack(jokers=2)
UNSEEN = PACK.unknown  # the same in all packs, as they have the same faces
HAND_SIZES = tuple(range(3, 14))
DEAL = DealSpec(each=3, by_hand=HAND_SIZES, then=(turned_up("discard"),), rest="stock")
RANKS = "A23456789TJQK"
SHORTEST = 3

# Scoring: aces to sevens five, eights to kings ten, any wild card fifteen
WORTH = tuple(5 if rank in RANKS[:7] else 10 for rank in PACK.rank_of[:UNSEEN])
WILD_WORTH = 15


class Options(Struct, frozen=True):
    """House rules of Pay Me."""

    hands: Annotated[int, Meta(ge=1, le=11, description="hands of a match")] = 11
    ace: Annotated[Literal["low", "both"], Meta(description="below the two in a run, or also above the king")] = "low"
    jokers_per_deck: Annotated[int, Meta(ge=1, le=4, description="jokers in each deck")] = 2
    joiner: Joiner = "nothing"
    leaver: Leaver = "out"


SETUP, TURN, WILD, OUT = "Setup; Play of the hand", "Play of the hand", "Wild cards", "Going out"
RULES = Catalogue(
    "pay-me",
    rule("R1", SETUP, DUTY, "Each player is dealt three cards in the first hand and one more in each after it; the "
         "player left of the dealer begins, and the turn goes round to the left.",
         "deal and turn", {Deal: as_many_as_dealt}),
    rule("R2", TURN, DUTY, "A turn begins with one card drawn, the top one of the stock or of the discards, and ends "
         "with one discard.", "draw, discard", {Draw: draws_from_top}),
    rule("R3", TURN, DUTY, "A set is three or four cards of one rank, each of another suit.", "set"),
    rule("R4", TURN, DUTY, "A run is three or more cards of one suit that follow each other.", "run"),
    rule("R5", WILD, RIGHT, "Jokers, twos and the rank of the number of cards dealt stand for any card; a card of a "
         "wild rank may also stand for itself.", "wild cards"),
    rule("R6", WILD, DUTY, "At most half of the cards of a meld are wild.", "half wild"),
    rule("R7", WILD, DUTY, "No two wild cards lie side by side in a run.", "neighbours"),
    rule("R8", OUT, DUTY, "A player who says Pay me has all cards in melds, or all but one to be "
         "discarded.", "all melds"),
    rule("R9", OUT, DUTY, "After Pay me each of the others has one turn, and draws from the stock.", "one last turn"),
    rule("R10", OUT, DUTY, "Cards are laid off onto the melds of the player who went out, and only to make them "
         "longer.",
         "lay off"),
    rule("R11", OUT, DUTY, "No player takes a wild card out of another's meld in exchange for the card that it stands "
         "for.",
         "no swap"),
    rule("R12", "Setup", CONSEQUENCE, "Two play with one deck and its two jokers, three and four with two, more with "
         "three.", "decks"),
    rule("R13", OUT, CONSEQUENCE, "The cards left in hand count: wild cards fifteen each, kings to eights ten, sevens "
         "to aces five.", "cards left"),
    rule("R14", OUT, CONSEQUENCE, "After eleven hands the lowest score wins.", "the lowest wins"),
)  # fmt: skip

READINGS = {
    "A card of a wild rank in its own place": "is not wild: 2♣ 3♣ 4♣ are three natural cards; outside melds it still "
    "counts fifteen",
    "The ace": "is the lowest card of a run; option ace",
    "Which suit a wild card has": "any that the meld still lacks, so that a set of four is full",
    "Half of three, five or seven cards": "is one, two, three",
    "A discard after Pay me": "is made in the same turn, before or after the word; a player who needs none goes on "
    "without it",
    "When the melds are laid open": "at the end, or with the word: a player who lays melds down in turn goes out with "
    "that",
    "Pay me before a card is drawn": "is not possible; an unrecorded draw is taken as made",
    "The last turn": "draws from the stock and discards; a player with only melds may keep all",
    "Another player with only melds": "has nothing to count, and takes no lay-offs",
    "The order of laying off": "that of the seats from the left of the player who went out; a meld that one has made "
    "longer is longer for the next",
    "What a wild card stands for": "follows from the order laid, or is said (2d=7h), and then does not change",
    "A wild card laid off": "allowed, if it is not too many then",
    "The stock is out": "all discards but the top one are shuffled to form a new stock; if this is not recorded, it "
    "is inferred with the next draw",
    "Pay me with cards in no meld": "the text has no penalty: it counts as it was made, until it is ruled on",
    "What a player could still have laid off": "counts; a remark says so",
    "A card laid off in the last turn itself": "as good as one laid off at the end, as it comes to the same",
    "A card shown by itself that makes an own meld longer": "belongs to it, and counts nothing",
    "Deadwood": "is the least that the cards shown allow beside melds among them and what was laid off",
    "Level after the last hand": "the lowest share the win",
    "Who deals next": "the player to the left; after a misdeal the same dealer deals the same number of cards again",
    "A hand that does not count": "is dealt again: the number of cards stays",
}
WORDS = {
    "payme": "said (call payme): all cards are in melds; the others have one last turn; cards: the one put down",
    "wild": "fault: the table objected to a wild card in a meld",
}


@cache
def pack_for(players: int, jokers: int) -> Pack:
    """The decks for n players, shuffled together into one pack."""
    decks = 1 if players == 2 else 2 if players <= 4 else 3
    return pack(copies=decks, jokers=decks * jokers)


class Hand(DrawAndThrow):
    """State of one hand.

    `wild` is the rank that is wild besides the twos. `by` is the player who said Pay me, and `ending` is set once the
    turn has come back there. `laid` maps the name of each meld to the ways it may be read; `latest` is the name of
    the last one. `left` has, for players who have shown, the cards they held then and those of them in no meld.
    """

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, renewed=True)
        self.wild = wild_in(counted_hand(state))
        self.latest = ""
        self.left: dict[str, tuple[int, int]] = {}
        self.melds: dict[str, int] = {}
        self.laid: dict[str, tuple[tuple[str, ...], ...]] = {}


def wild_in(hand: int) -> str:
    """The rank that is wild in a hand, besides the twos."""
    return RANKS[DEAL.among(0, hand).each - 1]


@cache
def melds_with(cards: Pack, wild: str, ace: str) -> WildRanks:
    """The melds of a hand in which this rank is wild besides the twos."""
    order = "A 2 3 4 5 6 7 8 9 10 J Q K" + (" A" if ace == "both" else "")
    return WildRanks(cards, "2" + wild, WORTH, WILD_WORTH, order)


def rank_in_words(rank: str) -> str:
    return "10" if rank == "T" else rank


def also_wild(state: State[Hand]) -> str:
    """The wild rank as written on the sheet."""
    return f"{rank_in_words(state.hand.wild)} wild"


def melds_of(state: State[Hand]) -> WildRanks:
    """The melds of the hand in play."""
    return melds_with(state.game.pack, state.hand.wild, state.terms.options.ace)


# Play of the hand
@RULES.check("R1", Draw, Discard, Meld, Call)
def play_in_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending or (hand.by and isinstance(act, Meld)) or act.by == hand.player or not hand.player:
        return None
    if (act.by == hand.thrown and not isinstance(act, Draw)) or (isinstance(act, Call) and act.word != "payme"):
        return None  # Pay me after the discard; a second discard breaks R2
    if not next_player_begins(act.by, state):
        return not_the_turn(hand.begun, state)
    pile, melds = state.holding(hand.player), melds_of(state)
    if not pile.complete:
        text = f"whether {hand.player} kept only melds, or a discard is missing from the record"
        return unknown(text, pile)
    return not_the_turn(hand.begun, state) if melds.deadwood(pile.certain) else None


def next_player_begins(who: str, state: State[Hand]) -> bool:
    """True if the next player begins although the last one, after Pay me, has not discarded."""
    hand = state.hand
    return bool(hand.by) and not hand.ending and hand.drawn and who == state.terms.left(hand.player)


@RULES.check("R2", Discard)
def discard_one_card(discard: Discard, state: State[Hand]) -> CheckResult | None:
    return None if state.hand.ending else one_discard(discard, state)


@RULES.check("R2", Show)
def discard_before_showing(show: Show, state: State[Hand]) -> CheckResult | None:
    """A player who shows all remaining cards in the last turn without a discard must have only melds."""
    hand, who, melds = state.hand, show.by, melds_of(state)
    cards = tuple(one_by_one(card for group in show.groups for card in group))
    if who != hand.player or state.phase != "last discard" or len(cards) != len(state.holding(who)):
        return None
    if any(card not in melds.pack for card in cards):
        return unknown(f"whether {who} kept only melds, or a discard is missing from the record")
    left = melds.beside(melds.pack.bag(cards), laid_by(who, state))
    return broken(f"{who} has not discarded, and keeps {melds.points(left)} points outside melds") if left else None


def on_draw(draw: Draw, state: State[Hand]) -> None:
    TURNS[Draw](draw, state)
    last_turns(state)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    TURNS[Discard](discard, state)
    last_turns(state)


def last_turns(state: State[Hand]) -> None:
    """After Pay me the turn goes round until it is back there; a player may end the last turn without a discard."""
    hand = state.hand
    if not hand.by or hand.ending or state.settled:
        return
    if not hand.player and hand.thrown:
        hand.player = state.terms.left(hand.thrown)
    after = state.terms.left(hand.player) if hand.player else ""
    if hand.drawn:
        state.phase, state.turn = "last discard", (hand.player,) if after == hand.by else (hand.player, after)
    elif hand.player == hand.by:
        lay_open(state)
    else:
        state.phase = "last draw"


# Melds, and wild cards in them
def faulty_groups(meld: Meld, state: State[Hand]) -> list[JudgedGroup]:
    """The new melds that are laid and have a fault."""
    melds = melds_of(state)
    groups = () if meld.to else groups_of(meld, melds, state)
    return [JudgedGroup(g, fault, melds.is_meld(g)) for g in groups if (fault := melds.fault(g))]


judge_faults(RULES, faulty_groups, {
    "set": ("R3", "is not three or four cards of one rank in different suits"),
    "run": ("R4", "is neither a run of one suit, three cards or more, nor a set"),
    "half": ("R6", "has more wild cards than others"),
    "neighbours": ("R7", "has two wild cards side by side"),
})  # fmt: skip


@RULES.check("R5", Fault)
def a_wild_card_may_stand_there(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table objected to a wild card in a meld."""
    if fault.word != "wild" or not state.number:
        return None
    lying = state.hand.laid.get(state.hand.latest, ())
    if len(fault.cards) >= SHORTEST and not any("?" in card or "*" in card for card in fault.cards):
        lying = melds_of(state).lies(fault.cards)
    wild = [card for card in (lying[0] if lying else ()) if "=" in card]
    return broken(f"{pretty_all(wild)}: at most half of the meld is wild, and no two side by side") if wild else None


def on_meld(meld: Meld, state: State[Hand]) -> None:
    """Laying melds in turn means going out; a player with no card left has laid open."""
    hand, who, melds = state.hand, meld.by, melds_of(state)
    discarded_before_the_others_lay_open(who, state)
    if not hand.by and not hand.ending and who in (hand.player or who, hand.thrown):
        go_out(who, "melds", state)
    elif hand.by and hand.gap and not hand.player:
        lay_open(state)
    groups = groups_of(meld, melds, state)
    lay_melds(meld, melds, state)
    first = hand.melds.get(who, 0) - len(groups) + 1
    for number, group in enumerate(groups, first):
        name, seen = meld.to or f"meld:{who}:{number}", not any("?" in card.partition("=")[0] for card in group)
        hand.latest = name
        lying = hand.laid.get(name, ())
        hand.laid[name] = () if not seen else (melds.longer(lying, group) or lying) if meld.to else melds.lies(group)
    done_if_empty(who, state)


# Going out
@RULES.check("R8", Call, Meld)
def all_in_melds(act: Call | Meld, state: State[Hand]) -> CheckResult | None:
    hand, who, pile, melds = state.hand, act.by, state.holding(act.by), melds_of(state)
    if hand.by or hand.ending or (isinstance(act, Call) and act.word != "payme"):
        return None
    if isinstance(act, Meld) and who not in (hand.player or who, hand.thrown):
        return None  # that is no way to go out
    in_turn = who == hand.player
    unwritten = in_turn and not hand.drawn
    if pile.complete and not unwritten and melds.can_be_laid(pile.certain, may_discard=in_turn):
        return None
    if pile.vague or pile.hidden > 1 - unwritten:
        return unknown(f"the hand of {who} was not all seen", pile)
    one_unseen = [0]
    if pile.hidden or unwritten:
        # Find out whether any card in place of the unseen one would do.
        one_unseen = [state.game.pack.unit[code] for code in set(state.game.pack.codes(may_be_drawn(state)))]
    least = {melds.least_left(pile.certain + more, may_discard=in_turn) for more in one_unseen}
    if 0 in least or not least:
        return unknown(f"which card {who} has: not seen") if len(least) != 1 else None
    return broken(f"{who} is left with {min(least)} points in no meld", pile.certain, who, together=True)


@RULES.check("R8", Discard, Meld)
def no_card_is_left_over(act: Discard | Meld, state: State[Hand]) -> CheckResult | None:
    """A player who goes out discards the card that is in no meld and lays the others with none left over."""
    if state.hand.by not in ("", act.by):
        return None
    hand, who, melds, pile, pack = state.hand, act.by, melds_of(state), state.holding(act.by), state.game.pack
    throws, to = isinstance(act, Discard), act.to if isinstance(act, Meld) else ""
    in_turn = who == hand.player and hand.drawn and not hand.ending
    goes_out = who == hand.by or (in_turn and not hand.by and not throws)
    if not goes_out or (throws and not in_turn) or meld_owner(to) not in ("", who):
        return None
    groups = (act.cards,) if isinstance(act, Discard) else groups_of(act, melds, state)
    faces = [card.partition("=")[0] for group in groups for card in group]
    before, lying = laid_by(who, state), hand.laid.get(to, ())
    kept = tuple(ways for name, ways in hand.laid.items() if meld_owner(name) == who and name != to)
    to_throw, seen = in_turn and not throws, not any("?" in face or "*" in face for face in faces)

    def left_over(held: int) -> int | None:
        """Points in no meld that the act leaves, if the hand could have been laid without a rest; else None."""
        if not all(face in pack for face in faces) or not pack.contains(held, gone := pack.bag(faces)):
            return None
        rest, after = held - gone, before
        if not melds.deadwood(rest):
            return None
        if isinstance(act, Meld):
            after = (*kept, melds.longer(lying, faces)) if to else (*kept, *map(melds.lies, groups))
        if not all(after) or melds.can_be_laid(rest, after, may_discard=to_throw):
            return None
        if not melds.can_be_laid(held, before, may_discard=in_turn):
            return None  # the call was wrong, not what was done after it
        return melds.least_left(rest, may_discard=to_throw)

    if not pile.complete or not seen:
        all_gone, text = not pile.vague and len(pile) - len(faces) <= to_throw, f"the hand of {who} was not all seen"
        if all_gone:
            return None
        return unknown(text, pile)
    points = left_over(pile.certain)
    if points is None:
        return None
    return broken(f"{who} is left with {points} points in no meld", pile.certain, who, together=True)


def laid_by(who: str, state: State[Hand]) -> Lying:
    """The ways to read each meld of a player."""
    return tuple(ways for name, ways in state.hand.laid.items() if meld_owner(name) == who)


def on_call(call: Call, state: State[Hand]) -> None:
    """Pay me: each of the other players has one more turn."""
    if call.word == "payme" and not state.hand.by and not state.hand.ending:
        go_out(call.by, "call", state)
        if call.cards:
            on_discard(Discard(by=call.by, cards=call.cards), state)


def go_out(who: str, how: str, state: State[Hand]) -> None:
    """Record that a player goes out with only melds, in the turn or right after its discard."""
    hand = state.hand
    if not hand.drawn and who in (hand.player or who,) and who != hand.thrown:
        infer_draw(who, f"before the {how}", state)
    hand.by = who
    last_turns(state)


@RULES.check("R9", Draw, Discard)
def one_last_turn(act: Draw | Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending:
        return broken(f"the turn is back with {hand.by}: the hand is over")
    if isinstance(act, Draw) and act.src == "discard" and hand.by not in ("", act.by):
        return broken(f"{hand.by} has said Pay me: the last card is drawn from the stock")
    return None


def lay_open(state: State[Hand]) -> None:
    """The hands are laid open, first that of the player who went out so that the others can lay off onto it."""
    hand = state.hand
    hand.ending, state.phase = "pay-me", "show"
    hand.shown += without_cards((s for s in state.terms.seats if s not in hand.shown), state)
    show_on(state)


def show_on(state: State[Hand]) -> None:
    """Set the seats that have still to lay open, from the left of the one that went out; end the hand if none."""
    hand = state.hand
    still_to_show((*state.terms.around(state.terms.left(hand.by)),), state)
    if hand.by in state.turn:
        state.turn = (hand.by,)


def done_if_empty(who: str, state: State[Hand]) -> None:
    """A player with no card left has laid open, and ends the last turn with that."""
    hand = state.hand
    if state.settled or not hand.by or not without_cards((who,), state):
        return
    shows_the_rest(who, state.terms.seats, state)
    end_without_discard(who, state)
    if hand.ending and not state.settled:
        show_on(state)


def end_without_discard(who: str, state: State[Hand]) -> None:
    """End a last turn that leaves only melds and needs no discard."""
    if who == state.hand.player and state.hand.drawn and not state.hand.ending:
        state.hand.drawn = False
        turn_to_the_left(who, state)
        last_turns(state)


def on_show(show: Show, state: State[Hand]) -> None:
    """After the last turn all players show what is left."""
    last_turn_unwritten(show, state)
    discarded_before_the_others_lay_open(show.by, state)
    show_cards(show, state)
    hand, who = state.hand, show.by
    if state.number and who in state.terms.seats and state.holding(who).complete:
        held = state.holding(who).certain
        hand.left[who] = held, melds_of(state).beside(held, laid_by(who, state))
    if not state.number or who not in state.terms.seats or show.src not in ("", hand_of(who)) or not hand.by:
        return
    if not state.settled and state.holding(who).complete:
        end_without_discard(who, state)
    if hand.gap and not hand.player and not hand.ending:
        lay_open(state)
    order = state.terms.around(hand.by)
    had_it = who == hand.by or not hand.player or order.index(who) < order.index(hand.player)
    if (hand.ending or had_it) and shows_the_rest(who, state.terms.seats, state) and hand.ending:
        show_on(state)


def last_turn_unwritten(show: Show, state: State[Hand]) -> None:
    """Infer a last turn, or its discard, if a player shows the cards that it would leave."""
    hand, who = state.hand, show.by
    if not state.number or not hand.by or hand.ending or who != hand.player or show.src not in ("", hand_of(who)):
        return
    shown = how_many(tuple(card for group in show.groups for card in group))
    if shown == len(state.holding(who)) - hand.drawn and not state.holding(who).vague:
        if not hand.drawn:
            infer_draw(who, "in the last turn", state)
        throw(Discard(by=who, cards=("??",)), state)
        state.infer(f"{who} discarded a card before the cards were shown (not recorded)")


def discarded_before_the_others_lay_open(who: str, state: State[Hand]) -> None:
    """Infer a discard if the player who went out laid down all but one card and the others go on."""
    hand = state.hand
    if not state.number or not hand.ending or who == hand.by or hand.by in hand.shown or state.settled:
        return
    own = state.holding(hand.by)
    laid = sum(len(state.table.piles[name]) for name in meld_names(state) if meld_owner(name) == hand.by)
    # The wild rank is the number of cards dealt; a draw adds one.
    if not own.vague and own.hidden == len(own) == 1 and laid == RANKS.index(hand.wild) + 1:
        throw(Discard(by=hand.by, cards=("??",)), state)
        state.infer(f"{hand.by} discarded a card and went out (not recorded)")
        done_if_empty(hand.by, state)


# Going out: laying off
@RULES.check("R10", Meld)
def lay_off_onto_whoever_went_out(meld: Meld, state: State[Hand]) -> CheckResult | None:
    if not meld.to:
        return None
    hand, owner, cards = state.hand, meld_owner(meld.to), tuple([card for group in meld.groups for card in group])
    there = on_table(meld.to, state)
    if not there or (owner != meld.by and not hand.by):
        if hand.gap:
            return unknown("whether there was such a meld: acts are missing from the record")
        return broken("no player has gone out" if there else "there is no such meld on the table")
    if owner not in (hand.by, meld.by):
        return broken(f"cards are laid off onto the melds of {hand.by}, who went out")
    lying = hand.laid.get(meld.to, ())
    seen = "".join((*there, *(card.partition("=")[0] for card in cards)))
    if "?" in seen or "*" in seen:
        return unknown("whether the cards fit the meld: not all of them were seen")
    if not lying or melds_of(state).longer(lying, cards):
        return None
    return broken(f"{pretty_all(cards)} cannot be laid off onto {pretty_all(lying[0])}")


@RULES.check("R11", Draw, Move)
def no_card_out_of_a_meld(act: Draw | Move, state: State[Hand]) -> CheckResult | None:
    owner = meld_owner(act.src) if act.src.startswith("meld:") else ""
    if not owner or owner == act.by or act.by not in state.terms.seats:
        return None
    return broken(f"no card is taken out of a meld of {owner}")


def taken_back(move: Move, state: State[Hand]) -> None:
    """A discard that is taken back gives the turn back to that player."""
    on_taking_back(move, state)
    if state.number:
        last_turns(state)


def the_last_draw_goes_on(state: State[Hand]) -> None:
    """A Pay me before a gap still stands."""
    if state.hand.by:
        state.phase = "last draw"


# Scoring
def more_than_was_dealt(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if more cards are reported left than were dealt, or more wild ones than exist, else ""."""
    ahead = is_for_next_hand(state)
    dealt = DEAL.among(0, counted_hand(state) - (state.settled and not ahead)).each
    counts = melds_with(state.game.pack, RANKS[dealt - 1], "low").counts
    return no_hands_count("deadwood", counts, dealt)(known, state)


@RULES.check("R8", TallyEvent)
def nothing_is_left_of_whoever_went_out(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """One player goes out, and then has no card outside melds."""
    known = last_values(in_this_hand(event.facts, state), state)
    said, shown = ("", ()) if is_for_next_hand(state) else (state.hand.by, state.hand.shown)
    out, told = known.get("out", said), {s: known.get(f"deadwood.{s}") for s in state.terms.seats}
    named = "out" in event.facts or said_of(str(out), event.facts)
    if told.get(out) and named and out not in shown:  # with cards that were shown the call itself breaks R8
        return broken(f"{out} went out, and is left with {told[out]} points outside melds")
    if not out and all(told.values()):
        return broken("one player goes out, and is left with no points")
    return None


class Tally(TallyFacts):
    """What a hand is scored from: who went out, and what the others were left with."""

    out: str = seat("who said Pay me", ruling="who counts as having gone out")
    deadwood: Points = changing(of_each_but("out", figures(
        "what a player's cards outside melds count, after laying off", 0, WILD_WORTH * HAND_SIZES[-1], step=5,
        rule="R8", ruling="what counts for a player",
    )), lambda state, who: who not in state.hand.shown)  # fmt: skip

    laws = (Law(("deadwood",), more_than_was_dealt, "R8"),)


def left_in_the_hand(who: str, state: State[Hand]) -> int | None:
    """Bag of a player's cards in no meld, by what was seen so far; None if not all were seen."""
    pile = state.holding(who)
    if pile.covered or pile.vague:
        return None
    held, left = state.hand.left.get(who, (-1, 0))
    return left if held == pile.known else melds_of(state).beside(pile.known, laid_by(who, state))


def tally(state: State[Hand]) -> Tally:
    hand, seats = state.hand, state.terms.seats
    by_moves: Points = dict.fromkeys(seats)
    for who in seats if hand.ending else ():
        left = left_in_the_hand(who, state) if who in hand.shown or state.settled else None
        by_moves[who] = None if left is None else melds_of(state).points(left)
    t = apply_reported_facts(Tally(hand.by, by_moves), state)
    unsaid = t.out in seats and not any(said_of(t.out, facts) for facts in state.tallies)
    if unsaid and (state.tallies or t.deadwood[t.out] is None) and not has_shown_a_rest(t.out, state):
        t.deadwood[t.out] = 0
    return t


def has_shown_a_rest(who: str, state: State[Hand]) -> bool:
    """True if the cards that a player has shown, after unrecorded acts, are not all in melds."""
    known = state.holding(who).known
    return who in state.hand.shown and known != 0 and melds_of(state).beside(known, laid_by(who, state)) != 0


def said_of(who: str, facts: Any) -> bool:
    """True if a tally reports the deadwood of this player."""
    told = facts.get("deadwood")
    return isinstance(told, dict) and who in told


def score(state: State[Hand]) -> HandScore:
    t, terms = tally(state), state.terms
    nothing = counts_nothing(state, t.void, unfinished=not t.out)
    wild = also_wild(state)
    if nothing is not None:
        return replace(nothing, contract=wild)
    counted = terms.seats if state.hand.ending and not state.tallies else ()
    left = {who: left_in_the_hand(who, state) or 0 for who in counted}
    sums = {
        who: f"{pretty_all(state.game.pack.cards(bag))} = {t.deadwood[who]}" for who, bag in left.items()
        if state.game.pack.count(bag) > 1 and melds_of(state).points(bag) == t.deadwood[who]
    }  # fmt: skip
    missing = [f"what {terms.name(s)} was left with" for s, n in t.deadwood.items() if n is None]
    return hand_score(
        state, dict(t.deadwood), (ScoreLine("deadwood", dict(t.deadwood), sums),), contract=wild,
        result=f"{terms.name(t.out)} out" if t.out in terms.seats else "", notes=left_lying(left, state),
        unknown=missing,
    )  # fmt: skip


def left_lying(left: dict[str, int], state: State[Hand]) -> Iterator[str]:
    """Notes on cards that could still have been laid off; they still count."""
    melds, theirs = melds_of(state), laid_by(state.hand.by, state)
    for who, bag in left.items():
        for card in dict.fromkeys(melds.pack.cards(bag)) if who != state.hand.by else ():
            onto = next((lying for lying in theirs if melds.longer(lying, (card,))), None)
            if onto:
                meld = pretty_all(c.partition("=")[0] for c in onto[0])
                yield f"{state.terms.name(who)} could have laid off {pretty_all((card,))} onto {meld}"


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. The lowest total after the last hand wins; players who are level share the win."""
    totals, played = add_points(before.totals, hand.points), before.hands + (hand.source != "void")
    over, known = played >= terms.options.hands, [n for n in totals.values() if n is not None]
    ahead = [who for who, n in totals.items() if n == min(known, default=0)]
    after = replace(before, totals=totals, hands=played)
    return with_winners(after, ahead if len(known) == len(totals) else ()) if over else after


COLUMNS = player_columns({
    "wild": lambda s, state: Cell(s.contract.removesuffix(" wild") or rank_in_words(wild_in(s.number))),
    "out": lambda s, state: Cell(s.result.removesuffix(" out")),
}, every=4)


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """The sheet: a column for each player, and a remark if several share the win."""
    page = COLUMNS(state, empty)
    shared = state.standing.winners
    return replace(page, remarks=(*page.remarks, "The lowest are level, and share the win.")) if shared else page


# What may be done now
def draws_if_not_drawn(who: str, state: State[Hand]) -> Iterator[Event]:
    hand = state.hand
    return iter(()) if hand.drawn and who == hand.player and state.phase == "last discard" else draws(who, state)


def discards_owed(who: str, state: State[Hand]) -> Iterator[Event]:
    return try_discards(who, state) if who == state.hand.player else iter(())


def says_pay_me(who: str, state: State[Hand]) -> Iterator[Event]:
    held = state.holding(who).certain
    if not state.hand.by and melds_of(state).deadwood(held) <= 2 * WILD_WORTH:
        yield Call(by=who, word="payme")


def lays(who: str, state: State[Hand]) -> Iterator[Event]:
    """The best melds, and single cards onto melds on the table."""
    melds, cards = melds_of(state), state.game.pack.cards(state.holding(who).certain)
    held = state.holding(who).certain
    if who == state.hand.by:
        for meld in melds.best(held).melds:
            lying = melds.lies(tuple(state.game.pack.cards(meld)))
            plain = tuple(card.partition("=")[0] for card in lying[0])
            way = plain if melds.lies(plain) == lying[:1] else lying[0]
            yield Meld(by=who, groups=(way,))
            others = state.game.pack.cards(held - meld)
            yield from (Meld(by=who, groups=((*way, card),)) for card in others if melds.may_be_wild(card))
    for name in meld_names(state):
        yield from (Meld(by=who, groups=((card,),), to=name) for card in dict.fromkeys(cards))


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand. The top discard, if named, is drawn from the discard pile; another card named before a draw
    is the discard. Several cards are a meld; cards that are no meld alone go onto the melds they fit."""
    hand = state.hand
    if isinstance(event, Draw | Discard) and not event.src and len(event.cards) >= SHORTEST:
        return (Meld(by=event.by, groups=(event.cards,)),) if isinstance(event, Discard) else ()
    if isinstance(event, Meld) and not event.to and len(event.groups) == 1 and len(event.groups[0]) < SHORTEST:
        melds, cards = melds_of(state), event.groups[0]
        fits = [name for name, lying in hand.laid.items() if meld_owner(name) == hand.by and melds.longer(lying, cards)]
        return tuple(replace(event, to=name) for name in fits) or (event,)
    if isinstance(event, Draw) and not event.src and state.code(event.cards) < UNSEEN:
        there = state.code(event.cards) == top_code("discard", state) and not hand.by and not hand.drawn
        return (replace(event, src="discard"),) if there else ()
    return (event,)


def next_draw(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for after Pay me: the next player's draw, None once the turn is back."""
    hand = state.hand
    after = state.terms.left(hand.player) if hand.player else hand.by
    return None if after == hand.by else Draw(by=after, cards=("??",))


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none; melds after Pay me belong to the player who said it."""
    hand = state.hand
    if kind is Meld and hand.by and not hand.ending and not hand.melds.get(hand.by):
        return (hand.by,)
    return state.turn[:1] if kind in (Show, Discard) else state.turn


def headline(state: State[Hand]) -> dict[str, Any]:
    """Wild cards, height of the stock, top discard and the player who went out, for the headline."""
    hand = state.hand
    wild = rank_in_words(state.hand.wild)
    told: dict[str, Any] = {"wild": f"2, {wild}, joker", "stock": len(cards_lying("stock", state))}
    told["discard"] = state.game.pack.shown((cards_lying("discard", state) or [UNSEEN])[-1])
    return told | ({"pay me": hand.by} if hand.by else {})


def of_pile(state: State[Hand], name: str) -> OfPile | None:
    """What the wild cards of a meld stand for; None if the meld's cards are unknown."""
    lying = state.hand.laid.get(name, ())
    wild = [(card, stands) for card, _, stands in (text.partition("=") for text in lying[0])] if lying else []
    return OfPile("", tuple(pair for pair in wild if pair[1])) if lying else None


def last_outcome_text(state: State[Hand]) -> str:
    """Words for a player going out or the end of the last turns, else ""."""
    hand = state.hand
    if hand.by and hand.player == hand.by and hand.drawn and not hand.ending:
        return f"{hand.by} goes out"
    return f"the turn is back with {hand.by}" if hand.ending and not hand.shown and not state.settled else ""


# Simulation: draw what helps, throw what is far from a meld, go out as soon as one can
def weigh(state: State[Hand], event: Event) -> float:
    melds, held, unit = melds_of(state), state.holding(event.by).certain, state.game.pack.unit
    if isinstance(event, Draw):
        code = state.code(event.cards)
        wanted = event.src == "discard" and any(m & melds.pack.field[code] for m in melds.best(held + unit[code]).melds)
        return 8.0 if wanted else 1.0 if not event.src else 0.02
    if isinstance(event, Discard):
        card, loose = event.cards[0], held - sum(melds.best(held).melds)
        if melds.may_be_wild(card) or not loose & melds.pack.field[state.code(event.cards)]:
            return 0.002
        return 1.0 / (1 + neighbours(card, state.game.pack.cards(loose))) ** 3
    if isinstance(event, Meld):
        return 1.0 if event.to or len(melds.lies(event.groups[0])) else 0.02
    return 0.3 if isinstance(event, Show) else 40.0


def neighbours(card: str, loose: list[str]) -> int:
    """Number of cards in no meld that could form a meld with this one."""
    at = RANKS.find(card[0])
    near = [c for c in loose if c[0] == card[0] or (c[1] == card[1] and abs(RANKS.find(c[0]) - at) <= 2)]
    return len([c for c in near if c != card])


ACTS = (Draw, Discard, Call, Meld)
GAME = Game(
    key="pay-me", name="Pay Me", family="rummy", summary=summary_of(__doc__),
    seating=singles(2, 3, 4, 5, 6, 7, 8), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=deal_or_renew, chance_acts_first=stock_is_due,
        packs=lambda terms: pack_for(len(terms.seats), terms.options.jokers_per_deck),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "draw": Phase(
            "the draw", ACTS,
            "a card drawn (. unseen, < the top discard, d 9h if it was seen), or at once a discard (9h)",
            default_act=unseen_draw, to_do="draw", tries=(draws,),
        ),
        "discard": Phase(
            "the discard", ACTS, "a discard (9h), or pay me", to_do="discard", tries=(discards_owed, says_pay_me),
        ),
        "last draw": Phase(
            "the last draw", ACTS, "a card drawn from the stock (. unseen), or at once a discard",
            default_act=unseen_draw, to_do="draw", tries=(draws,),
        ),
        "last discard": Phase(
            "the last discard", ACTS, "a discard (9h), or melds (7c7d7h), or the next player's draw (.)",
            default_act=next_draw, to_do="discard or draw", tries=(discards_owed, draws_if_not_drawn),
        ),
        "show": Phase(
            "laying open", ACTS,
            "melds of the player who went out (7c7d7h/4c5c2d), cards laid off (C 8c>2), then the rest (A 2has)",
            to_do="lay open", tries=(lays, try_show_hand), bare_shows=True,
        ),
    },
    on={
        **TURNS, Draw: on_draw, Discard: on_discard, Meld: on_meld, Call: on_call, Show: on_show, Move: taken_back,
        Gap: after_gap("draw", also=the_last_draw_goes_on, **TURN_UNKNOWN),
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(fewest_lead=lambda terms: True, open_table=True),
    sheet=sheet,
    shorthand=Shorthand(
        expand=expand_shorthand, implied_actor=implied_actor, is_one_act=lambda cards: len(cards) >= SHORTEST,
    ),
    display=Display(
        headline=headline, reminders=("pay me",), last_outcome_text=last_outcome_text, contract=also_wild,
        of_pile=of_pile,
    ),
    simulation=Simulation(weigh=weigh, most_hands=11),
)  # fmt: skip
