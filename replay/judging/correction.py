"""What is offered when a record does not fit together: one correction, the line to type, what it would settle.

Only the shapes; `replay.judging.repairs` finds them. They stand apart so that a finding can say on which offer it depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from events.model import Fix

MAX_QUESTIONS_TOLD = 10
"""So many open questions of a hand are told each by itself; of more, one for each rule, with where the others are."""
MAX_PLACES_NAMED = 12
"""So many positions are listed before the rest is counted."""

Kind = Literal["insert", "blank", "swap", "strike", "seat", "side", "turn"]


class ListedFinding(Protocol):
    """A finding as it is listed: its rule by number and name, and where it is about."""

    @property
    def rule(self) -> str:
        """The full id of the rule."""

    @property
    def short(self) -> str:
        """The name that a player would use."""

    @property
    def at(self) -> Any:
        """The place it is about."""


class Ref(Struct, frozen=True):
    """A finding by its rule and the position it is about."""

    rule: str
    pos: int


class SuggestedCorrection(Struct, frozen=True):
    """One correction of the recorder that would explain what was found; nothing is changed until somebody types it.

    `fixes` are the events to append, `lines` the same as they are typed. `at` is the position corrected (behind which
    something is put in), `ties` the positions where a correction of this kind does just as well, itself included.
    `kind`: an act put in that was not written, a card read as unseen, two neighbours swapped, a doubled line struck, a line
    given to another seat, a trick gathered by another side, the cards behind a trick moved round.
    `removes` are the findings that would be gone, `leaves` how many broken findings of this hand would stand all the
    same. `text` says it in a sentence. `after` are the lines of the corrections that come before this one, where it is
    about what these leave; empty for a correction that stands alone.
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


def resting_on(repair: SuggestedCorrection) -> str:
    """On what the findings rest that a correction would remove, in a few words."""
    at = repair.at
    words: dict[Kind, str] = {
        "insert": f"one line that may be missing after {at}",
        "blank": f"the card at {at}, which may be typed wrong",
        "swap": f"the order of {at} and {repair.fixes[-1].at}",
        "strike": f"the line at {at}, which may be typed twice",
        "seat": f"the seat at {at}, which may be typed wrong",
        "turn": f"the seats from {at} on, which may be typed one too early or too late",
        "side": f"the side that gathered the trick at {at}, which may be typed wrong",
    }
    return words[repair.kind]


def likewise(findings: Iterable[ListedFinding]) -> list[str]:
    """Findings that have one cause with one told before them, a line for each rule: its name, and where it was broken or is open."""
    places: dict[str, list[int]] = {}
    for f in findings:
        places.setdefault(f"{f.rule} {f.short}".strip(), []).append(f.at.pos)
    out = []
    for rule, at in places.items():
        listed = ", ".join(map(str, at[:MAX_PLACES_NAMED])) + (f" and {len(at) - MAX_PLACES_NAMED} more up to {at[-1]}" if len(at) > MAX_PLACES_NAMED else "")
        out.append(f"{rule} at {listed}")
    return out


Question = TypeVar("Question", bound=ListedFinding)


def asked_once(questions: Iterable[Question], reason: Callable[[Question], str]) -> list[list[Question]]:
    """Open questions, those of a hand together that ask the same: one rule, for one `reason`.

    Are these many in a hand, they have few causes: those about one rule, or for one reason, are together then. A question
    without a reason stands alone.
    """
    hands: dict[int, dict[tuple[str, str], list[Question]]] = {}
    for q in questions:
        why = reason(q)
        hands.setdefault(q.at.hand, {}).setdefault((q.rule, why) if why else ("", f"{q.rule} {q.at.pos}"), []).append(q)
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


__all__ = ["Kind", "Ref", "SuggestedCorrection", "ListedFinding", "asked_once", "likewise", "resting_on"]
