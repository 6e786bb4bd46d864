"""How the time to check a record grows with lines that are repeated: `python -m benchmarks.repetition [--most N]
[GAME …]`.

A recorder leans on a key, a program writes the same line for ever, or a block of lines is pasted again and again.
For each game a line, a block of a real hand and a whole real hand are repeated to 50, 100, 200 … N lines, and each
record is checked: judged, and corrections looked for. The table has milliseconds of CPU, and what doubling the lines
multiplies them by at the most, once there is something to find and the first of it is looked into (that takes a part
of the budget of the record, `replay.budget`, and so is no growth). Time that grows as fast as n log n is a factor of
2.4 at the beginning and of 2.2 at the end; what the budget bounds grows by less. `whole` is the factor over this
whole way divided by that of n log n, which should not be above 1.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from events.model import Call, Claim, Event, Facts, Fix, Gap, Hand, Meld, Note, Pass, Recorded, Ruling, Tally
from reducers.facts import set_fact
from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from replay.auditing.check import check
from replay.budget import Budget
from replay.redact import hide
from replay.simulate import simulate

FEWEST, MOST = 50, 3_200
# The row of `make bench`: these games, from so many lines to so many, and what is always done, whatever the budget.
SAMPLE, FEW, MANY = ("kaiser", "russian-bank"), 100, 800


def blocks(game: str) -> Iterator[tuple[str, list[Recorded], list[Recorded]]]:
    """What is repeated: its name, the lines before it, the lines themselves."""
    log = hide(simulate(game, seed=1, hands=1))
    opening, rest = log[:1], log[1:]
    hand = next((i for i, r in enumerate(rest) if type(r.event) is Hand), 0)
    middle = hand + min(30, (len(rest) - hand) // 2)
    seat = rest[middle].event.by if rest[middle].event.by != "@" else rest[hand].event.by
    before = log[: middle + 1]
    yield "one line", before, [rest[middle]]
    yield "one line alone", opening, [rest[middle]]
    yield "two lines", before, rest[middle : middle + 2]
    yield "five lines", before, rest[middle : middle + 5]
    yield "a hand", opening, rest[hand:]
    yield "the hand line", before, [rest[hand]]
    facts: Facts = {}
    for key in find_game(game).tally.facts:
        if "#" not in key:
            set_fact(facts, key.replace("*", next(iter(begin(log[0].event.facts).terms.sides))), 1)  # type: ignore[union-attr]  # the opening
    made: dict[str, Event] = {
        "a pass": Pass(by=seat), "a stop": Call(by=seat, word="stop"),
        "a meld": Meld(by=seat, groups=(("3c", "4c", "5c"),)), "a tally": Tally(by="@", facts=facts),
        "a fix": Fix(by="@", at=middle, how="replace", event=Pass(by=seat)),
        "a line put in": Fix(by="@", at=middle, how="insert", event=Pass(by=seat)),
        "a line struck": Fix(by="@", at=middle, how="strike"), "a ruling": Ruling(by="@", refs=(middle,), word="void"),
        "a claim": Claim(by=seat, amount=5), "a comment": Note(by=seat, refs=(middle,)), "a gap": Gap(by="@"),
    }  # fmt: skip
    for name, event in made.items():
        yield name, before, [Recorded(n=0, event=event)]


def repeated(before: list[Recorded], block: list[Recorded], lines: int) -> list[Recorded]:
    """A record of so many lines after its opening."""
    out = before[: lines + 1]
    while len(out) <= lines:
        out += block[: lines + 1 - len(out)]
    return [replace(r, n=n) for n, r in enumerate(out)]


def seconds(log: list[Recorded], rounds: int = 1) -> tuple[float, bool]:
    """CPU seconds to check a record, the best of so many times; and whether something was found."""
    best, found = math.inf, False
    for _ in range(rounds):
        begun = time.process_time()
        found = bool(check(log).findings)
        best = min(best, time.process_time() - begun)
    return best, found


def slowest() -> tuple[float, float, float, str]:
    """What of the sample grows fastest with its lines: its factor beside that of n log n, the seconds of both, its
    name.

    Only what is always done is asked for: what the budget bounds does not grow.
    """
    due = MANY * math.log(MANY) / (FEW * math.log(FEW))
    found: list[tuple[float, float, float, str]] = []
    for game in SAMPLE:
        for name, before, block in blocks(game):
            few, many = (min(_bare(repeated(before, block, n)) for _ in range(2)) for n in (FEW, MANY))
            found.append((many / (few * due), many, few * due, f"{name}, {game}"))
    return max(found)


def _bare(log: list[Recorded]) -> float:
    begun = time.process_time()
    check(log, budget=Budget(1))
    return time.process_time() - begun


def sizes(most: int) -> list[int]:
    """The numbers of lines, doubled each time."""
    out = [FEWEST]
    while out[-1] * 2 <= most:
        out.append(out[-1] * 2)
    return out


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[], metavar="GAME")
    parser.add_argument("--most", type=int, default=MOST)
    asked = parser.parse_args()
    lines = sizes(asked.most)
    print(f"| {'game':16} | {'repeated':14} |" + "".join(f" {n:>6} |" for n in lines) + "  most | whole |")
    print("|---|---|" + "---:|" * (len(lines) + 2))
    for game in asked.games or PAGES:
        for name, before, block in blocks(game):
            took = [seconds(repeated(before, block, n), rounds=3 if n < 400 else 1) for n in lines]
            grown = [
                (n, t) for n, (t, found) in zip(lines, took, strict=True) if found
            ][1:] or [(n, t) for n, (t, _) in zip(lines, took, strict=True)]
            most = max((b / a for (_, a), (_, b) in pairwise(grown)), default=1.0)
            (n, a), (m, b) = grown[0], grown[-1]
            whole = b / a / (m * math.log(m) / (n * math.log(n)))
            print(
                f"| {game:16} | {name:14} |" + "".join(f" {t * 1e3:6.0f} |" for t, _ in took)
                + f" {most:5.1f} | {whole:5.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
