"""The faults of `make mutants` are really planted, each in one line, and it is really seen whether the tests find
them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    """The tool, which is no module of the project."""
    spec = importlib.util.spec_from_file_location("kibitz_mutants", ROOT / "tools/mutants.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tools = load()
SOURCE = """
def most(values: list[int | None], least: int = 3) -> int:
    found = 0
    for value in values:
        if value > found and not value < least:
            found = value
    return found + 1
"""


def test_each_fault_is_one_line_otherwise_that_can_still_be_read(tmp_path: Path) -> None:
    """If this failed, a run would ask for faults that were never there."""
    (tmp_path / "most.py").write_text(SOURCE)
    faults = tools.faults_of("most.py", SOURCE)
    assert {fault.new for fault in faults} == {
        "found = 1", "if value >= found and not value < least:", "if value > found or not value < least:",
        "if value > found and value < least:", "if value > found and not value <= least:", "if False:",
        "return found - 1", "return found + 2",
    }  # fmt: skip
    for fault in faults:
        (tmp_path / "most.py").write_text(SOURCE)
        fault.plant(tmp_path)
        now = (tmp_path / "most.py").read_text()
        compile(now, "most.py", "exec")
        assert [
            (a, b) for a, b in zip(SOURCE.splitlines(), now.splitlines(), strict=True) if a != b
        ] == [(SOURCE.splitlines()[fault.line - 1], now.splitlines()[fault.line - 1])]


def test_a_line_that_reads_otherwise_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "most.py").write_text(SOURCE)
    with pytest.raises(ValueError, match="nothing was planted"):
        tools.Mutant("most.py", 3, "found = 2", "found = 3").plant(tmp_path)
    assert (tmp_path / "most.py").read_text() == SOURCE


@pytest.mark.rest
def test_a_seed_draws_the_same_faults_of_other_sources_and_those_that_were_once_missed_are_among_them(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """If this failed, the share that is written down could not be taken again, or would say nothing of the next
    sources."""
    faults = tools.drawn(tools.SEED, tools.MANY)
    with monkeypatch.context() as patched:
        faults_of = tools.faults_of
        patched.setattr(tools, "faults_of", lambda path, source: faults_of(path, source)[1:])
        assert len({*faults}.intersection(tools.drawn(tools.SEED, tools.MANY))) > 30
    assert len(set(faults)) == tools.MANY == 40
    assert [fault.new for fault in faults[:2]] == ["if value >= self.best:", "pass"]
    assert {fault.path.split("/")[0] for fault in faults} == {"reducers", "replay"}


@pytest.mark.rest
@pytest.mark.parametrize(("asserted", "is_found"), [("most([4]) == 5", True), ("most", False)])
def test_a_fault_is_found_by_a_test_that_fails_with_it(asserted: str, is_found: bool, tmp_path: Path) -> None:
    """The control: a test that asserts nothing of it does not find it."""
    (tmp_path / "most.py").write_text(SOURCE.replace("+ 1", "- 1"))
    (tmp_path / "pyproject.toml").write_text(
        (ROOT / "pyproject.toml").read_text().replace('testpaths = ["tests"', 'testpaths = ["."')
    )
    (tmp_path / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--short', action='store_true')\n"
    )
    (tmp_path / "test_most.py").write_text(f"from most import most\n\ndef test_it():\n    assert {asserted}\n")
    assert tools.is_found(["test_most.py"], tmp_path, "-n", "0") is is_found
