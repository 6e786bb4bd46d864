"""What the store asks of a database. Each database answers in a module of its own (`records/sqlite`).

A backend is one database for one thread. It knows tables, transactions and how to be durable; it does not know what may
be appended, what a submission key is for, or what is proved. All that is read or written goes through a `snapshot` or a
`transaction`. Rows may hold anything in any column (see `records.rows`): only what is named in the types below is sure.

Errors of the database leave as StoreError or UsageError, with a sentence that says what to do.
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
"""The tables whose entries no leaf covers, and which have a check sum instead."""


class Reader(Protocol):
    """One state of a database. `place` names the database in messages."""

    @property
    def place(self) -> str: ...

    # Matches and books

    def end_of(self, match: str) -> tuple[str, int] | None:
        """The book of a match and the position of its last event; None if there is no such match."""

    def book_of(self, match: str) -> str | None:
        """The book of a match, whatever else its entry holds; None if there is no such match."""

    def ids(self, *, game: str | None = None) -> list[str]:
        """The ids of all matches, or those of one game, in the order in which they were begun."""

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        """The first ids that begin with `prefix`, in the order of their bytes, at most `limit`."""

    def latest_ids(self, limit: int) -> list[str]:
        """The ids of the matches that were changed last, the latest first, at most `limit`."""

    def matches(self, *, book: str | None, game: str | None, open_only: bool) -> Iterable[ListedMatch]:
        """The matches, in no order; those that have lost their events are left out."""

    def open_matches(self) -> list[tuple[str, str, object, object]]:
        """The matches that are neither over nor sealed: id, book, the position and time of their last event."""

    def matches_to_seal(self, book: str | None) -> list[str]:
        """The matches that are over and not sealed, in the order they were opened."""

    def heads(self) -> list[tuple[object, object]]:
        """The books, and what their entries say is the position of the last event."""

    def books(self) -> list[tuple[object, object, object]]:
        """The books: name, position of the last event, the time of the first (None if it is sealed)."""

    # Events

    def events(self, match: str, after: int, last: int) -> list[StoredRow]:
        """The events of a match after one position and up to another, in order; none if it is sealed."""

    def reopened(self, book: str, after: int) -> list[str]:
        """The matches of a book that have, or seem to have, a correction of their opening after a position; those that are sealed are
        left out."""

    def lines(self, match: str) -> list[StoredLine]:
        """All events of a match with what was written with them, in order; none if it is sealed."""

    def book_events(self, book: str, after: int, limit: int) -> list[tuple[Any, ...]]:
        """The events of a book after a position: position, match and the rest; those of sealed matches are left out."""

    def stored_events(self, book: str, after: int) -> Iterator[StoredEvent]:
        """The events of a book after a position as they lie in the file; from -ALL on, really all of them."""

    def leaves(self, book: str, after: int) -> list[tuple[object, object]]:
        """The position and leaf of every event of a book after a position; those of sealed matches are left out."""

    def tip(self, match: str) -> tuple[int, bytes] | None:
        """The number and leaf of the last event of a match; None if there is no such match, or it has lost its end."""

    def sealed(self, match: str) -> SealedRow | None:
        """The row of a sealed match; None if it is not sealed."""

    def sealed_in(self, book: str, after: int = 0, upto: int = ALL) -> Iterator[SealedRow]:
        """The sealed matches of a book that have, or seem to have, an event after one position and up to another."""

    # Submission keys

    def key(self, match: str, key: str) -> KeyEntry | None:
        """What was submitted under a key of a match; None if nothing was, or the match is sealed."""

    def keys(self, match: str) -> list[tuple[str, int, int]]:
        """The keys of a match with the first and last event of each."""

    def opened_with(self, key: str) -> list[str]:
        """The matches opened under a key. More than one only if a copy was imported under another id."""

    # What is proved

    def entries(self, book: str, table: Table) -> list[tuple[list[object], object]]:
        """The entries of a book, of its matches or of their keys: the columns under the check sum, and the check sum."""

    def strays(self, book: str) -> list[object]:
        """The matches that have events in this book and are not listed in it."""

    def lengths(self, book: str) -> list[tuple[str, object, object]]:
        """The matches of a book: what their entry says is the last event, and which it is (None: there is none)."""

    def lost_keys(self, book: str) -> list[tuple[str, int]]:
        """The matches and positions of events that carry a submission key which is not kept for them."""

    def miscounts(self) -> list[Miscount]:
        """The books and matches that have more or fewer events than they say."""

    def tiles(self, book: str) -> list[tuple[object, object]]:
        """The number and root of each full tile of a book's tree that was kept, in order."""

    def checkpoints(self, book: str) -> list[tuple[object, bytes, bytes]]:
        """The checkpoints kept for a book: size, root (hexadecimal) and note, the smallest first."""

    def signers(self) -> list[object]:
        """The public keys (hexadecimal) that checkpoints were signed with, the first one first."""


class Writer(Reader, Protocol):
    """A transaction. Nobody else writes until it ends."""

    def part(self) -> AbstractContextManager[Writer]:
        """What is refused inside leaves nothing, the rest of the transaction stands."""

    def tail(self, match: str, key: str = "") -> Tail | None:
        """All that an append needs to know about a match, its book, and a submission key; None if there is no such match."""

    def append(self, tail: Tail, events: Stretch, now: str, key: KeyEntry | None) -> None:
        """Write events after the last of a match, and bring match, book and submission key up to date. `tail` is what was said
        about the match in this transaction, `key` what was submitted, if it has a key."""

    def hold(self, book: str) -> None:
        """Nobody else adds to this book until the transaction ends, which is so anyway where only one can write."""

    def book(self, book: str, now: str) -> BookEntry:
        """The entry of a book, which is made if it is missing. UsageError if none can be called so."""

    def move_head(self, book: BookEntry, head: int, leaf: bytes) -> None:
        """The book ends at `head` now, with this leaf."""

    def add_match(self, entry: MatchEntry) -> None: ...

    def update_match(self, entry: MatchEntry) -> None:
        """Write what can change of a match: its last event, when it was changed, whether it is over, and sealed."""

    def add_events(self, events: Stretch) -> None:
        """Write events of one match after those it has."""

    def remove_events(self, match: str) -> None:
        """Take away the rows of a match that was sealed, and its submission keys but for that of the opening."""

    def add_key(self, row: KeyEntry) -> None:
        """Keep a submission key that is not kept yet."""

    def put_keys(self, rows: Sequence[KeyEntry]) -> None:
        """Keep submission keys; one that is kept already is written anew."""

    def add_sealed(self, row: SealedRow) -> None:
        """Write the row of a match that is sealed; it is not bound with others yet."""

    def add_sealed_match(self, entry: MatchEntry, events: Stretch) -> None:
        """Write a new match, which is sealed from the beginning. StoreError if its events cannot be put into one piece."""

    def remove_sealed(self, match: str) -> None: ...

    def add_tiles(self, book: str, first: int, roots: Sequence[bytes]) -> None:
        """Keep the roots of further tiles of a book; one that is kept already stays."""

    def add_checkpoint(self, book: str, size: int, signer: str, root: str, time: str, note: str) -> None:
        """Keep a checkpoint, and who signed it; one of the same size and signer is written anew."""


class Backend(Protocol):
    """A database, open for one thread. `place` names it in messages; `writable`: something can be changed through it."""

    @property
    def place(self) -> str: ...
    @property
    def writable(self) -> bool: ...
    @property
    def warnings(self) -> list[str]:
        """What whoever works with this database should be told, a sentence each."""

    @property
    def gone(self) -> list[LostEnd]:
        """What was acknowledged and is not here, as far as anybody can tell."""

    def lacking(self) -> list[str]:
        """A sentence if it is known to lack its end; then it can only be read."""

    def reading(self) -> AbstractContextManager[Reader]:
        """Each question asked inside sees the database as it is then; that may cost less than a snapshot."""

    def snapshot(self) -> AbstractContextManager[Reader]:
        """All that is read inside is one state of the database."""

    def transaction(self) -> AbstractContextManager[Writer]:
        """Left without an error, all of it is durable; otherwise nothing of it was written. One cannot hold another.

        TryAgainError if others wrote at the same moment and were let go first.
        """

    def wait(self, seconds: float) -> None:
        """Wait so long, or less if the database hints that somebody wrote. A hint may be missing: ask in any case."""

    def file_faults(self) -> list[str]:
        """What is wrong with the database itself: pages, indexes, references; a sentence each."""

    def foreign(self) -> list[str]:
        """What is in the database and not Kibitz's, a sentence each."""

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk: the bytes it takes before and after."""

    def backup(self, target: Path) -> bool:
        """Copy the database as it is at this moment to a new file. False, and nothing done, if it is none that lies in a file."""

    def close(self) -> None:
        """Let go of the database. Closing twice does no harm."""
