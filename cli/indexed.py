"""The index beside the store, as the commands ask it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cli import VERSION, shell
from events.errors import NotFoundError
from records.projection.index import Index
from records.projection.search import people
from records.register import plain
from records.store_reader import StoreReader

FEW = 50
"""With fewer matches to read there is no bar."""


@contextmanager
def index_of(store: StoreReader, *, rebuild: bool = False) -> Iterator[Index]:
    """The index of a store, up to date."""
    from replay.season.facts import match_facts

    def progress(matches: Iterable[str], total: int) -> Iterable[str]:
        return shell.progress(matches, "reading matches", total) if total >= FEW else matches

    with Index.open(store, match_facts, VERSION, progress=progress, rebuild=rebuild) as index:
        yield index


def somebody(index: Index, store: StoreReader, text: str) -> int:
    """The number of a player, by id or name, or of a name that is linked to nobody. NotFoundError if nobody is meant."""
    everybody = people(index)
    free = [id for id, label, player, *_ in everybody if not player and label == plain(text)]
    try:
        player = store.register.named(text)
    except NotFoundError:
        if free:
            return free[0]
        raise
    return next((id for id, _, key, *_ in everybody if key == player.id), 0)


__all__ = ["index_of", "somebody"]
