"""Pluck: three players take tricks, each with a quota; what one is over counts, and plucks the best cards of those
who were short; twenty points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Iterable, Sequence
from typing import Annotated, Any, Literal, ClassVar

from msgspec import Meta, field, Struct
from msgspec.structs import replace

from events.cards import Ranking, how_many, pretty
from events.model import Deal, Event, Fault, Move, Name, Play
from events.model import Hand as HandEvent
from events.name_lists import one_of
from reducers.page import (
    changes_hands, on_move, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUIT_NAMES, SUITS, WHO_DEALS, Catalogue, CheckResult,
    DealSpec, Game, Dealing, MatchRules, Judging, Omissions, Shorthand, Display, Simulation, HandScore, ScoreLine,
    Phase, Points, Standing, State, TallyFacts, Terms, as_many_as_dealt, broken, choice, contract, counts_nothing,
    deal_passes_on, deals_next, try_each_card, figure, gained, hand_score, highest_at_target, HouseRules, ledger,
    try_naming, apply_reported_facts, pack, ranking, ensure_dealt, rule, shuffle_and_deal, singles, summary_of,
    figure_of_line, running_total, unknown, signed, hand_of,
)  # fmt: skip
from reducers.table import Pile
from reducers.words.breaking import breaks_trumps, no_trump_is_led_too_early
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.trick_play import (
    winner_leads_next, trick_counts, tricks_of_each, TRICKS, TrickHand, any_card_without_the_suit, just_taken,
    lay_out_tricks, is_led, must_follow_suit, trick_winners_as_ruled, on_card, one_card_in_turn, sign_of_trumps,
    strengths, strengths_before_trumps, suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.tricks import Strength, gathered_by

# Setup: the two of clubs is in the pack so that it can be dealt evenly.
RANKS = "A K Q J 10 9 8 7 6 5 4 3"
PACK, PLAIN = pack(RANKS, plus="2c", jokers=2, told_apart=True), ranking(f"{RANKS} 2")
DEAL = DealSpec(each=17)
# Quotas of the dealer, the dealer's left and the dealer's right.
QUOTAS = (7, 6, 4)
OPENING = "2c"
# All trumps in order, the big and the little joker first.
TRUMPS = {suit: ("Jo+", "Jo-", *(card for r in PLAIN.ranks if (card := r + suit) in PACK)) for suit in SUITS}


OVER = "over"
"""Label of the score line that says by how much each seat is over its quota, or short of it."""


class Quoted(Standing, frozen=True):
    """The standing, and the number of tricks each seat took over its quota in the last hand that counted: negative if
    short, None if unknown."""

    surplus: Points = field(default_factory=dict)


def quotas_of(dealer: str, quotas: tuple[int, ...], terms: Terms) -> dict[str, int]:
    """The quota of each seat; `quotas` are those of the dealer and of the seats after it, in turn.

    >>> from reducers.first_state import begin
    >>> quotas_of("B", (7, 6, 4), begin({"Game": "pluck", "Seats": "A B C"}).terms)
    {'B': 7, 'C': 6, 'A': 4}
    """
    return dict(zip(terms.in_turn(dealer), quotas, strict=True))


def over_and_short(tricks: Points, quota: Mapping[str, int]) -> ScoreLine:
    """By how much each seat is over its quota, or short of it.

    >>> line = over_and_short({"A": 8, "B": 6, "C": None}, {"A": 7, "B": 6, "C": 4})
    >>> line.amounts, line.sums
    ({'A': 1, 'B': 0, 'C': None}, {'A': '8 − 7 = +1', 'B': '6 − 6 = 0'})
    """
    over: Points = {who: None if n is None else n - quota[who] for who, n in tricks.items()}
    sums = {who: f"{tricks[who]} − {quota[who]} = {signed(n) if n else 0}" for who, n in over.items() if n is not None}
    return ScoreLine(OVER, over, sums)


def over_is_kept(before: Quoted, after: Quoted, hand: HandScore) -> Quoted:
    """The standing after a hand, with its surplus over the quotas; after a hand that does not count the old one."""
    line = next((line for line in hand.lines if line.label == OVER), None)
    if line is not None:
        return replace(after, surplus=line.amounts)
    unheard: Points = dict.fromkeys(before.surplus)
    return replace(after, surplus=unheard if None in hand.points.values() else before.surplus)


class Options(HouseRules, frozen=True):
    """House rules of Pluck."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 20
    pluck_optional: Annotated[bool, Meta(description="plucks not made before trumps are named lapse")] = True
    pluck_order: Annotated[
        Literal["free", "higher_quota"], Meta(description="if two may pluck, in any order, or the higher quota first")
    ] = "free"
    forced_trump_lead_breaks: Annotated[
        bool, Meta(description="a trump led from a hand with only trumps breaks trumps")
    ] = True


SETUP, PLAY, PLUCKING, SCORING = "Setup", "Play of the hand", "Plucks", "Scoring"
RULES = Catalogue(
    "pluck",
    rule("R1", SETUP, CONSEQUENCE, "All 51 cards are dealt, seventeen to each seat: ace to three of every suit, the "
         "two of clubs and two jokers.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", PLUCKING, DUTY, "Cards are plucked from the second hand of a match on, after the deal and before trumps "
         "are named.", "when to pluck"),
    rule("R3", PLUCKING, DUTY, "A seat plucks once for each trick that it was over its quota in the last hand, from "
         "seats that were short, and from each once for every trick that was missing.",
         "how often to pluck"),
    rule("R4", PLUCKING, DUTY, "A joker is neither passed nor paid back.", "no joker"),
    rule("R5", PLUCKING, DUTY, "The highest card of the suit that was passed comes back, be it that card itself.",
         "pay back the highest"),
    rule("R6", PLUCKING, DUTY, "One card is passed, and one comes back before anything else happens.",
         "pay back at once"),
    rule("R7", PLAY, DUTY, "The dealer names one of the four suits as trumps, once, before the first lead.",
         "name trumps"),
    rule("R8", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick, and the winner of a trick leads "
         "to the next.", "play in turn", {Play: one_card_in_turn}),
    rule("R9", PLAY, DUTY, "Whoever holds the two of clubs leads it to the first trick.", "the two of clubs leads"),
    rule("R10", PLAY, DUTY, "A seat that holds the suit led plays it; the jokers are trumps.",
         "follow suit", {Play: must_follow_suit}),
    rule("R11", PLAY, DUTY, "No trump is led before trumps are broken, unless the leader holds only trumps.",
         "no trump lead before they are broken", {Play: no_trump_is_led_too_early}),
    rule("R12", PLAY, CONSEQUENCE, "The first trump played by a seat that cannot follow suit breaks trumps; if clubs "
         "are trumps, they are broken from the first trick on.", "trumps are broken"),
    rule("R13", PLAY, RIGHT, "A seat that cannot follow may play any card, and there is no duty to beat another.",
         "any card", {Fault: any_card_without_the_suit}),
    rule("R14", PLAY, CONSEQUENCE, "The highest trump wins the trick, the big joker before the little one and the ace; "
         "without a trump, the highest card of the suit led.", "who wins", {Move: winner_gathers}),
    rule("R15", SCORING, CONSEQUENCE, "Of the seventeen tricks the dealer must take seven, the dealer's left six, "
         "the dealer's right four; each one more scores a point, and a seat that is short loses nothing.", "points"),
    rule("R16", SCORING, DUTY, "The deal passes to the left after every hand.", "the deal passes",
         {HandEvent: deal_passes_on}),
    rule("R17", SCORING, CONSEQUENCE, "Somebody with twenty points ends the match, and the highest total wins it.",
         "the match"),
)  # fmt: skip

READINGS = {
    "Do the jokers follow a trump lead?": "yes: they are trumps in everything; before the break none is led",
    "The joker if clubs are trumps": "is a club: a hand without another one plays it to the first trick",
    "Two who may pluck, or two to pluck from": "pluck in any order; with option pluck_order=higher_quota the higher "
    "quota of the hand goes first. Each pluck is paid back before the next",
    "Do plucks have to be made?": "no, what is left lapses when trumps are named; with option pluck_optional=no, yes",
    "May a card go back that was plucked before?": "yes, any card but a joker may be passed",
    "May the very card come back that was passed?": "yes, if it is the highest of its suit",
    "A hand with only trumps before they are broken": "leads one, and breaks them, unless option "
    "forced_trump_lead_breaks=no",
    "A trump played by a seat that could follow, or led too early": "does not break trumps",
    "Who deals first?": "that is not said; the table does",
    "Two who get to twenty in one hand": "the higher total wins; if it is level, the match goes on",
    "A hand that does not count": "leaves the plucks as the hand before it gave them; a misdeal is dealt again by the "
    "same dealer",
    "An unrecorded pluck": "is no breach; a card that can only be a payment shows it",
    "A revoke": "has no price in this text",
}
WORDS = {
    "revoke": "fault: the table saw that a seat had not followed suit, and went on",
}


PLUCKS, PAYING, NAMING = "plucks", "paying", "naming"
BEFORE_TRUMPS = (PLUCKS, PAYING, NAMING)
MISSING = "that may be missing from the record"
NOT_SEEN = "the card was not seen"


class Pluck(Struct, frozen=True):
    """A card that was passed to pluck another: the two seats, and its code (an unseen one if it was not seen)."""

    by: str
    to: str
    code: int

    def __deepcopy__(self, memo: object) -> Pluck:
        return self


class Plucks:
    """The plucks of one hand.

    `over`: how far each seat was over its quota in the last hand (negative if short). `made`: number of plucks of each
    pair. `owed`: plucks that were not paid back yet, oldest first. `unwritten`: plucks whose payment was inferred.
    `power`: strength of the cards of each suit. `lapse`: plucks may be left out.
    """

    CHANGED_IN_PLACE: ClassVar[frozenset[str]] = frozenset(("made",))

    def __init__(self, state: State[Hand], ranked: Ranking, *, lapse: bool = True) -> None:
        # A record that begins in the middle of a match does not have the hand before it.
        before = state.before if isinstance(state.before, Quoted) and (
            state.number > 1 or state.numbered <= 1
        ) else None
        self.over: Points = dict.fromkeys(state.terms.seats) if before is None else dict(before.surplus)
        self.made: dict[tuple[str, str], int] = {}
        self.owed: tuple[Pluck, ...] = ()
        self.unwritten: tuple[Pluck, ...] = ()
        self.power, self.lapse = strengths(state.game.pack, ranked, ""), lapse

    def left(self, seat: str) -> int | None:
        """The number of plucks a seat has left; None if unknown."""
        over = self.over[seat]
        return None if over is None else max(0, over) - sum(n for (by, _), n in self.made.items() if by == seat)

    def bears(self, seat: str) -> int | None:
        """The number of times a seat may still be plucked from; None if unknown."""
        over = self.over[seat]
        return None if over is None else max(0, -over) - sum(n for (_, to), n in self.made.items() if to == seat)

    def pluckers(self) -> tuple[str, ...]:
        """The seats that may still pluck, or may for all that is known."""
        return tuple(seat for seat in self.over if (left := self.left(seat)) is None or left > 0)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Pairs of a seat that may still pluck and a seat that it may pluck from, by what is known."""
        for by in self.pluckers():
            for to in self.over:
                if to != by and ((bears := self.bears(to)) is None or bears > 0):
                    yield by, to

    def owed_by(self, seat: str, to: str) -> Pluck | None:
        """The first pluck for which a seat owes another a card; None if there is none."""
        return next((pluck for pluck in self.owed if (pluck.by, pluck.to) == (to, seat)), None)

    def pays_back(self, seat: str, to: str) -> bool:
        """Return True if a card from this seat can only be a payment for an unrecorded pluck."""
        short, over = self.over[seat], self.over[to]
        return short is not None and over is not None and short < 0 < over and self.owed_by(seat, to) is None


def on_pluck(move: Move, state: State[Hand]) -> None:
    """Apply a card that goes from hand to hand: a pluck or a payment; apply any other move as written."""
    move = of_its_hand(move, state)
    if not changes_hands(move, state):
        gathered_by(move, state)
        return
    if not state.ended:
        ensure_dealt(state)
    plucks, to = state.hand.plucks, move.to.removeprefix("hand:")
    if state.phase not in BEFORE_TRUMPS:
        paid_late(move, state)
        return
    owed = plucks.owed_by(move.by, to)
    if owed is None and plucks.pays_back(move.by, to):
        state.infer(f"{to} plucked from {move.by} before this (not recorded)")
        state.table.move_one(state.game.pack.unknown, state.holding(to), state.holding(move.by))
        plucked(Pluck(to, move.by, state.game.pack.unknown), plucks)
        owed = plucks.owed_by(move.by, to)
    on_move(move, state)
    if owed is not None:
        plucks.owed = tuple(pluck for pluck in plucks.owed if pluck is not owed)
    else:
        for _ in range(how_many(move.cards) or 1):
            plucked(Pluck(move.by, to, state.code(move.cards)), plucks)
    next_plucking_step(state)


def plucked(pluck: Pluck, plucks: Plucks) -> None:
    """Count a pluck, and note that it is to be paid back."""
    plucks.owed = (*plucks.owed, pluck)
    plucks.made[pluck.by, pluck.to] = plucks.made.get((pluck.by, pluck.to), 0) + 1


def next_plucking_step(state: State[Hand]) -> None:
    """Set the next phase: a card is due back, a seat may pluck, or the dealer names trumps, which ends the plucks."""
    plucks, dealer = state.hand.plucks, (state.dealer,)
    if plucks.owed:
        state.phase, state.turn = PAYING, tuple(dict.fromkeys(pluck.to for pluck in plucks.owed))
    elif any(plucks.pairs()):
        state.phase, state.turn = PLUCKS, tuple(dict.fromkeys((*plucks.pluckers(), *(dealer if plucks.lapse else ()))))
    else:
        state.phase, state.turn = NAMING, dealer


def paid_late(move: Move, state: State[Hand]) -> None:
    """Apply a card that changes hands after trumps are named. If a payment was inferred unseen, this is that card."""
    plucks, to = state.hand.plucks, move.to.removeprefix("hand:")
    late = next((pluck for pluck in plucks.unwritten if (pluck.by, pluck.to) == (to, move.by)), None)
    if late is not None:
        plucks.unwritten = tuple(pluck for pluck in plucks.unwritten if pluck is not late)
        state.table.move_one(state.game.pack.unknown, state.holding(to), state.holding(move.by))
    owed = plucks.owed_by(move.by, to)
    plucks.owed = tuple(pluck for pluck in plucks.owed if pluck is not owed)
    on_move(move, state)


def pay_back_unseen(state: State[Hand]) -> None:
    """Infer at the start of play that all that was owed was paid back."""
    plucks = state.hand.plucks
    for pluck in plucks.owed:
        state.infer(f"{pluck.to} paid {pluck.by} back before this (not recorded)")
        state.table.move_one(state.game.pack.unknown, state.holding(pluck.to), state.holding(pluck.by))
    plucks.unwritten, plucks.owed = plucks.owed, ()


def of_its_hand(move: Move, state: State[Hand]) -> Move:
    """A card taken out of another seat's hand, as a move by that seat."""
    seat = move.src.removeprefix("hand:")
    return move if seat in ("", move.by) or seat not in state.terms.seats else replace(move, by=seat, src="")


def is_pluck(move: Move, state: State[Hand]) -> bool:
    """Return True if a card goes from hand to hand in a hand that is not over."""
    return state.hand is not None and not state.settled and changes_hands(of_its_hand(move, state), state)


def returned(move: Move, state: State[Hand]) -> bool:
    """Return True if the card is a payment and not a new pluck."""
    to = move.to.removeprefix("hand:")
    return state.hand.plucks.owed_by(move.by, to) is not None or state.hand.plucks.pays_back(move.by, to)


@RULES.check("R2", Move)
def plucks_come_before_trumps(move: Move, state: State[Hand]) -> CheckResult | None:
    """Cards are plucked from the second hand of a match on, after the deal and before trumps are named."""
    if not is_pluck(move, state):
        return None
    move = of_its_hand(move, state)
    if gone_by(state):
        return unknown(GONE_BY)
    if state.phase not in BEFORE_TRUMPS:
        return broken(
            "cards are plucked before trumps are named" if state.hand.trump else "cards are plucked before the play"
        )
    if state.number == state.numbered == 1 and not state.dealer_is_guess and not returned(move, state):
        return broken("there are no plucks in the first hand of a match")
    return None


@RULES.check("R3", Move)
def as_often_as_over(move: Move, state: State[Hand]) -> CheckResult | None:
    """A seat plucks once per trick it was over in the last hand, and is plucked from once per trick it was short."""
    if not is_pluck(move, state) or state.phase not in BEFORE_TRUMPS:
        return None
    move = of_its_hand(move, state)
    plucks, by, to = state.hand.plucks, move.by, move.to.removeprefix("hand:")
    if plucks.owed_by(by, to) is not None:
        return None
    over, short = plucks.over[by], plucks.over[to]
    never = f"{by} was not over its quota in the last hand, so {by} may not pluck"
    spared = f"{to} was not short of its quota in the last hand, so no card may be plucked from {to}"
    wrong = broken(f"{by} has paid {to} back already") if plucks.pays_back(by, to) else none_left(
        over, plucks.left(by), never, f"{by} has plucked"
    ) or none_left(None if short is None else -short, plucks.bears(to), spared, f"{to} was plucked from")  # fmt: skip
    if wrong is not None:
        # It may be the payment for an unrecorded pluck.
        may_come_back = plucks.left(to) != 0 and plucks.bears(by) != 0
        return unknown(f"whether {to} plucked from {by}; {MISSING}") if may_come_back else wrong
    doubtful = [seat for seat in (by, to) if plucks.over[seat] is None]
    return unknown(f"how many tricks {' and '.join(doubtful)} took in the last hand") if doubtful else None


def none_left(due: int | None, left: int | None, never: str, done: str) -> CheckResult | None:
    """Return broken if a seat has no pluck left; None otherwise or if unknown."""
    if due is None or left is None or left > 0:
        return None
    times = "once" if due == 1 else f"{due} times"
    return broken(never if due <= 0 else f"{done} {times} already, as often as allowed")


def the_higher_quota_plucks_first(move: Move, quota: dict[str, int], state: State[Hand]) -> CheckResult | None:
    """Of two seats that may pluck, the one with the higher quota goes first (for tables that keep to an order)."""
    if not is_pluck(move, state) or state.phase not in BEFORE_TRUMPS:
        return None
    plucks, move = state.hand.plucks, of_its_hand(move, state)
    if returned(move, state):
        return None
    before = [seat for seat in plucks.pluckers() if quota[seat] > quota[move.by]]
    known = [seat for seat in before if plucks.left(seat)]
    if known:
        return broken(f"{known[0]} has the higher quota, and plucks first")
    return unknown(f"whether {before[0]}, who goes first, may pluck") if before else None


@RULES.check("R4", Move)
def no_joker_is_passed(move: Move, state: State[Hand]) -> CheckResult | None:
    """Jokers are not passed, as their suit is not known before trumps are."""
    if not is_pluck(move, state) or state.phase not in BEFORE_TRUMPS or how_many(move.cards) != 1:
        return None
    move = of_its_hand(move, state)
    pack, code = state.game.pack, state.code(move.cards)
    if code < pack.unknown:
        return broken("a joker may not be passed in either direction") if pack.field[code] & pack.joker else None
    held = state.holding(move.by)
    may_be = held.may_leave(code)
    if not may_be & pack.joker:
        return None
    if not may_be & ~pack.joker:
        return broken("a joker may not be passed in either direction")
    return unknown(NOT_SEEN, held)


@RULES.check("R6", Move)
def one_card_is_paid_back_at_once(move: Move, state: State[Hand]) -> CheckResult | None:
    """One card is passed, and one comes back before anything else happens."""
    if not is_pluck(move, state) or state.phase not in BEFORE_TRUMPS:
        return None
    move = of_its_hand(move, state)
    if how_many(move.cards) not in (1, None):
        return broken("one card is passed at a time, and one comes back for it")
    plucks, to = state.hand.plucks, move.to.removeprefix("hand:")
    owed = plucks.owed_by(move.by, to)
    if owed is not None and owed is not plucks.owed[-1]:
        return broken(f"{move.by} pays {to} back only after another pluck")
    return None


@RULES.check("R3", Name)
def every_pluck_is_made(act: Event, state: State[Hand]) -> CheckResult | None:
    """No pluck is left out before trumps are named (for tables where plucks do not lapse). If no pluck was recorded,
    the verdict is unknown."""
    plucks: Plucks = state.hand.plucks
    if plucks.lapse or state.phase not in BEFORE_TRUMPS or gone_by(state):
        return None
    for by, to in plucks.pairs():
        if plucks.made and plucks.left(by) and plucks.bears(to):
            return broken(f"{by} must still pluck from {to}; no pluck may be left out")
        return unknown(f"whether {by} plucked from {to}; {MISSING}")
    return None


@RULES.check("R6", Name, Play)
def paid_back_before_trumps(act: Event, state: State[Hand]) -> CheckResult | None:
    """Plucks are paid back before trumps are named; a line may have been left out."""
    owed = state.hand.plucks.owed or state.hand.plucks.unwritten
    if not owed or gone_by(state) or state.hand.trump or state.hand.trick.won or state.hand.trick.plays:
        return None
    return unknown(f"whether {owed[0].to} paid {owed[0].by} back; {MISSING}")


@RULES.check("R5", Move)
def the_highest_comes_back(move: Move, state: State[Hand]) -> CheckResult | None:
    """The payment is the highest card of the suit that was passed; the card that was passed counts."""
    if not is_pluck(move, state) or state.phase not in BEFORE_TRUMPS or how_many(move.cards) != 1:
        return None
    move = of_its_hand(move, state)
    if not returned(move, state):
        return None
    owed, pack = state.hand.plucks.owed_by(move.by, move.to.removeprefix("hand:")), state.game.pack
    held, code = state.holding(move.by), state.code(move.cards)
    passed = pack.unknown if owed is None else owed.code
    asked, power = possible_suits(passed, held), state.hand.plucks.power
    answer = pays_the_highest(passed, code, power, held)
    if answer is not None:
        return None if answer else not_the_highest(move, asked, code, state)
    return unknown(why_open(asked, code, held), held)


def why_open(asked: Sequence[str], code: int, held: Pile) -> str:
    """Why it is unknown whether the highest card of the possible suits came back."""
    if len(asked) > 1:
        return "the card that was passed was not seen"
    if code >= held.table.pack.unknown:
        return "the card that came back was not seen"
    return f"whether {held.name} held a higher {SUIT_NAMES[asked[0]][:-1]}"


def pays_the_highest(passed: int, code: int, power: Mapping[str, Strength], held: Pile) -> bool | None:
    """True if `code`, paid out of a holding, is the highest of the suit of the card `passed`; None if unseen cards
    decide it."""
    pack = held.table.pack
    back = pack.unit[code] if code < pack.unknown else held.may_leave(code)
    return in_every_case(
        as_high_as_can_be(suit, card, held, power) for suit in possible_suits(passed, held) for card in pack.codes(back)
    )


def in_every_case(answers: Iterable[bool | None]) -> bool | None:
    """The answer that is the same in every case, True if there is no case; None if the answers differ.

    >>> in_every_case([False, False]), in_every_case([]), in_every_case([True, False]), in_every_case([None])
    (False, True, None, None)
    """
    given = iter(answers)
    first = next(given, True)
    return first if first is None or all(answer == first for answer in given) else None


def possible_suits(code: int, held: Pile) -> list[str]:
    """The suits that the passed card may have; empty is the suit of a joker."""
    pack = held.table.pack
    if pack.suit_of[code] != "?":
        return [pack.suit_of[code]]
    may_be = held.may_hold() & pack.may_be[code]
    return [suit for suit in (*SUIT_NAMES, "") if may_be & (pack.suit[suit] if suit else pack.joker)]


def as_high_as_can_be(suit: str, card: int, held: Pile, power: Mapping[str, Strength]) -> bool | None:
    """True if the card paid is the highest of this suit that the hand had; None if unknown. A joker asks for no card.
    """
    if not suit:
        return True
    if held.table.pack.suit_of[card] != suit:
        return False
    above, _ = power[suit].above(power[suit].values[card])
    # A card that is still there after the payment was there before.
    higher = True if held.stays & above else held.any_of(above)
    return None if higher is None else not higher


def not_the_highest(move: Move, asked: list[str], code: int, state: State[Hand]) -> CheckResult:
    """The verdict on a payment that was wrong whichever card was passed."""
    plucks, pack, held = state.hand.plucks, state.game.pack, state.holding(move.by)
    named, there = one_of(SUIT_NAMES[suit] for suit in asked if suit), held.certain | held.stays
    if code < pack.unknown and pack.suit_of[code] in asked:
        suit = pack.suit_of[code]
        better = there & plucks.power[suit].above(plucks.power[suit].values[code])[0]
        return broken(f"{move.by} holds a higher {SUIT_NAMES[suit][:-1]} than the {pack.shown(code)}", better, move.by)
    cards = sum(pack.suit[suit] for suit in asked if suit)
    what = f"the {pretty(move.cards[0])} is not one" if code < pack.unknown else "the highest of them was not paid back"
    return broken(f"{named} were asked for, and {what}", there & cards, move.by)


def the_next_unseen(state: State[Hand]) -> Event | None:
    """What a lone `.` means: the next card from hand to hand, unseen, if the two seats are clear; else None."""
    owed, pairs = state.hand.plucks.owed, list(state.hand.plucks.pairs())
    if owed:
        return Move(by=owed[0].to, cards=("??",), to=hand_of(owed[0].by))
    return Move(by=pairs[0][0], cards=("??",), to=hand_of(pairs[0][1])) if len(pairs) == 1 else None


def plucked_or_paid_back(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """A bare card before trumps are named, as a payment or as the plucks that it may be."""
    if not isinstance(event, Play) or event.src or state.phase not in (PLUCKS, PAYING) or how_many(event.cards) != 1:
        return (event,)
    plucks = state.hand.plucks
    back = next((owed for owed in plucks.owed if owed.to == event.by), None)
    if back is not None:
        return (Move(by=event.by, cards=event.cards, to=hand_of(back.by)),)
    to = [to for by, to in plucks.pairs() if by == event.by]
    return tuple([Move(by=event.by, cards=event.cards, to=hand_of(one)) for one in to]) or (event,)


def who_plucks_or_names(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The dealer if a suit is named; else, while plucks are due, the seats that may pluck."""
    if state.phase == PLUCKS:
        return (state.dealer,) if kind is Name else state.hand.plucks.pluckers()
    return state.turn


def plucks_in_words(state: State[Hand]) -> dict[str, str]:
    """The number of plucks that each seat has left, in words for the view of the table."""
    plucks, name = state.hand.plucks, state.terms.name
    left = [
        f"{name(seat)} {n}" for seat in plucks.pluckers() if (n := plucks.left(seat))
    ] if state.phase in BEFORE_TRUMPS else []
    return {"plucks left": ", ".join(left)} if left else {}


def tries_to_pluck(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each card of a seat passed to each of the others; the checks remove illegal ones."""
    if seat in state.hand.plucks.pluckers() or state.phase == NAMING:
        for card in state.game.pack.cards(state.holding(seat).certain):
            yield from (Move(by=seat, cards=(card,), to=hand_of(to)) for to in state.terms.seats if to != seat)


def tries_to_pay_back(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each card of a seat as the payment of the first pluck that is owed."""
    for owed in state.hand.plucks.owed[:1]:
        if owed.to == seat:
            cards = state.game.pack.cards(state.holding(seat).certain)
            yield from (Move(by=seat, cards=(card,), to=hand_of(owed.by)) for card in cards)


class Hand(TrickHand):
    """State of one hand of Pluck: the trumps, the plucks, and whether trumps are broken (None if unknown)."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.trick.power, self.trick.blind = strengths_before_trumps(PACK, PLAIN, *TRUMPS.items()), True
        self.plucks = Plucks(state, PLAIN, lapse=state.terms.options.pluck_optional)
        self.trump = ""
        self.broken: bool | None = False


def start(state: State[Hand]) -> Hand:
    """Plucks come first, if there are any; then the dealer names trumps."""
    lay_out_tricks(state)
    state.hand = Hand(state)
    next_plucking_step(state)
    return state.hand


# Plucks
@RULES.check("R3", Move)
def in_the_order_of_the_table(move: Move, state: State[Hand]) -> CheckResult | None:
    if state.terms.options.pluck_order == "free" or state.dealer_is_guess:
        return None
    return the_higher_quota_plucks_first(move, quotas_of(state.dealer, QUOTAS, state.terms), state)


# Trumps
@RULES.check("R7", Name)
def the_dealer_names_trumps(name: Name, state: State[Hand]) -> CheckResult | None:
    if name.what not in SUITS:
        return broken("trumps are one of c, d, h, s")
    if gone_by(state):
        return unknown(GONE_BY)
    if state.hand.trump:
        return broken(f"{SUIT_NAMES[state.hand.trump]} were named already")
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if name.by != state.dealer:
        return broken(f"{state.dealer} deals and names trumps")
    return broken("trumps are named before the first lead") if is_led(state) else None


def on_name(name: Name, state: State[Hand]) -> None:
    """Name trumps; then the holder of the two of clubs leads it."""
    hand = state.hand
    if name.what in SUITS and not hand.trump and not is_led(state):
        hand.trump, hand.trick.blind = name.what, hand.trick.lost
        hand.trick.power = strengths(PACK, PLAIN, name.what, TRUMPS[name.what])
        hand.broken = name.what == PACK.suit_named[OPENING]
        if state.phase in BEFORE_TRUMPS:
            the_opening_is_led(state)


def the_opening_is_led(state: State[Hand]) -> None:
    """Give the lead to the seat known to hold the two of clubs, or to all seats if unknown."""
    card, seats = PACK.field[PACK.code[OPENING]], state.terms.seats
    state.phase = "play"
    state.turn = tuple(seat for seat in seats if state.holding(seat).certain & card) or seats


def on_moved(move: Move, state: State[Hand]) -> None:
    """A pluck, or a trick that is gathered. Before the first lead the two of clubs may have changed hands."""
    on_pluck(move, state)
    if state.phase == "play" and not is_led(state):
        the_opening_is_led(state)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from a lead that the plucks were paid back and that trumps were named."""
    if not isinstance(act, Play) or state.phase not in ("play", *BEFORE_TRUMPS):
        return
    if state.hand.plucks.owed:
        pay_back_unseen(state)
    if state.phase in BEFORE_TRUMPS:
        state.infer("trumps were named before this; the suit was not recorded")
        state.hand.broken = None
        the_opening_is_led(state)


# Play of the hand
RULES.check("R8", Play)(winner_leads_next)
@RULES.check("R9", Play)
def the_two_of_clubs_is_led(play: Play, state: State[Hand]) -> CheckResult | None:
    trick, card = state.hand.trick, PACK.field[PACK.code[OPENING]]
    if trick.plays or trick.won:
        return None
    if trick.lost:
        return unknown(GONE_BY)
    if play.cards[0] == OPENING:
        return None
    if PACK.may_be[state.code(play.cards)] & card:
        return unknown("the card that was led was not seen")
    holder = next((seat for seat in state.terms.seats if state.holding(seat).any_of(card)), "")
    text = f"{holder or 'the holder'} leads the 2♣ to the first trick"
    return broken(text, card, holder) if holder else broken(text)


def on_play(play: Play, state: State[Hand]) -> None:
    """Play a card; the first trump of a seat that cannot follow breaks trumps."""
    if not state.acts or state.phase in BEFORE_TRUMPS or state.hand.plucks.owed:
        ensure_dealt(state)
        unwritten(state, play)
    if not state.hand.broken and state.phase == "play":
        state.hand.broken = breaks_trumps(play, state, forced=state.terms.options.forced_trump_lead_breaks)
    on_card(play, state)


# Scoring
class Tally(TallyFacts):
    """What a hand of Pluck is scored from."""

    tricks: Points = trick_counts("player", DEAL.each, "R15", one_by_one=True)
    trump: str = choice("suit that was trumps", *SUITS, rule="R7")


def tally(state: State[Hand]) -> Tally:
    return apply_reported_facts(Tally(tricks_of_each(state), state.hand.trump), state)


def score(state: State[Hand]) -> HandScore:
    t, terms = tally(state), state.terms
    trumps, untold = GLYPHS.get(t.trump, ""), None in t.tricks.values()
    if nothing := counts_nothing(state, t.void, contract=trumps, unfinished=untold):
        return nothing
    unseen: Points = dict.fromkeys(terms.seats)
    missing = ["who took how many tricks"] if untold else []
    if state.dealer_is_guess:
        lines = (ScoreLine("tricks", t.tricks), ScoreLine("over", unseen))
        return hand_score(state, unseen, lines, contract=trumps, unknown=[*missing, WHO_DEALS])
    over = over_and_short(t.tricks, quotas_of(state.dealer, QUOTAS, terms))
    points: Points = {seat: None if n is None else max(0, n) for seat, n in over.amounts.items()}
    told = " ".join(f"{terms.name(seat)} {figure(n)}" for seat, n in t.tricks.items())
    return hand_score(
        state, points, (ScoreLine("tricks", t.tricks), over), contract=trumps, result=told, unknown=missing
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Quoted:
    """Add a hand to the standing. The highest total wins once one is at the target; tricks over a quota make plucks."""
    now = highest_at_target(before, hand, terms)
    assert isinstance(before, Quoted)
    assert isinstance(now, Quoted)
    return over_is_kept(before, now, hand)


# At the table
def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: most plucks are made before trumps are named."""
    return 0.5 if isinstance(event, Name) and state.phase == PLUCKS else 1.0


def headline(state: State[Hand]) -> dict[str, Any]:
    """The trumps for the headline; before they are named, the plucks that each player may make."""
    return {"trump": state.hand.trump} if state.hand.trump else plucks_in_words(state)


NAMES = try_naming(*SUITS)


def names_trumps(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Names of each suit. At a table that makes all plucks there are none before the first pluck."""
    if state.phase != PLUCKS or state.hand.plucks.lapse or state.hand.plucks.made:
        yield from NAMES(seat, state)


GAME = Game(
    key="pluck", name="Pluck", family="tricks", summary=summary_of(__doc__),
    seating=singles(3), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        PLUCKS: Phase(
            "plucks", (Name,), "a card to pluck with (A move x >B), or the trump suit: c, d, h or s",
            default_act=the_next_unseen, to_do="pluck or name trumps", bare=tuple(SUITS),
            tries=(tries_to_pluck, names_trumps),
        ),
        PAYING: Phase(
            "paying back", (Name,), "the highest card of the suit that was passed (x unseen)",
            default_act=the_next_unseen,
            to_do="pay back", bare=tuple(SUITS), verb_required=(Name,), tries=(tries_to_pay_back,),
        ),
        NAMING: Phase(
            "naming trumps", (Name,), "the trump suit: c, d, h or s", to_do="name trumps", bare=tuple(SUITS),
            tries=(names_trumps, tries_to_pluck),
        ),
        "play": Phase(
            "play", (Play, Name), "a card", to_do="play", one_card=True, verb_required=(Name,), tries=(try_each_card,),
        ),
    },
    on={**TRICKS, Move: on_moved, Name: on_name, Play: on_play},
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: Quoted(totals=dict.fromkeys(terms.seats, 0), surplus=dict.fromkeys(terms.seats, 0))
    ),
    sheet=ledger({"trumps": contract}, {"{} took": figure_of_line("tricks"), "{} ±": gained, "{}": running_total}),
    judging=Judging(transfer=lambda state, facts: trick_winners_as_ruled(facts, state.hand.trick.won, state)),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(expand=plucked_or_paid_back, implied_actor=who_plucks_or_names, led=suit_led),
    display=Display(headline=headline, last_outcome_text=just_taken, contract=sign_of_trumps),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
