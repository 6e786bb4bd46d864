"""An event in its place after the corrections, and corrections that fit nowhere."""

from __future__ import annotations

from msgspec import Struct

from events.model import Plain, Recorded


class NumberedEvent(Struct, frozen=True, gc=False):
    """An event in its place in the corrected view.

    `n` is what it is called; `at` is the position that says when it was known (the fix that brought it, or `n`
    itself); `was` lists what stood here before, oldest first, with the position that wrote it. `typed` is the event as
    it was typed, if a meld in it has another number now.
    """

    n: int
    at: int
    event: Plain
    recorded: Recorded
    was: tuple[tuple[int, Plain], ...] = ()
    typed: Plain | None = None


class Misfit(Struct, frozen=True):
    """A correction that points nowhere."""

    at: int
    text: str
