"""What a failing test prints: the record, the line, what was expected and what came."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAILING = '''
from hypothesis import given as draw, settings, strategies as st
from given import given, log
from replay.testing.measuring import Failure
from replay.degrade import Degraded
from replay.simulate import Truth

LINES = "W hand 1\\nN bid 7\\nE pass\\nS pass\\nW pass"

def test_a_case_of_a_page():
    given("kaiser", LINES).finds("R3", at=2)

def test_a_score():
    given("kaiser", LINES).totals(NS=7)

def test_a_helper_that_looks_at_each_line():
    def agree(records):
        for at, r in enumerate(records):
            assert r.event.by != "S"

    agree(log("kaiser", LINES))

def test_a_record_made_poorer():
    records = log("kaiser", LINES)
    found = [Failure(Degraded("cut", "by hand", (), tuple(records[:4]), {}, Truth("kaiser")), (3, "kaiser.R2"), False, "wrong")]
    del records
    assert not found

@settings(max_examples=20, database=None)
@draw(st.integers(1, 5))
def test_what_hypothesis_finds(n):
    records = log("kaiser", "\\n".join(LINES.splitlines()[:n]))
    assert len(records) < 4

@settings(max_examples=200, database=None)
@draw(st.integers(1, 5))
def test_two_things_that_hypothesis_finds(n):
    records = log("kaiser", "\\n".join(LINES.splitlines()[:n]))
    if n == 5:
        raise ValueError("five")
    assert len(records) < 4
'''
SHOWN = {
    "a_case_of_a_page": ("> 2. N bid 7\n  3. E pass", "expected at 2: R3 broken", "came: nothing"),
    "a_score": ("> 5. W pass", "expected: {'NS': 7}", "came: {'NS': 0, 'EW': 0}"),
    "a_helper_that_looks_at_each_line": ("> 4. S pass\n  5. W pass", "assert 'S' != 'S'"),
    "a_record_made_poorer": ("> 3. E pass", "assert not [Failure("),
    "what_hypothesis_finds": ("2. N bid 7\n> 3. E pass", "assert 4 < 4"),
    "two_things_that_hypothesis_finds": ("  1. W hand 1\n", "assert 4 < 4", "ValueError: five"),
}


def test_a_failure_shows_the_record_the_line_and_what_was_expected(tmp_path: Path) -> None:
    """If this failed, whoever breaks a rule would see that a number differs, and not in which record."""
    (tmp_path / "test_failing.py").write_text(FAILING, encoding="utf-8")
    words = (
        "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT, "--disable-plugin-autoload", "-p",
        "hypothesispytest", "-p", "conftest", "--short",
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "tests", ROOT)))}
    done = subprocess.run(
        [sys.executable, *map(str, words), "-q", str(tmp_path)], capture_output=True, text=True, cwd=ROOT, env=env,
        check=False,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    told = {part.partition(" ")[0]: part for part in done.stdout.split("_ test_")[1:]}
    assert told.keys() == SHOWN.keys()
    for name, texts in SHOWN.items():
        assert told[name].count("- the record -") == 1, name
        for text in texts:
            assert text in told[name], (name, text, told[name])
    assert done.stdout.splitlines()[-1].startswith("Left out, for `make test-rest`: "), "the last line of a short run"
