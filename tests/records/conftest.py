"""What the tests of the store share: a store on disk, a clock that ticks, and short ways to write events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from records import Store


class Clock:
    """A clock that goes on by a second each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 14, 20, 5, 11, 250_000, tzinfo=UTC)

    def __call__(self) -> datetime:
        moment = self.now
        self.now += timedelta(seconds=1)
        return moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kibitz.db"


@pytest.fixture
def store(path: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(path, clock=clock, timeout=0.2) as store:
        yield store


@pytest.fixture
def match(store: Store) -> str:
    """A match with nothing but its opening."""
    return store.create_match({"Seats": ["N", "E", "S", "W"]}, game="kaiser", match="kaiser-tuesday")
