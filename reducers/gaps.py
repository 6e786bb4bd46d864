"""What acts hide that nobody recorded: after a `gap` nothing is known of a hand but what its page says."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from msgspec import Struct

from events.model import Gap
from reducers.model import Evolve, State, attribute_names


class ForEach(Struct, frozen=True):
    """The value that each seat or side has in an attribute that is a dict."""

    value: Any


class AfterGap(Struct, frozen=True):
    """The effect of a gap on a hand in play, made by `after_gap`."""

    phase: str
    kept: tuple[str, ...]
    also: Callable[[State[Any]], None] | None
    unknown: dict[str, Any]

    def __call__(self, gap: Gap, state: State[Any]) -> None:
        """Apply the gap."""
        in_play(self.lose)(gap, state)

    def lose(self, state: State[Any]) -> None:
        """Lose track of the hand in play."""
        lose_track(state, self.phase, self.kept, **self.unknown)
        if self.also is not None:
            self.also(state)


def after_gap(
    phase: str = "gap", *, kept: tuple[str, ...] = (), also: Callable[[State[Any]], None] | None = None, **unknown: Any
) -> Evolve:
    """The effect of a gap on a hand in play: see `lose_track`. `also` says what else is unknown.

    In the phase `gap`, which no page declares, any act of the game may come next.
    """
    return AfterGap(phase, kept, also, unknown)


def in_play(lose: Callable[[State[Any]], None]) -> Evolve:
    """The effect of a gap that changes nothing unless a hand is in play; the hand is dealt first."""

    def on_gap(gap: Gap, state: State[Any]) -> None:
        if not state.settled:
            if not state.acts:
                state.game.dealing.lay_deal(state)
            lose(state)

    return on_gap


def lose_track(state: State[Any], phase: str = "", kept: tuple[str, ...] = (), **unknown: Any) -> None:
    """Forget the cards of all piles and their number; of piles of the `kept` kinds the number alone.

    Each part of the hand that has a `lose_count` is told first, and the attributes in `unknown` get these values. Any
    seat may act, in this phase; without one, phase and turn stay.
    """
    hand = state.hand
    for name in attribute_names(hand):
        part = getattr(hand, name, None)
        if part is not None and hasattr(part, "lose_count"):
            part.lose_count(state)
    for name, pile in [*state.table.piles.items()]:
        if name.partition(":")[0] in kept:
            pile.vague = True
        else:
            state.table.lose_sight(pile)
    for name, value in unknown.items():
        for_each = isinstance(value, ForEach)
        setattr(hand, name, dict.fromkeys(getattr(hand, name), value.value) if for_each else copy(value))
    if phase:
        state.phase, state.turn = phase, state.game.dealing.playing(state)
