"""A sheet as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from reducers.sheet import Block, Cell, Sheet
from replay.paper.cells import HOW, LEGEND, SIGNED, drawn, how_added, notes_of, right_aligned
from replay.plain_text import clean, width

_TEXT_WIDTH = 100


def as_text(sheet: Sheet) -> str:
    out = [clean(sheet.title), "═" * min(width(clean(sheet.title)), _TEXT_WIDTH), ""]
    indent = max((width(clean(name)) for name, _ in sheet.facts), default=0) + 2
    for name, value in sheet.facts:
        out += _fill(_pad(clean(name), indent) + clean(value), indent)
    for block in sheet.blocks:
        out += ["", clean(block.heading), *_text_block(block)]
        out += [line for name, note in notes_of(block) for line in _fill(f"{name}: {note}", 2)]
    marks = {c.mark for b in sheet.blocks for r in b.rows for c in r.cells}
    legend = [f"{sign} {LEGEND[mark]}" for mark, sign in (("wrong", "!"), ("crossed", "~7~")) if mark in marks]
    if legend:
        out += ["", ", ".join(legend)]
    how = how_added(sheet)
    if how:
        out += ["", HOW]
        for heading, rows in how:
            out += [f"  {clean(heading)}"] if len(how) > 1 else []
            for name, sums in rows:
                out += _fill(f"  {name}: " + "; ".join(f"{head} {text}" for head, text in sums), 6)
    if sheet.remarks:
        out += ["", "Remarks"]
        for remark in sheet.remarks:
            out += _fill(f"  - {clean(remark)}", 4)
    if sheet.signed:
        out += ["", SIGNED, *map(clean, sheet.signed)]  # not filled: it has to be read back as it is
    return "\n".join(line.rstrip() for line in out) + "\n"


def _fill(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, _TEXT_WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False) or [""]


def _pad(text: str, to: int, *, right: bool = False) -> str:
    space = " " * max(0, to - width(text))
    return space + text if right else text + space


def _marked(cell: Cell) -> str:
    text = drawn(cell)
    return {"wrong": text + "!", "crossed": f"~{text}~"}.get(cell.mark, text)


def _text_block(block: Block) -> list[str]:
    """Columns aligned by display width; a light rule below the heads, above totals, and wherever the page asks for one."""
    heads = [clean(c) for c in block.columns]
    rows = [[_marked(c) for c in row.cells] for row in block.rows]
    right = right_aligned(block)
    # A mark stands beside its figure, so it must not push the figures of the column apart.
    hang = [any(i < len(r.cells) and r.cells[i].mark == "wrong" for r in block.rows) for i in range(len(heads))]
    for cells in rows:
        for i, text in enumerate(cells[: len(heads)]):
            if hang[i] and right[i] and not text.endswith("!"):
                cells[i] = text + " "
    wide = [max([width(h), *(width(r[i]) for r, row in zip(rows, block.rows, strict=True) if i < len(r) and row.kind != "part")]) for i, h in enumerate(heads)]
    rule = "─" * (sum(wide) + 2 * max(0, len(wide) - 1))

    def line(cells: Sequence[str]) -> str:
        shown = [_pad(c, wide[i], right=right[i]) if i < len(wide) else c for i, c in enumerate(cells)]
        return "  ".join(shown)

    out = [line(heads), rule]
    for row, cells in zip(block.rows, rows, strict=True):
        if row.kind in ("rule", "total"):
            out.append(rule)
        out.append("  ".join(c for c in cells if c.strip()) if row.kind == "part" else line(cells))
    return out
