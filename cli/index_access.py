"""The index beside the store, as used by the commands."""

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
"""With fewer matches to read, no progress bar is shown."""
MANY = 500
"""With fewer matches, no other process is started unless the user asked for it."""


@contextmanager
def index_of(store: StoreReader, *, rebuild: bool = False, jobs: int = 0, engine: str = "") -> Iterator[Index]:
    """The index of a store, up to date.

    If many matches have to be read, an engine reads them (`replay.engines`): by default `jobs` processes on this
    machine. Raises UsageError if there is no engine of this name.
    """
    from reducers.registry import version_of_pages
    from replay.engines.choosing import engine_named
    from replay.season.facts import match_facts

    engine_named(engine, 1)
    many = 0

    def progress(matches: Iterable[str], total: int) -> Iterable[str]:
        nonlocal many
        many = total
        return shell.progress(matches, "reading matches", total) if total >= FEW else matches

    def spread(work: Callable[[str, T], IndexLine], matches: Iterable[str], context: T) -> Iterator[IndexLine]:
        used = engine_named(
            engine, shell.workers(jobs, many),
        ) if many >= MANY or jobs or engine else engine_named("", 1)
        return used.run(work, matches, context, _lost)

    with Index.open(
        store, match_facts, version_of_pages(VERSION), progress=progress, rebuild=rebuild, spread=spread,
    ) as index:
        yield index


def _lost(match: str, why: str) -> IndexLine:
    raise StoreError(
        f"what {match} comes to could not be worked out: {why}", todo="Try it with --engine processes --jobs 1",
    )
