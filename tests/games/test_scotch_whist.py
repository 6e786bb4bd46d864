"""Scotch Whist, rule by rule: each has the cases of its kind, for two to seven players."""

from __future__ import annotations

import pytest
from given import Given, given
from referees.scotch_whist import Referee
from sampling import seeds

from events.errors import UnreadableError
from events.model import Play
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.scotch_whist import PACK, SHARES, SHORT
from reducers.legal import legal
from reducers.words.tallies import open_questions
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches

TWO, FOUR = {"Seats": "A B"}, {"Seats": "A B C D"}
HIDDEN = "D hand 1\n@ deal A=9x?? B=9x?? C=9x?? D=8x??\n@ deal up D=7h\n"
# Hearts are trumps; A has clubs, B diamonds, C spades, D hearts.
SUITS = (
    "D hand 1\n@ deal A=AcKcQcJcTc9c8c7c6c B=AdKdQdJdTd9d8d7d6d C=AsKsQsJsTs9s8s7s6s D=AhKhQhThJh9h8h6h\n@ "
    "deal up D=7h\n"
)
MIXED = (
    "D hand 1\n@ deal A=AcKcAdKdAsKsAhKh6c B=QcJcQdJdQsJsQhJh6d C=Tc9cTd9dTs9sTh9h6s D=8c7c8d7d8s7s8h6h\n@ "
    "deal up D=7h\n"
)


def four(lines: str = HIDDEN, *more: str, **tags: object) -> Given:
    """A table of four."""
    return given("scotch-whist", lines + "\n".join(more), **{**FOUR, **tags})


def told(*hands: str, seats: str = "A B", option: dict[str, object] | None = None) -> Given:
    """Hands of which only the results are told; the deal passes on from the last seat."""
    names = seats.split()
    lines = []
    for i, hand in enumerate(hands):
        lines += [f"{names[(i - 1) % len(names)]} hand {i + 1}", f"@ tally {hand}"]
    return given("scotch-whist", "\n".join(lines), Seats=seats, **({"option": option} if option else {}))


def captors(ten: str, ace: str, king: str, queen: str, jack: str) -> str:
    """Who took which honour of trumps, as it is told."""
    return f"captor.10={ten} captor.A={ace} captor.K={king} captor.Q={queen} captor.J={jack}"


# R1, the pack and the deal
@pytest.mark.parametrize(("size", "each"), SHARES.items())
def test_R1_everything_is_dealt_in_equal_hands(size: int, each: int) -> None:
    seats = "A B C D E F G"[: 2 * size - 1]
    game = begin({"Game": "scotch-whist", "Seats": seats}).game
    assert game.pack is (SHORT if size in (5, 7) else PACK)
    assert each * size == game.pack.size == (35 if size in (5, 7) else 36)
    dealer = seats[-1]
    deal = " ".join(f"{seat}={each - (seat == dealer)}x??" for seat in seats.split())
    hand = given("scotch-whist", f"{dealer} hand 1\n@ deal {deal}\n@ deal up {dealer}=7h", Seats=seats).clean()
    assert {len(hand.judgement.state.holding(seat)) for seat in seats.split()} == {each}
    given("scotch-whist", f"{dealer} hand 1", Seats=seats).when(f"@ deal A={each + 1}x??").finds("R1")


@pytest.mark.parametrize("seats", ["A B C D E", "A B C D E F G"])
def test_R1_the_six_of_clubs_is_out_if_five_or_seven_play(seats: str) -> None:
    given("scotch-whist", f"{seats[-1]} hand 1", Seats=seats).when("A play 6c").finds("T1")
    given("scotch-whist", f"{seats[-1]} hand 1", Seats=seats).when("A play 6d").clean()


@pytest.mark.parametrize("card", ["5c", "2h"])
def test_R1_low_cards_are_out(card: str) -> None:
    four().when(f"A play {card}").finds("T1")


def test_R1_not_for_one_or_eight() -> None:
    for seats in ("A", "A B C D E F G H"):
        with pytest.raises(UnreadableError):
            begin({"Game": "scotch-whist", "Seats": seats})


def test_R1_a_deal_nobody_wrote() -> None:
    for seats in ("A B", "A B C", "A B C D E F G"):
        state = given("scotch-whist", f"{seats[-1]} hand 1\nA play ??", Seats=seats).judgement.state
        assert len(state.holding("B")) == SHARES[len(seats.split())]


def test_R1_open_if_nobody_counted() -> None:
    given("scotch-whist", "B hand 1\n@ deal A=18x?? B=*x??", **TWO).when("@ deal up B=7h").opens("R1")


# R2, the card turned up
def test_R2_the_dealers_last_card_makes_trumps_and_stays() -> None:
    state = four().clean().judgement.state
    assert (state.hand.trump, state.hand.turned, len(state.holding("D"))) == ("h", "7h", 9)
    assert state.holding("D").certain == PACK.field[PACK.code["7h"]]
    four().when("A play Ac", "B play Kc", "C play 9c", "D play 7h").allows()


def test_R2_the_dealer_may_show_it_instead() -> None:
    state = four("D hand 1\n@ deal A=9x?? B=9x?? C=9x?? D=9x??\n", "D show 7h").clean().judgement.state
    assert (state.hand.trump, len(state.holding("D"))) == ("h", 9)


@pytest.mark.parametrize(
    ("dealt", "last"), [(8, "@ deal up D=7h"), (8, "@ deal up upcard=7h"), (9, "@ show 7h <D"), (9, "D show 7h")]
)
def test_R2_however_it_is_written(dealt: int, last: str) -> None:
    case = four(f"D hand 1\n@ deal A=9x?? B=9x?? C=9x?? D={dealt}x??\n", last).clean()
    state = case.judgement.state
    assert (state.hand.trump, len(state.holding("D"))) == ("h", 9)
    assert state.holding("D").certain == PACK.field[PACK.code["7h"]]
    case.when("@ deal up upcard=8h").finds("R2" if dealt == 8 else "R1")
    others = four("D hand 1\n@ deal A=9x?? B=9x?? C=9x?? D=9x??\n", "A show 7h").clean()
    assert others.judgement.state.hand.trump == ""


@pytest.mark.parametrize("deal", ["A=7h", "D=7h8h", "C=7h D=8h"])
def test_R2_one_card_and_the_dealers(deal: str) -> None:
    four("D hand 1\n@ deal A=8x?? B=8x?? C=8x?? D=7x??\n").when(f"@ deal up {deal}").finds("R2")
    four().when("@ deal up D=8h").finds("R2", words="one card is turned up")


def test_R2_without_it_nobody_can_say_who_won() -> None:
    case = four("D hand 1\n@ deal A=9x?? B=9x?? C=9x?? D=9x??\n").when(
        "A play Ac", "B play 6s", "C play 7c", "D play 8c", "B play 9s",
    )
    case.opens("R7")
    case.opens("R2", at=3)


def test_R2_the_turned_card_proves_a_revoke_at_once() -> None:
    case = four(
        "D hand 1\n@ deal A=9x?? B=9x?? C=9x?? D=8x??\n@ deal up D=7h\n"
    ).when("A play Ah", "B play Kh", "C play 9h", "D play 6c")
    case.finds("R5", words="hearts were led, and D holds one")


# R3 and R7, the lead; R4, in turn
def test_R3_the_dealers_left_leads() -> None:
    four().when("A play Ac").allows()
    four().when("D play 7h").finds("R3", words="A sits left of the dealer")
    given("scotch-whist", "A hand 1", **TWO).when("B play Ac").allows()
    given("scotch-whist", "A hand 1", **TWO).when("A play Ac").finds("R3")


def test_R7_the_winner_leads() -> None:
    trick = ["A play Ac", "B play 6d", "C play 6s", "D play 6h"]
    four(SUITS).when(*trick, "D play Ah").allows()
    four(SUITS).when(*trick, "A play Kc").finds("R7", words="D won the last trick")


def test_R7_hidden_and_then_provable() -> None:
    case = four().when("A play Kc", "B play ??", "C play 9c", "D play 8c", "A play 6c")
    case.opens("R7")
    case.when("@ fix #5 B play Ac").finds("R7", at=8)
    case.when("@ fix #5 B play 7c").clean()


def test_R4_one_card_each_clockwise() -> None:
    four(SUITS).when("A play Ac", "B play 6d").allows()
    four(SUITS).when("A play Ac", "C play 6s").finds("R4", words="it is the turn of B")
    four(SUITS).when("A play AcKc").finds("R4", words="one card")


# R5, following suit
def test_R5_follow_suit() -> None:
    four(MIXED).when("A play Ac", "B play Jc").allows()
    four(MIXED).when("A play Ac", "B play Jh").finds("R5", words="clubs were led, and B holds one")
    four(SUITS).when("A play Ac", "B play 6d").allows()


def test_R5_the_jack_of_trumps_follows_trumps_and_no_other_suit() -> None:
    case = four(SUITS.replace("JcTc", "JhTc").replace("ThJh", "ThJc"))
    led = case.when("A play Ac", "B play Ad", "C play As", "D play Jc")
    led.clean()
    hearts = four(MIXED).when("A play Ah", "B play Jh").allows()
    hearts.when("C play 9h").allows()
    four(MIXED).when("A play Ah", "B play Jd").finds("R5")
    four(MIXED).when("A play Ad", "B play Jh").finds("R5", words="diamonds")


def test_R5_hidden_hands_are_open_until_the_club_comes_out() -> None:
    case = four().when("A play Ac", "B play 6d", "C play 9c", "D play 8c")
    case.opens("R5", at=5)
    case.when("A play Kc", "B play 7c").finds("R5", at=5, known=9)


# R6, who wins; hearts are trumps
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("Ac Kc Qc Jc", "A"),
        ("Jc Qc Kc Ac", "D"),
        ("Tc Jc 9c 8c", "B"),  # in a plain suit the jack is above the ten
        ("Ah Jh Kh Qh", "B"),  # and in trumps above the ace
        ("Th Qh Kh Ah", "D"),
        ("9h Th 8h 6h", "B"),
        ("Ac 6h Kc Qc", "B"),
        ("Ac 6h Jh Ah", "C"),
        ("6c As Ad Ks", "A"),  # off the suit led wins nothing
    ],
)
def test_R6_who_wins(cards: str, winner: str) -> None:
    lines = [f"{seat} play {card}" for seat, card in zip("ABCD", cards.split(), strict=True)]
    case = four().when(*lines)
    case.when(f"@ move * <trick >won:{winner}").allows()
    case.when(f"@ move * <trick >won:{'ABCD'.replace(winner, '')[0]}").finds("R6")


def test_R6_each_player_keeps_the_own_tricks() -> None:
    state = four(SUITS).when("A play Ac", "B play 6d", "C play 6s", "D play 6h").judgement.state
    assert len(state.table.piles["won:D"]) == 4


# R8, the points
def test_R8_the_example_of_the_text() -> None:
    # Five tricks of four: twenty cards, and nine were dealt.
    case = told("tricks.A=5 tricks.B=2 tricks.C=1 tricks.D=1 " + captors("B", "B", "C", "D", "D"), seats="A B C D")
    case.clean().scores(A=11, B=14, C=3, D=13)
    assert case.judgement.state.scores[0].lines[1].sums == {"A": "20 cards − 9 = 11"}


@pytest.mark.parametrize(("rank", "points"), [("10", 10), ("A", 4), ("K", 3), ("Q", 2), ("J", 11)])
def test_R8_what_an_honour_counts(rank: str, points: int) -> None:
    others = " ".join(f"captor.{one}=A" for one in ("10", "A", "K", "Q", "J") if one != rank)
    told(f"tricks.A=9 tricks.B=9 captor.{rank}=B {others}").scores(A=30 - points, B=points)


@pytest.mark.parametrize(("tricks", "points"), [(18, (18, 0)), (10, (2, 0)), (9, (0, 0)), (8, (0, 2)), (0, (0, 18))])
def test_R8_cards_beyond_those_dealt_for_two(tricks: int, points: tuple[int, int]) -> None:
    winner = "A" if tricks else "B"
    honours = 30 * (winner == "A"), 30 * (winner == "B")
    told(
        f"tricks.A={tricks} tricks.B={18 - tricks} " + captors(*winner * 5)
    ).scores(A=points[0] + honours[0], B=points[1] + honours[1])


def test_R8_as_it_was_played() -> None:
    # D has all trumps and takes all nine tricks.
    hearts = ["6h", "7h", "8h", "9h", "Th", "Qh", "Kh", "Ah", "Jh"]
    lines, leader = [], "A"
    for i, trump in enumerate(hearts):
        cards = {"A": "AKQJT9876"[i] + "c", "B": "AKQJT9876"[i] + "d", "C": "AKQJT9876"[i] + "s", "D": trump}
        order = "ABCD"["ABCD".index(leader) :] + "ABCD"[: "ABCD".index(leader)]
        lines += [f"{seat} play {cards[seat]}" for seat in order]
        leader = "D"
    case = four(SUITS).when(*lines).clean().scores(A=0, B=0, C=0, D=57)
    assert case.judgement.state.standing.winner == "D"


def test_R8_cards_may_be_told_in_place_of_tricks() -> None:
    told(
        "cards.A=20 cards.B=8 cards.C=4 cards.D=4 " + captors("B", "B", "C", "D", "D"), seats="A B C D",
    ).scores(A=11, B=14, C=3, D=13)
    told(
        "cards.A=20 cards.B=8 cards.C=4 " + captors("B", "B", "C", "D", "D"), seats="A B C D",
    ).scores(A=11, B=14, C=3, D=13)


@pytest.mark.parametrize(
    "tally",
    ["tricks.A=10", "tricks.A=5 tricks.B=5 tricks.C=0 tricks.D=0", "cards.A=5", "tricks.A=5 cards.A=16",
     "tricks.A=0 captor.10=A",
     "cards.B=0 captor.J=B", "captor.10=X", "captor.9=A",
     "tricks.A=1 captor.10=A captor.A=A captor.K=A captor.Q=A captor.J=A"],
)  # fmt: skip
def test_R8_figures_that_cannot_be(tally: str) -> None:
    case = given("scotch-whist", "D hand 1", **FOUR).when(f"@ tally {tally}")
    assert [f.verdict.value for f in case.about()] == ["broken"], case.about()
    assert None in case.judgement.state.scores[0].points.values()


def test_R8_a_trick_holds_no_more_honours_than_cards() -> None:
    two = "tricks.A=1 captor.10=A captor.A=A "
    told(two + "captor.K=B captor.Q=B captor.J=B").clean().scores(A=14, B=32)
    case = told(two + "captor.K=A captor.Q=B captor.J=B")
    case.finds("R8", words="A cannot have 3 honours of trumps among 2 cards")
    # Nor is anybody asked whether there is a third one among them.
    state = told(two + "captor.K=B captor.Q=B").judgement.state
    assert [sorted(answers) for _, answers in open_questions(state)] == [["B"]]


def test_R8_what_is_missing_is_asked() -> None:
    case = told("tricks.A=10 captor.10=A captor.A=B captor.K=A captor.Q=A")
    assert case.judgement.state.scores[0].unknown == ("who took the J of trumps",)
    state = case.judgement.state
    assert [
        (question, sorted(answers)) for question, answers in open_questions(state)
    ] == [("who took the jack of trumps", ["A", "B"])]
    case.scores(A=None, B=None)


def test_R8_a_ruling_hands_an_honour_over() -> None:
    lines = "B hand 1\n@ tally tricks.A=9 tricks.B=9 " + captors(
        "A", "A", "A", "A", "B",
    ) + "\nB dispute #2\n@ ruling #3 captor.10=B"
    score = score_match(given("scotch-whist", lines, **TWO).records)
    assert score.ways["played"].totals == {"A": 19, "B": 11}
    assert score.ways["ruled"].totals == {"A": 9, "B": 21}


def test_R8_an_unseen_card_that_is_the_only_one_is_counted() -> None:
    log = simulate("scotch-whist", seed=2, hands=1, seats=["A", "B"])
    state = fold(log)
    ten = f"T{state.hand.trump}"
    lines = [write_event(r.event) for r in log[1:] if " deal A" not in write_event(r.event)]
    unseen = [f"{line.partition(' play ')[0]} play ??" if line.endswith(f"play {ten}") else line for line in lines]
    assert unseen != lines
    case = given("scotch-whist", "\n".join(unseen), **TWO)
    assert case.judgement.state.scores[0].points == state.scores[0].points


def test_R8_a_claim_that_is_wrong() -> None:
    played = told("tricks.A=10 tricks.B=8 " + captors("A", "B", "A", "A", "B"))
    wrong = score_match(played.when("@ claim A=18 B=15").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("A", 18, 17)]
    assert claim_differences(score_match(played.when("@ claim A=17 B=15").records)) == []


# R9, the order of scoring and the match
def outcome(case: Given) -> tuple[str, str]:
    """How the match ended, and who has won it."""
    state = case.clean().judgement.state
    return state.ended, state.standing.winner


A_19 = "tricks.A=9 tricks.B=9 " + captors("A", "A", "A", "A", "B")  # 19 to 11
B_19 = "tricks.A=9 tricks.B=9 " + captors("B", "B", "B", "B", "A")


def test_R9_41_win() -> None:
    assert outcome(told(A_19, A_19)) == ("", "")
    assert outcome(told(A_19, A_19, A_19)) == ("won", "A")
    exactly = told(A_19, A_19, "tricks.A=9 tricks.B=9 " + captors("B", "B", "A", "B", "B"))
    assert exactly.totals(A=41, B=49).judgement.state.standing.winner == "A"


@pytest.mark.parametrize(
    ("last", "winner"),
    [
        # Both have 30: the ten comes first, then the cards, then ace, king, queen and jack.
        (captors("A", "B", "B", "B", "B") + " tricks.A=8 tricks.B=10", "B"),
        (captors("A", "B", "B", "B", "B") + " tricks.A=10 tricks.B=8", "A"),
        (captors("B", "A", "A", "A", "A") + " tricks.A=9 tricks.B=9", "A"),
        (captors("B", "B", "A", "A", "A") + " tricks.A=9 tricks.B=9", "B"),
        (captors("A", "B", "A", "B", "B") + " tricks.A=9 tricks.B=9", "A"),
        (captors("A", "B", "B", "B", "B") + " tricks.A=9 tricks.B=9", "B"),
    ],
)
def test_R9_who_gets_there_first(last: str, winner: str) -> None:
    thirty = (A_19, B_19)
    case = told(*thirty, last)
    case.totals(**{who: 30 + (case.judgement.state.scores[-1].points[who] or 0) for who in "AB"})
    assert outcome(case) == ("won", winner)


def test_R9_the_first_wins_though_another_has_more_in_the_end() -> None:
    case = told(A_19, B_19, captors("A", "B", "B", "B", "B") + " tricks.A=9 tricks.B=9", option={"target": 40})
    assert case.totals(A=40, B=50).judgement.state.standing.winner == "A"


def crossed(rest: str, tricks: str = "tricks.A=5 tricks.B=5 tricks.C=2") -> Given:
    """A and B have 17 each and C has 2, and 20 win. The ten is C's, and A and B get there with their cards; then the
    `rest`."""
    first = "tricks.A=5 tricks.B=5 tricks.C=2 " + captors("A", "A", "B", "C", "B")
    return told(first, f"{tricks} {captors('C', *rest)}", seats="A B C", option={"target": 20})


def test_R9_two_who_get_there_with_their_cards() -> None:
    higher = crossed("AAAA", "tricks.A=5 tricks.B=6 tricks.C=1").totals(A=40, B=23, C=12)
    assert outcome(higher) == ("won", "B")
    # Level at that moment: the end of the hand decides, and if that is level too, they share it.
    assert outcome(crossed("ACCC").totals(A=24, B=20, C=28)) == ("won", "A")
    assert outcome(crossed("CCBC").totals(A=20, B=22, C=30)) == ("won", "B")
    shared = crossed("CCCC").totals(A=20, B=20, C=32)
    assert outcome(shared) == ("won", "")
    assert shared.judgement.state.scores[-1].notes == ("A and B share the match",)
    assert crossed("ACCC").judgement.state.scores[-1].notes == ()


def test_R9_nobody_has_won_while_points_are_missing() -> None:
    assert outcome(told("tricks.A=18 captor.10=A")) == ("", "")
    assert outcome(told("trump=h", *[A_19] * 4)) == ("", "")
    # With the ten and two cards B would have as many as A has with cards alone.
    assert outcome(told("tricks.A=8 captor.10=B", seats="A B C", option={"target": 12})) == ("", "")


def test_R9_option_target() -> None:
    assert outcome(told(A_19, option={"target": 1})) == ("won", "A")
    assert outcome(told(*[A_19] * 4, option={"target": 100})) == ("", "")


# R10, the deal
def test_R10_the_deal_passes_to_the_left() -> None:
    told(A_19).when("A hand 2").allows()
    told(A_19).when("B hand 2").finds("R10", words="A deals, not B")
    seven = told("tricks.A=5 " + captors("A", "A", "A", "A", "A"), seats="A B C D E F G", option={"target": 99})
    seven.when("A hand 2").allows()
    seven.when("G hand 2").finds("R10", words="A deals")
    given("scotch-whist", "B hand 1\n@ tally void=misdeal", **TWO).when("B hand 2").allows()


# at the table
def test_a_bare_card_before_the_first_act_is_the_card_turned_up() -> None:
    state = given("scotch-whist", "B hand 1", **TWO).judgement.state
    assert state.hand.trick.blind
    state = given("scotch-whist", "B hand 1", **TWO).when("@ deal up B=7h").judgement.state
    assert not state.hand.trick.blind


def test_legal_acts_are_every_card_that_follows() -> None:
    state = four(MIXED).when("A play Ah").judgement.state
    assert {a.cards[0] for a in legal(state).acts if isinstance(a, Play) and a.by == "B"} == {"Qh", "Jh"}


# the referee: a second opinion, written from the rule text alone
TABLES = ["A B", "A B C", "A B C D", "A B C D E", "A B C D E F", "A B C D E F G"]


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("target", [41, 20])
@pytest.mark.parametrize("seed", seeds(1, 60))
def test_the_referee_agrees_about_legal_matches(seed: int, target: int, seats: str) -> None:
    """Two hands or more in nearly every match: the points of each, and who was first."""
    records = simulate("scotch-whist", seed=seed, seats=seats.split(), options={"target": target})
    referee = Referee(seats.split(), target)
    state = fold(records)
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner()


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int, seats: str) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    records, _ = simulate_breaches("scotch-whist", seed=seed, p=0.06, hands=1, seats=seats.split())
    referee = Referee(seats.split())
    assert referee.read([write_event(r.event) for r in records[1:]]) == min(
        (f.at.pos for f in judge(records).broken), default=0,
    )


def test_R4_two_plays_in_each_others_place_are_found_some_lines_behind_a_lead_out_of_turn() -> None:
    """C led at 20 though A had won; of what shows after it that 28 and 33 were exchanged, only the breach was looked
    around."""
    tricks = ("A Ah", "B 9h", "C 6s", "D Kh", "A Qd", "B 7d", "C Kd", "D 8d", "C 9s", "D 7h", "A Ts", "B As", "D 6d",
              "A 9d", "B Ac",
              "C Kc", "C Qc", "D 8c", "A Qh", "B 6h", "A Jc", "B 9c", "C Qs", "D 8h", "A Td", "A 6c", "B Tc", "C Js",
              "D Th", "D Jd",
              "B 7c", "C Ks", "D Jh", "A Ad", "B 7s", "C 8s")  # fmt: skip
    dealt = "D hand 1\n@ deal A=9x?? B=AsTc7d7c9hAc6h9c7s C=9x?? D=8x??\n@ deal up D=8h\n"
    case = four(dealt, *(play.replace(" ", " play ") for play in tricks))
    assert check(case.records).repairs[0].lines == ("@ fix #28 D play Jd", "@ fix #33 A play Td")
