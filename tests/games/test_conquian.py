"""Conquian, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from given import Given, given
from msgspec.structs import replace
from sampling import seeds, sized

from events.cards import squeeze
from events.errors import NotationError
from events.kib import read_kib
from events.model import Arrange, Call, Discard, Event, Pass, Play, Recorded
from events.writing import write_event
from reducers.evolve import evolve
from reducers.games.conquian import MELDS, PACK
from reducers.legal import legal, objections
from reducers.registry import find_game
from reducers.words.layouts import all_layouts, can_lay, melds_with
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

GAME = "conquian"
# B deals, so A begins.
HIDDEN = "B hand 1\n@ deal A=10x?? B=10x??\n"
OPEN = """
B hand 1
@ deal A=5c6c2d2hJsQs4h7sAdKh B=3c3d3h6d7d4s4cKcKdAs
@ deal down stock=AcJcQc4d5dJdQdAh5h6h7hJhQh3s5s6sKs2s2c7c
"""
# A has a run of clubs in front, and B is offered a king.
MELDED = HIDDEN + "A play 7c <stock\nA arrange 5c6c7c\nA discard Kh\n"
# A has four fours and A 2 3 of spades in front, and is offered the five of spades.
FOURS = HIDDEN + """
A play 4c <stock
A arrange 4c4d4h4s
A discard Kh
B pass
B play As <stock
B pass
A arrange 4c4d4h4s/As2s3s
A discard Kd
B pass
B play 5s <stock
B pass
"""


def cards_of(text: str) -> list[str]:
    return text.split()


def board(case: Given) -> dict[str, str]:
    """What lies in front of the players, by group."""
    piles = case.judgement.state.table.piles.items()
    return {
        name[5:]: "".join(PACK.tokens[c] for c in p.codes()) for name, p in piles if name.startswith("meld:") and len(p)
    }


# R14: the deal
def test_R14_kept() -> None:
    given(GAME, HIDDEN).clean()
    # What nobody saw of a deal need not be written, and a deal may come in several lines.
    given(GAME, "B hand 1\n@ deal A=5c6c2d\n@ deal A=7x?? B=4h").when("A play 7c <stock").clean()


def test_R14_broken() -> None:
    given(GAME, "B hand 1").when("@ deal A=11x?? B=10x??").finds("R14", words="A gets 10 cards, not 11")
    given(GAME, HIDDEN).when("@ deal B=Kc").finds("R14", words="not 11")
    given(GAME, HIDDEN).when("@ deal up upcard=7c").finds("R14", words="no card is turned up")


# R1, R5, R8, R9: game play
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["B play 7c <stock"], "R1"),
        (["A pass"], "R1"),
        (["A play 7c <stock", "A play 2c <stock"], "R1"),
        (["A play 7c <stock", "A pass", "A play 2c <stock"], "R1"),
        (["A play 7c <stock", "A arrange 5c6c7c", "B play 2c <stock"], "R1"),
        (["A play 7c <stock", "A arrange 5c6c7c", "B pass"], "R1"),
        (["A play 7c <stock", "A pass", "A pass"], "R1"),
        (["A draw 7c <stock"], "R5"),
        (["A play 7c <stock", "A draw 7c <upcard"], "R5"),
        (["A play 7c <stock", "A pass", "B draw 7c <discard"], "R5"),
        (["A play 7c <stock", "A discard Kh"], "R8"),
        (["A play 7c <stock", "A arrange 5c6c7c", "A pass"], "R8"),
        (["A play 7c <stock", "A arrange 5c6c7c", "A play 2c <stock"], "R8"),
        (["A play 7c <stock", "A arrange 5c6c7c", "A discard KhAd"], "R8"),
        (["A play 7c2c <stock"], "R9"),
        (["A play 7c <stock", "A pass", "B pass", "B pass"], "R9"),
        (["A play 7c <stock", "A pass", "B pass", "B arrange 7c7d7h"], "R9"),
        (["A play 7c <stock", "A pass", "B play 2c <stock", "B arrange 7c7d7h"], "R9"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R5_R8_R9_broken(acts: list[str], rule: str) -> None:
    given(GAME, HIDDEN).when(*acts).finds(rule)


@pytest.mark.parametrize(
    "acts",
    [
        ["A play 7c <stock", "A pass", "B pass", "B play 2c <stock", "B pass", "A pass", "A play Ks <stock"],
        [
            "A play 7c <stock", "A arrange 5c6c7c", "A discard Kh", "B arrange KcKdKh", "B discard As", "A pass",
            "A play 2c <stock",
        ],
        ["A play 7c <stock", "A pass", "B arrange 6d7d7c", "B discard As"],
    ],
    ids=["nobody melds", "the stock, then the discard", "the card the opponent turned"],
)
def test_R1_R5_R8_R9_kept(acts: list[str]) -> None:
    given(GAME, HIDDEN).when(*acts[:2]).clean()
    if "6d7d7c" not in acts[2]:
        assert given(GAME, HIDDEN).when(*acts).clean().judgement.open == []


def test_R1_a_pass_nobody_wrote_is_read_from_what_follows() -> None:
    """If this failed, a table that writes only what is turned up would be accused at every line."""
    lines = [f"{'AB'[i % 2]} play {card} <stock" for i, card in enumerate(["7c", "2c", "Ks", "5s"])]
    case = given(GAME, HIDDEN).when(*lines).clean()
    state = fold(case.records)
    assert (state.phase, state.turn, len(state.table.row("discard"))) == ("turned", ("B",), 3)
    assert [text for _, text in state.inferred] == [
        "A let 7♣ go, as the next act shows; such passes need not be recorded"
    ]
    given(GAME, HIDDEN).when(*lines, "A arrange 5c5d5s", "A discard Kh").clean()


def test_R1_a_discard_taken_back_is_owed_again() -> None:
    state = fold(given(GAME, MELDED).when("A move Kh <discard >A").records)
    assert (state.turn, state.phase) == (("A",), "discard")


def test_R9_the_discard_is_there_for_one_turn() -> None:
    """Passed by both, the card turned up first is dead; only the later one is offered on.

    A card from further down may have been written wrong; but if it was taken, that breaks the rule too, and both are
    said.
    """
    lines = ["A play 7c <stock", "A pass", "B pass", "B play 2c <stock", "B pass"]
    given(GAME, HIDDEN).when(*lines, "A arrange 2c2d2h").clean()
    given(GAME, HIDDEN).when(*lines, "A arrange 7c7d7s").finds("R9", words="it is under 2♣").finds("T5")
    case = given(GAME, HIDDEN).when(*lines, "A arrange 7c7d7s", "A discard Kh").judgement
    assert [f.rule for f in case.broken] == ["table.T5", "conquian.R9"]
    assert len(case.state.table.row("discard")) == 2


def test_R1_whose_turn_it_is_after_an_unseen_meld_and_a_pass_is_open() -> None:
    """If this failed, A would be accused of playing in B's turn, though the meld need not have taken in the ace."""
    dealt = "B hand 1\n@ deal A=As6cQs6sKd5d4d5c6h2s B=10x??\n"
    acts = ("A play Jh <stock", "A pass", "B arrange JhQhKh", "B discard Ac")
    for meld in ("6c6h6s", "6c6h??"):
        case = given(GAME, dealt.replace("6sKd", "??Kd" if "?" in meld else "6sKd")).when(*acts, f"A arrange {meld}")
        assert [f.rule for f in case.when("A pass", "A play 4c <stock").about() if f.verdict == "broken"] == []


@pytest.mark.parametrize("act", ["discard", "play"])
def test_R8_an_unseen_discard_may_be_a_card_of_the_hand(act: str) -> None:
    """If this failed, B would be accused of melding a card that nobody gave up, as the 7c would still be on top."""
    dealt = "B hand 1\n@ deal A=10x?? B=6h6s2c3c4c5cJdQdKd7d\n"
    case = given(GAME, dealt).when("A play 7c <stock", f"A {act} ??", "B arrange 6c6h6s")
    assert [f.key for f in case.judgement.broken if f.at.pos == 5] == []
    # A card of the hand that was seen is on top for certain.
    given(GAME, dealt).when("A play 7c <stock", f"A {act} 5d", "B arrange 6c6h6s").finds("T4", at=5)


@pytest.mark.parametrize("discard", ["7c", "??", "7?"])
def test_R8_the_card_turned_up_is_let_go_by_a_discard_of_it(discard: str) -> None:
    """What a player says with a pass, a recorder may write as the discard of the card turned up."""
    case = given(GAME, HIDDEN).when("A play 7c <stock", f"A discard {discard}").clean()
    state = fold(case.records)
    assert (
        state.phase, state.turn, len(state.table.row("discard")), len(state.holding("A")),
    ) == ("offer", ("B",), 1, 10)
    unseen = given(GAME, HIDDEN).when("A play ?? <stock", "A discard 7c").opens("R8")
    assert "7c" in [PACK.tokens[c] for c in unseen.judgement.state.table.row("discard").codes()]
    given(GAME, OPEN).when("A play ?? <stock", "A discard Kh").finds("R8")


@pytest.mark.parametrize(
    "acts",
    [
        ["B pass", "B play 2c <stock"],
        ["B pass", "B play 2c <stock", "A pass", "A play Ks <stock"],
        ["B arrange 7c7d7h", "B discard Kh"],
        ["B play 2c <stock"],
        ["B pass", "A call force"],
    ],
    ids=", ".join,
)
def test_R1_a_pass_nobody_wrote_shows_whatever_the_opponent_does(acts: list[str]) -> None:
    """If this failed, the type of the next line would decide whether somebody is accused of playing out of turn."""
    case = given(GAME, HIDDEN).when("A play 7c <stock", *acts).clean()
    assert [text for _, text in case.judgement.state.inferred][:1] == [
        "A let 7♣ go, as the next act shows; such passes need not be recorded"
    ]


@pytest.mark.parametrize("dealt", [HIDDEN, "B hand 1\n"], ids=["dealt", "not dealt"])
def test_R1_a_card_that_the_other_turned_up_unwritten_is_offered(dealt: str) -> None:
    """If this failed, who turned up the next card would be told to have had two turns, and nothing else."""
    turns = "A play 6h <stock\nA play 7c <stock\nB play 2d <stock"
    case = given(GAME, dealt + turns).finds("R1", at=dealt.count("\n") + 2)
    offered = check(case.records).repairs[0]
    assert "B play ?? <stock" in [write_event(fix.event) for fix in offered.fixes if fix.event]
    assert offered.leaves == 0


def test_R1_R4_a_discard_nobody_wrote_is_one_finding() -> None:
    """B takes the card that A threw, whichever it was: only that it is missing is said."""
    lines = HIDDEN + "A play 7c <stock\nA arrange 5c6c7c\n"
    case = given(GAME, lines).when("B arrange KcKdKh").finds("R1").opens("R4").when(
        "B discard As", "A pass", "A play 2c <stock",
    )
    assert [f.rule for f in case.judgement.broken] == ["conquian.R1"]
    assert len(case.judgement.state.holding("A")) == 7
    passed = given(GAME, lines).when("B pass", "B play 2c <stock", "A pass")
    assert [f.rule for f in passed.judgement.broken] == ["conquian.R1"]
    given(GAME, OPEN).when("A play 7c <stock", "A arrange 5c6c7c", "B arrange 3c3d3h").finds("R4")


def test_R4_a_layout_that_changes_nothing_is_no_act() -> None:
    """If this failed, whoever is forced could lay down again what are there already."""
    lines = MELDED + "B pass\nB play 2h <stock\nB pass\n"
    given(GAME, lines).when("A arrange 5c6c7c").finds("R4", words="are there already")
    given(GAME, lines).when("A arrange 7c6c5c").finds("R4")
    assert Arrange(by="A", groups=(("5c", "6c", "7c"),)) not in legal(fold(given(GAME, lines).records)).acts
    before = fold(given(GAME, lines).records)
    after = fold(given(GAME, lines).when("A arrange 5c6c7c").records)
    assert (before.phase, before.turn, len(before.holding("A"))) == (after.phase, after.turn, len(after.holding("A")))
    # Within a melding it says again what lies there.
    given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 5c6c7c", "A arrange 5c6c7c", "A discard Kh").clean()


def test_R4_R10_the_case_of_the_forced_player_with_a_layout() -> None:
    """B has 3 4 5 of clubs in front and is forced to meld the six: to lay the three down again is no answer."""
    deal = (
        "@ deal A=6h5sAd2h5hKcKsAh5d7s B=3d3c7d4hAc5cJsQh6s7h\n@ deal down stock=KdQsJhQc2s3sKhAs2cJd2d7c3hQd4s6c4c\n"
    )
    acts = (
        "A play 4c <stock\nA pass\nB arrange 3c4c5c\nB discard Js\nA pass\nA play 6c <stock\nA pass\nB "
        "pass\nA call force\n"
    )
    case = given(GAME, "B hand 1\n" + deal + acts)
    assert [write_event(act) for act in legal(fold(case.records)).acts] == ["B arrange 3c4c5c6c"]
    case.when("B pass").finds("R10")
    case.when("B arrange 3c4c5c").finds("R4")


@pytest.mark.parametrize("group", ["7c*x??", "5c6c7c*x??", "*x??", "*", "7c7d7?", "7c?c5c", "5c6c7c/*x??"])
def test_R2_R4_uncounted_and_half_seen_cards_prove_nothing(group: str) -> None:
    case = given(GAME, HIDDEN).when("A play 7c <stock", f"A arrange {group}").clean()
    case.when("A discard Kh", "B pass", "B play 2c <stock").clean()


def test_R2_what_can_be_no_meld_however_many_there_are() -> None:
    given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 7c6d*x??").finds("R2")
    given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 7c*x??").opens("R2")
    assert not [
        f for f in given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 7c7d7?").judgement.open
        if f.rule.endswith("R2")
    ]


def test_R2_R7_a_card_that_was_not_seen_may_be_left_over_from_a_meld() -> None:
    """If this failed, what is left of a meld would be taken for a new one, as one of its cards was seen by half."""
    laid = given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 7c7d7h", "A discard Kh", "B pass")
    case = laid.when("B play 2c <stock", "B pass", "A arrange 2c7c2d/7?7h").finds("R7")
    said = [f.text for f in case.judgement.broken if f.rule == "conquian.R2"]
    assert said == ["2♣ 7♣ 2♦ is neither a set nor a run"]


def test_R4_a_card_moved_to_where_nobody_has_melded_stops_nothing() -> None:
    """If this failed, two groups of a layout would have one number, and the judge would stop."""
    case = given(GAME, HIDDEN).when("A play Kc <stock", "B move Ks >meld:B:1", "A pass", "B arrange KcKdKh")
    case = case.when("B discard 7h")
    assert case.when("A play 4s <stock", "A pass", "B arrange 4c4d4s/JcJdJh").judgement.broken


@pytest.mark.parametrize("act", ["A pass", "A play 5s <stock"])
def test_R8_a_meld_from_the_hand_behind_a_gap_owes_no_certain_discard(act: str) -> None:
    """If this failed, a player would have to discard although the meld took nothing, as the card taken lies in the
    gap."""
    lines = given(GAME, HIDDEN).when("@ gap", "A play 6s <stock", "A arrange 2c2d2s").clean()
    assert lines.when(act).clean().judgement.state.hand.gap


def test_R7_R12_what_nobody_counted_neither_stays_nor_wins() -> None:
    lines = given(GAME, HIDDEN).when(
        "A play 7c <stock", "A arrange 7c*x??", "A discard Kh", "B pass", "B play 2c <stock", "B pass",
    )
    lines.when("A arrange 2c2d2h/5c6c7c").clean()
    lines.when("A arrange 2c2d2h", "A discard Kd").opens("R7", at=9).clean()
    assert lines.when("A meld 2c2d2h").clean().judgement.state.hand.winner == ""


@pytest.mark.parametrize(
    ("acts", "rule"),
    [(["A play *x?? <stock"], "R9"), (["A play 7c <stock", "A arrange 5c6c7c", "A discard *x??"], "R8")], ids=str,
)
def test_R8_R9_uncounted_cards_prove_nothing(acts: list[str], rule: str) -> None:
    given(GAME, HIDDEN).when(*acts).opens(rule).clean()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("how", ["unseen", "uncounted"])
def test_R2_R4_R7_layouts_seen_in_part_accuse_nobody(how: str, seed: int) -> None:
    """Legal matches of which each card is seen, or not, whenever it is named: a layout names the same cards again
    and again."""
    random = Random(f"{how}/{seed}")

    def seen(card: str) -> str:
        if card not in PACK or random.random() > 0.12:
            return card
        return {"unseen": "??", "uncounted": "*x??"}[how]

    def shown(event: Event) -> Event:
        if isinstance(event, Arrange):
            return replace(event, groups=tuple(squeeze(map(seen, group)) for group in event.groups))
        return replace(
            event, cards=squeeze(map(seen, event.cards)),
        ) if isinstance(event, Play | Discard) and how != "uncounted" else event

    log = [replace(r, event=shown(r.event)) for r in hide(simulate(GAME, seed=seed))]
    assert [(f.at.pos, f.rule, f.text) for f in judge(log).broken if f.rule.startswith(GAME)] == []


def test_R5_a_card_taken_into_the_hand_stays_known() -> None:
    """If this failed, the card would be gone, and what it is used for later could not be told."""
    state = given(GAME, OPEN).when("A draw 7c <stock").finds("R5").judgement.state
    assert "7c" in PACK.cards(state.holding("A").certain)
    assert (state.phase, state.turn) == ("discard", ("A",))


def test_what_is_asked_of_a_melding_is_answered_for_the_moment() -> None:
    """The answer is worked out once an act; if one of another moment were kept, the dead seven would be taken."""
    state = fold(given(GAME, HIDDEN).when("A play 7c <stock").records)
    act = Arrange(by="A", groups=(("7c", "7d", "7h"),))
    assert [rule.id for rule, _ in objections(state, act)] == []
    for later in (Pass(by="A"), Pass(by="B")):
        state.at += 1
        evolve(state, later)
    assert {rule.id for rule, _ in objections(state, act)} == {"R1", "R9"}


def test_what_is_asked_of_a_card_nobody_saw_hangs_on_the_hand() -> None:
    """If the answer were kept, each hand that is possible would be judged by the first of them."""
    state = fold(given(GAME, HIDDEN).when("A play ?? <stock").records)
    act = Arrange(by="A", groups=(("5c", "6c", "7c"),))
    assert [(rule.id, says.verdict) for rule, says in objections(state, act)] == [("R4", "open")]
    state.holding("A").later = state.table.later = PACK.bag(cards_of("5c 6c 7c"))
    assert [(rule.id, says.verdict) for rule, says in objections(state, act)] == [("R4", "broken")]


# R2, R3: melds
@pytest.mark.parametrize(
    "group", ["5c6c7c", "7c7d7s", "7c7d7h7s", "6c7cJc", "7cJcQc", "7cJcQcKc", "6c5c7c", "Ac2c3c4c5c6c7cJcQc"],
)
def test_R2_R3_kept(group: str) -> None:
    given(GAME, HIDDEN).when("A play 7c <stock", f"A arrange {group}").clean()


@pytest.mark.parametrize(
    ("card", "group", "rule"),
    [
        ("7c", "6c7c", "R2"),
        ("7c", "7c7d", "R2"),
        ("7c", "6c7cQc", "R2"),
        ("7c", "6c7cJd", "R2"),
        ("7c", "7c7d6h", "R2"),
        ("Kc", "QcKcAc", "R3"),
        ("Kc", "KcAc2c", "R3"),
        ("Kc", "JcQcKcAc", "R3"),
    ],
)
def test_R2_R3_broken(card: str, group: str, rule: str) -> None:
    given(GAME, HIDDEN).when(f"A play {card} <stock", f"A arrange {group}").finds(rule)


def test_R2_R3_open_where_a_card_was_not_seen_and_known_when_it_is_named() -> None:
    lines = given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 6c7c??")
    lines.opens("R2")
    lines.when("A discard Kh", "@ fix #4 A arrange 6c7cQc").finds("R2", at=4)
    lines.when("A discard Kh", "@ fix #4 A arrange 6c7cJc").clean()
    given(GAME, HIDDEN).when("A play Kc <stock", "A arrange QcKc??").opens("R2")
    given(GAME, HIDDEN).when("A play Kc <stock", "A arrange KcAc??").finds("R2")


def test_R2_contradicted_by_a_tally() -> None:
    given(GAME, "B hand 1").when("@ tally winner=A table.B=2").finds("R2")
    given(GAME, "B hand 1").when("@ tally winner=A table.B=3").clean()


# R4, R6, R7: the end state of what lies there
def test_R4_kept_also_with_more_hand_cards_beside() -> None:
    given(GAME, FOURS).when("A arrange 4c4d4h/As2s3s4s5s").clean()
    given(GAME, FOURS).when("A arrange 4d4h4s/4c5c6c/As2s3s").finds("R4")
    given(GAME, FOURS).when("A arrange 3h4h5h/4c4d4s/As2s3s").finds("R4", words="5♠")
    given(GAME, FOURS).when("A arrange 4d4h4s/4c5c5s/As2s3s").finds("R2")
    given(GAME, FOURS).when("A arrange 4c4d4h/As2s3s4s5s6s").clean()
    given(GAME, FOURS).when("A arrange 4c4d4h4s/As2s3s/5s6s7s").clean()


@pytest.mark.parametrize("groups", ["2c2d2h", "2c2d2h/KcKdKs"])
def test_R4_broken_without_the_centre_card(groups: str) -> None:
    given(GAME, HIDDEN).when("A play 7c <stock", f"A arrange {groups}").finds("R4", words="must take in the 7♣")


def test_R4_broken_by_a_second_meld_of_hand_cards() -> None:
    given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 5c6c7c/2c2d2h").finds("R4", words="from the hand alone")
    given(GAME, HIDDEN).when("A play 7c <stock", "A meld 5c6c7c", "A meld 2c2d2h").finds("R4")
    given(GAME, HIDDEN).when("A play 7c <stock", "A meld 5c6c7c", "A meld 4c >meld:A:1").clean()
    # Said in two lines it is still one melding: 4-5-6 has no card from outside the hand.
    given(GAME, HIDDEN).when("A play 7c <stock", "A meld 5c6c7c", "A arrange 4c5c6c/7c7d7h").finds("R4")
    given(GAME, HIDDEN).when("A play 7c <stock", "A meld 5c6c7c", "A arrange 6c7cJc").clean()


def test_R4_open_until_a_card_that_nobody_saw_is_known() -> None:
    """The card turned up was missed, so any of the three may have been it; two of them turn out to be dealt, then
    all."""
    lines = ["A play ?? <stock", "A arrange 5c6c7c"]
    given(GAME, HIDDEN).when(*lines).opens("R4")
    dealt = "B hand 1\n@ deal A=5c6c2d2hJsQs4h7sAdKh B=10x??\n"
    assert given(GAME, dealt).when(*lines).clean().judgement.open == []
    given(GAME, dealt.replace("Kh", "7c")).when(*lines).finds("R4")
    given(GAME, HIDDEN).when(*lines, "A discard Kh", "@ fix #2 @ deal A=5c6c7c2hJsQs4h7sAdKh B=10x??").finds("R4", at=4)
    given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 2c2d??").opens("R4")
    given(GAME, MELDED).when("B pass", "B play ?? <stock", "B pass", "A arrange 5c6c7cJc").opens("R4")
    given(GAME, MELDED).when("B pass", "B play Ks <stock", "B pass", "A arrange 5c6c7c??").opens("R4")


def test_a_meld_of_which_a_card_was_missed_accuses_nobody() -> None:
    """It is taken to have the centre card in it; nothing that follows from that is held against anybody."""
    lines = given(GAME, HIDDEN).when("A play 7c <stock", "A arrange 5c6c??")
    assert fold(lines.records).phase == "discard"
    lines.opens("R2").opens("R4")
    two = given(GAME, HIDDEN).when(
        "A play 7c <stock", "A pass", "B pass", "B play 2c <stock", "B pass", "A arrange 2d2x??",
    )
    assert [len(two.judgement.state.table.row(p)) for p in ("discard", "upcard", "meld:A:1")] == [1, 0, 3]
    lines.when("B play 2c <stock").opens("R1")
    lines.when("A pass").opens("R8")
    lines.when("A discard Kh", "B pass", "B play 2c <stock", "B pass", "A arrange 2c2d2h/4c5c6c").clean()
    case = lines.when("A discard Kh", "B pass", "B play 2c <stock", "B pass", "A arrange 2c2d2h/5c6c7c").clean()
    assert board(case) == {"A:1": "5c6c7c", "A:2": "2c2d2h"}


def test_a_meld_of_which_nothing_was_seen_takes_one_card_of_the_centre() -> None:
    """If this failed, the record would be said to take three cards where one lies."""
    case = given(GAME, HIDDEN).when("A play ?? <stock", "A arrange 3x??").clean().opens("R4")
    assert [len(case.judgement.state.table.row(p)) for p in ("upcard", "meld:A:1")] == [0, 3]
    assert len(case.judgement.state.holding("A")) == 8


def test_R4_the_house_may_keep_hand_cards_to_the_meld_that_takes_the_card() -> None:
    house = {"hand_cards_with_rearrange": "centre"}
    lines = MELDED + "B pass\nB play 2h <stock\nB pass\n"
    given(GAME, lines).when("A arrange 4c5c6c7c/2d2h2s").clean()
    given(GAME, lines, option=house).when("A arrange 4c5c6c7c/2d2h2s").finds("R4", words="house rule")
    given(GAME, lines, option=house).when("A arrange 5c6c7c/2d2h2s").clean()


def test_R6_own_melds_only() -> None:
    lines = MELDED + "B arrange KcKdKh\nB discard Jc\n"
    given(GAME, lines).when("A meld Jc >meld:A:1").clean()
    given(GAME, MELDED + "B arrange KcKdKh\nB discard Ks\n").when("A meld Ks >meld:B:1").finds("R6")
    given(GAME, MELDED + "B arrange KcKdKh\nB discard Ks\n").when("A arrange meld:B:1=KcKdKhKs").finds("R6")


def test_R7_cards_move_from_meld_to_meld() -> None:
    """The example of the rule text: a four goes from the fours to A-2-3, and the five follows it."""
    case = given(GAME, FOURS).when("A arrange 4c4d4h/As2s3s4s5s").clean()
    assert board(case) == {"A:1": "4c4d4h", "A:2": "As2s3s4s5s"}


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ("4c4d/As2s3s4s5s", "A had 4♥ in front"),
        ("4c4d4h4s/As2s/3s4s5s", "is left over"),
        ("As2s3s4s5s", "stays on the table"),
    ],
)
def test_R7_broken_by_what_is_left(groups: str, words: str) -> None:
    given(GAME, FOURS).when(f"A arrange {groups}").finds("R7", words=words)


def test_R7_nothing_is_laid_anew_without_taking_a_card() -> None:
    given(GAME, FOURS).when("A arrange 4c4d4h/As2s3s4s").finds("R7", words="only to take a card")


def test_R7_open_where_a_card_that_lies_there_was_not_seen() -> None:
    lines = FOURS.replace("4c4d4h4s", "4c4d??")
    given(GAME, lines).opens("R2", at=4)
    given(GAME, lines).when("A arrange 4c??/As2s3s4s5s4d").finds("R7")
    given(GAME, lines).when("A arrange 4c??5c/As2s3s4s5s").finds("R7")
    given(GAME, lines).when("A arrange 4c4d??/As2s3s4s5s").allows()
    # Named when the layout is said again, it is the card that lay there.
    case = given(GAME, lines).when("A arrange 4c4d4h/As2s3s4s5s").clean()
    assert board(case)["A:1"] == "4c4d4h"
    # And the other way round: a card not named again is still the one that lay there.
    case = given(GAME, FOURS).when("A arrange 4c4d??/As2s3s4s5s").clean()
    assert board(case)["A:1"] == "4c4d4h"


def test_a_group_keeps_its_number_as_long_as_it_lies_there() -> None:
    lines = FOURS + "A arrange 4c4d4h/As2s3s4s5s\nA discard Jd\nB pass\nB play 6s <stock\nB pass\n"
    case = given(GAME, lines).when("A arrange As2s3s4s5s6s/4c4d4h")
    assert board(case) == {"A:1": "4c4d4h", "A:2": "As2s3s4s5s6s"}
    assert board(given(GAME, lines).when("A meld 6s >meld:A:2")) == board(case)
    assert board(given(GAME, lines).when("A arrange meld:A:2=As2s3s4s5s6s")) == board(case)


# R10, R11: forcing
FORCED = OPEN + "A play 7c <stock\nA pass\nB call force\n"


def test_R10_a_card_may_be_let_go() -> None:
    """The right: A could meld the seven of clubs, and need not."""
    given(GAME, OPEN).when("A play 7c <stock", "A pass", "B pass").clean()


def test_R10_R11_forced_and_melded() -> None:
    case = given(GAME, FORCED).when("A arrange 5c6c7c", "A discard Kh").clean()
    assert board(case) == {"A:1": "5c6c7c"}
    state = fold(given(GAME, FORCED).records)
    assert (state.phase, state.turn) == ("forced", ("A",))
    assert not any(isinstance(act, Pass) for act in legal(state).acts)


def test_R10_broken_in_the_open() -> None:
    given(GAME, FORCED).when("A pass").finds("R10", words="is forced to take 7♣ and can meld it")
    given(GAME, FORCED).when("A discard Kh").finds("R10")


def test_R10_open_until_the_cards_are_seen() -> None:
    """A says there is no meld, and throws one card of it at 9 and the other at 13: known with the second."""
    lines = HIDDEN + "A play 7c <stock\nA pass\nB call force\n"
    denied = given(GAME, lines).when("A pass")
    denied.opens("R10")
    later = denied.when(
        "B play 2c <stock", "A arrange 2c2d2h", "A discard 5c", "B pass", "B play Ks <stock", "A arrange KdKhKs/2c2d2h",
    )
    later.opens("R10", at=6)
    case = later.when("A discard 6c").finds("R10", at=6, known=13)
    assert case.about(6)[0].cards == ("5c", "6c")


def test_R10_nobody_melds_what_cannot_be_melded() -> None:
    """Forced in error: the pass is right, and the card stays passed."""
    lines = OPEN.replace("2c7c", "7c2c").replace("5c6c2d2h", "5c6c2dJh").replace("7hJhQh", "7h2hQh")
    case = given(GAME, lines).when("A play 2c <stock", "A pass", "B call force").finds("R11", words="A cannot meld 2♣")
    state = fold(case.when("A pass").allows().records)
    assert (state.phase, state.turn) == ("offer", ("B",))
    # With the hands hidden it is open, and known when all is shown.
    hidden = given(GAME, HIDDEN).when("A play 2c <stock", "A pass", "B call force", "A pass")
    hidden.opens("R11", at=5)
    hidden.when("A show 5c6c2dJhJsQs4h7sAdKh").finds("R11", at=5, known=7).allows(at=6)


def test_R1_R8_hold_under_force_too() -> None:
    """Whoever is forced and has no meld has still turned up the one card of the turn, and throws nothing."""
    lines = OPEN.replace("2c7c", "7c2c").replace("5c6c2d2h", "5c6c2dJh").replace("7hJhQh", "7h2hQh")
    case = given(GAME, lines).when("A play 2c <stock", "A pass", "B call force")
    case.when("A play 7c <stock").finds("R1", words="turned up a card in this turn already")
    case.when("A discard Kh").finds("R8", words="melded nothing")
    # Forced to take the discard, the turn has its card still to come.
    given(GAME, OPEN).when("A play 7c <stock", "A pass", "B pass", "A call force", "B play 2c <stock").allows()


def test_R10_another_meld_is_no_answer() -> None:
    given(GAME, FORCED).when("A arrange 2d2hAd").finds("R4")


def test_R11_the_offered_discard_is_forced_too() -> None:
    lines = OPEN.replace("5c6c2d2hJsQs4h7sAdKh B=3c3d3h6d7d4s4cKcKdAs", "5c6c2d2hJsQs4h7sAdKh B=3c3d3h6d7d4s4cKcKdAs")
    case = given(GAME, lines).when(
        "A play 7c <stock", "A arrange 5c6c7c", "A discard Kh", "B pass", "A call force",
    ).clean()
    case.when("B pass").finds("R10")
    case = case.when("B arrange KcKdKh", "B discard As").clean()
    assert fold(case.records).turn == ("A",)


def test_R11_after_a_refusal_the_turn_goes_on_where_it_was() -> None:
    lines = ["A play 7c <stock", "A arrange 5c6c7c", "A discard Jd", "B pass", "A call force", "B pass"]
    state = fold(given(GAME, HIDDEN).when(*lines).records)
    assert (state.phase, state.turn) == ("turnup", ("B",))


@pytest.mark.parametrize(
    "acts",
    [
        ["B call force"],
        ["A play 7c <stock", "A pass", "B play 2c <stock", "B call force"],
        ["A play 7c <stock", "A pass", "B pass", "B call force"],
        ["A play 7c <stock", "A arrange 5c6c7c", "B call force"],
    ],
    ids=", ".join,
)
def test_R11_too_late_or_too_early(acts: list[str]) -> None:
    """A force that comes late has no effect: whose turn it is does not change."""
    before = fold(given(GAME, OPEN).when(*acts[:-1]).records)
    case = given(GAME, OPEN).when(*acts).finds("R11")
    assert (fold(case.records).turn, fold(case.records).phase) == (before.turn, before.phase)


def test_R11_not_where_the_house_plays_without_it() -> None:
    case = given(GAME, OPEN, option={"force": "no"}).when(
        "A play 7c <stock", "A pass", "B call force",
    ).finds("R11", words="house rule")
    assert fold(case.records).phase == "offer"


def test_R11_a_force_wrongly_denied() -> None:
    given(GAME, FORCED).when("B fault no-force A #5").finds("R11", words="A can meld 7♣ and had to")
    given(GAME, HIDDEN + "A play 7c <stock\nA pass\nB call force\n").when("B fault no-force A #5").opens("R11")
    other = FORCED.replace("5c6c2d2hJsQs4h7s", "5c6d2d2hJsQs4h4c").replace("B=3c3d3h6d7d4s4c", "B=3c3d3h6c7d4s7s")
    given(GAME, other).when("B fault no-force A #5").allows()


def test_R11_rearranging_counts_as_being_able_to() -> None:
    """The five of spades fits only once a four has gone over to the spades."""
    case = given(GAME, FOURS.replace("A=10x??", "A=4d4h4s2s3sKhKdJdQsJc")).when("A pass", "B call force").clean()
    case.when("A pass").finds("R10")
    case.when("A arrange 4c4d4h/As2s3s4s5s").clean()


# R12, R13: ending the hand
OUT = FOURS + "A arrange 4c4d4h4s/As2s3s/5s5d5h\nA discard Jd\nB pass\nB play 5c <stock\nB pass\n"


def test_R12_eleven_cards_win_and_nothing_is_discarded() -> None:
    case = given(GAME, OUT).when("A arrange 4c4d4h4s/As2s3s/5c5s5d5h").clean().scores(A=1, B=0)
    state = fold(case.records)
    assert state.settled
    assert (state.scores[0].result, len(state.holding("A")), len(state.table.row("discard"))) == ("A is out", 0, 3)
    # Ten cards are not enough.
    assert not fold(given(GAME, OUT).records).settled


def test_R12_contradicted_by_a_tally() -> None:
    won = given(GAME, OUT).when("A arrange 4c4d4h4s/As2s3s/5c5s5d5h")
    won.when("@ tally winner=B").finds("T12", words="winner is A, not B")
    won.when("@ tally winner=A").allows()
    given(GAME, "B hand 1").when("@ tally winner=A table.A=10").finds("R12")
    given(GAME, "B hand 1").when("@ tally winner=A table.A=11 table.B=11").finds("R12")
    given(GAME, "B hand 1").when("@ tally winner=A table.A=12").finds("R12", words="more than 11")
    given(GAME, "B hand 1").when("@ tally winner=A table.A=11 table.B=7 stock=3").clean().scores(A=1, B=0)


def all_turned(*more: str) -> Given:
    """The whole stock turned up, card by card, and nobody wants any of it."""
    cards = cards_of("7c 2c 2s Ks 6s 5s 3s Qh Jh 7h 6h 5h Ah Qd Jd 5d 4d Qc Jc Ac")
    lines = [
        line for i, card in enumerate(cards)
        for line in (f"{'AB'[i % 2]} play {card} <stock", f"{'AB'[i % 2]} pass", f"{'BA'[i % 2]} pass")
    ]
    return given(GAME, HIDDEN).when(*lines[:-1], *more)


def test_R13_the_last_card_is_offered_once_and_then_it_is_a_draw() -> None:
    assert not fold(all_turned().records).settled
    case = all_turned("A pass").clean().scores(A=0, B=0)
    assert fold(case.records).scores[0].result == "a draw"
    all_turned("A arrange Ac2d3d").finds("R2")
    all_turned("A arrange AcAdAs", "A discard Kh", "B pass").clean().scores(A=0, B=0)


def test_R13_a_draw_may_be_said_but_not_before_the_stock_is_out() -> None:
    case = all_turned("@ end hand draw").clean().scores(A=0, B=0)
    assert fold(case.records).scores[0].result == "a draw"
    given(GAME, MELDED).when("@ end hand draw").finds("R13", words="19 cards left")
    given(GAME, OUT).when("A arrange 4c4d4h4s/As2s3s/5c5s5d5h", "@ end hand draw").finds("R13", words="A has 11 cards")
    given(GAME, MELDED).when("@ end hand agreed").clean()


def test_R13_contradicted_by_a_tally() -> None:
    given(GAME, "B hand 1").when("@ tally winner=draw stock=3").finds("R13")
    given(GAME, "B hand 1").when("@ tally winner=draw stock=0").clean().scores(A=0, B=0)
    all_turned("A pass", "@ tally winner=A").finds("T12", words="winner is draw, not A")


# The match
def test_a_deal_is_a_game_of_its_own_unless_more_were_agreed() -> None:
    one = given(GAME, "B hand 1\n@ tally winner=A\n").judgement.state
    assert (one.ended, one.standing.winner) == ("won", "A")
    lines = "B hand 1\n@ tally winner=A\nA hand 2\n@ tally winner=draw\nB hand 3\n@ tally winner=B\n"
    three = given(GAME, lines, option={"best_of": 3}).totals(A=1, B=1).judgement.state
    assert (three.ended, three.standing.winner, [s.dealer for s in three.scores]) == ("won", "", ["B", "A", "B"])
    two = given(GAME, "B hand 1\n@ tally winner=A\nA hand 2\n@ tally winner=A\n", option={"best_of": 3}).judgement.state
    assert two.standing.winner == "A"


def test_a_misdeal_is_dealt_again_and_a_hand_broken_off_counts_nothing() -> None:
    lines = given(GAME, HIDDEN, option={"best_of": 3}).when(
        "A play 7c <stock", "@ end hand misdeal", "A play 2c <stock",
    )
    state = fold(lines.records)
    assert (state.number, state.dealer, state.scores[0].source) == (2, "B", "void")
    state = fold(
        given(GAME, HIDDEN, option={"best_of": 3}).when(
            "A play 7c <stock", "@ end hand agreed", "B play 2c <stock",
        ).records
    )
    assert (state.number, state.dealer, state.scores[0].points) == (2, "A", {"A": 0, "B": 0})


def test_what_is_missing_is_asked() -> None:
    case = given(GAME, "B hand 1").when("@ tally stock=0").scores(A=None, B=None)
    score = score_match(case.records)
    assert score.hands[0].possible == {"A": [0, 1], "B": [0, 1]}
    assert score.hands[0].questions[0].text == "who won the hand"
    # Eight cards and nine: neither has won, and so it was a draw.
    case = given(GAME, "B hand 1").when("@ tally table.A=8 table.B=9").scores(A=None, B=None)
    assert score_match(case.records).hands[0].points == {"A": 0, "B": 0}


def test_a_ruling_can_give_the_hand_to_the_other() -> None:
    case = given(GAME, OUT).when("A arrange 4c4d4h4s/As2s3s/5c5s5d5h", "B dispute #6", "@ ruling #25 winner=B")
    ways = score_match(case.records).ways
    assert (ways["played"].totals, ways["ruled"].totals) == ({"A": 1, "B": 0}, {"A": 0, "B": 1})


def test_the_stake_is_on_the_sheet() -> None:
    state = given(GAME, "B hand 1\n@ tally winner=B\n", option={"stake": 10}).judgement.state
    assert {line.label: line.amounts for line in state.scores[0].lines}["stake"] == {"A": -10, "B": 10}


def test_after_a_gap_nobody_is_accused() -> None:
    lines = [
        "@ gap", "B arrange 6d7dJd/KcKdKhKs", "B discard As", "A play 2c <stock", "B call force",
        "A arrange 4c5c6c7c/2c2d2h", "A discard Ad",
    ]
    given(GAME, MELDED).when(*lines).clean()


@pytest.mark.parametrize("laid", ["7c7d7h", "5c6c7c", "7d7h/5c6c7c"])
def test_R6_a_card_that_lies_in_front_of_the_opponent_is_found_beside_what_the_table_says(laid: str) -> None:
    """If this failed, whoever lays down a card of the opponent's melds would only be told that the record is wrong."""
    case = given(GAME, MELDED + "B pass\nB play 7d <stock\n").when(f"B arrange {laid}")
    case.finds("R6", words="in front of the opponent").finds("T4", words="it is in meld 1 of A")
    table = case.judgement.state.table
    assert not set(table.row("meld:A:1").codes()) & set(table.row("meld:B:1").codes())
    checked = check(case.records)
    assert any(offer.kind == "blank" and offer.at == case.records[-1].n for offer in checked.repairs)


def test_R6_a_card_that_was_taken_to_lie_in_front_of_the_opponent_is_no_breach_after_a_gap() -> None:
    """If this failed, a meld laid anew in a gap would accuse whoever has its cards now."""
    given(GAME, MELDED).when("@ gap", "B arrange 7c7d7h").clean()


@pytest.mark.parametrize(
    "lines",
    [
        ["B arrange 6d7dJd/KcKdKhKs", "B discard As", "A play 2c <stock", "A call force"],
        ["B play 2c <stock", "B pass", "A play 3d <stock", "A call force"],
        ["B discard As", "A pass", "A play 2c <stock", "A call force"],
    ],
)
def test_R11_is_broken_after_a_gap_once_the_acts_show_again_who_is_to_act(lines: list[str]) -> None:
    """If this failed, a force of a card that nobody has just passed would go unfound for the rest of the hand."""
    given(GAME, MELDED).when("@ gap", *lines).finds("R11", words="B has not just passed a card")


@pytest.mark.parametrize("lines", [["A call force"], ["B discard As", "A call force"], ["B pass", "A call force"]])
def test_R11_is_not_broken_right_after_a_gap_that_may_have_a_pass(lines: list[str]) -> None:
    """If this failed, a gap would accuse a player of forcing what may have been let go in it."""
    given(GAME, MELDED).when("@ gap", *lines).clean()


def test_after_a_gap_a_whole_layout_shows_who_is_out() -> None:
    case = given(GAME, MELDED).when("@ gap", "B arrange 6d7dJdQd/KcKdKhKs/2c2d2h").clean().scores(A=0, B=1)
    assert case.judgement.state.scores[0].result == "B is out"


# Layouts
def test_layouts_use_all_that_lies_there_and_as_much_of_the_hand_as_one_likes() -> None:
    must, may = PACK.bag(cards_of("4c 4d 4h 4s As 2s 3s 5s")), PACK.bag(cards_of("6s Kc"))
    found = {frozenset("".join(PACK.cards(m)) for m in way) for way in all_layouts(MELDS, must, may)}
    assert found == {
        frozenset({"4c4d4h", "As2s3s4s5s"}),
        frozenset({"4c4d4h", "As2s3s4s5s6s"}),
        frozenset({"4c4d4h", "As2s3s", "4s5s6s"}),
    }
    assert can_lay(MELDS, must, may)
    assert not can_lay(MELDS, PACK.bag(["5s"]), PACK.bag(["6s"]), PACK.bag(["7s", "4s"]), 0)
    assert can_lay(MELDS, PACK.bag(["5s"]), PACK.bag(["6s"]), PACK.bag(["7s", "4s"]), 1)


def test_melds_with_a_card_are_all_the_melds_that_have_it() -> None:
    """The quick listing agrees with the general one."""
    bag = PACK.bag(cards_of("5c 6c 7c Jc 5d 5h 5s 7d 7h Ah 2h 3h Kh"))
    for code in PACK.codes(bag):
        assert sorted(melds_with(MELDS, code, bag)) == sorted(m for m in MELDS.melds_in(bag) if m & PACK.unit[code])


# At the table
def typed(session: Session, line: str) -> list[str]:
    draft = session.complete(line)
    assert draft.doubts == (), draft.doubts
    events = [Recorded(n=session.records[-1].n + i, event=r.event) for i, r in enumerate(draft.events, 1)]
    session.take(events)
    return [write_event(r.event) for r in events]


def test_fast_entry() -> None:
    """A bare card is the next one turned up; after a meld it is the discard; melds are completed to the whole
    layout."""
    session = Session(given(GAME, HIDDEN).records)
    assert typed(session, "5c 7d kh") == ["A play 5c <stock", "B play 7d <stock", "A play Kh <stock"]
    assert typed(session, "2s") == ["B play 2s <stock"]
    assert typed(session, "m 2s3s4s") == ["B arrange 2s3s4s"]
    assert typed(session, "jd") == ["B discard Jd"]
    assert typed(session, ".") == ["A pass"]
    assert typed(session, "6h") == ["A play 6h <stock"]
    assert typed(session, "force") == ["B call force"]
    assert typed(session, "cannot") == ["A pass"]
    assert typed(session, "ac") == ["B play Ac <stock"]
    assert typed(session, "ac2c3c") == ["B arrange 2s3s4s/Ac2c3c"]
    assert typed(session, "kd") == ["B discard Kd"]
    assert typed(session, "5s") == ["A play 5s <stock"]
    assert typed(session, ".") == ["A pass"]
    assert typed(session, "m 5s") == ["B arrange 2s3s4s5s/Ac2c3c"]
    assert typed(session, ".") == ["B discard ??"]


def test_a_card_goes_to_the_meld_it_fits_and_where_two_take_it_both_are_shown() -> None:
    more = "A discard Qd\nB pass\nB play Jc <stock\nB pass\n"
    session = Session(
        given(GAME, MELDED + "B pass\nB play 2c <stock\nB pass\nA arrange 2c3c4c/5c6c7c\n" + more).records
    )
    assert typed(session, "m jc") == ["A arrange 5c6c7cJc/2c3c4c"]
    two = (
        HIDDEN
        + (
            "A play 4c <stock\nA arrange 2c3c4c\nA discard Qd\nB pass\nB play 6c <stock\nB pass\nA arrange "
            "2c3c4c/6c7cJc\nA discard Kd\nB pass\nB play 5c <stock\nB pass\n"
        )
    )
    session = Session(given(GAME, two).records)
    with pytest.raises(NotationError, match="2 things"):
        session.complete("m 5c")
    assert typed(session, "m 5c >meld:A:2") == ["A arrange 2c3c4c/5c6c7cJc"]


def test_legal_acts_are_every_layout_with_the_card() -> None:
    state = fold(given(GAME, OPEN).when("A play 7c <stock").records)
    assert [write_event(act) for act in legal(state).acts] == ["A pass", "A arrange 5c6c7c"]
    state = fold(given(GAME, OPEN).when("A play 7c <stock", "A arrange 5c6c7c").records)
    assert {type(act) for act in legal(state).acts} == {Discard}


# The example
def test_the_cantina() -> None:
    """The pass under force is proven by two cards laid down long after it; the table's sum is found where it parts."""
    records = read_kib(
        (Path(__file__).parents[2] / "examples" / "conquian-cantina.kib").read_text(encoding="utf-8")
    ).records
    found = [(f.rule, f.at.pos, f.known_from.pos if f.known_from else 0, f.cards) for f in judge(records).broken]
    assert found == [("conquian.R10", 55, 73, ("Jd", "Qd"))]
    assert score_match(records).totals == {"A": 3, "B": 1}


# Self-play
@pytest.mark.parametrize("seed", seeds(10, 30))
def test_matches_end_and_hidden_logs_accuse_nobody_wrongly(seed: int) -> None:
    log = simulate(GAME, seed=seed, options={"best_of": 3, "hand_cards_with_rearrange": ("free", "centre")[seed % 2]})
    assert fold(log).ended == "won"
    assert judge(log).findings == []
    assert judge(hide(log)).broken == []
    bad, truth = simulate_breaches(GAME, seed=seed, p=0.1, hands=4, options={"best_of": 5})
    done = {(b.position, f"{GAME}.{rule}") for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule) for f in judge(bad).broken} == done
    verdict = judge(hide(bad))
    assert {(f.at.pos, f.rule) for f in verdict.broken} <= done
    assert done <= {(f.at.pos, f.rule) for f in verdict.findings}


@pytest.mark.rest
def test_forces_and_rearranged_melds_are_played() -> None:
    """If this failed, the test above would say nothing of what is special in this game."""
    logs = [simulate(GAME, seed=seed, options={"best_of": 5}) for seed in range(12)]
    assert sum(isinstance(r.event, Call) for log in logs for r in log) > 3
    assert sum(isinstance(r.event, Arrange) and len(r.event.groups) > 2 for log in logs for r in log) > 20
    tried = {
        rule for seed in range(40) for b in simulate_breaches(GAME, seed=seed, p=0.1, hands=4)[1].breaches
        for rule in b.rules
    }
    assert {"R1", "R2", "R4", "R7", "R8", "R9", "R11"} <= tried
    assert find_game(GAME).simulation.most_hands == 99


def test_R11_a_force_that_the_table_let_drop_binds_nobody() -> None:
    """If this failed, a player would be accused of what the table allowed."""
    dropped = given(GAME, FORCED).when("B fault no-force A #5")
    for after in (["A pass"], ["A pass", "B play 2c <stock"], ["B play 2c <stock"]):
        case = dropped.when(*after)
        assert [(f.rule, f.at.pos) for f in case.judgement.broken] == [("conquian.R11", dropped.records[-1].n)]
    given(GAME, FORCED).when("A pass").finds("R10")


HALF = "B hand 1\n@ deal A=10x?? B=10x??\n@ deal down stock=20x??\nA play 7h <stock\n"


def test_after_a_gap_a_pass_does_not_say_whose_turn_is_next() -> None:
    """If this failed, the next act would be out of turn only because a card turned up was taken for a discard."""
    case = given(GAME, HALF).when("@ gap", "B pass", "B play Kd <stock", "B pass", "A pass", "A play 6s <stock")
    assert not case.judgement.broken


def test_a_guess_about_a_half_seen_layout_accuses_nobody_when_it_cannot_be() -> None:
    """If this failed, cards would run out of a hand because nobody saw which of those laid came from it."""
    rest = (
        "A discard ??", "B play ?c <stock", "B arrange 2c2x?c", "B discard Qc", "A pass", "A play 5s <stock",
        "A arrange 7??h7s/5c5h5?", "A discard Kh",
    )
    case = given(GAME, HALF).when("A arrange 7c7h?s", *rest)
    assert not case.judgement.broken
    state = case.judgement.state
    assert all(pile.vague or len(pile) > 0 for pile in map(state.holding, "AB"))


@pytest.mark.both
def test_a_meld_written_again_and_again_lays_no_more_cards_than_there_are() -> None:
    """If this failed, each further line would take longer than the one before it, as the whole area is laid anew."""
    times = sized(30, 60)
    case = given(GAME, "B hand 1\n@ deal A=10x?? B=10x??\n" + "A meld 6c >meld:1\n" * times)
    assert len(fold(case.records).table.piles["meld:1"]) <= PACK.size + 1
    assert len([f for f in case.judgement.broken if f.rule == "conquian.R2"]) > times - 10
