"""Samples of the large test grids for a quick run: each game draws a few cells by its name.

A grid is one test with the games as rows and its cases as columns: seeds, ways to spoil a record, kinds of log. All
cases of all games would take too long. So each game draws its own cells. The draw depends only on the names of the
test, the game and the case: every run has the same cells, and a new game does not change the draw of another. Each
game has at least one cell, and so has each case.

The cells that were not drawn are marked `slow` and run with `make soak`, with the same assertions. `--whole` runs
them at once, and `--game` runs the tests of one game. tests/README.md has the budget.
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
    """The options of this test run, set before any test module is imported."""

    games: tuple[str, ...] = ()
    """The only games to test (`--kibitz-game`); if empty, all games of Kibitz."""
    golden = Path("playthroughs")
    """The folder of the golden playthroughs."""

    quick = False
    """True to leave out long tests (`-m 'not slow'`). They are not even collected: each worker would have to list tens
    of thousands."""
    whole = False
    """True to run the cells that were not drawn, too."""
    short: frozenset[str] | None = None
    """The only games that the tests of all games run for in a short run (`--short`, `make test`)."""
    rest = False
    """True to run only what a short run leaves out (`--rest`)."""


def asked() -> list[str]:
    """The games to test, sorted."""
    return sorted(Run.games or PAGES)


def asked_with_cards() -> list[str]:
    """The games to test that have cards."""
    return [game for game in asked() if find_game(game).has_cards]


def lot(test: str, game: str, case: object) -> float:
    """A number from 0 to 1, fixed for a case of a test in a game."""
    return Random(f"{test}/{game}/{case}").random()


def drawn(test: str, games: Collection[str], cases: Sequence[Any], each: int) -> set[tuple[str, Any]]:
    """The cells that run every time: for each game the `each` cases with the lowest lots. A case that no game has drawn
    goes to the game with the lowest lot for it."""
    cells = {(game, case) for game in games for case in sorted(cases, key=lambda case: lot(test, game, case))[:each]}
    left = [case for case in cases if case not in {case for _, case in cells}]
    return cells | {(min(games, key=lambda game: lot(test, game, case)), case) for case in left if games}


def sampled(
    names: str, games: Collection[str], cases: Iterable[Any], *, each: int,
    always: Collection[Any] | Callable[[str], Collection[Any]] = (), soak: Iterable[Any] = (),
    sits: Callable[[str, Any], str] = lambda game, case: game, short: int | None = None,
) -> Callable[[Test], Test]:  # fmt: skip
    """Run a test for each game with a sample of its cases every time, and with all of them in `make soak`.

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
    """The cells of a grid that are left to `make test-rest`: those of the families except the `short` lowest lots. All
    cells of a changed game run in a short run."""
    asked = sorted(
        (cell for cell in cells if game_in(cell[0]) in FAMILIES), key=lambda cell: lot(f"short/{test}", *cell),
    )
    return set() if short is None else set(asked[short:])


def each_game(games: Iterable[str], short: int, name: str = "game") -> Callable[[Test], Test]:
    """Run a test for each game, or each table of a game, and in `make test` only for a sample of the families; `name`
    is its parameter."""
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
