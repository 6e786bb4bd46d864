"""All queries on the tables of a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

from events.errors import StoreError, UnreadableError
from records.backend import Table
from records.hashes import digest_of_values
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
    Volume,
    whole_value,
)
from records.sealed_codec import OF_THE_OPENING, damaged, leaves_in, unsealed_lines
from records.sqlite.event_runs import (
    READ,
    SPAN,
    Run,
    as_stored,
    begin_of,
    end_time,
    name_of_run,
    placed_leaves,
    split_run,
    stored_rows,
)
from records.sqlite.schema import DIGESTED, UNSETTLED
from records.sqlite.volumes import COLUMNS as VOLUME
from records.sqlite.volumes import Shelf, VolumeEntry

_SEALED = ", ".join(SEALED)
_OF_A_BOOK = {
    "books": "book = ?",
    "matches": "book = ?",
    "keys": "match IN (SELECT match FROM matches WHERE book = ?)",
}
_EVENTS = (
    f"SELECT {READ} FROM runs WHERE match = :match AND n <= :last AND n + events - 1 > :after"
    f" UNION ALL SELECT {READ} FROM recent WHERE match = :match AND n <= :last AND n + events - 1 > :after"
)
_REOPENED = " UNION ".join(
    f"SELECT match FROM {table} WHERE book = :book AND last_pos > :after AND instr(payload, :words)"
    for table in ("runs", "recent")
)
# The runs of a book that may hold an event above `after`, up to `upto`. In a sound run first and last are close.
_BETWEEN = (
    f"SELECT {READ} FROM runs WHERE book = :book AND last_pos > :after AND last_pos < :upto + {SPAN} AND pos <= :upto"
    f" UNION ALL SELECT {READ} FROM recent WHERE book = :book AND last_pos > :after AND pos <= :upto"
)
_TIP = (
    "SELECT n + events - 1, substr(leaves, -32) FROM runs WHERE match = :match AND n = (SELECT max(n) FROM "
    "runs WHERE match = :match)"
    " UNION ALL SELECT n + events - 1, substr(leaves, -32) FROM recent WHERE match = :match"
    " UNION ALL SELECT events - 1, tip FROM sealed WHERE match = :match"
)
_WHOLE_BOOK = f"SELECT {READ} FROM runs WHERE book = :book UNION ALL SELECT {READ} FROM recent WHERE book = :book"
_LAST_RUN = "LEFT JOIN runs l ON l.match = m.match AND l.n = (SELECT max(x.n) FROM runs x WHERE x.match = m.match)"


class SqliteReader:
    """Queries on one connection, as `records.backend.Reader` describes them. The enclosing transaction decides which
    state they see."""

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._conn = conn
        self.path = path
        self._shelf = Shelf()

    @property
    def place(self) -> str:
        """The file, as it was named."""
        return str(self.path)

    # Matches and books

    def end_of(self, match: str) -> tuple[str, int] | None:
        row = self._conn.execute(
            "SELECT book, coalesce((SELECT max(n + events - 1) FROM recent WHERE match = :match), last) FROM matches"
            " WHERE match = :match",
            {"match": match},
        ).fetchone()
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
        row = self._conn.execute("SELECT book FROM matches WHERE match = ?", (match,)).fetchone()
        return None if row is None else str(row[0])

    def ids(self, *, game: str | None = None) -> list[str]:
        rows = self._conn.execute(
            "SELECT match FROM matches WHERE :game IS NULL OR game = :game ORDER BY created, match", {"game": game}
        )
        return [str(match) for (match,) in rows]

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        # The range lets SQLite use the index, in the order of bytes.
        rows = self._conn.execute(
            "SELECT match FROM matches WHERE match >= ? AND match < ? AND substr(match, 1, ?) = ? ORDER BY "
            "match LIMIT ?",
            (prefix, prefix + "\x7f", len(prefix), prefix, limit),
        )
        return [str(match) for (match,) in rows]

    def latest_ids(self, limit: int) -> list[str]:
        # For a match in a volume `changed` is empty here; its creation is a lower bound.
        rows = self._conn.execute(
            "SELECT match, max(changed, created) FROM matches ORDER BY 2 DESC, match LIMIT ?", (limit,),
        )
        changed = {str(match): str(when) for match, when in rows}
        for match, when in self._conn.execute("SELECT match, changed FROM recent ORDER BY place"):
            changed[str(match)] = str(when)
        return sorted(sorted(changed), key=lambda match: changed[match], reverse=True)[:limit]

    def matches(self, *, book: str | None, game: str | None, open_only: bool) -> list[ListedMatch]:
        rows = self._conn.execute(
            "SELECT m.match, m.book, m.game, m.last, m.is_over, m.parent, m.parent_n,"
            " f.beside, CAST(substr(f.payload, 1, instr(f.payload || char(10), char(10)) - 1) AS BLOB),"
            f" l.beside, l.last_pos, s.last_pos, s.dictionary, s.body, m.volume FROM matches m"
            f" LEFT JOIN runs f ON f.match = m.match AND f.n = 0 {_LAST_RUN} LEFT JOIN sealed s ON s.match = m.match"
            " WHERE ((f.n IS NOT NULL AND l.n + l.events - 1 = m.last) OR s.last_pos IS NOT NULL OR "
            "m.volume IS NOT NULL)"
            " AND (:book IS NULL OR m.book = :book) AND (:game IS NULL OR m.game = :game)"
            " AND (:open = 0 OR m.is_over = 0)",
            {"book": book, "game": game, "open": int(open_only)},
        ).fetchall()
        added = self._added()
        found = []
        # By volume, so that each volume is read once.
        rows.sort(key=lambda row: whole_value(row[-1]))
        for (
            match, in_book, of_game, last, is_over, parent, parent_n, first, payload, late, end, sealed_end, dictionary,
            body, volume,
        ) in rows:
            version, begun = begin_of(first)
            changed = end_time(late)
            if payload is None and body is None:
                if volume is None or (sealed := self._shelf.match(self._conn, match)) is None:
                    continue
                end, dictionary, body = sealed.last_pos, sealed.dictionary, b""  # shown like this if it cannot be read
                if isinstance(sealed.bound, VolumeEntry):
                    with suppress(UnreadableError):
                        version, payload, begun, changed = sealed.bound.opening()
            elif payload is None:
                end = sealed_end
            elif match in added:
                last, end, changed = added[match]
            found.append(
                ListedMatch(
                    match, in_book, of_game, begun, changed, last, is_over, parent, parent_n, end, version, payload,
                    dictionary, body,
                )
            )  # fmt: skip
        return found

    def _added(self) -> dict[Any, tuple[Any, Any, Any]]:
        """The ends of matches with events in the tail: number, position and time of the last event."""
        rows = self._conn.execute("SELECT match, n + events - 1, last_pos, beside FROM recent ORDER BY place")
        return {match: (last, pos, end_time(beside)) for match, last, pos, beside in rows}

    def open_matches(self) -> list[tuple[str, str, object, object]]:
        added = self._added()
        rows = self._conn.execute(
            f"SELECT m.match, m.book, l.last_pos, l.beside FROM matches m {_LAST_RUN}"
            " WHERE m.is_over = 0 AND m.is_sealed = 0 AND l.n + l.events - 1 = m.last"
        )
        return [
            (match, book, *(added[match][1:] if match in added else (pos, end_time(beside))))
            for match, book, pos, beside in rows
        ]

    def matches_to_seal(self, book: str | None) -> list[str]:
        rows = self._conn.execute(
            "SELECT match FROM matches WHERE is_over = 1 AND is_sealed = 0 AND (? IS NULL OR book = ?)"
            " ORDER BY created, match",
            (book, book),
        )
        return [str(match) for (match,) in rows]

    def heads(self) -> list[tuple[object, object]]:
        return self._conn.execute(
            "SELECT b.book, coalesce((SELECT max(last_pos) FROM recent r WHERE r.book = b.book), b.head) FROM books b"
        ).fetchall()

    def books(self) -> list[tuple[object, object, object]]:
        rows = self._conn.execute(
            "SELECT b.book, coalesce((SELECT max(last_pos) FROM recent t WHERE t.book = b.book), b.head), "
            "r.beside FROM books b"
            f" LEFT JOIN runs r ON r.book = b.book AND r.last_pos <= {SPAN} AND r.pos = 1"
        )
        return [(book, head, None if beside is None else begin_of(beside)[1]) for book, head, beside in rows]

    # Events

    def events(self, match: str, after: int, last: int) -> list[StoredRow]:
        rows: list[StoredRow] = []
        for row in self._conn.execute(_EVENTS, {"match": match, "after": after, "last": last}).fetchall():
            run = Run._make(row)
            try:
                rows += stored_rows(run, after, last)
            except UnreadableError as error:
                raise self._damaged(match, run, error) from error
        if any(one[0] > two[0] for one, two in pairwise(rows)):
            rows.sort(key=itemgetter(0))
        return rows

    def reopened(self, book: str, after: int) -> list[str]:
        rows = self._conn.execute(_REOPENED, {"book": book, "after": after, "words": OF_THE_OPENING.decode()})
        return [str(match) for (match,) in rows]

    def _damaged(self, match: str, run: Run, error: UnreadableError) -> StoreError:
        return StoreError(
            f"the stored events cannot be read ({error.what})",
            where=f"{self.path}, match {match!s:.80}, {name_of_run(run)}",
            todo="The store is damaged: `kibitz verify` tells what was changed; go back to a backup",
        )

    def lines(self, match: str) -> list[StoredLine]:
        found = []
        for run in self._runs(_EVENTS, match=match, after=-ALL, last=ALL):
            for e in as_stored(run):
                texts = (e.type, e.time, e.recorder, e.key)
                type_, time, recorder, key = (text.decode("utf-8", "replace") for text in texts)
                # An unsound event must not look like a valid line.
                line = EventLine(e.pos, e.n, type_, e.version if e.sound else None, time, recorder, key, e.payload)  # type: ignore[arg-type]  # None stands for an unsound event
                found.append(StoredLine(line, e.prev, e.leaf, run.book))
        return sorted(found, key=lambda one: whole_value(one.line.n))

    def _runs(self, sql: str, **said: object) -> list[Run]:
        return [Run._make(row) for row in self._conn.execute(sql, said)]

    def book_events(self, book: str, after: int, limit: int) -> list[tuple[Any, ...]]:
        upto = min(after + limit, ALL)
        rows: list[tuple[Any, ...]] = []
        for run in self._runs(_BETWEEN, book=book, after=after, upto=upto):
            try:
                events = stored_rows(run, -1, ALL)
                positions = split_run(run).positions
            except UnreadableError as error:
                raise self._damaged(run.match, run, error) from error
            rows += [
                (pos, run.match, *rest) for pos, rest in zip(positions, events, strict=True) if after < pos <= upto
            ]
        rows.sort(key=itemgetter(0))
        return rows

    def stored_events(self, book: str, after: int) -> Iterator[StoredEvent]:
        runs = self._runs(
            _BETWEEN, book=book, after=after, upto=ALL,
        ) if after > -ALL else self._runs(_WHOLE_BOOK, book=book)
        events = [e for run in runs for e in as_stored(run)]
        events.sort(key=lambda e: whole_value(e.pos))
        return (e for e in events if after == -ALL or whole_value(e.pos) > after or not e.sound)

    def leaves(self, book: str, after: int) -> list[tuple[object, object]]:
        found: list[tuple[int, bytes]] = []
        for run in self._runs(_BETWEEN, book=book, after=after, upto=ALL):
            with suppress(UnreadableError):  # they are then missing from the result
                found += [one for one in placed_leaves(run) if one[0] > after]
        found.sort(key=itemgetter(0))
        return [*found]

    def tip(self, match: str) -> tuple[int, bytes] | None:
        rows = self._conn.execute(_TIP, {"match": match}).fetchall()
        if not rows and (sealed := self._shelf.match(self._conn, match)) is not None:
            try:
                leaves = leaves_in(sealed, unsealed_lines(sealed))
            except UnreadableError as error:
                raise damaged(self.place, match, error) from error
            return len(leaves) - 1, leaves[-1]
        if not rows:  # it may have been unsealed between the two queries
            rows = self._conn.execute(_TIP, {"match": match}).fetchall()
        last, leaf = max(((n, leaf) for n, leaf in rows if type(n) is int and type(leaf) is bytes), default=(-1, b""))
        return None if last < 0 else (last, leaf)

    def sealed(self, match: str) -> SealedRow | None:
        row = self._conn.execute(f"SELECT {_SEALED} FROM sealed WHERE match = ?", (match,)).fetchone()
        return self._shelf.match(self._conn, match) if row is None else SealedRow(*row)

    def sealed_in(self, book: str, after: int = 0, upto: int = ALL) -> Iterator[SealedRow]:
        rows = self._conn.execute(
            f"SELECT {_SEALED} FROM sealed WHERE book = ? AND last_pos > ? AND first_pos <= ? ORDER BY last_pos",
            (book, after, upto),
        )
        return chain((SealedRow(*row) for row in rows), self._shelf.matches(self._conn, book, after, upto))

    # Submission keys

    def key(self, match: str, key: str) -> KeyEntry | None:
        row = self._conn.execute(
            "SELECT match, key, fingerprint, first, last FROM keys WHERE match = :match AND key = :key UNION ALL"
            " SELECT match, key, fingerprint, n, n + events - 1 FROM recent WHERE match = :match AND key = :key",
            {"match": match, "key": key},
        ).fetchone()
        return None if row is None else KeyEntry(*row)

    def keys(self, match: str) -> list[tuple[str, int, int]]:
        return self._conn.execute(
            "SELECT key, first, last FROM keys WHERE match = :match UNION ALL"
            " SELECT key, n, n + events - 1 FROM recent WHERE match = :match AND key <> ''",
            {"match": match},
        ).fetchall()

    def opened_with(self, key: str) -> list[str]:
        rows = self._conn.execute("SELECT match FROM keys WHERE key = ? AND first = 0 ORDER BY match", (key,))
        return [str(match) for (match,) in rows]

    # Proofs and integrity

    def entries(self, book: str, table: Table) -> list[tuple[list[object], object]]:
        rows = self._conn.execute(
            f"SELECT {', '.join(DIGESTED[table])}, digest FROM {table} WHERE {_OF_A_BOOK[table]}", (book,)
        ).fetchall()
        if table == "keys":  # rows of the tail have such columns too
            rows += self._conn.execute(
                "SELECT match, key, fingerprint, n, n + events - 1, changed, digest FROM recent WHERE book = ?", (book,)
            ).fetchall()
        found = [(values, digest) for *values, digest in rows]
        return self._as_bound(book, found) if table == "matches" else found

    def _as_bound(self, book: str, found: list[tuple[list[object], object]]) -> list[tuple[list[object], object]]:
        """Rows of matches; for those in a volume, the row in it. One that contradicts its volume has no checksum."""
        where = dict(
            self._conn.execute(
                "SELECT match, volume FROM matches WHERE book = ? AND volume IS NOT NULL", (book,),
            ).fetchall()
        )
        if not where:
            return found
        bound: dict[str, list[object]] = {}
        unreadable = set()
        for number, _, opened in self._shelf.volumes(self._conn, book, -ALL, ALL):
            if isinstance(opened, UnreadableError):
                unreadable.add(number)
                continue
            for match, slot in opened.slots.items():
                if where.get(match) == number:
                    with suppress(UnreadableError):
                        bound[match] = [*opened.entry(slot).columns()]
        made: list[tuple[list[object], object]] = []
        for values, digest in found:
            name = values[0]
            if name not in where:
                made.append((values, digest))
            elif where[name] in unreadable:
                made.append((values, digest_of_values(values)))  # the fault is reported for its events
            elif isinstance(name, str) and digest == "" and values == [
                *(its := bound.get(name, [""] * 10))[:4], "", *its[5:],
            ]:
                made.append((its, digest_of_values(its)))
            else:
                made.append((values, ""))
        return made

    def strays(self, book: str) -> list[object]:
        tables = (
            "SELECT match, book FROM runs UNION SELECT match, book FROM recent UNION SELECT match, book FROM sealed"
        )
        rows = self._conn.execute(
            f"SELECT e.match FROM ({tables}) e LEFT JOIN matches m ON m.match = e.match AND m.book = e.book"
            " WHERE e.book = ? AND m.match IS NULL",
            (book,),
        )
        found = [match for (match,) in rows]
        for number, _, opened in self._shelf.volumes(self._conn, book, -ALL, ALL):
            if not isinstance(opened, UnreadableError):
                for match in opened.slots:
                    at = self._conn.execute("SELECT volume, book FROM matches WHERE match = ?", (match,)).fetchone()
                    if at != (number, book):
                        found.append(match)
        return found

    def lengths(self, book: str) -> list[tuple[str, object, object]]:
        rows = self._conn.execute(
            "SELECT m.match, m.last, coalesce((SELECT max(r.n + r.events - 1) FROM runs r WHERE r.match = "
            "m.match), s.events - 1), m.volume"
            " FROM matches m LEFT JOIN sealed s ON s.match = m.match WHERE m.book = ?",
            (book,),
        ).fetchall()
        there: dict[object, dict[str, int] | None] = {}
        for number, _, opened in self._shelf.volumes(self._conn, book, -ALL, ALL) if any(
            row[3] is not None for row in rows
        ) else ():
            there[number] = None if isinstance(opened, UnreadableError) else dict(
                zip(opened.slots, opened.counts, strict=True)
            )
        found = []
        for match, last, end, volume in rows:
            if volume is not None and end is None and volume in there:
                counts = there[volume]
                # An unreadable volume is reported itself; its matches are not reported as shorter too.
                end = last if counts is None else counts[match] - 1 if match in counts else None
            found.append((match, last, end))
        return found

    def lost_keys(self, book: str) -> list[tuple[str, int]]:
        rows = self._conn.execute(
            "SELECT match, key, first, last FROM keys WHERE match IN (SELECT match FROM matches WHERE book "
            "= :book) UNION ALL"
            " SELECT match, key, n, n + events - 1 FROM recent WHERE book = :book AND key <> ''",
            {"book": book},
        )
        kept = {(match, key): (first, last) for match, key, first, last in rows}
        lost: dict[tuple[str, str], int] = {}
        for run in self._runs(_WHOLE_BOOK, book=book):
            try:
                part = split_run(run)
            except UnreadableError:
                continue
            for pos, n, key in zip(part.positions, range(run.n, run.n + run.events), part.keys, strict=True):
                if key:
                    first, last = kept.get((run.match, key), (None, None))
                    if type(first) is not int or type(last) is not int or not first <= n <= last:
                        lost[run.match, key] = min(lost.get((run.match, key), pos), pos)
        return [(match, pos) for (match, _), pos in lost.items()]

    def miscounts(self) -> list[Miscount]:
        count = self._conn.execute
        # The rows cover what is filed; the tail continues them.
        books = count(
            "WITH put_away AS (SELECT book, events, last_pos FROM sealed UNION ALL SELECT book, events, "
            "last_pos FROM volumes)"
            " SELECT 'book', b.book, coalesce(e.many, 0) + coalesce(s.many, 0) + coalesce(t.many, 0), "
            "coalesce(t.last, b.head)"
            " FROM books b"
            " LEFT JOIN (SELECT book, sum(events) AS many, max(last_pos) AS last FROM runs GROUP BY book) "
            "e ON e.book = b.book"
            " LEFT JOIN (SELECT book, sum(events) AS many, max(last_pos) AS last FROM recent GROUP BY "
            "book) t ON t.book = b.book"
            " LEFT JOIN (SELECT book, sum(events) AS many, max(last_pos) AS last FROM put_away GROUP BY book) s"
            " ON s.book = b.book"
            " WHERE coalesce(e.many, 0) + coalesce(s.many, 0) <> b.head"
            " OR (coalesce(e.last, 0) <> b.head AND coalesce(s.last, 0) <> b.head)"
            " OR coalesce(t.many, 0) <> coalesce(t.last, b.head) - b.head"
        ).fetchall()
        matches = count(
            "SELECT 'match', m.match, coalesce(e.many, 0) + coalesce(s.events, 0) + coalesce(t.many, 0), "
            "coalesce(t.last, m.last)"
            " FROM matches m"
            " LEFT JOIN (SELECT match, sum(events) AS many, max(n + events - 1) AS last FROM runs GROUP BY match) e"
            " ON e.match = m.match"
            " LEFT JOIN (SELECT match, sum(events) AS many, max(n + events - 1) AS last FROM recent GROUP BY match) t"
            " ON t.match = m.match LEFT JOIN sealed s ON s.match = m.match"
            " WHERE m.volume IS NULL AND (coalesce(e.many, 0) + coalesce(s.events, 0) <> m.last + 1"
            " OR coalesce(e.last, s.events - 1, -1) <> m.last OR m.is_sealed <> (s.match IS NOT NULL)"
            " OR coalesce(t.many, 0) <> coalesce(t.last, m.last) - m.last)"
        ).fetchall()
        return [*(Miscount(*row) for row in (*books, *matches)), *self._miscounted()]

    def _miscounted(self) -> Iterator[Miscount]:
        """The matches in volumes with a wrong length, or missing from them."""
        # Includes volumes whose matches have all lost their rows.
        entries = self._conn.execute(
            "SELECT match, last, is_sealed, volume FROM matches WHERE volume IS NOT NULL"
            " UNION ALL SELECT NULL, NULL, NULL, volume FROM volumes ORDER BY volume"
        )
        for volume, rows in groupby(entries, key=itemgetter(3)):
            row = self._conn.execute(f"SELECT {VOLUME} FROM volumes WHERE volume = ?", (volume,)).fetchone()
            counts: dict[str, int] = {}
            if row is not None:
                with suppress(UnreadableError):
                    opened = self._shelf.opened(volume, Volume._make(row))
                    counts = dict(zip(opened.slots, opened.counts, strict=True))
            for match, last, is_sealed, _ in rows:
                if match is None:
                    continue
                if (many := counts.pop(match, 0)) != whole_value(last) + 1 or is_sealed != 1:
                    yield Miscount("match", match, many, last)
            for match, many in counts.items():
                yield Miscount("match", match, many, -1)

    def tiles(self, book: str) -> list[tuple[object, object]]:
        return self._conn.execute("SELECT number, root FROM tiles WHERE book = ? ORDER BY number", (book,)).fetchall()

    def checkpoints(self, book: str) -> list[tuple[object, bytes, bytes]]:
        return self._conn.execute(
            "SELECT size, CAST(root AS BLOB), CAST(note AS BLOB) FROM checkpoints WHERE book = ? ORDER BY size, signer",
            (book,),
        ).fetchall()

    def signers(self) -> list[object]:
        rows = self._conn.execute("SELECT signer FROM signers ORDER BY created, signer")
        return [signer for (signer,) in rows]

    # Queries for a database in a file only

    def unsettled(self) -> list[str]:
        """The books whose end may still be in the WAL alone."""
        rows = self._conn.execute("SELECT book FROM books WHERE settled = ? ORDER BY book", (UNSETTLED,))
        return [str(book) for (book,) in rows]

    def leaf_of(self, book: str, position: int) -> tuple[object] | None:
        """The leaf of an event that is not sealed; None if there is none at this position."""
        for run in self._runs(_BETWEEN, book=book, after=position - 1, upto=position):
            with suppress(UnreadableError):
                for pos, leaf in placed_leaves(run):
                    if pos == position:
                        return (leaf,)
        return None
