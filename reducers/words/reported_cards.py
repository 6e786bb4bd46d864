"""Cards that a result reports, by their pile (`won.A=Kd,Ks`, `best.B=7d,6c`), and those that were seen in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.cards import Pack, pretty
from reducers.facts import at_key
from reducers.model import State
from reducers.table import Pile
from reducers.words.tallies import readable


def seen_in_pile(pile: Pile) -> int:
    """The bag of the cards that were seen in a pile so far."""
    pack = pile.table.pack
    return pile.known if pile.row is None else sum(pack.unit[code] for code in pile.row if code < pack.unknown)


def list_of(value: Any) -> list[str]:
    """The cards of a fact: several, one, or none.

    >>> list_of(("Kd", "Ks")), list_of("Kd"), list_of(None)
    (['Kd', 'Ks'], ['Kd'], [])
    """
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def last_word(key: str, state: State[Any]) -> tuple[Any, ...]:
    """The last value reported or ruled for a fact, as a tuple of one; empty if there is none."""
    if not state.tallies and not state.transfers:
        return ()
    said = [given for facts in (*readable(state), *state.transfers) if (given := at_key(facts, key))]
    return said[-1] if said else ()


def codes_listed(value: Any, pack: Pack) -> list[int] | None:
    """The codes of the cards of a fact; None if they are unknown."""
    cards = list_of(value)
    return None if any(card not in pack.faces for card in cards) else [pack.code[card] for card in cards]


def codes_told(key: str, state: State[Any]) -> tuple[list[int] | None, ...]:
    """The codes reported for a pile, as a tuple of one (None if unknown); empty if nothing was reported."""
    return tuple(codes_listed(value, state.game.pack) for value in last_word(key, state))


def told_under(stems: tuple[str, ...], known: Mapping[str, Any]) -> list[str]:
    """All cards reported for these piles."""
    return [card for key, cards in known.items() if key.partition(".")[0] in stems for card in list_of(cards)]


def named_twice(*stems: str) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: each card is in one pile."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        named = told_under(stems, known)
        twice = next((card for card in named if named.count(card) > 1), "")
        return f"the {pretty(twice)} is reported twice" if twice else ""

    return wrong


def no_other_cards(stem: str, pack: Pack, mask: int, why: str) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: these piles have only cards of this mask."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        told = [card for card in told_under((stem,), known) if card in pack.faces]
        other = next((card for card in told if not pack.unit_of[card] & mask), "")
        return f"the {pretty(other)} {why}" if other else ""

    return wrong


def of_one_only(stem: str, text: str, *, but: str = "none") -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: a value reported for one player is not reported for another."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        told = [value for key, value in known.items() if key.startswith(f"{stem}.") and value not in (but, None)]
        twice = next((value for value in told if told.count(value) > 1), "")
        return f"the {twice} {text}" if twice else ""

    return wrong
