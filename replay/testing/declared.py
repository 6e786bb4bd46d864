"""What the suite has to know about a game besides its page: a `conftest.py` beside the tests of a page fills it in.

    from replay.testing.declared import PROVEN, VALUES

    VALUES["hearts", "target"] = (1, 30)
    PROVEN["hearts"] = "7/7 5/7 7/7 2/2 5/7 7/7 4/4 5/7 5/5 7/7 6/7"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.model import Facts
from reducers.model import State

Told = Callable[[State[Any]], Facts]
"""Computes the facts of a tally for the result of a hand, from the state at its end."""

VALUES: dict[tuple[str, str], tuple[Any, ...]] = {}
"""The values to try for an option, by game and option, if its smallest and largest value do not serve: a text; a match
that would be endless or long; a number that matters only if it is large."""
WITH: dict[tuple[str, str], Mapping[str, Any]] = {}
"""The other options without which an option has no effect."""
SEATED: dict[tuple[str, str], int] = {}
"""The number of players that an option is meant for."""
TOLD: dict[str, Told] = {}
"""How a table would write the tally of a hand, if that differs from the tally that the page computes."""
PROVEN: dict[str, str] = {}
"""How many of the provable breaches of the sample are proven without doubt, for each kind of poor record
(`replay.degrade.KINDS`). A share may grow, but not shrink. A game without a row has to reach three quarters; `pytest
--kibitz-game NAME --kibitz-row` prints the current row."""

REFUSED: dict[str, tuple[float, str]] = {}
"""The share of simulated hands whose worlds are too many to be listed, if it is more than a fifth, and why."""

# -- referees: a second opinion on a game, that reads the lines of a record (docs/adding-a-game.md) --

REFEREES: dict[str, Callable[[Any], Any]] = {}
"""The referee of a table (`replay.testing.tables.Table`), by game."""
UNKNOWN_TO_THE_REFEREE: dict[str, str] = {}
"""Tables that the rule text does not cover, and why: a referee written from the text alone cannot judge them."""
COMPARED: dict[str, Callable[[State[Any], Any], tuple[Any, Any]]] = {}
"""What to compare for the hands, by page and by referee, if not their points."""
ENDED: dict[str, Callable[[State[Any], Any], tuple[Any, Any]]] = {}
"""What to compare for the end of a match, if not its winner."""
LINES: dict[str, Callable[[str], str]] = {}
"""Rewrites a line for a referee that reads another form of it."""
BESIDE: dict[str, Callable[[list[str], list[int]], list[int] | None]] = {}
"""The positions of the breaches in these lines that the referee finds, too; None if it cannot follow the record."""
