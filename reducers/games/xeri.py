"""Xeri: two players take the whole pile with the rank of its top card, or with a jack; a single card so taken is a
xeri, and most hands win."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many
from events.model import Call, Capture, Deal, Event, Move, Play, Shuffle
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, UNOBSERVABLE, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Judging,
    Shorthand, Display, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, figure, add_points, bounded,
    broken, counts, counts_nothing, deals_next, try_each_card, figures, hand_score, ensure_hand_started, ledger,
    apply_reported_facts, pack, rule, seat, shuffle_and_deal, singles, summary_of, figure_of_line, running_total,
    turned_up, unknown,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.captures import Captures, codes_of_cards, names_part_of_it
from reducers.words.deals import deal_passes_on, dealt_up
from reducers.words.fishing import (
    captures_so_far, new_cards, FISHING, Rounds, as_many_as_in_a_round, deal_a_round, gather_capture, has_been_gathered,
    lay_out_board, next_turn, on_taking_back, one_card_each_in_turn, trail,
)  # fmt: skip
from reducers.words.scores import most_hands_of

# Setup
FIRST = 4
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = DealSpec(each=6, then=(turned_up("board", FIRST),), rest="stock")
JACKS, UNSEEN, EVERY = PACK.rank["J"], PACK.unknown, PACK.full
HONOURS = PACK.rank["A"] | PACK.rank["K"] | PACK.rank["Q"] | PACK.rank["J"] | PACK.rank["T"]
TEN, TWO = PACK.field[PACK.code["Td"]], PACK.field[PACK.code["2c"]]
MOST_CARDS = 3


class Options(Struct, frozen=True):
    """House rules of Xeri."""

    hands: Annotated[int, Meta(ge=1, le=99, description="hands of a match; the player who wins more of them wins "
                                                        "it")] = 3
    xeri_points: Annotated[int, Meta(ge=0, le=100, description="what a xeri counts")] = 10
    jack_xeri_points: Annotated[int, Meta(ge=0, le=100, description="what a jack taken by a jack as a xeri counts")] = (
        10
    )
    misdeal: Annotated[
        Literal["top", "deep"],
        Meta(
            description="the first pile is dealt again for a jack or two equal ranks on top, or for either anywhere"
        ),
    ] = "top"


SETUP, PLAY, XERI, NEW_HANDS = "Setup", "Game play", "Capturing xeri", "Replenishing the hands"
RULES = Catalogue(
    "xeri",
    rule("R1", PLAY, DUTY, "The players deal in turn. Whoever did not deal begins; then each in turn plays one card.",
         "play in turn", {Play: one_card_each_in_turn, Capture: one_card_each_in_turn, HandEvent: deal_passes_on}),
    rule("R2", PLAY, DUTY, "A card of the rank of the top card takes the whole pile; so does a jack, and no other "
         "card.",
         "take by rank"),
    rule("R3", PLAY, DUTY, "A jack takes any pile.", "jacks take"),
    rule("R4", PLAY, CONSEQUENCE, "After a capture there is no pile: the next card, even a jack, begins one.",
         "a new pile"),
    rule("R5", XERI, CONSEQUENCE, "A pile of one card taken by a card of its rank is a xeri.", "xeri"),
    rule("R6", XERI, CONSEQUENCE, "A single card taken by a jack is a xeri only if it is a jack too.",
         "xeri with a jack"),
    rule("R7", NEW_HANDS, DUTY, "Six cards go to each player, four once to the pile, and six more each when both have "
         "played theirs.", "the deal"),
    rule("R8", SETUP, DUTY, "A first pile with a jack on top, or with two equal ranks on top, goes back into the "
         "stock, and another is dealt.", "the first pile"),
    rule("R9", PLAY, UNOBSERVABLE, "Nobody looks through the cards won: a look is in no record, so a table that saw "
         "one writes a remark."),
)  # fmt: skip

READINGS = {
    "What the cards taken count": "3 points for more than 26 of them, 1 for each ace, king, queen, jack and ten, 1 "
    "more for the 10♦, 1 for the 2♣; a xeri 10, its cards counted with the rest. Most points win the hand",
    "The card that was taken as a xeri": "is turned up across the others as a mark only; the record counts",
    "Must a matching card take the pile?": "it takes it by itself: the pile cannot be left",
    "A jack on no pile": "begins one like any card; only another jack takes it then, and that is a xeri",
    "A jack taken by a jack": "counts as any xeri; option jack_xeri_points",
    "Which cards of the first pile matter": "the two on top; option misdeal=deep looks at all four",
    "A second pile as bad as the first": "is dealt again too, as often as it takes; the hands stay",
    "What is left at the end": "goes to the last to capture and is no xeri, even if it is one card",
    "Unseen cards": "are known at the end, as all cards are played: a single unseen card can be named; with two or "
    "three, points that are the same either way count",
    "26 cards each": "no player has the three points",
    "As many points each": "the hand is a tie and counts for no player; with equal hands the match is a tie",
    "How many hands": "are agreed before the match; option hands",
    "Points of all hands": "decide nothing: the match is won by hands",
}  # fmt: skip
WORDS = {
    "xeri": "call: the pile just taken was a xeri",
}


class Hand:
    """State of one hand of Xeri. `doubtful` is True if the card on top may have taken the pile, which is then empty.

    `unsure` are players who may or may not have taken a pile with their last card.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.captures = Captures(state, ordered=True)
        self.board = self.captures.board
        self.rounds = Rounds(state, self.board)
        self.doubtful = False
        self.unsure = frozenset[str]()


# Setup: the first pile
def to_be_dealt_again(state: State[Hand]) -> bool | None:
    """True if the first pile has a jack or two equal ranks where it must not; None if unseen cards decide it."""
    row, top_only = state.hand.board.row or [], state.terms.options.misdeal == "top"
    ranks = [PACK.rank_of[code] for code in (row[-2:] if top_only else row)]
    seen = [rank for rank in ranks if rank != "?"]
    if "J" in (ranks[-1:] if top_only else ranks) or len(set(seen)) < len(seen):
        return True
    return False if row and seen == ranks else None


def another_pile(deal: Deal, state: State[Hand]) -> bool:
    """True if this deal replaces a first pile that is not played."""
    return state.phase == "misdeal" and not state.settled and "board" in dict(deal.piles)


def pile_in_bare_cards(state: State[Hand], cards: tuple[str, ...]) -> Deal | None:
    """The deal meant by four bare cards before the first play: the first pile, or the next one; else None."""
    if state.phase == "misdeal" and not state.settled and how_many(cards) == FIRST:
        return Deal(by="@", face="up", piles=(("board", cards),))
    return dealt_up(state, cards, (("board", FIRST),))


@RULES.check("R7", Deal)
def as_many_as_dealt(deal: Deal, state: State[Hand]) -> CheckResult | None:
    if not another_pile(deal, state):
        return as_many_as_in_a_round(deal, state)
    count = how_many(dict(deal.piles)["board"])
    return None if count in (None, FIRST) else broken(f"the pile gets {FIRST} cards, not {count}")


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """A first pile that is to be dealt again is shuffled next, even if unrecorded."""
    if another_pile(deal, state):
        back_to_the_stock(state)
    deal_a_round(deal, state)
    if not state.acts and to_be_dealt_again(state):
        state.phase, state.turn = "misdeal", ()


@RULES.check("R8", Play, Capture)
def a_bad_pile_is_dealt_again(act: Event, state: State[Hand]) -> CheckResult | None:
    """Checked once, when the first card is played."""
    if state.acts:
        return None
    bad = to_be_dealt_again(state)
    if bad is None:
        return unknown("the first pile was not seen")
    return broken("a first pile with a jack or two equal ranks on top is dealt again") if bad else None


@RULES.check("R8", Shuffle)
def only_a_bad_pile_is(shuffle: Shuffle, state: State[Hand]) -> CheckResult | None:
    if shuffle.src != "board" or state.settled:
        return None
    if state.acts and not state.hand.rounds.gap:
        return broken("only a first pile goes back into the stock, before any card was played")
    bad = to_be_dealt_again(state)
    if bad is None:
        return unknown("the first pile was not seen")
    return None if bad else broken("this pile is played: there is no jack on top of it, nor two equal ranks")


def on_shuffle(shuffle: Shuffle, state: State[Hand]) -> None:
    """The first pile goes back into the stock, and another is dealt."""
    if not state.settled and not state.acts and shuffle.src == "board":
        back_to_the_stock(state)


def back_to_the_stock(state: State[Hand]) -> None:
    """Shuffle the first pile into the stock; the next one is unseen."""
    rounds, table, board = state.hand.rounds, state.table, state.hand.board
    rounds.undo_deal()
    table.move(board.codes(), board, rounds.stock)
    table.mix([UNSEEN] * len(rounds.stock), rounds.stock, rounds.stock)
    rounds.deal(first=True)


# Game play
def same_rank(code: int) -> int:
    """Mask of the cards that this one takes."""
    return EVERY if PACK.rank_of[code] == "J" else PACK.rank[PACK.rank_of[code]]


def on_top(state: State[Hand]) -> int:
    """Mask of the cards that may be on top of the pile; 0 if it is empty."""
    board = state.hand.board
    if not board.row:
        return board.may_hold() if board.vague else 0
    top = board.row[-1]
    if top < UNSEEN:
        return PACK.field[top]
    return board.later if board.later and board.covered == 1 else board.may_leave(top)


def takes_the_pile(act: Play | Capture, state: State[Hand]) -> bool | None:
    """True if the card takes the pile; None if unseen cards decide it."""
    hand, code, row = state.hand, state.code(act.cards), state.hand.board.row
    if row and code < UNSEEN > row[-1] and not hand.doubtful:
        return PACK.rank_of[code] in ("J", PACK.rank_of[row[-1]])
    tops = on_top(state)
    cards = [code] if code < UNSEEN else list(PACK.codes(state.holding(act.by).may_leave(code)))
    if not tops or not any(tops & same_rank(card) for card in cards):
        return False
    certain = not hand.doubtful and bool(hand.board.row) and all(not tops & ~same_rank(card) for card in cards)
    return True if certain else None


def called_on_top(state: State[Hand]) -> str:
    """The card on top, in words."""
    row = state.hand.board.row
    return PACK.shown(row[-1]) if row else "an empty pile"


@RULES.check("R2", Play)
def a_match_is_not_left(play: Play, state: State[Hand]) -> CheckResult | None:
    return None if play.face != "up" or is_jack(play, state) else left_lying(play, state)


@RULES.check("R3", Play)
def a_jack_is_not_left(play: Play, state: State[Hand]) -> CheckResult | None:
    return left_lying(play, state) if play.face == "up" and is_jack(play, state) else None


def is_jack(act: Play | Capture, state: State[Hand]) -> bool:
    """True if the card was seen to be a jack."""
    return PACK.rank_of[state.code(act.cards)] == "J"


def left_lying(play: Play, state: State[Hand]) -> CheckResult | None:
    """Verdict on a card laid face up, which explicitly leaves the pile; None if it does not take it."""
    takes = takes_the_pile(play, state)
    if takes is None:
        return unknown("whether the card takes the pile")
    if not takes:
        return None
    return broken(
        f"{PACK.shown(state.code(play.cards))} on {called_on_top(state)} takes the pile", on_top(state), "board"
    )


@RULES.check("R2", Capture)
def what_takes_matches(capture: Capture, state: State[Hand]) -> CheckResult | None:
    code = state.code(capture.cards)
    if not on_top(state):
        return None
    takes = takes_the_pile(capture, state)
    if takes is False:
        return broken(f"{PACK.shown(code)} does not take {called_on_top(state)}", on_top(state), "board")
    if capture.src not in ("", "board"):
        return broken("a card takes the pile in the middle, and no cards that are won")
    if takes is None:
        return unknown("whether the card takes the pile")
    named = codes_of_cards(PACK, capture.takes)
    return None if "*" in capture.takes else names_part_of_it(named, state.hand.board, "pile")


@RULES.check("R2", Move)
def whoever_took_it_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    """A pile gathered was taken by that player; what is left at the end goes to the player who took last."""
    if move.src != "board" or not move.to.startswith("won:") or not state.number:
        return None
    hand, last, board = state.hand, state.hand.captures.last, state.hand.board
    if state.settled and not hand.rounds.over:
        return None
    if state.settled and move.to != f"won:{last}":
        left = f"the cards left go to {last}, the last to capture"
        return unknown("who took last") if hand.rounds.gap or hand.rounds.uncounted else broken(left)
    if state.settled:
        return None
    if hand.rounds.gap or hand.rounds.doubt or hand.doubtful or board.vague:
        return unknown("whether the pile was taken")
    if len(board):
        return broken("no player has taken the pile")
    return broken(f"{last} took the pile") if last and move.to != f"won:{last}" else None


@RULES.check("R4", Capture)
def an_empty_pile_is_not_taken(capture: Capture, state: State[Hand]) -> CheckResult | None:
    if not on_top(state):
        return broken("there is no pile to take: the card begins one")
    return unknown("whether there is a pile to take") if state.hand.doubtful or not state.hand.board.row else None


def on_play(play: Play, state: State[Hand]) -> None:
    """Play a card, which takes the pile or goes on top of it."""
    ensure_hand_started(state)
    takes = False if play.face == "up" or play.src else takes_the_pile(play, state)
    if takes:
        take_the_pile(Capture(by=play.by, cards=play.cards, takes=("*",)), state)
    else:
        lay_down(play, takes, state)


def lay_down(play: Play, takes: bool | None, state: State[Hand]) -> None:
    """Lay a card on the pile; if `takes` is None, the pile may also have been taken, so its cards are unknown."""
    hand = state.hand
    hand.doubtful = takes is None
    if takes is None:
        hand.rounds.uncounted = hand.board.vague = hand.captures.won[play.by].vague = True
        hand.unsure |= {play.by}
    trail(play, state)


def on_capture(capture: Capture, state: State[Hand]) -> None:
    ensure_hand_started(state)
    take_the_pile(capture, state)


def take_the_pile(capture: Capture, state: State[Hand]) -> None:
    """Give card and pile to the player; a single card of the same rank is a xeri."""
    hand, code, top = state.hand, state.code(capture.cards), on_top(state)
    single = len(hand.board) == 1 and not hand.board.vague and not hand.doubtful
    gather_capture(replace(capture, takes=("*",)), state)
    hand.doubtful = False
    hand.unsure -= {capture.by}
    if single and code < UNSEEN and not top & ~PACK.rank[PACK.rank_of[code]]:
        hand.captures.swept()
    elif hand.board.vague or (single and (code >= UNSEEN or top & PACK.rank[PACK.rank_of[code]])):
        hand.rounds.uncounted = True  # it may or may not have been a xeri
        hand.unsure |= {capture.by}
    hand.board.vague = False
    next_turn(capture.by, state)


def on_move(move: Move, state: State[Hand]) -> None:
    """All cards of a gathered pile move; those that the event names are revealed."""
    on_taking_back(replace(move, cards=("*",)) if gathers(move, state) else move, state)
    if gathers(move, state) and "*" not in move.cards and not has_been_gathered(move, state):
        won = state.table.piles[move.to]
        state.table.reveal(state.table.codes(move.cards, won), won)


def gathers(move: Move, state: State[Hand]) -> bool:
    """True if a player gathers a pile that the last card may have taken."""
    on_table = bool(state.number) and not state.settled and move.src == "board"
    return on_table and move.to.startswith("won:") and state.hand.board.vague


# Capturing xeri
@RULES.check("R5", Call)
def a_xeri_is_one_card_of_that_rank(call: Call, state: State[Hand]) -> CheckResult | None:
    return not_a_xeri(call, state, jacks=False)


@RULES.check("R6", Call)
def a_jack_makes_a_xeri_of_a_jack_only(call: Call, state: State[Hand]) -> CheckResult | None:
    return not_a_xeri(call, state, jacks=True)


def not_a_xeri(call: Call, state: State[Hand], *, jacks: bool) -> CheckResult | None:
    """Verdict on a call that the pile taken last was a xeri; with `jacks`, on a jack that took another card (R6)."""
    log = state.hand.captures.log if call.word == "xeri" and state.number else []
    last = next((taken for taken in reversed(log) if taken.side == call.by), None)
    if call.word != "xeri" or (last and last.sweep and call.by not in state.hand.unsure):
        return None
    doubt = why_unsure(call.by, state) if state.number else ""
    if doubt:
        return None if jacks else unknown(doubt)
    if last is None:
        return None if jacks else broken(f"{call.by} has taken no pile")
    lay = last.takes[0] if len(last.takes) == 1 else UNSEEN
    jack = PACK.rank_of[last.card] == "J" and lay < UNSEEN
    if jacks != jack:
        return None
    if jack:
        return broken(f"{PACK.shown(last.card)} took {PACK.shown(lay)}: a jack makes a xeri only of a jack")
    if UNSEEN in (last.card, lay) and len(last.takes) == 1:
        return unknown("whether the two cards have the same rank")
    return broken(
        f"{call.by} took {len(last.takes)} cards; a xeri is a single one of the rank of the card that takes it"
    )


def why_unsure(player: str, state: State[Hand]) -> str:
    """Reason why it is unknown what a player took last, else ""."""
    hand = state.hand
    if hand.rounds.gap:
        return "acts are missing from the record"
    if hand.rounds.doubt:
        return "an act may be missing before this"
    return f"whether {player} took a pile of one card" if player in hand.unsure else ""


# Scoring
def more_jacks_than_xeri(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a player has more xeri with a jack than xeri, else ""."""
    for player in state.terms.seats:
        jacks, made = known.get(f"jacks.{player}"), known.get(f"xeri.{player}")
        if jacks is not None and made is not None and jacks > made:
            return f"{player} made {made} xeri, and cannot have made {jacks} of them with a jack"
    return ""


def more_than_was_taken(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a player's honours and xeri exceed the cards taken, else ""."""
    for player, other in (state.terms.seats, state.terms.seats[::-1]):
        cards = share(known, "cards", PACK.size, player, other)
        honours = share(known, "honours", 20, player, other)
        made, two = known.get(f"xeri.{player}"), known.get("two") == player
        if honours == 0 and known.get("ten") == player:
            return f"the 10♦ is an honour, and {player} took none"
        if cards is None:
            continue
        if cards == 1:
            return f"{player} took one card, but a capture has at least two"
        if honours is not None and honours + two > cards:
            return f"{player} took {cards} cards, not {honours} honours{' and the 2♣' * two}"
        # Before its first xeri a player takes two cards or more: only the last to take can meet a single card.
        if made and 2 * made + 3 > cards:
            return f"{player} took {cards} cards, too few for {made} xeri"
    return ""


def share(known: Mapping[str, Any], fact: str, whole: int, player: str, other: str) -> int | None:
    """A player's part of n cards, reported or left by the other player; None if unknown."""
    told, left = known.get(f"{fact}.{player}"), known.get(f"{fact}.{other}")
    return told if told is not None or left is None else whole - left


class Tally(TallyFacts):
    """What a hand of Xeri is scored from."""

    xeri: Points = bounded(lambda state: state.hand.rounds.once_a_turn(so_far(state).xeri), figures(
        "xeri of a player, 0 if none", 0, 24, rule="R5"
    ))  # fmt: skip
    cards: Points = bounded(lambda state: so_far(state).cards, counts(
        "cards taken by a player", of=PACK.size, asks="who took how many cards",
    ))  # fmt: skip
    honours: Points = bounded(lambda state: so_far(state).honours, counts(
        "aces, kings, queens, jacks and tens taken by a player", of=20, asks="who took how many honours"
    ))
    ten: str = bounded(lambda state: {"": so_far(state).ten or None}, seat(
        "player who took the ten of diamonds", asks="who took the 10♦"
    ))  # fmt: skip
    two: str = bounded(lambda state: {"": so_far(state).two or None}, seat(
        "player who took the two of clubs", asks="who took the 2♣"
    ))  # fmt: skip
    jacks: Points = figures(
        "xeri with a jack of a player; needed only if they count otherwise", 0, 2, rule="R6"
    )

    laws = (
        Law(("jacks", "xeri"), more_jacks_than_xeri, "R6"),
        Law(("cards", "honours", "xeri", "ten", "two"), more_than_was_taken),
    )


def so_far(state: State[Hand]) -> Tally:
    """What each player has at least, whatever is still to be played; empty if it is unknown who took what."""
    rounds = state.hand.rounds
    return Tally({}, {}, {}) if rounds.gap or rounds.uncounted else taken_so_far(state)


def taken_so_far(state: State[Hand]) -> Tally:
    """Tally of what the players have taken so far."""
    players, captures = state.terms.seats, state.hand.captures
    made = [taken for taken in captures.log if taken.sweep]
    honours = {p: captures.won[p].how_many(HONOURS) for p in players}
    ten, two = (next((p for p in players if captures.won[p].any_of(card)), "") for card in (TEN, TWO))
    return Tally(
        {p: sum(taken.side == p for taken in made) for p in players}, {p: len(captures.won[p]) for p in players},
        {p: low if low == high else None for p, (low, high) in honours.items()}, ten, two,
        {p: sum(taken.side == p and PACK.rank_of[taken.card] == "J" for taken in made) for p in players},
    )  # fmt: skip


def tally(state: State[Hand]) -> Tally:
    rounds, nobody = state.hand.rounds, dict.fromkeys(state.terms.seats)
    if rounds.over and not rounds.gap and not rounds.uncounted:
        return apply_reported_facts(taken_so_far(state), state)
    t = apply_reported_facts(Tally(dict(nobody), dict(nobody), dict(nobody), jacks=dict(nobody)), state)
    t.jacks = {p: 0 if t.xeri[p] == 0 else n for p, n in t.jacks.items()}
    return t


def parts(t: Tally, options: Options) -> tuple[ScoreLine, ...]:
    """Lines with the points for each player's cards and xeri.

    >>> t = Tally({"A": 2, "B": 0}, {"A": 22, "B": 30}, {"A": 11, "B": 9}, "A", "B", {"A": 1, "B": 0})
    >>> [(line.label, line.amounts) for line in parts(t, Options(jack_xeri_points=20))][:2]
    [('xeri', {'A': 30, 'B': 0}), ('cards', {'A': 0, 'B': 3})]
    """
    extra = options.jack_xeri_points - options.xeri_points
    xeri = {p: None if n is None else n * options.xeri_points for p, n in t.xeri.items()}
    if extra:
        xeri = add_points(xeri, {p: None if n is None else n * extra for p, n in t.jacks.items()})
    more = {p: None if n is None else MOST_CARDS if 2 * n > PACK.size else 0 for p, n in t.cards.items()}
    single = {p: None if "" in (t.ten, t.two) else (t.ten == p) + (t.two == p) for p in t.xeri}
    took = {p: ", ".join(card for card, who in (("10♦", t.ten), ("2♣", t.two)) if who == p) for p in t.xeri}
    return (
        ScoreLine("xeri", xeri, {p: f"{n} xeri: {figure(xeri[p])}" for p, n in t.xeri.items() if n}),
        ScoreLine(
            "cards",
            more,
            {p: f"{n} cards" + (f": {MOST_CARDS}" if more[p] else "") for p, n in t.cards.items() if n is not None},
        ),
        ScoreLine("honours", t.honours, {p: f"{n} honours: {n}" for p, n in t.honours.items() if n}),
        ScoreLine("10♦ 2♣", single, {p: f"{cards}: {figure(single[p])}" for p, cards in took.items() if cards}),
    )


def score(state: State[Hand]) -> HandScore:
    """Score of the hand: its winner, as far as recorded, with the points behind it."""
    t = tally(state)
    if nothing := counts_nothing(state, t.void, unfinished=None in t.cards.values()):
        return nothing
    lines = parts(t, state.terms.options)
    points: Points = dict.fromkeys(state.terms.seats, 0)
    for line in lines:
        points = add_points(points, line.amounts)
    known = {p: n for p, n in points.items() if n is not None}
    if len(known) < len(points):
        unseen: Points = dict.fromkeys(points)
        missing = [f"the {line.label}" for line in lines if None in line.amounts.values()]
        return hand_score(state, unseen, lines, unknown=missing)
    most, least = max(known.values()), min(known.values())
    ahead = [p for p, n in known.items() if n == most] if most > least else []
    won: Points = {p: int(p in ahead) for p in points}
    told = f"{state.terms.name(ahead[0])} {most}–{least}" if ahead else f"a tie at {most}"
    counted = {p: [line.amounts[p] for line in lines if line.amounts[p]] for p in known}
    sums = {p: f"{' + '.join(map(str, parts))} = {known[p]}" for p, parts in counted.items() if len(parts) > 1}
    return hand_score(state, won, (*lines, ScoreLine("points", points, sums)), result=told)


def last_outcome_text(state: State[Hand]) -> str:
    """Words for a pile taken or new cards, or why a first pile is not played."""
    log, told = state.hand.captures.log, list[str]()
    if state.phase == "misdeal":
        why = "the first pile has a jack or two equal ranks"
        return f"{why}{' on top' if state.terms.options.misdeal == 'top' else ''}, and is dealt again"
    if log and log[-1].at == state.at:
        told.append(f"{log[-1].side} takes the pile" + (", a xeri" if log[-1].sweep else ""))
    return ", ".join(filter(None, (*told, new_cards(state))))


# Simulation
def chance(state: State[Hand], random: Random) -> list[Event]:
    """Chance events: a deal, or a shuffle and another first pile if the first one must not be played."""
    if state.phase != "misdeal":
        return shuffle_and_deal(state, random)
    cards = PACK.cards(PACK.full - sum(state.holding(p).certain for p in state.terms.seats))
    random.shuffle(cards)
    return [
        Shuffle(by="@", cards=("*",), src="board", to="stock"),
        Deal(by="@", face="up", piles=(("board", tuple(cards[:FIRST])),)),
        Deal(by="@", face="down", piles=(("stock", tuple(cards[FIRST:])),)),
    ]


GAME = Game(
    key="xeri", name="Xeri", family="fishing", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK, dealing=Dealing(deal=DEAL, next_dealer=deals_next, chance=chance),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(lay_out_board, Hand),
    phases={
        "play": Phase("play", (Play, Capture, Call), "a card", to_do="play", one_card=True, bare=("xeri",),
                      verb_required=(Capture,), tries=(try_each_card,)),
        "misdeal": Phase("the first pile", (Play, Capture), "the four cards of another (kc4s7d5d)",
                         to_do="deal another pile"),
        "between": Phase("between two hands", (Call,), "the next hand"),
    },
    on={**FISHING, Deal: on_deal, Shuffle: on_shuffle, Play: on_play, Capture: on_capture, Move: on_move},
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.hands),
    match=MatchRules(hand_points="points"),
    sheet=ledger({}, {"{} points": figure_of_line("points"), "{}": running_total}),
    judging=Judging(said_any_time=frozenset(("xeri",))),
    shorthand=Shorthand(open_deal=pile_in_bare_cards),
    display=Display(
        headline=captures_so_far("xeri"), last_outcome_text=last_outcome_text,
        piles={"board": Lies("stack", "middle", called="pile")},
    ),
)  # fmt: skip
