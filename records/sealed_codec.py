"""A finished match in one piece: the bytes of all its events, compressed, and taken apart again.

What is compressed is text, in two parts. The first line is JSON with what stands beside the events, a value for all
of them or a list with one for each:

    {"key": …, "pos": first position, or [first position, positions skipped before the next …], "recorder": …,
     "time": [milliseconds since 1970, milliseconds later …; a text where it is not written so], "version": …}

Every line after it is the payload of an event, byte for byte; its verb is the type. Numbers in the match count up from 0.
The hashes are not kept: they follow from the rest, and the last of them stands beside the blob.

The blob is a zstd frame (RFC 8878) with a check sum, made with one of the dictionaries in `records/dictionaries/`. A
dictionary never changes and none is taken away; its number is stored beside each blob. `python -m benchmarks.dictionary`
makes a new one.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from itertools import pairwise, repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from events.errors import StoreError, UnreadableError
from events.limits import AT_ONCE_BYTES, MAX_BLOB_BYTES, MAX_EVENT_BYTES, MAX_EVENTS, MAX_NAME, MAX_WINDOW
from records.hashes import NO_PREVIOUS, chain
from records.rows import EventLine, SealedRow

DICTIONARIES = {1: "72b481474fb92082"}
"""The dictionaries there are, each with the beginning of its SHA-256; `records/dictionaries/NUMBER.zdict` holds it."""
NEWEST = max(DICTIONARIES)
LEVEL = 9
"""Of zstd. 12 saves one more part in a hundred, 19 six, at fifteen times the time."""


OF_THE_OPENING = b'"at":0'
"""What stands in the canonical JSON of a correction of the opening."""
_MOST_OF_AN_EVENT = MAX_EVENT_BYTES + 64
"""Its canonical JSON, and its position in the book."""
_MOST_BESIDE = 2 * 4 * MAX_NAME + 100
"""What the first line says of an event: its recorder, its key, its time and two numbers."""


class Sealed(Struct, frozen=True):
    """What became of a match that was sealed: how many events, and how many bytes they take now."""

    match: str
    events: int
    bytes: int


class _Beside(Struct, forbid_unknown_fields=True):
    key: str | list[str]
    pos: int | list[int]
    recorder: str | list[str]
    time: list[int | str]
    version: int | list[int]


class _BesideUnread(Struct, forbid_unknown_fields=True):
    """The same with each part still as bytes, so that it can be counted before anything is made of it."""

    key: msgspec.Raw
    pos: msgspec.Raw
    recorder: msgspec.Raw
    time: msgspec.Raw
    version: msgspec.Raw


class _Verb(Struct):
    verb: str


class _Said(Struct):
    event: _Verb


_beside = msgspec.json.Decoder(_Beside)
_beside_unread = msgspec.json.Decoder(_BesideUnread)
_said = msgspec.json.Decoder(_Said)
_all_said = msgspec.json.Decoder(list[_Said])
_encode = msgspec.json.Encoder(order="sorted").encode
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
T = TypeVar("T", int, str)


# What is compressed


def seal_lines(lines: Sequence[EventLine], dictionary: int = NEWEST) -> bytes:
    """The events of a whole match, opening first, as one blob. UnreadableError if they would not come out the same."""
    text = _written(lines)
    if len(text) > MAX_BLOB_BYTES:
        raise UnreadableError("the match is too large for one piece", expected=f"at most {MAX_BLOB_BYTES} bytes")
    blob = compressed(text, dictionary)
    if unpack(blob, dictionary, len(lines)) != list(lines):
        raise UnreadableError("these events cannot be put into one piece", expected="lines of canonical JSON")
    return blob


def compressed(text: bytes, dictionary: int) -> bytes:
    """A zstd frame of these bytes."""
    blob: bytes = _tools(dictionary)[0](text)
    return blob


def decompressed(blob: bytes, dictionary: int, most: int) -> bytes:
    """What was compressed, at most so many bytes of it. UnreadableError if it is more, or no whole frame and nothing else."""
    import zstandard

    _check_dictionary(blob, dictionary)
    try:
        if not 0 <= zstandard.frame_content_size(blob) <= most:
            raise UnreadableError("the sealed bytes are damaged (their length)")
        if _end_of_frame(blob) != len(blob):
            raise UnreadableError("more bytes stand in it than were sealed")
        text: bytes = _tools(dictionary)[1](blob)
    except (zstandard.ZstdError, MemoryError) as error:
        raise UnreadableError(f"the sealed bytes are damaged ({error})") from None
    return text


def unpack(blob: bytes, dictionary: int, events: int = MAX_EVENTS + 1) -> list[EventLine]:
    """The events of a blob that holds `events` of them, or fewer. UnreadableError if it is no whole blob, or made with a
    dictionary that is not known. However much it says it holds, no more is taken apart than so many events may be."""
    if not 0 < events <= MAX_EVENTS + 1:
        raise UnreadableError(f"the sealed match has {events} events", expected=f"from 1 to {MAX_EVENTS + 1}")
    text = b"".join(_pieces(blob, dictionary, events))
    if text.count(b"\n") > events:
        raise UnreadableError("the sealed match holds more events than its entry says")
    return _taken_apart(text, events)


class SealedSummary(NamedTuple):
    """What a list shows of a sealed match: version and payload of its opening, the times of its first and last event."""

    version: int
    payload: bytes
    first: str
    last: str


def ends_in(blob: bytes, dictionary: int, events: int) -> SealedSummary:
    """The opening and the times of a sealed match of at most so many events, without reading every event. UnreadableError as for `unpack`."""
    events = min(events, MAX_EVENTS + 1)
    text = b"".join(_pieces(blob, dictionary, events))
    begins = text.find(b"\n") + 1
    ends = text.find(b"\n", begins)
    head, opening = text[: max(0, begins - 1)], text[begins : len(text) if ends < 0 else ends]
    try:
        beside = _read_beside(head, events)
        version, times = beside.version, beside.time
        if not opening or len(times) != text.count(b"\n"):
            raise UnreadableError("the sealed bytes are damaged (they are not the lines of events)")
        if all(type(step) is int for step in times):
            first, last = written_moment(times[0]), written_moment(sum(times))  # type: ignore[arg-type]  # as was just seen
        else:
            first, *_, last = [*_moments(times[:1]), *_moments(times)]
        return SealedSummary(version if isinstance(version, int) else version[0], opening, first, last)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, IndexError) as error:
        raise UnreadableError(f"the sealed bytes are damaged ({error})") from None


def _pieces(blob: bytes, dictionary: int, events: int) -> Iterator[bytes]:
    """What was compressed, in pieces, as long as it can be a match of so many events."""
    import zstandard

    _check_dictionary(blob, dictionary)
    try:
        size = zstandard.frame_content_size(blob)
        if size > min(MAX_BLOB_BYTES, events * _MOST_OF_AN_EVENT):
            raise UnreadableError("the sealed bytes are damaged (their length)")
        if size <= AT_ONCE_BYTES:
            yield _tools(dictionary)[1](blob)
        else:
            yield from _streamed(blob, dictionary, events)
    except (zstandard.ZstdError, MemoryError) as error:
        raise UnreadableError(f"the sealed bytes are damaged ({error})") from None


def _check_dictionary(blob: object, dictionary: object) -> None:
    if type(blob) is not bytes or type(dictionary) is not int or dictionary not in DICTIONARIES:
        raise UnreadableError(
            f"it was sealed with dictionary {dictionary!r:.40}", expected=f"one up to {NEWEST}", todo="Use a newer Kibitz"
        )


def _streamed(blob: bytes, dictionary: int, events: int) -> Iterator[bytes]:
    """A large blob, looked at while it is taken apart: a few bytes can say that they are a thousand times as many.

    Whether it is as long as it says is seen by zstd.
    """
    reader = _tools(dictionary)[2](blob)
    lines = line = 0
    while piece := reader.read(AT_ONCE_BYTES):
        lines += piece.count(b"\n")
        end = piece.rfind(b"\n") + 1
        line = len(piece) - end if end else line + len(piece)  # of the last one, so far
        # The first line may be long, every other is an event.
        if lines > events or line > (MAX_EVENT_BYTES if lines else events * _MOST_BESIDE + MAX_EVENT_BYTES):
            raise UnreadableError("the sealed bytes are damaged (they are not the lines of events)")
        yield piece


def _written(lines: Sequence[EventLine]) -> bytes:
    if not lines:
        raise UnreadableError("there is nothing to seal")
    positions, _, _, versions, times, recorders, keys, payloads = zip(*lines, strict=True)
    skipped = [b - a - 1 for a, b in pairwise(positions)]
    beside = _Beside(
        key=_one_or_all(keys),
        pos=[positions[0], *skipped] if any(skipped) else positions[0],
        recorder=_one_or_all(recorders),
        time=steps(times),
        version=_one_or_all(versions),
    )
    return b"\n".join([_encode(beside), *payloads])


def _read_beside(head: bytes, events: int) -> _Beside:
    """The first line of a match of at most so many events. UnreadableError if it says something of more; msgspec.MsgspecError.

    The parts are counted first: of a list, no entry is made that no event can have.
    """
    unread = _beside_unread.decode(head)
    for part in map(bytes, (unread.key, unread.pos, unread.recorder, unread.time, unread.version)):
        # Within a text a quotation mark has a backslash before it, and commas may stand there.
        texts = (part.count(b'"') - part.count(b'\\"')) // 2
        if texts > events or (part.startswith(b"[") and part.count(b",") >= events * (MAX_NAME if texts else 1)):
            raise UnreadableError("the sealed bytes are damaged (they speak of more events than there are)")
    return _beside.decode(head)


def _taken_apart(text: bytes, events: int) -> list[EventLine]:
    try:
        head, *payloads = text.split(b"\n")
        beside = _read_beside(head, events)
        count = len(payloads)
        types = _types(payloads)
        positions: Iterable[int]
        if isinstance(beside.pos, int):
            positions = range(beside.pos, beside.pos + count)
        else:
            positions, at = [], -1
            for skipped in beside.pos:
                at += skipped + 1
                positions.append(at)
        return list(
            map(
                EventLine._make,
                zip(
                    positions, range(count), types, _each(beside.version, count), _moments(beside.time),
                    _each(beside.recorder, count), _each(beside.key, count), payloads, strict=True,
                ),
            )
        )  # fmt: skip
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError) as error:
        raise UnreadableError(f"the sealed bytes are damaged ({error})") from None


def verb_in(payload: bytes) -> str:
    """The type that a payload names. msgspec.MsgspecError if it names none."""
    return _said.decode(payload).event.verb


def _types(payloads: Sequence[bytes]) -> list[str]:
    """The types that payloads name."""
    try:
        said = _all_said.decode(b"[" + b",".join(payloads) + b"]")  # in one go: half the time
        if len(said) == len(payloads):
            return [one.event.verb for one in said]
    except msgspec.MsgspecError:
        pass  # which of them it is comes out below
    return [verb_in(payload) for payload in payloads]


def _one_or_all(values: Sequence[T]) -> T | list[T]:
    return values[0] if values.count(values[0]) == len(values) else list(values)


def _each(values: T | list[T], count: int) -> Iterable[T]:
    return values if isinstance(values, list) else repeat(values, count)


def steps(times: Sequence[str]) -> list[int | str]:
    """Times as steps in milliseconds; one that is not written to the millisecond stays a text."""
    steps: list[int | str] = []
    second_of, fraction_of = _second_of(), _fraction_of()
    before, begun, minute = 0, "", -1
    for time in times:
        if time[:16] != begun:
            begun = time[:16]
            minute = _minutes(begun)
        second, fraction = second_of.get(time[16:19], -1), fraction_of.get(time[19:], -1)
        if minute < 0 or second < 0 or fraction < 0:  # it would not be written as it is
            steps.append(time)
        else:
            now = minute * 60_000 + second + fraction
            steps.append(now - before)
            before = now
    return steps


@cache
def _second_of() -> dict[str, int]:
    return {text: 1000 * second for second, text in enumerate(_seconds())}


@cache
def _fraction_of() -> dict[str, int]:
    return {text: fraction for fraction, text in enumerate(_fractions())}


@lru_cache(maxsize=256)
def _minutes(text: str) -> int:
    """A minute counted from 1970; -1 if it would not be written as it is."""
    try:
        minutes = (datetime.fromisoformat(text + "+00:00") - _EPOCH) // timedelta(minutes=1)
    except (ValueError, TypeError):
        return -1
    return minutes if minutes >= 0 and _minute(minutes) == text else -1


def _moments(steps: Sequence[int | str]) -> list[str]:
    times: list[str] = []
    before = 0
    for step in steps:
        if isinstance(step, str):
            times.append(step)
        else:
            before += step
            times.append(written_moment(before))
    return times


def written_moments(moments: Iterable[int]) -> list[str]:
    """`moment` of many."""
    seconds, fractions = _seconds(), _fractions()
    before, text = -1, ""
    times: list[str] = []
    for milliseconds in moments:
        minute, rest = divmod(milliseconds, 60_000)
        if minute != before:
            before, text = minute, _minute(minute)
        times.append(text + seconds[rest // 1000] + fractions[rest % 1000])
    return times


def written_moment(milliseconds: int) -> str:
    """Milliseconds since 1970 as they are written. OverflowError or IndexError if there is no such moment."""
    minutes, rest = divmod(milliseconds, 60_000)
    return _minute(minutes) + _seconds()[rest // 1000] + _fractions()[rest % 1000]


@cache
def _seconds() -> list[str]:
    return [f":{second:02}" for second in range(60)]


@cache
def _fractions() -> list[str]:
    return [f".{millisecond:03}Z" for millisecond in range(1000)]


@lru_cache(maxsize=256)
def _minute(minutes: int) -> str:
    return (_EPOCH + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M")


# Hashes


def chained(book: bytes, match: bytes, lines: Iterable[EventLine]) -> list[bytes]:
    """The leaves of all events of a match, opening first. UnreadableError for a number that cannot be hashed."""
    columns = [*zip(*lines, strict=True)]
    try:
        positions, _, types, versions, times, recorders, keys, payloads = columns or [()] * 8
        return chain(book, match, NO_PREVIOUS, positions, 0, types, versions, times, recorders, keys, payloads)[1:]
    except (struct.error, UnicodeError) as error:
        raise UnreadableError(f"it cannot be hashed ({error})") from None


# The row it lies in

_TYPES = (str, str, int, int, int, int, bytes, bytes)


def unsealed_lines(row: SealedRow) -> list[EventLine]:
    """The events of a sealed match. UnreadableError if they cannot be had, or are not where the row says."""
    if tuple(map(type, row[:8])) != _TYPES:
        raise UnreadableError("a column of the sealed match is of another type")
    if row.bound is None and 0 < _end_of_frame(row.body) < len(row.body):
        raise UnreadableError("more bytes stand in the sealed match than were sealed")
    lines = unpack(row.body, row.dictionary, row.events) if row.bound is None else row.bound.lines()
    if (lines[0].pos, lines[-1].pos, len(lines)) != (row.first_pos, row.last_pos, row.events):
        raise UnreadableError("the sealed match does not hold the events its entry says")
    return lines


def mentions(row: SealedRow, words: re.Pattern[bytes]) -> bool:
    """Whether something is said in a sealed match, without taking it for events. UnreadableError as for `unpack`."""
    if row.bound is not None:
        return words.search(b"\n".join(line.payload for line in row.bound.lines())) is not None
    return words.search(b"".join(_pieces(row.body, row.dictionary, MAX_EVENTS + 1))) is not None


def reopens(row: SealedRow) -> bool:
    """Whether a sealed match has, or seems to have, a correction of its opening. UnreadableError as for `unpack`."""
    return row.bound.says_of_the_opening() if row.bound is not None else mentions(row, re.compile(OF_THE_OPENING))


def _end_of_frame(blob: bytes) -> int:
    """Where the zstd frame (RFC 8878) at the beginning of the bytes ends; 0 if there is none. It is not taken apart."""
    if blob[:4] != b"\x28\xb5\x2f\xfd" or len(blob) < 5:
        return 0
    said = blob[4]
    alone = said >> 5 & 1
    at = 5 + (1 - alone) + (0, 1, 2, 4)[said & 3] + (alone, 2, 4, 8)[said >> 6]
    while at + 3 <= len(blob):
        block = int.from_bytes(blob[at : at + 3], "little")
        at += 3 + (1 if block >> 1 & 3 == 1 else block >> 3)
        if block & 1:
            return at + 4 * (said >> 2 & 1)
    return 0


def leaves_in(row: SealedRow, lines: Sequence[EventLine]) -> list[bytes]:
    """The leaves of a sealed match. UnreadableError if the last is not the one that was written when it was sealed."""
    leaves = chained(row.book.encode(), row.match.encode(), lines)
    if leaves[-1] != row.tip and (row.bound is None or not row.tip or not leaves[-1].startswith(row.tip)):
        raise UnreadableError("the sealed match is not the one that was sealed")
    return leaves


def sealed_row(book: str, match: str, lines: Sequence[EventLine], tip: bytes) -> SealedRow:
    """The row of a sealed match. StoreError if its events cannot be put into one piece."""
    try:
        body = seal_lines(lines)
    except UnreadableError as error:
        raise StoreError(f"not sealed: {error.what}", where=f"match {match}") from error
    return SealedRow(match, book, lines[0].pos, lines[-1].pos, len(lines), NEWEST, tip, body)


def alone(row: SealedRow) -> SealedRow:
    """A sealed match with a blob of its own, however it is kept. UnreadableError if it is not the one that was sealed."""
    if row.bound is None:
        return row
    lines = unsealed_lines(row)
    return row._replace(dictionary=NEWEST, tip=leaves_in(row, lines)[-1], body=seal_lines(lines), bound=None)


def damaged(place: str, match: str, error: UnreadableError) -> StoreError:
    """The refusal for a match of the store at `place` that cannot be read as it is stored."""
    return StoreError(
        f"the store is damaged: {error.what}",
        where=f"{place}, match {match!s:.80}",
        todo=error.todo or "`kibitz verify` tells what was changed; go back to a backup",
    )


# Dictionaries


@cache
def _tools(dictionary: int) -> tuple[Callable[[bytes], Any], Callable[[bytes], Any], Callable[[bytes], Any]]:
    """What packs and unpacks with a dictionary, and unpacks piece by piece. StoreError if its file is not the one it was."""
    import zstandard

    data = zstandard.ZstdCompressionDict(_bytes_of(dictionary))
    data.precompute_compress(level=LEVEL)
    packer = zstandard.ZstdCompressor(level=LEVEL, dict_data=data, write_checksum=True)
    unpacker = zstandard.ZstdDecompressor(dict_data=data)
    streamer = zstandard.ZstdDecompressor(dict_data=data, max_window_size=MAX_WINDOW)
    return packer.compress, unpacker.decompress, streamer.stream_reader


def _bytes_of(dictionary: int) -> bytes:
    path = Path(__file__).with_name("dictionaries") / f"{dictionary}.zdict"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StoreError(
            f"the dictionary cannot be read ({error.strerror})", where=str(path), todo="Install Kibitz anew"
        ) from error
    if hashlib.sha256(data).hexdigest()[:16] != DICTIONARIES[dictionary]:
        raise StoreError("the dictionary was changed", where=str(path), todo="Install Kibitz anew")
    return data
