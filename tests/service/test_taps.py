"""How many taps a hand takes on the phone page, and that every hand can be tapped."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import groupby

import pytest
from sampling import each_game
from taps import Line, lines_of_a_hand, taps_of_a_hand

from events.model import Call, Dispute, Recorded, Ruling, Show
from events.writing import write_event
from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from reducers.words.tricks import tricks_in
from replay.redact import hide
from replay.simulate import simulate
from replay.table.lookahead import look_ahead
from replay.table.pad import last_lines, pad_of
from replay.table.session import Session
from replay.table.shorthand import applied

MOST_TAPS = {"kaiser": 55, "scopa": 75, "yaniv": 80, "pontoon": 35}
"""The taps of a hand: the median of fifty hidden hands."""
MOST_TAPS_OF_A_TURN = 8
"""In Burraco, from the draw to the discard."""
SEATS = {"pontoon": "ABCD"}
WITH_CARDS = [key for key in PAGES if find_game(key).has_cards]


def hand(game: str, seed: int) -> list[Recorded]:
    """A hand of chance, as the whole table saw it."""
    return hide(simulate(game, seed=seed, hands=1, seats=SEATS.get(game)))


@pytest.mark.parametrize(
    ("game", "hands"),
    [("kaiser", 3), ("pontoon", 3), *(pytest.param(game, 50, marks=pytest.mark.slow) for game in MOST_TAPS)]
)
def test_a_hand_takes_no_more_taps(game: str, hands: int) -> None:
    """If this failed, a recorder would look at the phone more than at the table."""
    assert statistics.median(taps_of_a_hand(hand(game, seed)) for seed in range(hands)) <= MOST_TAPS[game]


@pytest.mark.rest
@pytest.mark.parametrize("hands", [1, pytest.param(50, marks=pytest.mark.slow)])
def test_a_turn_of_burraco_takes_no_more_taps(hands: int) -> None:
    """A turn ends where the next seat acts; a line that ends in another turn counts for the turn in which it began."""
    assert statistics.median(
        taps for seed in range(hands) for taps in turns(lines_of_a_hand(hand("burraco", seed), 1))
    ) <= MOST_TAPS_OF_A_TURN


def turns(lines: Iterator[Line]) -> Iterator[int]:
    """The taps of each turn."""
    told = [line for line in lines if line.acts[0].by != "@"]
    for _, turn in groupby(told, key=lambda line: line.acts[0].by):
        yield sum(line.taps for line in turn)


@each_game(WITH_CARDS, short=3)
def test_whoever_is_said_to_act_next_does(game: str) -> None:
    """If this failed, a line that was tapped without a network would be shown with the name of another player."""
    records = hand(game, 1)
    state, wrong = begin(records[0].event.facts), []
    for k, r in enumerate(records[1:], 1):
        ahead = look_ahead(state)
        # What is called, or turned up, while cards are played keeps no turn.
        acts = [one.event for one in records[k:] if not (ahead.cards and isinstance(one.event, Call | Show))]
        to_come = [event.by for event in acts[: len(ahead.coming)]]
        # Somebody else may have something to say first.
        known = (to_come.index("@") if "@" in to_come else len(to_come)) if to_come[:1] == list(state.turn) else 0
        wrong += [(r.n, ahead.coming, to_come)] if to_come[:known] != list(ahead.coming[:known]) else []
        applied(state, r.event)
    assert wrong == []


@each_game(WITH_CARDS, short=3)
def test_the_cards_that_win_a_trick_are_those_that_won(game: str) -> None:
    """If this failed, a phone without a network would give the next trick to somebody else."""
    records = hand(game, 2)
    state, strong = begin(records[0].event.facts), dict[str, tuple[str, ...]]()
    for r in records[1:]:
        strong = look_ahead(state).strong or strong
        applied(state, r.event)
        tricks = tricks_in(state.hand) if state.number else None
        if strong and tricks is not None and tricks.won and tricks.won[-1].at == state.at:
            laid = {state.game.pack.tokens[code]: seat for seat, code in reversed(tricks.won[-1].plays)}
            led = state.game.pack.tokens[tricks.won[-1].plays[0][1]][1]
            best = next(
                (
                    face for equal in strong[led] for face in laid
                    if face in [equal[i : i + 2] for i in range(0, len(equal), 2)]
                ),
                "",
            )
            assert "?" in "".join(laid) or laid[best] == tricks.won[-1].winner


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        *((game, 0) for game in ("pontoon", "hasenpfeffer", "poke")),
        *(pytest.param(game, seed, marks=pytest.mark.slow) for game in WITH_CARDS for seed in range(1, 4)),
    ],
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
    assert [(line.by, line.says) for line in last_lines(session)][-2:] == [
        ("A's hand 2", "draws 6♥"), ("A", "disputes event 6: split"),
    ]
    session.take([Recorded(n=after + 1, event=Ruling(by="@", refs=(after,), word="stands"))])
    assert [(line.by, line.says) for line in last_lines(session)][-1:] == [
        ("The table", f"rules on event {after}: what happened stands")
    ]


def test_the_head_shows_no_contract_of_the_hand_before() -> None:
    session = Session(hand("kaiser", 1))
    assert session.state.phase == "between"
    assert pad_of(session).contract == ""


@pytest.mark.parametrize("seed", range(3))
def test_no_two_keys_are_for_one_act(seed: int) -> None:
    """If this failed, Zetema would offer a card from a pile twice, once as taken behind a draw that nobody saw."""
    records = hand("zetema", seed)
    for k in range(2, 40):
        keys = [
            (key.text.removeprefix(". ").partition(" draw ")[2] or key.text.removeprefix(". "), key.by)
            for key in pad_of(Session(records[:k])).keys
        ]
        assert len(keys) == len(set(keys)), k


def test_the_cards_that_are_dealt_open_are_asked_for_in_words() -> None:
    assert pad_of(Session(hand("scopa", 1)[:1])).hint == "the 4 cards dealt face up"
