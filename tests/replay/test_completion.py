"""What Tab offers: the words, seats, piles and cards of the position, and nothing that the table cannot see."""

from __future__ import annotations

from typing import Any

import pytest
from given import log

from reducers.first_state import begin
from reducers.model import State
from reducers.registry import PAGES
from replay.fold import fold
from replay.simulate import simulate
from replay.table.completion import CompletionWord, beginning_with, possible_answers, words_after
from replay.table.result_line import still_asked

KAISER = """
    W hand 1
    @ deal N=KhTh8h7c6x?? E=8x?? S=8x?? W=AcKc8c5x??
    N bid 7
    E pass
    S pass
    W pass
    N name h
    N play Kh
    E play 8d
"""


def completions(line: str, state: State[Any]) -> list[CompletionWord]:
    """What Tab offers for the last word of a line."""
    before, _, begun = line.rpartition(" ")
    return beginning_with(begun, words_after(before.split(), state))


def offered(line: str, records: list) -> list[str]:
    """The words that are offered behind a line that is being typed."""
    return [word.text for word in completions(line, fold(records))]


def test_cards_in_sight_are_offered_and_no_others() -> None:
    """South plays: what lies in the trick, and nothing of what North and West are known to hold."""
    records = log("kaiser", KAISER, S="Cleo")
    assert offered("8", records) == ["8d"]
    assert offered("h", records)[:2] == ["hK", "hand"]
    assert offered("S pl", records) == ["play"]
    assert offered("S ", records)[0] == "play"
    more = [*records, *log("kaiser", KAISER + "\nS play 9h", S="Cleo")[-1:]]
    assert {"8c", "Ac", "Kc"} < set(offered("", more)), "West holds them, and it is West's turn"
    assert "Th" not in offered("", more)
    assert "cA" in offered("c", more)


def test_seats_piles_and_words_are_offered() -> None:
    """Seats with their names, piles behind < and >, what is said in this part of the hand."""
    records = log("kaiser", KAISER, S="Cleo")
    seats = {word.text: word.meaning for word in completions("", fold(records))}
    assert seats["S"] == "Cleo"
    assert offered("N Kh <tr", records) == ["<trick"]
    assert offered("claim N", records) == ["NS="]
    start = log("kaiser", "W hand 1")
    assert "misdeal" in offered("m", start)
    assert offered("hel", start) == ["help"]


def test_the_answers_of_a_result_are_offered_in_order() -> None:
    """Each word of a result line offers what its fact can be."""
    records = log("kaiser", "")
    assert offered("result ", records) == ["NS", "EW", "N", "E", "S", "W", "-"]
    assert offered("r E 7 ", records)[:4] == ["c", "d", "h", "s"]
    assert offered("r E 7 nonsense ", records) == []


@pytest.mark.parametrize("game", sorted(PAGES))
def test_every_position_of_every_game_offers_something(game: str) -> None:
    """If this failed, Tab would stop the recorder in some position."""
    records = simulate(game, seed=1, hands=1)
    for n in range(0, len(records), max(1, len(records) // 12)):
        state = fold(records, until=n)
        words = completions("", state)
        assert {"undo", "?"} < {word.text for word in words}
        assert {word.text for word in words} >= set(state.terms.seats)
    state = begin({"Game": game})
    one = still_asked([], state)
    assert one is None or "-" in [word.text for word in possible_answers(one, state)]
