"""The page of a report: its data, and its Markdown and HTML forms.

Signs, not just colours, distinguish certain, inferred and unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from msgspec import Struct

from events.errors import UsageError
from reducers.sheet import Block, Head
from replay.paper.as_html import h, html_block, html_page, html_signed
from replay.paper.as_markdown import markdown_block, markdown_signed, md
from replay.paper.cells import SIGNED
from replay.paper.dates import in_form
from replay.paper.pictures import PagePicture, html_pictures, markdown_pictures
from replay.paper.report_finding import RULINGS, FindingPage, told_before, wide_layout
from replay.paper.sheet_page import PageLook, coloured, logo


class PageEntry(Struct, frozen=True):
    """A finding or a question on the page: its sign, its title, and labelled lines."""

    sign: str
    title: str
    lines: tuple[tuple[str, str], ...]
    open: bool = False


class PagePart(Struct, frozen=True):
    """One part of the page: a table, entries, or plain items, in this order, and a legend below.

    With `beside` it is small print, which may be set in columns.
    """

    heading: str
    block: Block | None = None
    entries: tuple[PageEntry, ...] = ()
    items: tuple[str, ...] = ()
    legend: str = ""
    kind: str = ""
    beside: bool = False


class Report(Struct, frozen=True):
    """The pages as data: title, the answer in a sentence, facts, parts; `signed` is as on a sheet.

    The `findings` come first, each on a page of its own with the `head` of the match. With a `replay`, the events of
    a proof link to it.
    """

    title: str
    answer: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[PagePart, ...]
    signed: tuple[str, ...] = ()
    pictures: tuple[PagePicture, ...] = ()
    findings: tuple[FindingPage, ...] = ()
    head: Head = Head()
    hands: int = 0
    suits: bool = True
    # The replay file beside the report, if any, to which events link.
    replay: str = ""
    dates: str = "words"


def render_report(made: Report, format: str) -> str:
    """The page as "html" or "md". Raises UsageError for any other format."""
    if format == "html":
        return _html(made)
    if format == "md":
        return _markdown(made)
    raise UsageError(f"there is no report as '{format}'", expected="html or md")


# -- Markdown ---------------------------------------------------------------------------------------------------------


def _markdown(made: Report) -> str:
    out = [f"# {md(made.title)}", "", f"**{md(made.answer)}**", ""]
    for found in made.findings:
        out += [*_finding_in_markdown(found, made.replay), ""]
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


def _to_event(replay: str, at: str) -> str:
    """The link to an event in the replay; "" without a replay or such an event."""
    return f"{quote(replay)}#{at}" if replay and at.isdecimal() else ""


def _finding_in_markdown(f: FindingPage, replay: str) -> Iterator[str]:
    """The page of one finding."""
    yield from (f"## {f.number}. {md(f.title)}", "", md(f.sentence), "", "### The table just before", "")
    yield from (f"- {md(line)}" for line in told_before(f))
    if f.layout:
        yield from ("", *(f"    {line}".rstrip() for line in f.layout), "")
    yield from (f"- {md(line)}" for line in f.beside)
    yield from ("", md(f.before), "", "### The proof", "") if f.before else ("", "### The proof", "")
    yield from (
        f"- {f'[{md(at)}]({to})' if (to := _to_event(replay, at)) else md(at)}: {md(text)}" for at, text in f.proof
    )
    yield from (f"- {md(text)}" for text in f.because)
    yield from (f"- {md(name)}: {md(cards)}" for name, cards in f.held)
    yield from (f"- *{label}:* {md(text)}" for label, text in (("known", f.known), ("legal", f.legal)) if text)
    yield from ("", "### The rule", "", f"“{md(f.rule)}” {md(f.source)}")
    if f.scores is not None:
        yield from ("", f"### {md(f.scores.heading)}", "", *markdown_block(f.scores))
    yield from ("", "### The ruling", "", *(f"- ☐ {text}" for text in RULINGS))


# -- HTML -------------------------------------------------------------------------------------------------------------

_STYLE = """
:root { --print: 9.2pt }
.answer { font-size: 1.12em; font-weight: 600; margin: .2em 0 .6em; padding: .35em .6em; border-left: 4px solid var(--text); background: var(--shade) }
.report h2 { margin: .95em 0 .25em } .report table { width: auto; min-width: 55% } .report td, .report th { padding: .16em .55em }
.report td:first-child, .report th:first-child { padding-left: .2em } .plays th { white-space: nowrap }
.plays td:nth-child(2) { white-space: nowrap } .left section:first-child h2, .right section:first-child h2 { margin-top: .3em }
.plays td.m-won, .deal td:first-child { font-weight: 650 }
.report .items { margin: .35em 0 0; padding: 0; list-style: none; font-size: .94em }
.report .items li { margin: 0 0 .15em; padding-left: 1em; text-indent: -1em }
.i { border-bottom: 1.5px dotted var(--text); font-style: italic } .u { border: 1px dashed var(--second); padding: 0 .25em; color: var(--second) }
.r { color: var(--h) }
article { margin: .3em 0 .6em; padding: .1em 0 .1em .7em; border-left: 3px solid var(--wrong); break-inside: avoid }
article.open { border-left: 3px double var(--second) }
article p { margin: 0 0 .15em; font-weight: 600 } article p b { display: inline-block; margin-right: .35em }
article dl { display: grid; grid-template-columns: max-content 1fr; gap: .05em .8em; margin: 0; padding: 0; border: 0; font-size: .94em }
article dt { color: var(--second) } article dd { margin: 0; overflow-wrap: anywhere }
.cols { margin-top: .9em } .cols section { break-inside: avoid; margin-bottom: .7em }
@media (max-width: 560px) {
  .report td, .report th { padding: .24em .28em } .report table { min-width: 100% }
  .plays table { font-size: .95em } article dl { grid-template-columns: 1fr } article dt { font-size: .86em; margin-top: .2em }
}
/* Side by side if there is room for the tables, otherwise one below the other; text does not ask for room. */
@media print, (min-width: 800px) {
  .parts { display: flex; flex-wrap: wrap; column-gap: 2em }
  .left { flex: 1.15 0 auto; order: 1 } .right { flex: 1 0 40%; order: 2 } .wide-part { flex: 0 0 100%; order: 3 }
  .left :is(.legend, .items), .right :is(.legend, .items) { width: 0; min-width: 100% } .report table { min-width: 100% }
}
@media print { .report h2 { margin-top: .7em; break-after: avoid } .answer { background: none } }
"""


def _html(made: Report) -> str:
    body = ["<main>", *(line for found in made.findings for line in finding_page(found, made))]
    body += [
        '<div class="report">', "<header>", f"<h1>{h(made.title)}</h1>", f'<p class="answer">{h(made.answer)}</p>',
        "<dl>",
    ]
    body += [f"<div><dt>{h(name)}</dt><dd>{h(value)}</dd></div>" for name, value in made.facts]
    body += ["</dl>", "</header>", '<div class="parts">']
    # On paper and on a wide screen, the deal and the plays are beside the score; on a phone everything is in one
    # column.
    for place, kinds in (("left", ("deal", "plays")), ("wide-part", ("proof",)), ("right", ("score",))):
        parts = [part for part in made.parts if part.kind in kinds]
        if parts:
            body += [f'<div class="{place}">', *(line for part in parts for line in _html_part(part)), "</div>"]
    body += ["</div>"]
    small = [line for part in made.parts if part.beside for line in _html_part(part)]
    if small:
        body += ['<div class="small cols">', *small, "</div>"]
    body += [*html_pictures(made.pictures), *html_signed(made.signed), "</div>", "</main>"]
    return html_page(made.title, body, _STYLE.strip() + FINDING_STYLE)


FINDING_STYLE = """
.s { color: var(--s) } .h { color: var(--h) } .d { color: var(--d) } .c { color: var(--c) }
.finding { max-width: 50rem; margin: 0 auto 2em; padding-bottom: 1.5em; border-bottom: 3px double var(--text) }
.finding > header { display: flex; justify-content: space-between; align-items: flex-end; gap: 1em; border-bottom: 1.5px solid var(--text); padding-bottom: .6em }
.finding > header > div:last-child { text-align: right } .finding > header p { margin: 0 } .finding header .where { display: flex; gap: .8em; align-items: center }
.finding .logo { display: grid; grid-template-columns: 1fr 1fr; font-size: 1.35em; line-height: .95; text-align: center } .second { color: var(--second) }
.finding h1 { margin-top: .6em } .finding .said { font-size: 1.12em; margin: .2em 0 .6em } .finding h2 { border-bottom: 1px solid var(--hair); font-weight: 400; color: var(--second); margin: .9em 0 .4em; padding-bottom: .15em }
.finding .two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2em } .finding .two > section { min-width: 0 }
.felt { background: var(--felt); border-radius: .6em; padding: .7em; display: grid; grid-template-columns: 1fr 1fr 1fr; gap: .5em; text-align: center; align-items: center }
.felt.list { grid-template-columns: 1fr 1fr } .felt span { display: block } .felt .laid { font-size: 1.35em; background: var(--panel); border: 1px solid var(--edge); border-radius: .25em; display: inline-block; padding: 0 .3em }
.felt pre { grid-column: 1 / -1; text-align: left } .finding pre { font-size: .78em; line-height: 1.3; margin: 0; overflow-wrap: anywhere; white-space: pre-wrap }
.finding ol { list-style: none; margin: 0; padding: 0 } .finding li { display: grid; grid-template-columns: 3.2em 1fr; gap: .6em; margin-bottom: .35em } .finding li b { border: 1.2px solid var(--text); border-radius: .25em; text-align: center; align-self: start }
.finding .foot { margin: 1.6em 0 .2em; padding-top: .6em; border-top: 1px solid var(--hair) } .finding p { margin: .25em 0 } .finding td, .finding th { text-align: left } .finding td.n, .finding th.n { text-align: right } .boxes span { margin-right: 1.6em } .write { border-bottom: 1px solid var(--second); height: 2.4em }
.finding .signing { display: grid; grid-template-columns: repeat(3, 1fr); gap: 2em; margin-top: 2.4em } .signing div { border-top: 1.5px solid var(--text); padding-top: .25em }
@media (max-width: 560px) { .finding .two { grid-template-columns: 1fr } .finding { padding: 0 } .finding .signing { gap: 1em } .finding .logo { display: none } }
@media print { .finding { break-after: page; border: 0; padding: 0; margin: 0; max-width: none; font: 10.5pt/1.32 Georgia, "Times New Roman", "Liberation Serif", "DejaVu Serif", serif } }
"""


def finding_page(f: FindingPage, made: Report) -> Iterator[str]:
    """The page of one finding: a header, the question, the table and the proof side by side, and room for the ruling.
    """
    head = made.head
    yield '<div class="finding"><header>'
    place = f'<p class="second">{coloured(head.place)}</p>' if head.place else ""
    yield (
        '<div '
        f'class="where">{logo(PageLook(suits=made.suits))}<div><p><b>{coloured(head.event or head.game)}</b></p>{place}</div></div>'
    )
    day = f"<p>{coloured(in_form(head.date, made.dates))}</p>" if head.date else ""
    number = f.sentence.partition(",")[0].partition(":")[0].lower()
    yield (
        f'<div><p>For the arbiter</p>{day}<p class="second">{coloured(head.game)} · {coloured(number)} of '
        f'{made.hands}</p></div></header>'
    )
    yield (
        f'<h1>{coloured(f"{f.number}. {f.title}" if len(made.findings) > 1 else f.title)}</h1><p '
        f'class="said">{coloured(f.sentence)}</p>'
    )
    yield (
        f'<div class="{"one" if wide_layout(f) else "two"}"><section><h2>The table just before</h2>{"".join(_felt(f))}'
    )
    yield f'<p class="second">{coloured(f.before)}</p></section><section><h2>The proof</h2><ol>'
    for at, text in f.proof:
        to = _to_event(made.replay, at)
        number = f'<a href="{h(to)}">{h(at)}</a>' if to else h(at)
        yield f"<li><b>{number}</b><span>{coloured(text)}</span></li>"
    yield "</ol>"
    if made.replay:
        yield f'<p class="second"><a href="{h(quote(made.replay))}">Step through the hand</a>: {h(made.replay)}</p>'
    yield from (f"<p>{coloured(text)}.</p>" for text in f.because if text)
    yield from (f"<p><b>{coloured(name)}</b> {coloured(cards)}</p>" for name, cards in f.held)
    yield from (
        f'<p><span class="second">{label}</span> {coloured(text)}</p>'
        for label, text in (("Known", f.known), ("Legal", f.legal)) if text
    )
    yield (
        f'</section></div><section><h2>The rule</h2><p>“{coloured(f.rule)}” <span '
        f'class="second">{coloured(f.source)}</span></p></section>'
    )
    if f.scores is not None:
        yield f"<section><h2>{h(f.scores.heading)}</h2>" + "".join(html_block(f.scores)[2:])
    yield '<section><h2>The ruling</h2><p class="boxes">' + "".join(
        f"<span>☐ {text}</span>" for text in RULINGS
    ) + '</p><div class="write"></div></section>'
    yield '<div class="signing">' + "".join(
        f'<div>{coloured(name)}<br><span class="second">heard</span></div>' for name in f.heard
    )
    yield '<div><br><span class="second">arbiter, date</span></div></div>'
    if made.signed:
        yield f'<p class="second foot">{SIGNED}:</p><pre>{h_lines(made.signed)}</pre>'
    yield "</div>"


def _felt(f: FindingPage) -> Iterator[str]:
    """The table: four players around it, or any number in a list, the cards in the middle, and a layout."""
    told = [
        f'<div><b>{coloured(s.name)}</b> {coloured(s.said)}<span class="second">{h(s.cards)}</span>'
        + (f'<span class="laid">{coloured(s.laid)}</span>' if s.laid else "") + "</div>"
        for s in f.seats
    ]
    if len(told) == 4:
        north, east, south, west = told
        yield f'<div class="felt"><i></i>{north}<i></i>{west}<i></i>{east}<i></i>{south}<i></i></div>'
    else:
        yield f'<div class="felt list">{"".join(told)}</div>'
    if f.layout:
        yield f"<pre>{h_lines(f.layout)}</pre>"
    if f.beside:
        yield f'<p class="second">{coloured(" · ".join(f.beside))}</p>'


def h_lines(lines: tuple[str, ...]) -> str:
    """Lines of a drawing, escaped for HTML."""
    return "\n".join(coloured(line) for line in lines)


def _html_part(part: PagePart) -> list[str]:
    out = [f'<section class="{part.kind or "part"}">', f"<h2>{h(part.heading)}</h2>"]
    if part.block is not None:
        # The block brings its own section and heading; this part has both already.
        table = html_block(part.block)[2:-1]
        out += [_signs(line) if part.kind in ("deal", "plays") else line for line in table]
    for entry in part.entries:
        out += [
            '<article class="open">' if entry.open else "<article>", f"<p><b>{h(entry.sign)}</b>{h(entry.title)}</p>",
            "<dl>",
        ]
        out += [f"<dt>{h(label)}</dt><dd>{h(text)}</dd>" for label, text in entry.lines]
        out += ["</dl>", "</article>"]
    if part.items:
        out += ['<ul class="items">', *(f"<li>{h(text)}</li>" for text in part.items), "</ul>"]
    if part.legend:
        out.append(f'<p class="legend">{_signs(h(part.legend))}</p>')
    return [*out, "</section>"]


def _signs(html: str) -> str:
    """Highlight inferred and unknown cards; red suits are red, though the symbol alone says so."""
    html = re.sub(r"\[([^\]<>]+)\]", r'<span class="i">[\1]</span>', html)
    html = re.sub(r"(?<![\w?])\?\?", r'<span class="u">??</span>', html)
    return re.sub(r"((?:10|[2-9AKQJ])?[♥♦])", r'<span class="r">\1</span>', html)
