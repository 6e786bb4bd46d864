"""A score pad for a game that Kibitz does not know: its results are kept, corrected, claimed, scored and printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from given import Given, given, log

from events import Recorded, UsageError, read_kib
from events.errors import NotationError, UnreadableError
from events.model import Open
from reducers.first_state import begin
from reducers.opening import opening
from replay.auditing.check import check
from replay.judging.judge import judge
from replay.paper.formats import PLAIN
from replay.paper.render import render
from replay.paper.sheet import sheet_of
from replay.scoring.three_ways import score_match
from replay.season.facts import match_facts
from replay.simulate import simulate
from replay.table.game_help import first_words, help_lines
from replay.table.result_line import result_example
from replay.table.session import Session

LOW = {"wins": "low"}


def pad(*results: str, **tags: Any) -> Given:
    """A pad of two with these results, `12 -3`, one hand each; a word is why a hand does not count."""
    lines = []
    for number, line in enumerate(results, 1):
        lines.append(f"B hand {number}")
        figures = zip("ABCD", line.split(), strict=False)
        lines.append(
            f"@ end hand {line}" if line.isalpha() else "@ tally " + " ".join(f"points.{who}={n}" for who, n in figures)
        )
    return given("pad", "\n".join(lines), **tags)


def recorded(*lines: str, **tags: Any) -> Session:
    """A pad that was typed at the table."""
    session = Session(log("pad", "", **tags))
    for line in lines:
        typed(session, line)
    return session


def typed(session: Session, line: str) -> str:
    """Record a line, and answer."""
    first = session.records[-1].n + 1
    events = [Recorded(n=first + i, event=r.event, text=r.text) for i, r in enumerate(session.complete(line).events)]
    return session.take(events).line


# -- a hand


def test_R1_points_may_be_below_nought() -> None:
    pad("12 -3", "0 -4").clean().totals(A=12, B=-7)


def test_R1_points_that_are_no_number_are_found_and_leave_the_total_open() -> None:
    case = pad("12 -3", "9 4").when("@ tally points.B=x").finds("R1", words="points.B is a number, not x")
    case.totals(A=21, B=None)


def test_R1_a_figure_that_nobody_wrote_is_asked_for_and_is_not_nought() -> None:
    case = pad("12", "9 4").totals(A=21, B=None)
    assert score_match(case.records).hands[0].unknown == ("the points of B",)
    case.when("@ fix #2 @ tally points.A=12 points.B=1").totals(A=21, B=5)


@pytest.mark.parametrize("word", ["void", "misdeal"])
def test_R2_a_void_hand_gives_nobody_points(word: str) -> None:
    pad("12 7", word).clean().scores(A=0, B=0).totals(A=12, B=7)
    pad("12 7").when(f"@ tally void={word}").clean().totals(A=0, B=0)
    pad("12 7").when("@ tally void=yes", "@ tally void=no").totals(A=12, B=7)


def test_R2_who_dealt_a_misdeal_deals_again() -> None:
    for word, dealer in (("void", "A"), ("misdeal", "B")):
        state = pad(word).judgement.state
        assert state.game.dealing.next_dealer(state) == dealer


# -- the match


def test_R3_the_total_is_the_sum_of_all_hands() -> None:
    case = pad("12 7", "-3 0", "5 5").totals(A=14, B=12)
    assert [dict(s.totals) for s in case.judgement.state.scores] == [
        {"A": 12, "B": 7}, {"A": 9, "B": 7}, {"A": 14, "B": 12},
    ]


def test_R3_a_claim_of_another_total_is_found_with_its_numbers() -> None:
    case = pad("12 7", "-3 0").when("@ claim A=9 B=8", "A confirm #5").records
    (found,) = check(case).broken
    assert (found.rule, found.at.pos) == ("table.T9", 5)
    assert found.text == "after hand 2 the table has B at 8 (7 + 1 = 8); computed 7 (7 + 0 = 7)"
    assert score_match(case).claims[0].confirmed == ("A",)


def test_R4_the_match_ends_with_the_hand_that_takes_somebody_to_the_target() -> None:
    over = pad("60 30", "40 10", option={"target": 100}).judgement.state
    assert (over.ended, over.standing.winner, over.standing.totals["A"]) == ("won", "A", 100)
    assert not pad("60 30", "39 10", option={"target": 100}).judgement.state.ended
    pad("60 30", "40 10", option={"target": 100}).when("A hand 3").finds("T6")


def test_R4_who_are_level_at_the_target_play_on() -> None:
    level = pad("60 50", "50 60", option={"target": 100})
    assert not level.judgement.state.ended
    assert level.when("B hand 3", "@ tally points.A=0 points.B=1").judgement.state.standing.winner == "B"


def test_R4_a_match_with_an_unknown_total_is_not_over() -> None:
    state = pad("60", "50 60", option={"target": 100}).judgement.state
    assert (state.ended, state.standing.winner) == ("", "")


def test_R4_a_correction_takes_the_end_back() -> None:
    case = pad("60 30", "40 10", option={"target": 100}).when("@ fix #2 @ tally points.A=50 points.B=30")
    assert not case.judgement.state.ended
    case.totals(A=90, B=40)


def test_R5_without_a_target_the_table_ends_the_match() -> None:
    state = pad("60 30", "400 10").judgement.state
    assert not state.ended
    case = pad("60 30", "400 10").when("@ end match")
    assert (case.judgement.state.ended, case.judgement.state.standing.winner) == ("agreed", "A")
    score = score_match(case.records)
    assert (score.winner, score.over, score.ways["played"].winner) == ("A", True, "A")
    assert "won 460 : 40" in str(sheet_of(case.records).facts)


def test_R5_a_last_word_after_the_end_says_who_has_won() -> None:
    case = pad("6 3", "4 1").when("@ end match", "@ tally points.B=40")
    assert case.judgement.state.standing.winner == "B"


def test_R5_a_ruling_after_the_end_says_who_has_won() -> None:
    case = pad("6 3", "4 1").when("@ end match", "A dispute #4", "@ ruling #6 good points.A=-4 points.B=9")
    ways = score_match(case.records).ways
    assert {name: way.winner for name, way in ways.items()} == {"played": "A", "rules": "A", "ruled": "B"}


def test_R5_who_stop_before_the_target_have_no_winner() -> None:
    state = pad("60 30", option={"target": 100}).when("@ end match").judgement.state
    assert (state.ended, state.standing.winner) == ("agreed", "")


def test_R5_nothing_was_played_and_nobody_has_won() -> None:
    assert not given("pad", "@ end match", Seats="A").judgement.state.standing.winner
    assert given("pad", "A hand 1\n@ tally points.A=3\n@ end match", Seats="A").judgement.state.standing.winner == "A"


def test_R6_most_points_win_or_fewest() -> None:
    assert pad("6 3").when("@ end match").judgement.state.standing.winner == "A"
    assert pad("6 3", option=LOW).when("@ end match").judgement.state.standing.winner == "B"
    over = pad("60 -30", "40 10", option={**LOW, "target": 100}).judgement.state
    assert (over.ended, over.standing.winner) == ("won", "B")


def test_R6_who_are_level_share_the_match() -> None:
    case = pad("6 6").when("@ end match")
    assert (case.judgement.state.standing.winner, case.judgement.state.standing.over) == ("", True)
    assert "a tie between A and B, ended by agreement" in str(sheet_of(case.records).facts)
    assert pad("9 6 6", Seats="A B C", option=LOW).when("@ end match").judgement.state.standing.winner == ""


# -- who plays, and what it is called


@pytest.mark.parametrize("seats", [1, 2, 5, 10])
def test_so_many_may_sit_down(seats: int) -> None:
    named = opening("pad", seats=[f"Player {i}" for i in range(seats)])
    assert len(begin(named).terms.sides) == seats


def test_two_sit_down_if_nobody_is_named() -> None:
    assert begin({"Game": "pad"}).terms.seats == ("A", "B")
    with pytest.raises(UsageError, match="21 names, but Score pad is played by 1 to 20"):
        opening("pad", seats=[f"Player {i}" for i in range(21)])


def test_sides_are_as_the_table_says() -> None:
    five = {"Seats": "N E S W P", "N": "Ann", "P": "Pia", "option": {"sides": "NP ESW"}}
    case = given("pad", "W hand 1\n@ tally points.NP=5 points.ESW=-5", **five).clean().totals(NP=5, ESW=-5)
    assert case.judgement.state.terms.name("NP") == "Ann & Pia"
    case.when("@ tally points.N=3").finds("T10")


@pytest.mark.parametrize("sides", ["NS E", "NS EWW", "NSE SW", "NSX EW", "ns ew", "N"])
def test_sides_that_leave_a_seat_out_or_name_it_twice_are_refused(sides: str) -> None:
    with pytest.raises(UnreadableError, match=r"Option\.sides"):
        begin({"Game": "pad", "Seats": "N E S W", "Option": {"sides": sides}})
    with pytest.raises(UsageError, match="option sides"):
        opening("pad", seats={seat: seat for seat in "NESW"}, options={"sides": sides})


def test_the_sides_do_not_change_on_the_way() -> None:
    case = given("pad", "W hand 1\n@ tally points.NS=5 points.EW=2", Seats="N E S W", option={"sides": "NS EW"})
    changed = Recorded(n=3, event=Open(by="@", facts={"Option": {"sides": "NE SW"}}))
    judgement = judge([*case.records, changed])
    assert [f.text for f in judgement.broken] == [
        "these terms cannot be: the sides of a match do not change on the way"
    ]
    assert list(judgement.state.terms.sides) == ["NS", "EW"]


def test_the_title_is_what_the_match_is_called() -> None:
    """The option `title`: on the sheet, in the help, in a refusal."""
    case = pad("12 7", option={"title": "Doppelkopf"}, A="Ann", B="Ben")
    sheet = sheet_of(case.records)
    assert sheet.title == "Doppelkopf: Ann – Ben"
    assert ("Game", "Doppelkopf") in sheet.facts
    assert "House rules" not in dict(sheet.facts)
    assert case.when("@ tally tricks.A=3").about()[0].text == "Doppelkopf knows no fact 'tricks.A' in a tally"
    other = pad("12 7", option={"title": "Skat"}).when("@ tally tricks.A=3")
    assert other.about()[0].text == "Skat knows no fact 'tricks.A' in a tally"
    for title in ("Ramsch\nvon", " ", "x" * 41):
        with pytest.raises(UsageError, match="option title"):
            opening("pad", options={"title": title})


# -- at the table


def test_a_hand_in_ten_keys() -> None:
    """Figures in the order of the seats, with or without the word; the answer says how it stands."""
    session = recorded(Seats="N E S W")
    line = "12 7 -3 0"
    assert len(line) + 1 == 10
    assert typed(session, line).endswith("hand 1: N +12, E +7, S −3, W +0 → N 12, E 7, S −3, W 0")
    assert typed(session, "r +5 - −2 1").endswith("→ N 17, E ?, S −5, W 1")
    assert typed(session, "- 1 1 1").endswith("→ N ?, E ?, S −4, W 2")
    assert [
        r.event for r in recorded("result " + line, Seats="N E S W").records[1:]
    ] == [r.event for r in session.records[1:3]]


def test_a_figure_too_many_or_a_word_is_refused_at_its_place() -> None:
    session = recorded()
    for line, column, what in (
        ("1 2 3", 5, "'3' is one word too many"), ("result 1 x", 10, "'x' does not answer 'What did B win or lose?'"),
    ):
        with pytest.raises(NotationError) as caught:
            session.complete(line)
        assert (caught.value.column, caught.value.what) == (column, what)


@pytest.mark.parametrize("line", ["deal A=7h", "A play 7h", "show 7h", "7h", "A bid 7", "."])
def test_there_are_no_cards_to_write_down(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        recorded().complete(line)
    assert "result" in caught.value.expected


@pytest.mark.parametrize("words", ["result 12 8", "12 8", "r 12 8"])
def test_fix_tells_the_result_of_an_old_hand_anew(words: str) -> None:
    session = recorded("12 7", "4 4", "void")
    answer = typed(session, f"fix 2 {words} {{misread}}")
    assert answer == (
        "7  event 2 now says points B 8, and said points B 7; the rest of the result stands · hand 1: A "
        "+12, B +8 → A 16, B 12"
    )
    assert dict(session.state.standing.totals) == {"A": 16, "B": 12}
    assert session.records[-1].text == "misread"


@pytest.mark.parametrize("line", ["fix 1 12 8", "fix 0 12 8", "fix 9 12 8", "fix 2 1 2 3", "fix x 1 2"])
def test_fix_refuses_what_is_no_result(line: str) -> None:
    with pytest.raises(NotationError):
        recorded("12 7").complete(line)


def test_a_figure_by_itself_and_a_hand_taken_back() -> None:
    session = recorded("12 7")
    assert typed(session, "tally points.B=9").endswith("A +12, B +9 → A 12, B 9")
    assert typed(session, "end hand void").endswith("hand 1: void: A +0, B +0 → A 0, B 0")


@pytest.mark.parametrize("line", ["void", "misdeal", "result void"])
def test_a_hand_that_is_void_is_the_next_one(line: str) -> None:
    session = recorded("12 7")
    assert typed(session, line).endswith("A +0, B +0 → A 12, B 7")
    assert session.state.number == 2


def test_help_and_the_first_words_speak_of_results_alone() -> None:
    state = begin({"Game": "pad", "Seats": "N E S", "N": "Ann", "E": "Ben & Bo", "Option": {"title": "Skat"}})
    told = "\n".join([first_words(state), *help_lines(state), Session(log("pad", "", Seats="N E S")).expected()])
    assert f"`{result_example(state)}`" in told
    assert "Ann, Ben & Bo, S" in told
    for word in ("deal ", "trick", "card nobody", "bid", "dealt by", "Jh", "7h"):
        assert word not in told, word


# -- on paper


def test_the_dealer_is_on_the_sheet_if_the_table_says_who_deals_first() -> None:
    """If this failed, a table of Cribbage would not see whose crib it was; or a table that keeps no dealer would read a
    guess."""
    told = "B hand 1\n@ tally points.A=12 points.B=21\nA hand 2\n@ tally points.A=24 points.B=9"
    (block,) = sheet_of(given("pad", told, Seats="A B", B="Ned", Dealer="B").records).blocks
    assert block.columns == ("hand", "dealer", "A", "Ned")
    assert [row.cells[1].text for row in block.rows] == ["Ned", "A", ""]
    (block,) = sheet_of(given("pad", told, Seats="A B").records).blocks
    assert block.columns == ("hand", "A", "B")


def test_the_sheet_adds_up_in_columns() -> None:
    """A line with the totals after every fifth hand, the winner's last one bold, the notes of the hands below."""
    session = recorded(
        "12 7 {Ann held both}", "1 2", "3 4", "void", "5 6", "7 8", "end match", A="Ann", B="Ben", option=LOW,
    )
    (block,) = sheet_of(session.records).blocks
    assert block.columns == ("hand", "Ann", "Ben")
    assert [[c.text for c in row.cells] for row in block.rows] == [
        ["1", "12", "7"], ["2", "1", "2"], ["3", "3", "4"], ["4", "–", "–"], ["5", "5", "6"], ["", "21", "19"],
        ["6", "7", "8"], ["total", "28", "27"],
    ]  # fmt: skip
    assert [row.kind for row in block.rows] == ["", "", "", "", "", "rule", "", "total"]
    assert [cell.mark for cell in block.rows[-1].cells] == ["", "total", "won"]
    assert [cell.mark for cell in block.rows[5].cells] == ["", "total", "total"]
    assert block.rows[3].notes == ("void",)
    assert "Hand 1: Ann held both" in sheet_of(session.records).remarks
    for form in PLAIN:
        assert "28" in render(sheet_of(session.records), form)


def test_the_record_of_an_evening() -> None:
    """What a club kept: a figure mended, a misdeal, notes, a sum that is one too high and carried on."""
    records = read_kib((Path(__file__).parents[2] / "examples" / "pad-hearts.kib").read_text(encoding="utf-8")).records
    (found,) = check(records).broken
    assert "S at 54 (36 + 18 = 54); computed 53" in found.text
    score = score_match(records)
    assert (score.winner, score.totals) == ("W", {"N": 101, "E": 118, "S": 74, "W": 45})
    assert score.slips[0].carried == (9,)


def test_made_up_matches_end_whatever_was_agreed() -> None:
    for options in ({}, {"target": 50}, LOW):
        assert simulate("pad", seed=1, options=options) == simulate("pad", seed=1, options=options)
        assert sum(simulate("pad", seed=seed, options=options)[-1].n for seed in range(20)) > 100


# R7, what the points of a hand come to
HEARTS = {"wins": "low", "sum": "26"}


def test_R7_a_missing_figure_is_what_is_left_of_the_sum() -> None:
    four = given("pad", "", Seats="N E S W", option=HEARTS)
    four.when("@ tally points.E=14 points.N=3 points.S=9").clean().scores(N=3, E=14, S=9, W=0)
    four.when("@ tally points.E=14 points.N=3").scores(N=3, E=14, S=None, W=None)


def test_R7_another_sum_is_found_and_asked_about() -> None:
    lines = "@ tally points.N=31 points.E=4 points.S=1 points.W=8"
    wrong = given("pad", "", Seats="N E S W", option=HEARTS).when(lines).finds("R7", words="add up to 44, not to 26")
    with pytest.raises(NotationError, match="add up to 44, not to 26"):
        Session(given("pad", "", Seats="N E S W", option=HEARTS).records).complete("r 31 4 1 8")
    given("pad", "", Seats="N E S W", option={"wins": "low"}).when(lines).clean()
    assert wrong.judgement.state.standing.totals["N"] is None


def test_R7_a_sum_of_nought_may_be_agreed() -> None:
    given("pad", "", Seats="A B", option={"sum": "0"}).when("@ tally points.A=5").scores(A=5, B=-5)
    given("pad", "", Seats="A B", option={"sum": "0"}).when("@ tally points.A=5 points.B=-4").finds("R7")


# -- contracts, and players who go out

SKAT = {"made": "value", "failed": "-2*value"}
DOPPELKOPF = {"made": "value", "others": "minus", "sum": "0"}


def contracts(*told: str, option: dict[str, str], seats: str = "A B C") -> Given:
    """A pad on which these facts of contracts are told, one hand each."""
    order = seats.split()
    lines = "\n".join(f"{order[n % len(order)]} hand {n + 1}\n@ tally {facts}" for n, facts in enumerate(told))
    return given("pad", lines, Seats=seats, option=option)


def test_R8_a_contract_is_worth_what_was_agreed() -> None:
    contracts("declarer=B contract=clubs value=24 made=yes", option=SKAT).clean().scores(A=0, B=24, C=0)
    contracts("declarer=B contract=grand value=48 made=no", option=SKAT).clean().scores(A=0, B=-96, C=0)
    contracts("declarer=B value=10 made=no", option={"made": "value+50"}).scores(A=0, B=-60, C=0)
    contracts("declarer=B made=yes", option={"made": "50"}).scores(A=0, B=50, C=0)


def test_R8_partners_change_from_hand_to_hand() -> None:
    four = "A B C D"
    contracts(
        "declarer=A partner=C value=2 made=yes", option=DOPPELKOPF, seats=four,
    ).clean().scores(A=2, B=-2, C=2, D=-2)
    contracts(
        "declarer=A partner=B value=3 made=no", option=DOPPELKOPF, seats=four,
    ).clean().scores(A=-3, B=-3, C=3, D=3)
    contracts(
        "declarer=D contract=solo value=4 made=yes", option=DOPPELKOPF, seats=four,
    ).clean().scores(A=-4, B=-4, C=-4, D=12)


def test_R8_what_is_not_told_is_not_guessed() -> None:
    assert contracts("declarer=B value=24", option=SKAT).judgement.state.scores[-1].unknown
    assert contracts("value=24 made=yes", option=SKAT).judgement.state.scores[-1].unknown
    contracts("declarer=B value=24 made=yes points.A=5", option=SKAT).scores(A=5, B=24, C=0)
    assert contracts("declarer=B value=24 made=yes", option={}).judgement.state.scores[-1].unknown


def test_R8_the_sheet_and_the_season_say_who_declared_what() -> None:
    case = contracts(
        "declarer=B contract=clubs value=24 made=yes", "declarer=C contract=null value=23 made=no", option=SKAT,
    )
    text = render(sheet_of(case.records), "text")
    assert "B clubs 24" in text
    assert "failed" in text
    first, second = match_facts("m", case.records).hands
    assert (first.contract, first.side, first.made, second.made) == ("clubs 24", "B", True, False)


@pytest.mark.parametrize("formula", ["value*2", "2*", "bid", "value-", "1+1", "__import__"])
def test_a_formula_that_says_nothing_is_refused(formula: str) -> None:
    with pytest.raises(UsageError, match="made"):
        opening("pad", seats=["A", "B", "C"], options={"made": formula})


def test_R9_whoever_comes_to_so_many_points_is_out() -> None:
    told = ("points.A=60 points.B=5 points.C=7", "points.B=10 points.C=50")
    case = contracts(*told, option={"out_at": "50", "wins": "low"})
    state = case.scores(A=0, B=10, C=50).totals(A=60, B=15, C=57).judgement.state
    assert (state.ended, state.standing.winner) == ("won", "B")
    assert contracts(told[0], option={"out_at": "50"}).judgement.state.ended == ""
