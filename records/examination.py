"""All that is to be said of whether a book is what was written: its events, how its matches ended, and its pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from events.model import Recorded
from records.attachments import Looked, faults, looked_over
from records.proof.checkpoints import Checkpoint
from records.proof.verify import Change, Verified
from records.store import Store

Ended = Callable[[Sequence[Recorded]], tuple[bool, bool] | None]
"""Whether a log says that its match is over, and whether it keeps a verdict; None for a game whose rules nobody here knows."""


class Examined(Struct, frozen=True):
    """What was found in a book, in what was verified, and in its pictures. `unlisted` are matches that are over by their events, and not
    listed so: a program may have been ended in between."""

    done: Verified
    found: list[Change]
    pictures: list[Looked]
    unlisted: list[str]


def examined(store: Store, book: str, against: Checkpoint | None = None, keys: Sequence[bytes] = (), *, ended: Ended) -> Examined:
    """Examine a book, also against a checkpoint from elsewhere. Raises as `Store.verify` does."""
    broken, done = store.faults(), store.verify(book, against, keys)
    whole = not (broken or done.found)
    ends, unlisted = ends_of(store, book, ended) if whole else ([], [])
    gone = [
        Change("cut" if one.there < one.position else "forked", one.text, min(one.there + 1, one.position), one.position)
        for one in store.backend.gone
        if whole and one.book == book
    ]
    pictures = looked_over(store, book)
    return Examined(done, [*broken, *done.found, *gone, *ends, *faults(pictures)], pictures, unlisted)


def ends_of(store: Store, book: str, ended: Ended) -> tuple[list[Change], list[str]]:
    """The matches of a book whose entry says that they are over, or that they are not, against what their events say; and those that
    are over and not listed so.

    Only if the events leave no doubt: rules may have been corrected since a match was recorded.
    """
    found, unlisted = [], list[str]()
    for row in store.matches(book=book):
        said = ended(store.read(row.match))
        if said is None:
            continue
        over, kept = said
        if row.over and not over and not kept:
            found.append(Change("edited", f"the entry of match {row.match} was changed: it says that it is over, its events do not", match=row.match))
        elif over and kept and not row.over:
            found.append(Change("edited", f"the entry of match {row.match} was changed: it says that it is not over, its events say that it is", match=row.match))
        elif over and not row.over:
            unlisted.append(row.match)
    return found, unlisted


__all__ = ["Ended", "Examined", "ends_of", "examined"]
