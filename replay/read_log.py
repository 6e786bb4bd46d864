"""A log that was read: its records, its corrected view, and derived values, each computed once.

Judging, scoring and their pages share this value rather than the records, so that corrections are folded once and
nothing is read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from events.model import Recorded
from replay.fold import Corrected, corrected

T = TypeVar("T")


class ReadLog:
    """A log and cached values derived from it. Neither records nor values may be changed."""

    __slots__ = ("_known", "_view", "records")

    def __init__(self, records: Iterable[Recorded]) -> None:
        self.records = tuple(records)
        self._view: Corrected | None = None
        self._known: dict[Callable[[ReadLog], Any], Any] = {}

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def last(self) -> int:
        """The position of the last line; 0 if there is none."""
        return self.records[-1].n if self.records else 0

    @property
    def view(self) -> Corrected:
        """The corrected view. Raises UnreadableError for a log without its opening."""
        if self._view is None:
            self._view = corrected(self.records)
        return self._view

    def once(self, work: Callable[[ReadLog], T]) -> T:
        """Return `work(self)`, computed on the first call only.

        >>> asked = []
        >>> log = ReadLog(())
        >>> log.once(asked.append), log.once(asked.append), len(asked)
        (None, None, 1)
        """
        if work not in self._known:
            self._known[work] = work(self)
        found: T = self._known[work]
        return found

    def keep(self, work: Callable[[ReadLog], object], found: object) -> None:
        """Store the result of `work` for this log, if it was computed elsewhere."""
        self._known[work] = found


def read_log(records: Iterable[Recorded]) -> ReadLog:
    """The log of these records, or the log itself if it was read already."""
    return records if isinstance(records, ReadLog) else ReadLog(records)
