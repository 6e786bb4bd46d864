"""The bytes that are hashed for an event. docs/store.md describes the same layout.

    leaf    = SHA-256(0x00 || entry)
    entry   = "kibitz.event/1\\n" text(book) number(position) text(match) number(n) text(type) number(version)
              text(time) text(recorder) text(key) previous text(payload)
    text    = length in bytes as 4 bytes, most significant first, then the bytes (UTF-8, as stored)
    number  = 8 bytes, most significant first
    previous= the leaf of event n - 1 of the match, 32 bytes; 32 zero bytes for the opening

Never change this; a new layout gets a new name in its first line. Layout 2 is in records/commitments.py.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence

import msgspec

from records.commitments import Commitments, begun

FIRST_LINE = b"kibitz.event/1\n"
NO_PREVIOUS = bytes(32)

_text = struct.Struct(">I").pack
_number = struct.Struct(">Q").pack
_START = b"\x00" + FIRST_LINE


def leaf_hash(
    book: bytes, pos: int, match: bytes, n: int, type_: bytes, version: int,
    time: bytes, recorder: bytes, key: bytes, previous: bytes, payload: bytes,
) -> bytes:  # fmt: skip
    """The leaf of an event in the tree of its book, 32 bytes. Raises struct.error for a number out of range.

    >>> leaf_hash(b"home", 1, b"m", 0, b"open", 1, b"", b"", b"", NO_PREVIOUS, b"{}").hex()[:16]
    '3cd8109b14f5422c'
    """
    return hashlib.sha256(
        b"".join((
            _START, _text(len(book)), book, _number(pos), _text(len(match)), match, _number(n),
            _text(len(type_)), type_, _number(version), _text(len(time)), time, _text(len(recorder)), recorder,
            _text(len(key)), key, previous, _text(len(payload)), payload,
        ))
    ).digest()  # fmt: skip


def chain(
    book: bytes, match: bytes, previous: bytes, positions: Iterable[int], n: int, types: Iterable[str],
    versions: Iterable[int], times: Iterable[str], recorders: Iterable[str], keys: Iterable[str],
    payloads: Iterable[bytes], parts: Commitments | None = None,
) -> list[bytes]:  # fmt: skip
    """The leaves of consecutive events of one match, numbered from `n`, with `previous`, the leaf before them.

    `parts` are the commitments of the match, if its opening is before them and of layout 2. ValueError for what
    cannot be hashed.

    >>> chain(b"home", b"m", NO_PREVIOUS, [1], 0, ["open"], [1], [""], [""], [""], [b"{}"])[1].hex()[:16]
    '3cd8109b14f5422c'
    """
    start, stream = _START + _text(len(book)) + book, _text(len(match)) + match
    leaves = [previous]
    people: dict[tuple[str, str], bytes] = {}  # cache: few recorders and keys recur, encoded with their lengths
    sha256, text, number, join = hashlib.sha256, _text, _number, b"".join
    for pos, type_, version, time, recorder, key, payload in zip(
        positions, types, versions, times, recorders, keys, payloads, strict=True
    ):
        if n == 0:
            parts = begun(book, match, payload)
        if parts is not None:
            previous = parts.leaf(
                pos, n, type_.encode(), version, time.encode(), recorder.encode(), key.encode(), previous, payload,
            )
            leaves.append(previous)
            n += 1
            continue
        what = _kinds.get((type_, version)) or _kind(type_, version)
        who = people.get((recorder, key))
        if who is None:
            who = people[recorder, key] = _measured(recorder) + _measured(key)
        when = time.encode()
        previous = sha256(
            join((
                start, number(pos), stream, number(n), what, text(len(when)), when, who, previous, text(len(payload)),
                payload,
            ))
        ).digest()  # fmt: skip
        leaves.append(previous)
        n += 1
    return leaves


_kinds: dict[tuple[str, int], bytes] = {}


def _kind(type_: str, version: int) -> bytes:
    kind = _measured(type_) + _number(version)
    if len(_kinds) < 1000:
        _kinds[type_, version] = kind
    return kind


def _measured(text: str) -> bytes:
    data = text.encode()
    return _text(len(data)) + data


_digest = msgspec.json.Encoder().encode


def row_digest(*values: str | int | None) -> str:
    """A checksum of a row that no leaf covers. It detects accidents; a deliberate editor can recompute it."""
    return hashlib.sha256(_digest(values)).hexdigest()[:16]


def digest_of_values(values: Sequence[object]) -> str:
    """The checksum of a row as it was read; "" if a value has a type that no row has."""
    try:
        return row_digest(*values)  # type: ignore[arg-type]  # types as in the schema
    except (TypeError, ValueError):
        return ""
