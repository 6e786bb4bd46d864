"""Logs in files: `.kib` text, or JSON Lines with one event a line. Reads with recovery from errors, and writes.

Does not load the store, so that a program that only reads a file starts faster.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from events.canon import decode, encode, encode_bodies
from events.errors import KibitzError, StoreError, UnreadableError
from events.kib import Derived, read_bytes
from events.limits import MAX_ERRORS, MAX_EVENTS, MAX_LINES
from events.model import Gap, Recorded
from events.unread_lines import Unread, corrected_by, lost, may_have_been_corrected, unread
from events.writing import write_kib
from records.intake import FilePart, is_bundle, matches_in_file, read_whole

if TYPE_CHECKING:
    from records.copies import ReadPicture

_BOM = b"\xef\xbb\xbf"


class Loaded(Struct, frozen=True):
    """The readable part of a file. `derived` are its `=` lines; `errors` names every place that is unreadable.

    Lines that could not be read are gaps in `records` (`events.unread_lines`).
    """

    file: str
    records: list[Recorded]
    derived: list[Derived] = []
    errors: list[KibitzError] = []
    bodies: list[bytes] = []
    """The canonical payload of each record, if the reader computed them; otherwise empty."""
    pictures: list[ReadPicture] = []
    """Attached pictures, which only a bundle contains."""
    kept: str = ""
    """A sentence about what the record keeps back; empty if it shows everything. Only a bundle keeps anything back."""


def load_files(path: str | os.PathLike[str], openings: Sequence[str] = ()) -> Iterator[Loaded]:
    """Read all matches of a file, one at a time; a match that cannot be read has errors and no records.

    `openings` are the texts of openings, which show what a bundle keeps back.

    NotFoundError or UnreadableError if the file itself cannot be read.
    """
    return (load_part(part, openings) for part in matches_in_file(path))


def load_part(part: FilePart, openings: Sequence[str] = ()) -> Loaded:
    """Read one match of a file. If it cannot be read it has no records, and the reason among its errors."""
    try:
        if part.error is not None:
            raise part.error
        if is_bundle(part.data):
            return load_bundle(part.name, part.data, openings)
        if openings:
            raise UnreadableError(
                "this record keeps nothing back", where=part.name, expected="what `kibitz export --for` wrote",
            )
        return load_file(part.name, part.data, before=part.before)
    except KibitzError as error:
        return Loaded(part.name, [], [], [error])


def load_bundle(name: str, data: bytes, openings: Sequence[str] = ()) -> Loaded:
    """A bundle as a match to read or import, with its pictures; what it keeps back is unseen, and said in `kept`.

    UnreadableError if it cannot be read or a proof fails."""
    from records.bundle import read_bundle, records_in

    try:
        bundle = read_bundle(data.decode(), openings=openings)
        records = records_in(name, bundle)
    except (StoreError, UnicodeDecodeError) as error:
        raise UnreadableError(getattr(error, "what", str(error)), where=name) from error
    return Loaded(name, records, [], [], encode_bodies(records), bundle.pictures, bundle.kept)


def load_file(path: str | os.PathLike[str], data: bytes | None = None, *, before: int = 0) -> Loaded:
    """Read a match from a file, from standard input (`-`), or from `data`, which `path` then only names.

    `before` is the number of lines above `data` in its file. JSON Lines begin with `{`; anything else is read as
    `.kib`, strictly. A bad line is named in `errors`, and the lines after it are still read. NotFoundError or
    UnreadableError if the file itself cannot be read.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    if data is None:
        data = read_whole(path)
    if is_bundle(data):
        raise UnreadableError(
            "this is a bundle", where=name, expected="a match", todo="`kibitz import` brings it into the store",
        )
    text = data.removeprefix(_BOM)
    if text.lstrip()[:1] == b"{":
        return _load_lines(name, text, before)
    reading = read_bytes(data, name, before=before)
    errors: list[KibitzError] = list(reading.errors)
    if not reading.records and not errors:  # only a header
        errors.append(UnreadableError("there is no match in it", where=name))
    return Loaded(name, list(reading.records), list(reading.derived), errors)


def export_kib(records: Sequence[Recorded], derived: Iterable[str] = ()) -> str:
    """The whole match as `.kib` text; importing it gives the same events."""
    return write_kib(records, tuple(derived))


def export_jsonl(records: Iterable[Recorded]) -> bytes:
    """The match as JSON Lines: one canonical event a line."""
    return b"".join(encode(recorded) + b"\n" for recorded in records)


def _load_lines(name: str, text: bytes, before: int) -> Loaded:
    if text.count(b"\n") >= MAX_LINES:
        raise UnreadableError("the file has too many lines", where=name, expected=f"at most {MAX_LINES} in a match")
    return _load_canonical(name, text) or _load_each(name, text, before)


def _load_each(name: str, text: bytes, before: int) -> Loaded:
    records: list[Recorded] = []
    errors: list[KibitzError] = []
    doubted: set[int] = set()
    for number, line in enumerate(text.split(b"\n"), before + 1):
        line = line.strip()
        if not line:
            continue
        where = f"{name}, line {number}"
        due = records[-1].n + 1 if records else 0
        too_much = _too_much(where, records, errors)
        try:
            if too_much:
                raise too_much
            recorded = decode(line, where=where)
        except KibitzError as error:
            errors.append(error)
            said = line.decode("utf-8", "replace")
            if records:
                records.append(unread(due, number, said, Gap(by="@")))
                doubted.update(corrected_by(said, due))
            if too_much:
                break
            continue
        if recorded.n != due and not errors:
            errors.append(
                UnreadableError(f"this is event {recorded.n}", where=where, expected=f"event {due} to come next")
            )
        if records and due < recorded.n:
            records.append(lost(due, recorded.n - 1))
        elif records and recorded.n == records[-1].n and type(records[-1]) is Unread:
            del records[-1]  # an unread line without a position of its own
        records.append(recorded)
    last = records[-1].n if records else 0
    records += [may_have_been_corrected(n, at) for n, at in enumerate(sorted(doubted), last + 1)]
    return Loaded(name, records, [], errors, encode_bodies(records))


def _too_much(where: str, records: Sequence[Recorded], errors: Sequence[KibitzError]) -> KibitzError | None:
    """The reason to stop reading a match; None to go on."""
    if len(errors) >= MAX_ERRORS:
        what = f"more than {MAX_ERRORS} places cannot be read, and from here on nothing was"
        return UnreadableError(what, where=where, todo="Check that it is the right file")
    if len(records) > MAX_EVENTS:
        todo = "Put the rest into a new match"
        return UnreadableError("the match is too long", where=where, expected=f"at most {MAX_EVENTS} events", todo=todo)
    return None


_records = msgspec.json.Decoder(Recorded)
_encode_lines = msgspec.json.Encoder(order="sorted").encode_lines


def _load_canonical(name: str, text: bytes) -> Loaded | None:
    """A match from a file that is canonical throughout; None if it must be read line by line.

    If writing it back gives the same bytes, it has no duplicate keys, fractions or unknown fields. Only its values
    remain to be checked.
    """
    try:
        records = _records.decode_lines(text)
        if len(records) > MAX_EVENTS + 1:
            return None
        if _encode_lines(records) != (text if text.endswith(b"\n") else text + b"\n"):
            return None
        if [r.n for r in records] != list(range(len(records))):
            return None  # the slow reader names the place
        return Loaded(name, records, [], [], encode_bodies(records))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KibitzError):
        return None
