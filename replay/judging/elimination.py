"""Cards that nobody saw, named because every other card of the pack has its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from events.cards import Pack
from events.model import Event
from reducers.model import State
from reducers.table import Entry, Table
from replay.budget import Budget
from replay.judging.assignments import LIGHT, MAX_WAYS_TRIED, all_assignments, ways_of, world_from
from replay.judging.hidden_cards import trace_hidden_cards
from replay.masking import unseen_in


def cards_by_elimination(
    start: State[Any], events: Sequence[Event], first: int, last: int, budget: Budget
) -> dict[int, tuple[int, ...]] | None:
    """The cards that left unseen and that can be one only in every way the cards of a hand can lie, by step.

    Nothing is said where the ways cannot be listed, or are too many to look at each. None if the budget was at an end
    before: each way is a step for every `LIGHT` of its events.
    """
    only: dict[int, tuple[int, ...]] = {}

    def plain(entries: Sequence[Entry], table: Table) -> bool:
        only.update(the_last_one(entries, table))
        return bool(only) or nothing_to_name(entries, table)

    ways, free, why = trace_hidden_cards(start, events, first, last, unless=plain)
    if only:
        return {step: codes for step, codes in only.items() if unseen_in(events[step - first])}
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


def the_last_one(entries: Sequence[Entry], table: Table) -> dict[int, tuple[int, ...]]:
    """The card that left unseen and was never seen again, by its step, if it is plain that it is the only one of the pack without a
    place; else nothing.

    Cards that went on to another holding are named with it only if they could not be told from another there.
    """
    pack, moved = table.pack, went_on(entries)
    free, gone = never_placed(entries, table), [at for at, e in enumerate(entries) if e.kind == "out" and at not in moved]
    if len(free) != 1 or len(gone) != 1 or half_seen(entries, pack) or free & forgotten(entries, pack):
        return {}
    if shown_elsewhere(entries, pack):
        return {}
    left = sum([LEFT.get(e.kind, 0) for e in entries]) + sum([pack.count(e.code) for e in entries if e.kind == "forgot"])
    left -= sum([e.pile in table.piles and table.piles[e.pile].row is None for e in entries if e.kind == "named"])
    return {entries[gone[0]].step: tuple(free)} if not left and all(joins_another(at + 1, entries) for at in moved) else {}


def can_be_followed(entries: Sequence[Entry], table: Table) -> bool:
    """Whether the journal of a hand, and the table at its end, show that no card which was laid down unseen was taken up or shown
    again, and that no known card was taken for one that left unseen for good."""
    moved = went_on(entries)
    gone = {e.step for at, e in enumerate(entries) if e.kind == "out" and at not in moved}
    first = next((e.step for e in entries if e.kind == "out"), 0)
    for e in entries:
        pile = table.piles.get(e.src or e.pile) if e.kind in ("turned", "in") else None
        if pile is not None and pile.row is not None and table.since.get(pile.name, 0) >= first:
            return False
    return not any(e.kind == "forgot" and e.step in gone for e in entries)


LEFT = {"in": 1, "out": -1, "shown": -1, "back": 1_000, "mixed": 1_000, "lost": 1_000}
"""How many unseen cards more the holdings have after an entry; after some of them nobody can say."""


def nothing_to_name(entries: Sequence[Entry], table: Table) -> bool:
    """Whether it is plain from the journal of a hand, and the table at its end, that elimination names no card.

    If a card that left unseen may be any of the free ones, and these are of two faces at least, it can change places with
    another in each world. It may be any of them unless a half of it was seen, it went on to another holding, or it
    may be one of those that were known before and are free again. With such a one it may have left unseen all the same, if the
    whole pile left at once and there are more free faces than it had unseen cards; and cards that left together can change
    places with each other. One that went on to a holding in which another unseen card lay can change places with that.
    """
    pack, free, known = table.pack, never_placed(entries, table), forgotten(entries, table.pack)
    moved = went_on(entries)
    if half_seen(entries, pack) or (moved and shown_elsewhere(entries, pack)) or not all(joins_another(at + 1, entries) for at in moved):
        return False
    gone = [e for at, e in enumerate(entries) if e.kind == "out" and at not in moved]
    if not free & known:
        return len(free) > 1 or not gone
    if left_together(gone) and seen_to_the_last([entries[at + 1].pile for at in moved], gone, table):
        return True
    unseen = [unseen_in_a_pile_that_left(at, entries, pack) for at, e in enumerate(entries) if e.kind == "forgot"]
    return min(unseen) > 0 and len(free - known) > max(unseen)


def left_together(gone: Sequence[Entry]) -> bool:
    """Whether each of these cards left its pile together with another.

    >>> one, two = Entry("out", "A", 7, 52), Entry("out", "A", 9, 52)
    >>> left_together([one, one]), left_together([one, one, two])
    (True, False)
    """
    places = [(e.pile, e.step) for e in gone]
    return all(places.count(place) > 1 for place in places)


def seen_to_the_last(holdings: Iterable[str], gone: Sequence[Entry], table: Table) -> bool:
    """Whether every card of these holdings was seen in the end, as none left unseen for good and none is left unseen."""
    return not set(holdings) & {e.pile for e in gone} and all(
        name in table.piles and not table.piles[name].covered and not table.piles[name].vague for name in holdings
    )


def never_placed(entries: Sequence[Entry], table: Table) -> set[int]:
    """The cards that are nowhere for certain at the end of a hand, but by elimination."""
    pack = table.pack
    return set(pack.codes(pack.full - table.located + sum([pack.unit[e.code] for e in entries if e.kind == "named"])))


def half_seen(entries: Sequence[Entry], pack: Pack) -> bool:
    """Whether more was seen of a card that came or left unseen, or whether nobody counted it."""
    return any(e.code != pack.unknown for e in entries if e.kind in ("in", "out"))


def forgotten(entries: Sequence[Entry], pack: Pack) -> set[int]:
    """The cards that were known, and cannot be told from unseen ones any more."""
    return {code for e in entries if e.kind == "forgot" for code in pack.codes(e.code)}


def went_on(entries: Sequence[Entry]) -> list[int]:
    """Where a card left a holding unseen and came to another."""
    return [at for at, (a, b) in enumerate(pairwise(entries)) if a.kind == "out" and b.kind == "in" and b.src == a.pile]


def shown_elsewhere(entries: Sequence[Entry], pack: Pack) -> bool:
    """Whether a card that was known in one holding was shown out of another later: then it is the one that went there unseen."""
    lay: dict[int, str] = {}
    for e in entries:
        if e.kind == "forgot":
            lay.update(dict.fromkeys(pack.codes(e.code), e.pile))
        elif e.kind in ("shown", "turned") and lay.get(e.code, e.pile) != e.pile:
            return True
    return False


def joins_another(at: int, entries: Sequence[Entry]) -> bool:
    """Whether a card that came unseen here came to a holding in which another lay that may be any card as well."""
    before = [e.kind for e in entries[:at] if e.pile == entries[at].pile]
    return not set(before) - {"in", "shown", "out"} and 2 * before.count("in") > len(before)


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
