"""Fünfzehnern, rule by rule: each has the cases of its kind, for three and for four players."""

from __future__ import annotations

import pytest
from given import Given, given
from referees.funfzehnern import Referee
from sampling import seeds

from events.errors import UnreadableError
from events.model import Recorded
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.funfzehnern import COUNTS, PACK, WITHOUT
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

THREE = {"Seats": "A B C"}
# D deals. A begins; B has the ace of spades, and C the king and queen of diamonds.
A = "KhQh9h8dJd7cTc7s"
B = "AhJhThAs9s8sQcJc"
C = "7hKdQd7d9d8cTsJs"
D = "8hAdTdAcKc9cKsQs"
HAND = f"D hand 1\n@ deal A={A} B={B} C={C} D={D}\n"
HIDDEN = "D hand 1\n@ deal A=8x?? B=8x?? C=8x?? D=8x??\n"
# A leads hearts, and B takes the lead with the ace.
TAKEN = "A play 9h\nB play Ah\nC play 7h\nD play 8h\n"


def case(lines: str = "", hidden: bool = False, **tags: object) -> Given:
    return given("funfzehnern", (HIDDEN if hidden else HAND) + lines, **tags)


# R1, the first lead
def test_R1_the_dealers_left_leads_any_card() -> None:
    for card in ("Kh", "8d", "7s"):
        case().when(f"A play {card}").clean()
    case().when("B play Ah").finds("R1", words="A sits left of the dealer")
    given("funfzehnern", "C hand 1", **THREE).when("A play Ah").allows()


# R2, following suit
def test_R2_follow_suit() -> None:
    case("A play 9h\n").when("B play Th").clean()
    case("A play 9h\n").when("B play As").finds("R2", words="hearts were led")
    # Nobody has to win.
    case("A play Kh\n").when("B play Jh").clean()


def test_R2_hidden_until_the_suit_comes_out() -> None:
    case("A play 9h\n", hidden=True).when("B play As").opens("R2")
    later = case("A play 9h\nB play As\nC play 7h\nD play 8h\nA play Kh\n", hidden=True)
    later.when("B play Ah").finds("R2", at=4, known=8)


def test_R2_whoever_has_none_plays_anything() -> None:
    case("A play Tc\nB play Jc\nC play 8c\nD play 9c\nB play Qc\n").when("C play Ts").clean()


# R3, who wins and leads
@pytest.mark.parametrize(("cards", "winner"), [
    ("Th Jh 7h 8h", "B"), ("Jh Qh Kh Ah", "D"), ("Th 9h 8h 7h", "A"), ("9h Th 8h 7h", "B"), ("7h As Ad Ac", "A"),
    ("Kh Qh Ah Jh", "C"),
])  # fmt: skip
def test_R3_who_wins(cards: str, winner: str) -> None:
    trick = case(hidden=True).when(*(f"{seat} play {card}" for seat, card in zip("ABCD", cards.split(), strict=True)))
    trick.when(f"@ move * <trick >won:{winner}").clean()
    trick.when(f"@ move * <trick >won:{'ABCD'['ABCD'.index(winner) - 1]}").finds("R3")
    trick.when(f"{'ABCD'['ABCD'.index(winner) - 1]} play 9d").finds("R3", words=f"{winner} won the last trick")


# R4, the suit goes on (the example of the text)
def test_R4_whoever_took_the_lead_goes_on_with_the_suit() -> None:
    case(TAKEN).when("B play Jh").clean()
    case(TAKEN).when("B play Qc").finds("R4", words="B took the lead in hearts, and holds one; the Q♣ can be beaten")


def test_R4_says_that_a_card_may_be_missing_where_the_order_of_play_was_broken() -> None:
    lines = "A play 9h\nC play 7h\nB play Ah\nD play 8h\n"
    case(lines).when("B play Qc").opens(
        "R4", words="the order of play was broken before this, so a card may be missing from the record",
    )


def test_R4_once_the_suit_has_run_out_any_suit_may_be_led() -> None:
    lines = TAKEN + "B play Jh\nC play Ts\nD play Td\nA play Qh\n"
    # A has taken it back, and is held to hearts now.
    case(lines).when("A play Kh").clean()
    case(lines).when("A play 8d").finds("R4", words="A took the lead in hearts")
    out = lines + "A play Kh\nB play Th\nC play Js\nD play 9c\n"
    assert case(out).when("A play 8d").about() == []
    assert case(out).when("A play 7s").about() == []


def test_R4_the_lead_that_is_taken_again_holds_to_the_new_suit() -> None:
    lines = TAKEN + "B play Jh\nC play Ts\nD play Td\nA play Qh\nA play Kh\nB play Th\nC play Js\nD play 9c\n"
    taken = case(lines + "A play 8d\nB play Jc\nC play Kd\nD play Ad\n")
    # D took the lead in diamonds and has none left.
    taken.when("D play Ks").clean()
    kept = given("funfzehnern", HAND + lines + "A play 8d\nB play Jc\nC play Kd\nD play Ac\n")
    kept.when("C play Qd").allows()
    kept.when("C play 8c").finds("R4", words="C took the lead in diamonds")


def test_R4_a_lead_that_is_kept_frees_nobody_and_binds_nobody() -> None:
    # C takes the lead in diamonds, and goes on with the queen.
    hand = "D hand 1\n@ deal A=8dJdKhQh9h7cTc7s B=TdAhJhThAs9s8sQc C=AdKdQd7d9d8cTsJs D=8h7hAcKc9cKsQsJc\n"
    taken = hand + "A play 8d\nB play Td\nC play Ad\nD play Jc\nC play Kd\nD play 9c\nA play Jd\nB play 8s\n"
    given("funfzehnern", taken).when("C play 9d").clean()
    given("funfzehnern", taken).when("C play Ts").finds("R4")


def test_R4_a_lead_does_not_prove_who_took_the_trick_before() -> None:
    # B may have thrown a spade, so that A took the trick, and have led out of turn.
    led = "A play 9h\nB play ??\nC play 7h\nD play 8h\nB play As\n"
    played_on = case(led + "A play 7s\nC play Ts\nD play Ks\nB play Qc\n").opens("R4")
    assert "funfzehnern.R4" not in {f.rule for f in played_on.judgement.broken}
    case(led).when("@ move * <trick >won:A").opens("R3")


def test_R4_the_first_leader_may_be_held_by_a_house_rule() -> None:
    first = "A play Kh\nB play Jh\nC play 7h\nD play 8h\n"
    won = HAND.replace("AhJhTh", "9dJhTh").replace("7d9d8c", "7dAh8c") + first
    assert [f.rule for f in given("funfzehnern", won).when("A play 8d").about()] == []
    locked = given("funfzehnern", won, option={"opening_leader_locked": True})
    locked.when("A play 8d").finds("R4", words="A took the lead in hearts")
    locked.when("A play Qh").clean()


def test_R4_hidden_until_a_card_of_the_suit_is_shown() -> None:
    wrong = case(TAKEN + "B play Qc\nC play 8c\nD play Kc\nA play 7c\n", hidden=True)
    wrong.opens("R4", at=7)
    wrong.when("D play 9c", "A play Tc", "B play Jh").finds("R4", at=7, known=13)
    # Without a heart in the hand it was right.
    assert wrong.when("D play 9c", "A play Tc", "B play Jc").judgement.broken == []


def test_R4_an_unseen_card_leaves_it_open() -> None:
    case("A play 9h\nB play ??\nC play 7h\nD play 8h\n", hidden=True).when("B play Qc").opens("R4")
    case(TAKEN, hidden=True).when("B play ??").opens("R4")


# R5, a card that cannot be beaten
def test_R5_an_ace_may_always_be_led() -> None:
    case(TAKEN).when("B play As").clean()


def test_R5_a_card_of_which_all_higher_ones_are_out() -> None:
    # After the ace of spades the ten can still be beaten; the jack only by what is left.
    lines = TAKEN + "B play As\nC play Ts\nD play Ks\nA play 7s\n"
    case(lines).when("B play 9s").finds("R4", words="the 9♠ can be beaten")
    gone = HAND.replace(D, "8hAdTdAcKc9cQs8s").replace("9s8sQcJc", "Ks9sQcJc")
    spades = gone + TAKEN + "B play As\nC play Ts\nD play Qs\nA play 7s\n"
    given("funfzehnern", spades).when("B play Ks").clean()
    # And it frees nobody of the suit.
    given("funfzehnern", spades + "B play Ks\nC play Js\nD play 8s\nA play 7c\n").when("B play 9s").clean()
    given("funfzehnern", spades + "B play Ks\nC play Js\nD play 8s\nA play 7c\n").when("B play Qc").finds("R4")


def test_R5_the_higher_card_in_the_own_hand_is_an_option() -> None:
    hand = HAND.replace(B, "AhJhThAsKs8sQcJc").replace("9cKsQs", "9c9sQs")
    given("funfzehnern", hand + TAKEN).when("B play Ks").finds("R4", words="the K♠ can be beaten")
    given("funfzehnern", hand + TAKEN, option={"own_higher_cards_count_as_unbeatable": True}).when("B play Ks").clean()


def test_R5_a_higher_card_that_may_have_been_played_unseen() -> None:
    hand = "D hand 1\n@ deal A=8x?? B=AhJhThAs9s8sKcJc C=8x?? D=8x??\n"
    given("funfzehnern", hand + "A play 9h\nB play Ah\nC play ??\nD play 8h\n").when("B play Kc").opens("R4")
    given("funfzehnern", hand + "A play 9h\nB play Ah\nC play 7h\nD play 8h\n").when("B play Kc").finds("R4")


def test_R4_who_took_the_lead_may_be_open() -> None:
    hand = "D hand 1\n@ deal A=8x?? B=KcJhThAs9s8sQcJc C=8x?? D=8x??\n"
    case_of = given("funfzehnern", hand + "A play 9h\nB play Jh\nC play ??\nD play 8h\n")
    case_of.when("B play Qc").opens("R4")
    case_of.when("A play Qc").finds("R3")


def test_R5_wrongly_denied() -> None:
    case(TAKEN).when("B play As", "C fault lock B").finds("R5", words="the card that B led could not be beaten")
    case(TAKEN).when("B play As", "C fault slow B").allows()
    case(TAKEN).when("B play Jh", "C fault lock B").allows()
    case(TAKEN).when("B play Qc", "C fault lock B").allows()


def test_R5_wrongly_denied_by_those_who_count_the_own_higher_cards() -> None:
    own, led = {"own_higher_cards_count_as_unbeatable": True}, TAKEN + "B play Ks\nC fault lock B"
    hand = HAND.replace(B, "AhJhThAsKs8sQcJc").replace("9cKsQs", "9c9sQs")
    given("funfzehnern", hand + led, option=own).finds("R5", words="could not be beaten")
    given("funfzehnern", hand + led).allows()
    hidden = given("funfzehnern", HIDDEN + led, option=own)
    hidden.opens("R5")
    hidden.when("C play Ts", "D play 9s", "A play 7s", "B play As").finds("R5", at=8)
    # The ace was somebody else's.
    hidden.when("C play As").allows(at=8)


def test_R5_a_lead_that_was_free_frees_none_after_it() -> None:
    free = TAKEN + "B play As\nC play Ts\nD play Ks\nA play 7s\n"
    case(free).when("B play Jh", "C fault lock B").allows()


# R6, zwang
def test_R6_before_the_queen_or_after_it() -> None:
    free = given("funfzehnern", HAND.replace("D hand 1", "B hand 1"))
    free.when("C call zwang", "C play Qd").clean()
    free.when("C play Qd", "C call zwang").clean()
    free.when("C call zwang", "C play Kd").finds("R6", words="leads no queen")
    free.when("C play Kd", "C call zwang").finds("R6", words="with a queen")
    free.when("C play Qd", "D play Ad", "C call zwang").finds("R6", words="with the lead")
    free.when("D call zwang").finds("R6", words="C leads")


def test_R6_the_king_in_the_same_hand_and_the_ace_still_out() -> None:
    free = HAND.replace("D hand 1", "A hand 1")
    given("funfzehnern", free).when("B play Qc", "B call zwang").finds("R6", words="king of clubs")
    given("funfzehnern", free).when("B call zwang").finds("R6", words="no king and queen")
    deal = "C hand 1\n@ deal A=KhQh9hJh7hTc8dJd B=KsQsJsTs7sAhThJc C=KdQd7d9dAs8c9c7c D=8s9s8hAcKcQcAdTd\n"
    gone = given(
        "funfzehnern", deal + "D play Ad\nA play 8d\nB play Jc\nC play 7d\nD play 8s\nA play Tc\nB play Ts\nC play As\n"
    )
    gone.when("C call zwang").finds("R6", words="no king and queen")
    gone.when("C play Qd", "C call zwang").finds("R6", words="or the ace has been played")
    gone.when("C play Qd").clean()


def test_R6_zwang_is_no_exception_to_the_suit() -> None:
    # C took the lead in hearts and has one left; the queen of diamonds can be beaten.
    hand = "D hand 1\n@ deal A=9hJdKhQh8d7cTc7s B=ThTdJhAs9s8sQcJc C=AhKdQd7d9d8cTs7h D=8hAdAcKc9cKsQsJs\n"
    held = given("funfzehnern", hand + "A play 9h\nB play Th\nC play Ah\nD play 8h\n")
    held.when("C call zwang").finds("R6")
    held.when("C play Qd").finds("R4")
    held.when("C play 7h").clean()


def test_R6_with_the_ace_in_the_own_hand_it_forces_nobody() -> None:
    hand = HAND.replace("D hand 1", "C hand 1").replace("AcKc9cKsQs", "KsQcAsKcQs").replace("ThAs9s8sQc", "Th9c9s8sAc")
    given("funfzehnern", hand).when("D call zwang", "D play Qs", "A play 7s", "B play 9s", "C play Ts").clean()


def test_R6_hidden_until_the_king_is_seen_elsewhere() -> None:
    said = case("A play Qd\nA call zwang\n", hidden=True)
    said.opens("R6")
    said.when("B play Td", "C play Kd").finds("R6", at=4, known=6)
    assert said.when("B play Td", "C play 7d", "D play Ad", "D play 9d", "A play Kd").judgement.broken == []


# R7, the ace is forced
def test_R7_the_ace_is_played() -> None:
    free = HAND.replace("D hand 1", "B hand 1") + "C call zwang\nC play Qd\n"
    given("funfzehnern", free).when("D play Ad").clean()
    given("funfzehnern", free).when("D play Td").finds("R7", words="D holds the ace of diamonds")
    # Without the word nobody has to.
    given("funfzehnern", free.replace("C call zwang\n", "")).when("D play Td").clean()
    # The others follow as always.
    given("funfzehnern", free + "D play Ad\n").when("A play 8d", "B play 8s").clean()


def test_R7_after_the_word_that_follows_the_queen() -> None:
    free = HAND.replace("D hand 1", "B hand 1") + "C play Qd\nC call zwang\n"
    given("funfzehnern", free).when("D play Td").finds("R7")
    given("funfzehnern", free).when("D play Ad").clean()


def test_R7_is_over_with_the_trick() -> None:
    free = HAND.replace(
        "D hand 1", "B hand 1",
    ) + "C call zwang\nC play Qd\nD play Td\nA play 8d\nB play 8s\nC play 8c\n"
    given("funfzehnern", free).when("D play Ac").allows()


def test_R7_hidden_until_the_ace_is_shown() -> None:
    kept = case("A call zwang\nA play Qd\nB play Td\nC play 7d\nD play 9d\n", hidden=True)
    kept.opens("R7", at=5)
    kept.when("A play Kd", "B play Ad").finds("R7", at=5, known=9)
    assert kept.when("A play Kd", "B play 8d", "C play Ad").judgement.broken[0].at.pos == 6


# R8, one card in turn
def test_R8_one_card_in_turn() -> None:
    case("A play 9h\n").when("C play 7h").finds("R8", words="it is the turn of B")
    case().when("A play 9hKh").finds("R8")


# R9, the deal and the pack
def test_R9_eight_each() -> None:
    case().clean()
    given("funfzehnern", "D hand 1").when("@ deal A=9x??").finds("R9")
    given("funfzehnern", "D hand 1").when("@ deal stock=1x??").finds("R9")
    case(hidden=True).when("A play 6h").finds("T1")


@pytest.mark.parametrize("suit", "cdhs")
def test_R9_with_three_a_suit_is_out(suit: str) -> None:
    three = given("funfzehnern", "C hand 1\n@ deal A=8x?? B=8x?? C=8x??", option={"removed_suit": suit}, **THREE)
    three.when(f"A play 9{suit}").finds("T1")
    three.when(f"A play 9{'d' if suit != 'd' else 's'}").clean()
    assert WITHOUT[suit].size == 24
    # With four players no suit is out.
    given("funfzehnern", HIDDEN, option={"removed_suit": suit}).when(f"A play 9{suit}").clean()


def test_R9_not_for_two_or_five() -> None:
    for seats in ("A B", "A B C D E"):
        with pytest.raises(UnreadableError):
            begin({"Game": "funfzehnern", "Seats": seats})


# R10, what a hand counts
def test_R10_fifteen_for_each_player() -> None:
    assert COUNTS[PACK].whole(tricks=8) == 60
    assert {COUNTS[cards].whole(tricks=8) for cards in WITHOUT.values()} == {45}


@pytest.mark.parametrize(
    ("told", "points"),
    [
        ("points.A=21 points.B=9 points.C=16 points.D=14", {"A": 6, "B": -6, "C": 1, "D": -1}),
        ("points.A=60 points.B=0 points.C=0", {"A": 45, "B": -15, "C": -15, "D": -15}),
        ("points.A=21 points.B=9", {"A": 6, "B": -6, "C": None, "D": None}),
    ],
)
def test_R10_told_by_a_tally(told: str, points: dict[str, int | None]) -> None:
    given("funfzehnern", "D hand 1").when(f"@ tally {told}").clean().scores(**points)


def test_R10_with_three_there_are_45() -> None:
    three = given("funfzehnern", "C hand 1", **THREE)
    three.when("@ tally points.A=20 points.B=10").clean().scores(A=5, B=-5, C=0)
    three.when("@ tally points.A=20 points.B=10 points.C=30").finds("R10")
    three.when("@ tally points.A=46").finds("R10")


@pytest.mark.parametrize(
    "told",
    [
        "points.A=61", "points.A=-1", "points.A=30 points.B=31", "points.E=3",
        "points.A=10 points.B=10 points.C=10 points.D=10",
    ]
)
def test_R10_figures_that_cannot_be(told: str) -> None:
    assert given("funfzehnern", "D hand 1").when(f"@ tally {told}").judgement.broken


@pytest.mark.parametrize("seats", ["A B C", "A B C D"])
def test_R10_counted_by_hand(seats: str) -> None:
    state = fold(simulate("funfzehnern", seed=4, seats=seats.split(), hands=1))
    cards = dict.fromkeys(seats.split(), 0)
    for trick in state.hand.trick.won:
        cards[trick.winner] += sum("TJQKA".find(state.game.pack.faces[c][0]) + 1 for _, c in trick.plays)
    assert dict(state.scores[0].points) == {who: n - 15 for who, n in cards.items()}
    assert sum(state.scores[0].points.values()) == 0


@pytest.mark.parametrize(("line", "fair"), [
    ("@ pay 6 <pot >A", True), ("B pay 6 >pot", True), ("B pay 6", True), ("A pay 6 >pot", False),
    ("@ pay 5 <pot >A", False), ("B pay 5 >pot", False),
])  # fmt: skip
def test_R11_chips_are_compared(line: str, fair: bool) -> None:
    paid = given("funfzehnern", "D hand 1\n@ tally points.A=21 points.B=9 points.C=16").when(line)
    paid.clean() if fair else paid.finds("R10")


def test_R10_a_claim_and_a_ruling() -> None:
    told = given("funfzehnern", "D hand 1\n@ tally points.A=21 points.B=9 points.C=16")
    assert claim_differences(score_match(told.when("@ claim A=6 B=-6 C=1 D=-1").records)) == []
    assert [c.who for c in claim_differences(score_match(told.when("@ claim A=7 B=-6 C=0 D=-1").records))] == ["A", "C"]
    ruled = told.when("A dispute #2", "@ ruling #3 points.A=2 points.D=-2")
    assert score_match(ruled.records).ways["ruled"].totals == {"A": 8, "B": -6, "C": 1, "D": -3}


# The match and its sheet
@pytest.mark.parametrize(("hands", "ended"), [(1, "won"), (2, ""), (0, "")])
def test_the_match_has_so_many_hands(hands: int, ended: str) -> None:
    one = given("funfzehnern", "D hand 1\n@ tally points.A=21 points.B=9 points.C=16", option={"hands": hands})
    state = one.judgement.state
    assert (state.ended, state.standing.winner) == (ended, "A" if ended else "")


def test_those_who_are_level_share() -> None:
    level = given(
        "funfzehnern", "D hand 1\n@ tally points.A=20 points.B=20 points.C=10", option={"hands": 1},
    ).judgement.state
    assert (level.ended, level.standing.winner) == ("won", "")


def test_the_deal_goes_to_the_left() -> None:
    log = simulate("funfzehnern", seed=1, hands=3)
    assert [r.event.by for r in log if write_event(r.event).split()[1] == "hand"] == ["D", "A", "B"]


def test_the_sheet_has_what_each_gains_and_who_pays_whom() -> None:
    score, settle = sheet_of(
        given("funfzehnern", "D hand 1\n@ tally points.A=21 points.B=9 points.C=16").records
    ).blocks
    assert [cell.text for cell in score.rows[0].cells] == ["1", "D", "+6", "6", "−6", "−6", "+1", "1", "−1", "−1"]
    assert [[cell.text for cell in row.cells] for row in settle.rows] == [["B", "A", "6"], ["D", "C", "1"]]


def test_a_hand_is_typed_by_its_cards() -> None:
    session = Session(case(hidden=True).records)
    for line, written in (
        ("qd", ["A play Qd"]), ("zwang", ["A call zwang"]), ("z", ["A call zwang"]),
        ("9h a t 8", ["A play 9h", "B play Ah", "C play Th", "D play 8h"]),
    ):
        assert [write_event(r.event) for r in session.complete(line).events] == written


# The referee
TABLES = {
    "four": ("A B C D", {}), "three": ("A B C", {}), "without hearts": ("A B C", {"removed_suit": "h"}),
    "the opening holds": ("A B C D", {"opening_leader_locked": True}),
    "own cards": ("A B C D", {"own_higher_cards_count_as_unbeatable": True}),
    "own cards of three": ("A B C", {"own_higher_cards_count_as_unbeatable": True}),
    "three hands": ("A B C", {"hands": 3}),
}  # fmt: skip


def refereed(records: list[Recorded], table: str) -> tuple[Referee, int]:
    """The same lines, read by the referee."""
    seats, options = TABLES[table]
    referee = Referee(seats.split(), **options)
    return referee, referee.read([write_event(r.event) for r in records[1:]])


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(1, 26))
def test_the_referee_agrees_about_legal_matches(seed: int, table: str) -> None:
    """Eight hands in most matches: who won each trick, what each hand came to, and who won."""
    seats, options = TABLES[table]
    records = simulate("funfzehnern", seed=seed, seats=seats.split(), options=options)
    referee, wrong = refereed(records, table)
    state = fold(records)
    assert wrong == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int, table: str) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    seats, options = TABLES[table]
    records, _ = simulate_breaches("funfzehnern", seed=seed, p=0.05, hands=1, seats=seats.split(), options=options)
    _, wrong = refereed(records, table)
    assert wrong == min((f.at.pos for f in judge(records).broken), default=0)
