"""What the runs of our own tests ask: the sizes of a proof, which game a test is about, what a short run leaves out."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

from reducers.registry import PAGES
from replay.testing.sampling import FAMILIES, Run, drawn, each_game, game_in, left_to_the_rest, lot, sampled, seeds

ROOT = Path(__file__).parent.parent


def forms(short: Any, quick: Any, *long: Any) -> list[Any]:
    """The three sizes of a proof: a short one for `make test`, that of `make test-rest`, and long ones for the soak.
    Tuples are several values."""
    def form(name: str, value: Any, *marks: Any) -> Any:
        return pytest.param(*(value if isinstance(value, tuple) else (value,)), id=name, marks=marks)

    if Run.short is not None and not Run.rest:
        return [form("short", short)]
    return [
        form("quick", quick, pytest.mark.rest),
        *(() if Run.quick else (form("long", value, pytest.mark.slow) for value in long)),
    ]


def a_few(values: Iterable[Any], short: int, *, whole: bool = False) -> list[Any]:
    """The values of a test of which `make test` asks so many, one in each equal part of them, and `make test-rest`
    the others. Tuples are several values, or one with `whole`."""
    values = list(values)
    asked = {len(values) * n // short for n in range(short)}
    return [
        value if i in asked
        else pytest.param(*(value if isinstance(value, tuple) and not whole else (value,)), marks=pytest.mark.rest)
        for i, value in enumerate(values)
    ]


def sized(short: int, usual: int) -> int:
    """The size of a proof marked `both`: a small one for `make test`, the usual one for `make test-rest`."""
    return short if Run.short is not None and not Run.rest else usual


def asked_games() -> list[str]:
    """The games of a proof marked `both` that asks all games at once: a few in a short run."""
    return sorted(PAGES if Run.short is None or Run.rest else Run.short)


def examples(usual: int, given: settings | None = None, **more: Any) -> Callable[[Any], Any]:
    """So many examples of Hypothesis; a tenth of them in a short run. `given` and `more` are other settings."""
    return lambda test: pytest.mark.both(settings(given, max_examples=sized(max(5, usual // 10), usual), **more)(test))


def module_of(game: str) -> str:
    """The name of the module of a page, which its own tests have as well."""
    return PAGES[game].rpartition(".")[2]


@cache
def game_tested_in(stem: str) -> str:
    """The game whose page a file is, or its own tests are (`kaiser`, `test_kaiser`); empty if it is neither."""
    return next((game for game in PAGES if stem in (module_of(game), f"test_{module_of(game)}")), "")


def game_of(item: pytest.Item) -> str:
    """The game that this test is asked of: the one among its parameters (`kaiser`, or an example, `kaiser-evening`),
    or the one whose page or tests these are."""
    given = getattr(item, "callspec", None)
    for value in given.params.values() if given is not None else ():
        if isinstance(value, str) and (game := game_in(value)):
            return game
    return game_tested_in(item.path.stem)


def short_games() -> frozenset[str]:
    """The games of a short run: one of each family, and those whose page, or a word that it imports, differs from
    the last tag.

    Without a tag, or outside a checkout, one of each family.
    """
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout

    tag = git("describe", "--tags", "--abbrev=0").strip()
    changed = {
        ROOT / path for path in git("diff", "--name-only", tag, "--", "reducers/games", "reducers/words").split()
    } if tag else set()
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
            if isinstance(node, ast.ImportFrom) and node.module
            and node.module.startswith(("reducers.games", "reducers.words"))
            for name in (node.module, *(f"{node.module}.{imported.name}" for imported in node.names))]  # fmt: skip


def is_asked(item: pytest.Item) -> bool:
    """Whether this run has this test: a short run, or the one of what it leaves out. What is marked `both` is in
    both, and a case of it that is marked `rest` as well in the second alone. What Hypothesis tries is tried again
    with more examples."""
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


__all__ = [
    "FAMILIES", "Run", "a_few", "asked_games", "drawn", "each_game", "examples", "forms", "game_in", "game_of",
    "game_tested_in", "imported_by", "is_asked", "is_in_a_short_run", "left_to_the_rest", "lot", "module_of", "sampled",
    "seeds", "short_games", "sized", "sources_of",
]  # fmt: skip
