"""Beating: each play on the table beats those below it, and a player who cannot beat them picks cards up.

For shedding games: which cards beat which, what a sequence is, which card of the table a player picked
up. A play is never refused here; checks decide if it beats anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from events.cards import Pack, Ranking, squeeze


class LaidPlay(NamedTuple):
    """One play on the table: the seat that made it, and the codes of its cards, lowest first if known."""

    seat: str
    codes: tuple[int, ...]


class Beating:
    """What beats what, in one pack and order of ranks: a higher card of the suit, and a trump any plain card."""

    def __init__(self, pack: Pack, ranking: Ranking) -> None:
        self.pack = pack
        self.strength = ranking.strength(pack)
        self.order = tuple(reversed(ranking.ranks))
        # The value of a rank if suits mean nothing: the lowest is 1.
        self.value = {rank: i for i, rank in enumerate(self.order, 1)}
        self._beaters: dict[tuple[int, str], tuple[int, int]] = {}

    def beaters(self, codes: Sequence[int], trump: str) -> tuple[int, int]:
        """The cards that certainly beat a play, and those that perhaps do; `trump` is "" if unknown.

        >>> from events.cards import pack, ranking
        >>> b = Beating(pack(), ranking("A K Q J 10 9 8 7 6 5 4 3 2"))
        >>> sure, perhaps = b.beaters([b.pack.code["Qh"]], "s")
        >>> b.pack.cards(sure & (b.pack.suit["h"] | b.pack.suit["c"])), b.pack.count(sure), sure == perhaps
        (['Ah', 'Kh'], 15, True)
        >>> b.pack.cards(b.beaters([b.pack.code["Js"], b.pack.code["Qs"]], "s")[0])
        ['As', 'Ks']
        >>> [b.pack.count(bag) for bag in b.beaters([b.pack.code["Qh"]], "")]
        [2, 41]

        A half-seen card is beaten for certain by what beats all cards it may be:

        >>> [b.pack.count(bag) for bag in b.beaters([b.pack.code["?h"]], "s")]
        [13, 25]
        """
        sure = perhaps = self.pack.everything
        for code in codes:
            found = self._beaters.get((code, trump))
            if found is None:
                found = self._beaters[code, trump] = self._beaters_of(code, trump)
            sure, perhaps = sure & found[0], perhaps & found[1]
        return sure, perhaps

    def _beaters_of(self, code: int, trump: str) -> tuple[int, int]:
        """The cards that certainly beat one card, and those that perhaps do."""
        pack, strength = self.pack, self.strength
        sure, perhaps = pack.everything, 0
        for may_be in pack.codes(pack.may_be[code]):
            suit = pack.suit_of[may_be]
            higher = sum(pack.field[c] for c in pack.codes(pack.suit[suit]) if strength[c] > strength[may_be])
            by_trump = 0 if suit == trump else pack.suit[trump] if trump else pack.everything & ~pack.suit[suit]
            sure &= higher | by_trump if trump else higher
            perhaps |= higher | by_trump
        return sure, perhaps

    def beating_all(self, plays: Iterable[LaidPlay], trump: str) -> tuple[int, int]:
        """The cards that certainly beat every play on the table, and those that perhaps do."""
        sure = perhaps = self.pack.everything
        for play in plays:
            a, b = self.beaters(play.codes, trump)
            sure, perhaps = sure & a, perhaps & b
        return sure, perhaps

    def is_sequence(self, codes: Sequence[int]) -> bool | None:
        """True if these are neighbours in rank of one suit, in any order; None if unseen cards decide it.

        >>> from events.cards import pack, ranking
        >>> b = Beating(pack(), ranking("A K Q J 10 9 8 7 6 5 4 3 2"))
        >>> asked = ("6c 7c 8c", "7c 6c", "6c 8c", "6c 7d", "Ac 2c", "6c ?? 8c")
        >>> [b.is_sequence([b.pack.code[c] for c in cards.split()]) for cards in asked]
        [True, True, False, False, False, None]
        """
        pack = self.pack
        seen = [c for c in codes if c < pack.unknown]
        values = [self.strength[c] for c in seen]
        suits = {pack.suit_of[c] for c in codes} - {"?"}
        if len(suits) > 1 or len(set(seen)) < len(seen) or (seen and max(values) - min(values) >= len(codes)):
            return False
        return True if len(seen) == len(codes) else None

    def lowest_first(self, codes: Iterable[int]) -> tuple[int, ...]:
        """The cards of a play, lowest first, with unseen ones before all others."""
        found = tuple(codes)
        return found if len(found) == 1 else tuple(
            sorted(found, key=lambda c: self.strength[c] if c < self.pack.unknown else 0)
        )

    def plays_of(self, held: int) -> Iterator[tuple[str, ...]]:
        """Yield every card and every sequence of a hand.

        >>> from events.cards import pack, ranking
        >>> b = Beating(pack(), ranking("A K Q J 10 9 8 7 6 5 4 3 2"))
        >>> ["".join(c) for c in b.plays_of(b.pack.bag(["6c", "8c", "7c", "Ah"]))]
        ['6c', '6c7c', '6c7c8c', '7c', '7c8c', '8c', 'Ah']
        """
        for suit in "cdhs":
            cards = [rank + suit for rank in self.order]
            for i in range(len(cards)):
                for j in range(i, len(cards)):
                    if not held & self.pack.unit_of.get(cards[j], 0):
                        break
                    yield tuple(cards[i : j + 1])


def plays_on_table_of(hand: object) -> list[LaidPlay]:
    """The plays on the table of a hand, the oldest first, if its page keeps them as `lying`; [] in other games."""
    kept = getattr(hand, "lying", None)
    return kept if isinstance(kept, list) and kept and isinstance(kept[0], LaidPlay) else []


def written_play(play: LaidPlay, pack: Pack) -> tuple[str, ...]:
    """The cards of a play in the notation of events."""
    return squeeze(pack.tokens[c] for c in play.codes)


def may_be_same_cards(written: Sequence[int], lying: Sequence[int], pack: Pack) -> bool:
    """True if the written cards may be exactly these `lying` ones, given that some of either were not seen."""
    left = list(lying)
    if left == list(written):
        return True
    for code in sorted(written):  # seen cards come first
        found = next((c for c in left if c == code), None)
        if found is None:
            found = next((c for c in left if _may_be(c, code, pack)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def take_play(
    plays: list[LaidPlay], codes: Sequence[int], pack: Pack, *, last_first: bool = False
) -> list[int | None]:
    """Take cards from the table and return them as they are there: a whole play that may be these, else each by
    itself; None for a card that is not there. The oldest play is tried first, or with `last_first` the newest."""
    first = -1 if last_first else 0
    if plays and plays[first].codes == tuple(codes) and max(codes) < pack.unknown:
        # The usual case: the play to be taken, all of it seen.
        return list(plays.pop(first).codes)
    places = range(len(plays))
    at = next(
        (i for i in (reversed(places) if last_first else places) if may_be_same_cards(codes, plays[i].codes, pack)), -1,
    )
    if at < 0:
        return [take_from(plays, code, pack) for code in codes]
    rest = [plays.pop(at)]
    found = {i: take_from(rest, codes[i], pack) for i in sorted(range(len(codes)), key=lambda i: codes[i])}
    return [found[i] for i in range(len(codes))]


def take_from(plays: list[LaidPlay], code: int, pack: Pack) -> int | None:
    """Take a card out of its play; return it, or the oldest unseen card that may be it; None if there is none."""
    for exactly in (True, False) if code < pack.unknown else (False,):
        for i, play in enumerate(plays):
            for k, lying in enumerate(play.codes):
                if lying == code if exactly else _may_be(lying, code, pack):
                    plays[i] = play._replace(codes=play.codes[:k] + play.codes[k + 1 :])
                    return lying
    return None


def _may_be(lying: int, code: int, pack: Pack) -> bool:
    """True if two codes, at least one of them not fully known, may be the same card."""
    return max(lying, code) >= pack.unknown and bool(pack.may_be[lying] & pack.may_be[code])
