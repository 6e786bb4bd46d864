"""A log that was read: its records, its corrected view, and what several parts want to know of it, each worked out once.

Judging, scoring and the pages on top of them look at one log from many sides. They hand this value down instead of its
records, so that the corrections are folded in once and nobody reads again what another part has read already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from events.model import Recorded
from replay.fold import Corrected, corrected

T = TypeVar("T")


class ReadLog:
    """A log and what is known of it. Neither the records nor what is kept of them is changed by anybody."""

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
        """What `work` makes of this log. It is asked the first time only.

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
        """Somebody has worked out on the way what `work` would make of this log."""
        self._known[work] = found


def read_log(records: Iterable[Recorded]) -> ReadLog:
    """The log of these records; one that was read already is the same."""
    return records if isinstance(records, ReadLog) else ReadLog(records)
