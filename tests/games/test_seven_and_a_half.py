"""Seven and a Half, rule by rule: each has the cases of its kind; then the king of diamonds, payments, results,
matches."""

from __future__ import annotations

import pytest
from given import Given, given

from events.writing import write_event
from reducers.games.seven_and_a_half import BUST, KINDS, NATURAL, WRITTEN, delta
from reducers.legal import legal
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate
from replay.table.session import Session

GAME = "seven-and-a-half"
BETS = "D hand 1\nA bet 4\nB bet 2\nC bet 3\n"
# First cards are seen by nobody.
DEALT = BETS + "@ deal down A=?? B=?? C=?? D=??\n"


def table(lines: str = "", **option: object) -> Given:
    """A table of four; D banks."""
    return given(GAME, lines, Seats="A B C D", **({"option": option} if option else {}))


def known(a: str, b: str = "2c", c: str = "2d", d: str = "4s") -> str:
    """The same bets, with first cards that all can see."""
    return BETS + f"@ deal down A={a} B={b} C={c} D={d}\n"


def settled(a: str, d: str, *, drawn: str = "", bank: str = "", bets: str = "A bet 4") -> str:
    """A alone against the bank: their first cards, and what each draws."""
    lines = [
        f"D hand 1\n{bets}\n@ deal down A={a} D={d}", *(f"A draw up {c}" for c in drawn.split()), "A pass",
        f"D show {d}",
    ]
    return "\n".join([*lines, *(f"D draw up {c}" for c in bank.split()), "D pass"]) + "\n"


# R1, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        ("D hand 1\n", "A bet 11", "takes bets from 1 to 10"),
        ("D hand 1 min=2 max=20\n", "A bet 1", "takes bets from 2 to 20"),
        ("D hand 1\n", "D bet 4", "holds the bank and bets nothing"),
        ("D hand 1\n", "D call out", "holds the bank and sits out of no hand"),
        ("D hand 1\nA bet 4\n", "A bet 2", "A has bet 4 already"),
        (DEALT, "B bet 1", "before the cards are dealt"),
        (DEALT, "A bet 4", "before the cards are dealt"),
        ("", "D hand 1 min=5 max=2", "no stake can be at least 5 and at most 2"),
        ("", "D hand 1 min=yes max=no", "min=yes and max=no: a limit is a number of chips"),
    ],
)
def test_R1_broken(lines: str, act: str, words: str) -> None:
    table(lines).when(act).finds("R1", words=words)


def test_R1_kept_in_any_order_by_whoever_likes() -> None:
    table("D hand 1 min=2 max=20").when("C bet 20", "A bet 2", "B call out").clean()
    assert table("D hand 1\nC bet 4\n@ deal down C=?? D=??\n").judgement.state.turn == ("C",)


def test_R1_limits_hold_while_the_bank_stays() -> None:
    table("D hand 1 min=2 max=20\n@ end hand void\nD hand 2\n").when("A bet 15").allows()
    table("D hand 1 min=2 max=20\n@ end hand void\nA hand 2\n").when("B bet 15").finds("R1")


# R2, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (BETS, "@ deal up A=5c B=4c C=2c D=6c", "is face down"),
        (BETS, "@ deal down A=2x?? B=?? C=?? D=??", "each is dealt one card"),
        (DEALT, "A draw down ??", "except the first is face up"),
        (DEALT, "A draw up 2c3c", "one at a time"),
        (DEALT, "A play 2c", "never played"),
    ],
)
def test_R2_broken(lines: str, act: str, words: str) -> None:
    table(lines).when(act).finds("R2", words=words)


def test_R2_kept() -> None:
    table(BETS).when("@ deal down A=?? B=?? C=?? D=??").allows().when("A draw up 2c").allows()


def test_R2_cards_for_somebody_whose_bet_was_not_written() -> None:
    table("D hand 1\nA bet 4\n").when("@ deal down A=?? B=?? D=??").opens("R2")


# R3, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (DEALT, "B draw up 2c", "it is the turn of A"),
        (DEALT + "A pass\n", "C pass", "it is the turn of B"),
        (DEALT + "A pass\n", "D draw up 2c", "the bank plays last: it is the turn of B"),
    ],
)
def test_R3_broken(lines: str, act: str, words: str) -> None:
    table(lines).when(act).finds("R3", words=words)


def test_R3_kept() -> None:
    table(DEALT).when("A draw up 2c", "A pass", "B pass", "C pass", "D show 4s", "D pass").clean()


@pytest.mark.parametrize(("first", "hit"), [("7c", "Kc"), ("6c", "2h")])
def test_R3_whoever_is_bust_or_has_two_cards_need_not_say_so(first: str, hit: str) -> None:
    case = table(known(first) + f"A draw up {hit}\n").when("B draw up 3h", "B pass", "C pass")
    case.clean()
    assert case.judgement.state.phase == "reveal"
    table(known("5c") + f"A draw up {hit}\n").when("B draw up 3h").finds("R3", words="it is the turn of A")
    hidden = DEALT + f"A draw up {hit}\nB draw up 3h\n"
    table(hidden).opens("R3")
    table(hidden + "B pass\nC pass\nD show 4s\nD pass\n").when(f"A show {first}{hit}").allows(at=7)
    table(hidden + "B pass\nC pass\nD show 4s\nD pass\n").when(f"A show 5c{hit}").finds("R3", at=7, known=12)


def test_R3_stands_that_nobody_writes_are_shown_by_the_bank() -> None:
    case = table(DEALT + "A draw up 2c\n").when("D show 4s")
    case.clean()
    assert case.judgement.state.hand.done == {"A": "stand", "B": "stand", "C": "stand"}


@pytest.mark.parametrize("after", [["A show 6c"], ["D pay 4 >A"], ["D hand 2"]])
def test_R3_the_bank_has_stood_when_others_show_or_are_paid(after: list[str]) -> None:
    lines = settled("6c", "Kc", bank="5s").removesuffix("D pass\n")
    case = table(lines).when(*after)
    case.clean()
    assert case.judgement.state.scores[0].result == "bank 5½"


@pytest.mark.parametrize("act", ["A pass", "A draw up 3c"])
def test_R3_who_plays_shows_that_the_bets_are_up_and_the_cards_dealt(act: str) -> None:
    """Nobody writes a deal that lies face down, nor that C sits out."""
    bets = "D hand 1\nA bet 2\nB bet 3\n"
    case = table(bets).when(act, *([] if act == "A pass" else ["A pass"]), "B pass", "D show 5h", "D pass")
    case.clean()
    assert (case.judgement.state.hand.order, case.judgement.state.phase) == (["A", "B"], "showdown")
    assert (4, "C sits out (not recorded)") in case.judgement.state.inferred
    table("D hand 1\nA bet 2\nB bet 3\n").when("B draw up 5c").finds("R3", words="it is the turn of A")
    table("D hand 1\nA bet 2\n").when("A pass", "C draw up 5c").opens("R3")
    table("D hand 1\n").when("A pass", "B draw up 5c").clean()


# R4, duty
@pytest.mark.parametrize(
    ("lines", "act", "words"),
    [
        (DEALT + "A pass\n", "A draw up 2c", "A has stood"),
        (known("6c") + "A draw up 3c\nA call bust 6c\n", "A draw up 2h", "A is bust"),
    ],
)
def test_R4_broken(lines: str, act: str, words: str) -> None:
    table(lines).when(act).finds("R4", words=words)


def test_R4_kept() -> None:
    table(known("Ac")).when("A draw up 2h", "A draw up Kc", "A draw up Qc", "A pass").clean()


# A and C have a bet and a card; C's is to be named.
TWO = "D hand 1\nA bet 5\nC bet 5\n@ deal down A=6c C={} D=Qd\n"


@pytest.mark.parametrize("late", ["C pass\nD pass\n", "C draw up Jc\nC pass\nD pass\n"])
def test_R4_who_goes_on_after_an_early_bank_breaks_no_rule(late: str) -> None:
    """That C had stood is inferred, and not written: the bank was early, and C is not late."""
    case = table(TWO.format("5s") + "A pass\nC draw up Kc\nD show Qd\n" + late)
    case.finds("R3", at=7, words="it is the turn of C")
    assert [f.at.pos for f in case.judgement.broken] == [7]
    table(
        TWO.format("5s") + "A pass\nD draw up Kc\nC draw up Jc\nC pass\n"
    ).when("C draw up 2h").finds("R4", words="C has stood")


def test_R4_where_no_stand_is_written_nobody_knows_who_had_stood() -> None:
    table(TWO.format("5s") + "D draw up Kc\n").when("A draw up Jc").opens("R4")


@pytest.mark.parametrize("seen", ["7s", "??"])
@pytest.mark.parametrize(("hit", "said"), [("Kc", "natural 7sKc"), ("Ah", "bust 7s")])
def test_R4_what_ends_a_hand_may_be_said_after_the_bank_began(seen: str, hit: str, said: str) -> None:
    case = table(TWO.format(seen) + f"A pass\nC draw up {hit}\nD show Qd\n").when(f"C call {said}")
    case.clean()
    assert case.judgement.state.hand.done["C"] == said.split()[0]


@pytest.mark.parametrize(
    ("hit", "act", "rule"), [("Kc", "C call bust 7s", "R5"), ("5h", "C pass", "R5"), ("Kc", "C draw up 2h", "R7")],
)
def test_R4_what_is_wrong_with_a_hand_is_wrong_after_the_bank_began_too(hit: str, act: str, rule: str) -> None:
    table(TWO.format("7s") + f"A pass\nC draw up {hit}\nD show Qd\n").when(act).finds(rule)


# R5, duty
@pytest.mark.parametrize(
    ("first", "hits", "words"),
    [("6c", "2h", "has 8"), ("7c", "Ah", "has 8"), ("7c", "Kd", "has 8"), ("5c", "Kc 3h", "has 8½")],
)
def test_R5_over_seven_and_a_half(first: str, hits: str, words: str) -> None:
    draws = "".join(f"A draw up {card}\n" for card in hits.split())
    for act in ("A pass", "A draw up 4h"):
        table(known(first) + draws).when(act).finds("R5", words=words)
    case = table(known(first) + draws).when(f"A call bust {first}", "A pay 4")
    case.clean()
    table(
        known(first) + draws + f"A call bust {first}\n"
    ).when("A pay 6").finds("R5", words="A pays 6; −4 is due (bust)")


def test_R3_whoever_bets_after_sitting_out_plays() -> None:
    """If this failed, a bet that is written would be said to be missing."""
    case = table().when("A bet 4", "B call out", "C bet 5", "B bet 6", "A pass", "B draw up Jc").clean()
    assert case.judgement.state.hand.order == ["A", "B", "C"]


def test_R5_a_bust_is_paid_at_once_though_nobody_said_it() -> None:
    table(known("6c") + "A draw up 2h\n").when("A pay 4").allows()
    table(known("6c") + "A draw up 2h\n").when("A pay 3").opens("R5")


def test_R5_no_other_hand_is_bust() -> None:
    table(known("6c") + "A draw up Ah\n").when("A call bust 6c").finds("R5", words="A has 7 and is not bust")
    table(DEALT + "A draw up 2h\n").when("A call bust").opens("R5")
    table(DEALT + "A draw up 2h\n").when("A call bust 4c").finds("R5")


def test_R5_a_word_that_tells_how_a_hand_ended_belongs_to_it_still() -> None:
    """The bank says that it is bust once its cards lie open, at the showdown or when all has been shown."""
    showdown = DEALT + "A draw up 2h\nA pass\nB draw up 7h\nB call bust 4d\nC pass\nD show 7s\nD draw up 2s\n"
    for said in ("D call bust", "D call bust 7s2s"):
        case = table(showdown).when(said)
        assert case.clean().judgement.state.phase == "showdown"
        over = table(showdown + "A show 5c\nC show 3c\n").when(said, "D pay 4 >A", "D pay 3 >C")
        assert over.clean().judgement.open == []
        assert (
            over.judgement.state.number, over.judgement.state.standing.totals,
        ) == (1, {"A": 4, "B": -2, "C": 3, "D": -5})
    table(
        showdown.replace("D draw up 2s", "D draw up Kc\nD pass")
    ).when("D call bust").finds("R5", words="D has 7½ and is not bust")


def test_R7_and_a_player_may_turn_it_up_with_the_word() -> None:
    lines = known("7c", "5c", "2c", "6s") + "A draw up Qc\nA pass\nB pass\nC pass\nD show 6s\nD pass\n"
    hidden = lines.replace("A=7c", "A=??").replace("B=5c", "B=??").replace("C=2c", "C=??")
    assert table(hidden).when("A call natural 7c").clean().judgement.state.turn == ("B",)
    table(hidden).when("A call natural 6c").finds("R7", words="A does not have seven and a half in two cards")
    table(hidden + "A pass\nB pass\nC pass\n").when("A call natural 7c", "A hand 2").clean()


def test_R5_hidden_until_the_first_card_is_shown() -> None:
    lines = DEALT + "A draw up 5h\nA pass\n"
    table(lines).opens("R5", at=7)
    table(lines + "B pass\nC pass\nD show 4s\nD pass\n").when("A show 5h3c").finds("R5", at=7, known=12)
    table(lines + "B pass\nC pass\nD show 4s\nD pass\n").when("A show 5h2c").allows(at=7)


# R6, consequence
@pytest.mark.parametrize(
    ("cards", "is_"),
    [("Kd", 14), ("KdKc", NATURAL), ("Kd7c", BUST), ("KdAc", 14), ("KdAcKc", 15), ("Kd6c", 14), ("Kd6cKc", 15),
     ("7cKc", NATURAL),
     ("6cAcKc", 15), ("AcAh", 4), ("KcQcJc", 3)],
)  # fmt: skip
def test_R6_what_cards_come_to(cards: str, is_: int) -> None:
    each = [cards[i : i + 2] for i in range(0, len(cards), 2)]
    case = table(known(each[0], b="3h", d="4s") + "".join(f"A draw up {card}\n" for card in each[1:]))
    assert KINDS.of("A", case.judgement.state) == {is_}


def test_R6_contradicted() -> None:
    lines = settled("Kd", "4s", drawn="2c")
    table(lines).when("@ tally class.A=7").allows()
    table(lines).when("@ tally class.A=6.5").finds("T12", words="class.A is 7, not 6.5")


# R7, duty
def test_R7_two_cards_stand() -> None:
    table(known("7c") + "A draw up Kc\n").when("A draw up 2h").finds("R7", words="draws nothing")
    table(known("Kd") + "A draw up Kc\n").when("A draw up 2h").finds("R7")
    table(known("6c") + "A draw up Kc\n").when("A draw up Ah").allows()
    for act in ("A show 7cKc", "A call natural 7c", "A pass"):
        table(known("7c") + "A draw up Kc\n").when(act, "B draw up 2h").clean()


def test_R7_hidden_until_the_first_card_is_shown() -> None:
    lines = DEALT + "A draw up Kc\nA draw up 2h\n"
    table(lines).opens("R7")
    table(lines).when("A call bust 7c").finds("R7", at=7, known=8)


def test_R7_is_declared_with_two_cards() -> None:
    table(known("6c") + "A draw up Kc\n").when("A call natural 6c").finds("R7", words="does not have")
    table(DEALT + "A draw up Kc\n").when("A call natural").opens("R7")
    # A card that is turned up with it, and was not written, was drawn.
    table(known("7c")).when("A call natural 7cQd").clean()
    table(known("6c")).when("A call natural 6cQd").finds("R7", words="does not have")


# R8, right
def test_R8_the_bank_may_draw_though_everybody_is_bust() -> None:
    """The hand is over: nothing comes of it, and no other hand begins."""
    lost = settled("6c", "4s", drawn="2c").split("A pass")[0] + "A call bust 6c\n"
    case = table(lost).when("D show 4s", "D draw up 3s", "D draw up Kc", "D pass")
    case.clean().scores(A=-4, B=0, C=0, D=4)
    assert case.judgement.state.number == 1
    case.when("D hand 2", "A bet 2").clean()
    # Another player's card begins a hand.
    assert table(lost).when("A draw up 3s").judgement.state.number == 2


def test_R5_a_hand_that_is_shown_tells_the_draws_nobody_wrote() -> None:
    """If this failed, a table that writes no draws would contradict itself with every hand that is shown; and the
    bank, which is not shown to its end, would be taken to have drawn nothing."""
    case = table(DEALT).when("A pass", "B call bust Ac7d2c", "C pass", "D show 5s", "D pass", "A show 4c3h").clean()
    score = case.judgement.state.score
    assert score is not None
    assert score.points == {"A": None, "B": -2, "C": None, "D": None}
    # A hand that is shown with another card than it is known to have drawn one that was written wrong.
    table(known("3c")).when("A draw up 4c", "A pass", "B pass", "C pass", "D pass", "A show 3c5d7s").finds("T4")
    table(DEALT).when("A pass", "B call bust Ac2c").finds("R5")


def test_R5_what_is_said_of_a_hand_that_is_not_bust() -> None:
    table(BETS).when("A call bust").finds("R5", words="A has drawn no card and is not bust")
    table(DEALT).when("A call bust").finds("R5", words="A has at most 7 and is not bust")


def test_R8_the_bank_stops_where_it_likes() -> None:
    table(settled("6c", "Kc")).clean()
    table(settled("6c", "6s", bank="Kc")).clean()
    # Seven and a half in two cards holds a player, and not the bank; the third card makes it a hand like any other.
    on = settled("6c", "7s", bank="Kh 2d").removesuffix("D pass\n")
    table(on).clean().scores(A=4, B=0, C=0, D=-4)
    table(settled("6c", "Kc")).when("A fault D stop").finds("R8", words="at any total")


# R9, consequence
def test_R9_a_bust_bank_pays_everybody() -> None:
    lines = DEALT.replace("??", "{}").format(
        "Ac", "7c", "5c", "6s",
    ) + "A pass\nB pass\nC draw up 6d\nC call bust 5c\nD show 6s\nD draw up 4h\n"
    table(lines).when("A show Ac", "B show 7c").scores(A=4, B=2, C=-3, D=-3)
    table(lines).when("D pay 4 >A").allows()
    table(lines).when("D pay 5 >A").finds("R9", words="+4 is due (1)")
    # What is due may be paid in parts.
    table(lines).when("D pay 3 >A").opens("R9").when("D pay 1 >A").allows()
    table(lines).when("D pay 3 >A", "D pay 2 >A").finds("R9", words="+3 of it already settled")


# R10, consequence
@pytest.mark.parametrize(
    ("first", "drawn", "gain"), [("5c", "", -4), ("6c", "", 0), ("6c", "Kc", 4), ("6c", "Kc Ah", 4)],
)
def test_R10_totals_are_compared(first: str, drawn: str, gain: int) -> None:
    case = table(settled(first, "6s", drawn=drawn)).when("A show " + first + drawn.replace(" ", ""))
    case.scores(A=gain, B=0, C=0, D=-gain)
    if gain:
        case.when("D pay 4 >A" if gain > 0 else "A pay 4").allows()
        case.when("D pay 5 >A" if gain > 0 else "A pay 5").finds("R10")
    else:
        case.when("A pay 4").finds("R10", words="nothing is due (6 against 6)")


def test_R10_a_tally_that_does_not_fit_the_cards() -> None:
    table(settled("5c", "6s")).when("@ tally class.A=5.5").finds("T12", words="class.A is 5, not 5.5")


# R11, consequence
def test_R11_two_cards_beat_more() -> None:
    # The bank in two cards, the player in three: the bet is lost, once.
    longer = settled("5c", "7s", drawn="2c Kc", bank="Kh") + "A show 5c2cKc\n"
    table(longer).scores(A=-4, B=0, C=0, D=4)
    table(longer).when("A pay 4").allows()
    table(longer).when("A pay 8").finds("R11")
    # The player in two cards, the bank in three.
    table(
        settled("7c", "5s", drawn="Kc", bank="2s Kh") + "A show 7cKc\n"
    ).when("D pay 4 >A").opens("R11").when("A hand 2").finds("R11", words="A has had 4 of +8")


# R12, consequence
def test_R12_paid_two_to_one() -> None:
    pays = settled("7c", "6s", drawn="Kc").replace("A pass", "A show 7cKc")
    table(pays).scores(A=8, B=0, C=0, D=-8)
    table(pays).when("D pay 8 >A").allows()
    table(pays).when("D pay 9 >A").finds("R12", words="+8 is due (7½ in two cards, 2 × 4)")
    part = table(pays).when("D pay 4 >A").opens("R12")
    part.when("D pay 4 >A", "A hand 2").clean()
    part.when("A hand 2").finds("R12", words="A has had 4 of +8 when the next hand begins")
    table(settled("7c", "6s", drawn="Kc", bank="5s") + "A show 7cKc\n").scores(A=8, B=0, C=0, D=-8)
    table(pays, natural_pays=1).scores(A=4, B=0, C=0, D=-4)


def test_R12_unless_the_bank_has_it_too() -> None:
    level = settled("7c", "7s", drawn="Kc", bank="Kh").replace("A pass", "A show 7cKc")
    table(level).scores(A=0, B=0, C=0, D=0)
    table(level).when("D pay 8 >A").finds("R12", words="nothing is due (7½ in two cards against 7½ in two cards)")


def test_R12_nobody_is_paid_before_the_bank_plays() -> None:
    """The bank may still draw the same, and then nothing is due; if its play is not written at all, nobody knows
    when it was."""
    early = "D hand 1\nA bet 4\n@ deal down A=7c D=7s\nA draw up Kc\nA call natural 7c\nD pay 8 >A\n"
    table(early).allows()
    case = table(early).when("D show 7s").finds("R12", words="A had been paid, which is due once the bank has played")
    case.when("D draw up Kh").allows().when("D pass").allows()
    # A bust is lost at once.
    bust = "D hand 1\nA bet 4\nB bet 2\n@ deal down A=6c B=5c D=7s\nA draw up 2c\nA call bust 6c\nA pay 4\nB pass\n"
    table(bust).when("D show 7s").allows()


# R13, duty
def test_R13_whoever_has_it_banks_next() -> None:
    pays = settled("7c", "6s", drawn="Kc").replace("A pass", "A show 7cKc")
    table(pays).when("A hand 2").allows()
    table(pays).when("D hand 2").finds("R13", words="the bank belongs to A")
    table(settled("6c", "6s")).when("A hand 2").finds("R13", words="keeps it")
    level = settled("7c", "7s", drawn="Kc", bank="Kh").replace("A pass", "A show 7cKc")
    table(level).when("D hand 2").allows()
    table(level).when("A hand 2").finds("R13")


def test_R13_the_first_from_the_bankers_left() -> None:
    lines = DEALT.replace("??", "{}").format(
        "6c", "7c", "Kd", "6s",
    ) + "A pass\nB draw up Kc\nB show 7cKc\nC draw up Qc\nC show KdQc\n"
    lines += "D show 6s\nD pass\n"
    table(lines).when("A show 6c", "B hand 2").allows()
    table(lines).when("A show 6c", "C hand 2").finds("R13")


def test_R13_open_if_a_hand_was_not_shown() -> None:
    table(DEALT + "A draw up Kc\nA pass\nB pass\nC pass\nD show 4s\nD pass\n").when("D hand 2").opens("R13")


# What the bank need not play, what is broken off, what is told
def test_everybody_is_bust_and_the_bank_does_not_play() -> None:
    case = table("D hand 1\nA bet 4\n@ deal down A=6c D=??\nA draw up 2h\nA call bust 6c\n")
    case.scores(A=-4, B=0, C=0, D=4)
    assert case.judgement.state.settled


def test_R7_said_once_everybody_is_bust() -> None:
    """If this failed, whoever says seven and a half without it would go unaccused because the last player is bust;
    and a bust put in before would seem to explain the word."""
    case = table("D hand 1\nA bet 4\n@ deal down A=6c D=??\nA draw up 2h\nA call bust 6c\n")
    case.when("D call natural").finds(
        "R7", words="D does not have seven and a half in two cards",
    ).scores(A=-4, B=0, C=0, D=4)
    case.when("A call bust").clean()
    case.when("B call natural").finds("R7", words="B has drawn no card")
    # A word about the next hand begins it still.
    assert case.when("B call out").judgement.state.number == 2


def test_nobody_bets() -> None:
    case = table("D hand 1").when("A call out", "B call out", "C call out")
    case.clean().scores(A=0, B=0, C=0, D=0)
    # Nobody had a card, so the banker stays, and nothing is open.
    assert case.when("D hand 2").judgement.findings == []
    case.when("A hand 2").finds("R13", words="keeps it")


def test_broken_off() -> None:
    table(known("6c") + "A draw up 2h\nA call bust 6c\n").when("@ end hand time").scores(A=-4, B=0, C=0, D=4)


@pytest.mark.parametrize(
    ("facts", "points"),
    [
        (
            "stake.A=4 class.A=6.5 stake.B=2 class.B=bust stake.C=3 class.C=natural bank=6",
            {"A": 4, "B": -2, "C": 6, "D": -8},
        ),
        ("banker=B stake.A=4 class.A=6 bank=6", {"A": 0, "B": 0, "C": 0, "D": 0}),
        ("stake.A=4 bank=6", {"A": None, "B": 0, "C": 0, "D": None}),
        ("stake.A=4 class.A=2 bank=bust", {"A": 4, "B": 0, "C": 0, "D": -4}),
    ],
)
def test_a_result_without_its_cards(facts: str, points: dict[str, int | None]) -> None:
    assert table("D hand 1\n").when(f"@ tally {facts}").judgement.state.scores[-1].points == points


def test_a_bank_that_nobody_tells_of_may_have_drawn_more() -> None:
    lines = (
        "D hand 1\nB bet 3\nC bet 2\nA bet 3\n@ deal down A=?? B=?? C=?? D=?? stock=36x??\nA pass\nB "
        "pass\nC pass\nD show Jc\n"
    )
    told = table(lines).when("@ tally class.A=5 class.B=5 class.C=6")
    assert set(told.judgement.state.scores[0].points.values()) == {None}
    assert set(told.when("D hand 2").judgement.state.scores[0].points.values()) == {None}
    assert told.when("@ tally bank=0.5", "D hand 2").judgement.state.scores[0].points == {
        "A": 3, "B": 3, "C": 2, "D": -8,
    }


@pytest.mark.parametrize("facts", ["stake.D=4", "stake.A=0", "class.A=8", "bank=0"])
def test_a_result_that_cannot_be(facts: str) -> None:
    assert table("D hand 1\n").when(f"@ tally {facts}").about(), facts


@pytest.mark.parametrize(
    ("facts", "rule", "words"),
    [
        ("stake.A=11 class.A=6 bank=6", "R1", "A staked 11; the banker takes from 1 to 10"),
        (
            "stake.A=4 class.A=natural bank=6 next=B", "R13",
            "the bank belongs to A, who had seven and a half in two cards",
        ),
        ("stake.B=4 class.B=natural stake.A=1 class.A=7.5 bank=6 next=A", "R13", "the bank belongs to B"),
        ("stake.A=4 class.A=natural bank=natural next=A", "R13", "the bank belongs to D"),
        ("stake.A=4 class.A=6 bank=6 next=A", "R13", "keeps it"),
    ],
)
def test_a_result_of_which_no_play_comes_is_found_and_still_scored(facts: str, rule: str, words: str) -> None:
    """If this failed, a result would say more than any hand with its cards could, without a word."""
    case = table("D hand 1\n").when(f"@ tally {facts}").finds(rule, words=words)
    assert None not in case.judgement.state.scores[-1].points.values()


def test_a_result_that_may_be() -> None:
    # A new banker's limits, a stake without what it was, a bank of which nothing is told.
    table("D hand 1 min=5 max=20\n").when("@ tally stake.A=20 class.A=6 bank=6").allows()
    table("D hand 1\n").when("@ tally stake.A=4 class.A=natural stake.B=2 bank=6 next=A").allows()
    table("D hand 1\n").when("@ tally stake.A=4 stake.B=2 class.B=natural bank=6 next=A").allows()
    table("D hand 1\n").when("@ tally stake.A=4 class.A=natural next=A").allows()


def test_R7_no_more_hands_of_two_cards_than_there_are_cards_for() -> None:
    """Each takes a seven or the king of diamonds, and so five hands can have it."""
    def eight(seats: str, bank: str) -> Given:
        had = " ".join(f"stake.{s}=1 class.{s}=natural" for s in seats)
        return given(GAME, "H hand 1\n", Seats="A B C D E F G H").when(f"@ tally {had} bank={bank}")

    eight("ABCDE", "6").allows().scores(A=2, B=2, C=2, D=2, E=2, F=0, G=0, H=-10)
    eight("ABCDEF", "6").finds(
        "R7", words="6 hands cannot be seven and a half in two cards, which 5 cards of the pack make",
    )
    eight("ABCDE", "natural").finds("R7")


def test_a_claim_is_compared() -> None:
    lines = settled("6c", "5s") + "A show 6c\n"
    assert claim_differences(score_match(table(lines, chips=100).when("@ claim A=104 D=96").records)) == []
    assert claim_differences(score_match(table(lines, chips=100).when("@ claim A=106 D=94").records))


def test_deltas_are_what_the_text_pays() -> None:
    assert [delta(n, 12, 4) for n in (BUST, 1, 12, 15, NATURAL)] == [-4, -4, 0, 4, 8]
    assert set(WRITTEN.values()) == {BUST, *range(1, 17)}


def test_the_match_ends_after_its_hands() -> None:
    state = table(settled("6c", "5s") + "A show 6c\n", hands=1).judgement.state
    assert (state.standing.over, state.standing.winner) == (True, "A")


@pytest.mark.parametrize("seats", ["A B", "A B C D E F G H"])
def test_whole_matches(seats: str) -> None:
    for seed in range(2):
        log = simulate(GAME, seed=seed, hands=6, seats=seats.split())
        for record in (log, hide(log)):
            verdict = judge(record)
            assert verdict.broken == []
            known_ = [[n for n in s.points.values() if n is not None] for s in verdict.state.scores]
            assert all(sum(points) == 0 for points in known_ if len(points) == len(seats.split()))


def test_a_hand_typed_in_few_keys() -> None:
    session = Session(table("").records)
    for line in ("2 3 1", "5c", ".", "kc", "natural 7d", ".", "4s", "2s", ".", "6d", "ac"):
        session.take(session.complete(line).events)
    assert [write_event(r.event) for r in session.records[4:]] == [
        "A draw up 5c", "A pass", "B draw up Kc", "B call natural Kc7d", "C pass", "D show 4s", "D draw up 2s",
        "D pass", "A show 5c6d", "C show Ac",
    ]  # fmt: skip


def test_the_acts_of_a_hand() -> None:
    acts = legal(table(known("5c")).judgement.state).acts
    assert {type(act).__name__ for act in acts} == {"Pass", "Draw"}


@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        ("B call bust Kc", "R5", "B has drawn no card and is not bust"),
        ("B call natural Kc", "R7", "B has drawn no card, and seven and a half takes two"),
    ],
)
def test_R5_R7_nobody_is_bust_or_has_seven_and_a_half_with_the_first_card(line: str, rule: str, words: str) -> None:
    """If this failed, a slip of the recorder while bets are put up would end a hand that nobody has bet on."""
    given(GAME, "D hand 1\nA bet 1\n", Seats="A B C D").when(line).finds(rule, words=words)


def test_R13_nobody_says_who_banks_next_while_the_bank_is_unseen() -> None:
    """If this failed, the answer would say that the old banker goes on, though nobody knows whether it had seven and
    a half."""
    lines = "D hand 1\nC bet 4\nA call out\nB call out\nC draw up 7s\nC pass\nD draw up ??\nD pass\nC show Jd7s\n"
    state = given(GAME, lines, Seats="A B C D").judgement.state
    assert "banks next" not in state.game.display.last_outcome_text(state)
    known = given(
        GAME, lines.replace("??", "6d").replace("C show", "D show 3c6d\nC show"), Seats="A B C D",
    ).judgement.state
    assert known.game.dealing.next_dealer(known) == "C"


def test_who_has_not_bet_before_a_gap_may_have_bet_in_it() -> None:
    """If this failed, a player whose bet was not recorded would certainly have won and lost nothing."""
    lines = "D hand 1\nB bet 1\n{said}@ gap\nB draw up 6h\nB pass\nD show 5h\nD pass\nB show 6hJs\n"
    for said, points in (("", None), ("A call out\n", 0)):
        case = given("seven-and-a-half", lines.format(said=said), Seats="A B C D").clean()
        assert case.judgement.state.scores[-1].points["A"] == points
