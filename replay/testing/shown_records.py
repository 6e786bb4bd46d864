"""The record that a failing test was about, as it stands in a file, with the line that was checked marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.model import Recorded
from events.writing import write_event
from replay.testing.given import Given

MOST_LINES = 150


def record_of(error: BaseException) -> str:
    """The record in the innermost function that has one, as `.kib`; empty if there is none. If there are several
    errors, the first that has a record counts.

    The line that the function names as `at` or `pos` is marked, else the last one.
    """
    frames, traceback = [], error.__traceback__
    while traceback is not None:
        frames.append(traceback.tb_frame.f_locals)
        traceback = traceback.tb_next
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next(filter(None, (*map(record_of, inner), *map(_shown, reversed(frames)))), "")


def _shown(names: Mapping[str, Any]) -> str:
    """The first record among the variables of a function, as it is written."""
    records = next((found for value in names.values() if (found := _records(value))), ())
    return written(records, _place(names, records[-1].n)) if records else ""


def written(records: Sequence[Recorded], at: int) -> str:
    """Each event as a line, numbered; `>` before the one at this position, and only what stands around it if there
    are many."""
    near = next((i for i, r in enumerate(records) if r.n == at), len(records) - 1)
    first = max(0, near - MOST_LINES // 2)
    shown = records[first : first + MOST_LINES]
    lines = [f"{'>' if r.n == at else ' '} {r.n}. {write_event(r.event)}" for r in shown]
    return "\n".join([*(["  ..."] if first else []), *lines, *(["  ..."] if first + len(shown) < len(records) else [])])


def _records(value: Any) -> Sequence[Recorded]:
    """The events of a record, a test case, a degraded log, or the first of some failures."""
    if isinstance(value, Given):
        return value.records
    if isinstance(value, list | tuple) and value:
        return value if all(
            isinstance(one, Recorded) for one in value
        ) else _records(value[0]) if hasattr(value[0], "degraded") else ()
    if isinstance(value, Struct):
        return _records(getattr(value, "degraded", None) or getattr(value, "log", None))
    return ()


def _place(names: Mapping[str, Any], last: int) -> int:
    return next((names[name] for name in ("at", "pos") if type(names.get(name)) is int), last)
