"""The layout of a sheet: each block as one or more grids, wide for paper and narrow for a phone, and its footnotes.

Two sides are separated by a line; in games with many kinds of points each player has a table, with the hands as
columns on the phone; otherwise a player has a column or two. The content of a grid does not depend on the output
format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from reducers.sheet import Block, Cell, Column, Sheet, SheetRow
from replay.paper.cells import DOT, NOUGHTS, is_figure, right_aligned, row_name
from replay.plain_text import one_plain_line, text_columns

Kind = Literal["text", "small", "figure", "gain", "total", "left"]
"""The content of a column: words, minor words, figures, gains of a hand, totals, and totals left of the gain."""

NARROW = 40
"""Characters that fit side by side on a phone."""
MOST_HANDS = 6
"""Hands side by side on a phone."""
MOST_COLUMNS = 14
"""With more columns than this each player has a table."""


class GridCell(Struct, frozen=True):
    """A cell of a grid: the text, small print beside or below it, the table's own figure struck out, the sign of a
    note."""

    text: str
    beside: str = ""
    below: str = ""
    struck: str = ""
    note: str = ""
    mark: str = ""
    shaded: bool = False


class GridLine(Struct, frozen=True):
    """A line of a grid; `kind` is as for a row."""

    places: tuple[GridCell, ...]
    kind: str = ""


class Grid(Struct, frozen=True):
    """A table to draw. `heads` are the column heads, each with small print below it; `kinds` are the contents of the
    columns.

    `form` is "line" for a line between two sides, "parts" for the parts of each hand, "labels" for labels and values
    below each other, "hands" for hands of cards, "compass" if four of them are around a table, or "" for plain.
    """

    heading: str
    heads: tuple[tuple[str, str], ...]
    kinds: tuple[Kind, ...]
    lines: tuple[GridLine, ...]
    form: Literal["", "line", "parts", "labels", "hands", "compass"] = ""


PAD_LETTERS = ascii_uppercase
"""The letters of the sides on a pad whose tables have no room for names."""
_BESIDE = (("gain", "total"), ("left", "gain"))
"""A gain and the total beside it, or the other way round."""


class Footnote(Struct, frozen=True):
    """A footnote: its sign, its hand, and pairs of player and text."""

    sign: str
    hand: str
    said: tuple[tuple[str, str], ...]


class Drawn(Struct, frozen=True):
    """A block as drawn on paper and on a phone."""

    wide: tuple[Grid, ...]
    narrow: tuple[Grid, ...]


def drawn_sheet(sheet: Sheet) -> tuple[list[Drawn], list[Footnote]]:
    """The blocks of a sheet, and the footnotes of all of them."""
    signs = footnote_signs()
    blocks, notes = [], list[Footnote]()
    for block in sheet.blocks:
        mine: dict[int, str] = {}
        for i, row in enumerate(block.rows):
            said = tuple(row_remarks(block, row))
            if said:
                mine[i] = next(signs)
                notes.append(Footnote(mine[i], row_name(block, row), said))
        drawn = tuple(wide(block, mine))
        blocks.append(
            Drawn(*[tuple(_to_fill_in(grid, sheet) for grid in drawn)] * 2) if sheet.blank
            else Drawn(drawn, tuple(narrow_block(block, mine)))
        )
    return blocks, notes


def _to_fill_in(grid: Grid, pad: Sheet) -> Grid:
    """A grid of a pad, with empty fields for the names of the sides. A table of one side has its letter, as the first
    column has no room for a name; and two columns below one name say what they are."""
    names = [side.name for side in pad.head.sides]
    heads = [("" if head in names else head, "" if sub in names else sub) for head, sub in grid.heads]
    if grid.heads and grid.heads[0][0] in names:
        heads[0] = (PAD_LETTERS[names.index(grid.heads[0][0])], heads[0][1])
    for i, pair in enumerate(zip(grid.kinds, grid.kinds[1:], strict=False)):
        if pair in _BESIDE and {*grid.heads[i], *grid.heads[i + 1]}.intersection(names):
            both = (grid.heads[0][0] or "hand", "total")
            said = " · ".join(both if pair[0] == "gain" else both[::-1])
            heads[i : i + 2] = [(heads[i][0] or heads[i + 1][0], said), ("", "")]
    return replace(grid, heads=tuple(heads))


def merged_heads(grid: Grid, *, joined: bool) -> list[tuple[str, str, int]]:
    """The heads of a grid, each with its small print and the number of columns below it.

    If `joined`, a gain and the total beside it have one head; the second of them has 0 columns.
    """
    out = [(head, sub, 1) for head, sub in grid.heads]
    for i, pair in enumerate(zip(grid.kinds, grid.kinds[1:], strict=False)):
        if joined and pair in _BESIDE and not (grid.heads[i][0] and grid.heads[i + 1][0]):
            (a, b), (c, d) = grid.heads[i : i + 2]
            out[i : i + 2] = [(a or c, b or d, 2), ("", "", 0)]
    return out


def footnote_signs() -> Iterator[str]:
    """The signs of footnotes: a to z, then aa, ab and so on."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    for before in ("", *alphabet):
        yield from (before + letter for letter in alphabet)


# -- footnotes

_OF_SEVERAL = re.compile(r"(?<!\w)[A-Z]:(\d)")
_FIGURE = re.compile(r"[+−]?\d+")
_RUNNING = re.compile(r"(?:−?\d+ [+−] −?\d+ = )?[+−]?\d+")


def row_remarks(block: Block, row: SheetRow) -> Iterator[tuple[str, str]]:
    """The sums behind the figures of a row, side by side, and its other remarks.

    Sums that are already beside their figure, or that add nothing to it, are left out.
    """
    if row.kind == "part":
        yield from (("", one_plain_line(note)) for note in row.notes)
        return
    found: dict[str, list[str]] = {}
    for i, cell in enumerate(row.cells):
        column = block.layout[i] if i < len(block.layout) else Column(
            block.columns[i] if i < len(block.columns) else ""
        )
        # The sum of a total can be seen on the sheet; the parts of a hand may be nowhere else.
        plain = _RUNNING if column.role == "total" else _FIGURE
        if not cell.sum or (cell.small and cell.sum.endswith(cell.small)) or plain.fullmatch(cell.sum):
            continue
        who = one_plain_line(column.who or column.head)
        text = _OF_SEVERAL.sub(lambda found: f"hand {found[1]}", one_plain_line(cell.sum).removeprefix(f"{who} "))
        head = f"{column.head} " if column.who and not column.role and len(points_columns(block)) > 1 else ""
        texts = found.setdefault(who, [])
        if not any(text in other for other in texts):
            texts[:] = [other for other in texts if other not in text]
            texts.append(head + text)
    heads = side_heads(block)
    yield from (
        (heads[who][0].capitalize() if who in heads and heads[who][1] else who, "; ".join(texts))
        for who, texts in found.items()
    )
    yield from (("", one_plain_line(note)) for note in row.notes)


def side_heads(block: Block) -> dict[str, tuple[str, str]]:
    """The head of each side by its name: the name, or WE and THEY with the name below it."""
    whos = dict.fromkeys(c.who for c in block.layout if c.who)
    if block.form == "we and they":
        return {who: (head, who if who != head else "") for who, head in zip(whos, ("WE", "THEY"), strict=True)}
    return {who: (who, "") for who in whos}


def points_columns(block: Block) -> list[str]:
    """The kinds of points with columns per player, besides gain and total."""
    return list(dict.fromkeys(c.head for c in block.layout if c.who and not c.role))


# -- places


def place(cell: Cell, note: str = "", *, dotted: bool = True) -> GridCell:
    """A cell as drawn: zero is a dot, unless it is a total."""
    text = one_plain_line(cell.text)
    if cell.mark not in ("total", "won") and text in NOUGHTS and dotted:
        text = DOT
    return GridCell(text, one_plain_line(cell.small), "", one_plain_line(cell.stated), note, cell.mark, cell.shaded)


def columns_of_player(block: Block, who: str) -> tuple[list[int], int | None, int | None]:
    """The columns of a player: the parts, the gain of the hand, and the total."""
    mine = [i for i, c in enumerate(block.layout) if c.who == who]
    gains = [i for i in mine if block.layout[i].role == "gain"]
    totals = [i for i in mine if block.layout[i].role == "total"]
    parts = [i for i in mine if not block.layout[i].role]
    return parts, gains[0] if gains else None, totals[0] if totals else None


def told_in_sum(block: Block, who: str) -> bool:
    """True if the sums of the gains include a player's parts, so that these need no columns."""
    parts, gain, _ = columns_of_player(block, who)
    rows = [row for row in block.rows if gain is not None and gain < len(row.cells)]
    cells = [(row.cells[i], row.cells[gain]) for row in rows for i in parts if gain is not None]
    return bool(cells) and all(c.text == "–" or (c.sum and c.sum in g.sum) for c, g in cells)


def at(row: SheetRow, i: int | None) -> Cell:
    """A cell of a row, empty if the row has none there."""
    return row.cells[i] if i is not None and i < len(row.cells) else Cell("")


# -- on paper


def wide(block: Block, notes: dict[int, str]) -> Iterator[Grid]:
    """A block as drawn on paper."""
    whos = list(dict.fromkeys(c.who for c in block.layout if c.who))
    once = [i for i, c in enumerate(block.layout) if not c.who]
    if block.form in ("cards", "compass"):
        yield hands_of_cards(block)
    elif block.form == "parts":
        yield as_it_is(block, notes, "parts")
    elif not whos:
        yield as_it_is(block, notes)
    elif len(whos) == 2 and all(columns_of_player(block, who)[2] is not None for who in whos) and (
        # There is room for the parts of both sides beside a line.
        len(points_columns(block)) <= 1 or all(told_in_sum(block, who) for who in whos)
    ):
        yield with_a_line(block, notes, once, whos)
    elif len(points_columns(block)) > 2 or (len(block.layout) > MOST_COLUMNS and points_columns(block)):
        yield from of_each(block, notes, whos)
    else:
        yield wide_columns(block, notes, once, whos)


FEW_CARDS = 4
"""Cards of a hand or pile that stand in one line."""


def hands_of_cards(block: Block) -> Grid:
    """The hands of a deal, each with its name and a line for each suit. A hand with unknown cards has no void, and a
    few cards have one line."""
    lines = []
    for row in block.rows:
        told = [(head, cell.text) for head, cell in zip(block.columns[1:], row.cells[1:], strict=False)]
        few = sum(len(text.split()) for _, text in told if text != "–") <= FEW_CARDS
        whole = not few and all(text == "–" for head, text in told if len(head) > 1)
        shown = [
            text if len(head) > 1 else f"{head} {text}" for head, text in told if text != "–"
            or (whole and len(head) == 1)
        ]
        shown = ["  ".join(shown)] if few and shown else shown
        lines.append(GridLine(tuple(GridCell(one_plain_line(text)) for text in (row.cells[0].text, *shown))))
    return Grid(block.heading, (("", ""),), ("text",), tuple(lines), "compass" if block.form == "compass" else "hands")


def as_it_is(block: Block, notes: dict[int, str], form: Literal["", "parts", "labels"] = "") -> Grid:
    """A block in its own layout; with `labels`, for a phone, each row is its name, and below it heads and values."""
    right = right_aligned(block)
    kinds = kinds_of("figure", len(right) - 1) if form == "parts" else tuple[Kind, ...](
        "figure" if r else "text" for r in right
    )
    lines = []
    for n, row in enumerate(block.rows):
        cells = [place(c, notes.get(n, "") if i == 0 else "", dotted=form != "parts") for i, c in enumerate(row.cells)]
        lines.append(GridLine(tuple(cells), row.kind))
    return Grid(block.heading, tuple((one_plain_line(c), "") for c in block.columns), kinds, tuple(lines), form)


def with_a_line(block: Block, notes: dict[int, str], once: Sequence[int], whos: Sequence[str]) -> Grid:
    """Two sides with a line between them: totals beside it, the gains of the hands outside."""
    heads_of = side_heads(block)
    shown: list[tuple[int, Kind, tuple[str, str]]] = [
        (i, "small" if block.layout[i].role == "dealer" else "text", (block.layout[i].head, "")) for i in once
    ]
    for who, mirrored in zip(whos, (False, True), strict=True):
        parts, gain, total = columns_of_player(block, who)
        mine: list[tuple[int, Kind, tuple[str, str]]] = []
        if not told_in_sum(block, who):
            mine += [(i, "figure", (block.layout[i].head, "")) for i in parts]
        mine += [(gain, "gain", ("", ""))] if gain is not None else []
        mine += [(total, "left" if mirrored else "total", heads_of[who])] if total is not None else []
        shown += reversed(mine) if mirrored else mine
    lines = []
    signed = {gain for who in whos if (gain := columns_of_player(block, who)[1]) is not None} or {0}
    for n, row in enumerate(block.rows):
        # The sign of the note is at a gain, but not at a dot.
        told = {i for i in signed if place(at(row, i)).text not in (DOT, "–")} or {0}
        lines.append(
            GridLine(tuple(place(at(row, i), notes.get(n, "") if i in told else "") for i, _, _ in shown), row.kind)
        )
    heads = tuple((one_plain_line(head), one_plain_line(sub)) for _, _, (head, sub) in shown)
    return Grid(block.heading, heads, tuple(kind for _, kind, _ in shown), tuple(lines), "line")


def wide_columns(block: Block, notes: dict[int, str], once: Sequence[int], whos: Sequence[str]) -> Grid:
    """Every player in a few columns: the parts, the gain of the hand, and the running total below the name. With many
    players the gain is beside the total."""
    crowded = len(block.layout) > MOST_COLUMNS
    shown: list[tuple[int, Kind, tuple[str, str]]] = [
        (i, "small" if block.layout[i].role == "dealer" else "text", (block.layout[i].head, "")) for i in once
    ]
    heads_of, gains = side_heads(block), dict[int, int]()
    for who in whos:
        parts, gain, total = columns_of_player(block, who)
        shown += [(i, "figure", (block.layout[i].head, who if total is None else "")) for i in parts]
        if gain is not None and total is not None and crowded:
            gains[total] = gain
        elif gain is not None:
            shown.append((gain, "gain", ("", "") if total is not None else heads_of[who]))
        shown += [(total, "total", heads_of[who])] if total is not None else []
    lines = []
    for n, row in enumerate(block.rows):
        places = [place(at(row, i), notes.get(n, "") if k == 0 else "") for k, (i, _, _) in enumerate(shown)]
        for k, (i, kind, _) in enumerate(shown):
            if i in gains:
                gained = place(at(row, gains[i]))
                places[k] = replace(places[k], beside=gained.text, shaded=gained.shaded)
            elif kind == "total" and places[k - 1].shaded:
                # The bank is shaded in both columns of its player.
                places[k] = replace(places[k], shaded=True)
        lines.append(GridLine(tuple(places), row.kind))
    heads = tuple((one_plain_line(head), one_plain_line(sub)) for _, _, (head, sub) in shown)
    return Grid(block.heading, heads, tuple(kind for _, kind, _ in shown), tuple(lines))


def of_each(block: Block, notes: dict[int, str], whos: Sequence[str]) -> Iterator[Grid]:
    """A table per player, with a row per hand."""
    for who in whos:
        parts, gain, total = columns_of_player(block, who)
        shown: list[tuple[int, Kind]] = [*((i, "figure") for i in parts)]
        shown += [(gain, "gain")] if gain is not None else []
        shown += [(total, "total")] if total is not None else []
        heads = [side_heads(block)[who], *((block.layout[i].head or "total", "") for i, _ in shown)]
        lines = []
        for n, row in enumerate(block.rows):
            cells = [
                GridCell(
                    f"{one_plain_line(block.columns[0])} {one_plain_line(row.cells[0].text)}", note=notes.get(n, ""),
                ),
                *(place(at(row, i)) for i, _ in shown),
            ]
            lines.append(GridLine(tuple(cells), row.kind))
        yield Grid(
            "", tuple((one_plain_line(a), one_plain_line(b)) for a, b in heads),
            ("small", *(kind for _, kind in shown)), tuple(lines),
        )


# -- on a phone


def narrow_block(block: Block, notes: dict[int, str]) -> Iterator[Grid]:
    """A block as drawn on a phone, without scrolling sideways."""
    whos = list(dict.fromkeys(c.who for c in block.layout if c.who))
    if block.form in ("cards", "compass"):
        yield hands_of_cards(block)
    elif block.form == "parts":
        yield as_it_is(block, notes, "parts")
    elif not whos:
        # Chalk strokes use the available width.
        grid = as_it_is(block, notes)
        chalk = any(cell.mark in ("line", "erased") for row in block.rows for cell in row.cells)
        yield grid if chalk or fits_phone(grid) else as_it_is(block, notes, "labels")
    elif len(points_columns(block)) > 2 or (
        len(points_columns(block)) > 1 and not all(told_in_sum(block, who) for who in whos)
    ):
        for who in whos:
            yield from hands_as_columns(block, who)
    elif len(whos) <= MOST_BESIDE:
        yield one_column_each(block, notes, whos)
    else:
        yield from players_as_rows(block, whos)


MOST_BESIDE = 4
"""Players side by side on a phone."""


def fits_phone(grid: Grid) -> bool:
    """True if a grid fits side by side on a phone."""
    across = 0
    for i, (head, _) in enumerate(grid.heads):
        words = max((text_columns(word) for word in head.split()), default=0)
        texts = (
            text_columns(line.places[i].text) + text_columns(line.places[i].beside) for line in grid.lines
            if line.kind != "part" and i < len(line.places)
        )
        across += max([words, *texts], default=0) + 2
    return across <= NARROW


def hands_as_columns(block: Block, who: str) -> Iterator[Grid]:
    """The points of one player, kinds as rows and hands as columns, `MOST_HANDS` at a time."""
    parts, gain, total = columns_of_player(block, who)
    rows = [row for row in block.rows if row.kind != "part"]
    for first in range(0, max(len(rows), 1), MOST_HANDS):
        some = rows[first : first + MOST_HANDS]
        lines = [GridLine((GridCell(block.layout[i].head), *(place(at(row, i)) for row in some))) for i in parts]
        if gain is not None:
            lines.append(GridLine((GridCell("hand", mark="small"), *(place(at(row, gain)) for row in some)), "gain"))
        if total is not None:
            lines.append(GridLine((GridCell("total"), *(place(at(row, total)) for row in some)), "total"))
        head, sub = side_heads(block)[who]
        heads = ((one_plain_line(head), one_plain_line(sub)), *((one_plain_line(at(row, 0).text), "") for row in some))
        yield Grid("", heads, kinds_of("figure", len(some)), tuple(lines))


def one_column_each(block: Block, notes: dict[int, str], whos: Sequence[str]) -> Grid:
    """A row per hand, with the contract in the first column, and every player's total with the gain below."""
    played = [i for i, c in enumerate(block.layout) if i and not c.who and c.role != "dealer"]
    lines = []
    for n, row in enumerate(block.rows):
        # The dealer is shown only on paper; the contract is beside the number.
        told = [
            text for i in played if (text := one_plain_line(at(row, i).text)) not in ("", "–") and not is_figure(text)
        ]
        first, told = " · ".join([one_plain_line(at(row, 0).text), *told[:1]]), told[1:]
        told += [f"{block.columns[i]} {text}" for i in played if is_figure(text := one_plain_line(at(row, i).text))]
        places = [GridCell(first, "", ", ".join(told), "", notes.get(n, ""))]
        for who in whos:
            parts, gain, total = columns_of_player(block, who)
            main = total if total is not None else gain if gain is not None else parts[0] if parts else None
            shown = [i for i in ([] if told_in_sum(block, who) else parts) if i != main]
            small = [
                f"{block.layout[i].head} {place(at(row, i)).text}" for i in shown
                if place(at(row, i)).text not in ("", "–", DOT)
            ]
            small += [place(at(row, gain)).text] if gain is not None and gain != main else []
            big = place(at(row, main))
            shaded = any(at(row, i).shaded for i in (gain, total))
            below = " · ".join(text for text in small if text not in ("", "–", DOT))
            places.append(GridCell(big.text, big.beside, below, big.struck, "", big.mark, shaded))
        lines.append(GridLine(tuple(places), row.kind))
    heads = ((block.columns[0], ""), *(side_heads(block)[who] for who in whos))
    return Grid(
        block.heading, tuple((one_plain_line(a), one_plain_line(b)) for a, b in heads), kinds_of("total", len(whos)),
        tuple(lines),
    )


def players_as_rows(block: Block, whos: Sequence[str]) -> Iterator[Grid]:
    """Many players: a row each, the hands as columns, `MOST_HANDS` at a time; the total with the gain below."""
    rows = [row for row in block.rows if row.kind != "part"]
    for first in range(0, max(len(rows), 1), MOST_HANDS):
        some = rows[first : first + MOST_HANDS]
        lines = []
        for who in whos:
            parts, gain, total = columns_of_player(block, who)
            main = total if total is not None else gain if gain is not None else parts[0] if parts else None
            places = [GridCell(one_plain_line(who))]
            for row in some:
                big, small = place(at(row, main)), place(at(row, gain)).text if gain not in (None, main) else ""
                places.append(
                    GridCell(
                        big.text, "", "" if small == DOT else small, big.struck, "", big.mark, at(row, gain).shaded,
                    )
                )
            lines.append(GridLine(tuple(places)))
        heads = ((one_plain_line(block.columns[0]), ""), *((one_plain_line(at(row, 0).text), "") for row in some))
        yield Grid(block.heading if not first else "", heads, kinds_of("total", len(some)), tuple(lines))


def kinds_of(kind: Kind, count: int) -> tuple[Kind, ...]:
    """A column of words, and `count` columns of one kind."""
    return ("text", *(kind for _ in range(count)))
