"""An evening with all who are there: the director, two recorders, a player, a spectator and the board; it is
stopped, killed and begun again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from browsers import chromium

PLAYED = Path(__file__).with_name("playing.py")


@pytest.mark.rest
def test_an_evening(tmp_path: Path) -> None:
    """If this failed, what each part does well would not come together at the table."""
    pytest.importorskip("playwright.sync_api", reason="the evening was not played: the package playwright is missing")
    if not chromium():
        pytest.skip("the evening was not played: there is no Chromium on this machine")
    # In a process of its own: other tests of this one may have a browser open.
    paths = os.pathsep.join(str(path) for path in (PLAYED.parents[2], PLAYED.parents[1]))
    run = subprocess.run(
        [sys.executable, str(PLAYED), str(tmp_path)], env={**os.environ, "PYTHONPATH": paths}, capture_output=True,
        text=True, timeout=400, check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    told = json.loads(run.stdout)
    assert told["listens"].endswith("only this machine can reach it")
    assert told["stale"] == [409, ["Marcel 8♥"]]
    assert told["again"] == 201
    assert told["report"] == 200
    assert told["recorder"] == told["player"]
    assert told["recorder"]["ruled"] == told["recorder"]["played"] - 3
    assert told["answered"]
    assert (told["answered and lost"], told["other answers"]) == ([], [])
    assert (told["stopped with"], told["after the kill"], told["stopped again with"]) == (0, 201, 0)
    assert told["page errors"] == []
    assert told["said"].splitlines() == ["stopped; everything that was answered is written"] * 2
