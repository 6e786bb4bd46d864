"""HTML pages for reports and an index: their style, tables, and escaping."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from reducers.sheet import Block, Cell
from replay.paper.cells import SIGNED, right_aligned
from replay.paper.colours import PALETTE
from replay.plain_text import one_plain_line, text_columns


def html_signed(lines: Sequence[str]) -> list[str]:
    """The signed head of the book as HTML; empty if there is none."""
    if not lines:
        return []
    text = "\n".join(map(h, lines))
    style = "white-space: pre-wrap; overflow-wrap: anywhere; margin: 0"
    return ['<section class="small">', f"<h2>{SIGNED}</h2>", f'<pre style="{style}">{text}</pre>', "</section>"]


# -- HTML -------------------------------------------------------------------------------------------------------------

_STYLE = """
@page { size: A4; margin: 10mm 12mm }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.6em 1.4em; max-width: 60em; background: var(--ground); color: var(--text);
  font: 15px/1.4 "Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums lining-nums }
h1 { font: 600 1.6em/1.2 Georgia, "Times New Roman", "DejaVu Serif", serif; margin: 0 0 .15em }
h2 { font: 600 1.05em/1.3 Georgia, "Times New Roman", "DejaVu Serif", serif; margin: 1.2em 0 .35em }
.result { font-size: 1.1em; margin: 0 0 .7em }
dl { display: flex; flex-wrap: wrap; gap: .2em 1.8em; margin: 0 0 .8em; padding: .5em 0;
  border-top: 1px solid var(--hair); border-bottom: 1px solid var(--hair) }
dl div { display: flex; gap: .5em } dt { color: var(--second) } dd { margin: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% } .few { width: auto; min-width: 55% }
th { font-weight: 600; text-align: left; vertical-align: bottom }
th, td { padding: .24em .5em } td { border-bottom: 1px solid var(--hair); vertical-align: baseline } th, thead td { border-bottom: 1.5px solid var(--text) }
th:first-child, td:first-child { padding-left: 0 } th:last-child, td:last-child { padding-right: 0 }
.n { text-align: right } td.n, .k { white-space: nowrap } td { overflow-wrap: break-word }
tr.rule td, tr.total td { border-top: 2px solid var(--text) } tr.total td { font-weight: 600 }
tr.part td { font-weight: 600; padding-top: .7em; border-bottom-color: var(--second) }
td[title] { cursor: help }
.m-total, .m-won { font-weight: 650 } .m-crossed { text-decoration: line-through; color: var(--second) }
.m-claimed { font-style: italic } .m-unknown { color: var(--second) }
.m-wrong { font-weight: 650; color: var(--wrong) } .m-wrong span { border: 1px solid; border-radius: .2em; padding: 0 .22em }
td sup { color: var(--second); line-height: 0 }
.small { font-size: .86em; color: var(--text) } .small h2 { font-size: 1.16em; break-after: avoid }
.small ol, .small ul { margin: 0; padding: 0; list-style: none }
.small li { margin: 0 0 .22em; padding-left: 1em; text-indent: -1em; break-inside: avoid } .small li > * { text-indent: 0 }
.cols { margin-top: 1.3em } .cols section { margin-bottom: 1em } .cols h2 { margin-top: 0 }
b { font-weight: 600 } .legend { margin: .45em 0 0; color: var(--second); font-size: .86em } .small .legend { font-size: 1em }
.legend span + span { margin-left: 1.2em }
@media (min-width: 720px) { .cols { columns: 2; column-gap: 2.2em } }
@media (max-width: 560px) {
  body { font-size: 12.5px; padding: .9em .7em } th, td { padding: .3em .22em } h1 { font-size: 1.35em } th { font-size: .84em }
}
@media print {
  body { font-size: var(--print); line-height: 1.28; padding: 0; max-width: none; background: none; -webkit-print-color-adjust: exact; print-color-adjust: exact }
  .cols { columns: 2; column-gap: 2.2em } .wide { overflow: visible } td { padding-top: .13em; padding-bottom: .13em }
  h1 { font-size: 1.7em } h2 { margin-top: .8em } .cols { margin-top: 1em } thead { display: table-header-group } tr { break-inside: avoid }
}
"""


def html_page(title: str, body: Sequence[str], style: str = "", language: str = "en") -> str:
    """A page in the style of reports around these lines of HTML."""
    return html_frame(title, body, f"{(PALETTE + _STYLE).strip()}\n{style}", language)


def html_frame(title: str, body: Sequence[str], style: str, language: str) -> str:
    """A page around these lines of HTML, with nothing loaded from outside."""
    return "\n".join([
        "<!DOCTYPE html>",
        f'<html lang="{language}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{h(title)}</title>",
        f"<style>\n{style}\n</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


WIDE = '<div class="wide" tabindex="0" role="group" aria-label="a table; it may scroll sideways">'
"""Opens the container of a table that may be wider than the screen; it can be scrolled by keys, too."""


def h(text: str) -> str:
    """Text escaped for HTML, also within quotes."""
    return escape(one_plain_line(text), quote=True)


def html_block(block: Block) -> list[str]:
    """A block as a section of HTML: heading, table, footnotes."""
    right = right_aligned(block)
    few = classes("few" if len(block.columns) < 6 else "")
    out = ["<section>", f"<h2>{h(block.heading)}</h2>", f"{WIDE}<table{few}>", "<thead><tr>"]
    out += [
        f'<th scope="col"{classes("n" if r else "")}>{h(c)}</th>' if c else "<td></td>"
        for c, r in zip(block.columns, right, strict=True)
    ]
    out += ["</tr></thead>", "<tbody>"]
    noted = list(dict.fromkeys(note for row in block.rows if row.kind != "part" for note in row.notes))
    for row in block.rows:
        out.append(f"<tr{classes(row.kind)}>")
        if row.kind == "part":
            text = " ".join(one_plain_line(c.text) for c in row.cells if c.text)
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
        out.append(
            '<p class="legend">'
            + " ".join(f"<span><sup>{i + 1}</sup> {h(note)}</span>" for i, note in enumerate(noted)) + "</p>"
        )
    out.append("</section>")
    return out


def classes(*names: str) -> str:
    told = " ".join(n for n in names if n)
    return f' class="{told}"' if told else ""


def _html_cell(cell: Cell, *, right: bool, sign: str) -> str:
    tip = f' title="{h(cell.sum)}"' if cell.sum else ""
    text = f"<span>{h(cell.text)}</span>" if cell.mark == "wrong" else h(cell.text)
    # A few words stay together; a name with its contract may wrap if the page is narrow.
    keep = "n" if right else "k" if text_columns(cell.text) <= 12 else ""
    return f"<td{classes(keep, f'm-{cell.mark}' if cell.mark else '')}{tip}>{text}{sign}</td>"
