"""Whatever is typed: never a traceback, and an exit code that means something."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sampling import examples

from reducers.registry import PAGES

from .conftest import REVOKE, call
from .test_cli import COMMANDS

WORDS = [
    "eve", "e", "-", "revoke.kib", "bad.kib", "binary.kib", "empty.kib", "nix.kib", "/", "kaiser", "scopa", "0", "1",
    "3", "99", "-1", "15+", "2-", "--json", "--at", "--as", "all", "public", "N", "--format", "csv", "html", "kib",
    "-o", "out.kib", "out.jsonl", "--seat", "N=Anna", "Anna", "--option", "target=32", "target=x", "--dealer", "--book",
    "league", "--id", "--expect", "--key", "k", "--strict", "--as-played", "--open", "--glyph", "?!", "--by", "NS",
    "NS=7", "tricks.NS=5", "revoke", "7h", "bid", "7no", "--hands", "--seed", "--mischief", "0.5", "--slips", "2",
    "--hidden", "--match", "--help", "", "é", "\x00", "\ud800", "{", "[%t", "--alert", "--game",
]  # fmt: skip
LINES = [
    "7", "p", ".", "h", "Kh", "c7ka9", "x", "3x", "S 8c", "undo", "fix 2 8", "fix 1-", "fix 9999999999999999 8",
    "note 3 ha", "note", "claim NS=7", "tally tricks.NS=5", "confirm", "fault revoke", "dispute #2", "ruling #2", "?",
    "show", "check", "sheet", "log", "score", "help", "hand", "deal N=Kh", "deal N=KhKh", "end hand misdeal",
    "end match", "gap 3", "open Option.target=1", "open Seats=x", "quit", "{only text}", "S play 7h ~3.1 $2 {x}",
    "6. N play Kh", '{"n":6}', "%kib 1", "= hand 1: x", "move * <trick >won:EW", "N 10♥ !", "\x1b[0m", "7" * 200, "é",
    "shuffle *x?? >stock",
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def place() -> Iterator[None]:
    """A folder with a store and a few files in it."""
    before, env = os.getcwd(), os.environ.get("KIBITZ_DB")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["KIBITZ_DB"] = str(Path(folder, "kibitz.db"))
        Path("revoke.kib").write_text(REVOKE)
        Path("bad.kib").write_text(REVOKE.replace("play", "plya", 2))
        Path("binary.kib").write_bytes(bytes(range(256)))
        Path("empty.kib").write_bytes(b"")
        assert call(("new", "kaiser", "--id", "eve")).code == 0
        yield
        os.chdir(before)
        if env is None:
            del os.environ["KIBITZ_DB"]
        else:
            os.environ["KIBITZ_DB"] = env


TYPED = st.lists(
    st.sampled_from(LINES) | st.text(max_size=20), max_size=6,
).map("\n".join).map(lambda t: t.encode("utf-8", "replace"))
ARGS = st.tuples(st.sampled_from(COMMANDS), st.lists(st.sampled_from(WORDS), max_size=6))


@examples(150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(ARGS, TYPED | st.binary(max_size=60) | st.just(REVOKE.encode()))
def test_any_command_line_is_answered(args: tuple[str, list[str]], stdin: bytes) -> None:
    """Known commands with any words and any input end in a code from 0 to 7 and without a traceback."""
    command, words = args
    if command == "simulate":
        words = [w for w in words if w not in ("99", "--mischief", "--slips")] + ["--hands", "1"]
    if command == "serve":
        words = [*words, "--port", "none"]  # or it would serve until somebody stops it
    result = call((command, *words), stdin)
    answered(result.code, result.err)


@examples(60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(TYPED | st.binary(max_size=200), st.sampled_from(["record", "append"]), st.sampled_from(sorted(PAGES)))
def test_any_typing_is_answered(stdin: bytes, command: str, game: str) -> None:
    """Any lines into a fresh match of any game: each is recorded or refused."""
    match = call(("new", game)).out.strip()
    result = call(("append", match, "-") if command == "append" else ("record", match), stdin)
    answered(result.code, result.err)
    for look in ("log", "show", "replay", "check", "score", "sheet", "export"):
        result = call((look, match))
        answered(result.code, result.err)
        assert result.code in (0, 3)


def answered(code: int, err: str) -> None:
    assert code in range(8)
    assert "Traceback" not in err
    assert "something went wrong" not in err, err
