"""Versions of the event types, and the steps that bring an old event up to date.

A type's version goes up when its shape changes. Stored events stay as they were written; they are lifted when read,
one step at a time, by pure functions on raw JSON objects. The version of a `fix` is the version of the event it
carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from events.errors import UnreadableError
from events.model import VERB_OF, VERBS, Event, Fix, Note, verb_of

VERSION: dict[str, int] = {**dict.fromkeys(VERBS, 1), "note": 2}
"""The current version of each event type, by verb. A note has version 2 if it has facts, else version 1."""
ADDED = frozenset({("note", 1)})
"""(verb, n): version n + 1 only added an optional field, so an event of version n needs no step."""

LIFTS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(verb, n) to the function that turns a raw object of version n into one of version n + 1."""


def record_version(event: Event) -> int:
    """The version with which an event is written today.

    >>> from events.model import Pass
    >>> record_version(Pass(by="N"))
    1
    """
    said = event.event if isinstance(event, Fix) and event.event is not None else event
    if isinstance(said, Note) and not said.facts:
        return 1
    return VERSION[verb_of(said)]


def versions_of(kinds: Iterable[type[Event]]) -> dict[type[Event], int]:
    """The version shared by all events of a type, by type. Fix and Note are left out, since their versions vary."""
    return {kind: VERSION[VERB_OF[kind]] for kind in kinds if kind in VERB_OF and kind is not Fix and kind is not Note}


def unchanged_version() -> int:
    """The version that needs no lift: 1 while no step exists, else the newest."""
    return max(VERSION.values()) if LIFTS else 1


def lift(raw: dict[str, Any], verb: str, v: int) -> dict[str, Any]:
    """Lift the raw object of an event from version `v` to the current one; `raw` itself is not changed.

    Raises UnreadableError if the verb is unknown, the version is not valid or newer than this program, or a step is
    missing.
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
