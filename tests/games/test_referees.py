"""Games beside their referees (replay/testing/referees.py): how each referee is asked, and what it says besides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from random import Random
from typing import Any

import pytest
from given import log
from sampling import module_of, seeds
from tables import Table, at, tables

from events.writing import write_event
from reducers.games.rumino import paid_in
from reducers.model import State
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import simulate
from replay.testing import adopt
from replay.testing.declared import BESIDE, COMPARED, ENDED, LINES, REFEREES, UNKNOWN_TO_THE_REFEREE

REFEREED = (
    "briscola", "calabrasella", "couillon", "court-piece", "dingo", "ecarte", "envite", "funfzehnern", "hasenpfeffer",
    "kowah", "machiavelli", "malilla", "myllymatti", "omi", "pay-me", "play-or-pay", "pluck", "poke", "put-and-take",
    "rumino", "scotch-whist", "seven-and-a-half", "stealing-bundles", "tresette", "turnover-bridge", "tute", "xeri",
    "zetema", "ziginette",
)  # fmt: skip
PAID_BESIDE = ("seven-and-a-half", "ziginette")
"""Games of which the acts do not say who pays whom; in others simulated players pay."""
UNKNOWN_TO_THE_REFEREE.update({
    "myllymatti-draw_order=free": "the text has an order, from which the table has agreed to depart",
    "myllymatti-sequences=yes": "no text says what a sequence would be",
})
"""Tables that were agreed beside the text: their referee, which was written from that alone, has nothing to say
about them."""
WORDS: Mapping[tuple[str, str], Callable[[Any], dict[str, Any]]] = {
    ("couillon", "deck"): lambda deck: {"deck": int(deck)},
    ("ecarte", "king_until"): lambda until: {
        "king_announcement_deadline": "first_lead" if until == "lead" else "own_first_card"
    },
    ("kowah", "checki_optional"): lambda optional: {"duty": not optional},
    ("kowah", "claim_pair"): lambda pair: {"any_pair": pair == "any"},
    ("kowah", "games"): lambda games: {"hands": games},
    ("myllymatti", "next_deal"): lambda whose: {"next_dealer": whose},
    ("pluck", "pluck_order"): lambda order: {"pluck_order": "quota" if order == "higher_quota" else order},
    ("seven-and-a-half", "max"): lambda high: {"high": high},
    ("seven-and-a-half", "min"): lambda low: {"low": low},
    ("ziginette", "max"): lambda high: {"high": high},
    ("ziginette", "min"): lambda low: {"low": low},
}
"""An option that the referee calls otherwise than the page."""
USUAL: Mapping[str, dict[str, Any]] = {
    "calabrasella": {"hands": 12}, "kowah": {"hands": 1, "shown_only": True}, "machiavelli": {"hands": 1},
    "myllymatti": {"games": 3}, "put-and-take": {"hands": 10}, "seven-and-a-half": {"hands": 24},
    "ziginette": {"hands": 24},
}  # fmt: skip
"""What is usual on the page, and not for the referee, because the text leaves it to the players."""


def referee(table: Table) -> Any:
    """The referee of a game, with these seats and options."""
    options = dict(USUAL.get(table.game, {}))
    for name, value in table.options.items():
        options |= WORDS.get((table.game, name), lambda value, name=name: {name: value})(value)
    return import_module(f"referees.{module_of(table.game)}").Referee(list(table.seats), **options)


def points_that_count(state: State[Any], second: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The same, if the referee leaves out what did not count."""
    return [dict(score.points) for score in state.scores if score.source != "void"], second.hands


def line_of(label: str) -> Callable[[State[Any], Any], tuple[Any, Any]]:
    """What stands in this line of each score, and in the referee's hands; besides, who has won them."""

    def both(state: State[Any], second: Any) -> tuple[Any, Any]:
        lines = [
            next((dict(line.amounts) for line in score.lines if label in ("", line.label)), {})
            for score in state.scores
        ]
        won = [next((who for who, n in score.points.items() if n), "") for score in state.scores]
        return (lines, won), (second.hands, second.winners)

    return both


def strokes(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What the cards counted, who erased a line with them, and how many are left."""
    won = ["" if s.result == "tie" else next(who for who, n in s.points.items() if (n or 0) < 0) for s in state.scores]
    return (
        [dict(s.lines[0].amounts) for s in state.scores], won, dict(state.standing.totals),
    ), (second.hands, second.winners, second.strokes)


def rubber(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What each hand brings below the line and above it."""
    below = [
        {who: line.amounts[who] for who in state.terms.sides} for s in state.scores for line in s.lines
        if line.column == "below"
    ]
    above = [{who: one[who] + more[who] for who in one} for one, more in zip(second.above, second.bonuses, strict=True)]
    return (below, [dict(score.points) for score in state.scores]), (second.hands, above)


def before_rebuys(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What each hand brings, without what somebody's score became who bought back in after it."""
    bought = [next((line.amounts for line in score.lines if line.label == "rebuy"), {}) for score in state.scores]
    return [
        {who: (n or 0) - (less.get(who) or 0) for who, n in s.points.items()}
        for s, less in zip(state.scores, bought, strict=True)
    ], second.hands


COMPARED.update({
    "couillon": strokes, "myllymatti": points_that_count, "poke": rubber, "rumino": before_rebuys,
    "turnover-bridge": line_of(""), "tute": line_of("in all"), "xeri": line_of("points"),
})  # fmt: skip


def of_one_game(state: State[Any], second: Any) -> tuple[Any, Any]:
    """The same; how several games make a match the text does not say."""
    return (state.standing.winner, second.winner()) if state.terms.options.games == 1 else ("", "")


def unsaid(state: State[Any], second: Any) -> tuple[Any, Any]:
    """Nothing: the text does not say what makes a match."""
    return "", ""


def totals(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What each has in the end, and whether that is the end: the text leaves to the players who has won then."""
    return (dict(state.standing.totals), bool(state.ended)), (second.totals(), second.over())


def totals_and_winner(state: State[Any], second: Any) -> tuple[Any, Any]:
    """What each has in the end, and who has won."""
    return (dict(state.standing.totals), state.standing.winner), (second.totals(), second.winner())


def totals_winner_and_pool(state: State[Any], second: Any) -> tuple[Any, Any]:
    """The same, and what was paid into the pool."""
    ours, theirs = totals_and_winner(state, second)
    return (*ours, sum(paid_in(state).values())), (*theirs, second.pool)


ENDED.update({
    "dingo": of_one_game, "myllymatti": unsaid, "rumino": totals_winner_and_pool, "stealing-bundles": totals_and_winner,
    "zetema": totals_and_winner,
    **dict.fromkeys(
        ("kowah", "machiavelli", "pay-me", "play-or-pay", "put-and-take", "seven-and-a-half", "ziginette"), totals,
    ),
})  # fmt: skip
"""What is asked of the end of a match beside who has won it."""


def those_named(lines: list[str], broken: list[int]) -> list[int]:
    """Its referee knows no trumps that are named."""
    return [pos for pos in broken if " name " not in lines[pos - 1]]


def with_bids_to_play(lines: list[str], broken: list[int]) -> list[int] | None:
    """To its referee every bid is one to play."""
    return None if any(" bid " in line and " bid play" not in line for line in lines) else broken


REFEREES.update(dict.fromkeys(REFEREED, referee))
BESIDE.update({"calabrasella": with_bids_to_play, "myllymatti": those_named})
# To its referee a rebuy is paid into the pot.
LINES["rumino"] = lambda line: re.sub(r"^([A-F]) bet ([0-9]+)$", r"\1 pay \2 >pot", line)
referees = import_module("replay.testing.referees")  # its tests are listed now, for these games
adopt(globals(), referees)


def payments(table: Table, seed: int) -> None:
    """Compare what is owed after each act of two hands: what the referee says is written as payments, one of them
    wrong in every second record. What is right neither finds wrong, and it comes to what each has won; what is wrong
    both find wrong."""
    random, second, lines, got = Random(f"{table.name}/{seed}"), referee(table), list[str](), Counter[str]()
    records = simulate(table.game, seed=seed, hands=2, **table.terms)
    for record in records[1:]:
        lines.append(write_event(record.event))
        assert second.read(lines[-1:]) == 0, lines
        for (payer, payee), amount in sorted(second.owed.items()):
            got.update({payer: -amount, payee: amount})
            # What goes to the house is no payment between seats.
            if not amount or payee not in table.seats:
                continue
            if seed % 2 == 1 and random.random() < 0.3:
                lines.append(f"{payer} pay {amount + random.choice((1, 2))} >{payee}")
                break
            lines.append(f"{payer} pay {amount} >{payee}")
            assert second.read(lines[-1:]) == 0, lines
        else:
            continue
        break
    else:
        won = [score.points for score in fold(records).scores]
        assert {seat: got[seat] for seat in table.seats} == {
            seat: sum(one[seat] or 0 for one in won) for seat in table.seats
        }
    options = {"option": dict(table.options)} if table.options else {}
    read = log(table.game, "\n".join(lines), Seats=" ".join(table.seats), **options)
    assert referee(table).read(lines) == min((f.at.pos for f in judge(read).broken), default=0), lines


@pytest.mark.parametrize("seed", seeds(2, 200))
@pytest.mark.parametrize("name", [table.name for game in PAID_BESIDE for table in tables(game)])
def test_the_referee_agrees_about_payments(name: str, seed: int) -> None:
    """If this failed, somebody would be told to pay what is not owed, or a wrong payment would pass."""
    payments(at(name), seed)


@pytest.mark.parametrize("game", REFEREED)
def test_the_referee_agrees_who_deals_after_a_hand_that_does_not_count(game: str) -> None:
    """In Seven and a Half whoever has the bank keeps it, for nobody had what takes it; in the other games anybody
    may deal."""
    table = tables(game)[0]
    records = simulate(game, seed=3, hands=1, **table.terms)
    half = referees.lines_of(records)[: len(records) // 2]
    for seat in table.seats:
        after = log(game, "\n".join([*half, "@ end hand void", f"{seat} hand 2"]), Seats=" ".join(table.seats))
        assert referee(table).read(referees.lines_of(after)) == min(
            (f.at.pos for f in judge(after).broken), default=0,
        ), seat


def test_what_a_referee_does_not_know_is_a_table() -> None:
    """If this failed, a table would be left out for nothing."""
    known = {table.name for game in REFEREED for table in tables(game)}
    assert set(UNKNOWN_TO_THE_REFEREE) <= known
