"""Small plots of a season as inline SVG: the progress of the leaders, and the evenings of a player as bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from replay.paper.as_html import h
from replay.season.table import PlayerRow, SeasonTable

MOST_LINES = 6
"""Most players in a plot; more lines cannot be distinguished."""
MOST_BARS = 60
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
_WIDE, _HIGH, _RIGHT, _LEFT, _TOP, _BOTTOM = 720, 240, 150, 38, 10, 24


def course(table: SeasonTable, text: str) -> str:
    """The cumulative figures of the first players of a table, evening by evening; "" if there are too few evenings.
    `text` is the title."""
    return _drawn(table, text, "broad", _WIDE, _RIGHT)


def narrow_course(table: SeasonTable, text: str) -> str:
    """The same for a narrow page, with the names below; "" if there is nothing to draw."""
    plot = _drawn(table, text, "narrow", 360, 10)
    if not plot:
        return ""
    days = [d for d in table.days if d]
    items = []
    for n, row in enumerate([row for row in table.rows if row.evenings][:MOST_LINES]):
        sample = (
            '<svg width="34" height="10" viewBox="0 0 34 10" aria-hidden="true" '
            f'xmlns="http://www.w3.org/2000/svg"><path d="M0 5H34" {_stroke(n)}/></svg>'
        )
        items.append(f"<li>{sample}{h(row.name)} {plain_figure(_added(row, days)[-1])}</li>")
    return f'{plot}<ul class="lines">{"".join(items)}</ul>'


def _ink(n: int) -> str:
    return f"var(--line-{n + 1})"


def _stroke(n: int) -> str:
    return f'style="stroke: {_ink(n)}" stroke-width="2" fill="none"' + (
        f' stroke-dasharray="{_DASHES[n]}"' if _DASHES[n] else ""
    )


def _drawn(table: SeasonTable, text: str, kind: str, wide: int, right: int) -> str:
    days = [d for d in table.days if d]
    rows = [row for row in table.rows if row.evenings][:MOST_LINES]
    if len(days) < 3 or not rows:
        return ""
    lines = [_added(row, days) for row in rows]
    low, high = min(0.0, *(min(line) for line in lines)), max(1.0, *(max(line) for line in lines))

    def x(i: int) -> float:
        return _LEFT + i * (wide - _LEFT - right) / (len(days) - 1)

    def y(figure: float) -> float:
        return _TOP + (high - figure) * (_HIGH - _TOP - _BOTTOM) / (high - low)

    out = [
        f'<svg class="course {kind}" role="img" viewBox="0 0 {wide} {_HIGH}" xmlns="http://www.w3.org/2000/svg">',
        f"<title>{h(text)}</title>",
    ]
    for figure in _ticks(low, high):
        out.append(f'<path d="M{_LEFT} {y(figure):.1f}H{wide - right}" style="stroke: var(--hair)" fill="none"/>')
        out.append(f'<text x="{_LEFT - 6}" y="{y(figure) + 4:.1f}" text-anchor="end">{plain_figure(figure)}</text>')
    for i in dict.fromkeys((0, len(days) // 2, len(days) - 1)):
        anchor = "start" if i == 0 else "end" if i == len(days) - 1 else "middle"
        out.append(f'<text x="{x(i):.1f}" y="{_HIGH - 6}" text-anchor="{anchor}">{h(days[i])}</text>')
    heights = _apart([y(line[-1]) for line in lines])
    for n, (row, line) in enumerate(zip(rows, lines, strict=True)):
        points = " ".join(f"{x(i):.1f},{y(figure):.1f}" for i, figure in enumerate(line))
        out.append(f'<polyline points="{points}" {_stroke(n)}/>')
        if right < _RIGHT:
            continue
        out.append(
            f'<path d="M{x(len(days) - 1):.1f} {y(line[-1]):.1f}L{wide - right + 8} {heights[n]:.1f}" '
            f'style="stroke: {_ink(n)}" stroke-width=".7" fill="none"/>'
        )
        out.append(
            f'<text x="{wide - right + 11}" y="{heights[n] + 4:.1f}" style="fill: '
            f'{_ink(n)}">{h(_short(row.name))} {plain_figure(line[-1])}</text>'
        )
    out.append("</svg>")
    return "".join(out)


def bars(row: PlayerRow) -> str:
    """The last evenings of a player, a bar each: matches won above the line, not won below."""
    shown = row.evenings[-MOST_BARS:]
    most = max((max(e.won, e.matches - e.won) for e in shown), default=0)
    if len(shown) < 2 or not most:
        return ""
    told = f"{row.name}, evening by evening: matches won above the line, not won below it"
    out = [
        (
            f'<svg class="bars" role="img" width="{4 * len(shown) + 2}" height="22" viewBox="0 0 '
            f'{4 * len(shown) + 2} 22" xmlns="http://www.w3.org/2000/svg">'
        )
    ]
    out.append(f"<title>{h(told)}</title>")
    for i, e in enumerate(shown):
        up, down = 10 * e.won / most, 10 * (e.matches - e.won) / most
        if up:
            out.append(
                f'<rect x="{4 * i + 1}" y="{11 - up:.1f}" width="3" height="{up:.1f}" style="fill: var(--line-1)"/>'
            )
        if down:
            out.append(f'<rect x="{4 * i + 1}" y="11" width="3" height="{down:.1f}" style="fill: var(--bar)"/>')
    out.append(f'<path d="M0 11H{4 * len(shown) + 2}" style="stroke: var(--text)" stroke-width=".6"/></svg>')
    return "".join(out)


def _added(row: PlayerRow, days: Sequence[str]) -> list[float]:
    by_day = {e.day: e.figure for e in row.evenings if e.counts}
    out, so_far = [], 0.0
    for day in days:
        so_far += by_day.get(day, 0.0)
        out.append(so_far)
    return out


def _ticks(low: float, high: float) -> list[float]:
    """Three to six round figures within this range."""
    step = 1.0
    while (high - low) / step > 5:
        step *= 2 if str(step)[0] in "15" else 2.5
    first = int(low // step) + (low % step > 0)
    return [i * step for i in range(first, int(high // step) + 1)]


def _apart(heights: Sequence[float], gap: float = 14) -> list[float]:
    """Move these heights so that no labels overlap, in the same order."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    out = list(heights)
    for before, i in pairwise(order):
        out[i] = max(out[i], out[before] + gap)
    over = max(out, default=0.0) - (_HIGH - _BOTTOM)
    return [one - max(0.0, over) for one in out]


def plain_figure(figure: float) -> str:
    """A figure in short: whole, or with two places."""
    text = f"{figure:.0f}" if figure == int(figure) else f"{figure:.2f}"
    return text.replace("-", "−")


def _short(name: str) -> str:
    return name if len(name) <= 16 else name[:15] + "…"
