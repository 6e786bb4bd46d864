"""Batches: acts of a phase that are clearly legal, applied one after the other with all lookups done once.

A page may name such a function as the `apply_batch` of a phase. It takes an act and those after it, applies them
until a check of the phase could object, and returns the first act it did not apply. It may stop early anywhere, but
never passes an act that a check might object to.

Until the last act of a batch the others only move cards: they leave the hands for the trick, a full trick goes to its
winner, and the turn advances. Headline, contract and score do not change.

Only plays to tricks go in batches, in the quickest games and in those whose only duty is to follow suit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any, TypeAlias

from events.cards import SUITS, Pack
from events.model import Play
from reducers.evolve import finish_hand
from reducers.model import InItsPlace, State
from reducers.table import Pile
from reducers.words.suits import Suits
from reducers.words.tricks import Strength, Trick, Tricks, owner

Sure: TypeAlias = Callable[[str, int, int, str, int, Strength], bool]
"""True if the page's other rules surely allow a card that follows. Arguments: the seat, the code of its card, the bag
of the whole hand it comes from; then the seat ahead in the trick, the strength of that card, and the strengths."""


def plays_in_order(
    first: InItsPlace, later: Iterator[InItsPlace], state: State[Any], sure: Sure | None = None, *, enough: int = 0
) -> InItsPlace | None:
    """Apply a batch of plays in a game with `play_to_trick`: known cards, in turn, from hands seen whole, one to a
    trick, that follow suit if they can.

    A page with more duties passes `sure`. The hand ends with its last card, or with the trick that gives a side
    `enough`. Return the first event not applied; None if there is none left.
    """
    tricks: Tricks = state.hand.trick
    if type(first.event) is not Play or not nothing_in_doubt(tricks, state):
        return first
    holdings, homes = whole_hands(state), homes_of_tricks(state)
    if not holdings or not homes:
        return first
    won, plays, seats, next_of, power = tricks.won, tricks.plays, tricks.seats, tricks.next, tricks.power
    pack, row, side_of, each = tricks.table.pack, tricks.pile.row, state.terms.side_of, len(seats)
    card_of, suit_mask, seat, led = plain_cards(pack, tricks.suits), tricks.suits.sure, state.turn[0], tricks.led
    strength, values, best, ahead, mask = (
        tricks.strength, tricks.values, tricks.best, tricks.ahead, suit_mask.get(led, 0)
    )
    last: InItsPlace | None = None
    placed, to_win = first, tricks_to_win(enough or tricks.total + 1, won, side_of)
    assert row is not None
    for placed in islice(chain((first,), later), each * (tricks.total - len(won)) - len(plays)):
        event = placed.event
        if type(event) is not Play or event.by != seat or event.src or (card := card_of.get(event.cards)) is None:
            break
        code, unit, suit = card
        pile = holdings[seat]
        known = pile.known
        if not known & unit:
            break
        if not plays:
            led, mask, strength = suit, suit_mask[suit], power[suit]
            values, best, ahead = strength.values, 0, seat
        elif (suit != led and known & mask) or (
            sure is not None and not sure(seat, code, known, ahead, best, strength)
        ):
            break
        last = placed
        pile.known = known - unit
        row.append(code)
        plays.append((seat, code))
        if values[code] > best:
            best, ahead = values[code], seat
        if len(plays) < each:
            seat = next_of[seat][0]
        else:
            won.append(Trick(placed.n, tuple(plays), (ahead,)))
            side = side_of[ahead]
            homes[side] += row
            row.clear()
            plays, seat = [], ahead
            to_win[side] -= 1
            if not to_win[side]:
                break
    if last is None:
        return first
    state.at, state.turn = last.n, (seat,)
    tricks.plays, tricks.led, tricks.strength, tricks.values = plays, led, strength, values
    tricks.best, tricks.ahead, tricks.doubt, tricks.unseen = best, ahead, False, {}
    if len(won) == tricks.total or 0 in to_win.values():
        finish_hand(state)
    return next(later, None) if placed is last else placed


def tricks_to_win(enough: int, won: Sequence[Trick], side_of: Mapping[str, str]) -> dict[str, int]:
    """The number of tricks each side still needs to have `enough`."""
    left = dict.fromkeys(side_of.values(), enough)
    for trick in won:
        if side := owner(trick, side_of):
            left[side] -= 1
    return left


def nothing_in_doubt(tricks: Tricks, state: State[Any]) -> bool:
    """True if the hand has begun, one seat is to act, and no gap leaves open who led, who is ahead, or who won."""
    if not state.acts or len(state.turn) != 1 or state.dealer_is_guess or tricks.astray or tricks.blind or tricks.lost:
        return False
    return not tricks.doubt if tricks.plays else not tricks.won or len(tricks.won[-1].winners) == 1


@cache
def plain_cards(pack: Pack, suits: Suits) -> dict[tuple[str, ...], tuple[int, int, str]]:
    """For each card with a suit, by a play of it alone: its code, its bag, its suit."""
    codes = [code for code in range(pack.unknown) if suits.of[code] in SUITS]
    return {(pack.faces[code],): (code, pack.unit[code], suits.of[code]) for code in codes}


def whole_hands(state: State[Any]) -> dict[str, Pile]:
    """The holdings of all seats if every card of them was seen; else {}."""
    piles, holdings = state.table.piles, dict[str, Pile]()
    for seat in state.terms.seats if state.table.pack.single else ():
        pile = piles.get(seat)
        if pile is None or pile.row is not None or pile.unseen or pile.half or pile.vague or pile.later:
            return {}
        holdings[seat] = pile
    return holdings


def homes_of_tricks(state: State[Any]) -> dict[str, list[int]]:
    """The piles of tricks of each side, if the page has laid them out; else {}."""
    piles = [(side, state.table.piles.get(f"won:{side}")) for side in state.terms.sides]
    rows = {side: pile.row for side, pile in piles if pile is not None and pile.row is not None}
    return rows if len(rows) == len(piles) else {}
