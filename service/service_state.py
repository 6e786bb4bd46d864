"""A service that runs: what all requests share, and what it does by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

import anyio.to_thread
from msgspec import Struct

from events.errors import KibitzError
from records import Store
from records.projection.index import Index
from replay.season.facts import match_facts
from replay.visibility import Audience
from service.audiences import Delay, audience_of
from service.counters import Counters
from service.grants import Grant, Grants, path_of
from service.tables import LiveTable, Shared, Tables

POLL = 1.0
"""So many seconds pass before it is seen that another program has written into the store."""
UNUSED = 300.0
"""A view that nobody has looked at for so many seconds is dropped."""


RECENT = 1.0
"""So many seconds a board may be old, as far as others than this service write."""
MOST_RECENT = 256


class ServiceSettings(Struct, frozen=True):
    """How a service runs: its store (a file, or the address of a database), the names it is called by (`localhost:8642`), the delay of
    spectators, whether it is reached over TLS, and the version of the program, whose rules the tables of a season were made by."""

    store: Path | str
    hosts: frozenset[str]
    delay: Delay = Delay()
    secure: bool = False
    timeout: float = 5.0
    version: str = ""


class _Recent:
    """What was worked out a moment ago."""

    def __init__(self) -> None:
        self.lock, self.body, self.made, self.written = Lock(), b"", 0.0, -1


class Service:
    """What all requests share. Made by `Service.start`, ended by `stop`."""

    def __init__(self, settings: ServiceSettings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.settings, self.clock = settings, clock
        self.shared = Shared(self.open_store)
        self.grants = Grants(path_of(settings.store), clock)
        self.tables = Tables(self.shared, clock)
        self.changes = Changes()
        self.counters = Counters()
        self.stopping = False
        # What was worked out for many a moment ago, and how often somebody has written since the service began.
        self._recent: dict[tuple[object, ...], _Recent] = {}
        self._recent_lock, self._index_lock = Lock(), Lock()
        self._written = 0
        # How many links were taken back here: those who follow ask then whether theirs still holds.
        self.taken_back = 0

    def open_store(self, write: bool) -> Store:
        """The store, to write or to read; whoever asks closes it."""
        return Store.open(self.settings.store, write=write, timeout=self.settings.timeout, clock=self.clock)

    def stop(self) -> None:
        """Write and answer what was handed over, then close."""
        self.stopping = True
        self.shared.close()
        self.grants.close()

    def audience(self, grant: Grant, match: str) -> Audience:
        """How the holder of a grant looks at a match."""
        opened = self.grants.opened(match) if grant.role in ("seat", "spectator") else frozenset[int]()
        return audience_of(grant, opened, self.settings.delay)

    @contextmanager
    def index(self) -> Iterator[Index]:
        """What is asked over many matches (docs/seasons.md), up to date with the store; one asks at a time."""
        with self._index_lock, Index.open(self.shared.reading, match_facts, self.settings.version) as index:
            yield index

    def recent(self, name: tuple[object, ...], work: Callable[[], bytes]) -> bytes:
        """What `work` makes, or made less than `RECENT` seconds ago if nobody has written here since."""
        with self._recent_lock:
            one = self._recent.setdefault(name, _Recent())
            if len(self._recent) > MOST_RECENT:
                self._recent = {name: one}
        with one.lock:
            if one.written != self._written or time.monotonic() > one.made + RECENT:
                one.written, one.made = self._written, time.monotonic()
                one.body = work()
            return one.body

    def wrote(self) -> None:
        """What was worked out a moment ago no longer holds."""
        self._written += 1

    def take_back(self, grant: str) -> None:
        """End a grant, and every stream that follows with it. Raises NotFoundError."""
        self.grants.revoke(grant)
        self.taken_back += 1
        self.changes.fire_all()

    def changed(self, table: LiveTable) -> None:
        """Somebody wrote: those who follow are woken."""
        self.wrote()
        self.changes.fire(table.match)

    async def watch(self) -> None:
        """See what other programs write, and drop what nobody uses; runs until it is cancelled."""
        while True:
            await asyncio.sleep(POLL)
            with suppress(KibitzError):
                await anyio.to_thread.run_sync(self._look)

    def _look(self) -> None:
        for match, table in self.tables.in_use.items():
            with table.lock:
                late = any(audience.minutes for audience in table.views)
                new = table.refresh()
                if late and not new:
                    table.update()
                table.drop_unused(UNUSED)
                if len(table.views) == 1 and table.idle(UNUSED):
                    self.tables.drop(match)
            if new or late:
                self.changed(table)


class Changes:
    """Wakes those who wait for a match to go on. Threads fire, the event loop waits."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bells: dict[str, set[asyncio.Event]] = {}

    def start(self) -> None:
        """From now on this loop waits."""
        self._loop = asyncio.get_running_loop()

    def fire(self, match: str) -> None:
        """A match has gone on; called by any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._fire, match)

    def _fire(self, match: str) -> None:
        for bell in self._bells.get(match, ()):
            bell.set()

    @contextmanager
    def bell(self, match: str) -> Iterator[asyncio.Event]:
        """What is set whenever the match goes on, until the `with` ends. Who waits clears it before they look."""
        bell = asyncio.Event()
        self._bells.setdefault(match, set()).add(bell)
        try:
            yield bell
        finally:
            bells = self._bells[match]
            bells.discard(bell)
            if not bells:
                del self._bells[match]

    def fire_all(self) -> None:
        """Wake everybody: the service stops, or a link was taken back; called by any thread."""
        for match in list(self._bells):
            self.fire(match)
