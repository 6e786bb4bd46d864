"""Suggested corrections of an inconsistent record: the fix, the line to type, and what it would settle.

Only the data types; `replay.judging.repairs` finds them. They have their own module so that a finding can refer to
its correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from events.model import Fix, Recorded
from replay.languages.translate import in_language, listed_words, t, tn

MAX_QUESTIONS_TOLD = 10
"""Most open questions of a hand that are reported one by one. More are grouped by rule, with the other places."""
MAX_PLACES_NAMED = 12
"""Most positions listed before the rest is counted."""

Kind = Literal["insert", "blank", "swap", "strike", "seat", "side", "turn"]


class ListedFinding(Protocol):
    """A finding in a list: its rule by number and name, and its place."""

    @property
    def rule(self) -> str:
        """The full id of the rule."""

    @property
    def short(self) -> str:
        """The name that a player would use."""

    @property
    def at(self) -> Any:
        """The place of the act."""


class Ref(Struct, frozen=True):
    """A finding by its rule and position."""

    rule: str
    pos: int


class SuggestedCorrection(Struct, frozen=True):
    """One correction that would explain findings. Nothing changes until the recorder types it.

    `fixes` are the events to append, `lines` the same as they are typed. `at` is the position to correct (or to
    insert after), `ties` the positions where the same kind of correction does as well, itself included. `kind` is:
    insert a missing act, read a card as unseen, swap two neighbours, strike a repeated line, give a line to another
    seat or a trick to another side, or shift the seats after a trick. `removes` are the findings that would go,
    `leaves` is the number of broken findings that would stay in this hand. `text` is a sentence. `after` are the
    lines of earlier corrections that this one builds on; empty if it stands alone.
    """

    fixes: tuple[Fix, ...]
    at: int
    hand: int
    kind: Kind
    removes: tuple[Ref, ...]
    leaves: int
    text: str
    lines: tuple[str, ...]
    ties: tuple[int, ...] = ()
    after: tuple[str, ...] = ()

    def typed(self, log: Sequence[Recorded]) -> list[Recorded]:
        """The log with this correction at its end."""
        return [*log, *(Recorded(n=n, event=fix) for n, fix in enumerate(self.fixes, log[-1].n + 1))]


def resting_on(repair: SuggestedCorrection) -> str:
    """Say in a few words which line may be wrong if the correction is right."""
    at = repair.at
    words: dict[Kind, str] = {
        "insert": tn(
            "one line that may be missing after {places}", "{n} lines that may be missing after {places}",
            len(repair.fixes), places=listed_words(dict.fromkeys(str(f.at) for f in repair.fixes)),
        ),
        "blank": t("the card at {n}, which may be typed wrong", n=at),
        "swap": t("the order of {n} and {other}", n=at, other=repair.fixes[-1].at),
        "strike": t("the line at {n}, which may be typed twice", n=at),
        "seat": t("the seat at {n}, which may be typed wrong", n=at),
        "turn": t("the seats from {n} on, which may be typed one too early or too late", n=at),
        "side": t("the side that gathered the trick at {n}, which may be typed wrong", n=at),
    }
    return words[repair.kind]


def likewise(findings: Iterable[ListedFinding]) -> list[str]:
    """Findings with the same cause as one already reported, a line per rule: its name and its positions."""
    places: dict[str, list[int]] = {}
    for f in findings:
        places.setdefault(f"{f.rule} {in_language(f.short)}".strip(), []).append(f.at.pos)
    out = []
    for rule, at in places.items():
        listed, more = ", ".join(map(str, at[:MAX_PLACES_NAMED])), len(at) - MAX_PLACES_NAMED
        out.append(
            t("{rule} at {places} and {n} more up to {last}", rule=rule, places=listed, n=more, last=at[-1]) if more > 0
            else t("{rule} at {places}", rule=rule, places=listed)
        )
    return out


Question = TypeVar("Question", bound=ListedFinding)


def asked_once(questions: Iterable[Question], reason: Callable[[Question], str]) -> list[list[Question]]:
    """Group the open questions of a hand that have the same rule and `reason`, or are about one act for one `reason`.

    A hand with many groups has few causes: there, questions about one rule or for one reason are grouped. A question
    without a reason stands alone.
    """
    hands: dict[int, dict[tuple[str, str], list[Question]]] = {}
    of_act: dict[tuple[int, str], tuple[str, str]] = {}
    for q in questions:
        why = reason(q)
        same_cause = of_act.setdefault((q.at.pos, why), (q.rule, why)) if why else ("", f"{q.rule} {q.at.pos}")
        hands.setdefault(q.at.hand, {}).setdefault(same_cause, []).append(q)
    out: list[list[Question]] = []
    for groups in hands.values():
        found: dict[str, list[Question]] = {}
        for (rule, why), group in groups.items():
            same = (found.get(rule) or found.get(why)) if rule and len(groups) > MAX_QUESTIONS_TOLD else None
            if same is None:
                out.append(same := [])
            same += group
            for key in (rule, why):
                found.setdefault(key, same)
    return out
