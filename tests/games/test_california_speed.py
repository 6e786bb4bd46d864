"""California Speed, rule by rule: each has the two cases of its kind."""

from __future__ import annotations

import pytest
from given import given

from reducers.games.california_speed import RULES
from replay.hide import hide
from replay.judge import judge
from replay.simulate import mischief, simulate

START = "B hand 1\n@ deal down stock:A=26x?? stock:B=26x??\n"
ROWS = START + "A deal col:A:1..4=7hJc2d9s <stock:A\nB deal col:B:1..4=Qd7s3c3h <stock:B\n"
STUCK = START + "A deal col:A:1..4=7hJc2d9s <stock:A\nB deal col:B:1..4=QdKs3cAh <stock:B\n"
UP = STUCK + "A move * <col:A:1..4 >stock:A_\nB move * <col:B:1..4 >stock:B_\n"


def test_every_rule_has_a_case_here() -> None:
    with open(__file__, encoding="utf-8") as f:
        text = f.read()
    for rule in RULES:
        assert f"_{rule.id}_" in text, rule.id


def test_R1_twenty_six_each_and_the_own_packet() -> None:
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1").clean()
    given("california-speed", "B hand 1").when("@ deal down stock:A=25x?? stock:B=27x??").finds("R1")
    given("california-speed", ROWS).when("B move Kd <stock:A >col:A:1").finds("R1")


def test_R2_a_row_of_four_laid_by_each() -> None:
    given("california-speed", ROWS).clean()
    given("california-speed", START).when("A deal col:A:1..4=7hJc2d <stock:A").finds("R2")
    given("california-speed", START).when("A deal col:B:1..4=7hJc2d9s <stock:A").finds("R2")
    given("california-speed", START + "A deal col:A:1..4=7hJc2d9s <stock:A").when("A deal col:A:1..4=6hTc5d8s <stock:A").finds("R2")


def test_R3_kept_on_a_match_and_on_the_rest_of_one() -> None:
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1").allows()
    # The seven of spades has lost its partner, and may still be covered.
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1", "A move 5d <stock:A >col:B:2").allows()


def test_R3_broken_where_nothing_matches() -> None:
    given("california-speed", ROWS).when("A move Kd <stock:A >col:A:2").finds("R3", words="matches nothing")
    # A pile covered a moment ago has to match anew.
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1", "A move 5d <stock:A >col:A:1").finds("R3")


def test_R3_open_where_a_card_was_not_seen() -> None:
    given("california-speed", ROWS).when("B move ?? <stock:B >col:A:1", "A move 5d <stock:A >col:A:2").opens("R3")


def test_R4_the_top_card_known_from_the_gathered_order() -> None:
    # The packet has 22 unseen cards on top; nobody can say what lies there.
    given("california-speed", UP).when("A deal col:A:1..4=8h8c4d5s <stock:A", "B deal col:B:1..4=6dTsKc4h <stock:B", "A move Th <stock:A >col:A:1").allows()


def test_R4_broken_when_the_gathered_card_lay_on_top() -> None:
    lines = "B hand 1\n@ deal down stock:A=26x?? stock:B=26x??\n@ gap\n"
    open_ = "B hand 1\n@ deal down stock:A=AcKcQcJcTc9c8c7c6c5c4c3c2cAdKdQdJdTd9d8d7d6d5d4d3d2d stock:B=AhKhQhJhTh9h8h7h6h5h4h3h2hAsKsQsJsTs9s8s7s6s5s4s3s2s\n"
    rows = open_ + "A deal col:A:1..4=2d3d4d5d <stock:A\nB deal col:B:1..4=2s3s4s5s <stock:B\n"
    given("california-speed", rows).when("A move 6d <stock:A >col:B:1").allows()
    given("california-speed", rows).when("A move 7d <stock:A >col:B:1").finds("R4")
    given("california-speed", lines).clean()


def test_R5_gathered_when_eight_ranks_show() -> None:
    given("california-speed", UP).clean()
    given("california-speed", ROWS).when("A move * <col:A:1..4 >stock:A_").finds("R5", words="a match shows")
    given("california-speed", STUCK).when("A move * <col:B:1..4 >stock:A_").finds("R5")


def test_R6_nothing_is_laid_after_the_end() -> None:
    log = simulate("california-speed", seed=4)
    assert judge(log).findings == []
    given("california-speed", START).when("A move Kd <stock:A >col:A:2").finds("R6", words="no row")


def test_R6_contradicted_by_a_tally() -> None:
    given("california-speed", "B hand 1").when("@ tally winner=A left.B=7").clean().scores(A=1, B=0)
    given("california-speed", "B hand 1").when("@ tally winner=A left.A=7").finds("R6")


def test_R7_either_side_is_free_and_no_fault() -> None:
    given("california-speed", ROWS).when("A move Kd <stock:A >col:B:2").allows()
    given("california-speed", ROWS).when("A move Kd <stock:A >col:B:2", "B fault side A #5").finds("R7")


def test_best_of_three() -> None:
    match = given("california-speed", "B hand 1\n@ tally winner=A\nA hand 2\n@ tally winner=A", option={"best_of": 3})
    assert match.totals(A=2, B=0).judgement.state.standing.winner == "A"


@pytest.mark.parametrize("seed", range(8))
def test_self_play_ends_and_nobody_is_accused(seed: int) -> None:
    log = simulate("california-speed", seed=seed)
    for records in (log, hide(log)):
        judgement = judge(records)
        assert judgement.state.ended
        assert judgement.broken == []


@pytest.mark.parametrize("seed", range(8))
def test_every_breach_is_found(seed: int) -> None:
    log, truth = mischief("california-speed", seed=seed, p=0.05)
    breaches = {(b.position, rule) for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(log).broken} == breaches
    assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(hide(log)).broken} <= breaches
