"""Whole logs in and out of a store: `.kib` text, and JSON Lines with one event a line.

**Which match a file is.** The `Match` tag of its opening says it; whoever imports may name another id. A file without
the tag gets an id made from its opening, byte for byte (`kaiser-h3k9m2pt`): the same file finds the same match again,
also when it has grown. Two matches that begin with the very same opening therefore claim the same id; the second is
refused with a ConflictError and has to be given an id.

**What an import does.** The match is new; or the store has it already; or the file goes on where the store ends, and
the rest is appended. Anything else is a ConflictError, and nothing is written. An empty time, recorder or key in the
file contradicts nothing: text written down without them is still the same match.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from events.canon import MAX_EVENT_BYTES, Body, check_recorded, decode, encode, encode_body, is_time
from events.errors import KibitzError, NotFoundError, UnreadableError
from events.kib import Derived, read_bytes
from events.model import Open, Recorded
from events.tokens import MAX_INT
from events.versions import version_of
from events.writing import write
from records.store import HOME, ID_ALPHABET, Store, check_id, check_whole, stem

_BOM = b"\xef\xbb\xbf"


class Loaded(Struct, frozen=True):
    """A file as far as it could be read. `derived` are its `=` lines; `errors` name every place that is unreadable."""

    file: str
    records: list[Recorded]
    derived: list[Derived] = []
    errors: list[KibitzError] = []
    _bodies: list[bytes] = []
    """The canonical payload of each record, where reading has come upon it; otherwise empty."""


class Imported(Struct, frozen=True):
    """What became of an import. `unreadable`: nothing was written, `errors` say why, `match` is empty."""

    match: str
    status: Literal["new", "same", "appended", "unreadable"]
    added: int
    errors: list[KibitzError] = []


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


def import_records(
    store: Store, records: Sequence[Recorded], *, book: str = HOME, match: str | None = None, sealed: bool = False
) -> Imported:
    """Bring a whole match into the store, opening first; with `sealed` it is sealed at once.

    UnreadableError if events are missing or the `Match` tag cannot be an id; ConflictError if the store has a match of
    this id that says something else; SealedError if it is sealed and has fewer events.
    """
    return _import(store, records, [encode_body(r) for r in records], book, match, sealed)


def import_loaded(
    store: Store, loaded: Loaded, *, book: str = HOME, match: str | None = None, sealed: bool = False
) -> Imported:
    """`import_records` of a file that was read; one with an unreadable place is not imported at all."""
    if loaded.errors:
        return Imported("", "unreadable", 0, loaded.errors)
    bodies = loaded._bodies or [encode_body(r) for r in loaded.records]
    return _import(store, loaded.records, bodies, book, match, sealed)


def _import(
    store: Store, records: Sequence[Recorded], bodies: Sequence[bytes], book: str, match: str | None, sealed: bool
) -> Imported:
    opening = check_whole(records)
    game = str(opening.facts.get("Game", ""))
    match = _id_of(records[0], opening, game) if match is None else check_id(match)
    adopted = store._adopt(match, records, bodies, game, book, False, sealed)
    return Imported(match, adopted.status, adopted.added)


def import_file(
    store: Store,
    path: str | os.PathLike[str],
    data: bytes | None = None,
    *,
    book: str = HOME,
    match: str | None = None,
) -> Imported:
    """`load_file`, then `import_loaded`."""
    return import_loaded(store, load_file(path, data), book=book, match=match)


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=os.fspath(path)) from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UnreadableError(f"the file cannot be read ({why})", where=os.fspath(path)) from error


def _load_lines(name: str, text: bytes) -> Loaded:
    records: list[Recorded] = []
    bodies: list[bytes] = []
    errors: list[KibitzError] = []
    for number, line in enumerate(text.split(b"\n"), 1):
        line = line.strip()
        if not line:
            continue
        where = f"{name}, line {number}"
        try:
            recorded, body = _canonical(line) or _any(line, where)
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
        bodies.append(body)
    return Loaded(name, records, [], errors, bodies)


_records = msgspec.json.Decoder(Recorded)
_encode = msgspec.json.Encoder(order="sorted").encode
_sound: set[bytes | tuple[str, str]] = set()
"""Payloads, and recorders with keys, that were found in normal form: what many matches say is looked at once."""
MOST_SOUND = 50_000


def _canonical(line: bytes) -> tuple[Recorded, bytes] | None:
    """The record of a line in canonical form, and its payload; None for any other line, which `decode` has to read.

    What is written back to the very same bytes holds no key twice, no fraction and nothing unknown, so only what it says
    is left to look at.
    """
    try:
        r = _records.decode(line)
        if len(line) > MAX_EVENT_BYTES or _encode(r) != line:
            return None
        body = _encode(Body(event=r.event, same=r.same, t=r.t, glyphs=r.glyphs, text=r.text))
        around = (r.recorder, r.key)
        if (
            body in _sound
            and around in _sound
            and 0 < r.n <= MAX_INT
            and (not r.time or is_time(r.time))
            and r.v == version_of(r.event)
        ):
            return r, body
        check_recorded(r)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KibitzError):
        return None
    if len(_sound) >= MOST_SOUND:
        _sound.clear()
    _sound.update((body, around))
    return r, body


def _any(line: bytes, where: str) -> tuple[Recorded, bytes]:
    recorded = decode(line, where=where)
    return recorded, encode_body(recorded)


def _id_of(recorded: Recorded, opening: Open, game: str) -> str:
    """The id that the opening names, or one made from the bytes of its record."""
    if "Match" in opening.facts:
        try:
            return check_id(str(opening.facts["Match"]))
        except KibitzError as error:
            raise UnreadableError(
                error.what, where="tag Match", expected=error.expected, todo="Name an id when importing"
            ) from error
    number = int.from_bytes(hashlib.sha256(encode(recorded)).digest()[:8], "big")
    letters = ""
    for _ in range(8):
        number, digit = divmod(number, len(ID_ALPHABET))
        letters += ID_ALPHABET[digit]
    return f"{stem(game)}-{letters}"
