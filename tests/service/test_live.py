"""Following a match: what is told event by event is what the whole replay shows, and nothing is missed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from browsers import in_a_loop_of_its_own
from sampling import a_few, seeds
from service_at import Evening, evening

from events.model import Fix, Play, Recorded
from reducers.registry import PAGES
from replay.redact import hide
from replay.simulate import simulate
from replay.viewer.document import document
from replay.viewer.following import Follower
from service import live
from service.audiences import Delay, audience_of
from service.live import Stream


@pytest.mark.parametrize("seed", seeds(1, soak=20))
@pytest.mark.parametrize("viewer", a_few(["all", "public"], 1))
@pytest.mark.parametrize("game", PAGES)
def test_what_is_told_event_by_event_is_the_whole(game: str, viewer: str, seed: int) -> None:
    """If this failed, those who follow a match would see another table than those who open it afterwards."""
    log = simulate(game, seed=seed, hands=2)
    seen = log if viewer == "all" else hide(log, viewer)
    doc = document(seen, viewer, seen_whole=())
    follower = Follower(seen[:1], viewer)
    news = [follower.add(r) for r in seen[1:]]
    steps = [step for hand in doc["hands"] for step in hand["steps"]]
    assert [one.n for one in news] == [step.n for step in steps]
    for one, step in zip(news, steps, strict=True):
        assert one.step["says"] == step.says
        assert one.step["group"] == step.group
        if one.frame is None:
            assert one.step.get("change", {}) == msgspec.to_builtins(step).get("change", {}), one.n
    for hand in doc["hands"]:
        first = next(one for one in news if one.n == hand["first"])
        assert first.frame == msgspec.to_builtins(hand["frame"])
        groups: list[Any] = []
        for one in (n for n in news if n.hand == hand["number"]):
            groups[one.first_group :] = one.groups
        assert groups == [msgspec.to_builtins(g) for g in hand["groups"]]


@pytest.fixture
def club(tmp_path: Path):
    with evening(tmp_path) as made:
        yield made


def told(club: Evening, match: str, since: str = "", role: Any = "spectator") -> list[tuple[str, str, Any]]:
    """What a stream tells at once: the kind, the id and the data of each message."""
    grant = club.service.grants.give("x", role, match="" if role == "director" else match)
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message["body"])

    async def run() -> None:
        stream = Stream(club.service, grant, club.service.tables.at(match), since, send)
        while news := await stream.news():
            sent.append(news)

    in_a_loop_of_its_own(run())
    out = []
    for block in b"".join(sent).decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in lines:
            out.append((lines["event"], lines.get("id", ""), json.loads(lines["data"])))
    return out


def test_whoever_comes_back_goes_on_where_they_were(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, "6", "pass")
    first = told(club, match)
    assert [kind for kind, _, _ in first] == ["anew"]
    recorder.lines(match, "pass", "pass", "name h")
    again = told(club, match, since=first[-1][1])
    assert [(kind, data["n"]) for kind, _, data in again] == [("step", 3), ("step", 4), ("step", 5)]
    assert told(club, match, since=again[-1][1]) == []


def test_whoever_was_told_what_no_longer_holds_begins_anew(club: Evening) -> None:
    match = club.match()
    recorder = club.as_("recorder", match)
    recorder.lines(match, "6", "pass", "pass", "pass", "name h", "8h")
    last = told(club, match)[-1][1]
    recorder.lines(match, "fix 6 9h")
    assert [kind for kind, _, _ in told(club, match, since=last)] == ["anew"]
    assert [kind for kind, _, _ in told(club, match, since="3-0000")] == ["anew"]
    assert isinstance(club.service.shared.reading.read(match)[-1].event, Fix)


def test_a_hand_that_is_opened_is_told_anew_with_its_cards(club: Evening) -> None:
    log = simulate("kaiser", seed=1, hands=1)
    match = club.match(log)
    director, spectator = club.as_("director"), club.as_("spectator", match)
    before = spectator.get(f"/matches/{match}/events").text
    last = told(club, match)[-1][1]
    assert director.post(f"/matches/{match}/open", {"hand": 1}).status_code == 204
    after = spectator.get(f"/matches/{match}/events").text
    assert "8x??" in before
    assert "8x??" not in after
    assert [kind for kind, _, _ in told(club, match, since=last)] == ["anew"]


def test_the_recorder_sees_a_hand_once_it_is_over(club: Evening) -> None:
    log = simulate("kaiser", seed=1, hands=1)
    plays = [i for i, r in enumerate(log) if isinstance(r.event, Play)]
    match = club.match(log[: plays[-1]])
    recorder = club.as_("recorder", match)
    assert "8x??" in recorder.get(f"/matches/{match}/events").text
    last: Recorded = log[plays[-1]]
    answer = recorder.line(match, f"{last.event.by} play {last.event.cards[0]}")
    assert answer.status_code == 201, answer.text
    assert "8x??" not in recorder.get(f"/matches/{match}/events").text


@pytest.mark.parametrize(("delay", "late"), [(Delay(late=1), 1), (Delay(late=2), 2)])
def test_spectators_see_it_some_tricks_later(tmp_path: Path, delay: Delay, late: int) -> None:
    """If this failed, a spectator could tell a player what lies on the table elsewhere."""
    log = hide(simulate("kaiser", seed=1, hands=1))
    with evening(tmp_path, delay=delay) as club:
        plays = [r.n for r in log if isinstance(r.event, Play)]
        match = club.match([r for r in log if r.n < plays[14]])
        seen = club.as_("spectator", match).get(f"/matches/{match}/events").json()["events"]
        # Fourteen cards: three tricks and two cards. The trick on the table is one of those that come later.
        assert seen[-1]["n"] == plays[4 * (4 - late)] - 1
        grant = club.service.grants.give("x", "spectator", match=match)
        assert audience_of(grant, frozenset(), delay).late == late


def test_minutes_pass_before_spectators_see_it(tmp_path: Path) -> None:
    with evening(tmp_path, delay=Delay(minutes=1.0)) as club:
        match = club.match()
        club.as_("director").lines(match, "6", "pass")
        spectator = club.as_("spectator", match)
        assert len(spectator.get(f"/matches/{match}/events").json()["events"]) <= 1
        for _ in range(70):
            club.service.clock()
        assert len(spectator.get(f"/matches/{match}/events").json()["events"]) == 3


def test_one_who_never_reads_is_dropped_and_holds_nobody_up(club: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    match = club.match()
    grant = club.service.grants.give("x", "spectator", match=match)
    monkeypatch.setattr(live, "SLOW", 0.05)

    async def never(message: Any) -> None:
        await asyncio.sleep(60)

    async def run() -> None:
        stream = Stream(club.service, grant, club.service.tables.at(match), "", never)
        gone = asyncio.create_task(asyncio.sleep(60))
        with pytest.raises(TimeoutError):
            await stream.run(gone)
        gone.cancel()

    in_a_loop_of_its_own(run())
    assert club.as_("recorder", match).line(match, "6").status_code == 201


def test_a_slow_reader_is_dropped_and_resumes_without_a_gap(club: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader who takes two messages and then reads no more is dropped; with the last id that they read they get
    the rest, each once."""
    match = club.match()
    recorder = club.as_("recorder", match)
    first = told(club, match)[-1][1]
    recorder.lines(match, "6", "pass", "pass", "pass", "name h")
    grant = club.service.grants.give("x", "spectator", match=match)
    monkeypatch.setattr(live, "SLOW", 0.05)
    read: list[bytes] = []

    async def slow(message: Any) -> None:
        if len(read) > 1:
            await asyncio.sleep(60)
        read.append(message["body"])

    async def run(lines: list[str]) -> None:
        stream = Stream(club.service, grant, club.service.tables.at(match), first, slow)
        gone = asyncio.create_task(asyncio.sleep(60))
        task = asyncio.create_task(stream.run(gone))
        while len(read) < 2:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(recorder.lines, match, *lines)
        club.service.changes._fire(match)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(task, 30)
        gone.cancel()

    in_a_loop_of_its_own(run(["8h", "9h"]))
    recorder.lines(match, "10h")
    ids = [line[4:].decode() for line in b"".join(read).split(b"\n") if line.startswith(b"id: ")]
    seen = [int(name.split("-")[0]) for name in ids] + [
        data["n"] for kind, _, data in told(club, match, since=ids[-1]) if kind == "step"
    ]
    assert seen == list(range(1, club.service.tables.at(match).last + 1))
