"""A season on paper and on a screen: text, Markdown, HTML with small plots, CSV, a workbook."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.errors import UsageError, needs_extra
from reducers.sheet import Block, Cell, Head, Sheet, SheetRow
from replay.languages.translate import in_language, phrase, spoken_language, t, tn
from replay.paper.as_csv import rows_as_csv
from replay.paper.as_html import h, html_block, html_page
from replay.paper.as_markdown import as_markdown
from replay.paper.as_pdf import as_pdf
from replay.paper.as_text import as_text
from replay.paper.cells import block_in_language, right_aligned
from replay.paper.formats import SEASON
from replay.paper.sheet_page import PageLook
from replay.plain_text import one_plain_line
from replay.season.plots import MOST_LINES, bars, course, narrow_course, plain_figure
from replay.season.settlement import SeasonAccounts, written_amount
from replay.season.table import Adjusted, HeadToHead, Pair, PlayerRow, Season, SeasonTable

MOST_PAIRS = 12
"""Most pairs and meetings on a page; CSV, workbook and JSON have all that the season lists."""
MOST_UNLINKED = 60
"""Most names that are linked to no player, at the foot of a table."""
MOST_ACROSS = 17
"""Most columns beside the first on paper."""
MOST_CROSSED = 12
"""Most players in a square of head-to-head results."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_REMARKS = phrase("To know")
_STYLE = """
body { max-width: 80em } svg text { font: 12px "Source Sans 3", "Segoe UI", Arial, sans-serif } svg.course { width: 100%; max-width: 720px; height: auto; display: block }
svg.narrow, ul.lines { display: none } ul.lines { list-style: none; margin: .3em 0; padding: 0 } ul.lines svg { vertical-align: middle; margin-right: .5em }
.standings td, .standings th { white-space: nowrap } .standings td:first-child { white-space: normal; min-width: 11em } svg.bars { vertical-align: middle } .plot { margin: .6em 0 0 } svg text { fill: var(--second) } p.notes { color: var(--second); font-size: .9em }
@media (max-width: 560px) {
  .standings td:first-child { min-width: 8.5em } svg.broad { display: none } svg.narrow, ul.lines { display: block }
}
"""
SeasonColumn: TypeAlias = tuple[str, Callable[[SeasonTable, PlayerRow], Cell]]
"""A column of players: its head, and the cell of a player in a table."""
COLUMNS = (
    "table", "place", "player", "id", "figure", "matches", "won", "drawn", "lost", "evenings", "hands", "hands_won",
    "points", "points_unknown", "points_a_hand", "contracts_made", "contracts_failed", "best_evening",
    "best_evening_figure", "longest_run_won", "run_now", "breaches", "rating", "rating_mu", "rating_sigma",
    "difference", "victory_points",
)  # fmt: skip
"""The columns of the CSV and of the workbook."""


def written_season(season: Season, format: str, columns: int = 0) -> bytes:
    """The season in one of the formats `SEASON`; text is at most `columns` wide. Raises UsageError for another
    format, or if XlsxWriter or Typst is needed and not installed."""
    match format:
        case "text":
            return as_text(season_sheet(season), columns, _REMARKS).encode()
        case "md":
            return as_markdown(season_sheet(season), _REMARKS).encode()
        case "html":
            return season_html(season).encode()
        case "csv":
            return season_as_csv(season).encode()
        case "xlsx":
            return season_as_xlsx(season)
        case "pdf":
            sheet = season_sheet(season)
            blocks = tuple(part for block in sheet.blocks for part in _across_the_page(block))
            return as_pdf(replace(sheet, blocks=blocks), PageLook(), _REMARKS)
    raise UsageError(f"there is no format {format!r} of a season", expected=f"one of {', '.join(SEASON)}")


def _across_the_page(block: Block) -> Iterator[Block]:
    """A block in parts that paper is wide enough for, about equal, each with the first column."""
    beside = max(len(block.columns) - 1, 1)
    size = -(-beside // -(-beside // MOST_ACROSS))
    for at in range(1, beside + 1, size):
        there = (0, *range(at, min(at + size, len(block.columns))))
        yield replace(
            block, heading=block.heading + ", continued" * (at > 1), columns=tuple(block.columns[i] for i in there),
            rows=tuple(replace(row, cells=tuple(row.cells[i] for i in there)) for row in block.rows),
        )


def season_sheet(season: Season) -> Sheet:
    """The season as a sheet: its tables, the pairs and meetings of each, the matches not counted; or the page of one
    player."""
    blocks = [block for part in season_blocks(season) for block in part]
    facts = [("Matches", str(season.matches)), ("Ordered by", _ordered(season))]
    if season.player:
        facts = [("Player", season.player)]
    if season.first:
        facts.insert(0, ("Days", season.first if season.first == season.last else f"{season.first} – {season.last}"))
    return Sheet(
        season.title, tuple(facts), tuple(blocks), (*season.notes, *_not_counted(season)), head=Head(event=season.title)
    )


class ShownTable(Struct, frozen=True):
    """A table of a season as a page shows it: its heading and heads, which columns hold figures, the texts."""

    heading: str
    columns: tuple[str, ...]
    figures: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


class ShownSeason(Struct, frozen=True):
    """A season as a page shows it: a line about it, its tables, the notes, and the director's decisions."""

    about: str
    tables: tuple[ShownTable, ...]
    notes: tuple[str, ...]
    decisions: tuple[Adjusted, ...]


def shown_season(season: Season) -> ShownSeason:
    """The season in the texts of its sheet, for a page of another look."""
    sheet = season_sheet(season)
    decisions = {one.n: one for table in season.tables for one in table.adjusted}
    return ShownSeason(
        " · ".join([in_language(season.title), *(f"{in_language(name)}: {in_language(value)}" for name, value in sheet.facts)]),
        tuple(
            ShownTable(
                block.heading, block.columns, tuple(right_aligned(block)),
                tuple(tuple(cell.text for cell in row.cells) for row in block.rows),
            )
            for block in map(block_in_language, sheet.blocks)
        ),
        tuple(map(in_language, sheet.remarks)), tuple(decisions.values()),
    )


def _ordered(season: Season) -> str:
    if not season.best:
        return season.by
    return f"{season.by}, the best {season.best}{f' of {season.of}' if season.of else ''} evenings"


def _not_counted(season: Season) -> Iterator[str]:
    """The matches that no table counts, a line per reason; and names that are not linked."""
    by_why: dict[str, list[str]] = {}
    for one in season.left_out:
        by_why.setdefault(one.why, []).append(one.match)
    for why, matches in sorted(by_why.items()):
        yield (
            f"Not counted, {why}: "
            f"{', '.join(matches[:5])}{f' and {len(matches) - 5} more' if len(matches) > 5 else ''}."
        )
    if season.unlinked and season.player:
        yield f"The name {season.player} is linked to no player: only the seats that are written just so are counted."
    elif season.unlinked:
        more = len(season.unlinked) - MOST_UNLINKED
        names = ", ".join(season.unlinked[:MOST_UNLINKED]) + (f" and {more} more" if more > 0 else "")
        yield f"Names that are linked to no player, each taken as written: {names}."


def season_blocks(season: Season) -> list[list[Block]]:
    """The blocks of each table, the standings first; for one player the games, partners and opponents."""
    return [_of_player(season)] if season.player else [blocks_of(table, season) for table in season.tables]


def blocks_of(table: SeasonTable, season: Season) -> list[Block]:
    """The blocks of a table: the standings, the pairs, the meetings."""
    out = [_standings(table, season)]
    name = f"{table.name}: " if table.name and len(season.tables) > 1 else ""
    if season.grid and table.days and any(row.evenings for row in table.rows):
        out.append(_grid(name, table))
    if table.broken:
        rows = [tuple(map(Cell, line.rsplit(": ", 1))) for line in table.broken]
        out.append(_block(f"{name}Ties broken", ("players, first to last", "by"), rows))
    if table.adjusted:
        out.append(_decisions(name, table))
    if table.records:
        rows = [
            (Cell(one.what), Cell(one.names), Cell(one.figure, "", "count"), Cell(one.where or "–"))
            for one in table.records
        ]
        out.append(_block(f"{name}Records", ("what", "who", "figure", "where"), rows))
    if table.settled is not None:
        out += _accounts(name, table.settled)
    if table.pairs:
        rows = [_pair(p, " & ".join(p.names), table, table.pairs) for p in table.pairs[:MOST_PAIRS]]
        out.append(_block(f"{name}Pairs{_first_of(len(table.pairs))}", _pair_heads("pair", table, table.pairs), rows))
    if table.met:
        names = [row.name for row in table.rows]
        # With two equal names a square would be wrong.
        crossed = len(names) <= MOST_CROSSED and len(set(names)) == len(names) > 2
        out.append(_square(name, names, table.met) if crossed else _met(name, table.met))
    return out


def _block(heading: str, heads: Sequence[str], rows: Iterable[tuple[Cell, ...]]) -> Block:
    return Block(heading, tuple(heads), tuple(map(SheetRow, rows)))


def _grid(name: str, table: SeasonTable) -> Block:
    """A row for each player, a column for each evening: the figure, in brackets if it does not count; who was not there
    has a stroke."""
    marks = {"bye": "b", "absent": "e", "adjusted": "*"}

    def cell(row: PlayerRow, day: str) -> Cell:
        found = next((e for e in row.evenings if e.day == day), None)
        if found is None:
            return Cell("–")
        mark = marks.get(found.kind, "")
        figure = (
            "" if found.kind == "absent" else plain_figure(found.figure) if found.counts
            else f"({plain_figure(found.figure)})"
        )
        return Cell(f"{figure}{mark}", "", "count")

    # Of one year, the year is said in the heading.
    years = {day[:4] for day in table.days if day}
    heads = [
        f"{int(day[8:])} {MONTHS[int(day[5:7]) - 1]}" if len(years) == 1 and len(day) == 10 else day or "?"
        for day in table.days
    ]
    rows = [
        (Cell(row.name), *(cell(row, day) for day in table.days), Cell(plain_figure(row.figure), "", "total"))
        for row in table.rows
    ]
    used = {e.kind for row in table.rows for e in row.evenings}
    told = [
        word
        for kind, word in (("bye", "b bye"), ("absent", "e excused"), ("adjusted", "* with a decision of the director"))
        if kind in used
    ]
    told += ["(…) does not count"] if any(not e.counts for row in table.rows for e in row.evenings) else []
    year = f" {next(iter(years))}" if len(years) == 1 else ""
    legend = f" ({', '.join(told)})" if told else ""
    return _block(f"{name}Evening by evening{year}{legend}", ("player", *heads, "total"), rows)


def _decisions(name: str, table: SeasonTable) -> Block:
    rows = [
        (
            Cell(one.name), Cell(one.day), Cell({"absent": "excused"}.get(one.kind, one.kind)),
            Cell(", ".join(f"{figure} {_signed(n)}" for figure, n in one.figures.items()) or "–"), Cell(one.why),
        )
        for one in table.adjusted
    ]
    return _block(f"{name}Decided by the director", ("player", "evening", "is", "figures", "reason"), rows)


def _signed(n: float) -> str:
    return f"{n:+}".replace("-", "−")


def _accounts(name: str, settled: SeasonAccounts) -> list[Block]:
    """The accounts of the players, and who pays whom."""
    chips, dues = any(a.worth or a.chips for a in settled.accounts), any(a.dues for a in settled.accounts)
    heads = ("player", "evenings", *(["dues"] if dues else []), *(["chips", "worth"] if chips else []), "balance")
    rows = [
        (
            Cell(a.name), _count(a.evenings), *([Cell(written_amount(-a.dues))] if dues else []),
            *([Cell(plain_figure(a.chips), "", "count"), Cell(written_amount(a.worth))] if chips else []),
            Cell(written_amount(a.worth - a.dues), "", "total"),
        )
        for a in settled.accounts
    ]
    of_club = f" (dues for the club: {written_amount(settled.dues)})" if dues else ""
    out = [_block(f"{name}Accounts{of_club}", heads, rows)]
    if settled.payments:
        paid = [(Cell(p.payer), Cell(p.payee), Cell(written_amount(p.amount))) for p in settled.payments]
        out.append(_block(f"{name}Who pays whom", ("from", "to", "amount"), paid))
    return out


def _pair_heads(what: str, table: SeasonTable, pairs: Sequence[Pair]) -> tuple[str, ...]:
    return (
        what, "matches", "won", "not won", *(["points", "a hand"] if table.game else []),
        *(["contracts"] * _declared(pairs)),
    )


def _pair(p: Pair, name: str, table: SeasonTable, pairs: Sequence[Pair]) -> tuple[Cell, ...]:
    cells = [Cell(name), *map(_count, (p.matches, p.won, p.matches - p.won))]
    cells += [Cell(_figure(p.points, p.unknown), "", "count"), Cell(_average(p.average))] if table.game else []
    return (*cells, *([_contracts(p)] if _declared(pairs) else []))


def _declared(rows: Iterable[PlayerRow | Pair]) -> bool:
    return any(row.made or row.failed for row in rows)


def _contracts(row: PlayerRow | Pair) -> Cell:
    """The number of contracts made, and of all."""
    return Cell(f"{row.made} of {row.made + row.failed}" if row.made or row.failed else "–")


def _of_player(season: Season) -> list[Block]:
    """The page of one player: a row for each game, the partners, the opponents."""
    rows = [(table, row) for table in season.tables for row in table.rows]
    lead: list[SeasonColumn] = [
        ("game", lambda table, _: Cell(table.name or "All games")),
        ("place", lambda table, row: Cell(f"{row.place} of {table.players}")),
    ]
    blocks = [_rows_in_columns(season.player, rows, [*lead, *_columns(rows, season, several=True)])]
    for table in season.tables[:1] if not season.tables[0].game else season.tables:
        name = f"{table.name}: " if table.game and len(season.tables) > 1 else ""
        if table.pairs:
            partners = [_pair(p, p.names[1], table, table.pairs) for p in table.pairs]
            blocks.append(_block(f"{name}Partners", _pair_heads("partner", table, table.pairs), partners))
        if table.met:
            met = [(Cell(one.names[1]), *map(_count, (one.matches, *one.won))) for one in table.met]
            heads = ("opponent", "matches", f"{season.player} won", "opponent won")
            blocks.append(_block(f"{name}Opponents", heads, met))
    return blocks


def _first_of(n: int) -> str:
    return f" (the first {MOST_PAIRS} of {n})" if n > MOST_PAIRS else ""


def _standings(table: SeasonTable, season: Season) -> Block:
    """The figure that orders the table is beside the name, so that a narrow page shows it first."""
    named = f"{table.name}, {table.matches} match{'es' * (table.matches != 1)}" if table.name else "Standings"
    wide = len(str(max((row.place for row in table.rows), default=1)))
    rows = [(table, row) for row in table.rows]
    player: SeasonColumn = ("player", lambda _, row: Cell(f"{row.place:>{wide}}. {row.name}"))
    return _rows_in_columns(named, rows, [player, *_columns(rows, season, several=False, of_game=bool(table.game))])


def _rows_in_columns(
    name: str, rows: Iterable[tuple[SeasonTable, PlayerRow]], columns: Sequence[SeasonColumn],
) -> Block:
    return _block(name, [head for head, _ in columns], [tuple(cell(*one) for _, cell in columns) for one in rows])


def _columns(
    rows: Sequence[tuple[SeasonTable, PlayerRow]], season: Season, *, several: bool, of_game: bool = True,
) -> list[SeasonColumn]:
    """The columns of players in one table, or of one player in `several`: those that say something."""
    own = season.formula not in ("won", "points") or bool(season.best)
    first = season.formula == "points" and not own and not several
    drawn, declared = any(row.drawn for _, row in rows), _declared(row for _, row in rows)
    told, rated = any(row.breaches is not None for _, row in rows), any(row.rating for _, row in rows)
    by_won: Literal["total", "count"] = "total" if season.formula == "won" and not own and not several else "count"
    by_points: Literal["total", "count"] = "total" if first else "count"
    played: list[SeasonColumn] = [
        ("matches", lambda _, row: _count(row.matches)), ("won", lambda _, row: Cell(str(row.won), "", by_won)),
    ]
    points: list[SeasonColumn] = [
        (
            "points",
            lambda table, row: Cell(_figure(row.points, row.unknown), "", by_points) if table.game else Cell("–"),
        ),
        ("a hand", lambda table, row: Cell(_average(row.average) if table.game else "–")),
    ] if of_game else []
    evenings: SeasonColumn = (
        "evenings", lambda _, row: Cell(str(sum(e.kind != "absent" for e in row.evenings)) if row.evenings else "–"),
    )
    columns: list[tuple[bool, SeasonColumn]] = [
        (own, (_head(season), lambda _, row: Cell(plain_figure(row.figure), "", "total"))),
        *((first, one) for one in points), *((True, one) for one in (played if several or first or own else played[::-1])),
        (drawn, ("drawn", lambda _, row: _count(row.drawn))), (True, ("lost", lambda _, row: _count(row.lost))),
        (True, ("won %", lambda _, row: _share(row))), (not of_game, evenings), *((not first, one) for one in points),
        (declared, ("contracts", lambda _, row: _contracts(row))),
        (of_game and not several, ("hands", lambda _, row: _count(row.hands))),
        (True, ("best evening", lambda table, row: Cell(_best(row, table)))),
        (True, ("longest run", lambda _, row: _run(row))),
        (told, ("breaches", lambda _, row: Cell("–") if row.breaches is None else _count(row.breaches))),
        (rated, ("rating", lambda _, row: _rating(row))),
    ]
    return [column for there, column in columns if there]


def _count(n: int) -> Cell:
    return Cell(str(n), "", "count")


def _share(row: PlayerRow) -> Cell:
    return _count(round(100 * row.won / row.matches) if row.matches else 0)


def _run(row: PlayerRow) -> Cell:
    return Cell(str(row.streak) if row.streak > 1 else "–")


def _rating(row: PlayerRow) -> Cell:
    return Cell(
        f"{row.rating.cautious:.1f}".replace("-", "−"), f"{row.rating.mu:.1f} − 3 × {row.rating.sigma:.1f}",
    ) if row.rating else Cell("–")


def _head(season: Season) -> str:
    return {
        "won/matches": "share won", "hands_won": "hands won", "points/hands": "points a hand", "won": "won, best",
        "points": "points, best", "vp": "victory points", "difference": "difference",
    }.get(season.formula, "figure")


def _best(row: PlayerRow, table: SeasonTable) -> str:
    """The best evening; "–" if nothing was won on it."""
    if row.best is None or (row.best.figure == 0 and not table.lowest):
        return "–"
    return f"{row.best.day or '?'}: {plain_figure(row.best.figure)}"


def _square(name: str, names: list[str], met: tuple[HeadToHead, ...]) -> Block:
    """Head-to-head results: a row for each player, a column for each opponent."""
    won: dict[tuple[str, str], str] = {}
    for one in met:
        a, b = one.names
        won[a, b], won[b, a] = f"{one.won[0]}–{one.won[1]}", f"{one.won[1]}–{one.won[0]}"
    rows = [(Cell(a), *(Cell("—" if a == b else won.get((a, b), "")) for b in names)) for a in names]
    return _block(f"{name}Head to head (won–lost)", ("against", *names), rows)


def _met(name: str, met: tuple[HeadToHead, ...]) -> Block:
    rows = [
        (Cell(" – ".join(one.names)), _count(one.matches), Cell(f"{one.won[0]}–{one.won[1]}"))
        for one in met[:MOST_PAIRS]
    ]
    return _block(f"{name}Head to head (won–lost){_first_of(len(met))}", ("players", "matches", "won–lost"), rows)


def _figure(n: float, unknown: int) -> str:
    return plain_figure(n) + (" + ?" if unknown else "")


def _average(n: float | None) -> str:
    return "?" if n is None else f"{n:.2f}".replace("-", "−")


# -- HTML


def season_html(season: Season) -> str:
    """The season as one page of HTML, with its plots."""
    body = ["<main>", f"<h1>{h(in_language(season.title))}</h1>"]
    days = season.first if season.first == season.last else f"{season.first} – {season.last}"
    n = max(
        (row.matches for table in season.tables for row in table.rows), default=0,
    ) if season.player else season.matches
    told = [tn("{n} match", "{n} matches", n), days, "" if season.player else f"Ordered by: {_ordered(season)}"]
    body.append(f'<p class="result">{h(" · ".join(in_language(text) for text in told if text))}</p>')
    for i, made in enumerate(season_blocks(season)):
        blocks = [block_in_language(block) for block in made]
        table = season.tables[i] if i < len(season.tables) else None
        if not blocks or table is None:
            continue
        first = ['<section class="standings">', *html_block(blocks[0])[1:]]
        body += _with_bars(
            first, [row for one in season.tables for row in one.rows] if season.player else list(table.rows),
        )
        text = f"{season.by}, evening by evening" + (
            f", the first {min(MOST_LINES, len(table.rows))}" if len(table.rows) > MOST_LINES else ""
        )
        said = in_language(text)
        if plot := course(table, in_language(f"{table.name or 'All games'}: {text}")):
            body += [f'<div class="plot">{plot}{narrow_course(table, said)}</div>', f'<p class="legend">{h(said)}</p>']
        for block in blocks[1:]:
            body += html_block(block)
    body += [f'<p class="notes">{h(in_language(text))}</p>' for text in (*season.notes, *_not_counted(season))]
    body.append("</main>")
    return html_page(in_language(season.title), body, _STYLE, spoken_language())


def _with_bars(lines: list[str], rows: Sequence[PlayerRow]) -> list[str]:
    """Add a column to the lines of a block: the evenings of each row as bars."""
    drawn = [bars(row) for row in rows]
    if not any(drawn):
        return lines
    out, n = [], 0
    for line in lines:
        if line == "</tr></thead>":
            out.append(f'<th scope="col">{h(t("each evening"))}</th>')
        elif line == "</tr>" and n < len(drawn):
            out.append(f"<td>{drawn[n]}</td>")
            n += 1
        out.append(line)
    return out


# -- for a spreadsheet


def player_rows(season: Season) -> Iterator[tuple[str | int | float | None, ...]]:
    """The players of all tables, a row each, in the order of `COLUMNS`."""
    for table in season.tables:
        for row in table.rows:
            yield (
                table.game or "all", row.place, row.name, row.player, row.figure, row.matches, row.won, row.drawn,
                row.lost, len(row.evenings), row.hands, row.hands_won, row.points if table.game else None, row.unknown,
                row.average if table.game else None, row.made, row.failed, row.best.day if row.best else "",
                row.best.figure if row.best else None, row.streak, row.now, row.breaches,
                row.rating.cautious if row.rating else None, row.rating.mu if row.rating else None,
                row.rating.sigma if row.rating else None, row.difference, row.vp,
            )  # fmt: skip


def season_as_csv(season: Season) -> str:
    """The players as CSV. Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return rows_as_csv([COLUMNS, *player_rows(season)])


def season_as_xlsx(season: Season) -> bytes:
    """The season as a workbook: players, evenings, pairs, head to head, matches not counted. Raises UsageError if
    XlsxWriter is not installed."""
    with needs_extra("a workbook", "sheets"):
        import xlsxwriter
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(
        buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    )
    bold = book.add_format({"bold": True, "bottom": 1})
    _sheet(book, bold, "Players", COLUMNS, player_rows(season))
    tables = [(t.game or "all", t) for t in season.tables]
    _sheet(book, bold, "Evenings", (
        "table", "day", "player", "matches", "won", "hands", "points", "figure", "counts", "decided",
    ), (
        (
            game, e.day, row.name, e.matches, e.won, e.hands, e.points if t.game else None, e.figure,
            "yes" if e.counts else "no", e.kind,
        )
        for game, t in tables for row in t.rows for e in row.evenings
    ))  # fmt: skip
    _sheet(book, bold, "Pairs", (
        "table", "first", "second", "matches", "won", "hands", "points", "points_unknown", "contracts_made",
        "contracts_failed",
    ), (
        (game, *p.names, p.matches, p.won, p.hands, p.points if t.game else None, p.unknown, p.made, p.failed)
        for game, t in tables for p in t.pairs
    ))  # fmt: skip
    _sheet(book, bold, "Head to head", ("table", "first", "second", "matches", "first_won", "second_won"), (
        (game, *one.names, one.matches, *one.won) for game, t in tables for one in t.met
    ))  # fmt: skip
    if any(t.adjusted for _, t in tables):
        _sheet(book, bold, "Decisions", ("table", "day", "player", "is", "figures", "reason"), (
            (game, one.day, one.name, one.kind, " ".join(f"{name}={n:+}" for name, n in one.figures.items()), one.why)
            for game, t in tables for one in t.adjusted
        ))  # fmt: skip
    if any(t.settled for _, t in tables):
        _sheet(book, bold, "Accounts", ("table", "player", "evenings", "dues", "chips", "worth", "balance"), (
            (game, a.name, a.evenings, a.dues / 100, a.chips, a.worth / 100, (a.worth - a.dues) / 100)
            for game, t in tables if t.settled for a in t.settled.accounts
        ))  # fmt: skip
        _sheet(
            book, bold, "Payments", ("table", "from", "to", "amount"),
            ((game, p.payer, p.payee, p.amount / 100) for game, t in tables if t.settled for p in t.settled.payments),
        )
    _sheet(
        book, bold, "Not counted", ("match", "game", "day", "why"),
        ((one.match, one.game, one.day, one.why) for one in season.left_out),
    )
    book.close()
    return buffer.getvalue()


def _sheet(book: Any, bold: Any, name: str, heads: tuple[str, ...], rows: Any) -> None:
    page = book.add_worksheet(name)
    page.write_row(0, 0, heads, bold)
    page.freeze_panes(1, 0)
    widths = [len(head) for head in heads]
    for i, row in enumerate(rows, 1):
        for j, value in enumerate(row):
            if isinstance(value, str):
                page.write_string(i, j, one_plain_line(value))
            elif value is not None:
                page.write_number(i, j, value)
            widths[j] = max(widths[j], min(40, len(str(value))))
    for j, wide in enumerate(widths):
        page.set_column(j, j, wide + 2)
