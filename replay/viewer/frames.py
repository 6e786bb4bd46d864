"""The frames of a match in order: the first of each hand as a whole, then the changes at each event.

Each frame is that of `replay.table.frame`, as JSON data with piles by name. A pile is written again only if its cards
have changed, as writing all piles at each event takes as long as judging the match. A test compares each result with a
rebuilt frame, at every event of every game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from events.model import Cards
from reducers.model import Display, State
from reducers.scoring import HandScore
from reducers.table import Pile, Table
from reducers.words.beating import plays_on_table_of
from reducers.words.tricks import tricks_in
from replay.table.frame import (
    EMPTY,
    NOTHING,
    MiddleCard,
    PileViews,
    contract_of,
    laid_in_middle,
    last_score,
    result_of,
    tricks_won,
)  # fmt: skip

SILENT = next(field.default for field in msgspec.structs.fields(Display) if field.name == "of_pile")
"""The default of a game that says nothing about its piles."""


def apply_frame_change(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Apply a change to a frame.

    >>> apply_frame_change(
    ...     {"hand": 1, "piles": {"N": {"count": 8, "out": False}}}, {"piles": {"N": {"count": 7}, "E": {"count": 8}}},
    ... )
    {'hand': 1, 'piles': {'N': {'count': 7}, 'E': {'count': 8}}}
    """
    piles = {**before["piles"]}
    for name, new in change.get("piles", {}).items():
        pile = {**piles.get(name, {}), **new}
        piles[name] = {key: value for key, value in pile.items() if value not in EMPTY}
    return {**before, **change, "piles": piles}



NO_CARDS: Cards = ()


class PileMemo:
    """A pile as last written, and what that depends on. A new one is empty, and nothing is said about it."""

    __slots__ = ("cards", "count", "half", "held", "known", "row", "said", "unseen", "vague")

    def __init__(self, held: bool) -> None:
        self.held, self.said, self.cards, self.count, self.vague = held, NOTHING, NO_CARDS, 0, False
        self.known = self.unseen = 0
        self.half: tuple[int, ...] = ()
        self.row: list[int] | None = None


class Frames:
    """The frames of one match for one viewer, who sees all of the hands in `seen_whole`, while the caller folds it into
    `state`.

    After each event, call `whole` if `anew` is True, else `changed`.
    """

    def __init__(self, state: State[Any], viewer: str, seen_whole: Collection[int] = ()) -> None:
        self.state, self.viewer, self.seen_whole = state, viewer, seen_whole
        self.number, self.terms = -1, state.terms
        self.table: Table | None = None
        self.views = PileViews(state.game, state.terms, viewer)
        self.looked: dict[str, PileMemo] = {}
        self.talks = state.game.display.of_pile is not SILENT
        # The last result: its score and its text.
        self.result: tuple[HandScore | None, str] = (None, "")
        # The values other than piles, as last reported.
        self.said: dict[str, Any] = {}

    @property
    def anew(self) -> bool:
        """True if the next frame must be whole: another hand has begun or was laid out again, or the terms changed."""
        state = self.state
        return state.number != self.number or state.terms is not self.terms or state.table is not self.table

    def whole(self) -> dict[str, Any]:
        """The whole current frame, from which later changes continue."""
        state = self.state
        viewer = "all" if state.number in self.seen_whole else self.viewer
        self.views = PileViews(state.game, state.terms, viewer)
        self.number, self.terms, self.table, self.looked = state.number, state.terms, state.table, {}
        piles = self._piles()
        self.said = said = self._values()
        first = {"hand": state.number, "contract": said["contract"], "headline": said["headline"], "piles": piles}
        return {**first, **{key: value for key, value in said.items() if key not in first}}

    def changed(self) -> dict[str, Any]:
        """The changes since the last frame."""
        piles, before = self._piles(), self.said
        self.said = said = self._values()
        changes = {key: value for key, value in said.items() if value != before[key]}
        return {"piles": piles, **changes} if piles else changes

    def _values(self) -> dict[str, Any]:
        """All of a frame but its piles."""
        state = self.state
        standing, tricks, over = state.standing, tricks_in(state.hand), state.ended != ""
        score = last_score(state)
        if score is not self.result[0]:
            self.result = score, result_of(score)
        return {
            "trick": self._middle(), "tricks": tricks_won(tricks, state.terms), "over": over,
            "phase": "over" if over else state.phase, "turn": [] if over else [*state.turn], "dealer": state.dealer,
            "scores": standing.totals, "winner": standing.winner, "winners": standing.winners, "last": self.result[1],
            "headline": state.game.display.headline(state) if state.number else {}, "contract": contract_of(state),
        }  # fmt: skip

    def _middle(self) -> tuple[MiddleCard, ...]:
        """The cards in the middle; those of a pile are written already."""
        state = self.state
        if tricks_in(state.hand) is None and not plays_on_table_of(state.hand):
            trick, board = self.looked.get("trick"), self.looked.get("board")
            pile = trick if trick is not None and trick.count else board
            return tuple([MiddleCard("", card) for card in pile.cards]) if pile is not None else ()
        return laid_in_middle(self.views, state)

    def _piles(self) -> dict[str, Any]:
        """The piles that have changed, with what has changed of them."""
        out: dict[str, Any] = {}
        for name, pile in self.state.table.piles.items():
            memo = self.looked.get(name)
            if memo is None:
                memo = self.looked[name] = PileMemo(self.views.lying(name)[3])
                out[name] = {**self.views.told(name), **self._changed(pile, memo)}
            elif (
                pile.known != memo.known or pile.row != memo.row or pile.unseen != memo.unseen
                or pile.half != memo.half or pile.vague != memo.vague or (self.talks and memo.held)
            ) and (change := self._changed(pile, memo)):
                out[name] = change
        return out

    def _changed(self, pile: Pile, memo: PileMemo) -> dict[str, Any]:
        """What has changed of a pile: its cards, and what the game says about it."""
        out: dict[str, Any] = {}
        if (cards := self.views.cards(pile)) != memo.cards:
            out["cards"] = memo.cards = cards
        if (count := len(pile)) != memo.count:
            out["count"] = memo.count = count
        if pile.vague != memo.vague:
            out["vague"] = memo.vague = pile.vague
        memo.known, memo.unseen, memo.half = pile.known, pile.unseen, pile.half
        memo.row = None if pile.row is None else pile.row[:]
        if self.talks and (said := self.views.said(pile.name, self.state)) != memo.said:
            out |= {
                key: value for key in said.__struct_fields__ if (value := getattr(said, key)) != getattr(memo.said, key)
            }
            memo.said = said
        return out
