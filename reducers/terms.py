"""What is agreed before the first card: seats, sides, dealer, names and house rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from events.model import Facts
from events.name_lists import one_of

Direction: TypeAlias = Annotated[
    Literal["clockwise", "counter-clockwise"], Meta(description="which way play goes round")
]
"""The house rule of a game that some tables play to the right."""


def to_the_right(options: Any) -> bool:
    """True if the table plays counter-clockwise, by its house rule `direction`."""
    right: bool = options.direction == "counter-clockwise"
    return right


Joiner: TypeAlias = Annotated[
    Literal["nothing", "worst", "average"],
    Meta(description="what a player who joins between hands begins with: nothing, or the worst or average total")
]
Leaver: TypeAlias = Annotated[
    Literal["out", "counts"],
    Meta(description="whether a player who left is out with the own total, or that counts at the end")
]
"""House rules of games in which points are counted and players may join or leave."""

HandsInMatch: TypeAlias = Annotated[
    int, Meta(ge=0, le=999, description="hands in a match; 0 for an evening without a fixed end")
]
GamesInMatch: TypeAlias = Annotated[int, Meta(ge=1, le=99, description="games that make a match")]
StartingChips: TypeAlias = Annotated[
    int, Meta(ge=0, le=1_000_000, description="chips everybody begins with, 0 to count gains and losses")
]
"""House rules of matches with a fixed length, and of games for chips."""


class HouseRules(Struct, frozen=True, kw_only=True):
    """House rules that any table may agree on, whatever the text of its game says of the end of a match."""

    hands: Annotated[
        int, Meta(ge=0, le=999, description="hands after which the better total has won; 0 plays on as the text has it")
    ] = 0


class Terms(Struct, frozen=True):
    """What was agreed before the first card: seats in order, sides, names, options, first dealer.

    `sides` maps the name of a side to its seats; if all play alone, each seat is its own side.
    """

    seats: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    side_of: Mapping[str, str]
    names: Mapping[str, str]
    options: Any
    dealer: str
    facts: Facts
    # The seat that plays after each seat, as the tuple of seats that may act next.
    next: Mapping[str, tuple[str, ...]] = {}
    # The display name of each seat and side: the player's name, or the seat or side itself without one.
    called: Mapping[str, str] = {}
    # The direction of play: 1 is clockwise, -1 counter-clockwise.
    way: int = 1

    def name(self, who: str) -> str:
        """The player's name, or the seat or side itself without one."""
        return self.called.get(who, who)

    def left(self, seat: str, steps: int = 1) -> str:
        """The seat this many places clockwise."""
        return self.seats[(self.seats.index(seat) + steps) % len(self.seats)]

    def after(self, seat: str, steps: int = 1) -> str:
        """The seat this many places on in the direction of play."""
        return self.left(seat, self.way * steps)

    def in_turn(self, first: str) -> tuple[str, ...]:
        """All seats in the direction of play, beginning with `first`."""
        seats = self.seats[:: self.way]
        i = seats.index(first)
        return seats[i:] + seats[:i]

    def around(self, first: str) -> tuple[str, ...]:
        """All seats clockwise, beginning with `first`."""
        i = self.seats.index(first)
        return self.seats[i:] + self.seats[:i]

    def other(self, side: str) -> str:
        """The other of two sides."""
        return next(one for one in self.sides if one != side)

    def __deepcopy__(self, memo: object) -> Terms:
        return self


def called_by(sides: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> dict[str, str]:
    """The display names of sides and named seats: a side by its own name, or by those of its members."""
    return {**{side: " & ".join(names.get(s, s) for s in members) for side, members in sides.items()}, **names}


def side_named(name: object, terms: Terms) -> str:
    """The side of this name, or the side of this seat; "" if there is none."""
    text = str(name)
    return text if text in terms.sides else terms.side_of.get(text, "")


def every_seat(state: Any) -> tuple[str, ...]:
    """All seats of the table of this state: the players of a game in which no player drops out."""
    seats: tuple[str, ...] = state.terms.seats
    return seats


def hand_of(seat: str) -> str:
    """The name of a seat's holding as events write it.

    >>> hand_of("N"), hand_of("A:2")
    ('hand:N', 'hand:A:2')
    """
    return f"hand:{seat}"


class Seating(Struct, frozen=True):
    """The seats of each size of table, clockwise, and the sides they form.

    `sizes` maps the number of seats to the default seats, the usual table first; `sides` names its sides, `how` says
    how they play ("each alone"). `house` is the seat of a bank that no person plays.
    """

    sizes: Mapping[int, tuple[str, ...]]
    sides: Mapping[int, Mapping[str, tuple[str, ...]]]
    how: Mapping[int, str]
    house: str = ""

    @property
    def usual(self) -> tuple[str, ...]:
        """The seats of a match that names none."""
        return next(iter(self.sizes.values()))

    @property
    def in_words(self) -> str:
        """The possible numbers of seats: `2 or 4`, `1 to 10`."""
        return numbers_in_words(self.sizes)

    @property
    def players(self) -> str:
        """How many play, and how: `2 or 3, each alone; 4, partners opposite`."""
        alike: dict[str, list[int]] = {}
        for n in sorted(self.sizes):
            alike.setdefault(self.how[n], []).append(n - (self.house != ""))
        return "; ".join(f"{numbers_in_words(numbers)}, {how}" for how, numbers in alike.items())


def numbers_in_words(numbers: Iterable[int]) -> str:
    """Numbers to choose from, sorted.

    >>> numbers_in_words([4, 2]), numbers_in_words([2, 3, 5]), numbers_in_words([4, 2, 3])
    ('2 or 4', '2, 3 or 5', '2 to 4')
    """
    given = sorted(numbers)
    return f"{given[0]} to {given[-1]}" if given[-1] - given[0] + 1 == len(given) > 2 else one_of(map(str, given))


def sides_told(told: str, seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The sides that a table agreed on, each written as its seats. Raises ValueError if a seat has no side, or two.

    >>> sides_told("NS EW", ("N", "E", "S", "W"))
    {'NS': ('N', 'S'), 'EW': ('E', 'W')}
    >>> sides_told("NS E", ("N", "E", "S", "W"))
    Traceback (most recent call last):
    ValueError: W is in no side
    """
    seat = re.compile("|".join(sorted(seats, key=len, reverse=True)))
    sides = {written: tuple(seat.findall(written)) for written in told.split()}
    strange = next((written for written, members in sides.items() if "".join(members) != written), "")
    if strange:
        raise ValueError(f"'{strange}' is not written with the seats of this match")
    placed = [one for members in sides.values() for one in members]
    for one in seats:
        if placed.count(one) != 1:
            raise ValueError(f"{one} is in {'no side' if one not in placed else 'a side twice'}")
    return sides


def partnerships(seats: str = "N E S W") -> Seating:
    """Four seats, partners opposite: the sides are named by their seats."""
    a, b, c, d = seats.split()
    return Seating({4: (a, b, c, d)}, {4: {a + c: (a, c), b + d: (b, d)}}, {4: "partners opposite"})


def pairs(*sizes: int, seats: str = "A B C D E F G H I J K L") -> Seating:
    """Partners opposite each other, at tables of these sizes: each pair is named by its seats.

    >>> pairs(6).sides[6]
    {'AD': ('A', 'D'), 'BE': ('B', 'E'), 'CF': ('C', 'F')}
    """
    names = tuple(seats.split())
    both = {n: [(names[i], names[i + n // 2]) for i in range(n // 2)] for n in sizes}
    sides = {n: {"".join(pair): pair for pair in both[n]} for n in sizes}
    return Seating({n: names[:n] for n in sizes}, sides, dict.fromkeys(sizes, "partners opposite"))


def singles(*sizes: int, seats: str = "A B C D E F G H I J K L", how: str = "each alone") -> Seating:
    """Each player alone, at tables of these sizes."""
    names = tuple(seats.split())
    sides = {n: {s: (s,) for s in names[:n]} for n in sizes}
    return Seating({n: names[:n] for n in sizes}, sides, dict.fromkeys(sizes, how))


def teams(*sizes: int, seats: str = "A B C D E F G H I J K L") -> Seating:
    """Two teams that sit alternately, at tables of these sizes: each is named by its seats.

    >>> teams(6).sides[6]
    {'ACE': ('A', 'C', 'E'), 'BDF': ('B', 'D', 'F')}
    """
    names = tuple(seats.split())
    both = {n: (names[:n:2], names[1:n:2]) for n in sizes}
    sides = {n: {"".join(team): team for team in both[n]} for n in sizes}
    return Seating({n: names[:n] for n in sizes}, sides, dict.fromkeys(sizes, "in two teams"))


def seatings(*tables: Seating) -> Seating:
    """Tables of several sizes.

    >>> both = seatings(singles(2, 3), partnerships())
    >>> sorted(both.sizes), both.sides[2], both.sides[4]
    ([2, 3, 4], {'A': ('A',), 'B': ('B',)}, {'NS': ('N', 'S'), 'EW': ('E', 'W')})
    """
    sizes = {n: seats for table in tables for n, seats in table.sizes.items()}
    sides = {n: sides for table in tables for n, sides in table.sides.items()}
    return Seating(dict(sorted(sizes.items())), sides, {n: how for table in tables for n, how in table.how.items()})
