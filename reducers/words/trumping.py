"""Rules stricter than following suit: to head the trick, to trump, to trump low; or less strict: a trump may be played
to any trick. The page's record of the hand keeps its `Tricks` as `trick`."""

from __future__ import annotations

from typing import Any

from events.model import Play
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.tricks import (
    CARD_UNSEEN,
    NO_TRUMPS,
    Tricks,
    holds_suit,
    must_follow_suit,
    why_out_of_turn,
    why_unknown,
)


def must_follow_suit_or_trump(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that plays no trump plays the suit led if it can: trumps may be played to any trick."""
    says = must_follow_suit(play, state)
    tricks: Tricks = state.hand.trick
    if says is None or tricks.led == "?" or tricks.astray:
        return says
    if tricks.blind:
        return says if says.verdict == "open" else unknown(NO_TRUMPS)
    return None if tricks.suits.of[state.code(play.cards)] == tricks.strength.trump else says


def must_head_in_suit(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that follows suit beats the card that is ahead if it can, the partner's too. (A seat that could follow and
    does not breaks another rule.)"""
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return None
    seat, code, pack, suits = play.by, state.code(play.cards), tricks.table.pack, tricks.suits
    if code < pack.unknown and suits.of[code] != tricks.led != "?":
        return None
    dark = why_unknown(tricks) or why_out_of_turn(seat, state)
    if dark is not None:
        return dark
    held, (in_suit, _) = state.holding(seat), tricks.strength.above(tricks.best)
    heads = held.any_of(in_suit)
    if heads is False or (code < pack.unknown and tricks.values[code] > tricks.best and not tricks.doubt):
        return None
    if tricks.doubt or code >= pack.unknown:
        return unknown(CARD_UNSEEN)
    if heads is None or tricks.blind:
        return unknown(NO_TRUMPS if tricks.blind else f"whether {seat} could beat the trick")
    return broken(f"{seat} could beat the trick and did not", held.certain & in_suit, seat)


def must_trump_higher(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that cannot follow heads the trick with a trump if it can, even over its partner."""
    due, dark = trump_is_due(play, state)
    if not due:
        return dark
    tricks, seat = state.hand.trick, play.by
    held, (_, above) = state.holding(seat), tricks.strength.above(tricks.best)
    heads = held.any_of(above)
    if heads is False or (not tricks.doubt and tricks.values[state.code(play.cards)] > tricks.best):
        return None
    if dark is not None or not heads:
        return dark or unknown(f"whether {seat} had to trump")
    return broken(f"{seat} could head the trick with a trump", held.certain & above, seat)


def must_undertrump(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that cannot follow, and whose trumps are all too low, plays one of them all the same."""
    due, dark = trump_is_due(play, state)
    if not due:
        return dark
    tricks, seat = state.hand.trick, play.by
    held, trump, (_, above) = state.holding(seat), tricks.strength.trump, tricks.strength.above(tricks.best)
    has, heads = held.any_of(tricks.suits.sure.get(trump, 0)), None if tricks.doubt else held.any_of(above)
    if has is False or heads or tricks.suits.of[state.code(play.cards)] == trump:
        return None
    if dark is not None or not has or heads is None:
        return dark or unknown(f"whether {seat} had to play a trump")
    return broken(
        f"{seat} holds a trump and must play it, even if it is too low", held.certain & tricks.suits.sure[trump], seat,
    )


def trump_is_due(play: Play, state: State[Any]) -> tuple[bool, CheckResult | None]:
    """True if a card may have had to be a trump, with what is unknown; else False, with the verdict of the rule."""
    tricks: Tricks = state.hand.trick
    code, pack, suits = state.code(play.cards), state.game.pack, tricks.suits
    if not tricks.plays or (code < pack.unknown and suits.of[code] == tricks.led):
        return False, None
    dark = why_unknown(tricks) or why_out_of_turn(play.by, state)
    if dark is not None or tricks.led == tricks.strength.trump:
        return False, dark
    follows = holds_suit(state.holding(play.by), tricks.led, suits)
    if follows or tricks.blind:
        return False, None if follows else unknown(NO_TRUMPS)
    if tricks.doubt or code >= pack.unknown:
        return True, unknown(CARD_UNSEEN)
    return True, unknown(f"whether {play.by} had to trump") if follows is None else None
