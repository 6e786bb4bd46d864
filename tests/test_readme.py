"""The README and the tutorials stay true: their sessions run as printed, and every game the README should name is
there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from sampling import a_few

from events.kib import read_kib
from reducers.registry import PAGES, find_game

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TUTORIALS = [*sorted((ROOT / "docs").glob("tutorial-*.md")), ROOT / "docs" / "seasons.md"]
SESSIONS = {
    page.stem: re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for page in (ROOT / "README.md", *TUTORIALS)
}
"""What is typed on each page and printed, a session after the other on one store."""

PROMPT = re.compile(rb"(?:\n|\A)(?:\d [\w/ ]+> |Which one\? [^\n]*\] )\Z")
TYPED = re.compile(r"(?:\d [\w/ ]+> |Which one\? .*\] )(.*)")
"""What stands before the cursor when a line is expected, in a recorder's own prompts and at a question."""


def kibitz(line: str, typed: str, home: Path) -> str:
    """What a command line of the README prints."""
    env = {**os.environ, "KIBITZ_DB": str(home / "readme.db"), "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    arguments = [a.replace("evening.html", str(home / "evening.html")) for a in shlex.split(line)[1:]]
    code = "from cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], input=typed, capture_output=True, text=True, cwd=ROOT, env=env,
        check=False
    )
    assert "Traceback" not in done.stderr
    return done.stdout


def at_a_terminal(line: str, typed: list[str], home: Path) -> list[str]:
    """The screen after these lines were typed at a terminal of 80 columns, each at its prompt."""
    env = {**os.environ, "KIBITZ_DB": str(home / "readme.db"), "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    env.pop("COLUMNS", None)
    child, fd = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        os.execve(
            sys.executable, [sys.executable, "-c", "from cli.app import main; main()", *shlex.split(line)[1:]], env,
        )
    screen, waiting = b"", list(typed)
    try:
        while select.select([fd], [], [], 40)[0]:
            try:
                screen += os.read(fd, 65536)
            except OSError:
                break  # the command has ended
            if waiting and PROMPT.search(screen):
                os.write(fd, waiting.pop(0).encode() + b"\n")
                screen = screen.rstrip(b"\n") + b"\0"  # what is typed now belongs to no prompt
    finally:
        os.close(fd)
        os.waitpid(child, 0)
    assert not waiting
    return screen.replace(b"\0", b"").decode().replace("\r", "").splitlines()


@pytest.mark.parametrize("page", a_few(SESSIONS, 1))
def test_the_sessions_print_what_the_page_says(page: str, tmp_path: Path) -> None:
    """A newcomer who types along sees the same lines."""
    assert SESSIONS[page]
    command, printed = "", list[str]()
    for line in [*"".join(SESSIONS[page]).splitlines(), "$ end"]:
        if not line.startswith("$ "):
            printed.append(line)
            continue
        if command.startswith("kibitz record"):
            typed = [found[1] for found in map(TYPED.match, printed) if found]
            assert at_a_terminal(command, typed, tmp_path) == printed
        elif command:
            assert kibitz(command, "", tmp_path).splitlines() == printed
        command, printed = line[2:], []


def test_the_sixty_seconds_show_a_result_a_choice_and_where_one_is() -> None:
    """If this failed, a newcomer would not see the quickest ways."""
    typed = [found[1] for found in map(TYPED.match, SESSIONS["README"][0].splitlines()) if found]
    assert any(line.startswith("r ") for line in typed)
    assert "?" in typed
    assert any(line.isdecimal() for line in typed)


def test_every_game_is_in_the_table() -> None:
    for key in PAGES:
        assert f"| {find_game(key).name} | `{key}` | {find_game(key).players} |" in README


def test_the_lines_of_the_notation_card_are_notation() -> None:
    card = README.split("```\n%kib 1", 1)[1].split("```", 1)[0]
    lines = [re.split(r"\s{2,}", line)[0] for line in card.splitlines()]
    reading = read_kib("%kib 1" + "\n".join(lines))
    assert not reading.errors
    assert len(reading.records) == 13


def test_the_picture_is_what_the_line_below_it_draws(tmp_path: Path) -> None:
    """If this failed, the page would show what a newcomer does not get, or be slow to load."""
    for package in ("quickjs", "PIL", "pymupdf_fonts"):
        pytest.importorskip(package, reason="the picture was not drawn: a package of the extra `pictures` is missing")
    page = (ROOT / "docs" / "tutorial-arbiter.md").read_text(encoding="utf-8")
    shown = re.search(r"\]\(([\w.-]+\.svg)\)\n\n```\n(kibitz replay .*) -o (docs/[\w.-]+)\n```", page)
    assert shown is not None
    assert shown[3] == f"docs/{shown[1]}"
    kibitz(f"{shown[2]} -o {tmp_path / 'drawn.svg'}", "", tmp_path)
    drawn = (tmp_path / "drawn.svg").read_bytes()
    assert drawn == (ROOT / shown[3]).read_bytes()
    assert len(drawn) < 25_000
