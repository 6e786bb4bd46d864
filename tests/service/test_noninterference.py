"""Nobody is told what is not theirs: two matches that differ only in what somebody may not see are the same to them,
byte for byte, whatever they ask, at every step through a hand and into the next. A route that is not in the table
below fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import anyio
import msgspec
import pytest
from msgspec.structs import replace
from sampling import Run, a_few, lot
from service_at import HOST, Asker, Evening, evening
from unlike import hand_numbers, hides_something, other_cards

from events.errors import KibitzError
from events.model import EVENT_TYPES, Event, Fault, Note, Pass, Play, Recorded
from reducers.registry import PAGES, find_game
from replay import visibility
from replay.fold import fold
from replay.paper.formats import MOVEMENT, SEASON, SHEET, ending_of
from replay.redact import hide
from replay.simulate import simulate
from replay.table.session import Session
from service.app import HANDLERS
from service.audiences import Delay
from service.grants import ROLES, Role
from service.request_context import service_of

ID = "m1"
# What is asked in the test, by the route that answers it; those without a path are asked in another way, as it says
# there.
ASKED: dict[str, tuple[str, ...]] = {
    "GET /api/v1/matches/{match:str}": (f"/matches/{ID}",),
    "GET /api/v1/matches/{match:str}/pad": (
        f"/matches/{ID}/pad", f"/matches/{ID}/pad?at=5", f"/matches/{ID}/pad?at=5&behind=true",
    ),
    "GET /api/v1/matches/{match:str}/lines": (
        f"/matches/{ID}/lines", f"/matches/{ID}/lines?hand=1", f"/matches/{ID}/lines?hand=2&seat=A",
    ),
    "GET /api/v1/matches/{match:str}/result": (f"/matches/{ID}/result", f"/matches/{ID}/result?said=-"),
    "GET /api/v1/matches/{match:str}/events": (f"/matches/{ID}/events", f"/matches/{ID}/events?after=3"),
    "GET /api/v1/matches/{match:str}/frames": (f"/matches/{ID}/frames",),
    "GET /api/v1/matches/{match:str}/findings": (f"/matches/{ID}/findings",),
    "GET /api/v1/worth-opening": ("/worth-opening", "/worth-opening?book=home"),
    "GET /api/v1/matches/{match:str}/score": (f"/matches/{ID}/score",),
    **{
        f"GET /api/v1/matches/{{match:str}}/sheet.{form}": (f"/matches/{ID}/sheet.{form}",)
        for form in map(ending_of, SHEET) if form != "md"
    },
    "GET /api/v1/matches/{match:str}/sheet.md": tuple(
        f"/matches/{ID}/sheet.md{more}" for more in ("", "?wall=true", "?hand=1", "?hand=2")
    ),
    "GET /api/v1/matches/{match:str}/report": (f"/matches/{ID}/report?hand=1", f"/matches/{ID}/report?hand=2"),
    "GET /api/v1/matches/{match:str}/kib": (f"/matches/{ID}/kib",),
    "GET /api/v1/matches/{match:str}/bundle": (f"/matches/{ID}/bundle",),
    "GET /api/v1/matches/{match:str}/attachments": (f"/matches/{ID}/attachments",),
    "GET /api/v1/matches/{match:str}/attachments/{n:int}": tuple(
        f"/matches/{ID}/attachments/{n}" for n in (1, 5, 8, 11)
    ),
    "GET /api/v1/matches/{match:str}/disputes": (f"/matches/{ID}/disputes",),
    "GET /api/v1/matches/{match:str}/ruled": (f"/matches/{ID}/ruled?line=%40%20ruling%20%231%20rule%3DR1",),
    "GET /api/v1/matches/{match:str}/live": (),  # Pair.streams
    "GET /api/v1/matches": (
        "/matches", "/matches?game=kaiser", "/matches?player=Ann", "/matches?limit=1&after=m1", "/matches?book=home",
    ),
    "GET /api/v1/board": ("/board", "/board?book=home", "/board?whole=true"),
    "GET /api/v1/season": ("/season", "/season?book=home", "/season?by=points&breaches=true&player=Ann"),
    "GET /api/v1/season-tables": ("/season-tables", "/season-tables?book=home&grid=true"),
    **{f"GET /api/v1/season.{form}": (f"/season.{form}",) for form in map(ending_of, SEASON)},
    "GET /api/v1/hung-out": ("/hung-out",),
    "GET /api/v1/hung-out.html": ("/hung-out.html", "/hung-out.html?book=home"),
    "GET /api/v1/books": ("/books",),
    "GET /api/v1/plays.bgsplay": ("/plays.bgsplay?book=home",),
    **{f"GET /api/v1/evening.{form}": (f"/evening.{form}",) for form in map(ending_of, SHEET)},
    "GET /api/v1/proof": ("/proof", "/proof?book=home"),
    "GET /api/v1/backup": ("/backup",),
    "POST /api/v1/results": (),  # Pair.writings
    "GET /api/v1/movement": ("/movement?book=home",),
    **{f"GET /api/v1/movement.{form}": (f"/movement.{form}?book=home",) for form in map(ending_of, MOVEMENT)},
    "POST /api/v1/movement": (),  # Pair.writings
    "POST /api/v1/checkpoint": (),  # Pair.writings
    "POST /api/v1/matches/{match:str}/book": (),  # Pair.writings
    "POST /api/v1/matches/{match:str}/called": (),  # Pair.writings
    "GET /api/v1/players": ("/players", "/players?book=home"),
    "GET /api/v1/find": ("/find?comment=with%20N", "/find?finding=broken", "/find?score=%3E0", "/find?book=home"),
    "POST /api/v1/hung-out": (),  # Pair.writings
    "POST /api/v1/players": (),  # Pair.writings
    "DELETE /api/v1/hung-out": (),  # Pair.writings
    "GET /api/v1/submissions/{key:str}": (f"/submissions/none?match={ID}",),
    "POST /api/v1/matches/{match:str}/lines": (),  # Pair.writings
    "POST /api/v1/matches/{match:str}/events": (),  # Pair.writings
    "POST /api/v1/matches/{match:str}/attachments": (),  # Pair.writings
    "POST /api/v1/matches/{match:str}/open": (),  # Pair.writings
    "DELETE /api/v1/matches/{match:str}/attachments/{n:int}": (),  # Pair.writings
}
# Says nothing of a match.
SILENT = {
    *(f"GET /api/v1/games/{{game:str}}/blank.{form}" for form in map(ending_of, SHEET)),
    "POST /api/v1/session", "DELETE /api/v1/session", "GET /api/v1/me", "GET /api/v1/grants", "POST /api/v1/grants",
    "DELETE /api/v1/grants/{grant:str}", "POST /api/v1/code", "GET /api/v1/games",
    "GET /api/v1/games/{game:str}/house-rules", "GET /api/v1/games/{game:str}/rules", "POST /api/v1/matches", "GET /",
    "GET /enter", "GET /t/{match:str}", "GET /m/{match:str}", "GET /director", "GET /board", "GET /season",
    "GET /players", "GET /find", "GET /book", "GET /static/{name:str}", "GET /static/{language:str}/{name:str}",
    "GET /healthz", "GET /metrics",
}  # fmt: skip


def all_routes() -> set[str]:
    """Every route there is."""
    found = set()
    for handler in HANDLERS:
        found |= {
            f"{method} {path}" for method in handler.http_methods if method in ("GET", "POST", "DELETE", "PUT", "PATCH")
            for path in handler.paths
        }
    return found


def test_every_route_is_in_the_table() -> None:
    """If this failed, a route would answer that nobody has asked about hidden cards."""
    assert all_routes() == set(ASKED) | SILENT


# Two matches that are alike


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
Told = tuple[str, int, bytes, tuple[tuple[str, str], ...]]
"""What was asked, and all that came: the status, the body, the headers but for the moment."""


def told_by(what: str, answer: Any) -> Told:
    return what, answer.status_code, answer.content, tuple(
        sorted((k, v) for k, v in answer.headers.items() if k != "date")
    )


class Pair:
    """Two services, each with one match, and one who asks both of them the same.

    With `readers`, two more services over the same two stores are asked, while the record goes on through the first
    two."""

    def __init__(
        self, clubs: Sequence[Evening], logs: Sequence[Sequence[Recorded]], role: Role, seat: str,
        readers: Sequence[Evening] = (),
    ) -> None:
        self.clubs, self.logs, self.role, self.readers = clubs, logs, role, readers or clubs
        self.at = 0
        self.found: list[str] = []
        self.ids = ["", ""]
        self.match = "" if role == "director" else ID
        self.askers = [reader.as_(role, self.match, seat) for reader in self.readers]
        self.directors = [club.as_("director") for club in clubs]

    def go_on(self, upto: int) -> None:
        """So many events of the logs are recorded."""
        for club, log in zip(self.clubs, self.logs, strict=True):
            if self.at == 0:
                club.match(log[:upto], str(log[0].event.facts["Game"]))
            elif log[self.at : upto]:
                club.service.shared.append(
                    ID, [replace(r, n=0, key="") for r in log[self.at : upto]], key=log[self.at].key,
                )
        self.at = upto
        self.notice()

    def notice(self) -> None:
        """The services that are asked look at what others wrote, as they do every second."""
        for reader in self.readers:
            reader.service._look()
            reader.service.wrote()

    def remark(self, *, sealed: bool) -> None:
        """The directors write something, each other words and of another length, and attach another picture."""
        for i, director in enumerate(self.directors):
            text = ("the ace of hearts was with N", "nothing, and more")[i]
            assert director.line(ID, f"note 1 {text}", sealed=sealed).status_code == 201
            query = f"?about=1&text={quote(text)}{'&sealed=true' if sealed else ''}"
            answer = director.client.post(
                f"/api/v1/matches/{ID}/attachments{query}", content=PNG + bytes(10 + 7 * i),
                headers={**director.headers, "content-type": "image/png"},
            )
            assert answer.status_code == 201, answer.text
        self.notice()

    def open(self, hand: int) -> None:
        for director in self.directors:
            assert director.post(f"/matches/{ID}/open", {"hand": hand}).status_code == 204
        self.notice()

    def both(self, ask: Callable[[Asker], Iterator[Told]]) -> None:
        """Ask both; what is not the same is found."""
        for left, right in zip(ask(self.askers[0]), ask(self.askers[1]), strict=True):
            if left != right:
                where = next(
                    (k for k, (a, b) in enumerate(zip(left[2], right[2], strict=False)) if a != b),
                    min(len(left[2]), len(right[2])),
                )
                self.found.append(
                    f"after {self.at}: {left[0]}: {left[1]} {left[2][max(0, where - 60) : where + 60]!r}, "
                    f"{right[1]} {right[2][max(0, where - 60) : where + 60]!r}"
                )

    def step(self) -> None:
        """Ask everything at this moment."""
        self.both(readings)
        self.streams()

    def streams(self) -> None:
        """What is told to those who follow: from the beginning, and from where they were last."""
        told = []
        for i, reader in enumerate(self.readers):
            first, later = (streamed(reader, self.askers[i], since) for since in ("", self.ids[i]))
            told.append((first, later))
            self.ids[i] = last_id(later[1]) or last_id(first[1]) or self.ids[i]
        if told[0] != told[1]:
            self.found.append(f"after {self.at}: live: {told[0]!r:.300}, {told[1]!r:.300}")

    def writings(self) -> None:
        """What is answered to those who write, or try to."""
        log = self.logs[0]
        cards = sorted(
            {
                card for mine, other in zip(*self.logs, strict=False) if mine != other
                for _, cs in getattr(mine.event, "piles", ()) for card in cs if "?" not in card and card != "*"
            }
        )
        seats = find_game(str(log[0].event.facts["Game"])).seating.usual
        if self.role == "recorder":
            # Whoever records may end the hand, and sees it then.
            cards = [card for card in cards if goes_on(log, card)]
        lines = [
            "?? zz", *cards[:2], *(f"{seat} play {cards[-1]}" for seat in seats[:2] if cards),
            f"{seats[0]} dispute #2 revoke", f"{seats[0]} claim", "undo", "undo line", "fix 3 pass",
        ]
        if self.role != "recorder":
            lines += ["end hand"]

        def write(asker: Asker) -> Iterator[Told]:
            for k, line in enumerate(lines):
                told = asker.line(ID, line, key=f"k{k}")
                yield told_by(f"the line {line!r}", told)
                if "doubts" in told.text:
                    yield told_by(f"the line {line!r} as played", asker.line(ID, line, as_played=True))
            yield told_by("a line sent again", asker.line(ID, lines[-1], key=f"k{len(lines) - 1}"))
            yield told_by("a line of a stale writer", asker.line(ID, "note 1 x", expect=1))
            yield told_by("a line with the key of another", asker.line(ID, "note 1 y", key="k0"))
            for body in (
                {"events": [{"n": 1, "event": {"verb": "pass", "by": seats[0]}}], "expect": 1},
                {"events": [{"n": 1, "event": {"verb": "pass", "by": seats[0]}}], "key": "e1"},
            ):
                yield told_by("events", asker.post(f"/matches/{ID}/events", body))
            yield told_by("a submission", asker.get(f"/submissions/k0?match={ID}"))
            yield told_by("to open a hand", asker.post(f"/matches/{ID}/open", {"hand": 1}))
            yield told_by("to hang a table out", asker.post("/hung-out", {"book": "home"}))
            yield told_by("to take a table down", asker.delete("/hung-out?book=home"))
            yield told_by("to link a player", asker.post("/players", {"did": "add", "name": "Ann"}))
            yield told_by("results", asker.client.post("/api/v1/results", content=b"a,b\n1,2", headers=asker.headers))
            yield told_by(
                "a movement",
                asker.post(
                    "/movement",
                    {"book": "home", "day": "2026-03-14", "game": "pad", "entrants": ["Ann", "Bo", "Cy", "Di"]},
                )
            )
            yield told_by("to sign the book", asker.post("/checkpoint", {"book": "home"}))
            yield told_by("to move the match", asker.post(f"/matches/{ID}/book", {"book": "other"}))
            yield told_by("to rename it", asker.post(f"/matches/{ID}/called", {"title": "x"}))
            yield told_by("to take a picture away", asker.delete(f"/matches/{ID}/attachments/2"))
            yield told_by(
                "a picture",
                asker.client.post(
                    f"/api/v1/matches/{ID}/attachments", content=PNG,
                    headers={**asker.headers, "content-type": "image/png"},
                )
            )

        self.both(write)


def goes_on(log: Sequence[Recorded], card: str) -> bool:
    """Whether the hand is still played once somebody has typed this card."""
    seen_by_all = list(hide(log, "public"))
    try:
        events = Session(seen_by_all).complete(card).events
    except KibitzError:
        return True
    state = fold([*seen_by_all, *(Recorded(n=n, event=r.event) for n, r in enumerate(events, len(log)))])
    return state.phase not in ("between", "over") and not state.settled


def readings(asker: Asker) -> Iterator[Told]:
    """Every route that is read, as a whole and as somebody asks who has it already."""
    for paths in ASKED.values():
        for path in paths:
            told = asker.get(path)
            assert told.status_code in (200, 400, 403, 404), (path, told.text)
            yield told_by(path, told)
            if (tag := told.headers.get("etag", "")) and path.endswith(("/frames", "/events", "/board")):
                yield told_by(f"{path}, again", asker.get(path, headers={"if-none-match": tag}))


def streamed(club: Evening, asker: Asker, since: str) -> tuple[list[Any], bytes]:
    """The head and the bytes of a stream, up to where it waits."""
    sent: list[Any] = []

    async def follow() -> None:
        waits = anyio.Event()

        async def receive() -> Any:
            if not sent:
                return {"type": "http.request", "body": b"", "more_body": False}
            with anyio.move_on_after(5):
                await waits.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            body = message.get("body", b"")
            # The news come in one piece; who has all of them is told nothing but when to come again.
            if body and (not body.startswith(b"retry") or has_all):
                waits.set()

        headers = [(b"host", HOST.encode()), *((k.encode(), v.encode()) for k, v in asker.headers.items())]
        scope: Any = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": f"/api/v1/matches/{ID}/live", "raw_path": f"/api/v1/matches/{ID}/live".encode(),
            "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1), "server": (HOST, 80), "state": {},
            "headers": [*headers, (b"last-event-id", since.encode())] if since else headers,
        }  # fmt: skip
        await club.client.app(scope, receive, send)

    has_all = bool(since) and since == asker.get(f"/matches/{ID}/frames").json().get("follow")
    with club.client.portal() as portal:
        portal.call(follow)
    return [
        (m["status"], sorted(m["headers"])) for m in sent if m["type"] == "http.response.start"
    ], b"".join(m.get("body", b"") for m in sent)


def last_id(stream: bytes) -> str:
    ids = [line[4:].decode() for line in stream.split(b"\n") if line.startswith(b"id: ")]
    return ids[-1] if ids else ""


# What is asked of whom


class Case(NamedTuple):
    """Who asks, and how the two matches differ.

    `hands` are those whose hidden cards differ; it is looked at from the first of them on. `likely`: only in cards
    that nobody of them is ever shown, else in all. `opened`: the first hand is opened to all once it is over.
    `beside`: a second service over the same store is asked. `delay`: that of spectators.
    """

    role: Role
    hands: tuple[int, ...]
    likely: bool = False
    opened: bool = False
    beside: bool = False
    delay: Delay = Delay()

    def __str__(self) -> str:
        said = {"likely": self.likely, "opened": self.opened, "beside": self.beside, "late": self.delay != Delay()}
        return "-".join([self.role, "+".join(map(str, self.hands)), *(word for word, so in said.items() if so)])


CASES = [
    Case("spectator", (1, 2)), Case("spectator", (1, 2), likely=True), Case("spectator", (2,), opened=True),
    Case("seat", (1, 2)), Case("seat", (2,), likely=True, opened=True), Case("recorder", (1,)), Case("recorder", (2,)),
    Case("recorder", (1,), likely=True), Case("spectator", (1, 2), beside=True), Case("seat", (1, 2), beside=True),
    Case("spectator", (1, 2), delay=Delay(late=2)), Case("spectator", (1, 2), beside=True, delay=Delay(late=1)),
]  # fmt: skip
"""A recorder sees a hand that is over: there the two may not differ."""
EACH = 1
"""So many games are asked of each case every time, drawn by their lots; all of them with the soak."""


def cells() -> list[Any]:
    out = []
    for case in CASES:
        quick = sorted(PAGES, key=lambda game, case=case: lot("noninterference", game, case))[:EACH]
        games = quick if Run.quick else PAGES
        always = () if case in (CASES[0], CASES[3]) else pytest.mark.rest
        out += [
            pytest.param(game, case, marks=always if game in quick else pytest.mark.slow, id=f"{game}-{case}")
            for game in games
        ]
    return out


def between(hand: range) -> list[int]:
    """Where a hand is looked at: once it is dealt, in the middle, before its last event."""
    return sorted({min(hand[0] + 3, hand[-1]), (hand[0] + hand[-1]) // 2, hand[-1]})


def pair_of(game: str, case: Case, seed: int) -> tuple[Case, str, list[Recorded], list[Recorded], list[int]]:
    """The case as this game has it, a seat, the two logs, and the steps at which they are looked at."""
    log = simulate(game, seed=seed, hands=2)
    numbers = hand_numbers(log)
    if 2 not in numbers:
        case = case._replace(hands=(1,), opened=False)  # one hand is the match
    first, second = (range(numbers.index(n), len(numbers) - numbers[::-1].index(n)) for n in (1, numbers[-1]))
    # What is over is seen by recorders, and most of it by everybody: there nothing may differ, or nothing is left
    # that could.
    short = case.likely or case.role == "recorder"
    steps = [first.stop]
    if case.hands[0] == 1:
        steps = between(first)[:2] if short and case.hands == (1,) else [*between(first), first.stop]
    if case.hands[-1] == 2:
        steps += between(second)[:2] if short else [*between(second)[:2], second.stop]
    log = log[: steps[-1]]
    seat = find_game(game).seating.usual[0]
    viewer = seat if case.role == "seat" else "public"
    other = other_cards(log, viewer, case.hands, seed, likely=case.likely)
    assert hide(other, viewer) == hide(log, viewer)
    # Whatever is said beside the cards is for those who record.
    if case.role != "recorder":
        log = [replace(r, text="", recorder="Ann", key=f"a{r.n}") for r in log]
        other = [
            replace(r, text="the king is with N" if r.n % 3 else "", glyphs=(1,), recorder="Bo", key=f"key {r.n}")
            for r in other
        ]
    return case, seat, log, other, steps


def compared(place: Path, game: str, case: Case, seed: int) -> list[str]:
    """Where two matches differ to somebody, at any of these steps."""
    case, seat, log, other, steps = pair_of(game, case, seed)
    with ExitStack() as stack:
        for name in ("one", "other"):
            (place / name).mkdir()
        clubs, *beside = (
            [stack.enter_context(evening(place / name, still=True, delay=case.delay)) for name in ("one", "other")]
            for _ in range(1 + case.beside)
        )
        pair = Pair(clubs, (log, other), case.role, seat if case.role == "seat" else "", *beside)
        for k, step in enumerate(steps):
            pair.go_on(step)
            if k == 0:
                pair.remark(sealed=case.role == "recorder")
            if case.opened and k == 0:
                pair.open(1)
            pair.step()
        pair.writings()
        pair.step()
    return pair.found


@pytest.mark.parametrize(("game", "case"), cells())
def test_what_is_hidden_makes_no_difference(tmp_path: Path, game: str, case: Case) -> None:
    """If this failed, something would tell somebody of cards that are not theirs, or of words and pictures that are
    for others."""
    case, _, log, other, _ = pair_of(game, case, 1)
    # Where nothing is hidden in these hands, or nothing of it is left to be changed, remarks alone differ.
    assert log != other or case.likely or not hides_something(log, "public", case.hands) or case.role == "seat"
    assert compared(tmp_path, game, case, 1) == []


@pytest.mark.parametrize(
    ("game", "hands"),
    [
        *a_few([("kaiser", 1), ("kaiser", 2)], 1),
        *(pytest.param(game, 1, marks=pytest.mark.slow) for game in PAGES if game != "kaiser"),
    ]
)
def test_what_comes_later_makes_no_difference_now(tmp_path: Path, game: str, hands: int) -> None:
    """If this failed, a delay would hide the cards and tell of them all the same: two matches that are the same but
    for the last minutes are the same to spectators, whatever was played in them."""
    one, other = (simulate(game, seed=seed, hands=hands) for seed in (1, 2))
    # All of it was entered just now.
    one, other = ([replace(r, time="") for r in log] for log in (one, [one[0], *other[1:]]))
    assert one != other
    with ExitStack() as stack:
        clubs = []
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            clubs.append(stack.enter_context(evening(tmp_path / name, still=True, delay=Delay(minutes=5))))
        pair = Pair(clubs, (one, other), "spectator", "")
        pair.go_on(1)
        pair.step()
        pair.go_on(max(len(one), len(other)))
        pair.remark(sealed=False)
        pair.step()
        pair.writings()
    assert pair.found == []


@pytest.mark.rest
def test_the_trick_on_the_table_makes_no_difference_to_those_who_see_it_later(tmp_path: Path) -> None:
    log = simulate("kaiser", seed=1, hands=1)
    plays = [i for i, r in enumerate(log) if isinstance(r.event, Play)]
    one = log[: plays[14]]
    # Another second card in this trick, and a third one besides.
    other = [
        *log[: plays[13]], replace(log[plays[13]], event=replace(log[plays[13]].event, cards=("7c",))), log[plays[14]],
    ]
    with ExitStack() as stack:
        clubs = []
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            clubs.append(stack.enter_context(evening(tmp_path / name, still=True, delay=Delay(late=1))))
        pair = Pair(clubs, (one, other), "spectator", "")
        pair.go_on(plays[12])
        pair.step()
        pair.go_on(plays[15])
        pair.step()
    assert pair.found == []


@pytest.mark.rest
def test_a_hidden_card_does_not_move_the_end_of_a_delay(tmp_path: Path) -> None:
    """If this failed, spectators would learn from how far they see that an unseen card has ended a turn or a hand."""
    assert compared(tmp_path, "mattis", Case("spectator", (1, 2), delay=Delay(late=2)), 1) == []


# The controls


@pytest.mark.rest
def test_a_director_sees_the_difference(tmp_path: Path) -> None:
    """If this failed, the two matches would be the same to everybody, and the tests above would show nothing."""
    assert compared(tmp_path, "kaiser", Case("director", (1,), likely=True), 1)


HOLES: dict[str, tuple[str, str, Any, Case, str]] = {
    # What is broken: where, by what, who should then be told something they may not know, and by which route.
    "cards": (
        "replay.visibility.Shown", "_plain", lambda self, event, whole: event, Case("spectator", (1,), likely=True),
        "/events",
    ),
    "the hand of others": (
        "replay.visibility.Shown", "_plain", lambda self, event, whole: event, Case("seat", (1,), likely=True), "live",
    ),
    "remarks": (
        "replay.visibility", "ENVELOPE", visibility.ENVELOPE | visibility.REMARKS, Case("spectator", (1,), likely=True),
        "/kib",
    ),
    "findings of the true record": (
        "service.tables.View", "read", property(lambda self: _true(self)), Case("spectator", (1,), likely=True),
        "/frames",
    ),
    "a hand that is still played": (
        "replay.visibility.Shown", "whole", lambda self, hand, hands: True, Case("recorder", (1,), likely=True),
        "/frames",
    ),
    "a search by anybody": (
        "service.seasons", "admitted", lambda request, book: (service_of(request), book),
        Case("spectator", (1,), likely=True), "/find",
    ),
    "sealed pictures": ("replay.visibility", "SEALED", "nothing", Case("recorder", (1,), likely=True), "/attachments"),
}


def _true(view: Any) -> Any:
    from replay.read_log import read_log

    return read_log(view._source)


@pytest.mark.parametrize(
    "hole", [pytest.param(hole, marks=pytest.mark.rest if n else ()) for n, hole in enumerate(HOLES)],
)
def test_a_hole_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hole: str) -> None:
    """The control: with a hole made on purpose, it is found, by the route that it opens."""
    where, name, broken, case, route = HOLES[hole]
    monkeypatch.setattr(f"{where}.{name}", broken)
    found = compared(tmp_path, "kaiser", case, 1)
    assert any(route in one for one in found), found[:3]


HIDDEN = {"End": {"facts"}, "Note": {"facts"}}
"""The fields that nobody but those who record and direct may see."""


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda t: t.__name__)
def test_every_field_was_looked_at(kind: type[Event]) -> None:
    """If this failed, somebody gave an event a field, and nobody has said yet who may see it (it is hidden until
    then)."""
    assert {f.name for f in msgspec.structs.fields(kind)} == visibility.FIELDS[kind] | HIDDEN.get(kind.__name__, set())


def test_a_field_that_is_not_listed_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a new field of an event would be public from the day it is written."""
    shown = visibility.Shown(simulate("kaiser", seed=1, hands=1), visibility.Audience())
    fault = Fault(by="@", word="revoke", who="N")
    assert shown.event(fault, False) == fault
    monkeypatch.setitem(visibility.FIELDS, Fault, frozenset({"by", "word"}))
    assert shown.event(fault, False) == Fault(by="@", word="revoke")
    monkeypatch.delitem(visibility.FIELDS, Fault)
    assert shown.event(fault, False) == Note(by="@")


def test_what_is_noted_of_a_line_is_for_those_who_record() -> None:
    """If this failed, a remark such as `the ace is still there` would be read in the hall."""
    line = Recorded(n=1, event=Pass(by="N"), text="she has the ace", glyphs=(1,), recorder="Ann", key="k")
    opening = simulate("kaiser", seed=1, hands=1)[0]
    assert visibility.Shown([opening], visibility.Audience()).recorded(line, False) == Recorded(n=1, event=Pass(by="N"))
    assert visibility.Shown([opening], visibility.Audience(remarks=True)).recorded(line, False) == line


def test_a_sealed_remark_is_for_directors() -> None:
    """If this failed, a director could note nothing for later."""
    line = Recorded(n=1, event=Note(by="@", facts={visibility.SEALED: True}), text="ask him again")
    opening = simulate("kaiser", seed=1, hands=1)[0]
    assert visibility.Shown(
        [opening], visibility.Audience(remarks=True, after=True),
    ).recorded(line, True) == Recorded(n=1, event=Note(by="@"))


def test_roles_are_all_asked() -> None:
    """If this failed, a new role would be asked about nothing."""
    assert set(ROLES) == {"director", "recorder", "seat", "spectator"}
