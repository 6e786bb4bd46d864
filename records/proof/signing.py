"""Signs the head of a book, and never one that does not extend the last signed head.

Beside the store `kibitz.db` are `kibitz.db-key` (the private key, for its owner alone) and `kibitz.db-signed` (the
last checkpoint of every book). The second is written before the store keeps the checkpoint, so that a store that was
truncated or restored is detected even if it looks intact. Two more files (records/proof/signers.py) list the signers
and the breaks in the history. `beside` is the path whose name these files begin with.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from events.errors import KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from records.backend import Reader, Writer
from records.commitments import Commitments
from records.hashes import leaf_hash
from records.merkle import TILE, Tiled
from records.names import sidecar_path
from records.proof.checkpoints import Checkpoint, SigningKey, read_by_others, read_checkpoint, write_whole
from records.proof.signers import Fork, moment_of, record_forks, remember_signer, room, signer_of, signers
from records.reading import parts_of
from records.sealed_codec import damaged, leaves_in, unsealed_lines


def key_path(path: Path) -> Path:
    """The private key file of the store at `path`."""
    return sidecar_path(path, "key")


def signed_path(path: Path) -> Path:
    """The file of the last checkpoints of the store at `path`."""
    return sidecar_path(path, "signed")


def sign(writer: Writer, beside: Path, book: str, warnings: list[str]) -> Checkpoint:
    """Sign the head of a book and keep the checkpoint; an unchanged head gives the same one. Adds to `warnings`.

    NotFoundError if there is no such book. UsageError if it is empty, or the store is read-only. StoreError if the
    events do not extend the last signed head, or the key cannot be used.
    """
    head = book_size(writer, book)
    if not head:
        raise UsageError(f"book {book} has no event yet", where=writer.place)
    earlier = [*last_signed(writer, beside, book)]
    covered = max((last.size for last in earlier), default=0)
    tree = tree_of(writer, book, head, min((last.size for last in earlier), default=0))
    for last in earlier:
        _check_extends(writer, book, tree, last)
    _check_stored(writer, book, covered)
    forgotten = _forgotten(writer, beside, book)
    key = SigningKey.at(key_path(beside), make=True)
    assert key is not None
    if read_by_others(key_path(beside)):
        warnings.append(f"{key_path(beside)}: this key can be read by others; its mode should be 600")
    made = key.sign(book, head, tree.root())
    now = moment_of()
    # Recorded first: a head without its predecessor must not go unnoticed.
    if forgotten:
        record_forks(beside, [Fork(now, book, "unremembered", head)])
        warnings.append(forgotten)
    known = made.note in _notes(writer, book, head) and any(last.note == made.note for last in earlier)
    if not known or forgotten:
        _note_signed(beside, book, made)
    if told := remember_signer(beside, public_keys(writer, beside), key.public, book, now):
        warnings.append(told)
    if not known:
        writer.add_checkpoint(book, made.size, key.public.hex(), made.root.hex(), now, made.note)
    return made


def _notes(reader: Reader, book: str, size: int) -> list[str]:
    """The notes kept for a book at this size."""
    return [
        note.decode("utf-8", "replace") for kept, _, note in reader.checkpoints(book) if kept == size
        and isinstance(note, bytes)
    ]


def _forgotten(reader: Reader, beside: Path, book: str) -> str:
    """A warning if the book was signed before and its last checkpoint is missing beside the store; else empty."""
    notes = signed_file(beside)
    if book in notes:
        return ""
    if not checkpoints_of(reader, book):
        signed_here = any(book in one.books for one in signers(beside))
        # Removing the whole file leaves the key; so does a crash between the first key and its first head.
        if not signed_here and (notes or not key_path(beside).exists()):
            return ""
    return (
        f"{signed_path(beside)}: the checkpoint of book {book} that was signed last is not there. What is signed now "
        "may be another history; compare it with a checkpoint that was carried away (`kibitz verify --against`)"
    )


def book_size(reader: Reader, book: str) -> int:
    """The number of events in the book. NotFoundError if there is no such book."""
    heads = reader.heads()
    for name, head in heads:
        if name == book and isinstance(head, int):
            return head
        if name == book:
            raise StoreError(
                f"the store is damaged: the end of book {book:.80} is not a number", where=reader.place,
                todo="Go back to a backup",
            )  # fmt: skip
    names = ", ".join(str(name) for name, _ in heads[:5])
    raise NotFoundError(
        f"there is no book {book[:80]!r}", where=reader.place, expected=names or "a book; the store has none yet",
    )


def leaves_of_book(reader: Reader, book: str, size: int) -> list[bytes]:
    """The first `size` leaves of the book. StoreError if one is missing, or a sealed match has changed."""
    return _leaves(reader, book, 0, size)


def _leaves(reader: Reader, book: str, after: int, size: int) -> list[bytes]:
    """The leaves after position `after`, up to `size`."""
    rows = reader.leaves(book, after)
    sealed = False
    for row in reader.sealed_in(book, after):
        try:
            lines = unsealed_lines(row)
            leaves = leaves_in(row, lines)
        except UnreadableError as error:
            raise damaged(reader.place, str(row.match), error) from error
        rows += [(line.pos, leaf) for line, leaf in zip(lines, leaves, strict=True) if line.pos > after]
        sealed = True
    if sealed:
        rows.sort(key=lambda pair: pair[0] if isinstance(pair[0], int) else -1)
    found: list[bytes] = []
    for expected, (pos, leaf) in enumerate(rows, after + 1):
        if pos != expected or not isinstance(leaf, bytes) or len(leaf) != 32:
            raise _damaged(reader.place, f"book {book} has no event {expected}, or not its leaf")
        found.append(leaf)
    if after + len(found) < size:
        raise _damaged(reader.place, f"book {book} ends at event {after + len(found)}, not at {size}")
    return found[: size - after]


def tree_of(writer: Writer, book: str, head: int, covered: int) -> Tiled:
    """The tree over the first `head` leaves, which also knows the root over the first `covered`. Keeps full tiles.

    Leaves within the kept tiles were signed before and are not read again. A later change to them leaves the tiles
    unchanged, so the signature covers what was written, and verify finds the change.
    """
    kept: list[bytes] = []
    for expected, (number, root) in enumerate(writer.tiles(book)):
        if number != expected or not isinstance(root, bytes) or len(root) != 32:
            raise _damaged(writer.place, f"the tree kept for book {book} is not whole")
        kept.append(root)
    # The last tile, in which a signed tree ends, is needed leaf by leaf.
    tiles = kept[: min(covered, head) // TILE]
    tree = Tiled(tiles, _leaves(writer, book, len(tiles) * TILE, head))
    if tree.tiles[: len(kept)] != kept:
        raise _damaged(writer.place, f"the events of book {book} are not those of the tree that was kept")
    writer.add_tiles(book, len(kept), tree.tiles[len(kept) :])
    return tree


def public_keys(reader: Reader, beside: Path) -> list[bytes]:
    """The public keys that signed checkpoints of this store, according to the store and the files beside it."""
    found = []
    for signer in reader.signers():
        try:
            public = bytes.fromhex(signer)  # type: ignore[arg-type]  # anything but text is skipped
        except (TypeError, ValueError):
            continue
        if len(public) == 32:
            found.append(public)
    try:
        key = SigningKey.at(key_path(beside), make=False)
    except KibitzError:
        key = None  # a reader may lack permission for the key
    if key is not None and key.public not in found:
        found.append(key.public)
    with suppress(StoreError):  # verify reports a fault of the file
        found += [public for one in signers(beside) if (public := bytes.fromhex(one.signer)) not in found]
    return found


def checkpoints_of(reader: Reader, book: str) -> list[Checkpoint]:
    """The checkpoints that the store keeps for a book, oldest first; unreadable ones are left out."""
    found = []
    for _, _, note in reader.checkpoints(book):
        try:
            found.append(read_checkpoint(note.decode())[0])
        except (UnreadableError, ValueError, AttributeError):
            continue
    return found


def last_checkpoint(reader: Reader, beside: Path, book: str) -> Checkpoint | None:
    """The last genuine checkpoint that the store keeps for a book; None if there is none."""
    publics = public_keys(reader, beside)
    return next((c for c in reversed(checkpoints_of(reader, book)) if genuine(c, publics, book)), None)


def signed_file(beside: Path) -> dict[str, str]:
    """The last note of every book, from the file beside the store; empty if there is no file.

    StoreError if the file cannot be read.
    """
    path = signed_path(beside)
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise StoreError(
            "the file of the last checkpoints cannot be read",
            where=str(path),
            todo="Put it back from a copy; without it a store that was cut is not noticed",
        ) from error


def last_signed(reader: Reader, beside: Path, book: str) -> Iterable[Checkpoint]:
    """The checkpoints that a new one must extend: the one in the file beside the store, and the store's last."""
    kept = checkpoints_of(reader, book)
    found = kept[-1:]
    if note := signed_file(beside).get(book):
        try:
            found.append(read_checkpoint(note)[0])
        except UnreadableError as error:
            raise StoreError("the last checkpoint cannot be read", where=str(signed_path(beside))) from error
    return found


def genuine(checkpoint: Checkpoint, publics: Iterable[bytes], book: str) -> bool:
    """True if one of these keys signed the checkpoint for this book."""
    return signer_of(checkpoint, publics, book) is not None


def _check_extends(reader: Reader, book: str, tree: Tiled, last: Checkpoint) -> None:
    if last.size > len(tree):
        raise _damaged(reader.place, f"book {book} ends at event {len(tree)}, but {last.size} events were signed")
    if tree.root(last.size) != last.root:
        raise _damaged(reader.place, f"the first {last.size} events of book {book} are not those that were signed")


def _check_stored(reader: Reader, book: str, after: int) -> None:
    """Raise StoreError if an event to be signed for the first time does not match its leaf."""
    name = book.encode()
    parts: dict[bytes, Commitments | None] = {}
    for e in reader.stored_events(book, after):
        try:
            if e.match not in parts:
                parts[e.match] = parts_of(reader, e.match.decode())
            said = (e.type, e.version, e.time, e.recorder, e.key, e.prev, e.payload)
            its = parts[e.match]
            leaf = leaf_hash(name, e.pos, e.match, e.n, *said) if its is None else its.leaf(e.pos, e.n, *said)  # type: ignore[arg-type]  # other types are refused
        except (struct.error, ValueError, TypeError, AttributeError):
            leaf = b""
        if not e.sound or leaf != e.leaf:
            raise _damaged(reader.place, f"event {e.pos} of book {book} is not the one that was written")


def _note_signed(beside: Path, book: str, made: Checkpoint) -> None:
    path = signed_path(beside)
    try:
        write_signed(path, {**signed_file(beside), book: made.note})
    except OSError as error:
        raise StoreError(
            f"the checkpoint cannot be noted ({error.strerror})", where=str(path), todo=room(error),
        ) from error


def write_signed(path: Path, notes: dict[str, str]) -> None:
    """Write the last note of every book. OSError if this fails."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(notes, order="sorted"), indent=1) + b"\n")


def _damaged(place: str, what: str) -> StoreError:
    todo = (
        "`kibitz verify` tells what was changed; if a backup was put back, `kibitz db restore` records it and goes on"
    )
    return StoreError(f"not signed: {what}", where=place, todo=todo)
