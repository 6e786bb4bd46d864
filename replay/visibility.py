"""What an audience sees of a match: one function stands between the store and every way out.

Everything that is sent (frames, findings, scores, sheets, reports, files) is worked out from the log that `Audience.seen` gives,
never from the log itself. So what somebody may not see cannot be told by a count, a length or an order either.

An event is seen with the fields that `FIELDS` lists for its type, and with no others: a field that is added to an event is
invisible until somebody lists it here. Cards are hidden by `replay.redact`. What the recorder's remarks say is for those who
record; what others see of a hand becomes more as soon as the director opens it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.errors import UsageError
from events.model import (
    Arrange,
    Back,
    Bet,
    Bid,
    Call,
    Capture,
    Claim,
    Confirm,
    Deal,
    Discard,
    Dispute,
    Draw,
    End,
    Event,
    Fault,
    Fix,
    Gap,
    Hand,
    Meld,
    Move,
    Name,
    Note,
    Open,
    Pass,
    Pay,
    Plain,
    Play,
    Recorded,
    Ruling,
    Show,
    Shuffle,
    Tally,
)  # fmt: skip
from events.versions import record_version
from reducers.registry import find_game
from replay import redact
from replay.fold import terms_throughout

S = TypeVar("S", bound=Struct)

FIELDS: Mapping[type[Any], frozenset[str]] = {
    Open: frozenset({"by", "facts"}),
    Hand: frozenset({"by", "number", "facts"}),
    Deal: frozenset({"by", "face", "piles", "src"}),
    Shuffle: frozenset({"by", "cards", "src", "to", "piles"}),
    # The verdict that is kept at the end was found with all cards on the table.
    End: frozenset({"by", "what", "why"}),
    Tally: frozenset({"by", "facts"}),
    Play: frozenset({"by", "cards", "face", "src"}),
    Draw: frozenset({"by", "cards", "face", "src"}),
    Discard: frozenset({"by", "cards", "face", "src"}),
    Move: frozenset({"by", "cards", "to", "face", "src"}),
    Meld: frozenset({"by", "groups", "src", "to"}),
    Capture: frozenset({"by", "cards", "takes", "src"}),
    Arrange: frozenset({"by", "groups", "to", "piles"}),
    Show: frozenset({"by", "groups", "src"}),
    Bid: frozenset({"by", "level", "strain"}),
    Pass: frozenset({"by"}),
    Call: frozenset({"by", "word", "what", "amount", "who", "cards", "refs"}),
    Name: frozenset({"by", "what"}),
    Bet: frozenset({"by", "amount", "on"}),
    Pay: frozenset({"by", "amount", "src", "to"}),
    Back: frozenset({"by", "cards", "refs"}),
    Fault: frozenset({"by", "word", "who", "cards", "refs"}),
    Claim: frozenset({"by", "amount", "facts"}),
    Confirm: frozenset({"by", "refs"}),
    Note: frozenset({"by", "refs"}),
    Dispute: frozenset({"by", "refs", "word"}),
    Ruling: frozenset({"by", "refs", "word", "facts"}),
    Gap: frozenset({"by", "number"}),
    Fix: frozenset({"by", "at", "how", "event"}),
}
"""The fields of each event that the whole table may see, as far as their cards are not hidden."""
ENVELOPE = frozenset({"n", "event", "v", "same", "t", "time"})
"""What of the envelope everybody sees."""
REMARKS = frozenset({"text", "glyphs", "recorder", "key"})
"""What of the envelope those see who record."""
REMARKED: Mapping[type[Any], frozenset[str]] = {
    # What is attached to a match is named by the facts of a note.
    Note: FIELDS[Note] | {"facts"},
}
"""The fields of an event that those see who record, where they are more."""
ALL_HANDS = 0
"""Stands for the whole match among the hands that were opened."""
SEALED = "sealed"
"""The fact of a note that only a director reads."""


class Audience(Struct, frozen=True):
    """Somebody who looks at a match.

    `viewer` sees their own cards and what the table sees ("all" sees everything). With `after` they see a whole hand once it is
    over, with `remarks` what the recorders noted. `opened` are the hands that the director opened. They see the match as it was
    `late` tricks or turns ago, or `minutes` ago.
    """

    viewer: str = redact.PUBLIC
    after: bool = False
    remarks: bool = False
    opened: frozenset[int] = frozenset()
    late: int = 0
    minutes: float = 0.0

    @property
    def everything(self) -> bool:
        """Whether nothing at all is hidden."""
        return self.viewer == "all"

    @property
    def delayed(self) -> bool:
        """Whether the end of the log comes later."""
        return bool(self.late or self.minutes)


class Hands(Struct):
    """Which hand each event of a log belongs to, by its position, and which hands are over."""

    of: dict[int, int]
    over: set[int]

    def of_event(self, r: Recorded) -> int:
        """The hand of an event; a correction belongs to that of what it corrects."""
        if isinstance(r.event, Fix) and r.event.how != "insert":
            return self.of.get(r.event.at, self.of.get(r.n, 0))
        return self.of.get(r.n, 0)


def seen(log: Sequence[Recorded], hands: Hands, audience: Audience, upto: int | None = None) -> list[Recorded]:
    """The log as an audience sees it, up to and with position `upto`.

    Raises UsageError for a seat that the table has not, UnreadableError for a log that does not begin with its opening.
    """
    if audience.everything:
        return list(log)
    shown = Shown(log, audience)
    return [shown.recorded(r, shown.whole(hands.of_event(r), hands)) for r in log if upto is None or r.n <= upto]


def published(log: Sequence[Recorded]) -> list[Recorded]:
    """The log as anybody may have it: what the whole table saw, without remarks, and without who wrote it down.

    Raises UnreadableError for a log that does not begin with its opening.
    """
    return seen(log, Hands({}, set()), Audience())


class Shown:
    """How the events of one match look to one audience."""

    def __init__(self, log: Sequence[Recorded], audience: Audience) -> None:
        assert isinstance(log[0].event, Open)
        game = find_game(str(log[0].event.facts.get("Game", "")))
        terms = terms_throughout(r.event for r in log)
        if audience.viewer not in (redact.PUBLIC, *terms.seats):
            raise UsageError(f"'{audience.viewer}' does not sit at this table", expected=f"one of {', '.join(terms.seats)}")
        self.audience = audience
        self.eyes = redact.Onlooker(game, terms, audience.viewer)
        self.fields = ENVELOPE | REMARKS if audience.remarks else ENVELOPE

    def whole(self, hand: int, hands: Hands) -> bool:
        """Whether all cards of a hand are seen."""
        opened = self.audience.opened
        return ALL_HANDS in opened or (hand in opened and hand != ALL_HANDS) or (self.audience.after and hand in hands.over)

    def recorded(self, r: Recorded, whole: bool) -> Recorded:
        """A line of the log as it is seen."""
        inner = r.event.event if isinstance(r.event, Fix) else r.event
        if isinstance(inner, Note) and inner.facts.get(SEALED):
            bare = Note(by="@")
            return Recorded(n=r.n, time=r.time, event=replace(r.event, event=bare) if isinstance(r.event, Fix) else bare)
        told = self.event(r.event, whole)
        # The version an event is written in turns on its fields: it would tell that something is hidden.
        return _only(replace(r, event=told, v=r.v if told is r.event else record_version(told)), self.fields)

    def event(self, event: Event, whole: bool) -> Event:
        """An event as it is seen: only with fields that are listed, and its hidden cards as `??`."""
        if isinstance(event, Fix):
            inner = None if event.event is None else self._plain(event.event, whole)
            return _only(replace(event, event=inner), FIELDS.get(Fix, frozenset()))
        return self._plain(event, whole)

    def _plain(self, event: Plain, whole: bool) -> Plain:
        if whole and self.audience.after:
            return event
        listed = FIELDS.get(type(event))
        if self.audience.remarks:
            listed = REMARKED.get(type(event), listed)
        if listed is None:
            # A verb that nobody has listed: that something was recorded is all that is told.
            return Note(by="@")
        return _only(event if whole else self.eyes.plain(event), listed)


def _only(value: S, fields: frozenset[str]) -> S:
    """A struct with these fields; the others are as if they had never been said."""
    hidden = {f.name: _nothing(f) for f in msgspec.structs.fields(value) if f.name not in fields}
    return replace(value, **hidden) if hidden else value


def _nothing(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    raise TypeError(f"the field {field.name} has no default, so it cannot be hidden; list it in replay.visibility.FIELDS, or give it one")
