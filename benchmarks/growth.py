"""How cost grows as the work grows: `python -m benchmarks.growth` (`--help` says how far) measures and
writes `benchmarks/growth.svg`.

Six panels: the CPU time to judge one match by its events and to check a record by its hands; the wall time to audit
an archive, to load one match out of a store, to answer the table of a season, and to answer a recorder, by how many
follow. Both axes are logarithmic, so that work which grows as fast as its input is a line that climbs one decade in
one decade; the grey line does.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks import archive, evening, seasons, storage
from benchmarks.__main__ import cpu
from benchmarks.lengths import whole_hands
from replay.auditing.check import check
from replay.judging.judge import judge
from replay.paper.report import report
from replay.redact import hide

Series = list[tuple[float, float]]
COLOURS = ("#1b6ca8", "#b5482f")
WIDE, HIGH = 380, 350
TABLES, PACE = 32, 32.0
"""One event a second and table: what is asked of the service while the followers become more."""


def decades(first: int, most: int) -> Iterator[int]:
    """Ten times as many at each step, and at last the most."""
    while first < most:
        yield first
        first *= 10
    yield most


def by_events(most: int) -> dict[str, Series]:
    """To judge the first events of one match, as it was, and with the hands unseen."""
    log = whole_hands(most // 35)[:most]
    unseen = hide(log)
    both = [(n, cpu(partial(judge, log[:n]), partial(judge, unseen[:n]), rounds=5)) for n in decades(60, len(log))]
    return {
        name: [(n, seconds[i] * 1e3) for n, seconds in both]
        for i, name in enumerate(("every card known", "hands unseen"))
    }


def by_hands(most: int) -> dict[str, Series]:
    """To check a record of some hands, and to report on the first of them."""
    found: dict[str, Series] = {"check": [], "report on hand 1": []}
    for hands in decades(30, most):
        log = whole_hands(hands)
        for name, work in (("check", partial(check, log)), ("report on hand 1", partial(report, log, 1))):
            found[name].append((hands, cpu(work, rounds=1)[0] * 1e3))
    return found


def by_matches(most: int) -> dict[str, Series]:
    """To audit the first matches of an archive in two processes, their start included."""
    with storage.place() as folder:
        store = folder / "a.db"
        storage.archive(store, most)
        return {
            "two processes": [(n, archive.measured(str(store), "processes", 2, n)[0] * 1e3) for n in decades(30, most)]
        }


def by_stores(most: int) -> dict[str, Series]:
    """To load one match out of a store."""
    found = []
    for number in decades(1_000, most):
        with storage.place() as folder:
            storage.archive(folder / "a.db", number)
            found.append((number, storage.loading(folder / "a.db", number)[0] * 1e3))
    return {"load": found}


def by_seasons(most: int) -> dict[str, Series]:
    """To open a store and its index and to answer with a table, of 2,000 matches and of all."""
    questions = seasons.questions()
    asked = {"one season": questions["table of a season (2,000 matches)"], "all books": questions["table of all books"]}
    found: dict[str, Series] = {name: [] for name in asked}
    for number in decades(1_000, most):
        with storage.place() as folder:
            seasons.fill(folder / "seasons.db", number)
            for name, question in asked.items():
                found[name].append((number, seasons.asked(folder / "seasons.db", question)[0] * 1e3))
    return found


def by_followers(most: int) -> dict[str, Series]:
    """Until a recorder has an answer, while others follow the tables."""
    found: dict[str, Series] = {"half of the answers": [], "99 of 100": []}
    for followers in decades(10, most):
        figures = evening.evening(TABLES, followers, PACE, 20.0)
        for name, quantile in (("half of the answers", "p50"), ("99 of 100", "p99")):
            found[name].append((followers, float(str(figures[f"answer {quantile} ms"]))))
    return found


def panel(title: str, across: str, lines: dict[str, Series]) -> str:
    """One panel of the picture."""
    points = [p for series in lines.values() for p in series]
    low_x, high_x = (f(math.log10(x) for x, _ in points) for f in (min, max))
    low_y, high_y = math.floor(min(math.log10(y) for _, y in points)), math.ceil(max(math.log10(y) for _, y in points))
    left, top, width, height = 60, 50, WIDE - 110, 240

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            left + (math.log10(x) - low_x) / (high_x - low_x) * width,
            top + height - (math.log10(y) - low_y) / (high_y - low_y) * height,
        )

    out = [f'<text x="{left}" y="30" font-size="14" font-weight="bold">{title}</text>']
    for decade in range(low_y, high_y + 1):
        y = at(10**low_x, 10**decade)[1]
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**decade:g} ms</text>')
    for x, _ in next(iter(lines.values())):
        here = at(x, 10**low_y)[0]
        out.append(f'<text x="{here:.1f}" y="{top + height + 18}" text-anchor="middle">{x:,.0f}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">{across}</text>')
    first_x, first_y = next(iter(lines.values()))[0]
    end = min(10**high_x, first_x * 10 ** (high_y - math.log10(first_y)))
    (x1, y1), (x2, y2) = at(first_x, first_y), at(end, first_y * end / first_x)
    out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#bbb" stroke-dasharray="4 3"/>')
    lower = min(lines, key=lambda name: lines[name][-1][1])
    for (name, series), colour in zip(lines.items(), COLOURS, strict=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*p) for p in series))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for p in series:
            x, y = at(*p)
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        x, y = at(*series[-1])
        away = 20 if name == lower and len(lines) > 1 else -8
        out.append(f'<text x="{x:.1f}" y="{y + away:.1f}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join(out)


MEASURES: dict[str, tuple[str, str, Callable[[int], dict[str, Series]], int]] = {
    "events": ("Time to judge one match", "events in the match", by_events, 6_000),
    "hands": ("Time to check a record", "hands in the record", by_hands, 3_000),
    "matches": ("Time to audit an archive", "matches of one hand", by_matches, 30_000),
    "stores": ("Time to load one match", "sealed matches in the store", by_stores, 100_000),
    "seasons": ("Time to make a table", "matches in the store", by_seasons, 10_000),
    "followers": (f"Time to answer at {TABLES} tables", "followers", by_followers, 1_000),
}
"""What each panel says, what stands below it, what measures it, and how far it goes if nothing else is asked."""


def main() -> None:
    """Measure, print and draw."""
    wish = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    for name, (title, across, _, most) in MEASURES.items():
        wish.add_argument(f"--{name}", type=int, default=most, help=f"{title}: the most {across}")
    asked = vars(wish.parse_args())
    panels = []
    for name, (title, across, measure, _) in MEASURES.items():
        lines = measure(asked[name])
        for line, series in lines.items():
            print(f"{title}: {line}")
            for x, y in series:
                print(f"  {x:>10,.0f} {across}  {y:12.3f} ms  {y / x * 1e3:10.2f} µs each", flush=True)
        panels.append(panel(title, across, lines))
    size = f"{3 * WIDE} {2 * HIGH}"
    picture = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        *(f'<g transform="translate({i % 3 * WIDE} {i // 3 * HIGH})">\n{each}\n</g>' for i, each in enumerate(panels)),
        "</svg>\n",
    ]
    Path(__file__).with_name("growth.svg").write_text("\n".join(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
