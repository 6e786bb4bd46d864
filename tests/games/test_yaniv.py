"""Yaniv, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from typing import Any

import pytest
from given import Given, given

from events.cards import pack
from events.model import Discard, Draw, Recorded, Shuffle
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.yaniv import PACK, READINGS, RULES, TWO_PACKS, Options, Tally, failed, fault_of, score_tally, throws
from reducers.legal import legal
from reducers.registry import find_game
from reducers.rules import DUTY, RIGHT
from reducers.table import Table
from reducers.words.elimination import LastOneLeft
from reducers.words.tallies import open_questions
from replay.fold import fold
from replay.judging.hidden_cards import read_hand, trace_hidden_cards
from replay.judging.judge import judge
from replay.judging.repairs import suggest
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

GAME = "yaniv"
HIDDEN = "C hand 1\n@ deal A=5x?? B=5x?? C=5x??\n@ deal up discard=7h\n"
OPEN = """
C hand 1
@ deal A=As2s3s4cKc B=8d9dTdJdJo C=5c5dKhQhJh
@ deal up discard=7h
@ deal stock=AcAdAh2c2d2h3c3d3h4d4h4s5h5s6c6d6h6s7c7d7s8c8h8s9c9h9sTcThTsJcJsQcQdQsKdKsJo
"""
ROUND = "A discard Ks\nA draw ??\nB discard Qs\nB draw ??\nC discard Js\nC draw ??\n"


def table(lines: str, **tags: Any) -> Given:
    """A match of three with these lines."""
    return given(GAME, lines, **{"Seats": "A B C", **tags})


def broken_in(case: Given) -> list[tuple[int, str]]:
    return [(f.at.pos, f.rule) for f in case.judgement.broken]


def test_one_rule_is_a_right_and_all_others_are_duties() -> None:
    assert [r.id for r in RULES if r.kind is RIGHT] == ["R6"]
    assert all(r.kind is DUTY for r in RULES if r.id != "R6")


# R1 to R3, R9: the turn
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["B discard Ks"], "R1"),
        (["A discard Ks", "A draw ??", "C discard Qs"], "R1"),
        (["A discard Ks", "C discard Qs"], "R1"),
        (["A discard Ks", "A draw ??", "C draw ??"], "R1"),
        (["A discard Ks", "A draw ??", "A discard Qs"], "R1"),
        (["A draw ??"], "R2"),
        (["A discard Ks", "A draw ??", "B draw Ks <discard"], "R2"),
        (["A discard Ks", "A discard Qs"], "R3"),
        (["A discard 7c7d9h"], "R3"),
        (["A discard 7c7d9c9d"], "R3"),
        (["A discard 5c6d8h"], "R3"),
        (["A discard Ks", "A draw 2x??"], "R9"),
        (["A discard Ks", "A draw ??", "A draw ??"], "R9"),
        (["A draw ??", "A draw ??"], "R9"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R2_R3_R9_broken(acts: list[str], rule: str) -> None:
    case = table(HIDDEN).when(*acts).finds(rule)
    assert [f.rule for f in case.about()] == [f"yaniv.{rule}"]


def test_R1_the_reason_is_the_right_one() -> None:
    """Who begins was settled by the first act, also by a draw that came too early."""
    table(HIDDEN).when("B discard Ks").finds("R1", words="A sits left of the dealer and begins")
    table(HIDDEN).when("A draw ??", "C draw ??").finds("R1", words="it is the turn of A")
    table(HIDDEN).when("A discard Ks", "C discard Qs").finds("R1", words="it is the turn of A")


def test_R2_a_throw_that_nobody_wrote_is_offered_before_anybody_is_accused() -> None:
    """B drew, and then C goes on: B's throw is missing. If B throws after the draw, B drew too early."""
    missing = table(HIDDEN + ROUND).when("A discard 9s", "A draw ??", "B draw ??", "C discard 8s", "C draw ??")
    assert any(("yaniv.R2", 12) in [(ref.rule, ref.pos) for ref in r.removes] for r in suggest(missing.records))
    early = table(HIDDEN + ROUND).when(
        "A discard 9s", "A draw ??", "B draw ??", "B discard 8d", "C discard 8s", "C draw ??", "A discard 4s",
        "A draw ??",
    )
    assert not [r for r in suggest(early.records) if "missing" in r.text]


def test_R9_cards_nobody_counted_prove_nothing() -> None:
    table(HIDDEN).when("A discard Ks", "A draw *x??").opens("R9").clean()
    table(HIDDEN).when("A discard *x??", "A draw ??").clean()


def test_R1_R2_R3_R9_kept() -> None:
    table(HIDDEN + ROUND).when("A discard 8c9cTc", "A draw Js <discard", "B discard 4c4d", "B draw 8c <discard").clean()


def test_R2_who_drew_first_still_has_to_throw() -> None:
    state = table(HIDDEN).when("A draw ??").judgement.state
    assert (state.turn, state.phase) == (("A",), "turn")
    table(HIDDEN).when("A draw ??", "A discard Ks", "B discard Qs").allows(at=5).allows(at=6)


def test_R9_a_draw_nobody_wrote_is_inferred() -> None:
    """If this failed, a table that writes throws alone would be accused at every line."""
    state = table(HIDDEN).when("A discard Ks", "B discard Qs8h", "C call yaniv").allows(at=4).judgement.state
    assert (len(state.holding("A")), len(state.holding("B")), len(state.table.row("stock"))) == (5, 4, 36)
    assert len(state.inferred) == 2


# R4 to R7: sets and runs
@pytest.mark.parametrize("group", ["7c7d", "7d7c7s", "7c7d7h7s", "Jo", "As2s3s", "TsJsQsKs", "JdTd9d8d", "2h3h4h5h6h"])
def test_R4_R5_R7_kept(group: str) -> None:
    table("C hand 1\n@ deal up discard=Kd").when(f"A discard {group}").clean()


@pytest.mark.parametrize(
    ("group", "rule"),
    [
        ("7cJo", "R4"), ("7c7dJo", "R4"), ("JoJo", "R4"), ("7cJo=7d", "R4"),
        ("QsKsAs", "R5"), ("KsAs2s", "R5"), ("5c6c", "R5"), ("5c6c8c", "R5"), ("5c6cJo9cTc", "R5"), ("5hJo=6c8h", "R5"),
        ("4sJo=5c6s", "R5"), ("5hJo=5h6h", "R5"), ("7c9c8c", "R7"), ("9dTdJd8d", "R7"), ("QsKsJo", "R7"),
        ("JoAs2s", "R7"), ("5h6hJo=4h", "R7"), ("4sJo=7s5s6s", "R7"), ("5cJo6c8c9c", "R7"),
    ],
)  # fmt: skip
def test_R4_R5_R7_broken(group: str, rule: str) -> None:
    case = table(HIDDEN).when(f"A discard {group}").finds(rule)
    assert len(case.about()) == 1


def test_R4_R5_R7_open_where_a_card_was_not_seen_and_known_when_it_is() -> None:
    table(HIDDEN).when("A discard 5c??7c").opens("R3").opens("R5")
    table(HIDDEN).when("A discard 7d??").opens("R4")
    table(HIDDEN).when("A discard 7d7c??").opens("R3").opens("R4")
    table(HIDDEN).when("A discard 5c8c??").opens("R5").opens("R3")
    table(HIDDEN).when("A discard 5c??6c").opens("R7")
    case = table(HIDDEN).when("A discard 7d??", "A draw ??", "B discard Ks")
    case.when("@ fix #4 A discard 7d8c").finds("R3", at=4, known=7)
    case.when("@ fix #4 A discard 7d7s").allows(at=4)
    table(HIDDEN).when("A discard 2x??").allows().opens("R4")
    # What is half seen may be enough to rule out a set, a run, or both.
    assert [f.rule for f in table(HIDDEN).when("A discard ?c?d").about()] == ["yaniv.R3"]
    assert [f.rule for f in table(HIDDEN).when("A discard 8?8?").about()] == []
    case = table(HIDDEN).when("A discard 7?8?").opens("R3").opens("R5")
    assert {f.text for f in case.about()} == {"which rule 7? 8? breaks: not all of it was seen"}
    table(HIDDEN).when("A discard 8?9?Td").opens("R3")
    assert table(HIDDEN).when("A discard ??").about() == []


def test_R4_two_packs_have_equal_cards_in_a_set_and_not_in_a_run() -> None:
    two = {"option": {"decks": 2}, "Seats": "A B C D"}
    lines = "D hand 1\n@ deal A=5x?? B=5x?? C=5x?? D=5x??\n@ deal up discard=7h"
    given(GAME, lines, **two).when("A discard 7c7c").clean()
    given(GAME, lines, **two).when("A discard 7c7c8c9c").finds("R5")
    assert given(GAME, lines, **two).judgement.state.table.pack.size == 108
    assert [f.rule for f in table(HIDDEN).when("A discard 7c7c").judgement.broken] == ["table.T2"]


@pytest.mark.parametrize(
    "group", ["5hJo7h", "5hJo=6h7h", "Jo6h7h", "6h7hJo", "7cJoJo", "AsJo3s", "JoQsKs", "KsQsJo", "8d7dJo5d"],
)
def test_R6_used(group: str) -> None:
    table("C hand 1\n@ deal up discard=Kd").when(f"A discard {group}", "A draw ??", "B discard 2c").clean()


def test_R6_wrongly_denied() -> None:
    table(HIDDEN).when("A discard 5hJo6h", "@ fault joker A").allows()
    table(HIDDEN).when("A discard 5sJo7s", "@ fault joker A").finds("R6")
    table(HIDDEN).when("@ fault joker A 5hJo6h").allows()
    table(HIDDEN).when("A discard 5c5dJo", "@ fault joker A").allows()
    table(HIDDEN).when("A discard 5c5d5s", "@ fault joker A").allows()


def test_R6_an_unnamed_joker_stands_where_it_lies() -> None:
    assert fault_of(("4h", "Jo", "Jo", "7h")) is None
    assert fault_of(("4h", "Jo", "7h")) is not None


# R8: what may be drawn
RUN = HIDDEN + "A discard 8d9dTdJd\nA draw ??\nB discard Ks\n"


@pytest.mark.parametrize("card", ["8d", "Jd"])
def test_R8_the_first_or_the_last(card: str) -> None:
    """The example of the text: of 8-9-10-J only the eight or the jack."""
    case = table(RUN).when(f"B draw {card} <discard").clean()
    assert [PACK.tokens[c] for c in case.judgement.state.table.row("discard").codes()][-1] == "Ks"
    table(RUN).when("B draw ??").clean()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("B draw 9d <discard", "9♦ was inside the last throw; to be had are 8♦ and J♦"),
        ("B draw Td <discard", "inside the last throw"),
        ("B draw 7h <discard", "thrown earlier"),
        ("B draw Ks <discard", "in this very turn"),
        ("B draw 2c <A", "from the stock or"),
    ],
)
def test_R8_broken(act: str, words: str) -> None:
    table(RUN).when(act).finds("R8", words=words)


def test_R8_the_turned_card_is_first_and_last() -> None:
    table(HIDDEN).when("A discard Ks", "A draw 7h <discard").clean()
    case = table(HIDDEN).when(
        "A discard Ks", "A draw 7h <discard", "B discard Qs", "B draw Ks <discard", "C discard 2c",
    ).clean()
    assert case.judgement.state.hand.last == 1


def test_R8_an_end_that_was_taken_opens_no_other() -> None:
    """What is left of a throw is older than the throw after it."""
    table(RUN).when("B draw Jd <discard", "C discard 2c", "C draw 8d <discard").finds("R8", words="thrown earlier")


def test_R8_open_where_nobody_saw_which_and_known_when_it_is_said() -> None:
    case = table(RUN).when("B draw ?? <discard").opens("R8")
    case.when("@ fix #7 B draw 9d <discard").finds("R8", at=7, known=8)
    case.when("@ fix #7 B draw Jd <discard").allows(at=7)
    # Any of them may turn up in the hand afterwards.
    later = ("C discard 2c", "C draw ??", "A discard 2d", "A draw ??", "B discard 9d")
    assert broken_in(case.when(*later)) == []
    unseen = table(HIDDEN).when("A discard 3x??", "A draw ??", "B discard Ks")
    unseen.when("B draw 9d <discard").opens("R8")
    table(HIDDEN).when(
        "A discard 8d??Td", "A draw ??", "B discard Ks", "B draw 9d <discard",
    ).finds("R8", words="neither end")


def test_R8_open_where_the_throw_before_may_be_missing() -> None:
    """C acts out of turn: what it took may have been thrown by B, and nobody wrote it."""
    case = table(HIDDEN).when("A discard Ks", "A draw ??", "C discard Qs", "C draw 7h <discard").opens("R8")
    assert broken_in(case) == [(6, "yaniv.R1")]


def test_R8_not_the_top_of_a_known_stock() -> None:
    table(OPEN).when("A discard Kc", "A draw Ks").finds("R8", words="not on top")
    table(OPEN).when("A discard Kc", "A draw Jo").clean()


def test_R8_of_equal_cards_the_one_at_the_end_is_taken() -> None:
    """Two packs: the nine lies at an end and further down; the one that is to be had is taken."""
    lines = (
        "D hand 1\n@ deal A=5x?? B=5x?? C=5x?? D=5x??\n@ deal up discard=9d\nA discard 9dTdJd\nA draw "
        "??\nB discard 9c\n"
    )
    case = given(GAME, lines, option={"decks": 2}, Seats="A B C D").when("B draw 9d <discard").clean()
    assert [PACK.tokens[c] for c in case.judgement.state.table.row("discard").codes()] == ["9d", "Td", "Jd", "9c"]


# R10, R11: the call
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["A discard Ks", "A call yaniv"], "R10"),
        (["B call yaniv"], "R10"),
        (["A discard Ks", "A draw ??", "C call yaniv"], "R10"),
        (["A draw ??", "A call yaniv"], "R10"),
        (["A call yaniv", "B call yaniv"], "R10"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R10_broken(acts: list[str], rule: str) -> None:
    table(HIDDEN).when(*acts).finds(rule)


def test_R10_kept() -> None:
    table(HIDDEN).when("A call yaniv").allows()
    table(HIDDEN + ROUND).when("A call yaniv", "B call assaf").clean()
    # The draw of the player before was not written.
    table(HIDDEN).when("A discard Ks", "B call yaniv").allows()


CALL = HIDDEN + ROUND + "A discard KcKdKh\nA draw ??\nB discard Qc\nB draw ??\nC discard Jc\nC draw ??\nA call yaniv\n"


def test_R11_a_call_at_six_is_seen_when_the_hands_are_shown() -> None:
    """Hidden hands: the call stands open until the caller's cards lie on the table, and is then proven."""
    table(CALL).opens("R11")
    table(CALL).when("A show 2s3s", "B show 5x??").allows(at=16)
    case = table(CALL).when("A show Ac2c3c")
    case.finds("R11", at=16, known=17, words="A has 6 points")
    assert [f.rule for f in case.judgement.broken] == ["yaniv.R11"]
    table(CALL).when("A show Ac2cJo").allows(at=16)
    assert [f for f in table(CALL).when("A show Ac2cJo").judgement.open if f.rule == "yaniv.R11"] == []


def test_R11_proven_by_what_is_known_of_the_hand() -> None:
    """A card of six taken from the discards and never thrown is more than enough, whatever the others are."""
    lines = HIDDEN + "A discard Ks\nA draw 7h <discard\nB discard Qs\nB draw ??\nC discard Js\nC draw ??\n"
    table(lines).when("A call yaniv").finds("R11", words="at least")
    # Five unseen cards come to more than five in a single pack as soon as both jokers and two aces lie open.
    table("C hand 1\n@ deal A=5x?? B=5x?? C=5x??\n@ deal up discard=Jo\n").when("A call yaniv").opens("R11")
    seen = "C hand 1\n@ deal A=5x?? B=JoJoAcAdAh C=2c2d2h2s3c\n@ deal up discard=7h\n"
    table(seen).when("A call yaniv").finds("R11", words="at least")


def test_R11_in_the_open_and_by_the_house_rule() -> None:
    six = "C hand 1\n@ deal A=AsAcAdAh2s B=8d9dTdJdJo C=5c5dKhQhJh\n@ deal up discard=7h\n"
    table(six).when("A call yaniv").finds("R11", words="6 points in the hand, and 5")
    table(six, option={"call_limit": 7}).when("A call yaniv").clean()
    table(six.replace("2s", "Jo").replace("JdJo", "Jd2s")).when("A call yaniv").clean()


def test_R11_by_a_tally() -> None:
    table("C hand 1").when("@ tally caller=A total.A=6 total.B=9 total.C=9").finds("R11")
    table("C hand 1").when("@ tally caller=A total.A=5 total.B=9 total.C=9").clean()
    table("C hand 1").when("@ tally caller=A", "@ tally total.A=6 total.B=9 total.C=9").finds("R11")
    assert table("C hand 1").when("@ tally caller=A total.A=6", "@ tally total.B=9 total.C=9").about() == []
    # Who called was written, the hands were only counted; the next hand is another one.
    told = table(CALL).when("@ tally total.A=6 total.B=9 total.C=9").finds("R11", words="A called with 6")
    assert told.when("A hand 2", "@ tally total.A=7 total.B=1 total.C=9").about() == []
    shown = table(CALL).when("A show Ac2c3c", "@ tally total.A=6 total.B=9 total.C=9").finds("R11", at=16)
    assert shown.about() == []


def test_R11_a_bad_call_counts_as_made() -> None:
    table(CALL).when("A show Ac2c3c", "B show 4c4d4h4s5c", "C show 6c6d6h6s7c").scores(A=0, B=21, C=31)


# R12, R13
def test_R12_broken_and_kept() -> None:
    table(HIDDEN).when("A discard 7h <discard").finds("R12")
    table(HIDDEN).when("A discard Ks <B").finds("R12", words="from B")
    table(HIDDEN).when("A discard Ks").clean()
    table(HIDDEN).when("A discard Ks <A").clean()


def test_R12_a_card_thrown_twice_is_first_the_recorders_trouble() -> None:
    case = table(HIDDEN + ROUND).when("A discard Qs")
    assert [(f.rule, f.at.pos) for f in case.judgement.broken] == [("table.T2", 10)]


OUT = "C hand 1\n@ tally caller=A total.A=1 total.B=31 total.C=20\n"


def without_B(lines: str = OUT) -> Given:
    """B goes out in the first hand, as soon as anybody has more than thirty."""
    return table(lines, option={"out_above": 30})


def hands_told(*totals: tuple[int, int, int]) -> str:
    """Hands told by what A, B and C had left, each called by A, with the next one dealt."""
    told = "".join(
        f"{'CAB'[i % 3]} hand {i + 1}\n@ tally caller=A total.A={a} total.B={b} total.C={c}\n"
        for i, (a, b, c) in enumerate(totals)
    )
    return f"{told}{'CAB'[len(totals) % 3]} hand {len(totals) + 1}\n"


# What five cards may come to, hand by hand: 90 and 190 in all.
NINETY, A_HUNDRED_MORE = (45, 45), (49, 49, 49, 43)


@pytest.mark.parametrize(
    "acts", [["A hand 2", "@ deal A=5x?? B=5x?? C=5x??"], ["A hand 2", "B discard Ks"], ["A hand 2", "B call yaniv"]],
    ids=", ".join
)
def test_R13_broken(acts: list[str]) -> None:
    without_B().when(*acts).finds("R13", words="B went out")


def test_R13_the_others_go_on_without_who_is_out() -> None:
    """Hand 2 is A's to deal, as hand 1 was C's; B is out, so C begins, and the turn passes from C to A."""
    case = without_B().when(
        "A hand 2", "@ deal C=5x?? A=5x??", "@ deal up discard=7h", "C discard Ks", "C draw ??", "A discard Qs",
        "A draw ??",
    )
    case.clean()
    state = case.judgement.state
    assert (state.turn, state.hand.seats, len(state.table.row("stock"))) == (("C",), ("A", "C"), 41)
    without_B().when("@ tally caller=A total.A=1 total.B=3 total.C=20")
    without_B().when("A hand 2", "@ tally caller=A total.A=1 total.B=3 total.C=20").finds("R13")
    without_B().when("A hand 2", "@ tally caller=B total.A=1 total.C=20").finds("R13", words="B went out")


def test_R14_a_table_that_is_looked_at_before_the_deal_is_dealt_all_the_same() -> None:
    """If this failed, a frame shown before the deal would leave an empty stock, and the deal would seem to come from
    it."""
    state = fold(table("C hand 1").records)
    assert find_game(GAME).display.headline(state)["stock"] == 0
    assert not {"stock", "discard"} & set(state.table.piles)


def test_R14_five_cards_each_and_one_turned_up() -> None:
    table("C hand 1").when("@ deal A=3x?? B=3x?? C=3x??", "@ deal A=2x?? B=2x?? C=2x??", "@ deal up discard=7h").clean()
    table("C hand 1").when("@ deal A=5x?? B=6x?? C=5x??").finds("R14", words="B gets 5 cards, not 6")
    table("C hand 1").when(
        "@ deal A=3x?? B=3x?? C=3x??", "@ deal A=2x?? B=3x?? C=2x??",
    ).finds("R14", words="B gets 5 cards, not 6")
    table(HIDDEN).when("@ deal up discard=8h").finds("R14", words="the discard pile gets 1 card")
    # What was left of the hand before is no part of this one.
    table(HIDDEN + ROUND).when("@ end hand agreed", "@ deal A=5x?? B=5x?? C=5x??", "@ deal up discard=8h").clean()


def test_R13_the_deal_passes_who_is_out() -> None:
    lines = "A hand 1\n@ tally caller=A total.A=1 total.B=31 total.C=20\n"
    state = fold(without_B(lines).when("@ shuffle 8x?? <discard >stock", "C discard Ks").records)
    assert (state.number, state.dealer, state.turn) == (2, "C", ("C",))


# Scoring
@pytest.mark.parametrize(
    ("totals", "scored", "result"),
    [
        ((4, 17, 9), (0, 17, 9), "made"),
        ((0, 0, 0), (0, 0, 0), "made"),
        ((4, 4, 9), (0, 4, 9), "made"),
        ((4, 3, 12), (34, 3, 12), "beaten by B"),
        ((5, 3, 3), (35, 3, 3), "beaten by B and C"),
        ((5, 0, 30), (35, 0, 30), "beaten by B"),
    ],
)
def test_going_out_worked_examples(totals: tuple[int, ...], scored: tuple[int, ...], result: str) -> None:
    """Lowest: nothing for the caller, the others what they have left. Not lowest: all what they have, the caller 30
    more."""
    t = Tally("A", dict(zip("ABC", totals, strict=True)))
    got = score_tally(t, Options())
    assert (tuple(got[0].values()), got[2]) == (scored, result)
    case = table("C hand 1").when(f"@ tally caller=A total.A={totals[0]} total.B={totals[1]} total.C={totals[2]}")
    case.scores(**dict(zip("ABC", scored, strict=True)))


@pytest.mark.parametrize(
    ("before", "scored", "total"),
    [
        (A_HUNDRED_MORE, 10, 100), (NINETY, 10, 50), ((*A_HUNDRED_MORE, 5), 5, 100), ((*A_HUNDRED_MORE, 5), 6, 201),
        ((*A_HUNDRED_MORE, 9), 0, 199), (NINETY, 9, 99), (NINETY, 11, 101),
    ],
)  # fmt: skip
def test_exact_scores_are_reset(before: tuple[int, ...], scored: int, total: int) -> None:
    lines = hands_told(*((0, n, 20 * (i == 0)) for i, n in enumerate(before)))
    case = table(lines).when(f"@ tally caller=A total.A=0 total.B={scored} total.C=1").totals(A=0, B=total, C=21)
    assert case.judgement.state.ended == ""


def test_a_reset_after_the_penalty_and_one_step_only() -> None:
    """166 and a failed call with four come to 200 exactly, which is 100, not 50."""
    lines = hands_told((49, 0, 20), (49, 0, 0), (49, 0, 0), (19, 0, 0)).replace("caller=A", "caller=B")
    case = table(lines).when("@ tally caller=A total.A=4 total.B=3 total.C=9").totals(A=100, B=3, C=29)
    assert case.judgement.state.scores[-1].points == {"A": -66, "B": 3, "C": 9}
    # On exactly 100 again with a hand of nothing, it is 50.
    case.when("B hand 6", "@ tally caller=A total.A=0 total.B=3 total.C=9").totals(A=50, B=6, C=38)


def test_resets_by_the_house_rule() -> None:
    lines = hands_told((0, 50, 49), (0, 50, 49), (1, 0, 50)).replace(
        "caller=A total.A=1", "caller=B total.A=0",
    ).removesuffix("C hand 4\n")
    table(lines, option={"resets": "none"}).totals(A=0, B=100, C=148)
    table(lines, option={"resets": "none", "out_above": 148}).when("C hand 4", "@ deal A=5x?? B=5x?? C=5x??").clean()
    table(lines, option={"resets": "none", "out_above": 147}).when("A hand 4", "@ deal C=5x??").finds("R13")
    table(lines, option={"resets": "148:75"}).totals(A=0, B=100, C=75)
    table(lines, option={"penalty": 50}).when(
        "C hand 4", "@ tally caller=A total.A=3 total.B=1 total.C=9",
    ).totals(A=53, B=51, C=157)


def test_the_last_player_left_wins() -> None:
    case = without_B().when("A hand 2", "@ tally caller=C total.A=50 total.C=2").totals(A=50, B=31, C=20)
    state = case.judgement.state
    assert (state.ended, state.standing.winner, state.standing.out) == ("won", "C", ("B", "A"))


@pytest.mark.parametrize(("a", "c", "winner"), [(50, 30, "C"), (40, 31, "A"), (44, 30, ""), (30, 29, "A")])
def test_all_go_out_at_once(a: int, c: int, winner: str) -> None:
    """The lowest of those who were still in wins, even if somebody went out before with less; level, they share."""
    lines = "C hand 1\n@ tally caller=B total.A=1 total.B=31 total.C=45\nA hand 2\n"
    case = table(lines, option={"out_above": 60}).when(
        f"@ tally caller=A total.A={a} total.C={c}"
    ).totals(A=a + 31, B=61, C=c + 45)
    state = case.judgement.state
    assert (state.ended, state.standing.winner) == ("won", winner)
    shared = "The last players went out level, and share the win."
    assert (shared in sheet_of(case.records).remarks) is (winner == "")


def test_a_caller_who_is_no_player_is_nobody() -> None:
    for caller in ("A,B", "X", "-"):
        case = table("C hand 1").when(
            f"@ tally caller={caller} total.A=6 total.B=3 total.C=9"
        ).scores(A=None, B=None, C=None)
        assert case.judgement.state.scores[-1].unknown == ("who called",)


def test_what_is_missing_is_named_and_only_the_caller_waits_for_it() -> None:
    case = table("C hand 1").when("@ tally caller=A total.A=4 total.B=11").scores(A=None, B=11, C=None)
    assert case.judgement.state.scores[0].unknown == ("what C had left",)
    table("C hand 1").when("@ tally caller=A total.A=0 total.B=11").scores(A=0, B=11, C=None)
    table("C hand 1").when("@ tally caller=A total.A=4 total.B=3").scores(A=34, B=3, C=None)
    case = table("C hand 1").when("@ tally total.A=4 total.B=3 total.C=9").scores(A=None, B=None, C=None)
    assert case.judgement.state.scores[0].unknown == ("who called",)
    assert [question for question, _ in open_questions(case.judgement.state)][:1] == ["who called"]
    assert failed(Tally("A", {"A": 4, "B": None}, {"B": 4})) is False


def test_a_hand_laid_open_is_scored_and_the_deal_goes_on() -> None:
    case = table(CALL).when("A show AcAdAh", "B show 4c4d4h4s5c", "C show 6c6d6h6sJo")
    case.clean().scores(A=0, B=21, C=24)
    state = fold(case.when("B discard 9c").records)
    assert (state.number, state.dealer) == (2, "A")


def test_a_misdeal_is_dealt_again_and_a_hand_broken_off_gives_nothing() -> None:
    state = fold(table(HIDDEN + ROUND).when("@ end hand misdeal", "A discard 2c").records)
    assert (state.number, state.dealer) == (2, "C")
    table(HIDDEN + ROUND).when("@ end hand agreed").scores(A=0, B=0, C=0)


def test_a_claim_that_forgets_the_penalty_or_the_reset_is_named() -> None:
    lines = hands_told((0, 0, 50)) + "@ tally caller=A total.A=4 total.B=3 total.C=50\n"
    score = score_match(table(lines).when("@ claim A=4 B=3 C=100").records)
    assert {
        (c.who, c.claimed, c.computed) for c in score.claims if c.says == "differs"
    } == {("A", 4, 34), ("C", 100, 50)}


def test_a_ruling_may_say_who_counts_as_the_caller_or_what_it_costs() -> None:
    lines = "C hand 1\n@ tally caller=A total.A=6 total.B=9 total.C=9\nB dispute #2\n"
    fined = score_match(table(lines).when("@ ruling #3 #2 points.A=36 rule=yaniv.R11").records).ways
    assert [
        dict(fined[how].totals) for how in ("played", "ruled")
    ] == [{"A": 0, "B": 9, "C": 9}, {"A": 36, "B": 9, "C": 9}]
    other = score_match(table(lines).when("@ ruling #3 #2 caller=B").records).ways
    assert dict(other["ruled"].totals) == {"A": 6, "B": 39, "C": 9}


def test_the_sheet_shows_call_reset_and_who_is_out() -> None:
    lines = hands_told((4, 3, 50)) + "@ tally caller=B total.A=40 total.B=2 total.C=9\n"
    case = table(lines, A="Dana", B="Yossi", C="Noa", option={"resets": "50:25", "out_above": 70})
    block = sheet_of(case.records).blocks[0]
    assert block.columns == ("hand", "dealer", "call", "result", "Dana +", "Dana", "Yossi +", "Yossi", "Noa +", "Noa")
    first, second = ([c.text for c in row.cells] for row in block.rows)
    assert first == ["1", "Noa", "Yaniv by Dana with 4", "beaten by Yossi", "34", "34", "3", "3", "50", "25"]
    assert second == ["2", "Dana", "Yaniv by Yossi with 2", "made", "40", "74", "0", "3", "9", "34"]
    assert block.rows[0].notes == ("Noa hit 50 exactly and goes to 25",)
    assert block.rows[1].notes == ("Dana is out with 74",)
    assert [c.mark for c in block.rows[1].cells[5:7]] == ["crossed", "won"]


# The stock is out
def to_the_end_of_the_stock() -> str:
    """Five unseen hands, and draws from the stock until it is out: twenty-eight of them."""
    cards = [c for c in PACK.faces if c not in ("Kh", "Jo")][:28]
    turns = "".join(f"{'ABCDE'[i % 5]} discard {c}\n{'ABCDE'[i % 5]} draw ??\n" for i, c in enumerate(cards))
    return "E hand 1\n@ deal A=5x?? B=5x?? C=5x?? D=5x?? E=5x??\n@ deal up discard=Kh\n" + turns + "D discard Ks\n"


def test_a_stock_that_is_out_is_shuffled_from_the_older_discards() -> None:
    case = given(GAME, to_the_end_of_the_stock(), Seats="A B C D E").clean()
    state = case.judgement.state
    assert (
        len(state.table.row("stock")), len(state.table.row("discard")), state.hand.last, state.hand.mine,
    ) == (0, 30, 1, 1)
    written = case.when("@ shuffle 28x?? <discard >stock", "D draw ??", "E discard Kd").clean().judgement.state
    inferred = case.when("D draw ??", "E discard Kd").clean().judgement.state
    assert len(written.table.row("stock")) == len(inferred.table.row("stock")) == 27
    assert [len(written.inferred), len(inferred.inferred)] == [0, 1]
    assert written.table.located == inferred.table.located
    # A card that was thrown before the shuffle may come back.
    case.when("@ shuffle 28x?? <discard >stock", "D draw ??", "E discard Ac").clean()
    case.when("D draw ??", "E discard Ac", "E draw Ks <discard").clean()
    assert [f.rule for f in case.when("E discard Ks").about()] != []


def test_a_shuffled_card_is_told_where_the_order_is_known() -> None:
    """In a log from a screen the new order stands; the table's view of it is as many unseen cards."""
    def older(game_log: list[Recorded]) -> list[Recorded]:
        return [r for r in game_log if isinstance(r.event, Shuffle)]
    for seed in range(30):
        log = simulate(GAME, seed=seed, seats="ABCDE", hands=6)
        if older(log):
            assert judge(log).findings == []
            event = older(hide(log))[0].event
            assert isinstance(event, Shuffle)
            assert event.cards[0].endswith("x??")
            return
    raise AssertionError("no stock ran out")


def test_where_shuffled_cards_went_is_no_question_for_worlds() -> None:
    records = given(GAME, to_the_end_of_the_stock(), Seats="A B C D E").when("D draw ??", "E discard Kd").records
    _, _, why = trace_hidden_cards(read_hand(begin(records[0].event.facts), [r.event for r in records[1:]], 1))
    assert "shuffled" in why


def test_mixed_cards_lose_their_place_and_one_may_be_taken_from_the_middle() -> None:
    p = pack(copies=2, jokers=4)
    table = Table(p)
    table.journal = []
    row, stock, hand = table.row("discard"), table.row("stock"), table.bag("A")
    table.lay(table.codes(("7c", "8c", "7c", "9c")), row)
    table.take_at(0, p.code["7c"], row, hand)
    assert [p.tokens[c] for c in row.codes()] == ["8c", "7c", "9c"]
    table.mix([p.unknown] * 2, row, stock)
    assert ([p.tokens[c] for c in row.codes()], [p.tokens[c] for c in stock.codes()]) == (["9c"], ["??", "??"])
    assert table.located == p.bag(["7c", "9c"])
    assert [e.kind for e in table.journal] == ["mixed"]
    table.mix([p.unknown] * 5, row, stock)
    assert [t.rule for t in table.trouble] == ["T3"]


# Terms
def test_two_packs_are_a_house_rule_and_the_match_keeps_them() -> None:
    log = simulate(GAME, seed=3, seats="ABCD", options={"decks": 2}, hands=2)
    state = fold(log)
    assert (state.table.pack, state.game.pack) == (TWO_PACKS, TWO_PACKS)
    assert find_game(GAME).pack is PACK
    assert judge(log).findings == []
    assert judge(hide(log)).broken == []
    changed = table(HIDDEN + ROUND).when(
        "@ open Option.decks=2", "@ end hand agreed", "A hand 2", "B discard 7c7c",
    ).clean()
    assert changed.judgement.state.table.pack is TWO_PACKS


def test_doubtful_passages_are_answered() -> None:
    assert len(READINGS) >= 14
    for seats in ("A B", "A B C D E"):
        assert begin({"Game": GAME, "Seats": seats}).turn == ()


# At the table
def test_fast_entry() -> None:
    session = Session(table(HIDDEN).records)

    def typed(line: str) -> list[str]:
        draft = session.complete(line)
        assert draft.doubts == (), draft.doubts
        events = [Recorded(n=session.records[-1].n + i, event=r.event) for i, r in enumerate(draft.events, 1)]
        session.take(events)
        return [write_event(r.event) for r in events]

    assert typed("ks .") == ["A discard Ks", "A draw ??"]
    assert typed("d89tj ks") == ["B discard 8d9dTdJd", "B draw Ks <discard"]
    assert typed("2c jd") == ["C discard 2c", "C draw Jd <discard"]
    assert typed("5sJo7s") == ["A discard 5sJo7s"]
    assert typed("2c") == ["A draw 2c <discard"]
    assert typed("ks") == ["B discard Ks"]
    assert typed(".") == ["B draw ??"]
    assert typed("jd ks") == ["C discard Jd", "C draw Ks <discard"]
    assert typed("yaniv") == ["A call yaniv"]
    assert typed("s 2cAs") == ["A show 2cAs"]
    assert typed("C s 4h") == ["C show 4h"]
    assert typed("s 3h") == ["B show 3h"]


def test_a_card_named_that_lies_nowhere_is_no_draw() -> None:
    """If this failed, the next player's throw would be taken for a card that this one drew, or for a second throw."""
    session = Session(table(HIDDEN).when("A discard Ks").records)
    for cards in ("9d", "9d9c"):
        draft = session.complete(cards)
        assert [write_event(r.event) for r in draft.events] == [f"B discard {cards}"]
        assert not draft.doubts
    assert "A has thrown already" in session.complete("A 9d").doubts[0]
    assert "R4" in Session(table(HIDDEN).records).complete("9d9cJo").doubts[0]
    assert [write_event(r.event) for r in session.complete("d 9d <stock").events] == ["A draw 9d <stock"]
    assert [write_event(r.event) for r in session.complete("B 9d").events] == ["B discard 9d"]


def test_a_throw_taken_back_is_made_again() -> None:
    case = table(HIDDEN).when("A discard 7c8d", "A move 7c8d <discard >A")
    state = fold(case.records)
    assert (state.turn, state.phase, state.hand.last, state.hand.mine) == (("A",), "turn", 1, 0)
    assert broken_in(case.when("A discard Ks", "A draw 7h <discard")) == [(4, "yaniv.R3")]
    part = table(HIDDEN).when(
        "A discard 7c7d8d", "A move 8d <discard >A", "A draw 7h <discard", "B discard Ks", "B draw 7d <discard",
    )
    assert broken_in(part) == [(4, "yaniv.R3")]


def test_a_throw_out_of_turn_taken_back_leaves_the_turn_where_it_was() -> None:
    """If this failed, whoever was to play would be accused after the table had put things right."""
    case = table(HIDDEN).when("C discard Ks", "C move Ks <discard >C").finds("R1", at=4)
    assert fold(case.records).turn == ("A",)
    case = case.when("A discard Qs", "A draw 7h <discard", "B discard 2c")
    assert broken_in(case) == [(4, "yaniv.R1")]
    twice = table(HIDDEN + ROUND).when("B discard 9c", "B discard 9d", "B move 9c9d <discard >B", "A discard Qc")
    assert broken_in(twice) == [(10, "yaniv.R1"), (11, "yaniv.R3")]


@pytest.mark.parametrize("drawn", [["A draw 2x??"], ["A draw ??", "A draw ??"]], ids=", ".join)
def test_a_card_too_many_put_back_does_not_undo_the_draw(drawn: list[str]) -> None:
    """If this failed, another draw would be inferred, and the hand shown would seem a card short."""
    state = fold(table(HIDDEN).when("A discard Ks", *drawn, "A move ?? >stock", "B discard Qs").records)
    assert (len(state.holding("A")), state.turn, state.inferred) == (5, ("B",), [])


@pytest.mark.parametrize(("taken", "back"), [("9d <discard", "A move 9d >discard"), ("??", "A move ?? >stock")])
def test_a_drawn_card_put_back_lies_where_it_was(taken: str, back: str) -> None:
    lines = (
        "C hand 1\n@ deal A=5x?? B=5x?? C=5x??\n@ deal up discard=7h\nA discard Ks\nA draw ??\nB discard "
        "2c\nB draw ??\nC discard 8d9dTd\nC draw ??\nA discard Qs\n"
    )
    case = table(lines).when(f"A draw {taken}", back)
    state = fold(case.records)
    assert (state.turn, state.phase, len(state.table.row("stock"))) == (("A",), "draw", 35)
    assert [PACK.tokens[c] for c in state.table.row("discard").codes()] == ["7h", "Ks", "2c", "8d", "9d", "Td", "Qs"]
    case.when("A draw Td <discard", "B discard Kd", "B draw Qs <discard").allows().allows(at=13)
    case.when("A draw 2c <discard").finds("R8", words="8♦ and 10♦")


def test_after_a_gap_nobody_is_accused() -> None:
    case = table(HIDDEN + ROUND).when(
        "@ gap", "C discard 2c2d", "C draw 5s <discard", "A discard 3d", "A draw 2c <discard", "B call yaniv",
    )
    assert broken_in(case) == []
    case.opens("R8", at=12)
    state = fold(table(HIDDEN + ROUND).when("@ gap", "C draw ??").records)
    assert state.turn == ("A",)
    table(HIDDEN + ROUND).when("@ gap", "C draw ??", "A discard 3d", "A draw 2c <discard").opens("R8")


def test_a_turn_without_a_throw_leaves_the_throw_before_to_be_taken() -> None:
    """A drew and threw nothing, as it stands; if this failed, B would be accused for the line that is missing."""
    lines = HIDDEN + "A draw ??\nB discard Ks\n"
    assert broken_in(table(lines).when("B draw 7h <discard")) == [(4, "yaniv.R2")]


def test_what_the_table_sees() -> None:
    """Throws, what is taken from them, calls and the hands shown are open; stock and hands are not."""
    log = table(OPEN).when(
        "A discard Kc", "A draw 7h <discard", "B discard JdTd9d8d", "B draw Jo", "C call yaniv", "C show 5c5dKhQhJh",
    ).records
    shown = [write_event(r.event) for r in hide(log)[5:]]
    assert shown == [
        "A discard Kc", "A draw 7h <discard", "B discard JdTd9d8d", "B draw ??", "C call yaniv", "C show 5c5dKhQhJh",
    ]
    assert [write_event(r.event) for r in hide(log)[2:5]] == [
        "@ deal A=5x?? B=5x?? C=5x??", "@ deal up discard=7h", "@ deal stock=38x??",
    ]
    assert write_event(hide(log, "B")[8].event) == "B draw Jo"


# What may be done
def test_every_order_of_a_set_and_both_ways_of_a_run_are_offered() -> None:
    assert set(throws(("7c", "7d"))) == {("7c",), ("7d",), ("7c", "7d"), ("7d", "7c")}
    assert {t for t in throws(("Ac", "2c", "3c")) if len(t) > 1} == {("Ac", "2c", "3c"), ("3c", "2c", "Ac")}
    assert {t for t in throws(("Qc", "Kc", "Jo")) if len(t) > 1} == {("Jo=Jc", "Qc", "Kc"), ("Kc", "Qc", "Jo=Jc")}
    assert len([t for t in throws(("7c", "7d", "7h", "7s")) if len(t) == 4]) == 24
    assert all(
        fault_of(t) is None for held in (("5h", "6h", "8h", "Jo", "Jo"), ("7c", "7d", "Jo", "8c", "9c"))
        for t in throws(held)
    )


def test_the_legal_acts_of_a_turn() -> None:
    options = legal(fold(table(OPEN).records))
    acts = {write_event(a) for a in options.acts}
    assert {"A discard As2s3s", "A discard 3s2sAs", "A discard Kc", "A discard 4c"} <= acts
    assert "A call yaniv" not in acts
    assert options.complete
    draws = [a for a in legal(fold(table(OPEN).when("A discard Kc").records)).acts if isinstance(a, Draw)]
    assert {write_event(a) for a in draws} == {"A draw Jo", "A draw 7h <discard"}
    assert not any(isinstance(a, Discard) for a in draws)


# Self-play
@pytest.mark.parametrize("seed", range(12))
def test_matches_end_and_hidden_logs_accuse_nobody_wrongly(seed: int) -> None:
    terms: dict[str, Any] = {"seats": "ABCDE"[: 2 + seed % 4], "options": {"decks": 2} if seed % 3 == 0 else {}}
    log = simulate(GAME, seed=seed, **terms, hands=8)
    assert judge(log).findings == []
    assert judge(hide(log)).broken == []
    assert fold(hide(log)).standing == fold(log).standing
    bad, truth = simulate_breaches(GAME, seed=seed, p=0.06, hands=3, **terms)
    done = {(b.position, f"{GAME}.{rule}") for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule) for f in judge(bad).broken} == done
    verdict = judge(hide(bad))
    assert {(f.at.pos, f.rule) for f in verdict.broken} <= done
    assert done <= {(f.at.pos, f.rule) for f in verdict.findings}


def test_a_match_of_five_ends_with_one_left() -> None:
    state = fold(simulate(GAME, seed=5, seats="ABCDE"))
    assert isinstance(state.standing, LastOneLeft)
    assert (state.ended, len(state.standing.out)) == ("won", 4)
    assert state.standing.winner not in state.standing.out


def test_breaches_of_the_call_and_the_draw_are_tried() -> None:
    """If this failed, self-play would say little of the rules that people break."""
    tried = {
        rule for seed in range(8) for b in simulate_breaches(GAME, seed=seed, p=0.1, hands=3)[1].breaches
        for rule in b.rules
    }
    assert {"R3", "R4", "R5", "R8", "R10", "R11"} <= tried


def test_R13_the_deal_passes_to_the_left_past_those_who_are_out() -> None:
    played = "C hand 1\n@ tally caller=A total.A=1 total.B=30 total.C=20\n"
    case = table(played)
    case.when("A hand 2").clean()
    for dealer in "BC":
        case.when(f"{dealer} hand 2").finds("R13", words=f"A deals, not {dealer}")
    out = table(played, option={"out_above": 25}).when("A hand 2", "@ tally caller=A total.A=1 total.C=2")
    out.when("C hand 3").clean()
    out.when("B hand 3").finds("R13", words="C deals, not B")
    open_ = table("C hand 1\n@ tally caller=A total.A=1 total.C=20\n")
    open_.when("A hand 2").clean()
    open_.when("B hand 2").opens("R13")
    for thrown in ("@ tally void=misdeal", "@ end hand misdeal", "@ end hand agreed"):
        for dealer in "ABC":
            table(f"C hand 1\n{thrown}").when(f"{dealer} hand 2").clean()


def test_R3_an_unseen_card_that_stands_for_another_is_a_joker() -> None:
    """If this failed, a run would be no run because nobody saw its joker, though its place was written."""
    table(HIDDEN).when("A discard 8d??=7d6d").clean()
    table(HIDDEN).when("A discard 8d??=7h6d").finds("R5")


def test_a_draw_half_seen_from_the_discards_leaves_open_which_it_was() -> None:
    """If this failed, a card that was drawn would lie on the discards still, and be seen twice when it is thrown
    again."""
    case = table(
        HIDDEN + "A discard Jc\nA draw ??\nB discard ?s2s??=3s\nB draw ?? <discard\n"
    ).when("C discard 9c", "C draw ??", "A discard 4h", "A draw ??", "B discard Jc")
    assert not case.judgement.broken


def test_the_top_of_the_stock_is_drawn_though_its_twin_is_seen_below() -> None:
    """If this failed, one joker would be taken for the other, and every later draw would miss the top of the stock."""
    stock = "@ deal stock=Jo" + "".join(f"{r}{s}" for s in "cd" for r in "A2346") + "5d??"
    dealt = "C hand 1\n@ deal A=5x?? B=5x?? C=5x??\n@ deal up discard=7h\n" + stock + "\n"
    assert not table(dealt).when("A discard 9h", "A draw Jo", "B discard 8h", "B draw 5d").judgement.broken


def test_cards_shown_after_a_gap_before_the_first_hand_accuse_nobody() -> None:
    """If this failed, a record that begins with the end of a hand would contradict itself."""
    assert not table("@ gap\nA show 5c2d").judgement.broken


def test_R11_yaniv_is_judged_as_the_first_act_of_a_hand_that_nobody_dealt() -> None:
    """If this failed, a hand shown later would prove nothing of an act that came first, unless the deal was written."""
    for dealt in ("", "C hand 1", "C hand 1\n@ deal A=5x?? B=5x?? C=5x??"):
        case = given("yaniv", dealt, Seats="A B C").when(
            "A call yaniv", "A show KcQdJh9s8d", "B show 2c3d4h5s6c", "C show 2d3h4s5c6d",
        )
        assert "yaniv.R11" in [f.rule for f in case.judgement.broken]


def test_a_throw_with_an_unseen_card_is_told_as_it_was_seen() -> None:
    """If this failed, the first card that was tried for the unseen one would be named as thrown."""
    given(GAME, "C hand 1", Seats="A B C").when("A discard 4c??5d").finds("R3", words="4♣ ?? 5♦ is neither")
