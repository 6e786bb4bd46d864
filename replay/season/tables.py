"""The record as tables for analysis: events, hands and scores, as Parquet files.

| table | a row is | columns |
|---|---|---|
| `events` | an event of a match | `match`, `n`, `hand` (0 before the first), `verb`, `by`, `version`, `same` (as the line above), `t` (milliseconds), `time`, `recorder`, `text`, `glyphs`, `event` (JSON) |
| `hands` | a finished hand | `match`, `hand`, `at` (its first event), `dealer`, `contract`, `side` (declared it), `seat` (bid it), `made`, `result` |
| `scores` | a player in a match (`hand` is 0) or in a hand | `match`, `book`, `game`, `day`, `counted`, `hand`, `seat`, `side`, `player`, `player_id`, `points`, `won` |

`points` are the total of the side in the match, or its points in the hand; null if unknown. `won` is null without a
winner, and in the rows of hands. `counted` is true if tables of a season count the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import UsageError, needs_extra
from events.model import Hand, Recorded, verb_of
from replay.season.facts import match_facts

AT_ONCE = 20_000
"""Rows of a table written at a time."""
TEXT, NUMBER, YES = "string", "int64", "bool"
TABLES: dict[str, dict[str, str]] = {
    "events": {
        "match": TEXT, "n": NUMBER, "hand": NUMBER, "verb": TEXT, "by": TEXT, "version": NUMBER, "same": YES,
        "t": NUMBER, "time": TEXT, "recorder": TEXT, "text": TEXT, "glyphs": TEXT, "event": TEXT,
    },
    "hands": {
        "match": TEXT, "hand": NUMBER, "at": NUMBER, "dealer": TEXT, "contract": TEXT, "side": TEXT, "seat": TEXT,
        "made": YES, "result": TEXT,
    },
    "scores": {
        "match": TEXT, "book": TEXT, "game": TEXT, "day": TEXT, "counted": YES, "hand": NUMBER, "seat": TEXT,
        "side": TEXT, "player": TEXT, "player_id": TEXT, "points": NUMBER, "won": YES,
    },
}  # fmt: skip
"""The tables, with their columns and types."""


class MatchTables(Struct, frozen=True):
    """A match to be written: its id and book, its events as shown, and the player of each seat (name and id)."""

    match: str
    book: str
    records: Sequence[Recorded]
    players: dict[str, tuple[str, str]] = {}


def table_rows(source: MatchTables) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of one match, by table."""
    facts = match_facts(source.match, source.records)
    hand, events = 0, []
    for r in source.records:
        hand = r.event.number if isinstance(r.event, Hand) else hand
        said = msgspec.json.encode(r.event).decode()
        glyphs = " ".join(map(str, r.glyphs))
        events.append((
            source.match, r.n, hand, verb_of(r.event), r.event.by, r.v, r.same, r.t, r.time, r.recorder, r.text,
            glyphs, said,
        ))
    hands = [
        (source.match, h.number, h.at, h.dealer, h.contract, h.side, h.seat, h.made, h.result) for h in facts.hands
    ]
    sides = {side.side: side for side in facts.sides}
    scores = []
    for seat in facts.seats:
        name, player = source.players.get(seat.seat, (seat.name, ""))
        about = (source.match, source.book, facts.game, facts.day, facts.counted)
        side = sides.get(seat.side)
        scores.append((
            *about, 0, seat.seat, seat.side, name, player, _figure(side.total) if side else None,
            side.won if side else None,
        ))
        scores += [
            (*about, h.number, seat.seat, seat.side, name, player, _figure(h.points.get(seat.side)), None)
            for h in facts.hands
        ]
    return {"events": events, "hands": hands, "scores": scores}


def _figure(n: int | None) -> int | None:
    """A figure that fits into 64 bits, else None."""
    return n if n is not None and abs(n) < 2**62 else None


def write_tables(folder: Path, sources: Iterable[MatchTables]) -> dict[str, int]:
    """Write the tables of these matches into a folder, which is created. Returns the number of rows of each. Raises
    UsageError if it cannot be written, or if pyarrow is not installed."""
    with needs_extra("Parquet", "analysis"):
        import pyarrow
        import pyarrow.parquet
    kinds = {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), YES: pyarrow.bool_()}
    schemas = {
        table: pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
        for table, columns in TABLES.items()
    }
    counts = dict.fromkeys(TABLES, 0)
    waiting: dict[str, list[tuple[Any, ...]]] = {table: [] for table in TABLES}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = {
            table: pyarrow.parquet.ParquetWriter(folder / f"{table}.parquet", schema, compression="zstd")
            for table, schema in schemas.items()
        }
        try:
            for source in sources:
                for table, rows in table_rows(source).items():
                    waiting[table] += rows
                    counts[table] += len(rows)
                    if len(waiting[table]) >= AT_ONCE:
                        _flush(pyarrow, files[table], schemas[table], waiting[table])
            for table in TABLES:
                _flush(pyarrow, files[table], schemas[table], waiting[table])
        finally:
            for file in files.values():
                file.close()
    except OSError as error:
        raise UsageError(
            f"the folder cannot be written ({error.strerror or error})", where=str(folder), todo="Name another folder",
        ) from error
    return counts


def _flush(pyarrow: Any, file: Any, schema: Any, rows: list[tuple[Any, ...]]) -> None:
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in schema]
    arrays = [pyarrow.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)]
    file.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
    rows.clear()
