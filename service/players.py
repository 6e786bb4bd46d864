"""The register of players, for directors of everything. Each action is the same as that of `kibitz player`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Response
from litestar.params import JSONBody
from msgspec import Meta, Struct

from events.errors import NotFoundError
from events.register_notes import NameLink
from records import Store, players
from records.projection.search import people
from records.projection.standings import adjusting_figures, game_of_book
from records.register import Player
from service.problems import not_allowed
from service.request_context import Asked, get, grant_of, post, sent, service_of
from service.seasons import Book, admitted

Deed = Literal["add", "rename", "link", "unlink", "merge", "forget", "same", "adjust", "withdraw"]
Short = Annotated[str, Meta(max_length=120)]


class Alike(Struct, frozen=True):
    """A similar name. `id` is empty if that name is linked to no player."""

    name: str
    id: str


class Sat(Struct, frozen=True):
    """A person who sat at a table, or a player of the register. `id` is empty if the name is not linked; `like` then
    has similar names. `links` are the player's spellings and seats, `counted` the matches that tables count."""

    name: str
    id: str
    matches: int
    counted: int
    links: tuple[NameLink, ...] = ()
    like: tuple[Alike, ...] = ()
    forgotten: bool = False


class NewDeed(Struct, forbid_unknown_fields=True):
    """A change of the register: `add` and `rename` take a `name`, which is linked too; `merge` the player `into`
    whom to merge. `link` and `unlink` take a `name`, in one `book` or in all, or a `seat` of a `match`. `same` links
    a `name` to the player called `into`, who is added if need be. `adjust` adds `figures` (as `points=-50`) to those
    of a `player` on a `day` in the tables of a `book` and a `game`, with the reason `why`; its `kind` is adjusted,
    bye or absent. `withdraw` takes decision `n` back."""

    did: Deed
    player: Short = ""
    name: Short = ""
    book: Annotated[str, Meta(max_length=64)] = ""
    match: Annotated[str, Meta(max_length=64)] = ""
    seat: Annotated[str, Meta(max_length=3)] = ""
    into: Short = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    day: Annotated[str, Meta(max_length=10)] = ""
    figures: Annotated[list[Short], Meta(max_length=10)] = []
    kind: Literal["adjusted", "bye", "absent"] = "adjusted"
    why: Annotated[str, Meta(max_length=200)] = ""
    n: Annotated[int, Meta(ge=0)] = 0


class Done(Struct, frozen=True):
    """A player after the change."""

    id: str
    name: str


@get("/api/v1/players")
def listed_route(request: Asked, book: Book = "") -> Response[bytes]:
    """Everybody who sat at a table, most matches first, and the players of the register who have not played yet."""
    service, of = admitted(request, book)
    with service.index() as index:
        everybody = people(index, of)
    register = service.shared.reading.register
    free = [label for _, label, id, *_ in everybody if not id]
    # The rest of the register is only for directors of everything.
    known = {} if of else register.players
    found = [
        _sat(known.get(id), label, id, matches, counted) if id
        else Sat(
            label, "", matches, counted, like=tuple(Alike(*one) for one in players.alike(label, known.values(), free)),
        )
        for _, label, id, matches, counted in everybody
    ]  # fmt: skip
    there = {one.id for one in found}
    found += [_sat(p, p.label, p.id, 0, 0) for p in known.values() if p.id not in there]
    return sent(request, {"players": found})


def _sat(player: Player | None, label: str, id: str, matches: int, counted: int) -> Sat:
    if player is None or player.forgotten:
        return Sat(label, id, matches, counted, forgotten=player is not None)
    return Sat(label, id, matches, counted, player.links)


@post("/api/v1/players", status_code=201)
def keep_route(request: Asked, data: JSONBody[NewDeed]) -> Done:
    """Add, rename, link, merge or forget a player. What was played stays as it was written."""
    grant, service = grant_of(request, "director"), service_of(request)
    if grant.match or grant.book:
        raise not_allowed("the players are those of all books")
    if data.did == "adjust":
        with service.index() as index:
            data.game = game_of_book(index, data.book, data.game)
    made = service.shared.group.submit(lambda store: _done(store, data, grant.subject)).result()
    service.wrote()
    return Done(made.id, made.label)


def _done(store: Store, data: NewDeed, recorder: str) -> Player:
    if data.did == "add":
        return players.add_player(store, data.name, linked=True, book=data.book, recorder=recorder)
    if data.did == "same":
        return players.same_person(store, data.name, data.into, recorder=recorder)
    register = store.register
    if data.did == "withdraw":
        done = players.withdraw_adjustment(store, data.n, recorder=recorder)
        return register.players[done.player]
    who = register.players.get(data.player)
    if who is None:
        raise NotFoundError("there is no such player", expected="the id of one in the register")
    if data.did == "adjust":
        figures = adjusting_figures(data.figures, absent=data.kind == "absent")
        players.adjust_player(
            store, who, figures, book=data.book, game=data.game, day=data.day, why=data.why, kind=data.kind,
            recorder=recorder,
        )
        return who
    if data.did == "rename":
        return players.rename_player(store, who, data.name, linked=True, recorder=recorder)
    if data.did == "forget":
        return players.forget_player(store, who, recorder=recorder)
    if data.did == "merge":
        return players.merge_players(store, who, register.named(data.into), recorder=recorder)
    linked = players.link_name if data.did == "link" else players.unlink_name
    what = players.meant(
        store, who, data.name, book=data.book, match=data.match, seat=data.seat, check=data.did == "link",
    )
    return linked(store, who, what, recorder=recorder)


HANDLERS: list[Any] = [listed_route, keep_route]
