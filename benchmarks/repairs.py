"""How well the one correction is found: `python -m benchmarks.repairs [LOGS [GAME…]]`, 300 logs a row unless told otherwise.

Simulated matches of two hands, hidden as the table saw them or open, with exactly one slip of the recorder in the
first hand: a card forgotten, mistyped, or typed in the wrong order. For each row: in how many logs the slip shows as
something broken, in how many the right place is offered first and among at most four, how many broken rules would be
held against a player although nobody broke one, and how many of these no offer calls in doubt. Times are CPU time.
Below, logs without a slip in which rules were really broken: how many get an offer all the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.cards import is_face
from events.model import Capture, Discard, Draw, Hand, Play, Recorded
from reducers.game import find
from replay.hide import hide
from replay.judge import judge
from replay.repair import physical, suggest
from replay.simulate import Slip, derived_seed, mischief, mistyped, simulate

GAMES = ("kaiser", "scopa", "bridge-solitaire")

SlipKind = Literal["forgotten", "mistyped", "swapped"]
KINDS: tuple[SlipKind, ...] = ("forgotten", "mistyped", "swapped")
LOGS = 300


class Row(Struct):
    """What was counted over the logs of one row."""

    logs: int = 0
    shows: int = 0
    first: int = 0
    among: int = 0
    accused: int = 0
    left: int = 0
    offers: int = 0
    slowest: float = 0.0
    seconds: float = 0.0


def one_slip(log: list[Recorded], kind: SlipKind, game: str, rng: Random) -> tuple[list[Recorded], Slip] | None:
    """The log with one slip in its first hand, and the slip; None if there is no place for one."""
    ends = next((i for i, r in enumerate(log) if isinstance(r.event, Hand) and r.event.number == 2), len(log))
    cards = [i for i in range(ends) if isinstance(log[i].event, Play | Capture | Discard | Draw)]
    if kind == "mistyped":
        cards = [i for i in cards if isinstance(log[i].event, Play | Capture) and is_face(log[i].event.cards[0])]  # type: ignore[union-attr]  # narrowed by the test before it
    if kind == "swapped":
        cards = [i for i in cards if i + 1 in cards and log[i].event != log[i + 1].event]
    if not cards:
        return None
    i = rng.choice(cards)
    was = log[i].event
    out = list(log)
    if kind == "forgotten":
        del out[i]
    elif kind == "mistyped":
        assert isinstance(was, Play | Capture)
        out[i] = replace(log[i], event=mistyped(was, find(game).pack, rng))
    else:
        out[i], out[i + 1] = replace(log[i], event=log[i + 1].event), replace(log[i + 1], event=was)
    return [replace(r, n=n) for n, r in enumerate(out)], Slip(kind, i, was)


def right(slip: Slip, kind: str, at: int, by: str) -> bool:
    """Whether a repair is the one that undoes the slip."""
    if slip.kind == "forgotten":
        return kind == "insert" and at == slip.position - 1 and by == slip.was.by
    if slip.kind == "mistyped":
        return kind == "blank" and at == slip.position
    return kind == "swap" and at == slip.position


def slipped(game: str, kind: SlipKind, hidden: bool, logs: int) -> Iterator[tuple[list[Recorded], Slip]]:
    """So many logs with one slip each, the same on every machine."""
    for i in range(logs):
        log = simulate(game, seed=derived_seed("repairs", i), hands=2)
        made = one_slip(log, kind, game, Random(f"{game}/{kind}/{i}"))
        if made is not None:
            yield (hide(made[0]) if hidden else made[0]), made[1]


def measure(game: str, kind: SlipKind, hidden: bool, logs: int) -> Row:
    """One row. Nobody broke a rule in these logs, so every finding about a player is a wrong accusation."""
    row = Row()
    for log, slip in slipped(game, kind, hidden, logs):
        found = judge(log)
        begin = time.process_time()
        repairs = suggest(log, found.findings)
        took = time.process_time() - begin
        row.logs += 1
        row.seconds += took
        row.slowest = max(row.slowest, took)
        row.shows += bool(found.broken)
        row.offers += bool(repairs)
        hits = [right(slip, r.kind, r.at, r.fixes[0].event.by if r.fixes[0].event else "") for r in repairs]
        row.first += bool(hits and hits[0])
        row.among += any(hits)
        rules = {(f.rule, f.at.pos) for f in found.broken if not physical(f)}
        gone = {(ref.rule, ref.pos) for r in repairs for ref in r.removes}
        row.accused += len(rules)
        row.left += len(rules - gone)
    return row


def honest(game: str, hidden: bool, logs: int) -> Row:
    """Logs without a slip in which rules were really broken: `offers` counts those that get an offer all the same."""
    row = Row()
    for i in range(logs):
        log, _ = mischief(game, seed=derived_seed("honest", i), p=0.08, hands=2)
        log = hide(log) if hidden else log
        found = judge(log)
        repairs = suggest(log, found.findings)
        row.logs += 1
        row.shows += bool(found.broken)
        row.offers += bool(repairs)
        row.accused += len(found.broken)
        row.left += len({(f.rule, f.at.pos) for f in found.broken} - {(x.rule, x.pos) for r in repairs for x in r.removes})
    return row


def main(logs: int = LOGS, games: tuple[str, ...] = GAMES) -> None:
    """Print the tables."""
    print("game               hands   slip       logs  shows  first  among 4  accused  left   mean ms  slowest ms")
    for game in games:
        for hidden in (False, True):
            for kind in KINDS:
                r = measure(game, kind, hidden, logs)
                print(
                    f"{game:<18} {'hidden' if hidden else 'open':<7} {kind:<10} {r.logs:>4} {r.shows:>6} {r.first:>6} {r.among:>8} "
                    f"{r.accused:>8} {r.left:>5} {1000 * r.seconds / max(r.logs, 1):>9.0f} {1000 * r.slowest:>11.0f}",
                    flush=True,
                )
    print("\nno slip, rules really broken: logs, with findings, with an offer; findings, of them not called in doubt")
    for game in games:
        for hidden in (False, True):
            r = honest(game, hidden, logs)
            print(f"{game:<18} {'hidden' if hidden else 'open':<7} {r.logs:>4} {r.shows:>6} {r.offers:>6} {r.accused:>8} {r.left:>5}", flush=True)


if __name__ == "__main__":
    main(int((sys.argv[1:] or [LOGS])[0]), tuple(sys.argv[2:]) or GAMES)
