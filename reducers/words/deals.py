"""Deals: how many cards a hand may be dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from events.cards import how_many
from events.model import Deal
from reducers.rules import Says, broken
from reducers.state import State


def no_more_than(at_most: Mapping[str, int], deal: Deal, state: State[Any]) -> Says | None:
    """Whether a pile is dealt more cards than it gets, `at_most` by its name.

    Fewer break no rule: a deal may name only the cards that somebody saw.
    """
    dealt: Counter[str] = Counter()
    for name, cards in deal.piles:
        dealt[name.removeprefix("hand:")] += how_many(cards) or 0
    for name, count in dealt.items():
        pile = None if state.settled else state.table.piles.get(name)
        count += len(pile) if pile is not None and not pile.vague else 0
        if count > at_most.get(name, count):
            what = f"the pile {name}" if name not in state.terms.seats else name
            return broken(f"{what} gets {at_most[name]} card{'s' * (at_most[name] > 1)}, not {count}")
    return None
