"""How much faster many recorders are if they share a sync: `python -m benchmarks.groups`.

A disk on which each sync takes 4 ms is made by a small library that is laid before the system's `fsync` and
`fdatasync`; it needs a C compiler. Compared are writers that each open the store for themselves, and the same
writers over one `GroupCommit`, each appending one event after the other to a match of its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from time import perf_counter

from events.model import Call, Recorded
from records import Store
from records.group_commit import GroupCommit

SLOW = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static void wait_for_the_disk(void) { const char *us = getenv("KIBITZ_SYNC_US"); if (us) usleep(atoi(us)); }
int fsync(int fd) { wait_for_the_disk(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { wait_for_the_disk(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }
"""
SEATS = {"Seats": ["N", "E", "S", "W"]}


def word(amount: int) -> list[Recorded]:
    return [Recorded(n=0, event=Call(by="N", word="w", amount=amount))]


def alone(path: Path, writers: int, seconds: float) -> list[float]:
    """How long each append took, in seconds, if every writer opens the store for itself."""

    def write(i: int) -> list[float]:
        with Store.open(path, timeout=60) as store:
            return appended(lambda n: store.append(f"kaiser-{i}", word(n), expect=n), start, seconds)

    start = Barrier(writers)
    with ThreadPoolExecutor(writers) as pool:
        return [took for each in pool.map(write, range(writers)) for took in each]


def together(path: Path, writers: int, seconds: float) -> list[float]:
    """How long each append took, in seconds, if one thread writes for all."""
    start = Barrier(writers)
    with GroupCommit(lambda: Store.open(path, timeout=60)) as group, ThreadPoolExecutor(writers) as pool:

        def write(i: int) -> list[float]:
            return appended(lambda n: group.append(f"kaiser-{i}", word(n), expect=n).result(), start, seconds)

        return [took for each in pool.map(write, range(writers)) for took in each]


def appended(append: Callable[[int], object], start: Barrier, seconds: float) -> list[float]:
    """One append after the other for so many seconds; how long each took."""
    took: list[float] = []
    start.wait()
    until = perf_counter() + seconds
    while (begun := perf_counter()) < until:
        append(len(took))
        took.append(perf_counter() - begun)
    return took


def measure(writers: int, seconds: float, sync: float) -> None:
    """Print a row of the table: so many writers."""
    rates: list[float] = []
    for way in (alone, together):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "kibitz.db"
            with Store.open(path) as store:
                for i in range(writers):
                    store.create_match(SEATS, game="kaiser", match=f"kaiser-{i}")
            took = sorted(way(path, writers, seconds))
        rates.append(len(took) / seconds)
        p50, p99 = took[len(took) // 2] * 1000, took[len(took) * 99 // 100] * 1000
        against = f"{rates[-1] / rates[0]:.1f}x" if way is together else ""
        syncs = f"p99 is {p99 / sync:.1f} syncs" if sync else ""
        print(
            f"{writers:3} writers, {way.__name__:8}  {rates[-1]:8,.0f} appends/s  p50 {p50:6.1f} ms  p99 "
            f"{p99:6.1f} ms  {syncs:20} {against}"
        )


def main() -> None:
    """Measure with as many writers as one says, on a disk that syncs in as many ms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument(
        "--sync", type=float, default=4.0, help="how many ms each sync takes longer; 0 for the disk as it is",
    )
    asked = parser.parse_args()
    if asked.sync and "KIBITZ_SYNC_US" not in os.environ:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            sys.exit(
                "there is no C compiler to make a slow disk with: install one, or measure the disk as it "
                "is with --sync 0"
            )
        with TemporaryDirectory() as folder:
            source, layer = Path(folder) / "slow.c", Path(folder) / "slow.so"
            source.write_text(SLOW)
            subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", layer, source, "-ldl"], check=True)
            slowed = {**os.environ, "LD_PRELOAD": str(layer), "KIBITZ_SYNC_US": str(int(asked.sync * 1000))}
            sys.exit(
                subprocess.run(
                    [sys.executable, "-m", "benchmarks.groups", *sys.argv[1:]], env=slowed, check=False,
                ).returncode
            )
    for writers in asked.writers:
        measure(writers, asked.seconds, asked.sync)


if __name__ == "__main__":
    main()
