"""Restores a backup so that verifying, appending and signing go on, and the restoration stays visible.

Events signed after the backup was made are no longer in the store. `restore` records this beside the store
(records/proof/signers.py), with the signed checkpoint itself; every later verification shows the record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from events.errors import KibitzError, NotFoundError, StoreError, UsageError
from records.copies import Copies
from records.maintenance import accept_lost_end
from records.names import sidecar_path
from records.proof.checkpoints import read_checkpoint
from records.proof.signers import Fork, moment_of, record_forks, room
from records.proof.signing import checkpoints_of, genuine, public_keys, signed_file, signed_path, tree_of, write_signed
from records.sqlite.copying import copy_of, is_open
from records.sqlite.locking import IN_USE, FileLock
from records.store import Store, default_path
from records.syncing import synced

PARTS = ("", "-wal", "-shm", "-journal")
"""Endings of the files that form the store and are kept together."""


class Restored(Struct, frozen=True):
    """Result of a restoration. `kept` is the path of the replaced store, empty if there was none."""

    path: str
    books: int
    events: int
    forks: list[Fork]
    kept: str = ""


def restore(path: str | os.PathLike[str] | None = None, backup: str | os.PathLike[str] | None = None) -> Restored:
    """Replace the store with a backup, or accept one that was copied there by hand, and go on from it.

    The replaced store is kept under another name. What was signed later than the backup is recorded. NotFoundError if
    there is no backup, or no store; UsageError if they are the same file; StoreError if the backup is not what was
    written, or the store is in use: then nothing is changed.
    """
    where = default_path() if path is None else Path(path)
    kept = None if backup is None else _put_back(where, Path(backup))
    with Store.open(where, write=False) as store:
        _check(store)
    accept_lost_end(where)
    with Store.open(where, create=False) as store:
        found = _acknowledged(store)
        rows = store.books()
    return Restored(str(where), len(rows), sum(row.head for row in rows), found, "" if kept is None else str(kept))


def _check(store: Store) -> None:
    """StoreError if the store is not what was written, ignoring later checkpoints."""
    store.check()
    for row in store.books():
        if wrong := store.verify(row.book, remembered=False).found:
            raise StoreError(
                f"this backup is not what was written: {wrong[0].text}", where=str(store.path),
                todo="Take another backup"
            )


def _acknowledged(store: Store) -> list[Fork]:
    """Record signed events that the store lacks, and reset signing to what it has."""
    found: list[Fork] = []
    with store.backend.transaction() as writer:
        notes = signed_file(store.path)
        heads = {book: head for book, head in writer.heads() if isinstance(head, int)}
        for book, note in sorted(signed_file(store.path).items()):
            last, head = read_checkpoint(note)[0], heads.get(book, 0)
            if head >= last.size and tree_of(writer, book, head, 0).root(last.size) == last.root:
                continue
            found.append(Fork(moment_of(), book, "restored", head, last.size, note))
            publics = public_keys(writer, store.path)
            good = [one.note for one in checkpoints_of(writer, book) if genuine(one, publics, book)]
            del notes[book]
            notes.update((book, text) for text in good[-1:])
        if found:
            # Recorded first: a repeated call then finds the record and does not add it again.
            record_forks(store.path, found)
            try:
                write_signed(signed_path(store.path), notes)
            except OSError as error:
                what = f"the checkpoints cannot be noted ({error.strerror})"
                raise StoreError(what, where=str(signed_path(store.path)), todo=room(error)) from error
    return found


# Changing the files


def _put_back(where: Path, backup: Path) -> Path | None:
    """Replace the store with a copy of the backup. Returns the new path of the replaced store; None if there was
    none."""
    if not backup.is_file():
        raise NotFoundError(
            "there is no backup here", where=str(backup), todo="Name a file that `kibitz db backup` wrote",
        )
    if where.exists() and where.samefile(backup):
        raise UsageError(
            "this is the store itself", where=str(backup), todo="Leave the file out to go on with it as it is",
        )
    real = Path(os.path.realpath(where))
    new = sidecar_path(where, "restoring")
    with _locked(where):
        try:
            _copied(backup, new)
            # Copy the backup's pictures before its events appear; existing ones serve both stores.
            Copies(backup).copy_to(Copies(where))
            kept = _moved_aside(real)
            os.replace(new, real)
            synced(real.parent)
            if kept is not None:
                with suppress(OSError):  # pictures named by the replaced store stay here
                    Copies(where).copy_to(Copies(kept), link=True)
        except OSError as error:
            what = f"the backup cannot be put back ({error.strerror or error})"
            raise StoreError(what, where=str(where), todo=room(error, "Look at the path and permissions")) from error
        finally:
            _remove(new)
    return kept


@contextmanager
def _locked(where: Path) -> Iterator[None]:
    """Hold the lock of the store. StoreError if any program has the store open, even idle."""
    try:
        lock = FileLock.of(where)
    except OSError as error:
        raise StoreError(
            "nothing can be written beside the store", where=str(where), todo="Look at the permissions",
        ) from error
    try:
        with lock.held(5.0):
            if where.exists():
                _refuse_if_open(where)
            yield
    finally:
        lock.close()


def _refuse_if_open(where: Path) -> None:
    """StoreError if another program has the store open: it would go on writing to the files that are moved away."""
    if is_open(where):
        raise StoreError(IN_USE[0], where=str(where), todo="Close the programs that use it, then put the backup back")


def _copied(backup: Path, new: Path) -> None:
    """Copy a backup to a new file and check it there. StoreError if it is no store, or not what was written."""
    _remove(new)
    copy_of(backup, new)
    try:
        with Store.open(new, create=False) as store:  # upgrades an earlier version
            _check(store)
    except KibitzError as error:
        raise StoreError(
            f"this backup cannot be put back: {error.what}", where=str(backup),
            todo="Take another one; nothing was changed"
        ) from error
    for ending in ("lock", "ends"):
        sidecar_path(new, ending).unlink(missing_ok=True)
    synced(new)


def _moved_aside(real: Path) -> Path | None:
    """Rename all files of the store. Returns the new path; None if there are none."""
    if not any(real.with_name(real.name + end).exists() for end in PARTS):
        return None
    day = moment_of()[:10]
    names = (real.with_name(f"{real.name}-replaced-{day}" + (f"-{i}" if i else "")) for i in range(10**6))
    kept = next(name for name in names if not name.exists())
    for end in reversed(PARTS):  # the store itself last: without it the rest is useless
        old = real.with_name(real.name + end)
        if old.exists():
            os.replace(old, kept.with_name(kept.name + end))
    return kept


def _remove(path: Path) -> None:
    for end in (*PARTS, "-lock", "-ends"):
        with suppress(OSError):
            path.with_name(path.name + end).unlink(missing_ok=True)
