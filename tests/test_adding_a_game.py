"""What `docs/adding-a-game.md` prints is a game that works."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
import tables
from msgspec.structs import replace

from events.model import Deal, Gap
from reducers import legal, registry
from reducers.evolve import evolve, is_part_of_first_deal
from replay.fold import fold
from replay.simulate import simulate
from replay.testing import conformance as suite

DOC = (Path(__file__).parent.parent / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
PAGE, CASES = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
ASKED = [
    test for name, test in sorted(vars(suite).items()) if name.startswith("test_")
    and {"game"} <= set(test.__code__.co_varnames[: test.__code__.co_argcount])
]  # fmt: skip

# What was looked up of the games that are registered.
CACHED = (registry.find_game, legal.plans, legal.acts_of, tables.tables, tables.by_name, tables.in_turn)


def module(name: str, source: str) -> ModuleType:
    """The module that this source makes."""
    made = types.ModuleType(name)
    sys.modules[name] = made
    exec(compile(source, f"{name}.py", "exec"), made.__dict__)
    return made


@pytest.fixture(autouse=True)
def forehand(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The page is written and registered."""
    monkeypatch.setitem(sys.modules, "forehand_page", module("forehand_page", PAGE))
    monkeypatch.setitem(registry.PAGES, "forehand", "forehand_page")
    for cached in CACHED:
        cached.cache_clear()
    yield
    for cached in CACHED:
        cached.cache_clear()


@pytest.mark.parametrize("ask", ASKED, ids=lambda test: test.__name__)
def test_the_page_passes_what_every_game_passes(ask: types.FunctionType) -> None:
    """With two matches each, and in every case that there is besides."""
    cases = {
        "seed": (0, 1), "broken": (False, True), "hidden": (False, True), "what": suite.FURTHER, "most": (1,),
        "how": suite.WITHOUT_LINES,
    }
    _, *more = ask.__code__.co_varnames[: ask.__code__.co_argcount]
    for values in product(*(cases[name] for name in more)):
        ask("forehand", *values)


def test_its_cases_pass() -> None:
    """The cases as they are printed."""
    cases = module("forehand_cases", CASES)
    tried = [test for name, test in vars(cases).items() if name.startswith("test_")]
    assert len(tried) == 3
    for test in tried:
        test()


def test_a_deal_that_names_its_pile_is_never_the_first_one() -> None:
    """If this failed, a card turned from the stock after a gap would begin a hand that nobody played."""
    state = fold(simulate("forehand", seed=1, hands=1), until=6)
    evolve(state, Gap(by="@"))
    first = Deal(by="@", piles=(("upcard", ("??",)),))
    assert is_part_of_first_deal(first, state)
    assert not is_part_of_first_deal(replace(first, src="stock"), state)
