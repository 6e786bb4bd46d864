"""Read matches back from the events table of `write_tables`, for jobs over an archive stored as Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from threading import local
from typing import Any

import msgspec

from events.canon import check_recorded
from events.errors import KibitzError, NotFoundError, UnreadableError, needs_extra
from events.limits import MAX_MATCH_BYTES
from events.model import Event, Open, Recorded
from events.versions import record_version
from replay.season.tables import TABLES

EVENTS = "events.parquet"
GROUPS_KEPT = 2
"""Row groups that are cached: the matches of a range are next to each other."""
_KINDS = {"string": ("string", "large_string"), "int64": ("int64", "int32"), "bool": ("bool",)}


class TablesLoader:
    """A picklable loader: match id -> events, from `events.parquet` in a folder. Each thread opens the file once, and
    reads on from its position; reading matches in the order of the file costs one pass over it."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = str(folder)

    def __call__(self, match: str) -> list[Recorded]:
        """The events of a match. Raises NotFoundError if there is no such match, or no table; UnreadableError if it
        cannot be read, UsageError if pyarrow is not installed."""
        return _opened(self.folder).match(match)


def matches_in(folder: str | Path, game: str | None = None) -> list[str]:
    """The ids of the matches in a folder, in the order of the file; with `game` only those of this game. Raises like
    the loader."""
    return [match for match, of in _Events(str(folder)).openings() if game is None or of == game]


class _Events:
    """The events table in a folder, read one row group at a time."""

    def __init__(self, folder: str) -> None:
        with needs_extra("Parquet", "analysis"):
            import pyarrow
            import pyarrow.parquet
        self.path = str(Path(folder) / EVENTS)
        self.faults: tuple[type[Exception], ...] = (pyarrow.ArrowException, OSError)
        if not Path(self.path).is_file():
            raise NotFoundError(
                "there is no table of events", where=self.path,
                expected="a folder that `kibitz export --format parquet` wrote",
            )
        try:
            file = pyarrow.parquet.ParquetFile(self.path)
        except self.faults as error:
            raise UnreadableError(
                f"the table of events cannot be read ({_short(error)})", where=self.path,
                expected="a folder that `kibitz export --format parquet` wrote"
            ) from error
        there = {field.name: str(field.type) for field in file.schema_arrow}
        lacking = [name for name, kind in TABLES["events"].items() if there.get(name) not in _KINDS[kind]]
        if lacking:
            raise UnreadableError(
                f"the table has no column {lacking[0]!r} as it should be", where=self.path,
                expected=", ".join(TABLES["events"]),
            )
        # A repeated text is stored once, so that the size of all rows can be computed before they are unpacked.
        texts = [name for name, kind in TABLES["events"].items() if kind == "string"]
        self.file = pyarrow.parquet.ParquetFile(self.path, metadata=file.metadata, read_dictionary=texts)
        self.groups: dict[str, list[int]] = {}
        self.walked = 0
        self.kept: dict[int, dict[str, list[dict[str, Any]]]] = {}

    def openings(self) -> Iterator[tuple[str, str]]:
        """Each match with its game, as in its opening."""
        for number in range(self.file.num_row_groups):
            for row in self._rows(number, ["match", "n", "event"]):
                if row["n"] == 0:
                    event = self._event(row)
                    yield row["match"], str(event.facts.get("Game", "")) if isinstance(event, Open) else ""

    def match(self, match: str) -> list[Recorded]:
        """The events of a match, by position."""
        # A match may continue in the next group, so that is searched too.
        while self.walked < self.file.num_row_groups and self.groups.get(match, [-1])[-1] in (-1, self.walked - 1):
            for name in dict.fromkeys(row["match"] for row in self._rows(self.walked, ["match"])):
                self.groups.setdefault(name, []).append(self.walked)
            self.walked += 1
        if match not in self.groups:
            raise NotFoundError(f"there is no match {match[:80]!r}", where=self.path)
        rows = [row for number in self.groups[match] for row in self._group(number)[match]]
        records = [self._recorded(row) for row in sorted(rows, key=lambda row: row["n"])]
        if [r.n for r in records] != list(range(len(records))):
            raise UnreadableError(
                f"match {match} has not every event once", where=self.path, expected="the events 0, 1, 2 …",
            )
        return records

    def _group(self, number: int) -> dict[str, list[dict[str, Any]]]:
        if number not in self.kept:
            while len(self.kept) >= GROUPS_KEPT:
                del self.kept[next(iter(self.kept))]
            rows = sorted(self._rows(number, list(TABLES["events"])), key=lambda row: row["match"])
            self.kept[number] = {match: list(some) for match, some in groupby(rows, key=lambda row: row["match"])}
        return self.kept[number]

    def _rows(self, number: int, columns: list[str]) -> list[dict[str, Any]]:
        try:
            group = self.file.read_row_group(number, columns=columns)
            if _length_of_texts(group) > MAX_MATCH_BYTES:
                raise UnreadableError(
                    f"group {number + 1} of its rows is too large", where=self.path,
                    expected=f"at most {MAX_MATCH_BYTES} bytes of text",
                )
            rows: list[dict[str, Any]] = group.to_pylist()
        except self.faults as error:
            raise UnreadableError(
                f"group {number + 1} of its rows cannot be read ({_short(error)})", where=self.path,
            ) from error
        for row in rows:
            if not isinstance(row["match"], str) or not isinstance(row.get("n", 0), int):
                raise UnreadableError("a row lacks its match or its position", where=self.path)
        return rows

    def _event(self, row: dict[str, Any]) -> Event:
        try:
            event: Event = msgspec.json.decode(row["event"] or "", type=Event)
            return event
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            where = f"{self.path}, match {row['match'][:80]}"
            raise UnreadableError(f"event {row['n']} cannot be read ({_short(error)})", where=where) from error

    def _recorded(self, row: dict[str, Any]) -> Recorded:
        event = self._event(row)
        try:
            recorded = Recorded(
                n=row["n"], event=event, v=record_version(event), same=bool(row["same"]), t=row["t"],
                glyphs=tuple(map(int, (row["glyphs"] or "").split())), text=row["text"] or "", time=row["time"] or "",
                recorder=row["recorder"] or "",
            )  # fmt: skip
            check_recorded(recorded)
        except (ValueError, KibitzError) as error:
            where = f"{self.path}, match {row['match'][:80]}"
            raise UnreadableError(f"event {row['n']} cannot be read ({_short(error)})", where=where) from error
        return recorded


def _length_of_texts(group: Any) -> int:
    """The number of bytes of all texts, before they are unpacked for each row."""
    from pyarrow import compute, types

    chunks = [chunk for column in group.columns for chunk in column.chunks if types.is_dictionary(chunk.type)]
    return sum(
        compute.sum(compute.take(compute.binary_length(chunk.dictionary), chunk.indices)).as_py() or 0
        for chunk in chunks
    )


def _short(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]


_open = local()
"""The tables of each thread, by folder."""


def _opened(folder: str) -> _Events:
    tables: dict[str, _Events] = _open.__dict__.setdefault("tables", {})
    if folder not in tables:
        tables[folder] = _Events(folder)
    return tables[folder]
