#!/usr/bin/env python3
"""Check a bundle of Kibitz offline: `python verify_bundle.py FILE`.

One file, Python 3.8 or newer, nothing else needed: copy it wherever you like, and read it. It shares no code with
Kibitz. A bundle (written by `kibitz export MATCH --bundle -o FILE`) holds all events of one match, for each of them a
proof that it stands in its book, and the signed head of the book.

    python verify_bundle.py FILE [--key NAME+ID+KEY] [--against CHECKPOINT-FILE] [--open OPENING-FILE] [--log]
                            [--pictures FOLDER]

  --key      the public key as you were given it; without it the key in the bundle is believed
  --against  a checkpoint that was carried away earlier: the book must still begin with what it covers
  --open     what `kibitz open` wrote: it shows values that the bundle keeps back, and proves them
  --log      print the events, one JSON object a line
  --pictures write the pictures that come along into this folder, each named by its hash

A bundle may be shown in part: cards, names or remarks are kept back, and a commitment stands for each. It is proved
like a whole one. What is kept back is said; it is not the same as a card that nobody saw, though both are printed as
??.

What could steer a terminal is printed as an escape (\\x1b, \\u202e).

Exit code 0: everything agrees. 1: it does not, or cannot be shown. 2: the file cannot be read.

What it shows: these events, in this order and with none missing between them, stood in the book when its head was
signed. What it cannot show: that the match did not go on after them, and that the recorder typed what happened at the
table.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import struct
import sys
import unicodedata
from typing import Any, Tuple  # noqa: UP035
from urllib.parse import quote

MOST_BYTES = 1 << 28  # bytes of a file
MOST_NESTED = 16  # levels of a value: lists and objects around it, and it
LARGEST = 2**53 - 1  # the largest whole number

# --- the tree of RFC 6962 ---------------------------------------------------------------------------------------------


def leaf_of(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_from_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes | None:
    """The root computed from an inclusion proof; None if the proof has the wrong length."""
    if not 0 <= index < size:
        return None
    # A level has a neighbour unless the node is the last one and has none.
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
    """True if the tree of `new` leaves begins with the tree of `old`."""
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
    """The point that 32 bytes encode, in extended coordinates; None if they encode none."""
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


# --- text and JSON ----------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The bundle does not prove what it should; the message says why."""


def is_hidden(char: str) -> bool:
    """True if the character controls a terminal or the direction of writing, or is invisible."""
    if char.isprintable() or char in "\u200c\u200d":
        return False
    kind = unicodedata.category(char)
    if kind == "Cf":
        name = unicodedata.name(char, "")
        return not name.startswith(("ARABIC", "SYRIAC", "KAITHI")) or name == "ARABIC LETTER MARK"
    return kind in ("Cc", "Cs", "Zl", "Zp")


def visible(text: str) -> str:
    """The text on one line, hidden characters as escapes."""
    def shown(char: str) -> str:
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return text if text.isprintable() else "".join(shown(c) if is_hidden(c) else c for c in text)


def visible_json(value: Any) -> str:
    """The value as JSON on one line, hidden characters as JSON escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(json.dumps(c)[1:-1] if is_hidden(c) else c for c in text)


def load(text: str) -> Any:
    """Parse JSON strictly: no duplicate keys, integers of at most 53 bits, bounded nesting. Else ValueError."""
    try:
        value = json.loads(
            text, object_pairs_hook=once, parse_int=whole, parse_float=no_number, parse_constant=no_number,
        )
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    level = [value]
    for _ in range(MOST_NESTED):
        level = [
            part for one in level
            for part in (one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())
        ]
        if not level:
            return value
    raise ValueError("it nests too deeply")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key stands there twice")
    return table


def whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise ValueError(f"the number {digits[:20]}… is too large")
    return int(digits)


def no_number(digits: str) -> Any:
    raise ValueError(f"{digits[:20]} is not a whole number")


def shaped(value: Any, shape: dict[str, type], what: str, *, but: Any = ()) -> dict[str, Any]:
    """The value, if it is an object with these keys and types; those in `but` may be missing. Else ValueError."""
    if type(value) is not dict or not set(shape) - set(but) <= set(value) <= set(shape):
        raise ValueError(f"{what} is misshapen")
    for name, part in value.items():
        if type(part) is not shape[name] or (type(part) is int and part < 0):
            raise ValueError(f"{name} of {what} is misshapen")
    return value


def decoded(text: Any, size: int) -> bytes:
    if type(text) is not str:
        raise ValueError("a hash is misshapen")
    data = base64.b64decode(text, validate=True)
    if len(data) != size or base64.b64encode(data).decode() != text:
        raise ValueError("a hash is misshapen")
    return data


# --- notes, keys, events ----------------------------------------------------------------------------------------------


def read_key(text: str) -> tuple[str, bytes]:
    name, _, rest = text.strip().partition("+")
    number, _, code = rest.partition("+")
    data = decoded(code, 33)
    if data[0] != 1 or not name or key_id(name, data[1:]).hex() != number:
        raise ValueError("this is not a public key")
    return name, data[1:]


def key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n\x01" + public).digest()[:4]


def key_of(book: str, public: bytes) -> tuple[str, str]:
    """The name of the key for this book, and the key as it is published."""
    name = "kibitz-" + hashlib.sha256(public).hexdigest()[:8] + "/" + quote(book, safe="")
    return name, name + "+" + key_id(name, public).hex() + "+" + base64.b64encode(b"\x01" + public).decode()


def read_checkpoint(note: str, name: str, public: bytes) -> tuple[int, bytes]:
    """The size and root of a checkpoint that this key signed."""
    text, gap, rest = note.rpartition("\n\n")
    lines = text.split("\n")
    if not gap or not rest.endswith("\n") or len(lines) < 3 or not re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]):
        raise Refused("the checkpoint is misshapen or not signed")
    try:
        root = decoded(lines[2], 32)
        signed = [read_signature(line) for line in rest[:-1].split("\n")]
    except ValueError:
        raise Refused("the checkpoint is misshapen or not signed") from None
    for signer, number, signature in signed:
        if signer == name and number == key_id(name, public):
            if not signature_is_good(public, (text + "\n").encode(), signature):
                raise Refused("the signature under the checkpoint is false")
            if lines[0] != name:
                raise Refused("the checkpoint is of another book than its signature")
            return int(lines[1]), root
    raise Refused("the checkpoint is not signed with the key")


def read_signature(line: str) -> tuple[str, bytes, bytes]:
    name, _, code = line[2:].rpartition(" ")
    data = base64.b64decode(code, validate=True)
    if not line.startswith("— ") or not name or len(data) < 5:
        raise ValueError("this is not a signature")
    return name, data[:4], data[4:]


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack(">I", len(data)) + data


def number(value: int) -> bytes:
    return struct.pack(">Q", value)


def entry_of(book: str, match: str, event: dict[str, Any], previous: bytes, seed: bytes | None = None) -> bytes:
    """The bytes of an event that are hashed; with `seed`, which may be empty, those of layout 2."""
    place = (text(book), number(event["pos"]), text(match), number(event["n"]), text(event["type"]))
    more = (number(event["version"]), text(event["time"]))
    if seed is None:
        people = (text(event["recorder"]), text(event["key"]))
        return b"".join((b"kibitz.event/1\n", *place, *more, *people, previous, text(event["payload"])))
    who, outline = outlined(book, match, event, seed)
    return b"".join((b"kibitz.event/2\n", *place, *more, text(who), previous, text(outline)))


# --- layout 2: values that can be left out ----------------------------------------------------------------------------


def seed_in(opening: dict[str, Any]) -> bytes | None:
    """The seed of a match, given its opening event: empty if the bundle does not show it, None for layout 1."""
    table = said(opening["payload"], opening["type"], opening["n"])
    if not {"salt", "kept"} & set(table):
        return None
    return decoded(table["salt"][""], 16) if "" in table.get("salt", {}) else b""


WHOLE = (("note", "by"), ("note", "facts"), ("note", "refs"), ("end", "facts"))


def inner_of(table: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The event that has the slots, and what their paths begin with."""
    event = of_type(dict, table["event"])
    if event.get("verb") == "fix" and "event" in event:
        return of_type(dict, event["event"]), "event/event/"
    return event, "event/"


def of_type(kind: type, value: Any) -> Any:
    """The value, if it is of this type. Refused otherwise."""
    if type(value) is not kind:
        raise Refused("an event of the match has not the shape of one")
    return value


def slots_in(table: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """The values of a payload that are committed to: path, and the list or object with the key where each stands."""
    found: list[tuple[str, Any, Any]] = [(name, table, name) for name in ("glyphs", "text") if name in table]
    event, path = inner_of(table)
    for name, value in event.items():
        lists = []
        if name in ("cards", "takes"):
            lists = [(path + name, value)]
        elif name == "groups":
            lists = [(f"{path}groups/{i}", group) for i, group in enumerate(of_type(list, value))]
        elif name == "piles":
            for i, pile in enumerate(of_type(list, value)):
                if [type(part) for part in of_type(list, pile)] != [str, list]:
                    raise Refused("an event of the match has not the shape of one")
                lists.append((f"{path}piles/{i}/1", pile[1]))
        elif name == "why" or (event.get("verb"), name) in WHOLE:
            found.append((path + name, event, name))
        elif name == "facts":
            found += [(f"{path}facts/{fact}", value, fact) for fact in of_type(dict, value)]
        for start, cards in lists:
            for i, card in enumerate(of_type(list, cards)):
                if of_type(str, card) != "*":
                    found.append((f"{start}/{i}", cards, i))
    return found


def canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def commitment(book: str, match: str, n: int, path: str, salt: bytes, value: Any) -> str:
    place = b"kibitz.slot/1\n" + text(book) + text(match) + number(n) + text(path)
    return base64.b64encode(hashlib.sha256(place + salt + text(canonical(value))).digest()).decode()


def steps_of(path: str) -> list[str]:
    head, facts, name = path.partition("/facts/")
    return [*head.split("/"), "facts", name] if facts else path.split("/")


def box_of(table: dict[str, Any], path: str) -> tuple[Any, Any]:
    """The list or object where the value of a path stands, and its key there. Missing facts are made."""
    *way, last = steps_of(path)
    box: Any = table
    for step in way:
        if type(box) is list:
            box = box[int(step)]
        else:
            box = box.setdefault("facts", {}) if step == "facts" else box[step]
    return (box, int(last)) if type(box) is list else (box, last)


def count_in(box: Any, value: Any) -> str:
    """The count before an item of cards, `4x` or `*x`; empty if there is none, or it is another value."""
    found = re.match(r"(?:[1-9][0-9]*|\*)x", of_type(str, value)) if type(box) is list else None
    return found.group() if found else ""


def outlined(book: str, match: str, event: dict[str, Any], seed: bytes) -> tuple[str, str]:
    """Who recorded the event, and what it says, with a commitment for each value that can be left out."""
    n, table = event["n"], said(event["payload"], event["type"], event["n"])
    if canonical(table) != event["payload"]:
        raise Refused(f"event {n} of the match is not in canonical JSON")
    salts, kept = table.pop("salt", {}), table.pop("kept", {})
    people = [event["recorder"], event["key"]]
    if kept:
        seed = b""
        put_back(table, kept, n)
    slots = slots_in(table)
    paths = {path for path, _, _ in slots} | ({"who"} if "who" in kept or people != ["", ""] else set())
    if not set(kept) <= paths:
        raise Refused(f"event {n} of the match keeps back what cannot be kept back")
    if not set(salts) <= paths - set(kept) | ({""} if n == 0 and not kept else set()):
        raise Refused(f"event {n} of the match has a salt of nothing that it shows")

    def committed(path: str, value: Any) -> str:
        if path in salts:
            return commitment(book, match, n, path, decoded(salts[path], 16), value)
        if not seed:
            raise Refused(f"event {n} of the match has no salt for {path}")
        salt = hmac.new(seed, number(n) + path.encode(), "sha256").digest()[:16]
        return commitment(book, match, n, path, salt, value)

    for path, box, at in slots:
        if path not in kept:
            box[at] = count_in(box, box[at]) + committed(path, box[at])
    if "who" in kept:
        if people != ["", ""]:
            raise Refused(f"event {n} of the match shows what it keeps back (who)")
        return kept["who"], canonical(table)
    return committed("who", people) if people != ["", ""] else "", canonical(table)


def put_back(table: dict[str, Any], kept: dict[str, str], n: int) -> None:
    """Put the commitments of `kept` into their places. Refused if anything but the placeholder stands there."""
    if inner_of(table)[0].get("facts") == {} and any("/facts/" in path for path in kept):
        raise Refused(f"event {n} of the match shows none of its facts, which are kept back")
    for path, standing in kept.items():
        decoded(standing, 32)
        if path == "who":
            continue
        try:
            box, at = box_of(table, path)
            there = box[at] if type(box) is list else of_type(dict, box).get(at)
        except (KeyError, IndexError, ValueError, TypeError, AttributeError):
            raise Refused(f"event {n} of the match keeps back what cannot be kept back") from None
        count = count_in(box, there)
        if type(box) is list:
            blank = there == count + "??"
        else:
            blank = there == "@" if path in ("event/by", "event/event/by") else at not in box
        if not blank:
            raise Refused(f"event {n} of the match shows what it keeps back ({path})")
        box[at] = count + standing


OPENING = {"kibitz_opening": int, "book": str, "match": str, "events": dict}


def opened(bundle: dict[str, Any], *openings: Any) -> dict[str, Any]:
    """The verified bundle with the values that openings show, yet to be verified again. Refused if one of them is not
    what was committed to at its place. What is shown already must be shown just so."""
    book, match = bundle["book"], bundle["match"]
    events = [dict(event) for event in bundle["events"]]
    by_number = {str(event["n"]): event for event in events}
    for opening in openings:
        shaped(opening, OPENING, "the opening")
        if opening["kibitz_opening"] != 1:
            raise ValueError("this is not an opening of a version this program knows")
        if (opening["book"], opening["match"]) != (book, match):
            raise Refused("the opening is of another match")
        for n, shown in opening["events"].items():
            if n not in by_number or type(shown) is not dict:
                raise Refused(f"the opening is of event {n[:20]}, which the bundle does not have")
            event = by_number[n]
            table = load(event["payload"])
            salts, kept = table.pop("salt", {}), table.pop("kept", {})
            for path, one in shown.items():
                if type(one) is not dict or set(one) != {"salt", "value"}:
                    raise ValueError("the opening is misshapen")
                salt, value = decoded(one["salt"], 16), one["value"]
                if path not in kept and (path == "" or path not in salts):
                    raise Refused(f"the opening does not fit event {n}: nothing is kept back at {path[:80]!r}")
                box, at = (event, "who") if path == "who" else box_of(table, path)
                if path in kept:
                    if commitment(book, match, event["n"], path, salt, value) != kept.pop(path):
                        raise Refused(f"the opening does not fit event {n}: {path} is not what was committed to")
                elif one["salt"] != salts[path] or canonical(value) != canonical(
                    [event["recorder"], event["key"]] if path == "who" else box[at]
                ):
                    raise Refused(f"the opening does not fit event {n}: {path} is shown, and is something else")
                salts[path] = one["salt"]
                if path == "who":
                    event["recorder"], event["key"] = value
                else:
                    box[at] = value
            parts = {"salt": salts, "kept": kept}
            event["payload"] = canonical({**table, **{name: part for name, part in parts.items() if part}})
    return {**bundle, "events": events}


def kept_back(bundle: dict[str, Any]) -> list[str]:
    """A sentence about the values that a bundle keeps back; none if it shows all."""
    counts = {"card": 0, "name": 0, "recorder": 0, "remark": 0, "fact": 0}
    events = 0
    for event in bundle["events"]:
        kept = said(event["payload"], event["type"], event["n"]).get("kept", {})
        events += bool(kept)
        for path in kept:
            last = steps_of(path)[-1]
            kind = (
                "recorder" if path == "who" else "remark" if last in ("text", "glyphs", "why")
                else "card" if last.isdigit() and "/facts/" not in path else "name" if last.isupper() else "fact"
            )
            counts[kind] += 1
    parts = [f"{many} {kind}{'s' * (many != 1)}" for kind, many in counts.items() if many]
    if not parts:
        return []
    what = ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + parts[-1]
    return [f"shown in part: {what} in {events} event{'s' * (events != 1)} kept back, which is not the same as unseen"]


def said(payload: str, kind: str, n: int) -> dict[str, Any]:
    """The parsed payload of an event, if its type and place fit. Refused, or ValueError, otherwise."""
    table = load(payload)
    event = table.get("event") if type(table) is dict else None
    if type(event) is not dict or not set(table) <= {"event", "same", "t", "glyphs", "text", "salt", "kept"}:
        raise Refused(f"event {n} of the match is not an event")
    for name in ("salt", "kept"):
        part = table.get(name, {})
        if type(part) is not dict or (name in table) != bool(part) or not all(type(o) is str for o in part.values()):
            raise Refused(f"event {n} of the match has a misshapen {name}")
    if event.get("verb") != kind:
        raise Refused(f"event {n} of the match does not agree with what is written beside it")
    if n == 0 and kind != "open":
        raise Refused("the match does not begin with its opening")
    return table  # type: ignore[no-any-return]  # checked to be a dict


BUNDLE = {
    "kibitz_bundle": int, "match": str, "book": str, "public_key": str, "checkpoint": str, "events": list,
    "earlier": list, "attachments": list, "replay": dict,
}  # fmt: skip
EVENT = {
    "pos": int, "n": int, "type": str, "version": int, "time": str, "recorder": str, "key": str, "payload": str,
    "proof": list,
}  # fmt: skip


def verify(bundle: Any, key: str | None = None, against: str | None = None) -> list[str]:
    """Check everything and return the sentences to print. Raises Refused, or ValueError for a misshapen bundle."""
    if type(bundle) is not dict or bundle.get("kibitz_bundle") not in (1, 2):
        raise ValueError("this is not a bundle of a version this program knows")
    shaped(bundle, BUNDLE, "the bundle", but=("earlier", "attachments", "replay"))
    for one in bundle.get("earlier", []):
        shaped(one, {"size": int, "proof": list}, "an earlier proof")
        proof_of(one)
    match, book = bundle["match"], bundle["book"]
    public = read_key(bundle["public_key"])[1]
    if key is not None and public_of(key) != public:
        raise Refused("the bundle is signed with another key than the one given")
    name, handed_out = key_of(book, public)
    if bundle["public_key"] != handed_out:
        raise Refused("the key is not the one of this book")
    size, root = read_checkpoint(bundle["checkpoint"], name, public)
    previous, place, expected, seed = bytes(32), 0, -1, None
    for expected, event in enumerate(bundle["events"]):
        shaped(event, EVENT, f"event {expected}")
        if event["n"] != expected:
            raise Refused(f"event {expected} of the match is missing or out of order")
        if event["pos"] <= place:
            raise Refused(f"event {expected} stands before the one it follows")
        place = event["pos"]
        if expected == 0:
            seed = seed_in(event)
            if (seed is None) != (bundle["kibitz_bundle"] == 1):
                raise Refused("the number of the bundle is not that of its layout")
        previous = leaf_of(entry_of(book, match, event, previous, seed))
        if root_from_inclusion(previous, place - 1, size, proof_of(event)) != root:
            raise Refused(f"event {expected} (position {place} of the book) is not the one that was signed")
        if seed is None and {"salt", "kept"} & set(said(event["payload"], event["type"], expected)):
            raise Refused(f"event {expected} of the match is of another layout than its opening")
    if not bundle["events"]:
        raise Refused("the match does not begin with its opening")
    told = [
        f"match {match}: events 0 to {expected} are those of book {book} when its {size} events were signed",
        f"signed with {handed_out}",
    ]  # fmt: skip
    told += kept_back(bundle) + pictures(bundle) + replay(bundle)
    if key is None:
        told.append("this key comes with the bundle; compare it with one you were given, or name that one with --key")
    if against is not None:
        told.append(compare(bundle, name, public, size, root, against))
    return told


def pictures(bundle: dict[str, Any]) -> list[str]:
    """Sentences about the pictures that the events name. Refused if one in the bundle is not what was attached."""
    brought: dict[str, bytes] = {}
    for one in bundle.get("attachments", []):
        shaped(one, {"sha256": str, "data": str}, "a picture")
        data = base64.b64decode(one["data"], validate=True)
        if base64.b64encode(data).decode() != one["data"]:
            raise ValueError("a picture is misshapen")
        if hashlib.sha256(data).hexdigest() != one["sha256"]:
            raise Refused("the picture " + one["sha256"][:80] + " is not the one that was attached")
        if one["sha256"] in brought:
            raise Refused("a picture comes twice")
        brought[one["sha256"]] = data
    named: dict[str, int] = {}
    removed: dict[str, int] = {}
    for event in bundle["events"]:
        what = said(event["payload"], event["type"], event["n"])["event"]
        what = what.get("event") if event["type"] == "fix" else what
        facts = what.get("facts") if type(what) is dict and what.get("verb") == "note" else None
        if type(facts) is not dict:
            continue
        if is_hash(facts.get("sha256")):
            named[facts["sha256"]] = event["n"]
            removed.pop(facts["sha256"], None)
        elif is_hash(facts.get("removed")):
            removed[facts["removed"]] = event["n"]
    told = []
    for sha256, n in named.items():
        if sha256 in brought:
            became = f"comes along as it was attached, {len(brought[sha256])} bytes"
        else:
            became = f"was removed, as event {removed[sha256]} says" if sha256 in removed else "does not come along"
        told.append(f"the picture of event {n} (SHA-256 {sha256}) {became}")
    for sha256 in brought:
        if sha256 not in named:
            raise Refused("a picture comes along that no event names")
    return told


def is_hash(value: Any) -> bool:
    return type(value) is str and re.fullmatch("[0-9a-f]{64}", value) is not None


def public_of(key: str) -> bytes | None:
    try:
        return read_key(key)[1]
    except ValueError:
        return None


def proof_of(one: dict[str, Any]) -> list[bytes]:
    return [decoded(step, 32) for step in one["proof"]]


def compare(bundle: dict[str, Any], name: str, public: bytes, size: int, root: bytes, against: str) -> str:
    old, old_root = read_checkpoint(against.replace("\r\n", "\n"), name, public)
    if old == size:
        if old_root != root:
            raise Refused(f"the {old} events of the book are not those of the checkpoint given")
        return "the checkpoint given is the one of the bundle"
    for one in bundle.get("earlier", []):
        if one["size"] == old:
            if extends(old, old_root, size, root, proof_of(one)):
                return f"the book begins with the {old} events of the checkpoint given"
            raise Refused(f"the first {old} events of the book are not those of the checkpoint given")
    raise Refused(f"the bundle holds no proof for a checkpoint of {old} events; nothing can be said about it")


# --- the program ------------------------------------------------------------------------------------------------------


def read(name: str) -> str:
    with open(name, encoding="utf-8", newline="") as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise ValueError(f"the file is larger than {MOST_BYTES} bytes")
    return text


def log_of(bundle: dict[str, Any]) -> list[str]:
    """The events of a verified bundle, one JSON object a line."""
    lines = []
    for event in bundle["events"]:
        around = {name: value for name, value in event.items() if name not in ("proof", "payload")}
        what = said(event["payload"], event["type"], event["n"])
        lines.append(visible_json({**around, **{name: part for name, part in what.items() if name != "salt"}}))
    return lines


def replay(bundle: dict[str, Any]) -> list[str]:
    """A sentence about the page that was written beside the bundle, if there was one."""
    if "replay" not in bundle:
        return []
    one = shaped(bundle["replay"], {"file": str, "sha256": str}, "the replay")
    if not is_hash(one["sha256"]):
        raise ValueError("the hash of the replay is misshapen")
    return [
        f"the replay was written beside it as {one['file'][:200]} (SHA-256 {one['sha256']}); it proves "
        "nothing by itself"
    ]


def written(bundle: dict[str, Any], folder: str) -> list[str]:
    """Write the pictures of a verified bundle, and return a sentence for each. Existing files are kept."""
    told = []
    os.makedirs(folder, exist_ok=True)
    for one in bundle.get("attachments", []):
        data = base64.b64decode(one["data"])
        name = os.path.join(folder, one["sha256"] + ending_of(data))
        if not os.path.lexists(name):
            with open(name, "xb") as file:
                file.write(data)
            told.append(visible(f"written: {name}"))
    return told


def ending_of(data: bytes) -> str:
    """The file name ending of a picture, by its content."""
    for start, ending in ((b"\xff\xd8\xff", ".jpg"), (b"\x89PNG", ".png"), (b"RIFF", ".webp"), (b"%PDF-", ".pdf")):
        if data.startswith(start):
            return ending
    return ""


def answer(file: str, options: dict[str, str]) -> tuple[int, list[str]]:
    """The exit code, and the lines to print."""
    try:
        bundle = load(read(file))
        if "--open" in options:
            verify(bundle)
            bundle = opened(bundle, load(read(options["--open"])))
        against = read(options["--against"]) if "--against" in options else None
        told = [visible(line) for line in verify(bundle, options.get("--key"), against)]
        if "--pictures" in options:
            told += written(bundle, options["--pictures"])
        return 0, told + (log_of(bundle) if "--log" in options else [])
    except Refused as error:
        return 1, ["NOT VERIFIED: " + visible(str(error))]
    except MemoryError:
        return 2, ["cannot be read: it is too large"]
    except (OSError, ValueError, KeyError, TypeError, struct.error, RecursionError) as error:
        return 2, [visible(f"cannot be read: {type(error).__name__}: {error}")]


def main(args: list[str]) -> int:
    options = {}
    files = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word in ("--key", "--against", "--open", "--pictures") and rest:
            options[word] = rest.pop(0)
        elif word == "--log":
            options[word] = "yes"
        else:
            files.append(word)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if len(files) != 1 or files[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    code, lines = answer(files[0], options)
    try:
        for line in lines:
            print(line, file=sys.stderr if code == 2 else sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; the exit code is still valid.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
