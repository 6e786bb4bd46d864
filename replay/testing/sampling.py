"""What a quick run asks of each game: of the large grids a few cells, drawn by the name of the game.

A grid is one test with the games down its side and its cases along its top: seeds, ways to spoil a record, kinds of
log. To ask every case of every game takes too long once there are many games. So each game draws its own cells. The
draw turns on nothing but the names of the test, the game and the case: every run asks the same, and a new game
changes the draw of no other game. Every game is asked something, and every case is asked of some game.

The cells that were not drawn are marked `slow` and run with `make soak`, with the same assertions. `--whole` runs
them at once, and `--game` runs what is asked of one game. tests/README.md has the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from reducers.registry import PAGES, find_game

Test = TypeVar("Test", bound=Callable[..., None])
FAMILIES = (
    "kaiser", "envite", "scopa", "jersey-gin", "burraco", "seven-and-a-half", "california-speed", "put-and-take",
)
"""One game of each family: bidding and tricks, vying, fishing, drawing and discarding, melding, banking, at the same
time, a kitty."""


class Run:
    """What this run of the tests was asked for; it is set before any test module is imported."""

    games: tuple[str, ...] = ()
    """The only games that are asked (`--kibitz-game`); all that come with Kibitz if there are none."""
    golden = Path("playthroughs")
    """The folder of the golden playthroughs."""

    quick = False
    """Long tests are shut out (`-m 'not slow'`). They are not even made: each worker would have to list tens of
    thousands."""
    whole = False
    """What was not drawn runs all the same."""
    short: frozenset[str] | None = None
    """The only games that are asked what is asked of every game, in a short run (`--short`, `make test`)."""
    rest = False
    """What a short run leaves out is asked, and nothing else (`--rest`)."""


def asked() -> list[str]:
    """The games that are asked, sorted."""
    return sorted(Run.games or PAGES)


def asked_with_cards() -> list[str]:
    """Those of them whose cards are recorded."""
    return [game for game in asked() if find_game(game).has_cards]


def lot(test: str, game: str, case: object) -> float:
    """The lot that a game draws for a case of a test, between 0 and 1."""
    return Random(f"{test}/{game}/{case}").random()


def drawn(test: str, games: Collection[str], cases: Sequence[Any], each: int) -> set[tuple[str, Any]]:
    """The cells that run every time: of each game the lowest lots, so many of them; a case that no game has drawn
    goes to the one that drew the lowest lot for it."""
    cells = {(game, case) for game in games for case in sorted(cases, key=lambda case: lot(test, game, case))[:each]}
    left = [case for case in cases if case not in {case for _, case in cells}]
    return cells | {(min(games, key=lambda game: lot(test, game, case)), case) for case in left if games}


def sampled(
    names: str, games: Collection[str], cases: Iterable[Any], *, each: int,
    always: Collection[Any] | Callable[[str], Collection[Any]] = (), soak: Iterable[Any] = (),
    sits: Callable[[str, Any], str] = lambda game, case: game, short: int | None = None,
) -> Callable[[Test], Test]:  # fmt: skip
    """Ask a test of each game in so many of its cases every time, and in all of them with `make soak`.

    `names` are its parameters, the game first; a case with several values is a tuple. `always` are cases that every
    game is asked every time, beside those that it draws, or a function that gives those of a game; `soak` are
    further cases, for the soak alone. `sits` gives the table at which a game is asked a case, by its name
    (`replay.testing.tables`). `short` is how many of the cells that were drawn `make test` asks of its families.
    """
    cases, soak, single = list(cases), list(soak), names.count(",") == 1

    def ask(test: Test) -> Test:
        each_time = {game: always(game) if callable(always) else always for game in games}
        everybody = [] if callable(always) else always
        quick = drawn(test.__name__, games, [c for c in cases if c not in everybody], each)
        later = left_to_the_rest(
            test.__name__, [(game, case) for game, case in quick if case not in each_time[game]], short,
        )
        cells = []
        for game in games:
            if Run.short is not None and not Run.rest and game_in(game) not in Run.short:
                continue
            for case in (*cases, *soak):
                runs = case in each_time[game] or (game, case) in quick or (Run.whole and case in cases)
                if runs or not Run.quick:
                    values = (case,) if single else case
                    marks = pytest.mark.slow if not runs else pytest.mark.rest if (game, case) in later else ()
                    cells.append(pytest.param(sits(game, case), *values, marks=marks))
        asks: Callable[[Test], Test] = pytest.mark.parametrize(names, cells)
        return asks(test)

    return ask


def left_to_the_rest(test: str, cells: Iterable[tuple[str, Any]], short: int | None) -> set[tuple[str, Any]]:
    """The cells of a grid that `make test-rest` asks of a family: all but so many, which draw the lowest lots, or
    none. A game that is in a short run because it was changed is asked all of its own."""
    asked = sorted(
        (cell for cell in cells if game_in(cell[0]) in FAMILIES), key=lambda cell: lot(f"short/{test}", *cell),
    )
    return set() if short is None else set(asked[short:])


def each_game(games: Iterable[str], short: int, name: str = "game") -> Callable[[Test], Test]:
    """Ask a test of each game, or table of a game, and of so many of the families in `make test`; `name` is its
    parameter."""
    games = list(games)

    def ask(test: Test) -> Test:
        later = left_to_the_rest(test.__name__, [(game, "") for game in games], short)
        asks: Callable[[Test], Test] = pytest.mark.parametrize(
            name, [pytest.param(game, marks=pytest.mark.rest if (game, "") in later else ()) for game in games],
        )
        return asks(test)

    return ask


def seeds(quick: int, soak: int) -> list[Any]:
    """Seeds of chance: the first few run every time, all of them with `make soak`."""
    long = () if Run.quick else (pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, soak))
    return [*range(quick), *long]


@cache
def game_in(name: str) -> str:
    """The game of a name: its key (`kaiser`), or a table or an example of it (`kaiser-evening`); empty if it names
    none."""
    return next((game for game in (*Run.games, *PAGES) if name == game or name.startswith(f"{game}-")), "")
