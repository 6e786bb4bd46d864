"""Errors that a writer can act on: another writer was faster, or the match is sealed."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import ConflictError, StoreError
from events.model import Recorded


class StaleWriterError(ConflictError):
    """The match has grown since the writer last read it. Nothing was written.

    `unseen` are the events that the writer has not seen, in order. `last` is the number of the last event in the
    store. `unseen` is empty if the writer claims to have seen more events than the store has.
    """

    def __init__(self, match: str, expect: int, last: int, unseen: Sequence[Recorded]) -> None:
        self.match, self.expect, self.last, self.unseen = match, expect, last, list(unseen)
        if last > expect:
            added = "1 event was" if last - expect == 1 else f"{last - expect} events were"
            what, todo = f"{added} added after event {expect}", "Look at what was added, then try again"
        else:
            what, todo = f"the writer has seen event {expect}, the store ends at event {last}", "Read the match again"
        super().__init__(what, where=f"match {match}", expected=f"event {expect} to be the last", todo=todo)


class SealedError(ConflictError):
    """The match is sealed: nothing can be added to it before it is unsealed. Nothing was written."""

    def __init__(self, match: str) -> None:
        self.match = match
        super().__init__(
            "the match is sealed, nothing can be added to it",
            where=f"match {match}",
            todo=f"For a later correction or ruling open it again: `kibitz db seal --unseal {match}`",
        )


class TryAgainError(StoreError):
    """The database rolled this transaction back because of a concurrent one. Nothing was written; it may be retried."""
