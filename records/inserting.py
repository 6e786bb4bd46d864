"""Prepares events for a transaction: positions, hashes, and the rows to update."""

from __future__ import annotations

from collections.abc import Sequence

from events.canon import encode, encode_body
from events.errors import ConflictError, StoreError, UnreadableError, UsageError
from events.limits import MAX_EVENTS
from events.model import Open, Recorded, verb_of
from records.backend import Writer
from records.commitments import Commitments, new_commitments
from records.hashes import NO_PREVIOUS, chain
from records.names import cut_short
from records.reading import branches_off
from records.rows import BookEntry, KeyEntry, MatchEntry, Stretch, Tail


def insert_whole(
    writer: Writer, match: str, book: str, game: str, records: Sequence[Recorded], bodies: Sequence[bytes], now: str, *,
    sealed: bool = False, in_parts: bool = False,
) -> None:  # fmt: skip
    """Write a new match from its opening on, one row an event or `sealed`. The book is created if it is missing.

    `in_parts`: in layout 2, so that it can be shown in part."""
    entry = writer.book(book, now)
    parent, parent_n = branches_off(records[0]) or (None, None)
    if parent is not None and (parent == match or writer.end_of(parent) is None):
        parent, parent_n = None, None
    created = records[0].time or now
    new = MatchEntry(match, book, game, created, now, len(records) - 1, 0, parent, parent_n, int(sealed))
    parts = new_commitments(book, match) if in_parts else None
    events = laid_out(entry, match, 0, records, bodies, NO_PREVIOUS, parts)
    if sealed:
        writer.add_sealed_match(new, events)
    else:
        writer.add_match(new)
        writer.add_events(events)
    writer.move_head(entry, events.positions[-1], events.leaves[-1])


def insert(
    writer: Writer, tail: Tail, records: Sequence[Recorded], bodies: Sequence[bytes], now: str,
    key: KeyEntry | None = None
) -> None:
    """Append events to a match, whatever numbers they carry; update the rows of match and book, and keep the
    submission key.

    `tail` was returned by this transaction's writer.
    """
    entry, leaf = tail.entry, tail.leaf
    if not leaf or len(leaf) != 32:
        raise StoreError(
            f"the store is damaged: event {entry.last} of match {entry.match} has no leaf",
            where=writer.place,
            todo="`kibitz verify` tells what was changed",
        )
    made = laid_out(tail.book, entry.match, entry.last + 1, records, bodies, leaf, tail.parts)
    writer.append(tail, made, now, key)


def laid_out(
    book: BookEntry, match: str, first: int, records: Sequence[Recorded], bodies: Sequence[bytes], prev: bytes,
    parts: Commitments | None = None,
) -> Stretch:
    """The events as they are stored, at the next positions of the book and from number `first` in their match.

    `prev` is the leaf before them in their match; `parts` are its commitments, in layout 2. UnreadableError if an
    event is too long with its salts.
    """
    if parts is not None:
        bodies = [parts.salted(body, first=n == 0) for n, body in enumerate(bodies, first)]
    name, positions = book.book, range(book.head + 1, book.head + 1 + len(records))
    types, versions = [verb_of(r.event) for r in records], [r.v for r in records]
    times, recorders, keys = [r.time for r in records], [r.recorder for r in records], [r.key for r in records]
    leaves = chain(
        name.encode(), match.encode(), prev, positions, first, types, versions, times, recorders, keys, bodies,
        parts,
    )
    return Stretch(name, match, first, positions, types, versions, times, recorders, keys, bodies, leaves)


def check_whole(records: Sequence[Recorded]) -> Open:
    """The opening of a complete match. UnreadableError if it does not start with one, has a gap, or is too long."""
    opening = records[0].event if records else None
    if len(records) > MAX_EVENTS + 1:
        raise UnreadableError("the match is too long", expected=f"at most {MAX_EVENTS} events")
    if not isinstance(opening, Open):
        raise UnreadableError("the match does not begin with its opening", expected="an `open` event at position 0")
    if [recorded.n for recorded in records] == list(range(len(records))):
        return opening
    for n, recorded in enumerate(records):
        if recorded.n != n:
            raise UnreadableError(f"event {n} is missing, event {recorded.n} stands in its place")
    return opening


def agree(ours: Recorded, theirs: Recorded) -> bool:
    """True if two records of one event are the same. A field that is empty in `theirs` contradicts nothing."""
    if ours == theirs and encode_body(ours) == encode_body(theirs):  # `==` alone takes True for 1
        return True
    return (
        ours.v == theirs.v
        and encode_body(ours) == encode_body(theirs)
        and theirs.time in ("", ours.time)
        and theirs.recorder in ("", ours.recorder)
        and theirs.key in ("", ours.key)
    )


def too_long(match: str, last: int) -> UsageError:
    """The error for a match with too many events."""
    return UsageError(
        f"the match would have {last} events", where=f"match {match}", expected=f"at most {MAX_EVENTS}",
        todo="Nothing was written; go on in a new match",
    )  # fmt: skip


def conflict_error(match: str, ours: Recorded, theirs: Recorded) -> ConflictError:
    """The error for two records of one event that contradict each other."""
    return ConflictError(
        f"the store has {cut_short(encode(ours).decode().strip())}, the other record has "
        f"{cut_short(encode(theirs).decode().strip())}",
        where=f"match {match}, event {ours.n}",
        todo=(
            "If a match was put right outside, `kibitz import FILE --as-corrections` shows its corrections; if "
            "these are two matches, give one an id of its own"
        ),
    )
