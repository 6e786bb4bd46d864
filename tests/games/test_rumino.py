"""Rumino, rule by rule: each has the cases of its kind; then readings, house rules, the score, the pool, whole
matches."""

from __future__ import annotations

import pytest
from given import Given, given
from referees.rumino import Referee

from events.model import Recorded
from events.writing import write_event
from reducers.games.rumino import PACK, READINGS, RULES, WORDS, Hand, Pooled, has_rumino, least, paid_in
from reducers.model import State
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate
from replay.table.narration import tell
from replay.table.session import Session

GAME = "rumino"
# D deals, so A begins. C wants a diamond at either end, D an eight; A has two of deadwood, B a lot.
OPEN = """
D hand 1
@ deal A=7h8h9hKcKdKh2s B=AcThJs6c7s2c9d C=2d3d4d5d6d7dKs D=8c8c8h8s8sJoQd
@ deal up discard=Jc
@ deal down stock=79x??
"""
HIDDEN = "D hand 1\n@ deal A=7x?? B=7x?? C=7x?? D=7x??\n@ deal up discard=Jc\n"
FOUR = {"Seats": "A B C D"}
THROWN = "A draw ??\nA discard 8d\n"
KNOCK = "A call knock\n"
PLAIN = [rule.id for rule in RULES]


def open_hands(*lines: str, **tags: object) -> Given:
    """Four hands that everybody knows, and these acts."""
    return given(GAME, OPEN, **FOUR, **tags).when(*lines)


def hidden_hands(*lines: str, **tags: object) -> Given:
    """Four hands that nobody saw, and these acts."""
    return given(GAME, HIDDEN, **FOUR, **tags).when(*lines)


def told(*hands: str, seats: str = "A B C", **option: object) -> Given:
    """Hands of which only the result is told, and what was said between them."""
    lines: list[str] = []
    dealt = 0
    for line in hands:
        if "=" in line.partition(" ")[0]:
            lines += [f"{seats.split()[(dealt - 1) % len(seats.split())]} hand {dealt + 1}", f"@ tally {line}"]
            dealt += 1
        else:
            lines.append(line)
    return given(GAME, "\n".join(lines), Seats=seats, option=option)


def state_of(case: Given) -> State[Hand]:
    state: State[Hand] = case.judgement.state
    return state


def standing(case: Given) -> Pooled:
    found = state_of(case).standing
    assert isinstance(found, Pooled)
    return found


# R1 and R2, duties
@pytest.mark.parametrize(
    ("acts", "rule", "words"),
    [
        (["B draw ??"], "R1", "A sits left of the dealer and begins"),
        (["A draw ??", "A discard Ks", "C draw ??"], "R1", "it is the turn of B"),
        (["A draw ??", "B discard Ks"], "R1", "it is the turn of A"),
        (["A draw 2x??"], "R2", "one card is drawn"),
        (["A draw ??", "A draw ??"], "R2", "A has drawn already"),
        (["A draw ??", "A discard Ks", "B draw Jc <discard"], "R2", "J♣ is not on top, K♠ is"),
        (["A draw ??", "A discard Ks9s"], "R2", "one card is discarded"),
        (["A draw ??", "A discard Ks", "A discard Qs"], "R2", "A has discarded already"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R2_broken(acts: list[str], rule: str, words: str) -> None:
    hidden_hands(*acts).finds(rule, words=words)


def test_R1_R2_kept() -> None:
    hidden_hands(
        "A draw Jc <discard", "A discard 9s", "B draw ??", "B discard 9s", "C draw 9s <discard", "C discard Ks",
    ).clean()


def test_R2_a_draw_that_nobody_wrote_was_from_the_stock() -> None:
    case = hidden_hands("A discard 9s", "B discard 4h").clean()
    assert len(case.judgement.state.table.piles["stock"]) == 77


def test_R2_a_draw_that_nobody_wrote_takes_no_known_card_off_the_stock() -> None:
    """If this failed, the top card of a stock that everybody saw would lie in the wrong hand when the draw was from
    the discards."""
    seen = OPEN.replace("79x??", "76x??Qh9sTd")
    acts = [
        "A draw Jc <discard", "A discard Kd", "B discard 2c", "C draw Td", "C discard Ks", "D draw 9s", "D discard Jo",
        "A draw Qh", "A discard Kh", "B discard Kd",
    ]
    given(GAME, seen, **FOUR).when(*acts).clean()


def test_R6_whoever_shows_a_card_more_than_it_was_dealt_has_drawn() -> None:
    """If this failed, a knock before which nobody wrote the draw would leave one of the eight cards shown without a
    place."""
    hidden_hands("A call knock", "A show 7h8h9hKcKdKh2s3s").clean()
    hidden_hands("A draw ??", "A call knock", "A show 7h8h9hKcKdKh2s3s4d").finds("T4")


def test_R2_of_two_equal_cards_the_one_on_top_is_drawn() -> None:
    """Two packs: a jack of clubs lies below, and the one on top was half seen."""
    hidden_hands("A draw ??", "A discard J?", "B draw Jc <discard").clean()


# R3 to R5: melds, laid out after a knock
@pytest.mark.parametrize(
    ("meld", "rule", "words"),
    [
        ("A meld 3h4h5h6h7h", "R3", "three or four cards"),
        ("A meld 9c9d", "R3", "three or four cards"),
        ("A meld 9c9d9d9h9s", "R3", "three or four cards"),
        ("A meld JoJoJoJo9s", "R3", "three or four cards"),
        ("A meld QhKhAh", "R4", "the ace low"),
        ("A meld 3h4h5c", "R4", "not a run"),
        ("A meld 3hJo6h", "R4", "not a run"),
        ("A meld KhAhJo2h", "R4", "not a run"),
    ],
)
def test_R3_R4_broken(meld: str, rule: str, words: str) -> None:
    hidden_hands("A call knock", meld).finds(rule, words=words)


@pytest.mark.parametrize("meld", ["Ah2h3h", "JhQhKh/9c9c9d", "3hJo5h6h", "JoJo9s", "JoJoJo", "9c9c9d9d"])
def test_R3_R4_kept(meld: str) -> None:
    hidden_hands("A call knock", f"A meld {meld}").clean()


def test_R3_cards_added_to_a_meld_make_it_too_long() -> None:
    hidden_hands("A call knock", "A meld 9c9d9h", "A meld 9s >meld:A:1").clean()
    hidden_hands("A call knock", "A meld 9c9d9h9s", "A meld 9s >meld:A:1").finds("R3")


def test_R4_with_an_unseen_card_it_is_open() -> None:
    hidden_hands("A call knock", "A meld 3h??5h").opens("R4")


def test_R5_a_joker_in_a_meld_is_not_refused() -> None:
    right = hidden_hands("A call knock", "A meld 3hJo5h")
    right.when("B fault joker A").finds("R5", words="any card of a meld")
    hidden_hands("B fault joker 9cJoJo").finds("R5")
    hidden_hands("B fault joker 9cJo5h").allows()
    hidden_hands("A call knock", "A meld 3h4h5h", "B fault joker A").allows()


# R6 and R7, duties
@pytest.mark.parametrize(
    ("acts", "rule", "words"),
    [
        (["A draw ??", "A call knock"], "R6", "A has drawn already"),
        (["B call knock"], "R6", "it is the turn of A"),
        (["A call gin"], "R7", "A goes gin with 2 points"),
        (["A draw ??", "A call gin"], "R7", "A has drawn already"),
        (["A draw ??", "A discard 2s", "B call knock"], "R6", "B knocks with 45 points of deadwood"),
        (["A call knock", "A call gin"], "R7", "A has ended the hand"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R6_R7_broken(acts: list[str], rule: str, words: str) -> None:
    open_hands(*acts).finds(rule, words=words)


def test_R6_kept() -> None:
    open_hands("A call knock").allows()
    eight = "D hand 1\n@ deal A=7h8h9hKcKdKh8s\n"
    given(GAME, eight, **FOUR).when("A call knock").finds("R6", words="A knocks with 8 points")


def test_R6_is_open_until_the_hand_is_shown() -> None:
    case = hidden_hands("A call knock").opens("R6")
    case.when("A show 3h4h5h6h7hKcKd").finds("R6", at=4, known=5, words="23 points")
    case.when("A show 3h4h5h6h2c2d2h").allows(at=4)


def test_R6_a_five_card_run_is_not_one_meld() -> None:
    """The commonest wrong knock: five in a row, of which one is deadwood."""
    hidden_hands("A call knock", "A meld 5h6h7h8h9h", "A show 2c3d").finds("R6", at=4, words="10 points")


def test_R7_kept() -> None:
    gin = "D hand 1\n@ deal A=7h8h9hKcKdKhJo\n"
    given(GAME, gin, **FOUR).when("A call gin").allows()
    hidden_hands("A call gin").opens("R7").when("A show 7h8h9hKcKdKhKs").clean()


def test_R6_R7_a_tally_has_no_more_deadwood_than_its_ending_takes() -> None:
    told("ending=knock by=A deadwood.A=9 deadwood.B=20 deadwood.C=3").finds("R6")
    told("ending=gin by=A deadwood.A=3 deadwood.B=20 deadwood.C=3").finds("R7")
    told("ending=knock by=A deadwood.A=7 deadwood.B=20 deadwood.C=3").clean()


# R8, duty
RUMINOS = ["7d8d9dTdJdQdKd", "Ad2d3d4d5d6d7d", "7d8dJoTdJdQdKd", "9c9c9d9d9h9hJo", "JoJoJoJo5c5d5h", "JoJoJoJoAdQd7d"]


@pytest.mark.parametrize("cards", RUMINOS[:5])
def test_R8_kept(cards: str) -> None:
    case = given(GAME, f"B hand 1\n@ deal A={cards}\n").when("A call rumino", f"A show {cards}").clean()
    assert (state_of(case).ended, standing(case).winner) == ("won", "A")


@pytest.mark.parametrize(
    "cards", [RUMINOS[5], "7d8d9dTdJdQdKc", "Ad2d3d4d5d6dKd", "9c9c9d9d9h9h8c", "7d7d8d9dTdJdQd", "QdKdAd2d3d4d5d"],
)
def test_R8_broken(cards: str) -> None:
    given(GAME, f"B hand 1\n@ deal A={cards}\n@ deal down stock=93x??\n").when("A draw Kh", "A call rumino").finds("R8")


def test_R8_is_open_until_the_hand_is_shown() -> None:
    case = hidden_hands("A draw ??", "A discard Ks", "C call rumino").opens("R8")
    case.when("C show 7d8d9dTdJdQdKd").clean()
    case.when("C show 7d8d9dTdJdQd2d").finds("R8", at=6, known=7)
    hidden_hands("C call rumino 7d8d9dTdJdQd2d").finds("R8", words="is not a rumino")


def test_R8_may_be_shown_at_any_time_and_with_eight_cards() -> None:
    for acts in (
        ["C call rumino 7d8d9dTdJdQdKd"], ["A draw ??", "A call rumino 7d8d9dTdJdQdKd"], ["C show 7d8d9dTdJdQdKd"],
    ):
        case = hidden_hands(*acts).clean()
        assert standing(case).winner == acts[-1][0]
        assert state_of(case).scores[-1].points == dict.fromkeys("ABCD", 0)


def test_R8_seven_cards_that_are_none_do_not_end_the_hand() -> None:
    assert state_of(hidden_hands("C show 7d8d9dTdJdQd2d")).phase == "draw"


def test_R8_after_a_knock_too() -> None:
    case = open_hands("A call knock", "C call rumino 2d3d4d5d6d7dKs").finds("R8")
    assert standing(case).winner == "C"
    knocked = hidden_hands("A call knock", "C call rumino 2d3d4d5d6d7d8d")
    assert (standing(knocked).winner, state_of(knocked).ended) == ("C", "won")


@pytest.mark.parametrize("word", ["knock", "gin"])
def test_R8_a_rumino_that_is_shown_after_a_knock_wins_without_being_called(word: str) -> None:
    case = hidden_hands(f"A call {word}", "B show AcThJs6c7s2c9d", "C show 2d3d4d5d6d7d8d")
    assert (standing(case).winner, state_of(case).ended) == ("C", "won")
    plain = hidden_hands(f"A call {word}", "B show AcThJs6c7s2c9d", "C show 2d3d4d5d6d7d9d")
    assert not standing(plain).over


def test_R8_a_card_that_nobody_wrote_may_have_been_drawn() -> None:
    six = "B hand 1\n@ deal A=7d8d9dTdJdQd2c\n"
    given(GAME, six).when("A call rumino").opens("R8")
    given(GAME, "B hand 1\n@ deal A=7d8d9dTdJd2h2c\n").when("A call rumino").finds("R8")


# R9, right
def test_R9_a_card_is_claimed_out_of_turn() -> None:
    case = open_hands(THROWN, "D draw 8d <discard").allows()
    assert state_of(case).turn[0] == "D"
    won = case.when("D call rumino").clean()
    assert (standing(won).winner, state_of(won).ended) == ("", "")
    assert standing(won.when("D show 8c8c8h8s8s8dJo").clean()).winner == "D"


@pytest.mark.parametrize("first", ["C", "D"])
def test_R9_of_two_claims_the_nearer_player_has_the_card(first: str) -> None:
    second = "D" if first == "C" else "C"
    case = open_hands(THROWN, f"{first} draw 8d <discard", f"{second} draw 8d <discard").clean()
    assert len(state_of(case).holding("C")) == 8
    assert len(state_of(case).holding("D")) == 7
    assert standing(case.when("C call rumino 2d3d4d5d6d7d8d").clean()).winner == "C"


@pytest.mark.parametrize("seen", [True, False], ids=["open", "hidden"])
@pytest.mark.parametrize("first", ["C", "D"])
@pytest.mark.parametrize(
    "ends", [["D show 8c8c8h8s8s8dJo"], ["D call rumino", "D show 8c8c8h8s8s8dJo"], ["D call rumino 8c8c8h8s8s8dJo"]],
    ids=", ".join,
)
def test_R9_of_two_claims_the_card_is_for_whoever_shows_a_rumino_with_it(
    ends: list[str], first: str, seen: bool,
) -> None:
    """C sits nearer, and has none; in which order they claimed makes no difference."""
    claims = [f"{who} draw 8d <discard" for who in (first, "D" if first == "C" else "C")]
    hands = OPEN.replace("C=2d3d4d5d6d7dKs", "C=2d3d4d5d6d7cKs").strip() if seen else HIDDEN
    case = given(GAME, hands, **FOUR).when(THROWN, *claims, *ends)
    assert standing(case).winner == "D"
    assert [(f.rule, f.by) for f in case.judgement.broken] == ([("rumino.R9", "C")] if seen else [])
    # Whoever sits nearer has the card until somebody shows a rumino.
    hands = OPEN.strip() if seen else HIDDEN
    case = given(GAME, hands, **FOUR).when(THROWN, *claims, "C show 2d3d4d5d6d7d8d").clean()
    assert standing(case).winner == "C"


@pytest.mark.parametrize("seen", [True, False], ids=["open", "hidden"])
@pytest.mark.parametrize("claims", [("C", "D"), ("D", "C")], ids=" ".join)
@pytest.mark.parametrize("called", ["", "C", "D", "CD", "DC"])
@pytest.mark.parametrize("first", ["C", "D"])
def test_R9_of_two_who_make_a_rumino_the_first_to_show_it_has_won(
    first: str, called: str, claims: tuple[str, str], seen: bool,
) -> None:
    """The game ends with the first rumino that is shown, wherever its player sits; neither of the two did anything
    wrong."""
    ruminos = {"C": "2d3d4d5d6d7d8d", "D": "8c8c8h8s8s8dJo"}
    acts = [
        *(f"{who} draw 8d <discard" for who in claims), *(f"{who} call rumino" for who in called),
        f"{first} show {ruminos[first]}",
    ]
    case = given(GAME, OPEN.strip() if seen else HIDDEN, **FOUR).when(THROWN, *acts).clean()
    assert standing(case).winner == first
    assert seen or not case.when(
        f"{'D' if first == 'C' else 'C'} show {ruminos['D' if first == 'C' else 'C']}"
    ).judgement.findings


@pytest.mark.parametrize("seen", [True, False], ids=["open", "hidden"])
def test_R9_a_claim_is_made_before_the_next_player_has_drawn(seen: bool) -> None:
    """B takes the card in turn: a claim written before that goes first, one written after it comes too late."""
    hands = OPEN.strip() if seen else HIDDEN
    before = given(GAME, hands, **FOUR).when(THROWN, "D draw 8d <discard", "D show 8c8c8h8s8s8dJo").clean()
    assert standing(before).winner == "D"
    given(GAME, hands, **FOUR).when(
        THROWN, "B draw 8d <discard", "D draw 8d <discard",
    ).finds("R9", words="B has drawn by now")
    given(GAME, hands, **FOUR).when(THROWN, "B draw ??", "D draw 8d <discard").finds("R9", words="B has drawn by now")


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["A draw ??", "A discard 7c", "C draw 7c <discard"], "C has no six cards of a rumino with it"),
        ([THROWN, "B draw ??", "D draw 8d <discard"], "B has drawn by now"),
        ([THROWN, "C draw Jc <discard"], "J♣ was not thrown last"),
        (["D draw Jc <discard"], "no card has been thrown yet"),
        ([THROWN, "A draw 8d <discard"], "A threw the card"),
        ([THROWN, "B draw 8d <discard", "D draw 8d <hand:B"], "claimed from the discards"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v).replace("\n", " "),
)
def test_R9_what_a_claim_does_not_cover(acts: list[str], words: str) -> None:
    open_hands(*acts).finds("R9", words=words)


def test_R9_the_next_player_draws_it_in_turn() -> None:
    open_hands(THROWN, "B draw 8d <discard", "B discard 9d").clean()


def test_R9_with_a_hidden_hand_it_is_open_until_the_rumino_is_shown() -> None:
    case = hidden_hands(THROWN, "D draw 8d <discard").opens("R9")
    case.when("D call rumino", "D show 8c8c8h8s8s8dJo").clean()
    case.when("D call rumino", "D show 8c8c8h8s8s8d9cKc").finds("R9", at=6)


def test_R9_a_claim_that_is_put_back_leaves_the_turn_where_it_was() -> None:
    back = open_hands("A draw ??", "A discard 7c", "C draw 7c <discard", "C move 7c >discard")
    assert state_of(back).turn == ("B",)
    back.when("B draw 7c <discard").allows()


def test_R9_the_turn_goes_on_after_a_claim_that_makes_nothing() -> None:
    case = open_hands("A draw ??", "A discard 7c", "C draw 7c <discard", "B draw ??", "B discard 9d").allows(at=9)
    assert state_of(case).turn == ("C",)
    assert state_of(open_hands("A draw ??", "A discard 7c", "C draw 7c <discard", "B draw ??")).hand.claims == ()


def test_R9_refused() -> None:
    case = open_hands(THROWN, "D draw 8d <discard")
    case.when("A fault claim D").finds("R9", words="D makes a rumino")
    open_hands("A draw ??", "A discard 7c", "C draw 7c <discard", "A fault claim C").allows()


# R10 to R13: out of the game, and buying back in
OUT = "ending=knock by=A deadwood.A=3 deadwood.B=61 deadwood.C=40"
TWICE = (OUT, "ending=knock by=A deadwood.A=2 deadwood.B=60 deadwood.C=20")


@pytest.mark.parametrize(
    "act",
    ["@ deal B=7x??", "B draw ??", "B discard 9s", "B call knock", "@ tally ending=knock by=B", "@ tally deadwood.B=3"]
)
def test_R10_who_is_out_is_out(act: str) -> None:
    case = told(*TWICE, "B hand 3")
    case.when(act).finds("R10", words="B went out before this hand")


def test_R10_exactly_a_hundred_is_out() -> None:
    assert standing(told(OUT, "ending=knock by=A deadwood.A=0 deadwood.B=39 deadwood.C=1")).out == ("B",)
    assert standing(told(OUT, "ending=knock by=A deadwood.A=0 deadwood.B=38 deadwood.C=1")).out == ()


def test_R10_the_others_play_on_without_whoever_is_out() -> None:
    case = told(*TWICE, "C hand 3", "@ deal A=7x?? C=7x??", "@ deal up discard=4c", "A draw ??", "A discard 5c")
    assert state_of(case).turn == ("C",)
    case.clean()


def test_R10_who_is_still_in_buys_nothing() -> None:
    told(*TWICE, "C bet 5", stake=5).finds("R10", words="C has 60 points and is still in the game")


def test_R10_who_may_be_out_by_an_unknown_total_may_drop_out() -> None:
    """If this failed, a word after the hand would begin another hand, and come out of its time."""
    unknown = [OUT, "ending=knock by=A deadwood.A=2 deadwood.C=20"]
    told(*unknown, "B pass", stake=5).clean()
    told(*unknown, "B hand 3", "C draw ??", stake=5).clean()
    assert state_of(told(*unknown, "B pass", stake=5)).number == len(unknown)


def test_R10_not_a_hand_later() -> None:
    later = told(*TWICE, "ending=knock by=A deadwood.A=2 deadwood.C=3", "B bet 5", stake=5)
    later.finds("R10", words="B went out before this hand")
    assert standing(later).out == ("B",)


def test_R11_a_rebuy_costs_the_stake_and_then_twice_as_much() -> None:
    first = told(*TWICE, "B bet 5", stake=5).clean()
    assert standing(told(*TWICE, "B pay 5 >pot", stake=5).clean()).out == ()
    told(*TWICE, "B pay 10 >pot", stake=5).finds("R11")
    told(*TWICE, "B bet 10", stake=5).finds("R11", words="buying back in costs B 5, not 10")
    again = first.when("C hand 3", "@ tally ending=knock by=A deadwood.A=2 deadwood.B=50 deadwood.C=3")
    again.when("B bet 10").clean()
    again.when("B bet 5").finds("R11", words="costs B 10 this time, not 5")
    third = again.when("B bet 10", "A hand 4", "@ tally ending=knock by=A deadwood.A=2 deadwood.B=60 deadwood.C=3")
    third.when("B bet 20").clean()
    assert paid_in(state_of(third.when("B bet 20"))) == {"A": 5, "B": 40, "C": 5}


def test_R11_without_a_pool_nobody_buys_anything() -> None:
    assert told(*TWICE, "B bet 5").finds("R11", words="not played for money").judgement.state.standing.out == ("B",)


def test_R10_to_R13_who_buys_back_in_by_a_result_that_is_told() -> None:
    """A tally lets in nobody who could not have bought: if this failed, two players could play on for ever."""
    last = "ending=knock by=A deadwood.A=2 deadwood.B=60 deadwood.C=20"
    bought = told(OUT, f"{last} rebuys=B", stake=5).clean()
    assert (standing(bought).totals["B"], standing(bought).bought) == (60, {"B": (5,)})
    told(OUT, f"{last} rebuys=C", stake=5).finds("R10", words="C has 60 points and is still in the game")
    told(
        *TWICE, "ending=knock by=A deadwood.A=2 deadwood.C=3 rebuys=B", stake=5,
    ).finds("R10", words="B went out before this hand")
    assert standing(told(OUT, f"{last} rebuys=B").finds("R11", words="not played for money")).out == ("B",)
    told(OUT, f"{last} rebuys=B", stake=5, rebuy="no").finds("R13", words="the house rule")
    both = "ending=knock by=A deadwood.A=2 deadwood.B=60 deadwood.C=60 rebuys=B,C"
    assert standing(told(OUT, both, stake=5).finds("R13", words="only A is left")).winner == "A"


def test_R11_the_stakes_at_the_beginning() -> None:
    given(GAME, "A bet 5", option={"stake": 5}).allows()
    given(GAME, "A bet 4", option={"stake": 5}).finds("R11", words="the stake is 5")


def test_R12_the_score_is_the_highest_of_the_others() -> None:
    case = told(*TWICE, "B bet 5", stake=5)
    assert standing(case).totals == {"A": 5, "B": 60, "C": 60}
    assert standing(case).out == ()
    higher = told(OUT, "ending=knock by=A deadwood.A=40 deadwood.B=60 deadwood.C=2", "B bet 5", stake=5)
    assert standing(higher).totals["B"] == 43


def test_R12_is_contradicted_by_a_claim() -> None:
    case = told(*TWICE, "B bet 5", "B claim A=5 B=99 C=60", stake=5)
    assert claim_differences(score_match(case.records))
    assert not claim_differences(score_match(told(*TWICE, "B bet 5", "B claim A=5 B=60 C=60", stake=5).records))


def test_R13_two_are_left() -> None:
    heads_up = "ending=knock by=A deadwood.A=2 deadwood.B=70", "ending=knock by=A deadwood.A=2 deadwood.B=70"
    told(*heads_up, "B bet 5", seats="A B", stake=5).finds("R13", words="only A is left")
    three = told(*TWICE, "ending=knock by=A deadwood.A=2 deadwood.C=45", "C bet 5", stake=5).finds("R13")
    assert standing(three).winner == "A"
    told(*TWICE, "B bet 5", stake=5).allows()


def test_R13_of_three_two_that_go_out_at_once_stay_out() -> None:
    both = told(OUT, "ending=knock by=A deadwood.A=2 deadwood.B=60 deadwood.C=60", "C bet 5", stake=5).finds("R13")
    assert (standing(both).winner, standing(both).over) == ("A", True)


def test_R13_of_four_two_that_go_out_at_once_both_buy_back() -> None:
    out = "ending=knock by=A deadwood.A=3 deadwood.B=60 deadwood.C=60 deadwood.D=9"
    case = told(out, out, "C bet 5", "B bet 5", seats="A B C D", stake=5).clean()
    assert standing(case).totals == {"A": 6, "B": 18, "C": 18, "D": 18}


def test_R13_whoever_let_it_go_is_not_asked_again() -> None:
    out = "ending=knock by=A deadwood.A=3 deadwood.B=60 deadwood.C=60 deadwood.D=9"
    assert state_of(told(out, out, seats="A B C D", stake=5)).turn == ("B",)
    case = told(out, out, "C pass", seats="A B C D", stake=5)
    assert state_of(case).turn == ("B",)
    bought = state_of(case.when("B bet 5"))
    assert (bought.phase, bought.turn) == ("between", ())


# R14 to R16
def test_R14_nothing_is_laid_off() -> None:
    melds = hidden_hands("A call knock", "A meld 7h8h9h")
    melds.when("B meld Th >meld:A:1").finds("R14", words="the meld belongs to A")
    melds.when("A meld Th >meld:A:1").clean()


@pytest.mark.parametrize("deal", ["A=8x??", "discard=2x??"])
def test_R15_seven_each(deal: str) -> None:
    given(GAME, "B hand 1").when(f"@ deal {deal}").finds("R15")
    given(GAME, "B hand 1").when("@ deal A=7x?? B=7x??", "@ deal up discard=Jc").clean()


def test_R16_the_pool() -> None:
    over = told(*TWICE, "B bet 5", "ending=knock by=A deadwood.A=2 deadwood.B=45 deadwood.C=45", stake=5)
    assert standing(over).winner == "A"
    over.when("@ pay 20 <pot >A").clean()
    over.when("@ pay 15 <pot >A").finds("R16", words="the pool is 20, not 15")
    over.when("@ pay 20 <pot >B").finds("R16", words="A won the game and takes the pool")
    told(*TWICE, "@ pay 15 <pot >A", stake=5).finds("R16", words="the game is not over")


def test_R16_whoever_has_a_rumino_takes_the_pool() -> None:
    case = told(OUT, "ending=rumino by=C", stake=5)
    assert (standing(case).winner, standing(case).totals) == ("C", {"A": 3, "B": 61, "C": 40})
    case.when("@ pay 15 <pot >C").clean()


# Readings
def test_every_rule_has_a_case() -> None:
    named = " ".join(name for name in globals() if name.startswith("test_R"))
    assert [rule for rule in PLAIN if f"_{rule}_" not in named] == []
    assert len(READINGS) > 15


@pytest.mark.parametrize(
    ("hand", "deadwood"),
    [
        ("Ad2d3d4d5d6dKc", 10), ("3h4h5h6h7hKcKd", 23), ("9c9c9d9d9h9h5s", 5), ("QhKhAhJo2c2d7s", 12),
        ("JoJoJoKcQdJh9s", 29), ("AcAcAdTs9hJo4d", 23), ("Ac3d5h7s9cJdKh", 45), ("KcKdJo3h4h6s8s", 21),
        ("JoAc3d5h7s9cJd", 45),
    ],
)  # fmt: skip
def test_R17_the_least_deadwood(hand: str, deadwood: int) -> None:
    cards = [hand[i : i + 2] for i in range(0, len(hand), 2)]
    assert least(PACK.bag(cards)) == deadwood


def test_how_a_hand_is_laid_out_does_not_change_what_it_counts() -> None:
    """The ten would go with the king and a joker; the shown melds leave more than there has to be."""
    shown = hidden_hands(
        "A call knock", "A meld 7h8h9h", "A show 2sKcKdJo", "B show AcThJs6c7s2c9d", "C show 2x??Ks4x??", "D show 7x??",
    )
    assert state_of(shown).scores[-1].points["A"] == 2


def test_the_stock_is_made_anew_of_the_discards() -> None:
    case = given(
        GAME,
        "B hand 1\n@ deal A=7x?? B=7x??\n@ deal up discard=Jc\n@ deal down stock=93x??\n@ move 92x?? <stock >dead\n",
    )
    out = case.when("A draw ??", "A discard 9s", "B draw ??", "B discard 8s")
    assert [text for _, text in state_of(out).inferred] == [
        "the stock was out: 1 discards were shuffled to form a new one (not recorded)"
    ]
    written = case.when("A draw ??", "A discard 9s", "@ shuffle 1x?? <discard >stock", "B draw ??").clean()
    assert state_of(written).inferred == []


def test_whoever_has_laid_every_card_in_melds_has_nothing_to_show() -> None:
    case = hidden_hands("A call knock", "A meld 7h8h9h/KcKdKhJo")
    assert (state_of(case).hand.shown, state_of(case).turn) == (("A",), ("B", "C", "D"))
    assert state_of(hidden_hands("A call knock", "A meld 7h8h9h")).turn == ("A", "B", "C", "D")


# House rules
def test_the_knock_limit() -> None:
    hand = "D hand 1\n@ deal A=7h8h9hKcKdKh8s\n"
    given(GAME, hand, option={"knock_limit": 10}, **FOUR).when("A call knock").clean()
    open_hands("A call knock", option={"knock_limit": 1}).finds("R6")


def test_R18_what_gin_brings() -> None:
    gin = "ending=gin by=A deadwood.B=61 deadwood.C=40"
    told(gin).scores(A=-10, B=61, C=40)
    told(gin, gin_score=-25).scores(A=-25, B=61, C=40)


def test_gin_after_the_draw() -> None:
    hand = "D hand 1\n@ deal A=7h8h9hKcKdKh8s\n"
    late = given(GAME, hand, option={"gin_timing": "after_draw"}, **FOUR)
    late.when("A draw Th", "A call gin").clean()
    late.when("A draw 2c", "A call gin").finds("R7", words="2 points")
    late.when("A draw 2c", "A call knock").finds("R6", words="A has drawn already")
    given(GAME, hand, **FOUR).when("A draw Th", "A call gin").finds("R7")


def test_when_a_player_is_out() -> None:
    assert standing(told(OUT, out_at=50)).out == ("B",)
    assert standing(told(OUT, out_at=200)).out == ()


def test_no_rebuys() -> None:
    told(*TWICE, "B bet 5", stake=5, rebuy="no").finds("R13", words="the house rule")
    assert state_of(told(*TWICE, stake=5, rebuy="no")).turn == ()
    assert state_of(told(*TWICE, stake=5)).turn == ("B",)
    assert state_of(told(*TWICE)).turn == ()


# Scoring
def test_a_knock_as_it_was_played() -> None:
    case = open_hands(
        "A call knock", "A show 7h8h9hKcKdKh2s", "B show AcThJs6c7s2c9d", "C show 2d3d4d5d6d7dKs",
        "D show 8c8c8h8s8sJoQd"
    ).clean()
    case.scores(A=2, B=45, C=10, D=10)
    assert state_of(case).scores[-1].result == "A knocks"


def test_whoever_has_less_than_the_knocker_gets_nothing_for_it() -> None:
    told("ending=knock by=A deadwood.A=7 deadwood.B=0 deadwood.C=6").scores(A=7, B=0, C=6)


def test_one_point_is_one_point() -> None:
    hidden_hands("A call gin", "A show 2h3h4h5h5c5dAs").finds("R7", at=4, words="A goes gin with 1 point of deadwood")
    told("ending=gin by=A deadwood.A=1 deadwood.B=2 deadwood.C=6").finds("R7", words="a gin and 1 point of deadwood")


def test_a_hand_that_nobody_showed_is_open() -> None:
    case = hidden_hands("A call knock", "A show 7h8h9hKcKdKh2s", "B show 7x??", "C show 7x??", "D show 7x??")
    case.scores(A=2, B=None, C=None, D=None)
    assert state_of(case).scores[-1].unknown[0] == "the deadwood of B"


def test_the_last_players_go_out_together() -> None:
    high = "ending=knock by=A deadwood.A=7 deadwood.B={} deadwood.C=60"
    lowest = told(
        high.format(60), "ending=gin by=C deadwood.A=2 deadwood.B=60",
        *["ending=knock by=A deadwood.A=50 deadwood.B=9 deadwood.C=60"] * 2,
    )
    assert standing(lowest).over
    assert standing(lowest).winner == "A"
    level = told(
        "ending=knock by=A deadwood.A=60 deadwood.B=60", "ending=knock by=A deadwood.A=60 deadwood.B=60", seats="A B",
        stake=6,
    )
    assert (standing(level).over, standing(level).winner) == (True, "")
    assert "share" in " ".join(sheet_of(level.records).remarks)


def test_a_hand_broken_off_and_a_misdeal() -> None:
    given(GAME, "B hand 1\nA draw ??\n@ end hand agreed").scores(A=0, B=0)
    again = given(GAME, "B hand 1\n@ deal A=8x??\n@ end hand misdeal")
    assert state_of(again).game.dealing.next_dealer(state_of(again)) == "B"


def test_the_sheet_has_the_pool_and_who_pays_whom() -> None:
    case = told(*TWICE, "B bet 5", "ending=knock by=A deadwood.A=2 deadwood.B=45 deadwood.C=45", stake=5)
    score, pool, settled = sheet_of(case.records).blocks
    assert [row.notes for row in score.rows][1] == ("B buys back in",)
    assert score.rows[2].notes == ("B is out with 105", "C is out with 105")
    assert [
        [cell.text for cell in row.cells] for row in pool.rows
    ][1:3] == [["B", "5", "5", "10"], ["C", "5", "–", "5"]]
    assert [[cell.text for cell in row.cells] for row in settled.rows] == [["B", "A", "10"], ["C", "A", "5"]]


# Recording
def typed(session: Session, line: str) -> list[str]:
    """What a line typed there means; it is taken."""
    draft = session.complete(line)
    assert draft.doubts == (), draft.doubts
    events = [Recorded(n=session.records[-1].n + i, event=r.event) for i, r in enumerate(draft.events, 1)]
    session.take(events)
    return [write_event(r.event) for r in events]


def test_what_is_typed() -> None:
    session = Session(hidden_hands().records)
    assert typed(session, ".") == ["A draw ??"]
    assert typed(session, "8d") == ["A discard 8d"]
    assert typed(session, "D 8d") == ["D draw 8d <discard"]
    assert typed(session, "D rumino") == ["D call rumino"]
    session = Session(hidden_hands().records)
    assert typed(session, "<") == ["A draw Jc <discard"]
    assert typed(session, "9c") == ["A discard 9c"]
    assert typed(session, "knock") == ["B call knock"]
    assert typed(session, "m7-9h") == ["B meld 7h8h9h"]


@pytest.mark.parametrize("first", ["C", "D"])
@pytest.mark.parametrize("written", ["{} 8d", "{} d 8d", "small"])
def test_two_claims_are_typed_in_the_order_made(first: str, written: str) -> None:
    """If this failed, the second claim would be a discard out of turn, as the card lies on top no more."""
    second = "D" if first == "C" else "C"
    lines = [f"{who.lower()} d 8d" if written == "small" else written.format(who) for who in (first, second)]
    session = Session(hidden_hands("A draw ??", "A discard 8d").records)
    assert [typed(session, line) for line in lines] == [[f"{who} draw 8d <discard"] for who in (first, second)]
    said = f"{first} and {second} claim 8♦: it is with C, who sits nearer"
    assert session.state.game.display.last_outcome_text(session.state) == said
    assert "to show a rumino or draw" in session.expected()
    assert typed(session, "D rumino") == ["D call rumino"]


def test_a_claim_put_back_leaves_the_draw() -> None:
    session = Session(hidden_hands("A draw ??", "A discard 8d", "C draw 8d <discard", "C move 8d >discard").records)
    assert (session.state.phase, session.state.turn) == ("draw", ("B",))
    assert typed(session, "<") == ["B draw 8d <discard"]


def test_what_is_typed_between_two_hands() -> None:
    session = Session(told(*TWICE, stake=5).records)
    assert typed(session, "5") == ["B bet 5"]
    assert typed(session, "r a knock 3 20 15") == [
        "B hand 3", "@ tally by=A deadwood.A=3 deadwood.B=20 deadwood.C=15 ending=knock",
    ]
    assert typed(session, "r c rumino") == ["C hand 4", "@ tally by=C ending=rumino"]
    assert {"knock", "gin", "rumino"} <= {word for word, meaning in WORDS.items() if meaning.startswith("call")}


@pytest.mark.parametrize(("line", "said"), [("5", "buys back in for 5"), (".", "drops out")])
def test_who_is_out_buys_back_in_or_drops_out_in_these_words(line: str, said: str) -> None:
    """If this failed, the answer and the replay would speak of a bet and of a pass."""
    session = Session(told(*TWICE, stake=5).records)
    (draft,) = session.complete(line).events
    records = [*session.records, Recorded(n=session.records[-1].n + 1, event=draft.event)]
    assert session.take(records[-1:]).line.partition("  ")[2].startswith(f"B {said}")
    assert any(f"B {said} " in text for text in tell(records))


# Whole matches
@pytest.mark.parametrize(("seats", "option"), [("AB", {}), ("ABCD", {"stake": 5}), ("ABCDEF", {"out_at": 60})])
def test_matches_end_with_one_left(seats: str, option: dict[str, int]) -> None:
    log = simulate(GAME, seed=len(seats), seats=seats, options=option)
    state = fold(log)
    assert isinstance(state.standing, Pooled)
    assert (state.ended, len(state.standing.out) >= len(seats) - 1) == ("won", True)
    assert judge(hide(log)).broken == []


def test_seven_cards_with_unseen_ones() -> None:
    assert has_rumino(("7d", "8d", "9d", "Td", "??", "??", "Jo")) is None
    assert has_rumino(("7d", "8d", "9d", "3d", "??", "??", "??")) is None
    assert has_rumino(("7d", "8d", "9d", "Ad", "??", "??", "??")) is False
    assert has_rumino(("7d", "8d", "9d", "Td", "??", "?c", "Jo")) is False


# The referee: a second opinion, written from the rule text alone


# In a match by chance nobody comes to six cards of a rumino, so claims are compared over hands that are dealt for them.
CLAIMS: list[list[str]] = [
    ["C draw 8d <discard", "C show 2d3d4d5d6d7d8d"], ["D draw 8d <discard", "D call rumino", "D show 8c8c8h8s8sJo8d"],
    ["C draw 8d <discard", "C call rumino 2d3d4d5d6d7d8d"], ["A draw 8d <discard"],
    ["B draw 8d <discard", "B discard 8d", "C draw 8d <discard"], ["B draw 2c", "C draw 8d <discard"],
    ["B draw 2c", "B discard 2c", "C draw 8d <discard"], ["B draw 2c", "B discard 2c", "D draw 2c <discard"],
    ["C draw 8c <discard"], ["C draw 8d <discard", "C call rumino 2d3d4d5d6d7dKs"],
]  # fmt: skip


@pytest.mark.parametrize("acts", CLAIMS, ids=", ".join)
def test_the_referee_agrees_about_claims(acts: list[str]) -> None:
    """About the first line against the rules, and who has won."""
    lines = [*OPEN.strip().splitlines()[:3], "A draw 8d", "A discard 8d", *acts]
    referee = Referee(list("ABCD"))
    case = given(GAME, "\n".join(lines), **FOUR)
    assert referee.read(lines) == min((f.at.pos for f in case.judgement.broken), default=0)
    winner = case.judgement.state.standing.winner
    assert referee.winners == ([winner] if winner else []) or case.judgement.broken


@pytest.mark.parametrize(("seen", "may_be"), [("?d", True), ("Q?", True), ("??", True), ("?c", False), ("K?", False)])
def test_R9_a_card_claimed_half_seen_may_be_the_one_thrown(seen: str, may_be: bool) -> None:
    case = hidden_hands("A draw ??", "A discard Qd", f"C draw {seen} <discard")
    if not may_be:
        case.finds("R9", words="was not thrown last")
        return
    case.when("C call rumino", "C show QcQdQhQsQcJoQd").clean()


def test_R16_the_pool_is_open_if_an_unknown_total_decides_who_bought_back_in() -> None:
    hands = (
        "ending=knock by=C deadwood.A=60 deadwood.B=25 deadwood.C=5", "ending=knock by=C deadwood.B=25 deadwood.C=5",
        "A bet 2", "ending=rumino by=B",
    )
    for amount in (6, 8):
        told(*hands, f"@ pay {amount} <pot >B", stake=2).opens("R16")
    told(*hands[:2], "C bet 2", hands[3], "@ pay 6 <pot >B", stake=2).allows()
    told(*hands[:2], "C bet 2", hands[3], "@ pay 8 <pot >B", stake=2).finds("R16", words="the pool is 6, not 8")


def test_R6_a_knock_is_judged_as_the_first_act_of_a_hand_that_nobody_dealt() -> None:
    """If this failed, a hand shown later would prove nothing of an act that came first, unless the deal was written."""
    shown = ("A call knock", "A show KcQdJh9s8d7c5h", "B show 2c3c4c5d6d7d9h")
    for dealt in ("", "B hand 1", "B hand 1\n@ deal A=7x?? B=7x??"):
        case = given("rumino", dealt, Seats="A B").when(*shown)
        assert [f.rule for f in case.judgement.broken] == ["rumino.R6"]
