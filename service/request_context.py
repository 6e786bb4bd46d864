"""The context of a request: the service, the grant and the match."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Annotated, Any, ParamSpec, TypeVar
from urllib.parse import quote

import anyio.to_thread
import litestar
import msgspec
from litestar import MediaType, Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter
from msgspec import Struct

from events.errors import NotFoundError
from events.file_names import file_name
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import spoken_language, t
from replay.paper.dates import form_of_locale
from replay.paper.formats import MEDIA, ending_of
from replay.visibility import Audience
from service.grants import Grant, Role
from service.problems import Problem, RefusedError, not_allowed, not_there
from service.service_state import Service
from service.tables import LiveTable, View

T = TypeVar("T")
P = ParamSpec("P")
Asked = Request[Any, Any, Any]
Match = Annotated[str, PathParameter(min_length=1, max_length=64)]
"""The id of a match in a path."""
PAPER = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""The content security policy of a printed page: styles, but no scripts."""

PROBLEMS = {
    status: ResponseSpec(data_container=Problem, description=what, media_type=MediaType.JSON)
    for status, what in {
        304: "nothing has changed", 400: "the request cannot be read, or asks for what does not go together",
        401: "no link or token was shown that is in force", 403: "the asker may not do this",
        404: "it is not there, or not for the asker", 408: "the request took too long",
        409: "others have written meanwhile, or two things do not agree", 413: "the request is too large",
        415: "the request cannot be read", 421: "the service is not called by that name",
        422: "the line or the events cannot be taken", 429: "too many ask for this at once",
        503: "the service stops, or the store cannot be used",
    }.items()
}  # fmt: skip
"""Error responses that any route may give."""


class MatchAccess(Struct):
    """Access to a match: its table is locked until the `with` block ends."""

    service: Service
    grant: Grant
    table: LiveTable
    audience: Audience
    view: View


def service_of(request: Asked) -> Service:
    """The service. Raises RefusedError while it stops."""
    service: Service = request.app.state["service"]
    if service.stopping:
        raise RefusedError(
            "stopping", 503, t("the service is stopping"), todo=t("Try again in a moment"),
            headers={"retry-after": "5"},
        )
    return service


def grant_of(request: Asked, *roles: Role) -> Grant:
    """The client's grant. Raises RefusedError if there is none, or its role is not among `roles`."""
    grant: Grant | None = request.scope["state"].get("grant")
    if grant is None:
        ended = request.scope["state"].get("ended", "")
        what = (
            t("no link was opened in this browser") if not ended
            else t("this link was revoked") if ended == "was revoked" else t("this link has expired")
        )
        todo = t("Ask the director for a new one") if ended else t("Ask the director for one")
        raise RefusedError("unknown", 401, what, todo=todo, headers={"www-authenticate": "Bearer"})
    if roles and grant.role not in roles:
        raise not_allowed(f"this is for the {' or the '.join(roles)}")
    return grant


def in_thread(handler: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Run a handler that waits for the disk in a worker thread. (The framework's own way wraps the handlers of a path
    twice if there are several.)"""

    @wraps(handler)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await anyio.to_thread.run_sync(partial(handler, *args, **kwargs))

    return run


def _in_thread_at(
    method: Callable[..., Callable[[Any], HTTPRouteHandler]]
) -> Callable[..., Callable[[Callable[..., Any]], HTTPRouteHandler]]:
    """The framework's decorator of a route, for handlers that run in a worker thread and may answer with `PROBLEMS`."""
    return lambda path, **more: lambda handler: method(path, responses=PROBLEMS, **more)(in_thread(handler))


get, post, delete = map(_in_thread_at, (litestar.get, litestar.post, litestar.delete))


@contextmanager
def looking(request: Asked, match: str, *roles: Role) -> Iterator[MatchAccess]:
    """Access a match within the limits of the grant. A match outside them is answered as missing."""
    service = service_of(request)
    grant = grant_of(request)
    table = table_for(service, grant, match)
    grant_of(request, *roles)
    with table.lock:
        if table.refresh():
            service.changed(table)
        audience = service.audience(grant, match)
        yield MatchAccess(service, grant, table, audience, table.view(audience))


def table_for(service: Service, grant: Grant, match: str) -> LiveTable:
    """The table of a match that a grant covers. Raises the same RefusedError if it is missing or not covered."""
    if grant.match and grant.match != match:
        raise not_there(t("there is no such match"))
    try:
        table = service.tables.at(match)
    except NotFoundError as error:
        raise not_there(t("there is no such match")) from error
    if not grant.covers(match, table.book):
        raise not_there(t("there is no such match"))
    return table


def sent(
    request: Asked, answer: object, media: str = "application/json", *, file: str = "",
    headers: dict[str, str] | None = None,
) -> Response[bytes]:
    """An answer with an entity tag; status 304 without a body if the client has it already. Anything but bytes becomes
    JSON. With `file`, it is downloaded under this name."""
    body = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    more = {"etag": tag, "cache-control": "private, no-cache", **(headers or {})}
    if file:
        more["content-disposition"] = f'attachment; filename="{file}"'
    if tag in request.headers.get("if-none-match", "").replace("W/", "").split(", "):
        return Response(b"", status_code=304, media_type=media, headers=more)
    return Response(body, media_type=media, headers=more)


def dates_of(request: Asked) -> str:
    """The form of dates for the reader, by the language that is spoken; in English by what the browser accepts."""
    language = spoken_language()
    return form_of_locale(request.headers.get("accept-language", "") if language == ENGLISH else language)


def paper(request: Asked, body: bytes, form: str, name: str = "") -> Response[bytes]:
    """A sheet in a format: a page is shown, any other format is downloaded under this name. Excel reads a CSV as UTF-8
    only with a byte order mark."""
    whole = f"{file_name(name)}.{ending_of(form)}"
    plain = whole.encode("ascii", "ignore").decode()
    shown = f'attachment; filename="{plain}"' + (f"; filename*=UTF-8''{quote(whole)}" if plain != whole else "")
    headers = {
        "vary": "accept-language",
        **({"content-security-policy": PAPER} if form == "html" else {"content-disposition": shown})
    }
    return sent(request, codecs.BOM_UTF8 + body if form == "csv" else body, MEDIA[form], headers=headers)
