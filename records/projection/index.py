"""The index beside a store: updated from the log, book by book, and rebuilt if it does not fit.

The facts of a match are derived by a function that is passed in (`replay.season.facts.match_facts`): this package
knows no rules. A reader calls `Index.open`, which updates the index first. Each book has a position up to which it
was read; only matches with later events are read again. The index is dropped and rebuilt if it is damaged, of another
version, or made from another store (an earlier state was restored).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from events.errors import StoreError
from events.model import Recorded
from records.loading import open_store
from records.names import sidecar_path
from records.projection.schema import FACTS, NUMBER, TABLES
from records.register import REGISTER, Register, compared_name
from records.rows import ALL
from records.store_reader import StoreReader

PIECE = 20_000
"""Events of a book scanned at once for their matches."""
AT_ONCE = 500
"""Matches put into the index in one commit."""


class Facts(Protocol):
    """What follows from one match, as in `replay.season.facts.MatchFacts`."""

    @property
    def game(self) -> str: ...
    @property
    def seats(self) -> Sequence[Any]: ...
    @property
    def counted(self) -> bool: ...


Derive = Callable[[str, Sequence[Recorded]], Any]
"""A function that derives the facts of a match."""
Progress = Callable[[Iterable[str], int], Iterable[str]]
"""Passes matches through and shows the progress; the number is their total."""


class IndexLine(NamedTuple):
    """What was read of one match: its recorded book, the leaf of its last event, the names as written at the seats,
    and the facts as shown."""

    match: str
    recorded: str
    tip: bytes
    names: dict[tuple[str, int], str]
    facts: Any


Spread = Callable[
    [Callable[[str, tuple[str, Derive]], IndexLine], Iterable[str], tuple[str, Derive]], Iterator[IndexLine]
]
"""Runs a function on every match and yields the results in order; `replay.engines` has versions with several
processes. The function, its context and its results are picklable if `derive` is."""


def read_match(match: str, store: StoreReader, derive: Derive) -> IndexLine:
    """Read one match from a store and derive its facts."""
    tip = store.tip(match)
    recorded = store.book_of(match)
    written = [r for r in store.read(match) if r.n <= tip[0]]
    # Texts are indexed as shown; the player of a seat follows from the name that was written.
    shown = store.register.shown(match, recorded, written)
    facts = derive(match, shown)
    names = {(one.seat, one.since): one.name for one in (facts if shown == written else derive(match, written)).seats}
    return IndexLine(match, recorded, tip[1], names, facts)


def read_match_at(match: str, context: tuple[str, Derive]) -> IndexLine:
    """`read_match` for a worker process, which opens the store itself. `context` has the store's place and `derive`."""
    place, derive = context
    return read_match(match, open_store(place), derive)


def index_path(path: Path) -> Path:
    """The path of a store's index."""
    return sidecar_path(path, "index")


class Index:
    """The index tables of a store, open for queries. Close it, or use it as a context manager."""

    def __init__(self, db: sqlite3.Connection, where: str) -> None:
        self.db = db
        self.where = where

    @classmethod
    @contextmanager
    def open(
        cls, store: StoreReader, derive: Derive, version: str, *, progress: Progress | None = None,
        rebuild: bool = False, spread: Spread | None = None,
    ) -> Iterator[Self]:  # fmt: skip
        """The index of a store, up to date.

        `version` names the program whose rules are used; an index of another version is rebuilt, as with `rebuild`.
        If no file can be written, the index is made in memory for this use. `spread` reads many matches in parallel;
        without it they are read one by one in this process.

        Raises StoreError if the store cannot be read, or if another program uses the index for too long."""
        path = index_path(store.path)
        if rebuild:
            _remove(path)
        try:
            index = cls._at(path, version)
        except (sqlite3.OperationalError, OSError) as error:
            if "locked" in str(error):
                raise _busy(path) from error
            index = cls._in_memory(version)
        except sqlite3.DatabaseError:
            _remove(path)
            index = cls._at(path, version)
        try:
            try:
                index.follow(store, derive, progress, spread)
            except sqlite3.OperationalError as error:
                index.close()
                if "locked" in str(error):
                    raise _busy(path) from error
                index = cls._in_memory(version)  # a full disk, a folder that became read-only
                index.follow(store, derive, progress, spread)
            except sqlite3.DatabaseError:
                index.close()
                _remove(path)
                index = cls._at(path, version)
                index.follow(store, derive, progress, spread)
            yield index
        finally:
            index.close()

    @classmethod
    def _at(cls, path: Path, version: str) -> Self:
        fresh = not path.exists()
        if fresh:
            # Its content comes from the store, so it is private too.
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        db = _connect(str(path))
        try:
            if fresh or _version(db) != _stamp(version):
                _make(db, version)
        except BaseException:
            db.close()
            raise
        return cls(db, str(path))

    @classmethod
    def _in_memory(cls, version: str) -> Self:
        db = _connect(":memory:")
        _make(db, version)
        return cls(db, "memory")

    def close(self) -> None:
        """Close it. Closing twice does no harm."""
        self.db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Updating from the store

    def follow(
        self, store: StoreReader, derive: Derive, progress: Progress | None = None, spread: Spread | None = None,
    ) -> int:
        """Bring the index up to date with the store. Returns the number of matches read."""
        heads = {row.book: row.head for row in store.books()}
        seen: dict[str, int] = dict(self.db.execute("SELECT book, seen FROM book"))
        if any(heads.get(book, -1) < head for book, head in seen.items()) or not self._same_history(store, seen):
            self._begin_anew()
            seen = {}
        changed = list(self._changed(store, heads, seen))
        if changed:
            waiting: Iterable[str] = changed if progress is None else progress(changed, len(changed))
            self._take(
                spread(read_match_at, waiting, (store.address, derive)) if spread
                else (read_match(one, store, derive) for one in waiting),
                store,
            )
        if heads != seen:
            with self.db:
                self.db.executemany("INSERT OR REPLACE INTO book VALUES (?, ?)", heads.items())
        self._name(store.register, bool(changed))
        return len(changed) + self._forget(store, derive)

    def _forget(self, store: StoreReader, derive: Derive) -> int:
        """Read the matches of players forgotten since the last update again. Returns their number."""
        now = " ".join(sorted(p.id for p in store.register.players.values() if p.forgotten))
        row = self.db.execute("SELECT value FROM meta WHERE key = 'forgotten'").fetchone()
        before = "" if row is None else str(row[0])
        if now == before:
            return 0
        changed = sorted(set(now.split()) ^ set(before.split()))
        marks = ", ".join("?" * len(changed))
        hidden = [name.casefold() for name in store.register.hidden_names()]
        matches = [match for match, sat, title, place in self.db.execute(
            "SELECT m.match, m.id IN (SELECT id FROM remark) OR m.id IN (SELECT s.id FROM seat s JOIN who "
            "w ON w.id = s.who"
            f" WHERE w.player IN ({marks})), m.title, m.place FROM match m", changed
        ) if sat or any(name in f"{title} {place}".casefold() for name in hidden)]  # fmt: skip
        self._take((read_match(one, store, derive) for one in matches), store)
        self._name(store.register, True)
        with self.db:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('forgotten', ?)", (now,))
        return len(matches)

    def _same_history(self, store: StoreReader, seen: dict[str, int]) -> bool:
        """True if the matches read last still begin with what was read. A leaf covers its match's earlier events."""
        if not seen:
            return True
        rows = self.db.execute(
            "SELECT match, last, tip FROM match WHERE id IN (SELECT max(id) FROM match GROUP BY recorded)"
        ).fetchall()
        for match, last, tip in rows:
            end = store.end(match)
            if end is None or end[1] < last or (end[1] == last and store.tip(match)[1] != tip):
                return False
        return True

    def _changed(self, store: StoreReader, heads: dict[str, int], seen: dict[str, int]) -> Iterator[str]:
        """The matches with events that were not read yet, each once."""
        if not seen:
            # An interrupted build continues: matches already indexed are skipped unless they have grown.
            done: dict[str, bytes] = dict(self.db.execute("SELECT match, tip FROM match"))
            yield from (match for match in store.ids() if match not in done or store.tip(match)[1] != done[match])
            return
        for book, head in heads.items():
            if book == REGISTER or head <= seen.get(book, 0):
                continue
            after, told = seen.get(book, 0), set[str]()
            while after < head:
                piece = store.tail(book, after, min(PIECE, ALL))
                if not piece:
                    break
                fresh = dict.fromkeys(one.match for one in piece if one.match not in told)
                told.update(fresh)
                yield from fresh
                after = piece[-1].pos

    def _take(self, readings: Iterator[IndexLine], store: StoreReader) -> None:
        """Put derived facts into the tables as they arrive."""
        done = AT_ONCE
        while done == AT_ONCE:
            done = 0
            with self.db:
                for one in islice(readings, AT_ONCE):
                    self._put(one, store.register.filed.get(one.match, one.recorded))
                    done += 1

    def _put(self, reading: IndexLine, book: str) -> None:
        match, recorded, tip, names, facts = reading
        db = self.db
        known = db.execute("SELECT id, book, game FROM match WHERE match = ?", (match,)).fetchone()
        id = None if known is None else known[0]
        if known is not None:
            for table in FACTS:
                db.execute(f"DELETE FROM {table} WHERE id = ?", (id,))
            db.execute(
                "DELETE FROM rated WHERE book IN (?, ?, '') AND game IN (?, ?)", (book, known[1], facts.game, known[2]),
            )
        row = (
            id, match, book, recorded, facts.game, facts.name, facts.day, facts.title, facts.place, facts.table,
            facts.trial, facts.parent, facts.over, facts.counted, facts.winner, facts.way, facts.last, len(facts.hands),
            tip, facts.fault,
        )  # fmt: skip
        id = db.execute(f"INSERT OR REPLACE INTO match VALUES ({_marks(row)})", row).lastrowid
        sides = {one.side: one for one in facts.sides}
        mates: dict[str, int] = {}
        for seat in facts.seats:
            mates[seat.side] = mates.get(seat.side, 0) + seat.whole
        for seat in facts.seats:
            side = sides.get(seat.side)
            # SQLite holds 64-bit integers; a larger total counts as unknown.
            total = seat.total if seat.total is not None and abs(seat.total) < 2**62 else None
            mine = (
                id, seat.seat, compared_name(names.get((seat.seat, seat.since), seat.name)), 0, book, facts.game,
                facts.day, facts.counted, seat.side, mates[seat.side], total, None if side is None else side.won,
                0 if side is None else side.place, seat.hands, seat.made, seat.failed, seat.hands_won, seat.since,
                seat.until, seat.whole,
                side.margin if side is not None and side.margin is not None and abs(side.margin) < 2**62 else None,
                side.stack if side is not None and seat.whole else 0,
            )  # fmt: skip
            db.execute(f"INSERT OR REPLACE INTO seat VALUES ({_marks(mine)})", mine)
        for hand in facts.hands:
            known_points = [(p, side) for side, p in hand.points.items() if p is not None and abs(p) < 2**62]
            (most, first), (least, last) = max(known_points, default=(None, "")), min(known_points, default=(None, ""))
            one = (
                id, hand.number, hand.at, hand.dealer, hand.contract, hand.result, hand.side, hand.seat, hand.made,
                most, least, hand.contract.casefold(), first, last,
            )  # fmt: skip
            db.execute(f"INSERT OR REPLACE INTO hand VALUES ({_marks(one)})", one)
        db.executemany(
            "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(id, f.at, f.hand, f.rule, f.verdict, f.by, f.text) for f in facts.found],
        )
        db.executemany(
            "INSERT INTO remark VALUES (?, ?, ?, ?)", [(id, r.at, r.text, r.text.casefold()) for r in facts.remarks],
        )
        db.executemany(
            "INSERT INTO dispute VALUES (?, ?, ?, ?, ?, ?)",
            [(id, d.at, d.hand, d.by, d.word, d.open) for d in facts.disputes],
        )
        db.executemany(
            "INSERT INTO worth_opening VALUES (?, ?, ?, ?, ?, ?)",
            [(id, one.at, one.hand, one.kind, one.text, one.weight) for one in facts.worth_opening],
        )

    # Linking seats to players

    def _name(self, register: Register, fresh: bool) -> None:
        """Set the player of each seat, if the register or the seats have changed."""
        said = register.fingerprint()
        before = self.db.execute("SELECT value FROM meta WHERE key = 'register'").fetchone()
        if before == (said,) and not fresh:
            return
        if before != (said,):
            with self.db:
                self._file(register)
        if before == (said,):
            pairs = self.db.execute("SELECT DISTINCT name, book FROM seat WHERE who = 0").fetchall()
        else:
            pairs = self.db.execute("SELECT DISTINCT name, book FROM seat").fetchall()
        with self.db:
            if before != (said,):
                self.db.execute("DELETE FROM rated")
            known: dict[str, int] = dict(self.db.execute("SELECT key, id FROM who"))
            changes = []
            where = " AND who = 0" if before == (said,) else ""
            for name, book in pairs:
                changes.append((self._who(register, known, "", book, "", name), name, book))
            self.db.executemany(f"UPDATE seat SET who = ? WHERE name = ? AND book = ?{where}", changes)
            for match, seat in register.seats():
                row = self.db.execute(
                    "SELECT m.id, s.book, s.name FROM match m JOIN seat s ON s.id = m.id WHERE m.match = ? "
                    "AND s.seat = ? ORDER BY s.since",
                    (match, seat),
                ).fetchone()
                if row is not None:
                    self.db.execute(
                        "UPDATE seat SET who = ? WHERE id = ? AND seat = ? AND name = ?",
                        (self._who(register, known, match, row[1], seat, row[2]), row[0], seat, row[2]),
                    )
            for id, key in self.db.execute("SELECT id, player FROM who WHERE player <> ''").fetchall():
                player = register.player(key)
                if player is not None:
                    self.db.execute("UPDATE who SET label = ? WHERE id = ?", (player.label, id))
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('register', ?)", (said,))

    def _file(self, register: Register) -> None:
        """Set the books that matches are filed in."""
        now: dict[str, str] = dict(self.db.execute("SELECT match, book FROM match WHERE book <> recorded"))
        changed = [(book, match) for match, book in register.filed.items() if now.get(match) != book]
        changed += [
            (row[0], match) for match in now if match not in register.filed
            for row in self.db.execute("SELECT recorded FROM match WHERE match = ?", (match,))
        ]
        self.db.executemany("UPDATE match SET book = ? WHERE match = ?", changed)
        self.db.executemany("UPDATE seat SET book = ? WHERE id = (SELECT id FROM match WHERE match = ?)", changed)

    def _who(self, register: Register, known: dict[str, int], match: str, book: str, seat: str, name: str) -> int:
        """The number of the player at a seat, or of a name that is linked to no player."""
        player = register.player_of(match, book, seat, name)
        key = f"p:{player.id}" if player is not None else f"n:{name}"
        if key not in known:
            row = (key, player.label if player is not None else name, player.id if player is not None else "")
            made = self.db.execute("INSERT INTO who (key, label, player) VALUES (?, ?, ?)", row).lastrowid
            assert made is not None
            known[key] = made
        return known[key]

    def _begin_anew(self) -> None:
        with self.db:
            for table in ("book", "match", *FACTS, "who", "rating", "rated"):
                self.db.execute(f"DELETE FROM {table}")
            self.db.execute("DELETE FROM meta WHERE key IN ('register', 'forgotten')")


def _connect(where: str) -> sqlite3.Connection:
    db = sqlite3.connect(where, timeout=10.0)
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        # A power failure may lose data, since the index can be rebuilt.
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -65536")
    except BaseException:
        db.close()  # the file may not be SQLite's
        raise
    return db


def _stamp(version: str) -> str:
    return f"{NUMBER}/{version}"


def _version(db: sqlite3.Connection) -> str:
    """The version that made an index; empty if it is not one."""
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error) or "no such column" in str(error):
            return ""
        raise
    return str(row[0]) if row is not None else ""


def _make(db: sqlite3.Connection, version: str) -> None:
    """Create the tables, and drop whatever is in their place."""
    with suppress(sqlite3.OperationalError):
        db.execute("PRAGMA journal_mode = DELETE")
    names = db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    for kind in ("view", "trigger", "table"):
        for what, name in names:
            if what == kind:
                quoted = str(name).replace('"', '""')
                db.execute(f'DROP {kind.upper()} IF EXISTS "{quoted}"')
    db.executescript(TABLES)
    with db:
        db.execute("INSERT INTO meta VALUES ('version', ?)", (_stamp(version),))


def _remove(path: Path) -> None:
    for file in (path, path.with_name(f"{path.name}-journal")):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                f"the index cannot be removed ({error.strerror})", where=str(file),
                todo="Remove it by hand; it is made again",
            ) from error


def _busy(path: Path) -> StoreError:
    return StoreError(
        "the index is in use by another program", where=str(path),
        todo="Try again in a moment; it may be being built for the first time",
    )


def _marks(row: Sequence[object]) -> str:
    return ", ".join("?" * len(row))
