"""An evening's movement: who meets whom at which table, in every round.

| how | who | source |
|---|---|---|
| `round-robin` | each meets each of the others once | the circle method: one stays, the others go round |
| `howell` | pairs; each meets each of the others once, and every set of deals once | a starter and its adder (Stanton and Mullin 1968, the construction of Room squares), found by search. For 4 to 6 pairs there is none (a Room square of side 3 or 5 does not exist: Mullin and Wallis 1975): there all tables play the deals of the round, dealt alike for each |
| `mitchell` | pairs in two lines; the second line moves up a table after each round, the deals down | J. T. Mitchell's movement; with an even number of tables the second line skips a table after half of the rounds |
| `individual` | single players at tables of three or more; nobody meets anybody twice | lines over a field of as many elements as there are tables (the transversal designs of Bose 1938): in each round a line moves up as many tables as its number times that of the round; with as many lines as tables each line sits together at the end. At tables of four otherwise a whist tournament |
| `whist` | single players in a game of two pairs; each partners each of the others once, and meets each twice | a whist tournament (Moore 1896), from a starter whose pairs are joined so that each difference of opponents comes twice (Anderson 1997, chapter 11), found by search |
| `swiss` | those near each other in the standing, who have not met | the standing of the evening so far; a bye is the lowest's who had none |

Who is left over has a bye. Numbers of entrants begin with 1, as those of tables and sets of deals do; deals are 0 if
each table deals its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from string import ascii_uppercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import UsageError
from events.model import Facts
from events.register_notes import Registered
from events.visible_text import NAME, is_name
from reducers.first_state import begin
from reducers.opening import opening
from reducers.registry import find_game
from reducers.sheet import Block, Cell, Head, Sheet, SheetRow
from replay.season.table_cells import people_in

MOST_ENTRANTS, MOST_HOWELL, MOST_STEPS = 60, 20, 200_000
WHIST = (4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28)
"""The numbers of players for whom there is a whist tournament here."""
FIELDS = (3, 4, 5, 7, 8, 9, 11, 13, 17, 19)
"""The numbers of tables over which lines can move: the sizes of fields."""
_POWERS = {4: (2, 3), 8: (2, 3), 9: (3, 2)}
"""The fields whose size is no prime: the prime, and what the highest power comes to (x² = x + 1, x³ = x + 1, x² = 2),
as digits to that base."""


class Meeting(Struct, frozen=True):
    """A table of a round: its number, the two entrants, the set of deals, and at a table of single players the
    others."""

    table: int
    first: int
    second: int
    deals: int = 0
    others: tuple[int, ...] = ()

    @property
    def who(self) -> tuple[int, ...]:
        """All who sit there."""
        return (self.first, self.second, *self.others)


class Movement(Struct, frozen=True):
    """A movement: how it was made, the entrants, and the rounds."""

    how: str
    entrants: tuple[str, ...]
    rounds: tuple[tuple[Meeting, ...], ...]

    def bye(self, round_: int) -> str:
        """The entrant with a bye in a round, from 1; "" if there is none."""
        there = {who for one in self.rounds[round_ - 1] for who in one.who}
        return next((name for n, name in enumerate(self.entrants, 1) if n not in there), "")

    def sits(self, one: Meeting) -> tuple[str, ...]:
        """Who sits at a table, side by side: in a whist tournament two pairs."""
        names = [self.entrants[n - 1] for n in one.who]
        return (" & ".join(names[:2]), " & ".join(names[2:])) if self.how == "whist" else tuple(names)


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


def movement(how: str, entrants: Sequence[str], rounds: int = 0, size: int = 0) -> Movement:
    """The movement of an evening, with at most `rounds` rounds (0: all; a Swiss one begins with its first). `size` is the
    number of seats at a table of single players. Raises UsageError if no movement of that kind fits the entrants."""
    names = checked_entrants(entrants)
    if how not in HOW:
        raise UsageError(f"there is no movement {how[:40]!r}", expected=f"one of {', '.join(HOW)}")
    if how in ("individual", "whist") and any(len(people_in(name)) > 1 for name in names):
        raise UsageError(f"a movement {how} is for single players", expected="each player alone")
    made = tuple(_individual(len(names), size) if how == "individual" else HOW[how](len(names)))
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
    if size in (4, 6):
        for k, round_ in enumerate(_round_robin(n), 1):
            yield tuple(replace(one, deals=k) for one in round_)
        return
    if not 8 <= size <= MOST_HOWELL:
        raise UsageError(
            f"there is no Howell movement here for {n} pairs", expected=f"3 to {MOST_HOWELL} pairs",
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
        # With an odd number the entrant who would stay at the first table is missing: the opponent has a bye.
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


def _individual(n: int, size: int) -> Iterator[tuple[Meeting, ...]]:
    if size < 3:
        raise UsageError(
            f"a movement of single players needs tables of three or more, and {size or 'no number'} was said",
            expected="how many sit at a table (--players 4)",
        )
    tables, rest = divmod(n, size)
    if rest or tables not in FIELDS or tables < size:
        if size == 4 and n in WHIST:
            yield from _whist(n)
            return
        there = sorted({size * q for q in FIELDS if size <= q} | set(WHIST if size == 4 else ()))
        raise UsageError(
            f"there is no movement here for {n} players at tables of {size}",
            expected=", ".join(str(n) for n in there if n <= MOST_ENTRANTS) + " players", todo="--how swiss, for pairs",
        )
    for k in range(tables):
        yield tuple(
            _seated(t + 1, [i * tables + _sum(t, _times(i, k, tables), tables) for i in range(size)])
            for t in range(tables)
        )
    if size == tables:
        yield tuple(_seated(t + 1, range(t * size, (t + 1) * size)) for t in range(tables))


def _whist(n: int) -> Iterator[tuple[Meeting, ...]]:
    if n not in WHIST:
        raise UsageError(
            f"there is no whist tournament here for {n} players",
            expected=f"{', '.join(map(str, WHIST[:-1]))} or {WHIST[-1]} players",
        )
    modulus = n - 1 + n % 2
    first = _whist_tables(modulus, n % 2 == 0)
    for k in range(modulus):
        # The last player stays at the first table; of an odd number who would be 0 has a bye.
        yield tuple(
            _seated(t, [modulus if x < 0 else _sum(x, k, modulus) for x in one]) for t, one in enumerate(first, 1)
        )


def _seated(table: int, players: Sequence[int]) -> Meeting:
    """A table at which players sit, counted from 0."""
    first, second, *others = (n + 1 for n in players)
    return Meeting(table, first, second, 0, tuple(others))


@cache
def _whist_tables(modulus: int, stays: bool) -> tuple[tuple[int, int, int, int], ...]:
    """The tables of the first round of a whist tournament, two partners and then two others, where each difference of
    opponents comes twice: the pairs of a starter, joined. With `stays`, 0 has a partner who stays, written -1."""

    opposite = [next(y for y in range(modulus) if _sum(x, y, modulus) == 0) for x in range(modulus)]
    differences = [d for d in range(1, modulus) if d < opposite[d]]

    def apart(x: int, y: int) -> int:
        d = _sum(x, opposite[y], modulus)
        return min(d, opposite[d])

    def starters(k: int, left: frozenset[int]) -> Iterator[list[tuple[int, int]]]:
        if k == len(differences):
            yield []
            return
        for x in sorted(left):
            if (y := _sum(x, differences[k], modulus)) in left:
                yield from ([(x, y), *rest] for rest in starters(k + 1, left - {x, y}))

    def joined(left: list[tuple[int, int]], met: Counter[int]) -> list[tuple[int, int, int, int]] | None:
        if not left:
            return []
        (a, b), *others = left
        for c, d in others:
            now = met + Counter(apart(x, y) for x in (a, b) for y in (c, d) if x >= 0)
            if max(now.values()) < 3:
                rest = joined([pair for pair in others if pair != (c, d)], now)
                if rest is not None:
                    return [(a, b, c, d), *rest]
        return None

    found = next(
        made for pairs in starters(0, frozenset(range(1, modulus)))
        if (made := joined([*([(-1, 0)] if stays else []), *pairs], Counter())) is not None
    )
    return tuple(found)


def _sum(a: int, b: int, q: int) -> int:
    """The sum in the field, or else the ring, of `q` elements."""
    base, out, place = _POWERS.get(q, (q, 0))[0], 0, 1
    while a or b:
        a, x = divmod(a, base)
        b, y = divmod(b, base)
        out, place = out + (x + y) % base * place, place * base
    return out


def _times(a: int, b: int, q: int) -> int:
    """The product in the field of `q` elements.

    >>> _times(2, 2, 5), _times(2, 2, 4), _times(2, 4, 8), _times(3, 3, 9)
    (4, 3, 3, 2)
    """
    if q not in _POWERS:
        return a * b % q
    (base, highest), out, place = _POWERS[q], 0, q // _POWERS[q][0]
    while place:
        over, shifted = divmod(out * base, q)
        for _ in range(over):
            shifted = _sum(shifted, highest, q)
        out = shifted
        for _ in range(b // place % base):
            out = _sum(out, a, q)
        place //= base
    return out


def _swiss(n: int) -> Iterator[tuple[Meeting, ...]]:
    """The first round: the upper half of the list against the lower."""
    half = n // 2
    yield tuple(Meeting(i + 1, i + 1, i + 1 + half) for i in range(half))


HOW: dict[str, Callable[[int], Iterator[tuple[Meeting, ...]]]] = {
    "round-robin": _round_robin, "howell": _howell, "mitchell": _mitchell, "individual": lambda n: _individual(n, 0),
    "whist": _whist, "swiss": _swiss,
}
"""The movements by name; each takes the number of entrants."""
KINDS = {
    "round-robin": "each meets each of the others once", "howell": "Howell", "mitchell": "Mitchell",
    "individual": "single players, who meet in turn", "whist": "single players, each with each as partners",
    "swiss": "Swiss, by standing",
}
"""The movements in words."""


# -- tables and paper


def table_openings(
    made: Movement, round_: int, game: str, options: Mapping[str, Any], *, day: str, title: str,
) -> list[Facts]:
    """The openings of the matches of a round, from 1. Raises UsageError if the game has no table for two such entrants,
    or if there is no such round."""
    if not 1 <= round_ <= len(made.rounds):
        raise UsageError(f"the movement has no round {round_}", expected=f"1 to {len(made.rounds)}")
    out = []
    for one in made.rounds[round_ - 1]:
        sides = [people_in(names) for names in made.sits(one)]
        house = dict(options)
        if game == "pad" and any(len(side) > 1 for side in sides):
            house["sides"] = " ".join(
                ascii_uppercase[sum(map(len, sides[:i])) :][: len(side)] for i, side in enumerate(sides)
            )
        terms = begin(opening(game, seats=[f"{i}" for i in range(sum(map(len, sides)))], options=house)).terms
        if [len(members) for members in terms.sides.values()] != [len(side) for side in sides]:
            raise UsageError(
                f"{' and '.join(made.sits(one))} are no {'two' if len(sides) == 2 else len(sides)} sides of {find_game(game).name}",
                expected=f"sides of {' and '.join(str(len(members)) for members in terms.sides.values())}",
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
            SheetRow((
                Cell(str(one.table)),
                *map(Cell, [", ".join(made.sits(one))] if made.how == "individual" else made.sits(one)),
                *([Cell(str(one.deals))] if deals else []),
            ))
            for one in round_
        ]
    heads = ["players"] if made.how == "individual" else ["sits", "against"]
    block = Block("Who meets whom", ("table", *heads, *(["hands"] if deals else [])), tuple(rows))
    return Sheet(
        title, (("Movement", KINDS[made.how]), ("Rounds", str(len(made.rounds)))), (block,), (), head=Head(event=title),
    )


def encoded_rounds(made: Movement) -> list[str]:
    """The rounds as texts for a record: `1:8/1 2:7/3`, who sits there and the deals, by table."""
    return [" ".join(f"{':'.join(map(str, one.who))}/{one.deals}" for one in round_) for round_ in made.rounds]


def decoded_movement(kept: Registered) -> Movement:
    """The movement of a note in the register. Raises UsageError if it is none."""
    try:
        made = tuple(
            tuple(
                replace(_seated(table, [int(n) - 1 for n in who.split(":")]), deals=int(deals))
                for table, (who, _, deals) in enumerate((one.partition("/") for one in text.split()), 1)
            )
            for text in kept.rounds
        )  # fmt: skip
        many = len(kept.entrants)
        if kept.kind not in HOW or not all(1 <= n <= many for round_ in made for one in round_ for n in one.who):
            raise ValueError
    except (ValueError, TypeError):
        raise UsageError("the movement that was recorded cannot be read", todo="Make it again") from None
    return Movement(kept.kind, tuple(kept.entrants), made)
