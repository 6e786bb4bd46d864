"""A sheet as HTML: on paper in the form that players draw by hand, on a phone without scrolling sideways.

Nothing is loaded from outside, and there are no scripts: a figure links to its sum below, and that back to the
figure.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from events.match_tags import SHOWN_TAGS
from reducers.sheet import Head, Sheet
from replay.languages.translate import in_language, one_of_them, spoken_language, t
from replay.paper.as_html import classes, h, html_frame
from replay.paper.cells import BESIDE, HOW, SIGNED, stroke_in_words
from replay.paper.grids import PAD_LETTERS, Footnote, Grid, GridCell, GridLine, drawn_sheet, merged_heads
from replay.paper.sheet_style import FOUR, MARGIN, PAPERS, STYLE
from replay.plain_text import text_columns

HEADED = frozenset({
    "Game", "Players", "WE", "THEY", "PLAYER", "HOUSE", "Result", "Hands", "Match", *SHOWN_TAGS, "Scorer",
})  # fmt: skip
"""The facts that are in the head of a page."""

# Sizes in points, in descending order. The first at which everything fits on one sheet of paper is used.
_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_CARD = re.compile(r"((?:10|[2-9AKQJ])?)([♠♥♦♣])")


class PageLook(Struct, frozen=True):
    """The look of a page: the paper, four on a page, a club's logo as data, the address and its QR code.

    Without `suits`, no French suits replace a missing logo, as the table plays with other cards. A page for
    the `wall` is as large as the paper. `dates` is their form (`replay.paper.dates`).
    """

    paper: str = "a4"
    four: bool = False
    logo: tuple[str, bytes] | None = None
    url: str = ""
    code: str = ""
    suits: bool = True
    wall: bool = False
    dates: str = "words"


def sheet_page(sheet: Sheet, look: PageLook | None = None) -> str:
    """The page of a sheet."""
    look = look or PageLook()
    wide, high = inside(look)
    size, across = print_size(sheet, look, wide, high), False
    if look.wall and (turned := print_size(sheet, look, high, wide)) > size:
        size, across, wide, high = turned, True, high, wide
    one = [*_article(sheet, look)]
    body = [f'<main class="{"four" if look.four else "one"}">', *one]
    if look.four:
        # The copies are for paper only, so only the first one has link targets.
        body += [line for _ in range(3) for line in _twin(one)]
    name = PAPERS[look.paper][0] + " landscape" * across
    style = f":root {{ --print: {size}pt; --inside: {high}mm }}\n@page {{ size: {name}; margin: {MARGIN:g}mm }}"
    if sheet.blank:
        grids = [grid for drawn in drawn_sheet(sheet)[0] for grid in drawn.wide]
        room = high - 36 - 21 * len(grids)
        style += (
            "\n@media print { .blank tbody { --row: "
            f"{min(14, room / sum(len(grid.lines) for grid in grids)):.1f}mm }} }}"
        )
    style = f"{STYLE.strip()}\n{style}{FOUR if look.four else ''}"
    return html_frame(in_language(sheet.title), [*body, "</main>"], style, spoken_language())


def _twin(lines: Sequence[str]) -> Iterator[str]:
    """A copy of the article, for paper only."""
    for line in lines:
        yield re.sub(r' id="[^"]*"', "", line).replace('<article class="sheet', '<article class="twin sheet')


def _article(sheet: Sheet, look: PageLook) -> Iterator[str]:
    head = sheet.head
    blocks, notes = drawn_sheet(sheet)
    yield f'<article class="sheet{" blank" if sheet.blank else ""}">'
    yield from _head(sheet, look)
    if sheet.blank:
        yield f'<p class="fields">{"".join(f"<span>{h(in_language(field))}</span>" for field in fields_of(sheet))}</p>'
    elif head.sides:
        yield f'<p class="totals">{"".join(_totals(head))}</p>'
    if head.verdict:
        yield f'<p class="verdict">{_said(head.verdict)}</p>'
    yield '<div class="figures">'
    said = {note.sign for note in notes}
    headed = len(blocks) > 1
    for drawn in blocks:
        same = drawn.wide == drawn.narrow
        for place, grids in (("", drawn.wide),) if same else (("paper", drawn.wide), ("phone", drawn.narrow)):
            for grid in grids:
                yield from _grid(
                    grid, place, said, headed=headed and bool(grid.heading) and grid is not blocks[0].wide[0],
                    blank=sheet.blank,
                )
    yield "</div>"
    yield from _below(sheet, notes)
    yield from _signing(sheet)
    yield from _foot(sheet, look)
    yield "</article>"


# -- the head


def _head(sheet: Sheet, look: PageLook) -> Iterator[str]:
    head = sheet.head
    event = head.event or head.game or sheet.title
    yield "<header>"
    yield f'<div class="where">{logo(look)}<div><h1>{_said(event)}</h1>' + (
        f'<p class="second">{_said(head.place)}</p>' if head.place else ""
    ) + "</div></div>"
    told = [f"<p>{_said(head.game)}</p>"] if head.event and head.game else []
    told += [f"<p>{_said(head.date)}</p>"] if head.date else []
    told += [f'<p class="second">{_said(head.terms)}</p>'] if head.terms else []
    yield f'<div class="what">{"".join(told)}</div></header>'


def logo(look: PageLook) -> str:
    """The logo of the club, or the four suits."""
    if look.logo is not None:
        kind, data = look.logo
        return f'<img alt="" src="data:{kind};base64,{base64.b64encode(data).decode()}">'
    if not look.suits:
        return ""
    return '<div class="logo" aria-hidden="true">' + "".join(f"<span>{sign}\ufe0e</span>" for sign in "♠♥♦♣") + "</div>"


def _totals(head: Head) -> Iterator[str]:
    """The totals: both of two sides, with the names outside; of more sides the winner's, or all while there is no
    winner."""
    won = [side for side in head.sides if side.won]
    for side in head.sides if len(head.sides) <= 2 or not won else won:
        two = ' class="two"' if len(head.sides) == 2 else ""
        tag = "b" if side.won else "i"
        yield f"<span{two}>{_said(side.name)} <{tag}>{h(side.total)}</{tag}></span>"


def fields_of(pad: Sheet) -> list[str]:
    """The names of the fields at the head of a pad, for the day and place and, on a sheet of partnerships or one with a
    table for each side, for the players."""
    if not pad.blank:
        return []
    heads = [grid.heads[0][0] for drawn in drawn_sheet(pad)[0] for grid in drawn.wide if grid.heads]
    partners = any(block.form == "we and they" for block in pad.blocks)
    return ["Date", "Place", *(["We", "They"] if partners else dict.fromkeys(h for h in heads if h in [*PAD_LETTERS]))]


# -- the figures


def _grid(grid: Grid, place: str, said: set[str], *, headed: bool, blank: bool) -> Iterator[str]:
    names = [name for name in (place,) if name]
    if headed:
        yield f"<h2{classes(*names)}>{_said(grid.heading)}</h2>"
    if grid.form == "labels":
        yield from _labels(grid, names)
        return
    if grid.form in ("hands", "compass"):
        yield f'<div{classes(grid.form, *names)}>'
        for line in grid.lines:
            first, *rest = line.places
            yield f"<div><b>{_said(first.text)}</b>{''.join(f'<span>{_said(p.text)}</span>' for p in rest)}</div>"
        yield "</div>"
        return
    style: str = grid.form or (
        "chalk" if any(p.mark in ("line", "erased") for line in grid.lines for p in line.places) else "plain"
    )
    if place == "phone" and any(line.kind == "gain" for line in grid.lines):
        style = "kinds"
    each = "each" if not grid.heading and place == "paper" else ""
    yield f"<table{classes(style, each, 'many' if len(grid.heads) > 8 else '', *names)}><thead><tr>"
    for (head, sub, span), kind in zip(merged_heads(grid, joined=blank), grid.kinds, strict=True):
        small = f"<small>{_said(sub)}</small>" if sub else ""
        about = classes("" if kind == "text" else kind) + (f' colspan="{span}"' if span > 1 else "")
        if span:
            # A column without a head belongs to the one before it.
            yield f'<th scope="col"{about}>{_said(head)}{small}</th>' if head or sub else f"<td{about}></td>"
    yield "</tr></thead><tbody>"
    for i, line in enumerate(grid.lines):
        # The lines of a hand stay together on paper.
        if i and line.kind == "part":
            yield "</tbody><tbody>"
        yield from _line(grid, line, said, first=place != "phone")
    yield "</tbody></table>"


def _line(grid: Grid, line: GridLine, said: set[str], *, first: bool) -> Iterator[str]:
    yield f"<tr{classes(line.kind)}>"
    if line.kind == "part":
        name, *rest = [p.text for p in line.places if p.text] or [""]
        note = "".join(_sign(p.note, said, back=first) for p in line.places)
        yield f'<td colspan="{len(grid.heads)}"><b>{_said(name)}</b> {_said(" ".join(rest))}{note}</td></tr>'
        return
    for i, p in enumerate(line.places):
        kind = grid.kinds[i] if i < len(grid.kinds) else "text"
        marks = f"m-{p.mark}" if p.mark else "", "shaded" if p.shaded else ""
        yield f"<td{classes('' if kind == 'text' else kind, *marks)}>{_place(p, said, back=first)}</td>"
    yield "<td></td>" * (len(grid.heads) - len(line.places)) + "</tr>"


def _place(p: GridCell, said: set[str], *, back: bool) -> str:
    """The content of a cell; a figure with a note links to it."""
    if p.mark in ("line", "erased"):
        return f'<span title="{h(stroke_in_words(p.text, p.mark))}">{h(p.text)}</span>'
    struck = f'<span class="struck">{h(p.struck)}</span>' if p.struck else ""
    dagger = "<sup>†</sup>" if p.struck else ""
    note = _sign(p.note, said, back=back, text=_said(p.text)) if p.note else _said(p.text)
    beside = f"<small>{_said(p.beside)}</small>" if p.beside else ""
    below = f'<span class="below">{_said(p.below)}</span>' if p.below else ""
    return f"{struck}{note}{dagger}{beside}{below}"


def _sign(note: str, said: set[str], *, back: bool, text: str = "") -> str:
    """A figure with the sign of its note; on paper it is the target of the note's link."""
    if note not in said:
        return text
    anchor = f' id="f-{note}"' if back else ""
    return f'<a href="#n-{note}"{anchor}>{text}<sup>{note}</sup></a>'


def _labels(grid: Grid, names: Sequence[str]) -> Iterator[str]:
    """Rows too long for a phone: each with its name, then heads and values in two columns."""
    yield f"<div{classes('cards', *names)}>"
    for line in grid.lines:
        if line.kind == "part":
            yield f'<p class="part">{_said(" ".join(p.text for p in line.places if p.text))}</p>'
            continue
        first, *rest = line.places
        yield f"<div><b>{_said(grid.heads[0][0])} {_said(first.text)}</b><dl>"
        for (head, _), p in zip(grid.heads[1:], rest, strict=False):
            if p.text not in ("", "–"):
                mark = classes(f"m-{p.mark}" if p.mark else "")
                yield f"<div><dt>{_said(head)}</dt><dd{mark}>{_place(p, set(), back=False)}</dd></div>"
        yield "</dl></div>"
    yield "</div>"


# -- below the figures


def _below(sheet: Sheet, notes: Sequence[Footnote]) -> Iterator[str]:
    """How the figures were added, and the remarks, in two columns."""
    both = " both" if len(notes) + len(sheet.remarks) > 4 else ""
    if notes or sheet.remarks:
        yield f'<div class="below-score{both}">'
        if notes:
            yield f"<section><h2>{t(HOW)}</h2><ol>"
            for note in notes:
                said = " ".join(
                    f"<b>{_said(who)}</b> {_said(text)}." if who else f"{_said(text)}."
                    for who, text in note.said
                )
                sign, hand = note.sign, h(in_language(note.hand))
                yield f'<li id="n-{sign}"><a href="#f-{sign}" title="{hand}">{sign}</a>{said}</li>'
            yield "</ol></section>"
        if sheet.remarks:
            yield f"<section><h2>{t(BESIDE)}</h2><ul>"
            for remark in sheet.remarks:
                sign, _, text = remark.partition("† ")
                yield f"<li><a>†</a>{_said(text)}</li>" if not sign and text else f"<li>{_said(remark)}</li>"
            yield "</ul></section>"
        yield "</div>"
    facts = [f"{in_language(name)}: {in_language(value, name)}" for name, value in told_facts(sheet)]
    if facts:
        yield f'<p class="facts">{_said(" · ".join(facts))}</p>'


def told_facts(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """The facts that are not in the head."""
    for name, value in sheet.facts:
        if name not in HEADED and not name.startswith("Side "):
            yield name, value


def _signing(sheet: Sheet) -> Iterator[str]:
    """Lines to sign on."""
    signing = signatures(sheet)
    if signing:
        yield '<div class="signing">'
        for name, what in signing:
            said = f'<br><span class="second">{_said(what)}</span>' if what else ""
            yield f"<div>{_said(name)}{said}</div>"
        yield "</div>"


def signatures(sheet: Sheet) -> list[tuple[str, str]]:
    """The signatories, each with a role: the players of each side and the scorer; nobody signs a pad."""
    head = sheet.head
    out = [
        (one_of_them(side.players), "confirmed at the table" if side.confirmed else "") for side in head.sides
        if side.players and not sheet.blank
    ]
    if out and head.scorer not in {name for side in head.sides for name in side.players}:
        out.append((head.scorer, "scorer"))
    return out


def _foot(sheet: Sheet, look: PageLook) -> Iterator[str]:
    """The address with its QR code, the recorder, and the last signed head of the book."""
    head = sheet.head
    told = [f'<p><a href="{h(look.url)}">{h(look.url)}</a></p>'] if look.url else []
    told += [f'<p class="second">{coloured(recorded_by(sheet))}</p>'] if head.lines else []
    signed = "\n".join(map(h, sheet.signed))
    told += [f"<pre>{signed}</pre>"] if sheet.signed else []
    if told:
        yield f"<footer>{look.code}<div>{''.join(told)}</div></footer>"


def recorded_by(sheet: Sheet) -> str:
    """Who recorded the match, and in how many lines; a colon if the signed head of the book follows."""
    head = sheet.head
    text = t("Recorded by {who}, {n} lines.", who=head.scorer, n=head.lines) if head.scorer else t(
        "Recorded, {n} lines.", n=head.lines,
    )
    return f"{text} {t(SIGNED)}:" if sheet.signed else text


def _said(text: str) -> str:
    """Text in the language of the reader, with coloured suits."""
    return coloured(in_language(text))


def coloured(text: str) -> str:
    """Text with coloured suits; the symbols are requested as text, where a phone would draw an emoji."""
    return _CARD.sub(lambda found: f'<span class="{_SUITS[found[2]]}">{found[1]}{found[2]}\ufe0e</span>', h(text))


# -- fitting one sheet of paper
#
# The browser sets the type, so this is an estimate on the safe side, in lines of the print size: a character takes
# about
# half its size, a line 1.32 of it.


def blocks_height(sheet: Sheet) -> float:
    """The approximate number of lines of the figures on paper."""
    lines = 0.0
    for drawn in drawn_sheet(sheet)[0]:
        for grid in drawn.wide:
            if grid.form in ("hands", "compass"):
                lines += 3 + 6 * (3 if grid.form == "compass" else -(-len(grid.lines) // 3))
                continue
            big = 1.68 if any(kind in ("total", "left") for kind in grid.kinds) else 1.45
            lines += 3.4 + big * len(grid.lines) + 0.6 * sum(line.kind == "part" for line in grid.lines)
    return lines


def print_sizes(look: PageLook) -> tuple[float, ...]:
    """The sizes in points to try, in descending order."""
    return (*range(30, 11, -1), *_SIZES) if look.wall else _SIZES


def inside(look: PageLook) -> tuple[float, float]:
    """The width and height inside the margins of the paper, in millimetres."""
    _, high, wide = PAPERS[look.paper]
    return wide - 2 * MARGIN, high - 2 * MARGIN


def print_size(sheet: Sheet, look: PageLook, wide: float, high: float) -> float:
    """The largest print size at which the sheet fits into this size in millimetres; the smallest one if none does."""
    if sheet.blank:
        return _SIZES[0]
    figures, notes, across = blocks_height(sheet), drawn_sheet(sheet)[1], blocks_width(sheet)
    for size in print_sizes(look):
        mm = size * 0.3528
        per_line = wide / (mm * 0.9 * 0.47)
        column = per_line / 2 - 4 if len(notes) + len(sheet.remarks) > 4 else per_line
        how = sum(
            -(-sum(text_columns(who) + text_columns(text) + 3 for who, text in note.said) // column) + 0.2
            for note in notes
        )
        beside = sum(-(-text_columns(remark) // column) + 0.2 for remark in sheet.remarks)
        small = (how + beside + 4) * 0.9 / (2 if column < per_line else 1) if notes or sheet.remarks else 1
        foot = (8.5 if signatures(sheet) else 0) + (
            len(sheet.signed) * 0.85 if sheet.signed else 0
        ) + (6 if look.url else 0)
        if (11 + figures + small + foot) * mm * 1.32 <= high and (size <= _SIZES[0] or across * mm <= wide):
            return size
    return _SIZES[-1]


def blocks_width(sheet: Sheet) -> float:
    """The approximate width of the widest table on paper, in print sizes, with words of at most a few broken lines."""
    def across(grid: Grid) -> float:
        cells = [
            [head for pair in grid.heads for head in pair],
            *([p.text + p.beside for p in line.places] for line in grid.lines if line.kind != "part"),
        ]
        most = 12 if grid.form != "labels" else 40
        return sum(
            0.55 * min(max((text_columns(row[i]) for row in cells if i < len(row)), default=0), most) + 1.1
            for i in range(len(grid.heads))
        )

    return max((across(grid) for drawn in drawn_sheet(sheet)[0] for grid in drawn.wide), default=0)
