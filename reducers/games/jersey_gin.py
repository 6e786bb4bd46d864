"""Jersey Gin: three players draw and discard towards melds; the knocker is paid the difference by both others, unless
one of them has less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from events.model import Call, Deal, Discard, Draw, Event, Gap, Meld, Move, Show
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers.page import (
    CONSEQUENCE, DUTY, Block, Catalogue, Cell, CheckResult, DealSpec, Game, Dealing, MatchRules, Omissions, Shorthand,
    Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, SheetRow, Sheet, Standing, State, TallyFacts, Terms,
    add_points, as_many_as_dealt, broken, choice, counts_nothing, deal_passes_on, deals_next, figure, figures, hand_of,
    hand_score, ledger, on_move, apply_reported_facts, pack, plus, pretty_all, result_text, rule, seat,
    shuffle_and_deal, singles, summary_of, figure_of_line, turned_up, unknown, HouseRules, after_gap,
)  # fmt: skip
from reducers.words.card_sums import no_hands_count
from reducers.words.deals import ensure_dealt, unseen_draw
from reducers.words.draw_and_throw import as_drawn
from reducers.words.melds import GIN_WORTH, Melds, may_be_among
from reducers.words.rummy import (
    may_be_drawn, STOCK_OUT, TURN_UNKNOWN, cards_lying, try_discards, draw_unseen, draws, first_turn, draws_from_top,
    laid_right, lay_melds, meld_names, missed_one, not_out_after_all, not_the_turn, of_deadwood, on_table, one_discard,
    meld_owner, perhaps_not_out, perhaps_out, show_cards, try_show_hand, shows_the_rest, still_to_show,
    take_drawn, takes_back_the_discard, throw, too_much_told, is_stock_uncounted, without_cards,
)  # fmt: skip

# Setup
SEATS = singles(3)
PACK = pack()
DEAL = DealSpec(each=10, then=(turned_up("discard"),), rest="stock")
UNSEEN = PACK.unknown

# Game play: sets of three or four, runs of three or more with the ace low; court cards count ten, the ace one
MELDS = Melds(PACK, GIN_WORTH, "A 2 3 4 5 6 7 8 9 10 J Q K")
KNOCK_LIMIT = 10
SHORTEST = 3

# The break: the number of cards then left in the stock
LAST_CARDS = 3


class Options(HouseRules, frozen=True):
    """House rules of Jersey Gin."""

    target: Annotated[int, Meta(ge=1, le=9999, description="score that ends the match")] = 100
    game_bonus: Annotated[int, Meta(ge=0, le=9999, description="bonus for reaching it")] = 100
    box: Annotated[int, Meta(ge=0, le=999, description="bonus at the end for each hand won")] = 25
    gin_bonus: Annotated[int, Meta(ge=0, le=999, description="bonus for gin")] = 40
    underknock_bonus: Annotated[int, Meta(ge=0, le=999, description="bonus for having less than the knocker")] = 10
    tie_underknocks: Annotated[bool, Meta(description="an opponent level with the knocker underknocks")] = False
    lay_off_on: Annotated[
        Literal["opponents", "knocker"], Meta(description="onto whose melds the others lay off after a knock")
    ] = "opponents"


SETUP, TURN, MELDING, ENDING = "Setup; Ending the hand", "Play of the hand", "Game play", "Ending the hand"
BREAK = "The break (when the stock runs out)"
RULES = Catalogue(
    "jersey-gin",
    rule("R1", TURN, DUTY, "The player left of the dealer begins; the turn goes round to the left.", "play in turn"),
    rule("R2", TURN, DUTY, "A turn begins with one card drawn, the top one of the stock or the top one of the "
         "discards; no player looks further down.", "draw one"),
    rule("R3", TURN, DUTY, "A turn ends with one discard from the hand.", "discard one"),
    rule("R4", MELDING, DUTY, "A run is three or more cards of one suit that follow each other; the ace stands below "
         "the two and nowhere else.", "run"),
    rule("R5", MELDING, DUTY, "A set is three or four cards of one rank.", "set"),
    rule("R6", MELDING, CONSEQUENCE, "A card counts in one meld only; the deadwood is the value of the cards outside "
         "melds.", "deadwood"),
    rule("R7", ENDING, DUTY, "A player who discards face down and knocks has at most ten points of "
         "deadwood.", "knock at ten"),
    rule("R8", ENDING, DUTY, "A player who declares gin has no deadwood.", "gin"),
    rule("R9", ENDING, DUTY, "The two who did not knock may lay off cards onto melds of their opponents; against gin "
         "there is no laying off.", "lay off"),
    rule("R10", BREAK, DUTY, "After the break no player knocks.", "no knock"),
    rule("R11", BREAK, DUTY, "After the break a discard is drawn only if it can be used in a meld at once.",
         "draw for a meld"),
    rule("R12", BREAK, DUTY, "After the break cards are laid off only onto melds on the table; the breaker "
         "finds none in the first turn.", "lay off onto melds"),
    rule("R13", BREAK, DUTY, "After the break melds are laid open, and the deadwood stays concealed until the count.",
         "conceal deadwood"),
    rule("R14", BREAK, CONSEQUENCE, "The hand ends when the stock is out and the player of its last card has "
         "discarded.",
         "stock out"),
    rule("R15", SETUP, DUTY, "Each player is dealt ten cards, and one card of the stock is turned up to begin the "
         "discards; after a hand the deal goes round to the left.",
         "the deal", {Deal: as_many_as_dealt, HandEvent: deal_passes_on}),
)  # fmt: skip

READINGS = {
    "Knocker and opponent level at the lowest count": "the knocker scores; option tie_underknocks",
    "Two opponents level below the knocker": "the one nearer the knocker's left has the underknock",
    "Onto whose melds cards are laid off": "those of any opponent, as at the break; option lay_off_on=knocker; own "
    "melds may always grow",
    "In which order the others lay down and lay off": "as they like, once the knocker's melds lie open; each is done "
    "by showing the rest",
    "Lay-offs and the underknock": "cards are laid off first, then the counts are compared once; the knocker never "
    "lays off",
    "Deadwood as laid down": "melds as they are on the table; the other cards shown count as little as melds among "
    "them allow; cards that were not laid off count",
    "The word underwood": "a slip for deadwood",
    "A tally with more deadwood than a knock or gin allows": "is of the hand as it was laid down; whether the cards "
    "had a better layout is open",
    "Gin with eleven cards": "a discard is needed only if not all of them are in melds; it may come before or after "
    "the word, also when it is the last of all",
    "A hand of no deadwood that is knocked": "is a knock, unless its player says gin",
    "The first upcard": "the first player may take it; it is offered to no other player",
    "Throwing back the card just taken": "allowed",
    "Looking through the discards": "moves no card, so only the table can tell: fault peek",
    "Who draws the card that leaves three in the stock": "may still knock in that turn; the restrictions begin with "
    "the breaker",
    "A knock above ten, a gin with deadwood": "the text has no penalty: it counts as it was made, until it is ruled on",
    "When a discard can be used in a meld": "with cards of the hand, with an own meld, or onto a meld on the table; "
    "whether it then is used is left to the player",
    "When melds are laid down after the break": "within the turn, or right after its discard, as the text says of the "
    "breaker",
    "Level at the lowest count when the stock is out": "the breaker wins; without the breaker the player to the "
    "breaker's left",
    "Lay-offs at the last count": "none; what was not laid off in a turn counts",
    "Who wins the game": "the highest final total with all bonuses; if level, the player who reached the target",
    "A hand won without points": "still counts as a box",
    "A hand broken off": "no points are scored; after a misdeal the same dealer deals again",
    "A draw that is not in the record": "was from the stock, unseen, and was not recorded, if the player still lays "
    "down, throws, knocks or says gin",
    "A record that writes draws from the stock as a rule, and misses one": "that one may have been from the discards: "
    "what only the count of the stock would break stays open",
    "An uncounted stock": "was out if, after a discard, a player lays down out of turn",
    "All cards laid down at once (meld *)": "are the melds that leave nothing over, if the cards are known and there "
    "are such melds; else one meld",
}


class Hand:
    """State of one hand of Jersey Gin.

    `player` is the seat on turn (empty after unrecorded acts). `begun` is True once a card was drawn or discarded,
    `drawn` once the player on turn has drawn. `thrown` is the last seat that discarded. `ending` is knock, gin or
    stock-out, and `by` the seat that knocked or went gin. `shown` has the seats that laid down their hands.
    `unwritten` has the seat of each unrecorded draw, `written` counts recorded draws from the stock: if few draws are
    missing, the stock may be higher than it seems, and the `breaker` come later.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.player, self.thrown, self.drawn, self.begun = first_turn("draw", state), "", False, False
        self.breaker, self.gap, self.written = "", False, 0
        self.unwritten: tuple[str, ...] = ()
        self.ending, self.by = "", ""
        self.shown: tuple[str, ...] = ()
        self.melds: dict[str, int] = {}


# Play of the hand
@RULES.check("R1", Draw, Discard, Meld, Call)
def play_in_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending or act.by == hand.player or not hand.player:
        return None
    if act.by == hand.thrown and not isinstance(act, Draw):
        return None  # laying melds or saying gin after the discard; a second discard is R3
    if isinstance(act, Meld) and perhaps_out(act.by, state):
        return unknown("whether the stock was out: its cards were not counted")
    return not_the_turn(hand.begun, state)


RULES.check("R2", Draw)(draws_from_top)


@RULES.check("R3", Discard)
def discard_one_card(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    after_gin = hand.ending == "gin" and discard.by == hand.by and hand.drawn
    if hand.ending and not after_gin and not perhaps_not_out(discard.by, state):
        return broken("no card may be discarded now")
    return one_discard(discard, state)


def draw_if_nobody_wrote_it(seat: str, before: str, state: State[Hand]) -> None:
    """Infer an unrecorded draw for a player who acts without one, as long as there is a stock."""
    hand, stock = state.hand, state.table.row("stock")
    if hand.ending or (hand.drawn and seat == hand.player) or seat == hand.thrown or not (stock.row or stock.vague):
        return
    draw_unseen(seat, f"before the {before}", state)
    has_drawn(seat, state)


def has_drawn(seat: str, state: State[Hand]) -> None:
    """Give the turn to the seat that has drawn, or has taken back its discard."""
    hand = state.hand
    hand.player, hand.thrown, hand.drawn, hand.begun = seat, "", True, True
    state.phase, state.turn = "break discard" if after_break(state) else "discard", (seat,)


def out_after_all(seat: str, state: State[Hand]) -> None:
    """If a seat lays down cards out of turn and the stock was not counted, infer that the stock was out."""
    if perhaps_out(seat, state):
        last = f"the discard of {state.hand.thrown}"
        state.infer(f"the stock was out after {last}, as {seat} lays down; it was not counted")
        lay_down(STOCK_OUT, state.hand.breaker, state)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    if state.hand.ending:
        not_out_after_all(draw.by, state)
    src = take_drawn(draw, state)
    if not state.hand.ending:
        state.hand.written += src.name == "stock"
        has_drawn(draw.by, state)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """A discard face up passes the turn to the left; face down it is a knock."""
    hand, seat, stock = state.hand, discard.by, state.table.row("stock")
    if hand.ending:
        not_out_after_all(seat, state)
    if not hand.drawn or seat != hand.player:
        draw_if_nobody_wrote_it(seat, "discard", state)
    throw(discard, state)
    hand.drawn = False
    if hand.ending:
        done_if_empty(seat, state)
        return
    hand.thrown, hand.begun = seat, True
    if discard.face == "down":
        lay_down("knock", seat, state)
    elif not stock.row and not hand.gap and not stock.vague:
        lay_down(STOCK_OUT, hand.breaker, state)
    else:
        next_turn(seat, state)


def next_turn(seat: str, state: State[Hand]) -> None:
    """Pass the turn to the left. The player on turn when three cards are left in the stock is the breaker."""
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
    """True if the break has come, or may have."""
    stock = state.table.piles.get("stock")
    return bool(state.hand.breaker) or state.hand.gap or (stock is not None and stock.vague)


def perhaps_later(state: State[Hand]) -> bool:
    """True if the break that seems to have come may not have, because a draw may be missing from the count of the
    stock."""
    return is_stock_uncounted(state) or missed_one(state)


# Game play: melds
@RULES.check("R4", Meld)
def runs_follow_each_other(meld: Meld, state: State[Hand]) -> CheckResult | None:
    return laid_right(meld, MELDS, state, "is not a run of one suit, three cards or more, the ace low", sets=False)


@RULES.check("R5", Meld)
def sets_are_of_one_rank(meld: Meld, state: State[Hand]) -> CheckResult | None:
    return laid_right(meld, MELDS, state, "is not three or four cards of one rank", sets=True)


def on_meld(meld: Meld, state: State[Hand]) -> None:
    hand = state.hand
    if meld.by != hand.thrown:
        out_after_all(meld.by, state)
    if meld.by == hand.player and after_break(state):
        draw_if_nobody_wrote_it(meld.by, "melds", state)
    lay_melds(meld, MELDS, state)
    done_if_empty(meld.by, state)


# Ending the hand: the knock, and gin
RULES.check("R7", TallyEvent)(too_much_told("knock", lambda options: KNOCK_LIMIT))
RULES.check("R8", TallyEvent)(too_much_told("gin", lambda options: 0))


def kept(discard: Discard, state: State[Hand]) -> tuple[int, int | None]:
    """Known cards kept at a discard, as a bag, and the number of unknown ones (None if the hand was not counted)."""
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
    return broken(f"{discard.by} knocks with {of_deadwood(points)}", bag, discard.by, together=True)


@RULES.check("R8", Call)
def gin_without_deadwood(call: Call, state: State[Hand]) -> CheckResult | None:
    hand, pile = state.hand, state.holding(call.by)
    if call.word != "gin":
        return None
    if hand.ending and not may_say_gin(call.by, hand):
        over = hand.ending == STOCK_OUT
        return broken("the stock is out, and the hand is over" if over else f"{hand.by} ended the hand")
    unwritten = not hand.ending and call.by == hand.player and not hand.drawn
    bag = pile.certain | pile.stays * unwritten
    if pile.vague or len(pile) + unwritten - PACK.count(bag) > unwritten:
        return unknown(f"the hand of {call.by} was not all seen")
    if unwritten and PACK.count(bag) == len(pile):
        # One of these is the card of the unrecorded draw.
        drawn = {left_with(bag | PACK.unit[c]) for c in PACK.codes(may_be_drawn(state) & ~bag)}
        if 0 in drawn and len(drawn) > 1:
            return unknown(f"which card {call.by} drew: not recorded")
        least = min(drawn, default=0)
    else:
        least = left_with(bag) if (hand.drawn and call.by == hand.player) or unwritten else MELDS.deadwood(bag)
    return broken(f"{call.by} has {of_deadwood(least)}", bag, call.by, together=True) if least else None


def left_with(bag: int) -> int:
    """Least deadwood of these cards, with or without one discard still to make."""
    return min(map(MELDS.deadwood, (bag, *(bag & ~PACK.unit[c] for c in PACK.codes(bag)))))


def may_say_gin(seat: str, hand: Hand) -> bool:
    """True if this seat may still say gin: before the hand has ended, as the knocker, or right after the last
    discard."""
    if hand.ending == STOCK_OUT:
        return seat == hand.thrown and not hand.shown
    return not hand.ending or seat == hand.by


def on_call(call: Call, state: State[Hand]) -> None:
    """Gin ends the play of the hand, or turns a knock or last discard just made into gin."""
    if call.word == "gin" and may_say_gin(call.by, state.hand):
        if call.by == state.hand.player:
            draw_if_nobody_wrote_it(call.by, "call", state)
        lay_down("gin", call.by, state)


def lay_down(ending: str, by: str, state: State[Hand]) -> None:
    """End the play. Hands are laid down, the knocker's first so that the others can lay off onto it."""
    hand = state.hand
    hand.ending, hand.by = ending, by
    state.phase = "count" if ending == STOCK_OUT else "show"
    hand.shown += without_cards((s for s in state.terms.seats if s not in hand.shown), state)
    set_seats_to_show(state)


def set_seats_to_show(state: State[Hand]) -> None:
    """Set the seats that must still lay down; if there are none, the hand is over."""
    hand = state.hand
    still_to_show(state.terms.around(state.terms.left(hand.by or state.dealer)), state)
    if hand.by in state.turn and hand.ending != STOCK_OUT:
        state.turn = (hand.by,)


def done_if_empty(seat: str, state: State[Hand]) -> None:
    """A player with no cards left has laid down."""
    done = state.hand.ending and not state.settled and without_cards((seat,), state)
    if done and shows_the_rest(seat, state.terms.seats, state):
        set_seats_to_show(state)


def on_show(show: Show, state: State[Hand]) -> None:
    """Showing cards. After the end, a player who shows the remaining cards has laid down."""
    show_cards(show, state)
    by, seats = show.by, state.terms.seats
    if state.number and not state.settled and by in seats:
        out_after_all(by, state)
    own = by if show.src in ("", hand_of(by)) else ""
    if state.number and state.hand.ending and shows_the_rest(own, seats, state):
        set_seats_to_show(state)


# Ending the hand: laying off
@RULES.check("R9", Meld, when="show")
def lay_off_onto_the_opponents(meld: Meld, state: State[Hand]) -> CheckResult | None:
    hand, owner = state.hand, meld_owner(meld.to)
    if not meld.to or owner == meld.by:
        return None
    if not on_table(meld.to, state):
        return no_such_meld(state)
    if hand.ending == "gin":
        return broken(f"{hand.by} went gin; no cards are laid off against it")
    if meld.by == hand.by:
        return broken("the knocker lays off no cards")
    if state.terms.options.lay_off_on == "knocker" and owner != hand.by:
        return broken("by the house rule cards are laid off onto the knocker's melds")
    return None


def no_such_meld(state: State[Hand], text: str = "there is no such meld on the table") -> CheckResult:
    """Verdict on cards laid onto a meld that is not on the table; unknown after a gap, when it may have been laid."""
    missing = "whether there was such a meld: acts are missing from the record"
    return unknown(missing) if state.hand.gap else broken(text)


# The break
@RULES.check("R10", Discard)
def no_knock_after_the_break(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if discard.face != "down" or hand.ending:
        return None
    if hand.breaker and not perhaps_later(state):
        return broken(f"the stock was down to three before the turn of {hand.breaker}; after that no player may knock")
    return unknown("how many cards the stock had left") if after_break(state) else None


@RULES.check("R11", Draw)
def a_discard_is_drawn_for_a_meld(draw: Draw, state: State[Hand]) -> CheckResult | None:
    if draw.src != "discard" or state.hand.ending or not after_break(state):
        return None
    code, pile = state.code(draw.cards), state.holding(draw.by)
    if code >= UNSEEN or perhaps_later(state):
        return unknown("the card was not seen" if code >= UNSEEN else "how many cards the stock had left")
    held, fits = pile.certain, [MELDS.fits(on_table(name, state), draw.cards) for name in meld_names(state)]
    partners = MELDS.partners(code)
    if True in fits or any(bag & held == bag for bag in partners):
        return None
    if None in fits or any(may_be_among(bag & ~held, pile) for bag in partners):
        return unknown(f"whether {draw.by} can use {PACK.shown(code)} in a meld")
    return broken(f"{PACK.shown(code)} makes no meld with the cards of {draw.by}", held, draw.by, together=True)


@RULES.check("R12", Meld)
def lay_off_onto_melds_on_the_table(meld: Meld, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not meld.to or hand.ending or on_table(meld.to, state):
        return None
    first = hand.breaker == meld.by and not meld_names(state)
    return no_such_meld(state, "there is no meld on the table yet" if first else "there is no such meld on the table")


@RULES.check("R13", Show)
def deadwood_stays_concealed(show: Show, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if state.settled or hand.ending or not hand.breaker or show.src not in ("", hand_of(show.by)):
        return None
    if perhaps_later(state):
        return unknown("how many cards the stock had left")
    return broken("deadwood is shown at the count, not before")


@RULES.check("R14", Draw, Meld, when="count")
def the_hand_ends_with_the_stock(act: Draw | Meld, state: State[Hand]) -> CheckResult | None:
    own = isinstance(act, Meld) and (not act.to or act.to.startswith(f"meld:{act.by}:"))
    if own or perhaps_not_out(act.by, state):
        return None
    return broken("the stock is out and the last discard made: the hand is over")


def on_taking_back(move: Move, state: State[Hand]) -> None:
    """A discard or knock that is taken back gives the turn back to that player."""
    on_move(move, state)
    hand = state.hand
    if takes_back_the_discard(move, state) and not hand.drawn:
        hand.ending = hand.by = ""
        has_drawn(hand.thrown, state)


# Scoring
class Tally(TallyFacts):
    """What a hand is scored from. If the stock ran out, `by` is the breaker; deadwood is counted after lay-offs."""

    ending: str = choice(
        "how the hand ended: knock, gin or stock-out", "knock", "gin", STOCK_OUT,
        ruling="how the hand counts as ended: knock, gin or stock-out",
    )  # fmt: skip
    by: str = seat("who knocked or went gin; the breaker if the stock ran out", ruling="who counts as the knocker")
    deadwood: Points = figures(
        "deadwood of a player after lay-offs", 0, DEAL.each * 10, rule="R6", ruling="deadwood that counts for a player"
    )

    laws = (Law(("deadwood",), no_hands_count("deadwood", MELDS.worth, DEAL.each), "R6"),)


WORDS = {
    "gin": "said (call gin): the hand has no deadwood",
    "knock": "typed for a discard face down",
    "peek": "fault: a player looked through the discards",
}


def deadwood(who: str, state: State[Hand]) -> int | None:
    """Deadwood of a player after melds and lay-offs; None if some cards were not seen."""
    pile = state.holding(who)
    return MELDS.deadwood(pile.certain) if pile.complete else None


def tally(state: State[Hand]) -> Tally:
    hand, seats = state.hand, state.terms.seats
    by_moves: Points = dict.fromkeys(seats)
    if hand.ending:
        by_moves = {s: deadwood(s, state) if s in hand.shown or state.settled else None for s in seats}
    t = apply_reported_facts(Tally(hand.ending, hand.by, by_moves), state)
    if t.ending == "gin" and t.by in seats and (state.tallies or t.deadwood[t.by] is None):
        t.deadwood[t.by] = 0
    return t


def winner_of(t: Tally, seats: tuple[str, ...], options: Options) -> str:
    """Seat that scores for the hand; "" if unknown.

    >>> winner_of(Tally("knock", "B", {"A": 5, "B": 9, "C": 5}), ("A", "B", "C"), Options())
    'C'
    >>> winner_of(Tally("stock-out", "B", {"A": 5, "B": 5, "C": 5}), ("A", "B", "C"), Options())
    'B'
    """
    if t.by not in seats or t.ending not in ("knock", "gin", STOCK_OUT):
        return ""
    if t.ending == "gin":
        return t.by
    counts = {s: n for s, n in t.deadwood.items() if n is not None}
    if len(counts) < len(seats):
        return ""
    # Order of precedence at the same lowest count: from the knocker or breaker round to the left.
    i = seats.index(t.by)
    order = seats[i:] + seats[:i]
    if t.ending == "knock" and options.tie_underknocks:
        order = order[1:] + order[:1]
    return min(order, key=lambda s: counts[s])


def score_tally(t: Tally, seats: tuple[str, ...], options: Options) -> tuple[Points, tuple[ScoreLine, ...]]:
    """Points of the hand, and the lines behind them.

    A knock with 9 against 11 and 14; then the same with an opponent at 4:

    >>> score_tally(Tally("knock", "A", {"A": 9, "B": 11, "C": 14}), ("A", "B", "C"), Options())[0]
    {'A': 7, 'B': 0, 'C': 0}
    >>> score_tally(Tally("knock", "A", {"A": 9, "B": 4, "C": 14}), ("A", "B", "C"), Options())[0]
    {'A': 0, 'B': 25, 'C': 0}
    """
    won = winner_of(t, seats, options)
    lines = [ScoreLine("deadwood", {s: t.deadwood.get(s) for s in seats})]
    if not won:
        return dict.fromkeys(seats), tuple(lines)
    least = t.deadwood[won] if t.ending != "gin" else 0
    gaps = [(t.deadwood.get(s), least) for s in seats if s != won]
    total = plus(*(None if more is None or less is None else more - less for more, less in gaps))
    gin = t.ending == "gin"
    sums = " + ".join(figure(more) if gin else f"({figure(more)} − {figure(less)})" for more, less in gaps)
    bonus = options.gin_bonus if gin else options.underknock_bonus * (t.ending == "knock" and won != t.by)
    nobody: Points = dict.fromkeys(seats, 0)
    lines.append(ScoreLine("differences", {**nobody, won: total}, {won: f"{sums} = {figure(total)}"}))
    if bonus:
        lines.append(ScoreLine("gin bonus" if gin else "underknock bonus", {**nobody, won: bonus}))
    lines.append(ScoreLine("box", {**nobody, won: 1}))
    return {**nobody, won: plus(total, bonus)}, tuple(lines)


class Match(Standing, frozen=True):
    """The standing, with the number of hands each player has won (boxes), which are paid at the end."""

    boxes: Points = field(default_factory=dict)


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play, as far as it is recorded; the last hand adds the bonuses of the game."""
    t, seats, options = tally(state), state.terms.seats, state.terms.options
    if nothing := counts_nothing(state, t.void, unfinished=not t.ending):
        return nothing
    points, lines = score_tally(t, seats, options)
    missing = [f"the deadwood of {s}" for s in seats if t.deadwood.get(s) is None]
    if t.by not in seats or t.ending not in ("knock", "gin", STOCK_OUT):
        missing.append("how the hand ended, and by whom")
    final = bonuses(add_points(state.before.totals, points), lines, state)
    for line in final:
        points = add_points(points, line.amounts)
    ended = in_words(t, winner_of(t, seats, options), state.terms)
    return hand_score(state, points, (*lines, *final), result=ended, notes=left_lying(t, state), unknown=missing)


def in_words(t: Tally, won: str, terms: Terms) -> str:
    """How the hand ended, and who won it, in words."""
    if t.ending == STOCK_OUT:
        return f"the stock is out, {terms.name(won)} wins" if won else "the stock is out"
    if t.ending not in ("knock", "gin") or t.by not in terms.seats:
        return t.ending
    ended = f"{terms.name(t.by)} {'knocks' if t.ending == 'knock' else 'goes gin'}"
    return ended if not won else f"{ended} and wins" if won == t.by else f"{ended}, {terms.name(won)} underknocks"


def bonuses(totals: Points, lines: tuple[ScoreLine, ...], state: State[Hand]) -> tuple[ScoreLine, ...]:
    """Lines for the game bonus and the boxes, in the hand that takes a player to the target; else empty.

    If a total is unknown, it may be unknown whether the game is over; then the bonuses are unknown too.
    """
    options = state.terms.options
    there = [s for s, n in totals.items() if n is not None and n >= options.target]
    boxes = boxes_after(state.before, lines)
    if not there and None in totals.values():
        perhaps: Points = {s: None if totals[s] is None or boxes.get(s) != 0 else 0 for s in totals}
        return (ScoreLine("if the game is over", perhaps, column="game"),)
    if not there:
        return ()
    bonus: Points = {s: None if n is None else options.game_bonus * (s in there) for s, n in totals.items()}
    reached = {s: f"{figure(totals[s])}, the target is {options.target}" for s in there}
    paid: Points = {s: None if n is None else n * options.box for s, n in boxes.items()}
    sums = {s: f"{n} × {options.box} = {figure(paid[s])}" for s, n in boxes.items() if n}
    return ScoreLine("game bonus", bonus, reached, "game"), ScoreLine("boxes", paid, sums, "game")


def boxes_after(before: Standing, lines: tuple[ScoreLine, ...]) -> Points:
    """Number of hands that each player has won, including the hand just played."""
    won: Points = before.boxes if isinstance(before, Match) else {}
    box = next((line for line in lines if line.label == "box"), None)
    return add_points(won, box.amounts if box else dict.fromkeys(won))


def left_lying(t: Tally, state: State[Hand]) -> Iterator[str]:
    """Notes on cards that could still have been laid off after a knock; they still count as deadwood."""
    hand, piles = state.hand, state.table.piles
    if state.tallies or hand.ending != "knock":
        return
    for who in state.terms.seats:
        pile = state.holding(who)
        if who == hand.by or not pile.complete or not pile.certain:
            continue
        targets = [piles[name] for name in meld_names(state) if meld_owner(name) in laid_off_on(who, state)]
        best = MELDS.best_laying_off(pile.certain, [target.certain for target in targets if target.complete])
        if best.deadwood < (t.deadwood[who] or 0):
            cards = pretty_all(PACK.cards(sum(best.off)))
            yield f"{state.terms.name(who)} could have laid off {cards} and been left with {best.deadwood}"


def laid_off_on(who: str, state: State[Hand]) -> tuple[str, ...]:
    """Seats onto whose melds a player may lay off after a knock."""
    if state.terms.options.lay_off_on == "knocker":
        return (state.hand.by,)
    return tuple(s for s in state.terms.seats if s != who)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. Reaching the target ends the game; the highest final total wins it."""
    assert isinstance(before, Match)
    totals = add_points(before.totals, hand.points)
    counts = hand.source != "void" and hand.notes[:1] != ("broken off; no points are scored",)
    boxes = boxes_after(before, hand.lines) if counts else before.boxes
    bonus = next((line.amounts for line in hand.lines if line.label == "game bonus"), None)
    winner = ""
    if bonus is not None and None not in totals.values():
        winner = max(totals, key=lambda s: (totals[s], bonus[s]))
    return replace(before, totals=totals, boxes=boxes, over=bonus is not None, winner=winner, hands=before.hands + 1)


# The sheet: deadwood and running score of each player, then the game with its bonuses
def of_the_game(s: HandScore) -> tuple[ScoreLine, ...]:
    """Lines of the game's bonuses, which are in the last hand."""
    return tuple(line for line in s.lines if line.column == "game")


def less(amount: int | None, s: HandScore, who: str) -> int | None:
    """An amount without the bonuses of the game; None if unknown."""
    for line in of_the_game(s):
        bonus = line.amounts[who]
        amount = None if amount is None or bonus is None else amount - bonus
    return amount


def won_in_the_hand(s: HandScore, who: str, state: State[Hand]) -> Cell:
    """Cell with the points of the hand itself and their sums; marked if the player won the hand."""
    points, sums, won = less(s.points[who], s, who), list[str](), False
    for line in s.lines:
        if line.column != "game":
            named = line.label if "bonus" in line.label and line.amounts[who] else ""
            sums += filter(None, (line.sums.get(who) or named,))
            won = won or (line.label == "box" and bool(line.amounts[who]))
    return Cell(figure(points), "; ".join(sums), "unknown" if points is None else "won" if won else "")


def total_before_bonuses(s: HandScore, who: str, state: State[Hand]) -> Cell:
    return Cell(figure(less(s.totals[who], s, who)), "", "total")


HANDS = ledger(
    {"result": result_text},
    {"{} left": figure_of_line("deadwood"), "{} ±": won_in_the_hand, "{}": total_before_bonuses},
)


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """The sheet: a row for each hand (ending, deadwood, points), then the bonus and the boxes."""
    hands, last = HANDS(state, empty), state.scores[-1:]
    final = of_the_game(last[0]) if last else ()
    if not final:
        return hands
    players, standing = state.terms.seats, state.standing
    game = [SheetRow((Cell("hands"), *(Cell(figure(less(last[0].totals[p], last[0], p))) for p in players)))]
    for line in final:
        cells = (Cell(figure(line.amounts[p]), line.sums.get(p, "")) for p in players)
        game.append(SheetRow((Cell(line.label), *cells)))
    totals = (Cell(figure(standing.totals[p]), "", "won" if p == standing.winner else "total") for p in players)
    game.append(SheetRow((Cell("total"), *totals), "total"))
    return replace(hands, blocks=(*hands.blocks, Block("Game", ("", *map(state.terms.name, players)), tuple(game))))


# What may be done now
def draws_in_turn(who: str, state: State[Hand]) -> Iterator[Event]:
    """Draws of the player on turn; the breaker, who may still lay melds then, draws nothing."""
    return draws(who, state) if state.hand.player in ("", who) else iter(())


def discards_owed(who: str, state: State[Hand]) -> Iterator[Event]:
    """Discards of a player who has drawn, also after going gin."""
    return try_discards(who, state) if state.hand.drawn and who in (state.hand.player, state.hand.by) else iter(())


def knocks(who: str, state: State[Hand]) -> Iterator[Event]:
    held = state.holding(who).certain
    for card in PACK.cards(held):
        if may_end_hand(held & ~PACK.unit_of[card]):
            yield Discard(by=who, cards=(card,), face="down")


def says_gin(who: str, state: State[Hand]) -> Iterator[Event]:
    hand = state.hand
    in_time = who == (hand.thrown if hand.ending == STOCK_OUT else hand.by) if hand.ending else True
    if in_time and hand.ending != "gin" and may_end_hand(state.holding(who).certain):
        yield Call(by=who, word="gin")


def lays(who: str, state: State[Hand]) -> Iterator[Event]:
    """Melds, and single cards laid onto melds on the table; during a turn one card is left for the discard."""
    if state.phase == "break draw" and state.hand.player in ("", who):
        return
    held = state.holding(who).certain
    cards = PACK.cards(held)
    most = len(cards) - (state.phase == "break discard")
    yield from (Meld(by=who, groups=(tuple(PACK.cards(m)),)) for m in MELDS.melds_in(held) if PACK.count(m) <= most)
    for name in meld_names(state) if most else ():
        lying = on_table(name, state)
        yield from (Meld(by=who, groups=((card,),), to=name) for card in cards if MELDS.fits(lying, (card,)))


def may_end_hand(cards: int) -> bool:
    """True if a player may consider ending the hand with these cards. With more deadwood it is never allowed."""
    return MELDS.deadwood(cards) <= 2 * KNOCK_LIMIT


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand. The top discard, if named, is drawn from the discard pile; another card named before a draw
    is the discard. Cards that are no meld alone go onto the melds they fit."""
    if isinstance(event, Call) and event.word == "knock":
        return (Discard(by=event.by, cards=event.cards or ("??",), face="down"),)
    if isinstance(event, Meld) and not event.to and len(event.groups) == 1 and len(event.groups[0]) < SHORTEST:
        fits = [name for name in meld_names(state) if MELDS.fits(on_table(name, state), event.groups[0])]
        return tuple(replace(event, to=name) for name in fits) or (event,)
    return as_drawn(event, state) if isinstance(event, Draw) else (event,)


def headline(state: State[Hand]) -> dict[str, Any]:
    """Height of the stock, top discard, breaker and how the hand ended, for the headline."""
    hand = state.hand
    above = (cards_lying("discard", state) or [UNSEEN])[-1]
    told: dict[str, Any] = {"stock": len(cards_lying("stock", state)), "discard": PACK.shown(above)}
    told |= {"breaker": hand.breaker} if hand.breaker else {}
    return told | ({hand.ending: hand.by} if hand.ending else {})


def last_outcome_text(state: State[Hand]) -> str:
    """Words for the break or the end of the play if it has just come, else ""."""
    hand = state.hand
    if hand.ending and not hand.shown:
        done = "goes gin" if hand.ending == "gin" else "knocks"
        return "the stock is out" if hand.ending == STOCK_OUT else f"{hand.by} {done}"
    if hand.breaker and state.phase == "break draw" and hand.player == hand.breaker and not meld_names(state):
        return f"the break: {hand.breaker} is the breaker"
    return ""


# Simulation: draw what helps, throw what costs, knock now and then, lay down what is best
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


AFTER_BREAK = (Discard, Draw, Meld, Call)
GAME = Game(
    key="jersey-gin", name="Jersey Gin", family="rummy", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "draw": Phase(
            "the draw", (Draw, Discard, Call),
            "a card drawn (. from the stock unseen, the top discard by name, draw 9h <stock if it was seen), "
            "or at once a discard",
            default_act=unseen_draw, to_do="draw", tries=(draws,),
        ),
        "discard": Phase(
            "the discard", (Discard, Draw, Call), "a discard (9h), a knock (knock, or discard down ??), or gin",
            to_do="discard", tries=(discards_owed, knocks, says_gin),
        ),
        "break draw": Phase(
            "the draw after the break", AFTER_BREAK, "a card drawn (. from the stock unseen, the top discard by name)",
            default_act=unseen_draw, to_do="draw", tries=(draws_in_turn, lays),
        ),
        "break discard": Phase(
            "the discard after the break", AFTER_BREAK,
            "melds (7c7d7h), cards laid off (meld 8c >meld:B:2), then a discard",
            to_do="discard", tries=(discards_owed, knocks, says_gin, lays),
        ),
        "show": Phase(
            "laying down", (Meld, Discard, Call),
            "melds (7c7d7h/4c5c6c), cards laid off (C meld 8c >meld:B:2), then the rest (A show 2hAs)",
            to_do="lay down", tries=(discards_owed, says_gin, lays, try_show_hand), bare_shows=True,
        ),
        "count": Phase(
            "the count", (Meld, Draw, Call), "melds, then the rest (A show 2hAs)",
            to_do="lay down", tries=(discards_owed, says_gin, lays, try_show_hand), bare_shows=True,
        ),
    },
    on={
        Draw: on_draw, Discard: on_discard, Meld: on_meld, Call: on_call, Show: on_show, Move: on_taking_back,
        Gap: after_gap("break draw", by="", breaker="", **TURN_UNKNOWN),
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(new_match=lambda terms: Match(dict.fromkeys(terms.sides, 0), boxes=dict.fromkeys(terms.sides, 0))),
    sheet=sheet,
    omissions=Omissions(always_written={"calls of gin": "the points of a hand without deadwood rest on the word"}),
    shorthand=Shorthand(
        expand=expand_shorthand,
        # Hands are shown one after another.
        implied_actor=lambda state, kind: state.turn[:1] if kind is Show else state.turn,
        is_one_act=lambda cards: len(cards) >= SHORTEST,
    ),
    display=Display(headline=headline, last_outcome_text=last_outcome_text),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
