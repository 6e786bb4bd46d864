"""Whole logs in and out of a store: `.kib` text, and JSON Lines with one event a line.

**Which match a file is.** The `Match` tag of its opening, or the id given by the caller. A file without the tag gets
an id made from the bytes of its opening (`kaiser-h3k9m2pt`): the same file finds the same match again, even after it
has grown. Two matches with the very same opening therefore claim the same id; the second is refused with a
ConflictError and needs another id.

**What an import does.** The match is new; or the store has it already; or the file continues where the store ends,
and the rest is appended. Anything else is a ConflictError, and nothing is written. An empty time, recorder or key in
the file contradicts nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.canon import encode, encode_bodies
from events.errors import ConflictError, KibitzError, NotFoundError, UnreadableError
from events.model import Open, Recorded
from events.picture_notes import attachments
from events.visible_text import duplicate_name
from records.attachments import bring, named_in, noting_absent
from records.copying_books import CopiedBook, copy_book
from records.files import Loaded, load_file
from records.inserting import check_whole
from records.names import ID_ALPHABET, check_id, first_names, stem
from records.rows import HOME
from records.store import Store


class Imported(Struct, frozen=True):
    """Result of an import. `unreadable`: nothing was written, `errors` say why, `match` is empty."""

    match: str
    status: Literal["new", "same", "appended", "unreadable"]
    added: int
    errors: list[KibitzError] = []


def import_records(
    store: Store, records: Sequence[Recorded], *, book: str = HOME, match: str | None = None, sealed: bool = False
) -> Imported:
    """Import a whole match, opening first; with `sealed` it is sealed at once.

    UnreadableError if events are missing or the `Match` tag is not a valid id; ConflictError if the store has other
    events for this id; SealedError if it is sealed and has fewer events.
    """
    return _import(store, records, encode_bodies(records), book, match, sealed)


def import_loaded(
    store: Store, loaded: Loaded, *, book: str = HOME, match: str | None = None, sealed: bool = False,
    in_parts: bool = False,
) -> Imported:
    """`import_records` for a file that was read; a file with errors is not imported at all."""
    if loaded.errors:
        return Imported("", "unreadable", 0, loaded.errors)
    bodies = loaded.bodies or encode_bodies(loaded.records)
    if not loaded.pictures:
        return _import(store, loaded.records, bodies, book, match, sealed, in_parts)
    with store.turn():
        made = bring(store, loaded.pictures, loaded.records)
        wanted: set[str] = set()
        try:
            done = _import(store, loaded.records, bodies, book, match, sealed, in_parts)
            # The store may have later events, such as the removal of a picture.
            wanted = {one.sha256 for one in attachments(store.read(done.match)) if not one.removed}
        finally:
            for sha256, kind in made:
                if sha256 not in wanted:
                    store.copies.drop(sha256, kind)
    return done


def _import(
    store: Store, records: Sequence[Recorded], bodies: Sequence[bytes], book: str, match: str | None, sealed: bool,
    in_parts: bool = False,
) -> Imported:
    opening = check_whole(records)
    game = str(opening.facts.get("Game", ""))
    if name := duplicate_name(
        {seat: name for seat, name in opening.facts.items() if seat.isupper() and isinstance(name, str)}
    ):
        raise UnreadableError(
            f"{name} sits in two places", where="the names of the seats", expected="two names",
            todo=f"Tell two players of one name apart, as {name} A and {name} B"
        )  # fmt: skip
    match = _id_of(records[0], opening, game) if match is None else check_id(match)
    named = named_in(records)
    with store.turn() if named else nullcontext():  # keeps copies until the events name them
        records = noting_absent(store, match, records, named) if named else records
        adopted = store.import_match(
            match, records, game=game, book=book, sealed=sealed, bodies=bodies, in_parts=in_parts,
        )
    return Imported(match, adopted.status, adopted.added)


def import_file(
    store: Store,
    path: str | os.PathLike[str],
    data: bytes | None = None,
    *,
    book: str = HOME,
    match: str | None = None,
) -> Imported:
    """`load_file`, then `import_loaded`."""
    return import_loaded(store, load_file(path, data), book=book, match=match)


def id_of(records: Sequence[Recorded]) -> str:
    """The id named by the opening of a whole record, or made from its bytes."""
    opening = check_whole(records)
    return _id_of(records[0], opening, str(opening.facts.get("Game", "")))


def _id_of(recorded: Recorded, opening: Open, game: str) -> str:
    if "Match" in opening.facts:
        try:
            return check_id(str(opening.facts["Match"]))
        except KibitzError as error:
            raise UnreadableError(
                error.what, where="tag Match", expected=error.expected, todo="Name an id when importing"
            ) from error
    number = int.from_bytes(hashlib.sha256(encode(recorded)).digest()[:8], "big")
    letters = ""
    for _ in range(8):
        number, digit = divmod(number, len(ID_ALPHABET))
        letters += ID_ALPHABET[digit]
    return f"{stem(game)}-{letters}"


AT_ONCE = 200
"""Matches imported in one commit."""


def bring_in(
    store: Store, matches: Sequence[tuple[str, Sequence[Recorded]]], book: str, *, recorder: str,
    differences: Callable[[Sequence[Recorded], Sequence[Recorded]], object]
) -> dict[str, str]:
    """Import finished matches, many in a commit. Returns the result by id: new, appended, same or refused.

    On a conflict: same if `differences` finds none to the stored match as corrected, else refused."""
    done: dict[str, str] = {}
    for at in range(0, len(matches), AT_ONCE):
        with store.together():
            for match, log in matches[at : at + AT_ONCE]:
                records = [replace(r, recorder=recorder) for r in log]
                game = str(getattr(records[0].event, "facts", {}).get("Game", ""))
                try:
                    done[match] = store.import_match(match, records, game=game, book=book).status
                except ConflictError:
                    done[match] = "refused" if differences(store.read(match), records) else "same"
                    continue
                if done[match] != "same":
                    store.set_over(match, True)
    return done


def copy_books(source: Store, target: Store, books: Sequence[str] = ()) -> list[CopiedBook]:
    """Copy books, by default all, into another store, with the pictures attached to their matches.

    NotFoundError for a missing book; raises as `copy_book` does. Earlier commits stay."""
    there = [row.book for row in source.books()]
    for book in books:
        if book not in there:
            raise NotFoundError(
                f"there is no book {book[:80]!r}", where=source.backend.place,
                expected=first_names(there) or "a book; the store has none yet",
            )
    with source.copies.written("the pictures cannot be copied", target.path):
        source.copies.copy_to(target.copies)
    return [copy_book(source.backend, target.backend, book) for book in there if not books or book in books]
