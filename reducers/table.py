"""The table: named piles of cards, and the one function through which cards move.

The table never refuses. What is impossible is applied as far as possible: the doubtful card stays unseen, and the
trouble is noted. So no card is created or lost, and holdings stay correct after a slip of the recorder.
`reducers.known_cards` keeps what is known of the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from events.cards import Pack, pretty
from reducers.known_cards import (
    NOT_IN_PACK,
    NOT_ON_TOP,
    NOT_THERE,
    TOO_MANY,
    TWICE,
    JournalEntry,
    Pile,
    Sightings,
    Trouble,
    each_has_one,
)
from reducers.pile_words import NOTHING_ELSE, owned


class Table(Sightings):
    """All piles of one hand, and the ways cards move among them."""

    __slots__ = ("astray", "most")

    def __init__(self, pack: Pack, called: Mapping[str, str] = NOTHING_ELSE) -> None:
        super().__init__(pack, called)
        # The most cards that a pile can have.
        self.most = pack.count(pack.full)
        # The log shows an act out of turn, so an act may be missing; set by the page.
        self.astray = False

    # -- piles --------------------------------------------------------------------------------------------------------

    def bag(self, name: str) -> Pile:
        """The pile of this name, created without an order if there is none."""
        pile = self.piles.get(name)
        if pile is None:
            pile = self.piles[name] = Pile(self, name, False)
        return pile

    def row(self, name: str) -> Pile:
        """The pile of this name, created with an order if there is none."""
        pile = self.piles.get(name)
        if pile is None:
            pile = self.piles[name] = Pile(self, name, True)
        return pile

    def as_it_lies(self) -> Table:
        """An independent copy of the table with the same cards; no journal, trouble, or later evidence."""
        out = Table(self.pack, self.called)
        out.located, out.now, out.astray, out.glimpsed = self.located, self.now, self.astray, self.glimpsed
        out.since, out.written = dict(self.since), dict(self.written)
        for name, pile in self.piles.items():
            own = out.piles[name] = Pile(out, pile.name, False, pile.vague)
            own.row = None if pile.row is None else list(pile.row)
            own.known, own.unseen, own.half = pile.known, pile.unseen, pile.half
        return out

    # -- reading cards ------------------------------------------------------------------------------------------------

    def codes(self, cards: Sequence[str], pile: Pile | None = None) -> list[int]:
        """The codes of a written card list, counts expanded; `*` is the whole of `pile`, top card last.

        A card that is not in the pack is noted as trouble and read as unseen. `*x??`, an uncounted number of cards,
        is the single code `many`.
        """
        code = self.pack.code
        try:
            return [code[cards[0]]] if len(cards) == 1 else [code[c] for c in cards]
        except KeyError:
            # Cards dealt unseen, the most common cards without a code.
            if unseen := self._so_many_unseen(cards):
                return [self.pack.unknown] * unseen
            out: list[int] = []
        for text in cards:
            if text == "*":
                out += pile.codes() if pile is not None else []
                if pile is not None and pile.vague:
                    out.append(self.pack.many)
                continue
            count = 1
            if "x" in text:
                head, _, text = text.partition("x")
                if head == "*":
                    out.append(self.pack.many)
                    continue
                count = int(head)
                if count > self.most:
                    self.trouble.append(
                        Trouble(TOO_MANY, f"{count} cards are more than the {self.most} of the pack", text)
                    )
                    count = self.most
            face = text.partition("=")[0]
            c = code.get(face)
            if c is None:
                self.trouble.append(Trouble(NOT_IN_PACK, f"{pretty(face)} is not in the pack of this game", face))
                c = self.pack.unknown
            out += [c] * count
        return out

    def _so_many_unseen(self, cards: Sequence[str]) -> int:
        """The number of cards in a word like `12x??`; 0 for any other word or more cards than the pack has."""
        if len(cards) != 1 or not cards[0].endswith("x??"):
            return 0
        count = cards[0][:-3]
        return int(count) if count.isdecimal() and int(count) <= self.most else 0

    def code(self, cards: Sequence[str]) -> int:
        """The code of the first card written, as `codes` reads it; `unknown` for an empty `*`."""
        code = self.pack.code.get(cards[0])
        if code is None:
            found = self.codes(cards)
            code = found[0] if found else self.pack.unknown
        return code

    # -- moving cards -------------------------------------------------------------------------------------------------

    def move(self, codes: Iterable[int], src: Pile, dst: Pile, *, bottom: bool = False) -> None:
        """Move cards in the order given; `bottom` slides them under the pile."""
        if bottom and dst.row is not None:
            rest, dst.row = dst.row, []
            for code in codes:
                self.move_one(code, src, dst)
            dst.row += rest
            return
        codes = list(codes)
        if src.row is not None and len(src.row) <= len(codes) and (
            src.row == (codes[:-1] if codes[-1:] == [self.pack.many] else codes)
        ):
            if src is dst:
                return
            # The whole pile, from the bottom up, so that unseen cards keep their order too.
            src.row.reverse()
        for code in codes:
            self.move_one(code, src, dst)

    def move_one(self, code: int, src: Pile, dst: Pile) -> None:
        """Move one card; `code` is what was seen of it as it moved. The code `many` moves an uncounted number."""
        pack, row = self.pack, src.row
        if row is not None:
            if row and row[-1] == code and code <= pack.unknown:
                row.pop()
            elif code == pack.many:
                self._move_uncounted(src, dst)
                return
            else:
                code = self._from_row(code, src)
        elif code < pack.unknown:
            if src.known & pack.field[code]:
                src.known -= pack.unit[code]
            else:
                code = self._reveal(code, src)
        elif code == pack.many:
            self._move_uncounted(src, dst)
            return
        else:
            code = self._unseen_out(code, src)
        row = dst.row
        if row is not None:
            row.append(code)
            if code >= pack.unknown:
                self.since[dst.name] = self.now
                self.glimpsed |= code > pack.unknown
                if len(row) > self.most:
                    # No pile is higher than the pack: a card from an empty pile is reported and not added.
                    del row[next(i for i, lies in enumerate(row) if lies >= pack.unknown)]
        elif code >= pack.unknown:
            self._unseen_in(code, dst, src.name)
        elif dst.vague:
            self._known_in(pack.unit[code], dst)
        else:
            dst.known += pack.unit[code]

    def lay(self, codes: Iterable[int], dst: Pile) -> None:
        """Lay cards from outside the table (a deal from a pack that is not a pile)."""
        pack, codes = self.pack, list(codes)
        if not codes:
            return
        if max(codes) <= pack.unknown:
            known = [c for c in codes if c < pack.unknown]
            bag = self._locate_all(known) if known else 0
            if bag or not known:
                # Each card is known and not yet placed, or unseen: all at once.
                self._lay_all(codes, bag, len(codes) - len(known), dst)
                return
        for code in codes:
            if code == pack.many:
                self._uncounted_in(dst)
                continue
            if code < pack.unknown:
                code = self._locate(code)
            if dst.row is not None:
                dst.row.append(code)
                if code >= pack.unknown:
                    self.since[dst.name] = self.now
                    self.glimpsed |= code > pack.unknown
            elif code < pack.unknown:
                self._known_in(pack.unit[code], dst)
            else:
                self._unseen_in(code, dst)

    def _lay_all(self, codes: Sequence[int], bag: int, unseen: int, dst: Pile) -> None:
        """Add a bag of known cards and a number of `unseen` ones to a pile."""
        if dst.row is not None:
            dst.row += codes
            if unseen:
                self.since[dst.name] = self.now
            return
        if bag:
            self._known_in(bag, dst)
        if unseen:
            self._unseen_in(self.pack.unknown, dst, count=unseen)

    def lay_known(self, holding: str, cards: Sequence[str]) -> bool:
        """Deal known cards not placed before, or n unseen ones, to a holding at once. Return False if impossible."""
        pile = self.piles.get(holding)
        if pile is None or pile.row is not None:
            return False
        pack = self.pack
        try:
            bag = sum(map(pack.unit_of.__getitem__, cards))
        except KeyError:
            unseen = self._so_many_unseen(cards)
            if unseen:
                self._unseen_in(pack.unknown, pile, count=unseen)
            return unseen > 0
        if pack.count(bag) != len(cards) or not pack.contains(pack.full - self.located, bag):
            return False
        pile.known += bag
        self.located += bag
        return True

    def reveal(self, codes: Iterable[int], pile: Pile) -> None:
        """Show these cards to all; they stay where they are."""
        pack = self.pack
        wanted = list(codes)
        held = pile.known if pile.row is None else pile.certain - pile.later
        for code in wanted:
            if code >= pack.unknown:
                continue
            if held & pack.field[code]:
                held -= pack.unit[code]
                continue
            if pile.row is None:
                code = self._reveal(code, pile)
                if code < pack.unknown:
                    self._known_in(pack.unit[code], pile)
                else:
                    self._unseen_in(code, pile)
                continue
            at = self._fitting(code, pile.row)
            if at >= 0:
                pile.row[at] = self._turned(code, pile)
            elif pile.vague:
                pile.row.append(self._locate(code))
            else:
                self._say(NOT_THERE, f"{pretty(pack.faces[code])} cannot lie in {owned(pile.name, self.called)}", code)

    def take_at(self, place: int, code: int, src: Pile, dst: Pile) -> None:
        """Move the card at this place of a row, counted from the bottom; `code` is what was seen of it."""
        row = src.row
        assert row is not None
        src.row = [row.pop(place)]
        self.move_one(code, src, dst)
        row[place:place] = src.row
        src.row = row

    def mix(self, codes: Sequence[int], src: Pile, dst: Pile) -> None:
        """Shuffle the bottom cards of a row and put them on another: one for each of `codes`, bottom to top. A card
        with no known place any more is unseen again."""
        assert src.row is not None
        assert dst.row is not None
        pack = self.pack
        if len(codes) > len(src.row):
            self._say(TOO_MANY, f"{owned(src.name, self.called)} has only {len(src.row)} cards", pack.unknown, src.name)
            codes = codes[: len(src.row)]
        mixed, src.row = src.row[: len(codes)], src.row[len(codes) :]
        forgotten = [c for c in mixed if c < pack.unknown]
        self.located -= sum(pack.unit[c] for c in forgotten)
        if forgotten and any(c >= pack.unknown for c in codes):
            if self.journal is not None:
                self.journal.append(
                    JournalEntry("mixed", dst.name, self.now, sum(pack.unit[c] for c in forgotten), src=src.name)
                )
            self.since[dst.name] = self.now
        self.glimpsed |= max(codes, default=0) > pack.unknown
        dst.row = [*dst.row, *(self._locate(c) if c < pack.unknown else c for c in codes)]

    def all_into(self, pile: Pile) -> None:
        """Shuffle all cards of the table into one row: the place of each is unknown again."""
        count = 0
        for other in self.piles.values():
            count, other.known, other.unseen, other.half = count + len(other), 0, 0, ()
            if other.row is not None:
                other.row = []
        self.located = 0
        self.lay([self.pack.unknown] * count, pile)

    def tell_order(self, codes: Iterable[int], pile: Pile) -> None:
        """Set the order in which a row turns out to lie, bottom to top; cards that are not given stay unseen."""
        row, pack, codes = pile.row, self.pack, list(codes)
        assert row is not None
        unseen = row[: len(codes)]
        if len(codes) == len(unseen) > 0 and min(unseen) == max(unseen) == pack.unknown and self._locate_all(codes):
            row[: len(codes)] = codes
            if self.journal is not None:
                since = self.since.get(pile.name, self.now)
                self.journal += [JournalEntry("turned", pile.name, self.now, code, since) for code in codes]
            return
        for i, code in enumerate(codes):
            if code == pack.many:
                # The number of cards here, and so the place of the next ones, is unknown.
                pile.vague = True
                return
            if i >= len(row):
                if pile.vague:
                    row.append(self._locate(code) if code < pack.unknown else code)
                    self.glimpsed |= code > pack.unknown
                    continue
                self._say(TOO_MANY, f"{owned(pile.name, self.called)} has only {len(row)} cards", code)
                return
            if code == row[i] or code >= pack.unknown:
                continue
            if row[i] >= pack.unknown and pack.may_be[row[i]] & pack.field[code]:
                row[i] = self._turned(code, pile)
            else:
                self._say(
                    NOT_THERE,
                    f"{pretty(pack.faces[code])} does not lie in that place of {owned(pile.name, self.called)}", code,
                )

    def give_back(self, piles: Iterable[Pile], stock: Pile, row: Sequence[int]) -> None:
        """Undo a deal that was only inferred: these piles are empty again, and the stock is as before."""
        for pile in piles:
            self.located -= pile.known if pile.row is None else pile.certain
            pile.known, pile.unseen, pile.half = 0, 0, ()
            if pile.row is not None:
                pile.row = []
            if self.journal is not None:
                self.journal.append(JournalEntry("back", pile.name, self.now, 0))
        known = stock.certain
        stock.row = list(row)
        self.located += stock.certain - known


__all__ = [
    "NOT_IN_PACK", "NOT_ON_TOP", "NOT_THERE", "TOO_MANY", "TWICE", "JournalEntry", "Pile", "Table", "Trouble",
    "each_has_one",
]
