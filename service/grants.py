"""Grants and their secrets, hands that a director has opened, and published tables.

They are in a database of their own beside the store, `<store>.grants`, because they are no part of a record and can
be deleted after an evening. Only the SHA-256 of a secret (256 random bits) is stored: a reader of this file can look
up what a secret may do, but cannot make one. A `Grants` may be used by any thread: one lock guards all.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from typing import Literal, get_args

from msgspec import Struct

from events.errors import NotFoundError, StoreError, UsageError
from records.store import companion_path
from replay.visibility import ALL_HANDS

Role = Literal["director", "recorder", "seat", "spectator"]
ROLES: tuple[Role, ...] = get_args(Role)
KEEPERS: tuple[Role, ...] = ("director", "recorder")
"""The roles that keep the record: they see all hands, and attach pictures."""
Kind = Literal["link", "cookie", "token"]

VERSION = 2
LENGTH = 43
"""Characters of a secret: 32 bytes in base 64, without padding."""

_TABLES = """
CREATE TABLE grants (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, role TEXT NOT NULL, "match" TEXT NOT NULL, book TEXT NOT NULL, seat TEXT NOT NULL,
  since TEXT NOT NULL, until TEXT NOT NULL, revoked TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE secrets (
  hash BLOB PRIMARY KEY, "grant" TEXT NOT NULL, kind TEXT NOT NULL, once INTEGER NOT NULL, used TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX secrets_of_a_grant ON secrets ("grant");
CREATE TABLE opened (
  "match" TEXT NOT NULL, hand INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY ("match", hand)) STRICT, WITHOUT ROWID;
"""
_HUNG_OUT = """
CREATE TABLE hung_out (book TEXT PRIMARY KEY, title TEXT NOT NULL, at TEXT NOT NULL, named TEXT NOT NULL, page BLOB NOT NULL) STRICT;
"""
"""Tables added in version 2."""


class Grant(Struct, frozen=True):
    """What a person may do. `subject` is their name; `match` or `book` limits the grant (both empty: everything).

    `seat` is the seat of a player. `until` and `revoked` are times in UTC, or empty."""

    id: str
    subject: str
    role: Role
    match: str = ""
    book: str = ""
    seat: str = ""
    since: str = ""
    until: str = ""
    revoked: str = ""

    def covers(self, match: str, book: str) -> bool:
        """True if the grant includes this match of this book."""
        return (not self.match or self.match == match) and (not self.book or self.book == book)

    def ended(self, now: str) -> str:
        """How it ended; empty while it is in force."""
        return "was revoked" if self.revoked else "has expired" if self.until and now >= self.until else ""


def path_of(store: Path | str) -> Path:
    """The file of a store's grants, beside its key. `store` is a file or the address of a database."""
    path = companion_path(store)
    return path.with_name(path.name + ".grants")


def utc_text(moment: datetime) -> str:
    """A time as it is stored: UTC to the second, so that times compare as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Grants:
    """The grants in the file at `path`, which is created if it is missing. Raises StoreError if it cannot be used."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path, self._clock = path, clock
        self._lock = RLock()
        try:
            path.touch(mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = wal")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version < VERSION:
                made = _HUNG_OUT if version else _TABLES + _HUNG_OUT
                self._db.executescript(f"BEGIN IMMEDIATE; {made} PRAGMA user_version = {VERSION}; COMMIT;")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the grants cannot be used ({error})", where=str(path),
                todo="Look at the file, or move it away: links then have to be made again",
            ) from error
        if version > VERSION:
            raise StoreError(
                "the grants were written by a later version of Kibitz", where=str(path), todo="Install that version",
            )

    def close(self) -> None:
        """Close the file. Closing twice does no harm."""
        with self._lock:
            self._db.close()

    @property
    def now(self) -> str:
        """The current time as it is stored."""
        return utc_text(self._clock())

    # Grants

    def give(
        self, subject: str, role: Role, *, match: str = "", book: str = "", seat: str = "", hours: float = 0.0,
    ) -> Grant:
        """A new grant, in force for `hours` from now (0: until revoked). Raises UsageError if it makes no sense."""
        if role not in ROLES:
            raise UsageError(f"{role!r} is not a role", expected="director, recorder, seat or spectator")
        if role in ("recorder", "seat") and not match:
            raise UsageError(f"a {role} belongs to one match", expected="the match")
        if (role == "seat") != bool(seat):
            raise UsageError(
                "the seat is missing" if role == "seat" else f"a {role} has no seat",
                expected="a seat for the role seat alone",
            )
        now = self._clock()
        until = utc_text(now + timedelta(hours=hours)) if hours else ""
        grant = Grant(secrets.token_hex(8), subject, role, match, book, seat, utc_text(now), until)
        with self._lock:
            self._db.execute(
                "INSERT INTO grants VALUES (?,?,?,?,?,?,?,?,?)",
                tuple(getattr(grant, name) for name in Grant.__struct_fields__),
            )
        return grant

    def all(self) -> list[Grant]:
        """All grants, the oldest first."""
        with self._lock:
            return [Grant(*row) for row in self._db.execute("SELECT * FROM grants ORDER BY since, id")]

    def revoke(self, grant: str) -> None:
        """Revoke a grant and all its secrets. Revoking twice does no harm. Raises NotFoundError."""
        with self._lock:
            if not self._db.execute("SELECT 1 FROM grants WHERE id = ?", (grant,)).fetchone():
                raise NotFoundError(f"there is no grant {grant[:40]!r}", todo="The director's page lists the grants")
            self._db.execute("UPDATE grants SET revoked = ? WHERE id = ? AND revoked = ''", (self.now, grant))

    # Secrets

    def secret(self, grant: Grant, kind: Kind, *, once: bool = False) -> str:
        """A new secret for a grant. A link with `once` can be exchanged for a cookie only once."""
        text = secrets.token_urlsafe(32)
        with self._lock:
            self._db.execute("INSERT INTO secrets VALUES (?,?,?,?,'')", (_hash(text), grant.id, kind, int(once)))
        return text

    def shown(self, secret: str, kinds: Sequence[Kind]) -> Grant | None:
        """The grant in force that belongs to a secret of one of these kinds; None if there is none."""
        grant = self.shown_once(secret, kinds)
        return grant if grant is not None and not grant.ended(self.now) else None

    def shown_once(self, secret: str, kinds: Sequence[Kind]) -> Grant | None:
        """The grant that belongs to a secret of one of these kinds, in force or not; None if there is none."""
        if len(secret) != LENGTH or not secret.isascii():
            return None
        marks = ",".join("?" * len(kinds))
        with self._lock:
            row = self._db.execute(
                f'SELECT g.* FROM secrets s JOIN grants g ON g.id = s."grant" WHERE s.hash = ? AND s.kind IN ({marks})',
                (_hash(secret), *kinds)
            ).fetchone()
        return Grant(*row) if row else None

    def in_force(self, grant: str) -> bool:
        """True if a grant is still in force; streams check it regularly."""
        with self._lock:
            row = self._db.execute("SELECT * FROM grants WHERE id = ?", (grant,)).fetchone()
        return row is not None and not Grant(*row).ended(self.now)

    def exchange(self, secret: str) -> tuple[Grant, str] | None:
        """Exchange the secret of a link for that of a cookie; None if it is invalid, or was for one use and is used."""
        with self._lock:
            grant = self.shown(secret, ("link",))
            if grant is None:
                return None
            taken = self._db.execute(
                "UPDATE secrets SET used = ? WHERE hash = ? AND (once = 0 OR used = '')", (self.now, _hash(secret)),
            )
            return (grant, self.secret(grant, "cookie")) if taken.rowcount else None

    def forget(self, secret: str) -> None:
        """Delete a secret."""
        with self._lock:
            self._db.execute("DELETE FROM secrets WHERE hash = ?", (_hash(secret),))

    # Hands opened by the director

    def open_hand(self, match: str, hand: int = ALL_HANDS) -> None:
        """Show all cards of a hand, or of the whole match, to players and spectators from now on.

        There is no way back: they may have seen the cards already."""
        with self._lock:
            self._db.execute("INSERT OR IGNORE INTO opened VALUES (?,?,?)", (match, hand, self.now))

    def opened(self, match: str) -> frozenset[int]:
        """The opened hands of a match; with `ALL_HANDS` if all are opened. Another service may have opened one since."""
        with self._lock:
            rows = self._db.execute('SELECT hand FROM opened WHERE "match" = ?', (match,)).fetchall()
        return frozenset(hand for (hand,) in rows)

    # Published tables

    def hang_out(self, book: str, title: str, named: str, page: bytes) -> str:
        """Publish the table of a book, replacing the last one. Returns the time of publication. It is valid as long
        as the fingerprint of the players' register is `named`."""
        with self._lock:
            self._db.execute(
                "INSERT OR REPLACE INTO hung_out VALUES (?,?,?,?,?)", (book, title, now := self.now, named, page),
            )
        return now

    def take_down(self, book: str) -> None:
        """Withdraw the table of a book. Nothing happens if there is none."""
        with self._lock:
            self._db.execute("DELETE FROM hung_out WHERE book = ?", (book,))

    def hung_out(self) -> list[tuple[str, str, str, str]]:
        """The published tables: book, title, time, and the register's fingerprint at that time."""
        with self._lock:
            return self._db.execute("SELECT book, title, at, named FROM hung_out ORDER BY book").fetchall()

    def hanging(self, book: str, named: str) -> bytes | None:
        """The published page of a book; None if there is none, or the register has changed since."""
        with self._lock:
            row = self._db.execute("SELECT page FROM hung_out WHERE book = ? AND named = ?", (book, named)).fetchone()
        return None if row is None else bytes(row[0])


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
