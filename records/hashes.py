"""What is hashed for an event: its bytes, laid out one way and no other. docs/store.md says the same in words.

    leaf    = SHA-256(0x00 || entry)
    entry   = "kibitz.event/1\\n" text(book) number(position) text(match) number(n) text(type) number(version)
              text(time) text(recorder) text(key) previous text(payload)
    text    = length in bytes as 4 bytes, most significant first, then the bytes (UTF-8, as stored)
    number  = 8 bytes, most significant first
    previous= the leaf of event n - 1 of the match, 32 bytes; 32 zero bytes for the opening

Never change this; a new layout gets a new name in its first line.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable

import msgspec

FIRST_LINE = b"kibitz.event/1\n"
NO_PREVIOUS = bytes(32)

_text = struct.Struct(">I").pack
_number = struct.Struct(">Q").pack
_START = b"\x00" + FIRST_LINE


def leaf_hash(
    book: bytes, pos: int, match: bytes, n: int, type_: bytes, version: int,
    time: bytes, recorder: bytes, key: bytes, previous: bytes, payload: bytes,
) -> bytes:  # fmt: skip
    """The leaf of an event in the tree of its book, 32 bytes. Raises struct.error for a number that cannot be one.

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


def chain_of(book: bytes, match: bytes) -> Callable[[int, int, str, int, str, str, str, bytes, bytes], bytes]:
    """`leaf_hash` for the events of one match, a little quicker.

    To be called with position, n, type, version, time, recorder, key, previous, payload.

    >>> chain_of(b"home", b"m")(1, 0, "open", 1, "", "", "", NO_PREVIOUS, b"{}").hex()[:16]
    '3cd8109b14f5422c'
    """
    start, stream = _START + _text(len(book)) + book, _text(len(match)) + match
    # Texts that come again and again, with their lengths.
    types: dict[str, bytes] = {}
    people: dict[tuple[str, str], bytes] = {}
    sha256 = hashlib.sha256

    def leaf(
        pos: int, n: int, type_: str, version: int, time: str, recorder: str, key: str, previous: bytes, payload: bytes
    ) -> bytes:
        what = types.get(type_)
        if what is None:
            what = types[type_] = _measured(type_)
        who = people.get((recorder, key))
        if who is None:
            who = people[recorder, key] = _measured(recorder) + _measured(key)
        when = time.encode()
        return sha256(
            b"".join((
                start, _number(pos), stream, _number(n), what, _number(version), _text(len(when)), when, who, previous,
                _text(len(payload)), payload,
            ))
        ).digest()  # fmt: skip

    return leaf


def _measured(text: str) -> bytes:
    data = text.encode()
    return _text(len(data)) + data


_digest = msgspec.json.Encoder().encode


def row_digest(*values: str | int | None) -> str:
    """A check sum of a row that no leaf covers. It finds accidents; who edits on purpose computes it anew."""
    return hashlib.sha256(_digest(values)).hexdigest()[:16]
