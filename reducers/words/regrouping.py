"""A turn in which the whole table may be rearranged: the melds before it, the melds now, and the cards that the hand
gave.

The melds belong to no player and are called `meld:1`, `meld:2` … in the order in which they were laid; a number is not
used again. A turn may have several lines. How a card came to its place does not matter: what counts is the table at the
end of the turn (`what_changed`). A page's record of the hand has `used`, the highest number of a meld so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import combinations, product
from operator import itemgetter
from typing import Any

from msgspec import Struct

from events.cards import Pack
from events.model import Arrange, Cards, Meld, Move, Piles
from reducers.evolve import pile_named
from reducers.model import State
from reducers.table import Pile, Table
from reducers.words.layouts import minus
from reducers.words.melds import UNCOUNTED, Melds

Groups = Mapping[str, Sequence[int]]
"""Melds by name, each with the codes of its cards."""
STEM = "meld:"
CODE, NOTHING = itemgetter(1), ("", -1)
MOST_WAYS = 4000
"""Limit of the ways that are tried to find where the cards of typed groups were."""


class Turn(Struct, frozen=True):
    """A turn in which cards are laid down: its seat, the melds that it touched as they were before it, and the position
    of its last line. `vague`: melds with an unknown number of cards before it."""

    seat: str
    before: Mapping[str, tuple[int, ...]] = {}
    vague: frozenset[str] = frozenset()
    last: int = 0


class Changed(Struct, frozen=True):
    """The changes of a turn: the groups that differ from before, by name and as they are written; cards that are gone.
    `hidden`: a card of these groups was not seen or counted. `laid`: a card certainly came from the hand."""

    groups: Mapping[str, Cards]
    gone: tuple[int, ...]
    hidden: bool
    laid: bool

    @property
    def nothing(self) -> bool:
        """True if the table is as it was: nothing was laid down, or all of it was taken back."""
        return not (self.groups or self.gone)


def melds_on_table(state: State[Any]) -> dict[str, tuple[int, ...]]:
    """The melds on the table by name, each with the codes of its cards."""
    piles = state.table.piles
    return {name: tuple(p.row or ()) for name, p in piles.items() if name.startswith(STEM) and (p.row or p.vague)}


def lies_there(name: str, state: State[Any]) -> bool:
    """Return True if there is a meld with this name."""
    pile = state.table.piles.get(name)
    return name.startswith(STEM) and pile is not None and bool(pile.row or pile.vague)


def touched_by(act: Meld | Arrange | Move, state: State[Any]) -> tuple[str, ...]:
    """The melds that a line changes or lays."""
    if isinstance(act, Meld):
        new = (act.to,) if number_of(act.to) else tuple(
            f"{STEM}{state.hand.used + i}" for i in range(1, len(act.groups) + 1)
        )
        return tuple(name for name in (act.src, *new) if number_of(name))
    if isinstance(act, Move):
        return tuple(name for name in (act.src, act.to) if number_of(name))
    if act.piles:
        return tuple(name for name, _ in act.piles if number_of(name))
    used = state.hand.used
    return (*melds_on_table(state), *(f"{STEM}{used + i}" for i in range(1, len(act.groups) + 1)))


def going_on(turn: Turn, names: Iterable[str], at: int, state: State[Any]) -> Turn:
    """The turn with one more line that changes these melds; their cards before it are kept."""
    piles, before, vague = state.table.piles, dict(turn.before), turn.vague
    for name in names:
        if name not in before:
            pile = piles.get(name)
            before[name] = tuple(pile.row or ()) if pile is not None else ()
            vague |= {name} if pile is not None and pile.vague else set()
    return Turn(turn.seat, before, vague, at)


def what_changed(turn: Turn, state: State[Any]) -> Changed:
    """The changes of the turn so far."""
    piles = [state.table.piles.get(name) for name in turn.before]
    now = tuple([(tuple(pile.row or ()), pile.vague) if pile is not None else ((), False) for pile in piles])
    return changed_from(tuple(turn.before.items()), now, turn.vague, state.hand.gap, state.game.pack)


@lru_cache(maxsize=1 << 12)
def changed_from(
    old: Sequence[tuple[str, tuple[int, ...]]], now: Sequence[tuple[tuple[int, ...], bool]], vague: frozenset[str],
    gap: bool, pack: Pack
) -> Changed:
    """The same from the melds before and now, with flags for uncounted ones; cached, as several rules ask."""
    groups, before, after, counted = dict[str, Cards](), list[int](), list[int](), True
    for (name, was), (codes, loose) in zip(old, now, strict=True):
        if len(codes) == len(was) and sorted(codes) == sorted(was) and loose <= (name in vague):
            continue
        before += was
        after += codes
        counted = counted and not loose and name not in vague
        if loose and gap:
            # After a gap it is unknown which meld has that number.
            groups[name] = (UNCOUNTED,)
        elif codes or loose:
            groups[name] = (*(pack.tokens[code] for code in codes), *((UNCOUNTED,) if loose else ()))
    hidden = max((*before, *after), default=0) >= pack.unknown or not counted
    gone = tuple([code for code in minus(before, after) if code < pack.unknown]) if before else ()
    came = [code for code in minus(after, before) if code < pack.unknown]
    # Cards that were there unseen may be those that are named now.
    laid = counted and (len(after) > len(before) or len(came) > sum(code >= pack.unknown for code in before))
    return Changed(groups, gone, hidden, laid)


def is_turn_in_order(changed: Changed, melds: Melds) -> bool | None:
    """True if a turn may end so: each group is a meld, no card is gone, and at least one came from the hand. None if
    unseen cards decide it."""
    answers, sound = [melds.is_meld(group) for group in changed.groups.values()], not changed.gone and changed.laid
    if False in answers or not (sound or changed.hidden):
        return False
    return True if sound and None not in answers else None


# -- laying down -------------------------------------------------------------------------------------------------------


def lay_down(act: Meld | Arrange, state: State[Any]) -> None:
    """Apply a line: new groups with the next numbers, cards added to a group, or some or all groups as they are now."""
    table, hand, by = state.table, state.hand, act.by
    if isinstance(act, Meld):
        src = pile_named(state, act.src) if act.src else state.holding(by)
        onto = number_of(act.to)
        for group in act.groups:
            number = onto or hand.used + 1
            pile = table.row(f"{STEM}{number}")
            # After a gap it is unknown what is there, and so what was added to.
            pile.vague = pile.vague or (bool(onto) and hand.gap)
            table.move(table.codes(group, src), src, pile)
            hand.used = max(hand.used, number)
        return
    held = state.holding(by)
    named = {name: table.codes(cards, held) for name, cards in act.piles if number_of(name)}
    relay(
        named if act.piles
        else whole_table([table.codes(g, held) for g in act.groups], melds_on_table(state), hand.used),
        by, state,
    )


def number_of(name: str) -> int:
    """The number of a meld by its name, 0 for another pile.

    >>> number_of("meld:12"), number_of("meld:A:2"), number_of("stock")
    (12, 0, 0)
    """
    number = name.removeprefix(STEM)
    return int(number) if number != name and number.isdecimal() else 0


def whole_table(groups: Sequence[Sequence[int]], old: Groups, used: int) -> dict[str, Sequence[int]]:
    """The whole table as it was written: unchanged groups keep their numbers, all others have the next ones.

    >>> whole_table([[4, 5, 6], [1, 2, 3]], {"meld:1": [3, 2, 1], "meld:2": [7, 8, 9]}, 2)
    {'meld:1': [1, 2, 3], 'meld:2': (), 'meld:3': [4, 5, 6]}
    """
    out: dict[str, Sequence[int]] = dict.fromkeys(old, ())
    for group in groups:
        same = next((name for name, codes in old.items() if not out[name] and sorted(codes) == sorted(group)), "")
        used += not same
        out[same or f"{STEM}{used}"] = group
    return out


def relay(wanted: Groups, by: str, state: State[Any]) -> None:
    """Lay these groups. A card that was in one of them moves to another or to the hand; the others come from the hand.
    """
    table, pack, hand = state.table, state.game.pack, state.hand
    held, rows = state.holding(by), {name: table.row(name) for name in wanted}
    hand.used = max([hand.used, *map(number_of, wanted)])
    if hand.gap:
        under_other_numbers(wanted, rows, held, table)
    pool = [(name, code) for name, pile in rows.items() for code in pile.row or ()]
    slots = [(name, code) for name, codes in wanted.items() for code in codes]
    uncounted = any(pile.vague for pile in rows.values())
    seen = max(max(pool, key=CODE, default=NOTHING)[1], max(slots, key=CODE, default=NOTHING)[1]) < pack.unknown
    if seen and not hand.gap and not uncounted:
        relay_seen(wanted, rows, held, table)
        return
    not_held = frozenset(c for _, c in slots if c < pack.unknown and held.any_of(pack.field[c]) is False)
    from_pool = match_slots(tuple(slots), tuple(pool), pack, held.known, not_held)
    guessed = guessed_slots(slots, pool, from_pool, held)
    for i, k in from_pool.items():
        (name, code), (at, was) = slots[i], pool[k]
        if code < pack.unknown <= was and i not in guessed:
            # It was there unseen, and is named now.
            named = Pile(table, name, row=True)
            table.take_at((rows[at].row or []).index(was), code, rows[at], named)
            pool[k] = at, named.codes()[0]
    if hand.gap or max((code for _, code in slots), default=0) >= pack.unknown:
        # A card that is not named again may be among the cards unseen now, in the hand, or after a gap in another meld.
        named_again = {k for i, k in from_pool.items() if slots[i][1] < pack.unknown}
        for k, (at, was) in enumerate(pool):
            row = rows[at].row or []
            if was < pack.unknown and k not in named_again:
                table.located -= pack.unit[was]
                row[row.index(was)] = pack.unknown
                pool[k] = at, pack.unknown
    for k, (name, code) in enumerate(pool):
        if k not in from_pool.values():
            row = rows[name].row or []
            row.append(row.pop(row.index(code)))
            table.move_one(code, rows[name], held)
    for pile in rows.values():
        pile.row, pile.vague = [], False
    came = [code for i, (_, code) in enumerate(slots) if i not in from_pool] if uncounted else []
    if any(held.any_of(pack.may_be[code]) is not False for code in came):
        # Each of these may have been in an uncounted group, or have come from the hand.
        table.move_one(pack.many, held, Pile(table, "", row=True))
    for i, (name, code) in enumerate(slots):
        if i in guessed:
            if i not in from_pool and not uncounted:
                table.move_one(pack.unknown, held, Pile(table, "", row=True))
            table.lay([code], rows[name])
            continue
        if i not in from_pool:
            if uncounted:
                table.lay([code], rows[name])
            else:
                table.move_one(code, held, rows[name])
            continue
        lies = rows[name].row
        assert lies is not None
        # Which of the half-seen cards this one is can only be guessed, so only what is said of it now holds.
        code = code if code >= pack.unknown else pool[from_pool[i]][1]
        lies.append(code)
        if code >= pack.unknown:
            table.since[name], table.glimpsed = table.now, table.glimpsed or code > pack.unknown


def under_other_numbers(wanted: Groups, rows: Mapping[str, Pile], held: Pile, table: Table) -> None:
    """After a gap the numbers of the melds are unknown: a card that is named now, is in another meld and not known to
    be in the hand, is taken to have been here."""
    here = [code for pile in rows.values() for code in pile.row or ()]
    for code in minus([code for codes in wanted.values() for code in codes if code < table.pack.unknown], here):
        others = (
            p for name, p in table.piles.items() if name.startswith(STEM) and name not in rows and code in (p.row or ())
        )
        other = None if held.known & table.pack.field[code] else next(others, None)
        if other is not None and other.row is not None:
            other.row.remove(code)
            other.vague = True
            next(pile for pile in rows.values() if pile.row is not None).row.append(code)  # type: ignore[union-attr]  # all of them are rows


def lose_sight_of(name: str, state: State[Any]) -> None:
    """Mark all cards of this group as unseen, as an unseen card leaves it."""
    table, pack, pile = state.table, state.game.pack, state.table.row(name)
    for i, code in enumerate(pile.row or ()):
        if code < pack.unknown:
            table.located -= pack.unit[code]
            pile.row[i] = pack.unknown  # type: ignore[index]  # it is a row
            table.since[name] = table.now


def relay_seen(wanted: Groups, rows: Mapping[str, Pile], held: Pile, table: Table) -> None:
    """The same if every card was seen, before and now: equal cards need not be distinguished."""
    before = [code for pile in rows.values() for code in pile.row or ()]
    after = [code for codes in wanted.values() for code in codes]
    freed, came = minus(before, after), minus(after, before)
    for code in freed:
        pile = next(pile for pile in rows.values() if code in (pile.row or ()))
        table.move_one(code, pile, held)
    for name, pile in rows.items():
        pile.row, pile.vague = list(wanted[name]), False
    for code in came:
        out = Pile(table, "", row=True)
        table.move_one(code, held, out)
        got = out.codes()[0]
        if got != code:
            # The hand cannot have had it.
            row = next(pile.row for pile in rows.values() if pile.row and code in pile.row)
            row[row.index(code)] = got


@lru_cache(maxsize=1 << 12)
def match_slots(
    slots: Sequence[tuple[str, int]], pool: Sequence[tuple[str, int]], pack: Pack, held: int, not_held: Set[int],
) -> Mapping[int, int]:
    """The card of `pool` that each slot has, by indices: first those seen both times, in their own group if possible;
    then unseen ones for the cards that were not in the hand (`not_held`); then those that may be the same. Cards known
    to be in the hand (the bag `held`) are taken from there before that; an unseen one that may be such a card as well
    is in no other group, but may be in the hand."""
    found: dict[int, int] = {}
    left, given, out_of_hand = set(range(len(pool))), set[int](), set[int]()
    for step, at_home in product(("seen", "not held", "any"), (True, False)):
        for i, (name, code) in enumerate(slots):
            if i in found or i in given or code == pack.many or (step == "not held" and code not in not_held):
                continue
            if step == "any" and code < pack.unknown and held & pack.field[code]:
                held -= pack.unit[code]
                given.add(i)
                out_of_hand.add(pack.field[code])
                continue
            for k in sorted(left):
                home, was = pool[k]
                may_be = max(code, was) >= pack.unknown and bool(pack.may_be[code] & pack.may_be[was])
                if code >= pack.unknown and home != name and any(pack.may_be[was] & field for field in out_of_hand):
                    may_be = False
                fits = code == was < pack.unknown if step == "seen" else may_be
                if fits and (home == name) >= at_home:
                    found[i] = k
                    left.discard(k)
                    break
    return found


def guessed_slots(
    slots: Sequence[tuple[str, int]], pool: Sequence[tuple[str, int]], from_pool: Mapping[int, int], held: Pile,
) -> set[int]:
    """The slots named now whose card was unseen in one of several melds, or in a meld or the hand."""
    pack = held.table.pack
    unseen = [(name, pack.may_be[code]) for name, code in pool if code >= pack.unknown]
    new = {
        i for i, (_, code) in enumerate(slots) if unseen and code < pack.unknown
        and (pool[from_pool[i]][1] >= pack.unknown if i in from_pool else not held.known & pack.field[code])
    }
    from_hand = any(i not in from_pool and (i in new or code >= pack.unknown) for i, (_, code) in enumerate(slots))
    homes = {i: {name for name, may_be in unseen if may_be & pack.field[slots[i][1]]} for i in new}
    return {
        i for i in new
        if len(homes[i]) > 1 or (homes[i] and from_hand and held.any_of(pack.field[slots[i][1]]) is not False)
    }


def put_back(turn: Turn, state: State[Any]) -> None:
    """Restore the table, and with it the hand, to what it was before the turn."""
    relay(turn.before, turn.seat, state)
    for name in turn.vague:
        state.table.row(name).vague = True


# -- how it is written ------------------------------------------------------------------------------------------------


def changed_groups(groups: Sequence[Sequence[int]], old: Groups, used: int, pack: Pack) -> Piles:
    """The changed groups of a table as a line names them: each with the number of the group that gave it most cards, or
    the next one; and groups that are gone.

    >>> from events.cards import pack
    >>> p = pack(copies=2); bag = lambda text: [p.code[c] for c in text.split()]
    >>> changed_groups([bag("8d 9d Td"), bag("7c 7d 7s")], {"meld:8": bag("7d 8d 9d Td")}, 8, p)
    (('meld:8', ('8d', '9d', 'Td')), ('meld:9', ('7c', '7d', '7s')))
    """
    left, changed = dict(old), list[Sequence[int]]()
    for group in groups:
        same = next((name for name, codes in left.items() if sorted(codes) == sorted(group)), "")
        if same:
            del left[same]
        else:
            changed.append(group)
    pairs = ((i, group, name, codes) for i, group in enumerate(changed) for name, codes in left.items())
    shared = [(len(minus(codes, group)) - len(codes), i, name) for i, group, name, codes in pairs]
    names: dict[int, str] = {}
    for common, i, name in sorted(shared):
        if common and i not in names and name not in names.values():
            names[i] = name
    for i in range(len(changed)):
        used += i not in names
        names.setdefault(i, f"{STEM}{used}")
    laid = {names[i]: tuple(pack.tokens[code] for code in group) for i, group in enumerate(changed)}
    return tuple(sorted({**dict.fromkeys(left, ()), **laid}.items(), key=lambda pile: number_of(pile[0])))


def found_on_table(new: Sequence[Sequence[int]], state: State[Any], by: str, melds: Melds) -> list[Piles]:
    """The ways in which these groups may have come about, each as the groups that changed: cards from groups that leave
    melds or nothing, and as few as possible, but one, from the hand. The whole table, if they are that."""
    pack, old, held = state.game.pack, melds_on_table(state), state.holding(by)
    seen = [code for codes in old.values() for code in codes]
    if not minus(seen, [code for group in new for code in group]):
        return [changed_groups(new, old, state.hand.used, pack)]
    cards = [code for group in new for code in group]
    homes = {code: [name for name, codes in old.items() if code in codes] for code in cards}
    there = [i for i, code in enumerate(cards) if homes[code]]
    tried, out = 0, list[Piles]()
    for few in range(max(1, len(cards) - len(there)), len(cards) + 1):
        for from_hand in combinations(there, few - (len(cards) - len(there))):
            given = [code for i, code in enumerate(cards) if i in from_hand or not homes[code]]
            if held.complete and minus(given, list(pack.codes(held.known))):
                continue
            taken = [i for i in there if i not in from_hand]
            for places in product(*(homes[cards[i]] for i in taken)):
                tried += 1
                if tried > MOST_WAYS:
                    return out
                after = left_behind(old, [(cards[i], place) for i, place in zip(taken, places, strict=True)])
                if after is None:
                    continue
                rest = ([pack.tokens[c] for c in codes] for name, codes in after.items() if name in places)
                if any(melds.is_meld(group) is False for group in rest):
                    continue
                way = changed_groups([*after.values(), *new], old, state.hand.used, pack)
                out += [way] if way not in out else []
        if out:
            break
    return out


def left_behind(old: Groups, taken: Sequence[tuple[int, str]]) -> dict[str, list[int]] | None:
    """The groups, without empty ones, after each card is taken from the group named; None if one is not there."""
    gone = Counter(taken)
    if any(list(old[name]).count(code) < n for (code, name), n in gone.items()):
        return None
    after = {name: minus(codes, [code for code, home in taken if home == name]) for name, codes in old.items()}
    return {name: codes for name, codes in after.items() if codes}


@lru_cache(maxsize=1 << 14)
def in_sequence(cards: Cards, melds: Melds) -> Cards:
    """The cards of a run from the bottom, with an ace above the king there; a set by its suits.

    >>> from events.cards import pack
    >>> in_sequence(("Ac", "Qc", "Kc"), Melds(pack(copies=2), {}, "A 2 3 4 5 6 7 8 9 10 J Q K A"))
    ('Qc', 'Kc', 'Ac')
    """
    above = any(card[0] == "K" for card in cards) and not any(card[0] == "2" for card in cards)
    return tuple(sorted(cards, key=lambda card: (melds.places[card[0]][-1 if above else 0], card[1])))
