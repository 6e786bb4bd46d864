"""A report as PDF: the pieces of its pages in order, set by Typst like the sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from reducers.sheet import Block, Cell
from replay.paper.as_pdf import set_in_type
from replay.paper.cells import SIGNED, drawn, notes_of, right_aligned
from replay.paper.dates import in_form
from replay.paper.pictures import HEADING, caption
from replay.paper.report_finding import RULINGS, FindingPage, told_before
from replay.paper.report_page import PagePart, Report
from replay.plain_text import one_plain_line

Piece = dict[str, Any]


def report_as_pdf(made: Report) -> bytes:
    """The report as PDF, each finding on a page of its own. Raises UsageError if Typst is not installed."""
    pieces = list(report_pieces(made))
    return set_in_type("report.typ", {"title": made.title, "paper": "a4", "pieces": pieces}, "a report")


def report_pieces(made: Report) -> Iterator[Piece]:
    """The content of the pages, in order, for the template."""
    for found in made.findings:
        yield from _finding(found, made)
        yield {"kind": "page"}
    yield {"kind": "title", "text": made.title}
    yield {"kind": "answer", "text": made.answer}
    yield from _said(made.facts)
    for part in made.parts:
        yield from _part(part)
    if made.pictures:
        yield _heading(HEADING)
        yield from _said(("", caption(one)) for one in made.pictures)
    if made.signed:
        yield _heading(SIGNED)
        yield _drawn(made.signed)


def _finding(f: FindingPage, made: Report) -> Iterator[Piece]:
    head = made.head
    left, right = (head.event or head.game, head.place), ("For the arbiter", in_form(head.date, made.dates), head.game)
    yield {"kind": "head", "left": [text for text in left if text], "right": [text for text in right if text]}
    yield {"kind": "title", "text": f"{f.number}. {f.title}" if len(made.findings) > 1 else f.title}
    yield _text(f.sentence)
    yield _heading("The table just before")
    yield from _said(("", line) for line in told_before(f))
    if f.layout:
        yield _drawn(f.layout)
    yield from (_text(line, dim=True) for line in (*f.beside, f.before) if line)
    yield _heading("The proof")
    yield from _said((*f.proof, *(("", text) for text in f.because), *f.held))
    yield from _said((label, text) for label, text in (("known", f.known), ("legal", f.legal)) if text)
    yield _heading("The rule")
    yield _text(f"“{f.rule}” {f.source}")
    if f.scores is not None:
        yield _heading(f.scores.heading)
        yield from _table(f.scores)
    yield _heading("The ruling")
    yield {"kind": "boxes", "names": list(RULINGS)}
    yield {"kind": "signing", "names": [*([name, "heard"] for name in f.heard), ["", "arbiter, date"]]}


def _part(part: PagePart) -> Iterator[Piece]:
    yield _heading(part.heading)
    if part.block is not None:
        yield from _table(part.block)
    for entry in part.entries:
        yield {"kind": "entry", "sign": entry.sign, "text": entry.title}
        yield from _said(entry.lines, indent=1)
    yield from _said(("", text) for text in part.items)
    if part.legend:
        yield _text(part.legend, dim=True)


def _table(block: Block) -> Iterator[Piece]:
    wide = len(block.columns)
    rows = [[*map(_cell, row.cells), *[_cell(Cell(""))] * (wide - len(row.cells))] for row in block.rows]
    yield {"kind": "table", "heads": list(block.columns), "right": right_aligned(block), "rows": rows}
    yield from _said(notes_of(block))


def _cell(cell: Cell) -> Piece:
    text = drawn(cell) + ("†" if cell.stated else " ✗" if cell.mark == "wrong" else "")
    return {
        "text": text, "bold": cell.mark in ("total", "won", "wrong"), "italic": cell.mark == "claimed",
        "crossed": cell.mark == "crossed", "struck": cell.stated,
    }  # fmt: skip


def _heading(text: str) -> Piece:
    return {"kind": "heading", "text": text}


def _text(text: str, *, dim: bool = False) -> Piece:
    return {"kind": "text", "text": one_plain_line(text), "dim": dim}


def _drawn(lines: Iterable[str]) -> Piece:
    return {"kind": "drawn", "text": "\n".join(map(one_plain_line, lines))}


def _said(lines: Iterable[tuple[str, str]], indent: int = 0) -> Iterator[Piece]:
    return (
        {"kind": "said", "name": one_plain_line(name), "text": one_plain_line(text), "indent": indent}
        for name, text in lines
    )
