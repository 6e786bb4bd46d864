"""Golden playthroughs of all games (replay/testing/playthroughs.py)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from reducers.registry import PAGES
from replay.testing import adopt, playthroughs
from replay.testing.playthroughs import moves, told

adopt(globals(), playthroughs)
FOLDER = Path(__file__).parent / "playthroughs"


def test_every_game_has_a_playthrough() -> None:
    """If this failed, there would be a game whose play nobody ever read through, or a file that no test reads."""
    if os.environ.get("KIBITZ_REWRITE"):
        pytest.skip("the files are being written")
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(PAGES)


def test_a_changed_line_is_noticed() -> None:
    """If this failed, the test above would pass whatever the file said."""
    text = (FOLDER / "kaiser.txt").read_text(encoding="utf-8")
    other = re.sub(r"trick 1 to ([NESW])", "trick 1 to nobody", text, count=1)
    assert other != text
    assert list(told("kaiser", moves(other))) == text.splitlines()
