"""The tables of a store, and the migrations between their versions.

A migration is a function, numbered by its place in `MIGRATIONS`, applied once and in order, and logged in the table
`migrations`. That table alone gives the version of a store. There is no way back: to change the tables, add a
function at the end and never edit an earlier one.

The schema is portable: plain columns, primary and foreign keys, unique indexes, and one view for people; no `rowid`.

sqlite-utils is imported only for a migration: opening a store that is up to date needs one small query.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import StoreError
from records.hashes import NO_PREVIOUS, leaf_hash, row_digest
from records.sqlite.event_runs import COLUMNS, EVENTS_VIEW, from_rows
from records.sqlite.faults import LEFT_ALONE, translated_errors
from records.sqlite.foreign import is_table

if TYPE_CHECKING:
    from sqlite_utils import Database


def first_tables(db: Database) -> None:
    """Version 1: books, matches, events and submission keys.

    A payload is stored as the very bytes that are hashed, so that the hash chain of version 2 had nothing to rewrite.
    """
    # `head` is the last position used; incrementing it in the transaction of an append makes positions gapless and
    # gives them the order of the commits.
    db.create_table(
        "books",
        {"book": str, "head": int, "created": str},
        pk="book",
        not_null={"book", "head", "created"},
    )
    # Only what a list needs and the opening event lacks. `last` is the number of the last event; `created` is when
    # the match was opened, `changed` when this store last wrote to it. `parent` and `parent_n` name the match and
    # event that a variation branches off; both are null otherwise.
    db.create_table(
        "matches",
        {
            "match": str,
            "book": str,
            "game": str,
            "created": str,
            "changed": str,
            "last": int,
            "is_over": int,
            "parent": str,
            "parent_n": int,
        },
        pk="match",
        not_null={"match", "book", "game", "created", "changed", "last", "is_over"},
        foreign_keys=[("book", "books", "book"), ("parent", "matches", "match")],
    )
    # One row an event, only ever inserted. `payload` is the canonical JSON of the event, as text so that any SQLite
    # browser shows it; the other fields of a record have columns of their own.
    db.create_table(
        "events",
        {
            "book": str,
            "pos": int,
            "match": str,
            "n": int,
            "type": str,
            "version": int,
            "time": str,
            "recorder": str,
            "key": str,
            "payload": str,
        },
        pk=("book", "pos"),
        not_null={"book", "pos", "match", "n", "type", "version", "time", "recorder", "key", "payload"},
        foreign_keys=[("book", "books", "book"), ("match", "matches", "match")],
    )
    db.table("events").create_index(["match", "n"], "events_of_a_match", unique=True)
    # Submission keys are kept for ever, with what was submitted and the events it became.
    db.create_table(
        "keys",
        {"match": str, "key": str, "fingerprint": str, "first": int, "last": int},
        pk=("match", "key"),
        not_null={"match", "key", "fingerprint", "first", "last"},
        foreign_keys=[("match", "matches", "match")],
    )
    # A client that repeats the opening of a match knows its key, not yet its id.
    db.execute("CREATE INDEX openings_by_key ON keys (key) WHERE first = 0")


def hash_chain(db: Database) -> None:
    """Version 2: every event has its leaf and the leaf before it in its match; checkpoints and their signers.

    Stored events are hashed as they are; no byte of them changes.
    """
    # `prev` is the leaf of the event before in the match, `leaf` the hash of the event with it (records/hashes.py).
    db.execute("ALTER TABLE events ADD COLUMN prev BLOB NOT NULL DEFAULT x''")
    db.execute("ALTER TABLE events ADD COLUMN leaf BLOB NOT NULL DEFAULT x''")
    # Rows that no leaf covers have a checksum, against accidents.
    for table in ("books", "matches", "keys"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN digest TEXT NOT NULL DEFAULT ''")
    # 0 (from version 3 on: UNSETTLED) from the first append until a writer closes the store. A file that says 0 and
    # has no WAL is a copy taken meanwhile, and lacks its end.
    db.execute("ALTER TABLE books ADD COLUMN settled INTEGER NOT NULL DEFAULT 1")
    # The signed heads as they were published, and the public keys (hexadecimal) that signed them.
    db.create_table(
        "signers", {"signer": str, "created": str}, pk="signer", not_null={"signer", "created"}
    )
    db.create_table(
        "checkpoints",
        {"book": str, "size": int, "signer": str, "root": str, "time": str, "note": str},
        pk=("book", "size", "signer"),
        not_null={"book", "size", "signer", "root", "time", "note"},
        foreign_keys=[("book", "books", "book"), ("signer", "signers", "signer")],
    )
    tips: dict[bytes, bytes] = {}
    rows = db.execute(
        "SELECT CAST(book AS BLOB), pos, CAST(match AS BLOB), n, CAST(type AS BLOB), version, CAST(time AS BLOB),"
        " CAST(recorder AS BLOB), CAST(key AS BLOB), CAST(payload AS BLOB) FROM events ORDER BY book, pos"
    ).fetchall()
    for *row, payload in rows:
        match = row[2]
        prev = tips.get(match, NO_PREVIOUS)
        tips[match] = leaf_hash(*[*row, prev, payload])
        db.execute(
            "UPDATE events SET prev = ?, leaf = ? WHERE book = ? AND pos = ?",
            (prev, tips[match], row[0].decode(), row[1]),
        )
    for table, columns in _DIGESTED_2.items():
        for *key, rest in [
            (*row, row_digest(*row)) for row in db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        ]:
            same = " AND ".join(f"{column} IS ?" for column in columns)
            db.execute(f"UPDATE {table} SET digest = ? WHERE {same}", (rest, *key))


_DIGESTED_2 = {
    "books": ("book", "head", "created"),
    "matches": ("match", "book", "game", "created", "changed", "last", "is_over", "parent", "parent_n"),
    "keys": ("match", "key", "fingerprint", "first", "last"),
}


def sealing(db: Database) -> None:
    """Version 3: a finished match can be one row instead of one an event; part of a book's tree is kept.

    Stored rows do not change; matches are sealed one by one, on request.
    """
    # `is_sealed`: the events of the match are in `sealed`; neither they nor its submission keys have rows of their
    # own, except the opening's key, by which a match is found.
    db.execute("ALTER TABLE matches ADD COLUMN is_sealed INTEGER NOT NULL DEFAULT 0")
    # The positions of the events, the dictionary (records/sealed_codec.py) that compressed `body`, and the leaf of
    # the last event, which covers all of them. The long column comes last.
    db.create_table(
        "sealed",
        {
            "match": str,
            "book": str,
            "first_pos": int,
            "last_pos": int,
            "events": int,
            "dictionary": int,
            "tip": bytes,
            "body": bytes,
        },
        pk="match",
        not_null={"match", "book", "first_pos", "last_pos", "events", "dictionary", "tip", "body"},
        foreign_keys=[("match", "matches", "match"), ("book", "books", "book")],
    )
    db.execute("CREATE INDEX sealed_by_end ON sealed (book, last_pos, first_pos)")
    db.execute("CREATE INDEX unfinished ON matches (changed) WHERE is_over = 0 AND is_sealed = 0")
    # See UNSETTLED.
    db.execute("UPDATE books SET settled = 85 WHERE settled = 0")
    # The roots over 1,024 leaves each that have been signed, counted from 0, so that signing the head of a long book
    # does not read all of it again.
    db.create_table(
        "tiles",
        {"book": str, "number": int, "root": bytes},
        pk=("book", "number"),
        not_null={"book", "number", "root"},
        foreign_keys=[("book", "books", "book")],
    )
    # The checksum now covers the new column. A row with a wrong checksum keeps it, so that the change stays visible.
    columns = _DIGESTED_2["matches"]
    for *row, digest in db.execute(f"SELECT {', '.join(columns)}, digest FROM matches").fetchall():
        try:
            whole = row_digest(*row) == digest
        except (TypeError, ValueError):
            whole = False
        if whole:
            db.execute("UPDATE matches SET digest = ? WHERE match = ?", (row_digest(*row, 0), row[0]))


def tail_and_runs(db: Database) -> None:
    """Version 4: the events of a match are in runs, and the latest appends in a tail that costs one page a commit.

    Events, hashes and keys stay the same; only their rows differ.
    """
    # Consecutive events of one match (records/sqlite/event_runs.py); the long columns come last.
    db.create_table(
        "runs",
        {
            "match": str,
            "n": int,
            "book": str,
            "pos": int,
            "last_pos": int,
            "events": int,
            "beside": str,
            "payload": str,
            "leaves": bytes,
        },
        pk=("match", "n"),
        not_null={"match", "n", "book", "pos", "last_pos", "events", "beside", "payload", "leaves"},
        foreign_keys=[("match", "matches", "match"), ("book", "books", "book")],
    )
    db.execute("CREATE INDEX runs_by_end ON runs (book, last_pos, pos)")
    # The tail: a row an append, until it is filed, with a run and the updates of its match, book and key. There are
    # no indexes or references, so that an append writes one page.
    db.create_table(
        "recent",
        {
            "place": int,
            "match": str,
            "n": int,
            "book": str,
            "pos": int,
            "last_pos": int,
            "events": int,
            "beside": str,
            "payload": str,
            "leaves": bytes,
            "key": str,
            "fingerprint": str,
            "changed": str,
            "digest": str,
        },
        pk="place",
        not_null={
            "match", "n", "book", "pos", "last_pos", "events", "beside", "payload", "leaves", "key", "fingerprint",
            "changed", "digest",
        },
    )  # fmt: skip
    rows = db.execute(
        "SELECT CAST(book AS BLOB), pos, CAST(match AS BLOB), n, CAST(type AS BLOB), version, CAST(time AS BLOB),"
        " CAST(recorder AS BLOB), CAST(key AS BLOB), CAST(payload AS BLOB), prev, leaf FROM events ORDER BY match, n"
    )
    # A text with invalid bytes was not written so; it is decoded with replacements, and its leaf reveals it.
    texts = (0, 2, 4, 6, 7, 8)
    as_text = (
        tuple(
            value.decode("utf-8", "replace") if i in texts and isinstance(value, bytes) else value
            for i, value in enumerate(row)
        )
        for row in rows
    )
    for run in from_rows(as_text):
        db.execute(f"INSERT INTO runs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", tuple(run))
    db.execute("DROP TABLE events")
    db.execute(EVENTS_VIEW)


def volumes(db: Database) -> None:
    """Version 5: sealed matches are bound in volumes; a bound match has only its row in `matches`, a short one.

    No event changes, and nothing is bound yet: that happens when matches are sealed, and by `seal --compact`.
    """
    # The content of a volume is described in records/volume_codec.py; the long columns come last.
    db.create_table(
        "volumes",
        {
            "volume": int,
            "book": str,
            "first_pos": int,
            "last_pos": int,
            "matches": int,
            "events": int,
            "dictionary": int,
            "tips": bytes,
            "clock": bytes,
            "body": bytes,
        },
        pk="volume",
        not_null={"book", "first_pos", "last_pos", "matches", "events", "dictionary", "tips", "clock", "body"},
        foreign_keys=[("book", "books", "book")],
    )
    db.execute("CREATE INDEX volumes_by_end ON volumes (book, last_pos, first_pos)")
    # `volume` is the volume of the match, null if it has none. If set, `changed` and `digest` are empty: the volume
    # has them, and confirms the other columns. WITHOUT ROWID, so that a row is not written twice.
    columns = "match, book, game, created, changed, last, is_over, parent, parent_n, digest, is_sealed"
    db.execute(f"CREATE TEMP TABLE matches_before AS SELECT {columns} FROM matches")
    db.execute("DROP TABLE main.matches")
    db.execute(MATCHES)
    # A damaged row that cannot be kept (a duplicate, or without a name) is later missed by its events.
    db.execute(
        f"INSERT OR IGNORE INTO main.matches ({columns}) SELECT {columns} FROM temp.matches_before ORDER BY match"
    )
    db.execute("DROP TABLE temp.matches_before")
    db.execute("CREATE INDEX unfinished ON matches (changed) WHERE is_over = 0 AND is_sealed = 0")


MATCHES = (
    "CREATE TABLE matches (match TEXT PRIMARY KEY NOT NULL, book TEXT NOT NULL REFERENCES books(book), "
    "game TEXT NOT NULL,"
    " created TEXT NOT NULL, changed TEXT NOT NULL, last INTEGER NOT NULL, is_over INTEGER NOT NULL,"
    " parent TEXT REFERENCES matches(match), parent_n INTEGER, digest TEXT NOT NULL DEFAULT '',"
    " is_sealed INTEGER NOT NULL DEFAULT 0, volume INTEGER) WITHOUT ROWID"
)
"""The table of matches since version 5."""

SETTLED, UNSETTLED = 1, 85
"""Values of `books.settled`. They differ in several bits, so that one flipped bit does not turn one into the other."""

DIGESTED = {**_DIGESTED_2, "matches": (*_DIGESTED_2["matches"], "is_sealed")}
"""The columns under the checksum of a row, in order."""

MIGRATIONS: list[Callable[[Database], None]] = [first_tables, hash_chain, sealing, tail_and_runs, volumes]


def version_of(conn: sqlite3.Connection, path: Path) -> int:
    """The version of the store's tables: 0 for an empty database, otherwise the number of the last migration.

    StoreError if the database belongs to another program, or to a newer Kibitz. Changes nothing.
    """
    with translated_errors(path):
        if not is_table(conn, "migrations"):
            (tables,) = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not tables:
                return 0
            raise _not_ours(path)
        try:
            steps = conn.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error) and "no such column" not in str(error):
                raise
            steps = []
    if not steps or steps[0] != (1, "first_tables"):
        raise _not_ours(path)
    version = int(steps[-1][0])
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the store has version {version}, this Kibitz knows versions up to {len(MIGRATIONS)}",
            where=str(path),
            todo="Use a newer Kibitz; the store was left as it is",
        )
    return version


def _not_ours(path: Path) -> StoreError:
    return StoreError(
        "this database belongs to another program, it is not a Kibitz store", where=str(path), todo=LEFT_ALONE
    )


def upgrade(conn: sqlite3.Connection, path: Path, now: str) -> None:
    """Apply the missing migrations, all or none. A concurrent program finds them applied.

    `conn` must leave transactions to us (`isolation_level=None`); `now` is recorded as the time of the migrations.
    """
    from sqlite_utils import Database

    with translated_errors(path):
        # Dangling references of a damaged store are reported by checks; they must not prevent reading.
        conn.execute("PRAGMA foreign_keys=OFF")
        conn.execute("BEGIN IMMEDIATE")
        try:
            # Read again: another program may have upgraded while we waited for the lock.
            version = version_of(conn, path)
            # Inside an open transaction sqlite-utils 4 only sets savepoints; the commit stays ours.
            db = Database(conn, recursive_triggers=False, execute_plugins=False)
            if version == 0:
                db.create_table(
                    "migrations",
                    {"number": int, "name": str, "applied": str},
                    pk="number",
                    not_null={"number", "name", "applied"},
                )
            for number, step in enumerate(MIGRATIONS[version:], version + 1):
                step(db)
                db.table("migrations").insert({"number": number, "name": step.__name__, "applied": now})
            conn.execute("COMMIT")
        except BaseException:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise
        finally:
            conn.execute("PRAGMA foreign_keys=ON")
