"""The tables at which each game is tried: every number of seats that its page admits, and house rules.

The first table of a game is the usual one: that of a match that names no seats (nearly always the fewest) and no house
rule. Then come the other numbers of seats; and for each option every value of a choice, yes and no, and two of a
number, its least and twice the usual one. One option is changed at a time: `yaniv-4`, `kaiser-all_pass=dealer_forced`.
The number of players at a table with a house rule is drawn from the small ones: `pontoon-3-stop_at_five=yes`.

A registered game takes part. `VALUES` has the values for options that do not show by themselves what to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from events.model import Recorded
from reducers.model import Game
from reducers.registry import find_game
from reducers.terms import HouseRules
from replay.simulate import simulate
from replay.testing.declared import SEATED, VALUES, WITH
from replay.testing.sampling import asked, lot

SMALL = 4
"""The most players at a table with a house rule, if the game can be played by so few."""


class Table(Struct, frozen=True):
    """A game, its seats and house rules; `changed` is the option that this table tries, if any."""

    game: str
    name: str
    seats: tuple[str, ...]
    options: Mapping[str, Any] = {}
    changed: str = ""

    @property
    def terms(self) -> dict[str, Any]:
        """The seats and the house rules, as a simulated match asks for them."""
        return {"seats": self.seats, "options": self.options}

    @property
    def unchanged(self) -> dict[str, Any]:
        """The same without the option that is tried here."""
        return {
            "seats": self.seats,
            "options": {name: value for name, value in self.options.items() if name != self.changed},
        }


@cache
def tables(game: str) -> tuple[Table, ...]:
    """All tables of a game, the usual one first."""
    page = find_game(game)
    usual = len(page.seating.usual)
    sizes = sorted(page.seating.sizes, key=lambda n: (n != usual, n))
    called = {n: game if n == sizes[0] else f"{game}-{n}" for n in sizes}
    found = [Table(game, called[n], page.seating.sizes[n]) for n in sizes]
    small = [n for n in sizes if n <= SMALL] or sizes[:1]
    for option in own_options(page):
        for value in values(page, option):
            said = f"{option}={('no', 'yes')[value] if isinstance(value, bool) else value}"
            n = SEATED.get((game, option)) or min(small, key=lambda n: lot(said, game, n))
            options = {**WITH.get((game, option), {}), option: value}
            found.append(Table(game, f"{called[n]}-{said}", page.seating.sizes[n], options, option))
    return tuple(found)


def own_options(page: Game) -> list[str]:
    """The options of a page without those that all games share, which `test_tables.py` asks of each in one test, and
    those about joining and leaving, which `test_seating.py` does."""
    shared = (*(HouseRules.__struct_fields__ if issubclass(page.options, HouseRules) else ()), "joiner", "leaver")
    return [option for option in page.options.__struct_fields__ if option not in shared]


def values(page: Game, option: str) -> Iterator[Any]:
    """The values to try for an option, apart from its usual one."""
    usual = next(field.default for field in msgspec.structs.fields(page.options) if field.name == option)
    tried = VALUES.get((page.key, option)) or ends(get_type_hints(page.options, include_extras=True)[option], usual)
    yield from (value for value in tried if value != usual)


def ends(hint: Any, usual: Any) -> Iterable[Any]:
    """All values of a choice, yes and no; for a number its least value and twice the usual one."""
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind is bool:
        return (False, True)
    assert kind is int, f"{hint}: `replay.testing.declared.VALUES` has to say what is tried of it"
    least = next((e.ge for e in extras if isinstance(e, Meta) and e.ge is not None), usual)
    most = next((e.le for e in extras if isinstance(e, Meta) and e.le is not None), 2 * usual)
    return dict.fromkeys((least, min(most, max(least + 1, 2 * usual))))


@cache
def by_name() -> Mapping[str, Table]:
    """The tables of all games."""
    return {table.name: table for game in asked() for table in tables(game)}


def at(name: str) -> Table:
    """The table of this name; a game is the name of its usual table."""
    return by_name()[name]


@cache
def in_turn(game: str) -> tuple[str, ...]:
    """The tables of a game in the order in which its seeds use them: the usual one, then the others, shuffled."""
    usual, *others = (table.name for table in tables(game))
    return (usual, *sorted(others, key=lambda name: lot("tables", game, name)))


def by_seed(game: str, case: Any) -> str:
    """The table of a case, by its seed, which is a number: so each seed of a game is played at another table, until
    all had their turn."""
    seed = case if isinstance(case, int) else next(part for part in case if type(part) is int)
    names = in_turn(game)
    return names[seed % len(names)]


LONG = 250
"""Of a match with more lines than this in two hands, tests that try many positions use only the first hand."""


@cache
def a_hand_or_two(table: str, seed: int) -> tuple[Recorded, ...]:
    """The first two hands that are simulated at a table, or the first if they are long."""
    game, terms = at(table).game, at(table).terms
    two = simulate(game, seed=seed, hands=2, **terms)
    return tuple(two if len(two) <= LONG else simulate(game, seed=seed, hands=1, **terms))
