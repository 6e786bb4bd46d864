"""The matches that are being written or followed, each with its log and the views in use.

A `LiveTable` is used by one thread at a time (`lock`). Its state follows from the log and can be dropped at any time.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock, local
from typing import Any, TypeVar

import msgspec

from events.canon import encode
from events.errors import NotFoundError
from events.model import Recorded
from records import Store
from records.group_commit import GroupCommit
from records.rows import Appended
from replay.languages.translate import speaking
from replay.read_log import ReadLog, read_log
from replay.table.scribe import AppendDone, Scribe
from replay.table.session import Session
from replay.viewer.following import Follower, News
from replay.visibility import Audience, Hands, Shown

T = TypeVar("T")


class Shared:
    """Shared access to the store: each thread reads through its own store, one thread writes for all."""

    def __init__(self, open_store: Callable[[bool], Store]) -> None:
        """`open_store` opens a store for writing (True) or reading."""
        self._open = open_store
        self.group = GroupCommit(lambda: open_store(True))
        self._local = local()
        self._opened: list[Store] = []
        self._lock = Lock()

    @property
    def reading(self) -> Store:
        """This thread's store, for reading."""
        store: Store | None = getattr(self._local, "store", None)
        if store is None:
            store = self._local.store = self._open(False)
            with self._lock:
                self._opened.append(store)
        return store

    def close(self) -> None:
        """Finish the pending writes, and close all stores."""
        self.group.close()
        for store in self._opened:
            store.close()

    # The store's methods that a `Scribe` needs

    def read(self, match: str, *, after: int = -1) -> Sequence[Recorded]:
        return self.reading.told(match, after=after)

    def append(self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "") -> AppendDone:
        return self.group.append(match, drafts, expect=expect, key=key).result()

    def append_end(
        self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "",
    ) -> AppendDone:
        def both(store: Store) -> Appended:
            done = store.append(match, drafts, expect=expect, key=key)
            if not done.repeated:
                store.set_over(match, True)
            return done

        return self.group.submit(both).result()

    def set_over(self, match: str, over: bool) -> None:
        self.group.submit(lambda store: store.set_over(match, over)).result()


class Feed:
    """The messages for followers of a view, event by event.

    Each event has an id: its position with a hash over all visible events up to it. Clients that have seen the same
    have the same id, even after a restart of the service; an id from before a change is not found.
    """

    def __init__(self, log: Sequence[Recorded]) -> None:
        self._hash = b""
        self.ids: dict[int, str] = {}
        # Events up to here were sent as a whole: a client that has seen fewer must reload.
        self.base = log[-1].n if log else 0
        # The messages of later events, in order.
        self.messages: list[bytes] = []
        # The index in `messages` after each event.
        self.places: dict[int, int] = {}
        for r in log:
            self._named(r)

    def _named(self, r: Recorded) -> str:
        self._hash = hashlib.blake2b(self._hash + encode(r), digest_size=16).digest()
        self.ids[r.n] = name = f"{r.n}-{self._hash.hex()[:16]}"
        self.places[r.n] = len(self.messages)
        return name

    def add(self, r: Recorded, news: News) -> None:
        """Add the message for the next event."""
        name = self._named(r)
        self.messages.append(b"event: step\nid: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(news)))
        self.places[r.n] = len(self.messages)

    def place_of(self, name: str) -> int | None:
        """The first message that a client at this id has missed; None if it must reload."""
        digits = name.partition("-")[0]
        n = int(digits) if digits.isdecimal() and len(digits) < 9 else -1
        return self.places[n] if n >= self.base and self.ids.get(n) == name else None

    def id_at(self, n: int) -> str:
        """The id of an event."""
        return self.ids[n]


class View:
    """One match as one kind of audience sees it: its log, what follows from it, and the messages for followers.

    `epoch` counts changes of what was already sent: followers must then reload.
    """

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.epoch = 0
        self.log: list[Recorded] = []
        self.feed = Feed(())
        self.used = time.monotonic()
        self._follower: Follower | None = None
        self._kept: dict[str, tuple[object, Any]] = {}
        self._whole: frozenset[int] = frozenset()
        self._source: list[Recorded] = []
        # The log that the view was last brought up to: its end, its length, and how much of it is visible.
        self._seen: tuple[Recorded | None, int, int | None] = (None, 0, None)

    @property
    def last(self) -> int:
        """The position of the last visible event."""
        return self.log[-1].n

    @property
    def follower(self) -> Follower:
        """The follower that tracks the log."""
        assert self._follower is not None
        return self._follower

    @property
    def whole(self) -> frozenset[int]:
        """The hands whose cards are all visible."""
        return self._whole

    @property
    def read(self) -> ReadLog:
        """The audience's log, read."""
        return self.kept("read", lambda: read_log(self.log))

    def kept(self, name: str, work: Callable[[], T]) -> T:
        """The result of `work` on the log, cached for its current state."""
        state = (self.epoch, self.last)
        known = self._kept.get(name)
        if known is None or known[0] != state:
            self._kept[name] = known = (state, work())
        found: T = known[1]
        return found

    def update(self, log: Sequence[Recorded], hands: Hands, upto: int | None) -> None:
        """Update the view to the current log, visible up to and including `upto`, in the language of its audience."""
        end, *known = self._seen
        if log[-1] is end and known == [len(log), upto]:
            return
        with speaking(self.audience.language):
            self._update(log, hands, upto)
        self._seen = (log[-1], len(log), upto)

    def _update(self, log: Sequence[Recorded], hands: Hands, upto: int | None) -> None:
        if self.audience.everything:
            visible, whole = list(log), frozenset[int]()
        else:
            visible = [r for r in log if upto is None or r.n <= upto]
            shown = Shown(log, self.audience)
            whole = frozenset(hand for hand in {*hands.of.values()} if shown.whole(hand, hands))
        known = len(self._source)
        opened = whole - self._whole
        simple = known and len(visible) >= known and visible[known - 1] is self._source[known - 1]
        # A hand that is opened now may have been sent with hidden cards before.
        simple = simple and not any(self._looks_other(hand, hands) for hand in opened)
        new = visible[known:] if simple else visible
        simple = simple and self.follower.view.goes_on_with(*(r.event for r in new))
        if simple and not new and not opened:
            return
        if self.audience.everything:
            told = list(new)
        else:
            told = [shown.recorded(r, hands.of_event(r) in whole) for r in (new if simple else visible)]
        if not simple:
            told = told if not self.audience.everything else visible
            self.log, self.epoch = told, self.epoch + 1
            self._follower = Follower(told, self.audience.viewer, whole)
            self.feed = Feed(told)
        else:
            self.log = [*self.log, *told]
            for r in told:
                self.feed.add(r, self.follower.add(r))
        self._source, self._whole = visible, whole

    def _looks_other(self, hand: int, hands: Hands) -> bool:
        """True if any part of a hand was hidden from this audience so far."""
        return any(
            hands.of_event(r) == hand and seen is not r and seen.event != r.event
            for r, seen in zip(self._source, self.log, strict=True)
        )


class LiveTable:
    """One match: the scribe that writes to the true log, and its views."""

    def __init__(self, match: str, shared: Shared, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.match, self.shared, self._clock = match, shared, clock
        self.lock, self.used = Lock(), time.monotonic()
        self._recorded = shared.reading.book_of(match)
        self._hidden = self._names_hidden()
        self.scribe = Scribe(shared, match, shared.read(match))
        self.true = View(Audience("all", remarks=True))
        self.views: dict[Audience, View] = {self.true.audience: self.true}
        self._sessions: dict[Audience, tuple[int, Session]] = {}
        self.update()

    @property
    def log(self) -> list[Recorded]:
        """The true log."""
        return self.scribe.session.records

    @property
    def last(self) -> int:
        """The position of the last event."""
        return self.scribe.last

    @property
    def hands(self) -> Hands:
        """The hand of each event, and the hands that are over."""
        walk = self.true.follower
        return Hands(walk.hand_of, walk.over)

    @property
    def book(self) -> str:
        """The book that the match belongs to now."""
        return self.shared.reading.register.filed.get(self.match, self._recorded)

    def _names_hidden(self) -> frozenset[str]:
        """The forgotten names; empty if there are none."""
        register = self.shared.reading.register
        return frozenset(register.hidden_names()) if register.hides else frozenset()

    def refresh(self) -> bool:
        """Take in what others wrote to the store. True if there was anything."""
        if (hidden := self._names_hidden()) != self._hidden:
            # The cached state has names that are now forgotten, or lacks names that no longer are.
            self._hidden, self.scribe = hidden, Scribe(self.shared, self.match, self.shared.read(self.match))
            self._sessions.clear()
            self.update()
            return True
        new = self.shared.read(self.match, after=self.last)
        if new:
            self.scribe.session.take(new)
            self.update()
        return bool(new)

    def update(self) -> None:
        """Update all views after the log has grown."""
        self.true.update(self.log, Hands({}, set()), None)
        for view in list(self.views.values()):
            if view is not self.true:
                view.update(self.log, self.hands, self.upto(view.audience))

    def upto(self, audience: Audience) -> int | None:
        """The last event that an audience may see now; None if there is no delay.

        Turns are counted as that audience would without a delay: a card that it does not see must not move the end.
        """
        if not (audience.late or audience.minutes):
            return None
        if audience.minutes:
            then = (
                self._clock().astimezone(UTC) - timedelta(minutes=audience.minutes)
            ).isoformat(timespec="milliseconds")[:23] + "Z"
            return max((r.n for r in self.log if r.time <= then), default=0)
        walk = self.view(msgspec.structs.replace(audience, late=0)).follower
        if walk.hand in walk.over:
            return self.last
        turns = walk.turns
        # Until enough turns have passed, they do not see the hand at all.
        first = turns[-audience.late] if len(turns) >= audience.late else min(
            (n for n, hand in walk.hand_of.items() if hand == walk.hand), default=1,
        )
        return max(0, first - 1)

    def view(self, audience: Audience) -> View:
        """The current view of an audience."""
        found = self.views.get(audience)
        if found is None:
            found = self.views[audience] = View(audience)
        found.used = time.monotonic()
        if found is not self.true:
            found.update(self.log, self.hands, self.upto(audience))
        return found

    def idle(self, seconds: float) -> bool:
        """True if the table was not used for this long."""
        return self.used < time.monotonic() - seconds

    def drop_unused(self, seconds: float) -> None:
        """Drop the views that were not used for this long."""
        before = time.monotonic() - seconds
        for audience, view in list(self.views.items()):
            if view is not self.true and view.used < before:
                del self.views[audience]
                self._sessions.pop(audience, None)

    # Writing

    def session(self, audience: Audience) -> Session:
        """A recording session with only what this audience sees."""
        view = self.view(audience)
        if audience.everything or view.log == self.log:
            return self.scribe.session
        known = self._sessions.get(audience)
        if known is None or known[0] != view.epoch:
            known = self._sessions[audience] = (view.epoch, Session(view.log))
        session = known[1]
        if missed := [r for r in view.log if r.n > session.records[-1].n]:
            session.take(missed)
        return session

    def keep_session(self, audience: Audience, session: Session) -> None:
        """Store the session to continue with for an audience."""
        if session is not self.scribe.session:
            self._sessions[audience] = (self.view(audience).epoch, session)


class Tables:
    """The tables in use, by match."""

    def __init__(self, shared: Shared, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.shared, self._clock = shared, clock
        self._tables: dict[str, LiveTable] = {}
        self._lock = Lock()

    def at(self, match: str) -> LiveTable:
        """The table of a match. Raises NotFoundError."""
        with self._lock:
            table = self._tables.get(match)
        if table is not None:
            table.used = time.monotonic()
            return table
        if not match or len(match) > 64:
            raise NotFoundError("there is no such match", todo="The list of matches shows those you may see")
        made = LiveTable(match, self.shared, self._clock)
        with self._lock:
            return self._tables.setdefault(match, made)

    @property
    def in_use(self) -> Mapping[str, LiveTable]:
        """A copy of the tables in use."""
        with self._lock:
            return dict(self._tables)

    def holds(self, table: LiveTable) -> bool:
        """True if this is the current table of its match."""
        return self._tables.get(table.match) is table

    def drop(self, match: str) -> None:
        """Drop a table; it is made again on the next access."""
        with self._lock:
            self._tables.pop(match, None)
