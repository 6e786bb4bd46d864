"""Maintenance of a store: accepting a copy that lacks its end, and the version of its tables."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from events.errors import UsageError
from records.postgres.address import address_of, is_address
from records.sqlite import schema
from records.sqlite.connecting import connect_reading, refuse_foreign_file
from records.sqlite.opening import accept_as_it_is
from records.store import Store, default_path


def accept_lost_end(path: str | os.PathLike[str]) -> list[str]:
    """Allow writing again to a store that lacks its end. Returns the affected books.

    StoreError if it is damaged; UsageError for a store on a server, which is never such a copy."""
    refuse_address(path, "accepted")
    # Keep this connection open, so that the one that writes is not the last and does not checkpoint the log.
    with Store.open(path, write=False) as store:
        store.check()
        return accept_as_it_is(Path(path))


def refuse_address(path: str | os.PathLike[str] | None, done: str) -> None:
    """UsageError if `path` names a store on a server; `done` is the refused action."""
    if is_address(path):
        raise UsageError(
            f"a store on a server cannot be {done}", where=address_of(str(path)).shown, expected="a store in a file",
            todo="`kibitz db copy FROM TO` takes books from one store to another",
        )  # fmt: skip


def version(path: str | os.PathLike[str] | None) -> tuple[int, int]:
    """The version of the store's tables, and the newest one that this program knows. NotFoundError or StoreError if
    there is no store."""
    if is_address(path):
        from records.postgres.opening import version_at

        return version_at(address_of(str(path)))
    where = default_path() if path is None else Path(path)
    refuse_foreign_file(where, create=False, make_parents=False)
    with closing(connect_reading(where, 5.0)) as conn:
        return schema.version_of(conn, where), schema.newest()
