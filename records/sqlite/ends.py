"""The end of every book, noted beside the store, so that the loss of acknowledged events is noticed.

Beside the store `kibitz.db` is `kibitz.db-ends`. After a commit, and before it is acknowledged, the writer notes the
last position of the book and its leaf there. Each book has a slot of its own, so this is one small write to a file
that stays open; it is not synced. So the file is never ahead of the disk. After a kill it may lack what was not yet
acknowledged, after a power failure more: then less is noticed, but nothing false is claimed. All writes hold the lock
of the store; a reader reads the file before the store.

A slot is a line of 256 bytes: position, leaf, the hash of the book's name, a checksum, and the name for people. A
line with a wrong checksum is ignored. Position 0 claims nothing.
"""

from __future__ import annotations

import hashlib
import os
from binascii import crc32, hexlify
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from events.errors import StoreError, UnreadableError
from records.names import sidecar_path
from records.rows import LostEnd
from records.sealed_codec import leaves_in, unsealed_lines
from records.sqlite.reading import SqliteReader

_LINE = 256
_SAID = 16 + 1 + 64 + 1 + 32
_NAME = _LINE - _SAID - 1 - 8 - 1 - 1
_CLAIMS_NOTHING = bytes(32)


class AcknowledgedEnd(NamedTuple):
    """The last acknowledged position of a book, and the leaf of the event there."""

    book: str
    """The name, which may be shortened; the hash beside it identifies the book."""
    position: int
    leaf: bytes


def ends_path(path: Path) -> Path:
    """The file of the ends of the store at `path`."""
    return sidecar_path(path, "ends")


def key_of_book(book: str) -> str:
    """The hash that identifies a book in the file."""
    return hashlib.sha256(book.encode()).hexdigest()[:32]


def read_ends(path: Path) -> dict[str, AcknowledgedEnd]:
    """The ends noted beside the store at `path`, by hash; empty if there is no file, or it cannot be read."""
    try:
        return {of_: end for _, of_, end in _read(ends_path(path).read_bytes())}
    except OSError:
        return {}


class EndsFile:
    """The file of one store, for a writer. It is created when there is something to note."""

    def __init__(self, path: Path) -> None:
        self.path = ends_path(path)
        self._fd = -1
        self._places: dict[str, tuple[int, bytes, bytes]] = {}

    def note(self, book: str, position: int, leaf: bytes | bytearray) -> None:
        """Note where the book ends now. OSError if that fails."""
        place, name, rest = self._places.get(book) or self._place(book)
        said = b"%016d %b %b" % (position, hexlify(leaf), name)
        _write_at(self._fd, b"%b %08x %b" % (said, crc32(said), rest), place)

    def _place(self, book: str) -> tuple[int, bytes, bytes]:
        """The slot of the book: an existing one, which another program may have made, or a new one at the end."""
        if self._fd < 0:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
            self._fd = os.open(self.path, flags, 0o666)
        data = self.path.read_bytes()
        name = key_of_book(book)
        known = {of_: place for place, of_, _ in _read(data)}
        place = known.get(name, -(-len(data) // _LINE) * _LINE)
        rest = quote(book, safe=" ").encode()[:_NAME].ljust(_NAME) + b"\n"
        self._places[book] = place, name.encode(), rest
        return self._places[book]

    def forget(self, name: str) -> None:
        """Clear the slot of a book that is gone. `name` is its hash."""
        for place, of_, end in _read(self.path.read_bytes() if self.path.exists() else b""):
            if of_ == name:
                self._places[end.book] = (
                    place, name.encode(), quote(end.book, safe=" ").encode()[:_NAME].ljust(_NAME) + b"\n"
                )
                if self._fd < 0:
                    self._fd = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
                self.note(end.book, 0, _CLAIMS_NOTHING)

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self._places.clear()


def _seek_and_write(fd: int, line: bytes, place: int) -> int:
    os.lseek(fd, place, os.SEEK_SET)
    return os.write(fd, line)


_write_at = getattr(os, "pwrite", _seek_and_write)  # Windows has no pwrite


def _read(data: bytes) -> Iterable[tuple[int, str, AcknowledgedEnd]]:
    """The valid lines: slot, hash of the book, end."""
    for place in range(0, len(data) - _LINE + 1, _LINE):
        line = data[place : place + _LINE]
        said, check, name = line[:_SAID], line[_SAID + 1 : _SAID + 9], line[_SAID + 10 :]
        if check != b"%08x" % crc32(said):
            continue
        with suppress(ValueError):
            position, leaf, of_ = said.decode().split(" ")
            yield place, of_, AcknowledgedEnd(unquote(name.decode().strip()), int(position), bytes.fromhex(leaf))


# Comparison with the store


def books_with_lost_end(reader: SqliteReader, ends: dict[str, AcknowledgedEnd]) -> list[LostEnd]:
    """The books that lack acknowledged events. `ends` must be read before the store."""
    heads = {key_of_book(book): (book, head) for book, head in _heads(reader)}
    found = []
    for name, (known_as, position, leaf) in ends.items():
        book, there = heads.get(name, (known_as, 0))
        if position > there:
            ends_at = f"ends at event {there}" if there else "is not there"
            found.append(
                LostEnd(book, there, position, f"book {book:.80} {ends_at}, {_events(position)} recorded in it")
            )
        elif position and leaf_at(reader, book, position) != leaf:
            text = f"event {position} of book {book:.80} is not the one that was recorded there"
            found.append(LostEnd(book, there, position, text))
    return found


def bring_up(reader: SqliteReader, ends: dict[str, AcknowledgedEnd], file: EndsFile) -> None:
    """Note the ends that are missing or lag behind. OSError if that fails."""
    for book, head in _heads(reader):
        end = ends.get(key_of_book(book))
        if head and (end is None or end.position < head) and (leaf := leaf_at(reader, book, head)) is not None:
            file.note(book, head, leaf)


def reset_ends(reader: SqliteReader, path: Path) -> list[LostEnd]:
    """Reset the noted ends to those in the store at `path`. Returns the books whose acknowledged events are given up.

    Call it under the lock of the store. StoreError if they cannot be noted.
    """
    ends = read_ends(path)
    given_up = books_with_lost_end(reader, ends)
    known = EndsFile(path)
    try:
        there = dict(_heads(reader))
        for name in ends.keys() - {key_of_book(book) for book, head in there.items() if head}:
            known.forget(name)
        for book, head in there.items():
            if head and (leaf := leaf_at(reader, book, head)) is not None:
                known.note(book, head, leaf)
    except OSError as error:
        raise StoreError(
            f"the ends of the books cannot be noted ({error.strerror or error})", where=str(known.path),
            todo="Allow writing beside the store",
        ) from error  # fmt: skip
    finally:
        known.close()
    return given_up


def _heads(reader: SqliteReader) -> list[tuple[str, int]]:
    """The books with a valid last position."""
    return [(book, head) for book, head in reader.heads() if isinstance(book, str) and isinstance(head, int)]


def leaf_at(reader: SqliteReader, book: str, position: int) -> bytes | None:
    """The leaf of an event, sealed or not; None if the store has none there."""
    row = reader.leaf_of(book, position)
    if row is not None:
        return bytes(row[0]) if isinstance(row[0], bytes) else None
    for sealed in reader.sealed_in(book, position - 1, position):
        if sealed.last_pos == position and sealed.bound is None:
            return sealed.tip
        with suppress(UnreadableError):
            lines = unsealed_lines(sealed)
            for line, leaf in zip(lines, leaves_in(sealed, lines), strict=True):
                if line.pos == position:
                    return leaf
    return None


def _events(number: int) -> str:
    return f"{number} event{'s were' if number != 1 else ' was'}"
