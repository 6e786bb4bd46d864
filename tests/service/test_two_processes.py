"""Two services over one database: what is recorded through one is followed through the other."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from postgres_server import NEEDED, binaries, server

from events.canon import encode
from records import Store
from replay.simulate import simulate

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Serving:
    """A service in a process of its own."""

    def __init__(self, address: str, data: Path) -> None:
        self.port = free_port()
        env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(data)}
        program = "from cli.app import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "--db", address, "serve", "--port", str(self.port)], env=env,
            stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = [self.process.stdout.readline() for _ in range(2)]
        found = re.search(r"/enter#(\S+)", "".join(said))
        assert found, said
        self.link = found[1]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, dict[str, str]]:
        conn = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {
            "host": f"127.0.0.1:{self.port}", "content-type": "application/json",
            "origin": f"http://127.0.0.1:{self.port}", **headers,
        }
        conn.request(method, path, None if body is None else json.dumps(body), sent)
        answer = conn.getresponse()
        text = answer.read()
        conn.close()
        return answer.status, json.loads(text) if text[:1] in (b"{", b"[") else text, dict(answer.getheaders())

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def serving(address: str, data: Path) -> Iterator[Serving]:
    one = Serving(address, data)
    try:
        yield one
    finally:
        one.stop()


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if binaries() is None:
        pytest.skip(f"the store was not asked on a server: {NEEDED}, or psycopg is not")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with server() as one:
        yield one.address()


def until(asked: Any, seconds: float = 20.0) -> Any:
    """What somebody is answered in the end, who asks again until there is something."""
    stop = time.monotonic() + seconds
    while not (found := asked()) and time.monotonic() < stop:
        time.sleep(0.05)
    return found


@pytest.mark.rest
def test_what_goes_through_one_process_is_seen_through_the_other(address: str, tmp_path: Path) -> None:
    """If this failed, a club with two services would have two evenings."""
    log = simulate("kaiser", seed=1, hands=1)
    with Store.open(address) as store:
        store.import_match("m", log[:1], game="kaiser")
    with serving(address, tmp_path / "data") as one, serving(address, tmp_path / "data") as other:
        status, _, headers = one.ask("POST", "/api/v1/session", {"secret": one.link})
        assert status == 201
        cookie = headers["set-cookie"].partition(";")[0]

        def add(service: Serving, n: int) -> tuple[int, Any]:
            body = {"events": [json.loads(encode(log[n]))], "expect": n - 1, "key": f"k{n}"}
            status, told, _ = service.ask("POST", "/api/v1/matches/m/events", body, cookie=cookie)
            return status, told

        def length(service: Serving) -> int:
            status, told, _ = service.ask("GET", "/api/v1/matches/m/events", cookie=cookie)
            assert status == 200, told
            return len(told["events"])

        assert add(one, 1)[0] == 201
        # The same cookie is good for both. The writer sees at once what the other has written, whatever a
        # view still shows.
        assert add(other, 2)[0] == 201
        assert until(lambda: length(one) == 3)
        status, told = add(other, 1)
        assert (status, told["repeated"]) == (201, True)
        status, told, _ = one.ask(
            "POST", "/api/v1/matches/m/events", {"events": [json.loads(encode(log[3]))], "expect": 1, "key": "late"},
            cookie=cookie,
        )
        assert status == 409
        one.process.kill()
        for n in range(3, 9):
            assert add(other, n)[0] == 201
        with Store.open(address, write=False) as store:
            assert [r.event for r in store.read("m")] == [r.event for r in log[:9]]
            assert store.verify("home").found == []
