"""How often a slip of the recorder makes the judge accuse somebody wrongly, and how many breaks it still proves.

    python -m benchmarks.auditing [--logs 100] [--games kaiser,scopa]

Whole hands with breaches are hidden; then the recorder's slips of one kind go into each log. A *false accusation* is a
broken rule that is no breach of the hand as it was played; it counts as *shown* if the record of that hand contradicts
itself (a conflict), and those about turn and lead are told apart, because a card that was not written looks like one
played out of turn. *Left* are those among them that no correction offered calls in doubt. *Kept* is the share of the breaks proven in the log without slips that are proven in the log with them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from msgspec import Struct

from events.model import Recorded
from reducers.game import find
from replay.hide import hide
from replay.judge import OF_THE_RECORD, judge
from replay.repair import physical, suggest
from replay.simulate import Truth, mischief, slip

KINDS = ("mistyped", "forgotten", "swapped")
TURN = ("turn", "lead", "in turn")


class Broken(Struct):
    """What is judged broken: positions and rules, each with its hand; the hands whose record contradicts itself; what
    an offer calls in doubt."""

    rules: dict[tuple[int, str], int]
    conflicts: set[int]
    doubted: set[tuple[int, str]]


def broken(log: list[Recorded], *, offers: bool = False) -> Broken:
    """Judge a log; with `offers` the corrections are looked for too."""
    judgement = judge(log)
    rules = {
        (f.at.pos, f.rule.partition(".")[2]): f.at.hand
        for f in judgement.broken if f.rule not in OF_THE_RECORD and not f.rule.startswith("table.")
    }  # fmt: skip
    repairs = suggest(log, judgement.findings) if offers else []
    doubted = {(ref.pos, ref.rule.partition(".")[2]) for repair in repairs for ref in repair.removes}
    return Broken(rules, {f.at.hand for f in judgement.broken if physical(f)}, doubted)


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
        proven, found = broken(hide(log)), broken(hide(out), offers=True)
        real = {(b.position, rule) for b in told.breaches for rule in b.rules}
        moved = {b.position: t.position for b, t in zip(truth.breaches, told.breaches, strict=False)} if len(truth.breaches) == len(told.breaches) else {}
        for (pos, rule), hand in found.rules.items():
            if (pos, rule) in real:
                continue
            where = "turn" if rule in of_turn else "shown" if hand in found.conflicts else "hidden"
            count[f"false {where}"] += 1
            count[f"left {where}"] += (pos, rule) not in found.doubted
        for pos, rule in proven.rules:
            if pos in moved:
                count["provable"] += 1
                count["kept"] += (moved[pos], rule) in found.rules
    return count


def main() -> None:
    """Print a line for each game and kind of slip."""
    reader = argparse.ArgumentParser(description="False accusations and proofs kept under slips of the recorder.")
    reader.add_argument("--logs", type=int, default=100)
    reader.add_argument("--games", default="kaiser,scopa")
    given = reader.parse_args()
    print("false accusations (of these left: no offer calls them in doubt)")
    print(f"{'game':10} {'slips':10} {'logs':>5} {'conflict shown':>16} {'no conflict':>16} {'turn and lead':>16} {'kept':>12}")
    for game in given.games.split(","):
        for kind in KINDS:
            c = measure(game, kind, given.logs)
            kept = f"{c['kept']}/{c['provable']}"
            told = [f"{c[f'false {where}']} ({c[f'left {where}']})" for where in ("shown", "hidden", "turn")]
            print(f"{game:10} {kind:10} {c['logs']:5} {told[0]:>16} {told[1]:>16} {told[2]:>16} {kept:>12}", flush=True)


if __name__ == "__main__":
    main()
