"""Scopa: two players take cards that pair or add up; most cards, most diamonds, the seven of diamonds, the best
primiera and every sweep count a point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from random import Random
from typing import Annotated, Any, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from events.name_lists import one_of
from events.model import Capture, Deal, End, Event, Facts, Fault, Play
from reducers import facts as fact
from reducers.facts import flat
from reducers.legal import legal
from reducers.page import (
    begin_with, DUTY, RIGHT, SUIT_NAMES, SUITS, Catalogue, Cell, CheckResult, DealSpec, Game, Dealing, Judging,
    Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, add_points,
    at_least_and_at_most, bounded, broken, counts, counts_nothing, deals_next, figure, figures, first_to_target,
    hand_of, hand_score, ledger, missing_facts, apply_reported_facts, pack, pretty, pretty_all, HouseRules,
    read_by_the_page, rule, seat, shuffle_and_deal, signed, singles, summary_of, turned_up, unknown,
)  # fmt: skip
from reducers.sheet import Block, SheetRow, Sheet
from reducers.table import Pile
from reducers.words.captures import Captures, CaptureValues, codes_of_cards
from reducers.words.fishing import (
    captures_so_far, is_bare_card, new_cards, FISHING, Rounds, as_many_as_in_a_round, deal_a_round, lay_out_board,
    missing_act, one_card_each_in_turn, sweeps_the_board,
)  # fmt: skip
from reducers.words.rulings import cards_over
from reducers.words.tallies import readable
from reducers.words.reported_cards import list_of

# Setup: the queen stands for the knight, the jack for the footsoldier, diamonds for coins
PACK = pack("A 2 3 4 5 6 7 J Q K")
DEAL = DealSpec(each=3, then=(turned_up("board", 4),), rest="stock")
UNSEEN = PACK.unknown
KINGS, DIAMONDS, SEVEN = PACK.rank["K"], PACK.suit["d"], PACK.field[PACK.code["7d"]]
OF_A_SUIT = PACK.count(DIAMONDS)

# Capture values
WORTH = CaptureValues(PACK, {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "J": 8, "Q": 9, "K": 10})

# Primiera: points of the best card of each suit
PRIME = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
BEST_FIRST = {suit: [rank + suit for rank in PRIME] for suit in SUITS}


class Options(HouseRules, frozen=True):
    """House rules of Scopa."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 11
    kings_redeal: Annotated[
        int,
        Meta(ge=1, le=5, description="with this many kings among the first board cards the hand is dealt again; 5: "
                                     "never"),
    ] = 3
    last_play_sweep: Annotated[bool, Meta(description="the very last play of a hand may be a sweep too")] = False


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "scopa",
    rule("R1", PLAY, DUTY, "Whoever did not deal begins; then each in turn plays one card.", "play in turn"),
    rule("R2", PLAY, DUTY, "A card that pairs takes one board card of its own rank, and only that one.", "pair"),
    rule("R3", PLAY, DUTY, "A card that does not pair takes two or more board cards that add up exactly to its value.",
         "add up"),
    rule("R4", PLAY, DUTY, "A card that can pair must pair; it may not take a sum then.", "pair first"),
    rule("R5", PLAY, DUTY, "A card that can capture may not be laid to the board instead.", "no trailing"),
    rule("R6", PLAY, RIGHT, "Among equal cards, or among several sums, the player chooses.", "choice"),
    rule("R7", PLAY, DUTY, "Three cards go to each hand and, once, four to the board; later deals give the board none.",
         "the deal", {Deal: as_many_as_in_a_round}),
    rule("R8", SETUP, DUTY, "With three or more kings among the first four board cards the hand is not played but "
         "dealt again.", "three kings"),
)  # fmt: skip

READINGS = {
    "Trailing while another card could capture": "allowed: the ban is on the card that could capture, not on the turn",
    "Clearing the board with the very last card of a hand": "no sweep; clearing it earlier is one, even if no capture "
    "follows; option last_play_sweep",
    "Both players could pass the target by sweeps": "sweeps are counted in the order in which they were made",
    "A sweep that would be the winning point": "does not end the hand: everything is counted after the last card",
    "Can both reach the target?": "no: points are counted one at a time, and what is left over is not counted",
    "Level in the primiera": "no player has the point; a player alone with all four suits has it",
    "An empty board": "whatever is played then is trailed",
    "A hand without any capture": "cards on the board at its end belong to no player",
    "Three kings": "dealing again is taken as a duty, by the same dealer; option kings_redeal says how many, 5 means "
    "never",
    "Face cards in a sum": "count like any other: jack and ace make nine, queen and ace make ten",
    "Larger tables": "no rules are given for them; two play",
    "The deal": "alternates, except after a misdeal",
    "An act out of turn": "is broken; as it may be the recorder who missed an act, whether a later card could have "
    "captured stays open until the board is shown",
    "Order of the later deals": "three cards to the other player, then three to the dealer, in one packet each",
}


class Hand:
    """State of one hand of Scopa."""

    def __init__(self, state: State[Hand]) -> None:
        self.captures = Captures(state)
        self.board = self.captures.board
        self.rounds = Rounds(state, self.board, watched=KINGS)


# Setup: three kings
def on_deal(deal: Deal, state: State[Hand]) -> None:
    """With three kings on the board the next act is a misdeal."""
    deal_a_round(deal, state)
    if not state.acts and state.hand.board.how_many(KINGS)[0] >= state.terms.options.kings_redeal:
        state.phase, state.turn = "misdeal", ()


@RULES.check("R8", Play, Capture)
def three_kings_are_dealt_again(act: Event, state: State[Hand]) -> CheckResult | None:
    """Checked once, when the first card is played."""
    if state.acts:
        return None
    enough = state.terms.options.kings_redeal
    low, high = state.hand.board.how_many(KINGS)
    if low >= enough:
        again = f"{low} kings are among the first board cards: the hand is dealt again"
        return broken(again, proof(KINGS, state.hand.board), "board")
    return unknown("the first board cards were not seen") if high >= enough else None


@RULES.check("R8", End)
def only_kings_are_a_misdeal(end: End, state: State[Hand]) -> CheckResult | None:
    if end.why != "misdeal" or end.what != "hand" or state.settled:
        return None
    enough = state.terms.options.kings_redeal
    low, high = state.hand.rounds.first_board or state.hand.board.how_many(KINGS)
    if high < enough:
        kings = f"{high or 'no'} king{'s' * (high != 1)}"
        return broken(f"{kings} among the first board cards; it takes {enough} to deal again")
    return unknown("the first board cards were not seen") if low < enough else None


# Game play
RULES.check("R1", Play, Capture)(one_card_each_in_turn)


def taken(capture: Capture, state: State[Hand]) -> tuple[int, ...]:
    """Codes of the cards that a capture takes."""
    return tuple(state.hand.board.codes()) if capture.takes == ("*",) else codes_of_cards(PACK, capture.takes)


@RULES.check("R2", Capture)
def a_pair_is_one_card(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code, takes = state.code(capture.cards), taken(capture, state)
    rank = WORTH.same[code]
    if len(takes) > 1:
        if not rank:
            return unknown("whether the card pairs with one of those taken")
        if any(WORTH.same[t] == rank for t in takes):
            return broken(f"{PACK.shown(code)} takes only one card of its rank")
        unseen = max(takes) >= UNSEEN and may_pair(code, takes, state)
        return unknown("whether the card pairs with one of those taken") if unseen else None
    if not takes:
        return broken("a capture takes a card")
    if not rank or not WORTH.of[takes[0]]:
        return unknown("whether the two cards have the same rank")
    if WORTH.same[takes[0]] == rank:
        return None
    return broken(f"{PACK.shown(takes[0])} alone does not pair with {PACK.shown(code)}")


def may_pair(code: int, takes: Iterable[int], state: State[Hand]) -> bool:
    """True if a card taken and not fully seen may have the rank of the card that took it."""
    rank, board = WORTH.same[code], state.hand.board
    return any(t >= UNSEEN and board.may_leave(t) & rank for t in takes)


@RULES.check("R3", Capture)
def a_sum_is_exact(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code, takes = state.code(capture.cards), taken(capture, state)
    if len(takes) < 2 or any(WORTH.same[t] and WORTH.same[t] == WORTH.same[code] for t in takes):
        return None
    worth, values = WORTH.of[code], [WORTH.of[t] for t in takes]
    total, unseen = sum(values), values.count(0)
    if worth and not unseen:
        added_up = " + ".join(map(PACK.shown, takes))
        return None if total == worth else broken(f"{added_up} = {total}, and {PACK.shown(code)} takes {worth}")
    if worth and total + unseen > worth and not may_pair(code, takes, state):
        return broken(f"the cards taken count more than {PACK.shown(code)}: at least {total + unseen}")
    # An unseen card may have the rank of one of those taken; then R2 is broken instead.
    return unknown("a card of this capture was not seen")


@RULES.check("R4", Capture)
def pairing_comes_first(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code, takes = state.code(capture.cards), taken(capture, state)
    rank = WORTH.same[code]
    if len(takes) < 2 or (rank and any(WORTH.same[t] == rank for t in takes)):
        return None
    board = state.hand.board
    pairs = board.any_of(rank) if rank else None
    if pairs and missing_act(capture, state):
        return unknown(f"an act may be missing before this, and {PACK.shown(code)} paired with nothing then")
    if pairs and all(WORTH.of[t] for t in takes):
        pair = board.certain & rank
        return broken(f"{PACK.shown(code)} pairs with {names(pair)}, so it may not take a sum", pair, "board")
    return None if pairs is False else unknown(f"whether {PACK.shown(code)} could pair")


@RULES.check("R5", Play)
def a_card_that_captures_is_not_trailed(play: Play, state: State[Hand]) -> CheckResult | None:
    code, board = state.code(play.cards), state.hand.board
    if not WORTH.of[code]:
        return an_unseen_card_trailed(play, state, code)
    seen = board.certain
    for takes in ways(code, seen):
        if missing_act(play, state):
            return unknown(f"an act may be missing before this, and {names(takes)} may have lain there no more")
        return broken(f"{PACK.shown(code)} could take {names(takes)}", proof(takes, board), "board")
    unseen = board.hidden + board.vague
    if unseen and WORTH.adds_up(WORTH.of[code], seen, unseen, board.table.free()) is None:
        return unknown(f"whether {PACK.shown(code)} could take an unseen card on the board")
    return None


def an_unseen_card_trailed(play: Play, state: State[Hand], code: int) -> CheckResult | None:
    """Verdict on an unseen card trailed: broken if each card it may be captures, None if none does, else open."""
    board, held = state.hand.board, state.holding(play.by)
    if board.empty:
        return None
    if play.src not in ("", hand_of(play.by)):
        return unknown("the card was not seen")
    may_be, seen, unseen = held.may_leave(code), board.certain, board.hidden + board.vague
    cards, free = list(PACK.codes(may_be)), board.table.free()
    takes = [next(ways(c, seen), 0) for c in cards]
    # It may also take something with unseen cards of the board.
    could = (unseen and WORTH.adds_up(WORTH.of[c], seen, unseen, free) is not False for c in cards)
    if cards and not any(takes) and not any(could):
        return None
    if cards and all(takes) and not missing_act(play, state):
        lying = sum(PACK.unit[c] for c in PACK.codes(seen) if any(t & PACK.field[c] for t in takes))
        laid = one_of(map(PACK.shown, cards))
        return broken(f"{play.by} can only have laid {laid}, and could take {names(lying)}", lying, "board")
    return unknown("the card was not seen")


def ways(code: int, board: int) -> Iterator[int]:
    """Captures that a card has on this board: each card of its rank, or if there are none, every sum."""
    pairs = board & WORTH.same[code]
    if pairs:
        yield from (PACK.unit[c] for c in PACK.codes(pairs))
    elif WORTH.of[code] and WORTH.adds_up(WORTH.of[code], board):
        yield from WORTH.sums(WORTH.of[code], board)


def proof(cards: int, board: Pile) -> int:
    """Those of these board cards that only later events name, as they prove a breach; else all of them."""
    lying = board.certain & cards
    return lying & ~board.known or lying


@RULES.check("R6", Fault)
def the_player_chooses(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table says that another card, or another sum, had to be taken."""
    if fault.word != "choice" or not state.number:
        return None
    for capture in reversed(state.hand.captures.log):
        if capture.at in fault.refs or (not fault.refs and fault.who in ("", capture.side)):
            choice = list(ways(capture.card, capture.board))
            took = sum({PACK.unit[c] for c in capture.takes if c < UNSEEN})
            if len(choice) > 1 and took in choice:
                either = one_of(map(names, choice))
                return broken(f"{PACK.shown(capture.card)} could take {either}, as {capture.side} liked")
            return None
    return None


def names(bag: int) -> str:
    return pretty_all(PACK.cards(bag))


def on_capture(capture: Capture, state: State[Hand]) -> None:
    sweeps_the_board(capture, state, last_too=state.terms.options.last_play_sweep)


# Scoring
Span: TypeAlias = tuple[int, int]
# The holder of the seven of diamonds if neither player took it, as after a hand without a capture.
NOBODY = "nobody"
# The totals of four cards, one of each suit; and the number of turns of a player.
PRIMIERAS = tuple(sorted({0, *map(sum, product(PRIME.values(), repeat=len(SUITS)))}))
TURNS = (PACK.size - 4) // 2


def one_card_with_both(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a card is reported for both players, or a figure contradicts the cards, else ""."""
    seven, players = known.get("seven"), state.terms.seats
    if known.get(f"diamonds.{seven}") == 0:
        return f"{seven} has no diamond, and so not the 7♦"
    best = {p: list_of(known.get(f"best.{p}")) for p in players}
    for player, other in (players, players[::-1]):
        if twice := [c for c in best[player] if c in best[other]]:
            return f"both have the {pretty(twice[0])}"
        if "7d" in best[player] and seven not in (None, player):
            return f"{player} has the 7♦, not {seven}"
        total, told = prime(best[player])[0], known.get(f"primiera.{player}")
        if best[player] and told not in (None, total):
            return f"{pretty_all(best[player])} count {total}, not {told}"
    return ""


def sweeps_in_order(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if the number of sweeps contradicts their order, else ""."""
    order = known.get("sweeps.order")
    for player in state.terms.seats if order is not None else ():
        n, told = list_of(order).count(player), known.get(f"sweeps.{player}")
        if told not in (None, n):
            return f"{player} has {n} sweeps in the order of all, and {told} in number"
    return ""


class Tally(TallyFacts):
    """What a hand of Scopa is scored from.

    A count is at least and at most: equal if known, and missing if nothing is known. `primiera` is 0 without all four
    suits, `best` its arithmetic.
    """

    cards: dict[str, Span] = at_least_and_at_most(counts(
        "cards taken by a player; of two players one suffices", of=PACK.size, ruling="cards that a player gets"
    ))  # fmt: skip
    diamonds: dict[str, Span] = at_least_and_at_most(counts(
        "diamonds taken by a player; of two players one suffices", of=OF_A_SUIT
    ))  # fmt: skip
    seven: str = seat("player who has the seven of diamonds", asks="who has the 7♦")
    primiera: dict[str, Span] = at_least_and_at_most(figures(
        "primiera of a player, 0 without all four suits", only=PRIMIERAS,
        says=f"{{key}} is 0, or what four cards come to ({PRIMIERAS[1]} to {PRIMIERAS[-1]})",
    ))  # fmt: skip
    best: dict[str, str] = read_by_the_page(
        {"best.*": fact.cards("or the best card of each suit, 7d,6c,As,5h", len(SUITS))}, {},
        tells=lambda best: {},
    )  # fmt: skip
    sweeps: Points = bounded(lambda state: state.hand.rounds.once_a_turn(swept_so_far(state)), figures(
        "sweeps of a player, 0 if none", 0, TURNS
    ))  # fmt: skip
    order: tuple[str, ...] | None = read_by_the_page(
        {
            "sweeps.order": fact.seats(
                "who made the sweeps, in order; needed only if the target is reached by them"
            )
        }
    )

    laws = (Law(("seven", "diamonds", "best", "primiera"), one_card_with_both), Law(("sweeps",), sweeps_in_order))


WORDS = {
    "misdeal": "end: three kings, the hand is dealt again",
    "choice": "fault: another card or sum should have been taken, says the table",
}


def prime(cards: Iterable[str]) -> tuple[int, str]:
    """The primiera of these cards, 0 without all four suits, and its arithmetic.

    >>> prime(["5h", "2h", "7d", "6c", "Kc", "As"])
    (70, '7♦21 + 6♣18 + A♠16 + 5♥15 = 70')
    >>> prime(["7h", "7d", "6c"])
    (0, 'no spades')
    """
    held = set(cards)
    best = {suit: card for suit, order in BEST_FIRST.items() if (card := next((c for c in order if c in held), ""))}
    if len(best) < len(SUITS):
        return 0, "no " + one_of(SUIT_NAMES[s] for s in SUITS if s not in best)
    four = sorted(best.values(), key=lambda c: -PRIME[c[0]])
    total = sum(PRIME[c[0]] for c in four)
    return total, " + ".join(f"{pretty(c)}{PRIME[c[0]]}" for c in four) + f" = {total}"


def tally(state: State[Hand]) -> Tally:
    t = Tally(void="misdeal" if state.phase == "misdeal" else "")
    if state.acts:
        from_moves(t, state)
    apply_reported_facts(t, state)
    for facts in readable(state):
        from_facts(t, facts, state)
    return t


def swept_so_far(state: State[Hand]) -> dict[str, int]:
    """Number of sweeps of each player so far."""
    captures = state.hand.captures
    return {player: captures.sweeps.count(player) for player in captures.won}


def from_moves(t: Tally, state: State[Hand]) -> None:
    """Fill in what the players took. If the end of a hand was not recorded, later captures are left open."""
    rounds, captures = state.hand.rounds, state.hand.captures
    won = captures.won
    whole = (rounds.over or bool(state.stop_reason)) and not rounds.gap and not rounds.uncounted
    for player, pile in won.items():
        other = won[rounds.other[player]]
        if whole:
            t.cards[player], t.diamonds[player] = (len(pile), len(pile)), pile.how_many(DIAMONDS)
            may_have = pile.may_hold()
        else:
            t.cards[player] = (len(pile), PACK.size - len(other))
            t.diamonds[player] = (pile.how_many(DIAMONDS)[0], OF_A_SUIT - other.how_many(DIAMONDS)[0])
            may_have = PACK.full & ~other.certain
        least, t.best[player] = prime(PACK.cards(pile.certain))
        t.primiera[player] = (least, least if may_have == pile.certain else prime(PACK.cards(may_have))[0])
    has_seven = {player: pile.any_of(SEVEN) for player, pile in won.items()}
    nobody = NOBODY if whole and None not in has_seven.values() else ""
    t.seven = next((player for player, has in has_seven.items() if has), nobody)
    if whole:
        t.order = captures.sweeps
        t.sweeps = dict(swept_so_far(state))


def from_facts(t: Tally, facts: Facts, state: State[Hand]) -> None:
    """Fill in a primiera reported by its cards, and sweeps reported in their order, from one `tally` event."""
    told = dict(flat(facts))
    for player in state.terms.seats:
        if (four := told.get(f"best.{player}")) not in (None, fact.UNREAD):
            total, t.best[player] = prime(list_of(four))
            t.primiera[player] = (total, total)
        elif type(told.get(f"primiera.{player}")) is int:
            t.best[player] = ""
    order = told.get("sweeps.order")
    if order not in (None, fact.UNREAD):
        t.order = tuple(list_of(order))
        t.sweeps = {player: t.order.count(player) for player in state.terms.seats}
    elif "sweeps" in facts:
        t.order = None


def more(spans: dict[str, Span], players: tuple[str, ...]) -> str | None:
    """The player who has more; "" if level, None if unknown.

    >>> more({"A": (21, 21), "B": (19, 19)}, ("A", "B")), more({"A": (5, 5), "B": (5, 5)}, ("A", "B"))
    ('A', '')
    >>> more({"A": (20, 21), "B": (19, 20)}, ("A", "B")) is None
    True
    """
    one, two = (spans.get(p, (0, PRIMIERAS[-1])) for p in players)
    if one[0] > two[1] or two[0] > one[1]:
        return players[0] if one[0] > two[1] else players[1]
    return "" if one[0] == one[1] == two[0] == two[1] else None


class Count:
    """The points of a hand, added one by one until a player has the target.

    The gain of each player is at least `low` and at most `high`: a point with an unknown winner leaves both open.
    """

    def __init__(self, before: Points, target: int) -> None:
        self.target = target
        self.start = {who: (n, n) if n is not None else (0, target - 1) for who, n in before.items()}
        self.low = dict.fromkeys(before, 0)
        self.high = dict.fromkeys(before, 0)
        self.lines: list[ScoreLine] = []
        self.notes: list[str] = []

    def total(self, who: str) -> Span:
        """Score of a player so far, at least and at most."""
        low, high = self.start[who]
        return low + self.low[who], min(high + self.high[who], max(self.target, low))

    @property
    def stopped(self) -> bool | None:
        """True if a player has the target; None if unknown."""
        perhaps = False
        for who in self.start:
            low, high = self.total(who)
            if low >= self.target:
                return True
            perhaps = perhaps or high >= self.target
        return None if perhaps else False

    def point(self, winner: str | None) -> Points:
        """Add one point for the winner ("": no player, None: unknown); return what it adds to each score."""
        stopped, gain = self.stopped, dict[str, int | None]()
        may_have_won = [who for who in self.start if self.total(who)[1] >= self.target]
        for who in self.start:
            perhaps = winner in (who, None) and not stopped
            # If only this player may have stopped the count, either the target was reached or this point is added.
            certain = not may_have_won or (may_have_won == [who] and self.start[who][0] == self.start[who][1])
            self.low[who] += perhaps and winner == who and certain
            self.high[who] = min(self.high[who] + perhaps, max(self.target - self.start[who][0], 0))
            gain[who] = (1 if winner == who and stopped is False else None) if perhaps else 0
        return gain

    def sweeps(self, made: Points) -> Points:
        """Add sweeps in unknown order, which matters only if a player may reach the target by them."""
        near = [who for who, n in made.items() if n is None or self.total(who)[1] + n >= self.target]
        if self.stopped or (None not in made.values() and (not near or 0 in made.values())):
            return self.sweeps_in_order([who for who, n in made.items() for _ in range(min(n or 0, self.target))], made)
        gain: Points = {}
        for who, n in made.items():
            low, high = self.total(who)
            if near == [who] and low == high and n is not None:
                gain[who] = self.target - low  # only this player can reach the target, and does
                self.low[who] = self.high[who] = self.low[who] + self.target - low
            else:
                gain[who] = 0 if n == 0 else None
                self.high[who] = min(self.high[who] + (self.target if n is None else n), self.target)
        return gain

    def sweeps_in_order(self, order: Iterable[str], made: Points) -> Points:
        """Add sweeps in the order in which they were made."""
        gain: Points = dict.fromkeys(made, 0)
        for who in order:
            gain = add_points(gain, self.point(who))
        return gain

    @property
    def points(self) -> Points:
        """Gain of each player; None if unknown."""
        return {who: low if low == self.high[who] else None for who, low in self.low.items()}

    def write(self, label: str, gain: Points, sums: dict[str, str], stopped: bool | None) -> bool | None:
        """Write the line of a point or the sweeps, crossed out if counting had `stopped`; return whether it has now."""
        self.lines.append(ScoreLine(label, gain, sums, "uncounted" if stopped else ""))
        now = stopped or self.stopped
        if stopped or not now:
            return now
        who = next(p for p in self.start if self.total(p)[0] >= self.target)
        self.notes.append(f"{who} has {self.target} with the {label}; counting stopped there")
        return True


def score_tally(
    t: Tally, before: Points, options: Options
) -> tuple[Points, tuple[ScoreLine, ...], tuple[str, ...], tuple[str, ...]]:
    """Points of both players, the lines behind them, notes for the reader, and what is missing.

    The most cards, the most diamonds, the seven of diamonds, the primiera, then the sweeps:

    >>> t = Tally({"A": (21, 21), "B": (19, 19)}, {"A": (4, 4), "B": (6, 6)}, "A", {"A": (78, 78), "B": (70, 70)})
    >>> t.sweeps, t.order = {"A": 2, "B": 1}, ("A", "B", "A")
    >>> score_tally(t, {"A": 0, "B": 0}, Options())[0]
    {'A': 5, 'B': 2}

    Counting stops with the eleventh point: A has it with the seven of diamonds and is not paid for the rest.

    >>> points, lines, notes, missing = score_tally(t, {"A": 9, "B": 9}, Options())
    >>> points, notes
    ({'A': 2, 'B': 1}, ('A has 11 with the 7♦; counting stopped there',))

    Sweeps are counted in the order they were made; where nobody knows it, some figures stay open.

    >>> score_tally(t, {"A": 6, "B": 9}, Options())[0]
    {'A': 4, 'B': 2}
    >>> t.order = None
    >>> score_tally(t, {"A": 6, "B": 9}, Options())[0], score_tally(t, {"A": 6, "B": 5}, Options())[0]
    ({'A': None, 'B': None}, {'A': 5, 'B': None})
    """
    players = tuple(before)
    count, missing = Count(before, options.target), list[str]()
    stopped = count.stopped
    if stopped:
        count.notes.append("the match was won before this hand; nothing is counted")
    seven = None if not t.seven else t.seven if t.seven in players else ""
    primieras = {p: t.best.get(p) or str(span[0]) for p, span in t.primiera.items()}
    for label, question, winner, sums in (
        ("cards", "who has more cards", more(t.cards, players), said(t.cards)),
        ("diamonds", "who has more diamonds", more(t.diamonds, players), said(t.diamonds)),
        ("7♦", "who has the 7♦", seven, {seven: "taken"} if seven else {}),
        ("primiera", "who has the better primiera", more(t.primiera, players), primieras),
    ):
        if winner is None and not stopped:
            missing.append(question)
        stopped = count.write(label, count.point(winner), sums, stopped)
    made: Points = {p: t.sweeps.get(p) for p in players}
    gain = count.sweeps_in_order(t.order, made) if t.order is not None else count.sweeps(made)
    count.write("sweeps", gain, {p: str(n) for p, n in made.items() if n is not None}, stopped)
    if not stopped and None in made.values():
        missing.append("the sweeps")
    elif None in gain.values() and not missing:
        missing.append("the score before this hand" if None in before.values() else "the order of the sweeps")
    return count.points, tuple(count.lines), tuple(count.notes), tuple(missing)


def said(spans: dict[str, Span]) -> dict[str, str]:
    """Counts as a person says them: `21`, `4 to 6`."""
    return {p: str(least) if least == most else f"{least} to {most}" for p, (least, most) in spans.items()}


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    if nothing := counts_nothing(state, t.void):
        return nothing
    points, lines, notes, missing = score_tally(t, state.before.totals, state.terms.options)
    cards = [n for n, most in t.cards.values() if n == most]
    if len(cards) == 2 and sum(cards) != PACK.size and not state.stop_reason and state.tallies:
        notes = (*notes, f"{cards[0]} and {cards[1]} cards are not the {PACK.size} of the pack")
    return hand_score(state, points, lines, notes=notes, unknown=missing)


# The sheet: the five points in their order, crossed out if they were not counted
CATEGORIES = ("cards", "diamonds", "7♦", "primiera", "sweeps")


def one_of_five(label: str, s: HandScore, player: str, state: State[Hand]) -> Cell:
    """Cell with one of the five points of a player."""
    line = next((line for line in s.lines if line.label == label), None)
    if line is None:
        return Cell("–")
    why = line.sums.get(player, "").replace("taken", "")
    if line.column == "uncounted":
        return Cell("–", f"{why}, not counted".lstrip(", "), "crossed")
    amount = line.amounts.get(player)
    counted = why.rpartition("= ")[2]
    small = counted if counted.isdecimal() and label != "sweeps" else ""
    return Cell(figure(amount), why, "unknown" if amount is None else "", small)


def running_score(s: HandScore, player: str, state: State[Hand]) -> Cell:
    """Cell with the score of a player and its arithmetic."""
    won = state.standing.winner == player and s is state.scores[-1]
    total, points = s.totals.get(player), s.points.get(player)
    sums = "" if total is None or points is None else f"{total - points} + {points} = {total}"
    return Cell(figure(total), sums, "won" if won else "total")


def of_the_hand(s: HandScore, player: str, state: State[Hand]) -> Cell:
    """Cell with the points of the hand."""
    return Cell(signed(s.points.get(player)), "", "unknown" if s.points.get(player) is None else "")


SCORE = ledger(
    {}, {**{f"{{}} {label}": partial(one_of_five, label) for label in CATEGORIES}, "{} hand": of_the_hand,
         "{}": running_score},
    notes=lambda s, state: (*([s.result] if s.result else []), *s.notes),
)


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    """The sheet: the five points of each hand, and below them the cards of each primiera."""
    made, players = SCORE(state, empty), state.terms.seats
    rows = []
    for s in state.scores:
        sums = next((line.sums for line in s.lines if line.label == "primiera"), {})
        if any("+" in text for text in sums.values()):
            told = (sums.get(p, "").partition(" = ") for p in players)
            better = max(players, key=lambda p: number_at_end(sums.get(p, "")))
            cells = [Cell(str(s.number))]
            for p, (cards, _, total) in zip(players, told, strict=True):
                cells += [Cell(cards.replace(" + ", "  ")), Cell(total, mark="won" if p == better else "")]
            rows.append(SheetRow(tuple(cells)))
    if not rows:
        return made
    heads = ("hand", *(head for p in players for head in (state.terms.name(p), "")))
    return replace(made, blocks=(*made.blocks, Block("Primiera: the best card of each suit", heads, tuple(rows))))


def number_at_end(text: str) -> int:
    """The number at the end of a text, 0 without one."""
    last = text.rpartition(" ")[2]
    return int(last) if last.isdecimal() else 0


# What may be done now
def takes_or_trails(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each card with what it pairs with, with each sum it makes, and trailed."""
    board = state.hand.board.certain
    for code in PACK.codes(state.holding(seat).certain):
        card = (PACK.faces[code],)
        pairs = (PACK.unit[c] for c in PACK.codes(board & WORTH.same[code]))
        for takes in (*pairs, *WORTH.sums(WORTH.of[code], board)):
            yield Capture(by=seat, cards=card, takes=tuple(PACK.cards(takes)))
        yield Play(by=seat, cards=card)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a bare card that takes something is that capture; `play up` trails a card in any case."""
    if not is_bare_card(event, state):
        return (event,)
    takes = ways(state.code(event.cards), state.hand.board.certain)
    return tuple(Capture(by=event.by, cards=event.cards, takes=tuple(PACK.cards(bag))) for bag in takes) or (event,)


def only_act(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: the only legal one; None if there are several."""
    found = legal(state, limit=2)
    return found.acts[0] if found.complete and len(found.acts) == 1 else None


def last_outcome_text(state: State[Hand]) -> str:
    """Words for a sweep or new cards, else ""."""
    log = state.hand.captures.log
    sweep = f"a sweep for {log[-1].side}" if log and log[-1].at == state.at and log[-1].sweep else ""
    return ", ".join(filter(None, (sweep, new_cards(state))))


# Simulation: a capture is worth more than a card trailed, and a large one most
def chance(state: State[Hand], random: Random) -> list[Event]:
    if state.phase == "misdeal":
        return [End(by="@", what="hand", why="misdeal")]
    return shuffle_and_deal(state, random)


def weigh(state: State[Hand], event: Event) -> float:
    return 2.0 * (1 + len(event.takes)) if isinstance(event, Capture) else 1.0


GAME = Game(
    key="scopa", name="Scopa", family="fishing", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK, dealing=Dealing(deal=DEAL, next_dealer=deals_next, chance=chance),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(lay_out_board, Hand),
    phases={
        "play": Phase(
            "play", (Play, Capture), "a card (5s, played as the capture it makes), or with what it takes (Kh/6c4d)",
            default_act=only_act, to_do="play", one_card=True, tries=(takes_or_trails,),
        ),
        "misdeal": Phase("three kings", (Play, Capture), "a new deal: end hand misdeal", to_do="deal again"),
    },
    on={**FISHING, Deal: on_deal, Capture: on_capture},
    tally=Tally, compute_tally=tally, score=score, after=first_to_target,
    sheet=sheet,
    judging=Judging(transfer=lambda state, facts: cards_over(facts, state)),
    omissions=Omissions(missing=lambda state: missing_facts(state) if state.tallies else ()),
    shorthand=Shorthand(expand=expand_shorthand),
    display=Display(headline=captures_so_far("sweeps"), last_outcome_text=last_outcome_text),
    simulation=Simulation(weigh=weigh, most_hands=40),
)  # fmt: skip
