"""Finds objects in the file that are not Kibitz's: tables, columns, indexes, views and triggers.

A trigger, or an index on an expression, would act during an append. A view in the place of a table, or a computed
column, could show what was never recorded, or run forever. So the schema is read once at each opening, before any
other query, and a file in which something could act is refused. Harmless foreign objects are reported by `verify`.

Update this together with the migrations in records/sqlite/schema.py; a test compares the two.
"""

from __future__ import annotations

import re
import sqlite3
from functools import lru_cache
from typing import Literal, NamedTuple

from records.sqlite.event_runs import EVENTS_VIEW

_QUOTES = dict.fromkeys(map(ord, '"[]`'))


@lru_cache(maxsize=64)
def _normal(sql: str) -> str:
    """A definition in normal form, without differences in quotes, spaces and case."""
    # No regular expression: every program that opens a store runs this, and would have to compile it first.
    said = " ".join(sql.translate(_QUOTES).lower().split())
    for sign in "(),=":
        said = said.replace(" " + sign, sign).replace(sign + " ", sign)
    return said


_TABLES = {
    "migrations": "number integer primary key not null,name text not null,applied text not null",
    "books": "book text primary key not null,head integer not null,created text not null,"
    "digest text not null default '',settled integer not null default 1",
    "matches": "match text primary key not null,book text not null references books(book),game text not null,"
    "created text not null,changed text not null,last integer not null,is_over integer not null,"
    "parent text references matches(match),parent_n integer,digest text not null default '',"
    "is_sealed integer not null default 0,volume integer",
    "runs": "match text not null references matches(match),n integer not null,book text not null references "
    "books(book),"
    "pos integer not null,last_pos integer not null,events integer not null,beside text not null,payload text not null,"
    "leaves blob not null,primary key(match,n)",
    "recent": "place integer primary key,match text not null,n integer not null,book text not null,pos integer not "
    "null,"
    "last_pos integer not null,events integer not null,beside text not null,payload text not null,leaves blob not null,"
    "key text not null,fingerprint text not null,changed text not null,digest text not null",
    # Up to version 3.
    "events": "book text not null references books(book),pos integer not null,match text not null references "
    "matches(match),"
    "n integer not null,type text not null,version integer not null,time text not null,recorder text not null,"
    "key text not null,payload text not null,prev blob not null default x'',leaf blob not null default x'',"
    "primary key(book,pos)",
    "keys": "match text not null references matches(match),key text not null,fingerprint text not null,"
    "first integer not null,last integer not null,digest text not null default '',primary key(match,key)",
    "signers": "signer text primary key not null,created text not null",
    "checkpoints": "book text not null references books(book),size integer not null,"
    "signer text not null references signers(signer),root text not null,time text not null,note text not null,"
    "primary key(book,size,signer)",
    "sealed": "match text primary key not null references matches(match),book text not null references books(book),"
    "first_pos integer not null,last_pos integer not null,events integer not null,dictionary integer not null,"
    "tip blob not null,body blob not null",
    "volumes": "volume integer primary key,book text not null references books(book),first_pos integer not null,"
    "last_pos integer not null,matches integer not null,events integer not null,dictionary integer not null,"
    "tips blob not null,clock blob not null,body blob not null",
    "tiles": "book text not null references books(book),number integer not null,root blob not null,"
    "primary key(book,number)",
}
_INDEXES = {
    "events_of_a_match": "create unique index events_of_a_match on events(match,n)",
    "runs_by_end": "create index runs_by_end on runs(book,last_pos,pos)",
    "openings_by_key": "create index openings_by_key on keys(key)where first=0",
    "volumes_by_end": "create index volumes_by_end on volumes(book,last_pos,first_pos)",
    "sealed_by_end": "create index sealed_by_end on sealed(book,last_pos,first_pos)",
    "unfinished": "create index unfinished on matches(changed)where is_over=0 and is_sealed=0",
}
_KNOWN = {
    *(("table", name, name, f"create table {name}({columns})") for name, columns in _TABLES.items()),
    *(("index", name, sql.split(" on ")[1].split("(")[0], sql) for name, sql in _INDEXES.items()),
}
_BY_KEY = "without rowid"
"""Suffix of the table of matches since version 5."""
_KNOWN.add(("table", "matches", "matches", f"create table matches({_TABLES['matches']}){_BY_KEY}"))
_KNOWN.add(("view", "events", "events", _normal(EVENTS_VIEW)))
_EARLIER = ("events", "events_of_a_match")
"""Objects of versions up to 3, foreign in later ones."""
_KNOWN_AS = {one[1]: one for one in _KNOWN}
# The words of our definitions in any spelling; and words that make a table do more than hold rows.
_PLAIN = "create table primary key not null default references text integer blob foreign"


_ACTING = frozenset(
    [
        "abort", "always", "as", "autoincrement", "check", "collate", "conflict", "constraint", "deferrable", "fail",
        "generated", "ignore", "on", "replace", "rollback", "rowid", "stored", "strict", "unique", "using", "virtual",
        "without",
    ]
)  # fmt: skip


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
    now = any(row[1] == "runs" for row in rows)
    for row in rows:
        kind, name, table, sql = (str(value or "") for value in row)
        if (kind, name, table, _normal(sql)) in _KNOWN and not (now and kind != "view" and name in _EARLIER):
            continue
        if now and name.lower() in _EARLIER:
            found.append(Foreign(f"a {kind} stands in the place of the view events"))
        elif name.lower() in _TABLES and kind != "index":
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
    """Faults of one of our tables. Other tool versions spelled the same definition differently; older stores have
    fewer columns."""
    if kind != "table":
        return [Foreign(f"a {kind} stands in the place of the table {name}", "reading")]
    columns = conn.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
    ours = _columns(name)
    there = [(str(c[1]).lower(), str(c[2]).lower(), bool(c[3]), c[4]) for c in columns]
    more = there[len(ours) :]
    bare = sql.lower().replace("''", "")
    if name == "matches":
        bare = bare.rstrip().removesuffix(_BY_KEY)
    allowed = _plain() | {word for c in more for part in c[:2] for word in re.findall(r"\w+", part)} - _ACTING
    odd = set(re.findall(r"\w+", bare)) - allowed or any(sign in bare for sign in ("'", "--", "/*", ";"))
    if there[: len(ours)] != ours[: len(there)] or any(c[6] for c in columns) or odd:
        return [Foreign(f"the table {name} is not defined as it was made", "reading")]
    return [Foreign(f"the column {c[0]:.80} of {name} is not Kibitz's") for c in more]


@lru_cache
def _plain() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", " ".join([_PLAIN, *_TABLES, *_TABLES.values()])))


@lru_cache
def _columns(name: str) -> list[tuple[str, str, bool, str | None]]:
    """The columns of one of our tables: name, type, NOT NULL, default."""
    found = []
    for said in re.split(r",(?![^(]*\))", _TABLES[name]):
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
        acts = table.lower() in _TABLES and (name in _INDEXES or not plain)
        return Foreign(f"an index is not Kibitz's: {name:.80} on {table:.80}", "writing" if acts else "")
    return Foreign(f"a {kind or 'nameless thing'} is not Kibitz's: {name:.80}")
