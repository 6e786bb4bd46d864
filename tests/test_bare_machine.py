"""A bare machine: what is imported is declared, and `.ci/run` does first what a newcomer does."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sampling import a_few
from test_compiled import put_otherwise
from test_structure import ROOMS, imported, nodes_of

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


# -- what is imported is declared


def named(requirements: Iterable[str]) -> frozenset[str]:
    """The distributions that requirements name."""
    return frozenset(re.split(r"[^\w.-]", r, maxsplit=1)[0].lower().replace("_", "-") for r in requirements)


HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
RUN = named(PROJECT["project"]["dependencies"])
# `make test` installs the project with these extras and nothing else; with the second of them if there is a browser.
TEST, BROWSER = (
    RUN | named(r for extra in extras.split(",") for r in PROJECT["project"]["optional-dependencies"][extra])
    for extras in re.findall(r": EXTRAS = ([\w,]+)$", MAKEFILE, re.M)
)
BUILD = named([*PROJECT["build-system"]["requires"], *HOOK["dependencies"]])
BENCH = TEST | named(
    line for kind in ("", "-ray")
    for line in (ROOT / f"benchmarks/requirements{kind}.txt").read_text(encoding="utf-8").split()
)
# What is there for the code in each folder.
# Some sheets need an extra, and are written without any if nobody asks for them (`tests/replay/test_written.py`).
PICTURES = RUN | named(PROJECT["project"]["optional-dependencies"]["pictures"])
SHEETS = RUN | named(r for extra in ("sheets", "pdf") for r in PROJECT["project"]["optional-dependencies"][extra])
POSTGRES = RUN | named(PROJECT["project"]["optional-dependencies"]["postgres"])
DASK = RUN | named(PROJECT["project"]["optional-dependencies"]["dask"])
SERVE = RUN | named(PROJECT["project"]["optional-dependencies"]["serve"])
# A table of a season can be a workbook, and have ratings; its figures are written as Parquet.
SEASONS = RUN | named(
    r for extra in ("sheets", "seasons", "analysis") for r in PROJECT["project"]["optional-dependencies"][extra]
)
# The suite for a page of another distribution is a pytest plugin.
GAMES = RUN | named(PROJECT["project"]["optional-dependencies"]["games"])
DECLARED = {
    **dict.fromkeys(ROOMS, RUN), "records/postgres": POSTGRES, "replay/engines": DASK, "replay/paper": SHEETS,
    "replay/pictures": PICTURES, "replay/season": SEASONS, "replay/testing": GAMES, "service": SERVE, "tests": TEST,
    "tests/viewer": BROWSER, "tools": BUILD | TEST, "benchmarks": BENCH,
}

# Modules that are not called as their distribution is.
CALLED = {"_pytest": "pytest", "mypyc": "mypy", "pyspiel": "open-spiel", "PIL": "pillow", "quickjs": "quickjs-ng"}
# What is skipped, or runs in a process of its own, where there is no browser.
BROWSED = {
    ROOT / "tests" / name
    for name in ("conftest.py", "service/playing.py", "service/test_evening.py", "service/test_phone.py")
}
OURS = frozenset(DECLARED) | {p.stem for p in (ROOT / "tests").iterdir()}


def sources(source: str) -> Iterator[str]:
    """A source, and the programs that stand in it as strings: another process may be given them."""
    yield source
    for node in nodes_of(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import" in node.value:
            program = textwrap.dedent(node.value)
            try:
                ast.parse(program)
            except (SyntaxError, ValueError):
                continue
            yield program


def undeclared(source: str, declared: frozenset[str]) -> set[str]:
    """The modules that a source imports and that nothing declared brings."""
    somewhere = "tests.so.deep.that.no.relative.import.leaves.it"
    found = {name for program in sources(source) for _, name in imported(program, somewhere)}
    foreign = {name for name in found - OURS - sys.stdlib_module_names if name.isidentifier()}
    return {name for name in foreign if CALLED.get(name, name.lower().replace("_", "-")) not in declared}


@pytest.mark.rest
@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(folder, marks=pytest.mark.rest if folder in ("benchmarks", "tests", "tools") else ())
        for folder in sorted(DECLARED)
    ]
)
def test_what_is_imported_is_declared(folder: str) -> None:
    """If this failed, a module would be there by chance only: because something else had brought it along."""
    others = [ROOT / other for other in DECLARED if other.startswith(f"{folder}/")]
    files = [
        path for path in sorted((ROOT / folder).rglob("*.py"))
        if not any(path.is_relative_to(other) for other in others)
    ]
    assert files
    for path in files:
        missing = undeclared(path.read_text(encoding="utf-8"), BROWSER if path in BROWSED else DECLARED[folder])
        assert not missing, f"{path.relative_to(ROOT)} imports what pyproject.toml does not declare for {folder}/"


@pytest.mark.rest
def test_what_the_sources_are_put_otherwise_with_is_there_to_test_them() -> None:
    """If this failed, `make test` would need what only `make lint` or a build installs: the sources to be compiled
    run in it."""
    place, _, _ = put_otherwise()
    texts = {path.relative_to(place): path.read_text(encoding="utf-8") for path in sorted(place.rglob("*.py"))}
    put = {
        path: text for path, text in texts.items() if not (ROOT / path).exists()
        or text != (ROOT / path).read_text(encoding="utf-8")
    }
    assert any(undeclared(text, RUN) for text in put.values()), "nothing that is put otherwise imports anything new"
    for path, text in put.items():
        assert not undeclared(text, TEST), path


@pytest.mark.parametrize("module", ["mypy_extensions", "mypyc", "click", "setuptools", "pip"])
@pytest.mark.parametrize(
    "way",
    ["import {}", "from {}.build import a", "def late():\n    import {} as b", "c = pytest.importorskip('{}')",
     "RUN = '''\n    import {}\n    '''", "import importlib\nimportlib.import_module('{}.d')"],
)  # fmt: skip
def test_a_module_that_is_not_declared_is_seen(way: str, module: str) -> None:
    """If this failed, the tests above would find nothing wherever they looked: not what came along with typer, nor
    with venv."""
    assert undeclared(way.format(module), RUN) == {module}


@pytest.mark.parametrize(
    "source", ["import os, json", "from given import given", "import sqlite_utils", "TEXT = 'import of many matches'"],
)
def test_what_is_declared_or_ours_is_no_fault(source: str) -> None:
    """If this failed, people would learn to pass over what the tests above say."""
    assert undeclared(source, RUN) == set()


# -- .ci/run

NEWCOMERS = re.findall(r"^make (\w+)", README.split("## Two commands")[1].split("## ")[0], re.MULTILINE)
LINE = re.compile(r"== (.+): (ok|FAILED) \(\d+ s, \d+ \+ \d+ s of CPU time\)")

posix = pytest.mark.skipif(
    os.name != "posix" or not shutil.which("git") or not shutil.which("bash"), reason="needs bash and git",
)


class Made(NamedTuple):
    """One call of make: where, of which commit, what, and the variables of Kibitz it saw."""

    place: str
    commit: str
    words: str
    variables: str


class Ran(NamedTuple):
    """What a run of `.ci/run` came to."""

    code: int
    printed: list[str]
    made: list[Made]
    installed: str

    @property
    def steps(self) -> dict[str, str]:
        """How each step ended."""
        return {found[1]: found[2] for line in self.printed if (found := LINE.fullmatch(line))}


class Checkout:
    """A repository with nothing but `.ci/run`, on a machine whose tools only write down what they were asked."""

    def __init__(self, home: Path) -> None:
        self.home, self.bin, self.place = home, home / "bin", home / "checkout"
        self.bin.mkdir(parents=True)
        self.tool("make", 'echo "$PWD|$(git rev-parse HEAD)|$*|$(env | grep -c ^KIBITZ_)" >>"$TOLD/made"\n'
                  'case "$1" in test) echo "${SKIPS-}"; echo "4321 passed, 5 skipped in 99.00s";; '
                  'test-rest) echo "12345 passed in 9.00s";; esac\n[ "$1" != "${FAILS-}" ]')  # fmt: skip
        self.tool("apt-get", 'echo "$*" >>"$TOLD/installed"')
        self.tool("chromium", "exit 0")
        self.tool("pg_ctlcluster", "exit 0")
        self.tool("cc", "exit 0")
        self.tool("python3", "exit 0")
        self.tool("python3.12", "exit 127")  # as a shim of pyenv does
        self.tool("python3.13", "exit 127")
        (self.place / ".ci").mkdir(parents=True)
        shutil.copy(ROOT / ".ci/run", self.place / ".ci/run")
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "A commit")

    def tool(self, name: str, script: str, folder: Path | None = None) -> None:
        """Put a command on the machine."""
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def git(self, *words: str) -> str:
        """Run git in the checkout."""
        who = (
            "-c", "user.name=N", "-c", "user.email=n@example.org", "-c", "safe.directory=*", "-c",
            "commit.gpgsign=false",
        )
        return subprocess.run(
            ("git", *who, *words), cwd=self.place, capture_output=True, text=True, check=True,
        ).stdout.strip()

    def run(self, **environment: str) -> Ran:
        """Run `.ci/run` as it is run where nobody sits before it."""
        told = self.home / "told"
        told.mkdir()
        env = {**os.environ, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
               "PYENV_ROOT": str(self.home / "pyenv"),
               "TOLD": str(told), "TMPDIR": str(self.home), "CI": "true", **environment}  # fmt: skip
        done = subprocess.run(
            ("bash", ".ci/run"), cwd=self.place, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False,
        )
        made, installed = (path.read_text() if path.exists() else "" for path in (told / "made", told / "installed"))
        return Ran(
            done.returncode, done.stdout.splitlines(), [Made(*line.split("|")) for line in made.splitlines()], installed
        )


def without(home: Path, names: str) -> str:
    """The path of this machine, less the commands that are named so: a folder of links to all others."""
    folder = home / "others"
    folder.mkdir()
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        for tool in Path(place).glob("*"):
            if names not in tool.name:
                (folder / tool.name).unlink(missing_ok=True)
                (folder / tool.name).symlink_to(tool)
    return str(folder)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@posix
def test_the_newcomers_commands_come_first_each_in_a_clone_of_its_own(checkout: Checkout) -> None:
    """If this failed, what lint or the compiled core installs could hide that a newcomer lacks it."""
    assert len(NEWCOMERS) == 2
    ran = checkout.run()
    assert ran.code == 0
    assert [m.words for m in ran.made[:2]] == NEWCOMERS
    clones = [m.place for m in ran.made[:2]]
    assert len({*clones, str(checkout.place)}) == 3
    # What else is asked runs side by side; what make test left out in the clone of make test.
    assert {m.words: m.place for m in ran.made[2:]} == {
        "test-rest": clones[1], "lint": str(checkout.place), "test-sample": str(checkout.place),
    }
    assert len(ran.made) == 5
    assert not any(Path(clone).exists() for clone in clones)
    assert {m.commit for m in ran.made} == {checkout.git("rev-parse", "HEAD")}
    assert not list(checkout.home.glob("tmp*")), "the clones were left behind"


@posix
def test_each_step_says_how_long_it_took_and_the_suite_has_the_last_word(checkout: Checkout) -> None:
    """If this failed, nobody would see where the time goes, or how many tests there were."""
    ran = checkout.run()
    assert len(ran.steps) == 5
    assert set(ran.steps.values()) == {"ok"}
    assert "4321 passed, 5 skipped in 99.00s" in ran.printed
    assert ran.printed[-2:] == [
        "== the tests: 4321 passed, 5 skipped in 99.00s 12345 passed in 9.00s", "== all passed in 0 minutes",
    ]


@posix
@pytest.mark.parametrize("fails", a_few([*NEWCOMERS, "test-rest", "lint", "test-sample"], 1))
def test_any_part_that_fails_is_named_and_the_rest_still_runs(checkout: Checkout, fails: str) -> None:
    """If this failed, a run could end well though a part of it did not."""
    ran = checkout.run(FAILS=fails)
    assert ran.code == 1
    assert len(ran.made) == 5
    assert [
        what for what, outcome in ran.steps.items() if outcome == "FAILED"
    ] == [what for what in ran.steps if re.match(f"make {fails}[: ]", what)]
    assert ran.printed[-1].startswith("== FAILED after 0 minutes: make ")


@pytest.mark.rest
@posix
@pytest.mark.parametrize("shape", ["detached", "shallow", "somebody else's", "in a worktree"])
def test_any_checkout_can_be_cloned(checkout: Checkout, tmp_path: Path, shape: str) -> None:
    """If this failed, the run would end before it began, where the checkout is not as a person makes it."""
    if shape == "detached":
        checkout.git("checkout", "-q", "--detach")
        checkout.git("commit", "-q", "--allow-empty", "-m", "A commit that no branch has")
    elif shape == "shallow":
        checkout.git("commit", "-q", "--allow-empty", "-m", "Another commit")
        checkout.git("clone", "-q", "--depth", "1", checkout.place.as_uri(), str(tmp_path / "shallow"))
        checkout.place = tmp_path / "shallow"
    elif shape == "in a worktree":
        checkout.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
        checkout.place = tmp_path / "other"
    elif os.geteuid():
        pytest.skip("only root can give a checkout away")
    else:
        for path in (checkout.place, *checkout.place.rglob("*")):
            os.chown(path, 12345, 12345)
    ran = checkout.run(GIT_DIR="/nowhere")  # as a hook of git would set it
    assert ran.code == 0, ran.printed
    assert [m.commit for m in ran.made[:2]] == [checkout.git("rev-parse", "HEAD")] * 2


@posix
def test_what_is_not_committed_is_counted(checkout: Checkout) -> None:
    """If this failed, somebody would take the clones for what lies in the checkout."""
    (checkout.place / "new.py").touch()
    assert any(line.endswith("; 1 files here are not as it has them") for line in checkout.run().printed)


@posix
def test_a_bare_machine_gets_what_it_lacks(checkout: Checkout) -> None:
    """If this failed, nothing could run where Python has no headers or cannot make environments."""
    checkout.tool("python3", "exit 1")
    ran = checkout.run()
    assert ran.code == 0
    assert all(
        word in ran.installed.split() for word in ("git", "make", "gcc", "libc6-dev", "python3-dev", "python3-venv")
    )


@pytest.mark.rest
@posix
def test_a_machine_without_a_browser_gets_one(checkout: Checkout) -> None:
    """If this failed, no replay would be opened in a browser, and nobody would hear of it."""
    (checkout.bin / "chromium").unlink()
    ran = checkout.run(PATH=f"{checkout.bin}{os.pathsep}{without(checkout.home, 'chrom')}")
    assert ran.code == 0
    assert ran.installed.splitlines()[-1].split()[-1] == "chromium"


@pytest.mark.rest
@posix
def test_a_machine_without_a_server_gets_one(checkout: Checkout) -> None:
    """If this failed, no store would be tried on a server, and nobody would hear of it."""
    (checkout.bin / "pg_ctlcluster").unlink()
    ran = checkout.run(PATH=f"{checkout.bin}{os.pathsep}{without(checkout.home, 'pg_ctlcluster')}")
    assert ran.code == 0
    assert ran.installed.splitlines()[-1].split()[-1] == "postgresql"


@posix
def test_a_run_that_asked_no_server_fails(checkout: Checkout) -> None:
    """If this failed, the tests of a store on a server could be left out for ever."""
    why = "the store was not asked on a server"
    assert why in (ROOT / "tests/records/conftest.py").read_text(encoding="utf-8")
    ran = checkout.run(SKIPS=f"SKIPPED [40] tests/records/conftest.py:54: {why}: no server")
    assert ran.code == 1
    assert ran.printed[-1].endswith(": the store on a server;")


@pytest.mark.rest
@posix
@pytest.mark.parametrize("why", [
    "what runs in a browser was not opened: there is no Chromium on this machine",
    "the evening was not played: there is no Chromium on this machine",
    "accessibility was not asked: the package axe-playwright-python is missing",
])  # fmt: skip
def test_a_run_that_opened_no_browser_fails(checkout: Checkout, why: str) -> None:
    """If this failed, the tests of the viewer could be left out for ever."""
    assert why in "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__).resolve()
    )
    ran = checkout.run(SKIPS=f"SKIPPED [1] tests/viewer/conftest.py:20: {why}")
    assert ran.code == 1
    assert ran.printed[-1].endswith(": the replay in a browser;")


@posix
def test_other_pythons_run_a_short_selection_if_they_are_there(checkout: Checkout) -> None:
    """If this failed, a Python that we say we run on would never be tried, or one that is not there would fail the
    run."""
    checkout.tool("python", "exit 0", checkout.home / "pyenv/versions/3.13.7/bin")
    ran = checkout.run(FAILS="test-short")
    assert "== Python 3.12 is not installed here: nothing ran with it" in ran.printed
    [short] = [m for m in ran.made if m.words.startswith("test-short")]
    assert short.words == f"test-short PYTHON={checkout.home}/pyenv/versions/3.13.7/bin/python"
    assert [m.place for m in ran.made].count(short.place) == 1
    assert ran.code == 1


@posix
def test_nothing_set_for_other_work_reaches_it(checkout: Checkout) -> None:
    """If this failed, a store or a sample that somebody had named would change what is tested."""
    assert {m.variables for m in checkout.run(KIBITZ_PAGES="yaniv", KIBITZ_DB="/nowhere/mine.db").made} == {"0"}
