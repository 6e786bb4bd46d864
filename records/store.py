"""The store: one SQLite file that holds the logs of many matches and hands out their positions.

Whoever appends says which event they have seen last. If others were quicker, nothing is written and the writer gets
what they missed. A submission key makes a retry harmless, for ever. An append that has returned is on the disk.

All that is written, and every checkpoint of the write-ahead file, runs under one lock (records/locking.py). Every event
carries its leaf in the tree of its book (records/chain.py); records/attest.py signs the heads of the tree.

A `Store` belongs to the thread that opened it; programs and threads that work on the same file open one each.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sqlite3
import time as _time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from events.canon import decode_body, encode, encode_bodies, encode_body, recorded_all, recorded_from
from events.errors import ConflictError, KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from events.limits import MAX_EVENTS
from events.model import Facts, Open, Recorded, verb_of
from events.versions import version_of
from events.visible import NAME, is_name
from records import schema
from records.archive import SealedRow, damaged, lines_of, seal_rows, sealed_row, sealed_rows, write_sealed
from records.chain import NO_PREVIOUS, chain_of, row_digest
from records.ends import End, Ends, Gone, bring_up, ends_path, gone, of, read_ends
from records.faults import BESIDE, CLOSED, LEFT_ALONE, NO_STORE, SealedError, StaleWriterError, translated_errors
from records.foreign import foreign_in
from records.locking import FileLock, network_warning, sidecar_path
from records.names import FAR, check_names
from records.schema import SETTLED, UNSETTLED
from records.sealing import Line, unpack

HOME = "home"
CHECKPOINT_EVERY = 256
"""So many events of a book apart, whoever writes carries the write-ahead file over into the store."""
# Lower-case only: an id also names files, and some file systems do not tell capitals apart.
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
ID_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # no 0 1 i l o, and no u, so that no common word comes out


class Appended(Struct, frozen=True):
    """What became of an append: the positions of its first and last event. `repeated`: the key was known already."""

    first: int
    last: int
    repeated: bool = False


class MatchRow(Struct, frozen=True):
    """A match in a listing. `last` is the position of its last event, `facts` are those of its opening.

    `created` is the time of its opening and `changed` that of its last event, empty if they have none. `parent` and
    `parent_n` name the match and event that a variation branches off. `sealed`: nothing can be added before it is
    unsealed. All but `over` is taken from the events themselves, so that nothing else is shown than what is proved.
    """

    match: str
    book: str
    game: str
    created: str
    changed: str
    last: int
    over: bool
    facts: Facts
    parent: str | None = None
    parent_n: int | None = None
    sealed: bool = False


class BookRow(Struct, frozen=True):
    """A book in a listing. `head` is the position of its last event, 0 while it has none; `created` the time of its first."""

    book: str
    head: int
    created: str


Listed = TypeVar("Listed", MatchRow, BookRow)


class BookEvent(Struct, frozen=True):
    """An event with its place in its book."""

    pos: int
    match: str
    recorded: Recorded


class Adopted(Struct, frozen=True):
    """What became of the events of a file: the match was `new`, said the `same`, or `added` events were `appended`."""

    status: Literal["new", "same", "appended"]
    added: int


class _Left(Struct, frozen=True):
    """What lay beside the store before it was opened: the ends of its books, the size of its write-ahead file (-1: none)."""

    ends: dict[str, End]
    wal: int


class _OldStore(Exception):
    """A reader has found a store of an earlier version."""

    def __init__(self, version: int) -> None:
        self.version = version


def default_path() -> Path:
    """Where the store lies when nobody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("kibitz", appauthor=False) / "kibitz.db"


def new_match_id(game: str) -> str:
    """A fresh id such as `kaiser-4f7k2m`: the game and six characters that are hard to mistake for each other."""
    return f"{stem(game)}-{''.join(secrets.choice(ID_ALPHABET) for _ in range(6))}"


def stem(game: str) -> str:
    """The part of a match id that names the game.

    >>> stem("kaiser"), stem("Court Piece"), stem("")
    ('kaiser', 'court-piece', 'match')
    """
    return re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-")[:40] or "match"


def check_id(match: str) -> str:
    """The id, if a match may be called so. UsageError otherwise."""
    if not _ID.fullmatch(match):
        raise UsageError(
            f"{_short(match)!r} cannot be the id of a match",
            expected="up to 64 lower-case letters, digits, dots, dashes and underscores, a letter or digit first",
        )
    return match


class Store:
    """An open store. Made by `Store.open`; close it, or use it as a context manager."""

    def __init__(
        self,
        conn: sqlite3.Connection,
        path: Path,
        *,
        write: bool,
        clock: Callable[[], datetime],
        lock: FileLock | None = None,
        timeout: float = 5.0,
    ) -> None:
        self.path = path
        self.write = write
        self.warnings: list[str] = []
        """What whoever works with this store should be told, a sentence each."""
        self._conn = conn
        self._clock = clock
        self._lock = lock if lock is not None else FileLock(path, None)
        self._timeout = timeout
        self._failed = ""
        self._due = False
        self._together = False
        self._failed_part = False
        self._to_sign: dict[str, None] = {}
        self._closed = False
        self.gone: list[Gone] = []
        """What was acknowledged and is not here, as far as the ends kept beside the store tell."""
        self._lacking: list[str] = []
        self._ends = Ends(path)
        self._ended: dict[str, tuple[int, bytes | bytearray]] = {}
        self._name = os.path.abspath(path)
        file = _file_at(self._name)
        self._file = file and (file.st_ino, file.st_dev)
        if not write and file is not None and file.st_nlink > 1:
            self.warnings.append(f"{path}: {_names(file)}; what was added under another one may not be seen here")

    # Opening and closing

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        write: bool = True,
        create: bool = True,
        timeout: float = 5.0,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Self:
        """Open the store at `path`, or the one at `default_path()`.

        With `write` and `create` a missing store is made. Without `write` nothing can be changed through it.
        `timeout` is how many seconds to wait for other programs; `clock` gives the time that events are stamped with.
        A store of an earlier version is brought up to date, also when opened for reading.

        `warnings` of the store says what is doubtful about it: a network file system, a copy that lacks its end (such
        a copy is only read; `kibitz db check --accept` lets it go on).

        NotFoundError if there is no store and none is to be made; StoreError if the file cannot be used.
        """
        where = default_path() if path is None else Path(path)
        create = write and create
        _look(where, create=create, make_parents=path is None)
        deadline = _time.monotonic() + timeout
        lock = _lock_of(where, write=write)
        try:
            while True:
                try:
                    # Under the lock: whoever opens a store first may have to mend what a crash left, and whoever
                    # closes it last carries the write-ahead file over. Readers do neither, and have no lock.
                    with lock.held(max(deadline - _time.monotonic(), 0)):
                        return cls._opened(where, write=write, create=create, timeout=timeout, clock=clock, lock=lock)
                except _OldStore as old:
                    # Not under our own lock: this needs a writer, which takes the lock itself.
                    lock.close()
                    _upgrade(cls, where, old.version, timeout, clock)
                    lock = _lock_of(where, write=write)
                except StoreError as error:
                    # While a foreign program is the last to close the store, SQLite may answer "busy" at once instead
                    # of waiting; so we wait.
                    busy = getattr(error.__cause__, "sqlite_errorname", "").startswith("SQLITE_BUSY")
                    if not busy or _time.monotonic() >= deadline:
                        raise
                    _time.sleep(0.01)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _opened(
        cls, path: Path, *, write: bool, create: bool, timeout: float, clock: Callable[[], datetime], lock: FileLock
    ) -> Self:
        # Before the store is looked at: what others acknowledge meanwhile is then in the store, and not in here.
        left = _Left(read_ends(path), _size_of(sidecar_path(path, "wal")))
        if write:
            _check_names(path, _file_at(path))
            conn = _connect(path, "rwc" if create else "rw", timeout)
        else:
            conn = _connect_reading(path, timeout)
        try:
            version = schema.version_of(conn, path)
            if version == 0 and not create:
                raise NotFoundError("the file is empty, there is no store in it", where=str(path))
            if version:
                _check_foreign(conn, path, write=write)
            with translated_errors(path):
                if write:
                    conn.execute("PRAGMA foreign_keys=ON")
                    # Readers and one writer do not get in each other's way, and a commit waits for the disk.
                    conn.execute("PRAGMA journal_mode=WAL").fetchone()
                    conn.execute("PRAGMA synchronous=FULL")
                    # Where a plain sync leaves data in the cache of the drive (macOS), ask for more; no effect elsewhere.
                    conn.execute("PRAGMA fullfsync=ON")
                    # When to carry the write-ahead file over is ours to say, because of the lock.
                    conn.execute("PRAGMA wal_autocheckpoint=0").fetchone()
                else:
                    conn.execute("PRAGMA query_only=ON")
            if version < len(schema.MIGRATIONS):
                if not write:
                    raise _OldStore(version)
                schema.upgrade(conn, path, _stamp(clock()))
            store = cls(conn, path, write=write, clock=clock, lock=lock, timeout=timeout)
            store._take_stock(left)
        except BaseException:
            conn.close()
            raise
        return store

    def _take_stock(self, left: _Left) -> None:
        """Look at the state the store was left in, and refuse to write into one that is doubtful."""
        if self.write and (warning := network_warning(self.path)):
            self.warnings.append(warning)
        if self.write and self._lock.trouble():
            self._verify_after_trouble()
        with translated_errors(self.path):
            self._lacking = self._missed(left)
            if self.write and not self._lacking:
                self._note_ends(lambda: bring_up(self, left.ends))
        if self._lacking and not self.write:
            self.warnings.append(f"{self.path}: {self._lacking[0]}")
        elif self._lacking:
            self._keep_as_it_is()
            raise StoreError(
                self._lacking[0],
                where=str(self.path),
                todo="Copy the store with all that lies beside it before anything else, or go back to a backup "
                "(`kibitz db restore`); `kibitz db check --accept` goes on with what is there",
            )

    def _missed(self, left: _Left) -> list[str]:
        """A sentence if something is missing that was acknowledged, or if nobody can tell."""
        self.gone = gone(self, left.ends)
        if self.gone:
            texts = "; ".join(one.text for one in self.gone[:5])
            return [f"what was added last is missing: {texts}; {self._why_gone(left.wal)}"]
        if books := [book for book in self._cut_off() if of(book) not in left.ends]:
            return [
                "this is a copy taken while the store was in use, or its -wal file is gone: "
                f"what was added last may be missing (book {_some(books)})"
            ]
        return []

    def _why_gone(self, wal: int) -> str:
        """What is to be said about the write-ahead file, which was so long before the store was opened."""
        from records.frames import EMPTY, MISSING, ahead_of

        if wal <= 0 and not self._unsettled():
            return "the file is one of an earlier time, such as a backup that was put back"
        try:
            return (MISSING if wal < 0 else EMPTY if not wal else ahead_of(sidecar_path(self.path, "wal"))).text
        except OSError as error:
            return f"its write-ahead file (-wal) cannot be read ({error.strerror})"

    def _keep_as_it_is(self) -> None:
        """Close without carrying over and removing a write-ahead file that may be needed to mend the store.

        The last connection does that, unless it can only read.
        """
        with suppress(sqlite3.Error):
            reader = _connect(self.path, "ro", 0)
            reader.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
            self._conn.close()
            reader.close()

    def _note_ends(self, note: Callable[[], None]) -> None:
        """Note beside the store where its books end. What was acknowledged is safe without it, so that it may fail."""
        try:
            note()
        except OSError as error:
            why = f"{self._ends.path}: where the books end cannot be noted ({error.strerror or error})"
            if why not in self.warnings:
                self.warnings.append(why)

    def _note_ended(self) -> None:
        for book, (position, leaf) in self._ended.items():
            self._ends.note(book, position, leaf)

    def lacking(self) -> list[str]:
        """A sentence if this is a copy that lacks its end."""
        return self._lacking

    def _cut_off(self) -> list[str]:
        """The books whose end was in a write-ahead file that is not here.

        Asked a second time, because the last writer may settle them and close just while we look.
        """
        for _ in range(2):
            books = self._unsettled()
            if not books or _size_of(sidecar_path(self.path, "wal")) > 0:
                return []
        return books

    def _heads(self) -> list[tuple[str, int]]:
        """The books, and the position of the last event of each."""
        rows = self._conn.execute("SELECT book, head FROM books").fetchall()
        return [(book, head) for book, head in rows if isinstance(book, str) and isinstance(head, int)]

    def _unsettled(self) -> list[str]:
        """The books that were written to and not settled since by a writer that closed the store."""
        with translated_errors(self.path):
            rows = self._conn.execute("SELECT book FROM books WHERE settled = ? ORDER BY book", (UNSETTLED,))
            return [str(row[0]) for row in rows]

    def _verify_after_trouble(self) -> None:
        """A write failed on the disk some time ago. Whatever was acknowledged must be here, whole, before we go on."""
        from records.verifying import verify_book

        self.check()
        for row in self.books():
            if wrong := verify_book(self, row.book).found:
                raise StoreError(
                    f"the disk failed while the store was written, and the store is damaged: {wrong[0].text}",
                    where=str(self.path),
                    todo="Copy the file before anything else, then go back to a backup",
                )
        self._settle()
        self._lock.clear()

    def _settle(self) -> None:
        """Note that the file is whole once the write-ahead file is carried over; so closing is the time for it."""
        if self._unsettled():
            with translated_errors(self.path):
                self._conn.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")

    def close(self) -> None:
        """Close the store. Closing twice does no harm."""
        if self._closed:
            return
        with translated_errors(self.path), self._lock_to_close():
            try:
                if self.write and not self._failed and not self._lock.trouble():
                    self._settle()
            except UsageError:
                pass  # it belongs to another thread, as the next line tells
            except (sqlite3.Error, StoreError) as error:
                # Nothing is lost, but the file does not say so; whoever opens it next has to look.
                self._lock.mark(f"the store could not be closed properly ({error})")
            self._conn.close()
        self._closed = True
        self._ends.close()
        self._lock.close()

    @contextmanager
    def _lock_to_close(self) -> Iterator[None]:
        """The lock, if it can be had. If it is held for long, its holder has the store open: then we are not the last."""
        with ExitStack() as stack:
            if self.write:
                with suppress(StoreError):
                    stack.enter_context(self._lock.held(self._timeout))
            yield

    def __del__(self) -> None:
        # A store that is forgotten would be closed all the same, but not under the lock.
        with suppress(Exception):
            if self.write:
                self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Writing

    def create_match(
        self,
        facts: Facts,
        *,
        game: str,
        book: str = HOME,
        match: str | None = None,
        by: str = "@",
        time: str = "",
        recorder: str = "",
        text: str = "",
        key: str = "",
    ) -> str:
        """Open a new match and return its id.

        `facts` become the opening, event 0; `Game` and `Match` are added to them. Without `match` a fresh id is made.
        A book that does not exist is made. The same `key` again returns the match it opened the first time.

        ConflictError if the id is taken, or the key was used for another opening; UsageError for an impossible id, or
        for facts that name another game or match.
        """
        if match is not None:
            check_id(match)
        for name, value in (("Game", game), ("Match", match)):
            if value is not None and facts.get(name, value) != value:
                raise UsageError(f"the facts say {name} {facts[name]!r}", expected=f"{value!r}")
        if match is None and "Match" in facts:
            match = check_id(str(facts["Match"]))
        with self._writing():
            if key and (known := self._opened_with(key)):
                for old in known:
                    again = _opening(facts, game, old, by, time, recorder, text, key)
                    if match in (None, old) and _fingerprint([again]) == self._says(old, key, 0):
                        return old
                raise ConflictError(
                    f"the submission key {_short(key)!r} was used to open match {known[0]} with other terms",
                    where=str(self.path),
                    todo="Use a new key for a new match",
                )
            if match is None:
                match = new_match_id(game)
                while self._head(match) is not None:
                    match = new_match_id(game)
            elif self._head(match) is not None:
                raise ConflictError(f"there is a match {match} already", where=str(self.path), todo="Choose another id")
            now = _stamp(self._clock())
            opening = _opening(facts, game, match, by, time or now, recorder, text, key)
            check_names([opening])
            bodies = [encode_body(opening)]
            self._insert_whole(match, book, game, [opening], bodies, now)
            self._note_keys(match, [opening], bodies, 0)
        return match

    def append(self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "") -> Appended:
        """Add events to the end of a match, all or none, durable when this returns.

        The positions of `drafts` are ignored: the store hands them out. An empty `time` is filled in from the clock.
        `expect` is the position of the last event the writer has seen (0: only the opening); None: it does not matter.
        `key` is the submission key of the whole; left out, it is the key the drafts themselves carry.

        StaleWriterError (with `unseen`) if there are later events; ConflictError if the key was used for something
        else; the same key with the same events returns the first answer again, whatever was added since. Time is not
        compared. SealedError if the match is sealed; UnreadableError if a draft is not an event that can be written.
        """
        if not drafts:
            raise UsageError("there is nothing to append", expected="at least one event")
        own = {draft.key for draft in drafts}
        key = key or (own.pop() if len(own) == 1 else "")
        if own - {key, ""}:
            raise UsageError("the events of one append carry different submission keys", expected="one key for all")
        now = _stamp(self._clock())
        # Checked as if they stood far down the match: an event must not grow past the limit by its position alone.
        ready = [
            structs.replace(draft, n=FAR, v=version_of(draft.event), key=key, time=draft.time or now)
            for draft in drafts
        ]
        bodies = encode_bodies(ready)
        check_names(ready)
        fingerprint = _fingerprint(ready, bodies) if key else ""
        with self._writing():
            row = self._row(match)
            if row is None:
                raise self._no_match(match)
            last = row.last
            if key:
                known = self._known(row, key)
                if known and (known[0] == fingerprint or self._says(match, key, known[1]) == fingerprint):
                    return Appended(known[1], known[2], repeated=True)
                if known:
                    raise ConflictError(
                        f"the submission key {_short(key)!r} was used for {_span(known[1], known[2])}, "
                        "which says something else",
                        where=f"match {match}",
                        todo="Use a new key for new events",
                    )
            if row.is_sealed:
                raise SealedError(match)
            if expect is not None and expect != last:
                raise StaleWriterError(match, expect, last, self._rows(match, after=expect))
            first, last = last + 1, last + len(ready)
            if last > MAX_EVENTS:
                raise _too_long(match, last)
            self._insert(row, ready, bodies, now)
            if key:
                self._conn.execute(
                    "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, ?, ?, ?, ?)",
                    _digested(match, key, fingerprint, first, last),
                )
        return Appended(first, last)

    def adopt(
        self, match: str, records: Sequence[Recorded], *, game: str, book: str = HOME, fresh: bool = False,
        sealed: bool = False,
    ) -> Adopted:  # fmt: skip
        """Take over a whole match as it was recorded elsewhere: opening first, positions 0, 1, 2 …

        Time, recorder and key stay as they are, also where they are empty. If the store has the match already (it
        stays in its book then), the shorter of the two must be the beginning of the longer: what is new is appended, or
        nothing is. An empty time, recorder or key in `records` contradicts nothing. With `sealed` the match is sealed at
        once, whether or not it is over.

        ConflictError naming the first event that differs, with both versions, or, with `fresh`, if there is a match of
        this id at all; SealedError if something is new and the match is sealed; nothing is written then.
        """
        return self._adopt(match, records, encode_bodies(records), game, book, fresh, sealed)

    def _adopt(
        self, match: str, records: Sequence[Recorded], bodies: Sequence[bytes], game: str, book: str, fresh: bool,
        sealed: bool,
    ) -> Adopted:  # fmt: skip
        """`adopt`, given also what `encode_body` makes of each record: reading a file may have come upon it already."""
        check_id(match)
        check_whole(records)
        with self._writing():
            now = _stamp(self._clock())
            head = self._head(match)
            if head is None:
                if not fresh:  # a variation of what stands here says nothing new
                    check_names(records)
                self._insert_whole(match, book, game, records, bodies, now, sealed=sealed)
                if not sealed:
                    self._note_keys(match, records, bodies, 0)
                elif records[0].key:
                    self._note_keys(match, records, bodies, 0, only=records[0].key)
                return Adopted("new", len(records))
            if fresh:
                raise ConflictError(f"there is a match {match} already", where=str(self.path), todo="Choose another id")
            stored = self._rows(match, after=-1)
            for ours, theirs in zip(stored, records, strict=False):
                if not _agree(ours, theirs):
                    raise _differs(match, ours, theirs)
            new = records[len(stored) :]
            check_names(new)
            if new:
                row = self._row(match)
                assert row is not None
                if row.is_sealed:
                    raise SealedError(match)
                self._insert(row, new, bodies[len(stored) :], now)
                self._note_keys(match, [*stored, *new], [*encode_bodies(stored), *bodies[len(stored) :]], len(stored))
            if sealed:
                row = self._row(match)
                assert row is not None
                seal_rows(self, row)
        return Adopted("appended" if new else "same", len(new))

    def set_over(self, match: str, over: bool) -> None:
        """Note whether the match is over. The store cannot tell by itself: that is a question of the rules.

        At the end of a match the head of its book is signed (see `records.attest`). StoreError, also with the note
        written, if the head does not extend the one signed last, or the key cannot be used. Inside `together` the head
        is signed when that ends.
        """
        with self._writing():
            row = self._row(match)
            if row is None:
                raise self._no_match(match)
            self._update_match(structs.replace(row, is_over=int(over)))
        if over and self._together:
            self._to_sign[row.book] = None
        elif over:
            from records.attest import sign

            sign(self, row.book)

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is written inside is one commit: whole and durable when the `with` ends, and not before.

        What is refused inside leaves nothing behind and does not harm the rest. After an error of the database, or where
        the block itself is left with an error, nothing of it is written. The lock is held all the while.
        """
        if self._together:
            raise UsageError("one commit cannot hold another", where=str(self.path))
        with self._writing():
            self._together = True
            try:
                yield
            except BaseException:
                self._to_sign.clear()
                raise
            finally:
                self._together = False
        books, self._to_sign = self._to_sign, {}
        if books:
            from records.attest import sign

            for book in books:
                sign(self, book)

    # Reading

    def read(self, match: str, after: int = -1) -> list[Recorded]:
        """The events of a match after position `after`, in order; all of them, opening first, if left out.

        NotFoundError if there is no such match; StoreError if an event cannot be read.
        """
        with translated_errors(self.path):
            rows = self._rows(match, after)
            if not rows and self._head(match) is None:
                raise self._no_match(match)
        return rows

    def length(self, match: str) -> int:
        """How many events the match has, the opening included: one more than the position of the last."""
        with translated_errors(self.path):
            head = self._head(match)
            if head is None:
                raise self._no_match(match)
        return head[1] + 1

    def book_of(self, match: str) -> str:
        """The book a match belongs to. NotFoundError if there is no such match."""
        with translated_errors(self.path):
            head = self._head(match)
            if head is None:
                raise self._no_match(match)
        return head[0]

    def matches(self, *, book: str | None = None, game: str | None = None, open_only: bool = False) -> list[MatchRow]:
        """The matches of the store, or those of one book or game, or those not over; the latest changed first."""
        from sqlite_utils import Database

        rows: list[MatchRow] = []
        ends: list[tuple[object, ...]] = []
        with translated_errors(self.path):
            db = Database(self._conn, recursive_triggers=False, execute_plugins=False)
            for row in db.query(
                # Named here, not by the tables: those may spell them in other cases once a bit in them has turned.
                'SELECT m.match AS "match", m.book AS book, m.game AS game, e.time AS created, last_e.time AS changed,'
                " m.last AS last, m.is_over AS is_over, m.parent AS parent, m.parent_n AS parent_n,"
                " coalesce(last_e.pos, s.last_pos) AS end,"
                " e.version AS version, CAST(e.payload AS BLOB) AS payload, s.dictionary AS dictionary, s.body AS body"
                " FROM matches m LEFT JOIN events e ON e.match = m.match AND e.n = 0"
                " LEFT JOIN events last_e ON last_e.match = m.match AND last_e.n = m.last"
                " LEFT JOIN sealed s ON s.match = m.match"
                " WHERE ((e.pos IS NOT NULL AND last_e.pos IS NOT NULL) OR s.last_pos IS NOT NULL) AND (:book IS NULL OR m.book = :book) AND (:game IS NULL OR m.game = :game)"
                " AND (:open = 0 OR m.is_over = 0)",
                {"book": book, "game": game, "open": int(open_only)},
            ):
                last = row.pop("end")
                rows.append(self._listed(row))
                ends.append((rows[-1].book, last, rows[-1].changed))
        return [rows[i] for i in _latest(ends)]

    def _listed(self, row: dict[str, Any]) -> MatchRow:
        """A match of a listing, its opening and its times taken from its events. StoreError if they cannot be read."""
        v, payload, over = row.pop("version"), row.pop("payload"), bool(row.pop("is_over"))
        dictionary, body = row.pop("dictionary"), row.pop("body")
        if sealed := payload is None and body is not None:
            try:
                lines = unpack(body, dictionary)
            except UnreadableError as error:
                raise damaged(self, row["match"], error) from error
            v, payload, row["created"], row["changed"] = lines[0].version, lines[0].payload, lines[0].time, lines[-1].time
        opening = self._event(row["match"], 0, v, "", "", "", payload)
        facts = opening.event.facts if isinstance(opening.event, Open) else {}
        row["game"] = str(facts.get("Game", row["game"]))
        row["changed"] = row["changed"] or row["created"]
        listed = self._as(MatchRow, {**row, "over": over, "facts": facts, "sealed": sealed})
        if (proved := self._branches_off(listed.match, opening)) != (listed.parent, listed.parent_n):
            return structs.replace(listed, parent=proved[0], parent_n=proved[1])
        return listed

    def _branches_off(self, match: str, opening: Recorded) -> tuple[str, int] | tuple[None, None]:
        """The match and event that a variation branches off, if that match is here."""
        parent = branches_off(opening)
        return (None, None) if parent is None or parent[0] == match or self._head(parent[0]) is None else parent

    def ids(self, *, game: str | None = None) -> list[str]:
        """The ids of all matches, or those of one game, in the order in which they were begun; nothing else is read."""
        with translated_errors(self.path):
            rows = self._conn.execute(
                "SELECT match FROM matches WHERE :game IS NULL OR game = :game ORDER BY created, match", {"game": game}
            )
            return [str(match) for (match,) in rows]

    def last_open_match(self) -> str | None:
        """The match that is not over and was changed last; None if there is none.

        A variation is never meant by that: whoever wants to go on with one names it; nor is a match that is sealed.
        """
        with translated_errors(self.path):
            rows = self._conn.execute(
                "SELECT m.match, m.book, last_e.pos, last_e.time FROM matches m"
                " JOIN events last_e ON last_e.match = m.match AND last_e.n = m.last"
                " WHERE m.is_over = 0 AND m.is_sealed = 0"
            ).fetchall()
            for match in (rows[i][0] for i in _latest([row[1:] for row in rows])):
                # One that was imported without the match it branches off says so only in its opening.
                opening = self._rows(str(match), after=-1, last=0)
                if not opening:
                    raise StoreError(
                        f"the store is damaged: match {match} has no opening",
                        where=str(self.path),
                        todo="`kibitz verify` tells what was changed",
                    )
                if branches_off(opening[0]) is None:
                    return str(match)
        return None

    def find(self, prefix: str) -> str:
        """The id that begins with `prefix`, if it is the only one; an id written in full is always found.

        NotFoundError if there is none, or more than one; it lists what could be meant.
        """
        wanted = prefix.strip().lower()
        with translated_errors(self.path):
            # The range makes use of the index; it takes ids in the order of their bytes.
            found = [
                str(row[0])
                for row in self._conn.execute(
                    "SELECT match FROM matches WHERE match >= ? AND match < ? AND substr(match, 1, ?) = ? ORDER BY match"
                    " LIMIT 1001",
                    (wanted, wanted + "\x7f", len(wanted), wanted),
                )
            ]
            if wanted in found:
                return wanted
            if len(found) == 1:
                return found[0]
            if found:
                raise NotFoundError(
                    f"{len(found) if len(found) <= 1000 else 'more than 1000'} matches begin with {_short(wanted)!r}: {_some(found)}",
                    where=str(self.path),
                    todo="Write one more character of the id",
                )
            raise self._no_match(wanted)

    def books(self) -> list[BookRow]:
        """The books of the store, oldest first."""
        with translated_errors(self.path):
            rows = self._conn.execute(
                "SELECT b.book, b.head, e.time FROM books b LEFT JOIN events e ON e.book = b.book AND e.pos = 1"
            ).fetchall()
            found = [
                self._as(BookRow, {"book": book, "head": head, "created": self._begun(book, time)})
                for book, head, time in rows
            ]
        return sorted(found, key=lambda row: (row.created, row.book))

    def _begun(self, book: str, time: object) -> str:
        """The time of the first event of a book, as its row says it, or its sealed match; empty if it cannot be had."""
        if time is not None:
            return time if isinstance(time, str) else ""
        for sealed in sealed_rows(self._conn, book, 0, 1):
            with suppress(UnreadableError):  # what is wrong with it is told by those who read or verify it
                return lines_of(sealed)[0].time
        return ""

    def _as(self, kind: type[Listed], row: dict[str, Any]) -> Listed:
        """A row of a listing; StoreError where a column is of another kind, as one turned bit can make it."""
        try:
            return msgspec.convert(row, kind)
        except msgspec.ValidationError as error:
            raise StoreError(
                f"the store is damaged: {error}",
                where=f"{self.path}, {row.get('match') or row.get('book') or ''!s:.80}",
                todo="`kibitz verify` tells what was changed; go back to a backup",
            ) from error

    def tail(self, book: str = HOME, after: int = 0, limit: int | None = None) -> list[BookEvent]:
        """The events of a book after position `after` of the book, in the order they were written, at most `limit`.

        NotFoundError if there is no such book.
        """
        limit = 2**62 if limit is None else limit
        with self._moment():
            rows = self._conn.execute(
                "SELECT pos, match, n, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
                " WHERE book = ? AND pos > ? ORDER BY pos LIMIT ?",
                (book, after, limit),
            ).fetchall()
            # Positions have no gaps, so that the next `limit` events end there.
            sealed = list(sealed_rows(self._conn, book, after, min(after + limit, 2**62)))
            if not rows and not sealed and not self._conn.execute("SELECT 1 FROM books WHERE book = ?", (book,)).fetchone():
                raise NotFoundError(
                    f"there is no book {_short(book)!r}",
                    where=str(self.path),
                    expected=_some([row.book for row in self.books()]) or "a book; the store has none yet",
                )
        if any(type(row[0]) is not int for row in rows):
            raise StoreError(
                "the store is damaged: the position of an event is no number",
                where=str(self.path),
                todo="`kibitz verify` tells what was changed",
            )
        if sealed:
            for one in sealed:
                rows += [(pos, one.match, n, *rest) for pos, n, _, *rest in self._lines(one) if pos > after]
            rows.sort(key=lambda row: row[0])
        return [BookEvent(pos, match, self._event(match, *rest)) for pos, match, *rest in rows[:limit]]

    def check(self) -> None:
        """Look the whole file over: its pages, and that no position is missing. StoreError naming what is wrong.

        Takes time in proportion to the file, so it is done on demand, not when opening.
        """
        if wrong := self.structure_faults() or self._gaps():
            raise StoreError(
                f"the store is damaged: {'; '.join(wrong[:5])}",
                where=str(self.path),
                todo="Copy the file before anything else, then export what can still be read, or go back to a backup",
            )

    def structure_faults(self) -> list[str]:
        """What is wrong with the pages, indexes and references of the file, a sentence each."""
        with translated_errors(self.path):
            wrong = [str(row[0]) for row in self._conn.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
            if not wrong:
                wrong += [
                    f"an entry of {row[0]} points to a missing one of {row[2]}"
                    for row in self._conn.execute("PRAGMA foreign_key_check")
                ]
        return wrong

    def _gaps(self) -> list[str]:
        """Where a book or a match has more or fewer events than it says."""
        with translated_errors(self.path):
            wrong = [
                f"book {book} has {count} events up to position {head}"
                for book, head, count in self._conn.execute(
                    "SELECT b.book, b.head, coalesce(e.many, 0) + coalesce(s.many, 0) FROM books b"
                    " LEFT JOIN (SELECT book, count(pos) AS many, max(pos) AS last FROM events GROUP BY book) e"
                    " ON e.book = b.book"
                    " LEFT JOIN (SELECT book, sum(events) AS many, max(last_pos) AS last FROM sealed GROUP BY book) s"
                    " ON s.book = b.book"
                    " WHERE coalesce(e.many, 0) + coalesce(s.many, 0) <> b.head"
                    " OR (coalesce(e.last, 0) <> b.head AND coalesce(s.last, 0) <> b.head)"
                )
            ]
            wrong += [
                f"match {match} has {count} events up to position {last}"
                for match, last, count in self._conn.execute(
                    "SELECT m.match, m.last, coalesce(e.many, 0) + coalesce(s.events, 0) FROM matches m"
                    " LEFT JOIN (SELECT match, count(n) AS many, max(n) AS last FROM events GROUP BY match) e"
                    " ON e.match = m.match LEFT JOIN sealed s ON s.match = m.match"
                    " WHERE coalesce(e.many, 0) + coalesce(s.events, 0) <> m.last + 1"
                    " OR coalesce(e.last, s.events - 1, -1) <> m.last OR m.is_sealed <> (s.match IS NOT NULL)"
                )
            ]
        return wrong

    # Inside a transaction

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction under the lock, which is taken at the start: nobody can write between our looking and writing."""
        if not self.write:
            raise UsageError("the store was opened for reading only", where=str(self.path))
        if self._together:
            with self._part():
                yield
            return
        with translated_errors(self.path), self._lock.held(self._timeout):
            if self._closed:
                self._conn.execute("SELECT 1")  # says so
            if trouble := self._failed or self._lock.trouble():
                raise StoreError(
                    f"the store is closed for writing since the disk failed ({trouble})",
                    where=str(self.path),
                    todo="Open it again; it is verified before anything is written. What was acknowledged is kept",
                )
            self._check_file()
            try:
                self._failed_part = False
                self._conn.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    self._check_parts()
                    self._conn.execute("COMMIT")
                except BaseException:
                    self._ended.clear()
                    # After a full disk SQLite may have rolled back by itself; and the first error is the one to tell.
                    if self._conn.in_transaction:
                        with suppress(sqlite3.Error):
                            self._conn.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                self._distrust(error)
                raise
            if self._ended:
                self._note_ends(self._note_ended)
                self._ended.clear()
            if self._due:
                self._carry_over()

    def _check_file(self) -> None:
        """StoreError if the file got a second name, or is no longer where it was opened: somebody else may write there."""
        try:
            there = os.stat(self._name)
            if there.st_nlink < 2 and (there.st_ino, there.st_dev) == self._file:
                return
        except OSError:
            there = None
        if there is None or (there.st_ino, there.st_dev) != self._file:
            raise StoreError(
                f"the store was {'moved or removed' if there is None else 'replaced by another file'} while it was open",
                where=str(self.path),
                todo="Open it again at its place; what was acknowledged is in the file that was there, and in its -wal",
            )
        _check_names(self.path, there)

    @contextmanager
    def _part(self) -> Iterator[None]:
        """One writing among those that are committed together: what it wrote goes if it is refused."""
        self._check_parts()
        before = dict(self._ended)
        with translated_errors(self.path):
            try:
                self._conn.execute("SAVEPOINT part")
                try:
                    yield
                    self._conn.execute("RELEASE part")
                except BaseException:
                    self._ended = before
                    if self._conn.in_transaction:
                        self._conn.execute("ROLLBACK TO part")
                        self._conn.execute("RELEASE part")
                    raise
            except sqlite3.Error as error:
                self._failed_part = True
                self._distrust(error)
                raise

    def _check_parts(self) -> None:
        """StoreError if the database failed in one of the writings that are to be committed together."""
        if self._failed_part or not self._conn.in_transaction:
            raise StoreError(
                "the store failed while several things were written, so none of them is",
                where=str(self.path),
                todo="Try again; what was acknowledged before is kept",
            )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """The lock without a transaction, for what SQLite does in one of its own."""
        if not self.write or self._together:
            raise UsageError("this needs a store that is open for writing", where=str(self.path))
        with self._writing():
            pass  # asks whether writing is allowed
        with translated_errors(self.path), self._lock.held(self._timeout):
            try:
                yield
            except sqlite3.Error as error:
                self._distrust(error)
                raise

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """All that is read inside is one state of the store."""
        with translated_errors(self.path):
            own = not self._conn.in_transaction
            if own:
                self._conn.execute("BEGIN")
            try:
                yield
            finally:
                if own and self._conn.in_transaction:
                    self._conn.execute("COMMIT")

    def _unsettle(self, row: _Row) -> None:
        """The file alone is not the whole store from here on, until it is closed or carried over."""
        self._conn.execute("UPDATE books SET settled = ? WHERE book = ?", (UNSETTLED, row.book))
        self._due = True

    def _distrust(self, error: sqlite3.Error) -> None:
        """After a failed sync nobody knows what is on the disk and what only in memory; so nobody writes on top of it."""
        if (getattr(error, "sqlite_errorname", "") or "").startswith("SQLITE_IOERR"):
            self._failed = str(error)
            self._lock.mark(f"{error.sqlite_errorname}: {error}")

    def _carry_over(self) -> None:
        """Carry the write-ahead file over into the store, as far as readers allow; under the lock.

        What was appended is on the disk already, so a failure here does not take it back; it only ends the writing.
        """
        try:
            (busy, *_) = self._conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._due = bool(busy)
        except sqlite3.Error as error:
            self._distrust(error)

    def _head(self, match: str) -> tuple[str, int] | None:
        """The book of a match and the position of its last event."""
        row = self._conn.execute("SELECT book, last FROM matches WHERE match = ?", (match,)).fetchone()
        if row is None:
            return None
        if type(row[1]) is not int:
            raise StoreError(
                "the store is damaged: the length of a match is no number",
                where=f"{self.path}, match {match!s:.80}",
                todo="`kibitz verify` tells what was changed; go back to a backup",
            )
        return str(row[0]), row[1]

    def _opened_with(self, key: str) -> list[str]:
        """The matches opened under a key. More than one only if a copy was imported under another id."""
        rows = self._conn.execute("SELECT match FROM keys WHERE key = ? AND first = 0 ORDER BY match", (key,))
        return [str(row[0]) for row in rows]

    def _rows(self, match: str, after: int, last: int = FAR) -> list[Recorded]:
        rows = self._conn.execute(
            "SELECT n, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
            " WHERE match = ? AND n > ? AND n <= ? ORDER BY n",
            (match, after, last),
        ).fetchall()
        if rows:
            return self._events(match, rows)
        with self._moment():  # it may be sealed or opened again while we look
            sealed = sealed_row(self._conn, match)
            if sealed is None and self._conn.execute(
                "SELECT 1 FROM events WHERE match = ? AND n > ? AND n <= ? LIMIT 1", (match, after, last)
            ).fetchone():
                return self._rows(match, after, last)
        if sealed is None:
            return []
        lines = self._lines(sealed)[max(after + 1, 0) : last + 1]
        return self._events(match, [(line.n, *line[3:]) for line in lines])

    def _lines(self, row: SealedRow) -> list[Line]:
        """The events of a sealed match. StoreError if they cannot be read."""
        try:
            return lines_of(row)
        except UnreadableError as error:
            raise damaged(self, str(row.match), error) from error

    def _recorded(self, match: str, line: Line) -> Recorded:
        _, n, _, version, time, recorder, key, payload = line
        return self._event(match, n, version, time, recorder, key, payload)

    def _known(self, row: _Row, key: str) -> tuple[str, int, int] | None:
        """What was submitted under a key of a match: its fingerprint, its first and last event. None if nothing was."""
        known = self._conn.execute(
            "SELECT fingerprint, first, last FROM keys WHERE match = ? AND key = ?", (row.match, key)
        ).fetchone()
        if known or not row.is_sealed:
            return known  # type: ignore[no-any-return]  # the columns are as the schema has them
        batch = [r for r in self._rows(row.match, after=-1) if r.key == key]
        return (_fingerprint(batch), batch[0].n, batch[-1].n) if batch else None

    def _events(self, match: str, rows: Sequence[tuple[int, int, str, str, str, bytes]]) -> list[Recorded]:
        """Rows of position, version, time, recorder, key and payload as events. StoreError naming the one that cannot be read."""
        types = {(type(n), type(v), type(time), type(who), type(key), type(body)) for n, v, time, who, key, body in rows}
        if types == {_COLUMN_TYPES}:
            with suppress(KibitzError):
                return recorded_all(rows)
        return [self._event(match, *row) for row in rows]

    def _event(self, match: str, n: int, v: int, time: str, recorder: str, key: str, payload: bytes) -> Recorded:
        try:
            # SQLite keeps a value of any type in any column, and a bit that turned may have made it another.
            if (type(n), type(v), type(time), type(recorder), type(key), type(payload)) != _COLUMN_TYPES:
                raise UnreadableError("a column of it is of another type")
            return recorded_from(decode_body(payload, v), n, v, time, recorder, key)
        except KibitzError as error:
            raise StoreError(
                f"the stored event cannot be read ({error})",
                where=f"{self.path}, match {match}, event {n}",
                todo="Use a newer Kibitz if one wrote it; otherwise the store is damaged: go back to a backup",
            ) from error

    def _row(self, match: str) -> _Row | None:
        """All that an append has to know about a match and its book, in one query."""
        row = self._conn.execute(_ROW, (match,)).fetchone()
        return _Row(match, *row) if row else None

    def _update_match(self, row: _Row) -> None:
        """Write the columns of a match that change, and its check sum."""
        self._conn.execute(
            "UPDATE matches SET last = ?, changed = ?, is_over = ?, is_sealed = ?, digest = ? WHERE match = ?",
            (row.last, row.changed, row.is_over, row.is_sealed, row_digest(*_columns_of(row)), row.match),
        )

    def _insert_whole(
        self, match: str, book: str, game: str, records: Sequence[Recorded], bodies: Sequence[bytes], now: str, *,
        sealed: bool = False,
    ) -> None:  # fmt: skip
        """Write a new match from its opening on, a row an event or `sealed`; a book that does not exist is made."""
        head, created, settled = self._conn.execute(
            "SELECT head, created, settled FROM books WHERE book = ?", (book,)
        ).fetchone() or self._insert_book(book, now)
        parent, parent_n = branches_off(records[0]) or (None, None)
        if parent is not None and (parent == match or self._head(parent) is None):
            parent, parent_n = None, None
        row = _Row(
            match, book, game, records[0].time or now, now, len(records) - 1, 0, parent, parent_n, None, head, created,
            settled, int(sealed),
        )  # fmt: skip
        self._conn.execute(
            "INSERT INTO matches (match, book, game, created, changed, last, is_over, parent, parent_n, is_sealed,"
            " digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            _digested(*_columns_of(row)),
        )
        rows = self._laid_out(row, 0, records, bodies, NO_PREVIOUS)
        if sealed:
            lines = [Line(line[1], *line[3:9], body) for line, body in zip(rows, bodies, strict=True)]
            write_sealed(self, book, match, lines, bytes(rows[-1][-1]))
        else:
            self._insert_rows(rows)
        self._move_head(row, head + len(rows), rows[-1][-1])

    def _insert_book(self, book: str, now: str) -> tuple[int, str, int]:
        """Make a book; its head, when it was made, and whether it is settled. UsageError if none can be called so."""
        _check_name(book, "book")
        self._conn.execute("INSERT INTO books (book, head, created, digest) VALUES (?, ?, ?, ?)", _digested(book, 0, now))
        return 0, now, SETTLED

    def _insert(self, row: _Row, records: Sequence[Recorded], bodies: Sequence[bytes], now: str) -> None:
        """Write the events behind the last of a match, wherever they think they stand; bring match and book up to date.

        `row` is what `_row` said about the match in this transaction.
        """
        if not row.leaf or len(row.leaf) != 32:
            raise StoreError(
                f"the store is damaged: event {row.last} of match {row.match} has no leaf",
                where=str(self.path),
                todo="`kibitz verify` tells what was changed",
            )
        rows = self._laid_out(row, row.last + 1, records, bodies, row.leaf)
        self._insert_rows(rows)
        self._move_head(row, row.head + len(rows), rows[-1][-1])
        self._update_match(structs.replace(row, last=row.last + len(records), changed=now))

    def _laid_out(
        self, row: _Row, first: int, records: Sequence[Recorded], bodies: Sequence[bytes], prev: bytes
    ) -> list[_EventRow]:
        """The events at the next positions of the book, and from `first` on in their match, as they are stored.

        `prev` is the leaf before them in their match.
        """
        book, match, ahead = row.book, row.match, row.head + 1 - first
        leaf_of = chain_of(book.encode(), match.encode())
        rows: list[_EventRow] = []
        # Not as bytes: of those the driver asks each time, at length, whether somebody wants to adapt them.
        before = bytearray(prev)
        for n, (r, body) in enumerate(zip(records, bodies, strict=True), first):
            verb = verb_of(r.event)
            prev = leaf_of(n + ahead, n, verb, r.v, r.time, r.recorder, r.key, prev, body)
            leaf = bytearray(prev)
            rows.append((book, n + ahead, match, n, verb, r.v, r.time, r.recorder, r.key, body.decode(), before, leaf))
            before = leaf
        return rows

    def _insert_rows(self, rows: Sequence[_EventRow]) -> None:
        """Write the rows of events."""
        if len(rows) == 1:
            self._conn.execute(_INSERT, rows[0])
        else:
            self._conn.executemany(_INSERT, rows)

    def _move_head(self, row: _Row, head: int, leaf: bytes | bytearray) -> None:
        """Bring the book up to date: `head` is now its last position, and `leaf` that of the event there."""
        self._ended[row.book] = head, leaf
        self._conn.execute(
            "UPDATE books SET head = ?, settled = ?, digest = ? WHERE book = ?",
            (head, UNSETTLED, row_digest(row.book, head, row.book_created), row.book),
        )
        # The first append after a settled state is carried over at once, so that the file itself says that there is
        # more to come; after that every so often.
        self._due = self._due or row.settled != UNSETTLED or head // CHECKPOINT_EVERY > row.head // CHECKPOINT_EVERY

    def _note_keys(
        self, match: str, records: Sequence[Recorded], bodies: Sequence[bytes], since: int, only: str = ""
    ) -> None:
        """Keep the keys of the events from index `since` on, as if they had been submitted here; or one key `only`.

        A key that began earlier is written anew: somebody cut a file in the middle of a submission, and this is the
        rest.
        """
        fresh = {only} if only else {r.key for r in records[since:] if r.key}
        if not fresh:
            return
        batches: dict[str, list[tuple[Recorded, bytes]]] = {}
        for pair in zip(records, bodies, strict=True):
            if pair[0].key in fresh:
                batches.setdefault(pair[0].key, []).append(pair)
        self._conn.executemany(
            "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (match, key) DO UPDATE SET fingerprint = excluded.fingerprint, first = excluded.first,"
            " last = excluded.last, digest = excluded.digest",
            [
                _digested(match, key, _fingerprint(*zip(*batch, strict=True)), batch[0][0].n, batch[-1][0].n)
                for key, batch in batches.items()
            ],
        )

    def _says(self, match: str, key: str, first: int) -> str:
        """The fingerprint of what was submitted under a key, as it would be today.

        It differs from the one kept beside the key once the type of an event has a newer version.
        """
        return _fingerprint([r for r in self._rows(match, after=first - 1) if r.key == key])

    def _no_match(self, match: str) -> NotFoundError:
        rows = self._conn.execute("SELECT match FROM matches ORDER BY changed DESC, match LIMIT 6").fetchall()
        return NotFoundError(
            f"there is no match {_short(match)!r}",
            where=str(self.path),
            expected=f"one of {_some([row[0] for row in rows])}" if rows else "a match; the store has none yet",
        )


class _Row(Struct, frozen=True):
    """A match as an append needs it; `leaf` is that of its last event, empty in a new or sealed match."""

    match: str
    book: str
    game: str
    created: str
    changed: str
    last: int
    is_over: int
    parent: str | None
    parent_n: int | None
    leaf: bytes | None
    head: int
    book_created: str
    settled: int
    is_sealed: int


_ROW = (
    "SELECT m.book, m.game, m.created, m.changed, m.last, m.is_over, m.parent, m.parent_n, e.leaf, b.head, b.created,"
    " b.settled, m.is_sealed FROM matches m JOIN books b ON b.book = m.book"
    " LEFT JOIN events e ON e.match = m.match AND e.n = m.last WHERE m.match = ?"
)
_EventRow: TypeAlias = tuple[str, int, str, int, str, int, str, str, str, str, bytes | bytearray, bytes | bytearray]
"""A row of the table `events`, in the order of `_INSERT`."""
_COLUMN_TYPES = (int, int, str, str, str, bytes)
_INSERT = (
    "INSERT INTO events (book, pos, match, n, type, version, time, recorder, key, payload, prev, leaf)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _latest(ends: Sequence[tuple[Any, ...]]) -> Iterator[int]:
    """The indexes of matches, the latest changed first, given the book, position and time of the last event of each.

    Within a book their places decide, which are proved; times only between the books.
    """
    books: dict[object, list[int]] = {}
    for i in sorted(range(len(ends)), key=lambda i: ends[i][1] if isinstance(ends[i][1], int) else 0):
        books.setdefault(ends[i][0], []).append(i)
    waiting = list(books.values())
    while waiting:
        latest = max(waiting, key=lambda one: (str(ends[one[-1]][2]), str(ends[one[-1]][0]))) if waiting[1:] else waiting[0]
        yield latest.pop()
        if not latest:
            waiting.remove(latest)


# Files


def _look(path: Path, *, create: bool, make_parents: bool) -> None:
    """Refuse what cannot be a store before SQLite touches it."""
    try:
        if "\0" in str(path):
            raise UsageError(f"{str(path)!r} is not the name of a file")
        if path.is_dir():
            raise StoreError("this is a directory", where=str(path), expected="a file")
        if path.exists():
            if not path.is_file():
                raise StoreError("this is not an ordinary file", where=str(path), expected="a file")
            # SQLite takes so short a file for an empty database and would write over it. Only its size is looked at:
            # to open and close the file here would drop the locks that other threads hold on it.
            if 0 < path.stat().st_size < 512:
                raise StoreError(NO_STORE, where=str(path), todo=LEFT_ALONE)
            if path.stat().st_size or not create:
                return
        elif not create:
            raise NotFoundError("there is no store here", where=str(path), todo="Look at the path, or start a match")
        _look_for_lost(path)
        if make_parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.is_dir():
            raise NotFoundError(
                "there is no such directory", where=str(path.parent), todo="Make it first, or name another place"
            )
    except OSError as error:
        raise StoreError(
            f"the store cannot be reached ({error.strerror})", where=str(path), todo="Look at the path and permissions"
        ) from error


def _file_at(path: str | Path) -> os.stat_result | None:
    """What is known of the file; None if there is none."""
    try:
        return os.stat(path)
    except OSError:
        return None


def _names(file: os.stat_result) -> str:
    return f"this file has {file.st_nlink} names (hard links)"


def _check_names(path: Path, file: os.stat_result | None) -> None:
    """Refuse to write to a file with two names: each has a write-ahead file and a lock of its own, so that events get lost."""
    if file is not None and file.st_nlink > 1:
        raise StoreError(
            f"{_names(file)}, and who opens it under another one does not see what is added here",
            where=str(path),
            expected="one name; symbolic links to it do no harm",
            todo=f"Remove the others (`find DIRECTORY -samefile {path.name}` lists them), or go on with a copy "
            "(`kibitz db backup FILE`)",
        )


def _size_of(path: Path) -> int:
    """How long a file is; -1 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _look_for_lost(path: Path) -> None:
    """Refuse to begin anew in the place of a store that is gone: SQLite would remove what is left of it beside the file."""
    if ends := [end for end in read_ends(path).values() if end.position]:
        said = ", ".join(f"{end.position} in book {end.book:.80}" for end in ends[:5])
        raise StoreError(
            f"the store is gone: the file is {'empty' if path.exists() else 'missing'}, and events were recorded ({said})",
            where=str(path),
            todo=f"Put it back, or a backup of it; to begin a new store instead, remove {ends_path(path)}",
        )


def _lock_of(path: Path, *, write: bool) -> FileLock:
    """The lock of the store, for a writer; StoreError if it cannot have one."""
    if not write:
        return FileLock(path, None)
    try:
        return FileLock.of(path)
    except OSError as error:
        what, todo = BESIDE if path.exists() else CLOSED
        raise StoreError(what, where=str(path), todo=todo) from error


def _upgrade(kind: type[Store], path: Path, version: int, timeout: float, clock: Callable[[], datetime]) -> None:
    """Bring an old store up to date for a reader. StoreError saying both that it is due and why it failed."""
    try:
        kind.open(path, create=False, timeout=timeout, clock=clock).close()
    except StoreError as error:
        raise StoreError(
            f"the store has version {version} and has to be brought up to version "
            f"{len(schema.MIGRATIONS)} before it can be read, but {error.what}",
            where=str(path),
            todo=error.todo,
        ) from error.__cause__


def _connect(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    """A connection that leaves transactions to us. `mode` is SQLite's: `ro`, `rw`, `rwc`."""
    with translated_errors(path):
        conn = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=timeout, isolation_level=None
        )
        return guarded(conn)


def guarded(conn: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, careful with a file that anybody may have made: nothing in it may call a function that does more than
    compute, and no page is trusted to be what it says."""
    for guard in _GUARDS:
        conn.execute(guard)
    return conn


_GUARDS = ("PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON")


def _check_foreign(conn: sqlite3.Connection, path: Path, *, write: bool) -> None:
    """StoreError if something in the file that is not Kibitz's could act while it is read or, with `write`, written."""
    with translated_errors(path):
        found = [one for one in foreign_in(conn) if one.stops == "reading" or (write and one.stops)]
    if found:
        raise StoreError(
            f"the store holds what could show or write something else than was recorded: {found[0].text}",
            where=str(path),
            todo=("Take it out with the program that put it in, or go back to a backup")
            + ("; reading goes on" if found[0].stops == "writing" else ""),
        )


def _connect_reading(path: Path, timeout: float) -> sqlite3.Connection:
    """A connection that can only read.

    SQLite wants to keep two small files beside a store that is open. Where it may not (a directory without write
    permission, a read-only disk) and nobody else has the store open, the file alone is the whole store and stands
    still, so it may be read without them.
    """
    conn = _connect(path, "ro", timeout)
    try:
        conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # what is not mended here is told by whoever asks next
        name = getattr(error, "sqlite_errorname", "")
        wal = path.with_name(path.name + "-wal")
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")) and os.access(path, os.R_OK) and not wal.exists():
            conn.close()
            return _connect(path, "ro&immutable=1", timeout)
    return conn


# Small things


def _columns_of(row: _Row) -> tuple[str | int | None, ...]:
    """What is stored of a match, in the order of its check sum."""
    return (
        row.match, row.book, row.game, row.created, row.changed, row.last, row.is_over, row.parent, row.parent_n,
        row.is_sealed,
    )  # fmt: skip


def _stamp(moment: datetime) -> str:
    """A moment as it is written: UTC, milliseconds, `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _opening(facts: Facts, game: str, match: str, by: str, time: str, recorder: str, text: str, key: str) -> Recorded:
    opening = Open(by=by, facts={"Game": game, "Match": match, **facts})
    return Recorded(n=0, event=opening, v=version_of(opening), time=time, recorder=recorder, text=text, key=key)


def _digested(*values: str | int | None) -> tuple[str | int | None, ...]:
    """The values of a row, and its check sum behind them."""
    return (*values, row_digest(*values))


def _fingerprint(records: Sequence[Recorded], bodies: Sequence[bytes] | None = None) -> str:
    """What a submission says, as a hash: a retry says the same. When it was entered does not count."""
    said = []
    for recorded, body in zip(records, encode_bodies(records) if bodies is None else bodies, strict=True):
        who = recorded.recorder.encode()
        said.append(b"%d %d\n%b%b" % (len(who), len(body), who, body))
    return hashlib.sha256(b"".join(said)).hexdigest()


def check_whole(records: Sequence[Recorded]) -> Open:
    """The opening, if these are the events of one match from its opening on, none missing. UnreadableError if not."""
    opening = records[0].event if records else None
    if len(records) > MAX_EVENTS + 1:
        raise UnreadableError("the match is too long", expected=f"at most {MAX_EVENTS} events")
    if not isinstance(opening, Open):
        raise UnreadableError("the match does not begin with its opening", expected="an `open` event at position 0")
    for n, recorded in enumerate(records):
        if recorded.n != n:
            raise UnreadableError(f"event {n} is missing, event {recorded.n} stands in its place")
    return opening


def branches_off(opening: Recorded) -> tuple[str, int] | None:
    """The match and event that a variation branches off, as the tags `Parent` and `ParentEvent` of its opening say."""
    facts = opening.event.facts if isinstance(opening.event, Open) else {}
    parent, n = facts.get("Parent"), facts.get("ParentEvent")
    return (parent, n) if isinstance(parent, str) and type(n) is int and 0 <= n < FAR else None


def _agree(ours: Recorded, theirs: Recorded) -> bool:
    """Whether two records of one event are the same; what theirs leaves empty contradicts nothing."""
    if ours == theirs and encode_body(ours) == encode_body(theirs):  # `==` alone takes True for 1
        return True
    return (
        ours.v == theirs.v
        and encode_body(ours) == encode_body(theirs)
        and theirs.time in ("", ours.time)
        and theirs.recorder in ("", ours.recorder)
        and theirs.key in ("", ours.key)
    )


def _too_long(match: str, last: int) -> UsageError:
    return UsageError(
        f"the match would have {last} events", where=f"match {match}", expected=f"at most {MAX_EVENTS}",
        todo="Nothing was written; go on in a new match",
    )  # fmt: skip


def _differs(match: str, ours: Recorded, theirs: Recorded) -> ConflictError:
    return ConflictError(
        f"the store has {_short(encode(ours).decode().strip())}, the other record has "
        f"{_short(encode(theirs).decode().strip())}",
        where=f"match {match}, event {ours.n}",
        todo="If these are two different matches, give one of them an id of its own",
    )


def _check_name(name: str, what: str) -> None:
    if not is_name(name):
        raise UsageError(f"{_short(name)!r} cannot be the name of a {what}", expected=NAME)


def _short(text: object) -> str:
    """The text, cut where it would flood a message. In a damaged store it may be anything."""
    text = str(text)
    return text if len(text) <= 240 else text[:240] + "…"


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(str, names[:5])) + (" …" if len(names) > 5 else "")


def _span(first: int, last: int) -> str:
    return f"event {first}" if first == last else f"events {first} to {last}"
