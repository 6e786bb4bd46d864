"""Turnover Bridge, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from typing import Any

import pytest
from given import Given, given
from referees.turnover_bridge import Referee
from sampling import seeds

from events.model import Play
from events.writing import write_event
from reducers.legal import legal
from replay.fold import fold
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.testing.corpus import corpus
from replay.testing.measuring import measure

# A has the red cards and B the black ones but for a few: A the king of spades open, B a heart in hand and one covered.
UP_A, UP_B = "AhKhQhJhTh9h8h7h6h5h4hKs", "AcKcQcJcTc9c8c7c6c5c4cAs"
DOWN_A, DOWN_B = "AdKdQdJdTd9d8d7d6d5d4d3d", "2hQsJsTs9s8s7s6s5s4s3s2s"
KNOWN = (
    f"B hand 1\n@ deal down col:A:1..12={DOWN_A} col:B:1..12={DOWN_B}\n@ deal up col:A:1..12={UP_A} "
    f"col:B:1..12={UP_B}\n"
    "@ deal A=2d2c B=3h3c\n"
)
HIDDEN = (
    "B hand 1\n@ deal down col:A:1..12=12x?? col:B:1..12=12x??\n"
    f"@ deal up col:A:1..12={UP_A} col:B:1..12={UP_B}\n@ deal A=2x?? B=2x??\n"
)


def told(*tricks: int, **option: object) -> Given:
    """Games of which A's tricks are told; B deals first."""
    lines = "\n".join(f"{'BA'[i % 2]} hand {i + 1}\n@ tally tricks.A={n}" for i, n in enumerate(tricks))
    return given("turnover-bridge", lines, **({"option": option} if option else {}))


# R1, the deal
def test_R1_the_columns_and_two_in_hand() -> None:
    given("turnover-bridge", KNOWN).clean()
    assert given("turnover-bridge", HIDDEN).judgement.findings == []


@pytest.mark.parametrize(
    "deal", ["A=3x??", "down col:A:1..12=36x??", "down col:B:3=3x??", "stock=2x??", "down col:A:1..12=25x??"],
)
def test_R1_no_more_than_that(deal: str) -> None:
    given("turnover-bridge", "B hand 1").when(f"@ deal {deal}").finds("R1")
    given("turnover-bridge", KNOWN).when("@ deal A=5d").finds("R1")


@pytest.mark.parametrize(
    "first", ["@ deal up col:A:1..12=AhKhQhJhTh9h8h7h6h5h4hKs", f"@ deal down col:A:1..12={DOWN_A}"],
)
def test_R1_the_order_of_the_lines_is_no_matter(first: str) -> None:
    second = f"@ deal down col:A:1..12={DOWN_A}" if "up" in first else f"@ deal up col:A:1..12={UP_A}"
    case = given("turnover-bridge", f"B hand 1\n{first}\n{second}\nA play Ah")
    assert case.judgement.state.hand.below == ("A", "col:A:1")
    case.when("A show Ad <col:A:1").allows()


# R2 and R8, leads
def test_R2_the_dealers_opponent_leads_first() -> None:
    given("turnover-bridge", KNOWN).when("A play Ah").allows()
    given("turnover-bridge", KNOWN).when("B play Ac").finds("R2")


def test_R8_the_winner_leads() -> None:
    case = given("turnover-bridge", KNOWN + "A play Ah\nB play 3h")
    case.when("A play Kh").allows()
    case.when("B play Ac").finds("R8")


# R3, what may be played
@pytest.mark.parametrize(("act", "rule"), [("A play Ad <col:A:1", "R3"), ("A show Ad <col:A:1", "R9")])
def test_R3_R9_a_covered_card_before_the_first_act(act: str, rule: str) -> None:
    """If nobody wrote what was dealt face down, each card face up covers one all the same."""
    up = f"B hand 1\n@ deal up col:A:1..12={UP_A} col:B:1..12={UP_B}"
    given("turnover-bridge", up).when(act).finds(rule, words="A♥ still covers")
    given("turnover-bridge", up).when("A play Ah <col:A:1").allows()
    # Of a column whose upper card nobody wrote, nobody can say so.
    given("turnover-bridge", "B hand 1\n@ deal down col:A:1..12=12x??").when(act).allows()


def test_R3_one_card_in_turn() -> None:
    given("turnover-bridge", KNOWN).when("A play AhKh").finds("R3")
    given("turnover-bridge", KNOWN + "A play Ah").when("A play Kh").finds("R3")


def test_R3_a_covered_card_is_not_played() -> None:
    given("turnover-bridge", KNOWN).when("A play Ad").finds("R3", words="still covers")
    given("turnover-bridge", HIDDEN).when("A play Ad <col:A:1").finds("R3", words="A♥")
    given("turnover-bridge", KNOWN + "A play Ah\nB play 3h").when("A play Ad").allows()


def test_R3_a_third_card_from_the_hand_cannot_be() -> None:
    hand = (
        HIDDEN
        + (
            "A play 2d\nB play As\nB show 2s <col:B:12\nB play Ac\nB show 2h <col:B:1\nA play 2c\nB play Kc\nB "
            "show Qs <col:B:2\n"
        )
    )
    assert given("turnover-bridge", hand).clean()
    found = given("turnover-bridge", hand).when("A play 3d").judgement.broken
    assert [f.rule for f in found] == ["table.T3"]


# R4, following suit
def test_R4_an_open_card_proves_it_at_once() -> None:
    given("turnover-bridge", HIDDEN + "A play Ks").when("B play Ac").finds("R4", words="A♠ lay open")
    given("turnover-bridge", HIDDEN + "A play Ks").when("B play As").allows()


def test_R4_a_card_in_hand_proves_it_when_it_appears() -> None:
    hidden = HIDDEN + "A play Ah\nA show Ad <col:A:1\nB play 4c\nB show 3s <col:B:11\n"
    given("turnover-bridge", hidden).opens("R4", at=7)
    later = ("A play Kh", "A show Kd <col:A:2", "B play 3h")
    given("turnover-bridge", hidden).when(*later).finds("R4", at=7, known=11)
    kept = ("A play 2c", "B play 3c", "A play Kh", "A show Kd <col:A:2", "B play 3s")
    given("turnover-bridge", hidden).when(*kept).opens("R4", at=7)


def test_R4_a_card_that_lay_covered_proves_nothing() -> None:
    hidden = HIDDEN + "A play Ah\nA show Ad <col:A:1\nB play Ac\nB show 2h <col:B:1\nA play Kh\nA show Kd <col:A:2\n"
    case = given("turnover-bridge", hidden)
    case.opens("R4", at=7)
    case.when("B play 2h").allows()
    case.when("B play 2h").opens("R4", at=7)
    case.when("B play Kc").finds("R4", words="2♥ lay open")


def test_R4_the_follower_sees_what_the_leader_turned_up_and_need_not_follow_with_the_own_card_below() -> None:
    given("turnover-bridge", KNOWN + "A play Ah").when("B play Ac").finds("R4")
    no_heart = KNOWN.replace("B=3h3c", "B=2s3c").replace("s2s", "s3h")
    given("turnover-bridge", no_heart + "A play Ah").when("B play Ac").allows()


def test_R4_a_card_that_nobody_wrote_below_counts_as_one_in_hand() -> None:
    case = given("turnover-bridge", HIDDEN + "A play Ah\nB play Ac\nA play Kh\nB play Kc\nA play Qh\nB play 2h")
    assert case.judgement.broken == []
    case.opens("R4", at=6)
    case.opens("R4", at=8)


def test_R4_an_unseen_card_may_have_lain_open() -> None:
    case = given("turnover-bridge", HIDDEN + "A play Ks\nA show 3d <col:A:12\nB play ??")
    assert case.judgement.broken == []
    assert case.when("B show 2s <col:B:12").judgement.broken == []


# R5 and R6, rights
def test_R5_any_card_without_the_suit() -> None:
    void = KNOWN + "A play 2d\nB play As\n"
    given("turnover-bridge", void).clean()
    given("turnover-bridge", void).when("@ fault revoke B").finds("R5", words="no diamonds")
    given("turnover-bridge", KNOWN + "A play Ah\nB play Ac").when("@ fault revoke B").allows()


def test_R6_any_lead() -> None:
    given("turnover-bridge", KNOWN).when("A play Ks").allows()
    given("turnover-bridge", KNOWN + "A play Ks").when("@ fault revoke A").finds("R6")
    given("turnover-bridge", KNOWN + "A play Ah\nB play 3h").when("@ fault revoke B").allows()


# R7, who wins
@pytest.mark.parametrize(
    ("lead", "answer", "winner"),
    [("Ah", "3h", "A"), ("2c", "3c", "B"), ("2d", "As", "B"), ("2d", "Ac", "A"), ("Ks", "As", "B")],
)
def test_R7_who_wins(lead: str, answer: str, winner: str) -> None:
    case = given("turnover-bridge", KNOWN + f"A play {lead}\nB play {answer}")
    assert case.judgement.state.hand.trick.won[-1].winner == winner
    case.when(f"@ move * <trick >won:{winner}").allows()
    case.when(f"@ move * <trick >won:{'AB'[winner == 'A']}").finds("R7")


# R9, the card below
def test_R9_turned_up_at_once() -> None:
    for deal in (KNOWN, HIDDEN):
        case = given("turnover-bridge", deal + "A play Ah")
        case.when("A show Ad <col:A:1").allows()
        case.when("A show Kd <col:A:2").finds("R9", words="K♥ still covers it")
        case.when("B play 3h", "A show Ad <col:A:1").finds("R9", words="before it was turned up")
        case.when("B play 3h").allows()


def test_R9_no_sooner() -> None:
    given("turnover-bridge", HIDDEN).when("A show Ad <col:A:1").finds("R9")
    given("turnover-bridge", HIDDEN).when("A show Ah <col:A:1").allows()


# R10, the end
def through(case: Given, n: int) -> Given:
    """So many tricks for A, led with the highest spades and then the hearts."""
    return case.when(*(line for i in range(n) for line in (f"A play {UP_A[2 * i : 2 * i + 2]}", "B play ??")))


@pytest.mark.parametrize(
    ("a", "points", "said"),
    [
        (14, (1, 0), "A 14–?"), (9, (0, 1), "B 14–9"), (13, (0, 0), "tie 13–13"), (26, (1, 0), "A 26–0"),
        (0, (0, 1), "B 14–0"),
    ],
)
def test_R10_what_the_tricks_come_to(a: int, points: tuple[int, int], said: str) -> None:
    case = told(a)
    case.scores(A=points[0], B=points[1])
    assert case.judgement.state.scores[0].result == said


def test_R10_figures_that_cannot_be() -> None:
    given("turnover-bridge", "B hand 1\n@ tally tricks.A=8 tricks.B=9").scores(A=None, B=None)
    given("turnover-bridge", "B hand 1\n@ tally tricks.A=14 tricks.B=13").scores(A=None, B=None)
    given("turnover-bridge", "B hand 1\n@ tally tricks.A=16 tricks.B=5").scores(A=1, B=0)


def test_R10_option_play_out() -> None:
    told(14, play_out=True).scores(A=1, B=0)
    assert told(14, play_out=True).judgement.state.scores[0].result == "A 14–12"
    for seed in range(3):
        tricks = fold(simulate("turnover-bridge", seed=seed, options={"play_out": True})).hand.trick
        assert len(tricks.won) == 26
        stopped = fold(simulate("turnover-bridge", seed=seed)).hand.trick
        assert max(sum(t.winner == who for t in stopped.won) for who in "AB") <= 14


def test_R10_the_table_may_play_on() -> None:
    seed = next(s for s in range(20) if len(fold(simulate("turnover-bridge", seed=s)).hand.trick.won) < 25)
    log = [write_event(r.event) for r in simulate("turnover-bridge", seed=seed)[1:]]
    case = given("turnover-bridge", "\n".join(log))
    state = case.judgement.state
    leader = state.hand.trick.won[-1].winner
    card = state.game.pack.cards(state.hand.open[leader] | state.holding(leader).certain)[0]
    case.when(f"{leader} play {card}").allows()
    assert case.when(f"{leader} play {card}").judgement.state.scores[0].points == state.scores[0].points
    other = "AB"[leader == "A"]
    card = state.game.pack.cards(state.hand.open[other] | state.holding(other).certain)[0]
    case.when(f"{other} play {card}").finds("R8")


def test_R10_option_games_and_a_claim() -> None:
    case = told(14, 9, 14, games=3)
    state = case.judgement.state
    assert (state.ended, state.standing.winner, dict(state.standing.totals)) == ("won", "A", {"A": 2, "B": 1})
    assert told(14, 9, games=2).judgement.state.standing.winner == ""
    wrong = score_match(told(14).when("@ claim A=0 B=1").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("A", 0, 1), ("B", 1, 0)]


def test_legal_acts_are_what_lies_open_and_in_hand() -> None:
    state = given("turnover-bridge", KNOWN).when("A play Ah").judgement.state
    assert {a.cards[0] for a in legal(state).acts if isinstance(a, Play)} == {"3h"}
    state = given("turnover-bridge", KNOWN).judgement.state
    assert len([a for a in legal(state).acts if isinstance(a, Play)]) == 14


# the referee: a second opinion, written from the rule text alone
OPTIONS: dict[str, dict[str, Any]] = {"usual": {}, "play_out": {"play_out": True}, "games": {"games": 3}}


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_legal_matches(seed: int, name: str) -> None:
    options = OPTIONS[name]
    records = simulate("turnover-bridge", seed=seed, options=options)
    referee = Referee(["A", "B"], **options)
    state = fold(records)
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.lines[0].amounts) for score in state.scores] == referee.hands
    assert [next((who for who, n in score.points.items() if n), "") for score in state.scores] == referee.winners
    assert state.standing.winner == referee.winner()


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    records, _ = simulate_breaches("turnover-bridge", seed=seed, p=0.06, hands=1)
    referee = Referee(["A", "B"])
    assert referee.read([write_event(r.event) for r in records[1:]]) == min(
        (f.at.pos for f in judge(records).broken), default=0,
    )


def test_R9_a_card_turned_up_after_a_gap_is_played_from_its_column() -> None:
    """If this failed, a card would lie in its column still when it is played, and the record would contradict
    itself."""
    case = given("turnover-bridge", HIDDEN).when(
        "@ gap", "A play Ks", "A show 3d <col:A:12", "B play 4c", "A play 3d",
    ).clean()
    case.when("B play 3d").finds("T2")


@pytest.mark.parametrize("match", [2])
def test_nothing_is_wrong_with_a_record_that_begins_late(match: int) -> None:
    count = measure(corpus("turnover-bridge", "late", True, [match]))
    assert (count.logs, count.accused, count.findings, count.figures, count.crashed) == (1, 0, 0, 0, 0), count.failures


def test_R8_a_covered_trump_may_have_been_uncovered_by_an_unseen_play() -> None:
    columns = (
        "B hand 1\n@ deal down col:A:1..12=8s9sTsQsKsAs9dTdJdQdKdAd\n@ deal down col:B:1..12=JsAh2c3c4c5c6c7c8c9cTcJc\n"
        "@ deal up col:A:1..12=2s3s4s5s6s7s2d3d4d5d7d8d\n@ deal up col:B:1..12=6d2h3h4h5h7h8h9hThJhQhKh\n@ "
        "deal A=Ac6h B=QcKc\n"
    )
    first = given("turnover-bridge", columns).when("A play 8d", "B play ??")
    first.when("B play 2h").finds("R8", words="A won the last trick")
    second = first.when("A play 2s", "B play ??")
    second.when("B play 2h").opens("R8")
    # It was the knave: its column was empty when it was turned up, and A had led a spade.
    first.when("B show Js <col:B:1", "A play 2s", "B play Js", "B play 2h").allows()
    # Or the six lay there until now: what is turned up below it is no card too late, and none that cannot lie there.
    second.when("A play 3s", "B play 6d", "B show Js <col:B:1").allows()
