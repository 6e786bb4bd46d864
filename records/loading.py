"""Loads the matches of a store in jobs with several processes."""

from __future__ import annotations

from pathlib import Path
from threading import local

from events.model import Recorded
from records.store import Store


class StoreLoader:
    """A picklable loader from match id to events; `place` is a file or address. Opens the store once in each thread."""

    def __init__(self, place: str | Path) -> None:
        self.place = str(place)

    def __call__(self, match: str) -> list[Recorded]:
        """The events of a match. NotFoundError if there is no such match; StoreError if it cannot be read."""
        return open_store(self.place).told(match)


_open = local()
"""Each thread's stores by place, since a store belongs to the thread that opened it. They end with the thread."""


def open_store(place: str) -> Store:
    """The store at a place, open for reading in this thread. StoreError if it cannot be opened."""
    stores: dict[str, Store] = _open.__dict__.setdefault("stores", {})
    if place not in stores:
        stores[place] = Store.open(place, write=False)
    return stores[place]
