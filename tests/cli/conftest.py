"""The command line in this process: arguments and standard input in, exit code and both outputs out."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from cli import shell
from cli.app import run_command_line


class Result(Struct):
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


Kibitz = Callable[..., Result]


class NoTerminal(io.TextIOWrapper):
    """A stream that is never a terminal."""

    def isatty(self) -> bool:
        return False


def call(args: tuple[object, ...], stdin: str | bytes = b"") -> Result:
    """Run one command with streams of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    streams = [
        NoTerminal(io.BytesIO(data), encoding="utf-8"), *(NoTerminal(io.BytesIO(), encoding="utf-8") for _ in range(2)),
    ]
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    shell.console.cache_clear()
    try:
        code = run_command_line([str(a) for a in args])
        for stream in streams[1:]:
            stream.flush()
        out, err = (s.buffer.getvalue().decode() for s in streams[1:])
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    return Result(code, out, err)


@pytest.fixture
def kibitz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kibitz:
    """`kibitz("check", "eve", stdin="…")` with a store of its own."""
    monkeypatch.setenv("KIBITZ_DB", str(tmp_path / "kibitz.db"))
    for name in ("KIBITZ_RECORDER", "KIBITZ_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return lambda *args, stdin=b"": call(args, stdin)


@pytest.fixture
def evening(kibitz: Kibitz) -> Kibitz:
    """The same, with a match `eve` in it: bidding done, nobody has played."""
    assert kibitz("new", "kaiser", *SEATS, "--id", "eve", "--date", "2026-03-14").code == 0
    assert kibitz("record", "eve", stdin="7\np\np\np\nh\n").code == 0
    return kibitz


SEATS = ("--seat", "N=Anna", "--seat", "E=Ben", "--seat", "S=Cleo", "--seat", "W=Dan")

# One hand of Kaiser with hidden hands; East revokes at 8 and shows the heart at 13.
REVOKE = """\
%kib 1
[Game "kaiser"]
[Match "revoke"]
[Seats "N E S W"]
[N "Anna"]

1. W hand 1
2. N bid 7
3. E pass
4. S pass
5. W pass
6. N name s
7. N play Kh
8. E play 8c
9. S play 8h
10. W play 9h
11. N play Ah
12. E play Th
13. S play Jh
14. W play Qh
"""


def environment(db: Path) -> dict[str, str]:
    """What a child process needs."""
    return {**os.environ, "KIBITZ_DB": str(db), "NO_COLOR": "1"}
