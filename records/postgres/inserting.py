"""All statements that write to the tables of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg
from msgspec import structs

from events.errors import UsageError
from events.visible_text import NAME, is_name
from records.hashes import row_digest
from records.names import cut_short
from records.postgres.faults import error_for
from records.postgres.reading import PostgresReader
from records.reading import opened_in_parts
from records.rows import SEALED, BookEntry, KeyEntry, MatchEntry, SealedRow, Stretch, Tail
from records.sealed_codec import sealed_row

_LOCK = "SELECT FROM books WHERE book = (SELECT book FROM matches WHERE match = %s) FOR UPDATE"
_TAIL = (
    "SELECT m.match, m.book, m.game, m.created, m.changed, m.last, m.is_over, m.parent, m.parent_n, m.is_sealed,"
    " (SELECT leaf FROM events e WHERE e.match = m.match AND e.n = m.last), b.head, b.created, "
    "(SELECT payload FROM events e WHERE e.match = m.match AND e.n = 0), k.fingerprint, k.first, k.last"
    " FROM matches m JOIN books b ON b.book = m.book LEFT JOIN keys k ON k.match = m.match AND k.key = %s "
    "WHERE m.match = %s"
)
_ADD_EVENTS = (
    "INSERT INTO events (book, match, pos, n, type, version, time, recorder, key, payload, prev, leaf)"
    " SELECT %(book)s, %(match)s, * FROM unnest(%(pos)s::bigint[], %(n)s::integer[], %(type)s::text[], "
    "%(version)s::integer[],"
    " %(time)s::text[], %(recorder)s::text[], %(key)s::text[], %(payload)s::bytea[], %(prev)s::bytea[], "
    "%(leaf)s::bytea[])"
)
_KEY = "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (%s, %s, %s, %s, %s, %s)"
_KEY_ANEW = (
    f"{_KEY} ON CONFLICT (match, key) DO UPDATE SET fingerprint = excluded.fingerprint, first = "
    "excluded.first, last = excluded.last,"
    " digest = excluded.digest"
)
_UPDATE_MATCH = "UPDATE matches SET last = %s, changed = %s, is_over = %s, is_sealed = %s, digest = %s WHERE match = %s"
_MOVE_HEAD = "UPDATE books SET head = %s, digest = %s WHERE book = %s"


class PostgresWriter(PostgresReader):
    """A transaction, as `records.backend.Writer` describes it. `tail` and `book` lock the book's row until it ends, so
    that no other transaction hands out positions in it."""

    parts = 0

    @contextmanager
    def part(self) -> Iterator[PostgresWriter]:
        self.parts += 1
        name = f"part_{self.parts}"
        self._link.run(f"SAVEPOINT {name}")
        try:
            yield self
        except BaseException as error:
            with suppress(psycopg.Error):  # a broken connection has rolled everything back
                self._link.run(f"ROLLBACK TO SAVEPOINT {name}")
            if (said := error_for(error, self.place)) is None:
                raise
            raise said from error
        self._link.run(f"RELEASE SAVEPOINT {name}")

    # Appending

    def tail(self, match: str, key: str = "") -> Tail | None:
        """What an append needs about a match, its book and a submission key. Locks the book."""
        # The second query sees what was committed while the first one waited for the lock.
        with self._link.pipeline():
            self._link.run(_LOCK, (match,))
            found = self._link.run(_TAIL, (key, match))
        row = found.fetchone()
        if row is None:
            return None
        *columns, leaf, head, begun, opening, fingerprint, first, last = row
        entry = MatchEntry(*columns)
        known = None if not key or fingerprint is None else KeyEntry(match, key, fingerprint, first, last)
        parts = opened_in_parts(self.place, entry.book, match, opening)
        return Tail(entry, leaf, BookEntry(entry.book, head, begun), known, parts)

    def append(self, tail: Tail, events: Stretch, now: str, key: KeyEntry | None) -> None:
        with self._link.pipeline():
            self.add_events(events)
            self.move_head(tail.book, events.positions[-1], events.leaves[-1])
            self.update_match(structs.replace(tail.entry, last=events.last, changed=now))
            if key is not None:
                self.add_key(key)

    def hold(self, book: str) -> None:
        """Lock a book until the transaction ends; if there is no such book, prevent its creation."""
        if self._one("SELECT true FROM books WHERE book = %s FOR UPDATE", (book,)) is None:
            # There is no row to lock. Creating a book is so rare that all creations may wait.
            self._link.run("LOCK TABLE books IN SHARE ROW EXCLUSIVE MODE")

    def book(self, book: str, now: str) -> BookEntry:
        """The row of a book, created if it is missing, and locked. UsageError if the name is not valid."""
        row = self._one("SELECT book, head, created FROM books WHERE book = %s FOR UPDATE", (book,))
        if row is None:
            if not is_name(book):
                raise UsageError(f"{cut_short(book)!r} cannot be the name of a book", expected=NAME)
            row = (book, 0, now)
            self._link.run(
                "INSERT INTO books (book, head, created, digest) VALUES (%s, %s, %s, %s)", (*row, row_digest(*row)),
            )
        return BookEntry(*row)

    def move_head(self, book: BookEntry, head: int, leaf: bytes) -> None:
        self._link.run(_MOVE_HEAD, (head, row_digest(book.book, head, book.created), book.book))

    def add_match(self, entry: MatchEntry) -> None:
        """Insert the row of a new match."""
        columns = entry.columns()
        self._link.run(
            "INSERT INTO matches (match, book, game, created, changed, last, is_over, parent, parent_n, "
            "is_sealed, digest) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (*columns, row_digest(*columns)),
        )

    def update_match(self, entry: MatchEntry) -> None:
        digest = row_digest(*entry.columns())
        self._link.run(_UPDATE_MATCH, (entry.last, entry.changed, entry.is_over, entry.is_sealed, digest, entry.match))

    def add_events(self, events: Stretch) -> None:
        self._link.run(_ADD_EVENTS, {
            "book": events.book, "match": events.match, "pos": [*events.positions],
            "n": [*range(events.n, events.last + 1)], "type": [*events.types], "version": [*events.versions],
            "time": [*events.times], "recorder": [*events.recorders], "key": [*events.keys],
            "payload": [*events.payloads], "prev": [*events.leaves[:-1]], "leaf": [*events.leaves[1:]],
        })  # fmt: skip

    def rewrite(self, match: str, n: int, payload: bytes) -> None:
        self._link.run("UPDATE events SET payload = %s WHERE match = %s AND n = %s", (payload, match, n))

    def remove_events(self, match: str) -> None:
        self._link.run("DELETE FROM events WHERE match = %s", (match,))
        self._link.run("DELETE FROM keys WHERE match = %s AND first > 0", (match,))

    def add_key(self, row: KeyEntry) -> None:
        self._link.run(_KEY, (*row, row_digest(*row)))

    def put_keys(self, rows: Sequence[KeyEntry]) -> None:
        with self._link.pipeline():
            for row in rows:
                self._link.run(_KEY_ANEW, (*row, row_digest(*row)))

    def add_sealed(self, row: SealedRow) -> None:
        self._link.run(f"INSERT INTO sealed ({', '.join(SEALED)}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", row[:8])

    def add_sealed_match(self, entry: MatchEntry, events: Stretch) -> None:
        row = sealed_row(entry.book, entry.match, events.lines(), events.leaves[-1])
        self.add_match(entry)
        self.add_sealed(row)

    def remove_sealed(self, match: str) -> None:
        """Delete the row of a sealed match."""
        self._link.run("DELETE FROM sealed WHERE match = %s", (match,))

    def add_tiles(self, book: str, first: int, roots: Sequence[bytes]) -> None:
        self._link.run(
            "INSERT INTO tiles (book, number, root) SELECT %s, * FROM unnest(%s::integer[], %s::bytea[]) "
            "ON CONFLICT (book, number) DO NOTHING",
            (book, [*range(first, first + len(roots))], [*roots]),
        )

    def add_checkpoint(self, book: str, size: int, signer: str, root: str, time: str, note: str) -> None:
        self._link.run(
            "INSERT INTO signers (signer, created) VALUES (%s, %s) ON CONFLICT (signer) DO NOTHING", (signer, time),
        )
        self._link.run(
            "INSERT INTO checkpoints (book, size, signer, root, time, note) VALUES (%s, %s, %s, %s, %s, %s)"
            " ON CONFLICT (book, size, signer) DO UPDATE SET root = excluded.root, note = excluded.note",
            (book, size, signer, root, time, note),
        )
