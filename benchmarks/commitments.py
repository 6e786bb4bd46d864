"""What layout 2 of the leaf costs: `python -m benchmarks.commitments [--matches N]`.

Bytes an event of sealed matches, and the time of an append and of an import, with layout 1 and layout 2 in turn on
the same machine. An append is one event in one commit, durable, as at a table: its time is wall time in the directory
of temporary files, with the sync of the disk in it, and the CPU time beside it.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from benchmarks.storage import Log, cpu, logs, place
from records import Store


def named(log: Log) -> Log:
    """The match with a name for each seat, as matches have them: each of them takes a salt of its own."""
    facts = log[0].event.facts  # type: ignore[union-attr]  # an opening
    names = {seat: f"Player {i}" for i, seat in enumerate(str(facts["Seats"]).split())}
    return [replace(log[0], event=replace(log[0].event, facts={**facts, **names})), *log[1:]]


def store_of(path: Path, matches: list[Log], *, in_parts: bool, sealed: bool) -> None:
    """The matches in a store, 200 a commit."""
    with Store.open(path) as store:
        for at in range(0, len(matches), 200):
            with store.together():
                for log in matches[at : at + 200]:
                    facts = log[0].event.facts  # type: ignore[union-attr]  # an opening
                    store.import_match(
                        facts["Match"], log, game=facts["Game"], sealed=sealed, in_parts=in_parts,
                    )


def bytes_an_event(matches: list[Log], *, in_parts: bool, sealed: bool) -> float:
    """The size of the closed file, divided by events."""
    with place() as folder:
        store_of(folder / "a.db", matches, in_parts=in_parts, sealed=sealed)
        return (folder / "a.db").stat().st_size / sum(map(len, matches))


def importing(matches: list[Log], rounds: int = 5) -> tuple[float, float]:
    """CPU microseconds an event of an import, layout 1 and layout 2."""
    took: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        for in_parts, times in took.items():
            with place() as folder:
                times.append(cpu(partial(store_of, folder / "a.db", matches, in_parts=in_parts, sealed=False)))
    events = sum(map(len, matches))
    return statistics.median(took[False]) / events * 1e6, statistics.median(took[True]) / events * 1e6


def appending(log: Log, rounds: int) -> list[tuple[float, float]]:
    """Wall and CPU microseconds of an append, layout 1 and layout 2: medians over single events in turn."""
    wall: dict[str, list[float]] = {"one": [], "two": []}
    busy: dict[str, list[float]] = {"one": [], "two": []}
    with tempfile.TemporaryDirectory() as name, Store.open(Path(name) / "a.db") as one, Store.open(
        Path(name) / "b.db"
    ) as two:
        one.create_match({}, game="kaiser", match="one")
        two.create_match({}, game="kaiser", match="two", in_parts=True)
        for i in range(rounds):
            event = replace(log[1 + i % (len(log) - 1)], recorder="Ada", key="")
            for match, store in (("one", one), ("two", two)):
                begin, used = time.perf_counter(), time.process_time()
                store.append(match, [event], expect=i, key=f"k{i}")
                wall[match].append(time.perf_counter() - begin)
                busy[match].append(time.process_time() - used)
    return [(statistics.median(wall[name]) * 1e6, statistics.median(busy[name]) * 1e6) for name in ("one", "two")]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--appends", type=int, default=3000)
    asked = parser.parse_args()
    matches = [named(log) for log in logs(asked.matches)]
    says: Callable[..., None] = print
    for sealed in (True, False):
        one, two = (bytes_an_event(matches, in_parts=in_parts, sealed=sealed) for in_parts in (False, True))
        says(f"{'sealed' if sealed else 'open'}: {one:.1f} and {two:.1f} bytes an event, {two - one:+.1f}")
    before, after = importing(matches[:200])
    says(f"import: {before:.1f} and {after:.1f} microseconds of CPU an event, {after / before:.2f} times")
    (wall, busy), (wall2, busy2) = appending(max(matches[:20], key=len), asked.appends)
    says(f"append: {wall:.0f} and {wall2:.0f} microseconds, {100 * (wall2 / wall - 1):+.1f} %", end="; ")
    says(f"of CPU {busy:.0f} and {busy2:.0f}, {100 * (busy2 / busy - 1):+.1f} %")


if __name__ == "__main__":
    main()
