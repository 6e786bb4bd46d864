"""Find the corrections that make one record agree with another: a file edited outside, a corrected row of a
spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.errors import UsageError
from events.model import Fix, Open, Plain, Recorded, Ruling
from events.unread_lines import Unread
from events.writing import write_event
from replay.comparing.kept_verdict import keeps_verdict
from replay.fold import corrected
from replay.log import NumberedEvent

BEGUN = ("Match", "Rules", "Plugin")
"""Tags set when a match begins: its id, the version of its rules, and the distribution they came with. Later edits
change none."""


class Correction(Struct, frozen=True):
    """One line to write: the event `at` to correct, its old and new forms ("" for none), and the line itself.

    A line that is appended to the record corrects nothing: its `at` is 0.
    """

    at: int
    was: str
    now: str
    line: Recorded


def corrections(stood: Sequence[Recorded], wanted: Iterable[Recorded]) -> tuple[Correction, ...]:
    """Return the lines to append to `stood` so that its corrected view becomes that of `wanted`; empty if they agree.

    Remarks, times, recorders and a stored verdict are not compared. Raises UnreadableError for a record without its
    opening, UsageError for records of two games, and for the correction of a ruling (which needs a later ruling).
    """
    old, new = corrected(stood), corrected(wanted)
    for tag in ("Game", "Seats"):
        if old.opening.facts.get(tag) != new.opening.facts.get(tag):
            raise UsageError(
                f"{tag} is {old.opening.facts.get(tag)} in one record and {new.opening.facts.get(tag)} in the other",
                expected="two forms of one record",
            )
    a = [p for p in old.events if not keeps_verdict(p.event)]
    # If the numbers of a file have gaps, lines were removed from it.
    b = [p for p in new.events if not keeps_verdict(p.event) and type(p.recorded) is not Unread]
    made = [*_of_the_opening(old.opening, new.opening), *_of_the_lines(a, b)]
    last = stood[-1].n
    return tuple(replace(one, line=replace(one.line, n=last + i)) for i, one in enumerate(made, 1))


def _of_the_opening(old: Open, new: Open) -> Iterator[Correction]:
    facts = {
        tag: value for tag, value in new.facts.items() if tag not in BEGUN
    } | {tag: value for tag, value in old.facts.items() if tag in BEGUN}
    if facts != old.facts:
        yield _correction(0, old, replace(old, facts=facts))


def _of_the_lines(a: Sequence[NumberedEvent], b: Sequence[NumberedEvent]) -> Iterator[Correction]:
    matcher = SequenceMatcher(
        None, [write_event(p.event) for p in a], [write_event(p.event) for p in b], autojunk=False,
    )
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            continue
        old, new = a[i1:i2], b[j1:j2]
        for mine, theirs in zip(old, new, strict=False):
            yield _correction(mine.n, mine.event, theirs.event)
        for mine in old[len(new) :]:
            yield _correction(mine.n, mine.event, None)
        after = a[i2 - 1].n if i2 else 0
        for theirs in new[len(old) :]:
            yield _correction(after, None, theirs.event, at_the_end=i2 == len(a))


def _correction(at: int, was: Plain | None, now: Plain | None, *, at_the_end: bool = False) -> Correction:
    if isinstance(was, Ruling):
        raise UsageError("a ruling is not corrected", where=f"event {at}", expected="a later ruling that names it")
    how: Literal["insert", "strike", "replace"] = "insert" if was is None else "strike" if now is None else "replace"
    event = now if at_the_end and now is not None else Fix(by="@", at=at, how=how, event=now)
    said = "" if was is None else write_event(was), "" if now is None else write_event(now)
    return Correction(0 if at_the_end else at, *said, Recorded(n=0, event=event))
