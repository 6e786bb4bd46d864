"""Sealing: the rows of a finished match become one row, and rows again if something must be added.

Nothing is lost, and the proofs stay the same: unsealing gives the same bytes, positions and hashes. Sealing unpacks
what it packed and compares, within the transaction that changes the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec import structs

from events.canon import encode_body
from events.errors import StoreError, UnreadableError, UsageError
from records.backend import Writer
from records.commitments import is_salted
from records.hashes import NO_PREVIOUS
from records.reading import no_match, recorded, sealed_lines
from records.rows import EventLine, MatchEntry, Stretch
from records.sealed_codec import Sealed, chained, damaged, leaves_in, sealed_row
from records.submissions import note_keys


def seal(writer: Writer, match: str, *, unfinished: bool = False) -> Sealed:
    """Put a finished match into one row. A sealed match stays as it is.

    With `unfinished`, also a match that is not over according to the store, such as a single hand of an archive.
    NotFoundError if there is no such match; UsageError if it is not over; StoreError if its events are not those that
    were written: then nothing is sealed.
    """
    tail = writer.tail(match)
    if tail is None:
        raise no_match(writer, match)
    if not (tail.entry.is_over or tail.entry.is_sealed or unfinished):
        raise UsageError(
            f"match {match} is not over", where=writer.place, todo="Seal it all the same with --unfinished",
        )
    return seal_rows(writer, tail.entry)


def seal_rows(writer: Writer, entry: MatchEntry) -> Sealed:
    """Put the rows of a match into one, whether it is over or not. `entry` is its row as read in this transaction."""
    match = entry.match
    if entry.is_sealed:
        there = writer.sealed(match)
        size = 0 if there is None else len(there.body) if there.bound is None else there.bound.size
        return Sealed(match, entry.last + 1, size)
    lines, tip = _sound(writer, entry)
    _check_keys(writer, match, lines)
    row = sealed_row(entry.book, match, lines, tip)
    writer.add_sealed(row)
    writer.remove_events(match)
    writer.update_match(structs.replace(entry, is_sealed=1))
    return Sealed(match, len(lines), len(row.body))


def unseal(writer: Writer, match: str) -> int:
    """Turn a sealed match into rows again, so that events can be added. Returns their number. No effect if not
    sealed.

    NotFoundError if there is no such match; StoreError if the sealed events have changed.
    """
    tail = writer.tail(match)
    if tail is None:
        raise no_match(writer, match)
    there = writer.sealed(match)
    if not tail.entry.is_sealed or there is None:
        return tail.entry.last + 1
    lines = sealed_lines(writer.place, there)
    try:
        leaves = leaves_in(there, lines)
    except UnreadableError as error:
        raise damaged(writer.place, match, error) from error
    positions, _, types, versions, times, recorders, keys, payloads = zip(*lines, strict=True)
    writer.add_events(
        Stretch(
            there.book, match, 0, positions, types, versions, times, recorders, keys, payloads, [NO_PREVIOUS, *leaves],
        )
    )
    writer.remove_sealed(match)
    writer.update_match(structs.replace(tail.entry, is_sealed=0))
    keep_keys(writer, match, lines)
    return len(lines)


def keep_keys(writer: Writer, match: str, lines: Sequence[EventLine]) -> None:
    """Keep the submission keys of a whole match, as if it was submitted as it stands."""
    records = [recorded(writer.place, match, line) for line in lines]
    bodies = [
        encode_body(r) if is_salted(line.payload) else line.payload for r, line in zip(records, lines, strict=True)
    ]
    note_keys(writer, match, records, bodies, 0)


def _sound(writer: Writer, entry: MatchEntry) -> tuple[list[EventLine], bytes]:
    """The events of a match and its last leaf. StoreError unless they are complete and as written."""
    rows = writer.lines(entry.match)
    lines = [row.line for row in rows]
    books = {row.book for row in rows}
    leaves: list[bytes] = []
    if len(books) == 1 and isinstance(book := books.pop(), str):
        with suppress(UnreadableError, AttributeError, TypeError):  # a column has a wrong type
            leaves = chained(book.encode(), entry.match.encode(), lines)
    stored = [(row.prev, row.leaf) for row in rows]
    if [line.n for line in lines] != list(range(entry.last + 1)) or stored != list(
        zip([NO_PREVIOUS, *leaves], leaves, strict=False)
    ):
        raise StoreError(
            f"not sealed: the events of match {entry.match} are not those that were written",
            where=writer.place,
            todo="`kibitz verify` tells what was changed",
        )
    return lines, leaves[-1]


def _check_keys(writer: Writer, match: str, lines: Sequence[EventLine]) -> None:
    """Raise StoreError unless unsealing would restore the submission keys that sealing deletes."""
    said: dict[str, tuple[int, int]] = {}
    for line in lines:
        if line.key:
            said[line.key] = (said.get(line.key, (line.n, line.n))[0], line.n)
    if {key: (first, last) for key, first, last in writer.keys(match)} != said:
        raise StoreError(
            f"not sealed: the submission keys of match {match} are not those of its events",
            where=writer.place,
            todo="`kibitz verify` tells what was changed",
        )
