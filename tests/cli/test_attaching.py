"""Pictures attached at the terminal, and what becomes of them in lists, replays, reports, bundles and backups."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from events.canon import encode
from events.kib import read_kib
from events.model import Recorded
from events.versions import record_version
from replay.table import scribe

from .conftest import REVOKE, Kibitz, Result
from .test_json import documented, same_shape

JPEG, PNG, PDF = b"\xff\xd8\xff\xe0" + b"sheet" * 500, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"pile" * 50, b"%PDF-1.7 scan"


@pytest.fixture
def place(evening: Kibitz, tmp_path: Path) -> Kibitz:
    """An evening, and pictures of it; one of them is no picture."""
    for name, data in (("sheet.jpg", JPEG), ("pile.dat", PNG), ("scan.pdf", PDF), ("text.jpg", b"Anna 7\n")):
        (tmp_path / name).write_bytes(data)
    return evening


def copies(folder: Path) -> list[Path]:
    """The copies beside the store."""
    return sorted((folder / "kibitz.db-attached").iterdir())


def test_a_picture_is_attached_listed_and_removed(place: Kibitz, tmp_path: Path) -> None:
    """If this failed, a table could not keep its paper sheet with the match, or not be rid of it again."""
    done = place("attach", "eve", "sheet.jpg", "{after hand 1}")
    assert (done.code, done.out) == (0, "6  attached: JPEG, 2 kB\n")
    assert "SHA-256" in done.err
    assert place(
        "--recorder", "ann", "attach", "eve", "pile.dat", "#3", "4", "the pile",
    ).out == "7  attached: PNG, 216 bytes, on events 3, 4\n"
    assert place("attach", "eve", "scan.pdf", "0", "3", "pages").out == "8  attached: PDF, 13 bytes\n"
    assert place("attach", "eve", "sheet.jpg", "after hand 1").out == "this picture is attached already, at event 6\n"
    assert sorted(path.suffix for path in copies(tmp_path)) == [".jpg", ".pdf", ".png"]
    told = place("attach", "eve").out.splitlines()
    assert told[::2] == [
        "#6  JPEG, 2 kB: after hand 1", "#7  PNG, 216 bytes, on events 3, 4: the pile", "#8  PDF, 13 bytes: 3 pages",
    ]
    assert all(Path(line.strip()).is_file() for line in told[1::2])
    assert place("attach", "eve", "--remove", "7", "wrong", "pile").out == "9  the copy of the picture was removed\n"
    assert "already says" in place("attach", "eve", "--remove", "7").out
    assert "removed at event 9" in place("attach", "eve").out
    assert "@ note #7 removed=" in place("log", "eve").out
    assert "wrong pile" in place("log", "eve").out
    assert len(copies(tmp_path)) == 2
    assert "a picture is attached: jpeg, 2 kb" in place("replay", "eve").out.lower()
    assert "attached: #6 JPEG, 2 kB; #7 PNG, 216 bytes (removed); #8 PDF, 13 bytes\n" in place("show", "eve").out
    assert "attached: #6 JPEG, 2 kB\n" in place("show", "eve", "--at", "6").out
    assert "attached" not in place("show", "eve", "--at", "5").out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("text.jpg",), 4, "not a picture that can be attached"), (("nix.jpg",), 5, "no such file"),
        ((".",), 4, "folder"), (("pipe",), 4, "pipe"), (("/dev/null",), 4, "device"),
        (("sheet.jpg", "99"), 5, "no event 99"), (("--remove", "6"), 5, "none is attached"),
        (("sheet.jpg", "x" * 20_000), 4, "longer than"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_what_cannot_be_attached_is_refused(
    place: Kibitz, tmp_path: Path, words: tuple[str, ...], code: int, said: str,
) -> None:
    """Each with its exit code and a reason; the match is as it was, and no file is left."""
    os.mkfifo(tmp_path / "pipe")
    result = place("attach", "eve", *words)
    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert "none" not in place("show", "eve").err
    assert len(place("log", "eve", "--json").out.splitlines()) == 6
    assert not (tmp_path / "kibitz.db-attached").exists() or copies(tmp_path) == []


def test_one_that_was_undone(place: Kibitz) -> None:
    """The list says so, and the table and its report know it no more."""
    assert place("attach", "eve", "sheet.jpg").code == 0
    assert place("undo", "eve").code == 0
    assert "#6  JPEG, 2 kB; struck out at event 7\n" in place("attach", "eve").out
    assert "attached" not in place("show", "eve").out
    assert "Pictures" not in place("report", "eve", "--hand", "1").out


def test_json_is_as_documented(place: Kibitz) -> None:
    """If this failed, a program would not find what docs/json.md promises."""
    shape, listed = documented("attach")
    same_shape(shape, place("attach", "eve", "sheet.jpg", "1", "--json").json)
    same_shape(shape, place("attach", "eve", "--remove", "6", "--json").json)
    same_shape(listed, place("attach", "eve", "--json").json)


def test_verify_names_what_is_not_as_it_was(place: Kibitz, tmp_path: Path) -> None:
    """One that changed and one that is missing: exit code 7. One that was removed on purpose is told, and is no
    fault."""
    for name in ("sheet.jpg", "pile.dat", "scan.pdf"):
        assert place("attach", "eve", name).code == 0
    assert place("attach", "eve", "--remove", "8").code == 0
    done = place("verify", "eve")
    assert done.code == 0
    assert "removed   the picture of event 8" in done.out
    assert "on purpose, as event 9 says" in done.out
    assert "2 pictures, as attached" in done.out
    for path in copies(tmp_path):
        path.write_bytes(path.read_bytes()[:-1]) if path.suffix == ".jpg" else path.unlink()
    for words in (("verify", "eve"), ("db", "check")):
        done = place(*words)
        assert done.code == 7
        assert "edited    the picture of event 6 (match eve" in done.out
        assert "deleted   the picture of event 7 (match eve" in done.out
        assert "event 8" not in done.out.replace("removed   the picture of event 8", "")
    assert place("attach", "eve", "sheet.jpg").out == "this picture is attached already, at event 6\n"
    assert "edited" not in place("verify", "eve").out


def test_what_no_event_names_is_told_and_cleaned_up(place: Kibitz, tmp_path: Path) -> None:
    """If this failed, files of a program that was killed would stay for ever, or a file of somebody else's would go."""
    assert place("attach", "eve", "sheet.jpg").code == 0
    assert place("db", "check").err == ""
    left = tmp_path / "kibitz.db-attached" / ("0" * 64 + ".png")
    for path in (left, left.with_name("mine.txt")):
        path.write_bytes(PNG)
    done = place("db", "check")
    assert done.code == 0
    assert f"{left}: no event names this picture; `kibitz db check --clean` removes it\n" in done.err
    assert len(place("db", "check", "--json").json["warnings"]) == 2
    done = place("db", "check", "--clean")
    assert f"{left} is removed" in done.err
    assert "mine.txt: this file among the pictures is not Kibitz's" in done.err
    assert str(left) not in place("db", "check").err
    assert sorted(path.suffix for path in copies(tmp_path)) == [".jpg", ".txt"]


def test_a_report_shows_it(kibitz: Kibitz, tmp_path: Path) -> None:
    """A picture within the page, a scan by its hash; of another event of another hand nothing; in Markdown all by
    their hashes."""
    (tmp_path / "sheet.jpg").write_bytes(JPEG)
    (tmp_path / "scan.pdf").write_bytes(PDF)
    (tmp_path / "big.png").write_bytes(PNG + bytes(4_000_000))
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("attach", "revoke", "sheet.jpg", "the <sheet>").code == 0
    assert kibitz("attach", "revoke", "scan.pdf", "8").code == 0
    assert kibitz("attach", "revoke", "big.png", "8").code == 0
    assert kibitz("report", "revoke", "-o", "r.html").code == 0
    page = (tmp_path / "r.html").read_text()
    assert f'<img alt="the &lt;sheet&gt;" src="data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"' in page
    assert page.count("<img") == 1
    assert page.count("SHA-256") == 3
    assert "on event 8 (PDF, 13 bytes" in page
    assert "the <sheet>" not in page
    told = kibitz("report", "revoke").out
    assert "## Pictures" in told
    assert "base64" not in told
    next((tmp_path / "kibitz.db-attached").glob("*.jpg")).write_bytes(JPEG[:-1] + b"x")
    assert kibitz("report", "revoke", "-o", "r.html").code == 0
    assert "<img" not in (tmp_path / "r.html").read_text()
    assert kibitz("record", "revoke", stdin="end hand void\nhand\n").code == 0
    assert kibitz("report", "revoke", "--hand", "2").out.count("SHA-256") == 1


def test_bundles_and_backups_have_it(place: Kibitz, tmp_path: Path) -> None:
    """Carried to another store it is there; --bare leaves it behind; a backup that is put back brings it along."""
    assert place("attach", "eve", "sheet.jpg").code == 0
    assert place("export", "eve", "--bare").code == 2
    assert "do not come along; --bundle" in place("export", "eve", "-o", "eve.kib").err
    assert place("export", "eve", "--bundle", "-o", "eve.json").code == 0
    assert place("export", "eve", "--bundle", "--bare", "-o", "bare.json").code == 0
    assert "attached: #6 JPEG" in place("show", "eve.json").out
    other = ("--db", "other.db")
    assert place(*other, "import", "bare.json").out == "eve: new, 7 events including the opening\n"
    assert "absent    the picture of event 6" in place(*other, "verify", "eve").out
    assert place(*other, "import", "eve.json").out == "eve: already here\n"
    assert "1 picture, as attached" in place(*other, "verify", "eve").out
    spoilt = (tmp_path / "eve.json").read_bytes().replace(base64.b64encode(JPEG)[:40], base64.b64encode(PNG)[:40])
    (tmp_path / "spoilt.json").write_bytes(spoilt)
    assert place(*other, "import", "spoilt.json").code == 4
    assert "and 1 picture in" in place("db", "backup", "copy.db").err
    assert (tmp_path / "copy.db-attached").is_dir()
    copies(tmp_path)[0].unlink()
    assert place("verify", "eve").code == 7
    assert place("db", "restore", "copy.db").code == 0
    assert place("verify", "eve").code == 0


NOT_BY_HAND = {
    "that a picture was removed": ("@ note #6 removed={sha}", "cannot be written by hand"),
    "a picture that nobody attached": ("@ note kind=png bytes=9 sha256={sha}", "cannot be written by hand"),
    "a remark that is sealed": ("@ note sealed=true", "cannot be written by hand"),
    "a correction that brings it": ("@ fix #6 @ note #3 removed={sha}", "cannot be written by hand"),
    "an insertion": ("@ fix #3+ @ note sealed=true", "cannot be written by hand"),
    "another game": ("@ open Game=scopa", "this is a match of kaiser"),
    "another match": ("@ open Match=other", "this is the match eve"),
}


def by_record(place: Kibitz, line: str) -> Result:
    """Typed into `record`."""
    return place("record", "eve", stdin=line + "\n")


def by_append(place: Kibitz, line: str) -> Result:
    """In a file of lines."""
    Path("more.kib").write_text(line + "\n", encoding="utf-8")
    return place("append", "eve", "more.kib")


def by_numbered(place: Kibitz, line: str) -> Result:
    """As a numbered line of a file."""
    return by_append(place, f"7. {line}")


def by_json(place: Kibitz, line: str) -> Result:
    """As canonical JSON."""
    event = read_kib(f'%kib 1\n[Game "kaiser"]\n\n1. {line}\n').records[1].event
    return by_append(place, encode(Recorded(n=7, event=event, v=record_version(event))).decode().strip())


def by_correction(place: Kibitz, line: str) -> Result:
    """In a copy that was edited outside."""
    whole = place("export", "eve").out
    Path("edited.kib").write_text(whole.rstrip("\n") + f"\n7. {line}\n", encoding="utf-8")
    return place("import", "edited.kib", "--as-corrections", "--yes")


@pytest.mark.parametrize("route", [by_record, by_append, by_numbered, by_json, by_correction])
@pytest.mark.parametrize("what", NOT_BY_HAND)
def test_what_only_a_command_writes_is_refused_by_every_command_that_writes(
    place: Kibitz, what: str, route: Callable[[Kibitz, str], Result],
) -> None:
    """If this failed, somebody who writes lines could say that a picture was removed, invent one, seal a remark, or
    turn the match into another."""
    assert place("attach", "eve", "sheet.jpg").code == 0
    line, said = NOT_BY_HAND[what]
    before = place("log", "eve").out
    sha = hashlib.sha256(JPEG if "removed" in line else PNG).hexdigest()
    done = route(place, line.replace("{sha}", sha))
    assert said in " ".join(done.err.split()), done
    assert place("log", "eve").out == before
    assert place("verify", "eve").code == 0


@pytest.mark.parametrize("route", [by_record, by_append, by_numbered, by_json, by_correction])
def test_the_same_routes_write_what_may_be_written(place: Kibitz, route: Callable[[Kibitz, str], Result]) -> None:
    """The control: a remark with a fact of its own is written, by each of them."""
    assert place("attach", "eve", "sheet.jpg").code == 0
    assert route(place, "@ note #3 light=dim").code == 0
    assert "light=dim" in place("log", "eve").out


@pytest.mark.parametrize("route", [by_record, by_append, by_json, by_correction])
def test_without_the_list_of_facts_evidence_could_be_taken_away(
    place: Kibitz, monkeypatch: pytest.MonkeyPatch, route: Callable[[Kibitz, str], Result],
) -> None:
    """The control: where no fact is kept for commands, a line says that the picture was removed."""
    monkeypatch.setattr(scribe, "WRITTEN_BY_COMMANDS", {})
    assert place("attach", "eve", "sheet.jpg").code == 0
    assert route(place, f"@ note #6 removed={hashlib.sha256(JPEG).hexdigest()}").code == 0
    assert "; its copy was removed at event 7" in place("attach", "eve").out


def test_a_record_that_is_imported_without_its_picture_is_not_tampered_with(place: Kibitz) -> None:
    """If this failed, a record that came by mail without its pictures would look forged for good."""
    assert place("attach", "eve", "sheet.jpg", "after hand 1").code == 0
    whole = place("export", "eve").out
    Path("eve.kib").write_text(whole, encoding="utf-8")
    assert place("--db", "other.db", "import", "eve.kib").code == 0
    for words in (("verify", "eve"), ("db", "check")):
        done = place("--db", "other.db", *words)
        assert done.code == 0, done
        assert "absent    the picture of event 6 (match eve" in done.out
        assert "the record was imported without it" in done.out
    assert "; the record was imported without it" in place("--db", "other.db", "attach", "eve").out
    assert place("--db", "other.db", "attach", "eve", "--json").json[0]["state"] == "absent"
    # It says so wherever it goes, and contradicts nothing where it came from.
    back = place("--db", "other.db", "export", "eve").out
    assert "imported-without-picture-6" in back
    Path("back.kib").write_text(back, encoding="utf-8")
    assert place("import", "back.kib").out == "eve: already here\n"
    assert place("--db", "other.db", "import", "eve.kib").out == "eve: already here\n"
    # Attached there, it is a picture as any other.
    assert place("--db", "other.db", "attach", "eve", "sheet.jpg", "after hand 1").out.startswith("7  attached")
    assert "2 pictures, as attached" in place("--db", "other.db", "verify", "eve").out
    for path in Path("other.db-attached").iterdir():
        path.unlink()
    done = place("--db", "other.db", "verify", "eve")
    assert done.code == 7
    assert "deleted   the picture of event 7" in done.out
    assert "absent    the picture of event 6" in done.out


def test_a_picture_that_was_here_cannot_be_called_absent(place: Kibitz) -> None:
    """The control: neither a record that says it is absent, nor the same record imported once more, excuses a copy
    that is gone."""
    assert place("attach", "eve", "sheet.jpg").code == 0
    Path("eve.kib").write_text(place("export", "eve").out, encoding="utf-8")
    assert place("--db", "other.db", "import", "eve.kib").code == 0
    Path("absent.kib").write_text(place("--db", "other.db", "export", "eve").out, encoding="utf-8")
    assert place("export", "eve", "--bundle", "-o", "eve.bundle").code == 0
    for db in ("kibitz.db", "third.db"):
        assert place("--db", db, "import", "eve.bundle").code == 0
        for path in Path(f"{db}-attached").iterdir():
            path.unlink()
        for again in ("eve.kib", "absent.kib"):
            assert place("--db", db, "import", again).out == "eve: already here\n"
        done = place("--db", db, "verify", "eve")
        assert (done.code, "deleted   the picture of event 6" in done.out) == (7, True)
    # A record that grows by a note, and a note that was replaced and is put back, are reported alike.
    Path("grown.kib").write_text(
        Path("absent.kib").read_text()
        + f"7. @ note kind=png bytes={len(PNG)} sha256={hashlib.sha256(PNG).hexdigest()}\n"
    )
    assert place("--db", "other.db", "import", "grown.kib").out == "eve: 1 event added\n"
    assert place("--db", "other.db", "record", "eve", stdin="fix 7 @ note light=dim\nundo\n").code == 0
    assert "fix #7 @ note" in place("--db", "other.db", "log", "eve").out.splitlines()[-1]
    done = place("--db", "other.db", "verify", "eve")
    assert done.code == 0, done
    assert done.out.count("absent") == 3
