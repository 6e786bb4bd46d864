"""The application: all routes, and the answers to errors."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import anyio.to_thread
from litestar import Litestar, Request, Response
from litestar.config.app import AppConfig
from litestar.exceptions import HTTPException, SerializationException
from litestar.openapi.config import OpenAPIConfig
from litestar.types import ASGIApp

from events.errors import KibitzError, StoreError
from service import books, disputes, live, movements, pages, pictures, players, results, routes, seasons
from service.middleware import MOST_BODY, Gate
from service.problems import MEDIA, PREFIX, Problem, RefusedError, encoded, problem_of
from service.service_state import Service

log = logging.getLogger("kibitz.service")

HANDLERS: list[Any] = [
    *routes.HANDLERS, *live.HANDLERS, *pictures.HANDLERS, *disputes.HANDLERS, *seasons.HANDLERS, *players.HANDLERS,
    *books.HANDLERS, *results.HANDLERS, *movements.HANDLERS, *pages.HANDLERS,
]  # fmt: skip
"""All routes."""

THREADS = 80
"""Threads that work on requests; most of them wait for the disk."""
API = "1"
"""The version of the routes under `/api/v1`."""

# Errors


def _answer(problem: Problem, headers: dict[str, str] | None = None) -> Response[bytes]:
    return Response(encoded(problem), status_code=problem.status, media_type=MEDIA, headers=headers)


def on_refused(request: Request[Any, Any, Any], error: RefusedError) -> Response[bytes]:
    """Answer a request that was refused."""
    return _answer(error.problem, error.headers)


def on_kibitz(request: Request[Any, Any, Any], error: KibitzError) -> Response[bytes]:
    """Answer an error that a person can correct."""
    if isinstance(error, StoreError):
        log.error("the store: %s", error)
    return _answer(problem_of(error))


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer an error of the framework."""
    status = error.status_code
    kinds = {400: "unreadable", 401: "unknown", 404: "not-found", 405: "method", 413: "too-large", 415: "unreadable"}
    titles = {
        400: "the request cannot be read", 401: "no link or token was shown that is in force",
        404: "there is nothing here", 405: "this cannot be done here", 413: "the request is too large",
        415: "the request cannot be read",
    }
    kind = kinds.get(status, "request" if status < 500 else "fault")
    extra = getattr(error, "extra", None)
    expected = "; ".join(
        str(e.get("message", "")) for e in extra if isinstance(e, dict)
    )[:300] if isinstance(extra, list) else ""
    headers = {k: v for k, v in (error.headers or {}).items() if k.lower() == "allow"}
    return _answer(
        Problem(PREFIX + kind, titles.get(status, "the request was refused"), status, expected=expected), headers,
    )


def on_unreadable(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer a body that cannot be decoded."""
    return _answer(Problem(PREFIX + "unreadable", "the request cannot be read", 400, expected="JSON in UTF-8"))


def on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer a fault of Kibitz itself: it is logged, and the client learns no details."""
    log.error("a fault at %s %s", request.method, request.scope.get("path_template", "?"), exc_info=error)
    return _answer(
        Problem(
            PREFIX + "fault", "something went wrong here", 500,
            todo="Nothing recorded was lost. Try again; the log of the service says more",
        )
    )


def application(service: Service) -> Litestar:
    """The ASGI application of a service."""
    async def begin(app: Litestar) -> None:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        service.changes.start()
        app.state.watch = asyncio.create_task(service.watch())

    async def finish(app: Litestar) -> None:
        app.state.watch.cancel()
        service.stopping = True
        service.changes.fire_all()
        await anyio.to_thread.run_sync(service.stop)

    def gated(app: ASGIApp) -> ASGIApp:
        return Gate(app, service)

    def with_service(config: AppConfig) -> AppConfig:
        config.state["service"] = service
        return config

    return Litestar(
        route_handlers=HANDLERS,
        middleware=[gated],
        on_startup=[begin],
        on_shutdown=[finish],
        on_app_init=[with_service],
        exception_handlers={
            RefusedError: on_refused, KibitzError: on_kibitz, HTTPException: on_http,
            SerializationException: on_unreadable, RecursionError: on_unreadable, UnicodeDecodeError: on_unreadable,
            Exception: on_fault,
        },
        openapi_config=OpenAPIConfig(title="Kibitz", version=API, path="/api/v1/schema", render_plugins=[]),
        request_max_body_size=MOST_BODY,
        logging_config=None,
        debug=False,
    )
