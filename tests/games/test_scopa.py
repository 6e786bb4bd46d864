"""Scopa, rule by rule: each has the two cases of its kind; then what follows from the play, the score, whole
matches."""

from __future__ import annotations

from random import Random

import pytest
from given import given
from sampling import a_few

from events.model import Capture, Deal, End, Play
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.games.scopa import PACK, Options, Tally, score_tally
from reducers.legal import legal
from reducers.registry import find_game
from reducers.words.captures import CaptureValues
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

SEEDS = range(30)
# B deals, so A begins; the hands are hidden, as at a real table.
BOARD = "B hand 1\n@ deal A=3x?? B=3x??\n@ deal up board="
FOUR = BOARD + "7d6c4d3h\n"
KINGS = BOARD + "KdKhKs2c\n"
# Each card is lower than everything on the board, so nothing is taken and the next deal comes.
QUIET = BOARD + "KcKdQcJc\n"
SIX = "A play 7s\nB play 6s\nA play 5s\nB play 4s\nA play 3s\nB play 2s\n"


# R1, duty
def test_R1_kept_non_dealer_begins_and_turns_alternate() -> None:
    given("scopa", FOUR).when("A capture 7c/7d", "B play 2s", "A play Js").allows(at=4).allows(at=5)


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B play 2s"], "B dealt, so A begins"),
        (["A play 2s", "A play As"], "it is the turn of B"),
        (["A play 2s", "A capture 7c/7d"], "it is the turn of B"),
        (["A play 2sAs"], "one card"),
        (["A play 2x??"], "one card"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_broken(acts: list[str], words: str) -> None:
    given("scopa", FOUR).when(*acts).finds("R1", words=words)


# R2 to R5: the board alone shows what a card may take, so a breach is seen at once although the hands are hidden
@pytest.mark.parametrize(
    ("board", "act"),
    [
        ("7d6c4d3h", "A capture 7c/7d"),
        ("7d7h4d3h", "A capture 7c/7h"),
        ("7d6c4d3h", "A capture Kh/6c4d"),
        ("Jd2c4d3h", "A capture Kh/Jd2c"),
        ("JdAcAh3h", "A capture Kh/JdAcAh"),
        ("QdAcAh3h", "A capture Kh/QdAh"),
        ("7d6c4d3h", "A play As"),
        ("7d6c5d3h", "A play 2s"),
        ("KdQcJd7h", "A play 6s"),
        ("KdQcJd7h", "A play 6?"),
    ],
    ids=lambda v: v,
)
def test_R2_R3_R4_R5_R6_kept(board: str, act: str) -> None:
    judgement = given("scopa", BOARD + board).when(act).judgement
    assert not judgement.findings, judgement.findings


def test_R2_R3_an_unseen_card_that_takes_too_much_breaks_the_one_or_the_other() -> None:
    """No card counts thirteen; but a seven or a six would break the rule of pairs instead, so neither is certain."""
    case = given("scopa", BOARD + "7d6c4d3h").when("A capture ??/7d6c").allows()
    case.opens("R2").opens("R3")


@pytest.mark.parametrize(
    ("board", "act", "rules"),
    [
        ("4dJs??2c", "A capture 6s/4dJs??", {"R2", "R3"}),  # a six among three cards, or thirteen and more
        ("7d6c??2c", "A capture 5h/7d6c??", {"R2", "R3"}),
        ("Kd4c??2c", "A capture 7h/Kd??", {"R2", "R3"}),
        # a seven lies there: the sum of seven may not be taken either
        ("4d7c??2c", "A capture 7h/4d??", {"R2", "R3", "R4"}),
    ],
    ids=lambda v: v if isinstance(v, str) else "+".join(sorted(v)),
)
def test_R2_R3_a_capture_that_no_unseen_card_makes_right_breaks_the_one_or_the_other(
    board: str, act: str, rules: set[str],
) -> None:
    """If this failed, one of the rules would be named as certainly broken although the other one may have been."""
    judgement = given("scopa", BOARD + board).when(act).judgement
    assert judgement.illegal == (4,)
    assert not judgement.broken
    assert {f.rule for f in judgement.charged(judgement.either[0])} == {f"scopa.{r}" for r in rules}


@pytest.mark.parametrize(
    ("board", "act"),
    [("4dJs??2c", "A capture 6s/4d??"), ("4dJs??2c", "A capture Ks/4d??"), ("4dJs??2c", "A capture 6s/??")],
)
def test_R2_R3_a_capture_that_an_unseen_card_makes_right_is_open(board: str, act: str) -> None:
    """If this failed, a card that nobody saw would be taken for one that breaks a rule."""
    judgement = given("scopa", BOARD + board).when(act).judgement
    assert (judgement.illegal, judgement.broken) == ((), [])


@pytest.mark.parametrize(
    ("board", "act", "rules", "words"),
    [
        ("7d6c4d3h", "A capture 7c/6c", {"R2"}, "6♣ alone does not pair with 7♣"),
        ("7d7h4d3h", "A capture 7c/7d7h", {"R2"}, "one card of its rank"),
        ("7d7h4d3h", "A capture 7c/7d4d3h", {"R2"}, "takes only one card"),
        ("7d6c4d3h", "A capture Kh/6c3h", {"R3"}, "6♣ + 3♥ = 9, and K♥ takes 10"),
        ("7d6c4d3h", "A capture 5h/7d6c", {"R3"}, "7♦ + 6♣ = 13, and 5♥ takes 5"),
        ("7d6c4d3h", "A capture 5h/4d2x??", {"R3"}, "at least 6"),
        ("7d6c4d3h", "A capture 7c/4d3h", {"R4"}, "7♣ pairs with 7♦"),
        ("7d6c4d3h", "A capture 7c/6c4d", {"R3", "R4"}, ""),
        ("7d6c4d3h", "A play 7c", {"R5"}, "7♣ could take 7♦"),
        ("7d6c4d3h", "A play 7?", {"R5"}, "could take 7♦"),
        ("7d6c4d3h", "A play Kc", {"R5"}, "K♣ could take"),
        ("KdQcJd7h", "A play Js", {"R5"}, "J♠ could take J♦"),
        ("AdAcAhAs", "A play 4s", {"R5"}, "4♠ could take A♣ A♦ A♥ A♠"),
    ],
    ids=lambda v: v if isinstance(v, str) else "+".join(sorted(v)),
)
def test_R2_R3_R4_R5_broken(board: str, act: str, rules: set[str], words: str) -> None:
    case = given("scopa", BOARD + board).when(act)
    assert {f.rule for f in case.judgement.broken} == {f"scopa.{r}" for r in rules}
    case.finds(max(rules), known=4, words=words)


@pytest.mark.parametrize(
    ("board", "act", "rule"),
    [
        ("7d6c4d3h", "A capture ??/7d", "R2"),
        ("7d6c4d??", "A capture 7c/??", "R2"),
        ("7d6c4d??", "A capture Kh/6c??", "R3"),
        ("7d6c4d3h", "A capture ??/6c4d", "R3"),
        ("??6c4d3h", "A capture 7c/4d3h", "R4"),
        ("7d6c4d3h", "A play ??", "R5"),
        ("7d6c4d??", "A play 2s", "R5"),
    ],
    ids=lambda v: v,
)
def test_R2_R3_R4_R5_open_where_a_card_was_not_seen(board: str, act: str, rule: str) -> None:
    given("scopa", BOARD + board).when(act).opens(rule).allows()


def test_R5_an_unseen_card_that_cannot_matter_leaves_nothing_open() -> None:
    # All other aces lie elsewhere, and nothing else can add up to one.
    deal = "B hand 1\n@ deal A=AcAdAh B={}2x??\n@ deal up board=7c6d5h??\n"
    given("scopa", deal.format("2s")).when("A play Ac").opens("R5")
    known = given("scopa", deal.format("As")).when("A play Ac")
    assert not [f for f in known.about() if f.rule == "scopa.R5"]


def test_R5_broken_is_known_when_the_unseen_board_card_is_taken() -> None:
    case = given("scopa", BOARD + "7d6cQd??\nA play 5c")
    case.opens("R5")
    case.when("B capture 5h/5d").finds("R5", at=4, known=5, words="5♣ could take 5♦")


def test_R4_broken_is_known_when_the_unseen_board_card_is_taken() -> None:
    case = given("scopa", BOARD + "6c4d3h??\nA capture 7c/4d3h")
    case.opens("R4")
    case.when("B capture 7h/7s").finds("R4", at=4, known=5)


def test_R5_an_empty_board_takes_any_card() -> None:
    case = given("scopa", BOARD + "4d3hAc2s\nA capture Ks/4d3hAc2s")
    case.when("B play 7c").clean()
    case.when("B play ??").clean()


def test_R5_the_ban_is_on_the_card_not_on_the_turn() -> None:
    known = "B hand 1\n@ deal A=7c2sAh B=KsKcKh\n@ deal up board=7d6c5dQd\n"
    given("scopa", known).when("A play 2s").clean()


def test_R5_shows_what_would_have_been_legal() -> None:
    known = "B hand 1\n@ deal A=7c2sAh B=KsKcKh\n@ deal up board=7d6c5dQd\n"
    found = given("scopa", known).when("A play 7c").finds("R5").about()[0]
    assert (found.cards, found.complete) == (("7d",), True)
    assert set(found.legal) == {"A capture 7c/7d", "A play 2s", "A play Ah"}


# R6, right
@pytest.mark.parametrize(
    ("board", "act"),
    [
        ("7d7h4d3h", "A capture 7c/7d"), ("7d7h4d3h", "A capture 7c/7h"), ("6d4d7hAc", "A capture Kh/6d4d"),
        ("6d4d7h3c", "A capture Kh/7h3c"),
    ],
)
def test_R6_used_and_wrongly_denied(board: str, act: str) -> None:
    used = given("scopa", BOARD + board).when(act)
    used.clean()
    denied = used.when("@ fault choice A #4")
    if board == "6d4d7hAc":  # there was one sum only, so no choice to deny
        denied.clean()
    else:
        denied.finds("R6", words="as A liked")
        used.when("@ fault choice A").finds("R6")


# R7, duty
LATER = "@ deal A=3x?? B=3x??"


def test_R7_kept_three_cards_each_and_none_to_the_board() -> None:
    state = given("scopa", QUIET + SIX).when(LATER).clean().judgement.state
    assert [len(state.holding(s)) for s in "AB"] == [3, 3]
    assert (len(state.table.piles["stock"]), state.turn) == (24, ("A",))


@pytest.mark.parametrize("deal", ["@ deal up board=5c", "@ deal A=3x?? B=3x?? board=??", "@ deal A=4x?? B=2x??"])
def test_R7_broken_by_a_later_deal(deal: str) -> None:
    given("scopa", QUIET + SIX).when(deal).finds("R7")


@pytest.mark.parametrize("deal", ["@ deal A=4x?? B=3x??", "@ deal up board=4c4d4h4s5c"])
def test_R7_broken_by_the_first_deal(deal: str) -> None:
    given("scopa", "B hand 1").when(deal).finds("R7")


@pytest.mark.parametrize(
    ("deals", "words"),
    [
        ("@ deal A=2x?? B=3x??\n@ deal up board=Kd2c3h4s\n@ deal down stock=31x??", "A gets 3 cards, not 2"),
        ("@ deal A=3x?? B=3x??\n@ deal up board=Kd2c3h\n@ deal down stock=31x??", "the board gets 4 cards, not 3"),
    ],
    ids=["a hand", "the board"],
)
def test_R7_broken_by_a_deal_that_is_short(deals: str, words: str) -> None:
    """It shows when the stock is laid out; before that more may come, also one card at a time."""
    case = given("scopa", "B hand 1\n" + deals)
    case.finds("R7", words=words)
    assert [f.at.pos for f in case.judgement.broken] == [4]
    given(
        "scopa", "B hand 1\n@ deal A=?? B=??\n@ deal A=?? B=??\n@ deal A=?? B=??\n@ deal up board=Kd2c3h4s",
    ).when("@ deal down stock=30x??").clean()


def test_R7_broken_by_dealing_while_a_hand_has_cards() -> None:
    given("scopa", QUIET + "A play 7s").when(LATER).finds("R7")


# R8, duty
def test_R8_kept_the_same_dealer_deals_again() -> None:
    case = given("scopa", KINGS)
    assert (case.judgement.state.phase, case.judgement.state.turn) == ("misdeal", ())
    state = case.when("@ end hand misdeal", "B hand 2").clean().judgement.state
    assert (state.scores[0].result, state.dealer, state.standing.totals) == ("misdeal", "B", {"A": 0, "B": 0})


def test_R8_kept_when_nobody_wrote_the_misdeal() -> None:
    state = given("scopa", KINGS).when("B hand 2", "@ deal up board=7d6c4d3h").clean().judgement.state
    assert (state.scores[0].result, state.standing.totals) == ("misdeal", {"A": 0, "B": 0})


@pytest.mark.parametrize("act", ["A play 5c", "A capture Kc/Kd"])
def test_R8_broken_by_playing_on_and_only_once(act: str) -> None:
    case = given("scopa", KINGS).when(act).finds("R8", words="3 kings")
    case.when("B play Ac").allows()
    assert case.judgement.state.turn == ("B",)


def test_R8_broken_by_a_misdeal_without_cause() -> None:
    given("scopa", BOARD + "KdKh7c2c").when("@ end hand misdeal").finds("R8", words="2 kings")
    given("scopa", FOUR + "A capture 7c/7d").when("@ end hand misdeal").finds("R8", words="no kings")
    given("scopa", KINGS + "A play 5c").when("@ end hand misdeal").allows()


def test_R8_open_while_the_board_was_not_seen() -> None:
    given("scopa", BOARD + "KdKh2x??").when("A play 5c").opens("R8")
    given("scopa", "B hand 1").when("A play 5c").opens("R8")
    given("scopa", BOARD + "KdKh??2c").when("A play 5c", "B capture Kc/Ks").finds("R8", at=4, known=5)


def test_R8_as_the_house_wants_it() -> None:
    given("scopa", KINGS, option={"kings_redeal": 5}).when("A play 5c").clean()
    given("scopa", BOARD + "KdKh7c2c", option={"kings_redeal": 2}).when("A play 5c").finds("R8")


# One rule or another
@pytest.mark.parametrize(
    ("board", "act", "rules"),
    [
        # The card nobody saw pairs, and then nothing else may be taken; or it does not, and the sum is too high.
        ("4dJs??2c", "A capture 6s/4dJs??", ("R2", "R3")),
        ("4dJs?h2c", "A capture 6s/4dJs?h", ("R2", "R3")),
        ("7d6c4d??", "A capture 5s/7d??", ("R2", "R3")),
        # A card nobody saw that takes two which are worth more than any card: it has the rank of one of them,
        # or of none.
        ("JdQc4d3h", "A capture ??/JdQc", ("R2", "R3")),
    ],
)
def test_an_act_that_breaks_one_of_two_rules_names_both(board: str, act: str, rules: tuple[str, ...]) -> None:
    """One rule would be told as broken that perhaps was kept, or the act would pass as doubtful."""
    case = given("scopa", f"B hand 1\n@ deal up board={board}").when(act).allows()
    for rule in rules:
        case.opens(rule)
    assert case.judgement.acts == {3: "broken"}
    (either,) = case.judgement.either
    found = case.judgement.charged(either)
    assert {f.rule for f in found} == {f"scopa.{rule}" for rule in rules}
    assert all(f.one_of == tuple(f"scopa.{rule}" for rule in rules) for f in found)


@pytest.mark.parametrize(
    ("board", "act", "rule"),
    [
        ("4dJs2?2c", "A capture 6s/4dJs2?", "R3"),
        ("4dJs6?2c", "A capture 6s/4dJs6?", "R2"),
    ],
)
def test_half_a_card_that_leaves_one_rule_only_is_enough(board: str, act: str, rule: str) -> None:
    case = given("scopa", f"B hand 1\n@ deal up board={board}").when(act).finds(rule)
    assert not case.judgement.either


def test_an_act_that_may_be_legal_breaks_neither_rule_for_certain() -> None:
    case = given("scopa", "B hand 1\n@ deal up board=4dJs??2c").when("A capture Ks/4d2c??").opens("R2").opens("R3")
    assert not case.judgement.either
    assert case.judgement.acts == {3: "open"}


def test_a_doubtful_line_breaks_no_rule_whatever_its_card_was() -> None:
    """A card that the record has twice is read as unseen, and nobody is accused with it."""
    case = given("scopa", "B hand 1\n@ deal up board=4dJs5h2c").when("A capture 6s/4d2c", "B play 6s")
    assert not case.judgement.either


# What an illegal act does to the table
def test_an_illegal_capture_is_applied_all_the_same() -> None:
    state = given("scopa", FOUR).when("A capture Kh/6c3h").judgement.state
    assert set(PACK.cards(state.table.piles["won:A"].certain)) == {"Kh", "6c", "3h"}
    assert set(PACK.cards(state.table.piles["board"].certain)) == {"7d", "4d"}


def test_a_card_taken_that_is_not_on_the_board_is_trouble_of_the_table() -> None:
    case = given("scopa", FOUR).when("A capture 5h/5d").finds("T4")
    piles = case.judgement.state.table.piles
    assert sum(len(p) for p in piles.values()) == 40


# The deals: written, left out, or written after the fold has inferred them
def test_later_deals_may_be_left_out_and_are_inferred() -> None:
    state = fold(given("scopa", QUIET + SIX + "A play 6c\nB play 7h").records)
    assert [len(state.holding(s)) for s in "AB"] == [2, 2]
    assert len(state.table.piles["stock"]) == 24
    assert [at for at, _ in state.inferred] == [10]


def test_a_deal_that_is_written_is_not_dealt_twice() -> None:
    for deal in (LATER, "@ deal A=3x??\n@ deal B=3x??", "@ deal A=6c7hQh B=3x??", "@ deal A=6c2x??"):
        state = fold(given("scopa", QUIET + SIX + deal + "\nA play 6c\nB play Qd").records)
        assert [len(state.holding(s)) for s in "AB"] == [2, 2], deal
        assert not state.table.trouble
        assert sum(len(p) for p in state.table.piles.values()) == 40


def test_the_first_deal_may_be_left_out_too() -> None:
    state = fold(given("scopa", "B hand 1\n@ deal up board=7d6c4d3h\nA capture 7c/7d").records)
    assert ([len(state.holding(s)) for s in "AB"], len(state.table.piles["board"])) == ([2, 3], 3)
    state = fold(given("scopa", "A capture 7c/7d\nB play 5s").records)
    assert (state.number, [len(state.holding(s)) for s in "AB"], len(state.table.piles["board"])) == (1, [2, 2], 4)


def test_a_stock_that_is_named_is_dealt_from_its_top() -> None:
    cards = list(PACK.faces)
    Random(4).shuffle(cards)
    state = fold(given("scopa", "B hand 1\n@ deal down stock=" + "".join(cards)).records)
    held = {name: set(PACK.cards(state.table.piles[name].certain)) for name in ("A", "B", "board")}
    assert held == {"A": set(cards[-3:]), "B": set(cards[-6:-3]), "board": set(cards[-10:-6])}
    given("scopa", FOUR).when("@ deal down stock=7d29x??").finds("T2")


def test_a_card_taken_back_gives_the_turn_back() -> None:
    state = fold(given("scopa", QUIET + SIX + "B move 2s <board >B\nB play 5d").records)
    assert (len(state.holding("B")), state.turn, len(state.table.piles["stock"])) == (3, ("A",), 24)
    state = fold(
        given(
            "scopa", BOARD + "4d3hAc2s\nA capture Ks/4d3hAc2s\nA move Ks <won:A >A\nA move 4d3hAc2s <won:A >board",
        ).records
    )
    assert (state.turn, state.hand.captures.sweeps, len(state.table.piles["board"])) == (("A",), (), 4)


def test_after_a_gap_nothing_is_certain_any_more() -> None:
    case = given("scopa", FOUR + "A capture 7c/7d\n@ gap 2").when("B capture 6h/6c", "A play 4s")
    case.opens("R5").clean()
    score = case.when("@ end hand agreed").judgement.state.scores[-1]
    assert score.points == {"A": None, "B": None}
    assert score.lines[2].amounts == {"A": 1, "B": 0}


def test_after_a_gap_either_player_goes_on() -> None:
    """If this failed, the turn before the gap would be held against whoever plays first after it."""
    for player in "AB":
        given("scopa", FOUR + "A capture 7c/7d\n@ gap 1").when(f"{player} play 4s").clean()
    # Who deals, and so who begins, is a guess after a gap.
    for player in "AB":
        given("scopa", "@ gap 40\n@ deal A=3x?? B=3x??\n@ deal up board=Kd5cJd7s\n").when(f"{player} play 4s").clean()
    given("scopa", FOUR + "A capture 7c/7d\n@ gap 1").when("A play 4s", "A play 2s").finds("R1")


def test_out_of_turn_may_be_the_recorder_so_no_player_is_blamed_for_the_board() -> None:
    case = given("scopa", FOUR + "A play 2s\nA play As")
    case.finds("R1").when("B play 7c").opens("R5").allows()
    case.when("@ show 7d6c4d3h2sAs <board", "B play 7c").finds("R5")


def test_a_card_more_than_the_hand_held_shows_a_missing_act() -> None:
    case = given("scopa", QUIET + "A play 7s\nA play 6s\nA play 5s").when("A play 4s").finds("T3")
    case.when("B play Kd").opens("R5").allows()


# Consequences: sweeps, the remainder, the end of the hand
def test_a_capture_that_empties_the_board_is_a_sweep() -> None:
    state = fold(given("scopa", BOARD + "4d3hAc2s\nA capture Ks/4d3hAc2s").records)
    assert (
        state.hand.captures.sweeps, find_game("scopa").display.last_outcome_text(state),
    ) == (("A",), "a sweep for A")


@pytest.mark.parametrize("option", [False, True])
def test_the_very_last_play_is_no_sweep_unless_the_house_says_so(option: bool) -> None:
    tried = 0
    for seed in (69, 72, 82):
        log = simulate("scopa", seed=seed, hands=1)
        state = fold(log, until=log[-1].n - 1)
        state.terms = type(state.terms)(
            **{f: getattr(state.terms, f) for f in state.terms.__struct_fields__ if f != "options"},
            options=Options(last_play_sweep=option),
        )
        before, last = len(state.hand.captures.sweeps), log[-1].event
        if isinstance(last, Capture) and len(last.takes) == len(state.table.piles["board"]):
            evolve(state, last)
            assert len(state.hand.captures.sweeps) == before + option
            tried += 1
    assert tried


def test_the_remainder_goes_to_the_last_capturer_and_is_no_sweep() -> None:
    for seed in range(20):
        log = simulate("scopa", seed=seed, hands=1)
        before, after = fold(log, until=log[-1].n - 1), fold(log)
        assert not len(after.table.piles["board"])
        assert sum(len(after.table.piles[f"won:{s}"]) for s in "AB") == 40
        if isinstance(log[-1].event, Play):
            last = before.hand.captures.last
            gain = len(after.table.piles[f"won:{last}"]) - len(before.table.piles[f"won:{last}"])
            assert gain == len(before.table.piles["board"]) + 1
            assert after.hand.captures.sweeps == before.hand.captures.sweeps


def test_a_hand_left_unfinished_is_worth_nobody_knows_what() -> None:
    given("scopa", FOUR + "A capture 7c/7d").when("A hand 2", "@ deal up board=7d6c4d3h").totals(A=None, B=None)


def test_a_hand_broken_off_counts_as_it_stands() -> None:
    given("scopa", FOUR + "A capture 7c/7d\nB play 2s").when("@ end hand time").scores(A=3, B=0)


# Scoring
FACTS = "@ tally cards.A=21 diamonds.A=6 seven=A primiera.A=78 primiera.B=65 sweeps.order=A,B,A"
NOBODY = "@ tally cards.A=20 diamonds.A=5 seven=B primiera.A=0 primiera.B=0 sweeps.A=0 sweeps.B=0"


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        (FACTS, {"A": 6, "B": 1}),
        (NOBODY, {"A": 0, "B": 1}),
        ("@ tally cards.B=25 diamonds.B=4 seven=B primiera.A=0 primiera.B=63 sweeps.A=3 sweeps.B=0", {"A": 4, "B": 3}),
        (
            "@ tally cards.A=21 diamonds.A=6 seven=A best.A=7d,6c,As,5h best.B=7c,6d,Ah,4s sweeps.A=0 sweeps.B=0",
            {"A": 4, "B": 0},
        ),
        ("@ tally cards.A=21 diamonds.A=6 seven=A sweeps.A=0 sweeps.B=0", {"A": None, "B": None}),
        ("@ tally cards.A=21 diamonds.A=6 seven=A primiera.A=70 primiera.B=69", {"A": None, "B": None}),
        ("@ tally void=misdeal", {"A": 0, "B": 0}),
    ],
)
def test_a_tally_alone_is_scored(lines: str, points: dict[str, int | None]) -> None:
    given("scopa", "B hand 1").when(lines).clean().scores(**points)


def test_what_a_tally_leaves_out_is_named() -> None:
    score = given("scopa", "B hand 1").when("@ tally cards.A=21 seven=A").judgement.state.scores[-1]
    assert score.unknown == ("who has more diamonds", "who has the better primiera", "the sweeps")
    assert [line.amounts for line in score.lines[:3]] == [{"A": 1, "B": 0}, {"A": None, "B": None}, {"A": 1, "B": 0}]


def test_a_fact_that_scopa_does_not_know_is_named() -> None:
    given("scopa", "B hand 1").when("@ tally tricks.A=3").finds("T10")
    given("scopa", "B hand 1").when(FACTS + " void=misdeal").allows()


WON = Tally(
    {"A": (21, 21), "B": (19, 19)}, {"A": (6, 6), "B": (4, 4)}, "A", {"A": (78, 78), "B": (65, 65)}, {},
    {"A": 2, "B": 2},
)


@pytest.mark.parametrize(
    ("before", "order", "points", "stopped"),
    [
        ((0, 0), "ABAB", (6, 2), ""),
        ((10, 10), "ABAB", (1, 0), "cards"),
        ((9, 10), "ABAB", (2, 0), "diamonds"),
        ((8, 10), "ABAB", (3, 0), "7♦"),
        ((7, 10), "BABA", (4, 0), "primiera"),
        ((6, 10), "ABAB", (5, 0), "sweeps"),
        ((6, 10), "BABA", (4, 1), "sweeps"),
        ((5, 9), "ABBA", (5, 2), "sweeps"),
        ((5, 9), "BAAB", (6, 1), "sweeps"),
        ((6, 8), None, (5, None), "sweeps"),
        ((6, 9), None, (None, None), ""),
        ((4, 8), None, (6, 2), ""),
        ((11, 3), "ABAB", (0, 0), "before"),
    ],
    ids=str,
)
def test_counting_stops_with_the_eleventh_point(
    before: tuple[int, int], order: str | None, points: tuple[int | None, int | None], stopped: str
) -> None:
    WON.order = None if order is None else tuple(order)
    got, lines, notes, missing = score_tally(WON, dict(zip("AB", before, strict=True)), Options())
    assert tuple(got.values()) == points
    assert (stopped in notes[0]) if stopped else not notes
    assert bool(missing) == (None in points)
    for who in "AB":
        amounts = [line.amounts[who] for line in lines]
        assert None in amounts or sum(n or 0 for n in amounts) == got[who]
    after = [line.label for line in lines if line.column == "uncounted"]
    labels = [line.label for line in lines]
    if stopped in labels:
        assert after == labels[labels.index(stopped) + 1 :]


def test_a_point_nobody_can_award_leaves_what_hangs_on_it_open() -> None:
    t = Tally({}, {"A": (6, 6), "B": (4, 4)}, "A", {"A": (78, 78), "B": (65, 65)}, {}, {"A": 0, "B": 0}, ())
    assert score_tally(t, {"A": 0, "B": 0}, Options())[0] == {"A": None, "B": None}
    # A has eleven with the diamonds or with the seven; B can have the cards or nothing.
    points, lines, *_ = score_tally(t, {"A": 9, "B": 3}, Options())
    assert (points, lines[4].column) == ({"A": 2, "B": None}, "uncounted")


def test_after_a_hand_nobody_can_score_it_stays_open_where_counting_stops() -> None:
    WON.order = tuple("ABAB")
    points, lines, _, missing = score_tally(WON, {"A": None, "B": 3}, Options())
    assert (points, missing) == ({"A": None, "B": None}, ("the score before this hand",))
    assert [line.amounts["A"] for line in lines] == [1, None, None, None, None]


def test_the_lines_show_the_arithmetic() -> None:
    log = simulate("scopa", seed=5)
    lines = {line.label: line for line in fold(log).scores[0].lines}
    assert list(lines) == ["cards", "diamonds", "7♦", "primiera", "sweeps"]
    assert lines["primiera"].sums["A"] == "7♣21 + 7♦21 + 7♥21 + 6♠18 = 81"
    assert sum(int(n) for n in lines["cards"].sums.values()) == 40


def test_an_unseen_card_among_those_taken_is_named_by_elimination_or_leaves_its_question_open() -> None:
    log = simulate("scopa", seed=5, hands=1)
    at = next(i for i, r in enumerate(log) if isinstance(r.event, Capture) and len(r.event.takes) == 1)
    seen = fold(log).scores[-1]
    log = hide(log)
    event = log[at].event
    assert isinstance(event, Capture)
    log[at] = type(log[at])(n=log[at].n, event=Capture(by=event.by, cards=event.cards, takes=("??",)))
    assert fold(log).scores[-1].points == seen.points
    log[at] = type(log[at])(n=log[at].n, event=Capture(by=event.by, cards=("??",), takes=("??",)))
    score = fold(log).scores[-1]
    assert score.lines[0].amounts == seen.lines[0].amounts
    for line, known in zip(score.lines, seen.lines, strict=True):
        assert all(n is None or n == known.amounts[who] for who, n in line.amounts.items())


# The sheet
def test_the_sheet_has_five_points_in_order_and_crosses_out_what_was_not_counted() -> None:
    sheet = sheet_of(simulate("scopa", seed=5))
    heads, rows = sheet.blocks[0].columns, sheet.blocks[0].rows
    assert heads[2:9] == ("A cards", "A diamonds", "A 7♦", "A primiera", "A sweeps", "A hand", "A")
    assert [c.mark for c in rows[-1].cells[2:9]] == ["", "crossed", "crossed", "crossed", "crossed", "", "won"]
    assert "counting stopped there" in rows[-1].notes[0]


# At the keyboard
@pytest.mark.parametrize(
    ("board", "act", "meant"),
    [
        ("7d6c4d3h", Play(by="A", cards=("7c",)), ["7c/7d"]),
        ("7d7h4d3h", Play(by="A", cards=("7c",)), ["7c/7d", "7c/7h"]),
        ("6d4d7h3c", Play(by="A", cards=("Kh",)), ["Kh/4d6d", "Kh/3c7h"]),
        ("6d4d7h3c", Capture(by="A", cards=("Kh",), takes=()), ["Kh/4d6d", "Kh/3c7h"]),
        ("7d6c4d3h", Play(by="A", cards=("2c",)), ["2c"]),
        ("7d6c4d3h", Play(by="A", cards=("7c",), face="up"), ["7c"]),
        ("7d6c4d3h", Play(by="A", cards=("??",)), ["??"]),
    ],
)
def test_a_bare_card_means_the_capture_it_must_make(board: str, act: Play | Capture, meant: list[str]) -> None:
    state = fold(given("scopa", BOARD + board).records)
    said = [
        "".join(e.cards) + ("/" + "".join(e.takes) if isinstance(e, Capture) else "")
        for e in find_game("scopa").shorthand.expand(state, act) if isinstance(e, Play | Capture)
    ]
    assert sorted(said) == sorted(meant)


def test_four_cards_before_anything_is_dealt_are_the_board() -> None:
    board = Deal(by="@", face="up", piles=(("board", ("7d", "6c", "4d", "3h")),))
    for begun in ((), ("B hand 1",), ("B hand 1", "@ deal A=3x?? B=3x??")):
        session = Session(given("scopa", "\n".join(begun)).records)
        for typed in ("7d6c4d3h", "d7c6d4h3"):
            assert [r.event for r in session.complete(typed).events] == [board]
    session.take(given("scopa", "\n".join([*begun, "@ deal up board=7d6c4d3h"])).records[-1:])
    assert len(session.complete("asadacah").events) == 4


def test_a_lone_point_plays_the_last_card() -> None:
    log = simulate("scopa", seed=1, hands=1)
    state = fold(log, until=log[-1].n - 1)
    quiet = find_game("scopa").phases["play"].default_act
    acts = legal(state).acts
    assert quiet(state) == (acts[0] if len(acts) == 1 else None)
    assert quiet(fold(given("scopa", FOUR).records)) is None


# Adding up
def test_sums_are_exact_and_complete() -> None:
    worth = CaptureValues(PACK, {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "J": 8, "Q": 9, "K": 10})
    random = Random(11)
    for size in (0, 1, 4, 7, 12):
        cards = random.sample(range(PACK.size), size)
        board = sum(PACK.unit[c] for c in cards)
        for target in range(1, 11):
            found = list(worth.sums(target, board))
            brute = {
                sum(PACK.unit[c] for i, c in enumerate(cards) if picked >> i & 1)
                for picked in range(1 << size)
                if picked.bit_count() > 1 and sum(worth.of[c] for i, c in enumerate(cards) if picked >> i & 1) == target
            }
            assert len(found) == len(set(found))
            assert set(found) == brute
            assert worth.adds_up(target, board) == bool(brute)


# Whole matches
@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_played_by_the_rules_ends_and_nothing_is_found(seed: int) -> None:
    log = simulate("scopa", seed=seed)
    state = begin(log[0].event.facts)
    for r in log[1:]:
        state.at = state.table.now = r.n
        evolve(state, r.event)
        assert not state.table.trouble
        assert sum(len(p) for p in state.table.piles.values()) == 40
        if state.settled:
            assert sum(len(state.table.piles[f"won:{s}"]) for s in "AB") == 40
    assert state.ended == "won"
    assert state.number <= find_game("scopa").simulation.most_hands
    assert max(n or 0 for n in state.standing.totals.values()) == 11
    assert not judge(log).findings
    hidden = judge(hide(log))
    assert not hidden.findings
    assert [s.lines for s in hidden.state.scores] == [s.lines for s in state.scores]
    assert hidden.state.standing == state.standing


@pytest.mark.parametrize("seed", a_few(SEEDS, 8))
def test_what_is_broken_on_purpose_is_found_with_open_and_with_hidden_hands(seed: int) -> None:
    log, truth = simulate_breaches("scopa", seed=seed, p=0.15)
    done = {(b.position, f"scopa.{rule}") for b in truth.breaches for rule in b.rules}
    assert done
    assert {(f.at.pos, f.rule) for f in judge(log).broken} == done
    assert {(f.at.pos, f.rule) for f in judge(hide(log)).broken} == done


def test_chance_deals_again_after_three_kings() -> None:
    state = fold(given("scopa", KINGS).records)
    (end,) = find_game("scopa").dealing.chance(state, Random(1))
    assert end == End(by="@", what="hand", why="misdeal")
    evolve(state, end)
    hand, *_ = find_game("scopa").dealing.chance(state, Random(1))
    assert (hand.by, state.turn, state.phase) == ("B", (), "between")


def test_a_later_tally_of_the_hand_takes_a_won_match_back() -> None:
    """If this failed, a match would stay won by points that the table has corrected, and the next hand would be too
    late."""
    won = "@ tally cards.A=21 diamonds.A=6 seven=A primiera.A=78 primiera.B=65 sweeps.A=1 sweeps.B=0"
    case = given("scopa", "B hand 1\n", option={"target": 4}).when(won)
    assert (case.judgement.state.ended, case.judgement.state.standing.winner) == ("won", "A")
    case = case.when("@ tally cards.A=20 diamonds.A=5 seven=B primiera.A=65 primiera.B=65 sweeps.A=0 sweeps.B=0")
    assert (case.judgement.state.ended, case.judgement.state.standing.winner) == ("", "")
    case.when("A hand 2").allows()
