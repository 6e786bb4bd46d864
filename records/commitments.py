"""Layout 2 of an event: every card, name, remark and fact of it can be left out, and the event is still proved.

Such a value stands in a **slot**, named by its path in the payload (`event/cards/0`). The leaf does not cover the
value but a commitment to it, which is a hash over the value, its place and a salt of 128 bits:

    leaf       = SHA-256(0x00 || "kibitz.event/2\\n" text(book) number(position) text(match) number(n) text(type)
                 number(version) text(time) text(who) previous text(outline))
    outline    = the canonical payload without `salt` and `kept`, each slot as the base64 of its commitment
    who        = the commitment to [recorder, key], as base64; empty if both are empty
    commitment = SHA-256("kibitz.slot/1\\n" text(book) text(match) number(n) text(path) salt text(value))
    salt       = `salt` of the payload at the path, else HMAC-SHA-256(seed, number(n) path), its first 16 bytes
    value      = canonical JSON

A match is of layout 2, with all its events, if its opening has `salt` or `kept`; there the empty path of `salt` holds
the seed. Names and remarks have salts of their own, so that one of them can be destroyed. A value that is left out is
named in `kept`, with its commitment: then `salt` has no seed but the salt of each slot that is shown. Only the store
keeps the seed beside `kept`, after a name was forgotten.

docs/store.md describes the same; records/verify_bundle.py shares no code.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from base64 import b64decode, b64encode
from binascii import b2a_base64
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from events.cards import item
from events.errors import UnreadableError
from events.limits import MAX_EVENT_BYTES

FIRST_LINE = b"kibitz.event/2\n"
SALT = 16
WHO = "who"
"""The path of the slot of recorder and submission key."""
UNSEEN = "??"
_COUNT = re.compile(r"(?:[1-9][0-9]*|\*)x")
_MISSHAPEN = "it has not the shape of an event"
_BY = ("event/by", "event/event/by")
_MAY_NAME = (b'"text":', b'"why":', b'"verb":"open"', b'"verb":"note"')
"""Parts of the payloads that may hold a name or a remark."""

Table = dict[str, Any]
Place = tuple[str, Any, Any]
"""A slot: its path, and the list or dict with the key at which its value stands."""

_text = struct.Struct(">I").pack
_number = struct.Struct(">Q").pack
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(order="sorted").encode
_INNER = bytes(0x36 ^ byte for byte in range(256))
_OUTER = bytes(0x5C ^ byte for byte in range(256))


def slots(table: Table) -> list[Place]:
    """The slots of a decoded payload, without recorder and key. Raises ValueError for a payload that is not an event.
    """
    event, path = _event(table)
    verb = event.get("verb")
    found: list[Place] = [(name, table, name) for name in ("glyphs", "text") if name in table]
    for name, value in event.items():
        at = path + name
        if name in ("cards", "takes"):
            found += _items(at, value)
        elif name == "groups":
            for i, group in enumerate(_of_type(list, value)):
                found += _items(f"{at}/{i}", group)
        elif name == "piles":
            for i, pile in enumerate(_of_type(list, value)):
                if len(_of_type(list, pile)) != 2:
                    raise ValueError(_MISSHAPEN)
                _of_type(str, pile[0])
                found += _items(f"{at}/{i}/1", pile[1])
        elif name == "why" or (verb == "note" and name in ("by", "facts", "refs")) or (verb, name) == ("end", "facts"):
            found.append((at, event, name))
        elif name == "facts":
            found += [(f"{at}/{key}", value, key) for key in _of_type(dict, value)]
    return found


def _event(table: Table) -> tuple[Table, str]:
    """The event that has the slots, and what their paths begin with. It is the inner one of a correction that has one.
    """
    event = _of_type(dict, _of_type(dict, table).get("event"))
    if event.get("verb") == "fix" and "event" in event:
        return _of_type(dict, event["event"]), "event/event/"
    return event, "event/"


def _items(path: str, cards: Any) -> list[Place]:
    return [(f"{path}/{i}", cards, i) for i, card in enumerate(_of_type(list, cards)) if _of_type(str, card) != "*"]


def _of_type(wanted: type, value: Any) -> Any:
    if type(value) is not wanted:
        raise ValueError(_MISSHAPEN)
    return value


def count_before(card: str) -> str:
    """The count before an item of cards, `4x` or `*x`; empty if there is none."""
    found = _COUNT.match(card)
    return found[0] if found else ""


class Commitments:
    """The commitments of one match. `seed` is None if the record is shown in part.

    Every method raises ValueError for a payload that cannot be hashed: a salt is missing, or it is not an event.
    """

    __slots__ = ("_inner", "_outer", "_place", "_start", "_stream", "seed")

    def __init__(self, book: bytes, match: bytes, seed: bytes | None) -> None:
        self.seed = seed
        self._start = b"\x00" + FIRST_LINE + _text(len(book)) + book
        self._stream = _text(len(match)) + match
        self._place = b"kibitz.slot/1\n" + _text(len(book)) + book + self._stream
        # The two blocks of HMAC: hashing them with the message is twice as fast as the module for it.
        block = (seed or b"").ljust(64, b"\0")
        self._inner, self._outer = block.translate(_INNER), block.translate(_OUTER)

    def salt(self, n: int, path: str) -> bytes:
        """The salt of a slot that has none of its own."""
        if self.seed is None:
            raise ValueError(f"event {n} has no salt for {path}")
        sha256 = hashlib.sha256
        return sha256(self._outer + sha256(self._inner + _number(n) + path.encode()).digest()).digest()[:SALT]

    def commitment(self, n: int, path: str, value: bytes, own: dict[str, str]) -> bytes:
        """The commitment to a value in canonical JSON, as base64; `own` are the salts of the payload."""
        salt = decoded(own[path], SALT) if path in own else self.salt(n, path)
        name = path.encode()
        said = b"".join((self._place, _number(n), _text(len(name)), name, salt, _text(len(value)), value))
        return b2a_base64(hashlib.sha256(said).digest(), newline=False)

    def leaf(
        self, pos: int, n: int, type_: bytes, version: int, time: bytes, recorder: bytes, key: bytes, previous: bytes,
        payload: bytes,
    ) -> bytes:  # fmt: skip
        """The leaf of an event, 32 bytes."""
        who, outline = self._outlined(n, recorder, key, payload)
        return hashlib.sha256(
            b"".join((
                self._start, _number(pos), self._stream, _number(n), _text(len(type_)), type_, _number(version),
                _text(len(time)), time, _text(len(who)), who, previous, _text(len(outline)), outline,
            ))
        ).digest()  # fmt: skip

    def _outlined(self, n: int, recorder: bytes, key: bytes, payload: bytes) -> tuple[bytes, bytes]:
        try:
            if self.seed is not None and not is_salted(payload):
                return self._outlined_whole(n, recorder, key, payload)
            table = _canonical(payload)
            own, kept = _taken(table, "salt"), _taken(table, "kept")
            _put_back(table, kept)
            places = slots(table)
            paths = {path for path, *_ in places} | ({WHO} if recorder or key or WHO in kept else set())
            if not kept.keys() <= paths:
                raise ValueError(f"event {n} keeps back what cannot be kept back")
            if not own.keys() <= (paths - kept.keys()) | ({""} if n == 0 and self.seed is not None else set()):
                raise ValueError(f"event {n} has a salt of nothing that it shows")
            for path, box, at in places:
                if path not in kept:
                    count = count_before(box[at]) if type(box) is list else ""
                    box[at] = count + self.commitment(n, path, _encode(box[at]), own).decode()
            if WHO in kept:
                if recorder or key:
                    raise ValueError(f"event {n} shows what it keeps back, {WHO}")
                who = kept[WHO].encode()
            elif recorder or key:
                value = _encode([recorder.decode(), key.decode()])
                who = self.commitment(n, WHO, value, own)
            else:
                who = b""
            return who, _encode(table)
        except (msgspec.MsgspecError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
            raise ValueError(f"event {n} is not one of layout 2 ({error})") from None

    def _outlined_whole(self, n: int, recorder: bytes, key: bytes, payload: bytes) -> tuple[bytes, bytes]:
        """`_outlined` of a payload that shows everything and has no salts: the fast way for most events."""
        pieces, values = _parsed.get(payload) or _parse(payload)
        if recorder or key:
            values = [*values, _measured(WHO, _encode([recorder.decode(), key.decode()]))]
        sha256, number, inner, outer = hashlib.sha256, _number(n), self._inner, self._outer
        place = self._place + number
        found = []
        for name, head, tail in values:
            salt = sha256(outer + sha256(inner + number + name).digest()).digest()[:SALT]
            found.append(b2a_base64(sha256(place + head + salt + tail).digest(), newline=False))
        who = found.pop() if recorder or key else b""
        outline = list(pieces)
        outline[1::2] = found
        return who, b"".join(outline)

    def salted(self, payload: bytes, *, first: bool = False) -> bytes:
        """A payload as it is stored: with salts for its names and remarks, and with the seed if it is the `first`."""
        if not first and not any(sign in payload for sign in _MAY_NAME):
            return payload
        table = _decode(payload)
        own = {path: b64encode(os.urandom(SALT)).decode() for path, *_ in slots(table) if _is_own(path, table)}
        if first and self.seed is not None:
            own[""] = b64encode(self.seed).decode()
        if not own:
            return payload
        made = _encode({**table, "salt": own})
        if len(made) > MAX_EVENT_BYTES:
            raise UnreadableError(
                f"the event takes {len(made)} bytes with its salts", expected=f"at most {MAX_EVENT_BYTES}",
                todo="Shorten the text, or split the event in two.",
            )
        return made

    def shown(self, n: int, recorder: str, key: str, payload: bytes, view: bytes, who: bool) -> bytes:
        """A payload with everything left out that `view`, the payload as an audience sees it, does not have.

        Recorder and key are left out unless `who`."""
        table, seen = _decode(payload), _decode(view)
        own, kept = table.pop("salt", {}), table.pop("kept", {})
        salts: dict[str, str] = {}
        for path, box, at in slots(table):
            if path in kept:
                continue
            value = box[at]
            if _has(seen, path, box, at):
                salts[path] = own.get(path) or b64encode(self.salt(n, path)).decode()
            else:
                kept[path] = self.commitment(n, path, _encode(value), own).decode()
                _leave_out(table, path, box, at)
        if recorder or key:
            if who:
                salts[WHO] = b64encode(self.salt(n, WHO)).decode()
            else:
                value = _encode([recorder, key])
                kept[WHO] = self.commitment(n, WHO, value, own).decode()
        return _encode({**table, **({"salt": salts} if salts else {}), **({"kept": kept} if kept else {})})

    def erased(self, n: int, payload: bytes, view: bytes) -> tuple[bytes, int]:
        """A payload without the names and remarks that `view` does not have, nor their salts; and how many they are."""
        table, seen = _decode(payload), _decode(view)
        own, kept = table.pop("salt", {}), table.pop("kept", {})
        gone = 0
        for path, box, at in slots(table):
            if path in own and not _has(seen, path, box, at):
                kept[path] = self.commitment(n, path, _encode(box[at]), own).decode()
                _leave_out(table, path, box, at)
                del own[path]
                gone += 1
        if not gone:
            return payload, 0
        return _encode({**table, "kept": kept, **({"salt": own} if own else {})}), gone

    def openings(
        self, n: int, recorder: str, key: str, payload: bytes, paths: Collection[str] | None
    ) -> dict[str, Any]:
        """What opens these slots of an event, or all: the salt and value of each."""
        table = _decode(payload)
        own, kept = table.pop("salt", {}), table.pop("kept", {})
        found = {path: box[at] for path, box, at in slots(table) if path not in kept}
        if (recorder or key) and WHO not in kept:
            found[WHO] = [recorder, key]
        return {
            path: {"salt": own.get(path) or b64encode(self.salt(n, path)).decode(), "value": value}
            for path, value in found.items()
            if paths is None or path in paths
        }


Measured = tuple[bytes, bytes, bytes]
"""The path of a slot, the path with its length, and the value with its length."""
_parsed: dict[bytes, tuple[list[bytes], list[Measured]]] = {}
"""Cache of the outlines of payloads, in pieces, and the values between them: most payloads of matches repeat."""
_TOKEN = os.urandom(16).hex()


def _canonical(payload: bytes) -> Table:
    """The decoded payload. ValueError if it is not canonical: the leaf would not cover how else it is written."""
    table: Table = _decode(payload)
    if _encode(table) != payload:
        raise ValueError("an event is not in canonical JSON")
    return table


def _measured(path: str, value: bytes) -> Measured:
    name = path.encode()
    return name, _text(len(name)) + name, _text(len(value)) + value


def _parse(payload: bytes) -> tuple[list[bytes], list[Measured]]:
    """The outline of a payload that shows everything, in pieces of which every second is a slot, and the slots."""
    table = _canonical(payload)
    values: list[Measured] = []
    for path, box, at in slots(table):
        count = count_before(box[at]) if type(box) is list else ""
        values.append(_measured(path, _encode(box[at])))
        box[at] = f"{count}{_TOKEN}{len(values) - 1};"
    pieces = re.split(_TOKEN.encode() + b"([0-9]+);", _encode(table))
    made = pieces, [values[int(number)] for number in pieces[1::2]]
    if len(_parsed) >= 10_000:
        _parsed.clear()
    if len(payload) < 200:
        _parsed[payload] = made
    return made


def _leave_out(table: Table, path: str, box: Any, at: Any) -> None:
    """Take a value away. A card that is not seen takes its place, `@` that of a person, and nothing any other."""
    if type(box) is list:
        box[at] = count_before(box[at]) + UNSEEN
    elif path in _BY:
        box[at] = "@"
    else:
        del box[at]
        event = _event(table)[0]
        if box is event.get("facts") and not box:
            del event["facts"]


def _taken(table: Table, name: str) -> dict[str, str]:
    """The member `salt` or `kept` of a payload, which is taken out of it."""
    if name not in table:
        return {}
    part: dict[str, str] = _of_type(dict, table.pop(name))
    if not part or not all(type(one) is str for one in part.values()):
        raise ValueError(f"its {name} is misshapen")
    return part


def _put_back(table: Table, kept: dict[str, str]) -> None:
    """Put the commitments of `kept` into their places. ValueError if anything but the placeholder stands there."""
    if _event(table)[0].get("facts") == {} and any("/facts/" in path for path in kept):
        raise ValueError("facts without members stand where all are kept back")
    for path, said in kept.items():
        decoded(said, 32)
        if path == WHO:
            continue
        *way, last = _steps(path)
        box: Any = table
        for step in way:
            box = box[int(step)] if type(box) is list else box.setdefault("facts", {}) if step == "facts" else box[step]
        at: Any = int(last) if type(box) is list else last
        count = count_before(box[at]) if type(box) is list else ""
        if type(box) is list:
            is_blank = box[at] == count + UNSEEN
        else:
            is_blank = box.get(at) == "@" if path in _BY else at not in box
        if not is_blank:
            raise ValueError(f"it shows what it keeps back, {path}")
        box[at] = count + said


def _steps(path: str) -> list[str]:
    """The keys and numbers of a path; the name of a fact may itself hold a slash."""
    head, facts, key = path.partition("/facts/")
    return [*head.split("/"), "facts", key] if facts else path.split("/")


def _is_own(path: str, table: Table) -> bool:
    """True if the slot has a salt of its own: it is a name or a remark, which may have to be forgotten."""
    event = _event(table)[0]
    last = path.rpartition("/")[2]
    return path == "text" or last == "why" or (event["verb"] == "note" and last == "facts") or (
        event["verb"] == "open" and last.isupper() and isinstance(event["facts"].get(last), str)
    )


def _has(seen: Table, path: str, box: Any, at: Any) -> bool:
    """True if the payload `seen` has the value of a slot at the same place."""
    other: Any = seen
    for step in _steps(path)[:-1]:
        if type(other) is dict and step in other:
            other = other[step]
        elif type(other) is list and step.isdigit() and int(step) < len(other):
            other = other[int(step)]
        else:
            return False
    if type(box) is list:
        return type(other) is list and _cards_seen(box, other)[at]
    return type(other) is dict and at in other and other[at] == box[at] and type(other[at]) is type(box[at])


def _cards_seen(cards: Sequence[str], other: Sequence[str]) -> list[bool]:
    """Which of these items are the same in another list of as many cards, in which other items may be counted."""
    one, two = [_singles(card) for card in cards], [single for card in other for single in _singles(card)]
    if sum(map(len, one)) != len(two):
        return [False] * len(cards)
    found, end = [], 0
    for singles in one:
        begin, end = end, end + len(singles)
        found.append(singles == two[begin:end])
    return found


def _singles(text: str) -> list[str]:
    count = count_before(text)
    return [text] if count in ("", "*x") else [text.removeprefix(count)] * (item(text).count or 1)


def decoded(text: str, size: int) -> bytes:
    """Base64 of this many bytes, in its one form. Raises ValueError."""
    data = b64decode(text, validate=True)
    if len(data) != size or b64encode(data).decode() != text:
        raise ValueError(f"{text[:60]!r} is not the base64 of {size} bytes")
    return data


def is_salted(payload: bytes) -> bool:
    """True if a payload may have salts, or keep something back: it is then not the body that was submitted."""
    return b'"salt":' in payload or b'"kept":' in payload


def begun(book: bytes, match: bytes, payload: bytes) -> Commitments | None:
    """The commitments of a match, given the payload of its opening; None if it is of layout 1. ValueError for odd
    salts."""
    # Spelt with escapes, `salt` is refused below: it is not canonical JSON.
    if not any(sign in payload for sign in (b"salt", b"kept", b"\\u")):
        return None
    try:
        table = _decode(payload)
        if not table.keys() & {"salt", "kept"}:
            return None
        own = _taken(table, "salt")
        return Commitments(book, match, decoded(own[""], SALT) if "" in own else None)
    except (msgspec.MsgspecError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"the salts cannot be read ({error})") from None


def new_commitments(book: str, match: str) -> Commitments:
    """Commitments with a new seed, for a match that begins."""
    return Commitments(book.encode(), match.encode(), os.urandom(SALT))
