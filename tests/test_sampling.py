"""The sample of a quick run: it repeats, it leaves no game and no case out, and what it leaves to the soak is not
lost."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from sampling import (
    FAMILIES,
    ROOT,
    Run,
    a_few,
    drawn,
    each_game,
    examples,
    forms,
    game_of,
    is_asked,
    lot,
    sampled,
    seeds,
    sized,
    sources_of,
)
from soaking import HEAD, Soak

from reducers.registry import PAGES

GAMES = [f"game-{n}" for n in range(41)]
CASES = range(11)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A run of everything, whatever this one is."""
    monkeypatch.setattr(Run, "quick", False)
    monkeypatch.setattr(Run, "whole", False)
    monkeypatch.setattr(Run, "short", None)
    monkeypatch.setattr(Run, "rest", False)
    return monkeypatch


def cells(ask: Any) -> tuple[list[Any], list[Any]]:
    """The cells that a test is asked in every time, and those of the soak."""

    @ask
    def test_something() -> None: ...

    (mark,) = test_something.pytestmark
    values = mark.args[1]
    return [p.values for p in values if not p.marks], [
        p.values for p in values if [m.name for m in p.marks] == ["slow"]
    ]


# -- the draw


@pytest.mark.parametrize("games", [GAMES[:1], GAMES[:12], GAMES])
@pytest.mark.parametrize("each", [1, 3, 11])
def test_every_game_is_asked_something_and_every_case_is_asked_of_some_game(games: list[str], each: int) -> None:
    """If this failed, a page or a kind of slip could break and no quick run would ever show it."""
    cells = drawn("test_something", games, CASES, each)
    of_game, of_case = Counter(game for game, _ in cells), Counter(case for _, case in cells)
    assert all(of_game[game] >= each for game in games)
    assert all(of_case[case] for case in CASES)
    if each * len(games) > 4 * len(CASES):
        assert len(cells) == each * len(games), "every case was drawn, and none is given away besides"


def test_the_draw_is_the_same_in_every_run() -> None:
    """If this failed, a test would pass and fail by turns. The names decide, and not the order in which they stand."""
    assert drawn("test_something", GAMES, CASES, 2) == drawn("test_something", GAMES[::-1], CASES[::-1], 2)
    assert sorted(range(30), key=lambda case: lot("test_something", "kaiser", case))[:2] == [7, 8]


def test_what_a_seed_draws_does_not_depend_on_the_modules_that_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a proof by chance would pass in one run and fail in the next, by which tests its process ran
    before."""

    def draws() -> list[tuple[int, str]]:
        got: list[tuple[int, str]] = []

        @seed(5)
        @settings(max_examples=300, database=None)
        @given(st.integers(), st.text())
        def draw(number: int, word: str) -> None:
            got.append((number, word))

        draw()
        return got

    before = draws()
    constants = ", ".join(f"{n}, '{n:x}'" for n in range(700_001, 700_301))
    loaded = tmp_path / "loaded_between_two_runs.py"
    loaded.write_text(f"CONSTANTS = [{constants}]\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(loaded.stem)
    assert draws() == before


def test_a_new_game_takes_nothing_from_the_others() -> None:
    """If this failed, the author of a page would be shown the faults of other pages. What each game has drawn stays;
    only a case that nobody had drawn may go to the new one."""
    cases = range(40)
    before, after = (drawn("test_something", games, cases, 2) for games in (GAMES[:12], GAMES[:13]))
    own = {
        (game, case) for game in GAMES[:12]
        for case in sorted(cases, key=lambda case: lot("test_something", game, case))[:2]
    }
    assert own < before
    assert own < {cell for cell in after if cell[0] != GAMES[12]} < before
    assert {case for _, case in before - after} <= {case for game, case in after if game == GAMES[12]}


def test_each_test_draws_for_itself() -> None:
    """If this failed, all tests would look at the same seeds of a game."""
    assert len({frozenset(drawn(f"test_{n}", GAMES, CASES, 1)) for n in range(5)}) == 5


# -- what becomes of the cells


def test_what_is_not_drawn_is_left_to_the_soak(run: pytest.MonkeyPatch) -> None:
    """If this failed, a cell would be asked by nobody."""
    quick, soak = cells(sampled("game, case", GAMES, iter(CASES), each=2, always=[0], soak=iter([100, 101])))
    assert sorted([*quick, *soak]) == sorted((game, case) for game in GAMES for case in (*CASES, 100, 101))
    assert {(game, 0) for game in GAMES} <= set(quick)
    assert not {case for _, case in quick} & {100, 101}
    assert all(count >= 3 for count in Counter(game for game, _ in quick).values())


def test_a_case_may_have_several_values(run: pytest.MonkeyPatch) -> None:
    """A seed and a kind, say."""
    quick, soak = cells(
        sampled("game, kind, seed", GAMES, [(kind, seed) for kind in "ab" for seed in range(3)], each=1)
    )
    assert {len(cell) for cell in (*quick, *soak)} == {3}
    assert len(quick) + len(soak) == 41 * 6


def test_a_run_that_shuts_long_tests_out_does_not_make_them(run: pytest.MonkeyPatch) -> None:
    """If this failed, each worker would list a hundred thousand tests with 41 games, to run a tenth of them."""
    ask = sampled("game, case", GAMES, CASES, each=2, soak=range(100, 300))
    quick, _ = cells(ask)
    assert len(seeds(3, 200)) == 200
    run.setattr(Run, "quick", True)
    assert cells(ask) == (quick, [])
    assert seeds(3, 200) == [0, 1, 2]


def test_the_whole_of_a_grid_can_be_run_at_once(run: pytest.MonkeyPatch) -> None:
    """If this failed, an author could not ask everything of one page before the soak does. The long seeds stay
    there."""
    run.setattr(Run, "whole", True)
    quick, soak = cells(sampled("game, case", GAMES, CASES, each=2, soak=[100]))
    assert sorted(quick) == sorted((game, case) for game in GAMES for case in CASES)
    assert soak == [(game, 100) for game in GAMES]


@pytest.mark.parametrize(
    ("path", "params", "game"),
    [
        ("tests/test_conformance.py", {"game": "kaiser", "seed": 1}, "kaiser"),
        ("tests/test_half_seen.py", {"key": "jersey-gin", "kind": "late"}, "jersey-gin"),
        ("tests/replay/test_report.py", {"example": "russian-bank-sunday", "first": 1}, "russian-bank"),
        ("tests/games/test_california_speed.py", {}, "california-speed"),
        ("reducers/games/scopa.py", {}, "scopa"),
        ("tests/replay/test_judge.py", {"lines": "kaiser is not named"}, ""),
        ("tests/cli/test_cli.py", {}, ""),
    ],
)
def test_the_game_that_a_test_is_asked_of(path: str, params: dict[str, object], game: str) -> None:
    """If this failed, `--game` would leave out a test of the game, and the costs of a game would be another's."""
    item = SimpleNamespace(path=Path(path), callspec=SimpleNamespace(params=params))
    assert game_of(item) == game


def test_a_short_run_asks_a_changed_game_and_those_that_share_its_words() -> None:
    """If this failed, a change of a page would be tried on other games alone."""
    kaiser = sources_of(PAGES["kaiser"])
    assert {path.stem for path in kaiser} >= {"kaiser", "tricks"}
    assert all(path.is_relative_to(ROOT / "reducers") for path in kaiser)
    assert ROOT / "reducers/words/melds.py" in sources_of(PAGES["jersey-gin"]) - kaiser
    assert set(FAMILIES) <= set(PAGES)


def test_a_proof_has_its_short_form_in_one_run_and_the_others_in_the_other(run: pytest.MonkeyPatch) -> None:
    """If this failed, a proof would run twice, or never."""
    everything = [(p.values, [m.name for m in p.marks]) for p in forms((1, 2), (10, 20), (100, 200), (300, 400))]
    assert everything == [((10, 20), ["rest"]), ((100, 200), ["slow"]), ((300, 400), ["slow"])]
    run.setattr(Run, "short", frozenset({"kaiser"}))
    assert [(p.values, p.marks) for p in forms(1, 10, 100)] == [((1,), ())]
    run.setattr(Run, "rest", True)
    run.setattr(Run, "quick", True)
    assert [p.values for p in forms(1, 10, 100)] == [(10,)]


@pytest.mark.parametrize(("short", "rest", "size"), [(True, False, 3), (True, True, 30), (False, False, 30)])
def test_a_proof_in_both_runs_is_asked_in_its_usual_size_by_the_second(
    run: pytest.MonkeyPatch, short: bool, rest: bool, size: int,
) -> None:
    """If this failed, what `make test` makes small would never be asked in full."""
    run.setattr(Run, "short", frozenset(FAMILIES) if short else None)
    run.setattr(Run, "rest", rest)
    assert sized(3, 30) == size
    asked: list[int] = []

    @examples(100)
    @given(st.integers())
    def proof(n: int) -> None:
        asked.append(n)

    proof()
    assert len(asked) == (100 if size == 30 else 10)
    if short:
        item: Any = SimpleNamespace(
            path=Path("tests/test_x.py"), get_closest_marker=lambda name: name == "both" or None,
        )
        assert is_asked(item), "in each of the two"
        item.get_closest_marker = lambda name: name in ("both", "rest") or None
        assert is_asked(item) is rest, "a case of it that the second alone asks"
        item.get_closest_marker = lambda name: None
        assert is_asked(item) is not rest, "in the first alone"
        item.obj = proof
        assert is_asked(item), "with more examples in the second"


def test_what_a_short_run_leaves_out_of_a_grid_is_asked_by_the_rest(run: pytest.MonkeyPatch) -> None:
    """If this failed, a case would be asked by neither of the two, or a game that was changed would not be asked all
    of its own."""
    for ask, many in (
        (each_game(sorted(PAGES), short=3), len(PAGES)),
        (sampled("game, case", sorted(PAGES), CASES, each=1, short=3), len(PAGES)),
    ):

        @ask
        def test_something() -> None: ...

        (mark,) = test_something.pytestmark
        cells = [
            (p.values[0], [m.name for m in p.marks]) for p in mark.args[1] if "slow" not in [m.name for m in p.marks]
        ]
        families = [marks for game, marks in cells if game in FAMILIES]
        assert len(cells) == many
        assert sorted(families) == [[]] * 3 + [["rest"]] * (len(families) - 3)
        assert all(marks == [] for game, marks in cells if game not in FAMILIES)
    few = a_few(range(10), 3)
    assert [value for value in few if isinstance(value, int)] == [0, 3, 6]
    assert [
        (*p.values, *(m.name for m in p.marks)) for p in few if not isinstance(p, int)
    ] == [(n, "rest") for n in (1, 2, 4, 5, 7, 8, 9)]


# -- a soak that goes on


def soaked(place: Path, *, until: str = "") -> tuple[list[str], str]:
    """Which of three long tests run in a soak that is stopped before one of them, and the table that it writes."""
    ran: list[str] = []
    soak = Soak(place / "done", place / "page.md", place)
    config: Any = SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: None), getoption=lambda name: None, args=["."],
    )
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in ("a.py::one", "a.py::two", "b.py::one")]
    soak.pytest_collection_modifyitems(config, items)
    for item in items:
        if item.nodeid == until:
            break
        ran.append(item.nodeid)
        report: Any = SimpleNamespace(when="call", passed=True, nodeid=item.nodeid)
        soak.pytest_runtest_logreport(report)
    soak.pytest_sessionfinish(SimpleNamespace(config=config, exitstatus=0))
    return ran, (place / "page.md").read_text().partition(HEAD)[2]


def test_a_soak_that_was_stopped_goes_on_and_says_what_ran_whole(tmp_path: Path) -> None:
    """If this failed, a whole soak would have to run in one night, or a part would be said to have run of which
    tests were left out."""
    (tmp_path / "page.md").write_text(f"# Page\n\n{HEAD}")
    (tmp_path / "source.py").write_text("a = 1\n")
    ran, table = soaked(tmp_path, until="a.py::two")
    assert (ran, table) == (["a.py::one"], "")
    ran, table = soaked(tmp_path, until="b.py::one")
    assert ran == ["a.py::two"]
    assert table.startswith("| `a.py` | ")
    assert table.count("\n") == 1
    (tmp_path / "source.py").write_text("a = 2\n")
    ran, now = soaked(tmp_path, until="a.py::two")
    assert (ran, now) == (["a.py::one"], table), "of other sources nothing is done, and what was written stays"
    ran, now = soaked(tmp_path)
    assert ran == ["a.py::two", "b.py::one"]
    assert now.count("\n") == 2
    assert table not in now
