"""The workers of a Dask cluster."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from events.errors import StoreError, UsageError, needs_extra
from replay.engines import port
from replay.engines.port import run_range

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")

PATIENCE = 10
"""Seconds to wait for a scheduler."""


class Dask:
    """The workers of a Dask cluster: of the scheduler at `address` (`host:port`) or, without one, `jobs` processes of
    this machine. The scheduler reassigns the work of a dead worker; after some tries it gives up, and the range is
    split."""

    def __init__(self, address: str = "", jobs: int = 1) -> None:
        if address:
            try:
                good = urlsplit(f"//{address}").port is not None
            except ValueError:
                good = False
            if not good:
                raise UsageError(f"{address[:80]!r} is no address of a scheduler", expected="dask://host:port")
        self.address, self.jobs = address, jobs

    def run(
        self, work: Callable[[T, C], R], items: Iterable[T], context: C, lost: Callable[[T, str], R],
    ) -> Iterator[R]:
        """See `Engine.run`. Raises StoreError if the scheduler cannot be reached, or is gone."""
        with needs_extra("a Dask cluster", "dask"):
            from distributed import Client
            from distributed.client import FutureCancelledError
            from distributed.scheduler import KilledWorker
        return self._on_cluster(Client, (KilledWorker,), (FutureCancelledError,), work, iter(items), context, lost)

    def _on_cluster(
        self, connect: Callable[..., Client], killed: tuple[type[Exception], ...], gone: tuple[type[Exception], ...],
        work: Callable[[T, C], R], items: Iterator[T], context: C, lost: Callable[[T, str], R],
    ) -> Iterator[R]:  # fmt: skip
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        there = {"address": f"tcp://{self.address}", "timeout": PATIENCE}
        here = {"n_workers": self.jobs, "threads_per_worker": 1, "dashboard_address": None}
        try:
            client = connect(**(there if self.address else here), set_as_default=False)
        except OSError as error:
            raise StoreError(
                "no scheduler answers there", where=self.address, todo="Look at its address, and whether it runs",
            ) from error

        def submitted(some: Sequence[T]) -> Any:
            # Never reuse an answer of an earlier run: the store may have changed.
            return client.submit(run_range, work, list(some), context, pure=False)

        def ranges() -> Iterator[list[R]]:
            workers = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
            waiting: deque[tuple[list[T], Any]] = deque()
            while True:
                while len(waiting) < port.AHEAD * workers and (some := list(islice(items, port.RANGE))):
                    waiting.append((some, submitted(some)))
                if not waiting:
                    return
                some, future = waiting.popleft()
                try:
                    yield future.result()
                except killed:
                    yield apart(some)

        def apart(some: Sequence[T]) -> list[R]:
            out: list[R] = []
            for item in some:
                try:
                    out += submitted([item]).result()
                except killed:
                    out.append(lost(item, "one worker after another ended while it worked on it"))
            return out

        try:
            for done in ranges():
                yield from done
        except gone as error:
            raise StoreError(
                "the scheduler is gone", where=self.address, todo="Nothing was changed; begin it again",
            ) from error
        finally:
            client.close()  # type: ignore[no-untyped-call]  # Dask says no types
