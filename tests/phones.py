"""A club with a service in a process of its own, and phones that are tapped in a browser as recorders would.

Run as a program, `python phones.py STORE PORT`, it is that service.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from browsers import PLAIN_HOST

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}
"""A small phone, as the pages are laid out for."""
PATIENCE = 60.0


def serve(path: Path, port: int) -> None:
    """One life of the service."""
    import uvicorn

    from replay.languages import catalogue
    from service.app import application
    from service.service_state import Service, ServiceSettings

    # The catalogues of a test lie beside the store.
    if (path.parent / "languages").is_dir():
        catalogue.FOLDER = str(path.parent / "languages")
    service = Service(
        ServiceSettings(path, frozenset({f"127.0.0.1:{port}", f"localhost:{port}", f"{PLAIN_HOST}:{port}"}))
    )
    uvicorn.Server(
        uvicorn.Config(application(service), host="127.0.0.1", port=port, log_level="critical", access_log=False)
    ).run()


class Club:
    """A service that can be killed and begun again, and its director."""

    def __init__(self, folder: Path) -> None:
        from records import Store
        from service.grants import Grants, path_of

        self.path = folder / "club.db"
        Store.open(self.path).close()
        grants = Grants(path_of(self.path))
        self.token = grants.secret(grants.give("the director", "director"), "token")
        grants.close()
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self.alive: subprocess.Popen[bytes] | None = None
        self.asking = httpx.Client(
            base_url=f"{self.address}/api/v1", headers={"authorization": f"Bearer {self.token}"}, timeout=60,
        )

    @property
    def address(self) -> str:
        """Where it listens; a page from there counts as secure."""
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Begin the service, and wait until it answers."""
        here = Path(__file__).resolve()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(here.parents[1]), str(here.parent)))}
        self.alive = subprocess.Popen([sys.executable, str(here), str(self.path), str(self.port)], env=environment)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.address}/healthz", timeout=2).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.02)
        raise AssertionError("the service did not begin")

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.alive is not None:
            self.alive.send_signal(signal.SIGKILL)
            self.alive.wait()
            self.alive = None

    def match(self, game: str, seats: Mapping[str, str], **more: Any) -> str:
        """A new match."""
        told = self.asking.post("/matches", json={"game": game, "seats": dict(seats), **more})
        assert told.status_code == 201, told.text
        return str(told.json()["match"])

    def link(self, role: str, match: str = "", **more: Any) -> str:
        """The link that the director hands to somebody."""
        told = self.asking.post("/grants", json={"subject": role, "role": role, "match": match, **more})
        assert told.status_code == 201, told.text
        return self.address + str(told.json()["path"])

    def events(self, match: str) -> list[dict[str, Any]]:
        """What the record has."""
        return list(self.asking.get(f"/matches/{match}/events").json()["events"])

    def line(self, match: str, line: str, **more: Any) -> Any:
        """A line that somebody else hands in."""
        return self.asking.post(f"/matches/{match}/lines", json={"line": line, **more})


@contextmanager
def club(folder: Path) -> Iterator[Club]:
    """A club whose service runs until the `with` ends."""
    made = Club(folder)
    made.begin()
    try:
        yield made
    finally:
        made.kill()
        made.asking.close()


STATE = """() => { const p = document.getElementById('kibitz').phone; return p && p.pad ? {last: p.pad.last, waiting: p.queue.lines.length, sending: p.sending,
  asked: !!p.asked, offline: p.offline, line: p.line, suit: p.suit, answer: p.answer ? p.answer.text : '', ok: p.answer ? p.answer.ok : true} : null }"""


class Phone:
    """The phone page of one match, tapped with a thumb."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.taps = 0

    @property
    def state(self) -> dict[str, Any]:
        """What the page holds."""
        return dict(self.page.evaluate(STATE) or {})

    def tap(self, word: str) -> None:
        """Tap the key of a word."""
        self.page.locator(f'[data-word="{word}"]:visible').first.tap()
        self.taps += 1

    def press(self, label: str) -> None:
        """Tap what has this label."""
        self.page.get_by_role("button", name=label, exact=True).first.tap()
        self.taps += 1

    def words(self, keys: Sequence[str]) -> None:
        """Tap the keys of a line; a card is its suit, unless that is pressed, and its rank; and send it, if it is
        not sent by itself."""
        putting_together = keys[0] == "more"
        for key in keys:
            if not self.shows(key) and re.fullmatch("[2-9AKQJT][shdc]", key):
                if self.state["suit"] != key[1]:
                    self.tap(key[1])
                key = f"rank {key[0]}"
            elif not putting_together and not self.shows(key):
                self.turn_to(key)
            self.tap(key)
        if self.state["line"]:
            self.tap("write")

    def shows(self, word: str) -> bool:
        """Whether the key of a word is in sight."""
        return bool(self.page.locator(f'[data-word="{word}"]:visible').count())

    def turn_to(self, word: str) -> None:
        """Tap whose act it is, and then those that had no room."""
        by = self.page.evaluate(
            "w => (document.getElementById('kibitz').phone.pad.keys ?? []).find(k => k.text === w)?.by ?? ''", word,
        )
        if by and not self.shows(word) and self.shows(f"seat {by}"):
            self.tap(f"seat {by}")
        if not self.shows(word) and self.shows("more acts"):
            self.tap("more acts")

    def settled(self) -> dict[str, Any]:
        """Wait until nothing is under way, and say how it stands."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            state = self.state
            if state and not state["sending"] and (not state["waiting"] or state["asked"] or state["offline"]):
                return state
            time.sleep(0.01)
        raise AssertionError(f"still at {self.state}")


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
