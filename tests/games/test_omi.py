"""Omi, rule by rule: each has the cases of its kind."""

from __future__ import annotations

import pytest
from given import Given, given
from referees.omi import Referee
from sampling import seeds

from events.errors import UnreadableError
from events.model import Name, Play
from events.writing import write_event
from reducers.first_state import begin
from reducers.legal import legal
from replay.fold import fold
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches

FIRST = "@ deal N=4x?? E=4x?? S=4x?? W=4x??\n"
HIDDEN = "W hand 1\n" + FIRST + "N name s\n" + FIRST
# North has the hearts, East the clubs, South the diamonds, West the spades.
SUITS = (
    "W hand 1\n@ deal N=AhKhQhJh E=AcKcQcJc S=AdKdQdJd W=AsKsQsJs\nN name h\n"
    "@ deal N=Th9h8h7h E=Tc9c8c7c S=Td9d8d7d W=Ts9s8s7s\n"
)
MIXED = (
    "W hand 1\n@ deal N=AhKh8c7c E=QhJhAcKc S=Th9hQcJc W=8h7hTc9c\nN name s\n"
    "@ deal N=AsKsAdKd E=QsJsQdJd S=Ts9sTd9d W=8s7s8d7d\n"
)
DEALERS = "WNES"


def told(*tricks: int | str, option: dict[str, object] | None = None) -> Given:
    """Hands of which only the tricks of North and South are told, or how they ended; West deals first, and the deal
    passes on."""
    lines = []
    for i, n in enumerate(tricks):
        lines += [f"{DEALERS[i % 4]} hand {i + 1}", f"@ tally tricks.NS={n}" if isinstance(n, int) else n]
    return given("omi", "\n".join(lines), **({"option": option} if option else {}))


# R1, the deal
def test_R1_four_and_four() -> None:
    assert given("omi", HIDDEN).judgement.findings == []
    given("omi", SUITS).clean()
    assert given("omi", SUITS).judgement.state.phase == "play"


@pytest.mark.parametrize("deal", ["N=5x??", "N=8x?? E=8x?? S=8x?? W=8x??", "stock=4x??"])
def test_R1_no_more_than_four_before_trumps(deal: str) -> None:
    given("omi", "W hand 1").when(f"@ deal {deal}").finds("R1")


def test_R1_no_more_than_eight() -> None:
    given("omi", "W hand 1\n" + FIRST + "N name s").when("@ deal E=5x??").finds("R1", words="8 cards, not 9")


@pytest.mark.parametrize("card", ["6h", "2c"])
def test_R1_low_cards_are_tokens(card: str) -> None:
    given("omi", HIDDEN).when(f"N play {card}").finds("T1")


def test_R1_a_second_deal_before_trumps_may_be_a_line_left_out() -> None:
    given("omi", "W hand 1\n" + FIRST).when(FIRST).opens("R1")


# R2, who names trumps
def test_R2_the_dealers_left_names_any_suit() -> None:
    for suit in "cdhs":
        given("omi", SUITS.splitlines()[0]).when("@ deal N=AhKhQhJh", f"N name {suit}").allows()


@pytest.mark.parametrize("seat", ["E", "S", "W"])
def test_R2_nobody_else_does(seat: str) -> None:
    given("omi", "W hand 1\n" + FIRST).when(f"{seat} name s").finds("R2", words="N sits left of the dealer")


@pytest.mark.parametrize("game", ["omi", "court-piece"])
def test_R2_whoever_names_trumps_in_a_record_that_begins_with_it_sits_left_of_the_dealer(game: str) -> None:
    case = given(game, "E name h").clean()
    assert case.judgement.state.dealer == "N"
    case.when("E play Ah").clean()
    # The player left of the dealer names trumps and leads: either E has named them or N has led out of turn.
    case.when("N play Ah").opens("R4" if game == "omi" else "R3").allows()
    given(game, "E name h", Dealer="W").finds("R2", words="N sits left of the dealer")


def test_R2_a_suit_and_once() -> None:
    given("omi", "W hand 1\n" + FIRST).when("N name nt").finds("R2", words="one of c, d, h, s")
    given("omi", "W hand 1\n" + FIRST).when("N name s", "N name h").finds("R2", words="spades were named already")


def test_R2_open_if_a_card_is_led_before_trumps_were_named() -> None:
    """If this failed, a table could play without trumps, and nothing would be said of it."""
    for first in (
        "W hand 1\n" + FIRST, SUITS.splitlines()[0] + "\n@ deal N=AhKhQhJh E=AcKcQcJc S=AdKdQdJd W=AsKsQsJs\n",
    ):
        led = given("omi", first).when("N play Ah").opens("R2")
        assert [f.rule for f in led.when("E play Ac").about() if f.rule.endswith("R2")] == []
        assert given("omi", first + "N name s\n").when("N play Ah").about() == []


def test_R2_open_after_a_gap() -> None:
    given("omi", HIDDEN).when("@ gap", "E name h").opens("R2")
    given("omi", HIDDEN).when("@ end hand void", "@ gap", "@ hand 2", "W name h").opens("R2")


# R3, when
def test_R3_between_the_two_deals() -> None:
    given("omi", "W hand 1\n" + FIRST).when("N name s").allows()
    given("omi", "W hand 1\n" + FIRST + FIRST).when("N name s").finds("R3", words="after the first 4 cards")
    given("omi", "W hand 1\n" + FIRST).when("N play Ah", "N name s").finds("R3", words="before the first lead")


def test_R3_trumps_that_nobody_wrote_leave_open_who_wins() -> None:
    case = given("omi", "W hand 1").when("N play Ah", "E play 7s", "S play 8h", "W play 9h", "N play Kh")
    case.opens("R4")
    assert any("the suit was not recorded" in text for _, text in case.judgement.state.inferred)


# R4, the lead; R5, in turn
def test_R4_the_declarer_leads_in_person() -> None:
    given("omi", SUITS).when("N play 7h").allows()
    given("omi", SUITS).when("S play Ad").finds("R4", words="N sits left of the dealer")
    given("omi", "W hand 1\n" + FIRST + "N name s").when("N play 7h").allows()


def test_R4_the_winner_leads() -> None:
    trick = ["N play Ah", "E play 7c", "S play 7d", "W play 7s"]
    given("omi", SUITS).when(*trick, "N play Kh").allows()
    given("omi", SUITS).when(*trick, "W play As").finds("R4", words="N won the last trick")


def test_R4_hidden_and_then_provable() -> None:
    case = given("omi", HIDDEN).when("N play Kh", "E play ??", "S play 9h", "W play 8h", "N play 7c")
    case.opens("R4")
    case.when("@ fix #6 E play Ah").finds("R4", at=9)
    case.when("@ fix #6 E play 7h").clean()


def test_R5_one_card_each_clockwise() -> None:
    given("omi", SUITS).when("N play Ah", "S play 7d").finds("R5", words="it is the turn of E")
    given("omi", SUITS).when("N play AhKh").finds("R5", words="one card")
    given("omi", SUITS).when("N play Ah", "E play 7c").allows()


# R6, following suit
def test_R6_follow_suit() -> None:
    given("omi", MIXED).when("N play Ah", "E play Jh").allows()
    given("omi", MIXED).when("N play Ah", "E play Qs").finds("R6", words="hearts were led, and E holds one")
    given("omi", SUITS).when("N play Ah", "E play 7c").allows()


def test_R6_hidden_hands_are_open_until_the_heart_comes_out() -> None:
    case = given("omi", HIDDEN).when("N play Ah", "E play 7c", "S play 9h", "W play 8h")
    case.opens("R6", at=6)
    case.when("N play Kh", "E play 7h").finds("R6", at=6, known=10)


# R7, who wins
@pytest.mark.parametrize(
    ("cards", "winner"),
    [("Ah Kh 7h 8h", "NS"), ("7h 8h 9h Th", "EW"), ("9h Th 7h 8h", "EW"), ("Ah 7s 8h 9h", "EW"), ("Ah 7s 8s 9h", "NS"),
     ("7h Ac Ad 8h", "EW"), ("7h Ac Ad Kc", "NS")],
)  # fmt: skip
def test_R7_who_wins(cards: str, winner: str) -> None:
    lines = [f"{seat} play {card}" for seat, card in zip("NESW", cards.split(), strict=True)]
    case = given("omi", HIDDEN).when(*lines)
    case.when(f"@ move * <trick >won:{winner}").allows()
    case.when(f"@ move * <trick >won:{'EW' if winner == 'NS' else 'NS'}").finds("R7")


# R8, eight tricks
def test_R8_all_eight_are_played() -> None:
    log = simulate("omi", seed=1, hands=1)
    assert sum(isinstance(r.event, Play) for r in log) == 32
    lines = [write_event(r.event) for r in log[1:]]
    assert given("omi", "\n".join(lines[:-4])).judgement.state.scores == []


def test_R8_the_one_card_that_nobody_saw_is_said_to_lie_where_a_player_would_look_for_it() -> None:
    lines = [write_event(r.event) for r in simulate("omi", seed=3, hands=1)[1:]]
    seen = [line for line in lines if " deal " not in line]
    case = given("omi", "\n".join([*seen[:-1], f"{seen[-1][:6]} ??"]))
    (told,) = [text for _, text in case.judgement.state.inferred if "the unseen card" in text]
    assert "among the cards won" in told
    assert "won:" not in told


@pytest.mark.parametrize("tally", ["tricks.NS=9", "tricks.NS=4 tricks.EW=5", "tricks.NS=2 tricks.EW=5", "trick.1=X"])
def test_R8_figures_that_cannot_be(tally: str) -> None:
    case = given("omi", "W hand 1").when(f"@ tally {tally}")
    assert [f.verdict.value for f in case.about()] == ["broken"], case.about()
    assert case.judgement.state.scores[0].points == {"NS": None, "EW": None}


def test_R8_a_ruling_hands_a_trick_over() -> None:
    lines = "W hand 1\n@ tally tricks.NS=5\nE dispute #2\n@ ruling #3 tricks.NS=-1 tricks.EW=1"
    score = score_match(given("omi", lines).records)
    assert score.ways["played"].totals == {"NS": 1, "EW": 0}
    assert score.ways["ruled"].totals == {"NS": 0, "EW": 0}


# R9, points; West deals the first hand, so North and South are the declarer's side
@pytest.mark.parametrize(
    ("tricks", "points"),
    [
        (8, (3, 0)), (7, (1, 0)), (6, (1, 0)), (5, (1, 0)), (4, (0, 0)), (3, (0, 2)), (2, (0, 2)), (1, (0, 2)),
        (0, (0, 3)),
    ],
)
def test_R9_what_the_tricks_count(tricks: int, points: tuple[int, int]) -> None:
    told(tricks).clean().scores(NS=points[0], EW=points[1])
    given("omi", f"N hand 1\n@ tally tricks.EW={tricks}").scores(EW=points[0], NS=points[1])


def test_R9_as_it_was_played() -> None:
    plays = [f"{s} play {r}{c}" for r in "AKQJT987" for s, c in zip("NESW", "hcds", strict=True)]
    case = given("omi", SUITS + "\n".join(plays)).clean().scores(NS=3, EW=0)
    assert case.judgement.state.scores[0].result == "N & S 8–0"


def test_R9_open_if_nobody_knows_who_dealt() -> None:
    given("omi", "W hand 1\n@ gap\n@ tally tricks.NS=6").scores(NS=None, EW=0)
    given("omi", "W hand 1\n@ gap\n@ tally tricks.NS=8").scores(NS=3, EW=0)
    # A hand before it may have been tied, too.
    given("omi", "@ gap\n@ tally tricks.NS=8").scores(NS=None, EW=0)


def test_R9_a_claim_that_is_wrong() -> None:
    wrong = score_match(told(5, 5).when("@ claim NS=4 EW=0").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("NS", 4, 3)]
    assert claim_differences(score_match(told(5, 5).when("@ claim NS=3 EW=0").records)) == []


# R10, a tie
def test_R10_the_winner_of_the_next_hand_gets_one_more() -> None:
    told(4, 5).totals(NS=3, EW=0)
    told(4, 3).totals(NS=0, EW=2)
    told(4, 8).totals(NS=4, EW=0)
    told(4, 5, 5).totals(NS=4, EW=0)
    assert told(4).judgement.state.scores[0].result == "tied"
    assert told(4, 3).judgement.state.scores[1].lines[1].sums == {"EW": "5 tricks as declarers: 1 + 1 from the tie = 2"}


def test_R10_two_ties_leave_one_point() -> None:
    told(4, 4, 5).totals(NS=2, EW=0)
    told(4, 4, 4, 8).totals(NS=4, EW=0)


def test_R10_option_tie_extra() -> None:
    accumulate: dict[str, object] = {"tie_extra": "accumulate"}
    told(4, 5, option=accumulate).totals(NS=3, EW=0)
    told(4, 4, 5, option=accumulate).totals(NS=3, EW=0)
    told(4, 4, 4, 8, 5, option=accumulate).totals(NS=7, EW=0)
    with pytest.raises(UnreadableError, match="tie_extra"):
        begin({"Game": "omi", "Option": {"tie_extra": "double"}})


def test_R10_a_hand_that_does_not_count_leaves_it() -> None:
    told(4, "@ tally void=yes", 5).totals(NS=2, EW=0)
    told(4, "N end hand time", 5).totals(NS=2, EW=0)


def test_R10_after_a_hand_of_which_nothing_is_known_it_is_open() -> None:
    case = told("@ tally trump=h", 5)
    case.scores(NS=None, EW=0)
    told("@ tally trump=h", 5, 5).scores(NS=1, EW=0)


# R11, the deal
def test_R11_the_deal_passes_to_the_left() -> None:
    for tricks in (8, 5, 4, 0):
        told(tricks).when("N hand 2").allows()
        told(tricks).when("W hand 2").finds("R11", words="N deals, not W")
    told("@ tally void=misdeal").when("W hand 2").allows()
    assert told(4).when("@ hand 2").judgement.state.dealer == "N"


# R12, the match
def outcome(case: Given) -> tuple[str, str]:
    """How the match ended, and who has won it."""
    state = case.judgement.state
    return state.ended, state.standing.winner


def test_R12_the_first_with_ten() -> None:
    assert outcome(told(8, 8, 8)) == ("", "")
    assert outcome(told(8, 8, 8, 5)) == ("won", "NS")
    assert outcome(told(8, 8, 8, 4)) == ("", "")
    told(8, 8, 8, 8).totals(NS=12, EW=0)
    told(8, 8, 8, 4, 8).totals(NS=13, EW=0)


def test_R12_option_target() -> None:
    assert outcome(told(5, option={"target": 1})) == ("won", "NS")
    assert outcome(told(8, 8, 8, 8, option={"target": 15})) == ("", "")


def test_R12_nobody_has_won_while_points_are_missing() -> None:
    assert outcome(told("@ tally trump=h", 8, 8, 8)) == ("", "")


# R13, not to be seen
def test_R13_advice_is_noted_and_has_no_effect() -> None:
    given("omi", "W hand 1\n" + FIRST).when("E fault advice S", "N name s").clean()


# at the table
def test_legal_acts_are_four_suits_then_every_card_that_follows() -> None:
    state = given("omi", "W hand 1\n" + FIRST).judgement.state
    assert [a.what for a in legal(state).acts if isinstance(a, Name)] == ["c", "d", "h", "s"]
    state = given("omi", MIXED).when("N play Ah").judgement.state
    assert {a.cards[0] for a in legal(state).acts if isinstance(a, Play)} == {"Qh", "Jh"}


# the referee: a second opinion, written from the rule text alone
OPTIONS: dict[str, tuple[int, str]] = {
    "usual": (10, "single"), "accumulate": (10, "accumulate"), "thirty": (30, "accumulate"),
}


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", seeds(2, 60))
def test_the_referee_agrees_about_legal_matches(seed: int, name: str) -> None:
    """Five hands or more in each match: the points of each, and who has won."""
    target, tie_extra = OPTIONS[name]
    records = simulate("omi", seed=seed, options={"target": target, "tie_extra": tie_extra})
    referee = Referee(["N", "E", "S", "W"], target, tie_extra)
    state = fold(records)
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner() != ""


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    records, _ = simulate_breaches("omi", seed=seed, p=0.06, hands=1)
    referee = Referee(["N", "E", "S", "W"])
    assert referee.read([write_event(r.event) for r in records[1:]]) == min(
        (f.at.pos for f in judge(records).broken), default=0,
    )
