"""What a quick run asks of each game: of the large grids a few cells, drawn by the name of the game.

A grid is one test with the games down its side and its cases along its top: seeds, ways to spoil a record, kinds of log.
To ask every case of every game takes too long once there are many games. So each game draws its own cells. The draw turns
on nothing but the names of the test, the game and the case: every run asks the same, and a new game changes the draw of
no other game. Every game is asked something, and every case is asked of some game.

The cells that were not drawn are marked `slow` and run with `make soak`, with the same assertions. `--whole` runs them at
once, and `--game` runs what is asked of one game. tests/README.md has the budget.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import is_hypothesis_test, settings

from reducers.registry import PAGES

Test = TypeVar("Test", bound=Callable[..., None])
ROOT = Path(__file__).parent.parent


FAMILIES = ("kaiser", "envite", "scopa", "jersey-gin", "burraco", "seven-and-a-half", "california-speed", "put-and-take")
"""One game of each family: bidding and tricks, vying, fishing, drawing and discarding, melding, banking, at the same time, a kitty."""


class Run:
    """What this run of the tests was asked for; tests/conftest.py sets it before any test module is imported."""

    quick = False
    """Long tests are shut out (`-m 'not slow'`). They are not even made: each worker would have to list tens of thousands."""
    whole = False
    """What was not drawn runs all the same."""
    short: frozenset[str] | None = None
    """The only games that are asked what is asked of every game, in a short run (`--short`, `make test`)."""
    rest = False
    """What a short run leaves out is asked, and nothing else (`--rest`)."""


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
    short: int | None = None,
) -> Callable[[Test], Test]:  # fmt: skip
    """Ask a test of each game in so many of its cases every time, and in all of them with `make soak`.

    `names` are its parameters, the game first; a case with several values is a tuple. `always` are cases that every game is
    asked every time, beside those that it draws, or a function that gives those of a game; `soak` are further cases, for the
    soak alone. `sits` gives the table at which a game is asked a case, by its name (tests/tables.py). `short` is how many of the
    cells that were drawn `make test` asks of its families.
    """
    cases, soak, single = list(cases), list(soak), names.count(",") == 1

    def ask(test: Test) -> Test:
        each_time = {game: always(game) if callable(always) else always for game in games}
        everybody = [] if callable(always) else always
        quick = drawn(test.__name__, games, [c for c in cases if c not in everybody], each)
        later = left_to_the_rest(test.__name__, [(game, case) for game, case in quick if case not in each_time[game]], short)
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
        return pytest.mark.parametrize(names, cells)(test)

    return ask


def left_to_the_rest(test: str, cells: Iterable[tuple[str, Any]], short: int | None) -> set[tuple[str, Any]]:
    """The cells of a grid that `make test-rest` asks of a family: all but so many, which draw the lowest lots, or none. A game that is
    in a short run because it was changed is asked all of its own."""
    asked = sorted((cell for cell in cells if game_in(cell[0]) in FAMILIES), key=lambda cell: lot(f"short/{test}", *cell))
    return set() if short is None else set(asked[short:])


def each_game(games: Iterable[str], short: int, name: str = "game") -> Callable[[Test], Test]:
    """Ask a test of each game, or table of a game, and of so many of the families in `make test`; `name` is its parameter."""
    games = list(games)

    def ask(test: Test) -> Test:
        later = left_to_the_rest(test.__name__, [(game, "") for game in games], short)
        return pytest.mark.parametrize(name, [pytest.param(game, marks=pytest.mark.rest if (game, "") in later else ()) for game in games])(test)

    return ask


def seeds(quick: int, soak: int) -> list[Any]:
    """Seeds of chance: the first few run every time, all of them with `make soak`."""
    long = () if Run.quick else (pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, soak))
    return [*range(quick), *long]


def forms(short: Any, quick: Any, *long: Any) -> list[Any]:
    """The three sizes of a proof: a short one for `make test`, that of `make test-rest`, and long ones for the soak. Tuples are several values."""
    def form(name: str, value: Any, *marks: Any) -> Any:
        return pytest.param(*(value if isinstance(value, tuple) else (value,)), id=name, marks=marks)

    if Run.short is not None and not Run.rest:
        return [form("short", short)]
    return [form("quick", quick, pytest.mark.rest), *(() if Run.quick else (form("long", value, pytest.mark.slow) for value in long))]


def a_few(values: Iterable[Any], short: int, *, whole: bool = False) -> list[Any]:
    """The values of a test of which `make test` asks so many, one in each equal part of them, and `make test-rest` the others. Tuples
    are several values, or one with `whole`."""
    values = list(values)
    asked = {len(values) * n // short for n in range(short)}
    return [value if i in asked else pytest.param(*(value if isinstance(value, tuple) and not whole else (value,)), marks=pytest.mark.rest) for i, value in enumerate(values)]


def sized(short: int, usual: int) -> int:
    """The size of a proof marked `both`: a small one for `make test`, the usual one for `make test-rest`."""
    return short if Run.short is not None and not Run.rest else usual


def asked_games() -> list[str]:
    """The games of a proof marked `both` that asks all games at once: a few in a short run."""
    return sorted(PAGES if Run.short is None or Run.rest else Run.short)


def examples(usual: int, given: settings | None = None, **more: Any) -> Callable[[Any], Any]:
    """So many examples of Hypothesis; a tenth of them in a short run. `given` and `more` are other settings."""
    return lambda test: pytest.mark.both(settings(given, max_examples=sized(max(5, usual // 10), usual), **more)(test))


# -- which game a test is asked of ----------------------------------------------------------------------------------------


def module_of(game: str) -> str:
    """The name of the module of a page, which its own tests have as well."""
    return PAGES[game].rpartition(".")[2]


@cache
def game_in(name: str) -> str:
    """The game of a name: its key (`kaiser`), or a table or an example of it (`kaiser-evening`); empty if it names none."""
    return next((game for game in PAGES if name == game or name.startswith(f"{game}-")), "")


@cache
def game_tested_in(stem: str) -> str:
    """The game whose page a file is, or its own tests are (`kaiser`, `test_kaiser`); empty if it is neither."""
    return next((game for game in PAGES if stem in (module_of(game), f"test_{module_of(game)}")), "")


def game_of(item: pytest.Item) -> str:
    """The game that this test is asked of: the one among its parameters (`kaiser`, or an example, `kaiser-evening`), or the
    one whose page or tests these are."""
    given = getattr(item, "callspec", None)
    for value in given.params.values() if given is not None else ():
        if isinstance(value, str) and (game := game_in(value)):
            return game
    return game_tested_in(item.path.stem)


# -- a short run ----------------------------------------------------------------------------------------------------------

def short_games() -> frozenset[str]:
    """The games of a short run: one of each family, and those whose page, or a word that it imports, differs from the last tag.

    Without a tag, or outside a checkout, one of each family.
    """
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout

    tag = git("describe", "--tags", "--abbrev=0").strip()
    changed = {ROOT / path for path in git("diff", "--name-only", tag, "--", "reducers/games", "reducers/words").split()} if tag else set()
    return frozenset(FAMILIES) | {game for game in PAGES if changed and changed & sources_of(PAGES[game])}


def sources_of(module: str) -> set[Path]:
    """The files of a page and of the words that it imports, itself or through other words."""
    found: set[Path] = set()
    todo = [module]
    while todo:
        path = ROOT / f"{todo.pop().replace('.', '/')}.py"
        if path in found or not path.exists():
            continue
        found.add(path)
        todo += imported_by(path)
    return found


@cache
def imported_by(path: Path) -> list[str]:
    """The pages and words that a file imports, by their full names."""
    return [name for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("reducers.games", "reducers.words"))
            for name in (node.module, *(f"{node.module}.{imported.name}" for imported in node.names))]  # fmt: skip


def is_asked(item: pytest.Item) -> bool:
    """Whether this run has this test: a short run, or the one of what it leaves out. What is marked `both` is in both, and a case of it
    that is marked `rest` as well in the second alone. What Hypothesis tries is tried again with more examples."""
    both = item.get_closest_marker("both") is not None
    short = not item.get_closest_marker("rest") if both else is_in_a_short_run(item)
    return short if not Run.rest else both or not short or is_hypothesis_test(getattr(item, "obj", None))


def is_in_a_short_run(item: pytest.Item) -> bool:
    """Whether this test is a hand-written case of a page, is asked of no game, or of one that a short run asks."""
    assert Run.short is not None
    if item.get_closest_marker("rest"):
        return False
    game = game_of(item)
    own = item.path.stem == f"test_{module_of(game)}" if game else False
    by_chance = "seed" in getattr(getattr(item, "callspec", None), "params", ())
    return not game or game in Run.short or (own and not by_chance)
