"""Yaniv: sets and runs are thrown away, not kept; a player with five points or less may call, and is penalised if
another has fewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.cards import how_many, item
from events.model import Call, Cards, Deal, Discard, Draw, Event, Facts, Fault, Gap, Move, Show, Shuffle
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers.evolve import pile_named, is_for_next_hand
from reducers.page import (
    DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Omissions, Shorthand, Display, Simulation,
    HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts, Terms, add_points, as_many_as_dealt, broken,
    contract, counts_nothing, deal_passes_on, deals_next, figure, figures, hand_of, hand_score, on_move,
    apply_reported_facts, pack, pretty_all, read_by_the_page, result_text, rule, seat, shuffle_and_deal, singles,
    summary_of, turned_up, unknown, HouseRules, Joiner, in_play, lose_track,
)  # fmt: skip
from reducers.words.card_sums import no_hands_count
from reducers.words.deals import ensure_dealt, next_of, unseen_draw
from reducers.words.elimination import (
    LastOneLeft, UntilOneIsLeft, gone_with_the_hand, last_one_left, out_by_the_tally, out_of, out_of_the_game, still_in,
)  # fmt: skip
from reducers.words.draw_and_throw import take_from_top
from reducers.words.melds import GIN_WORTH
from reducers.words.rummy import (
    chance_turns_over, hand_count_bounds, draw_unseen, first_turn, not_the_turn, one_card, show_cards, try_show_hand,
    shows_the_rest, still_to_show, throw, top_code, turn_stock_over, turn_over_unwritten, value, without_cards,
)  # fmt: skip
from reducers.words.tallies import counts_from_tally, in_this_hand

# Setup: two jokers; with four or five players perhaps two packs
SEATS = singles(2, 3, 4, 5)
PACK = pack(jokers=2)
TWO_PACKS = pack(copies=2, jokers=4)
DEAL = DealSpec(each=5, then=(turned_up("discard"),), rest="stock")
UNSEEN = PACK.unknown  # the same in both packs, as they have the same faces

# Game play: points of a card left in the hand, and the order of ranks in a run; jokers count nothing
WORTH = tuple(GIN_WORTH.get(rank, 0) for rank in PACK.rank_of[:UNSEEN])
PLACE = {rank: i for i, rank in enumerate("A23456789TJQK")}
SHORTEST_RUN = 3


class Options(HouseRules, frozen=True):
    """House rules of Yaniv."""

    decks: Annotated[Literal[1, 2], Meta(description="packs of 54 that are played with")] = 1
    call_limit: Annotated[int, Meta(ge=0, le=50, description="most points in hand for a call of Yaniv")] = 5
    penalty: Annotated[int, Meta(ge=0, le=999, description="points for a call when another player has fewer")] = 30
    out_above: Annotated[int, Meta(ge=1, le=9999, description="a player with more points than this is out")] = 200
    resets: Annotated[
        str,
        Meta(
            pattern=r"^(none|\d+:\d+( \d+:\d+)*)$", description="scores that become another when hit exactly, or none"
        ),
    ] = "200:100 100:50"
    joiner: Joiner = "nothing"


TURN, OUT, GAME_OVER, SETUP = "Play of the hand", "Going out", "Ending the game", "Setup"
RULES = Catalogue(
    "yaniv",
    rule("R1", TURN, DUTY, "The player left of the dealer begins; the turn goes round to the left.", "play in turn"),
    rule("R2", TURN, DUTY, "In a turn cards are thrown first and one is drawn afterwards.", "throw, then draw"),
    rule("R3", TURN, DUTY, "A turn has one throw: a single card, one set, or one run.", "one throw"),
    rule("R4", TURN, DUTY, "A set is two or more cards of one rank; a joker stands for none of them.", "set"),
    rule("R5", TURN, DUTY, "A run is three or more cards of one suit that follow each other; the ace stands below the "
         "two and nowhere else.", "run"),
    rule("R6", TURN, RIGHT, "A joker may stand for any card of a run, inside it or at its end.", "joker in a run"),
    rule("R7", TURN, DUTY, "The cards of a run lie in numerical order; those of a set as the player likes.",
         "order of a run"),
    rule("R8", TURN, DUTY, "The card drawn is the top one of the stock, or the first or last of those that the player "
         "before threw.", "first or last"),
    rule("R9", TURN, DUTY, "Every turn without a call takes exactly one card.", "draw one"),
    rule("R10", OUT, DUTY, "Yaniv is called at the beginning of the player's turn, before cards are thrown.",
         "call first"),
    rule("R11", OUT, DUTY, "Whoever calls Yaniv has no more than five points in the hand.", "five or less"),
    rule("R12", TURN, DUTY, "Thrown cards come from the player's own hand.", "from the hand"),
    rule("R13", GAME_OVER, DUTY, "The deal passes to the left after a hand; a player who is out of the game gets no "
         "cards and takes no turn.", "out of the game", {HandEvent: deal_passes_on}),
    rule("R14", SETUP, DUTY, "Each player gets five cards, and one card is turned up.", "five each"),
)  # fmt: skip

READINGS = {
    "Somebody is level with the caller": "the call succeeds: no player has fewer",
    "The lower player after a failed call": "scores the points in hand, like all players",
    "A score that is reset twice": "one step a hand; a player who was reset to 100 and adds nothing is at exactly 100 "
    "again, and goes to 50",
    "How the exact score was reached": "does not matter, a penalty included",
    "A hand short of cards": "cards are missing from the record of the deal, and come up unseen; only too many are a "
    "fault of the dealer",
    "A turn taken out of turn": "counts as made; the player to the left of the taker goes on, unless it is taken "
    "back",
    "The first turn": "the card turned up is the throw of a player before: first and last at once",
    "Runs downwards": "numerical order too; the record keeps the order as thrown",
    "A joker at the end of a run": "allowed, and open to the next player; it stands neither below the ace nor above "
    "the king",
    "Several jokers in a run": "no limit, beside one natural card at least",
    "Two jokers as a pair": "no set, as they have no rank; a single joker may be thrown",
    "Two packs": "equal cards may lie in a set, not in a run; the text offers them to four and more, a table may take "
    "them with fewer",
    "The stock is out": "all thrown cards but the last throw and the one before it are shuffled to form a new stock; "
    "if this is not recorded, it is inferred with the next draw",
    "Everybody left goes out in one hand": "the lowest total among them wins; level, they share",
    "Calling in the first turn": "allowed with a hand of five or less",
    "Throwing the whole hand": "allowed; the player still draws",
    "A call above five": "the text has no penalty: it counts as it was made, until it is ruled on",
    "A throw that is neither a set nor a run": "one suit is judged as a run, one rank as a set, anything else as more "
    "than one throw",
    "Cards that are not in the hand": "the table itself names the contradiction; the recorder is suspected first",
    "A turn without a draw in the record": "the draw was from the stock, unseen, and was not recorded",
    "Saying Assaf": "not required; the hands shown decide",
    "A hand broken off": "no points are scored; after a misdeal the same dealer deals again",
}


class Hand:
    """State of one hand of Yaniv.

    `seats` play it. `player` is the seat on turn (empty after unrecorded acts), `due` the seat whose turn it was
    before `player` discarded out of turn. `thrown` and `drawn` say what was done in this turn, `before` is the seat
    that played last, `extra` the number of cards drawn too many. On top of the discard pile are `mine` cards of this
    turn, below them `last` cards of the player before, then `under` cards of the throw before that. `group` is the
    last throw as recorded, `taken` the place of the last card drawn. `blind` is True if the last throw is unknown.
    `written` counts recorded draws from the stock, `unwritten` has the seat of each inferred one.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.seats, self.player = state.game.dealing.playing(state), first_turn("turn", state)
        self.due = self.before = self.caller = ""
        self.thrown = self.drawn = self.blind = False
        # Before the first throw the card turned up may be taken.
        self.last, self.mine, self.under, self.extra = 1, 0, 0, 0
        self.group: Cards = ()
        self.taken: int | None = None
        self.shown: tuple[str, ...] = ()
        self.unwritten: tuple[str, ...] = ()
        self.written = 0


# Setup
RULES.check("R13", Deal, Discard, Draw, Call)(out_of_the_game)
RULES.check("R14", Deal)(as_many_as_dealt)


# Play of the hand: whose turn it is, and what comes first
def next_player_begins(act: Event, state: State[Hand]) -> bool:
    """True if the next player begins although the last one's draw or throw was not recorded."""
    hand = state.hand
    return hand.thrown != hand.drawn and act.by == next_of(hand.seats, hand.player, state.terms)


@RULES.check("R1", Discard, Draw)
def play_in_turn(act: Discard | Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not hand.player or act.by == hand.player or act.by in out_of(state):
        return None
    if isinstance(act, Discard) and next_player_begins(act, state):
        return None
    if isinstance(act, Draw) and act.by == hand.before and not hand.thrown:
        return None  # a second card for the turn just over breaks R9
    return not_the_turn(bool(hand.before) or hand.thrown or hand.drawn, state)


@RULES.check("R2", Draw)
def throw_then_draw(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if draw.by == hand.player and not hand.thrown and not hand.drawn:
        return broken(f"{draw.by} has thrown nothing yet")
    return None


@RULES.check("R9", Draw)
def draw_one_card(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if how_many(draw.cards) != 1:
        return broken("one card is drawn") if draw.cards == ("*",) else one_card(draw.cards, "drawn")
    if (draw.by == hand.player and hand.drawn) or (draw.by == hand.before != hand.player and not hand.thrown):
        return broken(f"{draw.by} has drawn already")
    return None


# Play of the hand: sets and runs
ANY_FAULT = ("", "R3", "R4", "R5", "R7")
MOST_WAYS = 3000  # two unseen cards are tried out, three are not


@lru_cache(maxsize=8192)
def fault_of(group: Cards, said: str = "") -> tuple[str, str] | None:
    """The rule that a throw breaks, and why; None for a single card, a set or a run. All faces are known; `said` are
    the cards as they were seen.

    >>> fault_of(("8d", "9d", "Td", "Jd")), fault_of(("5h", "Jo", "7h")), fault_of(("7c", "7d"))
    (None, None, None)
    >>> [fault_of(tuple(g.split()))[0] for g in ("7c 7d Jo", "Qs Ks As", "7c 9c 8c", "7c 7d 9h")]
    ['R4', 'R5', 'R7', 'R3']
    """
    items = [item(text) for text in group]
    natural = [it.card for it in items if it.card[:2] != "Jo"]
    n, said = len(group), said or pretty_all(group)
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
    # The cards at their places in the throw; an unnamed joker may stand for any card.
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
    """Rule and reason of everything that a throw may break; "" stands for a proper throw.

    Unseen cards are tried as each card they may be; with too many of them, any fault is possible.
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
            return dict.fromkeys(ANY_FAULT, "the cards were not counted")
        slots += [tuple(may_be)] * it.count
    if len(slots) == 1:
        return {"": ""}
    if prod(map(len, slots)) > MOST_WAYS:
        return dict.fromkeys(ANY_FAULT, "cards of it were not seen")
    found = map(partial(fault_of.__wrapped__, said=pretty_all(group)), product(*slots))
    return dict(why or ("", "") for why in found)


def judged_as_thrown(rule_id: str, discard: Discard, state: State[Hand]) -> CheckResult | None:
    """Verdict of one of the rules of sets and runs on a throw; None if it does not break that rule."""
    faults = faults_of(discard.cards)
    if rule_id not in faults:
        return None
    if len(faults) > 1:
        cards = pretty_all(discard.cards)
        what = f"whether {cards} is a set or a run" if "" in faults else f"which rule {cards} breaks"
        return unknown(f"{what}: not all of it was seen")
    return broken(faults[rule_id])


@RULES.check("R3", Discard)
def one_throw(discard: Discard, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if discard.by == hand.player and hand.thrown:
        return broken(f"{discard.by} has thrown already in this turn")
    return judged_as_thrown("R3", discard, state)


# Sets, runs and their order share the check of a throw.
for judged in ("R4", "R5", "R7"):
    RULES.check(judged, Discard)(partial(judged_as_thrown, judged))


@RULES.check("R6", Fault)
def jokers_belong_in_runs(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table objected to a joker in a run."""
    group = fault.cards or (state.hand.group if state.number else ())
    if fault.word != "joker" or len(group) < SHORTEST_RUN or all(item(c).card[:2] != "Jo" for c in group if c != "*"):
        return None
    right = faults_of(group).keys() == {""}
    return broken(f"{pretty_all(group)} is a run, and the joker may stand in it") if right else None


@RULES.check("R12", Discard)
def from_the_own_hand(discard: Discard, state: State[Hand]) -> CheckResult | None:
    if discard.src in ("", hand_of(discard.by)):
        return None
    return broken(f"the cards come from {discard.src.removeprefix('hand:')}, not from the hand of {discard.by}")


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Put the cards on the discard pile in the order thrown; the same player draws next."""
    hand, seat = state.hand, discard.by
    if hand.player and seat != hand.player and not hand.caller and seat in hand.seats:
        draw_unwritten(state)
    count = throw(discard, state)
    if hand.caller or seat not in hand.seats:
        return
    if seat != hand.player:
        hand.player, hand.due = seat, hand.player
    hand.thrown, hand.group, hand.taken, hand.extra = True, discard.cards, None, 0
    hand.mine += count
    if hand.drawn:
        end_turn(state)
    else:
        state.phase, state.turn = "draw", (seat,)


def draw_unwritten(state: State[Hand]) -> None:
    """Infer the missing half of a turn when play goes on: a draw is an unseen card."""
    hand, stock = state.hand, state.table.row("stock")
    if hand.thrown and not hand.drawn and (stock.row or shuffle_unwritten(state)):
        draw_unseen(hand.player, "after the discard", state)
    if hand.thrown or hand.drawn:
        end_turn(state)


def end_turn(state: State[Hand]) -> None:
    """Pass the turn to the left; the throw of this turn becomes the throw of the player before."""
    hand = state.hand
    hand.before, hand.player = hand.player, next_of(hand.seats, hand.player, state.terms)
    if hand.mine:  # else no throw was recorded, and the one before stays the last known
        hand.under, hand.last, hand.mine, hand.blind = hand.last, hand.mine, 0, False
    hand.thrown = hand.drawn = False
    hand.due = ""
    state.phase, state.turn = "turn", (hand.player,)


# Play of the hand: what may be drawn
def last_throw(state: State[Hand]) -> tuple[list[int], int]:
    """The discards from bottom to top, and the place where the throw of the player before begins."""
    pile = state.table.piles.get("discard")
    row = (pile.row or []) if pile is not None else []
    return row, max(0, len(row) - state.hand.mine - state.hand.last)


def open_ends(state: State[Hand]) -> list[int]:
    """Codes of the first and last card of the throw of the player before; one if it is a single card."""
    hand, (row, low) = state.hand, last_throw(state)
    lying = row[low : low + hand.last]
    return [lying[0], lying[-1]] if len(lying) > 1 else lying


@RULES.check("R8", Draw)
def first_or_last(draw: Draw, state: State[Hand]) -> CheckResult | None:
    src, code = draw.src or "stock", state.code(draw.cards)
    if src not in ("stock", "discard"):
        return broken("a card is drawn from the stock or from the throw of the player before")
    if how_many(draw.cards) != 1:
        return None
    if src == "discard":
        return from_the_last_throw(draw.by, code, state)
    pile, above = state.table.piles.get("stock"), top_code("stock", state)
    if pile is None or pile.vague or above == code or max(above, code) >= UNSEEN or code not in (pile.row or ()):
        return None
    return broken(f"{PACK.shown(code)} is not on top of the stock")


def from_the_last_throw(seat: str, code: int, state: State[Hand]) -> CheckResult | None:
    """Verdict on a card taken from the discard pile; None if it was at an end of the last throw."""
    hand, pack, (row, low), ends = state.hand, state.game.pack, last_throw(state), open_ends(state)
    if code < UNSEEN and code in ends:
        return None
    if hand.blind or code >= UNSEEN:
        return unknown("which card of the discards was taken")
    if hand.due:
        return unknown(f"it was not the turn of {seat}, so a throw before this may be missing from the record")
    card, inside, field = PACK.shown(code), list(row), pack.may_be[code]
    for end in ends:
        inside.remove(end)
    at_end = any(end >= UNSEEN and pack.may_be[end] & field for end in ends)
    if code not in inside and any(c >= UNSEEN and pack.may_be[c] & field for c in inside):
        return unknown(f"whether {card} was at an end of the last throw") if at_end else broken(f"{card} {NEITHER_END}")
    if code in inside and at_end and not pack.single:
        return unknown(f"which {card} was taken")
    if code not in inside:
        return None
    high = low + hand.last
    lay = "inside the last throw" if code in row[low:high] else "thrown earlier"
    lay = "thrown in this very turn" if code in row[high:] else lay
    to_be_had = f"to be had {'is' if len(ends) == 1 else 'are'} {' and '.join(map(PACK.shown, ends)) or 'nothing'}"
    return broken(f"{card} was {lay}; {to_be_had}")


NEITHER_END = "was at neither end of the last throw"


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Drawing a card ends the turn of a player who has thrown."""
    hand, table, seat = state.hand, state.table, draw.by
    src = pile_named(state, draw.src or "stock")
    if src.name == "stock" and not src.row and not src.vague:
        shuffle_unwritten(state)
    codes = table.codes(draw.cards, src)
    if src.name == "discard":
        for code in codes:
            take(code, seat, state)
    else:
        take_from_top(draw, state)
    if hand.caller or seat not in hand.seats:
        return
    hand.written += src.name == "stock"
    if not hand.player:
        hand.player, hand.thrown = seat, True  # what was thrown before was not recorded
    again = hand.drawn if seat == hand.player else seat == hand.before
    hand.extra += len(codes) if again else len(codes) - 1
    if seat == hand.player:
        hand.drawn = True
        if hand.thrown:
            end_turn(state)


def take(code: int, seat: str, state: State[Hand]) -> None:
    """Take a card from the discard pile: from an end of the last throw if it is there, else from anywhere."""
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
        # It is unknown which was taken, so none of the cards that may have been has a certain place now.
        table.mix([UNSEEN if i in found else c for i, c in enumerate(row)], pile, pile)
    table.take_at(found[0], code, pile, state.holding(seat))
    hand.taken = found[0]
    hand.last -= low <= found[0] < high
    hand.mine -= found[0] >= high


def places_of(code: int, row: Sequence[int], low: int, high: int) -> tuple[list[int], bool]:
    """Places of a card in the discard pile, the ends of the last throw (from `low` up to `high`) first, and True if
    it was seen there; else the places where it may be."""
    ends = [low, high - 1] if high > low else []
    order = dict.fromkeys([*ends, *range(low, high), *range(low - 1, -1, -1), *range(len(row) - 1, high - 1, -1)])
    # If cards were moved away, a throw may be recorded as longer than the pile.
    places = [i for i in order if 0 <= i < len(row)]
    exact = [i for i in places if row[i] == code < UNSEEN]
    return exact or [i for i in places if PACK.may_be[row[i]] & PACK.may_be[code]], bool(exact)


# The stock is out: older discards become the new one
def older(state: State[Hand]) -> int:
    """Number of discards below the last throw."""
    return last_throw(state)[1]


def shuffle_unwritten(state: State[Hand]) -> bool:
    """Infer a shuffle at a draw from an empty stock; return False if there is nothing to shuffle."""
    return not state.hand.blind and turn_over_unwritten(older(state), state)


def on_shuffle(shuffle: Shuffle, state: State[Hand]) -> None:
    """Discards become the new stock."""
    if not state.number or state.settled:
        return
    ensure_dealt(state)
    hand, pile = state.hand, turn_stock_over(shuffle, older(state), state)
    if pile is not None and pile.name == "discard":
        hand.mine = min(hand.mine, len(pile))
        hand.last = min(hand.last, len(pile) - hand.mine)


# Going out
@RULES.check("R10", Call)
def call_at_the_beginning_of_the_turn(call: Call, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if call.word != "yaniv" or call.by in out_of(state):
        return None
    if hand.caller:
        return broken(f"{hand.caller} has called, and the hands are laid open")
    if not hand.player or (call.by != hand.player and next_player_begins(call, state)):
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
    least, most = hand_count_bounds(call.by, WORTH, state)
    if least > limit:
        has = f"{least}" if least == most else f"at least {least}"
        text = f"{call.by} has {has} points in the hand, and {limit} are allowed"
        return broken(text, pile.certain, call.by, together=True)
    return None if most is not None and most <= limit else unknown(f"the hand of {call.by} was not all seen")


@RULES.check("R11", TallyEvent)
def five_or_less_by_the_tally(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    tallies, limit = in_this_hand(event.facts, state), state.terms.options.call_limit
    called = "" if is_for_next_hand(state) else state.hand.caller
    caller = next((str(f["caller"]) for f in reversed(tallies) if "caller" in f), called)
    total = counts_from_tally("total", tallies).get(caller, 0)
    said_before = counts_from_tally("total", tallies[:-1]).get(caller) == total and "caller" not in event.facts
    seen_before = caller and caller == called and hand_count_bounds(caller, WORTH, state)[0] > limit
    if total <= limit or said_before or seen_before:
        return None
    return broken(f"{caller} called with {total}, and {limit} are allowed")


RULES.check("R13", TallyEvent)(out_by_the_tally("caller", "total"))


def on_call(call: Call, state: State[Hand]) -> None:
    """Yaniv ends the play, and all lay their hands open. Assaf has no effect."""
    hand = state.hand
    if call.word != "yaniv" or hand.caller or call.by not in hand.seats:
        return
    if hand.player and call.by != hand.player and next_player_begins(call, state):
        draw_unwritten(state)
    hand.caller = call.by
    hand.shown = without_cards(hand.seats, state)
    lay_open(state)


def lay_open(state: State[Hand]) -> None:
    """Set the seats that must still show, from the caller round; if there are none, the hand is over."""
    hand = state.hand
    state.phase = "show"
    still_to_show((s for s in state.terms.around(hand.caller) if s in hand.seats), state)


def on_show(show: Show, state: State[Hand]) -> None:
    """After the call all players show what is left."""
    show_cards(show, state)
    hand, seat = state.hand, show.src.removeprefix("hand:") or show.by
    if state.number and hand.caller and shows_the_rest(seat, hand.seats, state):
        lay_open(state)


def on_taking_back(move: Move, state: State[Hand]) -> None:
    """A throw taken back, or a drawn card put back, may be done again."""
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
        return
    from_last = (move.src or hand_of(move.by)) == hand_of(hand.before) and not hand.thrown and not hand.drawn
    if to not in ("discard", "stock") or not from_last:
        return
    if hand.extra:
        hand.extra = max(0, hand.extra - (how_many(move.cards) or hand.extra))
        return
    # The draw that ended the last turn is undone: the card returns to its place.
    assert pile.row is not None
    if to == "discard" and hand.taken is not None:
        pile.row.insert(hand.taken, pile.row.pop())
        hand.under += 1
    hand.player, hand.before, hand.thrown, hand.taken = hand.before, "", True, None
    hand.mine, hand.last, hand.under = hand.last, hand.under, 0
    state.phase, state.turn = "draw", (hand.player,)


def lose_the_turn(state: State[Hand]) -> None:
    """After a gap the last throw is unknown, and any player may be on turn unless the hand was called."""
    if state.hand.caller:
        lose_track(state, last=0, mine=0)
    else:
        lose_track(state, "turn", last=0, mine=0, player="", before="", thrown=False, drawn=False, blind=True)


# Scoring
class Tally(TallyFacts):
    """What a hand is scored from. `least` is the least that a player has left, if that is all that is known."""

    caller: str = seat("who called Yaniv", ruling="who counts as the caller")
    total: Points = figures("points left in a player's hand", 0, DEAL.each * 10)
    least: Points = read_by_the_page({}, {})

    laws = (Law(("total",), no_hands_count("total", WORTH, DEAL.each), "R14"),)


WORDS = {
    "yaniv": "call: five points or less in the hand; the hands are laid open",
    "assaf": "said (call assaf): has fewer than the caller",
    "joker": "fault: the table objected to a joker in a run",
}


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    total: Points = dict.fromkeys(hand.seats)
    least: Points = {}
    for who in hand.seats if hand.caller else ():
        # Use the cards known by now, not those that later events prove: a score follows from the log so far.
        pile = state.holding(who)
        least[who] = value(pile.known, WORTH, state)
        total[who] = None if pile.covered or pile.vague else least[who]
    t = apply_reported_facts(Tally(hand.caller, total, least), state)
    t.total = {s: n for s, n in t.total.items() if s in hand.seats}
    return t


def failed(t: Tally) -> bool | None:
    """True if a player has fewer points than the caller; None if unknown.

    >>> [failed(Tally("A", {"A": 4, "B": n})) for n in (3, 4, None)]
    [True, False, None]
    """
    mine = t.total.get(t.caller)
    others = {s: n for s, n in t.total.items() if s != t.caller}
    if mine is None:
        return None
    if any(n is not None and n < mine for n in others.values()):
        return True
    return None if any(n is None and (t.least.get(s) or 0) < mine for s, n in others.items()) else False


def score_tally(
    t: Tally, options: Options, name: Callable[[str], str] = str
) -> tuple[Points, tuple[ScoreLine, ...], str]:
    """Points of the hand before any reset, the lines behind them, and its result in words.

    >>> score_tally(Tally("A", {"A": 4, "B": 17, "C": 4}), Options())[0]
    {'A': 0, 'B': 17, 'C': 4}
    >>> score_tally(Tally("A", {"A": 4, "B": 3, "C": 12}), Options())[0]
    {'A': 34, 'B': 3, 'C': 12}
    """
    line = ScoreLine("left in the hand", dict(t.total))
    if t.caller not in t.total:
        return dict.fromkeys(t.total), (line,), ""
    mine, beaten = t.total[t.caller], failed(t)
    scored = dict(t.total)
    if beaten is None:
        return {**scored, t.caller: None}, (line,), "open"
    if not beaten:
        made = ScoreLine("Yaniv", {t.caller: 0}, {t.caller: f"Yaniv with {figure(mine)}: 0"})
        return {**scored, t.caller: 0}, (line, made), "made"
    assert mine is not None
    lower = [s for s, n in t.total.items() if n is not None and n < mine]
    scored[t.caller] = mine + options.penalty
    sum_of = f"{mine} + {options.penalty} = {scored[t.caller]}"
    penalty = ScoreLine("penalty", {t.caller: options.penalty}, {t.caller: sum_of})
    return scored, (line, penalty), f"beaten by {' and '.join(map(name, lower))}"


@lru_cache(maxsize=64)
def resets_of(text: str) -> dict[int, int]:
    """Scores that change to another when a hand ends exactly on them.

    >>> resets_of("200:100 100:50"), resets_of("none")
    ({200: 100, 100: 50}, {})
    """
    return {} if text == "none" else {int(a): int(b) for a, b in (pair.split(":") for pair in text.split())}


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play, as far as it is recorded, resets included."""
    t, terms = tally(state), state.terms
    if nothing := counts_nothing(state, t.void, unfinished=not t.caller):
        return nothing
    points, lines, outcome = score_tally(t, terms.options, terms.name)
    missing = [f"what {terms.name(s)} had left" for s, n in t.total.items() if n is None]
    if t.caller not in t.total:
        missing.append("who called")
    resets = resets_of(terms.options.resets)
    reset = ScoreLine("reset", {}, {})
    for who, n in add_points(state.before.totals, points).items():
        to = resets.get(n) if n is not None and who in points else None
        if n is not None and to is not None:
            reset.amounts[who], reset.sums[who] = to - n, f"{n} → {to}"
            points[who] = (points[who] or 0) + to - n
    mine = t.total.get(t.caller)
    call = f"Yaniv by {terms.name(t.caller)}{'' if mine is None else f' with {mine}'}" if t.caller in t.total else ""
    lines = (*lines, reset) if reset.amounts else lines
    points = {**dict.fromkeys(terms.seats, 0), **points}
    return hand_score(state, points, lines, contract=call, result=outcome, unknown=missing)


def out_with(total: int, terms: Terms) -> bool:
    return bool(total > terms.options.out_above)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. Above 200 a player is out; the last one left wins, or the lowest if none is left."""
    totals, out = add_points(before.totals, hand.points), before.out if isinstance(before, LastOneLeft) else ()
    gone = tuple(s for s, n in totals.items() if n is not None and out_with(n, terms) and s not in out)
    return last_one_left(before, totals, gone, terms)


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """Missing fact of a result without moves: who called."""
    t = tally(state)
    if not t.void and t.caller not in t.total and None not in t.total.values():
        yield "who called", {s: {"caller": s} for s in t.total}


# The sheet: points and running total of each player, hand by hand, until one is left
def hits(name: str, step: str) -> str:
    score, _, becomes = step.partition(" → ")
    return f"{name} hit {score} exactly and goes to {becomes}"


SHEET = UntilOneIsLeft(
    once={"call": contract, "result": result_text}, out=out_with, changed="reset", why=hits, good="Yaniv"
)


# What may be done now
def calls_yaniv(who: str, state: State[Hand]) -> Iterator[Event]:
    if not state.hand.drawn:
        yield Call(by=who, word="yaniv")


def throws_or_mistakes(who: str, state: State[Hand]) -> Iterator[Event]:
    held = tuple(state.game.pack.cards(state.holding(who).certain))
    return (Discard(by=who, cards=cards) for cards in (*throws(held), *mistakes(held)))


def draws(who: str, state: State[Hand]) -> Iterator[Event]:
    """Draws; as wrong acts to try also of cards below the last throw."""
    tokens, (row, low) = state.game.pack.tokens, last_throw(state)
    if top_code("stock", state) >= 0:
        yield Draw(by=who, cards=(tokens[top_code("stock", state)],))
    for code in dict.fromkeys(reversed(row[max(0, low - 3) :])):
        yield Draw(by=who, cards=(tokens[code],), src="discard")


@lru_cache(maxsize=4096)
def throws(held: Cards) -> tuple[Cards, ...]:
    """Every single card, set and run among these cards, in every order in which it may be thrown."""
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
                places = [[*([f] if f in there else []), *(["Jo=" + f] if jokers else [])] for f in faces]
                for way in product(*places):
                    seen = sum(c[:2] != "Jo" for c in way)
                    if seen and n - len(jokers) <= seen:
                        runs += [way, way[::-1]]
    return tuple(dict.fromkeys(single + sets + runs))


@lru_cache(maxsize=4096)
def mistakes(held: Cards) -> tuple[Cards, ...]:
    """Plausible wrong throws: a joker in a set, two neighbours, a run in another order, two singles."""
    proper = throws(held)
    pairs = [t for t in proper if len(t) == 2]
    runs = [t for t in proper if len(t) > 2 and t[0][0] != t[1][0]]
    out: list[Cards] = [(*pairs[0], "Jo")] if pairs and "Jo" in held else []
    out += [(runs[0][1], runs[0][0], *runs[0][2:])] if runs else []
    out += [two for two in combinations(held, 2) if fault_of(two) is not None][:2]
    return tuple(t for t in out if fault_of(t) is not None)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a card named before a draw comes from the discard pile; if it is not there, it was thrown."""
    if isinstance(event, Draw) and not event.src and not any("?" in text or text == "*" for text in event.cards):
        row, _ = last_throw(state)
        return (replace(event, src="discard"),) if state.code(event.cards) in row else ()
    return (event,)


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none; after a throw, a throw or call is the next player's."""
    hand = state.hand
    if state.phase == "draw" and kind in (Discard, Call) and hand.thrown and not hand.drawn:
        return (next_of(hand.seats, hand.player, state.terms),)
    return state.turn[:1] if kind is Show and state.phase == "show" else state.turn


def headline(state: State[Hand]) -> dict[str, Any]:
    """Height of the stock, the discards that may be taken, the caller and the players out, for the headline."""
    hand, out, stock = state.hand, out_of(state), state.table.piles.get("stock")
    told: dict[str, Any] = {"stock": len(stock.row or ()) if stock is not None else 0}
    if hand.caller:
        told["Yaniv"] = hand.caller
    else:
        first, *others = [PACK.shown(code) for code in open_ends(state)] or [""]
        told["to take"] = f"{first} or {others[0]}" if others and others[0] != first else first
    if out:
        told["out"] = " ".join(out)
    return told


def last_outcome_text(state: State[Hand]) -> str:
    """Words for the call, or for players who go out with the hand."""
    hand = state.hand
    if hand.caller and not state.settled:
        return f"{hand.caller} calls Yaniv" if not hand.shown else ""
    return gone_with_the_hand(state)


# Simulation: throw what is worth most, draw low, call when allowed
def may_need_shuffle(state: State[Hand]) -> bool:
    """True if the stock is out and a player may draw from it."""
    return state.phase == "draw" and not state.table.row("stock").row and older(state) > 0


def chance(state: State[Hand], random: Random) -> list[Event]:
    return (
        chance_turns_over(older(state), state, random) if may_need_shuffle(state) else shuffle_and_deal(state, random)
    )


def weigh(state: State[Hand], event: Event) -> float:
    if isinstance(event, Call):
        return 40.0
    if isinstance(event, Discard):
        thrown = sum(WORTH[c] for c in state.table.codes(event.cards))
        return (1.0 + thrown) ** 3
    if isinstance(event, Draw):
        return 1.0 if not event.src else 6.0 / (1 + WORTH[state.code(event.cards)]) ** 2
    return 1.0


ACTS = (Discard, Draw, Call)
GAME = Game(
    key="yaniv", name="Yaniv", family="rummy", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=chance, chance_acts_first=may_need_shuffle,
        packs=lambda terms: TWO_PACKS if terms.options.decks == 2 else PACK, playing=still_in,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "turn": Phase(
            "the throw", ACTS, "a throw in its order (9h, 7c7d, d8910j, 5hJo7h), or yaniv", to_do="throw",
            tries=(calls_yaniv, throws_or_mistakes),
        ),
        "draw": Phase(
            "the draw", ACTS,
            "a card drawn (. from the stock unseen, the first or last of the last throw by name, draw 9h <stock if it "
            "was seen)",
            default_act=unseen_draw, to_do="draw", tries=(draws,),
        ),
        "show": Phase(
            "laying open", (Call,), "the hands from the caller round, one after the other (2hAs, or B s 2hAs)",
            to_do="show", tries=(try_show_hand,), bare_shows=True,
        ),
    },
    on={
        Discard: on_discard, Draw: on_draw, Call: on_call, Show: on_show, Shuffle: on_shuffle, Move: on_taking_back,
        Gap: in_play(lose_the_turn),
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: LastOneLeft(dict.fromkeys(terms.seats, 0)), fewest_lead=lambda terms: True,
        open_table=True,
    ),
    sheet=SHEET,
    omissions=Omissions(
        often_omitted_rules=frozenset(("R2",)),
        always_written={"calls of yaniv": "what the hand scores rests on who said it"}, missing=missing,
    ),
    shorthand=Shorthand(expand=expand_shorthand, implied_actor=implied_actor),
    display=Display(headline=headline, last_outcome_text=last_outcome_text),
    simulation=Simulation(weigh=weigh, most_hands=500),
)  # fmt: skip
