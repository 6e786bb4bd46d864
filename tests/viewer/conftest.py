"""Pages of the viewer, opened from the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import Browser, Opened
from replays import page_of


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Opens a page from the disk: an example by its path, or any HTML."""
    made: list[tuple[dict[str, Any], Opened]] = []

    def opening(what: Path | str, anchor: str = "", width: int = 1280, height: int = 800, **options: Any) -> Opened:
        file = tmp_path / f"hand-{len(made)}.html"
        file.write_text(page_of(what) if isinstance(what, Path) else what, encoding="utf-8")
        kind = {"viewport": {"width": width, "height": height}, **options}
        for last in (False, True):
            opened = Opened(browser.page(kind))
            made.append((kind, opened))
            # A busy machine takes its time.
            opened.page.set_default_timeout(20_000)
            try:
                opened.page.goto(f"file://{file}{anchor}")
                opened.page.wait_for_selector("svg.cards")
            except Exception:
                # A browser that has crashed is no fault of the page.
                if last or browser.alive:
                    raise
            else:
                break
        return opened

    yield opening
    for kind, opened in made:
        opened.leave()
        browser.back(kind, opened.page)
