"""The volumes of a store: which matches are in one, and reading them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from events.errors import UnreadableError
from records.rows import EventLine, MatchEntry, SealedRow, Volume

if TYPE_CHECKING:
    from records.sealed_codec import SealedSummary
    from records.volume_codec import OpenVolume

COLUMNS = ", ".join(Volume._fields)
_KEPT = 4
"""Open volumes in the cache: a reader of a book often needs neighbouring matches."""
_OF_A_BOOK = (
    f"SELECT volume, {COLUMNS} FROM volumes WHERE book = ? AND last_pos > ? AND first_pos <= ? ORDER BY last_pos"
)
_OF_A_MATCH = (
    f"SELECT m.last, v.volume, {', '.join('v.' + name for name in Volume._fields)} FROM matches m JOIN "
    "volumes v ON v.volume = m.volume"
    " WHERE m.match = ?"
)


class VolumeEntry(NamedTuple):
    """A match in a volume."""

    volume: OpenVolume
    slot: int

    @property
    def size(self) -> int:
        """Its size in bytes, as an average over the volume."""
        return self.volume.size

    def lines(self) -> list[EventLine]:
        """Its events. UnreadableError if they are damaged."""
        return self.volume.lines(self.slot)

    def says_of_the_opening(self) -> bool:
        """True if it may have a correction of its opening. UnreadableError if damaged."""
        return self.volume.says_of_the_opening(self.slot)

    def entry(self) -> MatchEntry:
        """Its row as it was when it was bound. UnreadableError if damaged."""
        return self.volume.entry(self.slot)

    def opening(self) -> SealedSummary:
        """What a list shows of it. UnreadableError if damaged."""
        return self.volume.opening(self.slot)


class Lost(NamedTuple):
    """A match in a volume that cannot be read."""

    error: UnreadableError
    size: int = 0

    def lines(self) -> list[EventLine]:
        """Raise the UnreadableError of the volume."""
        raise self.error

    def says_of_the_opening(self) -> bool:
        """Raise the UnreadableError of the volume."""
        raise self.error


class Shelf:
    """The volumes as one connection sees them."""

    def __init__(self) -> None:
        self._open: dict[object, tuple[Volume, OpenVolume]] = {}

    def opened(self, number: object, volume: Volume) -> OpenVolume:
        """An open volume, cached. UnreadableError if it is damaged."""
        there = self._open.get(number)
        if there is not None and there[0] == volume:
            return there[1]
        from records.volume_codec import OpenVolume  # imported late: most programs never need it

        made = OpenVolume(volume)
        if len(self._open) >= _KEPT:
            self._open.pop(next(iter(self._open)))
        self._open[number] = volume, made
        return made

    def match(self, conn: sqlite3.Connection, match: str) -> SealedRow | None:
        """The row of a match in a volume; None if it is in none."""
        row = conn.execute(_OF_A_MATCH, (match,)).fetchone()
        if row is None:
            return None
        last, number, *columns = row
        volume = Volume._make(columns)
        try:
            opened = self.opened(number, volume)
            if match not in opened.slots:
                raise UnreadableError("the volume that it should be in does not hold it")
        except UnreadableError as error:
            return _lost(match, last, volume, error)
        return _row(match, volume, opened)

    def volumes(
        self, conn: sqlite3.Connection, book: str, after: int, upto: int,
    ) -> Iterator[tuple[object, Volume, OpenVolume | UnreadableError]]:
        """The volumes of a book with events (according to their rows) after `after`, up to `upto`."""
        for number, *columns in conn.execute(_OF_A_BOOK, (book, after, upto)):
            volume = Volume._make(columns)
            try:
                yield number, volume, self.opened(number, volume)
            except UnreadableError as error:
                yield number, volume, error

    def matches(self, conn: sqlite3.Connection, book: str, after: int, upto: int) -> Iterator[SealedRow]:
        """Their matches with such an event. For an unreadable volume, all matches that should be in it."""
        for number, volume, opened in self.volumes(conn, book, after, upto):
            if isinstance(opened, UnreadableError):
                rows: list[tuple[Any, Any]] = conn.execute(
                    "SELECT match, last FROM matches WHERE volume = ?", (number,),
                ).fetchall()
                for match, last in rows or [(f"of volume {number}", -1)]:
                    yield _lost(match, last, volume, opened)
            else:
                for slot, match in enumerate([*opened.slots]):
                    if opened.ends[slot] > after and opened.starts[slot] <= upto:
                        yield _row(match, volume, opened)


def _row(match: str, volume: Volume, opened: OpenVolume) -> SealedRow:
    slot = opened.slots[match]
    return SealedRow(
        match, volume.book, opened.starts[slot], opened.ends[slot], opened.counts[slot], volume.dictionary,
        opened.tip(slot), b"", VolumeEntry(opened, slot),
    )  # fmt: skip


def _lost(match: str, last: Any, volume: Volume, error: UnreadableError) -> SealedRow:
    many = last + 1 if type(last) is int else 0
    return SealedRow(
        match, volume.book, volume.first_pos, volume.last_pos, many, volume.dictionary, b"", b"", Lost(error),
    )
