"""A pytest plugin: `pytest --kibitz-game NAME` runs the tests of all pages for an installed page.

It adds the tests of `replay.testing` to those of the run, unless test files are named on the command line. Without the
option it does nothing, and imports nothing but pytest.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

SUITE = ("conformance", "worlds", "degradation", "playthroughs", "referees")
"""The modules whose tests are added."""
MARKS = (
    "slow: long soaks", "rest: asked of a few games in a short run", "both: in two sizes",
    "all_games: asks every game in one test",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--kibitz-game hearts --kibitz-long`."""
    group = parser.getgroup("kibitz", "pages of card games")
    group.addoption(
        "--kibitz-game", action="append", default=[], metavar="NAME",
        help="ask of this installed game what Kibitz asks of its own (may be repeated)",
    )
    group.addoption(
        "--kibitz-row", action="store_true",
        help="with --kibitz-game: print at the end the row of PROVEN, what is proven of the game today",
    )
    group.addoption("--kibitz-long", action="store_true", help="with --kibitz-game: ask all cases, and many more seeds")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set the games to test before any test module is imported."""
    games = config.getoption("--kibitz-game")
    if not games:
        return
    from events.errors import KibitzError
    from reducers.registry import find_game
    from replay.testing.sampling import Run

    for game in games:
        try:
            find_game(game)
        except KibitzError as error:
            raise pytest.UsageError(f"--kibitz-game {game}: {error}") from None
    Run.games = tuple(dict.fromkeys(games))
    Run.quick = not config.getoption("--kibitz-long")
    Run.whole = not Run.quick
    Run.golden = config.rootpath / "tests" / "playthroughs"
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if config.args_source is config.ArgsSource.ARGS and all(".py" in arg for arg in config.args):
        return  # These files were asked for, and nothing else.
    here = Path(__file__).parent
    config.args += [str(here / f"{name}.py") for name in SUITE if (here / f"{name}.py").exists()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that a quick run leaves out."""
    if config.getoption("--kibitz-game") and not config.getoption("--kibitz-long"):
        late = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=late)
        items[:] = [item for item in items if item not in late]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the requested rows."""
    for game in config.getoption("--kibitz-game") if config.getoption("--kibitz-row") else ():
        from replay.testing.degradation import row_of

        terminalreporter.write_line(f'PROVEN["{game}"] = "{row_of(game)}"')


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows the record that it is about."""
    report = yield
    if report.failed and call.excinfo is not None and "the record" not in dict(report.sections):
        from replay.testing.shown_records import record_of

        if record := record_of(call.excinfo.value):
            report.sections.append(("the record", record))
    return report
