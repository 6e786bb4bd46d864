"""The line editor of `record`: history, completion, Ctrl-C and Ctrl-D at a real terminal; the plain reader
everywhere else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from browsers import in_a_thread_of_its_own
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.line_editor import REMEMBERED, LineEditor, Remembered, spaces_before
from replay.table.completion import CompletionWord

from .conftest import Kibitz, environment
from .terminal import KIBITZ, Terminal

TAB, UP, CTRL_C, CTRL_D = "\t", "\x1b[A", "\x03", "\x04"


def typed(keys: str, *words: str, offered: Sequence[str] | None = None, editor: LineEditor | None = None) -> str:
    """The line that these keys make, if these words can be completed."""
    with create_pipe_input() as input:
        made = LineEditor(
            lambda line: [CompletionWord(w) for w in words if w.startswith(line.rpartition(" ")[2])], DummyHistory(),
            input=input, output=DummyOutput(),
        )
        input.send_text(keys)
        return asked(made, "1 play N>", None if offered is None else [CompletionWord(w) for w in offered])


def asked(editor: LineEditor, prompt: str = "> ", offered: Sequence[CompletionWord] | None = None) -> str:
    """The next line. The editor starts a loop, which a browser of another test must not be in the way of."""
    return in_a_thread_of_its_own(lambda: editor.ask(prompt, offered))


def test_tab_completes_a_word_and_ctrl_c_clears_the_line() -> None:
    """If this failed, a line that was begun wrong could only be rubbed out, letter by letter."""
    assert typed(f"N di{TAB} 7h\r", "discard", "draw") == "N discard 7h"
    assert typed(f"Kh 8c{CTRL_C}9d\r") == "9d"
    assert typed(f"e{TAB}\r", "eleven", offered=["ew"]) == "ew"
    with pytest.raises(EOFError):
        typed(CTRL_D)


def test_several_lines_that_are_pasted_are_several_lines() -> None:
    """If this failed, what is copied from a record would be one line that nobody can read."""
    with create_pipe_input() as input:
        editor = LineEditor(lambda line: (), DummyHistory(), input=input, output=DummyOutput())
        input.send_text("\x1b[200~Kh\n8c\n9c\x1b[201~\r" + CTRL_D)  # who asks for more is told that there is none
        assert [asked(editor) for _ in range(3)] == ["Kh", "8c", "9c"]


def test_lines_are_remembered_over_sittings(tmp_path: Path) -> None:
    """Up brings back what was typed another evening; answers to questions are not lines, and are not remembered."""
    path = tmp_path / "deep" / "kaiser.txt"
    with create_pipe_input() as input:
        editor = LineEditor(lambda line: (), Remembered(path), input=input, output=DummyOutput())
        input.send_text("c7 ka\r")
        asked(editor)
        input.send_text("y\r")
        asked(editor, "Keep it? ", ())
    assert path.read_text() == "c7 ka\n"
    with create_pipe_input() as input:
        editor = LineEditor(lambda line: (), Remembered(path), input=input, output=DummyOutput())
        input.send_text(f"{UP}\r")
        assert asked(editor) == "c7 ka"
    path.write_text("".join(f"line {i}\n" for i in range(3 * REMEMBERED)))
    assert len(list(Remembered(path).load_history_strings())) == REMEMBERED
    assert len(path.read_text().splitlines()) == REMEMBERED


def test_a_history_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    """If this failed, nothing could be recorded on a read-only home."""
    (tmp_path / "file").write_text("")
    history = Remembered(tmp_path / "file" / "kaiser.txt")
    history.store_string("Kh")
    assert list(history.load_history_strings()) == []


def test_a_word_is_not_cut_by_the_edge() -> None:
    """A word that has no room goes to the next row, one longer than a row is cut all the same, and the cursor stays
    with it."""
    assert spaces_before("fix 12 daring", 10, 20) == {7: 3}
    assert spaces_before("fix 12 da", 14, 30) == {}
    assert spaces_before("a" * 50, 14, 20) == {}


# -- at a real terminal ------------------------------------------------------------------------------------------------


def test_an_evening_at_a_terminal(evening: Kibitz, tmp_path: Path) -> None:
    """Completion, an answer, Ctrl-C on a line begun wrong, a question, Ctrl-D; and the next sitting remembers."""
    with Terminal(tmp_path, "record", "eve") as at:
        at.until("1 play N>")
        at.type("Kh\r")
        at.until("1 play E>")
        at.type("nonsense" + CTRL_C + "N Th\r")
        at.until("Keep it as it was played?")
        at.type("n\r")
        at.until("1 play E>")
        at.type("r\r")
        at.until("Who plays the contract?")
        at.type(CTRL_D)
        at.until("Nothing was written.")
        at.until("1 play E>")
        at.type(CTRL_D)
        at.until("continues from here")
        assert at.ends() == 0
    assert evening("log", "eve").out.splitlines()[-1].startswith("6. N play Kh")
    with Terminal(tmp_path, "record", "eve") as at:
        at.until("1 play E>")
        at.type(UP + UP)
        at.until("N Th")
        at.type(CTRL_C + CTRL_D)
        assert at.ends() == 0
    (kept,) = (tmp_path / "data").rglob("kaiser.txt")
    assert kept.read_text() == "Kh\nN Th\nr\n"


@pytest.mark.rest
@pytest.mark.parametrize("how", ["--plain", "TERM=dumb"])
def test_the_plain_reader_on_request(how: str, evening: Kibitz, tmp_path: Path) -> None:
    """Neither completion nor escape sequences: what a screen reader or a dumb terminal can follow."""
    words = ["record", "eve", *([how] if how.startswith("--") else [])]
    with Terminal(tmp_path, *words, more={"TERM": "dumb"} if "=" in how else None) as at:
        at.until("1 play N> ")
        at.type("Kh\n")
        at.until("1 play E>")
        assert b"\x1b[6n" not in at.raw
        assert b"\x1b[?2004h" not in at.raw or how == "--plain", "readline of its own accord"
        at.type("quit\n")
        assert at.ends() == 0
    assert not list((tmp_path / "data").rglob("*.txt"))


def piped(tmp_path: Path, lines: str) -> subprocess.CompletedProcess[str]:
    env = {**environment(tmp_path / "kibitz.db"), "TERM": "xterm-256color"}
    del env["NO_COLOR"]
    code = (
        f"import sys; {KIBITZ.partition('; ')[0]}; from cli.app import run_command_line; "
        "run_command_line(['record', 'eve']); print(*sys.modules, file=sys.stderr)"
    )
    return subprocess.run(
        [sys.executable, "-c", code], input=lines, capture_output=True, text=True, check=True, env=env, timeout=60,
    )


@pytest.mark.rest
def test_no_escape_sequence_reaches_a_pipe(evening: Kibitz, tmp_path: Path) -> None:
    """A pipe gets text alone, and the editor is not even loaded for it."""
    done = piped(tmp_path, "Kh\n?\nshow\nscore\nsheet\ncheck\nlog\nhelp\nfrobnicate\n")
    assert "\x1b" not in done.stdout + done.stderr.partition("\n")[0]
    assert "Anna K♥" in done.stdout
    assert "prompt_toolkit" not in done.stderr.split()
    assert "asyncio" not in done.stderr.split()


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        *(
            pytest.param(words, marks=pytest.mark.rest)
            for words in (("check", "eve"), ("show", "eve"), ("list",), ("append", "eve", "-"))
        )
    ]
)
def test_no_other_command_loads_the_editor(words: tuple[str, ...], evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, every command would begin later."""
    code = (
        f"import sys; from cli.app import run_command_line; run_command_line({list(words)!r}); "
        "print(*sys.modules, file=sys.stderr)"
    )
    env = environment(tmp_path / "kibitz.db")
    done = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, check=True, env=env, timeout=60,
    )
    assert "prompt_toolkit" not in done.stderr.split()
