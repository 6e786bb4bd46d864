"""The events of a store as rows of a table, for a test that forges one: as anybody could who takes the runs apart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from records.hashes import row_digest
from records.sealed_codec import verb_in
from records.sqlite.event_runs import AT_MOST, COLUMNS, LEAF, SPAN, Beside, Run, as_stored, beside_of
from records.sqlite.inserting import SqliteWriter
from records.sqlite.schema import DIGESTED

EVENT = "book, pos, match, n, type, version, time, recorder, key, payload, prev, leaf"
BYTES = (9, 10, 11)


def file_tail(conn: sqlite3.Connection) -> None:
    """Put what was appended last where everything else is, as closing does."""
    writer = SqliteWriter(conn, Path("forged"))
    own = not conn.in_transaction
    if own:
        conn.execute("BEGIN")
    writer.begin()
    writer.file()
    writer.rest()
    if own:
        conn.execute("COMMIT")


def taken_apart(run: Run) -> list[tuple[Any, ...]]:
    """A row of the old table for each event; one that was forged before is what it was made then."""
    beside = json.loads(run.beside) if isinstance(run.beside, str) else {}
    if "odd" in beside:
        return [
            tuple(
                bytes.fromhex(value) if i in BYTES and isinstance(value, str) else value
                for i, value in enumerate(beside["odd"])
            )
        ]
    return [
        (
            run.book, e.pos, run.match, e.n, e.type.decode(), e.version, e.time.decode(), e.recorder.decode(),
            e.key.decode(), e.payload.decode(), e.prev, e.leaf,
        )
        for e in as_stored(run)
    ]  # fmt: skip


def from_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[Run]:
    """Runs from rows of `events`, by match and number. An odd row becomes a damaged run with all its content."""
    gathered: list[tuple[Any, ...]] = []
    for row in rows:
        if gathered and not _follows(gathered, row):
            yield _from(gathered)
            gathered = []
        gathered.append(row)
    if gathered:
        yield _from(gathered)


_ROW = (str, int, str, int, str, int, str, str, str, bytes, bytes, bytes)


def _sound(row: tuple[Any, ...]) -> bool:
    return (
        tuple(map(type, row)) == _ROW and len(row[10]) == LEAF and len(row[11]) == LEAF and b"\n" not in row[9]
        and _is_text(row[9])
    )


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _follows(rows: list[tuple[Any, ...]], row: tuple[Any, ...]) -> bool:
    first, last = rows[0], rows[-1]
    return (
        len(rows) < AT_MOST and _sound(last) and _sound(row)
        and (last[0], last[2], last[3] + 1, last[11]) == (row[0], row[2], row[3], row[10])
        and last[1] < row[1] < first[1] + SPAN
    )  # fmt: skip


def _from(rows: list[tuple[Any, ...]]) -> Run:
    books, positions, matches, numbers, types, versions, times, recorders, keys, payloads, prevs, leaves = (
        zip(*rows, strict=True)
    )
    if not _sound(rows[0]):
        odd = [value.hex() if isinstance(value, bytes) else value for value in rows[0]]
        beside = json.dumps({"odd": odd})
        around = [
            value if isinstance(value, bytes) and len(value) == LEAF else bytes(LEAF) for value in (prevs[0], leaves[0])
        ]
        return Run(
            matches[0], numbers[0], books[0], positions[0], positions[0], 1, beside, payloads[0], b"".join(around),
        )
    beside = beside_of(positions, versions, times, recorders, keys)
    if any(_type_of(payload) != type_ for payload, type_ in zip(payloads, types, strict=True)):
        beside = msgspec.json.encode(
            structs.replace(msgspec.json.decode(beside, type=Beside), type=list(types)), order="sorted"
        ).decode()
    return Run(
        matches[0], numbers[0], books[0], positions[0], positions[-1], len(rows), beside, b"\n".join(payloads).decode(),
        b"".join([prevs[0], *leaves]),
    )  # fmt: skip


def _type_of(payload: bytes) -> str:
    try:
        return verb_in(payload)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""


def events_in(conn: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """The events of a store, a row each, by book and position."""
    tables = " UNION ALL ".join(
        f"SELECT {COLUMNS.replace('payload', 'CAST(payload AS BLOB)')} FROM {table}" for table in ("runs", "recent")
    )
    rows = [row for run in conn.execute(tables).fetchall() for row in taken_apart(Run(*run))]
    return sorted(rows, key=lambda row: row[:2])


def mend(conn: sqlite3.Connection) -> None:
    """Make the check sums of the entries agree with them, as anybody could who changed one: they are no secret."""
    for table, columns in DIGESTED.items():
        same = " AND ".join(f"{column} IS ?" for column in columns) + (
            " AND volume IS NULL" if table == "matches" else ""
        )
        for values in conn.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall():
            conn.execute(f"UPDATE {table} SET digest = ? WHERE {same}", (row_digest(*values), *values))


@contextmanager
def plain_rows(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Inside, `events` is a table with a row an event, which may be changed at will; then the runs are made of it
    anew."""
    file_tail(conn)
    conn.execute(f"CREATE TEMP TABLE events ({EVENT})")
    for row in conn.execute(
        f"SELECT {COLUMNS.replace('payload', 'CAST(payload AS BLOB)')} FROM runs ORDER BY match, n"
    ).fetchall():
        conn.executemany(f"INSERT INTO temp.events VALUES ({', '.join('?' * 12)})", taken_apart(Run(*row)))
    try:
        yield conn
        rows = conn.execute(
            f"SELECT {EVENT.replace('payload', 'CAST(payload AS BLOB)')} FROM temp.events ORDER BY match, n"
        ).fetchall()
        conn.execute("DELETE FROM runs")
        for one in from_rows(rows):
            conn.execute(f"INSERT INTO runs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", one)
    finally:
        conn.execute("DROP TABLE temp.events")


def forge(conn: sqlite3.Connection, *statements: str, values: Sequence[Any] = ()) -> None:
    """Change rows of `events`, or of any other table, by SQL."""
    with plain_rows(conn):
        for statement in statements:
            conn.execute(statement, values)


def forge_file(path: Path, *statements: str) -> None:
    """`forge` in a store that is closed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        forge(conn, *statements)
