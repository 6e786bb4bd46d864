"""The table of a season: measures, formulas, best evenings, and what it looks like on paper."""

from __future__ import annotations

import csv
import io
import re
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples

from events.errors import UnreadableError, UsageError
from events.season_sums import LeftOutRow
from replay.paper.formats import SEASON
from replay.season import page, ratings
from replay.season.formula import FIELDS, figures_named, measure, parse_best, worth
from replay.season.settlement import parse_amount, settled
from replay.season.table import Season, SeasonRequest, season_tables
from replay.season.tie_breaks import parse_ties
from replay.season.victory_points import parse_victory_table

EVIL = "<b>Ann\x1b[31m\u202e & =1+1"


def played(who: int, game: str, day: str, matches: int, won: int, points: int = 0, **more: Any) -> Any:
    """What somebody did in a game on a day."""
    figures = {
        "lost": matches - won, "hands": 4 * matches, "hands_won": won, "unknown": 0, "made": won, "failed": 0,
        "difference": 0, "vp": 0, "chips": points, "kind": "", **more,
    }
    return SimpleNamespace(who=who, game=game, day=day, matches=matches, won=won, points=points, **figures)


def standings(rows: list[Any], **more: Any) -> Any:
    """Sums as an index would hand them over."""
    people = {1: ("Ann", "p1"), 2: ("Bo", ""), 3: (EVIL, "")}
    games: dict[str, tuple[str, int, int]] = {}
    for row in rows:
        name, n, way = games.get(row.game, (row.game.title(), 0, -1 if row.game == "yaniv" else 1))
        games[row.game] = (name, n + row.won, way)
    given = {
        "runs": {}, "whole_runs": {}, "pairs": [], "met": [], "breaches": {}, "left_out": [], "large": False,
        "adjusted": [], "feats": [], "clean": [], **more,
    }
    return SimpleNamespace(played=sorted(rows, key=lambda r: r.day), people=people, games=games, **given)


def asked(by: str = "matches", formula: str = "", best: str = "", **more: Any) -> SeasonRequest:
    return SeasonRequest("League", measure(by, formula), parse_best(best), **more)


ROWS = [
    played(1, "kaiser", "2026-01-01", 3, 3, 100), played(1, "kaiser", "2026-01-08", 2, 0, 10),
    played(1, "scopa", "2026-01-08", 1, 1, 11), played(2, "kaiser", "2026-01-01", 3, 0, 40),
    played(2, "kaiser", "2026-01-08", 2, 2, 60), played(2, "scopa", "2026-01-15", 2, 2, 22),
]  # fmt: skip


def figures(made: Season) -> list[list[tuple[int, str, float]]]:
    return [[(row.place, row.name, row.figure) for row in table.rows] for table in made.tables]


def test_a_season_with_an_undated_match_runs_from_its_first_dated_day() -> None:
    """If this failed, the head of the table would begin with a dash, and no day before it."""
    season = season_tables(standings([played(1, "kaiser", "", 1, 1), *ROWS[:2]]), asked())
    assert (season.first, season.last) == ("2026-01-01", "2026-01-08")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (asked(), [[(1, "Ann", 4), (1, "Bo", 4)]]),
        (asked("share"), [[(1, "Ann", 0.666667), (2, "Bo", 0.571429)]]),
        (asked("points"), [[(1, "Ann", 110), (2, "Bo", 100)], [(1, "Bo", 22), (2, "Ann", 11)]]),
        (asked("points-a-hand"), [[(1, "Ann", 5.5), (2, "Bo", 5)], [(1, "Ann", 2.75), (1, "Bo", 2.75)]]),
        (asked("matches", best="1"), [[(1, "Ann", 3), (2, "Bo", 2)]]),
        (asked("matches", best="2/2"), [[(1, "Ann", 4), (2, "Bo", 2)]]),
        (asked(formula="3*won - evenings + max(lost, 1)"), [[(1, "Bo", 12), (2, "Ann", 12)]]),
    ],
)
def test_a_table_is_ordered_by_what_was_asked(
    wanted: SeasonRequest, expected: list[list[tuple[int, str, float]]],
) -> None:
    """If this failed, the wrong player would lead."""
    made = figures(season_tables(standings(ROWS), wanted))
    if wanted.measure.name == "formula":
        assert {(name, figure) for _, name, figure in made[0]} == {(name, figure) for _, name, figure in expected[0]}
    else:
        assert made == expected


def test_where_the_lowest_total_wins_it_leads() -> None:
    """If this failed, whoever plays worst, or seldom, would lead a season of Yaniv."""
    rows = [
        played(1, "yaniv", "2026-01-01", 4, 3, 100), played(2, "yaniv", "2026-01-01", 1, 0, 60),
        played(1, "yaniv", "2026-01-08", 1, 1, 5),
    ]
    made = season_tables(standings(rows), asked("points"))
    assert figures(made) == [[(1, "Ann", 21), (2, "Bo", 60)]]
    assert made.tables[0].lowest
    assert "points a match" in " ".join(made.notes)
    best = made.tables[0].rows[0].best
    assert best is not None
    assert best.day == "2026-01-08"
    assert figures(season_tables(standings(rows), asked("points", best="1"))) == [[(1, "Ann", 5), (2, "Bo", 60)]]


def test_runs_breaches_pairs_and_meetings() -> None:
    more = {
        "whole_runs": {1: "wwlwwwd", 2: "llwll"}, "breaches": {(1, "kaiser"): 2, (1, "scopa"): 1},
        "pairs": [(1, 2, "kaiser", 2, 1, 8, 30, 0, 3, 1), (1, 2, "scopa", 1, 1, 2, 11, 1, 0, 0)],
        "met": [(1, 2, "kaiser", 3, 2, 1), (1, 2, "scopa", 1, 0, 0)],
        "left_out": [LeftOutRow("m1", "Kaiser", "2026-01-02", "a trial")],
    }  # fmt: skip
    made = season_tables(standings(ROWS, **more), asked())
    table = made.tables[0]
    by_name = {row.name: row for row in table.rows}
    assert [(row.streak, row.now) for row in (by_name["Ann"], by_name["Bo"])] == [(3, 0), (1, -2)]
    assert all(row.breaches is None for row in table.rows), "private unless asked for"
    assert [(p.names, p.matches, p.won, p.points, p.average) for p in table.pairs] == [(("Ann", "Bo"), 3, 2, 41, None)]
    assert [(m.matches, m.won) for m in table.met] == [(4, (2, 1))]
    told = season_tables(standings(ROWS, **more), asked(breaches=True)).tables[0].rows
    assert {row.name: row.breaches for row in told} == {"Ann": 3, "Bo": 0}
    assert made.unlinked == ("Bo",)
    assert "Not counted, a trial: m1." in page.written_season(made, "text").decode()


def test_the_page_of_a_player_is_told_from_that_player() -> None:
    """If this failed, a player would read what an opponent won as what was won against them."""
    more = {
        "whole_runs": {1: "wwlwwwd", 2: "llwll"},
        "pairs": [(1, 2, "kaiser", 2, 1, 8, 30, 0, 3, 1), (2, 3, "kaiser", 1, 0, 4, 9, 0, 1, 0)],
        "met": [(1, 2, "kaiser", 4, 2, 1), (2, 3, "scopa", 1, 1, 0)],
    }  # fmt: skip
    whole = season_tables(standings(ROWS, **more), asked())
    made = season_tables(standings(ROWS, **more), asked(only=2))
    assert (made.player, whole.player) == ("Bo", "")
    assert [table.game for table in made.tables] == ["", "kaiser", "scopa"]
    assert [(row.place, row.name) for table in made.tables for row in table.rows] == [(1, "Bo"), (2, "Bo"), (1, "Bo")]
    assert [table.players for table in made.tables] == [2, 2, 2]
    assert [(p.names[1], p.won) for p in made.tables[0].pairs] == [("Ann", 1), (EVIL, 0)]
    assert [(m.names, m.won) for m in made.tables[0].met] == [(("Bo", "Ann"), (1, 2)), (("Bo", EVIL), (1, 0))]
    assert any("somebody else did" in note for note in made.notes), "one of the four was won by nobody of the two"
    text = page.written_season(made, "text").decode()
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "All games 1 of 2 7 4 3 57 – – 4 of 4 2026-01-15: 2 –" in lines
    assert "Kaiser 2 of 2 5 2 3 40 100 5.00 2 of 2 2026-01-08: 2 –" in lines
    assert "Ann 4 1 2" in lines
    assert "Names that are linked" not in text
    assert text.count("linked to no player") == 1
    html = page.written_season(made, "html").decode()
    assert "7 matches" in html
    assert "<h2>Opponents</h2>" in html


EQUAL = [
    played(1, "kaiser", "2026-01-01", 3, 2, 10, difference=5),
    played(2, "kaiser", "2026-01-01", 3, 2, 10, difference=9), played(3, "kaiser", "2026-01-01", 2, 2, 7, difference=1),
    played(3, "kaiser", "2026-01-08", 1, 0, 3, difference=-8),
]  # fmt: skip


@pytest.mark.parametrize(
    ("ties", "places", "broken"),
    [
        ("", [1, 1, 1], []), ("wins", [1, 1, 1], []), ("difference", [2, 1, 3], ["Bo, Ann, Cy: points difference"]),
        ("best-evening", [1, 1, 3], ["Ann, Bo, Cy: best evening"]),
        ("head-to-head", [3, 1, 1], ["Bo, Cy, Ann: head to head"]),
        ("best-evening,head-to-head", [2, 1, 3], ["Ann, Bo, Cy: best evening", "Bo, Ann: head to head"]),
        ("all", [3, 1, 2], ["Bo, Cy, Ann: head to head", "Bo, Cy: points difference"]),
    ],
)  # fmt: skip
def test_ties_are_broken_in_the_stated_order(ties: str, places: list[int], broken: list[str]) -> None:
    """If this failed, the cup would go to the wrong one of two who are equal."""
    found = standings(EQUAL, met=[(1, 2, "kaiser", 3, 1, 2), (2, 3, "kaiser", 2, 1, 1), (1, 3, "kaiser", 1, 0, 1)])
    found.people[3] = ("Cy", "")
    made = season_tables(found, asked("points", ties=parse_ties(ties)))
    table = made.tables[0]
    assert {row.name: row.place for row in table.rows} == dict(zip(("Ann", "Bo", "Cy"), places, strict=True))
    assert list(table.broken) == broken
    assert [row.place for row in table.rows] == sorted(places)
    assert bool(ties) == any("ordered by" in note for note in made.notes)


def test_a_group_that_was_split_is_looked_at_again_from_the_first() -> None:
    """If this failed, two who are left would share a place, though one of them beat the other."""
    found = standings(EQUAL, met=[(1, 2, "kaiser", 2, 2, 0), (2, 3, "kaiser", 1, 1, 0)])
    table = season_tables(found, asked("points", ties=("head-to-head",))).tables[0]
    assert [row.name for row in table.rows] == ["Ann", "Bo", EVIL]
    assert [row.place for row in table.rows] == [1, 2, 3]


def test_a_bye_is_no_best_evening() -> None:
    rows = [*ROWS, played(2, "kaiser", "2026-01-22", 0, 0, 99, kind="bye")]
    best = {row.name: row.best for row in season_tables(standings(rows), asked("points")).tables[0].rows}["Bo"]
    assert best is not None
    assert best.day == "2026-01-08"


def test_the_directors_decisions_are_in_the_figures_with_their_reasons() -> None:
    """If this failed, a bye would be an evening for nothing, or a point would be taken without anybody knowing why."""
    rows = [
        *ROWS, played(2, "kaiser", "2026-01-22", 0, 0, 30, lost=0, kind="bye"),
        played(1, "kaiser", "2026-01-22", 0, 0, kind="absent"),
        played(1, "kaiser", "2026-01-08", 0, 0, -7, kind="adjusted"),
    ]
    decided = [
        SimpleNamespace(
            label="Ann", game="kaiser", day="2026-01-08", kind="adjusted", figures={"points": -7}, why="late", n=1,
        ),
        SimpleNamespace(label="Bo", game="scopa", day="", kind="bye", figures={}, why="", n=2),
    ]
    made = season_tables(standings(rows, adjusted=decided), asked("points", best="2", grid=True))
    table = made.tables[0]
    assert [(row.name, row.figure, row.points) for row in table.rows] == [("Ann", 103, 103), ("Bo", 100, 130)]
    assert [one.why for one in table.adjusted] == ["late"]
    lines = [" ".join(line.split()) for line in page.written_season(made, "text").decode().splitlines()]
    assert "Ann 100 3* e 103" in lines
    assert "Bo 40 60 (30)b 100" in lines
    assert "Ann 2026-01-08 adjusted points −7 late" in lines


def test_records_name_all_who_hold_them() -> None:
    more = {
        "feats": [("kaiser", "best hand", 21, "2026-01-01", "k1", 2, "Ann & Bo")], "whole_runs": {1: "ww", 2: "lww"},
        "runs": {(1, "kaiser"): "ww", (2, "kaiser"): "lww"}, "clean": [(1, "kaiser", 12), (2, "scopa", 3)],
    }
    made = season_tables(standings(ROWS, **more), asked("points", records=True))
    assert [(one.what, one.names, one.figure) for one in made.tables[0].records] == [
        ("best hand", "Ann & Bo", "21"), ("longest run of matches won", "Ann, Bo", "2"),
        ("most hands without a finding", "Ann", "12"),
    ]
    assert "2026-01-01, k1, hand 2" in page.written_season(made, "html").decode()


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=7), st.integers(0, 300), st.integers(0, 300))
@examples(60, deadline=None)
def test_chips_are_settled_to_the_last_cent(won: list[int], dues: int, stake: int) -> None:
    """If this failed, somebody would pay what nobody gets."""
    chips = {str(i): n for i, n in enumerate([*won, -sum(won)])}
    made = settled(dict.fromkeys(chips, 3), chips, dues, stake)
    left = {one.name: one.worth for one in made.accounts}
    for payment in made.payments:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert set(left.values()) == {0}
    assert len(made.payments) < len(chips)
    assert not {payment.payer for payment in made.payments} & {payment.payee for payment in made.payments}
    assert made.dues == 3 * dues * len(chips)


def test_points_that_are_no_chips_are_not_settled() -> None:
    with pytest.raises(UsageError, match="comes to 210"):
        season_tables(standings(ROWS), asked("points", stake=5))
    for text in ("x", "-1", "0.005", "1e99"):
        with pytest.raises(UsageError, match="no amount"):
            parse_amount(text, "dues")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not end"), ("50,10,10", "does not end"), ("50,10\n,20,0", "row 1"),
        ("50,10,10\n40,11,9\n,20,0", "do not grow"), (",20,0\n50,1,1", "do not grow"), ("fifty,10,10\n,20,0", "no step")
    ],
)  # fmt: skip
def test_a_table_of_victory_points_has_to_be_one(text: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        parse_victory_table(text)


def test_the_example_gives_twenty_points_a_match() -> None:
    """If this failed, a pair of Burraco would get more or less than its opponents leave it."""
    table = parse_victory_table((Path(__file__).parents[2] / "examples" / "burraco-vp.csv").read_text(encoding="utf-8"))
    assert [table.points(n) for n in (0, 50, 55, -55, 1500, 1505, -1505)] == [10, 10, 11, 9, 19, 20, 0]
    assert all(table.points(n) + table.points(-n) == 20 for n in range(0, 3000, 5))


def test_a_long_season_is_printed_in_parts_that_fit_a_page() -> None:
    """If this failed, the evenings of a winter would be printed over each other."""
    pypdf, _ = pytest.importorskip("pypdf"), pytest.importorskip("typst")
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 5) for day in range(1, 10)]
    made = season_tables(standings([played(1, "kaiser", day, 1, 1, 250) for day in days]), asked("points", grid=True))
    (paper,) = pypdf.PdfReader(io.BytesIO(page.written_season(made, "pdf"))).pages
    heads = [line for line in paper.extract_text().splitlines() if line.startswith("Evening by evening")]
    assert heads == ["Evening by evening 2026", *["Evening by evening 2026, continued"] * 2]
    assert "To know" in paper.extract_text()


def test_half_points_add_up_exactly() -> None:
    """If this failed, ten tenths of a victory point would not be one, or a half be lost in a sum."""
    table = parse_victory_table("10,10.3,9.7\n20,12.5,7.5\n,20,0")
    assert [table.points(n) for n in (0, 5, -5, 20, 21)] == [10, 10.3, 9.7, 12.5, 20]
    rows = [played(1, "kaiser", f"2026-01-{d:02}", 1, 1, 7, vp=10.1) for d in range(1, 11)]
    decided = [
        SimpleNamespace(
            label="Ann", game="kaiser", day="2026-01-11", kind="adjusted", figures={"vp": -0.5}, why="late", n=1,
        )
    ]
    late = played(1, "kaiser", "2026-01-11", 0, 0, 0, vp=-0.5, kind="adjusted")
    made = season_tables(standings([*rows, late], adjusted=decided), asked("vp", grid=True))
    row = made.tables[0].rows[0]
    assert (row.vp, row.figure, row.evenings[-1].figure) == (100.5, 100.5, -0.5)
    lines = [" ".join(line.split()) for line in page.written_season(made, "text").decode().splitlines()]
    assert "Ann 2026-01-11 adjusted vp −0.5 late" in lines
    assert any(line.startswith("1. Ann 100.50 ") for line in lines)


def test_an_unknown_total_is_in_no_sum() -> None:
    """If this failed, a hand nobody saw would count as nothing."""
    made = season_tables(standings([played(1, "kaiser", "2026-01-01", 2, 1, 52, unknown=1)]), asked("points"))
    row = made.tables[0].rows[0]
    assert (row.points, row.unknown, row.average, row.evenings[0].points) == (52, 1, None, None)
    assert "52 + ?" in page.written_season(made, "text").decode()


@pytest.mark.parametrize("format", ["text", "md", "html", "csv"])
def test_a_hostile_name_stays_a_name(format: str) -> None:
    """If this failed, a name could become markup, a formula, or move the cursor of a terminal."""
    rows = [*ROWS, *(played(3, "kaiser", f"2026-02-{d:02}", 1, 1, 9) for d in range(1, 9))]
    more = {"met": [(1, 3, "kaiser", 1, 1, 0)], "pairs": [(2, 3, "kaiser", 1, 1, 1, 1, 0, 0, 0)]}
    text = page.written_season(season_tables(standings(rows, **more), asked()), format).decode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    if format == "html":
        assert "<b>Ann" not in text
        assert "&lt;b&gt;Ann" in text
        # The course, wide and narrow, a sample of each line, and the evenings of each.
        assert text.count("<svg") == 2 + 3 + 3
        assert not re.search(r"<script|https?://(?!www\.w3\.org)|url\(", text)
    if format == "csv":
        found = list(csv.reader(io.StringIO(text)))
        assert [len(row) for row in found] == [len(page.COLUMNS)] * 4
        assert found[1][2].startswith("<b>Ann")


def test_a_name_is_no_formula_of_a_spreadsheet() -> None:
    made = standings([played(1, "kaiser", "2026-01-01", 1, 1)])
    made.people[1] = ("=HYPERLINK(1)", "")
    found = season_tables(made, asked())
    assert "'=HYPERLINK(1)" in page.season_as_csv(found)
    book = openpyxl.load_workbook(io.BytesIO(page.season_as_xlsx(found)))
    cell = book["Players"]["C2"]
    assert (cell.value, cell.data_type) == ("=HYPERLINK(1)", "s")


def test_the_workbook_has_the_figures_as_numbers() -> None:
    more = {
        "pairs": [(1, 2, "kaiser", 2, 1, 8, 30, 0, 3, 1)], "met": [(1, 2, "kaiser", 3, 2, 1)],
        "left_out": [LeftOutRow("m1", "Kaiser", "", "a trial")],
    }
    made = season_tables(standings(ROWS, **more), asked("points", ratings={("kaiser", 1): (27.0, 5.0, 3)}))
    book = openpyxl.load_workbook(io.BytesIO(page.season_as_xlsx(made)))
    assert book.sheetnames == ["Players", "Evenings", "Pairs", "Head to head", "Not counted"]
    first = dict(zip(page.COLUMNS, (cell.value for cell in book["Players"][2]), strict=True))
    assert (first["table"], first["player"], first["points"], first["rating"]) == ("kaiser", "Ann", 110, 12)
    asked_for = season_tables(
        standings(
            [played(1, "kaiser", "2026-01-01", 1, 1, 30), played(2, "kaiser", "2026-01-01", 1, 0, -30)],
            adjusted=[
                SimpleNamespace(
                    label="Ann", game="kaiser", day="2026-01-01", kind="bye", figures={"points": 2}, why="odd", n=3,
                )
            ]
        ),
        asked("points", dues=250, stake=5),
    )
    more_pages = openpyxl.load_workbook(io.BytesIO(page.season_as_xlsx(asked_for)))
    assert [cell.value for cell in more_pages["Decisions"][2]] == [
        "kaiser", "2026-01-01", "Ann", "bye", "points=+2", "odd",
    ]
    assert [cell.value for cell in more_pages["Accounts"][2]] == ["kaiser", "Ann", 1, 2.5, 30, 1.5, -1]
    assert [cell.value for cell in more_pages["Payments"][2]] == ["kaiser", "Bo", "Ann", 1.5]
    assert sum(row[7].value for row in book["Evenings"].iter_rows(min_row=2)) == 110 + 100 + 11 + 22


@pytest.mark.parametrize(
    "formula",
    ["", "won +", "won; lost", "__import__('os')", "won.real", "wins", "won ** 9", "'a' * 9", "[won]",
     "won if lost else 1", "max(won)", "f(1)", "9" * 300,
     "(" * 100 + "1" + ")" * 100, "-" * 199 + "1", "1 +" * 60 + "1", "won\x00", "True", "max(*won, 1)", "abs(won, 1)",
     "9999999999"],
)  # fmt: skip
def test_a_formula_that_is_no_arithmetic_is_refused(formula: str) -> None:
    """If this failed, a formula could run something, or take for ever."""
    with pytest.raises(UsageError):
        figures_named(formula) if formula else measure("", formula)


@given(st.text(max_size=60))
@examples(60, deadline=None)
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    with suppress(UsageError):
        worth(text, dict.fromkeys(FIELDS, 3.0))


@given(*[st.integers(-50, 50)] * 3)
@examples(40, deadline=None)
def test_a_formula_is_worth_what_arithmetic_says(won: int, lost: int, points: int) -> None:
    said = {"won": won, "lost": lost, "points": points}
    assert worth(
        "2*won - lost/4 + min(points, -won, 7)", said,
    ) == pytest.approx(2 * won - lost / 4 + min(points, -won, 7))
    assert worth("points/won", said) == pytest.approx(points / won if won else 0)


@pytest.mark.parametrize("text", ["0", "x", "3/2", "1/0", "-1", "1.5", "99999", "/", "1/"])
def test_how_many_evenings_count_has_to_be_a_number(text: str) -> None:
    with pytest.raises(UsageError):
        parse_best(text)


def test_a_season_of_nothing_says_nothing() -> None:
    made = season_tables(standings([]), asked())
    assert figures(made) == [[]]
    for format in SEASON:
        assert page.written_season(made, format)
    with pytest.raises(UsageError):
        page.written_season(made, "docx")


def test_whoever_wins_is_rated_higher() -> None:
    """If this failed, the places of a match would count the wrong way round."""
    found = ratings.rate(
        [[([1], 1), ([2], 2), ([3], 3)], [([1], 1), ([2], 2), ([3, 3], 3)], [([1], 1)], [([2], 1), ([3], 1), ([1], 1)]]
    )
    assert found[1][0] > found[2][0] > found[3][0]
    assert [found[who][2] for who in (1, 2, 3)] == [2, 2, 2], "two on one chair, and a table of one, say nothing"
