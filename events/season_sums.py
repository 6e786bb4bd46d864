"""The sums that a table of a season is computed from: an index of matches makes them, `replay.season` reads them."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct


class PlayedDay(NamedTuple):
    """A player's sums over the matches of one game on one day. `unknown` totals are not in `points`. `difference`
    sums by how much the own side was better than the best other one; `vp` sums the victory points for that, `chips`
    the totals less what was brought to the table. What the director decided is a row of its own, of that `kind`."""

    who: int
    game: str
    day: str
    matches: int
    won: int
    lost: int
    hands: int
    hands_won: int
    points: float
    unknown: int
    made: int
    failed: int
    difference: float = 0
    vp: float = 0
    chips: int = 0
    kind: str = ""


class Adjustment(Struct, frozen=True):
    """A decision of the director: figures that are added to those of a player on a day, in the tables of a book and a
    game. `kind` is "bye", "absent" or "adjusted"; `n` is its entry in the register."""

    player: str
    label: str
    book: str
    game: str
    day: str
    kind: str
    figures: dict[str, float]
    why: str
    n: int


class LeftOutRow(Struct, frozen=True):
    """A match that is not counted, and the reason."""

    match: str
    game: str
    day: str
    why: str
