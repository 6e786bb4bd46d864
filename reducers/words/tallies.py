"""What several tallies of one hand say together: each adds to those before it, and the last word counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.model import Facts
from reducers.state import State


def told(key: str, tallies: Iterable[Facts]) -> dict[str, int]:
    """The counts of a fact that has one for each side or seat.

    >>> told("points", [{"strain": "h", "points": {"NS": 50}}, {"points": {"EW": 22}}])
    {'NS': 50, 'EW': 22}
    """
    stems = [facts[key] for facts in tallies if isinstance(facts.get(key), dict)]
    return {who: n for stem in stems for who, n in stem.items() if type(n) is int}


def in_this_hand(facts: Facts, state: State[Any]) -> tuple[Facts, ...]:
    """These facts behind the tallies of the hand they belong to; after a hand that was played out they begin the next."""
    return (*(() if tells_of_the_next(state) else state.tallies), facts)


def tells_of_the_next(state: State[Any]) -> bool:
    """Whether a tally that is written now is of a hand that has not begun."""
    return state.number == 0 or (state.settled and not state.tallies)
