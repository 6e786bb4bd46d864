"""The layout of Russian Bank: its piles, what lies open at one moment, what a card fits, and what an act does.

No rule is judged here. A card is a code; `NOTHING` stands for an empty place. What depends on a card that nobody saw is
answered None, or asked by `perhaps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from events.cards import RANKS, RED, Pack, pack, rank_of, suit_of
from events.model import Discard, Draw, Event, Move, Pass
from reducers.model import HandRecord, State
from reducers.table import Pile, Table
from reducers.two_valued import perhaps

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


PACK = pack(copies=2)
UNSEEN = PACK.unknown
# The mask of each face; 0 for `NOTHING`.
FACE = (*PACK.field, 0)
PLACES = (1, 2, 3, 4)
FOUNDATIONS = tuple(f"foundation:{i}" for i in range(1, 9))
HEIGHT = tuple(RANKS.index(rank_of(card)) for card in PACK.faces)

# Where a card fits: the next one on a foundation, the one below in the tableau, a neighbour in loading.
NEXT = Build(PACK, 1, first=PACK.rank["A"])
BELOW = Build(PACK, -1, same_suit=False)
BESIDE = Build(PACK, -1, 1)

GONE_THERE = "an act may be missing from the record: a card that was turned up may have gone there before"
MAY_GO_HOME = "a card that may have a place on a foundation was not seen"
MAY_BE_SPACE = "whether there was a space to fill"

# The events that are read as acts.
Written: TypeAlias = Move | Draw | Discard | Pass


class LayoutAct(Struct, frozen=True):
    """An act in the terms of the game.

    `what` is home, fill, build, place (a card not of the reserve into a space), load, turn (up), over (the discards
    are turned over), shed, pass, back (a wrong move taken back) or astray; "" without a seat. `blind` is True if the
    card was turned up in the same move, `perhaps_back` if it takes back a move that may have been wrong. `codes` are
    the cards in the order written, `code` is the first.
    """

    by: str
    what: str
    src: str = ""
    to: str = ""
    codes: tuple[int, ...] = ()
    code: int = UNSEEN
    blind: bool = False
    perhaps_back: bool = False

    def taken_back(self, by: str) -> Move:
        """The move of a seat that takes the act back; a holding is written `hand:A`."""
        src, to = (f"hand:{name}" if len(name) == 1 else name for name in (self.to, self.src))
        return Move(by=by, cards=tuple(PACK.tokens[c] for c in self.codes), src=src, to=to)


class Deed(Struct, frozen=True):
    """An act that a Stop may be about: its position, and the layout before it."""

    at: int
    act: LayoutAct
    before: Layout


class Stop(Struct, frozen=True):
    """What is still to be put right after a Stop: the seat that was stopped, the act that goes back, whether priority
    moves are `owed`, and whether the card `thrown` is one of them."""

    seat: str = ""
    undo: Deed | None = None
    owed: bool = False
    thrown: bool = False


class StopInDoubt(Struct, frozen=True):
    """A Stop that may be right or wrong: the act it is about, and whether the other player has `gone_on` since, who
    is on turn if it was right."""

    deed: Deed
    gone_on: bool = False


class Layout:
    """The open cards at one moment, as codes: `NOTHING` for an empty pile, `UNSEEN` (or half known) if in doubt.

    `later` says whether cards proved by later events count as seen: for the rules they do, for effects they do not.
    That matters only if something is `doubtful`; `proved` is what was proved then. `deep` has the known cards of each
    pile whose top was not seen; those of `unsure` may be empty. `tops` are the faces on top of the tableau, `wanted`
    those that a foundation takes, `free` those that an unseen card may be. `told` has turned-up cards reported in an
    earlier finding, `ended` the seats that may have discarded, unrecorded, before the other player began. `event` is
    what the rules ask about, `act` the same as an act.
    """

    cols: Mapping[str, int] = {}
    bases: Mapping[str, int] = {}
    own: Mapping[str, Own] = {}
    tops: int = 0
    wanted: int = 0
    unsure: frozenset[str] = frozenset()
    proved: tuple[int, ...] = ()
    event: Event | None = None
    act: LayoutAct

    def __init__(self, state: State[Any], *, later: bool = True) -> None:
        hand, was, sight = state.hand, state.hand.look, Sight(later)
        self.options, self.turn, self.phase = state.terms.options, state.turn, state.phase
        self.player: str = hand.player
        self.other: Mapping[str, str] = hand.other
        self.gap: bool = hand.gap
        self.told: Mapping[str, tuple[int, ...]] = hand.told
        self.ended: Mapping[str, int] = hand.ended
        self.stop: Stop = hand.stop
        self.dispute: StopInDoubt | None = hand.dispute
        self.free = PACK.full - state.table.located
        # The places that were not touched since are as before, unless something was in doubt.
        anew = was is None or was.doubtful or not later
        if not anew:
            self.cols, self.bases, self.own, self.tops, self.wanted = was.cols, was.bases, was.own, was.tops, was.wanted
        for where in hand.places if anew else hand.touched:
            if where in self.other:
                own = sight.own(hand.reserve[where], hand.turned[where], hand.stock[where], hand.shed[where])
                self.own = {**self.own, where: own}
            elif where in hand.cols:
                self.cols, self.tops = {**self.cols, where: sight.top(hand.cols[where])}, 0
            elif where in hand.bases:
                self.bases, self.wanted = {**self.bases, where: sight.top(hand.bases[where])}, 0
        self.tops = self.tops or union(FACE, self.cols.values(), PACK)
        self.wanted = self.wanted or union(NEXT.onto, self.bases.values(), PACK)
        self.deep, self.doubtful = sight.deep, sight.doubtful
        if self.doubtful:
            piles = ((hand.cols, self.cols), (hand.bases, self.bases))
            self.unsure = frozenset(n for rows, tops in piles for n in tops if rows[n].vague and tops[n] >= UNSEEN)
            self.proved = hand.proved(state.table)
        self.clear: bool = not (self.doubtful or self.told or self.ended)

    def __deepcopy__(self, memo: object) -> Layout:
        return self

    # -- questions -----------------------------------------------------------------------------------------------------

    def home(self, code: int) -> bool:
        """True if a card can go to a foundation."""
        if self.clear and code < UNSEEN:
            return bool(FACE[code] & self.wanted)
        sure = among(code, self.wanted, self.free, PACK)
        unseen = code != NOTHING and max(self.bases.values()) >= UNSEEN
        return perhaps(None if sure is False and unseen else sure, MAY_GO_HOME)

    def fits(self, how: Build, code: int, on: int, pile: str = "") -> bool:
        """True if a card may be put on another; on a `pile`, perhaps on one that has gone there, or on none."""
        sure = how.fits(code, on, self.free)
        if sure is False and pile in self.unsure and (how is BELOW or how.fits(code, NOTHING, self.free) is not False):
            return perhaps(None, f"whether {'there was a space' if how is BELOW else 'anything lay on the foundation'}")
        if sure is False and pile and any(how.fits(code, gone, self.free) is not False for gone in self.adrift()):
            return perhaps(None, GONE_THERE)
        return perhaps(sure, "a card was not seen")

    def due(self, seat: str) -> Iterator[tuple[str, int]]:
        """The cards that can go to a foundation, as (pile, code), the reserve first."""
        own, lies = self.own[seat], self.lies_up(seat)
        if self.clear and not (self.tops | FACE[own.reserve] | union(FACE, lies, PACK)) & self.wanted:
            return
        for pile, code in ((f"reserve:{seat}", own.reserve), *self.cols.items(), *((seat, code) for code in lies)):
            if self.home(code):
                yield pile, code
        # Another card may have gone to its foundation.
        if len(lies) < len(own.turned) and any(map(self.home, own.turned)) and perhaps(None, MAY_GO_HOME):
            yield seat, own.turned[0]

    def space(self, seat: str) -> bool:
        """True if there is an empty space that the reserve of a seat has to fill."""
        sure = True if NOTHING in self.cols.values() else False if self.unsure.isdisjoint(self.cols) else None
        return perhaps(sure, MAY_BE_SPACE) and perhaps(self.own[seat].fed, MAY_BE_SPACE)

    def lies_up(self, seat: str) -> tuple[int, ...]:
        """The cards that are certainly turned up: not those reported before, which may have moved unrecorded, nor one
        that may have been discarded before the other player began or may be there since a gap."""
        own = self.own[seat]
        if not self.told and not self.ended and not own.perhaps:
            return own.turned
        left = [] if seat in self.ended else [code for code in own.turned if code < UNSEEN or not own.perhaps]
        for code in self.told.get(seat, ()):
            if code in left:
                left.remove(code)
            elif code >= UNSEEN:
                # It may be any of the cards known by now.
                left = [other for other in left if other < UNSEEN and not PACK.may_be[code] & FACE[other]]
        return tuple(left)

    def adrift(self) -> list[int]:
        """Cards that were turned up and may be anywhere now, as their moves are not recorded."""
        if not self.told and not self.ended:
            return []
        up = {seat: self.lies_up(seat) for seat in self.own}
        return [code for seat, own in self.own.items() for code in own.turned if code not in up[seat]]

    def still_owed(self) -> bool:
        """After a Stop: True if a missed priority move is still to be made."""
        seat, stop = self.stop.seat, self.stop
        return stop.owed and (
            any(True for _ in self.due(seat)) or self.space(seat) or (stop.thrown and self.home(self.own[seat].shed))
        )

    def playable(self, seat: str, *codes: int, up: bool = True) -> bool:
        """True if one of these cards has a place. Only cards that are `up` go on the other's discards."""
        cards = [code for code in codes if code != NOTHING]
        spaces = self.own[seat].fed or self.options.fill_empty_from_any_when_reserve_empty
        if cards and NOTHING in self.cols.values() and spaces:
            return True
        other, tops = self.own[self.other[seat]], self.cols.values()
        loads = (other.reserve, other.shed) if up and self.options.load_discard else (other.reserve,)
        takes = self.wanted | union(BELOW.onto, tops, PACK) | union(BESIDE.onto, loads, PACK)
        doubt = max(*tops, *self.bases.values(), *loads) >= UNSEEN
        sure = {among(code, takes, self.free, PACK) for code in cards}
        return perhaps(True if True in sure else None if None in sure or (cards and doubt) else False, "")

    # -- written acts --------------------------------------------------------------------------------------------------

    def read(self, event: Written, last: Deed | None, faults: Callable[[Deed], bool | None]) -> LayoutAct:
        """An event as an act of the game; a card that was not named is taken from the known layout.

        An act that undoes the `last` one goes back if that was wrong, which `faults` tells.
        """
        by = event.by
        if by not in self.other or isinstance(event, Pass):
            return LayoutAct(by, "pass") if by in self.other else LayoutAct("", "")
        drawn, turned = isinstance(event, Draw), self.own[by].turned
        src = own_pile(event.src or ("stock" if drawn else by), by)
        codes = tuple([card_code(card, PACK) for card in event.cards])
        if len(codes) == 1 and codes[0] >= UNSEEN:
            known = self.cols.get(src, UNSEEN)
            if src.startswith("reserve:") and src[8:] in self.own:
                known = self.own[src[8:]].reserve
            elif src == by and len(turned) == 1:
                known = turned[0]
            codes = (known,) if NOTHING < known < UNSEEN else codes
        code = codes[0] if codes else UNSEEN
        if drawn:
            return LayoutAct(by, "turn", src, by, codes, code)
        to = own_pile(event.to, by) if isinstance(event, Move) else f"discard:{by}"
        if event.cards == ("*",) and src == f"discard:{by}" and to == f"stock:{by}":
            return LayoutAct(by, "over", src, to)
        was_wrong: bool | None = False
        takes_back = last is not None and (last.act.by, last.act.src, last.act.to) == (by, to, src)
        if last is not None and takes_back and PACK.may_be_these(last.act.codes, codes):
            was_wrong = self.stop.undo is not None if self.phase == "stopped" else faults(last)
        what = "back" if was_wrong else self.what_is_done(by, src, to)
        blind = not turned if src == by else src == f"stock:{by}"
        return LayoutAct(by, what, src, to, codes, code, blind, was_wrong is None)

    def what_is_done(self, by: str, src: str, to: str) -> str:
        """The kind of act that puts a card there."""
        if to in self.bases:
            return "home"
        if to in self.cols:
            return "build" if self.cols[to] != NOTHING else "fill" if src == f"reserve:{by}" else "place"
        if to == f"discard:{by}":
            return "shed"
        return "load" if to in (f"reserve:{self.other[by]}", f"discard:{self.other[by]}") else "astray"

    def sources(self, seat: str, cards: tuple[str, ...]) -> list[str]:
        """The piles from which a seat may take a card; equal cards may be on several."""
        code = PACK.code.get(cards[0], UNSEEN)
        if code in self.own[seat].turned:
            return [""]
        return [f"reserve:{seat}"] * (self.own[seat].reserve == code) + [n for n, c in self.cols.items() if c == code]

    def homes(self, cards: tuple[str, ...]) -> list[str]:
        """The foundation that takes a card; the first if two do."""
        code = PACK.code.get(cards[0], UNSEEN)
        return [name for name, top in self.bases.items() if NEXT.fits(code, top, self.free)][:1]

    def pile_meant(self, name: str, seat: str) -> str:
        """`a3` is the third of A's line, `fo` a foundation, `re` and `di` the reserve and the discards of the seat."""
        plain = name.removeprefix("hand:").lower()
        if len(plain) == 2 and plain[0].upper() in self.other and plain[1] in "1234":
            return f"col:{plain[0].upper()}:{plain[1]}"
        if len(plain) == 2 and plain[0] == "f" and plain[1] in "12345678":
            return f"foundation:{plain[1]}"
        word = next((w for w in ("foundation", "reserve", "discard") if len(plain) > 1 and w.startswith(plain)), "")
        return word if word == "foundation" else f"{word}:{seat}" if word else name

    # -- acts to try ---------------------------------------------------------------------------------------------------

    def moves(self, seat: str) -> Iterator[Move]:
        """Moves of the open cards to where a player may want to put them, and wrong ones."""
        own, away, stopped = self.own[seat], self.other[seat], self.phase == "stopped"
        turned, discards = (("", code) for code in dict.fromkeys(own.turned)), (f"discard:{seat}", own.shed)
        wrong = [] if stopped else [(f"reserve:{away}", self.own[away].reserve), discards]
        right = ((f"reserve:{seat}", own.reserve), *self.cols.items(), *turned, *[discards] * stopped)
        for src, code in (*right, *wrong):
            if NOTHING < code < UNSEEN:
                below = (to for to, top in self.cols.items() if BELOW.fits(code, top, self.free))
                places = below if (src, code) in wrong else self.likely(seat, code)
                yield from (Move(by=seat, cards=(PACK.tokens[code],), src=src, to=to) for to in places if to != src)

    def likely(self, seat: str, code: int) -> Iterator[str]:
        """Piles where a player may want to put a card: where it fits, where only its suit is wrong, spaces."""
        here, away = HEIGHT[code], self.other[seat]
        if here < 2:
            yield from [name for name, top in self.bases.items() if top == NOTHING][:1]
        for name, top in self.bases.items():
            if NOTHING < top < UNSEEN and here - HEIGHT[top] == 1:
                yield name
        loads = ((f"reserve:{away}", self.own[away].reserve), (f"discard:{away}", self.own[away].shed))
        for name, top in (*self.cols.items(), *loads):
            if name in self.cols if top == NOTHING else top < UNSEEN and abs(here - HEIGHT[top]) == 1:
                yield name

    def from_stock(self, seat: str) -> Iterator[Event]:
        """A card turned up; if the stock is out, the discards turned over."""
        own = self.own[seat]
        if own.out and own.left:
            yield Move(by=seat, cards=("*",), face="down", src=f"discard:{seat}", to=f"stock:{seat}")
        elif own.next != NOTHING:
            yield Draw(by=seat, cards=(PACK.tokens[own.next],), src=f"stock:{seat}")


class LayoutHand(HandRecord):
    """The piles of a hand of Russian Bank, with the open cards as last asked for.

    A reserve lies in two piles: its top card, and the packet under it (`down`), of which the upper ones may have been
    seen (`faced`, their number). `pending` is the seat whose next reserve card is to be turned over.
    """

    def __init__(self, state: State[Any]) -> None:
        table, seats = state.table, state.terms.seats
        self.other = dict(zip(seats, reversed(seats), strict=True))
        self.turned = {s: table.bag(s) for s in seats}
        self.cols = {f"col:{s}:{i}": table.row(f"col:{s}:{i}") for s in seats for i in PLACES}
        self.bases = {name: table.row(name) for name in FOUNDATIONS}
        self.reserve = {s: table.bag(f"reserve:{s}") for s in seats}
        self.packets = {f"reserve:{s}": s for s in seats}
        self.down = {s: table.row(f"reserve:{s}:down") for s in seats}
        self.stock = {s: table.row(f"stock:{s}") for s in seats}
        self.shed = {s: table.row(f"discard:{s}") for s in seats}
        self.faced = dict.fromkeys(seats, 0)
        self.pending = ""
        # The open cards as last asked for, and the places that have changed since ("" for anything else).
        self.look: Layout | None = None
        self.touched: set[str] = set()
        self.places = (*self.cols, *self.bases, *seats)

    def touch(self, *piles: str) -> None:
        """Note that these piles, or something else, have changed."""
        self.touched |= {"", *map(pile_place, piles)}

    def proved(self, table: Table) -> tuple[int, ...]:
        """What later events prove of the piles with open cards; empty if nothing."""
        shown = (self.cols, self.bases, self.shed, self.reserve, self.turned) if table.later else ()
        return tuple([pile.later for piles in shown for pile in piles.values()])

    def uncover(self, owner: str, table: Table) -> None:
        """Move the next card of a reserve to its top."""
        if self.down[owner].row and not len(self.reserve[owner]):
            table.move_one(UNSEEN, self.down[owner], self.reserve[owner])
            if self.faced[owner]:
                self.faced[owner] -= 1
            else:
                self.pending = owner

    def cover(self, owner: str, code: int, src: Pile, table: Table) -> None:
        """Put a card on a reserve: by loading, or taken back."""
        if before := cards_seen(self.reserve[owner]):
            table.move_one(before[0], self.reserve[owner], self.down[owner])
            if self.pending == owner:
                self.pending = ""
            else:
                self.faced[owner] += 1
        table.move_one(code, src, self.reserve[owner])


def layout_known(state: State[Any]) -> Layout:
    """The open cards by all that is known; cached until the next act, or until later events prove more or less."""
    hand = state.hand
    look: Layout | None = hand.look
    if look is None or hand.touched or (look.doubtful and look.proved != hand.proved(state.table)):
        look = hand.look = Layout(state)
        hand.touched = set()
    return look


def layout_seen(state: State[Any]) -> Layout:
    """The open cards as seen so far; effects do not depend on what only later events prove."""
    look = layout_known(state)
    return Layout(state, later=False) if look.proved else look
