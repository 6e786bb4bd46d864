"""Calabrasella, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from random import Random

import pytest
from given import Given, given
from msgspec.structs import replace
from referees.calabrasella import Referee
from sampling import seeds

from events.model import Bid, Deal, Discard, Draw, Move, Name, Recorded, Show
from events.writing import write_event
from reducers.games.calabrasella import PACK, PLAIN
from reducers.registry import find_game
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.example import open_deals
from replay.table.session import Session
from replay.table.wording import describe_event

# C deals, B plays alone. The three of diamonds is A's, that of hearts C's, that of spades lies in the widow.
A = "3dKdQdJd7dAhKhQhAsKsQsJs"
B = "3c2cAcKcQcJc7c6c2h2s5c2d"
C = "3hJh7h6h5h4hAd6d5d4d7s6s"
WIDOW = "3s5s4s4c"
HAND = f"C hand 1\n@ deal A={A} B={B} C={C}\n@ deal down widow={WIDOW}\n"
HIDDEN = "C hand 1\n@ deal A=12x?? B=12x?? C=12x??\n@ deal down widow=4x??\n"
PLAYS = "A pass\nB bid play\n"
NAMED = PLAYS + "B name 3d\n"
GIVEN = NAMED + "A move 3d >B\nB move 5c >A\n"
THROWN = GIVEN + "B discard 6c7c\n"
TAKEN = THROWN + f"@ show {WIDOW} <widow\nB draw 3s4c <widow\n"
# The first tricks as they are played after that.
TRICKS = "Jh Ah 2h/Kh 2s 7h"


def case(lines: str, hidden: bool = False, **tags: object) -> Given:
    return given("calabrasella", (HIDDEN if hidden else HAND) + lines, **tags)


def played_on(tricks: str) -> str:
    """These cards in order, from C; each trick is led by whoever won the one before."""
    seats, power, lines = ["C", "A", "B"], PLAIN.strength(PACK), list[str]()
    for trick in tricks.split("/"):
        cards = trick.split()
        lines += [f"{seat} play {card}" for seat, card in zip(seats, cards, strict=False)]
        best = max((c for c in cards if c[1] == cards[0][1]), key=lambda c: power[PACK.code[c]])
        i = cards.index(best)
        seats = seats[i:] + seats[:i]
    return "\n".join(lines)


# R1, the deal
def test_R1_twelve_each_and_four_for_the_widow() -> None:
    assert PACK.size == 40
    case("").clean()
    given("calabrasella", "C hand 1").when("@ deal A=13x??").finds("R1")
    given("calabrasella", "C hand 1").when("@ deal down widow=5x??").finds("R1")
    given("calabrasella", "C hand 1").when("@ deal stock=2x??").finds("R1")
    case("", hidden=True).when("A play 8c").finds("T1")


def test_R7_a_card_that_changes_hands_is_judged_as_the_first_act_of_a_record() -> None:
    for before in ("", "C hand 1\n", HAND):
        given("calabrasella", before).when("A move 3d >B").finds("R7")


# R2, the bidding
def test_R2_each_speaks_in_turn() -> None:
    case("").when("A pass").allows()
    case("A pass\n").when("B pass", "C bid play").clean()
    case("A pass\n").when("A bid play").finds("R2", words="A has called already")


def test_R2_a_pass_that_nobody_wrote() -> None:
    case("").when("B bid play").opens("R2")
    state = fold(case("").when("B bid play").records)
    assert (state.hand.declarer, state.phase, state.turn) == ("B", "naming", ("B",))
    case("B bid play\n").when("A pass").finds("T6")


def test_R2_nobody_speaks_after_the_play() -> None:
    case(PLAYS).when("C pass").finds("T6")
    case(PLAYS).when("C bid play").finds("T6")


@pytest.mark.parametrize("bid", ["7", "2no", "play"])
def test_R2_there_is_one_bid(bid: str) -> None:
    bids = case("A pass\n").when(f"B bid {bid}")
    bids.allows() if bid == "play" else bids.finds("R2", words="bids to play")


# R3, three passes
def test_R3_three_passes_make_the_hand_void_and_the_next_deals() -> None:
    passed = case("A pass\nB pass\nC pass\n").clean()
    state = fold(passed.records)
    assert (state.scores[0].result, dict(state.standing.totals)) == ("all-pass", {"A": 0, "B": 0, "C": 0})
    passed.when("A hand 2").clean()
    passed.when("B hand 2").finds("R3", words="A deals next")


def test_R3_after_a_hand_that_was_played_the_text_does_not_say_who_deals() -> None:
    given("calabrasella", "C hand 1\n@ tally declarer=B points=20 defenders=15").when("B hand 2").clean()


# R4, the card that is named
@pytest.mark.parametrize("card", ["3d", "3h", "3s"])
def test_R4_a_missing_three(card: str) -> None:
    case(PLAYS).when(f"B name {card}").clean()


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("3c", "holds the 3♣"), ("2d", "does not hold all four threes"), ("Ad", "a three is named"),
        ("c", "a three is named"),
    ]
)
def test_R4_anything_else(card: str, words: str) -> None:
    case(PLAYS).when(f"B name {card}").finds("R4", words=words)


FOUR_THREES = HAND.replace(A, A.replace("3d", "2c").replace("As", "5c")).replace(B, "3c3d3h3sAcKcQcJc7c6c2h2s").replace(
    C, C.replace("3h", "2d")).replace(WIDOW, "As5s4s4c")  # fmt: skip


def test_R4_a_two_with_all_four_threes() -> None:
    four = given("calabrasella", FOUR_THREES + PLAYS)
    four.when("B name 2d").clean()
    four.when("B name 2h").finds("R4", words="B holds the 2♥")
    four.when("B name 3h").finds("R4", words="B holds the 3♥")


def test_R4_with_all_threes_and_twos_nothing_is_named() -> None:
    eight = FOUR_THREES.replace(
        "3c3d3h3sAcKcQcJc7c6c2h2s", "3c3d3h3s2c2d2h2s7c6cQcJc",
    ).replace("2cKdQd", "AcKdQd").replace("2dJh7h", "KcJh7h")
    case_of = given("calabrasella", eight + PLAYS)
    case_of.when("B discard 6c").clean()
    assert case_of.when("B discard 6c").judgement.open == []
    case(PLAYS).when("B discard 6c").opens("R4")


def test_R4_once_and_by_the_declarer() -> None:
    case(PLAYS).when("A name 3h").finds("R4", words="B plays alone")
    case(NAMED).when("B name 3h").finds("R4", words="was named already")


def test_R4_hidden_it_is_open_until_the_card_is_seen_elsewhere() -> None:
    case(PLAYS, hidden=True).when("B name 3d").opens("R4")
    shown = case(NAMED, hidden=True).when("A move 3d >B", "B move ?? >A", "B discard 2x??")
    assert shown.about(6) == []
    # Nobody wrote an exchange: the declarer may have had the card, or nobody wrote it.
    bare = NAMED + f"B discard 2x??\n@ show {WIDOW} <widow\nB draw 3s4c <widow\nC play Jh\nA play Ah\n"
    case(bare, hidden=True).when("B play 3d").opens("R4", at=6)


def test_R4_a_two_is_open_until_a_three_is_seen_elsewhere() -> None:
    named = PLAYS + "B name 2d\nA move 2d >B\nB move ?? >A\nB discard ??\n"
    case(named, hidden=True).when("@ show As5s4s4c <widow").opens("R4", at=6)
    case(named, hidden=True).when(f"@ show {WIDOW} <widow").finds(
        "R4", at=6, known=10, words="does not hold all four threes",
    )
    drawn = named + "@ show As5s4s4c <widow\nB draw 4c <widow\n"
    case(drawn, hidden=True).when("C play 3h").finds("R4", at=6, known=12)
    # A may have been given its three for the card that was named.
    case(drawn + "C play 4h\n", hidden=True).when("A play 3h").opens("R4", at=6)


def test_R4_a_card_named_shows_who_plays() -> None:
    state = fold(case("A pass\nB name 3d\n").records)
    assert (state.hand.declarer, state.turn) == ("B", ("A",))
    assert case("A pass\nB name 3d\n").judgement.broken == []


# R5, handing it over
def test_R5_the_holder_hands_it_over() -> None:
    case(NAMED).when("A move 3d >B").clean()
    case(NAMED).when("A move Kd >B").finds("R5", words="has named the 3♦")
    case(NAMED).when("A move 3d >C").finds("R5", words="B gets the 3♦ first")
    case(NAMED).when("B move 5c >A").finds("R5", words="B gets the 3♦ first")
    case(NAMED).when("A move 3dKd >B").finds("R5")


def test_R5_whoever_holds_it_does_not_keep_it() -> None:
    kept = case(NAMED).when("B discard 6c").finds("R5", words="A holds the 3♦")
    assert [(f.by, f.holder) for f in kept.judgement.broken] == [("A", "A")]


def test_R5_hidden_until_the_card_is_played() -> None:
    kept = case(NAMED + "B discard 2x??\nB draw 2x?? <widow\nC play Ad\n", hidden=True)
    kept.opens("R5", at=7)
    kept.when("A play 3d").finds("R5", at=7, known=10)
    kept.when("A play Kd", "B play 3d").allows(at=7)


def test_R5_the_card_is_known_though_its_line_says_nothing() -> None:
    state = fold(case(NAMED + "A move ?? >B\n", hidden=True).records)
    assert PACK.cards(state.holding("B").certain) == ["3d"]


# R6, the card that is given back
def test_R6_one_other_card() -> None:
    handed = case(NAMED + "A move 3d >B\n")
    handed.when("B move 5c >A").clean()
    handed.when("B move 3d >A").finds("R6", words="another card")
    handed.when("B move 5c6c >A").finds("R6", words="one card")
    handed.when("B move 5c >C").finds("R6", words="B gives A a card")
    handed.when("A move Kd >B").finds("R6")
    handed.when("B discard 5c").opens("R6")


def test_R6_hidden_until_the_declarer_plays_the_card() -> None:
    back = case(NAMED + "A move 3d >B\nB move ?? >A\nB discard ??\nB draw 4c <widow\nC play Ad\n", hidden=True)
    back.opens("R6", at=8)
    assert back.when("A play Kd", "B play 3d").about(8) == []
    back.when("A play 3d").opens("R6", at=8)


@pytest.mark.parametrize(("seed", "known"), [(102, 41), (104, 42)])
def test_R6_the_card_called_is_shown_by_whoever_gave_it(seed: int, known: int) -> None:
    """If this failed, a card that came back unseen would be taken for any other, though its first holder plays it
    later."""
    broken = [
        f for f in judge(hide(simulate_breaches("calabrasella", seed=seed, p=0.15, hands=2)[0])).broken
        if f.rule == "calabrasella.R6"
    ]
    assert [(f.at.pos, f.known_from and f.known_from.pos) for f in broken] == [(7, known)]


# R7, no other exchange
def test_R7_nothing_else_changes_hands() -> None:
    case(PLAYS + "B name 3s\n").when("B discard 6c").clean()
    case(PLAYS + "B name 3s\n").when("A move 3d >B").finds("R7")
    case(GIVEN).when("C move 3h >B").finds("R7", words="no card is passed now")
    case(TAKEN).when("A move Kd >C").finds("R7")


# R8, the discard
@pytest.mark.parametrize(
    ("cards", "fair"),
    [
        ("6c", True), ("6c7c", True), ("6c7cKcQc", True), ("6c7cKcQcJc", False), ("3d", True), ("4x??", True),
        ("5x??", False),
    ]
)
def test_R8_one_to_four_cards(cards: str, fair: bool) -> None:
    thrown = case(GIVEN).when(f"B discard {cards}")
    thrown.clean() if fair else thrown.finds("R8", words="1 to 4")


def test_R8_the_declarer_and_in_time() -> None:
    case(GIVEN).when("A discard Kd").finds("R8", words="B plays alone")
    case(GIVEN + "B discard 6c\n").when("B discard 7c").clean()
    case(GIVEN + "B discard 6c7c\n").when("B discard KcQcJc").finds("R8")
    case(TAKEN.replace("3s4c", "3s")).when("B discard Kc").finds("R8", words="turned up already")


def test_R8_the_widow_is_not_turned_before() -> None:
    early = case(GIVEN).when(f"@ show {WIDOW} <widow").opens("R8")
    early.when("B discard 6c7c").finds("R8", words="turned up already")
    case(THROWN).when(f"@ show {WIDOW} <widow").clean()


# R9, the widow
def test_R9_as_many_as_were_discarded() -> None:
    case(THROWN).when("B draw 3s4c <widow").clean()
    case(THROWN).when("B draw 3s <widow", "B draw 4c <widow").clean()
    case(THROWN).when("B draw 3s4c5s <widow").finds("R9", words="3 cards are taken, and 2")
    case(THROWN).when("B draw 3s <widow", "B draw 4c5s <widow").finds("R9", words="3 cards are taken, and 2")
    case(THROWN).when("A draw 3s4c <widow").finds("R9", words="B plays alone")


def test_R9_all_of_the_widow_is_four_cards() -> None:
    case(THROWN).when("B draw * <widow").finds("R9", words="4 cards are taken, and 2")
    four = THROWN.replace("6c7c", "6c7cKcQc")
    for hidden in (False, True):
        assert case(four, hidden).when("B draw * <widow").about() == []
        assert fold(case(four, hidden).when("B draw * <widow").records).phase == "play"
    case(four).when("B draw 3s <widow", "B draw * <widow").clean()


def test_R9_only_from_the_widow() -> None:
    case(THROWN).when("B draw 6c7c <discard:B").finds("R9", words="from the widow only")
    case(THROWN).when("B draw KdQd <widow").finds("T4")


def test_R9_uncounted_discards_leave_it_open() -> None:
    case(GIVEN + "B discard *x??\n", hidden=True).when("B draw 3s4c <widow").opens("R9")


def test_what_nobody_wrote_of_the_exchange_accuses_nobody() -> None:
    for lines in ("", "B bid play\n", NAMED, NAMED + "A move 3d >B\n", GIVEN, THROWN, GIVEN + "B draw 3s4c <widow\n"):
        rest = case(lines, hidden=True).when(*played_on(TRICKS).splitlines()[:6])
        assert rest.judgement.broken == [], lines
        assert fold(rest.records).phase == "play"


def all_tricks(*hands: str) -> list[str]:
    """Twelve tricks from C on: each leads the first card, and plays the first of the suit led if there is one."""
    held = {seat: [cards[i : i + 2] for i in range(0, 24, 2)] for seat, cards in zip("ABC", hands, strict=True)}
    power, leads, lines = PLAIN.strength(PACK), "C", list[str]()
    for _ in range(12):
        order = "ABCAB"["ABC".index(leads) :][:3]
        suit, played = held[leads][0][1], dict[str, str]()
        for seat in order:
            played[seat] = next((card for card in held[seat] if card[1] == suit), held[seat][0])
            held[seat].remove(played[seat])
        lines += [f"{seat} play {card}" for seat, card in played.items()]
        leads = max((s for s in order if played[s][1] == suit), key=lambda s: power[PACK.code[played[s]]])
    return lines


@pytest.mark.parametrize("unseen", ["", A, B, WIDOW])
def test_R8_whoever_plays_no_card_of_the_widow_has_not_discarded(unseen: str) -> None:
    """Three of the four places tell of the fourth; with the widow taken, or one card of the declarer unseen, nothing
    is certain."""
    dealt = HAND.replace(unseen or "-", f"{len(unseen) // 2}x??")
    for seen, cards in ((True, B.replace("5c", "3d")), (False, B.replace("5c", "3d").replace("6c", "3s"))):
        tricks = all_tricks(A.replace("3d", "5c"), cards, C)
        after = given("calabrasella", dealt + GIVEN).when(*tricks)
        if seen:
            after.finds(
                "R8", at=9, known=9 + max(i for i, line in enumerate(tricks) if line[0] == "B"),
                words="no card of the widow",
            )
            assert {f.rule for f in after.judgement.findings} == {"calabrasella.R8"}
            one = tricks.index(f"B play {cards[:2]}")
            given("calabrasella", dealt + GIVEN).when(
                *tricks[:one], "B play ??", *tricks[one + 1 :],
            ).clean().opens("R8", at=9)
        else:
            assert [f.rule for f in after.clean().about(at=9)] == ["calabrasella.R8"] * (unseen == WIDOW)


def test_R4_whoever_plays_the_own_cards_has_named_none_if_none_lies_in_the_widow() -> None:
    other, widow = B.replace("2c", "3s"), WIDOW.replace("3s", "2c")
    dealt, tricks = HAND.replace(B, other).replace(WIDOW, widow) + PLAYS, all_tricks(A, other, C)
    given("calabrasella", dealt).when(*tricks).finds("R4", at=6, words="none came from the defenders").finds("R8", at=6)
    given("calabrasella", HAND + PLAYS).when(*all_tricks(A, B, C)).opens("R4", at=6)


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_whichever_lines_of_the_exchange_went_unwritten_nobody_is_accused(seed: int) -> None:
    chance, records = Random(seed), simulate("calabrasella", seed=seed, hands=1)
    unwritten = tuple(kind for kind in (Name, Move, Discard, Show, Draw) if chance.random() < 0.6)
    left = [r for r in records if not isinstance(r.event, unwritten)]
    findings = judge([replace(r, n=n) for n, r in enumerate(left)]).broken
    assert [(f.rule, f.text) for f in findings if not f.rule.startswith("table.")] == []


@pytest.mark.parametrize(("before", "act", "rules"), [
    ("A pass\n", "B discard 6c", "R2 R4"), ("A pass\n", "B draw 3s <widow", "R2 R4 R8"),
    (PLAYS, "C play Jh", "R4 R8"), (PLAYS, "B draw 3s <widow", "R4 R8"),
    (NAMED + "A move 3d >B\n", "C play Jh", "R6 R8"), (NAMED + "A move 3d >B\n", "B draw 3s <widow", "R6 R8"),
    (GIVEN, "C play Jh", "R8"), (GIVEN, "B draw 3s <widow", "R8"),
    (THROWN, "C play Jh", "R9"), (THROWN + "B draw 3s <widow\n", "C play Jh", "R9"),
])  # fmt: skip
def test_what_nobody_wrote_of_the_exchange_stays_open(before: str, act: str, rules: str) -> None:
    """Nobody may go on without a discard, nor with fewer cards than were discarded; a line may be missing all the
    same."""
    for hidden in (False, True):
        gone = case(before, hidden).when(act).clean()
        assert {f.rule for f in gone.about()} == {f"calabrasella.{rule}" for rule in rules.split()}
    if before == THROWN:
        assert case(TAKEN).when(act).about() == []


@pytest.mark.parametrize("act", ["C play Ad", "B draw 3s <widow"])
def test_R5_the_card_is_kept_though_nobody_wrote_the_discard(act: str) -> None:
    """If this failed, a defender could keep the three that was asked for, if only the discard went unwritten too."""
    case(NAMED).when(act).finds("R5", words="A holds the 3♦")
    rest = ["C play Ad"] * (act != "C play Ad")
    kept = case(NAMED, hidden=True).when(act, *rest).opens("R5", at=7)
    kept.when("A play 3d").finds("R5", at=7, known=8 + len(rest))
    kept.when("A play Kd", "B play 3d").allows(at=7)


def test_R5_the_declarer_gives_a_card_to_whoever_handed_it_over_unwritten() -> None:
    given_back = case(NAMED, hidden=True).when("B move ?? >A").opens("R5").clean()
    state = fold(given_back.records)
    assert (state.phase, state.hand.holder, state.inferred[-1][1]) == (
        "discarding", "A", "A handed over the 3♦ before this (not recorded)"
    )  # fmt: skip
    assert [len(state.holding(seat)) for seat in "ABC"] == [12, 12, 12]
    case(NAMED).when("B move 5c >C").finds("R5")


def test_R4_a_card_that_is_handed_over_was_named() -> None:
    for hidden in (False, True):
        handed = case(PLAYS, hidden).when("A move 3d >B").opens("R4").clean()
        assert (fold(handed.records).hand.named, fold(handed.records).phase) == ("3d", "returning")
        handed.when("B move 5c >A", "B discard 6c").clean()
    case(PLAYS).when("A move Kd >B").finds("R7")
    case(PLAYS).when("A move 3d >C").finds("R7")


def test_R4_a_card_that_is_handed_over_unseen_was_named_too() -> None:
    """If this failed, a recorder who heard no name would have the table accused of an exchange that the rules
    prescribe."""
    handed = case(PLAYS, hidden=True).when("A move ?? >B").opens("R4").clean()
    handed.when("B move ?? >A", "B discard 2x??").clean()
    handed.when("B move ?? >C").finds("R6", words="B gives A a card for the one named")
    handed.when("B move 2x?? >A").finds("R6", words="one card")
    handed.when("B discard ??").opens("R6")
    assert [len(fold(handed.when("B discard ??").records).holding(seat)) for seat in "ABC"] == [12, 11, 12]
    case(PLAYS, hidden=True).when("A move 2x?? >B").finds("R7")


def test_a_card_that_nobody_wrote_was_given_back() -> None:
    state = fold(case(NAMED + "A move 3d >B\nB discard ??\nB draw ?? <widow\n", hidden=True).records)
    assert [len(state.holding(seat)) for seat in "ABC"] == [12, 12, 12]
    assert any("gave A a card" in text for _, text in state.inferred)


@pytest.mark.parametrize(
    "before", ["", "A bid play\n", "A bid play\nA name 3d\n", "A bid play\nA name 3d\nB move 3d >A\n"],
)
def test_after_a_gap_nobody_is_accused_of_what_may_be_missing(before: str) -> None:
    rest = "@ gap\nA name 3d\nB move 3d >A\nA discard 2x??\nA draw QhQd <widow\nB play 4c\nC play 5c\nA play Kd"
    assert given("calabrasella", f"C hand 1\n{before}{rest}").judgement.broken == []


# R10, the first lead
def test_R10_the_declarers_left_leads() -> None:
    case(TAKEN).when("C play Jh").clean()
    case(TAKEN).when("A play Kd").finds("R10", words="C sits left of B")
    case(TAKEN).when("B play 3s").finds("R10")
    given(
        "calabrasella", HIDDEN + "A pass\nB pass\nC bid play\nC name 3d\nC discard ??\nC draw ?? <widow\n",
    ).when("A play Kd").allows()


def test_R10_open_if_nobody_wrote_who_plays() -> None:
    case("", hidden=True).when("A play Kd").opens("R10")


# R11, following suit
def test_R11_follow_suit() -> None:
    case(TAKEN + "C play Jh\n").when("A play Ah").clean()
    case(TAKEN + "C play Jh\n").when("A play Kd").finds("R11", words="hearts were led")
    case(TAKEN + "C play 4d\nA play 7d\n").when("B play Kc").finds("R11")


def test_R11_hidden_until_the_suit_comes_out() -> None:
    line = TAKEN + "C play Jh\nA play Kd\nB play 2h\nB play 3s\nC play 6s\n"
    case(
        line.replace("5c >A", "?? >A").replace("6c7c", "2x??"), hidden=True,
    ).when("A play Qs", "B play 2s", "C play 7s", "A play Ks", "B play 3c").opens("R11", at=13)
    case(line, hidden=True).when("A play Ah").finds("R11", at=13, known=17)


# R12, who wins
@pytest.mark.parametrize(
    ("cards", "winner"),
    [("2d 3d 4d", "A"), ("Ad 2d Kd", "A"), ("Kd Ad 4d", "A"), ("Jd Qd 4d", "A"), ("7d Jd 4d", "A"), ("4d As 3c", "C")],
)  # fmt: skip
def test_R12_who_wins(cards: str, winner: str) -> None:
    bare = PLAYS + "B name 3s\nB discard ??\nB draw ?? <widow\n"
    trick = case(bare, hidden=True).when(*(f"{s} play {c}" for s, c in zip("CAB", cards.split(), strict=True)))
    trick.when(f"@ move * <trick >won:{winner}").clean()
    trick.when("@ move * <trick >won:B").finds("R12")
    trick.when(f"{winner} play 5h").allows()
    trick.when("B play 5h").finds("R12", words=f"{winner} won the last trick")


def test_R12_the_defenders_have_their_tricks_together() -> None:
    trick = case(TAKEN + "C play Jh\nA play Ah\nB play 7h\n", hidden=True)
    trick.when("@ move * <trick >won:C").clean()
    state = fold(trick.when("@ move * <trick >won:C").records)
    assert state.turn == ("A",)


# R13, one card in turn
def test_R13_one_card_in_turn() -> None:
    case(TAKEN + "C play Jh\n").when("B play 2h").finds("R13", words="it is the turn of A")
    case(TAKEN).when("C play JhAd").finds("R13")


# R14 and R15, what a hand counts and what is paid
@pytest.mark.parametrize(
    ("told", "chips"),
    [
        ("declarer=B points=19 defenders=16", {"A": -3, "B": 6, "C": -3}),  # the first example of the text
        ("declarer=B points=11 defenders=24", {"A": 13, "B": -26, "C": 13}),  # and the second
        ("declarer=A points=35 defenders=0", {"A": 140, "B": -70, "C": -70}),
        ("declarer=C points=0 defenders=35", {"A": 70, "B": 70, "C": -140}),
        ("declarer=B points=33 defenders=0", {"A": -33, "B": 66, "C": -33}),
        ("declarer=B points=17 defenders=17", {"A": 0, "B": 0, "C": 0}),
        ("declarer=B points=17 aside=2", {"A": -1, "B": 2, "C": -1}),
        ("declarer=B defenders=16 aside=2", {"A": -1, "B": 2, "C": -1}),
        ("declarer=B points=35", {"A": -70, "B": 140, "C": -70}),
        ("declarer=B defenders=35", {"A": 70, "B": -140, "C": 70}),
        ("declarer=B defenders=16", {"A": None, "B": None, "C": None}),
        ("void=all-pass", {"A": 0, "B": 0, "C": 0}),
        ("declarer=B points=17", {"A": None, "B": None, "C": None}),
        ("points=19 defenders=16", {"A": None, "B": None, "C": None}),
    ],
)
def test_R15_told_by_a_tally(told: str, chips: dict[str, int | None]) -> None:
    given("calabrasella", "C hand 1").when(f"@ tally {told}").clean().scores(**chips)


@pytest.mark.parametrize(
    "told",
    [
        "points=36", "points=20 defenders=16", "points=10 defenders=10", "points=20 defenders=14 aside=2", "aside=13",
        "aside=11", "points=14 defenders=10", "points=20 defenders=15 aside=1", "points=34 aside=2",
        "defenders=35 aside=1",
    ]
)
def test_R14_figures_that_cannot_be(told: str) -> None:
    assert given("calabrasella", "C hand 1").when(f"@ tally declarer=B {told}").judgement.broken
    assert given("calabrasella", "C hand 1").when("@ tally declarer=D").judgement.broken


def test_R14_the_cards_put_aside_may_go_to_the_last_trick() -> None:
    option = {"aside_to": "last_trick"}
    given(
        "calabrasella", "C hand 1", option=option,
    ).when("@ tally declarer=B points=19").clean().scores(A=-3, B=6, C=-3)
    assert given("calabrasella", "C hand 1", option=option).when(
        "@ tally declarer=B points=19 defenders=14"
    ).judgement.broken
    for seed in range(6):
        none, last = (
            fold(simulate("calabrasella", seed=seed, hands=2, options={"aside_to": to}))
            for to in ("none", "last_trick")
        )
        mine, theirs = (tuple(map(int, s.scores[-1].result.split(" : "))) for s in (none, last))
        aside = 35 - sum(mine)
        side = none.hand.declarer == none.hand.trick.won[-1].winner
        assert theirs == (mine[0] + aside * side, mine[1] + aside * (not side))


def test_R15_the_sums_say_who_pays() -> None:
    score = given("calabrasella", "C hand 1\n@ tally declarer=B points=19 defenders=16").judgement.state.scores[0]
    assert score.lines[-1].sums == {"A": "pays 19 − 16 = 3", "B": "gets 2 × 3 = 6", "C": "pays 19 − 16 = 3"}
    score = given("calabrasella", "C hand 1\n@ tally declarer=B points=11 defenders=24").judgement.state.scores[0]
    assert score.lines[-1].sums == {"A": "gets 24 − 11 = 13", "B": "pays 2 × 13 = 26", "C": "gets 24 − 11 = 13"}


def test_R15_the_stake() -> None:
    given(
        "calabrasella", "C hand 1", option={"stake": 5},
    ).when("@ tally declarer=B points=19 defenders=16").scores(A=-15, B=30, C=-15)


def test_R14_counted_by_hand() -> None:
    state = fold(simulate("calabrasella", seed=1, hands=1))
    mine = theirs = 0
    for i, trick in enumerate(state.hand.trick.won):
        worth = sum(
            {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}.get(PACK.faces[c][0], 0) for _, c in trick.plays
        ) + 3 * (i == 11)
        mine, theirs = (mine + worth, theirs) if trick.winner == state.hand.declarer else (mine, theirs + worth)
    assert state.scores[0].result == f"{mine} : {theirs}"
    assert sum(state.scores[0].points.values()) == 0


@pytest.mark.parametrize(("line", "fair"), [
    ("A pay 3 >B", True), ("C pay 3 >B", True), ("A pay 4 >B", False), ("B pay 3 >A", False), ("A pay 3 >C", False),
    ("A pay 3", True), ("A pay 6", False),
])  # fmt: skip
def test_R15_a_payment_is_compared(line: str, fair: bool) -> None:
    paid = given("calabrasella", "C hand 1\n@ tally declarer=B points=19 defenders=16").when(line)
    paid.clean() if fair else paid.finds("R15")


def test_R15_the_declarer_may_pay_both_at_once() -> None:
    lost = given("calabrasella", "C hand 1\n@ tally declarer=B points=11 defenders=24")
    for line in ("B pay 26", "B pay 13 >A", "B pay 13 >C", "B pay 13"):
        lost.when(line).clean()
    lost.when("B pay 26 >A").finds("R15")


def test_R15_a_claim_is_compared() -> None:
    told = given("calabrasella", "C hand 1\n@ tally declarer=B points=19 defenders=16")
    assert claim_differences(score_match(told.when("@ claim A=-3 B=6 C=-3").records)) == []
    assert [
        c.who for c in claim_differences(score_match(told.when("@ claim A=-4 B=8 C=-4").records))
    ] == ["A", "B", "C"]


def test_a_ruling_adjusts_the_chips() -> None:
    told = given("calabrasella", "C hand 1\n@ tally declarer=B points=19 defenders=16\nA dispute #2")
    assert score_match(
        told.when("@ ruling #3 points.A=1 points.B=-1").records
    ).ways["ruled"].totals == {"A": -2, "B": 5, "C": -3}


# The match and its sheet
@pytest.mark.parametrize(("hands", "ended"), [(1, "won"), (2, ""), (0, "")])
def test_the_match_has_so_many_hands(hands: int, ended: str) -> None:
    one = given(
        "calabrasella", "C hand 1\n@ tally void=all-pass\nA hand 2\n@ tally declarer=B points=19 defenders=16",
        option={"hands": hands},
    )
    state = one.judgement.state
    assert (state.ended, state.standing.winner) == (ended, "B" if ended else "")


def test_the_sheet_says_who_plays_and_who_pays_whom() -> None:
    told = given("calabrasella", "C hand 1\n@ tally declarer=B points=19 defenders=16")
    score, settle = sheet_of(told.records).blocks
    assert score.columns == ("hand", "dealer", "plays", "points", "A ±", "A", "B ±", "B", "C ±", "C")
    assert [cell.text for cell in score.rows[0].cells] == ["1", "C", "B", "19 : 16", "−3", "−3", "+6", "6", "−3", "−3"]
    assert [[cell.text for cell in row.cells] for row in settle.rows] == [["A", "B", "3"], ["C", "B", "3"]]


def test_the_sheet_settles_what_only_one_score_can_be() -> None:
    """The moves alone leave open who won the trick; the next lead shows it."""
    log = hide(simulate("calabrasella", seed="bar0", hands=2, options={"hands": 2}))
    lines = "\n".join(
        write_event(r.event) for r in log[1:] if not isinstance(r.event, Deal)
    ).replace("A play Jd", "A play ??")
    records = given("calabrasella", lines, option={"hands": 2}).records
    assert None in fold(records).standing.totals.values()
    sheet = sheet_of(records)
    assert [block.heading for block in sheet.blocks] == ["Score", "To settle"]


# What a recorder types
def test_a_hand_is_typed_by_its_cards() -> None:
    session = Session(case("", hidden=True).records[:2])
    typed = [
        (".", ["A pass"]), ("b play", ["B bid play"]), ("5c", ["B play 5c"]), ("3d", ["B name 3d"]),
        ("a 3d", ["A move 3d >B"]), ("x", ["B move ?? >A"]), ("2x", ["B discard 2x??"]),
        ("3s5s4s4c", ["@ show 3s5s4s4c <widow"]), ("3s4c", ["B draw 3s4c <widow"]),
        ("jh a 2", ["C play Jh", "A play Ah", "B play 2h"]),
    ]  # fmt: skip
    for line, written in typed:
        draft = session.complete(line)
        assert [write_event(r.event) for r in draft.events] == written
        # No five is named: it is a card out of its time, which is not taken.
        assert bool(draft.doubts) == (line == "5c")
        if draft.doubts:
            continue
        n = session.records[-1].n
        session.take([Recorded(n=n + i, event=r.event) for i, r in enumerate(draft.events, 1)])


def test_without_an_exchange_the_declarers_cards_are_the_discard() -> None:
    session = Session(case(NAMED, hidden=True).records)
    for line, written in (
        ("2x", "B discard 2x??"), ("6c", "B discard 6c"), ("C 3d", "C move 3d >B"), ("d 3s", "B draw 3s <widow"),
    ):
        assert [write_event(r.event) for r in session.complete(line).events] == [written]


def test_the_widow_is_not_asked_for_before_it_is_turned_up() -> None:
    """If this failed, a recorder would be told to put down cards that nobody has seen."""
    assert open_deals(Session(given("calabrasella").records).state) == []


def test_the_card_that_is_named_is_told_as_a_card() -> None:
    log = case(NAMED).records
    assert describe_event(log[-1].event, find_game("calabrasella")) == "B names 3♦"


def test_the_declarers_discards_are_seen_by_the_declarer_alone() -> None:
    for viewer, shown in (("public", "2x??"), ("A", "2x??"), ("B", "6c7c")):
        lines = [write_event(r.event) for r in hide(case(TAKEN).records, viewer)]
        assert f"B discard {shown}" in lines
        assert "B draw 3s4c <widow" in lines
    assert "B move 5c >A" in [write_event(r.event) for r in hide(case(TAKEN).records, "A")]
    assert "B move ?? >A" in [write_event(r.event) for r in hide(case(TAKEN).records, "C")]


def test_half_seen_cards_of_the_widow() -> None:
    for cards in ("?s", "3?", "??"):
        shown = THROWN.replace("6c7c", "6c") + f"@ show {WIDOW} <widow\nB draw {cards} <widow\n"
        assert case(shown, hidden=True).judgement.broken == []
    state = fold(case(THROWN.replace("6c7c", "6c") + f"@ show {WIDOW} <widow\nB draw ?c <widow\n", hidden=True).records)
    assert "4c" in PACK.cards(state.holding("B").certain)


# The referee
TABLES = {"usual": {}, "aside": {"aside_to": "last_trick"}, "stake": {"stake": 2}, "three hands": {"hands": 3}}


def refereed(records: list[Recorded], options: dict[str, object]) -> tuple[Referee, int]:
    """The same lines, read by the referee."""
    referee = Referee(list("ABC"), **{"hands": 12, **options})
    return referee, referee.read([write_event(r.event) for r in records[1:]])


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(1, 70))
def test_the_referee_agrees_about_legal_matches(seed: int, table: str) -> None:
    """Twelve hands or more in most matches: who won each trick, what was paid for each hand, and who won."""
    records = simulate("calabrasella", seed=seed, options=TABLES[table])
    referee, wrong = refereed(records, TABLES[table])
    state = fold(records)
    assert wrong == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int, table: str) -> None:
    """What the page calls broken first, the referee does, and nothing before it. To the referee every bid is one to
    play."""
    records, _ = simulate_breaches("calabrasella", seed=seed, p=0.05, hands=1, options=TABLES[table])
    if not any(isinstance(r.event, Bid) and r.event.strain != "play" for r in records):
        _, wrong = refereed(records, TABLES[table])
        assert wrong == min((f.at.pos for f in judge(records).broken), default=0)
