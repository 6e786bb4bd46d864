"""Where a log contradicts itself: which lines have a part in it."""

from __future__ import annotations

from collections.abc import Sequence

from events.model import Hand
from replay.log import NumberedEvent
from replay.masking import cards_in, puts_down


class Mentions:
    """Where in the hand in play each card was mentioned, and where each seat put cards down, before a step.

    `fresh` gives of a list of such steps those that it has not given yet.
    """

    __slots__ = ("_events", "_given", "_upto", "cards", "put_down")

    def __init__(self, events: Sequence[NumberedEvent]) -> None:
        self._events, self._upto = events, 0
        self._given: dict[int, int] = {}
        self.cards: dict[str, list[int]] = {}
        self.put_down: dict[str, list[int]] = {}

    def reach(self, step: int) -> None:
        """Look at the events before this step; steps come in order."""
        begun = step - 1
        while begun > self._upto and type(self._events[begun - 1].event) is not Hand:
            begun -= 1
        if begun > self._upto:
            self._upto = begun
            self._given, self.cards, self.put_down = {}, {}, {}
        for i in range(self._upto + 1, step):
            event = self._events[i - 1].event
            for name in {name for card in cards_in(event) for name in (card, card.partition("=")[0])}:
                self.cards.setdefault(name, []).append(i)
            if puts_down(event):
                self.put_down.setdefault(event.by, []).append(i)
        self._upto = step - 1

    def fresh(self, places: Sequence[int]) -> Sequence[int]:
        """Those of these steps that were not given before."""
        given = self._given.get(id(places), 0)
        self._given[id(places)] = len(places)
        return places[given:]
