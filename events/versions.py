"""Versions of the event types, and the steps that bring an old one up to date.

A type's version goes up when its shape changes. What was stored stays as it was written; it is lifted while it is
read, one step at a time, by pure functions from one raw JSON object to the next. A `fix` carries another event within
and has no shape of its own that could change: its version is the version of the event it carries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.errors import UnreadableError
from events.model import VERBS, Event, Fix, verb_of

VERSION: dict[str, int] = dict.fromkeys(VERBS, 1)
"""The current version of each event type, by verb."""

LIFTS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(verb, n) -> the function that turns the raw object of version n into one of version n + 1."""


def version_of(event: Event) -> int:
    """The version an event is written with today.

    >>> from events.model import Pass
    >>> version_of(Pass(by="N"))
    1
    """
    if isinstance(event, Fix) and event.event is not None:
        return VERSION[verb_of(event.event)]
    return VERSION[verb_of(event)]


def newest() -> int:
    """The highest version of any type; a record with this version never needs lifting."""
    return max(VERSION.values())


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
        if function is None:
            raise UnreadableError(f"there is no step from version {step} of '{verb}' to version {step + 1}")
        raw = function(dict(raw))
    return raw
