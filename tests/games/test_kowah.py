"""Kowah, rule by rule: each has the cases of its kind; then readings, house rules, the score, whole matches."""

from __future__ import annotations

import pytest
from given import Given, given, log

from events.model import Recorded
from events.writing import write_event
from reducers.games.kowah import PACK, READINGS, RULES, Hand, last_outcome_text, pairs_in
from reducers.model import State
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate
from replay.table.frame import frame
from replay.table.narration import tell
from replay.table.picture import render_frame
from replay.table.position import here
from replay.table.session import Session

GAME = "kowah"
# C deals, so A begins. B has the first form of the text but for one card, C the second one whole.
OPEN = """
C hand 1
@ deal A=2d3d4dJcJcKc8h9h B=5s5h5d7h7s7dAdAd C=9s9s9d6s6s6d6d6h
@ deal down stock=96x??
"""
HIDDEN = "C hand 1\n@ deal A=8x?? B=8x?? C=8x??\n@ deal down stock=96x??\n"
THREE = {"Seats": "A B C"}
# B is in checki with the aces of diamonds, C with the sixes of spades; A has thrown a card, and B is to draw.
BOTH = ("A draw Qc", "A discard 8h", "B call checki AdAd", "C call checki 6s6s")


def open_hands(*lines: str, **tags: object) -> Given:
    """Three hands that everybody knows, and these acts."""
    return given(GAME, OPEN, **{**THREE, **tags}).when(*lines)


def hidden_hands(*lines: str, **tags: object) -> Given:
    """Three hands that nobody saw, and these acts."""
    return given(GAME, HIDDEN, **{**THREE, **tags}).when(*lines)


def state_of(case: Given) -> State[Hand]:
    state: State[Hand] = case.judgement.state
    return state


def wins(case: Given, who: str, how: str) -> Given:
    """Somebody has won the hand so, and the match with it."""
    state = state_of(case)
    assert (state.hand.by, state.hand.ending, state.standing.winner, state.ended) == (who, how, who, "won")
    return case


# R1 and R2, duties
@pytest.mark.parametrize(
    ("acts", "rule", "words"),
    [
        (["B draw ??"], "R1", "A sits left of the dealer and begins"),
        (["A draw 5h <discard"], "R1", "no card has been thrown yet"),
        (["A draw ??", "A discard 9s", "C draw ??"], "R1", "it is the turn of B"),
        (["A draw ??", "A draw ??"], "R2", "A has drawn already"),
        (["A draw 2x??"], "R2", "one card is drawn"),
        (["A draw ??", "A discard 9s8s"], "R2", "one card is discarded"),
        (["A draw ??", "A discard 9s", "A discard 8s"], "R2", "A has discarded already"),
        (
            ["A draw ??", "A discard 9s", "B draw ??", "B discard 8s", "C draw 9s <discard"], "R2",
            "9♠ is not on top, 8♠ is",
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R2_broken(acts: list[str], rule: str, words: str) -> None:
    hidden_hands(*acts).finds(rule, words=words)


def test_R2_a_draw_left_out_makes_no_later_card_one_that_was_not_on_top() -> None:
    """If this failed, each player who draws from a stock that everybody saw would be accused, because one draw before
    was not recorded."""
    known = "B hand 1\n@ deal A=8x?? B=8x??\n@ deal down stock=100x??9h8h7h6h\n"
    given(GAME, known, Seats="A B").when("A draw 7h").finds("R2", words="7♥ is not on top, 6♥ is")
    acts = ("A draw 7h", "A discard 9s", "B draw 8h", "B discard 9d", "A draw 9h", "A discard 9d", "B draw ??")
    assert given(GAME, known, Seats="A B").when(*acts).judgement.broken == []
    # Whoever draws twice in that hand is asked about, and not accused.
    given(GAME, known, Seats="A B").when(*acts, "B draw ??").opens("R2")


def test_R1_R2_kept() -> None:
    hidden_hands("A draw ??", "A discard 9s", "B draw 9s <discard", "B discard 8s", "C discard 7h").clean()


# R3 and R4, what a checki is
@pytest.mark.parametrize(
    ("hand", "pairs"),
    [
        ("5s5h5d7h7s7dAdAd", "Ad"), ("5s5h5d7s7s7d7d7h", "7d 7s"), ("5s5s5s7h7h7hKcKc", "Kc"),
        ("JcJcJcQcQcQcAsAs", "As"), ("5s5h5d7h7s7dAdAh", ""), ("5s5h5d7s7s7s7d7h", ""), ("5s5h5d7s7s7s7s7h", ""),
        ("5s5h5d7s7s7d7d7d", ""), ("5s5s5h5h5d5dAdAd", ""), ("5s5h7h7s9h9sAdAd", ""), ("5s5h5d7h7s8dAdAd", ""),
    ],
)  # fmt: skip
def test_R3_R4_the_forms(hand: str, pairs: str) -> None:
    bag = PACK.bag(hand[i : i + 2] for i in range(0, len(hand), 2))
    assert sorted(PACK.faces[c] for c in pairs_in(bag)) == pairs.split()


def test_R3_kept() -> None:
    open_hands("A draw Qc", "A discard 8h", "B call checki AdAd").clean()
    open_hands("B call checki AdAd", "C call checki 6d6d").clean()


def test_R3_broken() -> None:
    open_hands("A call checki JcJc").finds("R3", words="the hand of A is no checki")


def test_R3_a_draw_before_it_may_be_unwritten() -> None:
    """The card that was drawn may have formed the checki: in a record that lacks draws nobody can tell."""
    turn = (
        "A draw Qc", "A discard 8h", "B draw Qc", "B discard Qc", "C draw Qc", "C discard Qc", "A discard Qc",
        "B draw Kc", "B discard Kc",
    )
    open_hands(*turn, "C discard 9s", "A call checki JcJc").opens("R3").opens("R12")
    written = ("C draw 9s", "C discard 9s", "A draw 9h", "A call checki JcJc")
    open_hands(*turn[:6], "A draw Qc", *turn[6:], *written).finds("R3", words="the hand of A is no checki")


def test_R3_is_open_until_the_hand_is_shown() -> None:
    case = hidden_hands("A draw ??", "A discard 9s", "A call checki 5h5h").opens("R3")
    case.when("A show 5h5h7h7s7d8d8s8h").clean()
    case.when("A show 5h5h7h7s7d8d8s9h").finds("R3", at=6, known=7)


def test_R3_whoever_wins_has_one() -> None:
    """To break the form up is no breach; but the third card has to come to a checki."""
    turn = (*BOTH, "B draw up 5s", "B discard 7h", "C draw up 2s", "C discard 2s", "A draw up 3s", "A discard 3s")
    open_hands(*turn).clean()
    wins(open_hands(*turn, "B draw up Ad").finds("R3", words="the hand of B is no checki"), "B", "own")
    open_hands(*BOTH, "B draw up 5s", "B discard 5h", "C draw up Ad", "B draw Ad <C").clean()
    open_hands(*BOTH, "B draw up 5s", "B discard 7h", "C draw up Ad", "B draw Ad <C").finds("R3", at=11)


def test_R3_an_unseen_card_need_not_be_the_third() -> None:
    """If this failed, a player with a broken checki would be accused of winning with a card that nobody saw."""
    turn = (*BOTH, "B draw up 5s", "B discard 7h", "C draw up 2s", "C discard 2s", "A draw up 3s", "A discard 3s")
    open_hands(*turn).when("B draw up ??").allows().opens("R3").when("B discard 9s").allows()


def test_R3_a_card_that_the_player_has_not_twice_is_not_the_third() -> None:
    """If this failed, whoever said checki without a pair would be accused again at every card drawn openly."""
    said = ("A draw Qc", "A call checki", "A discard 8h", "B call checki AdAd", "B draw Kc", "B discard Kc")
    case = open_hands(*said, "C draw up 2s", "C discard 2s").when("A draw up 9s")
    assert [(f.at.pos, f.rule) for f in case.judgement.broken if f.rule == "kowah.R3"] == [(5, "kowah.R3")]


def test_R3_a_win_is_open_until_the_hand_is_shown() -> None:
    case = hidden_hands(
        "A draw ??", "A discard 9s", "A call checki 5h5h", "B draw up 5h", "A draw 5h <B",
    ).opens("R3", at=8)
    case.when("A show 5h5h5h7h7s7d8d8s8h").clean()
    case.when("A show 5h5h5h7h7s7d8d8s9h").finds("R3", at=8, known=9)


def test_R3_a_card_of_the_pair_thrown() -> None:
    """Then the checki is gone, unless it was a third card that nobody had seen."""
    gone = open_hands(*BOTH, "B draw up 5s", "B discard Ad")
    assert list(state_of(gone).hand.checki) == ["C"]
    assert "B threw a card of the open pair" in state_of(gone).inferred[-1][1]
    kept = open_hands(*BOTH[:3], "B draw Ad", "B discard Ad")
    assert list(state_of(kept.clean()).hand.checki) == ["B"]
    kept.when("C draw 2s").finds("R6")
    unsure = hidden_hands("A draw ??", "A discard 9s", "A call checki 5h5h", "B draw up 9h", "B discard 9h",
                          "C draw up 9h", "C discard 9h",
                          "A draw ??", "A discard 5h")  # fmt: skip
    unsure.when("B draw ??").opens("R6")
    unsure.when("B draw up 5h", "A draw 5h <B").opens("R7")
    unsure.when("B draw ??", "B discard 2h", "C draw ??", "C discard 2h", "A draw ??", "A call checki 6s6s").opens("R5")


def test_R4_refused() -> None:
    open_hands("C call checki 6s6s", "A fault five C").finds("R4", words="the hand of C is a checki")
    open_hands("B call checki AdAd", "A fault five B").allows()


# R5, duty
@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("B call checki 5s5h", "is not a pair of equal cards"),
        ("B call checki Ad", "is not a pair of equal cards"),
        ("C call checki 9s9s", "the pair is 6♦ 6♦ or 6♠ 6♠"),
    ],
)
def test_R5_broken(call: str, words: str) -> None:
    open_hands(call).finds("R5", words=words)


def test_R5_once() -> None:
    open_hands("B call checki AdAd", "B call checki AdAd").finds("R5", words="said checki already")


def test_R5_a_pair_that_nobody_wrote_is_open() -> None:
    open_hands("B call checki").opens("R5")


# R6, duty
@pytest.mark.parametrize("draw", ["draw ??", "draw down ??", "draw 2s"])
def test_R6_broken(draw: str) -> None:
    hidden_hands("A draw ??", "A discard 9s", "A call checki 5h5h", f"B {draw}").finds("R6", words="A is in checki")


def test_R6_kept() -> None:
    case = hidden_hands(
        "A draw ??", "A discard 9s", "A call checki 5h5h", "B draw up 2s", "B discard 2s", "C draw up 3s",
        "C discard 3s",
    )
    case.clean()
    case.when("A draw ??", "A discard 3h").clean()


def test_R6_a_discard_and_a_draw_that_nobody_wrote_are_not_shown() -> None:
    checki = hidden_hands("A draw ??", "A discard 9s", "A call checki 5h5h")
    checki.when("B draw 9s <discard").clean()
    checki.when("B discard 2s").clean()


def test_R6_whoever_is_in_checki_shows_too_if_another_is() -> None:
    open_hands(*BOTH, "B draw 2s").finds("R6", words="C is in checki, and B did not show the card")


# R7 and R9: claims
def test_R7_a_card_that_was_drawn() -> None:
    case = open_hands(*BOTH[:3], "B draw 9s", "B discard 9s", "C draw up Ad").allows()
    assert (state_of(case).turn, last_outcome_text(state_of(case))) == (("C", "B"), "B may claim A♦")
    wins(case.when("B draw Ad <C").clean(), "B", "drawn")


def test_R7_a_card_that_was_thrown() -> None:
    case = open_hands(
        *BOTH, "B draw up 9s", "B discard 9s", "C draw up 2s", "C discard 2s", "A draw up 3s", "A discard Jc",
    )
    wins(case.when("B draw 3h", "B discard 3h", "C draw up Ad", "B draw up Ad <C"), "B", "drawn")
    thrown = open_hands(*BOTH, "B draw up 6s").allows()
    assert (state_of(thrown).turn, last_outcome_text(state_of(thrown))) == (("B", "C"), "C may claim 6♠")
    wins(thrown.when("B discard 6s", "C draw 6s <discard"), "C", "own")
    wins(open_hands("A draw Ad", "A discard Ad", "B call checki AdAd", "B draw Ad <discard"), "B", "own")


def test_R7_the_claim_goes_before_the_next_player() -> None:
    """A throws the card that C needs, and B has it in hand already: it was drawn openly, and the claim wins."""
    lines = ("C call checki 6s6s", "A draw up 6s", "A discard 6s")
    wins(open_hands(*lines, "C draw 6s <discard").clean(), "C", "discard")
    wins(open_hands(*lines, "B draw 6s <discard", "C draw 6s <B").clean(), "C", "drawn")
    open_hands(*lines, "B draw up 2s", "C draw 6s <discard").finds("R7", words="B has drawn by now")
    thrown = open_hands("A draw 2s", "A discard 3d", "B draw 3s", "B discard 3s", "C draw 6s", "C call checki 6d6d",
                        "C discard 6s",
                        "A draw 6s <discard")  # fmt: skip
    assert last_outcome_text(state_of(thrown)) == ""
    given(GAME, OPEN, option={"claim_pair": "any"}, **THREE).when(
        "A draw 2s", "A discard 3d", "B draw 3s", "B discard 3s", "C draw 6s", "C call checki 6d6d", "C discard 6s",
        "A draw 6s <discard", "C draw 6s <A",
    ).finds("R7", words="C threw the card")  # fmt: skip


def test_R7_claims_on_hidden_hands_are_settled_in_the_order_of_the_text() -> None:
    """The claim goes first, whether it was written before the next player took the card or after; who has said
    checki after the card lay there, or has another pair, has no claim, and the next one stands."""
    checki = (
        "A draw ??", "A discard 2d", "B draw ??", "B discard 3d", "C draw ??", "C call checki 6s6s", "C discard 2h",
        "A draw up 9s", "A discard 6s",
    )
    for claim in (["C draw 6s <discard"], ["B draw 6s <discard", "C draw 6s <B"]):
        wins(hidden_hands(*checki, *claim).clean(), "C", "discard" if len(claim) == 1 else "drawn")
    hidden_hands(*checki, "B draw up 3s", "C draw 6s <discard").finds("R7", words="B has drawn by now")
    both = hidden_hands(
        *checki[:2], "B draw ??", "B call checki 4s4s", "B discard 3d", "C draw up 2d", *checki[5:7], "A draw up 6s",
        "B draw 6s <A", "C draw 6s <A",
    )
    assert [(f.rule, f.by) for f in both.judgement.broken] == [("kowah.R7", "B")]
    wins(both, "C", "drawn")


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        ((*BOTH[:2], "C draw 8h <discard"), "C is not in checki"),
        ((*BOTH, "B draw up 9h", "C draw 9h <B"), "9♥ is not the third card of the pair"),
        ((*BOTH, "B draw up 6s", "C draw 6s <A"), "it is the turn of B, not of A"),
        ((*BOTH, "C draw 6s <B"), "B has no card that was just drawn"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R7_what_a_claim_does_not_cover(acts: tuple[str, ...], words: str) -> None:
    open_hands(*acts).finds("R7", words=words)


def test_R7_a_card_that_lay_there_before_checki_was_said() -> None:
    """What is drawn or thrown after that is claimed, and nothing before."""
    open_hands("A draw Qc", "A discard 6s", "C call checki 6s6s", "C draw 6s <discard").finds(
        "R7", words="C said checki after the card was thrown"
    )
    open_hands(
        "A draw up 6s", "C call checki 6s6s", "C draw 6s <A",
    ).finds("R7", words="C said checki after the card was drawn")
    wins(open_hands("A draw up 6s", "C call checki 6s6s", "A discard 6s", "C draw 6s <discard").clean(), "C", "discard")


def test_R7_another_card_than_the_one_drawn() -> None:
    lines = ("A draw ??", "A discard 9s", "A call checki 5h5h", "B draw up 9h", "A draw 5h <B")
    hidden_hands(*lines).finds("R7", words="5♥ is not the card that was just drawn")


def test_R7_refused() -> None:
    won = open_hands("C call checki 6s6s", "A draw up 6s", "C draw 6s <A")
    won.when("A fault claim C").finds("R7", words="C needed 6♠")
    open_hands("C call checki 6s6s", "A draw up 6s", "A fault claim C").allows()


def test_R8_refused() -> None:
    open_hands(*BOTH, "A fault second C").finds("R8", words="B and C may be in checki")
    open_hands(*BOTH[:3], "A fault second C").allows()


def test_R9_the_own_draw_wins() -> None:
    wins(open_hands(*BOTH, "B draw up Ad").clean(), "B", "own")
    later = open_hands(*BOTH[:3], "B draw Ad")
    assert state_of(later).ended == ""
    wins(later.when("B show Ad").clean(), "B", "own")


@pytest.mark.parametrize("pair", ["shown", "any"])
def test_R9_cards_shown_that_nobody_saw_win_nothing(pair: str) -> None:
    """If this failed, cards shown after a checki of which nobody wrote the pair could not be recorded."""
    case = hidden_hands("A draw ??", "A discard 9s", "A call checki", "B discard 2s", "C discard 2h", "A draw ??",
                        "A show 5h??",
                        option={"claim_pair": pair})  # fmt: skip
    assert state_of(case).ended == ""


def test_R9_contradicted_by_a_tally() -> None:
    won = open_hands(*BOTH, "B draw up Ad")
    won.when("@ tally winner=C").finds("T12", words="winner is B, not C")
    won.when("@ tally winner=B").allows()


def last_card(*lines: str) -> Given:
    """B is in checki, and one card of the stock is left for A."""
    deal = OPEN.replace("stock=96x??", "stock=94x??AdQc") + "@ move 95x?? <stock >dead\n"
    return given(GAME, deal, **THREE).when(*lines)


# R10, the stock is out
def test_R10_nobody_wins() -> None:
    case = last_card("A draw Qc", "A discard 8h").clean()
    assert (state_of(case).standing.winner, state_of(case).standing.over) == ("", True)
    assert state_of(case).scores[-1].result == "the stock is out: no winner"


def test_R10_the_last_discard_may_be_claimed() -> None:
    case = last_card("C call checki 6s6s", "A draw up 6s", "A discard 6s").clean()
    assert (state_of(case).phase, state_of(case).turn) == ("last", ("C",))
    wins(case.when("C draw 6s <discard").clean(), "C", "discard")
    assert state_of(case.when("C pass").clean()).scores[-1].points == {"A": 0, "B": 0, "C": 0}
    case.when("B draw 6s <discard").finds("R10", words="the stock is out")


def test_R9_whoever_may_have_broken_up_the_pair_has_not_won_with_the_next_card_of_it() -> None:
    """If this failed, play that goes on because there was no checki any more would be held against everybody."""
    again = (
        "B draw up 4s", "B discard 4s", "A draw ??", "A discard Ad", "B draw up 6h", "B discard 6h", "A draw up Ad",
        "A discard 4d", "B draw up 2h",
    )
    case = given(GAME, "B hand 1\n@ deal A=8x?? B=8x??\n", Seats="A B").when(
        "A draw ??", "A discard 3h", "A call checki AdAd", *again,
    )
    case.clean()
    assert not state_of(case).settled


@pytest.mark.parametrize("act", ["B draw Ad <discard", "B draw ?? <discard"])
def test_R10_the_next_player_too_may_have_the_last_discard(act: str) -> None:
    """If this failed, whoever sits behind the last drawer would be accused where anybody else may claim the card."""
    deal = OPEN.replace("8h9h", "8hAd").replace("stock=96x??", "stock=95x??Qc") + "@ move 95x?? <stock >dead\n"
    case = given(GAME, deal, **THREE).when("B call checki AdAd", "A draw up Qc", "A discard Ad").clean()
    assert (state_of(case).phase, state_of(case).turn) == ("last", ("B",))
    wins(case.when(act).clean(), "B", "own")
    case.when("C draw Ad <discard").finds("R7", words="C is not in checki")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("winner=draw card=5h", "there was no winner, but card names a third card"),
        ("winner=draw ending=own", "ending names a third card"),
        ("winner=draw card=5h ending=own", "card and ending name a third card"), ("winner=draw", ""),
        ("winner=A card=5h ending=own", ""),
    ],
)  # fmt: skip
def test_R10_no_third_card_where_nobody_won(told: str, words: str) -> None:
    case = given(GAME, "B hand 1\n").when(f"@ tally {told}")
    case.finds("R10", words=words) if words else case.clean()


@pytest.mark.parametrize("deal", ["A=9x??", "discard=5h"])
def test_R11_eight_each(deal: str) -> None:
    given(GAME, "B hand 1").when(f"@ deal {deal}").finds("R11")
    given(GAME, "B hand 1").when("@ deal A=8x?? B=8x??").clean()


# R12, when checki is said
def test_R12_kept() -> None:
    open_hands("C call checki 6s6s", "A draw up Qc", "B call checki AdAd").clean()
    thrown = ("A draw ??", "A discard 9s")
    hidden_hands(*thrown, "A call checki 5h5h", "B draw up 2s").allows(at=5)
    hidden_hands("A draw ??", "A call checki 5h5h", "A discard 9s").allows(at=4)
    hidden_hands(*thrown, "B draw ??", "B discard 9h", "B call checki 5h5h", "C call checki 6s6s").allows(at=8)


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (("B draw ??", "A call checki 5h5h"), "it is the turn of B"),
        (
            ("B draw ??", "B discard 9h", "C draw ??", "C discard 9d", "A call checki 5h5h"),
            "A has formed nothing since",
        ),
        (("B draw ??", "B discard 9h", "A call checki 5h5h"), "it is the turn of C"),
    ],
    ids=", ".join,
)
def test_R12_broken(acts: tuple[str, ...], words: str) -> None:
    hidden_hands("A draw ??", "A discard 9s", *acts).finds("R12", words=words)


def test_R12_is_open_if_the_draw_may_be_missing() -> None:
    discards = ("A discard 9s", "B discard 9h", "C discard 9d")
    hidden_hands(*discards, "A call checki 5h5h", "A discard 8s").opens("R12", at=7)
    hidden_hands("A draw ??", *discards, "@ gap", "A call checki 5h5h").opens("R12", at=9)


def test_R5_checki_is_said_anew_after_a_card_of_the_pair_was_thrown_behind_a_gap() -> None:
    """If this failed, a card of the pair that was thrown would still count as held, because the player had thrown
    it and another one later: the player would be in checki still, and accused of saying it again."""
    said = ("A draw ??", "A call checki 2d2d", "A discard 9s", "@ gap", "A draw ??", "A discard 2d", "B draw ??")
    more = ("B discard 9h", "C draw ??", "C discard 9d", "A draw up 6s", "A call checki", "A discard 2d")
    case = hidden_hands(*said, *more)
    assert [f.rule for f in case.judgement.broken if f.rule == "kowah.R5"] == []


def test_R7_a_discard_that_nobody_wrote_makes_no_claim_of_the_next_draw() -> None:
    """If this failed, the hand would be over with the card that A draws in turn, where nobody knows of which card
    the pair is."""
    said = ("A draw ??", "A discard 9s", "C call checki", "B draw up 6h")
    case = hidden_hands(*said, "C draw 2s <discard", "C discard 2s", "A draw ??").finds("R7", at=8).finds("R6", at=10)
    assert state_of(case).ended == ""
    judgement = check(case.records)
    assert {f.rule for f in judgement.broken if f.unless is None} == {"kowah.R6"}


def test_R1_two_lines_exchanged_beside_what_a_player_does_in_every_turn() -> None:
    """If this failed, two players would be told to be out of turn among many draws that were not shown: these are
    one habit, and make no breach of another rule likelier."""
    turns = ["A draw ??", "A call checki", "A discard 9s", "B call checki"]
    for b, a in zip(
        ("3s", "4s", "5s", "6s", "7s", "8s", "Qc", "Kc", "Jc"), ("3d", "4d", "5d", "6d", "7d", "8d", "9d", "Ad", "2d"),
        strict=True,
    ):
        turns += ["B draw ??", f"B discard {b}", "A draw ??", f"A discard {a}"]
    acts = [*turns, "B draw ??", "B discard 2s", "A draw up Ah", "A discard 5h"]
    one = len(turns) + 1
    two_hands = given(GAME, "B hand 1\n@ deal A=8x?? B=8x??\n@ deal down stock=104x??\n", Seats="A B")
    assert {f.rule for f in check(two_hands.when(*acts).records).broken} == {"kowah.R6"}
    acts[one], acts[one + 1] = acts[one + 1], acts[one]
    case = two_hands.when(*acts).finds("R1", at=one + 4).finds("R1", at=one + 5)
    judgement = check(case.records)
    assert {f.rule for f in judgement.broken if f.unless is None} == {"kowah.R6"}


def test_R12_a_third_card_drawn_before_does_not_win() -> None:
    dealt = "C hand 1\n@ deal A=5s5h5d7h7s7dAdAd\n"
    case = given(GAME, dealt, **THREE).when("A draw Ad", "A call checki AdAd", "A show AdAdAd")
    assert state_of(case).ended == ""
    won = given(GAME, dealt, **THREE).when("A call checki AdAd", "A draw Ad", "A show AdAdAd").clean()
    wins(won, "A", "own")


def test_every_rule_has_a_case() -> None:
    named = " ".join(name for name in globals() if name.startswith("test_R"))
    assert [rule.id for rule in RULES if f"_{rule.id}_" not in named] == []
    assert len(READINGS) > 15
    assert (PACK.size, set(PACK.copies)) == (120, {4})


# House rules
def test_six_of_a_rank() -> None:
    six = "B hand 1\n@ deal A=5s5s5h5h5d5dAdAd\n"
    given(GAME, six).when("A call checki AdAd").finds("R3")
    given(GAME, six, option={"same_rank_triplets": "yes"}).when("A call checki AdAd").clean()


def test_any_pair_in_the_hand() -> None:
    lines = ("C call checki 6s6s", "A draw up 6d", "C draw 6d <A")
    open_hands(*lines).finds("R7", words="is not the third card")
    wins(open_hands(*lines, option={"claim_pair": "any"}).clean(), "C", "drawn")
    for card in ("3h", "9d"):  # C holds none of the one, and one of the other
        other = ("C call checki 6s6s", f"A draw up {card}", f"C draw {card} <A")
        open_hands(*other, option={"claim_pair": "any"}).finds("R7", words="is not the third card")
    drawn = (
        "C call checki 6s6s", "A draw up 3h", "A discard 3h", "B draw up 2s", "B discard 2s", "C draw 6d",
        "C show 6d6d6d",
    )
    assert state_of(open_hands(*drawn)).ended == ""
    wins(open_hands(*drawn, option={"claim_pair": "any"}).clean(), "C", "own")


def test_a_checki_that_has_to_be_said() -> None:
    keeps = ("A draw Qc", "A discard 8h", "B draw 2s")
    open_hands(*keeps).clean()
    open_hands(*keeps, option={"checki_optional": "no"}).finds("R12", words="B has a checki and did not say so")
    open_hands(*BOTH[:3], "B draw 2s", option={"checki_optional": "no"}).clean()


def test_several_hands() -> None:
    lines = "B hand 1\n@ tally winner=A\nA hand 2\n@ tally winner=draw\nB hand 3\n@ tally winner=A\n"
    state = state_of(given(GAME, lines, option={"games": 3}))
    assert (state.standing.totals, state.standing.winner, state.standing.over) == ({"A": 2, "B": 0}, "A", True)


# Results, and what is typed
def test_a_result_in_words() -> None:
    case = given(GAME, "B hand 1\n@ tally winner=A card=5h ending=drawn").clean()
    case.scores(A=1, B=0)
    assert state_of(case).scores[-1].result == "A wins with 5♥, claimed as it was drawn"
    given(GAME, "B hand 1\n@ tally winner=Q").finds("T10")


def typed(session: Session, line: str) -> list[str]:
    """What a line typed there means; it is taken."""
    draft = session.complete(line)
    assert draft.doubts == (), draft.doubts
    events = [Recorded(n=session.records[-1].n + i, event=r.event) for i, r in enumerate(draft.events, 1)]
    session.take(events)
    return [write_event(r.event) for r in events]


def test_what_is_typed() -> None:
    session = Session(hidden_hands().records)
    assert typed(session, ". 9s") == ["A draw ??", "A discard 9s"]
    assert typed(session, "A checki 5h5h") == ["A call checki 5h5h"]
    assert typed(session, "7h 6s") == ["B draw up 7h", "B discard 6s"]
    assert typed(session, "5h") == ["C draw up 5h"]
    assert typed(session, "A 5h") == ["A draw 5h <C"]


def test_who_is_in_checki_is_told_with_the_pair() -> None:
    """If this failed, whoever draws would not be reminded to show the card, nor a recorder of what may be claimed."""
    case = open_hands(*BOTH, B="Ben")
    asked, drawn = "\n".join(here(Session(case.records).reader)), render_frame(frame(case.judgement.state), columns=60)
    for told in (asked, drawn):
        assert "\nchecki: Ben A♦, C 6♠\n" in told
    assert "checki:" not in "\n".join(here(Session(case.when("B draw up Ad").records).reader))


def test_what_is_said_is_told_as_said() -> None:
    """If this failed, a replay would put the part of the turn in front of it, as if checki were drawn."""
    lines = list(tell(open_hands(*BOTH).records))
    assert [
        line.split()[:3] for line in lines if "checki" in line and "R" not in line.split()[0]
    ] == [["said", "B:", "checki"]]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("checki 5h", "C call checki 5h5h"), ("C checki 5h", "C call checki 5h5h"),
        ("checki 5h5h", "C call checki 5h5h"), ("checki", "C call checki"),
    ],
)
def test_a_pair_is_named_by_one_card(line: str, written: str) -> None:
    """If this failed, `checki 5h` would be a checki of which nobody knows the pair, and a five of hearts thrown."""
    session = Session(hidden_hands("A discard 9s", "B discard 9h", "C draw ??").records)
    assert typed(session, line) == [written]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("c d 7h", "C draw 7h <discard"), ("c <", "C draw 7h <discard"), ("a d 7h", "A draw 7h <discard"),
        ("C .", "C draw ??"), ("c d", "C draw ??"),
    ],
)
def test_what_somebody_else_does_out_of_turn_is_doubted_and_is_no_other_act(line: str, written: str) -> None:
    draft = Session(hidden_hands("A draw ??", "A discard 7h").records).complete(line)
    assert ([write_event(r.event) for r in draft.events], len(draft.doubts)) == ([written], 1)


# Whole matches
@pytest.mark.parametrize("seats", ["AB", "ABC", "ABCD"])
def test_hidden_matches_accuse_nobody(seats: str) -> None:
    for seed in range(4):
        log = simulate(GAME, seed=seed, seats=seats)
        assert judge(log).broken == judge(log).open == judge(hide(log)).broken == []
        assert fold(log).standing.over


@pytest.mark.parametrize(("pair", "rule"), [("2xA?", ""), ("2x??", ""), ("A? 7?", "R5"), ("2x?h", "")])
def test_R5_a_pair_that_was_half_seen_is_what_it_may_be(pair: str, rule: str) -> None:
    case = given(
        "kowah", "C hand 1\n@ deal A=8x?? B=8x?? C=8x??", Seats="A B C",
    ).when("A draw ??", f"A call checki {pair.replace(' ', '')}")
    if rule:
        case.finds(rule)
    else:
        case.opens("R5").when("A show AhAhQhQsQdKhKsKd9h").opens("R5", at=4)


def test_who_lets_the_last_card_go_shows_that_an_uncounted_stock_is_out() -> None:
    """If this failed, a pass would be out of its time because the stock was not counted."""
    verdict = judge(log("kowah", (
        "B hand 1\n@ deal A=8x?? B=8x??\n@ deal down stock=*x??\nA draw ??\nA discard 7h\nB draw ??\nB call checki\n"
        "B discard 4d\nA draw up 3d\nA discard 8d\nB pass"
    )))  # fmt: skip
    assert verdict.broken == []
    assert verdict.state.settled


def test_an_unseen_card_of_an_empty_pile_wins_nothing() -> None:
    """If this failed, a draw from a pile without a card would end the match, and the next act would come too late."""
    judgement = given(GAME, "C hand 1", Seats="A B C").when("A draw ?? <discard", "A discard 2d").judgement
    assert [f.rule for f in judgement.broken] == ["table.T3", "kowah.R1"]
    assert not judgement.state.standing.over
