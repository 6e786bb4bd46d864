"""All statements that write to the tables of a store, within a transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import structs

from events.errors import StoreError, UnreadableError, UsageError
from events.limits import MAX_BOUND_BYTES
from events.visible_text import NAME, is_name
from records.hashes import NO_PREVIOUS, digest_of_values, row_digest
from records.names import cut_short
from records.reading import opened_in_parts
from records.rows import (
    BOUND_EVENTS,
    SEALED,
    VOLUME_MATCHES,
    BookEntry,
    KeyEntry,
    MatchEntry,
    SealedRow,
    Stretch,
    Tail,
    Volume,
)
from records.sealed_codec import alone, damaged, leaves_in, sealed_row, unsealed_lines
from records.sqlite.event_runs import COLUMNS, FILLED, LEAF, READ, SPAN, Run, join_runs, name_of_run, runs_of, split_run
from records.sqlite.faults import translated_errors
from records.sqlite.reading import SqliteReader
from records.sqlite.schema import SETTLED, UNSETTLED
from records.sqlite.volumes import Lost, VolumeEntry

if TYPE_CHECKING:
    from pathlib import Path

    from records.commitments import Commitments

CHECKPOINT_EVERY = 256
"""After this many events of a book the writer checkpoints the WAL. Also the most events in the tail before it is
filed."""
FEW = 16
"""An append with fewer events goes to the tail, a longer one directly into runs."""
FEWEST = 16
"""Fewest matches bound at once if they are sealed in one commit; others wait until they fill a volume."""
MOST_WAITING = 1024
"""Most matches that wait to be bound."""
MOST_KEPT = 512
"""Most matches whose state a writer caches, besides those in the tail."""
_TAIL = (
    "SELECT m.book, m.game, m.created, m.changed, m.last, m.is_over, m.parent, m.parent_n, m.is_sealed,"
    " substr(l.leaves, -32), l.n + l.events - 1, b.head, b.created, b.settled, m.volume,"
    " (SELECT x.payload FROM runs x WHERE x.match = m.match AND x.n = 0) FROM matches m "
    "JOIN books b ON b.book = m.book"
    " LEFT JOIN runs l ON l.match = m.match AND l.n = (SELECT max(x.n) FROM runs x WHERE x.match = m.match)"
    " WHERE m.match = ?"
)
_RECENT = f"SELECT {READ}, key, fingerprint, changed, digest, place FROM recent WHERE place > ? ORDER BY place"
_ADD_RECENT = (
    f"INSERT INTO recent (place, {COLUMNS}, key, fingerprint, changed, digest) VALUES (?, ?, ?, ?, ?, ?, "
    "?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD_VOLUME = f"INSERT INTO volumes (volume, {', '.join(Volume._fields)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_BOUND = (
    "INSERT INTO matches (match, book, game, created, changed, last, is_over, parent, parent_n, digest, "
    "is_sealed, volume)"
    " VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, '', 1, ?)"
)
_ADD_RUN = f"INSERT INTO runs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_KEY = "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, ?, ?, ?, ?)"
_KEY = (
    "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (match, key) DO UPDATE SET fingerprint = excluded.fingerprint, first = excluded.first,"
    " last = excluded.last, digest = excluded.digest"
)


class _Kept:
    """A writer's cache of the tail and of the matches and books it wrote, valid while no other program writes."""

    __slots__ = (
        "books", "changed", "entries", "events", "first", "keys", "leaves", "parts", "place", "rows", "settled",
        "version",
    )

    def __init__(self) -> None:
        self.version = -1  # SQLite's data_version for this connection
        self.forget()

    def forget(self) -> None:
        """Forget everything about the file."""
        self.entries: dict[str, MatchEntry] = {}
        self.leaves: dict[str, bytes | None] = {}
        self.parts: dict[str, Commitments | None] = {}
        self.books: dict[str, BookEntry] = {}
        self.settled: dict[str, int] = {}
        self.empty()

    def empty(self) -> None:
        """Reset after the tail was filed."""
        self.place = self.events = 0
        self.rows: dict[str, list[Run]] = {}  # the tail by match
        self.changed: dict[str, str] = {}  # match -> time of its last append
        self.first = b""  # leaves of its first row, which identify a tail
        self.keys: dict[tuple[str, str], KeyEntry] = {}


class _Waiting(NamedTuple):
    """A new sealed match that is not written yet: its row, its events, and the key that opened it."""

    entry: MatchEntry
    events: Stretch
    keys: list[KeyEntry]


class SqliteWriter(SqliteReader):
    """One connection, within a transaction, as `records.backend.Writer` describes it.

    `ended` has the end of each book that was written to. `due`: checkpoint the WAL after the commit. `failed`: a
    savepoint met a database error, so that the transaction is void. New sealed matches wait until the transaction
    ends, to be bound into a volume; a query of the tables writes them first."""

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._waiting: dict[str, _Waiting] = {}
        self._binding = False
        self._sealed: Counter[str] = Counter()  # matches sealed in this transaction, by book
        super().__init__(conn, path)
        self.ended: dict[str, tuple[int, bytes]] = {}
        self.due = False
        self.failed: sqlite3.Error | None = None
        self._kept = _Kept()
        self._known = False  # True once the cache was compared with the file in this transaction
        self._wrote = 0
        self._run = conn.execute

    @property
    def _conn(self) -> sqlite3.Connection:
        if self._waiting and not self._binding:
            self._write_waiting()
        return self._link

    @_conn.setter
    def _conn(self, conn: sqlite3.Connection) -> None:
        self._link = conn

    def begin(self) -> None:
        """Start a transaction."""
        self._run = self._link.cursor().execute  # one cursor for all: creating cursors takes time
        self._waiting.clear()
        self._sealed.clear()
        self.ended.clear()
        self._known = False
        self.failed = None

    def forget(self) -> None:
        """Clear the cache after a rollback."""
        self._kept.forget()
        self._kept.version = -1
        self._known = False
        self.ended.clear()

    def rest(self) -> None:
        """Drop the last cursor, which would hold its snapshot if unfinished, and matches that were not written."""
        self._waiting.clear()
        self._run = self._link.execute

    @contextmanager
    def part(self) -> Iterator[Self]:
        self.check_parts()
        before, wrote = dict(self.ended), self._wrote
        waiting, sealed = dict(self._waiting), Counter(self._sealed)
        with translated_errors(self.path):
            try:
                self._link.execute("SAVEPOINT part")
                try:
                    yield self
                    self._link.execute("RELEASE part")
                except BaseException:
                    if self._wrote != wrote:
                        self.forget()
                    self.ended = before
                    # Waiting matches that were written inside wait again after the rollback.
                    self._waiting, self._sealed = waiting, sealed
                    if self._link.in_transaction:
                        self._link.execute("ROLLBACK TO part")
                        self._link.execute("RELEASE part")
                    raise
            except sqlite3.Error as error:
                self.failed = error
                raise

    def check_parts(self) -> None:
        """StoreError if the database failed in one of the savepoints of this transaction."""
        if self.failed is not None or not self._link.in_transaction:
            raise StoreError(
                "the store failed while several things were written, so none of them is",
                where=str(self.path),
                todo="Try again; what was acknowledged before is kept",
            )

    # The tail

    def _look(self) -> _Kept:
        """The cache of the tail, updated with what others wrote."""
        kept = self._kept
        if self._known:
            return kept
        self._known = True
        (version,) = self._run("PRAGMA data_version").fetchone()
        if version == kept.version:
            return kept
        kept.version = version
        first = self._run("SELECT leaves FROM recent ORDER BY place LIMIT 1").fetchone()
        # All writes but appends file the tail first. So while it begins with the same row, everything new is in it.
        if first is None or first[0] != kept.first:
            kept.forget()
        for book in kept.settled:
            kept.settled[book] = self._run("SELECT settled FROM books WHERE book = ?", (book,)).fetchone()[0]
        if first is not None:
            kept.first = first[0]
            self._take_in(self._run(_RECENT, (kept.place,)).fetchall())
        return kept

    def _take_in(self, rows: list[tuple[Any, ...]]) -> None:
        """Add rows of the tail to the cache, from the first that is new."""
        kept = self._kept
        for *columns, key, fingerprint, changed, digest, place in rows:
            run = Run._make(columns)
            self._check_recent(run, key, fingerprint, changed, digest)
            kept.place = place
            kept.events += run.events
            last = run.n + run.events - 1
            kept.rows.setdefault(run.match, []).append(run)
            kept.changed[run.match] = changed
            if key:
                kept.keys[run.match, key] = KeyEntry(run.match, key, fingerprint, run.n, last)
            entry = kept.entries.get(run.match)
            if entry is None:
                self._load(run.match)
                entry = kept.entries.get(run.match)
            if entry is None or entry.book != run.book or entry.last + 1 != run.n:
                raise self._not_as_written(run, "it is not the end of its match")
            kept.entries[run.match] = structs.replace(entry, last=last, changed=changed)
            kept.leaves[run.match] = run.leaves[-LEAF:]
            kept.books[run.book] = structs.replace(kept.books[run.book], head=run.last_pos)

    def _check_recent(self, run: Run, key: object, fingerprint: object, changed: object, digest: object) -> None:
        """StoreError if a row of the tail has changed where no leaf covers it: it must not be filed."""
        try:
            split_run(run)
            if _digest_of(run, key, fingerprint, changed) == digest:
                return
            why = "its check sum is another"
        except (UnreadableError, TypeError) as error:
            why = error.what if isinstance(error, UnreadableError) else "a column is of another type"
        raise self._not_as_written(run, why)

    def _not_as_written(self, run: Run, why: str) -> StoreError:
        return StoreError(
            f"the store is damaged: what was added last is not what was written ({why})",
            where=f"{self.path}, match {run.match!s:.80}, {name_of_run(run)}",
            todo="`kibitz verify` tells what was changed; go back to a backup",
        )

    def file(self) -> None:
        """Move the tail to the other tables: its events into runs, and the updates of books, matches and keys."""
        kept = self._look()
        if not kept.events:
            return
        self._wrote += 1
        for match, runs in kept.rows.items():
            last = runs[-1]
            self._add_runs(match, runs)
            self._write_match(
                structs.replace(kept.entries[match], last=last.n + last.events - 1, changed=kept.changed[match])
            )
        for book in {runs[-1].book for runs in kept.rows.values()}:
            self._write_head(book, kept.books[book].head, kept.books[book].created)
        self._conn.executemany(_ADD_KEY, [(*row, row_digest(*row)) for row in kept.keys.values()])
        self._run("DELETE FROM recent")
        if self._run("SELECT changes()").fetchone()[0] != sum(map(len, kept.rows.values())):
            raise StoreError(
                "the store is not as this program left it, so nothing is written", where=str(self.path),
                todo="Open it again"
            )
        kept.empty()

    def _add_runs(self, match: str, runs: list[Run]) -> None:
        """Append runs of a match; small ones are joined."""
        row = self._run(f"SELECT {READ} FROM runs WHERE match = ? ORDER BY n DESC LIMIT 1", (match,)).fetchone()
        groups: list[list[Run]] = []
        for run in runs:
            if groups and _fits(groups[-1], run):
                groups[-1].append(run)
            else:
                groups.append([run])
        try:
            made = [join_runs(group) for group in groups]
        except UnreadableError as error:
            raise self._not_as_written(runs[0], error.what) from error
        if row is not None and type(row[5]) is int and row[5] < FILLED and _fits([Run._make(row)], made[0]):
            with suppress(UnreadableError):  # a damaged one is left as it is
                made[0] = join_runs([Run._make(row), made[0]])
                self._run("DELETE FROM runs WHERE match = ? AND n = ?", row[:2])
        self._conn.executemany(_ADD_RUN, map(_bound, made))

    # Appending

    def tail(self, match: str, key: str = "") -> Tail | None:
        kept = self._look()
        if match in self._waiting:
            its = self._waiting[match].entry
            return Tail(
                its, None, self.book(its.book, its.created),
                next((one for one in self._waiting[match].keys if one.key == key), None),
            )
        entry = kept.entries.get(match)
        if entry is None:
            self._load(match)
            entry = kept.entries.get(match)
            if entry is None:
                return None
        known = None
        if key:
            known = kept.keys.get((match, key))
            if known is None:
                row = self._run(
                    "SELECT match, key, fingerprint, first, last FROM keys WHERE match = ? AND key = ?", (match, key),
                ).fetchone()
                known = None if row is None else KeyEntry._make(row)
        return Tail(entry, kept.leaves[match], kept.books[entry.book], known, kept.parts[match])

    def tip(self, match: str) -> tuple[int, bytes] | None:
        kept = self._kept
        leaf = kept.leaves.get(match)
        if leaf is not None and self._conn.execute("PRAGMA data_version").fetchone() == (kept.version,):
            return kept.entries[match].last, leaf
        return super().tip(match)

    def _load(self, match: str) -> None:
        """Cache a match and its book as they were when the tail was last filed."""
        row = self._run(_TAIL, (match,)).fetchone()
        if row is None:
            return
        book, game, created, changed, last, is_over, parent, parent_n, *sealing = row
        is_sealed, leaf, end, head, created_book, settled, volume, opening = sealing
        if volume is not None:
            changed = self._changed(match, changed)
        kept = self._kept
        if len(kept.entries) >= MOST_KEPT:  # an import of many matches needs each only once
            kept.entries = {name: kept.entries[name] for name in kept.rows}
            kept.leaves = {name: kept.leaves[name] for name in kept.rows}
            kept.parts = {name: kept.parts[name] for name in kept.rows}
        kept.entries[match] = MatchEntry(
            match, book, game, created, changed, last, is_over, parent, parent_n, is_sealed,
        )
        kept.leaves[match] = leaf if end == last else None
        kept.parts[match] = opened_in_parts(self.place, book, match, opening)
        if book not in kept.books:
            kept.books[book] = BookEntry(book, head, created_book)
            kept.settled[book] = settled

    def append(self, tail: Tail, events: Stretch, now: str, key: KeyEntry | None) -> None:
        entry, book = tail.entry, tail.book
        many, last, head, leaf = len(events.payloads), events.last, events.positions[-1], events.leaves[-1]
        kept = self._look()
        long = many >= FEW or kept.events + many > CHECKPOINT_EVERY
        if long or head // CHECKPOINT_EVERY > book.head // CHECKPOINT_EVERY:
            self.add_events(events)
            self.move_head(book, head, leaf)
            self.update_match(structs.replace(entry, last=last, changed=now))
            if key is not None:
                self.add_key(key)
            return
        self._wrote += 1
        if kept.settled[book.book] != UNSETTLED:
            self._unsettle(book.book)
        (run,) = runs_of(events)
        said = (key.key, key.fingerprint) if key is not None else ("", "")
        kept.place += 1
        self._run(_ADD_RECENT, (kept.place, *_bound(run), *said, now, _digest_of(run, *said, now)))
        kept.events += many
        kept.rows.setdefault(entry.match, []).append(run)
        kept.changed[entry.match] = now
        if not kept.first:
            kept.first = run.leaves
        if key is not None:
            kept.keys[key.match, key.key] = key
        kept.entries[entry.match] = structs.replace(entry, last=last, changed=now)
        kept.leaves[entry.match] = leaf
        kept.books[book.book] = structs.replace(book, head=head)
        self.ended[book.book] = head, leaf

    def hold(self, book: str) -> None:
        """A no-op: there is only one writer."""

    def book(self, book: str, now: str) -> BookEntry:
        kept = self._look()
        if book not in kept.books:
            row = self._run("SELECT head, created, settled FROM books WHERE book = ?", (book,)).fetchone()
            if row is None:
                if not is_name(book):
                    raise UsageError(f"{cut_short(book)!r} cannot be the name of a book", expected=NAME)
                self._wrote += 1
                digest = row_digest(book, 0, now)
                self._run("INSERT INTO books (book, head, created, digest) VALUES (?, ?, ?, ?)", (book, 0, now, digest))
                row = (0, now, SETTLED)
            kept.books[book], kept.settled[book] = BookEntry(book, *row[:2]), row[2]
        return kept.books[book]

    def move_head(self, book: BookEntry, head: int, leaf: bytes) -> None:
        name = book.book
        self.file()
        self._wrote += 1
        self.ended[name] = head, leaf
        self._write_head(name, head, book.created)
        # The first append after a settled state is checkpointed at once, so that the file itself says that more
        # follows; later appends only now and then.
        if self._kept.settled[name] != UNSETTLED:
            self._unsettle(name)
        if head // CHECKPOINT_EVERY > book.head // CHECKPOINT_EVERY:
            self.due = True
        self._kept.books[name] = structs.replace(book, head=head)

    def _write_head(self, book: str, head: int, created: str) -> None:
        self._run("UPDATE books SET head = ?, digest = ? WHERE book = ?", (head, row_digest(book, head, created), book))

    def _unsettle(self, book: str) -> None:
        """Mark that the file alone is not the whole store until it is closed or checkpointed."""
        self._run("UPDATE books SET settled = ? WHERE book = ?", (UNSETTLED, book))
        self._kept.settled[book] = UNSETTLED
        self.due = True

    # Writes outside the tail, which is filed first

    def add_match(self, entry: MatchEntry) -> None:
        """Insert the row of a new match."""
        self.file()
        self._wrote += 1
        columns = entry.columns()
        self._run(
            "INSERT INTO matches (match, book, game, created, changed, last, is_over, parent, parent_n, is_sealed,"
            " digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*columns, row_digest(*columns)),
        )

    def end_of(self, match: str) -> tuple[str, int] | None:
        if match in self._waiting:
            entry = self._waiting[match].entry
            return entry.book, entry.last
        return super().end_of(match)

    def update_match(self, entry: MatchEntry) -> None:
        match = entry.match
        if match in self._waiting:
            self._waiting[match] = self._waiting[match]._replace(entry=entry)
            return
        self.file()
        self._wrote += 1
        if entry.is_sealed and (there := self._shelved(match)) is not None:
            if there[1] == structs.replace(entry, changed=there[1].changed):
                return  # nothing has changed
            self._add_sealed(self._taken_out(match, *there))
        self._write_match(entry)

    def _write_match(self, entry: MatchEntry) -> None:
        self._run(
            "UPDATE matches SET last = ?, changed = ?, is_over = ?, is_sealed = ?, digest = ? WHERE match = ?",
            (entry.last, entry.changed, entry.is_over, entry.is_sealed, row_digest(*entry.columns()), entry.match),
        )
        if entry.match in self._kept.entries:
            self._kept.entries[entry.match] = entry

    def add_events(self, events: Stretch) -> None:
        self.file()
        self._wrote += 1
        runs = runs_of(events)
        if events.n and len(events.payloads) < FILLED:
            self._add_runs(events.match, [*runs])
        else:
            self._conn.executemany(_ADD_RUN, map(_bound, runs))
        if events.match in self._kept.entries:
            self._kept.leaves[events.match] = events.leaves[-1]
            if events.n == 0:  # the match was unsealed
                self._kept.parts[events.match] = opened_in_parts(
                    self.place, events.book, events.match, events.payloads[0]
                )

    def rewrite(self, match: str, n: int, payload: bytes) -> None:
        """Replace the payload of an event; its leaf stays. What was there is overwritten in the file."""
        self.file()
        self._wrote += 1
        self._run("PRAGMA secure_delete = ON")
        run = self._run("SELECT n, payload FROM runs WHERE match = ? AND n <= ? ORDER BY n DESC", (match, n)).fetchone()
        lines = run[1].split("\n")
        lines[n - run[0]] = payload.decode()
        self._run("UPDATE runs SET payload = ? WHERE match = ? AND n = ?", ("\n".join(lines), match, run[0]))

    def remove_events(self, match: str) -> None:
        self.file()
        self._wrote += 1
        self._run("DELETE FROM runs WHERE match = ?", (match,))
        self._run("DELETE FROM keys WHERE match = ? AND first > 0", (match,))
        self._kept.leaves[match] = None
        self._unsettle_book_of(match)

    def _unsettle_book_of(self, match: str) -> None:
        row = self._run("SELECT book FROM matches WHERE match = ?", (match,)).fetchone()
        if row is not None:
            self._unsettle(row[0])

    def add_key(self, row: KeyEntry) -> None:
        if row.match in self._waiting:
            self._waiting[row.match].keys.append(row)
            return
        self.file()
        self._wrote += 1
        self._run(_ADD_KEY, (*row, row_digest(*row)))

    def put_keys(self, rows: Sequence[KeyEntry]) -> None:
        if self._waiting:
            for row in rows:
                if row.match in self._waiting:
                    self._waiting[row.match].keys.append(row)
            rows = [row for row in rows if row.match not in self._waiting]
            if not rows:
                return
        self.file()
        self._wrote += 1
        self._conn.executemany(_KEY, [(*row, row_digest(*row)) for row in rows])

    def add_sealed(self, row: SealedRow) -> None:
        self.file()
        self._add_sealed(row)
        self._sealed[row.book] += 1

    def _add_sealed(self, row: SealedRow) -> None:
        self._wrote += 1
        self._run(f"INSERT INTO sealed ({', '.join(SEALED)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row[:8])

    def remove_sealed(self, match: str) -> None:
        """Delete all of a sealed match but its row in `matches`."""
        self.file()
        self._wrote += 1
        if (there := self._shelved(match)) is not None:
            self._taken_out(match, *there)
        self._run("DELETE FROM sealed WHERE match = ?", (match,))
        self._unsettle_book_of(match)

    # Volumes

    def add_sealed_match(self, entry: MatchEntry, events: Stretch) -> None:
        self.file()
        self._wrote += 1
        if len(events.payloads) > BOUND_EVENTS or sum(map(len, events.payloads)) > MAX_BOUND_BYTES:
            self._write_alone(_Waiting(entry, events, []))
            return
        self._waiting[entry.match] = _Waiting(entry, events, [])
        if len(self._waiting) >= MOST_WAITING:
            self._write_waiting()

    def _write_alone(self, one: _Waiting) -> None:
        """Insert a match that is sealed from the start, with a blob of its own."""
        row = sealed_row(one.entry.book, one.entry.match, one.events.lines(), one.events.leaves[-1])
        self.add_match(one.entry)
        self._add_sealed(row)
        self.put_keys(one.keys)

    def _write_waiting(self) -> None:
        """Insert the waiting matches: into volumes together with earlier sealed ones, or with blobs of their own if
        they are few."""
        waiting, self._waiting, self._binding = list(self._waiting.values()), {}, True
        try:
            for book in dict.fromkeys(one.entry.book for one in waiting):
                mine = [one for one in waiting if one.entry.book == book]
                if len(mine) < FEWEST:
                    for one in mine:
                        self._write_alone(one)
                        self._sealed[book] += 1
                    continue
                self._bind(book, mine, self._alone(book))
                for one in mine:
                    self._conn.executemany(_ADD_KEY, [(*row, row_digest(*row)) for row in one.keys])
        finally:
            self._binding = False

    def bind(self) -> None:
        """Before a commit, bind the sealed matches if there are enough of them."""
        if self._waiting:
            self._write_waiting()
        for book, number in self._sealed.items():
            there = self._alone(book)
            if len(there) >= (FEWEST if number >= FEWEST else VOLUME_MATCHES):
                self._bind(book, [], there)

    def bind_rest(self) -> int:
        """Bind the matches of each book that have blobs of their own, a number at a time. Returns how many."""
        self.file()
        done = 0
        for (book,) in self._run("SELECT DISTINCT book FROM sealed").fetchall():
            there = self._alone(book, 16 * VOLUME_MATCHES)
            if len(there) >= FEWEST:
                done += self._bind(book, [], there)
        return done

    def _alone(self, book: str, most: int = VOLUME_MATCHES) -> list[tuple[_Waiting, SealedRow]]:
        """The last sealed matches of a book with blobs of their own that can be bound. Damaged ones are skipped."""
        rows = self._run(
            f"SELECT {', '.join(SEALED)} FROM sealed WHERE book = ? AND events <= ? AND length(body) < ? "
            "ORDER BY last_pos DESC LIMIT ?",
            (book, BOUND_EVENTS, MAX_BOUND_BYTES, most),
        ).fetchall()
        found = []
        for row in (SealedRow(*columns) for columns in reversed(rows)):
            with suppress(UnreadableError, UnicodeError):
                entry = self._run(
                    "SELECT match, book, game, created, changed, last, is_over, parent, parent_n, "
                    "is_sealed, digest, volume FROM matches WHERE match = ?",
                    (row.match,),
                ).fetchone()
                if (
                    entry is None or entry[11] is not None or entry[10] != digest_of_values([*entry[:10]])
                    or entry[1] != book or entry[9] != 1
                ):
                    continue
                lines = unsealed_lines(row)
                leaves = [NO_PREVIOUS, *leaves_in(row, lines)]
                if len(lines) != entry[5] + 1 or sum(len(line.payload) for line in lines) > MAX_BOUND_BYTES:
                    continue
                positions, _, types, versions, times, recorders, keys, payloads = zip(*lines, strict=True)
                stretch = Stretch(
                    book, row.match, 0, positions, types, versions, times, recorders, keys, payloads, leaves,
                )
                found.append((_Waiting(MatchEntry(*entry[:10]), stretch, []), row))
        return found

    def _bind(self, book: str, new: list[_Waiting], alone: list[tuple[_Waiting, SealedRow]]) -> int:
        """Bind matches of a book into volumes of even size. Returns how many; the others keep their own blobs."""
        from records.volume_codec import split_evenly

        old = {one.entry.match for one, _ in alone}
        parts = sorted([*new, *(one for one, _ in alone)], key=lambda one: one.events.positions[0])
        rest = iter(parts)
        sizes = split_evenly([len(one.events.payloads) for one in parts])
        return sum(self._bind_one(book, [*islice(rest, number)], old) for number in sizes)

    def _bind_one(self, book: str, parts: list[_Waiting], old: set[str]) -> int:
        from records.volume_codec import Bound, bind

        try:
            made = bind([Bound(one.entry, one.events, one.events.leaves[-1]) for one in parts])
        except UnreadableError:
            if len(parts) > 1:  # one of them is odd
                half = len(parts) // 2
                return self._bind_one(book, parts[:half], old) + self._bind_one(book, parts[half:], old)
            if parts[0].entry.match not in old:
                self._write_alone(parts[0])
            return 0
        self._wrote += 1
        number = self._run("SELECT coalesce(max(volume), 0) + 1 FROM volumes").fetchone()[0]
        self._run(_ADD_VOLUME, (number, *made))
        for one in parts:
            match, _, game, created, _, last, is_over, parent, parent_n, _ = one.entry.columns()
            if match in old:
                self._run("UPDATE matches SET changed = '', digest = '', volume = ? WHERE match = ?", (number, match))
                self._run("DELETE FROM sealed WHERE match = ?", (match,))
            else:
                self._run(_ADD_BOUND, (match, book, game, created, last, is_over, parent, parent_n, number))
        if self._kept.settled.get(book) != UNSETTLED:
            self._unsettle(book)
        return len(parts)

    def _changed(self, match: str, changed: str) -> str:
        """The time of change of a match in a volume."""
        row = self._shelf.match(self._conn, match)
        if row is not None and isinstance(row.bound, VolumeEntry):
            with suppress(UnreadableError):
                return row.bound.entry().changed
        return changed

    def _shelved(self, match: str) -> tuple[int, MatchEntry] | None:
        """The volume of a match and its row there; None if it is not in one. StoreError if it cannot be read."""
        row = self._run("SELECT volume FROM matches WHERE match = ? AND volume IS NOT NULL", (match,)).fetchone()
        if row is None:
            return None
        there = self._shelf.match(self._conn, match)
        try:
            if there is None or not isinstance(there.bound, VolumeEntry):
                raise there.bound.error if there is not None and isinstance(there.bound, Lost) else UnreadableError(
                    "its volume is missing"
                )
            return row[0], there.bound.entry()
        except UnreadableError as error:
            raise damaged(self.place, match, error) from error

    def _taken_out(self, match: str, number: int, entry: MatchEntry) -> SealedRow:
        """Take a match out of its volume, which is rewritten without it, and return it with a blob of its own.

        The others are kept unchanged, even damaged ones. StoreError if this match is damaged."""
        from records.volume_codec import Bound, bind

        row = self._shelf.match(self._conn, match)
        assert row is not None
        assert isinstance(row.bound, VolumeEntry)
        try:
            single, opened = alone(row), row.bound.volume
            rest = []
            for other, slot in opened.slots.items():
                if other != match:
                    its = opened.entry(slot)
                    rest.append(Bound(its, Stretch(its.book, other, 0, *opened.columns(slot), []), opened.tip(slot)))
            if rest:
                made = bind(rest)
                said = ", ".join(f"{name} = ?" for name in Volume._fields)
                self._run(f"UPDATE volumes SET {said} WHERE volume = ?", (*made, number))
            else:
                self._run("DELETE FROM volumes WHERE volume = ?", (number,))
        except UnreadableError as error:
            raise damaged(self.place, match, error) from error
        self._wrote += 1
        self._run(
            "UPDATE matches SET changed = ?, digest = ?, volume = NULL WHERE match = ?",
            (entry.changed, row_digest(*entry.columns()), match),
        )
        return single

    def add_tiles(self, book: str, first: int, roots: Sequence[bytes]) -> None:
        self._conn.executemany(
            "INSERT INTO tiles (book, number, root) VALUES (?, ?, ?) ON CONFLICT (book, number) DO NOTHING",
            [(book, number, root) for number, root in enumerate(roots, first)],
        )

    def add_checkpoint(self, book: str, size: int, signer: str, root: str, time: str, note: str) -> None:
        self._conn.execute(
            "INSERT INTO signers (signer, created) VALUES (?, ?) ON CONFLICT (signer) DO NOTHING", (signer, time)
        )
        self._conn.execute(
            "INSERT INTO checkpoints (book, size, signer, root, time, note) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (book, size, signer) DO UPDATE SET root = excluded.root, note = excluded.note",
            (book, size, signer, root, time, note),
        )

    def settle(self) -> None:
        """File the tail and mark the file as complete for when the WAL is checkpointed; called on closing."""
        if not self.unsettled() and not self._conn.execute("SELECT count(*) FROM recent").fetchone()[0]:
            return
        self._conn.execute("BEGIN IMMEDIATE")
        try:
            self.begin()
            self.forget()  # reread everything: the last write need not be fast
            self.file()
            self._conn.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")
            self._conn.execute("COMMIT")
        finally:
            self.forget()
            self.rest()
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")


def _digest_of(run: Run, key: Any, fingerprint: Any, changed: Any) -> str:
    """The checksum of a row of the tail, over what no leaf covers."""
    return row_digest(run.match, key, fingerprint, run.n, run.n + run.events - 1, changed)


def _fits(runs: list[Run], run: Run) -> bool:
    """True if a run can be joined with those before it."""
    return bool(sum(one.events for one in runs) + run.events <= FILLED and run.last_pos - runs[0].pos < SPAN)


def _bound(run: Run) -> tuple[Any, ...]:
    """The columns of a run as passed to SQLite."""
    *columns, payload, leaves = run
    # Not bytes: for each of them SQLite's driver makes a slow search for an adapter.
    return (*columns, payload.decode(), bytearray(leaves))
