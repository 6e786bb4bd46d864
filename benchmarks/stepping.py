"""How long a step of the viewer takes in Chromium, for every example: `python -m benchmarks.stepping`.

A step has to be drawn within a frame of a screen, 16 ms. Time is that of the page's own thread, so that what other
programs take of the machine does not count. Chromium is the one on the path, or what KIBITZ_CHROMIUM names.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from records import load_file
from replay.viewer.document import document
from replay.viewer.page import replay_html

ROOT = Path(__file__).resolve().parent.parent
FRAME = 16.0
WHERE = """() => { const {viewer} = document.getElementById('kibitz'), {places} = viewer.replay;
  const to = places[viewer.k + 1];
  return `${to.n}${to.h === places[viewer.k].h ? '' : ', another hand'}` }"""
STEP = (
    "by => { const {viewer} = document.getElementById('kibitz'); viewer.go(viewer.k + by); document.body.offsetHeight }"
)


def steps(opened: Any, at_most: int) -> Iterator[tuple[float, str]]:
    """The milliseconds of each of so many steps, and where it leads to, spread over the match. Of each the best of
    three: a collection of garbage in between is none of the step's."""
    asked = opened.context.new_cdp_session(opened)
    asked.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        return float(
            next(m["value"] for m in asked.send("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")
        )

    def step(by: int) -> float:
        before = spent()
        opened.evaluate(STEP, by)
        return (spent() - before) * 1000

    last = int(opened.evaluate("document.getElementById('kibitz').viewer.replay.places.length - 1"))
    for k in range(0, last, max(1, last // at_most)):
        opened.evaluate("k => document.getElementById('kibitz').viewer.go(k)", k)
        tries = []
        for _ in range(3):
            tries.append(step(1))
            step(-1)
        yield min(tries), opened.evaluate(WHERE)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40, help="how many steps of each example")
    parser.add_argument("--only", default="", help="only examples whose name has this in it")
    asked = parser.parse_args()
    where = os.environ.get("KIBITZ_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    rows = []
    with sync_playwright() as api, tempfile.TemporaryDirectory() as folder:
        browser = api.chromium.launch(executable_path=where, args=["--headless", "--no-sandbox", "--disable-gpu"])
        for path in sorted(p for p in (ROOT / "examples").glob("*.kib") if asked.only in p.stem):
            file = Path(folder) / "hand.html"
            file.write_text(replay_html(document(load_file(str(path)).records)), encoding="utf-8")
            opened = browser.new_page(viewport={"width": 1280, "height": 800})
            opened.goto(f"file://{file}")
            opened.wait_for_selector("svg.cards")
            times = sorted(steps(opened, asked.steps))
            rows.append((path.stem, times[len(times) // 2][0], *times[-1]))
            opened.close()
        browser.close()
    print("| example | median | slowest | at event | goal |\n|---|---|---|---|---|")
    for name, middle, most, where in sorted(rows, key=lambda row: -row[2]):
        print(f"| {name} | {middle:.1f} ms | **{most:.1f} ms** | {where} | {FRAME:.0f} ms |")


if __name__ == "__main__":
    main()
