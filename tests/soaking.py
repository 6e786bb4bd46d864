"""A soak that goes on where it was stopped (`--done FILE`), and says in docs/reliability.md which parts of it have
run whole.

The file has a line for each test that passed: the hash of the sources, a tab, the test. A later run of the same
sources leaves these out; a run of one process keeps it. A part is a module of tests; once all of its long tests have
passed on the same sources, its row says when, and on which.
"""

from __future__ import annotations

import datetime
import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reliability.md"
HEAD = "| part of the soak | last ran whole | sources |\n|---|---|---|\n"


def sources(root: Path = ROOT) -> str:
    """The hash of all Python files of a checkout that are not in hidden folders: the program and its tests."""
    files = sorted(
        path for path in root.rglob("*.py") if not any(part.startswith(".") for part in path.relative_to(root).parts)
    )
    found = hashlib.sha256()
    for path in files:
        found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:12]


class Soak:
    """Leaves out what has passed, and keeps what passes."""

    def __init__(self, kept: Path, page: Path = PAGE, root: Path = ROOT) -> None:
        self.kept, self.page, self.sources = kept, page, sources(root)
        lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
        self.done = {test for key, _, test in (line.partition("\t") for line in lines) if key == self.sources}
        self.parts: dict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what has passed on these sources."""
        for item in items:
            self.parts[item.nodeid.partition("::")[0]].add(item.nodeid)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in self.done])
        items[:] = [item for item in items if item.nodeid not in self.done]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep at once what passed, however the run ends."""
        if report.when == "call" and report.passed:
            self.done.add(report.nodeid)
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(f"{self.sources}\t{report.nodeid}\n")

    def pytest_sessionfinish(self, session: Any) -> None:
        """Write down the parts of which all tests have passed, if whole modules were asked. That nothing is left to
        run is no failure."""
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.done:
            session.exitstatus = pytest.ExitCode.OK
        if not any(
            session.config.getoption(name) for name in ("keyword", "game")
        ) and not any("::" in word for word in session.config.args):
            write_down(self.page, [part for part, tests in self.parts.items() if tests <= self.done], self.sources)


def write_down(page: Path, parts: list[str], key: str) -> None:
    """Put these parts into the table at the end of the page, each with the day and the sources; other rows stay. A
    part that stands there with the same sources keeps its day."""
    before, head, table = page.read_text(encoding="utf-8").partition(HEAD)
    if not head:
        raise ValueError(f"{page} has no table of the soak: the lines {HEAD!r} were expected at its end")
    rows = {line.split("`")[1]: line for line in table.splitlines()}
    for part in parts:
        if not rows.get(part, "").endswith(f"| `{key}` |"):
            rows[part] = f"| `{part}` | {datetime.datetime.now(datetime.UTC).date().isoformat()} | `{key}` |"
    page.write_text(before + head + "".join(f"{rows[part]}\n" for part in sorted(rows)), encoding="utf-8")
