"""The pages: matches, the phone at the table, the live replay, the evening's board, the director's desk, and seasons.

A page is the same for all clients; it fetches its data from `/api/v1` with the client's cookie.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter

from replay.languages.catalogue import ENGLISH, catalogue
from replay.languages.scripts import script_in
from replay.languages.translate import offered_languages, phrase, spoken_language, t
from replay.viewer.bundle import OFFERED, script, style, without_types
from replay.viewer.bundle import STATIC as VIEWER
from service.board import board_as_sent
from service.middleware import LANGUAGE
from service.problems import not_there
from service.request_context import Asked, get, grant_of, sent, service_of

STATIC = Path(__file__).parent / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of a page: nothing from outside this service."""
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "webmanifest": "application/manifest+json"}
class WebPage(NamedTuple):
    """A page: its path, title, description and style sheets."""

    path: str
    title: str
    says: str
    styles: tuple[str, ...] = ("service",)


MANY = ("service", "many")
PAGES = {
    "index": WebPage("/", "Kibitz", "The matches that the asker may see, evening by evening.", MANY),
    "enter": WebPage("/enter", "Kibitz", "Where a link leads: the page changes its secret for a cookie."),
    "phone": WebPage("/t/{match:str}", phrase("Kibitz: at the table"), "The phone at the table."),
    "watch": WebPage(
        "/m/{match:str}", phrase("Kibitz: following a match"), "A match in the viewer, followed as it is played.",
        ("viewer", "watch"),
    ),
    "board": WebPage("/board", phrase("Kibitz: the evening"), "The evening for a projector."),
    "director": WebPage(
        "/director", phrase("Kibitz: the director"), "What the director has to do: new matches, links, disputes.",
        ("service", "director"),
    ),
    "season": WebPage(
        "/season", phrase("Kibitz: the season"),
        "The tables of a season: for a director to choose, for others those that are published.", MANY,
    ),
    "players": WebPage("/players", phrase("Kibitz: the players"), "The players.", MANY),
    "find": WebPage("/find", phrase("Kibitz: finding things again"), "Matches and events that are looked for.", MANY),
    "book": WebPage("/book", phrase("Kibitz: the book"), "The books and their evenings: on paper, proved, copied.", MANY),
}


@cache
def page_of(name: str, language: str) -> bytes:
    """The empty page in a language, which its script fills."""
    page = PAGES[name]
    folder = "/static" if language == ENGLISH else f"/static/{language}"
    links = "".join(f'<link rel="stylesheet" href="/static/{style}.css">' for style in page.styles)
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{t(page.title)}</title>
<link rel="icon" href="/static/icon.svg">
{links}
</head>
<body class="{name}">
<div id="kibitz"><p class="wait">{t("One moment …")}</p></div>
<noscript><p>{t("This page needs JavaScript. A scoresheet or a replay of this match can be read without it; ask the director.")}</p></noscript>
<script type="module" src="{folder}/{name}.js"></script>
</body>
</html>
""".encode()


def page_response(request: Asked, name: str) -> Response[bytes]:
    """A page with its content security policy. A language that its address asks for is kept for the next pages."""
    language = spoken_language()
    headers = {"content-security-policy": POLICY, "vary": "accept-language, cookie"}
    if request.query_params.get("lang") == language:
        headers["set-cookie"] = f"{LANGUAGE}={language}; Path=/; Max-Age=31536000; SameSite=Strict"
    return sent(request, page_of(name, language), "text/html", headers=headers)


def page_handler(name: str) -> HTTPRouteHandler:
    """The route of a page. The page of a match reads the id from its address."""

    @get(PAGES[name].path, description=PAGES[name].says, name=f"page {name}")
    def of_match(request: Asked, match: Annotated[str, PathParameter(max_length=64)]) -> Response[bytes]:
        return page_response(request, name)

    @get(PAGES[name].path, description=PAGES[name].says, name=f"page {name}")
    def of_all(request: Asked) -> Response[bytes]:
        return page_response(request, name)

    return of_match if "{match:str}" in PAGES[name].path else of_all


@get("/api/v1/board")
def board(
    request: Asked, book: Annotated[str | None, QueryParameter(max_length=64)] = None,
    whole: Annotated[bool, QueryParameter()] = False,
) -> Response[bytes]:
    """All tables of an evening: standings, how they came about, and what has just ended. If it is `whole`, the tables
    of earlier evenings too."""
    grant = grant_of(request)
    return sent(request, board_as_sent(service_of(request), grant, book, whole))


@cache
def static_file(name: str, language: str) -> tuple[bytes, str] | None:
    """A static file and its type, a script with its phrases in a language; None if there is none."""
    spoken = catalogue(language)
    if spoken is None or not spoken.whole:
        return None
    if name == "viewer.css":
        return style().encode(), TYPES["css"]
    if name in MADE:
        return script_in(spoken, MADE[name]()).encode(), TYPES["js"]
    kind = TYPES.get(name.rpartition(".")[2])
    names = {path.name for path in STATIC.iterdir()}
    if kind is None or name not in names:
        return None
    content = (STATIC / name).read_bytes()
    return script_in(spoken, without_types(content.decode())).encode() if name.endswith(".js") else content, kind


def module() -> str:
    """The viewer as a JavaScript module."""
    return f"{script()}\nexport {{ {', '.join(OFFERED)} }};\n"


def common() -> str:
    """The module that all pages share, with that of the phrases' places in it."""
    source = (STATIC / "common.js").read_text(encoding="utf-8")
    words = (VIEWER / "words.js").read_text(encoding="utf-8")
    return without_types(words + re.sub(r'^(?:im|ex)port \{.*\} from "./words.js";\n', "", source, flags=re.M))


def language() -> str:
    """The choice among the languages on offer."""
    offered = json.dumps(list(offered_languages().items()), ensure_ascii=False)
    return without_types((STATIC / "language.js").read_text(encoding="utf-8")).replace("OFFERED = []", f"OFFERED = {offered}")


MADE: Mapping[str, Callable[[], str]] = {"viewer.js": module, "common.js": common, "language.js": language}
"""Scripts that are put together when they are sent."""


@get(["/static/{name:str}", "/static/{language:str}/{name:str}"])
def static(
    request: Asked, name: Annotated[str, PathParameter(max_length=64)],
    language: Annotated[str, PathParameter(max_length=8)] = ENGLISH,
) -> Response[bytes]:  # fmt: skip
    """A script, a style or a picture of the pages; a script in a language."""
    found = static_file(name, language)
    if found is None:
        raise not_there("there is no such file")
    headers = {"content-security-policy": "default-src 'none'"}
    if name == "worker.js":
        # The worker serves the phone page, which has another path, and fetches from the service what it caches.
        headers = {"content-security-policy": "default-src 'none'; connect-src 'self'", "service-worker-allowed": "/"}
    return sent(request, found[0], found[1], headers=headers)


@get("/healthz")
def healthz(request: Asked) -> Response[bytes]:
    """Whether it is alive, and can read its store."""
    service_of(request).shared.reading.books()
    return Response(b"ok\n", media_type="text/plain")


@get("/metrics")
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Counters for Prometheus; for a director, because they tell how busy each hour was."""
    grant_of(request, "director")
    return Response(service_of(request).counters.text(), media_type="text/plain; version=0.0.4")


HANDLERS = [*map(page_handler, PAGES), board, static, healthz, metrics]
