"""Ziginette, rule by rule: each has the cases of its kind; then payments, the bank, results, whole matches."""

from __future__ import annotations

import pytest
from given import Given, given
from msgspec.structs import replace

from events.errors import NotationError
from events.writing import write_event
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate
from replay.table.session import Session

GAME = "ziginette"
# D banks, so that C sits on the right.
LAID = "D hand 1\n@ deal up board=6c5d banker=Qd\n"
# A has ten on the six and five on the five, B four on the six.
BETS = LAID + "A bet 10 >6c\nA bet 5 >5d\nB bet 4 >6c\n"
# The five is matched: A loses five.
FIVE = BETS + "D play 5h <stock\n"
MATCHED = FIVE + "D play Qh <stock\n"


def table(lines: str = "", **option: object) -> Given:
    """A table of four; D banks."""
    return given(GAME, lines, Seats="A B C D", **({"option": option} if option else {}))


def piles(case: Given) -> dict[str, list[str]]:
    """The cards that lie open."""
    state = case.judgement.state
    return {
        n: state.game.pack.cards(state.table.row(n).certain) for n in ("board", "banker", "dead")
        if len(state.table.row(n))
    }


# R1, duty
def test_R1_limits() -> None:
    table("D hand 1 min=2 max=20").allows()
    table().when("D hand 1 min=20 max=2").finds("R1", words="no stake can be")


def test_R1_limits_hold_while_the_bank_stays() -> None:
    lines = "D hand 1 min=2 max=20\n@ end hand void\n{} hand 2\n@ deal up board=6c5d banker=Qd\n"
    table(lines.format("D")).when("A bet 15 >6c").allows()
    table(lines.format("C")).when("A bet 15 >6c").finds("R5")


# R2, duty
@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ("@ deal up board=6c5d7h banker=Qd", "the board gets two cards, not 3"),
        ("@ deal up board=6c5d banker=QdKd", "the banker gets one card, not 2"),
        ("@ deal down board=2x?? banker=??", "face up"),
        ("@ deal A=6c", "no cards are dealt to A"),
    ],
)
def test_R2_the_layout(deal: str, words: str) -> None:
    table("D hand 1\n").when(deal).finds("R2", words=words)


@pytest.mark.parametrize("pair", ["board=6c6d banker=Qd", "board=6c5d banker=6h"])
def test_R2_a_playette_is_dealt_again(pair: str) -> None:
    lines = f"D hand 1\n@ deal up {pair}\n"
    table(lines).when("A bet 5 >6c").finds("R2", words="two of the three cards are of the rank 6")
    table(lines).when("D play 4c <stock").finds("R2")
    for again in (["@ shuffle * >stock"], []):
        case = table(lines).when(*again, "@ deal up board=6c5d banker=Qd", "A bet 5 >6c")
        case.clean()
        assert piles(case) == {"board": ["6c", "5d"], "banker": ["Qd"]}


def test_R2_three_different_cards_stay() -> None:
    table(LAID).when("@ shuffle * >stock").finds("R2", words="different ranks")
    table(LAID).when("@ deal up board=7c4d banker=Kd").finds("R2", words="different ranks")
    table(BETS).when("@ shuffle * >stock").finds("R2", words="in the middle of a hand")
    table("D hand 1\n@ deal up board=6c?? banker=Qd\n").when("A bet 5 >6c").opens("R2")


@pytest.mark.parametrize(
    ("lines", "board", "banker"),
    [
        # Three cards, and three others.
        (["6c6dqd", "6h5dqd"], ["6h", "5d"], ["Qd"]),
        # A pair with the banker's card, and another pair.
        (["6c5d6h", "4c4dkd", "6c5dkd"], ["6c", "5d"], ["Kd"]),
        # A pair on the board, before there is a card of the banker.
        (["6c6d", "6h5dqd"], ["6h", "5d"], ["Qd"]),
        (["6c6d", "4c4d", "4h5dqd"], ["4h", "5d"], ["Qd"]),
        # The pack that is shuffled may be written.
        (["6c6dqd", "@ shuffle * >stock", "6h5dqd"], ["6h", "5d"], ["Qd"]),
    ],
)
def test_R2_a_playette_typed_at_the_table_is_dealt_again_as_it_is_dealt(
    lines: list[str], board: list[str], banker: list[str],
) -> None:
    session = Session(table("").records)
    answers = []
    for line in lines:
        draft = session.complete(line)
        assert draft.doubts == (), line
        answers.append(session.take([replace(r, n=session.records[-1].n + 1) for r in draft.events]).line)
    assert "two cards of the rank" in answers[0]
    assert "a playette, dealt again · D to deal three cards again" in answers[0]
    assert answers[-1].endswith("D, A, B or C to bet or turn")
    assert judge(session.records).broken == []
    assert [session.state.game.pack.tokens[c] for c in session.state.table.row("board").codes()] == board
    assert [session.state.game.pack.tokens[c] for c in session.state.table.row("banker").codes()] == banker


def test_R2_a_pair_is_asked_for_before_cards_are_dealt_again() -> None:
    table("D hand 1\n@ deal up board=6c6d\n").when("@ deal up banker=Qd", "@ deal up board=6h5d banker=Qd").clean()
    table("D hand 1\n@ deal up board=6c5d\n").when("@ deal up board=6h4d banker=Qd").finds(
        "R2", words="the board gets two cards, not 4",
    )
    table("D hand 1\n@ deal up board=6c6d\n").when("A bet 5 >6c").finds("R2", words="of the rank 6")
    table("D hand 1\n@ deal up board=6c?? banker=Qd\n").when("@ deal up board=6h5d banker=Kd").opens("R2")
    assert Session(table(LAID).records).complete("7c4dkd").doubts


# R3, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (LAID, "A bet 5 >Qd", "the rank of the banker's own card"),
        (LAID, "A bet 5 >7h", "no card of the rank 7 is on the board"),
        (LAID, "A bet 5", "is placed on a card of the board"),
        (FIVE, "A bet 5 >5d", "5♦ has been matched"),
        (BETS, "A bet -5 >6c", "stays where it is"),
        (LAID, "A bet 5 >6d", "6♣ is on the board, not 6♦"),
    ],
)
def test_R3_broken(lines: str, act: str, words: str) -> None:
    table(lines).when(act).finds("R3", words=words)


def test_R3_kept_on_old_cards_and_new_ones() -> None:
    table(BETS + "D play 7h <stock\n").when("C bet 5 >7h", "B bet 6 >6c", "C bet 1 >6c").clean()


def test_R3_open_if_a_card_was_not_seen() -> None:
    table(BETS + "D play ?? <stock\n").when("C bet 5 >7h").opens("R3")
    table(LAID).when("C bet 5 >6?").allows()


def test_R3_a_bet_after_the_end_lies_on_nothing() -> None:
    """It is too late, or the first line of a hand of which nothing else was written: nobody is accused, and no hand
    begins."""
    late = table(MATCHED).when("A bet 5 >6c")
    late.allows()
    late.opens("R3")
    assert late.judgement.state.number == 1
    following = late.when(
        "C hand 2", "@ deal up board=6h4c banker=Kd", "A bet 10 >6h", "C play 4d <stock", "C play Kh <stock",
    )
    following.clean().scores(A=10, B=0, C=-10, D=0)
    without_its_hand = late.when("@ deal up board=6h4c banker=Kd", "C play Kh <stock")
    without_its_hand.clean().scores(A=0, B=0, C=0, D=0)
    # A card that is turned is of the next hand, and so was the bet.
    case = late.when("C play 4d <stock")
    assert (case.clean().judgement.state.number, case.judgement.state.hand.bets) == (2, {("A", "6"): 5})


def test_R3_whoever_types_a_bet_after_the_end_is_asked() -> None:
    for line in ("A bet 5 >6c", "A 5 >6c", "a 5 >6"):
        (doubt,) = Session(table(MATCHED).records).complete(line).doubts
        assert "A stakes 5 on 6♣: not now; hand 1 is over, expected hand 2, dealt by C" in doubt
    # Nothing is over before the first hand; there the rules are asked about the bet.
    assert Session(table("").records).complete("A bet 5 >6c").doubts == ()
    assert "holds the bank" in Session(
        given(GAME, "", Seats="A B C D", Dealer="D").records
    ).complete("D bet 5 >6c").doubts[0]


@pytest.mark.parametrize("line", ["A 10 >6c", "a 10 >6c", "a 10 >6", "A bet 10 >6", "a bet 10 >6c"])
def test_a_bet_in_few_keys(line: str) -> None:
    (record,) = Session(table(LAID).records).complete(line).events
    assert write_event(record.event) == "A bet 10 >6c"


def test_a_bet_on_a_rank_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotationError, match=r"'>7': no such card lies on the board; expected one of 6♣ 5♦"):
        Session(table(LAID).records).complete("a 10 >7")


# R4, duty
def test_R4_the_banker_does_not_bet() -> None:
    table(LAID).when("D bet 5 >6c").finds("R4", words="holds the bank")
    table(LAID).when("C bet 5 >6c").allows()


def test_R4_and_no_result_has_bets_of_the_banker() -> None:
    table("D hand 1").when("@ tally ending=matched won.D=3").finds("R4", words="D held the bank and did not bet")
    table("D hand 1").when("@ tally banker=C ending=matched lost.C=3").finds("R4", words="C held the bank")
    table(MATCHED + "C hand 2\n").when(
        "@ tally ending=no-bets won.A=0 won.B=0 won.D=0 lost.A=0 lost.B=0 lost.D=2"
    ).clean()


# R5, duty
@pytest.mark.parametrize(
    ("act", "words"),
    [("C bet 11 >6c", "takes 1 to 10 on a card"), ("A bet 6 >5d", "A has 11 there"), ("B bet 7 >6c", "B has 11 there")],
)
def test_R5_broken(act: str, words: str) -> None:
    table(BETS).when(act).finds("R5", words=words)


def test_R5_kept_card_by_card() -> None:
    table(LAID, min=3).when("A bet 2 >6c").finds("R5", words="takes 3 to 10")
    table(BETS).when("B bet 6 >6c", "B bet 10 >5d").clean()


@pytest.mark.parametrize(
    ("limits", "facts", "words"),
    [
        ("min=5 max=10", "won.A=4", "A won 4, and the banker takes 5 to 10 on a card"),
        ("min=7 max=10", "lost.B=12", "B lost 12, and the banker takes 7 to 10 on a card"),
        ("", "lost.A=91", "at 10 on a card that is won and lost on 10 cards, and the board has 9 at most"),
        ("", "lost.A=85 won.B=1", "on 10 cards"),
    ],
)
def test_R5_a_result_that_no_bets_make(limits: str, facts: str, words: str) -> None:
    """If this failed, a result would say that more, or less, was bet than a board can hold."""
    table(f"D hand 1 {limits}\n".replace(" \n", "\n")).when(f"@ tally ending=matched {facts}").finds("R5", words=words)


@pytest.mark.parametrize(
    ("limits", "facts"), [("min=7 max=10", "lost.B=14"), ("", "lost.A=80 won.B=10 lost.B=80"), ("max=20", "won.A=180")],
)
def test_R5_a_result_that_bets_make(limits: str, facts: str) -> None:
    table(f"D hand 1 {limits}\n".replace(" \n", "\n")).when(f"@ tally ending=matched {facts}").allows()


# R6, duty
@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("A play 4c <stock", "D holds the bank"),
        ("D play 4c7h <stock", "one at a time"),
        ("D play 6c <board", "from the pack"),
    ],
)
def test_R6_broken(act: str, words: str) -> None:
    table(BETS).when(act).finds("R6", words=words)


def test_R6_kept() -> None:
    table(BETS).when("D play 4c <stock", "D play 7h <stock").clean()


def test_R6_whoever_turns_the_first_card_of_a_record_without_a_banker_holds_the_bank() -> None:
    """If this failed, a banker would be accused at every card because nobody wrote who holds the bank."""
    laid = "@ deal up board=6c5d banker=Qd\nA bet 10 >6c\nC bet 5 >5d\n"
    table("").when("B play 6h <stock").allows()
    case = table(laid + "B play 6h <stock\n")
    case.clean().when("B play Qh <stock").clean().scores(A=-10, B=5, C=5, D=0)
    # Only the banker turns cards and does not bet: B or D has broken a rule, and nothing shows which of them.
    case.when("D play 2h <stock").opens("R6").allows()
    case.when("B bet 5 >5d").opens("R4").allows()
    # Somebody wrote it.
    given(GAME, laid, Seats="A B C D", Dealer="D").when("B play 6h <stock").finds("R6", words="D holds the bank")


# R7, consequence
def test_R7_what_is_matched_leaves_with_its_bets() -> None:
    case = table(FIVE)
    assert piles(case) == {"board": ["6c"], "banker": ["Qd"], "dead": ["5d", "5h"]}
    case.when("A pay 5 >D").allows()
    case.when("A pay 6 >D").finds("R7", words="A pays 6; the bank has 5 to take")
    case.when("A pay 4 >D").finds("R7")
    case.when("A pay 5 >D", "A pay 5 >D").finds("R7", words="the bank has nothing to take")
    case.when("B pay 4 >D").finds("R7")
    # Five and ten, one after the other or together; no part of them.
    both = FIVE + "D play 6h <stock\n"
    for paid in (["A pay 5 >D", "A pay 10 >D"], ["A pay 10 >D", "A pay 5 >D"], ["A pay 15 >D"]):
        table(both).when(*paid).clean()
    table(both).when("A pay 11 >D").finds("R7", words="the bank has 5 and 10 to take")
    case.when("@ move 6c <board >dead").finds("R7", words="once it is matched")


# R8, consequence
def test_R8_the_other_two_are_dead() -> None:
    case = table(FIVE + "D play 5s <stock\n")
    assert piles(case) == {"board": ["6c"], "banker": ["Qd"], "dead": ["5d", "5h", "5s"]}
    # A bet on one of them is on no card of the board: one mistake, one finding.
    assert [
        f.rule for f in case.when("A bet 5 >5s").finds("R3", words="its rank is dead").judgement.broken
    ] == ["ziginette.R3"]
    case.when("@ move 5s <dead >board").finds("R8", words="does not come back")


# R9, consequence
def test_R9_the_bank_is_matched_and_pays() -> None:
    case = table(MATCHED)
    case.clean().scores(A=10 - 5, B=4, C=0, D=-9)
    case.when("D pay 10 >A", "D pay 4 >B").clean()
    case.when("D pay 12 >A").finds("R9", words="A gets 12; 10 is due")
    # What is due may be paid in parts.
    part = case.when("D pay 5 >A").opens("R9")
    part.when("D pay 5 >A", "C hand 2").clean()
    part.when("C hand 2").finds("R9", words="A has had 5 of +10")
    case.when("D pay 4 >C").finds("R9", words="C gets 4; nothing is due")
    table(FIVE).when("D pay 10 >A").finds("R9", words="nothing is due")


def test_R9_a_result_in_which_the_bank_was_not_matched_pays_nobody() -> None:
    for ending in ("cleared", "no-bets"):
        table("D hand 1").when(f"@ tally ending={ending} won.A=3").finds("R9", words="A is paid nothing")
        table("D hand 1").when(f"@ tally ending={ending} won.A=0 lost.A=3").allows()
    table("D hand 1").when("@ tally ending=matched won.A=3").allows()


def test_R9_nothing_is_turned_after_that() -> None:
    case = table(MATCHED).when("D play 7h <stock")
    case.finds("R9", words="the hand is over")
    assert case.judgement.state.number == 1


# R10, duty
def test_R10_the_bank_goes_to_the_right() -> None:
    table(MATCHED).when("C hand 2").allows()
    for other in ("A", "D"):
        table(MATCHED).when(f"{other} hand 2").finds("R10", words="goes to C on the right")
    table("@ tally ending=matched won.A=3 lost.A=0 won.B=0 lost.B=0 won.C=0 lost.C=0\n").when("A hand 2").finds("R10")


# R11, duty
def test_R11_an_empty_board_ends_the_hand() -> None:
    case = table(FIVE + "D play 6h <stock\n")
    case.clean().scores(A=-15, B=-4, C=0, D=19)
    case.when("D hand 2").allows()
    case.when("C hand 2").allows()
    case.when("A hand 2").finds("R11", words="D keeps the bank, or hands it on to C")


def test_R11_nothing_is_turned_onto_an_empty_board() -> None:
    cleared = table(FIVE + "D play 6h <stock\n")
    cleared.when("D play 3d <stock").finds("R11", words="the board is empty, and the hand is over")
    # A bet may be the first line of another hand, and so may a card that the next banker turns.
    cleared.when("A bet 5 >3d", "D play 3d <stock").opens("R3", at=8)


def test_R11_nobody_bets_any_more() -> None:
    table(LAID).when("@ end hand no-bets").allows().scores(A=0, B=0, C=0, D=0)
    table(FIVE).when("@ end hand no-bets").finds("R11", words="A has 10 on 6: the hand goes on")
    table(BETS + "D play ?? <stock\n").when("@ end hand no-bets").opens("R11")
    table(LAID + "@ end hand no-bets\n").when("A hand 2").finds("R11")


# What is not seen, what is broken off, what is told
def test_an_unseen_card_leaves_the_score_open() -> None:
    table(BETS + "D play ?? <stock\nD play Qh <stock\n").scores(A=None, B=None, C=None, D=None)
    fixed = table(BETS + "D play ?? <stock\nD play Qh <stock\n").when("@ fix #6 D play 5h <stock")
    fixed.scores(A=5, B=4, C=0, D=-9)


def test_a_bet_on_a_card_that_is_gone_stands_for_nothing() -> None:
    table(FIVE + "C bet 5 >5d\nB bet 5 >6?\nD play Qh <stock\n").scores(A=5, B=9, C=0, D=-14)
    table(LAID + "A bet 5 >?d\nB bet 5 >6c\nD play Qh <stock\n").scores(A=None, B=5, C=0, D=None)


def test_broken_off() -> None:
    table(FIVE).when("@ end hand time").scores(A=-5, B=0, C=0, D=5)


@pytest.mark.parametrize(
    ("facts", "points"),
    [
        ("ending=matched won.A=20 lost.A=15 won.B=0 lost.B=4 won.C=5 lost.C=0", {"A": 5, "B": -4, "C": 5, "D": -6}),
        (
            "banker=B ending=cleared won.A=0 lost.A=5 won.C=0 lost.C=0 won.D=0 lost.D=1",
            {"A": -5, "B": 6, "C": 0, "D": -1},
        ),
        ("ending=matched won.A=20 lost.A=15", {"A": 5, "B": None, "C": None, "D": None}),
    ],
)
def test_a_result_without_its_cards(facts: str, points: dict[str, int | None]) -> None:
    assert table("D hand 1\n").when(f"@ tally {facts}").judgement.state.scores[-1].points == points


def test_a_claim_is_compared() -> None:
    case = table(MATCHED, chips=100)
    assert claim_differences(score_match(case.when("@ claim A=105 B=104 C=100 D=91").records)) == []
    assert claim_differences(score_match(case.when("@ claim A=110 B=104 C=100 D=86").records))


def test_the_house_has_its_share() -> None:
    table(FIVE + "D play 6h <stock\n", rake=10).scores(A=-15, B=-4, C=0, D=18)
    table(MATCHED, rake=10).scores(A=5, B=4, C=0, D=-9)


# R12, consequence
def test_R12_the_house_gets_its_share_and_no_more() -> None:
    cleared = table(FIVE + "D play 6h <stock\n", rake=10)
    cleared.when("D pay 1 >house").clean()
    cleared.when("@ pay 1 >house").clean()
    cleared.when("D pay 2 >house").finds("R12", words="the house gets 2; 1 is due")
    cleared.when("D pay 1 >house", "D pay 1 >house").finds("R12", words="nothing is due")
    cleared.when("A pay 1 >house").finds("R12", words="D holds the bank, and pays the house")
    cleared.when("@ pay 1 <house >A").finds("R12", words="pays nothing")
    # Without the option, and of a bank that lost, it gets nothing; and nothing before the hand is over.
    table(FIVE + "D play 6h <stock\n").when("D pay 1 >house").finds("R12", words="no rake was agreed")
    table(MATCHED, rake=10).when("D pay 1 >house").finds("R12", words="nothing is due")
    table(FIVE, rake=10).when("D pay 1 >house").finds("R12", words="once the hand is over")


def test_R12_open_if_it_is_not_known_what_the_bank_has_won_or_whose_share_it_is() -> None:
    unseen = table(BETS + "D play ?? <stock\nD play Qh <stock\n", rake=10)
    unseen.when("D pay 1 >house").opens("R12")
    table(FIVE + "D play 6h <stock\nC hand 2\n", rake=10).when("D pay 1 >house").opens("R12")
    told = table("@ tally ending=cleared won.A=0 lost.A=30 won.B=0 lost.B=0 won.C=0 lost.C=0\n", rake=10)
    told.when("D pay 3 >house").clean()
    told.when("D pay 4 >house").finds("R12", words="3 is due")


def test_a_hand_typed_in_few_keys() -> None:
    session = Session(table("").records)
    for line in ("6c5dqd", "A 10 >6c", "5h", "qh"):
        session.take(session.complete(line).events)
    written = [write_event(r.event) for r in session.records[1:]]
    assert written == ["@ deal up board=6c5d banker=Qd", "A bet 10 >6c", "D play 5h <stock", "D play Qh <stock"]


@pytest.mark.parametrize("seats", ["A B", "A B C D E F G H"])
def test_whole_matches(seats: str) -> None:
    for seed in range(2):
        log = simulate(GAME, seed=seed, hands=4, seats=seats.split())
        for record in (log, hide(log)):
            verdict = judge(record)
            assert verdict.broken == []
            assert all(sum(n or 0 for n in s.points.values()) == 0 for s in verdict.state.scores)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("hand min=5 max=50", "C hand 2 max=50 min=5"),
        ("hand 2 min=5", "C hand 2 min=5"),
        ("hand 2", "C hand 2"),
        ("@ hand 2", "@ hand 2"),
    ],
)
def test_the_limits_are_typed_without_a_seat_and_without_a_number(line: str, written: str) -> None:
    """If this failed, a hand with new limits would be dealt by the table."""
    (event,) = Session(table(MATCHED).records).complete(line).events
    assert write_event(event.event) == written


def test_a_pack_that_is_mixed_in_a_hand_that_may_be_over_is_of_the_next() -> None:
    """If this failed, whoever banks the next hand of a table that writes no deals would be accused with each card."""
    lines = ["B hand 1", "B play 4c <stock", "A bet 1 >Ks", "B play 6c <stock", "@ shuffle * >stock", "A bet 1 >3d"]
    case = given("ziginette", "\n".join([*lines, "C play 6s <stock"]), Seats="A B C").clean()
    assert [hand.number for hand in case.judgement.state.scores] == [1]
    assert case.judgement.state.hand is not None


def test_nobody_has_certainly_won_from_a_bank_that_nobody_named() -> None:
    """If this failed, behind a gap the last banker would pay for the next one, and that score would be certain."""
    lines = ["C hand 1", "@ deal up board=Ks4s banker=6d", "C play 4c <stock", "@ gap"]
    played = ["@ deal up board=2h3d banker=5s", "A bet 1 >3d", "C bet 1 >2h", "B play 6s <stock", "B play 5h <stock"]
    case = given("ziginette", "\n".join([*lines, *played]), Seats="A B C").clean()
    assert set(case.judgement.state.scores[-1].points.values()) == {None}
