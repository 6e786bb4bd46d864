"""The frames of a match, one after the other: the first of each hand as a whole, then what changes at each event.

Each frame is that of `replay.table.frame`, as JSON data with its piles by name. To make it anew at each event takes longer
than to judge the match, so this looks only at what an event may have changed: a pile whose cards are not those of before, the
contract if no card was moved, the score if there is another. A test compares the two at every event of every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from events.model import Arrange, Capture, Discard, Draw, Event, Meld, Move, Play, Show
from reducers.model import Game, State
from reducers.scoring import Standing
from reducers.table import Pile
from reducers.words.tricks import Tricks, tricks_in
from replay.table.frame import PileView, PileViews, contract_of, frame, laid, last_of, tricks_won

MOVES = frozenset((Play, Draw, Discard, Move, Meld, Capture, Arrange, Show))
"""What moves cards, and agrees on nothing."""
UNTOLD = ("position", "inferred", "phase_name", "expects", "viewer", "game", "name", "seats", "sides", "names")
"""What of a frame stands elsewhere: its position and what was inferred, at each event; phases and terms, once for all."""
CHANGING = ("cards", "count", "vague", "kind", "wild", "total", "stake", "says", "out")
"""What of a pile may change."""
FEW = 3
"""So few cards are told anew."""
SILENT = next(field.default for field in msgspec.structs.fields(Game) if field.name == "of_pile")
"""A page that says nothing of its piles."""


def whole(state: State[Any], viewer: str) -> dict[str, Any]:
    """A frame as data: piles by name, and `order` with the names in their order."""
    out: dict[str, Any] = msgspec.to_builtins(frame(state, viewer))
    for key in UNTOLD:
        del out[key]
    piles = out.pop("piles")
    out["piles"] = {pile["name"]: {key: value for key, value in pile.items() if value not in EMPTY} for pile in piles}
    return out


EMPTY: tuple[object, ...] = ("", False, None, [], ())
"""What a pile need not say; a count of 0 is False too."""


def as_told(view: PileView) -> dict[str, Any]:
    """A pile that was not there before."""
    return {key: value for key in view.__struct_fields__ if (value := getattr(view, key)) not in EMPTY}


def after(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The frame that comes of a change.

    >>> after({"hand": 1, "piles": {"N": {"count": 8, "out": False}}}, {"piles": {"N": {"count": 7}, "E": {"count": 8}}})
    {'hand': 1, 'piles': {'N': {'count': 7}, 'E': {'count': 8}}}
    >>> after({"piles": {"discard": {"cards": ["9h", "2c"], "count": 2}}}, {"piles": {"discard": {"top": [1, "Kd", "4s"], "count": 3}}})
    {'piles': {'discard': {'cards': ['9h', 'Kd', '4s'], 'count': 3}}}
    """
    piles = {**before["piles"]}
    for name, new in change.get("piles", {}).items():
        if new is None:
            piles.pop(name, None)
        else:
            pile = {**piles.get(name, {}), **new}
            if "top" in new:
                keep, *more = pile.pop("top")
                pile["cards"] = [*pile.get("cards", [])[:keep], *more]
            piles[name] = {key: value for key, value in pile.items() if value not in EMPTY}
    return {**before, **change, "piles": piles}


class Frames:
    """The frames of one match for one viewer, while somebody else folds it into `state`.

    `change` is asked after each event, with the event.
    """

    def __init__(self, state: State[Any], viewer: str) -> None:
        self.state, self.viewer = state, viewer
        self.number, self.terms, self.hand = -1, state.terms, None
        self.views = PileViews(state.game, state.terms, viewer)
        self.talks = state.game.of_pile is not SILENT
        # Of each pile what it was made from, and how it was seen.
        self.prints: dict[str, tuple[Any, ...]] = {}
        self.seen: dict[str, PileView] = {}
        self.tricks: Tricks | None = None
        # What each part of the frame was worked out from the last time, and what it said.
        self.plays: list[Any] = []
        self.won: list[Any] = []
        self.from_score: tuple[Any, ...] = ()
        self.standing: Standing | None = None
        self.said: dict[str, Any] = {}

    def whole(self) -> dict[str, Any]:
        """The frame as it is, from which the changes go on."""
        state = self.state
        self.number, self.terms, self.hand = state.number, state.terms, None
        self.views = PileViews(state.game, state.terms, self.viewer)
        self.talks = state.game.of_pile is not SILENT
        self.prints, self.seen, self.said = {}, {}, {}
        self.plays, self.won, self.from_score, self.standing = [], [], (), None
        self.changed(None)
        return whole(state, self.viewer)

    @property
    def anew(self) -> bool:
        """Whether the next frame is told as a whole: another hand has begun, or there are other terms."""
        return self.state.number != self.number or self.state.terms is not self.terms

    def changed(self, event: Event | None) -> dict[str, Any]:
        """What the event just folded has changed."""
        state = self.state
        out: dict[str, Any] = {}
        piles = self._piles()
        if piles:
            out["piles"] = piles
        self._middle(piles, out)
        self._standing(out)
        self._phase(out)
        said = self.said
        if state.dealer != said.get("dealer"):
            out["dealer"] = said["dealer"] = state.dealer
        if state.number:
            headline = state.game.headline(state)
            if headline != said.get("headline"):
                out["headline"] = said["headline"] = headline
            # What is agreed on does not change as cards are moved, unless that ends a part of the hand.
            if type(event) not in MOVES or "phase" in out or "scores" in out:
                contract = contract_of(state)
                if contract != said.get("contract"):
                    out["contract"] = said["contract"] = contract
        return out

    def _piles(self) -> dict[str, Any]:
        """The piles that are not as they were."""
        state, prints, out = self.state, self.prints, {}
        piles = state.table.piles
        if len(piles) < len(prints):
            out.update(dict.fromkeys(prints.keys() - piles.keys()))
        for name, pile in piles.items():
            row = pile.row
            last = prints.get(name)
            if row is None:
                now = (pile.known, pile.unseen, pile.half, pile.vague)
                if now == last:
                    if self.talks and self.views.lying(name)[3]:
                        self._talk(pile, out)
                    continue
                prints[name] = now
            else:
                if last is not None and last[0] == row and last[1] == pile.vague:
                    continue
                prints[name] = (row[:], pile.vague)
            view = self.views.view(pile, state)
            before = self.seen.get(name)
            self.seen[name] = view
            if before is None:
                out[name] = as_told(view)
            elif view.cards != before.cards or view.vague != before.vague or self.talks:
                found = self._differs(before, view)
                if found:
                    out[name] = found
        return out

    def _talk(self, pile: Pile, out: dict[str, Any]) -> None:
        """What is said of a hand may change though its cards do not."""
        view = self.views.view(pile, self.state)
        found = self._differs(self.seen[pile.name], view)
        if found:
            out[pile.name] = found
            self.seen[pile.name] = view

    @staticmethod
    def _differs(before: PileView, now: PileView) -> dict[str, Any]:
        """What of a pile is not as it was; of many cards only those above the ones that stayed."""
        out = {key: value for key in CHANGING if (value := getattr(now, key)) != getattr(before, key)}
        if "cards" in out and len(before.cards) > FEW:
            keep = 0
            for one, other in zip(before.cards, now.cards, strict=False):
                if one != other:
                    break
                keep += 1
            if keep > 1:
                del out["cards"]
                out["top"] = (keep, *now.cards[keep:])
        return out

    def _middle(self, piles: Mapping[str, Any], out: dict[str, Any]) -> None:
        """The trick, and how many each side has won."""
        state, said = self.state, self.said
        hand = state.hand
        if hand is not self.hand:
            self.hand, self.tricks = hand, tricks_in(hand)
            self.plays, self.won = [], []
            said.pop("trick", None)
        tricks = self.tricks
        if tricks is None:
            trick = laid(None, self.views, state)
            if trick != said.get("trick"):
                out["trick"] = said["trick"] = trick
            if "tricks" not in said:
                out["tricks"] = said["tricks"] = {}
            return
        if tricks.plays != self.plays or "trick" not in said:
            self.plays = tricks.plays[:]
            out["trick"] = said["trick"] = laid(tricks, self.views, state)
        if tricks.won != self.won or "tricks" not in said:
            self.won = tricks.won[:]
            out["tricks"] = said["tricks"] = tricks_won(tricks, state.terms)

    def _standing(self, out: dict[str, Any]) -> None:
        """The score, who has won, and the last result."""
        state, said = self.state, self.said
        standing = state.standing
        if standing is not self.standing:
            self.standing = standing
            if standing.totals != said.get("scores"):
                out["scores"] = said["scores"] = dict(standing.totals)
            if standing.winner != said.get("winner"):
                out["winner"] = said["winner"] = standing.winner
        over = standing.over or bool(state.ended)
        if over != said.get("over"):
            out["over"] = said["over"] = over
        scores = state.scores
        now = (len(scores), scores[-1] if scores else None, state.settled)
        if now != self.from_score:
            self.from_score = now
            last = last_of(state)
            if last != said.get("last"):
                out["last"] = said["last"] = last

    def _phase(self, out: dict[str, Any]) -> None:
        """The part of the hand, what is expected, who may act."""
        state, said = self.state, self.said
        over = said["over"]
        phase = "over" if over else state.phase
        if phase != said.get("phase"):
            out["phase"] = said["phase"] = phase
        turn = () if over else state.turn
        if turn != said.get("turn"):
            said["turn"] = turn
            out["turn"] = list(turn)


__all__ = ["Frames", "after", "whole"]
