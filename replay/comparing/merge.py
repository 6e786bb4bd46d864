"""Merge two records of one match: cards seen by one complete the other."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from events.model import Fix, Recorded
from events.writing import write_event
from replay.comparing.diff import DiffRow, compared_logs, credited


class Fill(Struct, frozen=True):
    """An event of A completed from B: its position in A, the source position in B, the old and the new form."""

    hand: int
    at: int
    source: int
    was: str
    now: str


class Merged(Struct, frozen=True):
    """What A gains from B. `fills` are certain; `held` are fills in a hand with a conflict; `conflicts` are rows.

    `fixes` are the corrections, numbered on from the end of A.
    """

    a: str
    b: str
    fills: tuple[Fill, ...]
    held: tuple[Fill, ...]
    conflicts: tuple[DiffRow, ...]
    fixes: tuple[Recorded, ...]


def merge_records(a: Iterable[Recorded], b: Iterable[Recorded], names: tuple[str, str] = ("A", "B")) -> Merged:
    """Complete A from B by corrections of A. They add unseen cards but never events: if two records have different
    acts, one of them is wrong. Raises like `compare`."""
    log, other = list(a), list(b)
    pairs, rows, _ = compared_logs(log, other)
    conflicts = tuple(r for r in rows if r.real)
    bad = {r.hand for r in conflicts}
    fills: list[Fill] = []
    held: list[Fill] = []
    fixes: list[Recorded] = []
    last = log[-1].n
    for p in pairs:
        if p.why or p.a_full == p.a.event:
            continue
        fill = Fill(p.hand, p.a.n, p.b.n, write_event(p.a.event), write_event(p.a_full))
        # Different terms (hand 0) put every hand in doubt.
        if p.hand in bad or 0 in bad:
            held.append(fill)
            continue
        fills.append(fill)
        fix = Fix(by="@", at=p.a.n, how="replace", event=p.a_full)
        fixes.append(Recorded(n=last + len(fixes) + 1, event=fix, text=credited(names[1], p.b.n)))
    return Merged(*names, tuple(fills), tuple(held), conflicts, tuple(fixes))
