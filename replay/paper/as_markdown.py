"""A sheet as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reducers.sheet import Block, Cell, Sheet
from replay.paper.cells import HOW, SIGNED, drawn, how_added, notes_of, right_aligned
from replay.plain_text import clean


def md(text: str) -> str:
    """Text that Markdown shows as it is.

    >>> print(md("a|b *c* <d> & &lt; [e]"))
    a\\|b \\*c\\* &lt;d\\> & \\&lt; \\[e\\]
    """
    text = re.sub(r"([\\`*_\[\]|~>]|&(?=#?\w+;))", r"\\\1", clean(text)).replace("<", "&lt;")
    # What would begin a list or a heading at the start of a line.
    return re.sub(r"^(\s*\d*)([#+.)-])(?=[\s#]|$)", r"\1\\\2", text)


def _md_cell(cell: Cell) -> str:
    text = md(cell.text)
    if cell.mark == "line":
        return md(drawn(cell))
    if not text:
        return ""
    match cell.mark:
        case "total" | "won":
            return f"**{text}**"
        case "wrong":
            return f"**{text}** ✗"
        case "crossed" | "erased":
            return f"~~{text}~~"
        case "claimed":
            return f"*{text}*"
    return text


def as_markdown(sheet: Sheet) -> str:
    out = [f"# {md(sheet.title)}", ""]
    out += [f"- **{md(name)}:** {md(value)}" for name, value in sheet.facts]
    for block in sheet.blocks:
        out += ["", f"## {md(block.heading)}", "", *markdown_block(block)]
    how = how_added(sheet)
    if how:
        out += ["", f"## {HOW}"]
        for heading, rows in how:
            out += ["", *([f"### {md(heading)}", ""] if len(how) > 1 else [])]
            out += [f"- {md(name)}: " + "; ".join(f"{md(head)} {md(text)}" for head, text in sums) for name, sums in rows]
    if sheet.remarks:
        out += ["", "## Remarks", "", *(f"- {md(r)}" for r in sheet.remarks)]
    out += markdown_signed(sheet.signed)
    return "\n".join(out) + "\n"


def markdown_signed(lines: Sequence[str]) -> list[str]:
    """The signed head of the book, to be read back as it is; nothing if there is none."""
    return ["", f"## {SIGNED}", "", *(f"    {clean(line)}".rstrip() for line in lines)] if lines else []


def markdown_block(block: Block) -> list[str]:
    """A block as a Markdown table, its notes below; the heading is the caller's."""
    right = right_aligned(block)
    out = ["| " + " | ".join(md(c) for c in block.columns) + " |"]
    out.append("|" + "|".join(" ---: " if r else " --- " for r in right) + "|")
    for row in block.rows:
        cells = [_md_cell(c) for c in row.cells] + [""] * (len(block.columns) - len(row.cells))
        out.append("| " + " | ".join(cells) + " |")
    notes = notes_of(block)
    return out + (["", *(f"- {md(name)}: {md(note)}" for name, note in notes)] if notes else [])


__all__ = ["markdown_block", "md"]
