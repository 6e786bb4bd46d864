"""The cells of a spreadsheet as people write them: files, days, figures, names, and where the heads are."""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from statistics import median
from typing import Any, TypeVar

from events.errors import KibitzError, UnreadableError, UsageError, needs_extra
from replay.season.bgstats import games_of_plays, rows_of_plays

T = TypeVar("T")
ZIPPED = b"PK\x03\x04"
"""How a workbook begins."""

MAX_ROWS, MAX_COLUMNS, MAX_BYTES, MAX_UNPACKED = 100_000, 200, 64_000_000, 256_000_000
"""A larger table is refused."""
UNPACKED_ANYWAY, UNPACKED_EACH = 2_000_000, 40
"""Bytes that a workbook may have unpacked, and the factor for its packed size; one with results is compressed ten to
twenty times."""
MOST_ABOVE = 20
"""Most rows above the heads."""
MONTHS = (
    "jan gen ene", "feb fev fév", "mar mär mrt", "apr avr abr", "may mai mag mei", "jun juin giu", "jul juil lug",
    "aug aoû aou ago", "sep set", "oct okt ott out", "nov", "dec dez dic déc",
)  # fmt: skip
"""How the months begin, in English, German, French, Italian, Spanish, Portuguese and Dutch."""
WEEKDAYS = (
    "monday mon mo montag lundi lun lunedì lunes segunda maandag ma",
    "tuesday tue tues di dienstag mardi mar martedì martes terça dinsdag",
    "wednesday wed mi mittwoch mercredi mer mercoledì miércoles mié quarta woensdag wo",
    "thursday thu thur do donnerstag jeudi jeu giovedì gio jueves jue quinta donderdag",
    "friday fri fr freitag vendredi ven venerdì viernes vie sexta vrijdag vr",
    "saturday sat sa samstag sonnabend samedi sam sabato sab sábado sáb zaterdag za",
    "sunday sun so sonntag dimanche dim domenica dom domingo zondag zo",
)  # fmt: skip
"""The words for the days of the week, Monday first, in the same languages."""
ABSENT = frozenset([
    "x", "×", "✗", "-", "–", "—", "/", "abs", "absent", "absente", "assente", "ausente", "fehlt", "entsch", "n/a",
    "na",
])
"""Cells that say that somebody was not there."""
AVERAGES = frozenset(["ø", "average", "averages", "schnitt", "durchschnitt", "media", "moyenne", "mean"])
TOTALS = AVERAGES | frozenset([
    "total", "totals", "totale", "totales", "totaal", "sum", "sums", "summe", "summen", "somme", "suma", "subtotal",
    "gesamt", "gesamtpunkte", "σ", "∑",
])
"""Words of a row, or of a column, that adds up others."""
AND = re.compile(r"\s+(?:&|\+|and|und|et|y|e|en)\s+|\s*[&+/]\s*", re.IGNORECASE)
RESULT = re.compile(r"([+−-]?\d[\d.,'’ ]*?)\s*[:–—-]\s*([+−-]?\d[\d.,'’ ]*)")
"""The points of two sides, as 52 : 38."""
_DIGITS = re.compile(r"(\d{1,2})([-./])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{2})?)?")
_WORDS = re.compile(r"(\d{1,2})(?:\.|st|nd|rd|th)?[\s-]*(?:of |de |di )?([^\W\d_]{3,})\.?,?[\s-]*(\d{4}|\d{2})?")
_AMERICAN = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})?")
EXPECTED_DAY = "2026-03-14, 14.3.2026 or 14 March 2026; --dates dmy or mdy says how 3/4/2026 is meant"


# -- reading the file


def cells_of(data: bytes, sheet: str = "") -> list[list[str]]:
    """The cells of a file, row by row: CSV (`encoding_of`) with commas, semicolons or tabs, a sheet of a workbook, or
    the plays of a game from the app BG Stats. Raises UnreadableError, and UsageError if openpyxl is needed and not
    installed."""
    if len(data) > MAX_BYTES:
        raise UnreadableError("the file is too large", expected=f"at most {MAX_BYTES // 1_000_000} MB")
    if _is_play_file(data):
        rows = [_bounded(row, i) for i, row in enumerate(rows_of_plays(data.removeprefix(codecs.BOM_UTF8), sheet))]
    else:
        rows = _of_workbook(data, sheet) if data[:4] == ZIPPED else _of_csv(data)
    while rows and not any(rows[-1]):
        rows.pop()
    if len(rows) < 2:
        raise UnreadableError("there is no row in it", expected="a row of heads, and a row for each result below it")
    return rows


def _is_play_file(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def sheets_in(data: bytes) -> list[str]:
    """The names of the sheets of a workbook, or of the games of a play file; empty for CSV. Raises as `cells_of`."""
    if _is_play_file(data):
        return games_of_plays(data.removeprefix(codecs.BOM_UTF8))
    return _read_workbook(data, lambda book: list(book.sheetnames)) if data[:4] == ZIPPED else []


def encoding_of(data: bytes) -> str:
    """How a CSV is encoded: UTF-8, else Windows-1252, or UTF-16 if it says so; "" for what is no text.

    >>> encoding_of("Müller;12".encode()), encoding_of("Müller;12".encode("cp1252")), encoding_of(b"1\\x002")
    ('UTF-8', 'Windows-1252', '')
    """
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for name in ("UTF-16",) if marked else () if b"\x00" in data else ("UTF-8", "Windows-1252"):
        with suppress(UnicodeDecodeError):
            data.decode(name)
            return name
    return ""


def encoding_note(data: bytes) -> list[str]:
    """A line for the reader about a CSV that is not UTF-8."""
    encoding = "" if data[:4] == ZIPPED else encoding_of(data)
    return [
        f"the file is {encoding}, as older programs write it: see whether the names are right"
    ] if encoding not in ("", "UTF-8") else []


def _of_csv(data: bytes) -> list[list[str]]:
    encoding = encoding_of(data)
    if not encoding:
        raise UnreadableError("this is no text", expected="CSV in UTF-8 or Windows-1252, or a workbook (.xlsx)")
    text = data.decode(encoding).removeprefix("\ufeff")
    lines = [line for line in text.split("\n", 200)[:200] if line.strip()]
    # A title above the heads has no signs, and a decimal comma or a day has some; most rows have as many as columns.
    sign = max("\t;,", key=lambda one: median([line.count(one) for line in lines] or [0]))
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True):
            rows.append(_bounded([cell.strip() for cell in row], len(rows)))
    except csv.Error as error:
        raise UnreadableError(
            f"row {len(rows) + 1} cannot be taken apart ({error})", todo="Look at the quotes in it",
        ) from None
    return rows


def _of_workbook(data: bytes, sheet: str) -> list[list[str]]:
    def rows_of(book: Any) -> list[list[str]]:
        names = book.sheetnames
        if sheet and sheet not in names:
            raise UsageError(f"the workbook has no sheet {sheet[:80]!r}", expected=", ".join(names[:10]))
        rows: list[list[str]] = []
        for row in (book[sheet] if sheet else book.worksheets[0]).iter_rows(values_only=True, max_col=MAX_COLUMNS + 1):
            rows.append(_bounded([_cell(value) for value in row], len(rows)))
        return rows

    return _read_workbook(data, rows_of)


def _read_workbook(data: bytes, read: Callable[[Any], list[T]]) -> list[T]:
    with needs_extra("a workbook to read", "seasons", ", or save the sheet as CSV"):
        import openpyxl
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            most = min(MAX_UNPACKED, UNPACKED_ANYWAY + UNPACKED_EACH * len(data))
            if sum(one.file_size for one in packed.infolist()) > most:
                raise UnreadableError(
                    "the workbook is too large", expected=f"at most {most // 1_000_000} MB unpacked",
                    todo="Save the sheet as CSV",
                )
        return read(openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True))
    except KibitzError:
        raise
    except Exception as error:  # readers of foreign files may raise anything
        raise UnreadableError(
            f"the workbook cannot be read ({type(error).__name__})",
            todo="Open it and save it again, or save the sheet as CSV",
        ) from None


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


# -- the heads


def head_at(rows: Sequence[Sequence[str]]) -> int:
    """The index of the row of heads: the first that is half as full as the fullest row, and has more words than
    figures. 0 if there is none; a title stands above it."""
    full = max((sum(map(bool, row)) for row in rows), default=0)
    for i, row in enumerate(rows[:MOST_ABOVE]):
        said = [cell for cell in row if cell]
        words = sum(figure_of(cell) is None and not looks_like_a_day(cell) for cell in said)
        if len(said) > 1 and 2 * len(said) >= full and 2 * words > len(said):
            return i
    return 0


def heads_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """The heads of a table. Raises UnreadableError if one is repeated."""
    at = head_at(rows)
    heads = [one_spaced(cell) for cell in rows[at]]
    twice = next((head for i, head in enumerate(heads) if head and head in heads[:i]), "")
    if twice:
        raise UnreadableError(
            f"two columns are called {twice[:80]!r}", where=f"row {at + 1}", expected="each head once",
        )
    return heads


def title_of(rows: Sequence[Sequence[str]]) -> str:
    """What stands above the heads, in one line."""
    return " ".join(one_spaced(cell) for row in rows[: head_at(rows)] for cell in row if cell)


def one_spaced(text: str) -> str:
    """The text with single spaces."""
    return " ".join(text.split())


# -- days


def looks_like_a_day(text: str) -> bool:
    """True if a text is a day, in whatever order, and no figure."""
    return figure_of(text) is None and any(read_day(text, order, "2026") for order in ("dmy", "mdy"))


def read_day(text: str, order: str = "", year: str = "") -> str:
    """A day as 2026-03-14; "" if the text is none. A weekday may stand beside it, the year may have two digits, or be
    missing if `year` says it (`2026`, or `2025/26` for a season from July to June). `order` is dmy or mdy.

    >>> read_day("Di, 6.1.26"), read_day("13/1/2026", "dmy"), read_day("14. März", year="2025/26")
    ('2026-01-06', '2026-01-13', '2026-03-14')
    """
    text = one_spaced(text).rstrip(",")
    return _read_day(text, order, year) or _read_day(_without_weekday(text), order, year)


def _read_day(said: str, order: str, year: str) -> str:
    if found := re.fullmatch(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ].*)?", said):
        return _day(found[1], found[3], found[4], year)
    if found := _DIGITS.fullmatch(said):
        a, sign, b, y = found.groups()
        if order == "mdy" and sign != ".":
            return _day(y or "", a, b, year)
        return _day(y or "", b, a, year) if order == "dmy" or sign == "." else ""
    if (found := _WORDS.fullmatch(said)) and (month := _month(found[2])):
        return _day(found[3] or "", str(month), found[1], year)
    if (found := _AMERICAN.fullmatch(said)) and (month := _month(found[1])):
        return _day(found[3] or "", str(month), found[2], year)
    return ""


def _day(y: str, month: str, day: str, season: str) -> str:
    if not y and season:
        first, _, second = season.partition("/")
        y = second if second and int(month) < 7 else first
    try:
        return date(int(y) + (2000 if len(y) == 2 else 0), int(month), int(day)).isoformat() if y else ""
    except ValueError:
        return ""


def _month(word: str) -> int:
    """The number of a month, in one of a few languages; 0 if the word is none."""
    return next((i for i, forms in enumerate(MONTHS, 1) if word.casefold().startswith(tuple(forms.split()))), 0)


def weekday_of(word: str) -> int:
    """The day of the week that a word names, 0 for Monday; -1 if it names none."""
    return next((i for i, words in enumerate(WEEKDAYS) if word.casefold().strip(" .,") in words.split()), -1)


def _without_weekday(text: str) -> str:
    words = text.replace(",", " ").split()
    while len(words) > 1 and weekday_of(words[0]) >= 0:
        del words[0]
    while len(words) > 1 and weekday_of(words[-1]) >= 0:
        del words[-1]
    return " ".join(words)


def orders_of(texts: Iterable[str]) -> list[str]:
    """The orders in which all these days can be read: dmy, mdy, or both. A number over 12 is a day, and a weekday
    beside it decides too; only if they leave both does it have to be asked."""
    left = ["dmy", "mdy"]
    for text in texts:
        days = {order: read_day(text, order, "2026") for order in left}
        beside = {weekday_of(word) for word in text.replace(",", " ").split()} - {-1}
        right = [
            order for order, day in days.items() if day and (not beside or date.fromisoformat(day).weekday() in beside)
        ]
        right = right or [order for order, day in days.items() if day]
        left = right or left
    return left


def year_in(title: str) -> str:
    """The year, or the two years of a season, that a title names; "" if none.

    >>> year_in("Kaiser league 2025/26"), year_in("Winter 2026"), year_in("League")
    ('2025/2026', '2026', '')
    """
    if found := re.search(r"\b(20\d\d)\s*[/–-]\s*(?:20)?(\d\d)\b", title):
        return f"{found[1]}/20{found[2]}"
    found = re.search(r"\b20\d\d\b", title)
    return found[0] if found else ""


# -- figures and names


def figure_of(text: str) -> float | None:
    """The figure in a cell, with a decimal comma or point, and a space, an apostrophe or the other sign between
    thousands; None if it is none.

    >>> figure_of("1.250"), figure_of("12,5"), figure_of("−4"), figure_of("1'250,00"), figure_of("x")
    (1250.0, 12.5, -4.0, 1250.0, None)
    """
    said = re.sub(r"[\s'’\u00a0\u202f]", "", text).replace("−", "-")
    if re.fullmatch(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?|[+-]?\d{1,3}(,\d{3})+(\.\d+)?", said):
        thousands = "." if said.find(".") >= 0 and (said.find(",") < 0 or said.find(".") < said.find(",")) else ","
        said = said.replace(thousands, "")
    if not re.fullmatch(r"[+-]?\d{1,15}([.,]\d+)?", said):
        return None
    return float(said.replace(",", "."))


def is_absent(text: str) -> bool:
    """True if a cell says that somebody was not there."""
    return text.casefold().strip(" .") in ABSENT or text in ABSENT


def is_total(text: str, words: frozenset[str] = TOTALS) -> bool:
    """True if a text names a sum or an average, or another of these words."""
    return bool(words & set(re.split(r"[\s:.()]+", text.casefold())))


def people_in(text: str) -> tuple[str, ...]:
    """The names in a cell or a head: one, or those of a pair.

    >>> people_in("Olena & Walter"), people_in("Olena/Walter"), people_in("Ann  Lee")
    (('Olena', 'Walter'), ('Olena', 'Walter'), ('Ann Lee',))
    """
    return tuple(one_spaced(name) for name in AND.split(text) if name.strip())


class Spellings:
    """One spelling for names that differ by capitals, spaces or a dot at the end: the first that is met."""

    def __init__(self) -> None:
        self.first: dict[str, str] = {}
        self.others: Counter[tuple[str, str]] = Counter()

    def __call__(self, name: str) -> str:
        """The name as it was first written."""
        shown = self.first.setdefault(one_spaced(name).casefold().rstrip("."), name)
        if shown != name:
            self.others[shown, name] += 1
        return shown
