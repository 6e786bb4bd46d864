"""Acts to try by a seat whose turn it is: what a phase lists, before the checks remove what is not allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from events.model import Bid, Call, Event, Name, Pass, Play
from reducers.model import State

Tries: TypeAlias = Iterable[Event]


def try_each_card(seat: str, state: State[Any]) -> Iterator[Event]:
    """Each card that the seat is known to hold, played alone."""
    return (Play(by=seat, cards=(card,)) for card in state.game.pack.cards(state.holding(seat).certain))


def try_lead_or_follow(seat: str, state: State[Any]) -> Iterator[Event]:
    """The same; and to an empty trick a lead of every other seat, so that a wrong lead is tried as well."""
    yield from try_each_card(seat, state)
    if seat == state.turn[0] and not state.hand.trick.plays:
        for other in state.terms.seats:
            if other not in state.turn:
                yield from try_each_card(other, state)


def try_pass(seat: str, state: State[Any]) -> Iterator[Event]:
    """A pass."""
    yield Pass(by=seat)


class Naming(Struct, frozen=True):
    """Names of each of these words, such as suits for trumps."""

    words: tuple[str, ...]

    def __call__(self, seat: str, state: State[Any]) -> Tries:
        """The acts of naming by a seat."""
        return (Name(by=seat, what=word) for word in self.words)


class Calling(Struct, frozen=True):
    """Calls of each of these words."""

    words: tuple[str, ...]

    def __call__(self, seat: str, state: State[Any]) -> Tries:
        """The calls of a seat."""
        return (Call(by=seat, word=word) for word in self.words)


class Bidding(Struct, frozen=True):
    """Bids of each of these levels in each of these strains."""

    levels: range
    strains: tuple[str, ...] = ("",)

    def __call__(self, seat: str, state: State[Any]) -> Tries:
        """The bids of a seat."""
        return (Bid(by=seat, level=level, strain=strain) for level in self.levels for strain in self.strains)


def try_naming(*words: str) -> Naming:
    """Try to name each of these words."""
    return Naming(words)


def try_calling(*words: str) -> Calling:
    """Try to call each of these words."""
    return Calling(words)


def try_bidding(levels: range, *strains: str) -> Bidding:
    """Try to bid each of these levels in each of these strains."""
    return Bidding(levels, strains or ("",))
