"""Events of a store's register: its players, the names in matches that are theirs, and matches moved to another book.

The register is a log like any other, and its entries are notes:

    @ note did=add name="Olena Koval" player=p1        a player, p1 from here on
    @ note did=rename name="Olena Marchuk" player=p1   p1 has another name now
    @ note did=link name=Olena player=p1               the name "Olena" means p1, in every match
    @ note book=league did=link name=Olena player=p1   the same, in the matches of one book
    @ note did=link match=tuesday player=p1 seat=N     the seat N of one match is p1, whatever name is written there
    @ note did=unlink name=Olena player=p1             the link is removed
    @ note did=merge into=p1 player=p2                 p1 and p2 are the same person
    @ note did=forget player=p1                        the name of p1 is never shown again
    @ note book=league day=2026-01-13 did=adjust figures.points=-50 game=burraco player=p1 why="came late"    so it counts in the tables of the book
    @ note book=league day=2026-01-06 did=move entrants=["Olena & Walter","Doris & Marcel"] game=burraco kind=howell rounds=["1:2/1"]    who meets whom
    @ note book=league did=file last=96 match=tuesday tip=9f86…      the match belongs to the book league now
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, get_args

from msgspec import Struct

from events.model import Event, Fix, Note, Recorded

Did = Literal["add", "rename", "link", "unlink", "merge", "forget", "adjust", "move", "file"]
DEEDS: tuple[str, ...] = get_args(Did)
_TEXTS = ("name", "book", "match", "seat", "into", "tip", "game", "day", "kind", "why")


class Registered(Struct, frozen=True):
    """An entry of the register: what was done with a player or a match, by event `n`.

    `book`, `match` and `seat` limit where a link holds (empty: everywhere). A match is filed in `book`; `last` and
    `tip` are its last event and that event's leaf at that moment. An adjustment adds `figures` to those of a player
    on a day, in the tables of a book and a game; its `kind` is "bye", "absent" or "adjusted". The movement of an
    evening has its `entrants` and `rounds`, the `kind` of movement, house rules as `options`, and a title as `name`.
    """

    did: Did
    player: str
    name: str = ""
    book: str = ""
    match: str = ""
    seat: str = ""
    into: str = ""
    tip: str = ""
    last: int = 0
    n: int = 0
    game: str = ""
    day: str = ""
    kind: str = ""
    why: str = ""
    figures: dict[str, float] = {}
    entrants: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    options: dict[str, str] = {}


class NameLink(Struct, frozen=True):
    """A player's name in one book or in all books, or a player's seat in one match."""

    name: str = ""
    book: str = ""
    match: str = ""
    seat: str = ""

    @property
    def told(self) -> str:
        """The linked name or seat, in words."""
        if self.match:
            return f"seat {self.seat} of {self.match}"
        return f"“{self.name}”" + (f" in the book {self.book}" if self.book else "")


def register_note(did: Did, player: str = "", **more: Any) -> Note:
    """The note that records a deed with a player or a match.

    >>> register_note("add", "p1", name="Olena").facts
    {'did': 'add', 'name': 'Olena', 'player': 'p1'}
    """
    facts: dict[str, Any] = {
        "did": did, **({"player": player} if player else {}), **{key: value for key, value in more.items() if value},
    }
    return Note(by="@", facts=dict(sorted(facts.items())))


def _figure(value: object) -> float | None:
    """A figure as a note has it: a whole number, or a text with decimals (`-0.5`), as a record has no others."""
    if type(value) is int and abs(value) < 2**53:
        return value
    return float(value) if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}\.\d{1,2}", value) else None


def registered(recorded: Recorded) -> Registered | None:
    """The register entry in an event; None if it holds none."""
    event: Event | None = recorded.event
    if isinstance(event, Fix):
        event = event.event
    facts = event.facts if isinstance(event, Note) else {}
    did, player, last = facts.get("did"), facts.get("player", ""), facts.get("last", 0)
    said = {key: facts.get(key, "") for key in _TEXTS}
    if did not in DEEDS or not isinstance(player, str) or type(last) is not int or not all(
        isinstance(v, str) for v in said.values()
    ):
        return None
    if (did in ("file", "move")) == bool(player) or (did == "file" and not (said["match"] and said["book"])):
        return None
    told = facts.get("figures", {})
    figures = {name: _figure(value) for name, value in told.items()} if isinstance(told, dict) else {"": None}
    if None in figures.values() or (did == "adjust" and not (said["book"] and said["day"])):
        return None
    entrants, rounds, options = facts.get("entrants", []), facts.get("rounds", []), facts.get("options", {})
    if not isinstance(options, dict) or not all(
        isinstance(some, list) and all(isinstance(one, str) for one in some)
        for some in (entrants, rounds, [*options.values()])
    ):
        return None
    return Registered(
        did, player, **said, last=last, n=recorded.n, figures={name: n for name, n in figures.items() if n is not None}, entrants=tuple(entrants), rounds=tuple(rounds),
        options=options,
    )


def register_entries(records: Iterable[Recorded]) -> list[Registered]:
    """The entries of a register with corrections applied: a struck entry is left out, a replaced one is replaced."""
    found: dict[int, Registered | None] = {}
    for recorded in records:
        event = recorded.event
        if isinstance(event, Fix):
            where = event.at if event.how != "insert" else recorded.n
            found[where] = None if event.how == "strike" else registered(recorded)
        else:
            found[recorded.n] = registered(recorded)
    return [one for one in found.values() if one is not None]


__all__ = ["DEEDS", "Did", "NameLink", "Registered", "register_entries", "register_note", "registered"]
