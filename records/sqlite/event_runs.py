"""Runs: consecutive events of one match as one row, and back.

`payload` has a line for each event, its canonical JSON byte for byte. `beside` is JSON with the other columns, one
value for all events or a list with one for each; a missing key means empty, or 1 for a version:

    {"key": …, "recorder": …, "skipped": …, "time": …, "type": …, "version": …}

`skipped` has the gaps between the positions of neighbouring events, and is missing if there are none. `type` is missing
if every event has the type that its payload names, as all that Kibitz writes. `leaves` is the leaf of the event before
the run in its match, then that of each event: 32 bytes each.

A run may have been tampered with. It is split strictly, and errors name what does not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, structs

from events.errors import UnreadableError
from events.limits import MAX_EVENTS
from records.rows import StoredEvent, StoredRow, Stretch, common_or_all

AT_MOST = 256
"""Most events in a run."""
FILLED = 64
"""A run with fewer events is filled with the next ones; a fuller one is not rewritten."""
SPAN = 1024
"""The first and last event of a run are less than this many positions apart, so that reading a book in order touches
only nearby runs."""
LEAF = 32

T = TypeVar("T", int, str)


class Run(NamedTuple):
    """A row of `runs`, its payload as bytes. The columns are unchecked until the run is split."""

    match: Any
    n: Any
    book: Any
    pos: Any
    last_pos: Any
    events: Any
    beside: Any
    payload: Any
    leaves: Any


COLUMNS = ", ".join(Run._fields)
READ = COLUMNS.replace("payload", "CASE typeof(payload) WHEN 'text' THEN CAST(payload AS BLOB) END")
"""The columns as read: the payload as bytes, or NULL if it is not text."""


def _shown(name: str, default: str) -> str:
    return (
        f"CASE json_type(r.beside, '$.{name}') WHEN 'array' THEN json_extract(r.beside, '$.{name}[' || e.key || ']')"
        f" ELSE coalesce(json_extract(r.beside, '$.{name}'), {default}) END AS {name}"
    )


EVENTS_VIEW = (
    "CREATE VIEW events AS SELECT r.book, r.pos + e.key + coalesce((SELECT sum(s.value) FROM "
    "json_each(r.beside, '$.skipped') s"
    " WHERE s.key < e.key), 0) AS pos, r.match, r.n + e.key AS n, "
    + _shown("type", "json_extract(e.value, '$.event.verb')") + ", "
    + ", ".join(
        _shown(name, default) for name, default in (("version", "1"), ("time", "''"), ("recorder", "''"), ("key", "''"))
    )
    + ", e.value AS payload, substr(r.leaves, 32 * e.key + 1, 32) AS prev, substr(r.leaves, 32 * e.key + 33, "
    "32) AS leaf FROM ("
    "SELECT match, n, book, pos, beside, payload, leaves FROM runs"
    " UNION ALL SELECT match, n, book, pos, beside, payload, leaves FROM recent) r,"
    " json_each('[' || replace(r.payload, char(10), ',') || ']') e"
)  # fmt: skip
"""A view of the unsealed events, a row each, for people who inspect the file. Kibitz never queries it."""


class Beside(Struct, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """The columns of a run's events other than the payload."""

    key: str | list[str] = ""
    recorder: str | list[str] = ""
    skipped: list[int] = []
    time: str | list[str] = ""
    type: str | list[str] = ""
    version: int | list[int] = 1


class _Verb(Struct, gc=False):
    verb: str


class _Said(Struct, gc=False):
    event: _Verb


_beside = msgspec.json.Decoder(Beside).decode
_said = msgspec.json.Decoder(_Said).decode
_encode = msgspec.json.Encoder(order="sorted").encode
_ODD = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError)
_KINDS = (str, int, str, int, int, int, str, bytes, bytes)


# Packing


def runs_of(events: Stretch) -> Iterator[Run]:
    """Events of one match as runs. Every type must be the one that the payload names."""
    positions, count = events.positions, len(events.payloads)
    if count <= AT_MOST and positions[-1] - positions[0] < SPAN:
        yield _run_of(events, 0, count)
        return
    begin = 0
    for end in range(1, count + 1):
        if end == count or end - begin == AT_MOST or positions[end] - positions[begin] >= SPAN:
            yield _run_of(events, begin, end)
            begin = end


def _run_of(events: Stretch, begin: int, end: int) -> Run:
    book, match, n, positions, _, versions, times, recorders, keys, payload, leaves = events
    if end - begin == 1:
        said = _encode(Beside(keys[begin], recorders[begin], [], times[begin], "", versions[begin])).decode()
        pos = positions[begin]
        return Run(match, n + begin, book, pos, pos, 1, said, payload[begin], leaves[begin] + leaves[end])
    if end - begin < len(payload):
        positions, payload, leaves = positions[begin:end], payload[begin:end], leaves[begin : end + 1]
        versions, times, recorders, keys = versions[begin:end], times[begin:end], recorders[begin:end], keys[begin:end]
    return Run(
        match, n + begin, book, positions[0], positions[-1], end - begin,
        beside_of(positions, versions, times, recorders, keys), b"\n".join(payload), b"".join(leaves),
    )  # fmt: skip


def beside_of(
    positions: Sequence[int], versions: Sequence[int], times: Sequence[str], recorders: Sequence[str],
    keys: Sequence[str]
) -> str:
    """The `beside` column of a run."""
    skipped: list[int] = []
    if positions[-1] - positions[0] >= len(positions):
        skipped = [b - a - 1 for a, b in pairwise(positions)]
    key, recorder, time = common_or_all(keys), common_or_all(recorders), common_or_all(times)
    return _encode(Beside(key, recorder, skipped, time, "", common_or_all(versions))).decode()


def join_runs(runs: Sequence[Run]) -> Run:
    """Join consecutive runs of a match into one. UnreadableError if they are not consecutive."""
    if len(runs) == 1:
        return runs[0]
    positions: list[int] = []
    versions: list[int] = []
    times: list[str] = []
    recorders: list[str] = []
    keys: list[str] = []
    before: Run | None = None
    for run in runs:
        if before is not None and (
            run.n != before.n + before.events or run.leaves[:LEAF] != before.leaves[-LEAF:]
            or run.pos <= before.last_pos
        ):
            raise UnreadableError("the events of a match are not one after the other")
        before = run
        one = _alone(run) if run.events == 1 else None
        if one is not None:
            positions.append(run.pos)
            versions.append(one.version)  # type: ignore[arg-type]  # single values
            times.append(one.time)  # type: ignore[arg-type]  # single values
            recorders.append(one.recorder)  # type: ignore[arg-type]  # single values
            keys.append(one.key)  # type: ignore[arg-type]  # single values
            continue
        part = split_run(run)
        if part.types:
            raise UnreadableError("the type of an event is not the one it names")
        positions += part.positions
        versions += part.versions
        times += part.times
        recorders += part.recorders
        keys += part.keys
    first, last = runs[0], runs[-1]
    return Run(
        first.match, first.n, first.book, first.pos, last.last_pos, len(positions),
        beside_of(positions, versions, times, recorders, keys), b"\n".join([run.payload for run in runs]),
        b"".join([first.leaves, *(run.leaves[LEAF:] for run in runs[1:])]),
    )  # fmt: skip


# Unpacking


class Apart(NamedTuple):
    """The columns of a run, a value for each of its events."""

    positions: Sequence[int]
    types: Sequence[str]
    """The stored types; none if they are those that the payloads name."""
    versions: Sequence[int]
    times: Sequence[str]
    recorders: Sequence[str]
    keys: Sequence[str]
    payloads: list[bytes]


def split_run(run: Run) -> Apart:
    """Split a run, whose payload is bytes. UnreadableError if it is damaged."""
    if tuple(map(type, run)) != _KINDS:
        raise UnreadableError("a column is of another type")
    count = run.events
    try:
        beside = _beside(run.beside)
        payloads = run.payload.split(b"\n")
        if len(payloads) != count or len(run.leaves) != LEAF * (count + 1):
            raise UnreadableError("it has more or fewer events than it says")
        positions: Sequence[int] = range(run.pos, run.pos + count)
        if beside.skipped:
            if len(beside.skipped) != count - 1 or min(beside.skipped) < 0:
                raise UnreadableError("the positions are not those of its events")
            at = run.pos
            positions = [at, *[at := at + 1 + skipped for skipped in beside.skipped]]
        if positions[-1] != run.last_pos or run.n < 0 or run.pos < 1:
            raise UnreadableError("it does not end where it says")
        return Apart(
            positions, _each(beside.type, count) if beside.type else [], _each(beside.version, count),
            _each(beside.time, count), _each(beside.recorder, count), _each(beside.key, count), payloads,
        )  # fmt: skip
    except _ODD:
        raise UnreadableError("an event, or a column beside the events, has another type than was written") from None


_EACH = (str, str, list, str, str, int)


def _alone(run: Run) -> Beside | None:
    """The `beside` column of a run with one event; None if it is not in the usual form."""
    try:
        beside = _beside(run.beside)
    except _ODD:
        return None
    key, recorder, skipped, time, type_, version = structs.astuple(beside)
    kinds = (type(key), type(recorder), type(skipped), type(time), type(type_), type(version))
    sound = kinds == _EACH and not skipped and not type_ and tuple(map(type, run)) == _KINDS
    return (
        beside if sound and run.last_pos == run.pos and b"\n" not in run.payload and len(run.leaves) == 2 * LEAF
        else None
    )


def _each(values: T | list[T], count: int) -> Sequence[T]:
    if not isinstance(values, list):
        return [values] * count
    if len(values) != count:
        raise UnreadableError("it has more or fewer events than it says")
    return values


def stored_rows(run: Run, after: int, last: int) -> list[StoredRow]:
    """The events of a run with numbers above `after`, up to `last`. UnreadableError if it is damaged."""
    if run[5] == 1 and (one := _alone(run)) is not None:
        return [(run[1], one.version, one.time, one.recorder, one.key, run[7])] if after < run[1] <= last else []  # type: ignore[list-item]  # single values
    part = split_run(run)
    n = run.n
    rows = list(
        zip(range(n, n + run.events), part.versions, part.times, part.recorders, part.keys, part.payloads, strict=True)
    )
    return rows if after < n and last >= n + run.events - 1 else rows[max(after + 1 - n, 0) : max(last + 1 - n, 0)]


def begin_of(beside: object) -> tuple[Any, Any]:
    """Version and time of the first event of a run, from its `beside`; (None, None) if unreadable."""
    try:
        said = _beside(beside)  # type: ignore[arg-type]  # other types are refused
        return _first(said.version), _first(said.time)
    except (*_ODD, IndexError):
        return None, None


def end_time(beside: object) -> str | None:
    """The time of the last event of a run, from its `beside`; None if unreadable."""
    try:
        time = _beside(beside).time  # type: ignore[arg-type]  # other types are refused
        return time[-1] if isinstance(time, list) else time
    except (*_ODD, IndexError):
        return None


def _first(values: T | list[T]) -> T:
    return values[0] if isinstance(values, list) else values


def leaves_of_run(run: Run) -> list[bytes]:
    """The leaf before a run, then the leaf of each of its events."""
    leaves = run.leaves
    return [leaves[at : at + LEAF] for at in range(0, len(leaves), LEAF)]


def placed_leaves(run: Run) -> list[tuple[int, bytes]]:
    """The position and leaf of each event. UnreadableError if the run is damaged."""
    return list(zip(split_run(run).positions, leaves_of_run(run)[1:], strict=True))


def as_stored(run: Run) -> list[StoredEvent]:
    """The events of a run as stored. A damaged run gives as many events as can be found, none of them sound."""
    try:
        part = split_run(run)
        types = part.types or [_type_of(payload) for payload in part.payloads]
        match = run.match.encode()
        leaves = leaves_of_run(run)
        return [
            StoredEvent(
                pos, match, n, type_.encode(), version, time.encode(), recorder.encode(), key.encode(), payload, prev,
                leaf, True,
            )
            for pos, n, type_, version, time, recorder, key, payload, prev, leaf in zip(
                part.positions, range(run.n, run.n + run.events), types, part.versions, part.times, part.recorders,
                part.keys, part.payloads, leaves, leaves[1:], strict=False,
            )
        ]  # fmt: skip
    except (UnreadableError, UnicodeError):
        return list(_odd(run))


def _type_of(payload: bytes) -> str:
    try:
        return _said(payload).event.verb
    except _ODD:
        return ""


def _odd(run: Run) -> Iterator[StoredEvent]:
    match = run.match if isinstance(run.match, bytes) else str(run.match).encode("utf-8", "replace")
    payloads = run.payload.split(b"\n") if isinstance(run.payload, bytes) else [b""]
    many = run.events if type(run.events) is int and 0 < run.events <= min(AT_MOST, MAX_EVENTS) else len(payloads)
    pos, n = (value if type(value) is int else None for value in (run.pos, run.n))
    leaves = (
        leaves_of_run(run) if isinstance(run.leaves, bytes) and len(run.leaves) == LEAF * (many + 1)
        else [b""] * (many + 1)
    )
    for i, payload in zip(range(many), [*payloads, *repeat(b"", many)], strict=False):
        yield StoredEvent(
            None if pos is None else pos + i, match, None if n is None else n + i, b"", 0, b"", b"", b"", payload,
            leaves[i], leaves[i + 1], False,
        )  # fmt: skip


def name_of_run(run: Run) -> str:
    """The name of a run's events in a message."""
    if type(run.n) is int and type(run.events) is int:
        return f"event {run.n}" if run.events == 1 else f"events {run.n} to {run.n + run.events - 1}"
    return "some events"
