"""What an audience sees of a match: one function between the store and every output.

Everything sent out (frames, findings, scores, sheets, reports, files) is derived from the log that `Audience.seen`
returns, never from the log itself. So hidden information cannot leak through a count, a length or an order.

An event is shown with the fields that `FIELDS` lists for its type, and no others: a new field is invisible until it
is listed here. Cards are hidden by `replay.redact`. Remarks are for recorders; the director can open hands to other
viewers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.errors import UsageError
from events.model import Event, Recorded
from events.versions import record_version
from reducers.registry import page_for
from replay import redact
from replay.fold import terms_throughout
from replay.languages.catalogue import ENGLISH

S = TypeVar("S", bound=Struct)

FIELDS: Mapping[type[Any], frozenset[str]] = {
    ev.Open: frozenset({"by", "facts"}),
    ev.Hand: frozenset({"by", "number", "facts"}),
    ev.Deal: frozenset({"by", "face", "piles", "src"}),
    ev.Shuffle: frozenset({"by", "cards", "src", "to", "piles"}),
    # The verdict stored at the end was found with all cards known.
    ev.End: frozenset({"by", "what", "why"}),
    ev.Tally: frozenset({"by", "facts"}),
    ev.Play: frozenset({"by", "cards", "face", "src"}),
    ev.Draw: frozenset({"by", "cards", "face", "src"}),
    ev.Discard: frozenset({"by", "cards", "face", "src"}),
    ev.Move: frozenset({"by", "cards", "to", "face", "src"}),
    ev.Meld: frozenset({"by", "groups", "src", "to"}),
    ev.Capture: frozenset({"by", "cards", "takes", "src"}),
    ev.Arrange: frozenset({"by", "groups", "to", "piles"}),
    ev.Show: frozenset({"by", "groups", "src"}),
    ev.Bid: frozenset({"by", "level", "strain"}),
    ev.Pass: frozenset({"by"}),
    ev.Call: frozenset({"by", "word", "what", "amount", "who", "cards", "refs"}),
    ev.Name: frozenset({"by", "what"}),
    ev.Bet: frozenset({"by", "amount", "on"}),
    ev.Pay: frozenset({"by", "amount", "src", "to"}),
    ev.Back: frozenset({"by", "cards", "refs"}),
    ev.Fault: frozenset({"by", "word", "who", "cards", "refs"}),
    ev.Claim: frozenset({"by", "amount", "facts"}),
    ev.Confirm: frozenset({"by", "refs"}),
    ev.Note: frozenset({"by", "refs"}),
    ev.Dispute: frozenset({"by", "refs", "word"}),
    ev.Ruling: frozenset({"by", "refs", "word", "facts"}),
    ev.Gap: frozenset({"by", "number"}),
    ev.Fix: frozenset({"by", "at", "how", "event"}),
}
"""The fields of each event that the whole table may see, with hidden cards masked."""
ENVELOPE = frozenset({"n", "event", "v", "same", "t", "time"})
"""The fields of the envelope that everybody sees."""
REMARKS = frozenset({"text", "glyphs", "recorder", "key"})
"""The fields of the envelope that recorders see."""
REMARKED: Mapping[type[Any], frozenset[str]] = {
    # The facts of a note name the attachments of a match.
    ev.Note: FIELDS[ev.Note] | {"facts"},
}
"""The fields of an event that recorders see, if they are more."""
ALL_HANDS = 0
"""Stands for the whole match among the opened hands."""
SEALED = "sealed"
"""The fact of a note that only a director reads."""


class Audience(Struct, frozen=True):
    """A viewer of a match.

    `viewer` sees their own cards and the public ones ("all" sees everything). With `after` they see a whole hand once
    it is over, with `remarks` the recorders' remarks. `opened` are the hands that the director opened. They see the
    match as it was `late` tricks or turns ago, or `minutes` ago. What they read is in their `language`.
    """

    viewer: str = redact.PUBLIC
    after: bool = False
    remarks: bool = False
    opened: frozenset[int] = frozenset()
    late: int = 0
    minutes: float = 0.0
    language: str = ENGLISH

    @property
    def everything(self) -> bool:
        """True if nothing is hidden."""
        return self.viewer == "all"

class Hands(Struct):
    """The hand of each event of a log, by position, and the finished hands."""

    of: dict[int, int]
    over: set[int]

    def of_event(self, r: Recorded) -> int:
        """The hand of an event; a correction belongs to that of its target."""
        if isinstance(r.event, ev.Fix) and r.event.how != "insert":
            return self.of.get(r.event.at, self.of.get(r.n, 0))
        return self.of.get(r.n, 0)


def seen(log: Sequence[Recorded], hands: Hands, audience: Audience, upto: int | None = None) -> list[Recorded]:
    """Return the log as an audience sees it, up to and including position `upto`.

    Raises UsageError for a seat that the table does not have, UnreadableError for a log that does not begin with its
    opening.
    """
    if audience.everything:
        return list(log)
    shown = Shown(log, audience)
    return [shown.recorded(r, shown.whole(hands.of_event(r), hands)) for r in log if upto is None or r.n <= upto]


def published(log: Sequence[Recorded]) -> list[Recorded]:
    """Return the log for the public: what the whole table saw, without remarks and recorders.

    Raises UnreadableError for a log that does not begin with its opening.
    """
    return seen(log, Hands({}, set()), Audience())


def nameless(log: Sequence[Recorded]) -> list[Recorded]:
    """Return the log without the names of the players: those of the seats in its openings."""
    return [replace(r, event=_nameless(r.event)) for r in log]


def _nameless(event: Event) -> Any:
    if isinstance(event, ev.Fix):
        return event if event.event is None else replace(event, event=_nameless(event.event))
    if not isinstance(event, ev.Open):
        return event
    return replace(
        event, facts={key: one for key, one in event.facts.items() if not (key.isupper() and isinstance(one, str))},
    )


class Shown:
    """The events of one match as one audience sees them."""

    def __init__(self, log: Sequence[Recorded], audience: Audience) -> None:
        assert isinstance(log[0].event, ev.Open)
        game = page_for(log[0].event.facts)
        terms = terms_throughout(r.event for r in log)
        if audience.viewer not in (redact.PUBLIC, *terms.seats):
            raise UsageError(
                f"'{audience.viewer}' does not sit at this table", expected=f"one of {', '.join(terms.seats)}",
            )
        self.audience = audience
        self.eyes = redact.Onlooker(game, terms, audience.viewer)
        self.fields = ENVELOPE | REMARKS if audience.remarks else ENVELOPE

    def whole(self, hand: int, hands: Hands) -> bool:
        """True if all cards of a hand are seen."""
        opened = self.audience.opened
        return ALL_HANDS in opened or (hand in opened and hand != ALL_HANDS) or (
            self.audience.after and hand in hands.over
        )

    def recorded(self, r: Recorded, whole: bool) -> Recorded:
        """A line of the log as it is seen."""
        inner = r.event.event if isinstance(r.event, ev.Fix) else r.event
        if isinstance(inner, ev.Note) and inner.facts.get(SEALED):
            bare = ev.Note(by="@")
            return Recorded(
                n=r.n, time=r.time, event=replace(r.event, event=bare) if isinstance(r.event, ev.Fix) else bare,
            )
        told = self.event(r.event, whole)
        # The version of an event depends on its fields, so it would reveal that something is hidden.
        return _only(replace(r, event=told, v=r.v if told is r.event else record_version(told)), self.fields)

    def event(self, event: Event, whole: bool) -> Event:
        """An event as it is seen: only listed fields, with hidden cards as `??`."""
        if isinstance(event, ev.Fix):
            inner = None if event.event is None else self._plain(event.event, whole)
            return _only(replace(event, event=inner), FIELDS.get(ev.Fix, frozenset()))
        return self._plain(event, whole)

    def _plain(self, event: ev.Plain, whole: bool) -> ev.Plain:
        if whole and self.audience.after:
            return event
        listed = FIELDS.get(type(event))
        if self.audience.remarks:
            listed = REMARKED.get(type(event), listed)
        if listed is None:
            # For an unlisted verb, only the fact that something was recorded is shown.
            return ev.Note(by="@")
        return _only(event if whole else self.eyes.plain(event), listed)


fields_of = cache(msgspec.structs.fields)
"""The fields of a struct type. To look them up evaluates its annotations."""


def _only(value: S, fields: frozenset[str]) -> S:
    """A struct with these fields; the others have their defaults."""
    hidden = {f.name: _nothing(f) for f in fields_of(type(value)) if f.name not in fields}
    return replace(value, **hidden) if hidden else value


def _nothing(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    raise TypeError(
        f"the field {field.name} has no default, so it cannot be hidden; list it in "
        "replay.visibility.FIELDS, or give it one"
    )
