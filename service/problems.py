"""Errors as problem details (RFC 9457). Their kinds match the exit codes of the command line (docs/json.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import (
    ConflictError,
    KibitzError,
    NotationError,
    NotFoundError,
    StoreError,
    UnreadableError,
    UsageError,
)
from records.errors import StaleWriterError
from replay.languages.translate import t

MEDIA = "application/problem+json"
PREFIX = "urn:kibitz:problem:"
_OPTION = re.compile(r"(?<!\S)--(?=[a-z])")


class Problem(Struct, frozen=True, omit_defaults=True):
    """A refusal: `type` is its kind, `title` says what is wrong, `expected` what would have been right, `todo` what
    to do now. `missed` are the events that a stale writer has not seen. `readings` are unambiguous lines, one for
    each meaning of the line. `doubts` are the reasons why an act is certainly against the rules; it is kept only on
    explicit request."""

    type: str
    title: str
    status: int
    detail: str = ""
    expected: str = ""
    todo: str = ""
    column: int = 0
    last: int = 0
    missed: tuple[Any, ...] = ()
    readings: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


class RefusedError(Exception):
    """A request that is answered with a problem."""

    def __init__(
        self, kind: str, status: int, title: str, *, headers: Mapping[str, str] | None = None, **more: Any,
    ) -> None:
        self.problem = Problem(PREFIX + kind, title, status, **more)
        self.headers = dict(headers or {})
        super().__init__(title)


def not_allowed(what: str) -> RefusedError:
    """The error for an action that the client may not do."""
    return RefusedError("forbidden", 403, what, todo=t("The director can give you another link"))


def not_there(what: str = "") -> RefusedError:
    """The error for something missing or not for the client; the answer is the same."""
    return RefusedError("not-found", 404, what or t("there is nothing here"))


def problem_of(error: KibitzError) -> Problem:
    """The answer to an error that a person can correct. Advice to use a command is left out, and so are the dashes of
    an option: the client has a page."""
    kind, status = problem_kind(error)
    todo = "" if "`kibitz" in error.todo else error.todo
    column = error.column if isinstance(error, NotationError) else 0
    last = error.last if isinstance(error, StaleWriterError) else 0
    return Problem(
        PREFIX + kind, error.what, status, detail=str(error), expected=_OPTION.sub("", error.expected),
        todo=_OPTION.sub("", todo), column=column, last=last,
    )


def problem_kind(error: KibitzError) -> tuple[str, int]:
    """The kind of an error and its HTTP status."""
    match error:
        case StaleWriterError():
            return "stale", 409
        case ConflictError():
            return "conflict", 409
        case NotFoundError():
            return "not-found", 404
        case UsageError():
            return "usage", 400
        case StoreError():
            return "store", 503
        case UnreadableError():
            return "unreadable", 422
    return "usage", 400


def encoded(problem: Problem) -> bytes:
    """The body of the answer."""
    return msgspec.json.encode(problem)


FIXED = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cache-control": b"no-store",
}
"""Headers of every answer, unless it sets them itself."""


async def refuse(refused: RefusedError, send: Any) -> None:
    """Answer with a problem."""
    body = encoded(refused.problem)
    headers = [(b"content-type", MEDIA.encode()), (b"content-length", str(len(body)).encode()), *FIXED.items()]
    headers += [(name.encode(), value.encode()) for name, value in refused.headers.items()]
    await send({"type": "http.response.start", "status": refused.problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
