"""The rules of Cribbage, case by case. B deals; the nine of hearts is the starter."""

import doctest

import pytest
from kibitz_cribbage import pegging

from replay.testing.given import Given, given

DEAL = "B hand 1\n@ deal A=5c6c7cKdQd2s B=5h4h8hTsJsAd\n@ deal down stock=40x??\n"
LAID = DEAL + "A move KdQd >widow\nB move TsAd >widow\n"
STARTED = LAID + "@ move up 9h <stock >upcard\n"
HIDDEN = (
    "B hand 1\n@ deal A=6x?? B=6x??\n@ deal down stock=40x??\nA move 2x?? >widow\nB move 2x?? >widow\n@ "
    "move up 9h <stock >upcard\n"
)
# 7, 15 for two, 20, 25 with a pair, 27, 31 for two; then 6, 16, and one for the last card.
PLAYS = "A play 7c\nB play 8h\nA play 5c\nB play 5h\nA play 2s\nB play 4h\nA play 6c\nB play Js\n"
WHOLE = STARTED + PLAYS


def pegged(case: Given) -> list[tuple[str, int | None, str]]:
    """Who has scored how many, and for what."""
    return [(one.seat, one.points, one.what) for one in case.judgement.state.hand.scored]


def test_the_examples_of_what_cards_count() -> None:
    found = doctest.testmod(pegging)
    assert found.attempted > 3
    assert found.failed == 0


def test_R1_six_cards_each() -> None:
    given("cribbage", "B hand 1").when("@ deal A=7x?? B=6x??").finds("R1")


def test_R2_two_cards_are_laid_away() -> None:
    given("cribbage", DEAL).when("A move Kd >widow").finds("R2")
    given("cribbage", DEAL).when("A move KdQd2s >widow").finds("R2")
    given("cribbage", DEAL).when("A move KdQd >widow", "A move 2s5c >widow").finds("R2")
    given("cribbage", LAID).clean()


def test_R2_an_unseen_number_leaves_it_open() -> None:
    given("cribbage", "B hand 1\n@ deal A=6x?? B=6x??\n").when("A move *x?? >widow").opens("R2")


def test_R3_a_jack_turned_up_pegs_two_for_the_dealer() -> None:
    assert pegged(given("cribbage", LAID).when("@ move up Jh <stock >upcard")) == [("B", 2, "starter")]
    assert pegged(given("cribbage", STARTED)) == []


def test_R3_a_card_played_shows_that_a_starter_lies_there() -> None:
    state = given("cribbage", DEAL).when("A play 7c").judgement.state
    assert (
        len(state.table.piles["widow"]), len(state.table.piles["upcard"]), len(state.table.piles["stock"]),
    ) == (4, 1, 39)


def test_R3_the_starter_alone_begins_a_hand_in_which_all_have_laid_away() -> None:
    """It is the first thing that a table writes of a hand, typed as a bare card."""
    case = given("cribbage", "@ deal up upcard=Jh\nA play 7c")
    assert pegged(case) == [("B", 2, "starter")]
    assert [len(case.judgement.state.table.piles[pile]) for pile in ("widow", "upcard", "stock", "A")] == [4, 1, 39, 3]
    given("cribbage", LAID).when("@ deal up upcard=9h", "A play 7c").clean()


def test_R4_the_dealers_opponent_begins() -> None:
    given("cribbage", STARTED).when("B play 8h").finds("R4")
    given("cribbage", STARTED).when("A play 7c").allows()


def test_R4_a_second_card_shows_that_the_other_said_go() -> None:
    """At 30 nobody has a card that fits: A begins the new count."""
    lines = ("A play 7c", "B play 8h", "A play 5c", "B play Js")
    case = given("cribbage", STARTED).when(*lines)
    case.when("B play 5h").finds("R4")
    case.when("A call go", "B play 5h").finds("R4")
    case.when("A call go", "A play 6c").allows()


def test_R4_go_that_nobody_wrote_is_believed_if_it_can_be() -> None:
    stuck = (
        "B hand 1\n@ deal A=5c6c7cKdQd2s B=TsThKhQsJsAd\n@ deal down stock=40x??\nA move KdQd >widow\nB "
        "move TsAd >widow\n@ move up 9h <stock >upcard\n"
    )
    case = given("cribbage", stuck).when("A play 7c", "B play Th", "A play 6c", "B call go", "A play 5c")
    assert case.allows().judgement.state.turn == ("A",)
    silent = given("cribbage", stuck).when("A play 7c", "B play Th", "A play 6c", "A play 5c").allows()
    assert silent.judgement.state.hand.series == case.judgement.state.hand.series
    assert silent.judgement.state.hand.count == 28


def test_R5_no_card_goes_beyond_thirty_one() -> None:
    given("cribbage", STARTED).when("A play 7c", "B play Js", "A play 6c", "B play 5h", "A play 5c").finds("R5")


def test_R6_only_without_a_card_that_fits() -> None:
    given("cribbage", STARTED).when("A play 7c", "B call go").finds("R6")
    given("cribbage", HIDDEN).when("A play 7c", "B call go").finds("R6", words="holds a card that fits")
    given("cribbage", HIDDEN).when("A play Tc", "B play Td", "A play 5c", "B call go").opens("R6")


def test_R6_is_proved_by_what_is_held_later() -> None:
    """B said go at 25, and plays a four afterwards that would have fitted."""
    case = given("cribbage", HIDDEN).when("A play Tc", "B play Td", "A play 5c", "B call go", "A play 6c")
    case.opens("R6", at=10)
    case.when("B play 4h").finds("R6", at=10, known=12)


def test_R7_what_is_pegged_in_the_play() -> None:
    assert pegged(given("cribbage", WHOLE))[:4] == [
        ("B", 2, "15"), ("B", 2, "25"), ("B", 2, "31"), ("B", 1, "last card"),
    ]


def test_R8_the_hands_are_counted() -> None:
    """A has 5 6 7 2 with the nine: 6+9, 2+6+7, and a run of three; B 5 4 8 J: 5+J."""
    assert pegged(given("cribbage", WHOLE))[4:] == [("A", 7, "hand"), ("B", 2, "hand")]


@pytest.mark.parametrize(("crib", "points"), [("KdQdTsAd", 0), ("5s5dKdJh", 11)])
def test_R9_the_dealer_shows_the_crib(crib: str, points: int) -> None:
    case = given("cribbage", HIDDEN + PLAYS)
    assert case.judgement.state.phase == "showing"
    case.when(f"B show {crib} <widow").allows().scores(A=7, B=9 + points)
    case.when(f"A show {crib} <widow").finds("R9")


def test_R10_nobody_pegs_more_than_was_scored() -> None:
    case = given("cribbage", STARTED).when("A play 7c", "B play 8h")
    case.when("B bet 2").allows()
    case.when("B bet 3").finds("R10")
    case.when("A bet 1").finds("R10")


def test_R11_muggins() -> None:
    case = given("cribbage", STARTED, option={"muggins": "yes"}).when(
        "A play 7c", "B play 8h", "B bet 0", "A call muggins",
    )
    case.when("A bet 2").allows()
    case.when("A bet 3").finds("R11")
    end = WHOLE.partition("B play 8h\n")[2] + "B show KdQdTsAd <widow\n"
    given(
        "cribbage", STARTED + "A play 7c\nB play 8h\nB bet 0\nA call muggins\nA bet 2\n" + end,
        option={"muggins": "yes"},
    ).scores(A=9, B=7)
    given("cribbage", STARTED).when("A play 7c", "B play 8h", "B bet 0", "A call muggins", "A bet 2").finds("R11")


def test_R12_the_match_is_over_in_the_middle_of_a_hand() -> None:
    case = given("cribbage", STARTED, option={"target": 4}).when("A play 7c", "B play 8h", "A play 5c", "B play 5h")
    state = case.scores(A=0, B=4).judgement.state
    assert (state.ended, state.standing.winner, len(state.table.piles["A"])) == ("won", "B", 2)


def test_R12_the_opponents_hand_is_counted_first() -> None:
    given("cribbage", WHOLE, option={"target": 7}).scores(A=0, B=7)
    state = given("cribbage", WHOLE, option={"target": 8}).scores(A=7, B=8).judgement.state
    assert (state.ended, state.standing.winner) == ("won", "B")
    told = "B hand 1\n@ tally pegs.A=0 pegs.B=2 hands.A=7 hands.B=12 crib=4\n"
    given("cribbage", told, option={"target": 7}).scores(A=7, B=2)
    given("cribbage", told).scores(A=7, B=18)


def test_R13_the_deal_goes_to_the_other_player() -> None:
    given("cribbage", "B hand 1\n@ tally void=yes\n").when("A hand 2").allows()
    given("cribbage", "B hand 1\n@ tally pegs.A=0 pegs.B=0 hands.A=0 hands.B=0 crib=0\n").when("B hand 2").finds("R13")
