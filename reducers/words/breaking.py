"""Trumps, or another suit, that may not be led until they are broken, that is, played by a seat that cannot follow.

The page's record of the hand keeps its `Tricks` as `trick`, the suit as `trump` ("" while unknown), and in `broken`
whether trumps are broken, None if unknown. In a game without trumps `trump` is the suit that is held back (Hearts).
"""

from __future__ import annotations

from typing import Any

from events.model import Play
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.one_round import GONE_BY
from reducers.words.tricks import NO_TRUMPS, Tricks


def no_trump_is_led_too_early(play: Play, state: State[Any]) -> CheckResult | None:
    """No trump is led before trumps are broken, unless the leader holds nothing else."""
    return is_led_too_early(play, state, "trumps", "a trump")


def no_heart_is_led_too_early(play: Play, state: State[Any]) -> CheckResult | None:
    """No heart is led before hearts are broken, unless the leader holds nothing else."""
    return is_led_too_early(play, state, "hearts", "a heart")


def is_led_too_early(play: Play, state: State[Any], called: str, one: str) -> CheckResult | None:
    """Check a lead of the suit that is held back; `called` is its name, `one` that of a card of it."""
    hand, pack = state.hand, state.game.pack
    trick: Tricks = hand.trick
    if trick.plays or hand.broken:
        return None
    if trick.lost or not hand.trump:
        return unknown(GONE_BY if trick.lost else NO_TRUMPS)
    held, trumps, code = state.holding(play.by), trick.suits.sure[hand.trump], state.code(play.cards)
    others = held.any_of(pack.everything & ~trumps)
    if others is False or not pack.may_be[code] & trumps:
        return None
    if code >= pack.unknown:
        return unknown("the card was not seen")
    if hand.broken is None or trick.astray:
        gone = ": a card may be missing from the record" if trick.astray else ""
        return unknown(f"whether {called} had been broken{gone}")
    if others is None:
        return unknown(f"whether {play.by} held anything but {called}")
    text = f"{called} are not broken, and {play.by} holds a card other than {one}"
    return broken(text, held.certain & ~trumps, play.by)


def breaks_trumps(play: Play, state: State[Any], *, forced: bool = True) -> bool | None:
    """True if trumps are broken after this card, which is still in the hand; None if unknown.

    A trump of a seat that could follow does not break them. If a seat that holds nothing else leads them, they are
    broken if that counts as `forced`.
    """
    hand, pack, held, code = state.hand, state.game.pack, state.holding(play.by), state.code(play.cards)
    trick: Tricks = hand.trick
    suit, so_far = trick.suits.of[code], bool(hand.broken) if hand.broken is not None else None
    if so_far or not hand.trump or suit not in (hand.trump, "?"):
        return so_far
    trumps = trick.suits.sure[hand.trump]
    if (trick.led == hand.trump if trick.plays else not forced) or (suit == "?" and not held.may_leave(code) & trumps):
        return so_far
    if trick.plays:
        otherwise = None if trick.led == "?" else held.any_of(trick.suits.sure[trick.led])
    else:
        otherwise = held.any_of(pack.everything & ~trumps)
    if otherwise:
        return so_far
    return True if otherwise is False and suit == hand.trump else None
