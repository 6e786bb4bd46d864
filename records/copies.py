"""Copies of attached pictures: files in one folder beside the store, `NAME-attached`, each named by its hash.

A copy is on disk before an event names it: it is written under another name, synced and renamed, and the folder is
synced. A failure before the event leaves at most a file that no event names. File names never come from outside, and
files are never trusted: only bytes with the right hash are returned.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from events.errors import NotFoundError, StoreError, UnreadableError
from events.limits import AT_ONCE_BYTES, MAX_ATTACHMENT_BYTES
from events.picture_notes import KINDS
from records.intake import unreadable_file
from records.names import sidecar_path
from records.syncing import synced

ENDINGS = {"jpeg": "jpg", "png": "png", "webp": "webp", "pdf": "pdf"}
_NAME = re.compile(r"[0-9a-f]{64}\.(?:jpg|png|webp|pdf)")
_PART = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{16}\.part")
_NOT_FOLLOWED = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)

State = Literal["kept", "missing", "changed", "unreadable"]


class ReadPicture(Struct, frozen=True):
    """A picture that was read: its hash, its kind, its bytes."""

    sha256: str
    kind: str
    data: bytes


def is_ours(name: str) -> bool:
    """True if the file name has the form of a copy, finished or not."""
    return bool(_NAME.fullmatch(name) or _PART.fullmatch(name))


def picture_kind(data: bytes) -> str:
    """The kind of a picture by its first bytes; empty if the kind is not supported.

    >>> picture_kind(b"%PDF-1.7"), picture_kind(b"hello")
    ('pdf', '')
    """
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
        return "png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return "pdf" if data.startswith(b"%PDF-") else ""


def picture_from_bytes(data: bytes, where: str) -> ReadPicture:
    """Bytes as a picture to attach. UnreadableError if the kind is not supported."""
    kind = picture_kind(data)
    if not kind:
        raise UnreadableError(
            "this is not a picture that can be attached" if data else "the file is empty", where=where,
            expected=f"{', '.join(list(KINDS.values())[:-1])} or PDF, by what is in it",
            todo="Save it as JPEG, for example",
        )  # fmt: skip
    return ReadPicture(hashlib.sha256(data).hexdigest(), kind, data)


def read_picture(path: str | os.PathLike[str]) -> ReadPicture:
    """Read a picture from a file, once and bounded in size. A link is followed; a folder, device or pipe is refused.

    NotFoundError or UnreadableError if it cannot be read, is too large, is no picture, or changes while it is read.
    """
    name = os.fspath(path)
    try:
        fd = os.open(name, _READ)
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=name) from error
    except (OSError, ValueError) as error:
        raise unreadable_file(name, error) from error
    try:
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            what = (
                "a folder" if stat.S_ISDIR(before.st_mode) else "a pipe" if stat.S_ISFIFO(before.st_mode)
                else "a device"
            )
            raise UnreadableError(f"the file cannot be read: this is {what}", where=name, expected="a file")
        data = _bytes(fd, MAX_ATTACHMENT_BYTES + 1)
        after = os.fstat(fd)
    except OSError as error:
        raise unreadable_file(name, error) from error
    finally:
        os.close(fd)
    if len(data) > MAX_ATTACHMENT_BYTES:
        raise UnreadableError(
            "the picture is too large", where=name, expected=f"at most {MAX_ATTACHMENT_BYTES} bytes",
            todo="Save it smaller"
        )
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or len(data) != after.st_size:
        raise UnreadableError("the file changed while it was read", where=name, todo="Try again once it is written")
    return picture_from_bytes(data, name)


def _bytes(fd: int, most: int) -> bytes:
    pieces, left = [], most
    while left and (piece := os.read(fd, min(AT_ONCE_BYTES, left))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


class Copies:
    """The folder of a store's copies, created with the first of them."""

    def __init__(self, store: Path) -> None:
        self.folder = sidecar_path(store, "attached")

    def path(self, sha256: str, kind: str) -> Path:
        """The path of a picture's copy, whether it exists or not."""
        return self.folder / f"{sha256}.{ENDINGS[kind]}"

    # Writing

    def prepare(self, new: ReadPicture) -> Path:
        """Write the bytes to a temporary file and sync it; `settle` renames it. StoreError if this fails.

        Called before the store is locked, so that writers do not wait for it.
        """
        part = self.folder / f"{new.sha256}.{os.urandom(8).hex()}.part"
        with self.written("the picture cannot be kept"):
            if not self.folder.is_dir():
                self.folder.mkdir(exist_ok=True)
                synced(self.folder.parent)
            try:
                fd = os.open(
                    part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOT_FOLLOWED | getattr(os, "O_BINARY", 0), 0o666,
                )
                with os.fdopen(fd, "wb") as file:
                    file.write(new.data)
                    file.flush()
                    os.fsync(file.fileno())
            except BaseException:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                raise
        return part

    def settle(self, new: ReadPicture, part: Path) -> bool:
        """Rename a prepared file to its final name, under the store's lock; False if a good copy exists already.

        Either way the copy is durable on return. StoreError if this fails.
        """
        with self.written("the picture cannot be kept"):
            there = self.state(new.sha256, new.kind) == "kept"
            if there:
                part.unlink(missing_ok=True)
            else:
                if not part.exists():  # a concurrent cleanup removed it
                    part = self.prepare(new)
                os.replace(part, self.path(new.sha256, new.kind))
            synced(self.folder)
        return not there

    def drop(self, sha256: str, kind: str) -> bool:
        """Delete a copy; False if there was none. StoreError if it cannot be deleted."""
        with self.written("the copy cannot be removed"):
            try:
                self.path(sha256, kind).unlink()
            except FileNotFoundError:
                return False
            synced(self.folder)
        return True

    def clean(self, names: list[str]) -> None:
        """Delete unused files, under the store's lock; only those that Kibitz itself has named."""
        with self.written("a file cannot be removed"):
            for name in names:
                if is_ours(name):
                    (self.folder / name).unlink(missing_ok=True)
            if names:
                synced(self.folder)

    @contextmanager
    def written(self, what: str, where: Path | None = None) -> Iterator[None]:
        """Raise an OSError inside as StoreError with advice."""
        try:
            yield
        except OSError as error:
            from records.proof.signers import room  # imported late: needed only for an error

            raise StoreError(
                f"{what} ({error.strerror or error})", where=str(where or self.folder), todo=room(error),
            ) from error

    # Reading

    def state(self, sha256: str, kind: str) -> State:
        """The state of a picture's copy. A link in its place counts as changed."""
        return self._state(self.path(sha256, kind).name)

    def _state(self, name: str) -> State:
        path = self.folder / name
        try:
            fd = os.open(path, _READ | _NOT_FOLLOWED)
        except FileNotFoundError:
            return "missing"
        except OSError:
            return "changed" if path.is_symlink() else "unreadable"
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return "changed"
            hashed, left = hashlib.sha256(), MAX_ATTACHMENT_BYTES + 1
            while left and (piece := os.read(fd, min(AT_ONCE_BYTES, left))):
                hashed.update(piece)
                left -= len(piece)
        except OSError:
            return "unreadable"
        finally:
            os.close(fd)
        return "kept" if left and hashed.hexdigest() == name[:64] else "changed"

    def read(self, sha256: str, kind: str) -> bytes | None:
        """The bytes of a picture; None if its copy is missing or changed."""
        try:
            fd = os.open(self.path(sha256, kind), _READ | _NOT_FOLLOWED)
            try:
                if not stat.S_ISREG(os.fstat(fd).st_mode):
                    return None
                data = _bytes(fd, MAX_ATTACHMENT_BYTES + 1)
            finally:
                os.close(fd)
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == sha256 else None

    def names(self) -> list[str]:
        """All files in the folder."""
        try:
            return sorted(os.listdir(self.folder))
        except OSError:
            return []

    def pictures(self) -> list[str]:
        """The files in the folder that have the name of a finished copy."""
        return [name for name in self.names() if _NAME.fullmatch(name)]

    # The whole folder

    def copy_to(self, other: Copies, *, link: bool = False) -> int:
        """Copy every picture that another store's folder lacks, and return their number.

        They are durable on return, and no file is half written. With `link`, hard links are tried. OSError if it
        fails.
        """
        names = [name for name in self.pictures() if other._state(name) != "kept"]
        if names and not other.folder.is_dir():
            other.folder.mkdir(exist_ok=True)
            synced(other.folder.parent)
        for name in names:
            _copied(self.folder / name, other.folder / name, link=link)
        if names:
            synced(other.folder)
        return len(names)


def _copied(source: Path, target: Path, *, link: bool) -> None:
    """Copy one file to a new name, completely or not at all. A file that was deleted meanwhile, or is not regular, is
    skipped."""
    part = target.with_name(f"{target.name[:64]}.{os.urandom(8).hex()}.part")
    try:
        if not stat.S_ISREG(source.lstat().st_mode):
            return
        if link:
            with suppress(OSError):
                os.link(source, target)
                return
        fd = os.open(source, _READ | _NOT_FOLLOWED)
    except FileNotFoundError:
        return
    try:
        with os.fdopen(fd, "rb") as old, part.open("xb") as new:
            while piece := old.read(AT_ONCE_BYTES):
                new.write(piece)
            new.flush()
            os.fsync(new.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
