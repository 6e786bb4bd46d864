"""What becomes certain of a record because it says less: it should be nothing.

    python -m benchmarks.holes [--records 24] [--games kaiser,scopa] [--lines 100] [--show 2]

Whole hands, legal and with breaches, get one or two holes (`replay.few_holes`). Counted is what is certain then and
was not before (`replay.testing.measuring.newly_certain`), by rule; 1 is returned if there is anything.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from reducers.registry import games_with_cards
from replay.testing.corpus import with_holes
from replay.testing.measuring import newly_certain


def main() -> int:
    """Print a line a game, legal and with breaches, and some of the failures."""
    reader = argparse.ArgumentParser(description="What becomes certain of a record because it says less.")
    reader.add_argument("--records", type=int, default=24, help="records of each of two matches")
    reader.add_argument("--games", default=",".join(games_with_cards()))
    reader.add_argument("--lines", type=int, default=100, help="the longest record")
    reader.add_argument("--show", type=int, default=2, help="failures to print of each rule")
    given = reader.parse_args()
    failed = 0
    for game in given.games.split(","):
        for legal in (True, False):
            logs, found = 0, Counter[str]()
            for one in with_holes(game, legal, range(2), given.records, given.lines):
                logs += 1
                for failure in newly_certain(one):
                    rule = failure.key[1]
                    found[rule] += 1
                    if found[rule] <= given.show:
                        print(f"    {rule} at {failure.key[0]} [{one.what}]: {failure.text}")
            failed += found.total()
            print(f"{game}, {'legal' if legal else 'with breaches'}, {logs} records: {dict(found)}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
