"""What a page declares of each fact of a tally, and which reported values of a hand count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from events.model import Facts
from events.name_lists import one_of
from reducers.facts import Fact, flat, set_fact
from reducers.model import State


def declared(key: str, state: State[Any]) -> Fact | str | None:
    """The fact that a page declares for this dotted key; None if it leaves it open; a message if the key is wrong."""
    if (plain := state.game.tally.facts.get(key)) is not None and "*" not in key and "#" not in key:
        return plain if isinstance(plain, Fact) else None
    return _of_a_shape(
        key, Shapes(state.game.name, state.game.tally.facts), state.terms.seats, tuple(state.terms.sides),
    )


def reported_dealer(facts: Facts, state: State[Any]) -> str:
    """The dealer that a tally shows: the seat named, or the only one without facts of all but the dealer; or ""."""
    told = state.game.tally.told
    for name, dealt in told.items():
        if dealt.deals and (seat := facts.get(dealt.key)) in state.terms.seats:
            return str(seat)
        but = [
            shape.partition(".")[0] for one in told.values() if dealt.deals and one.but == name for shape in one.facts
        ]
        here = {key.partition(".")[::2] for key, _ in flat(facts)}
        left = {seat for stem in but for seat in state.terms.seats if not any((stem, seat) in here for stem in but)}
        if len(left) == 1:
            return left.pop()
    return ""


class Shapes:
    """A hashable cache key for the facts of one page: equal for the same page and name."""

    __slots__ = ("name", "tally")

    def __init__(self, name: str, tally: Mapping[str, Fact | str]) -> None:
        self.name, self.tally = name, tally

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shapes) and self.tally is other.tally and self.name == other.name

    def __hash__(self) -> int:
        return id(self.tally)


@lru_cache(maxsize=4096)
def _of_a_shape(key: str, page: Shapes, seats: tuple[str, ...], sides: tuple[str, ...]) -> Fact | str | None:
    """`declared` for a key with a name or a number in it."""
    parts = key.split(".")
    wrong = f"{page.name} knows no fact '{key}' in a tally"
    for shape, fact in page.tally.items():
        pattern = shape.split(".")
        if len(pattern) != len(parts) or any(a not in (b, "*", "#") for a, b in zip(pattern, parts, strict=True)):
            continue
        strange = next(
            (
                why for a, b in zip(pattern, parts, strict=True) if a in "*#"
                and (why := stranger(a, b, fact, key, seats, sides))
            ),
            "",
        )
        if not strange:
            return fact if isinstance(fact, Fact) else None
        wrong = strange
    return wrong


def stranger(
    pattern: str, part: str, fact: Fact | str, key: str, seats: tuple[str, ...], sides: tuple[str, ...],
) -> str:
    """The message about a part of a key that stands for a name or a number; "" if it is right."""
    if pattern == "#":
        most = fact.numbered if isinstance(fact, Fact) else 0
        good = part.isascii() and part.isdigit() and part != "0" and (not most or int(part) <= most) and part[0] != "0"
        return "" if good else f"{key}: the numbers go from 1 to {most}" if most else f"{key}: {part} is not a number"
    if isinstance(fact, Fact) and fact.of == "hand":
        seat, colon, n = part.partition(":")
        good = seat in seats and (not colon or (n.isascii() and n.isdigit() and int(n) > 1 and n[0] != "0"))
    else:
        good = part in sides or (not isinstance(fact, Fact) and part.partition(":")[0] in seats)
    return "" if good else f"{key} is told of {one_of(sides)}, and {part} is none of them"


def last_words(tallies: Sequence[Facts], facts: Facts, state: State[Any]) -> list[Facts]:
    """The tallies of a hand with one more: it removes values that it repeats from the earlier ones.

    Unknown facts are left out. So repeated tallies never accumulate.
    """
    known: Facts = {}
    for key, value in flat(facts):
        if not isinstance(declared(key, state), str):
            set_fact(known, key, value)
    return [*(left for was in tallies if (left := _less(was, known))), known]


def _less(was: Facts, by: Facts) -> Facts:
    """The facts of `was` that are not in `by` too."""
    left: Facts = {}
    for key, value in was.items():
        other = by.get(key)
        if isinstance(value, dict) and isinstance(other, dict):
            value = _less(value, other)
            if value:
                left[key] = value
        elif key not in by or isinstance(value, dict) or isinstance(other, dict):
            left[key] = value
    return left
