"""Finds out what was done to the events of a book: edited, deleted, inserted, swapped or cut off.

Every event is compared with its leaf, and every leaf with the one before it in its match. Positions are those of the
book.
"""

from __future__ import annotations

import struct
from typing import Literal

from msgspec import Struct, structs

from records.commitments import Commitments, begun
from records.hashes import NO_PREVIOUS, leaf_hash

Kind = Literal["edited", "deleted", "inserted", "swapped", "cut", "forked", "foreign", "damaged"]


class Change(Struct, frozen=True):
    """A difference from what was written. `first` and `last` are positions in the book, 0 if there are none."""

    kind: Kind
    text: str
    first: int = 0
    last: int = 0
    match: str = ""


class EventRow(Struct):
    """A row of `events`: its place, its content, and its two hashes. Texts are bytes."""

    pos: int
    match: bytes
    n: int
    said: tuple[bytes, int, bytes, bytes, bytes, bytes]
    """type, version, time, recorder, key, payload"""
    prev: bytes
    leaf: bytes
    sound: bool


def bytes_text(data: object) -> str:
    """The bytes as a text, for a message."""
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else str(data)


def _parts(book: bytes, opening: EventRow) -> Commitments | None:
    try:
        return begun(book, opening.match, opening.said[5])
    except ValueError:  # of layout 2, and nothing of it can be hashed
        return Commitments(book, opening.match, None)
    except TypeError:
        return None


class TamperWalk:
    """One walk over the events of a book that collects the differences."""

    def __init__(self, book: bytes, entries: list[EventRow], head: int) -> None:
        self.book, self.entries, self.head = book, entries, head
        self.found: list[Change] = []
        self.told: set[int] = set()  # positions already reported
        self.moved: dict[int, int] = {}  # position -> original position of the event
        self.unknown: list[EventRow] = []  # events that fit nowhere
        self.end = 0  # last position that was written, according to the events
        self.tries = 100_000
        self.parts = {e.match: parts for e in entries if e.n == 0 and (parts := _parts(book, e)) is not None}
        """The commitments of the matches of layout 2."""

    def leaf(self, e: EventRow, pos: int, n: int, prev: bytes, match: bytes | None = None) -> bytes:
        try:
            type_, version, time, recorder, key, payload = e.said
            match = e.match if match is None else match
            if (parts := self.parts.get(match)) is not None:
                return parts.leaf(pos, n, type_, version, time, recorder, key, prev, payload)
            return leaf_hash(self.book, pos, match, n, type_, version, time, recorder, key, prev, payload)
        except (struct.error, ValueError):
            return b""

    def changes(self) -> list[Change]:
        bad = [e for e in self.entries if not e.sound or self.leaf(e, e.pos, e.n, e.prev) != e.leaf]
        # Without its opening, which has the seed, no event of a match of layout 2 can be checked.
        opened, wrong = {e.match for e in self.entries if e.n == 0}, {e.pos for e in bad}
        opened |= {e.match for e in self.entries if e.pos not in wrong}
        bad = [e for e in bad if not e.sound or e.match in opened]
        left = self._swapped(bad)
        left = self._moved(left)
        self._swapped_places()
        self.unknown = [e for e in left if e.pos not in self.told]
        self._holes()
        self._chains({e.pos for e in left})
        for e in left:
            if e.pos not in self.told:
                self._say("edited", e, "is not the one that was written")
        return self.found

    def _say(self, kind: Kind, e: EventRow, what: str) -> None:
        self.told.add(e.pos)
        self.found.append(Change(kind, f"{self._name(e)} {what}", e.pos, e.pos, bytes_text(e.match)))

    def _name(self, e: EventRow) -> str:
        return f"event {e.pos} (match {bytes_text(e.match)}, event {e.n})"

    def _swapped(self, bad: list[EventRow]) -> list[EventRow]:
        """Report pairs whose contents changed places; return the other events."""
        left = list(bad)
        if len(bad) > 60:
            return left
        for i, a in enumerate(bad):
            for b in bad[i + 1 :]:
                if a in left and b in left and self._stood_at(a, b) and self._stood_at(b, a):
                    left = [e for e in left if e is not a and e is not b]
                    self._say_swapped(a, b)
        return left

    def _stood_at(self, a: EventRow, b: EventRow) -> bool:
        """True if the content of `a`, with or without time and recorder, was written at the place of `b`."""
        alone = structs.replace(a, said=(*a.said[:2], *b.said[2:5], a.said[5]))
        return any(
            self.leaf(e, b.pos, b.n, prev, b.match) in (a.leaf, b.leaf) for prev in {a.prev, b.prev} for e in (a, alone)
        )

    def _say_swapped(self, a: EventRow, b: EventRow) -> None:
        self.told |= {a.pos, b.pos}
        text = f"{self._name(a)} and {self._name(b)} have changed places"
        self.found.append(Change("swapped", text, a.pos, b.pos, bytes_text(a.match)))

    def _moved(self, bad: list[EventRow]) -> list[EventRow]:
        """Find intact events that were renumbered, as when others were deleted or inserted before. Return the rest."""
        last = {b"": (0, 0)}
        left = []
        for e in bad:
            guess = [last.get(e.match, last[b""]), *((d, last.get(e.match, (0, 0))[1]) for d in (last[b""][0],))]
            shift = next((s for s in guess if self._fits(e, *s)), None) or self._search(e)
            if shift is None:
                left.append(e)
            else:
                last[e.match] = last[b""] = shift
                self.moved[e.pos] = e.pos + shift[0]
        return left

    def _fits(self, e: EventRow, dp: int, dn: int) -> bool:
        # An event whose columns have wrong types was not just moved.
        return e.sound and (dp, dn) != (0, 0) and self.leaf(e, e.pos + dp, e.n + dn, e.prev) == e.leaf

    def _search(self, e: EventRow) -> tuple[int, int] | None:
        near = sorted(range(-24, 25), key=abs)
        for dp in near:
            for dn in near:
                self.tries -= 1
                if self.tries < 0:
                    return None
                if self._fits(e, dp, dn):
                    return dp, dn
        return None

    def _swapped_places(self) -> None:
        """Report events that were renumbered into each other's place."""
        by_pos = {e.pos: e for e in self.entries}
        for pos, was in sorted(self.moved.items()):
            if pos < was and self.moved.get(was) == pos:
                self._say_swapped(by_pos[pos], by_pos[was])

    def was(self, e: EventRow) -> int:
        """The original position of the event, as far as it is known."""
        return e.pos if e.pos in self.told else self.moved.get(e.pos, e.pos)

    def _holes(self) -> None:
        """Report missing positions, and events at positions that belong to others."""
        renumbered = {self.was(e) for e in self.entries if e.pos in self.moved and e.pos not in self.told}
        expected, waiting = 1, 0  # next original position; events since then without a known one
        strange: list[EventRow] = []
        unknown = {e.pos for e in self.unknown}
        for e in self.entries:
            if e.pos not in self.moved and e.pos in renumbered:
                self._say("inserted", e, "was put in")  # another event was written at this position
            elif e.pos in unknown:
                strange.append(e)
                waiting += 1
            else:
                was = self.was(e)
                missing = was - expected
                if missing > waiting:
                    self._gone(expected + waiting, was - 1)
                for x in strange[max(missing, 0) :]:
                    self._say("inserted", x, "was put in")
                expected, waiting, strange = was + 1, 0, []
        self.end = expected + waiting - 1
        last = self.entries[-1].pos if self.entries else 0
        if self.head > max(last, self.end):
            self._cut(max(last, self.end) + 1, self.head)
        for e in self.entries:
            if e.pos > self.head and e.pos not in self.told:
                self._say("inserted", e, f"stands behind the end of the book, which is {self.head}")

    def _gone(self, first: int, last: int) -> None:
        text = f"event {first} was taken out" if first == last else f"events {first} to {last} were taken out"
        self.found.append(Change("deleted", text, first, last))

    def _cut(self, first: int, last: int) -> None:
        text = f"the end is missing: event {first}" + (f" to {last}" if last > first else "")
        self.found.append(Change("cut", text, first, last))

    def _chains(self, bad: set[int]) -> None:
        """Follow every match from its opening: each event names the leaf of the one before."""
        streams: dict[bytes, list[EventRow]] = {}
        for e in self.entries:
            streams.setdefault(e.match, []).append(e)
        for match, events in streams.items():
            events.sort(key=lambda e: e.n)
            tip, number = NO_PREVIOUS, 0
            before: EventRow | None = None
            for e in events:
                if e.pos in self.told and e.pos not in bad and not self._is_swapped(e):
                    continue  # inserted: the next event follows the one before it
                if (
                    e.prev != tip and e.pos not in self.told and not self._is_swapped(e)
                    and not self._is_swapped(before)
                ):
                    self._broken(e, before, events, bad)
                elif e.n > number and e.pos not in self.moved and not self.found:
                    text = f"match {bytes_text(match)} has no event {number}"
                    self.found.append(Change("deleted", text, e.pos, e.pos, bytes_text(match)))
                tip, number, before = e.leaf, e.n + 1, e

    def _is_swapped(self, e: EventRow | None) -> bool:
        return e is not None and any(c.kind == "swapped" and e.pos in (c.first, c.last) for c in self.found)

    def _broken(self, e: EventRow, before: EventRow | None, events: list[EventRow], bad: set[int]) -> None:
        """Report why `e` does not name the leaf of the event before it."""
        at = events.index(e)
        for back in range(at - 1, -2, -1):
            tip = events[back].leaf if back >= 0 else NO_PREVIOUS
            if tip == e.prev and back < at - 1:
                for x in events[back + 1 : at]:
                    if x.pos not in self.told:
                        self._say("inserted", x, "was put in; the event after it does not know it")
                return
        since = self.was(before) if before else 0
        if any(c.kind == "deleted" and since < c.last and c.first < self.was(e) for c in self.found):
            return  # the leaf it names was deleted
        if before is None or before.pos in self.told:
            self._say("edited", e, "does not follow the event before it")
        elif before.pos in bad:
            self._say("edited", before, "is not the one that was written")
        else:
            self._say("edited", before, "is not the one that the event after it was written behind")
