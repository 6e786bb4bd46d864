"""Names, comments, ids, books and signers that would steer a terminal: every command prints them, and nothing hidden
in them."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from plain_rows import forge
from sampling import a_few

from cli import shell
from events.kib import read_kib as read_kib
from events.model import Open, Recorded
from events.visible_text import is_hidden
from records import Store, export_jsonl, import_records
from records.verify_bundle import main
from replay.auditing import exhaustive

from .conftest import REVOKE, SEATS, Kibitz, Result
from .test_cli import COMMANDS

TURN, ESC = "\u202egnp\u2066\u200b", "\x1b[31m\x07\x9b2J\nkibitz: all is well\r"
BOOK = f"ho{TURN}me"


def hostile_log(match: str) -> list[Recorded]:
    """A hand with a revoke, as an earlier Kibitz would have taken it in: every text in it turns the direction of
    writing."""
    log = list(read_kib(REVOKE).records)
    facts = {"Match": match, "Site": TURN, "Event": TURN, **{seat: f"{seat}{TURN}" for seat in "NESW"}}
    opening = log[0].event
    assert isinstance(opening, Open)
    log[0] = replace(log[0], event=Open(by="@", facts={**opening.facts, **facts}))
    return [
        replace(r, text=f"{TURN}{r.n}", recorder=f"rec{TURN}", key=f"k{TURN}{r.n // 3}" if r.n else "") for r in log
    ]


def fill(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of such matches, made without the rule for names."""
    with monkeypatch.context() as patch:
        patch.setattr("records.store.check_names", lambda _: None)
        patch.setattr("records.sqlite.inserting.is_name", lambda _: True)
        with Store.open(path) as store:
            for match in ("eve", "adam", "seth"):
                import_records(store, hostile_log(match), match=match, book=BOOK)
            store.sign(BOOK)
            store.append("eve", [Recorded(n=0, event=read_kib(REVOKE).records[-1].event, recorder=TURN, text=TURN)])


def spoil(path: Path) -> None:
    """Somebody with an editor for databases puts in what no Kibitz would take: control characters and lines of their
    own."""
    conn = sqlite3.connect(path, isolation_level=None)
    conn.create_function(
        "evil", 1, lambda text: text.replace("\\u202e", "\u202e").replace("\u202e", json.dumps(ESC)[1:-1]),
    )
    forge(
        conn,
        "UPDATE events SET payload = evil(payload), recorder = ?, key = ?, time = ? WHERE match = 'adam' OR n = 3",
        values=(ESC, ESC, ESC),
    )
    for table in ("runs", "keys", "matches"):
        conn.execute(f"UPDATE {table} SET match = ? WHERE match = 'seth'", ("seth" + ESC,))
    conn.execute("UPDATE matches SET game = ?, changed = ?, created = ? WHERE match <> 'eve'", (ESC, ESC, ESC))
    conn.execute("INSERT INTO books (book, head, created) VALUES (?, 0, ?)", (ESC, ESC))
    conn.execute("INSERT INTO signers (signer, created) VALUES (?, ?)", (ESC, ESC))
    conn.execute("UPDATE checkpoints SET root = ?", (ESC,))
    conn.close()
    forks = [{"time": ESC, "book": BOOK, "kind": "restored", "size": 1, "signed": 2, "note": ESC}]
    path.with_name(path.name + "-forks").write_text(json.dumps(forks))


FILE = f"f{TURN}\x1b[31m"
LOOKS = "?\nshow\nscore\nsheet\ncheck\nlog\nhelp\nzzz\u202e\x1b[31m\nfix 99 x\n{TURN}\nnote 1 x\u202ey\nquit\n"
# What is asked of each command: the words behind it, and what stands on standard input.
ASKED: dict[str, list[tuple[list[str], str]]] = {
    "games": [([], ""), (["--json"], "")],
    "rules": [(["kaiser"], ""), ([ESC], "")],
    "new": [
        (["kaiser", "--seat", f"N={TURN}"], ""), (["kaiser", "--place", ESC], ""), (["kaiser", "--book", TURN], ""),
        (["kaiser", "--id", ESC], ""),
    ],
    "simulate": [(["kaiser", "--hands", "1", "--seed", TURN], ""), (["kaiser", "-o", f"{FILE}/x"], "")],
    "demo": [([], "")],
    "practise": [(["kaiser", "--seed", TURN], "7\n\x1b[31mzz\u202e\n?\n\nquit\n"), ([ESC], ""), (["pad"], "")],
    "record": [(["eve"], LOOKS), (["adam"], LOOKS), ([ESC], "")],
    "append": [
        (["eve", "-"], "note 1 x\u202e\x1b"), (["eve", FILE], ""), (["adam", "-"], "p"),
        (["eve", "-", "--key", TURN], "p"), (["eve", "-", "--expect", "3"], "p"),
        (["eve", "-", "--expect", "3", "--json"], "p"),
    ],
    "attach": [
        (["eve", FILE], ""), (["eve", "p.png", "3", TURN], ""), (["eve", "p.png", TURN, "--json"], ""),
        (["adam", "p.png"], ""), (["eve"], ""), (["eve", "--json"], ""), (["adam"], ""), (["eve", "--remove", ESC], ""),
        (["eve", "--remove", "14", TURN], ""), (["eve", ESC], ""), ([ESC], ""),
    ],
    "serve": [(["--delay", ESC], ""), (["--host", TURN], "")],
    "fix": [(["eve", "3", TURN], ""), (["adam", "3-"], "")],
    "undo": [(["eve", "--json"], ""), (["adam"], "")],
    "note": [(["eve", "1", TURN], ""), (["adam", "1", "x"], "")],
    "claim": [(["eve", "NS=3", TURN], ""), (["eve", "NS=3", "--json"], "")],
    "confirm": [(["eve", "#99"], "")],
    "tally": [(["eve", f"x={TURN}"], "")],
    "fault": [(["eve", "revoke", "W"], "")],
    "dispute": [(["eve", "--by", TURN], "")],
    "ruling": [(["eve", f"rule={TURN}"], "")],
    "log": [([m, *j], "") for m in ("eve", "adam", FILE, "file.jsonl", "-") for j in ([], ["--json"])],
    "show": [
        ([m, *j], "") for m in ("eve", "adam", "file.jsonl") for j in ([], ["--json"], ["--as", TURN], ["--at", "9"])
    ],
    "replay": [
        ([m, *j], "") for m in ("eve", "adam", "file.jsonl")
        for j in ([], ["--json"], ["-o", f"{FILE}/x.html"], ["-o", f"r{TURN}.html"])
    ],
    "check": [([m, *j], "") for m in ("eve", "adam", "file.jsonl", FILE) for j in ([], ["--open"], ["--json"])],
    "score": [([m, *j], "") for m in ("eve", "adam", "file.jsonl") for j in ([], ["--json"])],
    "sheet": [
        ([m, *j], "") for m in ("eve", "adam", "file.jsonl")
        for j in (
            [], ["--json"], *(["--format", f] for f in ("csv", "md", "html", "pdf", TURN)), ["-o", f"{FILE}/x"],
            ["--logo", FILE], ["--paper", ESC], ["--url", ESC], ["--four", "-o", f"{FILE}/x.html"], ["--wall"],
            ["--findings"], ["--hand", "1"], ["--hand", "1", "--format", "html"], ["--hand", "7"], ["--dates", ESC],
        )
    ]
    + [(["--book", b, *j], "") for b in ("home", TURN) for j in ([], ["--json"])]
    + [(["--blank", g], "") for g in ("kaiser", ESC)] + [(["--blank", "kaiser", "--players", "9"], ""), ([], "")],
    "site": [
        (["--book", BOOK, "-o", f"s{TURN}"], ""), (["--book", BOOK, "-o", FILE], ""), (["--book", ESC, "-o", "s"], ""),
    ],
    "season": [
        ([*w, *j], "")
        for w in (
            [], ["--book", BOOK], ["--book", ESC], ["--player", TURN], ["--title", ESC], ["--by", ESC],
            ["--formula", TURN], ["--best", ESC], ["--ties", ESC], ["--vp", TURN], ["--dues", ESC],
            ["--grid", "--records"],
        )
        for j in ([], ["--json"], ["--format", "html"], ["--format", "csv"], ["--format", "md"])
    ]
    + [(["--from", ESC], ""), (["-o", f"{FILE}/x.html"], ""), (["-o", f"s{TURN}.html", "--breaches"], "")],
    "find": [
        ([*w, *j], "")
        for w in (
            [], ["--player", ESC], ["--comment", TURN], ["--comment", "e"], ["--contract", "%"], ["--book", BOOK],
            ["--rule", "kaiser"], ["--title", ESC], ["--dispute", "any"], ["--score", ESC],
        )
        for j in ([], ["--json"])
    ],
    "player": [
        (["add", TURN], ""), (["add", "Ann"], ""), (["add", "Ann", "--json"], ""),
        (["link", "Ann", f"N{TURN}"], "yes\n"), (["link", "Ann", f"N{TURN}", "--json"], ""),
        (["link", "Ann", "--seat", f"eve:{ESC}"], ""), (["link", ESC], ""),
        (["link", "Ann", "x", "--book", ESC, "--yes"], ""), (["unlink", "Ann", TURN], ""), (["rename", "Ann", ESC], ""),
        (["merge", "Ann", ESC], ""), (["list"], ""), (["list", "--json"], ""), (["forget", "Ann"], TURN),
        (["forget", "Ann", "--yes", "--json"], ""), (["list"], ""),
    ],
    "rename": [
        (["eve", TURN], ""), (["eve", "Cup", "--date", ESC], ""), (["eve", "Cup", "--everywhere", "--json"], ""),
        (["adam", "Cup"], ""), ([ESC, "x"], ""), (["eve"], ""),
    ],
    "trial": [(["eve"], ""), (["eve", "--json"], ""), (["adam", "--undo"], ""), ([ESC], "")],
    "move": [(["eve", TURN], ""), (["adam", "cups"], ""), (["eve", "cups", "--json"], ""), ([ESC, "cups"], "")],
    "results": [([FILE], ""), (["file.jsonl"], ""), (["p.png"], ""), (
        ["rows.csv", "--game", "pad", "--wide", "--map", "date=d"], "",
    ), (["rows.csv", "--json"], ""), (["rows.csv", "--game", "pad", "--wide", "--dry-run", "--book", TURN], ""),
        (
            ["rows.csv", "--game", "pad", "--wide", "--dry-run"], "",
        ), (["rows.csv", "--map", f"{TURN}=x", "--game", "pad"], ""), ([ESC], "")],
    "new-game": [([ESC], ""), ([f"g{TURN}"], ""), ([], "")],
    "adjust": [
        ([BOOK], ""), ([TURN, "Ann", "--absent"], ""), ([BOOK, ESC, "--figure", TURN], ""), ([BOOK, "--undo", "9"], ""),
        ([BOOK, "--json"], ""), ([BOOK, "Ann", "--absent", "--day", ESC, "--why", TURN], ""),
    ],
    "open": [([m, *how], "") for m in ("eve", "adam", ESC) for how in (["1"], ["--hand", "N"], ["--hand", TURN])],
    "movement": [([TURN, "A", "B", "--game", "pad", "--title", ESC], ""), (["x", f"A{TURN}", "B", "--game", "pad"], ""),
        (["x", "A", "B", "--game", ESC], ""), (["x", "A", "B", "--game", "pad", "--how", TURN], ""),
        (["x", "A", "B", "--game", "pad", "--day", ESC], ""),
        (["x", "A", "B", "--game", "pad", "--title", "Cup", "--begin", "1", "--json"], ""),
        (["x", "-o", f"{FILE}/x.html"], ""), (
            ["x", "-o", f"m{TURN}.html"], "",
        ), (["x", "--format", ESC], ""), (["x", "--next"], ""), ([ESC, "--begin", "2"], "")],
    "schema": [([], ""), (["events"], ""), ([ESC], ""), ([TURN], "")],
    "list": [([], ""), (["--json"], ""), (["--book", BOOK], ""), (["--game", ESC], "")],
    "audit": [
        ([m, *j], "") for m in ("eve", "adam", "file.jsonl")
        for j in ([], ["--json"], ["--about", "8"], ["--hand", "1"], ["--exact"])
    ]
    + [(["--all"], ""), (["--all", "--json"], "")],
    "report": [([m], "") for m in ("eve", "adam", "file.jsonl")]
    + [(["eve", "-o", f"r{TURN}.html"], ""), (["eve", "-o", FILE], "")],
    "recheck": [([m, *j], "") for m in ("eve", "adam", "file.jsonl") for j in ([], ["--json"])]
    + [(["--all"], ""), (["--all", "--json"], "")],
    "fork": [
        (["eve", "--at", "5"], ""), (["eve", "--at", "5", "--id", ESC], ""), (["adam", "--at", "5", "--json"], ""),
    ],
    "diff": [
        (["eve", "adam"], ""), (["eve", "file.jsonl"], ""), (["eve", "file.jsonl", "--json"], ""), (["eve", FILE], ""),
    ],
    "merge": [
        (["eve", "file.jsonl"], ""), (["file.jsonl", "eve", "--fill", "-o", f"m{TURN}.kib"], ""),
        (["eve", "adam", "--json"], ""),
    ],
    "import": [
        (["file.jsonl", FILE, "bad.kib"], ""), (["file.jsonl", "--json"], ""), (["-", "--match", ESC], REVOKE),
        (["-", "--book", TURN], REVOKE),
    ],
    "export": [
        (["--format", "parquet", "-o", f"q{TURN}"], ""), (["--format", "parquet", "--book", ESC, "-o", "q"], ""),
        (["eve", "-o", FILE + "/x"], ""), (["eve", "--format", ESC], ""), (["--format", "bgstats"], ""),
        (["eve", "-o", f"{FILE}.bgsplay"], ""), (["adam", "-o", "out.kib"], ""), (["adam", "--bundle", "-o", "out"], "")
    ],
    "verify": [([b, *j], "") for b in (BOOK, "eve", "adam", ESC, "nothing") for j in ([], ["--json"])]
    + [(["eve", "--against", FILE], ""), (["eve", "--key", ESC], "")],
    "checkpoint": [([BOOK], ""), ([BOOK, "--json"], ""), ([ESC], "")],
    "db": [
        (["path"], ""), (["check"], ""), (["check", "--json"], ""), (["migrate"], ""), (["backup", f"b{TURN}"], ""),
        (["backup", FILE + "/x"], ""), (["restore", FILE], ""), (["restore"], ""), (["seal", "eve"], ""),
        (["seal", "adam", "--unfinished"], ""), (["seal", "eve", "--unfinished"], ""),
        (["seal", "--all", "--book", BOOK, "--json"], ""), (["seal", "--unseal", "eve"], ""),
        (["copy", FILE, f"c{TURN}.db"], ""), (["copy", f"c{TURN}.db", FILE + "/x", "--json"], ""),
        (["copy", ESC, "c.db", "--book", BOOK], ""),
        (["copy", f"postgresql://a:{TURN}@127.0.0.1:1/{TURN}", "c.db"], ""),
        (["copy", f"postgresql://a?b={TURN}", "c.db"], ""),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with such a store, such files, and `spoilt.db`, which was edited as well."""
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        fill(folder / "kibitz.db", patch)
    for file in folder.glob("kibitz.db*"):
        shutil.copy(file, folder / file.name.replace("kibitz", "spoilt", 1))
    spoil(folder / "spoilt.db")
    (folder / "file.jsonl").write_bytes(export_jsonl(hostile_log("file")))
    (folder / FILE).write_bytes(export_jsonl(hostile_log("other"))[:-40] + f"\n%kib {TURN}\x1b".encode())
    (folder / "rows.csv").write_text(f"d,A{TURN},B\n{ESC},1,2\n2026-01-01,1,2\n2026-01-02,{TURN},2\n", encoding="utf-8")
    (folder / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (folder / "bad.kib").write_text(REVOKE.replace("play", f"pl{TURN}\x1bay", 3), encoding="utf-8")
    return folder


@pytest.fixture
def place(kibitz: Kibitz, tmp_path: Path, made: Path) -> Kibitz:
    """A copy of that folder for one test."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return kibitz


def hidden_in(result: Result) -> list[str]:
    """The characters that a terminal would have obeyed. Lines of CSV end as its standard says."""
    return [c for c in result.out.replace("\r\n", "\n") + result.err if is_hidden(c) and c != "\n"]


def answers(place: Kibitz, command: str) -> None:
    """Ask the command everything, of both stores."""
    for store in ("kibitz.db", "spoilt.db"):
        for words, typed in ASKED[command]:
            result = place("--db", store, command, *words, stdin=typed)
            assert hidden_in(result) == [], (store, words)
            assert "\nkibitz: all is well" not in "\n" + result.out, "a line of its own"
            assert "\nkibitz: all is well" not in "\n" + result.err, "a line of its own"
            assert "should not" not in result.err, (words, result.err)
            if "--json" in words and result.out and command != "log":
                json.loads(result.out)


def test_every_command_is_asked() -> None:
    assert sorted(ASKED) == COMMANDS


@pytest.mark.parametrize("command", a_few(COMMANDS, 7))
def test_nothing_hidden_is_printed(
    command: str, place: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a name in somebody's file could clear the screen, or make a line read otherwise than it is
    stored."""
    monkeypatch.setattr(exhaustive, "STEPS", 300)  # as far as anything is printed; `audit --exact` is asked six times
    answers(place, command)
    for page in (*tmp_path.glob("r*.html"), *tmp_path.glob("r*.md")):
        assert not [c for c in page.read_text(encoding="utf-8") if is_hidden(c) and c != "\n"]


@pytest.mark.parametrize("command", ["list", "show", "check", "verify", "log"])
def test_a_shell_that_prints_as_it_is_given_is_caught(
    command: str, place: Kibitz, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: without the one rule for what is printed, each of these prints what a terminal would obey."""
    for name in ("visible", "visible_json"):
        monkeypatch.setattr(f"events.visible_text.{name}", lambda text, keep="": text)
    monkeypatch.setattr("replay.plain_text.visible", lambda text, keep="": text)
    with pytest.raises(AssertionError):
        answers(place, command)


def test_a_terminal_gets_no_data_raw_either(place: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to be read back goes byte for byte into a pipe or a file; a terminal is spared."""
    monkeypatch.setattr(shell, "is_terminal", lambda stream: True)
    assert hidden_in(place("sheet", "eve", "--format", "csv")) == []
    assert "\\x0d" not in place("sheet", "eve", "--format", "csv").out
    monkeypatch.setattr(shell, "is_terminal", lambda stream: False)
    for words in (["eve"], ["eve", "--format", "jsonl"], ["eve", "--bundle"]):
        piped = place("export", *words)
        assert hidden_in(piped), "the control: a pipe gets the bytes"
        assert "\\u202e" not in piped.out or "--bundle" in words
        with monkeypatch.context() as patch:
            patch.setattr(shell, "is_terminal", lambda stream: True)
            assert hidden_in(place("export", *words)) == []
    assert place("export", "eve", "-o", "out.kib").code == 0
    assert TURN in Path("out.kib").read_text(encoding="utf-8")


def test_what_json_says_is_what_is_stored(place: Kibitz) -> None:
    """Escaped, and nothing else is changed by it."""
    assert place("show", "eve", "--json").json["names"]["N"] == f"N{TURN}"
    assert [json.loads(line)["recorder"] for line in place("log", "eve", "--json").out.splitlines()][1] == f"rec{TURN}"
    assert {row["book"] for row in place("list", "--json").json} == {BOOK}


def test_a_traceback_is_no_way_around_it(place: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DEBUG", "1")
    result = place("append", "eve", FILE + "x")
    assert "Traceback" in result.err
    assert hidden_in(result) == []


def test_a_prompt_shows_what_is_hidden(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from cli.recording import _ask

    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(EOFError):
        _ask(f"1 play {TURN}> ")
    assert not [c for c in capsys.readouterr().err if is_hidden(c)]


def test_the_verifier_shows_what_is_hidden(place: Kibitz, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also in what it refuses."""
    assert place("export", "adam", "--bundle", "-o", "b").code == 0
    capsys.readouterr()
    assert main([str(tmp_path / "b"), "--log"]) == 0
    assert main([str(tmp_path / "b"), "--key", ESC]) == 1
    assert main([str(tmp_path / FILE)]) == 2
    assert main([str(tmp_path / "b"), "--against", ESC]) == 2
    bundle = json.loads((tmp_path / "b").read_bytes())
    (tmp_path / "b").write_text(json.dumps({**bundle, "match": ESC}))
    assert main([str(tmp_path / "b")]) == 1
    said = capsys.readouterr()
    assert "\\u202e" in said.out
    assert not [c for c in said.out + said.err if is_hidden(c) and c != "\n"]


# The same rule wherever a name comes in

NAMES = {
    "turned": "An\u202ena", "control": "An\x1b[31mna", "nothing": "", "unseen": "An\u200bna", "two lines": "An\nna",
    "long": "x" * 201, "a space": " ",
}
GOOD = {
    "plain": "Anna", "another script": "山田", "with a mark": "Zoë d’Arc-O’Neil (2)", "with a joiner": "نرگس\u200cخانم",
}


def log_with(name: str) -> bytes:
    log = list(read_kib(REVOKE).records)
    opening = log[0].event
    assert isinstance(opening, Open)
    line = json.loads(export_jsonl(log[:1]))
    line["event"]["facts"]["N"] = name
    return json.dumps(line).encode() + b"\n" + export_jsonl(log[1:])


WAYS: dict[str, Callable[[Kibitz, str], Result]] = {
    "new": lambda kibitz, name: kibitz("new", "kaiser", "--seat", f"N={name}", *SEATS[2:]),
    "new, the place": lambda kibitz, name: kibitz("new", "kaiser", "--place", name),
    "new, the recorder": lambda kibitz, name: kibitz("--recorder", name, "new", "kaiser"),
    "import": lambda kibitz, name: kibitz("import", "-", stdin=log_with(name)),
    "import, the book": lambda kibitz, name: kibitz("import", "-", "--book", name, stdin=REVOKE),
    "append, a line of the terms": lambda kibitz, name: kibitz(
        "append", "eve", "-", stdin=f'fix 0 @ open Game=kaiser Seats="N E S W" N="{name}"\n',
    ),
    "append, as JSON": lambda kibitz, name: kibitz(
        "append", "eve", "-",
        stdin=json.dumps(
            {
                "n": 6,
                "event": {
                    "verb": "fix", "by": "@", "at": 0, "how": "replace",
                    "event": {"verb": "open", "by": "@", "facts": {"Game": "kaiser", "Seats": "N E S W", "N": name}},
                }
            }
        )
        + "\n"
    ),
    "append, the key": lambda kibitz, name: kibitz("append", "eve", "-", "--key", name, stdin="Kh\n"),
    "append, the recorder": lambda kibitz, name: kibitz("--recorder", name, "append", "eve", "-", stdin="Kh\n"),
}  # fmt: skip
# Left out there, it is no name at all.
MAY_BE_EMPTY = {"new, the place", "new, the recorder", "append, the key", "append, the recorder"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", a_few([*NAMES, *GOOD], 1))
def test_one_rule_for_names(way: str, kind: str, evening: Kibitz) -> None:
    """If this failed, what `new` refuses would come in with a file or a line."""
    name = (NAMES | GOOD)[kind]
    before = evening("log", "eve").out, evening("list").out
    result = WAYS[way](evening, name)
    if kind in GOOD or (not name and way in MAY_BE_EMPTY):
        assert result.code in (0, 3), result
    else:
        assert result.code == (2 if way in ("new", "new, the place", "import, the book") else 4), result
        assert result.err
        assert hidden_in(result) == []
        assert (evening("log", "eve").out, evening("list").out) == before, "nothing was written"


def test_what_was_taken_in_before_stays(place: Kibitz, tmp_path: Path) -> None:
    """A match of an earlier Kibitz is read, goes on, is sealed and compared; only what is new has to follow the
    rule."""
    Path("same.jsonl").write_bytes(export_jsonl(hostile_log("adam")))
    assert "already here" in place("import", "same.jsonl").out
    assert place("note", "adam", "1", "well").code == 0
    assert place("fork", "adam", "--at", "5").code == 0
    assert place("db", "seal", "adam", "--unfinished").code == 0
    assert place("verify", "adam").code == 0
    assert place("export", "adam", "--bundle", "-o", "b").code == 0
    assert place("import", "file.jsonl").code == 4
