"""An evening under load: `python -m benchmarks.evening`. A service and those who ask it share this machine.

Tables are recorded on phones (lines through HTTP), each at its own pace, while others follow them as server-sent
events. What is measured: how long a recorder waits for an answer; how late those who follow are told (from the
moment a line is handed in to the moment its message is read); memory and CPU time of the service; and whether
anybody lacks an event. One who follows never reads: the service has to drop them, and nobody may wait for that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlparse

from events.model import Bid, Call, Name, Pass, Play, Recorded
from events.writing import write_event
from records import Store
from replay.redact import hide
from replay.simulate import simulate
from service.grants import Grants, path_of

MESSAGE = re.compile(rb"event: (\w+)\nid: (\S+)\ndata: [^\n]*\n\n")
SAID = (Play, Bid, Pass, Name, Call)


class Evening:
    """What all parts share."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        # When each event was handed in, by match and position.
        self.sent: dict[tuple[str, int], float] = {}
        self.waited: list[float] = []
        self.late: list[float] = []
        self.got: dict[int, list[int]] = {}
        self.errors: list[str] = []

    async def ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, token: str,
        body: object = None,
    ) -> tuple[int, bytes]:
        """One request on a connection that stays."""
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nauthorization: Bearer "
            f"{token}\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        await writer.drain()
        top = await reader.readuntil(b"\r\n\r\n")
        status = int(top.split(b" ", 2)[1])
        length = next(
            (int(line.split(b":")[1]) for line in top.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0,
        )
        return status, await reader.readexactly(length) if length else b""

    async def record(self, match: str, token: str, events: list[Recorded], pace: float, until: float) -> None:
        """One table: a line, its answer, and then the next when it is time."""
        reader, writer = await asyncio.open_connection(self.host, self.port, limit=2**20)
        await asyncio.sleep(random.random() / pace)
        last, k, due = 0, 0, time.perf_counter()
        queue = list(events)
        while time.perf_counter() < until and queue:
            event = queue.pop(0)
            begun = time.perf_counter()
            self.sent[match, last + 1] = begun
            path, body = f"/api/v1/matches/{match}/lines", {
                "line": write_event(event.event), "expect": last, "key": f"{match}-{k}",
            }  # type: ignore[arg-type]  # no opening is among the lines sent
            status, told = await self.ask(reader, writer, "POST", path, token, body)
            k += 1
            if status != 201:
                self.errors.append(f"{match}: {status} {told[:200]!r}")
                break
            self.waited.append(time.perf_counter() - begun)
            last = json.loads(told)["last"]
            due += 1 / pace
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        writer.close()

    async def follow(self, number: int, match: str, token: str, until: float) -> None:
        """One who follows a match; after a while they go away and come back with the last id."""
        self.got[number] = []
        since = ""
        while time.perf_counter() < until:
            again = f"last-event-id: {since}\r\n" if since else ""
            head = (
                f"GET /api/v1/matches/{match}/live HTTP/1.1\r\nhost: "
                f"{self.host}:{self.port}\r\nauthorization: Bearer {token}\r\n{again}\r\n"
            )
            made = partial(Listening, self, number, match, since)
            transport, listening = await asyncio.get_running_loop().create_connection(made, self.host, self.port)
            transport.write(head.encode())
            leave = time.perf_counter() + random.uniform(5, 30)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.05, min(until, leave) - time.perf_counter())):
                    await listening.ended
            transport.close()
            since = listening.since

    async def deaf(self, match: str, token: str) -> socket.socket:
        """One who follows and never reads."""
        made = socket.create_connection((self.host, self.port))
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.sendall(
            (
                f"GET /api/v1/matches/{match}/live HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nauthorization: "
                f"Bearer {token}\r\n\r\n"
            ).encode()
        )
        return made


class Listening(asyncio.Protocol):
    """One connection of one who follows. It costs as little as it can: those who ask share the machine with the
    service."""

    def __init__(self, evening: Evening, number: int, match: str, since: str) -> None:
        self.evening, self.number, self.match, self.since = evening, number, match, since
        self.rest = b""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        """Each message lies in one piece of the answer, whole."""
        now, evening, end = time.perf_counter(), self.evening, 0
        self.rest += data
        for found in MESSAGE.finditer(self.rest):
            kind, name, end = found[1], found[2].decode(), found.end()
            self.since, n = name, int(name.partition("-")[0])
            got = evening.got[self.number]
            if kind == b"anew" and got:
                evening.errors.append(f"follower {self.number} had to begin anew at {n}")
            else:
                got.append(n)
            begun = evening.sent.get((self.match, n))
            if kind == b"step" and begun is not None and now - begun < 60:
                evening.late.append(now - begun)
        self.rest = self.rest[end:]

    def connection_lost(self, exc: Exception | None) -> None:
        """The service has closed it, or this one has gone."""
        if not self.ended.done():
            self.ended.set_result(None)


def used(pid: int) -> tuple[float, float]:
    """CPU seconds and memory in MB of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    status = Path(f"/proc/{pid}/status").read_text()
    rss = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), rss / 1024


def share(values: list[float], part: float) -> float:
    """A quantile, in milliseconds."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] * 1000 if values else 0.0


async def run(
    url: str, tables: int, streams: int, pace: float, seconds: float, store: Path, pid: int,
) -> dict[str, object]:
    parts = urlparse(url)
    evening = Evening(parts.hostname or "", parts.port or 80)
    grants = Grants(path_of(store))
    logs = []
    with Store.open(store) as opened:
        for i in range(tables):
            log = hide(simulate("kaiser", seed=i, hands=40))
            match = opened.create_match({"N": "A", "E": "B", "S": "C", "W": "D"}, game="kaiser", match=f"table-{i}")
            logs.append((match, [r for r in log[1:] if isinstance(r.event, SAID)]))
    director = grants.secret(grants.give("director", "director"), "token")
    spectator = grants.secret(grants.give("hall", "spectator"), "token")
    recorders = [
        grants.secret(grants.give(f"r{i}", "recorder", match=match), "token") for i, (match, _) in enumerate(logs)
    ]
    grants.close()
    await evening.deaf(logs[0][0], director)
    cpu, _ = used(pid)
    begun = time.perf_counter()
    until = begun + seconds
    followers = [
        asyncio.create_task(evening.follow(i, logs[i % tables][0], spectator, until + 2)) for i in range(streams)
    ]
    await asyncio.sleep(2)
    recording = time.perf_counter()
    await asyncio.gather(
        *(
            evening.record(match, token, events, pace / tables, until)
            for (match, events), token in zip(logs, recorders, strict=True)
        )
    )
    recorded = time.perf_counter() - recording
    await asyncio.gather(*followers)
    after, rss = used(pid)
    gaps = sum(
        1 for got in evening.got.values() if got != list(range(got[0], got[0] + len(got)))
    ) if evening.got else 0
    took = time.perf_counter() - begun
    return {
        "tables": tables, "streams": streams, "events": len(evening.waited),
        "events a second": round(len(evening.waited) / recorded, 1),
        "answer p50 ms": round(share(evening.waited, 0.5), 1), "answer p99 ms": round(share(evening.waited, 0.99), 1),
        "told": len(evening.late), "lag p50 ms": round(share(evening.late, 0.5), 1),
        "lag p99 ms": round(share(evening.late, 0.99), 1),
        "service CPU, share of a core": round((after - cpu) / took, 2), "service memory MB": round(rss),
        "followers with a gap": gaps, "errors": evening.errors[:5],
    }  # fmt: skip


def evening(tables: int, streams: int, pace: float, seconds: float) -> dict[str, object]:
    """What an evening of so many tables and followers came to, with a service and a store of its own."""
    with TemporaryDirectory() as place:
        store = Path(place) / "club.db"
        Store.open(store).close()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        serving = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.evening_service", str(store), str(port)], stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert serving.stdout is not None
            serving.stdout.readline()
            time.sleep(0.5)
            return asyncio.run(run(f"http://127.0.0.1:{port}", tables, streams, pace, seconds, store, serving.pid))
        finally:
            serving.terminate()
            serving.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--pace", type=float, default=4.0, help="events a second, of all tables together")
    parser.add_argument("--seconds", type=float, default=60.0)
    for name, value in evening(**vars(parser.parse_args())).items():
        print(f"{name:32} {value}")


if __name__ == "__main__":
    main()
