"""Looking after a store in a file: going on with a copy that lacks its end, and which version it has."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from records.sqlite import schema
from records.sqlite.connecting import connect_reading, look
from records.sqlite.opening import accept_as_it_is
from records.store import Store, default_path


def accept(path: str | os.PathLike[str]) -> list[str]:
    """Let a store that lacks its end be written to again, as it is; the books this is about. StoreError if it is damaged."""
    # Open all the while: then the connection that writes is not the last, and does not carry anything over.
    with Store.open(path, write=False) as store:
        store.check()
        return accept_as_it_is(Path(path))


def version(path: str | os.PathLike[str] | None) -> int:
    """The version of the store's tables as they are now. NotFoundError or StoreError if there is none."""
    where = default_path() if path is None else Path(path)
    look(where, create=False, make_parents=False)
    with closing(connect_reading(where, 5.0)) as conn:
        return schema.version_of(conn, where)
