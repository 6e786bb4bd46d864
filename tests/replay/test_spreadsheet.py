"""Results out of a spreadsheet: each row a hand or a match in the notation, and every row that cannot be read is
named."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import a_few, examples

from events.errors import KibitzError, UnreadableError, UsageError
from events.kib import read_kib
from reducers.registry import find_game
from replay.read_log import ReadLog, read_log
from replay.scoring.three_ways import official_score, score_match
from replay.season.bgstats import play_file
from replay.season.facts import match_facts
from replay.season.spreadsheet import (
    Made,
    Mapped,
    RowFault,
    describe_columns,
    doubt,
    guessed,
    passed_over,
    read_results,
    table_fingerprint,
)
from replay.season.table_cells import cells_of, head_at, heads_of, orders_of, read_day

KAISER = Mapped(
    "kaiser",
    {
        "match": "Nr", "date": "Day", "N": "North", "E": "East", "S": "South", "W": "West", "declarer": "Who",
        "level": "Bid", "tricks.NS": "Tr", "five": "5", "three": "3",
    },
)
HEADS = "Nr,Day,North,East,South,West,Who,Bid,Tr,5,3"


def read(text: str, mapped: Mapped = KAISER, book: str = "b") -> tuple[list[Made], list[RowFault]]:
    return read_results(cells_of(text.encode()), mapped, book)


def test_rows_of_one_match_are_its_hands() -> None:
    """If this failed, an evening of twelve hands would become twelve matches, or score otherwise than it was played."""
    rows = [
        "1,2025-11-04,Ann,Bo,Cy,Di,NS,7,7,NS,EW", "2,2025-11-04,Ann,Bo,Cy,Di,EW,8,1,EW,NS",
        "1,2025-11-04,Ann,Bo,Cy,Di,E,6,2,EW,NS",
    ]
    made, faults = read("\n".join([HEADS, *rows]))
    assert faults == []
    assert [one.rows for one in made] == [(2, 4), (3,)]
    score = score_match(made[0].records)
    assert (len(score.hands), score.names["N"], score.ended) == (2, "Ann", "agreed")
    assert made[0].lines[1] == "2. @ tally declarer=NS five=NS level=7 three=EW tricks.NS=7"
    # What is added later goes on with the same match.
    later, _ = read("\n".join([HEADS, rows[0]]))
    assert later[0].match == made[0].match
    assert made[0].records[:3] == later[0].records[:3]
    assert read("\n".join([HEADS, rows[0]]), book="other")[0][0].match != made[0].match


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("1,2025-11-04,Ann,Bo,Cy,Di,NS,7,77,NS,EW", "0 to 8"), ("1,2025-11-04,Ann,Bo,Cy,Di,NS,,,,", "do not follow"),
        ("1,2025-13-04,Ann,Bo,Cy,Di,NS,7,7,NS,EW", "not a day"), ("1,3/4/2025,Ann,Bo,Cy,Di,NS,7,7,NS,EW", "--dates"),
        ("1,2025-11-04,Ann,Bo,Ann,Di,NS,7,7,NS,EW", "two places"),
        (",2025-11-04,Ann,Bo,Cy,Di,NS,7,7,NS,EW", "to which match"), ("1,2025-11-04,Ann,Bo,Cy,Di,XX,7,7,NS,EW", "XX"),
        ("1,2025-11-04,Ann,Bo,Cy,Di,NS,7,7,NS,EW,9", "12 cells"), ("1,2025-11-04,A\u202enn,Bo,Cy,Di,NS,7,7,NS,EW", ""),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_is_named_and_the_others_are_read(row: str, why: str) -> None:
    """If this failed, one typing error would keep a season out, or come in as a result."""
    made, faults = read("\n".join([HEADS, row, "9,2025-11-04,Ann,Bo,Cy,Di,NS,7,7,NS,EW"]))
    assert [one.rows for one in made] == [(3,)]
    assert [fault.row for fault in faults] == [2]
    assert why in faults[0].why


def test_a_later_row_must_not_say_otherwise_who_played() -> None:
    rows = ["1,2025-11-04,Ann,Bo,Cy,Di,NS,7,7,NS,EW", "1,2025-11-04,Ann,Bo,Cy,Eve,NS,7,7,NS,EW"]
    made, faults = read("\n".join([HEADS, *rows]))
    assert ([one.rows for one in made], [f.row for f in faults]) == ([(2,)], [3])
    assert "its players or its day differ" in faults[0].why


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("14.3.2026", "", "2026-03-14"), ("2026/3/14", "", "2026-03-14"), ("3/4/2026", "dmy", "2026-04-03"),
        ("3/4/2026", "mdy", "2026-03-04"),
    ]
)
def test_days_as_they_are_written(text: str, order: str, day: str) -> None:
    made, faults = read(f"d,x,y\n{text},1,2", Mapped("pad", {"date": "d"}, wide=True, dates=order))
    assert faults == []
    assert made[0].records[0].event.facts["Date"] == day


@pytest.mark.parametrize(
    ("text", "day"),
    [("Di, 6.1.26", "2026-01-06"), ("14. März 2026", "2026-03-14"), (
        "mardi 6 janvier", "2026-01-06",
    ), ("6.10.", "2025-10-06"), ("March 14th, 2026", "2026-03-14"), ("14-Mar-26", "2026-03-14"),
     (
         "13/1/2026 Tue", "2026-01-13",
     ), ("mar 6.1.2026", "2026-01-06"), ("32.1.2026", ""), ("the 14th", ""), ("52 : 38", "")],
)  # fmt: skip
def test_days_as_people_write_them(text: str, day: str) -> None:
    assert read_day(text, "dmy", "2025/2026") == day


@pytest.mark.parametrize(
    ("days", "orders"),
    [
        (["3/4/2026", "13/4/2026"], ["dmy"]), (["3/4/2026", "4/13/2026"], ["mdy"]), (["Fri 3/4/2026"], ["dmy"]),
        (["Wed 3/4/2026"], ["mdy"]), (["3/4/2026"], ["dmy", "mdy"]), (["13/4/2026", "4/13/2026"], ["dmy"]),
    ],
)  # fmt: skip
def test_a_day_over_twelve_or_a_weekday_says_which_comes_first(days: list[str], orders: list[str]) -> None:
    """If this failed, the third of April would be the fourth of March in half of the clubs."""
    assert orders_of(days) == orders
    rows = [["Date", "Ann", "Bo"], *([day, "1", "2"] for day in days)]
    assert bool(doubt(rows, guessed(rows))) == (len(orders) == 2)


def results_of(text: str) -> list[tuple[str, dict[str, int]]]:
    """The day of each match, and the points of each side by its names."""
    rows = cells_of(text.encode())
    made, faults = read_results(rows, guessed(rows), "b")
    assert faults == []
    out = []
    for one in made:
        score = score_match(one.records)
        out.append(
            (
                str(one.records[0].event.facts["Date"]),
                {
                    " & ".join(score.names[seat] for seat in seats): score.totals[side] or 0
                    for side, seats in score.sides.items()
                }
            )
        )
    return out


WIDE = """Hearts of the house 2025/26;;;
;;;
Evening;Olena;walter ;Doris;Total;Remarks
Di 2.12.;12,0;x;−4;8;
6.1.;1.250;3;-;1253;Doris is ill
;;;;;no play at carnival
3.2.;;7;0;7;
Total;1262;10;−4;1268;
"""


def test_one_column_a_player_as_a_club_keeps_it() -> None:
    """If this failed, whoever was away would have played for nothing, or the row of totals would be an evening."""
    assert results_of(WIDE) == [
        ("2025-12-02", {"Olena": 12, "Doris": -4}), ("2026-01-06", {"Olena": 1250, "walter": 3}),
        ("2026-02-03", {"walter": 7, "Doris": 0}),
    ]
    rows = cells_of(WIDE.encode())
    said = describe_columns(rows, guessed(rows))
    assert said[0] == "“Hearts of the house 2025/26” stands above the heads, which are in row 3"
    assert said[1:4] == [
        "Evening: the day", "players or pairs with their points: Olena, walter, Doris", "passed over: Total, Remarks",
    ]
    assert [
        (row, why) for row, why in passed_over(rows, guessed(rows)).items()
    ] == [(6, "a remark, “no play at carnival”"), (8, "“Total”, passed over")]
    wrong = cells_of(WIDE.replace("Total;1262", "Total;1263").encode())
    assert passed_over(
        wrong, guessed(wrong),
    )[8] == "“Total”, which does not agree: Olena 1263, and the rows come to 1262"


def test_one_column_a_pair() -> None:
    assert results_of("Date,Olena & Walter,Doris/Marcel\n2026-01-06,52,38\n2026-01-13,x,40\n") == [
        ("2026-01-06", {"Olena & Walter": 52, "Doris & Marcel": 38}), ("2026-01-13", {"Doris & Marcel": 40}),
    ]  # fmt: skip
    several = "Date,Olena & Walter,Ann & Bo,Doris & Marcel,Cy & Di\n2026-01-06,52 : 38,40:50,38 - 52,50:40\n"
    assert results_of(several) == [
        ("2026-01-06", {"Olena & Walter": 52, "Doris & Marcel": 38}), ("2026-01-06", {"Ann & Bo": 40, "Cy & Di": 50}),
    ]
    rows = cells_of(several.replace("40:50", "52:38").replace("50:40", "38:52").encode())
    assert [fault.why for fault in read_results(rows, guessed(rows), "b")[1]] == [
        (
            "52 : 38 of Olena & Walter can belong to 2 other columns; expected the result of their opponents "
            "in the same row, the other way round"
        )
    ]


def test_pairs_in_the_rows_and_the_result_beside_them() -> None:
    told = [
        ("2026-01-13", {"Olena & Walter": 1020, "Doris & Marcel": 985}),
        ("2026-01-13", {"olena b & Walter": 5, "Doris & Marcel": 10}),
    ]
    text = (
        "Date;Table;Pair 1;Pair 2;Score\n13/1/26;1;Olena & Walter;Doris and Marcel;1.020 : "
        "985\n13/1/26;2;olena b/WALTER;doris + Marcel;5-10\n"
    )
    assert results_of(text) == told
    apart = "Date;Pair 1;A;Pair 2;B\n13/1/26;Olena & Walter;1020;Doris and Marcel;985\n"
    assert results_of(apart) == told[:1]
    rows = cells_of(text.encode())
    assert describe_columns(rows, guessed(rows))[-2:] == [
        "Walter is also written WALTER (1 time)", "Doris is also written doris (1 time)",
    ]
    faulty = cells_of((text.replace("5-10", "5-10-3") + "13/1/26;3;Ann & Bo;Cy & Di;1 : 2\n").encode())
    assert [
        (fault.row, "for 2 sides" in fault.why) for fault in read_results(faulty, guessed(faulty), "b")[1]
    ] == [(3, True)]


def test_what_stands_below_a_table_is_no_evening() -> None:
    """If this failed, the places of the players would be their points of another evening."""
    text = "Date;Ann;Bo\n13/1/26;10;20\n20/1/26;3;4\nTotal;13;24\nØ;6,5;12\nRank;2;1\n;1;2\n"
    rows = cells_of(text.encode())
    assert [day for day, _ in results_of(text)] == ["2026-01-13", "2026-01-20"]
    assert passed_over(rows, guessed(rows)) == {
        4: "“Total”, passed over", 5: "“Ø”, passed over", 6: "“Rank”, passed over", 7: "below the totals, “1 2”",
    }
    both = cells_of(b"Date;Ann & Bo;Cy & Di\n13/1/26;52:38;38:52\nTotal;52;39\n")
    assert passed_over(both, guessed(both))[3] == "“Total”, which does not agree: Cy & Di 39, and the rows come to 38"


def test_capitals_spaces_and_a_dot_make_no_second_name() -> None:
    assert [
        sorted(points)
        for _,
        points in results_of(
            "Date;A;B;Points\n13/1/26;Walter B. & Ann;Cy & Di;1:2\n14/1/26;WALTER  b & ann;cy. & Di;1:2\n".replace(
                ";A;B;", ";Pair 1;Pair 2;",
            )
        )
    ] == [["Cy & Di", "Walter B. & Ann"]] * 2


def test_players_with_their_points_beside_them() -> None:
    text = "Date;Player 1;Points 1;Player 2;Points 2;Venue\n6.1.26;Ann;11;Bo;7;Club\n13.1.26;bo;11;Ann;9;Club\n"
    assert results_of(text) == [("2026-01-06", {"Ann": 11, "Bo": 7}), ("2026-01-13", {"Bo": 11, "Ann": 9})]


def test_a_row_is_one_table() -> None:
    rows = [["Date", *(f"P{i}" for i in range(22))], ["2026-01-06", *["1"] * 22], ["2026-01-13", *["1"] * 20, "x", "x"]]
    made, faults = read_results(rows, guessed(rows), "b")
    assert ([one.rows for one in made], [fault.why for fault in faults]) == (
        [(3,)], ["22 players are in one row; expected at most 20, who sat at one table"],
    )


def test_the_game_of_the_title_says_who_wins() -> None:
    """If this failed, whoever plays Yaniv worst would lead the league."""
    rows = cells_of(b"Yaniv league;;\nDate;Ann;Bo\n13/1/26;10;20\n")
    assert guessed(rows).options == {"title": "Yaniv", "wins": "low"}
    (made,), _ = read_results(rows, guessed(rows), "b")
    assert score_match(made.records).winner == "A"
    assert [
        (side.side, side.margin) for side in match_facts("m", made.records).sides
    ] == [("A", 10), ("B", -10)], "the lower total is the better one"


def test_a_column_can_be_passed_over() -> None:
    """If this failed, a column of remarks or of sums would be a player, and every row would be refused for it."""
    text = "d,x,y,Remarks\n2026-01-01,1,2,fine"
    _, faults = read(text, Mapped("pad", {"date": "d"}, wide=True))
    assert [fault.why for fault in faults] == ["'fine' is not a whole number (column Remarks)"]
    made, faults = read(text, Mapped("pad", {"date": "d"}, wide=True, skip=("Remarks",)))
    assert (faults, made[0].lines[1]) == ([], "2. @ tally points.A=1 points.B=2")
    with pytest.raises(KibitzError, match="no column 'Sum'"):
        read(text, Mapped("pad", {"date": "d"}, wide=True, skip=("Sum",)))


def test_two_equal_rows_are_two_matches() -> None:
    made, _ = read("x,y\n1,2\n1,2", Mapped("pad", wide=True))
    assert len({one.match for one in made}) == 2


def test_a_row_with_another_figure_is_the_same_match() -> None:
    """If this failed, a corrected spreadsheet would count an evening twice. Day, table and players say which match
    it is."""
    head, mapped = "d,t,x,y\n", Mapped("pad", {"date": "d", "place": "t"}, wide=True)
    before, after = (
        read(head + rows, mapped)[0]
        for rows in ("2026-11-01,1,12,4\n2026-11-01,1,3,9\n", "2026-11-01,1,12,5\n2026-11-01,1,3,9\n")
    )
    assert [one.match for one in before] == [one.match for one in after]
    for row in ("2026-11-02,1,12,4", "2026-11-01,2,12,4", "2026-11-01,1,12,"):
        (other,), _ = read(head + row, mapped)
        assert other.match not in {one.match for one in before}


def test_a_workbook_says_the_same_as_csv() -> None:
    """If this failed, a date or a figure would be read otherwise from a workbook."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    for row in (["d", "x", "y"], [date(2025, 11, 4), 12, -4.0], [None, None, None], [date(2025, 11, 5), 1, 2.5]):
        page.append(row)
    data = io.BytesIO()
    book.save(data)
    mapped = Mapped("pad", {"date": "d"}, wide=True)
    made, faults = read_results(cells_of(data.getvalue()), mapped, "b")
    assert [one.records for one in made] == [one.records for one in read("d;x;y\n2025-11-04;12;-4\n", mapped)[0]]
    assert [(fault.row, fault.why) for fault in faults] == [
        (
            4, "'2.5' is not a whole number (column y); expected whole points; a table with halves is written twofold "
            "throughout",
        )
    ]
    with pytest.raises(KibitzError):
        cells_of(data.getvalue(), "Nix")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"one row", b"\xff\xfe", b'a,b\n"x,1', b"a\x00,b\n1,2", b"a,a\n1,2", b"," * 300 + b"x\n1",
        b"PK\x03\x04" + b"x" * 99,
    ]
)
def test_a_file_that_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        heads_of(cells_of(data))


def test_heads_are_known_again() -> None:
    table = [["a", "b"], ["1", "2"]]
    assert table_fingerprint(table) == table_fingerprint([["a", "b"], ["3", "4"]]) != table_fingerprint(
        [["ab", "c"], ["1", "2"]]
    )
    # Another game in the title is another table; another year is not.
    assert table_fingerprint(
        [["Kaiser 2025"], *table]
    ) == table_fingerprint([["Kaiser 2026"], *table]) != table_fingerprint([["Yaniv"], *table])


@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=4), min_size=1, max_size=4))
@examples(60, deadline=None)
def test_any_cells_are_results_or_named(rows: list[list[str]]) -> None:
    """If this failed, somebody's spreadsheet would end the program."""
    table, mapped = [["d", "x", "y", "z"], *rows], Mapped("pad", {"date": "d"}, wide=True)
    made, faults = read_results(table, mapped, "b")
    told = {row for one in made for row in one.rows} | {fault.row for fault in faults} | {*passed_over(table, mapped)}
    assert told == {i for i, row in enumerate(rows, 2) if any(row)}


# -- plays of the app BG Stats

PUBLISHED: dict[str, dict[str, tuple[type, ...]]] = {
    "players": {"id": (int,), "name": (str,), "uuid": (str,), "isAnonymous": (bool,)},
    "locations": {"id": (int,), "name": (str,), "uuid": (str,)},
    "games": {
        "id": (int,), "name": (str,), "uuid": (str,), "bggId": (int,), "highestWins": (bool,), "noPoints": (bool,),
        "usesTeams": (bool,), "cooperative": (bool,),
    },
    "plays": {
        "uuid": (str,), "playDate": (str,), "gameRefId": (int,), "locationRefId": (int, type(None)),
        "playerScores": (list,), "durationMin": (int,), "rounds": (int,), "usesTeams": (bool,), "manualWinner": (bool,),
        "ignored": (bool,), "comments": (str, type(None)),
    },
    "playerScores": {
        "playerRefId": (int,), "score": (str, type(None)), "winner": (bool,), "startPlayer": (bool,),
        "newPlayer": (bool,), "seatOrder": (int,), "rank": (int,), "team": (str, type(None)),
    },
}  # fmt: skip
"""The fields of a play file and their types, as the app writes them."""
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.kib"))


def log_of(path: Path) -> ReadLog:
    return read_log(list(read_kib(path.read_text(encoding="utf-8")).records))


def test_a_play_file_has_the_published_form() -> None:
    """Every field with its type, numbers that refer to something, days as the app writes them; and twice the same
    bytes."""
    logs = [(path.stem, log_of(path)) for path in EXAMPLES]
    data, left = play_file(logs)
    assert play_file(logs) == (data, left)
    told = json.loads(data)
    assert set(told) == {"about", "players", "locations", "games", "plays", "userInfo"}
    ids = {kind: [one["id"] for one in told[kind]] for kind in ("players", "locations", "games")}
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in ids.values())
    parts = [
        (kind, one) for kind in ("players", "locations", "games", "plays") for one in told[kind]
    ] + [("playerScores", one) for play in told["plays"] for one in play["playerScores"]]
    for kind, one in parts:
        assert set(one) == set(PUBLISHED[kind])
        assert all(type(one[field]) in types for field, types in PUBLISHED[kind].items()), one
    assert len(told["plays"]) == len(EXAMPLES) - len(left) > 20
    assert len({play["uuid"] for play in told["plays"]}) == len(told["plays"])
    for play in told["plays"]:
        datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S")
        assert play["gameRefId"] in ids["games"]
        assert play["locationRefId"] is None or play["locationRefId"] in ids["locations"]
        assert {one["playerRefId"] for one in play["playerScores"]} <= set(ids["players"])
        assert sum(one["startPlayer"] for one in play["playerScores"]) <= 1
        assert all(one["score"] is None or one["score"].lstrip("-").isdecimal() for one in play["playerScores"])


def test_what_a_play_says() -> None:
    told = json.loads(
        play_file([("kaiser-evening", log_of(Path(__file__).parents[2] / "examples" / "kaiser-evening.kib"))])[0]
    )
    (play,) = told["plays"]
    names = {one["id"]: one["name"] for one in told["players"]}
    assert [
        (names[one["playerRefId"]], one["score"], one["winner"], one["startPlayer"], one["team"])
        for one in play["playerScores"]
    ] == [
        ("Olena", "38", True, True, "Olena & Walter"), ("Marcel", "37", False, False, "Marcel & Doris"),
        ("Walter", "38", True, False, "Olena & Walter"), ("Doris", "37", False, False, "Marcel & Doris"),
    ]  # fmt: skip
    assert (play["playDate"][:10], play["rounds"], play["usesTeams"]) == ("2026-02-14", 8, True)
    assert play["comments"].startswith("Olena & Walter won 38 : 37")
    assert [(one["name"], one["highestWins"]) for one in told["games"]] == [("Kaiser", True)]
    assert [one["name"] for one in told["locations"]] == ["Prud'homme, community hall"]


@pytest.mark.parametrize("path", a_few(EXAMPLES, 8), ids=lambda path: path.stem)
def test_plays_come_back_as_the_results_that_they_were(path: Path) -> None:
    """The day, the place, who played with whom, the totals, and who won."""
    log = log_of(path)
    data, left = play_file([(path.stem, log)])
    if left:
        with pytest.raises(UnreadableError):
            cells_of(data)
        return
    rows = cells_of(data)
    made, faults = read_results(rows, guessed(rows), "b")
    was = official_score(log)
    house = find_game(was.game).seating.house
    if len([side for side in was.sides if side != house]) < 2 or None in was.totals.values():
        return
    assert faults == []
    (one,) = made
    now = score_match(one.records)
    who = {
        " & ".join(was.names.get(s, s) for s in seats): total
        for seats, total in ((seats, was.totals[side]) for side, seats in was.sides.items())
    }
    assert {
        " & ".join(sorted(now.names[s] for s in seats)): now.totals[side] for side, seats in now.sides.items()
    } == {" & ".join(sorted(k.split(" & "))): n for k, n in who.items()}
    assert now.facts["Date"] == was.facts.get("Date", log.records[0].time[:10])
    assert now.facts.get("Place") == (was.facts.get("Place") or was.facts.get("Site"))


def test_an_export_of_the_app_is_read_a_game_at_a_time() -> None:
    """Sums are added up, plays without points count their winners, ignored plays are left out, and unknown fields
    pass."""
    plays = [
        {
            "playDate": "2026-03-14 19:30:00", "gameRefId": 7,
            "playerScores": [{"playerRefId": 1, "score": "12+5", "metaData": "{}"}, {"playerRefId": 2, "score": "9"}],
            "extra": 1,
        },
        {
            "playDate": "2026-03-15 19:30:00", "gameRefId": 7, "ignored": True,
            "playerScores": [{"playerRefId": 1, "score": "1"}],
        },
        {
            "playDate": "2026-03-16 19:30:00", "gameRefId": 8,
            "playerScores": [{"playerRefId": 2, "winner": True}, {"playerRefId": 1, "score": None}],
        },
    ]
    data = json.dumps(
        {
            "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}],
            "games": [{"id": 7, "name": "Catan"}, {"id": 8, "name": "Hearts"}], "plays": plays,
        }
    ).encode()
    assert cells_of(data, "Catan") == [["Catan"], ["Date", "Place", "Ann", "Bo"], ["2026-03-14", "", "17", "9"]]
    assert cells_of(b"\xef\xbb\xbf" + data, "Hearts")[2] == ["2026-03-16", "", "1", "0"]
    for asked, says in (
        ("", "plays of 2 games; expected --sheet with one of Catan, Hearts"), ("Go", "no play of 'Go' is in it"),
    ):
        with pytest.raises(UsageError, match=says):
            cells_of(data, asked)
    for wrong in (
        b"{", b'{"plays": 3}', b'{"players": [], "games": []}',
        b'{"players": [], "games": [], "plays": [{"playDate": 1}]}',
    ):
        with pytest.raises(UnreadableError, match="no play file"):
            cells_of(wrong)


CELLS = st.one_of(
    st.sampled_from(
        [
            "", "x", "Total", "Olena & Walter", "Doris/Marcel", "52 : 38", "38:52", "6.1.2026", "Tue 3/4/26", "1.250",
            "12,5", "−4", "Date", "Remarks", "&", " & Ann", ":", "Ann",
        ]
    ),
    st.text(max_size=6),
)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=5), min_size=2, max_size=6))
@examples(80, deadline=None)
def test_any_table_is_understood_or_refused_with_a_reason(rows: list[list[str]]) -> None:
    """If this failed, a club's spreadsheet would end the program, or a row of it would be lost without a word."""
    rows = [[cell.strip() for cell in row] for row in rows]
    mapped = made = None
    with suppress(KibitzError):
        mapped = guessed(rows)
        made, faults = read_results(rows, mapped, "b")
    if mapped is None or made is None:
        return
    assert isinstance(doubt(rows, mapped), str)
    assert describe_columns(rows, mapped)
    told = {row for one in made for row in one.rows} | {fault.row for fault in faults} | {*passed_over(rows, mapped)}
    assert told == {i for i, row in enumerate(rows, 1) if any(row) and i > head_at(rows) + 1}
