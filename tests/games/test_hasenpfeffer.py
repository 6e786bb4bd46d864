"""Hasenpfeffer, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from typing import Any

import pytest
from given import Given, given
from referees.hasenpfeffer import Referee
from sampling import seeds

from events.model import Bid, Discard, Name, Play, Show
from events.writing import write_event
from reducers.games.hasenpfeffer import worth
from reducers.legal import legal
from replay.fold import fold
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.position import here
from replay.table.session import Session

# With hearts as trumps East has nothing but the left bower to follow with, and West the joker; the widow is the nine
# of clubs.
DEAL = "W hand 1\n@ deal N=JhAhKh9sTcKs E=JdQdAdAcQsTs S=QhTh9hKcQcJc W=JoAsJsKdTd9d widow=9c\n"
BID = "N bid 4\nE pass\nS pass\nW pass\n"
TRUMPS = BID + "N name h\nN discard 9c\n"
PASSES = "N pass\nE pass\nS pass\nW pass\n"
# Everybody has a suit, and the joker is the widow.
VOID = "W hand 1\n@ deal N=AhKhQhJhTh9h E=AcKcQcJcTc9c S=AdKdQdJdTd9d W=AsKsQsJsTs9s widow=Jo\n"
HIDDEN = "W hand 1\n@ deal N=6x?? E=6x?? S=6x?? W=6x?? widow=??\n"
UNSEEN = BID + "N name h\nN discard ??\n"
FOUR_TRICKS = "N Jh/E Jd/S 9h/W Jo/W As/N 9s/E Ts/S Jc/W Js/N Ks/E Qs/S Qc/N Tc/E Ac/S Kc/W 9d"


def plays(line: str) -> list[str]:
    """Cards with their seats, as lines of a record."""
    return [f"{one[0]} play {one[2:]}" for one in line.split("/")]


def doubtful(case: Given, rule: str, words: str, at: int | None = None) -> None:
    """The rule stays open, for this reason."""
    assert [
        f for f in case.opens(rule, at=at).about(at) if f.rule == f"hasenpfeffer.{rule}" and words in f.text
    ], case.about(at)


def told(*hands: str, option: dict[str, object] | None = None) -> Given:
    """Hands of which nothing but the result is told: `N 4 5` is a bid of four by North, with five tricks for the
    side."""
    lines = []
    for i, hand in enumerate(hands):
        seat, *figures = hand.split()
        side = {"N": "NS", "S": "NS"}.get(seat, "EW")
        tally = hand if "=" in hand else f"declarer={seat} level={figures[0]} tricks.{side}={figures[1]}"
        lines += [f"{'WNES'[i % 4]} hand {i + 1}", f"@ tally {tally}"]
    return given("hasenpfeffer", "\n".join(lines), **({"option": option} if option else {}))


def outcome(case: Given) -> tuple[str, str]:
    """How the match ended, and who has won it."""
    state = case.judgement.state
    return state.ended, state.standing.winner


# R1, each calls once
@pytest.mark.parametrize(
    "calls", ["N bid 1/N bid 2", "N pass/E pass/N bid 2", "N pass/E bid 2/N pass", "N pass/N bid 3"],
)
def test_R1_nobody_calls_twice(calls: str) -> None:
    given("hasenpfeffer", HIDDEN).when(*calls.split("/")).finds("R1")


def test_R1_the_dealers_left_begins() -> None:
    given("hasenpfeffer", HIDDEN).when("N pass", "E bid 2", "S pass", "W bid 3").clean()
    # Whoever calls later shows that its call was not merely left out.
    given("hasenpfeffer", HIDDEN).when("E bid 2").opens("R1").allows()
    given("hasenpfeffer", HIDDEN).when("E bid 2", "N bid 3").finds("R1")


def test_R1_a_seat_that_is_bound_by_the_joker_may_have_called_before() -> None:
    case = given("hasenpfeffer", HIDDEN).when("N pass", "E pass", "S pass", "N bid 3")
    doubtful(case, "R1", "missing from the record")
    assert (case.judgement.state.phase, case.judgement.state.hand.forced) == ("naming", True)
    given("hasenpfeffer", HIDDEN).when("N pass", "E pass", "S pass", "N bid 4").finds("R1")


# R2, the bid
@pytest.mark.parametrize(
    "calls", ["N bid 7", "N bid 3h", "N bid no", "N bid 3/E bid 3", "N bid 3/E pass/S bid 2", "N bid 6/E bid 6"],
)
def test_R2_one_to_six_and_more_than_before(calls: str) -> None:
    given("hasenpfeffer", HIDDEN).when(*calls.split("/")).finds("R2")


def test_R2_kept() -> None:
    given("hasenpfeffer", HIDDEN).when("N bid 1", "E bid 2", "S bid 5", "W bid 6").clean()


def test_R2_after_six_everybody_passes_in_writing_or_not() -> None:
    """If this failed, one of two ways to keep a record would be wrong."""
    given("hasenpfeffer", HIDDEN).when("N bid 6", "E pass", "S pass", "W pass", "N name h").clean()
    case = given("hasenpfeffer", HIDDEN).when("N bid 6", "N name h").clean()
    assert case.judgement.state.phase == "discarding"


# R3, one round
@pytest.mark.parametrize("call", ["N pass", "E bid 5", "W bid 5"])
def test_R3_no_second_round(call: str) -> None:
    given("hasenpfeffer", HIDDEN + BID).when(call).finds("R3")
    given("hasenpfeffer", HIDDEN + BID + "N name h").when(call).finds("R3")


def test_R3_who_was_passed_over_may_have_called() -> None:
    doubtful(
        given("hasenpfeffer", HIDDEN).when("N bid 4", "E pass", "S pass", "N name h", "W pass"), "R3",
        "missing from the record",
    )


def test_R3_a_bid_that_is_written_after_trumps_were_named_by_it() -> None:
    """The two lines may stand in the wrong order: it is no second bid."""
    case = given("hasenpfeffer", HIDDEN).when("N bid 2", "E pass", "S pass", "W name c", "W bid 5")
    doubtful(case, "R3", "missing from the record")
    state = case.judgement.state
    assert (state.game.display.contract(state), state.phase) == ("E & W 5 ♣", "discarding")
    case.when("W bid 6").finds("R3")
    given("hasenpfeffer", HIDDEN).when("N bid 2", "E pass", "S pass", "W bid 3", "W name c", "W bid 5").finds("R3")


def test_R3_after_four_passes_nobody_calls_but_the_joker() -> None:
    given("hasenpfeffer", DEAL + PASSES).when("N pass").finds("R3")
    # Perhaps the joker is the widow, and this is of the next hand.
    given("hasenpfeffer", HIDDEN + PASSES).when("N pass").opens("R3").allows()


# R4, the joker binds
@pytest.mark.parametrize(
    "acts", ["W show Jo", "W bid 3", "W show Jo/W bid 3", "W name s", "W show Jo/W name s", "W draw 9c <widow"],
)
def test_R4_who_holds_the_joker_is_the_high_bidder(acts: str) -> None:
    case = given("hasenpfeffer", DEAL + PASSES).when(*acts.split("/")).clean()
    hand = case.judgement.state.hand
    assert (hand.bidder, hand.auction.high.level, hand.forced) == ("W", 3, True)
    case.when(*([] if "name" in acts else ["W name s"]), "W discard Td", "W play As").clean()


def test_R4_whoever_is_seen_to_hold_the_joker_is_asked() -> None:
    assert given("hasenpfeffer", DEAL + PASSES).judgement.state.turn == ("W",)
    assert given("hasenpfeffer", HIDDEN + PASSES).judgement.state.turn == ("N", "E", "S", "W")


@pytest.mark.parametrize("acts", ["W bid 4", "W bid 2", "W bid 3h", "W show Jo/W bid 4"])
def test_R4_three_neither_more_nor_less(acts: str) -> None:
    given("hasenpfeffer", DEAL + PASSES).when(*acts.split("/")).finds("R4", words="exactly 3")


def test_R4_the_bid_is_said_once() -> None:
    given("hasenpfeffer", DEAL + PASSES).when("W show Jo", "W bid 3", "W bid 3").finds("R3")


@pytest.mark.parametrize("act", ["E bid 3", "E name h", "E play Ad", "E discard Qd", "E draw 9c <widow"])
def test_R4_nobody_else_bids(act: str) -> None:
    given("hasenpfeffer", DEAL + PASSES).when(act).finds("R4", words="W holds the joker")


def test_R4_hidden_until_another_seat_plays_the_joker() -> None:
    case = given("hasenpfeffer", HIDDEN + PASSES).when("E bid 3").opens("R4")
    case = case.when("E name h", "E discard ??", *plays("E Ah/S 9h/W Td"))
    case.opens("R4", at=7)
    case.when("N play Jo").finds("R4", at=7, known=13, words="N holds the joker")
    # In the hand of East it may have been before, or come from the widow.
    case.when("N play 9c", "E play Jo").opens("R4", at=7).clean()


def test_R4_the_joker_shown_before_the_bid_settles_it() -> None:
    given("hasenpfeffer", HIDDEN + PASSES).when("E show Jo", "E bid 3", "E name h").clean()
    assert not given("hasenpfeffer", HIDDEN + PASSES).when("E show Jo", "E name h").judgement.findings


def test_R4_a_forced_bid_that_nobody_wrote_is_seen_from_the_lead() -> None:
    case = given("hasenpfeffer", HIDDEN).when("N pass", "S pass", "W pass", "N play Ah").clean()
    state = case.judgement.state
    assert (state.hand.bidder, state.hand.forced, state.turn) == ("N", True, ("E",))
    assert any("N was bound to bid by the joker" in text for _, text in state.inferred)


def test_R4_the_joker_is_shown_although_the_last_pass_was_not_written() -> None:
    case = given("hasenpfeffer", HIDDEN).when("N pass", "E pass", "S pass", "E show Jo").clean()
    assert (case.judgement.state.hand.bidder, case.judgement.state.hand.forced) == ("E", True)
    void = given("hasenpfeffer", HIDDEN).when("N pass", "E pass", "S pass", "@ show Jo <widow").clean()
    assert void.judgement.state.scores[-1].result == "joker-in-widow"
    # West had not passed: it is East who was too early, and nobody is accused of calling.
    late = case.when("W bid 2").allows().judgement.state
    assert (late.hand.bidder, late.hand.forced) == ("W", False)
    # A card that is seen early says nothing.
    assert given("hasenpfeffer", HIDDEN).when("N pass", "E show Jo").judgement.state.turn == ("E",)


def test_R4_option_forced_bid() -> None:
    two: dict[str, object] = {"forced_bid": 2}
    given("hasenpfeffer", DEAL + PASSES, option=two).when("W bid 2").clean()
    given("hasenpfeffer", DEAL + PASSES, option=two).when("W bid 3").finds("R4")
    case = given("hasenpfeffer", DEAL + PASSES, option=two).when("W show Jo")
    assert case.judgement.state.hand.auction.high.level == 2


# R5, the joker is the widow
def test_R5_the_hand_is_void_and_the_next_deals() -> None:
    case = given("hasenpfeffer", VOID + PASSES).clean()
    assert (
        case.judgement.state.scores[-1].result, case.judgement.state.scores[-1].points,
    ) == ("joker-in-widow", {"NS": 0, "EW": 0})
    case.when("N hand 2").clean()
    case.when("W hand 2").finds("R5", words="N deals next, not W")
    given("hasenpfeffer", HIDDEN + PASSES).when("@ end hand void", "S hand 2").finds("R5", words="N deals next, not S")
    given("hasenpfeffer", HIDDEN + BID).when("@ end hand void", "S hand 2").allows()
    given("hasenpfeffer", HIDDEN + "@ gap\n@ end hand void").when("S hand 2").allows()


def test_R5_hidden_it_is_shown_or_seen_from_the_next_hand() -> None:
    shown = given("hasenpfeffer", HIDDEN + PASSES).when("@ show Jo <widow")
    assert not shown.judgement.findings
    assert shown.judgement.state.scores[-1].result == "joker-in-widow"
    unsaid = given("hasenpfeffer", HIDDEN + PASSES)
    for begins in (["N hand 2"], [HIDDEN.splitlines()[1]], ["N hand 2", HIDDEN.splitlines()[1], "E bid 2"]):
        state = unsaid.when(*begins).clean().judgement.state
        assert (state.number, state.dealer, state.scores[0].result) == (2, "N", "joker-in-widow")
    unsaid.when("W hand 2").finds("R5")


def test_R5_a_void_hand_is_claimed_although_somebody_holds_the_joker() -> None:
    given("hasenpfeffer", DEAL + PASSES).when("@ end hand void").finds("R5", words="W holds the joker")
    given("hasenpfeffer", DEAL + PASSES).when("@ end hand misdeal").allows()
    case = given("hasenpfeffer", HIDDEN + PASSES).when("@ end hand void").opens("R5")
    case.when("S show Jo").finds("R5", at=7, known=8, words="S holds the joker")
    assert not [f for f in case.when("@ show Jo <widow").judgement.findings if f.rule == "hasenpfeffer.R5"]
    given("hasenpfeffer", HIDDEN + PASSES).when("@ show 9c <widow", "@ end hand void").finds(
        "R5", words="a player holds the joker",
    )


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        (PASSES + "W show Jo", "W is bound by the joker"), (PASSES + "E name h", "E is bound by the joker"),
        (PASSES + "W show Jo\nW name h\nW play Td", "W is bound by the joker"), ("N bid 2", "N has bid"),
        (BID + "N name h", "N has bid"),
    ],
)  # fmt: skip
def test_R5_a_hand_with_a_bid_is_not_void(acts: str, why: str) -> None:
    case = given("hasenpfeffer", HIDDEN + acts)
    case.when("@ end hand void").finds("R5", words=f"{why}, so the hand is not void")
    case.when("@ end hand misdeal").allows()
    case.when("@ gap", "@ end hand void").allows()


def test_R5_nobody_plays_a_void_hand() -> None:
    case = given("hasenpfeffer", HIDDEN + PASSES).when("N bid 3", "N draw Jo <widow")
    case.finds("R5", at=7, known=8)
    assert not [f for f in case.about(7) if f.rule == "hasenpfeffer.R4"]


@pytest.mark.parametrize(
    "acts",
    [
        "E draw Jo <widow/E name h/E discard Ac/E play Kc", "E draw ?? <widow/E name h", "E name h/E play Kc",
        "E discard 9c/E play Kc", "E play Kc",
    ],
)
def test_R5_nobody_plays_on_after_a_void_hand_that_lies_open(acts: str) -> None:
    case = given("hasenpfeffer", VOID + PASSES).when(*acts.split("/"))
    assert [f.rule for f in case.judgement.findings] == ["hasenpfeffer.R5"]
    case.finds("R5", at=7, words="the joker is the widow")
    # As in a hand that nobody knew to be void, what is played counts, and who deals next is not said.
    state = case.judgement.state
    assert (state.number, state.hand.bidder, state.hand.auction.high.level) == (1, "E", 3)
    assert fold(case.records).phase == state.phase
    assert not case.when("S hand 2").about(len(case.records) + 1)


@pytest.mark.parametrize(
    "acts",
    ["E bid 3/E name h", "E play Ah", "N hand 2/E name h", "@ deal N=6x?? E=6x?? S=6x?? W=6x?? widow=??/E name h"],
)
def test_R5_a_hand_of_which_not_all_was_written_is_not_the_void_one(acts: str) -> None:
    case = given("hasenpfeffer", VOID + PASSES).when(*acts.split("/")).clean()
    assert case.judgement.state.number == 2
    # Of hands that nobody saw, nobody can say whether the table plays on with them.
    given("hasenpfeffer", HIDDEN + PASSES).when("@ show Jo <widow", *acts.split("/")).clean()


def test_R5_without_the_rest_of_the_hand_nobody_says_that_it_was_void() -> None:
    state = given("hasenpfeffer", DEAL + PASSES).when("N hand 2").judgement.state
    assert state.scores[0].unknown == ("the hand was not recorded to its end",)


# R6, widow, trumps, discard
@pytest.mark.parametrize(
    "acts",
    ["N draw 9c <widow/N name h/N discard 9c/N play Jh", "N name h/N discard 9c/N play Jh", "N name h/N play Jh"],
)
def test_R6_kept_whatever_of_it_is_written(acts: str) -> None:
    case = given("hasenpfeffer", HIDDEN + BID).when(*acts.split("/")).clean()
    state = case.judgement.state
    assert (
        state.phase, state.turn, len(state.holding("N")), len(state.table.row("discard:N")),
    ) == ("play", ("E",), 5, 1)
    assert len(state.table.row("widow")) == 0


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        ("E name h", "N won the bidding and names trumps"),
        ("E draw 9c <widow", "N won the bidding and takes the widow"),
        ("N name h/E discard Qd", "N won the bidding and discards"),
        ("N name nt", "one of c, d, h, s"),
        ("N name h/N name s", "hearts were named already"),
        ("N discard 9s/N name h", "before the discard"),
        ("N name h/N draw 9c <widow", "before trumps are named"),
        ("N draw 9c <widow/N draw 9c <widow", "taken already"),
        ("N draw 9c <discard:N", "draws nothing else"),
        ("N play Jh/N name h", "before the first lead"),
        ("N name h/N play Jh/N discard 9s", "before the first lead"),
    ],
)  # fmt: skip
def test_R6_broken(acts: str, words: str) -> None:
    given("hasenpfeffer", DEAL + BID).when(*acts.split("/")).finds("R6", words=words)


def test_R6_who_was_passed_over_has_won_nothing_once_trumps_are_named() -> None:
    lines = HIDDEN + "N bid 2\nS pass\nW pass\nN name h"
    given("hasenpfeffer", lines).when("E discard ??").finds("R6")


def test_R6_what_comes_too_late_changes_no_more_than_it_says() -> None:
    """If this failed, a line in the wrong place would move a card twice, or make other trumps."""
    state = given("hasenpfeffer", HIDDEN + BID).when("N name h", "N draw 9c <widow").judgement.state
    assert (len(state.holding("N")), state.game.pack.cards(state.holding("N").certain)) == (7, ["9c"])
    state = given("hasenpfeffer", HIDDEN + BID).when("N name h", "N play Jh", "N discard 9s").judgement.state
    assert (len(state.holding("N")), state.table.row("discard:N").codes()) == (5, [state.game.pack.code["9s"]])
    assert given("hasenpfeffer", DEAL + BID).when("N name h", "N name s").judgement.state.hand.trump == "h"
    assert given("hasenpfeffer", DEAL + BID).when("N play Jh", "N name h").judgement.state.hand.trump == ""


def test_R6_a_discard_before_trumps_may_lack_a_line() -> None:
    case = given("hasenpfeffer", DEAL + BID).when("N discard 9c").clean()
    assert any("trumps were named before this" in text for _, text in case.judgement.state.inferred)
    late = case.when("N name h", *plays("N Ah/E Jd")).judgement.state
    assert (late.hand.trump, late.hand.trick.ahead) == ("h", "E")


def test_R6_the_widow_is_one_of_the_seven() -> None:
    """If this failed, the card that was taken would be missing from the hand that plays it."""
    given("hasenpfeffer", DEAL + BID + "N name c\nN discard 9s").when("N play 9c").clean()
    given("hasenpfeffer", DEAL + BID).when("E play 9c").finds("T4")


# R7, one discard
@pytest.mark.parametrize("card", ["9c", "Jh", "Ks"])
def test_R7_any_of_the_seven(card: str) -> None:
    given("hasenpfeffer", DEAL + BID + "N name h").when(f"N discard {card}").clean()


def test_R7_the_joker_too() -> None:
    given("hasenpfeffer", DEAL + PASSES).when("W show Jo", "W name s", "W discard Jo").clean()


@pytest.mark.parametrize("acts", ["N discard 9c9s", "N discard up 9c", "N discard 9c/N discard 9s", "N discard 2x??"])
def test_R7_one_card_face_down(acts: str) -> None:
    given("hasenpfeffer", DEAL + BID + "N name h").when(*acts.split("/")).finds("R7")


def test_R7_nobody_counted() -> None:
    doubtful(given("hasenpfeffer", HIDDEN + BID + "N name h").when("N discard *x??"), "R7", "not counted")


# R8, the lead
def test_R8_the_high_bidder_leads() -> None:
    given("hasenpfeffer", DEAL + TRUMPS).when("N play Ah").clean()
    given("hasenpfeffer", DEAL + TRUMPS).when("E play Ac").finds("R8", words="N won the bidding and leads")
    third = "N pass\nE pass\nS bid 2\nW pass\nS name h\nS discard Jc\n"
    given("hasenpfeffer", DEAL + third).when("S play Qh").clean()
    given("hasenpfeffer", DEAL + third).when("N play Ah").finds("R8", words="S won the bidding")


def test_R8_the_winner_of_a_trick_leads_next() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when(*plays("N Jh/E Jd/S 9h/W Jo"))
    case.when("W play As").clean()
    case.when("N play Ah").finds("R8", words="W won the last trick")


# R9, follow suit
def test_R9_the_left_bower_and_the_joker_follow_a_trump_lead() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when("N play Ah")
    found = case.when("E play Qd").finds("R9", words="E holds the J♦, a trump").about()
    assert found[0].legal == ("E play Jd",)
    case.when("E play Jd", "S play 9h", "W play Td").finds("R9", words="Joker")
    case.when("E play Jd", "S play 9h", "W play Jo").clean()


def test_R9_the_left_bower_does_not_follow_its_own_suit() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when(*plays("N Jh/E Jd/S 9h/W Jo"))
    case.when("W play Kd", "N play Ah").clean()
    left = "W hand 1\n@ deal N=JdAhKh9sTcKs E=JhQdAdAcQsTs S=QhTh9hKcQcJc W=JoAsJsKdTd9d widow=9c\n" + TRUMPS
    case = given("hasenpfeffer", left).when(*plays("N Ah/E Jh/S 9h/W Jo/W Kd"))
    case.when("N play Ks").clean()
    case.when("N play Jd").clean()


def test_R9_a_jack_or_joker_that_is_led_is_a_trump() -> None:
    case = given("hasenpfeffer", DEAL + PASSES + "W show Jo\nW name s\nW discard Td\n").when("W play Jo")
    case.when("N play Ah").finds("R9", words="spades were led with the Joker")
    case.when("N play 9s").clean()
    clubs = given("hasenpfeffer", DEAL + PASSES + "W show Jo\nW name c\nW discard Td\n").when("W play Js")
    clubs.when("N play 9s").finds("R9", words="clubs were led with the J♠")
    clubs.when("N play Tc").clean()


def test_R9_a_left_bower_not_followed_and_shown_three_tricks_later() -> None:
    """The case that this game is known for: nothing is said of it until the jack comes out."""
    three = "N Ah/E Qd/S 9h/W Jo/W As/N 9s/E Ts/S Jc/W Js/N Ks/E Qs/S Qc/N Tc/E Ac/S Kc/W 9d"
    followed, *later = plays(three)[1:]
    case = given(
        "hasenpfeffer", HIDDEN + UNSEEN,
    ).when(plays(three)[0], followed).stays_open("R9", *later, at=10).clean()
    shown = case.when("E play Jd").finds("R9", at=10, known=25, words="hearts were led")
    assert [f.cards for f in shown.about(10) if f.verdict == "broken"] == [("Jd",)]
    # The jack in another hand accuses nobody; that E had no trump shows with the last of the eight, and not before.
    other = case.stays_open("R9", *plays("E Ad/S Qh/W Jd/N Th/W Jh"), at=10).when("N play Kh")
    other.settles("R9", at=10).clean()


def test_R9_the_jack_alone_proves_it_though_the_discard_is_named_at_the_end() -> None:
    """If this failed, a proof would tell of every card that was played, because the one thrown away is known by
    elimination."""
    whole = (
        "N Ah/E Qd/S 9h/W Jo/W As/N 9s/E Ts/S Jc/W Js/N Ks/E Qs/S Qc/N Tc/E Ac/S Kc/W 9d/E Jd/S Qh/W Td/N "
        "Kh/E Ad/S Th/W Kd/N Jh"
    )
    case = given("hasenpfeffer", HIDDEN + UNSEEN).when(*plays(whole)).finds("R9", at=10, known=25)
    assert case.judgement.inferred == {8: ("9c",)}
    (found,) = case.judgement.broken
    assert (found.because, found.evidence) == (
        ("E held J♦ at 10: nothing unseen came in after 2, and 25 shows it (E play Jd)",), (10, 25),
    )


def test_R9_a_revoke_of_the_high_bidder_whose_discard_nobody_saw() -> None:
    case = given("hasenpfeffer", HIDDEN + UNSEEN).when(*plays("N Ah/E 9h/S Th/W Jo/W As/N Kd/E Ts/S 9s"))
    case.clean().opens("R9", at=14)
    case.when(*plays("W Js/N Ks")).finds("R9", at=14, known=18)
    # With the discard nobody knows what left the hand.
    case.when(*plays("W Js/N Kc")).clean()


def test_R9_the_jack_of_the_other_colour_proves_nothing() -> None:
    case = given("hasenpfeffer", HIDDEN + UNSEEN).when(*plays("N Ah/E Qd/S 9h/W Jo/W As/N 9s/E Ts/S Jc/W Js/N Ks/E Jh"))
    case.finds("R9", at=10)
    case = given("hasenpfeffer", HIDDEN + UNSEEN).when(*plays("N Ad/E Qs/S Td/W 9d/N Ac/E Jd"))
    # The jack of diamonds is a trump here, and need not be played to a diamond.
    case.clean()


def test_R9_without_trumps_a_jack_is_of_either_suit() -> None:
    case = given("hasenpfeffer", HIDDEN + BID).when(*plays("N Ah/E Qd/S 9h/W Td/N Kh/E Jd"))
    first = given("hasenpfeffer", HIDDEN + BID).when(*plays("N Ah/E Qd/S 9h/W Td")).judgement.state.hand.trick.won[0]
    # South has a heart and West a diamond above theirs, whatever is trumps.
    assert set(first.winners) == set("NE")
    assert not [f for f in case.judgement.findings if f.rule == "hasenpfeffer.R9" and f.verdict == "broken"]


# R10, any card
def test_R10_a_seat_without_the_suit_may_play_anything() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when(*plays(FOUR_TRICKS))
    case.clean()
    case = given("hasenpfeffer", DEAL + TRUMPS).when(*plays("N Jh/E Jd/S 9h/W Jo/W As/N 9s/E Ts/S Jc"))
    case.when("@ fault revoke S #16").finds("R10", words="no card of the suit led")
    given("hasenpfeffer", HIDDEN + UNSEEN).when(*plays("N As/E Jc"), "@ fault revoke E").opens("R10").allows()


def test_R10_a_bower_that_follows_is_no_revoke() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when("N play Ah", "E play Jd")
    case.when("@ fault revoke E #10").finds("R10", words="the J♦ is of the suit led")
    given("hasenpfeffer", DEAL + TRUMPS).when("N play Ah", "E play Qd", "@ fault revoke E #10").allows()


# R11, in turn, from the hand
def test_R11_one_card_each_in_turn() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when("N play Ah")
    case.when("S play 9h").finds("R11", words="it is the turn of E")
    case.when("E play JdQd").finds("R11", words="one card")
    case.when("E play Ts").finds("R9")
    case.when("E play Td").finds("T4")


# R12, the deal
def test_R12_six_each_and_the_widow() -> None:
    given("hasenpfeffer", DEAL).clean()
    for deal in ("N=7x??", "widow=2x??", "stock=??", "up widow=9c"):
        given("hasenpfeffer", "W hand 1").when(f"@ deal {deal}").finds("R12")
    given("hasenpfeffer", HIDDEN).when("N bid 1", "E play 8h").finds("T1", at=4)


# R13, who wins
@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("h", "Ah Kh Qh Th", "N"), ("h", "Ah Jd 9h Th", "E"), ("h", "Jd Jh 9h Th", "E"), ("h", "Jh Jd Jo Ah", "S"),
        ("h", "Jo Jh Jd Ah", "N"), ("h", "Ad Kd 9h Jd", "W"), ("h", "Qd Kd Td 9d", "E"), ("d", "Jh Ad Kd Qd", "N"),
        ("c", "As Js Ks 9c", "E"), ("s", "Ac Jc Kc Qc", "E"), ("s", "Ah Jd Jh Kh", "N"), ("s", "9h Jd Jh Th", "S"),
    ],
)  # fmt: skip
def test_R13_who_wins(trump: str, cards: str, winner: str) -> None:
    lines = [f"{seat} play {card}" for seat, card in zip("NESW", cards.split(), strict=True)]
    case = given("hasenpfeffer", HIDDEN + BID + f"N name {trump}\nN discard ??\n").when(*lines)
    won, lost = ("NS", "EW") if winner in "NS" else ("EW", "NS")
    assert case.judgement.state.hand.trick.won[0].winners == (winner,)
    case.when(f"@ move * <trick >won:{won}").allows()
    case.when(f"@ move * <trick >won:{lost}").finds("R13")


def test_R13_a_card_written_twice_in_a_trick_wins_where_it_lay_first() -> None:
    """If this failed, a slip of the recorder would give the trick to the player who cannot have had the card."""
    case = given("hasenpfeffer", HIDDEN + UNSEEN).when(
        "N play Ah", "E play Kh", "S play Ah", "W play 9h",
    ).finds("T2", at=11)
    assert case.judgement.state.hand.trick.won[0].winners == ("N",)


# R14, points
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("N 4 5", (5, 1)), ("N 4 3", (-4, 3)), ("N 4 4", (4, 2)), ("E 6 6", (0, 6)), ("E 6 5", (1, -6)),
        ("S 1 0", (-1, 6)), ("W 3 6", (0, 6)), ("N 3 2", (-3, 4)),
    ],
)
def test_R14_made_or_failed(hand: str, points: tuple[int, int]) -> None:
    told(hand).clean().scores(NS=points[0], EW=points[1])


def test_R14_the_figures_of_the_text() -> None:
    assert (worth(5, 4)[0], worth(3, 4)[0]) == (5, -4)


def test_R14_a_hand_that_is_played_out() -> None:
    case = given("hasenpfeffer", DEAL + TRUMPS).when(*plays(FOUR_TRICKS + "/E Ad/S Qh/W Td/N Ah/N Kh/E Qd/S Th/W Kd"))
    # West, West, North, East, North, North: three for the declarers, who bid four.
    case.clean().scores(NS=-4, EW=3)
    score = case.judgement.state.scores[-1]
    assert (score.contract, score.result, score.bidder) == ("N & S 4 ♥", "failed", "N")
    assert {line.label: line.sums for line in score.lines}["declarers"] == {"NS": "failed 4: −4"}


def test_R14_forced_by_a_tally() -> None:
    given("hasenpfeffer", "W hand 1\n@ tally declarer=E forced=yes tricks.EW=3").scores(NS=3, EW=3)
    given("hasenpfeffer", "W hand 1\n@ tally declarer=E forced=yes tricks.EW=2").scores(NS=4, EW=-3)
    given(
        "hasenpfeffer", "W hand 1\n@ tally declarer=E forced=yes tricks.EW=2", option={"forced_bid": 2},
    ).scores(NS=4, EW=2)
    given("hasenpfeffer", "W hand 1").when("@ tally declarer=E forced=yes level=4 tricks.EW=2").finds("R4")
    score = given(
        "hasenpfeffer", "W hand 1\n@ tally declarer=E forced=yes trump=c tricks.EW=2",
    ).judgement.state.scores[-1]
    assert (score.contract, score.result) == ("E & W 3 ♣", "forced, failed")


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ("level=7", "R2"), ("trump=nt", "R6"), ("tricks.NS=4 tricks.EW=3", "R14"), ("declarer=X", "T10"),
        ("trick.7=NS", "T10"),
    ]
)
def test_R14_figures_that_cannot_be(facts: str, rule: str) -> None:
    case = given("hasenpfeffer", "W hand 1").when(f"@ tally {facts}")
    assert [f.verdict.value for f in case.about()] == ["broken"], case.about()
    case.finds(rule)


def test_R14_what_is_not_known_is_not_scored() -> None:
    given("hasenpfeffer", "W hand 1\n@ tally declarer=N tricks.NS=4").scores(NS=None, EW=2)
    given("hasenpfeffer", "W hand 1\n@ tally tricks.NS=4").scores(NS=None, EW=None)
    case = given("hasenpfeffer", HIDDEN + "N bid 2\n@ gap\n@ tally tricks.NS=4")
    case.scores(NS=None, EW=None)
    given("hasenpfeffer", HIDDEN + BID + "@ gap\n@ tally tricks.NS=4").scores(NS=4, EW=2)


def test_R14_a_claim_that_is_wrong() -> None:
    wrong = score_match(told("N 4 3").when("@ claim NS=3 EW=3").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("NS", 3, -4)]
    assert claim_differences(score_match(told("N 4 3").when("@ claim NS=-4 EW=3").records)) == []


def test_R14_a_ruling_hands_a_trick_over() -> None:
    score = score_match(told("N 4 3").when("E dispute #2", "@ ruling #3 tricks.NS=1 tricks.EW=-1").records)
    assert (score.ways["played"].totals, score.ways["ruled"].totals) == ({"NS": -4, "EW": 3}, {"NS": 4, "EW": 2})


# R15, the match
def test_R15_ten_points_win() -> None:
    assert outcome(told("N 4 5")) == ("", "")
    assert outcome(told("N 4 5", "N 4 5")) == ("won", "NS")


def test_R15_both_at_ten_in_one_hand() -> None:
    # If it is level at twelve, that is no tie either.
    both = ("N 4 4", "N 4 4", "E 5 5")
    assert told(*both).judgement.state.standing.totals == {"NS": 9, "EW": 9}
    assert outcome(told(*both, "N 3 3")) == ("won", "NS")
    assert outcome(told(*both, "E 3 3")) == ("won", "EW")
    assert outcome(told(*both, "E 4 1")) == ("won", "NS")


def test_R15_totals_may_be_below_nothing() -> None:
    told("N 6 0", "N 6 0").totals(NS=-12, EW=12)
    assert outcome(told("N 6 0", "N 6 0")) == ("won", "EW")


def test_R15_option_defenders_can_go_out() -> None:
    made, strict = ("N 1 1", "N 1 1"), {"defenders_can_go_out": False}
    assert outcome(told(*made)) == ("won", "EW")
    assert outcome(told(*made, option=strict)) == ("", "")
    # They win with the next hand that they declare, or in which the contract fails; a void hand is neither.
    assert outcome(told(*made, "void=joker-in-widow", option=strict)) == ("", "")
    assert outcome(told(*made, "E 1 1", option=strict)) == ("won", "EW")
    assert outcome(told(*made, "N 5 4", option=strict)) == ("won", "EW")
    assert outcome(told(*made, "declarer=N forced=yes tricks.NS=2", option=strict)) == ("won", "EW")
    assert outcome(told(*made, "N 4 4", option=strict)) == ("", "")


def test_R15_option_target() -> None:
    assert outcome(told("N 4 5", option={"target": 5})) == ("won", "NS")


def test_R15_a_total_that_is_not_known_may_have_won() -> None:
    open_hand = "declarer=N tricks.NS=0"
    assert outcome(told("E 4 6", open_hand)) == ("", "")
    assert outcome(told("N 4 4", "N 4 6", open_hand)) == ("won", "NS")


# what goes unwritten
@pytest.mark.parametrize(
    ("acts", "bid", "inferred"),
    [
        ("N bid 2/S pass/W pass/N name h", ("N", 2), "E passed before S called"),
        ("N bid 2/E pass/S pass/N play Ah", ("N", 2), "W passed before this"),
        ("N bid 2/E pass/S pass/W name h", ("W", None), "W won the bidding"),
        ("N bid 2/S pass/W pass/E name h", ("E", None), "E won the bidding"),
        ("N bid 2/S pass/W pass/E draw ?? <widow/E name h", ("E", None), "E won the bidding"),
        ("N bid 2/S pass/W pass/E play Ah", ("E", None), "E won the bidding"),
        ("N pass/E pass/S pass/W play Ah", ("W", None), "W won the bidding"),
        ("N play Ah", ("N", None), "N won the bidding"),
        ("N bid 2/E pass/S pass/W pass/N play Ah", ("N", 2), "trumps were named before this"),
        ("N pass/E pass/S pass/N name h", ("N", 3), "W passed before this"),
        ("N pass/E pass/S pass/W pass/N name h", ("N", 3), "N was bound to bid by the joker"),
    ],
)
def test_what_went_unwritten_in_the_bidding_is_inferred(acts: str, bid: tuple[str, int | None], inferred: str) -> None:
    """A line that goes without saying would make the later ones look like breaches."""
    state = given("hasenpfeffer", HIDDEN).when(*acts.split("/")).clean().judgement.state
    assert (state.hand.bidder, state.hand.auction.high.level) == bid
    assert any(inferred in text for _, text in state.inferred), state.inferred


@pytest.mark.parametrize(
    "acts",
    [
        "N bid 2/@ gap/E name h/S play Ah/N discard ??", "@ gap/S bid 1/S pass/E draw ?? <widow/N play Jo",
        "N pass/E pass/S pass/W pass/@ gap/N play Ah",
    ]
)
def test_after_a_gap_nobody_is_out_of_order(acts: str) -> None:
    given("hasenpfeffer", HIDDEN).when(*acts.split("/")).clean()


def test_after_a_misdeal_the_same_dealer_deals_again() -> None:
    assert given("hasenpfeffer", HIDDEN).when("@ end hand misdeal", "N pass").judgement.state.dealer == "W"


# at the table
def test_legal_acts() -> None:
    def acts(lines: str) -> tuple[object, ...]:
        return legal(given("hasenpfeffer", lines).judgement.state).acts

    assert {a.level for a in acts(DEAL + "N bid 4\n") if isinstance(a, Bid)} == {5, 6}
    assert [write_event(a) for a in acts(DEAL + PASSES) if isinstance(a, Show | Bid)] == ["W show Jo", "W bid 3"]
    assert {a.what for a in acts(DEAL + BID) if isinstance(a, Name)} == set("cdhs")
    assert len([a for a in acts(DEAL + BID + "N name h\n") if isinstance(a, Discard)]) == 7
    assert {a.by for a in acts(DEAL + TRUMPS) if isinstance(a, Play)} == {"N"}
    assert [write_event(a) for a in acts(DEAL + TRUMPS + "N play Ah\n") if isinstance(a, Play)] == ["E play Jd"]


def test_the_first_lead_may_be_typed_instead_of_the_discard() -> None:
    """If this failed, a table that never writes what lies face down would be told that it is not yet the time to
    lead."""
    session = Session(given("hasenpfeffer", HIDDEN + BID + "N name h").records)
    told = list(here(session.reader))
    assert "N to discard: `.` for the card thrown (discard 9c if it was seen), or the first lead at once" in told
    assert told[-1] == "  written out  N play Ac"
    for line, acts in (
        ("jh jd", ["N play Jh", "E play Jd"]), (". jh", ["N discard ??", "N play Jh"]), ("discard 9c", ["N discard 9c"])
    ):
        draft = session.complete(line)
        assert [write_event(record.event) for record in draft.events] == acts
        assert not draft.doubts


# the referee: a second opinion, written from the rule text alone
OPTIONS: dict[str, dict[str, Any]] = {
    "usual": {}, "short": {"target": 1}, "long": {"target": 15}, "one": {"forced_bid": 1}, "six": {"forced_bid": 6},
    "strict": {"defenders_can_go_out": False},
}  # fmt: skip


def referee_of(options: dict[str, object]) -> Referee:
    """The referee for a table with these house rules."""
    return Referee(["N", "E", "S", "W"], **options)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", seeds(1, 80))
def test_the_referee_agrees_about_legal_matches(seed: int, name: str) -> None:
    """Three hands and more in a match: the points of each, and who has won."""
    records = simulate("hasenpfeffer", seed=seed, options=OPTIONS[name])
    state, referee = fold(records), referee_of(OPTIONS[name])
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner() != ""


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    name = list(OPTIONS)[seed % len(OPTIONS)]
    records, _ = simulate_breaches("hasenpfeffer", seed=seed, p=0.06, hands=3, options=OPTIONS[name])
    at = referee_of(OPTIONS[name]).read([write_event(r.event) for r in records[1:]])
    assert at == min((f.at.pos for f in judge(records).broken), default=0)


@pytest.mark.parametrize(
    ("before", "acts"),
    [
        *((DEAL + PASSES, acts) for acts in (
            "W show Jo/W name s/W discard Td/W play As", "W show Jo/W bid 3/W name s", "W bid 3/W name s/W discard Td",
            "W bid 4", "W bid 2", "E bid 3", "N bid 3", "E name h", "W pass", "W show Jo/E name h",
            "W show Jo/W name s/E play Ad", "@ end hand void",
        )),
        *(
            (VOID + PASSES, acts)
            for acts in ("N hand 2", "W hand 2", "@ show Jo <widow/N hand 2", "@ end hand void/N hand 2")
        ),
        *((DEAL + BID, acts) for acts in (
            "N draw 9c <widow/N name h/N discard 9c", "N name h/N draw 9c <widow", "N name nt", "E name h",
            "N name h/E discard Qd", "N name h/N discard 9c9s", "N name h/N discard 9c/E play Ac",
            "N name h/N discard 9c/N play Ah/E play Qd", "N bid 5", "E pass",
        )),
    ],
)  # fmt: skip
def test_the_referee_agrees_about_what_chance_seldom_brings(before: str, acts: str) -> None:
    """After four passes, with the widow and with the discard."""
    case = given("hasenpfeffer", before).when(*acts.split("/"))
    at = referee_of({}).read([write_event(r.event) for r in case.records[1:]])
    assert at == min((f.at.pos for f in case.judgement.broken), default=0)


def test_a_gap_in_the_deal_holds_no_act_of_play() -> None:
    """The widow is dealt behind it, so the bidder took it up as ever."""
    case = given("hasenpfeffer", "W hand 1\n@ gap 1\n@ deal down widow=As").when(
        "N bid 2", "E pass", "S pass", "W pass", "N name c", "N discard 9h", "N play As",
    )
    case.clean()
    assert case.judgement.state.phase == "play"
    assert [f.rule for f in case.when("E play As").about()] == ["table.T2", "hasenpfeffer.R9"]
