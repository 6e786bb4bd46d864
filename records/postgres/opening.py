"""Opens a store in PostgreSQL: connects, and creates or upgrades its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.errors import NotFoundError, StoreError
from records.postgres.address import Address

if TYPE_CHECKING:
    from records.postgres.backend import PostgresBackend


def version_at(address: Address) -> tuple[int, int]:
    """The version of the tables, and the newest one that this program knows. NotFoundError if there is no store."""
    from records.postgres import schema
    from records.postgres.connecting import StoreConnection
    from records.postgres.faults import translated_errors

    with translated_errors(address.shown):
        link = StoreConnection(address, write=False, timeout=5.0)
        try:
            version = schema.version_of(link.conn, address.shown)
        finally:
            link.conn.close()
    if not version:
        raise _none(address)
    return version, len(schema.MIGRATIONS)


def _none(address: Address) -> NotFoundError:
    return NotFoundError("there is no store in this database", where=address.shown)


def open_database(
    address: Address, *, write: bool, create: bool, timeout: float, now: Callable[[], str],
) -> PostgresBackend:
    """Open the store in a database; with `create`, create its tables if there are none.

    NotFoundError if there is no store and none may be created; StoreError if the database cannot be used.
    """
    from records.postgres import schema
    from records.postgres.backend import PostgresBackend
    from records.postgres.connecting import StoreConnection
    from records.postgres.faults import translated_errors

    with translated_errors(address.shown):
        link = StoreConnection(address, write=write, timeout=timeout)
        try:
            version = schema.version_of(link.conn, address.shown)
            if not version and not (write and create):
                raise _none(address)
            if version < len(schema.MIGRATIONS):
                if not write:
                    raise StoreError(
                        f"the store has version {version}, this program works with {len(schema.MIGRATIONS)}",
                        where=address.shown,
                        todo="Open it once for writing, with a role that may change its tables: `kibitz db migrate`",
                    )  # fmt: skip
                schema.upgrade(link.conn, address.shown, now)
        except BaseException:
            link.conn.close()
            raise
    return PostgresBackend(link, write=write)
