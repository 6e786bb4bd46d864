"""The shapes of docs/json.md are those that the commands print."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sampling import a_few

from .conftest import REVOKE, Kibitz
from .test_cli import COMMANDS

TEXT = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
# Tables whose keys are seats, options or words, not names of ours.
MAPS = {
    "facts", "options", "names", "sides", "amounts", "sums", "points", "totals", "scores", "headline", "tally",
    "transfers", "words", "verbs", "event", "properties", "possible", "possible_totals", "by_cards", "ways", "either",
    "columns", "figures",
}


def documented(command: str) -> list[Any]:
    """The examples under the heading of a command."""
    parts = re.split(r"^## kibitz ", TEXT, flags=re.MULTILINE)[1:]
    (part,) = [p for p in parts if command in re.split(r",\s*|\s+", p.splitlines()[0])]
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", part, re.DOTALL)]


def same_shape(told: Any, found: Any, path: str = "$") -> None:
    """Every key told of is there, and every key that is there is told of."""
    if isinstance(told, dict):
        assert isinstance(found, dict), path
        if path.rpartition(".")[2] not in MAPS:
            assert set(told) == set(found), path
        for key in set(told) & set(found):
            same_shape(told[key], found[key], f"{path}.{key}")
    elif isinstance(told, list):
        assert isinstance(found, list), path
        if told and found:
            same_shape(told[0], found[0], path + "[]")
    elif told is not None and found is not None:
        assert isinstance(found, type(told)), path


def the_match(kibitz: Kibitz) -> None:
    """A match with a revoke, a scored hand and a wrong claim, in the store as `revoke`."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("end", "x").code == 2
    lines = (
        "end hand void\nclaim NS=3\nEW confirm\nhand\ntally declarer=NS level=7 tricks.NS=5 tricks.EW=3 "
        "five=NS three=EW\nclaim NS=9\n"
    )
    assert kibitz("record", "revoke", stdin=lines).err == ""


READING = [
    ("games",), ("rules", "kaiser"), ("show", "revoke"), ("replay", "revoke"), ("check", "revoke"), ("score", "revoke"),
    ("sheet", "revoke"), ("list",),
]


@pytest.mark.parametrize("words", a_few(READING, 3, whole=True), ids=[w[0] for w in READING])
def test_reading_commands_print_what_is_documented(words: tuple[str, ...], kibitz: Kibitz) -> None:
    """If this failed, a program written from docs/json.md would not find what it was promised."""
    the_match(kibitz)
    result = kibitz(*words, "--json")
    assert result.code in (0, 3)
    same_shape(documented(words[0])[0], result.json)


def test_log_is_json_lines(evening: Kibitz) -> None:
    """Each line is an event with its place; nothing else is printed."""
    lines = [json.loads(line) for line in evening("log", "eve", "--json").out.splitlines()]
    assert [line["n"] for line in lines] == list(range(6))
    assert all(
        set(line) <= {"n", "event", "time", "recorder", "text", "v", "same", "t", "glyphs", "key"} for line in lines
    )


def test_writing_commands_print_what_is_documented(evening: Kibitz) -> None:
    """The answer of every command that writes has one shape."""
    shape, missed = documented("append")
    same_shape(missed, evening("append", "eve", "-", "--expect", "3", "--json", stdin="p\n").json)
    for words in (
        ("append", "eve", "-"), ("note", "eve", "1", "x"), ("claim", "eve", "NS=7"), ("confirm", "eve"),
        ("fix", "eve", "2", "bid", "8"), ("tally", "eve", "tricks.NS=5"), ("fault", "eve", "revoke"), ("undo", "eve"),
    ):  # fmt: skip
        same_shape(shape, evening(*words, "--json", stdin="Kh\n").json)
    same_shape(documented("new")[0], evening("new", "kaiser", "--json").json)
    same_shape(documented("import")[0], evening("import", "-", "--json", stdin=REVOKE).json)


def test_every_command_with_json_is_documented(kibitz: Kibitz) -> None:
    """No shape goes untold."""
    heads = " ".join(re.findall(r"^## kibitz (.*)$", TEXT, re.MULTILINE))
    told = set(re.findall(r"[a-z]+", heads))
    without = set(
        re.findall(
            r"`([a-z-]+)`",
            " ".join(re.findall(r"^\| (`.*?) \|", TEXT.partition("## Commands without")[2], re.MULTILINE)),
        )
    )
    assert without == {"demo", "export", "new-game", "open", "practise", "record", "schema", "serve", "simulate"}
    for command in set(COMMANDS) - {"player", "db"}:
        has = "--json" in kibitz(command, "--help").out
        assert (command in told) == has, command
        assert (command in without) != has, f"{command} has --json, or docs/json.md says what a program takes instead"


@pytest.mark.parametrize("group", ["player", "db"])
def test_every_command_of_a_group_has_json(group: str, kibitz: Kibitz) -> None:
    words = re.findall(r"^  (\w+)  ", kibitz(group, "--help").out.partition("Commands:")[2], re.MULTILINE)
    assert len(words) > 5
    for word in words:
        assert "--json" in kibitz(group, word, "--help").out, word


def test_a_report_and_a_site_are_data_too(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a program would have to read pages that are made for people."""
    the_match(kibitz)
    (shape,) = documented("report")
    found = kibitz("report", "revoke", "--hand", "1", "--json").json
    same_shape(shape, found)
    assert found["findings"]
    assert kibitz("report", "revoke", "--hand", "1", "--json", "-o", "r.json").code == 0
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8")) == found
    made = kibitz("site", "--book", "home", "-o", "pages", "--json").json
    same_shape(documented("site")[0], made)
    assert {
        str(path.relative_to(tmp_path / "pages")) for path in (tmp_path / "pages").rglob("*.*")
    } == set(made["pages"])
