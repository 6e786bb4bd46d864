"""Play or Pay, rule by rule: each has the cases of its kind; then what nobody wrote or saw, the pot, results, whole
matches."""

from __future__ import annotations

import pytest
from given import Given, given, log
from sampling import a_few

from events.writing import write_event
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate
from replay.table.position import here
from replay.table.session import Session

GAME = "play-or-pay"
# C deals, so A begins. Of each hand two or three cards are seen.
HANDS = "C hand 1\n@ deal A=6c8cKh15x?? B=7c2h15x?? C=9cAh15x??\n"
HIDDEN = "C hand 1\n@ deal A=18x?? B=17x?? C=17x??\n"
SIX = HANDS + "A play 6c\n"
KING = HANDS + "A play Kh\n"


def three(lines: str = "", **option: object) -> Given:
    """Three players."""
    return given(GAME, lines, Seats="A B C", **({"option": option} if option else {}))


def clubs(first: str, *, hidden: bool = True) -> str:
    """All clubs from this one on, A, B, C, A … in turn."""
    order = "A23456789TJQK"
    start = order.index(first)
    deal = HIDDEN if hidden else "C hand 1\n"
    return deal + "".join(f"{'ABC'[i % 3]} play {order[(start + i) % 13]}c\n" for i in range(13))


# The last heart is C's last card: A has two cards left, B one.
END = """C hand 1
@ deal A=5h2sAs B=6hKs C=7h
A play 5h
B play 6h
C play 7h
"""


# R1, duty
def test_R1_the_dealers_left_begins() -> None:
    three(HIDDEN).when("A play 6c").allows()
    three(HIDDEN).when("B play 6c").finds("R1", words="C dealt, so A begins")


# R2, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (SIX, "B play 2h", "7♣ is due, not 2♥"), (SIX, "B play Tc", "7♣ is due"), (SIX, "B play 7c8c", "one card"),
        (KING, "B play 2h", "A♥ is due"),
    ],
)
def test_R2_broken(lines: str, act: str, words: str) -> None:
    three(lines).when(act).finds("R2", words=words)


def test_R2_kept() -> None:
    three(SIX).when("B play 7c", "C pay 1 >pot", "A play 8c", "B pay 1", "C play 9c").clean()


def test_R2_open_if_it_was_not_seen() -> None:
    three(SIX).when("B play ??").opens("R2")
    three(SIX).when("B play ?c").opens("R2")
    three(SIX).when("B play ?h").finds("R2")


def test_R2_a_card_played_too_early_is_passed_over() -> None:
    case = three(HIDDEN + "A play 6c\n").when("B play 8c", "C pay 1 >pot", "A pay 1 >pot", "B play 7c")
    case.allows()
    assert case.judgement.state.game.pack.faces[case.judgement.state.hand.due] == "9c"


def test_R2_one_card_begins_a_sequence() -> None:
    three(HIDDEN).when("A play 6c7c").finds("R2", words="one card is played at a time")
    three(clubs("6")).when("A play 2h3h").finds("R2", words="one card is played at a time")


def test_R2_a_card_taken_back_was_not_played() -> None:
    """If this failed, the 8♣ would be passed over later, and whoever plays it then be accused."""
    early = three(HIDDEN + "A play 6c\nB play 8c\n").when("B move 8c <foundation:c >B")
    assert (early.judgement.state.turn, early.judgement.state.hand.paid) == (("B",), {"A": 0, "B": 0, "C": 0})
    early.when("B pay 1 >pot", "C play 7c", "A pay 1 >pot", "B play 8c", "C play 9c").allows().allows(at=8)
    right = three(HIDDEN + "A play 6c\nB play 7c\n").when("B move 7c <foundation:c >B")
    right.when("B pay 1 >pot").finds("R3", words="B holds the 7♣")
    right.when("B play 7c", "C play 8c").clean()
    first = three(HIDDEN + "A play 6c\n").when("A move 6c <foundation:c >A")
    first.when("A play 2h", "B play 3h").clean()
    first.when("B play 2h").finds("R1")
    for act in ("B move 8c >B", "@ move 8c >B", "B move 8c <foundation:C >B"):
        three(HIDDEN + "A play 6c\nB play 8c\n").when(act, "B pay 1 >pot", "C play 7c", "A play 8c").allows(at=7)
    session = Session(three("A play 6c\nB play 8c\n").records)
    for line in ("mo 8c >b", ".", "c 7c"):
        session.take(session.complete(line).events)
    assert session.state.turn == ("A",)
    unseen = three(HIDDEN + "A play 6c\nB play ??\n").when("B move ?? <foundation >B", "C play 8c").finds("R2")
    assert unseen.judgement.state.hand.dark is False


def test_R2_the_card_due_stands_with_the_hand() -> None:
    state = three(SIX).judgement.state
    assert (state.game.score(state).contract, state.game.display.headline(state)) == ("7♣ due", {"due": "7♣", "pot": 0})
    done = three(clubs("6")).judgement.state
    assert (done.game.score(done).contract, done.game.display.headline(done)) == ("", {"pot": 0})


# R3, duty
@pytest.mark.parametrize(
    ("act", "words"),
    [("B pay 1 >pot", "B holds the 7♣, and plays it"), ("B pay 2 >pot", "one chip"), ("B pay 1", "holds the 7♣")]
)
def test_R3_broken(act: str, words: str) -> None:
    three(SIX).when(act).finds("R3", words=words)


def test_R3_kept() -> None:
    three(SIX + "B play 7c\n").when("C pay 1 >pot").allows()


def test_R3_hidden_until_the_card_comes() -> None:
    lines = HIDDEN + "A play 6c\nB pay 1 >pot\n"
    three(lines).opens("R3")
    three(lines + "C pay 1 >pot\nA pay 1 >pot\n").when("B play 7c").finds("R3", at=4, known=7)
    three(lines).when("C play 7c").clean()


def test_R3_a_payment_is_missing_where_payments_are_written() -> None:
    lines = HIDDEN + "A play 6c\nB pay 1 >pot\nC play 7c\n"
    three(lines).when("B play 8c").opens("R3")
    three(HIDDEN + "A play 6c\n").when("C play 7c").allows()


# R4, consequence
def test_R4_round_the_corner() -> None:
    three(KING).when("B play 2h").finds("R4", words="after the king comes the ace: A♥ is due")
    three(KING).when("B pay 1 >pot", "C play Ah", "A pay 1 >pot", "B play 2h").clean()
    three(KING).when("B play ??").opens("R4")
    three(KING).when("B play ?d").finds("R4")


# R5, duty
def test_R5_another_sequence_at_once() -> None:
    lines = clubs("6")
    assert three(lines).judgement.state.turn == ("A",)
    three(lines).when("A play 2h").allows()
    three(lines).when("B play 2h").finds("R5", words="A has played the last card of the suit")
    three(lines).when("A pay 1 >pot").finds("R5", words="no player pays")


# R6, consequence
def test_R6_the_hand_is_over() -> None:
    case = three(END)
    assert case.judgement.state.hand.winner == "C"
    case.when("A play 2s").finds("R6", words="C has no card left")
    case.when("B play Ks").finds("R6")
    assert case.when("A play 2s").judgement.state.number == 1


def test_R6_a_hand_that_nobody_counted_may_be_over() -> None:
    deal = "C hand 1\n@ deal A=*x?? B=2x?? C=2x??\n"
    case = three(deal + "A play 6c\n")
    # If that was A's last card, nobody pays any more, and nobody plays; if A plays again, it was not.
    case.when("B play 7c").opens("R6").when("C play 8c", "A play 9c").settles("R6", at=4)
    case.when("B pay 2 >pot").opens("R3")


def test_R6_a_card_that_nobody_saw_begins_the_next_hand() -> None:
    # It would be A's turn to deal, and B who begins.
    after = three(END).when("B play ??")
    assert (after.judgement.state.number, after.judgement.state.settled) == (2, False)


def test_R6_the_last_card_of_a_suit_begins_no_sequence() -> None:
    deal = "C hand 1\n@ deal A=6c B=7cKs C=8cQs\n"
    assert three(deal + "A play 6c\n").judgement.state.hand.winner == "A"


# R7, consequence
def test_R7_the_pot() -> None:
    paid = END.replace("C play 7h", "C pay 1 >pot\nA pay 1 >pot\nB pay 1 >pot\nC play 7h")
    case = three(paid)
    # Three chips were paid, and three cards are left.
    case.scores(A=-1 - 2, B=-1 - 1, C=6 - 1)
    case.when("A pay 2 >pot", "B pay 1 >pot", "@ pay 6 <pot >C").allows(at=9).allows(at=10).allows(at=11)
    case.when("A pay 3 >pot").finds("R7", words="A holds 2 cards, and pays 3")
    case.when("@ pay 7 <pot >C").finds("R7", words="the pot has 6")
    case.when("@ pay 6 <pot >A").finds("R7", words="the pot is C's")
    case.when("A pay 2 >pot", "B pay 1 >pot", "A pay 2 >pot").finds("R7", words="A has paid already")
    case.when("@ pay 6 <pot >C", "@ pay 6 <pot >C").finds("R7", words="C has taken the pot already")


@pytest.mark.parametrize(
    ("payments", "wrong"),
    [
        (["A pay 1 >pot", "A pay 1 >pot"], ""),
        (["A pay 1 >pot", "A pay 1 >pot", "A pay 1 >pot"], "A has paid already"),
        (["A pay 1 >pot", "A pay 2 >pot"], "A holds 2 cards, and pays 3"),
        (["@ pay 2 <pot >C", "@ pay 4 <pot >C"], ""),
        (["@ pay 2 <pot >C", "@ pay 5 <pot >C"], "the pot has 6"),
        (["C pay 1 >pot"], "C holds 0 cards, and pays 1"),
    ],
)
def test_R7_a_debt_may_be_paid_in_parts(payments: list[str], wrong: str) -> None:
    """The text does not say in how many parts: nobody is accused of the first of them."""
    paid = END.replace("C play 7h", "C pay 1 >pot\nA pay 1 >pot\nB pay 1 >pot\nC play 7h")
    case = three(paid).when(*payments)
    case.finds("R7", words=wrong) if wrong else case.allows().allows(at=len(case.records) - 2)


def test_R7_a_payment_that_is_not_written_is_asked_for() -> None:
    three(END).when("A hand 2").clean()
    case = three(END).when("A pay 1 >pot", "A hand 2")
    case.opens("R7").allows()
    three(END).when("A pay 1 >pot", "A pay 1 >pot", "A hand 2").opens("R7")


def test_the_example_is_the_card_due() -> None:
    """If this failed, a card nobody saw would be followed by an example that cannot be right."""
    session = Session(log(GAME, "C hand 1\nA play 6c\nB play ??\n", Seats="A B C"))
    assert "  for example  8c" in list(here(session.reader))


def test_R7_the_deal_passes_to_the_left() -> None:
    three(END).when("A hand 2").allows()
    three(END).when("B hand 2").finds("R7", words="the deal passes to the left")
    three("C hand 1\n@ end hand misdeal\n").when("C hand 2").allows()


# R8, duty
def test_R8_the_deal() -> None:
    three("C hand 1").when("@ deal A=18x?? B=17x?? C=17x??").allows()
    three("C hand 1").when("@ deal A=17x?? B=17x?? C=18x??").allows()
    three("C hand 1").when("@ deal A=19x?? B=17x?? C=16x??").finds("R8", words="not 19")
    three("C hand 1").when("@ deal A=18x?? B=16x?? C=18x??").finds(
        "R8", words="A and C cannot all get 18 cards: 1 is left over",
    )
    three("C hand 1").when("@ deal A=18x??", "@ deal B=18x??").finds("R8", words="1 is left over")
    five = given(GAME, "E hand 1\n@ deal A=10x?? B=11x?? C=11x??", Seats="A B C D E")
    five.when("@ deal D=10x?? E=10x??").allows()
    five.when("@ deal D=11x??").finds("R8", words="B, C and D cannot all get 11 cards: 2 are left over")
    three("C hand 1").when("@ deal stock=1x??").finds("R8", words="all cards are dealt to the seats")
    assert [len(three("C hand 1\nA play 6c\n").judgement.state.holding(s)) for s in "ABC"] == [17, 17, 17]


def test_R8_the_cards_left_over_are_dealt_too() -> None:
    """If this failed, whoever plays the last of so many cards would win with one in the hand."""
    case = three("C hand 1\n@ deal A=17x?? B=17x?? C=17x??\n")
    begun = case.when("A play 6c").clean().judgement.state
    assert [len(begun.holding(s)) for s in "ABC"] == [17, 17, 17]
    assert [text for _, text in begun.inferred] == [
        "the whole pack is dealt, so A got one card more than the others (not recorded)"
    ]
    later = case.when("@ deal B=??", "A play 6c").judgement.state
    assert [len(later.holding(s)) for s in "ABC"] == [16, 18, 17]
    six = given(
        GAME, f"F hand 1\n@ deal {' '.join(f'{s}=8x??' for s in 'ABCDEF')}\nA play 6c", Seats="A B C D E F",
    ).judgement.state
    assert [text for _, text in six.inferred] == [
        "the whole pack is dealt, so A, B, C and D got one card more than the others (not recorded)"
    ]
    assert not given(
        GAME, f"D hand 1\n@ deal {' '.join(f'{s}=13x??' for s in 'ABCD')}\nA play 6c",
    ).judgement.state.inferred


def test_R8_in_turn() -> None:
    three(SIX).when("C play Ah").finds("R8", words="it is the turn of B")
    three(SIX).when("C pay 1 >pot").opens("R8")
    three(SIX + "B play 7c\n").when("C pay 1 >pot").allows()


# What nobody wrote or saw
def test_payments_that_nobody_wrote_follow_from_the_card() -> None:
    case = three(HIDDEN).when("A play 6c", "A play 7c", "C play 8c")
    case.clean()
    assert case.judgement.state.hand.paid == {"A": 0, "B": 2, "C": 1}
    assert not any("paid a chip" in text for _, text in case.judgement.state.inferred)
    written = three(HIDDEN).when("A play 6c", "B pay 1 >pot", "C play 7c", "C play 8c").judgement.state
    assert any("A and B have paid a chip each" in text for _, text in written.inferred)


def test_a_card_that_nobody_saw_counts_as_the_one_due() -> None:
    lines = HIDDEN + "A play 6c\nB play ??\nC play 8c\n"
    assert three(lines).judgement.state.hand.paid == {"A": 0, "B": 0, "C": 0}
    three(lines).when("A play 2h").opens("R2")
    three(lines).when("A pay 1 >pot").opens("R8")
    three(lines + "A play 2h\n").when("@ fix #4 B play 7c").finds("R2", at=6)


def test_a_gap_leaves_the_score_open() -> None:
    three(END.replace("B play 6h", "@ gap")).when("A hand 2").scores(A=None, B=None, C=None)


def test_a_hand_typed_in_few_keys() -> None:
    session = Session(three("").records)
    for line in ("6c", ".", "C 7c", "8c"):
        session.take(session.complete(line).events)
    assert [write_event(r.event) for r in session.records[1:]] == [
        "A play 6c", "B pay 1 >pot", "C play 7c", "A play 8c",
    ]
    assert session.state.game.display.headline(session.state) == {"due": "9♣", "pot": 1}


# Results, matches
@pytest.mark.parametrize(
    ("facts", "points"),
    [
        ("winner=A paid.A=9 paid.B=11 paid.C=6 left.B=4 left.C=2", {"A": 23, "B": -15, "C": -8}),
        ("winner=B paid.A=0 paid.B=1 paid.C=2 left.A=3 left.C=1", {"A": -3, "B": 6, "C": -3}),
        ("winner=A paid.A=9", {"A": None, "B": None, "C": None}),
    ],
)
def test_a_result_without_its_cards(facts: str, points: dict[str, int | None]) -> None:
    assert three("C hand 1\n").when(f"@ tally {facts}").judgement.state.scores[-1].points == points


@pytest.mark.parametrize(
    "facts",
    [
        "winner=A left.A=1", "winner=A left.B=0", "left.A=53", "winner=X", "winner=A left.B=19 left.C=1",
        "winner=A left.B=18 left.C=18",
    ]
)
def test_a_result_that_cannot_be(facts: str) -> None:
    """Of three players nobody is dealt more than 18 cards, and the winner has played 17 of them or more."""
    assert three("C hand 1\n").when(f"@ tally {facts}").about(), facts
    three("C hand 1\n").when("@ tally winner=A left.B=18 left.C=17").clean()


@pytest.mark.parametrize("seats", a_few(["ABC", "ABCD", "ABCDE", "ABCDEF", "ABCDEFG", "ABCDEFGH"], 2))
def test_R3_payments_that_go_with_no_hand_are_open(seats: str) -> None:
    """The turn goes round, so that what was played tells what was paid: a chip too many or too few is noticed."""
    for seed in range(4):
        state = fold(simulate(GAME, seed=seed, seats=seats, hands=1))
        winner = state.hand.winner
        left = " ".join(f"left.{s}={len(state.holding(s))}" for s in seats if s != winner)
        tally = f"{state.dealer} hand 1\n@ tally winner={winner} {left}"

        def told(more: dict[str, int], tally: str = tally, paid: dict[str, int] = state.hand.paid) -> Given:
            return given(
                GAME, f"{tally} {' '.join(f'paid.{s}={n + more.get(s, 0)}' for s, n in paid.items())}",
                Seats=" ".join(seats),
            )

        assert not told({}).judgement.findings
        for player in seats:
            told({player: 1}).opens("R3").allows()
    assert not three("C hand 1\n@ tally winner=A paid.A=9 left.B=4 left.C=2\n").judgement.findings


def test_a_claim_is_compared() -> None:
    case = three(END, chips=50)
    assert claim_differences(score_match(case.when("@ claim A=48 B=49 C=53").records)) == []
    assert claim_differences(score_match(case.when("@ claim A=50 B=49 C=51").records))


@pytest.mark.parametrize(
    ("seats", "each"),
    [("A B C", [18, 17, 17]), ("A B C D E", [11, 11, 10, 10, 10]), ("A B C D E F G H", [7] * 4 + [6] * 4)],
)
def test_whole_matches(seats: str, each: list[int]) -> None:
    log = simulate(GAME, seed=1, hands=2, seats=seats.split())
    assert [len(cards) for _, cards in log[2].event.piles] == each
    for record in (log, hide(log)):
        verdict = judge(record)
        assert verdict.broken == []
        assert all(sum(n or 0 for n in s.points.values()) == 0 for s in verdict.state.scores)


@pytest.mark.parametrize("seen", ["8c", "?c", "8?", "??"])
def test_R3_an_unseen_card_that_may_be_due_shows_who_has_paid_as_a_seen_one_does(seen: str) -> None:
    lines = "C hand 1\n@ deal A=6c8c9c B=7c2h3h C=2d3d4d\n"
    case = three(lines).when("A play 6c", "B play 7c", f"A play {seen}", "A play 9c")
    assert case.judgement.state.hand.paid == {"A": 0, "B": 1, "C": 2}
