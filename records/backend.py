"""The interface of a database behind the store. Each database implements it in its own package (`records/sqlite`).

A backend is one database for one thread. It knows tables, transactions and durability. It does not know what may be
appended, what a submission key is for, or what is proved. Everything is read or written through a `snapshot` or a
`transaction`. A damaged row may hold anything in any column (see `records.rows`): only the types below are certain.
Database errors are raised as StoreError or UsageError, with advice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol

from records.rows import (
    ALL,
    BookEntry,
    KeyEntry,
    ListedMatch,
    LostEnd,
    MatchEntry,
    Miscount,
    SealedRow,
    StoredEvent,
    StoredLine,
    StoredRow,
    Stretch,
    Tail,
)

Table = Literal["books", "matches", "keys"]
TABLES: tuple[Table, ...] = ("books", "matches", "keys")
"""Tables whose rows have a checksum, because no leaf covers them."""


class Reader(Protocol):
    """A view of the database for reading. `place` names the database in messages."""

    @property
    def place(self) -> str: ...

    # Matches and books

    def end_of(self, match: str) -> tuple[str, int] | None:
        """The book of a match and the number of its last event; None if there is no such match."""

    def book_of(self, match: str) -> str | None:
        """The book of a match, even if its row is damaged otherwise; None if there is no such match."""

    def ids(self, *, game: str | None = None) -> list[str]:
        """The ids of all matches, or those of one game, by time of creation."""

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        """The first ids that begin with `prefix`, in the order of their bytes, at most `limit`."""

    def latest_ids(self, limit: int) -> list[str]:
        """The ids of the last changed matches, the latest first, at most `limit`."""

    def matches(self, *, book: str | None, game: str | None, open_only: bool) -> Iterable[ListedMatch]:
        """The matches, unordered, without those whose events are lost."""

    def open_matches(self) -> list[tuple[str, str, object, object]]:
        """The matches neither over nor sealed: id, book, position and time of the last event."""

    def matches_to_seal(self, book: str | None) -> list[str]:
        """The matches that are over and not sealed, by time of creation."""

    def heads(self) -> list[tuple[object, object]]:
        """The books, each with the position of its last event according to its row."""

    def books(self) -> list[tuple[object, object, object]]:
        """The books: name, position of the last event, time of the first (None if it is sealed)."""

    # Events

    def events(self, match: str, after: int, last: int) -> list[StoredRow]:
        """The events of a match with numbers above `after`, up to `last`, in order; none if it is sealed."""

    def reopened(self, book: str, after: int) -> list[str]:
        """The matches of a book that may have a correction of their opening after a position; without sealed ones."""

    def lines(self, match: str) -> list[StoredLine]:
        """All events of a match with all their columns, in order; none if it is sealed."""

    def book_events(self, book: str, after: int, limit: int) -> list[tuple[Any, ...]]:
        """A book's events at the `limit` positions after `after`: position, match, the rest; without sealed matches."""

    def stored_events(self, book: str, after: int) -> Iterator[StoredEvent]:
        """The events of a book after a position as they are stored. With `after=-ALL`, damaged positions too."""

    def leaves(self, book: str, after: int) -> list[tuple[object, object]]:
        """The position and leaf of each event of a book after a position; without sealed matches."""

    def tip(self, match: str) -> tuple[int, bytes] | None:
        """The number and leaf of the last event of a match; None if the match is missing or has no events."""

    def sealed(self, match: str) -> SealedRow | None:
        """The row of a sealed match; None if it is not sealed."""

    def sealed_in(self, book: str, after: int = 0, upto: int = ALL) -> Iterator[SealedRow]:
        """The sealed matches of a book with events (according to their rows) after `after`, up to `upto`."""

    # Submission keys

    def key(self, match: str, key: str) -> KeyEntry | None:
        """The submission under a key of a match; None if there is none, or the match is sealed."""

    def keys(self, match: str) -> list[tuple[str, int, int]]:
        """The keys of a match, each with its first and last event."""

    def opened_with(self, key: str) -> list[str]:
        """The matches opened under a key. There are several only if a copy was imported under another id."""

    # Proofs and integrity

    def entries(self, book: str, table: Table) -> list[tuple[list[object], object]]:
        """The rows of a book, its matches or their keys: the columns under the checksum, and the checksum."""

    def strays(self, book: str) -> list[object]:
        """The matches that have events in this book but no row in it."""

    def lengths(self, book: str) -> list[tuple[str, object, object]]:
        """The matches of a book: last event according to the row, and the actual one (None if there is none)."""

    def lost_keys(self, book: str) -> list[tuple[str, int]]:
        """The matches and positions of events with a submission key that has no row."""

    def miscounts(self) -> list[Miscount]:
        """The books and matches with more or fewer events than their rows say."""

    def tiles(self, book: str) -> list[tuple[object, object]]:
        """The number and root of each full tile kept for a book's tree, in order."""

    def checkpoints(self, book: str) -> list[tuple[object, bytes, bytes]]:
        """The checkpoints kept for a book: size, root (hexadecimal) and note, the smallest first."""

    def signers(self) -> list[object]:
        """The public keys (hexadecimal) that signed checkpoints, the first one first."""


class Writer(Reader, Protocol):
    """A transaction. There is no other writer until it ends."""

    def part(self) -> AbstractContextManager[Writer]:
        """A savepoint: an error inside undoes only what was written inside."""

    def tail(self, match: str, key: str = "") -> Tail | None:
        """What an append needs about a match, its book and a submission key; None if there is no such match."""

    def append(self, tail: Tail, events: Stretch, now: str, key: KeyEntry | None) -> None:
        """Append events to a match, and update the rows of match, book and submission key.

        `tail` was returned by this transaction. `key` is the submission, None if it has no key."""

    def hold(self, book: str) -> None:
        """Lock a book against other writers until the transaction ends. A no-op in a database with a single writer."""

    def book(self, book: str, now: str) -> BookEntry:
        """The row of a book, which is created if it is missing. UsageError if the name is not valid."""

    def move_head(self, book: BookEntry, head: int, leaf: bytes) -> None:
        """Set the last position of a book, and its leaf."""

    def add_match(self, entry: MatchEntry) -> None: ...

    def update_match(self, entry: MatchEntry) -> None:
        """Update the columns of a match that change: its last event, time of change, over, sealed."""

    def add_events(self, events: Stretch) -> None:
        """Insert events of one match after its last one."""

    def rewrite(self, match: str, n: int, payload: bytes) -> None:
        """Replace the payload of an event that is not sealed; its leaf stays. Only for what is forgotten for good."""

    def remove_events(self, match: str) -> None:
        """Delete the event rows of a sealed match, and its submission keys except the opening's."""

    def add_key(self, row: KeyEntry) -> None:
        """Insert a new submission key."""

    def put_keys(self, rows: Sequence[KeyEntry]) -> None:
        """Insert or replace submission keys."""

    def add_sealed(self, row: SealedRow) -> None:
        """Insert the row of a sealed match; it is not bound with others yet."""

    def add_sealed_match(self, entry: MatchEntry, events: Stretch) -> None:
        """Insert a new match that is sealed from the start. StoreError if its events cannot be packed as one piece."""

    def remove_sealed(self, match: str) -> None: ...

    def add_tiles(self, book: str, first: int, roots: Sequence[bytes]) -> None:
        """Insert the roots of further tiles of a book; existing ones stay."""

    def add_checkpoint(self, book: str, size: int, signer: str, root: str, time: str, note: str) -> None:
        """Insert a checkpoint and its signer; one with the same size and signer is replaced."""


class Backend(Protocol):
    """A database, open for one thread. `place` names it in messages; `writable` is True if it may be changed."""

    @property
    def place(self) -> str: ...
    @property
    def writable(self) -> bool: ...
    @property
    def warnings(self) -> list[str]:
        """Warnings for the user, a sentence each."""

    @property
    def gone(self) -> list[LostEnd]:
        """Acknowledged events that are known to be lost."""

    def lacking(self) -> list[str]:
        """A sentence if the store is known to lack its end; it can then only be read."""

    def reading(self) -> AbstractContextManager[Reader]:
        """A context in which each query sees the current state; this may cost less than a snapshot."""

    def snapshot(self) -> AbstractContextManager[Reader]:
        """A context in which all queries see one state of the database."""

    def transaction(self) -> AbstractContextManager[Writer]:
        """A transaction, durable on exit; an error inside rolls it back. Transactions do not nest.

        TryAgainError if the database rolled it back because of a concurrent writer."""

    def wait(self, seconds: float) -> None:
        """Wait this long, or less if the database signals a write. Signals may be lost, so the caller polls anyway."""

    def file_faults(self) -> list[str]:
        """Faults of the database itself (pages, indexes, references), a sentence each."""

    def foreign(self) -> list[str]:
        """Objects in the database that are not Kibitz's, a sentence each."""

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk. Returns the size in bytes before and after."""

    def backup(self, target: Path) -> bool:
        """Copy the current state of the database to a new file. False, and nothing done, if it is not in a file."""

    def close(self) -> None:
        """Close the database. Closing twice does no harm."""
