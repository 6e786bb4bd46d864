"""Several programs on one store: nothing is lost, no position twice, no waiting without end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from events.model import Call
from records import HOME, Store

# Programs of their own, not threads: each opens the store by itself, as the command line does.
APPEND = """
import sys
from events.model import Play, Call, Recorded
from records import Store
path, match, who = sys.argv[1:]
with Store.open(path, timeout=30) as store:
    for i in range(25):
        store.append(match, [Recorded(n=0, event=Call(by=who, word="w", amount=i), recorder=who)], key=f"{who}-{i}")
"""
CREATE = """
import sys
from records import Store
with Store.open(sys.argv[1], timeout=30) as store:
    print(store.create_match({}, game="kaiser"))
"""
POLITE = """
import sys
from events.model import Call, Recorded
from records import StaleWriterError, Store
path, match, who = sys.argv[1:]
with Store.open(path, timeout=30) as store:
    seen = store.length(match) - 1
    for i in range(10):
        while True:
            try:
                seen = store.append(
                    match, [Recorded(n=0, event=Call(by=who, word="after", amount=seen))], expect=seen
                ).last
                break
            except StaleWriterError as stale:
                seen = stale.unseen[-1].n
"""
KILLED = """
import os, sys
from events.model import Pass, Recorded
from records import Store
path, match = sys.argv[1:]
store = Store.open(path)
store.append(match, [Recorded(n=0, event=Pass(by="N"))])
print("acknowledged", flush=True)
store.backend.conn.execute("BEGIN IMMEDIATE")
store.backend.conn.execute("UPDATE books SET head = head + 7")
os._exit(9)
"""


def run_all(script: str, *each: list[str]) -> list[str]:
    """Run the script once for each list of arguments, all at the same time; what they print."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for args in each
    ]
    answers = [process.communicate(timeout=60) for process in running]
    assert [process.returncode for process in running] == [0] * len(each), answers
    return [stdout for stdout, _ in answers]


def test_four_programs_append_to_one_match(path: Path, store: Store, match: str) -> None:
    """Given four programs, when each appends 25 events, then all 100 are there, without a gap, each program's in
    order."""
    run_all(APPEND, *[[str(path), match, who] for who in "NESW"])
    records = store.read(match)
    assert [r.n for r in records] == list(range(101))
    for who in "NESW":
        assert [r.event.amount for r in records if isinstance(r.event, Call) and r.event.by == who] == list(range(25))
    assert [e.pos for e in store.tail(HOME)] == list(range(1, 102))
    assert [e.recorded for e in store.tail(HOME)] == records
    store.check()


@pytest.mark.rest
def test_all_of_them_trying_again_adds_nothing(path: Path, store: Store, match: str) -> None:
    """Two programs that submit the same under the same keys leave one copy."""
    run_all(APPEND, *[[str(path), match, "N"]] * 3)
    assert store.length(match) == 26
    store.check()


def test_writers_who_look_before_they_write_never_write_on_stale_ground(path: Path, store: Store, match: str) -> None:
    """Each event says which one its writer had seen last: it must be the one right before."""
    run_all(POLITE, *[[str(path), match, who] for who in "NES"])
    calls = [r for r in store.read(match) if isinstance(r.event, Call)]
    assert len(calls) == 30
    assert all(r.event.amount == r.n - 1 for r in calls if isinstance(r.event, Call))


@pytest.mark.rest
def test_four_programs_make_the_store_at_once(path: Path) -> None:
    made = run_all(CREATE, *[[str(path)]] * 4)
    with Store.open(path, write=False) as store:
        assert sorted(row.match for row in store.matches()) == sorted(line.strip() for line in made)
        assert [r.pos for r in store.tail(HOME)] == [1, 2, 3, 4]


def test_a_program_that_dies_loses_only_what_was_not_acknowledged(path: Path, store: Store, match: str) -> None:
    died = subprocess.run([sys.executable, "-c", KILLED, str(path), match], capture_output=True, text=True, timeout=60)
    assert (died.returncode, died.stdout) == (9, "acknowledged\n")
    assert store.length(match) == 2
    assert store.books()[0].head == 2
    store.check()


def test_a_reader_after_a_crash_sees_all_that_was_acknowledged(path: Path, store: Store, match: str) -> None:
    """Given a program that died and left its last event in the write-ahead file, nobody else there, we read it."""
    store.close()
    subprocess.run([sys.executable, "-c", KILLED, str(path), match], capture_output=True, timeout=60)
    assert path.with_name("kibitz.db-wal").stat().st_size > 0
    for shared in (True, False):
        if not shared:
            path.with_name("kibitz.db-shm").unlink(missing_ok=True)
        with Store.open(path, write=False) as reader:
            assert reader.length(match) == 2
            reader.check()
