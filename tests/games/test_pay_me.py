"""Pay Me, rule by rule: each has the cases of its kind; then what follows from the play, the score, whole matches."""

from __future__ import annotations

import pytest
from given import Given, given
from referees.pay_me import Referee

from events.writing import write_event
from reducers.games.pay_me import Hand
from reducers.model import State
from replay.auditing.audit import audit
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.report import render_report, report
from replay.redact import hide
from replay.simulate import simulate
from replay.table.narration import tell
from replay.table.position import here
from replay.table.session import Session

GAME = "pay-me"
# B deals, so A begins; three cards each, and threes are wild. The hands are hidden, as at a real table.
FIRST = "B hand 1\n@ deal A=3x?? B=3x??\n@ deal up discard=Jh\n@ deal stock=47x??\n"
SEEN = "B hand 1\n@ deal A=7c7d8s B=9c9dKs\n@ deal up discard=Jh\n@ deal stock=47x??\n"
# The fifth hand with three players, and so with two decks: seven cards each, and sevens are wild.
FIFTH = "C hand 5\n@ deal A=7x?? B=7x?? C=7x??\n@ deal up discard=Qd\n@ deal stock=86x??\n"
# A goes out with three sevens; B has had the last turn. In the first hand a seven is as good as any card.
OUT = SEEN + "A draw 7h\nA discard 8s\nA call payme\nB draw Kd\nB discard Kd\n"
LAID = OUT + "A meld 7c7d7h\n"
THREE = {"Seats": "A B C"}


def hand_of(case: Given) -> Hand:
    """The hand as it is after these acts."""
    state: State[Hand] = case.judgement.state
    return state.hand


def phase(case: Given) -> tuple[str, tuple[str, ...]]:
    """The part of the hand that it is in, and who may act."""
    state = case.judgement.state
    return state.phase, state.turn


@pytest.mark.parametrize("players", ["A B", "A B C"])
def test_R1_a_part_of_the_deal_typed_twice_is_offered_to_be_struck(players: str) -> None:
    """If this failed, the table would be told to have turned up two cards, because one line stands there twice; with
    two decks no card is in two places with that."""
    hands = " ".join(f"{seat}=3x??" for seat in players.split())
    turned = "@ deal up discard=Kc\n"
    given(GAME, f"B hand 1\n@ deal {hands}\n" + turned, Seats=players).clean()
    judgement = check(given(GAME, f"B hand 1\n@ deal {hands}\n" + turned * 2, Seats=players).records)
    assert [f.rule for f in judgement.broken if f.at.pos == 4 and f.rule != "table.T2"] == ["pay-me.R1"]
    assert judgement.repairs[0].lines == ("@ fix #4-",)
    assert all(f.unless is judgement.repairs[0] for f in judgement.broken)
    # Another card that is turned up is no line typed twice.
    other = check(given(GAME, f"B hand 1\n@ deal {hands}\n{turned}@ deal up discard=Jh\n", Seats=players).records)
    assert [f.unless for f in other.broken if f.rule == "pay-me.R1"] == [None]


# R1, duty
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B draw ??"], "A sits left of the dealer and begins"),
        (["A draw ??", "B draw ??"], "it is the turn of A"),
        (["A draw ??", "A discard 8s", "B draw ??", "B discard Ks", "B draw ??"], "it is the turn of A"),
        (["A draw ??", "B call payme"], "it is the turn of A"),
        (["A draw ??", "B meld 9c9d9s"], "it is the turn of A"),
    ],
    ids=", ".join,
)
def test_R1_out_of_turn(acts: list[str], words: str) -> None:
    given(GAME, FIRST).when(*acts).finds("R1", words=words)


def test_R1_in_turn() -> None:
    given(GAME, FIRST).when("A draw ??", "A discard 8s", "B draw 8s <discard", "B discard Ks", "A draw ??").clean()


@pytest.mark.parametrize(("number", "cards"), [(1, 3), (2, 4), (8, 10), (11, 13)])
def test_R1_so_many_cards_are_dealt(number: int, cards: int) -> None:
    hand, words = f"B hand {number}\n", f"gets {cards} cards"
    given(GAME, hand).when(f"@ deal A={cards}x?? B={cards}x??").allows()
    given(GAME, hand).when(f"@ deal A={cards + 1}x?? B={cards}x??").finds("R1", words=words)


def test_R1_a_hand_that_does_not_count_is_dealt_again() -> None:
    for number in (1, 2):
        again = FIRST + f"@ end hand misdeal\nB hand {number}\n"
        given(GAME, again).when("@ deal A=3x?? B=3x??").allows()
        given(GAME, again).when("@ deal A=4x?? B=4x??").finds("R1")


# R2, duty
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["A draw 2x??"], "one card is drawn"),
        (["A draw ??", "A draw ??"], "A has drawn already"),
        (["A draw ??", "A discard 8s", "B draw Jh <discard"], "J♥ is not on top"),
        (["A draw ?? <B"], "from the top of the stock or of the discards"),
        (["A draw ??", "A discard 2x??"], "one card is discarded"),
        (["A draw ??", "A discard 8s", "A discard 8c"], "A has discarded already"),
    ],
    ids=", ".join,
)
def test_R2_broken(acts: list[str], words: str) -> None:
    given(GAME, FIRST).when(*acts).finds("R2", words=words)


def test_R2_a_draw_that_nobody_wrote_was_from_the_stock() -> None:
    case = given(GAME, FIRST).when("A discard 8s", "B discard Ks")
    case.clean()
    assert len(case.judgement.state.table.piles["stock"]) == 45


def test_R2_the_discards_but_one_are_the_new_stock() -> None:
    turns = "".join(f"{'AB'[i % 2]} draw ??\n{'AB'[i % 2]} discard ??\n" for i in range(47))
    case = given(GAME, FIRST + turns).when("B draw ??")
    piles = case.judgement.state.table.piles
    assert (len(piles["stock"]), len(piles["discard"])) == (46, 1)
    case = given(GAME, FIRST + turns).when("@ shuffle 47x?? <discard >stock", "B draw ??", "B discard Kd")
    case.clean()
    assert (len(piles["stock"]), len(piles["discard"])) == (46, 1)


def test_R2_the_last_of_the_others_discards_before_the_hands_are_shown() -> None:
    """Or has nothing but melds, also such as make the own ones longer."""
    kept = SEEN + "A draw 7h\nA discard 8s\nA call payme\nB draw {}\nA meld 7c7d7h\n"
    case = given(GAME, kept.format("Kd")).when("B show 9c9dKsKd")
    case.finds("R2", words="B has not discarded, and keeps 40 points outside melds").scores(A=0, B=40)
    hidden = kept.replace("B=9c9dKs", "B=3x??").format("??")
    given(GAME, hidden).when("B show 9c9dKsKd").finds("R2")
    given(GAME, hidden).when("B show 9c9d9hJo").allows()
    given(GAME, hidden).when("B meld 9c9d9h", "B show 9s").clean().scores(A=0, B=0)
    given(GAME, hidden).when("B show 9c9d2x??").opens("R2")
    given(GAME, hidden).when("B discard Kd", "B show 9c9dKs").clean()


@pytest.mark.parametrize("acts", [["B draw ??"], []], ids=", ".join)
def test_R2_a_last_turn_that_nobody_wrote_to_its_end(acts: list[str]) -> None:
    """Whoever shows as many cards as the turn leaves has thrown one."""
    out = SEEN + "A draw 7h\nA discard 8s\nA call payme\n"
    case = given(GAME, out).when(*acts, "A meld 7c7d7h", "B show 9c9dKs").clean().scores(A=0, B=30)
    assert case.judgement.state.inferred[-1][1] == "B discarded a card before the cards were shown (not recorded)"


# R3 to R7, duties: the melds of the fifth hand, with sevens wild
@pytest.mark.parametrize(
    "meld",
    [
        "9c9d9h", "9c9d9h9s", "2c2d2h", "7c7d7h", "JoJo9c9d", "9c9d2h7s", "9c9d2h",
        "4c5c6c", "6cAc2c8c3c5c4c7c", "4c2d6c", "4c5c2d", "2d4c5c", "4cJo6c2d", "Jo5c2c7c", "2c3c4c", "6c7c8c",
        "4c2d6cJo8c", "TcJcQcKc", "JcQcKc2d",
    ],
)  # fmt: skip
def test_R3_R4_R5_melds(meld: str) -> None:
    given(GAME, FIFTH, **THREE).when("A draw ??", f"A meld {meld}").allows()


@pytest.mark.parametrize(
    ("rule", "meld", "words"),
    [
        ("R3", "9c9d", "is not three or four cards of one rank in different suits"),
        ("R3", "9c9c9d", "in different suits"),
        ("R3", "9c9d9h9sJo", "three or four cards"),
        ("R3", "9c9d2c=9c", "in different suits"),
        ("R4", "4c5d6c", "is neither a run of one suit"),
        ("R4", "4c5c", "is neither a run of one suit"),
        ("R4", "QcKcAc", "is neither a run of one suit"),
        ("R4", "3c4c6c", "is neither a run of one suit"),
        ("R4", "KsKh8s", "nor a set"),
        ("R4", "4c5c2d=7c", "nor a set"),
        ("R6", "9cJo7d", "has more wild cards than others"),
        ("R6", "Jo5cJo", "has more wild cards than others"),
        ("R7", "4c5c2d7d8c", "has two wild cards side by side"),
        ("R7", "4c5c6c2d=7c7d=8c", "has two wild cards side by side"),
    ],
)
def test_R3_R4_R6_R7_no_melds(rule: str, meld: str, words: str) -> None:
    case = given(GAME, FIFTH, **THREE).when("A draw ??", f"A meld {meld}")
    case.finds(rule, words=words)
    assert {f.rule for f in case.about() if f.rule.partition(".")[2] in ("R3", "R4", "R6", "R7")} == {f"{GAME}.{rule}"}


def test_R4_the_ace_above_the_king_is_an_option() -> None:
    given(GAME, FIFTH, **THREE, option={"ace": "both"}).when("A draw ??", "A meld QcKcAc").allows()
    given(GAME, FIFTH, **THREE, option={"ace": "both"}).when("A draw ??", "A meld KcAc3c").finds("R4")


def test_R3_R4_cards_that_nobody_saw_leave_it_open() -> None:
    given(GAME, FIFTH, **THREE).when("A draw ??", "A meld 9c9d??").opens("R3")
    given(GAME, FIFTH, **THREE).when("A draw ??", "A meld 9c8c??").opens("R4")
    given(GAME, FIFTH, **THREE).when("A draw ??", "A meld 9c??Jo2d").opens("R3")
    given(GAME, FIFTH, **THREE).when("A draw ??", "A meld 9c9c??").finds("R3")


# R5, right
def test_R5_other_cards_are_wild_in_each_hand() -> None:
    meld = "A meld KcKd3h"
    given(GAME, FIRST).when("A draw ??", meld).allows()
    given(GAME, FIFTH, **THREE).when("A draw ??", meld).finds("R4")


def test_R5_denied() -> None:
    case = given(GAME, FIFTH, **THREE).when("A draw ??", "A meld 4c2d6c", "B fault A wild")
    case.finds("R5", words="at most half of the meld is wild")
    given(GAME, FIFTH, **THREE).when("A draw ??", "A meld 4c5c6c", "B fault A wild").allows()
    given(GAME, FIFTH, **THREE).when("B fault A wild 9cJo9d").finds("R5")
    given(GAME, FIFTH, **THREE).when("B fault A wild 9cJo7d").allows()


# R8, duty
def test_R8_all_cards_in_melds() -> None:
    given(GAME, SEEN).when("A draw 7h", "A call payme").allows()
    given(GAME, SEEN).when("A draw 7h", "A discard 8s", "A call payme").allows()


@pytest.mark.parametrize(
    "acts",
    [
        ["A draw Kh", "A call payme"],
        ["A draw 7h", "A discard 7c", "A call payme"],
        ["A draw Kh", "A meld 7c7d"],
    ],
    ids=", ".join,
)
def test_R8_cards_in_no_meld(acts: list[str]) -> None:
    given(GAME, SEEN).when(*acts).finds("R8", words="points in no meld")


# The second hand, with fours wild: A has six, seven and eight of clubs, and draws the nine.
LATER = "B hand 2\n@ deal A=6c7c8cKd B=4x??\n@ deal up discard=Jh\n@ deal stock=45x??\nA draw 9c\nA call payme\n"
TURN_OF_B = ("B draw ??", "B discard Ks")


@pytest.mark.parametrize("thrown", ["6c", "7c", "9c"])
def test_R8_whoever_said_it_throws_the_card_in_no_meld(thrown: str) -> None:
    given(GAME, LATER).when("A discard Kd").allows()
    given(GAME, LATER).when(f"A discard {thrown}").finds("R8", words="points in no meld")


def test_R8_a_word_said_wrongly_is_said_once() -> None:
    case = given(GAME, LATER.replace("9c", "Ts")).when("A discard Ts")
    assert [f.at.pos for f in case.judgement.broken] == [6]


@pytest.mark.parametrize(
    ("acts", "fits"),
    [
        (["A meld 6c7c8c"], True),
        (["A meld 6c7c8c", "A meld 9c >meld:A:1"], True),
        (["A meld 6c7c8c9c"], True),
        (["A meld 6c7c8c", "A discard Kd", *TURN_OF_B, "A meld 9c >meld:A:1"], True),
        (["A discard Kd", *TURN_OF_B, "A meld 6c7c8c"], True),
        (["A meld 6c7c8c", "A discard 9c"], False),
        (["A meld 6c7c8c", "A meld Kd >meld:A:1"], None),
    ],
)
def test_R8_the_melds_laid_leave_no_card_over(acts: list[str], fits: bool | None) -> None:
    """What is left may still make a meld longer that lies there."""
    case = given(GAME, LATER).when(*acts)
    if fits:
        case.allows()
    else:
        case.finds("R8" if fits is False else "R10")


def test_R8_a_wild_card_laid_where_others_would_do() -> None:
    """The joker is wanted with the kings."""
    hand = "B hand 3\n@ deal A=9c9d9hJoKc B=5x??\n@ deal up discard=Jh\n@ deal stock=43x??\nA draw Kd\n"
    given(GAME, hand).when("A meld KcKdJo", "A meld 9c9d9h").allows()
    given(GAME, hand).when("A meld KcKdJo").allows()
    given(GAME, hand).when("A meld 9c9d9hJo").finds("R8", words="A is left with 10 points in no meld")
    given(GAME, hand).when("A call payme", "A meld 9c9d9hJo").finds("R8")


def test_R8_what_was_thrown_of_a_hidden_hand_is_judged_when_it_is_shown() -> None:
    hidden = LATER.replace("6c7c8cKd", "4x??").replace("draw 9c", "draw ??")
    given(GAME, hidden).when("A discard 9c").opens("R8")
    done = hidden + "A discard 9c\nB draw ??\nB discard Ks\n"
    given(GAME, done).when("A show 6c7c8cTc").allows(at=6).finds("R8", at=7, known=10)
    given(GAME, done).when("A show 6c8hQdTc").finds("R8", at=6).allows(at=7)
    case = given(GAME, done).when("A meld 6c7c8c", "A show Kd")
    case.allows(at=6).finds("R8", at=7, known=11, words="10 points in no meld")
    given(GAME, done.replace("discard 9c", "discard Kd")).when("A meld 6c7c8c9c").clean()
    laid = given(GAME, done.replace("discard 9c", "discard Qd")).when("A meld 6c7c8c")
    laid.opens("R8")


def test_R8_is_open_until_the_hand_is_shown() -> None:
    hidden = FIRST + "A draw ??\nA call payme\n"
    given(GAME, hidden).opens("R8", at=6)
    done = hidden + "A discard 8s\nB draw ??\nB discard Ks\n"
    given(GAME, done).when("A show 7c7d7h").allows(at=6)
    given(GAME, done).when("A show 7c7dKh").finds("R8", at=6, known=10, words="20 points in no meld")


@pytest.mark.parametrize(("shown", "words"), [("Jh7dKh", "25 points in no meld"), ("JhJcJd", "")])
def test_R8_with_a_card_out_of_the_discards_it_is_open_until_the_hand_is_shown(shown: str, words: str) -> None:
    """If this failed, whoever had taken a card that everybody saw could say Pay me with anything."""
    hidden = FIRST + "A draw Jh <discard\nA call payme\n"
    given(GAME, hidden).opens("R8", at=6)
    case = given(GAME, hidden + "A discard 8s\nB draw ??\nB discard Ks\n").when(f"A show {shown}")
    if words:
        case.finds("R8", at=6, known=10, words=words)
    else:
        case.allows(at=6)


def test_R8_a_draw_that_nobody_wrote_may_have_been_the_right_one() -> None:
    given(GAME, SEEN).when("A call payme").opens("R8")
    apart = SEEN.replace("7c7d8s", "4cTdQs")
    given(GAME, apart).when("A call payme").finds("R8", words="left with")


def test_the_word_is_told_as_it_is_said() -> None:
    told = "\n".join(tell(given(GAME, SEEN).when("A call payme").records))
    assert "pay me" in told
    assert "payme" not in told
    case = given(GAME, SEEN.replace("7c7d8s", "4cTdQs"), A="Ann").when("A call payme")
    page = render_report(report(case.records, 1), "md")
    assert "Ann calls pay me" in page
    assert "payme" not in page
    assert next(f.says for f in audit(case.records).broken if f.rule == "pay-me.R8").startswith("A calls pay me; ")


@pytest.mark.parametrize("line", ["pay me", "A pay me", "Pay Me", "pay-me", "payme", "ann pay me"])
def test_the_word_is_typed_as_it_is_said(line: str) -> None:
    """If this failed, whoever types `pay me` would be asked for an amount of money."""
    draft = Session(given(GAME, SEEN, A="Ann").records).complete(line)
    assert [write_event(r.event) for r in draft.events] == ["A call payme"]


@pytest.mark.parametrize("line", ["a 7c>1", "A 7c>1", "a 7c >1", "A m 7c"])
def test_a_card_is_laid_off_onto_the_meld_of_that_number(line: str) -> None:
    """If this failed, the meld of whoever went out would have to be called by its whole name."""
    acts = "C call payme\nC discard 7d\nA draw ??\nA discard 2d\nB draw ??\nB discard 5h\nC meld 4c5c6c\n"
    hand = "C hand 1\n@ deal up discard=9h\nA draw ??\nA discard 8h\nB draw ??\nB discard Js\nC draw ??\n"
    draft = Session(given(GAME, hand + acts, Seats="A B C").records).complete(line)
    assert ([write_event(r.event) for r in draft.events], draft.doubts) == (["A meld 7c >meld:C:1"], ())


def test_who_goes_out_is_said_at_once() -> None:
    """If this failed, melds laid down would end the play without a word of it."""
    state = given(GAME, SEEN).when("A meld 7c7d7h").judgement.state
    assert state.game.display.last_outcome_text(state) == "A goes out"
    assert [
        line for line in here(Session(given(GAME, SEEN, A="Ann").when("A call payme").records).reader)
        if line == "pay me: Ann"
    ]


# R9, duty
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B draw 8s <discard"], "the last card is drawn from the stock"),
        (["B draw ??", "B discard Ks", "A draw ??"], "the turn is back with A"),
        (["B draw ??", "B discard Ks", "B discard 9c"], "the hand is over"),
    ],
    ids=", ".join,
)
def test_R9_broken(acts: list[str], words: str) -> None:
    given(GAME, SEEN).when("A draw 7h", "A discard 8s", "A call payme", *acts).finds("R9", words=words)


def test_R9_each_of_the_others_has_one_turn() -> None:
    dealt = "C hand 1\n@ deal A=7c7d7h B=3x?? C=3x??\n@ deal up discard=Jh\n"
    case = given(GAME, dealt, **THREE).when("A draw 8s", "A discard 8s", "A call payme")
    case.allows()
    assert phase(case) == ("last draw", ("B",))
    assert phase(case.when("B draw ??")) == ("last discard", ("B", "C"))
    assert phase(case.when("B draw ??", "B discard Ks", "C draw ??", "C discard Ks")) == ("show", ("A",))


def test_R9_the_first_discard_may_be_taken_before_the_word() -> None:
    given(GAME, FIRST).when("A draw Jh <discard", "A discard 8s", "A call payme").allows(at=5)


def test_R1_whoever_has_nothing_but_melds_may_keep_all() -> None:
    four = FIRST.replace("3x?? B=3x??", "7c7d7h B=9c9dKs")
    out = four + "A draw 7s\nA call payme\n"
    given(GAME, out).when("B draw ??").allows()
    given(GAME, SEEN).when("A draw 7h", "A call payme", "B draw ??").finds("R1", words="it is the turn of A")
    given(GAME, FIRST).when("A draw ??", "A call payme", "B draw ??").opens("R1")


def test_R9_a_last_turn_may_end_with_all_cards_laid_down() -> None:
    dealt = "B hand 1\n@ deal A=7c7d7h B=9c9d9s\n@ deal up discard=Qh\n@ deal stock=47x??\n"
    case = given(GAME, dealt).when("A draw 8s", "A discard 8s", "A call payme", "B draw 9h", "B meld 9c9d9s9h")
    case.clean()
    assert phase(case) == ("show", ("A",))


def test_R9_a_last_turn_may_end_with_all_cards_shown() -> None:
    dealt = "B hand 1\n@ deal A=7c7d7h B=9c9d9s\n@ deal up discard=Qh\n@ deal stock=47x??\n"
    case = given(GAME, dealt).when("A draw 8s", "A discard 8s", "A call payme", "B draw 9h", "B show 9c9d9s9h")
    case.clean()
    assert phase(case) == ("show", ("A",))
    case.when("A meld 7c7d7h").scores(A=0, B=0)


# R10, duty
def test_R10_laid_off_onto_whoever_went_out() -> None:
    hidden = LAID.replace("B=9c9dKs", "B=3x??")
    given(GAME, hidden).when("B meld 7s >meld:A:1").allows()
    given(GAME, hidden).when("B meld 2s >meld:A:1").allows()


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B meld Ks >meld:A:1"], "K♠ cannot be laid off onto 7♣ 7♦ 7♥"),
        (["B meld 9s >meld:A:2"], "no such meld"),
    ],
    ids=", ".join,
)
def test_R10_broken(acts: list[str], words: str) -> None:
    given(GAME, LAID).when(*acts).finds("R10", words=words)


def test_R10_not_onto_the_melds_of_others() -> None:
    turns = "B draw ??\nB discard ??\nC draw ??\nC discard ??\n"
    out = FIFTH + "A draw ??\nA meld 4h5h6h\nA discard ??\n" + turns + "B meld 9c9d9s\n"
    given(GAME, out, **THREE).when("C meld 9h >meld:B:1").finds("R10", words="the melds of A, who went out")
    given(GAME, out, **THREE).when("B meld 9h >meld:B:1").allows()


def test_R10_not_before_somebody_went_out() -> None:
    given(GAME, FIRST).when("A draw ??", "A discard 8s", "B meld 8c >meld:A:1").finds("R10", words="no such meld")


@pytest.mark.parametrize(
    ("meld", "card", "fits"),
    [
        ("5h6h2d", "4h", True),
        ("5h6h2d", "8h", True),  # the two is the seven
        ("5h6h2d", "3h", False),
        ("2d5h6h", "3h", True),
        ("2d5h6h", "8h", False),
        ("5h6h2d=4h", "3h", True),  # said otherwise
        ("5h6h2d", "Jo=8h", False),  # two wild cards side by side
        ("5h6h2d", "Jo", True),  # below the five, and half of the four
        ("9c9d2h", "9s", True),
        ("9c9d2h=9s", "9s", False),
        ("9c9d9h", "Jo", True),
        ("JcJdJoJh", "Jo", False),  # four are a set
        ("3c4c2c", "Ac", True),  # the two may be natural, in whichever order it was laid
    ],
)
def test_R10_what_a_wild_card_stands_for_does_not_change(meld: str, card: str, fits: bool) -> None:
    out = FIFTH + f"A draw ??\nA meld {meld}\nA discard ??\nB draw ??\nB discard ??\n"
    case = given(GAME, out, **THREE).when(f"B meld {card} >meld:A:1")
    if fits:
        case.allows()
    else:
        case.finds("R10", words="cannot be laid off")


def test_R10_what_was_laid_off_makes_room_for_more() -> None:
    laid = "A draw ??\nA meld 4h5h6h\nA discard ??\nB draw ??\nB discard ??\nB meld Jo >meld:A:1\n"
    out = FIFTH + laid
    given(GAME, out, **THREE).when("B meld 8h >meld:A:1").allows()
    given(GAME, out, **THREE).when("B meld 3h >meld:A:1").allows()
    given(GAME, out, **THREE).when("B meld 9h >meld:A:1").finds("R10")


def test_R10_laid_off_in_the_last_turn_or_after_it() -> None:
    """It comes to the same."""
    out = LATER.replace("A call", "A meld 6c7c8c9c\nA discard Kd\nA call") + "B draw ??\n"
    for acts in (("B meld 5c >meld:A:1", "B discard Qd"), ("B discard Qd", "B meld 5c >meld:A:1")):
        given(GAME, out).when(*acts, "B show KsQhJc").clean().scores(A=0, B=30)


def test_R10_cards_that_nobody_saw_leave_it_open() -> None:
    given(GAME, LAID).when("B meld ?? >meld:A:1").opens("R10")


# R11, duty
def test_R11_nothing_is_taken_out_of_a_meld() -> None:
    given(GAME, LAID).when("B move 7h <meld:A:1 >B").finds("R11", words="no card is taken out of a meld of A")
    given(GAME, LAID).when("B draw 7h <meld:A:1").finds("R11")
    given(GAME, LAID).when("A move 7h <meld:A:1 >A").allows()


# R12, consequence
@pytest.mark.parametrize(
    ("seats", "decks"),
    [("A B", 1), ("A B C", 2), ("A B C D", 2), ("A B C D E", 3), ("A B C D E F G H", 3)],
)
def test_R12_so_many_decks(seats: str, decks: int) -> None:
    state = given(GAME, "A hand 1\n", Seats=seats).judgement.state
    assert (state.game.pack.size, state.game.pack.copies[-1]) == (54 * decks, 2 * decks)
    many = "".join(f"A hand 1\n@ deal A=3x?? B={'9c' * (decks + 1)}\n")
    case = given(GAME, many, Seats=seats)
    assert any(f.rule.startswith("table.") for f in case.about())


def test_the_number_of_jokers_is_an_option() -> None:
    assert given(GAME, "A hand 1\n", option={"jokers_per_deck": 4}).judgement.state.game.pack.size == 56


# Scoring
def test_R13_the_hand_of_whoever_went_out_counts_nothing() -> None:
    case = given(GAME, LAID).when("B show 9c9dKs")
    case.clean()
    case.scores(A=0, B=30)


@pytest.mark.parametrize(
    ("shown", "points"),
    [
        ("KsQhJc", 30), ("8s9cKd", 30), ("7s6h5c", 15), ("4sAh5c", 15),
        ("2s3hJo", 45),  # whatever is wild, a three in the first hand, too
        ("KsKh3d", 0), ("KsKhKd", 0), ("Kc3d2d", 40), ("2s3s4s", 0), ("2d3s4s", 0), ("2d3h5s", 35),
    ],
)  # fmt: skip
def test_R13_deadwood(shown: str, points: int) -> None:
    out = FIRST + "A draw ??\nA meld 7c7d7h\nA discard 8d\nB draw ??\nB discard Td\n"
    given(GAME, out).when(f"B show {shown}").scores(A=0, B=points)


def test_cards_laid_off_do_not_count() -> None:
    out = FIRST + "A draw ??\nA meld 7c7d7h\nA discard 8d\nB draw ??\nB discard Td\n"
    given(GAME, out + "B meld 7s >meld:A:1\n").when("B show KsQh").scores(A=0, B=20)
    case = given(GAME, out).when("B show KsQh7s")
    case.scores(A=0, B=25)
    assert case.judgement.state.scores[0].notes == ("B could have laid off 7♠ onto 7♣ 7♦ 7♥",)


def test_pay_me_said_wrongly_counts_as_it_was_made() -> None:
    said = SEEN + "A draw Kh\nA discard Kh\nA call payme\nB draw Kd\nB discard Kd\n"
    case = given(GAME, said).when("A show 7c7d8s", "B show 9c9dKs")
    case.finds("R8", at=7)
    case.scores(A=20, B=30)


def test_a_hand_told_by_its_result() -> None:
    given(GAME, "B hand 1\n@ tally out=A deadwood.B=35\n").scores(A=0, B=35)
    given(GAME, "B hand 1\n@ tally out=A\n").scores(A=0, B=None)
    assert given(GAME, "B hand 1\n@ tally out=A deadwood.B=33\n").about()


@pytest.mark.parametrize(
    ("hand", "told", "words"),
    [
        (1, "out=A deadwood.B=45", ""),
        (1, "out=A deadwood.B=50", "B cannot be left with 50: 3 cards each come to 45 at most"),
        (2, "out=A deadwood.B=60", ""), (11, "out=A deadwood.B=180", ""),
        (11, "out=A deadwood.B=185", "13 cards each come to 180 at most"),
        (1, "out=A deadwood.A=5 deadwood.B=10", "A went out, and is left with 5 points outside melds"),
        (1, "out=A deadwood.A=0 deadwood.B=10", ""),
        (1, "deadwood.A=5 deadwood.B=5", "one player goes out, and is left with no points"),
        (1, "deadwood.A=0 deadwood.B=5", ""),
    ],
)  # fmt: skip
def test_R8_a_result_that_no_hand_can_have(hand: int, told: str, words: str) -> None:
    """In the eleventh hand two players have ten wild cards in their deck: fifteen each, and ten for each of the
    other three."""
    case = given(GAME, f"B hand {hand}\n").when(f"@ tally {told}")
    case.finds("R8", words=words) if words else case.allows()


def test_R8_whoever_drew_out_of_turn_holds_a_card_more() -> None:
    given(GAME, FIRST).when("A draw ??", "A call payme", "@ tally out=A deadwood.B=60").allows()


@pytest.mark.parametrize("shown", ["", "A show 4c4d9h"])
def test_R8_a_call_is_broken_once_if_its_caller_was_left_with_points(shown: str) -> None:
    """What was said wrongly counts as it was made: the tally tells of a call that no card shows, else the cards do."""
    acts = ("A draw 5h", "A call payme 5h", *([shown] if shown else []), "@ tally out=A deadwood.A=20")
    judgement = given(GAME, FIRST).when(*acts).judgement
    assert [f.rule for f in judgement.broken] == ["pay-me.R8"]
    assert judgement.state.scores[-1].points["A"] == 20


def test_R8_all_together_have_no_more_wild_cards_than_there_are() -> None:
    """Three players have twenty wild cards in the last hand, and two of them with thirteen cards each six others."""
    case = given(GAME, "C hand 11\n", **THREE).when("@ tally out=A deadwood.B=195 deadwood.C=165").allows()
    case.scores(A=0, B=195, C=165)
    given(GAME, "C hand 11\n", **THREE).when(
        "@ tally out=A deadwood.B=195 deadwood.C=170"
    ).finds("R8", words="B and C cannot be left with 365")


def test_R8_who_went_out_is_who_said_it() -> None:
    given(GAME, FIRST).when(
        "A draw ??", "A call payme", "@ tally out=B deadwood.A=20",
    ).finds("T12", words="out is A, not B")
    given(GAME, FIRST).when("A draw ??", "A call payme", "@ tally out=A deadwood.B=20").allows()


@pytest.mark.parametrize(
    ("melds", "acts", "points"),
    [
        ("9h9d9c", ["B show 8h8dKd"], {"A": 0, "B": 30}),
        ("7h7d7c", ["B meld 7s >meld:A:1", "B show 8h8d"], {"A": 0, "B": 20}),
        ("9h9d9c", ["A show 4s", "B show 8h8dKd"], {"A": 5, "B": 30}),
    ],
)  # fmt: skip
def test_R8_a_discard_of_whoever_went_out_that_nobody_wrote(
    melds: str, acts: list[str], points: dict[str, int],
) -> None:
    """If this failed, a hand of which all else was written would stay without a score. If the card is shown, it was
    kept."""
    case = given(GAME, FIRST).when("A draw ??", "A call payme", "B draw ??", "B discard 5c", f"A meld {melds}", *acts)
    case.scores(**points)
    assert bool(case.judgement.broken) is bool(points["A"])


def test_a_report_says_which_rank_is_wild_and_calls_it_no_contract() -> None:
    case = given(GAME, FIRST).when("A draw ??", "A call payme", "@ tally out=A deadwood.B=20")
    page = render_report(report(case.records, 1), "md")
    assert "**Hand:** 3 wild, A out" in page
    assert "Contract" not in page


def test_R14_the_lowest_after_the_last_hand_wins() -> None:
    told = "".join(f"{'AB'[i % 2]} hand {i + 1}\n@ tally out=A deadwood.B=10\n" for i in range(11))
    state = given(GAME, told).judgement.state
    assert (state.ended, state.standing.winner, state.standing.totals) == ("won", "A", {"A": 0, "B": 110})


def test_who_is_level_shares() -> None:
    told = "B hand 1\n@ tally out=A deadwood.B=10\nA hand 2\n@ tally by=B deadwood.A=10\n"
    case = given(GAME, told, option={"hands": 2})
    state = case.judgement.state
    assert (state.ended, state.standing.winner) == ("won", "")


def test_the_deal_goes_round_to_the_left() -> None:
    state = given(GAME, OUT + "A meld 7c7d7h\nB show 9c9dKs\n").judgement.state
    assert state.game.dealing.next_dealer(state) == "A"


def test_a_card_that_makes_an_own_meld_longer_counts_nothing() -> None:
    """The nine belongs to the run, though it was shown by itself; another's card that is laid there later changes
    nothing."""
    out = LATER + "A discard Kd\nB draw ??\nB discard Ks\nA meld 6c7c8c\nA show 9c\n"
    given(GAME, out).when("B show 2h5h8sQs").scores(A=0, B=40)
    given(GAME, out + "B meld 2h=9c >meld:A:1\n").when("B show 5h8sQs").scores(A=0, B=25)


# What is not seen, or not written
def test_after_a_gap_nobody_is_accused() -> None:
    later = "B draw ??\nB discard Ks\nA discard 8s\nA call payme\nB draw ??\n"
    case = given(GAME, FIRST + "A draw ??\n@ gap\n" + later).when("B discard ??")
    assert case.judgement.broken == []
    assert phase(case) == ("show", ("A",))


def test_after_a_gap_whoever_went_out_and_shows_cards_beside_melds_did_not_go_out_with_nothing() -> None:
    case = given(GAME, FIRST + "A draw ??\nA call payme\n@ gap\n").when("A show 3d5h6hAs", "B show 4c8dQs")
    assert case.judgement.state.score.points["A"] is None
    told = given(GAME, FIRST + "A draw ??\nA call payme\n@ gap\n").when("A show 4h5h6h", "B show 4c8dQs")
    assert told.judgement.state.score.points["A"] == 0


def test_after_a_gap_in_the_last_turns_the_hands_may_be_laid_open() -> None:
    out = SEEN + "A draw 7h\nA discard 8s\nA call payme\n@ gap\nA meld 7c7d7h\n"
    case = given(GAME, out)
    assert (phase(case), hand_of(case).by) == (("show", ("A",)), "A")
    assert given(GAME, out).when("B show 9c9dKs").judgement.broken == []


    first = given(GAME, out.replace("A meld 7c7d7h\n", "")).when("B show 9c9dKs")
    assert phase(first) == ("show", ("A",))


def test_who_has_had_the_last_turn_may_show_before_the_others_have() -> None:
    dealt = "C hand 1\n@ deal A=7c7d7h B=3x?? C=3x??\n@ deal up discard=Jh\n"
    acts = ("A draw 8s", "A discard 8s", "A call payme", "B draw ??", "B discard 9d", "B show 9c9hKs")
    case = given(GAME, dealt, **THREE).when(*acts)
    assert phase(case) == ("last draw", ("C",))
    assert phase(case.when("C draw ??", "C discard 5d")) == ("show", ("A",))


def test_of_two_equal_cards_the_one_on_top_is_taken() -> None:
    turns = "A draw ??\nA discard 9c\nB draw ??\nB discard ??\nC draw 9c <discard\n"
    piles = given(GAME, FIFTH + turns, **THREE).judgement.state.table.piles
    assert [piles["discard"].table.pack.tokens[c] for c in piles["discard"].codes()] == ["Qd", "9c"]


def test_a_discard_taken_back_is_made_again() -> None:
    case = given(GAME, SEEN).when("A draw 7h", "A discard 7h", "A move 7h <discard >A", "A discard 8s", "A call payme")
    case.clean()
    assert hand_of(case).by == "A"


@pytest.mark.parametrize("viewer", ["A", "public"])
def test_a_whole_match_with_hidden_hands_accuses_nobody(viewer: str) -> None:
    log = tuple(simulate(GAME, seed=3, hands=3, seats=["A", "B", "C"]))
    assert judge(hide(log, viewer)).broken == []


# What a match by chance brought once: a three that is wild is laid off as the four, and then a two, for which it
# would have to move.
GROWN = """C hand 1
@ deal A=3s2c4c B=QhJhKc C=5s7sTc
@ deal up discard=Ks
A draw 9d
A discard 9d
B draw Ts
B discard Ts
C draw 2s
C call payme
C discard Tc
A draw 4d
A discard 4d
B draw 7h
B discard 7h
C meld 5s2s7s
"""


@pytest.mark.parametrize(
    ("laid", "wrong"),
    [
        ("3s, 2c", 17), ("3s2c", 0), ("2c3s", 0), ("2c, 3s", 0), ("2c=4s, 3s", 0), ("2c=8s, 3s", 17), ("2c=8s, 4d", 17),
        ("3s=8s, 2c", 17),
    ],
)
def test_the_referee_agrees_about_wild_cards_that_are_laid_off(laid: str, wrong: int) -> None:
    """Where a wild card lies it stays."""
    case = given(GAME, GROWN, Seats="A B C").when(*(f"A meld {cards} >meld:C:1" for cards in laid.split(", ")))
    assert min((f.at.pos for f in case.judgement.broken), default=0) == wrong
    assert Referee(list("ABC")).read([write_event(r.event) for r in case.records[1:]]) == wrong


def test_the_card_that_is_said_with_the_call_is_put_down() -> None:
    """If this failed, whoever goes out and is typed in one line would keep the card in hand, and be due to throw
    another."""
    lines = "B hand 1\n@ deal up discard=Jd\nA draw ??\nA discard Jo\nB draw Jo <discard\n"
    said, apart = (
        given("pay-me", lines + more).records for more in ("B call payme 5s\n", "B call payme\nB discard 5s\n")
    )
    one, other = fold(said), fold(apart)
    assert (
        one.turn, one.phase, one.hand.by, one.table.piles["discard"].row,
    ) == (other.turn, other.phase, "B", other.table.piles["discard"].row)
    assert len(one.holding("B")) == len(other.holding("B"))
