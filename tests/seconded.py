"""Pages of bank games beside their referees: matches by chance at each table, with breaches, and with payments written in.

The acts of a simulated hand against the bank do not say who pays whom. So what the referee says is owed after each line is
written as payments, one of them wrong in every second match.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from given import log
from tables import Table, tables

from events.writing import write_event
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import simulate, simulate_breaches

HANDS = 2
"""So many are played, if the match has as many."""


def by_name(game: str) -> dict[str, Table]:
    """All tables of a game, by their names."""
    return {table.name: table for table in tables(game)}


def first_broken(log: list[Any]) -> int:
    """The position of the first act that the page calls broken; 0 if there is none."""
    return min((f.at.pos for f in judge(log).broken), default=0)


def agree_about_legal_hands(table: Table, seed: int, referee: Any) -> None:
    """Nothing is against the rules, and each seat wins or loses the same in each hand, to nothing in all."""
    records = simulate(table.game, seed=seed, hands=HANDS, **table.terms)
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    state = fold(records)
    assert [dict(score.points) for score in state.scores] == referee.hands != []


def agree_about_the_first_breach(table: Table, seed: int, referee: Callable[[], Any]) -> None:
    """What the page calls broken first, the referee does, and nothing before it; with few breaches, and with many."""
    for p in (0.03, 0.15):
        records, _ = simulate_breaches(table.game, seed=seed, p=p, hands=HANDS, **table.terms)
        assert referee().read([write_event(r.event) for r in records[1:]]) == first_broken(records), p


def agree_about_payments(table: Table, seed: int, referee: Callable[[], Any]) -> None:
    """What the referee says is owed is what the page says is due; a payment of more or less both find."""
    random, one, lines = Random(f"{table.name}/{seed}"), referee(), list[str]()
    wrong = seed % 2 == 1
    for record in simulate(table.game, seed=seed, hands=HANDS, **table.terms)[1:]:
        lines.append(write_event(record.event))
        assert one.read(lines[-1:]) == 0, lines
        # What goes to the house is no payment between seats.
        for (payer, payee), amount in sorted(one.owed.items()):
            if not amount or payee not in table.seats:
                continue
            bent = wrong and random.random() < 0.3
            lines.append(f"{payer} pay {amount + random.choice((1, 2)) if bent else amount} >{payee}")
            if bent:
                break
            assert one.read(lines[-1:]) == 0, lines
        else:
            continue
        break
    options = {"option": dict(table.options)} if table.options else {}
    assert referee().read(lines) == first_broken(log(table.game, "\n".join(lines), Seats=" ".join(table.seats), **options)), lines

