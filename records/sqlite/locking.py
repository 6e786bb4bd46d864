"""One lock for all programs that write to a store, and a check of the file system.

SQLite 3.7.0 to 3.51.2 can damage a WAL if one connection writes while another checkpoints, and many Python builds
have such a version. So every append, every checkpoint, and every opening and closing that may checkpoint runs under
one lock on a small file beside the store, `NAME-lock`.

This is not the library `filelock`, because the lock is taken for every append: this one keeps its file open, so that
a turn costs two system calls, and never removes the file (a lock on a deleted file guards nothing).

The file is empty. If a write to the store fails on the disk, the reason is written into it; then all writing stops
until the store was opened again and verified.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from events.errors import StoreError
from records.names import sidecar_path

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try(fd: int) -> bool:
        try:
            os.lseek(fd, 1 << 30, os.SEEK_SET)  # beyond the text, so that the reason can be read
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _free(fd: int) -> None:
        os.lseek(fd, 1 << 30, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    # flock belongs to the open file, not to the process: two stores in one process exclude each other too, and
    # closing one of them does not drop the lock of the other.
    def _try(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _free(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)


IN_USE = ("the store is in use by another program", "Wait a moment and try again, or close the other program")


class FileLock:
    """The lock of one store. Made by `FileLock.of`; belongs to one thread, which may hold it more than once.

    Without a file (`fd` is None) it is the dummy lock of a reader: reading changes nothing, and a read-only
    connection neither checkpoints nor removes the WAL, not even as the last one to close.
    """

    def __init__(self, path: Path, fd: int | None) -> None:
        self._store, self._fd = path, fd
        self._depth = 0

    @classmethod
    def of(cls, path: Path) -> FileLock:
        """The lock of the store at `path`; its file is created if it is missing. OSError if that fails."""
        name = sidecar_path(path, "lock")
        try:
            fd = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        except PermissionError:
            fd = os.open(name, os.O_RDONLY)  # another user's lock file works too
        return cls(path, fd)

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Hold the lock; wait at most `timeout` seconds for it. StoreError if others keep it for longer."""
        self.take(timeout)
        try:
            yield
        finally:
            self.give_back()

    def take(self, timeout: float) -> None:
        """Take the lock as `held` does; `give_back` or `back_to` must follow. StoreError as there."""
        if self._fd is not None and not self._depth and not _try(self._fd):
            self._wait(self._fd, timeout)
        self._depth += 1

    @property
    def depth(self) -> int:
        """How many times it is held."""
        return self._depth

    def back_to(self, depth: int) -> None:
        """Reduce the depth to this value; a second call does no harm."""
        if self._depth > depth or not depth:
            self._depth = depth
            if self._fd is not None and not depth:
                try:
                    _free(self._fd)
                except BaseException:  # an interrupt must not leave others waiting
                    _free(self._fd)
                    raise

    def give_back(self) -> None:
        """Release the lock, unless it was taken more often."""
        self._depth -= 1
        if self._fd is not None and not self._depth:
            _free(self._fd)

    def _wait(self, fd: int, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        pause = 0.0002
        while not _try(fd):
            if time.monotonic() >= deadline:
                raise StoreError(IN_USE[0], where=str(self._store), todo=IN_USE[1])
            from random import random

            # A random pause, so that no waiting program is always late.
            time.sleep(pause * (0.5 + random()))
            pause = min(pause * 1.5, 0.005)

    def trouble(self) -> str:
        """The reason why the store must be verified before any write; empty if there is none."""
        if self._fd is None or not os.lseek(self._fd, 0, os.SEEK_END):
            return ""
        os.lseek(self._fd, 0, os.SEEK_SET)
        return os.read(self._fd, 500).decode("utf-8", "replace").strip() or "the disk reported an error"

    def mark(self, reason: str) -> None:
        """Note that the store must be verified before the next write. A failure to note it is ignored."""
        if self._fd is not None:
            with suppress(OSError):
                os.lseek(self._fd, 0, os.SEEK_SET)
                os.write(self._fd, (reason[:400] + "\n").encode())

    def clear(self) -> None:
        """Allow writing again after the store was verified. StoreError if that cannot be noted."""
        if self._fd is not None and os.fstat(self._fd).st_size:
            try:
                os.ftruncate(self._fd, 0)
            except OSError as error:
                raise StoreError(
                    f"the lock file cannot be written ({error.strerror})", where=str(sidecar_path(self._store, "lock"))
                ) from error

    def close(self) -> None:
        """Close the file, which releases the lock if it is held."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


# File systems shared with other machines: locks and shared memory do not work there.
_NETWORK = frozenset([
    "9p", "afp", "afs", "ceph", "cifs", "coda", "davfs", "fuse.davfs", "fuse.glusterfs", "fuse.sshfs", "gfs2",
    "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "prl_fs", "smb2", "smb3", "smbfs", "vboxsf",
    "vmhgfs", "fuse.vmhgfs-fuse", "virtiofs",
])


def network_warning(path: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """A warning if the store is on a file system shared with other machines; empty if not, or if unknown."""
    try:
        lines = mounts.read_bytes().splitlines()
    except OSError:
        return ""
    where = os.fsencode(os.path.realpath(path))
    best, kind = b"", ""
    for line in lines:
        fields = line.split(b" ")
        if len(fields) < 3:
            continue
        point = fields[1].replace(b"\\040", b" ").replace(b"\\011", b"\t").replace(b"\\134", b"\\")
        inside = where == point or where.startswith(point.rstrip(b"/") + b"/")
        if inside and len(point) >= len(best):
            best, kind = point, fields[2].decode("ascii", "replace")
    if kind not in _NETWORK:
        return ""
    return (
        f"{path}: this store lies on a network file system ({kind}), where locks cannot be relied upon: events may be "
        "lost. Move it to a disk of this machine"
    )
