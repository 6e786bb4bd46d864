"""Whole books: the sheet of an evening, blank pads, verification, backup, and the book and names of a match.

A book has cards that the table did not see, so this is for directors, of everything or of that book. Each answer is
the same as that of a command on the store.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from litestar import Response
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Stream
from msgspec import Meta, Struct

from events.errors import NotFoundError, UsageError
from events.file_names import file_name
from events.match_tags import WRITTEN_TAGS
from events.model import Recorded
from events.visible_text import duplicate_name
from records import Store
from records.bundle import public_key_of
from records.copies import Copies
from records.examination import examined
from records.moving_matches import file_match
from replay.comparing.kept_verdict import ended_and_kept
from replay.paper.blank import blank
from replay.paper.evening import evening_of
from replay.paper.formats import SHEET, ending_of, format_by_ending
from replay.paper.render import written_sheet
from replay.paper.sheet_page import PageLook
from replay.paper.wall import for_the_wall
from replay.read_log import read_log
from replay.season.bgstats import play_file
from replay.season.order import TRIAL, checked_tags, retagged
from service import writing
from service.problems import not_allowed
from service.request_context import Asked, Match, dates_of, get, grant_of, looking, paper, post, sent, service_of
from service.seasons import Book, admitted
from service.service_state import Service

Named = Annotated[str, Meta(min_length=1, max_length=64)]
Said = Annotated[str, Meta(max_length=120)]


class BookSummary(Struct, frozen=True):
    """A book: its matches, how many of them are over, and the days of play, the last first."""

    book: str
    matches: int
    over: int
    days: tuple[str, ...]


class BookProof(Struct, frozen=True):
    """The verification of a book: `found` lists changes, and is empty if there are none. Of its `size` events the
    first `signed` are signed; `note` is the last signed head."""

    book: str
    size: int
    signed: int
    root: str
    found: tuple[str, ...]
    pictures: int
    note: str


class CheckpointIssued(Struct, frozen=True):
    """The signed head of a book, to be kept elsewhere, and the public key that signed it."""

    book: str
    size: int
    note: str
    key: str


class OfBook(Struct, forbid_unknown_fields=True):
    """The book of a request."""

    book: Named


class MatchNames(Struct, forbid_unknown_fields=True):
    """New names for a match, its day and its players. A missing value stays as it is; an empty one is removed. A
    `trial` is counted in no table."""

    title: Said | None = None
    round: Said | None = None
    date: Annotated[str, Meta(max_length=10)] | None = None
    place: Said | None = None
    table: Said | None = None
    trial: bool | None = None
    seats: dict[Annotated[str, Meta(max_length=3)], Annotated[str, Meta(min_length=1, max_length=120)]] = {}


@get("/api/v1/books")
def books_route(request: Asked) -> Response[bytes]:
    """The books that a director directs, those with the most matches first."""
    service, of = admitted(request, "")
    rows = service.shared.reading.matches(book=of or None)
    days = {(row.book, str(row.facts.get("Date", ""))) for row in rows}
    told = [
        BookSummary(
            book, count, sum(row.over for row in rows if row.book == book),
            tuple(sorted((day for b, day in days if b == book and day), reverse=True)),
        )
        for book, count in Counter(row.book for row in rows).most_common()
    ]
    return sent(request, {"books": told})


# On paper


@get([f"/api/v1/evening.{ending_of(form)}" for form in SHEET])
def evening_route(
    request: Asked, book: Book = "home", day: Annotated[str, QueryParameter(max_length=10)] = "",
    wall: Annotated[bool, QueryParameter()] = False
) -> Response[bytes]:  # fmt: skip
    """The sheet of an evening: all matches of a book, or those of one day; for the wall if asked."""
    service, of = admitted(request, book)
    store = service.shared.reading
    rows = [row for row in store.played(of) if day in ("", row.facts.get("Date"))]
    if not rows:
        raise NotFoundError("there is no such match", todo="Choose another book, or another day")
    made = evening_of(of, [read_log(store.told(row.match)) for row in rows], store.slip(rows[-1].match))
    form, look = format_by_ending(request.url.path, SHEET, "a sheet"), PageLook(wall=wall, dates=dates_of(request))
    made = for_the_wall(made) if wall else made
    return paper(request, written_sheet(made, form, look=look), form, "-".join(filter(None, (of, day))))


@get("/api/v1/plays.bgsplay")
def plays_route(
    request: Asked, book: Book = "", day: Annotated[str, QueryParameter(max_length=10)] = "",
) -> Response[bytes]:
    """The matches of a book that are over, or of one day of it, as plays for the app BG Stats."""
    service, of = admitted(request, book)
    store = service.shared.reading
    rows = [row for row in reversed(store.matches(book=of or None)) if day in ("", row.facts.get("Date"))]
    data, left = play_file((row.match, read_log(store.told(row.match))) for row in rows)
    if len(left) == len(rows):
        raise NotFoundError("there is no match that is over", todo="Choose another book, or another day")
    name = file_name("-".join(filter(None, (of or "plays", day)))).encode("ascii", "ignore").decode()
    return sent(request, data, file=f"{name}.bgsplay")


@get([f"/api/v1/games/{{game:str}}/blank.{ending_of(form)}" for form in SHEET])
def blank_pad_route(
    request: Asked, game: Annotated[str, PathParameter(max_length=40)],
    players: Annotated[int, QueryParameter(ge=0, le=20)] = 0
) -> Response[bytes]:  # fmt: skip
    """A pad of a game to print and to write on, for this number of players or the usual one."""
    grant_of(request, "director")
    form = format_by_ending(request.url.path, SHEET, "a sheet")
    return paper(request, written_sheet(blank(game, players), form), form, f"{game}-pad")


# Safe keeping


@get("/api/v1/proof")
def proof_route(request: Asked, book: Book = "home") -> Response[bytes]:
    """Whether a book is what was written, as `kibitz verify` says it."""
    service, of = admitted(request, book)
    with service.open_store(False) as store:
        looked, last = examined(store, of, ended=ended_and_kept), store.last_checkpoint(of)
    done = looked.done
    told = BookProof(
        of, done.size, done.signed, done.root, tuple(change.text for change in looked.found),
        sum(one.state == "kept" for one in looked.pictures), last.note if last else "",
    )  # fmt: skip
    return sent(request, told)


@post("/api/v1/checkpoint", status_code=201)
def checkpoint_route(request: Asked, data: JSONBody[OfBook]) -> CheckpointIssued:
    """Sign the head of a book. Kept elsewhere it proves later that nothing before it was changed."""
    service, of = admitted(request, data.book)
    with service.open_store(True) as store:
        made = store.sign(of)
        return CheckpointIssued(of, made.size, made.note, public_key_of(store, made))


@get("/api/v1/backup")
def backup_route(request: Asked) -> Stream:
    """A copy of all books with their pictures, and without the key: a ZIP whose database `kibitz db restore` takes."""
    service = _everything(request)
    name = f"kibitz-{service.clock():%Y-%m-%d}"
    return Stream(
        _zipped(service, name), media_type="application/zip",
        headers={"content-disposition": f'attachment; filename="{name}.zip"'},
    )


def _zipped(service: Service, name: str) -> Iterator[bytes]:
    # The client may disconnect before the end; the generator is then closed, and cleans up.
    folder = Path(tempfile.mkdtemp(prefix="kibitz-"))
    try:
        with service.open_store(False) as store:
            made = store.backup(folder / f"{name}.db")
        packed, pictures = folder / "backup.zip", Copies(made).folder
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
            out.write(made, made.name)
            for path in sorted(pictures.iterdir()) if pictures.is_dir() else ():
                out.write(path, f"{pictures.name}/{path.name}")
        with packed.open("rb") as data:
            while piece := data.read(1 << 18):
                yield piece
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _everything(request: Asked) -> Service:
    grant = grant_of(request, "director")
    if grant.match or grant.book:
        raise not_allowed("this is for a director of all books")
    return service_of(request)


# The book and the names of a match


@post("/api/v1/matches/{match:str}/book", status_code=201)
def move_route(request: Asked, match: Match, data: JSONBody[OfBook]) -> dict[str, str]:
    """Put a match that is over into another book. Its proof stays where it was recorded."""
    service, recorder = _everything(request), grant_of(request).subject

    def filed(store: Store) -> tuple[str, str]:
        over, _ = ended_and_kept(store.read(match)) or (False, False)
        return file_match(store, match, data.book, over=over, recorder=recorder)

    before, recorded = service.shared.group.submit(filed).result()
    service.wrote()
    return {"match": match, "book": data.book, "before": before, "recorded": recorded}


@post("/api/v1/matches/{match:str}/called", status_code=201)
def rename_route(request: Asked, match: Match, data: JSONBody[MatchNames]) -> writing.Entered:
    """Correct what a match, or somebody at it, is called: an event, and what stood there before stays in the record."""
    with looking(request, match, "director") as look:
        terms = look.table.scribe.session.state.terms
        there, names = terms.seats, {seat: " ".join(name.split()) for seat, name in data.seats.items()}
        if wrong := sorted(set(data.seats) - set(there)):
            raise UsageError(f"'{wrong[0]}' does not sit at this table", expected=f"one of {', '.join(there)}")
        if same := duplicate_name({**{seat: terms.name(seat) for seat in there}, **names}):
            raise UsageError(
                f"{same} sits in two places", todo=f"Tell two players of one name apart, as {same} A and {same} B",
            )
        tags = checked_tags({name: getattr(data, name) for name in WRITTEN_TAGS})
        trial = {} if data.trial is None else {TRIAL: data.trial or None}
        fix = retagged(look.table.log, {**tags, **names, **trial})
        if fix is None:
            raise UsageError("it has this title already", todo="Give it another title")
        done = writing.enter_events(
            look.table, look.audience, look.grant, [Recorded(n=0, event=fix)], expect=None, key="",
        )
    look.service.changed(look.table)
    return done


HANDLERS: list[Any] = [
    books_route, evening_route, plays_route, blank_pad_route, proof_route, checkpoint_route, backup_route, move_route,
    rename_route,
]
