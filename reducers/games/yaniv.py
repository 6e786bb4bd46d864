"""Yaniv: sets and runs are thrown away, not kept; whoever has five points or less may call, unless somebody has fewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many, item, pack, pretty_all
from events.model import Call, Cards, Deal, Discard, Draw, Event, Fault, Gap, Move, Show, Shuffle
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers import facts as fact
from reducers.evolve import finish_hand, in_hand, on_move, pile_named, settle, tells_of_the_next
from reducers.evolve import on_show as common_show
from reducers.model import Game, Phase, State
from reducers.rules import DUTY, RIGHT, Catalogue, CheckResult, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, Standing, added, figure
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.tally import facts_declared
from reducers.terms import Terms, hand_of, singles
from reducers.words.deals import deal_passes_on, deal_the_rest, misdealt, no_more_than, unseen_draw
from reducers.words.melds import GIN_WORTH
from reducers.words.tallies import counts_from_tally, in_this_hand, readable, void_of, word_told

# Setup: two jokers; with four or five players perhaps two packs
SEATS = singles(2, 3, 4, 5)
PACK = pack(jokers=2)
TWO_PACKS = pack(copies=2, jokers=4)
CARDS_EACH = 5
UNSEEN = PACK.unknown  # the same in both packs, as they have the same faces

# Game play: what a card left in the hand counts, and how ranks follow each other in a run; jokers count nothing
WORTH = tuple(GIN_WORTH.get(rank, 0) for rank in PACK.rank_of[:UNSEEN])
PLACE = {rank: i for i, rank in enumerate("A23456789TJQK")}
SHORTEST_RUN = 3


class Options(Struct, frozen=True):
    """House rules of Yaniv."""

    decks: Annotated[Literal[1, 2], Meta(description="packs of 54 that are played with")] = 1
    call_limit: Annotated[int, Meta(ge=0, le=50, description="most points in the hand of whoever calls Yaniv")] = 5
    penalty: Annotated[int, Meta(ge=0, le=999, description="points for a call when somebody has fewer")] = 30
    out_above: Annotated[int, Meta(ge=1, le=9999, description="whoever has more points than this is out")] = 200
    resets: Annotated[
        str, Meta(pattern=r"^(none|\d+:\d+( \d+:\d+)*)$", description="scores that become another when hit exactly, or none")
    ] = "200:100 100:50"


RULES = Catalogue(
    "yaniv",
    rule("R1", "Play of the hand", DUTY, "The player left of the dealer begins; the turn goes round to the left.", "play in turn"),
    rule("R2", "Play of the hand", DUTY, "In a turn cards are thrown first and one is drawn afterwards.", "throw, then draw"),
    rule("R3", "Play of the hand", DUTY, "A turn has one throw: a single card, one set, or one run.", "one throw"),
    rule("R4", "Play of the hand", DUTY, "A set is two or more cards of one rank; a joker stands for none of them.", "set"),
    rule("R5", "Play of the hand", DUTY, "A run is three or more cards of one suit that follow each other; the ace stands below the two and nowhere else.", "run"),
    rule("R6", "Play of the hand", RIGHT, "A joker may stand for any card of a run, inside it or at its end.", "joker in a run"),
    rule("R7", "Play of the hand", DUTY, "The cards of a run lie in numerical order; those of a set as the player likes.", "order of a run"),
    rule("R8", "Play of the hand", DUTY, "The card drawn is the top one of the stock, or the first or last of those that the player before threw.", "first or last"),
    rule("R9", "Play of the hand", DUTY, "Every turn without a call takes exactly one card.", "draw one"),
    rule("R10", "Going out", DUTY, "Yaniv is called at the beginning of the own turn, before anything is thrown.", "call first"),
    rule("R11", "Going out", DUTY, "Whoever calls Yaniv has no more than five points in the hand.", "five or less"),
    rule("R12", "Play of the hand", DUTY, "What is thrown comes from the own hand.", "from the hand"),
    rule("R13", "Ending the game", DUTY, "The deal passes to the left after a hand; whoever is out of the game gets no cards and takes no turn.", "out of the game"),
    rule("R14", "Setup", DUTY, "Each player gets five cards, and one card is turned up.", "five each"),
)  # fmt: skip

READINGS = {
    "Somebody is level with the caller": "the call succeeds: nobody has fewer",
    "The lower player after a failed call": "scores what is in the hand, like everybody",
    "A score that is reset twice": "one step a hand; who was reset to 100 and adds nothing is at exactly 100 again, and goes to 50",
    "How the exact score was reached": "does not matter, a penalty included",
    "A hand short of cards": "cards are missing from the record of the deal, and come up unseen; only too many are a fault of the dealer",
    "A turn taken out of turn": "counts as made; the player to the left of whoever took it goes on, unless it is taken back",
    "The first turn": "the card turned up is the throw of a player before: first and last at once",
    "Runs downwards": "numerical order too; the record keeps the order as thrown",
    "A joker at the end of a run": "allowed, and open to the next player; it stands neither below the ace nor above the king",
    "Several jokers in a run": "no limit, beside one natural card at least",
    "Two jokers as a pair": "no set, as they have no rank; a single joker may be thrown",
    "Two packs": "equal cards may lie in a set, not in a run; the text offers them to four and more, a table may take them with fewer",
    "The stock is out": "all thrown cards but the last throw and the one before it are shuffled to be the new stock; where nobody wrote it, it is inferred with the next draw",
    "Everybody left goes out in one hand": "the lowest total among them wins; level, they share",
    "Calling in the first turn": "allowed with a hand of five or less",
    "Throwing the whole hand": "allowed; the player draws all the same",
    "A call above five": "the text has no penalty: it counts as it was made, until somebody rules",
    "A throw that is neither a set nor a run": "one suit is judged as a run, one rank as a set, anything else as more than one throw",
    "Cards that are not in the hand": "the table itself names the contradiction; the recorder is suspected first",
    "A turn without a draw in the record": "the draw was from the stock, unseen, and was not written",
    "Saying Assaf": "nobody has to; the hands shown decide",
    "A hand broken off": "nobody scores; after a misdeal the same dealer deals again",
}


class Hand:
    """One hand of Yaniv as it goes.

    `seats` play it; `player` is whose turn it is (empty where acts went by unrecorded), `due` whose it was before that
    player threw out of turn; `thrown` and `drawn` say what was done in it, `before` who played last, `extra` how many
    cards too many were drawn. `mine` counts the cards on top of the discards that were thrown in this turn,
    `last` those below that the player before threw, `under` those of the throw before that, as far as they still lie
    there; `group` is the last throw as written, `taken` the place from which the last card was drawn. `blind` says that
    nobody knows what was thrown last.
    """

    __slots__ = (
        "before", "blind", "caller", "drawn", "due", "extra", "group", "last", "mine", "player", "seats", "shown", "taken",
        "thrown", "under",
    )  # fmt: skip

    def __init__(self, seats: tuple[str, ...], first: str) -> None:
        self.seats, self.player, self.due, self.before, self.caller = seats, first, "", "", ""
        self.thrown = self.drawn = self.blind = False
        # Before the first throw the card turned up is the one to take.
        self.last, self.mine, self.under, self.extra = 1, 0, 0, 0
        self.group: Cards = ()
        self.taken: int | None = None
        self.shown: tuple[str, ...] = ()


class Match(Standing, frozen=True):
    """The standing with those who are out, in the order in which they went."""

    out: tuple[str, ...] = ()


def out_of(state: State[Any]) -> tuple[str, ...]:
    """Who is out of the game: by the hands before the one in play."""
    standing = state.standing if state.settled else state.before
    return standing.out if isinstance(standing, Match) else ()


def left_of(seat: str, terms: Terms, seats: tuple[str, ...]) -> str:
    """The next of these seats to the left.

    >>> left_of("A", Terms(("A", "B", "C"), {}, {}, {}, None, "C", {}), ("A", "C"))
    'C'
    """
    for _ in terms.seats:
        seat = terms.left(seat)
        if seat in seats:
            break
    return seat


def start(state: State[Hand]) -> Hand:
    """Before the deal nothing lies on the table; left of the dealer begins. Whoever is out does not play."""
    assert isinstance(state.before, Match)
    seats = tuple(s for s in state.terms.seats if s not in state.before.out)
    for seat in seats:
        state.table.bag(seat)
    first = left_of(state.dealer, state.terms, seats)
    state.phase, state.turn = "turn", (first,)
    return Hand(seats, first)


# Setup: five cards each, one turned up, the rest is the stock
def ready(state: State[Hand]) -> None:
    """Any act of play finds a hand dealt; what nobody wrote of the deal are unseen cards."""
    in_hand(state)
    if not state.acts:
        deal_the_rest(whole_deal(state.hand.seats), state)


def whole_deal(seats: tuple[str, ...]) -> dict[str, int]:
    return {**dict.fromkeys(seats, CARDS_EACH), "discard": 1}


@RULES.check("R13", Deal, Discard, Draw, Call)
def out_of_the_game(act: Deal | Discard | Draw | Call, state: State[Hand]) -> CheckResult | None:
    out = out_of(state)
    if not out:
        return None
    if isinstance(act, Deal):
        dealt = [s for s in out for name, _ in act.piles if name == hand_of(s)]
        return broken(f"{' and '.join(dealt)} went out before this hand and gets no cards") if dealt else None
    return broken(f"{act.by} went out before this hand") if act.by in out else None


RULES.check("R13", HandEvent)(deal_passes_on)


@RULES.check("R14", Deal)
def five_cards_each(deal: Deal, state: State[Hand]) -> CheckResult | None:
    return no_more_than(whole_deal(state.terms.seats), deal, state)


# Play of the hand: whose turn it is, and what comes first
def goes_on(act: Event, state: State[Hand]) -> bool:
    """Whether the next player begins although the last one's draw, or throw, was not written."""
    hand = state.hand
    return hand.thrown != hand.drawn and act.by == left_of(hand.player, state.terms, hand.seats)


@RULES.check("R1", Discard, Draw)
def play_in_turn(act: Discard | Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not hand.player or act.by == hand.player or act.by in out_of(state):
        return None
    if isinstance(act, Discard) and goes_on(act, state):
        return None
    if isinstance(act, Draw) and act.by == hand.before and not hand.thrown:
        return None  # a second card for the turn just over is R9
    return broken(f"it is the turn of {hand.player}" if hand.before or hand.thrown or hand.drawn else f"{hand.player} sits left of the dealer and begins")


@RULES.check("R2", Draw)
def throw_then_draw(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if draw.by == hand.player and not hand.thrown and not hand.drawn:
        return broken(f"{draw.by} has thrown nothing yet")
    return None


@RULES.check("R9", Draw)
def draw_one_card(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, count = state.hand, how_many(draw.cards)
    if count not in (1, None) or draw.cards == ("*",):
        return broken("one card is drawn")
    if count is None:
        return unknown("how many cards were drawn")
    if (draw.by == hand.player and hand.drawn) or (draw.by == hand.before != hand.player and not hand.thrown):
        return broken(f"{draw.by} has drawn already")
    return None


# Play of the hand: sets and runs
ANY_FAULT = ("", "R3", "R4", "R5", "R7")
MOST_WAYS = 3000  # two cards that nobody saw are tried out, three are not


@lru_cache(maxsize=8192)
def fault_of(group: Cards) -> tuple[str, str] | None:
    """The rule that cards thrown together break, and why; None for a single card, a set, a run. All faces are known.

    >>> fault_of(("8d", "9d", "Td", "Jd")), fault_of(("5h", "Jo", "7h")), fault_of(("7c", "7d"))
    (None, None, None)
    >>> [fault_of(tuple(g.split()))[0] for g in ("7c 7d Jo", "Qs Ks As", "7c 9c 8c", "7c 7d 9h")]
    ['R4', 'R5', 'R7', 'R3']
    """
    items = [item(text) for text in group]
    natural = [it.card for it in items if it.card[:2] != "Jo"]
    n, said = len(group), pretty_all(group)
    ranks, suits = {c[0] for c in natural}, {c[1] for c in natural}
    if n == 1:
        return None
    if not natural:
        return "R4", "jokers have no rank and make no set"
    if len(ranks) == 1 and (n == 2 or len(natural) > 1):
        return ("R4", f"{said}: a joker stands for no card of a set") if len(natural) < n else None
    if len(suits) > 1:
        return "R3", f"{said} is neither one set nor one run"
    if n < SHORTEST_RUN:
        return "R5", f"{said}: a run has three cards or more"
    # The cards at their places in the throw; a joker that nobody named may stand for any card.
    named = [(i, it.stands_for if it.card[:2] == "Jo" else it.card) for i, it in enumerate(items)]
    named = [(i, c) for i, c in named if c[:1] in PLACE]
    if any(c[1] not in (*suits, "?") for _, c in named):
        return "R5", f"{said} is not of one suit"
    places = [PLACE[c[0]] for _, c in named]
    if len(set(places)) < len(places) or max(places) - min(places) >= n or n > len(PLACE):
        return "R5", f"{said} does not follow each other, the ace low"
    for step in (1, -1):
        begins = {PLACE[c[0]] - step * i for i, c in named}
        if len(begins) == 1:
            first = begins.pop()
            if first in range(len(PLACE)) and first + step * (n - 1) in range(len(PLACE)):
                return None
    return "R7", f"{said} is not in numerical order"


@lru_cache(maxsize=1024)
def faults_of(group: Cards) -> dict[str, str]:
    """Rule and reason of everything that cards thrown together may break; "" stands for a proper throw.

    Unseen cards are tried as each card they may be; where that is too much, anything is possible.
    """
    slots: list[tuple[str, ...]] = []
    for text in group:
        it = item("??" if text == "*" else text)
        may_be = [text.rpartition("x")[2]]
        if "?" in it.card and it.stands_for:
            may_be = [f"Jo={it.stands_for}"]  # only a joker stands for another card
        elif "?" in it.card:
            may_be = [f for f in PACK.faces if PACK.field[PACK.code[f]] & PACK.may_be[PACK.code[it.card]]]
        if text == "*" or it.count is None:
            return dict.fromkeys(ANY_FAULT, "nobody counted the cards")
        slots += [tuple(may_be)] * it.count
    if len(slots) == 1:
        return {"": ""}
    if prod(map(len, slots)) > MOST_WAYS:
        return dict.fromkeys(ANY_FAULT, "cards of it were not seen")
    found = map(fault_of.__wrapped__, product(*slots))
    return dict(why or ("", "") for why in found)


def judged_as_thrown(discard: Discard, rule_id: str) -> CheckResult | None:
    """What one of the rules of sets and runs says about a throw."""
    faults = faults_of(discard.cards)
    if rule_id not in faults:
        return None
    if len(faults) > 1:
        what = f"whether {pretty_all(discard.cards)} is a set or a run" if "" in faults else f"which rule {pretty_all(discard.cards)} breaks"
        return unknown(f"{what}: not all of it was seen")
    return broken(faults[rule_id])


@RULES.check("R3", Discard)
def one_throw(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if discard.by == hand.player and hand.thrown:
        return broken(f"{discard.by} has thrown already in this turn")
    return judged_as_thrown(discard, "R3")


@RULES.check("R4", Discard)
def sets_are_of_one_rank(discard: Discard, state: State[Hand]) -> CheckResult | None:
    return judged_as_thrown(discard, "R4")


@RULES.check("R5", Discard)
def runs_follow_each_other(discard: Discard, state: State[Hand]) -> CheckResult | None:
    return judged_as_thrown(discard, "R5")


@RULES.check("R7", Discard)
def runs_lie_in_order(discard: Discard, state: State[Hand]) -> CheckResult | None:
    return judged_as_thrown(discard, "R7")


@RULES.check("R6", Fault)
def jokers_belong_in_runs(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table took it for a fault that a joker lay in a run."""
    group = fault.cards or (state.hand.group if state.number else ())
    if fault.word != "joker" or len(group) < SHORTEST_RUN or all(item(c).card[:2] != "Jo" for c in group if c != "*"):
        return None
    return broken(f"{pretty_all(group)} is a run, and the joker may stand in it") if faults_of(group).keys() == {""} else None


@RULES.check("R12", Discard)
def from_the_own_hand(discard: Discard, state: State[Hand]) -> CheckResult | None:
    if discard.src in ("", hand_of(discard.by)):
        return None
    return broken(f"the cards come from {discard.src.removeprefix('hand:')}, not from the hand of {discard.by}")


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """The cards lie on the discards in the order thrown; whoever threw them is to draw."""
    ready(state)
    hand, table, seat = state.hand, state.table, discard.by
    if hand.player and seat != hand.player and not hand.caller and seat in hand.seats:
        draw_unwritten(state)
    src = pile_named(state, discard.src or seat)
    codes = table.codes(discard.cards, src)
    table.move(codes, src, table.row("discard"))
    if hand.caller or seat not in hand.seats:
        return
    if seat != hand.player:
        hand.player, hand.due = seat, hand.player
    hand.thrown, hand.group, hand.taken, hand.extra = True, discard.cards, None, 0
    hand.mine += len(codes)
    if hand.drawn:
        end_turn(state)
    else:
        state.phase, state.turn = "draw", (seat,)


def draw_unwritten(state: State[Hand]) -> None:
    """The turn of the player passes without the rest of it being written: what is missing is an unseen card."""
    hand, stock = state.hand, state.table.row("stock")
    if hand.thrown and not hand.drawn and (stock.row or shuffle_unwritten(state)):
        state.table.move([UNSEEN], stock, state.holding(hand.player))
        state.infer(f"{hand.player} drew a card from the stock after the discard; nobody wrote it")
    if hand.thrown or hand.drawn:
        end_turn(state)


def end_turn(state: State[Hand]) -> None:
    """To the left: what was thrown in this turn is now the throw of the player before."""
    hand = state.hand
    hand.before, hand.player = hand.player, left_of(hand.player, state.terms, hand.seats)
    if hand.mine:  # else nobody wrote a throw, and the one before stays the last that is known
        hand.under, hand.last, hand.mine, hand.blind = hand.last, hand.mine, 0, False
    hand.thrown = hand.drawn = False
    hand.due = ""
    state.phase, state.turn = "turn", (hand.player,)


# Play of the hand: what may be drawn
def last_throw(state: State[Hand]) -> tuple[list[int], int]:
    """The discards bottom to top, and where among them the throw of the player before begins."""
    row = state.table.row("discard").row or []
    return row, max(0, len(row) - state.hand.mine - state.hand.last)


def open_ends(state: State[Hand]) -> list[int]:
    """The first and the last card of the throw of the player before, as codes; one if it is a single card."""
    hand, (row, low) = state.hand, last_throw(state)
    lying = row[low : low + hand.last]
    return [] if not lying else lying[:1] if len(lying) == 1 else [lying[0], lying[-1]]


@RULES.check("R8", Draw)
def first_or_last(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, src, code, table = state.hand, draw.src or "stock", state.code(draw.cards), state.table
    if src not in ("stock", "discard"):
        return broken("a card is drawn from the stock or from the throw of the player before")
    if how_many(draw.cards) != 1:
        return None
    pile = table.piles.get(src)
    row = pile.row if pile is not None and pile.row is not None else []
    if src == "stock":
        if pile is not None and row and not pile.vague and code < UNSEEN and row[-1] < UNSEEN and row[-1] != code and code in row:
            return broken(f"{PACK.shown(code)} is not on top of the stock")
        return None
    field = table.pack.may_be[code]
    ends = open_ends(state)
    if code < UNSEEN and code in ends:
        return None
    if hand.blind or code >= UNSEEN:
        return unknown("which card of the discards was taken")
    if hand.due:
        return unknown(f"it was not the turn of {draw.by}, so a throw before this may be missing from the record")
    card, inside = PACK.shown(code), list(row)
    for end in ends:
        inside.remove(end)
    at_end = any(end >= UNSEEN and table.pack.may_be[end] & field for end in ends)
    if code not in inside and any(c >= UNSEEN and table.pack.may_be[c] & field for c in inside):
        return unknown(f"whether {card} lay at an end of the last throw") if at_end else broken(f"{card} lay at neither end of the last throw")
    if code in inside and at_end and not table.pack.single:
        return unknown(f"which {card} was taken")
    if code in inside:
        _, low = last_throw(state)
        where = "thrown in this very turn" if code in row[low + hand.last :] else "inside the last throw" if code in row[low : low + hand.last] else "thrown earlier"
        return broken(f"{card} was {where}; to be had {'is' if len(ends) == 1 else 'are'} {' and '.join(map(PACK.shown, ends)) or 'nothing'}")
    return None


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """One card into the hand ends the turn of whoever has thrown."""
    ready(state)
    hand, table, seat = state.hand, state.table, draw.by
    src = pile_named(state, draw.src or "stock")
    if src.name == "stock" and not src.row and not src.vague:
        shuffle_unwritten(state)
    codes = table.codes(draw.cards, src)
    if src.name == "discard":
        for code in codes:
            take(code, seat, state)
    elif len(codes) == 1 and codes[0] != UNSEEN and src.row and src.row[-1] >= UNSEEN and table.pack.may_be[src.row[-1]] & table.pack.may_be[codes[0]]:
        table.take_at(len(src.row) - 1, codes[0], src, state.holding(seat))  # the top card, though its twin is seen below
    else:
        table.move(codes, src, state.holding(seat))
    if hand.caller or seat not in hand.seats:
        return
    if not hand.player:
        hand.player, hand.thrown = seat, True  # what was thrown before went by unrecorded
    again = hand.drawn if seat == hand.player else seat == hand.before
    hand.extra += len(codes) if again else len(codes) - 1
    if seat == hand.player:
        hand.drawn = True
        if hand.thrown:
            end_turn(state)


def take(code: int, seat: str, state: State[Hand]) -> None:
    """A card out of the discards: from an end of the last throw if it lies there, else wherever it lies."""
    hand, table, pile = state.hand, state.table, state.table.row("discard")
    row, low = last_throw(state)
    high = low + hand.last
    if code < UNSEEN and row.count(code) == 1:
        found, exact = [row.index(code)], True
    else:
        found, exact = places_of(code, row, low, high)
    if not found:
        table.move([code], pile, state.holding(seat))
        return
    if not exact and len(found) > 1:
        # Nobody saw which: from now on none of those that it may have been has a place that is certain.
        table.mix([UNSEEN if i in found else c for i, c in enumerate(row)], pile, pile)
    table.take_at(found[0], code, pile, state.holding(seat))
    hand.taken = found[0]
    hand.last -= low <= found[0] < high
    hand.mine -= found[0] >= high


def places_of(code: int, row: Sequence[int], low: int, high: int) -> tuple[list[int], bool]:
    """Where in the discards a card lies, the ends of the last throw (from `low` up to `high`) first, and whether it was
    seen there; else where it may lie."""
    ends = [low, high - 1] if high > low else []
    order = dict.fromkeys([*ends, *range(low, high), *range(low - 1, -1, -1), *range(len(row) - 1, high - 1, -1)])
    # A throw whose cards were moved away may be said to be longer than the pile is.
    places = [i for i in order if 0 <= i < len(row)]
    exact = [i for i in places if row[i] == code < UNSEEN]
    return exact or [i for i in places if PACK.may_be[row[i]] & PACK.may_be[code]], bool(exact)


# The stock is out: older discards become the new one
def older(state: State[Hand]) -> int:
    """How many discards lie below the last throw."""
    return last_throw(state)[1]


def shuffle_unwritten(state: State[Hand]) -> bool:
    """A draw from a stock that is out finds it shuffled anew; False if there is nothing to shuffle."""
    count = older(state)
    if state.hand.blind or not count:
        return False
    state.table.mix([UNSEEN] * count, state.table.row("discard"), state.table.row("stock"))
    state.infer(f"the stock was out: {count} discards were shuffled to be the new one; nobody wrote it")
    return True


def on_shuffle(shuffle: Shuffle, state: State[Hand]) -> None:
    """Discards become the new stock, in the order written, or in one that nobody knows."""
    if not state.number or state.settled:
        return
    ready(state)
    table, src, dst = state.table, pile_named(state, shuffle.src or "discard"), pile_named(state, shuffle.to or "stock")
    if shuffle.piles or src.row is None or dst.row is None:
        for name, cards in shuffle.piles:
            pile = pile_named(state, name)
            if pile.row is not None:
                table.mix(table.codes(cards, pile)[: len(pile.row)], pile, pile)
        return
    vague = how_many(shuffle.cards or ("*",)) is None
    codes = [UNSEEN] * (older(state) if src.name == "discard" else len(src)) if vague else table.codes(shuffle.cards, src)
    table.mix(codes, src, dst)
    if src.name == "discard":
        state.hand.mine = min(state.hand.mine, len(src))
        state.hand.last = min(state.hand.last, len(src) - state.hand.mine)


# Going out
def points(bag: int, state: State[Any]) -> int:
    """What these cards count in the hand."""
    return sum(WORTH[c] for c in state.table.pack.codes(bag))


def total_of(seat: str, state: State[Any]) -> tuple[int, int | None]:
    """At least and at most so many points are in a hand; None where nobody counted its cards."""
    pile, table = state.holding(seat), state.table
    known = points(pile.certain, state)
    if pile.complete:
        return known, known
    if pile.vague:
        return known, None
    # What is half known can be told apart only while later events name none of the cards.
    half = [] if pile.later else [[WORTH[c] for c in table.pack.codes(table.pack.may_be[h] & table.pack.full)] for h in pile.half]
    free, rest = sorted(WORTH[c] for c in table.pack.codes(table.free())), max(0, pile.hidden - len(half))
    least = sum(free[:rest]) + sum(map(min, half))
    return known + least, known + sum(free[len(free) - rest :] if rest else []) + sum(map(max, half))


@RULES.check("R10", Call)
def call_at_the_beginning_of_the_turn(call: Call, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if call.word != "yaniv" or call.by in out_of(state):
        return None
    if hand.caller:
        return broken(f"{hand.caller} has called, and the hands are laid open")
    if not hand.player or (call.by != hand.player and goes_on(call, state)):
        return None
    if call.by != hand.player:
        return broken(f"it is the turn of {hand.player}")
    if hand.thrown or hand.drawn:
        return broken(f"{call.by} has {'thrown' if hand.thrown else 'drawn'} already in this turn")
    return None


@RULES.check("R11", Call)
def five_or_less(call: Call, state: State[Hand]) -> CheckResult | None:
    limit, pile = state.terms.options.call_limit, state.holding(call.by)
    if call.word != "yaniv" or state.hand.caller or call.by in out_of(state):
        return None
    least, most = total_of(call.by, state)
    if least > limit:
        has = f"{least}" if least == most else f"at least {least}"
        return broken(f"{call.by} has {has} points in the hand, and {limit} are allowed", pile.certain, call.by, together=True)
    return None if most is not None and most <= limit else unknown(f"the hand of {call.by} was not all seen")


@RULES.check("R11", TallyEvent)
def five_or_less_by_the_tally(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    tallies, limit = in_this_hand(event.facts, state), state.terms.options.call_limit
    called = "" if tells_of_the_next(state) else state.hand.caller
    caller = next((str(f["caller"]) for f in reversed(tallies) if "caller" in f), called)
    total = counts_from_tally("total", tallies).get(caller, 0)
    said_before = counts_from_tally("total", tallies[:-1]).get(caller) == total and "caller" not in event.facts
    seen_before = caller and caller == called and total_of(caller, state)[0] > limit
    if total <= limit or said_before or seen_before:
        return None
    return broken(f"{caller} called with {total}, and {limit} are allowed")


@RULES.check("R13", TallyEvent)
def out_of_the_game_by_the_tally(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    there = [s for s in out_of(state) if s in counts_from_tally("total", [event.facts]) or s == event.facts.get("caller")]
    return broken(f"{' and '.join(there)} went out before this hand") if there else None


def on_call(call: Call, state: State[Hand]) -> None:
    """Yaniv ends the play: all lay their hands open. Assaf is only said."""
    ready(state)
    hand = state.hand
    if call.word != "yaniv" or hand.caller or call.by not in hand.seats:
        return
    if hand.player and call.by != hand.player and goes_on(call, state):
        draw_unwritten(state)
    hand.caller = call.by
    hand.shown = tuple(s for s in hand.seats if not len(state.holding(s)) and not state.holding(s).vague)
    lay_open(state)


def lay_open(state: State[Hand]) -> None:
    """Who is still to show, from the caller round; nobody: the hand is over."""
    hand = state.hand
    state.phase = "show"
    state.turn = tuple(s for s in state.terms.around(hand.caller) if s in hand.seats and s not in hand.shown)
    if not state.turn:
        finish_hand(state)


def on_show(show: Show, state: State[Hand]) -> None:
    """After the call everybody shows what is left."""
    common_show(show, state)
    hand, seat = state.hand, show.src.removeprefix("hand:") or show.by
    if not state.number or not hand.caller:
        return
    if state.settled:
        if not state.cut:
            settle(state)  # cards shown late may tell what was open
    elif seat in hand.seats and seat not in hand.shown:
        hand.shown = (*hand.shown, seat)
        lay_open(state)


def on_taking_back(move: Move, state: State[Hand]) -> None:
    """A throw taken back, or a drawn card put back, is open to be done again."""
    if not state.number or state.settled or state.hand.caller:
        on_move(move, state)
        return
    hand, pile = state.hand, state.table.row("discard")
    before, to = len(pile), move.to.rstrip("_")
    on_move(move, state)
    taken = before - len(pile)
    if move.src == "discard" and taken > 0:
        if hand.thrown and not hand.drawn:
            hand.mine = max(0, hand.mine - taken)
        else:
            hand.last = max(0, hand.last - taken)
        if hand.thrown and not hand.mine:
            hand.thrown = False
            hand.player, hand.due = hand.due or hand.player, ""
            state.phase, state.turn = "turn", (hand.player,)
    elif to in ("discard", "stock") and (move.src or hand_of(move.by)) == hand_of(hand.before) and not hand.thrown and not hand.drawn:
        if hand.extra:
            hand.extra = max(0, hand.extra - (how_many(move.cards) or hand.extra))
            return
        # The draw that ended the last turn is undone: the card lies again where it was taken.
        assert pile.row is not None
        if to == "discard" and hand.taken is not None:
            pile.row.insert(hand.taken, pile.row.pop())
            hand.under += 1
        hand.player, hand.before, hand.thrown, hand.taken = hand.before, "", True, None
        hand.mine, hand.last, hand.under = hand.last, hand.under, 0
        state.phase, state.turn = "draw", (hand.player,)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: who holds what, whose turn it is and what was thrown last, nobody can say."""
    if state.settled or not state.number:
        return
    ready(state)
    hand, table = state.hand, state.table
    for pile in (*map(state.holding, hand.seats), table.row("stock"), table.row("discard")):
        table.lose_sight(pile)
    hand.last = hand.mine = 0
    if not hand.caller:
        hand.player = hand.before = ""
        hand.thrown = hand.drawn = False
        hand.blind = True
        state.phase, state.turn = "turn", hand.seats


# Scoring
class Tally(Struct):
    """What a hand is scored from: who called, and what each player has left; `least` where only that is known."""

    caller: str = ""
    total: Points = {}
    least: dict[str, int] = {}
    void: str = ""


TALLY = {
    "caller": fact.somebody("who called Yaniv", "seat"),
    "total.*": fact.number("points left in a player's hand", 0, CARDS_EACH * 10),
    "void": fact.word("misdeal: the hand does not count"),
}
TRANSFERS = {"caller": "who counts as the caller"}
WORDS = {
    "yaniv": "call: five points or less in the hand; the hands are laid open",
    "assaf": "said (call assaf): has fewer than the caller",
    "joker": "fault: the table minded that a joker lay in a run",
    "misdeal": "end: the hand is dealt again",
    "void": "end: the hand does not count",
}


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` or a ruling says."""
    hand = state.hand
    t = Tally(hand.caller, dict.fromkeys(hand.seats), {}, void_of(state))
    if hand.caller:
        for seat in hand.seats:
            # What lies there by now, not what later events prove: a score is what the log so far comes to.
            pile = state.holding(seat)
            t.least[seat] = points(pile.known, state)
            t.total[seat] = None if pile.covered or pile.vague else t.least[seat]
    tallies = readable(state)
    for facts in (*tallies, *state.transfers):
        t.caller = word_told(facts, "caller", t.caller)
    t.total |= {s: n for s, n in counts_from_tally("total", tallies).items() if s in hand.seats}
    return t


def failed(t: Tally) -> bool | None:
    """Whether somebody has fewer points than the caller; None where it cannot be told.

    >>> [failed(Tally("A", {"A": 4, "B": n})) for n in (3, 4, None)]
    [True, False, None]
    """
    mine = t.total.get(t.caller)
    others = {s: n for s, n in t.total.items() if s != t.caller}
    if mine is None:
        return None
    if any(n is not None and n < mine for n in others.values()):
        return True
    return None if any(n is None and t.least.get(s, 0) < mine for s, n in others.items()) else False


def score_tally(t: Tally, options: Options) -> tuple[Points, tuple[Line, ...], str]:
    """Points of the hand before any reset, the lines behind them, and its result in words.

    >>> score_tally(Tally("A", {"A": 4, "B": 17, "C": 4}), Options())[0]
    {'A': 0, 'B': 17, 'C': 4}
    >>> score_tally(Tally("A", {"A": 4, "B": 3, "C": 12}), Options())[0]
    {'A': 34, 'B': 3, 'C': 12}
    """
    line = Line("left in the hand", dict(t.total))
    if t.caller not in t.total:
        return dict.fromkeys(t.total), (line,), ""
    mine, beaten = t.total[t.caller], failed(t)
    scored = dict(t.total)
    if beaten is None:
        return {**scored, t.caller: None}, (line,), "open"
    if not beaten:
        return {**scored, t.caller: 0}, (line, Line("Yaniv", {t.caller: 0}, {t.caller: f"Yaniv with {figure(mine)}: 0"})), "made"
    assert mine is not None
    lower = [s for s, n in t.total.items() if n is not None and n < mine]
    scored[t.caller] = mine + options.penalty
    penalty = Line("penalty", {t.caller: options.penalty}, {t.caller: f"{mine} + {options.penalty} = {scored[t.caller]}"})
    return scored, (line, penalty), f"beaten by {' and '.join(lower)}"


@lru_cache(maxsize=64)
def resets_of(text: str) -> dict[int, int]:
    """The scores that become another when a hand ends exactly on them.

    >>> resets_of("200:100 100:50"), resets_of("none")
    ({200: 100, 100: 50}, {})
    """
    return {} if text == "none" else {int(a): int(b) for a, b in (pair.split(":") for pair in text.split())}


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded, resets included."""
    t, terms = tally(state), state.terms
    nothing: Points = dict.fromkeys(terms.seats, 0)
    source = "tally" if state.tallies else "moves"
    if t.void:
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    if not state.settled and not state.tallies:
        return HandScore(state.number, state.dealer, "nothing", points=nothing, unknown=("the hand is in play",))
    if state.cut and not t.caller:
        return HandScore(state.number, state.dealer, source, result=state.cut, points=nothing, notes=("broken off; nobody scores",))
    points, lines, result = score_tally(t, terms.options)
    missing = [f"what {terms.name(s)} had left" for s, n in t.total.items() if n is None]
    if t.caller not in t.total:
        missing.append("who called")
    resets = resets_of(terms.options.resets)
    reset = Line("reset", {}, {})
    for seat, n in added(state.before.totals, points).items():
        to = resets.get(n) if n is not None and seat in points else None
        if n is not None and to is not None:
            reset.amounts[seat], reset.sums[seat] = to - n, f"{n} → {to}"
            points[seat] = (points[seat] or 0) + to - n
    mine = t.total.get(t.caller)
    contract = f"Yaniv by {terms.name(t.caller)}{'' if mine is None else f' with {mine}'}" if t.caller in t.total else ""
    lines = (*lines, reset) if reset.amounts else lines
    return HandScore(state.number, state.dealer, source, contract, result, lines, {**nothing, **points}, {}, (), tuple(missing))


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Above 200 a player is out; the last one left wins. If all go out at once, the lowest of them does."""
    assert isinstance(before, Match)
    totals = added(before.totals, hand.points)
    gone = tuple(s for s, n in totals.items() if n is not None and n > terms.options.out_above and s not in before.out)
    left = [s for s in terms.seats if s not in before.out and s not in gone]
    over, winner = len(left) <= 1, "".join(left[:1])
    if over and not left:
        lowest = min(totals[s] or 0 for s in gone)
        ahead = [s for s in gone if totals[s] == lowest]
        winner = ahead[0] if len(ahead) == 1 else ""
    return replace(before, totals=totals, over=over, winner=winner if over else "", hands=before.hands + 1, out=(*before.out, *gone))


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """What a result without its moves leaves open: who called."""
    t = tally(state)
    if not t.void and t.caller not in t.total and None not in t.total.values():
        yield "who called", {s: {"caller": s} for s in t.total}


def next_dealer(state: State[Hand]) -> str:
    """The deal goes round to the left, past those who are out; after a misdeal the same dealer deals again."""
    out = state.standing.out if isinstance(state.standing, Match) else ()
    return state.dealer if misdealt(state) else left_of(state.dealer, state.terms, tuple(s for s in state.terms.seats if s not in out))


# The sheet: what each player scored and the running total, hand by hand, until one is left
def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """A row a hand: who called and how it went, what was scored, the totals; who is out has no more figures."""
    players, rows = state.terms.seats, []
    out: set[str] = set()
    limit = state.terms.options.out_above
    for s in state.scores:
        if s.source == "nothing" and None not in s.points.values():
            continue
        lines = {line.label: line for line in s.lines}
        cells = [Cell(str(s.number)), Cell(state.terms.name(s.dealer)), Cell(s.contract or "–"), Cell(s.result or "–")]
        notes = list(s.notes)
        for p in players:
            if p in out:
                cells += [Cell("–"), Cell("–")]
                continue
            sums = [line.sums[p] for label, line in lines.items() if label != "reset" and p in line.sums]
            change = lines["reset"].amounts.get(p, 0) if "reset" in lines else 0
            scored, total = s.points.get(p), s.totals.get(p)
            plain = None if scored is None else scored - (change or 0)
            gone = total is not None and total > limit
            cells += [
                Cell(figure(plain), "; ".join(sums), "unknown" if plain is None else "won" if s.result == "made" and "Yaniv" in lines and p in lines["Yaniv"].amounts else ""),
                Cell(figure(total), lines["reset"].sums.get(p, "") if "reset" in lines else "", "crossed" if gone else "total"),
            ]
            if change:
                notes.append(f"{state.terms.name(p)} hit {lines['reset'].sums[p].partition(' ')[0]} exactly and goes to {total}")
            if gone:
                out.add(p)
                notes.append(f"{state.terms.name(p)} is out with {total}")
        rows.append(Row(tuple(cells), notes=tuple(notes)))
    heads = ("hand", "dealer", "call", "result", *(h for p in players for h in (f"{p} +", p)))
    shared = state.standing.over and not state.standing.winner
    remarks = (*empty.remarks, *(("The last players went out level, and share the win.",) if shared else ()))
    return replace(empty, blocks=(Block("Score", heads, tuple(rows)),), remarks=remarks)


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    hand, table = state.hand, state.table
    for seat in state.turn:
        if state.phase == "show":
            held = tuple(table.pack.cards(state.holding(seat).certain))
            if held:
                yield Show(by=seat, groups=(held,))
            continue
        if state.phase == "turn":
            if not hand.drawn:
                yield Call(by=seat, word="yaniv")
            held = tuple(table.pack.cards(state.holding(seat).certain))
            yield from (Discard(by=seat, cards=cards) for cards in (*throws(held), *mistakes(held)))
            continue
        stock = table.row("stock").row
        if stock:
            yield Draw(by=seat, cards=(table.pack.tokens[stock[-1]],))
        row, low = last_throw(state)
        # What lies below the last throw is not to be had, and tried all the same.
        for code in dict.fromkeys(reversed(row[max(0, low - 3) :])):
            yield Draw(by=seat, cards=(table.pack.tokens[code],), src="discard")


@lru_cache(maxsize=4096)
def throws(held: Cards) -> tuple[Cards, ...]:
    """Every single card, set and run among these cards, each in every order in which it may be thrown."""
    single: list[Cards] = [(card,) for card in held]
    jokers, natural = [c for c in held if c == "Jo"], [c for c in held if c != "Jo"]
    sets: list[Cards] = []
    for rank in dict.fromkeys(c[0] for c in natural):
        same = [c for c in natural if c[0] == rank]
        for n in range(2, len(same) + 1):
            sets += [p for some in combinations(same, n) for p in permutations(some)]
    runs: list[Cards] = []
    ranks = tuple(PLACE)
    for suit in dict.fromkeys(c[1] for c in natural):
        there = {c for c in natural if c[1] == suit}
        for n in range(SHORTEST_RUN, len(there) + len(jokers) + 1):
            for low in range(len(ranks) - n + 1):
                faces = [r + suit for r in ranks[low : low + n]]
                # Each place takes the card itself or a joker for it.
                for way in product(*([*([f] if f in there else []), *(["Jo=" + f] if jokers else [])] for f in faces)):
                    if n - len(jokers) <= sum(c[:2] != "Jo" for c in way) and any(c[:2] != "Jo" for c in way):
                        runs += [way, way[::-1]]
    return tuple(dict.fromkeys(single + sets + runs))


@lru_cache(maxsize=4096)
def mistakes(held: Cards) -> tuple[Cards, ...]:
    """Throws that come to mind and are none: a joker in a set, two neighbours, a run in another order, two singles."""
    proper = throws(held)
    pairs = [t for t in proper if len(t) == 2]
    runs = [t for t in proper if len(t) > 2 and t[0][0] != t[1][0]]
    out: list[Cards] = [(*pairs[0], "Jo")] if pairs and "Jo" in held else []
    out += [(runs[0][1], runs[0][0], *runs[0][2:])] if runs else []
    out += [two for two in combinations(held, 2) if fault_of(two) is not None][:2]
    return tuple(t for t in out if fault_of(t) is not None)


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """A card named where one is to be drawn comes from the discards; if it does not lie there, it was thrown."""
    if isinstance(event, Draw) and not event.src and not any("?" in text or text == "*" for text in event.cards):
        row, _ = last_throw(state)
        return (replace(event, src="discard"),) if state.code(event.cards) in row else ()
    return (event,)


def headline(state: State[Hand]) -> dict[str, Any]:
    """How high the stock is, which of the discards may be taken, who called, who is out."""
    hand, out = state.hand, out_of(state)
    told: dict[str, Any] = {"stock": len(state.table.row("stock"))}
    if not hand.caller:
        told["to take"] = " or ".join(dict.fromkeys(map(PACK.shown, open_ends(state))))
    return {**told, **({"Yaniv": hand.caller} if hand.caller else {}), **({"out": " ".join(out)} if out else {})}


def latest(state: State[Hand]) -> str:
    """The call, and who goes out with the hand."""
    hand = state.hand
    if hand.caller and not state.settled:
        return f"{hand.caller} calls Yaniv" if not hand.shown else ""
    if state.settled and isinstance(state.before, Match) and isinstance(state.standing, Match):
        gone = [s for s in state.standing.out if s not in state.before.out]
        return f"{' and '.join(gone)} out" if gone else ""
    return ""


# Simulation: throw what is worth most, draw low, call when it is allowed
def due(state: State[Hand]) -> bool:
    """The stock is out and somebody may want to draw from it."""
    return state.phase == "draw" and not state.table.row("stock").row and older(state) > 0


def chance(state: State[Hand], random: Random) -> list[Event]:
    if due(state):
        row, low = last_throw(state)
        old = [PACK.tokens[c] for c in row[:low]]
        random.shuffle(old)
        return [Shuffle(by="@", cards=tuple(old), src="discard", to="stock")]
    dealer = state.game.next_dealer(state) if state.number else state.terms.dealer
    out = out_of(state)
    seats = [s for s in state.terms.around(dealer) if s not in out]
    seats = seats[1:] + seats[:1] if seats[0] == dealer else seats
    cards = state.game.pack.cards(state.game.pack.full)
    random.shuffle(cards)
    n = CARDS_EACH * len(seats)
    return [
        HandEvent(by=dealer, number=state.number + 1),
        Deal(by="@", piles=tuple((hand_of(s), tuple(cards[CARDS_EACH * i : CARDS_EACH * (i + 1)])) for i, s in enumerate(seats))),
        Deal(by="@", face="up", piles=(("discard", (cards[n],)),)),
        Deal(by="@", face="down", piles=(("stock", tuple(cards[n + 1 :])),)),
    ]


def weigh(state: State[Hand], event: Event) -> float:
    if isinstance(event, Call):
        return 40.0
    if isinstance(event, Discard):
        thrown = sum(WORTH[c] for c in state.table.codes(event.cards))
        return (1.0 + thrown) ** 3
    if isinstance(event, Draw):
        return 1.0 if not event.src else 6.0 / (1 + WORTH[state.code(event.cards)]) ** 2
    return 1.0


TURN = (Discard, Draw, Call)
GAME = Game(
    key="yaniv",
    name="Yaniv",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="2 to 5, each alone",
    seating=SEATS,
    pack=PACK,
    packs=lambda terms: TWO_PACKS if terms.options.decks == 2 else PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=facts_declared(TALLY, rulings=TRANSFERS),
    words=WORDS,
    phases={
        "turn": Phase("the throw", TURN, "a throw in its order (9h, 7c7d, d8910j, 5hJo7h), or yaniv", to_do="throw"),
        "draw": Phase("the draw", TURN, "a card drawn (. from the stock unseen, the first or last of the last throw by name, draw 9h <stock if it was seen)", quiet=unseen_draw, to_do="draw"),
        "show": Phase("laying open", (Call,), "the hands from the caller round, a line each (s 2hAs, or B s 2hAs)", to_do="show"),
    },
    start=start,
    on={Discard: on_discard, Draw: on_draw, Call: on_call, Show: on_show, Shuffle: on_shuffle, Move: on_taking_back, Gap: on_gap},
    candidates=candidates,
    new_match=lambda terms: Match(dict.fromkeys(terms.seats, 0)),
    score=score,
    after=after,
    next_dealer=next_dealer,
    sheet=sheet,
    chance=chance,
    due=due,
    forgotten=frozenset(("R2",)),
    weigh=weigh,
    most_hands=500,
    hidden={"*": "owner", "stock": "nobody"},
    usual=usual,
    whose=lambda state, kind: state.turn[:1] if kind is Show and state.phase == "show" else state.turn,
    headline=headline,
    latest=latest,
    missing=missing,
)  # fmt: skip
