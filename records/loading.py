"""The matches of a store for jobs that run in several processes."""

from __future__ import annotations

import atexit
from pathlib import Path

from events.model import Recorded
from records.store import Store


class StoreLoader:
    """A picklable loader: match id -> events. Each process opens the store for reading once, at the first match."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __call__(self, match: str) -> list[Recorded]:
        """The events of a match. NotFoundError if there is no such match; StoreError if it cannot be read."""
        return _opened(self.path).told(match)


_OPEN: dict[Path, Store] = {}


def _opened(path: Path) -> Store:
    store = _OPEN.get(path)
    if store is None:
        store = _OPEN[path] = Store.open(path, write=False)
        atexit.register(store.close)
    return store
