"""Patiences: which card goes on which pile, and what can be seen of the face-up cards.

A card is a code; `NOTHING` stands for an empty place. Questions are answered True, False, or None if that depends on an
unseen card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from events.cards import RANKS, RED, Pack, rank_of, suit_of
from reducers.table import Pile, Table

NOTHING = -1


class Build:
    """How the cards of one kind of pile follow each other.

    `onto` has for each face the mask of those that go on it, `under` the mask of those on which it goes. The last entry
    is for `NOTHING`: the cards that begin such a pile.
    """

    def __init__(self, pack: Pack, *steps: int, same_suit: bool = True, first: int = 0) -> None:
        """Cards go on cards n `steps` lower, of the same suit or the other colour; `first` (a mask) begin a pile."""
        self.pack = pack
        pairs = {(c, on) for c in pack.faces for on in pack.faces if is_steps_above(c, on, steps, same_suit)}
        self.onto = (*(pack.mask_of([c for c in pack.faces if (c, on) in pairs]) for on in pack.faces), first)
        self.under = (*(pack.mask_of([on for on in pack.faces if (c, on) in pairs]) for c in pack.faces), 0)

    def fits(self, code: int, on: int, free: int) -> bool | None:
        """True if a card may be put on another; an unseen card may be any of the `free` cards.

        >>> from events.cards import pack
        >>> p = pack("A 2 3"); up, code = Build(p, 1, first=p.rank["A"]), p.code
        >>> [up.fits(code[c], code[on], p.full) for c, on in (("2h", "Ah"), ("2h", "Ac"), ("2h", "??"))]
        [True, False, None]
        >>> [up.fits(code[c], NOTHING, p.full) for c in ("Ah", "2h", "??")]
        [True, False, None]
        """
        if code == NOTHING or (on == NOTHING and not self.onto[on]):
            return False
        if on < self.pack.unknown:
            return among(code, self.onto[on], free, self.pack)
        return among(on, self.under[code], free, self.pack) if code < self.pack.unknown else None


def is_steps_above(card: str, on: str, steps: Sequence[int], same_suit: bool) -> bool:
    """Return True if a card is one of these `steps` above another, of its suit or else of the other colour."""
    suit, other = suit_of(card), suit_of(on)
    alike = suit == other if same_suit else (suit in RED) != (other in RED)
    return alike and RANKS.index(rank_of(card)) - RANKS.index(rank_of(on)) in steps


def among(code: int, mask: int, free: int, pack: Pack) -> bool | None:
    """True if the card is in `mask`; an unseen one may be any of the `free` cards, and None means that they differ."""
    if code < pack.unknown:
        return code != NOTHING and bool(pack.field[code] & mask)
    may_be = pack.may_be[code] & free
    return False if may_be and not may_be & mask else True if may_be and not may_be & ~mask else None


def union(of: Sequence[int], codes: Iterable[int], pack: Pack) -> int:
    """The union of the masks of a table for these cards; unseen cards are left out."""
    mask = 0
    for code in codes:
        if code < pack.unknown:
            mask |= of[code]
    return mask


@lru_cache(1000)
def codes_in_bag(bag: int, pack: Pack) -> tuple[int, ...]:
    """The codes in a bag."""
    return tuple(pack.codes(bag))


def cards_seen(pile: Pile, later: bool = False) -> tuple[int, ...]:
    """The cards of a small pile, with unseen ones for the rest; with `later`, cards that later events prove count as
    seen.

    There are never more cards than the pile has."""
    pack = pile.table.pack
    if not (pile.unseen or pile.half or pile.vague):
        return codes_in_bag(pile.known, pack)
    codes = codes_in_bag(pile.certain if later else pile.known, pack)
    hidden = min(pack.size, max(0, (pile.hidden if later else pile.covered) + (pile.vague and not codes)))
    return (*codes, *[*pile.half[:hidden], *[pack.unknown] * hidden][:hidden])


class Own(Struct, frozen=True):
    """The state of a player's own piles: the tops of the reserve and of the discards, the cards `turned` up (one,
    unless the record lacks a discard), whether the reserve has cards (`fed`), the `next` card to turn up, the number
    `left` to turn up with the discards, and whether the stock is `out`. `perhaps`: after a gap another card may be
    turned up."""

    reserve: int
    shed: int
    turned: tuple[int, ...]
    fed: bool | None
    next: int
    left: int | None
    out: bool | None
    perhaps: bool


class Sight:
    """A look at the piles; `doubtful` becomes True once an unseen card mattered.

    `later`: what later events prove counts as seen. `deep`: for a pile with an unseen top, the cards known to be in it.
    """

    def __init__(self, later: bool) -> None:
        self.later, self.doubtful = later, False
        self.deep: dict[str, tuple[int, ...]] = {}

    def top(self, pile: Pile) -> int:
        """The top card of a pile; `NOTHING` if it is empty."""
        row, pack = pile.row, pile.table.pack
        if row and row[-1] < pack.unknown:
            return row[-1]
        if not row and not pile.vague:
            return NOTHING
        self.doubtful = True
        if not row:
            return pack.unknown
        if self.later and pile.later and pile.covered == 1 and not pile.vague:
            # The one unseen card of the pile was shown later; in an uncounted pile it may be deeper.
            return next(pack.codes(pile.later))
        self.deep[pile.name] = tuple(row)
        return row[-1]

    def own(self, reserve: Pile, up: Pile, stock: Pile, shed: Pile) -> Own:
        """The state of a player's own piles."""
        lies, down, discards = cards_seen(reserve, self.later), stock.row or (), shed.row or ()
        coming = down[-1] if down else discards[0] if discards else NOTHING
        if stock.vague or (shed.vague and not down):
            coming = stock.table.pack.unknown
        left = None if stock.vague or shed.vague else len(down) + len(discards)
        fed, out = None if reserve.vague else bool(lies), None if stock.vague else not down
        # After a gap, a card that moves on later may have been turned up only then.
        top, turned = self.top(shed), cards_seen(up, self.later and not up.vague)
        self.doubtful |= bool(reserve.unseen or reserve.half or reserve.vague or up.unseen or up.half or up.vague)
        return Own(lies[0] if lies else NOTHING, top, turned, fed, coming, left, out, up.vague)


def recycle_discards(discards: Pile, stock: Pile, table: Table) -> None:
    """Turn the discards over to be the stock: the oldest is on top. The rest of the stock stays above them."""
    stock.row, discards.row = [*reversed(discards.row or []), *(stock.row or [])], []
    stock.vague, discards.vague = stock.vague or discards.vague, False
    table.since[stock.name] = table.now


OF_A_SEAT = ("reserve", "stock", "discard")


@lru_cache(1000)
def own_pile(name: str, seat: str) -> str:
    """The pile that a name means for this seat.

    >>> own_pile("stock", "A"), own_pile("discard:B", "A"), own_pile("hand:A", "A")
    ('stock:A', 'discard:B', 'A')
    """
    name = name.removeprefix("hand:").rstrip("_")
    return f"{name}:{seat}" if name in OF_A_SEAT else name


@lru_cache(1000)
def pile_place(pile: str) -> str:
    """The place of a pile: the seat for a reserve, stock or discard pile, else the pile itself.

    >>> pile_place("stock:A"), pile_place("col:A:1")
    ('A', 'col:A:1')
    """
    kind, _, seat = pile.partition(":")
    return seat if kind in OF_A_SEAT else pile


@lru_cache(1000)
def card_code(card: str, pack: Pack) -> int:
    """The code of a card as written (`7h`, `3x??`, `?h=7h`); a card that is not in the pack is unseen."""
    return pack.code.get(card.rpartition("x")[2].partition("=")[0], pack.unknown)
