"""Follows a match: server-sent events from a position on, until the client disconnects.

A stream sends the messages of its view (`service.tables.Feed`), the same bytes to all clients who see the same. It
holds only a place among them, so an unread stream costs nothing. It is dropped after a while, and resumes when its
client comes back with the last id.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Annotated, Any

import anyio.to_thread
from litestar import Response
from litestar.params import QueryParameter
from litestar.types import Receive, Scope, Send

from replay.visibility import Audience
from service.grants import Grant
from service.request_context import Asked, Match, get, grant_of, service_of, table_for
from service.service_state import Service
from service.tables import Feed, LiveTable

COMMENT = 15.0
"""Seconds without news after which a comment line is sent and the grant is checked again."""
SLOW = 10.0
"""Seconds after which an unread stream is dropped."""
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]


@get("/api/v1/matches/{match:str}/live")
def live_route(
    request: Asked, match: Match, after: Annotated[str, QueryParameter(max_length=80)] = "",
) -> Response[Any]:
    """What happens in a match from now on, or after the event that `Last-Event-ID` or `after` names, as server-sent
    events."""
    service, grant = service_of(request), grant_of(request)
    table = table_for(service, grant, match)
    since = request.headers.get("last-event-id", "")[:80] or after
    return Following(service, grant, table, since)


class Following(Response[Any]):
    """A response that streams the events of a match."""

    def __init__(self, service: Service, grant: Grant, table: LiveTable, since: str) -> None:
        super().__init__(None, media_type="text/event-stream")
        self.service, self.grant, self.table, self.since = service, grant, table, since

    def to_asgi_response(self, *args: Any, **kwargs: Any) -> Any:
        """The ASGI application that streams."""
        return self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        service = self.service
        stream = Stream(service, self.grant, self.table, self.since, send)
        start: Any = {"type": "http.response.start", "status": 200, "headers": list(HEADERS)}
        await send(start)
        service.counters.streams.inc()
        gone = asyncio.create_task(_until_gone(receive))
        try:
            await stream.run(gone)
            await stream.tell(b"", more=False)
        except (TimeoutError, OSError):
            service.counters.dropped.inc()
        finally:
            gone.cancel()
            service.counters.streams.dec()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Stream:
    """One client that follows one match."""

    def __init__(self, service: Service, grant: Grant, table: LiveTable, since: str, send: Any) -> None:
        self.service, self.grant, self.table, self.since, self._send = service, grant, table, since, send
        self.feed: Feed | None = None
        self.place = 0
        self.asked, self.taken_back = time.monotonic(), service.taken_back

    async def run(self, gone: asyncio.Task[None]) -> None:
        """Send what there is, and wait for more. TimeoutError if the client does not read."""
        await self.tell(b"retry: 2000\n\n")
        with self.service.changes.bell(self.table.match) as bell:
            gone.add_done_callback(lambda _: bell.set())
            while not gone.done() and not self.service.stopping:
                # Cleared first, so that a change after the check rings again.
                bell.clear()
                news = await self.news()
                if news:
                    await self.tell(news)
                    continue
                # A stop during the check has already rung, and does not ring again.
                if gone.done() or self.service.stopping:
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._left()):
                        await bell.wait()
                if self._left() <= 0 or self.taken_back != self.service.taken_back:
                    self.asked, self.taken_back = time.monotonic(), self.service.taken_back
                    if not await anyio.to_thread.run_sync(self.service.grants.in_force, self.grant.id):
                        await self.tell(b"event: ended\ndata: {}\n\n")
                        return
                    await self.tell(b": \n\n")

    def _left(self) -> float:
        return COMMENT - (time.monotonic() - self.asked)

    async def news(self) -> bytes:
        """The messages to send now; empty if there are none."""
        table, audience = self.table, self.audience()
        view = table.views.get(audience)
        if view is None or not self.service.tables.holds(table):
            table = await anyio.to_thread.run_sync(self._look, audience)
            view = table.views[audience]
        view.used = table.used = time.monotonic()
        feed = view.feed
        if self.feed is None:
            place = feed.place_of(self.since) if self.since else None
            self.feed, self.place = feed, len(feed.messages) if place is None else place
            if place is None:
                return self.anew(view.last, feed)
        elif feed is not self.feed:
            self.feed, self.place = feed, len(feed.messages)
            return self.anew(view.last, feed)
        new = feed.messages[self.place :]
        self.place += len(new)
        return b"".join(new)

    def anew(self, last: int, feed: Feed) -> bytes:
        """A message that tells the client to reload everything, since earlier messages no longer hold."""
        return b"event: anew\nid: %b\ndata: {}\n\n" % feed.id_at(last).encode()

    def audience(self) -> Audience:
        """The client's current audience, as the director may have opened a hand."""
        return self.service.audience(self.grant, self.table.match)

    def _look(self, audience: Audience) -> LiveTable:
        self.table = table = table_for(self.service, self.grant, self.table.match)
        with table.lock:
            table.view(audience)
        return table

    async def tell(self, data: bytes, *, more: bool = True) -> None:
        """Send data and wait until it is written; TimeoutError if that takes too long."""
        async with asyncio.timeout(SLOW):
            await self._send({"type": "http.response.body", "body": data, "more_body": more})


HANDLERS = [live_route]
