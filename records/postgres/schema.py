"""The tables of a store in PostgreSQL, and the migrations between their versions.

A migration is a list of statements, numbered by its place in `MIGRATIONS`, applied once, in order, in one
transaction, and logged in the table `migrations`. There is no way back: to change the tables, add a migration at the
end and never edit an earlier one. The tables are in the first schema of the search path. Texts are compared by their
bytes, so that they sort as in every other database behind the store.
"""

from __future__ import annotations

from collections.abc import Callable

import psycopg
from psycopg import errors

from events.errors import StoreError

TABLES = ("migrations", "books", "matches", "events", "keys", "sealed", "tiles", "signers", "checkpoints")
"""Kibitz's own tables in the schema."""

FIRST_TABLES = (
    # `head` is the last position used. An append locks the row first, so that positions have no gaps and follow the
    # order of commits.
    (
        'CREATE TABLE books (book text COLLATE "C" PRIMARY KEY, head bigint NOT NULL, created text NOT NULL, '
        'digest text NOT NULL)'
    ),
    'CREATE TABLE matches (match text COLLATE "C" PRIMARY KEY, book text COLLATE "C" NOT NULL REFERENCES '
    'books, game text COLLATE "C" NOT NULL,'
    ' created text COLLATE "C" NOT NULL, changed text COLLATE "C" NOT NULL, last integer NOT NULL, is_over '
    'smallint NOT NULL,'
    ' parent text COLLATE "C" REFERENCES matches, parent_n integer, is_sealed smallint NOT NULL DEFAULT 0, '
    'digest text NOT NULL)',
    "CREATE INDEX matches_of_a_book ON matches (book)",
    "CREATE INDEX unfinished ON matches (match) WHERE is_sealed = 0",
    # One row an event, only ever inserted. `payload` is the canonical JSON of the event, the bytes that are hashed.
    'CREATE TABLE events (book text COLLATE "C" NOT NULL REFERENCES books, pos bigint NOT NULL, match text '
    'COLLATE "C" NOT NULL REFERENCES matches,'
    " n integer NOT NULL, type text NOT NULL, version integer NOT NULL, time text NOT NULL, recorder text "
    "NOT NULL, key text NOT NULL,"
    " payload bytea NOT NULL, prev bytea NOT NULL, leaf bytea NOT NULL, PRIMARY KEY (book, pos))",
    "CREATE UNIQUE INDEX events_of_a_match ON events (match, n)",
    # Payloads are short: compressing each by itself costs time and saves nothing.
    "ALTER TABLE events ALTER COLUMN payload SET STORAGE EXTERNAL",
    # Submission keys are kept for ever, with what was submitted and the events it became.
    'CREATE TABLE keys (match text COLLATE "C" NOT NULL REFERENCES matches, key text COLLATE "C" NOT NULL, '
    'fingerprint text NOT NULL,'
    " first integer NOT NULL, last integer NOT NULL, digest text NOT NULL, PRIMARY KEY (match, key))",
    "CREATE INDEX openings_by_key ON keys (key) WHERE first = 0",
    'CREATE TABLE sealed (match text COLLATE "C" PRIMARY KEY REFERENCES matches, book text COLLATE "C" NOT '
    'NULL REFERENCES books,'
    " first_pos bigint NOT NULL, last_pos bigint NOT NULL, events integer NOT NULL, dictionary integer NOT "
    "NULL, tip bytea NOT NULL, body bytea NOT NULL)",
    "CREATE INDEX sealed_of_a_book ON sealed (book, last_pos)",
    "ALTER TABLE sealed ALTER COLUMN body SET STORAGE EXTERNAL",
    (
        'CREATE TABLE tiles (book text COLLATE "C" NOT NULL REFERENCES books, number integer NOT NULL, root '
        'bytea NOT NULL, PRIMARY KEY (book, number))'
    ),
    'CREATE TABLE signers (signer text COLLATE "C" PRIMARY KEY, created text COLLATE "C" NOT NULL)',
    'CREATE TABLE checkpoints (book text COLLATE "C" NOT NULL REFERENCES books, size bigint NOT NULL, '
    'signer text COLLATE "C" NOT NULL REFERENCES signers,'
    " root text NOT NULL, time text NOT NULL, note text NOT NULL, PRIMARY KEY (book, size, signer))",
)

MIGRATIONS: list[tuple[str, tuple[str, ...]]] = [("first_tables", FIRST_TABLES)]


def version_of(conn: psycopg.Connection[tuple[object, ...]], place: str) -> int:
    """The version of the store's tables: 0 if there are none, otherwise the number of the last migration.

    StoreError if they belong to another program, or to a newer Kibitz. Changes nothing.
    """
    (row,) = conn.execute("SELECT to_regclass('migrations') IS NOT NULL, to_regclass('books') IS NOT NULL").fetchall()
    if row == (False, False):
        return 0
    try:
        found = conn.execute("SELECT number, name FROM migrations ORDER BY number").fetchall() if row[0] else []
    except errors.UndefinedColumn:
        found = []
    ours = [(number, name) for number, (name, _) in enumerate(MIGRATIONS, 1)]
    if found[: len(ours)] != ours[: len(found)] or not found:
        raise StoreError(
            "this schema holds the tables of another program", where=place,
            todo=(
                "Name another database, or another schema: ?options=-csearch_path%3Dkibitz; this one was left "
                "as it is"
            ),
        )  # fmt: skip
    if len(found) > len(ours):
        raise StoreError(
            f"the store was written by a newer Kibitz (version {len(found)}, this program knows {len(ours)})",
            where=place, todo="Use the newer program; the store was left as it is",
        )  # fmt: skip
    return len(found)


def upgrade(conn: psycopg.Connection[tuple[object, ...]], place: str, now: Callable[[], str]) -> None:
    """Apply the missing migrations in one transaction. A concurrent caller finds them applied."""
    for attempt in range(5):
        try:
            with conn.transaction():
                (there,) = conn.execute("SELECT to_regclass('migrations') IS NOT NULL").fetchone() or (False,)
                if there:  # lock before reading: two that read first would deadlock
                    conn.execute("LOCK TABLE migrations")
                missing = list(enumerate(MIGRATIONS, 1))[version_of(conn, place) :]
                if missing and missing[0][0] == 1:
                    conn.execute(
                        "CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, applied "
                        "text NOT NULL)"
                    )
                for number, (name, statements) in missing:
                    for statement in statements:
                        conn.execute(statement.encode())
                    conn.execute("INSERT INTO migrations VALUES (%s, %s, %s)", (number, name, now()))
            return
        except (errors.DuplicateTable, errors.UniqueViolation, errors.DuplicateObject, errors.DeadlockDetected):
            if attempt == 4:
                raise
