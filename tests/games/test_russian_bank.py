"""Russian Bank, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from given import Given, given
from msgspec.structs import replace

from events.kib import read_bytes
from events.model import Call, Discard, Move, Pass, Show
from events.writing import write_event
from reducers.legal import legal
from reducers.registry import find_game
from replay.auditing.check import claimed
from replay.fold import fold
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

GAME = "russian-bank"


def dealt(
    a: str = "5h", b: str = "9c", line_a: str = "7hJc2d9s", line_b: str = "Kd8c4sQh", stock: str = "35x??",
    **tags: object
) -> Given:
    """The two lines and what the reserves show; events 1 and 2. What a player turns up is written when it comes."""
    under_a, under_b = ("12x??" + a, "12x??" + b) if a else ("13x??", "12x??" + b)
    lines = (
        f"B hand 1\n@ deal reserve:A={under_a} col:A:1..4={line_a} stock:A={stock} reserve:B={under_b} "
        f"col:B:1..4={line_b} stock:B={stock}\n"
    )
    return given(GAME, lines, **tags)


ACES = dealt(a="As", line_a="AcJc2d9s")


# -- whose turn


def test_R1_the_lower_reserve_begins_and_aces_are_low() -> None:
    dealt().when("A draw 6c").clean()
    dealt().when("B draw 6c").finds("R1", words="5♥ on the reserve of A is lower")
    dealt(a="Kh", b="Ah").when("A draw 6c").finds("R1")
    # Equal reserves: seven of hearts against the king, and against another seven, jack against eight.
    dealt(a="9d").when("A draw 6c").clean()
    dealt(a="9d", line_b="7d8c4sQh").when("A draw 6c").finds("R1")
    dealt(a="9d", line_b="7dJh2s9h").when("B draw 6c").allows()


def test_R1_open_then_proved_by_the_reserve_that_was_not_seen() -> None:
    begun = dealt(a="").when("B draw 6c", "B discard 6c").opens("R1", at=3)
    begun.when("A move 5h <reserve:A >discard:B").finds("R1", at=3, known=5)
    begun.when("A move Jc <reserve:A >col:B:4").allows(at=3)


def test_R2_only_the_player_on_turn_moves() -> None:
    begun = dealt().when("A draw 6c")
    begun.when("A discard 6c", "B draw 3d").clean()
    begun.when("B draw 3d").finds("R2", words="it is the turn of A")
    begun.when("B call stop").about()  # a word is free, whatever comes of it
    assert not [f for f in begun.when("B call stop").about() if f.rule.endswith("R2")]


# -- priority moves


@pytest.mark.parametrize(
    "act",
    [
        "A move 9c <reserve:B >col:A:2",
        "A move 6c <discard:A >col:A:1",
        "A move As <foundation:1 >col:A:3",
        "A move ?? <stock:B >col:A:3",
        "A draw ?? <stock:B",
    ],
)
def test_R3_what_is_not_available(act: str) -> None:
    dealt().when(act).finds("R3")


def test_R3_what_is_available() -> None:
    dealt(a="7d").when("A move 7d <reserve:A >col:B:2").clean()
    dealt().when("A move 7h <col:A:1 >col:B:2").clean()
    dealt().when("A draw 3d", "A move 3d >col:B:3").clean()
    # A record may leave out that the card was turned up first.
    dealt().when("A move 3d >col:B:3").clean()
    dealt().when("A move 3d <stock:A >col:B:3").clean()


def test_R4_foundations_go_up_in_suit_from_the_ace() -> None:
    ACES.when("A move As <reserve:A >foundation:1").clean()
    up = dealt(a="As", line_a="2sJc2d9s").when("A move As <reserve:A >foundation:1")
    up.when("A move 2s <col:A:1 >foundation:1").allows()
    up.when("A move 2d <col:A:3 >foundation:1").finds("R4", words="2♦ does not follow the A♠")
    up.when("A move 2s <col:A:1 >foundation:2").finds("R4", words="only an ace")
    # Nothing follows a king, not even an ace.
    king = dealt(a="As", line_a="2sJcAc9s").when("A move As <reserve:A >foundation:1")
    king.when("A move Ac <col:A:3 >foundation:1").finds("R4")


def test_R4_open_while_the_foundation_was_not_seen_then_proved() -> None:
    unseen = dealt().when(
        "A draw ??", "A move ?? >foundation:1",
    ).opens("R4").when("A move 2d <col:A:3 >foundation:1").opens("R4")
    unseen.when("A show Ah <foundation:1").finds("R4", at=5, known=6)
    unseen.when("A show Ad <foundation:1").allows(at=5)


def test_R5_the_order_of_priority_moves() -> None:
    ACES.when(
        "A move As <reserve:A >foundation:1", "A show Td <reserve:A", "A move Ac <col:A:1 >foundation:2",
        "A move Td <reserve:A >col:A:1",
    ).clean()
    ACES.when("A move Ac <col:A:1 >foundation:1").finds("R5", words="A♠ on the reserve of A")
    # A space is filled only when no foundation takes a card.
    space = dealt(line_a="7hJcAd9s").when("A move 7h <col:A:1 >col:B:2")
    space.when("A move 5h <reserve:A >col:A:1").finds("R5", words="A♦ on column 3 of A")


def test_R5_open_while_the_new_reserve_card_is_unseen_then_proved() -> None:
    begun = ACES.when("A move As <reserve:A >foundation:1", "A move Ac <col:A:1 >foundation:2").opens("R5")
    begun.when("A move Ad <reserve:A >foundation:3").finds("R5", at=4, known=5)
    begun.when("A move Td <reserve:A >col:A:1").allows(at=4)


def test_R6_a_foundation_comes_before_anything_else() -> None:
    dealt().when("A draw As", "A move As >foundation:1").clean()
    dealt().when("A draw As", "A discard As").finds("R6", words="A♠ had to go to a foundation first")
    dealt(line_a="7hJcAd9s").when("A move 7h <col:A:1 >col:B:2").finds("R6", words="A♦ on column 3 of A")
    # Turned up and discarded in one stroke: only the card itself is asked about.
    dealt().when("A discard As <stock:A").finds("R6", words="has a place on a foundation")


def test_R6_a_missed_priority_is_proved_by_the_reserve_card_that_moves_later() -> None:
    begun = ACES.when(
        "A move As <reserve:A >foundation:1", "A show Td <reserve:A", "A move Ac <col:A:1 >foundation:2",
        "A move Td <reserve:A >col:A:1",
    )
    # Nobody wrote which card came up; it was the ace of diamonds, and lay there all the time.
    on = begun.when("A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d").opens("R8", at=7).opens("R6", at=8)
    on.when("A move Ad <reserve:A >foundation:3").finds("R6", at=8, known=11).finds("R8", at=7, known=11)
    on.when("A move 9h <reserve:A >col:A:2").allows(at=8)


def test_R7_the_reserve_fills_every_space() -> None:
    space = dealt().when("A draw 6c", "A move 7h <col:A:1 >col:B:2")
    space.when("A move 5h <reserve:A >col:A:1", "A show 9d <reserve:A", "A discard 6c").clean()
    space.when("A discard 6c").finds("R7", words="the space in column 1 of A")
    space.when("A move 6c >col:A:1").finds("R7")
    space.when("A move 9s <col:A:4 >col:A:1").finds("R7")


def test_R7_open_after_a_gap() -> None:
    dealt().when("A draw 6c", "@ gap", "A discard 5d <stock:A").opens("R6")
    dealt().when("A draw 6c", "@ gap", "A discard 6c").opens("R7")


def test_R7_a_space_without_a_reserve() -> None:
    for option, kept in (("yes", True), ("no", False)):
        # The reserve is emptied by hand; that its cards went by is another matter.
        lines = (
            "B hand 1\n@ deal reserve:A=12x??5h col:A:1..4=7hJc2d9s stock:A=35x?? reserve:B=12x??9c "
            "col:B:1..4=Kd8c4sQh stock:B=35x??\n"
        )
        lines += "@ move 5h <reserve:A >dead\n@ move 12x?? <reserve:A:down >dead\n"
        act = given(GAME, lines, option={"fill_empty_from_any_when_reserve_empty": option}).when(
            "A move 7h <col:A:1 >col:B:2", "A move 2d <col:A:3 >col:A:1"
        )
        if kept:
            act.allows()
        else:
            act.finds("R7", words="stays empty")


# -- the rest of a turn


def test_R8_turning_up_comes_last_and_one_at_a_time() -> None:
    dealt().when("A draw 6c", "A discard 6c", "B draw 3d").clean()
    dealt().when("A draw 6c", "A draw 3d").finds("R8", words="6♣ is turned up")
    ACES.when("A draw 6c").finds("R8", words="A♠ on the reserve of A")
    dealt().when("A move 7h <col:A:1 >col:B:2", "A draw 6c").finds("R8", words="fill a space")
    ACES.when("A move As <reserve:A >foundation:1", "A draw 6c").finds("R8", words="A♣ on column 1 of A")


def test_R8_open_then_proved() -> None:
    begun = dealt(a="As").when("A move As <reserve:A >foundation:1", "A draw 6c").opens("R8")
    begun.when(
        "A discard 6c", "B draw 3d", "B discard 3d", "A move 2s <reserve:A >foundation:1",
    ).finds("R8", at=4, known=8)


@pytest.mark.parametrize(
    ("card", "onto", "kept"),
    [("7h", "col:B:2", True), ("7h", "col:A:4", False), ("Jc", "col:B:4", True), ("4s", "col:A:3", False)],
)
def test_R9_building_goes_down_in_the_other_colour(card: str, onto: str, kept: bool) -> None:
    src = {"7h": "col:A:1", "Jc": "col:A:2", "4s": "col:B:3"}[card]
    act = dealt().when(f"A move {card} <{src} >{onto}")
    act.allows() if kept else act.finds("R9", words="does not go on")


def test_R9_open_where_the_card_below_was_not_seen_then_proved() -> None:
    unseen = dealt().when("A draw ??", "A move ?? >col:B:2").opens("R9").when("A move Jc <col:A:2 >col:B:2").opens("R9")
    unseen.when("A show 7d <col:B:2").finds("R9", at=5, known=6)
    unseen.when("A show Qd <col:B:2").allows(at=5)


def test_R10_one_card_at_a_time_from_the_top() -> None:
    built = dealt(line_b="Kd8c4s8s").when(
        "A move 7h <col:A:1 >col:B:2", "A move 5h <reserve:A >col:A:1", "A show 9d <reserve:A",
    )
    built.when("A move 7h <col:B:2 >col:B:4").clean()
    built.when("A move 8c <col:B:2 >reserve:B").finds("R10", words="7♥ is on top")
    # A run in order does not move as one.
    built.when("A move 8c7h <col:B:2 >reserve:B").finds("R10", words="one card")


def test_R11_loading_in_suit_one_rank_away() -> None:
    dealt().when("A move 8c <col:B:2 >reserve:B").clean()
    dealt(b="7c").when("A move 8c <col:B:2 >reserve:B").clean()
    dealt().when("A move 7h <col:A:1 >reserve:B").finds("R11", words="is not next to the 9♣")
    dealt(b="Kc", line_b="Ac8c4sQh").when("A move Ac <col:B:1 >reserve:B").finds("R11")
    dealt().when("A move 8c <col:B:2 >discard:B").finds("R11", words="an empty pile")
    dealt().when("A move 8c <col:B:2 >reserve:A").finds("R11", words="no card is put on the reserve of A")
    thrown = dealt().when("A draw 6c", "A discard 6c", "B draw 7c")
    thrown.when("B move 7c >discard:A").clean()
    no = dealt(option={"load_discard": "no"}).when("A draw 6c", "A discard 6c", "B draw 7c")
    no.when("B move 7c >discard:A").finds("R11")


def test_R11_a_loaded_card_covers_the_reserve_and_what_it_covered_shows_again() -> None:
    loaded = dealt().when(
        "A move 8c <col:B:2 >reserve:B", "A move 5h <reserve:A >col:B:2", "A show 2h <reserve:A", "A draw 3h",
        "A discard 3h",
    )
    state = loaded.clean().judgement.state
    assert len(state.hand.down["B"]) == 13
    off = loaded.when("B move 8c <reserve:B >col:A:1").finds("R9")
    assert not off.judgement.state.hand.pending, "the nine lay face up under it"
    assert off.judgement.state.game.pack.cards(off.judgement.state.hand.reserve["B"].known) == ["9c"]


def test_R12_only_the_turned_up_card_is_discarded() -> None:
    dealt().when("A draw 6c", "A discard 6c").clean()
    dealt().when("A discard 5h <reserve:A").finds("R12", words="was not turned up")
    dealt().when("A pass").finds("R12", words="35 cards to turn up")
    dealt().when("A draw 6c", "A pass").finds("R12", words="6♣ is turned up")
    alone = dealt(stock="6c").when("A draw 6c", "A move 6c >col:A:1")
    assert [type(a) for a in legal(alone.judgement.state).acts].count(Pass) == 1
    alone.when("A pass").allows()


def test_R13_the_discards_turned_over_as_they_lie() -> None:
    two = dealt(stock="2x??").when(
        "A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d", "A draw 7d", "A discard 7d", "B draw Th",
        "B discard Th",
    )
    over = two.when("A move down * <discard:A >stock:A").allows()
    over.when("A draw 6c").allows()
    over.when("A draw 7d").finds("R13", words="6♣ was on top")
    # A record may leave it out; what came first is on top all the same.
    assert "turned over" in two.when("A draw 6c").allows().judgement.state.inferred[-1][1]
    two.when("A draw 7d").finds("R13")
    dealt().when(
        "A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d", "A move down * <discard:A >stock:A",
    ).finds("R13", words="is not out")


def test_R13_the_top_card_may_have_been_turned_up_where_nobody_writes_that() -> None:
    """If this failed, who turns up two cards while nobody writes the draws would be told to have taken one from
    under the other."""
    lines = "A move down * <discard:A >stock:A"
    over = dealt(stock="2x??").when("A discard 6c", "B discard 3d", "A discard Td", "B discard Th", lines)
    over.when("A discard 6c").allows()
    over.when("A discard Td").opens("R13")
    over.when("A draw Td").finds("R13", words="6♣ was on top")


def test_R14_nothing_is_moved_after_the_end() -> None:
    ended = dealt().when("A draw 6c", "A discard 6c", "@ end hand stalemate")
    # It may be the first move of a hand whose beginning nobody wrote.
    ended.when("B draw 3d").opens("R14")
    ended.when("A hand 2", "B draw 3d").allows()


def test_a_pile_of_other_games_is_a_gap() -> None:
    for pile in ("widow", "board", "trick"):
        dealt().when(f"A draw 6c <{pile}").finds("T10", words=f"no pile '{pile}'")
    dealt().when("A draw 6c <stock").allows()


# -- Stop

WRONG = dealt().when("A draw 6c", "A move 6c >col:A:4")  # a black six on a black nine
MISSED = dealt(line_a="7hJcAd9s").when("A draw 6c")  # the ace of diamonds lies open


def test_R15_a_stop_for_a_wrong_place_and_one_without_reason() -> None:
    assert WRONG.when("B call stop #4").allows().judgement.state.turn == ("A",)
    fine = dealt().when("A draw 6c", "B call stop").finds("R15", words="the act at 3 broke no rule")
    assert fine.judgement.state.turn == ("A",), "nothing comes of it"
    fine.when("A discard 6c").allows()
    dealt().when("B call stop").finds("R15", words="nothing was done")


DISPUTED = ACES.when("A move As <reserve:A >foundation:1", "A move Ac <col:A:1 >foundation:2", "B call stop")


def test_R15_open_while_the_act_in_question_is_open() -> None:
    assert DISPUTED.opens("R15").judgement.state.turn == ("A", "B")
    DISPUTED.when("A move Ad <reserve:A >foundation:3").allows(at=5)


def test_R16_open_while_nobody_can_say_whether_the_stop_was_right() -> None:
    # Whether the reserve had to go first depends on its next card.
    DISPUTED.when("A move Jc <col:A:2 >col:B:4").opens("R16")
    DISPUTED.when("A move Jc <col:A:2 >col:B:4", "A move 2d <col:A:3 >foundation:1").opens("R16")
    DISPUTED.when("A move Jc <col:A:2 >col:B:4", "A show Ad <reserve:A").finds("R16", at=6)
    other = DISPUTED.when("B draw 3d").opens("R16").opens("R2")
    other.when("A draw 6c").opens("R2")
    assert {f.rule for f in other.when("B discard 3d").about()} & {"russian-bank.R2", "russian-bank.R16"} == set()
    assert other.when("B discard 3d").judgement.state.turn == ("A",)
    # With the reserve seen it was one or the other.
    DISPUTED.when("A show 9d <reserve:A", "B draw 3d").finds("R2")
    DISPUTED.when("A show Ad <reserve:A", "B draw 3d").finds("R16", words="still owed")


def test_R16_the_turned_up_card_may_be_discarded_whether_the_stop_was_right_or_not() -> None:
    turned = dealt(a="As").when("A move As <reserve:A >foundation:1", "A draw 6c", "B call stop").opens("R15")
    turned.when("A move 6c >col:A:1").opens("R16")
    done = turned.when("A discard 6c")
    assert "russian-bank.R16" not in {f.rule for f in done.about()}
    assert {f.rule for f in done.when("B draw 3d").about()} & {"russian-bank.R2", "russian-bank.R16"} == set()


def test_R2_a_stop_after_the_turn_leaves_it_to_the_other_who_goes_on() -> None:
    late = dealt(a="As").when(
        "A move As <reserve:A >foundation:1", "A draw 6c", "A discard 6c", "B call stop",
    ).opens("R15")
    late.when("A draw 4d").opens("R2").opens("R16")
    went_on = late.when("B draw 3d").opens("R16")
    assert "russian-bank.R2" not in {f.rule for f in went_on.about()}
    went_on.when("A draw 4d").finds("R2")


def test_a_move_taken_back_is_held_against_nobody_who_may_have_been_wrong_to_make_it() -> None:
    for begun in (DISPUTED, ACES.when("A move As <reserve:A >foundation:1", "A move Ac <col:A:1 >foundation:2")):
        back = begun.when("A move Ac <foundation:2 >col:A:1").opens("R3").allows()
        # It was right to make it: a card does not come back from a foundation.
        back.when("A show 9d <reserve:A").finds("R3", at=back.records[-1].n)


def test_R15_nobody_is_stopped_twice_for_one_act() -> None:
    # Whether more is owed after the space was filled depends on a reserve card that was not seen.
    stopped = dealt().when("A draw 6c", "A move 7h <col:A:1 >col:B:2", "A discard 6c", "B call stop").allows()
    stopped.when("B call stop").finds("R15", words="nothing was done")
    stopped.when("A move 5h <reserve:A >col:A:1", "B call stop").finds("R15", words="broke no rule")


def test_R15_too_late_after_the_next_move() -> None:
    late = WRONG.when("A draw 3d", "B call stop #4").finds("R15", words="too late")
    assert late.judgement.state.phase == "turn"
    turn = dealt(option={"stop_window": "turn"}).when(
        "A draw 6c", "A move 6c >col:A:4", "A draw 3d", "B call stop #4",
    ).allows()
    assert turn.judgement.state.phase == "stopped"


def test_R16_the_misplaced_card_goes_back_and_the_turn_is_over() -> None:
    stopped = WRONG.when("B call stop")
    back = stopped.when("A move 6c <col:A:4 >A").allows()
    assert back.judgement.state.turn == ("A",), "the six lies turned up again, and is discarded"
    done = back.when("A discard 6c").allows()
    assert done.judgement.state.turn == ("B",)
    done.when("B draw 3d").allows()
    stopped.when("A move Jc <col:A:2 >col:B:4").finds("R16", words="ended by the Stop")
    stopped.when("B draw 3d").finds("R16", words="must go back")
    # Nobody wrote that the six was discarded.
    state = back.when("B draw 3d").allows().judgement.state
    assert state.turn == ("B",)
    assert state.inferred[-1][1].startswith("A discarded the 6♣")


def test_R16_the_priority_move_is_made_and_the_turn_is_over() -> None:
    stopped = MISSED.when("B call stop").allows()
    assert [f.at.pos for f in stopped.judgement.broken] == [3], "the ace was missed by turning up"
    made = stopped.when("A move Ad <col:A:3 >foundation:1").allows()
    filled = made.when("A move 5h <reserve:A >col:A:3", "A show 9d <reserve:A").allows()
    assert filled.judgement.state.turn == ("A",)
    over = filled.when("A discard 6c").allows()
    assert over.judgement.state.turn == ("B",)
    stopped.when("A discard 6c").finds("R6")
    stopped.when("B draw 3d").finds("R16", words="still owed")
    filled.when("A move 6c >col:A:1").finds("R16")


def test_R16_a_card_wrongly_discarded_goes_to_its_foundation() -> None:
    thrown = dealt().when("A draw As", "A discard As").finds("R6")
    assert thrown.judgement.state.turn == ("B",)
    stopped = thrown.when("B call stop #4").allows()
    assert stopped.judgement.state.turn == ("A",)
    made = stopped.when("A move As <discard:A >foundation:1").allows()
    assert made.judgement.state.turn == ("B",)


def test_R16_what_is_in_the_way_of_the_priority_move_goes_back() -> None:
    # The turned-up card lies in the space that the reserve had to fill.
    placed = dealt().when("A draw 6c", "A move 7h <col:A:1 >col:B:2", "A move 6c >col:A:1", "B call stop").allows()
    placed.when(
        "A move 6c <col:A:1 >A", "A move 5h <reserve:A >col:A:1", "A show 9d <reserve:A", "A discard 6c",
    ).allows(at=6).allows(at=7)
    placed.when("A move 6c <col:A:1 >A", "A discard 6c").finds("R7")
    placed.when("B draw 3d").finds("R16", words="6♣ must go back")
    # A card that had to go to its foundation is covered, or was loaded on the other's reserve.
    spades = dealt(a="As", line_a="2s3s2d9s").when(
        "A move As <reserve:A >foundation:1", "A show Th <reserve:A", "A move 2s <col:A:1 >foundation:1",
    )
    covered = spades.when("A move 2d <col:A:3 >col:A:2", "B call stop").allows()
    back = covered.when("A move 2d <col:A:2 >col:A:3").allows()
    back.when("A move 3s <col:A:2 >foundation:1").allows()
    # Where it is not in the way the move stays, and taking it back is no putting right.
    stays = MISSED.when("A move 7h <col:A:1 >col:B:2", "B call stop").allows()
    stays.when("A move 7h <col:B:2 >col:A:1").finds("R16", words="ended by the Stop")
    # Of two equal cards that of the tableau went first: the foundation is free again when it is taken back.
    aces = dealt(a="As", line_a="7hJc2s9s")
    twos = aces.when(
        "A move As <reserve:A >foundation:1", "A show 2s <reserve:A", "A move 2s <col:A:3 >foundation:1", "B call stop",
    )
    twos.when("A move 2s <foundation:1 >col:A:3").allows()


def test_R16_what_is_in_the_way_is_looked_for_with_all_that_is_known() -> None:
    # The ace that came up in the reserve was missed, and could still be played: nothing has to go back.
    owed = DISPUTED.when("A show Ad <reserve:A")
    owed.when("B draw 3d").finds("R16", words="still owed")
    owed.when(
        "A move Ad <reserve:A >foundation:3", "A move 2d <col:A:3 >foundation:3", "A move 5c <reserve:A >col:A:1",
        "A move 5d <reserve:A >col:A:3", "A show Kc <reserve:A", "B draw 3d",
    ).allows()


def test_R16_a_wrong_use_of_a_space_goes_back_where_the_terms_forbid_it() -> None:
    lines = (
        "B hand 1\n@ deal reserve:A=12x??5h col:A:1..4=7hJc2d9s stock:A=35x?? reserve:B=12x??9c "
        "col:B:1..4=Kd8c4sQh stock:B=35x??\n"
    )
    lines += "@ move 5h <reserve:A >dead\n@ move 12x?? <reserve:A:down >dead\n"
    begun = given(GAME, lines, option={"fill_empty_from_any_when_reserve_empty": "no"})
    stopped = begun.when("A move 7h <col:A:1 >col:B:2", "A move 2d <col:A:3 >col:A:1", "B call stop").allows()
    assert stopped.when("A move 2d <col:A:1 >col:A:3").allows().judgement.state.turn == ("B",)


def test_R15_any_other_rule_of_play_is_a_reason_too() -> None:
    # Out of turn, the wrong player to begin, the discards turned over too early: the turn ends, nothing goes back.
    turn = dealt().when("A draw 6c", "B draw 3d").finds("R2").when("A call stop #4").allows()
    turn.when("B discard 3d").allows()
    assert turn.when("B discard 3d").judgement.state.turn == ("A",)
    begun = dealt().when("B draw 3d").finds("R1").when("A call stop").allows()
    assert begun.when("B discard 3d").judgement.state.turn == ("A",)
    early = dealt().when(
        "A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d", "A move down * <discard:A >stock:A", "B call stop",
    ).allows()
    assert early.judgement.state.turn == ("B",)


def test_a_missed_priority_is_found_without_a_stop() -> None:
    MISSED.when("A discard 6c").finds("R8", at=3, words="A♦ on column 3 of A").finds("R6", at=4)


def test_a_stop_is_ruled_upon_and_scored() -> None:
    ended = WRONG.when(
        "B call stop #4", "@ ruling #5 #4 stop rule=russian-bank.R9 points.B=2", "A move 6c <col:A:4 >A",
        "A discard 6c", "@ end hand agreed",
    )
    ways = score_match(ended.records).hands[-1].ways
    assert ways["played"].points == {"A": 0, "B": 0}
    assert ways["ruled"].points == {"A": 0, "B": 2}


# -- the reserve, the deal, what is free


def test_R17_the_next_reserve_card_is_turned_over() -> None:
    begun = dealt(a="7d").when("A move 7d <reserve:A >col:B:2")
    assert begun.judgement.state.hand.pending == "A"
    up = begun.when("A show Qc <reserve:A").clean()
    assert up.judgement.state.game.pack.cards(up.judgement.state.hand.reserve["A"].known) == ["Qc"]
    assert not up.judgement.state.hand.pending


def test_R17_contradicted_by_another_card() -> None:
    known = (
        "B hand 1\n@ deal reserve:A=2h3h4h6h8h9hThJhQhKhAcKc7d col:A:1..4=7hJc2d9s stock:A=35x?? "
        "reserve:B=12x??9c col:B:1..4=Kd8c4sQh stock:B=35x??\n"
    )
    given(GAME, known).when("A move 7d <reserve:A >col:B:2", "A show Kc <reserve:A").clean()
    given(GAME, known).when("A move 7d <reserve:A >col:B:2", "A show Qc <reserve:A").finds("T4")


def test_R20_thirteen_four_and_thirty_five_from_the_own_pack() -> None:
    dealt().clean()
    dealt(stock="34x??").finds("R20", at=2, words="35 cards, not 34")
    dealt(line_a="7hJc2d7h").finds("R20", at=2, words="one 7♥ in the pack of A")
    # The same card of the other pack is another card.
    dealt(line_b="7h8c4sQh").clean()
    # What is dealt face up may stand alone.
    up = given(GAME, "B hand 1").when(
        "@ deal up reserve:A=5h col:A:1..4=7hJc2d9s reserve:B=9c col:B:1..4=Kd8c4sQh"
    ).clean()
    state = up.when("A draw 6c").clean().judgement.state
    assert {
        name: len(state.table.piles[name]) for name in ("reserve:A:down", "stock:A", "stock:B", "A")
    } == {"reserve:A:down": 12, "stock:A": 34, "stock:B": 35, "A": 1}


def test_R21_nobody_has_to_play_a_turned_up_card() -> None:
    kept = dealt().when("A draw 3d", "A discard 3d").clean()
    kept.when("B fault unwilling A #4").finds("R21")
    kept.when("B call stop #4").finds("R15")


# -- the end of the hand


def test_R18_one_for_each_card_two_for_the_reserve_thirty_for_being_out() -> None:
    given(GAME, "B hand 1").when("@ tally out=A cards.B=10 reserve.B=4").clean().scores(A=48, B=0)
    given(GAME, "B hand 1").when("@ tally cards.A=20 reserve.A=3 cards.B=5 reserve.B=6").scores(A=0, B=9)
    given(GAME, "B hand 1").when("@ tally cards.A=10 reserve.A=0 cards.B=4 reserve.B=3").scores(A=0, B=0)
    given(GAME, "B hand 1").when("@ tally cards.A=10 reserve.A=2 cards.B=4").scores(A=None, B=None)
    # Whole packs: thirty-five and twenty-six.
    dealt().when("A draw 6c", "A discard 6c", "@ end hand agreed").scores(A=0, B=0)
    dealt().when("A move 5h <reserve:A >dead", "@ end hand agreed").scores(A=2, B=0)
    dealt().when("A draw 6c", "@ end hand misdeal").scores(A=0, B=0)


def test_R18_contradicted_by_a_tally_or_a_claim() -> None:
    given(GAME, "B hand 1").when("@ tally out=A cards.A=2 cards.B=3 reserve.B=0").finds("R18")
    right = given(GAME, "B hand 1\n@ tally out=A cards.B=10 reserve.B=4").when("A claim A=48 B=0")
    right.clean()


def test_who_is_rid_of_everything_ends_the_hand() -> None:
    bare = "@ move 5h <reserve:A >dead\n@ move 12x?? <reserve:A:down >dead\n@ move 34x?? <stock:A >dead\n"
    given(GAME, dealt().lines + bare).when("A draw 3d", "A move 3d >col:B:3").scores(A=91, B=0)
    state = given(GAME, dealt().lines + bare).when("A draw 3d", "A move 3d >col:B:3").judgement.state
    assert state.settled
    assert state.score.result == "A is out"


def test_R19_stalemate_by_both_and_by_the_count_of_vain_turns() -> None:
    few = "B hand 1\n@ deal reserve:A=5h col:A:1..4=KhKcKdKs stock:A=9h reserve:B=5c col:B:1..4=KhKcKdKs stock:B=9c\n"
    few = few.replace("reserve:A=5h", "reserve:A=12x??5h").replace("reserve:B=5c", "reserve:B=12x??5c")
    vain = given(GAME, few).when("A draw 9h", "A discard 9h")
    said = vain.when("B draw 9c", "A call stalemate", "B call stalemate")
    assert said.allows().judgement.state.score.result == "stalemate"
    counted = vain.when("B draw 9c", "B discard 9c")
    assert counted.judgement.state.settled
    counted.scores(A=0, B=0)


def test_R19_no_stalemate_while_somebody_can_play() -> None:
    dealt().when("A draw 3d", "A call stalemate").finds("R19", words="A can play the 3♦")
    dealt().when("A draw 3d", "A discard 3d", "@ end hand stalemate").finds("R19", words="when it is turned up")
    dealt().when("A draw Ts", "A discard Ts", "@ end hand stalemate").opens("R19")


def test_the_match_goes_to_three_hundred_or_so_many_hands() -> None:
    big = "@ tally out=A cards.B=50 reserve.B=10"
    match = given(GAME, f"B hand 1\n{big}\nA hand 2\n{big}\nB hand 3\n{big}")
    assert match.totals(A=300, B=0).judgement.state.standing.winner == "A"
    assert not given(GAME, f"B hand 1\n{big}\nA hand 2\n{big}").judgement.state.ended
    short = given(GAME, f"B hand 1\n{big}", option={"hands_limit": 1})
    assert short.judgement.state.standing.winner == "A"


def test_the_sheet_shows_what_was_left_and_how_it_was_counted() -> None:
    rows = sheet_of(
        given(GAME, "B hand 1\n@ tally out=A cards.B=10 reserve.B=4", A="Lena", B="Oleg").records
    ).blocks[0].rows
    texts = [cell.text for cell in rows[0].cells]
    assert texts[:6] == ["1", "Lena is out", "0", "18", "48", "48"]
    assert rows[0].cells[3].sum == "10 + 2 × 4"
    assert rows[0].cells[4].sum == "18 − 0 + 30"


# -- at the table


def typed(begun: Given, *lines: str) -> list[str]:
    """What a recorder's short lines mean, one after the other."""
    session = Session(begun.records)
    out = []
    for line in lines:
        draft = session.complete(line)
        n = session.records[-1].n
        events = [replace(r, n=n + i) for i, r in enumerate(draft.events, 1)]
        session.take(events)
        out += [write_event(r.event) for r in events]
    return out


def test_a_recorder_types_little() -> None:
    begun = dealt(a="7d", line_a="AsJc2d9s")
    assert typed(begun, "As", "7d >a1", "2s", "2s", "3d", "9d", ".", "Th", "9s >b4", "c stop") == [
        "A move As <col:A:1 >foundation:1",
        "A move 7d <reserve:A >col:A:1",
        "A show 2s <reserve:A",
        "A move 2s <reserve:A >foundation:1",
        "A show 3d <reserve:A",
        "A draw 9d <stock:A",
        "A discard 9d",
        "B draw Th <stock:B",
        "B move 9s <col:A:4 >col:B:4",
        "A call stop",
    ]
    # The rank alone names the card that lies turned up.
    assert typed(dealt().when("A draw 6c"), "6") == ["A discard 6c"]
    # The seven fills the space at once; a named foundation, and a card loaded on the reserve of the other.
    assert typed(dealt(line_a="AsJc2d9s"), "As >fo", "5h >a1", "Kc", "4s >a1", "Kc >b3", "6d", "8c >re") == [
        "A move As <col:A:1 >foundation:1",
        "A move 5h <reserve:A >col:A:1",
        "A show Kc <reserve:A",
        "A move 4s <col:B:3 >col:A:1",
        "A move Kc <reserve:A >col:B:3",
        "A show 6d <reserve:A",
        "A move 8c <col:B:2 >reserve:B",
    ]


def test_the_example_says_what_it_was_made_for() -> None:
    """A Stop that was right, a priority move missed and proved later, a wrong build, and a claim that is off by
    twelve."""
    text = (Path(__file__).parents[2] / "examples" / "russian-bank-sunday.kib").read_bytes()
    records = read_bytes(text).records
    judgement = judge(records)
    found = [
        (f.rule.partition(".")[2], f.at.pos, f.known_from.pos) for f in [*judgement.broken, *claimed(records)]
        if f.known_from
    ]
    assert found == [("R8", 60, 60), ("R8", 77, 81), ("R6", 78, 81), ("R9", 106, 106), ("T9", 195, 195)]
    assert [(f.rule, f.at.pos) for f in judgement.open] == [("russian-bank.R6", 43)]
    assert judgement.state.standing.totals == {"A": 134, "B": 54}


# -- whole matches


@pytest.mark.parametrize("seed", range(3))
def test_every_breach_is_found_hidden_or_open(seed: int) -> None:
    log, truth = simulate_breaches(GAME, seed=seed, p=0.05, hands=1)
    breaches = {(b.position, rule) for b in truth.breaches for rule in b.rules}
    assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(log).broken} == breaches
    assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(hide(log)).broken} <= breaches


def test_the_hidden_log_is_what_lies_open() -> None:
    log = simulate(GAME, seed=1, hands=1)
    seen = hide(log)
    assert [
        i for i, (a, b) in enumerate(zip(log, seen, strict=True)) if a.event != b.event
    ] == [2], "only the deal has hidden cards"
    assert dict(seen[2].event.piles)["reserve:A"][0] == "12x??"
    assert fold(seen).scores[-1].points == fold(log).scores[-1].points
    assert {type(r.event) for r in log[3:]} <= {
        Move, Discard, Show, Pass, Call, type(log[3].event), *find_game(GAME).on,
    }


# -- what goes unwritten


def broken_in(case: Given) -> list[tuple[str, int]]:
    return [(f.rule.partition(".")[2], f.at.pos) for f in case.judgement.broken]


UNENDED = dealt().when("A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d", "A draw 7c", "B draw 8d")


def test_R2_an_end_of_a_turn_nobody_wrote_is_one_finding_however_long_the_hand() -> None:
    """If this failed, one discard that was forgotten would look like a dozen breaches."""
    case = UNENDED
    for i, card in enumerate(("9h", "Jh", "3c", "Qc", "5d", "4s", "9s", "Js")):
        mine, other = "BA" if i % 2 == 0 else "AB"
        case = case.when(f"{mine} discard ??", f"{other} draw {card}")
    assert broken_in(case) == [("R2", 8)]
    assert case.judgement.state.inferred == [
        (10, "A discarded the 7♣, which ended the turn (not recorded), and the other player began")
    ]


def test_R2_the_card_that_was_inferred_lies_with_the_discards_in_its_order() -> None:
    """The inferred discard lies under what was loaded on it, and over the discards before it."""
    case = UNENDED.when("B move 8c <stock:B >discard:A", "B discard 8d", "A draw Qh")
    assert [
        case.judgement.state.game.pack.faces[c] for c in case.judgement.state.table.piles["discard:A"].row or ()
    ] == ["6c", "7c", "8c"]


@pytest.mark.parametrize(("card", "fine"), [("8c <col:B:2", None), ("9c <reserve:B", False), ("4s <col:B:3", False)])
def test_R11_loading_discards_that_may_have_another_card_on_top(card: str, fine: bool | None) -> None:
    """The 7♣ may lie on the 6♣ or be turned up still: what fits one of them is open, what fits neither is broken."""
    case = dealt().when(
        "A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d", "A draw 7c", f"B move {card} >discard:A",
    )
    if fine is None:
        case.opens("R11")
        assert broken_in(case) == [("R2", 8)]
    else:
        case.finds("R11")


@pytest.mark.parametrize("act", ["A discard 7c", "A move 7c <A >col:B:2"])
def test_R2_the_turned_up_card_lay_there_all_the_time(act: str) -> None:
    """B did begin too early: the card that A plays with shows that no discard was forgotten."""
    case = UNENDED.when("B discard 8d", act)
    assert ("R2", 8) in broken_in(case)
    assert case.judgement.state.inferred == []


def test_R8_a_second_card_turned_up_is_one_finding() -> None:
    """What became of the first is not asked at every card turned up from there on, nor is its place on a foundation."""
    case = dealt().when(
        "A draw Ac", "A draw 8d", "A discard 8d", "B draw 9h", "B discard 9h", "A draw 3s", "A discard 3s",
    )
    assert broken_in(case) == [("R8", 4)]
    assert broken_in(dealt().when("A draw Kc", "A draw Ac", "A discard 8d"))[-1:] == [("R8", 4)]
    # The ace may lie on a foundation, so that the two fits there; on any other card it is still broken.
    case.when("B draw 2c", "B move 2c >foundation:1").opens("R4").allows()
    case.when("B draw 2h", "B move 2h >foundation:1").finds("R4")


@pytest.mark.parametrize(
    ("lines", "shown", "inferred"),
    [
        # The space that a card left is filled from the reserve.
        (["A move 7h <col:A:1 >col:B:2"], "Ts", "the 5♥ on the reserve of A went to col:A:1"),
        ([], "Ts", ""),
    ],
)
def test_R7_a_refill_nobody_wrote_shows_with_the_next_reserve_card(lines: list[str], shown: str, inferred: str) -> None:
    case = dealt().when(*lines, f"A show {shown} <reserve:A")
    told = [text for _, text in case.judgement.state.inferred]
    assert told == ([f"{inferred}, as another card is shown there (not recorded)"] if inferred else [])
    if inferred:
        case.when("A draw 6c", "A discard 6c").clean()
    else:
        assert [f.rule for f in case.judgement.broken] == ["table.T4"]


def test_R4_a_reserve_card_that_went_home_unwritten() -> None:
    ACES.when("A show Ts <reserve:A").clean()
    ACES.when("A show Ts <reserve:A", "A move Ac <col:A:1 >foundation:2", "A move Ts <reserve:A >col:A:1").clean()


# -- cards nobody counted, cards seen by half


@pytest.mark.parametrize(
    ("lines", "act", "rule"),
    [
        # Nobody counted the line: whether a space is left cannot be told.
        (
            (
                "@ deal reserve:A=12x??5h col:A:1..4=*x?? stock:A=35x?? reserve:B=12x??9c col:B:1..4=Kd8c4sQh "
                "stock:B=35x??"
            ),
            "A draw 6c", "",
        ),
        (
            (
                "@ deal reserve:A=12x??5h col:A:1..4=*x?? stock:A=35x?? reserve:B=12x??9c col:B:1..4=Kd8c4sQh "
                "stock:B=35x??"
            ),
            "A move Kd <col:B:1 >col:A:1", "R9",
        ),
        # Of a stock nobody counted none knows what lies on top, nor whether it is out.
        (
            (
                "@ deal reserve:A=12x??5h col:A:1..4=7hJc2d9s stock:A=*x?? reserve:B=12x??9c "
                "col:B:1..4=Kd8c4sQh stock:B=35x??\nA draw 6c\nA discard 6c\nB draw 3d\nB discard 3d"
            ),
            "A draw 7c", "",
        ),
        (
            (
                "@ deal reserve:A=12x??5h col:A:1..4=7hJc2d9s stock:A=*x?? reserve:B=12x??9c "
                "col:B:1..4=Kd8c4sQh stock:B=35x??\nA draw 6c\nA discard 6c\nB draw 3d\nB discard 3d"
            ),
            "A pass", "R12",
        ),
    ],
    ids=["a line", "a king to a space", "a stock", "a pass"],
)
def test_R13_cards_nobody_counted_are_any_number(lines: str, act: str, rule: str) -> None:
    """If this failed, an onlooker who did not count would make a breach of it."""
    case = given(GAME, "B hand 1\n" + lines).when(act).allows()
    if rule:
        case.opens(rule)


def test_R13_the_card_on_top_of_the_stock_even_if_its_double_lies_deeper() -> None:
    """Of two cards alike the one on top is turned up; if this failed, every later card would seem to lie in a wrong
    place."""
    lines = (
        "B hand 1\n@ deal reserve:A=12x??5h col:A:1..4=7hJc2d9s stock:A=33x??6c?? reserve:B=12x??9c "
        "col:B:1..4=Kd8c4sQh stock:B=35x??"
    )
    case = given(GAME, lines).when("A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d")
    case.when("A draw 6c").clean()


def test_R8_a_second_card_is_asked_about_once_though_the_first_is_only_named_later() -> None:
    """If this failed, each further card turned up would be a breach more, as soon as somebody saw what the first one
    was."""
    case = dealt().when(
        "A draw ??", "A draw 6c", "A discard 6c", "B draw 3d", "B discard 3d", "A draw 4d", "A discard 4d",
    )
    later = case.when("B draw Td", "B discard Td", "A move Ah <A >foundation:1")
    assert [(f.rule, f.at.pos) for f in later.judgement.broken] == [("russian-bank.R8", 4)]


def late(*lines: str) -> Given:
    """A record that begins with a gap."""
    return given(GAME, "\n".join(("@ gap", *lines)))


def test_R8_after_a_gap_a_card_may_lie_turned_up_or_not() -> None:
    """If this failed, each card turned up after a gap would be one too many."""
    case = late(
        "A move 4c <reserve:A >col:A:3", "A show Ts <reserve:A", "A draw 4s", "A discard 4s", "B draw Tc",
        "B discard Tc",
    )
    assert not case.judgement.broken
    late("A draw 4s", "A draw 5s").finds("R8", words="4♠ is turned up")
    late("A draw 4s", "A discard 4s", "B pass").opens("R12")


def test_R8_after_a_gap_a_card_that_moves_on_may_have_been_turned_up_just_before() -> None:
    """If this failed, a draw that nobody wrote would put its card among those turned up ever since the gap, and each
    card turned up meanwhile would be one too many."""
    lines = ("A draw 3d <stock", "A move 3d >col:A:4", "A draw 9d <stock", "A move 9d >col:B:1", "A move Jd >col:B:4")
    assert not late(*lines).judgement.broken


def test_R4_whether_anything_lies_on_a_foundation_is_open_after_a_gap() -> None:
    """If this failed, the ace that begins a foundation would not follow a card that nobody saw."""
    late("A draw Ah", "A move Ah >foundation:4").opens("R4")
    late("A draw Ah", "A move Ah >foundation:4", "A draw 3h", "A move 3h >foundation:4").finds("R4")


def test_R10_a_card_that_comes_to_light_after_a_gap_may_have_lain_deeper() -> None:
    """If this failed, the card below would be taken for the top one, and a legal move would break a rule for
    certain."""
    case = late("A move 2s >foundation:4", "A move 3s <col:A:4 >foundation:4", "A move 9h <col:A:1 >discard:B")
    assert not case.when("A move 4d <col:A:4 >foundation:1").judgement.broken


def test_R13_a_stock_nobody_counted_is_out_when_a_discarded_card_comes_up() -> None:
    """If this failed, a card that comes up once more would lie in three places, with two in the packs."""
    turns = [f"{seat} {verb} 8s" for seat in "AB" for verb in ("draw", "discard")]
    assert not late(*turns, "A draw 8s").judgement.broken
    assert not late(*turns, "A move * <discard:A >stock:A", "A draw 8s").judgement.broken


def test_R16_a_half_seen_card_that_goes_back_is_the_one_that_was_misplaced() -> None:
    """If this failed, putting a card right after a Stop would be one more breach."""
    case = dealt(a="Ts").when("A discard T? <reserve:A", "B call stop")
    assert not case.when("A move Ts <discard:A >reserve:A").about()
