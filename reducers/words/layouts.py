"""Layouts: melds on the table that may be taken apart and laid again, as long as the final state consists of melds.

Games with rearranged melds (conquian, machiavelli) judge the final state, not the steps. Each card on the table must
have a place in it; cards of a hand may. For packs with every card once and no wild card. A layout is a tuple of bags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, TypeVar

from msgspec import Struct, field

from events.cards import Pack, item
from events.model import Arrange, Meld
from reducers.model import State
from reducers.table import Pile
from reducers.words.melds import UNCOUNTED, Melds, written_groups


class LayoutChange(Struct):
    """What a meld or a new layout changes in an area.

    `piles` and `old`: the piles after and before it. `before`: all cards before it. `added`: cards that came. `freed`:
    cards that are gone. `told`: unseen cards of the area that are named now, each with its pile. `uncounted`: piles
    with uncounted cards after it. `unsure`: some pile had some before. `more`: uncounted cards were laid now.
    `covered`: cards of the area that are now unseen, `told` or `murky`. `murky`: cards that are named, some of which
    were unseen in the area. `hidden`: some card was not fully seen.
    """

    piles: dict[str, list[int]]
    before: list[int]
    added: list[int]
    freed: list[int]
    told: list[tuple[str, int]]
    uncounted: tuple[str, ...] = ()
    unsure: bool = False
    more: bool = False
    covered: list[int] = field(default_factory=list)
    murky: list[int] = field(default_factory=list)
    hidden: bool = False
    old: dict[str, list[int]] = field(default_factory=dict)


C = TypeVar("C", bound=LayoutChange)


def groups_on_table(state: State[Any], stem: str) -> dict[str, list[int]]:
    """The groups of an area (`meld:A`) that have cards: codes by pile name, oldest first."""
    stem += ":"
    return {
        name: list(p.row or ()) for name, p in state.table.piles.items() if (p.row or p.vague) and name.startswith(stem)
    }


def change(act: Arrange | Meld, state: State[Any], stem: str, last: int, melds: Melds, centre: int, kind: type[C]) -> C:
    """Return what a meld or a layout would change in this area; nothing is moved.

    `last` is the highest number that a group has had, `centre` a card that is elsewhere, `kind` the page's subclass. A
    layout names all groups of the area, or some of them (`meld:A:2=…`).
    """
    pack, old = state.game.pack, groups_on_table(state, stem)
    # A card may have been moved to a place where nobody has laid a group.
    last = max([last, *(int(n) for name in old if (n := name.rpartition(":")[2]).isdecimal())])
    held = state.holding(act.by)
    laid = written_groups(act.groups, held)
    every = state.table.piles
    loose = {name for name in old if every[name].vague}
    new: dict[str, Sequence[str]]
    if isinstance(act, Meld) and act.to:
        new = {act.to: [c for g in laid for c in g]}
        piles = {**old, act.to: [*row_codes(state, act.to), *codes_of_group(new[act.to], pack)]}
    elif isinstance(act, Meld):
        new = {f"{stem}:{last + i}": g for i, g in enumerate(laid, 1)}
        piles = {**old, **{name: codes_of_group(g, pack) for name, g in new.items()}}
    elif act.piles:
        new = dict(
            zip((name for name, _ in act.piles), written_groups([cards for _, cards in act.piles], held), strict=True)
        )
        piles = {**old, **{name: codes_of_group(g, pack) for name, g in new.items()}}
    else:
        groups = [codes_of_group(g, pack) for g in laid]
        new = dict(zip(name_groups(groups, old, stem, last, pack.unknown), laid, strict=True))
        piles = dict(zip(new, groups, strict=True))
    # A group that is named as it is now is counted; one that is only added to is not.
    more = laid is not act.groups and any(UNCOUNTED in g for g in new.values())
    uncounted: tuple[str, ...] = ()
    if loose or more:
        kept = loose if isinstance(act, Meld) else loose - new.keys()
        uncounted = tuple(name for name in piles if name in kept or UNCOUNTED in new.get(name, ()))
    before = [c for codes in old.values() for c in codes]
    before += [c for name in piles if name not in old for c in row_codes(state, name)]
    after = [c for codes in piles.values() for c in codes]
    added, freed = minus(after, before), minus(before, after)
    hidden = max(before + after, default=0) >= pack.unknown
    if hidden:
        # An unseen card of a layout need not be the one that was unseen before.
        added = [c for c in added if c < pack.unknown] + [c for c in after if c >= pack.unknown]
        freed = [c for c in freed if c < pack.unknown] + [c for c in before if c >= pack.unknown]
    found = kind(piles, before, added, freed, [], uncounted, bool(loose), more, hidden=hidden, old=old)
    if hidden:
        _restated(found, old, pack, melds, centre)
    return found


def _restated(found: LayoutChange, old: Mapping[str, Sequence[int]], pack: Pack, melds: Melds, centre: int) -> None:
    """Match cards that were there with cards that came: a card seen before may be unseen now, and the other way round.

    As many cards as possible that are not named again are matched, each in its own group if possible. A match makes a
    meld, or the group that lay there; the card of the centre is never matched.
    """
    if not found.freed or not found.added:
        return
    unknown, may_be = pack.unknown, pack.may_be
    home = {code: name for name, codes in old.items() for code in codes}
    freed, left, slots = sorted(found.freed), list(found.added), list[tuple[str, int]]()
    for name, codes in found.piles.items():
        for code in codes:
            if code in left and (code != centre or code >= unknown):
                left.remove(code)
                slots.append((name, code))
    # A layout of more cards than the pack has is a mistake in the record, so its cards are not matched.
    most = pack.count(pack.full)
    del freed[most:], slots[most:]

    @cache
    def same(code: int, slot: tuple[str, int]) -> bool:
        name, new = slot
        if max(code, new) < unknown or not may_be[code] & may_be[new]:
            return False
        if code >= unknown:
            return True
        group = [*minus(found.piles[name], [new]), code]
        # A group that is no meld, and lay there as it is now, stays what it was.
        return sorted(group) == sorted(old.get(name, ())) or melds.is_meld([pack.tokens[c] for c in group]) is not False

    for i, k in matched(freed, slots, same, lambda code, slot: home.get(code) == slot[0]).items():
        code, (name, new) = freed[i], slots[k]
        if new < unknown and len(found.added) == 1:
            continue  # the one card that came need not have been there
        found.freed.remove(code)
        if new >= unknown:
            found.added.remove(new)
            if code < unknown and home.get(code) == name and sum(
                same(other, slots[k]) for other in freed
            ) == 1 and new in found.piles[name]:
                codes = found.piles[name]
                codes[codes.index(new)] = code
                continue
        found.covered.append(code)
        others = [
            c for slot in slots if (c := slot[1]) < unknown and same(code, slot)
        ] if len(found.added) > (new < unknown) else []
        if new < unknown and len(others) == 1 and home.get(code) == name and not any(
            c >= unknown and same(code, (n, c)) for n, c in slots
        ):
            found.added.remove(new)
            found.told.append((name, new))
        else:
            found.murky += [c for c in others if c not in found.murky]


S = TypeVar("S")


def matched(
    cards: Sequence[int], slots: Sequence[S], same: Callable[[int, S], bool], own: Callable[[int, S], bool],
) -> dict[int, int]:
    """A maximum matching: the index of a slot by the index of a card. `own` slots are preferred.

    >>> matched([1, 2], ["x", "y"], lambda card, slot: card == 1 or slot == "x", lambda card, slot: slot == "x")
    {1: 0, 0: 1}
    """
    taken: dict[int, int] = {}
    order = [sorted(range(len(slots)), key=lambda k, card=card: not own(card, slots[k])) for card in cards]  # type: ignore[misc]  # the default binds the card

    def pair(i: int, tried: set[int]) -> bool:
        for k in order[i]:
            if k not in tried and same(cards[i], slots[k]):
                tried.add(k)
                if k not in taken or pair(taken[k], tried):
                    taken[k] = i
                    return True
        return False

    for i in range(len(cards)):
        pair(i, set())
    return {i: k for k, i in taken.items()}


def row_codes(state: State[Any], name: str) -> Sequence[int]:
    """The codes of a row, bottom to top; empty if there is no such pile."""
    pile = state.table.piles.get(name)
    return () if pile is None or pile.row is None else pile.row


def codes_of_group(cards: Sequence[str], pack: Pack) -> list[int]:
    """The codes of a written group, without uncounted cards. A token that is not in the pack counts as unseen; a count
    is capped at the size of the pack.

    >>> from events.cards import pack
    >>> p = pack("A 2 3"); codes_of_group(("2c", "2x??", "Kh"), p) == [p.code["2c"], p.unknown, p.unknown, p.unknown]
    True
    """
    code = pack.code
    try:
        return [code[text] for text in cards]
    except KeyError:  # rare: a count, an unseen card, a token of another pack
        pass
    out: list[int] = []
    for text in cards:
        if text in code:
            out.append(code[text])
        elif text != "*":
            it = item(text)
            out += [code.get(it.card, pack.unknown)] * min(it.count or 0, pack.count(pack.full))
    return out


def moved(found: LayoutChange, state: State[Any]) -> bool:
    """Return True if any group differs from what is on the table."""
    return any(sorted(codes) != sorted(row_codes(state, name)) for name, codes in found.piles.items())


def lose_sight_of_top(pile: Pile) -> None:
    """Mark the top card as unseen: it may have been laid down unseen, or not taken at all, so its place is unknown."""
    pack = pile.table.pack
    if pile.row and pile.row[-1] < pack.unknown:
        pile.table.located -= pack.unit[pile.row[-1]]
        pile.row[-1] = pack.unknown


def around_the_corner(codes: Sequence[int], melds: Melds) -> bool:
    """Return True if these cards are a run only if its lowest rank also follows its highest."""
    n, unknown = len(melds.order), melds.pack.unknown
    if len(codes) < melds.shortest or max(codes) >= unknown or len({c // n for c in codes}) != 1:
        return False
    places = {c % n for c in codes}
    return {0, n - 1} <= places and any({(low + i) % n for i in range(len(places))} == places for low in range(1, n))


def arranged(seat: str, way: Sequence[int], pack: Pack) -> Arrange:
    """A layout (bags) as an event, with sets and runs in the order of the pack."""
    return Arrange(by=seat, groups=tuple(tuple(pack.cards(m)) for m in sorted(way, key=lambda m: m & -m)))


def meld_in_order(group: Sequence[str], pack: Pack) -> tuple[str, ...]:
    """A meld with its cards in order; as it was written if a card was unseen."""
    plain = all(c in pack for c in group) and len(set(group)) == len(group)
    return tuple(pack.cards(pack.bag(group))) if plain else tuple(group)


def minus(codes: Sequence[int], gone: Sequence[int]) -> list[int]:
    """The codes without those in `gone`, each taken out once.

    >>> minus([1, 2, 2, 3], [2, 4])
    [1, 2, 3]
    """
    if not gone:
        return list(codes)
    out, left = [], list(gone)
    for code in codes:
        if code in left:
            left.remove(code)
        else:
            out.append(code)
    return out


def melds_with(melds: Melds, code: int, bag: int) -> Iterator[int]:
    """Every meld (a bag) of cards in `bag` that contains `code`.

    >>> from events.cards import pack
    >>> p = pack("A 2 3"); m = Melds(p, {}, "A 2 3")
    >>> [" ".join(p.cards(x)) for x in melds_with(m, p.code["2c"], p.bag("Ac 2c 3c 2d 2h".split()))]
    ['2c 2d 2h', 'Ac 2c 3c']
    """
    n = len(melds.order)
    suit, place = divmod(code, n)
    same = [1 << (place + k * n) for k in range(4) if k != suit and bag >> (place + k * n) & 1]
    for size in range(melds.set_sizes[0], melds.set_sizes[1] + 1):
        for others in combinations(same, size - 1):
            yield 1 << code | sum(others)
    cards = bag >> suit * n & (1 << n) - 1
    low = high = place
    while low and cards >> low - 1 & 1:
        low -= 1
    while high + 1 < n and cards >> high + 1 & 1:
        high += 1
    for first in range(low, place + 1):
        for last in range(max(place, first + melds.shortest - 1), high + 1):
            yield ((1 << last - first + 1) - 1) << first + suit * n


def all_layouts(melds: Melds, must: int, may: int, *, first: int = 0, alone: bool = False) -> Iterator[tuple[int, ...]]:
    """Every way to lay out all of `must` in melds, with any cards of `may`; each meld has a card of `must`.

    The meld with the card `first` (a bag of one) comes first; with `alone` only that meld may take cards of `may`.

    >>> from events.cards import pack
    >>> p = pack("A 2 3"); m = Melds(p, {}, "A 2 3")
    >>> [[" ".join(p.cards(x)) for x in way] for way in all_layouts(m, p.bag(["2c"]), p.bag("Ac 3c Ad 2d 3d".split()))]
    [['Ac 2c 3c']]
    """
    if not must:
        yield ()
        return
    code = (first or must & -must).bit_length() - 1
    for meld in melds_with(melds, code, must | may):
        for rest in all_layouts(melds, must & ~meld, 0 if alone else may & ~meld):
            yield (meld, *rest)


def can_lay(
    melds: Melds, must: int, sure: int, perhaps: int = 0, slots: int = 0, *, first: int = 0, alone: bool = False,
) -> bool:
    """Return True if there is such a layout with cards of `sure` and at most `slots` cards of `perhaps`."""
    dead: set[tuple[int, int, int]] = set()

    def search(must: int, may: int, left: int, first: int) -> bool:
        if not must:
            return True
        if (must, may, left) in dead:
            return False
        code = (first or must & -must).bit_length() - 1
        for meld in melds_with(melds, code, must | may):
            used = (meld & perhaps & ~must).bit_count()
            if used <= left and search(must & ~meld, 0 if alone else may & ~meld, left - used, 0):
                return True
        dead.add((must, may, left))
        return False

    return search(must, sure | perhaps, slots, first)


def name_groups(
    groups: Sequence[Sequence[int]], old: Mapping[str, Sequence[int]], stem: str, last: int, unknown: int,
) -> list[str]:
    """The pile of each group of a layout: the one that it shares most cards with, or a new one numbered after `last`.

    >>> name_groups([[4, 5, 6], [1, 2, 3, 7]], {"meld:A:1": [1, 2, 3, 4]}, "meld:A", 1, 52)
    ['meld:A:2', 'meld:A:1']
    """
    names, lay, out = list(old), [{c for c in codes if c < unknown} for codes in old.values()], dict[int, str]()
    pairs = ((there.intersection(group), i, k) for i, group in enumerate(groups) for k, there in enumerate(lay))
    for _, i, k in sorted([(-len(common), i, k) for common, i, k in pairs if common]):
        if i not in out and names[k] not in out.values():
            out[i] = names[k]
    for i in range(len(groups)):
        if i not in out:
            last += 1
            out[i] = f"{stem}:{last}"
    return [out[i] for i in range(len(groups))]
