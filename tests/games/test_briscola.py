"""Briscola, rule by rule: each has the cases of its kind, for two, three and four players."""

from __future__ import annotations

import re

import pytest
from given import Given, given, with_gap
from msgspec.structs import replace
from sampling import seeds
from tables import at, tables

from events.errors import UnreadableError
from events.model import Draw, Play, Recorded
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.briscola import COUNTS, PACK, WITHOUT
from reducers.legal import legal
from reducers.model import State
from reducers.registry import find_game
from reducers.words.stock_tricks import StockHand
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate

THREE, FOUR = {"Seats": "A B C"}, {"Seats": "N E S W"}
HAND = "B hand 1\n@ deal A=AhKd2c B=3h4d5c\n@ deal up upcard=7h\n@ deal down stock=33x??\n"
HIDDEN = "B hand 1\n@ deal A=3x?? B=3x?? upcard=7h stock=33x??\n"
TRICK = "A play Kd\nB play 4d\n"
DRAWN = "A draw ??\nB draw ??\n"


def played(game: str, tricks: int, seats: str = "A B") -> Given:
    """The first tricks of a hand, with every card seen; the draws after the last of them are not among them."""
    log = simulate("briscola", seed=game, seats=seats.split(), hands=1)
    size, lines, count = len(seats.split()), list[str](), 0
    for r in log[1:]:
        if count == tricks * size and isinstance(r.event, Draw | Play):
            break
        if type(r.event).__name__ != "Call":
            lines.append(write_event(r.event))
        count += isinstance(r.event, Play)
    return given("briscola", "\n".join(lines), Seats=seats)


# R1, the pack
@pytest.mark.parametrize("card", ["8c", "9d", "Th"])
def test_R1_eights_nines_and_tens_are_out(card: str) -> None:
    given("briscola", HIDDEN).when(f"A play {card}").finds("T1")


def test_R1_forty_cards_for_two_and_four() -> None:
    assert PACK.size == 40
    for seats in ("A B", "N E S W"):
        assert begin({"Game": "briscola", "Seats": seats}).game.pack is PACK


def test_R1_with_three_a_two_is_out() -> None:
    three = given("briscola", "C hand 1\n@ deal A=3x?? B=3x?? C=3x?? upcard=7h stock=29x??", **THREE)
    three.when("A play 2d").clean()
    three.when("A play 2c").finds("T1")
    assert begin({"Game": "briscola", **THREE}).game.pack.size == 39


@pytest.mark.parametrize("two", sorted(WITHOUT))
def test_R1_which_two_is_an_option(two: str) -> None:
    hand = "C hand 1\n@ deal A=3x?? B=3x?? C=3x?? upcard=7h"
    given("briscola", hand, option={"removed_two": two}, **THREE).when(f"A play {two}").finds("T1")
    kept = "2d" if two != "2d" else "2c"
    given("briscola", hand, option={"removed_two": two}, **THREE).when(f"A play {kept}").clean()
    # With two players no card is out, whatever the option says.
    given("briscola", HIDDEN, option={"removed_two": two}).when(f"A play {two}").clean()


def test_R1_no_other_card_can_be_left_out() -> None:
    with pytest.raises(UnreadableError, match="removed_two"):
        begin({"Game": "briscola", "Option": {"removed_two": "3c"}})


def test_R1_not_for_one_or_five() -> None:
    for seats in ("A", "A B C D E"):
        with pytest.raises(UnreadableError):
            begin({"Game": "briscola", "Seats": seats})


# R2, the deal
def test_R2_three_each_and_one_turned_up() -> None:
    given("briscola", HAND).clean()
    given("briscola", "B hand 1").when("@ deal A=3x?? B=3x?? upcard=7h").clean()


def test_R2_the_upcard_may_be_shown_instead_of_dealt() -> None:
    case = given("briscola", "B hand 1\n@ deal A=3x?? B=3x??").when("@ show 7h <upcard").clean()
    case.when("@ deal down stock=33x??", "A play 2s").clean()
    assert case.judgement.state.hand.trump == "h"


@pytest.mark.parametrize("deal", ["A=4x?? B=3x??", "A=3x?? B=3x?? upcard=7h8x??", "A=3x?? B=5x??"])
def test_R2_more_than_three_or_two_turned_up(deal: str) -> None:
    given("briscola", "B hand 1").when(f"@ deal {deal}").finds("R2")


def test_R2_a_deal_nobody_wrote_leaves_the_rest_in_the_stock() -> None:
    for seats, left in (("A B", 33), ("A B C", 29), ("N E S W", 27)):
        first = seats.split()[0]
        state = fold(given("briscola", f"{seats.split()[-1]} hand 1\n{first} play ??", Seats=seats).records)
        assert len(state.table.piles["stock"]) == left
        assert len(state.table.piles["upcard"]) == 1


# R3, the first lead
def test_R3_the_dealers_left_leads() -> None:
    given("briscola", HIDDEN).when("A play Kd").allows()
    given("briscola", "N hand 1", **FOUR).when("E play 4d").allows()


def test_R3_the_dealer_may_not_lead() -> None:
    given("briscola", HIDDEN).when("B play Kd").finds("R3", words="A sits left of the dealer and leads")
    given("briscola", "N hand 1", **FOUR).when("W play 4d").finds("R3", words="E sits left")


def test_R3_open_after_a_gap_until_the_dealer_is_known() -> None:
    given("briscola", HIDDEN).when("@ gap", "@ end hand void", "@ gap", "B play 4d").allows()


# R4, a right
def test_R4_any_card_may_be_played() -> None:
    given("briscola", HAND).when("A play Kd", "B play 3h").allows()
    given("briscola", HAND).when("A play Kd", "B play 5c").allows()


def test_R4_wrongly_denied() -> None:
    given("briscola", HAND).when(
        "A play Kd", "B play 5c", "A fault revoke B #6",
    ).finds("R4", words="any card may be played")


def test_R4_another_fault_denies_nothing() -> None:
    given("briscola", HAND).when("A play Kd", "B play 5c", "A fault slow B").allows()


# R5, who wins
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("Kd 3d", "B"),  # the three is above the king
        ("3d Ad", "B"),
        ("3d Kd", "A"),
        ("Jd Qd", "B"),
        ("7d Jd", "B"),
        ("2d 4d", "B"),
        ("2d As", "A"),  # off the suit led wins nothing
        ("Ad 2h", "B"),  # the lowest trump beats the highest card
        ("4h 2h", "A"),
        ("Ah 3h", "A"),
    ],
)
def test_R5_who_wins(cards: str, winner: str) -> None:
    led, answered = cards.split()
    case = given("briscola", HIDDEN).when(f"A play {led}", f"B play {answered}")
    case.when(f"@ move * <trick >won:{winner}").clean()
    case.when(f"@ move * <trick >won:{'AB'.replace(winner, '')}").finds("R5")


def test_R5_with_four_the_partners_keep_their_tricks_together() -> None:
    hand = given("briscola", "W hand 1\n@ deal upcard=7h\nN play Kd\nE play 4d\nS play 3d\nW play Js", **FOUR)
    hand.when("@ move * <trick >won:NS").clean()
    hand.when("@ move * <trick >won:EW").finds("R5", words="S won the trick with the 3♦")


def test_R5_without_the_upcard_nobody_can_say_who_won() -> None:
    case = given("briscola", "B hand 1\n@ deal A=3x?? B=3x??").when("A play Kd", "B play 4s")
    case.when("B play 5s").opens("R7")
    case.when(
        "@ show 7s <upcard", "B draw ??", "A draw ??", "B play 2d", "A play 2s", "A draw ??", "B draw ??", "B play 5c",
    ).finds("R7")


# R6, drawing
def test_R6_the_winner_draws_first() -> None:
    given("briscola", HAND + TRICK).when("A draw ??", "B draw ??").clean()


def test_R6_the_loser_may_not_draw_first() -> None:
    early = given("briscola", HAND + TRICK).when("B draw ??").opens("R6")
    # The draw of the winner may be missing from the record, until it is written.
    shown = early.when("A draw ??").finds("R6", at=7, known=8, words="A won the trick and draws first")
    assert [(f.at.pos, f.by, f.verdict.value) for f in shown.judgement.findings] == [(7, "B", "broken")]
    early.when("A play 2c").opens("R7").clean()
    given("briscola", HAND + TRICK + DRAWN).when("A play 2c", "B play 3h", "A draw ??").finds(
        "R6", words="B won the trick and draws first",
    )


def test_R6_with_four_the_others_draw_clockwise() -> None:
    hand = given("briscola", "W hand 1\n@ deal upcard=7h\nN play Kd\nE play 4d\nS play 3d\nW play Js", **FOUR)
    hand.when("S draw ??", "W draw ??", "N draw ??", "E draw ??", "S play 7c").clean()
    hand.when("N draw ??").opens("R6").when("S draw ??").finds("R6", at=7, words="S won the trick and draws first")
    hand.when("S draw ??", "N draw ??").finds("R6", words="W draws before N")


def test_R6_one_card_and_no_more() -> None:
    given("briscola", HAND + TRICK).when("A draw 2x??").finds("R6", words="one card")
    given("briscola", HAND + TRICK + "A draw ??").when("A draw ??").finds("R6", words="already")
    given("briscola", HAND + TRICK + DRAWN).when("B draw ??").finds("R6", words="all players have drawn")


def test_R6_no_card_is_drawn_in_the_middle_of_a_trick() -> None:
    given("briscola", HAND).when("A play Kd", "A draw ??").finds("R6", words="not full")


def test_R6_no_card_is_drawn_once_the_stock_is_out() -> None:
    hand = played("last", 18)
    leader = hand.judgement.state.turn[0]
    hand.when(f"{leader} draw ??").finds("R6", words="no card is drawn now")


def test_R6_open_until_it_is_known_who_won() -> None:
    given("briscola", HIDDEN).when("A play Kd", "B play ??", "B draw ??").opens("R6")


def test_R6_hidden_and_then_provable() -> None:
    # Who drew first is settled when the card nobody saw turns out to have been a low one.
    case = given("briscola", HIDDEN).when("A play Kd", "B play ??", "B draw ??", "A draw ??", "A play Ac", "B play 4s")
    case.opens("R6", at=5)
    case.when("@ fix #4 B play 4c").finds("R6", at=5)


def test_R6_a_lead_before_everybody_has_drawn_is_proved_by_the_draw() -> None:
    case = given("briscola", HAND + TRICK + "A draw ??").when("A play Ah")
    case.opens("R7")
    case.when("B draw ??").finds("R6", words="A led before B had drawn")
    case.when("B play 5c").allows()


def test_R6_whoever_writes_no_draws_is_accused_of_nothing() -> None:
    lines = [write(r) for r in simulate("briscola", seed=5, hands=1)[1:] if not isinstance(r.event, Draw)]
    bare = given("briscola", "\n".join(line for line in lines if " call " not in line))
    judgement = bare.judgement
    assert judgement.broken == []
    assert judgement.open == []
    whole = fold(simulate("briscola", seed=5, hands=1))
    assert judgement.state.scores[0].points == whole.scores[0].points


def test_R6_a_player_may_write_the_own_draws_alone() -> None:
    log = simulate("briscola", seed=6, hands=1)
    own = [r for r in log if not (isinstance(r.event, Draw) and r.event.by == "A") and " call " not in write(r)]
    found = judge([replace(r, n=n) for n, r in enumerate(hide(own, "B"))]).findings
    # Once, before anybody could tell that the draws of A are not written here.
    assert [(f.rule, f.at.pos, f.verdict.value) for f in found] == [
        ("briscola.R6", 7, "open"), ("briscola.R7", 8, "open"),
    ]


def write(r: Recorded) -> str:
    return write_event(r.event)


# R7, the lead
def test_R7_the_winner_leads() -> None:
    given("briscola", HAND + TRICK + DRAWN).when("A play Ah").allows()


def test_R7_the_loser_may_not_lead() -> None:
    given("briscola", HAND + TRICK + DRAWN).when("B play 5c").finds("R7", words="A won the last trick and leads")


def test_R7_open_while_a_card_was_not_seen_and_then_provable() -> None:
    case = given("briscola", HIDDEN).when("A play Kd", "B play ??", "B play 5c")
    case.opens("R7")
    case.when("@ fix #4 B play 4c").finds("R7", at=5)
    case.when("@ fix #4 B play 3d").clean()


def test_R7_without_draws_the_lead_is_judged_all_the_same() -> None:
    given("briscola", HAND + TRICK).when("A play Ah").clean()
    given("briscola", HAND + TRICK).when("B play 5c").finds("R7")


# R8, the upcard
def test_R8_the_upcard_is_drawn_last() -> None:
    hand = played("last", 17)
    first, second = hand.judgement.state.turn[0], "AB".replace(hand.judgement.state.turn[0], "")
    upcard = write_upcard(hand)
    hand.when(f"{first} draw ??", f"{second} draw {upcard} <upcard").clean()
    hand.when(f"{first} draw {upcard} <upcard").finds("R8", words="1 card of the stock is left")


def write_upcard(hand: Given) -> str:
    """The card that is turned up."""
    state = hand.judgement.state
    return str(state.game.pack.faces[state.table.piles["upcard"].codes()[-1]])


def test_R8_the_last_draw_is_the_upcard_though_nobody_says_so() -> None:
    hand = played("last", 17)
    first, second = hand.judgement.state.turn[0], "AB".replace(hand.judgement.state.turn[0], "")
    upcard = write_upcard(hand)
    state = fold(hand.when(f"{first} draw ??", f"{second} draw ??").records)
    assert state.holding(second).certain & PACK.field[PACK.code[upcard]]
    # Nobody wrote a draw at all: whoever did not win the last trick has it.
    state = fold(hand.when(f"{first} play ??").records)
    assert state.holding(second).certain & PACK.field[PACK.code[upcard]]


def test_R8_the_upcard_is_not_for_the_taking() -> None:
    given("briscola", HAND + TRICK).when("A draw 7h").finds("R8", words="33 cards")
    given("briscola", HAND + TRICK).when("A draw 7h <upcard").finds("R8")


def test_R8_open_if_nobody_counted_the_stock() -> None:
    vague = HAND.replace("33x??", "*x??")
    given("briscola", vague + TRICK).when("A draw 7h <upcard").opens("R8")


def test_R8_the_upcard_played_before_it_was_drawn() -> None:
    given("briscola", HIDDEN).when("A play 7h").finds("T2")


# R9, a right
def at_the_end(seats: str = "N E S W") -> Given:
    """The stock is out, and the last three tricks are to come."""
    size = len(seats.split())
    return played("look", {2: 17, 3: 10, 4: 7}[size], seats)


def drawn_out(hand: Given) -> Given:
    """The same after the last draws."""
    state = hand.judgement.state
    order = state.terms.in_turn(state.turn[0])
    return hand.when(*(f"{seat} draw ??" for seat in order))


def test_R9_partners_look_once_the_stock_is_out() -> None:
    hand = drawn_out(at_the_end())
    hand.when("N call look", "S call look", "E call look", "W call look").clean()
    hand.when("N call look S").allows()
    leader = hand.judgement.state.turn[0]
    hand.when("N call look", f"{leader} play ??").allows()


def test_R9_not_before() -> None:
    given("briscola", "W hand 1\n@ deal upcard=7h\nN play Kd", **FOUR).when("N call look").finds("R9", words="not out")
    hand = at_the_end()
    first = hand.judgement.state.turn[0]
    hand.when(f"{first} draw ??", "N call look").finds("R9", words="not out")


def test_R9_not_once_the_last_tricks_have_begun() -> None:
    hand = drawn_out(at_the_end())
    leader = hand.judgement.state.turn[0]
    hand.when(f"{leader} play ??", "N call look").finds("R9", words="have begun")


def test_R9_only_at_the_partners_hand_and_only_with_four() -> None:
    drawn_out(at_the_end()).when("N call look E").finds("R9", words="not the partner")
    drawn_out(at_the_end("A B")).when("A call look").finds("R9", words="plays alone")
    drawn_out(at_the_end("A B C")).when("A call look").finds("R9", words="plays alone")


def test_R9_wrongly_denied() -> None:
    drawn_out(at_the_end()).when("E fault look N").finds("R9", words="the stock is out")
    given("briscola", "W hand 1\n@ deal upcard=7h\nN play Kd", **FOUR).when("E fault look N").allows()


def test_R9_open_after_a_gap() -> None:
    at_the_end().when("@ gap", "N call look").opens("R9")


# R10, three cards
@pytest.mark.parametrize(("seats", "tricks", "draws"), [("A B", 20, 34), ("A B C", 13, 30), ("N E S W", 10, 28)])
def test_R10_three_cards_at_each_lead_until_the_stock_is_out(seats: str, tricks: int, draws: int) -> None:
    log = simulate("briscola", seed=3, seats=seats.split(), hands=1)
    size = len(seats.split())
    assert sum(isinstance(r.event, Play) for r in log) == tricks * size
    assert sum(isinstance(r.event, Draw) for r in log) == draws
    for i, r in enumerate(log):
        state = fold(log[: max(i, 1)])
        if isinstance(r.event, Play) and not state.hand.trick.plays:
            left = min(3, tricks - len(state.hand.trick.won))
            assert {len(state.holding(s)) for s in state.terms.seats} == {left}


# R11, in turn
def test_R11_one_card_each_clockwise() -> None:
    hand = given("briscola", "W hand 1\n@ deal upcard=7h\nN play Kd", **FOUR)
    hand.when("E play 4d").allows()
    hand.when("S play 4d").finds("R11", words="it is the turn of E")
    given("briscola", HAND).when("A play KdAh").finds("R11", words="one card")


# R12, the points
def worth_of(card: str) -> int:
    """What a card counts."""
    return COUNTS[PACK].of[PACK.code[card]]


def test_R12_what_the_cards_count() -> None:
    worth = {face: worth_of(face) for face in PACK.faces}
    assert [worth[f"{rank}d"] for rank in "A3KQJ76542"] == [11, 10, 4, 3, 2, 0, 0, 0, 0, 0]
    for suit in "cdhs":
        assert sum(n for face, n in worth.items() if face[1] == suit) == 30
    assert sum(worth.values()) == 120


@pytest.mark.parametrize("seats", ["A B", "A B C", "N E S W"])
def test_R12_a_hand_counts_120(seats: str) -> None:
    for seed in range(5):
        state = fold(simulate("briscola", seed=seed, seats=seats.split()))
        for score in state.scores:
            assert sum(n or 0 for n in score.points.values()) == 120


@pytest.mark.parametrize(
    "points",
    [
        "points.A=121", "points.A=-1", "points.A=1", "points.A=119", "points.A=70 points.B=51", "points.A=sixty",
        "points.C=3",
    ],
)
def test_R12_figures_that_cannot_be(points: str) -> None:
    case = given("briscola", "B hand 1").when(f"@ tally {points}")
    found = case.about()
    assert [f.verdict.value for f in found] == ["broken"], found
    assert case.judgement.state.scores[0].points == {"A": None, "B": None}


def test_R12_the_points_of_one_side_give_those_of_the_other() -> None:
    given("briscola", "B hand 1").when("@ tally points.A=61").scores(A=61, B=59)
    given("briscola", "W hand 1", **FOUR).when("@ tally points.EW=0 trump=c").scores(NS=120, EW=0)
    given("briscola", "C hand 1", **THREE).when("@ tally points.A=61").scores(A=61, B=None, C=None)
    given("briscola", "C hand 1", **THREE).when("@ tally points.A=61 points.C=20").scores(A=61, B=39, C=20)


def test_R12_a_ruling_hands_points_over() -> None:
    lines = "B hand 1\n@ tally points.A=61 points.B=59\nA dispute #2\n@ ruling #3 points.A=-4 points.B=4"
    score = score_match(given("briscola", lines).records)
    assert score.ways["played"].totals == {"A": 61, "B": 59}
    assert score.ways["ruled"].totals == {"A": 57, "B": 63}


def unseen(log: list[Recorded], cards: set[str]) -> Given:
    """A hand in which nobody saw these cards, nor what was dealt and drawn."""
    lines = [write(r) for r in hide(log)[1:] if " call " not in write(r)]
    return given("briscola", "\n".join(" ".join("??" if w in cards else w for w in line.split()) for line in lines))


def seen_whole() -> tuple[list[Recorded], State[StockHand]]:
    """A hand with every card seen, and the state at its end."""
    log = simulate("briscola", seed=8, hands=1)
    return log, fold(log)


def test_R12_an_unseen_card_that_is_the_only_one_is_counted() -> None:
    log, state = seen_whole()
    for trick in state.hand.trick.won[:-1]:
        for _, code in trick.plays:
            got = fold(unseen(log, {PACK.faces[code]}).records).scores[0].points
            assert got == state.scores[0].points, PACK.faces[code]


@pytest.mark.parametrize("same", [True, False])
def test_R12_cards_nobody_saw_leave_the_points_open_unless_they_count_the_same(same: bool) -> None:
    log, state = seen_whole()
    # Each was thrown on a trick that somebody else won; the next lead shows who.
    thrown = [(PACK.faces[c], t.winner) for t in state.hand.trick.won[:-1] for seat, c in t.plays if seat != t.winner]
    pairs = [(a, b) for a, who in thrown for b, other in thrown if (who, other) == ("A", "B")]
    alike = [pair for pair in pairs if (worth_of(pair[0]) == worth_of(pair[1])) is same]
    some = [*alike[:: len(alike) // 6], *[pair for pair in alike if worth_of(pair[0])][:3]]
    assert len(some) > 6
    for pair in some:
        points = fold(unseen(log, set(pair)).records).scores[0].points
        assert points == (state.scores[0].points if same else {"A": None, "B": None}), pair


def test_R12_cards_half_seen_count_what_they_show() -> None:
    log, state = seen_whole()
    thrown = [(PACK.faces[c], t.winner) for t in state.hand.trick.won[:-1] for seat, c in t.plays if seat != t.winner]
    ten, its = next((card, who) for card, who in thrown if card[0] == "3")
    low = next(card for card, who in thrown if who != its and card[0] in "24567")
    lines = unseen(log, {low}).lines.replace(f"play {ten}", "play 3?")
    # The three counts ten whichever it is, and so the other card counts nothing.
    assert fold(given("briscola", lines).records).scores[0].points == state.scores[0].points


def test_R12_a_card_that_nobody_saw_in_the_last_trick_leaves_open_who_has_it() -> None:
    log, state = seen_whole()
    for _, code in state.hand.trick.won[-1].plays:
        points = fold(unseen(log, {PACK.faces[code]}).records).scores[0].points
        assert points in (state.scores[0].points, {"A": None, "B": None})


@pytest.mark.parametrize("points", [1, 119])
def test_R12_with_three_nobody_has_one_point_or_all_but_one(points: int) -> None:
    given("briscola", "C hand 1", **THREE).when(f"@ tally points.A={points}").finds(
        "R12", words=f"no side can count {points}",
    )


# R13 and R14, the match
def tallies(*hands: dict[str, int], seats: str = "A B") -> Given:
    """Hands of which only the points are told."""
    dealers = seats.split()
    lines = []
    for i, points in enumerate(hands):
        lines.append(f"{dealers[(i - 1) % len(dealers)]} hand {i + 1}")
        lines.append("@ tally " + " ".join(f"points.{who}={n}" for who, n in points.items()))
    return given("briscola", "\n".join(lines), Seats=seats, Dealer=dealers[-1])


def outcome(case: Given) -> tuple[str, str]:
    """Whether the match is over, and who has won."""
    state = case.clean().judgement.state
    return state.ended, state.standing.winner


def test_R13_two_hands_with_two_players_and_with_four() -> None:
    assert outcome(tallies({"A": 100, "B": 20})) == ("", "")
    assert outcome(tallies({"A": 100, "B": 20}, {"A": 41, "B": 79})) == ("won", "A")
    assert outcome(tallies({"NS": 50, "EW": 70}, {"NS": 69, "EW": 51}, seats="N E S W")) == ("won", "EW")


def test_R13_all_hands_are_played_though_one_decides() -> None:
    assert outcome(tallies({"A": 120, "B": 0}))[0] == ""


def test_R13_three_hands_with_three_players() -> None:
    first = ({"A": 60, "B": 40, "C": 20}, {"A": 0, "B": 60, "C": 60})
    assert outcome(tallies(*first, seats="A B C")) == ("", "")
    assert outcome(tallies(*first, {"A": 60, "B": 30, "C": 30}, seats="A B C")) == ("won", "B")


def test_R13_a_claim_that_is_wrong() -> None:
    played_out = tallies({"A": 100, "B": 20}, {"A": 41, "B": 79})
    wrong = score_match(played_out.when("@ claim A=140 B=100").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("A", 140, 141), ("B", 100, 99)]
    right = score_match(played_out.when("@ claim A=141 B=99").records)
    assert claim_differences(right) == []


def test_R13_a_hand_that_does_not_count_is_not_one_of_them() -> None:
    case = given(
        "briscola", "B hand 1\n@ tally void=misdeal\nB hand 2\n@ tally points.A=60\nA hand 3\n@ tally points.A=59",
    )
    assert outcome(case) == ("won", "B")
    assert outcome(given("briscola", "B hand 1\n@ tally void=misdeal\nB hand 2\n@ tally points.A=61")) == ("", "")


def test_R13_nobody_has_won_while_points_are_missing() -> None:
    case = given(
        "briscola", "C hand 1\n@ tally points.A=60\nA hand 2\n@ tally points.A=60\nB hand 3\n@ tally points.A=60",
        **THREE
    )
    assert outcome(case) == ("", "")


def test_R14_a_tie_is_played_off() -> None:
    level = ({"A": 70, "B": 50}, {"A": 50, "B": 70})
    assert outcome(tallies(*level)) == ("", "")
    assert outcome(tallies(*level, {"A": 58, "B": 62})) == ("won", "B")
    assert outcome(tallies(*level, {"A": 60, "B": 60})) == ("", "")
    assert outcome(tallies(*level, {"A": 60, "B": 60}, {"A": 61, "B": 59})) == ("won", "A")


def test_R14_only_those_who_were_level_can_win() -> None:
    level = ({"A": 60, "B": 40, "C": 20}, {"A": 40, "B": 60, "C": 20}, {"A": 30, "B": 30, "C": 60})
    assert outcome(tallies(*level, seats="A B C")) == ("", "")
    # C has 220 now, and A 130: but C was not level with anybody.
    assert outcome(
        tallies(*level, {"A": 0, "B": 0, "C": 120}, {"A": 20, "B": 100, "C": 0}, seats="A B C")
    ) == ("won", "B")
    assert outcome(tallies(*level, {"A": 15, "B": 5, "C": 100}, seats="A B C")) == ("won", "A")


def test_R14_of_three_level_those_who_are_level_again_go_on() -> None:
    level = ({"A": 40, "B": 40, "C": 40},) * 3
    assert outcome(
        tallies(*level, {"A": 50, "B": 50, "C": 20}, {"A": 10, "B": 20, "C": 90}, seats="A B C")
    ) == ("won", "B")


# R15, the deal
@pytest.mark.parametrize(("seats", "right", "wrong"), [("A B", "A", "B"), ("A B C", "A", "B"), ("N E S W", "N", "S")])
def test_R15_the_deal_passes_to_the_left(seats: str, right: str, wrong: str) -> None:
    last = seats.split()[-1]
    side = next(iter(begin({"Game": "briscola", "Seats": seats}).terms.sides))
    told = " ".join(f"points.{who}=40" for who in "ABC") if seats == "A B C" else f"points.{side}=60"
    hand = given("briscola", f"{last} hand 1\n@ tally {told}", Seats=seats)
    hand.when(f"{right} hand 2").allows()
    hand.when(f"{wrong} hand 2").finds("R15", words=f"{right} deals")


def test_R15_after_a_tie_it_goes_on_to_the_left() -> None:
    level = tallies({"A": 70, "B": 50}, {"A": 50, "B": 70})
    level.when("B hand 3").allows()
    level.when("A hand 3").finds("R15")


# R16, not to be seen
def test_R16_partners_sit_opposite() -> None:
    assert begin({"Game": "briscola", **FOUR}).terms.sides == {"NS": ("N", "S"), "EW": ("E", "W")}
    assert begin({"Game": "briscola", "Seats": "A B C"}).terms.sides == {"A": ("A",), "B": ("B",), "C": ("C",)}


# at the table
def test_legal_acts_are_every_card_then_the_draw() -> None:
    state = given("briscola", HAND).judgement.state
    assert {a.cards[0] for a in legal(state).acts if isinstance(a, Play)} == {"Ah", "Kd", "2c"}
    state = given("briscola", HAND + TRICK).judgement.state
    assert [a for a in legal(state).acts if isinstance(a, Draw)] == [Draw(by="A", cards=("??",))]


# what tables leave out
def bare(tricks: int, *, upcard: str = "", game: str = "last") -> Given:
    """The first tricks of a hand of two of which nobody wrote a draw, nor saw more than the cards played."""
    lines = played(game, tricks).lines.splitlines()
    kept = [line for line in lines if " hand " in line or " play " in line or "upcard=" in line]
    return given(
        "briscola", "\n".join(re.sub("upcard=..", f"upcard={upcard}", line) if upcard else line for line in kept),
    )


def test_whoever_draws_the_upcard_draws_last_and_the_winner_leads() -> None:
    case = bare(17)
    winner = case.judgement.state.hand.trick.won[-1].winner
    other = "AB".replace(winner, "")
    after = case.when(f"{other} draw {write_upcard(case)} <upcard")
    state = after.clean().judgement.state
    assert (state.phase, state.turn) == ("play", (winner,))
    assert {len(state.holding(seat)) for seat in "AB"} == {3}


def test_the_upcard_that_is_drawn_shows_what_trumps_were() -> None:
    case = bare(17, upcard="??")
    upcard = write_upcard(played("last", 17))
    assert fold(case.records).hand.trump == ""
    assert fold(case.when(f"A draw {upcard} <upcard").records).hand.trump == upcard[1]


def test_a_draw_that_is_written_after_the_lead_is_not_a_second_card() -> None:
    state = fold(given("briscola", HAND + TRICK + "A draw ??\nA play Ah\nB draw 5s").records)
    assert len(state.holding("B")) == 3
    assert state.holding("B").certain & PACK.field[PACK.code["5s"]]
    assert len(state.table.piles["stock"]) == 31


def test_a_card_that_was_not_written_does_not_stop_the_drawing() -> None:
    state = fold(given("briscola", HAND + "A play Kd\nA play Ah").records)
    assert len(state.hand.trick.won) == 1
    assert [len(state.holding(seat)) for seat in "AB"] == [2, 3]
    assert len(state.table.piles["stock"]) == 31


@pytest.mark.parametrize("leader", ["A", "B"])
def test_who_leads_shows_who_drew_first_and_who_has_the_upcard(leader: str) -> None:
    case = played("open", 17)
    *lines, last = bare(17, game="open").lines.splitlines()
    hand = given("briscola", "\n".join([*lines, f"{last[0]} play ??"]))
    assert set(fold(hand.records).hand.trick.won[-1].winners) == {"A", "B"}
    state = fold(hand.when(f"{leader} play ??").records)
    upcard = PACK.field[PACK.code[write_upcard(case)]]
    assert [seat for seat in "AB" if state.holding(seat).certain & upcard] == ["AB".replace(leader, "")]


def test_only_the_top_card_of_a_known_stock_can_be_drawn() -> None:
    known = HAND.replace("stock=33x??", "stock=31x??5s6s") + TRICK
    given("briscola", known).when("A draw 6s", "B draw 5s").clean()
    given("briscola", known).when("A draw 5s").finds("T5", words="not on top")
    given("briscola", known).when("A draw Ks").finds("T5")


def test_if_one_card_too_many_was_drawn_the_hand_goes_on_without() -> None:
    case = played("last", 17)
    first = case.judgement.state.turn[0]
    state = fold(case.when(f"{first} draw ??", f"{first} draw ??").records)
    assert (state.phase, state.turn) == ("play", (first,))


def test_no_draw_is_due_in_the_last_tricks_though_nobody_counted_the_stock() -> None:
    case = played("last", 18)
    lines = re.sub(r"stock=\S+", "stock=*x??", case.lines)
    assert fold(given("briscola", lines).records).phase == "play"


def test_after_a_gap_anything_goes_until_the_hand_is_over() -> None:
    given("briscola", "B hand 1\n@ gap").when("A draw ??", "B play 4d", "B draw 5s", "A play 6s").clean()
    case = given("briscola", "B hand 1\n@ deal upcard=??\n@ gap").when("@ show 7h <upcard", "A play Kd", "B play 4d")
    assert case.clean().judgement.state.hand.trick.blind


def test_a_dot_is_the_next_card_and_a_bare_card_the_lead_of_the_winner() -> None:
    page = find_game("briscola")
    state = fold(given("briscola", HAND + TRICK + "A draw ??").records)
    assert page.phases["draw"].default_act(state) == Draw(by="B", cards=("??",))
    assert (page.shorthand.implied_actor(state, Play), page.shorthand.implied_actor(state, Draw)) == (("A",), ("B",))
    case = played("last", 17)
    first, second = case.judgement.state.terms.in_turn(case.judgement.state.turn[0])
    state = fold(case.when(f"{first} draw ??").records)
    assert page.phases["draw"].default_act(state) == Draw(by=second, cards=(write_upcard(case),), src="upcard")


@pytest.mark.parametrize("name", [table.name for table in tables("briscola")])
@pytest.mark.parametrize("seed", seeds(2, 100))
def test_nobody_is_accused_in_a_hidden_match_whether_draws_are_written_or_not(seed: int, name: str) -> None:
    log = simulate("briscola", seed=seed, **at(name).terms)
    for kept in (log, [r for r in log if not isinstance(r.event, Draw)]):
        judgement = judge([replace(r, n=n) for n, r in enumerate(hide(kept))])
        assert judgement.broken == []
        assert judgement.open == []
        assert judgement.state.standing.totals == fold(log).standing.totals
    assert judge(with_gap(log, seed)).broken == []


def test_R6_half_of_a_trump_shows_who_won() -> None:
    """If this failed, a heart that trumps a spade would leave open who took the trick, as nobody saw which heart."""
    deal = "B hand 1\n@ deal A=3x?? B=3x??\n@ deal up upcard=2h\n@ deal down stock=33x??\nA play As"
    given("briscola", deal).when("B play ?h", "A draw ??", "B draw ??").finds("R6", at=7, words="B won the trick")
    given("briscola", deal).when("B play ?s", "B draw ??", "A draw ??").finds("R6", at=7, words="A won the trick")
    given("briscola", deal).when("B play ??", "A draw ??", "B draw ??").opens("R6", at=7)
