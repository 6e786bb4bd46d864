"""The command `demo`: shows the main features on the example records. Nothing is stored permanently.

One of the records has broken rules, so there `check` has to exit with 3. An unexpected exit code ends the demo.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from cli import shell
from events.errors import KibitzError, NotFoundError

SEATS = ("--seat", "N=Olena", "--seat", "E=Marcel", "--seat", "S=Walter", "--seat", "W=Doris", "--dealer", "W")
HAND = "examples/kaiser-hand.txt"
EVENING = "examples/kaiser-evening.kib"
PARTS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "A Kaiser evening with hidden hands: a revoke nobody noticed, and a sum that is one too high.": (
        (3, f"check {EVENING}"), (0, f"show {EVENING} --at 96"), (0, f"sheet {EVENING} --format text"),
    ),
    "A Scopa match in which the order of scoring decides.": (
        (0, "check examples/scopa-sunday.kib"), (0, "sheet examples/scopa-sunday.kib --format text"),
    ),
    "The two worked hands of Bridge Solitaire.": (
        (0, "check examples/bridge-solitaire-1.kib"), (0, "score examples/bridge-solitaire-1.kib"),
        (0, "sheet examples/bridge-solitaire-1.kib --format text"), (0, "check examples/bridge-solitaire-2.kib"),
        (0, "replay examples/bridge-solitaire-2.kib"),
    ),
}  # fmt: skip
"""The commands for the example records, each with its expected exit code."""


@shell.command("demo", store=False)
def demo_command() -> None:
    """Show the main job on real records: a hand is recorded, replayed, checked and scored; then three evenings are
    judged."""
    with _a_store_for_now(_records()):
        shell.out("A hand of Kaiser, typed at the table: the auction, the trump suit, eight tricks.")
        match = _printed("new", "kaiser", *SEATS).strip()
        _record(match)
        for command in ("replay", "check", "score"):
            _run(f"{command} {match}")
        for title, commands in PARTS.items():
            shell.out("")
            shell.out(title)
            for code, line in commands:
                _run(line, code)
        shell.out("")
        shell.out("The evening goes into the store and comes out again unchanged.")
        _run(f"import {EVENING}")
        came_out = _printed("export", Path(EVENING).stem, "--format", "kib").splitlines()
        if [
            line for line in came_out if not line.startswith("=")
        ] != Path(EVENING).read_text(encoding="utf-8").splitlines():
            raise KibitzError("the evening came out of the store otherwise than it went in", where=EVENING)
        shell.out("exported as it was written")


def _records() -> Path:
    """The folder that contains `examples`: beside this module if installed, beside the package in a checkout."""
    for folder in (Path(__file__).parent, Path(__file__).parent.parent):
        if (folder / EVENING).is_file():
            return folder
    raise NotFoundError(
        "the records of the demo are missing", where=str(Path(__file__).parent), todo="Install Kibitz again",
    )


@contextmanager
def _a_store_for_now(folder: Path) -> Iterator[None]:
    """Use a temporary store, no colours, and this working directory. Everything is restored afterwards."""
    before, place = dict(os.environ), os.getcwd()
    with tempfile.TemporaryDirectory(prefix="kibitz-demo-", ignore_cleanup_errors=True) as store:
        os.environ |= {"KIBITZ_DB": os.path.join(store, "demo.db"), "NO_COLOR": "1", "KIBITZ_RECORDER": ""}
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(place)
            os.environ.clear()
            os.environ |= before


def _run(line: str, code: int = 0) -> None:
    """Run a command as if typed. Raises KibitzError if its exit code is a different one."""
    shell.out("")
    shell.out(f"$ kibitz {line}")
    _ended(line.split(), code)


def _record(match: str) -> None:
    typed = Path(HAND).read_text(encoding="utf-8")
    shell.out("")
    shell.out(f"$ kibitz record {match}   < {HAND}")
    kept, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    try:
        _ended(["record", match], 0)
    finally:
        sys.stdin = kept


def _printed(*words: str) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        _ended(list(words), 0)
    return printed.getvalue()


def _ended(words: list[str], code: int) -> None:
    from cli.app import run_command_line

    if (ended := run_command_line(words)) != code:
        raise KibitzError(f"`kibitz {' '.join(words)}` ended with {ended}", expected=f"{code}", todo="Please report it")
