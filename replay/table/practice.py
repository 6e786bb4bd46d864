"""Practise recording: a simulated hand is shown act by act, as an onlooker sees it, and typed along.

Typed lines are read as usual and compared with what happened. A difference is reported and not taken; acts that
follow from later ones may be left out; each group of acts is compared with the shortest known line for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from events.cards import pretty_all
from events.errors import UsageError
from events.model import Bet, Bid, Call, Deal, Event, Name, Pass, Recorded
from events.packs import FRENCH, TablePack
from reducers.model import Game
from reducers.registry import find_game
from replay.pack_names import InPack
from replay.redact import hide
from replay.simulate import simulate
from replay.table.session import Session
from replay.table.typist import lines_for, may_go_unwritten
from replay.table.wording import describe_event

SAID = (Bid, Pass, Call, Name, Bet)


class Reply(Struct, frozen=True):
    """The result of a line: whether it was taken, and the answer."""

    taken: bool
    text: str = ""


class Practice:
    """One hand of a game, dealt from a seed. `keys` counts the keys typed, `shortest` those that were needed.

    Cards are shown and typed as those of `pack`. Raises NotFoundError for an unknown game, UsageError for one without
    cards.
    """

    def __init__(self, game: str, seed: int | str, pack: TablePack = FRENCH) -> None:
        if not find_game(game).has_cards:
            raise UsageError(
                f"{find_game(game).name} has no cards to practise with",
                expected="a game with cards; `kibitz games` lists them",
            )
        log = hide(simulate(game, seed=seed, hands=1))
        self.session = Session(log[:1], pack=pack)
        self.in_pack = InPack(pack, seats=self.session.state.terms.seats)
        self.events = [r.event for r in log[1:]]
        self.at = 0
        self.keys = self.shortest = 0
        # Acts that were shown and not typed, in words.
        self.missed: list[str] = []

    @property
    def over(self) -> bool:
        """True if no more acts have to be typed."""
        return all(may_go_unwritten(event) for event in self.events[self.at :])

    def shown(self) -> list[str]:
        """The next acts, a line each: a round of single cards, or the turn of a player."""
        return [self._told(event) for event in self._group()]

    def _told(self, event: Event) -> str:
        """An act as an onlooker sees it, with the cards on the table."""
        return self.in_pack.text(act_as_seen(event, self.session.state.game))

    def _group(self) -> Sequence[Event]:
        """The next acts: a round of speech, the cards of a trick, else everything one player does."""
        state = self.session.state
        phase, trick = state.game.phases.get(state.phase), state.table.piles.get("trick")
        room = len(state.terms.seats) - (len(trick) if trick is not None else 0)
        group: list[Event] = []
        acts: list[Event] = []
        for event in self.events[self.at :]:
            if acts:
                together = (phase is not None and phase.one_card) or isinstance(acts[0], SAID)
                ends = isinstance(acts[0], SAID) != isinstance(event, SAID)
                if ends or (len(acts) >= room if together else event.by != acts[0].by):
                    break
            group.append(event)
            if not may_go_unwritten(event):
                acts.append(event)
        return group

    def shortest_lines(self) -> list[str]:
        """The shortest known lines for the acts shown."""
        return self._shortest(self._group())

    def answer(self, line: str) -> Reply:
        """Compare a typed line with what happens. Raises NotationError for a line that cannot be read."""
        typed = [r.event for r in self.session.complete(line).events]
        after = self._place_after(typed)
        if isinstance(after, str):
            return Reply(taken=False, text=after)
        shortest = self._shortest(self.events[self.at : after])
        self._take(typed)
        self.at = after
        self.keys += len(line) + 1
        self.shortest += sum(len(text) + 1 for text in shortest)
        keys = sum(len(text) + 1 for text in shortest)
        best = "" if len(line) + 1 <= keys else f"; {' ⏎ '.join(shortest)} does it in {keys}"
        return Reply(taken=True, text=f"right, {len(line) + 1} keys{best}")

    def pass_over(self) -> Reply:
        """Skip the acts shown: they count as missed, and the reply has the shortest line for them."""
        group = self._group()
        shortest = self._shortest(group)
        self.missed += [self._told(event) for event in group if not may_go_unwritten(event)]
        self.shortest += sum(len(text) + 1 for text in shortest)
        self._take(group)
        self.at += len(group)
        return Reply(taken=True, text=f"passed over; it is typed {' ⏎ '.join(shortest)}")

    def _place_after(self, typed: Sequence[Event]) -> int | str:
        """The index after these acts; a sentence if something else happened."""
        at = self.at
        for event in typed:
            here = at
            while here < len(self.events) and self.events[here] != event and may_go_unwritten(self.events[here]):
                here += 1
            if here == len(self.events):
                return f"that says: {self._told(event)}; but the hand is over"
            if self.events[here] != event:
                return f"that says: {self._told(event)}; but it is: {self._told(self.events[here])}"
            at = here + 1
        return at

    def _shortest(self, events: Sequence[Event]) -> list[str]:
        needed = list(events)
        while needed and may_go_unwritten(needed[-1]):
            needed.pop()
        return [self.in_pack.line_typed(line.text) for line in lines_for(self.session.records, needed)]

    def _take(self, events: Sequence[Event]) -> None:
        n = self.session.records[-1].n
        self.session.take([Recorded(n=n + i, event=event) for i, event in enumerate(events, 1)])


def act_as_seen(event: Event, game: Game) -> str:
    """An act as an onlooker sees it, of a deal the face-up cards."""
    if not isinstance(event, Deal):
        return describe_event(event, game)
    seen = [
        f"{pile.removeprefix('hand:')} {pretty_all(known)}" for pile, cards in event.piles
        if (known := [c for c in cards if "?" not in c])
    ]
    return f"the deal: {', '.join(seen)}" if seen else "the deal, face down"
