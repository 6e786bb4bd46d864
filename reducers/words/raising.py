"""Stakes that are raised and answered: double, redouble, reredouble, by the two sides in turn, until nobody raises more.

The page's record of the hand keeps the `Stakes` as `stakes` and its `Tricks` as `trick`; its phase of raises is called
`doubling`. The opponents of the side that plays the hand begin.
"""

from __future__ import annotations

from typing import Any

from events.model import Call, Event, Fault, Pass
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import WHO_DEALS

GONE_BY = "what was said before this went by unrecorded"


class Stakes:
    """How often a hand counts, and who may raise it now.

    `words` are the raises in their order, each of which doubles what the hand counts, up to `most`; `base` is what it
    counts if nobody raises. `maker` is the seat whose side plays the hand, `called` what a sentence calls it.
    """

    __slots__ = ("base", "called", "maker", "most", "multiplier", "raised", "raises", "speakers", "words")

    def __init__(self, maker: str, words: tuple[str, ...], most: int, called: str = "dealer") -> None:
        self.maker, self.words, self.most, self.called = maker, words, most, called
        self.base = 1
        # None if what was said went by unrecorded.
        self.multiplier: int | None = 1
        # So many raises were heard, in order or not, since anything went by unrecorded.
        self.raises = 0
        # The last raise, if it was in order.
        self.raised: Call | None = None
        # Who may still speak before play begins.
        self.speakers: tuple[str, ...] = ()

    def begin(self, base: int) -> None:
        """The hand counts so much from the start."""
        self.base = self.multiplier = base

    @property
    def step(self) -> str:
        """The word that raises the stakes now; empty if there is none."""
        level = ((self.multiplier or 0) // self.base).bit_length() - 1
        return self.words[level] if 0 <= level < len(self.words) else ""


def for_the_makers(word: str, stakes: Stakes) -> bool:
    """Whether a raise is for the side that plays the hand: the opponents double, that side redoubles."""
    return word in stakes.words and stakes.words.index(word) % 2 == 1


def of_the_makers(seat: str, state: State[Any]) -> bool:
    """Whether a seat is of the side that plays the hand."""
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
            # The stakes are at least as high as what has been heard made them.
            return broken("the stakes have been raised further already")
        return unknown(GONE_BY)
    if answers_unheard(call, state):
        return unknown(f"whether somebody said {stakes.step} before this; nobody wrote it")
    if call.word != stakes.step:
        return broken(f"what may be said now is {stakes.step or 'nothing more'}")
    makers = for_the_makers(call.word, stakes)
    if of_the_makers(call.by, state) == makers:
        return None
    if state.guessed:
        return unknown(WHO_DEALS)
    return broken(f"it is for the {'' if makers else 'opponents of the '}{stakes.called} and not for {call.by}")


def answers_unheard(call: Call, state: State[Any]) -> bool:
    """Whether a raise answers one that nobody wrote: it is the next but one, and its side may say it."""
    stakes: Stakes = state.hand.stakes
    if state.phase != "doubling" or not stakes.step or call.word not in stakes.words:
        return False
    if stakes.words.index(call.word) != stakes.words.index(stakes.step) + 1:
        return False
    return of_the_makers(call.by, state) == for_the_makers(call.word, stakes)


def whoever_may_raise_may_do_it(fault: Fault, state: State[Any]) -> CheckResult | None:
    """The denial of the right: the table took a raise that was in order for a fault."""
    raised: Call | None = state.hand.stakes.raised if state.number else None
    if raised is None or fault.word != raised.word or fault.who not in ("", raised.by):
        return None
    return broken(f"{raised.by} may {raised.word} here")


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
    """Those who may raise speak in turn, beginning behind whoever spoke last."""
    stakes: Stakes = state.hand.stakes
    if state.phase == "play":
        return broken("the time to raise is over") if stakes.multiplier != stakes.most else None
    if state.phase != "doubling" or act.by in state.turn:
        return None
    if state.guessed:
        return unknown(WHO_DEALS)
    if act.by in stakes.speakers:
        before = stakes.speakers[: stakes.speakers.index(act.by)]
        return unknown(f"whether {' and '.join(before)} passed before this; nobody wrote it")
    if isinstance(act, Pass) or stakes.multiplier is None or answers_unheard(act, state):
        return unknown("whether the stakes were raised before this; nobody wrote it")
    return broken(f"it is for {state.turn[0]} to speak" if state.turn else "nobody has anything to say")


# -- what becomes of it -----------------------------------------------------------------------------------------------


def raises(call: Call, state: State[Any]) -> bool:
    """The stakes are raised, and perhaps were before by somebody of whom nobody wrote it. False as in `asks_around`."""
    stakes: Stakes = state.hand.stakes
    checks = (the_right_side_raises, no_more_than_the_most, they_speak_in_turn)
    in_order = state.phase == "doubling" and not any(check(call, state) for check in checks)
    stakes.raised = call if in_order else None
    if answers_unheard(call, state):
        state.infer(f"somebody said {stakes.step} before this; nobody wrote it")
        stakes.multiplier = stakes.multiplier and 2 * stakes.multiplier
    passed_over(call.by, state)
    stakes.raises += 1
    stakes.multiplier = stakes.multiplier and min(2 * stakes.multiplier, stakes.most)
    return asks_around(call.by, state)


def asks_around(last: str, state: State[Any]) -> bool:
    """Those who may raise now speak, in turn behind whoever spoke last.

    False if nobody may any more, so that the play begins; once it has, nothing changes.
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
    """Somebody passes who may raise. False if that was the last of them, so that the play begins."""
    stakes: Stakes = state.hand.stakes
    if act.by not in stakes.speakers:
        raised_unheard(act.by, state)
    passed_over(act.by, state)
    stakes.speakers = stakes.speakers[1:]
    state.turn = stakes.speakers[:1]
    return bool(stakes.speakers)


def passed_over(seat: str, state: State[Any]) -> None:
    """Whoever speaks shows that those who were asked before have passed; a raise would have been written."""
    stakes: Stakes = state.hand.stakes
    at = stakes.speakers.index(seat) if seat in stakes.speakers else 0
    if at:
        state.infer(f"{' and '.join(stakes.speakers[:at])} passed before {seat} spoke; nobody wrote it")
        stakes.speakers = stakes.speakers[at:]
        state.turn = stakes.speakers[:1]


def raised_unheard(seat: str, state: State[Any]) -> None:
    """Somebody passes who has nothing to answer: perhaps the stakes were raised before."""
    stakes: Stakes = state.hand.stakes
    state.infer(f"{seat} passes, so the stakes may have been raised before; nobody wrote it")
    stakes.multiplier = None
    side = state.terms.sides[state.terms.side_of[seat]]
    stakes.speakers = (seat, *(other for other in state.terms.in_turn(seat)[1:] if other in side))


def next_raise(seat: str, state: State[Any]) -> tuple[Event, ...]:
    """An act to try: the raise that may be said now, or the first one."""
    stakes: Stakes = state.hand.stakes
    return (Call(by=seat, word=stakes.step or stakes.words[0]),)
