"""The address of a store in PostgreSQL: how it is shown, and where its local files are."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from msgspec import Struct

from events.errors import UsageError, needs_extra

_SCHEME = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)


def is_address(text: object) -> bool:
    """True if the text is the address of a database, not a file.

    >>> is_address("postgresql://club@db/records"), is_address("evening.db")
    (True, False)
    """
    return isinstance(text, str) and _SCHEME.match(text) is not None


class Address(Struct, frozen=True):
    """The address of a database. `conninfo` is for the driver; `shown` is the same without a password."""

    conninfo: str
    shown: str
    name: str

    @property
    def beside(self) -> Path:
        """The path prefix of the store's local files: its key, last signed heads and pictures.

        They are in the user's data folder. Two databases share them only if their addresses differ in no more
        than user and password.
        """
        from platformdirs import user_data_path

        return user_data_path("kibitz", appauthor=False) / "postgresql" / self.name


def address_of(text: str) -> Address:
    """Parse `postgresql://[user[:password]@][host][:port][/database][?option=value]`. libpq's environment fills the
    rest. UsageError if it is not valid."""
    with needs_extra("a store on a PostgreSQL server", "postgres"):
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

    try:
        said = conninfo_to_dict(text)
    except ProgrammingError as error:
        raise UsageError(
            f"this is no address of a database ({str(error).strip()})", where=re.sub(r":[^:@/]*@", ":…@", text)[:200],
            expected="postgresql://user@host/database",
        ) from error
    host, port, user = said.get("host", ""), said.get("port", ""), said.get("user", "")
    database = said.get("dbname") or os.environ.get("PGDATABASE") or user or ""
    options = str(said.get("options", ""))
    shown = f"postgresql://{f'{user}@' if user else ''}{host or ''}{f':{port}' if port else ''}/{database}"
    if found := re.search(r"search_path(?:=|%3D)([\w]+)", options):
        shown += f" ({found[1]})"
    told = "\n".join(f"{key}={said[key]}" for key in ("host", "port", "dbname", "options") if said.get(key))
    name = re.sub(r"[^\w-]+", "-", f"{host or 'local'}-{database or 'default'}".lower()).strip("-")[:60]
    return Address(text, shown, f"{name}-{hashlib.sha256(told.encode()).hexdigest()[:12]}")
