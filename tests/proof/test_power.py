"""The power goes: whatever was acknowledged is on the disk, whole, and the store opens by itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from proof.children import SIGNED, evening
from proof.disk import Afterwards, Disk, Inode, Step, lay_out, on_disk, settle, versions
from proof.harness import MATCH, ROOT, Proof, expect_whole, proving, scratch, sizes, submission

from records import HOME, Store
from records.proof.checkpoints import read_checkpoint

SECTORS = (512, 4096)
TRACED = (
    "open openat creat close dup dup2 dup3 write pwrite64 writev pwritev pwritev2 fsync fdatasync sync_file_range"
    " ftruncate truncate fallocate unlink unlinkat rename renameat renameat2 link linkat"
)


def _may_trace() -> bool:
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], capture_output=True).returncode == 0


STRACE = _may_trace()
_CALL = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


def steps_of(trace: str, path: Path) -> list[Step]:
    """What the system calls of one process did to the files of the store. A call not understood is an error, not a
    gap."""
    steps: list[Step] = []
    open_files: dict[int, str] = {}  # descriptors of files of the store, "" for its directory
    offsets: dict[int, int] = {}
    inodes: dict[str, Inode] = {}
    beside = (
        "", "-wal", "-journal", "-key", "-key.new", "-signed", "-signed.new", "-ends", "-signer", "-signer.new",
        "-forks", "-forks.new",
    )  # fmt: skip
    watched_names = {path.name + ending for ending in beside}

    def ours(name: str) -> bool:
        # The shared index is rebuilt after a crash and never matters; nor does the lock, which is empty.
        base = os.path.basename(name)
        return os.path.dirname(name) == str(path.parent) and base in watched_names

    for line in trace.splitlines():
        found = _CALL.match(line)
        if found is None:
            assert "unfinished" not in line, f"two threads at once: {line[:200]}"
            continue
        _, call, given, result = found.groups()
        texts = []
        for text, cut_short in _TEXT.findall(given):
            assert not cut_short, "the trace is cut short"
            texts.append(bytes.fromhex(text.replace("\\x", "")))
        rest = _TEXT.sub("@", given)
        numbers = [int(part) for part in re.split(r", ?", rest) if re.fullmatch(r"-?\d+", part)]
        if int(result) < 0:
            continue
        if call in ("open", "openat", "creat"):
            name = os.fsdecode(texts[0])
            if ours(name):
                base = os.path.basename(name)
                open_files[int(result)], offsets[int(result)] = base, 0
                if base not in inodes:
                    inodes[base] = Inode()
                    assert "O_CREAT" in rest, f"{name} was there before"
                    steps.append(Step("make", base, inodes[base]))
                assert "O_TRUNC" not in rest, line[:200]
            elif name == str(path.parent):
                open_files[int(result)] = ""
            continue
        if call in ("unlink", "unlinkat"):
            name = os.fsdecode(texts[0])
            if ours(name):
                inodes.pop(os.path.basename(name), None)
                steps.append(Step("delete", os.path.basename(name)))
            continue
        if call == "write" and numbers[0] == 1:
            steps.append(Step("mark", texts[0].decode()))
            continue
        if call in ("rename", "renameat", "renameat2") and ours(os.fsdecode(texts[0])):
            old, new = (os.path.basename(os.fsdecode(text)) for text in texts)
            inodes[new] = inodes.pop(old)
            steps.append(Step("rename", old, data=new.encode()))
            continue
        if call in ("rename", "renameat", "renameat2", "link", "linkat", "truncate"):
            assert not any(ours(os.fsdecode(text)) for text in texts), line[:200]
            continue
        fd = numbers[0]
        if fd not in open_files:
            continue
        name = open_files[fd]
        if call == "close":
            del open_files[fd]
        elif call == "pwrite64":
            assert int(result) == len(texts[0]), f"a short write: {line[:200]}"
            steps.append(Step("write", name, None, numbers[-1], texts[0]))
        elif call == "write" and name.endswith(".new"):
            steps.append(Step("write", name, None, offsets[fd], texts[0]))
            offsets[fd] += int(result)
        elif call == "ftruncate":
            steps.append(Step("cut", name, None, numbers[-1]))
        elif call in ("fsync", "fdatasync"):
            steps.append(Step("sync", name) if name else Step("sync names", ""))
        else:
            raise AssertionError(f"not understood: {line[:200]}")
    return steps


def watched(proof: Proof, path: Path, rewrite: Callable[[str], str] = lambda sql: sql) -> list[Step]:
    """An evening on a watched disk: what was written and synced, with a mark for every acknowledgement."""
    disk = Disk(record=True)
    with on_disk(disk, rewrite):
        evening(path, proof.chance.choice([3, 20, 60]), str(proof.chance.random()), disk.mark)
    return disk.steps


def traced(proof: Proof, path: Path) -> list[Step]:
    """The same evening in a program of its own, with Python's own SQLite: its system calls, read back as steps."""
    trace = path.with_name("trace")
    script = path.with_name("evening.py")
    script.write_text(
        "import os, sys\n"
        f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]\n"
        "from pathlib import Path\n"
        "from proof.children import evening\n"
        "evening(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], lambda mark: os.write(1, "
        "mark.encode()), signing=True)\n"
    )
    ran = subprocess.run(
        [
            *(
                "strace", "-f", "-qq", "-xx", "-s", "200000", "-o", str(trace), "-e",
                f"trace={TRACED.replace(' ', ',')}",
            ),
            *(sys.executable, str(script), str(path)),
            *(str(proof.chance.choice([3, 20, 60])), str(proof.chance.random())),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    steps = steps_of(trace.read_text(), path)
    trace.unlink()
    return steps


def cut_some(proof: Proof, cuts: int, night: Callable[[Proof, Path], list[Step]], *, stop_at_loss: bool = False) -> int:
    """Cut the power so many times and open what is left with the real store. How many acknowledged appends were lost.

    `night` gives the steps of an evening, played on a store at the path it is given.
    """
    chance = proof.chance
    done = lost = 0
    while done < cuts:
        with scratch() as directory:
            steps = night(proof, directory / "kibitz.db")
            after = Afterwards()
            image = directory / "image"
            image.mkdir()
            acked: list[str] = []
            # Cuts lie around syncs: in the middle of one, right after one, and between the writes before the next.
            share = max(0.05, min(1.0, 400 / len(steps)))
            for number, step in enumerate(steps):
                if step.kind == "mark":
                    acked.append(step.name)
                near = {s.kind for s in steps[number : number + 2]} & {"sync", "sync names", "mark"}
                if done < cuts and chance.random() < (share if near else share / 4):
                    # Before the step is taken in: what a sync would have made safe is still at stake.
                    done += 1
                    proof.count("cuts")
                    proof.count("writes at stake", after.pending())
                    lay_out(after.image(chance, chance.choice(SECTORS)), image)
                    missing = look(image / "kibitz.db", acked)
                    lost += len(missing)
                    if missing and stop_at_loss:
                        return lost
                    assert stop_at_loss or not missing, f"lost {missing} at step {number} ({step.kind} {step.name})"
                after.take(step)
    return lost


def look(path: Path, acked: list[str]) -> set[str]:
    """Open the image with the real store; which acknowledged submissions are missing."""
    if not acked and not path.exists():
        return set()
    with Store.open(path, timeout=1) as store:
        store.check()
        if not store.matches():
            return set(acked)
        spans = expect_whole(store.read(MATCH))
        assert [placed.pos for placed in store.tail()] == list(range(1, store.length(MATCH) + 1))
        notes = [mark.removeprefix(SIGNED) for mark in acked if mark.startswith(SIGNED)]
        if notes:
            # The checkpoints handed out hold, the store knows its key, and goes on signing.
            for note in (notes[0], notes[-1]):
                assert store.verify(HOME, read_checkpoint(note)[0]).found == []
            assert store.verify(HOME, store.sign(HOME)).found == []
        # It goes on: the next append takes the next position.
        last = store.length(MATCH) - 1
        assert store.append(MATCH, submission("later"), expect=last, key="later").first == last + 1
    # At most the one append under way may be there beyond those acknowledged.
    assert len(spans.keys() - set(acked)) <= 1
    return {mark for mark in acked if mark.startswith("p-")} - spans.keys()


@sizes(400, 50_000)
def test_power_loss_takes_nothing_acknowledged(size: int) -> None:
    """Cut at and between syncs, sectors torn, dropped or full of refuse: every acknowledged append is there, none is
    half there."""
    with proving(f"power loss x {size}") as proof:
        assert cut_some(proof, size, watched) == 0
        assert proof.figures["writes at stake"] > size // 4, "most cuts fell where nothing could be lost"
        proof.figures.update(versions())


@pytest.mark.rest
@pytest.mark.skipif(not STRACE, reason="needs strace, and the right to trace a child")
@sizes(120, 10_000)
def test_power_loss_as_the_system_sees_it(size: int) -> None:
    """The same, and checkpoints signed on the way, from the system calls of a real process with Python's own SQLite."""
    with proving(f"power loss, from system calls, x {size}") as proof:
        assert cut_some(proof, size, traced) == 0
        assert proof.figures["writes at stake"] > size // 4, "most cuts fell where nothing could be lost"


@pytest.mark.rest
@pytest.mark.skipif(not STRACE, reason="needs strace, and the right to trace a child")
def test_a_trace_says_what_the_disk_says(tmp_path: Path) -> None:
    """All steps of a trace carried out give the very files that lie on the disk, so the trace misses no way of
    writing."""
    with proving("trace") as proof:
        path = tmp_path / "kibitz.db"
        after = Afterwards()
        steps = traced(proof, path)
        for step in steps:
            after.take(step)
            if step.kind == "write":
                settle(after.now[step.name])
        assert {step.kind for step in steps} >= {"make", "write", "sync", "sync names", "delete", "rename", "mark"}
        for name, inode in after.now.items():
            settle(inode)
            assert bytes(inode.safe) == path.with_name(name).read_bytes()
        assert after.now.keys() == {
            "kibitz.db", "kibitz.db-key", "kibitz.db-signed", "kibitz.db-signer", "kibitz.db-ends",
        }


def test_a_store_that_does_not_wait_for_the_disk_is_caught() -> None:
    """The control: with synchronous=NORMAL the same cuts lose acknowledged appends."""

    def normal(sql: str) -> str:
        return sql.replace("synchronous=FULL", "synchronous=NORMAL")

    assert normal("PRAGMA synchronous=FULL") != "PRAGMA synchronous=FULL"
    with proving("power loss, control") as proof:
        assert cut_some(proof, 500, partial(watched, rewrite=normal), stop_at_loss=True) > 0
