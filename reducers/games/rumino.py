"""Rumino: seven cards in melds of three or four, jokers wild; a player with seven points or less may knock, and seven
of a kind or in a row win the whole game."""

from __future__ import annotations

from collections.abc import Iterator, Callable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from events.model import Bet, Call, Cards, Deal, Discard, Draw, Event, Fault, Meld, Move, Pass, Pay, Show
from events.model import Tally as TallyEvent
from reducers.evolve import evolve
from reducers.evolve import on_tally as told_in_full
from reducers.page import (
    ensure_hand_started, settle, CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules,
    Judging, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, Standing, State,
    TallyFacts, Terms, as_many_as_dealt, broken, choice, counts_nothing, deals_next, figure, figures, HouseRules,
    Joiner, hand_score, not_all_seen, apply_reported_facts, pack, pretty, pretty_all, result_text, rule, seat, seats,
    singles, summary_of, turned_up, unasked, unknown, add_points, Block, Cell, Sheet, SheetRow, ensure_dealt,
)  # fmt: skip
from reducers.scoring import sum_of
from reducers.words.card_sums import no_hands_count
from reducers.words.draw_and_throw import (
    TURNS, DrawAndThrow, as_drawn, deal_or_renew, draw_a_card, draw_one_card, drawn_before_showing, draws_unseen,
    is_claim, on_taking_back, stock_and_discards, stock_is_due, throw_one_card, turn_by_turn, implied_drawer,
)  # fmt: skip
from reducers.words.elimination import (
    UntilOneIsLeft, gone_with_the_hand, out_by_the_tally, out_of, out_of_the_game, still_in, LastOneLeft, last_one_left,
)  # fmt: skip
from reducers.words.melds import GIN_WORTH, Melds
from reducers.words.rummy import (
    try_discards, draws, laid_right, lay_melds, meld_names, of_deadwood, meld_owner, show_cards, try_show_hand,
    shows_the_rest, still_to_show, too_much_told, top_code, without_cards,
)  # fmt: skip
from reducers.words.sheets import with_payments
from reducers.words.tallies import seats_in

# Setup
PACK = pack(copies=2, jokers=4)
DEAL = DealSpec(each=7, then=(turned_up("discard"),), rest="stock")
UNSEEN = PACK.unknown

# Game play: melds of three or four, the ace low; a joker stands for any card, and counts ten if it is left over
WORTH = {**GIN_WORTH, "Jo": 10}
MELDS = Melds(PACK, WORTH, suits_differ=False, longest=4, wild=("Jo",), most_wild=4, fewest_natural=0)
RUMINOS = Melds(PACK, WORTH, set_sizes=(7, 7), suits_differ=False, shortest=7, longest=7, wild=("Jo",), most_wild=4)


class Options(HouseRules, frozen=True):
    """House rules of Rumino."""

    stake: Annotated[int, Meta(ge=0, le=1_000_000, description="what each pays into the pool; 0: no money")] = 0
    rebuy: Annotated[bool, Meta(description="a player who is out may buy back in, if there is a pool")] = True
    knock_limit: Annotated[int, Meta(ge=0, le=70, description="most deadwood for a knock")] = 7
    gin_score: Annotated[int, Meta(ge=-999, le=0, description="points for going gin")] = -10
    out_at: Annotated[int, Meta(ge=1, le=9999, description="a player with this many points is out")] = 100
    gin_timing: Annotated[
        Literal["start_of_turn", "after_draw"],
        Meta(description="when gin is said: before drawing, or also with the card drawn, which is thrown"),
    ] = "start_of_turn"
    joiner: Joiner = "nothing"


SETUP, PLAY, OUT, RUMINO, END = "Setup", "Game play", "Going out", "Ruminos", "Ending the game"
RULES = Catalogue(
    "rumino",
    rule("R1", PLAY, DUTY, "The player left of the dealer begins; the turn goes round to the left.", "play in turn",
         {(Draw, Discard): turn_by_turn}),
    rule("R2", PLAY, DUTY, "In a turn one card is drawn, the top one of the stock or of the discards, and one is "
         "thrown.", "draw one, throw one", {Draw: draw_one_card, Discard: throw_one_card}),
    rule("R3", PLAY, DUTY, "A meld has three or four cards, and never more.", "three or four"),
    rule("R4", PLAY, DUTY, "A run is of one suit and in sequence; the ace stands below the two and nowhere else.",
         "run"),
    rule("R5", PLAY, RIGHT, "A joker may stand for any card of a meld.", "joker in a meld"),
    rule("R6", OUT, DUTY, "A player knocks at the beginning of the turn, before drawing, with seven points of "
         "deadwood or less.", "knock"),
    rule("R7", OUT, DUTY, "Whoever goes gin has no deadwood at all.", "gin"),
    rule("R8", RUMINO, DUTY, "A rumino is seven cards of one suit in sequence, or seven of a kind; jokers may be among "
         "them.", "rumino"),
    rule("R9", RUMINO, RIGHT, "The card just thrown may be claimed out of turn by another player who makes a rumino "
         "with it and six cards of the hand.", "claim"),
    rule("R10", END, DUTY, "A player with a hundred points or more is out of the game, but may buy back in.",
         "out at a hundred", {(Deal, Draw, Discard, Call): out_of_the_game}),
    rule("R11", END, DUTY, "To buy back in costs the stake, and twice as much every further time.", "price"),
    rule("R12", END, CONSEQUENCE, "Whoever buys back in has the highest score of an opponent under a hundred.",
         "score after a rebuy"),
    rule("R13", END, DUTY, "Nobody buys back in once only two players are left.", "two are left"),
    rule("R14", OUT, DUTY, "Nothing is laid off onto the melds of others.", "no laying off"),
    rule("R15", SETUP, DUTY, "Each player is dealt seven cards, and one card of the stock is turned up.",
         "seven each", {Deal: as_many_as_dealt}),
    rule("R16", END, CONSEQUENCE, "The last player under a hundred, or a player with a rumino, wins the game and all "
         "of the pool.", "the pool"),
    rule("R17", OUT, CONSEQUENCE, "After a knock each player adds their own deadwood: an ace counts one, face cards "
         "and jokers ten, any other card its number.", "deadwood"),
    rule("R18", OUT, CONSEQUENCE, "Whoever goes gin scores minus ten, and the others add their deadwood.",
         "what gin scores"),
)  # fmt: skip

READINGS = {
    "When is gin said?": "in place of a knock, so before drawing; option gin_timing",
    "A knock without any deadwood": "adds nothing; ten points off are for a player who says gin",
    "Equal cards in a set": "are allowed, as two packs are played with",
    "Jokers in a meld": "as many as there are; three or four of them are a meld of any kind",
    "A five-card run": "is melded with four of its cards, and the fifth counts; six in a row are two melds of three",
    "When is a rumino shown?": "at any time, also from the deal, and with eight cards in the hand; seven cards that "
    "are shown and are a rumino are one, called or not",
    "Six of a rumino and a card thrown": "may be claimed until the next player draws, who may also take it in turn",
    "Several claims on one card": "are recorded as made; the card goes to the nearest player after the thrower, until "
    "a player shows a rumino with it: that ends the game, so the first to show one has won",
    "The first upcard": "was not thrown by a player, so it is not claimed",
    "A claim that makes no rumino": "the card stays in that hand unless it is put back, and the turn goes on; the text "
    "has no penalty",
    "How a hand is scored": "with the least deadwood it has, however its melds were laid; a table that insists on "
    "another value writes a tally",
    "A knock above seven, a gin with deadwood": "the text has no penalty: it counts as it was made, until it is ruled "
    "on",
    "Exactly a hundred": "is out",
    "A score below nought": "stays",
    "Who buys back in?": "a player who has come to the limit with the hand just played, before the next is dealt; a "
    "player who does not is out for good",
    "Two players and one who is out": "that player may buy back in, as three are left then; once this was declined, "
    "no player may",
    "Several go out in one hand": "each may buy back in, in order behind the dealer, if at least three are in then; as "
    "the score is the same for all, another order breaks nothing",
    "Everybody left goes out in one hand": "no player is under a hundred, so the lowest total wins; level players "
    "share",
    "The deal": "goes round to the left, past those who are out",
    "The stock is out": "the discards but the top one are shuffled to form a new one; if this is not recorded, it is "
    "inferred with the next draw",
    "A draw that is not in the record": "was from the stock, unseen, if the player still throws",
    "A hand broken off": "no points are scored; after a misdeal the same dealer deals again",
}
WORDS = {
    "knock": "call: seven points or less; all hands are laid open",
    "gin": "call: no deadwood at all",
    "rumino": "call: seven of a kind, or of one suit in sequence; the game is won; cards: the seven",
    "joker": "fault: the table objected to a joker in a meld",
    "claim": "fault: the table refused a claim on the card just thrown",
}


CLAIMED = "claimed draw"
"""The phase after a claim of the discard, before the next player has drawn."""


class Hand(DrawAndThrow):
    """State of one hand of Rumino.

    `offered` is the seat whose discard may be claimed, `claimed` the code of a claimed card (-1: none), `claims` the
    seats that claimed it, and `keeper` the one that holds it. `joker` is True if the last meld was valid and had a
    joker. `rebuys` has the sums paid after the hand, `asked` the seats that have still to say.
    """

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, renewed=True)
        self.claimed, self.offered, self.keeper, self.joker = -1, "", "", False
        self.claims: tuple[str, ...] = ()
        self.melds: dict[str, int] = {}
        self.rebuys: dict[str, int] = {}
        self.asked: tuple[str, ...] = ()


# Game play: melds, laid out when the hand is over
@RULES.check("R3", Meld)
def three_or_four_cards(meld: Meld, state: State[Hand]) -> CheckResult | None:
    onto = [*codes_in(meld.to, state)] if meld.to else []
    for group in meld.groups:
        cards = [*onto, *group]
        if "*" not in "".join(cards) and not any("x" in c for c in cards) and not 3 <= len(cards) <= 4:
            return broken(f"{pretty_all(cards)}: a meld has three or four cards")
    return laid_right(meld, MELDS, state, "is not three or four cards of one rank", sets=True)


def codes_in(pile: str, state: State[Hand]) -> Iterator[str]:
    lying = state.table.piles.get(pile)
    return (PACK.tokens[code] for code in (lying.codes() if lying is not None else ()))


@RULES.check("R4", Meld)
def runs_follow_each_other(meld: Meld, state: State[Hand]) -> CheckResult | None:
    short = replace(meld, groups=tuple(g for g in meld.groups if 3 <= len(g) <= 4))
    if not short.groups:
        return None
    return laid_right(short, MELDS, state, "is not a run of one suit, the ace low", sets=False)


@RULES.check("R5", Fault)
def jokers_stand_for_any_card(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table objected to a joker in a valid meld."""
    if fault.word != "joker" or not state.number:
        return None
    right = bool(MELDS.is_meld(fault.cards)) and "Jo" in "".join(fault.cards) if fault.cards else state.hand.joker
    return broken("a joker stands for any card of a meld") if right else None


@RULES.check("R14", Meld)
def nothing_is_laid_off(meld: Meld, state: State[Hand]) -> CheckResult | None:
    owner = meld_owner(meld.to)
    if owner in ("", meld.by):
        return None
    return broken(f"the meld belongs to {owner}, and no cards are laid off in this game")


def on_meld(meld: Meld, state: State[Hand]) -> None:
    hand = state.hand
    lay_melds(meld, MELDS, state)
    hand.joker = any(MELDS.is_meld(group) and "Jo" in "".join(group) for group in meld.groups)
    done = hand.ending and not state.settled and without_cards((meld.by,), state)
    if done and shows_the_rest(meld.by, hand.seats, state):
        lay_down(state)


# Going out: the knock, and gin
@lru_cache(maxsize=1 << 16)
def least(bag: int) -> int:
    """Least deadwood of these cards.

    >>> least(PACK.bag("3h 4h 5h 6h 7h Kc Kd".split())), least(PACK.bag("7c 7c 7d Jo Qs Ks 2h".split()))
    (23, 2)
    """
    return MELDS.deadwood(bag)


@lru_cache(maxsize=1 << 14)
def left_with(bag: int) -> int:
    """Least deadwood of these cards after one discard."""
    return min((least(bag - PACK.unit[c]) for c in PACK.codes(bag)), default=0)


@RULES.check("R6", Call)
def knock_before_drawing(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "knock" or call.by in out_of(state):
        return None
    limit = state.terms.options.knock_limit
    return not_the_beginning(call, state) or too_much(call, state, least, limit, "knocks")


@RULES.check("R7", Call)
def gin_without_deadwood(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "gin" or call.by in out_of(state):
        return None
    hand = state.hand
    drawn = state.terms.options.gin_timing == "after_draw" and hand.drawn and call.by == hand.player and not hand.ending
    if not drawn and (early := not_the_beginning(call, state)) is not None:
        return early
    return too_much(call, state, left_with if drawn else least, 0, "goes gin")


def not_the_beginning(call: Call, state: State[Hand]) -> CheckResult | None:
    """Verdict on a call that does not come at the beginning of the player's own turn; None if it does."""
    hand = state.hand
    if hand.ending:
        return broken(f"{hand.by} has ended the hand")
    if not hand.player:
        return None
    if call.by != hand.player:
        return broken(f"it is the turn of {hand.player}")
    return broken(f"{call.by} has drawn already") if hand.drawn else None


def too_much(call: Call, state: State[Hand], count: Any, limit: int, done: str) -> CheckResult | None:
    """Verdict on a hand with more deadwood than `limit`; open if not all of it was seen, None if it has less."""
    pile = state.holding(call.by)
    if not pile.complete:
        return not_all_seen(pile)
    points = count(pile.certain)
    if points <= limit:
        return None
    return broken(f"{call.by} {done} with {of_deadwood(points)}", pile.certain, call.by, together=True)


RULES.check("R6", TallyEvent)(too_much_told("knock", lambda options: options.knock_limit))
RULES.check("R7", TallyEvent)(too_much_told("gin", lambda options: 0))


RULES.check("R10", TallyEvent)(out_by_the_tally("by", "deadwood"))


# Ruminos
MOST_HELD = DEAL.each + 3
"""The most cards in a hand unless the record is wrong; more would have too many sets of seven to check."""


@lru_cache(maxsize=1 << 14)
def has_rumino(cards: Cards) -> bool | None:
    """True if seven of these cards are a rumino; None if unseen cards decide it, or if no hand has as many cards.

    >>> has_rumino(tuple("7d 8d 9d Td Jo Qd Kd 2c".split())), has_rumino(tuple("7d 8d 9d Td Jd Qd Kc".split()))
    (True, False)
    >>> has_rumino(tuple("7d 7d 7h 7s 7s Jo ??".split())), has_rumino(tuple("Ad 2d 3d 4d 5d Kd Jo".split()))
    (None, False)
    """
    if len(cards) > MOST_HELD:
        return None
    answers = {RUMINOS.is_meld(seven) for seven in combinations(cards, 7)}
    return True if True in answers else None if None in answers else False


def held_by(who: str, state: State[Hand], *more: str) -> Cards:
    """The cards of a hand as written, "??" for unseen ones."""
    pile = state.holding(who)
    return tuple(sorted((*PACK.cards(pile.certain), *["??"] * max(0, pile.hidden), *more)))


@RULES.check("R8", Call)
def seven_that_belong_together(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "rumino" or call.by in out_of(state):
        return None
    hand, pile = state.hand, state.holding(call.by)
    if call.cards and has_rumino(tuple(sorted(call.cards))) is False:
        return broken(f"{pretty_all(call.cards)} is not a rumino")
    claimed = (PACK.tokens[hand.claimed],) if awaits(call.by, state) else ()
    has = None if pile.vague else has_rumino(held_by(call.by, state, *claimed))
    if has is False and not hand.drawn and call.by == hand.player and has_rumino(held_by(call.by, state, "??")) is None:
        return unknown(f"which card {call.by} drew is missing from the record")
    if has is False:
        return broken(f"{call.by} has no rumino", pile.certain, call.by, together=True)
    return None if has else unknown(f"the hand of {call.by} was not all seen")


def on_call(call: Call, state: State[Hand]) -> None:
    """A knock, gin or a rumino ends the hand; after a rumino only that hand is shown."""
    hand = state.hand
    if call.by not in hand.seats or call.word not in (("rumino",) if hand.ending else ("knock", "gin", "rumino")):
        return
    hand.ending, hand.by = call.word, call.by
    if call.word == "rumino":
        has_the_card_claimed(call.by, state)
    if call.word == "rumino" and call.cards:
        state.table.reveal(state.table.codes(call.cards), state.holding(call.by))
        hand.shown = (call.by,)
    lay_down(state)


def lay_down(state: State[Hand]) -> None:
    """The hands are laid open, first that of the player who ended the hand; after a rumino that one alone."""
    hand = state.hand
    state.phase = "show"
    order = [s for s in state.terms.around(hand.by) if s in hand.seats]
    hand.shown += without_cards((s for s in order if s not in hand.shown), state)
    still_to_show(order[:1] if hand.ending == "rumino" else order, state)
    if state.settled:
        ask_who_buys(state)


def on_show(show: Show, state: State[Hand]) -> None:
    """Show cards: the last act of a player in a hand. Seven cards that are a rumino end it at any time."""
    who = (show.src or show.by).removeprefix("hand:")
    cards = tuple(sorted(c for group in show.groups for c in group))
    if state.number and not state.settled and has_rumino(cards):
        has_the_card_claimed(who, state)
    if state.number and state.hand.ending != "rumino":  # a rumino is checked on its own
        drawn_before_showing(show, state)
    show_cards(show, state)
    if not state.number:
        return
    hand = state.hand
    if not state.settled and who in hand.seats and has_rumino(cards):
        hand.ending, hand.by = "rumino", who
    if hand.ending and shows_the_rest(who, hand.seats, state):
        lay_down(state)
    elif state.settled:
        ask_who_buys(state)


@RULES.check("R9", Draw)
def six_of_a_rumino(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.ending or draw.by not in hand.seats or not is_claim(draw, state):
        return None
    if draw.src != "discard":
        return broken("a card is claimed from the discards")
    if draw.by == hand.offered:
        return broken(f"{draw.by} threw the card")
    if hand.drawn or not hand.offered:
        return broken(f"{hand.player} has drawn by now" if hand.drawn else "no card has been thrown yet")
    code = hand.claimed if hand.claimed >= 0 else top_code("discard", state)
    if not PACK.may_be[state.code(draw.cards)] & PACK.may_be[code]:
        return broken(f"{pretty_all(draw.cards)} was not thrown last")
    pile = state.holding(draw.by)
    held = held_by(draw.by, state)
    makes = None if pile.vague else any_of(held[:i] + held[i + 1 :] + (PACK.tokens[code],) for i in range(len(held)))
    if makes is None:
        return unknown(f"the hand of {draw.by} was not all seen")
    if makes:
        return None
    return broken(f"{draw.by} has no six cards of a rumino with it", pile.certain, draw.by, together=True)


def any_of(hands: Iterator[Cards]) -> bool | None:
    """True if one of these hands has a rumino; None if unseen cards decide it."""
    answers = {has_rumino(tuple(sorted(cards))) for cards in hands}
    return True if True in answers else None if None in answers else False


@RULES.check("R9", Fault)
def a_claim_is_not_refused(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table refused a claim that makes a rumino."""
    if fault.word != "claim" or not state.number or not state.hand.claims:
        return None
    who = fault.who or state.hand.claims[-1]
    right = who in state.hand.claims and has_rumino(held_by(who, state))
    return broken(f"{who} makes a rumino with the card just thrown") if right else None


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Draw in turn, or claim a card: of several claimants the nearest one after the player who discarded it gets it."""
    hand = state.hand
    if hand.ending or draw.by not in hand.seats or not is_claim(draw, state) or hand.drawn:
        hand.claimed, hand.claims = -1, ()
        draw_a_card(draw, state)
        return
    table, discard = state.table, state.table.row("discard")
    if hand.claimed < 0:
        seen = table.code(draw.cards)
        hand.claimed = top_code("discard", state) if seen >= UNSEEN else seen
        table.move([hand.claimed], discard, state.holding(draw.by))
        hand.keeper = draw.by
    elif is_nearer(draw.by, hand.keeper, state):
        goes_to(draw.by, state)
    hand.claims = (*hand.claims, draw.by)
    state.phase, state.turn = CLAIMED, (hand.keeper, *(s for s in (hand.player,) if s != hand.keeper))


def has_the_card_claimed(who: str, state: State[Hand]) -> None:
    """If several claim a card, the first to show a rumino with it gets it."""
    if awaits(who, state):
        goes_to(who, state)


def goes_to(who: str, state: State[Hand]) -> None:
    hand = state.hand
    state.table.move([hand.claimed], state.holding(hand.keeper), state.holding(who))
    hand.keeper = who


def awaits(who: str, state: State[Hand]) -> bool:
    """True if a player has claimed a card that another claimant holds."""
    return who in state.hand.claims and state.hand.keeper != who


def is_nearer(who: str, than: str, state: State[Hand]) -> bool:
    """True if a player sits nearer than another one after the player who discarded the card."""
    order = state.terms.in_turn(state.hand.offered or state.dealer)
    return order.index(who) < order.index(than)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    TURNS[Discard](discard, state)
    hand = state.hand
    hand.claimed, hand.claims, hand.offered = -1, (), hand.thrown


def on_move(move: Move, state: State[Hand]) -> None:
    """Take back a discard, or put back a card that was claimed."""
    on_taking_back(move, state)
    hand = state.hand if state.number and not state.settled else None
    if hand is not None and hand.claims and move.to == "discard" and not hand.ending:
        hand.claimed, hand.claims = -1, ()
        state.phase, state.turn = "draw", (hand.player,)


PAID, BOUGHT = "paid in", "rebuy"
"""Labels of the score lines: payments for buying back in, and their effect on a total."""

REBUYS = "rebuys"
"""Phase after a hand in which players who are out may buy back in, and the key of that fact in a tally."""

FEWEST = 3
"""With fewer players than this left in the game there is no buying back in."""


class Pooled(LastOneLeft, frozen=True):
    """The standing, with each player's payments for buying back in; None for one that depends on an unknown total."""

    bought: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)


def is_out(total: int, terms: Terms) -> bool:
    """Return True if a player with this total is out."""
    return bool(total >= terms.options.out_at)


def price(seat: str, state: State[Hand]) -> int:
    """What it costs this player to buy back in after the hand just played."""
    before = state.before
    times = len(before.bought.get(seat, ())) if isinstance(before, Pooled) else 0
    stake: int = state.terms.options.stake
    return stake << times


def at_the_limit(state: State[Hand]) -> tuple[str, ...]:
    """The seats that reached the limit with the hand just played, and have not bought back in."""
    standing = state.standing
    gone = standing.out if state.settled and isinstance(standing, LastOneLeft) else ()
    order = state.terms.in_turn(state.terms.after(state.dealer))
    return tuple(s for s in order if s in gone and s not in out_before(state))


def out_before(state: State[Hand]) -> tuple[str, ...]:
    """The seats that were out before the hand just played."""
    return state.before.out if isinstance(state.before, LastOneLeft) else ()


def left_in(state: State[Hand]) -> tuple[str, ...]:
    """The seats that are still in the game after the hand just played."""
    return tuple(s for s in state.terms.seats if s not in out_of(state))


def may_buy_back(state: State[Hand]) -> tuple[str, ...]:
    """The seats that may buy back in now, in turn after the dealer."""
    options = state.terms.options
    if not state.number or not state.settled or not options.stake or not options.rebuy:
        return ()
    if len(left_in(state)) + 1 < FEWEST:
        return ()
    return tuple(s for s in at_the_limit(state) if s not in state.hand.rebuys)


def may_have_bought(seat: str, state: State[Hand]) -> bool:
    """Return True if an unknown total decides whether this seat is out, and so whether it buys back in."""
    if not state.number or not state.settled or seat not in left_in(state) or seat in state.hand.rebuys:
        return False
    return state.terms.options.stake > 0 and state.terms.options.rebuy and state.standing.totals[seat] is None


def puts_in(act: Bet | Pay) -> bool:
    """Return True if an act pays a stake into the pool: a bet, or a payment to the pot."""
    return isinstance(act, Bet) or (act.to == "pot" and not act.src)


@RULES.check("R10", Bet, Pay)
def only_who_is_out_buys(bet: Bet | Pay, state: State[Hand]) -> CheckResult | None:
    """A player who reached the limit in the last hand may buy back in; no other player may."""
    if not puts_in(bet) or not state.number or not state.settled or bet.by in at_the_limit(state):
        return None
    if bet.by in out_before(state):
        return broken(f"{bet.by} went out before this hand")
    if bet.by in state.hand.rebuys:
        return broken(f"{bet.by} has bought back in already")
    total = state.standing.totals.get(bet.by)
    if total is None:
        return unknown(f"what {bet.by} has, and so whether the limit is reached")
    return broken(f"{bet.by} has {figure(total)} points and is still in the game")


@RULES.check("R11", Bet, Pay)
def the_right_price(bet: Bet | Pay, state: State[Hand]) -> CheckResult | None:
    """The first rebuy costs the stake, each further one twice as much as the last."""
    if not puts_in(bet):
        return None
    stake, right = state.terms.options.stake, price(bet.by, state) if state.number else state.terms.options.stake
    if bet.amount == right:
        return None
    if isinstance(state.before, Pooled) and None in state.before.bought.get(bet.by, ()):
        return unknown(f"how often {bet.by} has bought back in: it depends on an unknown total")
    if not stake:
        return broken("the game is not played for money")
    if not state.number:
        return broken(f"the stake is {stake}")
    again = " this time" if right > stake else ""
    return broken(f"buying back in costs {bet.by} {right}{again}, not {bet.amount}")


@RULES.check("R13", Bet, Pay)
def enough_are_left(bet: Bet | Pay, state: State[Hand]) -> CheckResult | None:
    """There is no buying back in once two players are left."""
    options = state.terms.options
    if not puts_in(bet) or not state.number or not state.settled or bet.by not in at_the_limit(state):
        return None
    if options.stake and not options.rebuy:
        return broken("the house rule does not allow buying back in")
    left = left_in(state)
    if None in (state.standing.totals[s] for s in left):
        return unknown("who is still in the game")
    if len(left) + 1 >= FEWEST:
        return None
    who = f"only {' and '.join(left)} {'are' if len(left) > 1 else 'is'} left" if left else "no player is left"
    return broken(f"{who}, so buying back in is over")


def as_tally_check(
    check: Callable[[Bet | Pay, State[Hand]], CheckResult | None]
) -> Callable[[TallyEvent, State[Hand]], CheckResult | None]:
    """Adapt a check to rebuys that a tally reports, as if they were made after all the rest of the tally."""

    def told(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
        bought = seats_in(event.facts.get(REBUYS), state.terms)
        if not bought:
            return None
        after = state.copy()
        evolve(after, replace(event, facts={key: fact for key, fact in event.facts.items() if key != REBUYS}))
        results = (check(Bet(by=who, amount=price(who, after) or 1), after) for who in bought)
        return next((result for result in results if result is not None), None)

    return told


for id, check in (("R10", only_who_is_out_buys), ("R11", the_right_price), ("R13", enough_are_left)):
    RULES.check(id, TallyEvent)(as_tally_check(check))


@RULES.check("R16", Pay)
def the_pool_goes_to_the_winner(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """The whole pool is paid out, to the winner of the game."""
    if pay.src != "pot":
        return None
    to, winner = pay.to.removeprefix("hand:") or pay.by, state.standing.winner
    if not state.standing.over:
        return broken("the game is not over, so the pool is not paid out")
    if winner and to != winner:
        return broken(f"{winner} won the game and takes the pool")
    whole = in_the_pool(state)
    if whole is None:
        return unknown("what is in the pool: an unknown total decides who has bought back in")
    return None if not winner or pay.amount == whole else broken(f"the pool is {whole}, not {pay.amount}")


def buys_back(bet: Bet | Pay, state: State[Hand]) -> None:
    """Apply a rebuy: a player who is out pays and is in again."""
    if puts_in(bet) and (bet.by in may_buy_back(state) or may_have_bought(bet.by, state)):
        state.hand.rebuys = {**state.hand.rebuys, bet.by: bet.amount}
        settle(state)
        ask(tuple(s for s in state.hand.asked if s != bet.by), state)


def lets_it_go(act: Pass, state: State[Hand]) -> None:
    """Apply a pass: a player who is out stays out."""
    if state.phase == REBUYS:
        ask(tuple(s for s in state.hand.asked if s != act.by), state)


def ask_who_buys(state: State[Hand]) -> None:
    """Ask those who may buy back in, in turn after the dealer, and those for whom an unknown total decides it; the
    hand is over nevertheless."""
    in_turn, may = state.terms.in_turn(state.terms.after(state.dealer)), may_buy_back(state)
    ask(() if state.ended else tuple(s for s in in_turn if s in may or may_have_bought(s, state)), state)


def ask(seats: tuple[str, ...], state: State[Hand]) -> None:
    """Ask these seats, one after the other, whether they buy back in; with none the next hand comes."""
    state.hand.asked = seats
    state.phase, state.turn = REBUYS if seats else "between", seats[:1]


def the_next_hand_begins(state: State[Hand], act: Event) -> None:
    """Begin the next hand if an act of play shows that the players asked did not buy back in."""
    if state.phase == REBUYS and not isinstance(act, Bet | Pass):
        ensure_hand_started(state)


def bought_back(points: Points, rebuys: Mapping[str, int], state: State[Hand]) -> tuple[Points, tuple[ScoreLine, ...]]:
    """The points of a hand after all legal rebuys, and the score lines for them."""
    terms, out = state.terms, out_before(state)
    totals, options = add_points(state.before.totals, points), terms.options
    under = {s: n for s, n in totals.items() if s not in out and (n is None or not is_out(n, terms))}
    if not options.stake or not options.rebuy or len(under) + 1 < FEWEST:
        return points, ()
    change, steps, paid = Points(), dict[str, str](), Points()
    for who, amount in rebuys.items():
        total = totals.get(who)
        others = [n for s, n in under.items() if s != who]
        if who in out or not others or (total is not None and not is_out(total, terms)):
            continue
        to = None if None in others else max(n for n in others if n is not None)
        change[who] = None if to is None or total is None else to - total
        steps[who], paid[who] = f"{figure(total)} → {figure(to)}", None if total is None else amount
        points = {**points, who: None if to is None or total is None else to - (state.before.totals[who] or 0)}
    lines = (ScoreLine(BOUGHT, change, steps), ScoreLine(PAID, paid, column="pool")) if paid else ()
    return points, lines


def left_after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """The standing after a hand: seats that are out, seats that bought back in, and whether the game is over."""
    totals, paid = add_points(before.totals, hand.points), score_line_amounts(PAID, hand)
    out, bought = (before.out, dict(before.bought)) if isinstance(before, Pooled) else ((), {})
    gone = tuple(s for s, n in totals.items() if n is not None and is_out(n, terms) and s not in out)
    for who, amount in paid.items():
        bought[who] = (*bought.get(who, ()), amount)
    return replace(last_one_left(before, totals, gone, terms), bought=bought)


def score_line_amounts(label: str, hand: HandScore) -> Points:
    """The amounts of the score line with this label."""
    return next((line.amounts for line in hand.lines if line.label == label), {})


def paid_in(state: State[Hand]) -> Points:
    """What each player has paid into the pool; None if an unknown total decides it."""
    standing, stake = state.standing, state.terms.options.stake
    bought = standing.bought if isinstance(standing, Pooled) else {}
    return {s: sum_of((stake, *bought.get(s, ()))) for s in state.terms.seats}


def in_the_pool(state: State[Hand]) -> int | None:
    """What all have paid into the pool; None if an unknown total decides it."""
    return sum_of(paid_in(state).values())


class WithThePool(Struct, frozen=True, kw_only=True):
    """Another form, and below it what each player has paid into the pool; at the end the payments to the winner."""

    form: Callable[[State[Hand], Sheet], Sheet]

    def __call__(self, state: State[Hand], empty: Sheet) -> Sheet:
        """The sheet of the match so far."""
        sheet = self.form(state, empty)
        if not state.terms.options.stake:
            return sheet
        paid, name = paid_in(state), state.terms.name
        whole, stake = in_the_pool(state), state.terms.options.stake
        bought = state.standing.bought if isinstance(state.standing, Pooled) else {}
        rows = [
            SheetRow(
                (Cell(name(s)), Cell(str(stake)), Cell(" + ".join(map(figure, bought.get(s, ()))) or "–"), last(n))
            )
            for s, n in paid.items()
        ]
        rows.append(SheetRow((Cell("pool"), Cell(""), Cell(""), last(whole)), "total"))
        heads = ("", "stake", "rebuys", "paid in")
        sheet = replace(sheet, blocks=(*sheet.blocks, Block("The pool", heads, tuple(rows))))
        winners = self.winners(state)
        if not winners or whole is None or whole % len(winners):
            return sheet
        balances = {s: (whole // len(winners)) * (s in winners) - n for s, n in paid.items() if n is not None}
        return with_payments(sheet, balances, "To settle, if no payments were made yet", "amount", state.terms)

    def winners(self, state: State[Hand]) -> tuple[str, ...]:
        """The seats that take the pool: the winner, or the last ones if they went out level."""
        standing = state.standing
        return standing.winners or ((standing.winner,) if standing.over and standing.winner else ())


def last(amount: int | None) -> Cell:
    return Cell(figure(amount), "", "total")


def buying_back(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Acts to try: pass, or buy back in, for the right price or another."""
    yield Pass(by=seat)
    yield Bet(by=seat, amount=price(seat, state))
    yield Bet(by=seat, amount=price(seat, state) + 1)


# Ending the game
def on_tally(event: TallyEvent, state: State[Hand]) -> None:
    """A reported result may put a player out, who may then buy back in."""
    told_in_full(event, state)
    if state.settled:
        ask_who_buys(state)


# Scoring
class Tally(TallyFacts):
    """What a hand of Rumino is scored from."""

    by: str = seat("who knocked, went gin or had the rumino", asks="who ended the hand", ruling="who counts as the one")
    ending: str = choice(
        "how the hand ended", "knock", "gin", "rumino", asks="how the hand ended",
        ruling="how the hand counts as ended",
    )  # fmt: skip
    deadwood: Points = figures("deadwood of a player", 0, DEAL.each * 10, ruling="deadwood that counts for a player")
    rebuys: tuple[str, ...] = unasked(seats("who bought back in after the hand", once=True))

    laws = (Law(("deadwood",), no_hands_count("deadwood", MELDS.worth, DEAL.each), "R17"),)


def deadwood(who: str, state: State[Hand]) -> int | None:
    """Least deadwood of all cards that a player has laid open, melds and rest; None if not all were seen."""
    piles = [
        state.holding(who),
        *(state.table.piles[name] for name in meld_names(state) if meld_owner(name) == who),
    ]
    codes = [code for pile in piles for code in pile.codes()]
    seen = not any(pile.vague for pile in piles) and max(codes, default=0) < UNSEEN
    return least(sum(PACK.unit[code] for code in codes)) if seen else None


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    open_now = hand.seats if state.settled else hand.shown
    points: Points = {s: deadwood(s, state) if hand.ending and s in open_now else None for s in hand.seats}
    t = apply_reported_facts(Tally(hand.by, hand.ending, points, tuple(hand.rebuys)), state)
    t.deadwood = {s: n for s, n in t.deadwood.items() if s in hand.seats}
    if t.ending == "gin" and t.by in t.deadwood and (state.tallies or t.deadwood[t.by] is None):
        t.deadwood[t.by] = 0
    return t


def score(state: State[Hand]) -> HandScore:
    """Score of the hand, as far as it is recorded, with the players who bought back in after it."""
    t, terms = tally(state), state.terms
    if nothing := counts_nothing(state, t.void, unfinished=not t.ending):
        return nothing
    ended = t.ending if t.by in terms.seats else ""
    nobody: Points = dict.fromkeys(terms.seats, 0)
    if ended == "rumino":
        won = ScoreLine("rumino", {t.by: 0}, {t.by: "rumino"})
        return hand_score(state, nobody, (won,), result=f"{terms.name(t.by)} has a rumino and wins the game")
    points, lines = {**nobody, **t.deadwood}, [ScoreLine("deadwood", dict(t.deadwood))]
    if ended == "gin":
        points[t.by] = terms.options.gin_score
        lines.append(
            ScoreLine("gin", {t.by: terms.options.gin_score}, {t.by: f"gin: {figure(terms.options.gin_score)}"})
        )
    elif ended:
        lines.append(ScoreLine("knock", {t.by: 0}, {t.by: f"knocks with {figure(t.deadwood.get(t.by))}"}))
    else:
        points = {**nobody, **dict.fromkeys(t.deadwood)}
    missing = [f"the deadwood of {terms.name(s)}" for s, n in t.deadwood.items() if points[s] is None]
    missing += [] if ended else ["how the hand ended, and by whom"]
    rebuys = {s: state.hand.rebuys.get(s, price(s, state)) for s in t.rebuys}
    points, bought = bought_back(points, rebuys, state)
    how = {"knock": f"{terms.name(t.by)} knocks", "gin": f"{terms.name(t.by)} goes gin"}.get(ended, "")
    return hand_score(state, points, (*lines, *bought), result=how, unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. A player with a hundred is out, the last one left wins; a rumino wins at once."""
    won = "".join(score_line_amounts("rumino", hand))
    standing = left_after(before, hand, terms)
    return replace(standing, over=True, winner=won) if won else standing


SHEET = WithThePool(
    form=UntilOneIsLeft(
        once={"result": result_text}, out=is_out, changed=BOUGHT, good="gin",
        why=lambda name, step: f"{name} buys back in",
    ),
)


# What may be done now
def draws_in_turn(who: str, state: State[Hand]) -> Iterator[Event]:
    return draws(who, state) if state.hand.player in ("", who) else iter(())


def ends_it(who: str, state: State[Hand]) -> Iterator[Event]:
    """A knock or gin if the deadwood is nearly low enough, and a rumino if there is one."""
    pile = state.holding(who)
    if has_rumino(held_by(who, state)):
        yield Call(by=who, word="rumino")
    if state.hand.drawn and state.terms.options.gin_timing == "start_of_turn":
        return
    points = (left_with if state.hand.drawn else least)(pile.certain) if pile.complete else 99
    if points <= 2 * state.terms.options.knock_limit:
        yield Call(by=who, word="knock")
    if points <= state.terms.options.knock_limit:
        yield Call(by=who, word="gin")


def lays(who: str, state: State[Hand]) -> Iterator[Event]:
    """The melds of the best layout, one by one, and as a wrong act one that is too long."""
    held = state.holding(who).certain
    if PACK.count(held) > 4:
        yield Meld(by=who, groups=(tuple(PACK.cards(held))[:5],))
    yield from (Meld(by=who, groups=(tuple(PACK.cards(m)),)) for m in dict.fromkeys(MELDS.best(held).melds))


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: the top discard, if named, is drawn from the discard pile, as is a card claimed by another
    player; another card named before a draw is the discard."""
    if not isinstance(event, Draw):
        return (event,)
    hand = state.hand if state.number and not event.src else None
    if hand is not None and hand.claims and event.by != hand.player and state.code(event.cards) == hand.claimed:
        return (replace(event, src="discard"),)
    return as_drawn(event, state)


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none: hands are shown, and rebuys asked, one after another."""
    if kind in (Draw, Discard):
        return implied_drawer(state)
    return state.turn[:1] if kind in (Show, Meld, Bet, Pass) else state.turn


def headline(state: State[Hand]) -> dict[str, Any]:
    """Height of the stock, top discard, players who are out and the pool, for the headline."""
    told, out = stock_and_discards(state), out_of(state)
    told |= {state.hand.ending: state.hand.by} if state.hand.ending else {}
    told |= {"out": " ".join(out)} if out else {}
    return told | ({"pool": in_the_pool(state)} if state.terms.options.stake else {})


def last_outcome_text(state: State[Hand]) -> str:
    """Words for the end of the hand, a claim, or a player who goes out."""
    hand = state.hand
    if state.settled:
        return gone_with_the_hand(state)
    if hand.claims and not hand.ending:
        card = pretty(PACK.tokens[hand.claimed])
        if len(hand.claims) == 1:
            return f"{hand.claims[0]} claims {card}"
        return f"{' and '.join(hand.claims)} claim {card}: it is with {hand.keeper}, who sits nearer"
    done = {"knock": "knocks", "gin": "goes gin", "rumino": "has a rumino"}
    return f"{hand.by} {done[hand.ending]}" if hand.ending and not hand.shown else ""


# Simulation: draw what helps, discard what is left over, knock soon
def weigh(state: State[Hand], event: Event) -> float:
    held = state.holding(event.by).certain
    if isinstance(event, Call):
        return 30.0
    if isinstance(event, Draw):
        wanted = event.src == "discard" and left_with(held + PACK.unit[state.code(event.cards)]) <= least(held) - 5
        return 8.0 if wanted else 1.0 if not event.src else 0.05
    if isinstance(event, Discard):
        return 4.0 / (2 + least(held - PACK.unit[state.code(event.cards)])) ** 2
    if isinstance(event, Pass):
        return 3.0
    return 0.1 if isinstance(event, Meld) else 1.0


GAME = Game(
    key="rumino", name="Rumino", family="rummy", summary=summary_of(__doc__),
    seating=singles(2, 3, 4, 5, 6), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=deal_or_renew, chance_acts_first=stock_is_due,
        playing=still_in,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "draw": Phase(
            "the draw", (Draw, Discard, Call),
            "a card drawn (. unseen, < the top discard), at once a discard (9h), knock, gin or rumino",
            default_act=draws_unseen, to_do="draw",
            tries=(draws_in_turn, ends_it),
        ),
        CLAIMED: Phase(
            "the card claimed", (Draw, Discard, Call),
            "rumino of the claimant, another claim (C 7h), or the next card drawn (. unseen, < the top discard)",
            default_act=draws_unseen, to_do="show a rumino or draw",
            tries=(draws_in_turn, ends_it),
        ),
        "discard": Phase(
            "the discard", (Discard, Draw, Call), "a discard (9h), or rumino", to_do="discard",
            tries=(try_discards, draws, ends_it),
        ),
        "show": Phase(
            "laying open", (Meld, Call), "melds (m7c7d7h/4c5c6c) and the rest, or the whole hand (B s 7c7d7h4c5c6c2s)",
            to_do="show", tries=(lays, try_show_hand), bare_shows=True,
        ),
        REBUYS: Phase(
            "the rebuys", (Bet, Pass), "what it costs to buy back in, or . to drop out; the next hand shows it too",
            default_act=lambda state: Pass(by=state.turn[0]) if state.turn else None, to_do="buy back in or drop out",
            tries=(buying_back,),
        ),
        "between": Phase("between two hands", (Bet,), "the next hand", early=(Bet,)),
    },
    on={
        **TURNS, Draw: on_draw, Discard: on_discard, Move: on_move, Meld: on_meld, Call: on_call, Show: on_show,
        Bet: buys_back, Pay: buys_back, Pass: lets_it_go, TallyEvent: on_tally,
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: Pooled(dict.fromkeys(terms.seats, 0)), fewest_lead=lambda terms: True, open_table=True,
    ),
    sheet=SHEET,
    judging=Judging(said_any_time=frozenset(("rumino",))),
    omissions=Omissions(
        unwritten=the_next_hand_begins,
        always_written=dict.fromkeys(
            ("calls of knock", "calls of gin", "calls of rumino"), "what the hand scores rests on the word"
        ),

    ),
    shorthand=Shorthand(
        expand=expand_shorthand, implied_actor=implied_actor, is_one_act=lambda cards: len(cards) >= 3,
        verbs={Bet: "buys back in", Pass: "drops out"},
    ),
    display=Display(headline=headline, reminders=("out", "pool"), last_outcome_text=last_outcome_text),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
