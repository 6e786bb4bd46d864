"""Syncs files and folders to the disk."""

from __future__ import annotations

import os
from pathlib import Path


def synced(path: Path) -> None:
    """Sync a file, or the names in a folder, as far as the operating system allows."""
    if os.name != "posix" and path.is_dir():
        return
    fd = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
