"""Queries over many matches: the table of a season, and searches.

They use whole records, with cards that no player at the table saw, so they are for directors: of everything, or of
one book. A director may publish a table; then holders of a link to that book read it as it was then, as on paper. It
is withdrawn automatically when a player is renamed, linked otherwise, or forgotten.
"""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct
from msgspec.structs import replace

from events.errors import NotFoundError, UsageError
from records.projection.index import Index
from records.projection.search import Wanted, people, player_number, search
from records.projection.standings import Chosen, Standings, day_bound
from records.register import Register
from replay.languages.translate import in_language
from replay.paper.formats import SEASON, ending_of, format_by_ending
from replay.season import page
from replay.season.choice import MOST_VICTORY, SeasonChoice
from replay.season.formula import MOST as MOST_FORMULA
from replay.season.ratings import rate
from replay.season.table import Season
from replay.season.table import season_tables as made_of
from service.grants import Grant, Role
from service.problems import RefusedError, not_allowed, not_there
from service.request_context import Asked, delete, get, grant_of, paper, post, sent, service_of, table_for
from service.service_state import Service

MAY_ASK: tuple[Role, ...] = ("director",)
"""Roles that may query many matches."""
MOST_HITS = 200

Text = Annotated[str, QueryParameter(max_length=120)]
Book = Annotated[str, QueryParameter(max_length=64)]
From = Annotated[str, QueryParameter(name="from", max_length=10)]
To = Annotated[str, QueryParameter(name="to", max_length=10)]
Flag = Annotated[bool, QueryParameter()]
Formula = Annotated[str, QueryParameter(max_length=MOST_FORMULA)]
Victory = Annotated[str, QueryParameter(max_length=MOST_VICTORY)]


class HungOut(Struct, frozen=True):
    """A published table: its book (empty: all books), title and time of publication."""

    book: str
    title: str
    at: str


# Access


def admitted(request: Asked, book: str) -> tuple[Service, str]:
    """The service, and the requested book; empty for all books. Raises RefusedError if the client may not query it."""
    grant = grant_of(request, *MAY_ASK)
    if grant.match or (book and grant.book not in ("", book)):
        raise not_allowed("you direct other matches")
    return service_of(request), book or grant.book


def _who(index: Index, register: Register, text: str, book: str) -> int:
    """The number of a person who played in a book. NotFoundError if there is none, even if they played elsewhere."""
    try:
        found = player_number(index, register, text)
    except NotFoundError:
        if not book:
            raise
        found = 0
    if book and found not in {id for id, *_ in people(index, book)}:
        raise NotFoundError(
            f"no player called {text[:40]!r} played in the book {book!r}", todo="The page of players shows who did",
        )
    return found


# The table of a season


def season_choice(
    book: Book = "", game: Text = "", by: Text = "matches", formula: Formula = "", best: Text = "", first: From = "",
    last: To = "", title: Text = "", ratings: Flag = False, substitutes: Flag = False, ties: Text = "",
    vp: Victory = "", grid: Flag = False, records: Flag = False, dues: Text = "", stake: Text = "",
) -> SeasonChoice:  # fmt: skip
    """The choice in a query."""
    return SeasonChoice(
        book, game, by, formula, best, first, last, title, ratings, substitutes, ties, vp, grid, records, dues, stake,
    )


CHOSEN = {"chosen": Provide(season_choice, sync_to_thread=False)}


def season_of(request: Asked, chosen: SeasonChoice, *, player: str = "", breaches: bool = False) -> Season:
    """The table of a book, or of all that the client directs. UsageError for an invalid choice, NotFoundError if there
    is no match."""
    service, book = admitted(request, chosen.book)
    asked, victory = replace(chosen, book=book).request()
    days = day_bound(chosen.first), day_bound(chosen.last, end=True)
    with service.index() as index:
        register = service.shared.reading.register
        only = _who(index, register, player, book) if player else 0
        standings = Standings(
            index, Chosen(book, chosen.game.lower(), *days, chosen.substitutes), only, register.adjustments(book),
            victory,
        )
        if not standings.games and not standings.left_out:
            raise NotFoundError("there is no such match", todo="Choose another book, game or other days")
        rated = {(r.game, r.who): (r.mu, r.sigma, r.matches) for r in standings.ratings(rate)} if chosen.ratings else {}
        return made_of(standings, replace(asked, breaches=breaches, ratings=rated, only=only))


@get("/api/v1/season", dependencies=CHOSEN)
def season_route(
    request: Asked, chosen: NamedDependency[SeasonChoice], player: Text = "", breaches: Flag = False,
) -> Response[bytes]:
    """The table of a season, as `kibitz season --json` has it."""
    return sent(request, season_of(request, chosen, player=player, breaches=breaches))


@get("/api/v1/season-tables", dependencies=CHOSEN)
def season_tables_route(
    request: Asked, chosen: NamedDependency[SeasonChoice], player: Text = "", breaches: Flag = False,
) -> Response[bytes]:
    """The tables of a season in the texts that are shown, with the director's decisions."""
    return sent(request, page.shown_season(season_of(request, chosen, player=player, breaches=breaches)))


@get([f"/api/v1/season.{ending_of(form)}" for form in SEASON], dependencies=CHOSEN)
def season_file_route(
    request: Asked, chosen: NamedDependency[SeasonChoice], player: Text = "", breaches: Flag = False,
) -> Response[bytes]:
    """The table of a season in a format."""
    form = format_by_ending(request.url.path, SEASON, "a sheet")
    made = season_of(request, chosen, player=player, breaches=breaches)
    return paper(request, page.written_season(made, form), form, "season")


# Published tables


@get("/api/v1/hung-out")
def hung_out_route(request: Asked) -> Response[bytes]:
    """The tables that hang out for those who ask."""
    grant, service = grant_of(request), service_of(request)
    book = _book_of(service, grant)
    mark = service.shared.reading.register.fingerprint()
    found = [
        HungOut(of, title, at) for of, title, at, named in service.grants.hung_out() if named == mark
        and _reads(book, of)
    ]
    return sent(request, {"tables": found})


@get("/api/v1/hung-out.html")
def hung_out_page_route(request: Asked, book: Book = "") -> Response[bytes]:
    """A table that hangs out, as a page."""
    grant, service = grant_of(request), service_of(request)
    body = service.grants.hanging(
        book, service.shared.reading.register.fingerprint(),
    ) if _reads(_book_of(service, grant), book) else None
    if body is None:
        raise not_there("no such table hangs out")
    return paper(request, body, "html")


def _book_of(service: Service, grant: Grant) -> str:
    """The book that a grant is about; empty for all books."""
    return table_for(service, grant, grant.match).book if grant.match else grant.book


def _reads(own: str, book: str) -> bool:
    """True if holders of a grant for the book `own` may read the table of `book`; that of all books is for all."""
    return own in ("", book) or not book


@post("/api/v1/hung-out", status_code=201)
def hang_out_route(request: Asked, data: JSONBody[SeasonChoice]) -> HungOut:
    """Hang a table out in the place of the one before: those with a link of that book read it as it stands now."""
    service, book = admitted(request, data.book)
    mark = service.shared.reading.register.fingerprint()
    made = season_of(request, data)
    if service.shared.reading.register.fingerprint() != mark:
        raise RefusedError(
            "conflict", 409, "a player was renamed meanwhile", todo="Look at the table, and hang it out again",
        )
    return HungOut(book, made.title, service.grants.hang_out(book, made.title, mark, page.written_season(made, "html")))


@delete("/api/v1/hung-out")
def take_down_route(request: Asked, book: Book = "") -> None:
    """Take a table down."""
    service, of = admitted(request, book)
    service.grants.take_down(of)


# Searching


@get("/api/v1/find")
def find_route(
    request: Asked, book: Book = "", game: Text = "",
    player: Annotated[list[Annotated[str, Meta(max_length=120)]] | None, QueryParameter(max_items=8)] = None,
    first: From = "", last: To = "", contract: Text = "", outcome: Text = "", score: Text = "", points: Text = "",
    finding: Text = "", rule: Text = "", comment: Text = "", dispute: Text = "", title: Text = "",
    highlights: Flag = False, limit: Annotated[int, QueryParameter(ge=1, le=MOST_HITS)] = 50,
) -> Response[bytes]:  # fmt: skip
    """Matches and events that are looked for, as `kibitz find --json` has them; all that is asked has to be so in
    one match."""
    service, of = admitted(request, book)
    wanted = Wanted(
        (), game, of, first, last, contract, outcome, score, points, finding, rule, comment, dispute, title, highlights,
    ).checked()  # fmt: skip
    if not player and replace(wanted, book="").empty and not book:
        raise UsageError(
            "nothing is said to look for", expected="a player, a day, a contract, a rule, words of a remark …",
        )
    with service.index() as index:
        who = tuple(dict.fromkeys(_who(index, service.shared.reading.register, name, of) for name in player or []))
        found = search(index, replace(wanted, who=who), limit)
    found = replace(found, hits=tuple(replace(hit, game=in_language(hit.game)) for hit in found.hits))
    return sent(request, found)


HANDLERS: list[Any] = [
    season_route, season_tables_route, season_file_route, hung_out_route, hung_out_page_route, hang_out_route,
    take_down_route, find_route,
]
