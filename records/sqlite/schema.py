"""The version of a store's tables, and the migrations between versions.

A migration is a function, numbered by its place in `MIGRATIONS`, applied once and in order, and logged in the table
`migrations`. That table alone gives the version of a store. There is no way back: to change the tables, add a
function at the end and never edit an earlier one.

sqlite-utils is imported only for a migration: opening a store that is up to date needs one small query.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import StoreError
from records.sqlite.faults import LEFT_ALONE, translated_errors
from records.sqlite.foreign import is_table
from records.sqlite.tables import INDEXES, TABLES, VIEWS, table_statement

if TYPE_CHECKING:
    from sqlite_utils import Database

SETTLED, UNSETTLED = 1, 85
"""Values of `books.settled`. They differ in several bits, so that one flipped bit does not turn one into the other."""

DIGESTED = {
    "books": ("book", "head", "created"),
    "matches": ("match", "book", "game", "created", "changed", "last", "is_over", "parent", "parent_n", "is_sealed"),
    "keys": ("match", "key", "fingerprint", "first", "last"),
}
"""The columns under the checksum of a row, in order."""

FIRST = ("first_tables", "hash_chain", "sealing", "tail_and_runs", "volumes")
"""The steps before the first release, logged in every store. A new store gets the tables that they led to."""
MIGRATIONS: list[Callable[[Database], None]] = []
"""The steps since the first release."""


def newest() -> int:
    """The version of the tables that this program works with."""
    return len(FIRST) + len(MIGRATIONS)


def version_of(conn: sqlite3.Connection, path: Path) -> int:
    """The version of the store's tables: 0 for an empty database, otherwise the number of the last migration.

    StoreError if the database belongs to another program, or to a Kibitz that is newer or older than the first
    release. Changes nothing.
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
    if not len(FIRST) <= version <= newest():
        raise StoreError(
            f"the store has version {version}, this Kibitz knows versions {len(FIRST)} to {newest()}",
            where=str(path),
            todo="Use a newer Kibitz; the store was left as it is" if version > newest() else LEFT_ALONE,
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
            done: list[str] = []
            if version == 0:
                for statement in (*map(table_statement, TABLES), *INDEXES.values(), *VIEWS.values()):
                    db.execute(statement)
                done += FIRST
            for step in MIGRATIONS[max(version - len(FIRST), 0) :]:
                step(db)
                done.append(step.__name__)
            db.table("migrations").insert_all(
                {"number": number, "name": name, "applied": now} for number, name in enumerate(done, version + 1)
            )
            conn.execute("COMMIT")
        except BaseException:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise
        finally:
            conn.execute("PRAGMA foreign_keys=ON")
