"""What every request passes: names, sizes, tokens, cookies, and the pages it comes from."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from browsers import in_a_loop_of_its_own
from hostile_requests import Thrower
from service_at import HOST, Evening, evening

from service import middleware, serve


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory):
    with evening(tmp_path_factory.mktemp("club")) as made:
        yield made


def enter(club: Evening, secret: str, **headers: str):
    club.client.cookies.clear()
    return club.client.post("/api/v1/session", json={"secret": secret}, headers=headers)


def test_another_name_is_refused(club: Evening) -> None:
    """If this failed, a page elsewhere could reach this service under a name of its own."""
    assert club.client.get("/healthz", headers={"host": "evil.example"}).status_code == 421


def test_what_is_sent_says_what_it_is_once(club: Evening) -> None:
    """If this failed, a strict reader would refuse a page or a file for a head that says its letters twice."""
    club.match(match="typed")
    director = club.as_("director")
    told = {path: director.client.get(path, headers=director.headers).headers["content-type"] for path in (
        "/", "/static/phone.js", "/static/service.css", "/healthz", "/metrics", "/api/v1/matches/typed/kib",
        "/api/v1/matches/typed/sheet.html", "/api/v1/matches/typed/sheet.csv", "/api/v1/matches/typed/sheet.md",
    )}  # fmt: skip
    assert {path: kind.count("charset=utf-8") for path, kind in told.items()} == dict.fromkeys(told, 1)


def test_a_cookie_is_forgotten_by_its_own_pages_alone(club: Evening) -> None:
    """If this failed, a page elsewhere could log somebody out, with a second head that hides the cookie from who
    looks at it."""
    grants = club.service.grants
    found = grants.exchange(grants.secret(grants.give("Ann", "director"), "link"))
    assert found is not None
    own = f"kibitz={found[1]}"
    # As they come over the wire: a client would put the two into one.
    ask = partial(
        Thrower(club.client.app, [], 1).ask, "DELETE", "/api/v1/session", "",
        parts=[{"type": "http.request", "body": b"", "more_body": False}],
    )
    with club.client.portal() as portal:
        for heads, status in (
            ([("cookie", own), ("origin", "http://evil.example")], 403),
            ([("cookie", own), ("cookie", "a=b"), ("origin", "http://evil.example")], 401), ([("cookie", "a=b")], 401),
            ([("cookie", own), ("origin", f"http://{HOST}")], 204),
        ):  # fmt: skip
            assert grants.shown(found[1], ("cookie",)) is not None
            sent = [(b"host", HOST.encode()), *((name.encode(), value.encode()) for name, value in heads)]
            assert portal.call(partial(ask, headers=sent))[0] == status, heads
    assert grants.shown(found[1], ("cookie",)) is None


def test_nobody_is_told_anything_without_a_grant(club: Evening) -> None:
    club.client.cookies.clear()
    for path in (
        "/me", "/matches", "/matches/m1", "/matches/m1/frames", "/matches/m1/live", "/board", "/games", "/grants",
    ):
        told = club.client.get(f"/api/v1{path}")
        assert (path, told.status_code) == (path, 401)


def test_a_match_of_others_is_as_if_it_were_not_there(club: Evening) -> None:
    club.match(match="mine")
    club.match(match="theirs")
    asker = club.as_("spectator", "mine")
    theirs, none = asker.get("/matches/theirs/frames"), asker.get("/matches/nowhere/frames")
    assert (theirs.status_code, theirs.content) == (none.status_code, none.content) == (404, theirs.content)
    assert [row["match"] for row in asker.get("/matches").json()["matches"]] == ["mine"]


def test_a_link_is_changed_for_a_cookie_once(club: Evening) -> None:
    grant = club.service.grants.give("Ann", "director")
    secret = club.service.grants.secret(grant, "link", once=True)
    first = enter(club, secret)
    assert first.status_code == 201
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert club.client.get("/api/v1/me").json()["subject"] == "Ann"
    assert enter(club, secret).status_code == 401


def test_a_link_for_everybody_is_changed_again_and_again(club: Evening) -> None:
    grant = club.service.grants.give("the hall", "spectator")
    secret = club.service.grants.secret(grant, "link")
    assert [enter(club, secret).status_code for _ in range(2)] == [201, 201]


def test_a_cookie_is_no_token_and_a_token_no_cookie(club: Evening) -> None:
    grant = club.service.grants.give("Ann", "director")
    token, link = club.service.grants.secret(grant, "token"), club.service.grants.secret(grant, "link")
    club.client.cookies.clear()
    assert club.client.get("/api/v1/me", headers={"authorization": f"Bearer {link}"}).status_code == 401
    assert club.client.get("/api/v1/me", headers={"cookie": f"kibitz={token}"}).status_code == 401
    assert club.client.get("/api/v1/me", headers={"authorization": f"Bearer {token}"}).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [(f"http://{HOST}", 201), (f"https://{HOST}", 201), ("http://evil.example", 403), ("null", 403), ("", 403)]
)
def test_a_cookie_writes_only_from_the_own_pages(club: Evening, origin: str, status: int) -> None:
    """If this failed, any page that the director looks at could begin matches."""
    grant = club.service.grants.give("Ann", "director")
    assert enter(club, club.service.grants.secret(grant, "link")).status_code == 201
    headers = {"origin": origin} if origin else {}
    assert club.client.post(
        "/api/v1/matches", json={"game": "kaiser", "seats": {"N": "A", "E": "B", "S": "C", "W": "D"}}, headers=headers,
    ).status_code == status
    club.client.cookies.clear()


def test_a_revoked_grant_is_at_an_end(club: Evening) -> None:
    director, asker = club.as_("director"), club.as_("spectator")
    assert asker.get("/me").status_code == 200
    assert director.delete(f"/grants/{asker.grant}").status_code == 204
    assert asker.get("/me").status_code == 401


def test_a_grant_ends_with_its_time(club: Evening) -> None:
    asker = club.as_("spectator", hours=2 / 3600)
    assert asker.get("/me").status_code == 200
    for _ in range(5):
        club.service.clock()
    assert asker.get("/me").status_code == 401


def test_a_large_body_is_refused_before_it_is_read(club: Evening) -> None:
    asker = club.as_("director")
    assert club.client.post("/api/v1/matches", content=b"x" * 70_000, headers=asker.headers).status_code == 413
    parts = (b"x" * 1000 for _ in range(200))
    assert club.client.post("/api/v1/matches", content=parts, headers=asker.headers).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"\xff\xfe", b"[" * 60_000, b'{"game": NaN}', b'{"game":"kaiser","more":1}', b'"x"',
        b'{"game":"\\ud800"}',
    ]
)
def test_a_body_that_cannot_be_read_is_said_to_be_so(club: Evening, body: bytes) -> None:
    asker = club.as_("director")
    told = club.client.post(
        "/api/v1/matches", content=body, headers={**asker.headers, "content-type": "application/json"},
    )
    assert told.status_code in (400, 404, 422)
    assert told.headers["content-type"].startswith("application/problem+json")
    assert "Traceback" not in told.text


def test_a_director_of_one_match_gives_no_more_than_that(club: Evening) -> None:
    club.match(match="own")
    club.match(match="other")
    director = club.as_("director", "own")
    assert director.post("/grants", {"subject": "x", "role": "director"}).json()["grant"]["match"] == "own"
    assert director.post("/grants", {"subject": "x", "role": "recorder", "match": "other"}).status_code == 404


def test_every_answer_says_how_it_may_be_used(club: Evening) -> None:
    page = club.client.get("/board")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"


def test_the_secrets_are_not_in_the_file(club: Evening) -> None:
    """If this failed, whoever reads a backup could record."""
    grant = club.service.grants.give("Ann", "director")
    secret = club.service.grants.secret(grant, "link")
    files = [path.read_bytes() for path in Path(club.service.grants.path).parent.iterdir() if path.is_file()]
    assert not any(secret.encode() in data for data in files)


@pytest.mark.parametrize("path", ["/api/v1/games/\ud800/rules", "/api/v1/matches/\udfff/score", "/board\udc80"])
def test_a_path_with_half_a_character_leads_nowhere(club: Evening, path: str) -> None:
    """If this failed, an answer that repeats the path could not be written."""
    heads = [
        (b"host", HOST.encode()),
        *((name.encode(), value.encode()) for name, value in club.as_("director").headers.items()),
    ]
    ask = Thrower(club.client.app, [], 1).ask
    with club.client.portal() as portal:
        assert portal.call(
            partial(ask, "GET", path, "", heads, [{"type": "http.request", "body": b"", "more_body": False}])
        )[0] == 404


def test_a_body_that_does_not_come_is_not_waited_for(club: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a few hundred browsers that send a letter a minute would hold the service."""
    monkeypatch.setattr(middleware, "PATIENCE", 0.05)
    asker, sent = club.as_("director"), list[Any]()

    async def ask() -> None:
        async def receive() -> Any:
            if not sent:
                await asyncio.sleep(0.01)
                return {"type": "http.request", "body": b"{", "more_body": True}
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [
            (b"host", HOST.encode()), (b"content-type", b"application/json"),
            *((k.encode(), v.encode()) for k, v in asker.headers.items()),
        ]
        scope: Any = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": "/api/v1/matches", "raw_path": b"/api/v1/matches", "query_string": b"", "root_path": "",
            "headers": headers, "client": ("127.0.0.1", 1), "server": (HOST, 80), "state": {},
        }  # fmt: skip
        async with asyncio.timeout(10):
            await club.client.app(scope, receive, send)

    with club.client.portal() as portal:
        portal.call(ask)
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, two thousand connections that say nothing would shut everybody else out."""
    monkeypatch.setattr(serve, "HEAD", 0.15)

    async def run() -> tuple[bytes, bytes, bytes]:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await asyncio.sleep(0.6)  # an answer may take its time
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        server = uvicorn.Server(
            uvicorn.Config(app, http=serve.Connection, log_level="critical", lifespan="off", port=0)
        )
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]

        async def asked(*parts: bytes) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            told = b""
            try:
                for part in parts:
                    writer.write(part)
                    await asyncio.sleep(0.1)
                async with asyncio.timeout(10):
                    told = await reader.readline() if parts and parts[-1].endswith(b"\r\n\r\n") else await reader.read()
            except ConnectionResetError:
                pass  # closed on us while we wrote, without an answer
            finally:
                writer.close()
            return told

        silent, slow, whole = await asyncio.gather(
            asked(), asked(b"GET / HTTP/1.1\r\n", *[b"x"] * 3), asked(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"),
        )
        server.should_exit = True
        await running
        return silent, slow, whole

    assert in_a_loop_of_its_own(run()) == (b"", b"", b"HTTP/1.1 204 No Content\r\n")
