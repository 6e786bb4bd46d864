"""What a failing test was about, for whoever reads its output: the record as it stands in a file, and the line that was asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from given import Given

from events.model import Recorded
from events.writing import write_event

MOST_LINES = 150


def record_of(traceback: TracebackType | None) -> str:
    """The record that the innermost function with one at hand was about, as `.kib`; empty if there is none.

    A line is marked that the function names as `at` or `pos`, else the last one.
    """
    frames = []
    while traceback is not None:
        frames.append(traceback.tb_frame.f_locals)
        traceback = traceback.tb_next
    for names in reversed(frames):
        records = next((found for value in names.values() if (found := _records(value))), None)
        if records:
            return written(records, _place(names, records[-1].n))
    return ""


def written(records: Sequence[Recorded], at: int) -> str:
    """Each event as a line, numbered; `>` before the one at this position, and only what stands around it if there are many."""
    near = next((i for i, r in enumerate(records) if r.n == at), len(records) - 1)
    first = max(0, near - MOST_LINES // 2)
    shown = records[first : first + MOST_LINES]
    lines = [f"{'>' if r.n == at else ' '} {r.n}. {write_event(r.event)}" for r in shown]
    return "\n".join([*(["  ..."] if first else []), *lines, *(["  ..."] if first + len(shown) < len(records) else [])])


def _records(value: Any) -> Sequence[Recorded]:
    if isinstance(value, Given):
        return value.records
    is_record = isinstance(value, list | tuple) and bool(value) and all(isinstance(one, Recorded) for one in value)
    return value if is_record else ()


def _place(names: Mapping[str, Any], last: int) -> int:
    return next((names[name] for name in ("at", "pos") if type(names.get(name)) is int), last)
