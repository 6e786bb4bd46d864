"""The store: one SQLite file that holds the logs of many matches and hands out their positions.

Whoever appends says which event they have seen last. If others were quicker, nothing is written and the writer gets
what they missed. A submission key makes a retry harmless, for ever. An append that has returned is on the disk.

A `Store` belongs to the thread that opened it; programs and threads that work on the same file open one each.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sqlite3
import time as _time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from msgspec import Struct, structs

from events.canon import decode_body, encode, encode_body, recorded_from
from events.errors import ConflictError, KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from events.model import Facts, Open, Recorded, verb_of
from events.versions import version_of
from records import schema
from records.faults import LEFT_ALONE, NO_STORE, StaleWriterError, told

HOME = "home"
# Lower-case only: an id also names files, and some file systems do not tell capitals apart.
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
ID_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # no 0 1 i l o, and no u, so that no common word comes out
_FAR = 10**9


class Appended(Struct, frozen=True):
    """What became of an append: the positions of its first and last event. `repeated`: the key was known already."""

    first: int
    last: int
    repeated: bool = False


class MatchRow(Struct, frozen=True):
    """A match in a listing. `last` is the position of its last event, `facts` are those of its opening.

    `created` is when the match was opened, `changed` when this store last wrote to it. `parent` and `parent_n` name
    the match and event that a variation branches off.
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


class BookRow(Struct, frozen=True):
    """A book in a listing. `head` is the position of its last event, 0 while it has none."""

    book: str
    head: int
    created: str


class Placed(Struct, frozen=True):
    """An event with its place in its book."""

    pos: int
    match: str
    recorded: Recorded


class Adopted(Struct, frozen=True):
    """What became of the events of a file: the match was `new`, said the `same`, or `added` events were `appended`."""

    status: Literal["new", "same", "appended"]
    added: int


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

    def __init__(self, conn: sqlite3.Connection, path: Path, *, write: bool, clock: Callable[[], datetime]) -> None:
        self.path = path
        self.write = write
        self._conn = conn
        self._clock = clock

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

        NotFoundError if there is no store and none is to be made; StoreError if the file cannot be used.
        """
        where = default_path() if path is None else Path(path)
        create = write and create
        _look(where, create=create, make_parents=path is None)
        deadline = _time.monotonic() + timeout
        while True:
            try:
                return cls._opened(where, write=write, create=create, timeout=timeout, clock=clock)
            except StoreError as error:
                # While another program sets the store up, or is the last to close it, SQLite may answer "busy" at once
                # instead of waiting; so we wait.
                busy = getattr(error.__cause__, "sqlite_errorname", "").startswith("SQLITE_BUSY")
                if not busy or _time.monotonic() >= deadline:
                    raise
                _time.sleep(0.01)

    @classmethod
    def _opened(cls, path: Path, *, write: bool, create: bool, timeout: float, clock: Callable[[], datetime]) -> Self:
        if write:
            conn = _connect(path, "rwc" if create else "rw", timeout)
        else:
            conn = _connect_reading(path, timeout)
        try:
            version = schema.version_of(conn, path)
            if version == 0 and not create:
                raise NotFoundError("the file is empty, there is no store in it", where=str(path))
            with told(path):
                if write:
                    conn.execute("PRAGMA foreign_keys=ON")
                    # Readers and one writer do not get in each other's way, and a commit waits for the disk.
                    conn.execute("PRAGMA journal_mode=WAL").fetchone()
                    conn.execute("PRAGMA synchronous=FULL")
                    # Where a plain sync leaves data in the cache of the drive (macOS), ask for more; no effect elsewhere.
                    conn.execute("PRAGMA fullfsync=ON")
                else:
                    conn.execute("PRAGMA query_only=ON")
            if version < len(schema.MIGRATIONS):
                if not write:
                    conn.close()
                    try:
                        cls._opened(path, write=True, create=False, timeout=timeout, clock=clock).close()
                    except StoreError as error:
                        raise StoreError(
                            f"the store has version {version} and has to be brought up to version "
                            f"{len(schema.MIGRATIONS)} before it can be read, but {error.what}",
                            where=str(path),
                            todo=error.todo,
                        ) from error.__cause__
                    return cls._opened(path, write=False, create=False, timeout=timeout, clock=clock)
                schema.upgrade(conn, path, _stamp(clock()))
        except BaseException:
            conn.close()
            raise
        return cls(conn, path, write=write, clock=clock)

    def close(self) -> None:
        """Close the store. Closing twice does no harm."""
        with told(self.path):
            self._conn.close()

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
        _check_name(book, "book")
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
            self._insert_match(match, book, game, opening, now)
            self._insert(match, book, [opening], [encode_body(opening)])
            self._note_keys(match, [opening], 0)
        return match

    def append(self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "") -> Appended:
        """Add events to the end of a match, all or none, durable when this returns.

        The positions of `drafts` are ignored: the store hands them out. An empty `time` is filled in from the clock.
        `expect` is the position of the last event the writer has seen (0: only the opening); None: it does not matter.
        `key` is the submission key of the whole; left out, it is the key the drafts themselves carry.

        StaleWriterError (with `unseen`) if there are later events; ConflictError if the key was used for something
        else; the same key with the same events returns the first answer again, whatever was added since. Time is not
        compared. UnreadableError if a draft is not an event that can be written.
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
            structs.replace(draft, n=_FAR, v=version_of(draft.event), key=key, time=draft.time or now)
            for draft in drafts
        ]
        bodies = [encode_body(recorded) for recorded in ready]
        fingerprint = _fingerprint(ready, bodies) if key else ""
        with self._writing():
            head = self._head(match)
            if head is None:
                raise self._no_match(match)
            book, last = head
            if key:
                known = self._conn.execute(
                    "SELECT fingerprint, first, last FROM keys WHERE match = ? AND key = ?", (match, key)
                ).fetchone()
                if known and (known[0] == fingerprint or self._says(match, key, known[1]) == fingerprint):
                    return Appended(known[1], known[2], repeated=True)
                if known:
                    raise ConflictError(
                        f"the submission key {_short(key)!r} was used for {_span(known[1], known[2])}, "
                        "which says something else",
                        where=f"match {match}",
                        todo="Use a new key for new events",
                    )
            if expect is not None and expect != last:
                raise StaleWriterError(match, expect, last, self._rows(match, after=expect))
            placed = [structs.replace(recorded, n=n) for n, recorded in enumerate(ready, last + 1)]
            self._insert(match, book, placed, bodies)
            if key:
                self._conn.execute(
                    "INSERT INTO keys (match, key, fingerprint, first, last) VALUES (?, ?, ?, ?, ?)",
                    (match, key, fingerprint, placed[0].n, placed[-1].n),
                )
            self._conn.execute("UPDATE matches SET last = ?, changed = ? WHERE match = ?", (placed[-1].n, now, match))
        return Appended(placed[0].n, placed[-1].n)

    def adopt(self, match: str, records: Sequence[Recorded], *, game: str, book: str = HOME) -> Adopted:
        """Take over a whole match as it was recorded elsewhere: opening first, positions 0, 1, 2 …

        Time, recorder and key stay as they are, also where they are empty. If the store has the match already (it
        stays in its book then), the shorter of the two must be the beginning of the longer: what is new is appended, or nothing is. An empty time,
        recorder or key in `records` contradicts nothing.

        ConflictError naming the first event that differs, with both versions; nothing is written then.
        """
        check_id(match)
        _check_name(book, "book")
        check_whole(records)
        bodies = [encode_body(recorded) for recorded in records]
        with self._writing():
            now = _stamp(self._clock())
            head = self._head(match)
            if head is None:
                stored: list[Recorded] = []
                self._insert_match(match, book, game, records[0], now)
            else:
                book = head[0]
                stored = self._rows(match, after=-1)
                for ours, theirs in zip(stored, records, strict=False):
                    if not _agree(ours, theirs):
                        raise _differs(match, ours, theirs)
            new = records[len(stored) :]
            if new:
                self._insert(match, book, new, bodies[len(stored) :])
                self._note_keys(match, [*stored, *new], len(stored))
                self._conn.execute(
                    "UPDATE matches SET last = ?, changed = ? WHERE match = ?", (records[-1].n, now, match)
                )
        status: Literal["new", "same", "appended"] = "new" if not stored else "appended" if new else "same"
        return Adopted(status, len(new))

    def set_over(self, match: str, over: bool) -> None:
        """Note whether the match is over. The store cannot tell by itself: that is a question of the rules."""
        with self._writing():
            if not self._conn.execute("UPDATE matches SET is_over = ? WHERE match = ?", (int(over), match)).rowcount:
                raise self._no_match(match)

    # Reading

    def read(self, match: str, after: int = -1) -> list[Recorded]:
        """The events of a match after position `after`, in order; all of them, opening first, if left out.

        NotFoundError if there is no such match; StoreError if an event cannot be read.
        """
        with told(self.path):
            rows = self._rows(match, after)
            if not rows and self._head(match) is None:
                raise self._no_match(match)
        return rows

    def length(self, match: str) -> int:
        """How many events the match has, the opening included: one more than the position of the last."""
        with told(self.path):
            head = self._head(match)
            if head is None:
                raise self._no_match(match)
        return head[1] + 1

    def matches(self, *, book: str | None = None, game: str | None = None, open_only: bool = False) -> list[MatchRow]:
        """The matches of the store, or those of one book or game, or those not over; the latest changed first."""
        from sqlite_utils import Database

        rows: list[MatchRow] = []
        with told(self.path):
            db = Database(self._conn, recursive_triggers=False, execute_plugins=False)
            for row in db.query(
                "SELECT m.match, m.book, m.game, m.created, m.changed, m.last, m.is_over, m.parent, m.parent_n,"
                " e.version, CAST(e.payload AS BLOB) AS payload FROM matches m JOIN events e ON e.match = m.match AND e.n = 0"
                " JOIN events last_e ON last_e.match = m.match AND last_e.n = m.last"
                " WHERE (:book IS NULL OR m.book = :book) AND (:game IS NULL OR m.game = :game)"
                " AND (:open = 0 OR m.is_over = 0)"
                f" ORDER BY {_LATEST}",
                {"book": book, "game": game, "open": int(open_only)},
            ):
                v, payload, over = row.pop("version"), row.pop("payload"), bool(row.pop("is_over"))
                opening = self._event(row["match"], 0, v, "", "", "", payload).event
                facts = opening.facts if isinstance(opening, Open) else {}
                rows.append(MatchRow(**row, over=over, facts=facts))
        return rows

    def last_open_match(self) -> str | None:
        """The match that is not over and was changed last; None if there is none."""
        with told(self.path):
            row = self._conn.execute(
                "SELECT m.match FROM matches m JOIN events last_e ON last_e.match = m.match AND last_e.n = m.last"
                f" WHERE m.is_over = 0 ORDER BY {_LATEST} LIMIT 1"
            ).fetchone()
        return str(row[0]) if row else None

    def find(self, prefix: str) -> str:
        """The id that begins with `prefix`, if it is the only one; an id written in full is always found.

        NotFoundError if there is none, or more than one; it lists what could be meant.
        """
        wanted = prefix.strip().lower()
        with told(self.path):
            found = [
                str(row[0])
                for row in self._conn.execute(
                    "SELECT match FROM matches WHERE substr(match, 1, ?) = ? ORDER BY match", (len(wanted), wanted)
                )
            ]
            if wanted in found:
                return wanted
            if len(found) == 1:
                return found[0]
            if found:
                raise NotFoundError(
                    f"{len(found)} matches begin with {_short(wanted)!r}: {_some(found)}",
                    where=str(self.path),
                    todo="Write one more character of the id",
                )
            raise self._no_match(wanted)

    def books(self) -> list[BookRow]:
        """The books of the store, oldest first."""
        with told(self.path):
            rows = self._conn.execute("SELECT book, head, created FROM books ORDER BY created, book").fetchall()
        return [BookRow(*row) for row in rows]

    def tail(self, book: str = HOME, after: int = 0, limit: int | None = None) -> list[Placed]:
        """The events of a book after position `after` of the book, in the order they were written, at most `limit`.

        NotFoundError if there is no such book.
        """
        with told(self.path):
            rows = self._conn.execute(
                "SELECT pos, match, n, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
                " WHERE book = ? AND pos > ? ORDER BY pos LIMIT ?",
                (book, after, 2**62 if limit is None else limit),
            ).fetchall()
            if not rows and not self._conn.execute("SELECT 1 FROM books WHERE book = ?", (book,)).fetchone():
                raise NotFoundError(
                    f"there is no book {_short(book)!r}",
                    where=str(self.path),
                    expected=_some([row.book for row in self.books()]) or "a book; the store has none yet",
                )
        return [Placed(pos, match, self._event(match, *rest)) for pos, match, *rest in rows]

    def check(self) -> None:
        """Look the whole file over: its pages, and that no position is missing. StoreError naming what is wrong.

        Takes time in proportion to the file, so it is done on demand, not when opening.
        """
        with told(self.path):
            wrong = [str(row[0]) for row in self._conn.execute("PRAGMA quick_check(5)") if row[0] != "ok"]
            if not wrong:
                wrong += [
                    f"an entry of {row[0]} points to a missing one of {row[2]}"
                    for row in self._conn.execute("PRAGMA foreign_key_check")
                ]
                wrong += [
                    f"book {book} has {count} events up to position {head}"
                    for book, head, count in self._conn.execute(
                        "SELECT b.book, b.head, count(e.pos) FROM books b LEFT JOIN events e ON e.book = b.book"
                        " GROUP BY b.book, b.head HAVING count(e.pos) <> b.head OR coalesce(max(e.pos), 0) <> b.head"
                    )
                ]
                wrong += [
                    f"match {match} has {count} events up to position {last}"
                    for match, last, count in self._conn.execute(
                        "SELECT m.match, m.last, count(e.n) FROM matches m LEFT JOIN events e ON e.match = m.match"
                        " GROUP BY m.match, m.last HAVING count(e.n) <> m.last + 1 OR coalesce(max(e.n), -1) <> m.last"
                    )
                ]
        if wrong:
            raise StoreError(
                f"the store is damaged: {'; '.join(wrong[:5])}",
                where=str(self.path),
                todo="Copy the file before anything else, then export what can still be read, or go back to a backup",
            )

    # Inside a transaction

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: the lock is taken at the start, so that nobody can write between our looking and writing."""
        if not self.write:
            raise UsageError("the store was opened for reading only", where=str(self.path))
        with told(self.path):
            self._conn.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._conn.execute("COMMIT")
            except BaseException:
                # After a full disk SQLite may have rolled back by itself; and the first error is the one to tell.
                if self._conn.in_transaction:
                    with suppress(sqlite3.Error):
                        self._conn.execute("ROLLBACK")
                raise

    def _head(self, match: str) -> tuple[str, int] | None:
        """The book of a match and the position of its last event."""
        row = self._conn.execute("SELECT book, last FROM matches WHERE match = ?", (match,)).fetchone()
        return (str(row[0]), int(row[1])) if row else None

    def _opened_with(self, key: str) -> list[str]:
        """The matches opened under a key. More than one only if a copy was imported under another id."""
        rows = self._conn.execute("SELECT match FROM keys WHERE key = ? AND first = 0 ORDER BY match", (key,))
        return [str(row[0]) for row in rows]

    def _rows(self, match: str, after: int) -> list[Recorded]:
        rows = self._conn.execute(
            "SELECT n, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
            " WHERE match = ? AND n > ? ORDER BY n",
            (match, after),
        ).fetchall()
        return [self._event(match, *row) for row in rows]

    def _event(self, match: str, n: int, v: int, time: str, recorder: str, key: str, payload: bytes) -> Recorded:
        try:
            return recorded_from(decode_body(payload, v), n, v, time, recorder, key)
        except KibitzError as error:
            raise StoreError(
                f"the stored event cannot be read ({error})",
                where=f"{self.path}, match {match}, event {n}",
                todo="Use a newer Kibitz if one wrote it; otherwise the store is damaged: go back to a backup",
            ) from error

    def _insert_match(self, match: str, book: str, game: str, opening: Recorded, now: str) -> None:
        self._conn.execute(
            "INSERT INTO books (book, head, created) VALUES (?, 0, ?) ON CONFLICT (book) DO NOTHING", (book, now)
        )
        self._conn.execute(
            "INSERT INTO matches (match, book, game, created, changed, last, is_over) VALUES (?, ?, ?, ?, ?, 0, 0)",
            (match, book, game, opening.time or now, now),
        )

    def _insert(self, match: str, book: str, records: Sequence[Recorded], bodies: Iterable[bytes]) -> None:
        """Write the events, with the next positions of the book. The caller brings `matches.last` up to date."""
        self._conn.execute("UPDATE books SET head = head + ? WHERE book = ?", (len(records), book))
        (head,) = self._conn.execute("SELECT head FROM books WHERE book = ?", (book,)).fetchone()
        first = head - len(records) + 1
        self._conn.executemany(
            "INSERT INTO events (book, pos, match, n, type, version, time, recorder, key, payload)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (book, pos, match, r.n, verb_of(r.event), r.v, r.time, r.recorder, r.key, body.decode())
                for pos, (r, body) in enumerate(zip(records, bodies, strict=True), first)
            ],
        )

    def _note_keys(self, match: str, records: Sequence[Recorded], since: int) -> None:
        """Keep the keys of the events from index `since` on, as if they had been submitted here.

        A key that began earlier is written anew: somebody cut a file in the middle of a submission, and this is the
        rest.
        """
        fresh = {r.key for r in records[since:] if r.key}
        batches: dict[str, list[Recorded]] = {}
        for recorded in records:
            if recorded.key in fresh:
                batches.setdefault(recorded.key, []).append(recorded)
        self._conn.executemany(
            "INSERT INTO keys (match, key, fingerprint, first, last) VALUES (?, ?, ?, ?, ?) ON CONFLICT (match, key)"
            " DO UPDATE SET fingerprint = excluded.fingerprint, first = excluded.first, last = excluded.last",
            [(match, key, _fingerprint(batch), batch[0].n, batch[-1].n) for key, batch in batches.items()],
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


# Latest first. The clock alone does not decide between matches changed in the same moment, so their place in the book
# does: `last_e` is the last event of the match.
_LATEST = "m.changed DESC, last_e.pos DESC, m.match"


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
            return
        if not create:
            raise NotFoundError("there is no store here", where=str(path), todo="Look at the path, or start a match")
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


def _connect(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    """A connection that leaves transactions to us. `mode` is SQLite's: `ro`, `rw`, `rwc`."""
    with told(path):
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=timeout, isolation_level=None
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
    except sqlite3.Error as error:  # what is not mended here is told by whoever asks next
        name = getattr(error, "sqlite_errorname", "")
        wal = path.with_name(path.name + "-wal")
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")) and os.access(path, os.R_OK) and not wal.exists():
            conn.close()
            return _connect(path, "ro&immutable=1", timeout)
    return conn


# Small things


def _stamp(moment: datetime) -> str:
    """A moment as it is written: UTC, milliseconds, `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _opening(facts: Facts, game: str, match: str, by: str, time: str, recorder: str, text: str, key: str) -> Recorded:
    opening = Open(by=by, facts={"Game": game, "Match": match, **facts})
    return Recorded(n=0, event=opening, v=version_of(opening), time=time, recorder=recorder, text=text, key=key)


def _fingerprint(records: Sequence[Recorded], bodies: Sequence[bytes] | None = None) -> str:
    """What a submission says, as a hash: a retry says the same. When it was entered does not count."""
    digest = hashlib.sha256()
    for recorded, body in zip(records, bodies or [encode_body(r) for r in records], strict=True):
        who = recorded.recorder.encode()
        digest.update(b"%d %d\n%b%b" % (len(who), len(body), who, body))
    return digest.hexdigest()


def check_whole(records: Sequence[Recorded]) -> Open:
    """The opening, if these are the events of one match from its opening on, none missing. UnreadableError if not."""
    opening = records[0].event if records else None
    if not isinstance(opening, Open):
        raise UnreadableError("the match does not begin with its opening", expected="an `open` event at position 0")
    for n, recorded in enumerate(records):
        if recorded.n != n:
            raise UnreadableError(f"event {n} is missing, event {recorded.n} stands in its place")
    return opening


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


def _differs(match: str, ours: Recorded, theirs: Recorded) -> ConflictError:
    return ConflictError(
        f"the store has {_short(encode(ours).decode().strip())}, the other record has "
        f"{_short(encode(theirs).decode().strip())}",
        where=f"match {match}, event {ours.n}",
        todo="If these are two different matches, give one of them an id of its own",
    )


def _check_name(name: str, what: str) -> None:
    if not name or len(name) > 200 or not name.isprintable():
        raise UsageError(f"{_short(name)!r} cannot be the name of a {what}", expected="up to 200 printable characters")


def _short(text: str) -> str:
    """The text, cut where it would flood a message."""
    return text if len(text) <= 240 else text[:240] + "…"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")


def _span(first: int, last: int) -> str:
    return f"event {first}" if first == last else f"events {first} to {last}"
