"""An evening, played through with the windows of those who are there (see `test_evening.py`).

`python playing.py FOLDER` begins the service as a club does, and opens the pages of the director, of a spectator, of
a player and of the board; two recorders write. It prints what happened as JSON, or fails where something did not.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from browsers import FLAGS, chromium

from events.model import Bid, Name, Pass, Play
from events.writing import write_event
from records import Store
from replay.redact import hide
from replay.simulate import simulate

if TYPE_CHECKING:
    from playwright.sync_api import Page

HERE = Path(__file__).resolve().parents[2]
PATIENCE = 60_000.0
NAMES = {"N": "Olena", "E": "Marcel", "S": "Walter", "W": "Doris"}


class Serving:
    """One life of `kibitz serve`: the address that it prints, and the link of the director."""

    def __init__(self, folder: Path, port: int) -> None:
        environment = {
            **os.environ, "PYTHONPATH": str(HERE), "KIBITZ_DB": str(folder / "club.db"), "PYTHONUNBUFFERED": "1"
        }
        command = [
            sys.executable, "-c", "from cli.app import main; main()", "serve", "--port", str(port), "--delay", "1 trick"
        ]
        self.said = (folder / "said").open("a+", encoding="utf-8")
        self.alive = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.said, text=True)
        assert self.alive.stdout is not None
        self.first = self.alive.stdout.readline()
        found = re.search(r"http\S+/enter#\S+", self.alive.stdout.readline())
        assert found is not None, self.first
        self.link = found[0]

    def end(self, how: int) -> int:
        self.alive.send_signal(how)
        return self.alive.wait(60)


class Writer:
    """A recorder's phone, without its keys."""

    def __init__(self, address: str, link: str, match: str) -> None:
        self.asking, self.match = httpx.Client(base_url=address, timeout=60, headers={"origin": address}), match
        assert self.asking.post("/api/v1/session", json={"secret": link.partition("#")[2]}).status_code == 201

    def line(self, text: str, **more: Any) -> httpx.Response:
        return self.asking.post(f"/api/v1/matches/{self.match}/lines", json={"line": text, **more})

    def lines(self, seed: int) -> int:
        """A hand, as the table saw it; the last event."""
        last = 0
        for r in hide(simulate("kaiser", seed=seed, hands=1))[1:]:
            if isinstance(r.event, Bid | Pass | Name | Play):
                told = self.line(write_event(r.event), as_played=True)
                assert told.status_code == 201, told.text
                last = told.json()["last"]
        return last


def link_in(page: Page) -> str:
    """The link that the director was just shown."""
    code = page.locator(".given code").first
    from playwright.sync_api import expect

    expect(code).to_be_visible(timeout=PATIENCE)
    return code.inner_text()


def main(folder: Path) -> dict[str, Any]:
    # Here, so that this file can be read where there is no such package.
    from playwright.sync_api import expect, sync_playwright

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told: dict[str, Any] = {}
    serving = Serving(folder, port)
    address = f"http://127.0.0.1:{port}"
    told["listens"] = serving.first.strip()
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=chromium(), args=FLAGS)
        errors: list[str] = []

        def window(width: int, height: int, link: str) -> Page:
            page = opened.new_context(viewport={"width": width, "height": height}).new_page()
            page.set_default_timeout(PATIENCE)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(link)
            return page

        # The director begins a table, and gives links.
        director = window(1280, 900, serving.link)
        director.locator("details.new > summary").click()
        director.select_option("select[name=game]", "kaiser")
        for seat, name in NAMES.items():
            director.fill(f"input[data-seat={seat}]", name)
        director.fill("input[name=event]", "Saturday evening")
        director.get_by_role("button", name="Begin the match").click()
        card = director.locator("section.table")
        expect(card).to_have_count(1, timeout=PATIENCE)
        match = str(card.get_attribute("data-match"))
        writers = []
        for name in ("Ann", "Bo"):
            card.get_by_role("button", name="recorder link").click()
            card.locator("form input").fill(name)
            card.get_by_role("button", name="make the link").click()
            writers.append(Writer(address, link_in(director), match))
            card.get_by_role("button", name="done").click()
        ann, bo = writers
        card.get_by_role("button", name="spectator link", exact=True).click()
        spectator = window(1280, 800, link_in(director))
        card.get_by_role("button", name="done").click()

        # A hand is written and followed. Of the next one a trick and a card: the spectator sees neither, as
        # it is late by a trick.
        end = ann.lines(seed=3)
        expect(spectator.locator(".livebar")).to_contain_text("live")
        expect(spectator.locator(".columns, .moves, svg.cards").first).to_be_visible()
        spectator.wait_for_function(
            f"() => document.getElementById('kibitz').watch?.doc.hands.at(-1)?.last === {end}", timeout=PATIENCE,
        )
        for line in ("7", "pass", "pass", "pass", "name h", "8h"):
            told["last"] = ann.line(line, as_played=True).json()["last"]
        stale = bo.line("9h", expect=told["last"] - 1)
        told["stale"] = (stale.status_code, [one["line"] for one in stale.json()["missed"]])
        told["again"] = bo.line("9h", expect=told["last"], as_played=True).status_code
        spectator.keyboard.press("ArrowLeft")
        back = spectator.get_by_role("button", name=re.compile("back to live"))
        back.click()
        expect(back).to_have_count(0)

        # A player disputes a card of the hand that is over. The director sees it, and rules; the score of
        # everybody changes.
        card.get_by_role("button", name="more").click()
        card.get_by_role("button", name="Marcel").click()
        player = window(390, 844, link_in(director))
        player.locator("svg.cards").first.wait_for()
        player.keyboard.press("p")
        player.keyboard.press("ArrowLeft")
        player.get_by_role("button", name="dispute this event").click()
        player.locator(".claim input").fill("Revoke")
        player.get_by_role("button", name="ask the director").click()
        expect(player.locator(".claim")).to_contain_text("Sent to the director")
        dispute = director.locator("article.dispute")
        expect(dispute).to_contain_text("ruling requested by Marcel (revoke)", timeout=PATIENCE)
        told["report"] = director.request.get(
            address + str(dispute.locator("a", has_text="report").get_attribute("href"))
        ).status
        dispute.locator("select").first.select_option("adjust")
        dispute.locator("[data-key='points.NS']").fill("-3")
        dispute.get_by_role("button", name="what the score would be", exact=True).click()
        expect(dispute).to_contain_text("The score would be: ", timeout=PATIENCE)
        dispute.get_by_role("button", name="record ruling", exact=True).click()
        expect(dispute).to_contain_text("Ruled: Olena & Walter −3 points", timeout=PATIENCE)
        expect(dispute.locator(".ways")).to_contain_text("as ruled", timeout=PATIENCE)
        expect(player.locator(".claim")).to_contain_text("Ruled", timeout=PATIENCE)
        for who, asked in (("recorder", ann.asking), ("player", player.request)):
            ways = asked.get(f"{address}/api/v1/matches/{match}/score").json()["ways"]
            told[who] = {way: one["totals"]["NS"] for way, one in ways.items()}

        # Ctrl-C while lines are on their way: what was answered is written, and the others were told so.
        answers: list[tuple[str, int]] = []

        def write(writer: Writer, name: str) -> None:
            for k in range(200):
                try:
                    answer = writer.line(f"note 1 {name} {k}", key=f"{name}-{k}")
                except httpx.HTTPError:
                    return
                answers.append((f"{name}-{k}", answer.status_code))
                if answer.status_code != 201:
                    return

        threads = [threading.Thread(target=write, args=(writer, name)) for writer, name in ((ann, "ann"), (bo, "bo"))]
        for thread in threads:
            thread.start()
        while len(answers) < 10:
            threads[0].join(0.01)
        told["stopped with"] = serving.end(signal.SIGINT)
        for thread in threads:
            thread.join()
        expect(spectator.locator(".livebar")).to_contain_text("No connection", timeout=PATIENCE)
        with Store.open(folder / "club.db", write=False) as store:
            kept = {r.key for r in store.read(match)}
        told["answered and lost"] = [key for key, status in answers if status == 201 and key not in kept]
        told["answered"] = sum(status == 201 for _, status in answers) >= 10
        told["other answers"] = sorted({status for _, status in answers} - {201, 503})

        # Begun again, killed, and begun again: the windows go on by themselves.
        serving = Serving(folder, port)
        serving.end(signal.SIGKILL)
        serving = Serving(folder, port)
        expect(spectator.locator(".livebar")).to_contain_text("live", timeout=PATIENCE)
        known = len(answers)
        told["after the kill"] = ann.line("note 1 here again", key=f"again {known}").status_code
        board = director.context.new_page()
        board.goto(f"{address}/board")
        expect(board.locator("main.board")).to_contain_text("Saturday evening", timeout=PATIENCE)
        expect(board.locator("main.board section")).to_contain_text("Marcel & Doris")
        told["stopped again with"] = serving.end(signal.SIGTERM)
        told["page errors"] = errors
        opened.close()
    told["said"] = (folder / "said").read_text(encoding="utf-8")
    return told


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
