"""The words of a case, and records with something missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random

from events.model import Gap, Hand, Recorded, Shuffle
from events.writing import write_event
from replay.auditing.audit_shapes import ReconstructedDeal
from replay.auditing.deal import DealsOf
from replay.auditing.proof import HindsightReplay
from replay.read_log import read_log
from replay.testing.given import Given, given, log


def with_gap(records: Sequence[Recorded], seed: int, *, most: int = 4) -> list[Recorded]:
    """The same match with a few acts of one hand missing, and a `gap` in their place."""
    random = Random(seed)
    inside = [
        i for i in range(4, len(records) - most)
        if not any(isinstance(r.event, Hand | Shuffle) for r in records[i : i + most])
    ]
    at, missing = random.choice(inside), random.randint(1, most)
    events = [*(r.event for r in records[:at]), Gap(by="@"), *(r.event for r in records[at + missing :])]
    return [Recorded(n=n, event=event) for n, event in enumerate(events)]


def partly_unseen(records: Sequence[Recorded], random: Random) -> str:
    """The lines of a match with any cards unseen but those of the stock; of some lines more than of others."""
    lines: list[str] = []
    for record in records[1:]:
        line, share = write_event(record.event), random.choice((0, 0.2, 0.6))
        if "stock=" not in line:
            words = re.split(r"([2-9TJQKA][cdhs])", line)
            # Every second one is a card.
            words[1::2] = ["??" if random.random() < share else card for card in words[1::2]]
            lines.append("".join(words))
    return "\n".join(lines)


__all__ = ["Given", "given", "log", "partly_unseen", "with_gap"]


def deal_of(records: Iterable[Recorded], hand: int) -> ReconstructedDeal:
    """The reconstructed deal of a hand."""
    memory = HindsightReplay(read_log(records))
    deals = DealsOf(memory, [hand])
    memory.walk(deals)
    return deals.told()[0]
