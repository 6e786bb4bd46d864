"""Play on a table of melds that all players rearrange: lines to try, the meaning of a typed line, and draws from a
stock with two copies of each card.

`reducers.words.regrouping` applies such lines; `reducers.words.rebuilding` decides whether a layout exists at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Any

from msgspec.structs import replace

from events.cards import RANKS, SUITS, Pack, how_many, one_by_one, pretty_all
from events.model import Arrange, Cards, Draw, Event, Meld, Move
from reducers.model import State
from reducers.rules import CheckResult, broken
from reducers.terms import hand_of
from reducers.words.draw_and_throw import take_from_top
from reducers.words.layouts import codes_of_group, minus
from reducers.words.melds import UNCOUNTED, Melds
from reducers.words.rebuilding import rebuilt
from reducers.words.regrouping import Groups, changed_groups, found_on_table, in_sequence, melds_on_table
from reducers.words.rummy import cards_lying

MOST_MELDS, MOST_NEIGHBOURS, MOST_AT_ONCE = 60, 8, 6
"""Limits: melds of a hand that are tried, groups beside a card, and cards of a hand laid all at once."""


# -- the stock --------------------------------------------------------------------------------------------------------


def others_on_top(draw: Draw, count: int, state: State[Any]) -> CheckResult | None:
    """Return broken if cards other than those drawn were on top of the stock; else None."""
    pack = state.game.pack
    above, drawn = cards_lying("stock", state)[-count:], [pack.code[c] for c in draw.cards if c in pack]
    if max(above, default=pack.unknown) >= pack.unknown or not minus(drawn, above):
        return None
    on_top = pretty_all(pack.tokens[c] for c in above[::-1])
    return broken(f"the stock has {on_top} on top, not {pretty_all(draw.cards)}")


def take_each(draw: Draw, state: State[Any]) -> int:
    """Take the cards into the hand, each from the top if possible, even if its twin is below. Return their number; 0 if
    uncounted."""
    if len(draw.cards) == 1 and len(draw.cards[0]) == 2:
        take_from_top(draw, state)
        return 1
    cards = [card for text in draw.cards for card in ((text,) if text == UNCOUNTED else one_by_one((text,)))]
    for card in cards:
        take_from_top(replace(draw, cards=(card,)), state)
    return how_many(draw.cards) or 0


# -- lines worth trying -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def rebuilt_with(bag: int, pack: Pack) -> tuple[Cards, ...] | None:
    """Melds of all these cards; empty if there are none, None if the search gave up."""
    found = rebuilt(pack.cards(bag))
    return None if found.given_up else found.melds or ()


def all_seen(who: str, state: State[Any]) -> bool:
    """Return True if all cards of the hand and on the table were seen."""
    unseen = state.game.pack.unknown
    return state.holding(who).complete and max(
        (c for codes in melds_on_table(state).values() for c in codes), default=0,
    ) < unseen


def lays_what_fits(who: str, state: State[Any], melds: Melds) -> Iterator[Event]:
    """New melds, cards added to melds, and melds rearranged for a card that fits nowhere else, or for the hand."""
    if not all_seen(who, state):
        return
    pack, old, held = state.game.pack, melds_on_table(state), state.holding(who).known
    cards = [*dict.fromkeys(pack.cards(held))]
    new = [in_sequence(tuple(pack.cards(meld)), melds) for meld in islice(melds.melds_in(held), MOST_MELDS)]
    onto = [(card, name) for name, codes in old.items() for card in cards if fit_onto((card,), codes, melds)]
    yield from (Meld(by=who, groups=(meld,)) for meld in new)
    yield from (Meld(by=who, groups=((card,),), to=name) for card, name in onto)
    used = {*(card for card, _ in onto), *(card for meld in new for card in meld)}
    whole = [(pack.cards(held), tuple(old))] if old and 0 < pack.count(held) <= MOST_AT_ONCE else []
    few = [([card], names) for card in cards if card not in used for names in neighbours(card, old, pack)]
    seen = set[Event]()
    for more, names in (*whole, *few):
        touched = {name: old[name] for name in names}
        way = rebuilt_with(sum(pack.unit[code] for codes in touched.values() for code in codes) + pack.bag(more), pack)
        if way:
            laid = [codes_of_group(in_sequence(meld, melds), pack) for meld in way]
            line = Arrange(by=who, piles=changed_groups(laid, touched, state.hand.used, pack))
            if line not in seen:
                seen.add(line)
                yield line


def neighbours(card: str, old: Groups, pack: Pack) -> list[tuple[str, ...]]:
    """The groups that a card may be rearranged with, one or two of them: those of its rank, or of its suit nearby."""
    at = {RANKS.index(card[0]), len(RANKS) if card[0] == "A" else RANKS.index(card[0])}
    near = [
        name for name, codes in old.items() if any(is_near(pack.tokens[code], card, at) for code in codes)
    ][:MOST_NEIGHBOURS]
    return [*((name,) for name in near), *combinations(near, 2)]


def is_near(lies: str, card: str, at: set[int]) -> bool:
    return lies[0] == card[0] or (lies[1] == card[1] and any(abs(RANKS.index(lies[0]) - place) <= 2 for place in at))


def try_illegal_layouts(who: str, state: State[Any], melds: Melds) -> Iterator[Event]:
    """Illegal lines to try: groups that are no melds, a card taken to the hand, nothing from the hand. Two of
    them, chosen by the position."""
    if not all_seen(who, state):
        return
    pack = state.game.pack
    cards = pack.cards(state.holding(who).known)
    same = [c for c in cards if cards.count(c) == 2][:2]
    ranks = [(*same, c) for c in cards if same and c[0] == same[0][0] and c not in same]
    suits = [tuple(of) for s in SUITS if len(of := list(dict.fromkeys(c for c in cards if c[1] == s))[:3]) == 3]
    corner = [around for around in (("K" + s, "A" + s, "2" + s) for s in SUITS) if {*around} <= {*cards}]
    groups = [group for group in (*ranks[:1], *suits[:1], *corner[:1], tuple(cards[:2])) if len(group) > 1]
    lines: list[Event] = [Meld(by=who, groups=(group,)) for group in groups if melds.is_meld(group) is False]
    for name, codes in islice(melds_on_table(state).items(), 1):
        there = tuple(pack.tokens[code] for code in codes)
        lines += [Arrange(by=who, piles=((name, there[1:]),)), Arrange(by=who, piles=((name, there),))]
        lines.append(Move(by=who, cards=there[:1], src=name, to=hand_of(who)))
    yield from dict.fromkeys(lines[i % len(lines)] for i in (state.at, state.at + 1) if lines)


# -- what a typed line means ------------------------------------------------------------------------------------------


def lines_meant(event: Meld | Arrange, state: State[Any], melds: Melds) -> tuple[Event, ...]:
    """The meanings of a typed line. Cards that are no meld go onto the melds they fit, or are several melds in a row.
    The cards of groups that are typed as a layout come from where they are: only the changes are written."""
    if isinstance(event, Meld):
        if event.to or event.src or len(event.groups) != 1 or melds.is_meld(event.groups[0]) is not False:
            return (event,)
        onto = [name for name, codes in melds_on_table(state).items() if fit_onto(event.groups[0], codes, melds)]
        there = tuple(replace(event, to=name) for name in onto)
        return there or tuple(
            replace(event, groups=groups) for groups in one_after_the_other(event.groups[0], melds)
        ) or (event,)
    groups = [codes_of_group(group, state.game.pack) for group in event.groups]
    if not groups or event.to or max(code for group in groups for code in group) >= state.game.pack.unknown:
        return (event,)
    ways = found_on_table(groups, state, event.by, melds)
    return tuple(Arrange(by=event.by, piles=piles) for piles in ways if piles) or (event,)


def one_after_the_other(cards: Cards, melds: Melds) -> Iterator[tuple[Cards, ...]]:
    """The ways to split cards, in the order typed, into melds; none if a card was not seen."""
    if melds.is_meld(cards):
        yield (cards,)
    for size in range(3, len(cards) - 2):
        if melds.is_meld(cards[:size]):
            yield from ((cards[:size], *others) for others in one_after_the_other(cards[size:], melds))


def fit_onto(cards: Cards, codes: Sequence[int], melds: Melds) -> bool:
    """Return True if the cards make a meld together with `codes`."""
    return melds.is_meld((*(melds.pack.tokens[code] for code in codes), *cards)) is True
