"""Requests that no page sends, thrown at the application itself: odd bodies, paths, headers, tokens, slow and broken
bodies.

`await thrown(evening, cases, seed)` gives what was answered wrongly. Asked without a server between, so that many
fit in a second.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from service_at import HOST

from service.problems import MEDIA

FINE = frozenset({200, 201, 204, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429})
"""What may be answered to anything. 5xx is a fault, whatever was asked; 503 comes while the service stops."""
LINES = [
    "7", "p", ".", "h", "Kh", "c7ka9", "x", "3x", "S 8c", "undo", "undo line", "fix 2 8", "fix 1-",
    "fix 9999999999999999 8", "note 3 ha", "note", "claim NS=7", "tally tricks.NS=5", "confirm", "fault revoke",
    "dispute #2", "ruling #2", "?", "show", "hand", "deal N=Kh", "deal N=KhKh", "end hand misdeal", "end match",
    "gap 3", "open Option.target=1", "open Seats=x", "{only text}", "S play 7h ~3.1 $2 {x}", "6. N play Kh", '{"n":6}',
    "%kib 1", "= hand 1: x", "move * <trick >won:EW", "N 10♥ !", "\x1b[0m", "7" * 200, "é", "shuffle *x?? >stock",
    "\u202e", "\ud800", "result - - -", "redo", "draw ??", "discard 7h", "meld 7h8h9h", "capture 7h/4h3h", "name h",
    "bid 7no", "bet 5", "pay 3 >pot", "call yaniv", "fix 0 open", "note 1 " + "x" * 3000,
]  # fmt: skip
MATCHES = [
    "m1", "m2", "m3", "nowhere", "", "..", "%2e%2e", "m1%00", "é", "m1/../m2", "a" * 300, "%", "%zz", "m1;x", "m1?",
]
WORDS: list[Any] = [
    "", "kaiser", "scopa", "x", None, True, -1, 0, 1, 2**40, 2**70, 1.5, "N", "E", "director", "seat", "home", "add",
    "link", "forget", "p1", [], {}, ["N"], {"N": "A"}, "\u0000", "é" * 100, "\ud800", "m1", "k1",
]  # fmt: skip
KEYS = [
    "game", "seats", "options", "dealer", "date", "place", "event", "table", "book", "key", "line", "expect",
    "as_played", "sealed", "after", "phase", "pack", "events", "subject", "role", "match", "seat", "hours", "token",
    "hand", "secret", "text", "by", "formula", "best", "from", "to", "title", "ratings", "more", "", "did", "player",
    "name", "into", "seats",
]  # fmt: skip
EVENTS: list[Any] = [
    {"n": 1, "event": {"verb": "pass", "by": "N"}}, {"n": -1, "event": {"verb": "pass", "by": "N"}},
    {"n": 1, "event": {"verb": "play", "by": "N", "cards": ["Kh"]}}, {"n": 1, "event": {"verb": "nix"}},
    {"n": 1, "event": {"verb": "note", "by": "@", "facts": {"a": [1, {"b": None}]}}},
    {"event": {"verb": "open", "by": "@", "facts": {}}},
    {"n": 1, "event": {"verb": "fix", "by": "@", "at": 1, "how": "replace", "event": {"verb": "fix"}}}, {}, None, "x",
    {"n": 1, "event": {"verb": "deal", "by": "@", "piles": [["N", ["Kh"] * 500]]}},
]  # fmt: skip
PATHS = [
    "/", "/enter", "/t/{m}", "/m/{m}", "/board", "/director", "/static/{w}", "/static/..%2fapp.py",
    "/static/%2e%2e/app.py", "/healthz", "/metrics", "/api/v1/me", "/api/v1/session", "/api/v1/grants",
    "/api/v1/grants/{w}", "/api/v1/code", "/api/v1/games", "/api/v1/games/{w}/house-rules", "/api/v1/games/{w}/rules",
    "/api/v1/matches/{m}/lines", "/api/v1/matches", "/api/v1/matches/{m}", "/api/v1/matches/{m}/pad",
    "/api/v1/matches/{m}/result", "/api/v1/matches/{m}/events", "/api/v1/matches/{m}/frames",
    "/api/v1/matches/{m}/findings", "/api/v1/matches/{m}/score", "/api/v1/matches/{m}/sheet.html",
    "/api/v1/matches/{m}/sheet.csv", "/api/v1/matches/{m}/sheet.nix", "/api/v1/matches/{m}/report",
    "/api/v1/matches/{m}/kib", "/api/v1/matches/{m}/bundle", "/api/v1/matches/{m}/disputes",
    "/api/v1/matches/{m}/attachments", "/api/v1/matches/{m}/attachments/{w}", "/api/v1/matches/{m}/lines",
    "/api/v1/matches/{m}/open", "/api/v1/submissions/{w}", "/api/v1/board", "/season", "/players", "/find",
    "/api/v1/season", "/api/v1/season.csv", "/api/v1/season.nix", "/api/v1/players", "/api/v1/find", "/api/v1/hung-out",
    "/api/v1/hung-out.html", "/book", "/api/v1/books", "/api/v1/evening.csv", "/api/v1/evening.nix",
    "/api/v1/games/{w}/blank.md", "/api/v1/proof", "/api/v1/movement", "/api/v1/backup", "/api/v1/schema/openapi.json",
    "/api/v1/nix", "/%00", "//", "/api/v1//matches", "/api/v1/matches/{m}/", "/" + "x" * 3000,
]  # fmt: skip
POSTED = ["/api/v1/matches/{m}/lines"] * 5 + ["/api/v1/matches/{m}/events"] * 3 + [
    "/api/v1/matches", "/api/v1/grants", "/api/v1/code", "/api/v1/session", "/api/v1/matches/{m}/open",
    "/api/v1/hung-out", "/api/v1/players", "/api/v1/checkpoint", "/api/v1/results", "/api/v1/movement",
    "/api/v1/matches/{m}/book", "/api/v1/matches/{m}/called", "/api/v1/matches/{m}/attachments",
    "/api/v1/matches/{m}/attachments",
]
PICTURES = [
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"\xff\xd8\xff\xe0", b"%PDF-1.7", b"RIFF\x00\x00\x00\x00WEBP", b"GIF89a",
    b"<svg onload=alert(1)>", b"", b"\x89PNG" + b"x" * 70_000,
]
QUERIES = [
    "about=1&text=x", "about=x", "about=-1&about=99999999999", "sealed=true", "sealed=perhaps", "", "", "", "after=3",
    "after=-9", "after=x", "hand=1", "hand=0", "hand=99999999999999999999", "said=-&said=7", "said=" + "x" * 200,
    "limit=0", "limit=1&limit=2", "game=kaiser", "book=%00", "%ff=1", "match=m1", "a" * 3000, "by=points",
    "formula=won/0", "formula=" + "(" * 150, "best=2/3", "from=2026-13", "from=2026&to=2027-01",
    "player=Ann&breaches=true", "ratings=true", "comment=%25", "score=%3E0", "rule=kaiser", "finding=perhaps",
    "dispute=any", "book=nowhere",
]
IN_ORDER = 0.02
"""The share of requests that are in order, between all the others: a remark of the director, which has to be taken."""
SECRET = b"hidden-secret-of-the-store"
"""Stands in the environment of the test; no answer may hold it."""


class Thrower:
    """Makes cases, and looks at what is answered."""

    def __init__(
        self, app: Any, tokens: Sequence[str], seed: int, cookies: Sequence[str] = (), ended: Sequence[str] = (),
    ) -> None:
        """`tokens` are in force, as are the `cookies`; `ended` are secrets that show nothing any more, or nothing
        here."""
        self.app, self.tokens, self.chance = app, tokens, random.Random(seed)
        self.cookies, self.ended = cookies, ended
        self.wrong: list[str] = []
        self.counts: Counter[int] = Counter()

    async def throw(self) -> None:
        if self.tokens and self.chance.random() < IN_ORDER:
            await self.write_in_order()
            return
        pick = self.chance.choice
        method = pick(
            ["GET", "GET", "POST", "POST", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "NIX"]
        ) if self.chance.random() < 0.3 else pick(["GET", "POST"])
        path = pick(
            POSTED if method == "POST" and self.chance.random() < 0.8 else PATHS
        ).replace("{m}", pick(MATCHES) if self.chance.random() < 0.2 else "m1").replace("{w}", str(pick(WORDS)))
        body = self.body(path) if method not in ("GET", "HEAD", "OPTIONS") or self.chance.random() < 0.05 else b""
        given = self.headers(body, picture="attachments" in path)
        status, headers, told = await self.ask(method, path, pick(QUERIES), given, self.parts(body))
        self.counts[status] += 1
        where = f"{method} {path[:80]} {body[:120]!r}: {status} {told[:200]!r}"
        kind = dict(headers).get(b"content-type", b"")
        sent = dict(given)
        writes = method not in ("GET", "HEAD", "OPTIONS")
        if (
            200 <= status < 300 and writes and b"cookie" in sent and b"authorization" not in sent
            and sent.get(b"origin") != f"http://{HOST}".encode()
        ):
            self.wrong.append(f"{where} was taken from another page")
        if (
            200 <= status < 300 and method != "OPTIONS"
            and sent.get(b"authorization", b"").removeprefix(b"Bearer ").decode("latin-1") in self.ended
            and path.startswith("/api/v1/") and "schema" not in path and path != "/api/v1/session"
        ):
            self.wrong.append(f"{where} was answered to a secret that has ended")
        if 200 <= status < 300 and sent.get(b"host") != HOST.encode():
            self.wrong.append(f"{where} was answered under another name")
        if status not in FINE:
            self.wrong.append(where)
        elif status >= 400 and method != "HEAD" and status != 304 and not kind.startswith(MEDIA.encode()):
            self.wrong.append(f"{where} ({kind!r} is no problem)")
        if b"Traceback" in told or b".py" in told or SECRET in told:
            self.wrong.append(f"{where} tells of the inside")

    async def write_in_order(self) -> None:
        """Write a remark as a page would: whatever went before, the service takes it."""
        body = b'{"line": "note all is well"}'
        heads = [
            (b"host", HOST.encode()), (b"authorization", f"Bearer {self.tokens[0]}".encode()),
            (b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()),
        ]
        status, _, told = await self.ask(
            "POST", "/api/v1/matches/m1/lines", "", heads, [{"type": "http.request", "body": body, "more_body": False}],
        )
        self.counts[status] += 1
        if status != 201:
            self.wrong.append(f"a remark in order: {status} {told[:200]!r}")

    def headers(self, body: bytes, *, picture: bool = False) -> list[tuple[bytes, bytes]]:
        pick = self.chance.choice
        out = [
            (
                b"host",
                HOST.encode() if self.chance.random() < 0.97 else pick([b"evil.example", b"", b"\xff", b"a" * 500]),
            )
        ]
        cookie = self.cookies and self.chance.random() < 0.1
        if cookie:
            out.append((b"cookie", f"kibitz={pick(self.cookies)}".encode()))
            out += [
                (
                    b"origin",
                    pick(
                        [
                            b"http://evil.example", b"null", f"http://{HOST}".encode(),
                            f"http://{HOST}.evil.example".encode(), b"\xff",
                        ]
                    )
                )
            ] if self.chance.random() < 0.9 else []
        elif self.ended and self.chance.random() < 0.05:
            out.append((b"authorization", f"Bearer {pick(self.ended)}".encode()))
        elif self.chance.random() < 0.9:
            token = pick(self.tokens) if self.chance.random() < 0.9 else pick(["", "x", "x" * 43, "é" * 43, "x" * 5000])
            out.append((b"authorization", f"{pick(['Bearer'] * 18 + ['bearer', 'Basic', ''])} {token}".encode()))
        if self.chance.random() < 0.1:
            out.append((b"cookie", pick([b"kibitz=x", b"kibitz=" + b"x" * 43, b"=;;=", b"\xff", b"a=b; kibitz"])))
        if self.chance.random() < 0.2:
            out.append(
                pick(
                    [
                        (b"origin", b"null"), (b"range", b"bytes=0-"), (b"if-none-match", b"*"), (b"accept", b"\xff"),
                        (b"last-event-id", b"\xff9-x"), (b"content-encoding", b"gzip"), (b"expect", b"100-continue"),
                        (b"x-forwarded-host", b"evil.example"), (b"host", b"evil.example"),
                        (b"x-http-method-override", b"DELETE"), (b"transfer-encoding", b"chunked"),
                        (b"forwarded", b"host=evil.example"), (b"x-original-url", b"/api/v1/grants"),
                        (b"accept-encoding", b"x" * 4000),
                    ]
                )
            )
        kinds = [b"application/json"] * 30 + [
            b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x", b"\xff", b"",
        ]
        out.append(
            (
                b"content-type",
                pick([b"image/png", b"image/jpeg", b"application/pdf", b"image/svg+xml", b"text/html"]) if picture
                and self.chance.random() < 0.9 else pick(kinds)
            )
        )
        if self.chance.random() < 0.95:
            length = str(len(body)).encode() if self.chance.random() < 0.97 else pick(
                [b"-1", b"x", b"99999999999999999999", b"1e3", b""]
            )
            out.append((b"content-length", length))
        return out

    def body(self, path: str) -> bytes:
        pick, chance = self.chance.choice, self.chance.random()
        if path.endswith("/attachments"):
            return bytes(pick(PICTURES))
        if chance < 0.6:
            if path.endswith("/lines"):
                made: Any = {
                    "line": pick(LINES),
                    **({"key": pick(["", "k1", "k2", "x" * 300])} if self.chance.random() < 0.5 else {}),
                    **({"expect": pick([0, 3, -1, 10**9, None, "x"])} if self.chance.random() < 0.3 else {})
                }
            elif path.endswith("/events"):
                made = {
                    "events": [pick(EVENTS) for _ in range(self.chance.randrange(4))], "key": pick(["", "k3", None]),
                }
            elif path.endswith("/grants"):
                made = {
                    "subject": pick(WORDS), "role": pick(["director", "recorder", "seat", "spectator", "x"]),
                    "match": pick(["m1", "", "x"]), "seat": pick(["", "N", "Z"]),
                }
            else:
                made = {pick(KEYS): pick(WORDS) for _ in range(self.chance.randrange(5))}
        elif chance < 0.65:
            made = {pick(KEYS): pick(WORDS) for _ in range(self.chance.randrange(8))}
        else:
            return bytes(
                pick(
                    [
                        b"", b"{", b"[" * 30_000, b'{"line":' * 2000, b"\xff\xfe\x00", b"null", b"0", b'"x"', b"NaN",
                        b'{"line":NaN}', b'{"line":"\\ud800"}', b"x" * 70_000, b'{"a":1}{"b":2}', b"\x00" * 100,
                        b'{"events":[' + b"{}," * 5000 + b"{}]}",
                    ]
                )
            )
        return json.dumps(made).encode(
            "utf-8", "surrogatepass",
        ) if self.chance.random() < 0.1 else json.dumps(made).encode()

    def parts(self, body: bytes) -> list[Any]:
        """The body as it comes: at once, in pieces, or broken off."""
        chance = self.chance.random()
        if chance < 0.8 or not body:
            return [{"type": "http.request", "body": body, "more_body": False}]
        cut = self.chance.randrange(len(body)) if body else 0
        pieces: list[Any] = [{"type": "http.request", "body": body[:cut], "more_body": True}]
        if chance < 0.95:
            return [*pieces, {"type": "http.request", "body": body[cut:], "more_body": False}]
        return [*pieces, {"type": "http.disconnect"}]

    async def ask(
        self, method: str, path: str, query: str, headers: list[tuple[bytes, bytes]], parts: list[Any],
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        from urllib.parse import unquote

        raw = path.encode("utf-8", "surrogatepass")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": unquote(path), "raw_path": raw, "query_string": query.encode(), "root_path": "", "headers": headers,
            "client": ("127.0.0.1", 1), "server": (HOST, 80), "state": {},
        }  # fmt: skip
        waiting, sent = list(parts), list[Any]()

        async def receive() -> Any:
            if waiting:
                return waiting.pop(0)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        try:
            async with asyncio.timeout(20):
                await self.app(scope, receive, send)
        except Exception as error:
            # A server would answer 500 to this, unless nobody is there any more.
            if any(part["type"] == "http.disconnect" for part in parts):
                return 400, [(b"content-type", MEDIA.encode())], b""
            return 500, [], repr(error).encode()
        if not sent:
            return 400 if any(
                part["type"] == "http.disconnect" for part in parts
            ) else 599, [(b"content-type", MEDIA.encode())], b""
        return sent[0]["status"], list(sent[0]["headers"]), b"".join(m.get("body", b"") for m in sent[1:])


async def thrown(
    app: Any, tokens: Sequence[str], cases: int, seed: int, cookies: Sequence[str] = (), ended: Sequence[str] = (),
) -> Thrower:
    """Throw so many cases, some at once, and tell what was wrong."""
    thrower = Thrower(app, tokens, seed, cookies, ended)
    done = 0
    while done < cases:
        many = min(8, cases - done)
        await asyncio.gather(*(thrower.throw() for _ in range(many)))
        done += many
    return thrower
