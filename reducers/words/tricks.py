"""Tricks: who leads, who follows, who wins, and which trick holds which card.

One `Tricks` belongs to the hand in play. It never refuses a card; whether a card may be played is a check's business.
An unseen card leaves more than one possible winner; who then leads the next trick shows who won it, and that is
marked as inferred.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from events.cards import SUITS, Pack, Ranking
from reducers.state import State
from reducers.table import Pile

UNSEEN = -1


class Trick(Struct):
    """A finished trick. `winners` are the seats that may have won it: one where everything that matters was seen.

    `gathered` is the side that took the cards, where the table said so; `inferred` says that the winner is known only
    from who led next. `at` is the position of its last card.
    """

    at: int
    plays: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    inferred: bool = False
    gathered: str = ""

    @property
    def leader(self) -> str:
        """The seat that led."""
        return self.plays[0][0]

    @property
    def winner(self) -> str:
        """The seat that won, empty while it cannot be told."""
        return self.winners[0] if len(self.winners) == 1 else ""


@cache
def strengths(pack: Pack, ranking: Ranking, trump: str) -> dict[str, tuple[int, ...]]:
    """For each suit led, the strength of every code: trumps above the suit led above 0; `UNSEEN` for unseen cards.

    `trump` is empty where there is none.
    """
    rank = ranking.strength(pack)
    table: dict[str, tuple[int, ...]] = {}
    for led in (*SUITS, "", "?"):
        values = []
        for code, token in enumerate(pack.tokens):
            suit = pack.suit_of[code]
            if code >= pack.unknown:
                # A half-known card that can neither follow nor trump wins nothing.
                hopeless = len(token) == 2 and suit in SUITS and suit != trump and suit != led and led != "?"
                values.append(0 if hopeless else UNSEEN)
            elif suit and suit == trump:
                values.append(100 + rank[code])
            else:
                values.append(rank[code] if suit and suit == led else 0)
        table[led] = tuple(values)
    return table


class Tricks:
    """The tricks of one hand."""

    __slots__ = (
        "ahead", "astray", "best", "doubt", "led", "next", "pile", "plays", "power", "seats", "table", "total", "values", "won",
    )  # fmt: skip

    def __init__(self, state: State[Any], total: int) -> None:
        self.seats = state.terms.seats
        self.next = state.terms.next
        self.table = state.table
        self.pile: Pile = state.table.row("trick")
        self.total = total
        self.won: list[Trick] = []
        self.power: dict[str, tuple[int, ...]] = {}
        self.plays: list[tuple[str, int]] = []
        self.led = ""
        self.values: tuple[int, ...] = ()
        self.best = 0
        self.ahead = ""
        self.doubt = False
        # Somebody acted out of turn: it may have been the recorder who missed a card, and tricks may be cut wrongly.
        self.astray = False

    def add(self, seat: str, code: int, state: State[Any]) -> tuple[str, ...]:
        """A card joins the trick; returns the seats that may act next (none when the last trick is full)."""
        plays = self.plays
        if seat not in state.turn:
            self.astray = True
            if any(who == seat for who, _ in plays):
                self._fill_up(state)
                plays = self.plays
        if not plays:
            self._begin(seat, code)
        plays.append((seat, code))
        value = self.values[code]
        if value > self.best:
            self.best, self.ahead = value, seat
        elif value < 0:
            self.doubt = True
        if len(plays) < len(self.seats):
            return self.next[seat]
        return self._finish(state.at)

    def _begin(self, seat: str, code: int) -> None:
        won = self.won
        if won and len(won[-1].winners) > 1:
            self.tell_winner(seat)
        self.led = led = self.table.pack.suit_of[code]
        self.values = self.power[led]
        self.best, self.ahead, self.doubt = 0, seat, led == "?"

    def _finish(self, at: int) -> tuple[str, ...]:
        winners = (self.ahead,) if not self.doubt else self._possible_winners()
        self.won.append(Trick(at, tuple(self.plays), winners))
        self.plays = []
        return winners if len(self.won) < self.total else ()

    def _possible_winners(self) -> tuple[str, ...]:
        """The seats that may have won: each unseen card may be any card that has no place yet."""
        if self.led == "?":
            return tuple(seat for seat, _ in self.plays)
        pack, free = self.table.pack, self.table.free()
        winners = [self.ahead]
        for seat, code in self.plays:
            if self.values[code] < 0:
                may_be = pack.may_be[code] & free
                if any(self.values[c] > self.best for c in pack.codes(may_be)):
                    winners.append(seat)
        return tuple(winners)

    def _fill_up(self, state: State[Any]) -> None:
        """A seat plays again before the trick is full: the cards in between went by unwritten."""
        there = {seat for seat, _ in self.plays}
        missing = [s for s in self.seats if s not in there]
        for seat in missing:
            state.table.move_one(state.game.pack.unknown, state.holding(seat), self.pile)
            self.plays.append((seat, state.game.pack.unknown))
            self.doubt = True
        state.infer(f"trick {len(self.won) + 1} was full before this: the card of {' and '.join(missing)} was not written")
        self._finish(state.at)
        gather(state, self)

    def tell_winner(self, seat: str) -> None:
        """Who leads shows who won the trick before, where that could not be told."""
        last = self.won[-1]
        if seat in last.winners:
            last.winners, last.inferred = (seat,), True

    def taken_by(self, side_of: Mapping[str, str]) -> dict[str, int | None]:
        """How many tricks each side took as played; None where that cannot be told."""
        count = dict.fromkeys(side_of.values(), 0)
        doubtful = 0
        for trick in self.won:
            side = owner(trick, side_of)
            if side:
                count[side] += 1
            else:
                doubtful += 1
        return dict(count) if not doubtful else dict.fromkeys(count)

    def with_card(self, code: int) -> Trick | None:
        """The finished trick in which a card was played."""
        for trick in self.won:
            for _, played in trick.plays:
                if played == code:
                    return trick
        return None


def owner(trick: Trick, side_of: Mapping[str, str]) -> str:
    """The side that has the trick as played: who gathered it, else whose seat won it; empty if it cannot be told."""
    if trick.gathered:
        return trick.gathered
    if len(trick.winners) == 1:
        return side_of[trick.winners[0]]
    sides = {side_of[w] for w in trick.winners}
    return sides.pop() if len(sides) == 1 else ""


def gather(state: State[Any], tricks: Tricks) -> None:
    """The cards of a full trick go to the side that won it; while that is open they lie with nobody."""
    row = tricks.pile.row
    side = owner(tricks.won[-1], state.terms.side_of)
    pile = state.table.row(f"won:{side}" if side else "won").row
    assert row is not None
    assert pile is not None
    pile += row
    row.clear()
