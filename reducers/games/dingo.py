"""Dingo: four players throw and pass cards until six are left, then hunt the diamonds rank by rank; the last wolf
catches the rabbit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Annotated, Any, ClassVar, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import one_by_one, pretty
from events.model import Deal, Discard, Event, Facts, Fault, Gap, Move, Name, Pass, Play, Show
from reducers import facts as fact
from reducers.facts import at_key
from reducers.model import HandRecord
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, WHO_DEALS, Catalogue, CheckResult, Dealt, Game, HandScore, Law, Line, Phase, Points,
    Standing,
    State, TallyFacts, Terms, a_pass, added, as_many_as_dealt, broken, counts_nothing, deals_next, figure, figures,
    finish_hand, hand_of,
    hand_score, on_deal, on_show, overlaid, pack, pretty_all, read_by_the_page, ready, result, rule, settle,
    shuffle_and_deal,
    singles, summary_of, unknown, why_void,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.called_card import seen
from reducers.words.passing import (
    GONE_BY, TO_THE, begin_rounds, cards_are_thrown_first, on_discard, on_passed, one_is_thrown_in_turn, passed_in_turn,
    passed_the_right_way, passes_on, receiver, throws, unseen_pass, unwritten_rounds,
)  # fmt: skip
from reducers.words.sheets import amount_in, parts
from reducers.words.tallies import readable

# Setup
PACK = pack()
ORDER = "23456789TJQKA"
ACE = ORDER.index("A")
SAID = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RABBITS = tuple(f"{rank}d" for rank in reversed(ORDER[:ACE]))
DEAL = Dealt(each=10, apart=RABBITS)
HEART, DIAMOND = ([PACK.code[rank + suit] for rank in ORDER] for suit in "hd")
WOLVES = [(PACK.code[f"{rank}c"], PACK.code[f"{rank}s"]) for rank in ORDER]
HEARTS, ACES = PACK.suit["h"], PACK.rank["A"]
AD = DIAMOND[ACE]
LOST_AD = 3
"""What the ace of diamonds counts against whoever did not play it."""


def worth(code: int) -> int:
    """What a card counts.

    >>> [worth(PACK.code[card]) for card in ("Ad", "Ah", "Kc", "Ts", "9h")]
    [10, 3, 2, 2, 1]
    """
    return 10 if code == AD else {"A": 3, "K": 2, "Q": 2, "J": 2, "T": 2}.get(PACK.rank_of[code], 1)


class Options(Struct, frozen=True):
    """House rules of Dingo."""

    games: Annotated[int, Meta(ge=1, le=99, description="games that make a match")] = 1


SETUP, EXCHANGE, HUNT, ACES_HUNT, SCORING = (
    "Setup", "Discards and exchanges", "Hunting the rabbits", "Hunting the A♦", "Scoring"
)  # fmt: skip
RULES = Catalogue(
    "dingo",
    rule("R1", EXCHANGE, DUTY, "Four times each seat throws one card, face up, the dealer first.", "throw a card",
         {Discard: one_is_thrown_in_turn, Move: cards_are_thrown_first}),
    rule("R2", EXCHANGE, DUTY, "An ace is never thrown; it may be passed on.", "no ace thrown"),
    rule("R3", EXCHANGE, DUTY, "Between these rounds each seat passes one card: first to the left, then across, then "
         "to the right.", "which way cards go", {Move: passed_the_right_way}),
    rule("R4", EXCHANGE, DUTY, "The dealer passes first, then the others clockwise; a card just received may be passed "
         "on.", "pass in turn", {Move: passed_in_turn}),
    rule("R5", HUNT, DUTY, "The dealer calls the ranks from two to king, one hunt after the other, and then the ace.",
         "call the ranks in order"),
    rule("R6", HUNT, DUTY, "Whoever holds the heart of the rank called, the dingo, plays it at once.",
         "play the dingo"),
    rule("R7", HUNT, DUTY, "After the dingo each of the others, once and in turn, plays one black card of that rank, a "
         "wolf, or passes; whoever played the dingo adds none.", "wolves in turn"),
    rule("R8", ACES_HUNT, DUTY, "The ace of diamonds is played only in the hunt of the aces, in its holder's turn, and "
         "after both black aces.", "the A♦ after both wolves"),
    rule("R9", ACES_HUNT, RIGHT, "In the hunt of the aces a seat may play one black ace in its turn, or both.",
         "one wolf or both"),
    rule("R10", ACES_HUNT, RIGHT, "Whoever played the ace of hearts has a turn at the end, for black aces and the ace "
         "of diamonds.", "a last turn"),
    rule("R11", SCORING, DUTY, "Nobody has a red card left at the end but the ace of diamonds; whoever has forfeits "
         "the game.", "no red card left"),
    rule("R12", SETUP, CONSEQUENCE, "The diamonds from two to king lie open, the two on top; each seat is dealt ten of "
         "the other forty cards.", "the deal"),
    rule("R13", HUNT, CONSEQUENCE, "The last wolf catches the rabbit, and the dingo's player keeps the dingo and the "
         "wolf before it; a dingo without a wolf counts against its player. In the hunt of the aces each keeps what "
         "each has played.", "who has the cards"),
    rule("R14", SCORING, CONSEQUENCE, "The ace of diamonds counts 10, another ace 3, a king, queen, jack or ten 2, any "
         "other card 1; in the penalty pile the same is taken off, but 3 for the ace of diamonds.", "what cards count"),
    rule("R15", SCORING, CONSEQUENCE, "The highest score wins the game; if several are level, the one of them with the "
         "highest rabbit.", "the game"),
)  # fmt: skip

READINGS = {
    "May the A♦ be kept back though it could be played?": "yes; it then counts 3 against its holder, who forfeits "
    "nothing",
    "Who catches if both wolves are out?": "the second one, whoever played the first; not in the hunt of the aces",
    "Somebody holds both wolves": "one of them may be played; the other is of no use then",
    "Are those asked who come after the second wolf?": "no; their passes may be written or not",
    "Wolves of the dingo's own player alone": "are wolves: the ace of hearts scores",
    "May aces be passed on?": "yes, and the A♦ too",
    "When is a card thrown after a round of passes?": "when all four have passed",
    "What becomes of a rabbit that nobody caught?": "it counts for nobody",
    "Level, and nobody of them has a rabbit": "they have won together",
    "Which rabbit is the highest?": "the ace of diamonds, then the king and so on down to the two",
    "Who wins if somebody forfeits?": "the best of the others; their cards, and what was caught from them, stay where "
    "they are. In a match of several games a forfeited game counts nothing for its player, or what is below nothing",
    "How many games make a match?": "one, as in the text (option games); of several the highest sum wins, and if that "
    "is level, the highest rabbit of the last game. The deal passes to the left",
    "A dingo that is not played when it is called": "that hunt is over as if it had been thrown; played later, it "
    "counts for nobody",
    "A wolf that is played against the rule": "catches nothing and counts for nobody",
    "A game that is broken off": "counts nothing",
}
WORDS = {
    "wolf": "fault: the table does not let somebody play a second black ace",
    "last": "fault: the table does not let the dingo's player have the last turn in the hunt of the aces",
    "void": "end: the game does not count",
    "misdeal": "end: the game is dealt again",
}


class Hand(HandRecord):
    """One game of Dingo as it goes. What the rounds before the hunts keep, `reducers.words.passing` says.

    `hunt` is the place in `ORDER` of the rank that was hunted last, or still is. `dingo` is the seat that played the
    heart, `lying` has the cards in the middle with who played them and as what, `left` the seats that are still to
    speak, `spared` those that need not after the second wolf. `lately` is who may go on in the hunt of the aces.
    `caught` is where and how the last hunt ended. `dark` says that a card of the hunt was not seen, so that until the
    next call nobody can say which hunt it is, and `blurred` that there was such a card at any time; `over` that the
    last hunt is over.
    """

    __slots__ = (
        "acted", "blurred", "caught", "dark", "dingo", "gap", "hunt", "lately", "left", "lying", "over", "round",
        "spared",
    )  # fmt: skip
    rounds: ClassVar[tuple[int, ...]] = (0, 1, 0, 2, 0, 3, 0)

    def __init__(self) -> None:
        self.acted: tuple[str, ...] = ()
        self.round, self.hunt = 0, -1
        self.dingo = self.lately = ""
        self.left: tuple[str, ...] = ()
        self.spared: tuple[str, ...] = ()
        self.lying: list[tuple[str, int, str]] = []
        self.caught: tuple[int, str] = (0, "")
        self.gap = self.dark = self.blurred = self.over = False

    @property
    def next(self) -> int:
        """The place of the rank that is hunted next."""
        return self.hunt + 1

    @property
    def wolves(self) -> list[str]:
        """Who played the wolves of this hunt, in order."""
        return [seat for seat, _, role in self.lying if role == "wolf"]

    def on_to_play(self, state: State[Hand]) -> None:
        """The dealer calls the first rank."""
        calls_next(state)


Role: TypeAlias = str


def start(state: State[Hand]) -> Hand:
    """The rabbits lie open; the dealer throws the first card."""
    for seat in state.terms.seats:
        state.table.bag(seat)
    state.table.lay(map(PACK.code.__getitem__, RABBITS), state.table.row("widow"))
    state.hand = hand = Hand()
    begin_rounds(state)
    return hand


def calls_next(state: State[Hand]) -> None:
    """No hunt is on; the dealer calls the next rank."""
    state.phase, state.turn = "calling", state.terms.seats if state.guessed else (state.dealer,)


# The deal
@RULES.check("R12", Deal)
def ten_each_and_the_rabbits(deal: Deal, state: State[Hand]) -> CheckResult | None:
    dealt = tuple(pile for pile in deal.piles if pile[0] != "widow")
    for _, cards in (pile for pile in deal.piles if pile[0] == "widow"):
        if any("?" not in card and card not in RABBITS for card in cards):
            return broken("the diamonds from two to king lie open, and no other card")
    return as_many_as_dealt(replace(deal, piles=dealt), state) if dealt else None


def on_dealt(deal: Deal, state: State[Hand]) -> None:
    """The hands; the rabbits lie there already, whether anybody writes it or not."""
    on_deal(replace(deal, piles=tuple(pile for pile in deal.piles if pile[0] != "widow")), state)


# Discards
@RULES.check("R2", Discard)
def no_ace_is_thrown(discard: Discard, state: State[Hand]) -> CheckResult | None:
    for card in one_by_one(discard.cards):
        may_be = PACK.may_be[PACK.code.get(card, PACK.unknown)]
        if not may_be & ~ACES:
            return broken(f"the {pretty(card)} is an ace")
        if may_be & ACES:
            return unknown("the card that was thrown was not seen")
    return None


# The hunts: which rank
def rank_called(what: str) -> int:
    """The place of a rank as it is said; -1 if it is none.

    >>> rank_called("2"), rank_called("10"), rank_called("t"), rank_called("A"), rank_called("h")
    (0, 8, 8, 12, -1)
    """
    rank = "T" if what == "10" else what.upper()
    return ORDER.index(rank) if len(rank) == 1 and rank in ORDER else -1


def clouded(state: State[Hand]) -> CheckResult | None:
    """Why nobody can say which hunt it is, if so."""
    if state.hand.gap:
        return unknown(GONE_BY)
    return unknown("a card of the hunt was not seen") if state.hand.dark else None


def held(card: int, state: State[Hand]) -> tuple[str, bool | None]:
    """Who holds a card for certain; whether somebody does, None if it cannot be said."""
    whether: bool | None = False
    for seat in state.terms.seats:
        has = state.holding(seat).any_of(PACK.field[card])
        if has:
            return seat, True
        whether = None if has is None else whether
    return "", whether


def held_back(state: State[Hand]) -> CheckResult | None:
    """The hunt goes on without the dingo that was called."""
    heart = HEART[state.hand.hunt]
    who, has = held(heart, state)
    if has is False:
        return None
    card = PACK.shown(heart)
    if who:
        return broken(f"{who} holds the {card} that was called, and has not played it", PACK.field[heart], who)
    return unknown(f"whether somebody holds the {card} that was called; the hands at the end show who")


def skipped(upto: int, state: State[Hand]) -> CheckResult | None:
    """A rank is hunted before another was called. Of a dingo that was thrown, the call may not have been written."""
    for heart in HEART[state.hand.next : upto]:
        who, has = held(heart, state)
        rank = SAID[state.hand.next]
        if has:
            text = f"the {rank} is hunted next, and the {PACK.shown(heart)} is with {who}"
            return broken(text, PACK.field[heart], who)
        if has is None:
            return unknown(f"whether the {PACK.shown(heart)} was thrown; a call may be missing from the record")
    return None


@RULES.check("R5", Name)
def ranks_are_called_in_order(name: Name, state: State[Hand]) -> CheckResult | None:
    hand, rank = state.hand, rank_called(name.what)
    if rank < 0:
        return broken("a rank is called, from 2 to A")
    if dark := clouded(state):
        return dark
    if name.by != state.dealer:
        return unknown(WHO_DEALS) if state.guessed else broken(f"{state.dealer} has dealt and calls the ranks")
    if rank == hand.hunt and state.phase == "dingo":
        return None
    if rank <= hand.hunt:
        return broken(f"the {SAID[rank]} was hunted already" if hand.hunt < ACE else "the hunt of the aces is the last")
    return skipped(rank, state)


@RULES.check("R6", Name, when="dingo")
def the_dingo_comes_before_the_next_call(name: Name, state: State[Hand]) -> CheckResult | None:
    if rank_called(name.what) == state.hand.hunt:
        return None
    return clouded(state) or held_back(state)


# The hunts: what is played
def whichever(judge: Any) -> Any:
    """The same question of each card that a play may have been, if it was not seen."""

    def asked(play: Play, state: State[Hand]) -> CheckResult | None:
        code = state.code(play.cards)
        if dark := clouded(state):
            return dark
        if code < PACK.unknown or len(one_by_one(play.cards)) != 1:
            return judge(play, state)  # type: ignore[no-any-return]  # as annotated there
        may_be = PACK.cards(state.holding(play.by).may_leave(code))
        said = [judge(replace(play, cards=(card,)), state) for card in may_be]
        if not any(said):
            return None
        broken_by_all = all(s is not None and s.verdict == "broken" for s in said)
        return said[0] if broken_by_all else unknown("the card was not seen")

    return asked


def codes_in(play: Play) -> list[int]:
    """The cards of a play, in the order in which they were played."""
    return [PACK.code.get(card, PACK.unknown) for card in one_by_one(play.cards)]


def begins_a_hunt(code: int, state: State[Hand]) -> bool:
    """Whether this is the heart of a rank that was not called yet: then nobody wrote the call."""
    return code in HEART and HEART.index(code) > state.hand.hunt


@RULES.check("R5", Play)
@whichever
def no_rank_is_left_out(play: Play, state: State[Hand]) -> CheckResult | None:
    code = codes_in(play)[0]
    return skipped(HEART.index(code), state) if begins_a_hunt(code, state) else None


@RULES.check("R6", Play)
@whichever
def the_dingo_is_played_at_once(play: Play, state: State[Hand]) -> CheckResult | None:
    hand, code = state.hand, codes_in(play)[0]
    called = state.phase == "dingo" and code == HEART[hand.hunt]
    if code in HEART and not called and not begins_a_hunt(code, state):
        return broken(f"the {PACK.shown(code)} was to be played when its rank was called")
    if called or state.phase != "dingo":
        return None
    if begins_a_hunt(code, state):
        return held_back(state)
    heart = HEART[hand.hunt]
    has = state.holding(play.by).any_of(PACK.field[heart])
    if has:
        return broken(f"{play.by} holds the {PACK.shown(heart)} that was called", PACK.field[heart], play.by)
    return unknown(f"whether {play.by} holds the {PACK.shown(heart)}") if has is None else None


def out_of_its_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    """Whether a seat has its turn in a hunt; those before it may have passed without a line."""
    hand = state.hand
    if act.by in hand.left or (act.by == hand.lately and isinstance(act, Play)):
        return None
    if act.by == hand.dingo and hand.hunt < ACE:
        return broken(f"{act.by} played the dingo, and adds no wolf")
    return broken(f"{act.by} has had a turn in this hunt")


@RULES.check("R7", Play)
@whichever
def wolves_in_turn(play: Play, state: State[Hand]) -> CheckResult | None:
    hand, codes = state.hand, codes_in(play)
    aces = hand.hunt == ACE and state.phase in ("aces", "closing")
    if len(codes) != 1 and not aces:
        return broken("one card is played at a time")
    if codes[0] == AD and not aces:
        return None
    if not aces and (codes[0] in HEART or codes[0] >= PACK.unknown):
        return None
    if state.phase in ("calling", "dingo"):
        rank = ORDER.index(PACK.rank_of[codes[0]])
        if rank <= hand.hunt - (state.phase == "dingo"):
            return broken(f"the hunt of the {SAID[rank]} is over")
        return broken(f"no wolf before the dingo: the {PACK.shown(HEART[rank])} comes first")
    for code in codes:
        if code not in WOLVES[hand.hunt] and code < PACK.unknown and not (aces and code == AD):
            return broken(f"the {SAID[hand.hunt]} is hunted, and the {PACK.shown(code)} is no wolf of it")
    return out_of_its_turn(play, state) or (unknown("a card was not seen") if max(codes) >= PACK.unknown else None)


@RULES.check("R7", Pass)
def who_may_pass(act: Pass, state: State[Hand]) -> CheckResult | None:
    if dark := clouded(state):
        return dark
    if state.phase == "calling":
        return None if act.by in state.hand.spared else broken("nothing is hunted now")
    return None if act.by == state.hand.lately else out_of_its_turn(act, state)


@RULES.check("R8", Play)
@whichever
def the_rabbit_after_both_wolves(play: Play, state: State[Hand]) -> CheckResult | None:
    codes = codes_in(play)
    if AD not in codes:
        return None if max(codes) < PACK.unknown else unknown("a card was not seen")
    if state.phase not in ("aces", "closing"):
        return broken("the A♦ is played in the hunt of the aces, after the dingo")
    out = len(state.hand.wolves)
    for code in codes[: codes.index(AD)]:
        if code >= PACK.unknown:
            return unknown("a card was not seen")
        out += code in WOLVES[ACE]
    if out < len(WOLVES[ACE]):
        return broken(f"the A♦ is played after both black aces, and {'only one' if out else 'none'} is out")
    return None


@RULES.check("R9", Fault)
def both_wolves_may_be_played(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table does not let somebody play a second black ace."""
    if fault.word != "wolf" or not state.number or state.hand.hunt < ACE:
        return None
    return broken("in the hunt of the aces a seat may play both black aces")


@RULES.check("R10", Fault)
def the_dingos_player_has_the_last_turn(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """The denial of the right: the table does not let the player of the ace of hearts add a card."""
    hand = state.hand
    if fault.word != "last" or not state.number or hand.hunt < ACE or fault.who not in ("", hand.dingo):
        return None
    return broken(f"{hand.dingo or 'whoever played the A♥'} has a turn at the end of the hunt of the aces")


# The hunts: what happens
def unwritten(state: State[Hand], act: Event) -> None:
    """An act of the hunts shows that all cards were thrown and passed on."""
    unwritten_rounds(act, state)


def in_hunt(state: State[Hand], act: Event) -> None:
    """A card of a hunt, or a pass, finds a game dealt; in the last turn of all that is the game just scored."""
    if state.phase != "closing":
        ready(state)
        unwritten(state, act)


def on_name(name: Name, state: State[Hand]) -> None:
    """A rank is called. Whatever was hunted before is over."""
    ready(state)
    unwritten(state, name)
    rank = rank_called(name.what)
    if rank < 0 or state.settled or (rank == state.hand.hunt and state.phase == "dingo" and not state.hand.dark):
        return
    ends(state)
    opens(rank, state)


def opens(rank: int, state: State[Hand]) -> None:
    """A hunt begins: the heart comes, unless it was thrown."""
    hand, table = state.hand, state.table
    for rabbit in DIAMOND[hand.next : rank]:
        goes(rabbit, "dead", state)
    hand.hunt, hand.dingo, hand.lately, hand.left, hand.spared, hand.dark = rank, "", "", (), (), False
    field = PACK.field[HEART[rank]]
    there = next((name for name, pile in table.piles.items() if seen(pile) & field), "")
    if there and there not in state.terms.seats:
        ends(state)
    else:
        state.phase, state.turn = "dingo", (there,) if there else state.terms.seats


def goes(card: int, to: str, state: State[Hand]) -> None:
    """A rabbit leaves the pile of rabbits, if it lies there."""
    widow = state.table.row("widow")
    if widow.row and card in widow.row:
        state.table.move_one(card, widow, state.table.row(to))


def on_play(play: Play, state: State[Hand]) -> None:
    """A dingo, a wolf, the ace of diamonds, or whatever was played in their place."""
    in_hunt(state, play)
    hand, table = state.hand, state.table
    src, trick = state.holding(play.by), table.row("trick")
    codes = table.codes(play.cards, src)
    if codes and state.phase != "closing":
        if begins_a_hunt(codes[0], state):
            # Nobody wrote the call.
            ends(state)
            opens(HEART.index(codes[0]), state)
        elif codes[0] >= PACK.unknown:
            if state.phase == "calling" and hand.hunt < ACE:
                opens(hand.next, state)
            hand.dark = hand.blurred = True
    at = len(trick.row or ())
    table.move(codes, src, trick)
    for code in (trick.row or [])[at:]:
        hand.lying.append((play.by, code, role_of(play.by, code, state)))
        if hand.lying[-1][2] == "dingo":
            hand.dingo, rest = play.by, tuple(state.terms.around(play.by)[1:])
            hand.left = (*rest, play.by) if hand.hunt == ACE else rest
            state.phase, state.turn = "aces" if hand.hunt == ACE else "hunt", hand.left[:1]
            return
    spoke(play.by, state)


def role_of(seat: str, code: int, state: State[Hand]) -> Role:
    """As what a card is played; empty if it is none of the hunt."""
    hand = state.hand
    if state.phase == "dingo":
        return "dingo" if code == HEART[hand.hunt] or code >= PACK.unknown else ""
    if state.phase == "hunt":
        may = seat in hand.left and (code in WOLVES[hand.hunt] or code >= PACK.unknown)
        return "wolf" if may else ""
    if state.phase in ("aces", "closing"):
        if code == AD:
            return "rabbit" if len(hand.wolves) == len(WOLVES[ACE]) else ""
        return "wolf" if code in WOLVES[ACE] or code >= PACK.unknown else ""
    return ""


def on_pass(act: Pass, state: State[Hand]) -> None:
    """A seat plays no wolf."""
    in_hunt(state, act)
    hand = state.hand
    if state.phase == "calling":
        hand.spared = tuple(seat for seat in hand.spared if seat != act.by)
    elif state.phase in ("hunt", "aces", "closing"):
        spoke(act.by, state, passed=True)


def spoke(seat: str, state: State[Hand], *, passed: bool = False) -> None:
    """A seat has had its turn in a hunt, and those before it too; after the last one the hunt is over."""
    hand = state.hand
    if state.phase not in ("hunt", "aces", "closing"):
        return
    last = seat == hand.dingo and hand.hunt == ACE
    hand.lately = seat if hand.hunt == ACE and not passed else ""
    if seat in hand.left:
        hand.left = hand.left[hand.left.index(seat) + 1 :]
    if hand.hunt < ACE and len(hand.wolves) >= len(WOLVES[0]):
        ends(state, spared=hand.left)
    elif hand.left and not (hand.hunt == ACE and all_aces_are_out(state)):
        state.turn = hand.left[:1]
    elif last and not passed and not all_aces_are_out(state):
        # Whoever played the dingo may add another card in a further line.
        shares_out(state)
        the_end(state)
        state.phase = "closing"
    else:
        ends(state)


def all_aces_are_out(state: State[Hand]) -> bool:
    """Whether nothing is left to be played in the hunt of the aces."""
    roles = [role for _, _, role in state.hand.lying]
    return roles.count("wolf") == len(WOLVES[ACE]) and "rabbit" in roles


def ends(state: State[Hand], spared: tuple[str, ...] = ()) -> None:
    """A hunt is over: each card goes where it belongs, and the dealer calls the next rank."""
    hand = state.hand
    if hand.hunt >= 0:
        shares_out(state)
    hand.left, hand.lately, hand.spared = (), "", spared
    if hand.hunt == ACE:
        the_end(state)
    else:
        calls_next(state)


def shares_out(state: State[Hand]) -> None:
    """The cards in the middle, and the rabbit, go to the piles of the players."""
    hand, trick = state.hand, state.table.row("trick")
    wolves, rabbit = hand.wolves, DIAMOND[hand.hunt]
    count = len(wolves)
    for (seat, _, role), code in zip(reversed(hand.lying), trick.codes()[::-1], strict=False):
        count -= role == "wolf"
        to = pile_of(seat, role, last=count == len(wolves) - 1, hand=hand)
        state.table.move_one(code, trick, state.table.row(to))
    catcher = wolves[-1] if wolves and hand.dingo else ""
    if hand.hunt < ACE:
        goes(rabbit, f"won:{catcher}" if catcher else "dead", state)
    if hand.hunt < ACE:
        what = PACK.shown(rabbit)
        hand.caught = (state.at, f"{what} to {catcher}" if catcher else f"the {what} gets away")
        hand.lying = []
    elif not any(role == "rabbit" for _, _, role in hand.lying):
        hand.caught = (state.at, "the A♦ was not played")


def pile_of(seat: str, role: Role, *, last: bool, hand: Hand) -> str:
    """Where a card of a hunt belongs."""
    if role == "dingo":
        return f"won:{seat}" if hand.wolves else f"penalty:{seat}"
    if role == "" or not hand.dingo:
        return "dead"
    return f"won:{seat}" if last or hand.hunt == ACE else f"won:{hand.dingo}"


def the_end(state: State[Hand]) -> None:
    """The hunt of the aces is over, and with it the game."""
    state.hand.over = True
    finish_hand(state)


def on_shown(show: Show, state: State[Hand]) -> None:
    """Cards are shown. After the last hunt that is what is left; the ace of diamonds then counts against its holder."""
    on_show(show, state)
    if not state.number:
        return
    if state.phase == "aces":
        ends(state)
    if state.settled:
        for seat in state.terms.seats:
            if seen(state.holding(seat)) & PACK.field[AD] and state.hand.over:
                state.table.move_one(AD, state.holding(seat), state.table.row(f"penalty:{seat}"))
        settle(state)


@RULES.check("R11", Show)
def no_red_card_is_left(show: Show, state: State[Hand]) -> CheckResult | None:
    """Hands that are laid open after the last hunt."""
    if not state.number or not (state.hand.over or state.phase == "aces"):
        return None
    left = [c for group in show.groups for c in group if PACK.code.get(c, PACK.unknown) in HEART]
    who = show.src.removeprefix("hand:") or show.by
    if not left or who not in state.terms.seats:
        return None
    return broken(f"{who} has the {pretty_all(left)} left and forfeits the game")


# Who has the cards, if somebody writes it
def put_away(move: Move, state: State[Hand]) -> bool:
    """Whether cards of a hunt go to the pile of a player."""
    to = move.to.partition(":")[0]
    return bool(state.number) and to in ("won", "penalty") and move.src in ("", "trick", "widow", "dead")


@RULES.check("R13", Move)
def each_card_goes_where_it_belongs(move: Move, state: State[Hand]) -> CheckResult | None:
    if not put_away(move, state):
        return None
    if dark := clouded(state):
        return dark
    then = state.copy()
    if then.phase == "hunt":
        ends(then)
    for card in move.cards:
        field = PACK.field[PACK.code[card]] if card in PACK.faces else 0
        there = next((name for name, pile in then.table.piles.items() if seen(pile) & field), "")
        if there.partition(":")[0] in ("won", "penalty", "dead") and there != move.to:
            return broken(f"the {pretty(card)} {'counts for nobody' if there == 'dead' else f'goes to {there[-1]}'}")
    return None


def on_moved(move: Move, state: State[Hand]) -> None:
    """A card is passed on, taken back, or put where it belongs."""
    hand = state.hand
    if put_away(move, state):
        if state.phase == "hunt":
            ends(state)
        return
    if move.src == "trick" and hand is not None:
        codes = state.table.codes(move.cards, state.table.row("trick"))
        hand.lying = [laid for laid in hand.lying if laid[1] not in codes]
    on_passed(move, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Acts went by unrecorded: who holds what, and what was hunted, nobody can say."""
    if state.settled or not state.number:
        return
    ready(state)
    for pile in [*state.table.piles.values()]:
        state.table.lose_sight(pile)
    state.hand.gap, state.hand.lying = True, []
    state.phase, state.turn = "gap", state.terms.seats


# Scoring
FEWEST, MOST = -14, 27
"""What six cards can count at least (three and three for the red aces, two each for four hearts) and at most (all
aces, and
two hunts of the face cards or tens)."""
WHOLE = sum(worth(code) for code in range(PACK.unknown))
HIGHEST, RED_LEFT = "highest rabbit", "forfeits"


def more_than_there_is(known: Mapping[str, Any], state: State[Hand]) -> str:
    """All cards of the pack together count no more."""
    told = [n for seat in state.terms.seats if type(n := known.get(f"points.{seat}")) is int]
    return f"{sum(told)} are more than the {WHOLE} that all cards count" if sum(told) > WHOLE else ""


def named_twice(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A card lies in one pile."""
    named = [card for key, cards in known.items() if key.partition(".")[0] in PILES for card in listed(cards)]
    twice = next((card for card in named if named.count(card) > 1), "")
    return f"the {pretty(twice)} is told twice" if twice else ""


PILES = ("won", "penalty", "red")


def listed(value: object) -> tuple[str, ...]:
    """Cards as a tally has them: several, one, or none."""
    return tuple(value) if isinstance(value, list | tuple) else (value,) if isinstance(value, str) else ()


class Tally(TallyFacts):
    """What a game of Dingo is scored from: what everybody's piles count, or the piles themselves."""

    points: Points = figures(
        "what a player's score pile counts less the penalty pile", FEWEST, MOST, rule="R14",
        ruling="what a player's piles count instead",
    )  # fmt: skip
    rabbit: dict[str, int | None] = read_by_the_page(
        {"rabbit.*": fact.choice("the highest rabbit in a player's score pile, or none", *SAID, "none", rule="R15")}, {}
    )
    won: dict[str, Any] = read_by_the_page(
        {"won.*": fact.cards("the cards of a player's score pile", 52, rule="R13")}, {}
    )
    penalty: dict[str, Any] = read_by_the_page(
        {"penalty.*": fact.cards("the cards of a player's penalty pile", 6, rule="R13")}, {}
    )
    red: dict[str, bool | None] = read_by_the_page(
        {"red.*": fact.cards("the red cards a player had left, which forfeit the game", 6, rule="R11")}, {},
        rulings={"red.*": "the red cards for which a player forfeits the game"},
    )
    void: str = why_void("misdeal: the game does not count")

    laws = (Law(("points",), more_than_there_is, "R14"), Law(PILES, named_twice, "R13"))


def told_of(key: str, state: State[Hand]) -> tuple[Any, ...]:
    """The last word on a fact: one value; nothing if it was not told."""
    said = [given for facts in (*readable(state), *state.transfers) if (given := at_key(facts, key))]
    return said[-1] if said else ()


def cards_in(pile: str, seat: str, state: State[Hand]) -> list[int] | None:
    """The cards of a pile of a player: as they were told, else as they lie; None if nobody can say."""
    if given := told_of(f"{pile}.{seat}", state):
        cards = listed(given[0])
        return None if any(card not in PACK.faces for card in cards) else [PACK.code[card] for card in cards]
    hand = state.hand
    if not hand.over or hand.gap or hand.blurred:
        return None
    lying = state.table.piles.get(f"{pile}:{seat}")
    codes: list[int] | None = lying.codes() if lying is not None else []
    if pile == "penalty" and codes is not None and seen(state.holding(seat)) & PACK.field[AD]:
        codes.append(AD)
    elif pile == "penalty" and state.holding(seat).any_of(PACK.field[AD]) is None:
        told = (told_of(f"penalty.{other}", state) for other in state.terms.seats)
        return codes if any("Ad" in listed(*given) for given in told if given) else None
    return codes


def has_red_left(seat: str, state: State[Hand]) -> bool | None:
    """Whether a player forfeits the game; None if nobody can say."""
    if given := told_of(f"red.{seat}", state):
        return bool(listed(given[0]))
    if state.tallies and not state.hand.over:
        return False
    return state.holding(seat).any_of(HEARTS)


def tally(state: State[Hand]) -> Tally:
    """The tally of the game in play: from its moves, overlaid by what a `tally` or a ruling says."""
    t = Tally()
    for seat in state.terms.seats:
        t.won[seat], t.penalty[seat] = won, lost = cards_in("won", seat, state), cards_in("penalty", seat, state)
        t.points[seat] = None if won is None or lost is None else value(won) - value(lost, penalty=True)
        best = max((ORDER.index(PACK.rank_of[code]) + 2 for code in won or () if code in DIAMOND), default=0)
        t.rabbit[seat] = None if won is None else best
        if given := told_of(f"rabbit.{seat}", state):
            rank = rank_called(str(given[0]))
            t.rabbit[seat] = None if given[0] in (None, "?") else 0 if rank < 0 else rank + 2
        t.red[seat] = has_red_left(seat, state)
    return overlaid(t, state)


def value(codes: Iterable[int], *, penalty: bool = False) -> int:
    """What the cards of a pile count.

    >>> value([AD, HEART[ACE]]), value([AD, HEART[ACE]], penalty=True)
    (13, 6)
    """
    return sum(LOST_AD if penalty and code == AD else worth(code) for code in codes)


def score(state: State[Hand]) -> HandScore:
    """What the game in play is worth as far as it was recorded."""
    t, seats = tally(state), state.terms.seats
    nothing = counts_nothing(state, t.void, unfinished=not state.hand.over and None in t.points.values())
    if nothing is not None:
        return nothing
    points: Points = {seat: forfeited(t.points[seat], t.red[seat]) for seat in seats}
    lines = [
        Line(f"{name} pile", {seat: sign * value(codes, penalty=sign < 0) for seat, codes in piles.items()},
             {seat: counted_out(codes, sign) for seat, codes in piles.items() if codes})
        for name, sign, piles in (("score", 1, t.won), ("penalty", -1, t.penalty))
        if not any(codes is None or max(codes, default=0) >= PACK.unknown for codes in piles.values())
    ]  # fmt: skip
    rabbits = {seat: pretty(f"{ORDER[n - 2]}d") if n else "none" for seat, n in t.rabbit.items() if n is not None}
    lines.append(Line(HIGHEST, dict(t.rabbit), rabbits))
    red = [seat for seat in seats if t.red[seat]]
    if red:
        lines.append(Line(RED_LEFT, {seat: int(seat in red) for seat in seats}))
    won = winners(points, t.rabbit, tuple(seat for seat in seats if seat not in red))
    missing = [] if None not in points.values() else ["what each player's piles count"]
    lost = {seat: f": {n} is not counted" for seat in red if (n := t.points[seat] or 0) > 0}
    notes = [f"{state.terms.name(seat)} had a red card left and forfeits the game{lost.get(seat, '')}" for seat in red]
    said = " and ".join(map(state.terms.name, won)) + (" win" if len(won) > 1 else " wins") if won else ""
    return hand_score(state, points, lines, result=said, unknown=missing, notes=notes)


def counted_out(codes: Sequence[int], sign: int) -> str:
    """The cards of a pile, and what they come to.

    >>> counted_out([AD, HEART[0]], -1)
    'A♦ 2♥ = −4'
    """
    return f"{pretty_all(PACK.faces[code] for code in codes)} = {figure(sign * value(codes, penalty=sign < 0))}"


def forfeited(points: int | None, red: bool | None) -> int | None:
    """What a game counts for a player: no plus for whoever has a red card left.

    >>> [forfeited(n, red) for n in (7, -2) for red in (True, False, None)]
    [0, 7, None, -2, -2, None]
    """
    if red is None or points is None:
        return None
    return min(points, 0) if red else points


def winners(points: Points, rabbits: Mapping[str, int | None], among: tuple[str, ...]) -> tuple[str, ...]:
    """Who has the highest score of these; of several that are level who has the highest rabbit. Nobody if it is not
    known.

    >>> winners({"A": 9, "B": 9, "C": 4}, {"A": 5, "B": 12, "C": 13}, ("A", "B", "C")), winners({"A": None}, {}, ("A",))
    (('B',), ())
    """
    known = {seat: n for seat in among if (n := points[seat]) is not None}
    if None in points.values() or not known:
        return ()
    ahead = tuple(seat for seat, n in known.items() if n == max(known.values()))
    best = [rabbits.get(seat) for seat in ahead]
    if len(ahead) == 1 or None in best:
        return ahead if len(ahead) == 1 else ()
    return tuple(seat for seat in ahead if rabbits[seat] == max(n for n in best if n is not None))


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """After so many games the highest sum wins; if that is level, the highest rabbit of the last game."""
    totals, counted = added(before.totals, hand.points), hand.source in ("moves", "tally")
    games = before.hands + counted
    over = games >= terms.options.games
    won: tuple[str, ...] = ()
    if over:
        single = terms.options.games == 1
        among = tuple(seat for seat in terms.seats if not (single and amount_in(RED_LEFT, hand, seat)))
        won = winners(totals, {seat: amount_in(HIGHEST, hand, seat) for seat in terms.seats}, among)
    return replace(before, totals=totals, hands=games, over=over, winner=won[0] if len(won) == 1 else "")


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """Who had the ace of diamonds left, and which rabbit is the highest of players who are level."""
    t, seats = tally(state), state.terms.seats
    if t.void or not (state.tallies or state.hand.over):
        return
    open_for = [seat for seat in seats if t.penalty[seat] is None and t.points[seat] is None and t.won[seat] is not
    None]
    if open_for and state.hand.over:
        lost = {seat: [PACK.faces[c] for c in state.table.row(f"penalty:{seat}").codes()] for seat in open_for}
        yield "who had the A♦ left", {seat: {"penalty": {seat: [*cards, "Ad"]}} for seat, cards in lost.items()}
    known = [n for n in t.points.values() if n is not None]
    level = [seat for seat in seats if t.points[seat] == max(known, default=0)] if len(known) == len(seats) else []
    if len(level) > 1 and (asked := next((seat for seat in level if t.rabbit[seat] is None), "")):
        name = state.terms.name(asked)
        yield f"the highest rabbit of {name}", {rank: {"rabbit": {asked: rank}} for rank in (*SAID, "none")}


# What may be done now
def next_rank(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The next rank, called by the dealer; and by somebody else, or the one after it."""
    rank = state.hand.next
    others = [other for other in state.terms.seats if other != seat]
    yield from (Name(by=who, what=SAID[rank]) for who in (seat, *others[:1]) if rank <= ACE)
    if rank < ACE and held(HEART[rank], state)[1]:
        yield Name(by=seat, what=SAID[rank + 1])


def the_dingo(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The heart that was called; or the next call without it, or a wolf too early."""
    heart, pack = HEART[state.hand.hunt], state.game.pack
    if state.holding(seat).certain & pack.field[heart]:
        yield Play(by=seat, cards=(pack.faces[heart],))
        if state.hand.hunt < ACE:
            yield Name(by=state.dealer, what=SAID[state.hand.next])
    for other in state.terms.seats:
        yield from wolves(other, state)


def wolves(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each wolf of this hunt that the seat holds."""
    certain, pack = state.holding(seat).certain, state.game.pack
    mine = (wolf for wolf in WOLVES[state.hand.hunt] if certain & pack.field[wolf])
    yield from (Play(by=seat, cards=(pack.faces[wolf],)) for wolf in mine)


def a_wolf(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A wolf of the seat whose turn it is; or of whoever played the dingo."""
    yield from wolves(seat, state)
    yield from wolves(state.hand.dingo, state)


def aces(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each of the aces that the seat holds, or several of them in any order."""
    certain, faces = state.holding(seat).certain, state.game.pack.faces
    mine = [faces[code] for code in (*WOLVES[ACE], AD) if certain & PACK.field[code]]
    for count in range(1, len(mine) + 1):
        yield from (Play(by=seat, cards=some) for some in permutations(mine, count))


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """A bare card is thrown or passed on, if that is what is to be done."""
    if isinstance(event, Play) and not event.src and state.phase == "discarding":
        return (Discard(by=event.by, cards=event.cards),)
    if isinstance(event, Play) and not event.src and state.phase == "passing":
        return (Move(by=event.by, cards=event.cards, to=hand_of(receiver(event.by, state))),)
    if isinstance(event, Name) and rank_called(event.what) >= 0:
        return (replace(event, what=SAID[rank_called(event.what)]),)
    return (event,)


def whose(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The dealer calls, whoever else is to act."""
    return (state.dealer,) if kind is Name else state.turn


def headline(state: State[Hand]) -> dict[str, Any]:
    """Which way cards are passed, or what is hunted, and by whom the dingo was played."""
    hand = state.hand
    if state.phase == "passing":
        return {"pass": TO_THE[hand.rounds[hand.round]]}
    facts: dict[str, Any] = {"hunt": SAID[hand.hunt]} if hand.hunt >= 0 and not state.settled else {}
    return facts | ({"dingo": hand.dingo} if hand.dingo and state.phase in ("hunt", "aces") else {})


def latest(state: State[Hand]) -> str:
    """Who caught the rabbit that was hunted."""
    at, text = state.hand.caught if state.number else (0, "")
    return text if at == state.at else ""


def no_wolf(state: State[Hand]) -> Event | None:
    """A lone `.`: plays no wolf."""
    return Pass(by=state.turn[0]) if state.turn else None


GAME = Game(
    key="dingo", name="Dingo", summary=summary_of(__doc__), players="4, each alone",
    seating=singles(4), pack=PACK, deal=DEAL, options=Options, rules=RULES, readings=READINGS,
    tally=Tally, told=tally, words=WORDS,
    piles={
        "widow": Lies("stack", "beside", "all", "rabbits"), "discard": Lies("stack", "beside", "top"),
        "won": Lies("stack", "won", "all", "score pile"), "penalty": Lies("stack", "front", "all", "penalty pile"),
    },
    phases={
        "discarding": Phase(
            "throwing a card", (Discard,), "a card that is thrown (3s), no ace", to_do="throw a card", tries=(throws,),
        ),
        "passing": Phase(
            "passing a card on", (Move,), "a card that is passed on (. if it was not seen)", quiet=unseen_pass,
            to_do="pass a card on", tries=(passes_on,),
        ),
        "calling": Phase(
            "the next hunt", (Name, Play, Pass), "the rank that is called (name 5), or its heart at once (C 5h)",
            to_do="call a rank", bare=SAID, verbed=(Pass,), tries=(next_rank,),
        ),
        "dingo": Phase(
            "the dingo", (Play, Name), "the heart of the rank from whoever holds it (C 5h), or the next rank",
            to_do="play the dingo", bare=SAID, tries=(the_dingo,),
        ),
        "hunt": Phase(
            "the hunt", (Play, Pass, Name), "a wolf (D 5c) or a pass (.); the next rank if all others pass",
            quiet=no_wolf, to_do="play a wolf or pass", bare=SAID, tries=(a_pass, a_wolf),
        ),
        "aces": Phase(
            "the hunt of the aces", (Play, Pass), "black aces, with the A♦ after both of them (AcAsAd), or a pass (.)",
            quiet=no_wolf, to_do="play aces or pass", tries=(a_pass, aces),
        ),
        "closing": Phase("the hunt of the aces", (Play, Pass), "another ace of whoever played the A♥, or the next "
        "game"),
        "gap": Phase("after a gap", (Discard, Name, Play, Pass), "whatever comes next", to_do="go on"),
    },
    start=start,
    on={
        Deal: on_dealt, Discard: on_discard, Move: on_moved, Name: on_name, Play: on_play, Pass: on_pass, Show:
        on_shown,
        Gap: on_gap,
    },
    score=score,
    after=after,
    next_dealer=deals_next,
    sheet=parts(result, called={HIGHEST: "", RED_LEFT: ""}),
    chance=shuffle_and_deal,
    usual=usual,
    whose=whose,
    headline=headline,
    latest=latest,
    missing=missing,
    unwritten=unwritten,
    unasked=frozenset(("discarding", "passing")),
)  # fmt: skip
