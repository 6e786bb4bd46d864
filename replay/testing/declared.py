"""What the suite has to be told of a game, where the page does not say it: a `conftest.py` beside the tests of a
page fills it.

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
"""The facts of a tally that tells what a hand came to, from the state at its end."""

VALUES: dict[tuple[str, str], tuple[Any, ...]] = {}
"""What is tried of an option, by game and option, of which the ends would not do: a text; a match that would have no
end, or be long; a number that shows only if it is large."""
WITH: dict[tuple[str, str], Mapping[str, Any]] = {}
"""The other options without which one says nothing."""
SEATED: dict[tuple[str, str], int] = {}
"""How many sit down to an option that is meant for so many."""
TOLD: dict[str, Told] = {}
"""How a hand of a game is told by its tally, where the tally that the page computes is not what a table would tell."""
PROVEN: dict[str, str] = {}
"""How many of the provable breaches of the sample are proven without doubt, for each kind of poor record
(`replay.degrade.KINDS`). A share may grow, and not shrink. A game without a row has to reach three quarters; `pytest
--kibitz-game NAME --kibitz-row` prints the row of today."""

REFUSED: dict[str, tuple[float, str]] = {}
"""The share of simulated hands whose worlds are too many to be listed, if it is more than a fifth, and why."""

# -- referees: a second opinion on a game, that reads the lines of a record (docs/adding-a-game.md) --

REFEREES: dict[str, Callable[[Any], Any]] = {}
"""The referee of a table (`replay.testing.tables.Table`), by game."""
UNKNOWN_TO_THE_REFEREE: dict[str, str] = {}
"""Tables that were agreed beside the text, and why: a referee that was written from that alone has nothing to say
about them."""
COMPARED: dict[str, Callable[[State[Any], Any], tuple[Any, Any]]] = {}
"""What is compared of the hands, the page's and the referee's, if not the points of each."""
ENDED: dict[str, Callable[[State[Any], Any], tuple[Any, Any]]] = {}
"""What is compared of the end of a match, if not who has won it."""
LINES: dict[str, Callable[[str], str]] = {}
"""A line as the referee reads it, if it reads another."""
BESIDE: dict[str, Callable[[list[str], list[int]], list[int] | None]] = {}
"""The breaches in these lines that the referee knows as well, by their positions; None if it cannot follow the
record."""
