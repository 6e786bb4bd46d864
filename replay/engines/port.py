"""What runs a job over many items: the processes of this machine, or a Dask cluster. A job is cut into ranges of items, and its
answers come back in the order in which the items were given, whatever engine ran it, with however many workers.

A worker that is killed changes nothing: its range is given to another. A range that ends one worker after another is taken apart, and
an item that does so by itself is answered for by `lost`, so that it keeps nothing else back.

`work` and `context` are picklable, the answers too. `context` is what every item needs, such as a loader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")

RANGE = 50
"""So many items are handed to a worker at a time: enough to make the handing over cheap, few enough that the bar moves."""
AHEAD = 4
"""So many ranges wait for each worker, so that none is idle and no archive is held in memory."""


class Engine(Protocol):
    """Runs `work(item, context)` for every item. `lost(item, why)` answers for one that ends its workers."""

    def run(self, work: Callable[[T, C], R], items: Iterable[T], context: C, lost: Callable[[T, str], R]) -> Iterator[R]:
        """The answers, in the order of the items. What `work` raises is raised here, in its place."""


def run_range(work: Callable[[T, C], R], some: Sequence[T], context: C) -> list[R]:
    """What a worker does with a range."""
    return [work(item, context) for item in some]
