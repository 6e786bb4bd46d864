"""Cards that nobody saw, named because every other card of the pack has its place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from events.cards import Pack
from events.model import Event
from reducers.model import State
from reducers.table import Entry, Table
from replay.budget import Budget
from replay.judging.assignments import LIGHT, MAX_WAYS_TRIED, all_assignments, ways_of, world_from
from replay.judging.hidden_cards import trace_hidden_cards


def cards_by_elimination(
    start: State[Any], events: Sequence[Event], first: int, last: int, budget: Budget
) -> dict[int, tuple[int, ...]] | None:
    """The cards that left unseen and that can be one only in every way the cards of a hand can lie, by step.

    Nothing is said where the ways cannot be listed, or are too many to look at each. None if the budget was at an end
    before: each way is a step for every `LIGHT` of its events.
    """
    ways, free, why = trace_hidden_cards(start, events, first, last)
    pack = start.game.pack
    if why or sum(ways_of(slots, free, pack) for slots in ways) > MAX_WAYS_TRIED:
        return {}
    told: dict[int, set[tuple[int, ...]]] = {}
    for slots in ways:
        for chosen in all_assignments(slots, free, pack):
            if budget.left <= 0:
                return None
            budget.spend(1 + len(events) // LIGHT)
            for step, codes in world_from(slots, chosen, events, first, pack)[2].items():
                told.setdefault(step, set()).add(tuple(codes))
            if told and all(len(faces) > 1 for faces in told.values()):
                # The same steps are told of in every world, and none of them has one card only.
                return {}
    return {step: next(iter(faces)) for step, faces in told.items() if len(faces) == 1}


def nothing_to_name(entries: Sequence[Entry], table: Table) -> bool:
    """Whether it is plain from the journal of a hand, and the table at its end, that elimination names no card.

    If a card that left unseen may be any of the free ones, and these are of two faces at least, it can change places with
    another in each world. It may be any of them unless a half of it was seen, it went on to another holding, or it
    may be one of those that were known before and are free again. With such a one it may have left unseen all the same, if the
    whole pile left at once and there are more free faces than it had unseen cards.
    """
    pack = table.pack
    free = set(pack.codes(pack.full - table.located + sum(pack.unit[e.code] for e in entries if e.kind == "named")))
    if any(e.code != pack.unknown for e in entries if e.kind in ("in", "out")):
        return False
    if any(a.kind == "out" and b.kind == "in" and b.src == a.pile for a, b in pairwise(entries)):
        return False
    known = {code for e in entries if e.kind == "forgot" for code in pack.codes(e.code)}
    if not free & known:
        return len(free) > 1
    unseen = [unseen_in_a_pile_that_left(at, entries, pack) for at, e in enumerate(entries) if e.kind == "forgot"]
    return min(unseen) > 0 and len(free - known) > max(unseen)


def unseen_in_a_pile_that_left(at: int, entries: Sequence[Entry], pack: Pack) -> int:
    """How many unseen cards lay in a pile whose known cards were forgotten here, if all of it left at once, else 0."""
    forgot, mine = entries[at], [e for e in entries if e.pile == entries[at].pile]
    if any(e.kind not in ("in", "shown", "out", "forgot") for e in mine):
        return 0
    before = [e.kind for e in entries[:at] if e.pile == forgot.pile and e.kind != "forgot"]
    unseen = 2 * before.count("in") - len(before)
    left = [e for e in mine if e.kind == "out" and e.step == forgot.step]
    once = sum(e.kind == "forgot" for e in mine) == 1
    return unseen if once and len(left) == unseen + pack.count(forgot.code) else 0
