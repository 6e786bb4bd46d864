"""What the shell completes: games, matches, formats, options; asked of the functions, and through the shell's own
protocol."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from sampling import a_few

from cli import tab_completion
from cli.app import main
from cli.program import build_program
from reducers.registry import PAGES

from .conftest import SEATS, Kibitz, environment

KIBITZ = "from cli.app import main; import sys; sys.argv[0] = 'kibitz'; main()"


def context(**params: object) -> typer.Context:
    """The context of a command line so far."""
    made = typer.Context(typer.main.get_command(build_program("show")))
    made.params.update(params)
    return made


@pytest.fixture
def store(evening: Kibitz) -> Kibitz:
    """The open match `eve`, and `gone`, which is over."""
    assert evening("new", "scopa", "--seat", "A=Ida", "--id", "gone", "--book", "league").code == 0
    assert evening("record", "gone", stdin="end match\n").code == 0
    return evening


def test_games_by_their_keys() -> None:
    """All of them without a letter, with their names."""
    assert [key for key, _ in tab_completion.complete_games("")] == sorted(PAGES)
    assert tab_completion.complete_games("ka") == [("kaiser", "Kaiser")]


def test_matches_that_are_open(store: Kibitz) -> None:
    """To write into, an open one; to read, any, the open ones first; each with its game and players."""
    assert tab_completion.complete_open_matches(context(), "") == [("eve", "kaiser, Anna, Ben, Cleo, Dan")]
    assert [match for match, _ in tab_completion.complete_matches(context(), "")] == ["eve", "gone"]
    assert tab_completion.complete_matches(context(), "g") == [("gone", "scopa, Ida")]
    assert tab_completion.complete_books(context(), "") == ["home", "league"]


def test_nothing_is_offered_where_nothing_can_be_read(
    kibitz: Kibitz, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """No store, one that is none, a folder: Tab stays silent."""
    (tmp_path / "no.db").write_text("this is no store")
    for db in (None, "no.db", str(tmp_path), "nowhere/at/all.db"):
        assert tab_completion.complete_matches(context(db=db), "") == []
    assert capsys.readouterr() == ("", "")


def test_the_store_of_the_command_line_is_asked(store: Kibitz, tmp_path: Path) -> None:
    """If this failed, Tab would offer the matches of another store."""
    assert store("--db", "other.db", "new", "kaiser", *SEATS, "--id", "elsewhere").code == 0
    assert [
        match for match, _ in tab_completion.complete_matches(context(db=str(tmp_path / "other.db")), "")
    ] == ["elsewhere"]


def asked(home: Path, *words: str) -> dict[str, str]:
    """What the shell puts into the environment behind these words, the last of which is being typed."""
    return {
        **environment(home / "kibitz.db"), "_KIBITZ_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["kibitz", *words]), "COMP_CWORD": str(len(words)),
    }


@pytest.mark.parametrize(
    ("words", "offered"),
    a_few([
        (("sh",), {"show", "sheet"}), (("new", "ka"), {"kaiser"}),
        (("rules", "b"), {"botifarra", "bridge-solitaire", "briscola", "burraco"}), (("record", "e"), {"eve"}),
        (("append", "g"), set()), (("show", "g"), {"gone"}), (("export", "g"), {"gone"}),
        (("sheet", "eve", "--format", "h"), {"html"}), (("export", "eve", "--format", "j"), {"jsonl"}),
        (("show", "--fo"), {"--follow"}), (("list", "--game", "sco"), {"scopa", "scotch-whist"}),
        (("list", "--book", "l"), {"league"}), (("record", "--pl"), {"--plain"}),
    ], 4),
)  # fmt: skip
def test_the_shell_is_told(
    words: tuple[str, ...], offered: set[str], store: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The protocol that the installed completion speaks: words in the environment, answers on standard output."""
    for name, value in asked(tmp_path, *words).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["kibitz"])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert (ended.value.code, told.err) == (0, "")
    assert set(told.out.split()) == offered


def test_a_program_of_its_own_tells_the_shell(store: Kibitz, tmp_path: Path) -> None:
    """If this failed, Tab would offer nothing: a shell starts the program to ask it."""
    done = subprocess.run(
        [sys.executable, "-c", KIBITZ], capture_output=True, text=True, env=asked(tmp_path, "record", "e"),
        cwd=tmp_path, timeout=60, check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.split()) == (0, "", ["eve"])


@pytest.mark.rest
def test_the_script_for_the_shell_can_be_had(kibitz: Kibitz) -> None:
    """What the documentation says to type."""
    # The shell is named, as this one was not started by any.
    env = {**os.environ, "SHELL": "/bin/bash", "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        [sys.executable, "-c", KIBITZ, "--show-completion", "bash"], capture_output=True, text=True, env=env,
        timeout=60, check=False,
    )
    assert done.returncode == 0
    assert "_KIBITZ_COMPLETE" in done.stdout
