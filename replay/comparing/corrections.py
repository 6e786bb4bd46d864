"""The corrections by which one record comes to say what another says: a file that was edited outside, a row of a spreadsheet put right."""

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

BEGUN = ("Match", "Rules")
"""Tags that say how a match was begun: its id, and the version of its rules. What is told of it later changes neither."""


class Correction(Struct, frozen=True):
    """One line to write: a correction of event `at`, what stood there and what stands there then (empty if nothing does), and the line.

    A line that goes on where the record ended corrects nothing: its `at` is 0.
    """

    at: int
    was: str
    now: str
    line: Recorded


def corrections(stood: Sequence[Recorded], wanted: Iterable[Recorded]) -> tuple[Correction, ...]:
    """What has to be written behind `stood` for its corrected view to be that of `wanted`; empty if they say the same.

    Remarks, times and recorders are not compared, nor is the verdict that a command keeps. Raises UnreadableError for a record without its
    opening, UsageError for records of two games and for a ruling that would be corrected (a later ruling takes its place).
    """
    old, new = corrected(stood), corrected(wanted)
    for tag in ("Game", "Seats"):
        if old.opening.facts.get(tag) != new.opening.facts.get(tag):
            raise UsageError(f"{tag} is {old.opening.facts.get(tag)} in one record and {new.opening.facts.get(tag)} in the other", expected="two forms of one record")
    a = [p for p in old.events if not keeps_verdict(p.event)]
    # Where the numbers of a file leave lines out, somebody took these out of it.
    b = [p for p in new.events if not keeps_verdict(p.event) and type(p.recorded) is not Unread]
    made = [*_of_the_opening(old.opening, new.opening), *_of_the_lines(a, b)]
    last = stood[-1].n
    return tuple(replace(one, line=replace(one.line, n=last + i)) for i, one in enumerate(made, 1))


def _of_the_opening(old: Open, new: Open) -> Iterator[Correction]:
    facts = {tag: value for tag, value in new.facts.items() if tag not in BEGUN} | {tag: value for tag, value in old.facts.items() if tag in BEGUN}
    if facts != old.facts:
        yield _correction(0, old, replace(old, facts=facts))


def _of_the_lines(a: Sequence[NumberedEvent], b: Sequence[NumberedEvent]) -> Iterator[Correction]:
    matcher = SequenceMatcher(None, [write_event(p.event) for p in a], [write_event(p.event) for p in b], autojunk=False)
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


__all__ = ["Correction", "corrections"]
