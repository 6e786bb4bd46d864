"""What the proofs of the store share: seeds, sizes, places, submissions that can be told apart, and children to kill.

A proof draws all its chances from one `random.Random`. Its seed comes from `KIBITZ_SEED` (default 5) and stands in the
message of every failure, so that a failure can be had again. `KIBITZ_FIGURES` names a file to which each proof adds one
line of JSON with what it did and found; the figures in docs/reliability.md come from there. `KIBITZ_MINUTES` ends those
long proofs early that take their cases in an order of chance (the flips); their figures say how many there were.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sampling import forms

import records
from events.model import Call, Note, Open, Pass, Play, Recorded
from records import Store
from records.proof.checkpoints import read_checkpoint
from records.proof.verify import Change

SEED = int(os.environ.get("KIBITZ_SEED", "5"))
MINUTES = float(os.environ.get("KIBITZ_MINUTES", "inf"))
ROOT = Path(__file__).resolve().parents[2]
MATCH = "kaiser-proof"


def sizes(quick: int, long: int) -> pytest.MarkDecorator:
    """Run a proof in three forms: a quarter of the quick one with `make test`, the quick one with `make test-rest`,
    the long one with `make soak`. Gives it `size`."""
    return pytest.mark.parametrize("size", forms(quick // 4, quick, long))


# Seeds and figures


class Proof:
    """One run of a proof: its chances, and what it counted."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed = name, seed
        self.chance = random.Random(f"{name} {seed}")
        self.figures: dict[str, Any] = {}
        self.began = time.monotonic()

    def count(self, name: str, by: int = 1) -> None:
        self.figures[name] = self.figures.get(name, 0) + by


@contextmanager
def proving(name: str, seed: int = SEED) -> Iterator[Proof]:
    """A proof under its seed. A failure inside names the seed and the counts so far; a success leaves its figures."""
    proof = Proof(name, seed)
    try:
        yield proof
    except BaseException as error:
        error.add_note(f"proof {name}: seed {seed} (run again with KIBITZ_SEED={seed}); so far {proof.figures}")
        raise
    if where := os.environ.get("KIBITZ_FIGURES"):
        line = {
            "proof": name,
            "seed": seed,
            **proof.figures,
            "seconds": round(time.monotonic() - proof.began, 1),
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "records": sources(),
        }
        with open(where, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def insist(true: bool, what: object = "") -> None:
    """An assertion for the inside of an `except` block, where what is caught is looked at."""
    if not true:
        raise AssertionError(what)


def sources() -> str:
    """A short hash of the sources of the store, so that figures can be told from those of another version."""
    digest = hashlib.sha256()
    for path in sorted(Path(records.__file__).parent.rglob("*.py")):
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()[:12]


# Places


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty directory, in memory where there is such a place: most proofs make thousands of files.

    Whether bytes reach a disk is asked only where the proof itself plays the disk.
    """
    memory = Path("/dev/shm")
    base = memory if os.access(memory, os.W_OK) else None
    directory = Path(tempfile.mkdtemp(prefix="kibitz-proof-", dir=base))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


# Submissions


def submission(key: str) -> list[Recorded]:
    """One to three events that follow from their key alone, so that anyone can say what was submitted under it."""
    chance = random.Random(key)
    long = chance.choice([0, 0, 0, 40, 900, 5000])
    last = chance.randint(1, 3)
    kinds: list[Callable[[int], Recorded]] = [
        lambda i: Recorded(n=0, event=Play(by="N", cards=(chance.choice(["7h", "Td", "??", "Ks"]),)), key=key),
        lambda i: Recorded(n=0, event=Call(by="E", word="w", amount=i), key=key, recorder="ann"),
        lambda i: Recorded(n=0, event=Pass(by="S"), key=key, text=f"{key} {'x' * long}"),
        lambda i: Recorded(n=0, event=Note(by="@"), key=key, text=f"{i} of {key} ♥ é"),
    ]
    return [chance.choice(kinds)(i) for i in range(last)]


def said(recorded: Recorded) -> tuple[object, ...]:
    """What an event says, without what the store adds: position and time."""
    return (recorded.event, recorded.text, recorded.recorder, recorded.key)


def new_store(path: Path, match: str = MATCH) -> None:
    """A store with one match that has nothing but its opening."""
    with Store.open(path, timeout=30) as store:
        store.create_match({"Seats": ["N", "E", "S", "W"]}, game="kaiser", match=match)


def expect_whole(records: Sequence[Recorded]) -> dict[str, tuple[int, int]]:
    """The spans of the keys in a match, if it is whole: gapless, and under each key exactly what it stands for,
    once."""
    assert [r.n for r in records] == list(range(len(records))), "a position is missing, doubled or out of order"
    assert isinstance(records[0].event, Open)
    spans: dict[str, tuple[int, int]] = {}
    at = 1
    while at < len(records):
        key = records[at].key
        want = submission(key)
        got = records[at : at + len(want)]
        assert [said(r) for r in got] == [said(r) for r in want], f"half or changed submission {key!r} at {at}"
        assert key not in spans, f"{key!r} is there twice: {spans[key]} and {at}"
        spans[key] = (at, at + len(want) - 1)
        at += len(want)
    return spans


# Children

NURSERY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from proof import children
children.nursery()
"""


class Nursery:
    """A program that has loaded the store once and forks a child for each request, so that a kill costs little.

    A child is a process of its own that opens the store by itself; what it says comes line by line through its own
    pipe.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY, str(ROOT / "tests")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def child(self, what: str, out: Path, **args: object) -> int:
        """Start `children.<what>(**args)`; everything it says goes to the file `out`. Its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"what": what, "out": str(out), "args": args}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def wait(self, pid: int) -> int:
        """Wait for the end of a child: its exit code, negative for the signal that ended it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"wait": pid}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def kill(self, pid: int) -> int:
        """SIGKILL: no handler runs, nothing is flushed. Its exit code."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return self.wait(pid)

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()


# Checkpoints


class Kept(NamedTuple):
    """What somebody carried away from the table: a signed note, and the public key it was signed with."""

    note: str
    keys: list[bytes]


def signed(store: Store) -> dict[str, Kept]:
    """A checkpoint of every book of the store."""
    notes = {row.book: store.sign(row.book).note for row in store.books()}
    return {book: Kept(note, store.public_keys()) for book, note in notes.items()}


def found_by_verify(store: Store, book: str, kept: Kept) -> list[Change]:
    """What verify says is wrong with a book, given an earlier checkpoint. The store's own memory of keys is not
    needed."""
    return store.verify(book, read_checkpoint(kept.note)[0], kept.keys).found
