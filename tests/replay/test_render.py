"""Sheets written out: nothing is lost, nothing breaks out, and one sheet of A4 is enough."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from given import log
from hypothesis import given
from hypothesis import strategies as st
from results import FIRST, SECOND, UNKNOWN, hands

from events.errors import UsageError
from events.model import Claim, Recorded
from reducers.scoring import figure
from reducers.sheet import Block, Cell, Row, Sheet
from replay.paper.cells import HOW
from replay.paper.render import FORMATS, render
from replay.paper.sheet import sheet_of
from replay.plain_text import clean, width
from replay.scoring.three_ways import score_match
from replay.simulate import simulate

VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})


class Page(HTMLParser):
    """Reads a page and keeps what a reader sees; fails where tags do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.tips: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.tips += [value or "" for name, value in attrs if name == "title"]
        for name, _ in attrs:
            assert name in ("class", "scope", "title", "lang", "charset", "name", "content", "colspan"), name
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)

    @property
    def words(self) -> str:
        return "\n".join(self.text)


def table(text: str) -> list[list[str]]:
    """A CSV text as a spreadsheet reads it; every line has the same number of fields."""
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(r) for r in rows}) == 1
    return rows


def one(cell: str, *, mark: str = "", sum: str = "", remark: str = "") -> Sheet:
    """A sheet with one cell."""
    row = Row((Cell(cell, sum, mark),), notes=(remark,) if remark else ())  # type: ignore[arg-type]
    return Sheet(cell, ((cell, cell),), (Block(cell, (cell,), (row,)),), (cell,))


# -- every match, every format ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
@pytest.mark.parametrize("seed", range(6))
def test_a_match_played_by_chance_is_written_in_every_format(game: str, seed: int) -> None:
    played = simulate(game, seed=seed)
    sheet, score = sheet_of(played), score_match(played)
    pages = {f: render(sheet, f) for f in FORMATS}
    totals = [h.totals for h in score.hands if h.done]
    page = Page(pages["html"])
    rows = table(pages["csv"])
    assert rows[0][:2] == ["block", "line"]
    for standing in totals:
        for n in standing.values():
            assert figure(n) in page.text
            assert figure(n) in pages["text"]
            assert figure(n) in pages["md"]
            assert any(str(n) in row for row in rows)
    for block in sheet.blocks:
        for row in block.rows:
            for cell in row.cells:
                assert not cell.sum or cell.sum in page.tips
    assert all(line == line.rstrip() for line in pages["text"].splitlines())


def test_every_page_is_whole_without_anything_from_outside() -> None:
    text = render(sheet_of(simulate("kaiser", seed=1)), "html")
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>")
    assert not {"script", "link", "img", "iframe", "svg"} & set(page.tags)
    assert not re.search(r"https?:|url\(|@import|javascript", text)
    assert "@page" in text
    assert "size: A4" in text
    assert HOW in page.words


def test_csv_lines_end_as_the_standard_says() -> None:
    text = render(sheet_of(hands(FIRST)), "csv")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError, match="text, csv, md, html"):
        render(one("x"), "pdf")


def test_sheets_without_hands_or_rows() -> None:
    for sheet in (sheet_of(log("kaiser", "")), Sheet("Empty", (), ()), Sheet("", (), (Block("b", ("one", "two"), ()),))):
        for f in FORMATS:
            render(sheet, f)


# -- figures in a spreadsheet -----------------------------------------------------------------------------------------


def test_figures_are_numbers_in_a_spreadsheet() -> None:
    rows = table(render(sheet_of(hands("@ tally declarer=NS level=12 tricks.NS=7 tricks.EW=1 five=NS three=NS", UNKNOWN)), "csv"))
    first, second = (r for r in rows if r[1] == "row")
    head = next(r for r in rows if r[1] == "head")
    assert first[head.index("WE ±")] == "-9"
    assert first[head.index("THEY ±")] == "1"
    # A range is not a number and stays as it is written.
    assert second[head.index("WE")] == "−14..1"
    assert first[-1].startswith("WE ±: 7 tricks + 5 (5♥) − 3 (3♠) = 9; failed: ")


@pytest.mark.parametrize("text", ["=1+1", "+SUM(A1)", "-cmd|'/c calc'!A0", "@SUM(1)", " =1+1", "\t=1", "＝1+1", "\r=1", "−=1", "-1+1"])
def test_no_name_becomes_a_formula(text: str) -> None:
    for row in table(render(one(text), "csv")):
        assert not any(field.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) for field in row)


# -- hostile and odd texts --------------------------------------------------------------------------------------------

ODD = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style>", "&amp;", "a|b", "*_`#[x](y)", "x\ny\r\nz", "\x1b[31m", "日本語", "\u202egnp", ""]


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("mark", ["", "total", "crossed", "claimed", "wrong", "unknown", "won"])
def test_odd_texts_stay_texts(text: str, mark: str) -> None:
    sheet = one(text, mark=mark, sum=text, remark=text)
    page = Page(render(sheet, "html"))
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert clean(text) in page.tips or not text
    for f in FORMATS:
        written = render(sheet, f)
        assert not set(written) & set("\x1b\x07\u202e\t")
        assert f == "csv" or "\r" not in written
    for line in render(sheet, "md").splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 2
    assert "<script" not in render(sheet, "md")


@given(st.text(max_size=40))
def test_any_text_is_written_and_read_back(text: str) -> None:
    """Whatever a name is, every format takes it, the page shows it, and the table keeps its shape."""
    sheet = one(text, sum=text, remark=text)
    Page(render(sheet, "html"))
    table(render(sheet, "csv"))
    render(sheet, "md")
    assert all(width(line) <= 200 for line in render(sheet).splitlines())
    assert len(clean(text).splitlines()) <= 1


def test_columns_of_a_text_sheet_stand_below_each_other() -> None:
    names = ["Zoë", "日本", "e\u0301a", "Bartholomew"]
    rows = tuple(Row((Cell(name), Cell(str(n), mark="wrong" if n == 7 else ""))) for name, n in zip(names, (7, 100, -3, 5), strict=True))
    lines = render(Sheet("t", (), (Block("b", ("who", "points"), rows),))).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("who"))
    told = lines[at + 2 : at + 6]
    assert [width(line.rstrip("!")) for line in told] == [width("Bartholomew  points") - 1] * 4


def test_kinds_of_rows_show() -> None:
    rows = (Row((Cell("First part"),), "part"), Row((Cell("1"), Cell("2"))), Row((Cell("sum"), Cell("2")), "total"))
    sheet = Sheet("t", (), (Block("b", ("a", "b"), rows),))
    assert 'colspan="2"' in render(sheet, "html")
    assert render(sheet).count("─\n") == 2
    assert [r[1] for r in table(render(sheet, "csv"))] == ["line", "title", "head", "part", "row", "total"]
    assert "| First part |  |" in render(sheet, "md")


# -- what the paper says ----------------------------------------------------------------------------------------------


def test_a_slip_stands_out_in_every_format() -> None:
    sheet = sheet_of(hands(FIRST + "; @ claim NS=11", SECOND + "; @ claim NS=14"))
    assert "11!" in render(sheet)
    assert '<span>11</span>' in render(sheet, "html")
    assert "**11** ✗" in render(sheet, "md")
    claimed = [r for r in table(render(sheet, "csv")) if r[0] == "Table's score" and r[1] == "row"]
    assert "WE: differs from the computed figure" in claimed[0][-1]
    for f in FORMATS:
        assert "carried on" in render(sheet, f)


def test_equal_sums_of_two_sides_are_both_told() -> None:
    row = Row((Cell("1"), Cell("0", "0 sweeps"), Cell("0", "0 sweeps"), Cell("+0", "0 sweeps; +0")))
    text = render(Sheet("t", (), (Block("b", ("hand", "A", "B", "B ±"), (row,)),)))
    assert "hand 1: A 0 sweeps; B ± 0 sweeps; +0" in text


def test_the_print_size_shrinks_with_the_match() -> None:
    """The more there is, the smaller it is set, within what can be read."""

    def size(n: int) -> float:
        text = render(sheet_of(simulate("kaiser", seed=4, hands=n, options={"target": 999})), "html")
        found = re.search(r"--print: ([0-9.]+)pt", text)
        assert found
        return float(found[1])

    sizes = [size(n) for n in (1, 10, 25, 60)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 11.0
    assert sizes[2] >= 7.0
    assert sizes[3] >= 6.0


def test_claims_stand_beside_the_small_print() -> None:
    played = simulate("kaiser", seed=4, hands=3)
    told = [*played, Recorded(n=len(played), event=Claim(by="@", facts=dict(score_match(played).totals)))]
    text = render(sheet_of(told), "html")
    assert text.index("How it was added") < text.index("</main>")
    assert "Table&#x27;s score" in text
