"""A service that is killed while recorders write loses nothing that it answered, and writes nothing twice or for
another seat, with two recorders at a table who correct what they wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import forms

HARNESS = Path(__file__).with_name("killing.py")


@pytest.mark.parametrize(
    ("kills", "lines", "seed"), forms((6, 5, 1), (30, 5, 1), *((500, 5, seed) for seed in range(2, 22))),
)
def test_nothing_that_was_answered_is_lost(tmp_path: Path, kills: int, lines: int, seed: int) -> None:
    """If this failed, a phone would show a line as written that the record lacks. The service answers at most that
    many lines in each of its lives."""
    run = subprocess.run(
        [sys.executable, str(HARNESS), str(tmp_path), str(kills), str(seed), str(lines)], capture_output=True,
        text=True, timeout=300 + 5 * kills, check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    told = json.loads(run.stdout)
    wrong = ("lost", "twice", "moved", "elsewhere", "unasked")
    assert (*(told[what] for what in wrong), told["faults"]) == (0, 0, 0, 0, 0, [])
    assert told["kills"] >= kills
    assert told["unanswered_at_most"] <= 1
    # It was no idle run: lines landed between the kills, and many had to be sent again.
    assert told["answered"] >= kills
    assert told["resent"] >= kills
    # Two recorders at each table were in each other's way, and corrected what they had written.
    assert min(told["acts"], told["refused"], told["corrected"]) >= kills / 2
