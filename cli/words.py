"""How results are put into lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.score import MatchScore


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as aligned columns.

    >>> list(columns([("a", "bb"), ("ccc", "d")]))
    ['a    bb', 'ccc  d']
    """
    from replay.render import clean, width

    cleaned = [[clean(cell) for cell in row] for row in rows]
    widths = [max(width(row[i]) for row in cleaned) for i in range(len(cleaned[0]))] if cleaned else []
    for row in cleaned:
        yield "  ".join(cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=True)).rstrip()


def score_lines(score: MatchScore) -> Iterator[str]:
    """The score of a match: a paragraph a hand, then the totals."""
    from reducers.scoring import figure, signed
    from replay.render import clean

    def called(who: str) -> str:
        members = score.sides.get(who, ())
        named = [score.names[s] for s in members if s in score.names]
        return score.names.get(who) or (" & ".join(named) if len(named) == len(members) and named else who)

    for hand in score.hands:
        if hand.source == "nothing" and not hand.contract:
            continue
        result = f"{hand.contract} {hand.result}".strip()
        if not hand.done:
            result = f"{result}, in play".lstrip(", ")
        yield clean(f"hand {hand.number}, dealt by {hand.dealer}" + (f": {result}" if result else ""))
        if hand.done:
            for part in hand.components:
                for who, amount in part.amounts.items():
                    sums = part.sums.get(who, figure(amount))
                    yield clean(f"  {part.label:<8} {who:<4} {sums}")
            for who, points in hand.points.items():
                yield clean(f"  {'total':<8} {who:<4} {signed(points)} → {figure(hand.totals.get(who))}")
        for note in (*hand.notes, *(f"not known: {text}" for text in hand.unknown)):
            yield clean(f"  {note}")
        for claim in hand.claims:
            yield clean(f"  claim    {claim.text}")
    totals = ", ".join(f"{called(who)} {figure(total)}" for who, total in score.totals.items())
    yield clean(f"score: {totals}" if totals else "score: nothing yet")
    if score.winner:
        yield clean(f"{called(score.winner)} won the match")
    elif score.over or score.ended:
        yield "the match ended without a winner"
    if score.slip is not None:
        yield clean(score.slip.text)
