"""Leads held to a suit: a player who takes the lead from another continues with the suit in which it was taken.

An unbeatable card may be led instead. The page's record of the hand keeps its `Tricks` as `trick`.
"""

from __future__ import annotations

from typing import Any

from events.cards import SUIT_NAMES, SUITS
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.tricks import Tricks


def locked_suit(seat: str, state: State[Any], *, opening: bool = False) -> str | None:
    """The suit that a seat must lead now; "" for none, None if unknown.

    It is the suit of the trick by which the seat took the lead from another; later leads of its own change nothing.
    With `opening`, the leader to the first trick is held to that suit, too.
    """
    tricks: Tricks = state.hand.trick
    if tricks.lost:
        return None
    for trick in reversed(tricks.won):
        if seat not in trick.winners:
            return ""  # it leads out of turn; another rule judges that
        if len(trick.winners) > 1 or trick.inferred:
            return None
        if trick.leader != seat or (opening and trick is tricks.won[0]):
            led = tricks.suits.of[trick.plays[0][1]]
            return led if led in SUITS else None
    return ""


def unbeatable(code: int, state: State[Any], *, own_too: str = "") -> bool | None:
    """True if no card can beat this one in its suit: all higher ones have been played, or are in the hand of the seat
    `own_too`. None if an unseen card may have been one of them."""
    tricks: Tricks = state.hand.trick
    pack, power = state.game.pack, tricks.power[tricks.suits.of[code]]
    # When a suit is led and there are no trumps, only its higher cards are stronger.
    left, _ = power.above(power.values[code])
    if not left:
        return True
    played = [c for trick in tricks.won for _, c in trick.plays]
    for c in played:
        if c < pack.unknown:
            left &= ~pack.unit[c]
    if own_too:
        left &= ~state.holding(own_too).certain
    if not left:
        return True
    unseen = [c for c in played if c >= pack.unknown and pack.may_be[c] & left & state.table.free()]
    may_be_own = bool(own_too) and state.holding(own_too).any_of(left) is not False
    return None if may_be_own or pack.count(left & state.table.free()) == pack.count(left) <= len(unseen) else False


def lead_is_free(
    seat: str, code: int, state: State[Any], *, opening: bool = False, own_too: bool = False
) -> CheckResult | None:
    """Why a seat may not lead this card; None if it may, or if it follows."""
    tricks: Tricks = state.hand.trick
    pack, held = state.game.pack, state.holding(seat)
    if tricks.plays or not tricks.won:
        return None
    suit = locked_suit(seat, state, opening=opening)
    if suit == "":
        return None
    if suit is None:
        return unknown("in which suit the lead was taken")
    suits = tricks.suits
    has = held.any_of(suits.sure[suit])
    if suits.of[code] == suit or has is False:
        return None
    if code >= pack.unknown:
        return unknown("the card was not seen")
    best = unbeatable(code, state, own_too=seat if own_too else "")
    if best:
        return None
    text = f"{seat} took the lead in {SUIT_NAMES[suit]}, and holds one; the {pack.shown(code)} can be beaten"
    if has and best is False and not tricks.astray:
        return broken(text, held.certain & suits.sure[suit], seat)
    if tricks.astray:
        return unknown("the order of play was broken before this, so a card may be missing from the record")
    return unknown(f"whether {seat} held {SUIT_NAMES[suit]}" if best is False else "whether a card can beat it")
