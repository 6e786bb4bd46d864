"""Court Piece, rule by rule: each has the cases of its kind."""

from __future__ import annotations

import pytest
from given import Given, given
from referees.court_piece import Referee
from sampling import seeds

from events.model import Call, Play
from events.writing import write_event
from reducers.legal import legal
from replay.auditing.audit import audit
from replay.fold import fold
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

FIRST = "@ deal N=5x?? E=5x?? S=5x?? W=5x??\n"
SECOND = "@ deal N=8x?? E=8x?? S=8x?? W=8x??\n"
HIDDEN = "W hand 1\n" + FIRST + "N name s\n" + SECOND
# North has the hearts, East the clubs, South the diamonds, West the spades.
SUITS = (
    "W hand 1\n@ deal N=AhKhQhJhTh E=AcKcQcJcTc S=AdKdQdJdTd W=AsKsQsJsTs\nN name h\n"
    "@ deal N=9h8h7h6h5h4h3h2h E=9c8c7c6c5c4c3c2c S=9d8d7d6d5d4d3d2d W=9s8s7s6s5s4s3s2s\n"
)
# Every seat has cards of each suit: North and South take tricks in turn.
MIXED = (
    "W hand 1\n@ deal N=AhKhQh5c4c E=JhTh9hAcKc S=8h7h6h3c2c W=5h4h3hQcJc\nN name s\n"
    "@ deal N=AsKs3d2dTc2h9d8d E=QsJsTs9sAdKdQdJd S=8s7s6s5s4sTd9c8c W=3s2s7d6d5d4d7c6c\n"
)
HEARTS = "AKQJT98765432"
LOW = {"E": "c", "S": "d", "W": "s"}


def swept(tricks: int, start: str = SUITS, south: str = "") -> Given:
    """North takes the first tricks with the hearts, which are trumps; South plays these cards."""
    plays = [(seat, rank + suit) for rank in HEARTS[:tricks] for seat, suit in (("N", "h"), *LOW.items())]
    others = iter(south[i : i + 2] for i in range(0, len(south), 2))
    lines = [f"{seat} play {next(others, card) if seat == 'S' else card}" for seat, card in plays]
    return given("court-piece", start + "\n".join(lines))


def told(*hands: str, dealers: str = "", option: dict[str, object] | None = None) -> Given:
    """Hands of which only the results are told; who deals is left to the page, unless it is said."""
    lines = []
    for i, hand in enumerate(hands, 1):
        lines += [f"{dealers[i - 1]} hand {i}" if dealers else f"@ hand {i}", f"@ tally {hand}"]
    return given("court-piece", "\n".join(lines), **({"option": option} if option else {}))


NS, EW = "tricks.NS=7 tricks.EW=6", "tricks.NS=5 tricks.EW=8"


# R1, the deal
def test_R1_five_and_eight() -> None:
    given("court-piece", HIDDEN).clean()
    assert given("court-piece", HIDDEN).judgement.findings == []
    given("court-piece", SUITS).clean()


def test_R1_eight_in_any_packets() -> None:
    case = given("court-piece", "W hand 1\n" + FIRST + "N name s")
    parts = ["@ deal N=4x?? E=4x?? S=4x?? W=4x??"] * 2
    assert case.when(parts[0]).judgement.state.phase == "second deal"
    assert case.when(*parts).clean().judgement.state.phase == "play"


@pytest.mark.parametrize("deal", ["N=6x??", "N=13x?? E=13x?? S=13x?? W=13x??", "N=5x?? stock=32x??"])
def test_R1_no_more_than_five_before_trumps(deal: str) -> None:
    given("court-piece", "W hand 1").when(f"@ deal {deal}").finds("R1")


def test_R1_no_more_than_thirteen() -> None:
    given("court-piece", "W hand 1\n" + FIRST + "N name s").when("@ deal N=9x??").finds("R1", words="13 cards, not 14")


def test_R1_a_second_deal_before_trumps_may_be_a_line_left_out() -> None:
    case = given("court-piece", "W hand 1\n" + FIRST).when(SECOND)
    case.opens("R1")
    case.when("N play Ah").allows()
    case.when("N name s").finds("R2", words="the rest had already been dealt")


def test_R1_a_deal_that_stands_twice_changes_nothing() -> None:
    case = given("court-piece", HIDDEN).when(SECOND)
    case.opens("R1")
    assert len(case.judgement.state.holding("N")) == 13
    case = given("court-piece", HIDDEN + "N play Ah\nE play 2h\nS play 3h\nW play 4h").when(SECOND).allows()
    assert {len(case.judgement.state.holding(seat)) for seat in "NESW"} == {12}


# R2, trumps
def test_R2_the_dealers_left_names_trumps() -> None:
    case = given("court-piece", "W hand 1\n" + FIRST)
    for suit in "cdhs":
        state = case.when(f"N name {suit}").clean().judgement.state
        assert (state.phase, state.hand.trump) == ("second deal", suit)


@pytest.mark.parametrize("seat", ["E", "S", "W"])
def test_R2_nobody_else_does(seat: str) -> None:
    given("court-piece", "W hand 1\n" + FIRST).when(f"{seat} name s").finds("R2", words="N sits left of the dealer")


@pytest.mark.parametrize("what", ["nt", "7", "x"])
def test_R2_it_is_a_suit(what: str) -> None:
    case = given("court-piece", "W hand 1\n" + FIRST).when(f"N name {what}").finds("R2")
    assert case.judgement.state.phase == "naming"


def test_R2_once_and_before_the_lead() -> None:
    given(
        "court-piece", "W hand 1\n" + FIRST + "N name s",
    ).when("N name h").finds("R2", words="spades were named already")
    given("court-piece", HIDDEN).when("N play Ah", "N name h").finds("R2", words="named already")
    case = given("court-piece", "W hand 1\nN play Ah").when("N name h")
    case.finds("R2", words="before the first lead")
    assert case.judgement.state.hand.trump == ""


def test_R2_open_if_a_card_is_led_before_trumps_were_named() -> None:
    """If this failed, a table could play without trumps, and nothing would be said of it."""
    first = "W hand 1\n@ deal N=5x?? E=5x?? S=5x?? W=5x??\n"
    led = given("court-piece", first).when("N play 5c").opens("R2")
    assert [f.rule for f in led.when("E play 6c").about()] == []
    assert given("court-piece", first + "N name s\n").when("N play 5c").about() == []


def test_R2_trumps_that_nobody_wrote_leave_open_who_wins() -> None:
    case = given("court-piece", "W hand 1").when("N play Ah", "E play 2s", "S play 3h", "W play 4h", "N play Kh")
    case.opens("R3")
    case.when("@ gap", "N name s").opens("R2")


def test_R2_open_after_a_gap_until_the_dealer_is_known() -> None:
    given("court-piece", HIDDEN).when("@ gap", "@ end hand void", "@ gap", "@ hand 2", "E name s").allows()


# R3, the lead; R11, in turn
def test_R3_the_dealers_left_leads() -> None:
    given("court-piece", SUITS).when("N play Ah").allows()
    given("court-piece", SUITS).when("E play Ac").finds("R3", words="N sits left of the dealer")
    # Nobody wrote the second deal.
    given("court-piece", "W hand 1\n" + FIRST + "N name s").when("E play 2h").finds("R3")
    given("court-piece", "W hand 1\n" + FIRST + "N name s").when("N play 2h").allows()


def test_R3_the_lead_shows_who_dealt_after_a_hand_of_which_nobody_knows_who_won() -> None:
    """If this failed, whoever leads to the second hand of an evening of bare cards would be told that somebody else
    sits left of the dealer, though who deals depends on the hand before."""
    for lead in ("N play Ah", "E play Ac"):
        given("court-piece", "W hand 1\n@ tally trump=h\n").when(lead).allows()
    known = given("court-piece", "W hand 1\n@ tally tricks.NS=8\n")
    known.when("E play Ac").finds("R3", words="N sits left of the dealer")
    known.when("N play Ah").allows()
    given("court-piece", "W hand 1\n@ tally trump=h\nE hand 2\n").when("N play Ah").finds("R3", words="S sits left")


def test_R3_the_winner_leads() -> None:
    swept(1).when("N play Kh").allows()
    swept(1).when("W play Ks").finds("R3", words="N won the last trick")


def test_R3_hidden_and_then_provable() -> None:
    case = given("court-piece", HIDDEN).when("N play Kh", "E play ??", "S play 3h", "W play 4h", "N play 2c")
    case.opens("R3")
    case.when("@ fix #6 E play Ah").finds("R3", at=9)
    case.when("@ fix #6 E play 2h").clean()


def test_R11_a_card_with_which_the_record_begins_begins_a_hand() -> None:
    given("court-piece", "N play Ah\nE play 2h\nS play 3h\nN play Kh\n").finds("R11", at=4)


def test_R11_one_card_each_clockwise() -> None:
    given("court-piece", SUITS).when("N play Ah", "E play 2c").allows()
    given("court-piece", SUITS).when("N play Ah", "S play 2d").finds("R11", words="it is the turn of E")
    given("court-piece", SUITS).when("N play AhKh").finds("R11", words="one card")


# R4, following suit
def test_R4_follow_suit() -> None:
    given("court-piece", MIXED).when("N play Ah", "E play Jh").allows()
    given("court-piece", MIXED).when("N play Ah", "E play Ac").finds("R4", words="hearts were led, and E holds one")
    given("court-piece", SUITS).when("N play Ah", "E play 2c").allows()


def test_R4_hidden_hands_are_open_until_the_heart_comes_out() -> None:
    case = given("court-piece", HIDDEN).when("N play Ah", "E play 2c", "S play 3h", "W play 4h")
    case.opens("R4", at=6)
    case.when("N play Kh", "E play 2h").finds("R4", at=6, known=10)


# R5, who wins
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("Ah Kh 2h 3h", "NS"),
        ("2h 3h 4h 5h", "EW"),
        ("Th 9h 2h 3h", "NS"),
        ("9h Th 2h 3h", "EW"),
        ("Ah 2s 3h 4h", "EW"),  # the lowest trump
        ("Ah 2s 3s 4h", "NS"),
        ("2h Ac Ad 3h", "EW"),  # off the suit led wins nothing
    ],
)
def test_R5_who_wins(cards: str, winner: str) -> None:
    lines = [f"{seat} play {card}" for seat, card in zip("NESW", cards.split(), strict=True)]
    case = given("court-piece", HIDDEN).when(*lines)
    case.when(f"@ move * <trick >won:{winner}").allows()
    case.when(f"@ move * <trick >won:{'EW' if winner == 'NS' else 'NS'}").finds("R5")


# R6, a revoke put right within its trick
def mending(*lines: str) -> Given:
    """East has not followed hearts and takes the card back."""
    return given("court-piece", MIXED).when("N play Qh", "E play Ac", *lines)


def test_R6_whoever_revoked_may_follow_after_all() -> None:
    case = mending("E move Ac <trick >E").allows()
    assert case.judgement.state.turn == ("E",)
    state = case.when("E play Jh").allows().judgement.state
    assert state.turn == ("S",)
    assert [seat for seat, _ in state.hand.trick.plays] == ["N", "E"]
    assert len(state.holding("E")) == 12


def test_R6_the_other_card_lies_where_the_first_one_lay() -> None:
    case = mending("S play 8h", "E move Ac <trick >E", "E play Th").allows()
    state = case.judgement.state
    assert ([seat for seat, _ in state.hand.trick.plays], state.turn) == (["N", "E", "S"], ("W",))
    assert [state.game.pack.faces[code] for code in state.table.piles["trick"].codes()] == ["Qh", "Th", "8h"]
    trick = case.when("W play 3h").judgement.state.hand.trick.won[0]
    assert [seat for seat, _ in trick.plays] == ["N", "E", "S", "W"]
    assert trick.winner == "N"


def test_R6_the_card_that_counts_is_the_second_one() -> None:
    trump = given("court-piece", MIXED).when("N play Qh", "E play Qs", "E move Qs <trick >E")
    assert trump.judgement.state.hand.trick.ahead == "N"
    trump = trump.when("E play Jh", "S play 8h", "W play 3h")
    assert trump.judgement.state.hand.trick.won[0].winner == "N"
    club = given("court-piece", MIXED).when(
        "N play 5c", "E play Jh", "S play 8c", "E move Jh <trick >E", "E play Ac", "W play Qc",
    )
    assert club.judgement.state.hand.trick.won[0].winner == "E"


def test_R6_who_played_later_may_change() -> None:
    case = mending("S play 8h", "E move Ac <trick >E", "E play Jh", "S move 8h <trick >S", "S play 6h", "W play 3h")
    assert [f.rule for f in case.judgement.broken] == ["court-piece.R4"]
    assert case.judgement.state.hand.trick.won[0].winner == "N"


def test_R6_both_may_lie_open_at_once() -> None:
    case = mending("S play 8h", "E move Ac <trick >E", "S move 8h <trick >S")
    assert case.allows().judgement.state.turn == ("E",)
    state = case.when("S play 7h", "E play Jh").allows().judgement.state
    assert ([seat for seat, _ in state.hand.trick.plays], state.turn) == (["N", "E", "S"], ("W",))
    case.when("W play 3h").finds("R11")


def test_R6_who_played_before_may_not_change() -> None:
    case = given("court-piece", MIXED).when("N play Qh", "E play Jh", "S play 2c", "S move 2c <trick >S", "S play 8h")
    case.when("E move Jh <trick >E").finds("R6", words="followed suit")
    case.when("N move Qh <trick >N").finds("R6", words="N led")


def test_R6_not_if_nobody_revoked() -> None:
    given("court-piece", MIXED).when(
        "N play Qh", "E play Jh", "E move Jh <trick >E",
    ).finds("R6", words="E followed suit")
    given("court-piece", SUITS).when(
        "N play Ah", "E play Ac", "E move Ac <trick >E",
    ).finds("R6", words="E holds no hearts")
    given("court-piece", MIXED).when("N play Qh", "N move Qh <trick >N").finds("R6", words="N led")


def test_R6_by_nobody_else() -> None:
    mending("S move Ac <trick >E").finds("R6", words="only E may take it back")
    mending("@ move Ac <trick >E").allows()
    mending("S move 8h <trick >S").finds("R6", words="no card")


def test_R6_not_once_the_trick_is_full() -> None:
    case = mending("S play 8h", "W play 3h", "E move Ac <trick >E").finds("R6", words="an incomplete trick")
    # What was done all the same is kept as it was done.
    after = case.when("E play Jh", "N play Ah", "E play Th").judgement
    assert [f.rule for f in after.broken] == ["court-piece.R4", "court-piece.R6"]
    assert [t.winner for t in after.state.hand.trick.won] == ["N"]
    assert [
        after.state.game.pack.faces[code] for _, code in after.state.hand.trick.won[0].plays
    ] == ["Qh", "Jh", "8h", "3h"]
    full = given("court-piece", MIXED).when("N play Qh", "E play Jh", "S play 8h", "W play Qc", "W move Qc <trick >W")
    full.finds("R6", words="incomplete trick")


def test_R6_the_card_that_replaces_it_follows_suit() -> None:
    mending("E move Ac <trick >E", "E play Kc").finds("R4")


def test_R6_hidden_and_then_provable() -> None:
    case = given("court-piece", HIDDEN).when("N play Qh", "E play Ac", "E move Ac <trick >E")
    case.opens("R6")
    case.when("E play Jh").allows(at=7)
    assert [f.rule for f in case.when("E play Jh").judgement.findings] == ["court-piece.R4"]
    proven = given("court-piece", HIDDEN.replace("E=5x??", "E=5x?c").replace("E=8x??", "E=8x?c"))
    proven.when("N play Qh", "E play Ac", "E move Ac <trick >E").finds("R6", words="holds no hearts")


def test_R6_wrongly_denied() -> None:
    mending("S fault back E").finds("R6", words="the trick is not full")
    given("court-piece", MIXED).when("N play Qh", "E play Jh", "S fault back E").allows()
    given("court-piece", HIDDEN).when("N play Qh", "E play Ac", "S fault back E").opens("R6")
    mending("S fault slow E").allows()


def test_R6_a_card_taken_back_without_a_line_is_replaced_all_the_same() -> None:
    for case in (mending("E play Jh"), given("court-piece", HIDDEN).when("N play Qh", "E play Ac", "E play Jh")):
        state = case.allows().judgement.state
        assert ([seat for seat, _ in state.hand.trick.plays], state.turn) == (["N", "E"], ("S",))
        assert any("E took the A♣ back" in text for _, text in state.inferred)
        assert [f.rule for f in case.judgement.broken] == ["court-piece.R4"]
    later = mending("S play 8h", "E play Jh", "S play 6h").allows()
    assert [
        later.judgement.state.game.pack.faces[code] for _, code in later.judgement.state.hand.trick.plays
    ] == ["Qh", "Jh", "6h"]
    assert later.when("W play 3h").allows().judgement.state.hand.trick.won[0].winner == "N"
    # A second card that does not follow either, or that of a seat that had followed, is out of turn.
    mending("E play Kc").finds("R11")
    given("court-piece", MIXED).when("N play Qh", "E play Jh", "E play Th").finds("R11")


def test_R6_an_unseen_card_may_have_been_taken_back() -> None:
    given("court-piece", HIDDEN).when("N play Qh", "E play ??", "E play Jh").opens("R11")
    given("court-piece", HIDDEN).when("N play Qh", "E play ??", "E play Jc").finds("R11")


def test_R6_it_stays_the_turn_of_whoever_took_a_card_back() -> None:
    case = mending("E move Ac <trick >E", "S play 8h").finds("R11", words="the turn of E")
    case.when("E play Jh").allows()


def test_R6_the_lead_itself_may_be_taken_back_and_is_marked() -> None:
    case = given("court-piece", MIXED).when("N play Qh", "E play Jh", "N move Qh <trick >N", "N play 4c")
    state = case.judgement.state
    assert (state.hand.trick.led, state.turn) == ("c", ("S",))
    assert [seat for seat, _ in state.hand.trick.plays] == ["N", "E"]


# R7, a revoke that is claimed later
def revoked(*lines: str) -> Given:
    """East did not follow hearts in the first trick, which North won; then these lines."""
    return given("court-piece", MIXED).when("N play Ah", "E play Ac", "S play 8h", "W play 3h", *lines)


@pytest.mark.parametrize(
    "call", ["N call revoke E #6", "S call revoke E", "N call revoke", "E call revoke E", "E call revoke"],
)
def test_R7_a_revoke_ends_the_hand(call: str) -> None:
    case = revoked(call).allows().scores(NS=1, EW=0)
    assert case.judgement.state.scores[-1].result == "N & S by a revoke"
    assert case.judgement.state.standing.row == {"NS": 1, "EW": 0}


def test_R7_not_within_its_trick() -> None:
    given("court-piece", MIXED).when("N play Ah", "E play Ac", "N call revoke E").finds(
        "R7", words="followed suit in each full trick",
    )


def test_R7_an_unseen_card_of_an_unfinished_trick_is_no_revoke() -> None:
    """Who has led, or plays to an incomplete trick, has not failed to follow suit yet, whatever the card was."""
    given("court-piece", MIXED).when(
        "N play ??", "E play Jh", "W call revoke",
    ).finds("R7", words="everybody followed suit")
    led = given("court-piece", MIXED).when("N play ??", "E play Jh", "S play 8h", "W play 3h", "W call revoke N")
    led.finds("R7", words="N followed suit in each full trick")
    given("court-piece", MIXED).when("N play Ah", "E play ??", "S play 8h", "W play 3h", "N call revoke E").opens("R7")


def test_R7_a_claim_shows_that_the_rest_was_dealt() -> None:
    case = given("court-piece", "W hand 1\n" + FIRST + "N name s").when("N call revoke E")
    assert [f.rule for f in case.judgement.broken] == ["court-piece.R7"]


def test_R7_not_if_nobody_revoked() -> None:
    case = given("court-piece", MIXED).when("N play Ah", "E play Jh", "S play 8h", "W play 3h")
    case.when("N call revoke E").finds("R7", words="E followed suit in each full trick, or could not")
    case.when("N call revoke").finds("R7", words="everybody")
    swept(3).when("N call revoke E").finds("R7")


def test_R7_hidden_and_then_provable() -> None:
    case = given("court-piece", HIDDEN).when("N play Ah", "E play 2c", "S play 3h", "W play 4h", "N call revoke E")
    case.opens("R7")
    case.when("E show 9h").allows(at=9)
    assert [f.rule for f in case.when("E show 9h").judgement.findings] == ["court-piece.R4"]
    later = given("court-piece", HIDDEN).when(
        "N play Ah", "E play 2c", "S play 3h", "W play 4h", "N play Kh", "E play 2h", "N call revoke E #6"
    )
    assert [f.rule for f in later.judgement.findings] == ["court-piece.R4"]


def test_R7_the_play_goes_on_after_a_claim_that_did_not_stand() -> None:
    case = given("court-piece", HIDDEN).when(
        "N play Ah", "E play 2c", "S play 3h", "W play 4h", "N call revoke E", "N play Kh",
    )
    state = case.allows().judgement.state
    assert (state.number, state.phase, state.turn, state.scores) == (1, "play", ("E",), [])
    assert any("was rejected" in text for _, text in state.inferred)
    assert fold(case.records).turn == ("E",)


def test_R7_it_may_be_said_that_the_play_goes_on() -> None:
    case = given("court-piece", HIDDEN).when(
        "N play Ah", "E play 2c", "S play 3h", "W play 4h", "N call revoke E", "E call on",
    )
    state = case.allows().judgement.state
    assert (state.number, state.phase, state.turn, state.scores) == (1, "play", ("N",), [])
    case.when("N play Kh").clean()
    assert swept(7).when("E call revoke N", "N call on").judgement.state.standing.totals == {"NS": 1, "EW": 0}


def test_R7_a_claim_that_is_right_is_not_played_over() -> None:
    case = revoked("N call revoke E", "N play Kh").finds("R7", words="the hand is over")
    case.when("E play Jh").allows()
    said = revoked("N call revoke E", "E call on").finds("R7", words="the hand is over")
    assert [f.rule for f in said.when("N play Kh").judgement.broken] == ["court-piece.R4", "court-piece.R7"]


def test_R7_as_it_is_typed() -> None:
    def typed(line: str, case: Given) -> list[str]:
        return [write_event(r.event) for r in Session(case.records).complete(line).events]

    assert typed("revoke e", revoked()) == ["N call revoke E"]
    assert typed("w revoke E", revoked()) == ["W call revoke E"]
    claimed = given("court-piece", HIDDEN).when("N play Ah", "E play 2c", "S play 3h", "W play 4h", "N call revoke E")
    assert typed("e on", claimed) == ["E call on"]
    assert typed("on", claimed) == ["N call on"]
    assert typed("s on", swept(7)) == ["S call on"]
    assert typed("6h", swept(7)) == ["N play 6h"]


def test_R7_not_once_the_hand_is_over() -> None:
    log = simulate("court-piece", seed=3, hands=1)
    case = given("court-piece", "\n".join(write_event(r.event) for r in log[1:]))
    late = case.when("N call revoke E").finds("R7", words="the hand is over")
    assert late.judgement.state.number == 1
    assert late.judgement.state.scores == case.judgement.state.scores
    given("court-piece", "").when("N call revoke E").finds("T6")
    revoked("N call revoke E", "N call revoke E").finds("R7", words="the hand is over")


def test_R7_the_court_of_a_sweep_goes_to_the_others() -> None:
    case = swept(7).when("N call on", "N play 6h", "E play 6c", "S play 6d", "W play 6s")
    assert case.clean().judgement.state.scores[-1].points == {"NS": 1, "EW": 0}
    forfeited = case.when("N play 5h", "E play 5c", "S play 5d", "W play 5s", "E call revoke N")
    assert forfeited.judgement.state.scores[-1].points == {"NS": 0, "EW": 1}


def test_R7_during_the_choice_after_a_sweep() -> None:
    case = swept(7).when("E call revoke S").finds("R7")
    state = case.when("N play 6h").judgement.state
    assert (state.phase, state.turn, state.scores[-1].points) == ("play", ("E",), {"NS": 1, "EW": 0})


@pytest.mark.parametrize(("offender", "dealer"), [("E", "E"), ("N", "N")])
def test_R7_and_R10_who_deals_after_a_revoke(offender: str, dealer: str) -> None:
    # West deals: its partner deals next if the dealer's side revoked, the dealer's left if the others did.
    other = "N" if offender == "E" else "E"
    case = given("court-piece", HIDDEN).when(
        "N play Ah", "E play 2c", "S play 3c", "W play 4h", f"{other} call revoke {offender}",
    )
    case.when(f"{dealer} hand 2").allows()
    case.when(f"{'S' if dealer == 'N' else 'W'} hand 2").finds("R10")


def revoked_and_swept(*lines: str) -> Given:
    """South kept a heart while North swept; North plays on, and loses the eighth trick."""
    start = SUITS.replace("3h2h", "3h2c").replace("3c2c", "3c2d").replace("3d2d", "3d2h")
    return swept(7, start, south="AdKdQdJdTd9d8d").when("N play 2c", "E play 7c", "S play 7d", "W play 6s", *lines)


def test_R7_after_a_trick_lost_by_the_side_that_swept() -> None:
    case = revoked_and_swept("E call revoke S").allows().scores(NS=0, EW=1)
    case.when("N hand 2").allows()
    case.when("E play 6c").finds("R7", words="the hand is over")
    wrong = revoked_and_swept("E call revoke N").finds("R7", words="N followed suit")
    state = wrong.when("E play 6c").allows().scores(NS=1, EW=0).judgement.state
    assert (state.phase, state.turn) == ("play", ("S",))
    revoked_and_swept("E hand 2", "E call revoke S").finds("T6")


def test_R7_a_claim_stands_though_the_tricks_before_it_went_by() -> None:
    given("court-piece", HIDDEN).when("@ gap", "N call revoke E").scores(NS=1, EW=0)


# R8, the sweep
def test_R8_the_hand_stops_after_seven() -> None:
    case = swept(7).clean().scores(NS=1, EW=0)
    assert case.judgement.state.turn == ("N", "S")
    case.when("N call stop").clean().scores(NS=1, EW=0)
    case.when("N hand 2").finds("R10")
    case.when("E hand 2").clean().totals(NS=1, EW=0)
    assert swept(6).judgement.state.scores == []


@pytest.mark.parametrize("goes_on", ["N call on", "S call on", "N play 6h"])
def test_R8_the_side_may_play_on(goes_on: str) -> None:
    state = swept(7).when(goes_on).clean().judgement.state
    assert state.phase == "play"
    assert swept(7).when(goes_on).judgement.state.standing.totals == {"NS": 1, "EW": 0}


def test_R8_nobody_else_chooses() -> None:
    for word in ("on", "stop"):
        swept(7).when(f"E call {word}").finds("R8", words="NS took the first 7 tricks and chooses")
        swept(6).when(f"N call {word}").finds("R8", words="no side has just taken")
        swept(7).when("N call stop", f"N call {word}").finds("R8", words="no hand is in play")
        swept(7).when("N call on", f"S call {word}").finds("R8", words="NS chose before this to play on")
    swept(7).when("S play 6d").finds("R3", words="N won the last trick")


def test_R8_open_while_it_is_open_who_has_the_seventh() -> None:
    unseen = ["N play ??", "E play ??", "S play 7d", "W play 7s"]
    hidden, seen = (swept(7, start).lines.splitlines()[:-4] for start in (HIDDEN.replace("name s", "name h"), SUITS))
    case = given("court-piece", "\n".join([*hidden, *unseen]))
    case.when("N call stop").opens("R8")
    # Where the hands lay open, North can only have led a trump, and East have thrown a club.
    given("court-piece", "\n".join([*seen, *unseen])).when("N call stop").clean()
    state = case.when("N hand 2").judgement.state
    assert state.scores[0].points == {"NS": 1, "EW": 0}
    assert any("the hand stopped after 7 tricks" in text for _, text in state.inferred)


def test_R8_after_a_gap_a_hand_that_had_stopped_is_over() -> None:
    state = swept(7).when("@ gap", "S play 6d").allows().judgement.state
    assert (state.number, state.phase) == (2, "gap")
    assert state.scores[0].points == {"NS": 1, "EW": 0}


def test_R8_wrongly_denied() -> None:
    swept(7).when("E fault on N").finds("R8", words="may play on")
    swept(7).when("E fault on").finds("R8")
    swept(6).when("E fault on N").allows()
    swept(7).when("E fault on W").allows()


def test_R8_all_thirteen_are_52() -> None:
    swept(13).clean().scores(NS=52, EW=0)


def test_R8_a_trick_lost_later_ends_it_and_costs_nothing() -> None:
    # North has the two of clubs in place of that of hearts, which South must play at once; East has that of diamonds.
    start = SUITS.replace("3h2h", "3h2c").replace("3c2c", "3c2d").replace("3d2d", "3d2h")
    case = swept(12, start, south="2hAdKdQdJdTd9d8d7d6d5d4d")
    over = case.when("N play 2c", "E play 2d", "S play 3d", "W play 2s").clean().scores(NS=52, EW=0)
    assert over.judgement.state.phase == "between"
    seven = swept(7, start, south="2hAdKdQdJdTd9d")
    lost = seven.when("N play 2c", "E play 7c", "S play 8d", "W play 6s").clean().scores(NS=1, EW=0)
    assert (lost.judgement.state.phase, lost.judgement.state.turn) == ("decided", ())
    # It may end there, or be played out.
    lost.when("E hand 2").clean().totals(NS=1, EW=0)
    lost.when("E play 6c").clean().totals(NS=1, EW=0)
    lost.when("E play 6c", "S play 7d", "W play 5s", "N play 6h", "E hand 2").clean().totals(NS=1, EW=0)
    assert lost.when("E play 6c").judgement.state.number == 1


def test_R8_the_next_hand_may_begin_without_its_line() -> None:
    state = swept(7).when("S name s").clean().judgement.state
    assert (state.number, state.dealer, state.hand.trump) == (2, "E", "s")
    assert fold(swept(7).when("@ deal N=5x?? E=5x?? S=5x?? W=5x??").records).number == 2


# R9, thirteen tricks
def test_R9_with_the_first_seven_shared_all_are_played() -> None:
    log = simulate("court-piece", seed=3, hands=1)
    assert sum(isinstance(r.event, Play) for r in log) == 52
    cut = given("court-piece", "\n".join(write_event(r.event) for r in log[1:-4]))
    assert cut.judgement.state.scores == []
    assert cut.when("N hand 2").judgement.state.scores[0].points == {"NS": None, "EW": None}


@pytest.mark.parametrize(
    "tally",
    ["tricks.NS=14", "tricks.NS=7 tricks.EW=7", "tricks.NS=6 tricks.EW=6", "sweep=EW tricks.EW=6",
     "winner=NS tricks.NS=6",
     "winner=NS revoke=NS", "winner=NS sweep=EW", "winner=X", "tricks.NS=7 tricks.EW=5", "tricks.NS=2 tricks.EW=10"],
)  # fmt: skip
def test_R9_figures_that_cannot_be(tally: str) -> None:
    case = given("court-piece", "W hand 1").when(f"@ tally {tally}")
    assert [f.verdict.value for f in case.about()] == ["broken"], case.about()
    assert case.judgement.state.scores[0].points == {"NS": None, "EW": None}


def test_R9_one_figure_gives_the_other() -> None:
    case = given("court-piece", "W hand 1").when("@ tally tricks.EW=6").scores(NS=0, EW=0)
    assert case.judgement.state.scores[0].result == "N & S won 7–6"
    given("court-piece", "W hand 1").when("@ tally tricks.NS=13").scores(NS=52, EW=0)
    given("court-piece", "W hand 1").when("@ tally tricks.NS=0 tricks.EW=7").scores(NS=0, EW=1)
    given("court-piece", "W hand 1").when("@ tally tricks.NS=1 tricks.EW=9").scores(NS=0, EW=1)
    given("court-piece", "W hand 1").when("@ tally tricks.NS=7 tricks.EW=5 sweep=NS").scores(NS=1, EW=0)
    given("court-piece", "W hand 1").when("@ tally tricks.NS=3 tricks.EW=4 revoke=NS").scores(NS=0, EW=1)
    given("court-piece", "W hand 1").when("@ tally sweep=EW").scores(NS=0, EW=1)
    given("court-piece", "W hand 1").when("@ tally sweep=EW tricks.EW=7 tricks.NS=0").scores(NS=0, EW=1)
    given("court-piece", "W hand 1").when("@ tally sweep=N tricks.NS=8").scores(NS=1, EW=0)
    given("court-piece", "W hand 1").when("@ tally revoke=W").scores(NS=1, EW=0)
    given("court-piece", "W hand 1").when("@ tally winner=S").scores(NS=None, EW=0)
    # A side without a trick was swept, and whether the others went on for all thirteen is not said.
    given("court-piece", "W hand 1").when("@ tally sweep=EW tricks.NS=0").scores(NS=0, EW=None)
    given("court-piece", "W hand 1").when("@ tally tricks.NS=0").scores(NS=0, EW=None)


def test_R9_who_plays_on_after_a_sweep_may_get_more_tricks() -> None:
    case = swept(7).when("N call on", "N play 6h")
    case.when("@ tally tricks.NS=12 tricks.EW=1").clean().scores(NS=1, EW=0)
    case.when("@ tally tricks.NS=6 tricks.EW=7").finds("T12")


# R10, who deals
@pytest.mark.parametrize(
    ("result", "deals"),
    [
        (EW, "N"),  # the dealer's side won: its left
        (NS, "W"),  # lost without a court: again
        ("sweep=NS", "E"),  # lost with a court: the partner
        ("sweep=EW", "N"),
        ("revoke=EW", "E"),
        ("revoke=NS", "N"),
        ("tricks.NS=13", "E"),
        ("tricks.EW=13", "N"),
    ],
)
def test_R10_a_loser_deals(result: str, deals: str) -> None:
    case = given("court-piece", f"W hand 1\n@ tally {result}")
    for seat in "NESW":
        if seat == deals:
            case.when(f"{seat} hand 2").allows()
        else:
            case.when(f"{seat} hand 2").finds("R10", words=f"{deals} deals")
    assert case.when("@ hand 2").judgement.state.dealer == deals


def test_R10_the_seventh_in_a_row_is_a_court_for_the_dealer_too() -> None:
    case = told(*[NS] * 7, dealers="WWWWWWW").clean().totals(NS=1, EW=0)
    case.when("E hand 8").allows()
    case.when("W hand 8").finds("R10")


def test_R10_the_same_dealer_after_a_hand_that_does_not_count() -> None:
    case = given("court-piece", "S hand 1\n@ tally void=misdeal")
    case.when("W hand 2").allows()
    assert case.when("@ hand 2").judgement.state.dealer == "S"


def test_R10_open_while_the_last_hand_is_not_known() -> None:
    given("court-piece", "W hand 1\n@ tally trump=h").when("E hand 2").opens("R10")
    given("court-piece", "W hand 1\n@ tally trump=h\nW hand 2\n@ tally tricks.NS=8").when("E hand 3").opens("R10")
    given("court-piece", "W hand 1\n@ tally trump=h\nW hand 2\n@ tally tricks.NS=8").when("N hand 3").finds("R10")
    given("court-piece", "W hand 1\n@ tally trump=h\nW hand 2\n@ tally tricks.NS=4").when("N hand 3").allows()


# R14, not to be seen
def test_R14_advice_on_trumps_is_noted_and_has_no_effect() -> None:
    given("court-piece", "W hand 1\n" + FIRST).when("E fault advice S", "N name s").clean()


# R12, courts and hands in a row
def test_R12_seven_hands_in_a_row() -> None:
    told(*[NS] * 6).clean().totals(NS=0, EW=0)
    seven = told(*[NS] * 7).clean().totals(NS=1, EW=0)
    assert seven.judgement.state.standing.row == {"NS": 0, "EW": 0}
    told(*[NS] * 13).totals(NS=1, EW=0)
    told(*[NS] * 14).totals(NS=2, EW=0)


def test_R12_the_others_break_it_and_begin_at_one() -> None:
    case = told(*[NS] * 6, EW)
    assert case.totals(NS=0, EW=0).judgement.state.standing.row == {"NS": 0, "EW": 1}
    told(*[NS] * 6, EW, *[NS] * 6).totals(NS=0, EW=0)
    told(*[NS] * 6, EW, *[NS] * 7).totals(NS=1, EW=0)


def test_R12_other_courts_count_in_the_row_and_do_not_end_it() -> None:
    assert told(NS, "sweep=NS", "revoke=EW").totals(NS=2, EW=0).judgement.state.standing.row == {"NS": 3, "EW": 0}
    told(*[NS] * 6, "sweep=NS").totals(NS=2, EW=0)
    told(*[NS] * 6, "revoke=EW").totals(NS=2, EW=0)
    told(*[NS] * 6, "tricks.NS=13").totals(NS=53, EW=0)
    assert told(*[NS] * 3, "sweep=EW").judgement.state.standing.row == {"NS": 0, "EW": 1}


def test_R12_option_reset_on_any_court() -> None:
    option: dict[str, object] = {"reset_on_any_court": True}
    assert told(NS, "sweep=NS", option=option).totals(NS=1, EW=0).judgement.state.standing.row == {"NS": 0, "EW": 0}
    assert told(NS, "sweep=NS").judgement.state.standing.row == {"NS": 2, "EW": 0}
    told(*[NS] * 3, "sweep=NS", *[NS] * 3, option=option).totals(NS=1, EW=0)
    told(*[NS] * 3, "sweep=NS", *[NS] * 3).totals(NS=2, EW=0)


def test_R12_a_hand_that_does_not_count_leaves_the_row() -> None:
    told(*[NS] * 6, "void=misdeal", NS).totals(NS=1, EW=0)
    broken_off = told(*[NS] * 6).when("@ hand 7", "N name s", "@ end hand time", "@ hand 8", "@ tally tricks.NS=8")
    broken_off.totals(NS=1, EW=0)


def test_R12_a_hand_of_which_nothing_is_known_leaves_the_row_open() -> None:
    case = told("trump=h", NS)
    assert case.judgement.state.standing.row == {"NS": None, "EW": 0}
    assert case.judgement.state.standing.totals == {"NS": None, "EW": None}
    again = told("trump=h", NS, EW).judgement.state
    assert (again.standing.row, again.scores[-1].points) == ({"NS": 0, "EW": 1}, {"NS": 0, "EW": 0})


def test_R12_a_claim_that_is_wrong() -> None:
    wrong = score_match(told(*[NS] * 7).when("@ claim NS=2 EW=0").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("NS", 2, 1)]
    assert claim_differences(score_match(told(*[NS] * 7).when("@ claim NS=1 EW=0").records)) == []


def test_R12_a_ruling_gives_courts() -> None:
    lines = "W hand 1\n@ tally tricks.NS=8\nE dispute #2\n@ ruling #3 revoke=NS"
    score = score_match(given("court-piece", lines).records)
    assert score.ways["played"].totals == {"NS": 0, "EW": 0}
    assert score.ways["ruled"].totals == {"NS": 0, "EW": 1}
    lines = "W hand 1\n@ tally tricks.NS=8\nE dispute #2\n@ ruling #3 revoke courts.EW=1"
    assert score_match(given("court-piece", lines).records).ways["ruled"].totals == {"NS": 0, "EW": 1}


# R13, the match
def outcome(case: Given) -> tuple[str, str]:
    """How the match ended, and who has won it."""
    state = case.judgement.state
    return state.ended, state.standing.winner


def test_R13_the_table_ends_it() -> None:
    assert outcome(told(*[NS] * 7)) == ("", "")
    assert outcome(told(*[NS] * 7).when("@ end match time")) == ("agreed", "NS")
    assert outcome(told(*[NS] * 6, EW).when("@ end match time")) == ("agreed", "")
    assert outcome(told("sweep=NS", "sweep=EW").when("@ end match time")) == ("agreed", "")


def test_R13_a_hand_in_play_does_not_count_but_for_its_sweep() -> None:
    swept(6).when("@ end match time").totals(NS=0, EW=0)
    swept(7).when("@ end match time").totals(NS=1, EW=0)
    swept(9).when("@ end match time").totals(NS=1, EW=0)
    assert outcome(swept(9).when("@ end match time")) == ("agreed", "NS")


def test_R13_option_hands() -> None:
    assert outcome(told("sweep=NS", EW, option={"hands": 3})) == ("", "")
    assert outcome(told("sweep=NS", EW, EW, option={"hands": 3})) == ("won", "NS")
    assert outcome(told(NS, EW, EW, option={"hands": 3})) == ("won", "")
    assert outcome(told("sweep=NS", "void=misdeal", EW, option={"hands": 3})) == ("", "")


@pytest.mark.parametrize("line", ["@ claim NS=1 EW=0", "E dispute #2", "N confirm #2", "E fault revoke N"])
def test_R13_what_is_said_of_the_last_hand_is_no_play_after_the_match(line: str) -> None:
    over = told("sweep=NS", option={"hands": 1})
    over.when(line).allows()
    over.when("E hand 2").finds("T6", words="the match was over")
    over.when("N name s").finds("T6", words="the match was over")


# at the table
def test_legal_acts_after_a_sweep_are_stop_on_and_leads() -> None:
    acts = legal(swept(7).judgement.state).acts
    assert {(a.by, a.word) for a in acts if isinstance(a, Call)} == {
        ("N", "stop"), ("N", "on"), ("S", "stop"), ("S", "on"),
    }
    assert {a.cards[0] for a in acts if isinstance(a, Play)} == {f"{rank}h" for rank in HEARTS[7:]}


def test_a_known_revoke_is_among_what_may_be_claimed() -> None:
    assert Call(by="N", word="revoke", who="E") in legal(revoked().judgement.state).acts
    assert not any(isinstance(a, Call) for a in legal(given("court-piece", MIXED).judgement.state).acts)


# the referee: a second opinion, written from the rule text alone
OPTIONS: dict[str, dict[str, object]] = {
    "as it is": {}, "seven hands": {"hands": 7}, "anew": {"reset_on_any_court": True},
    "both": {"hands": 20, "reset_on_any_court": True},
}  # fmt: skip


def referee(name: str) -> Referee:
    """The second opinion with these options."""
    options = OPTIONS[name]
    return Referee(
        ["N", "E", "S", "W"], hands=int(str(options.get("hands", 0))),
        reset_on_any_court=bool(options.get("reset_on_any_court")),
    )


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", seeds(2, 50))
def test_the_referee_agrees_about_legal_matches(seed: int, name: str) -> None:
    """Four hands or more in nearly every match: the courts of each, and who has won."""
    records = simulate("court-piece", seed=seed, options=OPTIONS[name])
    second = referee(name)
    state = fold(records)
    assert second.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == second.hands
    assert state.standing.winner == second.winner()


@pytest.mark.parametrize("name", ["as it is", "both"])
@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int, name: str) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    records, _ = simulate_breaches("court-piece", seed=seed, p=0.05, hands=1, options=OPTIONS[name])
    assert referee(name).read([write_event(r.event) for r in records[1:]]) == min(
        (f.at.pos for f in judge(records).broken), default=0,
    )


def test_R6_a_card_moved_away_that_nobody_played_stops_nothing() -> None:
    """If this failed, a slip in a line that takes a card back would end every command with an error."""
    case = given("court-piece", "E play Ah\nW move 8h <trick >W").when("S move 6d <trick >S", "S play 7h")
    assert {f.rule for f in case.judgement.broken} >= {"court-piece.R6"}


# R7, a revoke that is proven and that nobody claimed


def test_R7_by_the_rules_a_proven_revoke_forfeits_the_hand() -> None:
    """If this failed, the audit would say that the text names no penalty for a revoke, which costs the hand and a
    court."""
    case = revoked("N play Kh", "E play Jh", "@ end hand agreed")
    ways = score_match(case.records).ways
    assert (ways["played"].totals, ways["rules"].totals) == ({"NS": 0, "EW": 0}, {"NS": 1, "EW": 0})
    (found,) = (f for f in audit(case.records).broken if f.rule == "court-piece.R4")
    assert found.cost == "E & W forfeit the hand, and N & S score a court"


def test_R7_a_revoke_that_was_claimed_costs_no_second_time() -> None:
    assert "rules" not in score_match(revoked("N call revoke E").records).ways


def test_R7_a_revoke_that_was_put_right_costs_nothing() -> None:
    """If this failed, a card that the table let a player take back would forfeit the hand."""
    case = given("court-piece", MIXED).when(
        "N play Ah", "E play Ac", "E back", "E play Jh", "S play 8h", "W play 5h", "@ end hand agreed",
    )
    assert "rules" not in score_match(case.records).ways
