"""Bytes from outside, never more of them than there is room for (events/limits.py): whole files, and archives match by match.

What cannot be read is refused by name: a folder, a device, a pipe that nobody writes to. An archive is JSON Lines with
many matches in it; it is read in a stream, and of it only the match that is being read is in memory.
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
"""Gives at most so many bytes, and none at the end."""
_SPACE = b"\xef\xbb\xbf \r\n\t"


@contextmanager
def open_record_file(path: str | os.PathLike[str]) -> Iterator[Read]:
    """A file, or standard input (`-`), to be read piece by piece. NotFoundError or UnreadableError if it cannot be."""
    name = os.fspath(path)
    if name == "-":
        yield _standard_input()
        return
    try:
        # A pipe is opened without waiting for somebody who writes; else one of them would hold up all other files.
        fd = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=name) from error
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error
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
                raise _unreadable(name, error) from error
            if silent and not data:
                raise UnreadableError("nobody writes to this pipe", where=name, expected="a file")
            silent = False
            return data

        yield read
    finally:
        os.close(fd)


def _standard_input() -> Read:
    def read(size: int) -> bytes:
        try:
            stream: Any = sys.stdin.buffer  # `read1` takes what is there
            data: bytes = stream.read1(size)
            return data
        except (AttributeError, ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise
            raise UnreadableError("there is no standard input", todo="Name a file, or pipe something in") from error

    return read


def _check_kind(name: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableError("the file cannot be read: this is a folder", where=name, expected="a file", todo="Name the files in it")
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise UnreadableError("the file cannot be read: this is a device", where=name, expected="a file")


def _unreadable(name: str, error: Exception) -> UnreadableError:
    return UnreadableError(f"the file cannot be read ({getattr(error, 'strerror', None) or error})", where=name)


def read_whole(path: str | os.PathLike[str], most: int = MAX_MATCH_BYTES) -> bytes:
    """All that is in a file or comes from standard input. UnreadableError if there is more than `most`."""
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    with open_record_file(path) as read:
        return _rest(read, b"", name, most)


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
    """Whether a file looks like a bundle, by its first bytes.

    >>> is_bundle(b'{"kibitz_bundle": 1}'), is_bundle(b'{"event": {}, "n": 0}')
    (True, False)
    """
    return _BUNDLE.match(data) is not None


class FilePart(Struct, frozen=True):
    """A match of a file, as bytes, with the number of lines above it; or why it cannot be had."""

    name: str
    data: bytes
    error: KibitzError | None = None
    before: int = 0


def matches_in_file(path: str | os.PathLike[str]) -> Iterator[FilePart]:
    """The matches of a file, one at a time: JSON Lines may hold several, each begins with its opening; `.kib` may, each begins with
    its header.

    One that cannot be had, because it is too large, does not keep the others back. NotFoundError or UnreadableError if
    the file cannot be read.
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
    """Blocks of whole lines; of a line that is too long no more than shows that it is."""
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
    """Parts the lines of an archive where matches begin."""

    hints = re.compile(rb'"n":\s*[01][,}]')
    """What stands in the lines where a match may begin."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.above = 0  # lines above those kept
        self.lines = bytearray()  # those of the match that is being read, and of the block at hand
        self.begin = 0  # where in them the match begins
        self.opening = -1  # where its opening stands, if that can be read
        self.openings = 0  # so many matches have begun
        self.given = 0  # so many were given away
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
                    # What stands above the first opening belongs to the first match.
                    if self.openings > 1:
                        yield self._part(start)
                    self.opening = line if start == line else -1
            self._forget()
        yield self._part(len(self.lines), last=True)

    def _begins(self, line: int) -> int:
        """Where the match begins whose opening or first event is this line; -1 if none does."""
        n = self._position_at(line)
        if n != 1:
            return line if n == 0 else -1
        opening = before = self._before(line)
        if opening in (-1, self.opening) or self._position_at(opening) >= 0:
            return -1
        # The line before cannot be read. Behind the last event of a match it was the opening of this one; behind an
        # opening that can be read it belongs to that.
        while before >= 0 and self._position_at(before) < 0:
            before = self._before(before)
        return opening if before >= 0 and self._position_at(before) > 0 else -1

    def _before(self, line: int) -> int:
        """Where the line before this one starts, blank ones left out; -1 if it is the first of its match."""
        while line > self.begin:
            end, line = line, self._start(line - 1)
            if self.lines[line:end].strip():
                return line
        return -1

    def _start(self, at: int) -> int:
        return self.lines.rfind(b"\n", 0, at) + 1

    def _position_at(self, start: int) -> int:
        """The position that the line names; -1 if it cannot be read."""
        end = self.lines.find(b"\n", start)
        line = bytes(memoryview(self.lines)[start : end if end >= 0 else len(self.lines)])
        try:
            return _position.decode(line).n if len(line) <= MAX_LINE else -1
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return -1

    def _part(self, end: int, *, last: bool = False) -> FilePart:
        """The match up to `end`; the next one begins there."""
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
        """Let go of what was given away, and of a match that is too large to be kept."""
        del self.lines[: self.begin]
        self.opening -= self.begin
        self.begin = 0
        if self.too_large or len(self.lines) > MAX_MATCH_BYTES:
            self.too_large, self.opening = True, -1
            self.above += self.lines.count(b"\n")
            self.lines.clear()


class _HeadSplitter(_Splitter):
    """Parts the lines of a `.kib` file where records begin: at a header, or at the tag of the game behind an event."""

    hints = re.compile(BEGINNING.encode())

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.openings = 1  # the first record has begun, whatever stands there

    def _begins(self, line: int) -> int:
        found, before = self.hints.match(self.lines, line), self._before(line)
        while before >= 0 and (head := self.hints.match(self.lines, before)) and head["head"]:
            before = self._before(before)
        if found is None or before < 0:
            return -1
        return line if found["head"] or self.lines[before:line].lstrip()[:1] != b"[" else -1
