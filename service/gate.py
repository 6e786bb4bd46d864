"""What every request passes: the names the service may be called by, the size of a body, who asks, and from which page."""

from __future__ import annotations

from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send

from service.counters import Counters
from service.grants import Grant
from service.problems import FIXED, RefusedError, refuse
from service.running import Service

MOST_BODY = 64 * 1024
"""So many bytes a request may bring, but for what is attached or imported."""
COOKIE = "kibitz"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Gate:
    """Stands before all routes: the names it may be called by, the size of a body, who asks, and from which page."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) != "http":
            await self.app(scope, receive, send)
            return
        try:
            self._admit(scope)
        except RefusedError as refused:
            await refuse(refused, send)
            return
        bounded = _Bounded(receive, _most(scope))
        counted = _Counted(send, self.service.counters, scope)
        try:
            await self.app(scope, bounded, counted)
        except RefusedError as refused:
            if not counted.begun:
                await refuse(refused, counted)

    def _admit(self, scope: Any) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self.service.settings.hosts:
            raise RefusedError("wrong-host", 421, "this service is not called by that name", todo="Use the address that it printed when it began")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 12 or int(length) > _most(scope):
            raise RefusedError("too-large", 413, "the request is too large", expected=f"at most {_most(scope)} bytes")
        scope.setdefault("state", {})["grant"], by_cookie = self._who(headers)
        if by_cookie and scope["method"] not in SAFE and not self._own(headers, host):
            raise RefusedError("cross-origin", 403, "another page asked for this", todo="Use the pages of this service")

    def _who(self, headers: dict[bytes, bytes]) -> tuple[Grant | None, bool]:
        """Who asks, and whether a cookie says so."""
        word, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if word.lower() == "bearer":
            return self.service.grants.shown(token.strip(), ("token",)), False
        for part in headers.get(b"cookie", b"").decode("latin-1").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                return self.service.grants.shown(value, ("cookie",)), True
        return None, False

    def _own(self, headers: dict[bytes, bytes], host: str) -> bool:
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        return origin in (f"http://{host}", f"https://{host}")


def _most(scope: Any) -> int:
    return MOST_BODY


class _Bounded:
    """Reads a body, and no more of it than is allowed."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.receive, self.left, self.whole = receive, most, False

    async def __call__(self) -> Any:
        message = await self.receive()
        if message["type"] == "http.disconnect" and not self.whole:
            raise RefusedError("unreadable", 400, "the request broke off")
        if message["type"] == "http.request":
            self.whole = not message.get("more_body", False)
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                raise RefusedError("too-large", 413, "the request is too large", expected=f"at most {MOST_BODY} bytes")
        return message


class _Counted:
    """Counts what is answered, and adds what every answer says."""

    def __init__(self, send: Send, counters: Counters, scope: Any) -> None:
        self.send, self.counters, self.scope = send, counters, scope
        self.begun = False

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = list(message.get("headers", []))
            said = {name.lower() for name, _ in headers}
            message = {**message, "headers": [*headers, *((name, value) for name, value in FIXED.items() if name not in said)]}
            self.counters.answered(message["status"])
        await self.send(message)
