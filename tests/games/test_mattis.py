"""Mattis, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from given import Given, given
from msgspec.structs import replace

from events.cards import squeeze
from events.kib import read_bytes
from events.model import Draw, Play, Recorded
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.games.mattis import GAME as PAGE
from reducers.games.mattis import PACK
from reducers.legal import legal
from reducers.words.beating import LaidPlay, take_play
from reducers.words.building import second_half
from reducers.words.tallies import open_questions
from replay.auditing.audit import audit
from replay.judging.judge import judge
from replay.masking import cards_in, put_down_unseen
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate
from replay.table.session import Session
from replay.testing.corpus import a_match

GAME = "mattis"
HIDDEN = "C hand 1\n@ deal A=3x?? B=3x?? C=3x??\n@ deal down stock=43x??\n"
FIRST = HIDDEN + "A play Kd\nB play 4d\nC play 5s\n"

# A short way to the second half: one card in the stock, and hands far too large. C takes the only trick and then has
# 3d 4d Ac 7h; A has all spades and 2c to Qc, B all hearts but the seven, 2d, 5d to Ad and Kc. Hearts are trumps.
SPADES = "As2s3s4s5s6s7s8s9sTsJsQsKs"
HANDS = f"A={SPADES}3d2c3c4c5c6c7c8c9cTcJcQc B=Ah2h3h4h5h6h8h9hThJhQhKh4d2d5d6d7d8d9dTdJdQdKdAdKc C=Ac"
TRICK = "A play 3d\nB play 4d\nC play Ac\n"
OPEN = f"C hand 1\n@ deal {HANDS}\n@ deal down stock=7h\n{TRICK}C draw up 7h\n"
DARK = f"C hand 1\n@ deal A=25x?? B=25x?? C=??\n@ deal down stock=??\n{TRICK}C draw up 7h\n"
LEAD = 8  # the position of the first lead in both


def second(*acts: str, hidden: bool = False, **option: str) -> Given:
    """The second half after these acts."""
    case = given(GAME, DARK if hidden else OPEN, option=option) if option else given(GAME, DARK if hidden else OPEN)
    return case.when(*acts) if acts else case


def broken_in(case: Given) -> list[str]:
    """The rules broken, apart from the deal that was too large."""
    return [f.rule for f in case.judgement.broken if f.at.pos != 2]


def won(case: Given, seat: str) -> str:
    """What lies with the cards a seat has won."""
    pile = case.judgement.state.table.piles.get(f"won:{seat}")
    return "".join(PAGE.pack.tokens[c] for c in pile.codes()) if pile else ""


def held(case: Given, seat: str) -> str:
    """What a seat certainly holds."""
    return "".join(PAGE.pack.cards(case.judgement.state.holding(seat).certain))


# R1, one card in turn
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B play 4d"], "A sits left of the dealer"),
        (["A play 4d", "C play 5d"], "it is the turn of B"),
        (["A play 4d5d"], "one card"),
        (["A play Kd", "B play 4d", "C play 5s", "B play 6h"], "A took the trick"),
        (["A play Kd", "B play 4d", "C play Ks", "B play 6h"], "it is the turn of A"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_broken(acts: list[str], words: str) -> None:
    given(GAME, HIDDEN).when(*acts).finds("R1", words=words)


def test_R1_kept() -> None:
    given(GAME, FIRST).when(
        "A draw ??", "B draw ??", "C draw ??", "A play 2c", "B play 3c", "C play 9h", "C play 9d",
    ).clean()


def test_R1_open_where_a_card_was_not_seen() -> None:
    """Whoever leads next may have taken the trick, or not; a card as high as nobody can beat leaves no doubt."""
    case = given(GAME, HIDDEN).when("A play ??", "B play 9d", "C play 5d", "B play 2c").opens("R1")
    assert case.judgement.state.hand.won[0].inferred
    given(GAME, HIDDEN).when("A play 4?", "B play 9d", "C play 5d", "B play 2c").allows()
    given(GAME, HIDDEN).when("A play 4?", "B play 9d", "C play 5d", "A play 2c").finds("R1")


def test_R1_a_card_nobody_wrote_is_filled_in() -> None:
    """If this failed, one forgotten card would shift the whole first half by a seat."""
    state = given(GAME, HIDDEN).when("A play Kd", "B play 4d", "A play 6h").judgement.state
    assert len(state.hand.won) == 1
    assert state.turn == ("B",)
    assert any("was not recorded" in text for _, text in state.inferred)


def test_R1_open_where_the_last_card_was_not_written() -> None:
    """Half-time may have come with it; if this failed, whoever made trumps would be accused of leading out of turn."""
    given(GAME, FIRST.replace("C=3x??", "C=45x??").replace("43x??", "??")).when("B play 2c").opens("R1")


# R2, any card
def test_R2_used() -> None:
    given(GAME, "C hand 1\n@ deal A=2d3d4d B=5d6d7c C=8d9dTd\n").when("A play 2d", "B play 7c").clean()


def test_R2_wrongly_denied() -> None:
    given(GAME, FIRST).when("@ fault suit C #6").finds("R2")
    second("C play 3d", "@ fault suit B").allows()


# R3, blind
def test_R3_used() -> None:
    case = given(GAME, HIDDEN).when("A play Kd <stock").clean()
    assert len(case.judgement.state.holding("A")) == 3


@pytest.mark.parametrize(
    ("lines", "acts", "words"),
    [
        (HIDDEN.replace("43x??", "41x??5hAd"), ["A play 5h <stock"], "A♦ was on top"),
        (HIDDEN, ["A show 5h <stock", "A play 9c"], "A turned up 5♥"),
        (OPEN.split("A play")[0], ["A play 7h <stock"], "is not played blind"),
        (OPEN, ["C play 7h <stock"], "the stock is gone"),
    ],
    ids=["not the top card", "took it back", "last card", "no stock"],
)
def test_R3_broken(lines: str, acts: list[str], words: str) -> None:
    given(GAME, lines).when(*acts).finds("R3", words=words)


def test_R3_open_where_draws_went_by_unwritten() -> None:
    """Whether it was the last card is a matter of counting, and nobody counted; if this failed, a table that writes no
    draws would accuse people on the presumption that everybody had drawn."""
    lines = "C hand 1\n@ deal A=3x?? B=3x?? C=43x??\n@ deal down stock=3x??\nA play Kd\nB play 4d\nC play 5s\n"
    case = given(GAME, lines).when("A play 2c", "B play 3c <stock").opens("R3")
    assert case.judgement.state.hand.uncounted
    given(GAME, lines).when("A play 2c <stock").opens("R3")
    given(GAME, lines).when("A draw ??", "B draw ??", "A play 2c <stock").finds("R3", words="the last card")


def test_R3_the_card_turned_up_is_played() -> None:
    given(GAME, HIDDEN).when("A show 5h <stock", "A play 5h <stock").clean()


def test_R3_the_last_card_by_a_house_rule_makes_trumps() -> None:
    lines = OPEN.split("A play")[0]
    state = given(GAME, lines, option={"blind_on_last_card": "yes"}).when("A play 7h <stock").allows().judgement.state
    assert (state.hand.maker, state.hand.trump) == ("A", "h")


# R4, who takes the trick
def test_R4_the_highest_rank_takes_all() -> None:
    case = given(GAME, FIRST).clean()
    assert won(case, "A") == "Kd4d5s"


def test_R4_a_tie_is_played_out_among_those_who_tie() -> None:
    case = given(GAME, HIDDEN).when(
        "A play Kd", "B play Ks", "C play 5s", "A play 2c", "B play 2d", "A play 7c", "B play 3c",
    ).clean()
    assert won(case, "A") == "KdKs5s2c2d7c3c"
    case = given(GAME, HIDDEN).when(
        "A play Kd", "B play Ks", "C play 5s", "A play 2c", "C play 3c",
    ).finds("R1", words="turn of B")


def test_R4_a_tied_player_without_a_card_plays_blind() -> None:
    tie = ["A play Kd", "B play Ks", "C play 5s", "A play 2c", "B play 2d", "A play 7c", "B play 7d"]
    case = given(GAME, HIDDEN).when(*tie, "A play 8c <stock", "B play 9c <stock").clean()
    assert won(case, "B") == "KdKs5s2c2d7c7d8c9c"


def test_R4_a_tie_that_cannot_be_played_out_goes_back() -> None:
    """Nobody has a card for it and one is left in the stock: everybody has the cards again, and A leads anew."""
    lines = "C hand 1\n@ deal A=KdAc B=KsAd C=47x??\n@ deal down stock=7h\n"
    state = given(GAME, lines).when("A play Kd", "B play Ks", "C play 5s", "A play Ac", "B play Ad").judgement.state
    assert (state.phase, state.turn, len(state.holding("A")), state.hand.lying) == ("building", ("A",), 2, [])


def test_R4_contradicted_by_who_gathered() -> None:
    case = given(GAME, FIRST).when("@ move * <trick >won:B").finds("R4", words="A took the trick with the K♦")
    assert won(case, "B") == "Kd4d5s"
    # A leads by right; B does as the table plays.
    assert case.judgement.state.hand.leaders == ("A", "B")
    given(GAME, FIRST).when("@ move * <trick >won:A").clean()


def test_R4_who_gathered_settles_a_card_nobody_saw() -> None:
    lines = ("A play ??", "B play 9d", "C play 5d", "@ move * <trick >won:A")
    given(GAME, HIDDEN).when(*lines).opens("R4").when("A play 2c").allows().when("B play 3c").clean()


# R5, draw up to three
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["A draw ??", "A draw ??"], "A has 3 cards"),
        (["A draw 2x??"], "the limit is three"),
        (["A draw ??", "B draw ??", "C draw ??", "A play 2c", "A draw ??"], "when the trick is taken"),
        (["A draw 4d <trick"], "from the stock"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R5_broken(acts: list[str], words: str) -> None:
    given(GAME, FIRST).when(*acts).finds("R5", words=words)


def test_R5_four_cards_dealt() -> None:
    given(GAME, "C hand 1\n@ deal A=4x?? B=3x?? C=3x??\n").finds("R5", words="A has 4")


def test_R5_dealt_one_card_at_a_time() -> None:
    """Three rounds of one card are the deal too; if this failed, everybody would be short after the first of them."""
    rounds = "C hand 1\n" + 3 * "@ deal A=?? B=?? C=??\n"
    given(GAME, rounds).when("@ deal down stock=43x??").clean()
    given(GAME, rounds).when("@ deal A=??").finds("R5", words="A has 4")
    given(
        GAME, "C hand 1\n@ deal A=3x?? B=2x?? C=3x??\n",
    ).allows().when("@ deal down stock=44x??").finds("R5", words="B has 2")


def test_R5_open_where_draws_went_by_unwritten() -> None:
    """A may have missed the draw that nobody wrote, and take both cards now."""
    given(GAME, FIRST).when("A play 2c", "B play 3c", "C play 9h", "A draw 2x??").opens("R5")


def test_R5_the_order_matters_only_where_the_stock_runs_out() -> None:
    given(GAME, FIRST).when("C draw ??", "A draw ??", "B draw ??").clean()
    lines = (
        "C hand 1\n@ deal A=3x?? B=22x?? C=25x??\n@ deal down stock=2x??\nA play Kd\nB play 4d\nC play 5s\nA play 2h\n"
    )
    assert given(GAME, lines).judgement.state.turn == ("B",)
    few = "C hand 1\n@ deal A=3x?? B=3x?? C=44x??\n@ deal down stock=2x??\nA play Kd\nB play 4d\nC play 5s\n"
    given(GAME, few).when("B draw ??").finds("R5", words="A draws first")
    given(GAME, few, option={"draw_order": "free"}).when("B draw ??").allows()
    given(GAME, few).when("A draw ??", "B draw up 7h").allows()


def test_R5_draws_nobody_wrote_are_inferred() -> None:
    """If this failed, a table that writes the plays alone would be accused at every trick."""
    state = given(GAME, FIRST).when("A play 2c").clean().judgement.state
    assert [len(state.holding(s)) for s in "ABC"] == [2, 3, 3]
    assert len(state.table.row("stock")) == 40


def test_R5_in_rounds() -> None:
    """A house rule: after a tie each draws one card in turn, until all are full."""
    tie = ["A play Kd", "B play Ks", "C play 5s", "A play 2c", "B play 3d"]
    state = given(GAME, HIDDEN, option={"draw_order": "in_rounds"}).when(*tie, "B draw ??").clean().judgement.state
    assert state.turn == ("C",)
    assert given(GAME, HIDDEN).when(*tie, "B draw ??").judgement.state.turn == ("B",)


# R6, the last card
def test_R6_kept() -> None:
    case = given(GAME, OPEN)
    hand = case.allows().judgement.state.hand
    assert (hand.trump, hand.maker) == ("h", "C")
    assert held(case, "C") == "Ac3d4d7h"


def test_R6_broken_by_keeping_it() -> None:
    lines = OPEN.replace("C draw up 7h", "C draw down 7h")
    given(GAME, lines).finds("R6", words="did not show it")
    case = given(GAME, DARK.replace("C draw up 7h", "C draw down ??")).finds("R6")
    # C has that card in hand and plays it; trumps are known to nobody else.
    case = case.when("C play 7c", "A play As", "B play 2h", "C play 3d", "A play 2s").opens("R9")
    assert (case.judgement.state.hand.maker, case.judgement.state.hand.trump) == ("C", "")


def test_R6_trumps_are_not_named() -> None:
    case = given(GAME, HIDDEN).when("A name h").finds("R6", words="has not been drawn")
    assert (case.judgement.state.phase, case.judgement.state.hand.trump) == ("building", "")


def test_R6_a_last_card_nobody_wrote_leaves_trumps_open() -> None:
    case = given(GAME, DARK.replace("draw up 7h", "draw ??"))
    assert (case.judgement.state.hand.maker, case.judgement.state.hand.trump) == ("C", "")
    case.when("C play 3d", "A play 2c").opens("R9").when("@ fix #7 C draw up 7c").allows(at=9)


# R7, half-time
def test_R7_all_play_on_with_what_they_won_and_had_left() -> None:
    case = second()
    state = case.judgement.state
    assert (state.phase, state.turn, state.hand.blamattis) == ("leading", ("C",), ())
    assert len(state.holding("A")) == 24
    given(GAME, OPEN).when("@ tally blamattis=B").finds("T12", words="blamattis is -, not B")


def test_R7_blamattis_starts_with_nothing_and_picks_up() -> None:
    """B has one card, plays it away and takes no trick; B is passed over at an empty table, but counts for the
    trick."""
    rest = "".join(c for c in PAGE.pack.faces if c not in ("2d", "7h", "3d"))
    lines = (
        f"C hand 1\n@ deal A={rest} B=2d C=3d\n@ deal down stock=7h\nA play 4d\nB play 2d\nC play 3d\nB draw up 7h\n"
    )
    state = given(GAME, lines).judgement.state
    assert state.hand.blamattis == ("C",)
    case = given(GAME, lines).when("B play 7h")
    assert case.judgement.state.turn == ("C",)
    state = case.when("C draw 7h <trick").allows().judgement.state
    assert (state.turn, state.hand.size, state.hand.live) == (("A",), 3, ["A", "C"])
    given(GAME, lines).when("@ tally blamattis=C").allows()
    given(GAME, lines).when("@ tally blamattis=A").finds("T12", words="blamattis is C, not A")


def test_R7_blamattis_is_passed_over_at_an_empty_table() -> None:
    """A leads the highest trump and is out, B takes it up; C has nothing to lead, so B leads, and two plays fill the
    trick."""
    rest = "".join(c for c in PAGE.pack.faces if c not in ("2d", "3d", "Ah"))
    lines = (
        f"C hand 1\n@ deal A=2d B={rest} C=3d\n@ deal down stock=Ah\n"
        "A play 2d\nB play 9d\nC play 3d\nA draw up Ah\n"
    )
    state = given(
        GAME, lines, option={"draw_order": "free"},
    ).when("A play Ah", "B draw Ah <trick").allows().judgement.state
    assert (state.hand.blamattis, state.phase, state.turn, state.hand.live) == (("C",), "leading", ("B",), ["B", "C"])


# R8, the first lead
def test_R8_broken_and_kept() -> None:
    second("A play 2c").finds("R8", words="C drew the last card")
    second("C play 3d").allows()


def test_R8_open_where_nobody_wrote_who_drew_the_last_card() -> None:
    """By the order of drawing it fell to B, but who kept that order nobody saw; a card shown among those won tells."""
    lines = (
        "C hand 1\n@ deal A=3x?? B=3x?? C=44x??\n@ deal down stock=2x??\nA play Kd\nB play 4d\nC play "
        "5s\nA play 2c\nB play 2d\nC play 3d\n"
    )
    rest = ("C play 9h", "A play 2h", "B play 3h")
    given(GAME, lines).when(*rest, "C play 4h").allows()
    given(GAME, lines).when(*rest, "A play 4h").opens("R8")
    case = given(GAME, lines).when("@ show <won:B 7h", *rest, "A play 4h").finds("R8", words="B drew the last card")
    assert case.judgement.state.hand.trump == "h"


# R9, beating
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["C play Ac", "A play 2c"], "2♣ does not beat A♣"),
        (["C play 3d", "A play As"], "A♠ does not beat 3♦"),
        (["C play Ac", "A draw Ac <trick", "B play 8h", "C play 7h"], "7♥ does not beat 8♥"),
        (["C play 3d", "A draw 3d <trick", "B play 2h", "C play Ac"], "A♣ does not beat 2♥"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R9_a_play_that_beats_nothing(acts: list[str], words: str) -> None:
    second(*acts).finds("R9", words=words)


def test_R9_all_that_lies_is_to_be_beaten() -> None:
    """A nine laid on an ace stands as played; B still has to beat the ace."""
    second("C play Ac", "A play 9c", "B play Kc").finds("R9", words="K♣ does not beat A♣")


def test_R9_kept() -> None:
    second("C play 3d", "A draw 3d <trick").allows()
    second("C play Ac", "A draw Ac <trick", "B play 5d", "C play 7h").allows()


def test_R9_picked_up_though_able_to_beat() -> None:
    second("C play 3d", "A draw 3d <trick", "B play 2d", "C draw 2d <trick").finds("R9", words="C could beat 2♦")


def test_R9_picked_up_though_able_proven_later() -> None:
    """The hands are hidden; a trump that A plays later was in the hand when A took up the three."""
    case = second("C play 3d", "A draw 3d <trick", hidden=True).opens("R9", at=LEAD + 1)
    case.when("B play Ad", "C play 7h", "A play 8h").finds("R9", at=LEAD + 1, known=LEAD + 4, words="A could beat 3♦")
    case.when("B play Ad", "C play 7h", "A play 8h").allows()


def test_R9_by_counting() -> None:
    """All cards but A's were seen, so what is left is A's: nobody has to see them."""
    deal = f"A=25x?? B={HANDS.split('B=')[1]}"
    given(
        GAME, f"C hand 1\n@ deal {deal}\n@ deal down stock=7h\n{TRICK}C draw up 7h\n",
    ).when("C play 3d", "A draw 3d <trick").allows()
    given(GAME, f"C hand 1\n@ deal {deal}\n@ deal down stock=7h\n{TRICK}C draw up 7h\n").when(
        "C play 3d", "A draw 3d <trick", "B play Kc", "C draw Kc <trick"
    ).finds("R9")


def test_R9_voluntary_pickup_by_a_house_rule() -> None:
    acts = ("C play 3d", "A draw 3d <trick", "B play 2d", "C draw 2d <trick")
    second(*acts, voluntary_pickup="yes").allows()


def test_R9_open_on_a_card_nobody_saw() -> None:
    second("C play ??", "A draw ?? <trick", hidden=True).opens("R9")
    second("C play ??", "A play 9c", hidden=True).opens("R9")


def test_R9_a_card_half_seen_is_beaten_by_what_beats_all_it_may_be() -> None:
    """Whichever club it was, any trump beats it, and no diamond does."""
    second("C play ?c", "A draw ?c <trick", "B play Ad", "C play ?h", hidden=True).allows()
    second("C play ?c", "A play 2d", hidden=True).finds("R9", words="does not beat")
    second("C play 3d??", "A play 2d", hidden=True).finds("R9", words="2♦ does not beat")


# R10, sequences
@pytest.mark.parametrize("cards", ["3d4d", "4d3d"])
def test_R10_kept(cards: str) -> None:
    second(f"C play {cards}").allows()


@pytest.mark.parametrize("cards", ["5d7d", "5d6h", "AdKc", "Ad2d", "QdAd"])
def test_R10_broken(cards: str) -> None:
    second("C play 3d", "A draw 3d <trick", f"B play {cards}").finds("R10")


def test_R10_open() -> None:
    second("C play 3d??", hidden=True).opens("R10")


def test_R10_only_rank_counts_not_length() -> None:
    """A single card beats a sequence, and a sequence a single card."""
    second("C play 3d4d", "A draw 3d4d <trick", "B play 5d6d", "C play 7h").allows()
    second("C play Ac", "A draw Ac <trick", "B play 2d", "C play 3d4d").allows()


# R11, the lowest play
def test_R11_kept() -> None:
    case = second("C play 3d", "A draw 3d <trick").allows()
    assert "3d" in held(case, "A")


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["C play 3d4d", "A draw 3d <trick"], "3♦ 4♦ is the lowest play"),
        (["C play 3d", "A play As", "B draw As <trick"], "3♦ is the lowest play"),
        (["C play 3d", "A play As", "B draw 3dAs <trick"], "3♦ is the lowest play"),
        (["C draw ?? <trick"], "the table is empty"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R11_broken(acts: list[str], words: str) -> None:
    second(*acts).finds("R11", words=words)


def test_R11_what_was_taken_was_taken() -> None:
    """Half a sequence taken up: the other half goes on lying there."""
    state = second("C play 3d4d", "A draw 4d <trick").judgement.state
    assert [PAGE.pack.tokens[c] for p in state.hand.lying for c in p.codes] == ["3d"]
    assert state.turn == ("B",)


def test_R11_a_play_taken_up_is_gone_from_the_table() -> None:
    """If this failed, the next player would have to take up a play of no cards."""
    state = second("C play 3d", "A play As", "B draw 3d <trick").judgement.state
    assert [[PAGE.pack.tokens[c] for c in p.codes] for p in state.hand.lying] == [["As"]]


def test_R11_an_emptied_table_is_led_to_by_the_next_player() -> None:
    state = second("C play 3d", "A draw 3d <trick").judgement.state
    assert (state.phase, state.turn) == ("leading", ("B",))


# R12, turns and full tricks
def test_R12_broken() -> None:
    second("C play 3d", "B play 5d").finds("R12", words="turn of A")
    second("C play 3d", "A draw 3d <trick", "C play 4d").finds("R12", words="B leads")


def test_R12_the_last_to_play_leads() -> None:
    case = second("C play 3d", "A play As", "B play 5d")
    state = case.judgement.state
    assert (state.phase, state.turn, len(state.table.row("dead"))) == ("leading", ("B",), 3)
    assert PAGE.pack.cards(state.table.row("dead").certain) == ["3d", "5d", "As"]


def test_R12_open_once_the_order_of_play_was_broken() -> None:
    """An act may be missing from the record, and then whoever acts next is in turn; nobody is accused of what
    follows."""
    second("C play 3d", "B play 5d", "A play As").opens("R12")


def test_R12_a_trick_of_three_may_need_four_turns() -> None:
    """A takes the three up, so only two plays lie when it is A's turn again."""
    state = second("C play 3d4d", "A play As", "B play 2h").judgement.state
    assert state.phase == "leading"
    state = second("C play Ac", "A draw Ac <trick", "B play Ad", "C play 7h", "A draw Ad <trick").judgement.state
    assert (state.phase, state.turn, len(state.hand.lying)) == ("shedding", ("B",), 1)


# R13, going out
def test_R13_who_plays_the_last_card_is_out_and_the_trick_keeps_its_size() -> None:
    acts = (
        "C play 3d4d", "A draw 3d4d <trick", "B play 2d", "C play 7h", "A draw 2d <trick", "B draw 7h <trick",
        "C play Ac",
    )
    state = second(*acts).judgement.state
    assert (state.hand.out, state.hand.live, state.hand.size, state.turn) == (["C"], ["A", "B"], 3, ("A",))
    state = second(*acts, "A draw Ac <trick", "B play 5d").judgement.state
    assert (state.hand.size, state.turn) == (2, ("A",))
    second(*acts, "A draw Ac <trick", "C draw ?? <trick").finds("R12", words="C has gone out")


def test_R13_the_game_ends_with_the_last_card_but_one() -> None:
    """Two cards against one: whoever plays the last card first is safe, and the other is the mattis."""
    rest = "".join(c for c in PAGE.pack.faces if c not in ("2d", "7h", "3d"))
    lines = (
        f"C hand 1\n@ deal A={rest} B=2d C=3d\n@ deal down stock=7h\nA play Ad\nB play 2d\nC play 3d\nB draw up 7h\n"
    )
    case = given(GAME, lines).when("B play 7h", "C draw 7h <trick", "A play 2c", "C play 7h")
    state = case.judgement.state
    assert (state.hand.mattis, state.hand.out, state.settled) == ("A", ["B", "C"], True)
    case.scores(A=1, B=0, C=0)
    case.when("@ tally mattis=A out=B,C").allows()
    case.when("@ tally mattis=B").finds("T12", words="mattis is A, not B")
    case.when("@ tally out=C,B").finds("T12", words="out is B …, not C,B")


@pytest.mark.parametrize("facts", ["mattis=A out=B,A", "out=B,B"])
def test_R13_a_tally_that_cannot_be(facts: str) -> None:
    given(GAME, "C hand 1\n").when(f"@ tally {facts}").finds("R13")


def test_R13_said_to_be_out_with_cards_in_hand() -> None:
    second("C call out").finds("R13", words="C still has 4 cards")


def test_R13_a_blamattis_without_cards_is_still_in_the_game() -> None:
    """A is out and only B has cards; C has none, but takes up what B leads and can be left with it."""
    rest = "".join(c for c in PAGE.pack.faces if c not in ("2d", "3d", "Ah"))
    lines = (
        f"C hand 1\n@ deal A=2d B={rest} C=3d\n@ deal down stock=Ah\n"
        "A play 2d\nB play 9d\nC play 3d\nA draw up Ah\n"
    )
    state = given(GAME, lines, option={"draw_order": "free"}).when(
        "A play Ah", "B draw Ah <trick", "B play 2c",
    ).judgement.state
    assert (state.settled, state.hand.mattis, state.turn) == (False, "", ("C",))


# Scoring, the match, the sheet
def test_one_stroke_for_the_mattis_from_a_tally_alone() -> None:
    case = given(GAME, "D hand 1\n", Seats="A B C D").when("@ tally mattis=C out=A,D,B blamattis=C").clean()
    case.scores(A=0, B=0, C=1, D=0)
    given(GAME, "C hand 1\n").when("@ tally out=C,A").scores(A=0, B=1, C=0)


def test_so_many_games_make_a_match_and_nobody_wins_it() -> None:
    case = given(GAME, "C hand 1\n@ tally mattis=A\nA hand 2\n", option={"games": 2}).when("@ tally mattis=B")
    case.totals(A=1, B=1, C=0)
    state = case.judgement.state
    assert (state.ended, state.standing.winner, state.standing.hat) == ("won", "", "B")


def test_a_void_game_is_no_game() -> None:
    case = given(GAME, HIDDEN, option={"games": 1}).when("@ end hand misdeal")
    assert not case.judgement.state.ended
    assert case.judgement.state.game.dealing.next_dealer(case.judgement.state) == "C"


@pytest.mark.parametrize(("rule", "dealer"), [("left", "A"), ("mattis", "B")])
def test_who_deals_next(rule: str, dealer: str) -> None:
    state = given(GAME, "C hand 1\n", option={"next_deal": rule}).when("@ tally mattis=B").judgement.state
    assert PAGE.dealing.next_dealer(state) == dealer


def test_a_game_left_open_asks_who_had_cards() -> None:
    state = given(GAME, FIRST).judgement.state
    ((question, ways),) = open_questions(state)
    assert "left with cards" in question
    assert ways == {s: {"mattis": s} for s in "ABC"}


def test_a_ruling_names_another_mattis() -> None:
    state = given(GAME, "C hand 1\n").when("@ tally mattis=B").judgement.state
    state.transfers = [{"mattis": "C"}]
    assert PAGE.score(state).points == {"A": 0, "B": 0, "C": 1}


def test_the_sheet_shows_order_strokes_and_hat() -> None:
    case = given(GAME, "C hand 1\n", A="Kari", B="Ola", C="Ingrid").when("@ tally mattis=B out=C,A blamattis=C trump=h")
    sheet = sheet_of(case.records)
    row = sheet.blocks[0].rows[0]
    assert [c.text for c in row.cells] == ["1", "Ingrid", "♥", "Ingrid, Kari", "Ola", "0", "1", "0"]
    assert ("The hat", "Ola") in sheet.facts
    assert "Ingrid was blåmattis" in row.notes


# Gaps
def test_a_gap_in_the_first_half_and_who_made_trumps() -> None:
    """Nobody knows who holds what; the game is followed all the same, and the table says who is out."""
    case = given(GAME, FIRST).when("@ gap", "B play 9c").allows()
    case = given(GAME, FIRST).when("@ gap", "B name s", "B play 6c7c8c", "C draw 6c7c8c <trick").allows()
    state = case.judgement.state
    assert (state.hand.maker, state.hand.trump, set(state.turn)) == ("B", "s", {"A", "B", "C"})
    case.opens("R9")
    # The name may have come too early, and then the first half goes on.
    assert not case.when("B draw ??", "C play 3d <stock", "A play 2h").judgement.broken
    done = case.when("A play 9d", "A call out", "B draw 9d <trick", "B call out").judgement.state
    assert (done.hand.mattis, done.settled) == ("C", True)


def test_a_gap_in_the_second_half() -> None:
    case = second("C play 3d", "@ gap", "B play 9d", "A draw 9d <trick").allows()
    assert set(case.judgement.state.turn) == {"A", "B", "C"}


# Who sees what
def test_onlookers_see_plays_pick_ups_and_the_last_card() -> None:
    log = simulate(GAME, seed=3, hands=1)
    for r, h in zip(log, hide(log), strict=True):
        event = r.event
        if isinstance(event, Play) or (isinstance(event, Draw) and (event.src == "trick" or event.face == "up")):
            assert h.event == event
        elif isinstance(event, Draw):
            assert h.event.cards == ("??",)
    assert judge(hide(log)).broken == []


# Typing at the table
def typed(*lines: str, setup: str = FIRST, **tags: str) -> list[str]:
    """The acts that these lines mean, one after the other."""
    session = Session(given(GAME, setup, **tags).records)
    out: list[str] = []
    for line in lines:
        n = len(session.records)
        drafts = session.complete(line).events
        session.take([Recorded(n=n + i, event=d.event) for i, d in enumerate(drafts)])
        out += [write_event(d.event) for d in drafts]
    return out


def test_a_trick_on_one_line_draws_left_out() -> None:
    assert typed("2c 9d 3h", "tc kh ad") == [
        "A play 2c", "B play 9d", "C play 3h", "B play Tc", "C play Kh", "A play Ad",
    ]


def test_a_card_from_the_stock() -> None:
    assert typed("blind kc", "B blind 5d") == ["A play Kc <stock", "B play 5d <stock"]


def test_the_last_card_is_drawn_openly() -> None:
    assert typed("C d 7h", setup=OPEN.replace("C draw up 7h\n", "").replace("7h", "??")) == ["C draw up 7h"]


def test_a_point_picks_up_and_a_rank_answers_the_suit() -> None:
    assert typed("3d4d", ".", setup=OPEN) == ["C play 3d4d", "A draw 3d4d <trick"]
    assert typed("3d", ".", "5d", "d x", setup=OPEN) == [
        "C play 3d", "A draw 3d <trick", "B play 5d", "C draw 5d <trick",
    ]
    assert typed("ac", "k", setup=OPEN.replace(HANDS, "A=25x?? B=25x?? C=??")) == ["C play Ac", "A play Kc"]


def test_the_acts_listed_are_those_a_player_has() -> None:
    acts = {write_event(a) for a in legal(second("C play 3d").judgement.state).acts}
    assert acts == {"A draw 3d <trick"}
    acts = {write_event(a) for a in legal(second().judgement.state).acts}
    assert acts == {"C play 3d", "C play 4d", "C play 3d4d", "C play Ac", "C play 7h"}


def test_the_evening_at_the_cabin() -> None:
    """The example: one pick-up is proven seven events later, and one stroke of the table's tally is wrong."""
    path = Path(__file__).resolve().parents[2] / "examples" / "mattis-evening.kib"
    records = read_bytes(path.read_bytes()).records
    assert audit(records, hand=1).broken[0].middle == "trick: A Q♥ K♥ (59), C 5♣ 6♣ (60)"
    ((at, known),) = [
        (f.at.pos, f.known_from.pos) for f in judge(records).broken if f.rule == "mattis.R9" and f.known_from
    ]
    assert (at, known) == (61, 68)
    score = score_match(records)
    assert score.totals == {"A": 0, "B": 1, "C": 0, "D": 1}
    assert [(c.at, c.who) for c in claim_differences(score)] == [(206, "C")]


# Cards seen by half, cards nobody counted, and what goes unwritten
@pytest.mark.parametrize("kind", ["half", "uncounted"])
@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_accused_because_less_was_seen(kind: str, seed: int) -> None:
    """If this failed, a card that was not wholly seen, or cards nobody counted, would be taken for a breach."""
    rng = Random(f"{kind}/{seed}")

    def blurred(cards: tuple[str, ...]) -> tuple[str, ...]:
        if kind == "uncounted":
            return ("*x??",) if cards != ("*",) and rng.random() < 0.1 else cards
        return squeeze(
            rng.choice((c[0] + "?", "?" + c[1], "??")) if c in PACK.unit_of and rng.random() < 0.15 else c
            for c in cards
        )

    for log in (simulate(GAME, seed=seed, hands=1), hide(simulate(GAME, seed=seed, hands=1))):
        records = [
            replace(r, event=replace(r.event, cards=blurred(r.event.cards))) if isinstance(r.event, Play | Draw) else r
            for r in log
        ]
        assert [(f.at.pos, f.rule, f.text) for f in judge(records).broken] == []


@pytest.mark.parametrize(
    ("card", "tie", "leads"),
    [("??", "A", "B"), ("?d", "A", "B"), ("8?", "", "B"), ("T?", "", "A")],
)
def test_R4_a_card_that_may_have_tied(card: str, tie: str, leads: str) -> None:
    """Whoever plays next may break the tie, or lead after draws nobody wrote; if this failed, one of the two would
    be taken for granted."""
    case = given(GAME, HIDDEN).when(f"A play {card}", "B play 9c", "C play 5d")
    assert case.judgement.state.hand.may_tie == tuple(tie)
    # By who leads it is told that there was no tie.
    assert case.when(f"{leads} play 2c").clean().judgement.state.hand.gap is (leads in tie)
    if tie:
        after = case.when("A play 7h", "B play 8h", "B draw ??", "C draw ??", "A draw ??").clean()
        assert after.judgement.state.hand.gap


@pytest.mark.parametrize("act", ["B play 6d7d", "B draw 4d <trick"])
def test_R7_an_act_of_the_second_half_shows_that_the_first_is_over(act: str) -> None:
    """After a gap the record may lack how the first half ended: a sequence, or a card taken up, belongs to the
    second."""
    case = given(GAME, HIDDEN).when("A play 4d", "@ gap", "A play 4d", act).clean()
    assert case.judgement.state.phase in ("leading", "shedding")
    # With the stock still there it has not begun.
    given(GAME, HIDDEN).when("A play 4d", act).finds("R1" if "play" in act else "R5")


@pytest.mark.parametrize(("written", "left"), [("?d", "8d"), ("6d", "8d"), ("8d", "6d"), ("??", "8d"), ("*", "")])
def test_R11_which_play_is_taken_up(written: str, left: str) -> None:
    """A card seen by half is the one that has lain longest, unless it cannot be."""
    plays = [LaidPlay("A", (PACK.code["6d"],)), LaidPlay("B", (PACK.code["8d"],))]
    codes = [PACK.code[written]] if written != "*" else [PACK.code["6d"], PACK.code["8d"]]
    take_play(plays, codes, PACK)
    assert [PACK.faces[c] for p in plays for c in p.codes] == ([left] if left else [])


def test_R11_a_whole_play_is_taken_before_single_cards_of_several() -> None:
    plays = [
        LaidPlay("A", tuple(PACK.code[c] for c in ("9c",))),
        LaidPlay("B", tuple(PACK.code[c] for c in ("8s", "9s", "Ts"))),
    ]
    taken = take_play(plays, [PACK.code[c] for c in ("8s", "9?", "Ts")], PACK)
    assert [PACK.faces[c] for c in taken if c is not None] == ["8s", "9s", "Ts"]
    assert [p.codes for p in plays if p.codes] == [(PACK.code["9c"],)]


def test_R11_a_card_that_is_written_in_two_plays_lies_in_one_place() -> None:
    """If this failed, a card typed wrong would be in a hand and on the table at once, and both be counted."""
    case = second("C play 3d4d", "B play 4d5d", "A draw 4d5d <trick")
    for further in (case, case.when("B draw 3d <trick")):
        table = further.judgement.state.table
        assert "4d" in held(further, "A")
        assert "4d" not in [PACK.tokens[c] for c in table.piles["trick"].codes()]
        assert sum(pile.certain for pile in table.piles.values()) == table.located


@pytest.mark.parametrize("seed", [20, 21, 27, 30, 56])
def test_R4_R7_an_unseen_card_of_the_last_trick_comes_back_to_whoever_can_have_it(seed: int) -> None:
    """If this failed, the cards of the last trick, or of a tie that ended the first half, would be at another player,
    and the one who plays them would have cards that are not there."""
    log, half = simulate(GAME, seed=seed, hands=1), 0
    state = begin(log[0].event.facts)
    for r in log[1:]:
        state.at = state.table.now = r.n
        evolve(state, r.event)
        half = half or r.n * second_half(state)
    last = [r.n for r in log if isinstance(r.event, Play) and half - 8 < r.n <= half]
    assert len(last) > 4
    for n in last:
        assert judge([replace(r, event=put_down_unseen(r.event)) if r.n == n else r for r in log]).broken == []


def test_R4_a_card_that_may_have_been_taken_up_again_is_not_named_by_elimination() -> None:
    """If this failed, the J♠ that B lays in the second half would be one that B held back, and not the one that nobody
    saw: the trick that B won with it would be A's."""
    log = a_match(GAME, 101, True, 110)[0]
    assert write_event(log[89].event) == "B play Js"
    assert "Js" in cards_in(log[99].event)
    case = judge([replace(r, event=put_down_unseen(r.event)) if r.n == 89 else r for r in log])
    assert case.broken == []
    assert case.inferred == {}
