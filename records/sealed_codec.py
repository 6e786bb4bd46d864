"""Packs all events of a finished match into one blob, and unpacks them.

The compressed text has two parts. The first line is JSON with the columns other than the payload, one value for all
events or a list with one for each:

    {"key": …, "pos": first position, or [first position, positions skipped before the next …], "recorder": …,
     "time": [milliseconds since 1970, milliseconds later …; a text if written otherwise], "version": …}

Every other line is the payload of an event, byte for byte; its verb is the type. Event numbers count from 0. Hashes
are not stored: they follow from the rest, and the last of them is beside the blob.

The blob is a zstd frame (RFC 8878) with a checksum, made with one of the dictionaries in `records/dictionaries/`. A
dictionary is never changed or removed; its number is stored beside each blob. `python -m benchmarks.dictionary` makes
a new one.
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
from records.rows import EventLine, SealedRow, common_or_all

DICTIONARIES = {1: "72b481474fb92082"}
"""The dictionaries by number, each with the beginning of its SHA-256; `records/dictionaries/NUMBER.zdict` has it."""
NEWEST = max(DICTIONARIES)
LEVEL = 9
"""The zstd level. 12 saves another 1 % and 19 another 6 %, at fifteen times the time."""


OF_THE_OPENING = b'"at":0'
"""Part of the canonical JSON of every correction of an opening."""
_MOST_OF_AN_EVENT = MAX_EVENT_BYTES + 64
"""Bytes of its canonical JSON, and of its position in the book."""
_MOST_BESIDE = 2 * 4 * MAX_NAME + 100
"""Bytes that the first line may need for one event: recorder, key, time and two numbers."""


class Sealed(Struct, frozen=True):
    """Result of sealing a match: its number of events, and their size in bytes."""

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
    """`_Beside` with each field still as bytes, so that its values can be counted before they are decoded."""

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


# Packing


def seal_lines(lines: Sequence[EventLine]) -> bytes:
    """The events of a whole match, opening first, as one blob. UnreadableError if unpacking does not restore them."""
    text = _written(lines)
    if len(text) > MAX_BLOB_BYTES:
        raise UnreadableError("the match is too large for one piece", expected=f"at most {MAX_BLOB_BYTES} bytes")
    blob = compressed(text, NEWEST)
    if unpack(blob, NEWEST, len(lines)) != list(lines):
        raise UnreadableError("these events cannot be put into one piece", expected="lines of canonical JSON")
    return blob


def compressed(text: bytes, dictionary: int) -> bytes:
    """The bytes as a zstd frame."""
    blob: bytes = _tools(dictionary)[0](text)
    return blob


def decompressed(blob: bytes, dictionary: int, most: int) -> bytes:
    """Unpack a zstd frame of at most `most` bytes. UnreadableError if it is larger, damaged, or not alone."""
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
    """The events of a blob with at most `events` of them.

    UnreadableError if the blob is damaged or its dictionary unknown. Whatever size it claims, no more is unpacked
    than this many events may take."""
    if not 0 < events <= MAX_EVENTS + 1:
        raise UnreadableError(f"the sealed match has {events} events", expected=f"from 1 to {MAX_EVENTS + 1}")
    text = b"".join(_pieces(blob, dictionary, events))
    if text.count(b"\n") > events:
        raise UnreadableError("the sealed match holds more events than its entry says")
    return _taken_apart(text, events)


class SealedSummary(NamedTuple):
    """What a list shows of a sealed match: version and payload of its opening, times of first and last event."""

    version: int
    payload: bytes
    first: str
    last: str


def ends_in(blob: bytes, dictionary: int, events: int) -> SealedSummary:
    """The opening and times of a sealed match with at most this many events; decodes no others. Raises as `unpack`."""
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
            first, last = written_moment(times[0]), written_moment(sum(times))  # type: ignore[arg-type]  # checked above
        else:
            first, *_, last = [*_moments(times[:1]), *_moments(times)]
        return SealedSummary(version if isinstance(version, int) else version[0], opening, first, last)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, IndexError) as error:
        raise UnreadableError(f"the sealed bytes are damaged ({error})") from None


def _pieces(blob: bytes, dictionary: int, events: int) -> Iterator[bytes]:
    """Yield the unpacked bytes in pieces; UnreadableError once they cannot be a match of this many events."""
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
            f"it was sealed with dictionary {dictionary!r:.40}", expected=f"one up to {NEWEST}",
            todo="Use a newer Kibitz"
        )


def _streamed(blob: bytes, dictionary: int, events: int) -> Iterator[bytes]:
    """Unpack a large blob with checks on the way: a few bytes may expand a thousandfold.

    zstd checks that the length is the one announced."""
    reader = _tools(dictionary)[2](blob)
    lines = line = 0
    while piece := reader.read(AT_ONCE_BYTES):
        lines += piece.count(b"\n")
        end = piece.rfind(b"\n") + 1
        line = len(piece) - end if end else line + len(piece)  # length of the last line so far
        # The first line may be long; every other line is an event.
        if lines > events or line > (MAX_EVENT_BYTES if lines else events * _MOST_BESIDE + MAX_EVENT_BYTES):
            raise UnreadableError("the sealed bytes are damaged (they are not the lines of events)")
        yield piece


def _written(lines: Sequence[EventLine]) -> bytes:
    if not lines:
        raise UnreadableError("there is nothing to seal")
    positions, _, _, versions, times, recorders, keys, payloads = zip(*lines, strict=True)
    skipped = [b - a - 1 for a, b in pairwise(positions)]
    beside = _Beside(
        key=common_or_all(keys),
        pos=[positions[0], *skipped] if any(skipped) else positions[0],
        recorder=common_or_all(recorders),
        time=steps(times),
        version=common_or_all(versions),
    )
    return b"\n".join([_encode(beside), *payloads])


def _read_beside(head: bytes, events: int) -> _Beside:
    """Decode the first line of a match with at most this many events. UnreadableError if it has more values.

    Values are counted first, so that no list is decoded that is longer than the events. Raises msgspec.MsgspecError
    too."""
    unread = _beside_unread.decode(head)
    for part in map(bytes, (unread.key, unread.pos, unread.recorder, unread.time, unread.version)):
        # Within a text a quotation mark is escaped, and commas may occur.
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
    """The types that payloads name. Raises msgspec.MsgspecError."""
    try:
        said = _all_said.decode(b"[" + b",".join(payloads) + b"]")  # all at once: half the time
        if len(said) == len(payloads):
            return [one.event.verb for one in said]
    except msgspec.MsgspecError:
        pass  # the line below finds the faulty one
    return [verb_in(payload) for payload in payloads]


def _each(values: T | list[T], count: int) -> Iterable[T]:
    return values if isinstance(values, list) else repeat(values, count)


def steps(times: Sequence[str]) -> list[int | str]:
    """Times as differences in milliseconds; a time not written to the millisecond stays a text."""
    steps: list[int | str] = []
    second_of, fraction_of = _second_of(), _fraction_of()
    before, begun, minute = 0, "", -1
    for time in times:
        if time[:16] != begun:
            begun = time[:16]
            minute = _minutes(begun)
        second, fraction = second_of.get(time[16:19], -1), fraction_of.get(time[19:], -1)
        if minute < 0 or second < 0 or fraction < 0:  # decoding would not give the same text
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
    """Minutes since 1970; -1 if decoding would not give the same text."""
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
    """`written_moment` of many moments."""
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
    """Milliseconds since 1970 as text. OverflowError or IndexError if out of range."""
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
    """The leaves of all events of a match, opening first. UnreadableError for a number out of range."""
    columns = [*zip(*lines, strict=True)]
    try:
        positions, _, types, versions, times, recorders, keys, payloads = columns or [()] * 8
        return chain(book, match, NO_PREVIOUS, positions, 0, types, versions, times, recorders, keys, payloads)[1:]
    except (struct.error, ValueError) as error:
        raise UnreadableError(f"it cannot be hashed ({error})") from None


# The row of a sealed match

_TYPES = (str, str, int, int, int, int, bytes, bytes)


def unsealed_lines(row: SealedRow) -> list[EventLine]:
    """The events of a sealed match. UnreadableError if they are damaged, or contradict the row."""
    if tuple(map(type, row[:8])) != _TYPES:
        raise UnreadableError("a column of the sealed match is of another type")
    if row.bound is None and 0 < _end_of_frame(row.body) < len(row.body):
        raise UnreadableError("more bytes stand in the sealed match than were sealed")
    lines = unpack(row.body, row.dictionary, row.events) if row.bound is None else row.bound.lines()
    if (lines[0].pos, lines[-1].pos, len(lines)) != (row.first_pos, row.last_pos, row.events):
        raise UnreadableError("the sealed match does not hold the events its entry says")
    return lines


def mentions(row: SealedRow, words: re.Pattern[bytes]) -> bool:
    """True if a sealed match contains the pattern, without decoding its events. UnreadableError as for `unpack`."""
    if row.bound is not None:
        return words.search(b"\n".join(line.payload for line in row.bound.lines())) is not None
    return words.search(b"".join(_pieces(row.body, row.dictionary, MAX_EVENTS + 1))) is not None


def reopens(row: SealedRow) -> bool:
    """True if a sealed match may have a correction of its opening. UnreadableError as for `unpack`."""
    return row.bound.says_of_the_opening() if row.bound is not None else mentions(row, re.compile(OF_THE_OPENING))


def _end_of_frame(blob: bytes) -> int:
    """The end of the zstd frame (RFC 8878) at the start of the bytes; 0 if there is none. Nothing is unpacked."""
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
    """The leaves of a sealed match. UnreadableError if the last differs from the one stored at sealing."""
    leaves = chained(row.book.encode(), row.match.encode(), lines)
    if leaves[-1] != row.tip and (row.bound is None or not row.tip or not leaves[-1].startswith(row.tip)):
        raise UnreadableError("the sealed match is not the one that was sealed")
    return leaves


def sealed_row(book: str, match: str, lines: Sequence[EventLine], tip: bytes) -> SealedRow:
    """The row for a sealed match. StoreError if its events cannot be packed as one piece."""
    try:
        body = seal_lines(lines)
    except UnreadableError as error:
        raise StoreError(f"not sealed: {error.what}", where=f"match {match}") from error
    return SealedRow(match, book, lines[0].pos, lines[-1].pos, len(lines), NEWEST, tip, body)


def alone(row: SealedRow) -> SealedRow:
    """A sealed match with a blob of its own, even if it is in a volume. UnreadableError if it has changed."""
    if row.bound is None:
        return row
    lines = unsealed_lines(row)
    return row._replace(dictionary=NEWEST, tip=leaves_in(row, lines)[-1], body=seal_lines(lines), bound=None)


def damaged(place: str, match: str, error: UnreadableError) -> StoreError:
    """The error for a match of the store at `place` that cannot be read."""
    return StoreError(
        f"the store is damaged: {error.what}",
        where=f"{place}, match {match!s:.80}",
        todo=error.todo or "`kibitz verify` tells what was changed; go back to a backup",
    )


# Dictionaries


@cache
def _tools(dictionary: int) -> tuple[Callable[[bytes], Any], Callable[[bytes], Any], Callable[[bytes], Any]]:
    """Functions that pack, unpack and stream with a dictionary. StoreError if its file was changed."""
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
            f"the dictionary cannot be read ({error.strerror})", where=str(path), todo="Install Kibitz again"
        ) from error
    if hashlib.sha256(data).hexdigest()[:16] != DICTIONARIES[dictionary]:
        raise StoreError("the dictionary was changed", where=str(path), todo="Install Kibitz again")
    return data
