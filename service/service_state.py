"""The running service: the state shared by all requests, and its background work."""

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
from msgspec.structs import replace

from events.errors import KibitzError
from records import Store
from records.projection.index import Index
from reducers.registry import version_of_pages
from replay.languages.translate import spoken_language
from replay.season.facts import match_facts
from replay.visibility import Audience
from service.audiences import Delay, audience_of
from service.counters import Counters
from service.grants import KEEPERS, Grant, Grants, path_of
from service.tables import LiveTable, Shared, Tables

POLL = 1.0
"""Seconds between checks for writes of other programs."""
UNUSED = 300.0
"""Seconds after which an unused view is dropped."""


RECENT = 1.0
"""Seconds for which a board is cached, if only other programs write."""
MOST_RECENT = 256


class ServiceSettings(Struct, frozen=True):
    """Settings of a service. `store` is a file or the address of a database, `hosts` its names (`localhost:8642`),
    `delay` that of spectators, `secure` True behind TLS, `version` the program whose rules make the index."""

    store: Path | str
    hosts: frozenset[str]
    delay: Delay = Delay()
    secure: bool = False
    timeout: float = 5.0
    version: str = ""


class _Recent:
    """A cached answer."""

    def __init__(self) -> None:
        self.lock, self.body, self.made, self.written = Lock(), b"", 0.0, -1


class Service:
    """The state that all requests share. Ended by `stop`."""

    def __init__(self, settings: ServiceSettings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.settings, self.clock = settings, clock
        self.shared = Shared(self.open_store)
        self.grants = Grants(path_of(settings.store), clock)
        self.tables = Tables(self.shared, clock)
        self.changes = Changes()
        self.counters = Counters()
        self.stopping = False
        # Cached answers, and the number of writes since the service began.
        self._recent: dict[tuple[object, ...], _Recent] = {}
        self._recent_lock, self._index_lock = Lock(), Lock()
        self._written = 0
        # The number of links revoked here: streams then check their grants.
        self.taken_back = 0

    def open_store(self, write: bool) -> Store:
        """Open the store, for writing or reading; the caller closes it."""
        return Store.open(self.settings.store, write=write, timeout=self.settings.timeout, clock=self.clock)

    def stop(self) -> None:
        """Finish and answer pending writes, then close."""
        self.stopping = True
        self.shared.close()
        self.grants.close()

    def audience(self, grant: Grant, match: str) -> Audience:
        """How the holder of a grant looks at a match."""
        opened = self.grants.opened(match) if grant.role not in KEEPERS else frozenset[int]()
        return replace(audience_of(grant, opened, self.settings.delay), language=spoken_language())

    @contextmanager
    def index(self) -> Iterator[Index]:
        """The index of many matches (docs/seasons.md), up to date with the store; used by one thread at a time."""
        with self._index_lock, Index.open(
            self.shared.reading, match_facts, version_of_pages(self.settings.version),
        ) as index:
            yield index

    def recent(self, name: tuple[object, ...], work: Callable[[], bytes]) -> bytes:
        """The result of `work`, cached for `RECENT` seconds or until a write."""
        name = (*name, spoken_language())
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
        """Invalidate the cached answers."""
        self._written += 1

    def take_back(self, grant: str) -> None:
        """Revoke a grant, and end the streams that use it. Raises NotFoundError."""
        self.grants.revoke(grant)
        self.taken_back += 1
        self.changes.fire_all()

    def changed(self, table: LiveTable) -> None:
        """Wake the followers of a table after a write."""
        self.wrote()
        self.changes.fire(table.match)

    async def watch(self) -> None:
        """Notice writes of other programs, and drop unused tables; runs until cancelled."""
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
    """Wakes the streams that wait for a match. Threads fire, the event loop waits."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bells: dict[str, set[asyncio.Event]] = {}

    def start(self) -> None:
        """Set the running loop as the one that waits."""
        self._loop = asyncio.get_running_loop()

    def fire(self, match: str) -> None:
        """Signal that a match has changed; may be called by any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._fire, match)

    def _fire(self, match: str) -> None:
        for bell in self._bells.get(match, ()):
            bell.set()

    @contextmanager
    def bell(self, match: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the match changes, until the `with` block ends. Clear it before checking."""
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
        """Wake all streams: the service stops, or a link was revoked; may be called by any thread."""
        for match in list(self._bells):
            self.fire(match)
