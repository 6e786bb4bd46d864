"""The deal of a game, declared once by a page; `reducers.words.deals` derives from it.

Derived are the check of a deal, an unrecorded deal, and the deals of a simulation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace


class DealPart(Struct, frozen=True):
    """One part dealt after the hands: `count` cards for each of these piles, face `up` or `down`. In a pile's name
    `*` stands for every seat: `col:*:1..12` are twelve columns for each."""

    count: int
    piles: tuple[str, ...]
    face: Literal["up", "down"]


class DealSpec(Struct, frozen=True, kw_only=True):
    """The deal of a game.

    `each` is the number of cards a seat gets in all; `shares` has it by the number of players if it depends on that,
    `by_hand` in order of the hands if it changes from hand to hand; `option` names a house rule that sets it. If
    there is an act between the parts of the deal (five cards, then trumps are named, then eight), `stages` has the
    cards a seat gets in each part, with the phase of the hand. With `last_up` the dealer's last card is turned up for
    all to see. `then` is dealt after the hands, in order; `rest` is the pile for the rest of the pack, "" for none;
    `empty` are the piles that begin empty. `apart` are cards never dealt: they are on the table in the same order
    before each deal. With `uneven` the whole pack is dealt, the remainder from the dealer's left on.
    """

    each: int
    shares: Mapping[int, int] = {}
    by_hand: tuple[int, ...] = ()
    option: str = ""
    stages: tuple[tuple[str, int], ...] = ()
    last_up: bool = False
    then: tuple[DealPart, ...] = ()
    rest: str = ""
    empty: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    uneven: bool = False

    def among(self, seats: int, hand: int = 1, told: int | None = None) -> DealSpec:
        """The deal for this number of seats, in this hand of the match; `told` is the number a house rule sets.

        >>> DealSpec(each=18, shares={2: 18, 3: 12}).among(3).each, DealSpec(each=3, by_hand=(3, 4, 5)).among(2, 2).each
        (12, 4)
        >>> DealSpec(each=13, option="deal_size").among(2, told=7).each
        7
        """
        if self.option and told is not None:
            return replace(self, each=told)
        if self.by_hand:
            return replace(self, each=self.by_hand[min(max(hand, 1), len(self.by_hand)) - 1], by_hand=())
        return replace(self, each=self.shares[seats], shares={}) if seats in self.shares else self

    def by_then(self, phase: str) -> int:
        """The number of cards a seat has after the part of the deal that belongs to this phase.

        >>> deal = DealSpec(each=13, stages=(("naming", 5), ("the rest", 8)))
        >>> deal.by_then("naming"), deal.by_then("the rest"), deal.by_then("play")
        (5, 13, 13)
        """
        dealt = 0
        for name, count in self.stages:
            dealt += count
            if name == phase:
                return dealt
        return self.each

    def parts(self, seats: Sequence[str]) -> tuple[DealPart, ...]:
        """The parts dealt after the hands, with the piles of each seat by name.

        >>> DealSpec(each=2, then=(face_down(12, "col:*:1..12"),)).parts("AB")[0].piles
        ('col:A:1..12', 'col:B:1..12')
        """
        return tuple(
            replace(part, piles=tuple(one for pile in part.piles for one in each_seats(pile, seats)))
            for part in self.then
        )

    @property
    def at_first(self) -> int:
        """The number of cards a seat gets in the first part of the deal."""
        return self.stages[0][1] if self.stages else self.each


def each_seats(pile: str, seats: Sequence[str]) -> tuple[str, ...]:
    """The pile of each seat that a name with `*` means; any other name stands for itself."""
    return tuple(pile.replace("*", seat) for seat in seats) if "*" in pile else (pile,)


def turned_up(pile: str, count: int = 1) -> DealPart:
    """A part of the deal turned up onto a pile."""
    return DealPart(count, (pile,), "up")


def face_down(count: int, *piles: str) -> DealPart:
    """A part of the deal put aside unseen, `count` cards on each pile."""
    return DealPart(count, piles, "down")
