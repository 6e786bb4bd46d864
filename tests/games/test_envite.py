"""Envite, rule by rule: each has the cases of its kind."""

from __future__ import annotations

import pytest
from given import Given, given
from msgspec.structs import replace
from referees.envite import Referee
from sampling import seeds

from events.errors import UnreadableError
from events.model import Bid, Call, Play
from events.writing import write_event
from reducers.games.envite import trumps_of
from reducers.legal import legal
from replay.fold import fold
from replay.judging.judge import judge
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.frame import contract_of
from replay.table.line_reader import SeveralMeaningsError
from replay.table.session import Session

# West deals, so South leads, then East, North, West. Hearts are trumps.
HIDDEN = "W hand 1\n@ deal S=3x?? E=3x?? N=3x?? W=3x??\n@ deal up upcard=4h\n"
OPEN = "W hand 1\n@ deal S=2hAc6c E=KhKcQc N=3cJc5c W=7h4c7c\n@ deal up upcard=4h\n"
DEALERS = "WSEN"
SIX = {"Seats": "A B C D E F"}


def told(*tallies: str, **tags: object) -> Given:
    """Hands of which only the result is told, played unless something else is said; West deals first, and the deal
    passes to the right."""
    tallies = tuple(
        t if "ending=" in t or "winner=" not in t or "stake=1" in t else f"{t} ending=played" for t in tallies
    )
    lines = [line for i, t in enumerate(tallies) for line in (f"{DEALERS[i % 4]} hand {i + 1}", f"@ tally {t}")]
    return given("envite", "\n".join(lines), **tags)


def standing(eleven: str, *more: str) -> Given:
    """The sides named lie down, after one hand, or after four if it is both; then come the hands told."""
    both = ["winner=NS stake=9", "winner=EW stake=9", "winner=NS stake=4", "winner=EW"]
    return told(*(both if " " in eleven else [f"winner={eleven} stake=9 ending=trawl"]), *more)


# R1, teams and trumps; R11, who wins
@pytest.mark.parametrize(
    ("size", "suit", "first"),
    [(4, "h", "2h Kh Qh Jh Ah 7h"), (6, "h", "3c Qc Jd 2h Kh"), (8, "c", "5d 3c Qc Jd 2c Kc Jc Ac"),
     (10, "s", "2d 5d 3c Qc Jd 2s"), (12, "d", "Ad 2d 5d 3c Qc Jd Kd Qd 7d 6d 4d 3d")],
)  # fmt: skip
def test_R1_the_trumps_of_each_table(size: int, suit: str, first: str) -> None:
    trumps = trumps_of(size, suit)
    assert " ".join(trumps).startswith(first)
    assert len(set(trumps)) == len(trumps)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("Kc 2c 7c 3c", "NS"), ("Ac Jc 7c 3c", "EW"), ("Ac 7c 6c 2c", "NS"), ("3c Kc 3h Ac", "NS"), ("Kh 2h 7h 3h", "EW")],
)
def test_R11_who_wins(cards: str, winner: str) -> None:
    case = given("envite", HIDDEN).when(*(f"{s} play {c}" for s, c in zip("SENW", cards.split(), strict=True)))
    case.when(f"@ move * <trick >won:{winner}").allows()
    case.when(f"@ move * <trick >won:{'EW' if winner == 'NS' else 'NS'}").finds("R11")


# R2, the deal
def test_R2_three_cards_and_one_turned_up() -> None:
    given("envite", OPEN).clean()
    given("envite", "W hand 1").when("@ deal S=4x??").finds("R2")
    given("envite", "W hand 1").when("S play 8h").finds("T1")


# R3, captains
def test_R3_only_captains_speak() -> None:
    for seat in "NE":
        given("envite", OPEN).when(f"{seat} bid 4").allows()
    given("envite", OPEN).when("S bid 4").finds("R3", words="N is the captain of NS")
    given("envite", OPEN).when("N bid 4", "W call accept").finds("R3")
    given("envite", OPEN, option={"captains": "S W"}).when("S bid 4", "W call accept").clean()
    given("envite", OPEN, option={"captains": "S W"}).when("N bid 4").finds("R3")


@pytest.mark.parametrize("captains", ["Z Q", "N S", "S", "N E S"])
def test_R3_captains_who_are_not_one_of_each_team_are_refused(captains: str) -> None:
    with pytest.raises(UnreadableError, match="one seat of each team"):
        given("envite", OPEN, option={"captains": captains}).clean()


# R4, the first raise
def test_R4_the_first_raise_is_to_four() -> None:
    given("envite", OPEN).when("N bid 7").finds("R4", words="the first raise is to 4")
    given("envite", OPEN).when("E bid game").finds("R4")
    given("envite", OPEN).when("N bid 4", "@ fault raise N").finds("R4", words="N may raise here")
    assert given("envite", OPEN).when("N bid 7", "@ fault raise N").about() == []


# R5, answers
def test_R5_the_challenged_captain_answers() -> None:
    raised = given("envite", OPEN).when("N bid 4")
    for line in ("E call accept", "E call decline", "E bid 7"):
        raised.when(line).allows()
    raised.when("N bid 7").finds("R5", words="E answers")
    raised.when("N call accept").finds("R5")
    raised.when("E bid 9").finds("R5", words="the next raise is to 7")
    given("envite", OPEN).when("E call accept").finds("R5", words="no raise to accept")
    top = raised.when("E bid 7", "N bid 9", "E bid game")
    top.clean()
    top.when("N bid game").finds("R5", words="the highest stake")
    top.when("N call accept").allows()


# R6, closed stakes
def test_R6_after_an_accept_or_a_card_nobody_raises() -> None:
    given("envite", OPEN).when("N bid 4", "E call accept", "N bid 7").finds("R6", words="was accepted")
    given("envite", OPEN).when("S play Ac", "E bid 4").finds("R6", words="the first card")


def test_R6_a_card_shows_that_a_raise_was_accepted() -> None:
    case = given("envite", OPEN).when("N bid 4", "S play 2h", "E play Kh", "N play 3c")
    case.clean().scores(NS=0, EW=6)
    assert any("E accepted the raise to 4" in text for _, text in case.judgement.state.inferred)


def test_R5_a_captain_whose_partner_has_played_may_still_say_that_the_raise_is_accepted() -> None:
    case = given("envite", OPEN).when("N bid 4", "S play Ac", "E call accept").clean()
    case.when("E call accept").finds("R5", words="no raise to accept")
    given("envite", OPEN).when("N bid 4", "S play Ac", "N call accept").finds("R5")
    given("envite", OPEN).when("N bid 4", "S play Ac", "E call decline").finds("R5", words="no raise to decline")


def test_R6_open_after_a_gap() -> None:
    given("envite", HIDDEN).when("@ gap", "N bid 7").allows()
    given("envite", HIDDEN).when("@ gap", "N bid 7", "E call decline").scores(NS=4, EW=0)


# R7, lying down
def test_R7_who_may_forfeit() -> None:
    down = standing("NS").when("S hand 2")
    down.when("N call forfeit").allows().scores(NS=0, EW=1)
    down.when("E call forfeit").finds("R7", words="N is the captain of NS")
    down.when("E bid 4").finds("R7", words="there is no raise")
    down.when("N call forfeit", "@ fault forfeit N").finds("R7", words="may forfeit")
    down.when("E play 3c", "N call forfeit").finds("R7", words="the first card")
    given("envite", OPEN).when("N call forfeit").finds("R7", words="no team lies down")
    standing("NS EW").when("W hand 5", "N call forfeit").finds("R7", words="the hand is played")


# R8, lead and turn
def test_R8_to_the_right() -> None:
    given("envite", OPEN).when("S play Ac").allows()
    given("envite", OPEN).when("N play 3c").finds("R8", words="S sits right of the dealer")
    given("envite", OPEN).when("S play Ac", "W play 4c").finds("R8", words="the turn of E")
    trick = ["S play Ac", "E play Kc", "N play 5c", "W play 4c"]
    given("envite", OPEN).when(*trick, "E play Qc").allows()
    given("envite", OPEN).when(*trick, "S play 6c").finds("R8", words="E won the last trick")


# R9, following suit
def test_R9_follow_suit() -> None:
    given("envite", OPEN).when("S play Ac", "E play Kc").allows()
    given("envite", OPEN).when("S play Ac", "E play Kh").finds("R9")


def test_R9_hidden_and_then_provable() -> None:
    case = given("envite", HIDDEN).when("S play Ac", "E play Kd", "N play 5c", "W play 4c")
    case.opens("R9", at=5)
    case.when("S play 6s", "E play Qc").finds("R9", at=5, known=9)


def test_R9_a_card_above_the_trumps_follows_as_one() -> None:
    six = "F hand 1\n@ deal E=AcKd7s D=3cQd6s C=5c3d3s B=6cAd2s A=7c4d4s F=4c5s6d\n@ deal up upcard=4h\n"
    given("envite", six, **SIX).when("E play Ac", "D play Qd").allows()
    given("envite", six, **SIX).when("E play Ac", "D play 3c").allows()
    four = OPEN.replace("N=3cJc5c", "N=3cJd5s")
    given("envite", four).when("S play Ac", "E play Kc", "N play Jd").finds("R9")
    given("envite", six.replace("4h", "4s"), **SIX).when("E play 7s", "D play 6s").allows()
    given("envite", six.replace("E=AcKd7s", "E=QcKd7s"), **SIX).when("E play Qc", "D play 6s").finds("R10")


# R10, the trawl
def test_R10_a_trump_is_played_to_a_trawl() -> None:
    given("envite", OPEN).when("S play 2h", "E play Kh").allows()
    given("envite", OPEN).when("S play 2h", "E play Kc").finds("R10")
    given("envite", OPEN).when("S play 2h", "E call none").finds("R10", words="E holds a trump")
    given("envite", OPEN).when("S play Ac", "E call none").finds("R10", words="no trump was led")


@pytest.mark.parametrize("line", ["N call none", "N play 5c"])
def test_R10_the_first_without_a_trump_loses_the_hand(line: str) -> None:
    """North is of the leader's own team."""
    given("envite", OPEN).when("S play 2h", "E play Kh", line).clean().scores(NS=0, EW=4)
    given("envite", OPEN).when("N bid 4", "E call accept", "S play 2h", "E play Kh", line).clean().scores(NS=0, EW=6)


def test_R10_a_false_none_is_open_until_the_trump_is_shown() -> None:
    case = given("envite", HIDDEN).when("S play 2h", "E call none")
    case.opens("R10", at=5)
    case.scores(NS=4, EW=0)
    case.when("E show Kh").finds("R10", at=5, known=6)
    case.when("E show KcQcJc").clean()


def test_R10_a_card_that_nobody_saw_shows_nothing() -> None:
    assert given("envite", HIDDEN).when("S play 2h", "E play ??").judgement.state.scores == []


TRAWL = ["S play 2h", "E play Kh", "N play 5c"]


@pytest.mark.parametrize(
    "more",
    [["W play 7h"], ["W play 7h", "E play Kc", "N play Jc"], ["N play Jc"], ["N call none", "W play 7h"]],
)
def test_R10_a_card_played_on_after_a_trawl_is_of_the_same_hand(more: list[str]) -> None:
    """It is marked once, and begins no other hand."""
    for dealt in (OPEN, HIDDEN):
        case = given("envite", dealt).when(*TRAWL, *more).scores(NS=0, EW=4)
        assert [f.rule for f in case.judgement.broken] == ["table.T6"]
        assert case.judgement.state.number == 1
        case.when("S hand 2").totals(NS=0, EW=4)


@pytest.mark.parametrize(("dealt", "number"), [(OPEN, 1), (HIDDEN, 2)])
def test_R10_a_card_of_who_leads_the_next_hand_is_of_the_hand_in_which_it_was_seen(dealt: str, number: int) -> None:
    assert given("envite", dealt).when(*TRAWL, "E play Kc").judgement.state.number == number


def test_R10_a_card_that_is_played_on_shows_that_a_trump_was_kept_back() -> None:
    case = given("envite", HIDDEN).when("S play 2h", "E play Kc", "N play 3c", "W play 7h", "E play Kh")
    case.finds("R10", at=5, known=8)


def test_R10_none_and_a_card_go_together() -> None:
    for lines in (["N call none", "N play 5c"], ["N play 5c", "N call none"]):
        case = given("envite", OPEN).when(*TRAWL[:2], *lines).clean().scores(NS=0, EW=4)
        assert not fold(case.records).played_on
    given("envite", OPEN).when("S play 2h", "E call none", "E play Kc").finds("R10", words="hearts were led")


@pytest.mark.parametrize(
    "line", ["E play 3s", "N bid 4", "@ deal up upcard=5s", "S hand 2", "E call forfeit", "N call forfeit"],
)
def test_R10_after_a_trawl_the_next_hand_begins(line: str) -> None:
    assert given("envite", OPEN).when(*TRAWL, line).judgement.state.number == 2


def test_R10_none_that_answers_no_trump_ends_nothing() -> None:
    case = given("envite", OPEN).when("S play Ac", "E call none", "E play Kc")
    case.finds("R10", at=5)
    assert case.judgement.state.scores == []


def test_R10_none_decides_nothing_while_nobody_knows_whether_a_trump_was_led() -> None:
    given("envite", HIDDEN + "@ gap").when("E call none").opens("R10").scores(NS=None, EW=None)
    no_upcard = HIDDEN.replace("@ deal up upcard=4h\n", "") + "S play 4h"
    given("envite", no_upcard).when("E call none").opens("R10").scores(NS=None, EW=None)


def test_R10_out_of_turn_nobody_shows_out() -> None:
    """East or North may have been the first without a trump, if their cards were not written."""
    case = given("envite", HIDDEN).when("S play 2h", "W play 4c")
    case.opens("R10").finds("R8")
    assert case.judgement.state.scores == []


def test_R10_with_the_upcard_unseen_a_trick_that_a_seat_did_not_follow_may_have_been_a_trawl() -> None:
    no_upcard = "W hand 1\n@ deal N=3x?? E=3x?? S=3x?? W=3x??\n@ deal up upcard=??\n"
    won = [
        "S play 2h", "E play 5h", "N play 6h", "W play 7h", "@ move * <trick >won:NS", "S play 2c", "E play 5c",
        "N play 6c",
    ]
    given("envite", no_upcard).when(*won, "W play 7c", "@ move * <trick >won:NS", "N hand 2").scores(NS=2, EW=0)
    # If clubs are trumps West has lost the hand, or North has; the others win it, whether by the trawl or by the
    # tricks.
    given("envite", no_upcard).when(*won, "W play 7d", "@ move * <trick >won:NS", "N hand 2").scores(NS=None, EW=0)
    given("envite", no_upcard).when(
        *won[:-1], "N play 6d", "W play 7c", "@ move * <trick >won:NS", "N hand 2",
    ).scores(NS=None, EW=None)


def test_R10_a_card_to_a_trawl_that_nobody_saw_may_be_no_trump() -> None:
    """If this failed, two stones for the trawl would be lost because a card was not seen."""
    won = ["S play Kh", "E play 5h", "N play 6h", "W play 7h", "S play 2h"]
    given("envite", HIDDEN).when(*won, "E play 3h", "N play Qh", "W play ??", "N hand 2").scores(NS=None, EW=0)
    given("envite", HIDDEN).when(*won, "E play 3h", "N play ??", "W play Jh", "N hand 2").scores(NS=None, EW=None)


def test_R10_trumps_that_are_seen_late_may_show_a_trawl() -> None:
    dealt = HIDDEN.replace("@ deal up upcard=4h\n", "")
    case = given("envite", dealt).when("S play 2h", "E play Kc", "@ show 4h <upcard")
    case.opens("R9", at=4).scores(NS=4, EW=0)


# R12, two tricks
ONE = ["S play Ac", "E play Kc", "N play 5c", "W play 4c"]


def test_R12_two_tricks_win() -> None:
    given("envite", OPEN).when(*ONE, "E play Qc", "N play Jc", "W play 7c", "S play 6c").clean().scores(NS=0, EW=2)
    third = given("envite", OPEN).when(*ONE, "E play Qc", "N play Jc", "W play 7c", "S play 2h", "S play 6c")
    third.finds("R9", at=11)
    assert third.judgement.state.scores == []


TWO = [*ONE, "E play Qc", "N play Jc", "W play 7c", "S play 6c"]


@pytest.mark.parametrize("line", ["E play Kh", "N play 3c", "S play 2h"])
def test_R12_a_third_trick_is_of_the_same_hand(line: str) -> None:
    for dealt in (OPEN, HIDDEN):
        case = given("envite", dealt).when(*TWO, line).scores(NS=0, EW=2)
        case.finds("T6", words="the hand was over")
        assert case.judgement.state.number == 1


def test_R12_a_table_that_has_one_trick_each_plays_the_third() -> None:
    """East has taken both, but the table gave the second to the others."""
    case = given("envite", OPEN).when(*TWO, "@ move * <trick >won:NS", "S play 2h", "E play Kh", "N play 3c")
    case.finds("R11", at=12).scores(NS=0, EW=4)
    assert {f.rule for f in case.judgement.broken} == {"envite.R11"}


def test_R12_a_hand_that_the_table_decides_by_who_gathers() -> None:
    tricks = ["S play Ac", "E play ??", "N play 5c", "W play 4c", "@ move * <trick >won:NS"]
    lines = [*tricks, "S play Qc", "E play ??", "N play 3c", "W play 6c"]
    given("envite", HIDDEN).when(*lines, "@ move * <trick >won:NS").scores(NS=2, EW=0)


def test_R12_a_hand_that_stopped_after_two_tricks_was_won_by_who_may_have_both() -> None:
    lines = ["S play Ac", "E play Kc", "N play 5c", "W play 4c", "E play Qc", "N play 7c", "W play ??", "S play 6c"]
    case = given("envite", HIDDEN).when(*lines, "S hand 2")
    case.scores(NS=0, EW=2)
    given("envite", HIDDEN).when(*lines[:5], "N play ??", *lines[6:], "S hand 2").scores(NS=0, EW=2)


# R13, stones
@pytest.mark.parametrize(
    ("raises", "stones"),
    [("N bid 4", 2), ("E bid 4,N bid 7", 4), ("N bid 4,E bid 7,N bid 9", 7), ("E bid 4,N bid 7,E bid 9,N bid game", 9)],
)
def test_R13_a_raise_that_is_declined(raises: str, stones: int) -> None:
    given("envite", OPEN).when(*raises.split(","), "E call decline").clean().scores(NS=stones, EW=0)


def test_R13_the_stake_of_the_game() -> None:
    raises = ["E bid 4", "N bid 7", "E bid 9", "N bid game", "E call accept"]
    case = given("envite", OPEN).when(*raises, "S play 2h", "E play Kh", "N call none").clean()
    case.scores(NS=0, EW=12)
    assert case.judgement.state.standing.games == {"NS": 0, "EW": 1}
    case.when("S hand 2").totals(NS=0, EW=0)


@pytest.mark.parametrize(
    "tally", ["winner=NS stake=5", "winner=NS stake=3", "winner=NS ending=forfeit", "stake=game ending=declined"],
)
def test_R13_results_that_cannot_be(tally: str) -> None:
    assert [f.verdict.value for f in told(tally).about()] == ["broken"]


def test_R13_a_result_without_its_stake_is_open() -> None:
    told("winner=NS").scores(NS=None, EW=0)
    told("stake=4").scores(NS=None, EW=None)


# R14, lying down; R16, the match
def test_R14_nobody_comes_beyond_eleven() -> None:
    told("winner=NS stake=9", "winner=NS stake=4").totals(NS=11, EW=0)
    told("winner=NS stake=9 ending=trawl").totals(NS=11, EW=0)
    told("winner=NS stake=9", "winner=EW stake=9", "winner=EW stake=9").totals(NS=9, EW=11)


@pytest.mark.parametrize(
    ("eleven", "tally"),
    [("NS", "winner=NS ending=forfeit"), ("NS", "winner=EW stake=1 ending=played"), (
        "NS", "winner=EW stake=3 ending=forfeit",
    ),
     ("NS EW", "winner=EW stake=1"), ("NS", "winner=EW stake=4"), ("EW", "winner=EW stake=1")],
)  # fmt: skip
def test_R14_results_that_cannot_be_against_a_team_that_lies_down(eleven: str, tally: str) -> None:
    assert [f.rule for f in standing(eleven, tally).about()] == ["envite.R7"]


def test_R14_a_result_after_a_hand_that_was_played_is_of_the_next() -> None:
    """The stones that count are those with the hand before."""
    eleven = given("envite", OPEN).when(
        "N bid 4", "E bid 7", "N bid 9", "E call accept", *TRAWL,
    ).totals(NS=0, EW=11).when("N hand 2")
    eleven.when("@ tally winner=NS ending=forfeit").allows().totals(NS=1, EW=11)
    eleven.when("@ tally winner=NS stake=4").finds("R7", words="EW lies down")


@pytest.mark.parametrize(
    ("tally", "gain"),
    [("winner=EW", 3), ("winner=EW ending=forfeit", 1), ("winner=EW stake=1", 1), ("winner=EW ending=trawl", 5)],
)
def test_R14_against_a_team_that_lies_down(tally: str, gain: int) -> None:
    standing("NS", tally).totals(NS=11, EW=gain)


def test_R14_a_hand_won_with_eleven_wins_the_game() -> None:
    standing("NS", "winner=NS").totals(NS=12, EW=0)
    standing("NS EW", "winner=EW").totals(NS=11, EW=12)
    standing("NS", "winner=NS", "winner=EW stake=2").totals(NS=0, EW=2)


@pytest.mark.parametrize(("games", "hands"), [(1, 1), (3, 2), (5, 3)])
def test_R16_the_best_of_so_many_games(games: int, hands: int) -> None:
    case = told(*["winner=NS stake=game"] * hands, option={"games": games})
    assert (case.judgement.state.ended, case.judgement.state.standing.winner) == ("won", "NS")
    if hands > 1:
        assert told(*["winner=NS stake=game"] * (hands - 1), option={"games": games}).judgement.state.ended == ""


def test_R16_a_claim_that_is_wrong() -> None:
    wrong = score_match(told("winner=NS stake=4", "winner=EW stake=2").when("@ claim NS=6 EW=2").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("NS", 6, 4)]


# R15, the deal; R17, not to be seen
def test_R15_the_deal_passes_to_the_right() -> None:
    told("winner=NS stake=2").when("S hand 2").allows()
    told("winner=NS stake=2").when("N hand 2").finds("R15", words="to the right")
    told("void=misdeal").when("W hand 2").allows()


def test_R17_a_signal_is_noted_and_has_no_effect() -> None:
    given("envite", OPEN).when("@ fault signal N", "S play Ac").clean()


# at the table
def test_what_a_captain_may_say() -> None:
    state = given("envite", OPEN).when("N bid 4").judgement.state
    assert [
        a.word if isinstance(a, Call) else a.level for a in legal(state).acts if isinstance(a, Bid | Call)
    ] == [7, "accept", "decline"]


def test_captains_are_typed_small_with_what_they_say() -> None:
    """A suit before a number is a card, and what is said is no strain of a bid."""
    session = Session(given("envite", HIDDEN).records)
    for line, event in {
        "n 4": Bid(by="N", level=4), "e 7": Bid(by="E", level=7), "n 9": Bid(by="N", level=9),
        "e game": Bid(by="E", strain="game"), "accept": Call(by="N", word="accept"), "s4": Play(by="S", cards=("4s",)),
    }.items():  # fmt: skip
        draft = session.complete(line)
        assert ([r.event for r in draft.events], draft.doubts) == ([event], ())
        session.take([replace(r, n=session.records[-1].n + 1) for r in draft.events])
    with pytest.raises(SeveralMeaningsError, match="2 things: 'N call accept'"):
        Session(given("envite", HIDDEN).records).complete("accept")


@pytest.mark.parametrize(
    ("lines", "contract"),
    [((), "♥ 2 at stake"), (("N bid 4",), "♥ 2 at stake, raised to 4"), (
        ("N bid 4", "E call accept"), "♥ 4 at stake",
    ), (("N bid 4", "E bid 7", "S play Ac"), "♥ 7 at stake"),
     (
         ("N bid 4", "E bid 7", "N bid 9", "E bid game"), "♥ 9 at stake, raised to the game",
     ), (("@ gap",), "♥ ? at stake")],
)  # fmt: skip
def test_the_stake_is_seen_while_the_hand_is_played(lines: tuple[str, ...], contract: str) -> None:
    assert contract_of(given("envite", OPEN).when(*lines).judgement.state) == contract


# the referee: a second opinion, written from the rule text alone
SIZES = {n: ["N", "E", "S", "W"] if n == 4 else list("ABCDEFGHIJKL"[:n]) for n in (4, 6, 8, 10, 12)}
OPTIONS = {"usual": ("", 3), "captains": ("S W", 1)}


@pytest.mark.parametrize("seed", seeds(5, 70))
def test_the_referee_agrees_about_legal_matches(seed: int) -> None:
    """The stones of each hand, and who has won; the seeds take the tables in turn."""
    seats = SIZES[(4, 6, 8, 10, 12)[seed % 5]]
    captains, games = OPTIONS["captains" if len(seats) == 4 and seed % 2 else "usual"]
    records = simulate("envite", seed=seed, seats=seats, options={"captains": captains, "games": games})
    referee, state = Referee(seats, captains, games), fold(records)
    assert referee.read([write_event(r.event) for r in records[1:]]) == 0
    assert [dict(score.points) for score in state.scores] == referee.hands
    assert state.standing.winner == referee.winner() != ""


@pytest.mark.parametrize("seed", seeds(5, 400))
def test_the_referee_agrees_about_the_first_breach(seed: int) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    seats = SIZES[(4, 6, 8, 10, 12)[seed % 5]]
    records, _ = simulate_breaches("envite", seed=seed, p=0.08, hands=2, seats=seats)
    lines = [write_event(r.event) for r in records[1:]]
    assert Referee(seats).read(lines) == min((f.at.pos for f in judge(records).broken), default=0)


def test_a_card_seen_again_begins_a_hand_where_the_one_before_may_be_over() -> None:
    """If this failed, a hand whose line and deal nobody wrote would run on in the one before, and its cards be seen
    twice."""
    lines = [
        "W hand 1",
        *[
            "S play 5h", "E play 4h", "N play 5s", "W play Jh", "W play Kh", "S play 3d", "E play 4s", "N play Qc",
            "S play Kd", "E play 3s",
        ]
    ]
    case = given("envite", "\n".join(lines)).when("E play Jh").clean()
    assert any("hand 2 goes on here" in why for _, why in case.judgement.state.inferred)
    case.when("N play 6d", "W play 4h", "S play Kd", "E play Ad").clean().scores(NS=None, EW=None)
    # Where trumps are known the hand goes on, and nothing is seen twice without a word.
    given("envite", "\n".join([lines[0], "@ deal up upcard=2c", *lines[1:6]])).when("S play Jh").finds("T2")


def test_a_table_that_plays_on_after_none_where_nobody_wrote_trumps() -> None:
    """If this failed, the hand would be over with a word that the next cards contradict, and a wrong score be
    certain."""
    lines = ["W hand 1", "S play Kh", "E play 7h", "N play 4h", "W call none"]
    given("envite", "\n".join(lines)).scores(NS=None, EW=None)
    given("envite", "\n".join(lines)).when(
        "W play 5c", "S play 7c", "E play 7d", "N play 2c", "S hand 2",
    ).scores(NS=None, EW=None).clean()


def test_R8_the_first_lead_of_a_hand_that_nobody_announced_is_no_card_played_on_in_the_last() -> None:
    """What East is proved to have held in the new hand was not held in the old one."""
    old = "W hand 1\n@ deal up upcard=Qd\nS play Ks\nE play Qh\nN play 3s\nW play 2h\nS play 3h\nE play 2c\nN play Ah"
    case = given("envite", f"{old}\nW play 4h\nE play 7h\nN play 3c\nW play Jh\nS play 2h").clean()
    assert (case.judgement.state.number, case.judgement.state.dealer) == (2, "S")
