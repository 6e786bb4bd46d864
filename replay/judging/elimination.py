"""Elimination: name unseen cards because every other card of the pack is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from events.cards import Pack
from events.model import Event
from reducers.model import State
from reducers.table import JournalEntry, Table
from replay.budget import Budget
from replay.judging.assignments import LIGHT, MAX_WAYS_TRIED, all_assignments, max_assignments, world_from
from replay.judging.hidden_cards import read_hand, trace_hidden_cards
from replay.masking import unseen_in


def cards_by_elimination(
    start: State[Any], events: Sequence[Event], first: int, budget: Budget
) -> dict[int, tuple[int, ...]] | None:
    """Cards that left unseen and have the same face in every possible layout, by step.

    Empty if the layouts cannot be listed or are too many. None if the budget ran out: each layout costs a step for
    every `LIGHT` of its events.
    """
    only: dict[int, tuple[int, ...]] = {}

    def plain(entries: Sequence[JournalEntry], table: Table) -> bool:
        named = named_at_once(entries, table)
        only.update(named or {})
        return named is not None

    ways, free, why = trace_hidden_cards(read_hand(start, events, first), unless=plain)
    if only:
        return {step: codes for step, codes in only.items() if unseen_in(events[step - first])}
    pack = start.game.pack
    if why or sum(max_assignments(slots, free, pack) for slots in ways) > MAX_WAYS_TRIED:
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
                # Every world has the same steps, and each of them already has several faces.
                return {}
    return {step: next(iter(faces)) for step, faces in told.items() if len(faces) == 1}


def named_at_once(entries: Sequence[JournalEntry], table: Table) -> dict[int, tuple[int, ...]] | None:
    """The cards that elimination names in a hand, by step, if its journal and the table at its end show them without
    listing any layout; else None."""
    noted = look_over(entries, table.pack)
    only = the_last_one(noted, table)
    if only and can_be_followed(noted, table):
        return only
    return {} if nothing_to_name(noted, table) else None


class Noted(Struct):
    """The journal of a hand: all `entries`; `few`, without cards shown and cards dealt wholly unseen; the indices
    where a card went `out` unseen, and where it `went_on` to another holding."""

    entries: Sequence[JournalEntry]
    few: list[JournalEntry]
    out: list[int]
    went_on: list[int]

    @property
    def gone(self) -> list[JournalEntry]:
        """The cards that left unseen and came to no other holding."""
        return [self.entries[at] for at in self.out if at not in self.went_on]


def look_over(entries: Sequence[JournalEntry], pack: Pack) -> Noted:
    """Classify the journal of a hand in one pass."""
    out = Noted(entries, [], [], [])
    unknown, few = pack.unknown, out.few
    for at, e in enumerate(entries):
        kind = e.kind
        if kind == "shown" or (kind == "in" and not e.src and e.code == unknown):
            continue
        few.append(e)
        if kind == "out":
            out.out.append(at)
        elif kind == "in" and e.src and at and entries[at - 1].kind == "out" and entries[at - 1].pile == e.src:
            out.went_on.append(at - 1)
    return out


def the_last_one(noted: Noted, table: Table) -> dict[int, tuple[int, ...]]:
    """The card that left unseen and was never seen again, by its step, if it is clearly the only card without a
    place; else empty.

    Cards that went on to another holding are named with it only if they cannot be told apart from another card there.
    """
    pack, few, entries = table.pack, noted.few, noted.entries
    free = never_placed(few, table)
    gone = noted.gone if len(free) == 1 else []
    if len(gone) != 1 or half_seen(few, pack) or free & cards_lost_track_of(few, pack) or shown_elsewhere(noted, pack):
        return {}
    kinds = [e.kind for e in entries]
    left = sum([n * kinds.count(kind) for kind, n in LEFT.items()]) + sum(
        [pack.count(e.code) for e in few if e.kind == "forgot"]
    )
    left -= sum([e.pile in table.piles and table.piles[e.pile].row is None for e in few if e.kind == "named"])
    return {gone[0].step: tuple(free)} if not left and all(
        joins_another(at + 1, entries) for at in noted.went_on
    ) else {}


def can_be_followed(noted: Noted, table: Table) -> bool:
    """True if no card laid down unseen was taken up or shown again, and no known card was mistaken for one that left
    unseen for good."""
    gone = {e.step for e in noted.gone}
    first = noted.entries[noted.out[0]].step if noted.out else 0
    for e in [e for e in noted.few if e.kind in ("turned", "in")]:
        pile = table.piles.get(e.src or e.pile)
        if pile is not None and pile.row is not None and table.since.get(pile.name, 0) >= first:
            return False
    return not [e for e in noted.few if e.kind == "forgot" and e.step in gone]


LEFT = {"in": 1, "out": -1, "shown": -1, "back": 1_000, "mixed": 1_000, "lost": 1_000}
"""Change in the number of unseen cards in the holdings per entry. The large values mark an unknown number."""


def nothing_to_name(noted: Noted, table: Table) -> bool:
    """True if the journal of a hand, and the table at its end, show that elimination names no card.

    If a card that left unseen may be any of the free ones, of at least two faces, it can change places with another
    in each world. It may be any of them unless half of it was seen, it went on to another holding, or it may be a
    known card that is free again. Even then it may be any if the whole pile left at once and there are more free
    faces than unseen cards in it; and cards that left together can change places with each other. A card that went on
    to a holding with another unseen card can change places with that.
    """
    pack, few, entries, moved = table.pack, noted.few, noted.entries, noted.went_on
    free, known = never_placed(few, table), cards_lost_track_of(few, pack)
    if half_seen(few, pack) or (moved and shown_elsewhere(noted, pack)) or not all(
        joins_another(at + 1, entries) for at in moved
    ):
        return False
    gone = noted.gone
    if not free & known:
        return len(free) > 1 or not gone
    if len(gone) != 1 and left_together(gone) and seen_to_the_last([entries[at + 1].pile for at in moved], gone, table):
        return True
    other = len(free - known)
    lost = [e for e in few if e.kind == "forgot"] if other > 1 else []
    return bool(lost) and all(0 < unseen_in_a_pile_that_left(e, noted, pack) < other for e in lost)


def left_together(gone: Sequence[JournalEntry]) -> bool:
    """True if each of these cards left its pile together with another.

    >>> one, two = JournalEntry("out", "A", 7, 52), JournalEntry("out", "A", 9, 52)
    >>> left_together([one, one]), left_together([one, one, two])
    (True, False)
    """
    places = [(e.pile, e.step) for e in gone]
    return all(places.count(place) > 1 for place in places)


def seen_to_the_last(holdings: Iterable[str], gone: Sequence[JournalEntry], table: Table) -> bool:
    """True if every card of these holdings was seen in the end."""
    return not set(holdings) & {e.pile for e in gone} and all(
        name in table.piles and not table.piles[name].covered and not table.piles[name].vague for name in holdings
    )


def never_placed(entries: Sequence[JournalEntry], table: Table) -> set[int]:
    """The codes of cards with no certain place at the end of a hand, except by elimination."""
    pack = table.pack
    return set(pack.codes(pack.full - table.located + sum([pack.unit[e.code] for e in entries if e.kind == "named"])))


def half_seen(entries: Sequence[JournalEntry], pack: Pack) -> bool:
    """True if a card that came or left unseen was partly seen, or was not counted."""
    unknown = pack.unknown
    return bool([e for e in entries if e.code != unknown and e.kind in ("in", "out")])


def cards_lost_track_of(entries: Sequence[JournalEntry], pack: Pack) -> set[int]:
    """The codes of cards that were known and can no longer be told apart from unseen ones."""
    return {code for e in [e for e in entries if e.kind == "forgot"] for code in pack.codes(e.code)}


def shown_elsewhere(noted: Noted, pack: Pack) -> bool:
    """True if a card once known in one holding was shown later from another, so that it had moved there unseen."""
    once = cards_lost_track_of(noted.few, pack)
    lay: dict[int, str] = {}
    if not once:
        return False
    for e in [e for e in noted.entries if e.kind == "forgot" or (e.code in once and e.kind in ("shown", "turned"))]:
        if e.kind == "forgot":
            lay.update(dict.fromkeys(pack.codes(e.code), e.pile))
        elif lay.get(e.code, e.pile) != e.pile:
            return True
    return False


def joins_another(at: int, entries: Sequence[JournalEntry]) -> bool:
    """True if the card came unseen to a holding with another wholly unseen card."""
    pile = entries[at].pile
    before = [e.kind for e in entries[:at] if e.pile == pile]
    return not set(before) - {"in", "shown", "out"} and 2 * before.count("in") > len(before)


def unseen_in_a_pile_that_left(forgot: JournalEntry, noted: Noted, pack: Pack) -> int:
    """The number of unseen cards in a pile whose known cards were forgotten here, if all of it left at once; else 0."""
    pile, known = forgot.pile, pack.count(forgot.code)
    left = [e for e in noted.few if e.kind == "out" and e.pile == pile and e.step == forgot.step]
    kinds = [e.kind for e in noted.entries if e.pile == pile] if len(left) > known else []
    if kinds.count("forgot") != 1 or not {"in", "shown", "out", "forgot"}.issuperset(kinds):
        return 0
    before = kinds[: kinds.index("forgot")]
    unseen = 2 * before.count("in") - len(before)
    return unseen if len(left) == unseen + known else 0
