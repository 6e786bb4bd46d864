"""Sealing: the rows of a finished match become one row, and rows again where something has to be added.

Nothing is lost by it and nothing proved less: the events come out byte for byte, at their positions, with the hashes
they had. Sealing takes apart what it has put together and compares, inside the one transaction that changes the rows.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from events.errors import StoreError, UnreadableError, UsageError
from records.chain import NO_PREVIOUS
from records.faults import translated_errors
from records.sealing import NEWEST, Line, Sealed, chained, pack, unpack

if TYPE_CHECKING:
    from records.store import Store, _Row

AT_ONCE = 200
"""So many matches are sealed in one commit."""


class SealedRow(NamedTuple):
    """A row of the table `sealed`, in its columns."""

    match: str
    book: str
    first_pos: int
    last_pos: int
    events: int
    dictionary: int
    tip: bytes
    body: bytes


_TYPES = (str, str, int, int, int, int, bytes, bytes)
_LINE = (int, int, str, int, str, str, str, bytes)
_COLUMNS = ", ".join(SealedRow._fields)
_EVENTS = (
    "SELECT pos, n, type, version, time, recorder, key, CAST(payload AS BLOB), prev, leaf, book FROM events"
    " WHERE match = ? ORDER BY n"
)


# Reading


def sealed_row(conn: sqlite3.Connection, match: str) -> SealedRow | None:
    """The row of a sealed match; None if it is not sealed."""
    row = conn.execute(f"SELECT {_COLUMNS} FROM sealed WHERE match = ?", (match,)).fetchone()
    return None if row is None else SealedRow(*row)


def sealed_rows(conn: sqlite3.Connection, book: str, after: int = 0, upto: int = 2**62) -> Iterator[SealedRow]:
    """The sealed matches of a book that have, or seem to have, an event behind `after` and up to `upto`."""
    for row in conn.execute(
        f"SELECT {_COLUMNS} FROM sealed WHERE book = ? AND last_pos > ? AND first_pos <= ? ORDER BY last_pos",
        (book, after, upto),
    ):
        yield SealedRow(*row)


def lines_of(row: SealedRow) -> list[Line]:
    """The events of a sealed match. UnreadableError if they cannot be had, or are not where the row says."""
    if tuple(map(type, row)) != _TYPES:
        raise UnreadableError("a column of the sealed match is of another type")
    if 0 < _end_of_frame(row.body) < len(row.body):
        raise UnreadableError("more bytes stand in the sealed match than were sealed")
    lines = unpack(row.body, row.dictionary, row.events)
    if (lines[0].pos, lines[-1].pos, len(lines)) != (row.first_pos, row.last_pos, row.events):
        raise UnreadableError("the sealed match does not hold the events its entry says")
    return lines


def _end_of_frame(blob: bytes) -> int:
    """Where the zstd frame (RFC 8878) at the beginning of the bytes ends; 0 if there is none. It is not taken apart."""
    if blob[:4] != b"\x28\xb5\x2f\xfd" or len(blob) < 5:
        return 0
    said = blob[4]
    alone = said >> 5 & 1
    at = 5 + (1 - alone) + (0, 1, 2, 4)[said & 3] + (alone, 2, 4, 8)[said >> 6]
    while at + 3 <= len(blob):
        block = int.from_bytes(blob[at : at + 3], "little")
        at += 3 + (1 if block >> 1 & 3 == 1 else block >> 3)
        if block & 1:
            return at + 4 * (said >> 2 & 1)
    return 0


def leaves_in(row: SealedRow, lines: Sequence[Line]) -> list[bytes]:
    """The leaves of a sealed match. UnreadableError if the last is not the one that was written when it was sealed."""
    leaves = chained(row.book.encode(), row.match.encode(), lines)
    if leaves[-1] != row.tip:
        raise UnreadableError("the sealed match is not the one that was sealed")
    return leaves


def match_lines(store: Store, match: str) -> list[Line]:
    """The events of a match, sealed or not, as they are stored. StoreError if they cannot be read."""
    with store._moment():
        rows = store._conn.execute(_EVENTS, (match,)).fetchall()
        row = None if rows else sealed_row(store._conn, match)
    try:
        if row is not None:
            return lines_of(row)
        if any(tuple(map(type, columns[:8])) != _LINE for columns in rows):
            raise UnreadableError("a column of an event is of another type")
    except UnreadableError as error:
        raise damaged(store, match, error) from error
    return [Line(*columns[:8]) for columns in rows]


def damaged(store: Store, match: str, error: UnreadableError) -> StoreError:
    """The refusal for a match that cannot be read as it is stored."""
    return StoreError(
        f"the store is damaged: {error.what}",
        where=f"{store.path}, match {match!s:.80}",
        todo=error.todo or "`kibitz verify` tells what was changed; go back to a backup",
    )


# Sealing


def seal(store: Store, match: str, *, unfinished: bool = False) -> Sealed:
    """Put a finished match into one row. Sealed already, it stays as it is.

    `unfinished`: also one that the store does not know to be over, such as a single hand of an archive.

    NotFoundError if there is no such match; UsageError if it is not over; StoreError if its events are not those that
    were written: then nothing is sealed.
    """
    with store._writing():
        row = store._row(match)
        if row is None:
            raise store._no_match(match)
        if not (row.is_over or row.is_sealed or unfinished):
            raise UsageError(
                f"match {match} is not over", where=str(store.path), todo="Seal it all the same with --unfinished"
            )
        return seal_rows(store, row)


def seal_rows(store: Store, row: _Row) -> Sealed:
    """`seal`, inside a transaction."""
    match = row.match
    if row.is_sealed:
        there = sealed_row(store._conn, match)
        return Sealed(match, row.last + 1, len(there.body) if there else 0)
    lines, tip = _sound(store, row)
    _check_keys(store, match, lines)
    body = write_sealed(store, row.book, match, lines, tip)
    store._conn.execute("DELETE FROM events WHERE match = ?", (match,))
    store._conn.execute("DELETE FROM keys WHERE match = ? AND first > 0", (match,))
    store._update_match(structs.replace(row, is_sealed=1))
    store._unsettle(row)
    return Sealed(match, len(lines), len(body))


def seal_all(store: Store, matches: Iterable[str], *, unfinished: bool = False) -> Iterator[Sealed]:
    """Seal many, so and so many in a commit; what is yielded is on the disk. Raises as `seal` does, what came before kept."""
    waiting = iter(matches)
    while True:
        done: list[Sealed] = []
        wrong: Exception | None = None
        with store.together():
            for match in waiting:
                try:
                    done.append(seal(store, match, unfinished=unfinished))
                except (UsageError, StoreError) as error:
                    wrong = error
                    break
                if len(done) == AT_ONCE:
                    break
        yield from done
        if wrong is not None:
            raise wrong
        if len(done) < AT_ONCE:
            return
        time.sleep(0.01)  # who waits for the lock looks every few milliseconds, and should find it free


def to_seal(store: Store, book: str | None = None) -> list[str]:
    """The matches that are over and not sealed, in the order they were opened."""
    with translated_errors(store.path):
        rows = store._conn.execute(
            "SELECT match FROM matches WHERE is_over = 1 AND is_sealed = 0 AND (? IS NULL OR book = ?)"
            " ORDER BY created, match",
            (book, book),
        ).fetchall()
    return [str(match) for (match,) in rows]


def unseal(store: Store, match: str) -> int:
    """Make a sealed match rows again, so that events can be added; how many there are. One that is not sealed stays.

    NotFoundError if there is no such match; StoreError if the sealed events are not those that were sealed.
    """
    with store._writing():
        row = store._row(match)
        if row is None:
            raise store._no_match(match)
        there = sealed_row(store._conn, match)
        if not row.is_sealed or there is None:
            return row.last + 1
        try:
            lines = lines_of(there)
            leaves = leaves_in(there, lines)
        except UnreadableError as error:
            raise damaged(store, match, error) from error
        store._insert_rows([
            (there.book, line.pos, match, *line[1:7], line.payload.decode(), prev, leaf)
            for line, prev, leaf in zip(lines, [NO_PREVIOUS, *leaves], leaves, strict=False)
        ])  # fmt: skip
        store._conn.execute("DELETE FROM sealed WHERE match = ?", (match,))
        store._update_match(structs.replace(row, is_sealed=0))
        records = [store._recorded(match, line) for line in lines]
        store._note_keys(match, records, [line.payload for line in lines], 0)
        store._unsettle(row)
    return len(lines)


def compact(store: Store) -> tuple[int, int]:
    """Give the room that sealing has left back to the disk: the bytes of the file before and after.

    Writes the whole file anew, in one transaction; needs as much room again while it does.
    """
    with store._alone():
        # The file is the whole store once its write-ahead file is cut off, and says so, whatever ends us before we close.
        store._settle()
        store._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        before = store.path.stat().st_size
        store._conn.execute("VACUUM")
        store._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return before, store.path.stat().st_size


def write_sealed(store: Store, book: str, match: str, lines: Sequence[Line], tip: bytes) -> bytes:
    """Insert the row of a sealed match, inside a transaction; the blob."""
    try:
        body = pack(lines)
    except UnreadableError as error:
        raise StoreError(f"not sealed: {error.what}", where=f"match {match}") from error
    row = SealedRow(match, book, lines[0].pos, lines[-1].pos, len(lines), NEWEST, tip, body)
    store._conn.execute(f"INSERT INTO sealed ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    return body


def _sound(store: Store, row: _Row) -> tuple[list[Line], bytes]:
    """The events of a match and the last leaf, if they are those that were written, all of them."""
    match = row.match
    rows = store._conn.execute(_EVENTS, (match,)).fetchall()
    lines = [Line(*columns[:8]) for columns in rows]
    books = {columns[10] for columns in rows}
    leaves: list[bytes] = []
    if len(books) == 1 and isinstance(book := books.pop(), str):
        with suppress(UnreadableError, AttributeError, TypeError):  # a column of another type
            leaves = chained(book.encode(), match.encode(), lines)
    stored = [(columns[8], columns[9]) for columns in rows]
    if [line.n for line in lines] != list(range(row.last + 1)) or stored != list(zip([NO_PREVIOUS, *leaves], leaves, strict=False)):
        raise StoreError(
            f"not sealed: the events of match {match} are not those that were written",
            where=str(store.path),
            todo="`kibitz verify` tells what was changed",
        )
    return lines, leaves[-1]


def _check_keys(store: Store, match: str, lines: Sequence[Line]) -> None:
    """The submission keys that go must be the ones that come back when the match is opened again."""
    said: dict[str, tuple[int, int]] = {}
    for line in lines:
        if line.key:
            said[line.key] = (said.get(line.key, (line.n, line.n))[0], line.n)
    rows = store._conn.execute("SELECT key, first, last FROM keys WHERE match = ?", (match,))
    if {key: (first, last) for key, first, last in rows} != said:
        raise StoreError(
            f"not sealed: the submission keys of match {match} are not those of its events",
            where=str(store.path),
            todo="`kibitz verify` tells what was changed",
        )
