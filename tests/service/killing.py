"""Kill the service again and again while recorders write, and drop their answers; then count (see `test_kills.py`).

`python killing.py FOLDER KILLS SEED LIFE` prints what it counted as JSON. One process holds the socket and begins the service anew each time it
was killed; another is all recorders. Each sends a line under a key until it is answered, and then the next. Now and then one goes away
without reading the answer, and asks again.
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

from records import Store
from reducers.registry import find
from service.app import application
from service.grants import Grants, path_of
from service.running import Service, Settings

TABLES = 8
SHORTEST = 0.02
"""So many seconds a service is left alive at least once it answers."""
DROPPED = 0.15
"""The share of requests whose answer nobody reads."""


def serve(path: str, listening: socket.socket, name: str) -> None:
    """One life of the service."""
    service = Service(Settings(Path(path), frozenset({name})))
    config = uvicorn.Config(application(service), log_level="critical", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


class Recorder:
    """One table: the lines it has sent, and where they landed."""

    def __init__(self, match: str, token: str, address: tuple[str, int], seed: int) -> None:
        self.match, self.token, self.address, self.chance = match, token, address, random.Random(seed)
        self.landed: dict[str, tuple[int, int]] = {}
        self.resent = self.refused = 0

    async def run(self, stop: asyncio.Event) -> None:
        k = 0
        while not stop.is_set():
            key, tries = f"{self.match}-{k}", 0
            while (told := await self.send(key, k)) is None:
                tries += 1
                self.resent += 1
                if stop.is_set() and tries > 200:
                    return
                await asyncio.sleep(0.005)
            if told[0] != 201:
                self.refused += 1
                raise AssertionError(f"{key}: {told}")
            self.landed[key] = (told[1]["first"], told[1]["last"])
            k += 1

    async def send(self, key: str, k: int) -> tuple[int, Any] | None:
        """The answer, or None if there was none."""
        body = json.dumps({"line": f"note line {k}", "key": key}).encode()
        head = f"POST /api/v1/matches/{self.match}/lines HTTP/1.1\r\nhost: {self.address[0]}:{self.address[1]}\r\nauthorization: Bearer {self.token}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        try:
            async with asyncio.timeout(5):
                reader, writer = await asyncio.open_connection(*self.address)
                try:
                    writer.write(head.encode() + body)
                    await writer.drain()
                    if self.chance.random() < DROPPED:
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


async def recorders(tokens: dict[str, str], address: tuple[str, int], seed: int, finished: Any) -> dict[str, Any]:
    """All tables, until the parent says so."""
    stop = asyncio.Event()
    tables = [Recorder(match, token, address, seed + i) for i, (match, token) in enumerate(tokens.items())]
    running = [asyncio.create_task(table.run(stop)) for table in tables]
    while not finished.is_set() and not any(task.done() for task in running):
        await asyncio.sleep(0.05)
    stop.set()
    await asyncio.gather(*running)
    return {"landed": {table.match: table.landed for table in tables}, "resent": sum(table.resent for table in tables)}


def clients(tokens: dict[str, str], address: tuple[str, int], seed: int, finished: Any, out: str) -> None:
    told = asyncio.run(recorders(tokens, address, seed, finished))
    Path(out).write_text(json.dumps(told), encoding="utf-8")


def main(folder: Path, kills: int, seed: int, life: float) -> dict[str, Any]:
    path = folder / "club.db"
    tokens = {}
    with Store.open(path) as store:
        for i in range(TABLES):
            tokens[store.create_match({"N": "A", "E": "B", "S": "C", "W": "D"}, game="kaiser", match=f"t{i}")] = ""
    grants = Grants(path_of(path))
    for match in tokens:
        tokens[match] = grants.secret(grants.give("r", "recorder", match=match), "token")
    grants.close()
    asyncio.run(all_looked_up(folder))
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    address = listening.getsockname()[:2]
    chance, fork = random.Random(seed), get_context("fork")
    finished = fork.Event()
    writing = fork.Process(target=clients, args=(tokens, address, seed, finished, str(folder / "told.json")))
    writing.start()
    done, begun = 0, time.monotonic()
    while done < kills and writing.is_alive():
        alive = fork.Process(target=serve, args=(str(path), listening, f"{address[0]}:{address[1]}"))
        alive.start()
        answered(address, alive)
        time.sleep(chance.uniform(SHORTEST, life))
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
    """Begin and end a service of another store, so that none that comes of a fork has to import anything first: most of a short life
    would go by with it."""
    find("kaiser")
    app = application(Service(Settings(folder / "another.db", frozenset())))
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
            asked.sendall(b"GET /healthz HTTP/1.1\r\nhost: %b:%d\r\nconnection: close\r\n\r\n" % (address[0].encode(), address[1]))
            if asked.recv(12) == b"HTTP/1.1 200":
                return


def counted(folder: Path, path: Path, kills: int, seconds: float, code: int | None) -> dict[str, Any]:
    """What was lost, written twice, or moved."""
    told = json.loads((folder / "told.json").read_text(encoding="utf-8"))
    lost = twice = moved = extra = events = 0
    with Store.open(path, write=False) as store:
        faults = [] if store.first_fault() == "" else [store.first_fault()]
        for match, landed in told["landed"].items():
            log = store.read(match)
            events += len(log) - 1
            places: dict[str, list[int]] = {}
            for r in log[1:]:
                places.setdefault(r.key, []).append(r.n)
            lost += sum(1 for key in landed if key not in places)
            twice += sum(1 for found in places.values() if len(found) > 1)
            moved += sum(1 for key, (first, _) in landed.items() if places.get(key, [first])[0] != first)
            extra = max(extra, len(set(places) - set(landed)))
            assert [r.n for r in log] == list(range(len(log)))
    return {
        "kills": kills, "events": events, "answered": sum(len(one) for one in told["landed"].values()), "resent": told["resent"], "lost": lost,
        "twice": twice, "moved": moved, "unanswered_at_most": extra, "faults": faults, "stopped_with": code, "seconds": round(seconds, 1),
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))))
