"""Rows as plain values: every database stores the same columns and returns the same rows.

A row that was read may hold anything in any column, since a flipped bit may have changed a type. Readers check before
they rely on a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from events.model import Facts, Recorded
from records.commitments import Commitments

HOME = "home"
"""The default book of a match."""
ALL = 2**62
"""A bound above every position and every count."""
T = TypeVar("T", int, str)


def whole_value(value: object) -> int:
    """The value if it is an integer; -1 if a flipped bit has made it something else."""
    return value if isinstance(value, int) else -1


def common_or_all(values: Sequence[T]) -> T | list[T]:
    """The value that all of them are, else all."""
    return values[0] if values.count(values[0]) == len(values) else list(values)


# Stored rows


class MatchEntry(Struct, frozen=True):
    """The row of a match, in the order of its checksum. `last` is the number of its last event.

    `created` is when it was opened, `changed` when this store last wrote to it. `parent` and `parent_n` name the
    match and event that a variation branches off."""

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
        """Its stored columns, in the order of the checksum."""
        return (
            self.match, self.book, self.game, self.created, self.changed, self.last, self.is_over, self.parent,
            self.parent_n, self.is_sealed,
        )  # fmt: skip


class BookEntry(Struct, frozen=True):
    """The row of a book: the position of its last event, and when it was created."""

    book: str
    head: int
    created: str


class KeyEntry(NamedTuple):
    """A submission key: a hash of what was submitted, and the first and last event."""

    match: str
    key: str
    fingerprint: str
    first: int
    last: int


class Tail(NamedTuple):
    """What an append needs about a match: its row, its last leaf (None if sealed), its book, the earlier submission
    under the given key, and its commitments if it is of layout 2."""

    entry: MatchEntry
    leaf: bytes | None
    book: BookEntry
    known: KeyEntry | None
    parts: Commitments | None = None


class Stretch(NamedTuple):
    """Consecutive events of one match to be written, in columns. `n` is the number of the first.

    `leaves` has one more entry, at the start: the leaf of the event before them."""

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
        """The number of the last event."""
        return self.n + len(self.payloads) - 1

    def lines(self) -> list[EventLine]:
        """The events as rows, without their hashes."""
        numbers = range(self.n, self.n + len(self.payloads))
        return list(map(EventLine._make, zip(self.positions, numbers, *self[4:10], strict=True)))


StoredRow: TypeAlias = tuple[int, int, str, str, str, bytes]
"""An event as it is read: n, version, time, recorder, key, payload."""


class VolumeMatch(Protocol):
    """A sealed match bound with others in a volume. Each method raises UnreadableError if it is damaged."""

    @property
    def size(self) -> int:
        """Its approximate size in bytes."""

    def lines(self) -> list[EventLine]:
        """Its events."""

    def says_of_the_opening(self) -> bool:
        """True if it may have a correction of its opening."""


class SealedRow(NamedTuple):
    """A sealed match: the positions of its events, how they were compressed, and its last leaf.

    If it is `bound` with others, it has no blob of its own, and only the beginning of the leaf."""

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
"""Most matches in a volume."""
VOLUME_EVENTS = 4096
"""Most events in a volume, so that the time to read one match is bounded."""
BOUND_EVENTS = 1024
"""A match with more events is not bound: it would gain nothing, and slow down the others."""


class Volume(NamedTuple):
    """The row of a volume. After reading, any column may have a wrong type."""

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
    """An event of a match with its stored hashes and its book."""

    line: EventLine
    prev: bytes
    leaf: bytes
    book: str


class StoredEvent(NamedTuple):
    """An event as stored, its texts as bytes. `sound` is True if every column has its proper type."""

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
    """A match as found for a list: its row, times of first and last event, last position, and its opening.

    The opening is a row (`version`, `payload`) or in a sealed blob (`dictionary`, `body`). A match that is not sealed
    has no `body`; one in a volume has its opening and an empty `body`."""

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
    """A book or match with more or fewer events than its row says."""

    what: Literal["book", "match"]
    name: str
    events: int
    last: int


class LostEnd(Struct, frozen=True):
    """A book that lacks acknowledged events: it ends at `there`, or has another event at `position`."""

    book: str
    there: int
    position: int
    text: str


# Results


class Appended(Struct, frozen=True):
    """Result of an append: the numbers of its first and last event. `repeated` is True if the key was known already."""

    first: int
    last: int
    repeated: bool = False


class Adopted(Struct, frozen=True):
    """Result of an import: the match was `new`, had the `same` events, or `added` events were `appended`."""

    status: Literal["new", "same", "appended"]
    added: int


class MatchRow(Struct, frozen=True):
    """A match in a list. `last` is the number of its last event, `facts` are those of its opening.

    `created` is the time of its opening and `changed` that of its last event, empty if they have none. `parent` and
    `parent_n` name the match and event that a variation branches off. `sealed`: nothing can be added before it is
    unsealed. All fields but `over` come from the events, so that only proved values are shown. `book` is the book
    that the match belongs to; `recorded` the one it was recorded in, whose proof covers it, if different."""

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
    """A book in a list: `head` is the position of its last event (0 if empty), `created` the time of its first."""

    book: str
    head: int
    created: str


class BookEvent(Struct, frozen=True):
    """An event with its position in its book."""

    pos: int
    match: str
    recorded: Recorded
