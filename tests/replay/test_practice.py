"""Practising to record: what is shown, what is taken, what is told of it."""

from __future__ import annotations

import pytest

from events.errors import NotationError, NotFoundError, UsageError
from events.packs import PACKS
from replay.table.practice import Practice


def typed_along(game: str, seed: int) -> Practice:
    """A hand whose every group is typed as shortly as can be."""
    practice = Practice(game, seed)
    while not practice.over:
        for line in practice.shortest_lines():
            assert practice.answer(line).taken
    return practice


@pytest.mark.parametrize("game", ["kaiser", "yaniv"])
def test_who_types_the_shortest_lines_is_told_so(game: str) -> None:
    practice = typed_along(game, 3)
    assert practice.keys == practice.shortest > 40
    assert not practice.missed


def test_a_round_of_bids_and_a_trick_are_shown_at_once() -> None:
    practice = Practice("kaiser", 3)
    assert practice.shown() == [
        "hand 1, dealt by W", "the deal, face down", "N bids 7", "E passes", "S passes", "W passes",
    ]
    assert practice.answer("7...").text == "right, 5 keys"
    assert practice.shown() == ["N names ♠"]
    practice.pass_over()
    assert practice.shown() == ["N plays 8♣", "E plays 9♣", "S plays J♣", "W plays K♣"]


def test_a_hand_is_practised_with_the_cards_on_the_table() -> None:
    """If this failed, who records Scopa with Italian cards could not learn it with them."""
    practice = Practice("scopa", 3, PACKS["italian"])
    assert practice.shown()[2] == "the deal: board Rd 3d 6d 2c"
    (line,) = practice.shortest_lines()
    assert line == "dr36c2"
    assert practice.answer(line).text == "right, 7 keys"
    assert practice.shown()[-2:] == ["A takes 6d 2c with Fd", "B takes Rd with Rc"]
    assert practice.answer("7d").text == "that says: A plays 7d; but it is: A takes 6d 2c with Fd"
    assert practice.pass_over().text == "passed over; it is typed dfcr"


def test_what_did_not_happen_is_told_and_not_taken() -> None:
    """If this failed, a slip would be practised."""
    practice = Practice("kaiser", 3)
    reply = practice.answer("8")
    assert not reply.taken
    assert reply.text == "that says: N bids 8; but it is: N bids 7"
    assert practice.at == practice.keys == 0
    with pytest.raises(NotationError, match="zz"):
        practice.answer("zz")


def test_a_longer_line_is_taken_and_the_shorter_one_told() -> None:
    practice = Practice("kaiser", 3)
    assert practice.answer("N bid 7").text == "right, 8 keys; 7 does it in 2"
    assert (practice.keys, practice.shortest) == (8, 2)


@pytest.mark.parametrize(
    "lines",
    [("h7", "7s7c", ".", "Kh"), ("h7", "7sc", "kh"), ("7h 7s7c Kh",), ("deal up discard=7h", "A 7sc .", "B discard Kh")]
)
def test_a_draw_from_the_stock_may_be_typed_and_need_not(lines: tuple[str, ...]) -> None:
    """If this failed, a recorder who writes more than is needed would be called wrong."""
    practice = Practice("yaniv", 0)
    for line in lines:
        assert practice.answer(line).taken
    assert practice.shown() == ["B draws an unseen card", "A discards 8♠", "A draws an unseen card"]


def test_what_is_passed_over_is_missed_and_its_line_told() -> None:
    practice = Practice("kaiser", 3)
    reply = practice.pass_over()
    assert reply.text == "passed over; it is typed 7 ..."
    assert practice.missed == ["N bids 7", "E passes", "S passes", "W passes"]
    assert (practice.keys, practice.shortest) == (0, 6)


def test_acts_after_the_end_of_the_hand_are_told_to_be_too_many() -> None:
    practice = typed_along("kaiser", 3)
    assert practice.answer("hand").text == "that says: hand 2, dealt by N; but the hand is over"


def test_a_game_that_cannot_be_practised_is_refused() -> None:
    with pytest.raises(UsageError, match="has no cards"):
        Practice("pad", 1)
    with pytest.raises(NotFoundError):
        Practice("whist-drive", 1)
