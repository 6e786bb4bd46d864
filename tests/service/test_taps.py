"""How many taps a hand takes on the phone page, and that every hand can be tapped."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import groupby

import pytest
from taps import Line, lines_of_a_hand, taps_of_a_hand

from events.model import Dispute, Recorded, Ruling
from events.writing import write_event
from reducers.registry import PAGES, find
from replay.redact import hide
from replay.simulate import simulate
from replay.table.pad import last_lines
from replay.table.session import Session

MOST_TAPS = {"kaiser": 55, "scopa": 90, "yaniv": 75, "pontoon": 40}
"""The taps of a hand: the median of fifty hidden hands."""
MOST_TAPS_OF_A_TURN = 8
"""In Burraco, from the draw to the discard."""
SEATS = {"pontoon": "ABCD"}
WITH_CARDS = [key for key in PAGES if find(key).has_cards]


def hand(game: str, seed: int) -> list[Recorded]:
    """A hand of chance, as the whole table saw it."""
    return hide(simulate(game, seed=seed, hands=1, seats=SEATS.get(game)))


@pytest.mark.parametrize(
    ("game", "hands"), [("kaiser", 3), ("pontoon", 3), *(pytest.param(game, 50, marks=pytest.mark.slow) for game in MOST_TAPS)]
)
def test_a_hand_takes_no_more_taps(game: str, hands: int) -> None:
    """If this failed, a recorder would look at the phone more than at the table."""
    assert statistics.median(taps_of_a_hand(hand(game, seed)) for seed in range(hands)) <= MOST_TAPS[game]


@pytest.mark.rest
@pytest.mark.parametrize("hands", [1, pytest.param(50, marks=pytest.mark.slow)])
def test_a_turn_of_burraco_takes_no_more_taps(hands: int) -> None:
    """A turn ends where the next seat acts; a line that ends in another turn counts for the turn in which it began."""
    assert statistics.median(taps for seed in range(hands) for taps in turns(lines_of_a_hand(hand("burraco", seed), 1))) <= MOST_TAPS_OF_A_TURN


def turns(lines: Iterator[Line]) -> Iterator[int]:
    """The taps of each turn."""
    told = [line for line in lines if line.acts[0].by != "@"]
    for _, turn in groupby(told, key=lambda line: line.acts[0].by):
        yield sum(line.taps for line in turn)


@pytest.mark.parametrize(
    ("game", "seed"),
    [*((game, 0) for game in ("pontoon", "hasenpfeffer", "poke")), *(pytest.param(game, seed, marks=pytest.mark.slow) for game in WITH_CARDS for seed in range(1, 4))],
)
def test_every_act_of_a_hand_can_be_tapped(game: str, seed: int) -> None:
    """If this failed, somebody would sit at the table with a card that the phone has no way to write down."""
    records = hand(game, seed)
    lines = list(lines_of_a_hand(records, 1))
    written = [write_event(event) for line in lines for event in line.events]
    known = [write_event(r.event).partition("=")[0] for r in records]
    # What was tapped is what happened; beside it there may be cards that nobody saw drawn.
    assert [event for event in written if event.partition("=")[0] not in known and "??" not in event] == []
    assert len(lines) > 5


def test_the_last_lines_say_who_acted_and_for_which_hand() -> None:
    """If this failed, a recorder would read `A:2` for a second hand, and not learn who disputes."""
    told = hide(simulate("pontoon", seed=3, hands=1))
    after = next(i for i, r in enumerate(told) if r.event.by == "A:2") + 1
    session = Session(told[:after])
    session.take([Recorded(n=after, event=Dispute(by="A", refs=(6,), word="split"))])
    assert [(line.by, line.says) for line in last_lines(session)][-2:] == [("A's hand 2", "draws 6♥"), ("A", "disputes event 6: split")]
    session.take([Recorded(n=after + 1, event=Ruling(by="@", refs=(after,), word="stands"))])
    assert [(line.by, line.says) for line in last_lines(session)][-1:] == [("The table", f"rules on event {after}: what happened stands")]
