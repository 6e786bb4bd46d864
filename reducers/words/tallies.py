"""What several tallies of one hand say together: each adds to those before it, and the last word counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.model import Facts
from reducers.game import tells_of_the_next
from reducers.state import State


def told(key: str, tallies: Iterable[Facts]) -> dict[str, int]:
    """The counts of a fact that has one for each side or seat.

    >>> told("points", [{"strain": "h", "points": {"NS": 50}}, {"points": {"EW": 22}}])
    {'NS': 50, 'EW': 22}
    """
    stems = [facts[key] for facts in tallies if isinstance(facts.get(key), dict)]
    return {who: n for stem in stems for who, n in stem.items() if type(n) is int}


def word_told(facts: Facts, key: str, known: str = "") -> str:
    """A fact that is a word: what is known where it is not given, nothing where it is anything else.

    >>> [word_told(facts, "by", "N") for facts in ({}, {"by": "E"}, {"by": 3}, {"by": None})]
    ['N', 'E', '', '']
    """
    fact = facts.get(key, known)
    return fact if isinstance(fact, str) else ""


def void_of(state: State[Any], played: str = "") -> str:
    """Why the hand in play does not count, empty if it does: as it was broken off, else as it was `played`, overlaid by
    what a tally or a ruling says. `yes` is void without a reason, `no` takes it back.
    """
    why = state.cut if state.cut in ("misdeal", "void") else played
    for facts in (*state.tallies, *state.transfers):
        if "void" in facts:
            why = word_told(facts, "void") or ("void" if facts["void"] else "")
    return why


def in_this_hand(facts: Facts, state: State[Any]) -> tuple[Facts, ...]:
    """These facts behind the tallies of the hand they belong to; after a hand that was played out they begin the next."""
    return (*(() if tells_of_the_next(state) else state.tallies), facts)
