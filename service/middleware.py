"""Checks of every request: host name, size and duration of the body, grant, and origin."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send

from events.limits import MAX_ATTACHMENT_BYTES
from replay.languages.translate import language_for, speaking
from service.counters import Counters
from service.grants import KEEPERS, Grant
from service.problems import FIXED, RefusedError, not_there, refuse
from service.service_state import Service

MOST_BODY = 64 * 1024
"""Bytes of a request's body, except for attached pictures and spreadsheets."""
PATIENCE = 20.0
"""Seconds within which a body must arrive."""
PICTURES = 4
"""Pictures received at once, because each is held in memory."""
PICTURE_PATIENCE = 180.0
_ATTACHING = re.compile("/api/v1/(?:matches/[^/]+/attachments|results)")
COOKIE = "kibitz"
LANGUAGE = "language"
"""The cookie with the language that was chosen in this browser."""
_WISH, _CHOSEN = re.compile(rb"(?:^|&)lang=([A-Za-z]{2,3})"), re.compile(rb"(?:^|; *)language=([A-Za-z]{2,3})(?:;|$)")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Gate:
    """Checks every request before its route: host name, size of the body, grant, and origin."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service
        self.pictures = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) != "http":
            await self.app(scope, receive, send)
            return
        with speaking(language_asked(scope)):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        counted = _Counted(send, self.service.counters, scope)
        picture = False
        try:
            picture = self._admit(scope)
            self.pictures += picture
            bounded = _Bounded(
                receive, MAX_ATTACHMENT_BYTES if picture else MOST_BODY, PICTURE_PATIENCE if picture else PATIENCE,
            )
            await self.app(scope, bounded, counted)
        except RefusedError as refused:
            if not counted.begun:
                await refuse(refused, counted)
        finally:
            self.pictures -= picture

    def _admit(self, scope: Any) -> bool:
        """Refuse a request that is not for this service. Returns True if it carries a picture or spreadsheet."""
        if not is_text(scope["path"]):
            raise not_there()
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self.service.settings.hosts:
            raise RefusedError(
                "wrong-host", 421, "this service is not called by that name",
                todo="Use the address that it printed when it began",
            )
        shown, cookie = self._who(headers)
        by_cookie = cookie is not None
        ended = shown.ended(self.service.grants.now) if shown is not None else ""
        grant = None if ended else shown
        scope.setdefault("state", {}).update(grant=grant, cookie=cookie, ended=ended)
        # Other clients must not make the service hold so much memory.
        keeps = grant is not None and grant.role in KEEPERS
        picture = keeps and scope["method"] == "POST" and _ATTACHING.fullmatch(scope["path"]) is not None
        length, most = headers.get(b"content-length", b"0"), MAX_ATTACHMENT_BYTES if picture else MOST_BODY
        if not length.isdigit() or len(length) > 12 or int(length) > most:
            raise RefusedError("too-large", 413, "the request is too large", expected=f"at most {most} bytes")
        if by_cookie and scope["method"] not in SAFE and not self._own(headers, host):
            raise RefusedError("cross-origin", 403, "another page asked for this", todo="Use the pages of this service")
        if picture and self.pictures >= PICTURES:
            raise RefusedError(
                "busy", 429, "others send files at the moment", todo="Send it again in a moment",
                headers={"retry-after": "5"},
            )
        return picture

    def _who(self, headers: dict[bytes, bytes]) -> tuple[Grant | None, str | None]:
        """The client's grant, in force or not, and the cookie that showed it, if it was a cookie."""
        word, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if word.lower() == "bearer":
            return self.service.grants.shown_once(token.strip(), ("token",)), None
        for part in headers.get(b"cookie", b"").decode("latin-1").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                return self.service.grants.shown_once(value, ("cookie",)), value
        return None, None

    def _own(self, headers: dict[bytes, bytes], host: str) -> bool:
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        return origin in (f"http://{host}", f"https://{host}")


def language_asked(scope: Any) -> str:
    """The language of an answer: what the address asks for, what was chosen in this browser before, or what the
    browser accepts."""
    headers = dict(scope["headers"])
    address, cookies = scope["query_string"], headers.get(b"cookie", b"")
    return language_for(
        *(found[1].decode() if found else "" for found in (_WISH.search(address), _CHOSEN.search(cookies))),
        headers.get(b"accept-language", b"").decode("latin-1"),
    )


def is_text(path: str) -> bool:
    """True if a path is Unicode text: half of a surrogate pair could not be written into an answer."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


class _Bounded:
    """Reads a body of bounded size, for at most `patience` seconds."""

    def __init__(self, receive: Receive, most: int, patience: float) -> None:
        self.receive, self.most, self.left, self.whole = receive, most, most, False
        self.until = asyncio.get_running_loop().time() + patience

    async def __call__(self) -> Any:
        try:
            # After the body only a disconnect can arrive, which may take any time.
            async with asyncio.timeout_at(None if self.whole else self.until):
                message = await self.receive()
        except TimeoutError:
            raise RefusedError(
                "slow", 408, "the request took too long", todo="Send it again", headers={"connection": "close"},
            ) from None
        if message["type"] == "http.disconnect" and not self.whole:
            raise RefusedError("unreadable", 400, "the request broke off")
        if message["type"] == "http.request":
            self.whole = not message.get("more_body", False)
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                raise RefusedError("too-large", 413, "the request is too large", expected=f"at most {self.most} bytes")
        return message


class _Counted:
    """Counts answers, and adds the headers common to all."""

    def __init__(self, send: Send, counters: Counters, scope: Any) -> None:
        self.send, self.counters, self.scope = send, counters, scope
        self.begun = False

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = list(message.get("headers", []))
            said = {name.lower() for name, _ in headers}
            message = {
                **message, "headers": [*headers, *((name, value) for name, value in FIXED.items() if name not in said)]
            }
            self.counters.answers.labels(str(message["status"])).inc()
        await self.send(message)
