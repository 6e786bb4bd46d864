"""Prints what the judge and the score say of odd logs, a line each: two builds of the same sources must print the same.

`python alike.py SEEDS WAYS [GAME ...]`: for each of these games, or of all, whole hands with broken rules, cut anywhere, with lines lost and swapped, with hands
nobody saw, and with tallies whose facts are anything that can be written. Of these each game and seed draws so many WAYS.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from events.model import Recorded, Tally
from reducers.registry import PAGES, find_game
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.simulate import simulate_breaches

FACTS: tuple[Any, ...] = (0, 1, 2, 7, 21, 52, -3, 1000, True, False, None, "", "A", "N", "NS", "P", "nt", "h", "yes", "void", "two",
                          ["A"], ["N", "N"], ["A", 3], {"A": 1}, {"NS": "x"})  # fmt: skip


def odd(log: list[Recorded], rng: Random) -> Iterator[list[Recorded]]:
    """A log as it was, and in ways in which it should not have been written."""
    yield log
    yield hide(log)
    cut = rng.randrange(2, len(log) + 1)
    lost = [r for i, r in enumerate(log[:cut]) if not i or rng.random() > 0.05]
    if len(lost) > 3:
        i = rng.randrange(1, len(lost) - 1)
        lost[i], lost[i + 1] = replace(lost[i + 1], n=lost[i].n), replace(lost[i], n=lost[i + 1].n)
    yield [replace(r, n=n) for n, r in enumerate(lost)]
    told = [*hide(log)[:cut], *(replace(log[0], n=0, event=tally(log, rng)) for _ in range(rng.randrange(1, 3)))]
    yield [replace(r, n=n) for n, r in enumerate(told)]
    yield [replace(r, n=n) for n, r in enumerate([log[0], replace(log[0], event=tally(log, rng)), *told[cut:]])]


def tally(log: list[Recorded], rng: Random) -> Tally:
    """Facts of a tally of this game, each with anything as its value."""
    state = judge(log[:1]).state
    keys = list(find_game(state.game.key).tally.facts)
    facts: dict[str, Any] = {}
    for key in rng.sample(keys, min(len(keys), rng.randrange(1, 6))):
        *path, last = key.replace("*", rng.choice((*state.terms.seats, *state.terms.sides))).replace("#", str(rng.randrange(4))).split(".")
        at = facts
        for name in path:
            at = at[name] if isinstance(at.get(name), dict) else at.setdefault(name + "" if name not in at else f"{name}_", {})
        at[last] = rng.choice(FACTS)
    return Tally(by="@", facts=facts)


def said_of(log: list[Recorded]) -> str:
    """What is said of a log, told apart from anything else that could be said."""
    judgement, score = judge(log), score_match(log)
    found = [(f.at.pos, f.rule, str(f.verdict), f.text, f.cards, f.evidence) for f in judgement.findings]
    return f"{len(found)} findings {hashlib.sha256(repr((found, score)).encode()).hexdigest()[:16]}"


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
