"""The movement of an evening: made, printed, and its tables begun. As `kibitz movement`."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response
from litestar.params import JSONBody
from msgspec import Meta, Struct

from records.movements import begin_tables, keep_movement, kept_movement, rounds_begun, table_id
from records.projection.standings import evening_standing
from records.store import Store
from replay.paper.formats import MOVEMENT, ending_of, format_by_ending
from replay.paper.render import written_sheet
from replay.season.movements import (
    decoded_movement,
    encoded_rounds,
    movement,
    movement_sheet,
    next_round,
    table_openings,
)
from service.problems import not_there
from service.request_context import Asked, get, grant_of, paper, post
from service.seasons import Book, admitted
from service.service_state import Service

Short = Annotated[str, Meta(max_length=120)]


class NewMovement(Struct, forbid_unknown_fields=True):
    """A movement to be made: the book and the evening, the game with its house rules, how, who plays, and how many
    `players` sit at a table of single players. Or with a `round`, its tables to be begun; or with `draw`, the next
    round of a Swiss movement."""

    book: Annotated[str, Meta(max_length=64)]
    day: Annotated[str, Meta(max_length=10)] = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    how: Annotated[str, Meta(max_length=20)] = "round-robin"
    title: Short = ""
    entrants: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=60)] = []
    rounds: Annotated[int, Meta(ge=0, le=60)] = 0
    players: Annotated[int, Meta(ge=0, le=20)] = 0
    options: Annotated[dict[str, Short], Meta(max_length=40)] = {}
    round: Annotated[int, Meta(ge=0, le=60)] = 0
    draw: bool = False


class TableView(Struct, frozen=True):
    """A table of a round: its number, its sides, and the set of deals."""

    table: int
    sits: tuple[str, ...]
    deals: int


class RoundView(Struct, frozen=True):
    """A round: its tables, their matches if it has been begun, and who has a bye."""

    tables: tuple[TableView, ...]
    matches: tuple[str, ...]
    bye: str


class MovementView(Struct, frozen=True):
    """A movement: its evening and game, how it was made, the entrants, the rounds, and how many have been begun."""

    book: str
    day: str
    game: str
    how: str
    title: str
    entrants: tuple[str, ...]
    rounds: tuple[RoundView, ...]
    begun: int


def movement_view(service: Service, book: str) -> MovementView:
    """The last movement of a book. Raises NotFoundError."""
    kept = kept_movement(service.shared.reading, book)
    made = decoded_movement(kept)
    begun = rounds_begun(service.shared.reading, kept)
    rounds = tuple(
        RoundView(
            tuple(TableView(one.table, made.sits(one), one.deals) for one in round_),
            tuple(table_id(kept, n, one.table) for one in round_) if n <= begun else (),
            made.bye(n),
        )
        for n, round_ in enumerate(made.rounds, 1)
    )
    return MovementView(book, kept.day, kept.game, made.how, kept.name, made.entrants, rounds, begun)


@get("/api/v1/movement")
def movement_route(request: Asked, book: Book) -> MovementView:
    """The last movement of a book."""
    service, of = admitted(request, book)
    return movement_view(service, of)


@get([f"/api/v1/movement.{ending_of(form)}" for form in MOVEMENT])
def movement_file_route(request: Asked, book: Book) -> Response[bytes]:
    """The last movement of a book on paper."""
    service, of = admitted(request, book)
    form = format_by_ending(request.url.path, MOVEMENT, "a sheet")
    kept = kept_movement(service.shared.reading, of)
    sheet = movement_sheet(decoded_movement(kept), kept.name or f"{kept.book}, {kept.day}")
    return paper(request, written_sheet(sheet, form), form, "movement")


@post("/api/v1/movement", status_code=201)
def make_movement_route(request: Asked, data: JSONBody[NewMovement]) -> MovementView:
    """Make a movement, draw its next round, or begin the tables of a round."""
    service, of = admitted(request, data.book)
    if not of:
        raise not_there("there is no book without a name")
    recorder = grant_of(request).subject
    if data.draw:
        with service.index() as index:
            kept = kept_movement(service.shared.reading, of, data.day)
            standing = evening_standing(index, of, kept.day)
        service.shared.group.submit(lambda store: _draw(store, of, kept.day, standing, recorder)).result()
    else:
        service.shared.group.submit(lambda store: _make(store, of, data, recorder)).result()
    service.wrote()
    return movement_view(service, of)


def _draw(store: Store, book: str, day: str, standing: dict[str, tuple[int, float]], recorder: str) -> None:
    kept = kept_movement(store, book, day)
    made = next_round(decoded_movement(kept), standing)
    keep_movement(
        store, book=book, day=kept.day, game=kept.game, kind=made.how, title=kept.name, entrants=made.entrants,
        rounds=encoded_rounds(made), options=kept.options, recorder=recorder,
    )


def _make(store: Store, book: str, data: NewMovement, recorder: str) -> None:
    if data.entrants:
        made = movement(data.how, data.entrants, data.rounds, data.players)
        table_openings(made, 1, data.game, data.options, day=data.day, title=data.title)
        keep_movement(
            store, book=book, day=data.day, game=data.game, kind=made.how, title=data.title, entrants=made.entrants,
            rounds=encoded_rounds(made), options=data.options, recorder=recorder,
        )
        return
    kept = kept_movement(store, book, data.day)
    openings = table_openings(
        decoded_movement(kept), data.round, kept.game, kept.options, day=kept.day, title=kept.name,
    )
    begin_tables(store, kept, data.round, openings, recorder=recorder)


HANDLERS: list[Any] = [movement_route, movement_file_route, make_movement_route]
