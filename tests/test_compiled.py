"""The sources put otherwise to be compiled: they must mean the same.

What was compiled has its own run: `make test-compiled`, or `make test-sample` for a few pages.
"""

from __future__ import annotations

import ast
import atexit
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace
from sampling import asked_games

import reducers.table
from cli import version_line
from reducers.model import State
from reducers.registry import PAGES, games_with_cards
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate
from replay.testing.sampling import each_game

ROOT = Path(__file__).resolve().parent.parent


def load() -> ModuleType:
    """The build hook, which is no module of the project."""
    spec = importlib.util.spec_from_file_location("kibitz_build", ROOT / "tools/compiled.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tools = load()
ALL_WAYS, FEW_WAYS = 5, 1
"""In so many ways a log can be odd, and in so many each game is asked in every run; what was compiled is asked in
all of them."""
HERE = Path("reducers/page.py")

PAGE = '''"""A page."""

from __future__ import annotations

from msgspec import Struct

FEW = 3


class Options(Struct, frozen=True):
    """House rules."""

    hands: int = FEW

    def left(self) -> int:
        return fewer(self.hands)


class Hand:
    """A hand."""

    __slots__ = ("seats",)


def fewer(hands: int) -> int:
    return hands - 1


def among(card: str, *more: str) -> bool:
    return card in ("As", *more) and "page" in (__doc__ or "")


def told(card: object) -> bool:
    return isinstance(card, str | int) and getattr(card, "told", False) is getattr(card, "is_told")
'''


def test_structs_move_with_their_constants_and_are_handed_what_they_call() -> None:
    text, moved = tools.rewritten(PAGE, HERE, frozenset({"Struct"}), {"Hand"})
    assert [n.name for n in ast.parse(moved).body if isinstance(n, ast.ClassDef)] == ["Options"]
    assert "FEW = 3" in moved
    assert "FEW = 3" not in text
    assert "; from reducers._page_structs import FEW as FEW, Options as Options" in text
    assert text.endswith('import reducers._page_structs as _structs; setattr(_structs, "fewer", fewer)\n')


def test_every_line_stays_where_it_was() -> None:
    text, _ = tools.rewritten(PAGE, HERE, frozenset({"Struct"}), {"Hand"})
    then, now = PAGE.splitlines(), text.splitlines()
    assert [
        i for i, line in enumerate(then) if line.startswith("def ")
    ] == [i for i, line in enumerate(now) if line.startswith("def ")]
    assert now[then.index("class Hand:") - 1] == tools.TOLD


def test_what_mypyc_does_not_know_is_put_in_words_it_does() -> None:
    text, _ = tools.rewritten(PAGE, HERE, frozenset({"Struct"}), {"Hand"})
    assert """return card in tuple(["As", *more]) and "page" in ('A page.' or "")""" in text
    assert """isinstance(card, (str , int)) and _getattr(card, "told", False) is getattr(card, "is_told")""" in text
    assert tools.LOOKED_UP in text


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (
            "from msgspec import Struct\ndef some() -> int: ...\nclass A(Struct):\n    x: int = some()\n",
            "reducers/page.py:2: some is needed where",
        ),
        ("import os\nfrom functools import cached_property\n", "reducers/page.py:2: mypyc forgets what a cached"),
        ("import os\nX = 1\nclass A:\n    pass\n", "reducers/page.py:2: there is no blank line above class A"),
    ],
)
def test_what_cannot_be_put_otherwise_is_said(source: str, complaint: str) -> None:
    with pytest.raises(tools.CannotCompileError, match=complaint):
        tools.rewritten(source, HERE, frozenset({"Struct"}), {"A"})


def test_a_class_derived_from_a_native_one_is_native(tmp_path: Path) -> None:
    """If this failed, objects of the derived class would lose what the other one gave them as soon as they are
    copied."""
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("class Base: ...\n\nclass Word(str): ...\n\nclass Kind(Generic[T]): ...\n")
    two.write_text("import os\n\nclass Derived(Base): ...\n\nclass Odd(Base, Word): ...\n\nclass Own(Kind[int]): ...\n")
    assert tools.natives_of([two, one]) == {"Base", "Kind", "Derived", "Own"}
    text, _ = tools.rewritten(two.read_text(), HERE, frozenset(), tools.natives_of([two, one]))
    assert [line for line in text.splitlines() if line][1:3] == [tools.TOLD, "class Derived(Base): ..."]


@cache
def put_otherwise() -> tuple[Path, list[str], list[Path]]:
    """The sources put otherwise, in a folder that goes when this process does, and what `tools.put_otherwise` says
    of them. It takes seconds, so that all who only read share it."""
    place = Path(tempfile.mkdtemp(prefix="kibitz-otherwise-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place, *tools.put_otherwise(ROOT, place)


def said(seeds: int, ways: int, places: Iterable[Path | None], *games: str) -> list[list[str]]:
    """What is said by the sources at each place, or by what is installed, of logs of these games, or of all, that
    are odd in so many of the ways of `odd`; each in a process of its own, side by side."""
    command = (sys.executable, "-P", str(ROOT / "tests/alike.py"), str(seeds), str(ways), *games)

    def said_at(place: Path | None) -> list[str]:
        sources = {} if place is None else {"PYTHONPATH": str(place)}
        return subprocess.run(
            command, env={**os.environ, **sources}, capture_output=True, text=True, check=True,
        ).stdout.splitlines()

    with ThreadPoolExecutor() as pool:
        return list(pool.map(said_at, places))


@pytest.mark.rest
@pytest.mark.all_games
def test_the_sources_put_otherwise_judge_alike() -> None:
    """All that would be compiled, run plain: a struct that lost its keywords or a name would show here."""
    place, _, beside = put_otherwise()
    assert Path("reducers/games/_kaiser_structs.py") in beside
    games = tuple(asked_games())
    found, expected = said(1, FEW_WAYS, (place, ROOT), *games)
    assert found == expected
    assert len(found) == FEW_WAYS * len(games)
    assert {line.split()[2] for line in found} == set(map(str, range(ALL_WAYS))), "some way is drawn by no game"


@pytest.mark.rest
@pytest.mark.all_games
def test_a_sample_leaves_the_other_pages_plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a sample would take as long as the whole, or leave out the core; and mypyc would not be asked
    about each page."""
    asked: list[list[str]] = []
    whole_once, put = put_otherwise()[1:], tools.put_otherwise
    monkeypatch.setattr(
        tools, "put_otherwise", lambda root, place, pages=(): put(root, place, pages) if pages else whole_once,
    )
    monkeypatch.setattr(tools, "translate", lambda place, sources: asked.append(sources))
    monkeypatch.setattr(
        tools, "build", lambda place, sources, optimized: (place / "build").mkdir() or asked.append(sources),
    )
    beside = list(tools.compiled(ROOT, tmp_path, ["kaiser", "jersey-gin"]))
    whole, sample = (set(sources) for sources in asked)
    pages = {f"{module.replace('.', '/')}.py" for module in PAGES.values()}
    named = {"reducers/games/kaiser.py", "reducers/games/jersey_gin.py"}
    assert pages < whole
    assert sample == whole - pages | named
    assert not any((tmp_path / page).with_name(f"_{Path(page).stem}_structs.py").exists() for page in pages - named)
    assert {p for p in beside if p.parent.name == "games"} == {
        Path("reducers/games/_kaiser_structs.py"), Path("reducers/games/_jersey_gin_structs.py"),
    }


def test_a_sample_of_a_game_that_has_no_page_is_refused() -> None:
    """If this failed, a name typed wrong would build a sample without that page."""
    with pytest.raises(tools.CannotCompileError, match="there is no page for whist, tarot"):
        tools.sources_of(ROOT, ["kaiser", "whist", "tarot"])


@pytest.mark.skipif(bool(os.environ.get("KIBITZ_COMPILED")), reason="asks the sources of the pages")
@each_game(games_with_cards(), short=8)
def test_no_page_takes_a_hand_that_has_not_begun_for_one(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, the compiled page would stop at the first hand of a record: where a type says that there is a
    hand, a compiled function takes no None."""
    page = importlib.import_module(PAGES[game])
    typed = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(ast.parse(Path(str(page.__file__)).read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and "State[Hand]" in {ast.unparse(given.annotation or given) for given in node.args.args}
    ]
    attribute, taken = State.hand, set[str]()

    def hand(state: State[Any]) -> object:
        found, asks = attribute.__get__(state, State), sys._getframe(1)
        if found is None and asks.f_globals["__name__"] == page.__name__ and any(asks.f_lineno in one for one in typed):
            taken.add(f"line {asks.f_lineno}, {asks.f_code.co_name}")
        return found

    monkeypatch.setattr(State, "hand", property(hand, attribute.__set__))
    log = tuple(simulate(game, seed=0, hands=2))
    for record in (log, hide(log), (log[0], *log[2:]), (log[0], *log[len(log) // 2 :])):
        judge(tuple(replace(r, n=n) for n, r in enumerate(record)))
    assert taken == set()


@pytest.mark.skipif(
    not os.environ.get("KIBITZ_COMPILED"), reason="asks what `make compiled` built; `make test-compiled` runs it",
)
def test_what_was_compiled_judges_as_the_sources_do() -> None:
    """If this failed, a verdict would depend on how Kibitz was installed."""
    pages = os.environ.get("KIBITZ_PAGES", "").split()
    # In a sample the other pages are plain, and only the core below them is compiled.
    for seeds, ways, games in ((2, ALL_WAYS, pages), (1, FEW_WAYS, ())) if pages else ((5, ALL_WAYS, ()),):
        found, expected = said(seeds, ways, (None, ROOT), *games)
        assert found == expected
        assert len(found) == seeds * ways * (len(games) or len(PAGES))


def test_what_is_tested_is_what_was_asked_for() -> None:
    """If this failed, the run over the compiled core would have tested the plain sources, or the wrong pages."""
    asked = bool(os.environ.get("KIBITZ_COMPILED"))
    pages = set(os.environ.get("KIBITZ_PAGES", "").split() or PAGES) if asked else set()
    assert is_compiled(reducers.table) == asked == version_line().endswith(" (compiled)")
    assert {key for key, module in PAGES.items() if is_compiled(importlib.import_module(module))} == pages


def is_compiled(module: ModuleType) -> bool:
    """Whether a module was loaded from what the C compiler made."""
    return str(module.__file__).endswith((".so", ".pyd"))
