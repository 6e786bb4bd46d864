"""The events of a store as rows of a table, for a test that forges one: as anybody could who takes the runs apart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from records.hashes import row_digest
from records.sqlite.event_runs import COLUMNS, Run, as_stored, from_rows
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
