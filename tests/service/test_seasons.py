"""Over many matches: who may ask for tables, players and finds, and what hangs out for the others."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest
from a_season import BOOK
from sampling import a_few
from service_at import Asker, Evening

from cli.app import run_command_line
from events.register_notes import NameLink
from records import Store, load_file, players
from records.moving_matches import file_match
from service.grants import VERSION, Grants

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def command(tmp_path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> object:
    """What the command says of the same store."""
    assert run_command_line(["--db", str(tmp_path / "club.db"), *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.rest
def test_what_is_answered_is_what_the_commands_say(
    club: Evening, director: Asker, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, the wall of the club and its secretary would have two tables."""
    for path, words in (
        (f"/season?book={BOOK}", ("season", "--book", BOOK)),
        (
            f"/season?book={BOOK}&by=points&from=2026-03&best=1&breaches=true&title=Spring",
            (
                "season", "--book", BOOK, "--by", "points", "--from", "2026-03", "--best", "1", "--breaches", "--title",
                "Spring",
            )
        ),
        ("/season?player=Ann%20Lee&formula=3*won", ("season", "--player", "Ann Lee", "--formula", "3*won")),
        (
            f"/season?book={BOOK}&game=scotch-whist&ratings=true",
            ("season", "--book", BOOK, "--game", "scotch-whist", "--ratings"),
        ),
        ("/find?comment=whose+turn&limit=1", ("find", "--comment", "whose turn", "--most", "1")),
        (
            "/find?player=Ann%20Lee&player=Bo%20Hart&game=kaiser",
            ("find", "--player", "Ann Lee", "--player", "Bo Hart", "--game", "kaiser"),
        ),
        ("/find?dispute=open&to=2026", ("find", "--dispute", "open", "--to", "2026")),
        (f"/find?highlights=true&book={BOOK}", ("find", "--highlights", "--book", BOOK)),
    ):
        told = director.get(path)
        assert told.status_code == 200, told.text
        assert told.json() == command(tmp_path, capsys, *words, "--json"), path
    people = director.get("/players").json()["players"]
    assert {one["name"] for one in people} >= {"Ann Lee", "Bo Hart"}
    assert all(one["id"] == "" and one["matches"] >= one["counted"] for one in people)
    for form, begins in (
        ("html", b"<!DOCTYPE html>"), ("csv", b"\xef\xbb\xbftable,place,player"), ("md", b"# league"), ("xlsx", b"PK"),
    ):
        told = director.get(f"/season.{form}?book={BOOK}")
        assert (told.status_code, told.content[: len(begins)]) == (200, begins)


@pytest.mark.parametrize(
    ("path", "status"),
    a_few([
        ("/season?by=luck", 400), ("/season?by=points&formula=won", 400), ("/season?formula=import%20os", 400),
        ("/season?from=2026-13", 400), ("/season?book=nix", 404), ("/season?player=Nobody", 404), ("/find", 400),
        ("/find?score=many", 400), ("/find?outcome=lost", 400), ("/find?player=Nobody", 404), ("/season.docx", 404),
    ], 3),
)  # fmt: skip
def test_what_cannot_be_asked_is_said(club: Evening, director: Asker, path: str, status: int) -> None:
    told = director.get(path)
    assert (told.status_code, told.headers["content-type"]) == (status, "application/problem+json")


def test_part_of_a_name_finds_the_names_that_may_be_meant(director: Asker) -> None:
    """If this failed, whoever looks for Hart would be offered those alone who are in the register."""
    told = director.get("/find?player=hart").json()
    assert (told["title"], told["expected"]) == ("no player is called 'hart'", "Bo Hart")


@pytest.mark.rest
def test_a_spectator_opens_an_evening_by_what_there_is_to_see(club: Evening, tmp_path: Path) -> None:
    """If this failed, those who missed an evening would not know which of its hands the others talk about."""
    for name in ("kaiser-evening", "mattis-evening", "tresette-osteria"):
        club.match(list(load_file(str(EXAMPLES / f"{name}.kib")).records), name.split("-")[0], name)
    spectator = club.as_("spectator")
    days = {row["match"]: row["date"] for row in spectator.get("/matches?limit=200").json()["matches"]}
    hits = spectator.get(f"/worth-opening?day={days['kaiser-evening']}").json()["hits"]
    assert {hit["match"] for hit in hits} == {match for match, day in days.items() if day == days["kaiser-evening"]}
    kinds = [hit["kind"] for hit in hits]
    assert kinds == sorted(kinds, key=["broken", "dispute", "swing"].index)
    told = {(hit["match"], hit["hand"], hit["at"]): hit["text"] for hit in hits}
    assert told["kaiser-evening", 3, 96] == "diamonds were led, and Doris holds one"
    assert told["kaiser-evening", 4, 128] == "biggest swing: Marcel & Doris +22, Olena & Walter −1"
    assert spectator.get("/worth-opening?day=1999-01-01").json()["hits"] == []
    own = club.as_("spectator", "kaiser-evening").get(f"/worth-opening?day={days['kaiser-evening']}").json()["hits"]
    assert {hit["match"] for hit in own} == {"kaiser-evening"}


def test_of_a_hand_that_is_played_nothing_is_worth_opening_yet(club: Evening) -> None:
    """If this failed, a revoke would be told to the table while it can still be used."""
    records = list(load_file(str(EXAMPLES / "kaiser-evening.kib")).records)
    day = str(records[0].event.facts["Date"])
    upto = next(i for i, r in enumerate(records) if r.n == 119)
    club.match(records[:upto], "kaiser")
    asked = f"/worth-opening?day={day}"
    assert 3 in {hit["hand"] for hit in club.as_("director").get(asked).json()["hits"]}
    assert 3 not in {hit["hand"] for hit in club.as_("spectator").get(asked).json()["hits"]}


PATHS = ("/season", "/season.csv", "/players", "/find?comment=whose")


def test_only_directors_ask_over_many_matches(club: Evening, tmp_path: Path) -> None:
    """If this failed, cards that the table never saw could be told from a total."""
    match = "kaiser-0"
    askers = [
        club.as_("recorder", match), club.as_("seat", match, "N"), club.as_("spectator"),
        club.as_("spectator", book=BOOK), club.as_("director", match),
    ]
    for asker in askers:
        for path in PATHS:
            assert (path, asker.get(path).status_code) == (path, 403)
        assert asker.post("/hung-out", {"book": BOOK}).status_code == 403
        assert asker.delete(f"/hung-out?book={BOOK}").status_code == 403
    club.client.cookies.clear()
    assert all(club.client.get(f"/api/v1{path}").status_code == 401 for path in (*PATHS, "/hung-out", "/hung-out.html"))


def test_the_director_of_a_book_asks_about_no_other(club: Evening, director: Asker) -> None:
    """If this failed, one club would read the results of another in the same store."""
    own = club.as_("director", book="other")
    assert own.get("/season").json() == director.get("/season?book=other").json()
    assert [hit["match"] for hit in own.get("/find?game=scopa").json()["hits"]] == ["away"]
    assert own.get("/players").json() == director.get("/players?book=other").json() != director.get("/players").json()
    for path in (f"/season?book={BOOK}", f"/players?book={BOOK}", f"/find?book={BOOK}"):
        assert own.get(path).status_code == 403
    # Who has played elsewhere is as unknown there as nobody.
    assert director.get("/season?player=Zoë").status_code == 200
    elsewhere, nobody = own.get("/season?player=Zoë"), own.get("/season?player=Nix")
    assert elsewhere.status_code == nobody.status_code == 404
    assert elsewhere.text.replace("Zoë", "Nix") == nobody.text


def test_the_director_says_who_is_who(
    club: Evening, director: Asker, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, a name that is spelled in two ways would have two rows in the table until somebody sat down at
    a terminal."""

    def named() -> dict[str, dict[str, object]]:
        return {one["name"]: one for one in director.get("/players").json()["players"]}

    assert {"name": "Ann Lee", "id": ""} not in named()["Bo Hart"]["like"]
    made = director.post("/players", {"did": "add", "name": "Anna Lee"})
    assert (made.status_code, made.json()) == (201, {"id": "p1", "name": "Anna Lee"})
    assert {"name": "Anna Lee", "id": "p1"} in named()["Ann Lee"]["like"]
    assert director.post("/players", {"did": "link", "player": "p1", "name": "Ann Lee"}).status_code == 201
    told = named()
    assert "Ann Lee" not in told
    assert told["Anna Lee"]["links"] == [
        {"name": name, "book": "", "match": "", "seat": ""} for name in ("Anna Lee", "Ann Lee")
    ]
    assert told["Anna Lee"]["matches"]
    assert director.post(
        "/players", {"did": "link", "player": "p1", "match": "away", "seat": "A"},
    ).status_code in (201, 409)
    assert director.post(
        "/players", {"did": "rename", "player": "p1", "name": "Ann Lee-Hart"},
    ).json()["name"] == "Ann Lee-Hart"
    assert director.post("/players", {"did": "unlink", "player": "p1", "name": "Ann Lee"}).status_code == 201
    assert director.post("/players", {"did": "add", "name": "Bo Hart"}).json()["id"] == "p2"
    assert director.post("/players", {"did": "merge", "player": "p2", "into": "p1"}).json()["id"] == "p1"
    listed = command(tmp_path, capsys, "player", "list", "--json")
    assert [one["name"] for one in listed["players"]] == ["Ann Lee-Hart"]
    assert director.post("/players", {"did": "forget", "player": "p1"}).json()["name"] == "Former player 1"
    # What went wrong is said without a command: whoever reads it has a page.
    for deed, status in (
        ({"did": "add", "name": ""}, 400), ({"did": "rename", "player": "p1", "name": "x"}, 409),
        ({"did": "rename", "player": "p9", "name": "x"}, 404), ({"did": "link", "player": "p1"}, 409),
    ):
        refused = director.post("/players", deed)
        assert (refused.status_code, "kibitz" in refused.json().get("todo", "")) == (status, False), refused.text
    assert club.as_("director", book="other").post("/players", {"did": "add", "name": "x"}).status_code == 403


def test_a_table_that_hangs_out_is_read_as_it_was(club: Evening, director: Asker) -> None:
    """If this failed, the hall would see no table, or one that tells of matches that were not to be told yet."""
    hall, others, player = club.as_("spectator", book=BOOK), club.as_(
        "spectator", book="other",
    ), club.as_("seat", "kaiser-0", "N")
    assert hall.get("/hung-out").json() == {"tables": []}
    assert hall.get(f"/hung-out.html?book={BOOK}").status_code == 404
    made = director.post("/hung-out", {"book": BOOK, "by": "points", "title": "The league"})
    assert made.status_code == 201, made.text
    assert made.json()["title"] == "The league"
    page = director.get(f"/season.html?book={BOOK}&by=points&title=The+league").content
    for asker in (hall, player, club.as_("spectator"), director):
        assert asker.get("/hung-out").json()["tables"] == [made.json()]
        assert asker.get(f"/hung-out.html?book={BOOK}").content == page
    assert others.get("/hung-out").json() == {"tables": []}
    assert others.get(f"/hung-out.html?book={BOOK}").status_code == 404
    # Another match is not in it before it is hung out again.
    club.service.shared.group.submit(lambda store: fill_more(store)).result()
    assert director.get(f"/season.html?book={BOOK}&by=points&title=The+league").content != page
    assert hall.get(f"/hung-out.html?book={BOOK}").content == page
    # That of all books hangs for everybody.
    assert director.post("/hung-out", {}).status_code == 201
    assert [one["book"] for one in others.get("/hung-out").json()["tables"]] == [""]
    assert others.get("/hung-out.html").status_code == 200
    assert director.delete(f"/hung-out?book={BOOK}").status_code == 204
    assert hall.get(f"/hung-out.html?book={BOOK}").status_code == 404


def fill_more(store: Store) -> None:
    from a_season import NAMES
    from a_season import evening as played

    from records.transfer import import_records

    import_records(store, played("more", "scopa", 77, "2026-05-01", NAMES), book=BOOK)


def test_whoever_is_forgotten_hangs_out_no_more(club: Evening, director: Asker) -> None:
    """If this failed, a name that was to be forgotten would go on hanging on the wall, or be sent from what the
    service keeps."""
    hall = club.as_("spectator", book=BOOK)
    assert director.post("/hung-out", {"book": BOOK}).status_code == 201
    assert "Ann Lee" in hall.get(f"/hung-out.html?book={BOOK}").text
    seated = next(row["match"] for row in director.get(f"/matches?book={BOOK}&player=Ann%20Lee").json()["matches"])
    assert "Ann Lee" in director.get(f"/matches/{seated}").text

    def forget(store: Store) -> None:
        player = players.add_player(store, "Ann Lee")
        players.forget_player(store, players.link_name(store, player, NameLink("Ann Lee")))

    club.service.shared.group.submit(forget).result()
    assert hall.get(f"/hung-out.html?book={BOOK}").status_code == 404
    assert hall.get("/hung-out").json() == {"tables": []}
    for path in (
        f"/season?book={BOOK}", "/players", f"/find?book={BOOK}", f"/matches/{seated}", f"/matches/{seated}/frames",
        f"/matches/{seated}/kib", "/matches",
    ):
        told = director.get(path)
        assert told.status_code == 200
        assert ("Ann Lee" in told.text, "Former player 1" in told.text or "hits" in told.text) == (False, True), path


def test_a_table_as_the_club_has_it_is_asked_for_and_hung_out(club: Evening, director: Asker) -> None:
    """If this failed, the hall would see a table without the evenings or the decisions that the director chose to
    show."""
    who = director.post("/players", {"did": "add", "name": "Ann Lee"}).json()["id"]
    decided = {
        "did": "adjust", "player": who, "book": BOOK, "game": "scopa", "day": "2026-03-03", "figures": ["vp=-3"],
        "why": "came late",
    }
    assert director.post("/players", decided).status_code == 201
    for wrong in ({"figures": ["luck=1"]}, {"figures": []}, {"day": "soon"}, {"why": ""}):
        assert director.post("/players", {**decided, **wrong}).status_code == 400, wrong
    asked = {"book": BOOK, "game": "scopa", "vp": "5,10,10\n,20,0", "ties": "all"}
    made = director.get(f"/season?{urlencode({**asked, 'grid': 'true', 'records': 'true', 'dues': '2.50'})}").json()
    table = made["tables"][0]
    assert (made["formula"], made["grid"], made["ties"][0]) == ("vp", True, "head-to-head")
    assert [
        (one["name"], one["kind"], one["figures"], one["why"]) for one in table["adjusted"]
    ] == [("Ann Lee", "adjusted", {"vp": -3}, "came late")]
    assert {one["what"] for one in table["records"]} >= {"best total"}
    assert table["settled"]["dues"] == 250 * sum(one["evenings"] for one in table["settled"]["accounts"])
    for wrong in ({"vp": "x"}, {"ties": "luck"}, {"dues": "much"}, {"by": "vp", "vp": ""}):
        assert director.get(f"/season?{urlencode({**asked, **wrong})}").status_code in (400, 422), wrong
    assert director.post("/hung-out", {**asked, "grid": True, "records": True}).status_code == 201
    page = club.as_("spectator", book=BOOK).get(f"/hung-out.html?book={BOOK}").text
    assert all(text in page for text in ("Evening by evening", "Decided by the director", "came late", "Records"))
    assert director.post("/players", {"did": "withdraw", "n": 99}).status_code == 404
    assert director.post("/players", {"did": "withdraw", "n": table["adjusted"][0]["n"]}).json()["name"] == "Ann Lee"
    assert director.get(f"/season?{urlencode(asked)}").json()["tables"][0]["adjusted"] == []


def test_a_match_that_was_moved_is_of_its_new_book(club: Evening) -> None:
    """If this failed, the list of a book would name a match that its director may not open."""
    new, old = club.as_("director", book="cup"), club.as_("director", book=BOOK)
    assert new.get("/matches/scopa-0").status_code == 404
    assert old.get("/matches/scopa-0").status_code == 200
    club.service.shared.group.submit(lambda store: file_match(store, "scopa-0", "cup", over=True)).result()
    assert [row["match"] for row in new.get("/matches").json()["matches"]] == ["scopa-0"]
    assert new.get("/matches/scopa-0").status_code == 200
    assert old.get("/matches/scopa-0").status_code == 404


def test_the_register_is_no_match(club: Evening, director: Asker) -> None:
    """If this failed, the names that were to be forgotten would be read where they are written."""
    club.service.shared.group.submit(lambda store: players.add_player(store, "Ann Lee")).result()
    for path in ("/matches/register", "/matches/register/events", "/matches/register/kib", "/matches/register/bundle"):
        assert (path, director.get(path).status_code) == (path, 404)
    assert director.line("register", "note x").status_code == 404
    assert director.get("/matches?book=register").json() == {"matches": [], "more": False}


def test_grants_of_the_version_before_are_taken_over(tmp_path: Path) -> None:
    """If this failed, an update of the service would end all links."""
    path = tmp_path / "club.db.grants"
    grants = Grants(path)
    secret = grants.secret(grants.give("Ann", "director"), "token")
    grants._db.execute("DROP TABLE hung_out")
    grants._db.execute("PRAGMA user_version = 1")
    grants.close()
    again = Grants(path)
    assert again.shown(secret, ("token",)) is not None
    assert again.hung_out() == []
    assert again._db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    again.close()


def test_a_choice_is_read_as_the_address_has_it() -> None:
    """If this failed, a table would be hung out for other days than those that were looked at."""
    from replay.season.choice import SeasonChoice

    assert msgspec.json.decode(
        b'{"from":"2026-03","to":"2026-04"}', type=SeasonChoice,
    ) == SeasonChoice(first="2026-03", last="2026-04")
