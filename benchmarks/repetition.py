"""How the time to check a record grows with lines that are repeated: `python -m benchmarks.repetition [--most N] [GAME …]`.

A recorder leans on a key, a program writes the same line for ever, or a block of lines is pasted again and again. For
each game a line, a block of a real hand and a whole real hand are repeated to 50, 100, 200 … N lines, and each record is
checked: judged, and corrections looked for. The table has milliseconds of CPU, and what doubling the lines multiplies
them by at the most, from 100 lines on. Time that grows as fast as n log n is a factor of 2.4 at the beginning and of 2.2
at the end; what the budget of a record (`replay.budget`) bounds grows by less. `worst` is the factor over the whole way
divided by that of n log n: no record of this table is above 1 by more than the noise.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from events.model import Hand, Recorded
from reducers.game import PAGES
from replay.checking import check
from replay.hide import hide
from replay.simulate import simulate

FEWEST, MOST = 50, 3_200


def blocks(game: str) -> Iterator[tuple[str, list[Recorded], list[Recorded]]]:
    """What is repeated: its name, the lines before it, the lines themselves."""
    log = hide(simulate(game, seed=1, hands=1))
    opening, rest = log[:1], log[1:]
    hand = next((i for i, r in enumerate(rest) if type(r.event) is Hand), 0)
    middle = hand + (len(rest) - hand) // 2
    yield "one line", log[: middle + 1], [rest[middle]]
    yield "one line alone", opening, [rest[middle]]
    yield "five lines", log[: middle + 1], rest[middle : middle + 5]
    yield "a hand", opening, rest[hand:]


def repeated(before: list[Recorded], block: list[Recorded], lines: int) -> list[Recorded]:
    """A record of so many lines after its opening."""
    out = before[: lines + 1]
    while len(out) <= lines:
        out += block[: lines + 1 - len(out)]
    return [replace(r, n=n) for n, r in enumerate(out)]


def seconds(log: list[Recorded], rounds: int = 1) -> float:
    """CPU seconds to check a record, the best of so many times."""
    best = math.inf
    for _ in range(rounds):
        begun = time.process_time()
        check(log)
        best = min(best, time.process_time() - begun)
    return best


def sizes(most: int) -> list[int]:
    """The numbers of lines, doubled each time."""
    out = [FEWEST]
    while out[-1] * 2 <= most:
        out.append(out[-1] * 2)
    return out


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[], metavar="GAME")
    parser.add_argument("--most", type=int, default=MOST)
    asked = parser.parse_args()
    lines = sizes(asked.most)
    print(f"| {'game':16} | {'repeated':14} |" + "".join(f" {n:>6} |" for n in lines) + "  most | worst |")
    print("|---|---|" + "---:|" * (len(lines) + 2))
    for game in asked.games or PAGES:
        for name, before, block in blocks(game):
            took = [seconds(repeated(before, block, n), rounds=3 if n < 400 else 1) for n in lines]
            most = max((b / a for a, b in pairwise(took[1:])), default=0.0)
            n, m = lines[min(1, len(lines) - 1)], lines[-1]
            worst = took[-1] / took[min(1, len(lines) - 1)] / (m * math.log(m) / (n * math.log(n)))
            print(f"| {game:16} | {name:14} |" + "".join(f" {t * 1e3:6.0f} |" for t in took) + f" {most:5.1f} | {worst:5.2f} |", flush=True)


if __name__ == "__main__":
    main()
