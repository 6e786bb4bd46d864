"""What is known of the cards on a table: which lie in a certain pile, which are unseen there, and what came to light.

A pile is either a **bag** (a holding: order means nothing) or a **row** (a list from bottom to top). Its slots are
known cards, half-known ones, or unseen. Every pile answers questions only through its view: does it hold any of these
(yes, no, unknown), how many, which for certain. Where that knowledge comes from (seen so far, or found later in the log:
`later`) is not the asker's business.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from events.cards import Pack, pretty
from reducers.pile_words import NOTHING_ELSE, owned, where_card_lies

# Physical impossibilities, for every game (the ids and their words stand in `reducers.rules.TABLE`).
NOT_IN_PACK, TWICE, TOO_MANY, NOT_THERE, NOT_ON_TOP = "T1", "T2", "T3", "T4", "T5"


class Trouble(Struct, frozen=True):
    """Something that cannot be: the table rule, a sentence, and the card it is about.

    `pile` is where it came to light; `doubt` the bag of known cards of that pile of which one was written wrong.
    """

    rule: str
    text: str
    card: str = ""
    pile: str = ""
    doubt: int = 0

    def __deepcopy__(self, memo: object) -> Trouble:
        return self


class JournalEntry(Struct, frozen=True, gc=False):
    """What the journal notes: an unseen card came `in`, went `out` unseen, or was `shown` to be a certain one.

    `code` is the card as far as it was seen, `since` the step at which unseen cards last came into the pile. `forgot`
    says that known cards (the bag `code`) can no longer be told from the others, `lost` that nobody counts any more,
    `named` that elimination left only this card, `mixed` that known cards (the bag `code`, out of the row `src`) were
    shuffled and have no certain place any more, `turned` that an unseen card of a row was this one, `back` that
    a deal which was only inferred is undone and the pile empty, `uncounted` that so many cards left a row that nobody
    counted (a code of `many` says the same of cards that come into a holding or leave it). `src` is the pile from which an unseen card came `in`;
    if that is a holding, the entry before it is that card going out.
    """

    kind: str
    pile: str
    step: int
    code: int
    since: int = 0
    src: str = ""


class Pile:
    """A named place for cards. `row` is None for a bag; `vague` says that nobody counted."""

    __slots__ = ("half", "known", "later", "name", "row", "stays", "table", "unseen", "vague")

    def __init__(self, table: Sightings, name: str, row: bool, vague: bool = False) -> None:
        self.table, self.name = table, name
        self.row: list[int] | None = [] if row else None
        self.known = 0
        self.unseen = 0
        self.half: tuple[int, ...] = ()
        self.vague = vague
        # Cards that later events prove to be among the unseen ones; filled in by the auditor, empty at the table.
        self.later = 0
        # Cards that later events prove to lie here when the act in question is done: it takes none of them away.
        self.stays = 0

    # -- the view ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many cards lie here for certain."""
        if self.row is not None:
            return len(self.row)
        pack = self.table.pack
        known = self.known.bit_count() if pack.width == 1 else pack.count(self.known)
        return known + self.unseen + len(self.half)

    @property
    def certain(self) -> int:
        """The bag of cards that certainly lie here."""
        if self.row is not None:
            n, unit = self.table.pack.unknown, self.table.pack.unit
            return sum([unit[c] for c in self.row if c < n]) + self.later
        return self.known | self.later if self.table.pack.single else self.known + self.later

    def shows(self, code: int) -> bool:
        """Whether this card certainly lies here."""
        if self.row is None:
            return bool(self.certain & self.table.pack.field[code])
        return code in self.row or bool(self.later & self.table.pack.field[code])

    @property
    def covered(self) -> int:
        """How many slots nobody has seen into yet, whatever later events prove."""
        if self.row is not None:
            n = self.table.pack.unknown
            return len([c for c in self.row if c >= n])
        return self.unseen + len(self.half)

    @property
    def hidden(self) -> int:
        """How many slots are unseen or only half known."""
        if not self.later:
            return self.covered
        # Of a doubled card the copy that is known and the one that is proved later are two.
        proved = self.later & ~self.known if self.table.pack.single else self.later
        return self.covered - self.table.pack.count(proved)

    @property
    def complete(self) -> bool:
        """Whether every card here is known."""
        return not self.vague and not self.hidden

    def any_of(self, mask: int) -> bool | None:
        """Does it hold any of these? True, False, or None: cannot be known from what was seen.

        Counting is part of seeing: three unseen slots and only two other cards left in the pack means yes.
        """
        if (self.known | self.later) & mask:
            return True
        if not self.unseen and not self.half and not self.vague and self.row is None:
            return False
        if self.row is not None and self.certain & mask:
            return True
        low, high = self.table.bounds(self, mask)
        return True if low else None if high else False

    def how_many(self, mask: int) -> tuple[int, int]:
        """At least and at most how many of these it holds."""
        table = self.table
        if self.row is None and not self.half and not self.vague and table.pack.single:
            # The usual holding of a game with one pack, in one stroke.
            certain = self.known | self.later
            count, slots = (certain & mask).bit_count(), self.unseen - (self.later & ~self.known).bit_count()
            if slots <= 0:
                return count, count
            free = table.pack.full - table.located
            free &= ~table.later
            match = (free & mask).bit_count()
            others = free.bit_count() - match
            return count + max(0, min(match, slots - others)), count + min(slots, match)
        count = self.table.pack.count(self.certain & mask)
        if self.complete:
            return count, count
        low, high = self.table.bounds(self, mask)
        return count + low, count + high

    def may_hold(self) -> int:
        """The bag of cards that may lie here: the certain ones and those that are nowhere else for certain."""
        if self.vague:
            return self.certain + self.table.free()
        if self.hidden <= 0:
            return self.certain
        may_be = 0 if self.row is None and not self.unseen else self.table.pack.everything
        for code in self.half if not may_be else ():
            may_be |= self.table.pack.may_be[code]
        return self.certain + (self.table.free() & may_be)

    def may_leave(self, code: int) -> int:
        """The bag of cards of which one may be taken away now, as far as it is seen (`code`): none that later events
        prove to stay. Empty where nothing fits, which is the record's trouble and answers nothing."""
        bag = self.may_hold() & self.table.pack.may_be[code]
        return bag & ~self.stays if self.table.pack.single else bag

    def may_go(self, code: int) -> int:
        """The same by what was seen so far, whatever later events prove."""
        pack, bag = self.table.pack, self.known
        if self.unseen or self.vague:
            bag += pack.full - self.table.located
        else:
            for half in dict.fromkeys(self.half):
                bag |= pack.may_be[half] & (pack.full - self.table.located)
        return bag & pack.may_be[code]

    def possible_holdings(self, limit: int = 1000) -> Iterator[int] | None:
        """Every bag of cards that may lie here by what is known, lazily; None if there may be more than `limit`.

        For questions that more cards can turn either way ("the lowest worthless card"): ask them of each bag. All bags
        have as many cards as the pile. Cards proved by later events are in all of them; what other piles must hold is
        not asked, so a few of the bags may be impossible, and none is missing. None also where nobody counted.
        """
        pack, free = self.table.pack, self.table.free()
        slots = self.hidden
        if self.vague or (slots > 0 and math.comb(pack.count(free), slots) > limit):
            return None
        codes = list(self.row if self.row is not None else self.half)
        half = [pack.may_be[c] for c in codes if c > pack.unknown]
        return self._filled(max(0, slots), free, half)

    def _filled(self, slots: int, free: int, half: list[int]) -> Iterator[int]:
        """The certain cards with so many of the free ones added, such that each half-known slot is one it may be."""
        pack, certain = self.table.pack, self.certain
        seen = set[int]()
        for chosen in combinations(list(pack.codes(free)), slots):
            bag = certain + sum(pack.unit[c] for c in chosen)
            if bag in seen:
                continue
            seen.add(bag)
            unseen = [*chosen, *pack.codes(self.later)]
            if not half or each_has_one(half, [pack.field[c] for c in unseen]):
                yield bag

    def codes(self) -> list[int]:
        """The slots as codes, bottom to top; for a bag in the order of the pack, unseen last."""
        if self.row is not None:
            return list(self.row)
        return [*self.table.pack.codes(self.known), *self.half, *[self.table.pack.unknown] * self.unseen]


def each_has_one(wanted: Sequence[int], cards: Sequence[int]) -> bool:
    """Whether each of these masks can have a card of its own.

    >>> each_has_one([1, 3], [2, 1]), each_has_one([1, 1, 3], [2, 1, 4])
    (True, False)
    """
    owner: dict[int, int] = {}

    def given(i: int, asked: set[int]) -> bool:
        """Give a mask a card, if need be one whose owner takes another."""
        for k, card in enumerate(cards):
            if wanted[i] & card and k not in asked:
                asked.add(k)
                if k not in owner or given(owner[k], asked):
                    owner[k] = i
                    return True
        return False

    return all(given(i, set()) for i in range(len(wanted)))


def less(codes: tuple[int, ...], code: int) -> tuple[int, ...]:
    """The codes without one of these."""
    at = codes.index(code)
    return codes[:at] + codes[at + 1 :]


class Sightings:
    """Which cards have a known place on a table, and what is seen of the others as they come and go.

    `located` is the bag of cards that lie face known in some pile; everything else in the pack is among the unseen
    slots. `now` is the position of the event being applied; `trouble` collects what cannot be. With a `journal` each
    unseen card that turned out to be a certain one is noted too, which is what hindsight is made of.
    """

    __slots__ = ("called", "glimpsed", "journal", "later", "located", "met", "now", "pack", "piles", "since", "trouble", "written")

    def __init__(self, pack: Pack, called: Mapping[str, str] = NOTHING_ELSE) -> None:
        self.pack = pack
        # What players call the piles, for sentences.
        self.called = called
        self.piles: dict[str, Pile] = {}
        self.located = 0
        self.later = 0
        self.now = 0
        # For each bag the last position at which unseen cards came in: a card revealed later was there since then.
        self.since: dict[str, int] = {}
        self.trouble: list[Trouble] = []
        # Where a card that came again was found the last time: to look through every pile each time takes too long.
        self.met: dict[int, str] = {}
        # What a holding that contradicted itself should still have by what was written of it.
        self.written: dict[str, int] = {}
        self.journal: list[JournalEntry] | None = None
        # Whether a half-seen card may lie in a row; whoever puts one there says so.
        self.glimpsed = False

    # -- counting ---------------------------------------------------------------------------------------------------

    def free(self) -> int:
        """The bag of cards whose place nobody knows."""
        left = self.pack.full - self.located
        if self.pack.single or not self.later:
            return left - (self.later & left)
        # A record that contradicts itself may prove more copies than there are, and what is too many is no card.
        for code in self.pack.codes(self.later & self.pack.everything):
            if left & self.pack.field[code]:
                left -= self.pack.unit[code]
        return left

    def bounds(self, pile: Pile, mask: int) -> tuple[int, int]:
        """At least and at most how many of these lie among the hidden slots of this pile, by counting alone."""
        pack = self.pack
        free = self.free()
        match = pack.count(free & mask)
        if pile.vague:
            return 0, match
        slots = pile.hidden
        if slots <= 0:
            return 0, 0
        others = pack.count(free) - match
        low = max(0, min(slots, match, slots - others))
        if not pile.half:
            return low, max(0, min(slots, match))
        # A half-known slot is certain if all it can still be is asked for, and none if nothing of it is.
        sure = never = 0
        sure_of = never_of = 0
        for code in pile.half:
            may_be = pack.may_be[code]
            left = may_be & free if pack.single else may_be
            if left and not left & ~mask:
                sure, sure_of = sure + 1, sure_of | may_be
            elif not left & mask:
                never, never_of = never + 1, never_of | may_be
        if pile.later:
            # Some of the half-known slots may be those that later events name, and are counted already.
            sure = max(0, sure - pack.count(pile.later & sure_of))
            never = max(0, never - pack.count(pile.later & never_of))
        return max(low, sure), max(0, min(slots - never, match))

    # -- what nobody knows any more, and what must be ---------------------------------------------------------------

    def lose_sight(self, pile: Pile) -> None:
        """Acts went by unrecorded: what lies here now, and how many, nobody can say."""
        pile.vague = True
        if self.journal is not None:
            self.journal.append(JournalEntry("lost", pile.name, self.now, 0))
        if pile.row is None:
            self._forget(pile)
            return
        # A card that turns up from now on lay here since now; before, it was known, or came unrecorded.
        self.since[pile.name] = self.now
        for i, code in enumerate(pile.row):
            if code < self.pack.unknown:
                self.located -= self.pack.unit[code]
                pile.row[i] = self.pack.unknown

    def eliminate(self) -> list[tuple[Pile, int]]:
        """Name the one unseen card when only one card of the pack has no known place; returns what was inferred."""
        free = self.pack.full - self.located
        if self.pack.count(free) != 1:
            return []
        hidden = [p for p in self.piles.values() if p.covered or p.vague]
        if len(hidden) != 1 or hidden[0].vague or hidden[0].covered != 1:
            return []
        pile, code = hidden[0], next(self.pack.codes(free))
        if self.journal is not None:
            self.journal.append(JournalEntry("named", pile.name, self.now, code))
        self.located += self.pack.unit[code]
        if pile.row is not None:
            at = next(i for i, c in enumerate(pile.row) if c >= self.pack.unknown)
            pile.row[at] = code
        else:
            pile.unseen, pile.half = 0, ()
            pile.known += self.pack.unit[code]
        return [(pile, code)]

    # -- the slow ways --------------------------------------------------------------------------------------------

    def _say(self, rule: str, text: str, code: int, pile: str = "", doubt: int = 0) -> None:
        card = self.pack.tokens[code]
        self.trouble.append(Trouble(rule, text, card, pile, doubt))

    def _locate(self, code: int) -> int:
        """Give a card a known place; a card that has as many places as copies already stays unseen."""
        pack = self.pack
        field = pack.field[code]
        if self.located & field and (self.located & field) // pack.unit[code] >= pack.copies[code]:
            self._say(TWICE, f"{pretty(pack.faces[code])} already lies {self._where(code)}", code)
            return pack.unknown
        self.located += pack.unit[code]
        return code

    def _locate_all(self, codes: Sequence[int]) -> int:
        """Give these cards a known place, all at once; the bag of them. 0, and nothing is done, if one of them was not
        seen, or has as many places as copies already."""
        pack = self.pack
        if max(codes) >= pack.unknown:
            return 0
        unit = pack.unit
        bag = sum([unit[code] for code in codes])
        if pack.count(bag) != len(codes) or not pack.contains(pack.full - self.located, bag):
            return 0
        self.located += bag
        return bag

    def _where(self, code: int) -> str:
        """Where a card lies for certain, for a sentence: where it was last found, if it still lies there."""
        if (met := self.piles.get(self.met.get(code, ""))) is not None and met.shows(code):
            return where_card_lies(met.name, self.called)
        where = next((p.name for p in self.piles.values() if p.shows(code)), "")
        self.met[code] = where
        return where_card_lies(where, self.called) if where else "in another place"

    def _turned(self, code: int, src: Pile) -> int:
        """An unseen card of a row turns out to be this one."""
        got = self._locate(code)
        if got == code and self.journal is not None:
            self.journal.append(JournalEntry("turned", src.name, self.now, code, self.since.get(src.name, self.now)))
        return got

    def _reveal(self, code: int, src: Pile) -> int:
        """An unseen card of a bag turns out to be this one."""
        pack = self.pack
        if self.written and src.name in self.written:
            written = self.written[src.name]
            if not written & pack.field[code] and src.unseen:
                self._say(NOT_THERE, f"{pretty(pack.faces[code])} is not among the cards of {owned(src.name, self.called)}", code, src.name, written)
                src.unseen -= 1
                return pack.unknown
            if written & pack.field[code] and (src.unseen or src.half or src.vague):
                self.written[src.name] -= pack.unit[code]
        if src.unseen or src.half or src.vague:
            if src.unseen and not src.half:
                src.unseen -= 1
            elif not self._take_slot(pack.field[code], src):
                self._say(NOT_THERE, f"no card of {owned(src.name, self.called)} can be the {pretty(pack.faces[code])}", code, src.name)
                src.half = src.half[:-1]
                return pack.unknown
            got = self._locate(code)
            if got == code and self.journal is not None:
                self.journal.append(JournalEntry("shown", src.name, self.now, code, self.since.get(src.name, 0)))
            return got
        if src.known:
            # The holding is fully known and does not have it: one of its cards was written wrong, nobody knows which.
            self._say(NOT_THERE, f"{pretty(pack.faces[code])} is not among the cards of {owned(src.name, self.called)}", code, src.name, src.known)
            written = src.known
            self._forget(src)
            self.written[src.name] = written
            src.unseen -= 1
            return pack.unknown
        self._say(TOO_MANY, f"{owned(src.name, self.called)} has no card left for {pretty(pack.faces[code])}", code, src.name)
        return self._locate(code)

    def _take_slot(self, mask: int, src: Pile) -> bool:
        """One slot of a bag that nobody saw into is used up: one that can be one of these. False: there is none.

        If it can be one of several, what is certain of the others is kept and no more: of each kind of half-known slots
        that it may have been one is an unseen slot from now on.
        """
        if not src.half:
            if src.unseen:
                src.unseen -= 1
                return True
            return src.vague
        may_be = self.pack.may_be
        kinds = [h for h in dict.fromkeys(src.half) if may_be[h] & mask]
        if not kinds:
            if src.unseen:
                src.unseen -= 1
                return True
            return src.vague
        for h in kinds:
            src.half = less(src.half, h)
        src.unseen += len(kinds) - 1
        return True

    def _forget(self, pile: Pile, code: int = -1) -> None:
        """The known cards of a bag can no more be told from the unseen ones; with a half-known `code`, those it may be."""
        pack = self.pack
        bag = pile.known if code <= pack.unknown else pile.known & pack.may_be[code]
        n = pack.count(bag)
        if self.journal is not None and n:
            self.journal.append(JournalEntry("forgot", pile.name, self.now, bag))
        self.located -= bag
        if code <= pack.unknown:
            pile.unseen += n
        else:
            pile.half = (*pile.half, *[code] * n)
        pile.known -= bag
        # What is revealed from now on was there since now; before, it was known or is not the table's to say.
        self.since[pile.name] = self.now

    def _unseen_out(self, code: int, src: Pile) -> int:
        """A card nobody saw, or saw but half, leaves a bag: it may have been any of those that it can be."""
        pack = self.pack
        may_be = pack.may_be[code]
        self.written.pop(src.name, None)
        if src.known & may_be:
            self._forget(src, code)
        if not (src.unseen or src.vague or any(pack.may_be[h] & may_be for h in src.half)):
            if src.known or src.half:
                self._say(NOT_THERE, f"no card of {owned(src.name, self.called)} can be {pretty(pack.tokens[code])}", code, src.name, src.known)
                self._forget(src)
            else:
                self._say(TOO_MANY, f"{owned(src.name, self.called)} has no card left", code, src.name)
            code = pack.unknown
            may_be = pack.everything
        if self.journal is not None:
            self.journal.append(JournalEntry("out", src.name, self.now, code))
        sure = src.half[0] if code == pack.unknown and src.half and not src.unseen and not src.vague and len(set(src.half)) == 1 else code
        self._take_slot(may_be, src)
        return sure

    def _move_uncounted(self, src: Pile, dst: Pile) -> None:
        """Cards that nobody counted go from here to there."""
        self._uncounted_out(src)
        self._uncounted_in(dst, src.name)

    def _uncounted_out(self, src: Pile) -> None:
        """Cards leave that nobody counted: which of those that lay here, and how many, cannot be said."""
        if src.known or (src.row is not None and any(c < self.pack.unknown for c in src.row)):
            self.lose_sight(src)
        src.vague = True
        if self.journal is not None:
            self.journal.append(JournalEntry("out" if src.row is None else "uncounted", src.name, self.now, self.pack.many))
        if src.row is not None:
            src.row = []
        else:
            src.unseen, src.half = 0, ()

    def _uncounted_in(self, dst: Pile, src: str = "") -> None:
        """Cards come that nobody counted, at least one."""
        dst.vague = True
        if dst.row is None:
            self._unseen_in(self.pack.unknown, dst, src, self.pack.many)
        else:
            dst.row.append(self.pack.unknown)
            self.since[dst.name] = self.now

    def _known_in(self, bag: int, dst: Pile) -> None:
        """Known cards come to lie in a bag; one that was only asked about is on the table with its first card."""
        if dst.vague and dst.name not in self.piles:
            self.piles[dst.name] = dst
        dst.known += bag

    def _unseen_in(self, code: int, dst: Pile, src: str = "", noted: int = -1, count: int = 1) -> None:
        """The same for cards that were not seen, or not wholly; the journal notes each as `noted` if that is another
        code."""
        name = dst.name
        if dst.vague and name not in self.piles:
            self.piles[name] = dst
        if code == self.pack.unknown:
            dst.unseen += count
        else:
            dst.half = dst.half + (code,) * count
        if self.written:
            self.written.pop(name, None)
        self.since[name] = self.now
        if self.journal is not None:
            entry = JournalEntry("in", name, self.now, code if noted < 0 else noted, src=src)
            self.journal += [entry] * count

    def _from_row(self, code: int, src: Pile) -> int:
        row, pack = src.row, self.pack
        assert row is not None
        if not row:
            if not src.vague:
                self._say(TOO_MANY, f"{owned(src.name, self.called)} has no card left", code)
                return self._locate(code) if code < pack.unknown else code
            return self._turned(code, src) if code < pack.unknown else code
        if code >= pack.unknown:
            # The top card leaves; what was known of it stays known, and the notation may tell a little more.
            top = row.pop()
            if code == pack.unknown:
                return top
            if not pack.may_be[top] & pack.may_be[code]:
                if src.vague:
                    # Nobody counted the cards: it lay above this one.
                    row.append(top)
                    return code
                self._say(NOT_THERE, f"{pretty(pack.tokens[code])} does not lie on top of {owned(src.name, self.called)}, {pretty(pack.tokens[top])} does", code)
                return top
            return top if top < pack.unknown else code
        if self.located & pack.field[code] and code in row:
            # The topmost copy of it.
            return row.pop(len(row) - 1 - row[::-1].index(code))
        at = self._fitting(code, row)
        if at >= 0:
            row.pop(at)
            return self._turned(code, src)
        if src.vague:
            return self._turned(code, src)
        self._say(NOT_THERE, f"{pretty(pack.faces[code])} does not lie in {owned(src.name, self.called)}", code)
        if self.located & pack.field[code]:
            return pack.unknown
        return self._locate(code)

    def _fitting(self, code: int, row: list[int]) -> int:
        """The topmost place of a row at which nobody saw this card and it may lie, -1 if there is none. As it may have lain
        in another of them, what was half seen there is no more certain."""
        pack, at = self.pack, len(row) - 1
        unknown = pack.unknown
        if at >= 0 and row[at] != unknown:
            field, may_be = pack.field[code], pack.may_be
            while at >= 0 and (row[at] < unknown or not may_be[row[at]] & field):
                at -= 1
        if at > 0 and self.glimpsed:
            field, may_be = pack.field[code], pack.may_be
            for i in range(at):
                if row[i] > unknown and may_be[row[i]] & field:
                    row[i] = unknown
        return at
