"""What is stored and what is answered, as plain values: every database keeps the same columns, and hands out the same rows.

A row that is read may hold anything in any column: a bit that turned may have made a text of a number. Whoever reads it
asks before relying on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from events.model import Facts, Recorded

HOME = "home"
"""The book in which matches are kept if nobody names another."""
ALL = 2**62
"""Beyond every position, and more than there is of anything."""

# What is stored


class MatchEntry(Struct, frozen=True):
    """The entry of a match, in the order of its check sum. `last` is the position of its last event.

    `created` is when it was opened, `changed` when this store last wrote to it; `parent` and `parent_n` name the match
    and event that a variation branches off.
    """

    match: str
    book: str
    game: str
    created: str
    changed: str
    last: int
    is_over: int
    parent: str | None
    parent_n: int | None
    is_sealed: int = 0

    def columns(self) -> tuple[str | int | None, ...]:
        """What is stored of it, in the order of its check sum."""
        return (
            self.match, self.book, self.game, self.created, self.changed, self.last, self.is_over, self.parent,
            self.parent_n, self.is_sealed,
        )  # fmt: skip


class BookEntry(Struct, frozen=True):
    """The entry of a book: the position of its last event, and when it was made."""

    book: str
    head: int
    created: str


class KeyEntry(NamedTuple):
    """A submission key: what was submitted under it, as a hash, and the events that became of it."""

    match: str
    key: str
    fingerprint: str
    first: int
    last: int


class Tail(NamedTuple):
    """The end of a match, as an append needs it: its entry, the leaf of its last event (None if it is sealed), its book,
    and what was submitted before under the key that was asked for."""

    entry: MatchEntry
    leaf: bytes | None
    book: BookEntry
    known: KeyEntry | None


class Stretch(NamedTuple):
    """Events of one match to be written, one after the other: a value for each in every list, and in `leaves` one more, that of
    the event before them. `n` is the number of the first."""

    book: str
    match: str
    n: int
    positions: Sequence[int]
    types: Sequence[str]
    versions: Sequence[int]
    times: Sequence[str]
    recorders: Sequence[str]
    keys: Sequence[str]
    payloads: Sequence[bytes]
    leaves: Sequence[bytes]

    @property
    def last(self) -> int:
        """The number of the last of them."""
        return self.n + len(self.payloads) - 1

    def lines(self) -> list[EventLine]:
        """The events one by one, without their hashes."""
        numbers = range(self.n, self.n + len(self.payloads))
        return list(map(EventLine._make, zip(self.positions, numbers, *self[4:10], strict=True)))


StoredRow: TypeAlias = tuple[int, int, str, str, str, bytes]
"""An event as it is read: n, version, time, recorder, key, payload."""


class VolumeMatch(Protocol):
    """A sealed match that is bound with others. Each method raises UnreadableError if it cannot be had."""

    @property
    def size(self) -> int:
        """The bytes that it takes, as far as they can be told from those of the others."""

    def lines(self) -> list[EventLine]:
        """Its events."""

    def says_of_the_opening(self) -> bool:
        """Whether it has, or seems to have, a correction of its opening."""


class SealedRow(NamedTuple):
    """A sealed match: where its events stand in their book, how they were compressed, and the leaf of the last one. One that is
    `bound` with others has no blob of its own, and of the leaf only the beginning."""

    match: str
    book: str
    first_pos: int
    last_pos: int
    events: int
    dictionary: int
    tip: bytes
    body: bytes
    bound: VolumeMatch | None = None


SEALED = SealedRow._fields[:8]
"""The columns of a sealed match that has a row of its own."""


VOLUME_MATCHES = 64
"""So many matches a volume has at most."""
VOLUME_EVENTS = 4096
"""So many events it has at most: one match is read in a time that does not depend on the others."""
BOUND_EVENTS = 1024
"""A match of more events is not bound with others: it would gain nothing, and they would be read more slowly."""


class Volume(NamedTuple):
    """What is stored of a volume. Of one that was read every column may be of any kind."""

    book: str
    first_pos: int
    last_pos: int
    matches: int
    events: int
    dictionary: int
    tips: bytes
    clock: bytes
    body: bytes


class EventLine(NamedTuple):
    """An event as it is stored, without its hashes."""

    pos: int
    n: int
    type: str
    version: int
    time: str
    recorder: str
    key: str
    payload: bytes


class StoredLine(NamedTuple):
    """An event of a match with the hashes that were written with it, and its book."""

    line: EventLine
    prev: bytes
    leaf: bytes
    book: str


class StoredEvent(NamedTuple):
    """An event as it lies in the file, its texts as bytes. `sound`: every column is of the kind that was written."""

    pos: object
    match: bytes
    n: object
    type: bytes
    version: object
    time: bytes
    recorder: bytes
    key: bytes
    payload: bytes
    prev: bytes
    leaf: bytes
    sound: bool


class ListedMatch(NamedTuple):
    """A match as a listing finds it: its entry, the times of its first and last event, its place, and its opening, as a
    row (`version`, `payload`) or in a sealed blob (`dictionary`, `body`). One that is not sealed has no `body`; one that is bound with
    others has its opening and an empty one."""

    match: Any
    book: Any
    game: Any
    created: Any
    changed: Any
    last: Any
    is_over: Any
    parent: Any
    parent_n: Any
    end: Any
    version: Any
    payload: Any
    dictionary: Any
    body: Any


class Miscount(NamedTuple):
    """A book or a match that has more or fewer events than it says."""

    what: Literal["book", "match"]
    name: str
    events: int
    last: int


class LostEnd(Struct, frozen=True):
    """A book that does not hold what was acknowledged last: it ends at `there`, or has another event at `position`."""

    book: str
    there: int
    position: int
    text: str


# What is answered


class Appended(Struct, frozen=True):
    """What became of an append: the positions of its first and last event. `repeated`: the key was known already."""

    first: int
    last: int
    repeated: bool = False


class Adopted(Struct, frozen=True):
    """What became of the events of a file: the match was `new`, said the `same`, or `added` events were `appended`."""

    status: Literal["new", "same", "appended"]
    added: int


class MatchRow(Struct, frozen=True):
    """A match in a listing. `last` is the position of its last event, `facts` are those of its opening.

    `created` is the time of its opening and `changed` that of its last event, empty if they have none. `parent` and
    `parent_n` name the match and event that a variation branches off. `sealed`: nothing can be added before it is
    unsealed. All but `over` is taken from the events themselves, so that nothing else is shown than what is proved. `book` is the one
    that the match belongs to, `recorded` the one it was recorded in, whose proof covers it, if that is another.
    """

    match: str
    book: str
    game: str
    created: str
    changed: str
    last: int
    over: bool
    facts: Facts
    parent: str | None = None
    parent_n: int | None = None
    sealed: bool = False
    recorded: str = ""


class BookRow(Struct, frozen=True):
    """A book in a listing. `head` is the position of its last event, 0 while it has none; `created` the time of its first."""

    book: str
    head: int
    created: str


class BookEvent(Struct, frozen=True):
    """An event with its place in its book."""

    pos: int
    match: str
    recorded: Recorded
