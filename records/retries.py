"""What a database rolled back because others wrote at the same moment is done once more."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import wraps
from time import sleep
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from records.errors import TryAgainError


class Commits(Protocol):
    """What commits by itself, or is told that it is part of a larger commit."""

    @property
    def alone(self) -> bool: ...


S = TypeVar("S", bound=Commits)
P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 10
"""So often something is tried. Each time somebody else got ahead, so that all of them do in the end."""


def pause(attempt: int) -> None:
    """Wait a little before the next attempt, the longer the more there were, and never in the same rhythm as the others."""
    sleep(random.random() * min(0.002 * 2**attempt, 0.2))


def retried(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """The method of a store, done again from its beginning as long as others get ahead, at most `ATTEMPTS` times; then
    TryAgainError. What is part of a larger commit is not tried again alone: the whole has to let go of what it holds."""

    @wraps(method)
    def run(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if not self.alone:
            return method(self, *args, **kwargs)
        for attempt in range(1, ATTEMPTS):
            try:
                return method(self, *args, **kwargs)
            except TryAgainError:
                pause(attempt)
        return method(self, *args, **kwargs)

    return run
