"""A page of the tests in the registry, for as long as a test needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reducers.registry import PAGES, find_game


@contextmanager
def in_the_registry(key: str, module: str) -> Iterator[str]:
    """The page of this module is registered under a key while this lasts."""
    PAGES[key] = module
    find_game.cache_clear()
    try:
        yield key
    finally:
        del PAGES[key]
        find_game.cache_clear()
