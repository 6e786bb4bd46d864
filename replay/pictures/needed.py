"""Packages for images: those of the extra `pictures`, imported when an image is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from events.errors import UsageError


@contextmanager
def needed() -> Iterator[None]:
    """A block for imports from the extra. Raises UsageError if one of them is missing."""
    try:
        yield
    except ImportError as error:
        raise UsageError(
            f"the package '{error.name}', which pictures are drawn with, is not installed",
            expected="the extra `pictures`",
            todo="`pip install 'kibitz[pictures]'` installs it",
        ) from error
