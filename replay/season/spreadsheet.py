"""Results from a spreadsheet: each row becomes the result of a hand or of a match, in the notation.

A mapping gives the meaning of the columns. A row that cannot be read is reported with the reason, and does not affect
the others. The same file always gives the same matches, with the same ids.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from events.errors import KibitzError, NotationError, UnreadableError, UsageError
from events.facts import nest, read_value
from events.model import End, Event, Facts, Hand, Open, Recorded, Tally
from events.writing import write_line
from reducers.first_state import begin
from reducers.model import Game
from reducers.opening import opening
from reducers.registry import PAGES, find_game
from reducers.seating import next_dealer
from replay.fold import fold
from replay.judging.judge import judge
from replay.season.facts import match_facts
from replay.season.table_cells import (
    AVERAGES,
    EXPECTED_DAY,
    RESULT,
    Spellings,
    figure_of,
    head_at,
    heads_of,
    is_absent,
    is_total,
    looks_like_a_day,
    one_spaced,
    orders_of,
    people_in,
    read_day,
    title_of,
    year_in,
)  # fmt: skip

ABOUT = {
    "date": "the day", "title": "the title of the match", "place": "where it was", "round": "the round",
    "table": "the table", "match": "rows that say the same here are hands of one match",
}  # fmt: skip
"""The meanings of a column besides a seat (`N`), the points of a side (`points.NS`), of all sides (`points`: 52 :
38), or a fact of a tally (`declarer`, `tricks.NS`)."""
RESULT_KEY = "points"
"""A column with the points of all sides, in the order of their columns."""
HEADS = {
    "date": "date day datum tag fecha data jour giorno evening abend soirée serata",
    "place": "place where ort wo lieu luogo lugar local venue", "table": "table tisch tavolo mesa",
    "round": "round runde turno tour ronda manche",
}  # fmt: skip
"""Heads that say what a column is."""
REMARKS = frozenset([
    "remark", "remarks", "note", "notes", "comment", "comments", "bemerkung", "bemerkungen", "kommentar", "note",
    "osservazioni", "remarques", "observaciones", "rank", "place", "platz", "rang", "nr", "no", "n°", "#", "pos",
])
"""Heads of columns that are passed over."""
PEOPLE = frozenset([
    "player", "players", "spieler", "joueur", "giocatore", "jugador", "pair", "pairs", "paar", "couple", "coppia",
    "pareja", "team", "side", "seite", "name", "names", "home", "away",
])
"""Heads, without a number, of columns with the names of those who played."""
DATE_ORDERS = {"dmy": "the day before the month", "mdy": "the month before the day"}
_SEAT = re.compile(r"[A-Z]{1,2}")


class Mapped(Struct, frozen=True):
    """How to read a spreadsheet: the game, the meaning of its columns (`{"date": "Day", "N": "North", "points.NS":
    "us"}`), house rules, and the order of dates (`dmy`, `mdy`, or empty if the days themselves say it).

    If it is `wide`, each other column is a player or a pair with their points; who has an empty cell or an `x` did not
    play. The columns in `skip` are ignored.
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
    def facts(self) -> Facts:
        """The facts of its opening."""
        opened = self.records[0].event
        assert isinstance(opened, Open)
        return opened.facts

    @property
    def players(self) -> dict[str, str]:
        """Who played, by seat."""
        return {seat: str(self.facts[seat]) for seat in str(self.facts["Seats"]).split() if seat in self.facts}

    @property
    def lines(self) -> list[str]:
        """The events as they are written."""
        return [write_line(r) for r in self.records if r.n]


# -- what the columns are


def table_fingerprint(rows: Sequence[Sequence[str]]) -> str:
    """The fingerprint of tables with the same heads, and the same game in their title."""
    game = _game_in(title_of(rows))
    return hashlib.sha256(msgspec.json.encode([heads_of(rows), game.key if game is not None else ""])).hexdigest()


def guessed(rows: Sequence[Sequence[str]], options: Mapping[str, str] | None = None) -> Mapped:
    """What the columns are, as far as their heads and cells say it. A game that the title names is that of the pad."""
    heads, at = heads_of(rows), head_at(rows)
    below = {
        head: [row[j] for row in rows[at + 1 :] if j < len(row) and row[j]] for j, head in enumerate(heads) if head
    }
    columns: dict[str, str] = {}
    figures: list[str] = []
    names: list[str] = []
    skip: list[str] = []
    texts: list[str] = []
    for head, cells in below.items():
        word = head.casefold().rstrip(".:")
        key = next((key for key, words in HEADS.items() if word in words.split() and key not in columns), "")
        days = [bool(read_day(text, "dmy", "2026") or read_day(text, "mdy", "2026")) for text in cells]
        if "date" not in columns and (any(days) if key == "date" else not key and _mostly(cells, looks_like_a_day)):
            columns["date"] = head
        elif key and key != "date":
            columns[key] = head
        elif _mostly(cells, lambda text: RESULT.fullmatch(text) is not None) and len(people_in(head)) == 1:
            columns[RESULT_KEY] = head
        elif not cells or word in REMARKS or is_total(head):
            skip.append(head)
        elif _mostly(
            cells, lambda text: figure_of(text) is not None or is_absent(text) or RESULT.fullmatch(text) is not None,
        ):
            figures.append(head)
        elif _mostly(cells, lambda text: len(people_in(text)) > 1):
            names.append(head)
        else:
            (texts if is_total(re.sub(r"\d", "", head), PEOPLE) else skip).append(head)
    if len(names) < 2 and len(names) + len(texts) > 1:
        names, texts = [head for head in below if head in {*names, *texts}], []
    skip += texts
    game = _game_in(title_of(rows))
    house: dict[str, Any] = {} if game is None else {"title": game.name}
    if game is not None and game.match.fewest_lead(begin({"Game": game.key}).terms):
        house["wins"] = "low"
    house |= options or {}
    wide = len(names) < 2
    if wide:
        columns.pop(RESULT_KEY, None)
        skip += names
    else:
        letters = [chr(ord("A") + i) for i in range(len(names))]
        columns |= dict(zip(letters, names, strict=True))
        if RESULT_KEY not in columns and len(figures) == len(names):
            columns |= {f"points.{letter}": head for letter, head in zip(letters, figures, strict=True)}
        else:
            skip += figures
    return Mapped("pad", columns, house, wide, skip=tuple(skip))


def _mostly(cells: Sequence[str], holds: Callable[[str], bool]) -> bool:
    """True if something holds of half of the cells, at least."""
    return bool(cells) and 2 * sum(map(holds, cells)) >= len(cells)


def _game_in(title: str) -> Game | None:
    """The game that a title names; None if it names none."""
    words = f" {title.casefold()} "
    found = [key for key in PAGES if re.search(rf"(?<!\w){key.replace('-', '[ -]')}(?!\w)", words)]
    return find_game(found[0]) if len(found) == 1 else None


def describe_columns(rows: Sequence[Sequence[str]], mapped: Mapped) -> list[str]:
    """What was understood of a table, a sentence each: its title and heads, its columns, the rows that are passed over,
    names that are written in more than one way."""
    sheet = _Sheet(rows, mapped)
    out = [
        f"“{title_of(rows)}” stands above the heads, which are in row {sheet.at + 1}"
    ] if sheet.at and title_of(rows) else []
    meanings = dict(column_keys(mapped.game))
    for key, head in mapped.columns.items():
        meaning = (
            f"who plays together at {key}" if key not in ABOUT and _SEAT.fullmatch(key) and sheet.pairs
            else meanings.get(key, key)
        )
        out.append(f"{head}: {meaning}" + (f", {DATE_ORDERS[sheet.order]}" if key == "date" and sheet.order else ""))
    if mapped.wide:
        players = [
            head for head in sheet.heads if head and head not in mapped.columns.values() and head not in mapped.skip
        ]
        out.append(f"players or pairs with their points: {', '.join(players)}")
    if mapped.skip:
        out.append(f"passed over: {', '.join(mapped.skip)}")
    out += [f"row {row}: {why}" for row, why in sheet.passed.items()]
    for _, cells in sheet.rows():
        with suppress(KibitzError):
            list(sheet.tables(cells))
    out += [
        f"{shown} is also written {other} ({n} time{'s' * (n != 1)})"
        for (shown, other), n in sheet.spelled.others.items()
    ]
    if mapped.options:
        out.append(", ".join(f"{name}: {value}" for name, value in mapped.options.items()))
    return out


def passed_over(rows: Sequence[Sequence[str]], mapped: Mapped) -> dict[int, str]:
    """The rows below the heads that are no results, and why: totals, remarks, the heads once more."""
    return _Sheet(rows, mapped).passed


def doubt(rows: Sequence[Sequence[str]], mapped: Mapped) -> str:
    """The question about a table that can mean two things; "" if there is none."""
    sheet = _Sheet(rows, mapped)
    unsure = next(
        (
            text for text in sheet.days if not sheet.order
            and read_day(text, "dmy", sheet.year) != read_day(text, "mdy", sheet.year)
        ),
        "",
    )
    return (
        f"{unsure} can be {read_day(unsure, 'dmy', sheet.year)} or {read_day(unsure, 'mdy', sheet.year)}" if unsure
        else ""
    )


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
    both = [(RESULT_KEY, "the points of all, in the order of the columns, as 52 : 38")] if page.key == "pad" else []
    return [*ABOUT.items(), *both, *((seat, f"who sits at {seat}") for seat in terms.seats), *facts]


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


# -- rows into matches


def check_mapping(mapped: Mapped, heads: Sequence[str]) -> None:
    """Raise UsageError, or NotFoundError for the game, if a mapping does not fit the table."""
    game = find_game(mapped.game)
    if mapped.dates not in ("", "dmy", "mdy"):
        raise UsageError(f"{mapped.dates[:20]!r} is no order of a date", expected="dmy or mdy")
    for key, column in [*mapped.columns.items(), *(("", column) for column in mapped.skip)]:
        if column not in heads:
            raise UsageError(
                f"the table has no column {column[:80]!r}", where=f"--map {key}=…" if key else "--skip",
                expected=", ".join(filter(None, heads))[:300],
            )
        if not key:
            continue
        stem = key.partition(".")[0]
        known = {shape.partition(".")[0] for shape in game.tally.facts}
        if key not in ABOUT and not _SEAT.fullmatch(key) and stem not in {*known, RESULT_KEY}:
            raise UsageError(
                f"{key[:40]!r} is nothing that a column can be",
                expected=f"{', '.join(ABOUT)}, a seat, or a fact of {game.name}: {', '.join(sorted(known))}",
                todo=f"`kibitz rules {game.key}` says what they mean",
            )  # fmt: skip
    if mapped.wide and game.key != "pad":
        raise UsageError(
            "columns that are players hold points, which only the score pad takes as they are",
            expected="--game pad --option title=…",
        )
    if mapped.wide and any(_SEAT.fullmatch(key) or key.startswith("points") for key in mapped.columns):
        raise UsageError("with --wide no seat and no points are mapped", expected="date, title, place")
    if not mapped.wide and not any(key not in ABOUT and not _SEAT.fullmatch(key) for key in mapped.columns):
        raise UsageError(
            "no column is mapped to a result", expected=f"--map points.A=…, or another fact of {game.name}",
            todo="--wide takes every other column for a player",
        )


class _Sheet:
    """A table as it is mapped: its heads, its rows of results, and the rows that are passed over, with the reason."""

    def __init__(self, rows: Sequence[Sequence[str]], mapped: Mapped) -> None:
        self.mapped, self.at, self.heads = mapped, head_at(rows), heads_of(rows)
        self.below = [(number, row) for number, row in enumerate(rows[self.at + 1 :], self.at + 2) if any(row)]
        self.year = year_in(title_of(rows))
        self.spelled = Spellings()
        day = mapped.columns.get("date")
        self.days = [
            row[j] for j in [self.heads.index(day)] for _, row in self.below if j < len(row) and row[j]
        ] if day in self.heads else []
        orders = orders_of(self.days)
        self.order = mapped.dates or (orders[0] if len(orders) == 1 else "")
        self.seats = [key for key in mapped.columns if key not in ABOUT and _SEAT.fullmatch(key)]
        self.pairs = any(
            len(people_in(cells[mapped.columns[key]])) > 1 for _, cells in self._cells() for key in self.seats
        )
        self.passed = dict(self._passed())

    def _cells(self) -> Iterator[tuple[int, dict[str, str]]]:
        for number, row in self.below:
            yield number, dict(zip(self.heads, [*row, *[""] * (len(self.heads) - len(row))], strict=False))

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of results, with their numbers in the file."""
        return ((number, cells) for number, cells in self._cells() if number not in self.passed)

    def _passed(self) -> Iterator[tuple[int, str]]:
        mapped, sums, ended = self.mapped, dict.fromkeys(self.heads, 0.0), False
        used = {column for key, column in mapped.columns.items() if key not in ABOUT}
        beside = {column for key, column in mapped.columns.items() if key in ABOUT} | {*mapped.skip, ""}
        for number, cells in self._cells():
            figures = {
                head: text for head, text in cells.items() if text
                and (head in used or (mapped.wide and head not in beside))
            }
            first = next(filter(None, cells.values()), "")
            label = first if figure_of(first) is None and (
                is_total(first) or (first.casefold().strip(" .:") in REMARKS and len(figures) > 1)
            ) else ""
            if [one_spaced(text) for text in cells.values()] == self.heads:
                yield number, "the heads once more"
            elif label and not self._day_of(cells):
                ended = ended or is_total(label)
                compared = {} if not mapped.wide or is_total(label, AVERAGES) or not is_total(label) else figures
                wrong = [
                    f"{head} {text}, and the rows come to {sums[head]:g}" for head, text in compared.items()
                    if (n := figure_of(text)) is not None and n != sums[head]
                ]
                yield number, f"“{label}”, " + (f"which does not agree: {'; '.join(wrong)}" if wrong else "passed over")
            elif ended and "date" in mapped.columns and not cells.get(mapped.columns["date"]):
                yield number, f"below the totals, “{' '.join(filter(None, cells.values()))}”"
            elif all(is_absent(text) for text in figures.values()) and (figures or any(cells.values())):
                yield number, f"a remark, “{' '.join(filter(None, cells.values()))}”"
            else:
                for head, text in figures.items():
                    both = RESULT.fullmatch(text)
                    sums[head] += figure_of(both[1] if both else text) or 0

    def _day_of(self, cells: Mapping[str, str]) -> str:
        return read_day(cells.get(self.mapped.columns.get("date", ""), ""), self.order or "dmy", self.year)

    def tables(self, cells: Mapping[str, str]) -> Iterator[list[_Entrant]]:
        """Who played whom in a row, and their points: one table, or several if the cells are results such as 52 : 38.
        Raises UnreadableError."""
        mapped = self.mapped
        if not mapped.wide:
            given = [
                (key, tuple(map(self.spelled, people_in(cells[mapped.columns[key]])))) for key in self.seats
                if cells[mapped.columns[key]]
            ]
            points = self._result(cells, len(given))
            yield [
                _Entrant(
                    key, names, points[i] if points else cells.get(mapped.columns.get(f"points.{key}", ""), ""),
                    mapped.columns[key],
                )
                for i, (key, names) in enumerate(given)
            ]
            return
        known = {*mapped.columns.values(), *mapped.skip}
        played = [
            _Entrant("", tuple(map(self.spelled, people_in(head))), text, head) for head, text in cells.items()
            if head and head not in known and text and not is_absent(text)
        ]  # fmt: skip
        results = [RESULT.fullmatch(one.points) for one in played]
        if not played or not all(results):
            yield played
            return
        left = [
            (one, found.group(1), found.group(2)) for one, found in zip(played, results, strict=True)
            if found is not None
        ]
        while left:
            one, own, other = left[0]
            against = [them for them in left[1:] if (them[1], them[2]) == (other, own)]
            if len(against) != 1:
                raise UnreadableError(
                    f"{own} : {other} of {one.column} can belong to {len(against) or 'no'} other "
                    f"column{'s' * (len(against) != 1)}",
                    expected="the result of their opponents in the same row, the other way round",
                )
            left = [them for them in left if them not in (left[0], against[0])]
            yield [one._replace(points=own), against[0][0]._replace(points=other)]

    def _result(self, cells: Mapping[str, str], sides: int) -> list[str]:
        text = cells.get(self.mapped.columns.get(RESULT_KEY, ""), "")
        found = RESULT.fullmatch(text)
        points = list(found.groups()) if found else [one.strip() for one in text.split(":")] if text else []
        if points and len(points) != sides:
            raise UnreadableError(
                f"{text[:40]!r} has {len(points)} figures for {sides} sides",
                where=f"column {self.mapped.columns[RESULT_KEY]}",
            )
        return points


class _Entrant(NamedTuple):
    """A player or a pair in a row: the key of the column, the names, the points as written, the column."""

    key: str
    names: tuple[str, ...]
    points: str
    column: str


class _Row(NamedTuple):
    """One table of a row of the file."""

    number: int
    cells: dict[str, str]
    entrants: list[_Entrant]


def read_results(rows: Sequence[Sequence[str]], mapped: Mapped, book: str) -> tuple[list[Made], list[RowFault]]:
    """The matches from the rows of a table below its heads, and the rows that cannot be read; `describe_columns`
    says which are passed over. Raises like `check_mapping` and `heads_of`."""
    heads = heads_of(rows)
    check_mapping(mapped, heads)
    sheet = _Sheet(rows, mapped)
    groups: dict[str, list[_Row]] = {}
    seen: dict[str, int] = {}
    faults = [
        RowFault(number, f"it has {len(row)} cells, and there are {len(heads)} heads") for number, row in sheet.below
        if len(row) > len(heads) and number not in sheet.passed
    ]
    faulty = {fault.row for fault in faults}
    for number, cells in sheet.rows():
        if number in faulty:
            continue
        together = cells.get(mapped.columns.get("match", ""), "")
        if "match" in mapped.columns and not together:
            faults.append(
                RowFault(
                    number, f"nothing stands under {mapped.columns['match']!r}, which says to which match it belongs",
                )
            )
            continue
        try:
            tables = [_Row(number, cells, entrants) for entrants in sheet.tables(cells)]
        except KibitzError as error:
            faults.append(RowFault(number, _plain(error)))
            continue
        for one in tables:
            # A row is the match of its day, table and players, independent of its figures; equal ones are distinguished
            # by order.
            key = together or msgspec.json.encode(_about(one, mapped)).decode()
            if not together:
                seen[key] = seen.get(key, 0) + 1
                key = f"{key} {seen[key]}"
            groups.setdefault(key, []).append(one)
    made = []
    for key, group in groups.items():
        found = _match(key, group, sheet, book, faults)
        if found is not None:
            made.append(found)
    return made, sorted(faults, key=lambda fault: fault.row)


def _about(row: _Row, mapped: Mapped) -> list[str]:
    """The parts of a row that identify its match: when and where it was, and the players."""
    who = [" & ".join(one.names) for one in row.entrants]
    return [*(row.cells[column] for key, column in mapped.columns.items() if key in ABOUT), *who]


def _match(key: str, group: Sequence[_Row], sheet: _Sheet, book: str, faults: list[RowFault]) -> Made | None:
    """The match of some rows; None if none of them could be read."""
    mapped = sheet.mapped
    log: list[Recorded] = []
    rows: list[int] = []
    about, name = dict[str, Any](), ""
    for row in group:
        number = row.number
        try:
            facts, points = _facts(row, sheet)
            if log and facts != about:
                raise UnreadableError("its players or its day differ from the first row of its match")
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
    return Made(name, tuple(rows), tuple(log))


def _plain(error: KibitzError) -> str:
    where = f" ({error.where})" if error.where else ""
    expected = f"; expected {error.expected}" if error.expected else ""
    return " ".join(f"{error.what}{where}{expected}".split())


def _facts(row: _Row, sheet: _Sheet) -> tuple[dict[str, Any], dict[str, Any]]:
    """The facts of the opening, and those of the tally. Raises KibitzError."""
    mapped, cells = sheet.mapped, row.cells
    said = {key: cells[column] for key, column in mapped.columns.items()}
    options = dict(mapped.options)
    points = {
        key: (value, mapped.columns[key]) for key, value in said.items() if key not in ABOUT and key != RESULT_KEY
        and not _SEAT.fullmatch(key) and value
    }
    seats: Any
    if mapped.wide or sheet.pairs or RESULT_KEY in mapped.columns:
        if not row.entrants:
            raise UnreadableError("it has no points of a player", expected="a figure for each who played")
        most = max(find_game(mapped.game).seating.sizes)
        if (people := sum(len(one.names) for one in row.entrants)) > most:
            raise UnreadableError(
                f"{people} players are in one row", expected=f"at most {most}, who sat at one table",
                todo="Give each table a row of its own",
            )
        letters = iter(ascii_uppercase)
        sides = ["".join(letter for _, letter in zip(one.names, letters, strict=False)) for one in row.entrants]
        seats = [name for one in row.entrants for name in one.names]
        if any(len(side) > 1 for side in sides):
            options.setdefault("sides", " ".join(sides))
        points = {key: value for key, value in points.items() if not key.startswith("points.")}
        points |= {
            f"points.{side}": (one.points, one.column) for side, one in zip(sides, row.entrants, strict=True)
            if one.points
        }
    else:
        seats = {one.key: one.names[0] for one in row.entrants}
    day = said.get("date", "")
    if day and not (read := read_day(day, sheet.order, sheet.year)):
        raise UnreadableError(f"{day[:40]!r} is not a day", expected=EXPECTED_DAY)
    facts = opening(
        mapped.game, seats=seats, options=options, date=read if day else None, place=said.get("place") or None,
        round=said.get("round") or None, table=said.get("table") or None,
    )  # fmt: skip
    if said.get("title"):
        facts["Event"] = one_spaced(said["title"])[:200]
    try:
        tally = nest([(key, _value(key, value, column), 1) for key, (value, column) in points.items()])
    except NotationError as error:
        raise UnreadableError(error.what, expected=error.expected) from None
    if not tally:
        raise UnreadableError("there is no result in it")
    return facts, tally


def _value(key: str, text: str, column: str) -> Any:
    """The value of a fact in a cell. Raises UnreadableError for points that are not a whole number."""
    figure = figure_of(text)
    if figure is not None and figure.is_integer():
        return int(figure)
    if key.startswith("points"):
        halves = "whole points; a table with halves is written twofold throughout" if figure is not None else ""
        raise UnreadableError(f"{text[:40]!r} is not a whole number", where=f"column {column}", expected=halves)
    return read_value(
        text if re.fullmatch(r"[\w.,+-]+", text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )


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
        raise UnreadableError(
            "the points of the hand do not follow from it", expected="every fact that the score needs",
        )


def texts(made: Iterable[Made]) -> list[str]:
    """A preview of the matches as they would be written."""
    out = []
    for one in made:
        names = ", ".join(f"{seat} {name}" for seat, name in one.players.items())
        out.append(f"{one.match} ({one.where}): {one.facts.get('Date', 'no day')}, {names}")
        out += [f"  {line}" for line in one.lines]
    return out
