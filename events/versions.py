"""Versions of the event types, and the steps that bring an old one up to date.

A type's version goes up when its shape changes. What was stored stays as it was written; it is lifted while it is
read, one step at a time, by pure functions from one raw JSON object to the next. A `fix` carries another event within
and has no shape of its own that could change: its version is the version of the event it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from events.errors import UnreadableError
from events.model import VERB_OF, VERBS, Event, Fix, Note, verb_of

VERSION: dict[str, int] = {**dict.fromkeys(VERBS, 1), "note": 2}
"""The current version of each event type, by verb. A note of version 2 may have facts; without them it is one of version 1,
byte for byte."""
ADDED = frozenset({("note", 1)})
"""(verb, n): after version n a field came that may be left out, so that what version n wrote needs no step."""

LIFTS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(verb, n) -> the function that turns the raw object of version n into one of version n + 1."""


def record_version(event: Event) -> int:
    """The version an event is written with today.

    >>> from events.model import Pass
    >>> record_version(Pass(by="N"))
    1
    """
    said = event.event if isinstance(event, Fix) and event.event is not None else event
    if isinstance(said, Note) and not said.facts:
        return 1
    return VERSION[verb_of(said)]


def versions_of(kinds: Iterable[type[Event]]) -> dict[type[Event], int]:
    """The version that all events of a type have, without those types whose events differ in it."""
    return {kind: VERSION[VERB_OF[kind]] for kind in kinds if kind in VERB_OF and kind is not Fix and kind is not Note}


def unchanged_version() -> int:
    """The version that is read without a look at its steps: the first while no step changes a shape, else the newest."""
    return max(VERSION.values()) if LIFTS else 1


def lift(raw: dict[str, Any], verb: str, v: int) -> dict[str, Any]:
    """Bring the raw object of an event from version `v` to the current one; `raw` itself is not changed.

    Raises UnreadableError if the version is newer than this program, or if a step is missing.
    """
    now = VERSION.get(verb)
    if now is None:
        raise UnreadableError(
            f"'{verb}' is not an event that this version knows",
            expected="one of " + ", ".join(VERSION),
            todo="If the file was written by a newer Kibitz, update this one.",
        )
    if v > now:
        raise UnreadableError(
            f"this is '{verb}' in version {v}, written by a newer Kibitz",
            expected=f"version {now} or older",
            todo="Update Kibitz to read it; nothing was changed.",
        )
    if v < 1:
        raise UnreadableError(f"{v} is not a version of '{verb}'", expected=f"a version from 1 to {now}")
    for step in range(v, now):
        function = LIFTS.get((verb, step))
        if function is None and (verb, step) in ADDED:
            continue
        if function is None:
            raise UnreadableError(f"there is no step from version {step} of '{verb}' to version {step + 1}")
        raw = function(dict(raw))
    return raw
