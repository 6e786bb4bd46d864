"""Signed heads: the form others can read, one key a store, and never a head that does not extend the last one."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from plain_rows import forge

from events.errors import NotFoundError, StoreError, UnreadableError, UsageError
from events.model import Pass, Recorded
from records import HOME, Store, verify_bundle
from records.maintenance import accept_lost_end
from records.merkle import Tree
from records.proof import checkpoints as notes
from records.proof.checkpoints import (
    SigningKey,
    key_id,
    origin_of,
    read_checkpoint,
    read_note,
    read_verifier_key,
    signed_by,
    verifier_key,
)
from records.proof.signing import key_path, signed_path

PASS = Recorded(n=0, event=Pass(by="N"))

# A note and a key that were published with the description of the form.
PUBLISHED = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


# The form


def test_a_published_note_is_read_and_verified() -> None:
    """By both: the store's own code, and the verifier that is handed out."""
    name, public = read_verifier_key(PUBLISHED_KEY)
    note = read_note(PUBLISHED)
    assert signed_by(note, name, public)
    assert verifier_key(name, public) == PUBLISHED_KEY
    assert verify_bundle.read_key(PUBLISHED_KEY) == (name, public)
    assert verify_bundle.signature_is_good(public, note.text.encode(), note.signatures[0].signature)
    for spoilt in (
        PUBLISHED.replace("think", "thank"), PUBLISHED.replace("PeterN", "PetraN"), PUBLISHED.replace("ZJku", "ZJkv"),
    ):
        assert not signed_by(read_note(spoilt), name, public)


# RFC 8032, 7.1: secret key, public key, message, signature.
SIGNATURES = [
    ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
]  # fmt: skip


@pytest.mark.parametrize(("secret", "public", "text", "signature"), SIGNATURES)
def test_the_published_signatures(secret: str, public: str, text: str, signature: str) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key, message, good = bytes.fromhex(public), bytes.fromhex(text), bytes.fromhex(signature)
    assert SigningKey(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))).public == key
    assert verify_bundle.signature_is_good(key, message, good)
    assert not verify_bundle.signature_is_good(key, message + b"x", good)
    for bit in range(0, 512, 7):
        bad = (int.from_bytes(good, "little") ^ 1 << bit).to_bytes(64, "little")
        assert not verify_bundle.signature_is_good(key, message, bad), bit
    more = int.from_bytes(good[32:], "little") + verify_bundle.ORDER
    if more < 2**256:
        assert not verify_bundle.signature_is_good(key, message, good[:32] + more.to_bytes(32, "little")), "malleable"
    assert not verify_bundle.signature_is_good(bytes([255]) * 32, message, good)


def test_a_checkpoint_is_three_lines_and_a_signature(store: Store, match: str) -> None:
    store.append(match, [PASS, PASS])
    made = store.sign(HOME)
    (public,) = store.public_keys()
    root = Tree(store.leaves(HOME, 3)).root()
    lines = made.note.split("\n")
    assert lines[0] == origin_of(public, HOME) == made.origin
    assert lines[1] == "3"
    assert lines[3] == lines[5] == ""
    assert lines[4].startswith(f"— {made.origin} ")
    assert read_checkpoint(made.note)[0] == made
    assert (made.size, made.root, made.book) == (3, root, HOME)
    assert signed_by(read_note(made.note), made.origin, public)
    assert verify_bundle.read_checkpoint(made.note, made.origin, public) == (3, root)
    assert key_id(made.origin, public) == read_note(made.note).signatures[0].key_id


@pytest.mark.parametrize("book", ["a b", "Füchse + Hasen", "50%", "a/b", "x" * 200, "—"])
def test_a_book_of_any_name_has_an_origin(store: Store, book: str) -> None:
    store.create_match({}, game="kaiser", book=book)
    made = store.sign(book)
    assert made.book == book
    assert not set(made.origin) & set(" +\n")
    assert made.origin.isascii()
    assert store.verify(book, made).found == []


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "a\n1\nb\n", "a\n1\n" + "A" * 43 + "=\n", PUBLISHED,
        "a\n01\n" + "A" * 43 + "=\n\n— a " + "A" * 96 + "\n",
        "a\n-1\n" + "A" * 43 + "=\n\n— a " + "A" * 96 + "\n",
        "a\n1\nAAAA\n\n— a " + "A" * 96 + "\n",
        "a\n1\n" + "A" * 43 + "=\n\n-- a " + "A" * 96 + "\n",
        "a\n1\n" + "A" * 43 + "=\n\n— a !!!\n",
        "a\n1\n" + "A" * 43 + "=\n\n— a " + "A" * 96,
    ],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_checkpoint(text)


@pytest.mark.parametrize(
    "text", ["", "a", "a+b", "a+00000000+AAAA", PUBLISHED_KEY[:-2], PUBLISHED_KEY.replace("c74f", "c74e")],
)
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_verifier_key(text)


# The key


def test_the_key_lies_beside_the_store_for_its_owner_alone(path: Path, store: Store, match: str) -> None:
    assert not key_path(path).exists(), "no key before there is something to sign"
    store.sign(HOME)
    store.close()
    if os.name == "posix":
        assert stat.S_IMODE(key_path(path).stat().st_mode) == 0o600
    secret = SigningKey.at(key_path(path), make=False)
    assert secret is not None
    raw = secret._private.private_bytes_raw()
    pem = b"".join(key_path(path).read_bytes().split(b"\n")[1:-2])
    for file in path.parent.iterdir():
        if file != key_path(path):
            assert raw not in file.read_bytes()
            assert raw.hex().encode() not in file.read_bytes()
            assert pem not in file.read_bytes()


def test_a_key_that_others_can_read_is_said(path: Path, store: Store, match: str) -> None:
    store.sign(HOME)
    key_path(path).chmod(0o644)
    store.append(match, [PASS])
    store.sign(HOME)
    assert "can be read by others" in store.warnings[0]


@pytest.mark.parametrize("content", [b"", b"hello", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_spoilt_key_is_not_replaced(path: Path, store: Store, match: str, content: bytes) -> None:
    key_path(path).write_bytes(content)
    with pytest.raises(StoreError, match="this is not a key"):
        store.sign(HOME)
    assert key_path(path).read_bytes() == content


def test_a_lost_key_is_followed_by_a_new_one(path: Path, store: Store, match: str) -> None:
    """What the old key signed stays good, and the new one signs only what extends it."""
    old = store.sign(HOME)
    key_path(path).unlink()
    store.append(match, [PASS])
    new = store.sign(HOME)
    assert old.origin != new.origin
    for one in (old, new):
        assert store.verify(HOME, one).found == []


# When it is signed


def test_the_end_of_a_match_is_signed(store: Store, match: str) -> None:
    store.append(match, [PASS])
    assert store.checkpoints(HOME) == []
    store.set_over(match, True)
    assert [one.size for one in store.checkpoints(HOME)] == [2]
    store.set_over(match, False)
    store.append(match, [PASS])
    store.set_over(match, True)
    store.set_over(match, True)
    assert [one.size for one in store.checkpoints(HOME)] == [2, 3]


def test_the_same_head_gives_the_same_checkpoint(store: Store, match: str) -> None:
    assert store.sign(HOME) == store.sign(HOME)
    assert len(store.checkpoints(HOME)) == 1


def test_books_are_signed_one_by_one(store: Store, match: str) -> None:
    store.create_match({}, game="kaiser", book="club")
    assert store.sign(HOME).root != store.sign("club").root
    assert store.verify(HOME).checkpoints == store.verify("club").checkpoints == 1


def test_nothing_to_sign(path: Path, store: Store, match: str) -> None:
    with pytest.raises(NotFoundError, match="no book 'else'"):
        store.sign("else")
    with Store.open(path, write=False) as reader, pytest.raises(UsageError, match="reading only"):
        reader.sign(HOME)


# Never a head that does not extend the last


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("UPDATE events SET leaf = randomblob(32) WHERE n = 1", "not those that were signed"),
        ("DELETE FROM events WHERE n = 3", "no event 4|ends at event"),
        (
            "UPDATE events SET payload = replace(payload, 'N', 'S') WHERE n = 4",
            "event 5 .* not the one that was written",
        ),
    ],
)
def test_a_changed_book_is_not_signed(store: Store, match: str, words: str, says: str) -> None:
    store.append(match, [PASS, PASS, PASS])
    store.sign(HOME)
    store.append(match, [PASS])
    forge(store.backend.conn, words)
    with pytest.raises(StoreError, match=f"not signed: .*({says})"):
        store.sign(HOME)
    assert len(store.checkpoints(HOME)) == 1


def test_a_store_put_back_to_an_earlier_state_is_not_signed(
    path: Path, store: Store, match: str, tmp_path: Path,
) -> None:
    """Given an old copy in the place of the store, with other events after it, then its head is not signed."""
    store.append(match, [PASS])
    store.close()
    shutil.copy(path, tmp_path / "old.db")
    with Store.open(path) as later:
        later.append(match, [PASS, PASS])
        later.sign(HOME)
    shutil.copy(tmp_path / "old.db", path)
    with pytest.raises(StoreError, match=r"ends at event 2, 4 events were recorded"):
        Store.open(path)
    accept_lost_end(path)
    with Store.open(path) as back:
        with pytest.raises(StoreError, match=r"ends at event 2, but 4 events were signed"):
            back.sign(HOME)
        assert [(c.kind, c.first, c.last) for c in back.verify(HOME).found] == [("cut", 3, 4)]
        other = Recorded(n=0, event=Pass(by="E"))
        back.append(match, [other, other, other])
        with pytest.raises(StoreError, match="the first 4 events of book home are not those that were signed"):
            back.sign(HOME)
        with pytest.raises(StoreError, match="not those that were signed"):
            back.set_over(match, True)
        assert [(c.kind, c.first, c.last) for c in back.verify(HOME).found] == [("forked", 1, 4)]


def test_a_checkpoint_that_could_not_be_noted_is_not_handed_out(
    path: Path, store: Store, match: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*args: object, **how: object) -> None:
        raise OSError(28, "No space left on device")

    store.sign(HOME)
    store.append(match, [PASS])
    before = signed_path(path).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("records.proof.signing.write_whole", full)
        with pytest.raises(StoreError, match=r"cannot be noted \(No space"):
            store.sign(HOME)
    assert signed_path(path).read_bytes() == before
    assert len(store.checkpoints(HOME)) == 1
    assert store.sign(HOME).size == 2


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "f"
    notes.write_whole(file, b"one")
    monkeypatch.setattr(os, "fsync", lambda fd: (_ for _ in ()).throw(OSError(5, "I/O error")))
    with pytest.raises(OSError, match="I/O error"):
        notes.write_whole(file, b"two")
    assert file.read_bytes() == b"one"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]
