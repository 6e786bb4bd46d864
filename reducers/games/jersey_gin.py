"""Jersey Gin: three players draw and discard towards melds; whoever knocks is paid the difference to both others, unless one of them has less."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from events.cards import how_many, pack, pretty, pretty_all
from events.model import Call, Cards, Deal, Discard, Draw, Event, Gap, Meld, Move, Show
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers import facts as fact
from reducers.evolve import finish_hand, in_hand, on_move, pile_named, settle
from reducers.evolve import on_show as common_show
from reducers.model import Game, Phase, State
from reducers.rules import CONSEQUENCE, DUTY, Catalogue, CheckResult, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, Standing, added, figure, plus
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.table import Pile
from reducers.tally import facts_declared
from reducers.terms import Terms, hand_of, singles
from reducers.words.deals import deal_passes_on, deal_the_rest, deals_next, forgotten, no_more_than, unseen_draw
from reducers.words.melds import GIN_WORTH, UNCOUNTED, Melds, as_they_are, lying_in, no_meld, written
from reducers.words.tallies import readable, void_of, word_told

# Setup
SEATS = singles(3)
PACK = pack()
CARDS_EACH = 10
UNSEEN = PACK.unknown

# Game play: sets of three or four, runs of three or more with the ace low; court cards count ten, the ace one
MELDS = Melds(PACK, GIN_WORTH, "A 2 3 4 5 6 7 8 9 10 J Q K")
KNOCK_LIMIT = 10

# The break: so many cards left in the stock
LAST_CARDS = 3


class Options(Struct, frozen=True):
    """House rules of Jersey Gin."""

    target: Annotated[int, Meta(ge=1, le=9999, description="score that ends the match")] = 100
    game_bonus: Annotated[int, Meta(ge=0, le=9999, description="bonus for reaching it")] = 100
    box: Annotated[int, Meta(ge=0, le=999, description="bonus at the end for each hand won")] = 25
    gin_bonus: Annotated[int, Meta(ge=0, le=999, description="bonus for gin")] = 40
    underknock_bonus: Annotated[int, Meta(ge=0, le=999, description="bonus for having less than whoever knocked")] = 10
    tie_underknocks: Annotated[bool, Meta(description="an opponent level with the knocker underknocks")] = False
    lay_off_on: Annotated[
        Literal["opponents", "knocker"], Meta(description="onto whose melds the others lay off after a knock")
    ] = "opponents"


RULES = Catalogue(
    "jersey-gin",
    rule("R1", "Play of the hand", DUTY, "The player left of the dealer begins; the turn goes round to the left.", "play in turn"),
    rule("R2", "Play of the hand", DUTY, "A turn begins with one card drawn, the top one of the stock or the top one of the discards; nobody looks further down.", "draw one"),
    rule("R3", "Play of the hand", DUTY, "A turn ends with one discard from the hand.", "discard one"),
    rule("R4", "Game play", DUTY, "A run is three or more cards of one suit that follow each other; the ace stands below the two and nowhere else.", "run"),
    rule("R5", "Game play", DUTY, "A set is three or four cards of one rank.", "set"),
    rule("R6", "Game play", CONSEQUENCE, "A card counts in one meld only; the deadwood is what the cards outside melds are worth.", "deadwood"),
    rule("R7", "Ending the hand", DUTY, "Who discards face down and knocks has at most ten points of deadwood.", "knock at ten"),
    rule("R8", "Ending the hand", DUTY, "Who declares gin has no deadwood at all.", "gin"),
    rule("R9", "Ending the hand", DUTY, "The two who did not knock may lay off cards onto melds of their opponents; against gin nobody may.", "lay off"),
    rule("R10", "The break (when the stock runs out)", DUTY, "After the break nobody knocks.", "no knock"),
    rule("R11", "The break (when the stock runs out)", DUTY, "After the break a discard is drawn only if it can be used in a meld at once.", "draw for a meld"),
    rule("R12", "The break (when the stock runs out)", DUTY, "After the break cards are laid off only onto melds that lie on the table; the breaker finds none in the first turn.", "lay off onto melds"),
    rule("R13", "The break (when the stock runs out)", DUTY, "After the break melds are laid open, and the deadwood stays concealed until the count.", "conceal deadwood"),
    rule("R14", "The break (when the stock runs out)", CONSEQUENCE, "The hand ends when the stock is out and whoever drew its last card has discarded.", "stock out"),
    rule("R15", "Setup; Ending the hand", DUTY, "Each player is dealt ten cards, and one card of the stock is turned up to begin the discards; after a hand the deal goes round to the left.", "the deal"),
)  # fmt: skip

READINGS = {
    "Knocker and opponent level at the lowest count": "the knocker scores; option tie_underknocks",
    "Two opponents level below the knocker": "the one nearer the knocker's left has the underknock",
    "Onto whose melds cards are laid off": "those of any opponent, as at the break; option lay_off_on=knocker; own melds may always grow",
    "In which order the others lay down and lay off": "as they like, once the knocker's melds lie open; each is done by showing the rest",
    "Lay-offs and the underknock": "cards are laid off first, then the counts are compared once; the knocker never lays off",
    "Deadwood as laid down": "melds as they lie on the table; what a player shows besides counts as little as melds among it allow; what nobody laid off counts",
    "The word underwood": "a slip for deadwood",
    "A tally with more deadwood than a knock or gin allows": "is of the hand as it was laid down; whether the cards had a better layout is open",
    "Gin with eleven cards": "a discard is needed only where not all of them are in melds; it may come before or after the word, also when it is the last of all",
    "A hand of no deadwood that is knocked": "is a knock, unless its player says gin",
    "The first upcard": "whoever begins may take it; it is offered to nobody else",
    "Throwing back the card just taken": "allowed",
    "Looking through the discards": "moves no card, so only the table can tell: fault peek",
    "Who draws the card that leaves three in the stock": "may still knock in that turn; the restrictions begin with the breaker",
    "A knock above ten, a gin with deadwood": "the text has no penalty: it counts as it was made, until somebody rules",
    "When a discard can be used in a meld": "with cards of the hand, with an own meld, or onto a meld on the table; whether it then is used is left to the player",
    "When melds are laid down after the break": "within the turn, or right after its discard, as the text says of the breaker",
    "Level at the lowest count when the stock is out": "the breaker wins; without the breaker the player to the breaker's left",
    "Lay-offs at the last count": "none; what was not laid off in a turn counts",
    "Who wins the game": "the highest final total with all bonuses; level, whoever reached the target",
    "A hand won with nothing": "is a box all the same",
    "A hand broken off": "nobody scores; after a misdeal the same dealer deals again",
    "A draw that is not in the record": "was from the stock, unseen, and was not written, if the player lays down, throws, knocks or says gin all the same",
    "A record that writes draws from the stock as a rule, and misses one": "that one may have been from the discards: what only the count of the stock would break stays open",
    "A stock that nobody counted": "was out, if after a discard somebody lays down whose turn it is not",
    "All cards laid down at once (meld *)": "are the melds that leave nothing over, if the cards are known and there are such melds; else one meld",
}


class Hand:
    """One hand of Jersey Gin as it goes.

    `player` is whose turn it is (empty where acts went by unrecorded), `begun` whether any card was drawn or thrown,
    `drawn` whether the card is drawn, `thrown` who discarded last; `ending` is knock, gin or stock-out, `by` who knocked
    or went gin; `shown` are those whose hands were laid down. `unwritten` counts the draws that nobody wrote, `written` those from the stock
    that are in the record: if few are missing, the stock may be higher than it seems, and the `breaker` come later.
    """

    __slots__ = ("begun", "breaker", "by", "drawn", "ending", "gap", "melds", "player", "shown", "thrown", "unwritten", "written")

    def __init__(self, first: str) -> None:
        self.player, self.thrown, self.drawn, self.begun = first, "", False, False
        self.breaker, self.gap, self.unwritten, self.written = "", False, 0, 0
        self.ending, self.by = "", ""
        self.shown: tuple[str, ...] = ()
        self.melds: dict[str, int] = {}


def start(state: State[Hand]) -> Hand:
    """Before the deal nothing lies on the table; left of the dealer begins."""
    for seat in state.terms.seats:
        state.table.bag(seat)
    first = state.terms.left(state.dealer)
    state.phase, state.turn = "draw", (first,)
    return Hand(first)


# Setup: ten cards each, one turned up, the rest is the stock
def whole_deal(terms: Terms) -> dict[str, int]:
    return {**dict.fromkeys(terms.seats, CARDS_EACH), "discard": 1}


@RULES.check("R15", Deal)
def ten_cards_each_and_one_turned_up(deal: Deal, state: State[Hand]) -> CheckResult | None:
    return no_more_than(whole_deal(state.terms), deal, state)


RULES.check("R15", HandEvent)(deal_passes_on)


def ready(state: State[Hand]) -> None:
    """Any act of play finds a hand begun and dealt."""
    in_hand(state)
    if not state.acts:
        deal_the_rest(whole_deal(state.terms), state)


# Play of the hand
@RULES.check("R1", Draw, Discard, Meld, Call)
def play_in_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending or act.by == hand.player or not hand.player:
        return None
    if act.by == hand.thrown and not isinstance(act, Draw):
        return None  # laying melds or saying gin after the discard; a second discard is R3
    if isinstance(act, Meld) and perhaps_out(act.by, state):
        return unknown("whether the stock was out: nobody counted its cards")
    who = f"it is the turn of {hand.player}" if hand.begun else f"{hand.player} sits left of the dealer and begins"
    return broken(who)


@RULES.check("R2", Draw)
def draw_one_card_from_the_top(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, src = state.hand, draw.src or "stock"
    if hand.ending:
        return None
    if hand.drawn and draw.by == hand.player:
        return broken(f"{draw.by} has drawn already")
    if how_many(draw.cards) != 1:
        return just_one(draw.cards, "drawn")
    if src not in ("stock", "discard"):
        return broken("a card is drawn from the top of the stock or of the discards")
    pile, code = state.table.piles.get(src), state.code(draw.cards)
    if pile is None or not pile.row or code >= UNSEEN or pile.row[-1] == code or (pile.vague and src == "stock"):
        return None
    top = pile.row[-1]
    if missed_one(hand) and (src == "stock" or PACK.may_be[code] & table_top(state, below=1)):
        return unknown("a draw before this was not written, and may have been from here")
    if top < UNSEEN or code in pile.row:
        return broken(f"{pretty(draw.cards[0])} is not on top{f', {PACK.shown(top)} is' if top < UNSEEN else ''}")
    return None


def table_top(state: State[Hand], below: int = 0) -> int:
    """The mask of what the top discard may be, or the one that lies so many below it; nothing if there is none."""
    row = state.table.row("discard").row or []
    return PACK.may_be[row[-1 - below]] if len(row) > below else 0


def just_one(cards: Cards, done: str) -> CheckResult:
    """What is wrong with more cards than one, or with cards that nobody counted."""
    return unknown(f"how many cards were {done}") if how_many(cards) is None else broken(f"one card is {done}")


@RULES.check("R3", Discard)
def discard_one_card(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending and not (hand.ending == "gin" and discard.by == hand.by and hand.drawn) and not may_go_on(discard.by, state):
        return broken("no card is discarded any more")
    if how_many(discard.cards) != 1:
        return just_one(discard.cards, "discarded")
    if discard.src not in ("", hand_of(discard.by)):
        return broken("a discard comes from the hand")
    if discard.by == hand.thrown and discard.by != hand.player:
        return broken(f"{discard.by} has discarded already")
    return None


def draw_if_nobody_wrote_it(seat: str, before: str, state: State[Hand]) -> None:
    """A player who goes on without a draw in the record has drawn all the same, from the stock as far as one can tell."""
    hand, table, stock = state.hand, state.table, state.table.row("stock")
    if hand.ending or (hand.drawn and seat == hand.player) or seat == hand.thrown or not (stock.row or stock.vague):
        return
    table.move([UNSEEN], stock, state.holding(seat))
    state.infer(f"{seat} drew a card from the stock before the {before}; nobody wrote it")
    hand.player, hand.thrown, hand.drawn, hand.begun = seat, "", True, True
    hand.unwritten += 1
    state.phase, state.turn = "break discard" if after_break(state) else "discard", (seat,)


def may_go_on(seat: str, state: State[Hand]) -> bool:
    """Whether the hand, which the stock is taken to have ended, may go on: a draw that nobody wrote was from the discards."""
    hand = state.hand
    return hand.ending == "stock-out" and missed_one(hand) and seat == state.terms.left(hand.thrown)


def perhaps_out(seat: str, state: State[Hand]) -> bool:
    """Whether the hand may be over after the last discard, as nobody counted the stock, and this is not the next turn."""
    hand = state.hand
    return bool(hand.thrown) and not hand.ending and not hand.drawn and uncounted(state) and not hand.gap and seat != hand.player


def out_after_all(seat: str, state: State[Hand]) -> None:
    """Somebody lays down whose turn it is not: the stock, which nobody counted, was out."""
    if perhaps_out(seat, state):
        state.infer(f"the stock was out after the discard of {state.hand.thrown}, as {seat} lays down; nobody counted it")
        lay_down("stock-out", state.hand.breaker, state)


def go_on_after_all(seat: str, state: State[Hand]) -> None:
    """The next player plays on, so the stock was not out."""
    hand = state.hand
    if not may_go_on(seat, state) or any(len(state.holding(s)) for s in hand.shown):
        return
    hand.ending = hand.by = ""
    hand.shown, hand.player = (), seat
    state.table.row("stock").vague = True
    state.infer("the stock was not out, as the next player goes on: a draw that nobody wrote was from the discards")


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ready(state)
    table, hand = state.table, state.hand
    if hand.ending:
        go_on_after_all(draw.by, state)
    src = pile_named(state, draw.src or "stock")
    table.move(table.codes(draw.cards, src), src, state.holding(draw.by))
    if not hand.ending:
        hand.player, hand.thrown, hand.drawn, hand.begun = draw.by, "", True, True
        hand.written += src.name == "stock"
        state.phase, state.turn = "break discard" if after_break(state) else "discard", (draw.by,)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Face up the turn goes on to the left; face down it is a knock."""
    ready(state)
    hand, table, seat = state.hand, state.table, discard.by
    stock = table.row("stock")
    if hand.ending:
        go_on_after_all(seat, state)
    if not hand.drawn or seat != hand.player:
        draw_if_nobody_wrote_it(seat, "discard", state)
    src = pile_named(state, discard.src or seat)
    table.move(table.codes(discard.cards, src), src, table.row("discard"))
    hand.drawn = False
    if hand.ending:
        done_if_empty(seat, state)
        return
    hand.thrown, hand.begun = seat, True
    if discard.face == "down":
        lay_down("knock", seat, state)
    elif not stock.row and not hand.gap and not stock.vague:
        lay_down("stock-out", hand.breaker, state)
    else:
        next_turn(seat, state)


def next_turn(seat: str, state: State[Hand]) -> None:
    """To the left. Whoever is to draw when three cards are left is the breaker."""
    hand = state.hand
    if hand.gap:
        hand.player, state.turn = "", state.terms.seats
        return
    hand.player = state.terms.left(seat)
    state.turn = (hand.player,)
    stock = state.table.row("stock")
    if not hand.breaker and len(stock) <= LAST_CARDS and not stock.vague:
        hand.breaker = hand.player
    elif seat == hand.breaker and not hand.melds.get(seat):
        state.turn = (hand.player, seat)  # the breaker may lay melds down now
    state.phase = "break draw" if hand.breaker or stock.vague else "draw"


def after_break(state: State[Hand]) -> bool:
    """Whether the break has come, or may have, for all that was recorded."""
    hand = state.hand
    if hand.breaker or hand.gap:
        return True
    stock = state.table.piles.get("stock")
    return stock is not None and stock.vague


def uncounted(state: State[Hand]) -> bool:
    """Whether nobody can tell how high the stock is: acts went by unrecorded, or cards that nobody counted."""
    return state.hand.gap or state.table.row("stock").vague


def perhaps_later(state: State[Hand]) -> bool:
    """Whether the break that seems to have come may not have: the count of the stock rests on a draw nobody wrote."""
    return uncounted(state) or missed_one(state.hand)


def missed_one(hand: Hand) -> bool:
    """Whether a draw is missing from a record that has most of them: it was forgotten, and may have been from the discards."""
    return forgotten(hand.unwritten, hand.written)


# Game play: melds
def laid(meld: Meld, state: State[Hand]) -> tuple[Cards, ...]:
    """The groups as they lie on the table after this."""
    groups = groups_of(meld, state)
    if not meld.to:
        return groups
    # After a gap nobody knows which melds lie there, and so which one has that number.
    lying = (UNCOUNTED,) if state.hand.gap else on_table(state, meld.to)
    return ((*lying, *(c for g in groups for c in g)),)


def groups_of(meld: Meld, state: State[Hand]) -> tuple[Cards, ...]:
    """The groups laid, card by card; the whole of a known hand, laid down at once, in the melds that leave nothing over."""
    if as_they_are(meld.groups):
        return meld.groups
    src = (meld.src or meld.by).removeprefix("hand:")
    pile = state.table.piles.get(src) or state.holding(src)
    out: list[Cards] = []
    for group, cards in zip(meld.groups, written(meld.groups, pile), strict=True):
        best = MELDS.best(PACK.bag(cards)) if group == ("*",) and not meld.to and cards and all(c in PACK for c in cards) else None
        out += [cards] if best is None or best.deadwood else [tuple(PACK.cards(m)) for m in best.melds]
    return tuple(out)


def on_table(state: State[Hand], name: str) -> Cards:
    pile = state.table.piles.get(name)
    return lying_in(pile) if pile is not None else ()


def like_a_set(group: Cards) -> bool:
    """Whether somebody who laid these cards meant a set."""
    ranks = [c[0] for c in group if c in PACK]
    return len(ranks) > 1 and len(set(ranks)) == 1


@RULES.check("R4", Meld)
def runs_follow_each_other(meld: Meld, state: State[Hand]) -> CheckResult | None:
    return melds_are_melds(meld, state, "a run of one suit, three cards or more, the ace low", sets=False)


@RULES.check("R5", Meld)
def sets_are_of_one_rank(meld: Meld, state: State[Hand]) -> CheckResult | None:
    return melds_are_melds(meld, state, "three or four cards of one rank", sets=True)


def melds_are_melds(meld: Meld, state: State[Hand], what: str, *, sets: bool) -> CheckResult | None:
    return no_meld(((group, MELDS.is_meld(group)) for group in laid(meld, state) if like_a_set(group) is sets), f"is not {what}")


@RULES.check("R6", TallyEvent)
def deadwood_as_it_lies(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """A count that the cards on the table contradict."""
    told = event.facts.get("deadwood")
    if not isinstance(told, dict) or not state.number or not state.hand.ending:
        return None
    for seat, points in told.items():
        by_cards = deadwood(str(seat), state) if seat in state.hand.shown else None
        if by_cards is not None and points != by_cards:
            return broken(f"{seat} has {by_cards} points of deadwood, not {points}")
    return None


def on_meld(meld: Meld, state: State[Hand]) -> None:
    """New melds of a player, numbered in the order laid, or cards laid off onto a meld."""
    ready(state)
    table, hand, seat = state.table, state.hand, meld.by
    if seat != hand.thrown:
        out_after_all(seat, state)
    if seat == hand.player and after_break(state):
        draw_if_nobody_wrote_it(seat, "melds", state)
    groups, src = groups_of(meld, state), pile_named(state, meld.src or seat)
    for group in groups:
        if not meld.to:
            hand.melds[seat] = hand.melds.get(seat, 0) + 1
        pile = table.row(meld.to or f"meld:{seat}:{hand.melds[seat]}")
        pile.vague = pile.vague or (bool(meld.to) and hand.gap)
        table.move(table.codes(group, src), src, pile)
    done_if_empty(seat, state)


# Ending the hand: the knock, and gin
@RULES.check("R7", TallyEvent)
def a_knock_as_told(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    return too_much_told(event, "knock", KNOCK_LIMIT)


@RULES.check("R8", TallyEvent)
def gin_as_told(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    return too_much_told(event, "gin", 0)


def too_much_told(event: TallyEvent, ending: str, at_most: int) -> CheckResult | None:
    """Whether a tally gives whoever ended the hand so more deadwood than that takes. What is told is what was laid down, and
    the cards kept may have had a better layout."""
    facts, told = event.facts, event.facts.get("deadwood")
    points = told.get(str(facts.get("by"))) if isinstance(told, dict) and facts.get("ending") == ending else None
    if type(points) is not int or points <= at_most:
        return None
    return unknown(f"whether the hand of {facts['by']}, laid down with {points} points of deadwood, could be laid out with {at_most or 'none'}")


def kept(discard: Discard, state: State[Hand]) -> tuple[int, int | None]:
    """The cards kept at a discard as far as they are known, and how many of them are not; None: nobody counted."""
    pile, code = state.holding(discard.by), state.code(discard.cards)
    drawn = state.hand.drawn and discard.by == state.hand.player
    bag = pile.certain & ~PACK.unit[code] if code < UNSEEN else pile.stays
    return bag, None if pile.vague else len(pile) - drawn - PACK.count(bag)


@RULES.check("R7", Discard)
def knock_at_ten_or_less(discard: Discard, state: State[Hand]) -> CheckResult | None:
    if discard.face != "down" or state.hand.ending or (state.hand.breaker and not perhaps_later(state)):
        return None
    bag, missing = kept(discard, state)
    if missing != 0:
        return unknown(f"the cards that {discard.by} kept were not all seen")
    points = MELDS.deadwood(bag)
    if points <= KNOCK_LIMIT:
        return None
    return broken(f"{discard.by} knocks with {points} points of deadwood", bag, discard.by, together=True)


@RULES.check("R8", Call)
def gin_without_deadwood(call: Call, state: State[Hand]) -> CheckResult | None:
    hand, pile = state.hand, state.holding(call.by)
    if call.word != "gin":
        return None
    if hand.ending and not may_say_gin(call.by, hand):
        return broken("the stock is out, and the hand is over" if hand.ending == "stock-out" else f"{hand.by} ended the hand")
    unwritten = not hand.ending and call.by == hand.player and not hand.drawn
    if pile.vague or len(pile) + unwritten - PACK.count(pile.certain | pile.stays * unwritten) > unwritten:
        return unknown(f"the hand of {call.by} was not all seen")
    bag = pile.certain | pile.stays * unwritten
    if unwritten and PACK.count(bag) == len(pile):
        # The card drawn, which nobody wrote, was one of these.
        drawn = {left_with(bag | PACK.unit[c]) for c in PACK.codes(may_be_drawn(state) & ~bag)}
        if 0 in drawn and len(drawn) > 1:
            return unknown(f"which card {call.by} drew: nobody wrote it")
        least = min(drawn, default=0)
    else:
        least = left_with(bag) if (hand.drawn and call.by == hand.player) or unwritten else MELDS.deadwood(bag)
    return broken(f"{call.by} has {least} points of deadwood", bag, call.by, together=True) if least else None


def left_with(bag: int) -> int:
    """The least deadwood of these cards, with one of them still to be thrown or none."""
    return min(map(MELDS.deadwood, (bag, *(bag & ~PACK.unit[c] for c in PACK.codes(bag)))))


def may_be_drawn(state: State[Hand]) -> int:
    """The bag of cards that a draw may bring: one whose place nobody knows, and the top ones of stock and discards."""
    tops = [pile.row[-1] for name in ("stock", "discard") if (pile := state.table.piles.get(name)) is not None and pile.row]
    return state.table.free() | sum({PACK.unit[c] for c in tops if c < UNSEEN})


def may_say_gin(seat: str, hand: Hand) -> bool:
    """Whether the word still comes in time: from whoever knocked, or has just made the last discard of all."""
    if hand.ending == "stock-out":
        return seat == hand.thrown and not hand.shown
    return not hand.ending or seat == hand.by


def on_call(call: Call, state: State[Hand]) -> None:
    """Gin ends the play of the hand, or makes the knock just made, or the last discard, a gin."""
    ready(state)
    if call.word == "gin" and may_say_gin(call.by, state.hand):
        if call.by == state.hand.player:
            draw_if_nobody_wrote_it(call.by, "call", state)
        lay_down("gin", call.by, state)


def lay_down(ending: str, seat: str, state: State[Hand]) -> None:
    """The hands are laid down: the knocker's first, for the others to lay off onto it; at the stock's end all."""
    hand = state.hand
    hand.ending, hand.by = ending, seat
    state.phase = "count" if ending == "stock-out" else "show"
    for each in state.terms.seats:
        if not len(state.holding(each)) and each not in hand.shown and not state.holding(each).vague:
            hand.shown = (*hand.shown, each)
    go_on(state)


def go_on(state: State[Hand]) -> None:
    """Who is still to lay down; nobody: the hand is over."""
    hand = state.hand
    left = tuple(s for s in state.terms.around(state.terms.left(hand.by or state.dealer)) if s not in hand.shown)
    state.turn = (hand.by,) if hand.by in left and hand.ending != "stock-out" else left
    if not left:
        finish_hand(state)


def done_if_empty(seat: str, state: State[Hand]) -> None:
    """Whoever has no card left has laid down."""
    hand, pile = state.hand, state.holding(seat)
    if hand.ending and not state.settled and not len(pile) and not pile.vague and seat not in hand.shown:
        hand.shown = (*hand.shown, seat)
        go_on(state)


def on_show(show: Show, state: State[Hand]) -> None:
    """At the end of the hand, showing what is left is the last a player does."""
    common_show(show, state)
    hand = state.hand
    if state.number and not state.settled and show.by in state.terms.seats:
        out_after_all(show.by, state)
    if not state.number or not hand.ending:
        return
    if state.settled:
        if not state.cut:
            settle(state)  # cards shown late may tell what was open
    elif show.by in state.terms.seats and show.by not in hand.shown and show.src in ("", hand_of(show.by)):
        hand.shown = (*hand.shown, show.by)
        go_on(state)


# Ending the hand: laying off
@RULES.check("R9", Meld)
def lay_off_onto_the_opponents(meld: Meld, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    owner = meld.to.split(":")[1] if meld.to.count(":") == 2 else ""
    if not meld.to or state.phase != "show" or owner == meld.by:
        return None
    if not on_table(state, meld.to):
        return no_such_meld(state)
    if hand.ending == "gin":
        return broken(f"{hand.by} went gin; nothing is laid off against it")
    if meld.by == hand.by:
        return broken("the knocker lays nothing off")
    if state.terms.options.lay_off_on == "knocker" and owner != hand.by:
        return broken("by the house rule cards are laid off onto the knocker's melds")
    return None


def no_such_meld(state: State[Hand], text: str = "there is no such meld on the table") -> CheckResult:
    """What is wrong with cards laid onto a meld that is not there; it may have been laid while nobody wrote."""
    return unknown("whether there was such a meld: acts went by unrecorded") if state.hand.gap else broken(text)


# The break
@RULES.check("R10", Discard)
def no_knock_after_the_break(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if discard.face != "down" or hand.ending:
        return None
    if hand.breaker and not perhaps_later(state):
        return broken(f"the stock was down to three before the turn of {hand.breaker}; after that nobody knocks")
    return unknown("how many cards the stock had left") if after_break(state) else None


@RULES.check("R11", Draw)
def a_discard_is_drawn_for_a_meld(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if draw.src != "discard" or hand.ending or not after_break(state):
        return None
    code, pile = state.code(draw.cards), state.holding(draw.by)
    if code >= UNSEEN or perhaps_later(state):
        return unknown("the card was not seen" if code >= UNSEEN else "how many cards the stock had left")
    held, fits = pile.certain, [MELDS.fits(on_table(state, name), draw.cards) for name in melds_of(state)]
    partners = MELDS.partners(code)
    if True in fits or any(bag & held == bag for bag in partners):
        return None
    if None in fits or any(may_hold(pile, bag & ~held) for bag in partners):
        return unknown(f"whether {draw.by} can use {PACK.shown(code)} in a meld")
    return broken(f"{PACK.shown(code)} makes no meld with the cards of {draw.by}", held, draw.by, together=True)


def may_hold(pile: Pile, bag: int) -> bool:
    """Whether these cards may all be among the unseen ones of a hand."""
    if not pile.vague and PACK.count(bag) > pile.hidden:
        return False
    return all(pile.any_of(PACK.field[c]) is not False for c in PACK.codes(bag))


def melds_of(state: State[Hand]) -> list[str]:
    """The names of the melds on the table."""
    return [name for name in state.table.piles if name.startswith("meld:")]


@RULES.check("R12", Meld)
def lay_off_onto_melds_on_the_table(meld: Meld, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not meld.to or hand.ending or on_table(state, meld.to):
        return None
    first = hand.breaker == meld.by and not melds_of(state)
    return no_such_meld(state, "no meld lies on the table yet" if first else "there is no such meld on the table")


@RULES.check("R13", Show)
def deadwood_stays_concealed(show: Show, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if state.settled or hand.ending or not hand.breaker or show.src not in ("", hand_of(show.by)):
        return None
    return unknown("how many cards the stock had left") if perhaps_later(state) else broken("deadwood is shown at the count, not before")


@RULES.check("R14", Draw, Meld)
def the_hand_ends_with_the_stock(act: Draw | Meld, state: State[Hand]) -> CheckResult | None:
    if state.phase != "count" or may_go_on(act.by, state) or (isinstance(act, Meld) and (not act.to or act.to.startswith(f"meld:{act.by}:"))):
        return None
    return broken("the stock is out and the last discard made: the hand is over")


def on_taking_back(move: Move, state: State[Hand]) -> None:
    """A discard taken back, or a knock, makes it that player's turn again."""
    hand = state.hand
    on_move(move, state)
    if state.number and not state.settled and move.src == "discard" and move.to == hand_of(hand.thrown) and not hand.drawn:
        hand.player, hand.thrown, hand.drawn = hand.thrown, "", True
        hand.ending = hand.by = ""
        state.phase, state.turn = "break discard" if after_break(state) else "discard", (hand.player,)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: who holds what, what lies there, whose turn it is and how high the stock is, nobody can say."""
    if state.settled or not state.number:
        return
    ready(state)
    hand, table = state.hand, state.table
    hand.gap = True
    for pile in list(table.piles.values()):
        table.lose_sight(pile)
    # If it was over already, what comes next may be of another hand.
    hand.player, hand.drawn, hand.thrown, hand.breaker = "", False, "", ""
    hand.ending, hand.by, hand.shown = "", "", ()
    state.phase, state.turn = "break draw", state.terms.seats


# Scoring
class Tally(Struct):
    """What a hand is scored from: how it ended, who knocked or went gin (the breaker, with the stock out), deadwood after lay-offs."""

    ending: str = ""
    by: str = ""
    deadwood: Points = {}
    void: str = ""


TALLY = {
    "ending": fact.choice("knock, gin or stock-out", "knock", "gin", "stock-out"),
    "by": fact.somebody("who knocked or went gin; the breaker where the stock ran out", "seat"),
    "deadwood.*": fact.number("deadwood of a player after lay-offs", 0, CARDS_EACH * 10, rule="R6"),
    "void": fact.word("misdeal: the hand does not count"),
}
TRANSFERS = {
    "ending": "how the hand counts as ended: knock, gin or stock-out",
    "by": "who counts as the knocker",
    "deadwood.*": "deadwood that counts for a player",
}
WORDS = {
    "gin": "said (call gin): the hand has no deadwood",
    "knock": "typed for a discard face down",
    "misdeal": "end: the hand is dealt again",
    "void": "end: the hand does not count",
    "peek": "fault: somebody looked through the discards",
}


def deadwood(seat: str, state: State[Hand]) -> int | None:
    """What a player is left with beside the melds laid down and the cards laid off; None where cards were not seen."""
    pile = state.holding(seat)
    return MELDS.deadwood(pile.certain) if pile.complete else None


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` or a ruling says."""
    hand, seats = state.hand, state.terms.seats
    t = Tally(hand.ending, hand.by, dict.fromkeys(seats), void_of(state))
    if hand.ending:
        t.deadwood = {s: deadwood(s, state) if s in hand.shown or state.settled else None for s in seats}
    for facts in (*readable(state), *state.transfers):
        t.ending, t.by = word_told(facts, "ending", t.ending), word_told(facts, "by", t.by)
        told = facts.get("deadwood")
        if isinstance(told, dict):
            t.deadwood |= {s: n for s, n in told.items() if s in seats and type(n) is int}
    if t.ending == "gin" and t.by in seats and (state.tallies or t.deadwood[t.by] is None):
        t.deadwood[t.by] = 0
    return t


def winner_of(t: Tally, seats: tuple[str, ...], options: Options) -> str:
    """Who scores for the hand; empty where it cannot be told.

    >>> winner_of(Tally("knock", "B", {"A": 5, "B": 9, "C": 5}), ("A", "B", "C"), Options())
    'C'
    >>> winner_of(Tally("stock-out", "B", {"A": 5, "B": 5, "C": 5}), ("A", "B", "C"), Options())
    'B'
    """
    if t.by not in seats or t.ending not in ("knock", "gin", "stock-out"):
        return ""
    if t.ending == "gin":
        return t.by
    counts = {s: n for s, n in t.deadwood.items() if n is not None}
    if len(counts) < len(seats):
        return ""
    # From the knocker or breaker round to the left: the first of those level at the lowest count.
    i = seats.index(t.by)
    order = seats[i:] + seats[:i]
    if t.ending == "knock" and options.tie_underknocks:
        order = order[1:] + order[:1]
    return min(order, key=lambda s: counts[s])


def score_tally(t: Tally, seats: tuple[str, ...], options: Options) -> tuple[Points, tuple[Line, ...]]:
    """Points of the hand, and the lines behind them.

    A knock with 9 against 11 and 14; then the same with an opponent at 4:

    >>> score_tally(Tally("knock", "A", {"A": 9, "B": 11, "C": 14}), ("A", "B", "C"), Options())[0]
    {'A': 7, 'B': 0, 'C': 0}
    >>> score_tally(Tally("knock", "A", {"A": 9, "B": 4, "C": 14}), ("A", "B", "C"), Options())[0]
    {'A': 0, 'B': 25, 'C': 0}
    """
    won = winner_of(t, seats, options)
    lines = [Line("deadwood", {s: t.deadwood.get(s) for s in seats})]
    if not won:
        return dict.fromkeys(seats), tuple(lines)
    others = [s for s in seats if s != won]
    least = t.deadwood[won] if t.ending != "gin" else 0
    gaps = [(t.deadwood.get(s), least) for s in others]
    total = plus(*(None if more is None or less is None else more - less for more, less in gaps))
    sums = " + ".join(figure(more) if t.ending == "gin" else f"({figure(more)} − {figure(less)})" for more, less in gaps)
    underknock = t.ending == "knock" and won != t.by
    bonus = options.gin_bonus if t.ending == "gin" else options.underknock_bonus * underknock
    nobody: Points = dict.fromkeys(seats, 0)
    lines.append(Line("differences", {**nobody, won: total}, {won: f"{sums} = {figure(total)}"}))
    if bonus:
        lines.append(Line("gin bonus" if t.ending == "gin" else "underknock bonus", {**nobody, won: bonus}))
    lines.append(Line("box", {**nobody, won: 1}))
    return {**nobody, won: plus(total, bonus)}, tuple(lines)


class Match(Standing, frozen=True):
    """The standing with the hands each has won, which are paid at the end."""

    boxes: Points = field(default_factory=dict)


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded; the last hand brings the bonuses of the game."""
    t, seats, options = tally(state), state.terms.seats, state.terms.options
    nothing: Points = dict.fromkeys(seats, 0)
    source = "tally" if state.tallies else "moves"
    if t.void:
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    if not state.settled and not state.tallies:
        return HandScore(state.number, state.dealer, "nothing", points=nothing, unknown=("the hand is in play",))
    if state.cut and not t.ending:
        return HandScore(state.number, state.dealer, source, result=state.cut, points=nothing, notes=("broken off; nobody scores",))
    points, lines = score_tally(t, seats, options)
    missing = [f"the deadwood of {s}" for s in seats if t.deadwood.get(s) is None]
    if t.by not in seats or t.ending not in ("knock", "gin", "stock-out"):
        missing.append("how the hand ended, and by whom")
    final = bonuses(added(state.before.totals, points), lines, state)
    for line in final:
        points = added(points, line.amounts)
    result = in_words(t, winner_of(t, seats, options), state.terms)
    return HandScore(
        state.number, state.dealer, source, result=result, lines=(*lines, *final), points=points,
        notes=tuple(left_lying(t, state)), unknown=tuple(missing),
    )  # fmt: skip


def in_words(t: Tally, won: str, terms: Terms) -> str:
    """How the hand ended, and who won it."""
    if t.ending == "stock-out":
        return f"the stock is out, {terms.name(won)} wins" if won else "the stock is out"
    if t.ending not in ("knock", "gin") or t.by not in terms.seats:
        return t.ending
    ended = f"{terms.name(t.by)} {'knocks' if t.ending == 'knock' else 'goes gin'}"
    return ended if not won else f"{ended} and wins" if won == t.by else f"{ended}, {terms.name(won)} underknocks"


def bonuses(totals: Points, lines: tuple[Line, ...], state: State[Hand]) -> tuple[Line, ...]:
    """The game bonus and the boxes, in the hand that takes somebody to the target.

    Where a total is open, so is whether the game is over, and what each would get then.
    """
    options = state.terms.options
    there = [s for s, n in totals.items() if n is not None and n >= options.target]
    boxes = boxes_after(state.before, lines)
    if not there and None in totals.values():
        return (Line("if the game is over", {s: None if totals[s] is None or boxes.get(s) != 0 else 0 for s in totals}, column="game"),)
    if not there:
        return ()
    paid: Points = {s: None if n is None else n * options.box for s, n in boxes.items()}
    sums = {s: f"{n} × {options.box} = {figure(paid[s])}" for s, n in boxes.items() if n}
    return (
        Line("game bonus", {s: None if n is None else options.game_bonus * (s in there) for s, n in totals.items()}, {s: f"{figure(totals[s])}, the target is {options.target}" for s in there}, "game"),
        Line("boxes", paid, sums, "game"),
    )  # fmt: skip


def boxes_after(before: Standing, lines: tuple[Line, ...]) -> Points:
    """The hands each has won, with the one just played."""
    won: Points = before.boxes if isinstance(before, Match) else {}
    box = next((line for line in lines if line.label == "box"), None)
    return added(won, box.amounts if box else dict.fromkeys(won))


def left_lying(t: Tally, state: State[Hand]) -> Iterator[str]:
    """What could still have been laid off after a knock; it counts all the same."""
    hand = state.hand
    if state.tallies or hand.ending != "knock":
        return
    for seat in state.terms.seats:
        pile = state.holding(seat)
        if seat == hand.by or not pile.complete or not pile.certain:
            continue
        targets = [name for name in melds_of(state) if name.split(":")[1] in laid_off_on(seat, state) and state.table.piles[name].complete]
        bags = [state.table.piles[name].certain for name in targets]
        best = MELDS.best_laying_off(pile.certain, bags)
        if best.deadwood < (t.deadwood[seat] or 0):
            cards = pretty_all(PACK.cards(sum(best.off)))
            yield f"{state.terms.name(seat)} could have laid off {cards} and been left with {best.deadwood}"


def laid_off_on(seat: str, state: State[Hand]) -> tuple[str, ...]:
    """Onto whose melds a player may lay off after a knock."""
    if state.terms.options.lay_off_on == "knocker":
        return (state.hand.by,)
    return tuple(s for s in state.terms.seats if s != seat)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Whoever reaches the target ends the game; the highest final total wins it."""
    assert isinstance(before, Match)
    totals = added(before.totals, hand.points)
    counts = hand.source != "void" and hand.notes[:1] != ("broken off; nobody scores",)
    boxes = boxes_after(before, hand.lines) if counts else before.boxes
    over = any(line.label == "game bonus" for line in hand.lines)
    winner = ""
    if over and None not in totals.values():
        there = next(line.amounts for line in hand.lines if line.label == "game bonus")
        winner = max(totals, key=lambda s: (totals[s], there[s]))
    return replace(before, totals=totals, boxes=boxes, over=over, winner=winner, hands=before.hands + 1)


# The sheet: deadwood and running score of each player, then the game with its bonuses
def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """A row a hand: how it ended, what each was left with, what was scored; at the end bonus and boxes."""
    players, rows, running = state.terms.seats, [], dict[str, int | None](dict.fromkeys(state.terms.seats, 0))
    final: tuple[Line, ...] = ()
    for s in state.scores:
        if s.source == "nothing" and None not in s.points.values():
            continue
        lines = {line.label: line for line in s.lines}
        final = tuple(line for line in s.lines if line.column == "game")
        points = dict(s.points)
        for line in final:
            points = {p: None if n is None or line.amounts[p] is None else n - (line.amounts[p] or 0) for p, n in points.items()}
        running = added(running, points)
        cells = [Cell(str(s.number)), Cell(state.terms.name(s.dealer)), Cell(s.result or "–")]
        for p in players:
            left = lines["deadwood"].amounts[p] if "deadwood" in lines else 0
            sums = "; ".join(x for label, line in lines.items() if line.column != "game" for x in [line.sums.get(p) or (label if "bonus" in label and line.amounts[p] else "")] if x)
            cells += [
                Cell(figure(left) if "deadwood" in lines else "–"),
                Cell(figure(points[p]), sums, "unknown" if points[p] is None else "won" if "box" in lines and lines["box"].amounts[p] else ""),
                Cell(figure(running[p]), "", "total"),
            ]
        rows.append(Row(tuple(cells), notes=s.notes))
    heads = ("hand", "dealer", "result", *(h for p in players for h in (f"{p} left", f"{p} ±", p)))
    blocks = [Block("Score", heads, tuple(rows))]
    if final:
        game = [Row((Cell("hands"), *(Cell(figure(running[p])) for p in players)))]
        game += [Row((Cell(line.label), *(Cell(figure(line.amounts[p]), line.sums.get(p, "")) for p in players))) for line in final]
        totals, won = state.standing.totals, state.standing.winner
        game.append(Row((Cell("total"), *(Cell(figure(totals[p]), "", "won" if p == won else "total") for p in players)), "total"))
        blocks.append(Block("Game", ("", *players), tuple(game)))
    return replace(empty, blocks=tuple(blocks))


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    hand, table = state.hand, state.table
    for seat in state.turn:
        held = state.holding(seat).certain
        cards = PACK.cards(held)
        if state.phase in ("draw", "break draw") and seat == (hand.player or seat):
            for name in ("stock", "discard"):
                row = table.row(name).row
                if row:
                    yield Draw(by=seat, cards=(PACK.tokens[row[-1]],), src="" if name == "stock" else name)
            continue
        throwing = hand.drawn and seat in (hand.player, hand.by)
        if throwing:
            yield from (Discard(by=seat, cards=(card,)) for card in cards)
        if state.phase in ("discard", "break discard"):
            for card in cards:
                if near(held & ~PACK.unit_of[card]):
                    yield Discard(by=seat, cards=(card,), face="down")
        ended_it = seat == (hand.thrown if hand.ending == "stock-out" else hand.by)
        if (ended_it or state.phase in ("discard", "break discard")) and hand.ending != "gin" and near(held):
            yield Call(by=seat, word="gin")
        if state.phase != "discard":
            # In a turn one card is left over for the discard.
            most = len(cards) - (state.phase == "break discard")
            yield from (Meld(by=seat, groups=(tuple(PACK.cards(m)),)) for m in MELDS.melds_in(held) if PACK.count(m) <= most)
            for name in melds_of(state) if most else ():
                lying = on_table(state, name)
                yield from (Meld(by=seat, groups=((card,),), to=name) for card in cards if MELDS.fits(lying, (card,)))
        if hand.ending and cards:
            yield Show(by=seat, groups=(tuple(cards),))


def near(cards: int) -> bool:
    """Whether somebody may think of ending the hand with these; with more deadwood it is never allowed."""
    return MELDS.deadwood(cards) <= 2 * KNOCK_LIMIT


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The top discard, named, is drawn from there; another card named where one is to be drawn is the discard."""
    if isinstance(event, Call) and event.word == "knock":
        return (Discard(by=event.by, cards=event.cards or ("??",), face="down"),)
    if isinstance(event, Draw) and not event.src and state.code(event.cards) < UNSEEN and not state.hand.drawn:
        top = (state.table.row("discard").row or [UNSEEN])[-1]
        return (replace(event, src="discard"),) if state.code(event.cards) == top else ()
    return (event,)


def headline(state: State[Hand]) -> dict[str, Any]:
    """How high the stock is, what lies on top of the discards, the break, and how the hand ended."""
    hand, table = state.hand, state.table
    top = (table.row("discard").row or [UNSEEN])[-1]
    told = {"stock": len(table.row("stock")), "discard": PACK.shown(top)}
    return {**told, **({"breaker": hand.breaker} if hand.breaker else {}), **({hand.ending: hand.by} if hand.ending else {})}


def latest(state: State[Hand]) -> str:
    """The break, the knock, or how low the stock is."""
    hand = state.hand
    if hand.ending and not hand.shown:
        return "the stock is out" if hand.ending == "stock-out" else f"{hand.by}: {hand.ending}"
    if hand.breaker and state.phase == "break draw" and hand.player == hand.breaker and not melds_of(state):
        return f"the break: {hand.breaker} is the breaker"
    return ""


# Simulation: draw what helps, throw what costs, knock now and then, lay down what is best
def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = list(PACK.faces)
    random.shuffle(cards)
    dealer = state.game.next_dealer(state) if state.number else state.terms.dealer
    around = state.terms.around(state.terms.left(dealer))
    hands = tuple((hand_of(seat), tuple(cards[10 * i : 10 * i + 10])) for i, seat in enumerate(around))
    return [
        HandEvent(by=dealer, number=state.number + 1),
        Deal(by="@", piles=hands),
        Deal(by="@", face="up", piles=(("discard", tuple(cards[30:31])),)),
        Deal(by="@", face="down", piles=(("stock", tuple(cards[31:])),)),
    ]


def weigh(state: State[Hand], event: Event) -> float:
    held = state.holding(event.by).certain
    if isinstance(event, Draw):
        card = PACK.unit[state.code(event.cards)]
        wanted = event.src == "discard" and any(m & card for m in MELDS.best(held | card).melds)
        return 8.0 if wanted else 1.0 if not event.src else 0.05
    if isinstance(event, Discard):
        points = MELDS.deadwood(held & ~PACK.unit[state.code(event.cards)])
        return 0.5 if event.face == "down" else 4.0 / (2 + points) ** 2
    if isinstance(event, Meld):
        meld = PACK.bag(event.groups[0])
        dead = MELDS.points(meld) == MELDS.deadwood(held) - MELDS.deadwood(held & ~meld)
        return 1.0 if (dead if event.to else meld in MELDS.best(held).melds) else 0.02
    if isinstance(event, Show):
        return 0.02 if MELDS.best(held).melds else 0.5
    return 20.0


TURN = (Discard, Draw, Meld, Call)
GAME = Game(
    key="jersey-gin",
    name="Jersey Gin",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="3, each alone",
    seating=SEATS,
    pack=PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=facts_declared(TALLY, rulings=TRANSFERS),
    words=WORDS,
    phases={
        "draw": Phase("the draw", (Draw, Discard, Call), "a card drawn (. from the stock unseen, the top discard by name, draw 9h <stock if it was seen), or straight a discard", quiet=unseen_draw, to_do="draw"),
        "discard": Phase("the discard", (Discard, Draw, Call), "a discard (9h), a knock (knock, or discard down ??), or gin", to_do="discard"),
        "break draw": Phase("the draw after the break", TURN, "a card drawn (. from the stock unseen, the top discard by name)", quiet=unseen_draw, to_do="draw"),
        "break discard": Phase("the discard after the break", TURN, "melds (7c7d7h), cards laid off (meld 8c >meld:B:2), then a discard", to_do="discard"),
        "show": Phase("laying down", (Meld, Discard, Call), "melds (7c7d7h/4c5c6c), cards laid off (C meld 8c >meld:B:2), then the rest (A show 2hAs)", to_do="lay down"),
        "count": Phase("the count", (Meld, Draw, Call), "melds, then the rest (A show 2hAs)", to_do="lay down"),
    },
    start=start,
    on={Draw: on_draw, Discard: on_discard, Meld: on_meld, Call: on_call, Show: on_show, Move: on_taking_back, Gap: on_gap},
    candidates=candidates,
    new_match=lambda terms: Match(dict.fromkeys(terms.sides, 0), boxes=dict.fromkeys(terms.sides, 0)),
    score=score,
    after=after,
    next_dealer=deals_next,
    sheet=sheet,
    chance=chance,
    weigh=weigh,
    hidden={"*": "owner", "stock": "nobody"},
    usual=usual,
    headline=headline,
    latest=latest,
)  # fmt: skip
