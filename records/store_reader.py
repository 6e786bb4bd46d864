"""Queries of a store: its events, its lists, and its verification."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from events.errors import StoreError, UnreadableError, UsageError
from events.model import Facts, Recorded
from records import listing
from records.backend import Backend, Reader
from records.copies import Copies
from records.names import FAR
from records.reading import as_events, events_of, match_lines, missing_from, no_match
from records.register import REGISTER, Register
from records.rows import ALL, HOME, BookEvent, BookRow, EventLine, MatchRow
from records.sealed_codec import damaged
from records.syncing import synced

if TYPE_CHECKING:
    from records.proof.checkpoints import Checkpoint
    from records.proof.verify import Change, Verified


class StoreReader:
    """An open store, its reading part.

    `path` is its file, or the name with which the files beside it begin: its key, signed heads and signers.
    """

    def __init__(self, backend: Backend, path: Path) -> None:
        self.backend = backend
        self.path = path
        self.address = str(path)
        """The address at which another process opens the same store. It may hold a password: never show it."""
        self._register: tuple[int, Register] | None = None
        # The position up to which each book was scanned for corrected openings, and the matches found, with
        # their facts.
        self._looked: dict[object, int] = {}
        self._reopened: dict[str, tuple[int, Facts] | None] = {}

    @property
    def write(self) -> bool:
        """True if the store may be changed through this object."""
        return self.backend.writable

    @property
    def warnings(self) -> list[str]:
        """Warnings for the user, a sentence each."""
        return self.backend.warnings

    @property
    def copies(self) -> Copies:
        """The copies of attached pictures."""
        return Copies(self.path)

    def lacking(self) -> list[str]:
        """A sentence if this is a copy that lacks its end."""
        return self.backend.lacking()

    # Events and lists

    def read(self, match: str, after: int = -1) -> list[Recorded]:
        """The events of a match after number `after`, in order; by default all, opening first.

        NotFoundError if there is no such match; StoreError if an event is unreadable or missing.
        """
        with self.backend.reading() as reader:
            rows, end = reader.events(match, after, FAR), reader.end_of(match)
            if rows and end is not None and not missing_from([row[0] for row in rows], after, end[1]):
                return as_events(reader.place, match, rows)
        with self.backend.snapshot() as reader:  # it may be sealed, unsealed or extended meanwhile
            found, end = events_of(reader, match, after), reader.end_of(match)
            if end is None:
                raise no_match(reader, match)
            if missing := missing_from([r.n for r in found], after, end[1]):
                raise damaged(reader.place, match, UnreadableError(missing))
        return found

    def end(self, match: str) -> tuple[str, int] | None:
        """The book of a match and the number of its last event; None if there is no such match."""
        with self.backend.reading() as reader:
            return reader.end_of(match)

    @property
    def register(self) -> Register:
        """The current players of the store, from its register."""
        end = self.end(REGISTER)
        upto = -1 if end is None else end[1]
        if self._register is None or self._register[0] != upto:
            self._register = (upto, Register(self.read(REGISTER) if end is not None and end[0] == REGISTER else ()))
        return self._register[1]

    def told(self, match: str, after: int = -1) -> list[Recorded]:
        """The events of a match after number `after`, as shown: forgotten names are replaced. Raises as `read`.

        What is printed, drawn, exported or sent uses this; proofs use `read`.
        """
        register = self.register
        if not register.hides:
            return self.read(match, after)
        records = self.read(match)
        shown = register.shown(match, self.book_of(match), records)
        return shown if after < 0 else [r for r in shown if r.n > after]

    def _end_of(self, match: str) -> tuple[str, int]:
        with self.backend.reading() as reader:
            end = reader.end_of(match)
            if end is None:
                raise no_match(reader, match)
        return end

    def length(self, match: str) -> int:
        """The number of events of the match, opening included."""
        return self._end_of(match)[1] + 1

    def submitted(self, match: str, key: str) -> tuple[int, int] | None:
        """The first and last event submitted to a match under a key; None if there is none. A sealed match keeps no
        keys."""
        with self.backend.reading() as reader:
            known = reader.key(match, key)
        return None if known is None else (known.first, known.last)

    def tip(self, match: str) -> tuple[int, bytes]:
        """The number and leaf of the last event of a match; the leaf covers all events of the match.

        NotFoundError if there is no such match.
        """
        with self.backend.reading() as reader:
            tip = reader.tip(match)
            if tip is None:
                raise no_match(reader, match)
        return tip

    def book_of(self, match: str) -> str:
        """The book in which a match was recorded. NotFoundError if there is no such match."""
        return self._end_of(match)[0]

    def lines(self, match: str) -> list[EventLine]:
        """The events of a match, sealed or not, as stored. StoreError if they cannot be read."""
        with self.backend.snapshot() as reader:
            return match_lines(reader, match)

    def matches(self, *, book: str | None = None, game: str | None = None, open_only: bool = False) -> list[MatchRow]:
        """The matches of the store, or of one book or game, or those not over; the latest changed first.

        The register is listed only if its book is requested. A match filed in another book is listed there. Openings
        include corrections, and names in them are as shown (see `told`).
        """
        register = self.register
        filed = register.filed
        moved = book is not None and bool(filed)
        with self.backend.snapshot() as reader:
            rows = listing.matches(reader, book=None if moved else book, game=game, open_only=open_only)
            rows = self._corrected(reader, rows)
        rows = [row for row in rows if row.game != REGISTER or book == REGISTER]
        if filed:
            rows = [
                structs.replace(row, book=filed[row.match], recorded=row.book)
                if filed.get(row.match, row.book) != row.book else row for row in rows
            ]
            rows = [row for row in rows if book in (None, row.book)]
        return [register.row(row) for row in rows] if register.hides else rows

    def _corrected(self, reader: Reader, rows: list[MatchRow]) -> list[MatchRow]:
        """The rows with corrections of their openings applied. Only new events are scanned for corrections."""
        for book, head in reader.heads():
            after = self._looked.get(book, 0)
            if isinstance(head, int) and head > after:
                for match in listing.reopened_in(reader, str(book), after):
                    self._reopened.setdefault(match, None)
                self._looked[book] = head
        return [
            structs.replace(row, facts=self._facts(reader, row)) if row.match in self._reopened else row for row in rows
        ] if self._reopened else rows

    def _facts(self, reader: Reader, row: MatchRow) -> Facts:
        known = self._reopened[row.match]
        if known is None or known[0] != row.last:
            with suppress(StoreError):  # reading the match reports the fault
                row = structs.replace(row, facts=listing.corrected_facts(reader, row))
            known = self._reopened[row.match] = (row.last, row.facts)
        return known[1]

    def played(self, book: str) -> list[MatchRow]:
        """The matches of a book in the order in which they were played: by day, then by time of change."""
        rows = self.matches(book=book)[::-1]
        return sorted(rows, key=lambda row: str(row.facts.get("Date", "")))

    def slip(self, match: str) -> tuple[str, ...]:
        """The lines of the last signed head of a match's book; empty if there is none."""
        last = self.last_checkpoint(self.book_of(match))
        return tuple(last.note.removesuffix("\n").split("\n")) if last else ()

    def ids(self, *, game: str | None = None) -> list[str]:
        """The ids of all matches, or those of one game, by time of creation, without the register. Reads nothing
        else."""
        with self.backend.reading() as reader:
            return [match for match in reader.ids(game=game) if match != REGISTER]

    def last_open_match(self) -> str | None:
        """The unfinished match changed last; None if there is none. Variations and sealed matches are skipped."""
        with self.backend.snapshot() as reader:
            return listing.last_open_match(reader, but=REGISTER)

    def find(self, prefix: str) -> str:
        """The only id that begins with `prefix`; a complete id is always found.

        NotFoundError if there is none or several; the error lists them.
        """
        with self.backend.snapshot() as reader:
            return listing.find_match(reader, prefix)

    def book_named(self, name: str) -> tuple[str, str]:
        """The book with this name, or else the book and id of the match with it.

        NotFoundError if there is neither.
        """
        with self.backend.snapshot() as reader:
            return listing.book_named(reader, name)

    def books(self) -> list[BookRow]:
        """The books of the store, oldest first."""
        with self.backend.snapshot() as reader:
            return listing.books(reader)

    def tail(self, book: str = HOME, after: int = 0, limit: int | None = None) -> list[BookEvent]:
        """The events of a book after a position in the order they were written, at most `limit`.

        NotFoundError if there is no such book.
        """
        with self.backend.snapshot() as reader:
            return listing.tail(reader, book, after, ALL if limit is None else limit)

    def wait(self, seconds: float) -> None:
        """Wait this long, or less if the database signals a write."""
        self.backend.wait(seconds)

    def to_seal(self, book: str | None = None) -> list[str]:
        """The matches that are over and not sealed, by time of creation."""
        with self.backend.snapshot() as reader:
            return reader.matches_to_seal(book)

    # Checking and proving

    def check(self) -> None:
        """Check the whole store: its file, and that no event is missing. StoreError names the faults.

        It takes time in proportion to the store, so it is done on request, not on opening.
        """
        if wrong := self.backend.file_faults():
            raise self._damaged(wrong)
        self.check_counts()

    def check_counts(self) -> None:
        """Check that each match and book has as many events as its row says. StoreError names the faults."""
        with self.backend.snapshot() as reader:
            counts = reader.miscounts()
        if counts:
            raise self._damaged(
                [f"{one.what} {one.name} has {one.events} events up to position {one.last}" for one in counts]
            )

    def _damaged(self, wrong: Sequence[str]) -> StoreError:
        return StoreError(
            f"the store is damaged: {'; '.join(wrong[:5])}",
            where=self.backend.place,
            todo="Copy the file before anything else, then export what can still be read, or go back to a backup",
        )

    def first_fault(self) -> str:
        """The first fault in the whole store; empty if it is what was written. StoreError as `check`."""
        self.check()
        for row in self.books():
            if wrong := self.verify(row.book).found:
                return wrong[0].text
        return ""

    def verify(
        self, book: str, against: Checkpoint | None = None, keys: Sequence[bytes] = (), *, remembered: bool = True
    ) -> Verified:
        """Verify that a book is still what was written, and find what was done to it (see `records.proof.verify`)."""
        from records.proof.verify import verify_book

        return verify_book(self.backend, self.path, book, against, keys, remembered=remembered)

    def faults(self) -> list[Change]:
        """Faults of the database itself, and foreign objects in it."""
        from records.proof.verify import verify_store

        return verify_store(self.backend)

    def public_keys(self) -> list[bytes]:
        """The public keys that signed checkpoints of this store."""
        from records.proof.signing import public_keys

        with self.backend.snapshot() as reader:
            return public_keys(reader, self.path)

    def checkpoints(self, book: str) -> list[Checkpoint]:
        """The checkpoints that the store keeps for a book, oldest first; unreadable ones are left out."""
        from records.proof.signing import checkpoints_of

        with self.backend.snapshot() as reader:
            return checkpoints_of(reader, book)

    def last_checkpoint(self, book: str) -> Checkpoint | None:
        """The last genuine checkpoint that the store keeps for a book; None if there is none."""
        from records.proof.signing import last_checkpoint

        with self.backend.snapshot() as reader:
            return last_checkpoint(reader, self.path, book)

    def leaves(self, book: str, size: int) -> list[bytes]:
        """The first `size` leaves of a book. StoreError if one is missing, or a sealed match has changed."""
        from records.proof.signing import leaves_of_book

        with self.backend.snapshot() as reader:
            return leaves_of_book(reader, book, size)

    def backup(self, target: str | os.PathLike[str]) -> Path:
        """Copy the current state of the store to a new file; others may write meanwhile.

        A store on a server becomes a store in a file, book by book, each in its state at that time. The copy is one
        complete file, without the key, and is checked before it gets its name. Copies of pictures come in a folder
        beside it. UsageError if `target` exists or its directory does not; StoreError if reading or writing fails:
        then there is no `target`.
        """
        where = Path(target)
        if not self.copies.pictures():
            self._copy_to(where)
            if not self.copies.pictures():
                return where
            new = where  # the first picture was attached meanwhile
        else:
            if where.exists():  # checked before the pictures are copied
                raise UsageError("there is a file of this name already", where=str(where), todo="Name a new file")
            # The events first, then their pictures, and the final name last: without it there is no backup.
            new = where.with_name(where.name + ".new")
            new.unlink(missing_ok=True)
            self._copy_to(new)
        with self.copies.written("the copy cannot be written", where):
            try:
                self.copies.copy_to(Copies(where))
                os.replace(new, where)
                synced(where.parent)
            except BaseException:
                new.unlink(missing_ok=True)
                raise
        return where

    def _copy_to(self, target: Path) -> None:
        """Copy the database to a new file."""
        if self.backend.backup(target):
            return
        from records.copying_books import copy_book
        from records.sqlite.opening import made_whole

        if target.exists():
            raise UsageError("there is a file of this name already", where=str(target), todo="Name a new file")
        with made_whole(target) as file:
            for row in self.books():
                copy_book(self.backend, file, row.book)
