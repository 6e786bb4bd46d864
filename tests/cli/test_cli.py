"""The shell itself: help everywhere, one line for every error, the code of its kind, data apart from the rest."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import webbrowser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import typer
from sampling import a_few

import cli.app
from cli import VERSION, desktop, shell, version_line
from cli.app import run_command_line
from cli.command_index import TASKS
from cli.parsing import CommandGroup
from cli.program import COMMANDS_BY_MODULE, build_program
from events.errors import UnreadableError, UsageError
from reducers.first_state import begin
from reducers.opening import opening, options_schema
from reducers.registry import PAGES, find_game

from .conftest import REVOKE, SEATS, Kibitz, environment

COMMANDS = sorted(typer.main.get_command(build_program()).commands)


@pytest.mark.parametrize("command", a_few(COMMANDS, 6))
def test_every_command_has_help(command: str, kibitz: Kibitz) -> None:
    """Each command explains itself: a sentence, and a sentence for every option."""
    result = kibitz(command, "--help")
    assert result.code == 0
    assert result.err == ""
    assert len(result.out.splitlines()) > 5
    parser = typer.main.get_command(build_program()).commands[command]
    assert parser.help
    assert all(getattr(p, "help", "") for p in parser.params)


def test_the_commands_are_those_promised() -> None:
    """No command of the plan is missing."""
    promised = (
        "adjust append attach audit check checkpoint claim confirm db demo diff dispute export fault find "
        "fix fork games import list log merge move movement new new-game note open player practise recheck"
        " record rename replay report results rules ruling schema score season serve sheet show simulate "
        "site tally trial undo verify"
    )
    assert promised.split() == COMMANDS


def test_version_and_no_command(kibitz: Kibitz) -> None:
    """`--version` prints one line; without a command the help is shown, as a mistake of usage."""
    assert kibitz("--version").out.startswith("kibitz 0")
    result = kibitz()
    assert result.code == 2
    assert "Record:" in result.err


CASES: list[tuple[str, tuple[object, ...], bytes, int, str]] = [
    ("no such command", ("foo",), b"", 2, "no such command"),
    ("no such option", ("log", "eve", "--foo"), b"", 2, "no such option"),
    ("an argument is missing", ("check",), b"", 2, "missing argument"),
    ("a number is not a number", ("show", "eve", "--at", "x"), b"", 2, "--at"),
    ("no such viewer", ("show", "eve", "--as", "Q"), b"", 2, "cannot look"),
    ("no such event", ("show", "eve", "--at", "99"), b"", 5, "no event 99"),
    ("no event before the first", ("show", "eve", "--at", "-1"), b"", 5, "no event -1"),
    ("no such match", ("check", "nix"), b"", 5, "no match and no file 'nix'"),
    ("no such file", ("check", "nix.kib"), b"", 5, "no such file"),
    ("no such game", ("rules", "nix"), b"", 5, "no page"),
    ("no such game for a match", ("new", "nix"), b"", 5, "no page"),
    ("no such game to play", ("simulate", "nix"), b"", 5, "no page"),
    ("no such event to correct", ("fix", "eve", "99", "8"), b"", 5, "no event 99"),
    ("no such file to append", ("append", "eve", "nix.txt"), b"", 5, "no such file"),
    ("no such file to import", ("import", "nix.kib"), b"", 5, "no such file"),
    ("a folder for a file", ("check", "/"), b"", 4, "folder"),
    ("an empty file", ("check", "empty.kib"), b"", 4, "empty"),
    ("a binary file", ("check", "binary.kib"), b"", 4, "binary.kib"),
    ("nothing piped in", ("check", "-"), b"", 4, "empty"),
    ("no text piped in", ("check", "-"), b"\xff\xfe\x00", 4, "UTF-16"),
    ("bad JSON", ("log", "-"), b'{"n":0', 4, "standard input, line 1"),
    ("no text to append", ("append", "eve", "-"), b"\xff\n", 4, "UTF-8"),
    ("nothing to append", ("append", "eve", "-"), b" \n", 4, "this is empty"),
    ("a line that says nothing", ("append", "eve", "-"), b"N zzz\n", 4, "standard input, line 1, column"),
    ("a claim without words", ("claim", "eve"), b"", 4, "says no score"),
    ("no number to correct", ("fix", "eve", "x", "8"), b"", 2, "not an event number"),
    ("no event to put there", ("fix", "eve", "1"), b"", 2, "the new event is missing"),
    ("a note without words", ("note", "eve", "1"), b"", 2, "says nothing"),
    ("a mark that is none", ("note", "eve", "1", "x", "--glyph", "%"), b"", 2, "not a mark"),
    ("a sheet nobody knows", ("sheet", "eve", "--format", "docx"), b"", 2, "no format"),
    ("an export nobody knows", ("export", "eve", "--format", "pdf"), b"", 2, "no format"),
    (
        "a sheet nobody knows, and all that there are", ("sheet", "eve", "--format", "nonsense"), b"", 2,
        "expected one of text, csv, md, html, xlsx, pdf, png",
    ),
    (
        "an export to a file of another kind", ("export", "eve", "-o", "eve.pdf"), b"", 2,
        "eve.pdf: no match is exported to a file with this ending; expected a file that ends in .kib,",
    ),
    (
        "plays of a match that is not over", ("export", "eve", "-o", "eve.bgsplay"), b"", 5,
        "there is no match that is over",
    ),
    (
        "a sheet in a file of another kind", ("sheet", "eve", "-o", "sheet.docx"), b"", 2,
        "ends in .txt, .csv, .md, .html, .xlsx, .pdf or .png",
    ),
    ("a folder to write to", ("sheet", "eve", "-o", "/"), b"", 2, "folder"),
    ("nowhere to write", ("export", "eve", "-o", "/nix/nix.kib"), b"", 2, "cannot be written"),
    ("over the store", ("export", "eve", "--format", "kib", "-o", "kibitz.db"), b"", 2, "destroyed"),
    ("a seat too few", ("new", "kaiser", "--seat", "Anna"), b"", 2, "1 name"),
    ("options that are none", ("new", "kaiser", "--option", "target"), b"", 2, "NAME=VALUE"),
    ("an id that is taken", ("new", "kaiser", "--id", "eve"), b"", 6, "already"),
    ("an id that is none", ("new", "kaiser", "--id", "No Id"), b"", 2, "cannot be the id"),
    ("stale", ("append", "eve", "-", "--expect", "2"), b"p\n", 6, "3 events were added"),
    ("a whole file to append", ("append", "eve", "-"), REVOKE.encode(), 2, "import"),
    ("refused", ("append", "eve", "-", "--strict"), b"E 7h !\nN play Kc\n", 3, "refused"),
    ("no store", ("--db", "nix.db", "list"), b"", 5, "no store here"),
    ("a store in no folder", ("--db", "nix/nix.db", "new", "kaiser"), b"", 5, "nix"),
    ("no store but a folder", ("list", "--db", "/"), b"", 7, "directory"),
    ("no store but a text", ("--db", "empty.txt", "list"), b"", 7, "not a Kibitz store"),
    ("a store of the future", ("--db", "newer.db", "list"), b"", 7, "newer"),
    ("a store of somebody else", ("--db", "other.db", "list"), b"", 7, "another program"),
    ("no server", ("--db", "postgresql://127.0.0.1:1/club", "list"), b"", 7, "cannot be reached"),
    ("no address", ("--db", "postgresql://a/b?colour=red", "list"), b"", 2, "no address of a database"),
    ("a backup onto a server", ("--db", "postgresql://127.0.0.1:1/club", "db", "restore", "a.db"), b"", 2, "db copy"),
    (
        "a server taken for a copy", ("--db", "postgresql://127.0.0.1:1/club", "db", "check", "--accept"), b"", 2,
        "cannot be accepted",
    ),
    ("a copy onto itself", ("db", "copy", "kibitz.db", "./kibitz.db"), b"", 2, "the same store twice"),
    ("a copy of nothing", ("db", "copy", "nix.db", "new.db"), b"", 5, "no store here"),
    ("a copy of no such book", ("db", "copy", "kibitz.db", "new.db", "--book", "nix"), b"", 5, "no book 'nix'"),
]


def test_books_are_copied_to_another_store_and_again(evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, a club could not take its records to another machine."""
    first = evening("db", "copy", "kibitz.db", "other.db")
    assert (first.code, first.err) == (0, "")
    assert re.fullmatch(r"home: 6 events, 6 copied now; root [0-9a-f]{16} in both\n", first.out)
    assert evening("append", "eve", "-", stdin="p\n").code == 0
    again = evening("db", "copy", "kibitz.db", "other.db", "--json").json
    assert [(one["added"], one["events"]) for one in again["books"]] == [(1, 7)]
    assert evening("--db", "other.db", "log", "eve").out == evening("log", "eve").out
    assert evening("--db", "other.db", "verify", "eve").code == 0


@pytest.mark.parametrize(
    ("args", "stdin", "code", "says"), a_few([c[1:] for c in CASES], 15), ids=[c[0] for c in CASES],
)
def test_a_refusal_is_one_line_with_the_code_of_its_kind(
    args: tuple[object, ...], stdin: bytes, code: int, says: str, evening: Kibitz, tmp_path: Path
) -> None:
    """Whatever is wrong is said on standard error in plain words, and the exit code tells its kind."""
    (tmp_path / "empty.kib").write_bytes(b"")
    (tmp_path / "empty.txt").write_bytes(b"nothing to see here")
    (tmp_path / "binary.kib").write_bytes(bytes(range(256)) * 4)
    for name, sql in (
        ("newer.db", "CREATE TABLE migrations (number INTEGER, name TEXT, applied TEXT)"),
        ("other.db", "CREATE TABLE x (y)"),
    ):
        db = sqlite3.connect(tmp_path / name)
        db.execute(sql)
        if name == "newer.db":
            db.executemany("INSERT INTO migrations VALUES (?, ?, '')", [(1, "first_tables"), (99, "of_the_future")])
        db.commit()
        db.close()
    before = evening("log", "eve").out
    result = evening(*args, stdin=stdin)
    assert result.code == code
    assert says in result.err
    assert "Traceback" not in result.err
    assert all(
        line.startswith(("kibitz: ", "  ")) or " - not allowed" in line or ": " in line
        for line in result.err.splitlines()
    )
    assert evening("log", "eve").out == before


def test_findings_are_code_3_and_open_questions_are_not(kibitz: Kibitz, tmp_path: Path) -> None:
    """`check` ends with 3 for what is certainly broken, with 0 while it is open; nothing else does."""
    revoke = tmp_path / "revoke.kib"
    revoke.write_text(REVOKE)
    assert kibitz("check", "revoke.kib").code == 3
    for command in ("log", "show", "replay", "score", "sheet"):
        assert kibitz(command, "revoke.kib").code == 0
    revoke.write_text(REVOKE[: REVOKE.index("11. ")])
    result = kibitz("check", "revoke.kib")
    assert result.code == 0
    assert "open question" in result.out


def test_an_act_that_broke_one_rule_or_another_is_a_finding(kibitz: Kibitz, tmp_path: Path) -> None:
    """Each of the rules is open, and the act is illegal all the same: nobody would read of it."""
    file = tmp_path / "either.kib"
    file.write_text('%kib 1\n[Game "scopa"]\n\n1. B hand 1\n2. @ deal up board=4dJs??2c\n3. A capture 6s/4dJs??\n')
    checked = kibitz("check", str(file))
    assert checked.code == 3
    assert "broken  scopa.R2 pair or scopa.R3 add up  hand 1, event 3: breaks R2 or R3 whatever" in checked.out
    assert ": 1 finding, 1 open question" in checked.out
    told = json.loads(kibitz("check", str(file), "--json").out)
    assert [f["one_of"] for f in told] == [["scopa.R2", "scopa.R3"], ["scopa.R2", "scopa.R3"], []]
    audited = kibitz("audit", str(file))
    assert audited.code == 3
    assert "event 3 breaks R2 or R3" in audited.out
    assert "Event 3 broke R2 or R3" in kibitz("report", str(file), "--hand", "1").out


def test_a_file_with_a_bad_line_is_read_as_far_as_it_goes(kibitz: Kibitz) -> None:
    """The bad line is named, nothing that rests across it is certain, every output says which it is, and the code
    says 4."""
    text = REVOKE.replace("9. S play 8h", "9. S plya 8h")
    result = kibitz("check", "-", stdin=text)
    assert result.code == 4
    assert "standard input, line 15, column 6" in result.err
    assert "no rule was certainly broken" in result.out
    says = "1 line was not read, and nothing that rests across it is certain (line 15: 9. S plya 8h)"
    for words in (
        ("check",), ("log",), ("show",), ("replay",), ("score",), ("sheet",), ("sheet", "--format", "md"), ("report",),
        ("audit",),
    ):
        result = kibitz(*words, "-", stdin=text)
        assert result.code == 4
        assert (
            "line 15: 9. S plya 8h" if words[0] in ("log", "audit") else says
        ) in " ".join(result.out.split()), words
    for command in ("check", "score", "show", "replay", "sheet", "report", "audit"):
        assert "line 15: 9. S plya 8h" in kibitz(command, "-", "--json", stdin=text).out, command


def test_a_misspelt_correction_may_have_put_right_what_it_names(kibitz: Kibitz) -> None:
    """Also if the act that it names would be broken without it."""
    assert kibitz("check", "-", stdin=REVOKE).code == 3
    broken = json.loads(kibitz("check", "-", "--json", stdin=REVOKE).out)[0]
    last = REVOKE.rstrip().splitlines()[-1].partition(".")[0]
    result = kibitz(
        "check", "-", stdin=f"{REVOKE.rstrip()}\n{int(last) + 1}. @ fxi #{broken['at']['pos']} {broken['by']} play 7c\n"
    )
    assert (result.code, "no rule was certainly broken" in result.out) == (4, True)
    other = kibitz("check", "-", stdin=f"{REVOKE.rstrip()}\n{int(last) + 1}. @ fxi #1 {broken['by']} hand 1\n")
    assert "1 finding" not in other.out


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ('[Option.target 52"', 4), ("[Seats", 4), ('[Op\ufffdion.target "52]', 4), ("[E Emil of the club]", 3),
        ('[Date 2026"]', 3),
    ]
)  # fmt: skip
def test_a_tag_that_is_not_read_may_say_which_rules_were_agreed_on(kibitz: Kibitz, tag: str, code: int) -> None:
    """Then nothing is certain; but a name or a day changes no rule."""
    result = kibitz("check", "-", stdin=REVOKE.replace("[N ", f"{tag}\n[N "))
    assert (result.code, "broken" in result.out.replace("certainly broken", "")) == (4, code == 3)
    assert "1 line was not read" in result.out
    assert "may say otherwise" in result.out + kibitz(
        "check", "-", "--open", stdin=REVOKE.replace("[N ", f"{tag}\n[N "),
    ).out or code == 3


@pytest.mark.parametrize(
    ("line", "put_in"),
    [
        ('[N "Anna"]', b'[N "Zo\xeb"]'), ("9. S play 8h", b"9. S play 8h {caf\xe9}"),
        ("7. N play Kh", b"Anna wears a hat\n7. N play Kh"),
    ],
)  # fmt: skip
def test_findings_name_the_numbers_of_the_file(kibitz: Kibitz, tmp_path: Path, line: str, put_in: bytes) -> None:
    """Whatever bytes stand in a name or a comment, and whatever lines without a number stand between."""
    file = tmp_path / "g.kib"
    file.write_bytes(REVOKE.encode().replace(line.encode(), put_in))
    found = [(one["rule"], one["at"], one["verdict"]) for one in json.loads(kibitz("check", str(file), "--json").out)]
    whole = [
        (one["rule"], one["at"], one["verdict"]) for one in json.loads(kibitz("check", "-", "--json", stdin=REVOKE).out)
    ]
    assert [one for one in found if one[0] != "table.T13"] == whole


def test_records_of_one_file_are_taken_one_after_the_other(kibitz: Kibitz, tmp_path: Path) -> None:
    """Each under its own names; what is written to a file gets a number from the second on."""
    file = tmp_path / "two.kib"
    one, two = REVOKE, REVOKE.replace('"Anna"', '"Olga"').replace('"revoke"', '"later"')
    file.write_text(one + "\n" + two)
    result = kibitz("check", str(file))
    assert result.code == 3
    assert [f"{file}, match {n}: 1 finding" in result.out for n in (1, 2, 3)] == [True, True, False]
    assert kibitz("check", "-", stdin=file.read_text()).out == result.out.replace(str(file), "standard input")
    assert ("Anna" in kibitz("score", str(file)).out, "Olga" in kibitz("score", str(file)).out) == (True, True)
    assert kibitz("sheet", str(file), "-o", str(tmp_path / "s.md")).code == 0
    assert ("Anna" in (tmp_path / "s.md").read_text(), "Olga" in (tmp_path / "s-2.md").read_text()) == (True, True)
    assert kibitz("import", str(file)).out.count("new,") == 2
    for form in ("kib", "jsonl"):
        whole = kibitz("export", "--book", "home", "--format", form).out
        assert [kibitz("export", match, "--format", form).out in whole for match in ("revoke", "later")] == [True, True]
        assert kibitz("import", "-", stdin=whole).out.count("already here") == 2
        # The ending of the file says the same as --format.
        assert kibitz("export", "revoke", "-o", str(tmp_path / f"x.{form}")).code == 0
        assert (tmp_path / f"x.{form}").read_text() == kibitz("export", "revoke", "--format", form).out
    assert kibitz("export", "revoke", "--book", "home").code == 2
    assert "only the first was read here" in kibitz("diff", str(file), str(file)).err


def test_the_demo_shows_the_main_job_and_leaves_nothing(
    evening: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, the first thing that a newcomer tries would fail, or write into the store. What goes otherwise
    than it should ends it."""
    import cli.demo

    before = evening("log", "eve").out, dict(os.environ), Path.cwd()
    told = evening("demo")
    assert (told.code, told.err) == (0, "")
    assert told.out.count("\n$ kibitz ") == 15
    for says in (
        "trick 8 to Marcel · hand 1: Marcel & Doris 7 ♥ failed", "no rule was broken in 1 hand",
        "examples/kaiser-evening.kib: 2 findings in 8 hands", "exported as it was written",
    ):
        assert says in told.out
    assert (evening("log", "eve").out, dict(os.environ), Path.cwd()) == before
    assert [row["match"] for row in evening("list", "--json").json] == ["eve"]
    monkeypatch.setattr(cli.demo, "PARTS", {"Wrong on purpose": ((0, "check examples/kaiser-evening.kib"),)})
    wrong = evening("demo")
    assert (wrong.code, Path.cwd()) == (4, before[2])
    assert "`kibitz check examples/kaiser-evening.kib` ended with 3; expected 0" in wrong.err


def test_several_files_and_matches_are_checked_and_summed_up(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a folder of records would have to be checked by hand, one by one. A pattern that no shell has
    expanded, as on Windows, means the same; one that fits nothing is a file that is not there."""
    revoke, clean, unread = (tmp_path / name for name in ("a revoke.kib", "b.kib", "c.kib"))
    revoke.write_text(REVOKE)
    clean.write_text(REVOKE[: REVOKE.index("11. ")])
    unread.write_text(REVOKE[: REVOKE.index("1. W hand")] + "1. fooo bar\n")
    assert kibitz("import", "a*.kib").out == "revoke: new, 15 events including the opening\n"
    two = kibitz("check", str(revoke), str(clean))
    assert (two.code, two.out.splitlines()[-1]) == (3, "2 records: rules were broken in 1")
    assert kibitz("check", "b.kib", "b.kib").out.splitlines()[-1] == "2 records: no rule was broken"
    every = kibitz("check", "*.kib", "revoke", "nix.kib")
    assert (every.code, every.out.splitlines()[-1]) == (
        5, "5 records: rules were broken in 2, 2 could not be read whole",
    )
    assert "nix.kib: there is no such file" in every.err
    assert [
        line.partition(": ")[0] for line in every.out.splitlines() if " hand" in line and ": " in line
        and not line.startswith(("broken", "open"))
    ] == ["a revoke.kib", "b.kib", "c.kib", "revoke"]
    told = kibitz("check", "?.kib", "a revoke.kib", "--json").json
    assert [
        (one["record"], len([f for f in one["findings"] if f["verdict"] == "broken"])) for one in told
    ] == [("b.kib", 0), ("c.kib", 0), ("a revoke.kib", 1)]
    assert "*.nix: there is no such file" in kibitz("check", "./*.nix").err
    (tmp_path / "[b].kib").write_text(REVOKE)
    assert kibitz("check", "[b].kib").code == 3, "a file of that very name is meant"


def test_where_no_hand_was_read_no_rule_is_said_to_be_kept(kibitz: Kibitz) -> None:
    """If this failed, a record of which nothing could be read would be called clean."""
    tags = REVOKE[: REVOKE.index("1. W hand")]
    assert kibitz("check", "-", stdin=tags).out == "standard input: no hand was begun\n"
    unread = kibitz("check", "-", stdin=tags + "1. fooo bar\n2. N plya 7h\n")
    assert unread.code == 4
    assert unread.out.startswith("standard input: no hand could be read\nstandard input: 2 lines were not read")
    assert "no rule was broken" not in kibitz("audit", "-", stdin=tags + "1. fooo bar\n").out
    late = kibitz("check", "-", stdin=REVOKE[: REVOKE.index("8. E play")] + "8. fooo bar\n")
    assert "no rule was certainly broken" in late.out


def test_a_store_in_use_is_code_7(evening: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program that holds the lock is named, and nothing is written."""
    from records import Store

    real = Store.open
    monkeypatch.setattr(Store, "open", lambda path, **more: real(path, **more, timeout=0.05))
    lock = sqlite3.connect(tmp_path / "kibitz.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    result = evening("undo", "eve")
    lock.execute("ROLLBACK")
    lock.close()
    assert result.code == 7
    assert "in use" in result.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_may_only_be_read(evening: Kibitz, tmp_path: Path) -> None:
    """It can be read, and writing to it is refused with 7."""
    (tmp_path / "kibitz.db").chmod(0o444)
    assert evening("log", "eve").code == 0
    assert evening("undo", "eve").code == 7


def test_what_should_not_happen_is_one_line(evening: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours ends in one line that names its kind; the traceback only comes when it is asked for."""
    import replay.table.picture

    def wrong(*_: object, **how: object) -> None:
        raise LookupError("no such thing\nat all")

    monkeypatch.setattr(replay.table.picture, "render_frame", wrong)
    result = evening("show", "eve")
    assert result.code == 1
    assert "LookupError: no such thing at all" in result.err
    assert len(result.err.splitlines()) == 1
    monkeypatch.setenv("KIBITZ_DEBUG", "1")
    assert "Traceback" in evening("show", "eve").err


def test_ctrl_c_is_one_line(evening: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping a command gives 1 and no more than a word."""
    import replay.table.picture

    def stop(*_: object, **how: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay.table.picture, "render_frame", stop)
    result = evening("show", "eve")
    assert (result.code, result.err) == (1, "kibitz: stopped\n")


def test_options_hold_before_and_behind_the_command(kibitz: Kibitz, tmp_path: Path) -> None:
    """--db and --recorder may stand on either side; the one behind wins."""
    assert kibitz("--db", "a.db", "--recorder", "Ida", "new", "kaiser", "--id", "a").code == 0
    assert kibitz("new", "kaiser", "--id", "b", "--db", "b.db", "--recorder", "Ida").code == 0
    for name in "ab":
        assert [r["match"] for r in kibitz("list", "--json", "--db", f"{name}.db").json] == [name]
        assert "[%by Ida]" in kibitz("--db", f"{name}.db", "export", name).out
    assert kibitz("--db", "a.db", "log", "b", "--db", "b.db").code == 0
    assert not (tmp_path / "kibitz.db").exists()


def test_names_cannot_steer_the_terminal(kibitz: Kibitz) -> None:
    """What stands in a refusal is plain text on one line."""
    result = kibitz("check", "\x1b[31mred\nnew.kib")
    assert "\x1b" not in result.err
    assert len(result.err.splitlines()) == 1


# -- as a program of its own

KIBITZ = (sys.executable, "-c", "from cli.app import main; main()")


def test_the_parser_expands_no_pattern_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a remark with a star would become the names of files, on Windows alone."""
    asked: list[tuple[list[str], dict[str, object]]] = []
    monkeypatch.setattr(CommandGroup, "main", lambda self, args, **how: asked.append((args, how)))
    assert run_command_line(["note", "eve", "1", "what *.kib", "--glyph", "!"]) == 0
    ((args, how),) = asked
    assert (args, how["windows_expand_args"]) == (["note", "eve", "1", "what *.kib", "--glyph", "!"], False)


def test_what_a_terminal_of_windows_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """There TERM says nothing: lines can be edited, and only a console that says so is given colours."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, Terminal())
    for name in ("TERM", "NO_COLOR", "WT_SESSION", "TERM_PROGRAM", "ANSICON"):
        monkeypatch.delenv(name, raising=False)
    can = {}
    for windows in (False, True):
        monkeypatch.setattr(shell, "WINDOWS", windows)
        can[windows] = shell.can_edit(), shell.shows_colour(sys.stdout)
    assert can == {False: (False, True), True: (True, False)}
    monkeypatch.setenv("WT_SESSION", "1")
    assert shell.shows_colour(sys.stdout)
    monkeypatch.setenv("TERM", "dumb")
    assert not shell.can_edit()


def test_a_closed_pipe_is_quiet(evening: Kibitz, tmp_path: Path) -> None:
    """`kibitz … | head -1` ends without a word."""
    assert evening("simulate", "kaiser", "--seed", "1", "-o", "sim").code == 0
    (file,) = (tmp_path / "sim").iterdir()
    with subprocess.Popen(
        [*KIBITZ, "log", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(tmp_path / "kibitz.db"),
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output(evening: Kibitz, tmp_path: Path) -> None:
    """Output that cannot be written is said in one line."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*KIBITZ, "log", "eve"], stdout=full, stderr=subprocess.PIPE, env=environment(tmp_path / "kibitz.db"),
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.rest
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_poor_terminal_gets_what_it_can_show(encoding: str, evening: Kibitz, tmp_path: Path) -> None:
    """An encoding without suits is no reason to fall over; a file or pipe gets UTF-8 all the same."""
    env = {**environment(tmp_path / "kibitz.db"), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run([*KIBITZ, "show", "eve"], capture_output=True, env=env)
    assert done.returncode == 0
    assert "♥" in done.stdout.decode()


def test_no_standard_streams_at_all(evening: Kibitz, tmp_path: Path) -> None:
    """Closed standard input, output and error are endured."""
    script = " ".join([sys.executable, "-c", "'from cli.app import main; main()'"])
    for words, code in (("check -", 4), ("log eve", 0)):
        done = subprocess.run(f"{script} {words} <&- >&- 2>&-", shell=True, env=environment(tmp_path / "kibitz.db"))
        assert done.returncode == code


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_the_help_that_is_kept_is_the_one_of_the_program(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """It is kept so that it is there at once; KIBITZ_REWRITE=1 writes it anew."""
    monkeypatch.setenv("COLUMNS", str(columns))
    context = typer.main.get_command(build_program()).make_context("kibitz", [], resilient_parsing=True)
    own = context.get_help() + "\n"
    kept = Path(cli.__file__).parent / "help" / f"{min(columns, 100) - 2}.txt"
    if os.environ.get("KIBITZ_REWRITE"):
        kept.write_text(own, encoding="utf-8")
    assert kept.read_text(encoding="utf-8") == own, "run this test with KIBITZ_REWRITE=1"
    for option in ("--help", "-h"):
        assert run_command_line([option]) == 0
        assert capsys.readouterr().out == own


@pytest.mark.parametrize("columns", [60, 80])
def test_the_help_lists_every_command_by_its_task_and_cuts_nothing(
    columns: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a command would be missing, or what it does be left to guess."""
    monkeypatch.setenv("COLUMNS", str(columns))
    main: Any = typer.main.get_command(build_program())
    assert sorted(name for names in TASKS.values() for name in names) == COMMANDS
    for context in (
        typer.Context(main, info_name="kibitz"),
        typer.Context(main.commands["db"], info_name="db", parent=typer.Context(main)),
    ):
        text = context.get_help()
        assert all(len(line) <= columns for line in text.splitlines())
        assert "..." not in text.partition("\n")[2]
        group: Any = context.command
        for name, command in group.commands.items():
            first = " ".join(command.help.split()).partition(". ")[0].rstrip(".")
            assert re.search(rf"^  {name} +{re.escape(first)}\.", re.sub(r"\n {10,}", " ", text), re.MULTILINE), name
    assert [
        line[:-1] for line in main.get_help(typer.Context(main)).splitlines() if re.fullmatch(r"\w+:", line)
    ] == ["Options", *TASKS]


def test_an_odd_width_has_the_help_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What was not kept is made."""
    monkeypatch.setenv("COLUMNS", "67")
    assert run_command_line(["--help"]) == 0
    out = capsys.readouterr().out
    assert "Usage: kibitz" in out
    assert all(len(line) <= 67 for line in out.splitlines())


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    """One version, wherever it is asked for."""
    for words in (["--version"], ["--db", "a.db", "--version"]):
        assert run_command_line(words) == 0
        assert capsys.readouterr().out == f"{version_line()}\n"
    assert version_line() in (f"kibitz {VERSION}", f"kibitz {VERSION} (compiled)")
    assert version("kibitz") == VERSION


def loaded_by(*words: str) -> set[str]:
    """The modules that a command line loads."""
    code = (
        f"import sys; from cli.app import run_command_line; run_command_line({list(words)!r}); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_loads_nothing_heavy() -> None:
    """Not even the parser is loaded to say what there is; neither rules nor store to explain a command."""
    for words in (["--help"], ["--version"]):
        assert not loaded_by(*words) & {
            "typer", "msgspec", "sqlite3", "events", "reducers", "records", "replay", "cli.shell",
        }
    assert not loaded_by("show", "--help") & {
        "sqlite_utils", "rich", "msgspec", "sqlite3", "events", "reducers", "records", "replay",
    }


def test_every_command_is_in_the_table_of_modules() -> None:
    """A command that is asked for alone is the one that all of them together have."""
    whole = typer.main.get_command(build_program())
    assert sorted(whole.commands) == sorted(name for names in COMMANDS_BY_MODULE.values() for name in names)
    for name in whole.commands:
        alone = typer.main.get_command(build_program(name))
        assert list(alone.commands) == [name]
        helps = [
            main.commands[name].get_help(typer.Context(main.commands[name], info_name=name)) for main in (whole, alone)
        ]
        assert helps[0] == helps[1]


def test_worst_code() -> None:
    """Of several failures the gravest gives the code."""
    assert shell.worst([0, 3, 4, 6]) == 6
    assert shell.worst([]) == 0


def test_seats_may_be_plain_names(kibitz: Kibitz) -> None:
    """`--seat Anna --seat Ben …` goes round the table."""
    assert kibitz(
        "new", "kaiser", "--seat", "A", "--seat", "B", "--seat", "C", "--seat", "D", "--id", "m", "--json",
    ).json["facts"]["W"] == "D"
    tags = ("--title", "The final", "--round", "3", "--table", "window", "--place", "Kitchen")
    assert kibitz("new", "kaiser", *SEATS, "--dealer", "n", *tags, "--id", "k", "--json").json["facts"] == {
        "Game": "kaiser", "Rules": "1", "Seats": "N E S W", "N": "Anna", "E": "Ben", "S": "Cleo", "W": "Dan",
        "Dealer": "N", "Event": "The final", "Round": "3", "Table": "window", "Place": "Kitchen",
        "Date": kibitz("list", "--json").json[0]["facts"]["Date"],
    }  # fmt: skip
    wrong = kibitz("new", "kaiser", "--option", "target=0", "--option", "foo=1", "--dealer", "X", "--date", "soon")
    assert wrong.code == 2
    assert all(word in wrong.err for word in ("target", "foo", "dealer", "date"))


@pytest.mark.parametrize(
    ("file", "begins"),
    [
        ("eve.html", "<!doctype html"), ("eve.CSV", "hand,dealer"), ("eve.md", "# Kaiser"), ("eve.txt", "Kaiser"),
        ("paper", "Kaiser"),
    ]
)
def test_the_ending_of_a_file_chooses_how_a_sheet_is_written(
    evening: Kibitz, tmp_path: Path, file: str, begins: str,
) -> None:
    """If this failed, `sheet -o evening.html` would write plain text into it."""
    assert evening("sheet", "eve", "-o", file).code == 0
    assert (tmp_path / file).read_text(encoding="utf-8").lower().startswith(begins.lower())
    assert evening("sheet", "eve", "-o", "excel.csv", "--bom").code == 0
    assert evening("sheet", "eve", "-o", "plain.csv").code == 0
    assert (tmp_path / "excel.csv").read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "plain.csv").read_bytes()
    assert evening("sheet", "eve", "--format", "md", "-o", "other.csv").code == 0
    assert (tmp_path / "other.csv").read_text(encoding="utf-8").startswith("# Kaiser")


def test_the_sheet_of_an_evening_and_a_pad(evening: Kibitz, tmp_path: Path) -> None:
    """If these failed, a club could print the sheet of one match and no more."""
    told = evening("sheet", "--book", "home")
    assert told.code == 0
    assert "Results" in told.out
    assert "Kaiser" in told.out
    assert evening("sheet", "--book", "nowhere").code == 5
    assert evening("sheet", "--blank", "scopa", "-o", "pad.html", "--four").code == 0
    assert (tmp_path / "pad.html").read_text(encoding="utf-8").count("<article") == 4
    for words in (
        (), ("eve", "--book", "home"), ("eve", "--players", "2"), ("--blank", "kaiser", "--players", "9"),
        ("--blank", "kaiser", "--wall"), ("eve", "--wall", "--findings"), ("eve", "--bom"),
        ("eve", "--hand", "1", "--wall"), ("--book", "home", "--hand", "1"), ("--book", "home", "--findings"),
    ):
        assert evening("sheet", *words).code == 2


def test_chips_go_on_from_match_to_match_of_a_book(kibitz: Kibitz, tmp_path: Path) -> None:
    """Two matches of one book, with one player who sits in both: what she won in the first is set against what she
    loses in the second. The match of another book does not count."""
    for i, (seats, bets) in enumerate(
        ((("Anna", "Ben"), "A bet 5"), (("Cleo", "Anna"), "A bet 3"), (("Anna", "Ben"), "A bet 9"))
    ):
        lines = "B hand 1\n" + bets + "\n@ deal down A=7c B=5c\nA pass\nB show 5c\nB pass\n"
        tags = f'[Game "seven-and-a-half"]\n[Match "table-{i}"]\n[Seats "A B"]\n[A "{seats[0]}"]\n[B "{seats[1]}"]\n'
        numbered = "".join(f"{n}. {line}\n" for n, line in enumerate(lines.splitlines(), 1))
        (tmp_path / f"{i}.kib").write_text(f"%kib 1\n{tags}\n{numbered}", encoding="utf-8")
        assert kibitz("import", f"{i}.kib", "--book", "friday" if i < 2 else "saturday").code == 0
    told = kibitz("sheet", "--book", "friday").out
    rows = [re.split(r"  +", line) for line in told.splitlines()]
    assert [row for row in rows if row[0] == "Seven and a Half"][-2:] == [
        ["Seven and a Half", "−5 (−5)", "5 (+5)", "0"], ["Seven and a Half", "−5", "2 (−3)", "3 (+3)"],
    ]  # fmt: skip
    assert [row for row in rows if row[0] == "Ben" and len(row) == 3] == [["Ben", "Cleo", "3"], ["Ben", "Anna", "2"]]


def test_what_stands_around_a_sheet(evening: Kibitz, tmp_path: Path) -> None:
    """A logo, an address, the paper; and what is none of these is refused."""
    (tmp_path / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "logo.txt").write_text("no picture")
    assert evening("sheet", "eve", "-o", "eve.html", "--logo", "logo.svg", "--paper", "letter").code == 0
    page = (tmp_path / "eve.html").read_text(encoding="utf-8")
    assert "data:image/svg+xml;base64," in page
    assert "size: letter" in page
    for words, says in {
        ("--logo", "logo.txt"): "no picture that a sheet can show", ("--logo", "none.png"): "cannot be read",
        ("--paper", "a5"): "no paper", ("--url", "club"): "no address",
        ("--dates", "mdy"): "expected one of words, us, dots, slashes, dashes, iso",
        ("--format", "pdf"): "-o sheet.pdf",
    }.items():  # fmt: skip
        refused = evening("sheet", "eve", *words)
        assert refused.code == 2
        assert says in refused.err


def test_an_ending_that_no_sheet_has_is_refused(evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, a file that calls itself a document would hold text."""
    refused = evening("sheet", "eve", "-o", "eve.docx")
    assert refused.code == 2
    assert "expected a file that ends in .txt, .csv, .md, .html, .xlsx, .pdf or .png" in refused.err
    assert not (tmp_path / "eve.docx").exists()


def test_two_players_of_one_name_are_told_apart(kibitz: Kibitz) -> None:
    """If this failed, a score could not say whose it is."""
    result = kibitz("new", "kaiser", "--seat", "N=Ann", "--seat", "S=ann")
    assert result.code == 2
    assert "Ann sits in two places" in result.err


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("help",), 0, "Usage: kibitz"),
        (("help", "check"), 0, "Usage: kibitz check"),
        (("help", "db", "check"), 0, "Usage: kibitz db check"),
        (("help", "help"), 0, "Usage: kibitz [OPTIONS] COMMAND"),
        (("check", "--pack"), 2, "option '--pack' requires an argument. `kibitz check --help` shows"),
        (("hlep",), 2, "no such command 'hlep'. Did you mean help?"),
        (("help", "chekc"), 2, "no such command 'chekc'. Did you mean check or recheck?"),
        (("db", "chekc"), 2, "no such command 'chekc'. Did you mean check? `kibitz db --help`"),
        (("check", "eve", "--jsn"), 2, "no such option: --jsn. Did you mean --json?"),
        (("new", "kaisr"), 5, "Did you mean kaiser? `kibitz games`"),
        (("new", "Pay Mee"), 5, "Did you mean pay-me?"),
        (("rules", "Écarté"), 5, "Did you mean ecarte?"),
        (("list", "--game", "kaizer"), 5, "Did you mean kaiser?"),
        (("audit", "--all", "--game", "kaizer"), 5, "Did you mean kaiser?"),
        (("find", "--game", "kaizer"), 5, "Did you mean kaiser?"),
        (("list", "--book", "hmoe"), 5, "there is no book 'hmoe'. Did you mean home?"),
        (("list", "--book", "home", "--game", "kaizer"), 5, "Did you mean kaiser?"),
        (("show", "evee"), 5, "there is no match and no file 'evee'. Did you mean eve?"),
        (("show", "friday ev"), 5, "Did you mean friday-eve?"),
        (("show", "friday eve"), 5, "Did you mean friday-eve?"),
        (("note", "day-eve", "1", "hm"), 5, "Did you mean friday-eve"),
        (("new", "kaiser", "--option", "tarrget=52"), 2, "Kaiser has no option 'tarrget' (expected target)"),
        (("new", "kaiser", "target=52"), 2, "Did you mean `--option target=52`?"),
        (("new", "kaiser", "N=Ann"), 2, "Did you mean `--seat N=Ann`?"),
        (("show", "eve", "5"), 2, "there is no place for '5'; expected kibitz show [OPTIONS] "),
        (("show", "eve", "--at", "x"), 2, "'--at': 'x' is not a whole number."),
        (("simulate", "kaiser", "--matches", "0"), 2, "'0' is not a whole number from 1 on."),
        (("simulate", "kaiser", "--mischief", "nan"), 2, "'nan' is not a number from 0 to 1."),
        (("new", "kaiser", "--id", "My match"), 2, "Call it my-match"),
    ],
)
def test_what_was_meant_is_offered(evening: Kibitz, args: tuple[str, ...], code: int, said: str) -> None:
    """If this failed, a slip of the finger would be answered with a list of forty-one games, or in the words of a
    library."""
    assert evening("new", "kaiser", "--id", "friday-eve").code == 0
    done = evening(*args)
    assert done.code == code
    assert said in (done.out or done.err), (done.out, done.err)


def test_a_number_that_is_none_is_refused_in_plain_words() -> None:
    """By every option that takes one; the words of the library that Typer asks are never shown."""
    asked = 0
    main: Any = typer.main.get_command(build_program())
    commands = dict(main.commands)
    for name, command in [
        *commands.items(),
        *(
            (f"{group} {name}", command) for group in ("db", "player")
            for name, command in commands[group].commands.items()
        )
    ]:
        context = typer.Context(command, info_name=name)
        for param in command.get_params(context):
            descriptor = getattr(param, "type_descriptor", None)
            if descriptor is not None and descriptor.annotation in (int, float):
                with pytest.raises(typer.BadParameter, match=r"^'7x' is not a (whole )?number( from .+)?$"):
                    param.process_value(context, "7x")
                asked += 1
    assert asked > 20


@pytest.mark.all_games
def test_a_house_rule_that_cannot_be_is_refused_in_plain_words() -> None:
    """If this failed, a recorder would read what the libraries below say of types and patterns."""
    kinds = (
        r"(a whole number from -?\d+ to \d+|yes or no|text( of at most \d+ characters)? \(.+\)|[\w.-]+(, "
        r"[\w.-]+)* or [\w.-]+)"
    )
    for key in PAGES:
        for name in options_schema(find_game(key)).get("properties", {}):
            wrong = "  " if name == "title" else "7,x"  # a title may be anything but spaces
            said = (
                rf"'{wrong}'.*; expected .*" if name in ("sides", "captains") else rf"{name} is {kinds}, not '{wrong}'"
            )
            with pytest.raises(UsageError, match=rf"option ({name}: )?{said}"):
                opening(key, options={name: wrong})
            with pytest.raises(UnreadableError, match=rf"tag Option\.{name}: {said}"):
                begin({"Game": key, "Option": {name: wrong}})
    with pytest.raises(UnreadableError, match="Kaiser has no option 'taget'; expected target"):
        begin({"Game": "kaiser", "Option": {"taget": 5}})


def test_a_list_says_how_each_match_ended_as_ruled_and_the_verdict_that_was_kept(kibitz: Kibitz) -> None:
    """If this failed, whoever looks a result up would find the one that was ruled away, or not learn that it was
    another."""
    kibitz(
        "new", "kaiser", "--id", "final", "--option", "target=10", "--seat", "N=Nora", "--seat", "S=Sana", "--seat",
        "E=Emil", "--seat", "W=Wout",
    )
    kibitz("record", "final", stdin="hand\ntally points.NS=12 points.EW=3\n")
    kibitz("new", "kaiser", "--id", "open")
    before = {row["match"]: (row["result"], row["kept"]) for row in kibitz("list", "--results", "--json").json}
    assert before == {"final": ("Nora & Sana won 12 : 3", ""), "open": ("", "")}
    assert kibitz("ruling", "final", "#2", "points.NS=-5", "points.EW=8").err == ""
    row = next(row for row in kibitz("list", "--results", "--json").json if row["match"] == "final")
    assert (row["result"], row["kept"]) == ("Emil & Wout won 11 : 7, as ruled", "when it ended: Nora & Sana won 12 : 3")


@pytest.mark.parametrize(("words", "opens"), [((), False), (("--open",), True), (("--no-open",), False)])
def test_serve_opens_the_directors_page_with_a_link_of_its_own(
    words: tuple[str, ...], opens: bool, kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, whoever begins an evening would have to copy a link out of a terminal, or a program would open
    windows unasked."""
    opened: list[str] = []
    serving = pytest.importorskip("service.serve", reason="the service was not asked: its packages are missing")
    monkeypatch.setattr(serving, "serve_until_stopped", lambda plan, say: say("listening"))
    monkeypatch.setattr(webbrowser, "open", opened.append)
    result = kibitz("serve", *words)
    assert result.code == 0
    assert len(opened) == opens
    assert all("/enter#" in address and address not in result.out for address in opened)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_a_desktop_entry_begins_the_service_of_this_store(platform: str, tmp_path: Path) -> None:
    words = ["/opt/a club/kibitz", "--db", str(tmp_path / "100% $club.db"), "serve", "--open"]
    path, text = desktop.desktop_entry(platform, tmp_path, words)
    assert path.is_relative_to(tmp_path)
    assert "serve" in text
    if platform == "darwin":
        assert shlex.split(text.splitlines()[1])[1:] == words
    with pytest.raises(UsageError, match="no desktop of this platform"):
        desktop.desktop_entry("plan9", tmp_path, words)


def test_a_desktop_entry_is_written_and_run(kibitz: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    pytest.importorskip("service.serve", reason="the service was not asked: its packages are missing")
    written = kibitz("serve", "--desktop").out.strip().removeprefix("written: ")
    assert Path(written).is_relative_to(tmp_path)
    assert str(tmp_path / "kibitz.db") in Path(written).read_text(encoding="utf-8")


def test_a_match_whose_game_is_not_installed_is_kept_and_shown(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a store with games of another club could not be listed, exported, verified or read."""
    file = tmp_path / "slosh.kib"
    file.write_text(
        '%kib 1\n[Game "slosh"]\n[Rules "1"]\n[Plugin "kibitz-slosh 1.0"]\n[Seats "A B"]\n[A "Ann"]\n[B '
        '"Bo"]\n[Option.depth "9"]\n\n' "1. B hand 1\n2. A play 2c\n3. @ tally points.A=7 points.B=3\n",
        encoding="utf-8", newline="\n",
    )  # fmt: skip
    said = kibitz("import", file, "--match", "eve")
    assert (said.code, "imported, but not judged" in said.err) == (0, True)
    assert "slosh" in kibitz("list").out
    assert '[Plugin "kibitz-slosh 1.0"]' in kibitz("export", "eve").out
    assert kibitz("verify", "eve").code == 0
    for command in ("show", "score", "sheet", "replay"):
        told = kibitz(command, "eve")
        assert told.code == 0, command
        assert "Ann" in told.out, command
        assert "pip install kibitz-slosh" in told.err, command
    assert kibitz("recheck", "eve").code == shell.NOT_FOUND
    assert kibitz("new", "slosh").code == shell.NOT_FOUND
