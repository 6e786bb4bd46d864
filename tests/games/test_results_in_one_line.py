"""A hand told by its result in one line, as a recorder types it: the points come out as they were played, in few keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from events.model import Open, Recorded
from reducers.begin import begin
from reducers.evolve import evolve
from reducers.facts import put
from reducers.games import pontoon, seven_and_a_half
from reducers.model import State
from reducers.registry import PAGES, find
from reducers.tally import Told
from replay.fold import fold
from replay.simulate import simulate
from replay.table.result_line import next_asked, read_answer
from replay.table.session import Session

SEEDS = range(24)
# Keys of a result, Enter included, at the most: of a hand, or of each player.
A_HAND = {"kaiser": 20, "scopa": 20, "botifarra": 20, "tresette": 20, "calabrasella": 20, "funfzehnern": 20}
A_PLAYER = {"yaniv": 20, "pontoon": 20, "put-and-take": 8, "seven-and-a-half": 12}
SEATS = {"yaniv": "ABCD", "pontoon": "ABCD", "mattis": "ABCD"}
# What the hands of these games are, by the words that tell it.
WRITTEN = {"pontoon": pontoon.WRITTEN, "seven-and-a-half": seven_and_a_half.WRITTEN}
GAMES = [key for key in sorted(PAGES) if find(key).has_cards]


def hands_of(game: str, seed: int) -> Iterator[State[Any]]:
    """Simulated hands, each as it was settled."""
    records = simulate(game, seed=seed, hands=1, seats=SEATS.get(game))
    assert isinstance(records[0].event, Open)
    state = begin(records[0].event.facts)
    for record in records[1:]:
        settled = state.settled
        state.at = state.table.now = record.n
        evolve(state, record.event)
        if state.settled and not settled and state.score is not None and state.score.source != "void":
            yield state


def word(value: Any, game: str = "") -> str:
    """A value as it is typed; `-` for what nobody knows."""
    if isinstance(value, frozenset):
        return next((name for name, n in WRITTEN[game].items() if value == {n}), "-")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and value and isinstance(value[0], int):
        return word(value[0] if value[0] == value[1] else None)
    if isinstance(value, tuple):
        return ",".join(value).lower() or "-"
    return "-" if value in (None, "") else str(value).lower()


def of_the_hand(attribute: str, one: Told, who: str, state: State[Any]) -> str:
    """What the page counted, of the hand or of somebody."""
    tally: Any = state.game.told(state)
    if one.deals:
        return state.dealer.lower()
    value = getattr(tally, attribute)
    if isinstance(value, dict):
        mine = [name for name in value if name == who or name.startswith(f"{who}:")]
        return ",".join(word(value[name], state.game.key) for name in sorted(mine)) or "-"
    if value in (None, ""):
        # Words such as `no` (no trump) tell another fact in the place of this one.
        told = {said: next(iter(facts.items())) for said, facts in one.instead.items()}
        for said, (key, fact) in told.items():
            other = next(a for a, o in type(tally).told.items() if o.key == key)
            if other == attribute or getattr(tally, other) == fact:
                return said
    return word(value, state.game.key)


def result_line(state: State[Any], opening: State[Any]) -> str:
    """The line that tells the hand just played, in the order of the page; what is not known at its end is left out."""
    facts: dict[str, Any] = {}
    said, words = set[str](), ["r"]
    while (one := next_asked(said, facts, opening)) is not None:
        shape, _, who = one.key.partition(".")
        attribute, told = next((a, t) for a, t in state.game.tally.told.items() if {one.key, f"{shape}.*"} & set(t.facts))
        words.append(of_the_hand(attribute, told, who, state))
        said.add(one.key)
        answer = read_answer(words[-1], one, opening)
        assert answer is not None, (one, words)
        for key, value in answer.items():
            put(facts, key, value)
    while words[-1] == "-":
        words.pop()
    return " ".join(words)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_told_in_one_line(game: str) -> None:
    """If this failed, a result would be slower to type than to write on paper, or would score otherwise than the hand did."""
    keys: list[int] = []
    players = 0
    for state in (state for seed in SEEDS for state in hands_of(game, seed)):
        facts = {"Game": game, "Seats": " ".join(state.terms.seats), "Dealer": state.dealer}
        session = Session([Recorded(n=0, event=Open(by="@", facts=facts))])
        line, players = result_line(state, session.state), len(state.terms.seats)
        draft = session.complete(line)
        assert not draft.doubts
        after = fold([*session.records, *(Recorded(n=n, event=r.event) for n, r in enumerate(draft.events, 1))])
        assert after.score is not None
        assert after.score.points == state.score.points, line
        keys.append(len(line) + 1)
    assert len(keys) > 20
    assert max(keys) <= A_HAND.get(game, max(keys))
    assert max(keys) <= A_PLAYER.get(game, max(keys)) * players
