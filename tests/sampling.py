"""What a quick run asks of each game: of the large grids a few cells, drawn by the name of the game.

A grid is one test with the games down its side and its cases along its top: seeds, ways to spoil a record, kinds of log.
To ask every case of every game takes too long once there are many games. So each game draws its own cells. The draw turns
on nothing but the names of the test, the game and the case: every run asks the same, and a new game changes the draw of
no other game. Every game is asked something, and every case is asked of some game.

The cells that were not drawn are marked `slow` and run with `make soak`, with the same assertions. `--whole` runs them at
once, and `--game` runs what is asked of one game. tests/README.md has the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random
from typing import Any, TypeVar

import pytest

from reducers.registry import PAGES

Test = TypeVar("Test", bound=Callable[..., None])


class Run:
    """What this run of the tests was asked for; tests/conftest.py sets it before any test module is imported."""

    quick = False
    """Long tests are shut out (`-m 'not slow'`). They are not even made: each worker would have to list tens of thousands."""
    whole = False
    """What was not drawn runs all the same."""


def lot(test: str, game: str, case: object) -> float:
    """The lot that a game draws for a case of a test, between 0 and 1."""
    return Random(f"{test}/{game}/{case}").random()


def drawn(test: str, games: Collection[str], cases: Sequence[Any], each: int) -> set[tuple[str, Any]]:
    """The cells that run every time: of each game the lowest lots, so many of them; a case that no game has drawn goes to
    the one that drew the lowest lot for it."""
    cells = {(game, case) for game in games for case in sorted(cases, key=lambda case: lot(test, game, case))[:each]}
    left = [case for case in cases if case not in {case for _, case in cells}]
    return cells | {(min(games, key=lambda game: lot(test, game, case)), case) for case in left}


def sampled(
    names: str, games: Collection[str], cases: Iterable[Any], *, each: int,
    always: Collection[Any] | Callable[[str], Collection[Any]] = (), soak: Iterable[Any] = (), sits: Callable[[str, Any], str] = lambda game, case: game,
) -> Callable[[Test], Test]:  # fmt: skip
    """Ask a test of each game in so many of its cases every time, and in all of them with `make soak`.

    `names` are its parameters, the game first; a case with several values is a tuple. `always` are cases that every game is
    asked every time, beside those that it draws, or a function that gives those of a game; `soak` are further cases, for the
    soak alone. `sits` gives the table at which a game is asked a case, by its name (tests/tables.py).
    """
    cases, soak, single = list(cases), list(soak), names.count(",") == 1

    def ask(test: Test) -> Test:
        each_time = {game: always(game) if callable(always) else always for game in games}
        everybody = [] if callable(always) else always
        quick = drawn(test.__name__, games, [c for c in cases if c not in everybody], each)
        cells = []
        for game in games:
            for case in (*cases, *soak):
                runs = case in each_time[game] or (game, case) in quick or (Run.whole and case in cases)
                if runs or not Run.quick:
                    values = (case,) if single else case
                    cells.append(pytest.param(sits(game, case), *values, marks=() if runs else pytest.mark.slow))
        return pytest.mark.parametrize(names, cells)(test)

    return ask


def seeds(quick: int, soak: int) -> list[Any]:
    """Seeds of chance: the first few run every time, all of them with `make soak`."""
    long = () if Run.quick else (pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, soak))
    return [*range(quick), *long]


# -- which game a test is asked of ----------------------------------------------------------------------------------------


def module_of(game: str) -> str:
    """The name of the module of a page, which its own tests have as well."""
    return PAGES[game].rpartition(".")[2]


def game_of(item: pytest.Item) -> str:
    """The game that this test is asked of: the one among its parameters (`kaiser`, or an example, `kaiser-evening`), or the
    one whose page or tests these are."""
    given = getattr(item, "callspec", None)
    for value in given.params.values() if given is not None else ():
        if isinstance(value, str) and (game := next((g for g in PAGES if value == g or value.startswith(f"{g}-")), "")):
            return game
    return next((game for game in PAGES if item.path.stem in (module_of(game), f"test_{module_of(game)}")), "")
