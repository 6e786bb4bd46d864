"""Publishes finished matches from one store to another, as the public may see them.

A published record is a record of its own, with another hash chain and other signatures, because cards, remarks and
recorders are left out. What the public may see follows from the rules, so the function that selects it is passed in
(`replay.visibility.published`). Publishing to the same store again appends what was added since.
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
"""Endings of the files that are kept beside a store."""
Shown = Callable[[Sequence[Recorded]], list[Recorded] | None]
"""Returns a log as the public sees it; None if it is not public. Raises KibitzError if it cannot be shown."""


class Published(Struct, frozen=True):
    """Result for one match. `refused`: the target has other events for it, or it cannot be shown; see `error`.
    Nothing was written."""

    match: str
    status: Literal["new", "same", "appended", "refused"]
    added: int = 0
    error: str = ""


@contextmanager
def opened_to_publish(target: str) -> Iterator[Store]:
    """The target store, created if it is missing; a new one gets its name only when it is complete.

    Raises as `Store.open` does, also if the store is gone but files beside it are not.
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
    """Publish the finished matches of some books (of all, if none is named). Skips variations and what `shown`
    withholds.

    Names to be forgotten are replaced. A yielded match is durable, if the target exists under its name. NotFoundError
    for a missing book; StoreError if a store fails."""
    rows = source.matches()
    there = sorted({row.book for row in rows})
    for book in books:
        if book not in there:
            raise NotFoundError(
                f"there is no match in the book {book[:80]!r}", where=source.backend.place,
                expected=first_names(there) or "a book; the store has none yet",
            )
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
                why = (
                    f"what the public sees of {error.where} is not what was published. Publish into an "
                    "empty store to show it as it is now"
                )
                yield Published(row.match, "refused", error=why)


def _put(row: MatchRow, public: Sequence[Recorded], target: Store) -> Published:
    done = target.import_match(row.match, public, game=row.game, book=row.book)
    if done.status != "same":
        target.set_over(row.match, True)
    return Published(row.match, done.status, done.added)
