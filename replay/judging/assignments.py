"""Assignments of free faces to the hidden cards of a hand: all of them, or a random sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from events.cards import UNKNOWN, Pack, squeeze
from events.model import Deal, Event, Hand
from replay.judging.hidden_cards import HiddenCard
from replay.judging.hindsight import CardProof
from replay.masking import opened_with, unseen_in

if TYPE_CHECKING:
    from random import Random

# Elimination examines every assignment if there are at most this many.
MAX_WAYS_TRIED = 500
# Assignments are counted exactly only if the slots have at most this many partly filled states.
MOST_COUNTED = 5_000
# Events that are rewritten but not folded, per step of the budget.
LIGHT = 10


def classes_of(slots: Sequence[HiddenCard]) -> list[tuple[HiddenCard, int]]:
    """Group equal unknown slots with their count. Slots that left unseen at different times, and uncounted ones, stay
    alone."""
    out: list[tuple[HiddenCard, int]] = []
    for slot in slots:
        if slot.code is not None:
            continue
        if not slot.many and out and out[-1][0] == slot:
            out[-1] = (slot, out[-1][1] + 1)
        else:
            out.append((slot, 1))
    return out


def max_assignments(slots: Sequence[HiddenCard], free: int, pack: Pack) -> int:
    """Return an upper bound on the number of assignments."""
    left, ways = pack.count(free), 1
    for slot, count in hardest_first(classes_of(slots), free, pack):
        fits = min(left, pack.count(free & slot.may_be))
        if slot.open_ended:
            ways *= 1 << fits
            continue
        ways *= math.comb(fits, count)
        left = max(0, left - count)
    return ways


def count_assignments(slots: Sequence[HiddenCard], free: int, pack: Pack) -> int:
    """Return the number of assignments. It is an upper bound if a slot is uncounted, the pack has duplicate cards, or
    an exact count would take too long."""
    classes = classes_of(slots)
    in_part = math.prod([count + 1 for _, count in classes])
    if not pack.single or in_part > MOST_COUNTED or any(slot.open_ended for slot, _ in classes):
        return max_assignments(slots, free, pack)
    # Group the faces that fit the same classes. Those that fit the most classes come last.
    alike: Counter[tuple[int, ...]] = Counter()
    for code in pack.codes(free):
        alike[tuple(k for k, (slot, _) in enumerate(classes) if slot.may_be & pack.field[code])] += 1
    *groups, (fits_last, many) = sorted(alike.items(), key=lambda group: len(group[0])) or [((), 0)]
    # Ways to reach each tuple of cards still lacking per class, after each group.
    lacking: dict[tuple[int, ...], int] = {tuple(count for _, count in classes): 1}
    for fits, faces in groups:
        for lack, ways in list(lacking.items()):
            # (cards lacking, faces left in the group, ways), after each class in turn has taken some.
            part = [(lack, faces, ways)]
            for k in fits:
                part += [
                    ((*less[:k], less[k] - n, *less[k + 1 :]), left - n, found * math.comb(left, n))
                    for less, left, found in part for n in range(1, min(less[k], left) + 1)
                ]  # fmt: skip
            for less, _, found in part[1:]:
                lacking[less] = lacking.get(less, 0) + found
    return sum(
        ways * ways_to_hand_out(lack, many) for lack, ways in lacking.items()
        if not any(n for k, n in enumerate(lack) if k not in fits_last)
    )


def ways_to_hand_out(counts: Sequence[int], faces: int) -> int:
    """Return the number of ways to deal `counts[i]` of the faces to each receiver i.

    >>> ways_to_hand_out((2, 1), 4), ways_to_hand_out((2, 1), 2)
    (12, 0)
    """
    ways = 1
    for n in counts:
        ways *= math.comb(faces, n)
        faces = max(0, faces - n)
    return ways


def all_assignments(slots: Sequence[HiddenCard], free: int, pack: Pack) -> Iterator[list[tuple[HiddenCard, int]]]:
    """Yield every assignment of free faces to the unknown slots, as pairs of slot and code. A slot for uncounted
    cards has one pair per card."""
    classes = hardest_first(classes_of(slots), free, pack)

    def assign(i: int, left: list[int]) -> Iterator[list[tuple[HiddenCard, int]]]:
        if i == len(classes):
            yield []
            return
        slot, count = classes[i]
        later = classes[i + 1 :]
        fits = [c for c in left if slot.may_be & pack.field[c]]
        for n in range(slot.least, len(fits) + 1) if slot.open_ended else (count,):
            for chosen in dict.fromkeys(combinations(fits, n)):
                rest = list(left)
                for c in chosen:
                    rest.remove(c)
                if len(later) > 1 and not enough_for(later, rest, pack):
                    continue
                for more in assign(i + 1, rest):
                    yield [*((slot, c) for c in chosen), *more]

    if max_assignments(slots, free, pack):  # With too few faces left the search would run forever and find nothing.
        yield from assign(0, list(pack.codes(free)))


def hardest_first(classes: list[tuple[HiddenCard, int]], free: int, pack: Pack) -> list[tuple[HiddenCard, int]]:
    """Sort classes by how many free faces fit them, fewest first, so that others do not take those. Uncounted classes
    come last."""
    return sorted(classes, key=lambda c: (c[0].open_ended, pack.count(free & c[0].may_be)))


def enough_for(classes: Sequence[tuple[HiddenCard, int]], left: Sequence[int], pack: Pack) -> bool:
    """True if enough faces fit each class, taken on its own."""
    bag = sum(pack.unit[code] for code in left)
    return all(pack.count(bag & slot.may_be) >= (slot.least if slot.open_ended else count) for slot, count in classes)


def sampled_assignments(
    ways: list[list[HiddenCard]], free: int, pack: Pack, limit: int, random: Random,
) -> Iterator[tuple[int, list[tuple[HiddenCard, int]]]]:
    """Draw `limit` assignments at random. Yield those that fill every slot."""
    faces = list(pack.codes(free))
    for _ in range(limit):
        which = random.randrange(len(ways))
        random.shuffle(faces)
        left, chosen = list(faces), list[tuple[HiddenCard, int]]()
        short = False
        for slot, count in hardest_first(classes_of(ways[which]), free, pack):
            fits = [c for c in left if slot.may_be & pack.field[c]]
            if slot.open_ended:
                count = random.randint(slot.least, max(slot.least, len(fits)))
            short = short or len(fits) < count
            for c in fits[:count]:
                left.remove(c)
                chosen.append((slot, c))
        if not short:
            yield which, chosen


def world_from(
    slots: Sequence[HiddenCard], chosen: Sequence[tuple[HiddenCard, int]], events: Sequence[Event], first: int,
    pack: Pack
) -> tuple[list[Event] | None, list[CardProof], dict[int, list[int]]]:
    """Return the events and holdings of one world, and the faces of cards that left unseen, by step. The events are
    None if a face does not fit its event."""
    named = [*((slot, slot.code) for slot in slots if slot.code is not None), *chosen]
    gone = sorted(
        (turn, step, code) for slot, code in named for step, turn in zip(slot.leaves, slot.turns, strict=True)
    )
    told: dict[int, list[int]] = {}
    for _, step, code in gone:
        told.setdefault(step, []).append(code)
    # Cards that moved on by themselves (the rest of a board) are in no event.
    told = {step: codes[:room] for step, codes in told.items() if (room := unseen_in(events[step - first]))}
    proofs: list[CardProof] = []
    came: dict[tuple[str, int], int] = {}
    for slot, code in named:
        if slot.many:
            pile, since, _ = slot.stays[0]
            came[pile, since] = came.get((pile, since), 0) + 1
        # From the event that laid it open, the table knows the card.
        for pile, since, until in () if slot.laid_open and slot.leaves[0] in told else slot.stays:
            # If the event that left its pile unseen has a face in this world, the table has not lost track of the card.
            if not (slot.was_known and (pile, since, until) == slot.stays[0] and since + 1 in told):
                proofs.append(CardProof(pile, since, until, code))
            if until in slot.leaves and until in told:
                # From the first event that shows its face, the table knows the card.
                break
    played = list(events)
    for (pile, step), count in came.items():
        played[step - first] = with_unseen_count(played[step - first], pile, count)
    for step, codes in told.items():
        opened = opened_with(played[step - first], [pack.faces[c] for c in codes])
        if opened is None:
            return None, [], {}
        played[step - first] = opened
    return played, proofs, told


def with_unseen_count(event: Event, pile: str, count: int) -> Event:
    """Replace the uncounted cards ("*x??") that go into this pile by `count` unseen cards.

    >>> from events.model import Deal, Draw
    >>> with_unseen_count(Deal(by="@", piles=(("N", ("*x??", "7h")), ("E", ("*x??",)))), "N", 3).piles
    (('N', ('3x??', '7h')), ('E', ('*x??',)))
    >>> with_unseen_count(Draw(by="N", cards=("*x??",)), "N", 1).cards
    ('??',)
    """
    wanted = [UNKNOWN] * count

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for text in cards:
            if not text.startswith("*x"):
                out.append(text)
                continue
            out += wanted
            wanted.clear()
        return squeeze(out)

    if isinstance(event, Deal):
        return replace(
            event, piles=tuple((n, fill(c) if n.removeprefix("hand:") == pile else c) for n, c in event.piles),
        )
    cards: tuple[str, ...] = getattr(event, "cards", ())
    return replace(event, cards=fill(cards)) if cards and not isinstance(event, Hand) else event
