"""Copies books from one store to another, in any database, with everything that proves them.

Every event keeps its position, so that leaves, signed heads and bundles stay byte for byte the same. A copy may be
interrupted at any moment: the committed part is the beginning of the book, and the next copy continues from there. It
may be repeated later for events added since. Only a book with a different history is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import cast

from msgspec import Struct, structs

from events.errors import ConflictError, StoreError, UnreadableError, UsageError
from records.backend import Backend, Reader, Writer
from records.hashes import NO_PREVIOUS
from records.merkle import Tree
from records.proof.checkpoints import read_checkpoint
from records.proof.signers import signer_of
from records.proof.signing import leaves_of_book
from records.reading import match_lines
from records.rows import BookEntry, EventLine, KeyEntry, MatchEntry, Stretch
from records.sealed_codec import alone, chained

AT_ONCE = 5000
"""Events written in one commit."""


class CopiedBook(Struct, frozen=True):
    """Result of copying a book: events written now, all its events, and the root of its tree (hexadecimal).

    The root is computed from both stores and compared."""

    book: str
    added: int
    events: int
    root: str


def copy_book(
    source: Backend, target: Backend, book: str, *, told: Callable[[str, int, int], None] | None = None,
) -> CopiedBook:
    """Copy one book in its current state, continuing from what the target has. `told` is called after each commit
    with the book, its position so far and its end.

    ConflictError if the target's book is not a prefix of this one, or one of its matches is in another book there.
    StoreError if the events read are not those that were written. Commits made before the error stay."""
    with source.snapshot() as reader:
        reading = _Book(reader, book)
        with target.snapshot() as other:
            heads = dict(other.heads())
            head = cast(int, heads.get(book, 0))
            leaves = leaves_of_book(reader, book, reading.head)
            if head > reading.head or (head and leaves_of_book(other, book, head) != leaves[:head]):
                raise _another(target, book, head, reading.head)
            _check_ids(reading, other, target)
        done = head
        while done < reading.head:
            upto = min(done + AT_ONCE, reading.head)
            with target.transaction() as writer:
                reading.write(writer, done, upto, leaves)
            done = upto
            if told is not None:
                told(book, done, reading.head)
        with target.transaction() as writer:
            reading.finish(writer)
    with target.snapshot() as other:
        copied = leaves_of_book(other, book, reading.head)
    if copied != leaves:
        raise StoreError(
            f"book {book} is not the same after it was copied", where=target.place,
            todo="`kibitz verify` tells what was changed",
        )
    return CopiedBook(book, reading.head - head, reading.head, Tree(leaves).root().hex())


def _another(target: Backend, book: str, head: int, ours: int) -> ConflictError:
    if head > ours:
        what = f"book {book} has {head} events there and {ours} here"
    else:
        what = f"book {book} is another one there: its first {head} events are not those of the book here"
    return ConflictError(
        what, where=target.place, todo="Nothing was written; copy into an empty database, or the other way round",
    )


def _check_ids(reading: _Book, other: Reader, target: Backend) -> None:
    """Raise ConflictError if a match of the book is in another book of the target."""
    for match in reading.entries:
        if (there := other.book_of(match)) not in (None, reading.entry.book):
            raise ConflictError(
                f"match {match} is in book {there} there", where=target.place,
                expected=f"nowhere, or in book {reading.entry.book}",
                todo="Nothing of this book was written; rename one of the two",
            )  # fmt: skip


class _Match(Struct):
    """The events of a match in order, and their leaves, preceded by the leaf before the first event."""

    lines: Sequence[EventLine]
    leaves: Sequence[bytes]


class _Book:
    """The book to be copied: its rows, and its events by match, each match cached until its last event is copied."""

    def __init__(self, reader: Reader, book: str) -> None:
        self._reader = reader
        rows = [values for values, _ in reader.entries(book, "books")]
        # The row may lag behind the last append; the reader's head does not.
        self.head = cast(int, dict(reader.heads())[book])
        self.entry = structs.replace(BookEntry(*rows[0]), head=self.head)  # type: ignore[arg-type]  # in column order
        self.entries: dict[str, MatchEntry] = {}
        for values, _ in reader.entries(book, "matches"):
            entry = MatchEntry(*values)  # type: ignore[arg-type]  # in column order
            end = reader.end_of(entry.match)
            self.entries[entry.match] = structs.replace(entry, last=end[1]) if end is not None else entry
        self.keys: dict[str, list[KeyEntry]] = {}
        for values, _ in reader.entries(book, "keys"):
            key = KeyEntry(*values[:5])  # type: ignore[arg-type]  # in column order
            if key.key:
                self.keys.setdefault(key.match, []).append(key)
        self._held: dict[str, _Match] = {}

    def _of(self, match: str) -> _Match:
        if match not in self._held:
            lines = match_lines(self._reader, match)
            try:
                leaves = chained(self.entry.book.encode(), match.encode(), lines)
            except (UnreadableError, AttributeError, TypeError) as error:
                raise self._damaged(match) from error
            self._held[match] = _Match(lines, [NO_PREVIOUS, *leaves])
        return self._held[match]

    def _damaged(self, match: str) -> StoreError:
        return StoreError(
            f"the events of match {match} are not those that were written", where=self._reader.place,
            todo="`kibitz verify` tells what was changed; what was copied before stands",
        )  # fmt: skip

    def write(self, writer: Writer, after: int, upto: int, leaves: Sequence[bytes]) -> None:
        """Write the events of the book after one position, up to another."""
        book, reader = self.entry.book, self._reader
        entry = writer.book(book, self.entry.created)
        if entry.head != after:
            raise ConflictError(
                f"another program wrote into book {book} while it was copied", where=writer.place,
                todo="Copy it again when no other program writes"
            )
        here = {str(row[1]) for row in reader.book_events(book, after, upto - after)}
        here |= {row.match for row in reader.sealed_in(book, after, upto)}
        stretches = sorted(
            (stretch for match in here if (stretch := self._between(match, after, upto)) is not None),
            key=lambda one: one.positions[0]
        )
        for stretch in stretches:
            if [leaves[pos - 1] for pos in stretch.positions] != [*stretch.leaves[1:]]:
                raise self._damaged(stretch.match)
            self._write(writer, stretch)
            if stretch.last == self.entries[stretch.match].last:
                del self._held[stretch.match]
        if sum(len(stretch.payloads) for stretch in stretches) != upto - after:
            raise StoreError(
                f"book {book} lacks an event between {after + 1} and {upto}", where=reader.place,
                todo="`kibitz verify` tells what was changed"
            )
        writer.move_head(entry, upto, leaves[upto - 1])

    def _between(self, match: str, after: int, upto: int) -> Stretch | None:
        """The run of a match's events between the two positions; None if there are none."""
        if match not in self.entries:
            raise self._damaged(match)
        whole = self._of(match)
        at = [i for i, line in enumerate(whole.lines) if after < line.pos <= upto]
        if not at:
            return None
        first, last = at[0], at[-1]
        positions, _, types, versions, times, recorders, keys, payloads = zip(
            *whole.lines[first : last + 1], strict=True,
        )
        return Stretch(
            self.entry.book, match, first, positions, types, versions, times, recorders, keys, payloads,
            whole.leaves[first : last + 2]
        )

    def _write(self, writer: Writer, stretch: Stretch) -> None:
        entry = self.entries[stretch.match]
        # The row as it was when these were the last events.
        then = structs.replace(entry, last=stretch.last, is_over=0, is_sealed=0)
        if stretch.n == 0:
            known = entry.parent is not None and writer.end_of(entry.parent) is not None
            writer.add_match(then if known else structs.replace(then, parent=None, parent_n=None))
            writer.add_events(stretch)
        else:
            if (row := writer.sealed(stretch.match)) is not None:
                raise UsageError(
                    f"match {row.match} is sealed there and has more events here", where=writer.place,
                    todo=f"`kibitz db seal --unseal {row.match}` there",
                )
            writer.add_events(stretch)
            writer.update_match(then)
        writer.put_keys([key for key in self.keys.get(stretch.match, []) if stretch.n <= key.last <= stretch.last])

    def finish(self, writer: Writer) -> None:
        """Copy the rest: which matches are over or sealed, tiles and checkpoints."""
        reader, book = self._reader, self.entry.book
        for match, entry in self.entries.items():
            tail = writer.tail(match)
            assert tail is not None
            have = tail.entry
            if (sealed := reader.sealed(match)) is not None and not have.is_sealed:
                try:
                    writer.add_sealed(alone(sealed))
                except UnreadableError as error:
                    raise self._damaged(match) from error
                writer.remove_events(match)
            elif have.is_sealed and not entry.is_sealed:
                entry = structs.replace(entry, is_sealed=1)
            if structs.replace(entry, parent=have.parent, parent_n=have.parent_n, changed=have.changed) != have:
                writer.update_match(structs.replace(entry, parent=have.parent, parent_n=have.parent_n))
        roots = [root for _, root in reader.tiles(book)]
        writer.add_tiles(book, 0, cast(list[bytes], roots))
        publics = [bytes.fromhex(str(signer)) for signer in reader.signers()]
        known = {note for _, _, note in writer.checkpoints(book)}
        for _, _, note in reader.checkpoints(book):
            if note not in known:
                _carry(writer, book, note.decode(), publics, self.entry.created)


def _carry(writer: Writer, book: str, text: str, publics: Iterable[bytes], created: str) -> None:
    """Keep a checkpoint of the source, if a known key signed it; any other proves nothing and is left behind."""
    with suppress(UnreadableError):
        checkpoint, _ = read_checkpoint(text)
        if (signer := signer_of(checkpoint, publics, book)) is not None:
            writer.add_checkpoint(book, checkpoint.size, signer.hex(), checkpoint.root.hex(), created, text)
