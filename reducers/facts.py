"""The facts of a tally, each declared once: its meaning and its possible values.

A page lists its facts by key (`cards.*`, `trick.#`, `seven`), each made by a function below. From the list follow the
output of `kibitz rules`, the findings about impossible facts, what one side's figure says of the other's, and which
facts may be scored (`reducers.words.tallies`). A `Law` excludes combinations of facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from events.cards import Pack
from events.model import Facts
from events.name_lists import one_of
from reducers.deal import DealSpec
from reducers.terms import Terms

Limit: TypeAlias = int | Callable[[Terms], int] | DealSpec
"""A number, one that depends on the terms, or as many as a deal gives each seat (the tricks of a hand)."""
Kind: TypeAlias = Literal["anything", "number", "choice", "somebody", "yes or no", "cards", "seats"]

UNREAD = "?"
"""Replaces a reported value that is impossible or unreadable."""


class Fact(Struct, frozen=True):
    """One fact of a tally; the functions below create it.

    `of` says if the figures of a key with `*` belong to sides or hands, `numbered` is the highest number of a key
    with `#`. `together` is the sum over the sides, so the figure of one gives that of the other; if a hand may be
    stopped early, the sum is at least `fewest`, and `stops` is the figure of a side that stops it. `counts` names the
    figures (`tricks`) that these facts report one by one. An impossible fact breaks `rule` of its page, table.T10 if
    empty; `says` is the rule in a few words, with `{key}` for the key and `{names}` for the allowed names. If it
    `stands`, a number out of bounds is a breach by the table and counts as it was played.
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
    together: Limit | None = None
    fewest: int | None = None
    stops: Limit | None = None
    counts: str = ""
    rule: str = ""
    says: str = ""
    stands: bool = False


class Law(Struct, frozen=True):
    """A combination of facts that is impossible.

    `wrong` gets every reported fact of the hand by its dotted key and the state, and returns a sentence, or "" if
    there is no objection. It is called if one of `keys` is reported; if it objects, all facts under `keys` are unknown.
    """

    keys: tuple[str, ...]
    # The second argument is the state; its type is unknown in this module.
    wrong: Callable[[Mapping[str, Any], Any], str]
    rule: str = ""


# -- declarations of a page -------------------------------------------------------------------------------------------


def number(
    meaning: str, least: Limit | None = 0, most: Limit | None = None, *, only: tuple[int, ...] = (), step: int = 1,
    of: Literal["side", "hand"] = "side", together: Limit | None = None, rule: str = "", says: str = "",
    stands: bool = False,
) -> Fact:  # fmt: skip
    """A whole number within bounds, or one of a few."""
    return Fact(
        meaning, "number", least, most, step, only, of=of, together=together, rule=rule, says=says, stands=stands,
    )


def choice(
    meaning: str, *words: str | int, of: Literal["side", "hand"] = "side", rule: str = "", says: str = ""
) -> Fact:
    """One of a few words."""
    return Fact(meaning, "choice", only=words, of=of, rule=rule, says=says)


def somebody(
    meaning: str, *who: Literal["seat", "side"], also: tuple[str, ...] = (), numbered: int = 0, counts: str = "",
    rule: str = "", says: str = "",
) -> Fact:  # fmt: skip
    """A seat of the match, a side of it, or a word that stands for neither."""
    return Fact(meaning, "somebody", only=also, who=who, numbered=numbered, counts=counts, rule=rule, says=says)


def yes_or_no(meaning: str, *, rule: str = "") -> Fact:
    """Yes or no."""
    return Fact(meaning, "yes or no", rule=rule)


def cards(meaning: str, most: int, *, rule: str = "") -> Fact:
    """Different cards of the pack, at most `most`."""
    return Fact(meaning, "cards", most=most, rule=rule)


def seats(meaning: str, *, once: bool = False, rule: str = "", says: str = "") -> Fact:
    """Seats in order; with `once` none is named twice."""
    return Fact(meaning, "seats", most=1 if once else None, rule=rule, says=says)


def word(meaning: str) -> Fact:
    """Yes, no, or any word: why a hand does not count."""
    return Fact(meaning)


# -- possible values --------------------------------------------------------------------------------------------------


def limit(of: Limit | None, terms: Terms, hand: int = 0) -> int | None:
    """A bound, which may depend on the house rules and, if each hand is dealt another number of cards, on the number
    of the `hand`; of 0 the highest bound."""
    if isinstance(of, DealSpec):
        told, seats = getattr(terms.options, of.option) if of.option else None, len(terms.seats)
        return max(of.by_hand) if of.by_hand and not hand else of.among(seats, hand, told).each
    return of(terms) if callable(of) else of


def names_allowed(fact: Fact, terms: Terms) -> tuple[str, ...]:
    """The sides and seats that a fact may name."""
    named = (*(terms.sides if "side" in fact.who else ()), *(terms.seats if "seat" in fact.who else ()))
    return tuple(dict.fromkeys(named))


def may_be(fact: Fact, value: Any, terms: Terms, pack: Pack) -> bool:
    """True if the value is possible. A value left open (`-`) is."""
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
        return isinstance(value, str) and (value in names_allowed(fact, terms) or value in fact.only)
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


def counts_for_score(fact: Fact, value: Any, terms: Terms, pack: Pack) -> bool:
    """True if the fact may be used for the score."""
    return may_be(fact, value, terms, pack) or (fact.stands and type(value) is int)


def listed_with_and(words: tuple[str, ...]) -> str:
    """Join words with commas and a final "and".

    >>> listed_with_and(("A", "B", "C")), listed_with_and(("A", "B")), listed_with_and(("A",))
    ('A, B and C', 'A and B', 'A')
    """
    *some, last = words
    return f"{', '.join(some)} and {last}" if some else last


def in_runs(words: tuple[str, ...]) -> tuple[str, ...]:
    """The same words, with three or more consecutive numbers as a range.

    >>> in_runs(("bust", "2", "3", "4", "nt", "7", "8"))
    ('bust', '2 to 4', 'nt', '7', '8')
    """
    out: list[tuple[str, ...]] = []
    for word in words:
        if out and word.isdecimal() and out[-1][-1].isdecimal() and int(word) == int(out[-1][-1]) + 1:
            out[-1] = (*out[-1], word)
        else:
            out.append((word,))
    return tuple(one for run in out for one in ((f"{run[0]} to {run[-1]}",) if len(run) > 2 else run))


def fact_in_words(fact: Fact, terms: Terms) -> str:
    """The possible values of a fact, as a person says them."""
    if fact.kind == "number":
        low, high = limit(fact.least, terms), limit(fact.most, terms)
        if fact.only:
            return one_of(in_runs(tuple(map(str, fact.only))))
        bounds = (
            "a number" if low is None and high is None else f"{low} or more" if high is None else f"{low} to {high}"
        )
        return bounds + (f" by {fact.step}s" if fact.step > 1 else "")
    if fact.kind == "choice":
        return one_of(in_runs(tuple(map(str, fact.only))))
    if fact.kind == "somebody":
        return one_of((*names_allowed(fact, terms), *map(str, fact.only)))
    if fact.kind == "yes or no":
        return "yes or no"
    if fact.kind == "seats":
        return f"seats ({', '.join(terms.seats)}){', each once' if fact.most == 1 else ''}"
    return f"cards of the pack, {fact.most} at most" if fact.kind == "cards" else "yes, no or a word"


def typed_fact(value: Any) -> str:
    """A fact as it was typed.

    >>> typed_fact(["A", "C"]), typed_fact(True), typed_fact(-2), typed_fact("x"), typed_fact({"A": 1})
    ('A,C', 'yes', '-2', 'x', 'more keys')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(typed_fact, value))
    return "more keys" if isinstance(value, dict) else str(value)


def objection(fact: Fact, key: str, value: Any, terms: Terms) -> str:
    """The objection to an impossible fact, as a sentence."""
    says = fact.says.replace("{key}", key).replace(
        "{names}", one_of(names_allowed(fact, terms)) if fact.who else "",
    )
    said = says or f"{key} is {fact_in_words(fact, terms)}"
    return f"{said}, not {typed_fact(value)}"


# -- facts by dotted keys ---------------------------------------------------------------------------------------------


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


def at_key(facts: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    """The reported value of a dotted key in a tuple, which may be None; () if it is not reported.

    >>> at_key({"captor": {"10": "A"}}, "captor.10"), at_key({"five": None}, "five"), at_key({}, "captor.10")
    (('A',), (None,), ())
    """
    here: Any = facts
    for part in key.split("."):
        if not isinstance(here, Mapping) or part not in here:
            return ()
        here = here[part]
    return (here,)


def set_fact(facts: Facts, key: str, value: Any) -> None:
    """Set a fact by its dotted key."""
    *path, last = key.split(".")
    for part in path:
        here = facts.get(part)
        if not isinstance(here, dict):
            here = facts[part] = {}
        facts = here
    facts[last] = value
