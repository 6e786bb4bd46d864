"""What the tests cost, in CPU seconds: each module, split into what grows with the number of games and what does not.

    python -m pytest -q -m 'not slow' -n auto --costs

A test grows with the games if it is asked of more than half of them, if it is one of the own tests of a page, or if
it is marked `all_games`. CPU seconds are those of the worker and of the processes that it started and waited for:
they do not depend on the number of workers, and grow by up to a third if others use the machine. tests/README.md
keeps the table.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

import pytest
from sampling import game_of

from reducers.registry import PAGES

ALL = "*"
"""All games at once."""
BEGUN = pytest.StashKey[float]()


def spent() -> float:
    """The CPU seconds of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Costs:
    """Measures each test where it runs, and adds all of them up in the process that reports."""

    def __init__(self) -> None:
        self.tests: dict[str, Counter[str]] = defaultdict(Counter)
        self.workers: list[float] = []
        self.is_last, self.before_teardown = False, 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """From the set-up of a test to its end; what ends with the whole run, as a browser does, is no cost of the
        last test."""
        item.stash[BEGUN], self.is_last = spent(), nextitem is None
        return (yield)

    def pytest_runtest_teardown(self) -> None:
        """The test itself is over."""
        self.before_teardown = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
        """The last report of a test takes its cost along, to another process if need be."""
        report = yield
        if call.when == "teardown":
            game = ALL if item.get_closest_marker("all_games") else game_of(item)
            report.user_properties.append(
                ("cost", (game, (self.before_teardown if self.is_last else spent()) - item.stash[BEGUN]))
            )
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add it up."""
        for name, value in report.user_properties:
            if name == "cost" and report.when == "teardown":
                game, seconds = value
                self.tests[report.nodeid.partition("[")[0]][game] += seconds

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """What the whole process took, with its start and the list of tests."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["spent"] = spent()
        else:
            # The workers have told their own share; as children they would be counted twice.
            own = os.times()
            self.workers.append(own.user + own.system if self.workers else spent())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker is done."""
        self.workers.append(getattr(node, "workeroutput", {}).get("spent", 0.0))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table."""
        terminalreporter.section("costs in CPU seconds")
        for line in table(self.tests, sum(self.workers)):
            terminalreporter.write_line(line)


def grows(test: str, games: Mapping[str, float]) -> bool:
    """Whether a test is asked of every further game."""
    asked = len(games.keys() & PAGES.keys())
    return ALL in games or 2 * asked > len(PAGES) or (
        asked == 1 and PurePath(test.partition("::")[0]).parent.name == "games"
    )


def table(tests: Mapping[str, Mapping[str, float]], whole: float) -> Iterator[str]:
    """Modules and their costs, the dearest first; then the games; then the sum, with what no test took."""
    modules: dict[str, Counter[str]] = defaultdict(Counter)
    games: Counter[str] = Counter()
    for test, by in tests.items():
        cost = sum(by.values())
        modules[test.partition("::")[0]]["each game" if grows(test, by) else "fixed"] += cost
        games.update({game: seconds for game, seconds in by.items() if game in PAGES})
    yield f"{'module':44} {'fixed':>8} {'a game':>8}"
    for module, costs in sorted(modules.items(), key=lambda one: -sum(one[1].values())):
        yield f"{module:44} {costs['fixed']:8.1f} {costs['each game'] / len(PAGES):8.2f}"
    fixed, growing = (sum(costs[kind] for costs in modules.values()) for kind in ("fixed", "each game"))
    yield f"{'all tests':44} {fixed:8.1f} {growing / len(PAGES):8.2f}"
    yield f"{'to start, to import and to list them':44} {whole - fixed - growing:8.1f}"
    yield ""
    for game, seconds in games.most_common():
        yield f"{game:44} {'':8} {seconds:8.2f}"
