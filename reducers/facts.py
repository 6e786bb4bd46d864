"""The facts of a tally, each declared once: what it means, and what it can be.

A page lists its facts by key (`cards.*`, `trick.#`, `seven`), each made by one of the words below. From the list follow
what `kibitz rules` prints, the findings about facts that cannot be, what one side's figure says of the other's, and
what of a tally the score may rest on (`reducers.words.tallies`). What two facts cannot be together is a `Law`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from events.cards import Pack
from events.model import Facts
from reducers.state import State, Terms

Limit: TypeAlias = int | Callable[[Terms], int]
Kind: TypeAlias = Literal["anything", "number", "choice", "somebody", "yes or no", "cards", "seats"]

UNREAD = "?"
"""What stands for a fact that cannot be: it was told, and nobody can say what."""


class Fact(Struct, frozen=True):
    """One fact of a tally. The factories below make it.

    `of` is whose the figures of a key with `*` are, `numbered` how far those of a key with `#` go. `together` is what the
    sides have in all, so that the figure of one gives that of the other. `counts` names the figures (`tricks`) that these
    facts tell one by one. A fact that cannot be breaks `rule` of its page, table.T10 where that is empty; `says` is the
    rule in a few words, with `{key}` for the key and `{names}` for whom it may name. If it `stands`, a number out of its bounds is what a table may have done against the rule, and counts
    as it was played.
    """

    meaning: str
    kind: Kind = "anything"
    least: Limit | None = None
    most: Limit | None = None
    step: int = 1
    only: tuple[str | int, ...] = ()
    who: tuple[Literal["seat", "side"], ...] = ()
    of: Literal["side", "hand"] = "side"
    numbered: int = 0
    together: int | None = None
    counts: str = ""
    rule: str = ""
    says: str = ""
    stands: bool = False


class Law(Struct, frozen=True):
    """What facts cannot be together.

    `wrong` is given every fact that was told of the hand by its dotted key, and answers with a sentence, or nothing. It is
    asked when one of `keys` is told; if it objects, nothing that is told under them is known.
    """

    keys: tuple[str, ...]
    wrong: Callable[[Mapping[str, Any], State[Any]], str]
    rule: str = ""


# -- the words of a page --------------------------------------------------------------------------------------------------


def number(
    meaning: str, least: Limit | None = 0, most: Limit | None = None, *, only: tuple[int, ...] = (), step: int = 1,
    of: Literal["side", "hand"] = "side", together: int | None = None, rule: str = "", says: str = "",
    stands: bool = False,
) -> Fact:  # fmt: skip
    """A whole number within bounds, or one of a few."""
    return Fact(meaning, "number", least, most, step, only, of=of, together=together, rule=rule, says=says, stands=stands)


def choice(
    meaning: str, *words: str | int, of: Literal["side", "hand"] = "side", rule: str = "", says: str = ""
) -> Fact:
    """One of a few words."""
    return Fact(meaning, "choice", only=words, of=of, rule=rule, says=says)


def somebody(
    meaning: str, *who: Literal["seat", "side"], also: tuple[str, ...] = (), numbered: int = 0, counts: str = "", rule: str = "", says: str = "",
) -> Fact:  # fmt: skip
    """A seat of the match, a side of it, or a word that stands for neither."""
    return Fact(meaning, "somebody", only=also, who=who, numbered=numbered, counts=counts, rule=rule, says=says)


def yes_or_no(meaning: str, *, rule: str = "") -> Fact:
    """Yes or no."""
    return Fact(meaning, "yes or no", rule=rule)


def cards(meaning: str, most: int, *, rule: str = "") -> Fact:
    """Different cards of the pack, so many at the most."""
    return Fact(meaning, "cards", most=most, rule=rule)


def seats(meaning: str, *, once: bool = False, rule: str = "", says: str = "") -> Fact:
    """Seats in order; `once`, if none is named twice."""
    return Fact(meaning, "seats", most=1 if once else None, rule=rule, says=says)


def word(meaning: str) -> Fact:
    """Yes, no, or any word: why a hand does not count."""
    return Fact(meaning)


# -- what a fact can be ---------------------------------------------------------------------------------------------------


def limit(of: Limit | None, terms: Terms) -> int | None:
    """A bound, which may turn on the house rules."""
    return of(terms) if callable(of) else of


def names_of(fact: Fact, terms: Terms) -> tuple[str, ...]:
    """Whom a fact may name."""
    named = (*(terms.sides if "side" in fact.who else ()), *(terms.seats if "seat" in fact.who else ()))
    return tuple(dict.fromkeys(named))


def may_be(fact: Fact, value: Any, terms: Terms, pack: Pack) -> bool:
    """Whether a fact can be so. Nothing told (`-`) is no contradiction."""
    if value is None:
        return True
    kind = fact.kind
    if kind == "number":
        if type(value) is not int or (fact.only and value not in fact.only) or value % fact.step:
            return False
        low, high = limit(fact.least, terms), limit(fact.most, terms)
        return (low is None or value >= low) and (high is None or value <= high)
    if kind == "choice":
        return type(value) in (str, int) and str(value) in map(str, fact.only)
    if kind == "somebody":
        return isinstance(value, str) and (value in names_of(fact, terms) or value in fact.only)
    if kind == "yes or no":
        return isinstance(value, bool)
    if kind == "anything":
        return isinstance(value, bool | str)
    listed = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(one, str) for one in listed):
        return False
    if kind == "seats":
        return set(listed) <= set(terms.seats) and not (fact.most == 1 and len(set(listed)) < len(listed))
    most = limit(fact.most, terms)
    return all(one in pack.code for one in listed) and len(set(listed)) == len(listed) <= (most or len(listed))


def counts(fact: Fact, value: Any, terms: Terms, pack: Pack) -> bool:
    """Whether the score may rest on a fact."""
    return may_be(fact, value, terms, pack) or (fact.stands and type(value) is int)


def listed_with_or(words: tuple[str, ...]) -> str:
    """Words as a person lists them.

    >>> listed_with_or(("c", "d", "nt")), listed_with_or(("A", "B")), listed_with_or(("A",))
    ('c, d or nt', 'A or B', 'A')
    """
    *some, last = words
    return f"{', '.join(some)} or {last}" if some else last


def in_words(fact: Fact, terms: Terms) -> str:
    """What a fact can be, as a person says it."""
    if fact.kind == "number":
        low, high = limit(fact.least, terms), limit(fact.most, terms)
        if fact.only:
            return listed_with_or(tuple(map(str, fact.only)))
        bounds = "a number" if low is None and high is None else f"{low} or more" if high is None else f"{low} to {high}"
        return bounds + (f" by {fact.step}s" if fact.step > 1 else "")
    if fact.kind == "choice":
        return listed_with_or(tuple(map(str, fact.only)))
    if fact.kind == "somebody":
        return listed_with_or((*names_of(fact, terms), *map(str, fact.only)))
    if fact.kind == "yes or no":
        return "yes or no"
    if fact.kind == "seats":
        return f"seats ({', '.join(terms.seats)}){', each once' if fact.most == 1 else ''}"
    return f"cards of the pack, {fact.most} at most" if fact.kind == "cards" else "yes, no or a word"


def written(value: Any) -> str:
    """A fact as it was typed.

    >>> written(["A", "C"]), written(True), written(-2), written("x"), written({"A": 1})
    ('A,C', 'yes', '-2', 'x', 'more keys')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(written, value))
    return "more keys" if isinstance(value, dict) else str(value)


def objection(fact: Fact, key: str, value: Any, terms: Terms) -> str:
    """What is to be said of a fact that cannot be."""
    says = fact.says.replace("{key}", key).replace("{names}", listed_with_or(names_of(fact, terms)) if fact.who else "")
    said = says or f"{key} is {in_words(fact, terms)}"
    return f"{said}, not {written(value)}"


# -- the facts of one tally, and of several -------------------------------------------------------------------------------


def flat(facts: Mapping[str, Any], stem: str = "") -> Iterator[tuple[str, Any]]:
    """Nested facts by their dotted keys.

    >>> list(flat({"level": 7, "tricks": {"NS": 5}, "trick": {}}))
    [('level', 7), ('tricks.NS', 5)]
    """
    for key, value in facts.items():
        if isinstance(value, dict):
            yield from flat(value, f"{stem}{key}.")
        else:
            yield f"{stem}{key}", value


def put(facts: Facts, key: str, value: Any) -> None:
    """Set a fact by its dotted key."""
    *path, last = key.split(".")
    for part in path:
        here = facts.get(part)
        if not isinstance(here, dict):
            here = facts[part] = {}
        facts = here
    facts[last] = value


def declared(key: str, state: State[Any]) -> Fact | str | None:
    """The fact of this dotted key, as its page declares it; None where that leaves it open; or what is wrong with the key."""
    if (plain := state.game.tally.get(key)) is not None and "*" not in key and "#" not in key:
        return plain if isinstance(plain, Fact) else None
    return _of_a_shape(key, Shapes(state.game.name, state.game.tally), state.terms.seats, tuple(state.terms.sides))


class Shapes:
    """The facts of one page, as that page declares them: two are the same if they are of the same page."""

    __slots__ = ("name", "tally")

    def __init__(self, name: str, tally: Mapping[str, Fact | str]) -> None:
        self.name, self.tally = name, tally

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shapes) and self.tally is other.tally

    def __hash__(self) -> int:
        return id(self.tally)


@lru_cache(maxsize=4096)
def _of_a_shape(key: str, page: Shapes, seats: tuple[str, ...], sides: tuple[str, ...]) -> Fact | str | None:
    """The same for a key that stands for somebody, or for a number."""
    parts = key.split(".")
    wrong = f"{page.name} knows no fact '{key}' in a tally"
    for shape, fact in page.tally.items():
        pattern = shape.split(".")
        if len(pattern) != len(parts) or any(a not in (b, "*", "#") for a, b in zip(pattern, parts, strict=True)):
            continue
        strange = next((why for a, b in zip(pattern, parts, strict=True) if a in "*#" and (why := stranger(a, b, fact, key, seats, sides))), "")
        if not strange:
            return fact if isinstance(fact, Fact) else None
        wrong = strange
    return wrong


def stranger(pattern: str, part: str, fact: Fact | str, key: str, seats: tuple[str, ...], sides: tuple[str, ...]) -> str:
    """What is wrong with a part of a key that stands for somebody, or for a number; empty if nothing is."""
    if pattern == "#":
        most = fact.numbered if isinstance(fact, Fact) else 0
        good = part.isascii() and part.isdigit() and part != "0" and (not most or int(part) <= most) and part[0] != "0"
        return "" if good else f"{key}: the numbers go from 1 to {most}" if most else f"{key}: {part} is no number"
    if isinstance(fact, Fact) and fact.of == "hand":
        seat, colon, n = part.partition(":")
        good = seat in seats and (not colon or (n.isascii() and n.isdigit() and int(n) > 1 and n[0] != "0"))
    else:
        good = part in sides or (not isinstance(fact, Fact) and part.partition(":")[0] in seats)
    return "" if good else f"{key} is told of {' or '.join(sides)}, and {part} is none of them"


def last_words(tallies: Sequence[Facts], facts: Facts, state: State[Any]) -> list[Facts]:
    """The tallies of a hand with one more: what this one tells anew goes out of those before it, as the last word counts.

    What the game does not know is left out. So however often a hand is told, no more is kept than there is to tell.
    """
    known: Facts = {}
    for key, value in flat(facts):
        if not isinstance(declared(key, state), str):
            put(known, key, value)
    return [*(left for was in tallies if (left := _less(was, known))), known]


def _less(was: Facts, by: Facts) -> Facts:
    """Facts without those that others tell too."""
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
