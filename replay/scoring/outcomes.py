"""The data types for the possible results of a hand and a match with unseen cards."""

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

    `at` is the event of the card, 0 if it is about no event; `by` the player of the card, `text` the question ("the
    card of W at event 12", "who has the 5♥").
    """

    text: str
    at: int
    by: str
    answers: tuple[ScoreAnswer, ...]


class Alternative(Struct):
    """One reading of a hand that is scored separately: its last state, and the answers in it."""

    state: State[Any]
    answers: list[dict[tuple[str, int, str], str]]


class HandEnd(Struct):
    """A hand when the next one begins, or at the end of the log.

    `first` and `last` are its steps (folded events, from 1), `start` the state before them. `counted` is True if it
    has points already, `left` if it was left unfinished, `doubtful` if its record contradicts itself.
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
    """The possible results of one hand in one reading of the match.

    `scores` are its different possible scores; `points` and `totals` list their figures, without sides with an
    unknown one. `why` is the reason if the hidden cards were not examined.
    """

    number: int
    scores: list[HandScore]
    points: Values
    totals: Values
    questions: tuple[ScoreQuestion, ...] = ()
    why: str = ""


class MatchOutcome(Struct):
    """The whole match in one reading: its hands, and every possible final standing."""

    hands: list[HandWorth]
    standings: list[Standing]
    whole: bool = True

    @property
    def winners(self) -> tuple[str, ...]:
        """The possible winners; "" among them if the match may still be open."""
        return tuple(sorted({s.winner for s in self.standings}))


def figures_span(values: Sequence[int]) -> str:
    """Possible figures as a range.

    >>> figures_span([7]), figures_span([7, 11]), figures_span([-3, -1, 5]), figures_span([])
    ('7', '7..11', '−3..5', '?')
    """
    if not values:
        return "?"
    low, high = (f"−{-n}" if n < 0 else str(n) for n in (values[0], values[-1]))
    return low if low == high else f"{low}..{high}"


def question_text(question: ScoreQuestion, who: Iterable[str]) -> str:
    """A question with its answers: `the card of W at event 12: 5♥: NS 3, EW 10; K♥: NS 8, EW 5`.

    Answers with the same result are grouped.
    """
    names = list(who)
    same: dict[str, list[str]] = {}
    for answer in question.answers:
        figures = ", ".join(f"{n} {figures_span(answer.points[n])}" for n in names if n in answer.points)
        same.setdefault(figures, []).append(answer.text)
    return f"{question.text}: " + "; ".join(f"{', '.join(texts)}: {figures}" for figures, texts in same.items())


def certain(values: Mapping[str, Sequence[int]], who: str) -> int | None:
    """The only figure, None if there are several or none."""
    found = values.get(who, ())
    return found[0] if len(found) == 1 else None
