"""Who has won: one, several together, a tie of all, nobody, or nobody can say; the same wherever it is told."""

from __future__ import annotations

import pytest
from given import log
from sampling import each_game

from cli.text_output import score_lines
from events import read_kib
from events.model import End, Recorded
from reducers.registry import PAGES, find_game
from reducers.scoring import leaders_by_total
from replay.fold import fold
from replay.paper.sheet import sheet_of
from replay.scoring.three_ways import score_match
from replay.season.facts import match_facts
from replay.simulate import simulate
from replay.table.event_sentences import how_it_ended
from replay.table.frame import frame
from replay.table.picture import render_frame
from replay.viewer.document import document

PAY_ME = '%kib 1\n[Game "pay-me"]\n[Seats "A B C"]\nC hand 1\n@ tally out=A deadwood.B={} deadwood.C={}\n'
YANIV = (
    '%kib 1\n[Game "yaniv"]\n[Seats "A B C"]\n[Option.out_above "20"]\n[Option.resets "none"]\n[Option.penalty "1"]\n'
    "C hand 1\n@ tally caller=B total.A=21 total.B=0 total.C=20\nB hand 2\n@ tally caller=B total.B=25 total.C={}\n"
)
MATTIS = (
    '%kib 1\n[Game "mattis"]\n[Seats "A B C"]\n[Option.games "2"]\nC hand 1\n@ tally mattis=A\nA hand 2\n@ '
    'tally mattis={}\n'
)
PAD = '%kib 1\n[Game "pad"]\n[Seats "A B C"]\nC hand 1\n@ tally points.A=5 points.B={} points.C={}\n'
KAISER = (
    '%kib 1\n[Game "kaiser"]\n[N "Ann"]\n[E "Bea"]\n[S "Cleo"]\n[W "Dora"]\nW hand 1\n@ tally points.NS={} '
    'points.EW={}\n'
)
CASES = {
    "one": (PAY_ME.format(5, 10) + "@ end match late\n", ("A",), "A won the match"),
    "two of three": (PAY_ME.format(0, 10) + "@ end match late\n", ("A", "B"), "A and B won the match together"),
    "a tie of all": (
        PAY_ME.format(0, 0) + "@ end match late\n", ("A", "B", "C"), "the match is a tie between A, B and C",
    ),
    "broken off": (PAY_ME.format(0, 10) + "@ end match\n", (), "the match ended without a winner"),
    "void": (PAY_ME.format(0, 10) + "@ end match void\n", (), "the match ended without a winner"),
    "void on a pad": (PAD.format(4, 3) + "@ end match void\n", (), "the match ended without a winner"),
    "level on a pad": (PAD.format(5, 3) + "@ end match\n", ("A", "B"), "A and B won the match together"),
    "the agreed hands": (
        KAISER.replace("W hand", '[Option.hands "1"]\nW hand').format(5, 5), ("NS", "EW"),
        "the match is a tie between Ann & Cleo and Bea & Dora",
    ),
    "nobody wins a match of Mattis": (MATTIS.format("B"), (), "the match ended without a winner"),
    "whoever lost": (MATTIS.format("A"), (), "the match ended without a winner"),
}


def whom(winner: str, together: tuple[str, ...]) -> tuple[str, ...]:
    """All who won."""
    return (winner,) if winner else tuple(together)


@pytest.mark.parametrize("case", CASES)
def test_who_won_is_the_same_wherever_it_is_told(case: str) -> None:
    """Standing, score, sheet, picture, viewer and season name the same winners; several are several, and a tie is a
    tie."""
    text, winners, said = CASES[case]
    log = read_kib(text).records
    state, score, shown, season = fold(log), score_match(log), document(log), match_facts("m", log)
    assert whom(state.standing.winner, state.standing.winners) == winners
    assert whom(score.winner, score.together) == winners
    assert whom(shown["winner"], shown["together"]) == winners
    assert how_it_ended(state).startswith(said)
    assert any(said in line for line in render_frame(frame(state)).splitlines())
    told = list(score_lines(score))
    tie = len(winners) == len(score.totals)
    assert any(said.replace("the match is ", "") in line for line in told), told
    result = dict(sheet_of(log).facts)["Result"]
    assert result.startswith("a tie between" if tie else "no winner" if not winners else said.split(" the match")[0])
    assert {side.side for side in season.sides if side.won} == (set() if tie else set(winners))


@pytest.mark.parametrize(("c", "winners"), [(6, ("B", "C")), (5, ("C",)), (7, ("B",))])
def test_the_last_players_who_go_out_level_share_the_win(c: int, winners: tuple[str, ...]) -> None:
    """Who went out before them has fewer points, and has not won all the same."""
    standing = fold(read_kib(YANIV.format(c)).records).standing
    assert standing.totals == {"A": 21, "B": 26, "C": 20 + c}
    assert whom(standing.winner, standing.winners) == winners


def test_a_winner_who_hangs_on_an_unknown_total_is_open() -> None:
    """Nobody is said to have won, and nobody to have won nothing."""
    text = '%kib 1\n[Game "pay-me"]\n[Seats "A B C"]\n[Option.hands "1"]\nC hand 1\n@ tally out=A deadwood.B=0\n'
    log = read_kib(text).records
    assert whom(score_match(log).winner, score_match(log).together) == ()
    assert dict(sheet_of(log).facts)["Result"].startswith("who won hangs on the total of C")
    assert [side.won for side in match_facts("m", log).sides] == [None, None, None]


@each_game(tuple(PAGES), short=8)
def test_a_match_ended_with_a_reason_is_won_by_the_better_total(game: str) -> None:
    """Whatever the game, after a hand or two: those with the best total have won, alone or together."""
    page = find_game(game)
    for seed in (1, 2):
        log = simulate(game, seed=seed, hands=2)
        state = fold(log)
        if state.ended:
            continue
        over = fold([*log, Recorded(n=len(log), event=End(by="@", what="match", why="late"))])
        best = leaders_by_total(over.standing.totals, fewest=page.match.fewest_lead(over.terms))
        assert whom(over.standing.winner, over.standing.winners) == (
            tuple(best) if len(over.standing.totals) > 1 else ()
        )
        assert over.standing.over == bool(best and len(over.standing.totals) > 1)


@each_game(tuple(PAGES), short=8)
def test_a_match_that_was_played_out_has_one_winner_or_several(game: str) -> None:
    """A winner alone is never among several, and several are at least two of the match."""
    standing = fold(simulate(game, seed=4)).standing
    assert not (standing.winner and standing.winners)
    assert len(standing.winners) != 1
    assert set(standing.winners) <= {*standing.totals}


def test_who_has_won_a_match_ended_as_it_stands_hangs_on_an_unknown_total() -> None:
    """If this failed, a match that the table ended for want of time would be drawn in a season because a figure is
    missing."""
    lines = "A hand 1\n@ tally points.A=5{}\n@ end match late"
    open_, known = (log("pad", lines.format(told)) for told in ("", " points.B=3"))
    assert score_match(open_).hangs_on == ("B",)
    assert how_it_ended(fold(open_)) == "who won hangs on the total of B"
    assert "who won hangs on the total of B" in dict(sheet_of(open_).facts)["Result"]
    assert not match_facts("m", open_).over
    assert score_match(known).hangs_on == ()
    assert match_facts("m", known).winner == "A"
