"""What a list shows is what was proved: the columns beside the events are derived from them, or checked against
them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from plain_rows import mend
from sampling import a_few

from cli.app import run_command_line
from events.errors import StoreError
from events.model import Fix, Open, Pass, Recorded
from records import HOME, Store

PASS = Recorded(n=0, event=Pass(by="N"))


@pytest.fixture
def evening(store: Store, path: Path) -> Path:
    """Two books and four matches, one of them sealed and one a variation; closed."""
    for name, book in (("one", HOME), ("two", "cup"), ("three", HOME)):
        store.create_match({"Seats": "N E S W", "N": "Ann"}, game="kaiser", match=name, book=book)
        store.append(name, [PASS])
    facts = {"Game": "kaiser", "Match": "four", "Parent": "one", "ParentEvent": 1}
    log = [Recorded(n=0, event=Open(by="@", facts=facts), time="2026-03-14T20:30:00.000Z")]
    store.import_match("four", log, game="kaiser")
    store.seal("two", unfinished=True)
    store.seal("three", unfinished=True)
    store.append("one", [PASS])
    store.close()
    return path


def forge(path: Path, words: str) -> None:
    """Somebody changes an entry, and computes its check sum anew."""
    conn = sqlite3.connect(path, isolation_level=None)
    assert conn.execute(words).rowcount > 0
    mend(conn)
    conn.close()


def seen(path: Path) -> list[object]:
    """All that a reader is shown beside the events."""
    with Store.open(path, write=False) as store:
        return [store.matches(), store.books(), store.last_open_match()]


FORGED = {
    "game": "UPDATE matches SET game = 'yaniv'",
    "game of a sealed one": "UPDATE matches SET game = 'yaniv' WHERE is_sealed",
    "beginning": "UPDATE matches SET created = '2020-01-01T00:00:00.000Z'",
    "beginning of one": "UPDATE matches SET created = '2030-01-01T00:00:00.000Z' WHERE match = 'three'",
    "last change": "UPDATE matches SET changed = '2020-01-01T00:00:00.000Z' WHERE match = 'one'",
    "last change of all": "UPDATE matches SET changed = match",
    "a parent": "UPDATE matches SET parent = 'two', parent_n = 0 WHERE match = 'one'",
    "another parent": "UPDATE matches SET parent = 'two' WHERE match = 'four'",
    "another place": "UPDATE matches SET parent_n = 0 WHERE match = 'four'",
    "no parent": "UPDATE matches SET parent = NULL, parent_n = NULL WHERE match = 'four'",
    "a book": "UPDATE books SET created = '2020-01-01T00:00:00.000Z' WHERE book = 'cup'",
    "all books": "UPDATE books SET created = book",
}
REPORTED = {
    name for name in FORGED if "game" in name or "beginning" in name or name.startswith(("a parent", "another"))
}


@pytest.mark.parametrize("name", a_few(FORGED, 4))
def test_a_forged_entry_changes_nothing_that_is_shown(evening: Path, name: str) -> None:
    """Given entries that were changed, check sums and all, then the lists are as before; what could differ is
    reported."""
    before = seen(evening)
    forge(evening, FORGED[name])
    assert seen(evening) == before
    with Store.open(evening, write=False) as store:
        found = [c for book in (HOME, "cup") for c in store.verify(book).found]
    assert all(c.kind == "edited" and "the entry of match" in c.text for c in found)
    assert bool(found) == (name in REPORTED)


@pytest.mark.parametrize("name", a_few(sorted(REPORTED), 2))
def test_check_sums_alone_do_not_tell(evening: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the comparison with the opening, a patient forger is not found."""
    monkeypatch.setattr("records.proof.verify._listed", lambda *_: [])
    forge(evening, FORGED[name])
    with Store.open(evening, write=False) as store:
        assert [c for book in (HOME, "cup") for c in store.verify(book).found] == []


def test_what_is_shown_comes_from_the_events(evening: Path) -> None:
    with Store.open(evening, write=False) as store:
        rows = {row.match: row for row in store.matches()}
        logs = {name: store.read(name) for name in rows}
        assert [row.match for row in store.matches(book=HOME)] == ["one", "four", "three"]
        assert [row.book for row in store.books()] == [HOME, "cup"]
        assert store.books()[1].created == logs["two"][0].time
        assert store.last_open_match() == "one"
    for name, log in logs.items():
        assert (rows[name].created, rows[name].changed) == (log[0].time, log[-1].time)
    assert (rows["four"].parent, rows["four"].parent_n) == ("one", 1)


def test_a_match_without_times_shows_none(store: Store) -> None:
    """What nobody recorded is not made up: when a file was imported is proved by nothing."""
    opening = Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser"}))
    store.import_match("bare", [opening, Recorded(n=1, event=Pass(by="N"))], game="kaiser")
    (row,) = store.matches()
    assert (row.created, row.changed, row.game) == ("", "", "kaiser")
    assert store.verify(HOME).found == []


# Whether a match is over


@pytest.fixture
def played(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match that was ended, and one that was not, as the commands record them."""
    monkeypatch.setenv("KIBITZ_DB", str(path))
    for name in ("done", "begun"):
        seats = [part for seat in "NESW" for part in ("--seat", f"{seat}=P{seat}")]
        assert run_command_line(["new", "kaiser", *seats, "--id", name]) == 0
    path.with_name("end").write_text("@ end match agreed\n")
    assert run_command_line(["append", "done", str(path.with_name("end"))]) == 0
    return path


def test_the_end_of_a_match_and_the_note_of_it_are_one(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a note that cannot be written, when a match is ended, then it is not: so an honest entry never lags."""

    def fails(*_: object) -> None:
        raise StoreError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "set_over", fails)
        assert run_command_line(["append", "begun", str(played.with_name("end"))]) == 7
    with Store.open(played, write=False) as store:
        assert store.length("begun") == 1
    assert run_command_line(["append", "begun", str(played.with_name("end"))]) == 0
    assert run_command_line(["verify", HOME]) == 0
    with Store.open(played, write=False) as store:
        assert [row.over for row in store.matches()] == [True, True]


@pytest.mark.parametrize(("match", "over"), [("done", 0), ("begun", 1)])
def test_whether_a_match_is_over_is_checked(
    played: Path, match: str, over: int, capsys: pytest.CaptureFixture[str],
) -> None:
    """Given an entry that says otherwise than the events, then verify and check name it; before that they do not."""
    for command in (["verify", HOME], ["db", "check"]):
        assert run_command_line(command) == 0
    forge(played, f"UPDATE matches SET is_over = {over} WHERE match = '{match}'")
    capsys.readouterr()
    for command in (["verify", HOME], ["db", "check"]):
        assert run_command_line(command) == 7
        said = capsys.readouterr().out
        assert f"the entry of match {match} was changed: it says that it is {'' if over else 'not '}over" in said
    with Store.open(played, write=False) as store:
        assert store.verify(HOME).found == [], "the control: the store alone knows no rules"


def renamed(name: str) -> Recorded:
    """North was called otherwise all along."""
    return Recorded(
        n=0,
        event=Fix(
            by="@", at=0, how="replace", event=Open(by="@", facts={"Game": "kaiser", "Seats": "N E S W", "N": name}),
        )
    )


@pytest.mark.parametrize("kept", ["open", "sealed", "bound with others"])
def test_a_match_is_listed_by_the_names_of_today(kept: str, store: Store) -> None:
    """If this failed, `kibitz list` and what Tab offers would go on with a name that was spelled wrong."""
    for name in ("one", "two", "three"):
        store.create_match({"Seats": "N E S W", "N": "Ann"}, game="kaiser", match=name)
        store.append(name, [PASS, *[renamed("Anne")] * (name == "two")])
    if kept == "sealed":
        store.seal("two", unfinished=True)
    elif kept == "bound with others":
        assert [
            sealed.match for sealed in store.seal_all(("one", "two", "three"), unfinished=True)
        ] == ["one", "two", "three"]
    assert {row.match: row.facts["N"] for row in store.matches()} == {"one": "Ann", "two": "Anne", "three": "Ann"}
    if kept == "open":
        # What was looked through once is not looked through again; what comes behind it is.
        store.append("two", [renamed("Anna")])
        store.append("one", [PASS, renamed("Antonia")])
        assert {
            row.match: row.facts["N"] for row in store.matches()
        } == {"one": "Antonia", "two": "Anna", "three": "Ann"}
    assert store.read("two")[0].event.facts["N"] == "Ann", "the record keeps what was written"
