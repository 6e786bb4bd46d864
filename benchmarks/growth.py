"""How cost grows as the work grows: `python -m benchmarks.growth [--archive N]` measures and writes
`benchmarks/growth.svg`.

Left: CPU time to fold and check one match of 60 to 6,000 events, and to audit it with the hands unseen. Right: wall
time (median) to load one match out of a store of 1,000 to N sealed matches. Both axes are logarithmic, so that work
which grows as fast as its input is a line that climbs one decade in one decade; the grey line does.
"""

from __future__ import annotations

import argparse
import math
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from benchmarks.__main__ import cpu
from benchmarks.storage import archive, loading, place
from events.model import Hand, Recorded
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate

SIZES = (60, 200, 600, 2_000, 6_000)
Series = list[tuple[float, float]]


def one_match() -> list[Recorded]:
    """A match of six thousand events: Kaiser to 999 points, one hand behind the other."""
    log: list[Recorded] = []
    seed = hands = 0
    while len(log) < max(SIZES):
        for r in simulate("kaiser", seed=seed, options={"target": 999}, hands=90)[bool(log) :]:
            event = r.event
            if isinstance(event, Hand):
                hands += 1
                event = replace(event, number=hands)
            log.append(replace(r, n=len(log), event=event))
        seed += 1
    return log


def by_events() -> tuple[Series, Series]:
    """Milliseconds to judge the first n events of one match, as it was, and with the hands unseen."""
    log = one_match()
    unseen = hide(log)
    open_, closed = [], []
    for n in SIZES:
        a, b = cpu(partial(judge, log[:n]), partial(judge, unseen[:n]), rounds=5)
        open_.append((float(n), a * 1e3))
        closed.append((float(n), b * 1e3))
    return open_, closed


def by_matches(most: int) -> Series:
    """Milliseconds to load one match out of so many."""
    found = []
    n = 1_000
    while n <= most:
        with place() as folder:
            archive(folder / "a.db", n)
            found.append((float(n), loading(folder / "a.db", n)[0] * 1e3))
        n *= 10
    return found


def plot(title: str, across: str, lines: dict[str, Series], left: int) -> str:
    """One panel of the picture."""
    points = [p for series in lines.values() for p in series]
    low_x, high_x = (f(math.log10(x) for x, _ in points) for f in (min, max))
    low_y, high_y = math.floor(min(math.log10(y) for _, y in points)), math.ceil(max(math.log10(y) for _, y in points))
    width, height, top = 330, 240, 50

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            left + 60 + (math.log10(x) - low_x) / (high_x - low_x) * (width - 80),
            top + height - (math.log10(y) - low_y) / (high_y - low_y) * height,
        )

    out = [f'<text x="{left + 60}" y="30" font-size="14" font-weight="bold">{title}</text>']
    for decade in range(low_y, high_y + 1):
        y = at(10**low_x, 10**decade)[1]
        out.append(f'<line x1="{left + 60}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left + 54}" y="{y + 4:.1f}" text-anchor="end">{10.0**decade:g} ms</text>')
    for x, _ in next(iter(lines.values())):
        here = at(x, 10**low_y)[0]
        out.append(f'<text x="{here:.1f}" y="{top + height + 18}" text-anchor="middle">{x:,.0f}</text>')
    out.append(f'<text x="{left + width / 2 + 20}" y="{top + height + 38}" text-anchor="middle">{across}</text>')
    first_x, first_y = next(iter(lines.values()))[0]
    end = min(10**high_x, first_x * 10 ** (high_y - math.log10(first_y)))
    (x1, y1), (x2, y2) = at(first_x, first_y), at(end, first_y * end / first_x)
    out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#bbb" stroke-dasharray="4 3"/>')
    for i, (name, series) in enumerate(lines.items()):
        colour = ("#1b6ca8", "#b5482f")[i]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*p) for p in series))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for p in series:
            x, y = at(*p)
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        x, y = at(*series[-1])
        below = 20 if i == 0 and len(lines) > 1 else -8
        out.append(f'<text x="{x - 6:.1f}" y="{y + below:.1f}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join(out)


def main() -> None:
    """Measure, print and draw."""
    wish = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    wish.add_argument("--archive", type=int, default=100_000, help="the largest store")
    options = wish.parse_args()
    open_, closed = by_events()
    loads = by_matches(options.archive)
    for name, series in (("judge", open_), ("audit, hands unseen", closed), ("load one match", loads)):
        print(name)
        for x, y in series:
            print(f"  {x:>10,.0f}  {y:10.3f} ms  {y / x * 1e3:8.2f} µs each")
    picture = "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 350" font-family="sans-serif" font-size="11">',
            '<rect width="760" height="350" fill="white"/>',
            plot(
                "Time to judge one match", "events in the match", {"every card known": open_, "hands unseen": closed}, 0
            ),
            plot("Time to load one match", "sealed matches in the store", {"load": loads}, 380),
            "</svg>\n",
        ]
    )
    Path(__file__).with_name("growth.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
