"""Malformed logs, and what the judge and the score say about them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from events.model import Recorded, Tally
from reducers.registry import find_game
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.three_ways import score_match

FACTS: tuple[Any, ...] = (
    0, 1, 2, 7, 21, 52, -3, 1000, True, False, None, "", "A", "N", "NS", "P", "nt", "h", "yes", "void", "two",
    ["A"], ["N", "N"], ["A", 3], {"A": 1}, {"NS": "x"},
)  # fmt: skip


def odd(log: list[Recorded], rng: Random) -> Iterator[list[Recorded]]:
    """A log, and malformed versions of it."""
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
    """Facts of a tally of this game, with arbitrary values."""
    state = judge(log[:1]).state
    keys = list(find_game(state.game.key).tally.facts)
    facts: dict[str, Any] = {}
    for key in rng.sample(keys, min(len(keys), rng.randrange(1, 6))):
        *path, last = key.replace(
            "*", rng.choice((*state.terms.seats, *state.terms.sides)),
        ).replace("#", str(rng.randrange(4))).split(".")
        at = facts
        for name in path:
            at = at[name] if isinstance(at.get(name), dict) else at.setdefault(
                name + "" if name not in at else f"{name}_", {},
            )
        at[last] = rng.choice(FACTS)
    return Tally(by="@", facts=facts)


def said_of(log: list[Recorded]) -> str:
    """The number of findings of a log, and a fingerprint of its findings and score."""
    judgement, score = judge(log), score_match(log)
    found = [(f.at.pos, f.rule, str(f.verdict), f.text, f.cards, f.evidence) for f in judgement.findings]
    return f"{len(found)} findings {hashlib.sha256(repr((found, score)).encode()).hexdigest()[:16]}"
