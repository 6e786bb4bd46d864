"""A sheet as plain text. On a narrow page a block that is too wide is split, each part with the first column."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from reducers.sheet import Block, Cell, Sheet
from replay.languages.translate import in_language, t
from replay.paper.cells import BESIDE, HOW, LEGEND, SIGNED, block_in_language, drawn, facts_told, right_aligned
from replay.paper.grids import drawn_sheet
from replay.plain_text import one_plain_line, text_columns, wrapped

_TEXT_WIDTH = 100


def as_text(sheet: Sheet, columns: int = 0, beside: str = BESIDE) -> str:
    """The sheet as text; with `columns`, no line is longer."""
    page = min(columns or _TEXT_WIDTH, _TEXT_WIDTH)

    def _fill(text: str, indent: int) -> list[str]:
        return textwrap.wrap(text, page, subsequent_indent=" " * min(indent, page // 3), break_on_hyphens=False) or [""]

    title = list(wrapped(one_plain_line(in_language(sheet.title)), columns))
    out = [*title, "═" * min(max(map(text_columns, title)), page), ""]
    facts = [(in_language(name), in_language(value, name)) for name, value in facts_told(sheet)]
    blocks = tuple(map(block_in_language, sheet.blocks))
    indent = max((text_columns(one_plain_line(name)) for name, _ in facts), default=0) + 2
    for name, value in facts:
        out += _fill(_pad(one_plain_line(name), indent) + one_plain_line(value), indent)
    for block in blocks:
        out += ["", one_plain_line(block.heading)]
        for i, part in enumerate(_parts(block, columns)):
            out += [*([""] if i else []), *_text_block(block, part, columns)]
    marks = {c.mark for b in blocks for r in b.rows for c in r.cells}
    legend = [f"{sign} {t(LEGEND[mark])}" for mark, sign in (("wrong", "!"), ("crossed", "~7~")) if mark in marks]
    legend += [f"~7~ 8† {t('the table wrote {n}', n=7)}"] if any(
        c.stated for b in blocks for r in b.rows for c in r.cells
    ) else []
    if legend:
        out += ["", *wrapped(", ".join(legend), columns)]
    notes = drawn_sheet(sheet)[1]
    if notes:
        out += ["", t(HOW)]
        for note in notes:
            said = "; ".join(f"{in_language(who)} {in_language(text)}".strip() for who, text in note.said)
            out += _fill(f"  {in_language(note.hand)}: {said}", 6)
    if sheet.remarks:
        out += ["", t(beside)]
        for remark in sheet.remarks:
            out += _fill(f"  {'' if remark.startswith('†') else '- '}{one_plain_line(in_language(remark))}", 4)
    if sheet.signed:
        out += ["", t(SIGNED), *map(one_plain_line, sheet.signed)]  # not wrapped, to be read back unchanged
    return "\n".join(line.rstrip() for line in out) + "\n"


def _pad(text: str, to: int, *, right: bool = False) -> str:
    space = " " * max(0, to - text_columns(text))
    return space + text if right else text + space


def _marked(cell: Cell) -> str:
    text = f"~{one_plain_line(cell.stated)}~ {drawn(cell)}†" if cell.stated else drawn(cell)
    return {"wrong": text + "!", "crossed": f"~{text}~"}.get(cell.mark, text)


def _columns(block: Block) -> tuple[list[list[str]], list[int]]:
    """The cells of each row as written, and the width of each column."""
    heads = [one_plain_line(c) for c in block.columns]
    rows = [[_marked(c) for c in row.cells] for row in block.rows]
    right = right_aligned(block)
    # A mark is beside its figure, so it must not shift the figures of the column.
    hang = [
        any(i < len(r.cells) and (r.cells[i].mark == "wrong" or r.cells[i].stated) for r in block.rows)
        for i in range(len(heads))
    ]
    for cells in rows:
        for i, text in enumerate(cells[: len(heads)]):
            if hang[i] and right[i] and not text.endswith(("!", "†")):
                cells[i] = text + " "
    wide = [
        max([
            text_columns(h),
            *(
                text_columns(r[i]) for r, row in zip(rows, block.rows, strict=True) if i < len(r)
                and row.kind != "part"
            )
        ])
        for i, h in enumerate(heads)
    ]
    return rows, wide


def _parts(block: Block, columns: int) -> list[list[int]]:
    """The columns to print side by side: all, or as many as fit, with the first one repeated in each part.

    Columns of one side (heads with the same first word) stay together if there is room; a repeated head (`chips`)
    belongs to the side before it.
    """
    _, wide = _columns(block)
    everything = list(range(len(wide)))
    if not columns or sum(wide) + 2 * (len(wide) - 1) <= columns:
        return [everything]
    groups: list[list[int]] = []
    for i in everything[1:]:
        word = one_plain_line(block.columns[i]).partition(" ")[0]
        of_each = block.columns.count(block.columns[i]) > 1
        if groups and (of_each or one_plain_line(block.columns[groups[-1][0]]).partition(" ")[0] == word):
            groups[-1].append(i)
        else:
            groups.append([i])

    def room(part: Sequence[int]) -> bool:
        return sum(wide[i] for i in part) + 2 * (len(part) - 1) <= columns

    parts: list[list[int]] = [[0]]
    for group in groups:
        if len(parts[-1]) > 1 and not room([*parts[-1], *group]) and (
            room([0, *group]) or not room([*parts[-1], group[0]])
        ):
            parts.append([0])
        for i in group:
            if len(parts[-1]) > 1 and not room([*parts[-1], i]):
                parts.append([0])
            parts[-1].append(i)
    return parts


def _text_block(block: Block, part: Sequence[int], columns: int) -> list[str]:
    """Columns aligned by display width, with a rule below the heads, above totals, and where the block asks for one."""
    heads, right = [one_plain_line(c) for c in block.columns], right_aligned(block)
    rows, wide = _columns(block)
    across = sum(wide[i] for i in part) + 2 * max(0, len(part) - 1)
    # Text that is too long for the page is wrapped; a rule is cut.
    rule = "─" * min(across, columns or across)
    last = not part or part[-1] == len(heads) - 1

    def line(cells: Sequence[str]) -> str:
        shown = [_pad(cells[i], wide[i], right=right[i]) for i in part if i < len(cells)]
        return "  ".join([*shown, *(cells[len(wide) :] if last else ())])

    def lines(text: str) -> list[str]:
        return list(wrapped(text, columns))

    out = [*lines(line(heads)), *lines(rule)]
    for row, cells in zip(block.rows, rows, strict=True):
        if row.kind in ("rule", "total"):
            out += lines(rule)
        out += lines("  ".join(c for c in cells if c.strip()) if row.kind == "part" else line(cells))
    return out
