"""Lists of a store's matches and books, showing only what the events prove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from events.errors import NotFoundError, StoreError, UnreadableError
from events.model import Facts, Fix, Open, Recorded
from records.backend import Reader
from records.names import cut_short, first_names
from records.reading import branches_off, event_of, events_of, no_match, sealed_lines
from records.rows import ALL, BookEvent, BookRow, ListedMatch, MatchRow
from records.sealed_codec import damaged, ends_in, reopens, unsealed_lines

Listed = TypeVar("Listed", MatchRow, BookRow)
_MOST = 1000
"""The most matches with one prefix that are counted."""


def matches(reader: Reader, *, book: str | None, game: str | None, open_only: bool) -> list[MatchRow]:
    """The matches of a store, or of one book or game, or those not over; the latest changed first.

    StoreError if a match cannot be read or has lost its events.
    """
    rows: list[MatchRow] = []
    ends: list[tuple[object, ...]] = []
    for row in reader.matches(book=book, game=game, open_only=open_only):
        rows.append(_listed(reader, row))
        ends.append((rows[-1].book, row.end, rows[-1].changed))
    if book is None and not open_only and (lost := set(reader.ids(game=game)).difference(row.match for row in rows)):
        raise damaged(reader.place, min(lost), UnreadableError("the events of a match are missing"))
    return [rows[i] for i in latest(ends)]


def reopened_in(reader: Reader, book: str, after: int) -> Iterator[str]:
    """The matches of a book that may have a correction of their opening after a position. Unreadable ones are
    skipped."""
    yield from reader.reopened(book, after)
    for row in reader.sealed_in(book, after):
        with suppress(UnreadableError):
            if reopens(row):
                yield str(row.match)


def corrected_facts(reader: Reader, row: MatchRow) -> Facts:
    """The facts of a match's opening after corrections. StoreError if the match cannot be read."""
    said = [r.event.event for r in events_of(reader, row.match) if isinstance(r.event, Fix) and r.event.at == 0]
    return next((one.facts for one in reversed(said) if isinstance(one, Open)), row.facts)


def _listed(reader: Reader, row: ListedMatch) -> MatchRow:
    """A match in a list, its opening and times taken from its events. StoreError if they cannot be read."""
    v, payload, created, changed = row.version, row.payload, row.created, row.changed
    sealed = row.body is not None
    if sealed and payload is None:
        try:
            v, payload, created, changed = ends_in(
                row.body, row.dictionary, row.last + 1 if type(row.last) is int else 0,
            )
        except UnreadableError as error:
            raise damaged(reader.place, row.match, error) from error
    opening = event_of(reader.place, row.match, 0, v, "", "", "", payload)
    facts = opening.event.facts if isinstance(opening.event, Open) else {}
    listed = _as(reader, MatchRow, {
        "match": row.match, "book": row.book, "game": str(facts.get("Game", row.game)), "created": created,
        "changed": changed or created, "last": row.last, "over": bool(row.is_over), "parent": row.parent,
        "parent_n": row.parent_n, "facts": facts, "sealed": sealed,
    })  # fmt: skip
    if (proved := _branches_off(reader, listed.match, opening)) != (listed.parent, listed.parent_n):
        return structs.replace(listed, parent=proved[0], parent_n=proved[1])
    return listed


def _branches_off(reader: Reader, match: str, opening: Recorded) -> tuple[str, int] | tuple[None, None]:
    """The match and event that a variation branches off, if that match is in the store."""
    parent = branches_off(opening)
    return (None, None) if parent is None or parent[0] == match or reader.end_of(parent[0]) is None else parent


def _as(reader: Reader, kind: type[Listed], row: dict[str, Any]) -> Listed:
    """A row of a list. StoreError if a column has a wrong type, as a flipped bit can cause."""
    try:
        return msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise StoreError(
            f"the store is damaged: {error}",
            where=f"{reader.place}, {row.get('match') or row.get('book') or ''!s:.80}",
            todo="`kibitz verify` tells what was changed; go back to a backup",
        ) from error


def latest(ends: Sequence[tuple[Any, ...]]) -> Iterator[int]:
    """Indexes of matches, the latest changed first, given book, position and time of each last event.

    Within a book positions decide, which are proved; times decide only between books.
    """
    books: dict[object, list[int]] = {}
    for i in sorted(range(len(ends)), key=lambda i: ends[i][1] if isinstance(ends[i][1], int) else 0):
        books.setdefault(ends[i][0], []).append(i)
    waiting = list(books.values())
    while waiting:
        last = max(
            waiting, key=lambda one: (str(ends[one[-1]][2]), str(ends[one[-1]][0])),
        ) if waiting[1:] else waiting[0]
        yield last.pop()
        if not last:
            waiting.remove(last)


def last_open_match(reader: Reader, but: str = "") -> str | None:
    """The unfinished match changed last, other than `but`; None if there is none. Variations are skipped."""
    rows = [row for row in reader.open_matches() if row[0] != but]
    for match in (rows[i][0] for i in latest([row[1:] for row in rows])):
        # A variation imported without its parent says so only in its opening.
        opening = events_of(reader, str(match), last=0)
        if not opening:
            raise StoreError(
                f"the store is damaged: match {match} has no opening",
                where=reader.place,
                todo="`kibitz verify` tells what was changed",
            )
        if branches_off(opening[0]) is None:
            return str(match)
    return None


def find_match(reader: Reader, prefix: str) -> str:
    """The only id that begins with `prefix`; a complete id is always found.

    NotFoundError if there is none or several; the error lists them.
    """
    wanted = prefix.strip().lower()
    found = reader.ids_from(wanted, _MOST + 1)
    if wanted in found:
        return wanted
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFoundError(
            f"{len(found) if len(found) <= _MOST else f'more than {_MOST}'} matches begin with "
            f"{cut_short(wanted)!r}: {first_names(found)}",
            where=reader.place,
            todo="Write one more character of the id",
        )
    raise no_match(reader, wanted)


def book_named(reader: Reader, name: str) -> tuple[str, str]:
    """The book with this name, or else the book and id of the match with it. NotFoundError if there is neither."""
    if name in [book for book, _ in reader.heads()]:
        return name, ""
    try:
        match = find_match(reader, name)
    except NotFoundError as error:
        raise NotFoundError(
            error.what.replace("no match", "no book and no match"), where=error.where, expected=error.expected,
            todo=error.todo or "`kibitz list` shows books and matches",
        ) from error  # fmt: skip
    return reader.book_of(match) or "", match


def books(reader: Reader) -> list[BookRow]:
    """The books of a store, oldest first."""
    found = [
        _as(reader, BookRow, {"book": book, "head": head, "created": _begun(reader, book, time)})
        for book, head, time in reader.books()
    ]
    return sorted(found, key=lambda row: (row.created, row.book))


def _begun(reader: Reader, book: Any, time: object) -> str:
    """The time of a book's first event, from its row or its sealed match; empty if unknown."""
    if time is not None:
        return time if isinstance(time, str) else ""
    for sealed in reader.sealed_in(book, 0, 1):
        with suppress(UnreadableError):  # reading or verifying that match reports the fault
            return unsealed_lines(sealed)[0].time
    return ""


def tail(reader: Reader, book: str, after: int, limit: int) -> list[BookEvent]:
    """The events of a book after a position in the order they were written, at most `limit`. NotFoundError if there
    is no such book."""
    rows = reader.book_events(book, after, limit)
    # Positions have no gaps, so the next `limit` events are within this range.
    sealed = list(reader.sealed_in(book, after, min(after + limit, ALL)))
    if not rows and not sealed and book not in (names := [name for name, _ in reader.heads()]):
        raise NotFoundError(
            f"there is no book {cut_short(book)!r}",
            where=reader.place,
            expected=first_names(names) or "a book; the store has none yet",
        )
    if any(type(row[0]) is not int for row in rows):
        raise StoreError(
            "the store is damaged: the position of an event is not a number",
            where=reader.place,
            todo="`kibitz verify` tells what was changed",
        )
    if sealed:
        for one in sealed:
            lines = sealed_lines(reader.place, one)
            rows += [(pos, one.match, n, *rest) for pos, n, _, *rest in lines if pos > after]
        rows.sort(key=lambda row: row[0])
    return [BookEvent(pos, match, event_of(reader.place, match, *rest)) for pos, match, *rest in rows[:limit]]
