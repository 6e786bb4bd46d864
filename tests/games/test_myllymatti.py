"""Myllymatti, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from typing import Any

import pytest
from given import Given, given
from msgspec.structs import replace
from referees.myllymatti import Referee
from sampling import seeds

from events.kib import read_kib
from events.model import Recorded
from events.writing import write_event
from reducers.games.myllymatti import GAME as PAGE
from replay.degrade import Kind
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import simulate, simulate_breaches
from replay.testing.corpus import corpus
from replay.testing.measuring import measure

GAME = "myllymatti"
HIDDEN = "C hand 1\n@ deal A=3x?? B=3x?? C=3x??\n@ deal down stock=43x??\n"
WON = HIDDEN + "A play Kd\nB play 4d\n"
BOUNCE = HIDDEN + "A play 8d\nB play 8s\n"

# A short way to the second half: one card in the stock, hands far too large. B takes a trick, draws the last card
# (hearts
# are trumps), and then has no card to lead: the second half begins, and B leads.
CLUBS, DIAMONDS = "2c3c4c5c6c7c8c9cTcJcQcKc", "2d3d4d5d6d7d8d9dTdJdQdKdAd"
HANDS = f"A={CLUBS}{DIAMONDS}2s C=3s4s5s6s7s8s9sTsJsQsKsAs2h3h4h5h6h8h9hThJhQhKhAh B=Ac"
OPEN = f"C hand 1\n@ deal {HANDS}\n@ deal down stock=7h\nA play 2s\nB play Ac\nB draw up 7h\n"
DARK = "C hand 1\n@ deal A=26x?? B=1x?? C=24x??\n@ deal down stock=7h\nA play 2s\nB play Ac\nB draw up 7h\n"
DEAL = 3


def second(*acts: str, dark: bool = False, **option: str) -> Given:
    """The second half after these acts: A has clubs and diamonds, B Ac 2s 7h, C spades and hearts."""
    return given(GAME, DARK if dark else OPEN, option=option).when(*acts)


def broken_in(case: Given) -> list[str]:
    """The rules broken, apart from the deal that was too large."""
    return [f.rule for f in case.judgement.broken if f.at.pos > DEAL]


def held(case: Given, seat: str) -> str:
    """What a seat certainly holds."""
    return "".join(PAGE.pack.cards(case.judgement.state.holding(seat).certain))


# the first half
@pytest.mark.parametrize(
    ("setup", "acts", "rule", "words"),
    [
        (HIDDEN, ["B play 4d"], "R1", "A sits left of the dealer"),
        (HIDDEN, ["A play 4d5d"], "R1", "one card"),
        (HIDDEN, ["A play 4d", "C play 5d"], "R2", "it is the turn of B"),
        (WON, ["B play 6h"], "R2", "A took the trick"),
        (WON, ["C play 6h"], "R2", "A took the trick"),
        (BOUNCE, ["B play 6h"], "R2", "after a bounce A leads again"),
        (WON, ["A move * <trick >won:B"], "R2", "A took the trick with the K♦"),
        (BOUNCE, ["B move * <trick >won:B"], "R2", "the same rank"),
        (WON, ["@ fault suit B"], "R3", "any card"),
        (HIDDEN, ["A show 5h <stock", "A play 9c"], "R4", "A turned up 5♥"),
        (OPEN.split("A play")[0], ["A play 7h <stock"], "R4", "is not played blind"),
        (HIDDEN.replace("43x??", "41x??5hAd"), ["A play 5h <stock"], "R4", "A♦ was on top"),
        (HIDDEN, ["A draw ??"], "R5", "the limit is three"),
        (HIDDEN, ["A play 4d", "A draw ??"], "R5", "when the trick is taken"),
        (WON, ["A draw 2x??"], "R5", "the limit is three"),
        (WON, ["C draw ??"], "R5", "the limit is three"),
        (OPEN.rpartition("B draw")[0], ["B draw down 7h"], "R6", "did not show it"),
        (HIDDEN, ["A name s"], "R6", "has not been drawn"),
    ],
    ids=lambda v: v if isinstance(v, str) and len(v) < 40 else None,
)
def test_R1_R2_R3_R4_R5_R6_the_first_half_broken(setup: str, acts: list[str], rule: str, words: str) -> None:
    given(GAME, setup).when(*acts).finds(rule, words=words)


def test_the_first_half_kept() -> None:
    """Two play, the winner draws first and leads against the player on the left."""
    given(GAME, WON).when(
        "A move * <trick >won:A", "A draw ??", "B draw ??", "A play 2c", "B play 3c", "B play 9h",
    ).clean()
    given(GAME, HIDDEN).when("A play 5h <stock", "B play 2d <stock", "A play 7c").clean()
    given(GAME, HIDDEN).when("A play 2d", "B play 9c", "B play Kc", "C play 3c").clean()


def test_R2_after_a_bounce_the_leader_leads_and_the_winner_takes_all() -> None:
    case = given(GAME, BOUNCE).when("A draw ??", "B draw ??", "A play 3c", "B play 9c").clean()
    assert len(case.judgement.state.table.piles["won:B"].codes()) == 4
    assert case.judgement.state.hand.leaders == ("B",)


def test_R2_a_card_nobody_saw_leaves_open_who_leads() -> None:
    case = given(GAME, HIDDEN).when("A play ??", "B play 9d", "B play 2c").opens("R2")
    assert case.judgement.state.hand.won[0].winners == ("B",)
    # If A leads, the trick was A's, or a bounce: whose the cards are stays open.
    case = given(GAME, HIDDEN).when("A play ??", "B play 9d", "A play 2c").opens("R2")
    assert case.judgement.state.hand.won[0].winners == ("A", "B")
    given(GAME, HIDDEN).when("A play 4?", "B play 9d", "A play 2c").finds("R2")
    given(GAME, HIDDEN).when("A play ??", "B play 9d", "B move * <trick >won:B", "C play 2c").finds("R2")


@pytest.mark.parametrize(
    ("order", "acts", "wrong"),
    [
        ("winner", ["A draw 3c"], True),
        ("winner", ["B draw 3c", "A draw up 2c"], False),
        ("leader", ["B draw 3c"], True),
        ("leader", ["A draw 3c", "B draw up 2c"], False),
        ("free", ["A draw 3c", "B draw up 2c"], False),
    ],
)
def test_R5_where_the_stock_runs_out_the_order_counts(order: str, acts: list[str], wrong: bool) -> None:
    lines = "C hand 1\n@ deal A=3x?? B=3x?? C=44x??\n@ deal down stock=2c3c\nA play 2d\nB play 5d\n"
    case = given(GAME, lines, option={"draw_order": order}).when(*acts)
    assert broken_in(case) == [f"{GAME}.R5"] * wrong


def test_R5_option_draw_after_bounce() -> None:
    given(GAME, BOUNCE).when("A draw ??").allows()
    given(GAME, BOUNCE, option={"draw_after_bounce": "no"}).when("A draw ??").finds("R5")
    given(GAME, BOUNCE, option={"draw_after_bounce": "no"}).when(
        "A play 3c", "B play 9c", "B draw 2x??", "A draw 2x??",
    ).clean()


# half-time
def test_R6_the_last_card_makes_trumps_and_is_won() -> None:
    case = second()
    assert (case.judgement.state.hand.trump, case.judgement.state.hand.maker) == ("h", "B")
    assert {held(case, "B")[i : i + 2] for i in (0, 2, 4)} == {"Ac", "2s", "7h"}
    assert case.judgement.state.turn == ("B",)


def test_R7_cards_of_an_unfinished_trick_and_of_a_bounce_go_back() -> None:
    """B has no card for the trick: what lies goes back, and is the hand of the second half with all that was left."""
    lines = "C hand 1\n@ deal A=2d3d4d B=2h C=48x??\nA play 2d\nB play 2h\nA play 3d\n"
    case = given(GAME, lines)
    assert (held(case, "A"), held(case, "B")) == ("2d3d4d", "2h")
    assert case.judgement.state.phase == "leading"


def test_R7_without_a_card_at_half_time_a_player_is_out() -> None:
    lines = "C hand 1\n@ deal A=9d7c B=2h C=49x??\nA play 9d\nB play 2h\nA play 7c\n"
    case = given(GAME, lines)
    assert case.judgement.state.hand.out == ["B"]


# the second half
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["B play Ac", "C play 3s"], "R8"),
        (["B play 7h", "C play 2h"], "R8"),
        (["B play 2s", "C play 3s", "A draw 2s <trick"], "R9"),
        (["A play 2c"], "R10"),
        (["B play 2s", "A play 2c"], "R10"),
        (["B play 2s", "C play 3s", "A draw 3s <trick", "A draw 2s <trick"], "R10"),
        (["B play 2s", "@ move * <trick >dead"], "R11"),
        (["B play 2s", "C play 3s4s"], "R12"),
        (["B call out"], "R12"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R8_R9_R10_R11_R12_the_second_half_broken(acts: list[str], rule: str) -> None:
    assert f"{GAME}.{rule}" in broken_in(second(*acts))


def test_the_second_half_kept() -> None:
    """The last card alone is beaten or taken up, also by somebody who could beat it; a full trick is put away."""
    assert broken_in(second("B play 2s", "C draw 2s <trick", "A play 2c", "B play Ac", "C play 2h", "C play 9h")) == []
    assert broken_in(second("B play 2s", "C play 3s", "A draw 3s <trick", "B play 7h", "C play 9h")) == []


def test_R9_option_must_beat_if_able() -> None:
    assert f"{GAME}.R9" in broken_in(second("B play 2s", "C draw 2s <trick", must_beat_if_able="yes"))
    assert broken_in(second("B play Ac", "C play 9h", "A draw 9h <trick", must_beat_if_able="yes")) == []


def test_R9_able_to_beat_proven_later() -> None:
    """If this failed, C would be accused before anybody saw the spade that C had."""
    case = second("B play 2s", "C draw 2s <trick", dark=True, must_beat_if_able="yes")
    case.opens("R9")
    later = ("A play 2c", "B play Ac", "C play 9h")
    second("B play 2s", "C draw 2s <trick", *later, dark=True, must_beat_if_able="yes").finds("R9", at=8, known=11)


def test_R12_option_sequences() -> None:
    assert broken_in(second("B play 2s", "C play 3s4s5s", sequences="yes")) == []
    assert f"{GAME}.R12" in broken_in(second("B play 2s", "C play 3s5s", sequences="yes"))


def test_R12_the_last_one_left_has_lost() -> None:
    given(GAME, "C hand 1\n@ tally loser=B out=C,A trump=s\n").scores(A=0, B=1, C=0)
    given(GAME, "C hand 1\n@ tally out=C,A\n").scores(A=0, B=1, C=0)


def test_who_deals_next() -> None:
    told = "C hand 1\n@ tally loser=C\n@ hand 2\n"
    assert given(GAME, told).judgement.state.dealer == "A"
    assert given(GAME, told, option={"next_deal": "loser"}).judgement.state.dealer == "C"


# the referee: a second opinion, written from the rule text alone
OPTIONS: dict[str, dict[str, Any]] = {
    "usual": {}, "no draws": {"draw_after_bounce": False}, "leader": {"draw_order": "leader"},
    "must": {"must_beat_if_able": True},
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", seeds(1, 60))
def test_the_referee_agrees_about_legal_matches(seed: int, name: str) -> None:
    records = simulate(GAME, seed=seed, hands=2, options=OPTIONS[name])
    referee = Referee(["A", "B", "C"], games=3, **OPTIONS[name])
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(s.points) for s in fold(records).scores if s.source != "void"] == referee.hands


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    """It knows no trumps that are named."""
    records, _ = simulate_breaches(GAME, seed=seed, p=0.05, hands=1)
    lines = [write_event(r.event) for r in records[1:]]
    ours = [f.at.pos for f in judge(records).broken if " name " not in lines[f.at.pos - 1]]
    assert Referee(["A", "B", "C"]).read(lines) == min(ours, default=0)


UNSEEN_FIRST = HIDDEN + "A play ??\nB play 9d\n"


@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["A play 3c"], "R2"),
        (["C play 3c", "B play 4c"], "R2"),
        (["C play 8c", "C move * <trick >won:B"], "R2"),
        (["C play 2d", "B move * <trick >won:B"], "R2"),
        (["C play 3c", "A draw ??"], "R5"),
        (["B name h"], "R6"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R2_R5_R6_whoever_led_after_a_trick_that_nobody_saw_the_order_is_plain_again(
    acts: list[str], rule: str,
) -> None:
    """If this failed, one card that was not seen would leave open whatever is done in the rest of the half."""
    given(GAME, UNSEEN_FIRST + "A draw ??\nB draw ??\nB play 2c").when(*acts).finds(rule)
    # Before anybody led it is open.
    given(GAME, UNSEEN_FIRST).when("C draw ??").opens("R5")
    # If a bounce is not followed by draws, nobody can say how many cards were left.
    lines = UNSEEN_FIRST + "A play 2c\n"
    given(GAME, lines, option={"draw_after_bounce": "no"}).when("A play 3c").opens("R2")


def test_R2_who_leads_after_a_card_that_nobody_saw_is_open() -> None:
    for seat in "AB":
        case = given(GAME, UNSEEN_FIRST).when(f"{seat} play 2c")
        assert case.judgement.broken == []
    given(GAME, UNSEEN_FIRST + "B play 2c\nC play 9c\n").when("B play 3d").finds("R2", words="C took the trick")


def test_R2_whose_cards_nobody_counted_may_have_none_left() -> None:
    """C took the last trick and leads, or has no card, and the half is over: then B, who drew the last card, leads."""
    most = "".join(c for c in PAGE.pack.faces if c not in ("2s", "2h", "7h", "9c", "3h", "4h"))
    acts = ("A play 2s", "B play Ac", "B draw up 7h", "B play 8c", "C play 9c", "C play 3h")
    for cards, found in (("*x??", "open"), ("9c3h4h", "broken")):
        lines = f"C hand 1\n@ deal A=2s2h B={most} C={cards}\n@ deal down stock=7h"
        case = given(GAME, lines).when(*acts, "A play 2h", "B play Jc")
        assert [f.verdict for f in case.judgement.findings if f.rule == f"{GAME}.R2"] == [found]
        given(GAME, lines).when(*acts, "B play Jc").finds("R2", words="it is the turn of A")


def test_R7_who_has_no_card_left_leads_the_second_half_if_the_leader_may_have_none() -> None:
    """If this failed, A would be said to have no card for one that A had won."""
    lines = (
        "C hand 1\n@ deal A=2x?? B=3x?? C=46x??\n@ deal down stock=7h\nA play Ac\nB play 2?\nA draw up 7h\n"
        "A play 3d\nB play 4d\nB play ??\nC play 5d\n"
    )
    case = given(GAME, lines).when("A play 2s")
    assert [f for f in case.judgement.broken if f.at.pos > DEAL] == []
    assert case.judgement.state.phase in ("leading", "shedding")


def test_R5_out_of_a_stock_that_nobody_counted_anybody_may_have_drawn_without_a_word() -> None:
    """If this failed, C would have played the seven of spades without having it: the draw at 15 was not written."""
    acts = (
        "A play 6h", "B play Kd", "B draw ??", "A draw ??", "B play 8s", "C play 4h", "B draw ??", "C draw 8h",
        "B play 7d", "C play 7c", "B draw ??", "B play 2s", "C play 3s", "C draw 2d", "B draw ??", "C play 7s",
    )  # fmt: skip
    for stock in ("*x??", "43x??"):
        case = given(GAME, f"C hand 1\n@ deal A=3x?? B=3x?? C=4h7c3s\n@ deal down stock={stock}").when(*acts)
        assert case.judgement.broken == []


@pytest.mark.parametrize(("of_c", "found"), [("*x??", []), ("9c3h", ["table.T3"])])
def test_R7_who_has_no_card_left_goes_on_in_the_second_half(of_c: str, found: list[str]) -> None:
    """A has played both its cards, and plays one of those that it won: only if C, who leads, has a card is that one
    too many."""
    most = "".join(c for c in PAGE.pack.faces if c not in ("As", "2h", "7h", "9c", "3h"))
    lines = f"C hand 1\n@ deal A=As2h B={most} C={of_c}\n@ deal down stock=7h"
    acts = ("A play As", "B play 2c", "A draw up 7h", "A play 2h", "B play 3c", "B play 8c", "C play 9c", "A play ??")
    case = given(GAME, lines).when(*acts)
    assert [f.rule for f in case.judgement.broken if f.rule == "table.T3"] == found
    assert (case.judgement.state.phase == "building") is bool(found)


@pytest.mark.parametrize("dark", [False, True])
def test_R10_a_card_taken_up_that_nobody_is_known_to_have_played(dark: bool) -> None:
    """A play of it may be missing, by whoever was on turn: open until that is written, or shown to be wrong."""
    case = second("B play 2s", "A draw 3s <trick", dark=dark)
    case.opens("R10")
    assert f"{GAME}.R10" not in broken_in(case)
    assert broken_in(second("B play 2s", "A draw 3s <trick", "@ fix #7+ C play 3s", dark=dark)) == []
    assert f"{GAME}.R10" in broken_in(second("B play 2s", "A draw 3s <trick", "@ fix #8 A draw 2s <trick", dark=dark))
    assert f"{GAME}.R10" in broken_in(second("B play 2s", "A draw ?? <trick", dark=dark))
    second("C draw 4s <trick", dark=dark).opens("R10")


UNCOUNTED = HIDDEN.replace("43x??", "*x??")


def test_R4_R6_nobody_counted_the_stock() -> None:
    """Also before the first card of a hand: whether one card alone is left is a matter of what was dealt."""
    given(GAME, UNCOUNTED).when("A play Kc <stock").opens("R4")
    given(GAME, UNCOUNTED).when("A draw down 2h").finds("R5")
    one_left = f"C hand 1\n@ deal {HANDS}\n@ deal down stock=??\n"
    given(GAME, one_left).when("A play 7h <stock").finds("R4")
    given(GAME, one_left).when("A draw down 7h").finds("R6")


# R1, duty
def test_R1_the_dealers_left_leads_first() -> None:
    given(GAME, HIDDEN).when("A play Kd").allows()
    given(GAME, HIDDEN).when("B play Kd").finds("R1")
    given(GAME, HIDDEN).when("C play Kd").finds("R1")


@pytest.mark.parametrize(
    ("kind", "option", "legal", "match"),
    [
        # A bounce that may have been none, after which nobody draws, and the end of the stock.
        ("half-seen", {"draw_after_bounce": False}, True, 1), ("half-seen", {"draw_after_bounce": False}, True, 23),
        # One of two who may have taken the last trick has no card, and somebody else leads.
        ("half-seen", {}, True, 23),
        # Hands that were dealt uncounted, a stock that nobody counted, and a player who may have gone out.
        ("uncounted", {}, True, 16), ("uncounted", {}, True, 6), ("uncounted", {}, True, 12),
        pytest.param("uncounted", {}, False, 27, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_nobody_is_accused_of_what_was_not_seen_or_counted(
    kind: Kind, option: dict[str, object], legal: bool, match: int,
) -> None:
    """If this failed, a record in which every act is legal would be told that cards are missing, or out of turn."""
    count = measure(corpus("myllymatti", kind, legal, [match], options=option))
    assert (count.logs, count.accused, count.findings, count.figures, count.crashed) == (1, 0, 0, 0, 0), count.failures


def one_more(line: str, records: list[Recorded]) -> Recorded:
    """One more line of a record."""
    return replace(read_kib(f"%kib 1\n[Game \"{GAME}\"]\n\n1. {line}\n").records[1], n=len(records))


def test_R12_the_loser_is_open_while_a_card_was_taken_up_that_nobody_saw() -> None:
    """If this failed, C would have lost as soon as B had played as many cards as were counted, though B plays one
    that it must have taken up; once C has none left it is B who lost, and with the line put in nothing was ever in
    doubt."""
    whole = simulate(GAME, seed=16, hands=1)
    at = max(r.n for r in whole if write_event(r.event) == "B draw 8s <trick")
    without = [replace(r, n=n) for n, r in enumerate([*whole[:at], *whole[at + 1 :]])]
    assert [write_event(r.event) for r in without[at:]] == [
        "C play 2s", "B play 8s", "B play 5h", "C play 3d", "C play 9s", "B play Ts", "B play 2c", "C play 3c",
        "C play Js",
    ]  # fmt: skip
    assert [f.at.pos for f in judge(without).broken] == [at + 1]
    before, after = fold(without[:-2]), fold(without)
    assert (before.scores, before.phase) == ([], "shedding")
    assert after.scores[0].points == fold(whole).scores[0].points == {"A": 0, "B": 1, "C": 0}
    mended = [*without, one_more(f"@ fix #{at - 1}+ B draw 8s <trick", without)]
    assert judge(mended).broken == []
    assert fold(mended).scores[0].points == {"A": 0, "B": 1, "C": 0}
    # From the card that B must have taken up to the last but one it is open who has lost, and either may have.
    for n in range(at + 3, len(without)):
        so_far = fold(without[:n])
        assert (so_far.scores, so_far.settled, so_far.hand.last_left) == ([], False, ""), n
        assert fold([*without[:n], one_more("B call out", without[:n])]).scores[0].points == {"A": 0, "B": 0, "C": 1}
