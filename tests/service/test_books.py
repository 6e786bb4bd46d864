"""Whole books in the browser: evenings on paper, what proves them, copies, and where a match belongs."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from a_season import BOOK
from sampling import a_few
from service_at import Asker, Evening

from cli.app import run_command_line
from events.picture_notes import attachments
from records import Store
from replay.paper.formats import SHEET, ending_of

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
BEGINS = {"html": b"<!DOCTYPE html>", "pdf": b"%PDF", "xlsx": b"PK", "png": b"\x89PNG"}


@pytest.mark.parametrize("form", a_few([ending_of(form) for form in SHEET], 3))
def test_an_evening_is_printed_in_every_format_and_a_pad_too(
    club: Evening, director: Asker, form: str, tmp_path: Path,
) -> None:
    """If this failed, the sheet on the wall would take a terminal."""
    told = director.get(f"/evening.{form}?book={BOOK}")
    assert (told.status_code, told.content[: len(BEGINS.get(form, b""))]) == (200, BEGINS.get(form, b"")), told.text
    if form not in BEGINS:
        out = tmp_path / f"sheet.{form}"
        assert run_command_line(
            ["--db", str(tmp_path / "club.db"), "sheet", "--book", BOOK, "-o", str(out), *["--bom"] * (form == "csv")]
        ) == 0
        assert told.content == out.read_bytes()
        assert 100 < len(director.get(f"/evening.{form}?book={BOOK}&day=2026-03-10").text) < len(told.text)
    pad = director.get(f"/games/yaniv/blank.{form}?players=3")
    assert (pad.status_code, pad.content[: len(BEGINS.get(form, b""))]) == (200, BEGINS.get(form, b"")), pad.text
    assert director.get(f"/games/yaniv/blank.{form}?players=19").status_code == 400
    assert director.get(f"/evening.{form}?book={BOOK}&day=2020-01-01").status_code == 404


def test_a_sheet_is_for_the_wall_or_of_one_hand(club: Evening, director: Asker) -> None:
    """If this failed, the page of a hand would take a terminal; a director reads it while the hand is played, too."""
    match = next(
        row["match"] for row in director.get(f"/matches?book={BOOK}").json()["matches"] if row["date"] == "2026-03-10"
    )
    whole, wall, hand = (director.get(f"/matches/{match}/sheet.html{more}") for more in ("", "?wall=true", "?hand=1"))
    assert 'class="signing"' in whole.text
    assert 'class="signing"' not in wall.text
    assert "Hand 1, " in hand.text
    assert director.get(f"/matches/{match}/sheet.html?hand=99").status_code == 404
    assert "Beside the score" in director.get(f"/evening.md?book={BOOK}").text
    assert "Beside the score" not in director.get(f"/evening.md?book={BOOK}&wall=true").text
    for language, day in (("de,en;q=0.8", "10.3.2026"), ("en-US", "March 10, 2026"), ("en-GB", "10 March 2026")):
        page = director.client.get(
            f"/api/v1/matches/{match}/sheet.html", headers={**director.headers, "accept-language": language},
        )
        assert day in page.text
        assert page.headers["vary"] == "accept-language"


def test_a_book_is_verified_and_signed(club: Evening, director: Asker, tmp_path: Path) -> None:
    """If this failed, nobody at the desk would see that a record was changed behind the club's back."""
    before = director.get(f"/proof?book={BOOK}").json()
    assert (before["found"], before["size"] > 100) == ([], True)
    made = director.post("/checkpoint", {"book": BOOK}).json()
    after = director.get(f"/proof?book={BOOK}").json()
    assert (after["note"], after["signed"], made["size"]) == (made["note"], after["size"], after["size"])
    assert f"/{BOOK}+" in made["key"]
    # The slip stands on the sheet of the evening.
    assert made["note"].splitlines()[2] in director.get(f"/evening.html?book={BOOK}").text
    with closing(sqlite3.connect(tmp_path / "club.db")) as db, db:
        db.execute("UPDATE matches SET is_over = 1 - is_over WHERE match = 'kaiser-0'")
    assert any("kaiser-0" in text for text in director.get(f"/proof?book={BOOK}").json()["found"])
    assert director.post("/checkpoint", {"book": "nix"}).status_code == 404


def test_all_books_are_copied_with_their_pictures_and_without_the_key(
    club: Evening, director: Asker, tmp_path: Path,
) -> None:
    """If this failed, a laptop that falls off the table would take the season with it."""
    assert director.client.post(
        "/api/v1/matches/kaiser-0/attachments?about=1", content=PNG,
        headers={**director.headers, "content-type": "image/png"},
    ).status_code == 201
    told = director.get("/backup")
    assert (told.status_code, told.headers["content-type"]) == (200, "application/zip")
    place = tmp_path / "elsewhere"
    with zipfile.ZipFile(io.BytesIO(told.content)) as packed:
        packed.extractall(place)
    [path] = place.glob("*.db")
    with Store.open(path) as copy, Store.open(tmp_path / "club.db", write=False) as store:
        assert [row.match for row in copy.matches()] == [row.match for row in store.matches()]
        [one] = attachments(copy.read("kaiser-0"))
        assert copy.copies.read(one.sha256, one.kind) == PNG
        assert copy.verify(BOOK).found == []
    assert not list(place.glob("*key*"))


def test_a_match_that_is_over_is_put_into_another_book(club: Evening, director: Asker) -> None:
    moved = director.post("/matches/scopa-0/book", {"book": "cup"})
    assert (moved.status_code, moved.json()) == (
        201, {"match": "scopa-0", "book": "cup", "before": BOOK, "recorded": BOOK},
    )
    assert [one["match"] for one in director.get("/matches?book=cup").json()["matches"]] == ["scopa-0"]
    assert {one["book"]: one["matches"] for one in director.get("/books").json()["books"]}["cup"] == 1
    running = club.match(game="scopa", match="running")
    for match, book, status in (
        (running, "cup", 400), ("scopa-0", "cup", 409), ("scopa-0", "", 400), ("nix", "cup", 404),
    ):
        refused = director.post(f"/matches/{match}/book", {"book": book})
        assert (refused.status_code, "kibitz" in refused.json().get("todo", "")) == (status, False), refused.text


def test_a_name_that_was_spelled_wrong_is_put_right(club: Evening, director: Asker) -> None:
    """If this failed, a sheet would say "Ane" until somebody sat down at a terminal; what stood there before stays
    in the record."""
    match = club.match(match="m9")
    told = director.post(
        f"/matches/{match}/called", {"title": "Friday", "round": "2", "table": "4", "seats": {"N": "Ann  Lee"}},
    )
    assert told.status_code == 201, told.text
    table = next(one for one in director.get("/board").json()["tables"] if one["match"] == match)
    assert (table["title"], table["table"], table["players"][0]) == ("Friday", "4", "Ann Lee")
    assert director.get("/matches?player=Ann%20Lee").json()["matches"][0]["players"][0] == "Ann Lee"
    events = director.get(f"/matches/{match}/events").json()["events"]
    assert len(events) == 2
    assert events[-1]["event"]["event"]["facts"]["Round"] == "2"
    for body, status in (
        ({"table": "4"}, 400), ({"seats": {"Q": "x"}}, 400), ({"date": "soon"}, 400), ({"seats": {"N": "Name E"}}, 400),
    ):
        assert director.post(f"/matches/{match}/called", body).status_code == status, body
    assert club.as_("recorder", match).post(f"/matches/{match}/called", {"title": "x"}).status_code == 403


@pytest.mark.rest
def test_a_match_that_was_a_trial_is_in_no_table(club: Evening, director: Asker) -> None:
    """If this failed, a game between two rounds would decide the league until somebody sat down at a terminal."""

    def counted() -> int:
        return int(director.get(f"/season?book={BOOK}").json()["matches"])

    before = counted()
    assert director.post("/matches/kaiser-0/called", {"trial": True}).status_code == 201
    assert counted() == before - 1
    assert director.post("/matches/kaiser-0/called", {"trial": True}).status_code == 400, "it is one already"
    assert director.post("/matches/kaiser-0/called", {"trial": False}).status_code == 201
    assert counted() == before


def test_a_workbook_has_its_sheets_and_what_was_changed_is_corrected(club: Evening, director: Asker) -> None:
    """If this failed, a secretary would read the first sheet of a workbook, or be stuck with a mistyped row."""
    book = pytest.importorskip("openpyxl").Workbook()
    book.active.title = "Rules"
    book.active.append(["nothing", "here"])
    book.active.append(["at", "all"])
    page = book.create_sheet("Results")
    for row in (("Day", "Ann", "Bo"), ("2026-03-14", 3, -3), ("2026-03-15", 1, -1)):
        page.append(row)

    def read(**query: str) -> Any:
        data = io.BytesIO()
        book.save(data)
        told = director.client.post(
            "/api/v1/results", params={"book": "old", **query}, content=data.getvalue(), headers=director.headers,
        )
        assert told.status_code == 200, told.text
        return told.json()

    first = read()
    assert (first["sheets"], first["sheet"], first["heads"]) == (["Rules", "Results"], "Rules", ["nothing", "here"])
    asked = {"sheet": "Results", "mapped": json.dumps(read(sheet="Results")["mapped"]), "write": "true"}
    assert [one["status"] for one in read(**asked)["matches"]] == ["new", "new"]
    page["B3"] = 5
    told = read(**asked)["matches"]
    assert [one["status"] for one in told] == ["same", "refused"]
    assert told[1]["differs"] == ["@ tally points.A=1 points.B=-1 → @ tally points.A=5 points.B=-1"]
    assert [one["status"] for one in read(**asked, correct="true")["matches"]] == ["same", "corrected"]
    assert [one["status"] for one in read(**asked)["matches"]] == ["same", "same"]
    plays = director.get("/plays.bgsplay?book=old&day=2026-03-15").json()["plays"]
    assert [[one["score"] for one in play["playerScores"]] for play in plays] == [["5", "-1"]]
    assert director.get("/plays.bgsplay?book=old&day=2026-03-16").status_code == 404


TABLE = b"Day;Ann;Bo;Note\n2026-03-14;3;-3;\n2026-03-15;1;ill;\n"


def test_a_spreadsheet_is_shown_before_it_is_read_and_read_before_it_is_written(
    club: Evening, director: Asker, tmp_path: Path,
) -> None:
    """If this failed, a club with its results in a spreadsheet would begin at a terminal, or write what it has not
    seen."""

    def brought(**query: str) -> Any:
        told = director.client.post(
            "/api/v1/results", params={"book": "old", **query}, content=TABLE,
            headers={**director.headers, "content-type": "text/csv"},
        )
        assert told.status_code == 200, told.text
        return told.json()

    before = len(director.get("/matches?limit=200").json()["matches"])
    shown = brought()
    assert (shown["heads"], shown["rows"][0]) == (["Day", "Ann", "Bo", "Note"], ["2026-03-14", "3", "-3"])
    assert (shown["mapped"]["columns"], shown["mapped"]["wide"], shown["matches"]) == ({"date": "Day"}, True, [])
    assert shown["understood"] == ["Day: the day", "players or pairs with their points: Ann, Bo", "passed over: Note"]
    assert ["tricks.NS", "tricks taken by a side: N & S"] in brought(game="kaiser")["keys"]
    mapped = json.dumps({**shown["mapped"], "skip": ["Note"]})
    looked = brought(mapped=mapped)
    assert (looked["count"], looked["written"], [fault["row"] for fault in looked["faults"]]) == (1, False, [3])
    assert looked["matches"][0]["text"] == "row 2: 14 March 2026, Ann 3, Bo −3"
    assert len(director.get("/matches?limit=200").json()["matches"]) == before
    assert [one["status"] for one in brought(mapped=mapped, write="true")["matches"]] == ["new"]
    assert [one["status"] for one in brought(mapped=mapped, write="true")["matches"]] == ["same"]
    assert director.get("/matches?book=old").json()["matches"][0]["players"] == ["Ann", "Bo"]
    # It is remembered, here and in the terminal.
    assert brought()["mapped"]["skip"] == ["Note"]
    (tmp_path / "old.csv").write_bytes(TABLE)
    assert run_command_line(
        ["--db", str(tmp_path / "club.db"), "results", str(tmp_path / "old.csv"), "--book", "old"]
    ) == 4, "row 3 cannot be read"
    for query, status in (
        ({"mapped": "x"}, 400), ({"game": "nix"}, 404),
        ({"mapped": json.dumps({"game": "kaiser", "columns": {"N": "Nobody"}})}, 400),
    ):
        told = director.client.post("/api/v1/results", params=query, content=TABLE, headers=director.headers)
        assert told.status_code == status, told.text
    assert director.client.post("/api/v1/results", content=b"", headers=director.headers).status_code == 422
    assert club.as_("recorder", "kaiser-0").client.post(
        "/api/v1/results", content=TABLE, headers=club.as_("recorder", "kaiser-0").headers,
    ).status_code == 403


def test_what_a_spreadsheet_can_mean_is_asked_in_the_browser_too(club: Evening, director: Asker) -> None:
    """If this failed, two spellings of one member would stay two rows, or an evening would be in the wrong month."""

    def brought(table: str, **query: str) -> Any:
        return director.client.post(
            "/api/v1/results", params={"book": "old", **query}, content=table.encode(),
            headers={**director.headers, "content-type": "text/csv"},
        ).json()

    table = "Hearts 2026;;\nDate;Marcel;Marcel D.\n3/4/2026;1;2\n"
    shown = brought(table)
    assert (shown["rows"], shown["question"]) == ([["3/4/2026", "1", "2"]], "3/4/2026 can be 2026-04-03 or 2026-03-04")
    written = brought(table, mapped=json.dumps({**shown["mapped"], "dates": "dmy"}), write="true")
    assert (
        written["matches"][0]["status"], written["question"], written["alike"],
    ) == ("new", "", [["Marcel", "Marcel D."]])
    assert director.post(
        "/players", {"did": "same", "name": "Marcel", "into": "Marcel D."},
    ).json() == {"id": "p1", "name": "Marcel D."}
    assert [
        (one["name"], one["id"]) for one in director.get("/players?book=old").json()["players"]
    ] == [("Marcel D.", "p1")]


def test_a_movement_is_made_begun_and_shown_on_the_board(club: Evening, director: Asker) -> None:
    """If this failed, the hall would not know who meets whom next, or a director would begin each table alone."""
    asked = {
        "book": "cup", "day": "2026-04-07", "game": "kaiser", "how": "swiss",
        "entrants": ["Ann & Bo", "Cy & Di", "Ed & Flo", "Zoë & Yan", "One & Two"],
    }
    made = director.post("/movement", asked)
    assert (made.status_code, made.json()["begun"], made.json()["rounds"][0]["bye"]) == (201, 0, "One & Two")
    hall = club.as_("spectator", book="cup")
    board = hall.get("/board?book=cup").json()
    assert (board["round"], board["meetings"], board["tables"]) == (
        "Next: round 1 of 1", ["1: Ann & Bo – Ed & Flo", "2: Cy & Di – Zoë & Yan", "One & Two has a bye"], [],
    )
    assert director.post("/movement", {"book": "cup", "round": 1}).json()["begun"] == 1
    board = hall.get("/board?book=cup").json()
    assert (board["round"], [one["players"] for one in board["tables"]]) == (
        "", [["Ann", "Ed", "Bo", "Flo"], ["Cy", "Zoë", "Di", "Yan"]],
    )
    early = director.post("/movement", {"book": "cup", "draw": True})
    assert (early.status_code, "has no result" in early.text) == (400, True)
    for table, side in ((1, "EW"), (2, "NS")):
        for line in (
            "hand", f"tally declarer={side} level=7 tricks.{side}=8 five={side} three={side}", "end match time",
        ):
            assert director.line(f"cup-2026-04-07-r1-t{table}", line).status_code == 201
    drawn = director.post("/movement", {"book": "cup", "draw": True}).json()["rounds"][1]["tables"]
    assert set(drawn[0]["sits"]) == {"Ed & Flo", "Cy & Di"}, "the two who won"
    assert director.get("/movement?book=cup").json()["begun"] == 1
    assert director.get("/movement.html?book=cup").text.count(">Round ") == 2
    for body, status in (
        ({"book": "cup", "round": 1}, 409), ({"book": "cup", "round": 9}, 400), ({**asked, "how": "dance"}, 400),
        ({**asked, "game": "scopa"}, 400), ({**asked, "day": "soon"}, 400), ({"book": "nix", "round": 1}, 404),
    ):
        assert director.post("/movement", body).status_code == status, body
    other = director.post(
        "/matches", {"game": "scopa", "book": "cup", "date": "2026-03-01", "seats": {}},
    ).json()["match"]
    assert other not in {
        one["match"] for one in hall.get("/board?book=cup").json()["tables"]
    }, "the board is of the evening"
    assert club.as_("director", book="other").post("/movement", asked).status_code == 403
    assert hall.get("/movement?book=cup").status_code == 403
    assert club.as_("spectator", book="other").get("/board?book=cup").json()["meetings"] == []


def test_only_directors_of_a_book_ask_about_it(club: Evening) -> None:
    """If this failed, a spectator could fetch the cards of a whole season as a file."""
    asked = [
        club.as_("recorder", "kaiser-0"), club.as_("seat", "kaiser-0", "N"), club.as_("spectator"),
        club.as_("director", "kaiser-0"),
    ]
    for asker in asked:
        for path in ("/books", "/evening.csv", "/proof", "/backup"):
            assert (path, asker.get(path).status_code) == (path, 403)
        assert asker.post("/checkpoint", {"book": BOOK}).status_code == 403
        assert asker.post("/matches/kaiser-0/book", {"book": "x"}).status_code == 403
    own = club.as_("director", book="other")
    assert own.get("/evening.csv?book=other").status_code == 200
    assert [one["book"] for one in own.get("/books").json()["books"]] == ["other"]
    for path in (f"/evening.csv?book={BOOK}", f"/proof?book={BOOK}", "/backup"):
        assert own.get(path).status_code == 403
    assert own.post("/matches/away/book", {"book": "x"}).status_code == 403
