"""What a store costs in bytes and in time: `python -m benchmarks.storage [--matches N] [--archive N]`.

The same events as Kibitz keeps them, open and sealed, under ids in a row and by chance; as JSON rows in a plain
SQLite table; and in the Python library `eventsourcing` (its SQLite recorder and JSON transcoder as they come). One
file each, closed and measured whole, indexes and all. Times are CPU time of this process, the two sides of a
comparison in turn, the medians of the rounds; "per event" counts every event of the log, the opening too.

`--archive N` measures how long it takes to load one sealed match out of 20,000 and out of N. The archive is filled
up with copies of a few hundred sealed matches under ids of their own, row by row as the store writes them.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from benchmarks.peers import Library
from events.canon import encode
from events.model import Open, Recorded
from records import Store, export_jsonl, import_loaded, load_file
from records.hashes import row_digest
from records.names import new_match_id
from records.rows import Stretch, Volume
from records.volume_codec import Bound, OpenVolume, bind
from replay.simulate import simulate

GAMES = ("kaiser", "scopa", "bridge-solitaire", "jersey-gin", "botifarra")
ROUNDS = 5

Log = list[Recorded]


def logs(number: int) -> list[Log]:
    """One-hand matches of several games, each under an id of its own: `archive-0000000`, `archive-0000001`, and so on."""
    played = [simulate(game, seed=seed, hands=1) for seed in range(min(number // len(GAMES) + 1, 60)) for game in GAMES]
    found = []
    for i in range(number):
        opening, *rest = played[i % len(played)]
        assert isinstance(opening.event, Open)
        found.append([named(opening, f"archive-{i:07}"), *rest])
    return found


def named(opening: Recorded, match: str) -> Recorded:
    """The opening of a match under this id."""
    assert isinstance(opening.event, Open)
    return replace(opening, event=Open(by=opening.event.by, facts={**opening.event.facts, "Match": match}))


def as_begun_at_a_table(matches: Sequence[Log]) -> list[Log]:
    """The same matches under ids by chance, as a table gives them."""
    return [[named(opening, new_match_id(_game([opening]))), *rest] for opening, *rest in matches]


@contextmanager
def place() -> Iterator[Path]:
    """An empty directory, in memory where there is such a place: here nothing is asked about disks."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as name:
        yield Path(name)


def cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


# The ways


def in_kibitz(path: Path, matches: Sequence[Log], *, sealed: bool) -> None:
    """Through the store, 200 matches a commit."""
    with Store.open(path) as store:
        for at in range(0, len(matches), 200):
            with store.together():
                for log in matches[at : at + 200]:
                    store.import_match(_id(log), log, game=_game(log), sealed=sealed)


def in_rows(path: Path, matches: Sequence[Log]) -> None:
    """A plain table: match, position, the record as canonical JSON."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode=WAL").fetchone()
        conn.execute("PRAGMA synchronous=FULL")
        conn.execute("CREATE TABLE events (match TEXT, n INTEGER, record TEXT, PRIMARY KEY (match, n))")
        for at in range(0, len(matches), 200):
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany(
                "INSERT INTO events VALUES (?, ?, ?)",
                [(_id(log), r.n, encode(r).decode()) for log in matches[at : at + 200] for r in log],
            )
            conn.execute("COMMIT")


def in_library(path: Path, matches: Sequence[Log]) -> None:
    """An aggregate a match, an event a record, saved match by match."""
    library = Library(str(path))
    for log in matches:
        library.save(log)
    library.app.close()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def sizes(matches: Sequence[Log]) -> list[tuple[str, float]]:
    """Bytes per event of the closed files."""
    events = sum(map(len, matches))
    ways: list[tuple[str, Callable[[Path], None]]] = [
        ("Kibitz, open", lambda path: in_kibitz(path, matches, sealed=False)),
        ("Kibitz, sealed", lambda path: in_kibitz(path, matches, sealed=True)),
        ("the same, ids by chance", lambda path: in_kibitz(path, as_begun_at_a_table(matches), sealed=True)),
        ("JSON rows in SQLite", lambda path: in_rows(path, matches)),
        ("eventsourcing library", lambda path: in_library(path, matches)),
    ]
    found = []
    for name, way in ways:
        with place() as folder:
            way(folder / "events.db")
            found.append((name, (folder / "events.db").stat().st_size / events))
    return found


# Time


BARE = """
CREATE TABLE books (book TEXT PRIMARY KEY NOT NULL, head INTEGER NOT NULL, created TEXT NOT NULL, digest TEXT NOT NULL DEFAULT '',
  settled INTEGER NOT NULL DEFAULT 1);
CREATE TABLE matches (match TEXT PRIMARY KEY NOT NULL, book TEXT NOT NULL REFERENCES books(book), game TEXT NOT NULL,
  created TEXT NOT NULL, changed TEXT NOT NULL, last INTEGER NOT NULL, is_over INTEGER NOT NULL, parent TEXT REFERENCES matches(match),
  parent_n INTEGER, digest TEXT NOT NULL DEFAULT '', is_sealed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE events (book TEXT NOT NULL REFERENCES books(book), pos INTEGER NOT NULL, match TEXT NOT NULL REFERENCES matches(match),
  n INTEGER NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL, time TEXT NOT NULL, recorder TEXT NOT NULL, key TEXT NOT NULL,
  payload TEXT NOT NULL, prev BLOB NOT NULL DEFAULT x'', leaf BLOB NOT NULL DEFAULT x'', PRIMARY KEY (book, pos));
CREATE UNIQUE INDEX events_of_a_match ON events (match, n);
CREATE TABLE keys (match TEXT NOT NULL REFERENCES matches(match), key TEXT NOT NULL, fingerprint TEXT NOT NULL, first INTEGER NOT NULL,
  last INTEGER NOT NULL, digest TEXT NOT NULL DEFAULT '', PRIMARY KEY (match, key));
CREATE INDEX openings_by_key ON keys (key) WHERE first = 0;
CREATE INDEX unfinished ON matches (changed) WHERE is_over = 0 AND is_sealed = 0;
"""
"""The peer: a row an event, as Kibitz kept them up to version 3. It stays the same whatever Kibitz does, so that
figures of different times can be compared."""


_OF = {"matches": "match, book, game, created, changed, last, is_over, parent, parent_n, digest, is_sealed"}
"""The columns that the peer's tables have, if they are not all of ours."""


def rows_of(conn: sqlite3.Connection, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """What the peer is given to write: the rows of a store of ours."""
    return {table: conn.execute(f"SELECT {_OF.get(table, '*')} FROM {table}").fetchall() for table in tables}


@contextmanager
def bare(path: Path) -> Iterator[sqlite3.Connection]:
    """The peer's tables and indexes, empty, for somebody who writes rows into them without looking at them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=0"):
            conn.execute(f"PRAGMA {pragma}").fetchone()
        conn.executescript(BARE)
        yield conn


def put(conn: sqlite3.Connection, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    """Rows into tables, in one commit; the head of the book goes up once a match, as in the store."""
    conn.execute("BEGIN IMMEDIATE")
    for table, lines in rows.items():
        if lines:
            conn.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(lines[0]))})", lines)
    for match in rows.get("matches", ()):
        conn.execute("UPDATE books SET head = head + 1, digest = ? WHERE book = ?", (match[9], match[1]))
    conn.execute("COMMIT")


def put_all(conn: sqlite3.Connection, parts: Sequence[dict[str, list[tuple[Any, ...]]]]) -> None:
    """Rows into tables, a commit for each part."""
    for part in parts:
        put(conn, part)


def appending(log: Log, rounds: int = 60) -> tuple[float, float]:
    """CPU seconds for 100 events in one commit: checked and hashed; and the same rows into the same tables, as they
    are."""
    hundred = [replace(r, key="") for r in (log[1:] * 100)[:100]]
    ours, theirs = [], []
    with place() as folder, Store.open(folder / "a.db") as store, bare(folder / "b.db") as conn:
        match = store.create_match({}, game="kaiser")
        with closing(sqlite3.connect(folder / "a.db")) as look:
            put(conn, rows_of(look, "matches", "events"))
            for i in range(rounds):
                ours.append(cpu(partial(store.append, match, hundred, expect=100 * i, key=f"k{i}")))
                rows = look.execute("SELECT * FROM events WHERE n > ? ORDER BY pos", (100 * i,)).fetchall()
                keys = look.execute("SELECT * FROM keys WHERE key = ?", (f"k{i}",)).fetchall()

                def plain(rows: list[Any] = rows, keys: list[Any] = keys) -> None:
                    conn.execute("BEGIN IMMEDIATE")
                    conn.executemany(f"INSERT INTO events VALUES ({', '.join('?' * len(rows[0]))})", rows)
                    conn.executemany("INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?)", keys)
                    conn.execute("UPDATE matches SET last = ? WHERE match = ?", (rows[-1][3], match))
                    conn.execute("UPDATE books SET head = ?", (rows[-1][1],))
                    conn.execute("COMMIT")

                theirs.append(cpu(plain))
    return statistics.median(ours), statistics.median(theirs)


def importing(matches: Sequence[Log]) -> tuple[float, float, float]:
    """CPU seconds for whole files: read, checked and stored; the same and sealed at once; and the rows of the first
    into the same tables, as they are."""
    files = [export_jsonl(log) for log in matches]

    def ours(path: Path, *, sealed: bool) -> None:
        with Store.open(path) as store:
            for at in range(0, len(files), 200):
                with store.together():
                    for i, data in enumerate(files[at : at + 200], at):
                        import_loaded(store, load_file(f"match {i}", data), sealed=sealed)

    times: list[list[float]] = [[], [], []]
    for _ in range(3):
        with place() as folder:
            times[0].append(cpu(partial(ours, folder / "i.db", sealed=False)))
            with closing(sqlite3.connect(folder / "i.db")) as look:
                rows = rows_of(look, "matches", "events", "keys")
            times[1].append(cpu(partial(ours, folder / "s.db", sealed=True)))
            parts = in_parts(rows)
            with bare(folder / "b.db") as conn:
                times[2].append(cpu(partial(put_all, conn, parts)))
    open_, sealed, plain = map(statistics.median, times)
    return open_, sealed, plain


def in_parts(rows: dict[str, list[tuple[Any, ...]]]) -> list[dict[str, list[tuple[Any, ...]]]]:
    """The rows of two hundred matches at a time."""
    parts = []
    for at in range(0, len(rows["matches"]), 200):
        some = rows["matches"][at : at + 200]
        names = {row[0] for row in some}
        parts.append({
            "matches": some, "events": [r for r in rows["events"] if r[2] in names],
            "keys": [r for r in rows["keys"] if r[0] in names]
        })  # fmt: skip
    return parts


def loading(path: Path, number: int) -> tuple[float, float]:
    """CPU seconds to load one match in a store that is open: the median, and the slowest of a hundred."""
    chance, took = random.Random(5), []
    with Store.open(path, write=False) as store:
        for _ in range(2000):
            name = f"archive-{chance.randrange(number):07}"
            begin = time.process_time()
            store.read(name)
            took.append(time.process_time() - begin)
    took.sort()
    return statistics.median(took), took[len(took) * 99 // 100]


def archive(path: Path, number: int) -> None:
    """A store of so many sealed matches, the first few hundred imported, the others copies of their events under
    other ids, bound and written as the store does."""
    matches = logs(min(500, number))
    with Store.open(path) as store, store.together():
        for log in matches:
            store.import_match(_id(log), log, game=_game(log), sealed=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        copies = []
        for row in conn.execute(f"SELECT {', '.join(Volume._fields)} FROM volumes ORDER BY volume").fetchall():
            opened = OpenVolume(Volume._make(row))
            copies += [
                (opened.entry(slot), opened.columns(slot), opened.tip(slot)) for slot in range(len(opened.counts))
            ]
        for pragma in ("wal_checkpoint(TRUNCATE)", "journal_mode=OFF", "synchronous=OFF", "cache_size=-500000"):
            conn.execute(f"PRAGMA {pragma}").fetchone()
        conn.execute("BEGIN")
        pos = sum(len(columns[0]) for _, columns, _ in copies)
        for at in range(len(copies), number, 50):
            parts = []
            for i in range(at, min(at + 50, number)):
                entry, (positions, *columns), tip = copies[i % len(copies)]
                name = f"archive-{i:07}"
                stretch = Stretch(entry.book, name, 0, range(pos + 1, pos + 1 + len(positions)), *columns, [])  # type: ignore[arg-type]  # columns as the database gives them
                pos += len(positions)
                parts.append(Bound(structs.replace(entry, match=name), stretch, tip))
            made = bind(parts)
            (number_of,) = conn.execute("SELECT max(volume) + 1 FROM volumes").fetchone()
            conn.execute("INSERT INTO volumes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (number_of, *made))
            conn.executemany(
                "INSERT INTO matches VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, '', 1, ?)",
                [(*part.entry.columns()[:4], *part.entry.columns()[5:9], number_of) for part in parts],
            )
        conn.execute("COMMIT")
        conn.execute("PRAGMA journal_mode=WAL").fetchone()


def open_store(path: Path, number: int) -> None:
    """A store of so many open matches, the first few hundred imported, the others copies of their rows."""
    matches = logs(min(500, number))
    with Store.open(path) as store, store.together():
        for log in matches:
            store.import_match(_id(log), log, game=_game(log))
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        rows = conn.execute("SELECT * FROM matches ORDER BY match").fetchall()
        runs = [conn.execute("SELECT * FROM runs WHERE match = ? ORDER BY n", (row[0],)).fetchall() for row in rows]
        pos = sum(run[5] for several in runs for run in several)
        # Nobody needs this store tomorrow: no log, and room for the pages.
        for pragma in ("wal_checkpoint(TRUNCATE)", "journal_mode=OFF", "synchronous=OFF", "cache_size=-2000000"):
            conn.execute(f"PRAGMA {pragma}").fetchone()
        conn.execute("BEGIN")
        for i in range(len(matches), number):
            name, row = f"archive-{i:07}", rows[i % len(rows)]
            said = (name, *row[1:9])
            conn.execute(
                f"INSERT INTO matches VALUES ({', '.join('?' * len(row))})", (*said, row_digest(*said, 0), 0, None),
            )
            for _, n, book, _, _, many, *rest in runs[i % len(rows)]:
                conn.execute(
                    "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (name, n, book, pos + 1, pos + many, many, *rest),
                )
                pos += many
        conn.execute("COMMIT")
        conn.execute("PRAGMA journal_mode=WAL").fetchone()


def _id(log: Log) -> str:
    assert isinstance(log[0].event, Open)
    return str(log[0].event.facts["Match"])


def _game(log: Log) -> str:
    assert isinstance(log[0].event, Open)
    return str(log[0].event.facts["Game"])


def main() -> None:
    """Measure and print."""
    wish = argparse.ArgumentParser(prog="python -m benchmarks.storage")
    wish.add_argument("--matches", type=int, default=1000, help="so many one-hand matches")
    wish.add_argument("--archive", type=int, default=0, help="also load out of so many sealed matches")
    wish.add_argument("--open", type=int, default=0, help="also load out of so many open matches")
    options = wish.parse_args()
    matches = logs(options.matches)
    events = sum(map(len, matches))
    print(f"{len(matches):,} matches of one hand, {events:,} events")
    for name, size in sizes(matches):
        print(f"{name:<24} {size:7.1f} bytes an event")
    ours, theirs = appending(matches[0])
    print(
        f"100 events in one commit: {ours * 1e6:,.0f} µs, the same rows bare {theirs * 1e6:,.0f} µs: costs "
        f"{ours / theirs:.2f}x"
    )
    open_, sealed, plain = importing(matches)
    each = 1e6 / events
    print(
        f"import, an event: {open_ * each:.1f} µs, sealed at once {sealed * each:.1f} µs, the same rows "
        f"bare {plain * each:.1f} µs: costs {open_ / plain:.2f}x and {sealed / plain:.2f}x"
    )
    for kind, make, most in (("sealed", archive, options.archive), ("open", open_store, options.open)):
        for number in (20_000, most) if most else ():
            with place() as folder:
                begun = time.perf_counter()
                make(folder / "a.db", number)
                made = time.perf_counter() - begun
                middle, slow = loading(folder / "a.db", number)
                size = (folder / "a.db").stat().st_size
            print(
                f"load one {kind} match of {number:,}: {middle * 1e6:,.0f} µs (99 of 100 under {slow * 1e6:,.0f} µs);"
                f" the file has {size / 1e6:,.0f} MB and took {made:,.0f} s to make"
            )


if __name__ == "__main__":
    main()
