"""What cards count in a game of tricks: what each side's tricks are worth as played, or by the cards that lie with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.cards import Pack
from reducers.model import State
from reducers.scoring import Points
from reducers.words.tricks import owner


class CardPoints:
    """What each card counts, by its code, and what a trick counts besides; `cards` are those that count anything.

    >>> from events.cards import pack
    >>> p = pack("A 10 K Q J 9")
    >>> points = CardPoints(p, {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}, trick=1)
    >>> points.of[p.code["Ah"]], points.of[p.code["9h"]], points.whole(tricks=8), p.count(points.cards)
    (11, 0, 128, 20)
    """

    def __init__(self, pack: Pack, worth: Mapping[str, int], *, trick: int = 0) -> None:
        ranks = {"T" if rank == "10" else rank: n for rank, n in worth.items()}
        self.pack, self.trick = pack, trick
        self.of: tuple[int, ...] = tuple(ranks.get(rank, 0) for rank in pack.rank_of)
        self.cards = pack.mask_of([card for card in pack.faces if self.of[pack.code[card]]])

    def whole(self, tricks: int) -> int:
        """What all cards and so many tricks count together."""
        return sum(self.of[code] for code in self.pack.codes(self.pack.full)) + tricks * self.trick

    def taken(self, state: State[Any]) -> Points:
        """What each side's tricks count as played; None for a side of which it cannot be told."""
        points: Points = dict.fromkeys(state.terms.sides, 0)
        unseen, of = self.pack.unknown, self.of
        for trick in state.hand.trick.won:
            side, codes = owner(trick, state.terms.side_of), [code for _, code in trick.plays]
            if not side or max(codes) >= unseen:
                return self.lying(state)
            points[side] = (points[side] or 0) + self.trick + sum([of[code] for code in codes])
        return points

    def lying(self, state: State[Any]) -> Points:
        """The same from the cards won, if elimination has named every one of them."""
        tricks = state.hand.trick.taken_by(state.terms.side_of)
        points: Points = {}
        for side in state.terms.sides:
            pile, n = state.table.row(f"won:{side}"), tricks[side]
            # A trick that only who led next gives to this side was not laid to the others.
            if n is None or len(pile) != n * len(state.terms.seats) or pile.hidden:
                points[side] = None
            else:
                points[side] = n * self.trick + sum(self.of[code] for code in self.pack.codes(pile.certain))
        return points
