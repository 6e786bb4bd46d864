"""Loaders for the archive jobs: module-level, so that another process can find them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from events.errors import NotFoundError
from events.model import Recorded
from replay.simulate import simulate, simulate_breaches

T = TypeVar("T")
R = TypeVar("R")


def made(match: str) -> list[Recorded]:
    """`kaiser-12`: a match by chance; every third one has rules broken in it. `gone` is not there."""
    game, _, seed = match.rpartition("-")
    if not game:
        raise NotFoundError(f"there is no match '{match}'")
    n = int(seed)
    return simulate_breaches(game, seed=n, p=0.1, hands=2)[0] if n % 3 == 0 else simulate(game, seed=n, hands=2)


class Deadly:
    """Like `made`, but the process that loads `match` is killed so many times."""

    def __init__(self, folder: Path, match: str, times: int) -> None:
        self.folder, self.match, self.times = folder, match, times

    def __call__(self, match: str) -> list[Recorded]:
        """The events, or the end."""
        if match == self.match:
            deaths = len(list(self.folder.iterdir()))
            if deaths < self.times:
                (self.folder / str(deaths)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return made(match)


def killed_at(work: Callable[[str, T], R], once: Path, at: str, match: str, context: T) -> R:
    """Does `work`; the process that comes to the match `at` is killed, if none was before: the file `once` says so."""
    if match == at and not once.exists():
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return work(match, context)
