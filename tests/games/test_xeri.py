"""Xeri, rule by rule: each has the cases of its kind; then what follows from the play, the score, whole matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest
from given import Given, given, partly_unseen
from msgspec.structs import replace
from sampling import seeds

from events.model import Capture, Play, Recorded
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.xeri import PACK, Hand, Options, Tally, parts
from reducers.model import State
from reducers.registry import find_game
from replay.fold import fold
from replay.judging.hidden_cards import read_hand, trace_hidden_cards
from replay.judging.judge import judge
from replay.masking import put_down_unseen
from replay.redact import hide
from replay.scoring.score_shapes import ScoredHand
from replay.scoring.three_ways import score_match, score_played
from replay.simulate import simulate, simulate_breaches

# B deals, so A begins; the hands are hidden, as at a real table, and the nine of clubs lies on top.
BOARD = "B hand 1\n@ deal A=6x?? B=6x??\n@ deal up board="
FOUR = BOARD + "2d6h4s9c\n"
SINGLE = FOUR + "A play 9d\nB play 7h\n"


def hand_of(case: Given) -> Hand:
    """The hand as it is after these acts."""
    state: State[Hand] = case.judgement.state
    return state.hand


# R1, duty
@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (["B play 2s"], "B dealt, so A begins"),
        (["A play 2s", "A play As"], "it is the turn of B"),
        (["A play 2sAs"], "one card"),
        (["A capture 9d/*", "A play As"], "it is the turn of B"),
        (["A play Kd <stock"], "from the hand"),
    ],
    ids=", ".join,
)
def test_R1_broken(acts: list[str], words: str) -> None:
    given("xeri", FOUR).when(*acts).finds("R1", words=words)


def test_R1_kept() -> None:
    given("xeri", FOUR).when("A play 2s", "B play 5d", "A play Ks").allows(at=5).allows(at=6)


def test_R1_the_players_deal_in_turn() -> None:
    played = "\n".join(write_event(r.event) for r in simulate("xeri", seed=3, hands=1)[1:])
    dealer, other = ("A", "B") if played.startswith("A") else ("B", "A")
    given("xeri", played).when(f"{other} hand 2").allows()
    given("xeri", played).when(f"{dealer} hand 2").finds("R1", words=f"{other} deals")
    given("xeri", f"{dealer} hand 1\n@ end hand misdeal").when(f"{dealer} hand 2").allows()


# R2 and R3, duties: the pile is open, so a breach is seen at once although the hands are hidden
@pytest.mark.parametrize("card", ["9d", "Jh"])
def test_R2_R3_a_match_and_a_jack_take_the_pile_by_themselves(card: str) -> None:
    case = given("xeri", FOUR).when(f"A play {card}")
    case.allows()
    assert not len(hand_of(case).board)
    assert len(hand_of(case).captures.won["A"]) == 5


def test_R2_another_card_lies_on_top() -> None:
    case = given("xeri", FOUR).when("A play 2s")
    case.allows()
    assert len(hand_of(case).board) == 5


def test_R2_a_match_that_leaves_the_pile() -> None:
    given("xeri", FOUR).when("A play up 9d").finds("R2", words="9♦ on 9♣ takes the pile")
    given("xeri", FOUR).when("A play up 2s").allows()


def test_R3_a_jack_that_leaves_the_pile() -> None:
    given("xeri", FOUR).when("A play up Jh").finds("R3", words="J♥ on 9♣ takes the pile")


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("A capture 2s/*", "2♠ does not take 9♣"),
        ("A capture 9d/2d9c", "the whole pile is taken, all 4 cards"),
        ("A capture 9d/2d", "2♦ is not the top card"),
        ("A capture Jh/7h", "7♥ is not in the pile"),
        ("A capture 9d/2d6h4s9c7h", "7♥ is not in the pile"),
        ("A capture 9d/* <won:B", "no cards that are won"),
    ],
)
def test_R2_taken_by_a_card_that_may_not(act: str, words: str) -> None:
    given("xeri", FOUR).when(act).finds("R2", words=words)


@pytest.mark.parametrize("act", ["A capture 9d/*", "A capture 9d/9c", "A capture Jh/*", "A capture 9d/2d6h4s9c"])
def test_R2_R3_taken_in_so_many_words(act: str) -> None:
    case = given("xeri", FOUR).when(act)
    case.allows()
    assert len(hand_of(case).captures.won["A"]) == 5


def test_R2_a_card_of_the_pile_that_nobody_saw_may_be_named() -> None:
    unseen = given("xeri", BOARD + "2d6h??9c\n")
    for act in ("A play 9d", "A play Jh", "A capture 9d/*", "A capture 9d/9c", "A capture 9d/2d6h4s9c"):
        unseen.when(act).clean()
    unseen.when("A capture 9d/2d5h4s9c").finds("R2", words="is not in the pile")


def test_R2_only_the_top_card_of_the_pile_was_seen() -> None:
    """The cards below go with it, and whatever they are, none of them is the card on top."""
    case = given("xeri", BOARD + "3x??9c\n").when("A play 9d", "B play 2s")
    case.clean()
    won = hand_of(case).captures.won["A"]
    assert (len(won), won.certain.bit_count(), won.unseen) == (5, 2, 3)
    given("xeri", BOARD + "2x??9s9c\n").when(
        "@ shuffle * <board >stock", "@ deal up board=3d5h7sKc", "A play 9d",
    ).clean()


@pytest.mark.parametrize(
    "gathers", ["@ move * <board >won:A", "@ move 2d6h4s9c9d <board >won:A", "A move 9c9d <board >won:A"],
)
def test_R2_whoever_took_the_pile_is_seen_to_gather_it(gathers: str) -> None:
    case = given("xeri", FOUR + "A play 9d").when(gathers)
    case.clean()
    assert len(hand_of(case).captures.won["A"]) == 5
    assert case.judgement.state.turn == ("B",)


def test_R2_whoever_gathers_may_have_taken_the_pile_with_an_unseen_card() -> None:
    """Some of its cards are named then, others are not; none of them is anywhere else for that."""
    for cards in ("*", "2d6h??9c??", "??6h4s9c9s", "5x??"):
        given("xeri", FOUR).when("A play ??", f"@ move {cards} <board >won:A", "B play 3c", "A play 5d").clean()
    case = given("xeri", BOARD + "3x??9c\n").when("A play ??", "@ move 2d??4s9c9s <board >won:A")
    case.clean()
    assert hand_of(case).captures.won["A"].certain.bit_count() == 4
    below = given("xeri", BOARD + "3x??9c\n").when("A play 9d", "@ move 2d??4s9c9d <board >won:A")
    below.clean()
    assert hand_of(below).captures.won["A"].certain.bit_count() == 4


def test_R2_a_pile_that_was_not_taken_is_not_gathered() -> None:
    given("xeri", FOUR).when("A play 2s", "A move * <board >won:A").finds("R2", words="no player has taken the pile")
    given("xeri", FOUR).when("A play 9d", "@ move * <board >won:B").finds("R2", words="A took the pile")
    given("xeri", FOUR).when("A play 9d", "B play 7d", "@ move * <board >won:A").finds("R2", words="no player has")
    given("xeri", BOARD + "4x??").when("A play 9d", "@ move * <board >won:A").opens("R2")


def test_R2_what_is_left_at_the_end_goes_to_whoever_took_last() -> None:
    records = simulate("xeri", seed=0, hands=1)
    played, took = "\n".join(write_event(r.event) for r in records[1:]), fold(records).hand.captures.log[-1]
    left = "".join(card for r in records if isinstance(r.event, Play) and r.n > took.at for card in r.event.cards)
    for cards in ("*", left):
        given("xeri", played).when(f"@ move {cards} <board >won:{took.side}").clean()
    other = "AB"[took.side == "A"]
    given("xeri", played).when(f"@ move * <board >won:{other}").finds("R2", words=f"go to {took.side}")
    hidden = [line for line in played.splitlines() if " deal " not in line or "board=" in line]
    hidden[-2:] = [f"{line.rpartition(' ')[0]} ??" for line in hidden[-2:]]
    given("xeri", "\n".join(hidden)).when(f"@ move * <board >won:{other}").opens("R2")


def test_R2_whether_an_unseen_card_takes_is_open() -> None:
    given("xeri", FOUR).when("A capture ??/*").opens("R2")
    given("xeri", FOUR).when("A play up ??").opens("R2")


def test_R2_an_unseen_card_of_a_hand_without_a_match_takes_nothing() -> None:
    hands = "B hand 1\n@ deal A=2s3s4c5s6s7s B=6x??\n@ deal up board=2d6h4s9c\n"
    given("xeri", hands).when("A capture ??/*").finds("R2", words="does not take 9♣")
    given("xeri", hands).when("A play up ??").allows()


# R4, consequence
def test_R4_after_a_capture_there_is_no_pile() -> None:
    taken = FOUR + "A play 9d\n"
    for card in ("Jh", "9h", "2s"):
        case = given("xeri", taken).when(f"B play {card}")
        case.allows()
        assert len(hand_of(case).board) == 1
    given("xeri", taken).when("B capture Jh/*").finds("R4", words="there is no pile to take")


# R5 and R6, consequences
def test_R5_a_single_card_taken_by_its_rank_is_a_xeri() -> None:
    case = given("xeri", SINGLE).when("A play 7s")
    assert hand_of(case).captures.sweeps == ("A",)
    case.when("A call xeri").allows()


def test_R5_a_pile_of_more_cards_is_none() -> None:
    case = given("xeri", FOUR).when("A play 9d", "A call xeri").finds("R5", words="A took 4 cards")
    assert hand_of(case).captures.sweeps == ()
    given("xeri", FOUR).when("B call xeri").finds("R5", words="B has taken no pile")


def test_R5_a_xeri_after_a_card_that_nobody_saw_is_open() -> None:
    """The unseen card may have taken the pile; if this failed, whoever then calls a xeri by right would be accused."""
    case = given("xeri", FOUR).when("A play ??", "B play 2h", "A play 2c", "A call xeri").opens("R5").allows()
    case.when("@ fix #4 A play 9d").settles("R5", at=7)
    case.when("@ fix #4 A play 6s").finds("R5", at=7, words="A took 6 cards")
    given("xeri", FOUR).when("A play ??", "B play 2h", "A capture 2c/*", "A call xeri").opens("R5").allows()
    given("xeri", FOUR).when("A play 9d", "@ gap", "A call xeri").opens("R5").allows()
    given("xeri", FOUR).when("A play 9d", "A play 2c", "A call xeri").opens("R5").allows()


def test_R6_a_jack_makes_a_xeri_of_a_jack_only() -> None:
    case = given("xeri", SINGLE).when("A play Js")
    assert hand_of(case).captures.sweeps == ()
    given("xeri", SINGLE).when("A play Js", "A call xeri").finds("R6", words="J♠ took 7♥")
    on_a_jack = given("xeri", FOUR).when("A play 9d", "B play Jh", "A play Js", "A call xeri")
    on_a_jack.allows()
    assert hand_of(on_a_jack).captures.sweeps == ("A",)


def test_R5_an_unseen_single_card_leaves_it_open() -> None:
    given("xeri", FOUR).when("A play 9d", "B play ??", "A play Js", "A call xeri").opens("R5")


# R7, duty
@pytest.mark.parametrize("deal", ["A=7x??", "board=5x??", "A=5x?? B=6x?? board=4x?? stock=37x??"])
def test_R7_six_and_four(deal: str) -> None:
    given("xeri", "B hand 1").when(f"@ deal {deal}").finds("R7")


def test_R7_later_deals_bring_the_pile_nothing() -> None:
    low = ["3c", "5c", "3h", "5h", "3s", "5s", "3d", "5d", "7c", "8c", "7d", "8d"]
    acts = [f"{'AB'[i % 2]} play {card}" for i, card in enumerate(low)]
    given("xeri", FOUR + "\n".join(acts)).when("@ deal A=6x?? B=6x??").allows()
    given("xeri", FOUR + "\n".join(acts)).when("@ deal A=6x?? B=6x?? board=4x??").finds(
        "R7", words="no cards to the board",
    )


def test_R7_a_deal_is_one_to_both_whatever_was_written_and_counted() -> None:
    low = ["3c", "5c", "3h", "5h", "3s", "5s", "3d", "5d", "7c", "8c", "7d", "8d"]
    first = FOUR + "\n".join(f"{'AB'[i % 2]} play {card}" for i, card in enumerate(low)) + "\n"
    second = [
        f"{'AB'[i % 2]} play {card}"
        for i, card in enumerate(["Kc", "Qc", "Th", "Qh", "Ts", "Qs", "Td", "Qd", "Ac", "Ks", "As", "Kd"])
    ]
    for deal in (["B=*x??"], ["A=*x??", "B=6x??"], ["B=6x??", "A=*x??"]):
        for later in (["A=6x??"], ["B=6x??"], ["B=6x??", "A=6x??"], ["A=*x??"]):
            lines = [
                *(f"@ deal {one}" for one in deal), *second, *(f"@ deal {one}" for one in later), "A play 2c",
                "B play 4c", "A play 6c",
            ]
            given("xeri", first).when(*lines).clean()
    given("xeri", first).when("@ deal A=*x??", "A play Kc", "@ deal B=??").finds("R7")
    given("xeri", first).when("@ deal A=*x??", "A play Kc", "@ deal A=??").opens("R7")


@pytest.mark.parametrize("deal", ["A=??", "A=6x??", "B=6x??", "A=6x?? B=6x??", "A=Kd"])
def test_R7_no_cards_while_somebody_has_one(deal: str) -> None:
    given("xeri", FOUR).when("A play 2s", f"@ deal {deal}").finds("R7")
    six = [
        f"{'AB'[i % 2]} play {card}"
        for i, card in enumerate(["3c", "5c", "3h", "5h", "3s", "5s", "3d", "5d", "7c", "8c", "7d"])
    ]
    given("xeri", FOUR + "\n".join(six)).when(f"@ deal {deal}").finds("R7")
    given("xeri", FOUR + "A play 2s\nA play 5d").when("@ deal A=??").opens("R7")
    given("xeri", FOUR + "A play 2s\n@ gap").when("@ deal A=6x?? B=6x??").allows()


def test_R8_the_cards_of_a_first_pile_dealt_again_are_in_no_hand_dealt_before() -> None:
    """If this failed, a hand that nobody saw could not be looked at any more, or would hold a card that lay open."""
    again = ["@ deal down stock=36x??", "@ shuffle * <board >stock", "@ deal up board=3d5h7sKc"]
    six = [
        f"{'AB'[i % 2]} play {card}"
        for i, card in enumerate(["8c", "9d", "Tc", "Qd", "Ac", "2s", "4c", "5c", "6c", "8d", "9c", "Td"])
    ]
    case = given("xeri", BOARD + "2d6h4sJc\n").when(*again, *six, "@ deal A=6x?? B=6x??").clean()
    records = case.records
    ways, _, why = trace_hidden_cards(read_hand(begin(records[0].event.facts), [r.event for r in records[1:]], 1))
    jack = PACK.field[PACK.code["Jc"]]
    assert (why, bool(ways)) == ("", True)
    assert {slot.stays[0][1] < 4 for way in ways for slot in way if not slot.may_be & jack} == {True}
    assert {slot.stays[0][1] > 4 for way in ways for slot in way if slot.may_be & jack} == {True}


# R8, duty
@pytest.mark.parametrize("pile", ["2d6h4sJc", "2d6h9s9c"])
def test_R8_a_bad_first_pile_is_not_played(pile: str) -> None:
    given("xeri", BOARD + pile).when("A play 2s").finds("R8")
    again = given("xeri", BOARD + pile).when("@ shuffle * <board >stock", "@ deal up board=3d5h7sKc", "A play 2s")
    again.allows(at=4).allows(at=6)
    assert len(hand_of(again).board) == 5


@pytest.mark.parametrize("pile", ["Jd6h4s9c", "9d9h4s6c", "9dJhJs6c"])
def test_R8_a_pile_that_is_bad_below_is_played(pile: str) -> None:
    given("xeri", BOARD + pile).when("A play 2s").allows()
    given("xeri", BOARD + pile).when("@ shuffle * <board >stock").finds("R8", words="this pile is played")
    given("xeri", BOARD + pile, option={"misdeal": "deep"}).when("A play 2s").finds("R8")


def test_R8_a_pile_that_was_played_on_stays() -> None:
    given("xeri", FOUR).when("A play 2s", "@ shuffle * <board >stock").finds("R8", words="before any card was played")


def test_R8_a_pile_that_nobody_saw_is_open() -> None:
    given("xeri", "B hand 1").when("A play 2s").opens("R8")


# R9, unobservable
def test_R9_a_look_at_the_cards_won_is_a_remark() -> None:
    given("xeri", FOUR).when("A play 9d {B looked through the cards}", "B play 2s").allows()


# Scoring
def told(*facts: str, option: dict[str, object] | None = None) -> Given:
    """Hands of which only the result is told."""
    lines = [line for i, fact in enumerate(facts) for line in (f"{'BA'[i % 2]} hand {i + 1}", f"@ tally {fact}")]
    return given("xeri", "\n".join(lines), **({"option": option} if option else {}))


FULL = "xeri.A={} xeri.B={} cards.A={} honours.A={} ten={} two={}"


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        ((0, 0, 30, 10, "A", "B"), "A 14–11"),
        ((0, 0, 26, 10, "A", "B"), "a tie at 11"),
        ((1, 2, 30, 12, "A", "A"), "B 28–27"),
        ((0, 0, 52, 20, "A", "A"), "A 25–0"),
    ],
)
def test_what_a_hand_counts(facts: tuple[object, ...], result: str) -> None:
    assert told(FULL.format(*facts)).judgement.state.scores[0].result == result


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ((0, 0, 6, 7, "A", "B"), "A took 6 cards, not 7 honours"),
        ((0, 0, 46, 13, "A", "B"), "B took 6 cards, not 7 honours and the 2♣"),
        ((0, 0, 20, 20, "A", "A"), "A took 20 cards, not 20 honours and the 2♣"),
        ((0, 0, 20, 0, "A", "A"), "the 10♦ is an honour, and A took none"),
        ((0, 0, 40, 20, "B", "A"), "the 10♦ is an honour, and B took none"),
        ((0, 0, 51, 20, "A", "A"), "B took one card"),
        ((2, 0, 6, 0, "B", "B"), "A took 6 cards, too few for 2 xeri"),
        ((0, 1, 52, 20, "A", "A"), "B took 0 cards, too few for 1 xeri"),
    ],
)
def test_a_result_that_cannot_be(facts: tuple[object, ...], words: str) -> None:
    told(FULL.format(*facts)).finds("T10", words=words)


def test_a_result_at_the_edge() -> None:
    """Two xeri are four cards, and before them a pile of two was taken."""
    told(FULL.format(2, 0, 7, 0, "B", "B")).clean()
    told(FULL.format(0, 0, 21, 20, "A", "A")).clean()
    told("xeri.A=0 xeri.B=1 honours.B=3 cards.B=5 ten=B two=B").clean()


def test_the_points_are_22_and_3_and_ten_a_xeri() -> None:
    """The sum that the text's figures come to."""
    for seed in range(4):
        state = judge(simulate("xeri", seed=seed)).state
        for s in state.scores:
            points = {line.label: line.amounts for line in s.lines}
            assert sum(points["points"].values()) == 22 + sum(points["cards"].values()) + sum(points["xeri"].values())
            assert sum(points["cards"].values()) in (0, 3)


def with_unseen(seed: int, unseen: int, log: Sequence[Recorded] = ()) -> tuple[list[str], list[str]]:
    """A hand by chance: its lines, and the same with so many cards unseen, of the first pile or of those that were
    played."""
    lines = [write_event(r.event) for r in (log or simulate("xeri", seed=seed, hands=1))[1:]]
    lines = [line for line in lines if "stock=" not in line and not re.search(" deal .*A=", line)]
    places = [(i, m.start()) for i, line in enumerate(lines) for m in re.finditer("[2-9TJQKA][cdhs]", line)]
    dark = list(lines)
    for i, column in Random(seed).sample(places[-52:], unseen):
        dark[i] = dark[i][:column] + "??" + dark[i][column + 2 :]
    return lines, dark


def as_scored(lines: list[str]) -> ScoredHand:
    """The hand as it is scored with every way that its unseen cards can have gone."""
    return score_match(given("xeri", "\n".join(lines)).records).hands[-1]


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_the_one_card_that_nobody_saw_has_a_name_when_all_are_played(seed: int) -> None:
    """If this failed, one missed card would leave the whole hand without a score, though there are 51 others."""
    lines, dark = with_unseen(seed, 1)
    seen, unseen = as_scored(lines), as_scored(dark)
    assert (unseen.points, unseen.result, unseen.components) == (seen.points, seen.result, seen.components)
    assert unseen.result


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_of_a_few_unseen_cards_what_is_the_same_either_way_is_known(seed: int) -> None:
    for unseen in (2, 3, 4):
        lines, dark = with_unseen(seed, unseen)
        seen, found = as_scored(lines), as_scored(dark)
        assert found.result in ("", seen.result)
        assert all(
            n in (None, m) for line, other in zip(found.components, seen.components, strict=False)
            for n, m in zip(line.amounts.values(), other.amounts.values(), strict=True)
        )


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_a_pile_left_or_taken_wrongly_makes_no_way_impossible(seed: int) -> None:
    """If this failed, one breach in a hand with an unseen card would cost its whole score."""
    lines, dark = with_unseen(seed, 1, simulate_breaches("xeri", seed=seed, p=0.1, hands=1)[0])
    seen, unseen = as_scored(lines), as_scored(dark)
    assert (unseen.points, unseen.result) == (seen.points, seen.result)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_a_breach_in_a_hand_with_an_unseen_card_leaves_its_score_known(seed: int) -> None:
    """If this failed, one wrong capture would cost the whole score as soon as one card was missed."""
    log = list(simulate_breaches("xeri", seed=seed, p=0.15, hands=1)[0])
    played = [i for i, r in enumerate(log) if isinstance(r.event, Play | Capture)]
    for unseen in (1, 2):
        dark = set(Random(seed).sample(played, unseen))
        poor = [replace(r, event=put_down_unseen(r.event)) if i in dark else r for i, r in enumerate(log)]
        (true,), (found,) = (score_played(some).hands for some in (log, hide(poor)))
        assert all(found.points[who] == n or n in found.possible[who] for who, n in true.points.items())
        assert unseen > 1 or found.points == true.points


def test_a_jack_xeri_may_count_otherwise() -> None:
    facts = FULL.format(1, 0, 26, 10, "A", "B")
    assert told(facts, option={"jack_xeri_points": 20}).judgement.state.score.unknown == ("the xeri",)
    assert told(
        facts + " jacks.A=1 jacks.B=0", option={"jack_xeri_points": 20},
    ).judgement.state.score.result == "A 31–11"
    assert told(facts, option={"xeri_points": 5, "jack_xeri_points": 5}).judgement.state.score.result == "A 16–11"
    told(facts + " jacks.A=2").finds("R6")


def test_the_match_is_won_by_hands() -> None:
    a, b = FULL.format(5, 0, 30, 10, "A", "B"), FULL.format(0, 0, 22, 10, "A", "B")
    standing = told(a, b, b).judgement.state.standing
    assert (standing.winner, standing.over, standing.totals) == ("B", True, {"A": 1, "B": 2})
    even = told(a, b, option={"hands": 2}).judgement.state.standing
    assert (even.winner, even.over) == ("", True)


@pytest.mark.parametrize("seed", seeds(3, 100))
def test_cards_that_nobody_saw_accuse_nobody(seed: int) -> None:
    """Any cards: of the hands, of the first pile, and of those that are played."""
    given("xeri", partly_unseen(simulate("xeri", seed=seed, hands=1), Random(seed))).clean()


@pytest.mark.parametrize(
    ("pile", "option", "told"),
    [
        ("3s5hKdJs", {}, "the first pile has a jack or two equal ranks on top, and is dealt again"),
        ("3s5h9d9s", {}, "the first pile has a jack or two equal ranks on top, and is dealt again"),
        ("Js5h9dKs", {"misdeal": "deep"}, "the first pile has a jack or two equal ranks, and is dealt again"),
        ("Js5h9dKs", {}, ""),
    ],
)
def test_R8_the_answer_says_that_a_first_pile_is_dealt_again(pile: str, option: dict[str, str], told: str) -> None:
    """If this failed, the recorder of a bad first pile would see a prompt that says `misdeal`, and not why."""
    state = given("xeri", f"B hand 1\n@ deal up board={pile}\n", option=option).judgement.state
    assert state.game.display.last_outcome_text(state) == told


def test_the_page_says_what_cards_count() -> None:
    """If this failed, `kibitz rules xeri` would not say for what there are points."""
    (count,) = (
        text for question, text in find_game("xeri").readings.items() if question == "What the cards taken count"
    )
    assert all(word in count for word in ("10♦", "2♣", "a xeri 10", "3 points", "ace, king, queen, jack and ten"))


def test_R6_no_xeri_is_none_with_a_jack() -> None:
    facts = "xeri.A=1 xeri.B=0 cards.A=26 honours.A=10 ten=B two=B jacks.A=1"
    case = given("xeri", "B hand 1", **{"Option.jack_xeri_points": "20"}).when(f"@ tally {facts}")
    assert None not in case.judgement.state.score.points.values()


def test_what_was_counted_in_a_hand_may_be_claimed() -> None:
    """A match counts hands that were won; a table says the points."""
    case = told(FULL.format(1, 0, 26, 12, "B", "A")).when("@ claim hand.A=23 hand.B=9").clean()
    assert case.judgement.state.score.points == {"A": 1, "B": 0}


def test_a_sum_shows_a_question_mark_for_what_is_unknown() -> None:
    t = Tally({"A": 2, "B": 0}, {"A": 22, "B": 30}, {"A": 11, "B": 9}, "", "A", {"A": None, "B": 0})
    sums = [line.sums.get("A") for line in parts(t, Options(jack_xeri_points=20))]
    assert sums == ["2 xeri: ?", "22 cards", "11 honours: 11", "2♣: ?"]
