"""A store in PostgreSQL: transactions that hold the books they add to, each durable on the server when it ends."""

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
from records.postgres.faults import said_of, translated_errors
from records.postgres.inserting import PostgresWriter
from records.postgres.reading import PostgresReader
from records.rows import LostEnd

CHANNEL = "kibitz"
"""Where those who follow a store listen."""


class PostgresBackend:
    """An open database. Made by `records.postgres.opening.open_database`; belongs to the thread that opened it."""

    def __init__(self, link: StoreConnection, *, write: bool) -> None:
        self.link = link
        self.writable = write
        self.gone: list[LostEnd] = []
        """Nothing is noted beside a database: what its server acknowledged, its server keeps."""
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
        """What whoever works with this database should be told, a sentence each."""
        return self.link.warnings

    def lacking(self) -> list[str]:
        """Nothing: a database is never a copy that was taken in between."""
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
        """Each question asked inside sees the database as it is then; that costs less than a snapshot."""
        with translated_errors(self.place):
            self._ready()
            yield self._reader

    @contextmanager
    def snapshot(self) -> Iterator[PostgresReader]:
        """All that is read inside is one state of the database."""
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
        """Left without an error, all of it is durable; otherwise nothing of it was written.

        TryAgainError if others wrote at the same moment: nothing was written then, and the same may be done once more.
        """
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
                # What went wrong first is told, not that a broken connection cannot be rolled back: the server does it by itself.
                with suppress(psycopg.Error):
                    if self.link.in_transaction:
                        self.link.run("ROLLBACK")
                raise
            self._commit()
            self._hint()
        except Exception as error:
            if (said := said_of(error, self.place)) is None:
                raise
            raise said from error

    def _commit(self) -> None:
        try:
            ended = self.link.run("COMMIT").statusmessage
        except psycopg.OperationalError as error:
            raise StoreError(
                f"the connection broke while the server was writing ({str(error).strip().splitlines()[0]})", where=self.place,
                todo="Whether it was recorded is not known. Submit it again under the same key: it is never recorded twice",
            ) from error  # fmt: skip
        if ended != "COMMIT":
            raise StoreError("the server rolled it back; nothing was recorded", where=self.place, todo="Do it again")

    def _hint(self) -> None:
        """Tell those who wait that something was written. Not in the transaction itself: the server lets only one commit with a hint
        through at a time, and would sync each of them alone. A hint that is lost is no loss, so nothing is tried twice."""
        with suppress(psycopg.Error):
            self.link.conn.execute(f"NOTIFY {CHANNEL}".encode())

    def wait(self, seconds: float) -> None:
        """Wait so long, or until the server hints that somebody wrote to a store in this database. A standby gives no hints."""
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
            # Whoever asks next is told what is wrong.
            time.sleep(max(0.0, until - time.monotonic()))

    # The database

    def file_faults(self) -> list[str]:
        """What the server knows to be wrong with its pages, and with our indexes if it has `amcheck`; a sentence each."""
        wrong: list[str] = []
        with self.snapshot() as reader:
            failed = reader._one("SELECT coalesce(checksum_failures, 0) FROM pg_stat_database WHERE datname = current_database()")
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
        """What is in the schema and not Kibitz's, a sentence each."""
        with self.snapshot() as reader:
            tables = reader._all(
                "SELECT c.relkind::text, c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace"
                " AND c.relkind IN ('r', 'v', 'm', 'S', 'f', 'p') AND c.relname <> ALL(%s) ORDER BY 2",
                ([*schema.TABLES],),
            )
            triggers = reader._all(
                "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal"
                " AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%s) ORDER BY 1, 2",
                ([*schema.TABLES],),
            )
            rules = reader._all(
                "SELECT rulename, tablename FROM pg_rules WHERE schemaname = current_schema() AND tablename = ANY(%s) ORDER BY 1, 2",
                ([*schema.TABLES],),
            )
        kinds = {"r": "table", "p": "table", "v": "view", "m": "view", "S": "sequence", "f": "foreign table"}
        return [
            *(f"the {kinds[kind]} {name} is not Kibitz's" for kind, name in tables),
            *(f"the trigger {name} on {table} is not Kibitz's" for name, table in triggers),
            *(f"the rule {name} on {table} is not Kibitz's" for name, table in rules),
        ]

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk: the bytes that our tables take before and after. Nobody can read or write meanwhile."""
        if not self.writable:
            raise UsageError("this needs a store that is open for writing", where=self.place)
        before = self._size()
        with translated_errors(self.place):
            for table in schema.TABLES:
                self.link.run(f"VACUUM (FULL, ANALYZE) {table}")
        return before, self._size()

    def _size(self) -> int:
        with self.snapshot() as reader:
            row = reader._one("SELECT sum(pg_total_relation_size(to_regclass(name)))::bigint FROM unnest(%s::text[]) AS name", ([*schema.TABLES],))
        return int(row[0])

    def backup(self, target: Path) -> bool:
        """Nothing: a server keeps no file of ours that could be copied. Its books can be."""
        return False

    def close(self) -> None:
        """Let go of the database. Closing twice does no harm."""
        if not self._closed:
            self._closed = True
            self.link.conn.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()
