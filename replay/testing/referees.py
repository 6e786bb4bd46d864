"""Comparison of games with their referees, at every number of seats and with every option (tests/tables.py): the result
of a whole match, and the first breach in a record.

A quick run plays a hand at each table, and one with breaches; the soak plays whole matches until `HANDS` of both
have been compared there, and says how many (`-s`). What a game's own tests ask of its referee besides stands with
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from events.model import Hand, Recorded
from events.writing import write_event
from reducers.model import State
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import simulate, simulate_breaches
from replay.testing.declared import BESIDE, COMPARED, ENDED, LINES, REFEREES, UNKNOWN_TO_THE_REFEREE
from replay.testing.sampling import Run, asked
from replay.testing.tables import Table, at, tables

Compare = Callable[[State[Any], Any], tuple[Any, Any]]
HANDS = 200
"""The number of hands without a breach, and with one, that the soak compares at each table."""
SOME = 20
"""The number of hands of a match that has no end."""
OFTEN = (0.06, 0.03, 0.15)
"""The shares of breaches among the acts, for one record after another: with few of them, what follows in the hand is
compared, too."""


def points(state: State[Any], second: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What each hand brings, by the page and by the referee."""
    return [dict(score.points) for score in state.scores], second.hands


def winner(state: State[Any], second: Any) -> tuple[Any, Any]:
    """Who has won the match."""
    return state.standing.winner, second.winner()


def lines_of(records: list[Recorded]) -> list[str]:
    """A record as the referee reads it."""
    lines = [write_event(r.event) for r in records[1:]]
    return [LINES[game](line) for line in lines] if (
        game := str(getattr(records[0].event, "facts", {})["Game"])
    ) in LINES else lines


def hands_until(records: list[Recorded], breach: int) -> int:
    """The number of hands that were compared, if nothing after this breach is."""
    return sum(isinstance(r.event, Hand) and (not breach or r.n <= breach) for r in records)


def tables_with_a_referee() -> list[str]:
    """The tables of these games that a referee knows."""
    return [
        table.name for game in asked() if game in REFEREES for table in tables(game)
        if table.name not in UNKNOWN_TO_THE_REFEREE
    ]


def legal_hands(table: Table, seed: int, most: int | None = None) -> int:
    """Compare a match of this seed, or its first hands. Returns the number of hands."""
    endless = table.options.get("hands") == 0
    records = simulate(table.game, seed=seed, hands=most or (SOME if endless else None), **table.terms)
    state, second = fold(records), REFEREES[table.game](table)
    assert second.read(lines_of(records)) == 0, seed
    hands: Compare = COMPARED.get(table.game, points)
    end: Compare = ENDED.get(table.game, winner)
    ours, theirs = hands(state, second)
    assert ours == theirs, seed
    ours, theirs = end(state, second) if most is None else ("", "")
    assert ours == theirs, seed
    return hands_until(records, 0)


def hands_with_breaches(table: Table, seed: int, most: int | None = 2) -> int:
    """Compare the first breach in a record of this seed. Returns the number of hands up to it."""
    records, _ = simulate_breaches(table.game, seed=seed, p=OFTEN[seed % len(OFTEN)], hands=most, **table.terms)
    lines = lines_of(records)
    broken = [f.at.pos for f in judge(records).broken]
    if (said := BESIDE.get(table.game)) is not None:
        judged = said(lines, broken)
        if judged is None:
            return 0
        broken = judged
    first = min(broken, default=0)
    assert REFEREES[table.game](table).read(lines) == first, seed
    return hands_until(records, first)


@pytest.mark.parametrize("name", tables_with_a_referee())
def test_the_referee_agrees_at_every_table(name: str) -> None:
    """A hand, and one with breaches, at each."""
    assert legal_hands(at(name), 0, 1) == 1
    hands_with_breaches(at(name), 0, 1)


if not Run.quick:

    @pytest.mark.slow
    @pytest.mark.parametrize("compared", [legal_hands, hands_with_breaches])
    @pytest.mark.parametrize("name", tables_with_a_referee())
    def test_the_referee_agrees_about_many_hands(name: str, compared: Callable[[Table, int], int]) -> None:
        """If this failed, one of the two would have read the text wrong."""
        hands = records = 0
        while hands < HANDS:
            hands += compared(at(name), records)
            records += 1
            assert records < 3 * HANDS, "hardly any of these records can be compared"
        print(f"\n{name}: {hands} {compared.__name__.replace('_', ' ')}, {records} records")
