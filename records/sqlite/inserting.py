"""Everything that is written into the tables of a store, inside a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from events.errors import StoreError, UsageError
from events.visible import NAME, is_name
from records.hashes import row_digest
from records.names import short
from records.rows import BookEntry, EventRow, KeyEntry, MatchEntry, SealedRow, Tail
from records.sqlite.faults import translated_errors
from records.sqlite.reading import SqliteReader
from records.sqlite.schema import SETTLED, UNSETTLED

if TYPE_CHECKING:
    from pathlib import Path

CHECKPOINT_EVERY = 256
"""So many events of a book apart, whoever writes carries the write-ahead file over into the store."""
_TAIL = (
    "SELECT m.book, m.game, m.created, m.changed, m.last, m.is_over, m.parent, m.parent_n, m.is_sealed, e.leaf, b.head,"
    " b.created, b.settled, k.fingerprint, k.first, k.last FROM matches m JOIN books b ON b.book = m.book"
    " LEFT JOIN events e ON e.match = m.match AND e.n = m.last"
    " LEFT JOIN keys k ON k.match = m.match AND k.key = ? WHERE m.match = ?"
)
_INSERT = (
    "INSERT INTO events (book, pos, match, n, type, version, time, recorder, key, payload, prev, leaf)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_KEY = (
    "INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (match, key) DO UPDATE SET fingerprint = excluded.fingerprint, first = excluded.first,"
    " last = excluded.last, digest = excluded.digest"
)


class SqliteWriter(SqliteReader):
    """One connection, inside a transaction. `ended` is where each book ends that was written to, `due`: the write-ahead
    file is to be carried over after the commit; `failed`: a part met an error of the database, so that nothing stands."""

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        super().__init__(conn, path)
        self.ended: dict[str, tuple[int, bytes | bytearray]] = {}
        self.due = False
        self.failed: sqlite3.Error | None = None
        self._settled: dict[str, int] = {}
        self._run = conn.execute

    def begin(self) -> None:
        """A transaction begins."""
        self._run = self._conn.cursor().execute  # one for all: each of its own takes time
        self.ended.clear()
        self._settled.clear()
        self.failed = None

    def rest(self) -> None:
        """Let go of the statement that was asked last: one that is not finished would hold on to what it saw."""
        self._run = self._conn.execute

    @contextmanager
    def part(self) -> Iterator[Self]:
        """What is refused inside leaves nothing, the rest of the transaction stands."""
        self.check_parts()
        before = dict(self.ended)
        with translated_errors(self.path):
            try:
                self._conn.execute("SAVEPOINT part")
                try:
                    yield self
                    self._conn.execute("RELEASE part")
                except BaseException:
                    self.ended = before
                    if self._conn.in_transaction:
                        self._conn.execute("ROLLBACK TO part")
                        self._conn.execute("RELEASE part")
                    raise
            except sqlite3.Error as error:
                self.failed = error
                raise

    def check_parts(self) -> None:
        """StoreError if the database failed in one of the writings that are to be committed together."""
        if self.failed is not None or not self._conn.in_transaction:
            raise StoreError(
                "the store failed while several things were written, so none of them is",
                where=str(self.path),
                todo="Try again; what was acknowledged before is kept",
            )

    def tail(self, match: str, key: str = "") -> Tail | None:
        """All that an append needs to know about a match, its book, and a submission key, in one query."""
        row = self._run(_TAIL, (key, match)).fetchone()
        if row is None:
            return None
        (
            book, game, created, changed, last, is_over, parent, parent_n, is_sealed, leaf, head, begun, settled,
            fingerprint, first, till,
        ) = row  # fmt: skip
        self._settled[book] = settled
        return Tail(
            MatchEntry(match, book, game, created, changed, last, is_over, parent, parent_n, is_sealed),
            leaf,
            BookEntry(book, head, begun),
            None if fingerprint is None else KeyEntry(match, key, fingerprint, first, till),
        )

    def book(self, book: str, now: str) -> BookEntry:
        """The entry of a book, which is made if it is missing. UsageError if none can be called so."""
        row = self._conn.execute("SELECT head, created, settled FROM books WHERE book = ?", (book,)).fetchone()
        if row is None:
            if not is_name(book):
                raise UsageError(f"{short(book)!r} cannot be the name of a book", expected=NAME)
            digest = row_digest(book, 0, now)
            self._conn.execute("INSERT INTO books (book, head, created, digest) VALUES (?, ?, ?, ?)", (book, 0, now, digest))
            row = (0, now, SETTLED)
        self._settled[book] = row[2]
        return BookEntry(book, row[0], row[1])

    def move_head(self, book: BookEntry, head: int, leaf: bytes | bytearray) -> None:
        """The book ends at `head` now, with this leaf."""
        name = book.book
        self.ended[name] = head, leaf
        self._run(
            "UPDATE books SET head = ?, settled = ?, digest = ? WHERE book = ?",
            (head, UNSETTLED, row_digest(name, head, book.created), name),
        )
        # The first append after a settled state is carried over at once, so that the file itself says that there is
        # more to come; after that every so often.
        if self._settled[name] != UNSETTLED or head // CHECKPOINT_EVERY > book.head // CHECKPOINT_EVERY:
            self.due = True
        self._settled[name] = UNSETTLED

    def _unsettle(self, match: str) -> None:
        """The file alone is not the whole store from here on, until it is closed or carried over."""
        self._conn.execute(
            "UPDATE books SET settled = ? WHERE book = (SELECT book FROM matches WHERE match = ?)", (UNSETTLED, match)
        )
        self.due = True

    def add_match(self, entry: MatchEntry) -> None:
        """Write the entry of a new match."""
        columns = entry.columns()
        self._conn.execute(
            "INSERT INTO matches (match, book, game, created, changed, last, is_over, parent, parent_n, is_sealed,"
            " digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*columns, row_digest(*columns)),
        )

    def update_match(self, entry: MatchEntry) -> None:
        """Write what can change of a match: its last event, when it was changed, whether it is over, and sealed."""
        self._run(
            "UPDATE matches SET last = ?, changed = ?, is_over = ?, is_sealed = ?, digest = ? WHERE match = ?",
            (entry.last, entry.changed, entry.is_over, entry.is_sealed, row_digest(*entry.columns()), entry.match),
        )

    def add_events(self, rows: Sequence[EventRow]) -> None:
        """Write the rows of events."""
        if len(rows) == 1:
            self._run(_INSERT, rows[0])
        else:
            self._conn.executemany(_INSERT, rows)

    def remove_events(self, match: str) -> None:
        """Take away the rows of a match that was sealed, and its submission keys but for that of the opening."""
        self._conn.execute("DELETE FROM events WHERE match = ?", (match,))
        self._conn.execute("DELETE FROM keys WHERE match = ? AND first > 0", (match,))
        self._unsettle(match)

    def add_key(self, row: KeyEntry) -> None:
        """Keep a submission key that is not kept yet."""
        self._run("INSERT INTO keys (match, key, fingerprint, first, last, digest) VALUES (?, ?, ?, ?, ?, ?)", (*row, row_digest(*row)))

    def put_keys(self, rows: Sequence[KeyEntry]) -> None:
        """Keep submission keys; one that is kept already is written anew."""
        self._conn.executemany(_KEY, [(*row, row_digest(*row)) for row in rows])

    def add_sealed(self, row: SealedRow) -> None:
        """Write the row of a sealed match."""
        self._conn.execute(f"INSERT INTO sealed ({', '.join(SealedRow._fields)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def remove_sealed(self, match: str) -> None:
        """Take away the row of a sealed match."""
        self._conn.execute("DELETE FROM sealed WHERE match = ?", (match,))
        self._unsettle(match)

    def add_tiles(self, book: str, first: int, roots: Sequence[bytes]) -> None:
        """Keep the roots of further tiles of a book; one that is kept already stays."""
        self._conn.executemany(
            "INSERT INTO tiles (book, number, root) VALUES (?, ?, ?) ON CONFLICT (book, number) DO NOTHING",
            [(book, number, root) for number, root in enumerate(roots, first)],
        )

    def add_checkpoint(self, book: str, size: int, signer: str, root: str, time: str, note: str) -> None:
        """Keep a checkpoint, and who signed it; one of the same size and signer is written anew."""
        self._conn.execute(
            "INSERT INTO signers (signer, created) VALUES (?, ?) ON CONFLICT (signer) DO NOTHING", (signer, time)
        )
        self._conn.execute(
            "INSERT INTO checkpoints (book, size, signer, root, time, note) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (book, size, signer) DO UPDATE SET root = excluded.root, note = excluded.note",
            (book, size, signer, root, time, note),
        )

    def settle(self) -> None:
        """Note that the file is whole once the write-ahead file is carried over; so closing is the time for it."""
        if self.unsettled(UNSETTLED):
            self._conn.execute(f"UPDATE books SET settled = {SETTLED} WHERE settled = {UNSETTLED}")
