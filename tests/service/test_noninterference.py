"""Nobody is told what is not theirs: two matches that differ only in cards that somebody may not see are the same to them, byte for
byte, whatever they ask, at every step. A route that is not in the table below fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sampling import seeds
from service_at import Asker, Evening, evening

from events.model import EVENT_TYPES, Deal, Event, Fault, Note, Pass, Recorded
from reducers.registry import find
from replay.redact import hide
from replay.simulate import simulate
from service import live, pages, routes, seen
from service.grants import ROLES, Role
from service.tables import Feed

ID = "m1"
# What is asked in the test, by the route that answers it; "-" for a route that says nothing of a match, with the reason.
ASKED: dict[str, tuple[str, ...]] = {
    "GET /api/v1/matches/{match:str}": (f"/matches/{ID}",),
    "GET /api/v1/matches/{match:str}/pad": (f"/matches/{ID}/pad",),
    "GET /api/v1/matches/{match:str}/result": (f"/matches/{ID}/result", f"/matches/{ID}/result?said=-"),
    "GET /api/v1/matches/{match:str}/events": (f"/matches/{ID}/events", f"/matches/{ID}/events?after=3"),
    "GET /api/v1/matches/{match:str}/frames": (f"/matches/{ID}/frames",),
    "GET /api/v1/matches/{match:str}/findings": (f"/matches/{ID}/findings",),
    "GET /api/v1/matches/{match:str}/score": (f"/matches/{ID}/score",),
    "GET /api/v1/matches/{match:str}/sheet.html": (f"/matches/{ID}/sheet.html",),
    "GET /api/v1/matches/{match:str}/sheet.csv": (f"/matches/{ID}/sheet.csv",),
    "GET /api/v1/matches/{match:str}/sheet.md": (f"/matches/{ID}/sheet.md",),
    "GET /api/v1/matches/{match:str}/sheet.xlsx": (),  # has the time of its making in it; made of the same sheet as the others
    "GET /api/v1/matches/{match:str}/sheet.pdf": (),  # the same
    "GET /api/v1/matches/{match:str}/report": (f"/matches/{ID}/report?hand=1", f"/matches/{ID}/report?hand=2"),
    "GET /api/v1/matches/{match:str}/kib": (f"/matches/{ID}/kib",),
    "GET /api/v1/matches/{match:str}/bundle": (f"/matches/{ID}/bundle",),
    "GET /api/v1/matches/{match:str}/live": (),  # asked below, as a stream
    "GET /api/v1/matches": ("/matches", "/matches?game=kaiser"),
    "GET /api/v1/board": ("/board",),
    "GET /api/v1/submissions/{key:str}": (f"/submissions/none?match={ID}",),
    "POST /api/v1/matches/{match:str}/lines": (),  # asked below
    "POST /api/v1/matches/{match:str}/events": (),  # asked below
}
# Says nothing of a match.
SILENT = {
    "POST /api/v1/session", "DELETE /api/v1/session", "GET /api/v1/me", "GET /api/v1/grants", "POST /api/v1/grants", "DELETE /api/v1/grants/{grant:str}",
    "POST /api/v1/code", "GET /api/v1/games", "POST /api/v1/matches", "POST /api/v1/matches/{match:str}/open", "GET /", "GET /enter",
    "GET /t/{match:str}", "GET /m/{match:str}", "GET /director", "GET /board", "GET /static/{name:str}", "GET /healthz", "GET /metrics",
}  # fmt: skip


def all_routes() -> set[str]:
    """Every route there is."""
    found = set()
    for handler in (*routes.HANDLERS, *live.HANDLERS, *pages.HANDLERS):
        found |= {f"{method} {path}" for method in handler.http_methods if method in ("GET", "POST", "DELETE", "PUT", "PATCH") for path in handler.paths}
    return found


def test_every_route_is_in_the_table() -> None:
    """If this failed, a route would answer that nobody has asked about hidden cards."""
    assert all_routes() == set(ASKED) | SILENT


def other_cards(records: Sequence[Recorded]) -> list[Recorded]:
    """The same match, but other cards where nobody of the public sees them: the dealt hands are turned round among the seats."""
    return [r if not isinstance(r.event, Deal) else replace(r, event=replace(r.event, piles=turned(r.event.piles))) for r in records]


def turned(piles: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Packets of as many cards change places."""
    hands = [(name, cards) for name, cards in piles if not any("?" in c for c in cards)]
    sizes = {len(cards) for _, cards in hands}
    if len(sizes) != 1 or len(hands) < 2:
        return piles
    moved = dict(zip([name for name, _ in hands], [cards for _, cards in [*hands[1:], hands[0]]], strict=True))
    return tuple((name, moved.get(name, cards)) for name, cards in piles)


def alike(one: Sequence[Recorded], other: Sequence[Recorded], viewer: str) -> bool:
    """Whether two logs are the same to this viewer, and differ for somebody."""
    return hide(one, viewer) == hide(other, viewer) and list(one) != list(other)


def answers(asker: Asker) -> Iterator[tuple[str, int, bytes, list[tuple[str, str]]]]:
    for paths in ASKED.values():
        for path in paths:
            told = asker.get(path)
            yield path, told.status_code, told.content, sorted((k, v) for k, v in told.headers.items() if k != "date")
    for path, body in (
        (f"/matches/{ID}/lines", {"line": "?? zz", "key": "a"}), (f"/matches/{ID}/lines", {"line": "note 1 x", "expect": 1}),
        (f"/matches/{ID}/events", {"events": [{"n": 1, "event": {"verb": "pass", "by": "N"}}], "expect": 1}),
    ):  # fmt: skip
        told = asker.post(path, body)
        yield path, told.status_code, told.content, sorted((k, v) for k, v in told.headers.items() if k != "date")


def stream_of(club: Evening, role: Role, seat: str) -> bytes:
    """What a stream would have told."""
    table = club.service.tables.at(ID)
    grant = club.service.grants.give("x", role, match="" if role == "director" else ID, seat=seat)
    view = table.view(club.service.audience(grant, ID))
    feed: Feed = view.feed
    return b"".join(feed.messages) + "".join(feed.ids.values()).encode()


def compared(tmp_path: Path, one: Sequence[Recorded], other: Sequence[Recorded], role: Role, seat: str, steps: Sequence[int]) -> list[str]:
    """Where two matches differ to a role, at any of these steps."""
    found: list[str] = []
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with evening(tmp_path / "one", still=True) as first, evening(tmp_path / "other", still=True) as second:
        askers = []
        for club, log in ((first, one), (second, other)):
            club.match(log[: steps[0]], str(one[0].event.facts["Game"]))  # type: ignore[union-attr]  # it begins with its opening
            askers.append(club.as_(role, "" if role == "director" else ID, seat))
        for step, then in zip(steps, (*steps[1:], None), strict=True):
            for left, right in zip(answers(askers[0]), answers(askers[1]), strict=True):
                if left != right:
                    found.append(f"after {step}: {left[0]}")
            if stream_of(first, role, seat) != stream_of(second, role, seat):
                found.append(f"after {step}: the stream")
            if then is not None:
                for club, log in ((first, one), (second, other)):
                    rest = [replace(r, n=0) for r in log[step:then]]
                    club.service.shared.append(ID, rest)
    return found


GAMES = ("kaiser", "omi", "court-piece")


def pair(game: str, seed: int) -> tuple[list[Recorded], list[Recorded]]:
    """Two matches in mid-hand that differ in the cards dealt alone."""
    log = simulate(game, seed=seed, hands=1)
    dealt = next(i for i, r in enumerate(log) if isinstance(r.event, Deal)) + 1
    # As far as the first card: from there on the plays of the one match are none of the other.
    upto = next((i for i, r in enumerate(log) if i >= dealt and getattr(r.event, "cards", ())), len(log))
    return log[:upto], other_cards(log[:upto])


@pytest.mark.parametrize("seed", seeds(1, soak=10))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("role", ["spectator", "recorder"])
def test_hidden_cards_make_no_difference(tmp_path: Path, game: str, role: Role, seed: int) -> None:
    """If this failed, something would tell of cards that the table does not see."""
    one, other = pair(game, seed)
    assert alike(one, other, "public")
    steps = sorted({1, max(1, len(one) // 2), len(one)}) if game == GAMES[0] else [len(one)]
    assert compared(tmp_path, one, other, role, "", steps) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_others_make_no_difference_to_a_player(tmp_path: Path, game: str) -> None:
    """If this failed, a player would be told of somebody else's hand."""
    one, _ = pair(game, 1)
    seat = find(game).seating.usual[0]
    other = [r if not isinstance(r.event, Deal) else replace(r, event=replace(r.event, piles=kept_for(seat, r.event.piles))) for r in one]
    assert alike(one, other, seat)
    assert compared(tmp_path, one, other, "seat", seat, [1, len(one)]) == []


def kept_for(seat: str, piles: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The packets of the others change places."""
    others = iter(turned(tuple(pile for pile in piles if pile[0].removeprefix("hand:") != seat)))
    return tuple(pile if pile[0].removeprefix("hand:") == seat else next(others) for pile in piles)


def test_a_director_sees_the_difference(tmp_path: Path) -> None:
    """If this failed, the two matches would be the same to everybody, and the tests above would show nothing."""
    one, other = pair("kaiser", 1)
    assert compared(tmp_path, one, other, "director", "", [len(one)])


def test_a_hole_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: with a hole in the one function that hides, the test finds it."""
    monkeypatch.setattr(seen.Shown, "_plain", lambda self, event, whole: event)
    one, other = pair("kaiser", 1)
    assert compared(tmp_path, one, other, "spectator", "", [len(one)])


HIDDEN = {"End": {"facts"}, "Note": {"facts"}}
"""The fields that nobody but those who record and direct may see."""


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda t: t.__name__)
def test_every_field_was_looked_at(kind: type[Event]) -> None:
    """If this failed, somebody gave an event a field, and nobody has said yet who may see it (it is hidden until then)."""
    assert {f.name for f in msgspec.structs.fields(kind)} == seen.FIELDS[kind] | HIDDEN.get(kind.__name__, set())


def test_a_field_that_is_not_listed_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a new field of an event would be public from the day it is written."""
    shown = seen.Shown(simulate("kaiser", seed=1, hands=1)[0], seen.Audience())
    fault = Fault(by="@", word="revoke", who="N")
    assert shown.event(fault, False) == fault
    monkeypatch.setitem(seen.FIELDS, Fault, frozenset({"by", "word"}))  # type: ignore[arg-type]  # a table that a test may change
    assert shown.event(fault, False) == Fault(by="@", word="revoke")
    monkeypatch.delitem(seen.FIELDS, Fault)  # type: ignore[arg-type]  # as above
    assert shown.event(fault, False) == Note(by="@")


def test_what_is_noted_of_a_line_is_for_those_who_record() -> None:
    """If this failed, a remark such as `the ace is still there` would be read in the hall."""
    line = Recorded(n=1, event=Pass(by="N"), text="she has the ace", glyphs=(1,), recorder="Ann", key="k")
    opening = simulate("kaiser", seed=1, hands=1)[0]
    assert seen.Shown(opening, seen.Audience()).recorded(line, False) == Recorded(n=1, event=Pass(by="N"))
    assert seen.Shown(opening, seen.Audience(remarks=True)).recorded(line, False) == line


def test_a_sealed_remark_is_for_directors() -> None:
    """If this failed, a director could note nothing for later."""
    line = Recorded(n=1, event=Note(by="@", facts={seen.SEALED: True}), text="ask him again")
    opening = simulate("kaiser", seed=1, hands=1)[0]
    assert seen.Shown(opening, seen.Audience(remarks=True, after=True)).recorded(line, True) == Recorded(n=1, event=Note(by="@"))


def test_roles_are_all_asked() -> None:
    """If this failed, a new role would be asked about nothing."""
    assert set(ROLES) == {"director", "recorder", "seat", "spectator"}
