"""Declarations besides tricks: what a seat says it holds, or held at first, and when it may say so.

A declaration proves nothing about the cards, as it may be wrong. Its truth is checked against the cards that the seat
was seen to hold or to play. The page's record of the hand keeps its `Tricks` as `trick`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from events.name_lists import one_of
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.tricks import Tricks, why_unknown

GONE_BY = "acts before this are missing from the record"
MOST_HANDS_TRIED = 200
"""The most possible hands that are tried one by one."""

Holds: TypeAlias = Callable[[int], bool]
"""True if a bag of cards is as declared."""


# -- the cards of a seat ----------------------------------------------------------------------------------------------


def played_by(seat: str, state: State[Any]) -> list[int]:
    """The codes of the cards a seat has played in this hand, in order; the only unseen card of a pack is named."""
    trick, pack = state.hand.trick, state.game.pack
    plays = (*(play for one in trick.won for play in one.plays), *trick.plays)
    own = [code for who, code in plays if who == seat]
    if len(plays) == pack.size and sum(code >= pack.unknown for _, code in plays) == 1:
        left = list(
            pack.codes(pack.full & ~sum(pack.unit[code] for code in {c for _, c in plays} if code < pack.unknown))
        )
        own = [left[0] if code >= pack.unknown and len(left) == 1 else code for code in own]
    return own


def nothing_dealt(seat: str, state: State[Any]) -> bool:
    """True if no deal to a seat was recorded yet, and it has played nothing."""
    return not state.acts and not len(state.holding(seat))


def held_at_first(mask: int, seat: str, state: State[Any]) -> tuple[int, int]:
    """The least and the most of these cards that a seat held before its first card, if none are drawn in the hand."""
    pack, played = state.game.pack, played_by(seat, state)
    if nothing_dealt(seat, state):
        # Cards that later events prove are here, though nothing was dealt yet.
        return pack.count(state.holding(seat).certain & mask), pack.count(pack.full & mask)
    low, high = state.holding(seat).how_many(mask)
    seen = pack.count(mask & sum(pack.unit[code] for code in set(played) if code < pack.unknown))
    unseen = sum(1 for code in played if code >= pack.unknown and pack.may_be[code] & mask & state.table.free())
    return low + seen, min(high + seen + unseen, pack.count(pack.full & mask))


def certainly_held(seat: str, state: State[Any]) -> int:
    """The bag of the cards that a seat certainly held before its first card."""
    pack = state.game.pack
    held = state.holding(seat).certain
    return held | sum(pack.unit[code] for code in set(played_by(seat, state)) if code < pack.unknown)


def held_as_said(holds: Holds, seat: str, state: State[Any]) -> bool | None:
    """True if the cards that a seat held before its first card are as it said; None if that is open.

    Also None if there are more than `MOST_HANDS_TRIED` hands that it may have held.
    """
    pack, played = state.game.pack, played_by(seat, state)
    if nothing_dealt(seat, state):
        return None
    holdings = state.holding(seat).possible_holdings(MOST_HANDS_TRIED)
    if holdings is None or any(code >= pack.unknown for code in played):
        return None
    seen = sum(pack.unit[code] for code in set(played))
    said = {holds(bag | seen) for bag in holdings}
    return said.pop() if len(said) == 1 else None


def any_held(parts: Iterable[tuple[int, int]], seat: str, state: State[Any]) -> bool | None:
    """True if a seat held, before its first card, enough of one of these kinds of cards: a mask and a number each."""
    kinds = tuple(parts)
    spans = [(count, held_at_first(mask, seat, state)) for mask, count in kinds]
    if any(low >= count for count, (low, _) in spans):
        return True
    if all(high < count for count, (_, high) in spans):
        return False
    count = state.game.pack.count
    return held_as_said(lambda bag: any(count(bag & mask) >= least for mask, least in kinds), seat, state)


# -- the right time ---------------------------------------------------------------------------------------------------


def before_the_own_first_card(seat: str, state: State[Any]) -> CheckResult | None:
    """Why it is too late for a seat to say what is said before its first card; None if it is not."""
    if state.hand.trick.lost:
        return unknown(GONE_BY)
    return broken(f"{seat} has played a card already") if played_by(seat, state) else None


def after_an_own_trick(seat: str, state: State[Any]) -> CheckResult | None:
    """Why a seat cannot say what is said after an own trick and before the next lead; None if it can."""
    trick: Tricks = state.hand.trick
    if trick.lost:
        return unknown(GONE_BY)
    doubtful = why_unknown(trick) if trick.astray else None
    if not trick.won:
        return doubtful or broken("no trick has been taken yet")
    if trick.plays:
        return doubtful or broken(f"{trick.plays[0][0]} has led to the next trick already")
    winners = trick.won[-1].winners
    if seat not in winners:
        return doubtful or broken(f"{one_of(winners)} took the last trick")
    return unknown(f"who took the last trick: {one_of(winners)}") if len(winners) > 1 else None


def after_the_own_first_trick(seat: str, state: State[Any]) -> CheckResult | None:
    """Why a seat cannot say what is said after its first trick and before the next lead; None if it can."""
    why = after_an_own_trick(seat, state)
    if why is not None and why.verdict == "broken":
        return why
    before = [trick for trick in state.hand.trick.won[:-1] if seat in trick.winners]
    if any(trick.winners == (seat,) and not trick.inferred for trick in before) and not state.hand.trick.lost:
        return broken(f"{seat} has taken a trick before this one")
    return why or (unknown(f"whether {seat} has taken a trick before this one") if before else None)
