"""Zetema, rule by rule: each has the cases of its kind; then what follows from the play, the score, whole matches."""

from __future__ import annotations

import pytest
from given import Given, given

from events.model import Draw, Recorded
from events.writing import write_event
from reducers.games.zetema import Hand, named_so
from reducers.model import State
from reducers.pile_words import pile_in_words
from reducers.piles import called_otherwise
from reducers.registry import find_game
from replay.judging.judge import judge
from replay.plain_text import with_player_names
from replay.redact import hide
from replay.simulate import simulate
from replay.table.position import here
from replay.table.session import Session

GAME = "zetema"
# B deals, so A begins; six cards each, and spades are in the pack twice. The hands are hidden, as at a real table.
DEALT = "B hand 1\n@ deal A=6x?? B=6x??\n@ deal stock=53x??\n"
SEEN = "B hand 1\n@ deal A=KhQhKs3c4d5s B=9c9dThKdQs2s\n@ deal stock=53x??\n"
SIX = "F hand 1\n@ deal A=5x?? B=5x?? C=5x?? D=5x?? E=5x?? F=5x??\n@ deal stock=35x??\n"
FULL = {"Seats": "A B C D E F"}


def hand_of(case: Given) -> Hand:
    """The hand as it is after these acts."""
    state: State[Hand] = case.judgement.state
    return state.hand


def phase(case: Given) -> tuple[str, tuple[str, ...]]:
    """The part of the hand that it is in, and who may act."""
    state = case.judgement.state
    return state.phase, state.turn


def scored(case: Given) -> list[tuple[str, str, int | None]]:
    """Who scored what in the hand, in order."""
    return [(side, kind, points) for side, kind, points, _ in hand_of(case).scored]


def lying(case: Given) -> dict[str, list[str]]:
    """What lies in the piles by rank, as far as any is there, and in the general one."""
    state = case.judgement.state
    piles = {name: [state.game.pack.tokens[c] for c in pile.codes()] for name, pile in state.table.piles.items()}
    return {name: cards for name, cards in piles.items() if cards and (name == "dead" or name.startswith("rank:"))}


# R1, duty
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B draw ??"], "A sits left of the dealer and begins"),
        (["A draw ??", "B draw ??"], "it is the turn of A"),
        (["A draw ??", "A discard 3c", "B draw ??", "B discard 9c", "B discard 9d"], "it is the turn of A"),
        (["A draw ??", "B meld KdQd"], "it is the turn of A"),
        (["A draw ??", "B show 2c3d4s5h6d7c"], "it is the turn of A"),
        (["A draw ??", "A draw ??"], "A has drawn already"),
        (["A draw 2x??"], "one card is drawn"),
        (["A draw ??", "A discard 3c4d"], "one card is discarded"),
    ],
    ids=", ".join,
)
def test_R1_broken(acts: list[str], words: str) -> None:
    given(GAME, DEALT).when(*acts).finds("R1", words=words)


def test_R1_kept() -> None:
    given(GAME, DEALT).when("A draw ??", "A discard 3c", "B draw ??", "B discard 9c", "A draw ??").clean()


def test_R1_the_card_of_the_turn_comes_before_a_meld_and_before_a_marriage() -> None:
    pile = ["A draw ??", "A discard Qs", "B draw ??", "B discard 9c", "A draw Qs <rank:Q"]
    given(GAME, DEALT).when("A show 8h9dTdJsQhKh", "A draw ??").finds(
        "R1", words="A draws at the beginning of the turn",
    )
    given(GAME, DEALT).when(*pile, "A draw 7h").finds("R1", words="A draws at the beginning of the turn")
    # The card drawn late is the only one of the turn: A has six cards left after it.
    case = given(GAME, DEALT).when(*pile, "A draw 7h", "A meld KsQs", "B draw ??", "B discard 2c")
    assert [f.at.pos for f in case.judgement.broken] == [9]
    assert len(case.judgement.state.holding("A")) == 6


@pytest.mark.parametrize(
    ("acts", "rule", "words"),
    [
        (["A draw ??", "B move 9d >rank:9"], "R1", "it is the turn of A"),
        (["A draw ??", "A move 9d9c >rank:9"], "R1", "one card is discarded"),
        (["A draw ??", "A show 2c3c4c5c6c8c", "A move 9d >rank:9"], "R4", "9♦ is not one of the cards shown"),
        (["A draw ??", "A meld KsQs", "A draw ??", "A move 9d >rank:9"], "R12", "without a discard"),
    ],
    ids=", ".join,
)
def test_R3_a_discard_written_as_a_move_is_a_discard(acts: list[str], rule: str, words: str) -> None:
    given(GAME, DEALT).when(*acts).finds(rule, words=words)


@pytest.mark.parametrize(("seats", "cards"), [("A B", 6), ("A B C D E", 6), ("A B C D E F", 5)])
def test_R20_so_many_cards_are_dealt(seats: str, cards: int) -> None:
    given(GAME, "A hand 1\n", Seats=seats).when(f"@ deal A={cards}x?? B={cards}x??").allows()
    given(GAME, "A hand 1\n", Seats=seats).when(f"@ deal A={cards + 1}x??").finds("R20", words=f"gets {cards} cards")


def test_R1_a_draw_that_nobody_wrote_was_made() -> None:
    case = given(GAME, DEALT).when("A discard 3c", "B discard 9c")
    case.clean()
    assert len(case.judgement.state.table.piles["stock"]) == 51


# R2, duty
def test_R2_melds_stay_in_the_hand() -> None:
    given(GAME, DEALT).when("A draw ??", "A meld 2c3d4s5h6d7c").finds("R2", words="are shown, and stay in the hand")
    case = given(GAME, DEALT).when("A draw ??", "A show 2c3d4s5h6d7c")
    case.clean()
    assert scored(case) == [("A", "sequences", 20)]
    assert len(case.judgement.state.holding("A")) == 7


def test_R2_one_meld_in_a_turn() -> None:
    case = given(GAME, DEALT).when("A draw ??", "A show 2c3d4s5h6d7c", "A show 3d4s5h6d7c8h")
    case.finds("R2", words="A has shown a meld in this turn")
    assert scored(case) == [("A", "sequences", 20)]


def test_R2_cards_shown_for_another_reason() -> None:
    case = given(GAME, DEALT).when("A draw ??", "A show 2c3d", "A discard 9h")
    case.clean()
    assert scored(case) == []


# R3, duty
def test_R3_the_pile_of_its_rank() -> None:
    case = given(GAME, DEALT).when("A draw ??", "A discard 3c", "B draw ??", "B move 3s >rank:3", "A draw ??")
    case.clean()
    assert lying(case) == {"rank:3": ["3c", "3s"]}


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("A move 7h >rank:8", "7♥ goes to the pile of its rank, not to rank 8"),
        ("A discard 9c <B", "a discard comes from the hand"),
    ],
)
def test_R3_broken(act: str, words: str) -> None:
    given(GAME, DEALT).when("A draw ??", act).finds("R3", words=words)


def test_R3_a_card_of_which_nobody_saw_the_rank() -> None:
    given(GAME, DEALT).when("A draw ??", "A move ?? >rank:8").opens("R3")
    case = given(GAME, DEALT).when("A draw ??", "A discard ??", "@ end hand agreed")
    case.scores(A=None, B=None)
    case = given(GAME, DEALT).when("A draw ??", "A discard ??", "@ fix #5 A discard 3c", "@ end hand agreed")
    case.scores(A=0, B=0)


# R4, duty
SHOWN = DEALT + "A draw ??\nA show 2c3d4s5h6d7c\n"


def test_R4_a_card_of_the_meld() -> None:
    given(GAME, SHOWN).when("A discard 5h").allows()
    given(GAME, SHOWN).when("A discard 9h").finds("R4", words="9♥ is not one of the cards shown, 2♣ 3♦ 4♠ 5♥ 6♦ 7♣")
    given(GAME, SHOWN).when("A discard ??").opens("R4")
    given(GAME, SHOWN).when("A discard 5h", "B draw ??", "B discard 9h").allows()


# R5 to R9: melds
@pytest.mark.parametrize(
    ("meld", "kind", "points"),
    [
        ("8d9dThJsQhKd", "sequences", 20),
        ("Ac2d3s4h5d6c", "sequences", 20),
        ("2c4c5c7cTcKc", "flushes", 30),
        ("2s2s4s5sTsKs", "flushes", 30),  # the doubled suit
        ("4s4s5s6s7s8s", "flushes", 30),
        ("AcTcJcQcKc9c", "flushes", 30),  # the ace is low
        ("4c5c6c7c8c9c", "flush sequences", 50),
        ("KcKdKhKsKs", "assemblies", 130),
        ("QcQdQhQsQs", "assemblies", 130),
        ("JcJdJhJsJs", "assemblies", 120),
        ("AcAdAhAsAs", "assemblies", 110),
        ("5c5d5h5s5s", "assemblies", 110),
        ("7c7d7h7s7s", "assemblies", 100),
    ],
)
def test_R5_R6_R7_R8_R17_melds(meld: str, kind: str, points: int) -> None:
    case = given(GAME, DEALT).when("A draw ??", f"A show {meld}")
    case.clean()
    assert scored(case) == [("A", kind, points)]


@pytest.mark.parametrize(
    ("rule", "meld", "words"),
    [
        ("R5", "8d9dThJsQhAd", "are neither 6 cards that follow each other, nor of one suit"),
        ("R5", "TdJdQhKsAh2d", "neither 6 cards"),  # not round the corner
        ("R5", "9dThJsQhKdAs", "neither 6 cards"),
        ("R6", "2c4c5c7c", "are not 6 cards of one suit"),
        ("R8", "7c7d7h7s", "are not five cards of one rank"),
        ("R9", "9dThJsQhKd", "would have to be 6 cards"),
        ("R9", "2c4c5c7cTc", "would have to be 6 cards"),
    ],
)
def test_R5_R6_R8_R9_no_melds(rule: str, meld: str, words: str) -> None:
    case = given(GAME, DEALT).when("A draw ??", f"A show {meld}")
    case.finds(rule, words=words)
    assert scored(case) == []
    assert len(case.when("A discard 9c").judgement.broken) == 1, "what is no meld binds no discard"


def test_R5_R6_R8_a_card_that_nobody_saw_leaves_it_open() -> None:
    case = given(GAME, DEALT).when("A draw ??", "A show 8d9d??JsQhKd")
    case.opens("R5").opens("R6").opens("R8")
    assert scored(case) == [("A", "melds", None)]


@pytest.mark.parametrize(
    ("meld", "perhaps"),
    [
        ("8d9d??JsQhKd", True), ("2c??7cTcKc4c", True), ("5c5d??5s5s", True), ("6x??", True), ("*x??", True),
        ("*", True), ("3c4d*x??", True), ("7?8dThJsQhKd", False), ("7?8d9hTsJhQd", True), ("2c3d??9hKhQs", False),
        ("5c5d??5s5s6c", False), ("5c6d??5s5s", False), ("8d8h??JsQhKd", False), ("8d9d??4sQh", False),
    ],
)  # fmt: skip
def test_R5_what_was_seen_may_rule_a_meld_out(meld: str, perhaps: bool) -> None:
    """If this failed, one card that nobody saw would leave the whole score of the hand open, though no card makes it
    a meld."""
    case = given(GAME, DEALT).when("A draw ??", f"A show {meld}")
    if perhaps:
        assert scored(case.opens("R5").allows()) == [("A", "melds", None)]
    else:
        assert scored(case.finds("R5")) == []


@pytest.mark.parametrize(("meld", "rules"), [("8d9d??JsQh", ("R5", "R9")), ("5s5s??JsJs", ("R5", "R9"))])
def test_R9_an_unseen_card_may_decide_which_rule_a_short_meld_breaks(meld: str, rules: tuple[str, ...]) -> None:
    """If this failed, five cards would break one rule, although as a sequence or a flush they break another."""
    case = given(GAME, DEALT).when("A draw ??", f"A show {meld}")
    for rule in rules:
        case.opens(rule)
    assert scored(case) == []


@pytest.mark.parametrize(
    ("meld", "kind", "points"),
    [("9dThJsQhKd", "sequences", 20), ("2c4c5c7cTc", "flushes", 30), ("2c3c4c5c6c", "flush sequences", 50),
     ("7c7d7h7s7s", "assemblies", 100)],
)  # fmt: skip
def test_R9_five_cards_if_six_play(meld: str, kind: str, points: int) -> None:
    case = given(GAME, SIX, **FULL).when("A draw ??", f"A show {meld}")
    case.clean()
    assert scored(case) == [("AD", kind, points)]


def test_R9_not_six_cards_if_six_play() -> None:
    given(GAME, SIX, **FULL).when("A draw ??", "A show 8d9dThJsQhKd").finds("R9", words="would have to be 5 cards")


@pytest.mark.parametrize(("where", "low", "high"), [("low", True, False), ("high", False, True), ("both", True, True)])
def test_R5_the_ace_by_the_house_rule(where: str, low: bool, high: bool) -> None:
    for meld, fits in (("Ac2d3s4h5d6c", low), ("9dThJsQhKdAs", high), ("TdJdQhKsAh2d", False)):
        case = given(GAME, DEALT, option={"ace_in_sequence": where}).when("A draw ??", f"A show {meld}")
        assert bool(scored(case)) is fits


# R10, duty
@pytest.mark.parametrize(("meld", "points"), [("KhQh", 10), ("KsQs", 20), ("KhQh/KsQs", 40), ("KhQhKsQs", 40)])
def test_R10_R18_marriages(meld: str, points: int) -> None:
    case = given(GAME, DEALT).when("A draw ??", f"A meld {meld}")
    case.clean()
    assert scored(case) == [("A", "marriages", points)]


def test_R10_many_at_once() -> None:
    three = given(GAME, DEALT).when("A draw ??", "A meld KhQh/KdQd/KcQc")
    assert scored(three) == [("A", "marriages", 60)]
    piles = "A discard Qc\nB discard Qd\nA discard Qh\nB discard Qs\n"
    case = given(GAME, DEALT + piles).when("A meld KhQh/KdQd/KcQc/KsQs")
    case.clean()
    assert scored(case) == [("A", "marriages", 110)]


def test_R10_on_two_lines_they_were_declared_together() -> None:
    case = given(GAME, DEALT).when("A draw ??", "A meld KhQh", "A meld KsQs")
    assert scored(case) == [("A", "marriages", 10), ("A", "marriages", 30)]


@pytest.mark.parametrize(("option", "points"), [({}, 150), ({"five_marriages": 170}, 170)])
def test_all_five_marriages_at_once(option: dict[str, int], points: int) -> None:
    # five_marriages: queens out of their pile, as nobody has ten cards.
    piles = "A discard Qc\nB discard Qd\nA discard Qh\nB discard Qs\n"
    case = given(GAME, DEALT + piles, option=option).when("A meld KcQc/KdQd/KhQh/KsQs/KsQs")
    assert scored(case) == [("A", "marriages", points)]


PILE = SEEN + "A draw ??\nA discard Ks\nB draw ??\nB discard 9c\nA draw ??\nA discard 3c\nB draw ??\n"


def test_R10_the_partner_out_of_its_pile() -> None:
    case = given(GAME, PILE).when("B draw Ks <rank:K", "B meld KsQs")
    case.clean()
    assert scored(case) == [("B", "marriages", 20)]
    assert lying(case)["dead"] == ["Ks", "Qs"]
    again = given(GAME, PILE).when("B meld KsQs")
    again.clean()
    assert lying(again)["dead"] == ["Ks", "Qs"]


def test_R10_both_out_of_the_piles() -> None:
    both = PILE.replace("B discard 9c", "B discard Qs")
    case = given(GAME, both).when("B draw Ks <rank:K", "B draw Qs <rank:Q", "B meld KsQs")
    case.finds("R10", words="one card of a marriage at least comes from the hand")


CLUBS = DEALT.replace("B hand", "C hand").replace(
    "B=6x??", "B=6x?? C=6x??",
).replace("53x", "47x") + "A draw ??\nA discard Kc\nB draw ??\nB discard Qc\n"


@pytest.mark.parametrize(
    ("before", "act", "breaks"),
    [
        ("", "C meld KcQc", True), ("C draw ??\n", "C meld KcQc", True),
        ("C draw ??\nC draw Kc <rank:K\n", "C meld KcQc", True), ("C draw ??\n", "C meld KhQh/KcQc", True),
        ("C draw ??\n", "C meld KhQh", False),
    ],
)  # fmt: skip
def test_R10_both_out_of_the_piles_though_nobody_wrote_it(before: str, act: str, breaks: bool) -> None:
    """If this failed, the short way to write a marriage would hide that neither card came from the hand."""
    case = given(GAME, CLUBS + before, Seats="A B C").when(act)
    if breaks:
        case.finds("R10", words="K♣ Q♣ are in their piles, but at least one of them comes from the hand")
    else:
        case.clean()


def test_R10_of_the_doubled_suit_either_card_may_be_the_other_one() -> None:
    spades = CLUBS.replace("Kc", "Ks").replace("Qc", "Qs")
    given(GAME, spades, Seats="A B C").when("C meld KsQs").clean()
    given(GAME, spades, Seats="A B C").when("C draw ??", "C meld KsQs").clean()


def test_R10_nothing_in_the_hand_to_marry() -> None:
    apart = SEEN.replace("KdQs2s", "Kd7c2s").replace("53x??", "7d7h8c8d49x??")
    acts = "A draw 8d\nA discard Kh\nB draw 8c\n"
    given(GAME, apart + acts).when("B draw Kh <rank:K").finds("R10", words="B has nothing in the hand to marry K♥")


def test_R10_the_partner_may_be_the_card_drawn() -> None:
    apart = SEEN.replace("KdQs2s", "Kd7c2s") + "A discard Kh\n"
    case = given(GAME, apart).when("B draw Kh <rank:K", "B meld KhQh")
    case.allows(at=5)
    given(GAME, apart).when("B draw 8c", "B draw Kh <rank:K").finds("R10")


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B meld KdQs"], "K♦ Q♠ are not king and queen of one suit"),
        (["B meld KdTh"], "are not king and queen"),
        (["B draw 3c <rank:3"], "only kings and queens come out of the piles"),
        (["B draw Ks <rank:K", "B discard 9d"], "K♠ came out of the pile to be married"),
        (["B draw Ks <rank:K", "B meld KdQd"], "K♠ came out of the pile to be married"),
    ],
    ids=", ".join,
)
def test_R10_broken(acts: list[str], words: str) -> None:
    given(GAME, PILE).when(*acts).finds("R10", words=words)


def test_R10_hidden_hands_are_open_until_the_marriage() -> None:
    hidden = PILE.replace("B=9c9dThKdQs2s", "B=6x??") + "B draw Ks <rank:K\n"
    given(GAME, hidden).opens("R10")
    given(GAME, hidden).when("B meld KsQs").allows(at=11)
    given(GAME, DEALT).when("A draw ??", "A meld Kh??").opens("R10")


def test_R10_what_came_out_of_a_pile_and_was_not_married() -> None:
    """Whether the player has the partner does not matter: with it the card was to be married, without it not to be
    taken."""
    hidden = PILE.replace("B=9c9dThKdQs2s", "B=6x??") + "B draw Ks <rank:K\n"
    given(GAME, hidden).when("B discard 9d").finds("R10", words="K♠ came out of the pile to be married")


@pytest.mark.parametrize("act", ["B move Ks >rank:K", "@ move Ks <B >rank:K"])
def test_R10_what_came_out_of_a_pile_may_be_put_back(act: str) -> None:
    case = given(GAME, PILE).when("B draw Ks <rank:K", act, "B discard 9d", "A draw ??")
    case.clean()
    assert lying(case) == {"rank:K": ["Ks"], "rank:3": ["3c"], "rank:9": ["9c", "9d"]}


@pytest.mark.parametrize("unseen", ["??", "?h"])
@pytest.mark.parametrize("acts", [["B draw Kh <rank:K", "B meld KhQh"], ["B meld KhQh"]], ids=", ".join)
def test_R10_a_discard_that_nobody_saw_may_be_the_partner(unseen: str, acts: list[str]) -> None:
    """If this failed, a marriage with a card that surely lies there, because it was taken, would be held against its
    player."""
    seen = SEEN.replace(
        "A=KhQhKs3c4d5s B=9c9dThKdQs2s", "A=6x?? B=9c9dThKdQh2s",
    ) + f"A draw ??\nA discard {unseen}\nB draw 7c\n"
    case = given(GAME, seen).when(*acts)
    case.clean()
    assert scored(case) == [("B", "marriages", 10)]
    # Now all discards are known, and what was scored is certain.
    case.when("@ end hand agreed").scores(A=0, B=10)


@pytest.mark.parametrize(("taken", "married"), [("?c", "KcQc"), ("??", "KcQc"), ("?c", "KhQh"), ("??", "KsQs")])
def test_R10_the_partner_may_lie_anywhere_in_its_pile(taken: str, married: str) -> None:
    """If this failed, a card that was not wholly seen would be taken for the one on top."""
    thrown = DEALT + "A discard Kc\nB discard Ks\nA discard 7d\nB draw ??\n"
    case = given(GAME, thrown).when(f"B draw {taken} <rank:K", f"B meld {married}")
    if married == "KhQh":
        case.finds("R10", words="?♣ came out of the pile to be married")
    else:
        case.when("A draw ??", f"A draw {'Ks' if married == 'KcQc' else 'Kc'} <rank:K").clean()


def test_R10_nothing_comes_out_of_the_discards_that_nobody_saw() -> None:
    given(GAME, DEALT).when(
        "A draw ??", "A discard ??", "B draw ?? <discard",
    ).finds("R10", words="only kings and queens")


def test_R10_a_card_that_was_half_seen_is_among_those_married() -> None:
    case = given(GAME, PILE).when("B draw K? <rank:K").opens("R10").when("B meld KsQs")
    case.clean()
    assert scored(case) == [("B", "marriages", 20)]


# R11, duty
def test_R11_a_meld_or_marriages() -> None:
    shown = DEALT + "A draw ??\nA show 8d9dThJsQhKh\n"
    given(GAME, shown).when("A meld KhQh").finds("R11", words="A has shown a meld in this turn")
    married = DEALT + "A draw ??\nA meld KhQh\n"
    given(GAME, married).when("A show 8d9dThJsQcKc").finds("R11", words="A has married in this turn")
    given(GAME, shown).when("A discard 8d", "B draw ??", "B discard 3c", "A draw ??", "A meld KhQh").clean()


def test_R11_no_meld_with_a_card_that_was_taken_to_be_married() -> None:
    taken = PILE.replace("9c9dThKdQs2s", "8s9sTsJsQs2s").replace("B discard 9c", "B discard 2s") + "B draw Ks <rank:K\n"
    given(GAME, taken).when("B show 8s9sTsJsQsKs").finds("R11", words="B has taken K♠ to be married in this turn")


# R12, duty
MARRIED = DEALT + "A draw ??\nA meld KhQh\n"


def test_R12_the_hand_is_filled_up() -> None:
    assert phase(given(GAME, MARRIED)) == ("refill", ("A",))
    case = given(GAME, MARRIED).when("A draw ??")
    case.clean()
    assert phase(case) == ("turn", ("B",))
    assert len(case.judgement.state.holding("A")) == 6
    unwritten = given(GAME, MARRIED).when("B draw ??")
    unwritten.clean()
    assert len(unwritten.judgement.state.holding("A")) == 6


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["A draw 2x??"], "A fills up with 1 card, not with 2"),
        (["A discard 3c"], "the turn ends without a discard"),
        (["A draw ??", "A discard 3c"], "the turn ends without a discard"),
    ],
    ids=", ".join,
)
def test_R12_broken(acts: list[str], words: str) -> None:
    given(GAME, MARRIED).when(*acts).finds("R12", words=words)


def test_R12_with_a_card_out_of_its_pile_nothing_is_missing() -> None:
    case = given(GAME, PILE).when("B meld KsQs", "A draw ??")
    case.clean()
    assert len(case.judgement.state.holding("B")) == 6


def test_R12_marriages_on_two_lines_are_of_one_turn_also_if_none_of_them_leaves_a_card_to_draw() -> None:
    """With a card out of the pile six are left, and the turn seems to be over; it is not, if the same player goes
    on."""
    lines = ["A draw ??", "A discard Qs", "B draw ??", "B discard Qh", "A draw ??", "A draw Qs <rank:Q", "A meld KsQs"]
    for more in (["A meld KcQc"], ["A draw Qh <rank:Q", "A meld KhQh"]):
        case = given(GAME, DEALT).when(*lines, *more)
        case.clean()
        assert scored(case) == [("A", "marriages", 20), ("A", "marriages", 20)]
        assert case.judgement.state.turn == ("A",)
    given(GAME, DEALT).when(*lines, "B draw ??", "A meld KcQc").finds("R1", words="it is the turn of B")


def test_R12_the_card_of_the_turn_may_be_written_with_those_that_fill_up() -> None:
    case = given(GAME, DEALT).when("A meld KsQs", "A draw 2x??")
    case.opens("R12")
    assert len(case.when("B draw ??", "B discard 2c").judgement.state.holding("A")) == 6
    given(GAME, DEALT).when("A draw ??", "A meld KsQs", "A draw 2x??").finds(
        "R12", words="fills up with 1 card, not with 2",
    )
    given(GAME, DEALT).when("A meld KsQs", "A draw 3x??").finds("R12")


# R13, duty
def test_R13_nothing_comes_back() -> None:
    given(GAME, MARRIED).when("A draw ??", "B draw Kh <dead").finds("R13", words="no card comes back")
    given(GAME, MARRIED).when("A draw ??", "B move Qh <dead >B").finds("R13")


# R14, consequence
FOUR = DEALT + "A discard Jc\nB discard Jd\nA discard Jh\nB discard Js\n"


@pytest.mark.parametrize(
    ("rank", "points"), [("J", 20), ("A", 15), ("5", 15), ("K", 50), ("Q", 50), ("9", 5), ("T", 5)]
)
def test_R14_R19_the_fifth_of_a_rank(rank: str, points: int) -> None:
    case = given(GAME, FOUR.replace("J", rank)).when(f"A discard {rank}s")
    case.clean()
    assert scored(case) == [("A", "zetemas", points)]
    assert set(lying(case)) == {"dead"}
    assert len(lying(case)["dead"]) == 5


def test_R14_written_as_well() -> None:
    given(GAME, FOUR + "A discard Js\n").when("@ move * <rank:J >dead", "B draw ??").clean()
    given(GAME, FOUR + "A discard Js\n").when("@ move JcJdJhJsJs <rank:J >dead", "B draw ??").clean()
    given(GAME, FOUR).when("@ move * <rank:J >dead").finds("R14", words="only 4 cards of the rank are there")


def test_R14_a_discard_taken_back_is_made_again() -> None:
    case = given(GAME, FOUR).when("B move Js <rank:J >B", "B discard 3c", "A draw ??")
    case.clean()
    assert lying(case) == {"rank:J": ["Jc", "Jd", "Jh"], "rank:3": ["3c"]}


# R15, consequence
def test_R15_the_stock_is_out() -> None:
    log = list(simulate(GAME, seed=1, hands=1, options={"target": 9999}))
    last = max(r.n for r in log if isinstance(r.event, Draw) and r.event.src == "")
    out = [*log[: last + 2], Recorded(n=last + 2, event=Draw(by=log[last + 2].event.by, cards=("??",)))]
    assert [(f.at.pos, f.rule, f.text) for f in judge(out).broken if f.rule.startswith(GAME)] == [
        (last + 2, f"{GAME}.R15", "the stock is out: there are no more draws")
    ]
    assert judge(log).broken == []


def test_R15_the_hand_is_played_out() -> None:
    log = simulate(GAME, seed=1, hands=1, options={"target": 9999})
    state = judge(log).state
    assert not len(state.table.piles["stock"])
    assert not len(state.holding("A"))
    assert not len(state.holding("B"))
    assert state.settled
    zetemas = sum(points or 0 for _, kind, points, _ in state.hand.scored if kind == "zetemas")
    assert zetemas == 90, "each rank from ace to jack once"


# R16, consequence
def test_R16_the_target_ends_the_match_at_once() -> None:
    case = given(GAME, DEALT, option={"target": 30}).when("A draw ??", "A show 2c4c5c7cTcKc")
    state = case.judgement.state
    assert (state.ended, state.standing.winner, state.standing.totals) == ("won", "A", {"A": 30, "B": 0})
    assert state.scores[0].result == "30 for A"


@pytest.mark.parametrize(("seats", "target"), [("A B", 300), ("A B C", 300), ("N E S W", 200), ("A B C D E", 200)])
def test_R16_the_target_depends_on_how_many_play(seats: str, target: int) -> None:
    side = "NS" if seats[0] == "N" else "A"
    hand = f"{seats[0]} hand 1\n@ tally points.{side}="
    assert given(GAME, hand + f"{target - 5}\n", Seats=seats).judgement.state.ended == ""
    assert given(GAME, hand + f"{target}\n", Seats=seats).judgement.state.ended == "won"


def test_R16_partners_score_together() -> None:
    shows = "E draw ??\nE show 2c4c5c7cTcKc\nE discard 2c\nS draw ??\nS discard 3c\nW draw ??\nW show 2d4d5d7dTdKd\n"
    dealt = "N hand 1\n@ deal N=6x?? E=6x?? S=6x?? W=6x??\n@ deal stock=41x??\n"
    case = given(GAME, dealt + shows, Seats="N E S W").when("@ end hand agreed")
    case.scores(NS=0, EW=60)


# Scoring
def test_the_lines_of_a_score_say_what_it_was() -> None:
    acts = "A draw ??\nA meld KsQs\nA draw ??\nB draw ??\nB discard 9c\nA draw ??\nA show 5c5d5h5s5s\nA discard 5c\n"
    case = given(GAME, DEALT + acts).when("@ end hand agreed")
    case.scores(A=130, B=0)
    lines = {line.label: (line.amounts, line.sums) for line in case.judgement.state.scores[0].lines}
    assert lines == {
        "assemblies": ({"A": 110, "B": 0}, {"A": "fives 110"}),
        "marriages": ({"A": 20, "B": 0}, {"A": "one imperial 20"}),
    }


def test_a_hand_told_by_its_result() -> None:
    given(GAME, "B hand 1\n@ tally points.A=55 points.B=80\n").scores(A=55, B=80)
    given(GAME, "B hand 1\n@ tally points.A=55\n").scores(A=55, B=None)
    assert given(GAME, "B hand 1\n@ tally points.A=53 points.B=80\n").about()


@pytest.mark.parametrize(
    ("before", "told", "words"),
    [
        ("", "points.A=310 points.B=300", "A has 310 and B has 300, and play ends when one side has 300"),
        ("points.A=190 points.B=200", "points.A=110 points.B=100", "A has 300 and B has 300"),
        ("", "points.A=450 points.B=90", "A has 450, and play ends at 300: nothing scores so much at once"),
        ("", "points.A=445 points.B=295", ""), ("points.A=190 points.B=200", "points.A=105 points.B=100", ""),
    ],
)  # fmt: skip
def test_R16_a_result_past_the_end(before: str, told: str, words: str) -> None:
    """Five marriages bring 150 at once, which is the most; so with 295 before them nobody has more than 445."""
    hands = f"B hand 1\n@ tally {before}\nA hand 2\n" if before else "B hand 1\n"
    case = given(GAME, hands).when(f"@ tally {told}")
    if words:
        case.finds("R16", words=words).scores(A=None, B=None)
    else:
        case.allows()


@pytest.mark.parametrize(
    ("told", "words", "option"),
    [
        ("points.A=90 points.B=0", "", {}), ("points.A=60 points.B=40", "", {}), ("points.A=300 points.B=5", "", {}),
        ("points.A=20", "", {}), ("points.A=40 points.B=45", "zetemas alone bring 90, and 85 were reported", {}),
        ("points.A=55 points.B=80", "zetemas alone bring 90, and tens besides, and 135 were reported", {}),
        ("points.A=55 points.B=80", "", {"five_marriages": 155}),
    ],
)  # fmt: skip
def test_R14_a_hand_played_out_has_a_zetema_of_each_rank(told: str, words: str, option: dict[str, int]) -> None:
    """Broken off by agreement a hand may come to less, so that nobody is accused."""
    case = given(GAME, "B hand 1\n", option=option).when(f"@ tally {told}").allows()
    assert [f.text.partition(": ")[2] for f in case.about()] == ([words] if words else [])


def test_another_suit_may_be_doubled() -> None:
    twice = "B hand 1\n@ deal A=9h9h2c3c4c5c\n"
    given(GAME, twice, option={"double_suit": "h"}).clean()
    assert given(GAME, twice).judgement.broken


# What is not seen, or not written
@pytest.mark.parametrize("line", [".", "d", "d x"])
def test_the_first_card_of_a_match_is_drawn_unseen(line: str) -> None:
    """If this failed, the usual act would stand for nothing until something else was written: nobody has dealt by
    then."""
    draft = Session(given(GAME, "").records).complete(line)
    assert ([write_event(r.event) for r in draft.events], draft.doubts) == (["A draw ??"], ())


@pytest.mark.parametrize(
    ("line", "written", "broken"),
    [
        ("khqh", "A meld KhQh", 0), ("khqd", "A meld KhQd", 1), ("kh 9d", "A discard Kh, B discard 9d", 0),
        ("9h8c", "A discard 9h, B discard 8c", 0), ("5c5d5h5s5s", "A show 5c5d5h5s5s", 0), ("B 5c", "B discard 5c", 1),
        ("d 5c", "A draw 5c", 0),
    ],
)  # fmt: skip
def test_what_cards_typed_together_mean(line: str, written: str, broken: int) -> None:
    """If this failed, a wrong marriage would be two discards, and a card out of turn perhaps a marriage of one."""
    draft = Session(given(GAME, DEALT).records).complete(line)
    assert (", ".join(write_event(r.event) for r in draft.events), len(draft.doubts)) == (written, broken)


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ("A meld KsQs", "20 for A: one imperial marriage"), ("A meld KhQh/KdQd", "30 for A: two marriages"),
        ("A show 5c5d5h5s5s", "110 for A: an assembly of fives"), ("A show 2c4c5c7cTcKc", "30 for A: a flush"),
        ("A discard 9c", ""),
    ],
)  # fmt: skip
def test_what_an_act_scores_is_said_at_once(acts: str, said: str) -> None:
    """If this failed, points that count at once would be told after the hand only."""
    state = given(GAME, DEALT + "A draw ??\n").when(acts).judgement.state
    assert state.game.display.last_outcome_text(state) == said
    if said:
        after = given(GAME, DEALT + "A draw ??\n", A="Ann", B="Ben").when(
            acts, "A discard 5c" if "show 5" in acts else "A draw ??",
        )
        points = said.split()[0]
        assert f"this hand: Ann {points}, Ben 0" in list(here(Session(after.records).reader))
        assert after.judgement.state.game.display.last_outcome_text(after.judgement.state) == ""


def test_after_a_gap_nobody_is_accused() -> None:
    later = "B draw ??\nB discard Ks\nA discard 8s\nA meld KhQh\nB show 2c3d4s5h6d7c\nB discard 2c\n"
    case = given(GAME, DEALT + "A draw ??\n@ gap\n" + later).when("@ end hand agreed")
    assert case.judgement.broken == []
    case.scores(A=None, B=None)


@pytest.mark.parametrize("viewer", ["A", "public"])
def test_a_whole_match_with_hidden_hands_accuses_nobody(viewer: str) -> None:
    log = tuple(simulate(GAME, seed=3, hands=2, seats=["A", "B", "C"]))
    assert judge(hide(log, viewer)).broken == []


@pytest.mark.parametrize("taken", ["??", "?h", "Q?", "Qh"])
def test_R10_an_unseen_discard_may_be_the_card_that_comes_out_of_a_pile(taken: str) -> None:
    case = given(GAME, DEALT).when("A draw ??", "A discard ??", f"B draw {taken} <rank:Q", "B meld KhQh")
    assert not [f.rule for f in case.judgement.findings if f.rule.startswith("table")]


def test_a_rank_is_no_player() -> None:
    """If this failed, the pile of aces, and what five aces score, would go by the name of whoever sits at A."""
    called = {"A": "Ada", "J": "Jo", "K": "Kim", "Q": "Quinn"}
    for rank in "AJQK":
        told = (
            pile_in_words(f"rank:{rank}", called_otherwise(find_game("zetema").display.piles)),
            named_so("zetemas", rank), named_so("an assembly", rank),
        )
        assert all(with_player_names(text, called) == text for text in told), told
