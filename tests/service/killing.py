"""Kill the service again and again while recorders write, and drop their answers; then count (see `test_kills.py`).

`python killing.py FOLDER KILLS SEED LINES` prints what it counted as JSON. One process holds the socket and begins
the service anew each time it was killed; another is all recorders, two at each table. Each sends a line under a key
until it is answered, and then the next: an act for the seat that is on turn, a remark, or a correction of an act of
its own. Now and then one goes away without reading the answer, and asks again. A life of the service is measured in
lines that it answered, at most LINES, so that a busy machine gets through as much as a quiet one. The killing goes
on past KILLS until there were enough lines of each kind (see `ENOUGH`).
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import signal
import socket
import sys
import time
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import uvicorn

from events.model import Fix, Recorded
from records import Store
from reducers.registry import find_game
from service.app import application
from service.grants import Grants, path_of
from service.service_state import Service, ServiceSettings

TABLES = 4
LONGEST = 5.0
"""After so many seconds a service is killed, however few lines it answered."""
LAST_MOMENT = 0.02
"""Within so many seconds after its last line the service is killed: in the middle of what follows."""
CORRECTED = ("8h", "9c", "Qd", "x")
"""What an act may have been, as a recorder says later."""
DROPPED = 0.15
"""The share of requests whose answer nobody reads."""
LOOKS_UP = 0.3
"""How often a recorder looks up from the phone between reading what is on it and tapping, so that the other one may
be quicker."""
ENOUGH = {"answered": 1.0, "resent": 1.0, "acts": 0.5, "refused": 0.5, "corrected": 0.5}
"""How many lines of each kind there are at least for each kill."""
AT_MOST = 4
"""The killing ends after so many times KILLS, whatever was written."""


def serve(path: str, listening: socket.socket, name: str) -> None:
    """One life of the service."""
    service = Service(ServiceSettings(Path(path), frozenset({name})))
    config = uvicorn.Config(application(service), log_level="critical", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


class Counts:
    """How many lines of each kind of `ENOUGH` there were so far, shared by the recorders' process and the one that
    kills."""

    def __init__(self, context: Any) -> None:
        self.of = {kind: context.Value("q", 0) for kind in ENOUGH}

    def add(self, kind: str) -> None:
        """Only the recorders' one thread adds, so that nothing has to be locked."""
        self.of[kind].value += 1

    def lines(self) -> int:
        """How many lines were answered or refused."""
        return self.of["answered"].value + self.of["refused"].value

    def enough(self, kills: int) -> bool:
        return all(self.of[kind].value >= share * kills for kind, share in ENOUGH.items())


class Recorder:
    """One of the two recorders of a table: the lines sent, where they landed and for which seat, and those that were
    refused, because the other one was quicker or the line does not fit there."""

    def __init__(self, name: str, match: str, token: str, address: tuple[str, int], counts: Counts, seed: int) -> None:
        self.name, self.match, self.token, self.address, self.counts, self.chance = (
            name, match, token, address, counts, random.Random(seed)
        )
        self.landed: dict[str, tuple[int, int, str]] = {}
        self.refused: list[str] = []
        self.resent = 0

    async def run(self, stop: asyncio.Event) -> None:
        k = 0
        while not stop.is_set():
            wanted = await self.wanted(k)
            if wanted is None:
                await asyncio.sleep(0.005)
                continue
            key, tries = f"{self.name}-{k}", 0
            while (told := await self.ask("POST", "lines", {**wanted, "key": key})) is None:
                tries += 1
                self.resent += 1
                self.counts.add("resent")
                if stop.is_set() and tries > 200:
                    return
                await asyncio.sleep(0.005)
            status, answer = told
            if status == 201:
                self.landed[key] = (answer["first"], answer["last"], wanted.get("seat", ""))
                for kind, counted in (
                    ("answered", True), ("acts", "seat" in wanted), ("corrected", wanted["line"].startswith("fix ")),
                ):
                    if counted:
                        self.counts.add(kind)
            elif status in (409, 422):
                self.refused.append(key)
                self.counts.add("refused")
            else:
                raise AssertionError(f"{key}: {told}")
            k += 1

    async def wanted(self, k: int) -> dict[str, Any] | None:
        """The next line: a remark, a correction of an own act, or what comes next at the table, for the seat that is
        on turn. None if nobody answers."""
        what = self.chance.random()
        own = [(first, seat) for first, _, seat in self.landed.values() if seat]
        if what < 0.3:
            return {"line": f"note line {k}"}
        if what < 0.5 and own:
            n, seat = self.chance.choice(own)
            return {"line": f"fix {n} {seat} {self.chance.choice(CORRECTED)}", "as_played": True, "seat": seat}
        told = await self.ask("GET", "pad")
        if told is None:
            return None
        pad = told[1]
        if self.chance.random() < LOOKS_UP:
            await asyncio.sleep(self.chance.random() * 0.05)
        keys = [one["text"] for one in pad.get("keys") or [] if one.get("ends")]
        line = f"{pad.get('front', '')}x" if pad["phase"] == "play" else self.chance.choice(keys) if keys else "hand"
        bound = {"seat": pad["turn"][0], "phase": pad["phase"]} if len(pad["turn"]) == 1 and line != "hand" else {}
        # What waited on a phone behind another line is bound by its seat alone.
        return {
            "line": line, "as_played": True, **bound,
            **({"expect": pad["last"]} if not bound or self.chance.random() < 0.5 else {})
        }

    async def ask(self, method: str, what: str, body: dict[str, Any] | None = None) -> tuple[int, Any] | None:
        """The answer, or None if there was none."""
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} /api/v1/matches/{self.match}/{what} HTTP/1.1\r\nhost: "
            f"{self.address[0]}:{self.address[1]}\r\nauthorization: Bearer {self.token}\r\ncontent-type: "
            f"application/json\r\ncontent-length: {len(data)}\r\nconnection: close\r\n\r\n"
        )
        try:
            async with asyncio.timeout(5):
                reader, writer = await asyncio.open_connection(*self.address)
                try:
                    writer.write(head.encode() + data)
                    await writer.drain()
                    if body is not None and self.chance.random() < DROPPED:
                        # Gone before the answer, at any moment.
                        await asyncio.sleep(self.chance.random() * 0.02)
                        return None
                    data = await reader.read()
                finally:
                    writer.close()
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return None
        top, _, text = data.partition(b"\r\n\r\n")
        if not top.startswith(b"HTTP/1.1 ") or not text:
            return None
        status = int(top[9:12])
        if status == 503:
            return None
        with suppress(ValueError):
            return status, json.loads(text)
        return None


async def recorders(
    tokens: dict[str, list[str]], address: tuple[str, int], counts: Counts, seed: int, finished: Any,
) -> dict[str, Any]:
    """All recorders, until the parent says so."""
    stop = asyncio.Event()
    there = [
        Recorder(f"{match}{name}", match, token, address, counts, 100 * seed + 2 * i + ord(name))
        for i, (match, both) in enumerate(tokens.items()) for name, token in zip("ab", both, strict=True)
    ]
    running = [asyncio.create_task(one.run(stop)) for one in there]
    while not finished.is_set() and not any(task.done() for task in running):
        await asyncio.sleep(0.05)
    stop.set()
    await asyncio.gather(*running)
    return {
        "recorders": [[one.match, one.name, one.landed, one.refused] for one in there],
        "resent": sum(one.resent for one in there),
    }


def clients(
    tokens: dict[str, list[str]], address: tuple[str, int], counts: Counts, seed: int, finished: Any, out: str,
) -> None:
    told = asyncio.run(recorders(tokens, address, counts, seed, finished))
    Path(out).write_text(json.dumps(told), encoding="utf-8")


def main(folder: Path, kills: int, seed: int, lines: int) -> dict[str, Any]:
    path = folder / "club.db"
    with Store.open(path) as store:
        matches = [
            store.create_match({"N": "A", "E": "B", "S": "C", "W": "D"}, game="kaiser", match=f"t{i}")
            for i in range(TABLES)
        ]
    grants = Grants(path_of(path))
    tokens = {
        match: [grants.secret(grants.give(name, "recorder", match=match), "token") for name in "ab"]
        for match in matches
    }
    grants.close()
    asyncio.run(all_looked_up(folder))
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    address = listening.getsockname()[:2]
    chance, fork = random.Random(seed), get_context("fork")
    finished, counts = fork.Event(), Counts(fork)
    writing = fork.Process(target=clients, args=(tokens, address, counts, seed, finished, str(folder / "told.json")))
    writing.start()
    done, begun = 0, time.monotonic()
    while (done < kills or (done < AT_MOST * kills and not counts.enough(kills))) and writing.is_alive():
        alive = fork.Process(target=serve, args=(str(path), listening, f"{address[0]}:{address[1]}"))
        alive.start()
        answered(address, alive)
        lived(counts, chance.randint(0, lines))
        time.sleep(chance.uniform(0, LAST_MOMENT))
        os.kill(alive.pid or 0, signal.SIGKILL)
        alive.join()
        done += 1
    last = fork.Process(target=serve, args=(str(path), listening, f"{address[0]}:{address[1]}"))
    last.start()
    finished.set()
    writing.join(60)
    last.terminate()
    last.join(30)
    return counted(folder, path, done, time.monotonic() - begun, last.exitcode)


async def all_looked_up(folder: Path) -> None:
    """Begin and end a service of another store, so that none that comes of a fork has to import anything first: most
    of a short life would go by with it."""
    find_game("kaiser")
    app = application(Service(ServiceSettings(folder / "another.db", frozenset())))
    async with app.lifespan():
        uvicorn.Config(app).load()
    gc.collect()
    gc.freeze()


def answered(address: tuple[str, int], alive: Any) -> None:
    """Wait until the service answers; one in five is killed while it begins. (On a busy machine that takes seconds.)"""
    chance = random.Random(alive.pid).random()
    until = time.monotonic() + (5 * chance if chance < 0.2 else 60.0)
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(address, timeout=0.2) as asked:
            asked.sendall(
                b"GET /healthz HTTP/1.1\r\nhost: %b:%d\r\nconnection: close\r\n\r\n" % (address[0].encode(), address[1])
            )
            if asked.recv(12) == b"HTTP/1.1 200":
                return


def lived(counts: Counts, lines: int) -> None:
    """Wait until that many more lines were answered."""
    last, until = counts.lines() + lines, time.monotonic() + LONGEST
    while counts.lines() < last and time.monotonic() < until:
        time.sleep(0.002)


def counted(folder: Path, path: Path, kills: int, seconds: float, code: int | None) -> dict[str, Any]:
    """What was lost, written twice, moved, written for another seat than it was typed for, or written though it was
    refused."""
    told = json.loads((folder / "told.json").read_text(encoding="utf-8"))
    lost = twice = moved = elsewhere = unasked = extra = events = corrected = acts = 0
    with Store.open(path, write=False) as store:
        faults = [] if store.first_fault() == "" else [store.first_fault()]
        logs = {match: store.read(match) for match in store.ids()}
    for log in logs.values():
        events += len(log) - 1
        assert [r.n for r in log] == list(range(len(log)))
    for match, name, landed, refused in told["recorders"]:
        there: dict[str, list[Recorded]] = {}
        for r in logs[match][1:]:
            if r.key.startswith(f"{name}-"):
                there.setdefault(r.key, []).append(r)
        lost += sum(1 for key in landed if key not in there)
        twice += sum(1 for found in there.values() if len(found) > 1)
        unasked += sum(1 for key in refused if key in there)
        extra = max(extra, len(set(there) - set(landed)))
        for key, (first, _, seat) in landed.items():
            found = there.get(key, [])
            moved += any(r.n != first for r in found[:1])
            for r in found:
                event = r.event.event if isinstance(r.event, Fix) else r.event
                elsewhere += bool(seat) and getattr(event, "by", seat) != seat
                corrected += isinstance(r.event, Fix)
            acts += bool(seat)
    answered = sum(len(landed) for *_, landed, _ in told["recorders"])
    return {
        "kills": kills, "events": events, "answered": answered,
        "refused": sum(len(refused) for *_, refused in told["recorders"]), "resent": told["resent"], "lost": lost,
        "twice": twice, "moved": moved, "elsewhere": elsewhere, "unasked": unasked, "corrected": corrected,
        "acts": acts, "unanswered_at_most": extra, "faults": faults, "stopped_with": code, "seconds": round(seconds, 1),
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
