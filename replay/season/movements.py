"""An evening's movement: who meets whom at which table, in every round.

| how | who | source |
|---|---|---|
| `round-robin` | each meets each of the others once | the circle method: one stays, the others go round |
| `howell` | pairs; each meets each of the others once, and every set of deals once | a starter and its adder (Stanton and Mullin 1968, the construction of Room squares), found by search; it holds for 8 pairs and more |
| `mitchell` | pairs in two lines; the second line moves up a table after each round, the deals down | J. T. Mitchell's movement; with an even number of tables the second line skips a table after half of the rounds |
| `swiss` | those near each other in the standing, who have not met | the standing of the evening so far; a bye is the lowest's who had none |

Who is left over has a bye. Numbers of entrants begin with 1, as those of tables and sets of deals do; deals are 0 if
each table deals its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from string import ascii_uppercase
from typing import Any

from msgspec import Struct

from events.errors import UsageError
from events.model import Facts
from events.visible_text import NAME, is_name
from reducers.first_state import begin
from reducers.opening import opening
from reducers.registry import find_game
from reducers.sheet import Block, Cell, Head, Sheet, SheetRow
from replay.season.table_cells import people_in

MOST_ENTRANTS, MOST_HOWELL, MOST_STEPS = 60, 20, 200_000


class Meeting(Struct, frozen=True):
    """A table of a round: its number, the two entrants, and the set of deals."""

    table: int
    first: int
    second: int
    deals: int = 0


class Movement(Struct, frozen=True):
    """A movement: how it was made, the entrants, and the rounds."""

    how: str
    entrants: tuple[str, ...]
    rounds: tuple[tuple[Meeting, ...], ...]

    def bye(self, round_: int) -> str:
        """Who has a bye in a round, from 1; "" if nobody has."""
        there = {who for one in self.rounds[round_ - 1] for who in (one.first, one.second)}
        return next((name for n, name in enumerate(self.entrants, 1) if n not in there), "")


def checked_entrants(entrants: Sequence[str]) -> tuple[str, ...]:
    """The entrants, each a player or a pair. Raises UsageError."""
    out = tuple(" & ".join(people_in(one)) for one in entrants if one.strip())
    people = [name for one in out for name in people_in(one)]
    if not 2 <= len(out) <= MOST_ENTRANTS:
        raise UsageError(
            f"there are {len(out)} entrants", expected=f"2 to {MOST_ENTRANTS} players or pairs, as 'Olena & Walter'",
        )
    for name in people:
        if not is_name(name) or people.count(name) > 1:
            raise UsageError(
                f"{name[:40]!r} {'is named twice' if is_name(name) else 'is no name'}",
                expected=f"each player once; a name is {NAME}",
            )
    return out


def movement(how: str, entrants: Sequence[str], rounds: int = 0) -> Movement:
    """The movement of an evening, at most so many rounds of it (0: all; a Swiss one begins with its first). Raises
    UsageError if there is none of that kind for so many entrants."""
    names = checked_entrants(entrants)
    if how not in HOW:
        raise UsageError(f"there is no movement {how[:40]!r}", expected=f"one of {', '.join(HOW)}")
    made = tuple(HOW[how](len(names)))
    return Movement(how, names, made[: rounds or len(made)])


def next_round(before: Movement, standing: Mapping[str, tuple[int, float]]) -> Movement:
    """A Swiss movement with one more round, by the matches and the figure of each player so far. Raises UsageError if a
    table of the rounds before has no result, or if everybody has met everybody."""
    if before.how != "swiss":
        raise UsageError(f"all rounds of a {before.how} movement are there", expected="a Swiss movement")
    people = [people_in(one) for one in before.entrants]
    for n, names in enumerate(people, 1):
        sat = sum(n in (one.first, one.second) for round_ in before.rounds for one in round_)
        if any(standing.get(name, (0, 0.0))[0] < sat for name in names):
            raise UsageError(
                f"{before.entrants[n - 1]} has no result of every round yet", where=f"round {len(before.rounds) + 1}",
                expected=f"{sat} matches that are over", todo="End the tables of the round before, and draw again",
            )
    figures = [sum(standing.get(name, (0, 0.0))[1] for name in names) / len(names) for names in people]
    met = {frozenset((one.first, one.second)) for round_ in before.rounds for one in round_}
    byes = [before.bye(n) for n in range(1, len(before.rounds) + 1)]
    order = sorted(range(1, len(before.entrants) + 1), key=lambda n: -figures[n - 1])
    steps = iter(range(MOST_STEPS))

    def pairs(left: Sequence[int]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        first, *others = left
        for i, other in enumerate(others):
            if next(steps, None) is None:
                return None
            if frozenset((first, other)) not in met and (rest := pairs([*others[:i], *others[i + 1 :]])) is not None:
                return [(first, other), *rest]
        return None

    # Who had no bye yet stays out, the lowest first; all may have had one.
    outs = sorted(order, key=lambda n: (byes.count(before.entrants[n - 1]), -order.index(n))) if len(order) % 2 else [0]
    for out in outs:
        found = pairs([n for n in order if n != out])
        if found is not None:
            return Movement(
                before.how, before.entrants,
                (*before.rounds, tuple(Meeting(table, a, b) for table, (a, b) in enumerate(found, 1))),
            )
    raise UsageError(
        "everybody has met everybody who is left", where=f"round {len(before.rounds) + 1}",
        expected="fewer rounds than entrants", todo="End the movement, or begin another one",
    )


# -- the movements
# ------------------------------------------------------------------------------------------------------


def _round_robin(n: int) -> Iterator[tuple[Meeting, ...]]:
    ring = [*range(1, n + 1), *([0] if n % 2 else [])]
    for k in range(len(ring) - 1):
        half = len(ring) // 2
        pairs = [(ring[i], ring[-1 - i]) for i in range(half)]
        # The one who stays changes sides each round; the others do as they go round.
        pairs[0] = pairs[0] if k % 2 == 0 else pairs[0][::-1]
        yield tuple(Meeting(table, a, b) for table, (a, b) in enumerate([p for p in pairs if 0 not in p], 1))
        ring = [ring[0], ring[-1], *ring[1:-1]]


def _mitchell(n: int) -> Iterator[tuple[Meeting, ...]]:
    if n < 4:
        raise UsageError(
            f"a Mitchell movement of {n} pairs has one table", expected="4 pairs or more", todo="--how round-robin",
        )
    tables = (n + 1) // 2
    for k in range(tables if tables % 2 else tables - 1):
        moved = k + (1 if tables % 2 == 0 and k >= tables // 2 else 0)
        row = [Meeting(i + 1, i + 1, tables + (i - moved) % tables + 1, (i + k) % tables + 1) for i in range(tables)]
        yield tuple(one for one in row if one.second <= n)


def _howell(n: int) -> Iterator[tuple[Meeting, ...]]:
    size = n + n % 2
    if not 8 <= size <= MOST_HOWELL:
        raise UsageError(
            f"there is no Howell movement here for {n} pairs", expected=f"7 to {MOST_HOWELL} pairs",
            todo="--how round-robin has each meet each of the others too",
        )
    modulus = size - 1
    starter = _starter(modulus)
    for k in range(modulus):
        row = [Meeting(1, size, k + 1, k + 1)]
        row += [
            Meeting(table, (x + k) % modulus + 1, (y + k) % modulus + 1, (k - adder) % modulus + 1)
            for table, (x, y, adder) in enumerate(starter, 2)
        ]
        # Of an odd number nobody is there to stay at the first table: who would meet them has a bye.
        yield tuple(row[size - n :])


@cache
def _starter(modulus: int) -> tuple[tuple[int, int, int], ...]:
    """A starter of the numbers below an odd modulus, with its adder: pairs in which each number but 0 is once, with all
    differences, so that each number but 0 is there once too if the adder of each pair is added to both."""

    def search(
        difference: int, left: frozenset[int], shifted: frozenset[int], adders: frozenset[int],
    ) -> tuple[tuple[int, int, int], ...] | None:
        if difference > modulus // 2:
            return ()
        for x in sorted(left):
            y = (x + difference) % modulus
            if y not in left:
                continue
            for adder in sorted(adders):
                u, v = (x + adder) % modulus, (y + adder) % modulus
                if u in shifted and v in shifted:
                    rest = search(difference + 1, left - {x, y}, shifted - {u, v}, adders - {adder})
                    if rest is not None:
                        return ((x, y, adder), *rest)
        return None

    numbers = frozenset(range(1, modulus))
    found = search(1, numbers, numbers, numbers)
    assert found is not None, modulus
    return found


def _swiss(n: int) -> Iterator[tuple[Meeting, ...]]:
    """The first round: the upper half of the list against the lower."""
    half = n // 2
    yield tuple(Meeting(i + 1, i + 1, i + 1 + half) for i in range(half))


HOW: dict[str, Callable[[int], Iterator[tuple[Meeting, ...]]]] = {
    "round-robin": _round_robin, "howell": _howell, "mitchell": _mitchell, "swiss": _swiss,
}
"""The movements by name; each takes the number of entrants."""


# -- tables and paper
# -----------------------------------------------------------------------------------------------------


def table_openings(
    made: Movement, round_: int, game: str, options: Mapping[str, Any], *, day: str, title: str,
) -> list[Facts]:
    """The openings of the matches of a round, from 1. Raises UsageError if the game has no table for two such entrants,
    or if there is no such round."""
    if not 1 <= round_ <= len(made.rounds):
        raise UsageError(f"the movement has no round {round_}", expected=f"1 to {len(made.rounds)}")
    out = []
    for one in made.rounds[round_ - 1]:
        sides = [people_in(made.entrants[n - 1]) for n in (one.first, one.second)]
        house = dict(options)
        if game == "pad" and any(len(side) > 1 for side in sides):
            house["sides"] = " ".join(
                ascii_uppercase[sum(map(len, sides[:i])) :][: len(side)] for i, side in enumerate(sides)
            )
        terms = begin(opening(game, seats=[f"{i}" for i in range(sum(map(len, sides)))], options=house)).terms
        if [len(members) for members in terms.sides.values()] != [len(side) for side in sides]:
            raise UsageError(
                (
                    f"{made.entrants[one.first - 1]} and {made.entrants[one.second - 1]} are no two sides of "
                    f"{find_game(game).name}"
                ),
                expected=f"two sides of {' and '.join(str(len(members)) for members in terms.sides.values())}",
            )
        seats = dict(
            zip(
                (seat for members in terms.sides.values() for seat in members),
                (name for side in sides for name in side), strict=True,
            )
        )
        out.append(
            opening(
                game, seats=seats, options=house, date=day or None, title=title or None, round=str(round_),
                table=str(one.table),
            )
        )
    return out


def movement_sheet(made: Movement, title: str) -> Sheet:
    """The movement on paper: a table with a heading for each round."""
    deals = any(one.deals for round_ in made.rounds for one in round_)
    rows = []
    for n, round_ in enumerate(made.rounds, 1):
        bye = made.bye(n)
        rows.append(SheetRow((Cell(f"Round {n}" + (f" ({bye} has a bye)" if bye else "")),), "part"))
        rows += [
            SheetRow(
                (
                    Cell(str(one.table)), Cell(made.entrants[one.first - 1]), Cell(made.entrants[one.second - 1]),
                    *([Cell(str(one.deals))] if deals else []),
                )
            )
            for one in round_
        ]
    block = Block("Who meets whom", ("table", "sits", "against", *(["deals"] if deals else [])), tuple(rows))
    kinds = {
        "round-robin": "each meets each of the others once", "howell": "Howell", "mitchell": "Mitchell",
        "swiss": "Swiss, by standing",
    }
    return Sheet(
        title, (("Movement", kinds[made.how]), ("Rounds", str(len(made.rounds)))), (block,), (), head=Head(event=title),
    )


def encoded_rounds(made: Movement) -> list[str]:
    """The rounds as texts for a record: `1:8/1 2:7/3`, first and second entrant and deals, by table."""
    return [" ".join(f"{one.first}:{one.second}/{one.deals}" for one in round_) for round_ in made.rounds]


def decoded_movement(how: str, entrants: Sequence[str], rounds: Sequence[str]) -> Movement:
    """The movement of a record. Raises UsageError if it is none."""
    try:
        made = tuple(
            tuple(
                Meeting(table, *map(int, one.replace("/", ":").split(":"))) for table, one in enumerate(text.split(), 1)
            )
            for text in rounds
        )  # fmt: skip
        if how not in HOW or not all(
            1 <= who <= len(entrants) for round_ in made for one in round_ for who in (one.first, one.second)
        ):
            raise ValueError
    except (ValueError, TypeError):
        raise UsageError("the movement that was recorded cannot be read", todo="Make it again") from None
    return Movement(how, tuple(entrants), made)


__all__ = [
    "HOW", "Meeting", "Movement", "checked_entrants", "decoded_movement", "encoded_rounds", "movement",
    "movement_sheet", "next_round", "table_openings",
]
