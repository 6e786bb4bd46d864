"""A match to carry away: its events, proofs that they stand in their book, and the signed head of the book.

Checked by `verify_bundle.py`, which needs nothing but Python. The file is JSON:

    {"kibitz_bundle": 1, "match": …, "book": …, "public_key": NAME+ID+KEY, "checkpoint": the signed note,
     "events": [{"pos", "n", "type", "version", "time", "recorder", "key", "payload" (the stored text), "proof": [base64]}],
     "earlier": [{"size": …, "proof": [base64]}]}

`earlier` proves for every checkpoint handed out before that the signed head extends it.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from events.errors import UsageError
from records.attest import checkpoints_of, genuine, leaves_of, public_keys, sign
from records.faults import told
from records.merkle import Tree
from records.notes import Checkpoint, origin_of, read_checkpoint, signed_by, verifier_key

if TYPE_CHECKING:
    from records.store import Store

VERIFIER = Path(__file__).with_name("verify_bundle.py")
"""The program that checks a bundle, to be copied along with it."""


def make_bundle(store: Store, match: str) -> bytes:
    """The bundle of a match. Signs the head of its book if no checkpoint covers the whole match yet.

    NotFoundError if there is no such match; UsageError if the head had to be signed, but the store is open for reading
    only; StoreError if the book is not what was signed.
    """
    store.length(match)
    with told(store.path):
        rows = store._conn.execute(
            "SELECT book, pos, n, type, version, time, recorder, key, CAST(payload AS BLOB) FROM events"
            " WHERE match = ? ORDER BY n",
            (match,),
        ).fetchall()
    book, last = rows[0][0], max(row[1] for row in rows)
    head = _covering(store, book, last)
    if head is None:
        if not store.write:
            raise UsageError(
                f"the end of match {match} is not signed yet", where=str(store.path), todo=f"`kibitz checkpoint {book}`"
            )
        head = sign(store, book)
    tree = Tree(leaves_of(store, book, head.size))
    events = [
        {
            "pos": pos, "n": n, "type": type_, "version": version, "time": time, "recorder": recorder, "key": key,
            "payload": payload.decode(), "proof": _coded(tree.inclusion(pos - 1)),
        }
        for _, pos, n, type_, version, time, recorder, key, payload in rows
    ]  # fmt: skip
    earlier: list[dict[str, Any]] = [
        {"size": size, "proof": _coded(tree.consistency(size))}
        for size in sorted({c.size for c in checkpoints_of(store, book) if c.size < head.size})
    ]
    bundle = {
        "kibitz_bundle": 1, "match": match, "book": book, "public_key": public_key_of(store, head),
        "checkpoint": head.note, "events": events, "earlier": earlier,
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(bundle), indent=1) + b"\n"


def public_key_of(store: Store, checkpoint: Checkpoint) -> str:
    """The public key that signed a checkpoint of this store, as it is handed out; empty if the store does not know it."""
    note = read_checkpoint(checkpoint.note)[1]
    for public in public_keys(store):
        if checkpoint.origin == origin_of(public, checkpoint.book) and signed_by(note, checkpoint.origin, public):
            return verifier_key(checkpoint.origin, public)
    return ""


def _covering(store: Store, book: str, last: int) -> Checkpoint | None:
    publics = public_keys(store)
    for one in reversed(checkpoints_of(store, book)):
        if one.size >= last and genuine(one, publics, book):
            return one
    return None


def _coded(hashes: list[bytes]) -> list[str]:
    return [base64.b64encode(one).decode() for one in hashes]
