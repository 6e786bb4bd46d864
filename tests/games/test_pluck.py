"""Pluck, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from typing import Any

import pytest
from given import Given, given
from referees.pluck import Referee
from sampling import seeds

from events.errors import UnreadableError
from events.model import Move, Name, Play
from events.writing import write_event
from reducers.first_state import begin
from reducers.legal import legal
from replay.fold import fold
from replay.judging.judge import judge
from replay.read_log import read_log
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.narration import tell

UNSEEN = "@ deal A=17x?? B=17x?? C=17x??\n"
HIDDEN = "A hand 1\n" + UNSEEN + "A name s\n"
MIXED = (
    "@ deal A=Jo+AhQh9h3hKsTs5s3sAc9c6c2cKdTd7d4d B=Jo-KhJh8h4hAsJs8s4sKcTc7c3cAdJd8d5d "
    "C=Th7h6h5hQs9s7s6sQcJc8c5c4cQd9d6d3d\n"
)
# Ann, who dealt, was one over, Bob two short, Cleo one over: both pluck from Bob, who deals now.
BEFORE = "A hand 1\n@ tally tricks.A=8 tricks.B=4 tricks.C=5\n"
SECOND = BEFORE + "B hand 2\n" + MIXED
COVERED = BEFORE + "B hand 2\n" + UNSEEN
# Ann has the hearts and the two of clubs, Bob the spades and the big joker, Cleo clubs, diamonds and the little joker.
SUITS = (
    "A hand 1\n@ deal A=AhKhQhJhTh9h8h7h6h5h4h3h2cAcKcQcJc B=AsKsQsJsTs9s8s7s6s5s4s3sJo+AdKdQdJd "
    "C=Tc9c8c7c6c5c4c3cTd9d8d7d6d5d4d3dJo-\n"
)
# Ann comes to have nothing but trumps, without having broken them; Bob has the ace and the three.
LONG = (
    "A hand 1\n@ deal A=KsQsJsTs9s8s7s6s5s4sJo+Jo-2cAcKcQcJc B=As3sAhKhQhJhTh9h8h7h6h5h4h3hTc9c8c "
    "C=AdKdQdJdTd9d8d7d6d5d4d3d7c6c5c4c3c\nA name s\n"
)
TO_THE_TRUMPS = "A 2c/B 8c/C 3c/B 9c/C 4c/A Ac/A Kc/B Tc/C 5c/A Qc/B 3h/C 6c/A Jc/B 4h/C 7c"


def plays(line: str) -> list[str]:
    """Cards with their seats, as lines of a record."""
    return [f"{one[0]} play {one[2:]}" for one in line.split("/")]


def doubtful(case: Given, rule: str, words: str, at: int | None = None) -> None:
    """The rule stays open, for this reason."""
    assert [
        f for f in case.opens(rule, at=at).about(at) if f.rule == f"pluck.{rule}" and words in f.text
    ], case.about(at)


def told(*hands: str, option: dict[str, object] | None = None) -> Given:
    """Hands of which only the tricks of all three are told, or how they ended; Ann deals first, and the deal passes
    on."""
    lines = []
    for i, hand in enumerate(hands):
        facts = " ".join(f"tricks.{seat}={n}" for seat, n in zip("ABC", hand.split(), strict=False))
        lines += [f"{'ABC'[i % 3]} hand {i + 1}", f"@ tally {facts}" if hand[0].isdigit() else hand]
    return given("pluck", "\n".join(lines), **({"option": option} if option else {}))


# R1, the deal
def test_R1_seventeen_each() -> None:
    given("pluck", SECOND).clean()
    assert given("pluck", HIDDEN).judgement.findings == []


@pytest.mark.parametrize("deal", ["A=18x??", "A=17x?? stock=1x??", "stock=??"])
def test_R1_no_more_and_nothing_is_left(deal: str) -> None:
    given("pluck", "A hand 1").when(f"@ deal {deal}").finds("R1")


def test_R1_only_the_two_of_clubs() -> None:
    given("pluck", HIDDEN).when("B play 2h").finds("T1")


# R2, when to pluck
def test_R2_not_in_the_first_hand() -> None:
    given("pluck", "A hand 1\n" + MIXED).when("A move 3h >B").finds("R2", words="first hand")
    given("pluck", SECOND).when("A move 3h >B").allows()


def test_R2_not_once_trumps_are_named() -> None:
    given("pluck", SECOND).when("B name h", "A move 3h >B").finds("R2", words="before trumps are named")
    given("pluck", COVERED).when("A play 2c", "A move 3h >B").finds("R2", words="before the play")


def test_R2_a_record_that_begins_later_leaves_the_plucks_open() -> None:
    case = given("pluck", "A hand 3\n" + UNSEEN).when("A move ?? >B")
    case.opens("R3")
    assert not [f for f in case.judgement.findings if f.rule == "pluck.R2"]
    given("pluck", HIDDEN).when("@ gap", "A move ?? >B").opens("R2")


@pytest.mark.parametrize("by", ["@", "B", "C"])
def test_R2_a_card_that_somebody_takes_is_passed_by_whose_hand_it_was(by: str) -> None:
    """The table may write that a card goes over, or whoever gets it."""
    first = given("pluck", "A hand 1\n" + MIXED).when(f"{by} move 3h <hand:A >B")
    first.finds("R2", words="first hand")
    taken = given("pluck", SECOND).when(f"{by} move 3h <hand:A >B", f"{by} move Kh <hand:B >A").clean()
    assert taken.judgement.state.hand.plucks.left("A") == 0
    taken.when(f"{by} move 3s <hand:A >B").finds("R3", words="A has plucked once already")
    given("pluck", SECOND).when(f"{by} move Jo+ <hand:A >B").finds("R4")
    given("pluck", SECOND).when(f"{by} move 3h3s <hand:A >B").finds("R6")
    given("pluck", SECOND).when("A move 3h >B", f"{by} move Jh <hand:B >A").finds("R5", words="B holds a higher heart")
    order = given("pluck", SECOND, option={"pluck_order": "higher_quota"})
    order.when(f"{by} move 3h <hand:A >B").finds("R3", words="C has the higher quota")
    twice = given("pluck", SECOND).when("A move 3h >B", "C move 5h >B", f"{by} move Kh <hand:B >A")
    twice.finds("R6", words="pays A back only after another pluck")
    no_joker = given(
        "pluck", BEFORE + "B hand 2\n@ deal A=17x?? B=17x?? C=Jo+Jo-15x??\n",
    ).when(f"{by} move ?? <hand:A >B")
    assert "pluck.R4" not in [f.rule for f in no_joker.judgement.findings]


# R3, how often
def test_R3_once_for_each_trick_over_and_short() -> None:
    given("pluck", SECOND).when("A move 3h >B", "B move Kh >A", "C move 5h >B", "B move Jh >C", "B name s").clean()
    given("pluck", SECOND).when(
        "A move 3h >B", "B move Kh >A", "A move 3s >B",
    ).finds("R3", words="A has plucked once already")


def test_R3_who_was_short_or_level_has_nothing_to_pluck() -> None:
    level = "A hand 1\n@ tally tricks.A=8 tricks.B=6 tricks.C=3\nB hand 2\n" + MIXED
    given("pluck", level).when("B move 3c >C").finds("R3", words="B was not over")
    given("pluck", level).when("A move 3h >B").finds("R3", words="B was not short")
    given("pluck", level).when("A move 3h >C").allows()
    given("pluck", SECOND).when("A move 3h >C").finds("R3", words="C was not short")


def test_R3_who_was_short_once_is_plucked_from_once() -> None:
    one_each = "A hand 1\n@ tally tricks.A=5 tricks.B=7 tricks.C=5\nB hand 2\n" + MIXED
    given("pluck", one_each).when("B move 3c >A", "A move Ac >B", "C move 3d >A", "A move Kd >C", "B name s").clean()
    two = "A hand 1\n@ tally tricks.A=6 tricks.B=5 tricks.C=6\nB hand 2\n" + MIXED
    given("pluck", two).when(
        "C move 3d >A", "A move Kd >C", "C move 4c >A",
    ).finds("R3", words="A was plucked from once already")


def test_R3_the_plucks_follow_the_quotas_of_the_hand_before() -> None:
    state = told("5 8 4", "6 6 5").when("C hand 3").judgement.state
    assert state.hand.plucks.over == {"A": 2, "B": -1, "C": -1}
    assert list(state.hand.plucks.pairs()) == [("A", "B"), ("A", "C")]


def test_R3_a_pluck_is_judged_as_the_first_act_of_a_hand_that_nobody_dealt() -> None:
    given("pluck", BEFORE).when("A move 3c >C").finds("R3", words="C was not short")
    given("pluck", BEFORE).when("A move 3c >B").allows()


def test_R3_no_card_pays_back_what_is_paid() -> None:
    given("pluck", SECOND).when("A move 3h >B", "B move Kh >A", "B move Jh >A").finds("R3", words="paid A back already")


def test_R3_a_card_that_can_only_be_paid_back_shows_a_pluck_that_nobody_wrote() -> None:
    case = given("pluck", COVERED).when("B move ?? >A")
    doubtful(case, "R3", "missing from the record")
    assert case.judgement.state.phase == "plucks"
    assert any("A plucked from B before this" in text for _, text in case.judgement.state.inferred)
    assert case.when("C move ?? >B", "B move ?? >C").judgement.state.phase == "naming"


def test_R3_plucks_lapse_when_trumps_are_named() -> None:
    given("pluck", SECOND).when("B name s").clean()


def test_R3_option_pluck_optional() -> None:
    must = given("pluck", SECOND, option={"pluck_optional": False})
    doubtful(must.when("B name s"), "R3", "missing from the record")
    must.when("A move 3h >B", "B move Kh >A", "B name s").finds("R3", words="C must still pluck from B")
    must.when("A move 3h >B", "B move Kh >A", "C move 5h >B", "B move Jh >C", "B name s").clean()


def test_R3_option_pluck_order() -> None:
    # Bob deals now and has seven to take, Cleo six, Ann four.
    order = given("pluck", SECOND, option={"pluck_order": "higher_quota"})
    order.when("A move 3h >B").finds("R3", words="C has the higher quota")
    order.when("C move 5h >B", "B move Kh >C", "A move 3h >B").allows()
    with pytest.raises(UnreadableError, match="pluck_order"):
        begin({"Game": "pluck", "Option": {"pluck_order": "youngest"}})


def test_R3_open_if_nobody_knows_how_the_last_hand_went() -> None:
    case = given("pluck", "A hand 1\n@ tally tricks.A=8\nB hand 2\n" + UNSEEN)
    doubtful(case.when("A move ?? >B"), "R3", "tricks B took")
    doubtful(case.when("B move ?? >C"), "R3", "tricks B and C took")


# R4, no joker
def test_R4_no_joker_either_way() -> None:
    given("pluck", SECOND).when("A move Jo+ >B").finds("R4")
    given("pluck", SECOND).when("A move 3h >B", "B move Jo- >A").finds("R4")
    given("pluck", SECOND).when("A move 3h >B").allows()


def test_R4_hidden_until_the_jokers_are_seen_elsewhere() -> None:
    case = given("pluck", COVERED).when("A move ?? >B")
    case.opens("R4", at=5)
    case.when("B move ?? >A", "B name s", "C play Jo+", "A play Jo-")
    dealt = BEFORE + "B hand 2\n@ deal A=17x?? B=17x?? C=Jo+Jo-15x??\n"
    assert "pluck.R4" not in [f.rule for f in given("pluck", dealt).when("A move ?? >B").judgement.findings]


# R5, the highest of the suit
@pytest.mark.parametrize(("passed", "back"), [("3h", "Kh"), ("Ah", "Ah"), ("3s", "As"), ("Ac", "Ac"), ("6c", "Kc")])
def test_R5_the_highest_of_the_suit_comes_back(passed: str, back: str) -> None:
    given("pluck", SECOND).when(f"A move {passed} >B", f"B move {back} >A").allows()


@pytest.mark.parametrize(
    ("passed", "back", "words"),
    [("3h", "Jh", "higher heart than the J♥"), ("3h", "3h", "higher heart"), ("Ah", "Kh", "higher heart"),
     ("3h", "Kc", "hearts were asked for, and the K♣ is not one"), ("6c", "As", "clubs were asked for")],
)  # fmt: skip
def test_R5_any_other_card_is_wrong(passed: str, back: str, words: str) -> None:
    given("pluck", SECOND).when(f"A move {passed} >B", f"B move {back} >A").finds("R5", words=words)


def test_R5_what_was_plucked_before_counts_too() -> None:
    # Bob has given the king away and holds the ace of spades that nobody asked for.
    given("pluck", SECOND).when("A move 3h >B", "B move Kh >A", "C move 5h >B", "B move Jh >C").allows()
    given("pluck", SECOND).when("C move 5h >B", "B move Kh >C", "A move Ah >B", "B move Ah >A").allows()
    given("pluck", SECOND).when("C move 5h >B", "B move Kh >C", "A move Ah >B", "B move Jh >A").finds("R5")


def test_R5_hidden_until_the_king_comes_out() -> None:
    # Ann wrote what she passed and what came back.
    case = given("pluck", COVERED).when("A move 3h >B", "B move Jh >A")
    doubtful(case, "R5", "whether B held a higher heart", at=6)
    led = case.stays_open("R5", "B name s", *plays("A 2c/B Tc/C 4c"), at=6).clean()
    led.when("B play Kh").finds("R5", at=6, known=11)
    # The three higher hearts in other hands, the last of them not before the second trick, clear B.
    kept = led.stays_open("R5", *plays("B 9h/C Ah/A Qh"), at=6).when("C play Kh")
    kept.settles("R5", at=6).clean()


def test_R5_nobody_is_accused_for_a_card_that_came_later() -> None:
    case = given("pluck", COVERED).when("A move 3h >B", "B move Jh >A", "C move Kh >B", "B move Kh >C")
    assert not list(case.judgement.broken)
    later = "A hand 1\n@ tally tricks.A=9 tricks.B=3 tricks.C=5\nB hand 2\n" + UNSEEN
    case = given("pluck", later).when("A move 3h >B", "B move Jh >A", "A move ?? >B", "B move ?? >A", "B name s")
    case.when(*plays("A 2c/B Tc/C 4c/B Kh")).opens("R5", at=6)


def test_R5_neither_card_was_seen() -> None:
    doubtful(given("pluck", COVERED).when("A move ?? >B", "B move ?? >A"), "R5", "passed was not seen")
    doubtful(given("pluck", COVERED).when("A move 3h >B", "B move ?? >A"), "R5", "came back was not seen")
    given("pluck", COVERED).when("A move ?h >B", "B move ?c >A").finds("R5", words="hearts were asked for")


def test_R5_an_unseen_card_that_cannot_have_been_the_highest() -> None:
    case = given("pluck", COVERED).when("A move 3h >B", "B move ?? >A", "B name s", *plays("A 2c/B Tc/C 4c/B Ah"))
    case.finds("R5", at=6, known=11)


def test_R5_a_correction_settles_it() -> None:
    case = given("pluck", SECOND).when("A move 3h >B", "B move ?? >A", "B name s")
    case.when("@ fix #6 B move Jh >A").finds("R5", at=6)
    case.when("@ fix #6 B move Kh >A").clean()


# R6, at once
def test_R6_one_card_at_a_time() -> None:
    given("pluck", SECOND).when("A move 3h3s >B").finds("R6", words="one card")


def test_R6_paid_back_only_after_another_pluck() -> None:
    case = given("pluck", SECOND).when("A move 3h >B", "C move 5h >B", "B move Kh >C")
    case.allows()
    case = given("pluck", SECOND).when("A move 3h >B", "C move 5h >B", "B move Kh >A")
    case.finds("R6", words="pays A back only after another pluck")


def test_R6_a_card_that_nobody_wrote_may_have_come_back() -> None:
    case = given("pluck", COVERED).when("A move ?? >B", "B name s")
    doubtful(case, "R6", "missing from the record")
    state = case.when("A play 2c").judgement.state
    assert {seat: len(state.holding(seat)) for seat in "ABC"} == {"A": 16, "B": 17, "C": 17}
    given("pluck", COVERED).when("A move ?? >B", "A play 2c").opens("R6", at=6)


def test_R6_a_card_that_comes_back_late_is_the_one_that_was_owed() -> None:
    late = given("pluck", COVERED).when("A move ?? >B", "B name s", "B move Kh >A")
    late.finds("R2")
    assert {seat: len(late.judgement.state.holding(seat)) for seat in "ABC"} == {"A": 17, "B": 17, "C": 17}
    later = given("pluck", COVERED).when("A move ?? >B", "B name s", "A play 2c", "B move Kh >A")
    later.finds("R2")
    assert {seat: len(later.judgement.state.holding(seat)) for seat in "ABC"} == {"A": 16, "B": 17, "C": 17}


# R7, trumps
def test_R7_the_dealer_names_a_suit_once() -> None:
    for suit in "cdhs":
        given("pluck", "A hand 1\n" + MIXED).when(f"A name {suit}").allows()
    given("pluck", "A hand 1\n" + MIXED).when("A name nt").finds("R7", words="one of c, d, h, s")
    given("pluck", "A hand 1\n" + MIXED).when("B name h").finds("R7", words="A deals and names trumps")
    given("pluck", "A hand 1\n" + MIXED).when("A name h", "A name s").finds("R7", words="hearts were named already")
    given("pluck", "A hand 1\n" + MIXED).when("A play 2c", "A name h").finds("R7", words="before the first lead")


def test_R7_open_after_a_gap() -> None:
    given("pluck", HIDDEN).when("@ gap", "B name h").opens("R7")


def test_R7_trumps_that_nobody_wrote_leave_open_who_wins() -> None:
    first = given("pluck", "A hand 1\n" + UNSEEN).when(*plays("A 2c/B 8h/C Jc"))
    first.when("A play Ah").finds("R8", words="B or C won the last trick")
    case = first.when("B play Ah")
    case.opens("R8")
    case.opens("R11")
    assert any("the suit was not recorded" in text for _, text in case.judgement.state.inferred)


# R8, in turn
def test_R8_one_card_each_clockwise() -> None:
    given("pluck", SUITS).when("A name s", "A play 2c", "C play 3c").finds("R8", words="turn of B")
    given("pluck", SUITS).when("A name s", "A play 2c3c").finds("R8", words="one card")
    given("pluck", SUITS).when("A name h", "A play 2c", "B play Jo+").allows()


def test_R8_the_winner_leads() -> None:
    case = given("pluck", SUITS).when("A name h", *plays("A 2c/B 3s/C 3c"))
    case.when("C play 4c").allows()
    case.when("A play Ac").finds("R8", words="C won the last trick")


# R9, the two of clubs
def test_R9_whoever_holds_it_leads_it() -> None:
    given("pluck", SUITS).when("A name h", "A play 2c").allows()
    given("pluck", SUITS).when("A name h", "A play Ac").finds("R9", words="A leads the 2♣")
    given("pluck", SUITS).when("A name h", "B play As").finds("R9", words="A leads the 2♣")


def test_R9_it_may_have_been_plucked() -> None:
    case = given("pluck", SECOND).when("A move 2c >B", "B move Kc >A", "B name s")
    case.when("B play 2c").allows()
    case.when("A play Ac").finds("R9", words="B leads the 2♣")


def test_R9_hidden_hands_and_another_card() -> None:
    given("pluck", HIDDEN).when("B play 2c").allows()
    given("pluck", HIDDEN).when("B play 3c").finds("R9", words="the holder")
    case = given("pluck", HIDDEN).when("B play ??")
    case.opens("R9", at=4)
    case.when(*plays("C 4c/A 5c/C 2c")).finds("R9", at=4)


# R10, following suit
def test_R10_follow_suit() -> None:
    given("pluck", SECOND).when("B name s", "A play 2c", "B play 3c").allows()
    given("pluck", SECOND).when("B name s", "A play 2c", "B play As").finds(
        "R10", words="clubs were led, and B holds one",
    )
    given("pluck", SUITS).when("A name h", "A play 2c", "B play As").allows()


def test_R10_the_joker_is_a_trump() -> None:
    given("pluck", SUITS).when("A name c", "A play 2c", "B play Jo+").allows()
    given("pluck", SUITS).when("A name c", "A play 2c", "B play As").finds("R10", words="Joker")
    given("pluck", SECOND).when("B name s", "A play 2c", "B play Jo-").finds("R10")


def test_R10_hidden_hands_are_open_until_the_club_comes_out() -> None:
    case = given("pluck", HIDDEN).when(*plays("A 2c/B 3h/C 4c"))
    case.opens("R10", at=5)
    case.when(*plays("C 5c/A 6c/B 7c")).finds("R10", at=5, known=9)


def test_R10_by_counting() -> None:
    # The other two hands were seen, and so nobody saw Bob's, which has the rest.
    rest = "A hand 1\n" + MIXED.replace(MIXED.split()[3], "B=17x??") + "A name s\n"
    given("pluck", rest).when("A play 2c", "B play As").finds("R10", words="holds one")
    given("pluck", rest).when("A play 2c", "B play 3c").allows()


def test_R10_a_joker_shows_a_trump() -> None:
    trumps = "A hand 1\n" + UNSEEN + "A name c\n"
    given("pluck", trumps).when(*plays("A 2c/B 3h/C 4c/C 5c/A 6c/B Jo+")).finds("R10", at=5, known=9)


# R11, R12: no trump is led before trumps are broken
def test_R11_before_they_are_broken() -> None:
    case = given("pluck", SUITS).when("A name d", *plays("A 2c/B As/C 3c"))
    case.when("C play Td").finds("R11", words="trumps are not broken")
    case.when("C play Jo-").finds("R11")
    case.when("C play 4c").allows()


def test_R12_a_ruff_breaks_them() -> None:
    given("pluck", SUITS).when("A name d", *plays("A 2c/B Jd/C 3c/B As/C 3d/A Ah/C 4d")).clean()
    given("pluck", SUITS).when("A name s", *plays("A 2c/B Jo+/C 3c/B As")).clean()


def test_R12_a_trump_of_a_seat_that_could_follow_does_not() -> None:
    case = given("pluck", SUITS).when("A name d", *plays("A 2c/B As/C 3d/C 4d"))
    case.finds("R11")
    assert case.judgement.state.hand.broken is False


def test_R12_clubs_are_broken_from_the_first_trick_on() -> None:
    given("pluck", SUITS).when("A name c", *plays("A 2c/B Jo+/C 3c/B As/C 4d/A Ah/B Ks")).clean()
    given("pluck", SUITS).when("A name c", *plays("A 2c/B Jo+/C 3c/B As/C Jo-/A Ah/C 4c")).clean()


def test_R12_clubs_may_be_led_to_the_second_trick_if_they_are_trumps() -> None:
    given("pluck", "A hand 1\n" + MIXED).when("A name c", *plays("A 2c/B 3c/C 4c"), "C play 5c").allows()


def test_R12_once_they_are_broken_a_trump_is_among_the_legal_leads() -> None:
    state = given("pluck", SUITS).when("A name d", *plays("A 2c/B Jd/C 3c/B As/C 3d/A Ah")).judgement.state
    assert {"4d", "Jo-", "4c"} <= {a.cards[0] for a in legal(state).acts if isinstance(a, Play)}


def test_R11_nothing_but_trumps() -> None:
    case = given("pluck", LONG).when(*plays(TO_THE_TRUMPS + "/A 4s"))
    case.clean()
    given("pluck", LONG).when(*plays("A 2c/B 8c/C 3c/B 9c/C 4c/A Ac/A 4s")).finds("R11")


def test_R12_option_forced_trump_lead_breaks() -> None:
    forced = plays(TO_THE_TRUMPS + "/A 4s/B As/C 3d/B 3s")
    given("pluck", LONG).when(*forced).clean()
    given("pluck", LONG, option={"forced_trump_lead_breaks": False}).when(*forced).finds("R11")


def test_R11_hidden_until_the_hand_is_out() -> None:
    # With sixteen cards left Bob cannot have nothing but trumps; with fourteen he can, until somebody else shows one.
    given("pluck", HIDDEN).when(*plays("A 2c/B 4c/C 3c/B As")).finds("R11")
    case = given("pluck", HIDDEN).when(*plays("A 2c/B 4c/C 3c/B 7c/C 5c/A 6c/B Tc/C 8c/A 9c/B As"))
    case.opens("R11", at=13)
    case.when(*plays("C 4s/A 5s/B 3h")).finds("R11", at=13, known=14)


def test_R11_whether_a_ruff_broke_them_is_open_too() -> None:
    case = given("pluck", HIDDEN).when(*plays("A 2c/B 4s/C 3c/B As"))
    doubtful(case, "R11", "whether trumps had been broken", at=7)
    # The club shows that the ruff was a revoke, and the heart that there was something else to lead.
    revoked = case.when(*plays("C 5s/A 6s/B 9c"))
    revoked.finds("R10", at=5)
    revoked.finds("R11", at=7)


# R13, any card
def test_R13_a_seat_without_the_suit_may_play_anything() -> None:
    case = given("pluck", SUITS).when("A name h", "A play 2c", "B play As")
    case.when("A fault revoke B #5").finds("R13", words="no card of the suit led")
    joker = given("pluck", SUITS).when("A name c", "A play 2c", "B play As")
    joker.when("A fault revoke B #5").allows()
    given("pluck", HIDDEN).when(*plays("A 2c/B 3h"), "A fault revoke B").allows()


# R14, who wins
@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [(
        "s", "2c 8c Jc", "C",
    ), ("s", "2c 8c 3c", "B"), ("s", "2c 3s Jc", "B"), ("s", "2c Ac Kc", "B"), ("s", "2c Ah Kd", "A"),
     ("s", "2c As Jo-", "C"), (
         "s", "2c Jo- Jo+", "C",
     ), ("s", "2c Jo+ Jo-", "B"), ("c", "2c Ac Jo-", "C"), ("c", "2c Ah 3c", "C")],
)  # fmt: skip
def test_R14_who_wins(trump: str, cards: str, winner: str) -> None:
    lines = [f"{seat} play {card}" for seat, card in zip("ABC", cards.split(), strict=True)]
    case = given("pluck", "A hand 1\n" + UNSEEN + f"A name {trump}").when(*lines)
    case.when(f"@ move * <trick >won:{winner}").allows()
    for other in "ABC".replace(winner, ""):
        case.when(f"@ move * <trick >won:{other}").finds("R14")


# R15, points
@pytest.mark.parametrize(
    ("tricks", "points"),
    [
        ("8 5 4", (1, 0, 0)), ("7 6 4", (0, 0, 0)), ("0 0 17", (0, 0, 13)), ("17 0 0", (10, 0, 0)),
        ("0 17 0", (0, 11, 0)), ("9 7 1", (2, 1, 0)),
    ],
)
def test_R15_what_is_over_the_quota(tricks: str, points: tuple[int, int, int]) -> None:
    told(tricks).clean().scores(**dict(zip("ABC", points, strict=True)))


def test_R15_the_quotas_go_round_with_the_deal() -> None:
    told("8 5 4", "8 5 4", "8 5 4").totals(A=1 + 4 + 2, B=1, C=0)
    assert told("8 5 4").judgement.state.scores[0].lines[1].sums == {
        "A": "8 − 7 = +1", "B": "5 − 6 = −1", "C": "4 − 4 = 0",
    }


@pytest.mark.parametrize(
    "tally", ["tricks.A=18", "tricks.A=8 tricks.B=6 tricks.C=4", "tricks.A=1 tricks.B=1 tricks.C=1", "trick.1=X"],
)
def test_R15_figures_that_cannot_be(tally: str) -> None:
    case = given("pluck", "A hand 1").when(f"@ tally {tally}")
    assert [f.verdict.value for f in case.about()] == ["broken"], case.about()


def test_R15_two_figures_give_the_third() -> None:
    given("pluck", "A hand 1\n@ tally tricks.A=8 tricks.B=5").scores(A=1, B=0, C=0)
    given("pluck", "A hand 1\n@ tally tricks.A=8").scores(A=1, B=None, C=None)


def test_R15_a_claim_that_is_wrong() -> None:
    wrong = score_match(told("8 5 4").when("@ claim A=2 B=0 C=0").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("A", 2, 1)]
    assert claim_differences(score_match(told("8 5 4").when("@ claim A=1 B=0 C=0").records)) == []


def test_R15_a_ruling_hands_a_trick_over() -> None:
    lines = "A hand 1\n@ tally tricks.A=8 tricks.B=5 tricks.C=4\nB dispute #2\n@ ruling #3 tricks.A=-1 tricks.B=1"
    score = score_match(given("pluck", lines).records)
    assert score.ways["played"].totals == {"A": 1, "B": 0, "C": 0}
    assert score.ways["ruled"].totals == {"A": 0, "B": 0, "C": 0}


def test_R15_open_if_nobody_knows_who_dealt() -> None:
    given("pluck", "A hand 1\n@ gap\n@ tally tricks.A=8 tricks.B=5 tricks.C=4").scores(A=None, B=None, C=None)


# R16, the deal
def test_R16_the_deal_passes_to_the_left() -> None:
    told("8 5 4").when("B hand 2").allows()
    told("8 5 4").when("C hand 2").finds("R16", words="B deals, not C")
    told("@ tally void=misdeal").when("A hand 2").allows()


def test_R16_a_hand_that_does_not_count_leaves_the_plucks() -> None:
    void = told("8 4 5", "@ end hand misdeal").when("B hand 3")
    assert void.judgement.state.hand.plucks.over == {"A": 1, "B": -2, "C": 1}


# R17, the match
def outcome(case: Given) -> tuple[str, str]:
    """How the match ended, and who has won it."""
    state = case.judgement.state
    return state.ended, state.standing.winner


def test_R17_the_first_with_twenty() -> None:
    assert outcome(told("17 0 0")) == ("", "")
    # Ann has ten as the dealer, then thirteen at the dealer's right.
    assert outcome(told("17 0 0", "17 0 0")) == ("won", "A")
    assert outcome(told("15 1 1", "16 0 1")) == ("won", "A")
    assert outcome(told("15 1 1", "15 1 1")) == ("", "")


def test_R17_two_at_once_and_level() -> None:
    target: dict[str, object] = {"target": 2}
    assert outcome(told("9 8 0", option=target)) == ("", "")
    assert outcome(told("10 7 0", option=target)) == ("won", "A")
    assert outcome(told("9 8 0", "4 8 5", option=target)) == ("won", "B")
    assert outcome(told("9 2 6", option=target)) == ("", "")


def test_R17_option_target() -> None:
    assert outcome(told("8 5 4", option={"target": 1})) == ("won", "A")


# at the table
def test_legal_acts_are_plucks_and_trumps_then_the_highest_then_the_two_of_clubs() -> None:
    state = given("pluck", SECOND).judgement.state
    acts = legal(state).acts
    assert {(a.by, a.to) for a in acts if isinstance(a, Move)} == {("A", "hand:B"), ("C", "hand:B")}
    assert "Jo+" not in {a.cards[0] for a in acts if isinstance(a, Move)}
    assert {(a.by, a.what) for a in acts if isinstance(a, Name)} == {("B", suit) for suit in "cdhs"}
    state = given("pluck", SECOND).when("A move 3h >B").judgement.state
    assert [a.cards[0] for a in legal(state).acts if isinstance(a, Move)] == ["Kh"]
    state = given("pluck", SECOND).when("B name h").judgement.state
    assert [write_event(a) for a in legal(state).acts if isinstance(a, Play)] == ["A play 2c"]


def test_plucks_are_told_as_cards_that_are_passed() -> None:
    log = read_log(given("pluck", COVERED, B="Bill").when("A move ?? >B", "B move ?? >A", "C move 5h >B").records)
    assert [" ".join(line.split()[:-1]) for line in tell(log) if "passes" in line] == [
        "A passes an unseen card to Bill", "Bill passes an unseen card to A", "C passes 5♥ to Bill",
    ]  # fmt: skip


# the referee: a second opinion, written from the rule text alone
OPTIONS: dict[str, dict[str, Any]] = {
    "usual": {}, "short": {"target": 5}, "compulsory": {"pluck_optional": False},
    "strict": {"forced_trump_lead_breaks": False}, "ordered": {"pluck_order": "higher_quota", "pluck_optional": False},
}  # fmt: skip


def referee_of(options: dict[str, object]) -> Referee:
    """The referee for a table with these house rules; it has a word of its own for the order of the plucks."""
    return Referee(["A", "B", "C"], **{**options, **({"pluck_order": "quota"} if "pluck_order" in options else {})})


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", seeds(1, 40))
def test_the_referee_agrees_about_legal_matches(seed: int, name: str) -> None:
    """Five hands or more in each match: the points of each, and who has won."""
    hands = 5 if seed == 0 and name != "short" else None
    records = simulate("pluck", seed=seed, options=OPTIONS[name], hands=hands)
    state, referee = fold(records), referee_of(OPTIONS[name])
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert hands is not None or state.standing.winner == referee.winner() != ""


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    name = list(OPTIONS)[seed % len(OPTIONS)]
    records, _ = simulate_breaches("pluck", seed=seed, p=0.04, hands=3, options=OPTIONS[name])
    at = referee_of(OPTIONS[name]).read([write_event(r.event) for r in records[1:]])
    assert at == min((f.at.pos for f in judge(records).broken), default=0)


def test_R3_with_one_figure_of_the_last_hand_a_card_may_come_back_for_an_unwritten_pluck() -> None:
    given("pluck", "A hand 1\n@ tally tricks.A=3\nB hand 2\n" + UNSEEN).when("A move 9d >B").opens("R3")
    # Ann was short and Bob was not over: he cannot have plucked from her.
    told_two = "A hand 1\n@ tally tricks.A=3 tricks.B=5 tricks.C=9\nB hand 2\n" + UNSEEN
    given("pluck", told_two).when("A move 9d >B").finds("R3", words="A was not over its quota")
