"""Imports results from a spreadsheet: shows its columns, previews the matches, writes them. As `kibitz results`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio.to_thread
import msgspec
from litestar import post
from litestar.params import QueryParameter
from msgspec import Struct

from events.errors import UsageError
from events.limits import MAX_ATTACHMENT_BYTES
from events.visible_text import NAME, is_name
from records.names import sidecar_path
from records.players import alike_pairs
from records.projection.search import people
from records.store import companion_path
from records.transfer import bring_in
from replay.comparing.corrections import corrections
from replay.paper.dates import in_form
from replay.paper.sheet import sheet_of
from replay.read_log import read_log
from replay.season.spreadsheet import (
    Made,
    Mapped,
    RowFault,
    column_keys,
    describe_columns,
    doubt,
    guessed,
    remember,
    remembered,
    table_fingerprint,
)
from replay.season.spreadsheet import read_results as made_of
from replay.season.table_cells import cells_of, encoding_note, head_at, heads_of, sheets_in
from service.problems import RefusedError
from service.request_context import PROBLEMS, Asked, grant_of, in_thread
from service.seasons import Book, admitted
from service.service_state import Service

FIRST_ROWS = 5
"""Rows shown below the heads."""
MOST_SHOWN = 200
"""The most matches, and unreadable rows, that are listed."""
Json = Annotated[str, QueryParameter(max_length=12_000)]


class Result(Struct, frozen=True):
    """A match from the rows: its text, and its status: new, appended, same, refused, corrected, or empty before
    writing. A refused one has what would have to be corrected."""

    match: str
    text: str
    status: str
    differs: list[str] = []


class SpreadsheetView(Struct, frozen=True):
    """A spreadsheet: its sheets, if there are several, and the one that is read; its heads and first rows, the mapping
    of its columns (remembered or guessed), the possible keys, what was understood, and what can mean two things
    (`question`). Once the client has given a mapping: the matches, their number, the unreadable rows, and once written
    the names that may be one person's."""

    heads: list[str]
    rows: list[list[str]]
    mapped: Mapped
    keys: list[tuple[str, str]]
    written: bool
    count: int
    matches: list[Result]
    faults: list[RowFault]
    understood: list[str] = []
    question: str = ""
    alike: list[tuple[str, str]] = []
    sheets: list[str] = []
    sheet: str = ""


@post("/api/v1/results", status_code=200, responses=PROBLEMS, request_max_body_size=MAX_ATTACHMENT_BYTES)
async def results_route(
    request: Asked, book: Book = "home", game: Annotated[str, QueryParameter(max_length=40)] = "",
    sheet: Annotated[str, QueryParameter(max_length=120)] = "", mapped: Json = "",
    write: Annotated[bool, QueryParameter()] = False, correct: Annotated[bool, QueryParameter()] = False,
) -> SpreadsheetView:  # fmt: skip
    """Read the spreadsheet that is the body, CSV or a workbook. `mapped` says what its columns are, as the answer
    without it has them; with `write` the matches are written, with `correct` also the rows that were changed since."""
    # Refuse before reading the body.
    service, of = await in_thread(admitted)(request, book)
    recorder = grant_of(request).subject
    return await anyio.to_thread.run_sync(
        partial(_read, service, await request.body(), of, game, sheet, mapped, recorder if write else None, correct)
    )


def _read(
    service: Service, data: bytes, book: str, game: str, sheet: str, said: str, recorder: str | None,
    correct: bool,
) -> SpreadsheetView:
    if not is_name(book):
        raise UsageError("no book can be called so", expected=NAME)
    sheets = sheets_in(data)
    sheet = sheet or (sheets[0] if len(sheets) > 1 else "")
    rows = cells_of(data, sheet)
    heads = heads_of(rows)
    path, mark = sidecar_path(Path(companion_path(service.settings.store)), "columns"), table_fingerprint(rows)
    mapped = _said(said) if said else remembered(path).get(mark) or guessed(rows)
    mapped = msgspec.structs.replace(mapped, game=game or mapped.game)
    at = head_at(rows) + 1
    shown = SpreadsheetView(heads, rows[at : at + FIRST_ROWS], mapped, column_keys(mapped.game), False, 0, [], [])
    shown = msgspec.structs.replace(shown, sheets=sheets, sheet=sheet)
    if said or mapped.columns or mapped.wide:
        made, faults = made_of(rows, mapped, book) if said else ([], [])
        shown = msgspec.structs.replace(
            shown, question=doubt(rows, mapped),
            understood=(encoding_note(data) + describe_columns(rows, mapped))[:MOST_SHOWN],
        )
    if not said:
        return shown
    done: dict[str, str] = {}
    differs: dict[str, list[str]] = {}
    if recorder is not None:
        with service.open_store(True) as store:
            done = bring_in(
                store, [(one.match, one.records) for one in made], book, recorder=recorder, differences=corrections,
            )
        for one in made:
            if done[one.match] == "refused":
                differs[one.match] = _differences(service, one, recorder if correct else None)
                done[one.match] = "corrected" if correct else "refused"
        if made:
            remember(path, mark, mapped)
        service.wrote()
        with service.index() as index:
            free = [label for _, label, id, *_ in people(index) if not id]
        shown = msgspec.structs.replace(
            shown,
            alike=alike_pairs(
                {name for one in made for name in one.players.values()},
                service.shared.reading.register.players.values(), free,
            )
        )
    told = [
        Result(one.match, _in_words(one), done.get(one.match, ""), differs.get(one.match, []))
        for one in made[:MOST_SHOWN]
    ]
    return msgspec.structs.replace(
        shown, written=recorder is not None, count=len(made), matches=told, faults=faults[:MOST_SHOWN],
    )


def _differences(service: Service, made: Made, recorder: str | None) -> list[str]:
    """The corrections that make the match of the store that of the row; written, if there is a recorder."""
    table = service.tables.at(made.match)
    with table.lock:
        table.refresh()
        found = corrections(table.log, made.records)
        if recorder is not None:
            table.scribe.write([one.line for one in found], who=recorder)
    return [" → ".join(filter(None, (one.was, one.now or "struck out"))) for one in found]


def _in_words(made: Made) -> str:
    """A match in a line: its rows, its day, and the totals."""
    head = sheet_of(read_log(made.records)).head
    return ", ".join(
        filter(
            None,
            (
                f"{made.where}: {in_form(head.date, 'words') or 'no day'}",
                *(f"{side.name} {side.total}" for side in head.sides),
            )
        )
    )


def _said(text: str) -> Mapped:
    try:
        return msgspec.json.decode(text, type=Mapped)
    except msgspec.MsgspecError as error:
        raise RefusedError(
            "unreadable", 400, "what the columns are cannot be read", expected="JSON as the answer has it",
        ) from error


HANDLERS: list[Any] = [results_route]
