"""An event in its place after the corrections, and corrections without a target."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from events.errors import UnreadableError
from events.model import Open, Plain, Recorded


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


def first_opening(log: Sequence[Recorded]) -> Open:
    """The opening that a log begins with. Raises UnreadableError if there is none."""
    if not log or not isinstance(log[0].event, Open):
        raise UnreadableError(
            "the record does not begin with the opening of a match", expected="a tag block that names the game",
            todo='Begin it with tags like [Game "kaiser"].',
        )
    return log[0].event
