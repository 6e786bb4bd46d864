"""A sheet as a page of HTML that fits on one sheet of paper."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from reducers.sheet import Block, Cell, Sheet
from replay.paper.cells import HOW, LEGEND, SIGNED, how_added, in_words, right_aligned
from replay.plain_text import clean, width


def html_signed(lines: Sequence[str]) -> list[str]:
    """The same for a web page."""
    if not lines:
        return []
    text = "\n".join(map(h, lines))
    style = "white-space: pre-wrap; overflow-wrap: anywhere; margin: 0"
    return ['<section class="small">', f"<h2>{SIGNED}</h2>", f'<pre style="{style}">{text}</pre>', "</section>"]


# -- HTML -------------------------------------------------------------------------------------------------------------

# Sizes in points, from roomy to dense: the first that fits everything on one sheet of A4 is taken.
_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
_PAGE = 277.0  # millimetres of height between the margins
_ACROSS = 186.0  # and of width

_STYLE = """
@page { size: A4; margin: 10mm 12mm }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0 auto; padding: 1.6em 1.4em; max-width: 60em; background: #fff; color: #1a1a1a;
  font: 15px/1.4 "Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums lining-nums }
h1 { font: 600 1.6em/1.2 Georgia, "Times New Roman", "DejaVu Serif", serif; margin: 0 0 .15em }
h2 { font: 600 1.05em/1.3 Georgia, "Times New Roman", "DejaVu Serif", serif; margin: 1.2em 0 .35em }
.result { font-size: 1.1em; margin: 0 0 .7em }
dl { display: flex; flex-wrap: wrap; gap: .2em 1.8em; margin: 0 0 .8em; padding: .5em 0;
  border-top: 1px solid #bbb; border-bottom: 1px solid #bbb }
dl div { display: flex; gap: .5em } dt { color: #5b5b5b } dd { margin: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% } .few { width: auto; min-width: 55% }
th { font-weight: 600; text-align: left; vertical-align: bottom; border-bottom: 1.5px solid #1a1a1a; color: #333 }
th, td { padding: .24em .5em } td { border-bottom: 1px solid #e2e2e2; vertical-align: baseline }
th:first-child, td:first-child { padding-left: 0 } th:last-child, td:last-child { padding-right: 0 }
.n { text-align: right } td.n, .k { white-space: nowrap } td { overflow-wrap: break-word }
tr.rule td, tr.total td { border-top: 2px solid #1a1a1a } tr.total td { font-weight: 600 }
tr.part td { font-weight: 600; padding-top: .7em; border-bottom-color: #999 }
td[title] { cursor: help }
.m-total, .m-won { font-weight: 650 } .m-crossed { text-decoration: line-through; color: #666 }
.m-claimed { font-style: italic } .m-unknown { color: #666 }
.m-wrong { font-weight: 650; color: #a11212 } .m-wrong span { border: 1px solid; border-radius: .2em; padding: 0 .22em }
.m-line, .m-erased { min-width: 9em; border-bottom-color: transparent }
.m-line span, .m-erased span { display: flex; align-items: center; justify-content: center; min-height: 1.4em; white-space: pre }
.m-line span::before, .m-line span::after { content: ""; flex: 1; border-top: 3px solid #1a1a1a }
.m-erased { color: #5b5b5b } .m-erased span { gap: .6em }
.m-erased span::before, .m-erased span::after { content: ""; flex: 1; border-top: 2px dotted #8a8a8a }
td sup { color: #5b5b5b; line-height: 0 }
.small { font-size: .86em; color: #2d2d2d } .small h2 { font-size: 1.16em; break-after: avoid }
.small ol, .small ul { margin: 0; padding: 0; list-style: none }
.small li { margin: 0 0 .22em; padding-left: 1em; text-indent: -1em; break-inside: avoid } .small li > * { text-indent: 0 }
.cols { margin-top: 1.3em } .cols section { margin-bottom: 1em } .cols h2 { margin-top: 0 }
b { font-weight: 600 } .legend { margin: .45em 0 0; color: #555; font-size: .86em } .small .legend { font-size: 1em }
.legend span + span { margin-left: 1.2em }
@media (min-width: 720px) { .cols { columns: 2; column-gap: 2.2em } }
@media (max-width: 560px) {
  body { font-size: 12.5px; padding: .9em .7em } th, td { padding: .3em .22em } h1 { font-size: 1.35em } th { font-size: .84em }
}
@media print {
  body { font-size: var(--print); line-height: 1.28; padding: 0; max-width: none; -webkit-print-color-adjust: exact; print-color-adjust: exact }
  .cols { columns: 2; column-gap: 2.2em } .wide { overflow: visible } td { padding-top: .13em; padding-bottom: .13em }
  h1 { font-size: 1.7em } h2 { margin-top: .8em } .cols { margin-top: 1em } thead { display: table-header-group } tr { break-inside: avoid }
}
"""


def as_html(sheet: Sheet) -> str:
    """One page without anything from outside, made for a phone, a screen and one sheet of A4."""
    result = next((value for name, value in sheet.facts if name == "Result"), "")
    body = ["<header>", f"<h1>{h(sheet.title)}</h1>"]
    body += [f'<p class="result">{h(result)}</p>'] if result else []
    body.append("<dl>")
    body += [f"<div><dt>{h(name)}</dt><dd>{h(value)}</dd></div>" for name, value in sheet.facts if name != "Result"]
    body += ["</dl>", "</header>", "<main>"]
    size = _size(sheet)
    wide, narrow = _parted(sheet.blocks, size)
    for block in wide:
        body += html_block(block)
    if sheet.remarks:
        body += ['<section class="small">', "<h2>Remarks</h2>", "<ul>", *(f"<li>{h(r)}</li>" for r in sheet.remarks), "</ul>", "</section>"]
    small = [line for block in narrow for line in html_block(block)] + _html_how(sheet)
    if small:
        body += ['<div class="small cols">', *small, "</div>"]
    body += [*_html_legend(sheet), *html_signed(sheet.signed), "</main>"]
    return html_page(sheet.title, body, f":root {{ --print: {size}pt }}")


def html_page(title: str, body: Sequence[str], style: str = "") -> str:
    """A page in the style of the sheets around these lines of HTML, nothing loaded from outside."""
    return "\n".join([
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{h(title)}</title>",
        f"<style>\n{_STYLE.strip()}\n{style}\n</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def h(text: str) -> str:
    """Text that HTML shows as it is, also within quotes."""
    return escape(clean(text), quote=True)


def html_block(block: Block) -> list[str]:
    """A block as a section of HTML: heading, table, footnotes."""
    right = right_aligned(block)
    few = _class("few" if len(block.columns) < 6 else "")
    out = ["<section>", f"<h2>{h(block.heading)}</h2>", f'<div class="wide"><table{few}>', "<thead><tr>"]
    out += [f'<th scope="col"{_class("n" if r else "")}>{h(c)}</th>' for c, r in zip(block.columns, right, strict=True)]
    out += ["</tr></thead>", "<tbody>"]
    noted = _footnotes(block)
    for row in block.rows:
        out.append(f"<tr{_class(row.kind)}>")
        if row.kind == "part":
            text = " ".join(clean(c.text) for c in row.cells if c.text)
            out.append(f'<td colspan="{len(block.columns)}">{h(text)}</td>')
        else:
            signs = ",".join(str(noted.index(note) + 1) for note in row.notes)
            for i, cell in enumerate(row.cells):
                sign = f"<sup>{signs}</sup>" if signs and i == 0 else ""
                out.append(_html_cell(cell, right=i < len(right) and right[i], sign=sign))
            out += ["<td></td>"] * (len(block.columns) - len(row.cells))
        out.append("</tr>")
    out += ["</tbody></table></div>"]
    if noted:
        out.append('<p class="legend">' + " ".join(f"<span><sup>{i + 1}</sup> {h(note)}</span>" for i, note in enumerate(noted)) + "</p>")
    out.append("</section>")
    return out


def _footnotes(block: Block) -> list[str]:
    """The remarks on rows, each once, in the order of the rows."""
    return list(dict.fromkeys(note for row in block.rows if row.kind != "part" for note in row.notes))


def _class(*names: str) -> str:
    told = " ".join(n for n in names if n)
    return f' class="{told}"' if told else ""


def _html_cell(cell: Cell, *, right: bool, sign: str) -> str:
    said = cell.sum or (in_words(cell) if cell.mark in ("line", "erased") else "")
    tip = f' title="{h(said)}"' if said else ""
    text = f"<span>{h(cell.text)}</span>" if cell.mark in ("wrong", "line", "erased") else h(cell.text)
    # A few words stay together; a name with its contract may wrap if the page is narrow.
    keep = "n" if right else "k" if width(cell.text) <= 12 else ""
    return f"<td{_class(keep, f'm-{cell.mark}' if cell.mark else '')}{tip}>{text}{sign}</td>"


def _html_how(sheet: Sheet) -> list[str]:
    """How each figure was added, as text beside the tooltips, which paper does not have."""
    out: list[str] = []
    for i, (heading, rows) in enumerate(how_added(sheet)):
        name = f"{HOW}: {heading}" if i else HOW
        out += ["<section>", f"<h2>{h(name)}</h2>", "<ol>"]
        out += [f"<li><b>{h(row)}</b> " + "; ".join(f"<i>{h(head)}</i> {h(text)}" for head, text in sums) + "</li>" for row, sums in rows]
        out += ["</ol>", "</section>"]
    return out


def _html_legend(sheet: Sheet) -> list[str]:
    """What the marks mean, as far as the sheet has them."""
    marks = [m for m in LEGEND if any(c.mark == m for b in sheet.blocks for r in b.rows for c in r.cells)]
    if not marks:
        return []
    signs = (f'<span><span class="m-{m}"><span>{"?" if m == "unknown" else "7"}</span></span> {h(LEGEND[m])}</span>' for m in marks)
    return [f'<p class="legend">{" ".join(signs)}</p>']


# -- fitting one sheet of A4 ------------------------------------------------------------------------------------------
#
# The browser sets the type, so this is an estimate on the safe side, from the widths of the usual sans serif faces: a
# character takes about half its size, a line 1.28 of it.

_SMALL = 0.86


def _size(sheet: Sheet) -> float:
    """The largest print size at which the sheet fits one page; the smallest legible one if none does."""
    return next((s for s in _SIZES if _height(sheet, s) <= _PAGE), _SIZES[-1])


def _per_line(size: float) -> float:
    """How many characters a line across the page takes."""
    return _ACROSS / (size * 0.3528 * 0.5)


def _per_column(size: float) -> float:
    """How many characters of the small print a line of half the page takes."""
    return _per_line(size) / _SMALL * 0.48


def _columns_of(block: Block) -> float:
    """How many characters wide a block is when only its heads wrap, with the space between its columns."""
    wide = 0.0
    for i, head in enumerate(block.columns):
        words = max((width(w) for w in head.split()), default=0) * 1.1
        wide += max([words, *(width(row.cells[i].text) for row in block.rows if i < len(row.cells) and row.kind != "part")]) + 2
    return wide


def _parted(blocks: Sequence[Block], size: float) -> tuple[list[Block], list[Block]]:
    """The blocks that go across the page, and those that fit into a column of the small print."""
    wide = list(blocks[:1])
    narrow: list[Block] = []
    for block in blocks[1:]:
        (narrow if _columns_of(block) <= _per_column(size) else wide).append(block)
    return wide, narrow


def _block_height(block: Block, size: float, across: float) -> float:
    """About how many millimetres a block takes in this many characters of width."""
    mm = size * 0.3528
    row = mm * (1.28 + 0.26) + 0.3
    heads = 2 if any(" " in c for c in block.columns) else 1
    notes = sum(width(note) + 5 for note in _footnotes(block))
    return mm * 3 + heads * mm * 1.6 + len(block.rows) * row * max(1.0, _columns_of(block) / across) + -(-notes // across) * mm * 1.4


def _height(sheet: Sheet, size: float) -> float:
    """About how many millimetres the sheet takes at this size."""
    mm, across, column = size * 0.3528, _per_line(size), _per_column(size)
    line = mm * 1.28
    wide, narrow = _parted(sheet.blocks, size)
    facts = sum(width(name) + width(value) + 5 for name, value in sheet.facts)
    height = mm * 7.5 + -(-facts // across) * line * 1.15 + sum(_block_height(b, size, across) for b in wide)
    if sheet.remarks:
        height += mm * 2.6 + sum(-(-width(r) // (across / _SMALL)) * line * _SMALL + mm * 0.2 for r in sheet.remarks)
    columns = sum(_block_height(b, size * _SMALL, column) + mm for b in narrow)
    for _, rows in how_added(sheet):
        texts = [f"{name} " + "; ".join(f"{head} {text}" for head, text in sums) for name, sums in rows]
        columns += mm * 2.6 + sum(-(-width(t) // column) * line * _SMALL + mm * 0.2 for t in texts)
    # What may not break makes a column a little longer than half.
    return height + mm * 2 + columns / 2 + line * 2


__all__ = ["h", "html_block", "html_page"]
