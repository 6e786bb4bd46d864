"""A second terminal shows the table as it is recorded; a real process reads while another writes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import REVOKE, Kibitz, environment
from .terminal import KIBITZ, Terminal

CTRL_C = "\x03"


@contextmanager
def following(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A command that follows a match into a pipe, until Ctrl-C."""
    command = [
        sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {KIBITZ}",
        *words,
    ]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(home / "kibitz.db"),
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
        child.communicate()


def lines_until(child: subprocess.Popen[str], text: str) -> list[str]:
    """The lines of a child up to one with this in it."""
    assert child.stdout is not None
    lines: list[str] = []
    end = time.monotonic() + 40
    while time.monotonic() < end:
        lines.append(child.stdout.readline())
        if text in lines[-1] or not lines[-1]:
            break
    assert text in lines[-1], lines
    return lines


@pytest.mark.rest
def test_the_log_goes_on(evening: Kibitz, tmp_path: Path) -> None:
    """What is there first, then each line once, in order; Ctrl-C is the usual end of it."""
    with following(tmp_path, "log", "eve", "--follow") as child:
        assert any("[N " in line for line in lines_until(child, "5. N name h"))
        # Another process writes while this one is at it: nothing is held in the store.
        assert evening("record", "eve", stdin="Kh 8c\n").code == 0
        assert [
            line.partition(" {")[0] for line in lines_until(child, "7. E play 8c")
        ] == ["6. N play Kh", "7. E play 8c"]
        assert evening("undo", "eve").code == 0
        lines_until(child, "8. @ fix #7-")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
        assert (child.returncode, out, err) == (0, "", "")


@pytest.mark.rest
def test_the_table_goes_on(evening: Kibitz, tmp_path: Path) -> None:
    """The picture is drawn anew for what was recorded, as seen by the eyes asked for."""
    with following(tmp_path, "show", "eve", "--follow", "--as", "public") as child:
        lines_until(child, "to act: N Anna")
        assert evening("record", "eve", stdin="Kh\n").code == 0
        shown = lines_until(child, "to act: E Ben")
        assert "hand 1 · event 6" in "".join(shown)
        assert "\x1b" not in "".join(shown)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=20) == 0


@pytest.mark.rest
def test_a_terminal_is_drawn_over(evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, one would scroll through the tables of the whole evening."""
    with Terminal(tmp_path, "show", "eve", "--follow") as at:
        at.until("to act: N Anna")
        at.raw = b""
        assert evening("record", "eve", stdin="Kh\n").code == 0
        at.until("to act: E Ben")
        assert b"\x1b[H\x1b[2J" in at.raw
        at.type(CTRL_C)
        assert at.ends() == 0


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("log", "eve.kib", "--follow"), 2, "a file does not go on"),
        (("show", "eve.kib", "--follow"), 2, "a file does not go on"),
        (("log", "-", "--follow"), 2, "a file does not go on"), (("show", "eve", "--follow", "--at", "3"), 2, "--at"),
        (("show", "eve", "--follow", "--json"), 2, "--json"), (("log", "nobody", "--follow"), 5, "no match"),
        (("show", "eve", "--follow", "--as", "X"), 2, "cannot look at the table"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(
    words: tuple[str, ...], code: int, why: str, evening: Kibitz, tmp_path: Path,
) -> None:
    """A file is read once; a position that is asked for does not move."""
    (tmp_path / "eve.kib").write_text(REVOKE)
    done = evening(*words)
    assert (done.code, why in done.err, done.out) == (code, True, "")
