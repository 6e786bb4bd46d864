"""Results from a spreadsheet: each row becomes the result of a hand or of a match, in the notation.

A mapping gives the meaning of the columns. A row that cannot be read is reported with the reason, and does not affect
the others. The same file always gives the same matches, with the same ids.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import KibitzError, NotationError, UnreadableError, UsageError
from events.facts import nest, read_value
from events.model import End, Event, Hand, Open, Recorded, Tally
from events.writing import write_line
from reducers.first_state import begin
from reducers.opening import opening
from reducers.registry import find_game
from reducers.seating import next_dealer
from replay.fold import fold
from replay.judging.judge import judge
from replay.season.facts import match_facts

MAX_ROWS, MAX_COLUMNS, MAX_BYTES, MAX_UNPACKED = 100_000, 200, 64_000_000, 256_000_000
UNPACKED_ANYWAY, UNPACKED_EACH = 2_000_000, 40
"""Bytes that a workbook may have unpacked, and the factor for its packed size; one with results is compressed ten to
twenty times."""
"""A larger table is refused."""
ABOUT = {"date": "the day", "title": "the title of the match", "place": "where it was", "match": "rows that say the same here are hands of one match"}
"""The meanings of a column besides a seat (`N`), the points of a side (`points.NS`), or a fact of a tally
(`declarer`, `tricks.NS`)."""
DAYS = frozenset({"date", "day", "datum", "fecha", "data", "jour"})
"""Heads that probably mean a day."""
_SEAT = re.compile(r"[A-Z]{1,2}")


class Mapped(Struct, frozen=True):
    """How to read a spreadsheet: the game, the meaning of its columns (`{"date": "Day", "N": "North", "points.NS":
    "us"}`), house rules, and the order of dates (`dmy`, `mdy`, or empty for 2026-03-14 and 14.3.2026).

    If it is `wide`, each other column is a player with their points; a player with an empty cell did not play. The
    columns in `skip` are ignored.
    """

    game: str
    columns: dict[str, str] = {}
    options: dict[str, str] = {}
    wide: bool = False
    dates: str = ""
    skip: tuple[str, ...] = ()


class RowFault(Struct, frozen=True):
    """A row that could not be read: its number in the file, from 1, and the reason."""

    row: int
    why: str


class Made(Struct, frozen=True):
    """A match made from rows: its id, the rows, and its log."""

    match: str
    rows: tuple[int, ...]
    records: tuple[Recorded, ...]

    @property
    def where(self) -> str:
        """The rows, in words."""
        return f"row {self.rows[0]}" if len(self.rows) == 1 else f"rows {self.rows[0]} to {self.rows[-1]}"

    @property
    def lines(self) -> list[str]:
        """The events as they are written."""
        return [write_line(r) for r in self.records if r.n]


# -- reading the file ---------------------------------------------------------------------------------------------------


def cells_of(data: bytes, sheet: str = "") -> list[list[str]]:
    """The cells of a file, row by row: CSV in UTF-8 with commas, semicolons or tabs, or a workbook. Raises
    UnreadableError, and UsageError if openpyxl is needed and not installed."""
    if len(data) > MAX_BYTES:
        raise UnreadableError("the file is too large", expected=f"at most {MAX_BYTES // 1_000_000} MB")
    rows = _of_workbook(data, sheet) if data[:4] == b"PK\x03\x04" else _of_csv(data)
    while rows and not any(rows[-1]):
        rows.pop()
    if len(rows) < 2:
        raise UnreadableError("there is no row in it", expected="a row of heads, and a row for each result below it")
    return rows


def _of_csv(data: bytes) -> list[list[str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError("the file is not UTF-8", where=f"byte {error.start}", todo="Save it as CSV in UTF-8, or as a workbook (.xlsx)") from None
    if "\x00" in text:
        raise UnreadableError("this is no text", expected="CSV, or a workbook (.xlsx)")
    first = text.split("\n", 1)[0]
    sign = max(",;\t", key=first.count)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True):
            rows.append(_bounded([cell.strip() for cell in row], len(rows)))
    except csv.Error as error:
        raise UnreadableError(f"row {len(rows) + 1} cannot be taken apart ({error})", todo="Look at the quotes in it") from None
    return rows


def _of_workbook(data: bytes, sheet: str) -> list[list[str]]:
    try:
        import openpyxl
    except ImportError:
        raise UsageError("to read a workbook takes the extra kibitz[seasons]", todo="Install it with `pip install 'kibitz[seasons]'`, or save the sheet as CSV.") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            most = min(MAX_UNPACKED, UNPACKED_ANYWAY + UNPACKED_EACH * len(data))
            if sum(one.file_size for one in packed.infolist()) > most:
                raise UnreadableError("the workbook is too large", expected=f"at most {most // 1_000_000} MB unpacked", todo="Save the sheet as CSV")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        names = book.sheetnames
        if sheet and sheet not in names:
            raise UsageError(f"the workbook has no sheet {sheet[:80]!r}", expected=", ".join(names[:10]))
        page = book[sheet] if sheet else book.worksheets[0]
        rows: list[list[str]] = []
        for row in page.iter_rows(values_only=True, max_col=MAX_COLUMNS + 1):
            rows.append(_bounded([_cell(value) for value in row], len(rows)))
        return rows
    except KibitzError:
        raise
    except Exception as error:  # readers of foreign files may raise anything
        raise UnreadableError(f"the workbook cannot be read ({type(error).__name__})", todo="Open it and save it anew, or save the sheet as CSV") from None


def _bounded(row: list[str], before: int) -> list[str]:
    while row and not row[-1]:
        row.pop()
    if before >= MAX_ROWS or len(row) > MAX_COLUMNS:
        raise UnreadableError("the table is too large", expected=f"at most {MAX_ROWS} rows and {MAX_COLUMNS} columns")
    return row


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()


def heads_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """The heads of a table. Raises UnreadableError if one is repeated."""
    heads = [" ".join(cell.split()) for cell in rows[0]]
    twice = next((head for i, head in enumerate(heads) if head and head in heads[:i]), "")
    if twice:
        raise UnreadableError(f"two columns are called {twice[:80]!r}", where="row 1", expected="each head once")
    return heads


def heads_fingerprint(heads: Sequence[str]) -> str:
    """The fingerprint of a table with these heads."""
    return hashlib.sha256(msgspec.json.encode(list(heads))).hexdigest()


def guessed(heads: Sequence[str]) -> Mapped:
    """The default mapping: perhaps a day, and a column of points for each player."""
    day = next((head for head in heads if head.casefold() in DAYS), "")
    return Mapped("pad", {"date": day} if day else {}, wide=True)


def column_keys(game: str) -> list[tuple[str, str]]:
    """The meanings that a column can have in a game, with descriptions. Raises NotFoundError."""
    page = find_game(game)
    terms = begin({"Game": page.key}).terms
    facts = [
        (shape.replace("*", side), f"{fact.meaning}: {terms.name(side)}" if "*" in shape else fact.meaning)
        for shape, fact in page.tally.facts.items()
        if "#" not in shape
        for side in (terms.sides if "*" in shape else [""])
    ]
    return [*ABOUT.items(), *((seat, f"who sits at {seat}") for seat in terms.seats), *facts]


def remembered(path: Path) -> dict[str, Mapped]:
    """The stored mappings, by fingerprint; empty if they cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Mapped])
    except (OSError, ValueError, msgspec.MsgspecError):
        return {}


def remember(path: Path, key: str, mapped: Mapped) -> str:
    """Store a mapping by fingerprint. Returns the reason if that failed, else ""."""
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode({**remembered(path), key: mapped}), indent=1) + b"\n")
    except OSError as error:
        return error.strerror or str(error)
    return ""


# -- rows into matches --------------------------------------------------------------------------------------------------


def check_mapping(mapped: Mapped, heads: Sequence[str]) -> None:
    """Raise UsageError, or NotFoundError for the game, if a mapping does not fit the table."""
    game = find_game(mapped.game)
    if mapped.dates not in ("", "dmy", "mdy"):
        raise UsageError(f"{mapped.dates[:20]!r} is no order of a date", expected="dmy or mdy")
    for key, column in [*mapped.columns.items(), *(("", column) for column in mapped.skip)]:
        if column not in heads:
            raise UsageError(f"the table has no column {column[:80]!r}", where=f"--map {key}=…" if key else "--skip", expected=", ".join(filter(None, heads))[:300])
        if not key:
            continue
        stem = key.partition(".")[0]
        known = {shape.partition(".")[0] for shape in game.tally.facts}
        if key not in ABOUT and not _SEAT.fullmatch(key) and stem not in known:
            raise UsageError(
                f"{key[:40]!r} is nothing that a column can be", expected=f"{', '.join(ABOUT)}, a seat, or a fact of {game.name}: {', '.join(sorted(known))}",
                todo=f"`kibitz rules {game.key}` says what they mean",
            )  # fmt: skip
    if mapped.wide and game.key != "pad":
        raise UsageError("columns that are players hold points, which only the score pad takes as they are", expected="--game pad --option title=…")
    if mapped.wide and any(_SEAT.fullmatch(key) or key.startswith("points") for key in mapped.columns):
        raise UsageError("with --wide no seat and no points are mapped", expected="date, title, place")
    if not mapped.wide and not any(key not in ABOUT and not _SEAT.fullmatch(key) for key in mapped.columns):
        raise UsageError("no column is mapped to a result", expected=f"--map points.A=…, or another fact of {game.name}", todo="--wide takes every other column for a player")


def read_results(rows: Sequence[Sequence[str]], mapped: Mapped, book: str) -> tuple[list[Made], list[RowFault]]:
    """The matches from the rows of a table, the first row being its heads, and the rows that cannot be read. Raises
    like `check_mapping` and `heads_of`."""
    heads = heads_of(rows)
    check_mapping(mapped, heads)
    groups: dict[str, list[tuple[int, dict[str, str]]]] = {}
    seen: dict[str, int] = {}
    faults: list[RowFault] = []
    for number, row in enumerate(rows[1:], 2):
        if not any(row):
            continue
        if len(row) > len(heads):
            faults.append(RowFault(number, f"it has {len(row)} cells, and there are {len(heads)} heads"))
            continue
        cells = dict(zip(heads, [*row, *[""] * (len(heads) - len(row))], strict=True))
        together = cells.get(mapped.columns.get("match", ""), "")
        if "match" in mapped.columns and not together:
            faults.append(RowFault(number, f"nothing stands under {mapped.columns['match']!r}, which says to which match it belongs"))
            continue
        # A row is the match of its day, table and players, independent of its figures; equal ones are distinguished
        # by order.
        key = together or msgspec.json.encode(_about(cells, mapped)).decode()
        if not together:
            seen[key] = seen.get(key, 0) + 1
            key = f"{key} {seen[key]}"
        groups.setdefault(key, []).append((number, cells))
    made = []
    for key, group in groups.items():
        one = _match(key, group, mapped, book, faults)
        if one is not None:
            made.append(one)
    return made, sorted(faults, key=lambda fault: fault.row)


def _about(cells: Mapping[str, str], mapped: Mapped) -> list[str]:
    """The parts of a row that identify its match: when and where it was, and the players."""
    about = [cells[column] for key, column in mapped.columns.items() if key in ABOUT or _SEAT.fullmatch(key)]
    return about if not mapped.wide else [*about, *_points_of(cells, mapped)]


def _points_of(cells: Mapping[str, str], mapped: Mapped) -> dict[str, str]:
    """The points of each player in a wide row; a player with an empty cell did not play."""
    known = {*mapped.columns.values(), *mapped.skip}
    return {head: text for head, text in cells.items() if head and head not in known and text}


def _match(key: str, group: Sequence[tuple[int, dict[str, str]]], mapped: Mapped, book: str, faults: list[RowFault]) -> Made | None:
    """The match of some rows; None if none of them could be read."""
    log: list[Recorded] = []
    rows: list[int] = []
    about: dict[str, Any] = {}
    for number, cells in group:
        try:
            facts, points = _facts(cells, mapped)
            if log and facts != about:
                raise UnreadableError("it says otherwise who played, or when, than the first row of its match")
            if not log:
                about = facts
                name = f"{mapped.game}-{hashlib.sha256(msgspec.json.encode([book, mapped.game, key])).hexdigest()[:12]}"
                log = [Recorded(n=0, event=Open(by="@", facts={**facts, "Match": name}))]
            grown = _with_hand(log, points)
            _look(grown)
        except KibitzError as error:
            faults.append(RowFault(number, _plain(error)))
            log = log if rows else []
            continue
        log = grown
        rows.append(number)
    if not rows:
        return None
    state = fold(log)
    if not state.ended:
        log = [*log, Recorded(n=len(log), event=End(by="@", what="match"))]
    opening_ = log[0].event
    assert isinstance(opening_, Open)
    return Made(str(opening_.facts["Match"]), tuple(rows), tuple(log))


def _plain(error: KibitzError) -> str:
    return " ".join(f"{error.what}{f' ({error.where})' if error.where else ''}{f'; expected {error.expected}' if error.expected else ''}".split())


def _facts(cells: Mapping[str, str], mapped: Mapped) -> tuple[dict[str, Any], dict[str, Any]]:
    """The facts of the opening, and those of the tally. Raises KibitzError."""
    said = {key: cells[column] for key, column in mapped.columns.items()}
    options = dict(mapped.options)
    if mapped.wide:
        played = _points_of(cells, mapped)
        if not played:
            raise UnreadableError("nobody has points in it", expected="a figure for each who played")
        seats: Any = list(played)
        points = {f"points.{chr(ord('A') + i)}": value for i, value in enumerate(played.values())}
        column = dict(zip(points, played, strict=True))
    else:
        column = mapped.columns
        seats = {key: value for key, value in said.items() if _SEAT.fullmatch(key) and value}
        points = {key: value for key, value in said.items() if key not in ABOUT and not _SEAT.fullmatch(key) and value}
    facts = opening(mapped.game, seats=seats, options=options, date=_day(said.get("date", ""), mapped.dates), place=said.get("place") or None)
    if said.get("title"):
        facts["Event"] = " ".join(said["title"].split())[:200]
    try:
        tally = nest([(key, _value(key, value, column[key]), 1) for key, value in points.items()])
    except NotationError as error:
        raise UnreadableError(error.what, expected=error.expected) from None
    if not tally:
        raise UnreadableError("there is no result in it")
    return facts, tally


def _value(key: str, text: str, column: str) -> Any:
    """The value of a fact in a cell. Raises UnreadableError for points that are not a number."""
    figure = text.replace("−", "-").replace("\u00a0", "").replace(" ", "")
    if re.fullmatch(r"[+-]?[0-9]{1,15}([.,]0+)?", figure):
        return int(re.split("[.,]", figure)[0])
    if key.startswith("points"):
        raise UnreadableError(f"{text[:40]!r} is not a whole number", where=f"column {column}")
    return read_value(text if re.fullmatch(r"[\w.,+-]+", text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


def _day(text: str, order: str) -> str | None:
    """A day in the form of the tags. Raises UnreadableError."""
    text = text.strip()
    if not text:
        return None
    found = re.fullmatch(r"(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:[T ].*)?", text)
    if found is not None:
        a, sign, b, c = found.groups()
        parts = (a, b, c) if len(a) == 4 else (c, b, a) if order == "dmy" or (not order and sign == ".") else (c, a, b) if order == "mdy" else None
        if parts is not None and len(parts[0]) == 4:
            try:
                return date(*map(int, parts)).isoformat()
            except ValueError:
                pass
    raise UnreadableError(f"{text[:40]!r} is not a day", expected="2026-03-14 or 14.3.2026; --dates dmy or mdy says how 3/4/2026 is meant")


def _with_hand(log: Sequence[Recorded], tally: dict[str, Any]) -> list[Recorded]:
    """The log with one more hand."""
    state = fold(log)
    if state.ended:
        raise UnreadableError("the match was over with the row before")
    dealer = next_dealer(state)
    events: list[Event] = [Hand(by=dealer, number=state.number + 1), Tally(by="@", facts=tally)]
    return [*log, *(Recorded(n=len(log) + i, event=event) for i, event in enumerate(events))]


def _look(log: Sequence[Recorded]) -> None:
    """Raise UnreadableError if the last hand is impossible, or has no score."""
    last = log[-1].n
    broken = [f.text for f in judge(log).broken if f.at.pos >= last - 1]
    if broken:
        raise UnreadableError("; ".join(dict.fromkeys(broken)))
    facts = match_facts("", log)
    if facts.fault:
        raise UnreadableError(facts.fault)
    hand = facts.hands[-1] if facts.hands else None
    if hand is None or None in hand.points.values() or not hand.points:
        raise UnreadableError("the points of the hand do not follow from it", expected="every fact that the score needs")


def texts(made: Iterable[Made]) -> list[str]:
    """A preview of the matches as they would be written."""
    out = []
    for one in made:
        opened = one.records[0].event
        assert isinstance(opened, Open)
        names = ", ".join(f"{seat} {opened.facts[seat]}" for seat in str(opened.facts.get("Seats", "")).split() if seat in opened.facts)
        out.append(f"{one.match} ({one.where}): {opened.facts.get('Date', 'no day')}, {names}")
        out += [f"  {line}" for line in one.lines]
    return out


__all__ = ["ABOUT", "Made", "Mapped", "RowFault", "cells_of", "check_mapping", "column_keys", "heads_fingerprint", "guessed", "heads_of", "remember", "remembered", "read_results", "texts"]
