"""Pages in a browser, as the tests use them."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Told = TypeVar("Told")

PLAIN_HOST = "plain.test"
"""A name by which the browser reaches this machine over plain HTTP as it would reach another: such a page is not
secure."""
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1",
]


def chromium() -> str:
    """Where a Chromium is: what KIBITZ_CHROMIUM names, or the first one on the path; empty if there is none."""
    return os.environ.get("KIBITZ_CHROMIUM", "") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "",
    )


GO = (
    "k => { const line = document.querySelector('.time input'); line.value = k; line.dispatchEvent(new "
    "Event('input')) }"
)
"""Goes to an event by its place among all, as with the time line."""


class Browser:
    """Chromium with a page for each size and kind of window that was asked for; each is used again by the next who
    asks. A browser that has gone is started anew."""

    def __init__(self, launch: Callable[[], Any], driver: Any = None) -> None:
        self.launch, self.driver = launch, driver
        self.opened = launch()
        self.pages: dict[str, list[Any]] = {}

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return bool(self.opened.is_connected())

    def page(self, kind: dict[str, Any]) -> Any:
        """A page of this kind that nobody uses."""
        free = self.pages.setdefault(repr(kind), [])
        while free:
            page = free.pop()
            if not page.is_closed():
                return page
        try:
            return self.opened.new_page(**kind)
        except Exception:  # of the driver: whatever it says, the browser does not answer any more
            if self.alive:
                raise
            self.pages.clear()
            self.opened = self.launch()
            return self.opened.new_page(**kind)

    def back(self, kind: dict[str, Any], page: Any) -> None:
        """A page that somebody has used."""
        try:
            page.goto("about:blank")
            page.emulate_media(media=None)
        except Exception:  # it has crashed, or the browser has
            return
        self.pages.setdefault(repr(kind), []).append(page)


class Opened:
    """A page of the viewer, and whatever went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.listening: dict[str, Callable[[Any], Any]] = {
            "pageerror": lambda error: self.errors.append(str(error)),
            "console": lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None,
            "request": lambda request: self.requests.append(request.url),
            "dialog": lambda dialog: (self.errors.append(f"dialog {dialog.message}"), dialog.dismiss()),
        }
        for what, heard in self.listening.items():
            page.on(what, heard)

    def leave(self) -> None:
        """Hear nothing more of the page: somebody else uses it next."""
        for what, heard in self.listening.items():
            self.page.remove_listener(what, heard)

    def at(self) -> int:
        """The event that the page shows."""
        return int(self.page.evaluate("document.querySelector('.line .n').textContent"))

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.page.evaluate("s => document.querySelector(s).textContent", selector))

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def go(self, k: int) -> None:
        """To an event by its place among all, as with the time line."""
        self.page.evaluate(GO, k)

    def until(self, true: Callable[[], bool]) -> None:
        """Waits, for five seconds at most. The policy of the page forbids what would wait inside it."""
        for _ in range(100):
            if true():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"still at {self.at()}")

    def fine(self) -> None:
        """Nothing went wrong, and nothing was asked of anybody."""
        assert self.errors == []
        assert [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))] == []
        assert len([url for url in self.requests if url.startswith("file:")]) == 1


def in_a_loop_of_its_own(work: Coroutine[Any, Any, Told]) -> Told:
    """Run a coroutine to its end, beside the loop that a browser of this process may keep running."""
    return in_a_thread_of_its_own(lambda: asyncio.run(work))


def in_a_thread_of_its_own(work: Callable[[], Told]) -> Told:
    """Do what starts a loop. A browser that a test of this process uses keeps one running in the main thread, beside
    which no other can be started."""
    told: list[Told] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            told.append(work())
        except BaseException as error:  # handed on to whoever waits
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return told[0]
