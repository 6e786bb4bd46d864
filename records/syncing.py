"""What was written is on the disk before anything rests on it."""

from __future__ import annotations

import os
from pathlib import Path


def synced(path: Path) -> None:
    """Make sure that a file is on the disk, or the names in a folder, as far as the system can be asked for that."""
    if os.name != "posix" and path.is_dir():
        return
    fd = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


__all__ = ["synced"]
