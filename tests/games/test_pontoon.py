"""Pontoon, rule by rule: each has the cases of its kind, and the payouts those of the text."""

from __future__ import annotations

from statistics import median

import pytest
from given import Given, given, with_gap
from sampling import a_few, seeds

from events.model import Call, Draw, Hand, Move, Open, Recorded
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.games.pontoon import FIVE, READINGS, WRITTEN, Options, delta, rank, tally
from reducers.games.pontoon import Hand as PontoonHand
from reducers.legal import legal, objections
from reducers.model import State
from reducers.registry import find_game
from reducers.sheet import Sheet
from reducers.words.totals import best
from replay.fold import corrected, fold
from replay.judging.judge import Judge, deduce, judge
from replay.judging.repairs import suggest
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

GAME = "pontoon"
# D banks; A, B and C play. First cards and what is bought are seen by nobody.
BETS = "D hand 1\n@ deal down A=?? B=?? C=?? D=??\nA bet 4\nB bet 2\nC bet 3\n"
SECOND = BETS + "D deal up A=9c B=Kh C=5d D=8s\n"
TEN_SHOWS = BETS + "D deal up A=9c B=Kh C=5d D=Ts\n"
STUCK = SECOND + "A pass\nB pass\nC pass\n"
FOUR = {"Seats": "A B C D"}


def table(lines: str = "", **tags: object) -> Given:
    """A table of four, with these lines."""
    return given(GAME, lines, **{**FOUR, **tags})


def known(a: str, b: str, c: str, d: str) -> str:
    """The same stakes with all cards known: the first card of each hand, then the second."""
    first, second = (
        " ".join(f"{seat}={cards[i : i + 2]}" for seat, cards in zip("ABCD", (a, b, c, d), strict=True)) for i in (0, 2)
    )
    return f"D hand 1\n@ deal down {first}\nA bet 4\nB bet 2\nC bet 3\nD deal up {second}\n"


def rank_of(values: tuple[int, ...]) -> int:
    """What cards of these values are."""
    return rank(best(sum(values), 1 in values), len(values))


def broken_in(case: Given) -> list[str]:
    return [f.rule for f in case.judgement.broken]


def open_in(case: Given) -> list[str]:
    return [f.rule for f in case.judgement.open]


# R1, the stakes
def test_R1_kept() -> None:
    table(SECOND).clean()


@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        ("D hand 1\n", "B bet 2", "A bets first"),
        ("D hand 1\nA bet 4\n", "A bet 2", "has staked 4 already"),
        ("D hand 1\n", "D bet 2", "holds the bank"),
        ("D hand 1\n", "A bet 11", "from 1 to 10"),
        ("D hand 1 min=3 max=20\n", "A bet 2", "from 3 to 20"),
        ("D hand 1 out=B\nA bet 4\n", "B bet 2", "was not dealt in"),
        ("D hand 1\n@ deal down A=?? C=?? D=??\nA bet 4\n", "B bet 2", "was not dealt in"),
        ("D hand 1\n@ deal down A=2x?? B=?? C=?? D=??\n", "A bet 4", ""),
        (BETS.replace("B bet 2\n", "") + "D deal up A=9c B=Kh C=5d D=8s\n", "B bet 2", "before the second card"),
    ],
    ids=lambda v: str(v).replace("\n", ", "),
)
def test_R1_broken(lines: str, act: str, words: str) -> None:
    case = table(lines).when(act)
    if words:
        case.finds("R1", words=words)
    else:
        case.finds("R1", at=2, words="one card at a time")


def test_R1_limits_of_a_banker_hold_while_the_bank_stays() -> None:
    lines = PLAIN.replace("hand 1", "hand 1 min=2 max=20").replace("A bet 4", "A bet 15")
    table(lines).when("D hand 2", "A bet 20").clean()
    table(lines).when("D hand 2 max=10", "A bet 20").finds("R1", words="from 2 to 10")
    won = DONE.replace("hand 1", "hand 1 min=2 max=20")
    table(won).when("B hand 2", "C bet 20").finds("R1", words="from 1 to 10")
    table("").when("D hand 1 min=5 max=2").finds("R1", words="at least 5")


def test_R1_a_stake_nobody_wrote_is_an_open_question() -> None:
    """The recorder is suspected before the players."""
    table(BETS.replace("C bet 3\n", "")).when("D deal up A=9c B=Kh C=5d D=8s").opens("R1").allows()
    table("D hand 1\n@ deal down A=?? B=?? C=?? D=??\n").when("D deal up A=9c B=Kh C=5d D=8s").clean()


def test_R1_a_card_shown_before_any_hand_may_be_cut_for_the_bank() -> None:
    """Unless it is known who deals."""
    given(GAME, "", Seats="A B").when("A show 9h").clean()
    given(GAME, "", Seats="A B", Dealer="B").when("A show 9h").finds("R1", words="no player shows the first card")


# R2, the banker's look
def test_R2_kept() -> None:
    table(TEN_SHOWS).when("D pass", "A pass").clean()
    for act in ("D show AdTs", "@ show AdTs", "D show Ad"):
        table(TEN_SHOWS).when(act).clean().scores(A=-8, B=-4, C=-6, D=18)
    table(TEN_SHOWS).when("D call pontoon Ad").clean().scores(A=-8, B=-4, C=-6, D=18)


def test_R2_nothing_to_look_for_below_ten() -> None:
    """A pontoon always shows an ace or a ten-card, so the other up cards leave no question."""
    assert table(SECOND).judgement.state.turn == ("A",)
    assert "pontoon.R2" not in open_in(table(STUCK))


def test_R2_broken_open_and_proven_by_the_card_turned_up() -> None:
    case = table(TEN_SHOWS).when("D pass").opens("R2")
    played = case.when("A pass", "B pass", "C pass")
    played.when("D show AdTs").finds("R2", at=7, known=11, words="every player pays double")
    played.when("D show 7dTs").allows(at=7)
    table(known("7h9c", "4cKh", "8h5d", "AdTs")).when("D pass").finds("R2")


def test_R2_a_look_nobody_wrote_is_taken_as_done() -> None:
    table(TEN_SHOWS).when("A pass").allows().opens("R2")


def test_R2_an_overlooked_pontoon_takes_twice_the_first_stake() -> None:
    """What was bought afterwards should never have been staked."""
    lines = (
        TEN_SHOWS
        + (
            "D pass\nA bet 8\nA draw down 2c\nA pass\nB pass\nC pass\nD show AdTs\nD pass\nA show 3h2c\nB show "
            "9h\nC show 9d\n"
        )
    )
    table(lines).scores(A=-8, B=-4, C=-6, D=18)


# R3, turns
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (SECOND, "B draw up 2c", "turn of A"),
        (SECOND, "D draw up 2c", "bank plays last"),
        (SECOND + "A pass\n", "A draw up 2c", "A has finished"),
        (SECOND + "A draw up 9d\n", "B pass", "turn of A"),
        (STUCK, "C draw up 2c", "C has finished"),
        (TEN_SHOWS, "B pass", "turn of A"),
        (TEN_SHOWS, "D draw up 2c", "bank plays last"),
        (SECOND + "A move up 9h >A:2\nA draw up 2c\nA:2 draw up 3c\n", "A:2 pass", "turn of A"),
        (SECOND, "B call pontoon", "turn of A"),
    ],
    ids=lambda v: str(v).replace("\n", ", "),
)
def test_R3_broken(lines: str, act: str, words: str) -> None:
    table(lines).when(act).finds("R3", words=words)


@pytest.mark.parametrize(
    ("acts", "at"),
    [
        (["B pass", "C pass", "D show 9h", "D pass"], 7),
        (["B draw up 2c", "B pass", "C pass", "D show 9h", "D pass"], 7),
        (["B call pontoon", "C draw up 2c", "C pass", "D show 9h", "D pass"], 7),
        (["B bet 2", "B draw down ??", "B pass", "C pass", "D show 9h", "D pass"], 7),
        (
            [
                "B move up Kd >B:2", "B draw up 2c", "B:2 draw up 3c", "B pass", "B:2 pass", "C pass", "D show 9h",
                "D pass",
            ],
            7,
        ),
        (["A draw up 2c", "B pass", "C pass", "D show 9h", "D pass"], 8),
        (["A pass", "C pass", "D show 9h", "D pass"], 8),
        (["A pass", "B pass", "D show 9h", "D pass"], 9),
        (["A pass", "B pass", "D draw up 2c", "D pass"], 9),
        (["C pass", "D show 9h", "D pass"], 7),
    ],
    ids=lambda v: ", ".join(v) if isinstance(v, list) else "",
)
def test_R3_a_stick_nobody_wrote_is_one_finding(acts: list[str], at: int) -> None:
    """If this failed, one line that was forgotten would accuse everybody who plays after it."""
    case = table(SECOND).when(*acts)
    assert [(f.rule, f.at.pos) for f in case.judgement.broken] == [("pontoon.R3", at)]
    # Whoever was passed over has stuck by the time the bank plays, and the hand is scored.
    assert case.judgement.state.phase == "showdown"
    assert "A" in case.judgement.state.hand.done


def test_R3_sticks_that_a_record_never_has_are_shown_by_the_bank() -> None:
    """A recorder who writes no stick at all accuses nobody; one who writes them has forgotten one, or the bank was
    too early."""
    silent = table(SECOND).when("D show 9h", "D draw up 2c", "D pass").clean()
    assert [text for _, text in silent.judgement.state.inferred] == [
        f"{seat} has stuck (not recorded)" for seat in "ABC"
    ]
    table(SECOND).when("A pass", "D show 9h").finds("R3", words="turn of B")


def test_R3_who_draws_shows_that_the_second_cards_have_come() -> None:
    """If this failed, a table that does not write them would have everybody out of time, or nobody could show two
    cards."""
    case = table(BETS).when("A draw up 5h").allows()
    assert (case.judgement.state.phase, len(case.judgement.state.holding("A"))) == ("play", 3)
    assert (6, "every hand has a second card, face up (not recorded)") in case.judgement.state.inferred
    table(BETS).when("D show JhAs").clean()


def test_R12_a_tally_tells_what_came_after_the_last_act() -> None:
    """If this failed, a result would contradict the cards of a hand that was not recorded to its end."""
    table(SECOND).when(
        "A draw up 2c", "@ tally bank=19 class.A=bust class.B=20 class.C=18 stake.A=4 stake.B=2 stake.C=3",
    ).clean()
    table(known("7h9c", "4cKh", "8h5d", "6d8s")).when(
        "A pass", "@ tally class.A=bust stake.A=4",
    ).finds("T12", words="class.A is 16, not bust")


def test_R3_who_plays_too_early_is_found_and_who_was_passed_over_is_not() -> None:
    early = table(SECOND).when("B pass", "A draw up 2c", "A pass", "C pass")
    assert [(f.rule, f.at.pos) for f in early.judgement.broken] == [("pontoon.R3", 7)]
    # Two who are passed over one after the other are two findings.
    twice = table(SECOND).when("B draw up 2c", "C pass")
    assert [(f.rule, f.at.pos) for f in twice.judgement.broken] == [("pontoon.R3", 7), ("pontoon.R3", 8)]


def test_R3_kept() -> None:
    table(STUCK).when("D show 9h", "D draw up 2c", "D pass").clean()


@pytest.mark.parametrize(
    ("up", "look", "fine"),
    [
        ("?c", "D pass", True), ("??", "D pass", True), ("T?", "D pass", True), ("7?", "D pass", False),
        ("8s", "D pass", False),
    ]
)
def test_R3_a_bank_that_may_show_a_ten_card_may_look(up: str, look: str, fine: bool) -> None:
    """If this failed, a banker would be accused because an open card was not wholly seen."""
    case = table(BETS + f"D deal up A=9c B=Kh C=5d D={up}\n").when(look)
    if fine:
        case.clean()
        # Looked at once, the card is not looked at again.
        case.when("D pass").finds("R3")
    else:
        case.finds("R3")
    table(
        BETS + "D deal up A=9c B=Kh C=5d D=??\n"
    ).when("D show AdTs").opens("R3").allows().scores(A=-8, B=-4, C=-6, D=18)


@pytest.mark.parametrize(
    ("lines", "act", "rule"),
    [
        ("D hand 1\n", "@ deal down A=*x?? B=?? C=?? D=??", ""),
        (BETS, "D deal up A=*x?? B=Kh C=5d D=8s", ""),
        (SECOND, "A draw up *x??", "R7"),
        (SECOND, "A move up *x?? >A:2", "R8"),
        (SECOND + "A draw up *x??\n", "A draw up Kc", ""),
        (STUCK, "D show *x??", ""),
        (STUCK + "D show 9h\n", "D draw up *x??", "R7"),
    ],
)
def test_R7_cards_nobody_counted_are_any_number(lines: str, act: str, rule: str) -> None:
    """If this failed, an onlooker who did not count would make a breach of it."""
    case = table(lines).when(act).allows()
    if rule:
        case.opens(rule)


# R4, what a pontoon is
@pytest.mark.parametrize(
    ("cards", "pontoon"),
    [("AhKd", True), ("AhQd", True), ("AhJd", True), ("AhTd", True), ("Ah9d", False), ("KhTd", False)],
)
def test_R4_declared(cards: str, pontoon: bool) -> None:
    case = table(known(cards, "4cQs", "8h5d", "7h8s")).when("A call pontoon")
    if pontoon:
        case.clean()
    else:
        case.finds("R4", words="no pontoon")


def test_R4_three_cards_that_make_21_are_none() -> None:
    table(known("7h7d", "4cKh", "8h5d", "7c8s")).when("A draw up 7s", "A call pontoon").finds("R4")
    table(SECOND).when("A draw up 7s", "A call pontoon").finds("R4")


def test_R4_open_and_proven_at_the_showdown() -> None:
    lines = BETS + "D deal up A=Ac B=Kh C=5d D=8s\nA call pontoon\nB pass\nC pass\nD show 9h\nD pass\n"
    case = table(lines).opens("R4", at=7)
    case.when("A show 9d").finds("R4", at=7, known=12)
    case.when("A show Td").allows(at=7)


def test_R4_a_pontoon_draws_nothing() -> None:
    table(known("KhAd", "4cKd", "8h5d", "7h8s")).when("A draw up 2c").finds("R4", words="draws no card")
    case = table(BETS + "D deal up A=Ac B=Kh C=5d D=8s\n").when("A draw up 2c").opens("R4")
    case.when("A pass", "B pass", "C pass", "D show 9h", "D pass", "A show Kd").finds("R4", at=7, known=13)


def test_R4_after_a_split_unless_the_house_says_no() -> None:
    lines = known("AhAd", "4cKd", "8h5d", "7h8s") + "A move up Ah >A:2\nA draw up Kc\nA:2 draw up 5c\n"
    table(lines).when("A call pontoon").clean()
    table(lines, option={"split_pontoon": "no"}).when("A call pontoon").finds("R4")


# R5 and R6, buying
@pytest.mark.parametrize(("amount", "fine"), [(3, False), (4, True), (6, True), (8, True), (9, False)])
def test_R5_the_first_stake_once_to_twice(amount: int, fine: bool) -> None:
    case = table(SECOND).when(f"A bet {amount}")
    if fine:
        case.clean()
    else:
        case.finds("R5", words="a card costs 4 to 8")


def test_R5_measured_by_the_first_stake_not_by_what_it_has_grown_to() -> None:
    table(SECOND).when("A bet 8", "A draw down ??", "A bet 9").finds("R5")
    table(SECOND).when("A bet 8", "A draw down ??", "A bet 4").clean()


def test_R5_a_bought_card_comes_face_down() -> None:
    table(SECOND).when("A bet 4", "A draw up 2c").finds("R5", words="face down")
    table(SECOND).when("A bet 4", "A draw down ??").clean()


def test_R6_not_after_a_twist() -> None:
    table(SECOND).when("A draw up 2c", "A bet 4").finds("R6", words="has twisted")
    table(SECOND).when("A bet 4", "A draw down ??", "A draw up 2c").clean()


def test_R6_not_at_twenty_one() -> None:
    """A-9-A is 21 in its best way of counting, and buys nothing."""
    table(known("Ah9c", "4cKd", "8h5d", "7h8s")).when(
        "A bet 4", "A draw down Ad", "A bet 4",
    ).finds("R6", words="A has 21")
    table(known("Ah8c", "4cKd", "8h5d", "7h8s")).when("A bet 4", "A draw down Ad", "A bet 4").clean()


def test_R6_open_where_nobody_saw_which_hidden_card_came_first() -> None:
    """Nine with seven and five is 21, nine with five and two is not: what was held at the second purchase stays
    open."""
    case = table(SECOND).when("A bet 4", "A draw down ??", "A bet 4").opens("R6")
    end = case.when("A draw down ??", "A pass", "B pass", "C pass", "D show 9h", "D draw up 4h", "D pass")
    end.when("A show 7h5s2d").opens("R6", at=9)


def test_R6_open_and_proven_at_the_showdown() -> None:
    lines = BETS + "D deal up A=Ac B=Kh C=5d D=8s\n"
    case = table(lines).when("A bet 4").opens("R6")
    case.when(
        "A draw down 5h", "A pass", "B pass", "C pass", "D show 9h", "D pass", "A show Td",
    ).finds("R6", at=7, known=14)


# R7, twisting
def test_R7_kept_also_at_twenty_one() -> None:
    table(
        known("7h7d", "4cKh", "8h5d", "9h8s")
    ).when("A draw up 7s", "A draw up 2c").allows().when("A pass").finds("R10")


@pytest.mark.parametrize(
    ("act", "words"),
    [("A draw down ??", "paid for no card"), ("A draw up 2c3c", "one at a time"), ("A play 2c", "never played")]
)
def test_R7_broken(act: str, words: str) -> None:
    table(SECOND).when(act).finds("R7", words=words)


def test_R7_house_rules() -> None:
    five = SECOND + "A draw up 2c\nA draw up 2d\nA draw up 2h\n"
    table(five).when("A draw up 2s").allows()
    table(five, option={"stop_at_five": "yes"}).when("A draw up 2s").finds("R7", words="stops at five")
    low = known("7h2c", "4cKh", "8h5d", "9h8s")
    table(low).when("A pass").clean()
    table(low, option={"min_stick": "15"}).when("A pass").finds("R7", words="no player sticks below 15")
    table(SECOND, option={"min_stick": "15"}).when("A pass").opens("R7")
    table(five, option={"min_stick": "20"}).when("A pass").allows()


def test_R7_after_a_gap_nobody_is_said_to_have_five_cards() -> None:
    """If this failed, the first card would count twice if the gap was before the deal, and a fourth be one too many."""
    case = table(
        "@ gap\n@ deal down A=?? B=?? C=?? D=??\nA bet 4\nB bet 2\nC bet 3\nD deal up A=9c B=Kh C=5d D=8s\n",
        option={"stop_at_five": "yes"},
    )
    case.when("A draw up 2c", "A draw up 2d").clean()


# R8 and R9, splitting
SPLIT = known("8h8c", "4cKd", "8d5d", "7h9s") + "A move up 8h >A:2\n"


def test_R8_kept_and_split_again() -> None:
    case = table(SPLIT).when("A bet 4 >A:2", "A draw up 8s", "A:2 draw up 2c").clean()
    case.when("A move up 8s >A:3", "A draw up Kc", "A:3 draw up 3c", "A pass", "A:3 pass", "A:2 pass").clean()


@pytest.mark.parametrize(
    ("cards", "acts", "words"),
    [
        ("KhQc", ["A move up Kh >A:2"], "not of one rank"),
        ("8h8c", ["A draw up 2c", "A move up 8h >A:2"], "before anything else"),
        ("8h8c", ["A bet 4", "A draw down 2c", "A move up 8h >A:2"], "before anything else"),
        ("8h8c", ["A move up 8h >A:2", "A bet 3 >A:2"], "carries 4"),
    ],
    ids=str,
)
def test_R8_broken(cards: str, acts: list[str], words: str) -> None:
    table(known(cards, "4cKd", "8d5d", "7h9s")).when(*acts).finds("R8", words=words)


def test_R8_a_split_shows_that_the_second_cards_have_come() -> None:
    """Nobody wrote any deal: if this failed, a legal split would be a breach."""
    split = given("pontoon", "B hand 1\nA bet 2\nA move up Kh >A:2", Seats="A B").opens("R8").clean()
    split.when("A draw up 2s", "A:2 draw up 6h", "A draw up 4s", "A pass", "A:2 pass", "B show Qc8h", "B pass").clean()


def test_a_hand_that_was_not_split_off_comes_to_be_with_its_first_card() -> None:
    """If this failed, the card would be lost with it."""
    for card, cards in (("3c", ["3c"]), ("??", [])):
        drawn = table(SECOND).when(f"A:2 draw up {card}").judgement.state.table
        assert drawn.pack.cards(drawn.piles["A:2"].certain) == cards
        assert sum(map(len, drawn.piles.values())) == drawn.pack.size


def test_R8_open_and_proven_when_the_other_card_is_shown() -> None:
    """King and queen split as a pair: the open card goes over, the hidden one is seen at the showdown."""
    lines = BETS + "D deal up A=Kc B=Kh C=5d D=8s\nA move up Kc >A:2\n"
    case = table(lines).opens("R8")
    end = case.when("A draw up 2c", "A:2 draw up 3c", "A pass", "A:2 pass", "B pass", "C pass", "D show 9d", "D pass")
    end.when("A show Qh").finds("R8", at=7, known=16)
    end.when("A show Ks").allows(at=7)


def test_R8_the_second_hand_carries_the_first_stake() -> None:
    lines = (
        SPLIT
        + "A draw up Kc\nA:2 draw up 2c\nA pass\nA:2 pass\nB pass\nC pass\nD show 7h\nD pass\nB show 4c\nC show 8d\n"
    )
    table(lines).clean().scores(A=0, B=-2, C=-3, D=5)


def test_R9_broken_and_kept() -> None:
    lines = SPLIT + "A draw up Kc\nA:2 draw up 2c\n"
    table(lines).when("A bet 4").finds("R9")
    table(lines).when("A pass", "A:2 bet 8").finds("R9")
    table(lines).when("A draw up 2d", "A pass", "A:2 draw up 3h", "A:2 pass").clean()


# R10, bust
def test_R10_kept() -> None:
    table(SECOND).when("A draw up 8c", "A call bust Th").clean()
    assert table(SECOND).when("A draw up 8c", "A show Th").clean().judgement.state.turn == ("B",)


@pytest.mark.parametrize("act", ["A pass", "A draw up 2d", "A call pontoon"])
def test_R10_broken(act: str) -> None:
    table(known("Th9c", "4cKh", "8h5d", "7h8s")).when("A draw up 8c", act).finds("R10", words="A has 27 and is bust")


def test_R10_open_and_proven_at_the_showdown() -> None:
    """The classic: somebody sticks on a bust and hopes that the bank goes bust too."""
    lines = SECOND + "A draw up 8c\nA pass\nB pass\nC pass\nD show 9h\nD draw up 6h\n"
    case = table(lines).opens("R10", at=8)
    case.when("A show Th").finds("R10", at=8, known=13, words="A has 27")
    case.when("A show 4h").allows(at=8)
    case.when("A show Th", "B show 2d", "C show 9d").scores(A=-4, B=2, C=3, D=-1)


def test_R10_a_hand_that_is_not_bust() -> None:
    table(known("2h9c", "4cKh", "8h5d", "7h8s")).when("A draw up 8c", "A call bust").finds(
        "R10", words="A has 19 and is not bust",
    )
    table(SECOND).when("A call bust").finds("R10")
    table(SECOND).when("A draw up 8c", "A call bust").opens("R10")


def test_R10_the_bank_too() -> None:
    case = table(STUCK).when("D show 9h", "D draw up 6h")
    assert case.clean().judgement.state.phase == "showdown"
    table(known("2h9c", "4cKh", "8h5d", "7h8s")).when(
        "A pass", "B pass", "C pass", "D show 7h", "D draw up 9s", "D pass",
    ).allows()


def test_R10_a_word_that_tells_how_a_hand_ended_belongs_to_it_still() -> None:
    """The bank says that it is bust once its cards lie open, at the showdown or when all has been shown."""
    bust = known("2h9c", "4cKh", "8h5d", "7h8s") + "A pass\nB pass\nC pass\nD show 7h\nD draw up 9s\n"
    showdown = bust.replace("A=2h", "A=??")
    case = table(showdown).when("D call bust")
    assert case.clean().judgement.state.phase == "showdown"
    over = table(showdown + "A show 2h9c\n").when("D call bust 7h8s9s", "D pay 4 >A")
    assert (over.clean().judgement.open, over.judgement.state.number) == ([], 1)
    lower = showdown.replace("9s", "5s") + "D pass\n"
    table(lower).when("D call bust").finds("R10", words="D has 20 and is not bust")


# R11, the bank may stop anywhere
def test_R11_used() -> None:
    table(STUCK).when("D show 2h", "D pass").clean()
    table(STUCK).when("D show Kd", "D draw up 2h", "D draw up Ah", "D pass").clean()


def test_R11_wrongly_denied() -> None:
    table(STUCK).when("D show 2h", "D pass", "A fault stop D").finds("R11")


# R12, payouts: the examples of the text
@pytest.mark.parametrize(
    ("mine", "bank", "gain"),
    [
        ((10, 9), (10, 9), -1), ((10, 8), (10, 9), -1), ((10, 10), (10, 9), 1),
        ((1, 10), (10, 9), 2), ((1, 2, 3, 3, 5), (10, 10), 2), ((1, 2, 2, 3, 4), (10, 10), 2),
        ((7, 7, 7), (2, 3, 4, 5, 6), -1), ((1, 2, 2, 3, 4), (2, 3, 4, 5, 6), -1), ((1, 10), (2, 3, 4, 5, 6), 2),
        ((2, 3), (10, 9, 5), 1), ((1, 10), (10, 9, 5), 2), ((1, 2, 2, 3, 4), (10, 9, 5), 2),
        ((10, 9, 5), (10, 9, 6), -1), ((10, 10), (1, 10), -2), ((1, 10), (1, 10), -2),
    ],
)  # fmt: skip
def test_R12_what_a_hand_is_paid(mine: tuple[int, ...], bank: tuple[int, ...], gain: int) -> None:
    """The bank at 19 takes all hands of 19 or lower; double for pontoons and five cards; ties are the bank's."""
    assert delta(rank_of(mine), rank_of(bank), 5, 5) == 5 * gain


def test_R12_purchases_are_doubled_too() -> None:
    lines = (
        SECOND
        + "A bet 8\nA draw down ??\nA bet 4\nA draw down ??\nA draw up 2h\nA pass\nB pass\nC pass\nD show 9h\nD pass\n"
    )
    case = table(lines).when("A show 3c2s3d", "B show 7h", "C show 9d").clean()
    case.scores(A=32, B=-2, C=-3, D=-27)


PAID = STUCK + "D show 9h\nD draw up 2h\nD pass\nA show 9d\nB show Ad\nC show Ks\n"


def test_R12_paid_right() -> None:
    table(PAID).scores(A=-4, B=4, C=-3, D=3)
    table(PAID).when("D pay 4 >B", "A pay 4", "C pay 3 >D").clean()
    table(PAID).when("D pay 2 >B", "D pay 3 >B").finds("R12")
    table(PAID).when("D pay 4 <A", "@ pay 4 >B").clean()


@pytest.mark.parametrize(
    ("pay", "words"),
    [
        ("D pay 5 >B", "B gets 5; +4 is due (pontoon, 2 × 2)"),
        ("D pay 4 >A", "A gets 4; −4 is due (18 against 19)"),
        ("C pay 6", "C pays 6; −3 is due (15 against 19)"),
    ],
)
def test_R12_a_wrong_payout_is_found(pay: str, words: str) -> None:
    """If this failed, the table would not learn that a pontoon was paid three times."""
    table(PAID).when(pay).finds("R12", words=words)


def test_R12_what_is_due_may_be_paid_in_parts() -> None:
    """A pontoon that was paid once, like a lower hand: the rest may come in another line, or in none."""
    part = table(PAID).when("D pay 2 >B").opens("R12")
    part.when("D pay 2 >B", "B hand 2").clean()
    part.when("B hand 2").finds("R12", words="B has had 2 of +4 when the next hand begins")
    table(PAID).when("B hand 2").clean()


def test_R12_a_tie_paid_to_a_player() -> None:
    lines = STUCK + "D show Ah\nD pass\nA show Kd\nB show 9d\nC show 9s\n"
    table(lines).when("D pay 2 >B").finds("R12", words="19 against 19")


def test_R12_open_where_a_hand_was_not_shown() -> None:
    case = table(STUCK).when("D show 9h", "D draw up 2h", "D pass", "A pass", "B pass", "C pass")
    case.when("D pay 4 >B").opens("R12")
    case.when("D pay 4 >B", "B show Ad").allows()
    late = case.when("D pay 5 >B", "B show Ad")
    late.finds("R12", at=16, known=17)


def test_R12_a_split_is_paid_hand_by_hand_or_at_once() -> None:
    lines = (
        SPLIT + "A draw up Kc\nA:2 draw up Ks\nA pass\nA:2 pass\nB pass\nC pass\n"
        "D show 7h\nD pass\nB show 4c\nC show 8d\n"
    )
    table(lines).when("D pay 8 >A").clean()
    table(lines).when("D pay 4 >A", "D pay 4 >A:2").clean()
    table(lines).when("D pay 12 >A").finds("R12")
    table(lines).when("D pay 4 >A:2", "D pay 4 >A").clean()
    table(lines).when("D pay 4 >A:2", "D pay 8 >A").finds("R12", words="+4 of it already settled")


def test_R12_a_bust_is_paid_at_once() -> None:
    lines = SECOND + "A draw up 8c\nA call bust Th\n"
    table(lines).when("A pay 4").clean()
    table(lines).when("A pay 5").finds("R12")


def test_R12_a_claim_that_pays_the_pontoon_once() -> None:
    """The table's own sheet: the first line where the two part."""
    case = table(PAID).when("@ claim hand.A=-4 hand.B=2 hand.C=-3 hand.D=5")
    assert {c.who: c.difference for c in claim_differences(score_match(case.records))} == {"B": -2, "D": 2}


def test_R12_the_tally_is_enough() -> None:
    tally = (
        "@ tally banker=D stake.A=4 stake.B=6 stake.B:2=2 stake.C=3 class.A=bust class.B=five class.B:2=19 "
        "class.C=pontoon bank=19"
    )
    case = table("D hand 1").when(tally).clean()
    case.scores(A=-4, B=10, C=6, D=-12)
    assert case.when("C hand 2").clean().judgement.state.dealer == "C"
    table("D hand 1").when(tally.replace("class.C=pontoon", "class.C=25")).finds("R12")
    table("D hand 1").when(tally.replace("stake.C=3", "stake.C=0")).finds("R12")
    table("D hand 1").when(tally.replace(" bank=19", "")).scores(A=-4, B=None, C=None, D=None)


def result_line(state: State[PontoonHand]) -> str:
    """The hand just played as a recorder types its result, with the banker first."""
    t, words = tally(state), {n: word for word, n in WRITTEN.items()}
    order = [s for s in state.terms.around(state.terms.left(state.dealer)) if s != state.dealer]
    told = ["r", state.dealer]
    for seat in order:
        mine = [name for name in t.hands if name.partition(":")[0] == seat]
        told += [
            ",".join(str(t.stakes[name]) for name in mine), ",".join(words[next(iter(t.hands[name]))] for name in mine),
        ]
    return " ".join([*told, words[next(iter(t.bank))] if t.bank else "-"]).lower()


@pytest.mark.parametrize("seats", a_few(["A B", "A B C D", "A B C D E F"], 1))
def test_R12_any_hand_is_told_in_a_line_of_twenty_keys_a_player(seats: str) -> None:
    """If this failed, a result would be slower to type than to write down, or would score otherwise than the hand
    did."""
    told, keys = 0, list[int]()
    for seed in range(4):
        state = begin({"Game": GAME, "Seats": seats})
        for record in simulate(GAME, seed=seed, seats=seats.split())[1:]:
            was_settled = state.settled
            state.at = record.n
            evolve(state, record.event)
            if state.settled and not was_settled and state.score is not None:
                line = result_line(state)
                session = Session([Recorded(n=0, event=Open(by="@", facts={"Game": GAME, "Seats": seats}))])
                after = fold([*session.records, *session.complete(line).events])
                assert after.score is not None
                assert after.score.points == state.score.points, line
                assert state.game.dealing.next_dealer(after) == state.game.dealing.next_dealer(state), line
                told, keys = told + 1, [*keys, len(line) + 1]
    assert told > 40
    assert median(keys) <= 10 * len(seats.split())
    assert max(keys) <= 20 * len(seats.split())


def test_R12_more_pontoons_than_aces() -> None:
    """If this failed, a slip of the pen would be paid double."""
    had = " ".join(f"class.{seat}=pontoon stake.{seat}=2" for seat in "ABCD")
    table("E hand 1", Seats="A B C D E").when(f"@ tally {had} bank=19").clean()
    table("E hand 1", Seats="A B C D E").when(f"@ tally {had} bank=pontoon").finds(
        "R4", words="5 hands cannot have a pontoon",
    )


def test_R13_cards_of_a_hand_told_to_its_end_do_not_say_what_it_came_to() -> None:
    """The cards written before the tally were not all: nobody knows whether there was a pontoon, and where the pack
    goes on."""
    told = "@ deal down A=2c B=8s C=Ad D=Ks\nA bet 4\n@ tally stake.A=4 bank=19\n"
    case = table("D hand 1\n" + told)
    assert case.judgement.state.scores[-1].points["A"] is None
    case.when("D hand 2", "@ deal down A=2c B=8s C=Ad D=Ks").clean()
    # Even if what everybody had was told, and the stakes at which they began: some may have bought after that.
    told = "@ tally class.A=17 class.B=18 class.C=19 bank=20\n"
    case = table(
        "D hand 1\n@ deal down A=2c B=8s C=Ad D=Ks\nA bet 4\nB bet 2\nC bet 2\n" + told
    ).scores(A=None, B=None, C=None, D=None)
    case.when("D hand 2", "@ deal down A=2c B=8s C=Ad D=Ks").clean()


def test_R12_a_tally_against_the_cards() -> None:
    table(PAID).when("@ tally class.B=pontoon").clean()
    table(PAID).when("@ tally class.B=20").finds("T12", words="class.B is pontoon, not 20")


@pytest.mark.parametrize(
    ("cards", "objects"), [(("Th",), False), (("2h",), True), (("9c",), True), ((), True), (("Th", "9h"), True)],
)
def test_R10_the_cards_named_with_the_call_say_whether_it_is_bust(cards: tuple[str, ...], objects: bool) -> None:
    """If this failed, each hand that is turned up as bust would be looked at once more at the end of the record."""
    state = fold(table(SECOND).when("A draw up 8c").records)
    assert bool(list(objections(state, Call(by="A", word="bust", cards=cards)))) == objects
    assert state.holding("A").later == 0


def test_R12_everybody_is_bust() -> None:
    """The bank draws nothing and shows nothing."""
    lines = SECOND + "A draw up 8c\nA call bust Th\nB draw up 7c\nB call bust 5h\nC draw up Qd\nC call bust Jd\n"
    case = table(lines).clean()
    assert case.judgement.state.settled
    case.scores(A=-4, B=-2, C=-3, D=9)


def test_R12_chips_are_neither_made_nor_lost() -> None:
    for seed in range(6):
        log = simulate(GAME, seed=seed, seats=["A", "B", "C", "D", "E"], options={"chips": 200})
        state = fold(log)
        assert sum(n or 0 for n in state.standing.totals.values()) == 1000
        for score in state.scores:
            assert sum(n or 0 for n in score.points.values()) == 0


# R13, the next bank and the pack
DONE = STUCK + "D show 9h\nD draw up 2h\nD pass\nA show 9d\nB show Ad\nC show Ks\n"
PLAIN = STUCK + "D show 9h\nD draw up 2h\nD pass\nA show 9d\nB show 3d\nC show Ks\n"


def test_R13_kept() -> None:
    table(DONE).when("B hand 2", "@ shuffle * >stock", "@ deal down A=?? B=?? C=?? D=??").clean()
    table(PLAIN).when("D hand 2", "A bet 2").clean()
    assert table(DONE).when("A bet 2").judgement.state.dealer == "B"


def test_R13_wrong_banker() -> None:
    table(DONE).when("D hand 2").finds("R13", words="belongs to B, who had a pontoon")
    table(PLAIN).when("A hand 2").finds("R13", words="belongs to D, who keeps it")


def test_R13_the_first_from_the_banker_and_never_past_a_bank_pontoon() -> None:
    lines = known(
        "AhKc", "AdKh", "8h5d", "7h8s",
    ) + "A call pontoon\nB call pontoon\nC pass\nD show 7h\nD pass\nA show AhKc\nB show AdKh\nC show 8h\n"
    table(lines).when("A hand 2").clean()
    table(lines).when("B hand 2").finds("R13", words="belongs to A")
    bank = known("AhKc", "3dKh", "8h5d", "AsTs") + "D show AsTs\n"
    table(bank).when("D hand 2", "@ shuffle * >stock").clean()
    table(bank).when("A hand 2").finds("R13")


def test_R13_who_was_said_to_take_the_bank_takes_it() -> None:
    """A told result says it, whatever hands were told; the last word counts."""
    state = table("D hand 1\n@ tally stake.A=2 class.A=20 bank=18 next=A\n@ tally next=B\n").judgement.state
    assert find_game(GAME).dealing.next_dealer(state) == "B"
    assert find_game(GAME).dealing.next_dealer(
        table("D hand 1\n@ tally stake.A=2 class.A=20 bank=18\n").judgement.state
    ) == "D"


def test_R13_open_where_a_pontoon_was_not_shown() -> None:
    lines = STUCK + "D show 9h\nD draw up 2h\nD pass\nA pass\nB pass\nC pass\n"
    table(lines).when("B hand 2").opens("R13").allows()
    table(lines).when("D hand 2", "@ shuffle * >stock").opens("R13").allows()


@pytest.mark.parametrize(("moved", "asked"), [("KcAs", []), ("Kc2s", ["finds"]), ("2x??", ["opens"])])
def test_R13_cards_named_as_they_go_under_the_pack_say_what_the_hand_was(moved: str, asked: list[str]) -> None:
    """If this failed, the short way of judging would not know of the next hand what the long way knows."""
    lines = "B hand 1\n@ deal down A=?? B=??\nA bet 4\nB deal up A=Kc B=5d\nA pass\nB show 5dJs\nB pass\nA pass\n"
    case = table(
        f"{lines}@ move {moved} <A >stock_\n@ move 5dJs <B >stock_\n{'A' if not asked else 'B'} hand 2\n", Seats="A B",
    )
    shuffled = case.when("@ shuffle * >stock")
    assert [
        {"broken": "finds", "open": "opens"}[f.verdict.value] for f in shuffled.about() if f.rule == "pontoon.R13"
    ] == asked
    log = shuffled.records
    assert deduce(log).findings == Judge(corrected(log), log).run().findings


def test_R13_a_shuffle_without_a_pontoon() -> None:
    table(PLAIN).when("D hand 2", "@ shuffle * >stock").finds("R13", words="no player had a pontoon")
    table(PLAIN).when("@ shuffle * >stock").finds("R13")
    table(DONE).when("@ shuffle * >stock", "B hand 2").clean()
    table(SECOND).when("@ shuffle * >stock").finds("R13", words="middle of a hand")


def test_R13_the_order_of_the_cards_proves_a_shuffle() -> None:
    """A card that went under the pack after hand 1 is dealt in hand 2, with forty others above it."""
    second = "D hand 2\n@ deal down A=?? B=?? C=?? D=??\nA bet 2\nB bet 2\nC bet 2\n"
    table(PLAIN + second).when("D deal up A=Ks B=Tc C=6d D=7h").finds("R13", words="K♠ went under the pack")
    table(PLAIN + second).when("D deal up A=Qs B=Tc C=6d D=7h").clean()
    after_a_pontoon = "B hand 2\n@ deal down A=?? B=?? C=?? D=??\nC bet 2\nD bet 2\nA bet 2\n"
    table(DONE + after_a_pontoon).when("B deal up C=Ks D=Tc A=6d B=7h").clean()
    shown = second + "D deal up A=Qs B=Tc C=6d D=7h\nA draw up 8h\n"
    table(PLAIN + shown).when("A call bust Ks").allows()
    table(PLAIN + shown).when("A show Ks").finds("R13")


def test_R13_cards_put_under_in_a_known_order_come_up_in_it() -> None:
    """With the order of the pack written, any other card than the next one proves that it was mixed."""
    under = (
        "@ move up 9c9d <A >stock_\n@ move up Kh3d <B >stock_\n@ move up 5dKs <C >stock_\n@ move up 8s9h2h <D >stock_\n"
    )
    state = table(PLAIN + under + "D hand 2\n").clean().judgement.state
    row = state.table.row("stock").row
    assert row is not None
    assert [state.game.pack.tokens[c] for c in row[:9]] == ["8s", "9h", "2h", "5d", "Ks", "Kh", "3d", "9c", "9d"]
    dealt = PLAIN + under + "D hand 2\n@ deal down A=?? B=?? C=?? D=??\nA bet 2\nB bet 2\nC bet 2\n"
    table(dealt).when("D deal up A=9d B=Tc C=6d D=7h").finds("R13")
    table(dealt).when("D deal up A=9s B=Tc C=6d D=7h").clean()


# Shapes of the record
def test_a_deal_nobody_wrote_is_inferred() -> None:
    state = table("D hand 1\nA bet 4\nB bet 2\nC bet 3\n").judgement.state
    assert (len(state.table.row("stock")), state.turn, len(state.inferred)) == (48, ("D",), 0)
    assert len(table("D hand 1\nA bet 4\nB bet 2\nC bet 3\nA pass\n").judgement.state.inferred) == 1
    short = table(SECOND).when("A bet 4", "A pass").clean().judgement.state
    assert len(short.holding("A")) == 3


def test_who_is_not_dealt_in_sits_out() -> None:
    state = table("D hand 1 out=B\nA bet 4\nC bet 2\n").clean().judgement.state
    assert state.turn == ("D",)
    assert state.hand.order == ["A", "C"]


def test_a_hand_broken_off_gives_the_stakes_back() -> None:
    table(SECOND + "A draw up 8c\nA call bust Th\n").when("@ end hand time").scores(A=-4, B=0, C=0, D=4)
    table(SECOND + "A draw up 8c\nA call bust Th\n").when("@ end hand misdeal").scores(A=0, B=0, C=0, D=0)


def test_hands_thrown_in_unseen_count_as_far_as_they_are_known() -> None:
    """Nobody shows any more, and the next hand begins: C had at most 16, whatever the hidden card is."""
    case = table(STUCK + "D show 9h\nD draw up 2h\nD pass\n").when("D hand 2").allows()
    score = score_match(case.records)
    assert (score.totals["C"], score.totals["A"]) == (-3, None)
    assert score.hands[0].done


def test_a_hand_thrown_in_counts_what_was_shown_until_then() -> None:
    """A declared pontoon turns out to be twenty, and the next hand begins with another hand still down."""
    lines = BETS + "D deal up A=Ac B=Kh C=5d D=8s\nA call pontoon\nB pass\nC pass\nD show 9h\nD pass\nA show 9d\n"
    assert table(lines).when("D hand 2").judgement.state.scores[0].points["A"] == 4


def test_what_a_tally_leaves_open_is_asked_in_few_words() -> None:
    """If this failed, a sheet with one hand missing would offer twenty-two answers, or none."""
    case = table("D hand 1").when("@ tally banker=D stake.A=4 stake.B=2 class.B=20 bank=18")
    (hand,) = score_match(case.records).hands
    assert [(q.text, [a.text for a in q.answers]) for q in hand.questions] == [
        ("the hand of A", ["bust to 18", "19 to 21", "five-card trick to pontoon"])
    ]
    assert hand.possible == {"A": [-4, 4, 8], "D": [-10, -6, 2]}


def test_after_a_gap_nobody_is_accused_and_the_stakes_are_not_guessed() -> None:
    case = table(SECOND + "A bet 4\nA draw down ??\n").when(
        "@ gap 5", "C pass", "D show 9h", "D pass", "B show 9d", "C show 7h",
    ).allows()
    assert case.clean().when("D hand 2").judgement.state.scores[-1].points == {
        "A": None, "B": None, "C": None, "D": None,
    }
    case.when("D hand 2", "A bet 2").clean()


@pytest.mark.parametrize("bank", ["3sTh", "AsTh"], ids=["no pontoon before the gap", "a pontoon"])
def test_a_pontoon_declared_after_a_gap_proves_nothing(bank: str) -> None:
    """If this failed, the score would rest on what was declared against the cards that lay there before, or of a
    hand dealt meanwhile."""
    case = table(known("Qh9d", "2c3c", "4h5h", bank)).when("@ gap", "D call pontoon", "D hand 2")
    assert case.judgement.state.scores[-1].points["A"] is None


@pytest.mark.parametrize("seed", seeds(10, 20))
def test_a_gap_anywhere_accuses_nobody(seed: int) -> None:
    """What went by unrecorded explains whatever looks odd after it."""
    log = hide(simulate(GAME, seed=seed, seats=["A", "B", "C"], hands=3))
    assert [(f.at.pos, f.rule, f.text) for f in judge(with_gap(log, seed)).broken] == []


def test_the_match_ends_after_the_hands_agreed() -> None:
    two = {"hands": "1", "chips": "50"}
    state = table(PAID, option=two).judgement.state
    assert (
        state.ended, state.standing.winner, state.standing.totals,
    ) == ("won", "B", {"A": 46, "B": 54, "C": 47, "D": 53})
    assert table(PAID, option={"hands": "0"}).judgement.state.ended == ""


def test_the_public_sees_what_lies_open() -> None:
    """A hidden log has the open cards, the stakes, what was turned up; not the first cards, nor what was bought."""
    log = simulate(GAME, seed=687, hands=1, seats=["A", "B", "C", "D"])
    seen = {write_event(r.event) for r in hide(log)}
    assert {
        "@ deal down A=?? B=?? C=?? D=??", "A draw down ??", "A draw up Ad", "C call pontoon", "C show AhTh",
    } <= seen
    own = {write_event(r.event) for r in hide(log, "A")}
    assert {"@ deal down A=3d B=?? C=?? D=??", "A draw down 3c"} <= own


def test_legal_acts_and_refusals_are_one() -> None:
    state = table(known("8h8c", "4cKd", "8d5d", "7h9s")).judgement.state
    said = {write_event(act).partition(" ")[2] for act in legal(state).acts}
    assert {"pass", "draw up ??", "bet 4", "bet 8", "move up 8h >A:2"} <= said
    assert not {"bet 3", "bet 9", "call pontoon"} & said


@pytest.mark.parametrize("seed", range(6))
def test_a_bigger_table_keeps_every_promise(seed: int) -> None:
    """The suite of all games plays with two; splits and turns of the bank want more."""
    seats = ["A", "B", "C", "D"]
    log, truth = simulate_breaches(GAME, seed=seed, p=0.1, hands=4, seats=seats)
    done = {(b.position, f"{GAME}.{rule}") for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule) for f in judge(log).broken} == done
    for viewer in ("public", *seats):
        verdict = judge(hide(log, viewer))
        found, asked = ({(f.at.pos, f.rule) for f in some} for some in (verdict.broken, verdict.open))
        assert found <= done, viewer
        assert done <= found | asked, viewer


@pytest.mark.rest
def test_simulated_evenings_have_everything() -> None:
    """If this failed, the promises above would be kept by hands in which nothing happens."""
    events = [r.event for seed in range(12) for r in simulate(GAME, seed=seed, seats=["A", "B", "C", "D"])]
    assert {e.word for e in events if isinstance(e, Call)} == {"pontoon", "bust"}
    assert any(isinstance(e, Move) and e.by != "@" for e in events)
    assert any(isinstance(e, Draw) and e.face == "down" for e in events)
    assert len({e.by for e in events if isinstance(e, Hand)}) == 4


# The recorder's shorthand
TYPED = [
    ("2 3 1", ["A bet 2", "B bet 3", "C bet 1"]),
    ("9c kh 8d ts", ["D deal up A=9c B=Kh C=8d D=Ts"]),
    (".", ["D pass"]),
    ("2 .", ["A bet 2", "A draw down ??"]),
    ("stick", ["A pass"]),
    ("7d 5h", ["B draw up 7d", "B draw up 5h"]),
    ("bust kc", ["B call bust Kc"]),
    ("split 8h", ["C move up 8h >C:2"]),
    ("3d 9h", ["C draw up 3d", "C:2 draw up 9h"]),
    ("10c", ["C draw up Tc"]),
    (". twist", ["C pass", "C:2 draw up ??"]),
    (".", ["C:2 pass"]),
    ("6c", ["D show 6cTs"]),
    ("2d", ["D draw up 2d"]),
    (".", ["D pass"]),
    ("kd4h", ["A show 9cKd4h"]),
]


def test_a_hand_is_typed_in_few_strokes() -> None:
    session = Session(given(GAME, "D hand 1", **FOUR).records)
    for line, written in TYPED:
        draft = session.complete(line)
        assert [write_event(r.event) for r in draft.events] == written, line
        n = session.records[-1].n
        session.take([Recorded(n=n + 1 + i, event=r.event) for i, r in enumerate(draft.events)])
    assert session.state.settled


@pytest.mark.parametrize(
    ("typed", "shown"), [("9h", "D show 9h8s"), ("9h8s", "D show 9h8s"), ("8s9h", "D show 8s9h"), ("x", "D show ??")],
)
def test_of_a_hand_that_is_shown_the_open_cards_need_not_be_named(typed: str, shown: str) -> None:
    """If this failed, a recorder would type the cards that everybody has seen once more."""
    (draft,) = Session(given(GAME, STUCK, **FOUR).records).complete(typed).events
    assert write_event(draft.event) == shown


def test_the_answer_says_what_the_bank_has() -> None:
    session = Session(given(GAME, STUCK, **FOUR).records)
    n = session.records[-1].n
    (show,) = session.complete("9h").events
    assert "bank 17" in session.take([Recorded(n=n + 1, event=show.event)]).line


# House rules, readings, sheet
def test_options_and_readings_of_the_page() -> None:
    assert set(Options.__struct_fields__) == {
        "hands", "chips", "min", "max", "split_pontoon", "stop_at_five", "min_stick",
    }
    for name in ("stop_at_five", "split_pontoon", "min and max", "hands"):
        assert any(name in answer for answer in READINGS.values()), name
    assert rank_of((2, 2, 2, 2, 2)) == FIVE


def test_the_sheet_shows_stake_gain_and_chips() -> None:
    page = find_game(GAME)
    state = table(PAID, option={"chips": "50"}).judgement.state
    block = page.sheet(state, Sheet("", (), ())).blocks[0]
    (row,) = block.rows
    assert [c.text for c in row.cells] == ["1", "D", "19", "−4", "46", "+4", "54", "−3", "47", "+3", "53"]
    assert row.cells[5].sum == "pontoon, 2 × 2: +4"
    assert row.cells[5].mark == "won"


def test_the_sheet_names_whoever_is_told_to_have_banked() -> None:
    """The hand was begun by one seat, and the result says that another held the bank."""
    state = table("D hand 1\n@ tally banker=B stake.A=2 class.A=20 bank=18\n").judgement.state
    (row,) = find_game(GAME).sheet(state, Sheet("", (), ())).blocks[0].rows
    assert [c.text for c in row.cells[:3]] == ["1", "B", "18"]


# What the record leaves out, and what the banker does as the hands are shown
def test_R1_the_first_card_stays_hidden_and_the_second_lies_open() -> None:
    table("D hand 1\n@ deal down A=?? B=?? C=?? D=??\n").when("A show 9h").finds("R1", words="before the stakes")
    table(BETS).when("D deal down A=9c B=Kh C=5d D=8s").finds("R1", words="face up")
    table(BETS).when("D deal A=9c B=Kh C=5d D=8s").clean()


def test_R1_a_higher_least_stake_lifts_the_most() -> None:
    """A banker who announces from twenty has not forbidden every stake."""
    table("").when("D hand 1 min=20", "A bet 20").clean()
    table("", option={"min": "20"}).when("D hand 1", "A bet 20").clean()


def test_R2_an_overlooked_pontoon_gives_back_the_stake_of_a_split() -> None:
    """If this failed, a hand that should never have come about would be paid for."""
    lines = (
        TEN_SHOWS.replace("A=9c", "A=9c")
        + (
            "D pass\nA move up 9h >A:2\nA draw up 2c\nA:2 draw up 3c\nA pass\nA:2 pass\nB pass\nC pass\nD show "
            "Ad\nD pass\n"
        )
    )
    table(lines).when("B show 9d", "C show 2d").scores(A=-8, B=-4, C=-6, D=18)


def test_R3_the_bank_turns_up_its_card_last() -> None:
    """Where sticks are written, one that is missing is a question of the record or of the bank."""
    table(SECOND + "A pass\n").when("D show 9h").finds("R3", words="bank plays last")
    table(SECOND).when("A show 9h").allows()


def test_R3_a_stick_nobody_wrote_does_not_lose_the_hand() -> None:
    """C said nothing that was written, and the bank plays: once found, the hand goes on to its score."""
    case = table(SECOND + "A pass\nB pass\n").when(
        "D show 9h", "D draw up 2h", "D pass", "A show 9d", "B show 3d", "C show Ks",
    )
    assert broken_in(case) == ["pontoon.R3"]
    case.scores(A=-4, B=-2, C=-3, D=9)


BEGUN = "D hand 1\n@ deal down A=6c C=5s D=Qd\nA bet 5\nC bet 5\n@ deal up A=7c C=Ks D=2d\nA pass\nC draw up 2c\n"


@pytest.mark.parametrize("late", [("C pass",), ("C draw up Ac", "C pass")])
def test_R3_who_goes_on_after_an_early_bank_breaks_no_rule(late: tuple[str, ...]) -> None:
    """That C had stuck is inferred, and not written: the bank was early, and C is not late."""
    case = given(GAME, BEGUN, Seats="A B C D").when("D show Qd", *late)
    assert [(f.at.pos, f.rule) for f in case.judgement.broken if f.at.pos > 7] == [(8, "pontoon.R3")]
    case.when("C draw up 3c").finds("R3", words="C has finished")


def test_R3_what_ends_a_hand_may_be_said_after_an_early_bank() -> None:
    case = given(GAME, BEGUN, Seats="A B C D").when("C draw up 9h", "D show Qd").when("C call bust 5s").allows()
    assert case.judgement.state.hand.done["C"] == "bust"


def test_R3_where_no_stick_is_written_nobody_knows_who_had_stuck() -> None:
    lines = BEGUN.removesuffix("A pass\nC draw up 2c\n")
    given(GAME, lines, Seats="A B C D").when("D show Qd", "D draw up 4d", "A draw up 3c").opens("R3")


def test_R8_the_bank_splits_nothing() -> None:
    table(
        known("7h9c", "4cKh", "8h5d", "8c8s") + "A pass\nB pass\nC pass\nD show 8c\n"
    ).when("D move up 8c >D:2").finds("R8", words="no stake")


def test_R8_the_stake_of_a_split_is_not_offered_while_another_plays() -> None:
    """If this failed, the list of what may be done would name somebody whose turn it is not."""
    case = table(SPLIT).when("A draw up 2s", "A:2 draw up 2c")
    assert "A bet 4 >A:2" not in offered(case.when("A pass", "A:2 pass", "B bet 2"))
    assert "A bet 4 >A:2" in offered(table(SPLIT))


def offered(case: Given) -> set[str]:
    """What may be done next."""
    return {write_event(act) for act in legal(case.judgement.state).acts}


def test_R8_the_second_card_of_a_split_that_nobody_wrote() -> None:
    """If this failed, a forgotten card would leave the hand without a score."""
    case = table(SPLIT).when("A draw up Kc", "A pass", "A:2 pass", "B pass", "C pass", "D show 7h", "D pass")
    state = case.when("B show 4c", "C show 8d").clean().judgement.state
    assert (state.settled, len(state.holding("A:2")), len(state.inferred)) == (True, 2, 1)
    both = table(SPLIT).when(
        "A pass", "A:2 pass", "B pass", "C pass", "D show 7h", "D pass", "B show 4c", "C show 8d",
    ).judgement.state
    assert (both.settled, len(both.holding("A")), len(both.holding("A:2"))) == (True, 2, 2)


def test_R12_paid_as_the_hands_are_shown() -> None:
    """The banker goes round: a hand is due what it is due as soon as it is shown."""
    bank = STUCK + "D show 9h\nD draw up 2h\nD pass\n"
    table(bank).when("A show 9d", "D pay 4 >A").finds("R12", words="A gets 4; −4 is due (18 against 19)")
    table(bank).when("A show 9d", "A pay 4", "B show Ad", "D pay 4 >B", "C show Ks", "C pay 3").clean()
    hidden = table(bank).when("D pay 4 >A").opens("R12")
    hidden.when("A show 9d").finds("R12", at=13, known=14)
    table(STUCK).when("D pay 4 >A").clean()


def test_R12_who_pays_whom() -> None:
    table(PAID).when("B pay 4 <D", "D pay 4 <A", "C pay 3 <C").clean()
    table(PAID).when("B pay 5 <D").finds("R12", words="B gets 5")
    table(PAID).when("A pay 50 >C", "D pay 10", "A pay 1 >pot").clean()  # a loan, not a payout


def test_R12_both_halves_are_not_paid_twice() -> None:
    lines = (
        SPLIT + "A draw up Kc\nA:2 draw up Ks\nA pass\nA:2 pass\nB pass\nC pass\n"
        "D show 7h\nD pass\nB show 4c\nC show 8d\n"
    )
    table(lines).when("D pay 8 >A", "D pay 4 >A:2").finds("R12")


def test_R12_a_declared_pontoon_that_was_not_shown_accuses_nobody() -> None:
    """The bank may have paid once because there was none: only the cards can tell."""
    lines = (
        BETS
        + (
            "D deal up A=Ac B=Kh C=5d D=8s\nA call pontoon\nB pass\nC pass\nD show 9h\nD pass\nA pass\nB show "
            "9d\nC show Ks\n"
        )
    )
    table(lines).when("D pay 8 >A").allows()
    case = table(lines).when("D pay 4 >A").opens("R12")
    case.when("A show Td").opens("R12", at=15).when("A hand 2").finds("R12", words="A has had 4 of +8")


def test_the_answer_says_what_is_due_and_who_banks_next() -> None:
    """If this failed, the recorder could not tell the table what to pay without asking for the score."""
    session = Session(given(GAME, STUCK + "D show 9h\nD draw up 2h\nD pass\n", **FOUR).records)

    def answer(line: str) -> str:
        n = session.records[-1].n
        return session.take(
            [Recorded(n=n + 1 + i, event=r.event) for i, r in enumerate(session.complete(line).events)]
        ).line

    assert "A 18 against 19: −4" in answer("9d")
    assert "A is paid up" in answer("A pay 4")
    assert "B pontoon, 2 × 2: +4" in answer("ad")
    last = answer("ks")
    assert "C 15 against 19: −3" in last
    assert "B banks next, the pack is shuffled" in last
    assert "B is due +4, has +2" in answer("D pay 2 >B")


def test_a_card_shown_before_the_first_hand_is_judged() -> None:
    """If this failed, one line too early would keep the whole evening from being judged."""
    assert broken_in(table("A show 9h\n" + SECOND)) == []


def test_after_a_gap_every_act_that_is_offered_can_be_written() -> None:
    """Nobody knows how many cards a hand has then; what is offered shows one at least."""
    state = table(SECOND).when("@ gap 5", "@ move 2x?? <A >stock_", "D show 9h", "D pass").judgement.state
    assert (state.phase, [write_event(act) for act in legal(state).acts]) == ("showdown", ["A show ??"])


def test_the_score_grows_with_what_is_shown() -> None:
    """If this failed, a hand would keep the score it had before its last cards were turned up."""
    state = fold(table(STUCK).when("D show 9h", "D pass").records)
    points = []
    for line in ("A show Th", "B show 8c", "C show 2c"):
        last = given(GAME, line, **FOUR).records[-1].event
        evolve(state, last)
        points.append(tuple(state.scores[-1].points.values()))
    assert points == [(4, None, -3, None), (4, 2, -3, -3), (4, 2, -3, -3)]


def test_R5_a_stake_typed_twice_buys_no_card() -> None:
    """If this failed, the second cards that come after it would be taken for third ones, and what is drawn then for
    breaches."""
    bets = "D hand 1\n@ deal down A=?? B=?? C=?? D=??\nA bet 4\nB bet 2\nC bet 3\nC bet 3\n"
    case = table(bets + "D deal up A=9c B=Kh C=5d D=8s\nA draw up 2c\nA pass\nB pass\nC draw up Td\nC pass\n")
    assert broken_in(case) == []
    state = case.judgement.state
    assert (state.hand.bets["C"], state.hand.buys, len(state.holding("C"))) == (3, {}, 3)
    # If the second cards were not written, a further stake does buy one.
    bought = table(bets + "C draw down ??\n").judgement.state
    assert (bought.hand.buys, len(bought.holding("C"))) == ({"C": [3]}, 3)


def test_a_hand_that_goes_under_the_pack_tells_the_draws_nobody_wrote() -> None:
    """If this failed, a table that writes no draws would contradict itself as the hands are gathered, and the bank
    would have stopped at sixteen."""
    lines = [
        "B hand 1", "@ deal down A=?? B=??", "A bet 3", "B deal up A=8d B=Tc", "B pass", "A pass", "B show 6cTc",
        "B pass", "A show 8dTd",
    ]
    gathered = ["@ move up 8dTd <A >stock_", "@ move up 6cTc3d <B >stock_"]
    case = given(GAME, "\n".join(lines), Seats="A B").when(*gathered).clean().scores(A=-3, B=3)
    assert "B drew 1 card before its hand was shown (not recorded)" in [
        text for _, text in case.judgement.state.inferred
    ]
    given(GAME, "\n".join(lines), Seats="A B").when(gathered[0], "@ move up 7cTc3d <B >stock_").finds("T4")


def test_R3_a_stick_nobody_wrote_is_offered() -> None:
    """The banker turns up a card while a player has not stuck, in a record that has the banker's own word."""
    hand = ("A bet 2", "B deal up A=9s B=Ac", "B play Ac")
    case = table("B hand 1\n@ deal down A=?? B=??\n" + "\n".join(hand)).when("B show AcAd").when("B draw up As")
    offers = [line for one in suggest(case.records) for line in one.lines]
    assert "@ fix #6+ A pass" in offers, offers
