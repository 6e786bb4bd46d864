"""Jersey Gin, rule by rule: each has the two cases of its kind."""

from __future__ import annotations

import pytest
from given import Given, given
from sampling import seeds

from events.model import Discard, Recorded
from events.writing import write_event
from reducers.games.jersey_gin import READINGS, WORDS, Options, Tally, score_tally
from reducers.legal import legal
from reducers.registry import find_game
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

GAME = "jersey-gin"
HIDDEN = "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=7h\n"
# A lacks one card to nothing; B and C hold nothing in particular.
OPEN = """
C hand 1
@ deal A=2c3c4c5d6d7dTcTdTh9s B=AhKcQd9h8c6s4h3d2sJs C=AsKdQc9c8d6h4d3h2hJh
@ deal up discard=7h
@ deal stock=AcAd5c5h5s6c7c7s8h8s9dTsJcJdQhQsKhKs3s4s2d
"""
ROUND = "A draw ??\nA discard Ks\nB draw ??\nB discard Qs\nC draw ??\nC discard Js\n"


def broken_in(case: Given) -> list[str]:
    return [f.rule for f in case.judgement.broken]


def to_the_break(*more: str) -> Given:
    """Eighteen unseen draws and eighteen discards: A is the breaker, three cards are left."""
    thrown = [rank + suit for rank in "234568" for suit in "cdh"]
    lines = "".join(f"{'ABC'[i % 3]} draw ??\n{'ABC'[i % 3]} discard {card}\n" for i, card in enumerate(thrown))
    return given(GAME, HIDDEN + lines).when(*more) if more else given(GAME, HIDDEN + lines)


# R1 to R3, the turn
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["B draw ??"], "R1"),
        (["A draw ??", "A discard Ks", "C draw ??"], "R1"),
        (["A draw ??", "B discard Ks"], "R1"),
        (["A draw 2x??"], "R2"),
        (["A draw ??", "A draw ??"], "R2"),
        (["A draw ??", "A discard Ks", "B draw 7h <discard"], "R2"),
        (["A draw 7h <discard", "A draw ??"], "R2"),
        (["A draw ??", "A discard Ks9s"], "R3"),
        (["A draw ??", "A discard Ks", "A discard Qs"], "R3"),
        (["A draw ??", "A discard Ks <hand:B"], "R3"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R2_R3_broken(acts: list[str], rule: str) -> None:
    given(GAME, HIDDEN).when(*acts).finds(rule)


def test_R1_R2_R3_kept() -> None:
    given(GAME, HIDDEN + ROUND).when("A draw Js <discard", "A discard Js").clean()


def test_R2_a_draw_nobody_wrote_is_inferred() -> None:
    """If this failed, a table that writes discards alone would be accused at every line."""
    state = given(GAME, HIDDEN).when("A discard Ks", "B discard Qs").clean().judgement.state
    assert (len(state.table.row("stock")), len(state.holding("A"))) == (19, 10)
    assert len(state.inferred) == 2


@pytest.mark.parametrize(
    ("before", "acts"),
    [
        (HIDDEN, ["A call gin", "A meld 3c4c5c6c/8h8d8s/9d9c9s", "A discard 2c"]),
        (HIDDEN, ["A discard Kh", "B call gin", "B meld 3c4c5c6c/8h8d8s/9d9c9s", "B discard 2c"]),
        (HIDDEN, ["A discard down ??", "A meld KcKdKh/4c5c6c7c", "A show 2hAs6s"]),
        (HIDDEN, ["A call gin", "A meld 3c4c5c6c7c/8h8d8s/9d9c9s"]),
    ],
    ids=["a call", "a call in turn", "a knock", "eleven cards"],
)
def test_R2_R8_a_draw_nobody_wrote_shows_whatever_follows(before: str, acts: list[str]) -> None:
    """If this failed, the type of the next line would decide whether somebody is accused of not drawing."""
    judgement = given(GAME, before).when(*acts).clean().judgement
    assert any("drew a card from the stock" in why for _, why in judgement.state.inferred)


def test_R12_a_draw_nobody_wrote_before_melds_after_the_break() -> None:
    judgement = to_the_break("A meld KcKdKh", "A discard 9s", "B draw ??").clean().judgement
    assert any("before the melds" in why for _, why in judgement.state.inferred)
    assert not [f for f in judgement.findings if f.at.pos > 42]


def test_R8_gin_with_deadwood_is_found_although_the_draw_was_not_written() -> None:
    """B shows ten cards, and none that B may have drawn leaves nothing over with them."""
    given(GAME, OPEN).when("A draw 2d", "A discard 2d", "B call gin").finds("R8")
    given(GAME, HIDDEN).when("A discard Ks", "B call gin", "B show AhKcQd9h8c6s4h3d2sJs").finds("R8", at=5, known=6)


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B draw ??"], "A sits left of the dealer and begins"),
        (["A draw ??", "B discard Ks"], "it is the turn of A"),
        (["A draw ??", "A discard Kh", "B draw ??", "C discard 9s"], "it is the turn of B"),
        (["A draw ??", "A discard Kh", "C draw ??"], "it is the turn of B"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_the_reason_is_the_right_one(acts: list[str], words: str) -> None:
    """Who begins was settled by the first draw; from then on it is somebody's turn."""
    given(GAME, HIDDEN).when(*acts).finds("R1", words=words)


def test_R10_R14_a_count_that_rests_on_an_unwritten_draw_is_none() -> None:
    """One of the draws that nobody wrote may have been from the discards; then the break is still to come."""
    thrown = [rank + suit for rank in "234568" for suit in "cdh"]
    lines = "".join(
        f"{'' if i == 3 else 'ABC'[i % 3] + ' draw ??'}\n{'ABC'[i % 3]} discard {card}\n"
        for i, card in enumerate(thrown)
    )
    case = given(GAME, HIDDEN + lines)
    case.when("A draw ??", "A discard down ??").opens("R10")
    case.when("A draw 8h <discard").opens("R11")
    case.when("A draw ??", "A discard 9s", "A show KcQd").opens("R13")
    assert fold(
        case.when("A draw ??", "A discard 9s", "B draw ??", "B discard 9d", "C draw ??", "C discard 9h").records
    ).phase == "count"
    on = case.when(
        "A draw ??", "A discard 9s", "B draw ??", "B discard 9d", "C draw ??", "C discard 9h", "A draw 9h <discard",
        "A discard 7c",
    ).clean()
    assert any("the stock was not out" in why for _, why in on.judgement.state.inferred)


@pytest.mark.parametrize("act", ["A draw *x??", "A discard *x??"])
def test_R2_R3_uncounted_cards_prove_nothing(act: str) -> None:
    given(
        GAME, HIDDEN + ("A draw ??\n" if "discard" in act else ""),
    ).when(act).opens("R2" if "draw" in act else "R3").clean()


def test_R15_a_table_that_is_looked_at_before_the_deal_is_dealt_all_the_same() -> None:
    """If this failed, asking what may be done would leave an empty stock, and the deal would seem to come from it."""
    state = fold(given(GAME, "C hand 1").records)
    assert legal(state).acts == ()
    assert find_game(GAME).display.headline(state)["stock"] == 0
    assert not {"stock", "discard"} & set(state.table.piles)


def test_R15_an_uncounted_deal_leaves_the_stock_uncounted() -> None:
    """Nobody knows how high the stock is, so nobody can say that the break has come, or has not."""
    case = given(GAME, "C hand 1\n@ deal A=*x?? B=10x?? C=10x??\n@ deal up discard=7h\n").clean()
    case.when("A draw ??", "A discard down ??", "A meld KcKdKh/4c5c6c7c", "A show 2h").opens("R10", at=5).clean()


def test_R1_R14_a_stock_that_nobody_counted_was_out_if_somebody_lays_down() -> None:
    """B shows although it is A's turn: the hand was over, as the stock had run out."""
    lines = "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=7h\n@ deal down stock=*x??\n" + ROUND
    case = given(GAME, lines).when("B show Ac3d4dTd9h8h7s5s3sJd").clean()
    assert (case.judgement.state.hand.ending, case.judgement.state.phase) == ("stock-out", "count")
    given(GAME, lines).when("B meld 9c9d9s").opens("R1").clean()
    given(GAME, HIDDEN + ROUND).when("B meld 9c9d9s").finds("T6")


@pytest.mark.parametrize("group", ["*", "KcKdKh/*", "*x??", "Kc*x??", "KcKdK?", "4c5c?c"])
def test_R4_R5_a_whole_hand_or_uncounted_cards_laid_down(group: str) -> None:
    """`*` is the whole hand. What nobody counted is neither a meld nor none."""
    given(GAME, KNOCK).when(f"A meld {group}").clean()


def test_R4_R5_a_whole_hand_lies_in_its_melds() -> None:
    hand = "A=2c3c4c5d6d7dTcTdThTs B=10x?? C=10x??"
    lines = f"C hand 1\n@ deal {hand}\n@ deal up discard=7h\nA draw 9h\nA discard down 9h\nA meld *\n"
    case = given(GAME, lines).clean()
    assert [len(p) for name, p in case.judgement.state.table.piles.items() if name.startswith("meld:A")] == [4, 3, 3]
    given(GAME, lines.replace("9h", "7h <discard", 1).replace("9h", "2c")).finds("R4")


def test_R2_looking_through_the_discards_is_only_told() -> None:
    assert "peek" in WORDS
    assert any("fault peek" in answer for answer in READINGS.values())
    given(GAME, HIDDEN).when("B fault peek C").clean()


# R4 to R6, melds
KNOCK = HIDDEN + "A draw ??\nA discard down ??\n"


@pytest.mark.parametrize("group", ["5c6c7c", "As2s3s", "JdQdKd", "7c5c6c8c", "7c7d7s", "KcKdKhKs", "7c7d7s/8c8d8h"])
def test_R4_R5_R6_kept(group: str) -> None:
    given(GAME, KNOCK).when(f"A meld {group}").clean()


@pytest.mark.parametrize(
    ("group", "rule"),
    [
        ("5c6c", "R4"), ("5c6c7d", "R4"), ("QsKsAs", "R4"), ("KsAs2s", "R4"), ("5c6c8c", "R4"), ("7c7d", "R5"),
        ("7c7d8h", "R4"),
    ],
)
def test_R4_R5_broken(group: str, rule: str) -> None:
    given(GAME, KNOCK).when(f"A meld {group}").finds(rule)


def test_R4_R5_open_where_a_card_was_not_seen() -> None:
    given(GAME, KNOCK).when("A meld 5c??7c").opens("R4")
    given(GAME, KNOCK).when("A meld 7d7c??").opens("R5")
    given(GAME, KNOCK).when("A meld 5c??8c").finds("R4")


def test_R6_a_card_counts_once() -> None:
    """A card in two melds lies in two places: the table itself says so."""
    found = broken_in(given(GAME, KNOCK).when("A meld 7c7d7s/5c6c7c"))
    assert found == ["table.T2"]


LAID = KNOCK + "A meld KcKdKh/4c5c6c7c\nA show 2hAs6s\nB show Ac3d4dTd9h8h7s5s3sQs\nC show 2c3h4h5h5d6d9cTcJdQd\n"


def test_R6_deadwood_contradicted_by_a_tally() -> None:
    given(GAME, LAID).when("@ tally deadwood.A=9").clean()
    given(GAME, LAID).when("@ tally deadwood.A=3").finds("T12", words="deadwood.A is 9, not 3")


# R7, the knock
def test_R7_kept() -> None:
    given(GAME, OPEN).when("A draw 2d", "A discard down 2d").clean()
    given(GAME, LAID).allows(at=5)


def test_R7_a_knock_above_ten_in_the_open() -> None:
    given(GAME, OPEN).when("A draw 2d", "A discard down 4c").finds("R7", words="A knocks with 16 points")


def test_R7_a_knock_above_ten_is_seen_at_the_lay_down() -> None:
    """The hands are hidden, the discard stays unseen: the cards laid down afterwards are those that were kept."""
    case = given(GAME, KNOCK).when("A meld KcKdKh/4c5c6c7c")
    case.opens("R7", at=5)
    case.when("A show 2hAs9s").finds("R7", at=5, known=7, words="12 points")
    case.when("A show 2hAs8s").finds("R7", at=5, known=7, words="11 points")
    case.when("A show 2hAs7s").allows(at=5)


def test_R7_with_a_card_known_from_the_discards() -> None:
    """A card that all saw A pick up may be the one thrown face down; when it is shown, it was kept."""
    lines = HIDDEN + "A draw 7h <discard\nA discard down ??\n"
    given(GAME, lines).when("A meld KcKdKh/7h8h9h").opens("R7", at=5)
    given(GAME, lines).when("A meld KcKdKh/7h8h9h", "A show 2cAs9d5d").finds("R7", at=5, known=7, words="17 points")
    given(GAME, lines).when("A meld KcKdKh/7h8h9h", "A show 2cAs2d4d").clean()


def test_R7_R8_a_tally_has_no_more_deadwood_than_its_ending_takes() -> None:
    """If this failed, a gin with 15 points of deadwood would be taken for a result."""
    given(GAME, "C hand 1").when("@ tally ending=knock by=A deadwood.A=10 deadwood.B=20 deadwood.C=30").clean()
    given(GAME, "C hand 1").when(
        "@ tally ending=knock by=A deadwood.A=11 deadwood.B=20 deadwood.C=30"
    ).finds("R7").scores(A=28, B=0, C=0)
    given(GAME, "C hand 1").when("@ tally ending=gin by=A deadwood.A=1 deadwood.B=20 deadwood.C=30").finds("R8")
    given(GAME, "C hand 1").when("@ tally ending=gin by=A deadwood.A=0 deadwood.B=20 deadwood.C=30").clean()
    given(GAME, "C hand 1").when("@ tally ending=stock-out by=A deadwood.A=20 deadwood.B=21 deadwood.C=30").clean()


def test_R7_a_bad_knock_counts_as_made() -> None:
    given(GAME, KNOCK).when(
        "A meld KcKdKh/4c5c6c7c", "A show 2hAs9s", "B show Ac3d4dTd9h8h7s5s3sQs", "C show 2c3h4h5h5d6d9cTcJdQd"
    ).scores(A=88, B=0, C=0)


# R8, gin
def test_R8_kept() -> None:
    given(GAME, OPEN.replace("9s B", "Ts B").replace("dTs", "d9s")).when(
        "A draw 2d", "A call gin", "A discard 2d", "A meld 2c3c4c/5d6d7d/TcTdThTs",
    ).clean()


def test_R8_gin_with_eleven_cards_needs_no_discard() -> None:
    lines = OPEN.replace("9s B", "Ts B").replace("dTs", "d9s").replace("As2d", "2d")
    case = given(GAME, lines.replace("7c7s8h", "2d7s8h").replace("4s2d", "4s5c").replace("AcAd5c", "AcAd7c"))
    case.when("A draw 5c", "A call gin", "A meld 2c3c4c5c/5d6d7d/TcTdThTs").clean()


def test_R8_broken() -> None:
    given(GAME, OPEN).when("A draw 2d", "A call gin").finds("R8", words="A has 2 points")
    given(GAME, OPEN).when("A draw 2d", "A discard 2d", "B call gin").finds("R8")


def test_R8_open_until_the_hand_is_shown() -> None:
    lines = KNOCK + "A call gin\n"
    given(GAME, lines).opens("R8", at=6)
    given(GAME, lines).when("A meld KcKdKh/4c5c6c7c", "A show 2hAs9s").finds("R8", at=6, known=8)
    given(GAME, lines).when("A meld KcKdKh/4c5c6c7c/2h2s2d").allows(at=6)


# R9, laying off
AFTER = KNOCK + "A meld KcKdKh/4c5c6c7c\nA show 2hAs6s\n"


def test_R9_kept_and_scored() -> None:
    """B lays off the king and the eight, C a nine behind it: what is left in the hands counts."""
    case = given(GAME, AFTER).when("B meld Ks >meld:A:1", "B meld 8c >meld:A:2", "C meld 9c >meld:A:2").clean()
    case.when("B show Ac3d4dTd9h8h7s5s", "C show 2c3h4h5h5d6dTcJdQd").clean().scores(A=72, B=0, C=0)


def test_R9_onto_the_other_opponent_unless_the_house_says_no() -> None:
    acts = ("C meld 9d9h9s", "B meld 9c >meld:C:1")
    given(GAME, AFTER).when(*acts).clean()
    given(GAME, AFTER, option={"lay_off_on": "knocker"}).when(*acts).finds("R9")


@pytest.mark.parametrize(
    "acts", [["A meld 8c >meld:B:1"], ["B meld Ks >meld:A:3"], ["A call gin", "B meld Ks >meld:A:1"]], ids=", ".join
)
def test_R9_broken(acts: list[str]) -> None:
    given(GAME, AFTER).when("B meld 9c9d9h", *acts).finds("R9")


# R10 to R14, the break
def test_R10_broken_and_kept() -> None:
    to_the_break("A draw ??", "A discard down ??").finds("R10")
    to_the_break("A draw ??", "A discard Ks").clean()


def test_R10_whoever_draws_down_to_three_may_knock() -> None:
    case = to_the_break()
    lines = "\n".join(case.lines.strip().splitlines()[:-1])
    assert "R10" not in "".join(broken_in(given(GAME, lines).when("C discard down ??")))


def test_R11_broken_known_and_proven_later() -> None:
    """A takes the eight and shows at the count that it went with nothing."""
    rest = (
        "A discard 2s", "B draw ??", "B discard 9d", "C draw ??", "C discard Kh", "A draw Kh <discard", "A discard 3s",
        "B draw ??", "B discard 8s",
    )
    case = to_the_break("A draw 8h <discard").opens("R11").when(*rest)
    case.opens("R11", at=40)
    case.when("A show 8hAcAsKcKdKhQhQsJcJs").finds("R11", at=40, known=50).allows(at=46)


def test_R11_open_where_a_later_draw_was_not_seen() -> None:
    """One of the cards shown came later, nobody knows which, so nothing is proven."""
    rest = ("A discard 9s", "B draw ??", "B discard 9d", "C draw ??", "C discard 9h", "A draw ??", "A discard 9c")
    to_the_break("A draw 8h <discard", *rest, "A show 8hAcAsKcKdQhQsJcJsTd").opens("R11", at=40)


def test_R11_kept() -> None:
    rest = ("A meld 8h9hTh", "A discard 9s")
    to_the_break("A draw 8h <discard", *rest).allows(at=40)


def test_R11_a_card_that_fits_a_meld_on_the_table_is_of_use() -> None:
    lines = ("A draw ??", "A discard 9s", "A meld KcKdKh", "B draw ??", "B discard Ks")
    to_the_break(*lines, "C draw Ks <discard", "C meld Ks >meld:A:1", "C discard 9d").allows(at=45)
    assert all(f.at.pos != 45 for f in to_the_break(*lines, "C draw Ks <discard").judgement.open)


def test_R12_the_breaker_finds_no_meld_the_next_does() -> None:
    to_the_break("A draw ??", "A meld Kc >meld:B:1").finds("R12", words="there is no meld on the table yet")
    case = to_the_break("A draw ??", "A discard 9s", "A meld KcKdKh", "B draw ??", "B meld Ks >meld:A:1").clean()
    case.when("B meld Qs >meld:C:1").finds("R12")


def test_R13_deadwood_stays_concealed() -> None:
    to_the_break("A draw ??", "A discard 9s", "A show KcQd").finds("R13")
    to_the_break("A draw ??", "A discard 9s", "A meld KcKdKh").clean()
    given(GAME, HIDDEN).when("A draw ??", "A show KcQd").clean()


OUT = ("A draw ??", "A discard 9s", "A meld KcKdKh", "B draw ??", "B discard 9d", "C draw ??", "C discard 9h")


def test_R14_the_last_discard_ends_the_hand() -> None:
    case = to_the_break(*OUT)
    assert fold(case.records).phase == "count"
    case.when("A draw ??").finds("R14")
    case.when("B meld Ks >meld:A:1").finds("R14")
    case.when("A show AcAs7dQs9cTcTd", "B show Ad7sTsJcJdJhKsQcQdQh").clean()


def test_R8_gin_may_be_said_with_the_last_discard_of_all() -> None:
    """The stock is out, and C, who threw last, says gin; nobody else can, and C not any more once a hand is shown."""
    last = to_the_break(*OUT)
    said = last.when("C call gin").opens("R8")
    assert fold(said.records).hand.ending == "gin"
    said.when("C meld 7c7d7s/9cTcJc/QcQdQhQs").allows(at=47).clean()
    said.when("C meld 7c7d7s/9cTcJc", "C show QcQdQhAs").finds("R8", at=47)
    for acts in (["A call gin"], ["B show Ks", "C call gin"]):
        case = last.when(*acts).finds("R8", words="the stock is out")
        assert fold(case.records).hand.ending == "stock-out"


def test_R15_the_deal() -> None:
    given(GAME, HIDDEN).clean()
    given(GAME, "C hand 1").when("@ deal A=2c3c B=10x??", "@ deal up discard=7h", "A draw ??").clean()
    # The upcard comes from the stock, where that was laid down first.
    first = OPEN.replace("@ deal up discard=7h\n", "").replace("4s2d\n", "4s2d7h\n@ deal up discard=7h\n")
    case = given(GAME, first).when("A draw 2d").clean()
    assert len(case.judgement.state.table.row("stock")) == 20
    given(GAME, "C hand 1").when("@ deal A=11x?? B=10x?? C=10x??").finds("R15", words="A gets 10 cards, not 11")
    given(GAME, "C hand 1").when("@ deal up discard=7h8h").finds("R15", words="the discard pile gets 1 card, not 2")


def test_R14_the_lowest_count_wins_without_bonus() -> None:
    shows = ("A show AcAs7cTc9cTdQs", "B show Ad7s7d4s5s6sJhJdQdQh", "C show 2s3sTsJcKs8sQcAhJsTh")
    state = to_the_break(*OUT, *shows).clean().judgement.state
    assert state.scores[0].result == "the stock is out, A wins"
    assert [line.label for line in state.scores[0].lines][:3] == ["deadwood", "differences", "box"]


# Scoring
SEATS = ("A", "B", "C")


@pytest.mark.parametrize(
    ("ending", "counts", "points", "result"),
    [
        ("knock", (9, 11, 14), (7, 0, 0), "A knocks and wins"),
        ("knock", (9, 9, 14), (5, 0, 0), "A knocks and wins"),
        ("knock", (9, 4, 14), (0, 25, 0), "A knocks, B underknocks"),
        ("knock", (9, 4, 4), (0, 15, 0), "A knocks, B underknocks"),
        ("gin", (0, 20, 30), (90, 0, 0), "A goes gin and wins"),
        ("stock-out", (9, 4, 14), (0, 15, 0), "the stock is out, B wins"),
        ("stock-out", (9, 9, 14), (5, 0, 0), "the stock is out, A wins"),
        ("stock-out", (9, 4, 4), (0, 5, 0), "the stock is out, B wins"),
        ("stock-out", (5, 5, 5), (0, 0, 0), "the stock is out, A wins"),
    ],
)
def test_ending_the_hand_worked_examples(
    ending: str, counts: tuple[int, ...], points: tuple[int, ...], result: str,
) -> None:
    got = score_tally(Tally(ending, "A", dict(zip(SEATS, counts, strict=True))), SEATS, Options())
    assert tuple(got[0].values()) == points
    case = given(GAME, "C hand 1").when(
        f"@ tally ending={ending} by=A deadwood.A={counts[0]} deadwood.B={counts[1]} deadwood.C={counts[2]}"
    )
    case.scores(**dict(zip(SEATS, points, strict=True)))
    assert case.judgement.state.scores[0].result == result


def test_a_level_opponent_underknocks_by_the_house_rule() -> None:
    t = Tally("knock", "A", {"A": 9, "B": 14, "C": 9})
    assert score_tally(t, SEATS, Options(tie_underknocks=True))[0] == {"A": 0, "B": 0, "C": 15}


def test_what_is_missing_is_named_and_nothing_guessed() -> None:
    case = given(GAME, "C hand 1").when(
        "@ tally ending=knock by=A deadwood.A=9 deadwood.B=11"
    ).scores(A=None, B=None, C=None)
    assert case.judgement.state.scores[0].unknown == ("the deadwood of C",)


def test_the_last_hand_brings_bonus_and_boxes() -> None:
    """Played hands and hands by their result mix in one match; a box is a hand won, also with nothing."""
    hands = (
        "@ tally ending=gin by=B deadwood.A=20 deadwood.C=10",
        "A hand 2", "@ tally ending=stock-out by=C deadwood.A=5 deadwood.B=5 deadwood.C=5",
        "B hand 3", "@ tally ending=knock by=B deadwood.A=20 deadwood.B=1 deadwood.C=15",
    )  # fmt: skip
    case = given(GAME, "C hand 1").when(*hands).totals(A=0, B=253, C=25)
    state = case.judgement.state
    assert (state.ended, state.standing.winner) == ("won", "B")
    assert state.scores[-1].points == {"A": 0, "B": 183, "C": 25}
    # The sheet says the bonuses beside the hands, and their sum.
    game = sheet_of(case.records).blocks[-1]
    assert [[cell.text for cell in row.cells] for row in game.rows] == [
        ["hands", "0", "103", "0"], ["game bonus", "0", "100", "0"], ["boxes", "0", "50", "25"],
        ["total", "0", "253", "25"],
    ]  # fmt: skip


def test_the_deal_goes_round_and_a_misdeal_is_dealt_again() -> None:
    state = fold(given(GAME, LAID).when("A draw ??").records)
    assert (state.number, state.dealer, state.scores[0].points) == (2, "A", {"A": 94, "B": 0, "C": 0})
    state = fold(given(GAME, HIDDEN).when("@ end hand misdeal", "A draw ??").records)
    assert (state.number, state.dealer) == (2, "C")


def test_the_sheet_shows_what_was_left_and_could_have_been_laid_off() -> None:
    case = given(GAME, AFTER).when("B show Ac3d4dTd9h8h7s5sKs8c", "C show 2c3h4h5h5d6dTcJdQdJs")
    notes = case.judgement.state.scores[0].notes
    assert notes == ("B could have laid off 8♣ K♠ and been left with 47",)


# At the table
def test_fast_entry() -> None:
    session = Session(given(GAME, HIDDEN).records)

    def typed(line: str) -> list[str]:
        draft = session.complete(line)
        assert draft.doubts == ()
        events = [Recorded(n=session.records[-1].n + i, event=r.event) for i, r in enumerate(draft.events, 1)]
        session.take(events)
        return [write_event(r.event) for r in events]

    assert typed(". Ks") == ["A draw ??", "A discard Ks"]
    assert typed("ks 2c") == ["B draw Ks <discard", "B discard 2c"]
    assert typed("9d") == ["C discard 9d"]
    assert typed(".") == ["A draw ??"]
    assert typed("knock") == ["A discard down ??"]
    assert typed("kckdkh/4c5c6c7c") == ["A meld KcKdKh/4c5c6c7c"]
    assert typed("A s 2hAs6s") == ["A show 2hAs6s"]
    assert typed("B m 8c >meld:A:2") == ["B meld 8c >meld:A:2"]


def test_a_card_is_laid_off_onto_the_one_meld_that_it_fits() -> None:
    """If this failed, a recorder would have to count the melds of another player."""
    session = Session(to_the_break("A draw ??", "A meld KcKdKh", "A discard 9s", "B draw ??").records)
    for line in ("B mks", "B m Ks", "B meld Ks"):
        assert [write_event(r.event) for r in session.complete(line).events] == ["B meld Ks >meld:A:1"]
    assert session.complete("B meld Qs").doubts


def test_a_discard_taken_back_gives_the_turn_back() -> None:
    state = fold(given(GAME, HIDDEN).when("A draw ??", "A discard Ks", "A move Ks <discard >A").records)
    assert (state.turn, state.phase) == (("A",), "discard")


def test_after_a_gap_nobody_is_accused() -> None:
    given(GAME, HIDDEN + ROUND).when(
        "@ gap", "C draw ??", "C discard 2c", "B draw 2c <discard", "B discard down ??",
    ).clean()


def test_gin_is_offered_and_a_knock_above_ten_is_not() -> None:
    state = fold(given(GAME, OPEN).when("A draw 2d").records)
    downs = {a.cards for a in legal(state).acts if isinstance(a, Discard) and a.face == "down"}
    assert ("9s",) in downs
    assert ("4c",) not in downs


# Self-play
@pytest.mark.parametrize("seed", seeds(10, 30))
def test_matches_end_and_hidden_logs_accuse_nobody_wrongly(seed: int) -> None:
    log = simulate(GAME, seed=seed)
    assert fold(log).ended == "won"
    assert judge(log).findings == []
    assert judge(hide(log)).broken == []
    bad, truth = simulate_breaches(GAME, seed=seed, p=0.03, hands=4)
    done = {(b.position, f"{GAME}.{rule}") for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule) for f in judge(bad).broken} == done
    verdict = judge(hide(bad))
    assert {(f.at.pos, f.rule) for f in verdict.broken} <= done
    assert done <= {(f.at.pos, f.rule) for f in verdict.findings}


@pytest.mark.rest
def test_breaches_after_the_break_are_tried() -> None:
    """If this failed, the test above would say nothing of the break."""
    tried = {
        rule for seed in range(60) for b in simulate_breaches(GAME, seed=seed, p=0.03, hands=4)[1].breaches
        for rule in b.rules
    }
    assert {"R7", "R8", "R10", "R11"} <= tried
    assert find_game(GAME).simulation.most_hands == 200


TOLD = "C hand 1\n@ tally ending=gin by=A deadwood.B=20 deadwood.C=30\n"


def test_R15_the_deal_goes_round_to_the_left() -> None:
    case = given("jersey-gin", TOLD)
    case.when("A hand 2").clean()
    for dealer in "BC":
        case.when(f"{dealer} hand 2").finds("R15", words=f"A deals, not {dealer}")
    case.when("C hand 3").allows()  # a hand between was not written
    for thrown in ("@ tally void=misdeal", "@ end hand misdeal", "@ end hand agreed"):
        for dealer in "ABC":
            given("jersey-gin", f"C hand 1\n{thrown}").when(f"{dealer} hand 2").clean()


@pytest.mark.parametrize(
    "lines",
    [
        "A draw 2c\nA discard Kc\n@ gap\nA meld 7c7d7h\nC meld Jc >meld:A:1",
        "A draw ??\nA discard down ??\n@ gap\nB draw ??\nB discard 5c\nC draw 5c <discard\nC discard 7d",
    ],
    ids=["another meld has that number", "the next hand"],
)
def test_what_a_gap_swallowed_accuses_nobody(lines: str) -> None:
    """If this failed, a player would answer for melds, or for the end of a hand, that nobody wrote down."""
    assert not given(GAME, HIDDEN + lines).judgement.broken


def test_R2_a_stock_that_nobody_counted_has_no_certain_top() -> None:
    """If this failed, a card drawn would be held against one that need not lie on top."""
    dealt = "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=3h\n@ deal stock=2d8d*x??\n"
    assert not given(GAME, dealt).when("A draw Jc").judgement.broken


def test_R2_a_card_that_is_shown_was_drawn_from_the_discards_though_nobody_wrote_it() -> None:
    """If this failed, a card drawn from the discards without a line would be seen twice as soon as its hand is
    shown."""
    lines = [
        "A draw ??", "A discard 6h", "B draw ??", "B discard Qd", "C draw ??", "C discard 5s", "A discard 5d",
        "B draw ??", "B discard 8c",
    ]
    case = given(GAME, HIDDEN).when(*lines, "A show 5s").clean()
    assert any("A drew the 5♠ from the discards before this" in why for _, why in case.judgement.state.inferred)
    # Where no draw is missing it is another card, or was written wrong.
    given(GAME, HIDDEN).when(*lines[:6], "A draw ??", *lines[6:], "A show 5s").finds("T2")


def test_R2_of_a_single_pack_the_card_that_lies_below_is_not_the_unseen_one_on_top() -> None:
    """If this failed, a card could be taken from under the discard of another, as long as nobody had seen that."""
    lines = (
        "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=3h\nA draw ??\nA discard Kc\nB draw "
        "??\nB discard ??\n"
    )
    given(GAME, lines).when("C draw Kc <discard").finds("R2", words="is not on top")
    given(GAME, lines).when("C draw Qc <discard").allows()
