"""California Speed, rule by rule: each has the two cases of its kind."""

from __future__ import annotations

import pytest
from given import given, with_gap
from sampling import a_few, seeds

from events.errors import NotationError
from events.model import Move, Recorded
from events.writing import write_event
from reducers.sheet import Sheet
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

START = "B hand 1\n@ deal down stock:A=26x?? stock:B=26x??\n"
ROWS = START + "A deal col:A:1..4=7hJc2d9s <stock:A\nB deal col:B:1..4=Qd7s3c3h <stock:B\n"
STUCK = START + "A deal col:A:1..4=7hJc2d9s <stock:A\nB deal col:B:1..4=QdKs3cAh <stock:B\n"
UP = STUCK + "A move * <col:A:1..4 >stock:A_\nB move * <col:B:1..4 >stock:B_\n"


def test_R1_twenty_six_each_and_the_own_packet() -> None:
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1").clean()
    given("california-speed", "B hand 1").when("@ deal down stock:A=25x?? stock:B=27x??").finds("R1")
    given("california-speed", ROWS).when("B move Kd <stock:A >col:A:1").finds("R1")


def test_R2_a_row_of_four_laid_by_each() -> None:
    given("california-speed", ROWS).clean()
    given("california-speed", START).when("A deal col:A:1..4=7hJc2d <stock:A").finds("R2")
    given("california-speed", START).when("A deal col:B:1..4=7hJc2d9s <stock:A").finds("R2")
    given(
        "california-speed", START + "A deal col:A:1..4=7hJc2d9s <stock:A",
    ).when("A deal col:A:1..4=6hTc5d8s <stock:A").finds("R2")


def test_R3_kept_on_a_match_and_on_the_rest_of_one() -> None:
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1").allows()
    # The seven of spades has lost its partner, and may still be covered.
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1", "A move 5d <stock:A >col:B:2").allows()


def test_R3_broken_where_nothing_matches() -> None:
    given("california-speed", ROWS).when("A move Kd <stock:A >col:A:2").finds("R3", words="matches no other pile")
    # A pile covered a moment ago has to match anew.
    given("california-speed", ROWS).when("B move Kd <stock:B >col:A:1", "A move 5d <stock:A >col:A:1").finds("R3")


def test_R3_open_where_a_card_was_not_seen() -> None:
    given("california-speed", ROWS).when("B move ?? <stock:B >col:A:1", "A move 5d <stock:A >col:A:2").opens("R3")


def test_R4_the_top_card_known_from_the_gathered_order() -> None:
    # The packet has 22 unseen cards on top; nobody can say what lies there.
    given("california-speed", UP).when(
        "A deal col:A:1..4=8h8c4d5s <stock:A", "B deal col:B:1..4=6dTsKc4h <stock:B", "A move Th <stock:A >col:A:1",
    ).allows()


def test_R4_broken_when_the_gathered_card_lay_on_top() -> None:
    lines = "B hand 1\n@ deal down stock:A=26x?? stock:B=26x??\n@ gap\n"
    open_ = (
        "B hand 1\n@ deal down stock:A=AcKcQcJcTc9c8c7c6c5c4c3c2cAdKdQdJdTd9d8d7d6d5d4d3d2d "
        "stock:B=AhKhQhJhTh9h8h7h6h5h4h3h2hAsKsQsJsTs9s8s7s6s5s4s3s2s\n"
    )
    rows = open_ + "A deal col:A:1..4=2d3d4d5d <stock:A\nB deal col:B:1..4=2s3s4s5s <stock:B\n"
    given("california-speed", rows).when("A move 6d <stock:A >col:B:1").allows()
    given("california-speed", rows).when("A move 7d <stock:A >col:B:1").finds("R4")
    given("california-speed", lines).clean()


# Small packets, so that the piles taken up soon come up again; that they are small is R1's business.
SMALL = STUCK.replace("26x", "7x")
AGAIN = (
    "B move * <col:B:1..4 >stock:B_\nA deal col:A:1..4=8h4c5d{first} <stock:A\nB deal "
    "col:B:1..4=8cTh6s{other} <stock:B\n"
)


@pytest.mark.parametrize(
    ("written", "first", "second", "fine"),
    [
        ("9s2dJc7h", "9s", "2d", True),
        ("9s2dJc7h", "9s", "Jc", False),
        ("2d7h9sJc", "2d", "7h", True),
        ("2d7h9sJc", "2d", "9s", False),
        ("9s3x??", "9s", "Jc", True),
        ("9s?d2x??", "9s", "2d", True),
        ("9s?d2x??", "9s", "7h", False),
        ("9s?d2x??", "9s", "??", True),
        ("*", "9s", "7h", True),
        ("*", "Jc", "2d", True),
        ("4x??", "2d", "9s", True),
        ("*x??", "2d", "9s", True),
    ],
)
def test_R4_the_order_in_which_the_piles_were_taken_up(written: str, first: str, second: str, fine: bool) -> None:
    """If this failed, somebody would be accused by an order that the record does not tell, or not by one that it
    does."""
    again = AGAIN.format(first=first, other="Qd")
    case = given(
        "california-speed", SMALL + f"A move {written} <col:A:1..4 >stock:A_\n" + again,
    ).when(f"A move {second} <stock:A >col:B:1")
    if fine:
        assert "california-speed.R4" not in [f.rule for f in case.about()]
    else:
        case.finds("R4", words="lay on top")


# A covers twice, so that the pile 7♥ 3♦ 8♥ lies among single cards; the numbers of cards are again the packets' own.
STACK = """\
B hand 1
@ deal down stock:A=9x?? stock:B=8x??
A deal col:A:1..4=7hJc2d9s <stock:A
B deal col:B:1..4=7dKs3c4h <stock:B
A move 3d <stock:A >col:A:1
A move 8h <stock:A >col:A:1
B move Ah <stock:B >col:B:1
B move 5h <stock:B >col:B:3
"""


@pytest.mark.parametrize(
    ("written", "order", "fine"),
    [
        ("2d7h3d8hJc9s", "2d 7h 3d 8h Jc 9s", True),
        ("2d7h3d8hJc9s", "2d 7h 3d Jc", False),
        ("2d8hJc9s", "2d 7h 3d 8h Jc 9s", True),
        ("2d8hJc9s", "2d 8h", False),
        ("*", "Jc 7h 3d 8h 2d 9s", True),
        ("*", "7h 3d 8h 9s 2d Jc", True),
        ("*", "7h Jc", False),
        ("*", "9s 3d", False),
    ],
)
def test_R4_a_pile_comes_up_whole_with_its_oldest_card_first(written: str, order: str, fine: bool) -> None:
    """Once the first card of a pile has come up, the rest of it is known although nobody wrote the order of the
    piles."""
    rows = (
        f"A move {written} <col:A:1..4 >stock:A_\nB move * <col:B:1..4 >stock:B_\nA deal "
        f"col:A:1..4=Td6dTs{order[:2]} <stock:A\nB deal col:B:1..4=TcTh6s6c <stock:B\n"
    )
    *before, last = order.split()[1:]
    case = given(
        "california-speed", STACK + rows + "".join(f"A move {card} <stock:A >col:B:1\n" for card in before),
    ).when(f"A move {last} <stock:A >col:B:1")
    broken = [f.at.pos for f in case.judgement.broken if f.rule == "california-speed.R4"]
    assert broken == ([] if fine else [case.records[-1].n])


def test_R4_a_card_that_was_not_seen_leaves_the_rest_open() -> None:
    """Which pile the unseen card came from nobody knows, so nobody knows either what lies on top after it."""
    lines = SMALL + "A move * <col:A:1..4 >stock:A_\n" + AGAIN.format(first="??", other="Qd")
    for card in ("7h", "Jc", "2d", "9s"):
        given("california-speed", lines).when(f"A move {card} <stock:A >col:B:1").allows()


def test_a_pick_up_names_only_cards_that_lie_there() -> None:
    case = given("california-speed", SMALL).when("A move 9s2dJc6h <col:A:1..4 >stock:A_")
    assert [(f.rule, f.text) for f in case.judgement.broken][:1] == [
        ("table.T4", "6♥ is not in a pile that was taken up")
    ]


def test_R2_a_pick_up_nobody_wrote_is_inferred_when_a_new_row_is_laid() -> None:
    """One line that is missing is not a row laid on another."""
    case = given("california-speed", STUCK).when(
        "A deal col:A:1..4=8h4c5dTs <stock:A", "B move * <col:B:1..4 >stock:B_", "B deal col:B:1..4=8cTh6sQd <stock:B",
    ).clean()
    assert case.judgement.state.inferred == [(5, "A has taken up their own side (not recorded)")]
    given("california-speed", ROWS).when("A deal col:A:1..4=8h4c5dTs <stock:A").finds("R2", words="is already laid")


@pytest.mark.parametrize(
    ("lines", "act", "rule"),
    [
        ("B hand 1\n", "@ deal down stock:A=*x?? stock:B=26x??", ""),
        (START, "A deal col:A:1..4=*x?? <stock:A", ""),
        (ROWS, "A move *x?? <stock:A >col:A:1", "R3"),
        (ROWS + "A move *x?? <stock:A >col:A:1\n", "B move Kd <stock:B >col:A:3", "R3"),
        (STUCK, "A move *x?? <col:A:1..4 >stock:A_", ""),
        (
            START + "A deal col:A:1..4=*x?? <stock:A\nB deal col:B:1..4=7d7s3c3h <stock:B\n",
            "B move Kd <stock:B >col:A:3", "R3",
        ),
    ],
)
def test_R3_cards_nobody_counted_are_any_number(lines: str, act: str, rule: str) -> None:
    """If this failed, an onlooker who did not count would make a breach of it."""
    case = given("california-speed", lines).when(act).allows()
    if rule:
        case.opens(rule)


def test_R6_a_packet_nobody_counted_is_not_known_to_be_empty() -> None:
    lines = (
        "B hand 1\n@ deal down stock:A=*x?? stock:B=26x??\nA deal col:A:1..4=7hJc2d9s <stock:A\nB deal "
        "col:B:1..4=7d7s3c3h <stock:B\n"
    )
    case = given("california-speed", lines).when(*("A move ?? <stock:A >col:B:2" for _ in range(30)))
    assert case.judgement.state.hand.winner == ""


def test_R5_gathered_when_eight_ranks_show() -> None:
    given("california-speed", UP).clean()
    given("california-speed", ROWS).when("A move * <col:A:1..4 >stock:A_").finds("R5", words="a match shows")
    given("california-speed", STUCK).when("A move * <col:B:1..4 >stock:A_").finds("R5")


def test_R6_nothing_is_laid_after_the_end() -> None:
    log = simulate("california-speed", seed=4)
    assert judge(log).findings == []
    end = [*log, Recorded(n=log[-1].n + 1, event=Move(by="A", cards=("??",), src="stock:A", to="col:A:1"))]
    assert "california-speed.R6" in [f.rule for f in judge(end).broken]


def test_R6_contradicted_by_a_tally() -> None:
    given("california-speed", "B hand 1").when("@ tally winner=A left.B=7").clean().scores(A=1, B=0)
    given("california-speed", "B hand 1").when("@ tally winner=A left.A=7").finds("R6")


def test_R7_either_side_is_free_and_no_fault() -> None:
    given("california-speed", ROWS).when("A move Kd <stock:A >col:B:2").allows()
    given("california-speed", ROWS).when("A move Kd <stock:A >col:B:2", "B fault side A #5").finds("R7")


def test_best_of_three() -> None:
    match = given("california-speed", "B hand 1\n@ tally winner=A\nA hand 2\n@ tally winner=A", option={"best_of": 3})
    assert match.totals(A=2, B=0).judgement.state.standing.winner == "A"


def test_the_sheet_has_what_a_tally_says_was_left() -> None:
    state = given("california-speed", "B hand 1\n@ tally winner=A left.B=7").judgement.state
    (block,) = state.game.sheet(state, Sheet("", (), ())).blocks
    assert [c.text for c in block.rows[0].cells] == ["1", "A won", "–", "1", "7", "0"]


@pytest.mark.parametrize("seed", range(8))
def test_self_play_ends_and_nobody_is_accused(seed: int) -> None:
    log = simulate("california-speed", seed=seed)
    for records in (log, hide(log)):
        judgement = judge(records)
        assert judgement.state.ended
        assert judgement.broken == []


@pytest.mark.parametrize("seed", a_few(range(8), 3))
def test_every_breach_is_found(seed: int) -> None:
    log, truth = simulate_breaches("california-speed", seed=seed, p=0.05)
    breaches = {(b.position, rule) for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(log).broken} == breaches
    assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(hide(log)).broken} <= breaches


# What the record leaves out, and the order in which it is written
def test_R3_broken_where_nothing_lies() -> None:
    """While one player has taken up and waits, nothing lies there for certain; before a row it may be that nobody
    wrote it."""
    given("california-speed", STUCK).when(
        "A move * <col:A:1..4 >stock:A_", "B move ?? <stock:B >col:A:1",
    ).finds("R3", words="is empty")
    given("california-speed", UP).when("A move Kd <stock:A >col:A:1").opens("R3")


@pytest.mark.parametrize(
    ("before", "line", "inferred"),
    [
        ("", "A move Kd <stock:A >col:A:2", "AB"),
        ("A deal col:A:1..4=7hJc2d9s <stock:A", "A move Kd <stock:A >col:B:2", "B"),
        ("A deal col:A:1..4=7hJc2d9s <stock:A", "A move * <col:A:1..4 >stock:A_", "B"),
        ("B deal col:B:1..4=7hJc2d9s <stock:B", "A move 3c4h6sTd <col:A:1..4 >stock:A_", "A"),
    ],
)
def test_R2_a_row_nobody_wrote_lies_when_somebody_goes_on(before: str, line: str, inferred: str) -> None:
    """If this failed, each card laid after a row that was not written would be a breach, or would have come from
    nowhere."""
    case = given("california-speed", START + before).when(line)
    assert not case.judgement.broken
    laid = [text for _, text in case.judgement.state.inferred if "has laid a row" in text]
    assert laid == [f"{seat} has laid a row (not recorded)" for seat in inferred]


def test_R5_covers_nobody_wrote_show_when_the_piles_are_taken_up() -> None:
    """If this failed, a player would have taken up while a match showed, though it was covered without a line."""
    rows = START + "A deal col:A:1..4=7hJc2d9s <stock:A\nB deal col:B:1..4=7sQd4c8h <stock:B\n"
    given("california-speed", rows).when("A move 7hJc2d9s <col:A:1..4 >stock:A_").finds("R5", words="a match shows")
    one = given("california-speed", rows).when("A move 7hKdJc2d9s <col:A:1..4 >stock:A_")
    one.opens("R5")
    assert [f.rule for f in one.judgement.broken] == ["table.T4"], "one card too many is a slip that shows"
    two = given("california-speed", rows).when(
        "A move 7hKd3cJc2d9s <col:A:1..4 >stock:A_", "B move 7s5hQd4c8h <col:B:1..4 >stock:B_",
    )
    assert not two.judgement.broken
    assert any("laid that were not recorded" in text for _, text in two.judgement.state.inferred)


@pytest.mark.parametrize(("more", "rule"), [("Ks", "R3"), ("Ks9h", "")])
def test_R3_covers_left_out_show_later_and_then_prove_nothing(more: str, rule: str) -> None:
    """If this failed, a recorder who leaves covers out would have those accused who cover the next card; or one line
    left out would excuse every breach of the hand."""
    lines = ["A move Kd <stock:A >col:A:2", f"A move 7hJcKd{more}2d9s <col:A:1..4 >stock:A_"]
    case = given("california-speed", ROWS).when(*lines)
    if rule:
        case.finds(rule, at=5)
    else:
        case.opens("R3", at=5, words="covers are missing from the record of this hand").clean()


@pytest.mark.parametrize("played", ["5c", "5c6c"])
def test_R4_two_cards_in_a_row_from_below_show_that_those_above_were_laid(played: str) -> None:
    """If this failed, every later card of a packet would be said to lie under one that was laid without a line."""
    packs = "@ deal down stock:A=18x??4c5c6c7c9s2dJc7h stock:B=22x??3h3c7sQd\n"
    rows = ROWS.removeprefix(START)
    acts = [f"A move {played[i : i + 2]} <stock:A >col:A:1" for i in range(0, len(played), 2)][::-1]
    case = given("california-speed", f"B hand 1\n{packs}{rows}").when(*acts)
    assert {f.verdict for f in case.judgement.findings if f.rule == "california-speed.R4"} == {"broken"}
    case.when("A move 4c <stock:A >col:A:1").opens("R4") if len(played) < 3 else None


def test_R2_one_player_takes_up_and_lays_before_the_other() -> None:
    """The lines of two people who do the same at once come in any order."""
    case = given("california-speed", STUCK).when(
        "B move * <col:B:1..4 >stock:B_", "B deal col:B:1..4=6dTsKc4h <stock:B",
    )
    state = case.when("A move * <col:A:1..4 >stock:A_", "A deal col:A:1..4=8h8c4d5s <stock:A").clean().judgement.state
    assert (state.phase, state.turn, state.hand.quiet) == ("covering", ("A", "B"), 1)
    case.when("B deal col:B:1..4=6s6hQc4s <stock:B").finds("R2", words="is already laid")
    inferred = case.when("A deal col:A:1..4=8h8c4d5s <stock:A").clean().judgement.state.inferred
    assert inferred == [(7, "A has taken up their own side (not recorded)")]


def test_R5_eight_ranks_want_eight_piles() -> None:
    given("california-speed", ROWS).when(
        "B move ?? <stock:B >col:A:1", "A move ?? <stock:A >col:B:4",
    ).when("A move * <col:A:1..4 >stock:A_").opens("R5")


def test_R6_the_packet_that_is_empty_wins_whoever_laid_its_last_card() -> None:
    log = simulate("california-speed", seed=4)
    last = log[-1].event
    assert isinstance(last, Move)
    thief = "B" if last.by == "A" else "A"
    wrong = [*log[:-1], Recorded(n=log[-1].n, event=Move(by=thief, cards=last.cards, src=last.src, to=last.to))]
    verdict = judge(wrong)
    assert [f.rule for f in verdict.broken] == ["california-speed.R1"]
    assert verdict.state.hand.winner == last.by


def test_R6_a_tally_names_a_winner_there_can_be() -> None:
    given("california-speed", "B hand 1").when("@ tally winner=C").finds("R6", words="won by A or B")
    given("california-speed", "B hand 1").when("@ tally winner=draw").clean().scores(A=0, B=0)
    log = simulate("california-speed", seed=4)
    winner = judge(log).state.hand.winner
    lines = "\n".join(write_event(r.event) for r in log[1:]) + "\n"
    given("california-speed", lines).when(f"@ tally winner={winner}").clean()
    given("california-speed", lines).when(
        f"@ tally winner={'A' if winner == 'B' else 'B'}"
    ).finds("T12", words=f"winner is {winner}")


def test_after_a_gap_nobody_is_accused_and_a_new_row_begins_afresh() -> None:
    case = given("california-speed", ROWS).when(
        "@ gap 5", "A move Kd <stock:A >col:A:2", "A move * <col:A:1..4 >stock:A_",
    ).allows()
    case = given("california-speed", ROWS).when(
        "@ gap 5", "A deal col:A:1..4=8h8c4d5s <stock:A", "B deal col:B:1..4=6dTsKc4h <stock:B",
    ).clean()
    case.when("A move Qc <stock:A >col:B:1").finds("R3")
    case.when("@ tally winner=A").scores(A=1, B=0)


@pytest.mark.parametrize("seed", seeds(10, 20))
def test_a_gap_anywhere_accuses_nobody(seed: int) -> None:
    """What went by unrecorded explains whatever looks odd after it."""
    log = hide(simulate("california-speed", seed=seed, seats=["A", "B"]))
    assert [(f.at.pos, f.rule, f.text) for f in judge(with_gap(log, seed)).broken] == []


# The recorder's shorthand
TYPED = [
    ("A 7hjc2d9s", "A deal col:A:1..4=7hJc2d9s <stock:A"),
    ("B qd7s3c3h", "B deal col:B:1..4=Qd7s3c3h <stock:B"),
    ("B kd7h", "B move Kd <stock:B >col:A:1"),
    ("A ??7s", "A move ?? <stock:A >col:B:2"),
    ("A 8d 3c", "A move 8d <stock:A >col:B:3"),
    (".", "A move * <col:A:1..4 >stock:A_"),
    (".", "B move * <col:B:1..4 >stock:B_"),
    (". .", "A deal col:A:1..4=4x?? <stock:A"),
]


@pytest.mark.parametrize("lines", ["", "B hand 1\n@ tally winner=A\n"], ids=["the first game", "the next one"])
def test_a_game_begins_with_its_first_row(lines: str) -> None:
    """If this failed, the first row of a game would be kept as cards played to nowhere."""
    session = Session(given("california-speed", lines, option={"best_of": "3"}).records)
    assert [
        write_event(r.event) for r in session.complete("A 7hjc2d9s").events
    ] == ["A deal col:A:1..4=7hJc2d9s <stock:A"]


def test_a_game_is_typed_in_few_strokes() -> None:
    """Nobody keeps up with this game who has to name every pile."""
    session = Session(given("california-speed", START).records)
    for line, written in TYPED:
        events = session.complete(line).events
        assert write_event(events[0].event) == written, line
        n = session.records[-1].n
        answer = session.take([Recorded(n=n + 1 + i, event=r.event) for i, r in enumerate(events)]).line
        assert " has " in answer
    assert session.state.phase == "covering"
    with pytest.raises(NotationError, match="8 things"):
        session.complete("B 5d??")
    given("california-speed", ROWS).when("A play Qd9d").finds("R3", words="A qd7h")
