"""Sheets as files for other programs: each is read back by a program that did not write it."""

from __future__ import annotations

import csv
import io
import re
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sampling import a_few

from cli.text_output import score_lines
from events.errors import UsageError
from events.kib import read_kib
from events.model import Recorded
from reducers.scoring import figure
from reducers.sheet import Block, Cell, Figure, Head, Sheet, SheetRow, SheetSide
from replay.paper.blank import blank
from replay.paper.cells import is_figure
from replay.paper.codes import svg_code
from replay.paper.hand_sheet import hand_sheet
from replay.paper.render import written_sheet
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import PageLook
from replay.paper.wall import for_the_wall
from replay.plain_text import one_plain_line, player_names
from replay.scoring.three_ways import score_match

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.kib"))
NAMES = ["burraco-club", "kaiser-evening", "pad-hearts", "scopa-sunday", "yaniv-hostel"]
"""A sheet of each form: parts, two sides on a line, columns, kinds of points, totals that are set back."""
ALL_EXAMPLES = a_few([path.stem for path in EXAMPLES], 8)


def records_of(name: str) -> list[Recorded]:
    """An example record."""
    path = next(path for path in EXAMPLES if path.stem == name)
    return list(read_kib(path.read_text(encoding="utf-8")).records)


@cache
def example(name: str) -> Sheet:
    """The sheet of an example record."""
    return sheet_of(records_of(name))


# -- a workbook


def opened(sheet: Sheet, *, values: bool = False) -> Any:
    """The first page of the workbook of a sheet, as openpyxl reads it."""
    pytest.importorskip("xlsxwriter")
    book = pytest.importorskip("openpyxl").load_workbook(io.BytesIO(written_sheet(sheet, "xlsx")), data_only=values)
    assert book.sheetnames == ["Score", *["Figures"] * bool(sheet.figures)]
    return book["Score"]


def reckoned(page: Any, changed: dict[str, int] | None = None) -> dict[str, int]:
    """The figures of a page whose formulas are sums, reckoned anew; `changed` are cells that somebody corrected."""
    cells = {
        cell.coordinate: cell.value for row in page.iter_rows() for cell in row if cell.value is not None
    } | (changed or {})

    def value(name: str) -> int:
        told = cells.get(name, 0)
        if not isinstance(told, str):
            return int(told)
        assert re.fullmatch(r"=[A-Z]+[0-9]+([+-]([A-Z]+[0-9]+|[0-9]+))*", told), (name, told)
        return sum(
            (-1 if sign == "-" else 1) * (int(text) if text.isdecimal() else value(text))
            for sign, text in re.findall(r"([+-]?)([A-Z]+\d+|\d+)", told[1:])
        )

    return {
        name: value(name) for name, told in cells.items() if isinstance(told, int)
        or (isinstance(told, str) and told.startswith("="))
    }


def cells_of(sheet: Sheet) -> Iterator[tuple[int, int, Cell]]:
    """Every cell of the tables of a sheet, with its row and column in the workbook."""
    top = 6
    for block in sheet.blocks:
        yield from ((top + y, x, cell) for y, row in enumerate(block.rows) for x, cell in enumerate(row.cells, 1))
        top += len(block.rows) + 3


@pytest.mark.parametrize("name", ALL_EXAMPLES)
def test_a_workbook_has_the_tables_of_the_sheet(name: str) -> None:
    """The same heads, and in each cell what the sheet says, where a formula reckons it too."""
    sheet = example(name)
    page, kept = opened(sheet), opened(sheet, values=True)
    figures = reckoned(page)
    heads = [[cell.value for cell in row if cell.value] for row in page.iter_rows()]
    assert all([one_plain_line(head) for head in block.columns if head] in heads for block in sheet.blocks)
    for row, column, cell in cells_of(sheet):
        there = page.cell(row, column)
        if is_figure(cell.text):
            assert figures[there.coordinate] == kept.cell(row, column).value == int(
                cell.text.replace("−", "-")
            ), (name, row, column)
        else:
            assert (there.value or "") == one_plain_line(cell.text)
    assert any(
        isinstance(cell.value, str) and cell.value.startswith("=") for row in page.iter_rows() for cell in row
    ) or name in ("bridge-solitaire-2", "turnover-bridge-porch")


@pytest.mark.parametrize(
    ("name", "cell", "follow"),
    [
        ("burraco-club", "B9", ["B11", "B12", "B21"]), ("pay-me-kitchen", "D6", ["D10", "D15", "D19"]),
        ("yaniv-hostel", "E7", ["F7", "F8", "F9"]), ("scopa-sunday", "C6", ["H6", "I6", "I7", "I8", "I9"]),
        ("kowah-pendopo", "D6", ["D7", "D8"]),
    ],
)  # fmt: skip
def test_a_corrected_cell_changes_every_total_after_it(name: str, cell: str, follow: list[str]) -> None:
    page = opened(example(name))
    before, after = reckoned(page), reckoned(page, {cell: int(page[cell].value or 0) + 30})
    changed = [at for at, n in before.items() if at != cell and after[at] != n]
    assert changed[: len(follow)] == follow, changed
    assert {after[at] - before[at] for at in changed} == {30}


def test_no_name_is_run_in_a_workbook() -> None:
    odd = "=HYPERLINK(1)"
    figures = tuple(Figure(1, odd, odd, odd, odd, part, 3, odd) for part in (odd, "hand", "total"))
    block = Block(odd, (odd, odd), (SheetRow((Cell(odd), Cell(odd, odd, "total"))),))
    page = opened(Sheet(odd, (("Result", odd),), (block,), (odd,), figures=figures))
    cells = [cell for row in page.iter_rows() for cell in row if cell.value == odd]
    assert len(cells) >= 7
    assert {cell.data_type for cell in cells} == {"s"}


# -- on paper, and as a picture


def pages_of(data: bytes) -> Any:
    """A PDF as pypdf reads it."""
    return pytest.importorskip("pypdf").PdfReader(io.BytesIO(data)).pages


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_is_one_page_of_pdf_with_its_names_and_totals(name: str) -> None:
    pytest.importorskip("typst")
    sheet = example(name)
    pages = pages_of(written_sheet(sheet, "pdf", look=PageLook()))
    assert len(pages) == 1
    text = " ".join(pages[0].extract_text().split())
    for side in sheet.head.sides:
        assert side.name in text
        assert side.total in text
    width, height = (float(n) for n in pages[0].mediabox[2:])
    assert (round(width), round(height)) == (595, 842)


@pytest.mark.skipif(
    shutil.which("qpdf") is None or shutil.which("pdftotext") is None, reason="the checkers are not installed",
)
@pytest.mark.parametrize("name", a_few(NAMES, 1))
def test_a_checker_has_nothing_to_say_about_a_pdf(name: str, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    hand = hand_sheet(records_of(name), 1)
    for kind, sheet, wall in (
        ("sheet", example(name), False), ("hand", hand, False), ("wall", for_the_wall(example(name)), True),
        ("pad", blank(name.partition("-")[0]), False),
    ):
        path = tmp_path / f"{kind}.pdf"
        path.write_bytes(written_sheet(sheet, "pdf", look=PageLook(wall=wall)))
        checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=True)
        assert "No syntax or stream encoding errors found" in checked.stdout
        for command in (
            ["pdfinfo", path], ["pdftotext", path, "-"], ["pdftoppm", "-r", "20", "-png", path, tmp_path / kind],
        ):
            assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == "", command


def test_paper_of_the_other_size_and_a_code() -> None:
    pytest.importorskip("typst")
    pytest.importorskip("segno")
    url = "https://club.example/kaiser"
    pages = pages_of(
        written_sheet(example("kaiser-evening"), "pdf", look=PageLook(paper="letter", url=url, code=svg_code(url)))
    )
    assert tuple(round(float(n)) for n in pages[0].mediabox[2:]) == (612, 792)
    assert url in pages[0].extract_text()
    assert "♦" in pages[0].extract_text()


@pytest.mark.parametrize("odd", ["#panic()", '"; #read("/etc/passwd")', "*_`$x$`_*", "\\", "日本語", "<a>", "// no"])
def test_no_name_is_markup_on_paper(odd: str) -> None:
    """If this failed, somebody's name could break the sheet, or read a file."""
    pytest.importorskip("typst")
    head = Head("Kaiser", odd, odd, odd, odd, (SheetSide(odd, "3", players=(odd,)),), odd, odd, 1)
    text = pages_of(
        written_sheet(Sheet(odd, ((odd, odd),), (), (odd,), head=head), "pdf", look=PageLook())
    )[0].extract_text()
    assert odd.replace("日本語", "") in text


def test_a_picture_has_its_size_in_its_head() -> None:
    """Of a pad as well, whose rows share a page on paper."""
    pytest.importorskip("typst")
    for sheet in (example("scopa-sunday"), blank("kaiser")):
        data = written_sheet(sheet, "png", look=PageLook())
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        assert width in (907, 908)
        assert 600 < height < 2400


@pytest.mark.rest
@pytest.mark.parametrize(("format", "module"), a_few([("xlsx", "xlsxwriter"), ("pdf", "typst")], 1))
def test_the_same_sheet_is_the_same_file(format: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, nobody could tell by its bytes whether a sheet has changed; a file would tell when it was
    made."""
    pytest.importorskip(module)
    first = written_sheet(example("scopa-sunday"), format, look=PageLook())
    monkeypatch.setenv("TZ", "UTC+5")
    time.tzset()
    time.sleep(1.1)  # the finest unit that either form writes is a second
    assert written_sheet(example("scopa-sunday"), format, look=PageLook()) == first


# -- without the extras


@pytest.mark.parametrize(
    ("format", "module", "extra"), [("xlsx", "xlsxwriter", "sheets"), ("pdf", "typst", "pdf"), ("png", "typst", "pdf")],
)
def test_what_is_not_installed_is_named(format: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=rf"kibitz\[{extra}\]"):
        written_sheet(example("scopa-sunday"), format, look=PageLook())


def test_a_code_asks_for_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(UsageError, match=r"kibitz\[sheets\]"):
        svg_code("https://club.example")


@pytest.mark.parametrize("name", NAMES)
def test_csv_has_every_figure_once(name: str) -> None:
    """Read back it is the figures of the sheet, row by row."""
    sheet = example(name)
    rows = list(csv.DictReader(io.StringIO(written_sheet(sheet, "csv").decode(), newline=""), strict=True))
    told = [
        (
            int(r["hand"]), r["side"], r["part"], int(r["amount"]) if r["amount"] else None,
            int(r["stated"]) if r["stated"] else None,
        )
        for r in rows
    ]
    assert told == [(f.hand, f.side, f.part, f.amount, f.stated) for f in sheet.figures]
    assert len({one[:3] for one in told}) == len(told)


# -- as lines of text


def test_a_score_says_who_got_which_point() -> None:
    """If this failed, a reader would see 19 and 21 cards, and not whose the point is."""
    told = [" ".join(line.split()) for line in score_lines(score_match(records_of("scopa-sunday")))]
    assert told[1:11] == [
        "cards Rosa 19, counts 0", "cards Pietro 21, counts 1", "diamonds Rosa 6, counts 1",
        "diamonds Pietro 4, counts 0", "7♦ Rosa 0", "7♦ Pietro taken, counts 1",
        "primiera Rosa 7♠21 + 6♣18 + A♦16 + 4♥14 = 69, counts 0",
        "primiera Pietro 7♣21 + 7♦21 + 7♥21 + 6♠18 = 81, counts 1", "sweeps Rosa 0", "sweeps Pietro 1",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ALL_EXAMPLES)
def test_each_line_of_a_score_ends_with_what_it_counts(name: str) -> None:
    score = score_match(records_of(name))
    called = player_names(score.sides, score.names)
    told = [" ".join(line.split()) for line in score_lines(score)]
    for hand in score.hands:
        for part in hand.components:
            for who, n in part.amounts.items() if hand.done else ():
                start = one_plain_line(f"{part.label} {called.get(who, who)} ")
                assert any(
                    line.startswith(start) and line.endswith((f" {figure(n)}", f"+{figure(n)}")) for line in told
                ), (start, n)
