"""A store in PostgreSQL: transactions that lock the books they add to, each durable on the server when it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Any

import psycopg

from events.errors import StoreError, UsageError
from records.postgres import schema
from records.postgres.connecting import StoreConnection
from records.postgres.faults import error_for, translated_errors
from records.postgres.inserting import PostgresWriter
from records.postgres.reading import PostgresReader
from records.rows import LostEnd

CHANNEL = "kibitz"
"""The notification channel of stores."""


class PostgresBackend:
    """An open database (`records.backend.Backend`). Made by `records.postgres.opening.open_database`; belongs to the
    thread that opened it."""

    def __init__(self, link: StoreConnection, *, write: bool) -> None:
        self.link = link
        self.writable = write
        self.gone: list[LostEnd] = []
        """Always empty: the server keeps what it acknowledged, and nothing is noted beside it."""
        self._reader = PostgresReader(link)
        self._writer = PostgresWriter(link)
        self._listens: psycopg.Connection[Any] | None = None
        self._closed = False
        self._thread = get_ident()

    @property
    def place(self) -> str:
        """The address, without its password."""
        return self.link.place

    @property
    def warnings(self) -> list[str]:
        return self.link.warnings

    def lacking(self) -> list[str]:
        """Always empty: a database is never a partial copy."""
        return []

    # Transactions

    def _ready(self) -> None:
        if self._closed:
            raise UsageError("the store is closed", where=self.place)
        if get_ident() != self._thread:
            raise UsageError("a store belongs to the thread that opened it", where=self.place, todo="Open it once more")
        self.link.ready()

    @contextmanager
    def reading(self) -> Iterator[PostgresReader]:
        with translated_errors(self.place):
            self._ready()
            yield self._reader

    @contextmanager
    def snapshot(self) -> Iterator[PostgresReader]:
        with translated_errors(self.place):
            self._ready()
            if self.link.in_transaction:
                yield self._reader
                return
            self.link.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                yield self._reader
            finally:
                if self.link.in_transaction:
                    self.link.run("ROLLBACK")

    @contextmanager
    def transaction(self) -> Iterator[PostgresWriter]:
        """A transaction, durable on exit; an error inside rolls it back.

        TryAgainError if it was rolled back because of a concurrent writer; it may be retried."""
        if not self.writable:
            raise UsageError("the store was opened for reading only", where=self.place)
        try:
            self._ready()
            if self.link.in_transaction:
                raise UsageError("one commit cannot hold another", where=self.place)
            self.link.run("BEGIN")
            try:
                yield self._writer
            except BaseException:
                # Report the first error, not a failed rollback on a broken connection: the server rolls back anyway.
                with suppress(psycopg.Error):
                    if self.link.in_transaction:
                        self.link.run("ROLLBACK")
                raise
            self._commit()
            self._hint()
        except Exception as error:
            if (said := error_for(error, self.place)) is None:
                raise
            raise said from error

    def _commit(self) -> None:
        try:
            ended = self.link.run("COMMIT").statusmessage
        except psycopg.OperationalError as error:
            raise StoreError(
                f"the connection broke while the server was writing ({str(error).strip().splitlines()[0]})",
                where=self.place,
                todo=(
                    "Whether it was recorded is not known. Submit it again under the same key: it is never "
                    "recorded twice"
                ),
            ) from error  # fmt: skip
        if ended != "COMMIT":
            raise StoreError("the server rolled it back; nothing was recorded", where=self.place, todo="Do it again")

    def _hint(self) -> None:
        """Notify waiting readers of a write, outside the transaction: the server serializes commits with a
        notification and syncs each alone. A lost notification does no harm, so there is no retry."""
        with suppress(psycopg.Error):
            self.link.conn.execute(f"NOTIFY {CHANNEL}".encode())

    def wait(self, seconds: float) -> None:
        """Wait this long, or until the server signals a write to any store in this database. A standby never does."""
        until = time.monotonic() + seconds
        try:
            with translated_errors(self.place):
                self._ready()
                conn = self.link.conn
                if self._listens is not conn:
                    conn.execute(f"LISTEN {CHANNEL}".encode())
                    self._listens = conn
                for _ in conn.notifies(timeout=seconds, stop_after=1):
                    return
        except StoreError:
            # The next query reports the fault.
            time.sleep(max(0.0, until - time.monotonic()))

    # The database

    def file_faults(self) -> list[str]:
        """Faults that the server knows in its pages, and in our indexes if it has `amcheck`; a sentence each."""
        wrong: list[str] = []
        with self.snapshot() as reader:
            failed = reader._one(
                "SELECT coalesce(checksum_failures, 0) FROM pg_stat_database WHERE datname = current_database()"
            )
            if failed and failed[0]:
                wrong.append(f"the server has met {failed[0]} pages of this database whose check sum is wrong")
            looks = reader._one("SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'")
            indexes = reader._all(
                "SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
                " WHERE c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace",
                ([*schema.TABLES],),
            ) if looks and looks[0] else []
        for (index,) in indexes:
            try:
                with self.snapshot() as reader:
                    reader._one("SELECT bt_index_check(%s::regclass, true)", (index,))
            except StoreError as error:
                wrong.append(f"index {index}: {error.what}")
        return wrong

    def foreign(self) -> list[str]:
        """Objects in the schema that are not Kibitz's, a sentence each."""
        with self.snapshot() as reader:
            tables = reader._all(
                "SELECT c.relkind::text, c.relname FROM pg_class c WHERE c.relnamespace = "
                "current_schema()::regnamespace"
                " AND c.relkind IN ('r', 'v', 'm', 'S', 'f', 'p') AND c.relname <> ALL(%s) ORDER BY 2",
                ([*schema.TABLES],),
            )
            triggers = reader._all(
                "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE "
                "NOT t.tgisinternal"
                " AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%s) ORDER BY 1, 2",
                ([*schema.TABLES],),
            )
            rules = reader._all(
                "SELECT rulename, tablename FROM pg_rules WHERE schemaname = current_schema() AND "
                "tablename = ANY(%s) ORDER BY 1, 2",
                ([*schema.TABLES],),
            )
        kinds = {"r": "table", "p": "table", "v": "view", "m": "view", "S": "sequence", "f": "foreign table"}
        return [
            *(f"the {kinds[kind]} {name} is not Kibitz's" for kind, name in tables),
            *(f"the trigger {name} on {table} is not Kibitz's" for name, table in triggers),
            *(f"the rule {name} on {table} is not Kibitz's" for name, table in rules),
        ]

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk: the size of our tables in bytes before and after. Blocks all other access."""
        if not self.writable:
            raise UsageError("this needs a store that is open for writing", where=self.place)
        before = self._size()
        with translated_errors(self.place):
            for table in schema.TABLES:
                self.link.run(f"VACUUM (FULL, ANALYZE) {table}")
        return before, self._size()

    def _size(self) -> int:
        with self.snapshot() as reader:
            row = reader._one(
                "SELECT sum(pg_total_relation_size(to_regclass(name)))::bigint FROM unnest(%s::text[]) AS name",
                ([*schema.TABLES],),
            )
        return int(row[0])

    def backup(self, target: Path) -> bool:
        """Always False: a server has no file to copy. Its books can be copied instead."""
        return False

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.link.conn.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()
