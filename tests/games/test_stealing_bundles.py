"""Stealing Bundles, rule by rule: each has the cases of its kind; then what follows from the play, the score, whole
matches."""

from __future__ import annotations

from random import Random

import pytest
from given import Given, given, partly_unseen
from msgspec.structs import replace
from sampling import seeds

from events.cards import squeeze
from events.model import Capture, Deal
from events.writing import write_event
from reducers.games.stealing_bundles import Hand
from reducers.model import State
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import PUBLIC, hide
from replay.simulate import simulate

GAME = "stealing-bundles"
# B deals, so A begins; the hands are hidden, as at a real table.
BOARD = "B hand 1\n@ deal A=4x?? B=4x??\n@ deal up board="
FOUR = BOARD + "2d2h9sKc\n"
SEEN = "B hand 1\n@ deal A=2s5c6c7c B=9d5d6d7d\n@ deal up board=2d2h9sKc\n"
# A has taken both twos.
TAKEN = SEEN + "A capture 2s/2d2h\n"


def hand_of(case: Given) -> Hand:
    """The hand as it is after these acts."""
    state: State[Hand] = case.judgement.state
    return state.hand


def won(case: Given) -> dict[str, int]:
    """How many cards each bundle has."""
    return {player: len(pile) for player, pile in hand_of(case).captures.won.items()}


# R1, duty
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B play 3s"], "B dealt, so A begins"),
        (["A play 3s", "A play 4s"], "it is the turn of B"),
        (["A capture 9c/9s", "A play 4s"], "it is the turn of B"),
        (["A play 3s4s"], "one card"),
        (["A play 3s <stock"], "from the hand"),
    ],
    ids=", ".join,
)
def test_R1_broken(acts: list[str], words: str) -> None:
    given(GAME, FOUR).when(*acts).finds("R1", words=words)


def test_R1_kept() -> None:
    given(GAME, SEEN).when("A capture 2s/2d2h", "B capture 9d/9s", "A play 5c").allows(at=4).allows(at=5).allows(at=6)


# R2, duty
@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("A capture 2s/9s", "2♠ does not take 9♠"),
        ("A capture 2s/2d9s", "are not of one rank"),
        ("A capture Ks/*", "are not of one rank"),
    ],
)
def test_R2_broken(act: str, words: str) -> None:
    given(GAME, FOUR).when(act).finds("R2", words=words)


def test_R2_kept() -> None:
    case = given(GAME, FOUR).when("A capture 9d/9s")
    case.allows()
    assert won(case) == {"A": 2, "B": 0}


@pytest.mark.parametrize("gathers", ["@ move 2s2d2h <board >won:A", "A move 2h2d <board >won:A"])
def test_R2_whoever_took_cards_is_seen_to_gather_them(gathers: str) -> None:
    case = given(GAME, TAKEN).when(gathers)
    case.clean()
    assert won(case) == {"A": 3, "B": 0}
    assert case.judgement.state.turn == ("B",)


@pytest.mark.parametrize(
    "gathers",
    ["@ move 9s <board >won:A", "@ move * <board >won:A", "A move 9sKc <board >won:A", "@ move Kc <board >won:B"]
)
def test_R2_cards_that_were_not_taken_are_not_gathered(gathers: str) -> None:
    given(GAME, TAKEN).when(gathers).finds("R2", words="the last card did not take these")


def test_R2_no_more_cards_are_gathered_than_were_taken() -> None:
    given(GAME, TAKEN).when("A move 3x?? <board >won:A").clean()
    given(GAME, TAKEN).when("A move 4x?? <board >won:A").finds("T3")


def test_R2_what_is_left_at_the_end_is_gathered_by_nobody_or_by_whoever_took_last() -> None:
    for remainder in ("nobody", "last"):
        option = {"remainder": remainder}
        records = simulate(GAME, seed=6, hands=1, options=option)
        state, played = fold(records), "\n".join(write_event(r.event) for r in records[1:])
        last = state.hand.captures.last
        other = "AB"[last == "A"]
        if remainder == "last":
            given(GAME, played, option=option).when(f"@ move * <board >won:{last}").allows()
            given(GAME, played, option=option).when(
                f"@ move * <board >won:{other}"
            ).finds("R2", words=f"go to {last}")
        else:
            assert len(state.hand.board)
            given(GAME, played, option=option).when(f"@ move * <board >won:{last}").finds(
                "R2", words="belong to no player",
            )
            taken = write_event(records[-1].event).split()[2].replace("/", "")
            given(GAME, played, option=option).when(f"@ move {taken} <board >won:{last}").allows()


def test_R2_an_unseen_card_leaves_it_open() -> None:
    given(GAME, FOUR).when("A capture ??/9s").opens("R2")


# R3, right
def test_R3_all_of_a_rank_or_fewer() -> None:
    assert won(given(GAME, TAKEN)) == {"A": 3, "B": 0}
    given(GAME, SEEN).when("A capture 2s/2d").allows()


def test_R3_denied() -> None:
    given(GAME, TAKEN).when("B fault A choice").finds("R3", words="every card of its rank at once")
    given(GAME, FOUR).when("A capture 9d/9s", "B fault A choice").allows()


# R4, duty
def test_R4_a_bundle_goes_to_whoever_has_its_top_rank() -> None:
    case = given(GAME, FOUR).when("A capture 2s/2d2h", "B capture 2c/* <won:A")
    case.allows()
    assert won(case) == {"A": 0, "B": 4}
    assert hand_of(case).on_top == {"A": "", "B": "2"}


def test_R4_a_bundle_is_stolen_back() -> None:
    case = given(GAME, BOARD + "2d5h9sKc\n").when("A capture 2s/2d", "B capture 2c/* <won:A", "A capture 2h/* <won:B")
    case.allows()
    assert won(case) == {"A": 4, "B": 0}


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["A capture 2s/* <won:B"], "B has no bundle"),
        (["A capture 2s/2d2h", "B capture 9c/* <won:A"], "9♣ does not take a bundle with a 2 on top"),
        (["A capture 2s/2d", "B capture 2c/2h2d2s <won:A"], "2♥ is not in the bundle of A"),
        (["A capture 2s/2d", "B capture 2c/9s <won:A"], "9♠ is not in the bundle of A"),
        (["A capture 2s/2d", "B capture 2c/2d <won:A"], "2♦ is not the top card"),
        (["A capture 2s/2d2h", "B capture 2c/2h2s <won:A"], "the whole bundle is taken, all 3 cards"),
    ],
    ids=", ".join,
)
def test_R4_broken(acts: list[str], words: str) -> None:
    given(GAME, FOUR).when(*acts).finds("R4", words=words)


@pytest.mark.parametrize("bundle", ["*", "2s", "2d2h2s", "2s2h2d"])
def test_R4_stolen_in_so_many_words(bundle: str) -> None:
    case = given(GAME, FOUR).when("A capture 2s/2d2h", f"B capture 2c/{bundle} <won:A")
    case.allows()
    assert won(case) == {"A": 0, "B": 4}


def test_R4_a_card_of_the_bundle_that_nobody_saw_may_be_named() -> None:
    case = given(GAME, BOARD + "2d??9sKc\n").when("A capture 2s/2d??", "B capture 2c/2d2h2s <won:A")
    case.allows()
    assert won(case) == {"A": 0, "B": 4}


def test_R4_an_unseen_card_leaves_it_open() -> None:
    given(GAME, FOUR).when("A capture 2s/2d2h", "B capture ??/* <won:A").opens("R4")


# R5, duty
def test_R5_a_card_that_takes_is_not_laid_down() -> None:
    given(GAME, FOUR).when("A play 9d").finds("R5", words="9♦ could take 9♠")
    given(GAME, FOUR).when("A capture 2s/2d2h", "B play 2c").finds("R5", words="2♣ could take the bundle of A")


def test_R5_another_card_of_the_hand_could_take() -> None:
    given(GAME, SEEN).when("A play 5c").finds("R5", words="2♠ could take")
    given(GAME, TAKEN).when("B capture 9d/9s", "A play 5c").allows()


def test_R5_with_hidden_hands_it_is_open_until_the_other_card_comes() -> None:
    given(GAME, FOUR).when("A play 5c").opens("R5")
    later = given(GAME, FOUR).when("A play 5c", "B play 6c", "A capture 2s/2d2h")
    later.finds("R5", at=4, known=6)


@pytest.mark.parametrize(
    "unwritten", ["@ gap", "A play 5c\nB play 8c\n" + "A play ??\nB play ??\n" * 3 + "@ deal A=*x?? B=*x??"],
)
def test_R5_a_card_that_came_later_was_perhaps_not_held(unwritten: str) -> None:
    """Nobody knows when cards were dealt again; only the card that is laid down was certainly held."""
    case = given(GAME, BOARD + "2d2h9sKc\n" + unwritten).when("A play 4c", "B play 6d", "A play 3s", "B play Th")
    case.when("A capture 4d/4c", "B capture 6h/6d").clean()
    case.when("A play 3d").finds("R5", words="3♦ could take 3♠")


def test_R5_is_a_house_rule() -> None:
    given(GAME, SEEN, option={"must_capture": "no"}).when("A play 2s").allows()


# R6, duty
@pytest.mark.parametrize("deal", ["A=5x??", "board=5x??", "A=3x?? B=4x?? board=4x?? stock=41x??"])
def test_R6_four_and_four(deal: str) -> None:
    given(GAME, "B hand 1").when(f"@ deal {deal}").finds("R6")


def test_R6_later_deals_bring_the_board_nothing() -> None:
    played = (
        TAKEN + "B capture 9d/9s\nA play 5c\nB capture 5d/5c\nA play 6c\nB capture 6d/6c\nA play 7c\nB capture 7d/7c\n"
    )
    given(GAME, played).when("@ deal A=4x?? B=4x??").allows()
    given(GAME, played).when("@ deal A=4x?? B=4x?? board=4x??").finds("R6", words="no cards to the board")


@pytest.mark.parametrize("deal", ["A=??", "A=4x??", "B=4x??", "A=Kd"])
def test_R6_no_cards_while_somebody_has_one(deal: str) -> None:
    given(GAME, TAKEN).when(f"@ deal {deal}").finds("R6")
    given(GAME, TAKEN + "A play 5c\n").when("@ deal A=??").opens("R6")
    given(GAME, TAKEN + "@ gap\n").when("@ deal A=4x?? B=4x??").allows()


def test_R6_there_is_no_other_board() -> None:
    given(GAME, BOARD + "2d2h2sKc\n").when("@ shuffle * <board >stock").finds("R6", words="stay there")
    given(GAME, TAKEN).when("@ shuffle * <board >stock").finds("R6", words="stay there")


# R7, duty
def test_R7_the_own_bundle_stays() -> None:
    given(GAME, TAKEN + "B capture 9d/9s\n").when("A capture 2c/* <won:A").finds("R7", words="A's own")


# Readings
def test_one_card_takes_board_and_bundle_where_the_table_plays_so() -> None:
    lines = BOARD + "2d2h9sKc\nA capture 2s/2d\n"
    case = given(GAME, lines, option={"combined": "yes"}).when("B capture 2c/* <won:A")
    assert won(case) == {"A": 0, "B": 4}
    case = given(GAME, lines, option={"combined": "yes"}).when("B capture 2c/2h2d2s <won:A")
    case.allows()
    assert won(case) == {"A": 0, "B": 4}
    case = given(GAME, lines, option={"combined": "yes"}).when("B capture 2c/2h")
    assert won(case) == {"A": 0, "B": 4}
    assert won(given(GAME, lines).when("B capture 2c/2h")) == {"A": 2, "B": 2}


@pytest.mark.parametrize(("remainder", "whole"), [("nobody", False), ("last", True)])
def test_what_is_left_on_the_board(remainder: str, whole: bool) -> None:
    sums = set()
    for seed in range(6):
        state = judge(simulate(GAME, seed=seed, options={"remainder": remainder})).state
        sums.add(sum(state.scores[0].points.values()) + (0 if whole else len(state.hand.board)))
    assert sums == {52}


# Scoring
def told(*facts: str, option: dict[str, object] | None = None) -> Given:
    """Hands of which only the result is told."""
    lines = [line for i, fact in enumerate(facts) for line in (f"{'BA'[i % 2]} hand {i + 1}", f"@ tally {fact}")]
    return given(GAME, "\n".join(lines), **({"option": option} if option else {}))


def test_more_cards_win_and_as_many_are_a_tie() -> None:
    assert told("cards.A=23 cards.B=25").judgement.state.standing.winner == "B"
    tie = told("cards.A=24 cards.B=24").judgement.state
    assert (tie.standing.winner, tie.standing.over, tie.scores[0].result) == ("", True, "a tie")


def test_several_games() -> None:
    state = told("cards.A=30 cards.B=20", "cards.A=20 cards.B=26", option={"games": 2}).judgement.state
    assert (state.standing.winner, state.standing.over, state.standing.totals) == ("A", True, {"A": 50, "B": 46})


def test_a_result_that_cannot_be() -> None:
    told("cards.A=30 cards.B=25").finds("T10")
    told("cards.A=26 cards.B=24 board=3").finds("T10")
    told("cards.A=1 cards.B=49").finds("T10", words="A has one card")


def test_R5_more_cards_than_can_be_left_if_whoever_can_take_does() -> None:
    """One of each rank, and all four of one that lay on the first board."""
    told("cards.A=30 cards.B=6").clean().scores(A=30, B=6)
    told("cards.A=30 cards.B=5").finds("R5", words="17 cards are left on the board, but at most 16").scores(A=30, B=5)
    told("cards.A=30 cards.B=5", option={"must_capture": "no"}).clean()
    told("cards.A=30").clean()


def test_hidden_matches_accuse_nobody() -> None:
    for seed in range(6):
        assert judge(hide(simulate(GAME, seed=seed))).broken == []


@pytest.mark.parametrize("seed", seeds(3, 100))
def test_cards_that_nobody_saw_accuse_nobody(seed: int) -> None:
    """Any cards: of the hands, of the first board, of those that are played and of those that are taken."""
    given(GAME, partly_unseen(simulate(GAME, seed=seed, hands=1), Random(seed))).clean()


def test_R2_what_a_card_cannot_take_is_named() -> None:
    """If this failed, the answer to `2d/*` would be that `*` are not of one rank."""
    given(
        "stealing-bundles", "A hand 1\n@ deal up board=5s2c5hAh\n",
    ).when("B capture 2d/*").finds("R2", words="are not of one rank")
    (found,) = (
        f for f in given("stealing-bundles", "A hand 1\n@ deal up board=5s5h\n").when("B capture 2d/*").about()
        if f.rule.endswith("R2")
    )
    assert "*" not in found.text


def test_what_is_left_on_the_board_gives_what_the_other_has() -> None:
    told("cards.A=28 board=2").scores(A=28, B=22)


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_whoever_captures_unseen_takes_the_card_that_lay_on_the_board(seed: int) -> None:
    """If this failed, the last card without a place would be named as the one taken, though it was the one that took
    it."""
    log = hide(simulate(GAME, seed=seed, hands=1), PUBLIC)
    for at in [r.n for r in log if isinstance(r.event, Capture) and not r.event.src]:
        event = log[at].event
        assert isinstance(event, Capture)
        unseen = replace(event, cards=("??",), takes=squeeze(["??"] * len(event.takes)))
        poorer = [replace(r, event=unseen) if r.n == at else r for r in log]
        assert judge(poorer).broken == []


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_R6_hands_that_nobody_counted_get_new_cards_when_all_were_played(seed: int) -> None:
    """If this failed, whoever played the last card of the pack would have held it since the first deal."""
    log = hide(simulate(GAME, seed=seed, hands=1), PUBLIC)
    first, stock, *later = [
        r.n for r in log if isinstance(r.event, Deal) and not any(name == "board" for name, _ in r.event.piles)
    ]
    poorer = []
    for r in [r for r in log if r.n not in later]:
        event = r.event
        if r.n in (first, stock) and isinstance(event, Deal):
            event = replace(event, piles=tuple((name, ("*x??",)) for name, _ in event.piles))
        poorer.append(replace(r, event=event, n=len(poorer)))
    assert judge(poorer).broken == []
