"""Canonical JSON: the one form in which an event is stored, hashed and exchanged.

Keys are sorted at every level, there are no spaces, defaults are left out, and each record is one line of UTF-8.
`encode` and `decode` are for JSON Lines (one `Recorded` a line); `decode` is strict. `encode_body` and `decode_body`
are for a store, which keeps position, time, recorder, key and type version in columns beside the body. A store reads
back what it wrote itself, so `decode_body` is fast and checks only shapes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from events.errors import UnreadableError
from events.limits import MAX_EVENT_BYTES, MAX_INT, MAX_LINE, MAX_NAME, MAX_NESTING
from events.model import EVENT_TYPES, Bid, Event, Fix, Open, Play, Recorded, verb_of
from events.tokens import ACTOR
from events.verb_forms import (
    FORMS,
    HINTS,
    SYNTAX,
    fault_in,
    fault_in_bid,
    fault_in_facts,
    fault_in_number,
    fault_in_text,
)
from events.versions import lift, record_version, unchanged_version, versions_of

_TIMES = (b"0000-00-00T00:00:00.000Z", b"0000-00-00T00:00:00Z")
_DIGITS = bytes.maketrans(b"123456789", b"000000000")


class Body(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The payload that a store keeps: the event and its same, t, glyphs and text.

    `salt` and `kept` prove values that are, or were, left out (records/commitments.py); a record has neither."""

    event: Event
    same: bool = False
    t: int | None = None
    glyphs: tuple[int, ...] = ()
    text: str = ""
    salt: dict[str, str] = {}
    kept: dict[str, str] = {}


_encode = msgspec.json.Encoder(order="sorted").encode
_NOT_WRITTEN = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError)
"""Errors that the JSON encoder raises for a record with fields of wrong types."""
_bodies = msgspec.json.Decoder(Body)
_many = msgspec.json.Decoder(list[Body])
_EMPTY: tuple[object, ...] = (None, "", (), {})


def _refuse(what: str, path: str, expected: str = "", todo: str = "") -> NoReturn:
    raise UnreadableError(what, where=path, expected=expected, todo=todo)


def check_event(event: Event, *, where: str = "$.event") -> None:
    """Raise UnreadableError unless every field of the event is in its one normal form.

    The error names the path (`$.event.cards`), what was expected there, and what to do.

    >>> from events.model import Move
    >>> check_event(Move(by="N", cards=("7h",), to="S"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    events.errors.UnreadableError: $.event.to: 'S' is not a pile; a holding is 'hand:S'; expected a pile after > (...)
    """
    if type(event) not in EVENT_TYPES:
        _refuse(f"{event!r:.60} is not an event", where, "one of the types of events.model")
    verb = verb_of(event)
    if not isinstance(event.by, str) or not ACTOR.fullmatch(event.by):
        _refuse(f"{event.by!r:.60} is not an actor", where + ".by", "a seat (N, A:2), a side (NS), or @")
    if isinstance(event, Fix):
        _check_fix(event, where)
        return
    if isinstance(event, Bid):
        if wrong := fault_in_bid(event.level, event.strain):
            _refuse(wrong, where, HINTS["bid"])
        return
    values = {f: v for f in event.__struct_fields__ if f != "by" and (v := getattr(event, f)) not in _EMPTY}
    if verb == "capture":
        if wrong := fault_in("cards", event.takes):  # type: ignore[union-attr]  # only a capture gets here
            _refuse(wrong, where + ".takes", HINTS["cards"], "Write the cards taken after a /.")
        values.pop("takes", None)
    missing = ""
    for form in FORMS[verb]:
        slots = {slot.attr: slot for slot in form}
        missing = next((s.attr for s in form if s.need and s.attr not in values), "")
        if missing or not values.keys() <= slots.keys():
            continue
        for attr, value in values.items():
            slot = slots[attr]
            if slot.kind == "fact":
                path, wrong = fault_in_facts(value)
                if wrong:
                    _refuse(wrong, f"{where}.facts{path}", HINTS["fact"])
            elif wrong := fault_in(slot.kind, value):
                name = "from" if attr == "src" else attr
                _refuse(wrong, f"{where}.{name}", HINTS[slot.kind])
        return
    if missing and len(FORMS[verb]) == 1:
        _refuse(f"'{verb}' lacks its {missing}", where, SYNTAX[verb])
    _refuse(f"the fields of this '{verb}' do not go together", where, SYNTAX[verb])


def _check_fix(event: Fix, where: str) -> None:
    if wrong := fault_in_number(event.at):
        _refuse(wrong, where + ".at", HINTS["ref"])
    if event.how not in ("replace", "insert", "strike", "turn"):
        _refuse(f"{event.how!r:.60} is not a way to fix", where + ".how", "replace, insert, strike or turn")
    if event.how == "strike":
        if event.event is not None:
            _refuse(
                "a strike carries an event", where + ".event", "none",
                "Use 'replace' to put another event in its place.",
            )
    elif event.event is None:
        _refuse(f"'{event.how}' lacks its event", where + ".event", SYNTAX["fix"])
    elif isinstance(event.event, Fix):
        _refuse("a fix stands within a fix", where + ".event", "any other event", "Fix the event itself instead.")
    elif event.how == "turn" and not isinstance(event.event, Play):
        _refuse(
            "only cards that were played move round", where + ".event", "the card at that number with its seat",
            "Name the first card that moves.",
        )
    else:
        check_event(event.event, where=where + ".event")


def check_recorded(recorded: Recorded) -> None:
    """Raise UnreadableError unless the event and every other field of the record are in normal form."""
    check_event(recorded.event)
    r = recorded
    if type(r.same) is not bool:
        _refuse(f"{r.same!r:.60} is neither true nor false", "$.same")
    if r.t is not None and (wrong := fault_in_number(r.t)):
        _refuse(wrong, "$.t", "milliseconds since the hand began")
    if type(r.glyphs) is not tuple:
        _refuse("not a list of numbers", "$.glyphs")
    for i, glyph in enumerate(r.glyphs):
        if wrong := fault_in_number(glyph):
            _refuse(wrong, f"$.glyphs[{i}]", "a number from 0 up")
    if wrong := fault_in_text(r.text):
        _refuse(wrong, "$.text", "one line of text")
    _check_place(r)


def _check_place(r: Recorded) -> None:
    """Check the columns that a store keeps beside the body: position, recorder, key, time and version."""
    if wrong := fault_in_number(r.n):
        _refuse(wrong, "$.n", "the position in the match, from 0")
    if r.n == 0 and type(r.event) is not Open:
        _refuse("only the opening stands at 0", "$.n", "a position from 1 up")
    for name, value in (("recorder", r.recorder), ("key", r.key)):
        if value != "" and (wrong := _fault_in_name(value) if type(value) is str else "not text"):
            _refuse(wrong, f"$.{name}", "one line of text")
    if r.time != "" and not is_time(r.time):
        _refuse(f"{r.time!r:.60} is not a time", "$.time", "UTC, as 2026-03-14T20:05:11.250Z")
    if type(r.v) is not int or r.v != record_version(r.event):
        _refuse(
            f"version {r.v!r:.20} of '{verb_of(r.event)}'", "$.v",
            f"{record_version(r.event)}, the version written today"
        )


_MANY = 8
"""From this many records on, checking all times and names at once is faster than one by one."""


def _well_placed(records: Sequence[Recorded]) -> bool:
    """True if `_check_place` would accept every record."""
    if len(records) < _MANY:
        for r in records:
            if type(r.n) is not int or not (0 < r.n <= MAX_INT or (r.n == 0 and type(r.event) is Open)):
                return False
            if type(r.v) is not int or r.v != record_version(r.event) or (r.time != "" and not is_time(r.time)):
                return False
            for name in (r.recorder, r.key):
                if name != "" and (type(name) is not str or _fault_in_name(name)):
                    return False
        return True
    numbers = [r.n for r in records]
    if {*map(type, numbers)} != {int} or min(numbers) < 0 or max(numbers) > MAX_INT:
        return False
    if 0 in numbers and any(type(r.event) is not Open for r in records if r.n == 0):
        return False
    events = [r.event for r in records]
    fixed = versions_of({*map(type, events)})
    if any(
        type(r.v) is not int or r.v != (fixed.get(type(e)) or record_version(e))
        for r, e in zip(records, events, strict=True)
    ):
        return False
    if not _are_times([r.time for r in records if r.time != ""]):
        return False
    names = {r.recorder for r in records} | {r.key for r in records}
    return all(name == "" or (type(name) is str and not _fault_in_name(name)) for name in names)


def _are_times(times: Sequence[object]) -> bool:
    """True if all are times as `is_time` accepts them. Times to the millisecond are checked in one pass."""
    try:
        said = "".join(times).encode().translate(_DIGITS)  # type: ignore[arg-type]  # other types raise TypeError
        if said == _TIMES[0] * len(times) and {*map(len, times)} <= {24}:  # type: ignore[arg-type]  # all are text
            for _ in map(datetime.fromisoformat, times):  # type: ignore[arg-type]  # all are text
                pass
            return True
    except (TypeError, ValueError):
        pass  # fall back to one by one
    return all(map(is_time, times))


@lru_cache(maxsize=1024)
def _fault_in_name(value: str) -> str:
    return fault_in_text(value, limit=MAX_NAME)


def is_time(text: object) -> bool:
    """True if the text is a time as records spell it: UTC, to the second or millisecond.

    >>> is_time("2026-03-14T20:05:11.250Z"), is_time("2026-03-14T20:05:11+01:00"), is_time("2026-02-30T20:05:11Z")
    (True, False, False)
    """
    if not isinstance(text, str) or text.encode(errors="replace").translate(_DIGITS) not in _TIMES:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _encoded(value: Recorded | Body) -> bytes:
    data = _encode(value)
    if len(data) > MAX_EVENT_BYTES:
        _refuse(
            f"the event takes {len(data)} bytes", "$", f"at most {MAX_EVENT_BYTES}",
            "Shorten the text, or split the event in two.",
        )  # fmt: skip
    return data


def encode(recorded: Recorded) -> bytes:
    """The whole record as one canonical JSON line, without the line's end.

    Raises UnreadableError for a record that is not in normal form or too large.

    >>> from events.model import Play
    >>> encode(Recorded(n=12, event=Play(by="S", cards=("Kh",)), same=True))
    b'{"event":{"by":"S","cards":["Kh"],"verb":"play"},"n":12,"same":true}'
    """
    check_recorded(recorded)
    return _encoded(recorded)


def encode_body(recorded: Recorded) -> bytes:
    """The canonical JSON a store keeps: the event and, if set, same, t, glyphs and text.

    Raises UnreadableError if the record is not in normal form, or if the whole record is too large.
    """
    try:
        data = _body_of(recorded)
    except _NOT_WRITTEN:
        check_recorded(recorded)
        raise
    _check_body(recorded, data)
    return data


def encode_view(recorded: Recorded) -> bytes:
    """The canonical JSON of a record as an audience sees it; not checked, as it is compared and never stored."""
    return _body_of(recorded)


def encode_bodies(records: Sequence[Recorded]) -> list[bytes]:
    """The `encode_body` of each record; checks shared by all run once.

    Raises UnreadableError for the first record that has a fault.
    """
    try:
        bodies = [_body_of(r) for r in records]
        for r, data in zip(records, bodies, strict=True):
            if data not in _sound:
                _check_body(r, data)
        if _well_placed(records):
            return bodies
    except (UnreadableError, *_NOT_WRITTEN):
        pass  # the loop below finds the first faulty record and raises for it
    return [encode_body(r) for r in records]


def _body_of(r: Recorded) -> bytes:
    return _encode(Body(event=r.event, same=r.same, t=r.t, glyphs=r.glyphs, text=r.text))


def _check_body(recorded: Recorded, data: bytes) -> None:
    """Check a record as `check_recorded` does, given its encoded body."""
    if data in _sound:
        # The same bytes passed before, and most bodies of a match repeat earlier ones.
        _check_place(recorded)
        return
    check_recorded(recorded)
    if len(data) > MAX_EVENT_BYTES // 4:
        _encoded(recorded)
        return
    if len(_sound) >= MOST_SOUND:
        _sound.clear()
    _sound.add(data)


_sound: set[bytes] = set()
MOST_SOUND = 50_000
"""Capacity of `_sound`, the set of bodies known to be in normal form."""


def decode_body(data: bytes, v: int = 1) -> Body:
    """Read a body back from a store. `v` is the type version it was stored with; an older one is lifted.

    Only the shape is checked. Raises UnreadableError if it is not a body, or is from a newer version.
    """
    try:
        if v == unchanged_version():
            return _bodies.decode(data)
        raw = msgspec.json.decode(data)
        _lift_event(raw, v)
        return msgspec.convert(raw, Body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _from_msgspec(error, "", "The stored bytes are damaged; restore them from a copy.") from None


def recorded_from(body: Body, n: int, v: int = 1, time: str = "", recorder: str = "", key: str = "") -> Recorded:
    """Rebuild the record from its body and the columns beside it.

    `v` is the stored version. The record carries the current one, because its event was lifted to it.
    """
    return Recorded(
        n=n, event=body.event, v=record_version(body.event) if v else v, same=body.same, t=body.t, glyphs=body.glyphs,
        text=body.text, time=time, recorder=recorder, key=key,
    )  # fmt: skip


def recorded_all(rows: Sequence[tuple[int, int, str, str, str, bytes]]) -> list[Recorded]:
    """`recorded_from` for many rows of a store: position, stored version, time, recorder, key and body of each.

    Raises UnreadableError as `decode_body` does.
    """
    stands = unchanged_version()
    bodies: list[Body] = []
    if all(row[1] == stands for row in rows):
        with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):  # the fallback below names the faulty body
            bodies = _many.decode(b"[" + b",".join([row[5] for row in rows]) + b"]")  # half the time
    if len(bodies) != len(rows):
        return [
            recorded_from(decode_body(data, v), n, v, time, recorder, key) for n, v, time, recorder, key, data in rows
        ]
    fixed = versions_of({type(body.event) for body in bodies})
    return [
        Recorded(
            n=n, event=body.event, v=fixed.get(type(body.event)) or record_version(body.event), same=body.same,
            t=body.t, glyphs=body.glyphs, text=body.text, time=time, recorder=recorder, key=key,
        )
        for (n, _, time, recorder, key, _), body in zip(rows, bodies, strict=True)
    ]  # fmt: skip


# --- strict reading -------------------------------------------------------------------------------------------------


class _BadJSONError(Exception):
    """Carries a message out of the hooks of the JSON parser."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _BadJSONError(f"the key {key!r:.60} is given twice")
            seen.add(key)
    return table


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_INT:
        raise _BadJSONError(f"the number {digits[:20]}{'…' * (len(digits) > 20)} is out of bounds")
    return int(digits)


def _no_float(digits: str) -> NoReturn:
    raise _BadJSONError(f"{digits[:20]} is not a whole number")


def _strictly(text: str, todo: str) -> Any:
    """The value of a JSON text with whole numbers alone and no key twice. Raises UnreadableError or _BadJSONError."""
    import json

    decoder = json.JSONDecoder(
        object_pairs_hook=_pairs, parse_int=_whole, parse_float=_no_float, parse_constant=_no_float,
    )
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"not JSON: {error.msg} at character {error.pos + 1}", todo=todo) from None


_BRACKETS = re.compile(rb'[\[{]|[\]}]|"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)


def too_deep(data: bytes) -> int:
    """The byte offset at which JSON nests deeper than `MAX_NESTING`; -1 if it does not.

    >>> too_deep(b"[" * 16 + b"]" * 16), too_deep(b"[" * 17), too_deep(b'"' + b"[" * 17 + b'"')
    (-1, 16, -1)
    """
    if data.count(b"{") + data.count(b"[") <= MAX_NESTING:
        return -1
    depth = 0
    for found in _BRACKETS.finditer(data):
        sign = found[0]
        if sign in b"{[":
            depth += 1
            if depth > MAX_NESTING:
                return found.start()
        elif sign in b"}]":
            depth -= 1
    return -1


def _lift_event(raw: Any, v: object) -> None:
    """Lift the event of a raw record to the current version, in place. Odd shapes are left to the typed decoder."""
    event = raw.get("event") if type(raw) is dict else None
    if type(event) is not dict:
        return
    inner = event.get("event")
    carries = event.get("verb") == "fix" and type(inner) is dict
    target: dict[str, Any] = inner if carries and type(inner) is dict else event
    verb = target.get("verb")
    if not isinstance(verb, str):
        return
    if type(v) is not int:
        raise UnreadableError(f"{v!r:.60} is not a version", where="$.v", expected="a whole number from 1 up")
    path = "$.event.event.verb" if carries else "$.event.verb"
    try:
        lifted = lift(target, verb, v)
    except UnreadableError as error:
        raise UnreadableError(error.what, where=path, expected=error.expected, todo=error.todo) from None
    if carries:
        event["event"] = lifted
    else:
        raw["event"] = lifted


def _from_msgspec(error: Exception, where: str, todo: str) -> UnreadableError:
    text, at, path = str(error).partition(" - at `")
    place = path.rstrip("`") if at else ""
    return UnreadableError(text, where=", ".join(p for p in (where, place) if p), todo=todo)


def decode(data: bytes, *, where: str = "") -> Recorded:
    """Read one JSON line strictly, lifting older type versions.

    Refused, with the path to the fault: invalid JSON or UTF-8, duplicate keys, fractions, numbers beyond 2^53-1,
    unknown fields and verbs, values not in normal form, more than 16 KiB, a newer type version. The order of keys and
    spaces do not matter. `where` (a file and line) is put before the path. Raises only UnreadableError.
    """
    todo = "Write one record per line, as `kibitz export` does."
    try:
        if len(data) > MAX_LINE:
            raise UnreadableError("the line is too long", expected=f"at most {MAX_LINE} bytes", todo=todo)
        if (deep := too_deep(data)) >= 0:
            raise UnreadableError(
                f"the JSON nests too deep at byte {deep + 1}", expected=f"at most {MAX_NESTING} levels", todo=todo,
            )
        try:
            raw = _strictly(bytes(data).decode("utf-8"), todo)
        except UnicodeDecodeError as error:
            raise UnreadableError(f"byte {error.start + 1} is not UTF-8", expected="UTF-8") from None
        except _BadJSONError as error:
            raise UnreadableError(str(error), todo=todo) from None
        if type(raw) is not dict:
            raise UnreadableError("not a JSON object", expected="one record", todo=todo)
        _lift_event(raw, raw.get("v", 1))
        try:
            recorded = msgspec.convert(raw, Recorded)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise _from_msgspec(error, "", "Compare it with a record written by `kibitz export`.") from None
        except UnicodeError:
            raise UnreadableError("a text holds half a character", expected="whole Unicode characters") from None
        if type(raw.get("v", 1)) is int:  # the event was lifted to the current version
            recorded = msgspec.structs.replace(recorded, v=record_version(recorded.event))
        encode(recorded)
        return recorded
    except UnreadableError as error:
        place = ", ".join(p for p in (where, error.where) if p)
        raise UnreadableError(error.what, where=place, expected=error.expected, todo=error.todo) from None
