"""Results as lines of plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from replay.languages.translate import in_language, one_of_them, t

if TYPE_CHECKING:
    from reducers.model import Game
    from replay.scoring.score_shapes import MatchScore, MatchWay, ScoredHand, Way


def aligned_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as aligned columns.

    >>> list(aligned_columns([("a", "bb"), ("ccc", "d")]))
    ['a    bb', 'ccc  d']
    """
    from replay.plain_text import one_plain_line, text_columns

    cleaned = [[one_plain_line(cell) for cell in row] for row in rows]
    widths = [max(text_columns(row[i]) for row in cleaned) for i in range(len(cleaned[0]))] if cleaned else []
    for row in cleaned:
        yield "  ".join(cell + " " * (w - text_columns(cell)) for cell, w in zip(row, widths, strict=True)).rstrip()


def score_lines(score: MatchScore) -> Iterator[str]:
    """The score of a match, with player names: a paragraph for each hand, then the totals."""
    from reducers.registry import find_game
    from replay.plain_text import one_plain_line, player_names

    game = find_game(score.game)
    called = player_names(score.sides, score.names)
    hands = [hand for hand in score.hands if hand.source != "nothing" or hand.contract]
    lines = [line for hand in hands for line in _hand_lines(hand, called, game)]
    yield from map(one_plain_line, (*lines, *_match_lines(score, called)))


def _hand_lines(hand: ScoredHand, called: Mapping[str, str], game: Game) -> Iterator[str]:
    """One hand: its result, the sums if it is complete, and the notes about it."""
    from replay.paper.sheet import doubts
    from replay.plain_text import with_player_names

    def said(text: str) -> str:
        return with_player_names(in_language(text, game.key), called)

    result = f"{said(hand.contract)} {said(hand.result)}".strip()
    if not hand.done:
        result = t("{what}, in play", what=result) if result else t("in play")
    dealer = called.get(hand.dealer, hand.dealer)
    head = t("hand {n}, dealt by {who}", n=hand.number, who=dealer) if game.has_cards else t("hand {n}", n=hand.number)
    yield f"{head}: {result}" if result else head
    if hand.done:
        yield from _sum_lines(hand, called, game)
    yield from (f"  {said(note)}" for note in hand.notes)
    yield from (f"  {t('not known: {what}', what=said(text))}" for text in hand.unknown)
    yield from (
        f"  {line}"
        for line in (*(said(text) for text in doubts(hand)), *ways_lines(hand.ways, called))
    )
    yield from (f"  {t('claim'):<7}  {said(claim.text)}" for claim in hand.claims)


def _sum_lines(hand: ScoredHand, called: Mapping[str, str], game: Game) -> Iterator[str]:
    """How the points of a hand add up, and the totals after it."""
    from reducers.scoring import figure, signed
    from replay.plain_text import text_columns
    from replay.scoring.outcomes import figures_span

    whose = {who: called.get(who, who) for part in hand.components for who in part.amounts}
    whose |= {who: called.get(who, who) for who in hand.points}
    # Seat letters leave a gap anyway. Names need one more space.
    wide = max((4, *(text_columns(name) + 1 for name in whose.values() if text_columns(name) > 2)))

    heads = [in_language(part.label, game.key) for part in hand.components]
    labels = max((8, *map(text_columns, heads)))

    def line(label: str, who: str, text: str) -> str:
        return (
            f"  {label}{' ' * (labels - text_columns(label))} "
            f"{whose[who]}{' ' * (wide - text_columns(whose[who]))} {text}"
        )

    for head, part in zip(heads, hand.components, strict=True):
        for who, amount in part.amounts.items():
            yield line(head, who, counted(in_language(part.sums.get(who, ""), game.key), figure(amount)))
    for who, points in hand.points.items():
        gains, total = hand.possible.get(who), hand.possible_totals.get(who)
        gained = f"{figures_span(gains)}" if gains else signed(points)
        yield line(t("total"), who, f"{gained} → {figures_span(total) if total else figure(hand.totals.get(who))}")


def counted(arithmetic: str, amount: str) -> str:
    """The arithmetic of a line of the score, and what it counts unless that is its last figure.

    >>> counted("7 tricks + 5 = 12", "12"), counted("21", "1"), counted("made: +9", "9"), counted("", "3")
    ('7 tricks + 5 = 12', '21, counts 1', 'made: +9', '3')
    """
    last = re.findall(r"−?[0-9]+(?![0-9♠♥♦♣])", arithmetic)[-1:]
    if not arithmetic:
        return amount
    return arithmetic if last == [amount] else t("{sum}, counts {n}", sum=arithmetic, n=amount)


def _match_lines(score: MatchScore, called: Mapping[str, str]) -> Iterator[str]:
    """The totals of the match and its winner: the official ones, with those as played beside them."""
    from events.unread_lines import unread_summary
    from replay.plain_text import with_player_names
    from replay.scoring.three_ways import score_as_ruled

    yield from _result_lines(score_as_ruled(score), called)
    yield from ways_lines(score.ways, called)
    if score.slip is not None:
        yield with_player_names(score.slip.text, called)
    for text in score.older:
        yield t("judged under older rules: {what}", what=with_player_names(text, called))
    if score.unread:
        yield in_language(unread_summary(score.unread))


def _result_lines(score: MatchScore, called: Mapping[str, str]) -> Iterator[str]:
    from reducers.scoring import figure
    from replay.paper.sheet import without_one_winner
    from replay.scoring.outcomes import figures_span

    def ruled(text: str) -> str:
        return t("{what}, as ruled", what=text) if score.official == "ruled" else text

    totals = ", ".join(
        f"{called.get(who, who)} {figures_span(score.possible[who]) if who in score.possible else figure(total)}"
        for who, total in score.totals.items()
    )
    yield ruled(t("score: {scores}", scores=totals)) if totals else t("score: nothing yet")
    if score.winner:
        who = called.get(score.winner, score.winner)
        yield ruled(
            t("{who} won the match, whatever the score was", who=who) if score.possible
            else t("{who} won the match", who=who)
        )
    elif score.winners:
        who = one_of_them(called.get(who, who) if who else t("nobody yet") for who in score.winners)
        yield t("won by {who}", who=who)
    elif score.over or score.ended:
        yield in_language(without_one_winner(score, called)) or t("the match ended without a winner")


def ways_lines(ways: Mapping[str, Way | MatchWay], called: Mapping[str, str]) -> Iterator[str]:
    """The three ways of scoring side by side, and why they differ. Empty if there is only one."""
    from replay.paper.sheet import WAYS, differ, way_figures
    from replay.plain_text import with_player_names

    if len(ways) < 2:
        return
    winners = [getattr(way, "winner", "") for way in ways.values()]
    if differ(ways) or len(set(winners)) > 1:
        rows = [("", *(t(WAYS[name]) for name in ways))]
        rows += [
            (called.get(who, who), *(way_figures(way, who) for way in ways.values())) for who in ways["played"].totals
        ]
        if len(set(winners)) > 1:
            rows.append((t("winner"), *(called.get(who, who) or "–" for who in winners)))
        yield from aligned_columns(rows)
    for name, way in ways.items():
        yield from (f"{t(WAYS[name])}: {with_player_names(text, called)}" for text in getattr(way, "why", ()))
