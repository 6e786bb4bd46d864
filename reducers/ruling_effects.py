"""The effects of rulings and prescribed penalties on the record of a hand and on its score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.model import Facts
from reducers.model import State
from reducers.scoring import HandScore, Points, ScoreLine, plus, signed
from reducers.terms import Terms, side_named


def changes_the_record(facts: Facts) -> bool:
    """True if a ruling transfers part of the hand's record, and not only points."""
    return bool(set(facts) - {"points", "hand", "match", "rule"})


def hand_over(decided: Sequence[Facts], state: State[Any]) -> list[str]:
    """Apply decisions to the record of a hand; return sentences that say why something had no effect."""
    said: list[str] = []
    for facts in decided:
        named = {
            k: side_named(v, state.terms) if isinstance(v, str) and k not in ("hand", "match") else v
            for k, v in facts.items()
        }
        state.transfers.append(named)
        said += state.game.judging.transfer(state, named)
    return said


def apply_rulings(score: HandScore, decided: Sequence[tuple[str, Facts]], terms: Terms) -> HandScore:
    """The score of a hand with rulings applied; each is a pair of the ruling's word and its facts."""
    if score.source == "void":
        return score
    if any(word == "void" for word, _ in decided):
        points: Points = dict.fromkeys(score.points, 0)
        return HandScore(
            score.number, score.dealer, "void", score.contract, "void", points=points, notes=("void by ruling",),
        )
    lines, points = list(score.lines), dict(score.points)
    for _, facts in decided:
        side = side_named(facts.get("hand"), terms) if "hand" in facts else ""
        if side in points:
            # Every line of the side is set to 0, so that any way of adding up agrees.
            lines = [
                replace(line, amounts={**line.amounts, side: 0}) if side in line.amounts else line for line in lines
            ]
            points[side] = 0
        deltas = facts.get("points")
        if isinstance(deltas, dict):
            change: Points = dict.fromkeys(points, 0)
            for who, n in deltas.items():
                name = who if who in points else side_named(who, terms)
                if name in change and isinstance(n, int):
                    change[name] = plus(change[name], n)
            points = {who: plus(n, change[who]) for who, n in points.items()}
            lines.append(ScoreLine("ruling", change, {who: signed(n) for who, n in change.items() if n}, "above"))
    return replace(score, lines=tuple(lines), points=points)
