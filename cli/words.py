"""How results are put into lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.scoring.results import MatchScore, MatchWay, ScoredHand, Way


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as aligned columns.

    >>> list(columns([("a", "bb"), ("ccc", "d")]))
    ['a    bb', 'ccc  d']
    """
    from replay.plain_text import clean, width

    cleaned = [[clean(cell) for cell in row] for row in rows]
    widths = [max(width(row[i]) for row in cleaned) for i in range(len(cleaned[0]))] if cleaned else []
    for row in cleaned:
        yield "  ".join(cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=True)).rstrip()


def score_lines(score: MatchScore) -> Iterator[str]:
    """The score of a match: a paragraph for each hand, then the totals."""
    from reducers.registry import find
    from replay.plain_text import clean

    dealt = find(score.game).has_cards
    lines = [line for hand in score.hands if hand.source != "nothing" or hand.contract for line in _hand_lines(hand, dealt)]
    yield from map(clean, (*lines, *_match_lines(score)))


def _hand_lines(hand: ScoredHand, dealt: bool) -> Iterator[str]:
    """One hand: its result, the sums if it is done, and what there is to say about it."""
    from replay.paper.sheet import doubts

    result = f"{hand.contract} {hand.result}".strip()
    if not hand.done:
        result = f"{result}, in play".lstrip(", ")
    yield f"hand {hand.number}" + (f", dealt by {hand.dealer}" if dealt else "") + (f": {result}" if result else "")
    if hand.done:
        yield from _sum_lines(hand)
    yield from (f"  {note}" for note in (*hand.notes, *(f"not known: {text}" for text in hand.unknown)))
    yield from (f"  {line}" for line in (*doubts(hand), *ways_lines(hand.ways)))
    yield from (f"  claim    {claim.text}" for claim in hand.claims)


def _sum_lines(hand: ScoredHand) -> Iterator[str]:
    """How the points of a hand were added, and the totals after it."""
    from reducers.scoring import figure, signed
    from replay.scoring.outcomes import span

    for part in hand.components:
        for who, amount in part.amounts.items():
            yield f"  {part.label:<8} {who:<4} {part.sums.get(who, figure(amount))}"
    for who, points in hand.points.items():
        gains, total = hand.possible.get(who), hand.possible_totals.get(who)
        gained = f"{span(gains)}" if gains else signed(points)
        yield f"  {'total':<8} {who:<4} {gained} → {span(total) if total else figure(hand.totals.get(who))}"


def _match_lines(score: MatchScore) -> Iterator[str]:
    """The totals of the match, and who won it."""
    from reducers.scoring import figure
    from replay.scoring.outcomes import span

    totals = ", ".join(
        f"{_called(score, who)} {span(score.possible[who]) if who in score.possible else figure(total)}"
        for who, total in score.totals.items()
    )
    yield f"score: {totals}" if totals else "score: nothing yet"
    if score.winner:
        yield f"{_called(score, score.winner)} won the match" + (", whatever the score was" if score.possible else "")
    elif score.winners:
        yield f"won by {' or '.join(_called(score, who) if who else 'nobody yet' for who in score.winners)}"
    elif score.over or score.ended:
        yield "the match ended without a winner"
    yield from ways_lines(score.ways)
    if score.slip is not None:
        yield score.slip.text


def _called(score: MatchScore, who: str) -> str:
    """A seat or side by the names of its players, as far as they are known."""
    members = score.sides.get(who, ())
    named = [score.names[s] for s in members if s in score.names]
    return score.names.get(who) or (" & ".join(named) if len(named) == len(members) and named else who)


def ways_lines(ways: Mapping[str, Way | MatchWay]) -> Iterator[str]:
    """The three ways side by side, and why they differ; nothing if there is only one."""
    from replay.paper.sheet import WAYS, differ, way_figures

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
