"""The rules of Hearts, case by case. In DEALT the cards have been passed: A holds all clubs, B diamonds, C spades, D
hearts."""

import pytest

from replay.testing.given import given

DEAL = (
    "@ deal A=AcKcQcJcTc9c8c7c6c5c4c3c2c B=AdKdQdJdTd9d8d7d6d5d4d3d2d C=AsKsQsJsTs9s8s7s6s5s4s3s2s "
    "D=AhKhQhJhTh9h8h7h6h5h4h3h2h\n"
)
FIRST = "D hand 1\n" + DEAL
# In the fourth hand nobody passes.
VOID = "".join(f"{dealer} hand {n}\n@ tally void=yes\n" for n, dealer in ((1, "D"), (2, "A"), (3, "B")))
DEALT = VOID + "C hand 4\n" + DEAL
MIXED = VOID + (
    "C hand 4\n@ deal A=2cAcKsQsJsTs9s8s7s6s5s4s3s B=3c4cAdKdQdJdTd9d8d7d6d5d4d "
    "C=5c6cAhKhQhJhTh9h8h7h6h5h4h D=7c8c9cTcJcQcKcAs2s3d2d3h2h\n"
)


def test_R1_thirteen_cards_each() -> None:
    given("hearts", "D hand 1").when("@ deal A=14x?? B=13x?? C=13x?? D=12x??").finds("R1")


@pytest.mark.parametrize(("hand", "to"), [(1, "B"), (2, "D"), (3, "C")])
def test_R2_three_cards_go_another_way_in_each_hand(hand: int, to: str) -> None:
    before = "".join(VOID.splitlines(keepends=True)[: 2 * hand - 2])
    case = given("hearts", before + f"{'DAB'[hand - 1]} hand {hand}\n{DEAL}")
    case.when(f"A move 2c3c4c >{to}").allows()
    case.when("A move 2c3c4c >C" if to != "C" else "A move 2c3c4c >B").finds("R2")


def test_R2_as_many_as_three_and_only_once() -> None:
    case = given("hearts", FIRST)
    case.when("A move 2c3c >B").finds("R2")
    case.when("A move 2c3c4c >B", "A move 5c6c7c >B").finds("R2")
    case.when("A move *x?? >B").opens("R2")
    case.when("C move 2s3s4s >D", "A move 2c3c4c >B").allows()


def test_R2_in_the_fourth_hand_nobody_passes() -> None:
    given("hearts", DEALT).when("A move 2c3c4c >B").finds("R2")


def test_R2_a_card_played_shows_that_all_have_passed() -> None:
    case = given("hearts", FIRST).when("B play 2c").allows()
    assert [len(case.judgement.state.table.piles[seat]) for seat in "ABCD"] == [13, 12, 13, 13]
    given("hearts", FIRST).when("A move 2c3c4c >B", "B play 2c").opens("R4")


def test_R4_the_two_of_clubs_is_led() -> None:
    given("hearts", DEALT).when("A play 3c").finds("R4")
    given("hearts", DEALT).when("A play 2c").allows()
    assert given("hearts", DEALT).judgement.state.turn == ("A",)


def test_R5_the_winner_leads() -> None:
    case = given("hearts", MIXED).when("A play 2c", "B play 3c", "C play 5c", "D play 7c")
    case.when("D play As").allows()
    case.when("A play Ks").finds("R5")


def test_R6_nobody_plays_twice() -> None:
    given("hearts", MIXED).when("A play 2c", "A play Ac").finds("R6")


def test_R7_follow_suit() -> None:
    given("hearts", MIXED).when("A play 2c", "B play Ad").finds("R7")
    hidden = VOID + "C hand 4\n@ deal A=13x?? B=13x?? C=13x?? D=13x??\nA play 2c\nB play Ad\n"
    given("hearts", hidden).opens("R7", at=10)
    given("hearts", hidden).when(
        "C play 5c", "D play 7c", "D play As", "A play Ks", "B play 3c",
    ).finds("R7", at=10, known=15)


def test_R8_a_heart_is_not_led_before_one_was_thrown() -> None:
    case = given("hearts", MIXED).when("A play 2c", "B play 3c", "C play 5c", "D play 7c")
    case.when("D play 2h").finds("R8")
    thrown = case.when("D play As", "A play Ks", "B play Ad", "C play 4h")
    thrown.when("D play 2h").allows()


def test_R8_who_has_nothing_else_may() -> None:
    given("hearts", DEALT).when(
        "A play 2c", "B play 2d", "C play 2s", "D play 2h", "A play 3c", "B play 3d", "C play 3s", "D play 3h",
    ).allows()
    only = (
        VOID
        + (
            "C hand 4\n@ deal A=2c12x?? B=13x?? C=13x?? D=3cAhKhQhJhTh9h8h7h6h5h4h3h\nA play 2c\nB play 2d\nC "
            "play 2s\nD play 3c\n"
        )
    )
    given("hearts", only).when("D play 3h").allows()


def test_R9_nothing_that_counts_is_thrown_on_the_first_trick() -> None:
    case = given("hearts", DEALT).when("A play 2c", "B play 2d")
    case.when("C play Qs").finds("R9")
    case.when("C play 2s", "D play 2h").allows()


def test_R10_there_are_no_trumps() -> None:
    case = given("hearts", DEALT).when("A play 2c", "B play 2d", "C play 2s", "D play 2h").allows()
    assert case.judgement.state.hand.trick.won[-1].winner == "A"


HAND = "D hand 1\n@ tally hearts.A={} hearts.B={} hearts.C={} hearts.D={} queen={}\n"


@pytest.mark.parametrize(
    ("told", "points"),
    [((1, 2, 3, 7, "A"), (14, 2, 3, 7)), ((0, 0, 0, 13, "A"), (13, 0, 0, 13)), ((0, 0, 13, 0, "C"), (26, 26, 0, 26))],
)
def test_R11_R12_what_a_hand_counts(told: tuple[object, ...], points: tuple[int, ...]) -> None:
    given("hearts", HAND.format(*told)).scores(**dict(zip("ABCD", points, strict=True)))


def test_R11_thirteen_hearts_are_in_the_pack() -> None:
    given("hearts", HAND.format(1, 2, 3, 8, "A")).finds("R11")


def test_R12_by_the_house_rule_the_others_get_nothing() -> None:
    given("hearts", HAND.format(0, 0, 13, 0, "C"), option={"moon": "self"}).scores(A=0, B=0, C=-26, D=0)


def test_R12_a_hand_that_is_played_out() -> None:
    tricks = "".join(f"A play {a}c\nB play {a}d\nC play {a}s\nD play {a}h\n" for a in "23456789TJQKA")
    given("hearts", DEALT + tricks).clean().scores(A=0, B=26, C=26, D=26)


def test_R13_the_fewest_points_win() -> None:
    hands = HAND.format(0, 0, 13, 0, "C") + HAND.format(0, 13, 0, 0, "C").replace("D hand 1", "A hand 2")
    state = given("hearts", hands, option={"target": 39}).totals(A=26, B=39, C=13, D=26).judgement.state
    assert (state.ended, state.standing.winner) == ("won", "C")
    assert not given("hearts", hands, option={"target": 40}).judgement.state.ended


def test_R13_if_the_fewest_are_level_another_hand_is_played() -> None:
    assert given("hearts", HAND.format(0, 0, 0, 13, "D"), option={"target": 20}).judgement.state.standing.over
    level = HAND.format(0, 0, 6, 7, "D")
    assert not given("hearts", level, option={"target": 20}).judgement.state.ended


def test_R14_the_deal_passes_on() -> None:
    given("hearts", HAND.format(1, 2, 3, 7, "A")).when("A hand 2").allows()
    given("hearts", HAND.format(1, 2, 3, 7, "A")).when("B hand 2").finds("R14")
