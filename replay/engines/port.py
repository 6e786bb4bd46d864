"""Engines that run a job over many items: the processes of this machine, or a Dask cluster. A job is cut into ranges
of items, and the answers come in the order of the items, for any engine and any number of workers.

If a worker is killed, its range is given to another. A range that kills several workers is split, and for a single
item that does so `lost` answers, so that it does not stop the others.

`work`, `context` and the answers must be picklable. `context` is what every item needs, such as a loader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")

RANGE = 50
"""Items per range: enough to make the transfer cheap, few enough to keep the progress bar moving."""
AHEAD = 4
"""Ranges waiting per worker, so that none is idle and no archive is held in memory."""


class Engine(Protocol):
    """Runs `work(item, context)` for every item. `lost(item, why)` answers for an item that kills its workers."""

    def run(
        self, work: Callable[[T, C], R], items: Iterable[T], context: C, lost: Callable[[T, str], R],
    ) -> Iterator[R]:
        """The answers, in the order of the items. An exception from `work` is raised here, in its place."""


def run_range(work: Callable[[T, C], R], some: Sequence[T], context: C) -> list[R]:
    """The work of a worker on a range."""
    return [work(item, context) for item in some]
