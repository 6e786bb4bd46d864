"""The games of tricks beside their referees, at every number of seats and with every option (tests/tables.py): what a record of a whole
match comes to, and where a record was against the rules for the first time.

A quick run plays a hand at each table, and one with breaches; the soak plays whole matches until `HANDS` of both have been compared
there, and says how many (`-s`). What a game's own tests ask of its referee besides stands with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest
from sampling import Run, module_of
from tables import Table, at, tables

from events.model import Bid, Hand, Recorded
from events.writing import write_event
from reducers.model import State
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import simulate, simulate_breaches

HANDS = 200
"""So many hands without a breach, and so many with, are compared at each table by the soak."""

REFEREED = (
    "calabrasella", "couillon", "court-piece", "dingo", "ecarte", "envite", "funfzehnern", "hasenpfeffer", "malilla", "myllymatti", "omi",
    "pluck", "poke", "scotch-whist", "tresette", "turnover-bridge", "tute",
)  # fmt: skip
UNKNOWN_TO_THE_REFEREE: Mapping[str, str] = {
    "myllymatti-draw_order=free": "the text has an order, from which the table has agreed to depart",
    "myllymatti-sequences=yes": "no text says what a sequence would be",
}
"""Tables that were agreed beside the text: their referee, which was written from that alone, has nothing to say about them."""

# -- the referee of a table ---------------------------------------------------------------------------------------------

WORDS: Mapping[tuple[str, str], Callable[[Any], dict[str, Any]]] = {
    ("couillon", "deck"): lambda deck: {"deck": int(deck)},
    ("ecarte", "king_until"): lambda until: {"king_announcement_deadline": "first_lead" if until == "lead" else "own_first_card"},
    ("myllymatti", "next_deal"): lambda whose: {"next_dealer": whose},
    ("pluck", "pluck_order"): lambda order: {"pluck_order": "quota" if order == "higher_quota" else order},
}
"""An option that the referee calls otherwise than the page."""
USUAL: Mapping[str, dict[str, Any]] = {"calabrasella": {"hands": 12}, "myllymatti": {"games": 3}}
"""What is usual on the page, and not for the referee, because the text leaves it to the players."""


def referee(table: Table) -> Any:
    """The referee of a game, with these seats and options."""
    options = dict(USUAL.get(table.game, {}))
    for name, value in table.options.items():
        options |= WORDS.get((table.game, name), lambda value, name=name: {name: value})(value)
    return import_module(f"referees.{module_of(table.game)}").Referee(list(table.seats), **options)


# -- what both come to --------------------------------------------------------------------------------------------------


def points(state: State[Any], second: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What each hand brings, by the page and by the referee."""
    return [dict(score.points) for score in state.scores], second.hands


def points_that_count(state: State[Any], second: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The same, if the referee leaves out what did not count."""
    return [dict(score.points) for score in state.scores if score.source != "void"], second.hands


def line_of(label: str) -> Callable[[State[Any], Any], tuple[Any, Any]]:
    """What stands in this line of each score, and in the referee's hands; besides, who has won them."""

    def both(state: State[Any], second: Any) -> tuple[Any, Any]:
        lines = [next((dict(line.amounts) for line in score.lines if label in ("", line.label)), {}) for score in state.scores]
        won = [next((who for who, n in score.points.items() if n), "") for score in state.scores]
        return (lines, won), (second.hands, second.winners)

    return both


def strokes(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What the cards counted, who erased a line with them, and how many are left."""
    won = ["" if s.result == "tie" else next(who for who, n in s.points.items() if (n or 0) < 0) for s in state.scores]
    return ([dict(s.lines[0].amounts) for s in state.scores], won, dict(state.standing.totals)), (second.hands, second.winners, second.strokes)


def rubber(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What each hand brings below the line and above it."""
    below = [{who: line.amounts[who] for who in state.terms.sides} for s in state.scores for line in s.lines if line.column == "below"]
    above = [{who: one[who] + more[who] for who in one} for one, more in zip(second.above, second.bonuses, strict=True)]
    return (below, points(state, second)[0]), (second.hands, above)


COMPARED: Mapping[str, Callable[[State[Any], Any], tuple[Any, Any]]] = {
    "couillon": strokes, "myllymatti": points_that_count, "poke": rubber, "turnover-bridge": line_of(""), "tute": line_of("in all"),
}  # fmt: skip


def winner(table: Table, state: State[Any], second: Any) -> tuple[str, str]:
    """Who has won the match, by both. How several games make a match of Dingo or Myllymatti the text does not say."""
    games = state.terms.options.games if table.game in ("dingo", "myllymatti") else 1
    return (state.standing.winner, second.winner()) if games == 1 and table.game != "myllymatti" else ("", "")


def lines_of(records: list[Recorded]) -> list[str]:
    """A record as the referee reads it."""
    return [write_event(r.event) for r in records[1:]]


def hands_until(records: list[Recorded], breach: int) -> int:
    """How many hands of a record were compared, if nothing is asked of what comes after this breach."""
    return sum(isinstance(r.event, Hand) and (not breach or r.n <= breach) for r in records)


# -- the comparison -----------------------------------------------------------------------------------------------------


def tables_with_a_referee() -> list[str]:
    """The tables of these games that a referee knows."""
    return [table.name for game in REFEREED for table in tables(game) if table.name not in UNKNOWN_TO_THE_REFEREE]


def legal_hands(table: Table, seed: int, most: int | None = None) -> int:
    """Compare a match of this seed, or the first hands of it; how many hands that were."""
    records = simulate(table.game, seed=seed, hands=most, **table.terms)
    state, second = fold(records), referee(table)
    assert second.read(lines_of(records)) == 0, seed
    ours, theirs = COMPARED.get(table.game, points)(state, second)
    assert ours == theirs, seed
    ours, theirs = winner(table, state, second) if most is None else ("", "")
    assert ours == theirs, seed
    return hands_until(records, 0)


def hands_with_breaches(table: Table, seed: int, most: int | None = 2) -> int:
    """Compare where a record of this seed is against the rules for the first time; how many hands it had until then."""
    records, _ = simulate_breaches(table.game, seed=seed, p=0.06, hands=most, **table.terms)
    if table.game == "calabrasella" and any(isinstance(r.event, Bid) and r.event.strain != "play" for r in records):
        # To its referee every bid is one to play.
        return 0
    lines = lines_of(records)
    broken = [f.at.pos for f in judge(records).broken]
    if table.game == "myllymatti":
        # Its referee knows no trumps that are named.
        broken = [pos for pos in broken if " name " not in lines[pos - 1]]
    first = min(broken, default=0)
    assert referee(table).read(lines) == first, seed
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


def test_what_a_referee_does_not_know_is_a_table() -> None:
    """If this failed, a table would be left out for nothing."""
    known = {table.name for game in REFEREED for table in tables(game)}
    assert set(UNKNOWN_TO_THE_REFEREE) <= known
