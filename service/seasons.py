"""Queries over many matches: the table of a season, and searches.

They use whole records, with cards that no player at the table saw, so they are for directors: of everything, or of
one book. A director may publish a table; then holders of a link to that book read it as it was then, as on paper. It
is withdrawn automatically when a player is renamed, linked otherwise, or forgotten.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct
from msgspec.structs import replace

from events.errors import NotFoundError, UsageError
from records.projection.index import Index
from records.projection.search import Wanted, parse_bounds, people, player_number, search
from records.projection.standings import Chosen, Standings, day_bound
from records.register import Register
from replay.paper.formats import SEASON, ending_of, format_by_ending
from replay.season import page
from replay.season.formula import MOST as MOST_FORMULA
from replay.season.formula import measure, parse_best
from replay.season.ratings import rate
from replay.season.settlement import parse_amount
from replay.season.table import Season
from replay.season.table import SeasonRequest as SeasonAsked
from replay.season.table import season_tables as made_of
from replay.season.tie_breaks import parse_ties
from replay.season.victory_points import parse_victory_table
from service.grants import Grant, Role
from service.problems import RefusedError, not_allowed, not_there
from service.request_context import PROBLEMS, Asked, grant_of, in_thread, paper, sent, service_of, table_for
from service.service_state import Service

JSON = "application/json"
MAY_ASK: tuple[Role, ...] = ("director",)
"""Roles that may query many matches."""
MOST_HITS = 200
MOST_VICTORY = 4_000
"""Most characters of a table of victory points."""

Text = Annotated[str, QueryParameter(max_length=120)]
Book = Annotated[str, QueryParameter(max_length=64)]
From = Annotated[str, QueryParameter(name="from", max_length=10)]
To = Annotated[str, QueryParameter(name="to", max_length=10)]
Flag = Annotated[bool, QueryParameter()]
Formula = Annotated[str, QueryParameter(max_length=MOST_FORMULA)]
Victory = Annotated[str, QueryParameter(max_length=MOST_VICTORY)]


class Choice(Struct, forbid_unknown_fields=True):
    """The table of a season: book, game and days, its order (`by`, or a formula), how many evenings count, the
    tie-breaks, the table of victory points (as CSV), and what is added: each evening, records, accounts."""

    book: Annotated[str, Meta(max_length=64)] = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    by: Annotated[str, Meta(max_length=40)] = "matches"
    formula: Annotated[str, Meta(max_length=MOST_FORMULA)] = ""
    best: Annotated[str, Meta(max_length=20)] = ""
    first: Annotated[str, Meta(max_length=10)] = msgspec.field(name="from", default="")
    last: Annotated[str, Meta(max_length=10)] = msgspec.field(name="to", default="")
    title: Annotated[str, Meta(max_length=120)] = ""
    ratings: bool = False
    ties: Annotated[str, Meta(max_length=120)] = ""
    vp: Annotated[str, Meta(max_length=MOST_VICTORY)] = ""
    grid: bool = False
    records: bool = False
    dues: Annotated[str, Meta(max_length=20)] = ""
    stake: Annotated[str, Meta(max_length=20)] = ""


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
            f"nobody called {text[:40]!r} played in the book {book!r}", todo="The page of players shows who did",
        )
    return found


# The table of a season


def season_of(service: Service, book: str, chosen: Choice, *, player: str = "", breaches: bool = False) -> Season:
    """The table of a book, or of all books. UsageError for an invalid choice, NotFoundError if there is no match."""
    if chosen.formula and chosen.by != "matches":
        raise UsageError("an order and a formula do not go together", expected="one of them")
    victory = parse_victory_table(chosen.vp).points if chosen.vp else None
    by = "vp" if victory is not None and chosen.by == "matches" and not chosen.formula else chosen.by
    if victory is None and (by == "vp" or "vp" in chosen.formula):
        raise UsageError(
            "victory points follow from a table of the club", expected="its steps, as 50,10,10 and 150,11,9 and ,20,0",
        )
    wanted, counting = measure(by, chosen.formula), parse_best(chosen.best)
    days = day_bound(chosen.first), day_bound(chosen.last, end=True)
    with service.index() as index:
        register = service.shared.reading.register
        only = _who(index, register, player, book) if player else 0
        standings = Standings(
            index, Chosen(book, chosen.game.lower(), *days), only, register.adjustments(book), victory,
        )
        if not standings.games and not standings.left_out:
            raise NotFoundError("there is no such match", todo="Choose another book, game or other days")
        rated = {(r.game, r.who): (r.mu, r.sigma, r.matches) for r in standings.ratings(rate)} if chosen.ratings else {}
        return made_of(
            standings,
            SeasonAsked(
                chosen.title or book or "All books", wanted, counting, breaches, rated, only, parse_ties(chosen.ties),
                chosen.grid, chosen.records, parse_amount(chosen.dues, "dues"), parse_amount(chosen.stake, "stake"),
            )
        )


@get("/api/v1/season", responses=PROBLEMS)
@in_thread
def season_route(
    request: Asked, book: Book = "", game: Text = "", by: Text = "matches", formula: Formula = "", best: Text = "",
    first: From = "", last: To = "", player: Text = "", title: Text = "", ratings: Flag = False,
    breaches: Flag = False, ties: Text = "", vp: Victory = "", grid: Flag = False, records: Flag = False,
    dues: Text = "", stake: Text = "",
) -> Response[bytes]:  # fmt: skip
    """The table of a season, as `kibitz season --json` has it."""
    service, of = admitted(request, book)
    chosen = Choice(of, game, by, formula, best, first, last, title, ratings, ties, vp, grid, records, dues, stake)
    return sent(request, msgspec.json.encode(season_of(service, of, chosen, player=player, breaches=breaches)), JSON)


@get([f"/api/v1/season.{ending_of(form)}" for form in SEASON], responses=PROBLEMS)
@in_thread
def season_file_route(
    request: Asked, book: Book = "", game: Text = "", by: Text = "matches", formula: Formula = "", best: Text = "",
    first: From = "", last: To = "", player: Text = "", title: Text = "", ratings: Flag = False,
    breaches: Flag = False, ties: Text = "", vp: Victory = "", grid: Flag = False, records: Flag = False,
    dues: Text = "", stake: Text = "",
) -> Response[bytes]:  # fmt: skip
    """The table of a season in a format."""
    form = format_by_ending(request.url.path, SEASON, "a sheet")
    service, of = admitted(request, book)
    chosen = Choice(of, game, by, formula, best, first, last, title, ratings, ties, vp, grid, records, dues, stake)
    return paper(
        request, page.written_season(season_of(service, of, chosen, player=player, breaches=breaches), form), form,
        "season",
    )


# Published tables


@get("/api/v1/hung-out", responses=PROBLEMS)
@in_thread
def hung_out_route(request: Asked) -> Response[bytes]:
    """The tables that hang out for those who ask."""
    grant, service = grant_of(request), service_of(request)
    book = _book_of(service, grant)
    mark = service.shared.reading.register.fingerprint()
    found = [
        HungOut(of, title, at) for of, title, at, named in service.grants.hung_out() if named == mark
        and _reads(book, of)
    ]
    return sent(request, msgspec.json.encode({"tables": found}), JSON)


@get("/api/v1/hung-out.html", responses=PROBLEMS)
@in_thread
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


@post("/api/v1/hung-out", status_code=201, responses=PROBLEMS)
@in_thread
def hang_out_route(request: Asked, data: JSONBody[Choice]) -> HungOut:
    """Hang a table out in the place of the one before: those with a link of that book read it as it stands now."""
    service, book = admitted(request, data.book)
    mark = service.shared.reading.register.fingerprint()
    made = season_of(service, book, data)
    if service.shared.reading.register.fingerprint() != mark:
        raise RefusedError(
            "conflict", 409, "somebody was named otherwise meanwhile", todo="Look at the table, and hang it out again",
        )
    return HungOut(book, made.title, service.grants.hang_out(book, made.title, mark, page.written_season(made, "html")))


@delete("/api/v1/hung-out", responses=PROBLEMS)
@in_thread
def take_down_route(request: Asked, book: Book = "") -> None:
    """Take a table down."""
    service, of = admitted(request, book)
    service.grants.take_down(of)


# Searching


@get("/api/v1/find", responses=PROBLEMS)
@in_thread
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
    for name, value, words in (
        ("outcome", outcome, ("made", "failed")), ("finding", finding, ("broken", "perhaps", "open")),
        ("dispute", dispute, ("open", "any")),
    ):
        if value and value not in words:
            raise UsageError(f"{name} is not {value[:40]!r}", expected=" or ".join(words))
    for value in filter(None, (score, points)):
        parse_bounds(value)
    wanted = Wanted(
        (), game.lower(), of, day_bound(first), day_bound(last, end=True), contract, outcome, score, points, finding,
        rule, comment, dispute, title, highlights,
    )  # fmt: skip
    if not player and replace(wanted, book="").empty and not book:
        raise UsageError(
            "nothing is said to look for", expected="a player, a day, a contract, a rule, words of a remark …",
        )
    with service.index() as index:
        who = tuple(dict.fromkeys(_who(index, service.shared.reading.register, name, of) for name in player or []))
        found = search(index, replace(wanted, who=who), limit)
    return sent(request, msgspec.json.encode(found), JSON)


HANDLERS: list[Any] = [
    season_route, season_file_route, hung_out_route, hung_out_page_route, hang_out_route, take_down_route, find_route,
]
