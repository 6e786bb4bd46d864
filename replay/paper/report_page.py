"""The page of a report: what it is made of, and how it is written as Markdown and as HTML.

Signs, not colour alone, tell apart what is certain, inferred and unknown.
"""

from __future__ import annotations

import re

from msgspec import Struct

from events.errors import UsageError
from reducers.sheet import Block
from replay.paper.as_html import h, html_block, html_page, html_signed
from replay.paper.as_markdown import markdown_block, markdown_signed, md
from replay.paper.pictures import Picture, html_pictures, markdown_pictures

FORMATS = ("html", "md")


class Entry(Struct, frozen=True):
    """A finding or a question on the page: its number, its head, and labelled lines."""

    sign: str
    title: str
    lines: tuple[tuple[str, str], ...]
    open: bool = False


class Part(Struct, frozen=True):
    """One part of the page: a table, entries, or plain items, in this order, and a legend below.

    `beside` says that it is small print, which may stand in a column.
    """

    heading: str
    block: Block | None = None
    entries: tuple[Entry, ...] = ()
    items: tuple[str, ...] = ()
    legend: str = ""
    kind: str = ""
    beside: bool = False


class Report(Struct, frozen=True):
    """The page as data: title, the answer in a sentence, facts, parts; `signed` as on a sheet."""

    title: str
    answer: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    signed: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()


def render_report(made: Report, format: str) -> str:
    """The page as "html" or "md". Raises UsageError for any other format."""
    if format == "html":
        return _html(made)
    if format == "md":
        return _markdown(made)
    raise UsageError(f"there is no report as '{format}'", expected=f"one of {', '.join(FORMATS)}")


# -- Markdown ---------------------------------------------------------------------------------------------------------


def _markdown(made: Report) -> str:
    out = [f"# {md(made.title)}", "", f"**{md(made.answer)}**", ""]
    out += [f"- **{md(name)}:** {md(value)}" for name, value in made.facts]
    for part in made.parts:
        out += ["", f"## {md(part.heading)}", ""]
        if part.block is not None:
            out += markdown_block(part.block)
        for entry in part.entries:
            out += [f"- **{md(entry.sign)} {md(entry.title)}**"]
            out += [f"  - *{md(label)}:* {md(text)}" for label, text in entry.lines]
        if part.items:
            out += [""] * (part.block is not None) + [f"- {md(text)}" for text in part.items]
        if part.legend:
            out += ["", f"*{md(part.legend)}*"]
    out += [*markdown_pictures(made.pictures), *markdown_signed(made.signed)]
    return "\n".join(out) + "\n"


# -- HTML -------------------------------------------------------------------------------------------------------------

_STYLE = """
:root { --print: 9.2pt }
.answer { font-size: 1.12em; font-weight: 600; margin: .2em 0 .6em; padding: .35em .6em; border-left: 4px solid #1a1a1a; background: #f3f3f1 }
.report h2 { margin: .95em 0 .25em } .report table { width: auto; min-width: 55% } .report td, .report th { padding: .16em .55em }
.report td:first-child, .report th:first-child { padding-left: .2em } .plays th { white-space: nowrap }
.plays td:nth-child(2) { white-space: nowrap } .left section:first-child h2, .right section:first-child h2 { margin-top: .3em }
.plays td.m-won, .deal td:first-child { font-weight: 650 }
.report .items { margin: .35em 0 0; padding: 0; list-style: none; font-size: .94em }
.report .items li { margin: 0 0 .15em; padding-left: 1em; text-indent: -1em }
.i { border-bottom: 1.5px dotted #1a1a1a; font-style: italic } .u { border: 1px dashed #555; padding: 0 .25em; color: #333 }
.r { color: #a11212 }
article { margin: .3em 0 .6em; padding: .1em 0 .1em .7em; border-left: 3px solid #a11212; break-inside: avoid }
article.open { border-left: 3px double #555 }
article p { margin: 0 0 .15em; font-weight: 600 } article p b { display: inline-block; margin-right: .35em }
article dl { display: grid; grid-template-columns: max-content 1fr; gap: .05em .8em; margin: 0; padding: 0; border: 0; font-size: .94em }
article dt { color: #555 } article dd { margin: 0; overflow-wrap: anywhere }
.cols { margin-top: .9em } .cols section { break-inside: avoid; margin-bottom: .7em }
@media (max-width: 560px) {
  .report td, .report th { padding: .24em .28em } .report table { min-width: 100% }
  .plays table { font-size: .95em } article dl { grid-template-columns: 1fr } article dt { font-size: .86em; margin-top: .2em }
}
/* Side by side if there is room for the tables, otherwise one below the other; text does not ask for room. */
@media print, (min-width: 800px) {
  main { display: flex; flex-wrap: wrap; column-gap: 2em }
  .left { flex: 1.15 0 auto; order: 1 } .right { flex: 1 0 40%; order: 2 } .wide-part { flex: 0 0 100%; order: 3 }
  .left :is(.legend, .items), .right :is(.legend, .items) { width: 0; min-width: 100% } .report table { min-width: 100% }
}
@media print { .report h2 { margin-top: .7em; break-after: avoid } .answer { background: none } }
"""


def _html(made: Report) -> str:
    body = ['<div class="report">', "<header>", f"<h1>{h(made.title)}</h1>", f'<p class="answer">{h(made.answer)}</p>', "<dl>"]
    body += [f"<div><dt>{h(name)}</dt><dd>{h(value)}</dd></div>" for name, value in made.facts]
    body += ["</dl>", "</header>", "<main>"]
    # On paper and on a wide screen, the deal and the plays stand beside the score; on a phone everything is in one column.
    for place, kinds in (("left", ("deal", "plays")), ("wide-part", ("proof",)), ("right", ("score",))):
        parts = [part for part in made.parts if part.kind in kinds]
        if parts:
            body += [f'<div class="{place}">', *(line for part in parts for line in _html_part(part)), "</div>"]
    body += ["</main>"]
    small = [line for part in made.parts if part.beside for line in _html_part(part)]
    if small:
        body += ['<div class="small cols">', *small, "</div>"]
    body += [*html_pictures(made.pictures), *html_signed(made.signed), "</div>"]
    return html_page(made.title, body, _STYLE.strip())


def _html_part(part: Part) -> list[str]:
    out = [f'<section class="{part.kind or "part"}">', f"<h2>{h(part.heading)}</h2>"]
    if part.block is not None:
        # The block brings its own section and heading; this part has both already.
        table = html_block(part.block)[2:-1]
        out += [_signs(line) if part.kind in ("deal", "plays") else line for line in table]
    for entry in part.entries:
        out += ['<article class="open">' if entry.open else "<article>", f"<p><b>{h(entry.sign)}</b>{h(entry.title)}</p>", "<dl>"]
        out += [f"<dt>{h(label)}</dt><dd>{h(text)}</dd>" for label, text in entry.lines]
        out += ["</dl>", "</article>"]
    if part.items:
        out += ['<ul class="items">', *(f"<li>{h(text)}</li>" for text in part.items), "</ul>"]
    if part.legend:
        out.append(f'<p class="legend">{_signs(h(part.legend))}</p>')
    return [*out, "</section>"]


def _signs(html: str) -> str:
    """Inferred and unknown cards stand out; red suits are red, which says nothing that the sign does not say."""
    html = re.sub(r"\[([^\]<>]+)\]", r'<span class="i">[\1]</span>', html)
    html = re.sub(r"(?<![\w?])\?\?", r'<span class="u">??</span>', html)
    return re.sub(r"((?:10|[2-9AKQJ])?[♥♦])", r'<span class="r">\1</span>', html)


__all__ = ["Entry", "FORMATS", "Part", "Report", "render_report"]
