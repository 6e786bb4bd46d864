"""A service over a store of its own, and those who ask it: a director, a recorder, a player, a spectator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient

from events.model import Recorded
from records import Store
from reducers.registry import find_game
from service.app import application
from service.audiences import Delay
from service.grants import Role
from service.service_state import Service, ServiceSettings

HOST = "testserver.local"


class Clock:
    """A clock that goes on a second each time it is looked at, or stands still."""

    def __init__(self, *, still: bool = False) -> None:
        self.now, self.still = datetime(2026, 3, 14, 19, 0, tzinfo=UTC), still

    def __call__(self) -> datetime:
        if not self.still:
            self.now += timedelta(seconds=1)
        return self.now


class Evening:
    """A service, and what it takes to ask it."""

    def __init__(self, service: Service, client: TestClient[Any]) -> None:
        self.service, self.client = service, client

    def match(self, records: Sequence[Recorded] = (), game: str = "kaiser", match: str = "m1") -> str:
        """A match of the store: one that was recorded already, or a new one."""

        def write(store: Store) -> None:
            if records:
                store.import_match(match, records, game=game)
            else:
                seats = find_game(game).seating.usual
                store.create_match({seat: f"Name {seat}" for seat in seats}, game=game, match=match)

        self.service.shared.group.submit(write).result()
        return match

    def as_(self, role: Role, match: str = "", seat: str = "", **more: Any) -> Asker:
        """Somebody who holds a grant of this role."""
        grant = self.service.grants.give(f"the {role}", role, match=match, seat=seat, **more)
        return Asker(self.client, self.service.grants.secret(grant, "token"), grant.id)


class Asker:
    """Somebody who asks with a token."""

    def __init__(self, client: TestClient[Any], token: str, grant: str) -> None:
        self.client, self.grant = client, grant
        self.headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(f"/api/v1{path}", headers={**self.headers, **more.pop("headers", {})}, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.client.post(
            f"/api/v1{path}", headers={**self.headers, **more.pop("headers", {})}, json={} if body is None else body,
            **more
        )

    def delete(self, path: str) -> Any:
        return self.client.delete(f"/api/v1{path}", headers=self.headers)

    def line(self, match: str, text: str, **more: Any) -> Any:
        """Hand in a line."""
        return self.post(f"/matches/{match}/lines", {"line": text, **more})

    def lines(self, match: str, *texts: str) -> Any:
        """Hand in lines that are taken; the last answer."""
        answer: Any = None
        for text in texts:
            answer = self.line(match, text)
            assert answer.status_code == 201, (text, answer.json())
        return answer


class Successor:
    """Stands for one service after another: an application is built once, and not for each test."""

    def __init__(self, service: Service) -> None:
        self.follow(service)

    def follow(self, service: Service) -> None:
        """Stand for this service from now on."""
        self.__dict__["service"] = service

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["service"], name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["service"], name, value)


UNUSED: list[tuple[Litestar, Successor]] = []
"""Applications that were built, and whose service has ended."""


def application_for(service: Any) -> tuple[Litestar, Successor]:
    """An application with this service, and what stands for the service in it."""
    if UNUSED:
        app, standing = UNUSED.pop()
        standing.follow(service)
    else:
        standing: Any = Successor(service)
        app = application(standing)
    return app, standing


@contextmanager
def evening(place: Path, *, delay: Delay = Delay(), still: bool = False) -> Iterator[Evening]:
    """A service over a store in this folder, until the `with` ends."""
    path = place / "club.db"
    clock = Clock(still=still)
    Store.open(path, clock=clock).close()
    service = Service(ServiceSettings(path, frozenset({HOST}), delay), clock)
    app, standing = application_for(service)
    with TestClient(app, base_url=f"http://{HOST}", raise_server_exceptions=False) as client:
        yield Evening(service, client)
    UNUSED.append((app, standing))
