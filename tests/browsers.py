"""A page of the viewer in a browser, as the tests use it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Any

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def chromium() -> str:
    """Where a Chromium is: what KIBITZ_CHROMIUM names, or the first one on the path; empty if there is none."""
    return os.environ.get("KIBITZ_CHROMIUM", "") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")


class Opened:
    """A page of the viewer, and whatever went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: (self.errors.append(f"dialog {dialog.message}"), dialog.dismiss()))

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
        self.page.evaluate("k => { const line = document.querySelector('.time input'); line.value = k; line.dispatchEvent(new Event('input')) }", k)

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
