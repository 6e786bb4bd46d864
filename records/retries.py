"""Retries transactions that the database rolled back because of concurrent writers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import sleep
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from records.errors import TryAgainError


class Commits(Protocol):
    """An object that commits by itself, or takes part in a larger commit."""

    @property
    def alone(self) -> bool: ...


S = TypeVar("S", bound=Commits)
P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 10
"""Most attempts. Each failure means that another writer succeeded, so all succeed in the end."""


def pause(attempt: int) -> None:
    """Sleep a random time before the next attempt, longer after more attempts."""
    import random

    sleep(random.random() * min(0.002 * 2**attempt, 0.2))


def retried(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Decorate a store's method: retry it on TryAgainError, at most `ATTEMPTS` times in all.

    Within a larger commit it is not retried by itself: the whole transaction must be rolled back."""

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
