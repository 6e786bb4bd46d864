"""The shapes of what a hand and a match can have come to, where cards were not seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from reducers.model import State
from reducers.scoring import HandScore, Standing

Values = dict[str, list[int]]
"""The possible figures by side or seat, smallest first."""


class ScoreAnswer(Struct, frozen=True):
    """One answer to an open question, and the points of the hand with it."""

    text: str
    points: Values


class ScoreQuestion(Struct, frozen=True):
    """What decides between the possible scores of a hand.

    `at` is the event in which the card was played, 0 where it is no card of an event; `by` whose card it is, `text` the
    question ("the card of W at event 12", "who has the 5♥").
    """

    text: str
    at: int
    by: str
    answers: tuple[ScoreAnswer, ...]


class Alternative(Struct):
    """One reading of a hand that is scored on its own: its last state, and what is answered how in it."""

    state: State[Any]
    answers: list[dict[tuple[str, int, str], str]]


class HandEnd(Struct):
    """A hand when the next one begins, or where the log ends.

    `first` and `last` are its steps (folded events, from 1), `start` the state before them. `counted` says that it is
    worth something already, `left` that it was left without its end, `doubtful` that its record contradicts itself.
    """

    number: int
    first: int
    last: int
    start: State[Any]
    state: State[Any]
    counted: bool
    left: bool
    doubtful: bool = False


class HandWorth(Struct):
    """What one hand may be worth in one reading of the match.

    `scores` are the different scores it may have; `points` and `totals` list their figures, a side being left out
    where one of them is unknown. `why` says why the hidden cards were not looked at.
    """

    number: int
    scores: list[HandScore]
    points: Values
    totals: Values
    questions: tuple[ScoreQuestion, ...] = ()
    why: str = ""


class MatchOutcome(Struct):
    """The whole match in one reading: its hands, and every standing it may have come to."""

    hands: list[HandWorth]
    standings: list[Standing]
    whole: bool = True

    @property
    def winners(self) -> tuple[str, ...]:
        """Who may have won; the empty name where the match may still be open."""
        return tuple(sorted({s.winner for s in self.standings}))


def figures_span(values: Sequence[int]) -> str:
    """Possible figures as a person writes them.

    >>> figures_span([7]), figures_span([7, 11]), figures_span([-3, -1, 5]), figures_span([])
    ('7', '7..11', '−3..5', '?')
    """
    if not values:
        return "?"
    low, high = (f"−{-n}" if n < 0 else str(n) for n in (values[0], values[-1]))
    return low if low == high else f"{low}..{high}"


def question_text(question: ScoreQuestion, who: Iterable[str]) -> str:
    """A question with its answers: `the card of W at event 12: 5♥: NS 3, EW 10; K♥: NS 8, EW 5`.

    Answers that come to the same are named together.
    """
    names = list(who)
    same: dict[str, list[str]] = {}
    for answer in question.answers:
        figures = ", ".join(f"{n} {figures_span(answer.points[n])}" for n in names if n in answer.points)
        same.setdefault(figures, []).append(answer.text)
    return f"{question.text}: " + "; ".join(f"{', '.join(texts)}: {figures}" for figures, texts in same.items())


def certain(values: Mapping[str, Sequence[int]], who: str) -> int | None:
    """The one figure there is, None where there are several or none."""
    found = values.get(who, ())
    return found[0] if len(found) == 1 else None


__all__ = ["Alternative", "ScoreAnswer", "HandEnd", "MatchOutcome", "ScoreQuestion", "HandWorth", "certain", "question_text", "figures_span"]
