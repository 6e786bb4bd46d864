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
from sampling import a_few

from events.errors import UsageError
from events.model import Claim, Recorded
from reducers.scoring import figure
from reducers.sheet import Block, Cell, Column, Figure, Head, Sheet, SheetRow, SheetSide
from replay.paper.as_csv import HEADS
from replay.paper.cells import HOW
from replay.paper.dates import form_of_locale, in_form
from replay.paper.formats import PLAIN
from replay.paper.grids import drawn_sheet
from replay.paper.render import render
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import PageLook, sheet_page
from replay.plain_text import one_plain_line, text_columns
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
        self.ids: list[str] = []
        self.leads: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.tips += [value or "" for name, value in attrs if name == "title"]
        for name, _ in attrs:
            assert name in (
                "class", "scope", "title", "lang", "charset", "name", "content", "colspan", "id", "href", "aria-hidden",
            ), name
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.leads += [given["href"] or ""] if "href" in given else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)

    @property
    def flat(self) -> str:
        return "".join(self.text).replace("\ufe0e", "")

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
    row = SheetRow((Cell(cell, sum, mark),), notes=(remark,) if remark else ())
    figures = (Figure(1, cell, cell, cell, cell, cell, 3, cell),)
    head = Head(cell, cell, cell, cell, cell, (SheetSide(cell, cell, players=(cell,)),), cell, cell, 1)
    return Sheet(cell, ((cell, cell),), (Block(cell, (cell,), (row,)),), (cell,), (), head, figures)


# -- every match, every format ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
@pytest.mark.parametrize("seed", a_few(range(6), 1))
def test_a_match_played_by_chance_is_written_in_every_format(game: str, seed: int) -> None:
    played = simulate(game, seed=seed)
    sheet, score = sheet_of(played), score_match(played)
    pages = {f: render(sheet, f) for f in PLAIN}
    totals = [h.totals for h in score.hands if h.done]
    page = Page(pages["html"])
    rows = table(pages["csv"])
    assert rows[0] == list(HEADS)
    for standing in totals:
        for n in standing.values():
            assert figure(n) in page.text
            assert figure(n) in pages["text"]
            assert figure(n) in pages["md"]
            assert any(str(n) in row for row in rows)
    for block in sheet.blocks:
        for row in block.rows:
            for cell in row.cells:
                # Each sum is one step away in a note; a running total and what is counted beside a point need none.
                assert not cell.sum or cell.small or cell.mark in ("total", "won") or cell.sum in page.flat
    assert {lead.replace("#f-", "#n-") for lead in page.leads} == {f"#{i}" for i in page.ids if i.startswith("n-")}
    assert {lead[1:] for lead in page.leads} <= set(page.ids)
    assert all(line == line.rstrip() for line in pages["text"].splitlines())


def test_every_page_is_whole_without_anything_from_outside() -> None:
    text = render(sheet_of(simulate("kaiser", seed=1)), "html")
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>")
    assert not {"script", "link", "img", "iframe", "svg"} & set(page.tags)
    assert not re.search(r"https?:|url\(|@import|javascript", text)
    assert "@page" in text
    assert "size: A4" in text
    assert "size: letter" in sheet_page(sheet_of(simulate("kaiser", seed=1)), PageLook(paper="letter"))
    assert HOW in page.words


def test_csv_lines_end_as_the_standard_says() -> None:
    text = render(sheet_of(hands(FIRST)), "csv")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError, match="text, csv, md, html"):
        render(one("x"), "pdf")


def test_sheets_without_hands_or_rows() -> None:
    for sheet in (
        sheet_of(log("kaiser", "")), Sheet("Empty", (), ()), Sheet("", (), (Block("b", ("one", "two"), ()),)),
    ):
        for f in PLAIN:
            render(sheet, f)


# -- figures in a spreadsheet -----------------------------------------------------------------------------------------


def test_figures_are_numbers_in_a_spreadsheet() -> None:
    """One row for each hand, side and part: what the hand gave and the total after it, and what the table wrote."""
    told = "@ tally declarer=NS level=12 tricks.NS=7 tricks.EW=1 five=NS three=NS; @ claim NS=-8"
    rows = [dict(zip(HEADS, row, strict=True)) for row in table(render(sheet_of(hands(told, UNKNOWN)), "csv"))[1:]]
    first = {(r["side"], r["part"]): r for r in rows if r["hand"] == "1"}
    assert [first["Ann & Carl", part]["amount"] for part in ("tricks", "hand", "total")] == ["9", "-9", "-9"]
    assert first["Bea & Dora", "hand"]["amount"] == "1"
    assert first["Ann & Carl", "tricks"]["sum"] == "7 tricks + 5 (5♥) − 3 (3♠) = 9"
    assert first["Ann & Carl", "total"]["stated"] == "-8"
    assert {r["stated"] for key, r in first.items() if key != ("Ann & Carl", "total")} == {""}
    # What is not known is empty, and no nought.
    assert {r["amount"] for r in rows if r["hand"] == "2" and r["part"] == "total"} == {""}
    assert {r["dealer"] for r in rows if r["hand"] == "1"} == {"Dora"}


@pytest.mark.parametrize(
    "text", ["=1+1", "+SUM(A1)", "-cmd|'/c calc'!A0", "@SUM(1)", " =1+1", "\t=1", "＝1+1", "\r=1", "−=1", "-1+1"],
)
def test_no_name_becomes_a_formula(text: str) -> None:
    for row in table(render(one(text), "csv"))[1:]:
        assert not any(field.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) for field in row)


# -- hostile and odd texts --------------------------------------------------------------------------------------------

ODD = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style>", "&amp;", "a|b", "*_`#[x](y)",
    "x\ny\r\nz", "\x1b[31m", "日本語", "\u202egnp", "",
]


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("mark", ["", "total", "crossed", "claimed", "wrong", "unknown", "won"])
def test_odd_texts_stay_texts(text: str, mark: str) -> None:
    sheet = one(text, mark=mark, sum=text, remark=text)
    page = Page(render(sheet, "html"))
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert page.flat.count(one_plain_line(text)) > 9 or not text
    for f in PLAIN:
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
    assert all(text_columns(line) <= 200 for line in render(sheet).splitlines())
    assert len(one_plain_line(text).splitlines()) <= 1


def test_columns_of_a_text_sheet_stand_below_each_other() -> None:
    names = ["Zoë", "日本", "e\u0301a", "Bartholomew"]
    rows = tuple(
        SheetRow((Cell(name), Cell(str(n), mark="wrong" if n == 7 else "")))
        for name, n in zip(names, (7, 100, -3, 5), strict=True)
    )
    lines = render(Sheet("t", (), (Block("b", ("who", "points"), rows),))).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("who"))
    told = lines[at + 2 : at + 6]
    assert [text_columns(line.rstrip("!")) for line in told] == [text_columns("Bartholomew  points") - 1] * 4


def test_kinds_of_rows_show() -> None:
    rows = (
        SheetRow((Cell("First part"),), "part"), SheetRow((Cell("1"), Cell("2"))),
        SheetRow((Cell("sum"), Cell("2")), "total"),
    )
    sheet = Sheet("t", (), (Block("b", ("a", "b"), rows),))
    assert 'colspan="2"' in render(sheet, "html")
    assert render(sheet).count("─\n") == 2
    assert "| First part |  |" in render(sheet, "md")


# -- what the paper says ----------------------------------------------------------------------------------------------


def test_a_slip_stands_out_in_every_format() -> None:
    """The table's own figure is struck out where it differs first, and one sentence says the rest."""
    sheet = sheet_of(hands(FIRST + "; @ claim NS=11", SECOND + "; @ claim NS=14"))
    assert "~11~ 10†" in render(sheet)
    assert "| ~~11~~ 10† |" in render(sheet, "md")
    page = render(sheet, "html")
    assert '<span class="struck">11</span>10<sup>†</sup>' in page
    assert 'class="struck">14' not in page
    for f in ("text", "md", "html"):
        assert "Hand 1: the table wrote 11 for Ann" in one_plain_line(render(sheet, f)).replace("\\x0a", " ")
        assert "carries it on" in render(sheet, f)


def test_equal_sums_of_two_sides_are_both_told() -> None:
    row = SheetRow((Cell("1"), Cell("0", "no sweeps"), Cell("0", "no sweeps"), Cell("+0", "no sweeps; +0")))
    layout = (Column("hand"), Column("", "A", "total"), Column("", "B"), Column("±", "B", "gain"))
    text = render(Sheet("t", (), (Block("b", ("hand", "A", "B", "B ±"), (row,), layout),)))
    assert "hand 1: A no sweeps; B no sweeps; +0" in text


def test_a_nought_is_a_dot_and_a_total_stays() -> None:
    sheet = sheet_of(hands(FIRST))
    assert "| 10 | +10 | **10** | · | · | **0** |" in render(sheet, "md")
    assert [p.text for p in drawn_sheet(sheet)[0][0].wide[0].lines[0].places][-4:] == ["+10", "10", "0", "·"]


def test_hands_are_columns_on_a_phone_and_so_many_at_a_time() -> None:
    """Five kinds of points and eight hands: kinds are rows, and the seventh hand begins another table."""
    sheet = sheet_of(simulate("scopa", seed=3, hands=8, options={"target": 999}))
    narrow = drawn_sheet(sheet)[0][0].narrow
    heads = [[head for head, _ in grid.heads] for grid in narrow]
    assert heads[:2] == [["A", "1", "2", "3", "4", "5", "6"], ["A", "7", "8"]]
    assert [line.places[0].text for line in narrow[0].lines][-2:] == ["hand", "total"]
    assert all(len(line.places) == len(grid.heads) for grid in narrow for line in grid.lines)


def test_four_small_sheets_stand_on_a_page() -> None:
    """The figures four times, for paper; what a figure leads to is there once."""
    page = Page(sheet_page(sheet_of(hands(FIRST)), PageLook(four=True)))
    assert page.tags.count("article") == 4
    assert len(page.ids) == len(set(page.ids))


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


def test_what_agrees_takes_one_line() -> None:
    played = simulate("kaiser", seed=4, hands=3)
    told = [*played, Recorded(n=len(played), event=Claim(by="@", facts=dict(score_match(played).totals)))]
    sheet = sheet_of(told)
    assert [b.heading for b in sheet.blocks] == ["Score"]
    assert sheet.remarks.count("The table's score agrees with the computed one wherever it was stated.") == 1
    assert not any(c.stated for b in sheet.blocks for r in b.rows for c in r.cells)


# -- dates


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("words", "14 March 2026"), ("us", "March 14, 2026"), ("dots", "14.3.2026"), ("slashes", "14/03/2026"),
        ("dashes", "14-03-2026"), ("iso", "2026-03-14"),
    ],
)
def test_a_date_is_in_the_readers_form_on_paper_and_iso_in_data(form: str, written: str) -> None:
    sheet, look = sheet_of(log("kaiser", f"@ hand 1\n{FIRST}", Date="2026-03-14")), PageLook(dates=form)
    assert sheet.head.date == "2026-03-14"
    for kind in ("text", "md", "html"):
        assert written in render(sheet, kind, look=look)
        assert ("2026-03-14" in render(sheet, kind, look=look)) is (form == "iso")
    assert written not in render(sheet, "csv", look=look)


@pytest.mark.parametrize(
    ("locale", "form"),
    [
        ("en_US.UTF-8", "us"), ("en_GB.UTF-8", "words"), ("en", "words"), ("de_AT", "dots"),
        ("fr-FR,fr;q=0.9,en;q=0.8", "slashes"), ("nl", "dashes"), ("hu_HU", "iso"), ("sv-SE", "iso"), ("", "words"),
        ("C", "words"), ("POSIX", "words"), ("xx_YY", "words"), ("*", "words"), ("en-CA", "iso"),
        ("uk_UA.KOI8-U", "dots"),
    ],
)  # fmt: skip
def test_the_form_of_dates_follows_the_readers_locale(locale: str, form: str) -> None:
    assert form_of_locale(locale) == form


def test_what_is_no_date_stays_and_a_form_nobody_knows_is_refused() -> None:
    assert in_form(
        "2026-02-30, 2026-02-??, 12026-03-140 and 2026-03-14", "dots",
    ) == "2026-02-30, 2026-02-??, 12026-03-140 and 14.3.2026"
    with pytest.raises(UsageError, match="words, us, dots, slashes, dashes, iso"):
        in_form("", "mdy")
