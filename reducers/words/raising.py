"""Stakes that are raised and answered.

Double, redouble, reredouble, by the two sides in turn, until there is no further raise (Botifarra): the page's record
of the hand keeps the `Stakes` as `stakes` and its `Tricks` as `trick`; its phase of raises is called `doubling`. The
opponents of the side that plays the hand begin.

Or step by step, by the captain of either side; the other captain accepts, gives the hand up, or raises further
(Envite): the record keeps a `Ladder` as `stakes`; the phases are called `raising` and `answering`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from events.model import Bid, Call, Event, Fault, Pass
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.terms import Terms
from reducers.words.deals import WHO_DEALS

GONE_BY = "calls before this are missing from the record"


class Stakes:
    """How often a hand counts, and who may raise it now.

    `words` are the raises in their order; each doubles what the hand counts, up to `most`. `base` is what it counts
    without a raise. `maker` is a seat of the side that plays the hand, `called` the word for it in messages.
    """

    def __init__(self, maker: str, words: tuple[str, ...], most: int, called: str = "dealer") -> None:
        self.maker, self.words, self.most, self.called = maker, words, most, called
        self.base = 1
        # None if calls are missing from the record.
        self.multiplier: int | None = 1
        # Number of raises, legal or not, since the last gap in the record.
        self.raises = 0
        # The last raise, if it was legal.
        self.raised: Call | None = None
        # Seats that may still speak before play begins.
        self.speakers: tuple[str, ...] = ()

    def begin(self, base: int) -> None:
        """Set what the hand counts from the start."""
        self.base = self.multiplier = base

    def lose_count(self, state: State[Any]) -> None:
        """Calls are missing from the record; raises in play are recorded."""
        self.multiplier, self.raises = self.multiplier if state.phase == "play" else None, 0

    @property
    def step(self) -> str:
        """The word for the next raise; empty if there is none."""
        level = ((self.multiplier or 0) // self.base).bit_length() - 1
        return self.words[level] if 0 <= level < len(self.words) else ""


def for_the_makers(word: str, stakes: Stakes) -> bool:
    """Return True if a raise is for the side that plays the hand: the opponents double, that side redoubles."""
    return word in stakes.words and stakes.words.index(word) % 2 == 1


def of_the_makers(seat: str, state: State[Any]) -> bool:
    """Return True if a seat is on the side that plays the hand."""
    side_of, stakes = state.terms.side_of, state.hand.stakes
    return side_of[seat] == side_of[stakes.maker]


# -- what may be said -------------------------------------------------------------------------------------------------


def the_right_side_raises(call: Call, state: State[Any]) -> CheckResult | None:
    """A raise is the next one, and comes from the side whose turn it is to raise."""
    stakes: Stakes = state.hand.stakes
    if call.word not in stakes.words:
        return None
    if stakes.multiplier is None or state.hand.trick.lost:
        if stakes.words.index(call.word) < stakes.raises:
            # The stakes are at least as high as the recorded raises made them.
            return broken("the stakes have been raised further already")
        return unknown(GONE_BY)
    if answers_unheard(call, state):
        return unknown(f"whether a player said {stakes.step} before this (not recorded)")
    if call.word != stakes.step:
        return broken(f"the only raise now is {stakes.step}" if stakes.step else "no further raise is possible")
    makers = for_the_makers(call.word, stakes)
    if of_the_makers(call.by, state) == makers:
        return None
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    return broken(f"only the {'' if makers else 'opponents of the '}{stakes.called} may say this, not {call.by}")


def answers_unheard(call: Call, state: State[Any]) -> bool:
    """Return True if a raise answers an unrecorded one: it is the next but one, and its side may say it."""
    stakes: Stakes = state.hand.stakes
    if state.phase != "doubling" or not stakes.step or call.word not in stakes.words:
        return False
    if stakes.words.index(call.word) != stakes.words.index(stakes.step) + 1:
        return False
    return of_the_makers(call.by, state) == for_the_makers(call.word, stakes)


def whoever_may_raise_may_do_it(fault: Fault, state: State[Any]) -> CheckResult | None:
    """Check a fault by which the table rejects a raise that was legal."""
    raised: Call | Bid | None = state.hand.stakes.raised if state.number else None
    word = raised.word if isinstance(raised, Call) else "raise"
    if raised is None or fault.word != word or fault.who not in ("", raised.by):
        return None
    return broken(f"{raised.by} may {word} here")


def no_more_than_the_most(call: Call, state: State[Any]) -> CheckResult | None:
    """The stakes are not raised beyond the most that a hand counts."""
    stakes: Stakes = state.hand.stakes
    if call.word not in stakes.words:
        return None
    if (stakes.multiplier is None or state.hand.trick.lost) and stakes.raises < len(stakes.words):
        return unknown(f"how high the stakes are: {GONE_BY}")
    if stakes.multiplier == stakes.most or stakes.raises >= len(stakes.words):
        return broken(f"the hand counts {stakes.most}-fold already")
    return None


def they_speak_in_turn(act: Call | Pass, state: State[Any]) -> CheckResult | None:
    """Those who may raise speak in turn, beginning after the last speaker."""
    stakes: Stakes = state.hand.stakes
    if state.phase == "play":
        return broken("the time to raise is over") if stakes.multiplier != stakes.most else None
    if state.phase != "doubling" or act.by in state.turn:
        return None
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if act.by in stakes.speakers:
        before = stakes.speakers[: stakes.speakers.index(act.by)]
        return unknown(f"whether {' and '.join(before)} passed before this (not recorded)")
    if isinstance(act, Pass) or stakes.multiplier is None or answers_unheard(act, state):
        return unknown("whether the stakes were raised before this (not recorded)")
    return broken(f"it is the turn of {state.turn[0]} to speak" if state.turn else "no seat may speak now")


# -- applying the acts ------------------------------------------------------------------------------------------------


def raises(call: Call, state: State[Any]) -> bool:
    """Apply a raise, after inferring one that it answers. Return False if play begins, as in `asks_around`."""
    stakes: Stakes = state.hand.stakes
    checks = (the_right_side_raises, no_more_than_the_most, they_speak_in_turn)
    in_order = state.phase == "doubling" and not any(check(call, state) for check in checks)
    stakes.raised = call if in_order else None
    if answers_unheard(call, state):
        state.infer(f"a player said {stakes.step} before this (not recorded)")
        stakes.multiplier = stakes.multiplier and 2 * stakes.multiplier
    infer_passes(call.by, state)
    stakes.raises += 1
    stakes.multiplier = stakes.multiplier and min(2 * stakes.multiplier, stakes.most)
    return asks_around(call.by, state)


def asks_around(last: str, state: State[Any]) -> bool:
    """Let those who may raise now speak, in turn after the last speaker.

    Return False if no seat may raise any more, so that play begins. Once it has begun, nothing changes.
    """
    stakes: Stakes = state.hand.stakes
    if state.phase == "play" or state.hand.trick.blind:
        return True
    makers, order = for_the_makers(stakes.step, stakes), state.terms.in_turn(state.terms.after(last))
    stakes.speakers = tuple(seat for seat in order if of_the_makers(seat, state) == makers)
    if stakes.multiplier == stakes.most:
        return False
    state.phase, state.turn = "doubling", stakes.speakers[:1]
    return True


def raises_no_more(act: Pass, state: State[Any]) -> bool:
    """Apply the pass of a seat that may raise. Return False if it was the last one, so that play begins."""
    stakes: Stakes = state.hand.stakes
    if act.by not in stakes.speakers:
        raised_unheard(act.by, state)
    infer_passes(act.by, state)
    stakes.speakers = stakes.speakers[1:]
    state.turn = stakes.speakers[:1]
    return bool(stakes.speakers)


def infer_passes(seat: str, state: State[Any]) -> None:
    """Infer that the seats asked before the speaker have passed; a raise would have been recorded."""
    stakes: Stakes = state.hand.stakes
    at = stakes.speakers.index(seat) if seat in stakes.speakers else 0
    if at:
        state.infer(f"{' and '.join(stakes.speakers[:at])} passed before {seat} spoke (not recorded)")
        stakes.speakers = stakes.speakers[at:]
        state.turn = stakes.speakers[:1]


def raised_unheard(seat: str, state: State[Any]) -> None:
    """Make the stakes unknown, as a seat passes that has nothing to answer: there may have been a raise."""
    stakes: Stakes = state.hand.stakes
    state.infer(f"{seat} passes, so the stakes may have been raised before (not recorded)")
    stakes.multiplier = None
    side = state.terms.sides[state.terms.side_of[seat]]
    stakes.speakers = (seat, *(other for other in state.terms.in_turn(seat)[1:] if other in side))


def next_raise(seat: str, state: State[Any]) -> tuple[Event, ...]:
    """An act to try: the raise that may be said now, or the first one."""
    stakes: Stakes = state.hand.stakes
    return (Call(by=seat, word=stakes.step or stakes.words[0]),)


# -- a ladder of stakes that captains raise and answer ----------------------------------------------------------------

ANSWERS = ("accept", "decline")


class Ladder:
    """The stakes of a hand as captains raise them, step by step.

    `steps` are what the hand can count, in order; the first holds without a raise. `captains`: the seat that speaks for
    each side."""

    CHANGED_IN_PLACE: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, steps: tuple[str, ...], captains: Mapping[str, str]) -> None:
        self.steps, self.captains = steps, captains
        # The step of the last raise, and the side that made it; empty once it was answered.
        self.to, self.raiser = 0, ""
        # True if a raise was accepted; the side that gave the hand up; True if calls are missing from the record.
        self.closed, self.gave_up, self.lost = False, "", False
        # A side whose card showed that it accepted; it may still say so later.
        self.unheard = ""
        # The last raise, if it was legal.
        self.raised: Bid | None = None

    def lose_count(self, state: State[Any]) -> None:
        """Raises are missing from the record."""
        self.lost, self.to, self.raiser, self.closed = True, 0, "", False

    @property
    def value(self) -> str:
        """What the hand counts: without the last raise if it was given up; empty if unknown."""
        return "" if self.lost else self.steps[max(0, self.to - bool(self.gave_up))]

    @property
    def next(self) -> str:
        """The next step; empty if there is none."""
        return self.steps[self.to + 1] if self.to + 1 < len(self.steps) else ""


def captains_of(terms: Terms) -> dict[str, str]:
    """The seat that speaks for each side: the captains that the option names, else the first seat of each side."""
    named = terms.options.captains.split()
    if not named:
        return {side: seats[0] for side, seats in terms.sides.items()}
    return {side: next((seat for seat in named if seat in seats), seats[0]) for side, seats in terms.sides.items()}


def stake_named(bid: Bid) -> str:
    """The stake that a raise names.

    >>> stake_named(Bid(by="A", level=4)), stake_named(Bid(by="A", strain="game"))
    ('4', 'game')
    """
    return f"{'' if bid.level is None else bid.level}{bid.strain}"


def answering(act: Event) -> bool:
    """Return True if a call accepts a raise, or gives the hand up to it."""
    return isinstance(act, Call) and act.word in ANSWERS


def captains_speak(act: Bid | Call, state: State[Any]) -> CheckResult | None:
    """Only the captain of a side raises and answers for it."""
    if isinstance(act, Call) and not answering(act):
        return None
    side = state.terms.side_of[act.by]
    captain = state.hand.stakes.captains[side]
    return None if act.by == captain else broken(f"{captain} is the captain of {side}, and speaks for it")


def the_first_raise_is_one_step(bid: Bid, state: State[Any]) -> CheckResult | None:
    """Either captain makes the first raise, to the next step."""
    stakes: Ladder = state.hand.stakes
    if stakes.to or stakes.closed or stake_named(bid) == stakes.next:
        return None
    return unknown(GONE_BY) if stakes.lost else broken(f"the first raise is to {stakes.next}")


def the_challenged_captain_answers(act: Bid | Call, state: State[Any]) -> CheckResult | None:
    """The captain who was challenged accepts, gives up, or raises by one step; the other does not."""
    stakes: Ladder = state.hand.stakes
    if isinstance(act, Call) and not answering(act):
        return None
    if isinstance(act, Call) and not stakes.raiser:
        if act.word == "accept" and state.terms.side_of[act.by] == stakes.unheard:
            return None
        return unknown(GONE_BY) if stakes.lost else broken(f"there is no raise to {act.word}")
    if state.terms.side_of[act.by] == stakes.raiser:
        other = next(captain for side, captain in stakes.captains.items() if side != stakes.raiser)
        return broken(f"{stakes.raiser} raised to {stakes.steps[stakes.to]}, and {other} answers")
    if isinstance(act, Bid) and stakes.to and stake_named(act) != stakes.next:
        # Also after an answer, which may be unwritten.
        return broken(f"the next raise is to {stakes.next}" if stakes.next else "the whole game is the highest stake")
    return None


def accepted_stakes_are_closed(bid: Bid, state: State[Any]) -> CheckResult | None:
    """Once a raise was accepted, or the first card was played, there are no more raises."""
    stakes: Ladder = state.hand.stakes
    if stakes.lost:
        return unknown(GONE_BY) if not stakes.to else None
    if stakes.closed:
        return broken(f"the stake of {stakes.steps[stakes.to]} was accepted")
    return broken("the stakes were closed when the first card was played") if state.phase == "play" else None


def apply_ladder_raise(bid: Bid, state: State[Any]) -> None:
    """Apply a raise, which also accepts the raise before it; an unknown stake changes nothing."""
    stakes: Ladder = state.hand.stakes
    if stake_named(bid) not in stakes.steps[1:]:
        return
    checks = (captains_speak, the_first_raise_is_one_step, the_challenged_captain_answers, accepted_stakes_are_closed)
    stakes.raised = None if any(check(bid, state) for check in checks) else bid
    stakes.to, stakes.raiser = stakes.steps.index(stake_named(bid)), state.terms.side_of[bid.by]
    stakes.closed = stakes.lost = False
    if state.phase in ("raising", "answering"):
        state.phase = "answering"
        state.turn = tuple(captain for side, captain in stakes.captains.items() if side != stakes.raiser)


def apply_raise_answer(call: Call, state: State[Any]) -> None:
    """Apply an answer: accept the raise, or give up (`gave_up` is the side). Without a raise, or by a player other
    than the captain, it changes nothing."""
    stakes: Ladder = state.hand.stakes
    side = state.terms.side_of[call.by]
    if side == stakes.unheard:
        stakes.unheard = ""
    if side == stakes.raiser or not (stakes.raiser or stakes.lost) or call.by != stakes.captains[side]:
        return
    stakes.raiser = ""
    if call.word == "accept":
        stakes.closed = True
    else:
        stakes.gave_up = side


def accepted_unheard(state: State[Any]) -> None:
    """Infer from a card that the raise before it was accepted."""
    stakes: Ladder = state.hand.stakes
    if stakes.raiser:
        other = next(captain for side, captain in stakes.captains.items() if side != stakes.raiser)
        state.infer(f"{other} accepted the raise to {stakes.steps[stakes.to]} before this (not recorded)")
        stakes.raiser, stakes.closed, stakes.unheard = "", True, state.terms.side_of[other]


def each_step(seat: str, state: State[Any]) -> Iterator[Event]:
    """Acts to try: a raise to each step, and both answers."""
    for step in state.hand.stakes.steps[1:]:
        yield Bid(by=seat, level=int(step)) if step.isdigit() else Bid(by=seat, strain=step)
    for word in ANSWERS:
        yield Call(by=seat, word=word)
