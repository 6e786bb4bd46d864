"""All queries on the tables of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from records.backend import Table
from records.rows import (
    ALL,
    SEALED,
    EventLine,
    KeyEntry,
    ListedMatch,
    Miscount,
    SealedRow,
    StoredEvent,
    StoredLine,
    StoredRow,
)
from records.sealed_codec import OF_THE_OPENING

if TYPE_CHECKING:
    from records.postgres.connecting import StoreConnection

_SEALED = ", ".join(SEALED)
_DIGESTED: dict[Table, str] = {
    "books": "SELECT book, head, created, digest FROM books WHERE book = %s",
    "matches": (
        "SELECT match, book, game, created, changed, last, is_over, parent, parent_n, is_sealed, digest FROM "
        "matches WHERE book = %s"
    ),
    "keys": (
        "SELECT k.match, k.key, k.fingerprint, k.first, k.last, k.digest FROM keys k JOIN matches m USING "
        "(match) WHERE m.book = %s"
    ),
}
"""The columns under the checksum of a row, in order, then the checksum."""
_AT_ONCE = 5000
"""Events of a book fetched at once."""
_LAST_EVENT = (
    "LEFT JOIN LATERAL (SELECT e.n, e.pos, e.time FROM events e WHERE e.match = m.match ORDER BY e.n DESC "
    "LIMIT 1) l ON true"
)
_LISTED = (
    "SELECT m.match, m.book, m.game, f.time, l.time, m.last, m.is_over, m.parent, m.parent_n, "
    "coalesce(l.pos, s.last_pos),"
    " f.version, f.payload, s.dictionary, s.body FROM matches m"
    f" LEFT JOIN events f ON f.match = m.match AND f.n = 0 {_LAST_EVENT} LEFT JOIN sealed s ON s.match = m.match"
    " WHERE ((f.n IS NOT NULL AND l.n = m.last) OR s.last_pos IS NOT NULL)"
    " AND (%(book)s::text IS NULL OR m.book = %(book)s) AND (%(game)s::text IS NULL OR m.game = %(game)s)"
    " AND (NOT %(open)s OR m.is_over = 0)"
)


class PostgresReader:
    """Queries on one connection, as `records.backend.Reader` describes them. The enclosing transaction decides which
    state they see."""

    def __init__(self, link: StoreConnection) -> None:
        self._link = link

    @property
    def place(self) -> str:
        """The address, without its password."""
        return self._link.place

    def _all(self, query: str, values: Sequence[object] | dict[str, object] = ()) -> list[Any]:
        return self._link.run(query, values).fetchall()

    def _one(self, query: str, values: Sequence[object] = ()) -> Any:
        return self._link.run(query, values).fetchone()

    # Matches and books

    def end_of(self, match: str) -> tuple[str, int] | None:
        row: tuple[str, int] | None = self._one("SELECT book, last FROM matches WHERE match = %s", (match,))
        return row

    def book_of(self, match: str) -> str | None:
        row = self._one("SELECT book FROM matches WHERE match = %s", (match,))
        return None if row is None else str(row[0])

    def ids(self, *, game: str | None = None) -> list[str]:
        return [match for (match,) in self._all(
            "SELECT match FROM matches WHERE %(game)s::text IS NULL OR game = %(game)s ORDER BY created, match",
            {"game": game}
        )]  # fmt: skip

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        rows = self._all(
            "SELECT match FROM matches WHERE match >= %s AND starts_with(match, %s) AND match < %s ORDER "
            "BY match LIMIT %s",
            (prefix, prefix, prefix + "\x7f", limit),
        )
        return [match for (match,) in rows]

    def latest_ids(self, limit: int) -> list[str]:
        return [
            match for (match,) in self._all("SELECT match FROM matches ORDER BY changed DESC, match LIMIT %s", (limit,))
        ]

    def matches(self, *, book: str | None, game: str | None, open_only: bool) -> list[ListedMatch]:
        rows = self._all(_LISTED, {"book": book, "game": game, "open": open_only})
        return [ListedMatch._make(row) for row in rows]

    def open_matches(self) -> list[tuple[str, str, object, object]]:
        return self._all(
            f"SELECT m.match, m.book, l.pos, l.time FROM matches m {_LAST_EVENT} WHERE m.is_over = 0 AND "
            "m.is_sealed = 0 AND l.n = m.last"
        )

    def matches_to_seal(self, book: str | None) -> list[str]:
        rows = self._all(
            "SELECT match FROM matches WHERE is_over = 1 AND is_sealed = 0 AND (%(book)s::text IS NULL OR "
            "book = %(book)s) ORDER BY created, match",
            {"book": book},
        )
        return [match for (match,) in rows]

    def heads(self) -> list[tuple[object, object]]:
        return self._all("SELECT book, head FROM books ORDER BY created, book")

    def books(self) -> list[tuple[object, object, object]]:
        return self._all(
            "SELECT b.book, b.head, e.time FROM books b LEFT JOIN events e ON e.book = b.book AND e.pos = 1"
        )

    # Events

    def events(self, match: str, after: int, last: int) -> list[StoredRow]:
        return self._all(
            "SELECT n, version, time, recorder, key, payload FROM events WHERE match = %s AND n > %s AND n "
            "<= %s ORDER BY n",
            (match, min(after, _INT), min(last, _INT)),
        )

    def reopened(self, book: str, after: int) -> list[str]:
        """The matches of a book that have a correction of their opening after a position; without sealed ones."""
        found = self._all(
            "SELECT DISTINCT match FROM events WHERE book = %s AND pos > %s AND type = 'fix' AND "
            "position(%s::bytea IN payload) > 0",
            (book, after, OF_THE_OPENING),
        )
        return [match for (match,) in found]

    def lines(self, match: str) -> list[StoredLine]:
        rows = self._all(
            "SELECT pos, n, type, version, time, recorder, key, payload, prev, leaf, book FROM events "
            "WHERE match = %s ORDER BY n",
            (match,)
        )
        return [StoredLine(EventLine._make(row[:8]), *row[8:]) for row in rows]

    def book_events(self, book: str, after: int, limit: int) -> list[tuple[Any, ...]]:
        # A range and no LIMIT: sealed events are in the range too, and the caller fetches them by position.
        return self._all(
            "SELECT pos, match, n, version, time, recorder, key, payload FROM events WHERE book = %s AND "
            "pos > %s AND pos <= %s ORDER BY pos",
            (book, after, min(after + limit, ALL)),
        )

    def stored_events(self, book: str, after: int) -> Iterator[StoredEvent]:
        """The events of a book after a position as they are stored. The server guarantees the types of the columns."""
        while True:
            rows = self._all(
                "SELECT pos, match, n, type, version, time, recorder, key, payload, prev, leaf FROM events"
                " WHERE book = %s AND pos > %s ORDER BY pos LIMIT %s",
                (book, max(after, -ALL), _AT_ONCE),
            )
            for pos, match, n, kind, version, time, recorder, key, payload, prev, leaf in rows:
                yield StoredEvent(
                    pos, match.encode(), n, kind.encode(), version, time.encode(), recorder.encode(), key.encode(),
                    payload, prev, leaf, version >= 0 and n >= 0 and pos >= 0,
                )  # fmt: skip
            if len(rows) < _AT_ONCE:
                return
            after = rows[-1][0]

    def leaves(self, book: str, after: int) -> list[tuple[object, object]]:
        return self._all("SELECT pos, leaf FROM events WHERE book = %s AND pos > %s ORDER BY pos", (book, after))

    def tip(self, match: str) -> tuple[int, bytes] | None:
        row: tuple[int, bytes] | None = self._one(
            "(SELECT n, leaf FROM events WHERE match = %s ORDER BY n DESC LIMIT 1) UNION ALL"
            " (SELECT events - 1, tip FROM sealed WHERE match = %s) ORDER BY n DESC LIMIT 1",
            (match, match),
        )
        return row

    def sealed(self, match: str) -> SealedRow | None:
        row = self._one(f"SELECT {_SEALED} FROM sealed WHERE match = %s", (match,))
        return None if row is None else SealedRow(*row)

    def sealed_in(self, book: str, after: int = 0, upto: int = ALL) -> Iterator[SealedRow]:
        while True:
            rows = self._all(
                f"SELECT {_SEALED} FROM sealed WHERE book = %s AND last_pos > %s AND first_pos <= %s ORDER "
                "BY last_pos LIMIT %s",
                (book, after, upto, _AT_ONCE),
            )
            yield from (SealedRow(*row) for row in rows)
            if len(rows) < _AT_ONCE:
                return
            after = rows[-1][3]

    # Submission keys

    def key(self, match: str, key: str) -> KeyEntry | None:
        row = self._one(
            "SELECT match, key, fingerprint, first, last FROM keys WHERE match = %s AND key = %s", (match, key),
        )
        return None if row is None else KeyEntry(*row)

    def keys(self, match: str) -> list[tuple[str, int, int]]:
        return self._all("SELECT key, first, last FROM keys WHERE match = %s", (match,))

    def opened_with(self, key: str) -> list[str]:
        return [
            match
            for (match,) in self._all("SELECT match FROM keys WHERE key = %s AND first = 0 ORDER BY match", (key,))
        ]

    # Proofs and integrity

    def entries(self, book: str, table: Table) -> list[tuple[list[object], object]]:
        return [(values, digest) for *values, digest in self._all(_DIGESTED[table], (book,))]

    def strays(self, book: str) -> list[object]:
        rows = self._all(
            "SELECT e.match FROM (SELECT match, book FROM events UNION SELECT match, book FROM sealed) e"
            " LEFT JOIN matches m ON m.match = e.match AND m.book = e.book WHERE e.book = %s AND m.match "
            "IS NULL ORDER BY 1",
            (book,),
        )
        return [match for (match,) in rows]

    def lengths(self, book: str) -> list[tuple[str, object, object]]:
        return self._all(
            "SELECT m.match, m.last, coalesce((SELECT max(e.n) FROM events e WHERE e.match = m.match), s.events - 1)"
            " FROM matches m LEFT JOIN sealed s ON s.match = m.match WHERE m.book = %s",
            (book,),
        )

    def lost_keys(self, book: str) -> list[tuple[str, int]]:
        return self._all(
            "SELECT e.match, min(e.pos) FROM events e LEFT JOIN keys k ON k.match = e.match AND k.key = "
            "e.key AND e.n BETWEEN k.first AND k.last"
            " WHERE e.book = %s AND e.key <> '' AND k.key IS NULL GROUP BY e.match, e.key ORDER BY 2",
            (book,),
        )

    def miscounts(self) -> list[Miscount]:
        books = self._all(
            "SELECT 'book', b.book, coalesce(e.many, 0) + coalesce(s.many, 0), b.head FROM books b"
            " LEFT JOIN (SELECT book, count(*) AS many, max(pos) AS last FROM events GROUP BY book) e ON "
            "e.book = b.book"
            " LEFT JOIN (SELECT book, sum(events) AS many, max(last_pos) AS last FROM sealed GROUP BY "
            "book) s ON s.book = b.book"
            " WHERE coalesce(e.many, 0) + coalesce(s.many, 0) <> b.head"
            " OR greatest(coalesce(e.last, 0), coalesce(s.last, 0)) <> b.head"
        )
        matches = self._all(
            "SELECT 'match', m.match, coalesce(e.many, 0) + coalesce(s.events, 0), m.last FROM matches m"
            " LEFT JOIN (SELECT match, count(*) AS many, max(n) AS last FROM events GROUP BY match) e ON "
            "e.match = m.match"
            " LEFT JOIN sealed s ON s.match = m.match"
            " WHERE coalesce(e.many, 0) + coalesce(s.events, 0) <> m.last + 1"
            " OR coalesce(e.last, s.events - 1, -1) <> m.last OR (m.is_sealed <> 0) <> (s.match IS NOT NULL)"
        )
        return [Miscount(what, name, int(many), last) for what, name, many, last in (*books, *matches)]

    def tiles(self, book: str) -> list[tuple[object, object]]:
        return self._all("SELECT number, root FROM tiles WHERE book = %s ORDER BY number", (book,))

    def checkpoints(self, book: str) -> list[tuple[object, bytes, bytes]]:
        rows = self._all("SELECT size, root, note FROM checkpoints WHERE book = %s ORDER BY size, signer", (book,))
        return [(size, root.encode(), note.encode()) for size, root, note in rows]

    def signers(self) -> list[object]:
        return [signer for (signer,) in self._all("SELECT signer FROM signers ORDER BY created, signer")]


_INT = 2**31 - 1
"""The largest value of an `integer` column."""
