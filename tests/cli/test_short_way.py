"""A command line that is plainly in order takes a short way; what it does and says is what the parser would make of
it."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import a_few

from cli import fast_path
from cli.app import run_command_line
from records import Store

KIB = "examples/kaiser-evening.kib"
ROOT = Path(__file__).parents[2]

# Command lines, and whether they are plain. Each is run both ways.
LINES = {
    f"check {KIB}": True,
    f"check --open {KIB}": True,
    f"check {KIB} --json --open": True,
    f"check {KIB} --pack german": True,
    f"check {KIB} --pack=german": True,
    f"check {KIB} --pack=": False,
    f"check {KIB} --pack": False,
    f"check {KIB} --pack german --pack french": False,
    f"check {KIB} --json=yes": False,
    f"check {KIB} {KIB}": True,
    f"check {KIB} --open no-such-file.kib --json": True,
    f"show {KIB} {KIB}": False,
    "check": False,
    "check ''": False,
    f"check -- {KIB}": False,
    f"check {KIB} --jsn": False,
    f"check {KIB} -x": False,
    f"check {KIB} --help": False,
    "check no-such-file.kib": True,
    "check nobody": True,
    f"show {KIB} --at 12": True,
    f"show {KIB} --at twelve": False,
    f"show {KIB} --at -1": False,
    f"show {KIB} --at": False,
    f"--db DB check {KIB}": True,
    "--db DB check one": True,
    "check one --db DB": True,
    "check one --db=DB": True,
    "--db DB check one --db DB": False,
    "--recorder ann --db DB log one": True,
    "--db DB list": True,
    "--db DB list --game kaiser --json": True,
    "--db DB check --all": False,
    "--db DB db path": False,
    "--db DB verify home": True,
    "--db DB note nobody 0 hello": False,
    "--db DB export one": True,
    "games": True,
    "rules kaiser": True,
    "rules nothing": True,
    "shwo": False,
    "audit --all --jobs 1 --db DB": False,
    "audit --all --db DB": True,
}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    with Store.open(tmp_path / "kibitz.db") as store:
        store.create_match({"Seats": "N E S W"}, game="kaiser", match="one")
    return tmp_path / "kibitz.db"


@pytest.mark.parametrize("line", a_few(LINES, 6))
def test_both_ways_say_the_same(
    line: str, db: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:
    """The same code, the same output, the same words on standard error."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("KIBITZ_DB", raising=False)
    args = [word.replace("DB", str(db)) for word in shlex.split(line)]
    assert (fast_path.short_command(args) is not None) == LINES[line]
    short = (run_command_line(args), *capfd.readouterr())
    monkeypatch.setattr(fast_path, "short_command", lambda args: None)
    assert short == (run_command_line(args), *capfd.readouterr())


def test_an_append_is_the_same_both_ways(
    db: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:
    lines = db.with_name("lines")
    said = []
    for way in (fast_path.short_command, lambda args: None):
        monkeypatch.setattr(fast_path, "short_command", way)
        for words, text in (
            (["--expect", "0", "--key", "k"], "@ note"), (["--key", "k"], "@ note"), (["--strict"], "zzz"),
            ([], "@ claim NS=3"),
        ):
            lines.write_text(text + "\n")
            said.append((run_command_line(["append", "one", str(lines), "--db", str(db), *words]), *capfd.readouterr()))
        with Store.open(db) as store:
            said.append([(r.n, r.event) for r in store.read("one")])
        for name in db.parent.glob("kibitz.db*"):
            name.unlink()
        with Store.open(db) as store:
            store.create_match({"Seats": "N E S W"}, game="kaiser", match="one")
    assert said[: len(said) // 2] == said[len(said) // 2 :]


@pytest.mark.parametrize(
    ("line", "code", "unneeded"),
    [
        (f"check {KIB}", 3, {"json", "sqlite3", "threading"}),
        ("append one LINES --db DB", 0, {"random", "replay.judging.judge", "secrets", "threading"}),
    ],
)
def test_the_short_way_loads_no_parser(line: str, code: int, unneeded: set[str], db: Path) -> None:
    """If this failed, each short command would take longer, with a parser by a quarter."""
    lines = db.with_name("lines")
    lines.write_text("@ note {a card fell}\n")
    args = shlex.split(line.replace("LINES", str(lines)).replace("DB", str(db)))
    unneeded |= {"typer", "click", "pydantic", "typing_extensions"}
    done = subprocess.run(
        [
            sys.executable, "-c", "import sys; from cli.app import run_command_line; "
            f"assert run_command_line({args!r}) == {code}; print(sorted({unneeded!r} & {{*sys.modules}}))",
        ],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"
