"""Turns rows into events, and reads what an opening says; shared by all modules that return events."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from events.canon import decode_body, recorded_all, recorded_from
from events.errors import KibitzError, NotFoundError, StoreError, UnreadableError
from events.model import Open, Recorded
from events.suggestions import did_you_mean
from records.backend import Reader
from records.commitments import Commitments, begun
from records.names import FAR, cut_short, first_names
from records.rows import EventLine, SealedRow, StoredRow
from records.sealed_codec import damaged, unsealed_lines

_LOOKED_AT = 1000
"""How many of the latest ids are compared with the id of a missing match."""
_COLUMN_TYPES = (int, int, str, str, str, bytes)
_LINE = (int, int, str, int, str, str, str, bytes)


def events_of(reader: Reader, match: str, after: int = -1, last: int = FAR) -> list[Recorded]:
    """The events of a match with numbers above `after`, up to `last`, sealed or not. StoreError if unreadable."""
    rows = reader.events(match, after, last)
    if not rows and (sealed := reader.sealed(match)) is not None:
        rows = [(line.n, *line[3:]) for line in sealed_lines(reader.place, sealed)[max(after + 1, 0) : last + 1]]
    return as_events(reader.place, match, rows)


def as_events(place: str, match: str, rows: Sequence[StoredRow]) -> list[Recorded]:
    """Events from rows of number, version, time, recorder, key and payload. StoreError names the unreadable one."""
    types = {(type(n), type(v), type(time), type(who), type(key), type(body)) for n, v, time, who, key, body in rows}
    if types == {_COLUMN_TYPES}:
        with suppress(KibitzError):
            return recorded_all(rows)
    return [event_of(place, match, *row) for row in rows]


def event_of(place: str, match: str, n: int, v: int, time: str, recorder: str, key: str, payload: bytes) -> Recorded:
    """One row as an event. StoreError if it cannot be read."""
    try:
        # SQLite keeps values of any type in any column, and a flipped bit may change the type.
        if (type(n), type(v), type(time), type(recorder), type(key), type(payload)) != _COLUMN_TYPES:
            raise UnreadableError("a column of it is of another type")
        return recorded_from(decode_body(payload, v), n, v, time, recorder, key)
    except KibitzError as error:
        raise StoreError(
            f"the stored event cannot be read ({error})",
            where=f"{place}, match {match}, event {n}",
            todo="Use a newer Kibitz if one wrote it; otherwise the store is damaged: go back to a backup",
        ) from error


def recorded(place: str, match: str, line: EventLine) -> Recorded:
    """One line of a sealed match as an event. StoreError if it cannot be read."""
    _, n, _, version, time, recorder, key, payload = line
    return event_of(place, match, n, version, time, recorder, key, payload)


def sealed_lines(place: str, row: SealedRow) -> list[EventLine]:
    """The events of a sealed match. StoreError if they cannot be read."""
    try:
        return unsealed_lines(row)
    except UnreadableError as error:
        raise damaged(place, str(row.match), error) from error


def match_lines(reader: Reader, match: str) -> list[EventLine]:
    """The events of a match, sealed or not, as they are stored. StoreError if they cannot be read."""
    rows = reader.lines(match)
    if not rows and (sealed := reader.sealed(match)) is not None:
        return sealed_lines(reader.place, sealed)
    if any(tuple(map(type, row.line)) != _LINE for row in rows):
        raise damaged(reader.place, match, UnreadableError("a column of an event is of another type"))
    return [row.line for row in rows]


def branches_off(opening: Recorded) -> tuple[str, int] | None:
    """The match and event that a variation branches off, from the tags `Parent` and `ParentEvent`; else None."""
    facts = opening.event.facts if isinstance(opening.event, Open) else {}
    parent, n = facts.get("Parent"), facts.get("ParentEvent")
    return (parent, n) if isinstance(parent, str) and type(n) is int and 0 <= n < FAR else None


def opened_in_parts(place: str, book: object, match: str, payload: object) -> Commitments | None:
    """The commitments of a match, given the payload of its opening; None for layout 1, or if there is no payload.

    Lines after the first are not looked at. StoreError if the salts are not those that were written."""
    if not payload:
        return None
    try:
        opening = payload.encode() if isinstance(payload, str) else bytes(payload)  # type: ignore[call-overload]  # else TypeError
        parts = begun(str(book).encode(), match.encode(), opening.split(b"\n", 1)[0])
        if parts is not None and parts.seed is None:
            raise ValueError("the seed is missing")
        return parts
    except (ValueError, TypeError) as error:
        raise damaged(place, match, UnreadableError(f"its opening is not the one that was written ({error})")) from None


def parts_of(reader: Reader, match: str) -> Commitments | None:
    """The commitments of a match that is not sealed; None for layout 1. StoreError as above."""
    book, rows = reader.book_of(match), reader.events(match, -1, 0)
    return opened_in_parts(reader.place, book, match, rows[0][5]) if rows else None


def missing_from(numbers: Sequence[object], after: int, last: int) -> str:
    """The missing events of a match after a position, in words; empty if there are none. `last` is the last number.

    >>> missing_from([3, 4], 2, 4), missing_from([4], 2, 5), missing_from([], 7, 7)
    ('', 'events 3 to 5 are not all there', '')
    """
    first = after + 1
    if len(numbers) == max(0, last - after) and (not numbers or (numbers[0], numbers[-1]) == (first, last)):
        return ""
    return (
        f"events {first} to {last} are not all there" if last >= first
        else f"there are events behind {last}, which is the last"
    )


def no_match(reader: Reader, match: str) -> KibitzError:
    """The error for a missing match, with similar ids; or for a damaged store, if parts of the match are there."""
    names = reader.latest_ids(_LOOKED_AT)
    if reader.events(match, -1, 0) or reader.sealed(match) is not None or (
        not names and any(last for _, last, _ in reader.books())
    ):
        return damaged(
            reader.place, match,
            UnreadableError("the entry of a match is missing" if names else "the entries of all matches are missing"),
        )
    meant = did_you_mean(match, names)
    return NotFoundError(
        f"there is no match {cut_short(match)!r}",
        where=reader.place,
        expected="" if meant else f"one of {first_names(names)}" if names else "a match; the store has none yet",
        todo=f"{meant} `kibitz list` shows the matches" if meant else "",
    )
