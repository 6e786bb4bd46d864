"""Prints what the judge and the score say of odd logs, a line each: two builds of the same sources must print the same.

`python alike.py SEEDS WAYS [GAME ...]`: for each of these games, or of all, whole hands with broken rules, cut
anywhere, with lines lost and swapped, with hands nobody saw, and with tallies whose facts are anything that can be
written. Of these each game and seed draws so many WAYS.
"""

from __future__ import annotations

import sys
from random import Random

from reducers.registry import PAGES
from replay.simulate import simulate_breaches
from replay.testing.odd_logs import odd, said_of


def main() -> None:
    """One line for each log."""
    seeds, ways = map(int, sys.argv[1:3])
    for game in sys.argv[3:] or PAGES:
        for seed in range(seeds):
            log, _ = simulate_breaches(game, seed=seed, p=0.15, hands=1 + seed % 2)
            logs = [*enumerate(odd(list(log), Random(f"{game} {seed}")))]
            for i, one in sorted(Random(f"{game} {seed} ways").sample(logs, ways)):
                try:
                    print(game, seed, i, said_of(one), flush=True)
                except Exception as wrong:
                    print(game, seed, i, f"{type(wrong).__name__}: {wrong}", flush=True)


if __name__ == "__main__":
    main()
