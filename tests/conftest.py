"""Options of the test run: one game alone, the whole of its grids, and what everything costs."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from shutil import disk_usage
from typing import Any

import pytest
import tables  # what is tried of its options
from _pytest.pathlib import import_path
from browsers import FLAGS, Browser, chromium
from costs import Costs
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from sampling import FAMILIES, Run, game_of, is_asked, short_games
from soaking import Soak

import benchmarks.tallies  # how each game is told by its tally
from reducers.registry import PAGES
from replay.testing.plugin import pytest_runtest_makereport

__all__ = ["benchmarks", "pytest_runtest_makereport", "tables"]

# How long an example takes says something of the machine, and nothing of the code.
settings.register_profile("kibitz", deadline=None)
settings.register_profile("short", deadline=None, max_examples=settings.default.max_examples // 10)
settings.load_profile("kibitz")

# Hypothesis mixes constants into its draws that it reads from all our modules that happen to be loaded. Which ones are
# depends on the tests a process ran before, so the same seed would draw something else in the next run. No setting
# turns
# this off; tests/test_sampling.py notices when it comes back under another name.
if hasattr(providers, "_get_local_constants"):
    NO_CONSTANTS = type(providers.GLOBAL_CONSTANTS)()
    providers._get_local_constants = lambda: NO_CONSTANTS

MEMORY, ENOUGH = Path("/dev/shm"), 4 << 30
"""Where the files of a quick run lie if so many bytes are free there: tests of commands would wait for a disk a
third of their time. The soak writes on the disk."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--game kaiser --whole --costs`."""
    group = parser.getgroup("games")
    group.addoption(
        "--game", action="append", default=[], choices=sorted(PAGES),
        help="run only what is asked of this game (may be repeated)",
    )
    group.addoption(
        "--short", action="store_true",
        help=(
            f"ask only {', '.join(FAMILIES)}, and the games changed since the last release, what is asked of "
            "every game"
        )
    )
    group.addoption("--rest", action="store_true", help="run what --short leaves out")
    group.addoption(
        "--whole", action="store_true", help="run also those cells of the grids that a quick run leaves to `make soak`",
    )
    group.addoption(
        "--done", metavar="FILE",
        help="leave out what this file says has passed on the same sources, and add what passes",
    )
    group.addoption(
        "--costs", action="store_true", help="say at the end how many CPU seconds each module took, and each game",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Say what was asked for, before any test module is imported."""
    # A runner of many processes may say how wide its own terminal is; what a command prints into a pipe is not folded.
    os.environ.pop("COLUMNS", None)
    Run.quick = config.getoption("markexpr") == "not slow"
    if Run.quick and MEMORY.is_dir() and disk_usage(MEMORY).free > ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    Run.whole = config.getoption("--whole")
    Run.golden = Path(__file__).parent / "playthroughs"
    if config.getoption("--short") or config.getoption("--rest"):
        Run.short = getattr(config, "workerinput", {}).get("short") or short_games()
        Run.rest = config.getoption("--rest")
        if not Run.rest:
            settings.load_profile("short")
    if config.getoption("--done") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Soak(Path(config.getoption("--done"))), "soak")
    if config.getoption("--costs"):
        config.pluginmanager.register(Costs(), "costs")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A worker is given the games of a short run, and need not look for them."""
    node.workerinput["short"] = Run.short


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """A test module has no examples in its docstrings: none is searched for them."""
    found = yield
    return [one for one in found if type(one) is pytest.Module] if file_path.name.startswith("test_") else found


def import_from_own_place(config: pytest.Config) -> None:
    """Each worker begins to import the test modules at another place. In a fresh checkout one finds compiled what
    another has come to first; all of them would compile all modules, at the same time."""
    work = getattr(config, "workerinput", None)
    if work is None or config.args != config.getini("testpaths"):
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    place = len(files) * int(work["workerid"].removeprefix("gw")) // work["workercount"]
    for path in files[place:] + files[:place]:
        try:
            import_path(path, mode="importlib", root=config.rootpath, consider_namespace_packages=False)
        except (Exception, pytest.skip.Exception):
            # It is said when the module is listed, and imported again.
            for name in [name for name, one in sys.modules.items() if getattr(one, "__file__", "") == str(path)]:
                del sys.modules[name]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """The garbage collector never looks at what was listed, 17,000 tests that stay until the end: neither while they
    are listed nor as they run, nor when the process ends."""
    gc.disable()
    try:
        import_from_own_place(session.config)
        return (yield)
    finally:
        gc.freeze()
        # What a test makes is mostly kept until it ends: to look after every 700 objects finds nothing.
        gc.set_threshold(50_000, 20, 20)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--game`, leave out what is not asked of these games; with `--short`, what is asked of every game, but
    for a few games."""
    wanted = config.getoption("--game")
    if wanted:
        keep = [item for item in items if game_of(item) in wanted]
    elif Run.short is not None:
        keep = [item for item in items if is_asked(item)]
    else:
        return
    kept = set(keep)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = keep


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line of a short run says what it left out."""
    if Run.short is not None and not Run.rest and not hasattr(config, "workerinput"):
        print(
            "Left out, for `make test-rest`: what is asked of every game, for all games but "
            f"{', '.join(sorted(Run.short))}; further chances of other tests."
        )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a process: Chromium, if the machine has one. Without it they are left out, with a
    line that says so."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="what runs in a browser was not opened: the package playwright is missing",
    )
    where = chromium()
    if not where:
        pytest.skip("what runs in a browser was not opened: there is no Chromium on this machine")
    with api.sync_playwright() as started:
        browser = Browser(lambda: started.chromium.launch(executable_path=where, args=FLAGS), started)
        yield browser
        browser.opened.close()
