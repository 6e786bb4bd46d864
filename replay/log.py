"""An event in its place after the corrections, and corrections without a target."""

from __future__ import annotations

from msgspec import Struct

from events.model import Plain, Recorded


class NumberedEvent(Struct, frozen=True, gc=False):
    """An event in its place in the corrected view.

    `n` is its number; `at` is the position that brought it (a fix, or `n` itself); `was` lists earlier versions,
    oldest first, with the position of each. `typed` is the event as it was typed, if a meld in it has another number
    now.
    """

    n: int
    at: int
    event: Plain
    recorded: Recorded
    was: tuple[tuple[int, Plain], ...] = ()
    typed: Plain | None = None


class Misfit(Struct, frozen=True):
    """A correction without a target."""

    at: int
    text: str
