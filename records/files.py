"""A whole log as a file: `.kib` text, or JSON Lines with one event a line; read as far as it goes, and written.

Nothing here knows a store: who only wants to look at a file need not load one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from events.canon import decode, encode, encode_bodies
from events.errors import KibitzError, NotFoundError, UnreadableError
from events.kib import Derived, read_bytes
from events.model import Recorded
from events.writing import write

_BOM = b"\xef\xbb\xbf"


class Loaded(Struct, frozen=True):
    """A file as far as it could be read. `derived` are its `=` lines; `errors` name every place that is unreadable."""

    file: str
    records: list[Recorded]
    derived: list[Derived] = []
    errors: list[KibitzError] = []
    _bodies: list[bytes] = []
    """The canonical payload of each record, where reading has come upon it; otherwise empty."""


def load_file(path: str | os.PathLike[str], data: bytes | None = None) -> Loaded:
    """Read a match from a file, from standard input (`-`), or from `data`, which `path` then only names.

    The content tells the form: JSON Lines begin with `{`, everything else is taken for `.kib`, strictly. A bad line
    is named in `errors`, the lines after it are still read. NotFoundError or UnreadableError if the file itself
    cannot be had.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    if data is None:
        data = sys.stdin.buffer.read() if os.fspath(path) == "-" else _bytes_of(path)
    text = data.removeprefix(_BOM)
    if text.lstrip()[:1] == b"{":
        return _load_lines(name, text)
    reading = read_bytes(data, name)
    errors: list[KibitzError] = list(reading.errors)
    if not reading.records and not errors:  # a header and nothing else
        errors.append(UnreadableError("there is no match in it", where=name))
    return Loaded(name, list(reading.records), list(reading.derived), errors)


def export_kib(records: Sequence[Recorded], derived: Iterable[str] = ()) -> str:
    """The match as `.kib` text, in full, so that an import gives the same events again."""
    return write(records, tuple(derived))


def export_jsonl(records: Iterable[Recorded]) -> bytes:
    """The match as JSON Lines: one event a line, canonical."""
    return b"".join(encode(recorded) + b"\n" for recorded in records)


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=os.fspath(path)) from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UnreadableError(f"the file cannot be read ({why})", where=os.fspath(path)) from error


def _load_lines(name: str, text: bytes) -> Loaded:
    return _load_canonical(name, text) or _load_each(name, text)


def _load_each(name: str, text: bytes) -> Loaded:
    records: list[Recorded] = []
    errors: list[KibitzError] = []
    for number, line in enumerate(text.split(b"\n"), 1):
        line = line.strip()
        if not line:
            continue
        where = f"{name}, line {number}"
        try:
            recorded = decode(line, where=where)
        except KibitzError as error:
            errors.append(error)
            continue
        # After an unreadable line the numbers jump; that is its doing.
        expected = records[-1].n + 1 if records else 0
        if recorded.n != expected and not errors:
            errors.append(
                UnreadableError(f"this is event {recorded.n}", where=where, expected=f"event {expected} to come next")
            )
        records.append(recorded)
    return Loaded(name, records, [], errors, encode_bodies(records))


_records = msgspec.json.Decoder(Recorded)
_encode_lines = msgspec.json.Encoder(order="sorted").encode_lines


def _load_canonical(name: str, text: bytes) -> Loaded | None:
    """The match of a file that is canonical from end to end; None for any other, which has to be read line by line.

    What is written back to the very same bytes holds no key twice, no fraction and nothing unknown, so only what it says
    is left to look at.
    """
    try:
        records = _records.decode_lines(text)
        if _encode_lines(records) != (text if text.endswith(b"\n") else text + b"\n"):
            return None
        if [r.n for r in records] != list(range(len(records))):
            return None  # a place to be named
        return Loaded(name, records, [], [], encode_bodies(records))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KibitzError):
        return None
