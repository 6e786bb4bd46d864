"""Bounded reading of input (events/limits.py): whole files, and archives match by match.

A folder, a device or a pipe without a writer is refused by name. An archive is JSON Lines with many matches; it is
read as a stream, with only the current match in memory.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import KibitzError, NotFoundError, UnreadableError
from events.kib import BEGINNING
from events.limits import AT_ONCE_BYTES, MAX_ARCHIVE_BYTES, MAX_BUNDLE_BYTES, MAX_LINE, MAX_MATCH_BYTES

Read = Callable[[int], bytes]
"""Returns at most n bytes; none at the end."""
_SPACE = b"\xef\xbb\xbf \r\n\t"


@contextmanager
def open_record_file(path: str | os.PathLike[str]) -> Iterator[Read]:
    """Open a file, or standard input (`-`), for reading in pieces. NotFoundError or UnreadableError if it fails."""
    name = os.fspath(path)
    if name == "-":
        yield _standard_input()
        return
    try:
        # Non-blocking, because opening a pipe without a writer would block all other files.
        fd = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=name) from error
    except (OSError, ValueError) as error:
        raise unreadable_file(name, error) from error
    try:
        mode = os.fstat(fd).st_mode
        _check_kind(name, mode)
        silent = stat.S_ISFIFO(mode)
        if silent:
            os.set_blocking(fd, True)

        def read(size: int) -> bytes:
            nonlocal silent
            try:
                data = os.read(fd, size)
            except OSError as error:
                raise unreadable_file(name, error) from error
            if silent and not data:
                raise UnreadableError("no program writes to this pipe", where=name, expected="a file")
            silent = False
            return data

        yield read
    finally:
        os.close(fd)


def _standard_input() -> Read:
    def read(size: int) -> bytes:
        try:
            stream: Any = sys.stdin.buffer  # `read1` returns what is available
            data: bytes = stream.read1(size)
            return data
        except (AttributeError, ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise
            raise UnreadableError("there is no standard input", todo="Name a file, or pipe something in") from error

    return read


def _check_kind(name: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableError(
            "the file cannot be read: this is a folder", where=name, expected="a file", todo="Name the files in it",
        )
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise UnreadableError("the file cannot be read: this is a device", where=name, expected="a file")


def unreadable_file(name: str, error: Exception) -> UnreadableError:
    """The error for a file that the system does not let us read."""
    return UnreadableError(f"the file cannot be read ({getattr(error, 'strerror', None) or error})", where=name)


def read_whole(path: str | os.PathLike[str], most: int = MAX_MATCH_BYTES) -> bytes:
    """All bytes of a file or of standard input. UnreadableError if there are more than `most`."""
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    with open_record_file(path) as read:
        return _rest(read, b"", name, most)


def read_utf8(path: str | os.PathLike[str], most: int) -> str:
    """All text of a file or of standard input. UnreadableError if it is not UTF-8, or has more than `most` bytes."""
    try:
        return read_whole(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable_file(os.fspath(path), error) from error


def _rest(read: Read, begun: bytes, name: str, most: int) -> bytes:
    pieces, size, piece = [], 0, begun or read(AT_ONCE_BYTES)
    while piece:
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise UnreadableError(
                "the file is too large", where=name, expected=f"at most {most} bytes",
                todo="Check that it is the right file; `kibitz import` takes archives of many matches",
            )  # fmt: skip
        piece = read(AT_ONCE_BYTES)
    return b"".join(pieces)


# Bundles and archives

_BUNDLE = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"kibitz_bundle"')


def is_bundle(data: bytes) -> bool:
    """True if the first bytes look like a bundle.

    >>> is_bundle(b'{"kibitz_bundle": 1}'), is_bundle(b'{"event": {}, "n": 0}')
    (True, False)
    """
    return _BUNDLE.match(data) is not None


class FilePart(Struct, frozen=True):
    """A match of a file: its bytes and the number of lines above it, or the error if it is refused."""

    name: str
    data: bytes
    error: KibitzError | None = None
    before: int = 0


def matches_in_file(path: str | os.PathLike[str]) -> Iterator[FilePart]:
    """The matches of a file, one at a time.

    JSON Lines may hold several, each starting with its opening; `.kib` may too, each starting with its header. A
    match that is too large does not stop the others. NotFoundError or UnreadableError if the file cannot be read.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    with open_record_file(path) as read:
        begun = b""
        while not begun.lstrip(_SPACE) and len(begun) <= AT_ONCE_BYTES and (piece := read(AT_ONCE_BYTES)):
            begun += piece
        if is_bundle(begun):
            yield FilePart(name, _rest(read, begun, name, MAX_BUNDLE_BYTES))
            return
        splitter = _Splitter if begun.lstrip(_SPACE)[:1] == b"{" else _HeadSplitter
        yield from splitter(name).parts(_whole_lines(read, begun, name))


def _whole_lines(read: Read, begun: bytes, name: str) -> Iterator[bytes]:
    """Blocks of whole lines. A line that is too long is cut just above the limit, so that it is still detected."""
    rest, size = b"", 0
    block = begun
    while block:
        size += len(block)
        if size > MAX_ARCHIVE_BYTES:
            raise UnreadableError("the file is too large", where=name, expected=f"at most {MAX_ARCHIVE_BYTES} bytes")
        if end := block.rfind(b"\n") + 1:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
        if len(rest) > MAX_LINE:
            rest = rest[: MAX_LINE + 1]
        block = read(AT_ONCE_BYTES)
    if rest:
        yield rest


class _Position(Struct):
    n: int = -1


_position = msgspec.json.Decoder(_Position)


class _Splitter:
    """Splits an archive at the lines where matches begin."""

    hints = re.compile(rb'"n":\s*[01][,}]')
    """Found in lines where a match may begin."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.above = 0  # lines above those kept
        self.lines = bytearray()  # lines of the current match and the current block
        self.begin = 0  # offset in `lines` where the match begins
        self.opening = -1  # offset of its opening, -1 if unreadable
        self.openings = 0  # matches begun
        self.given = 0  # matches yielded
        self.too_large = False

    def parts(self, blocks: Iterable[bytes]) -> Iterator[FilePart]:
        for block in blocks:
            at = len(self.lines)
            self.lines += block
            before = -1
            for hint in [found.start() for found in self.hints.finditer(self.lines, at)]:
                line = self._start(hint)
                if line == before:
                    continue
                before = line
                start = self._begins(line)
                if start >= 0:
                    self.openings += 1
                    # Lines above the first opening belong to the first match.
                    if self.openings > 1:
                        yield self._part(start)
                    self.opening = line if start == line else -1
            self._forget()
        yield self._part(len(self.lines), last=True)

    def _begins(self, line: int) -> int:
        """The offset where a match begins, given the line of its opening or first event; -1 if none begins there."""
        n = self._position_at(line)
        if n != 1:
            return line if n == 0 else -1
        opening = before = self._before(line)
        if opening in (-1, self.opening) or self._position_at(opening) >= 0:
            return -1
        # The line before cannot be read. After the last event of a match it is the opening of this one; after a
        # readable opening it belongs to that match.
        while before >= 0 and self._position_at(before) < 0:
            before = self._before(before)
        return opening if before >= 0 and self._position_at(before) > 0 else -1

    def _before(self, line: int) -> int:
        """The start of the previous line that is not blank; -1 if this is the first line of its match."""
        while line > self.begin:
            end, line = line, self._start(line - 1)
            if self.lines[line:end].strip():
                return line
        return -1

    def _start(self, at: int) -> int:
        return self.lines.rfind(b"\n", 0, at) + 1

    def _position_at(self, start: int) -> int:
        """The event number in the line; -1 if it cannot be read."""
        end = self.lines.find(b"\n", start)
        line = bytes(memoryview(self.lines)[start : end if end >= 0 else len(self.lines)])
        try:
            return _position.decode(line).n if len(line) <= MAX_LINE else -1
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return -1

    def _part(self, end: int, *, last: bool = False) -> FilePart:
        """The match up to `end`, where the next one begins."""
        self.given += 1
        name = self.name if last and self.given == 1 else f"{self.name}, match {self.given}"
        error = None
        if self.too_large or end - self.begin > MAX_MATCH_BYTES:
            error = UnreadableError(
                "the match is too large", where=name, expected=f"at most {MAX_MATCH_BYTES} bytes",
                todo="Part it in two matches, or look whether the openings of others are missing",
            )  # fmt: skip
        data = b"" if error else bytes(memoryview(self.lines)[self.begin : end])
        above = self.above
        self.above += self.lines.count(b"\n", self.begin, end)
        self.begin, self.too_large = end, False
        return FilePart(name, data, error, above)

    def _forget(self) -> None:
        """Drop the bytes already yielded, and those of a match that is too large."""
        del self.lines[: self.begin]
        self.opening -= self.begin
        self.begin = 0
        if self.too_large or len(self.lines) > MAX_MATCH_BYTES:
            self.too_large, self.opening = True, -1
            self.above += self.lines.count(b"\n")
            self.lines.clear()


class _HeadSplitter(_Splitter):
    """Splits a `.kib` file where records begin: at a header, or at a game tag after an event."""

    hints = re.compile(BEGINNING.encode())

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.openings = 1  # the first record begins with the file

    def _begins(self, line: int) -> int:
        found, before = self.hints.match(self.lines, line), self._before(line)
        while before >= 0 and (head := self.hints.match(self.lines, before)) and head["head"]:
            before = self._before(before)
        if found is None or before < 0:
            return -1
        return line if found["head"] or self.lines[before:line].lstrip()[:1] != b"[" else -1
