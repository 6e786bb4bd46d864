"""Notes beside a store about its signatures: the keys that signed it, and breaks in its history.

Beside the store `kibitz.db` are `kibitz.db-signer` (the public keys that signed it here, the first one first) and
`kibitz.db-forks` (signed heads that are no longer in the store, and heads signed without their predecessor). Both are
JSON, created by the first signature and the first break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Struct, structs

from events.errors import StoreError
from records.names import sidecar_path
from records.proof.checkpoints import Checkpoint, is_full, origin_of, read_note, signed_by, verifier_key, write_whole

Known = Literal["given", "remembered", "file"]


class Signer(Struct, frozen=True):
    """A public key (hexadecimal) that signed the store, since when, and which books."""

    signer: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    since: str
    books: list[str] = []


class Fork(Struct, frozen=True):
    """A break in the signed history of a book.

    `restored`: a backup of `size` events was restored after `signed` events had been signed; `note` is that
    checkpoint. `unremembered`: the head of `size` events was signed while the last checkpoint was missing beside the
    store.
    """

    time: str
    book: str
    kind: Literal["restored", "unremembered"]
    size: int
    signed: int = 0
    note: str = ""

    @property
    def text(self) -> str:
        """The fork in words."""
        events = f"{self.size} event{'s' * (self.size != 1)}"
        if self.kind == "restored":
            return (
                f"a backup with {events} of book {self.book} was put back on {self.time[:10]}, after {self.signed} had "
                "been signed; what followed is another history"
            )
        return (
            f"the head of {events} of book {self.book} was signed on {self.time[:10]} without the "
            "checkpoint signed last, "
            "which was not beside the store"
        )


class SignedHead(Struct, frozen=True):
    """The key that signed the first `size` events of a book, as it is published, and how it is known.

    `given`: by the verifying person; `remembered`: by the file and the notes beside it; `file`: by the file alone,
    which anyone with a key can write."""

    key: str
    size: int
    known: Known

    @property
    def text(self) -> str:
        """The signer in words."""
        how = {
            "given": "the key given",
            "remembered": "a key that only the file itself names, and the one remembered beside it",
            "file": "a key that only the file itself names",
        }[self.known]
        return f"signed by {self.key}, {how}"


def signer_path(path: Path) -> Path:
    """The file that lists the signers of the store at `path`."""
    return sidecar_path(path, "signer")


def forks_path(path: Path) -> Path:
    """The file that lists the breaks in the history of the store at `path`."""
    return sidecar_path(path, "forks")


T = TypeVar("T", Signer, Fork)


def signers(path: Path) -> list[Signer]:
    """The keys that signed the store at `path` here, the first one first; may be empty. StoreError if unreadable."""
    return _read(
        signer_path(path), list[Signer], "the file of the signers",
        "Put it back from a copy, or remove it if you know the key by other means",
    )


def forks(path: Path) -> list[Fork]:
    """The breaks in the history of the store at `path`, oldest first. StoreError if unreadable."""
    return _read(forks_path(path), list[Fork], "the record of forks", "Put it back from a copy")


def _read(path: Path, kind: type[list[T]], what: str, todo: str) -> list[T]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise StoreError(f"{what} cannot be read", where=str(path), todo=todo) from error


def remember_signer(path: Path, before: Iterable[bytes], public: bytes, book: str, now: str) -> str:
    """Note the key that signs a book now. Returns a warning if the store was first signed with another key.

    `before` are keys that the store names. StoreError if it cannot be noted.
    """
    kept = {one.signer: one for one in signers(path)}
    found = dict(kept)
    for key in () if kept else before:
        found[key.hex()] = Signer(key.hex(), now)
    one = found.setdefault(public.hex(), Signer(public.hex(), now))
    if book not in one.books:
        found[one.signer] = structs.replace(one, books=sorted([*one.books, book]))
    if found == kept:
        return ""
    write_beside_store(signer_path(path), list(found.values()), "the signer")
    first = next(iter(found))
    if one.signer in kept or one.signer == first:
        return ""
    return (
        f"{path}: this store was first signed with the key {short_key_name(bytes.fromhex(first))}, from "
        "now on it is signed with "
        f"{short_key_name(public)}. Hand out the new public key; what the old one signed stays good"
    )


def record_forks(path: Path, found: Sequence[Fork]) -> None:
    """Add breaks to the record, without those already in it. StoreError if that fails."""
    kept = forks(path)
    told = {(one.book, one.kind, one.size, one.note) for one in kept}
    new = [one for one in found if (one.book, one.kind, one.size, one.note) not in told]
    if new:
        write_beside_store(forks_path(path), [*kept, *new], "the record of forks")


def write_beside_store(path: Path, value: object, what: str) -> None:
    """Write a value atomically as JSON beside the store. StoreError naming `what` if it cannot be written."""
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=1) + b"\n")
    except OSError as error:
        raise StoreError(f"{what} cannot be noted ({error.strerror})", where=str(path), todo=room(error)) from error


def room(error: OSError, otherwise: str = "Allow writing beside the store") -> str:
    """Advice for a file that could not be written."""
    return "Make room on the disk and try again" if is_full(error) else otherwise


def short_key_name(public: bytes) -> str:
    """The short name of a key, the first part of every origin: `kibitz-d49ef5cc`."""
    return origin_of(public, "").removesuffix("/")


def public_key_text(public: bytes, book: str) -> str:
    """The public key as it is published for a book."""
    return verifier_key(origin_of(public, book), public)


def signer_of(checkpoint: Checkpoint, publics: Iterable[bytes], book: str) -> bytes | None:
    """The key among these that signed the checkpoint for this book; None if none did."""
    return next((public for public in publics if _is_signed(checkpoint.note, checkpoint.origin, public, book)), None)


@lru_cache(maxsize=4096)
def _is_signed(note: str, origin: str, public: bytes, book: str) -> bool:
    return origin == origin_of(public, book) and signed_by(read_note(note), origin, public)


def moment_of(clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> str:
    """The current time as it is written beside the store."""
    return clock().astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
