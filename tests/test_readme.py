"""The README stays true: its session runs as printed, and every game and command it should name is there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from events.kib import read
from reducers.registry import PAGES, find

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def kibitz(line: str, typed: str, home: Path) -> str:
    """What a command line of the README prints."""
    env = {**os.environ, "KIBITZ_DB": str(home / "readme.db"), "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    arguments = [a.replace("evening.html", str(home / "evening.html")) for a in shlex.split(line)[1:]]
    code = "from cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], input=typed, capture_output=True, text=True, cwd=ROOT, env=env, check=False
    )
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_sessions_print_what_the_readme_says(block: str, tmp_path: Path) -> None:
    """A newcomer who types along sees the same lines."""
    command, typed, printed = "", "", []
    for line in [*block.splitlines(), "$ end"]:
        if not line.startswith("$ "):
            if line.startswith("> "):
                typed += line[2:] + "\n"
            else:
                printed.append(line)
            continue
        if command:
            assert kibitz(command, typed, tmp_path).splitlines() == printed
        command, typed, printed = line[2:], "", []


def test_every_game_is_in_the_table() -> None:
    for key in PAGES:
        assert f"| {find(key).name} | `{key}` | {find(key).players} |" in README


def test_the_lines_of_the_notation_card_are_notation() -> None:
    card = README.split("```\n%kib 1", 1)[1].split("```", 1)[0]
    lines = [re.split(r"\s{2,}", line)[0] for line in card.splitlines()]
    reading = read("%kib 1" + "\n".join(lines))
    assert not reading.errors
    assert len(reading.records) == 13
