"""What must be played where more is asked than to follow suit: to head the trick, to trump, to trump low; or where less is, as a
trump may be played to any trick. The page's record of the hand keeps its `Tricks` as `trick`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.model import Play
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.tricks import NO_TRUMPS, Tricks, holds_suit, must_follow_suit, out_of_turn, why_unknown


def must_follow_suit_or_trump(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that plays no trump plays the suit led if it can: trumps may be played to any trick."""
    says = must_follow_suit(play, state)
    tricks: Tricks = state.hand.trick
    if says is None or tricks.led == "?" or tricks.astray:
        return says
    suits, trump, code = tricks.suits, tricks.strength.trump, state.code(play.cards)
    if tricks.blind:
        return says if says.verdict == "open" else unknown(NO_TRUMPS)
    if suits.of[code] == trump:
        return None
    may_be = state.holding(play.by).may_leave(code) if code >= state.game.pack.unknown else 0
    if says.verdict == "open":
        return None if may_be and not may_be & ~(suits.sure[tricks.led] | suits.sure[trump]) else says
    return unknown("a card of this trick was not seen") if may_be & suits.perhaps[trump] else says


def must_head_in_suit(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that follows suit beats the card that is ahead if it can, the partner's too. (Who could follow and does not
    breaks another rule.)"""
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return None
    seat, code, pack, suits = play.by, state.code(play.cards), tricks.table.pack, tricks.suits
    if code < pack.unknown and suits.of[code] != tricks.led != "?":
        return None
    dark = why_unknown(tricks) or out_of_turn(seat, state)
    if dark is not None:
        return dark
    held, (in_suit, _) = state.holding(seat), tricks.strength.above(tricks.best)
    heads = held.any_of(in_suit)
    if heads is False or (code < pack.unknown and tricks.values[code] > tricks.best and not tricks.doubt):
        return None
    if code >= pack.unknown and not held.may_leave(code) & suits.perhaps[tricks.led] & ~(0 if tricks.doubt else in_suit):
        return None
    if tricks.doubt or code >= pack.unknown:
        return unknown("a card of this trick was not seen")
    if heads is None or tricks.blind:
        return unknown(NO_TRUMPS if tricks.blind else f"whether {seat} could beat the trick")
    return broken(f"{seat} could beat the trick and did not", held.certain & in_suit, seat)


def must_trump_higher(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that cannot follow heads the trick with a trump if it can, whoever is ahead: it trumps, or overtrumps."""
    ways = trumping(play, state)
    if not isinstance(ways, Trumping):
        return ways
    if ways.heads is False or ways.heading:
        return None
    if ways.doubt or not ways.heads or ways.follows is None:
        return unknown(ways.doubt or f"whether {play.by} had to trump")
    held = state.holding(play.by)
    return broken(f"{play.by} could head the trick with a trump", held.certain & ways.above, play.by)


def must_undertrump(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that cannot follow, and whose trumps are all too low, plays one of them all the same."""
    ways = trumping(play, state)
    if not isinstance(ways, Trumping):
        return ways
    has = state.holding(play.by).any_of(ways.trumps)
    if has is False or ways.heads or ways.trumping:
        return None
    if ways.doubt or not has or ways.heads is None or ways.follows is None:
        return unknown(ways.doubt or f"whether {play.by} had to play a trump")
    held = state.holding(play.by)
    return broken(f"{play.by} holds a trump, and plays it though it is too low", held.certain & ways.trumps, play.by)


class Trumping(Struct, frozen=True, gc=False):
    """What a card that does not follow, or was not seen, comes to: whether its seat holds the suit led, or a trump `above` all
    that lie; whether the card surely is a trump, or surely heads the trick; and what leaves that open."""

    trumps: int
    above: int
    follows: bool | None
    heads: bool | None
    trumping: bool
    heading: bool
    doubt: str


def trumping(play: Play, state: State[Any]) -> Trumping | CheckResult | None:
    """What is known of a card that may have had to be a trump; None if it had not, an answer if nothing can be said."""
    tricks: Tricks = state.hand.trick
    code, pack, suits = state.code(play.cards), state.game.pack, tricks.suits
    if not tricks.plays or (code < pack.unknown and suits.of[code] == tricks.led):
        return None
    dark = why_unknown(tricks) or out_of_turn(play.by, state)
    strength, held = tricks.strength, state.holding(play.by)
    if dark is not None or strength.led == strength.trump:
        return dark
    follows = holds_suit(held, strength.led, suits)
    may_be = pack.field[code] if code < pack.unknown else held.may_leave(code) & ~suits.sure[strength.led]
    if follows or not may_be:
        return None
    if tricks.blind:
        return unknown(NO_TRUMPS)
    trumps, (_, above) = suits.sure.get(strength.trump, 0), strength.above(tricks.best)
    doubt = "a card of this trick was not seen" if tricks.doubt or code >= pack.unknown else ""
    # An unseen card may lie above the best that was seen.
    heads = (held.any_of(above) and None) if tricks.doubt else held.any_of(above)
    return Trumping(trumps, above, follows, heads, not may_be & ~trumps, not may_be & ~above and not tricks.doubt, doubt)


__all__ = ["must_follow_suit_or_trump", "must_head_in_suit", "must_trump_higher", "must_undertrump"]
