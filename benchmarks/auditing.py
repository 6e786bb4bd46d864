"""How often a slip of the recorder makes the judge accuse somebody wrongly, and how many breaks it still proves.

    python -m benchmarks.auditing [--logs 100] [--games kaiser,scopa]

Whole hands with breaches are hidden; then the recorder's slips of one kind go into each log. A *false accusation* is a
broken rule that is no breach of the hand as it was played; it counts as *shown* if the log contradicts itself (a
conflict), and those about turn and lead are told apart, because a card that was not written looks like one played out
of turn. *Kept* is the share of the breaks proven in the log without slips that are proven in the log with them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from events.model import Recorded
from reducers.game import find
from replay.hide import hide
from replay.judge import OF_THE_RECORD, judge
from replay.simulate import Truth, mischief, slip

KINDS = ("mistyped", "forgotten", "swapped")
TURN = ("turn", "lead", "in turn")


def broken(log: list[Recorded]) -> tuple[set[tuple[int, str]], bool]:
    """The positions and rules judged broken, and whether the log contradicts itself."""
    judgement = judge(log)
    found = {(f.at.pos, f.rule.partition(".")[2]) for f in judgement.broken if f.rule not in OF_THE_RECORD}
    conflict = any(f.rule in OF_THE_RECORD for f in judgement.broken)
    return {(n, r) for n, r in found if not r.startswith("T")}, conflict


def one_slip(log: list[Recorded], truth: Truth, kind: str, seed: str) -> tuple[list[Recorded], Truth] | None:
    """The log with slips of this kind alone, if chance made such a log."""
    for again in range(30):
        out, told = slip(log, 0.03, Random(f"{seed}/{again}"), truth)
        if told.slips and all(s.kind == kind for s in told.slips):
            return out, told
    return None


def measure(game: str, kind: str, logs: int) -> Counter[str]:
    """The figures of one game and one kind of slip."""
    count: Counter[str] = Counter()
    of_turn = {rule.id for rule in find(game).rules if any(word in f"{rule.short} {rule.text}" for word in TURN)}
    for seed in range(logs):
        log, truth = mischief(game, seed=seed, p=0.1, hands=2)
        slipped = one_slip(log, truth, kind, f"{game}/{kind}/{seed}")
        if slipped is None:
            continue
        count["logs"] += 1
        out, told = slipped
        proven, _ = broken(hide(log))
        found, conflict = broken(hide(out))
        real = {(b.position, rule) for b in told.breaches for rule in b.rules}
        moved = {b.position: t.position for b, t in zip(truth.breaches, told.breaches, strict=False)} if len(truth.breaches) == len(told.breaches) else {}
        for _, rule in found - real:
            where = "turn" if rule in of_turn else "shown" if conflict else "hidden"
            count[f"false {where}"] += 1
        for pos, rule in proven:
            if pos in moved:
                count["provable"] += 1
                count["kept"] += (moved[pos], rule) in found
    return count


def main() -> None:
    """Print a line for each game and kind of slip."""
    reader = argparse.ArgumentParser(description="False accusations and proofs kept under slips of the recorder.")
    reader.add_argument("--logs", type=int, default=100)
    reader.add_argument("--games", default="kaiser,scopa")
    given = reader.parse_args()
    print(f"{'game':10} {'slips':10} {'logs':>5} {'false, conflict shown':>22} {'false, no conflict':>19} {'turn and lead':>14} {'kept':>12}")
    for game in given.games.split(","):
        for kind in KINDS:
            c = measure(game, kind, given.logs)
            kept = f"{c['kept']}/{c['provable']}"
            print(f"{game:10} {kind:10} {c['logs']:5} {c['false shown']:22} {c['false hidden']:19} {c['false turn']:14} {kept:>12}")


if __name__ == "__main__":
    main()
