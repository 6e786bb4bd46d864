"""Tresette, rule by rule: each has the cases of its kind, to the left and to the right."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from given import Given, given
from msgspec.structs import replace
from referees.tresette import Referee
from sampling import seeds

from events.model import Call, Play, Recorded
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.tresette import KINDS, MOST_MELDS, PACK, PLAIN, meld_of, melds_of
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.judge import deduce, judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

# North has three threes and a nap in clubs, East four aces, South nothing, West a nap in spades.
N = "3c2cAc3d3hKc4d5d6d7d"
E = "AdAhAsQcKdQd4h5h6h7h"
S = "4c5c6c7cKhJhQhKsJsQs"
W = "3s2s4s5s6s7s2d2hJcJd"
HAND = f"W hand 1\n@ deal N={N} E={E} S={S} W={W}\n"
HIDDEN = "W hand 1\n@ deal N=10x?? E=10x?? S=10x?? W=10x??\n"
RIGHT = {"option": {"direction": "counter-clockwise"}}
# The first trick is North's, the second West's.
FIRST = "N play 3c\nE play Qc\nS play 4c\nW play Jc\n"


def after(tricks: str, good: str = "", hidden: bool = False) -> Given:
    """These cards are played in order, each trick by whoever won the one before, after these seats have said good
    play."""
    said = "".join(f"{seat} call good\n" for seat in good)
    state = begin({"Game": "tresette", "Seats": "N E S W"})
    lines, seats, power = list[str](), list(state.terms.seats), PLAIN.strength(PACK)
    for trick in tricks.split("/"):
        cards = trick.split()
        lines += [f"{seat} play {card}" for seat, card in zip(seats, cards, strict=True)]
        best = max((c for c in cards if c[1] == cards[0][1]), key=lambda c: power[PACK.code[c]])
        turn = cards.index(best)
        seats = seats[turn:] + seats[:turn]
    return given("tresette", (HIDDEN if hidden else HAND) + said + "\n".join(lines))


WHOLE = (
    "3c Qc 4c Jc/2c Ad 5c 2s/Ac Ah 6c 2h/3d Kd Js Jd/3h 4h Jh 2d/Kc As 7c 3s/"
    "4d Qd Kh 4s/5h Qh 5s 5d/Ks 6s 6d 6h/Qs 7s 7d 7h"
)


# R1, the deal
def test_R1_forty_cards_ten_to_each_seat() -> None:
    assert PACK.size == 40
    given("tresette", HAND).clean()
    given("tresette", "W hand 1").when("@ deal N=11x??").finds("R1")
    given("tresette", "W hand 1").when("@ deal N=10x?? stock=4x??").finds("R1")


@pytest.mark.parametrize("card", ["8c", "9d", "Ts"])
def test_R1_eights_nines_and_tens_are_out(card: str) -> None:
    given("tresette", HIDDEN).when(f"N play {card}").finds("T1")


# R2, good play
@pytest.mark.parametrize("seat", "NEW")
def test_R2_good_play_with_a_meld(seat: str) -> None:
    given("tresette", HAND).when(f"{seat} call good").clean()


def test_R2_good_play_without_a_meld() -> None:
    given("tresette", HAND).when("S call good").finds("R2", words="S was dealt no meld")


def test_R2_three_kings_are_none() -> None:
    hand = HAND.replace(
        "KhJhQhKsJsQs", "KhKdKsKc4h5h",
    ).replace("AdAhAsQcKd", "AdAhAsQcJs").replace("Kc4d", "Jh4d").replace("5h6h7h", "QhQs6h")
    given("tresette", hand).when("S call good").finds("R2")


def test_R2_until_the_own_first_card() -> None:
    given("tresette", HAND).when("N play 3c", "E play Qc", "S play 4c", "W call good").allows()
    given("tresette", HAND).when("N play 3c", "N call good").finds("R2", words="N has played a card already")
    after(WHOLE[:11]).when("W call good").finds("R2")


def test_R2_hidden_hands_are_open_until_all_cards_are_out() -> None:
    given("tresette", HIDDEN).when("S call good").opens("R2")
    after(WHOLE, "S", hidden=True).finds("R2", at=3)
    after(WHOLE, "NEW", hidden=True).clean()


def test_R2_another_seat_that_shows_the_cards_disproves_it_early() -> None:
    # Of each rank East and West hold two at the least, and of each suit one: nothing is left for South.
    shown = "W hand 1\n@ deal N=AcAd2c2d3c3d4c4d5c5d E=Ah2h3h4x?? S=10x?? W=As2s3s7x??\n"
    given("tresette", shown).when("S call good").finds("R2")


def test_R2_before_the_deal_is_written_it_is_open() -> None:
    given("tresette", "W hand 1").when("S call good").opens("R2")
    given("tresette").when("S call good").opens("R2")


def test_R2_R10_a_call_after_a_hand_may_be_the_first_one_of_the_next() -> None:
    over = after(WHOLE)
    assert over.judgement.state.settled
    assert over.when("S call good").opens("R2").judgement.state.number == 2
    over.when("S call good", "S call best").allows()


def test_R2_nobody_has_to_say_it() -> None:
    after(WHOLE).clean()
    assert fold(after(WHOLE).records).scores[0].lines[0].amounts == {"NS": 0, "EW": 0}


# R3, what a meld is
@pytest.mark.parametrize("cards", ["3x3?", "4xA?", "3c2cAc", "3?2?A?", "3c2?A?", "AcAdAs", "AcAdAsAh", "A?AcAd"])
def test_R3_a_meld(cards: str) -> None:
    assert not [f for f in after(WHOLE[:11], "N").when(f"N call declare {cards}").about() if f.rule == "tresette.R3"]


@pytest.mark.parametrize("cards", ["3xK?", "2x3?", "5xA?", "3c2dAc", "3c2cKc", "3c3c3d", "3c", "3?2?", "4c5c6c"])
def test_R3_no_meld(cards: str) -> None:
    after(WHOLE[:11], "N").when(f"N call declare {cards}").finds("R3")


@pytest.mark.parametrize("cards", ["", " 3x??", " *x3?", " 3c2c*x??"])
def test_R3_what_nobody_wrote_is_open(cards: str) -> None:
    case = after(WHOLE[:11], "N").when(f"N call declare{cards}").allows().opens("R3")
    whole = given(
        "tresette", after(WHOLE, "N").lines.replace("N play 2c", f"N call declare{cards}\nN play 2c"),
    ).allows()
    whole.scores(NS=None, EW=0)
    assert case.judgement.broken == []
    assert "what melds were named" in fold(whole.records).scores[0].unknown


def test_R3_cards_serve_a_set_and_a_nap() -> None:
    case = after(WHOLE, "N")
    lines = case.lines.replace("N play 2c", "N call declare 3x3?\nN call declare 3?2?A?\nN play 2c")
    given("tresette", lines).clean().scores(NS=6 + 11, EW=0)


# R4, naming the melds
def test_R4_after_the_own_first_trick() -> None:
    after(WHOLE[:11], "N").when("N call declare 3x3?").clean()


def test_R4_not_before_a_trick_and_not_after_the_lead() -> None:
    given("tresette", HAND + "N call good\n").when("N call declare 3x3?").finds("R4", words="no trick")
    after(WHOLE[:11], "N").when("N play 2c", "N call declare 3x3?").finds("R4", words="N has led to the next trick")


def test_R4_not_after_the_trick_of_somebody_else() -> None:
    after(WHOLE[:11], "EN").when("E call declare 3xA?").finds("R4", words="N took the last trick")


def test_R4_not_after_the_second_own_trick() -> None:
    after(WHOLE[:23], "N").when("N call declare 3x3?").finds("R4", words="N has taken a trick before")


def test_R4_a_lead_does_not_prove_who_took_the_trick_before() -> None:
    # East may have played the three, and North led out of turn.
    led = (
        HIDDEN + "N call good\nN play 2c\nE play ??\nS play 4c\nW play Jc\nN play Ac\nE play Qc\nS play 5c\nW play 2s\n"
    )
    assert given("tresette", led).when("N call declare 3x3?").opens("R4").judgement.broken == []


@pytest.mark.parametrize("cards", ["4x3?", "3xA?", "3d2dAd", "3c3s3h"])
def test_R4_only_what_was_dealt(cards: str) -> None:
    after(WHOLE[:11], "N").when(f"N call declare {cards}").finds("R4", words="N was not dealt")


@pytest.mark.parametrize("cards", ["3c3d3h", "3c3?3h", "3c2cAc", "3c2?A?"])
def test_R4_cards_that_were_played_count(cards: str) -> None:
    after(WHOLE[:11], "N").when(f"N call declare {cards}").clean()


def test_R4_each_meld_once() -> None:
    case = after(WHOLE[:11], "N").when("N call declare 3x3?")
    case.when("N call declare 3x3?").finds("R4", words="named three threes already")
    case.when("N call declare 3?2?A?").clean()
    case.when("N call declare 3?2?A?", "N call declare 3?2?A?").finds("R4", words="was not dealt another nap")
    case.when("N call declare 4x3?").finds("R4", words="has named three threes already")
    case.when("N call declare 3c2cAc", "N call declare 3?2?A?").finds("R4")


def with_naps(*naps: str, hidden: bool = False, unseen: str = "") -> Given:
    """The whole hand, in which North, who was dealt the nap in clubs alone, names these naps one after the other."""
    said = "".join(f"N call declare {nap}\n" for nap in naps)
    lines = after(WHOLE, "N", hidden=hidden).lines.replace("N play 2c", f"{said}N play 2c")
    return given("tresette", lines.replace(f"play {unseen}\n", "play ??\n"))


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("naps", [("3?2?A?", "3c2cAc"), ("3c2cAc", "3?2?A?"), ("3?2?A?", "3?2?A?")], ids=" ".join)
def test_R4_a_nap_named_twice_counts_once(naps: tuple[str, str], hidden: bool) -> None:
    case, once = with_naps(*naps, hidden=hidden), with_naps("3c2cAc").clean()
    case.finds("R4", at=9, words="N was not dealt another nap")
    case.scores(**once.judgement.state.scores[-1].points)


def test_R4_a_nap_that_was_not_dealt_is_no_other_name_of_the_one_that_was() -> None:
    first, later = with_naps("3d2dAd", "3?2?A?"), with_naps("3?2?A?", "3d2dAd")
    for case in (first, later):
        assert [f.text for f in case.judgement.broken] == ["N was not dealt a nap in diamonds"]
        case.scores(NS=17, EW=0)
    # The only card that nobody saw is known by then.
    with_naps("3d2dAd", "3?2?A?", hidden=True, unseen="2c").scores(NS=17, EW=0)


@pytest.mark.parametrize("unseen", [("2h",), ("2c",), ("2c", "2s"), ("2c", "3d")], ids=" ".join)
def test_R4_a_nap_named_twice_counts_once_whichever_cards_were_unseen(unseen: tuple[str, ...]) -> None:
    lines = with_naps("3?2?A?", "3c2cAc", hidden=True).lines
    for card in unseen:
        lines = lines.replace(f"play {card}\n", "play ??\n")
    given("tresette", lines).scores(NS=14, EW=0)


@pytest.mark.parametrize("before", ["N play 3c", "E play Qc", "N play 2c", "E play Ad", "W play Jd"])
@pytest.mark.parametrize("cards", ["3c??Ac", "3c2x??", "?c2cAc", "3x??", "2x3???"])
def test_R4_a_meld_with_an_unheard_card_leaves_the_score_open_at_any_time(before: str, cards: str) -> None:
    """If this failed, a meld named at the wrong time would count nothing for certain as soon as a card of it was not
    heard, though it counts if all were."""
    lines = after(WHOLE, "N").lines
    heard = given("tresette", lines.replace(before, f"N call declare 3c2cAc\n{before}", 1))
    assert heard.judgement.state.scores[-1].points == {"NS": 14, "EW": 0}
    unheard = given("tresette", lines.replace(before, f"N call declare {cards}\n{before}", 1))
    hand = score_match(unheard.records).hands[0]
    if hand.points != {"NS": 14, "EW": 0}:
        # Any three cards may be any meld, and there are too many of them.
        assert hand.possible == ({} if cards == "3x??" else {"NS": [11, 14]})
        assert hand.points == {"NS": None, "EW": 0}


def test_R4_a_meld_of_more_cards_than_the_pack_has_leaves_the_score_open() -> None:
    lines = after(WHOLE, "N").lines.replace("N play 3c", "N call declare 60x??\nN play 3c", 1)
    assert score_match(given("tresette", lines.replace("play 2c\n", "play ??\n")).records).hands[0].points["NS"] is None


@pytest.mark.parametrize("naps", [("3?2?A?", "3c2cAc"), ("3d2dAd", "3?2?A?"), ("3?2?A?", "3?2?A?")], ids=" ".join)
def test_R4_two_naps_one_without_its_suit(naps: tuple[str, str]) -> None:
    lines = "W hand 1\n@ deal N=3c2cAc3d2dAd4c5c6c7c E=4d5d6d7dJdQdKdJcQcKc S=10x?? W=10x??\nN call good\n"
    case = given(
        "tresette", lines + "N play 3c\nE play Jc\nS play ??\nW play ??",
    ).when(*(f"N call declare {nap}" for nap in naps)).clean()
    assert sum(meld.count for meld in melds_of(("N", "S"), case.judgement.state) if meld is not None) == 6
    case.when("N call declare 3?2?A?").finds("R4", words="another nap")


def test_R4_hidden_hands_are_open_until_the_cards_are_out() -> None:
    case = after(WHOLE, "NE", hidden=True)
    named = case.lines.replace("N play 2c", "N call declare 3x3?\nN call declare 3x2?\nN play 2c")
    given("tresette", named).finds("R4", at=10, words="three twos")
    assert [f.at.pos for f in given("tresette", named).judgement.broken] == [10]
    short = "\n".join(named.splitlines()[:10])
    given("tresette", short).opens("R4", at=9)
    given("tresette", short).opens("R4", at=10)


def test_R4_a_four_is_disproved_by_the_card_in_another_hand() -> None:
    case = after(WHOLE[:11], "N", hidden=True).when("N call declare 4x2?", "N play 2c", "E play Ad", "S play 5c")
    case.opens("R4", at=8)
    case.when("W play 2s").finds("R4", at=8, known=12)


def test_R4_what_was_seen_is_enough_though_most_of_the_hand_was_not() -> None:
    some = HIDDEN.replace("N=10x??", "N=3d3h8x??") + "N call good\n" + FIRST
    assert given("tresette", some).when("N call declare 3x3?").clean().about() == []
    given("tresette", some).when("N call declare 4x3?").opens("R4")


def test_R4_an_unseen_card_may_have_been_of_the_meld() -> None:
    lines = after(WHOLE, "N", hidden=True).lines.replace("N play 3c", "N play ??").replace(
        "N play 2c", "N call declare 3x3?\nN play 2c",
    )
    # Every other card has its place.
    assert given("tresette", lines).clean().about(8) == []
    lines = lines.replace("E play Qc", "E play ??")
    given("tresette", lines).opens("R4", at=8)
    # Somebody else has the other three, and the aces that North does not play.
    given("tresette", lines.replace("3x3?", "3xA?")).finds("R4", at=8)


def test_R4_an_unseen_card_leaves_open_whose_trick_it_was() -> None:
    lines = HIDDEN + "N call good\nN play Kc\nE play Qc\nS play ??\nW play 4c\n"
    given("tresette", lines).when("N call declare 3x3?").opens("R4")
    given("tresette", lines).when("E call declare 3x3?").finds("R4", words="N or S took")


def one_trick() -> str:
    """West takes nothing but the last trick, and has said good play."""
    clubs, others, thrown = "3c2cAcKcJcQc7c6c5c", "32AKJQ765", "4c2sAsKsJsQs7s6s5s"
    lines = [f"W hand 1\n@ deal N={clubs}4s E=3d2dAdKdJdQd7d6d5d4d S=3h2hAhKhJhQh7h6h5h4h W={thrown}3s\nW call good"]
    for i, rank in enumerate(others):
        lines.append(f"N play {rank}c\nE play {rank}d\nS play {rank}h\nW play {thrown[2 * i : 2 * i + 2]}")
    return "\n".join([*lines, "N play 4s\nE play 4d\nS play 4h\nW play 3s"])


def test_R4_the_first_trick_may_be_the_last() -> None:
    case = given("tresette", one_trick()).scores(NS=10, EW=1)
    case.when("W call declare 3s2sAs").clean().scores(NS=10, EW=1 + 3)
    case.when("S call declare 3h2hAh").finds("R4", words="W took the last trick")
    case.when("W call declare 3s2sAs", "N hand 2", "@ deal N=10x??", "E call good").allows()
    # The text does not say who deals next: whoever leads shows it.
    case.when("S play 4h").allows()
    # A card after it is of the next hand, and so is a deal.
    for line in ("E play 4c", "@ deal N=10x??"):
        state = fold(case.when(line).records)
        assert (state.number, [dict(score.points) for score in state.scores]) == (2, [{"NS": 10, "EW": 1}])


def test_R4_melds_after_the_last_trick_may_win_the_match() -> None:
    case = given("tresette", one_trick(), option={"target": 4})
    assert outcome(case.when("W call declare 3s2sAs")) == ("won", "NS")
    case = given(
        "tresette",
        one_trick().replace(
            "W hand 1", "N hand 1\n@ tally melds.NS=0 melds.EW=0 figures.EW=18 aces.EW=3 last=NS\nW hand 2",
        ),
        option={"target": 12},
    )
    assert outcome(case) == ("won", "NS")
    assert dict(fold(case.when("W call declare 3s2sAs").records).standing.totals) == {"NS": 12, "EW": 13}
    assert outcome(case.when("W call declare 3s2sAs")) == ("won", "EW")


# R5, good play comes first
def test_R5_only_whoever_said_good_play_names_melds() -> None:
    after(WHOLE[:11], "N").when("N call declare 3x3?").clean()
    after(WHOLE[:11], "E").when("N call declare 3x3?").finds("R5", words="N has not said good play")


def test_R5_a_table_that_never_writes_it_accuses_nobody() -> None:
    after(WHOLE[:11]).when("N call declare 3x3?").allows().opens("R5")


# R6, the lead
def test_R6_the_dealers_left_leads() -> None:
    given("tresette", HIDDEN).when("N play 3c").allows()
    given("tresette", HIDDEN).when("E play Qc").finds("R6", words="N sits left of the dealer")


def test_R6_to_the_right_the_dealers_right_leads() -> None:
    given("tresette", HIDDEN, **RIGHT).when("S play 4c").allows()
    given("tresette", HIDDEN, **RIGHT).when("N play 4c").finds("R6", words="S sits right of the dealer")


def test_R6_the_winner_leads_next() -> None:
    after(WHOLE[:11]).when("N play 2c").allows()
    after(WHOLE[:11]).when("E play Ad").finds("R6", words="N won the last trick")


# R7, one card in turn
def test_R7_one_card_in_turn() -> None:
    given("tresette", HAND).when("N play 3c", "E play Qc").allows()
    given("tresette", HAND).when("N play 3c", "S play 4c").finds("R7", words="it is the turn of E")
    given("tresette", HAND).when("N play 3c2c").finds("R7")


def test_R7_to_the_right() -> None:
    given("tresette", HAND, **RIGHT).when("S play 4c", "E play Qc", "N play 3c", "W play Jc").clean()
    given("tresette", HAND, **RIGHT).when("S play 4c", "W play Jc").finds("R7")


@pytest.mark.parametrize("game", ["tresette", "malilla", "omi", "court-piece", "kaiser"])
def test_R6_the_first_lead_of_a_record_that_begins_with_a_card_shows_who_has_dealt(game: str) -> None:
    """If this failed, a player would be accused of leading, because nobody wrote who dealt the first hand."""
    case = given(game, "E play Ah\nS play Qh\n").clean()
    assert case.judgement.state.dealer == "N"
    case.when("N play Kh").allows(at=1)


# R8, following suit
def test_R8_follow_suit() -> None:
    given("tresette", HAND).when("N play 3c", "E play Qc").allows()
    given("tresette", HAND).when("N play 3c", "E play Ad").finds("R8", words="clubs were led")


def test_R8_whoever_has_none_plays_anything_and_nobody_has_to_win() -> None:
    after(WHOLE[:11]).when("N play 2c", "E play 4h").allows()
    given("tresette", HAND).when("N play Kc", "E play Qc", "S play 4c", "W play Jc").clean()


def test_R8_hidden_until_the_suit_comes_out() -> None:
    case = after("3c 4h 4c Jc", hidden=True)
    case.opens("R8", at=4)
    case.when("N play 4d", "E play Qc").finds("R8", at=4, known=8)


# R9, who wins
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("2c 3c 4c 5c", "E"),
        ("Ac 2c Kc 4c", "E"),
        ("Kc Ac 4c 5c", "E"),
        ("Jc Kc Qc 5c", "E"),
        ("Qc Jc 7c 6c", "E"),  # the jack is above the queen
        ("7c Qc 6c 5c", "E"),
        ("4c 3d 2h As", "N"),  # off the suit led wins nothing
    ],
)
def test_R9_who_wins(cards: str, winner: str) -> None:
    lines = "\n".join(f"{seat} play {card}" for seat, card in zip("NESW", cards.split(), strict=True))
    case = given("tresette", HIDDEN + lines)
    side, other = ("EW", "NS") if winner == "E" else ("NS", "EW")
    case.when(f"@ move * <trick >won:{side}").clean()
    case.when(f"@ move * <trick >won:{other}").finds("R9", words=f"{winner} won the trick")


# R10, talk
def test_R10_whoever_leads_asks_for_the_best() -> None:
    given("tresette", HAND).when("N call best").clean()
    given("tresette", HAND).when("N play 3c", "N call best").clean()


@pytest.mark.parametrize(("lines", "words"), [
    (("E call best",), "N leads"),
    (("N play 3c", "E call best"), "N led"),
    (("N play 3c", "E play Qc", "N call best"), "with the lead"),
])  # fmt: skip
def test_R10_nobody_else_asks_and_not_later(lines: tuple[str, ...], words: str) -> None:
    given("tresette", HAND).when(*lines).finds("R10", words=words)


@pytest.mark.parametrize("line", ["E call count 1", "E call count 0"])
def test_R10_a_count_may_include_the_card_about_to_be_played(line: str) -> None:
    given("tresette", HAND + "N play 3c\n").when(line).clean()


@pytest.mark.parametrize(
    ("line", "fair"),
    [
        ("E call count 0", True), ("E call count 1", True), ("E call count 2", False), ("S call count 3", True),
        ("S call count 4", True), ("S call count 2", False), ("S call count 5", False),
    ]
)
def test_R10_a_count_after_the_own_card(line: str, fair: bool) -> None:
    case = given("tresette", HAND + FIRST).when(line)
    case.clean() if fair else case.finds("R10", words="which was not true")


@pytest.mark.parametrize(("lines", "words"), [
    (("E call count 1",), "no card has been led"), (("N play 3c", "N call count 3"), "N led"),
    (("N play 3c", "E call count 3"), "which was not true"),
])  # fmt: skip
def test_R10_a_count_that_may_not_be_said(lines: tuple[str, ...], words: str) -> None:
    given("tresette", HAND).when(*lines).finds("R10", words=words)


def test_R10_a_count_in_a_hidden_hand_is_settled_by_the_cards() -> None:
    lines = after(WHOLE, hidden=True).lines.replace("E play Qc", "E call count 3\nE play Qc")
    given("tresette", lines).finds("R10", at=4)
    given("tresette", "\n".join(lines.splitlines()[:5])).opens("R10", at=4)
    given("tresette", lines.replace("count 3", "count 1")).clean()


@pytest.mark.parametrize(("line", "fair"), [
    ("E call short 1", True), ("N call short 1", True), ("S call short 0", True), ("W call short 2", True),
    ("N call short 2", False), ("E call short 0", False), ("S call short 1", False),
])  # fmt: skip
def test_R10_a_short_suit(line: str, fair: bool) -> None:
    case = given("tresette", HAND).when(line)
    case.clean() if fair else case.finds("R10", words="which was not true")


def test_R10_of_which_suit_is_not_said_and_larger_numbers_are_not() -> None:
    given("tresette", HAND).when("E call short clubs 1").finds("R10", words="not named")
    given("tresette", HAND).when("N call short 3").finds("R10", words="two, one or none")


def test_R10_at_any_time() -> None:
    after(WHOLE[:23]).when("E call short 0").clean()
    given("tresette", "W hand 1").when("S call short 1").opens("R10")


@pytest.mark.parametrize(("said", "denied"), [("N call best", "best"), ("S call short 0", "short")])
def test_R10_wrongly_denied(said: str, denied: str) -> None:
    seat = said[0]
    given("tresette", HAND).when(said, f"E fault {denied} {seat}").finds("R10", words=f"{seat} may say this")
    given("tresette", HAND).when(said, f"E fault slow {seat}").allows()


def test_R10_what_may_not_be_said_is_denied_rightly() -> None:
    given("tresette", HAND).when("E call best", "N fault best E").allows()
    given("tresette", HAND).when("N fault best E").allows()


def test_R10_a_table_without_talk() -> None:
    silent = given("tresette", HAND, option={"table_talk": False})
    silent.when("N call best").finds("R10", words="by the house rule")
    silent.when("N call good").clean()


# R11 and R12, what a hand counts
def test_R11_all_ten_tricks() -> None:
    case = after(WHOLE)
    assert case.judgement.state.settled
    assert not after(WHOLE.rpartition("/")[0]).judgement.state.settled


def test_R12_counted_by_hand() -> None:
    # North and South take six tricks, with three aces and thirteen cards that count by threes; and the last.
    state = after(WHOLE).clean().judgement.state
    taken = {"NS": [], "EW": []}
    for trick in state.hand.trick.won:
        taken[state.terms.side_of[trick.winner]] += [PACK.faces[c] for _, c in trick.plays]
    figures = {side: sum(card[0] in "32KJQ" for card in cards) for side, cards in taken.items()}
    aces = {side: sum(card[0] == "A" for card in cards) for side, cards in taken.items()}
    last = state.terms.side_of[state.hand.trick.won[-1].winner]
    assert sum(figures.values()) == 20
    assert dict(state.scores[0].points) == {s: figures[s] // 3 + aces[s] + (s == last) for s in taken}
    assert sum(state.scores[0].points.values()) == 11


@pytest.mark.parametrize(
    ("told", "ns", "ew"),
    [
        ("melds.NS=0 melds.EW=0 figures.NS=11 aces.NS=2 last=EW", 5, 6),
        ("melds.NS=3 melds.EW=0 figures.NS=11 aces.NS=2 last=EW", 8, 6),
        ("melds.NS=7 melds.EW=3 figures.EW=0 aces.EW=0 last=S", 7 + 6 + 4 + 1, 3),
        ("melds.NS=0 melds.EW=0 figures.NS=2 aces.NS=0 last=NS", 1, 10),
        ("melds.NS=0 melds.EW=0 figures.NS=3 aces.NS=4 last=N", 6, 5),
    ],
)
def test_R12_told_by_a_tally(told: str, ns: int, ew: int) -> None:
    given("tresette", "W hand 1").when(f"@ tally {told}").clean().scores(NS=ns, EW=ew)
    for untold in ("melds.NS", "melds.EW"):
        left = " ".join(fact for fact in told.split() if not fact.startswith(untold))
        assert given("tresette", "W hand 1").when(f"@ tally {left}").judgement.state.score.points[untold[-2:]] is None


@pytest.mark.parametrize(
    "told",
    ["figures.NS=21", "figures.NS=11 figures.EW=10", "aces.NS=5", "aces.NS=2 aces.EW=1", "melds.NS=5", "melds.NS=2",
     "melds.NS=17", "melds.EW=20", "melds.NS=22",
     "melds.NS=18 melds.EW=4", "last=Q", "melds.N=3", "tricks.NS=4"],
)  # fmt: skip
def test_R12_figures_that_cannot_be(told: str) -> None:
    assert given("tresette", "W hand 1").when(f"@ tally {told}").judgement.broken


def test_R12_no_melds_count_more_than_21() -> None:
    """Of a suit full three cards, and the rest: dealt as partners may have them, never more; and 21 can be."""
    def worth(bag: int) -> int:
        return sum(max(3, PACK.count(bag & mask)) for mask, least in KINDS if PACK.count(bag & mask) >= least)

    cards = [r + s for s in "cdhs" for r in "32A"]
    best = max(
        worth(PACK.bag(held)) + worth(PACK.bag(set(cards) - set(held))) for n in range(2, 11)
        for held in combinations(cards, n)
    )
    assert best == MOST_MELDS


def test_R12_sums_are_written_out() -> None:
    lines = after(WHOLE, "N").lines.replace("N play 2c", "N call declare 3x3?\nN call declare nap 3c2cAc\nN play 2c")
    melds, cards = fold(given("tresette", lines).records).scores[0].lines
    assert melds.sums == {"NS": "three threes and a nap in clubs = 6"}
    assert cards.sums == {"NS": "18 ÷ 3 + 4 aces + last trick = 11", "EW": "2 ÷ 3 = 0"}


def test_the_sheet_has_melds_cards_and_totals() -> None:
    (block,) = sheet_of(after(WHOLE).records).blocks
    assert block.columns == ("hand", "dealer", "WE melds", "WE cards", "WE", "THEY melds", "THEY cards", "THEY")
    assert [cell.text for cell in block.rows[0].cells] == ["1", "W", "0", "11", "11", "0", "0", "0"]


def test_R12_thirds_are_counted_for_partners_together() -> None:
    # Each partner alone would have had two cards over.
    given("tresette", "W hand 1").when(
        "@ tally melds.NS=0 melds.EW=0 figures.NS=10 aces.NS=0 last=EW"
    ).scores(NS=3, EW=8)


def test_R12_unseen_cards_may_make_no_difference() -> None:
    state = after(WHOLE).judgement.state
    lines = "\n".join(write_event(r.event) for r in hide(after(WHOLE).records)[1:])
    tricks = state.hand.trick.won
    thrown = [(PACK.faces[c], state.terms.side_of[t.winner]) for t in tricks for seat, c in t.plays if seat != t.winner]
    known = set()
    for (one, mine), (other, its) in combinations(thrown, 2):
        if mine != its:
            score = fold(
                given("tresette", lines.replace(f"play {one}", "play ??").replace(f"play {other}", "play ??")).records
            ).scores[0]
            assert all(n is None or n == state.scores[0].points[who] for who, n in score.points.items()), (one, other)
            known.add((one[0] in "32KJQ", other[0] in "32KJQ", None not in score.points.values()))
    # One of both is a figure; the other counts nothing, and thirds come out alike.
    assert (True, False, True) in known or (False, True, True) in known


def test_R12_a_claim_is_compared() -> None:
    right = fold(after(WHOLE).records).standing.totals
    claim = " ".join(f"{who}={n}" for who, n in right.items())
    assert claim_differences(score_match(after(WHOLE).when(f"@ claim {claim}").records)) == []
    wrong = score_match(after(WHOLE).when(f"@ claim NS={right['NS'] + 1} EW={right['EW'] - 1}").records)
    assert [c.who for c in claim_differences(wrong)] == ["NS", "EW"]


def test_R12_melds_are_booked_as_named_and_a_ruling_takes_them_away() -> None:
    lines = after(WHOLE, "N").lines.replace("N play 2c", "N call declare 3xA?\nN play 2c")
    case = given("tresette", lines)
    played = fold(after(WHOLE).records).scores[0].points
    case.scores(NS=played["NS"] + 3, EW=played["EW"])
    ruled = case.when("E dispute #8 meld", "@ ruling #45 points.NS=-3")
    assert score_match(ruled.records).ways["ruled"].totals == played


def test_R12_melds_of_both_partners_add_up() -> None:
    lines = after(WHOLE, "E").lines.replace("E play 5h", "E call declare 3xA?\nE play 5h")
    given("tresette", lines).allows(at=4)
    score = fold(given("tresette", lines).records).scores[0]
    assert [line.amounts["EW"] for line in score.lines if line.label == "melds"] == [3]


def test_R12_a_seat_that_names_nothing_scores_nothing() -> None:
    played = fold(after(WHOLE).records).scores[0].points
    assert fold(after(WHOLE, "NEW").records).scores[0].points == played


# R13, the match
def tallies(*hands: tuple[int, int], target: int = 31) -> Given:
    """Hands of which only the points are told: melds make up what the cards do not give."""
    lines = []
    for i, (ns, ew) in enumerate(hands):
        figures = {6: (20, 0), 0: (0, 20)}
        cards = min(ns, 11)
        told = next(
            f"figures.NS={f} aces.NS={a} last={'NS' if last else 'EW'}"
            for f in range(21) for a in range(5) for last in (0, 1)
            if f // 3 + a + last == cards and (20 - f) // 3 + 4 - a + 1 - last == 11 - cards
        )
        melds = f" melds.NS={ns - cards} melds.EW={ew - (11 - cards)}"
        assert figures
        lines.append(f"{'WNES'[i % 4]} hand {i + 1}\n@ tally {told}{melds}")
    return given("tresette", "\n".join(lines), option={"target": target})


def outcome(case: Given) -> tuple[str, str]:
    state = case.clean().judgement.state
    return state.ended, state.standing.winner


def test_R13_31_wins() -> None:
    assert outcome(tallies((11, 0), (11, 0))) == ("", "")
    assert outcome(tallies((11, 0), (11, 0), (9, 2))) == ("won", "NS")
    assert outcome(tallies((11, 0), (11, 0), (8, 3))) == ("", "")


def test_R13_both_at_the_target() -> None:
    assert outcome(tallies((6, 5), (11, 3), target=8)) == ("won", "NS")
    assert outcome(tallies((4, 7), (7, 4), target=11)) == ("", "")
    assert outcome(tallies((4, 7), (7, 4), (5, 6), target=11)) == ("won", "EW")


def test_R13_the_target_is_an_option() -> None:
    assert outcome(tallies((11, 0), target=11)) == ("won", "NS")
    assert outcome(tallies((10, 1), target=11)) == ("", "")


@pytest.mark.parametrize(("option", "dealer"), [("clockwise", "N"), ("counter-clockwise", "S")])
def test_the_deal_goes_on_in_the_direction_of_play(option: str, dealer: str) -> None:
    log = simulate("tresette", seed=1, hands=2, options={"direction": option})
    assert [r.event.by for r in log if write_event(r.event).split()[1] == "hand"] == ["W", dealer]


# What a recorder types
@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("dec 333", "3x3?"), ("dec aaaa", "4xA?"), ("dec nap", "3?2?A?"), ("dec napc", "3c2cAc"),
        ("dec acadas", "AcAdAs"), ("declare 3x2?", "3x2?"),
    ],
)
def test_a_meld_is_typed_by_its_ranks(typed: str, written: str) -> None:
    session = Session(given("tresette", HIDDEN + "N call good\nN play 3s\nE play Qs\nS play 4s\nW play Js\n").records)
    draft = session.complete(typed)
    assert [write_event(r.event) for r in draft.events] == [f"N call declare {written}"]
    assert not draft.doubts


def test_a_seat_may_be_typed_small_before_a_word_of_the_game() -> None:
    session = Session(given("tresette", HIDDEN).records)
    for line in ("w good", "W good", "w goo"):
        assert [write_event(r.event) for r in session.complete(line).events] == ["W call good"]


# The referee
TABLES = {
    "usual": {}, "to the right": {"direction": "counter-clockwise"}, "silent": {"table_talk": False},
    "to 7": {"target": 7},
}


def refereed(records: list[Recorded], options: dict[str, object]) -> tuple[Referee, int]:
    """The same lines, read by the referee."""
    referee = Referee(list("NESW"), **options)
    return referee, referee.read([write_event(r.event) for r in records[1:]])


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_legal_matches(seed: int, table: str) -> None:
    """Three hands or more in most matches: who won each trick, what each hand came to, and who won."""
    records = simulate("tresette", seed=seed, options=TABLES[table])
    referee, wrong = refereed(records, TABLES[table])
    state = fold(records)
    assert wrong == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner() != ""


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(2, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int, table: str) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    records, _ = simulate_breaches("tresette", seed=seed, p=0.05, hands=1, options=TABLES[table])
    _, wrong = refereed(records, TABLES[table])
    assert wrong == min((f.at.pos for f in judge(records).broken), default=0)


# Whole matches
@cache
def a_match(seed: int) -> tuple[Recorded, ...]:
    return tuple(simulate("tresette", seed=seed))


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_without_its_talk_a_match_comes_to_the_same(seed: int) -> None:
    log = [r for r in a_match(seed) if not isinstance(r.event, Call) or r.event.word in ("good", "declare")]
    log = [replace(r, n=n) for n, r in enumerate(log)]
    assert judge(log).broken == []
    assert fold(log).standing == fold(a_match(seed)).standing


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_whatever_is_left_of_a_hidden_hand_accuses_nobody(seed: int) -> None:
    """A meld whose `good` alone is missing stands against its player unless the recorder left that line out.

    Nobody has won within five hands here: without a meld that counted, another hand would be one too many.
    """
    log = hide(simulate("tresette", seed=seed, hands=5, options={"target": 99}))
    for share in (3, 5):
        some = [r for r in log if not isinstance(r.event, Call) or r.n % share]
        broken = check([replace(r, n=n) for n, r in enumerate(some)]).broken
        assert [f.text for f in broken if f.unless is None or "call good" not in str(f.unless)] == []


def test_after_a_gap_nobody_is_accused_of_what_may_be_missing() -> None:
    case = after(WHOLE[:11]).when("@ gap", "E call good", "E call declare 3xA?", "S call short 2", "S call best")
    assert case.judgement.broken == []


def test_a_meld_is_read_once() -> None:
    assert meld_of(("3x3?",)) is meld_of(("3x3?",))
    assert isinstance(given("tresette", HAND).when("N play 3c").records[-1].event, Play)


def test_R8_a_card_led_unseen_is_each_that_its_player_may_have_led() -> None:
    """N holds spades alone, so a spade was led, whichever it was; with a heart among them it may have been that."""
    dealt = "E=Ah2h3h4h5h6hJhQh7h4s S=Ac2c3c4c5c6c7cJcQcKc"
    tricks = "N play Kd\nE play Ah\nS play Ac\nW play 4d\nN play ??\nE play 2h"
    spades = f"W hand 1\n@ deal N=As2s3s5s6s7sJsQsKsKd {dealt} W=Ad2d3d4d5d6d7dJdQdKh\n"
    mixed = f"W hand 1\n@ deal N=As2s3s5s6s7sJsQsKhKd {dealt} W=Ad2d3d4d5d6d7dJdQdKs\n"
    assert [
        (f.rule, f.at.pos) for f in deduce(given("tresette", spades + tricks).records).broken
    ] == [("tresette.R8", 8)]
    assert [(f.rule, f.at.pos) for f in deduce(given("tresette", mixed + tricks).records).open] == [("tresette.R8", 8)]
