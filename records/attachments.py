"""Attached pictures of a store's matches: attach, remove, check, find unused copies.

Events say what is attached (`events.picture_notes`); files beside the store are the copies (`records.copies`).
Nothing else is kept about pictures that could contradict either. A copy is on disk before its event is appended, and
the removal event is appended before the copy is deleted. Both changes hold the lock of the store, so that a picture
is not deleted while it is attached to another match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotFoundError, StoreError, UnreadableError
from events.model import Fix, Note, Recorded
from events.picture_notes import Attachment, attached, attachments, imported_note, picture_note, taking_away
from records.backend import Reader
from records.copies import ReadPicture, State
from records.proof.tampering import Change
from records.reading import recorded
from records.rows import Appended, EventLine, whole_value
from records.sealed_codec import damaged, mentions, unsealed_lines

if TYPE_CHECKING:
    from records.store import Store

_NAMES = re.compile(rb'"(?:sha256|removed)":"')
_SHORTEST = 6
"""The fewest digits of a hash that may name a picture."""


class PictureState(Struct, frozen=True):
    """A picture of a match and the state of its copy: kept, missing, changed, unreadable, removed, or absent if the
    record was imported without it."""

    match: str
    n: int
    sha256: str
    kind: str
    size: int
    state: str
    refs: tuple[int, ...] = ()
    text: str = ""
    removed: int = 0
    struck: int = 0
    path: str = ""


class Removed(Struct, frozen=True):
    """Result of a removal: the event that records it, whether the copy is gone, other matches that name the picture."""

    done: Appended
    gone: bool
    others: list[str]


# Attaching and removing


def attach(store: Store, match: str, new: ReadPicture, note: Recorded) -> Appended:
    """Keep a copy of a picture and append the note that names it. `note` has its remark, its references and further
    facts.

    Attaching the same picture again, with the same references and remark, appends nothing but restores a lost copy.
    Raises as `Store.append` does. StoreError if the copy cannot be written; then nothing is recorded.
    """
    refs = getattr(note.event, "refs", ())
    part = store.copies.prepare(new)
    try:
        with store.turn():
            for one in attachments(store.read(match)):
                if (
                    one.sha256, one.refs, one.text, one.removed, one.struck, one.absent,
                ) == (new.sha256, refs, note.text, 0, 0, False):
                    store.copies.settle(new, part)
                    return Appended(one.n, one.n, repeated=True)
            made = store.copies.settle(new, part)
            try:
                said = picture_note(new.sha256, new.kind, len(new.data), refs)
                named = Recorded(
                    n=0, event=replace(said, facts={**getattr(note.event, "facts", {}), **said.facts}), text=note.text,
                    recorder=note.recorder,
                )
                return store.append(match, [named])
            except BaseException:
                if made:  # no event names it
                    store.copies.drop(new.sha256, new.kind)
                raise
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def remove(store: Store, match: str, which: str, *, text: str = "", recorder: str = "") -> Removed:
    """Append the removal of a picture's copy, and delete the copy unless another match or event needs it.

    `which` is the event that names the picture (`12`), or the beginning of its hash. A repeated call appends nothing.
    NotFoundError if the match names no such picture.
    """
    with store.turn():
        one = find_picture(attachments(store.read(match)), which, match)
        done = Appended(one.removed, one.removed, repeated=True)
        if not one.removed:
            note = Recorded(n=0, event=taking_away(one.sha256, (one.n,)), text=text, recorder=recorder)
            done = store.append(match, [note])
    # The removal is on disk. Most of the store is scanned before the lock is taken, so that writers wait less.
    seen = PictureSweep(store)
    with store.turn():
        others = [
            name for name, held in seen.on().items() if any(a.sha256 == one.sha256 and not a.removed for a in held)
        ]
        gone = not others and store.copies.drop(one.sha256, one.kind)
    return Removed(done, gone, others)


def find_picture(held: Sequence[Attachment], which: str, match: str) -> Attachment:
    """The picture of a match, by its event or the beginning of its hash. NotFoundError if there is none."""
    name = which.lstrip("#").lower()
    if name.isdecimal() and len(name) < 16:
        found = [one for one in held if one.n == int(name)]
    else:
        found = [one for one in held if len(name) >= _SHORTEST and one.sha256.startswith(name)]
    if not found:
        known = ", ".join(f"#{one.n}" for one in held[:5])
        raise NotFoundError(
            f"no picture is attached as {which[:80]!r}", where=f"match {match}",
            expected=f"one of {known}" if known else "a picture; none is attached to this match",
        )  # fmt: skip
    return found[-1]


# Checking


def look_at_pictures(store: Store, match: str, records: Iterable[Recorded]) -> list[PictureState]:
    """The pictures that a match names, and the states of their copies."""
    return [_looked(store, match, one) for one in attachments(records)]


def in_lines(place: str, match: str, lines: Iterable[EventLine]) -> list[Attachment]:
    """The pictures named in the stored events of a match; unreadable events are skipped."""
    found = []
    for line in lines:
        if _may_name(line):
            with suppress(StoreError):
                found.append(recorded(place, match, line))
    return attachments(found)


def _may_name(line: EventLine) -> bool:
    return line.type in ("note", "fix") and _NAMES.search(line.payload) is not None


def _looked(store: Store, match: str, one: Attachment) -> PictureState:
    copies = store.copies
    state: State | str = "removed" if one.removed else copies.state(one.sha256, one.kind)
    if state == "missing" and one.absent:
        state = "absent"
    path = str(copies.path(one.sha256, one.kind)) if state == "kept" else ""
    return PictureState(
        match, one.n, one.sha256, one.kind, one.size, state, one.refs, one.text, one.removed, one.struck, path,
    )


def looked_over(store: Store, book: str) -> list[PictureState]:
    """The pictures that the matches of a book name, and the states of their copies."""
    with store.backend.snapshot() as reader:
        found = _folded(_notes(reader, {book: 0}, whole=False))
    return [_looked(store, match, one) for match, held in sorted(found.items()) for one in held]


def faults(looked: Iterable[PictureState]) -> list[Change]:
    """A change for each copy that is missing, changed or unreadable. Removed and absent pictures are no fault."""
    said = {
        "missing": ("deleted", "is missing"), "changed": ("edited", "is not the one that was attached"),
        "unreadable": ("damaged", "cannot be read"),
    }
    return [
        Change(kind, f"the picture of event {one.n} (match {one.match}, {one.sha256[:12]}…) {text}", match=one.match)  # type: ignore[arg-type]  # all are kinds of changes
        for one in looked
        if one.state in said
        for kind, text in (said[one.state],)
    ]


class PictureSweep:
    """The pictures that all matches of a store name, scanned first without the store's lock, then once more for the
    rest.

    StoreError if part of the store cannot be read: its pictures would otherwise seem unused.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        with store.backend.snapshot() as reader:
            self._heads = {str(book): head for book, head in reader.heads() if isinstance(head, int)}
            self._notes = _notes(reader, dict.fromkeys(self._heads, 0))

    def on(self) -> dict[str, list[Attachment]]:
        """The pictures by match, including those added since the first scan."""
        with self._store.backend.snapshot() as reader:
            books = [str(book) for book, _ in reader.heads()]
            for match, more in _notes(reader, {book: self._heads.get(book, 0) for book in books}).items():
                self._notes.setdefault(match, []).extend(more)
        return _folded(self._notes)


def unused(store: Store, seen: PictureSweep) -> list[str]:
    """Files in the folder of copies that no event needs: leftovers of interrupted programs, and foreign files."""
    copies = store.copies
    wanted = {copies.path(a.sha256, a.kind).name for held in seen.on().values() for a in held if not a.removed}
    return [name for name in copies.names() if name not in wanted]


def clean_pictures(store: Store) -> list[str]:
    """Remove the files of Kibitz that no event needs, and return their names. Foreign files stay."""
    seen = PictureSweep(store)
    with store.turn():
        before = unused(store, seen)
        store.copies.clean(before)
        return [name for name in before if name not in store.copies.names()]


def _folded(notes: Mapping[str, Sequence[Recorded]]) -> dict[str, list[Attachment]]:
    return {match: attachments(sorted(said, key=lambda r: r.n)) for match, said in notes.items()}


def _notes(reader: Reader, after: Mapping[str, int], *, whole: bool = True) -> dict[str, list[Recorded]]:
    """The events about pictures by match, from books after a position in each.

    StoreError for what cannot be read; unless `whole`, it is left out."""
    found: dict[str, list[Recorded]] = {}
    for book, position in after.items():
        for match, line in _lines(reader, book, position, whole):
            try:
                found.setdefault(match, []).append(recorded(reader.place, match, line))
            except StoreError:
                if whole:
                    raise
    return found


def _lines(reader: Reader, book: str, after: int, whole: bool) -> Iterator[tuple[str, EventLine]]:
    """Events after a position of a book that may be about pictures, each with its match."""
    for e in reader.stored_events(book, after):
        if e.sound and not (e.type in (b"note", b"fix") and _NAMES.search(e.payload)):
            continue
        try:
            if not e.sound:
                raise UnreadableError("a column of an event is of another type")
            texts = [text.decode() for text in (e.match, e.type, e.time, e.recorder, e.key)]
        except (UnreadableError, UnicodeError) as error:
            if whole:
                raise damaged(reader.place, "", UnreadableError(str(error))) from error
            continue
        match, type_, time, recorder, key = texts
        yield match, EventLine(
            whole_value(e.pos), whole_value(e.n), type_, whole_value(e.version), time, recorder, key, e.payload,
        )
    for row in reader.sealed_in(book, after):
        try:
            lines = unsealed_lines(row) if mentions(row, _NAMES) else []
        except (UnreadableError, UnicodeError) as error:
            if whole:
                raise damaged(reader.place, str(row.match), UnreadableError(str(error))) from error
            continue
        yield from ((str(row.match), line) for line in lines if line.pos > after and _may_name(line))


# Importing


def named_in(records: Iterable[Recorded]) -> dict[int, Attachment]:
    """The pictures that a record names, by the position of the event."""
    return {r.n: one for r in records if isinstance(r.event, Note | Fix) and (one := attached(r))}


def noting_absent(
    store: Store, match: str, records: Sequence[Recorded], named: Mapping[int, Attachment],
) -> list[Recorded]:
    """Records to import, in which new events say so if the store has no copy of their picture."""
    end = store.end(match)
    last = -1 if end is None else end[1]
    absent = {n for n, one in named.items() if n > last and store.copies.state(one.sha256, one.kind) == "missing"}
    return [imported_note(r, absent=r.n in absent) if r.n in named else r for r in records]


def bring(store: Store, pictures: Sequence[ReadPicture], records: Iterable[Recorded]) -> list[tuple[str, str]]:
    """Keep copies of the pictures that came with a match, before its events are written. Return the new ones as
    (hash, kind).

    UnreadableError for a picture that no event names."""
    named = {(one.sha256, one.kind, one.size) for one in named_in(records).values()}
    for new in pictures:
        if (new.sha256, new.kind, len(new.data)) not in named:
            raise UnreadableError(
                f"the picture {new.sha256[:12]}… is not as its event says", todo="Nothing was written",
            )
    made = []
    for new in pictures:
        part = store.copies.prepare(new)
        if store.copies.settle(new, part):
            made.append((new.sha256, new.kind))
    return made
