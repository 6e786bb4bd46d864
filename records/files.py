"""A whole log as a file: `.kib` text, or JSON Lines with one event a line; read as far as it goes, and written.

Nothing here knows a store: who only wants to look at a file need not load one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from events.canon import decode, encode, encode_bodies
from events.errors import KibitzError, UnreadableError
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
    """A file as far as it could be read. `derived` are its `=` lines; `errors` name every place that is unreadable.

    Lines that could not be read stand in `records` as gaps (`events.unread_lines`)."""

    file: str
    records: list[Recorded]
    derived: list[Derived] = []
    errors: list[KibitzError] = []
    bodies: list[bytes] = []
    """The canonical payload of each record, where reading has come upon it; otherwise empty."""
    pictures: list[ReadPicture] = []
    """What is attached, if the file brings it along: only a bundle does."""


def load_files(path: str | os.PathLike[str]) -> Iterator[Loaded]:
    """Read all the matches of a file, one at a time; one that cannot be read has no records.

    NotFoundError or UnreadableError if the file itself cannot be had.
    """
    return map(load_part, matches_in_file(path))


def load_part(part: FilePart) -> Loaded:
    """Read one match of a file; if it cannot be read it has no records, and the reason among its errors."""
    try:
        if part.error is not None:
            raise part.error
        return load_file(part.name, part.data, before=part.before)
    except KibitzError as error:
        return Loaded(part.name, [], [], [error])


def load_file(path: str | os.PathLike[str], data: bytes | None = None, *, before: int = 0) -> Loaded:
    """Read a match from a file, from standard input (`-`), or from `data`, which `path` then only names; `before` lines of
    the file stand above it.

    The content tells the form: JSON Lines begin with `{`, everything else is taken for `.kib`, strictly. A bad line
    is named in `errors`, the lines after it are still read. NotFoundError or UnreadableError if the file itself
    cannot be had.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    if data is None:
        data = read_whole(path)
    if is_bundle(data):
        raise UnreadableError("this is a bundle", where=name, expected="a match", todo="`kibitz import` brings it into the store")
    text = data.removeprefix(_BOM)
    if text.lstrip()[:1] == b"{":
        return _load_lines(name, text, before)
    reading = read_bytes(data, name, before=before)
    errors: list[KibitzError] = list(reading.errors)
    if not reading.records and not errors:  # a header and nothing else
        errors.append(UnreadableError("there is no match in it", where=name))
    return Loaded(name, list(reading.records), list(reading.derived), errors)


def export_kib(records: Sequence[Recorded], derived: Iterable[str] = ()) -> str:
    """The match as `.kib` text, in full, so that an import gives the same events again."""
    return write_kib(records, tuple(derived))


def export_jsonl(records: Iterable[Recorded]) -> bytes:
    """The match as JSON Lines: one event a line, canonical."""
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
            errors.append(UnreadableError(f"this is event {recorded.n}", where=where, expected=f"event {due} to come next"))
        if records and due < recorded.n:
            records.append(lost(due, recorded.n - 1))
        elif records and recorded.n == records[-1].n and type(records[-1]) is Unread:
            del records[-1]  # what was not read had no position of its own
        records.append(recorded)
    last = records[-1].n if records else 0
    records += [may_have_been_corrected(n, at) for n, at in enumerate(sorted(doubted), last + 1)]
    return Loaded(name, records, [], errors, encode_bodies(records))


def _too_much(where: str, records: Sequence[Recorded], errors: Sequence[KibitzError]) -> KibitzError | None:
    """Why no more is read of a match, if that is so."""
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
    """The match of a file that is canonical from end to end; None for any other, which has to be read line by line.

    What is written back to the very same bytes holds no key twice, no fraction and nothing unknown, so only what it says
    is left to look at.
    """
    try:
        records = _records.decode_lines(text)
        if len(records) > MAX_EVENTS + 1:
            return None
        if _encode_lines(records) != (text if text.endswith(b"\n") else text + b"\n"):
            return None
        if [r.n for r in records] != list(range(len(records))):
            return None  # a place to be named
        return Loaded(name, records, [], [], encode_bodies(records))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KibitzError):
        return None
