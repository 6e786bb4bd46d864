"""The unseen cards of a hand, as slots: when each came, when it was shown or left, and what it may be.

A slot is what a holding's unseen card is made of: it came with the deal or a later pick-up, and was shown, left unseen,
or lay there to the end. Filling every slot with a free face in every possible way gives the worlds that agree with the
record. Physical facts only; no rule is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack, item, squeeze
from events.model import Capture, Event, Hand
from reducers.game import evolve
from reducers.state import State
from reducers.table import Entry


class Proof(Struct, frozen=True):
    """An unseen card that turned out: it lay in `pile` after step `since` and until step `until`."""

    pile: str
    since: int
    until: int
    code: int


class Slot(Struct, frozen=True):
    """An unseen card of a holding: when it came, when it was shown or left unseen (`until`), and what it may be.

    `code` is the face if it was shown, else None; `leaves` says that it left unseen, in the event at `until`.
    """

    pile: str
    since: int
    until: int
    may_be: int
    code: int | None = None
    leaves: bool = False


class _Group(Struct):
    """Unseen cards that came into a pile together and cannot be told apart."""

    pile: str
    since: int
    may_be: int
    count: int


def slots_of(
    start: State[Any], events: Sequence[Event], first: int, last: int
) -> tuple[list[list[Slot]], int, str]:
    """Every way to match the cards shown and gone with those that came unseen; the free faces; or why not.

    `start` is the state before the hand, `events` are the steps `first` to `last`.
    """
    pack = start.game.pack
    state = start.copy()
    journal: list[Entry] = []
    state.table.journal = journal
    for step, event in enumerate(events, first):
        state.at = state.table.now = step
        evolve(state, event)
    # What elimination named at the end of the hand is a slot like the others here.
    named = [e.code for e in journal if e.kind == "named"]
    free = state.table.pack.full - state.table.located + sum(pack.unit[c] for c in named)
    groups: list[_Group] = []
    deaths: list[tuple[str, int, int | None]] = []
    outs = {(e.step) for e in journal if e.kind == "out"}
    for e in journal:
        if e.kind == "lost":
            return [], free, f"nobody counted the cards of {e.pile} any more"
        if e.kind == "in":
            if e.step in outs:
                return [], free, "cards went from one hidden hand to another"
            same = next((g for g in groups if (g.pile, g.since, g.may_be) == (e.pile, e.step, pack.may_be[e.code])), None)
            if same is None:
                groups.append(_Group(e.pile, e.step, pack.may_be[e.code], 1))
            else:
                same.count += 1
        elif e.kind == "forgot":
            mask = sum(pack.field[c] for c in set(pack.codes(e.code)))
            groups.append(_Group(e.pile, e.step - 1, mask, pack.count(e.code)))
        elif e.kind == "shown":
            deaths.append((e.pile, e.step, e.code))
        elif e.kind == "out":
            deaths.append((e.pile, e.step, None))
    if any(p.vague for p in state.table.piles.values()):
        return [], free, "nobody counted the cards of a hand"
    ways: list[list[Slot]] = []

    def match(i: int, groups: list[_Group], slots: list[Slot]) -> None:
        if len(ways) > 200:
            return
        if i == len(deaths):
            rest = [Slot(g.pile, g.since, last + 1, g.may_be) for g in groups for _ in range(g.count)]
            ways.append(slots + rest)
            return
        pile, step, code = deaths[i]
        for k, g in enumerate(groups):
            if g.pile != pile or not g.count or g.since >= step or (code is not None and not g.may_be & pack.field[code]):
                continue
            less = [*groups[:k], replace(g, count=g.count - 1), *groups[k + 1 :]]
            match(i + 1, less, [*slots, Slot(pile, g.since, step, g.may_be, code, code is None)])

    match(0, groups, [])
    return ways, free, "" if ways else "what was shown does not fit what was dealt"


def classes_of(slots: Sequence[Slot]) -> list[tuple[Slot, int]]:
    """The unknown slots, equal ones counted together; those that left unseen stand alone."""
    out: list[tuple[Slot, int]] = []
    for slot in slots:
        if slot.code is not None:
            continue
        if not slot.leaves and out and out[-1][0] == slot:
            out[-1] = (slot, out[-1][1] + 1)
        else:
            out.append((slot, 1))
    return out


def ways_of(slots: Sequence[Slot], free: int, pack: Pack) -> int:
    """At most so many assignments there are."""
    left, ways = pack.count(free), 1
    for _, count in classes_of(slots):
        if count > left:
            return 0
        ways *= math.comb(left, count)
        left -= count
    return ways


def every(slots: Sequence[Slot], free: int, pack: Pack) -> Iterator[list[int]]:
    """Every assignment of free faces to the unknown slots, in the order of `classes_of`."""
    classes = classes_of(slots)

    def assign(i: int, left: list[int]) -> Iterator[list[int]]:
        if i == len(classes):
            yield []
            return
        slot, count = classes[i]
        fits = [c for c in left if slot.may_be & pack.field[c]]
        for chosen in dict.fromkeys(combinations(fits, count)):
            rest = list(left)
            for c in chosen:
                rest.remove(c)
            for more in assign(i + 1, rest):
                yield [*chosen, *more]

    yield from assign(0, list(pack.codes(free)))


def drawn(ways: list[list[Slot]], free: int, pack: Pack, limit: int, random: Random) -> Iterator[tuple[int, list[int]]]:
    """So many assignments drawn at random."""
    faces = list(pack.codes(free))
    for _ in range(limit):
        which = random.randrange(len(ways))
        random.shuffle(faces)
        left, chosen = list(faces), []
        for slot, count in classes_of(ways[which]):
            fits = [c for c in left if slot.may_be & pack.field[c]][:count]
            for c in fits:
                left.remove(c)
            chosen += fits
        if len(chosen) == sum(n for _, n in classes_of(ways[which])):
            yield which, chosen


def world(
    slots: Sequence[Slot], chosen: Sequence[int], events: Sequence[Event], first: int, pack: Pack
) -> tuple[list[Event] | None, list[Proof], dict[int, list[int]]]:
    """The events and holdings of one world; the faces of cards that left unseen, by step."""
    faces = iter(chosen)
    proofs: list[Proof] = []
    told: dict[int, list[int]] = {}
    for slot in slots:
        code = slot.code if slot.code is not None else next(faces)
        proofs.append(Proof(slot.pile, slot.since, slot.until, code))
        if slot.leaves:
            told.setdefault(slot.until, []).append(code)
    played = list(events)
    for step, codes in told.items():
        opened = opened_with(played[step - first], [pack.faces[c] for c in codes])
        if opened is None:
            return None, [], {}
        played[step - first] = opened
    return played, proofs, told


def opened_with(event: Event, faces: Sequence[str]) -> Event | None:
    """The event with its unseen cards named, in the order written; None if the faces do not fit it.

    >>> from events.model import Play
    >>> opened_with(Play(by="N", cards=("2x??", "7h")), ["Kc", "Ac"]).cards
    ('Kc', 'Ac', '7h')
    """
    left = list(faces)

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for text in cards:
            it = item(text) if text != "*" else None
            if it is None or "?" not in it.card or it.stands_for:
                out.append(text)
                continue
            out.extend(left.pop(0) if left else it.card for _ in range(it.count or 1))
        return squeeze(out)

    changes: dict[str, Any] = {}
    if isinstance(event, Hand):
        return event
    if getattr(event, "cards", ()):
        changes["cards"] = fill(event.cards)  # type: ignore[union-attr]
    if isinstance(event, Capture):
        changes["takes"] = fill(event.takes)
    return replace(event, **changes) if changes and not left else None
