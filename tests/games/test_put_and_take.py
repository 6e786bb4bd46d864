"""Put and Take, rule by rule: each has the cases of its kind; then the score, hands that nobody saw, whole matches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from given import Given, given, log
from msgspec.structs import replace
from sampling import seeds

from events.model import Pay, Play, Recorded
from events.writing import write_event
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import judge
from replay.masking import mask_one
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.position import here
from replay.table.session import Session

GAME = "put-and-take"
# C deals: A has two sevens, B a king and a nine that come again.
DEALT = "C hand 1\n@ deal A=7c7dAh2s3s B=KcKd9hJsQs\n"
# Nobody has matched yet but A, with two sevens for the first card.
SEVEN = DEALT + "C play 7h <stock\n"
# Four more: A puts 2 (two sevens at one), B 3 (the king turned third: two at three) and 5 (the nine).
PUT = SEVEN + "C play 8c <stock\nC play Kh <stock\nC play 8d <stock\nC play 9c <stock\n"
# Five more: B takes 2 (nine, second), A 6 (two sevens, third), B 10 (two kings, fifth).
WHOLE = PUT + "C play 4c <stock\nC play 9d <stock\nC play 7s <stock\nC play 4d <stock\nC play Ks <stock\n"
HIDDEN = "C hand 1\n@ deal A=5x?? B=5x??\n"
# The same hand with its payments, as a table keeps it that lays no hand open.
PAID = """
C play 7h <stock
A pay 2 >pot
C play 8c <stock
C play Kh <stock
B pay 6 >pot
C play 8d <stock
C play 9c <stock
B pay 5 >pot
C play 4c <stock
C play 9d <stock
B pay 2 <pot
C play 7s <stock
A pay 6 <pot
C play 4d <stock
C play Ks <stock
"""
LAST = "B pay 5 <pot\nC pay 5 >B\n"


def three(lines: str, **option: object) -> Given:
    """Three players, C deals."""
    return given(GAME, lines, Seats="A B C", **({"option": option} if option else {}))


# R1, consequence
def test_R1_five_cards_each() -> None:
    three("C hand 1").when("@ deal A=5x?? B=5x??").allows()
    three("C hand 1").when("@ deal A=6x?? B=5x??").finds("R1", words="A gets 5 cards, not 6")


@pytest.mark.parametrize("before", ["C hand 1", ""])
def test_R1_none_to_the_dealer(before: str) -> None:
    three(before).when("@ deal A=5x?? B=5x?? C=5x??").finds("R1", words="C deals, and gets no cards")


# R2, duty
@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("A play 7h <stock", "C deals, and turns the cards"),
        ("C play 7h <A", "turned from the stock"),
        ("C play 7h8h <stock", "one by one"),
    ],
)
def test_R2_broken(act: str, words: str) -> None:
    three(DEALT).when(act).finds("R2", words=words)


def test_R2_kept_and_no_eleventh_card() -> None:
    three(WHOLE).clean()
    case = three(WHOLE).when("C play Qc <stock")
    case.finds("R2", words="ten cards have been turned")
    assert case.judgement.state.number == 1
    # A card that lies on the board shows that another hand was dealt.
    assert three(WHOLE).when("C play Ks <stock").allows().judgement.state.number == 2


def test_R2_more_cards_at_once_than_there_are_to_turn() -> None:
    case = three(WHOLE.removesuffix("C play Ks <stock\n")).when("C play KsKh <stock")
    case.finds("R2", words="one by one").scores(A=4, B=1, C=-5)


def test_R2_a_hand_that_is_dealt_again_has_ten_cards_of_its_own() -> None:
    case = three(DEALT + "C play 7h <stock\n@ end hand misdeal\n").when("C play 8c <stock")
    case.clean()
    assert (case.judgement.state.number, len(case.judgement.state.hand.turned)) == (2, 1)
    # Also if the misdeal was found with the tenth card.
    late = three(HIDDEN + PAID + "@ end hand misdeal\n").when("C play 8s <stock")
    late.allows()
    assert late.judgement.state.number == 2


def test_R2_two_cards_at_once_that_nobody_saw() -> None:
    three(DEALT).when("C play 2x?? <stock").finds("R2", words="one by one")


def test_R3_what_is_put_goes_into_the_pot() -> None:
    three(SEVEN).when("A pay 2 >C").finds("R3", words="goes into the pot, not to C")
    three(PUT + "C play 4c <stock\n").when("A pay 2 >C").finds(
        "R3", words="only the dealer pays from the sixth card on",
    )


def test_R7_the_rest_of_the_pot_may_be_written_after_the_next_hand_has_begun() -> None:
    case = three(WHOLE + "A hand 2\n").when("@ pay 1 <pot >C")
    case.allows()
    case.opens("R4")
    three(WHOLE + "A hand 2\n").when("@ pay 1 <pot >B").finds("R4", words="no card has been turned")


def test_R2_the_next_dealer_begins_another_hand() -> None:
    case = three(WHOLE).when("A play Qc <stock")
    case.allows()
    assert case.judgement.state.number == 2


def test_R2_whoever_turns_the_first_card_of_a_record_without_a_dealer_deals() -> None:
    """If this failed, a player who deals would be accused at every card because nobody wrote who does."""
    case = three("A play 7h <stock\nB pay 2 >pot\n" + "".join(f"A play {c} <stock\n" for c in ("8c", "9c")))
    assert case.judgement.broken == []
    assert case.judgement.state.hand.players == ("B", "C")
    # Only the dealer turns cards, and the others put: A or B has broken a rule, and nothing shows which of them.
    case.when("B play 2d <stock").opens("R2").allows()
    case.when("A pay 3 >pot").opens("R3").allows()
    three("@ deal B=5x?? C=5x??\n").when("A play 7h <stock").allows(at=1).allows()
    # Somebody wrote it.
    three("C hand 1\n").when("A play 7h <stock").finds("R2", words="C deals")
    given(GAME, "", Seats="A B C", Dealer="C").when("A play 7h <stock").finds("R2", words="C deals")


# R3, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (SEVEN, "A pay 3 >pot", "A puts 3 for 7♥, and 2 are due"),
        (SEVEN, "B pay 1 >pot", "B puts 1 for 7♥, and nothing is due"),
        (SEVEN + "A pay 2 >pot\n", "A pay 1 >pot", "A puts 3 for 7♥, and 2 are due"),
        (SEVEN + "A pay 1 >pot\n", "C play 8c <stock", "A has put 1 of the 2 due for 7♥"),
        (DEALT, "A pay 1 >pot", "no card has been turned"),
        (SEVEN, "C pay 1 >pot", "C deals, and puts nothing"),
        (PUT + "C play Kc <stock\n", "B pay 2 >pot", "take from the sixth on"),
    ],
)
def test_R3_broken(lines: str, act: str, words: str) -> None:
    three(lines).when(act).finds("R3", words=words)


@pytest.mark.parametrize("act", ["A pay 2 >pot", "A pay 2", "@ pay 2 <A >pot", "A pay 1 >pot"])
def test_R3_kept(act: str) -> None:
    three(SEVEN).when(act).allows()


def test_R3_a_record_of_cards_alone_owes_nothing() -> None:
    three(WHOLE).clean()


def test_R3_hidden_hands_leave_it_open_until_they_are_shown() -> None:
    lines = HIDDEN + "C play 7h <stock\n"
    three(lines).when("A pay 2 >pot").opens("R3")
    three(lines).when("A pay 2 >pot", "C play 8c <stock").opens("R3")
    case = three(HIDDEN + PAID.replace("A pay 2", "A pay 3") + LAST).when("A show 7c7dAh2s3s")
    case.finds("R3", at=4, known=20, words="A puts 3")
    three(HIDDEN + PAID + LAST).when("A show 7c7dAh2s3s", "B show KcKd9hJsQs").clean()


# R4, duty
@pytest.mark.parametrize(
    ("card", "act", "words"),
    [
        ("7s", "A pay 3 <pot", "A takes 3 for 7♠, and 2 are due"),
        ("7s", "B pay 1 <pot", "nothing is due"),
        ("4c", "A pay 1 <pot", "A takes 1 for 4♣, and nothing is due"),
    ],
)
def test_R4_broken(card: str, act: str, words: str) -> None:
    three(PUT + f"C play {card} <stock\n").when(act).finds("R4", words=words)


def test_R4_nobody_takes_in_the_put_round() -> None:
    three(SEVEN).when("C pay 2 >A").finds("R4", words="put for the first five cards")


@pytest.mark.parametrize("after", ["C play 4c <stock", "A hand 2"])
def test_R4_too_little_taken(after: str) -> None:
    lines = DEALT + PAID + "B pay 5 <pot\n" if after == "A hand 2" else PUT + "C play 9s <stock\n@ pay 1 <pot >A\n"
    words = "B has taken 5 of the 10 due for K♠" if after == "A hand 2" else "B has taken nothing of the 1 due for 9♠"
    three(lines).when(after).finds("R4", words=words)


def test_R3_that_hands_stay_hidden_is_told_once_and_only_of_those_in_doubt() -> None:
    """If this failed, a record of payments would have an open question at every card."""

    def told(lines: str) -> list[tuple[int, str]]:
        return [(f.at.pos, f.text) for f in check(three(lines).records).findings]

    both, b = "A and B", "whether B put and took what was due: the cards of B were not shown"
    whole = HIDDEN + PAID + LAST
    assert told(whole + "C pass\nA hand 2\n") == [
        (17, f"whether {both} put and took what was due: the cards of {both} were not shown")
    ]
    assert told(whole + "A show 7c7dAh2s3s\n") == [(17, b)]
    assert told(whole + "A show 7c7dAh2s3s\nB show KcKd9hJsQs\n") == []
    assert told(
        DEALT + PAID.replace("Kh <stock", "?? <stock") + LAST
    ) == [(17, "what was due for an unseen card")]
    # What a hand that is shown proves is told of its own card.
    assert told(
        whole.replace("A pay 2", "A pay 3") + "A show 7c7dAh2s3s\n"
    ) == [(4, "A puts 3 for 7♥, and 2 are due"), (17, b)]
    # Without payments nothing was taken at anybody's word; in a hand that was not played to its end each question
    # stands by itself.
    cards = "".join(line + "\n" for line in PAID.splitlines() if "play" in line)
    assert told(HIDDEN + cards + "A hand 2\n") == []
    assert len(told(HIDDEN + "C play 7h <stock\nA pay 2 >pot\nC play 8c <stock\n")) == 2


TWICE = HIDDEN + "C play 7h <stock\nA pay 1 >pot\nC play 8c <stock\nC play 7s <stock\n"


@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (TWICE, "C play 8d <stock", "A has put for none of the rank of 7♠, and for 1 when 7♥ was turned"),
        (
            TWICE + "A pay 6 >pot\n", "C play 8d <stock",
            "A has put for 2 of the rank of 7♠, and for 1 when 7♥ was turned",
        ),
        (HIDDEN + "C play 7h <stock\nA pay 2 >pot\nB pay 2 >pot\n", "C play 8d <stock", "more cards of the rank of 7♥"),
        (
            HIDDEN + "C play 2h <stock\nA pay 3 >pot\nC play 3h <stock\nA pay 4 >pot\nC play 4h <stock\nA pay 3 >pot\n",
            "C play 8d <stock",
            "A has put or taken for 6 cards, and holds 5",
        ),
    ],
)
def test_R3_payments_that_cannot_all_be_right_are_told_at_once_and_accuse_nobody(
    lines: str, act: str, words: str,
) -> None:
    """If this failed, payments of which one is certainly wrong would be taken as they are written without a word."""
    case = three(lines).when(act).allows().opens("R3")
    assert words in case.about()[0].text
    # The hand that is shown says which of them it was.
    if lines == TWICE:
        case = case.when("A show 7c9dAh2s3s").finds(
            "R3", at=7, known=8, words="A has put nothing of the 3 due for 7♠",
        ).settles("R3", at=4)
        assert not [f for f in case.judgement.open if "A has" in f.text]


@pytest.mark.parametrize("act", ["A hand 2", "A play Qc <stock", "@ deal B=5x?? C=5x??", "C pass", "@ end match"])
def test_R4_whatever_comes_after_the_last_card_shows_who_has_not_taken(act: str) -> None:
    """If this failed, nobody would be told of a forgotten payment, unless the next hand was announced."""
    three(DEALT + PAID).when(act).finds("R4", words="B has taken nothing of the 10 due for K♠")


@pytest.mark.parametrize("why", ["misdeal", "void"])
def test_R4_nothing_is_due_in_a_hand_that_does_not_count(why: str) -> None:
    three(DEALT + PAID).when(f"@ end hand {why}").allows()


def test_R4_hidden_hands_leave_it_open_until_they_are_shown() -> None:
    seven = PAID.replace("A pay 6 <pot", "A pay 3 <pot")
    case = three(HIDDEN + seven + LAST)
    case.opens("R4", at=16)
    case.when("A show 7c7dAh2s3s").finds("R4", at=16, known=20, words="A has taken 3 of the 6 due for 7♠")


@pytest.mark.parametrize("act", ["A pay 2 <pot", "@ pay 2 <pot >A", "@ pay 2 >A", "A pay 2 >A"])
def test_R4_kept(act: str) -> None:
    three(PUT + "C play 7s <stock\n").when(act).allows()


# R5, consequence
def test_R5_the_first_five_are_put_aside() -> None:
    case = three(PUT).when("C play 4c <stock")
    table = case.judgement.state.table
    assert (len(table.row("dead")), len(table.row("board"))) == (5, 1)
    three(PUT).when("@ move * <board >dead").allows().when("C play 4c <stock").allows()


@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (SEVEN, "@ move * <board >dead", "when all five have been turned"),
        (PUT + "C play 4c <stock\n", "@ move * <board >dead", "before the sixth"),
        (PUT, "@ move * <board >stock_", "out of the game"),
    ],
)
def test_R5_contradicted(lines: str, act: str, words: str) -> None:
    three(lines).when(act).finds("R5", words=words)


# R6, duty
FOUR_OF_TEN = PUT.replace("9c", "8h").replace("Kh", "3h")  # A puts 2 and 3, B nothing


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("C pay 2 >A", "the pot has 13, and pays first"),
        ("@ pay 14 <pot >A", "the pot is down to 13, and the dealer pays the rest"),
    ],
)
def test_R6_the_pot_pays_first(act: str, words: str) -> None:
    three(PUT + "C play 7s <stock\n").when(act).finds("R6", words=words)


def test_R6_the_dealer_pays_what_is_missing() -> None:
    # The pot has 5 (A put 2 and 3); B is due 2 (two kings, first card), then 2 times 2 (two of them, second).
    short = FOUR_OF_TEN + "C play Kh <stock\nC play Ks <stock\n"
    three(short).when("B pay 3 <pot", "C pay 1 >B").allows(at=10).allows(at=11)
    three(short).when("B pay 4 <pot").finds("R6", words="the pot is down to 3")
    three(short).when("C pay 2 >B").finds("R6", words="the pot has 3, and pays first")
    three(short + "C play 9s <stock\n").when("B pay 3 <pot").finds("R6", words="the pot is empty")


def test_R6_hidden_hands_leave_it_open_until_they_are_shown() -> None:
    lines = HIDDEN + "".join(f"C play {c} <stock\n" for c in ("7h", "8c", "Kh", "8d", "9c", "7s"))
    three(lines).when("C pay 2 >A").opens("R6")
    three(lines + "C pay 2 >A\n").when("A show 7c7dAh2s3s").finds("R6", at=9, known=10, words="and pays first")


# R7, consequence
def test_R7_the_rest_of_the_pot() -> None:
    rich = PUT + "".join(f"C play {c} <stock\n" for c in ("4c", "4d", "4h", "8h", "9d"))  # B takes 5 of the 13
    three(rich).when("C pay 8 <pot").allows()
    three(rich).when("@ pay 8 <pot >C").allows()
    three(rich).when("C pay 7 <pot").finds("R7", words="left in the pot is 8")
    three(rich).scores(A=-2, B=-6, C=8)
    three(PUT).when("C pay 13 <pot").finds("R7", words="once ten cards are turned")
    three(WHOLE).when("C pay 1 <pot").finds("R7", words="left in the pot is 0")


# R8, consequence
def test_R8_the_rates() -> None:
    three(PUT).when("B pay 5 >pot").allows()
    three(PUT, rates="doubling").when("B pay 16 >pot").allows()
    three(PUT, rates="doubling").when("B pay 17 >pot").finds("R8", words="counts 16 for each card")
    three(PUT).when("B pay 6 >pot").finds("R8", words="9♣ counts 5 for each card of its rank, and B puts 6")
    three(PUT, credit=10).when("B pay 50 >pot").allows()


def test_R8_the_rest_of_a_payment_may_follow_until_the_next_card() -> None:
    """If this failed, whoever pays what is due in two parts would break the rates; or a chip too few would go
    unseen."""
    hidden = "C hand 1\n@ deal A=5x?? B=5x??\nC play 4s <stock\nC play 7h <stock\n"
    for dealt, known in ((hidden, False), (PUT, True)):
        each = 5 if known else 2
        part = three(dealt).when(f"B pay {each - 1} >pot")
        assert [f.rule for f in part.judgement.broken] == []
        assert [f.rule for f in part.when("B pay 1 >pot", "C play 4c <stock").judgement.broken] == []
        part.when("C play 4c <stock").finds(
            "R8", words=f"counts {each} for each card of its rank, and B puts {each - 1}",
        )


def test_R8_the_rates_in_the_score() -> None:
    three(WHOLE).scores(A=-2 + 6, B=-6 - 5 + 2 + 10, C=-5)
    three(WHOLE, rates="doubling").scores(A=-2 + 8, B=-8 - 16 + 2 + 32, C=-16)
    three(WHOLE, credit=5).scores(A=20, B=5, C=-25)


# R9, consequence
def test_R9_a_card_counts_again() -> None:
    again = DEALT + "".join(f"C play {c} <stock\n" for c in ("7h", "7s", "8c", "8d", "8h"))
    three(again).when("C play 4c <stock").allows()
    # One and two for each of two sevens.
    whole = again + "".join(f"C play {c} <stock\n" for c in ("4c", "4d", "4h", "5c", "5d"))
    three(whole).scores(A=-6, B=0, C=6)
    three(DEALT + "C play 7h <stock\n").when("@ move 7c <A >dead").finds("R9", words="A keeps the cards")


# Hands that nobody saw
def test_hidden_hands_are_worth_what_was_paid() -> None:
    three(HIDDEN + PAID).scores(A=None, B=None, C=None)
    three(HIDDEN + PAID + LAST).scores(A=None, B=None, C=None)
    for end in ("A hand 2", "C pass", "@ end hand", "@ end match"):
        case = three(HIDDEN + PAID + LAST).when(end)
        assert case.judgement.state.scores[0].points == {"A": 4, "B": 1, "C": -5}, end


def test_hidden_hands_without_payments_are_worth_nobody_knows_what() -> None:
    cards = "".join(line + "\n" for line in PAID.splitlines() if "play" in line)
    three(HIDDEN + cards).when("A hand 2").scores(A=None, B=None, C=None)
    three(HIDDEN + cards).when("A show 7c7dAh2s3s", "B show KcKd9hJsQs").scores(A=4, B=1, C=-5)


def test_payments_that_cannot_be_right_count_nothing() -> None:
    # Two sevens are paid for, and then one is.
    three(HIDDEN + PAID.replace("A pay 6 <pot", "A pay 3 <pot") + LAST).when("C pass").scores(A=None, B=1, C=None)


def test_payments_for_more_cards_of_a_rank_than_there_are_count_nothing() -> None:
    """If this failed, each of two players would have the two sevens for which they paid, with two more on the
    table."""
    paid = PAID.replace("A pay 2 >pot\n", "A pay 2 >pot\nB pay 2 >pot\n")
    paid = paid.replace("A pay 6 <pot\n", "A pay 6 <pot\nB pay 6 <pot\n") + LAST
    three(HIDDEN + paid).when("C pass").scores(A=None, B=None, C=None)
    # One seven of each goes with the two that were turned.
    one_each = paid.replace("pay 2 >pot", "pay 1 >pot").replace("pay 6 <pot", "pay 3 <pot")
    three(HIDDEN + one_each).when("C pass").scores(A=2, B=3, C=-5)


def test_a_card_that_nobody_saw_is_worth_what_was_paid_for_it() -> None:
    unseen = DEALT + PAID.replace("Kh <stock", "?? <stock") + LAST
    three(unseen).scores(A=4, B=1, C=-5)
    # So is a card that was seen; by the rules it is worth what was due.
    wrong = three(unseen.replace("A pay 6 <pot", "A pay 3 <pot")).when("A hand 2").scores(A=1, B=1, C=-2)
    hand = score_match(wrong.records).hands[0]
    assert hand.ways["rules"].points == {"A": 4, "B": 1, "C": -5}
    assert hand.ways["rules"].why == ("as the cards say, A +3, C −3 (put-and-take.R4, event 16)",)


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_what_was_paid_stays_the_score_whichever_cards_were_unseen(seed: int) -> None:
    """If this failed, a wrong payment would be worth what was due as long as its cards were seen, and what was paid
    for certain as soon as one was not."""
    whole, _ = simulate_breaches(GAME, seed=seed, p=0.2, hands=1)
    points = score_match(whole).hands[0].points
    for known in (hide(whole), *one_card_unseen(whole)):
        got = score_match(known).hands[0].points
        assert {s: n for s, n in got.items() if n not in (None, points[s])} == {}


def one_card_unseen(whole: list[Recorded]) -> Iterator[list[Recorded]]:
    """The same record with one turned card unseen."""
    for i, r in enumerate(whole):
        if isinstance(r.event, Play):
            yield [*whole[:i], replace(r, event=mask_one(r.event, r.event.cards[0])), *whole[i + 1 :]]


def test_cards_alone_give_every_payment_and_a_claim_is_compared() -> None:
    case = three(WHOLE).when("@ claim A=4 B=1 C=-5")
    assert claim_differences(score_match(case.records)) == []
    assert claim_differences(score_match(three(WHOLE).when("@ claim A=6 B=1 C=-7").records))


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_a_record_without_its_payments_comes_to_the_same(seed: int) -> None:
    """If this failed, something of the hand would follow from what was paid, and not from the cards."""
    seats = "ABCDEFGHI"[: 2 + seed % 8]
    whole = simulate(GAME, seed=seed, seats=seats, hands=3)
    events = [r.event for r in whole if not isinstance(r.event, Pay)]
    cards = [Recorded(n=n, event=event) for n, event in enumerate(events)]
    assert len(cards) < len(whole)
    assert judge(cards).findings == []
    assert [s.points for s in fold(cards).scores] == [s.points for s in fold(whole).scores]


def test_what_is_said_of_a_card_and_of_a_hand() -> None:
    nine = three(PUT).judgement.state
    assert nine.game.display.last_outcome_text(nine) == "B puts 5"
    assert nine.game.display.headline(nine) == {"turned": 5, "pot": 13}
    score = three(WHOLE).judgement.state.scores[0]
    assert score.lines[2].sums == {"A": "6 − 2 = +4", "B": "12 − 11 = +1", "C": "dealt"}


def test_a_gap_leaves_the_score_open() -> None:
    three(PUT + "@ gap\nC play 4c <stock\nC play 9d <stock\n").when("A hand 2").scores(A=None, B=None, C=None)


# Results, matches
@pytest.mark.parametrize(
    ("facts", "points"),
    [
        ("put.A=2 put.B=11 take.A=6 take.B=12", {"A": 4, "B": 1, "C": -5}),
        ("dealer=A put.B=1 put.C=0 take.B=0 take.C=3", {"A": -2, "B": -1, "C": 3}),
        ("put.A=2 take.A=6", {"A": 4, "B": None, "C": None}),
    ],
)
def test_a_result_without_its_cards(facts: str, points: dict[str, int | None]) -> None:
    assert three("C hand 1\n").when(f"@ tally {facts}").judgement.state.scores[-1].points == points


@pytest.mark.parametrize(
    "facts", ["put.C=3", "put.A=46", "put.A=30 put.B=16", "take.B=-1", "put.A=30", "put.A=29 take.A=10"]
)
def test_a_result_that_cannot_be(facts: str) -> None:
    case = three("C hand 1\n").when(f"@ tally {facts}")
    assert case.about(), facts


def test_R9_the_most_that_five_cards_put_and_take() -> None:
    """Two of a rank that comes fifth and fourth, two of one that comes third and second, one of one that comes
    first: 29 put. Of these only the last can be turned again, twice at most: 9 taken."""
    three("C hand 1\n").when("@ tally put.A=29 put.B=0 take.A=9 take.B=0").allows()
    wrong = three("C hand 1\n").when("@ tally put.A=29 put.B=0 take.A=10 take.B=0")
    wrong.finds("R9", words="A cannot put 29 and take 10: no five cards make it").scores(A=None, B=None, C=None)
    # At twice as much for each card, and five chips to a credit.
    three("C hand 1\n", rates="doubling").when("@ tally put.A=72 put.B=0 take.A=0 take.B=0").allows()
    three("C hand 1\n", rates="doubling").when(
        "@ tally put.A=73 put.B=0 take.A=0 take.B=0"
    ).finds("R3", words="0 to 72, not 73")
    three("C hand 1\n", credit=5).when("@ tally put.A=145 put.B=0 take.A=45 take.B=0").allows()
    three("C hand 1\n", credit=5).when("@ tally put.A=7 put.B=0 take.A=0 take.B=0").finds("R9", words="A cannot put 7")


def test_a_result_after_a_hand_is_of_the_next_one_with_its_dealer() -> None:
    """If this failed, the player whose deal it is would be told to have put, and the one before not."""
    after = three(WHOLE).when("A hand 2")
    after.when("@ tally put.B=3 put.C=2 take.B=4 take.C=8").allows().scores(A=-7, B=1, C=6)
    after.when("@ tally put.A=3 put.B=2").finds("R1", words="A deals, and neither puts nor takes")


def test_the_deal_goes_round_and_chips_sum_to_nothing() -> None:
    lines = "C hand 1\n@ tally put.A=2 put.B=0 take.A=0 take.B=0\nA hand 2\n@ tally put.B=1 put.C=0 take.B=0 take.C=0\n"
    state = three(lines, hands=2).judgement.state
    assert state.standing.totals == {"A": -2 + 1, "B": -1, "C": 2}
    assert (state.standing.over, state.standing.winner) == (True, "C")
    again = three("C hand 1\n@ end hand misdeal\n")
    assert again.judgement.state.game.dealing.next_dealer(again.judgement.state) == "C"


@pytest.mark.parametrize("seats", ["A B", "A B C D E F G H I"])
def test_whole_matches(seats: str) -> None:
    for seed in range(3):
        log = simulate(GAME, seed=seed, hands=3, seats=seats.split())
        for viewer in (log, hide(log)):
            verdict = judge(viewer)
            assert verdict.broken == []
            known = [[n for n in s.points.values() if n is not None] for s in verdict.state.scores]
            assert all(sum(points) == 0 for points in known if len(points) == len(seats.split()))


NINE_IN_THE_POT = """
E hand 1
E play Qc <stock
E play 7h <stock
B pay 4 >pot
E play ?? <stock
E play Kd <stock
E play Th <stock
D pay 5 >pot
E play 5s <stock
"""


def test_R3_whoever_has_not_put_is_accused_and_not_the_dealer() -> None:
    """If this failed, a report would say that the dealer broke the rule by turning the next card."""
    lines = "D hand 1\n@ deal A=7c7d2c3c4c B=5c5d5h8c8d C=9c9d9hTcTd\nD play 5s <stock\nB pay 1 >pot\n"
    found = given(GAME, lines, Seats="A B C D").when("D play Qh <stock").finds(
        "R3", words="B has put 1 of the 3 due",
    ).about()
    assert [(f.by, f.holder) for f in found if f.verdict == "broken"] == [("B", "B")]


def test_R6_what_is_taken_comes_out_of_the_pot_as_far_as_it_was_put() -> None:
    """If this failed, `B 3` would be written as paid by the dealer though nine chips lie in the pot."""
    session = Session(log(GAME, NINE_IN_THE_POT, Seats="A B C D E"))
    assert [write_event(r.event) for r in session.complete("B 3").events] == ["B pay 3 <pot"]
    assert "turned 6, pot 9 as it was paid" in list(here(session.reader))
    session = Session(log(GAME, NINE_IN_THE_POT + "B pay 3 <pot\nE play Ah <stock\nB pay 6 <pot\n", Seats="A B C D E"))
    assert [write_event(r.event) for r in session.complete("A 2").events] == ["E pay 2 >A"]


def test_a_card_nobody_saw_has_no_rank_of_another() -> None:
    """If this failed, who took for three twos would be unknown because the third card of the put round was not seen."""
    lines = (
        NINE_IN_THE_POT
        + "E play Ah <stock\nE play 7c <stock\nB pay 6 <pot\nE play 2d <stock\nE pay 12 >A\nE play Jc <stock\nE pass\n"
    )
    given(GAME, lines, Seats="A B C D E").scores(A=12, B=2, C=0, D=-5, E=-9)


def test_the_dealer_is_asked_for_a_card_and_the_others_for_chips() -> None:
    """If this failed, the answer would say that anybody may turn a card."""
    session = Session(log(GAME, NINE_IN_THE_POT, Seats="A B C D E", E="Eve"))
    (event,) = session.complete("B 3").events
    answer = session.take([replace(event, n=session.records[-1].n + 1)]).line
    assert answer.endswith("B takes 3 from the pot · Eve to turn a card, or a player to take")


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("fix 4 a pay 4", "A pay 4 >pot"),
        ("fix 4+ b pay 1", "B pay 1 >pot"),
        ("fix 13 b pay 4", "B pay 4 <pot"),
        ("fix 13 B pay 4 >pot", "B pay 4 >pot"),
    ],
)
def test_a_corrected_payment_goes_where_it_would_have_gone(line: str, fix: str) -> None:
    """If this failed, a payment typed again with its verb would be written without the pot, and be put where it was
    taken."""
    (event,) = Session(log(GAME, HIDDEN + PAID + LAST, Seats="A B C")).complete(line).events
    assert write_event(event.event).partition(" fix ")[2].partition(" ")[2] == fix


@pytest.mark.parametrize(("line", "written"), [("b 10", "@ pay 10 >B"), ("@ pay 3 <pot >B", "@ pay 3 <pot >B")])
def test_what_the_pot_and_the_dealer_pay_together_is_typed_without_a_question(line: str, written: str) -> None:
    """If this failed, the recorder would be asked whether a payment out of a short pot is meant."""
    # A has put 2 and 3; two kings of B come last.
    short = FOUR_OF_TEN + "".join(f"C play {c} <stock\n" for c in ("4c", "4d", "4s", "6s", "Ks"))
    short = short.replace("7h <stock\n", "7h <stock\nA pay 2 >pot\n").replace(
        "C play 3h <stock\n", "C play 3h <stock\nA pay 3 >pot\n",
    )
    draft = Session(log(GAME, short, Seats="A B C")).complete(line)
    assert ([write_event(r.event) for r in draft.events], draft.doubts) == ([written], ())


def test_the_result_of_a_later_hand_is_told_of_all_but_its_own_dealer() -> None:
    """If this failed, the second hand of an evening could not be told in one line, and the help would deal cards to
    who deals."""
    session = Session(log(GAME, HIDDEN + PAID + LAST + "C pass\n", Seats="A B C"))
    assert "A hand that lies open is noted with `deal B=…` and its cards." in list(here(session.reader))
    assert [write_event(r.event) for r in session.complete("r 3 4 2 9").events] == [
        "A hand 2", "@ tally put.B=3 put.C=2 take.B=4 take.C=9",
    ]  # fmt: skip


@pytest.mark.parametrize("cards", [("2x??6dAh5h", "4c3h3dKs??"), ("???h6dAh5h", "4c3h3dKs?h")])
def test_R6_what_lies_in_the_pot_is_counted_for_each_way_the_hands_may_be(cards: tuple[str, str]) -> None:
    """If this failed, the pot would be as low as if A had held the jack, though B may have had it and A the queen."""
    turned = "".join(f"D play {card} <stock\n" for card in ("8s", "6h"))
    lines = (
        f"D hand 1\n@ deal A={cards[0]} B={cards[1]} C=3sQc4sQsTs\nD play 8h <stock\nD play 5c <stock\nA pay 2 >pot\n"
        f"D play 4d <stock\nC pay 3 >pot\nB pay 3 >pot\n{turned}A pay 5 >pot\nD play 9s <stock\nD play 6c "
        "<stock\nA pay 2 <pot\n"
        "D play 9d <stock\nD play Jd <stock\nB pay 4 <pot\nD play 2d <stock\n"
    )
    judgement = given(GAME, lines, Seats="A B C D").when("A pay 5 <pot").opens("R6").judgement
    assert judgement.broken == []
    assert judgement.either == ()


def test_who_dealt_a_hand_that_nobody_began_shows_in_the_deal() -> None:
    """If this failed, whoever turned the first card out of turn would be taken for the dealer, who got no cards."""
    case = given(
        "put-and-take", "@ deal B=4hQcQh9s8c C=JdTc3h8hJh D=6s9h2d7h4s", Seats="A B C D",
    ).when("C play 9c <stock").finds("R2", words="A deals, and turns the cards")
    assert any("as the cards were dealt, A has dealt" in why for _, why in case.judgement.state.inferred)
    given("put-and-take", "@ deal A=5x?? B=5x?? C=5x??", Seats="A B C D").when("D play 9c <stock").clean()
