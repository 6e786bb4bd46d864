"""A sheet as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from events.match_tags import SHOWN_TAGS
from reducers.sheet import Block, Cell, Sheet
from replay.languages.translate import in_language, t
from replay.paper.cells import BESIDE, HOW, SIGNED, block_in_language, drawn, facts_told, notes_of, right_aligned
from replay.paper.grids import drawn_sheet
from replay.plain_text import one_plain_line

# Facts that are clear without their name.
_PLAIN = frozenset({"Game", *SHOWN_TAGS} - {"Round", "Table"})


def md(text: str) -> str:
    """Text escaped for Markdown.

    >>> print(md("a|b *c* <d> & &lt; [e]"))
    a\\|b \\*c\\* &lt;d\\> & \\&lt; \\[e\\]
    """
    text = re.sub(r"([\\`*_\[\]|~>]|&(?=#?\w+;))", r"\\\1", one_plain_line(text)).replace("<", "&lt;")
    # Characters that would begin a list or a heading at the start of a line.
    return re.sub(r"^(\s*\d*)([#+.)-])(?=[\s#]|$)", r"\1\\\2", text)


def _md_cell(cell: Cell) -> str:
    text = md(drawn(cell) if cell.mark != "erased" else cell.text)
    if cell.mark == "line":
        return text
    if not text:
        return ""
    if cell.stated:
        return f"~~{md(cell.stated)}~~ {text}†"
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


def as_markdown(sheet: Sheet, beside: str = BESIDE) -> str:
    out = [f"# {md(in_language(sheet.title))}", ""]
    facts = facts_told(sheet)
    out += [f"**{md(in_language(value))}**" for name, value in facts if name == "Result"]
    # A chat shows these in one line rather than as a list.
    rest = [
        f"{md(in_language(name))} {md(in_language(value))}" if name not in _PLAIN else md(in_language(value))
        for name, value in facts if name != "Result"
    ]
    out += ["", " · ".join(rest)] if rest else []
    for block in sheet.blocks:
        said = block_in_language(block)
        out += ["", f"## {md(said.heading)}", "", *markdown_block(said, noted=False)]
    notes = drawn_sheet(sheet)[1]
    if notes:
        out += ["", f"## {t(HOW)}", ""]
        out += [
            f"- {md(in_language(note.hand))}: "
            + "; ".join(md(f"{in_language(who)} {in_language(text)}".strip()) for who, text in note.said)
            for note in notes
        ]
    if sheet.remarks:
        out += ["", f"## {t(beside)}", "", *(f"- {md(in_language(r))}" for r in sheet.remarks)]
    out += markdown_signed(sheet.signed)
    return "\n".join(out) + "\n"


def markdown_signed(lines: Sequence[str]) -> list[str]:
    """The signed head of the book, unchanged so that it can be read back; empty if there is none."""
    return ["", f"## {t(SIGNED)}", "", *(f"    {one_plain_line(line)}".rstrip() for line in lines)] if lines else []


def markdown_block(block: Block, *, noted: bool = True) -> list[str]:
    """A block as a Markdown table, followed by its notes if `noted`; the caller writes the heading."""
    right = right_aligned(block)
    out = ["| " + " | ".join(md(c) for c in block.columns) + " |"]
    out.append("|" + "|".join(" ---: " if r else " --- " for r in right) + "|")
    for row in block.rows:
        cells = [_md_cell(c) for c in row.cells] + [""] * (len(block.columns) - len(row.cells))
        out.append("| " + " | ".join(cells) + " |")
    notes = notes_of(block) if noted else []
    return out + (["", *(f"- {md(name)}: {md(note)}" for name, note in notes)] if notes else [])
