"""Signing the head of a book, never one that does not extend the head signed last.

Beside the store `kibitz.db` lie `kibitz.db-key` (the private key, for its owner alone) and `kibitz.db-signed` (the last
checkpoint of every book). The second is written before the store notes the checkpoint, so a store that was cut or put
back to an earlier state is noticed even if it looks whole. Two more (records/signers.py) remember who signed it first,
and where its history was broken off.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events.errors import KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from records.archive import damaged, leaves_in, lines_of, sealed_rows
from records.chain import leaf_hash
from records.faults import translated_errors
from records.locking import sidecar_path
from records.merkle import TILE, Tiled
from records.notes import Checkpoint, Key, read_by_others, read_checkpoint, write_whole
from records.signers import Fork, record_forks, remember_signer, room, signer_of, signers, stamp

if TYPE_CHECKING:
    from records.store import Store


def key_path(path: Path) -> Path:
    """Where the private key of the store at `path` lies."""
    return sidecar_path(path, "key")


def signed_path(path: Path) -> Path:
    """Where the last checkpoints of the store at `path` lie."""
    return sidecar_path(path, "signed")


def sign(store: Store, book: str) -> Checkpoint:
    """Sign the head of a book, and keep the checkpoint. The same head again gives the same checkpoint.

    NotFoundError if there is no such book; UsageError if it is empty, or the store is open for reading only;
    StoreError if the events do not extend the head signed last, or the key cannot be used.
    """
    with store._writing():
        head = head_of(store, book)
        if not head:
            raise UsageError(f"book {book} has no event yet", where=str(store.path))
        earlier = [*last_signed(store, book)]
        covered = max((last.size for last in earlier), default=0)
        tree = tree_of(store, book, head, min((last.size for last in earlier), default=0))
        for last in earlier:
            _check_extends(store, book, tree, last)
        _check_stored(store, book, covered)
        forgotten = _forgotten(store, book)
        key = Key.at(key_path(store.path), make=True)
        assert key is not None
        if read_by_others(key_path(store.path)):
            store.warnings.append(f"{key_path(store.path)}: this key can be read by others; its mode should be 600")
        made = key.sign(book, head, tree.root())
        now = stamp()
        # Before anything says that it was signed: a head without its forerunner must not pass unnoticed.
        if forgotten:
            record_forks(store.path, [Fork(now, book, "unremembered", head)])
            store.warnings.append(forgotten)
        kept = store._conn.execute(
            "SELECT note FROM checkpoints WHERE book = ? AND size = ? AND signer = ?", (book, head, key.public.hex())
        ).fetchone()
        known = bool(kept) and kept[0] == made.note and any(last.note == made.note for last in earlier)
        if not known or forgotten:
            _note_signed(store, book, made)
        if told := remember_signer(store.path, public_keys(store), key.public, book, now):
            store.warnings.append(told)
        if known:
            return made
        _keep(store, book, key.public, made, now)
    return made


def _keep(store: Store, book: str, public: bytes, made: Checkpoint, now: str) -> None:
    """Write a checkpoint into the store, inside a transaction."""
    store._conn.execute(
        "INSERT INTO signers (signer, created) VALUES (?, ?) ON CONFLICT (signer) DO NOTHING", (public.hex(), now)
    )
    store._conn.execute(
        "INSERT INTO checkpoints (book, size, signer, root, time, note) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (book, size, signer) DO UPDATE SET root = excluded.root, note = excluded.note",
        (book, made.size, public.hex(), made.root.hex(), now, made.note),
    )


def _forgotten(store: Store, book: str) -> str:
    """What to tell if the book was signed before and the checkpoint signed last is not beside the store."""
    notes = signed_file(store)
    if book in notes:
        return ""
    if not checkpoints_of(store, book):
        signed_here = any(book in one.books for one in signers(store.path))
        # Whoever takes the whole file away leaves the key; a crash between the first key and its first head does too.
        if not signed_here and (notes or not key_path(store.path).exists()):
            return ""
    return (
        f"{signed_path(store.path)}: the checkpoint of book {book} that was signed last is not there. What is signed now "
        "may be another history; compare it with a checkpoint that was carried away (`kibitz verify --against`)"
    )


def head_of(store: Store, book: str) -> int:
    """How many events the book has. NotFoundError if there is no such book."""
    for row in store.books():
        if row.book == book:
            return row.head
    names = ", ".join(row.book for row in store.books()[:5])
    raise NotFoundError(
        f"there is no book {book[:80]!r}", where=str(store.path), expected=names or "a book; the store has none yet"
    )


def leaves_of(store: Store, book: str, size: int) -> list[bytes]:
    """The first `size` leaves of the book. StoreError if one is missing, or a sealed match is not the one it was."""
    return _leaves(store, book, 0, size)


def _leaves(store: Store, book: str, after: int, size: int) -> list[bytes]:
    """The leaves behind position `after` and up to `size`."""
    with store._moment():
        rows: list[tuple[object, object]] = store._conn.execute(
            "SELECT pos, leaf FROM events WHERE book = ? AND pos > ? ORDER BY pos", (book, after)
        ).fetchall()
        sealed = False
        for row in sealed_rows(store._conn, book, after):
            try:
                lines = lines_of(row)
                leaves = leaves_in(row, lines)
            except UnreadableError as error:
                raise damaged(store, str(row.match), error) from error
            rows += [(line.pos, leaf) for line, leaf in zip(lines, leaves, strict=True) if line.pos > after]
            sealed = True
    if sealed:
        rows.sort(key=lambda pair: pair[0] if isinstance(pair[0], int) else -1)
    found: list[bytes] = []
    for expected, (pos, leaf) in enumerate(rows, after + 1):
        if pos != expected or not isinstance(leaf, bytes) or len(leaf) != 32:
            raise _damaged(store, f"book {book} has no event {expected}, or not its leaf")
        found.append(leaf)
    if after + len(found) < size:
        raise _damaged(store, f"book {book} ends at event {after + len(found)}, not at {size}")
    return found[: size - after]


def tree_of(store: Store, book: str, head: int, covered: int) -> Tiled:
    """The tree over the first `head` leaves, and over the first `covered` that are signed. Keeps tiles that are full.

    What lies in the tiles was signed before and is not read again. Somebody who changed it since has changed no tile,
    so that what is signed is what was written, and verify finds the change.
    """
    numbered = store._conn.execute("SELECT number, root FROM tiles WHERE book = ? ORDER BY number", (book,)).fetchall()
    kept: list[bytes] = []
    for expected, (number, root) in enumerate(numbered):
        if number != expected or not isinstance(root, bytes) or len(root) != 32:
            raise _damaged(store, f"the tree kept for book {book} is not whole")
        kept.append(root)
    # The last tile in which a signed tree ends is needed leaf by leaf.
    tiles = kept[: min(covered, head) // TILE]
    tree = Tiled(tiles, _leaves(store, book, len(tiles) * TILE, head))
    if tree.tiles[: len(kept)] != kept:
        raise _damaged(store, f"the events of book {book} are not those of the tree that was kept")
    store._conn.executemany(
        "INSERT INTO tiles (book, number, root) VALUES (?, ?, ?) ON CONFLICT (book, number) DO NOTHING",
        [(book, number, root) for number, root in enumerate(tree.tiles[len(kept) :], len(kept))],
    )
    return tree


def public_keys(store: Store) -> list[bytes]:
    """The public keys that checkpoints of this store were signed with, as far as it knows, or what lies beside it."""
    with translated_errors(store.path):
        rows = store._conn.execute("SELECT signer FROM signers ORDER BY created, signer").fetchall()
    found = []
    for (signer,) in rows:
        try:
            public = bytes.fromhex(signer)
        except (TypeError, ValueError):
            continue
        if len(public) == 32:
            found.append(public)
    try:
        key = Key.at(key_path(store.path), make=False)
    except KibitzError:
        key = None  # whoever may only read the store may not read the key
    if key is not None and key.public not in found:
        found.append(key.public)
    with suppress(StoreError):  # verify tells what is wrong with the file
        found += [public for one in signers(store.path) if (public := bytes.fromhex(one.signer)) not in found]
    return found


def checkpoints_of(store: Store, book: str) -> list[Checkpoint]:
    """The checkpoints that the store keeps for a book, oldest first; unreadable ones are left out."""
    with translated_errors(store.path):
        rows = store._conn.execute(
            "SELECT CAST(note AS BLOB) FROM checkpoints WHERE book = ? ORDER BY size, signer", (book,)
        ).fetchall()
    found = []
    for (note,) in rows:
        try:
            found.append(read_checkpoint(note.decode())[0])
        except (UnreadableError, ValueError, AttributeError):
            continue
    return found


def last_checkpoint(store: Store, book: str) -> Checkpoint | None:
    """The last genuine checkpoint that the store keeps for a book; None where nothing is signed."""
    publics = public_keys(store)
    return next((c for c in reversed(checkpoints_of(store, book)) if genuine(c, publics, book)), None)


def signed_file(store: Store) -> dict[str, str]:
    """The last note of every book, from the file beside the store; empty where there is none.

    StoreError if the file is there but cannot be read.
    """
    path = signed_path(store.path)
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


def last_signed(store: Store, book: str) -> Iterable[Checkpoint]:
    """The checkpoints that a new one has to extend: the one in the file beside the store, and the store's own last."""
    kept = checkpoints_of(store, book)
    found = kept[-1:]
    if note := signed_file(store).get(book):
        try:
            found.append(read_checkpoint(note)[0])
        except UnreadableError as error:
            raise StoreError("the last checkpoint cannot be read", where=str(signed_path(store.path))) from error
    return found


def genuine(checkpoint: Checkpoint, publics: Iterable[bytes], book: str) -> bool:
    """Whether one of these keys signed the checkpoint for this book."""
    return signer_of(checkpoint, publics, book) is not None


def _check_extends(store: Store, book: str, tree: Tiled, last: Checkpoint) -> None:
    if last.size > len(tree):
        raise _damaged(store, f"book {book} ends at event {len(tree)}, but {last.size} events were signed")
    if tree.root(last.size) != last.root:
        raise _damaged(store, f"the first {last.size} events of book {book} are not those that were signed")


def _check_stored(store: Store, book: str, after: int) -> None:
    """What is signed for the first time must be what the leaves say."""
    rows = store._conn.execute(
        "SELECT pos, CAST(match AS BLOB), n, CAST(type AS BLOB), version, CAST(time AS BLOB), CAST(recorder AS BLOB),"
        " CAST(key AS BLOB), prev, CAST(payload AS BLOB), leaf FROM events WHERE book = ? AND pos > ? ORDER BY pos",
        (book, after),
    )
    name = book.encode()
    for *entry, leaf in rows:
        try:
            same = leaf_hash(name, *entry) == leaf
        except (struct.error, TypeError, AttributeError):
            same = False
        if not same:
            raise _damaged(store, f"event {entry[0]} of book {book} is not the one that was written")


def _note_signed(store: Store, book: str, made: Checkpoint) -> None:
    path = signed_path(store.path)
    try:
        write_signed(path, {**signed_file(store), book: made.note})
    except OSError as error:
        raise StoreError(f"the checkpoint cannot be noted ({error.strerror})", where=str(path), todo=room(error)) from error


def write_signed(path: Path, notes: dict[str, str]) -> None:
    """Write the last note of every book. OSError if that fails."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(notes, order="sorted"), indent=1) + b"\n")


def _damaged(store: Store, what: str) -> StoreError:
    todo = "`kibitz verify` tells what was changed; if a backup was put back, `kibitz db restore` records it and goes on"
    return StoreError(f"not signed: {what}", where=str(store.path), todo=todo)
