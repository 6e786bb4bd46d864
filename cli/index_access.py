"""The index beside the store, as the commands ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from cli import VERSION, shell
from events.errors import StoreError
from records.projection.index import Index, IndexLine
from records.store_reader import StoreReader

T = TypeVar("T")

FEW = 50
"""With fewer matches to read there is no bar."""
MANY = 500
"""With fewer no other process is started, unless one was asked for."""


@contextmanager
def index_of(store: StoreReader, *, rebuild: bool = False, jobs: int = 0, engine: str = "") -> Iterator[Index]:
    """The index of a store, up to date. Where many matches have to be read for it, an engine does so (`replay.engines`): processes of
    this machine, `jobs` of them, if no other is named. UsageError if there is none of this name."""
    from replay.engines.choosing import engine_named
    from replay.season.facts import match_facts

    engine_named(engine, 1)
    many = 0

    def progress(matches: Iterable[str], total: int) -> Iterable[str]:
        nonlocal many
        many = total
        return shell.progress(matches, "reading matches", total) if total >= FEW else matches

    def spread(work: Callable[[str, T], IndexLine], matches: Iterable[str], context: T) -> Iterator[IndexLine]:
        used = engine_named(engine, shell.workers(jobs, many)) if many >= MANY or jobs or engine else engine_named("", 1)
        return used.run(work, matches, context, _lost)

    with Index.open(store, match_facts, VERSION, progress=progress, rebuild=rebuild, spread=spread) as index:
        yield index


def _lost(match: str, why: str) -> IndexLine:
    raise StoreError(f"what {match} comes to could not be worked out: {why}", todo="Try it with --engine processes --jobs 1")


__all__ = ["index_of"]
