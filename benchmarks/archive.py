"""An archive judged by several engines: `python -m benchmarks.archive [--matches N] [--store FILE] [--engine NAME …]
[--jobs N]`.

Each engine judges the same sealed matches (a few hundred that were simulated, and copies of their rows under ids of
their own) in a process of its own. Told are the seconds of the clock, the CPU seconds of all its processes (where
the kernel counts them for a group, which takes root), how much memory the largest of them took, and whether the
report is the same. `ray` is here for comparison alone; it takes `pip install -r benchmarks/requirements-ray.txt`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from benchmarks.storage import archive, place
from records.loading import StoreLoader, open_store
from replay.auditing.batch import judge_all
from replay.engines import port
from replay.engines.choosing import engine_named
from replay.engines.port import run_range

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")
GROUPS = Path("/sys/fs/cgroup/cpuacct")
MATCHES_TOLD = (10_000, 100_000, 1_000_000, 10_000_000)
"""The sizes for which the cost is worked out from the measured rate."""
A_DAY = 86_400


class Ray:
    """The same port over Ray, as an engine would be written: ranges as tasks, given to another worker if one dies."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(
        self, work: Callable[[T, C], R], items: Iterable[T], context: C, lost: Callable[[T, str], R],
    ) -> Iterator[R]:
        """See `replay.engines.port.Engine.run`; what a dead worker leaves behind for good is not taken apart here."""
        import ray

        ray.init(num_cpus=self.jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        task = ray.remote(num_cpus=1, max_retries=3)(run_range)
        held, rest, waiting = ray.put(context), iter(items), deque[Any]()
        try:
            while True:
                while len(waiting) < port.AHEAD * self.jobs and (some := list(islice(rest, port.RANGE))):
                    waiting.append(task.remote(work, some, held))
                if not waiting:
                    return
                yield from ray.get(waiting.popleft())
        finally:
            ray.shutdown()


def judged(store: str, engine: str, jobs: int, most: int) -> None:
    """Judge the first matches of a store, and print what came of it: matches, events, and a digest of the whole
    report."""
    ids = open_store(store).ids()[:most]
    digest, matches, events = hashlib.sha256(), 0, 0
    for one in judge_all(ids, StoreLoader(store), Ray(jobs) if engine == "ray" else engine_named(engine, jobs)):
        digest.update(msgspec.json.encode(one))
        matches, events = matches + 1, events + one.events
    print(matches, events, digest.hexdigest())


def measured(store: str, engine: str, jobs: int, most: int) -> tuple[float, float | None, int, list[str]]:
    """The seconds and CPU seconds of an engine, the kilobytes of its largest process, and what it printed."""
    group = GROUPS / f"kibitz-{os.getpid()}-{engine}"
    try:
        group.mkdir()
    except OSError:
        group = Path()
    command = [
        sys.executable, "-m", "benchmarks.archive", "--run", engine, "--store", store, "--jobs", str(jobs), "--matches",
        str(most),
    ]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if group.name:
        (group / "tasks").write_text(str(process.pid))
    said, _ = process.communicate()
    took = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"{engine} ended with {process.returncode}")
    cpu = int((group / "cpuacct.usage").read_text()) / 1e9 if group.name else None
    with suppress(OSError):
        group.rmdir()
    return took, cpu, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, said.split()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--store", default="", help="a store that is there already; its first matches are judged")
    parser.add_argument("--engine", nargs="*", default=["processes", "dask"], choices=["processes", "dask", "ray"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--run", default="", help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.run:
        judged(wish.store, wish.run, wish.jobs, wish.matches)
        return
    with place() as folder:
        store = wish.store or str(folder / "archive.db")
        if not wish.store:
            archive(Path(store), wish.matches)
        size = Path(store).stat().st_size / len(open_store(store).ids())
        reports = set()
        for engine in wish.engine:
            took, cpu, most, (matches, events, digest) = measured(store, engine, wish.jobs, wish.matches)
            reports.add(digest)
            rate, cost = int(matches) / took, cpu if cpu is not None else took * wish.jobs
            print(
                (
                    f"{engine}: {int(matches):,} matches, {int(events):,} events in {took:.0f} s, {rate:,.0f} "
                    "matches a second;"
                ),
                end=" ",
            )
            print(
                f"{cpu:.0f} CPU seconds, {cpu / int(matches) * 1e6:.0f} µs a match;" if cpu is not None
                else "CPU not counted here;",
                end=" ",
            )
            print(f"largest process {most // 1024} MB")
            for many in MATCHES_TOLD:
                print(
                    f"  {many:>12,} matches: {cost / int(matches) * many:>12,.0f} core seconds, "
                    f"{size * many / 1e9:.2f} GB"
                )
            terabyte = 1e12 / size
            print(
                f"  1 TB of them is {terabyte / 1e9:.2f} billion matches: "
                f"{cost / int(matches) * terabyte / A_DAY:,.0f} core days"
            )
        print("the same report of all" if len(reports) == 1 else "THE REPORTS DIFFER")


if __name__ == "__main__":
    main()
