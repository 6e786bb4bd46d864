"""Kaiser, rule by rule: each has the two cases of its kind."""

from __future__ import annotations

import pytest
from given import given

from events.errors import NotationError
from events.model import Bid
from reducers.games.kaiser import Options, Tally, score_tally
from reducers.legal import legal
from reducers.registry import find_game
from reducers.words.auction import Auction
from replay.fold import fold
from replay.scoring.three_ways import score_match
from replay.table.session import Session

# North and South: hearts and clubs; nobody has to think hard about these hands.
DEAL = """
W hand 1
@ deal N=AhKhQhJhTh9h8h5h E=AcKcQcJcTc9c8c7c S=AdKdQdJdTd9d8d7d W=AsKsQsJsTs9s8s3s
"""
MIXED = """
W hand 1
@ deal N=AhKc9d8d7dTs9s8s E=KhQhAcQc9cJdTdAs S=JhThJc8c7cAdKdKs W=9h8h5hTcQdQsJs3s
"""
BID = "N bid 7\nE pass\nS pass\nW pass\nN name h\n"
HIDDEN = "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\n"


# R1, consequence
def test_R1_the_whole_pack_eight_each() -> None:
    given("kaiser", DEAL).clean()


def test_R1_nine_cards_for_one_seat() -> None:
    given("kaiser", "W hand 1\n@ deal N=9x?? E=7x?? S=8x?? W=8x??").finds("R1", at=2)


def test_R1_a_deal_may_be_written_in_packets() -> None:
    given("kaiser", "W hand 1").when(
        "@ deal N=4x?? E=4x?? S=4x?? W=4x??", "@ deal N=4x?? E=4x?? S=4x?? W=4x??", "N pass",
    ).clean()
    given("kaiser", "W hand 1").when("@ deal N=4x??", "@ deal N=5x??").finds("R1")


def test_R1_no_cards_but_for_the_seats() -> None:
    given("kaiser", "W hand 1").when("@ deal stock=4x??").finds("R1", words="none to stock")


def test_R1_a_card_that_is_not_in_the_pack() -> None:
    given("kaiser", HIDDEN + BID).when("N play 7h").finds("T1")


# R2, right
WORTHLESS = "W hand 1\n@ deal N=9h8hTc9c8c7cTd9d E=8x?? S=8x?? W=8x??"


def test_R2_a_worthless_hand_is_a_misdeal() -> None:
    state = given("kaiser", WORTHLESS).when("N call misdeal").allows().judgement.state
    assert state.score is not None
    assert state.score.result == "misdeal"


def test_R2_wrongly_denied_a_court_card_is_held() -> None:
    given("kaiser", MIXED).when("N call misdeal").finds("R2")


def test_R2_wrongly_denied_after_the_own_call() -> None:
    given("kaiser", WORTHLESS).when("N pass", "E pass", "N call misdeal").finds("R2")


def test_R2_hidden_hand_is_open_and_settled_when_shown() -> None:
    given("kaiser", HIDDEN).when("N call misdeal").opens("R2")
    given("kaiser", HIDDEN).when("N call misdeal", "N show Ah9h8h7cTc9c8cTd").finds("R2", at=3, known=4)


def test_R2_same_dealer_deals_again() -> None:
    state = fold(given("kaiser", WORTHLESS).when("N call misdeal", "N pass").records)
    assert (state.number, state.dealer) == (2, "W")


# R3 to R7, the auction
@pytest.mark.parametrize(
    ("calls", "rule"),
    [
        (["N bid 7", "N bid 8"], "R3"),
        # Only the seat that calls after all shows that it had not passed without a line.
        (["E bid 7", "N bid 8"], "R3"),
        (["N bid 7", "S pass", "E pass"], "R3"),
        (["N bid 5"], "R4"),
        (["N bid 13"], "R4"),
        (["N bid 7h"], "R4"),
        (["N bid 7", "E bid 7"], "R5"),
        (["N bid 7no", "E bid 7"], "R5"),
        (["N pass", "E bid 7no", "S pass", "W bid 7"], "R6"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R3_R4_R5_R6_broken(calls: list[str], rule: str) -> None:
    given("kaiser", HIDDEN).when(*calls).finds(rule)


@pytest.mark.parametrize(
    "calls",
    [
        ["N bid 6", "E bid 6no", "S bid 7", "W bid 12no"],
        ["N bid 7", "E pass", "S pass", "W bid 7"],
        ["N bid 7no", "E pass", "S pass", "W bid 7no"],
        ["N pass", "E pass", "S pass", "W bid 6"],
        ["N pass", "E pass", "S bid 8", "W pass"],
    ],
    ids=", ".join,
)
def test_R3_R4_R5_R6_R7_kept(calls: list[str]) -> None:
    given("kaiser", HIDDEN).when(*calls).clean()


def test_R6_dealer_who_equals_owns_the_contract() -> None:
    state = fold(given("kaiser", HIDDEN).when("N bid 7", "E pass", "S pass", "W bid 7").records)
    assert (state.phase, state.turn) == ("naming", ("W",))


def test_R7_wrongly_denied_by_the_house_rule() -> None:
    calls = ("N pass", "E pass", "S pass", "W pass")
    given("kaiser", HIDDEN, option={"all_pass": "dealer_forced"}).when(*calls).finds("R7")


def test_R7_four_passes_void_the_hand_and_the_deal_moves_on() -> None:
    state = fold(given("kaiser", HIDDEN).when("N pass", "E pass", "S pass", "W pass", "E pass").records)
    assert (state.scores[0].result, state.number, state.dealer) == ("all-pass", 2, "N")


# What goes unwritten: passes, the naming of trumps, the whole of the bidding
@pytest.mark.parametrize(
    ("acts", "bid", "trump", "inferred"),
    [
        # A pass that nobody wrote: before another call, before trumps are named, before the lead.
        (["N bid 7", "S pass", "W pass", "N name h", "N play Ah"], ("N", "7"), "h", "E passed before S called"),
        (["N bid 7", "E pass", "S pass", "N name h", "N play Ah"], ("N", "7"), "h", "W passed before this"),
        (["N bid 7no", "N play Ah"], ("N", "7 no"), "no", "E and S and W passed before this"),
        (["W bid 7", "W name s", "N play Ah"], ("W", "7"), "s", "N and E and S passed before W called"),
        # A bid that nobody wrote: whoever names trumps made it, and so did the only one who did not pass.
        (["N bid 7", "E pass", "W pass", "S name h", "N play Ah"], ("S", "?"), "h", "S won the bidding"),
        (["N bid 7", "E pass", "S pass", "W name c", "N play Ah"], ("W", "?"), "c", "W won the bidding"),
        (["N bid 7no", "E pass", "W pass", "S name h", "N play Ah"], ("S", "?"), "h", "S won the bidding"),
        (["N pass", "E pass", "W pass", "S name h", "N play Ah"], ("S", "?"), "h", "S won the bidding"),
        (["N pass", "E pass", "S pass", "N play Ah"], ("W", "?"), "", "W won the bidding"),
        # Trumps that nobody named; and nothing at all.
        (["N bid 7", "E pass", "S pass", "W pass", "N play Ah"], ("N", "7"), "", "trumps were named before this"),
        (["N play Ah"], None, None, "the contract and its declarer are unknown"),
        (["N name h", "N play Ah"], ("N", "?"), "h", "N won the bidding"),
    ],
    ids=lambda v: ", ".join(v) if isinstance(v, list) else None,
)
def test_what_went_unwritten_in_the_bidding_is_inferred(
    acts: list[str], bid: tuple[str, str] | None, trump: str | None, inferred: str,
) -> None:
    """A line that goes without saying would make the later ones look like breaches."""
    case = given("kaiser", HIDDEN).when(*acts)
    case.clean()
    state = case.judgement.state
    assert (state.number, state.phase, len(state.hand.trick.plays)) == (1, "play", 1)
    head = state.game.display.headline(state)
    assert ((head["bidder"], head["bid"]) if head else None, head.get("trump")) == (bid, trump)
    assert any(inferred in text for _, text in state.inferred)


def test_a_call_of_somebody_passed_over_leaves_the_order_open() -> None:
    given("kaiser", HIDDEN).when("E bid 7").opens("R3").allows()


def test_a_score_needs_a_bid_that_somebody_wrote() -> None:
    case = given("kaiser", MIXED + "N pass\nE pass\nS pass\nW name h\n")
    assert case.judgement.state.hand.auction.bidder == "W"
    assert "contract" not in str(case.judgement.state.game.score(case.judgement.state).contract)


def test_after_trumps_that_nobody_wrote_nobody_who_may_have_won_is_held_to_a_lead() -> None:
    """East and South have a heart above theirs, whatever is trumps."""
    acts = ["N bid 7", "E pass", "S pass", "W pass", "N play Ah", "E play 8h", "S play 9h", "W play 7c"]
    for seat in "NW":
        given("kaiser", HIDDEN).when(*acts, f"{seat} play As").opens("R9").allows()
    for seat in "ES":
        given("kaiser", HIDDEN).when(*acts, f"{seat} play As").finds("R9")


def test_all_have_passed_only_if_nobody_played() -> None:
    """The hand would be void because one pass was not written, or begun anew by the next card."""
    case = given("kaiser", HIDDEN).when("N pass", "E pass", "W pass", "N hand 2")
    assert case.judgement.state.scores[0].result == "all-pass"
    assert given("kaiser", HIDDEN).when("N pass", "E pass", "W pass", "N play Ah").judgement.state.number == 1


def test_R7_by_the_house_rule_is_open_while_somebody_may_have_bid() -> None:
    forced = {"all_pass": "dealer_forced"}
    given("kaiser", HIDDEN, option=forced).when("N pass", "E pass", "W pass").opens("R7").allows()


# Acts that went by unrecorded
@pytest.mark.parametrize(
    "acts",
    [
        # In the bidding, in the play, and before the first hand or between two of which nobody wrote the beginning.
        ["N bid 7", "@ gap", "E name h", "S play Ah", "N play 8c"],
        ["N pass", "@ gap", "N bid 6", "N pass", "E bid 6"],
        [
            "N bid 7no", "E pass", "S pass", "W pass", "N play Ah", "@ gap", "S play 8h", "S play 7c", "N bid 8",
            "W name c", "E play Kc",
        ],
        ["@ end hand agreed", "@ gap", "S play 8h", "W play 8c", "S play 9h"],
    ],
    ids=", ".join,
)
def test_after_a_gap_nobody_is_out_of_order(acts: list[str]) -> None:
    case = given("kaiser", HIDDEN).when(*acts).clean()
    assert case.judgement.state.game.score(case.judgement.state).unknown


def test_a_record_that_begins_with_a_gap_accuses_nobody() -> None:
    case = given("kaiser", "@ gap").when("E play Ah", "S play 8h", "S play 7c").clean()
    assert "its beginning was not recorded" in case.judgement.state.inferred[0][1]
    # A hand that somebody began after the gap is whole.
    given("kaiser", "@ gap\n" + HIDDEN + "N bid 7\nE pass\nS pass\nW pass\nN name h\n").when("E play Ah").finds("R9")


NOBODY_SAID_WHO_DEALS = "@ gap 40\n@ deal E=8x?? S=8x?? W=8x?? N=8x??\n"


def test_who_deals_after_a_gap_is_seen_from_the_first_call() -> None:
    """If this failed, the seats would be called to order by a dealer who is only a guess."""
    lines = (
        NOBODY_SAID_WHO_DEALS
        + "E pass\nS bid 6\nW pass\nN bid 6\nN name h\nE play Jd\nS play Td\nW play 9d\nN play Qd\nN play Qs"
    )
    case = given("kaiser", lines).clean()
    assert case.judgement.state.dealer == "N"
    assert case.judgement.state.hand.auction.bidder == "N"
    # What the calls themselves show is judged as ever.
    given("kaiser", NOBODY_SAID_WHO_DEALS + "E bid 7\nS pass").when("E bid 8").finds("R3")
    given("kaiser", NOBODY_SAID_WHO_DEALS + "E bid 7\nS pass").when("W bid 7").opens("R5").clean()
    given("kaiser", NOBODY_SAID_WHO_DEALS + "E bid 7\nS pass").when("W bid 6").finds("R5")


def test_R5_an_equal_bid_is_asked_again_once_no_dealer_makes_the_hand_legal() -> None:
    """If this failed, the equal bid of E would stay with E as the dealer, who had called last, though S calls later."""
    case = given("kaiser", "N bid 7\nE bid 7").clean()
    assert not case.judgement.open
    found = {f.rule: f.text for f in case.when("S pass").clean().judgement.open if f.at.pos == 2}
    assert found["kaiser.R5"] == "who dealt: not recorded; if S or W did, 7 does not outrank the 7 that stands"


def test_a_hand_played_out_in_a_gap_leaves_its_cards_to_the_next() -> None:
    """If this failed, cards of two hands would be held against each other if the gap between has the beginning of
    one."""
    lines = (
        HIDDEN + "N bid 7no\nE pass\nS pass\nW pass\nN play 7c\nE play 9c\nS play Jc\nW play Tc\nS play Ac\n@ gap 40\n"
    )
    given("kaiser", lines).when("S play Jh", "N play 9c", "E play 8c", "S play Th", "W play Ac").clean()


def test_after_a_gap_trumps_are_still_named_before_the_first_lead() -> None:
    """If this failed, a gap would excuse what was done long after it."""
    lines = HIDDEN + "N bid 7\n@ gap\nE play 9c\nS play Tc\n"
    given("kaiser", lines).when("S name c").finds("R8")
    given("kaiser", lines).when("N bid 8", "N name c").clean()


@pytest.mark.parametrize(
    ("begins", "known"), [("", False), ("N hand 3\n", False), ("N hand 1\n", True)],
    ids=["no hand line", "a later hand", "the next hand"],
)
def test_totals_after_a_gap_that_may_have_a_hand_in_it(begins: str, known: bool) -> None:
    """If this failed, a total would be said to be certain although a hand may have been played that nobody recorded."""
    case = given("kaiser", f"@ gap 40\n{begins}@ tally declarer=NS level=7 trump=h tricks.NS=5 five=NS three=EW\n")
    case.scores(NS=10, EW=0)
    case.totals(NS=10 if known else None, EW=0 if known else None)


def test_R2_after_a_gap_nobody_knows_whether_the_right_has_lapsed() -> None:
    given("kaiser", HIDDEN + "N pass\n@ gap").when("N call misdeal").opens("R2").allows()


def test_after_a_gap_a_bid_that_nobody_can_make_is_none() -> None:
    given("kaiser", HIDDEN + "@ gap").when("E bid 13").finds("R4")


# R8, duty
def test_R8_kept() -> None:
    given("kaiser", DEAL + BID).clean()


@pytest.mark.parametrize("act", ["E name h", "N name nt"])
def test_R8_broken(act: str) -> None:
    given("kaiser", DEAL + "N bid 7\nE pass\nS pass\nW pass").when(act).finds("R8")


def test_R8_no_suit_at_no_trump_and_none_twice() -> None:
    given("kaiser", DEAL + "N bid 7no\nE pass\nS pass\nW pass").when("N name h").finds("R8", words="at no trump")
    given("kaiser", DEAL + BID).when("N name s").finds("R8", words="hearts were named already")
    given("kaiser", DEAL + BID.replace("N name h", "N name nt")).when("N name h").allows().when("N play Ah").allows()


def test_R8_a_bare_word_in_play_names_no_trumps() -> None:
    """If this failed, a slip of the keyboard would be recorded as a suit."""
    session = Session(given("kaiser", DEAL + BID).records)
    with pytest.raises(NotationError):
        session.complete("frobnicate")


def test_R8_named_after_the_lead_comes_too_late() -> None:
    case = given(
        "kaiser", DEAL + BID.replace("N name h\n", "N play Ah\n"),
    ).when("N name h").finds("R8", words="before the first lead")
    assert case.judgement.state.hand.trump is None


def test_R8_a_suit_named_at_no_trump_is_none_for_the_tricks() -> None:
    """East's heart, a trump to nobody, does not beat North's club."""
    acts = ("N bid 8no", "E pass", "S pass", "W pass", "N name h", "N play Ac", "E play Kh", "S play 7c", "W play Qc")
    state = given("kaiser", HIDDEN).when(*acts).judgement.state
    assert (state.hand.trump, state.hand.trick.won[0].winners) == (None, ("N",))


# R9, R10, duties
def test_R9_the_left_of_the_dealer_leads() -> None:
    given("kaiser", DEAL + "N pass\nE bid 7\nS pass\nW pass\nE name c").when("N play Ah").clean()
    given("kaiser", DEAL + "N pass\nE bid 7\nS pass\nW pass\nE name c").when("E play Ac").finds("R9")


TRICK = "N play Ah\nE play Kh\nS play Jh\nW play 9h\n"


def test_R9_the_winner_leads_next() -> None:
    given("kaiser", MIXED + BID + TRICK).when("N play Kc").clean()
    given("kaiser", MIXED + BID + TRICK).when("E play Ac").finds("R9", words="N won the last trick")


def test_R10_in_turn_one_card_each() -> None:
    given("kaiser", MIXED + BID).when("N play Ah", "E play Kh").clean()
    given("kaiser", MIXED + BID).when("N play Ah", "S play Jh").finds("R10")
    given("kaiser", MIXED + BID).when("N play Ah", "E play KhQh").finds("R10")


# R11, duty
def test_R11_kept_when_void() -> None:
    given("kaiser", DEAL + BID).when("N play Ah", "E play Ac").allows()


def test_R11_broken_and_seen_at_once_when_the_hand_is_known() -> None:
    found = given("kaiser", MIXED + BID).when("N play Ah", "E play Ac").finds("R11").about()
    assert set(found[0].cards) == {"Kh", "Qh"}
    assert set(found[0].legal) == {"E play Kh", "E play Qh"}
    assert found[0].complete


def test_R11_open_while_hidden_then_known_from_the_later_card() -> None:
    hidden = given("kaiser", HIDDEN + BID)
    hidden.when("N play Ah", "E play Ac").opens("R11")
    more = ["N play Ah", "E play Ac", "S play Jh", "W play 9h", "N play Kc", "E play Kh"]
    hidden.when(*more).finds("R11", at=9, known=13)


def test_R11_a_discard_alone_proves_nothing() -> None:
    more = ["N play Ah", "E play Ac", "S play Jh", "W play 9h", "N play Kc", "E play As"]
    assert not given("kaiser", HIDDEN + BID).when(*more).judgement.broken


# R12, consequence
def test_R12_trump_beats_the_suit_led() -> None:
    state = fold(
        given(
            "kaiser", DEAL + "N bid 7\nE pass\nS pass\nW pass\nN name s",
        ).when("N play Ah", "E play Ac", "S play Ad", "W play 3s").records
    )
    assert state.turn == ("W",)


def test_R12_contradicted_by_whoever_gathers() -> None:
    given("kaiser", MIXED + BID + TRICK).when("@ move * <trick >won:NS").clean()
    given("kaiser", MIXED + BID + TRICK).when("@ move * <trick >won:EW").finds("R12")


# R13, consequence
def test_R13_eight_tricks_and_no_more() -> None:
    # The contract of seven is safe after five tricks; all eight are played and counted.
    given("kaiser", DEAL + BID + everything()).clean().scores(NS=8 + 5 - 3, EW=0)


def test_R13_contradicted_by_a_tally() -> None:
    given("kaiser", "W hand 1").when(
        "@ tally declarer=NS level=7 tricks.NS=5 tricks.EW=4 five=NS three=EW"
    ).finds("R13")
    given("kaiser", "W hand 1").when("@ tally declarer=NS level=7 tricks.NS=5 tricks.EW=3 five=NS three=EW").clean()
    given("kaiser", "W hand 1").when(
        "@ tally declarer=NS level=7 tricks.NS=8 tricks.EW=0 five=NS three=EW"
    ).finds("R13")
    given("kaiser", "W hand 1").when("@ tally declarer=NS level=7 tricks.NS=8 tricks.EW=0 five=NS three=E").finds("R13")
    given("kaiser", "W hand 1").when("@ tally declarer=NS level=7 tricks.NS=9 tricks.EW=-1").finds("R13")


def test_R4_contradicted_by_a_tally() -> None:
    given("kaiser", "W hand 1").when("@ tally declarer=NS level=5").finds("R4", words="6 to 12, not 5")
    given("kaiser", "W hand 1").when("@ tally declarer=NS level=13").finds("R4")
    given("kaiser", "W hand 1", option={"min_bid": 5}).when("@ tally declarer=NS level=5").clean()


def everything() -> str:
    """North draws trumps, then runs the rest of them: everybody throws away from the top."""
    n, e, s, w = (
        "Ah Kh Qh Jh Th 9h 8h 5h", "Ac Kc Qc Jc Tc 9c 8c 7c", "Ad Kd Qd Jd Td 9d 8d 7d", "As Ks Qs Js Ts 9s 8s 3s"
    )
    rows = zip(n.split(), e.split(), s.split(), w.split(), strict=True)
    return "".join(f"N play {a}\nE play {b}\nS play {c}\nW play {d}\n" for a, b, c, d in rows)


# Scoring
@pytest.mark.parametrize(
    ("tally", "before", "options", "points"),
    [
        (Tally("NS", 7, False, "h", {"NS": 5, "EW": 3}, "NS", "EW"), (0, 0), {}, (10, 0)),
        (Tally("NS", 12, False, "h", {"NS": 7, "EW": 1}, "NS", "EW"), (0, 0), {}, (12, -2)),
        (Tally("NS", 7, False, "h", {"NS": 4, "EW": 4}, "EW", "EW"), (0, 0), {}, (-4, 6)),
        (Tally("NS", 7, True, "", {"NS": 4, "EW": 4}, "EW", "EW"), (0, 0), {}, (-8, 6)),
        (Tally("NS", 7, True, "", {"NS": 7, "EW": 1}, "NS", "NS"), (0, 0), {}, (18, 1)),
        (Tally("NS", 6, False, "c", {"NS": 1, "EW": 7}, "EW", "NS"), (0, 0), {}, (2, 12)),
        (Tally("NS", 7, True, "", {"NS": 1, "EW": 7}, "EW", "NS"), (0, 0), {}, (4, 12)),
        (Tally("NS", 7, False, "h", {"NS": 4, "EW": 4}, "EW", "NS"), (0, 45), {}, (-1, 9)),
        (Tally("NS", 7, False, "h", {"NS": 4, "EW": 4}, "EW", "NS"), (0, 46), {}, (-1, 0)),
        (Tally("NS", 7, False, "h", {"NS": 7, "EW": 1}, "NS", "EW"), (0, 46), {}, (12, -2)),
        (Tally("NS", 7, False, "h", {"NS": 4, "EW": 4}, "EW", "EW"), (0, 0), {"failed_contract": "bid"}, (-7, 6)),
        (Tally("NS", 7, True, "", {"NS": 4, "EW": 4}, "EW", "EW"), (0, 0), {"defenders_doubled": True}, (-8, 12)),
        (Tally("NS", 7, False, "h", {"NS": None, "EW": None}, None, None), (0, 0), {}, (None, None)),
    ],
)  # fmt: skip
def test_points(tally: Tally, before: tuple[int, int], options: dict[str, object], points: tuple[int, int]) -> None:
    got = score_tally(tally, {"NS": before[0], "EW": before[1]}, Options(**options))[0]
    assert (got["NS"], got["EW"]) == points


def test_a_seat_told_in_a_tally_or_a_ruling_stands_for_its_side() -> None:
    """If this failed, five=N would quietly take five points from North and South."""
    case = given("kaiser", "W hand 1").when(
        "@ tally declarer=N level=7 tricks.NS=5 tricks.EW=3 five=N three=W"
    ).scores(NS=10, EW=0)
    (hand,) = score_match(case.when("@ ruling #2 five=E rule=kaiser.R11").records).hands
    assert hand.ways["ruled"].points == {"NS": -5, "EW": 5}


def test_a_declarer_who_is_nobody_leaves_the_contract_open() -> None:
    case = given("kaiser", "W hand 1").when(
        "@ tally declarer=Q level=7 tricks.NS=5 tricks.EW=3 five=NS three=EW"
    ).scores(NS=None, EW=None)
    assert case.judgement.state.scores[0].unknown == ("the contract",)


def test_the_first_side_to_the_target_wins_and_level_scores_play_on() -> None:
    fifty = "W hand 1\n@ tally declarer=NS level=6 tricks.NS=8 tricks.EW=0 five=NS three=NS\n"
    match = given("kaiser", fifty, option={"target": 10})
    assert match.totals(NS=10, EW=0).judgement.state.standing.winner == "NS"
    level = "W hand 1\n@ tally declarer=NS level=5 tricks.NS=5 tricks.EW=3 five=EW three=EW\n"
    standing = given("kaiser", level, option={"target": 5}).totals(NS=5, EW=5).judgement.state.standing
    assert (standing.over, standing.winner) == (False, "")


def test_moves_tricks_and_result_hands_stand_in_one_match() -> None:
    lines = (
        DEAL + BID + everything()
        + (
            "N hand 2\n@ tally declarer=E level=7 trump=c trick.1=E trick.2=E trick.3=E trick.4=N trick.5=N "
            "trick.6=E trick.7=E trick.8=E five=EW three=NS\n"
        )
        + "E hand 3\n@ tally declarer=S level=6 tricks.NS=4 tricks.EW=4 five=NS three=EW\n"
    )  # fmt: skip
    match = given("kaiser", lines)
    match.clean()
    sources = [s.source for s in match.judgement.state.scores]
    assert sources == ["moves", "tricks", "tally"]
    match.totals(NS=10 - 1 + 9, EW=0 + 11 + 1)


def test_everything_listed_as_legal_is_and_nothing_else() -> None:
    state = fold(given("kaiser", MIXED + BID).when("N play Ah").records)
    assert {a.cards[0] for a in legal(state).acts} == {"Kh", "Qh"}
    assert find_game("kaiser").pack.size == 32


# The right that was denied, and the deal after a misdeal


@pytest.mark.parametrize("again", ["@ deal N=8x?? E=8x?? S=8x?? W=8x??", "N pass", "W hand 2"])
def test_R2_the_same_dealer_deals_again_after_a_misdeal(again: str) -> None:
    """If this failed, a deal that was thrown in would cost the dealer the deal; a line nobody wrote has the right
    dealer."""
    case = given("kaiser", HIDDEN + "N call misdeal").when(again).clean()
    assert (case.judgement.state.number, case.judgement.state.dealer) == (2, "W")


@pytest.mark.parametrize("ended", ["N call misdeal", "@ end hand misdeal", "@ tally void=misdeal"])
def test_R2_another_dealer_after_a_misdeal_is_found_and_the_claim_stays_open(ended: str) -> None:
    """If this failed, nobody would be told that the text lets the same dealer deal again."""
    case = given("kaiser", HIDDEN + ended).when("N hand 2").finds(
        "R2", words="the same dealer deals again: W, not N",
    )
    assert [(f.rule, f.at.pos) for f in case.judgement.open] == [("kaiser.R2", 3)] * (ended == "N call misdeal")
    assert len(case.judgement.broken) == 1


@pytest.mark.parametrize(
    "before",
    ["N pass\nE pass\nS pass\nW pass", "@ end hand void", "@ end hand agreed", "@ tally void=all-pass", "@ gap 3"],
)
def test_R2_after_any_other_hand_the_text_names_no_dealer(before: str) -> None:
    for dealer in "NESW":
        given("kaiser", HIDDEN + before).when(f"{dealer} hand 2").clean()
    given("kaiser", HIDDEN + "N call misdeal").when("N hand 3").allows()  # the hand between was not written


def test_R2_denied_to_a_worthless_hand() -> None:
    """The table refuses, and plays on: the hand is not over, and the refusal is found."""
    claimed = given("kaiser", WORTHLESS).when("N call misdeal")
    refused = claimed.when("@ fault misdeal N #3").finds("R2", words="N holds no card that counts")
    on = refused.when("N pass", "E bid 7", "S pass", "W pass", "E name h", "N play 9h")
    state = on.allows().judgement.state
    assert (state.number, state.phase, state.hand.auction.bidder) == (1, "play", "E")
    assert [(f.rule, f.at.pos) for f in on.judgement.broken] == [("kaiser.R2", 4)]
    claimed.when("@ fault misdeal").allows()  # a misdeal is noticed, and not refused
    assert claimed.when("@ fault misdeal").judgement.state.settled


def test_R2_denied_to_a_hand_nobody_saw_is_open_until_its_cards_are_played() -> None:
    lines = (
        HIDDEN + "N call misdeal\n@ fault misdeal N\n"
        + BID.replace("N bid 7", "N pass").replace("E pass", "E bid 7").replace("N name h", "E name s")
    )
    case = given("kaiser", lines).opens("R2", at=4)
    own = ["8c", "9c", "Tc", "7c", "8d", "9d", "Td", "7d"]
    tricks = [f"N play {own[0]}", "E play Ac", "S play Kc", "W play Qc"]
    for led, mine in zip(["Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h"], own[1:], strict=True):
        tricks += [f"E play {led}", "S play ??", "W play ??", f"N play {mine}"]
    case.when(*tricks).finds("R2", at=4)
    given("kaiser", lines).when("N play Ac").allows(at=4)
    assert given("kaiser", lines).when("N play Ac").judgement.open == []


def test_R2_denied_where_there_was_no_right() -> None:
    given("kaiser", MIXED).when("N call misdeal", "@ fault misdeal N").allows()
    late = given("kaiser", WORTHLESS).when("N pass", "E pass", "N call misdeal", "@ fault misdeal N #5").allows()
    assert (late.judgement.state.phase, late.judgement.state.turn) == ("auction", ("S",))


def test_R6_denied_to_a_dealer_who_equals() -> None:
    calls = ["N bid 7", "E pass", "S pass", "W bid 7"]
    refused = given("kaiser", HIDDEN).when(*calls, "@ fault equal W #6").finds("R6", words="may equal")
    state = refused.when("W pass", "N name h").allows().judgement.state
    assert (state.hand.auction.bidder, state.hand.trump) == ("N", "h")
    given("kaiser", HIDDEN).when(*calls[:3], "W bid 8", "@ fault equal W").allows()
    given("kaiser", HIDDEN).when(*calls, "@ fault equal E #6").allows()


def test_R7_denied_a_pass() -> None:
    refused = given("kaiser", HIDDEN).when("N pass", "@ fault pass N").finds("R7", words="N may pass")
    assert refused.when("N bid 6").allows().judgement.state.turn == ("E",)
    all_passed = given("kaiser", HIDDEN).when("N pass", "E pass", "S pass", "W pass", "@ fault pass W")
    on = all_passed.finds("R7").when("W bid 6", "W name c")
    assert on.allows().judgement.state.number == 1
    assert len(on.judgement.state.scores) == 0
    forced = given("kaiser", HIDDEN, option={"all_pass": "dealer_forced"})
    forced.when("N pass", "E pass", "S pass", "W pass", "@ fault pass W").allows()


def test_a_card_shown_as_the_first_act_of_a_hand_was_dealt() -> None:
    """If this failed, who shows a card before the first call would be said to have none."""
    given("kaiser", "W hand 1").when("N show 5h", "N pass").clean()


def test_R4_a_bid_too_low_is_found_though_it_is_not_known_who_dealt() -> None:
    """If this failed, the judge would stop at a bid that for one of those who may have dealt is out of its part of
    the hand; or that would be held against it, and not the bid."""
    lines = ["@ deal N=8x?? E=Ts7d9hJdKh9d9s8s S=8x?? W=8x??", "E bid 7", "S pass", "W bid 4"]
    broken = given("kaiser", "").when(*lines).judgement.broken
    assert {f.rule for f in broken} == {"kaiser.R4", "kaiser.R5"}


@pytest.mark.parametrize("late", [None, Bid(by="E", level=8)])
def test_a_call_that_was_heard_late_is_counted_once(late: Bid | None) -> None:
    """If this failed, a seat whose pass was inferred would have called twice, and could not be told from one that
    was passed over."""
    auction = Auction()
    auction.bid(Bid(by="N", level=7))
    auction.skip(["E"])
    auction.passed("S")
    auction.bid(late) if late is not None else auction.passed("E")
    assert auction.calls == [("N", Bid(by="N", level=7)), ("S", None), ("E", late)]
    assert auction.times == {"N": 1, "E": 1, "S": 1}
    assert (auction.unwritten, auction.silent("NESW"), auction.has_called("E")) == ((), ("W",), True)
    assert auction.take_back() == "E"
    assert (
        auction.calls[-1], auction.bidder, auction.silent("NESW"), auction.has_called("E"),
    ) == (("S", None), "N", ("E", "W"), False)


def test_R8_no_suit_is_told_of_a_hand_that_was_bid_at_no_trump() -> None:
    """If this failed, trumps could be told of a contract that was heard to have none."""
    calls = "W hand 1\nN bid 7{no}\nE pass\nS pass\nW pass"
    given("kaiser", calls.format(no="no")).when("@ tally declarer=N trump=h").finds("R8", words="at no trump")
    given("kaiser", calls.format(no="")).when("@ tally declarer=N trump=h").clean()
