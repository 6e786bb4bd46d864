"""Every question that is put to the tables of a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from events.errors import StoreError
from records.backend import Table
from records.rows import ALL, KeyEntry, Line, ListedMatch, Miscount, SealedRow, StoredEvent, StoredLine, StoredRow
from records.sqlite.schema import DIGESTED

_SEALED = ", ".join(SealedRow._fields)
_TEXTS = ("type", "match", "time", "recorder", "key", "payload")
# Whether every column of an event is of the kind that was written.
_SOUND = " AND ".join(
    [f"typeof({c}) = 'text'" for c in ("book", *_TEXTS)]
    + [f"typeof({c}) = 'integer'" for c in ("pos", "n", "version")]
    + [f"typeof({c}) = 'blob' AND length({c}) = 32" for c in ("prev", "leaf")]
)
_OF_A_BOOK = {
    "books": "book = ?",
    "matches": "book = ?",
    "keys": "match IN (SELECT match FROM matches WHERE book = ?)",
}


class SqliteReader:
    """Questions to one connection; what they see together is the business of the transaction they are put in."""

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._conn = conn
        self.path = path

    @property
    def place(self) -> str:
        """The file, as it was named."""
        return str(self.path)

    # Matches and books

    def end_of(self, match: str) -> tuple[str, int] | None:
        """The book of a match and the position of its last event; None if there is no such match."""
        row = self._conn.execute("SELECT book, last FROM matches WHERE match = ?", (match,)).fetchone()
        if row is None:
            return None
        if type(row[1]) is not int:
            raise StoreError(
                "the store is damaged: the length of a match is not a number",
                where=f"{self.path}, match {match!s:.80}",
                todo="`kibitz verify` tells what was changed; go back to a backup",
            )
        return str(row[0]), row[1]

    def book_of(self, match: str) -> str | None:
        """The book of a match, whatever else its entry holds; None if there is no such match."""
        row = self._conn.execute("SELECT book FROM matches WHERE match = ?", (match,)).fetchone()
        return None if row is None else str(row[0])

    def ids(self, *, game: str | None = None) -> list[str]:
        """The ids of all matches, or those of one game, in the order in which they were begun."""
        rows = self._conn.execute(
            "SELECT match FROM matches WHERE :game IS NULL OR game = :game ORDER BY created, match", {"game": game}
        )
        return [str(match) for (match,) in rows]

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        """The first ids that begin with `prefix`, in the order of their bytes."""
        # The range makes use of the index; it takes ids in the order of their bytes.
        rows = self._conn.execute(
            "SELECT match FROM matches WHERE match >= ? AND match < ? AND substr(match, 1, ?) = ? ORDER BY match LIMIT ?",
            (prefix, prefix + "\x7f", len(prefix), prefix, limit),
        )
        return [str(match) for (match,) in rows]

    def latest_ids(self, limit: int) -> list[str]:
        """The ids of the matches that were changed last, the latest first."""
        rows = self._conn.execute("SELECT match FROM matches ORDER BY changed DESC, match LIMIT ?", (limit,))
        return [str(match) for (match,) in rows]

    def matches(self, *, book: str | None, game: str | None, open_only: bool) -> list[ListedMatch]:
        """The matches, in no order; those that have lost their events are left out."""
        rows = self._conn.execute(
            "SELECT m.match, m.book, m.game, e.time, last_e.time, m.last, m.is_over, m.parent, m.parent_n,"
            " coalesce(last_e.pos, s.last_pos), e.version, CAST(e.payload AS BLOB), s.dictionary, s.body"
            " FROM matches m LEFT JOIN events e ON e.match = m.match AND e.n = 0"
            " LEFT JOIN events last_e ON last_e.match = m.match AND last_e.n = m.last"
            " LEFT JOIN sealed s ON s.match = m.match"
            " WHERE ((e.pos IS NOT NULL AND last_e.pos IS NOT NULL) OR s.last_pos IS NOT NULL)"
            " AND (:book IS NULL OR m.book = :book) AND (:game IS NULL OR m.game = :game)"
            " AND (:open = 0 OR m.is_over = 0)",
            {"book": book, "game": game, "open": int(open_only)},
        )
        return [ListedMatch(*row) for row in rows]

    def open_matches(self) -> list[tuple[str, str, object, object]]:
        """The matches that are neither over nor sealed: id, book, the position and time of their last event."""
        return self._conn.execute(
            "SELECT m.match, m.book, last_e.pos, last_e.time FROM matches m"
            " JOIN events last_e ON last_e.match = m.match AND last_e.n = m.last"
            " WHERE m.is_over = 0 AND m.is_sealed = 0"
        ).fetchall()

    def matches_to_seal(self, book: str | None) -> list[str]:
        """The matches that are over and not sealed, in the order they were opened."""
        rows = self._conn.execute(
            "SELECT match FROM matches WHERE is_over = 1 AND is_sealed = 0 AND (? IS NULL OR book = ?)"
            " ORDER BY created, match",
            (book, book),
        )
        return [str(match) for (match,) in rows]

    def heads(self) -> list[tuple[object, object]]:
        """The books, and the position of the last event of each."""
        return self._conn.execute("SELECT book, head FROM books").fetchall()

    def books(self) -> list[tuple[object, object, object]]:
        """The books: name, position of the last event, the time of the first (None if it is sealed)."""
        return self._conn.execute(
            "SELECT b.book, b.head, e.time FROM books b LEFT JOIN events e ON e.book = b.book AND e.pos = 1"
        ).fetchall()

    # Events

    def events(self, match: str, after: int, last: int) -> list[StoredRow]:
        """The events of a match after one position and up to another, in order; none if it is sealed."""
        return self._conn.execute(
            "SELECT n, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
            " WHERE match = ? AND n > ? AND n <= ? ORDER BY n",
            (match, after, last),
        ).fetchall()

    def lines(self, match: str) -> list[StoredLine]:
        """All events of a match with what was written with them, in order; none if it is sealed."""
        rows = self._conn.execute(
            "SELECT pos, n, type, version, time, recorder, key, CAST(payload AS BLOB), prev, leaf, book FROM events"
            " WHERE match = ? ORDER BY n",
            (match,),
        )
        return [StoredLine(Line(*row[:8]), *row[8:]) for row in rows]

    def book_events(self, book: str, after: int, limit: int) -> list[tuple[Any, ...]]:
        """The events of a book after a position: position, match and the rest; those of sealed matches are left out."""
        return self._conn.execute(
            "SELECT pos, match, n, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
            " WHERE book = ? AND pos > ? ORDER BY pos LIMIT ?",
            (book, after, limit),
        ).fetchall()

    def stored_events(self, book: str, after: int) -> Iterator[StoredEvent]:
        """The events of a book after a position as they lie in the file, whatever is in them."""
        rows = self._conn.execute(
            "SELECT pos, CAST(match AS BLOB), n, CAST(type AS BLOB), version, CAST(time AS BLOB), CAST(recorder AS BLOB),"
            f" CAST(key AS BLOB), CAST(payload AS BLOB), CAST(prev AS BLOB), CAST(leaf AS BLOB), {_SOUND}"
            f" FROM events WHERE book = :book{' AND pos > :after' if after > -ALL else ''} ORDER BY pos",
            {"book": book, "after": after},
        )
        return (StoredEvent._make((*row[:11], bool(row[11]))) for row in rows)

    def leaves(self, book: str, after: int) -> list[tuple[object, object]]:
        """The position and leaf of every event of a book after a position; those of sealed matches are left out."""
        return self._conn.execute(
            "SELECT pos, leaf FROM events WHERE book = ? AND pos > ? ORDER BY pos", (book, after)
        ).fetchall()

    def sealed(self, match: str) -> SealedRow | None:
        """The row of a sealed match; None if it is not sealed."""
        row = self._conn.execute(f"SELECT {_SEALED} FROM sealed WHERE match = ?", (match,)).fetchone()
        return None if row is None else SealedRow(*row)

    def sealed_in(self, book: str, after: int = 0, upto: int = ALL) -> Iterator[SealedRow]:
        """The sealed matches of a book that have, or seem to have, an event after one position and up to another."""
        rows = self._conn.execute(
            f"SELECT {_SEALED} FROM sealed WHERE book = ? AND last_pos > ? AND first_pos <= ? ORDER BY last_pos",
            (book, after, upto),
        )
        return (SealedRow(*row) for row in rows)

    # Submission keys

    def key(self, match: str, key: str) -> KeyEntry | None:
        """What was submitted under a key of a match; None if nothing was, or the match is sealed."""
        row = self._conn.execute(
            "SELECT match, key, fingerprint, first, last FROM keys WHERE match = ? AND key = ?", (match, key)
        ).fetchone()
        return None if row is None else KeyEntry(*row)

    def keys(self, match: str) -> list[tuple[str, int, int]]:
        """The keys of a match with the first and last event of each."""
        return self._conn.execute("SELECT key, first, last FROM keys WHERE match = ?", (match,)).fetchall()

    def opened_with(self, key: str) -> list[str]:
        """The matches opened under a key."""
        rows = self._conn.execute("SELECT match FROM keys WHERE key = ? AND first = 0 ORDER BY match", (key,))
        return [str(match) for (match,) in rows]

    # What is proved

    def entries(self, book: str, table: Table) -> list[tuple[list[object], object]]:
        """The entries of a book, of its matches or of their keys: the columns under the check sum, and the check sum."""
        rows = self._conn.execute(
            f"SELECT {', '.join(DIGESTED[table])}, digest FROM {table} WHERE {_OF_A_BOOK[table]}", (book,)
        )
        return [(values, digest) for *values, digest in rows]

    def strays(self, book: str) -> list[object]:
        """The matches that have events in this book and are not listed in it."""
        rows = self._conn.execute(
            "SELECT DISTINCT e.match FROM events e LEFT JOIN matches m ON m.match = e.match AND m.book = e.book"
            " WHERE e.book = ? AND m.match IS NULL"
            " UNION SELECT s.match FROM sealed s LEFT JOIN matches m ON m.match = s.match AND m.book = s.book"
            " WHERE s.book = ? AND m.match IS NULL",
            (book, book),
        )
        return [match for (match,) in rows]

    def lengths(self, book: str) -> list[tuple[str, object, object]]:
        """The matches of a book: what their entry says is the last event, and which it is (None: there is none)."""
        return self._conn.execute(
            "SELECT m.match, m.last, coalesce((SELECT max(n) FROM events e WHERE e.match = m.match), s.events - 1)"
            " FROM matches m LEFT JOIN sealed s ON s.match = m.match WHERE m.book = ?",
            (book,),
        ).fetchall()

    def lost_keys(self, book: str) -> list[tuple[str, int]]:
        """The matches and positions of events that carry a submission key which is not kept for them."""
        return self._conn.execute(
            "SELECT e.match, min(e.pos) FROM events e LEFT JOIN keys k ON k.match = e.match AND k.key = e.key"
            " WHERE e.book = ? AND e.key <> '' AND (k.key IS NULL OR e.n < k.first OR e.n > k.last)"
            " GROUP BY e.match, e.key",
            (book,),
        ).fetchall()

    def miscounts(self) -> list[Miscount]:
        """The books and matches that have more or fewer events than they say."""
        books = self._conn.execute(
            "SELECT 'book', b.book, coalesce(e.many, 0) + coalesce(s.many, 0), b.head FROM books b"
            " LEFT JOIN (SELECT book, count(pos) AS many, max(pos) AS last FROM events GROUP BY book) e"
            " ON e.book = b.book"
            " LEFT JOIN (SELECT book, sum(events) AS many, max(last_pos) AS last FROM sealed GROUP BY book) s"
            " ON s.book = b.book"
            " WHERE coalesce(e.many, 0) + coalesce(s.many, 0) <> b.head"
            " OR (coalesce(e.last, 0) <> b.head AND coalesce(s.last, 0) <> b.head)"
        ).fetchall()
        matches = self._conn.execute(
            "SELECT 'match', m.match, coalesce(e.many, 0) + coalesce(s.events, 0), m.last FROM matches m"
            " LEFT JOIN (SELECT match, count(n) AS many, max(n) AS last FROM events GROUP BY match) e"
            " ON e.match = m.match LEFT JOIN sealed s ON s.match = m.match"
            " WHERE coalesce(e.many, 0) + coalesce(s.events, 0) <> m.last + 1"
            " OR coalesce(e.last, s.events - 1, -1) <> m.last OR m.is_sealed <> (s.match IS NOT NULL)"
        ).fetchall()
        return [Miscount(*row) for row in (*books, *matches)]

    def tiles(self, book: str) -> list[tuple[object, object]]:
        """The number and root of each full tile of a book's tree that was kept, in order."""
        return self._conn.execute("SELECT number, root FROM tiles WHERE book = ? ORDER BY number", (book,)).fetchall()

    def checkpoints(self, book: str) -> list[tuple[object, bytes, bytes]]:
        """The checkpoints kept for a book: size, root (hexadecimal) and note, the smallest first."""
        return self._conn.execute(
            "SELECT size, CAST(root AS BLOB), CAST(note AS BLOB) FROM checkpoints WHERE book = ? ORDER BY size, signer",
            (book,),
        ).fetchall()

    def signers(self) -> list[object]:
        """The public keys (hexadecimal) that checkpoints were signed with, the first one first."""
        rows = self._conn.execute("SELECT signer FROM signers ORDER BY created, signer")
        return [signer for (signer,) in rows]

    # What only a database in a file is asked

    def unsettled(self, mark: int) -> list[str]:
        """The books whose file is marked so."""
        rows = self._conn.execute("SELECT book FROM books WHERE settled = ? ORDER BY book", (mark,))
        return [str(book) for (book,) in rows]

    def leaf_of(self, book: str, position: int) -> tuple[object] | None:
        """The leaf of an event that is not sealed; None if there is none at this position."""
        row: tuple[object] | None = self._conn.execute(
            "SELECT leaf FROM events WHERE book = ? AND pos = ?", (book, position)
        ).fetchone()
        return row
