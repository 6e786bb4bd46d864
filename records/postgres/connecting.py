"""A connection to the server: its settings, and reconnecting after it broke."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import psycopg
from psycopg import Connection, Cursor, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from events.errors import StoreError
from records.postgres.address import Address

OLDEST = 150000
"""The oldest supported server, by version number: PostgreSQL 15."""
IDLE = 30
"""Seconds after which the server ends an idle transaction: its client has died, and others wait for its locks."""
_UNSURE = ("off", "local", "remote_write")
"""Values of `synchronous_commit` that could lose an acknowledged append."""

# Errors are reported once, in our words; the driver's own log would also reach the terminal.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class StoreConnection:
    """One connection, for one thread. `place` names it in messages."""

    def __init__(self, address: Address, *, write: bool, timeout: float) -> None:
        self.place = address.shown
        self._address, self._write, self._timeout = address, write, timeout
        self.warnings: list[str] = []
        self.conn = self._connected()

    def _connected(self) -> Connection[Any]:
        defaults: dict[str, str | int] = {
            "connect_timeout": max(2, round(self._timeout)), "application_name": "kibitz",
            "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
        }  # fmt: skip
        said = {name: value for name, value in conninfo_to_dict(self._address.conninfo).items() if value is not None}
        conn = psycopg.connect(make_conninfo("", **{**defaults, **said, "client_encoding": "UTF8"}), autocommit=True)
        try:
            self._set_up(conn)
        except BaseException:
            conn.close()
            raise
        return conn

    def _set_up(self, conn: Connection[Any]) -> None:
        if conn.info.server_version < OLDEST:
            raise StoreError(
                f"the server is PostgreSQL {conn.info.server_version // 10000}", where=self.place,
                expected="PostgreSQL 15 or newer"
            )
        encoding, durable, synced = conn.execute(
            "SELECT current_setting('server_encoding'), current_setting('synchronous_commit'), current_setting('fsync')"
        ).fetchone() or ("", "", "")
        if encoding != "UTF8":
            raise StoreError(
                f"the database keeps its texts as {encoding}", where=self.place,
                expected="a database made with ENCODING 'UTF8'",
            )
        if synced != "on":
            self._warn("the server runs with fsync off: what was acknowledged is lost when its machine fails")
        settings = {
            "default_transaction_isolation": "read committed",
            "default_transaction_read_only": "off" if self._write else "on",
            "lock_timeout": f"{max(1, round(self._timeout * 1000))}ms",
            "idle_in_transaction_session_timeout": f"{IDLE}s",
            **({"synchronous_commit": "on"} if durable in _UNSURE else {}),
        }
        for name, value in settings.items():
            conn.execute(sql.SQL("SET {} = {}").format(sql.Identifier(name), sql.Literal(value)))

    def _warn(self, text: str) -> None:
        said = f"{self.place}: {text}"
        if said not in self.warnings:
            self.warnings.append(said)

    def ready(self) -> None:
        """Reconnect if the connection broke; never in a transaction, which is lost with it."""
        if self.conn.closed:
            self.conn = self._connected()

    @property
    def in_transaction(self) -> bool:
        """True if a transaction is open, or has failed and not ended."""
        return not self.conn.closed and self.conn.info.transaction_status != psycopg.pq.TransactionStatus.IDLE

    def run(self, query: str, values: Sequence[object] | dict[str, object] = ()) -> Cursor[Any]:
        """Execute one statement. If the connection broke outside a transaction, as after a restart of the server,
        reconnect and execute the statement again."""
        idle = not self.in_transaction
        try:
            # All statements are constants in this folder, with placeholders for values: records are never part of one.
            return self.conn.execute(query.encode(), values or None, binary=True)
        except psycopg.OperationalError:
            if not (idle and self.conn.closed):
                raise
            self.ready()
            return self.conn.execute(query.encode(), values or None, binary=True)

    def pipeline(self) -> AbstractContextManager[object]:
        """Statements executed inside are sent together; their results are fetched afterwards."""
        return self.conn.pipeline()
