"""Checkpoints: the signed head of a book's tree, short enough for a slip of paper.

The formats are those of C2SP (c2sp.org/signed-note, c2sp.org/tlog-checkpoint): three lines (origin, number of events,
root in base64), an empty line, and a line for each Ed25519 signature.

The origin is `kibitz-XXXXXXXX/BOOK`: the beginning of the hash of the store's public key, and the name of the book,
percent-encoded. It is also the name of the key in the signature line.
"""

from __future__ import annotations

import base64
import binascii
import errno
import hashlib
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from msgspec import Struct

from events.errors import StoreError, UnreadableError
from records.syncing import synced

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_ED25519 = b"\x01"
_DASH = "— "
_SIZE = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_TODO = "A checkpoint is what `kibitz checkpoint BOOK` prints, to the last line"


class Signature(Struct, frozen=True):
    """A signature line of a note."""

    name: str
    key_id: bytes
    signature: bytes


class SignedNote(Struct, frozen=True):
    """A text (with its last line end) and its signatures."""

    text: str
    signatures: list[Signature]


class Checkpoint(Struct, frozen=True):
    """The head of a book: its number of events, and the root over them. `note` is the whole signed text."""

    origin: str
    size: int
    root: bytes
    note: str = ""

    @property
    def book(self) -> str:
        """The book named in the origin."""
        return unquote(self.origin.partition("/")[2])

    def text(self) -> str:
        """The lines that are signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def origin_of(public: bytes, book: str) -> str:
    """The origin of a book in the store with this public key."""
    return f"kibitz-{hashlib.sha256(public).hexdigest()[:8]}/{quote(book, safe='')}"


def key_id(name: str, public: bytes) -> bytes:
    """The four bytes that identify the key of a signature."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def verifier_key(name: str, public: bytes) -> str:
    """The public key as it is published: `NAME+ID+KEY`."""
    return f"{name}+{key_id(name, public).hex()}+{base64.b64encode(_ED25519 + public).decode()}"


def read_verifier_key(text: str) -> tuple[str, bytes]:
    """The name and public key from `verifier_key`'s form. UnreadableError if it is not valid."""
    name, _, rest = text.strip().partition("+")
    id_, _, key = rest.partition("+")
    data = _decoded(key)
    if data is None or len(data) != 33 or data[:1] != _ED25519 or not name or id_ != key_id(name, data[1:]).hex():
        raise UnreadableError("this is not a public key of a checkpoint", expected="NAME+ID+KEY in one piece")
    return name, data[1:]


def read_note(text: str) -> SignedNote:
    """Parse a signed note. UnreadableError if it is not one. Signatures are not checked."""
    body, gap, rest = text.rpartition("\n\n")
    signatures = []
    for line in rest.removesuffix("\n").split("\n") if gap and rest.endswith("\n") else []:
        name, _, code = line.removeprefix(_DASH).rpartition(" ")
        data = _decoded(code)
        if not line.startswith(_DASH) or not name or data is None or len(data) < 5:
            raise UnreadableError("a signature line cannot be read", expected="— NAME CODE", todo=_TODO)
        signatures.append(Signature(name, data[:4], data[4:]))
    if not signatures or not body:
        raise UnreadableError("this is not a signed note", todo=_TODO)
    return SignedNote(body + "\n", signatures)


def read_checkpoint(text: str) -> tuple[Checkpoint, SignedNote]:
    """Parse a signed checkpoint. UnreadableError if it is not one. Signatures are not checked."""
    note = read_note(text)
    lines = note.text.split("\n")
    root = _decoded(lines[2]) if len(lines) > 2 else None
    if not lines[0] or root is None or len(root) != 32 or not _SIZE.fullmatch(lines[1]):
        raise UnreadableError(
            "this note is not a checkpoint", expected="origin, size and root, a line each", todo=_TODO,
        )
    return Checkpoint(lines[0], int(lines[1]), root, text), note


def signed_by(note: SignedNote, name: str, public: bytes) -> bool:
    """True if the key with this name signed the note."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from records.verify_bundle import point_of

    # Libraries differ on bytes that encode no point, or not canonically; the published verifier decides.
    if len(public) != 32 or point_of(public) is None:
        return False
    wanted = key_id(name, public)
    for line in note.signatures:
        if line.name == name and line.key_id == wanted:
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(line.signature, note.text.encode())
            except (InvalidSignature, ValueError):
                return False
            return True
    return False


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None


class SigningKey:
    """The key that signs a store. It is in a file of its own, never in the store."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public: bytes = private.public_key().public_bytes_raw()

    @classmethod
    def at(cls, path: Path, *, make: bool) -> SigningKey | None:
        """The key in the file. If there is none: a new one with `make`, else None. StoreError if it is unusable."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            NoEncryption,
            PrivateFormat,
            load_pem_private_key,
        )

        try:
            if not path.exists():
                if not make:
                    return None
                private = Ed25519PrivateKey.generate()
                _write_key(path, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
                return cls(private)
            found = load_pem_private_key(path.read_bytes(), password=None)
        except OSError as error:
            raise StoreError(
                f"the key cannot be used ({error.strerror or error})", where=str(path), todo="Look at its permissions"
            ) from error
        except (ValueError, TypeError) as error:
            raise StoreError("this is not a key", where=str(path), todo="Put the key back from a copy") from error
        if not isinstance(found, Ed25519PrivateKey):
            raise StoreError("this is a key of another kind", where=str(path), expected="an Ed25519 key")
        return cls(found)

    def sign(self, book: str, size: int, root: bytes) -> Checkpoint:
        """The signed checkpoint of a book."""
        head = Checkpoint(origin_of(self.public, book), size, root)
        text = head.text()
        code = base64.b64encode(key_id(head.origin, self.public) + self._private.sign(text.encode())).decode()
        return Checkpoint(head.origin, size, root, f"{text}\n{_DASH}{head.origin} {code}\n")


def _write_key(path: Path, data: bytes) -> None:
    """Write a new key, readable by its owner only. StoreError if it cannot be written; then no file is left."""
    try:
        write_whole(path, data, mode=0o600)
    except OSError as error:
        if is_full(error):
            what, todo = (
                "there is no room left to write the key; nothing was signed", "Make room on the disk and try again"
            )
        else:
            what, todo = (
                f"the key cannot be made ({error.strerror or error}); nothing was signed",
                "Allow writing beside the store"
            )
        raise StoreError(what, where=str(path), todo=todo) from error


def is_full(error: OSError) -> bool:
    """True if a file could not be written for lack of space."""
    return error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", None))


def read_by_others(path: Path) -> bool:
    """True if others than its owner can read the key file."""
    try:
        return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except OSError:
        return False


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file atomically, durable on return. OSError if it cannot be written."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    synced(path.parent)
