"""Group events: the deal, the bids, each trick, each turn."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.model import ABOUT, Bet, Bid, Call, Deal, Draw, End, Hand, Name, Pass, Play, Tally
from reducers.model import State
from reducers.words.beating import plays_on_table_of
from reducers.words.tricks import tricks_in
from replay.languages.translate import phrase
from replay.log import NumberedEvent

SPOKEN = (Bid, Pass, Call, Name)


class EventGroup(Struct, omit_defaults=True):
    """Events that belong together. `kind` is deal, bids, trick, round (cards that beat each other), turn, result or
    about; `label` is the heading. A trick has its `leader` and, if known, its `winner`; a turn has `by`."""

    kind: str
    label: str
    first: int
    by: str = ""
    leader: str = ""
    winner: str = ""


class Grouping:
    """The groups of one hand, as its events come."""

    def __init__(self) -> None:
        self.groups: list[EventGroup] = []
        self.won = 0
        # The number of rounds of cards that beat each other, and whether cards were there before the event.
        self.rounds, self.lay = 0, False

    def before(self, state: State[Any]) -> None:
        """Note the state before an event."""
        tricks = tricks_in(state.hand)
        self.won = len(tricks.won) if tricks is not None else 0
        self.lay = bool(plays_on_table_of(state.hand))

    def join(self, placed: NumberedEvent, state: State[Any]) -> int:
        """The index of an event's group; the state is the one after it."""
        event = placed.event
        tricks = tricks_in(state.hand)
        if isinstance(event, Hand | Deal):
            return self.into("deal", phrase("deal"), placed.n)
        if isinstance(event, Tally):
            return self.into("result", phrase("result"), placed.n)
        if isinstance(event, (*ABOUT, End)):
            return self.into("about", "", placed.n)
        if isinstance(event, Play) and tricks is not None:
            return self.trick(placed, tricks)
        if isinstance(event, (*SPOKEN, Bet)) and (tricks is not None and not tricks.won and not tricks.plays):
            return self.into("bids", phrase("bids"), placed.n)
        # The last card of a round is gone with the others when it has been played.
        if isinstance(event, Play) and (self.lay or plays_on_table_of(state.hand)):
            self.rounds += not self.lay
            return self.into("round", str(self.rounds), placed.n)
        if isinstance(event, Draw) and event.src == "trick" and self.lay:
            # A player who picks a card up instead of beating it does not end the round.
            return self.into("round", str(self.rounds), placed.n)
        return self.into("turn", "", placed.n, event.by.partition(":")[0])

    def into(self, kind: str, label: str, n: int, by: str = "") -> int:
        """The current group if it is of this kind, else a new one. Remarks about the record do not interrupt a group.
        """
        for i in range(len(self.groups) - 1, -1, -1):
            last = self.groups[i]
            if (last.kind, last.label, last.by) == (kind, label, by):
                return i
            if last.kind != "about" or kind == "about":
                break
        self.groups.append(EventGroup(kind, label, n, by))
        return len(self.groups) - 1

    def trick(self, placed: NumberedEvent, tricks: Any) -> int:
        """The trick that a card belongs to."""
        full = len(tricks.won) > self.won and not tricks.plays
        number = len(tricks.won) + (not full)
        # Speech during a trick does not split it.
        known = (i for i, group in enumerate(self.groups) if group.kind == "trick" and group.label == str(number))
        i = next(known, -1)
        if i < 0:
            i = self.into("trick", str(number), placed.n)
        group = self.groups[i]
        group.leader = group.leader or placed.event.by
        for group in self.groups:
            if group.kind == "trick" and int(group.label) <= len(tricks.won):
                group.winner = tricks.won[int(group.label) - 1].winner
        return i
