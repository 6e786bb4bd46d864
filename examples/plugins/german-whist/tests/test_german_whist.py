"""The rules of German Whist, case by case. A holds spades, B hearts; a club is turned up, and so clubs are trumps."""

from replay.testing.given import given

HAND = """
    B hand 1
    @ deal A=AsKsQsJsTs9s8s7s6s5sQdJd2h B=AhKhQhJhTh9h8h7h6h5h4h3h2s
    @ deal up upcard=Ac
    @ deal down stock=25x??
"""
FIRST = HAND + "A play As\nB play 2s\n"
LAST = "B hand 1\n@ tally taken.A={a} taken.B={b}\n"


def test_R1_as_many_cards_are_dealt_as_the_rules_say() -> None:
    given("german-whist", "B hand 1").when("@ deal A=14x?? B=13x??").finds("R1")


def test_R2_later_cards_turned_up_make_no_trumps() -> None:
    case = given("german-whist", FIRST).when("@ move up Ad <stock >upcard", "A play Ks", "B play Ah")
    assert case.judgement.state.hand.trump == "c"
    assert case.judgement.state.hand.trick.won[-1].winner == "A"


def test_R3_the_winner_leads() -> None:
    case = given("german-whist", FIRST).when("@ move up Ad <stock >upcard")
    case.when("B play Ah").finds("R3")
    case.when("A play Ks").allows()


def test_R3_the_dealers_opponent_leads_first() -> None:
    given("german-whist", HAND).when("B play Ah").finds("R3")


def test_R4_nobody_plays_twice_to_a_trick() -> None:
    given("german-whist", HAND).when("A play As", "A play Ks").finds("R4")


def test_R5_follow_suit() -> None:
    case = given("german-whist", HAND).when("A play As")
    case.when("B play Ah").finds("R5")
    case.when("B play 2s").allows()


def test_R5_the_card_that_was_drawn_has_to_follow() -> None:
    """B took the king of diamonds: everybody saw it."""
    drawn = ("@ move up Kd <stock >upcard", "A play 2h", "B play 3h", "@ move up 2c <stock >upcard")
    case = given("german-whist", FIRST).when(
        *drawn, "B play 4h", "A play Ac", "@ move up 3c <stock >upcard", "A play Jd",
    )
    case.when("B play 5h").finds("R5")
    case.when("B play Kd").allows()


def test_R5_a_card_drawn_unseen_leaves_it_open() -> None:
    """B drew a card that nobody saw: it may be a spade."""
    case = given("german-whist", FIRST).when("A play Ks", "B play Ah").opens("R5")
    case.when("A play Qs", "B play 3s").opens("R5", at=8)


def test_R6_a_trump_wins() -> None:
    case = given("german-whist", FIRST).when(
        "@ move up Ad <stock >upcard", "A play 2h", "B play 3h", "@ move up Kd <stock >upcard", "B play Kh", "A play Ac"
    )
    assert case.allows().judgement.state.hand.trick.won[-1].winner == "A"


def test_R7_a_card_is_turned_up_after_each_trick() -> None:
    case = given("german-whist", FIRST)
    case.when("@ move up Ad <stock >upcard").allows()
    case.when("@ move up Ad <stock >upcard", "@ move up Kd <stock >upcard").finds("R7")
    given("german-whist", HAND).when("A play As", "@ move up Ad <stock >upcard").finds("R7")


def test_R7_the_winner_has_the_card_turned_up() -> None:
    table = given("german-whist", FIRST).when("@ move up Ad <stock >upcard").judgement.state.table
    ace = table.pack.unit[table.pack.code["Ac"]]
    assert table.piles["A"].certain & ace
    assert (len(table.piles["A"]), len(table.piles["B"]), len(table.piles["stock"])) == (13, 13, 23)


def test_R7_nobody_has_to_write_the_card_turned_up() -> None:
    table = given("german-whist", FIRST).when("A play Ks").clean().judgement.state.table
    assert (len(table.piles["A"]), len(table.piles["B"]), len(table.piles["stock"])) == (12, 13, 23)


def test_R8_seven_of_the_last_tricks_win_the_hand() -> None:
    given("german-whist", LAST.format(a=7, b=6)).scores(A=1, B=0)
    given("german-whist", LAST.format(a=3, b=10)).scores(A=0, B=1)
    given("german-whist", LAST.format(a=8, b=6)).finds("R8")


def test_R9_three_hands_win_the_match() -> None:
    hands = "".join(
        LAST.format(a=9, b=4).replace("B hand 1", f"{dealer} hand {n}") for n, dealer in ((1, "B"), (2, "A"), (3, "B"))
    )
    state = given("german-whist", hands).totals(A=3, B=0).judgement.state
    assert (state.ended, state.standing.winner) == ("won", "A")
    assert not given("german-whist", hands, option={"target": 4}).judgement.state.ended


def test_R10_the_deal_goes_to_the_other_player() -> None:
    hand = LAST.format(a=9, b=4)
    given("german-whist", hand).when("A hand 2").allows()
    given("german-whist", hand).when("B hand 2").finds("R10")
