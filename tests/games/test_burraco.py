"""Burraco, rule by rule: each has the cases of its kind, named for it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from given import Given, given
from given import log as records

from events.model import Draw, Meld, Recorded
from reducers.games.burraco import PACK, READINGS, WORDS, Options, Tally, is_meld, kind_of, lie
from reducers.legal import legal, objections
from reducers.registry import find_game
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.three_ways import score_match, score_played
from replay.simulate import simulate
from replay.table.line_reader import SeveralMeaningsError
from replay.table.session import Session

GAME = "burraco"
HIDDEN = "W hand 1\n@ deal N=11x?? E=11x?? S=11x?? W=11x??\n@ deal up discard=7h\n"


def table(**known: str) -> str:
    """A deal in which these hands are known, the others not."""
    hands = " ".join(f"{seat}={known.get(seat, '11x??')}" for seat in "NESW")
    return f"W hand 1\n@ deal {hands}\n@ deal up discard={known.get('discard', '7h')}\n"


def melding(*acts: str, **tags: Any) -> Given:
    """North draws, then these."""
    return given(GAME, HIDDEN + "N draw ??\n", **tags).when(*acts)


def laid_by_two(group: str) -> Given:
    """North melds these; what is too much for one hand South adds."""
    cards = re.findall("Jo|..", group)
    case = melding(f"N meld {''.join(cards[:10])}")
    return case.when(
        "N discard 9s", "E discard 9s", "S draw ??", f"S meld {''.join(cards[10:])} >meld:NS:1",
    ) if cards[10:] else case


def broken_in(case: Given) -> list[str]:
    return [f.rule for f in case.judgement.broken]


# R19, the deal
@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ("E=12x??", "E gets 11 cards, not 12"), ("pozzetto:2=12x??", "not 12"),
        ("discard=7h8h", "the discard pile gets 1 card, not 2"),
    ],
)
def test_R19_broken(deal: str, words: str) -> None:
    given(GAME, "W hand 1").when(f"@ deal {deal}").finds("R19", words=words)


def test_R19_kept_in_packets_and_where_not_all_of_it_was_written() -> None:
    case = given(GAME, "W hand 1\n@ deal N=5x?? E=11x??\n@ deal N=6x??\n@ deal up discard=7h").clean()
    state = case.when("N draw ??").clean().judgement.state
    assert [len(state.table.piles[name]) for name in ("S", "pozzetto:1", "pozzetto:2", "stock")] == [11, 11, 11, 40]


# R1 to R3, the turn
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["E draw ??"], "R1"),
        (["N draw ??", "N discard 9h", "S draw ??"], "R1"),
        (["N draw ??", "N discard 9h", "N discard 8h"], "R1"),
        (["N draw 2x??"], "R1"),
        (["N draw ??", "N draw ??"], "R1"),
        (["N draw 7h <discard", "N draw ??"], "R1"),
        (["N draw ??", "N discard 9h", "E draw 9h <discard"], "R1"),
        (["N discard 9h", "E discard 9d", "S discard 9s", "W draw ??", "W meld 9h9d9s <discard"], "R1"),
        (["N draw ??", "N discard 9h8h"], "R3"),
        (["N draw ??", "N discard 7h <discard"], "R3"),
        (["N draw ??", "E draw ??"], "R3"),
        (["N draw ??", "E discard 9h"], "R3"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R2_R3_broken(acts: list[str], rule: str) -> None:
    case = given(GAME, HIDDEN).when(*acts).finds(rule)
    assert broken_in(case) == [f"burraco.{rule}"]


def test_R1_a_draw_after_melds_comes_too_late() -> None:
    """Whether the draw before them was left out of the record or never made, the turn does not begin with this one."""
    given(GAME, HIDDEN).when("N meld KcKdKh", "N draw ??").finds("R1", words="laid down cards already")


def test_R1_an_empty_pile_is_not_said_to_be_taken_in_part() -> None:
    case = given(GAME, HIDDEN).when("N draw 7h <discard", "E draw 7h <discard")
    assert [f.rule for f in case.about()] == ["table.T3", "burraco.R3"]


def test_R1_R3_kept() -> None:
    lines = (
        "N draw ??", "N discard 9h", "E draw * <discard", "E discard Kd", "S draw ??", "S discard 3s",
        "W draw Kd3s <discard", "W discard 4c",
    )
    given(GAME, HIDDEN).when(*lines).clean()


def test_R1_a_pile_named_in_another_order_is_the_whole_pile() -> None:
    given(GAME, HIDDEN).when("N draw ??", "N discard 9h", "E draw 9h7h <discard").clean()


def test_R1_a_draw_nobody_wrote_is_inferred() -> None:
    """If this failed, a table that writes melds and discards alone would be accused at every line."""
    state = given(GAME, HIDDEN).when("N meld KcKdKh", "N discard 4c", "E discard 5s").clean().judgement.state
    assert [len(state.holding(s)) for s in "NESW"] == [8, 11, 11, 11]
    assert (len(state.table.row("stock")), len(state.inferred)) == (39, 2)


# R2, the card that lay alone
def test_R2_kept_with_the_twin() -> None:
    lines = table(N="9h3c4c5c7d8dTdJdKsQsAs", discard="9h")
    given(GAME, lines).when("N draw 9h <discard", "N discard 9h").clean()
    given(GAME, lines).when("N draw 9h <discard", "N discard 3c").clean()
    given(GAME, HIDDEN).when("N draw 7h <discard", "N meld 7h7c7d", "N discard 7h").clean()


def test_R2_any_joker_is_the_twin_of_a_joker() -> None:
    given(GAME, table(N="Jo3c4c5c7d8dTdJdKsQsAs", discard="Jo")).when("N draw Jo <discard", "N discard Jo").clean()


def test_R2_broken() -> None:
    case = given(GAME, table(N="8h3c4c5c7d8dTdJdKsQsAs")).when("N draw 7h <discard", "N discard 7h")
    case.finds("R2", words="has no other")


def test_R2_not_with_two_cards_in_the_pile_nor_by_the_house_rule() -> None:
    lines = table(N="8h3c4c5c7d8dTdJdKsQsAs")
    given(GAME, lines, option={"one_card_pile_rule": "no"}).when("N draw 7h <discard", "N discard 7h").clean()
    given(GAME, table(E="8h3c4c5c7d8dTdJdKsQsAs")).when("N discard 9h", "E draw * <discard", "E discard 9h").clean()


def test_R2_open_until_the_twin_is_seen_with_somebody_else() -> None:
    """East throws back the lone eight. South takes it and lays two eights: one of them South held all along."""
    lines = ("N draw 7h <discard", "N discard 8h", "E draw 8h <discard", "E discard 8h", "S draw 8h <discard")
    case = given(GAME, HIDDEN).when(*lines)
    case.opens("R2", at=7)
    case.when("S meld 8h8h8d").finds("R2", at=7, known=9)
    case.when("S meld 8h8c8d").opens("R2", at=7)


def test_R2_open_until_the_twin_is_seen_in_the_hand() -> None:
    lines = (
        "N draw 7h <discard", "N discard 8h", "E draw 8h <discard", "E discard 8h", "S draw ??", "S discard 3c",
        "W draw ??", "W discard 4c", "N draw ??", "N discard 5c",
    )
    case = given(GAME, HIDDEN).when(*lines).opens("R2", at=7)
    proven = case.when("E draw 8h3c4c5c <discard", "E meld 8h8h8d")
    assert all(f.at.pos != 7 for f in proven.judgement.findings)


def test_R2_the_pozzetto_may_supply_the_twin() -> None:
    """The seven taken lies in a meld; whether another came with the pozzetto shows when it is thrown."""
    lines = table(N="3c4c5cKcKdKhQcQdQh7c7d")
    acts = ("N draw 7h <discard", "N meld 3c4c5c/KcKdKh/QcQdQh/7h7c7d", "N draw 11x?? <pozzetto:1", "N discard 7h")
    given(GAME, lines).when(*acts).clean()


def test_R2_the_lone_card_is_not_all_that_is_left() -> None:
    """The seven could only be thrown, and may not be: the meld that leaves it cannot be followed by anything."""
    lines = table(N="3c4c5c6c8c8dKcKdKhKs8h")
    case = given(GAME, lines).when("N draw 7h <discard", "N meld 3c4c5c6c/KcKdKhKs", "N meld 8c8d8h")
    case.finds("R2", words="all that is left")
    fits = given(GAME, table(N="3c4c5c6cTh9hKcKdKhKs8h")).when(
        "N draw 7h <discard", "N meld 3c4c5c6c/KcKdKhKs", "N meld 8h9hTh",
    ).clean()
    fits.when("N meld 7h >meld:NS:3").clean()


def test_R2_holds_for_a_discard_that_was_taken_back() -> None:
    lines = table(N="8h3c4c5c7d8dTdJdKsQsAs")
    case = given(GAME, lines).when("N draw 7h <discard", "N discard 8h", "N move 8h <discard >N")
    case.when("N discard 7h").finds("R2")
    case.when("N discard 8d").allows()


# R4 to R6, R9: what is a meld
@pytest.mark.parametrize(
    "group",
    [
        "7c7d7s", "7c7c7d", "7c7d2s", "7c7dJo", "AsAsAd", "3h4h5h", "5h3h4h", "Ah2h3h", "QsKsAs", "2h3h4h", "Jo2h3h4h",
        "7sJo9s", "Jo7s8s", "7s2d9s", "7s2s9s", "2s2s3s", "2s3s4s2s", "KhAh2h", "Ac2c3c4c5c6c7c8c9cTcJcQcKc",
        "2c3c4c5c6c7c8c9cTcJcQcKcAc", "8c8c8d8d8h8h8s8sJo",
    ],
)  # fmt: skip
def test_R4_R5_R6_R9_kept(group: str) -> None:
    laid_by_two(group).clean()


@pytest.mark.parametrize(
    ("group", "rule"),
    [
        ("7c7d", "R4"), ("JoJoJo", "R4"), ("2c2d2h", "R4"), ("2c2dJo", "R4"), ("7cJo", "R4"),
        ("7c7d8h", "R5"), ("3c4c", "R5"), ("3c4c6c", "R5"), ("3c4c5d", "R5"), ("3c3c4c", "R5"), ("3cJo6c", "R5"),
        ("3c4c7cJo", "R5"), ("KhAh3hJo", "R6"), ("QhKhAhAh", "R6"), ("QhKhAh2h3h", "R6"),
        ("Ah2h3h4h5h6h7h8h9hThJhQhKhAh", "R6"), ("7c7dJoJo", "R9"), ("7c7d2cJo", "R9"), ("7c2c2d", "R9"),
        ("3c4cJo2d", "R9"), ("5hJo7h2d9h", "R9"), ("3h4h2h2h2c", "R9"),
    ],
)  # fmt: skip
def test_R4_R5_R6_R9_broken(group: str, rule: str) -> None:
    case = laid_by_two(group).finds(rule)
    assert broken_in(case) == [f"burraco.{rule}"]


@pytest.mark.parametrize(("group", "rule"), [("3c??5c", "R5"), ("JcQc??", "R5"), ("7c7d??", "R4"), ("7c??Jo", "R4")])
def test_R4_R5_open_where_a_card_was_not_seen(group: str, rule: str) -> None:
    melding(f"N meld {group}").opens(rule)


def test_R4_R5_an_unseen_card_does_not_help_what_is_none() -> None:
    melding("N meld 3c??Kd").finds("R5")
    melding("N meld 7c??JoJo").finds("R9")


def test_R6_a_run_of_all_thirteen_takes_no_wild_card() -> None:
    clubs = [rank + "c" for rank in "23456789TJQK"]
    assert lie(["Ac", *clubs, "Jo"]) is None
    assert lie([*clubs, "Jo"]) is not None


def test_R5_R13_additions_kept_and_broken() -> None:
    case = melding("N meld 7c8c9c", "N meld Tc >meld:NS:1").clean()
    case.when("N meld Qc >meld:NS:1").finds("R5")
    case.when("N meld QcJc >meld:NS:1").clean()
    case.when("N meld KdJo >meld:NS:1").finds("R5")


def test_the_excerpt_of_the_vocabulary() -> None:
    case = melding(
        "N meld 7c7h2d=7?", "N discard 3s", "E meld 5d6dJo=7d8d/KhKsKc", "E discard 4s", "S meld 9d9cAsKs",
        "S move * <meld:NS:2 >S", "S discard 5s",
    )
    case = case.when("W meld 7d >meld:EW:1")
    assert broken_in(case) == ["burraco.R5"]
    assert [
        PACK.tokens[c] for c in case.judgement.state.table.row("meld:EW:1").codes()
    ] == ["Jo", "5d", "6d", "7d", "8d"]


# R7, one set of a rank
def test_R7_broken_and_kept() -> None:
    melding("N meld 7c7d7s", "N meld 7c7d7h").finds("R7")
    melding("N meld 7c7d7s/7c7hJo").finds("R7")
    melding("N meld 7c7d7s/6c7c8c", "N meld 6c7d >meld:NS:1").finds("R5")
    melding("N meld 7c7d7s", "N discard 4c", "E meld 7c7d7h", "E discard 5c").clean()
    melding("N meld 7c7d7s", "N discard 4c", "E discard 5c", "S meld 7c7d7h").finds("R7")
    melding("N meld 3c4c5c", "N meld 6c7c8c").clean()
    # a second one is not allowed in two steps either
    melding("N meld 7c7d7s", "N meld 7c7d", "N meld 7h >meld:NS:2").finds("R7")
    melding("N meld 7c7d7s", "N meld 7h >meld:NS:1").clean()


# R8, melds stay
def test_R8_broken() -> None:
    case = melding("N meld 3c4c5c", "N meld 6c7c8c")
    case.when("N meld 6c7c8c <meld:NS:2 >meld:NS:1").finds("R8")
    case.when("N move * <meld:NS:2 >meld:NS:1").finds("R8")
    later = case.when("N discard Kd", "E discard Ks", "S draw ??")
    later.when("S move 5c <meld:NS:1 >S").finds("R8", words="before this turn")


def test_R8_kept_when_cards_of_the_turn_are_taken_back() -> None:
    case = melding("N meld AsKs", "N move AsKs <meld:NS:1 >N")
    assert broken_in(case) == ["burraco.R5"]
    melding("N meld 3c4c5c", "N move * <meld:NS:1 >N").clean()
    # what was no meld may be taken up later too
    melding("N meld AsKs", "N discard 4c", "E discard 5c", "S draw ??", "S move * <meld:NS:1 >S").allows()


# R9 and R10, where the wild card lies
@pytest.mark.parametrize(
    ("cards", "order"),
    [
        ("7s 8s Jo", "Jo 7s 8s"), ("7s Jo 8s Ts", "7s 8s Jo Ts"), ("7s 8s 9s Ts Jo", "Jo 7s 8s 9s Ts"),
        ("2h 3h 4h 6h", "3h 4h 2h 6h"), ("2h 3h 4h Jo", "Jo 2h 3h 4h"), ("Ah 2h 3h Jo", "Ah 2h 3h Jo"),
        ("2h 3h 4h 2h 6h", "2h 3h 4h 2h 6h"), ("2h 3h 4h 5h 6h", "2h 3h 4h 5h 6h"), ("2d 3h 4h 2h", "2d 2h 3h 4h"),
        ("Qh Ah 2c", "Qh 2c Ah"), ("Kh Ah Jo", "Jo Kh Ah"), ("7c 2d 7d", "7c 7d 2d"),
    ],
)  # fmt: skip
def test_R10_a_meld_lies_as_the_rules_place_it(cards: str, order: str) -> None:
    """The worked examples of the text, and what follows from them."""
    found = lie(cards.split())
    assert found is not None
    assert " ".join(found.order) == order


def test_R10_the_table_shows_it_in_order() -> None:
    case = melding("N meld 7s8sJo", "N meld Ts >meld:NS:1")
    assert [PACK.tokens[c] for c in case.judgement.state.table.row("meld:NS:1").codes()] == ["7s", "8s", "Jo", "Ts"]
    # the nine comes: the joker moves to the low end
    state = case.when("N meld 9s >meld:NS:1").clean().judgement.state
    assert [PACK.tokens[c] for c in state.table.row("meld:NS:1").codes()] == ["Jo", "7s", "8s", "9s", "Ts"]


def test_R10_a_written_place_is_right_or_contradicted() -> None:
    melding("N meld Jo=6s7s8s").clean()
    melding("N meld 7s8sJo=9s").finds("R10", words="stands for 6♠")
    melding("N meld 7c7h2d=7?").clean()
    melding("N meld 2h=5h3h4h").finds("R10", words="is itself there")
    melding("N meld 2h3h4h", "N meld 2h=5h6h >meld:NS:1").clean()
    melding("N meld 7s8s9s", "N meld Jo=Ts >meld:NS:1").finds("R10")


# R11, the two turns wild
def test_R11_used_and_wrongly_denied() -> None:
    case = melding("N meld 2h3h4h", "N meld 6h >meld:NS:1").clean()
    case.when("@ fault pinella N #6").finds("R11")
    melding("N meld 2h3h4h", "N meld 5h >meld:NS:1", "@ fault pinella N #6").clean()
    melding("N meld Jo2h3h4h", "N meld 7h >meld:NS:1", "@ fault pinella N #6").allows()
    # another two that is wild leaves the first one in its place
    melding("N meld 2h3h4h", "N meld 2h >meld:NS:1", "@ fault pinella N #6").allows()


def test_R11_not_with_another_wild_card() -> None:
    melding("N meld Jo3h4h", "N meld 6h2h >meld:NS:1").clean()
    melding("N meld Jo2h3h4h", "N meld 5h7h >meld:NS:1").clean()
    melding("N meld Jo2h3h4h", "N meld 7h >meld:NS:1").finds("R9")


# R12, what takes the place of a wild card
def test_R12_kept() -> None:
    melding("N meld 7s8sJoTs", "N meld 9s >meld:NS:1").clean()
    melding("N meld 3h4h2h6h", "N meld 5h >meld:NS:1").clean()
    melding("N meld 2c3h4h", "N meld 2h >meld:NS:1").clean()
    melding("N meld 3h4h2h6h", "N meld 2h >meld:NS:1").clean()
    melding("N meld 3h4h2h6h", "N meld 5hJo >meld:NS:1").clean()


def test_R12_broken() -> None:
    """A joker may not send a wild two back to its own place."""
    case = melding("N meld 3h4h2h6h", "N meld Jo >meld:NS:1").finds("R12")
    assert broken_in(case) == ["burraco.R12"]
    melding("N meld 3h4h2h6h", "N meld 2c >meld:NS:1").finds("R12")
    melding("N meld 7s8sJoTs", "N meld 2c >meld:NS:1").finds("R9")


def test_R12_open_where_a_card_was_not_seen() -> None:
    melding("N meld 3h4h2h6h", "N meld ?? >meld:NS:1").opens("R12")
    natural = melding("N meld 3h??2h6h", "N meld 7h >meld:NS:1")
    assert "burraco.R12" not in [f.rule for f in natural.judgement.findings]


def test_R12_a_run_may_become_clean_again() -> None:
    state = melding("N meld 3h4h2h6h7h8h", "N meld 5h >meld:NS:1").clean().judgement.state
    assert state.hand.news == "a clean burraco for NS"


# R13, own melds
def test_R13_broken_and_kept() -> None:
    case = melding("N meld 7c8c9c", "N discard 4c", "E draw ??")
    case.when("E meld Tc >meld:NS:1").finds("R13")
    case.when("E meld Tc >meld:EW:1").finds("R13", words="no such meld")
    case.when("E discard 5c", "S draw ??", "S meld Tc >meld:NS:1").clean()


# R14, the pozzetto
OUT = "N meld 3c4c5c6c7c8c9cTc/KcKdKhKs"  # all twelve: a burraco, and the pozzetto within the turn
NO_BURRACO = "N meld 3c4c5c/6d7d8d/KcKdKh/9c9h9s"
TAKE = "N draw 11x?? <pozzetto:1"


def test_R14_kept_within_the_turn() -> None:
    state = melding(OUT).judgement.state
    assert (state.phase, state.turn, state.hand.taken) == ("pozzetto", ("N",), {"NS": "N"})
    state = melding(OUT, TAKE, "N discard 5d").clean().judgement.state
    assert (state.turn, len(state.holding("N"))) == (("E",), 10)


def test_R14_kept_after_a_discard() -> None:
    """The pozzetto lies face down until the next own turn."""
    out = ("N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d")
    case = melding(*out).clean()
    assert (case.judgement.state.hand.waiting, len(case.judgement.state.holding("N"))) == ({"N": "pozzetto:1"}, 0)
    case.when(TAKE).finds("R14", words="next own turn")
    turn = case.when("E discard 5h", "S discard 5s", "W discard 6h")
    assert turn.judgement.state.phase == "pozzetto"
    turn.when(TAKE, "N draw ??", "N discard 6s").clean()
    assert len(turn.when("N discard 6s").clean().judgement.state.holding("N")) == 11


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["N draw 11x?? <pozzetto:1"], "still holds 12 cards"),
        ([OUT, "N draw 10x?? <pozzetto:1"], "taken whole"),
        ([OUT, TAKE, "N discard 5d", "E discard 5h", "S draw 11x?? <pozzetto:2"], "has had its pozzetto: N took it"),
    ],
)
def test_R14_broken(acts: list[str], words: str) -> None:
    melding(*acts).finds("R14", words=words)


def test_R14_taken_face_down_after_the_discard() -> None:
    """It is North's from then on, and lies there unseen until North's next turn."""
    case = melding("N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d", "N draw down 11x?? <pozzetto:2").clean()
    state = case.judgement.state
    assert (state.hand.waiting, len(state.holding("N"))) == ({"N": "pozzetto:2"}, 0)
    state = case.when("E discard 6d", "S discard 6s", "W discard 6h", "N draw ??").clean().judgement.state
    assert (state.hand.waiting, len(state.holding("N"))) == ({}, 12)
    melding(
        "N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d", "N draw down 10x?? <pozzetto:1",
    ).finds("R14", words="taken whole")
    melding("N discard 5d", "N draw down 11x?? <pozzetto:1").finds("R14", words="still holds 11 cards")


def test_R14_a_discard_that_nobody_wrote_leaves_the_count_open() -> None:
    """South threw a card before West drew, so the last card South threw may well have been the last."""
    melds = ("S draw ??", "S meld 7c7c7d7d/QcQdQhQs/Jc9c8cTc")
    missing = melding(
        "N discard 4s", "E discard 8h", *melds[:1], "W draw ??", "W discard 3d", "N discard 6c", "E discard 9d", *melds,
    )
    missing.finds("R3", at=8, words="S has drawn and not discarded yet")
    case = missing.when("S draw 11x?? <pozzetto:1").opens("R14")
    assert broken_in(case) == ["burraco.R3"]
    assert any("had no card left" in why for _, why in case.judgement.state.inferred)
    melding("N discard 4s", "E discard 8h", *melds, "S draw 11x?? <pozzetto:1").clean()


def test_R1_R2_the_pile_after_a_discard_that_nobody_wrote() -> None:
    """If this failed, a pile would be said to be taken in part, or alone, by a count that is one short."""
    missing = melding("E draw ??", "E discard 9s").finds("R3", at=5)
    missing.when("S draw 3x?? <discard").opens("R1")
    lone = melding("N discard 9s", "E draw * <discard", "S draw ??", "S discard 8c", "W draw 8c <discard")
    assert broken_in(lone.when("W discard 8c")) == ["burraco.R3"]


def test_R17_a_hand_that_goes_on_was_not_at_its_end() -> None:
    """One draw is missing from a record that has the others; it was the pile, so the stock is one card higher."""
    lines = re.sub(r"^(.) discard", r"\1 draw ??\n\1 discard", to_the_last_card().lines, flags=re.MULTILINE)
    missing = given(GAME, lines.replace("E draw ??\n", "", 1))
    assert missing.judgement.state.hand.ending == "stock"
    on = missing.when("W draw ??", "W discard 5s").clean()
    assert (on.judgement.state.hand.ending, on.judgement.state.turn) == ("", ("N",))
    assert any("the stock was not out" in why for _, why in on.judgement.state.inferred)
    given(GAME, lines).when("W draw ??").finds("R17")


def test_R16_a_hand_that_goes_on_was_not_closed() -> None:
    """South's draw is missing; it was the pile, so South had cards left, and West plays on."""
    case = melding(OUT, *CLOSED[:4], CLOSED[-1], "S discard 4d", "W draw ??").clean()
    assert case.judgement.state.hand.ending == ""
    assert any("S had a card left" in why for _, why in case.judgement.state.inferred)
    melding(OUT, *CLOSED, "S discard 4d", "W draw ??").finds("R16", words="S has closed")


@pytest.mark.parametrize("group", ["*", "*x??", "3c4c5c*x??", "7c?c8c9c", "KcKdK?", "5c6c?h", "7c7c7d/*", "2?3c4c"])
def test_R4_R5_a_whole_hand_half_seen_or_uncounted_cards_laid_down(group: str) -> None:
    """A half-seen heart may be the two, which is wild; whether uncounted cards are a meld is unknown."""
    melding(f"N meld {group}").clean()


def test_R4_R5_what_can_be_no_meld_whatever_was_not_seen() -> None:
    melding("N meld 5c6d*x??").finds("R5")
    melding("N meld 5c9c?d").finds("R5")
    assert (
        is_meld(["7c", "7?", "7?"]), is_meld(["7c", "8?", "9?"]), is_meld(["5c", "6c", "?h"]),
        is_meld(["5c", "6c", "*x??"]),
    ) == (True, None, None, None)


def test_R16_a_pozzetto_that_nobody_counted_closes_no_hand() -> None:
    """North may have had more cards than the one thrown, so whether East may go on is open; if the others show theirs,
    it was the last."""
    case = melding(OUT, "N draw *x?? <pozzetto:1", "N discard 3d").clean()
    assert case.judgement.state.hand.ending == ""
    case.when("E discard 6d").opens("R16")
    case.when("E draw ??").opens("R16")
    dealt = HIDDEN.replace(
        "@ deal up", "@ deal down pozzetto:1=*x?? pozzetto:2=11x??\n@ deal up",
    ) + "N draw ??\n" + OUT + "\n"
    dealt_so = given(GAME, dealt).when("N draw 11x?? <pozzetto:1", "N discard 3d").clean()
    assert dealt_so.judgement.state.hand.ending == ""
    given(GAME, dealt).when("N discard 3d").clean()
    shown = case.when("E show 6d8d9d").clean().judgement.state
    assert (shown.hand.ending, shown.hand.by) == ("closed", "N")
    assert any("N closed with the last discard" in why for _, why in shown.inferred)
    melding(NO_BURRACO, "N draw *x?? <pozzetto:1", "N discard 3d").opens("R16").clean()


@pytest.mark.parametrize(("act", "rule"), [("N draw *x??", "R1"), ("N discard *x??", "R3")])
def test_R1_R3_uncounted_cards_prove_nothing(act: str, rule: str) -> None:
    given(GAME, HIDDEN).when(act).opens(rule).clean()


def test_cards_laid_where_no_meld_lies_stay_as_they_are() -> None:
    """If this failed, a discard pile would be put in the order of a run."""
    melding("N meld 3c4c5c6c7c8c9c >discard").finds("R13")


def test_R14_taken_by_the_partner() -> None:
    """If this failed, North would be said to take up the no cards that South left."""
    case = melding(
        "N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d", "E discard 5h", "S draw 11x?? <pozzetto:1",
    ).finds("R14", words="N took it")
    state = case.when("S draw ??", "S discard 4d", "W discard 4h", "N draw ??").judgement.state
    assert (state.hand.waiting, len(state.holding("N"))) == ({}, 1)
    assert not any("took up" in text for _, text in state.inferred)


def test_R14_one_for_each_side() -> None:
    acts = (
        OUT, TAKE, "N discard 5d", "E draw ??", "E meld 3d4d5d6d7d8d9dTd/KcKdKhKs", "E draw 11x?? <pozzetto:2",
        "E discard 5h",
    )
    state = melding(*acts).clean().judgement.state
    assert state.hand.taken == {"NS": "N", "EW": "E"}


def test_R14_contradicted_by_a_tally() -> None:
    done = melding(OUT, *CLOSED, "S discard 4d")
    done.when("@ tally pozzetto.EW=yes").finds("T12", words="pozzetto.EW is no, not yes")
    done.when("@ tally pozzetto.NS=no").finds("T12", words="pozzetto.NS is yes, not no")
    done.when("@ tally pozzetto.NS=yes pozzetto.EW=no").clean()
    # If the cards of East were not counted, the last of them may have gone, and East to the pozzetto.
    uncounted = given(GAME, HIDDEN.replace("E=11x??", "E=*x??") + "N draw ??\n").when(OUT, *CLOSED, "S discard 4d")
    uncounted.when("@ tally pozzetto.EW=yes").clean()


def test_R16_contradicted_by_a_tally() -> None:
    done = melding(OUT, *CLOSED, "S discard 4d")
    done.when("@ tally closed=EW").finds("R16", words="S closed")
    done.when("@ tally closed=-").finds("R16")
    done.when("@ tally closed=NS").clean()
    # the next hand, of which only the result was written, is another
    shows = ("N show 3h4h5s6s7sAsAdTdJdQd", "E show Jo2c8c8d8h3s4s5c6c7cAh", "W show JoJo9d9hTsThQhKd3d4c4s")
    done.when(*shows, "N hand 2", "@ tally closed=EW pozzetto.EW=yes").clean()


def test_R16_contradicted_by_the_tally_itself() -> None:
    """Of a hand without moves nothing else can say that the closing was none."""
    told = given(GAME, "W hand 1")
    told.when("@ tally closed=NS pozzetto.NS=no clean.NS=1").finds("R16", words="never had its pozzetto")
    told.when("@ tally closed=N clean.NS=0 dirty.NS=0").finds("R16", words="no burraco")
    told.when("@ tally closed=NS clean.NS=0 dirty.NS=1 pozzetto.NS=yes pozzetto.EW=no").clean()
    told.when("@ tally closed=- clean.NS=0 dirty.NS=0 pozzetto.NS=no").clean()
    assert told.when("@ tally closed=Q melds.NS=0 left.NS=0").judgement.state.scores[0].unknown[-3] == "who closed"


# R15 and R16, closing
CLOSED = (TAKE, "N discard 5d", "E draw ??", "E discard 5h", "S draw ??", "S meld QcQdQhQs/JcJdJhJs/9d9h9s")


def test_R15_R16_kept() -> None:
    state = melding(OUT, *CLOSED, "S discard 4d").clean().judgement.state
    assert (state.hand.ending, state.hand.by, state.phase) == ("closed", "S", "count")
    assert state.turn == ("N", "E", "W")


def test_R16_closing_without_a_burraco_is_found() -> None:
    """The meld that leaves one card, and the card thrown last, both say so."""
    case = melding(NO_BURRACO, TAKE, *CLOSED[1:], "S discard 4d")
    case.finds("R16", words="S closes, and NS has no burraco").finds("R15", at=11, words="NS has no burraco")
    assert case.judgement.state.hand.ending == "closed"


def test_R16_closing_with_a_wild_card_is_found() -> None:
    """The card that South keeps is unseen at the meld, and is shown to be the joker by the discard."""
    case = melding(OUT, *CLOSED)
    case.opens("R15")
    case.when("S discard Jo").finds("R16", words="wild").finds("R15", at=11, known=12)
    case.when("S discard 4d").clean()


def test_R15_the_card_kept_is_proven_where_the_draw_was_not_written() -> None:
    case = melding(OUT, *CLOSED[:4], CLOSED[-1])
    case.opens("R15", at=10)
    case.when("S discard Jo").finds("R15", at=10, known=11)
    assert [f.rule for f in case.when("S discard 4d").judgement.findings] == []


def test_R16_the_last_card_may_be_wild_on_the_way_to_the_pozzetto() -> None:
    melding("N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard Jo").clean()


def test_R15_all_cards_melded_counts_as_closed_until_taken_back() -> None:
    case = melding(OUT, *CLOSED[:-1], "S meld QcQdQhQs/JcJdJhJs/9d9h9s9c").finds("R15", words="keeps no card")
    assert case.judgement.state.hand.ending == "closed"
    back = case.when("S move 9c <meld:NS:5 >S").judgement.state
    assert (back.hand.ending, back.turn, back.phase) == ("", ("S",), "turn")
    case.when("S move 9c <meld:NS:5 >S", "S discard 9c").allows()


def test_R15_kept_with_two_cards_left_or_a_pozzetto_to_come() -> None:
    melding(NO_BURRACO, TAKE, *CLOSED[1:-1], "S meld QcQdQhQs/JcJdJhJs").clean()
    melding(NO_BURRACO).clean()


def test_R16_the_partner_may_close_while_the_pozzetto_lies_face_down() -> None:
    """North took it with the last discard and never looked; it counts against the side as North's hand."""
    state = melding(
        "N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d", "E discard 5h", *CLOSED[4:], "S discard 4d",
    ).clean().judgement.state
    assert (state.hand.ending, state.hand.by, len(state.holding("N"))) == ("closed", "S", 11)


def test_R16_closing_that_is_said() -> None:
    """North says it is closed with the card that should have led to the pozzetto."""
    case = melding("N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d", "N call close").finds("R16", words="pozzetto")
    assert (case.judgement.state.hand.ending, case.judgement.state.hand.taken) == ("closed", {})
    melding("N call close").finds("R16", words="still holds 12")
    melding(OUT, *CLOSED, "S discard 4d", "S call close").clean()


@pytest.mark.parametrize("act", ["E draw ??", "E discard 3h", "E meld 7c7d7h"])
def test_R16_nothing_after_closing(act: str) -> None:
    melding(OUT, *CLOSED, "S discard 4d", act).finds("R16", words="S has closed")


def test_R15_R16_open_after_a_gap() -> None:
    """Nobody counted the cards, so nobody can say whether it was the last one."""
    melding(NO_BURRACO, TAKE, "N discard 5d", "@ gap", "S draw ??", "S discard 4d").opens("R16")


# R17 and R18, hands that nobody closes
def to_the_last_card(turns: int = 39) -> Given:
    thrown = [rank + suit for suit in "cdh" for rank in "A3456789TJQK"] + ["As", "3s", "4s"]
    return given(GAME, HIDDEN + "".join(f"{'NESW'[i % 4]} discard {card}\n" for i, card in enumerate(thrown[:turns])))


def test_R17_two_cards_left_end_the_hand() -> None:
    state = to_the_last_card(38).judgement.state
    assert (len(state.table.row("stock")), state.hand.ending) == (3, "")
    last = to_the_last_card(38).when("S draw ??").clean()
    assert last.judgement.state.hand.news == "two cards left in the stock: the last turn"
    done = last.when("S discard 5s").clean()
    assert (done.judgement.state.hand.ending, done.judgement.state.phase) == ("stock", "count")
    done.when("W draw ??").finds("R17")


def test_R17_the_last_turn_may_still_take_the_pozzetto() -> None:
    case = to_the_last_card(38).when("S draw ??", "S meld QcQdQhQs/JcJdJhJs/9d9h9s", "S discard 4d")
    state = case.when("N show 11x??", "E show 11x??", "W show 11x??", "S show 11x??").judgement.state
    assert state.hand.taken == {"NS": "S"}
    assert next(line for line in state.scores[0].lines if line.label == "no pozzetto").amounts == {"NS": 0, "EW": -100}


IDLE = (
    "N draw 7h <discard", "N discard 8h", "E draw 8h <discard", "E discard 9h", "S draw 9h <discard", "S discard 3c",
    "W draw 3c <discard", "W discard 4c",
)


def test_R18_four_idle_turns() -> None:
    """The first turn took the card turned up, which was nobody's discard."""
    case = given(GAME, HIDDEN).when(*IDLE)
    assert (case.judgement.state.hand.series, case.judgement.state.turn) == (3, ("N",))
    done = case.when("N draw 4c <discard", "N discard 5c").clean()
    assert (done.judgement.state.hand.ending, done.judgement.state.phase) == ("stalemate", "count")
    done.when("E draw 5c <discard").finds("R18")


def test_R18_a_meld_or_a_draw_breaks_the_series() -> None:
    case = given(GAME, HIDDEN).when(*IDLE)
    assert case.when("N draw 4c <discard", "N meld 4c4d4h", "N discard 5c").clean().judgement.state.hand.series == 0
    assert case.when("N draw ??", "N discard 5c").clean().judgement.state.hand.series == 0


# Scoring
def test_scoring_worked_from_the_cards() -> None:
    """South closes; North is left with the pozzetto but one card, the others with what they were dealt."""
    shows = (
        "N show 3h4h5s6s7sAsAdTdJdQd",  # 5+5+5+5+5+15+15+10+10+10
        "E show Jo2c8c8d8h3s4s5c6c7cAh",
        "W show JoJo9d9hTsThQhKd3d4c4s",
    )
    case = melding(OUT, *CLOSED, "S discard 4d", *shows).clean()
    amounts = {line.label: line.amounts for line in case.judgement.state.scores[0].lines}
    run, others = 5 * 5 + 3 * 10, 15 * 10
    assert amounts["melds"] == {"NS": run + others, "EW": 0}
    assert amounts["hands"] == {"NS": -85, "EW": -(30 + 20 + 30 + 25 + 15 + 30 + 30 + 60 + 15)}
    assert amounts["clean burracos"] == {"NS": 200, "EW": 0}
    assert amounts["closing"] == {"NS": 100, "EW": 0}
    assert amounts["no pozzetto"] == {"NS": 0, "EW": -100}
    case.scores(NS=run + others - 85 + 300, EW=-355)


def test_scoring_the_whole_pack_is_worth_1080() -> None:
    from reducers.games.burraco import MELDS

    assert MELDS.points(PACK.full) == 1080
    assert {c: MELDS.points(PACK.unit_of[c]) for c in ("Jo", "2h", "As", "Kd", "8c", "7c", "3s")} == {
        "Jo": 30, "2h": 20, "As": 15, "Kd": 10, "8c": 10, "7c": 5, "3s": 5,
    }  # fmt: skip


def test_scoring_points_are_spread_over_all_piles() -> None:
    """Melds, hands, stock, pile and pozzetti come to 1080 at every position of a match."""
    from reducers.games.burraco import MELDS

    log = simulate(GAME, seed=3, hands=1)
    for n in range(6, len(log), 7):
        state = fold(log, until=n)
        assert sum(MELDS.points(pile.certain) for pile in state.table.piles.values()) == 1080


TALLIED = (
    "@ tally melds.NS={} melds.EW={} left.NS={} left.EW={} clean.NS={} clean.EW={} dirty.NS={} dirty.EW={} "
    "closed={} pozzetto.NS={} pozzetto.EW={}"
)


@pytest.mark.parametrize(
    ("facts", "points"),
    [
        ((310, 150, 25, 90, 1, 0, 0, 1, "NS", "yes", "no"), (310 - 25 + 200 + 100, 150 - 90 + 100 - 100)),
        ((310, 150, 25, 90, 1, 0, 0, 1, "-", "yes", "yes"), (310 - 25 + 200, 150 - 90 + 100)),
        ((0, 600, 180, 0, 0, 2, 0, 2, "EW", "no", "yes"), (-280, 600 + 400 + 200 + 100)),
        ((0, 600, 180, 0, 0, 2, 0, 2, "E", "no", "yes"), (-280, 600 + 400 + 200 + 100)),
    ],
)
def test_scoring_from_a_tally_alone(facts: tuple[Any, ...], points: tuple[int, int]) -> None:
    case = given(GAME, "W hand 1").when(TALLIED.format(*facts))
    case.scores(NS=points[0], EW=points[1])
    assert case.judgement.findings == []


def test_what_a_tally_leaves_open_is_asked() -> None:
    """If this failed, a side without its pozzetto would get away with it because nobody wrote the word."""
    case = given(GAME, "W hand 1").when(
        "@ tally melds.NS=310 melds.EW=150 left.NS=25 left.EW=90 clean.NS=1 clean.EW=0 dirty.NS=0 "
        "dirty.EW=1 closed=NS pozzetto.NS=yes"
    )
    case.scores(NS=585, EW=None)
    (hand,) = score_played(case.records).hands
    assert hand.possible == {"EW": [60, 160]}
    assert [q.text for q in hand.questions] or hand.unknown == ("whether EW had its pozzetto",)
    # Whether a side came to its pozzetto after the table stopped writing is not known either.
    told = (
        "@ tally melds.NS=310 melds.EW=150 left.NS=25 left.EW=90 clean.NS=1 clean.EW=0 dirty.NS=0 "
        "dirty.EW=1 closed=NS pozzetto.NS=yes"
    )
    given(GAME, HIDDEN).when("N draw ??", "N discard 4h", told).scores(NS=585, EW=None)


def test_a_tally_unlike_the_cards_is_noted() -> None:
    case = melding(OUT, *CLOSED, "S discard 4d", "@ tally left.NS=85 left.EW=255 clean.NS=2 melds.EW=0")
    assert case.judgement.state.scores[0].notes == ("the tally has 2 for clean of NS; by the cards it is 1",)


def test_every_key_of_the_tally_can_be_written() -> None:
    for key in Tally.facts:
        value = {"closed": "NS", "void": "misdeal"}.get(
            key, "yes" if key.startswith("pozzetto") else "5" if key[:4] in ("meld", "left") else "1",
        )
        case = given(GAME, "W hand 1").when(f"@ tally {key.replace('*', 'NS')}={value}")
        assert case.judgement.broken == [], key


@pytest.mark.parametrize(
    ("cards", "kind", "semi"),
    [
        ("3c 4c 5c 6c 7c 8c 9c", "clean", "clean"), ("2c 3c 4c 5c 6c 7c 8c", "clean", "clean"),
        ("Jo 4c 5c 6c 7c 8c 9c", "dirty", "dirty"), ("Jo 3c 4c 5c 6c 7c 8c 9c", "dirty", "semi"),
        ("3c 4c Jo 6c 7c 8c 9c Tc", "dirty", "dirty"), ("3c 4c 5c 6c 7c 8c 9c 2c Jc", "dirty", "semi"),
        ("7c 7c 7d 7d 7h 7h 7s", "clean", "clean"), ("7c 7c 7d 7d 7h 7h 7s Jo", "dirty", "semi"),
        ("7c 7c 7d 7d 7h 7h Jo", "dirty", "dirty"), ("2c 2c 3c 4c 5c 6c 7c 8c", "dirty", "semi"),
    ],
)  # fmt: skip
def test_burrachi_clean_dirty_and_semi_clean(cards: str, kind: str, semi: str) -> None:
    assert kind_of(tuple(cards.split()), Options()) == kind
    assert kind_of(tuple(cards.split()), Options(semi_clean=True)) == semi


def test_a_clean_burraco_may_be_dirtied_later() -> None:
    case = melding("N meld 3c4c5c6c7c8c9c", "N meld Jo >meld:NS:1", "N discard Kd", "@ end hand agreed")
    amounts = {line.label: line.amounts["NS"] for line in case.judgement.state.scores[0].lines}
    assert (amounts["clean burracos"], amounts["dirty burracos"], amounts["closing"]) == (0, 100, 0)


def test_the_match_ends_beyond_the_target() -> None:
    """Exactly 2,000 is not enough, and level sides play on. Six clean burracos and more, and the other side as many
    less one."""

    def tallied(ns: int, ew: int, **option: str) -> Any:
        facts = TALLIED.format(ns - 1200, ew - 1400, 0, 0, 6, 7, 0, 0, "-", "yes", "yes")
        return given(GAME, "W hand 1", option=option).when(facts).judgement.state

    assert tallied(2000, 1680).ended == ""
    assert (tallied(2005, 1650).ended, tallied(2005, 1650).standing.winner) == ("won", "NS")
    assert tallied(1700, 1700, target="1600").ended == ""
    assert tallied(1700, 1705, target="1600").standing.winner == "EW"
    assert tallied(2000, 1650, target_is_enough="yes").standing.winner == "NS"
    assert tallied(1705, 1650, target="1700").standing.winner == "NS"


def test_an_unseen_pozzetto_counts_as_the_hand() -> None:
    """Its player never got to look at it; so there is no penalty, and its cards count against the side."""
    out = ("N meld 3c4c5c6c7c8c9c/KcKdKhKs", "N discard 5d")
    ended = melding(
        *out, "@ end hand agreed", "N show 3d3h3sJo2c2d2h2sAsAhAd <pozzetto:1", "S show 4d4h4s5h5s6d6h6s7d7s8d",
    )
    amounts = {line.label: line.amounts["NS"] for line in ended.judgement.state.scores[0].lines}
    assert (amounts["hands"], amounts["no pozzetto"]) == (-(15 + 30 + 80 + 45) - (50 + 10), 0)
    last = to_the_last_card(38).when("S draw ??", "S meld QcQdQhQs/JcJdJhJs/9d9h9s", "S discard 4d").judgement.state
    assert (last.hand.waiting, len(last.holding("S"))) == ({}, 11)


def test_what_is_missing_is_named_and_nothing_guessed() -> None:
    case = melding(OUT, *CLOSED, "S discard 4d")
    case.when("N show 10x??", "E show 11x??", "W show 11x??").scores(NS=None, EW=None)
    case = case.when("N show 10x??", "E show 11x??")
    shown = case.when("W show 11x??").judgement.state.scores[0]
    assert shown.unknown == ("the cards left in the hands of NS", "the cards left in the hands of EW")
    # what was left can be told in points
    told = case.when("@ tally left.NS=85 left.EW=255").scores(NS=420, EW=-355)
    assert told.judgement.state.settled


def test_the_deal_goes_round_and_a_misdeal_is_dealt_again() -> None:
    state = fold(given(GAME, HIDDEN).when("@ end hand misdeal", "N draw ??").records)
    assert (state.number, state.dealer) == (2, "W")
    state = fold(given(GAME, HIDDEN).when("@ end hand agreed", "E draw ??").records)
    assert (state.number, state.dealer) == (2, "N")


def test_a_ruling_can_take_the_closing_away() -> None:
    case = melding(
        NO_BURRACO, TAKE, *CLOSED[1:], "S discard 4d", "N show 3h4h5s6s7sAsAdTdJdQd", "E show Jo2c8c8d8h3s4s5c6c7cAh",
        "W show JoJo9d9cTsThQhKd3d4c4s",
    )
    for ruling, points in (("points.NS=-100", {"NS": 120, "EW": -355}), ("closed=EW", {"NS": 120, "EW": -255})):
        (hand,) = score_match(case.when(f"@ ruling #12 {ruling} rule={GAME}.R16").records).hands
        assert (hand.ways["played"].points, hand.ways["ruled"].points) == ({"NS": 220, "EW": -355}, points)


def test_an_illegal_meld_counts_as_it_lies_and_the_sheet_says_so() -> None:
    case = melding("N meld 7c7d2c2d", "N discard Kd", "@ end hand agreed")
    assert case.judgement.state.scores[0].notes == ("7♣ 7♦ 2♣ 2♦ of NS is not a meld; it counts as laid",)


# What an onlooker sees, and what may be done
def test_the_hidden_log_is_what_the_table_saw() -> None:
    """Stock, hands and pozzetti are hidden; North alone sees the pozzetto North takes up."""
    log = simulate(GAME, seed=0, hands=1)
    for viewer in ("public", "N", "E"):
        for seen, was in zip(hide(log, viewer), log, strict=True):
            if isinstance(was.event, Draw):
                shut = was.event.src != "discard" and was.event.by != viewer
                assert all("??" in c for c in seen.event.cards) is shut, was.event
            elif not isinstance(was.event, type(log[2].event)):
                assert seen.event == was.event


def test_legal_melds_are_of_three_cards_and_additions_of_one() -> None:
    """Longer melds are several of these in one, and allowed as such."""
    state = fold(given(GAME, table(N="7c7d7s2hKcKdKsAs9h4d5d")).when("N draw 7h <discard").records)
    options = legal(state)
    assert options.complete
    melds = [act for act in options.acts if isinstance(act, Meld)]
    assert all(len(act.groups[0]) == 3 for act in melds)
    assert {"".join(act.groups[0]) for act in melds} >= {"7c7d7s", "KcKdKs", "7c7h2h", "2h4d5d"}
    assert list(objections(state, Meld(by="N", groups=(("7c", "7d", "7h", "7s"),)))) == []


def test_a_third_copy_of_a_card_is_no_card_of_the_pack() -> None:
    found = melding("N meld 7c7c7d", "N discard 7c").judgement.findings
    assert [f.rule for f in found if f.verdict == "broken"] == ["table.T2"]


# At the table: what may be typed
def typed(*lines: str, start: str = HIDDEN) -> Session:
    session = Session(records(GAME, start))
    for line in lines:
        draft = session.complete(line)
        assert draft.doubts == (), (line, draft.doubts)
        n = session.records[-1].n
        session.take([Recorded(n=n + i, event=r.event, text=r.text) for i, r in enumerate(draft.events, 1)])
    return session


def test_a_turn_is_typed_in_one_line() -> None:
    session = typed(". 7c7d7s 9h", "pile KcKdKh 4c", "5d 6s")
    state = session.state
    assert [type(r.event).__name__ for r in session.records[4:7]] == ["Draw", "Meld", "Discard"]
    assert (state.turn, len(state.table.row("stock"))) == (("N",), 38)


def test_cards_go_onto_the_own_meld_they_fit() -> None:
    session = typed(". 7c8c9c 3h", "3d", "Kd", "Ks", "m Tc", "JcQc", "m Kc >NS:1", "t 2s")
    meld = [PACK.tokens[c] for c in session.state.table.row("meld:NS:1").codes()]
    assert meld == ["7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc"]


def test_a_card_in_a_line_that_may_be_thrown_or_added_is_asked_for() -> None:
    """If this failed, a whole line would be refused with no word about which card of it was not clear."""
    session = typed(". 7c8c9c 3h", "3d", "Kd", "Ks")
    with pytest.raises(
        SeveralMeaningsError, match="2 things: 'N draw \\?\\?, N discard Tc'; or 'N draw \\?\\?, N meld Tc >meld:NS:1'",
    ):
        session.complete(". Tc")
    assert len(session.complete(". KcKhKs 4h").events) == 3


def test_the_pozzetto_is_a_stroke_or_nothing() -> None:
    out = "m 3c4c5c6c7c8c9cTc/KcKdKhKs"
    for lines in (("." , out, ".", "5d"), (out, "5d")):
        state = typed(*lines).state
        assert (state.hand.taken, len(state.holding("N")), state.turn) == ({"NS": "N"}, 10, ("E",))


def test_words_and_readings_are_said() -> None:
    page = find_game(GAME)
    assert set(WORDS) >= {"close", "pinella"}
    assert "option semi_clean" in READINGS["Semi-clean burraco"]
    assert is_meld(["2h", "3h", "??"]) is None
    assert judge(simulate(GAME, seed=1, hands=1)).findings == []
    assert page.summary


# What a gap swallows, and cards seen half
GONE_BY = "E meld AhJo3h\nE discard Th\nS draw Th <discard\nS meld TdJoQd\n"


@pytest.mark.parametrize(
    "more",
    [
        ("S meld Kh >meld:NS:1",),
        ("S meld 2c >meld:NS:5",),
        ("S discard 6h", "W draw 11x?? <pozzetto:1"),
        ("S discard 6h", "W hand 2"),
    ],
    ids=["another meld has that number", "a meld laid in the gap", "a pozzetto", "the next hand"],
)
def test_nobody_is_accused_because_of_what_a_gap_swallowed(more: tuple[str, ...]) -> None:
    """If this failed, a player would answer for melds, pozzetti and hands that nobody wrote down."""
    case = given(GAME, "@ gap\n" + GONE_BY).when(*more)
    assert not case.judgement.broken


def test_after_a_gap_in_the_count_the_next_hand_has_begun() -> None:
    """If this failed, whoever draws in a hand whose beginning is missing would have played on after the close."""
    case = to_the_last_card(38).when("S draw ??", "S discard 5s", "@ gap", "N draw ??", "N discard 5d", "E draw ??")
    assert not case.judgement.broken


def test_R1_a_part_of_the_pile_is_found_after_a_gap() -> None:
    """If this failed, a gap would excuse what is certain from the lines after it."""
    given(
        GAME, "@ gap\nN discard 6c\nE draw ??\nE discard 4d\nS draw 6c <discard",
    ).finds("R1", words="at least 2 cards")


def test_R5_cards_that_can_lie_in_no_meld_are_found_after_a_gap() -> None:
    """If this failed, any card would fit onto a meld of which nobody knows what it is."""
    given(GAME, "@ gap\nN draw ??\nN meld 3dKc >meld:NS:4").finds("R5")


@pytest.mark.parametrize("pile", ["???h4d", "??6?4d", "??6h?d", "??4d6h", "3x??"])
def test_a_pile_taken_half_seen_is_the_one_that_lay_there(pile: str) -> None:
    """If this failed, the table would say that a half-seen card is not there, and that its own twin is seen twice."""
    thrown = "W hand 1\n@ deal up discard=??\nN draw ??\nN discard 6h\nE draw ??\nE discard 4d\n"
    for lines in (
        (f"S draw {pile} <discard",), (f"S draw {pile} <discard", "S discard 6h", "W draw 6h <discard", "W discard 4d"),
    ):
        assert not given(GAME, thrown).when(*lines).judgement.broken


def test_R14_the_other_pozzetto_waits_if_the_opponents_took_the_one_that_seemed_to() -> None:
    """If this failed, a seat would be told to have had the pozzetto that the other side took unseen."""
    dealt = "W hand 1\n@ deal N=AcAdAhAs3c3d3h3s4c4d4h E=*x?? S=11x?? W=11x??\n"
    out = (
        "N draw Kd\nN meld AcAdAhAs/3c3d3h3s/4c4d4h\nN discard Kd\nE draw ??\nE draw 11x?? <pozzetto:1\nE discard 9d\n"
    )
    case = given(GAME, dealt + out).when(
        "S draw ??", "S discard 8d", "W draw ??", "W discard 7d", "N draw 11x?? <pozzetto:2",
    )
    assert not case.judgement.broken
    assert case.judgement.state.hand.taken == {"NS": "N", "EW": "E"}


# An unrecorded discard
A_ROUND = (
    "N draw ??", "N meld 8c8d8h", "N discard 9h", "E draw ??", "E meld QhQsQc", "E discard Kd", "S draw ??",
    "S meld Jo4d5d", "S meld 8s >meld:NS:1", "S discard Kh", "W draw ??", "W discard 4c", "N draw * <discard",
    "N meld 9h9s9d", "N discard 3s", "E draw 3s <discard", "E meld 3s3d3c", "E discard ??", "S draw ??",
    "@ fix #21 E discard 7c", "S discard Ad",
)  # fmt: skip
"""Positions 4 to 24; the pile that North takes at 16 has five cards."""


@pytest.mark.parametrize("gone", [2, 5, 9, 14], ids=lambda i: A_ROUND[i])
@pytest.mark.parametrize("dealt", [HIDDEN, table(N="8c8d8h9h9s9d3s2cKsJhTd")], ids=["hidden", "one hand seen"])
def test_a_discard_that_nobody_wrote_is_the_first_thing_to_offer(gone: int, dealt: str) -> None:
    """If this failed, a player would be told not to have discarded, and the next one to have acted too early; or the
    judge would stop at the pile that has a card less."""
    given(GAME, dealt).when(*A_ROUND).clean()
    fix = A_ROUND.index("@ fix #21 E discard 7c")
    lines = [line for i, line in enumerate(A_ROUND) if i not in (gone, fix)]
    log = records(GAME, dealt + "\n".join(lines))
    judgement = check(log)
    assert [f.rule for f in judgement.broken if f.rule.startswith(GAME)] == ["burraco.R3"]
    assert all(f.unless is judgement.repairs[0] for f in judgement.broken)
    assert judgement.repairs[0].lines[0].startswith(f"@ fix #{gone + 3}+ {A_ROUND[gone][0]} discard ")


def test_a_discard_corrected_later_stands_beside_one_that_nobody_wrote() -> None:
    """If this failed, a correction after the missing line would stop the judge, or be offered instead of it."""
    lines = [line.replace("#21", "#20") for line in A_ROUND if line != "S discard Kh"]
    judgement = check(records(GAME, HIDDEN + "\n".join(lines)))
    assert judgement.repairs[0].lines == ("@ fix #12+ S discard ??",)
    assert all(f.unless is judgement.repairs[0] for f in judgement.broken)


def keeps_nothing(first: str, later: str = "S draw ??") -> Given:
    """North has the pozzetto of the side; South, with eleven cards and a draw, lays twelve. `first` is South's draw
    before."""
    lines = [
        "N draw ??", "N meld 3c4c5c6c7c8c9cTc/KcKdKhKs", "N draw 11x?? <pozzetto:1", "N discard 9d", "E draw ??",
        "E discard 5h", first,
    ]
    lines += [
        "S discard 6s", "W draw ??", "W discard 2c", "N draw ??", "N discard 4d", "E draw ??", "E discard Jd", later,
    ]
    return given(GAME, HIDDEN).when(*filter(None, lines), "S meld 3d4d5d6d7d8d/AsAdAh/QsQdQh")


def test_R15_counts_are_open_if_a_draw_is_missing_from_a_record_that_writes_those_from_the_stock() -> None:
    """If this failed, a player whose draw of the pile was not written would be told to have laid down the last card."""
    keeps_nothing("S draw ??").finds("R15", words="keeps no card to throw")
    keeps_nothing("").opens("R15").clean()
    # The same if two are missing.
    keeps_nothing("", "").opens("R15").clean()


TOOK_THE_PILE = [
    "N draw ??", "N discard 9d", "E draw ??", "E discard 8d", "S draw ??", "S discard 6s", "W meld 7h8h9h",
    "W discard 2c", "N draw ??", "N discard Td",
]  # fmt: skip
"""West's draw is missing; the seven lay at the bottom of the pile."""


def test_R1_a_pile_that_nobody_wrote_was_taken_where_its_cards_come_out_of_the_hand() -> None:
    """If this failed, cards of a pile that somebody took would lie there still, and be seen twice when they come out
    of that hand."""
    taken = given(GAME, HIDDEN).when(*TOOK_THE_PILE).clean()
    assert any("W took the pile before this, as 7♥ lay in it" in why for _, why in taken.judgement.state.inferred)
    taken.when(
        "E draw ??", "E discard 4c", "S draw ??", "S discard 4h", "W draw ??", "W discard 9d",
        "N draw 2cTd4c4h9d <discard",
    ).clean()
    # Who wrote the draws from the stock wrote this one too, so that the seven is another one, and the pile is as
    # high as it was.
    written = [*TOOK_THE_PILE[:6], "W draw ??", *TOOK_THE_PILE[6:]]
    given(GAME, HIDDEN).when(*written, "E draw 2cTd <discard").finds("R1", words="6 cards, not 2")


def test_R1_what_is_left_of_a_pile_if_a_draw_before_was_not_written() -> None:
    """If this failed, one draw of the pile that nobody wrote would be held against everybody who took the pile after
    it."""
    lines = ["N discard 9d", "E draw ??", "E discard 8d", "S draw 9d8d <discard"]
    given(GAME, HIDDEN).when(*lines).opens("R1").when("S discard 6s", "W draw 6s <discard").clean()
    given(GAME, HIDDEN).when("N draw ??", *lines).finds("R1", words="3 cards, not 2")


def test_a_tally_of_a_hand_that_was_not_written_to_its_end_is_compared_with_no_cards() -> None:
    """If this failed, melds that nobody wrote down would be called none."""
    told = "@ tally melds.NS=100 melds.EW=300 left.NS=10 left.EW=20 clean.NS=0 clean.EW=1 closed=EW"
    case = given(GAME, "W hand 1", Seats="N E S W").when("N draw ??", "N meld QcQdQh", "N discard 4s", told)
    assert case.judgement.state.scores[-1].notes == ()
