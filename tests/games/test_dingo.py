"""Dingo, rule by rule: each has the cases of its kind."""

from __future__ import annotations

import re

import pytest
from given import Given, given
from referees.dingo import Referee
from sampling import seeds

from events.model import Play
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.dingo import PACK, penalties
from reducers.legal import legal
from reducers.rules import Breach, Verdict
from reducers.words.hunts import latest_catch
from replay.auditing.check import check
from replay.auditing.exhaustive import exact
from replay.fold import fold
from replay.judging.hidden_cards import read_hand, trace_hidden_cards
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.position import here
from replay.table.session import Session

DEAL = "D hand 1\n@ deal A=10x?? B=10x?? C=10x?? D=10x??\n"
# For the first round of cards thrown and passed on.
OPEN = """
    D hand 1
    @ deal A=2hAhTh4cTs6s7s9sJs3s B=5h2c5cAcJh6c7c8c9c3c C=3h9h2s5sAdKh4s8sQs6h D=4h7h8hAsQhKcKsTcQcJc
"""
THROWN = "D discard Tc\nA discard 3s\nB discard 3c\nC discard 6h\n"
# Cards that are thrown in the end go round first, so that the hands in the first line of the deal are left.
HUNTS = """
    D hand 1
    @ deal A=2h3hAh4c5c6c B=5h2c6h7cAcAs C=7h9h2s5sAdKh D=4h8hThJhQhKc
    @ deal A=Tc9c8c7s B=JcQc3s8s C=3c6sKs9s D=4sTsJsQs
"""
ROUNDS = (
    "D discard 4s\nA discard Tc\nB discard Jc\nC discard 3c\nD move Ts >A\nA move 9c >B\nB move 3s >C\nC move 6s >D\n"
    "D discard 6s\nA discard Ts\nB discard 9c\nC discard 3s\nD move Js >B\nA move 8c >C\nB move Qc >D\nC move Ks >A\n"
    "D discard Qc\nA discard Ks\nB discard Js\nC discard 8c\nD move Qs >C\nA move 7s >D\nB move 8s >A\nC move 9s >B\n"
    "D discard 7s\nA discard 8s\nB discard 9s\nC discard Qs\n"
)
PLAYED = HUNTS + ROUNDS
SILENT = DEAL + "D name 2\n"


def hunted(*lines: str) -> Given:
    """What is played after all cards were thrown and passed on, with every card known. Of these are left: A
    2h3hAh4c5c6c, B 5h2c6h7cAcAs, C 7h9h2s5sAdKh, D 4h8hThJhQhKc."""
    return given("dingo", PLAYED).when(*lines)


UP_TO_THE_ACES = [f"{seat} play {rank}h" for rank, seat in zip("23456789TJQK", "AADBBCDCDDDC", strict=True)]


def up_to_the_aces(*lines: str) -> Given:
    """The same after every dingo up to the king's came out and nobody played a wolf."""
    return hunted(*UP_TO_THE_ACES, *lines)


# R1, throwing cards
def test_R1_each_throws_one_card_and_the_dealer_first() -> None:
    given("dingo", OPEN).when(*THROWN.split("\n")[:4]).clean()
    given("dingo", OPEN).when("A discard 3s").finds("R1", words="it is the turn of D")
    given("dingo", OPEN).when("D discard TcJc").finds("R1", words="one card")
    given("dingo", OPEN).when("D discard Tc", "D discard Jc").finds("R1", words="has thrown")
    given("dingo", OPEN).when("D discard *x??").opens("R1")


def test_R1_a_card_passed_on_before_all_have_thrown_one_may_be_a_line_left_out() -> None:
    given("dingo", OPEN).when("D discard Tc", "D move Qc >A").opens("R1")


def test_R1_cards_passed_on_that_nobody_wrote() -> None:
    case = given("dingo", OPEN).when(*THROWN.splitlines(), "D discard Qc")
    assert case.judgement.findings == []
    assert [text for _, text in case.judgement.state.inferred] == [
        "D, A, B and C passed a card to the left before this (not recorded)"
    ]


# R2, aces
def test_R2_no_ace_is_thrown() -> None:
    given("dingo", OPEN).when("D discard As").finds("R2", words="A♠ is an ace")
    given("dingo", DEAL).when("D discard ??").opens("R2")
    given("dingo", DEAL).when("D discard ?s").opens("R2")
    given("dingo", DEAL).when("D discard 7?").allows()
    given("dingo", DEAL).when("D discard A?").finds("R2")


def test_R2_an_unseen_card_that_was_an_ace() -> None:
    case = given("dingo", DEAL).when("D discard ??", "A discard 3s")
    case.when("@ fix #3 D discard Ah").finds("R2", at=3)


# R3 and R4, passing cards on
@pytest.mark.parametrize(("rounds", "right", "wrong"), [(4, "A", "C"), (12, "B", "A"), (20, "C", "B")])
def test_R3_to_the_left_then_across_then_to_the_right(rounds: int, right: str, wrong: str) -> None:
    lines = ROUNDS.splitlines()[:rounds]
    card = ROUNDS.splitlines()[rounds].split()[2]
    given("dingo", HUNTS).when(*lines, f"D move {card} >{right}").allows()
    given("dingo", HUNTS).when(*lines, f"D move {card} >{wrong}").finds("R3", words=f"D passes to {right}")


def test_R3_one_card() -> None:
    given("dingo", OPEN).when(*THROWN.splitlines(), "D move QcKc >A").finds("R3", words="one card")


def test_R4_in_turn_and_in_no_other_part_of_the_game() -> None:
    given("dingo", OPEN).when(*THROWN.splitlines(), "A move Js >B").finds("R4", words="it is the turn of D")
    given("dingo", OPEN).when(*THROWN.splitlines(), "D move Qc >A", "D move Jc >A").finds("R4", words="has passed")
    given("dingo", OPEN).when(*THROWN.splitlines(), "D move Qc >A", "A move Qc >B").allows()
    hunted("D move 4h >A").finds("R4", words="no card is passed")
    hunted("@ gap", "D move ?? >A").opens("R4")


def test_R4_an_ace_may_be_passed_on() -> None:
    given("dingo", OPEN).when(*THROWN.splitlines(), "D move As >A").clean()


# R5, the ranks
def test_R5_in_order_and_called_by_the_dealer() -> None:
    hunted("D name 2").clean()
    hunted("A name 2").finds("R5", words="D has dealt")
    hunted("D name 3").finds("R5", words="the 2 is hunted next")
    hunted("D name h").finds("R5", words="a rank is called")
    hunted("D name 2", "A play 2h", "D name 2").finds("R5", words="hunted already")


def test_R5_a_call_that_nobody_wrote() -> None:
    hunted("A play 2h", "A play 3h", "D play 4h").clean()
    hunted("A play 2h", "D play 4h").finds("R5", words="3♥ is with A")
    given("dingo", SILENT).when("A play 2h", "D play 4h").opens("R5")


def test_R5_the_heart_of_a_rank_without_a_call_was_thrown() -> None:
    lines = ["D discard 4s", "A discard 3h", "B discard Jc", "C discard 3c"]
    given("dingo", HUNTS).when(*lines, "A play 2h", "D name 4").clean()


def test_R5_the_ace_comes_last() -> None:
    up_to_the_aces("D name A", "A play Ah", "D name 2").finds("R5", words="the hunt of the aces is the last")


def test_R5_an_ace_that_comes_too_early_ends_nothing() -> None:
    early = hunted("D name 2", "A play Ah")
    early.finds("R6", words="A holds the 2♥")
    case = early.when("D name 2", "A play 2h")
    case.finds("R5", at=34, words="the hunt of the aces is the last")
    case = case.when("B play 2c", "C pass", "D pass", "D name 3")
    case.allows()
    assert piles(case, "won:A", "won:B", "penalty:A") == [["2h"], ["2c", "2d"], []]


# R6, the dingo
def test_R6_whoever_holds_the_dingo_plays_it() -> None:
    hunted("D name 2", "A play 2h").clean()
    hunted("D name 2", "D name 3").finds("R6", words="A holds the 2♥")
    hunted("D name 2", "A play 3h").finds("R6", words="A holds the 2♥")
    hunted("D name 2", "D name 3", "A play 3h", "A play 2h").finds("R6", words="when its rank was called")


def test_R6_a_dingo_that_comes_late() -> None:
    hunted("D name 2", "D name 3", "A play 2h").finds("R6", words="when its rank was called")
    hunted(
        "D name 2", "A play 2h", "B pass", "D name 3", "D name 4", "A play 3h",
    ).finds("R6", words="when its rank was called")


def test_R6_a_dingo_that_was_thrown_does_not_come() -> None:
    case = given("dingo", HUNTS).when(
        "D discard 4s", "A discard 2h", "B discard Jc", "C discard 3c", "D name 2", "D name 3",
    )
    case.clean()


def test_R6_a_dingo_held_back_is_open_until_the_hands_are_laid_open() -> None:
    thrown = ["Tc", "3s", "3c", "6s", "9s", "8s", "7s", "6c", "Ks", "Qs", "Js", "4s", "9c", "Jc", "Qc", "4c"]
    lines = [f"{seat} discard {card}" for seat, card in zip("DABC" * 4, thrown, strict=True)]
    case = given("dingo", DEAL).when(*lines, "D name 2", "D name 3", "B play 3h")
    case.opens("R6", at=20)
    case = case.when("D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass")
    case.opens("R6", at=20)
    case.when("C show 2h").finds("R11")
    case.when("C show 2h").finds("R6", at=20, known=28)


def test_R6_a_dingo_that_was_held_back_is_open_until_every_hand_is_laid_open() -> None:
    """The case that this game is known for. One card was thrown that nobody saw: it may have been the two of hearts."""
    unseen = re.sub("move ..", "move ??", ROUNDS).replace("A discard Tc", "A discard ??")
    called = given("dingo", DEAL + unseen).when("D name 2", "D name 3")
    hunts = ["A play 3h", "D play 4h", "B play 5h", "B play 6h", "C play 7h", "D play 8h", "C play 9h", "D play Th",
             "D play Jh", "D play Qh",
             "C play Kh", "D name A", "A play Ah", "B play AcAs", "C play Ad"]  # fmt: skip
    over = called.stays_open("R6", *hunts, at=32).clean()
    held = over.stays_open("R6", "B show 2c7c", "C show 2s5s", "D show Kc", at=32).when("A show 2h4c5c6c")
    held.finds("R11", words="A has the 2♥ left")
    held.finds("R6", at=32, known=51, words="A holds the 2♥ that was called, and has not played it")
    assert {f.by for f in held.about(32) if f.rule == "dingo.R6"} == {"A"}
    thrown = over.stays_open("R6", "A show Tc4c5c6c", "B show 2c7c", "C show 2s5s", at=32).when("D show Kc")
    thrown.settles("R6", at=32).clean()


# R7, wolves
def test_R7_one_wolf_each_in_turn() -> None:
    hunted("D name 2", "A play 2h", "B play 2c", "C play 2s").clean()
    hunted("D name 2", "A play 2h", "C play 2s", "B play 2c").finds("R7", words="B has already had a turn")
    hunted("D name 2", "A play 2h", "B pass", "C pass", "D pass").clean()
    hunted("D name 2", "A play 2h", "C play 2s").clean()
    hunted("D name 2", "A play 2h", "C pass", "B play 2c").finds("R7", words="has already had a turn")
    hunted("D name 2", "A play 2h", "B pass", "B play 2c").finds("R7", words="has already had a turn")


def test_R7_no_wolf_of_whoever_played_the_dingo_nor_of_another_rank() -> None:
    hunted("D name 2", "A play 2h", "A pass").finds("R7", words="played the dingo")
    hunted("D name 2", "A play 2h", "B play 7c").finds("R7", words="the 7♣ is not its wolf")
    hunted("D name 2", "B play 2c").finds("R7", words="2♥ comes first")
    hunted("D name 2", "A play 2h", "D name 3", "A play 3h", "B play 2c").finds("R7")


def test_R7_nobody_is_asked_after_the_second_wolf() -> None:
    hunted("D name 2", "A play 2h", "B play 2c", "C play 2s", "D pass").clean()
    hunted("D name 2", "A play 2h", "B play 2c", "C play 2s", "D pass", "D pass").finds("R7", words="no hunt is on")


def test_R7_a_card_that_nobody_saw() -> None:
    hunted("D name 2", "A play 2h", "B play ??").opens("R7")
    hunted("D name 2", "A play 2h", "B play ??", "C play 2s").opens("R7")
    hunted("D name 2", "A play 2h", "B play ??", "D name 3").opens("R5")
    hunted("D name 2", "A play 2h", "B play ??", "D name 3", "A play 3h").allows()


def test_R7_no_card_unseen_decides_what_an_act_belongs_to() -> None:
    """The card of A may be the dingo or none: whether there is a hunt to pass in, nobody can say until the next
    call."""
    case = hunted("D name 2", "A play ??", "B pass", "C pass", "D pass")
    case.opens("R7", at=34)
    assert [f for f in case.judgement.broken if f.at.pos > 31] == []
    hunted("D name 2", "A play ??", "D name 3").opens("R6")
    hunted("D name 2", "A play ??", "B pass", "D name 3", "A play 3h").allows()


def test_R7_a_pass_without_a_hunt() -> None:
    hunted("D name 2", "A pass").finds("R7", words="the 2♥ was called")
    hunted("A pass").finds("R7", words="no hunt is on now")


def test_R7_passes_of_three_seats_show_that_the_fourth_played_the_dingo_unwritten() -> None:
    """Nobody is told to have passed too early without the line that may be missing."""
    case = given("dingo", SILENT).when("C pass", "D pass", "A pass", "D name 3", "C play 3h")
    assert [offer.lines for offer in check(case.records).repairs] == [("@ fix #3+ B play 2h",)]
    case.when("@ fix #3+ B play 2h").clean()


def test_R7_a_wolf_that_is_taken_back_gives_the_turn_back() -> None:
    out = hunted("D name 2", "A play 2h", "B play 2c", "B move 2c <trick >hand:B")
    assert out.judgement.state.turn == ("B",)
    out.when("B pass", "C play 2s").clean()
    out.when("B play 2c", "C pass").clean()
    taken = hunted("D name 2", "A play 2h", "A move 2h <trick >hand:A")
    assert (taken.judgement.state.phase, taken.judgement.state.turn) == ("dingo", ("A",))
    taken.when("A play 2h", "B pass").clean()
    taken.when("A play 3h").finds("R6", words="A holds the 2♥")


def test_R7_a_second_card_counts_for_nobody() -> None:
    """Of a dingo with another card in its line, and of two wolves at once, the first is the one that was meant."""
    two = hunted("D name 2", "A play 2h4c", "B play 2c", "C pass", "D pass")
    two.finds("R7", at=33, words="one card")
    assert piles(two, "won:A", "won:B", "dead") == [["2h"], ["2c", "2d"], ["4c"]]
    pair = given("dingo", DEAL).when("D name 2", "A play 2h", "B play 2c2s", "C pass", "D pass")
    pair.finds("R7", at=5, words="one card")
    assert piles(pair, "won:A", "won:B", "dead") == [["2h"], ["2c", "2d"], ["2s"]]


# R8, the ace of diamonds; R9 and R10, wolves in the hunt of the aces
def test_R8_the_rabbit_comes_after_both_wolves() -> None:
    up_to_the_aces("D name A", "A play Ah", "B play AcAs", "C play Ad").clean()
    up_to_the_aces("D name A", "A play Ah", "B play Ac", "C play Ad").finds("R8", words="only one")
    up_to_the_aces("D name A", "A play Ah", "C play Ad").finds("R8", words="none")
    hunted("D name 2", "C play Ad").finds("R8", words="in the hunt of the aces")


def test_R8_own_wolves_first() -> None:
    given("dingo", DEAL).when("D name A", "A play Ah", "B play AcAsAd").allows()
    given("dingo", DEAL).when("D name A", "A play Ah", "B play AdAcAs").finds("R8")
    given("dingo", DEAL).when("D name A", "A play Ah", "B play Ac", "B play As", "B play Ad").allows()


def test_R9_one_wolf_or_both() -> None:
    up_to_the_aces("D name A", "A play Ah", "B play As").clean()
    up_to_the_aces("D name A", "A play Ah", "B play Ac", "B play As", "C play Ad").clean()
    up_to_the_aces("D name A", "A play Ah", "B play Ac", "C fault wolf B").finds("R9")
    hunted("D name 2", "A play 2h", "B fault wolf").allows()


def test_R10_the_last_turn() -> None:
    aces = given("dingo", DEAL).when("D name A", "A play Ah")
    aces.when("B pass", "C pass", "D pass", "A play AcAs").allows()
    aces.when("A play Ac", "B pass").finds("R7")
    aces.when("D fault last A").finds("R10")
    aces.when("D fault last B").allows()


def test_R10_one_wolf_after_the_other_in_the_last_turn() -> None:
    case = given("dingo", DEAL).when(
        "D name A", "A play Ah", "B pass", "C pass", "D pass", "A play Ac", "A play As", "A play Ad",
    )
    assert [f for f in case.judgement.findings if f.at.pos > 4] == []
    assert piles(case, "won:A") == [["Ac", "Ad", "Ah", "As"]]


def test_R10_whoever_is_left_after_the_last_ace_may_pass_or_say_nothing() -> None:
    over = up_to_the_aces("D name A", "A play Ah", "B play AcAs", "C play Ad")
    for passes in (["D pass"], ["A pass"], ["D pass", "A pass"]):
        over.when(*passes).clean().scores(A=1, B=4, C=6, D=-8)
    over.when("B pass").finds("R7", words="B has already had a turn")
    over.when("D pass", "D pass").finds("R7", words="D has already had a turn")


@pytest.mark.parametrize("line", ["A hand 2", "@ claim A=1 B=4", "@ end match", "A move Ah <trick >won:A"])
def test_R10_what_comes_after_the_game_shows_that_the_others_have_passed(line: str) -> None:
    case = given("dingo", PLAYED, option={"games": 2}).when(
        *UP_TO_THE_ACES, "D name A", "A play Ah", "B play AcAs", line,
    )
    case.clean()
    assert case.judgement.state.scores[0].points == {"A": 1, "B": 4, "C": -7, "D": -8}


def test_R10_the_rabbit_may_be_shown_before_the_others_have_spoken() -> None:
    case = up_to_the_aces("D name A", "A play Ah", "B pass", "C show Ad")
    case.scores(A=-5, B=-2, C=-7, D=-8)
    assert piles(case, "penalty:A", "penalty:C") == [["2h", "3h", "Ah"], ["7h", "9h", "Ad", "Kh"]]
    more = given("dingo", DEAL).when("D name A", "A play Ah", "B show Ad", "C play Ac", "D pass", "A pass")
    assert [f for f in more.judgement.findings if f.at.pos > 4] == []
    assert piles(more, "won:A", "won:C", "penalty:A") == [["Ah"], ["Ac"], []]


def test_R10_another_game_begins_after_the_last_hunt_without_a_line() -> None:
    case = given("dingo", PLAYED, option={"games": 2}).when(
        *UP_TO_THE_ACES, "D name A", "A play Ah", "B play Ac", "C show Ad",
    )
    again = case.when("A discard 4c")
    again.clean()
    assert (again.judgement.state.number, again.judgement.state.phase) == (2, "discarding")


# R11, red cards at the end
def test_R11_a_red_card_left_forfeits() -> None:
    over = up_to_the_aces("D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass")
    over.when("B show 2c7cAcAs").clean()
    held = hunted("D name 2", "D name 3", "A play 3h", "D play 4h", "B play 5h", "B play 6h", "C play 7h", "D play 8h",
                  "C play 9h",
                  "D play Th", "D play Jh", "D play Qh", "C play Kh", "D name A", "A play Ah", "B play AcAs",
                  "C play Ad", "A show 2h4c5c6c")
    held.finds("R11", words="A has the 2♥ left")
    state = held.judgement.state
    assert state.standing.winner == "C"
    assert state.scores[-1].notes == ("A had a red card left and forfeits the game: 2 is not counted",)


@pytest.mark.parametrize(
    ("line", "text"), [("A show 2h", "A forfeits the game"), ("@ show 2h <hand:A", "its holder forfeits the game")],
)
def test_R11_the_forfeit_is_what_the_breach_costs(line: str, text: str) -> None:
    case = hunted(
        "D name 2", "D name 3", "A play 3h", "D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass", line,
    )
    case.finds("R11")
    wrong = case.judgement
    breaches = [Breach(f.at.pos, f.rule, f.by, f.at.hand) for f in wrong.broken]
    assert [(p.rule, p.text) for p in penalties(wrong.state, breaches)] == [("dingo.R11", text)]


def test_R11_whoever_forfeits_does_not_win() -> None:
    told = "D hand 1\n@ tally points.A=12 points.B=5 points.C=-1 points.D=2 red.A=4h"
    case = given("dingo", told).scores(A=0, B=5, C=-1, D=2)
    assert case.judgement.state.standing.winner == "B"
    less = told.replace("B=5", "B=-2").replace("D=2", "D=-3")
    assert given("dingo", less).scores(A=0, B=-2, C=-1, D=-3).judgement.state.standing.winner == "C"
    case = given("dingo", told + " red.B=5h red.C=6h red.D=7h")
    assert case.judgement.state.standing.winner == ""


# R12, the deal
def test_R12_ten_each_and_the_rabbits_in_order() -> None:
    rabbits = "KdQdJdTd9d8d7d6d5d4d3d2d"
    given("dingo", DEAL).when(f"@ deal up widow={rabbits}").clean()
    given("dingo", DEAL).when("@ deal up widow=AdKd").finds("R12")
    given("dingo", DEAL).when("@ deal up widow=2d3d").finds("R12", words="the 2♦ on top")
    given("dingo", DEAL).when("@ deal up widow=3d2d").clean()
    given("dingo", "D hand 1").when("@ deal A=11x??").finds("R12", words="10 cards")
    given("dingo", "D hand 1").when("@ deal stock=2x??").finds("R12")
    given("dingo", DEAL).when("D discard 5d").finds("T2")


# R13, who has the cards
def piles(case: Given, *names: str) -> list[list[str]]:
    """The cards of these piles, sorted."""
    state = case.judgement.state
    return [sorted(state.game.pack.faces[c] for c in state.table.row(name).codes()) for name in names]


def test_R13_nobody_one_wolf_two_wolves() -> None:
    assert piles(
        hunted("D name 2", "A play 2h", "B pass", "C pass", "D pass"), "penalty:A", "dead", "won:A",
    ) == [["2h"], ["2d"], []]
    one = hunted("D name 2", "A play 2h", "B play 2c", "C pass", "D pass")
    assert piles(one, "won:A", "won:B", "penalty:A") == [["2h"], ["2c", "2d"], []]
    two = hunted("D name 2", "A play 2h", "B play 2c", "C play 2s")
    assert piles(two, "won:A", "won:C", "won:B") == [["2c", "2h"], ["2d", "2s"], []]
    none = given("dingo", HUNTS).when("D discard 4s", "A discard 2h", "B discard Jc", "C discard 3c", "D name 2")
    assert piles(none, "dead") == [["2d"]]


def test_R13_the_aces_stay_with_whoever_played_them() -> None:
    aces = up_to_the_aces("D name A", "A play Ah", "B play AcAs", "C play Ad")
    assert piles(aces, "won:A", "won:B", "won:C") == [["Ah"], ["Ac", "As"], ["Ad"]]
    kept = up_to_the_aces("D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass", "C show Ad")
    assert piles(kept, "penalty:C") == [["7h", "9h", "Ad", "Kh"]]


def test_R13_what_is_written_of_it_is_checked() -> None:
    two = hunted("D name 2", "A play 2h", "B play 2c", "C play 2s")
    two.when("C move 2s2d <trick >won:C").allows()
    two.when("B move 2d <widow >won:B").finds("R13", words="2♦ goes to C")
    hunted("D name 2", "A play 2h", "B play 2c", "B move 2c <trick >won:B").clean()
    none = hunted("D name 2", "A play 2h")
    none.when("A move 2h <trick >penalty:A").clean()
    none.when("A move 2h <trick >won:A").finds("R13", words="2♥ goes to A, as a penalty")
    for pile in ("dead", "discard"):
        none.when("B pass", "C pass", "D pass", f"@ move 2d <widow >{pile}").clean()
        none.when(f"@ move 2d <widow >{pile}", "D name 3").clean()
        two.when(f"@ move 2d <widow >{pile}").finds("R13", words="2♦ goes to C")
    none.when("A move 2d <widow >won:A").finds("R13", words="2♦ counts for no player")


def test_R13_the_rabbit_put_into_the_penalty_pile_was_held() -> None:
    case = given("dingo", DEAL).when(
        "D name 2", "D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass", "C move Ad >penalty:C",
    )
    assert [f for f in case.judgement.findings if f.at.pos > 4] == []
    assert piles(case, "penalty:A", "penalty:C") == [["Ah"], ["Ad"]]
    assert case.judgement.state.scores[-1].points == {
        "A": None, "B": None, "C": None, "D": None,
    }, "who kept a heart is not known"


def test_R13_what_has_come_of_a_hunt_is_said_once() -> None:
    case = hunted("D name 2", "A play 2h", "B play 2c", "C play 2s")
    assert latest_catch(case.judgement.state) == "2♦ to C"
    assert latest_catch(case.when("D name 3").judgement.state) == ""
    assert latest_catch(hunted("D name 2", "A play 2h", "D name 3").judgement.state) == "the 2♦ gets away"
    aces = up_to_the_aces("D name A", "A play Ah", "B play AcAs")
    assert latest_catch(aces.when("C play Ad").judgement.state) == "A♦ to C"
    assert latest_catch(aces.when("C pass", "D pass", "A pass").judgement.state) == "the A♦ was not played"


# R14, what cards count
def test_R14_what_was_played_is_counted() -> None:
    up_to_the_aces("D name A", "A play Ah", "B play AcAs", "C play Ad").clean().scores(A=1, B=4, C=6, D=-8)
    up_to_the_aces("D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass").scores(A=-5, B=-2, C=-7, D=-8)


def test_R14_piles_that_are_told() -> None:
    told = (
        "D hand 1\n@ tally won.A=Ac,As,Ah,Ad penalty.A=2h won.B=Kd,Ks penalty.B=- won.C=- penalty.C=Ad,Kh "
        "won.D=- penalty.D=-"
    )
    given("dingo", told).finds("R13", words="reported twice")
    given("dingo", told.replace("penalty.C=Ad,Kh", "penalty.C=Kh,3h")).scores(A=18, B=4, C=-3, D=0)
    given("dingo", told.replace("Ah,Ad penalty.A", "Ah penalty.A")).scores(A=8, B=4, C=-5, D=0)


def test_R14_figures_that_cannot_be() -> None:
    given("dingo", "D hand 1").when("@ tally points.A=28").finds("R14")
    given("dingo", "D hand 1").when("@ tally points.A=27 points.B=27 points.C=27 points.D=27").finds("R14")
    given("dingo", "D hand 1").when(
        "@ tally points.A=16 points.B=16 points.C=16 points.D=16"
    ).finds("R14", words="64 are more than the 63")
    given("dingo", "D hand 1").when("@ tally points.A=16 points.B=16 points.C=16 points.D=15").clean()


@pytest.mark.parametrize(
    ("told", "rule", "words"),
    [
        ("penalty.A=2c", "R13", "2♣ is no penalty"),
        ("penalty.A=7d", "R13", "7♦ is no penalty"),
        ("red.A=2c", "R11", "2♣ forfeits nothing"),
        ("red.A=2h penalty.B=2h", "R13", "reported twice"),
        ("won.A=Kd,Ks penalty.A=2h points.A=4", "R14", "the piles of A count 3, not 4"),
        ("won.A=Kd,Ks rabbit.A=Q", "R14", "the Q is not the highest rabbit"),
        ("won.A=Ks,Kh rabbit.A=K", "R14", "the K is not the highest rabbit"),
        ("rabbit.A=K rabbit.B=K", "R15", "the K is the highest rabbit of one player"),
    ],
)
def test_R14_piles_that_cannot_be(told: str, rule: str, words: str) -> None:
    given("dingo", "D hand 1").when(f"@ tally {told}").finds(rule, words=words)


@pytest.mark.parametrize(
    "told",
    ["penalty.A=2h,Ad", "red.A=2h", "won.A=Kd,Ks penalty.A=2h points.A=3 rabbit.A=K", "rabbit.A=none rabbit.B=none"],
)
def test_R14_piles_that_can_be(told: str) -> None:
    given("dingo", "D hand 1").when(f"@ tally {told}").clean()


def test_R14_who_kept_the_ace_of_diamonds_is_open_until_it_is_shown() -> None:
    case = given("dingo", SILENT).when(
        *("A play 2h", "B name 3", "D name A", "A play Ah", "B pass", "C pass", "D pass", "A pass")
    )
    assert set(case.judgement.state.scores[-1].points.values()) == {None}


def test_R14_a_claim_that_is_wrong() -> None:
    told = given("dingo", "D hand 1\n@ tally points.A=12 points.B=5 points.C=-1 points.D=2")
    wrong = score_match(told.when("@ claim A=11 B=5").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("A", 11, 12)]


# R15, the game
@pytest.mark.parametrize(
    ("told", "winner"),
    [
        ("points.A=12 points.B=5 points.C=-1 points.D=2", "A"),
        ("points.A=5 points.B=5 points.C=-1 points.D=2 rabbit.A=K rabbit.B=A", "B"),
        ("points.A=5 points.B=5 points.C=-1 points.D=2 rabbit.A=10 rabbit.B=9", "A"),
        ("points.A=5 points.B=5 points.C=-1 points.D=2 rabbit.A=none rabbit.B=none", ""),
        ("points.A=5 points.B=5 points.C=-1 points.D=2", ""),
        ("points.A=5 points.B=4 points.C=-1", ""),
    ],
)
def test_R15_the_highest_score_and_of_those_level_the_highest_rabbit(told: str, winner: str) -> None:
    state = given("dingo", f"D hand 1\n@ tally {told}").judgement.state
    assert (state.ended, state.standing.winner) == ("won", winner)


def test_R15_option_games() -> None:
    first = "D hand 1\n@ tally points.A=12 points.B=5 points.C=-1 points.D=2"
    case = given("dingo", first, option={"games": 2})
    assert case.judgement.state.ended == ""
    case = case.when("A hand 2", "@ tally points.A=1 points.B=9 points.C=0 points.D=2")
    case.totals(A=13, B=14, C=-1, D=4)
    assert case.judgement.state.standing.winner == "B"
    assert given("dingo", first, option={"games": 2}).when("@ hand 2").judgement.state.dealer == "A"


def test_R15_a_game_that_is_broken_off() -> None:
    hunted("D name 2", "A play 2h", "@ end hand time").scores(A=0, B=0, C=0, D=0)


# at the table
def test_legal_acts_are_a_pass_and_the_wolf_that_is_held() -> None:
    state = hunted("D name 2", "A play 2h").judgement.state
    assert {write_event(act) for act in legal(state).acts} == {"B pass", "B play 2c"}
    state = up_to_the_aces("D name A", "A play Ah").judgement.state
    assert {
        act.cards for act in legal(state).acts if isinstance(act, Play)
    } == {("Ac",), ("As",), ("Ac", "As"), ("As", "Ac")}


# cards passed on unseen
UNSEEN = [re.sub(r"move \w\w", "move ??", line) for line in ROUNDS.splitlines()]
LEFT = ["A show 2h3hAh4c5c6c", "B show 5h2c6h7cAcAs", "C show 7h9h2s5sAdKh", "D show 4h8hThJhQhKc"]


def test_cards_passed_on_unseen_are_named_by_what_is_thrown() -> None:
    """Every card that was passed on is thrown by whoever got it, and of nobody else's: so the twos are where they
    were dealt."""
    case = given("dingo", HUNTS).when(*UNSEEN, "D name 2", "D name 3")
    (opinion,) = exact(case.records)
    assert (opinion.worlds, opinion.complete, opinion.verdict(33, "dingo.R6")) == (1, True, Verdict.BROKEN)
    assert [opinion.cards[pos] for pos in (8, 9, 10, 11)] == [["Ts"], ["9c"], ["3s"], ["6s"]]


@pytest.mark.parametrize("shown", [4, 3])
def test_however_cards_were_passed_on_there_is_one_way_in_which_they_lie(shown: int) -> None:
    """With every hand dealt unseen the cards went too many ways to be followed; what they came to the hands at the
    end show."""
    case = given("dingo", DEAL).when(*UNSEEN, "D name 2", "D name 3", *LEFT[:shown])
    case.finds("R6", at=32)
    (opinion,) = exact(case.records)
    assert (
        opinion.worlds, opinion.complete, opinion.verdict(32, "dingo.R6"), opinion.cards,
    ) == (1, True, Verdict.BROKEN, {})


def test_a_card_may_be_known_and_lost_from_sight_in_two_hands() -> None:
    """The nine of clubs was dealt to A, and is seen again on its way from B to D; where it lies in the end nobody
    sees."""
    other = {"B discard 9c": "B discard Qc", "D discard Qc": "D discard Qs"}
    lines = [other.get(line, line) for line in UNSEEN[:-1]]
    lines[4], lines[12], lines[14] = "D move Ts >A", "D move Js >B", "B move 9c >D"
    records = given("dingo", HUNTS).when(*lines).records
    ways, _, why = trace_hidden_cards(read_hand(begin(records[0].event.facts), [r.event for r in records[1:]], 1))
    nine = PACK.field[PACK.code["9c"]]
    assert (why, bool(ways)) == ("", True)
    assert all(any(slot.code is None and slot.may_be & nine for slot in way) for way in ways)


def test_a_recorder_is_told_which_way_cards_go_and_what_is_hunted() -> None:
    """And is shown a line that can be typed then: the rank that is next, its dingo, a wolf of it."""

    def answer(*lines: str) -> list[str]:
        return list(here(Session(given("dingo", DEAL).when(*lines).records).reader))

    passing = answer(*UNSEEN[:4])
    assert passing[0] == "hand 1, dealt by D · passing a card on · to the left"
    assert "  for example  2" in answer(*UNSEEN)
    called = answer(*UNSEEN, "D name 2")
    assert called[0] == "hand 1, dealt by D · the dingo · 2♦ hunted"
    assert "  for example  A 2h" in called
    assert "  for example  2s" in answer(*UNSEEN, "D name 2", "A play 2h", "C show 2c")
    assert "  for example  ac" in answer(*UNSEEN, "D name A", "A play Ah")


# the referee: a second opinion, written from the rule text alone
@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_legal_matches(seed: int, games: int) -> None:
    """The score of each game, and of a single one who has won it; how several make a match the text does not say."""
    records = simulate("dingo", seed=seed, options={"games": games})
    referee = Referee(["A", "B", "C", "D"], games)
    state = fold(records)
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert games > 1 or state.standing.winner == referee.winner()


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    records, _ = simulate_breaches("dingo", seed=seed, p=0.06, hands=1)
    referee = Referee(["A", "B", "C", "D"])
    assert referee.read([write_event(r.event) for r in records[1:]]) == min(
        (f.at.pos for f in judge(records).broken), default=0,
    )


@pytest.mark.parametrize("told", ["won.C=3d", "won.C=2d,2s won.A=2c", "won.A=2h"])
def test_R13_a_told_pile_without_a_card_that_was_caught_before_is_a_finding(told: str) -> None:
    """If this failed, a game told from its middle on would be scored without what was caught until then."""
    caught = hunted("D name 2", "A play 2h", "B play 2c", "C play 2s", "D name 3")
    caught.when("@ tally won.C=2d,2s won.A=2h,2c").clean()
    case = caught.when(f"@ tally {told}")
    case.finds("T12")
    assert None in case.judgement.state.scores[-1].points.values()
