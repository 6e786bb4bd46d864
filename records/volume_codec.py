"""Volumes: many sealed matches in one piece; each can be read without the others.

A volume has up to 64 matches of one book, in three columns:

`body` is a zstd frame (RFC 8878) with a checksum, made with a dictionary of records/sealed_codec.py. It holds lines of
text, each ended by a line feed, then two rows of bytes. The lines are the head as JSON (`_Head`: the rows of the
matches, and the columns of events other than the payload), the shapes, and the words. A word is a text or number in a
payload, as written there; a shape is a payload with a zero byte in the place of each word. The first row of bytes has
the number of each event's shape, match by match; the second has the numbers of all words. A number under 240 is one
byte, a larger one two: 240 + (number - 240) / 256, then the remainder.

`clock` has the time steps between the events of each match, in the unit and with the number of bits given in the head:
the first step lowest, in whole bytes, little-endian. They are kept out of the frame because compression would make
them longer.

`tips` has the first `TIP` bytes of the last leaf of each match. The leaves themselves follow from the events.

A volume may have been tampered with: nothing in it is trusted, and memory use is bounded by what its events may take.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from events.errors import UnreadableError
from events.limits import AT_ONCE_BYTES, MAX_BOUND_BYTES
from records.rows import (
    BOUND_EVENTS,
    VOLUME_EVENTS,
    VOLUME_MATCHES,
    EventLine,
    MatchEntry,
    Stretch,
    Volume,
    common_or_all,
)
from records.sealed_codec import (
    NEWEST,
    OF_THE_OPENING,
    SealedSummary,
    compressed,
    decompressed,
    steps,
    verb_in,
    written_moments,
)

TIP = 8
_ONE = 240
_MOST = _ONE + 16 * 256

T = TypeVar("T", int, str)


class _Head(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One value for each match, or one for all. Numbers that grow from match to match are stored as differences."""

    match: list[str]
    game: str | list[str]
    changed: str | list[str]
    events: int | list[int]
    shapes: int
    words: int
    shaped: int | list[int]
    """Bytes of a match in the first row."""
    worded: int | list[int]
    """Bytes of a match in the second row."""
    pos: list[int]
    """The positions from the last event of the match before to the first event."""
    skipped: list[list[int]] = []
    """Gaps between the positions of a match's events; left out if no match has gaps."""
    created: str | list[str] = ""
    """Empty if it is the time of the opening."""
    over: int | list[int] = 0
    parent: list[str | None] = []
    parent_n: list[int | None] = []
    key: str | list[str | list[str]] = ""
    recorder: str | list[str | list[str]] = ""
    version: int | list[int | list[int]] = 1
    time: list[int] = []
    """The time of the opening in milliseconds, counted from the opening of the match before; of the first from 1970."""
    unit: int | list[int] = 1
    bits: int | list[int] = 0
    odd: list[str | list[str] | None] = []
    """The times of a match that are not written to the millisecond, or go back."""


class Bound(NamedTuple):
    """A match to be bound: its row, its events, and its last leaf (or the beginning of it)."""

    entry: MatchEntry
    events: Stretch
    tip: bytes


_KINDS = (str, int, int, int, int, int, bytes, bytes, bytes)
_head = msgspec.json.Decoder(_Head).decode
_encode = msgspec.json.Encoder(order="sorted").encode
_ODD = (
    msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError, IndexError, OverflowError, StopIteration,
)


# Packing


def bind(parts: Sequence[Bound]) -> Volume:
    """Matches of one book as a volume, in the order of positions. UnreadableError if unpacking does not restore
    them."""
    if not 0 < len(parts) <= VOLUME_MATCHES or not 0 < sum(
        len(part.events.payloads) for part in parts
    ) <= VOLUME_EVENTS:
        raise UnreadableError(
            "there are too many matches or events for a volume",
            expected=f"at most {VOLUME_MATCHES} matches and {VOLUME_EVENTS} events",
        )
    events = [part.events for part in parts]
    if max(len(one.payloads) for one in events) > BOUND_EVENTS or max(
        sum(map(len, one.payloads)) for one in events
    ) > MAX_BOUND_BYTES:
        raise UnreadableError(
            "a match is too large to be bound with others",
            expected=f"at most {BOUND_EVENTS} events of {MAX_BOUND_BYTES} bytes",
        )
    shapes, words, shaped, worded = _coded([one.payloads for one in events])
    times, units, bits, odd, clocks = _clocked([one.times for one in events])
    entries = [part.entry for part in parts]
    gaps = [
        [b - a - 1 for a, b in pairwise(one.positions)] if one.positions[-1] - one.positions[0] >= len(one.positions)
        else [] for one in events
    ]
    head = _Head(
        match=[entry.match for entry in entries],
        game=common_or_all([entry.game for entry in entries]),
        changed=common_or_all([entry.changed for entry in entries]),
        events=common_or_all([len(one.payloads) for one in events]),
        shapes=len(shapes),
        words=len(words),
        shaped=common_or_all([*map(len, shaped)]),
        worded=common_or_all([*map(len, worded)]),
        pos=[events[0].positions[0], *(b.positions[0] - a.positions[-1] for a, b in pairwise(events))],
        skipped=gaps if any(gaps) else [],
        created=common_or_all(
            ["" if entry.created == one.times[0] else entry.created for entry, one in zip(entries, events, strict=True)]
        ),
        over=common_or_all([entry.is_over for entry in entries]),
        parent=[entry.parent for entry in entries] if any(entry.parent is not None for entry in entries) else [],
        parent_n=[entry.parent_n for entry in entries] if any(entry.parent_n is not None for entry in entries) else [],
        key=_all_alike([common_or_all(one.keys) for one in events]),
        recorder=_all_alike([common_or_all(one.recorders) for one in events]),
        version=_all_alike([common_or_all(one.versions) for one in events]),
        time=times,
        unit=common_or_all(units),
        bits=common_or_all(bits),
        odd=odd,
    )
    text = b"\n".join([_encode(head), *shapes, *words, b"".join([*shaped, *worded])])
    if len(text) > AT_ONCE_BYTES:
        raise UnreadableError("the matches are too large for one volume", expected=f"at most {AT_ONCE_BYTES} bytes")
    volume = Volume(
        entries[0].book, min(one.positions[0] for one in events), max(one.positions[-1] for one in events), len(parts),
        sum(len(one.payloads) for one in events), NEWEST, b"".join(part.tip[:TIP] for part in parts), b"".join(clocks),
        compressed(text, NEWEST),
    )  # fmt: skip
    opened = OpenVolume(volume)
    for slot, part in enumerate(parts):
        if opened.entry(slot) != part.entry or opened.columns(slot) != tuple(map(list, part.events[3:10])):
            raise UnreadableError("these events cannot be bound", expected="lines of canonical JSON")
    return volume


def _coded(matches: Sequence[Sequence[bytes]]) -> tuple[list[bytes], list[bytes], list[bytes], list[bytes]]:
    """The shapes, the words, and the two rows of bytes by match."""
    counts: Counter[bytes] = Counter()
    for payloads in matches:
        counts.update(payloads)
    said: dict[bytes, tuple[bytes, list[bytes]]] = {}
    shape_counts: dict[bytes, int] = {}
    word_counts: dict[bytes, int] = {}
    for payload, count in counts.items():
        shape, words = said[payload] = _split.get(payload) or _parts(payload, count)
        shape_counts[shape] = shape_counts.get(shape, 0) + count
        for word in words:
            word_counts[word] = word_counts.get(word, 0) + count
    shapes, shape_of = _numbered(shape_counts)
    words, word_of = _numbered(word_counts)
    shaped = {payload: shape_of[shape] for payload, (shape, _) in said.items()}.__getitem__
    worded = {payload: b"".join([word_of[word] for word in its]) for payload, (_, its) in said.items()}.__getitem__
    join = b"".join
    return shapes, words, [
        join(map(shaped, payloads)) for payloads in matches
    ], [join(map(worded, payloads)) for payloads in matches]


@cache
def _splitter() -> Callable[[bytes], list[bytes]]:
    """A function that splits a payload at its words. Joining the parts always restores the payload."""
    return re.compile(rb'(?<=[:\[,])(?<!"verb":)(?<!"by":)("(?:[^"\\]|\\.)*+"|-?[0-9]+)(?=[,\]}])').split


_split: dict[bytes, tuple[bytes, list[bytes]]] = {}
"""Cache of shapes and words by payload: most payloads of matches repeat."""


def _parts(payload: bytes, count: int) -> tuple[bytes, list[bytes]]:
    """The shape and words of a payload. A long payload that occurs once in a volume is not cached."""
    pieces = _splitter()(payload)
    parts = b"\0".join(pieces[::2]), pieces[1::2]
    if len(payload) < (100 if count > 1 else 70):
        if len(_split) >= 4_000:
            _split.clear()
        _split[payload] = parts
    return parts


def _numbered(counts: dict[bytes, int]) -> tuple[list[bytes], dict[bytes, bytes]]:
    """The texts in order, and the encoded number of each; the most frequent take one byte."""
    if len(counts) > _MOST:
        raise UnreadableError("there are too many different things in it", expected=f"at most {_MOST}")
    often = sorted(counts, key=lambda text: (-counts[text], text))
    texts = sorted(often[:_ONE]) + sorted(often[_ONE:])
    return texts, {
        text: bytes((i,)) if i < _ONE else bytes((_ONE + (i - _ONE) // 256, (i - _ONE) % 256))
        for i, text in enumerate(texts)
    }


def _clocked(
    matches: Sequence[Sequence[str]],
) -> tuple[list[int], list[int], list[int], list[str | list[str] | None], list[bytes]]:
    """The times of each match: start, unit and bits of the steps, odd times, and packed steps."""
    begin: list[int] = []
    units: list[int] = []
    bits: list[int] = []
    odd: list[str | list[str] | None] = []
    clocks: list[bytes] = []
    before = 0
    for times in matches:
        first, *rest = steps(times)
        if type(first) is int and str not in map(type, rest) and min(rest, default=0) >= 0:  # type: ignore[operator]  # no text is among them
            unit = math.gcd(*rest) or 1  # type: ignore[arg-type]  # checked above
            size = (max(rest, default=0) // unit).bit_length()  # type: ignore[operator]  # no text is among them
            packed = 0
            for step in reversed(rest):
                packed = packed << size | step // unit  # type: ignore[operator]  # no text is among them
            begin.append(first - before)
            units.append(unit)
            bits.append(size)
            odd.append(None)
            clocks.append(packed.to_bytes((size * len(rest) + 7) // 8, "little"))
            before = first
        else:
            begin.append(0)
            units.append(1)
            bits.append(0)
            odd.append(common_or_all(times))
            clocks.append(b"")
    return begin if any(begin) else [], units, bits, odd if any(one is not None for one in odd) else [], clocks


def _all_alike(values: list[Any]) -> Any:
    return values[0] if not isinstance(values[0], list) and values.count(values[0]) == len(values) else values


# Unpacking


class OpenVolume:
    """A volume with its head decoded; matches are unpacked one by one.

    The constructor and every method raise UnreadableError if the volume is damaged, as far as they can tell."""

    __slots__ = (
        "_clocks", "_head", "_offsets", "_shapes", "_streams", "_takes", "_verbs", "_volume", "_words", "counts",
        "ends", "slots", "starts",
    )

    def __init__(self, volume: Volume) -> None:
        if tuple(map(type, volume)) != _KINDS:
            raise UnreadableError("a column of the volume is of another type")
        text = decompressed(volume.body, volume.dictionary, AT_ONCE_BYTES)
        try:
            line, rest = text.split(b"\n", 1)
            head = _head(line)
            many, counts = len(head.match), _each(head.events, len(head.match))
            shaped, worded = _each(head.shaped, many), _each(head.worded, many)
            if not (
                0 < many <= VOLUME_MATCHES and many == volume.matches == len(head.pos)
                and min(head.shapes, head.words) >= 0
                and min(counts) > 0 and max(counts) <= BOUND_EVENTS and sum(counts) == volume.events <= VOLUME_EVENTS
                and len(volume.tips) == TIP * many and len({*head.match}) == many
                and min(*shaped, *worded, *_each(head.bits, many)) >= 0
            ):  # fmt: skip
                raise UnreadableError(_DAMAGED)
            *tables, streams = rest.split(b"\n", head.shapes + head.words)
            offsets = [0, *accumulate([*shaped, *worded])]
            clocks = [
                0,
                *accumulate(
                    (bits * (count - 1) + 7) // 8 for bits, count in zip(_each(head.bits, many), counts, strict=True)
                )
            ]
            if (
                len(tables) != head.shapes + head.words or len(streams) != offsets[-1]
                or len(volume.clock) != clocks[-1]
            ):
                raise UnreadableError(_DAMAGED)
        except _ODD:
            raise UnreadableError(_DAMAGED) from None
        self._volume, self._head, self._streams, self._offsets, self._clocks = volume, head, streams, offsets, clocks
        self._shapes = [shape.replace(b"%", b"%%").replace(b"\0", b"%b") for shape in tables[: head.shapes]]
        self._takes = [shape.count(b"\0") for shape in tables[: head.shapes]]
        self._words = tables[head.shapes :]
        self._verbs: dict[int, str] = {}
        self.slots = {match: slot for slot, match in enumerate(head.match)}
        """The slot of each match."""
        self.counts = counts
        """The number of events of each."""
        self.starts, self.ends = self._places()
        """The positions of the first and last event of each."""

    def _places(self) -> tuple[list[int], list[int]]:
        head = self._head
        if head.skipped and [
            len(gaps) in (0, count - 1) and min(gaps, default=0) >= 0
            for gaps, count in zip(head.skipped, self.counts, strict=False)
        ] != [True] * len(self.counts):
            raise UnreadableError(_DAMAGED)
        starts: list[int] = []
        ends: list[int] = []
        end = 0
        for slot, count in enumerate(self.counts):
            start = end + head.pos[slot]
            end = start + count - 1 + (sum(head.skipped[slot]) if head.skipped else 0)
            starts.append(start)
            ends.append(end)
        if min(starts) < 1 or (min(starts), max(ends)) != (self._volume.first_pos, self._volume.last_pos):
            raise UnreadableError(_DAMAGED)
        return starts, ends

    def tip(self, slot: int) -> bytes:
        """The beginning of the last leaf of a match."""
        return self._volume.tips[TIP * slot : TIP * slot + TIP]

    @property
    def size(self) -> int:
        """The average size of a match in bytes."""
        volume = self._volume
        return (len(volume.body) + len(volume.clock) + len(volume.tips)) // volume.matches

    def entry(self, slot: int) -> MatchEntry:
        """The row of a match as it was when it was bound."""
        head, many = self._head, len(self.counts)
        try:
            created = _each(head.created, many)[slot] or self._times(slot, 1)[0]
            parent = head.parent[slot] if head.parent else None
            parent_n = head.parent_n[slot] if head.parent_n else None
            return MatchEntry(
                head.match[slot], self._volume.book, _each(head.game, many)[slot], created,
                _each(head.changed, many)[slot], self.counts[slot] - 1, _each(head.over, many)[slot], parent, parent_n,
                1,
            )  # fmt: skip
        except _ODD:
            raise UnreadableError(_DAMAGED) from None

    def columns(self, slot: int) -> tuple[
        list[int], list[str], list[int], list[str], list[str], list[str], list[bytes]
    ]:
        """The events of a match: positions, types, versions, times, recorders, keys and payloads."""
        count = self.counts[slot]
        try:
            types, payloads = self._payloads(slot)
            positions = [*range(self.starts[slot], self.starts[slot] + count)]
            if self._head.skipped and (gaps := self._head.skipped[slot]):
                positions = [*accumulate([1 + gap for gap in gaps], initial=self.starts[slot])]
            return (
                positions, types, self._beside(self._head.version, slot), self._times(slot, count),
                self._beside(self._head.recorder, slot), self._beside(self._head.key, slot), payloads,
            )  # fmt: skip
        except _ODD:
            raise UnreadableError(_DAMAGED) from None

    def lines(self, slot: int) -> list[EventLine]:
        """The events of a match."""
        positions, *rest = self.columns(slot)
        return list(map(EventLine._make, zip(positions, range(len(positions)), *rest, strict=True)))

    def opening(self, slot: int) -> SealedSummary:
        """What a list shows of a match."""
        times = self._times(slot, self.counts[slot])
        try:
            _, payloads = self._payloads(slot, 1)
            return SealedSummary(self._beside(self._head.version, slot)[0], payloads[0], times[0], times[-1])
        except _ODD:
            raise UnreadableError(_DAMAGED) from None

    def says_of_the_opening(self, slot: int) -> bool:
        """True if a match may have a correction of its opening."""
        corrects = {number for number, shape in enumerate(self._shapes) if b'"verb":"fix"' in shape}
        try:
            if corrects.isdisjoint(_numbers(self._streams[self._offsets[slot] : self._offsets[slot + 1]])):
                return False
            return any(OF_THE_OPENING in payload for payload in self._payloads(slot)[1])
        except _ODD:
            raise UnreadableError(_DAMAGED) from None

    def _beside(self, values: Any, slot: int) -> list[Any]:
        its = values[slot] if isinstance(values, list) else values
        return _each(its, self.counts[slot])

    def _payloads(self, slot: int, most: int = VOLUME_EVENTS) -> tuple[list[str], list[bytes]]:
        many, offsets = len(self.counts), self._offsets
        numbers = _numbers(self._streams[offsets[slot] : offsets[slot + 1]])
        if len(numbers) != self.counts[slot]:
            raise UnreadableError(_DAMAGED)
        words = [
            self._words[number] for number in _numbers(self._streams[offsets[many + slot] : offsets[many + slot + 1]])
        ]
        shapes = [self._shapes[number] for number in numbers]
        if sum(map(len, words)) + sum(map(len, shapes)) > 2 * MAX_BOUND_BYTES:  # an escape in a shape counts twice
            raise UnreadableError("the sealed bytes are damaged (their length)")
        payloads: list[bytes] = []
        at, takes = 0, self._takes
        for number, shape in zip(numbers, shapes[:most], strict=False):
            end = at + takes[number]
            payloads.append(shape % tuple(words[at:end]))
            at = end
        if most == VOLUME_EVENTS and at != len(words):
            raise UnreadableError(_DAMAGED)
        verbs = self._verbs
        if not verbs.keys() >= {*numbers[:most]}:
            for number, payload in zip(numbers, payloads, strict=False):
                if number not in verbs:
                    verbs[number] = verb_in(payload)
        return [verbs[number] for number in numbers[:most]], payloads

    def _times(self, slot: int, count: int) -> list[str]:
        """The times of the first `count` events of a match."""
        head = self._head
        try:
            if head.odd and (odd := head.odd[slot]) is not None:
                return _each(odd, self.counts[slot])[:count]
            many = len(self.counts)
            now = sum(head.time[: slot + 1])
            unit, bits = _each(head.unit, many)[slot], _each(head.bits, many)[slot]
            packed = int.from_bytes(self._volume.clock[self._clocks[slot] : self._clocks[slot + 1]], "little")
            mask = (1 << bits) - 1
            moments = [now]
            for _ in range(count - 1):
                now += (packed & mask) * unit
                packed >>= bits
                moments.append(now)
            return written_moments(moments)
        except _ODD:
            raise UnreadableError(_DAMAGED) from None


_DAMAGED = "the sealed bytes are damaged (they are not the events of a volume)"


def _each(values: T | list[T], count: int) -> list[T]:
    if not isinstance(values, list):
        return [values] * count
    if len(values) != count:
        raise UnreadableError(_DAMAGED)
    return values


def _numbers(data: bytes) -> Sequence[int]:
    if not data or max(data) < _ONE:
        return data
    numbers: list[int] = []
    rest = iter(data)
    for byte in rest:
        numbers.append(byte if byte < _ONE else _ONE + 256 * (byte - _ONE) + next(rest))  # noqa: PERF401
    return numbers


def split_evenly(sizes: Iterable[int]) -> Iterator[int]:
    """The number of matches in each volume, given their numbers of events: as few and as even volumes as possible."""
    sizes = list(sizes)
    pieces = max(-(-len(sizes) // VOLUME_MATCHES), -(-sum(sizes) // VOLUME_EVENTS), 1)
    share, taken, events = -(-len(sizes) // pieces), 0, 0
    for size in sizes:
        if taken and (taken == share or events + size > VOLUME_EVENTS):
            yield taken
            taken = events = 0
        taken += 1
        events += size
    if taken:
        yield taken
