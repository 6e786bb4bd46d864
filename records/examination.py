"""Full examination of a book: its events, the ends of its matches, and its pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from events.model import Recorded
from records.attachments import PictureState, faults, looked_over
from records.proof.checkpoints import Checkpoint
from records.proof.verify import Change, Verified
from records.store import Store

Ended = Callable[[Sequence[Recorded]], tuple[bool, bool] | None]
"""Returns (match is over, verdict is kept) for a log; None for a game with unknown rules."""


class Examined(Struct, frozen=True):
    """Findings about a book, its verified events and its pictures.

    `unlisted` are matches that are over by their events but not by their rows, after an interruption."""

    done: Verified
    found: list[Change]
    pictures: list[PictureState]
    unlisted: list[str]


def examined(
    store: Store, book: str, against: Checkpoint | None = None, keys: Sequence[bytes] = (), *, ended: Ended,
) -> Examined:
    """Examine a book, optionally against a checkpoint from elsewhere. Raises as `Store.verify` does."""
    broken, done = store.faults(), store.verify(book, against, keys)
    whole = not (broken or done.found)
    ends, unlisted = ends_of(store, book, ended) if whole else ([], [])
    gone = [
        Change(
            "cut" if one.there < one.position else "forked", one.text, min(one.there + 1, one.position), one.position,
        )
        for one in store.backend.gone
        if whole and one.book == book
    ]
    pictures = looked_over(store, book)
    return Examined(done, [*broken, *done.found, *gone, *ends, *faults(pictures)], pictures, unlisted)


def ends_of(store: Store, book: str, ended: Ended) -> tuple[list[Change], list[str]]:
    """Compare the row of each match in a book with its events: is it over? Also list matches over but not marked so.

    A difference is reported only if the events leave no doubt: rules may have been corrected since a match was
    recorded."""
    found, unlisted = [], list[str]()
    for row in store.matches(book=book):
        said = ended(store.read(row.match))
        if said is None:
            continue
        over, kept = said
        if row.over and not over and not kept:
            found.append(
                Change(
                    "edited", f"the entry of match {row.match} was changed: it says that it is over, its events do not",
                    match=row.match,
                )
            )
        elif over and kept and not row.over:
            found.append(
                Change(
                    "edited",
                    f"the entry of match {row.match} was changed: it says that it is not over, its events "
                    "say that it is",
                    match=row.match,
                )
            )
        elif over and not row.over:
            unlisted.append(row.match)
    return found, unlisted
