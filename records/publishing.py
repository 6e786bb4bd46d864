"""Finished matches out of one store into another that anybody may read, as the public sees them.

What is published is a record of its own: it has another chain and other signatures, because cards, remarks and recorders are left out
of it. What the public sees of a log follows from the rules, so that the function that says it is handed in (`replay.visibility.published`).
The same store can be published to again later; what was added since is appended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from msgspec import Struct

from events.errors import ConflictError, NotFoundError, UnreadableError
from events.model import Recorded
from records.errors import SealedError
from records.names import first_names, sidecar_path
from records.postgres.address import is_address
from records.rows import MatchRow
from records.sqlite.opening import finish_naming, named_when_whole
from records.store import Store
from records.store_reader import StoreReader

_BESIDE = ("key", "signer", "forks", "ends", "signed")
"""The endings of what belongs to a store and is kept beside it."""
Shown = Callable[[Sequence[Recorded]], list[Recorded] | None]
"""A log as the public sees it; None if it is not for the public at all. Raises KibitzError for one that cannot be shown."""


class Published(Struct, frozen=True):
    """What became of a match. `refused`: it stands there as something else, or cannot be shown; `error` says so, and nothing was
    written."""

    match: str
    status: Literal["new", "same", "appended", "refused"]
    added: int = 0
    error: str = ""


@contextmanager
def opened_to_publish(target: str) -> Iterator[Store]:
    """The store to publish to, made if it is missing: then nothing has its name before everything is in it.

    Raises as `Store.open` does; also if the store is gone and what lay beside it is not.
    """
    path = Path(target)
    if not is_address(target) and not path.exists() and path.parent.is_dir():
        finish_naming(path, _BESIDE)
        if not any(sidecar_path(path, ending).exists() for ending in ("ends", "signed")) and not path.exists():
            with named_when_whole(path, _BESIDE) as new, Store.open(new) as store:
                yield store
            return
    with Store.open(target) as store:
        yield store


def publish(source: StoreReader, target: Store, shown: Shown, books: Sequence[str] = ()) -> Iterator[Published]:
    """Publish the finished matches of some books, of all if none is named. Variations are left out, and what `shown` keeps back; a name
    that is to be forgotten is published as it is shown.

    Each match is durable when it is yielded, if the target has its name. NotFoundError for a book that is not there; StoreError if a store fails.
    """
    rows = source.matches()
    there = sorted({row.book for row in rows})
    for book in books:
        if book not in there:
            raise NotFoundError(f"there is no match in the book {book[:80]!r}", where=source.backend.place, expected=first_names(there) or "a book; the store has none yet")
    for row in sorted(rows, key=lambda row: (row.created, row.match)):
        if row.over and row.parent is None and (not books or row.book in books):
            try:
                public = shown(source.told(row.match))
                if public is not None:
                    yield _put(row, public, target)
            except UnreadableError as error:
                yield Published(row.match, "refused", error=str(error))
            except SealedError as error:
                yield Published(row.match, "refused", error=f"{error}, in the store to publish to")
            except ConflictError as error:
                why = f"what the public sees of {error.where} is not what was published. Publish into an empty store to show it as it is now"
                yield Published(row.match, "refused", error=why)


def _put(row: MatchRow, public: Sequence[Recorded], target: Store) -> Published:
    done = target.import_match(row.match, public, game=row.game, book=row.book)
    if done.status != "same":
        target.set_over(row.match, True)
    return Published(row.match, done.status, done.added)
