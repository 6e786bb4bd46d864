#!/usr/bin/env python3
"""Check a bundle of Kibitz offline: `python verify_bundle.py FILE`.

One file, Python 3.8 or newer, nothing else needed: copy it wherever you like, and read it. It shares no code with
Kibitz. A bundle (written by `kibitz export MATCH --bundle -o FILE`) holds all events of one match, for each of them a
proof that it stands in its book, and the signed head of the book.

    python verify_bundle.py FILE [--key NAME+ID+KEY] [--against CHECKPOINT-FILE] [--log]

  --key      the public key as you were given it; without it the key in the bundle is believed
  --against  a checkpoint that was carried away earlier: the book must still begin with what it covers
  --log      print the events, one JSON object a line

Exit code 0: everything agrees. 1: it does not, or cannot be shown. 2: the file cannot be read.

What it shows: these events, in this order and with none missing between them, stood in the book when its head was
signed. What it cannot show: that the match did not go on after them, and that the recorder typed what happened at the
table.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import sys
from typing import Any, Tuple  # noqa: UP035
from urllib.parse import unquote

# --- the tree of RFC 6962 ---------------------------------------------------------------------------------------------


def leaf_of(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_from_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes | None:
    """The root that follows from an inclusion proof; None if the proof has the wrong length."""
    if not 0 <= index < size:
        return None
    # The levels at which the way up has a neighbour: one for each where it is not the lonely last node.
    found, taken = leaf, 0
    last = size - 1
    while last:
        if index & 1 or index < last:
            if taken == len(proof):
                return None
            neighbour = proof[taken]
            taken += 1
            found = node_of(neighbour, found) if index & 1 else node_of(found, neighbour)
        index, last = index >> 1, last >> 1
    return found if taken == len(proof) else None


def extends(old: int, old_root: bytes, new: int, new_root: bytes, proof: list[bytes]) -> bool:
    """Whether the tree of `new` leaves begins with the tree of `old`."""
    if not 0 < old <= new:
        return False
    if old == new:
        return old_root == new_root and not proof
    index, last = old - 1, new - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    rest = list(proof)
    if index:
        if not rest:
            return False
        one = two = rest.pop(0)
    else:
        one = two = old_root
    while last:
        if index & 1:
            if not rest:
                return False
            neighbour = rest.pop(0)
            one, two = node_of(neighbour, one), node_of(neighbour, two)
        elif index < last:
            if not rest:
                return False
            two = node_of(two, rest.pop(0))
        index, last = index >> 1, last >> 1
    return not rest and one == old_root and two == new_root


# --- Ed25519 (RFC 8032), verification only ----------------------------------------------------------------------------

P = 2**255 - 19
Point = Tuple[int, int, int, int]  # noqa: UP006
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def point_of(data: bytes) -> Point | None:
    """The point that 32 bytes name, in extended coordinates; None if they name none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def plus(one: Point, two: Point) -> Point:
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = plus(total, point)
        point = plus(point, point)
        number >>= 1
    return total


def bytes_of(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or (0, 1, 1, 0)


def signature_is_good(public: bytes, text: bytes, signature: bytes) -> bool:
    if len(public) != 32 or len(signature) != 64:
        return False
    key, factor = point_of(public), int.from_bytes(signature[32:], "little")
    if key is None or factor >= ORDER:
        return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + public + text).digest(), "little") % ORDER
    minus = (P - key[0], key[1], 1, P - key[3])
    return bytes_of(plus(times(factor, BASE), times(hashed, minus))) == signature[:32]


# --- notes, keys, events ----------------------------------------------------------------------------------------------


class Refused(Exception):
    """The bundle does not show what it should; the message says why."""


def read_key(text: str) -> tuple[str, bytes]:
    name, _, rest = text.strip().partition("+")
    number, _, code = rest.partition("+")
    data = base64.b64decode(code, validate=True)
    if len(data) != 33 or data[0] != 1 or key_id(name, data[1:]).hex() != number:
        raise ValueError("this is no public key")
    return name, data[1:]


def key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n\x01" + public).digest()[:4]


def read_checkpoint(note: str, name: str, public: bytes) -> tuple[int, bytes]:
    """Size and root of a checkpoint that this key signed."""
    text, gap, lines = note.rpartition("\n\n")
    text += "\n"
    for line in lines.split("\n"):
        signer, _, code = line[2:].rpartition(" ")
        if not gap or not line.startswith("— ") or signer != name:
            continue
        data = base64.b64decode(code, validate=True)
        if data[:4] == key_id(name, public):
            if not signature_is_good(public, text.encode(), data[4:]):
                raise Refused("the signature under the checkpoint is false")
            origin, size, root = text.split("\n")[:3]
            if origin != name:
                raise Refused("the checkpoint is of another book than its signature")
            head = int(size), base64.b64decode(root, validate=True)
            if str(head[0]) != size or len(head[1]) != 32:
                raise ValueError("a checkpoint is misshapen")
            return head
    raise Refused("the checkpoint is not signed with the key")


def entry_of(book: str, match: str, event: dict[str, Any], previous: bytes) -> bytes:
    """The bytes of an event that are hashed."""
    def text(value: str) -> bytes:
        data = value.encode()
        return struct.pack(">I", len(data)) + data

    def number(value: int) -> bytes:
        return struct.pack(">Q", value)

    return b"".join((
        b"kibitz.event/1\n", text(book), number(event["pos"]), text(match), number(event["n"]), text(event["type"]),
        number(event["version"]), text(event["time"]), text(event["recorder"]), text(event["key"]), previous,
        text(event["payload"]),
    ))  # fmt: skip


def verify(bundle: dict[str, Any], key: str | None = None, against: str | None = None) -> list[str]:
    """Check everything; the sentences to print. Raises Refused, or ValueError and its like for a misshapen bundle."""
    if bundle.get("kibitz_bundle") != 1:
        raise ValueError("this is no bundle of a version this program knows")
    match, book = bundle["match"], bundle["book"]
    if key is not None and key.strip() != bundle["public_key"]:
        raise Refused("the bundle is signed with another key than the one given")
    name, public = read_key(bundle["public_key"])
    start, _, named = name.partition("/")
    if start != "kibitz-" + hashlib.sha256(public).hexdigest()[:8] or unquote(named) != book:
        raise Refused("the key is not the one of this book")
    size, root = read_checkpoint(bundle["checkpoint"], name, public)
    previous, place, expected = bytes(32), 0, -1
    for expected, event in enumerate(bundle["events"]):
        if event["n"] != expected:
            raise Refused(f"event {expected} of the match is missing or out of order")
        if event["pos"] <= place:
            raise Refused(f"event {expected} stands before the one it follows")
        place = event["pos"]
        previous = leaf_of(entry_of(book, match, event, previous))
        proof = [base64.b64decode(step, validate=True) for step in event["proof"]]
        if any(len(step) != 32 for step in proof):
            raise ValueError("a proof is misshapen")
        if root_from_inclusion(previous, place - 1, size, proof) != root:
            raise Refused(f"event {expected} (position {place} of the book) is not the one that was signed")
    if not bundle["events"] or json.loads(bundle["events"][0]["payload"])["event"]["verb"] != "open":
        raise Refused("the match does not begin with its opening")
    told = [
        f"match {match}: events 0 to {expected} are those of book {book} when its {size} events were signed",
        "signed with " + bundle["public_key"],
    ]  # fmt: skip
    if key is None:
        told.append("this key comes with the bundle; compare it with one you were given, or name that one with --key")
    if against is not None:
        told.append(compare(bundle, name, public, size, root, against))
    return told


def compare(bundle: dict[str, Any], name: str, public: bytes, size: int, root: bytes, against: str) -> str:
    old, old_root = read_checkpoint(against, name, public)
    if old == size and old_root == root:
        return "the checkpoint given is the one of the bundle"
    for one in bundle.get("earlier", []):
        if one["size"] == old:
            proof = [base64.b64decode(step, validate=True) for step in one["proof"]]
            if extends(old, old_root, size, root, proof):
                return f"the book begins with the {old} events of the checkpoint given"
            raise Refused(f"the first {old} events of the book are not those of the checkpoint given")
    raise Refused(f"the bundle holds no proof for a checkpoint of {old} events; nothing can be said about it")


def main(args: list[str]) -> int:
    options = {}
    files = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word in ("--key", "--against") and rest:
            options[word] = rest.pop(0)
        elif word == "--log":
            options[word] = "yes"
        else:
            files.append(word)
    if len(files) != 1 or files[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        with open(files[0], encoding="utf-8") as file:
            bundle = json.load(file)
        against = None
        if "--against" in options:
            with open(options["--against"], encoding="utf-8", newline="") as file:
                against = file.read()
        told = verify(bundle, options.get("--key"), against)
    except Refused as error:
        print(f"NOT VERIFIED: {error}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, struct.error, RecursionError) as error:
        print(f"cannot be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    for line in told:
        print(line)
    if "--log" in options:
        for event in bundle["events"]:
            around = {k: v for k, v in event.items() if k not in ("proof", "payload")}
            print(json.dumps({**around, **json.loads(event["payload"])}, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
