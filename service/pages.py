"""The pages: the list of matches, the phone at the table, the replay that follows a match, the evening's board, the director's desk, and
what is asked over many matches.

A page is the same for everybody: what it shows it asks for under `/api/v1`, with the cookie of whoever looks at it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import PathParameter, QueryParameter

from replay.viewer.bundle import OFFERED, script, style
from service.board import board_as_sent
from service.problems import not_there
from service.request_context import PROBLEMS, Asked, grant_of, in_thread, sent, service_of

STATIC = Path(__file__).parent / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may do: nothing that does not come from this service."""
TYPES = {
    "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
}
PAGES = {
    "index": "Kibitz", "enter": "Kibitz", "phone": "Kibitz: at the table", "watch": "Kibitz: following a match", "board": "Kibitz: the evening",
    "director": "Kibitz: the director", "season": "Kibitz: the season", "players": "Kibitz: the players", "find": "Kibitz: finding things again",
    "book": "Kibitz: the book",
}  # fmt: skip
"""The pages, with what stands in their tab."""


@cache
def page_of(name: str) -> bytes:
    """A page without anything in it; its script fills it."""
    styles = {
        "watch": ("viewer", "watch"), "director": ("service", "director"), **dict.fromkeys(("season", "players", "find", "book"), ("service", "many")),
    }.get(name, ("service",))  # fmt: skip
    links = "".join(f'<link rel="stylesheet" href="/static/{style}.css">' for style in styles)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{PAGES[name]}</title>
<link rel="icon" href="/static/icon.svg">
{links}
</head>
<body class="{name}">
<div id="kibitz"><p class="wait">One moment …</p></div>
<noscript><p>This page needs JavaScript. A scoresheet or a replay of this match can be read without it; ask the director.</p></noscript>
<script type="module" src="/static/{name}.js"></script>
</body>
</html>
""".encode()


def page_response(request: Asked, name: str) -> Response[bytes]:
    """A page, with what it may do."""
    return sent(request, page_of(name), "text/html", headers={"content-security-policy": POLICY})


@get("/", responses=PROBLEMS)
@in_thread
def index(request: Asked) -> Response[bytes]:
    """The matches that the asker may see."""
    return page_response(request, "index")


@get("/enter", responses=PROBLEMS)
@in_thread
def enter_page(request: Asked) -> Response[bytes]:
    """Where a link leads: the page changes its secret for a cookie."""
    return page_response(request, "enter")


@get("/t/{match:str}", responses=PROBLEMS)
@in_thread
def phone(request: Asked, match: Annotated[str, PathParameter(max_length=64)]) -> Response[bytes]:
    """The phone at the table."""
    return page_response(request, "phone")


@get("/m/{match:str}", responses=PROBLEMS)
@in_thread
def watch(request: Asked, match: Annotated[str, PathParameter(max_length=64)]) -> Response[bytes]:
    """A match in the viewer, followed as it is played."""
    return page_response(request, "watch")


@get("/director", responses=PROBLEMS)
@in_thread
def director(request: Asked) -> Response[bytes]:
    """What the director has to do: new matches, links, disputes."""
    return page_response(request, "director")


@get("/board", responses=PROBLEMS)
@in_thread
def board_page(request: Asked) -> Response[bytes]:
    """The evening for a projector."""
    return page_response(request, "board")


@get("/season", responses=PROBLEMS)
@in_thread
def season_page(request: Asked) -> Response[bytes]:
    """The tables of a season: for a director to choose, for others those that hang out."""
    return page_response(request, "season")


@get("/players", responses=PROBLEMS)
@in_thread
def players_page(request: Asked) -> Response[bytes]:
    """The players."""
    return page_response(request, "players")


@get("/find", responses=PROBLEMS)
@in_thread
def find_page(request: Asked) -> Response[bytes]:
    """Matches and events that are looked for."""
    return page_response(request, "find")


@get("/book", responses=PROBLEMS)
@in_thread
def book(request: Asked) -> Response[bytes]:
    """The books and their evenings: on paper, proved, copied."""
    return page_response(request, "book")


@get("/api/v1/board", responses=PROBLEMS)
@in_thread
def board(request: Asked, book: Annotated[str | None, QueryParameter(max_length=64)] = None) -> Response[bytes]:
    """All tables of an evening: standings, how they came about, and what has just ended."""
    grant = grant_of(request)
    return sent(request, board_as_sent(service_of(request), grant, book), "application/json")


@cache
def static_file(name: str) -> tuple[bytes, str] | None:
    """A file of the pages and its type; None if there is none."""
    if name == "viewer.css":
        return style().encode(), TYPES["css"]
    if name == "viewer.js":
        return module().encode(), TYPES["js"]
    kind = TYPES.get(name.rpartition(".")[2])
    names = {path.name for path in STATIC.iterdir()}
    if kind is None or name not in names:
        return None
    return (STATIC / name).read_bytes(), kind


def module() -> str:
    """The viewer as a module of its own."""
    return f"{script()}\nexport {{ {', '.join(OFFERED)} }};\n"


@get("/static/{name:str}", responses=PROBLEMS)
@in_thread
def static(request: Asked, name: Annotated[str, PathParameter(max_length=64)]) -> Response[bytes]:
    """A script, a style or a picture of the pages."""
    found = static_file(name)
    if found is None:
        raise not_there("there is no such file")
    headers = {"content-security-policy": "default-src 'none'"}
    if name == "worker.js":
        # It stands in for the phone page, which lies elsewhere, and asks the service for what it keeps.
        headers = {"content-security-policy": "default-src 'none'; connect-src 'self'", "service-worker-allowed": "/"}
    return sent(request, found[0], found[1], headers=headers)


@get("/healthz", responses=PROBLEMS)
@in_thread
def healthz(request: Asked) -> Response[bytes]:
    """Whether it is alive, and can read its store."""
    service_of(request).shared.reading.books()
    return Response(b"ok\n", media_type="text/plain")


@get("/metrics", responses=PROBLEMS)
@in_thread
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Counters for Prometheus; for a director, because they tell how busy each hour was."""
    grant_of(request, "director")
    return Response(service_of(request).counters.text(), media_type="text/plain; version=0.0.4")


HANDLERS = [index, enter_page, phone, watch, director, board_page, season_page, players_page, find_page, book, board, static, healthz, metrics]
