"""Measure, print a table of ratios: `python -m benchmarks` (or `make bench`).

Times are CPU seconds of this process (or of child processes), the best of several runs; where the disk is involved the
two sides are timed call by call in turn and the medians of wall time are compared. A ratio above 1 in the first rows
means that Kibitz is faster than its peer; in the rows headed "costs" it says how many times the limit an operation
costs, so smaller is better.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec

from events.canon import encode
from events.model import Recorded
from reducers.games.jersey_gin import MELDS
from replay.fold import fold
from replay.judge import judge
from replay.simulate import simulate

ROOT = Path(__file__).resolve().parent.parent
RUNS = 7


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call, the best of several."""
    best = float("inf")
    for _ in range(RUNS):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def child_cpu(*command: str) -> float:
    """CPU seconds of a whole process, the best of several."""
    best = float("inf")
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=ROOT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def chess_rate() -> float:
    """Moves a second of python-chess: is the move legal, then push it, over random games."""
    import chess

    choose = random.Random(1)
    games: list[list[chess.Move]] = []
    for _ in range(30):
        board, moves = chess.Board(), []
        while not board.is_game_over() and len(moves) < 150:
            move = choose.choice(list(board.legal_moves))
            moves.append(move)
            board.push(move)
        games.append(moves)

    def play() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                if move not in board.legal_moves:
                    raise AssertionError
                board.push(move)

    return sum(map(len, games)) / cpu(play)


def append_times(folder: str, log: list[Recorded], rounds: int = 300) -> tuple[float, float]:
    """Medians of wall seconds: one durable append, and a bare 4 KiB overwrite with fdatasync, in turn."""
    from records import Store

    path = os.path.join(folder, "bench.db")
    bare = os.open(os.path.join(folder, "bare"), os.O_RDWR | os.O_CREAT)
    block = b"k" * 4096
    os.pwrite(bare, block, 0)
    os.fsync(bare)
    ours, theirs = [], []
    with Store.open(path) as store:
        match = store.create_match(log[0].event.facts, game="kaiser")  # type: ignore[union-attr]  # the opening is an Open
        drafts = log[1:] * (rounds // len(log) + 1)
        for i in range(rounds):
            begin = time.perf_counter()
            store.append(match, [drafts[i]], expect=i)
            middle = time.perf_counter()
            os.pwrite(bare, block, 0)
            os.fdatasync(bare)
            ours.append(middle - begin)
            theirs.append(time.perf_counter() - middle)
    os.close(bare)
    return statistics.median(ours), statistics.median(theirs)


def main() -> None:
    """Run everything and print the table."""
    rows: list[tuple[str, str, str, str]] = []
    logs = [simulate("kaiser", seed=seed) for seed in range(20)]
    events = sum(len(log) for log in logs)
    peer = chess_rate()
    checked = events / cpu(lambda: [judge(log) for log in logs])
    folded = events / cpu(lambda: [fold(log) for log in logs])
    rows.append(("fold with all checks, kaiser", f"{checked:,.0f} events/s", f"python-chess {peer:,.0f} moves/s", f"{checked / peer:.2f}x"))
    rows.append(("fold alone, kaiser", f"{folded:,.0f} events/s", "same", f"{folded / peer:.2f}x"))
    for game in ("scopa", "bridge-solitaire"):
        others = [simulate(game, seed=seed) for seed in range(5)]
        rate = sum(map(len, others)) / cpu(lambda others=others: [judge(log) for log in others])  # type: ignore[misc]  # bound early, untyped
        rows.append((f"fold with all checks, {game}", f"{rate:,.0f} events/s", "same", f"{rate / peer:.2f}x"))
    chosen, rich = random.Random(2), [rank + suit for rank in "56789" for suit in "cdhs"]
    hands = [MELDS.pack.bag(chosen.sample(rich, 10)) for _ in range(10_000)]
    melded = len(hands) / cpu(lambda: [MELDS.best(hand) for hand in hands])
    rows.append(("best melds of ten cards from 5 to 9", f"{melded:,.0f} hands/s", "same", f"{melded / peer:.2f}x"))
    lines = [encode(r) for log in logs for r in log]
    starts = [0]
    for log in logs:
        starts.append(starts[-1] + len(log))
    decoder = msgspec.json.Decoder(Recorded)
    bare = cpu(lambda: [decoder.decode(line) for line in lines])
    both = cpu(lambda: [fold([decoder.decode(line) for line in lines[a:b]]) for a, b in pairwise(starts)])
    rows.append(("decode and fold (costs)", f"{both / len(lines) * 1e6:.2f} µs/event", f"bare msgspec decode {bare / len(lines) * 1e6:.2f} µs", f"{both / bare:.2f}x"))
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        ours, theirs = append_times(folder, logs[0])
        rows.append(("one durable append, median wall time (costs)", f"{ours * 1e6:.0f} µs", f"4 KiB overwrite + fdatasync {theirs * 1e6:.0f} µs", f"{ours / theirs:.2f}x"))
        nothing = child_cpu(sys.executable, "-c", "pass")
        kibitz = str(Path(sys.executable).with_name("kibitz"))
        example = str(ROOT / "examples" / "kaiser-evening.kib")
        for label, command in (("kibitz --help", [kibitz, "--help"]), ("kibitz show FILE", [kibitz, "show", example])):
            took = child_cpu(*command)
            rows.append((f"{label} (costs)", f"{took * 1000:.0f} ms", f"python -c pass {nothing * 1000:.0f} ms", f"{took / nothing:.1f}x"))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
