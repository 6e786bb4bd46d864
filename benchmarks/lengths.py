"""How judging grows with the length of a record: `python -m benchmarks.lengths` prints hands (30 to 3,000) and lines
of one hand.

CPU seconds of `check`, and of `report` on one hand; `growth` is how many times as long a line takes as in the row
above. Empty hands and lines that make no sense are there because somebody may hand in 50 KB of them: more of them
may cost no more than the budget of a record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from benchmarks.__main__ import table
from events.kib import read_kib
from events.model import Arrange, Capture, Discard, Draw, Fix, Hand, Meld, Move, Play, Recorded
from replay.auditing.check import check
from replay.paper.report import report
from replay.simulate import simulate

SIZES = (30, 300, 3_000)
EXAMPLES = Path(__file__).parent.parent / "examples"
CARDS = [rank + suit for suit in "hdsc" for rank in "89TJQKA"]


def whole_hands(number: int) -> list[Recorded]:
    """A match of so many hands of Kaiser that were seen whole, as far as a match may be long."""
    log: list[Recorded] = []
    seed = hands = 0
    while hands < number:
        for r in simulate("kaiser", seed=seed, options={"target": 999}, hands=min(28, number - hands))[bool(log) :]:
            event = r.event
            if isinstance(event, Hand):
                hands += 1
                event = replace(event, number=hands)
            log.append(replace(r, n=len(log), event=event))
        seed += 1
    return log


def written(*lines: str) -> Callable[[int], list[Recorded]]:
    """What makes a record of so many lines out of these, one after the other; `{n}` is the number of the line."""

    def made(number: int) -> list[Recorded]:
        text = "".join(f"{n}. {lines[n % len(lines)].format(n=n)}\n" for n in range(1, number + 1))
        return list(read_kib(f'%kib 1\n[Game "kaiser"]\n[Seats "N E S W"]\n\n{text}').records)

    return made


def acts_of(example: str) -> Callable[[int], list[Recorded]]:
    """What makes a record of so many lines out of the hands, acts and corrections of an example, again and again."""

    def made(number: int) -> list[Recorded]:
        opening, *lines = read_kib((EXAMPLES / f"{example}.kib").read_text(encoding="utf-8")).records
        acts = [
            r.event for r in lines
            if isinstance(r.event, Hand | Fix | Draw | Discard | Play | Capture | Meld | Move | Arrange)
        ]
        return [opening, *(Recorded(n=n, event=acts[(n - 1) % len(acts)]) for n in range(1, number + 1))]

    return made


KINDS: dict[str, Callable[[int], list[Recorded]]] = {
    "hands, seen whole": whole_hands,
    "empty hands": written("N hand {n}"),
    "lines of nonsense": written("N hand {n}", "N qq", "E bid 99", "S play 7h", "@ gap"),
    "plays of one hand": written(*(f"{'NESW'[i % 4]} play {card}" for i, card in enumerate(CARDS))),
    "acts of Machiavelli": acts_of("machiavelli-loggia"),
    "acts of Envite": acts_of("envite-laguna"),
    "tallies of one hand": written("@ tally bid=7 by=N made=yes"),
}


def rows() -> Iterator[tuple[str, ...]]:
    """The table, its head first, each row as soon as it is there."""
    yield ("record", "lines", "check", "growth a line", "report on hand 1")
    for what, make in KINDS.items():
        before = 0.0
        for size in SIZES:
            log = make(size)
            begun = time.process_time()
            check(log)
            checked = time.process_time()
            report(log, 1)
            each = (checked - begun) / len(log)
            growth = f"{each / before:.2f}x" if before else ""
            yield (
                f"{size:,} {what}", f"{len(log):,}", f"{checked - begun:.2f} s", growth,
                f"{time.process_time() - checked:.2f} s",
            )
            before = each


if __name__ == "__main__":
    table(rows())
