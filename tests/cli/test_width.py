"""On a narrow terminal nothing is cut by its edge; into a pipe and a file everything goes as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sampling import each_game

from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from reducers.sheet import Block, Cell, Sheet, SheetRow
from replay.paper.as_text import as_text
from replay.paper.render import render
from replay.plain_text import text_columns, wrapped

from .conftest import Kibitz
from .terminal import Terminal

NAMES = ("Anneliese", "Bartholomew", "Clementine", "Desmond", "Eve", "Frank", "Grace", "Henry")
LOOKS = ("show", "score", "sheet", "check", "?", "help", "help all")


def match_of(kibitz: Kibitz, game: str) -> None:
    """A match `m` of two hands, whose players have long names."""
    text = kibitz("simulate", game, "--seed", "2", "--hands", "2").out
    seats = begin({"Game": game}).terms.seats
    tags = "".join(f'[{seat} "{name}"]\n' for seat, name in zip(seats, NAMES, strict=False))
    Path("m.kib").write_text(re.sub(r'(\[Seats "[^\n]*\n)', r"\1" + tags, text), encoding="utf-8")
    assert kibitz("import", "m.kib", "--match", "m").code == 0


def too_wide(text: str, columns: int = 60) -> list[str]:
    """The lines that have no room in so many columns; a signature is read back as it is, and has no spaces to fold
    it at."""
    return [line for line in text.splitlines() if text_columns(line) > columns and not line.startswith("— kibitz-")]


@each_game(sorted(PAGES), short=2)
def test_sixty_columns_are_enough(game: str, kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """show, score, sheet, check and what `record` looks up, in the middle of a hand and after two."""
    match_of(kibitz, game)
    last = kibitz("list", "--json").json[0]["last"]
    monkeypatch.setenv("COLUMNS", "60")
    for words in (
        ("show", "m"), ("show", "m", "--at", str(last // 2)), ("show", "m", "--at", "3"), ("score", "m"),
        ("sheet", "m"), ("check", "m"), ("replay", "m"), ("audit", "m"),
    ):
        done = kibitz(*words)
        assert not too_wide(done.out), words
    done = kibitz("record", "m", stdin="\n".join(LOOKS))
    assert done.out
    assert not too_wide(done.out)


def test_every_game_is_listed_and_its_rules_are_printed_at_eighty_columns(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, somebody who looks for a game would miss one, or what it is, or read lines that break at the
    edge."""
    monkeypatch.setenv("COLUMNS", "80")
    listed = kibitz("games").out
    shown, pages = " ".join(listed.split()), [find_game(key) for key in sorted(PAGES)]
    assert not [line for line in listed.splitlines() if text_columns(line) > 80]
    assert len(pages) >= 42
    for page in pages:
        head = f"{page.key} {page.name} {page.family} · {page.players}"
        assert f"{head} {page.summary[:1].upper()}{page.summary[1:]}" in shown, page.key
        rules = kibitz("rules", page.key).out
        assert not [line for line in rules.splitlines() if text_columns(line) > 80], page.key
        assert all(f"{page.key}.{rule.id}" in rules for rule in page.rules)


def test_a_pipe_gets_lines_as_they_are(evening: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program reads back is never folded, nor is a sheet in a file."""
    unfolded = {
        words: evening(*words).out for words in (("log", "eve"), ("export", "eve"), ("sheet", "eve", "--format", "csv"))
    }
    whole = evening("sheet", "eve").out
    monkeypatch.setenv("COLUMNS", "40")
    for words, text in unfolded.items():
        assert evening(*words).out == text
    assert evening("sheet", "eve", "-o", "eve.txt").code == 0
    assert (tmp_path / "eve.txt").read_text(encoding="utf-8") == whole
    assert evening("sheet", "eve").out != whole


@pytest.mark.rest
def test_a_real_terminal_of_sixty_columns(evening: Kibitz, tmp_path: Path) -> None:
    """Every look and the record itself, line by line as the terminal gets them."""
    with Terminal(tmp_path, "record", "eve", "--plain", columns=60) as at:
        at.until("1 play N> ")
        for look in (
            *LOOKS, "log", "N Kh",
            "E 8c {a remark that goes on and on, further than any terminal of sixty columns is wide}", "E Th",
        ):
            at.type(look + "\n")
            shown = at.until("should be] " if look == "E Th" else "> ")
            answer = shown.partition("\n")[2]
            # A busy terminal shows what is typed twice: when it comes, and when it is read.
            assert not [line for line in too_wide(answer) if look[:9] not in line], look
        at.type("n\n")
        at.until("> ")
        at.type("quit\n")
        assert at.ends() == 0


@pytest.mark.rest
def test_a_report_is_folded_on_a_terminal_and_nowhere_else(
    kibitz: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, words of the page would break at the edge, or the page in a file would be folded."""
    match_of(kibitz, "burraco")
    with Terminal(tmp_path, "report", "m", "--hand", "1", columns=60) as at:
        at.ends()
        shown = at.screen
    assert "## Findings" in shown
    assert not too_wide(shown)
    monkeypatch.setenv("COLUMNS", "60")
    page = kibitz("report", "m", "--hand", "1").out
    assert too_wide(page)
    assert "".join(shown.split()) == "".join(page.split())


@pytest.mark.parametrize("columns", [60, 70, 80])
def test_the_number_of_an_event_stands_beside_its_words(
    columns: int, kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, each event would take two lines of a page that has room for it on one."""
    monkeypatch.setenv("COLUMNS", str(columns))
    told = kibitz("replay", str(Path(__file__).parents[2] / "examples" / "kowah-pendopo.kib")).out.splitlines()
    assert [line for line in told if line.strip() == "4"] == []
    (line,) = (line for line in told if re.fullmatch(r" +Bu Sari discards 7♥ +4", line))
    assert not too_wide(line, columns)


def test_a_finding_is_folded_under_itself(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, an audit would be folded once for a wide page, and its lines once more for this one."""
    monkeypatch.setenv("COLUMNS", "60")
    audit = kibitz("audit", str(Path(__file__).parents[2] / "examples" / "bridge-solitaire-1.kib")).out.splitlines()
    assert any(line.startswith("settles ") for line in audit)
    assert not [line for line in audit[:-2] if re.match(r" {1,7}\S", line)]


def test_a_sheet_is_folded_by_side() -> None:
    """What belongs to one side stays together, and each part begins with the number of the hand."""
    heads = ("hand", "dealer", "A cards", "A sweeps", "A", "B cards", "B sweeps", "B")
    rows = tuple(SheetRow(tuple(Cell(str(10 * i + j)) for j in range(len(heads)))) for i in range(1, 3))
    sheet = Sheet("Scopa: A – B", (), (Block("Score", heads, rows),))
    assert render(sheet, "text", 200) == render(sheet, "text")
    chips = Sheet(
        "Pontoon", (),
        (
            Block(
                "Chips", ("hand", "Ann ±", "chips", "Ben ±", "chips", "Cid ±", "chips"),
                (SheetRow(tuple(map(Cell, "1234567"))),),
            ),
        )
    )
    assert [
        line for line in render(chips, "text", 28).splitlines() if line.startswith("hand")
    ] == ["hand  Ann ±  chips", "hand  Ben ±  chips", "hand  Cid ±  chips"]
    lines = render(sheet, "text", 34).splitlines()
    heads_there = [line for line in lines if line.startswith("hand")]
    assert heads_there == ["hand  dealer", "hand  A cards  A sweeps   A", "hand  B cards  B sweeps   B"]
    assert [line.split()[0] for line in lines if line[:4].strip().isdigit()] == ["10", "20"] * len(heads_there)


@pytest.mark.parametrize("columns", [20, 33, 60])
def test_folding_loses_nothing(columns: int) -> None:
    """Word for word the same, and no line is longer; a word is cut only if it is longer than a line."""
    for text in (
        "a" * 100, "  rule     kaiser.R9 lead, and so on and on", "日本 " * 30,
        "12  N K♥, E 8♣, S 8♥, W 9♥ · Anna to play", "", " ",
    ):
        lines = list(wrapped(text, columns))
        assert not too_wide("\n".join(lines), columns)
        assert "".join("".join(lines).split()) == "".join(text.split())
        if max(map(len, text.split()), default=0) < columns // 2:
            assert " ".join(" ".join(lines).split()) == " ".join(text.split())


def test_a_rule_below_a_long_text_is_no_longer_than_the_page() -> None:
    """If this failed, the end of a rule would stand on a line of its own on the sheet of an evening."""
    row = SheetRow((Cell("Seven and a Half"), Cell("Giulia 13 – Nonna 0 – Luca 3 – Zio Piero −16")))
    text = as_text(Sheet("xmas", (), (Block("Results", ("game", "result"), (row,)),)), 60)
    assert "\n" + "─" * 60 + "\n" in text
    assert not [line for line in text.splitlines() if line.startswith("  ─")]
