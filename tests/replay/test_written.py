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
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sampling import a_few

from events.errors import UsageError
from events.kib import read_kib
from reducers.sheet import Figure, Head, Sheet, SheetSide
from replay.paper.as_xlsx import adds_up
from replay.paper.blank import blank
from replay.paper.codes import svg_code
from replay.paper.render import written_sheet
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import PageLook
from replay.paper.wall import for_the_wall

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.kib"))
NAMES = ["burraco-club", "kaiser-evening", "pad-hearts", "scopa-sunday", "yaniv-hostel"]
"""A sheet of each form: parts, two sides on a line, columns, kinds of points, totals that are set back."""


@cache
def example(name: str) -> Sheet:
    """The sheet of an example record."""
    path = next(path for path in EXAMPLES if path.stem == name)
    return sheet_of(list(read_kib(path.read_text(encoding="utf-8")).records))


def totals(sheet: Sheet) -> dict[tuple[int, str], int | None]:
    """The total of each side after each hand."""
    return {(f.hand, f.side): f.amount for f in sheet.figures if f.part == "total"}


# -- a workbook -------------------------------------------------------------------------------------------------------------


def opened(sheet: Sheet, *, values: bool = False) -> Any:
    """The first page of the workbook of a sheet, as openpyxl reads it."""
    pytest.importorskip("xlsxwriter")
    book = pytest.importorskip("openpyxl").load_workbook(io.BytesIO(written_sheet(sheet, "xlsx")), data_only=values)
    assert book.sheetnames == ["Score", "Figures"]
    return book["Score"]


def reckoned(page: Any, changed: dict[str, int] | None = None) -> dict[str, int]:
    """The figures of a page whose formulas are sums, reckoned anew; `changed` are cells that somebody corrected."""
    cells = {cell.coordinate: cell.value for row in page.iter_rows() for cell in row if cell.value is not None} | (changed or {})

    def value(name: str) -> int:
        told = cells.get(name, 0)
        if not isinstance(told, str):
            return int(told)
        assert told.startswith("="), (name, told)
        return sum(term(sign, text) for sign, text in re.findall(r"([+-]?)(SUM\(\w+:\w+\)|[A-Z]+\d+|\d+)", told[1:]))

    def term(sign: str, text: str) -> int:
        found = re.fullmatch(r"SUM\(([A-Z]+)(\d+):([A-Z]+)\2\)", text)
        if found:
            n = sum(value(cell.coordinate) for cell in page[f"{found[1]}{found[2]}:{found[3]}{found[2]}"][0])
        else:
            n = int(text) if text.isdecimal() else value(text)
        return -n if sign == "-" else n

    return {name: value(name) for name, told in cells.items() if isinstance(told, int) or (isinstance(told, str) and told.startswith("="))}


def places(page: Any) -> dict[tuple[str, str], str]:
    """The column of each side and head."""
    side, out = "", {}
    for above, head in zip(page[4], page[5], strict=True):
        side = above.value or side
        out[side, head.value] = head.column_letter
    return out


@pytest.mark.parametrize("name", NAMES)
def test_a_workbook_adds_up_to_the_totals(name: str) -> None:
    """What its formulas come to is what the sheet says, also where a total was set back."""
    sheet = example(name)
    page = opened(sheet)
    column, figures = places(page), reckoned(page)
    kept = opened(sheet, values=True)
    row = {page.cell(n, 1).value: n for n in range(6, 6 + len({f.hand for f in sheet.figures}))}
    for (hand, side), total in totals(sheet).items():
        at = f"{column[side, 'total']}{row[hand]}"
        if total is not None:
            assert figures[at] == total, (side, hand)
            assert kept[at].value == total


def test_a_corrected_cell_changes_every_total_after_it() -> None:
    sheet = example("burraco-club")
    page = opened(sheet)
    column = places(page)
    side = "Donatella & Enzo"
    laid = f"{column[side, 'melds']}6"
    before, after = reckoned(page), reckoned(page, {laid: page[laid].value + 30})
    assert {name: after[name] - n for name, n in before.items() if after[name] != n} == {
        laid: 30, f"{column[side, 'hand']}6": 30, f"{column[side, 'total']}6": 30, f"{column[side, 'total']}7": 30,
    }  # fmt: skip


def test_lines_stand_in_a_workbook_only_if_they_add_up() -> None:
    """A no-trump contract is doubled after its line: then what the hand brought is a number."""
    kaiser, burraco = example("kaiser-evening").figures, example("burraco-club").figures
    assert not adds_up(kaiser, "Marcel & Doris")
    assert adds_up(burraco, "Giulia & Paolo")


def test_no_name_is_run_in_a_workbook() -> None:
    odd = "=HYPERLINK(1)"
    figures = tuple(Figure(1, odd, odd, odd, odd, part, 3, odd) for part in (odd, "hand", "total"))
    page = opened(Sheet(odd, (("Result", odd),), (), (odd,), figures=figures))
    cells = [cell for row in page.iter_rows() for cell in row if cell.value == odd]
    assert len(cells) >= 7
    assert {cell.data_type for cell in cells} == {"s"}


# -- on paper, and as a picture ---------------------------------------------------------------------------------------------


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


@pytest.mark.skipif(shutil.which("qpdf") is None or shutil.which("pdftotext") is None, reason="the checkers are not installed")
@pytest.mark.parametrize("name", NAMES)
def test_a_checker_has_nothing_to_say_about_a_pdf(name: str, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    for kind, sheet, wall in (("sheet", example(name), False), ("wall", for_the_wall(example(name)), True), ("pad", blank(name.partition("-")[0]), False)):
        path = tmp_path / f"{kind}.pdf"
        path.write_bytes(written_sheet(sheet, "pdf", look=PageLook(wall=wall)))
        checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=True)
        assert "No syntax or stream encoding errors found" in checked.stdout
        assert subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stderr == ""


def test_paper_of_the_other_size_and_a_code() -> None:
    pytest.importorskip("typst")
    pytest.importorskip("segno")
    url = "https://club.example/kaiser"
    pages = pages_of(written_sheet(example("kaiser-evening"), "pdf", look=PageLook(paper="letter", url=url, code=svg_code(url))))
    assert tuple(round(float(n)) for n in pages[0].mediabox[2:]) == (612, 792)
    assert url in pages[0].extract_text()
    assert "♦" in pages[0].extract_text()


@pytest.mark.parametrize("odd", ["#panic()", '"; #read("/etc/passwd")', "*_`$x$`_*", "\\", "日本語", "<a>", "// no"])
def test_no_name_is_markup_on_paper(odd: str) -> None:
    """If this failed, somebody's name could break the sheet, or read a file."""
    pytest.importorskip("typst")
    head = Head("Kaiser", odd, odd, odd, odd, (SheetSide(odd, "3", players=(odd,)),), odd, odd, 1)
    text = pages_of(written_sheet(Sheet(odd, ((odd, odd),), (), (odd,), head=head), "pdf", look=PageLook()))[0].extract_text()
    assert odd.replace("日本語", "") in text


def test_a_picture_has_its_size_in_its_head() -> None:
    pytest.importorskip("typst")
    data = written_sheet(example("scopa-sunday"), "png", look=PageLook())
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert width in (907, 908)
    assert 600 < height < 2400


@pytest.mark.rest
@pytest.mark.parametrize(("format", "module"), a_few([("xlsx", "xlsxwriter"), ("pdf", "typst")], 1))
def test_the_same_sheet_is_the_same_file(format: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, nobody could tell by its bytes whether a sheet has changed; a file would tell when it was made."""
    pytest.importorskip(module)
    first = written_sheet(example("scopa-sunday"), format, look=PageLook())
    monkeypatch.setenv("TZ", "UTC+5")
    time.tzset()
    time.sleep(1.1)  # the finest unit that either form writes is a second
    assert written_sheet(example("scopa-sunday"), format, look=PageLook()) == first


# -- without the extras -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("format", "module", "extra"), [("xlsx", "xlsxwriter", "sheets"), ("pdf", "typst", "pdf"), ("png", "typst", "pdf")])
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
    told = [(int(r["hand"]), r["side"], r["part"], int(r["amount"]) if r["amount"] else None, int(r["stated"]) if r["stated"] else None) for r in rows]
    assert told == [(f.hand, f.side, f.part, f.amount, f.stated) for f in sheet.figures]
    assert len({one[:3] for one in told}) == len(told)
