"""What is known of the cards on a table: certain ones, unseen ones, and what was revealed.

A pile is either a **bag** (a holding: order means nothing) or a **row** (a list from bottom to top). Its slots are
known, half-known, or unseen cards. Every pile answers only the questions of its view: does it hold any of these cards
(yes, no, unknown), how many, which for certain. The caller need not know where the knowledge comes from: seen so far,
or found later in the log (`later`).
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
    """Something impossible: the table rule, a sentence, and the card in question.

    `pile` is where it was found; `doubt` the bag of known cards of that pile, one of which was written wrong.
    """

    rule: str
    text: str
    card: str = ""
    pile: str = ""
    doubt: int = 0

    def __deepcopy__(self, memo: object) -> Trouble:
        return self


class JournalEntry(Struct, frozen=True, gc=False):
    """An entry of the journal: an unseen card came `in`, went `out` unseen, or was `shown` to be a certain one.

    `code` is the card as far as it was seen, `since` the step at which unseen cards last came into the pile. Further
    kinds: `forgot` (the known cards in the bag `code` are now mixed with the others), `lost` (the pile is no longer
    counted), `named` (only this card was left), `mixed` (the known cards in the bag `code` of the row `src` were
    shuffled and have no certain place any more), `turned` (an unseen card of a row was this one), `back` (a deal that
    was only inferred is undone and the pile empty), `uncounted` (an uncounted number of cards left a row; a code of
    `many` says the same of a holding). `src` is the pile from which an unseen card came `in`; if that is a holding,
    the entry before it is that card going out.
    """

    kind: str
    pile: str
    step: int
    code: int
    since: int = 0
    src: str = ""


class Pile:
    """A named place for cards. `row` is None for a bag; `vague` means that the number of cards is unknown."""

    __slots__ = ("half", "known", "later", "name", "row", "stays", "table", "unseen", "vague")

    def __init__(self, table: Sightings, name: str, row: bool, vague: bool = False) -> None:
        self.table, self.name = table, name
        self.row: list[int] | None = [] if row else None
        self.known = 0
        self.unseen = 0
        self.half: tuple[int, ...] = ()
        self.vague = vague
        # Cards that later events prove to be among the unseen ones; set by the auditor, 0 at the table.
        self.later = 0
        # Cards that later events prove to be here after the act in question, which therefore takes none of them.
        self.stays = 0

    # -- the view -----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of cards that are certainly here."""
        if self.row is not None:
            return len(self.row)
        pack = self.table.pack
        known = self.known.bit_count() if pack.width == 1 else pack.count(self.known)
        return known + self.unseen + len(self.half)

    @property
    def empty(self) -> bool:
        """True if no card can be here."""
        return not (self.row or self.known or self.unseen or self.half or self.vague)

    @property
    def certain(self) -> int:
        """The bag of cards that are certainly here."""
        if self.row is not None:
            n, unit = self.table.pack.unknown, self.table.pack.unit
            return sum([unit[c] for c in self.row if c < n]) + self.later
        if self.unseen:
            self.table.consulted = True
        return self.known | self.later if self.table.pack.single else self.known + self.later

    def shows(self, code: int) -> bool:
        """True if this card is certainly here."""
        if self.row is None:
            return bool(self.certain & self.table.pack.field[code])
        self.table.consulted = True
        return code in self.row or bool(self.later & self.table.pack.field[code])

    @property
    def covered(self) -> int:
        """The number of slots not fully seen so far, without knowledge from later events."""
        if self.row is not None:
            n = self.table.pack.unknown
            return len([c for c in self.row if c >= n])
        return self.unseen + len(self.half)

    @property
    def hidden(self) -> int:
        """The number of slots that are unseen or half known."""
        self.table.consulted = True
        if not self.later:
            return self.covered
        # A known copy of a doubled card and a copy proved later are two cards.
        proved = self.later & ~self.known if self.table.pack.single else self.later
        return self.covered - self.table.pack.count(proved)

    @property
    def complete(self) -> bool:
        """True if every card here is known."""
        return not self.vague and not self.hidden

    def any_of(self, mask: int) -> bool | None:
        """True if the pile holds any of these cards, False if not, None if what was seen leaves it open.

        Counting is used too: three unseen slots and only two other cards left in the pack mean True.
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
        """The least and the most of these cards that it holds."""
        table = self.table
        if self.row is None and not self.half and not self.vague and table.pack.single:
            # The usual holding of a game with one pack, in one step for speed.
            table.consulted = True
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
        """The bag of cards that may be here: the certain ones and those with no known place."""
        if self.vague:
            return self.certain + self.table.free()
        if self.hidden <= 0:
            return self.certain
        may_be = 0 if self.row is None and not self.unseen else self.table.pack.everything
        for code in self.half if not may_be else ():
            may_be |= self.table.pack.may_be[code]
        return self.certain + (self.table.free() & may_be)

    def may_leave(self, code: int) -> int:
        """The bag of cards that may be taken away now, seen as `code`; none that later events prove to stay. 0 if
        nothing fits, which is an error of the record."""
        bag = self.may_hold() & self.table.pack.may_be[code]
        return bag & ~self.stays if self.table.pack.single else bag

    def may_go(self, code: int) -> int:
        """Like `may_leave`, by what was seen so far, without knowledge from later events."""
        pack, bag = self.table.pack, self.known
        if self.unseen or self.vague:
            bag += pack.full - self.table.located
        else:
            for half in dict.fromkeys(self.half):
                bag |= pack.may_be[half] & (pack.full - self.table.located)
        return bag & pack.may_be[code]

    def possible_holdings(self, limit: int = 1000) -> Iterator[int] | None:
        """An iterator over every bag of cards that may be here; None for uncounted cards or perhaps more than `limit`.

        For questions that more cards can turn either way ("the lowest worthless card"): ask them of each bag. All
        bags have as many cards as the pile and include those that later events prove. What other piles must hold is
        ignored, so a few of the bags may be impossible, but none is missing.
        """
        pack, free = self.table.pack, self.table.free()
        slots = self.hidden
        if self.vague or (slots > 0 and math.comb(pack.count(free), slots) > limit):
            return None
        codes = list(self.row if self.row is not None else self.half)
        half = [pack.may_be[c] for c in codes if c > pack.unknown]
        return self._filled(max(0, slots), free, half)

    def _filled(self, slots: int, free: int, half: list[int]) -> Iterator[int]:
        """Yield the certain cards with `slots` free ones added, if each half-known slot can be one of these."""
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
    """True if each of these masks can have a card of its own.

    >>> each_has_one([1, 3], [2, 1]), each_has_one([1, 1, 3], [2, 1, 4])
    (True, False)
    """
    owner: dict[int, int] = {}

    def given(i: int, asked: set[int]) -> bool:
        """Give a mask a card; if needed, one with an owner that can take another."""
        for k, card in enumerate(cards):
            if wanted[i] & card and k not in asked:
                asked.add(k)
                if k not in owner or given(owner[k], asked):
                    owner[k] = i
                    return True
        return False

    return all(given(i, set()) for i in range(len(wanted)))


def without_code(codes: tuple[int, ...], code: int) -> tuple[int, ...]:
    """The codes without one `code`."""
    at = codes.index(code)
    return codes[:at] + codes[at + 1 :]


class Sightings:
    """The cards with a known place on a table, and what is seen of the others as they come and go.

    `located` is the bag of cards with a known place; all other cards of the pack are among the unseen slots. `now` is
    the position of the event being applied; `trouble` collects what is impossible. With a `journal`, each unseen card
    that turns out to be a certain one is noted too; hindsight is computed from that.
    """

    __slots__ = (
        "called", "consulted", "glimpsed", "journal", "later", "located", "met", "now", "pack", "piles", "since",
        "trouble", "written",
    )

    def __init__(self, pack: Pack, called: Mapping[str, str] = NOTHING_ELSE) -> None:
        self.pack = pack
        # The players' names of piles, for sentences.
        self.called = called
        self.piles: dict[str, Pile] = {}
        self.located = 0
        self.later = 0
        self.now = 0
        # For each pile the last position at which unseen cards came in: a card revealed later was there since then.
        self.since: dict[str, int] = {}
        self.trouble: list[Trouble] = []
        # The pile in which a repeated card was last found: searching all piles each time is slow.
        self.met: dict[int, str] = {}
        # The cards a self-contradictory holding should still have as written.
        self.written: dict[str, int] = {}
        self.journal: list[JournalEntry] | None = None
        # What later events prove could have changed an answer about hidden cards since this was last set to False.
        self.consulted = False
        # A half-seen card may be in a row; set by the code that puts one there.
        self.glimpsed = False

    # -- counting -----------------------------------------------------------------------------------------------------

    def free(self) -> int:
        """The bag of cards with no known place."""
        self.consulted = True
        left = self.pack.full - self.located
        if self.pack.single or not self.later:
            return left - (self.later & left)
        # A self-contradictory record may prove more copies than exist; the excess is ignored.
        for code in self.pack.codes(self.later & self.pack.everything):
            if left & self.pack.field[code]:
                left -= self.pack.unit[code]
        return left

    def bounds(self, pile: Pile, mask: int) -> tuple[int, int]:
        """The least and the most of these cards among the hidden slots of this pile, by counting alone."""
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
        # A half-known slot counts for certain if all it can be is asked for, and never if none of it is.
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
            # Some half-known slots may be the cards that later events prove, which are counted already.
            sure = max(0, sure - pack.count(pile.later & sure_of))
            never = max(0, never - pack.count(pile.later & never_of))
        return max(low, sure), max(0, min(slots - never, match))

    # -- knowledge lost, and knowledge by elimination -----------------------------------------------------------------

    def lose_sight(self, pile: Pile) -> None:
        """Forget the cards of a pile and their number, as acts were left unrecorded."""
        pile.vague = True
        if self.journal is not None:
            self.journal.append(JournalEntry("lost", pile.name, self.now, 0))
        if pile.row is None:
            self._forget(pile)
            return
        # A card revealed later was here since now; before, it was known, or it came unrecorded.
        self.since[pile.name] = self.now
        for i, code in enumerate(pile.row):
            if code < self.pack.unknown:
                self.located -= self.pack.unit[code]
                pile.row[i] = self.pack.unknown

    def eliminate(self) -> list[tuple[Pile, int]]:
        """Identify the one unseen card if only one card of the pack has no known place; return both, or []."""
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

    # -- slow paths ---------------------------------------------------------------------------------------------------

    def _say(self, rule: str, text: str, code: int, pile: str = "", doubt: int = 0) -> None:
        card = self.pack.tokens[code]
        self.trouble.append(Trouble(rule, text, card, pile, doubt))

    def _locate(self, code: int) -> int:
        """Give a card a known place and return its code; `unknown` if all its copies have a place already."""
        pack = self.pack
        field = pack.field[code]
        if self.located & field and (self.located & field) // pack.unit[code] >= pack.copies[code]:
            self._say(TWICE, f"{pretty(pack.faces[code])} already lies {self._where(code)}", code)
            return pack.unknown
        self.located += pack.unit[code]
        return code

    def _locate_all(self, codes: Sequence[int]) -> int:
        """Give all these cards a known place; return their bag, or 0 with nothing done if one cannot have one."""
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
        """The place of a card, for a sentence; the pile in which it was last found is tried first."""
        if (met := self.piles.get(self.met.get(code, ""))) is not None and met.shows(code):
            return where_card_lies(met.name, self.called)
        where = next((p.name for p in self.piles.values() if p.shows(code)), "")
        self.met[code] = where
        return where_card_lies(where, self.called) if where else "in another place"

    def _turned(self, code: int, src: Pile) -> int:
        """Identify an unseen card of a row."""
        got = self._locate(code)
        if got == code and self.journal is not None:
            self.journal.append(JournalEntry("turned", src.name, self.now, code, self.since.get(src.name, self.now)))
        return got

    def _reveal(self, code: int, src: Pile) -> int:
        """Identify an unseen card of a bag."""
        pack = self.pack
        if self.written and src.name in self.written:
            written = self.written[src.name]
            if not written & pack.field[code] and src.unseen:
                self._say(
                    NOT_THERE, f"{pretty(pack.faces[code])} is not among the cards of {owned(src.name, self.called)}",
                    code, src.name, written,
                )
                src.unseen -= 1
                return pack.unknown
            if written & pack.field[code] and (src.unseen or src.half or src.vague):
                self.written[src.name] -= pack.unit[code]
        if src.unseen or src.half or src.vague:
            if src.unseen and not src.half:
                src.unseen -= 1
            elif not self._take_slot(pack.field[code], src):
                self._say(
                    NOT_THERE, f"no card of {owned(src.name, self.called)} can be the {pretty(pack.faces[code])}", code,
                    src.name,
                )
                src.half = src.half[:-1]
                return pack.unknown
            got = self._locate(code)
            if got == code and self.journal is not None:
                self.journal.append(JournalEntry("shown", src.name, self.now, code, self.since.get(src.name, 0)))
            return got
        if src.known:
            # The holding is fully known and does not have it: one of its cards was written wrong, unknown which.
            self._say(
                NOT_THERE, f"{pretty(pack.faces[code])} is not among the cards of {owned(src.name, self.called)}", code,
                src.name, src.known,
            )
            written = src.known
            self._forget(src)
            self.written[src.name] = written
            src.unseen -= 1
            return pack.unknown
        self._say(
            TOO_MANY, f"{owned(src.name, self.called)} has no card left for {pretty(pack.faces[code])}", code, src.name,
        )
        return self._locate(code)

    def _take_slot(self, mask: int, src: Pile) -> bool:
        """Use up one unseen slot of a bag that can be one of these cards. Return False if there is none.

        If several slots fit, only what remains certain of the others is kept: of each kind of half-known slot that
        fits, one becomes an unseen slot.
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
            src.half = without_code(src.half, h)
        src.unseen += len(kinds) - 1
        return True

    def _forget(self, pile: Pile, code: int = -1) -> None:
        """Mix the known cards of a bag with the unseen ones; with a half-known `code`, only those that it may be."""
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
        # A card revealed from now on was there since now; before, it was known.
        self.since[pile.name] = self.now

    def _unseen_out(self, code: int, src: Pile) -> int:
        """Take an unseen or half-seen card out of a bag: it may have been any card that fits."""
        pack = self.pack
        may_be = pack.may_be[code]
        self.written.pop(src.name, None)
        if src.known & may_be:
            self._forget(src, code)
        if not (src.unseen or src.vague or any(pack.may_be[h] & may_be for h in src.half)):
            if src.known or src.half:
                self._say(
                    NOT_THERE, f"no card of {owned(src.name, self.called)} can be {pretty(pack.tokens[code])}", code,
                    src.name, src.known,
                )
                self._forget(src)
            else:
                self._say(TOO_MANY, f"{owned(src.name, self.called)} has no card left", code, src.name)
            code = pack.unknown
            may_be = pack.everything
        if self.journal is not None:
            self.journal.append(JournalEntry("out", src.name, self.now, code))
        sure = (
            src.half[0] if code == pack.unknown and src.half and not src.unseen and not src.vague
            and len(set(src.half)) == 1 else code
        )
        self._take_slot(may_be, src)
        return sure

    def _move_uncounted(self, src: Pile, dst: Pile) -> None:
        """Move an uncounted number of cards."""
        self._uncounted_out(src)
        self._uncounted_in(dst, src.name)

    def _uncounted_out(self, src: Pile) -> None:
        """Take an uncounted number of cards out of a pile: what is left, and how many, is unknown."""
        if src.known or (src.row is not None and any(c < self.pack.unknown for c in src.row)):
            self.lose_sight(src)
        src.vague = True
        if self.journal is not None:
            self.journal.append(
                JournalEntry("out" if src.row is None else "uncounted", src.name, self.now, self.pack.many)
            )
        if src.row is not None:
            src.row = []
        else:
            src.unseen, src.half = 0, ()

    def _uncounted_in(self, dst: Pile, src: str = "") -> None:
        """Add an uncounted number of cards, at least one."""
        dst.vague = True
        if dst.row is None:
            self._unseen_in(self.pack.unknown, dst, src, self.pack.many)
        else:
            dst.row.append(self.pack.unknown)
            self.since[dst.name] = self.now

    def _known_in(self, bag: int, dst: Pile) -> None:
        """Add known cards to a bag; a holding that was only read before is put on the table."""
        if dst.vague and dst.name not in self.piles:
            self.piles[dst.name] = dst
        dst.known += bag

    def _unseen_in(self, code: int, dst: Pile, src: str = "", noted: int = -1, count: int = 1) -> None:
        """Add unseen or half-seen cards to a bag; the journal notes each as `noted` if that is another code."""
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
            # The top card leaves; what was known of it stays known, and the notation may add a little.
            top = row.pop()
            if code == pack.unknown:
                return top
            if not pack.may_be[top] & pack.may_be[code]:
                if src.vague:
                    # The number of cards is unknown: this one was above.
                    row.append(top)
                    return code
                self._say(
                    NOT_THERE,
                    (
                        f"{pretty(pack.tokens[code])} does not lie on top of {owned(src.name, self.called)}, "
                        f"{pretty(pack.tokens[top])} does"
                    ),
                    code,
                )
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
        """The topmost place of a row where this card may be unseen, -1 if there is none. As it may have been in
        another of them, half-seen places that fit become unseen."""
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
