"""Cards plucked from another hand: a seat over its quota in the last hand passes a card to a seat that was short, and
is paid back with the highest card of its suit.

Both cards go face down. The page's record of the hand keeps the `Plucks` as `plucks` and the `Tricks` as `trick`. Its
phases before the play are called `plucks` (a seat may pluck), `paying` (a card is due back) and `naming` (no plucks are
left); its standing is a `Quoted`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from events.cards import SUIT_NAMES, Ranking, how_many, pretty
from events.model import Event, Move, Name, Play
from events.name_lists import one_of
from reducers.evolve import on_move
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.scoring import Points
from reducers.table import Pile
from reducers.terms import hand_of
from reducers.words.called_card import changes_hands
from reducers.words.deals import ensure_dealt
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.quotas import Quoted
from reducers.words.tricks import Strength, gathered_by, strengths

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

    def __init__(self, state: State[Any], ranked: Ranking, *, lapse: bool = True) -> None:
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


# -- what happens -----------------------------------------------------------------------------------------------------


def on_pluck(move: Move, state: State[Any]) -> None:
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


def next_plucking_step(state: State[Any]) -> None:
    """Set the next phase: a card is due back, a seat may pluck, or the dealer names trumps, which ends the plucks."""
    plucks, dealer = state.hand.plucks, (state.dealer,)
    if plucks.owed:
        state.phase, state.turn = PAYING, tuple(dict.fromkeys(pluck.to for pluck in plucks.owed))
    elif any(plucks.pairs()):
        state.phase, state.turn = PLUCKS, tuple(dict.fromkeys((*plucks.pluckers(), *(dealer if plucks.lapse else ()))))
    else:
        state.phase, state.turn = NAMING, dealer


def paid_late(move: Move, state: State[Any]) -> None:
    """Apply a card that changes hands after trumps are named. If a payment was inferred unseen, this is that card."""
    plucks, to = state.hand.plucks, move.to.removeprefix("hand:")
    late = next((pluck for pluck in plucks.unwritten if (pluck.by, pluck.to) == (to, move.by)), None)
    if late is not None:
        plucks.unwritten = tuple(pluck for pluck in plucks.unwritten if pluck is not late)
        state.table.move_one(state.game.pack.unknown, state.holding(to), state.holding(move.by))
    owed = plucks.owed_by(move.by, to)
    plucks.owed = tuple(pluck for pluck in plucks.owed if pluck is not owed)
    on_move(move, state)


def pay_back_unseen(state: State[Any]) -> None:
    """Infer at the start of play that all that was owed was paid back."""
    plucks = state.hand.plucks
    for pluck in plucks.owed:
        state.infer(f"{pluck.to} paid {pluck.by} back before this (not recorded)")
        state.table.move_one(state.game.pack.unknown, state.holding(pluck.to), state.holding(pluck.by))
    plucks.unwritten, plucks.owed = plucks.owed, ()


# -- checks -----------------------------------------------------------------------------------------------------------


def of_its_hand(move: Move, state: State[Any]) -> Move:
    """A card taken out of another seat's hand, as a move by that seat."""
    seat = move.src.removeprefix("hand:")
    return move if seat in ("", move.by) or seat not in state.terms.seats else replace(move, by=seat, src="")


def is_pluck(move: Move, state: State[Any]) -> bool:
    """Return True if a card goes from hand to hand in a hand that is not over."""
    return state.hand is not None and not state.settled and changes_hands(of_its_hand(move, state), state)


def returned(move: Move, state: State[Any]) -> bool:
    """Return True if the card is a payment and not a new pluck."""
    to = move.to.removeprefix("hand:")
    return state.hand.plucks.owed_by(move.by, to) is not None or state.hand.plucks.pays_back(move.by, to)


def plucks_come_before_trumps(move: Move, state: State[Any]) -> CheckResult | None:
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


def as_often_as_over(move: Move, state: State[Any]) -> CheckResult | None:
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


def the_higher_quota_plucks_first(move: Move, quota: dict[str, int], state: State[Any]) -> CheckResult | None:
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


def no_joker_is_passed(move: Move, state: State[Any]) -> CheckResult | None:
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


def one_card_is_paid_back_at_once(move: Move, state: State[Any]) -> CheckResult | None:
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


def every_pluck_is_made(act: Event, state: State[Any]) -> CheckResult | None:
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


def paid_back_before_trumps(act: Event, state: State[Any]) -> CheckResult | None:
    """Plucks are paid back before trumps are named; a line may have been left out."""
    owed = state.hand.plucks.owed or state.hand.plucks.unwritten
    if not owed or gone_by(state) or state.hand.trump or state.hand.trick.won or state.hand.trick.plays:
        return None
    return unknown(f"whether {owed[0].to} paid {owed[0].by} back; {MISSING}")


def the_highest_comes_back(move: Move, state: State[Any]) -> CheckResult | None:
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


def not_the_highest(move: Move, asked: list[str], code: int, state: State[Any]) -> CheckResult:
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


# -- as it is typed, and shown ---------------------------------------------------------------------------------------


def the_next_unseen(state: State[Any]) -> Event | None:
    """What a lone `.` means: the next card from hand to hand, unseen, if the two seats are clear; else None."""
    owed, pairs = state.hand.plucks.owed, list(state.hand.plucks.pairs())
    if owed:
        return Move(by=owed[0].to, cards=("??",), to=hand_of(owed[0].by))
    return Move(by=pairs[0][0], cards=("??",), to=hand_of(pairs[0][1])) if len(pairs) == 1 else None


def plucked_or_paid_back(state: State[Any], event: Event) -> tuple[Event, ...]:
    """A bare card before trumps are named, as a payment or as the plucks that it may be."""
    if not isinstance(event, Play) or event.src or state.phase not in (PLUCKS, PAYING) or how_many(event.cards) != 1:
        return (event,)
    plucks = state.hand.plucks
    back = next((owed for owed in plucks.owed if owed.to == event.by), None)
    if back is not None:
        return (Move(by=event.by, cards=event.cards, to=hand_of(back.by)),)
    to = [to for by, to in plucks.pairs() if by == event.by]
    return tuple([Move(by=event.by, cards=event.cards, to=hand_of(one)) for one in to]) or (event,)


def who_plucks_or_names(state: State[Any], kind: type[Event]) -> tuple[str, ...]:
    """The dealer if a suit is named; else, while plucks are due, the seats that may pluck."""
    if state.phase == PLUCKS:
        return (state.dealer,) if kind is Name else state.hand.plucks.pluckers()
    return state.turn


def plucks_in_words(state: State[Any]) -> dict[str, str]:
    """The number of plucks that each seat has left, in words for the view of the table."""
    plucks, name = state.hand.plucks, state.terms.name
    left = [
        f"{name(seat)} {n}" for seat in plucks.pluckers() if (n := plucks.left(seat))
    ] if state.phase in BEFORE_TRUMPS else []
    return {"plucks left": ", ".join(left)} if left else {}


# -- acts to try ------------------------------------------------------------------------------------------------------


def tries_to_pluck(seat: str, state: State[Any]) -> Iterator[Event]:
    """Each card of a seat passed to each of the others; the checks remove illegal ones."""
    if seat in state.hand.plucks.pluckers() or state.phase == NAMING:
        for card in state.game.pack.cards(state.holding(seat).certain):
            yield from (Move(by=seat, cards=(card,), to=hand_of(to)) for to in state.terms.seats if to != seat)


def tries_to_pay_back(seat: str, state: State[Any]) -> Iterator[Event]:
    """Each card of a seat as the payment of the first pluck that is owed."""
    for owed in state.hand.plucks.owed[:1]:
        if owed.to == seat:
            cards = state.game.pack.cards(state.holding(seat).certain)
            yield from (Move(by=seat, cards=(card,), to=hand_of(owed.by)) for card in cards)
