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
    """The score of a match, with players by their names: a paragraph for each hand, then the totals."""
    from reducers.registry import find
    from replay.plain_text import clean, players

    dealt = find(score.game).has_cards
    called = players(score.sides, score.names)
    hands = [hand for hand in score.hands if hand.source != "nothing" or hand.contract]
    lines = [line for hand in hands for line in _hand_lines(hand, called, dealt)]
    yield from map(clean, (*lines, *_match_lines(score, called)))


def _hand_lines(hand: ScoredHand, called: Mapping[str, str], dealt: bool) -> Iterator[str]:
    """One hand: its result, the sums if it is done, and what there is to say about it."""
    from replay.paper.sheet import doubts
    from replay.plain_text import named

    result = f"{named(hand.contract, called)} {named(hand.result, called)}".strip()
    if not hand.done:
        result = f"{result}, in play".lstrip(", ")
    who = f", dealt by {called.get(hand.dealer, hand.dealer)}" if dealt else ""
    yield f"hand {hand.number}{who}" + (f": {result}" if result else "")
    if hand.done:
        yield from _sum_lines(hand, called)
    yield from (f"  {named(note, called)}" for note in (*hand.notes, *(f"not known: {text}" for text in hand.unknown)))
    yield from (f"  {line}" for line in (*(named(text, called) for text in doubts(hand)), *ways_lines(hand.ways, called)))
    yield from (f"  claim    {named(claim.text, called)}" for claim in hand.claims)


def _sum_lines(hand: ScoredHand, called: Mapping[str, str]) -> Iterator[str]:
    """How the points of a hand were added, and the totals after it."""
    from reducers.scoring import figure, signed
    from replay.plain_text import width
    from replay.scoring.outcomes import span

    whose = {who: called.get(who, who) for part in hand.components for who in part.amounts}
    whose |= {who: called.get(who, who) for who in hand.points}
    # A letter or two leave a gap anyway; names need one more space.
    wide = max((4, *(width(name) + 1 for name in whose.values() if width(name) > 2)))

    labels = max((8, *(width(part.label) for part in hand.components)))

    def line(label: str, who: str, text: str) -> str:
        return f"  {label}{' ' * (labels - width(label))} {whose[who]}{' ' * (wide - width(whose[who]))} {text}"

    for part in hand.components:
        for who, amount in part.amounts.items():
            yield line(part.label, who, part.sums.get(who, figure(amount)))
    for who, points in hand.points.items():
        gains, total = hand.possible.get(who), hand.possible_totals.get(who)
        gained = f"{span(gains)}" if gains else signed(points)
        yield line("total", who, f"{gained} → {span(total) if total else figure(hand.totals.get(who))}")


def _match_lines(score: MatchScore, called: Mapping[str, str]) -> Iterator[str]:
    """The totals of the match, and who won it: those that count, with those as played beside them."""
    from events.unread import summary
    from replay.plain_text import named
    from replay.scoring.three_ways import as_ruled

    yield from _result_lines(as_ruled(score), called)
    yield from ways_lines(score.ways, called)
    if score.slip is not None:
        yield named(score.slip.text, called)
    yield from (f"judged under older rules: {named(text, called)}" for text in score.older)
    if score.unread:
        yield summary(score.unread)


def _result_lines(score: MatchScore, called: Mapping[str, str]) -> Iterator[str]:
    from reducers.scoring import figure
    from replay.paper.sheet import without_one_winner
    from replay.scoring.outcomes import span

    ruled = ", as ruled" if score.official == "ruled" else ""
    totals = ", ".join(
        f"{called.get(who, who)} {span(score.possible[who]) if who in score.possible else figure(total)}"
        for who, total in score.totals.items()
    )
    yield f"score: {totals}{ruled}" if totals else "score: nothing yet"
    if score.winner:
        yield f"{called.get(score.winner, score.winner)} won the match" + (", whatever the score was" if score.possible else "") + ruled
    elif score.winners:
        yield f"won by {' or '.join(called.get(who, who) if who else 'nobody yet' for who in score.winners)}"
    elif score.over or score.ended:
        yield without_one_winner(score, called) or "the match ended without a winner"


def ways_lines(ways: Mapping[str, Way | MatchWay], called: Mapping[str, str]) -> Iterator[str]:
    """The three ways side by side, and why they differ; nothing if there is only one."""
    from replay.paper.sheet import WAYS, differ, way_figures
    from replay.plain_text import named

    if len(ways) < 2:
        return
    winners = [getattr(way, "winner", "") for way in ways.values()]
    if differ(ways) or len(set(winners)) > 1:
        rows = [("", *(WAYS[name] for name in ways))]
        rows += [(called.get(who, who), *(way_figures(way, who) for way in ways.values())) for who in ways["played"].totals]
        if len(set(winners)) > 1:
            rows.append(("winner", *(called.get(who, who) or "–" for who in winners)))
        yield from columns(rows)
    for name, way in ways.items():
        yield from (f"{WAYS[name]}: {named(text, called)}" for text in getattr(way, "why", ()))
