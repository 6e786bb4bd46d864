"""How large the sheets of the example records are in every format, and how long each takes to write.

    python -m benchmarks.sheets            # a table for README.md
    python -m benchmarks.sheets kaiser-evening scopa-sunday

The time is CPU time, the best of five; the sheet itself (folding, judging, scoring the record) is a row of its own.
The first PDF of a process also loads the fonts: that is its row "first PDF".
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from events.kib import read_kib
from replay.paper.render import written_sheet
from replay.paper.report import render_report, report
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import PageLook

EXAMPLES = Path(__file__).parents[1] / "examples"
SHOWN = ("kaiser-evening", "scopa-sunday", "burraco-club", "pontoon-kitchen", "pad-hearts")
FORMATS = ("text", "md", "html", "csv", "xlsx", "pdf", "png")
ROUNDS = 5


def timed(work: Callable[[], Any], rounds: int = ROUNDS) -> tuple[float, Any]:
    """The best CPU time in milliseconds, and what came of it."""
    best, made = float("inf"), None
    for _ in range(rounds):
        begun = time.process_time()
        made = work()
        best = min(best, (time.process_time() - begun) * 1000)
    return best, made


def rows(names: Iterable[str]) -> Iterator[str]:
    """A row for each record: of each format how many bytes, and how many milliseconds."""
    yield "| record | sheet | " + " | ".join(FORMATS) + " | report |"
    yield "|---|---|" + "---|" * (len(FORMATS) + 1)
    for name in names:
        records = list(read_kib((EXAMPLES / f"{name}.kib").read_text(encoding="utf-8")).records)
        took, sheet = timed(lambda records=records: sheet_of(records))  # type: ignore[misc]  # defaults keep the loop's values
        cells = [f"{took:.0f} ms"]
        for format in FORMATS:
            took, data = timed(lambda sheet=sheet, format=format: written_sheet(sheet, format, look=PageLook()))  # type: ignore[misc]  # defaults keep the loop's values
            cells.append(f"{len(data) / 1000:.1f} kB, {took:.1f} ms")
        took, page = timed(lambda records=records: render_report(report(records, 1), "html"), 1)  # type: ignore[misc]  # defaults keep the loop's values
        cells.append(f"{len(page.encode()) / 1000:.1f} kB, {took:.0f} ms")
        yield f"| {name} | " + " | ".join(cells) + " |"


def main(names: list[str]) -> None:
    """Print the table; the first PDF before everything else, as its fonts are not loaded yet."""
    records = list(read_kib((EXAMPLES / f"{SHOWN[0]}.kib").read_text(encoding="utf-8")).records)
    sheet = sheet_of(records)
    first, _ = timed(lambda: written_sheet(sheet, "pdf", look=PageLook()), 1)
    for row in rows(names or SHOWN):
        print(row)
    print(f"\nfirst PDF of a process: {first:.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
