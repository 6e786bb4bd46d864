"""The processes of this machine."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from replay.engines import port
from replay.engines.port import run_range

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")

TRIES = 2
"""Killed workers after which a range is split, or an item is given up."""


class Processes:
    """Processes of this machine, one for each job; with one job only this process is used."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def run(
        self, work: Callable[[T, C], R], items: Iterable[T], context: C, lost: Callable[[T, str], R],
    ) -> Iterator[R]:
        """See `Engine.run`."""
        if self.jobs <= 1:
            return (work(item, context) for item in items)
        return self._in_workers(work, iter(items), context, lost)

    def _in_workers(
        self, work: Callable[[T, C], R], items: Iterator[T], context: C, lost: Callable[[T, str], R],
    ) -> Iterator[R]:
        """The ranges in progress, oldest first; those of a broken pool are given to a new one."""
        pool = _pool(self.jobs)
        waiting: deque[tuple[list[T], Future[list[R]]]] = deque()
        try:
            while True:
                while len(waiting) < port.AHEAD * self.jobs and (some := list(islice(items, port.RANGE))):
                    waiting.append((some, _hand_out(pool, work, some, context)))
                if not waiting:
                    # All workers are idle. Python 3.11 may fail if the program ends while a pool is still closing.
                    pool.shutdown(wait=True)
                    return
                some, future = waiting[0]
                try:
                    done = future.result()
                except BrokenProcessPool:
                    pool.shutdown(wait=False, cancel_futures=True)
                    done = _again(work, some, context, lost)
                    pool = _pool(self.jobs)
                    rest = [one for one, _ in islice(waiting, 1, None)]
                    waiting = deque([(some, future), *((one, _hand_out(pool, work, one, context)) for one in rest)])
                waiting.popleft()
                yield from done
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _again(work: Callable[[T, C], R], some: Sequence[T], context: C, lost: Callable[[T, str], R]) -> list[R]:
    """Retry a range in which a worker died: as a whole, then item by item, each in a worker of its own."""
    for part in ([some], [[item] for item in some]):
        out: list[R] = []
        for few in part:
            done = None
            for _ in range(TRIES):
                with _pool(1) as pool:
                    try:
                        done = _hand_out(pool, work, few, context).result()
                        break
                    except BrokenProcessPool:
                        continue
            if done is None and len(few) > 1:
                break
            out += done if done is not None else [lost(few[0], _ended(TRIES))]
        else:
            return out
    raise AssertionError("a single item is always answered for")


def _ended(many: int) -> str:
    return f"{many} workers ended while they worked on it"


def _hand_out(pool: ProcessPoolExecutor, work: Callable[[T, C], R], some: Sequence[T], context: C) -> Future[list[R]]:
    try:
        return pool.submit(run_range, work, list(some), context)
    except BrokenProcessPool as error:
        # The pool broke since the last answer; the range is retried when its turn comes.
        failed: Future[list[R]] = Future()
        failed.set_exception(error)
        return failed


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: an open store must not be shared with another process.
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_signals_to_the_parent)


def _leave_signals_to_the_parent() -> None:
    """Ctrl-C goes to the whole process group; only the parent handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
