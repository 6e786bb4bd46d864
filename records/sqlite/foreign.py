"""Finds objects in the file that are not Kibitz's: tables, columns, indexes, views and triggers.

A trigger, or an index on an expression, would act during an append. A view in the place of a table, or a computed
column, could show what was never recorded, or run forever. So the schema is read once at each opening, before any
other query, and a file in which something could act is refused. Harmless foreign objects are reported by `verify`.
"""

from __future__ import annotations

import re
import sqlite3
from functools import lru_cache
from typing import Literal, NamedTuple

from records.sqlite.tables import BY_KEY, INDEXES, TABLES, VIEWS, table_statement

_QUOTES = dict.fromkeys(map(ord, '"[]`'))


@lru_cache(maxsize=64)
def _normal(sql: str) -> str:
    """A definition in normal form, without differences in quotes, spaces and case."""
    # No regular expression: every program that opens a store runs this, and would have to compile it first.
    said = " ".join(sql.translate(_QUOTES).lower().split())
    for sign in "(),=":
        said = said.replace(" " + sign, sign).replace(sign + " ", sign)
    return said


_COLUMNS = {name: _normal(columns) for name, columns in TABLES.items()}
_KNOWN = {
    *(("table", name, name, _normal(table_statement(name))) for name in TABLES),
    *(("index", name, sql.split(" ON ")[1].split(" ")[0], _normal(sql)) for name, sql in INDEXES.items()),
    *(("view", name, name, _normal(sql)) for name, sql in VIEWS.items()),
}
_KNOWN_AS = {one[1]: one for one in _KNOWN}
# The words of our definitions in any spelling; and words that make a table do more than hold rows.
_PLAIN = "create table primary key not null default references text integer blob foreign"


_ACTING = frozenset([
    "abort", "always", "as", "autoincrement", "check", "collate", "conflict", "constraint", "deferrable", "fail",
    "generated", "ignore", "on", "replace", "rollback", "rowid", "stored", "strict", "unique", "using", "virtual",
    "without",
])  # fmt: skip


class Foreign(NamedTuple):
    """A foreign object. `stops` is what must not be done while it is there."""

    text: str
    stops: Literal["", "writing", "reading"] = ""


def foreign_in(conn: sqlite3.Connection) -> list[Foreign]:
    """The foreign objects in a store, the worst first. Call it before any other query."""
    rows = frozenset(conn.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall())
    if rows in _WHOLE:
        return []
    found: list[Foreign] = []
    for row in rows:
        kind, name, table, sql = (str(value or "") for value in row)
        if (kind, name, table, _normal(sql)) in _KNOWN:
            continue
        if name.lower() in VIEWS:
            found.append(Foreign(f"a {kind} stands in the place of the view {name.lower()}"))
        elif name.lower() in TABLES and kind != "index":
            found += _table(conn, kind, name.lower(), sql)
        elif one := _other(kind, name, table, sql):
            found.append(one)
    if not found and len(_WHOLE) < 100:
        _WHOLE.add(rows)
    return sorted(found, key=lambda one: (("reading", "writing", "").index(one.stops), one.text))


_WHOLE: set[frozenset[tuple[object, ...]]] = set()
"""Cache of schemas without foreign objects, for programs that open many stores."""


def is_table(conn: sqlite3.Connection, name: str) -> bool:
    """True if the name is a plain table in this file, so that a query on it costs no more than its rows."""
    rows = conn.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE lower(name) = ?", (name,)).fetchall()
    if [
        (kind, spelt, table, _normal(sql)) for kind, spelt, table, sql in rows if isinstance(sql, str)
    ] == [_KNOWN_AS[name]]:
        return True
    return len(rows) == 1 and not any(
        one.stops == "reading" for kind, _, _, sql in rows for one in _table(conn, str(kind), name, str(sql or ""))
    )


def _table(conn: sqlite3.Connection, kind: str, name: str, sql: str) -> list[Foreign]:
    """Faults of one of our tables. Other tool versions spelled the same definition differently."""
    if kind != "table":
        return [Foreign(f"a {kind} stands in the place of the table {name}", "reading")]
    columns = conn.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
    ours = _columns(name)
    there = [(str(c[1]).lower(), str(c[2]).lower(), bool(c[3]), c[4]) for c in columns]
    more = there[len(ours) :]
    bare = sql.lower().replace("''", "").rstrip().removesuffix(BY_KEY.get(name, "").strip().lower())
    allowed = _plain() | {word for c in more for part in c[:2] for word in re.findall(r"\w+", part)} - _ACTING
    odd = set(re.findall(r"\w+", bare)) - allowed or any(sign in bare for sign in ("'", "--", "/*", ";"))
    if there[: len(ours)] != ours[: len(there)] or any(c[6] for c in columns) or odd:
        return [Foreign(f"the table {name} is not defined as it was made", "reading")]
    return [Foreign(f"the column {c[0]:.80} of {name} is not Kibitz's") for c in more]


@lru_cache
def _plain() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", " ".join([_PLAIN, *_COLUMNS, *_COLUMNS.values()])))


@lru_cache
def _columns(name: str) -> list[tuple[str, str, bool, str | None]]:
    """The columns of one of our tables: name, type, NOT NULL, default."""
    found = []
    for said in re.split(r",(?![^(]*\))", _COLUMNS[name]):
        if not said.startswith("primary"):
            default = re.search(r"default (\S+)", said)
            words = said.split()
            found.append((words[0], words[1], "not null" in said, default[1] if default else None))
    return found


def _other(kind: str, name: str, table: str, sql: str) -> Foreign | None:
    """The report on an object with none of our names; None if it is SQLite's own."""
    if (name.startswith("sqlite_autoindex_") and not sql) or name in ("sqlite_stat1", "sqlite_stat3", "sqlite_stat4"):
        return None  # SQLite's own objects
    if kind == "trigger":
        return Foreign(f"a trigger is not Kibitz's: {name:.80} on {table:.80}", "writing")
    if kind == "index":
        plain = re.fullmatch(r"create index [^(]*\((?:\w+(?: asc| desc)?,?)+\)", _normal(sql))
        acts = table.lower() in TABLES and (name in INDEXES or not plain)
        return Foreign(f"an index is not Kibitz's: {name:.80} on {table:.80}", "writing" if acts else "")
    return Foreign(f"a {kind or 'nameless thing'} is not Kibitz's: {name:.80}")
