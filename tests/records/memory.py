"""A database that is nothing but Python lists: the second one behind the store, so that one contract binds both.

What it holds is gone with the process. A transaction works on the tables as they are and puts back a copy if it fails.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from events.errors import StoreError, UsageError
from events.visible_text import NAME, is_name
from records.backend import Table
from records.hashes import row_digest
from records.rows import (
    ALL,
    BookEntry,
    EventLine,
    KeyEntry,
    ListedMatch,
    LostEnd,
    MatchEntry,
    Miscount,
    SealedRow,
    StoredEvent,
    StoredLine,
    StoredRow,
    Stretch,
    Tail,
)
from records.sealed_codec import sealed_row


class Event(NamedTuple):
    """A row of the table of events."""

    book: str
    pos: int
    match: str
    n: int
    type: str
    version: int
    time: str
    recorder: str
    key: str
    payload: str
    prev: bytes
    leaf: bytes


class Tables:
    """All that is stored."""

    def __init__(self) -> None:
        self.books: dict[str, tuple[BookEntry, str]] = {}
        self.matches: dict[str, tuple[MatchEntry, str]] = {}
        self.events: dict[tuple[str, int], Event] = {}
        self.keys: dict[tuple[str, str], tuple[KeyEntry, str]] = {}
        self.sealed: dict[str, SealedRow] = {}
        self.tiles: dict[tuple[str, int], bytes] = {}
        self.checkpoints: dict[tuple[str, int, str], tuple[str, str]] = {}
        self.signers: dict[str, str] = {}
        self.busy = False

    def copy(self) -> Tables:
        """The tables as they are now; rows never change, so that they are shared."""
        out = Tables()
        for name, table in vars(self).items():
            setattr(out, name, table if name == "busy" else dict(table))
        return out

    def take(self, other: Tables) -> None:
        """Put everything back as it was."""
        vars(self).update(vars(other))


class MemoryReader:
    """Questions to the tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    @property
    def place(self) -> str:
        return "memory"

    def _of(self, match: str) -> list[Event]:
        return sorted((e for e in self.tables.events.values() if e.match == match), key=lambda e: e.n)

    def _in(self, book: str, after: int) -> list[Event]:
        return sorted((e for e in self.tables.events.values() if e.book == book and e.pos > after), key=lambda e: e.pos)

    def _entries(self) -> list[MatchEntry]:
        return [entry for entry, _ in self.tables.matches.values()]

    def end_of(self, match: str) -> tuple[str, int] | None:
        found = self.tables.matches.get(match)
        return found and (found[0].book, found[0].last)

    def ids(self, *, game: str | None = None) -> list[str]:
        found = [m for m in self._entries() if game in (None, m.game)]
        return [m.match for m in sorted(found, key=lambda m: (m.created, m.match))]

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        return sorted(m for m in self.tables.matches if m.startswith(prefix))[:limit]

    def latest_ids(self, limit: int) -> list[str]:
        found = sorted(self._entries(), key=lambda m: m.match)
        return [m.match for m in sorted(found, key=lambda m: m.changed, reverse=True)][:limit]

    def matches(self, *, book: str | None, game: str | None, open_only: bool) -> Iterable[ListedMatch]:
        for m in self._entries():
            if book in (None, m.book) and game in (None, m.game) and not (open_only and m.is_over):
                rows, s = self._of(m.match), self.tables.sealed.get(m.match)
                if rows:
                    first, last = rows[0], rows[-1]
                    yield ListedMatch(
                        m.match, m.book, m.game, first.time, last.time, m.last, m.is_over, m.parent, m.parent_n,
                        last.pos, first.version, first.payload.encode(), None, None,
                    )  # fmt: skip
                elif s is not None:
                    yield ListedMatch(
                        m.match, m.book, m.game, None, None, m.last, m.is_over, m.parent, m.parent_n, s.last_pos,
                        None, None, s.dictionary, s.body,
                    )  # fmt: skip

    def open_matches(self) -> list[tuple[str, str, object, object]]:
        found = [(m, self._of(m.match)) for m in self._entries() if not m.is_over and not m.is_sealed]
        return [(m.match, m.book, rows[-1].pos, rows[-1].time) for m, rows in found if rows]

    def matches_to_seal(self, book: str | None) -> list[str]:
        found = [m for m in self._entries() if m.is_over and not m.is_sealed and book in (None, m.book)]
        return [m.match for m in sorted(found, key=lambda m: (m.created, m.match))]

    def book_of(self, match: str) -> str | None:
        found = self.tables.matches.get(match)
        return found and found[0].book

    def heads(self) -> list[tuple[object, object]]:
        return [(entry.book, entry.head) for entry, _ in self.tables.books.values()]

    def books(self) -> list[tuple[object, object, object]]:
        first = {e.book: e.time for e in self.tables.events.values() if e.pos == 1}
        return [(entry.book, entry.head, first.get(entry.book)) for entry, _ in self.tables.books.values()]

    def events(self, match: str, after: int, last: int) -> list[StoredRow]:
        return [
            (e.n, e.version, e.time, e.recorder, e.key, e.payload.encode()) for e in self._of(match)
            if after < e.n <= last
        ]

    def reopened(self, book: str, after: int) -> list[str]:
        return sorted({e.match for e in self._in(book, after) if e.type == "fix" and '"at":0' in e.payload})

    def lines(self, match: str) -> list[StoredLine]:
        return [
            StoredLine(
                EventLine(e.pos, e.n, e.type, e.version, e.time, e.recorder, e.key, e.payload.encode()), e.prev, e.leaf,
                e.book,
            )
            for e in self._of(match)
        ]

    def book_events(self, book: str, after: int, limit: int) -> list[tuple[Any, ...]]:
        return [
            (e.pos, e.match, e.n, e.version, e.time, e.recorder, e.key, e.payload.encode())
            for e in self._in(book, after)[:limit]
        ]

    def stored_events(self, book: str, after: int) -> Iterator[StoredEvent]:
        for e in self._in(book, after):
            texts = [text.encode() for text in (e.match, e.type, e.time, e.recorder, e.key, e.payload)]
            match, kind, time, recorder, key, payload = texts
            yield StoredEvent(e.pos, match, e.n, kind, e.version, time, recorder, key, payload, e.prev, e.leaf, True)

    def leaves(self, book: str, after: int) -> list[tuple[object, object]]:
        return [(e.pos, e.leaf) for e in self._in(book, after)]

    def tip(self, match: str) -> tuple[int, bytes] | None:
        rows, s = self._of(match), self.tables.sealed.get(match)
        return (rows[-1].n, rows[-1].leaf) if rows else (s.events - 1, s.tip) if s is not None else None

    def sealed(self, match: str) -> SealedRow | None:
        return self.tables.sealed.get(match)

    def sealed_in(self, book: str, after: int = 0, upto: int = ALL) -> Iterator[SealedRow]:
        found = [
            s for s in self.tables.sealed.values() if s.book == book and s.last_pos > after and s.first_pos <= upto
        ]
        return iter(sorted(found, key=lambda s: s.last_pos))

    def key(self, match: str, key: str) -> KeyEntry | None:
        found = self.tables.keys.get((match, key))
        return found and found[0]

    def keys(self, match: str) -> list[tuple[str, int, int]]:
        return [(k.key, k.first, k.last) for k, _ in self.tables.keys.values() if k.match == match]

    def opened_with(self, key: str) -> list[str]:
        return sorted(k.match for k, _ in self.tables.keys.values() if k.key == key and k.first == 0)

    def entries(self, book: str, table: Table) -> list[tuple[list[object], object]]:
        here = {m.match for m in self._entries() if m.book == book}
        if table == "books":
            return [([b.book, b.head, b.created], digest) for b, digest in self.tables.books.values() if b.book == book]
        if table == "matches":
            return [(list(m.columns()), digest) for m, digest in self.tables.matches.values() if m.book == book]
        return [(list(k), digest) for k, digest in self.tables.keys.values() if k.match in here]

    def strays(self, book: str) -> list[object]:
        here = {m.match for m in self._entries() if m.book == book}
        found = {e.match for e in self.tables.events.values() if e.book == book}
        found |= {s.match for s in self.tables.sealed.values() if s.book == book}
        return sorted(found - here)

    def lengths(self, book: str) -> list[tuple[str, object, object]]:
        out: list[tuple[str, object, object]] = []
        for m in self._entries():
            if m.book == book:
                rows, s = self._of(m.match), self.tables.sealed.get(m.match)
                out.append((m.match, m.last, rows[-1].n if rows else s.events - 1 if s else None))
        return out

    def lost_keys(self, book: str) -> list[tuple[str, int]]:
        lost: dict[tuple[str, str], int] = {}
        for e in self._in(book, 0):
            known = self.key(e.match, e.key) if e.key else None
            if e.key and (known is None or not known.first <= e.n <= known.last):
                lost.setdefault((e.match, e.key), e.pos)
        return [(match, pos) for (match, _), pos in lost.items()]

    def miscounts(self) -> list[Miscount]:
        out: list[Miscount] = []
        for book, head in [(entry.book, entry.head) for entry, _ in self.tables.books.values()]:
            many = len(self._in(book, 0)) + sum(s.events for s in self.tables.sealed.values() if s.book == book)
            if many != head:
                out.append(Miscount("book", book, many, head))
        for m in self._entries():
            s = self.tables.sealed.get(m.match)
            many = len(self._of(m.match)) + (s.events if s else 0)
            if many != m.last + 1 or bool(m.is_sealed) != (s is not None):
                out.append(Miscount("match", m.match, many, m.last))
        return out

    def tiles(self, book: str) -> list[tuple[object, object]]:
        return sorted((number, root) for (of, number), root in self.tables.tiles.items() if of == book)

    def checkpoints(self, book: str) -> list[tuple[object, bytes, bytes]]:
        found = sorted(
            (size, signer, *said) for (of, size, signer), said in self.tables.checkpoints.items() if of == book
        )
        return [(size, root.encode(), note.encode()) for size, _, root, note in found]

    def signers(self) -> list[object]:
        return [signer for _, signer in sorted((since, signer) for signer, since in self.tables.signers.items())]


class MemoryWriter(MemoryReader):
    """A transaction on the tables."""

    @contextmanager
    def part(self) -> Iterator[MemoryWriter]:
        before = self.tables.copy()
        try:
            yield self
        except BaseException:
            self.tables.take(before)
            raise

    def tail(self, match: str, key: str = "") -> Tail | None:
        found = self.tables.matches.get(match)
        if found is None:
            return None
        rows = self._of(match)
        return Tail(
            found[0], rows[-1].leaf if rows else None, self.tables.books[found[0].book][0], self.key(match, key),
        )

    def hold(self, book: str) -> None:
        pass

    def book(self, book: str, now: str) -> BookEntry:
        if book not in self.tables.books:
            if not is_name(book):
                raise UsageError(f"{book!r} cannot be the name of a book", expected=NAME)
            self.tables.books[book] = BookEntry(book, 0, now), row_digest(book, 0, now)
        return self.tables.books[book][0]

    def move_head(self, book: BookEntry, head: int, leaf: bytes) -> None:
        self.tables.books[book.book] = structs.replace(book, head=head), row_digest(book.book, head, book.created)

    def add_match(self, entry: MatchEntry) -> None:
        if entry.match in self.tables.matches:
            raise StoreError(f"match {entry.match} is there already", where=self.place)
        self.update_match(entry)

    def update_match(self, entry: MatchEntry) -> None:
        entry = MatchEntry(*entry.columns())
        self.tables.matches[entry.match] = entry, row_digest(*entry.columns())

    def add_events(self, events: Stretch) -> None:
        for line, prev, leaf in zip(events.lines(), events.leaves, events.leaves[1:], strict=False):
            event = Event(events.book, line.pos, events.match, *line[1:7], line.payload.decode(), prev, leaf)
            if (event.book, event.pos) in self.tables.events:
                raise StoreError(f"there is an event {event.pos} already", where=self.place)
            self.tables.events[event.book, event.pos] = event

    def append(self, tail: Tail, events: Stretch, now: str, key: KeyEntry | None) -> None:
        self.add_events(events)
        self.move_head(tail.book, events.positions[-1], events.leaves[-1])
        self.update_match(structs.replace(tail.entry, last=events.last, changed=now))
        if key is not None:
            self.add_key(key)

    def remove_events(self, match: str) -> None:
        self.tables.events = {at: e for at, e in self.tables.events.items() if e.match != match}
        self.tables.keys = {at: k for at, k in self.tables.keys.items() if at[0] != match or not k[0].first}

    def add_key(self, row: KeyEntry) -> None:
        self.put_keys([row])

    def put_keys(self, rows: Sequence[KeyEntry]) -> None:
        self.tables.keys.update({(row.match, row.key): (row, row_digest(*row)) for row in rows})

    def add_sealed(self, row: SealedRow) -> None:
        self.tables.sealed[row.match] = row

    def add_sealed_match(self, entry: MatchEntry, events: Stretch) -> None:
        row = sealed_row(entry.book, entry.match, events.lines(), events.leaves[-1])
        self.add_match(entry)
        self.add_sealed(row)

    def remove_sealed(self, match: str) -> None:
        del self.tables.sealed[match]

    def add_tiles(self, book: str, first: int, roots: Sequence[bytes]) -> None:
        for number, root in enumerate(roots, first):
            self.tables.tiles.setdefault((book, number), root)

    def add_checkpoint(self, book: str, size: int, signer: str, root: str, time: str, note: str) -> None:
        self.tables.signers.setdefault(signer, time)
        self.tables.checkpoints[book, size, signer] = root, note


class MemoryBackend:
    """Tables in memory, which several stores of one process may share."""

    def __init__(self, tables: Tables | None = None, *, write: bool = True) -> None:
        self.tables = Tables() if tables is None else tables
        self.writable = write
        self.warnings: list[str] = []
        self.gone: list[LostEnd] = []
        self._closed = False

    @property
    def place(self) -> str:
        return "memory"

    def lacking(self) -> list[str]:
        return []

    @contextmanager
    def reading(self) -> Iterator[MemoryReader]:
        with self.snapshot() as reader:
            yield reader

    @contextmanager
    def snapshot(self) -> Iterator[MemoryReader]:
        if self._closed:
            raise UsageError("the store is closed", where=self.place)
        yield MemoryReader(self.tables)

    @contextmanager
    def transaction(self) -> Iterator[MemoryWriter]:
        if self._closed:
            raise UsageError("the store is closed", where=self.place)
        if not self.writable:
            raise UsageError("the store was opened for reading only", where=self.place)
        if self.tables.busy:
            raise UsageError("one commit cannot hold another", where=self.place)
        before = self.tables.copy()
        self.tables.busy = True
        try:
            yield MemoryWriter(self.tables)
        except BaseException:
            self.tables.take(before)
            raise
        finally:
            self.tables.busy = False

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def file_faults(self) -> list[str]:
        return []

    def foreign(self) -> list[str]:
        return []

    def compact(self) -> tuple[int, int]:
        return 0, 0

    def backup(self, target: Path) -> bool:
        return False

    def close(self) -> None:
        self._closed = True
