"""Card points in games of tricks: the points of each side as played, at least and at most, and as a sum in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from events.cards import Pack
from reducers.model import State
from reducers.scoring import Points
from reducers.words.card_sums import can_count, shared_by_two, worth_of_all
from reducers.words.tricks import Trick, Tricks, owner


class CardPoints:
    """The points of each card, by its code, of each trick, and of the `last` one.

    `cards` are those that count anything; `tricks` is the number of tricks, if they do not take all the cards.

    >>> from events.cards import pack
    >>> p = pack("A 10 K Q J 9")
    >>> points = CardPoints(p, {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}, trick=1)
    >>> points.of[p.code["Ah"]], points.of[p.code["9h"]], points.whole(tricks=8), p.count(points.cards)
    (11, 0, 128, 20)
    >>> CardPoints(p, {"A": 3, "K": 1}, last=3).whole(tricks=8)
    19
    """

    def __init__(self, pack: Pack, worth: Mapping[str, int], *, tricks: int = 0, trick: int = 0, last: int = 0) -> None:
        self.worth = {"T" if rank == "10" else rank: n for rank, n in worth.items()}
        self.pack, self.trick, self.last = pack, trick, last
        self.of: tuple[int, ...] = tuple(self.worth.get(rank, 0) for rank in pack.rank_of)
        self.all, self.tricks = worth_of_all(pack, self.of), tricks
        self.each = tuple(dict.fromkeys(self.worth.values()))
        self.cards = pack.mask_of([card for card in pack.faces if self.of[pack.code[card]]])

    def whole(self, tricks: int) -> int:
        """The points of all cards and this number of tricks together."""
        return sum(self.of[code] for code in self.pack.codes(self.pack.full)) + tricks * self.trick + self.last

    def not_made(self, known: Mapping[str, Any], state: State[Any]) -> str:
        """Why no cards make the reported `points` of the sides, in the reported number of `tricks`; "" if some do.

        A trick has one card of each seat, and may have points of its own.
        """
        by = len(state.terms.seats)
        most, points = self.tricks or self.pack.size // by, {
            side: known.get(f"points.{side}") for side in state.terms.sides
        }
        for side, n in points.items():
            tricks = known.get(f"tricks.{side}")
            ways = range(most + 1) if tricks is None else (tricks,)
            if n is not None and not any(can_count(n - k * self.trick, self.all, (k * by,)) for k in ways):
                with_tricks = "" if tricks is None else f" with {tricks} trick{'s' * (tricks != 1)}"
                return f"no side can count {n}{with_tricks}"
        told = tuple(n for n in points.values() if n is not None)
        if len(told) < 2 or not self.tricks or told in shared_by_two(self.all, most * by, by):
            return ""
        return f"{most} tricks cannot count {told[0]} and {told[1]}"

    def besides(self, trick: Trick, state: State[Any]) -> int:
        """The points of a trick apart from those of its cards."""
        tricks: Tricks = state.hand.trick
        is_last = trick is tricks.won[-1] and len(tricks.won) == tricks.total
        return self.trick + (self.last if is_last else 0)

    def taken(self, state: State[Any], side_of: Mapping[str, str] | None = None) -> Points:
        """The points of each side's tricks as played; None for a side if unknown.

        `side_of` has the sides of this hand, if they are not those of the match.
        """
        sides = state.terms.side_of if side_of is None else side_of
        points: Points = dict.fromkeys(sides.values(), 0)
        unseen, of = self.pack.unknown, self.of
        for trick in state.hand.trick.won:
            side, codes = trick_taker(trick, sides), [code for _, code in trick.plays]
            if not side or max(codes) >= unseen:
                return {side: low if low == high else None for side, (low, high) in self.between(state, sides).items()}
            more = self.besides(trick, state) if self.trick or self.last else 0
            points[side] = (points[side] or 0) + more + sum([of[code] for code in codes])
        return points

    def between(self, state: State[Any], side_of: Mapping[str, str] | None = None) -> dict[str, tuple[int, int]]:
        """The least and the most points of each side's tricks, whatever the unseen cards were.

        Once every card of the pack is in a trick, a side has what the others do not.
        """
        tricks: Tricks = state.hand.trick
        of_the_hand = state.terms.side_of if side_of is None else side_of
        pack, sides, of = self.pack, dict.fromkeys(of_the_hand.values()), self.of
        free = never_seen(state)
        low, high, unseen = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
        for trick in tricks.won:
            side = trick_taker(trick, of_the_hand)
            mine = {side} if side else {of_the_hand[winner] for winner in trick.winners}
            least = most = self.besides(trick, state)
            for _, code in trick.plays:
                if side and code == pack.unknown:
                    unseen[side] += 1
                    continue
                bag = pack.may_be[code] & (free if code >= pack.unknown else pack.everything)
                may_be = [of[c] for c in pack.codes(bag)]
                least, most = least + min(may_be, default=0), most + max(may_be, default=0)
            for one in mine:
                low[one], high[one] = low[one] + (least if side else 0), high[one] + most
        left = sorted(of[code] for code in pack.codes(free))
        for side, count in unseen.items():
            low[side] += sum(left[:count])
            high[side] += sum(left[len(left) - count :]) if count else 0
        if sum(len(trick.plays) for trick in tricks.won) != pack.size:
            return {side: (low[side], high[side]) for side in sides}
        whole = self.whole(len(tricks.won))
        least, most = whole - sum(high.values()), whole - sum(low.values())
        return {s: (max(low[s], least + high[s]), min(high[s], most + low[s])) for s in sides}

    def at_least(self, state: State[Any]) -> dict[str, int]:
        """The least points of each side's tricks so far."""
        return {side: low for side, (low, _) in self.between(state).items()}

    def counted_out(self, state: State[Any], side_of: Mapping[str, str] | None = None) -> dict[str, str]:
        """The count of each side as a player says it, the highest rank first: `2 × 11 + 10 + 3 × 4 = 44`.

        For a hand that was played out. A side with an unseen card that may count is left out.
        """
        sides = state.terms.side_of if side_of is None else side_of
        plain = self._seen_whole(state, sides)
        if plain is not None:
            return plain
        pack, free = self.pack, never_seen(state)
        only = pack.count(free) == 1 or not free & self.cards
        instead = pack.cards(free)[0] if free and only else "??"
        taken: dict[str, list[str]] = {side: [] for side in sides.values()}
        besides = dict.fromkeys(sides.values(), 0)
        for trick in state.hand.trick.won:
            side = trick_taker(trick, sides)
            if not side:
                return {}
            taken[side] += [pack.tokens[code] if code < pack.unknown else instead for _, code in trick.plays]
            besides[side] += self.besides(trick, state)
        seen = {side: cards for side, cards in taken.items() if all(card in pack for card in cards)}
        return {side: points_sum_text(cards, self.worth, besides[side]) for side, cards in seen.items()}

    def _seen_whole(self, state: State[Any], sides: Mapping[str, str]) -> dict[str, str] | None:
        """`counted_out` for a hand in which every card and every winner was seen; else None."""
        of, unseen = self.of, self.pack.unknown
        taken: dict[str, list[int]] = {side: [] for side in sides.values()}
        besides = dict.fromkeys(taken, 0)
        for trick in state.hand.trick.won:
            side, codes = trick_taker(trick, sides), [code for _, code in trick.plays]
            if not side or max(codes) >= unseen:
                return None
            taken[side] += [of[code] for code in codes]
            if self.trick or self.last:
                besides[side] += self.besides(trick, state)
        return {side: sum_of_worths(worth, self.each, besides[side]) for side, worth in taken.items()}


def trick_taker(trick: Trick, side_of: Mapping[str, str]) -> str:
    """The side that took a trick as played, by the sides of the hand; "" if unknown."""
    side = owner(trick, side_of)
    return side_of.get(side, side)


def thirds(points: Points, by: int = 3) -> Points:
    """Points for numbers of cards, if `by` cards make one point; the remainder is lost.

    Add up the cards of a side first: partners with five and four cards have three points, and not one each.

    >>> thirds({"NS": 11, "EW": 9}), thirds({"NS": None, "EW": 2})
    ({'NS': 3, 'EW': 3}, {'NS': None, 'EW': 0})
    """
    return {side: None if n is None else n // by for side, n in points.items()}


def points_sum_text(cards: Collection[str], worth: Mapping[str, int], besides: int = 0) -> str:
    """The sum of these cards, the highest value first, and of the points `besides`.

    >>> points_sum_text(["As", "Kh", "Ad", "2c", "Kd"], {"A": 11, "T": 10, "K": 4}), points_sum_text(["2c"], {"A": 11})
    ('2 × 11 + 2 × 4 = 30', '0')
    >>> points_sum_text(["As", "Kh", "2d", "5c"], {"A": 3, "2": 1, "K": 1}, besides=3)
    '3 + 2 + 3 = 8'
    """
    return sum_of_worths([worth.get(card[0], 0) for card in cards], tuple(dict.fromkeys(worth.values())), besides)


def sum_of_worths(worth: list[int], each: tuple[int, ...], besides: int) -> str:
    """The same for known values; `each` are the possible values of a card, in the order of the sum."""
    parts = [str(n) if one == 1 else f"{n} × {one}" if n > 1 else str(one) for one in each if (n := worth.count(one))]
    if besides:
        parts.append(str(besides))
    text, whole = " + ".join(parts), str(sum(worth) + besides)
    return f"{text} = {whole}" if text and text != whole else whole


def never_seen(state: State[Any]) -> int:
    """The bag of cards that were not seen, neither in a trick nor where they are now."""
    tricks: Tricks = state.hand.trick
    pack = state.game.pack
    seen = [code for trick in tricks.won for _, code in trick.plays if code < pack.unknown]
    lying = [pile.certain for name, pile in state.table.piles.items() if name.partition(":")[0] not in ("won", "trick")]
    bag = sum(pack.unit[code] for code in seen) + sum(lying)
    return pack.full - bag if pack.contains(pack.full, bag) else pack.full & ~bag
