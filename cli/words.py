"""How results are put into lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.score import MatchScore, MatchWay, Way


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
    from replay.possible import span
    from replay.render import clean
    from replay.sheet import doubts

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
                gains, total = hand.possible.get(who), hand.possible_totals.get(who)
                yield clean(
                    f"  {'total':<8} {who:<4} {f'{span(gains)}' if gains else signed(points)} → "
                    f"{span(total) if total else figure(hand.totals.get(who))}"
                )
        for note in (*hand.notes, *(f"not known: {text}" for text in hand.unknown)):
            yield clean(f"  {note}")
        for line in doubts(hand):
            yield clean(f"  {line}")
        for line in ways_lines(hand.ways):
            yield clean(f"  {line}")
        for claim in hand.claims:
            yield clean(f"  claim    {claim.text}")
    totals = ", ".join(
        f"{called(who)} {span(score.possible[who]) if who in score.possible else figure(total)}" for who, total in score.totals.items()
    )
    yield clean(f"score: {totals}" if totals else "score: nothing yet")
    if score.winner:
        yield clean(f"{called(score.winner)} won the match" + (", whatever it was" if score.possible else ""))
    elif score.winners:
        yield clean(f"won by {' or '.join(called(who) if who else 'nobody yet' for who in score.winners)}")
    elif score.over or score.ended:
        yield "the match ended without a winner"
    for line in ways_lines(score.ways):
        yield clean(line)
    if score.slip is not None:
        yield clean(score.slip.text)


def ways_lines(ways: Mapping[str, Way | MatchWay]) -> Iterator[str]:
    """The three ways side by side, and why they differ; nothing where there is one."""
    from replay.sheet import WAYS, differ, way_figures

    if len(ways) < 2:
        return
    winners = [getattr(way, "winner", "") for way in ways.values()]
    if differ(ways) or len(set(winners)) > 1:
        rows = [("", *(WAYS[name] for name in ways))]
        rows += [(who, *(way_figures(way, who) for way in ways.values())) for who in ways["played"].totals]
        if len(set(winners)) > 1:
            rows.append(("winner", *(who or "–" for who in winners)))
        yield from columns(rows)
    for name, way in ways.items():
        yield from (f"{WAYS[name]}: {text}" for text in getattr(way, "why", ()))
