"""The commands of a season as a secretary would type them: players, tables, finding again, and a name that is shown
no more."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import openpyxl
import pyarrow.parquet
import pytest
from a_season import BOOK, fill

from records import Store
from records.projection.index import index_path
from records.register import REGISTER

from .conftest import Kibitz, call
from .test_cli import COMMANDS
from .test_json import documented, same_shape

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("season") / "kibitz.db"
    with Store.open(path) as store:
        fill(store)
    assert call(("--db", path, "season", "--book", BOOK)).code == 0  # makes the index
    return path


@pytest.fixture
def club(filled: Path, kibitz: Kibitz, tmp_path: Path) -> Kibitz:
    """The shell with a season in its store."""
    for file in filled.parent.iterdir():
        shutil.copy(file, tmp_path / file.name)
    return kibitz


def test_a_table_in_every_format(club: Kibitz, tmp_path: Path) -> None:
    """If this failed, what the secretary hands out would not be what was asked for."""
    told = club("season", "--book", BOOK)
    assert told.code == 0
    assert "1. " in told.out
    made = club("season", "--book", BOOK, "--json").json
    leader = made["tables"][0]["rows"][0]
    assert f"1. {leader['name']}" in told.out
    assert leader["won"] == leader["figure"]
    assert leader["breaches"] is None
    for name, begins in (
        ("t.html", b"<!DOCTYPE html>"), ("t.csv", b"table,place,player"), ("t.md", b"# league"), ("t.txt", b"league"),
        ("t.xlsx", b"PK"),
    ):
        assert club("season", "--book", BOOK, "-o", name).code == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    sheet = openpyxl.load_workbook(tmp_path / "t.xlsx")["Players"]
    assert sheet["C2"].value == leader["name"]
    points = club("season", "--book", BOOK, "--by", "points", "--json").json
    assert {table["game"] for table in points["tables"]} == {"kaiser", "scopa", "scotch-whist", "yaniv"}
    assert club(
        "season", "--book", BOOK, "--game", "scopa", "--best", "2/3", "--from", "2026-03", "--to", "2026-03", "--json",
    ).json["matches"] == 4
    assert club("season", "--game", "scopa", "--to", "2026-03-03", "--json").json["matches"] == 1
    rated = club("season", "--book", BOOK, "--game", "scotch-whist", "--ratings", "--json").json["tables"][0]["rows"]
    assert all(row["rating"]["matches"] == row["matches"] for row in rated)
    told = club("season", "--book", BOOK, "--breaches", "-o", "private.html")
    assert "keep it among those it concerns" in told.err
    assert "breaches" in (tmp_path / "private.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("season", "--book", "nix"), 5, "no match in the book 'nix'"),
        (("season", "--by", "luck"), 2, "one of matches"),
        (("season", "--by", "points", "--formula", "won"), 2, "do not go together"),
        (("season", "--formula", "import os"), 2, "arithmetic"),
        (("season", "--best", "9/3"), 2, "best six"),
        (("season", "--from", "tomorrow"), 2, "not a day"),
        (("season", "--to", "2026-13"), 2, "not a day"),
        (("season", "-o", "t.docx"), 2, "ends in"),
        (("season", "--format", "xlsx"), 2, "no text for a terminal"),
        (("season", "--player", "Nobody"), 5, "no player 'Nobody'"),
        (("season", "--by", "vp"), 2, "--vp FILE"),
        (("season", "--vp", "nix.csv"), 5, "no such file"),
        (("season", "--ties", "luck"), 2, "no tie-break"),
        (("season", "--dues", "much"), 2, "no amount"),
        (("adjust", BOOK, "Nobody", "--absent"), 5, "no player"),
        (("adjust", BOOK, "--undo", "7"), 5, "no decision"),
        (("find",), 2, "say what to look for"),
        (("find", "--score", "many"), 2, "not a figure"),
        (("find", "--dispute", "maybe"), 2, "open or any"),
        (("find", "--player", "Nobody"), 5, "no player"),
        (("player", "add", ""), 2, "cannot be a name"),
        (("player", "link", "Nobody"), 5, "no player"),
        (("player", "rename", "p1", "x"), 5, "no player"),
    ],
)
def test_what_cannot_be_is_said(club: Kibitz, args: tuple[str, ...], code: int, says: str) -> None:
    result = club(*args)
    assert result.code == code
    assert says in result.err
    assert "Traceback" not in result.err


def test_players_are_linked_with_confirmation(club: Kibitz) -> None:
    """If this failed, a name would become a person without anybody having said so."""
    assert club("player", "add", "Ann", "--json").json["id"] == "p1"
    refused = club("player", "link", "Ann", "Ann Lee", stdin="no\n")
    assert (refused.code, "seats are written" in refused.err) == (2, True)
    assert club("player", "link", "Ann", "Ann Lee").code == 2, "nobody is there to answer"
    assert club("player", "list", "--json").json["players"][0]["linked"] == ["“Ann”"]
    assert club("player", "link", "Ann", "Ann Lee", stdin="yes\n").code == 0
    listed = club("player", "list", "--json").json
    assert listed["players"][0]["matches"] > 3
    assert "Ann Lee" not in {row["name"] for row in listed["unlinked"]}
    assert "Ann" in {row["name"] for row in club("season", "--book", BOOK, "--json").json["tables"][0]["rows"]}
    assert club("player", "add", "Anna").code == 0
    taken = club("player", "link", "Anna", "Ann Lee", "--yes")
    assert (taken.code, "is Ann (p1)" in taken.err) == (6, True)
    assert club("player", "merge", "Anna", "Ann", "--yes").code == 0
    assert club("player", "rename", "Ann", "Annie", "--json").json["id"] == "p1"
    assert club("player", "link", "Annie", "--seat", "scopa-0:Q", "--yes").code == 5
    assert club("player", "link", "Annie", "--seat", "scopa-0", "--yes").code == 2


def rows_named(club: Kibitz, name: str) -> list[tuple[str, str]]:
    """The rows of the table whose name begins so, with their ids."""
    rows = club("season", "--book", BOOK, "--json").json["tables"][0]["rows"]
    return sorted((row["name"], row["player"]) for row in rows if row["name"].startswith(name))


def test_a_name_is_never_two_rows_unasked(club: Kibitz) -> None:
    """If this failed, a member who is entered in the register would share the lead with a second row of the same
    name."""
    alone = club("player", "add", "Ann Lee", "--json")
    assert (alone.code, alone.json["linked"]) == (0, ["“Ann Lee”"]), "nobody was there to answer"
    assert "seats are written 'Ann Lee'" in alone.err
    assert rows_named(club, "Ann Lee") == [("Ann Lee", "p1")]
    assert club("player", "unlink", "Ann Lee").code == 0
    assert rows_named(club, "Ann Lee") == [("Ann Lee (not linked)", "")]
    other = club("player", "rename", "p1", "Bo Hart", stdin="no\n")
    assert (other.code, "Are these Bo Hart?" in other.err) == (0, True)
    assert rows_named(club, "Bo Hart") == [("Bo Hart (not linked)", "")], "the answer was no"
    assert club("player", "rename", "p1", "Ann Lee", "--yes").code == 0
    assert rows_named(club, "Ann Lee") == [("Ann Lee", "p1")]
    assert club("player", "add", "Cy Orr", "--apart", "--json").json["linked"] == []
    asked = club("player", "add", "B. Hart", stdin="yes\n")
    assert "Is 'Bo Hart' (" in asked.err
    assert "(“B. Hart”; “Bo Hart”)" in asked.out
    hinted = club("player", "add", "D. Marsh", "--yes")
    assert "perhaps theirs too: Di Marsh; `kibitz player link p4 'Di Marsh'`" in hinted.err
    foot = club("season", "--book", BOOK).out.partition("linked to no player")[2]
    assert all(name in " ".join(foot.split()) for name in ("Cy Orr", "Di Marsh", "Ed Fox"))


TABLES = [
    (("score", "kaiser-1"), "hand,dealer,contract,result,side,part,amount,sum,stated"),
    (("list",), "match,game,players,events,state,changed,book"), (("games",), "key,name,family,players,summary"),
    (("player", "list"), "id,name,matches,linked,perhaps"), (("audit", "--all"), "rule,broken,perhaps,open,matches"),
    (("find", "--dispute", "open"), "link,match,event,hand,kind,text,game,day,book,title,players"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "heads"), TABLES, ids=[words[0] for words, _ in TABLES])
def test_a_table_is_csv_too(club: Kibitz, words: tuple[str, ...], heads: str) -> None:
    """If this failed, whoever wants a table in a spreadsheet would have to take its columns apart by hand."""
    assert club("new", "kaiser", "--seat", "N==1+1, or so", "--id", "a-formula").code == 0
    told = club(*words, "--csv")
    assert told.code == club(*words).code
    assert told.out.startswith(heads + "\r\n")
    rows = list(csv.DictReader(io.StringIO(told.out)))
    assert len(rows) > 1
    assert all(
        None not in row and None not in row.values() for row in rows
    ), "each row has as many fields as there are heads"
    assert not any(value.startswith("=") for row in rows for value in row.values()), "no name is run as a formula"
    assert words[0] != "list" or "'=1+1, or so" in {row["players"] for row in rows}
    assert club(*words, "--csv", "--json").code == 2
    data = club(*words, "--json").json
    counted = {
        "list": lambda: len(data), "games": lambda: len(data),
        "player": lambda: len(data["players"]) + len(data["unlinked"]), "audit": lambda: len(data["summary"]["rules"]),
        "find": lambda: len(data["hits"]),
    }
    assert len(rows) == counted.get(words[0], lambda: len(rows))()
    if words[0] == "score":
        assert told.out == club("sheet", "kaiser-1", "--format", "csv").out


def test_a_hit_leads_to_its_event(club: Kibitz) -> None:
    """If this failed, the hand that everybody talks about would be found and could not be opened."""
    hits = club("find", "--dispute", "open", "--json").json["hits"]
    assert {hit["match"] for hit in hits} == {"kaiser-1", "scopa-1", "yaniv-1", "scotch-whist-1"}
    for hit in hits:
        match, _, at = hit["link"].partition("#")
        line = next(line for line in club("log", match).out.splitlines() if line.startswith(f"{at}. "))
        assert "dispute" in line
        assert club("show", match, "--at", at).code == 0
    told = club("find", "--comment", "100 %", "--most", "2")
    assert len(told.out.splitlines()) == 2
    assert "--most lists more" in told.err
    assert club("find", "--comment", "nobody said this").err.strip() == "nothing was found"


def test_the_hands_worth_opening_come_by_what_there_is_to_see(kibitz: Kibitz) -> None:
    """If this failed, a season would open with its latest hand, and a revoke would stand behind twenty hands in
    which nothing happened."""
    names = ("kaiser-evening", "tresette-osteria", "scopa-sunday", "myllymatti-sauna")
    assert kibitz("import", *(str(EXAMPLES / f"{name}.kib") for name in names), "--book", "eve").code == 0
    hits = kibitz("find", "--highlights", "--book", "eve", "--json").json["hits"]
    kinds = [hit["kind"] for hit in hits]
    assert kinds == sorted(kinds, key=["broken", "dispute", "swing"].index)
    assert ("kaiser-evening", 96) in {(hit["match"], hit["at"]) for hit in hits if hit["kind"] == "broken"}
    # Slips of the record are no news, and a swing is measured by its own match.
    assert not [hit for hit in hits if "the table has" in hit["text"]]
    swing = next(hit for hit in hits if hit["kind"] == "swing" and hit["match"] == "kaiser-evening")
    assert (swing["hand"], swing["text"]) == (4, "biggest swing: Marcel & Doris +22, Olena & Walter −1")
    assert kibitz(
        "find", "--highlights", "--book", "eve", "--game", "scopa", "--finding", "open", "--json",
    ).json["hits"] == []


ASKED = {
    "log": [("kaiser-1",), ("kaiser-1", "--json"), (REGISTER,)], "show": [("kaiser-1",), ("kaiser-1", "--json")],
    "list": [(), ("--json",)],
    "replay": [("kaiser-1",), ("kaiser-1", "--json"), ("kaiser-1", "-o", "r.html")],
    "check": [("kaiser-1",), ("kaiser-1", "--json")],
    "score": [("kaiser-1",), ("kaiser-1", "--json")], "audit": [("kaiser-1",), ("kaiser-1", "--json"), ("--all",)],
    "report": [
        ("kaiser-1", "--hand", "1"), ("kaiser-1", "--hand", "1", "-o", "r2.html"), ("kaiser-1", "--hand", "1", "--json")
    ],
    "sheet": [("kaiser-1",), ("kaiser-1", "--json"), ("--book", BOOK), ("kaiser-1", "-o", "s.html")],
    "site": [("--book", BOOK, "-o", "site")],
    "export": [
        ("kaiser-1",), ("kaiser-1", "--format", "jsonl"), ("kaiser-1", "--bundle"), (REGISTER,),
        ("--format", "parquet", "-o", "parquet"),
    ],
    "recheck": [("kaiser-1",), ("--all",)], "verify": [(BOOK,), (REGISTER,)],
    "diff": [("kaiser-1", "kaiser-3")], "fork": [("kaiser-1", "--at", "5", "--id", "forked")], "season": [
        ("--book", BOOK), ("--book", BOOK, "--json"), ("--player", "Former player 1"),
        *(("--book", BOOK, "--by", "points", "-o", f"t.{kind}") for kind in ("html", "md", "csv", "xlsx")),
    ],
    "find": [("--comment", "Ann"), ("--player", "Ann Lee"), ("--title", "Evening", "--json")],
    "player": [("list",), ("list", "--json"), ("rename", "Ann Lee", "x")], "rename": [("kaiser-1", "Cup")],
    "trial": [("kaiser-1",)], "move": [("kaiser-1", "cups"), ("scopa-0", "cups")], "note": [("kaiser-1", "1", "seen")],
    "undo": [("kaiser-1",)], "attach": [("kaiser-1",)], "record": [("kaiser-1",)],
    "append": [("kaiser-1", "-", "--expect", "0")], "open": [("kaiser-1", "1", "2"), ("kaiser-1", "--hand", "N")],
}  # fmt: skip
SILENT = {
    "adjust", "checkpoint", "claim", "confirm", "db", "demo", "dispute", "fault", "fix", "games", "import", "merge",
    "movement", "new", "new-game", "practise", "results", "rules", "ruling", "schema", "serve", "simulate",
    "tally",
}  # fmt: skip
"""Commands that print nothing of a match that is stored, or what one of those above prints of it."""


@pytest.mark.rest
def test_a_name_that_is_to_be_forgotten_is_printed_by_no_command(club: Kibitz, tmp_path: Path) -> None:
    """If this failed, somebody who asked to be forgotten would still be read in a sheet, a replay, a table or an
    export."""
    assert {*ASKED} | SILENT == {*COMMANDS}
    assert not {*ASKED} & SILENT
    club("--recorder", "Ann Lee", "note", "kaiser-1", "2", "ann lee said so")
    said = {
        command: "".join(club(command, *words).out for words in ASKED[command]).casefold()
        for command in ("log", "sheet", "list", "season", "export")
    }
    assert all("ann lee" in text for text in said.values()), "the control: each of them prints the name before"
    assert club("player", "add", "Ann Lee").code == 0
    assert club("player", "link", "Ann Lee", "--yes").code == 0
    told = club("player", "forget", "Ann Lee", "--yes")
    assert told.code == 0
    assert "keeps its bytes" in told.err
    for command, asked in ASKED.items():
        for words in asked:
            result = club(command, *words, stdin="quit\n" if command == "record" else "note 1 x\n")
            assert "Traceback" not in result.err
            if words not in (("--player", "Ann Lee"), ("rename", "Ann Lee", "x")):  # they say what was typed
                assert "ann lee" not in (result.out + result.err).casefold(), (command, words)
            else:
                assert "Former player" in result.err
    pages = [*tmp_path.glob("*.html"), *tmp_path.glob("t.*"), *(tmp_path / "site").rglob("*.html")]
    assert len(pages) > 20
    for page in pages:
        text = page.read_text(encoding="utf-8") if page.suffix != ".xlsx" else str(
            [list(s.values) for s in openpyxl.load_workbook(page)]
        )
        assert "ann lee" not in text.casefold(), page
    assert "Former player 1" in (tmp_path / "t.csv").read_text(encoding="utf-8"), "the control: the player is in it"
    with Store.open(tmp_path / "kibitz.db") as own:
        for n in range(4):
            own.set_over(f"scopa-{n}", True)
            own.set_over(f"scotch-whist-{n}", True)
    assert club("db", "publish", "kibitz.db", "public.db").code == 0
    with Store.open(tmp_path / "public.db", write=False) as public:
        logs = [public.read(match) for match in public.ids()]
        assert "Former player 1" in str(logs)
        assert "ann lee" not in str(logs).casefold()
    assert (tmp_path / "parquet" / "scores.parquet").exists()
    assert not [
        file for file in (tmp_path / "parquet").iterdir()
        if "ann lee" in str(pyarrow.parquet.read_table(file).to_pylist()).casefold()
    ]
    bundle = club("export", "kaiser-1", "--bundle", "-o", "b.json")
    assert (bundle.code, "--names" in bundle.err) == (2, True)
    assert club("export", "kaiser-1", "--bundle", "--names", "-o", "b.json").code == 0
    assert "Ann Lee" in json.dumps(
        json.loads((tmp_path / "b.json").read_text(encoding="utf-8")), ensure_ascii=False,
    ), "the log keeps its bytes"
    assert club("verify", BOOK).code == 0


@pytest.mark.rest
def test_without_its_index_a_store_says_the_same(club: Kibitz, tmp_path: Path) -> None:
    before = club("season", "--book", BOOK, "--json").json
    index_path(tmp_path / "kibitz.db").unlink()
    assert club("season", "--book", BOOK, "--json").json == before
    assert club("season", "--book", BOOK, "--rebuild", "--json").json == before


def test_what_is_printed_as_json_is_what_is_documented(club: Kibitz) -> None:
    """If this failed, a program written from docs/json.md would not find what it was promised."""
    one, listed = documented("player")
    same_shape(one, club("player", "add", "Ann", "--json").json)
    same_shape(one, club("player", "link", "Ann", "Ann Lee", "--yes", "--json").json)
    same_shape(listed, club("player", "list", "--json").json)
    (shape,) = documented("season")
    asked = ("--grid", "--ties", "all", "--records", "--dues", "2.50")
    same_shape(shape, club("season", "--book", BOOK, "--game", "scotch-whist", "--ratings", *asked, "--json").json)
    shape["tables"][0]["rows"][0]["rating"] = shape["tables"][0]["settled"] = None
    same_shape(shape, club("season", "--book", BOOK, "--json").json)
    same_shape(documented("find")[0], club("find", "--contract", "h", "--json").json)


def players_of(club: Kibitz, *asked: str) -> int:
    """How many matches a table counts."""
    return int(club("season", *asked, "--json").json["matches"])


def test_a_title_is_corrected_by_an_event(club: Kibitz) -> None:
    """If this failed, a mistyped title would stay, or what was written first would be gone."""
    before = club("log", "scopa-0").out
    made = club("rename", "scopa-0", "The  final", "--date", "2026-03-05", "--json").json
    assert made[0]["tags"] == {"Event": "The  final", "Date": "2026-03-05"}
    after = club("log", "scopa-0").out
    assert after.startswith(before.rstrip("\n"))
    assert "fix #0 @ open" in after.splitlines()[-1]
    hit = club("find", "--title", "final", "--json").json["hits"][0]
    assert (hit["match"], hit["day"], hit["title"]) == ("scopa-0", "2026-03-05", "The  final")
    assert "The  final" in club("sheet", "scopa-0").out
    again = club("rename", "scopa-0", "The  final")
    assert (again.code, "says that already" in again.err) == (0, True)
    assert club("log", "scopa-0").out == after
    evening = [hit["match"] for hit in club("find", "--title", "Evening of 2026-03-10", "--json").json["hits"]]
    assert len(evening) == 4
    done = club("rename", evening[0], "Cup night", "--everywhere", "--json").json
    assert {one["match"] for one in done} == set(evening)
    assert club("rename", evening[0], "").code == 0
    assert {hit["match"] for hit in club("find", "--title", "Cup night", "--json").json["hits"]} == set(evening[1:])
    club("db", "seal", "scopa-0", "--unfinished")
    sealed = club("rename", "scopa-0", "x")
    assert (sealed.code, "--unseal scopa-0" in sealed.err) == (6, True)


def test_a_trial_counts_in_no_table(club: Kibitz) -> None:
    n = players_of(club, "--book", BOOK)
    assert club("trial", "scopa-0").code == 0
    assert players_of(club, "--book", BOOK) == n - 1
    assert {
        "match": "scopa-0", "game": "Scopa", "day": "2026-03-03", "why": "a trial",
    } in club("season", "--book", BOOK, "--json").json["left_out"]
    assert club("trial", "scopa-0", "--undo").code == 0
    assert players_of(club, "--book", BOOK) == n


def test_a_match_is_moved_with_its_proof(club: Kibitz, tmp_path: Path) -> None:
    """If this failed, a match in the wrong book would have to be typed again, or could not be proved where it is."""
    n = players_of(club, "--book", BOOK)
    assert club("move", "kaiser-1", "cups").code == 2, "it is not over"
    assert club("move", "scopa-0", "cups", "--json").json == {
        "match": "scopa-0", "book": "cups", "before": BOOK, "recorded": BOOK,
    }
    assert (players_of(club, "--book", BOOK), players_of(club, "--book", "cups")) == (n - 1, 1)
    (row,) = club("list", "--book", "cups", "--json").json
    assert (row["match"], row["book"], row["recorded"]) == ("scopa-0", "cups", BOOK)
    assert "scopa-0" not in {row["match"] for row in club("list", "--book", BOOK, "--json").json}
    assert "Matches  1" in club("sheet", "--book", "cups").out
    assert club("site", "--book", "cups", "-o", "cups").code == 0
    assert {hit["match"] for hit in club("find", "--book", "cups", "--json").json["hits"]} == {"scopa-0"}
    assert club("checkpoint", BOOK).code == 0
    assert club("export", "scopa-0", "--bundle", "-o", "b.json").code == 0
    assert club("verify", BOOK, "--against", "b.json").code == 0
    assert club("verify", "scopa-0").code == 0
    last = next(line for line in club("log", REGISTER).out.splitlines() if "did=file" in line)
    assert f"last={row['last']}" in last
    assert club("move", "scopa-0", "cups").code == 6
    assert club("move", "scopa-0", "a\u202eb").code == 2
    assert club("move", "scopa-0", BOOK).code == 0
    assert players_of(club, "--book", BOOK) == n
    assert club("list", "--book", "cups", "--json").json == []
    assert club("move", REGISTER, "cups").code == 2


OLD = "Day;Ann;Bo;Cy;Where\n4.11.2025;12;−4;;Club\n11.11.2025;3;;8;Club\nyesterday;1;2;3;\n18.11.2025;ill;2;x;\n"
SAID = ("--game", "pad", "--option", "title=Skat", "--wide", "--map", "date=Day", "--map", "place=Where")


def test_a_spreadsheet_is_mapped_once(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, the old spreadsheet would have to be typed again, or said again each week."""
    (tmp_path / "old.csv").write_text(OLD, encoding="utf-8")
    understood = ["Day: the day", "Where: where it was", "players or pairs with their points: Ann, Bo, Cy"]
    assert kibitz("results", "old.csv", "--dry-run").out.splitlines()[:3] == understood
    tried = kibitz("results", "old.csv", *SAID, "--dry-run")
    assert tried.code == 4
    assert "  2. @ tally points.A=12 points.B=-4" in tried.out.splitlines()
    assert not (tmp_path / "kibitz.db").exists(), "nothing is written"
    made = kibitz("results", "old.csv", *SAID, "--book", "old", "--json")
    assert made.code == 4
    assert [(one["rows"], one["status"]) for one in made.json["matches"]] == [([2], "new"), ([3], "new")]
    assert [fault["row"] for fault in made.json["unreadable"]] == [4, 5]
    assert "row 4: 'yesterday' is not a day" in made.err
    same_shape(documented("results")[0], made.json)
    (tmp_path / "old.csv").write_text(OLD + "25.11.2025;1;2;3;Club\n", encoding="utf-8")
    again = kibitz("results", "old.csv", "--book", "old")
    assert again.out == "1 match written, 2 were there already; 2 rows could not be read\n"
    table = kibitz("season", "--book", "old", "--by", "points", "--json").json["tables"][0]
    assert (table["game"], table["name"]) == ("skat", "Skat")
    assert {row["name"]: row["points"] for row in table["rows"]} == {"Ann": 16, "Bo": -2, "Cy": 11}
    assert kibitz("verify", "old").code == 0
    hands = "Nr;Ann;Bo\n1;3;4\n"
    (tmp_path / "hands.csv").write_text(hands, encoding="utf-8")
    assert kibitz("results", "hands.csv", "--game", "pad", "--wide", "--map", "match=Nr").code == 0
    (tmp_path / "hands.csv").write_text(hands + "1;5;5\n2;1;1\n", encoding="utf-8")
    grown = kibitz("results", "hands.csv")
    assert (grown.code, grown.out) == (
        6, "1 match written; 0 rows could not be read\n",
    ), "one that is over is not changed in passing"
    assert "rows 2 to 4 says otherwise" not in grown.err
    assert "--as-corrections" in grown.err
    asked = kibitz("results", "hands.csv", "--as-corrections")
    assert (asked.code, "Write 2 corrections" in asked.err, "after 2: A hand 2" in asked.out) == (2, True, True), asked
    assert kibitz(
        "results", "hands.csv", "--as-corrections", "--yes",
    ).out.splitlines()[-1] == "0 matches written, 1 corrected, 1 were there already; 0 rows could not be read"
    assert kibitz("results", "hands.csv").out == "0 matches written, 2 were there already; 0 rows could not be read\n"
    (tmp_path / "kibitz.db-columns").write_bytes(b"{")
    assert kibitz("results", "old.csv").out.splitlines()[:3] == understood


LEAGUE = Path(__file__).parents[2] / "examples" / "burraco-league.csv"
SAME = ("--same", "O. Koval=Olena Koval", "--same", "Olena=Olena Koval", "--same", "Marcel D.=Marcel")


def test_a_spreadsheet_comes_in_as_it_is(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, the secretary would retype the league, or a member would have three rows for three spellings."""
    made = kibitz("results", str(LEAGUE), "--book", "league", *SAME)
    assert (made.code, made.out.splitlines()[-1]) == (0, "24 matches written; 0 rows could not be read")
    assert "row 17: a remark, “17/2/2026 no play: carnival”" in made.out
    assert "Olena is also written olena (2 times)" in made.out
    table = kibitz("season", "--book", "league", "--json").json["tables"][0]
    assert (table["name"], len(table["days"]), table["days"][-1]) == ("Burraco", 12, "2026-03-31")
    assert {row["name"]: row["matches"] for row in table["rows"]} == dict.fromkeys(
        ["Olena Koval", "Walter", "Doris", "Marcel", "Rosa", "Pietro", "Ann Lee", "Ed"], 12,
    )
    assert kibitz(
        "results", str(LEAGUE), "--book", "league",
    ).out == "0 matches written, 24 were there already; 0 rows could not be read\n"
    asked = kibitz("results", str(LEAGUE), "--book", "other", stdin="yes\n")
    assert "Is 'Marcel D.' Marcel?" not in asked.err, "both are linked already"


def test_a_decision_of_the_director_counts_until_it_is_taken_back(club: Kibitz) -> None:
    """If this failed, a penalty would be in no table, or stay in it for ever."""

    def figure() -> float:
        rows = club("season", "--book", BOOK, "--game", "kaiser", "--by", "points", "--json").json["tables"][0]["rows"]
        return float(next(row["figure"] for row in rows if row["name"] == name))

    name = club(
        "season", "--book", BOOK, "--game", "kaiser", "--by", "points", "--json",
    ).json["tables"][0]["rows"][0]["name"]
    before = figure()
    assert club("player", "add", name).code == 0
    said = ("adjust", BOOK, name, "--figure", "points=-50", "--day", "2026-03-10", "--why", "came late")
    several = club(*said)
    assert (several.code, "several games" in several.err) == (2, True)
    made = club(*said, "--game", "kaiser", "--json")
    same_shape(documented("adjust")[0], made.json)
    assert figure() == before - 50
    half = club(*said[:4], "points=-0,5", *said[5:], "--game", "kaiser", "--json").json[0]
    assert (half["figures"], figure()) == ({"points": -0.5}, before - 50.5)
    assert club("adjust", BOOK, "--undo", str(half["n"])).code == 0
    table = club("season", "--book", BOOK, "--game", "kaiser", "--by", "points", "--json").json["tables"][0]
    assert [
        (one["name"], one["figures"], one["why"]) for one in table["adjusted"]
    ] == [(name, {"points": -50}, "came late")]
    assert [line.split()[0] for line in club("adjust", BOOK).out.splitlines()] == [str(made.json[0]["n"])]
    for words, says in (
        (("--figure", "luck=1"), "no figure"), (("--figure", "won=0.5"), "may have decimals"),
        (("--day", "soon", "--absent"), "not a day"),
        (("--absent", "--day", "2026-03-10"), "its reason"), (("--bye", "--absent"), "no absence"),
    ):
        refused = club("adjust", BOOK, name, "--game", "kaiser", *words)
        assert (refused.code, says in refused.err) == (2, True), words
    assert club("player", "forget", name, "--yes").code == 0
    assert name not in club("adjust", BOOK).out
    assert club("adjust", BOOK, "--undo", str(made.json[0]["n"])).code == 0
    assert club("adjust", BOOK, "--json").json == []
    assert club("verify", REGISTER).code == 0


def test_chips_of_a_season_are_settled_less_what_was_brought(kibitz: Kibitz) -> None:
    """If this failed, everybody would be paid for the chips that they had laid on the table themselves."""
    assert kibitz("import", str(LEAGUE.with_name("pontoon-kitchen.kib"))).code == 0
    made = kibitz(
        "season", "--game", "pontoon", "--stake", "0,05", "--dues", "2", "--json",
    ).json["tables"][0]["settled"]
    assert {one["name"]: one["chips"] for one in made["accounts"]} == {
        "Maureen": 69, "Derek": -19, "Ken": -20, "Sheila": -30,
    }
    assert [(one["payer"], one["payee"], one["amount"]) for one in made["payments"]] == [
        ("Sheila", "Maureen", 150), ("Ken", "Maureen", 100), ("Derek", "Maureen", 95),
    ]
    assert made["dues"] == 800
    assert "Sheila −30 −1.50 −3.50" in " ".join(
        kibitz("season", "--game", "pontoon", "--stake", "0.05", "--dues", "2").out.replace("1  −2.00", "").split()
    )


PAIRS = ("Ann Lee & Bo Hart", "Cy Orr/Di Marsh", "Ed Fox and Flo Kent", "Zoë & Yan")


def test_an_evening_has_its_movement_and_its_tables(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a director would draw the rounds on paper and type each table in."""
    made = kibitz(
        "movement", "cup", *PAIRS, "--game", "kaiser", "--how", "swiss", "--day", "2026-04-07", "--title", "Cup night",
        "--begin", "1", "--json",
    )
    same_shape(documented("movement")[0], made.json)
    assert made.json["begun"] == ["cup-2026-04-07-r1-t1", "cup-2026-04-07-r1-t2"]
    again = kibitz("movement", "cup", "--begin", "1")
    assert (again.code, "round 1 has been begun" in again.err) == (6, True)
    facts = kibitz("log", "cup-2026-04-07-r1-t1", "--json").json["event"]["facts"]
    assert [
        facts[tag] for tag in ("N", "E", "S", "W", "Event", "Round", "Table")
    ] == ["Ann Lee", "Ed Fox", "Bo Hart", "Flo Kent", "Cup night", "1", "1"]
    for table, side in ((1, "EW"), (2, "NS")):
        lines = f"hand\ntally declarer={side} level=7 tricks.{side}=8 five={side} three={side}\nend match time\n"
        assert kibitz("record", f"cup-2026-04-07-r1-t{table}", stdin=lines).code == 0
    first = kibitz("movement", "cup", "--next").out.partition("Round 2")[2].splitlines()[1]
    assert {"Ed Fox & Flo Kent", "Cy Orr & Di Marsh"} == {
        name for name in ("Ed Fox & Flo Kent", "Cy Orr & Di Marsh", "Zoë & Yan", "Ann Lee & Bo Hart") if name in first
    }, "the two who won"
    assert len(kibitz("movement", "cup", "--begin", "2").out.splitlines()) == 2
    for name, begins in (
        ("m.html", b"<!DOCTYPE html>"), ("m.csv", b""), ("m.md", b"# Cup night"), ("m.txt", b"Cup night"),
    ):
        assert kibitz("movement", "cup", "-o", name).code == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    kibitz("player", "add", "Ann Lee", "--yes")
    assert kibitz("player", "forget", "Ann Lee", "--yes").code == 0
    assert "Ann Lee" not in kibitz("movement", "cup").out
    for words, code, says in (
        (("movement", "nix"), 5, "no movement"), (("movement", "cup", *PAIRS), 2, "which game"),
        (("movement", "cup", *PAIRS, "--game", "kaiser", "--day", "soon"), 2, "2026-03-14"),
        (("movement", "cup", "--begin", "9"), 2, "no round 9"),
        (("movement", "cup", *PAIRS, "--game", "scopa"), 2, "Scopa"),
        (("movement", "cup", "-o", "m.docx"), 2, "a movement has no format with this ending"),
    ):  # fmt: skip
        refused = kibitz(*words)
        assert (refused.code, says in refused.err) == (code, True), refused


def test_what_can_mean_two_things_is_asked(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, an evening of April would count in March without a word."""
    (tmp_path / "two.csv").write_text("Date;Ann;Anne\n3/4/2026;1;2\n4/4/2026;3;x\n", encoding="utf-8")
    refused = kibitz("results", "two.csv")
    assert (
        refused.code, "3/4/2026 can be 2026-04-03 or 2026-03-04" in refused.err, "--dates dmy" in refused.err,
    ) == (2, True, True)
    assert not (tmp_path / "kibitz.db").exists()
    told = kibitz("results", "two.csv", stdin="dmy\nyes\n")
    assert (told.code, "Is 'Ann' Anne?" in told.err) == (0, True)
    table = kibitz("season", "--json").json["tables"][0]
    assert (
        table["days"], [(row["name"], row["player"]) for row in table["rows"]],
    ) == (["2026-04-03", "2026-04-04"], [("Anne", "p1")])


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("nix.csv",), 5, "no such file"), (("/",), 4, "a folder"),
        (("old.csv", "--map", "date=Day"), 2, "which game"), (("old.csv", "--game", "pad"), 2, "no column is mapped"),
        (("old.csv", "--game", "nix", "--wide"), 5, "no page"),
        (("old.csv", "--game", "kaiser", "--wide"), 2, "score pad"),
        (("old.csv", "--game", "pad", "--map", "date"), 2, "NAME=VALUE"),
        (("old.csv", *SAID, "--dates", "ymd"), 2, "dmy or mdy"),
        (("old.csv", *SAID, "--map", "luck=Ann"), 2, "nothing that a column can be"),
        (("old.csv", *SAID, "--map", "title=Nix"), 2, "no column 'Nix'"),
        (("old.csv", *SAID, "--book", "a\u202eb"), 2, "cannot be a book"), (("odd.csv", *SAID), 4, "no text"),
        (("zip.xlsx", *SAID), 4, "workbook"), (("twice.csv", *SAID), 4, "two columns"),
    ],
)  # fmt: skip
def test_a_spreadsheet_that_cannot_be_is_refused(
    kibitz: Kibitz, tmp_path: Path, args: tuple[str, ...], code: int, says: str,
) -> None:
    (tmp_path / "old.csv").write_text(OLD, encoding="utf-8")
    (tmp_path / "odd.csv").write_bytes(b"Day;Ann\n\x81;1\n")
    (tmp_path / "zip.xlsx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "twice.csv").write_text("Day;Ann;Ann\n4.11.2025;1;2\n", encoding="utf-8")
    result = kibitz("results", *args)
    assert result.code == code
    assert says in result.err
    assert "Traceback" not in result.err
