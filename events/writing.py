"""The strict writer: one event, one text.

Equal events give equal text: fields come in the order of their form, facts sorted by key (numbers by value), text
quoted only if it would otherwise be read as something else.

The comment holds the remark, and after it the log's fields, in this order: `{remark [%t 2026-03-14T20:05:11Z] [%by
Anna] [%key k1]}`. In the remark `{`, `}` and `\\` are escaped with a backslash, and so is the `[` of a `[%` that
belongs to the remark; in a command also `]`.

The opening (position 0) is the tag block. Its other fields, if any, stand on a line numbered 0 that repeats no facts:
`0. @ open {[%t 2026-03-14T19:58:00Z] [%by Anna]}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from events.canon import check_event, encode
from events.errors import UnreadableError, UsageError
from events.model import Bid, Capture, Event, Facts, Fix, Hand, Open, Recorded, verb_of
from events.tokens import escape, odd_character, written_pile
from events.verb_forms import FORMS

HEADER = "%kib 1"
_BARE = re.compile(r"[A-Za-z0-9?*#][A-Za-z0-9._:/+?*=#-]*")
_NUMBER = re.compile(r"[+-]?[0-9]+")
# The tags that come first; the others follow by name.
_FIRST = ("Game", "Rules", "Plugin", "Event", "Site", "Date", "Table", "Round", "Match", "Seats", "Sides", "Dealer")


def write_value(value: Any) -> str:
    """A fact's value as text.

    A list with one element ends in a comma, so that it stays a list.

    >>> [write_value(v) for v in (5, True, None, "NS", "5", "two words", ["N", 3], ["N"])]
    ['5', 'yes', '-', 'NS', '"5"', '"two words"', 'N,3', 'N,']
    """
    if isinstance(value, list):
        return ",".join(_atom(v) for v in value) + ("," if len(value) == 1 else "")
    return _atom(value)


def _atom(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if _BARE.fullmatch(value) and not _NUMBER.fullmatch(value) and value not in ("yes", "no"):
        return str(value)
    return quoted(value)


def quoted(text: str) -> str:
    """The text in quotes, with `"` and `\\` escaped."""
    return '"' + escape(text, '"\\') + '"'


def _order(key: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key for a dotted key that compares numbers by value: trick.2 before trick.10."""
    return tuple((0, int(p), p) if p.isdigit() else (1, 0, p) for p in re.split(r"([0-9]+)", key) if p)


def flat_for_writing(facts: Facts, stem: str = "") -> Iterator[tuple[str, Any]]:
    """Nested facts as (dotted key, value), in the order they are written.

    >>> list(flat_for_writing({"tricks": {"NS": 5, "EW": 3}, "king": None}))
    [('king', None), ('tricks.EW', 3), ('tricks.NS', 5)]
    """
    for key in sorted(facts, key=_order):
        value = facts[key]
        if isinstance(value, dict):
            yield from flat_for_writing(value, f"{stem}{key}.")
        else:
            yield stem + key, value


def _written(kind: str, value: Any) -> Iterator[str]:
    match kind:
        case "cards":
            yield "".join(value)
        case "groups":
            yield "/".join("".join(group) for group in value)
        case "assign":
            for pile, cards in value:
                yield f"{written_pile(pile)}={''.join(cards) or '-'}"
        case "from":
            yield "<" + written_pile(value)
        case "to" | "on":
            yield ">" + written_pile(value)
        case "ref":
            for ref in value:
                yield f"#{ref}"
        case "fact":
            for key, held in flat_for_writing(value):
                yield f"{key}={write_value(held)}"
        case _:
            yield str(value)


def write_args(event: Event) -> list[str]:
    """The words after the verb, in order.

    >>> from events.model import Move
    >>> write_args(Move(by="A", cards=("8c",), to="hand:A:2"))
    ['8c', '>A:2']
    """
    if isinstance(event, Fix):
        if event.event is None:
            return [f"#{event.at}-"]
        inner = event.event
        return [
            f"#{event.at}{'+' * (event.how == 'insert')}{'>' * (event.how == 'turn')}", inner.by, verb_of(inner),
            *write_args(inner),
        ]
    if isinstance(event, Bid):
        return [("" if event.level is None else str(event.level)) + event.strain]
    if isinstance(event, Capture):
        source = ["<" + written_pile(event.src)] if event.src else []
        return ["".join(event.cards) + "/" + "".join(event.takes), *source]
    out: list[str] = []
    done: set[str] = set()
    for slot in (slot for form in FORMS[verb_of(event)] for slot in form):
        value = getattr(event, slot.attr)
        if slot.attr not in done and value not in (None, "", (), {}):
            done.add(slot.attr)
            out += _written(slot.kind, value)
    return out


def write_event(event: Event) -> str:
    """The event in the strict form. Raises UnreadableError if it is not in normal form.

    >>> from events.model import Play
    >>> write_event(Fix(by="@", at=18, how="insert", event=Play(by="S", cards=("Td",))))
    '@ fix #18+ S play Td'
    """
    check_event(event)
    return " ".join([event.by, verb_of(event), *write_args(event)])


def write_seconds(t: int) -> str:
    """Milliseconds as seconds, without trailing zeros.

    >>> [write_seconds(t) for t in (3120, 3000, 5)]
    ['3.12', '3', '0.005']
    """
    seconds, rest = divmod(t, 1000)
    return f"{seconds}.{rest:03}".rstrip("0").rstrip(".")


def write_comment(recorded: Recorded) -> str:
    """The text between the braces; empty if there is none."""
    parts = []
    if recorded.text:
        parts.append(escape(recorded.text, "{}\\").replace("[%", "\\[%"))
    for name, value in (("t", recorded.time), ("by", recorded.recorder), ("key", recorded.key)):
        if value:
            parts.append(f"[%{name} {escape(value, '{}[]' + chr(92))}]")
    return " ".join(parts)


def _line(recorded: Recorded, event: str) -> str:
    r = recorded
    out = f"{r.n}. {'& ' if r.same else ''}{event}"
    if r.t is not None:
        out += " ~" + write_seconds(r.t)
    out += "".join(f" ${glyph}" for glyph in r.glyphs)
    comment = write_comment(r)
    return out + (" {" + comment + "}" if comment else "")


def write_line(recorded: Recorded) -> str:
    """One numbered line, without its end. Raises UnreadableError if the record is too large or not in normal form.

    >>> from events.model import Play
    >>> write_line(Recorded(n=12, event=Play(by="S", cards=("Kh",)), same=True, t=3120, glyphs=(2,), text="late"))
    '12. & S play Kh ~3.12 $2 {late}'
    """
    encode(recorded)
    return _line(recorded, " ".join([recorded.event.by, verb_of(recorded.event), *write_args(recorded.event)]))


def write_tags(facts: Facts) -> list[str]:
    """The tag block of an opening: text in quotes, other values without (`[Option.brake 45]`).

    >>> write_tags({"Seats": "N E S W", "Game": "kaiser", "Option": {"brake": 45}})
    ['[Game "kaiser"]', '[Seats "N E S W"]', '[Option.brake 45]']
    """
    rows = list(flat_for_writing(facts))
    rows.sort(key=lambda row: _FIRST.index(row[0]) if row[0] in _FIRST else len(_FIRST))
    return [f"[{key} {quoted(value) if isinstance(value, str) else write_value(value)}]" for key, value in rows]


def write_kib(records: Iterable[Recorded], derived: Iterable[str] = ()) -> str:
    """A whole `.kib` file: header, tag block, numbered lines with a blank line before each hand, derived lines.

    The records are those of one match from its beginning: the opening at 0 if it has one, then 1, 2, 3 … `derived`
    are lines that start with `=`. Raises UnreadableError for a record not in normal form, UsageError for a wrong
    order.
    """
    out = [HEADER]
    expected = 0
    for r in records:
        if r.n != expected and not (expected == 0 and r.n == 1):
            raise UsageError(
                f"event {r.n} comes in the place of event {expected}",
                expected="a match from its beginning, without gaps"
            )
        if r.n == 0:
            encode(r)
            if not isinstance(r.event, Open):
                raise UnreadableError("only the opening stands at 0", where="$.n", expected="a position from 1 up")
            out += write_tags(r.event.facts)
            if structs.replace(r, event=Open(by="@", facts={})) != Recorded(n=0, event=Open(by="@", facts={}), v=r.v):
                out.append(_line(r, f"{r.event.by} open"))
            elif r.event.by != "@":
                out.append(f"0. {r.event.by} open")
        else:
            if expected <= 1 and len(out) > 1 and not isinstance(r.event, Hand):
                out.append("")
            if isinstance(r.event, Hand):
                out.append("")
            out.append(write_line(r))
        expected = r.n + 1
    for line in derived:
        if not line.startswith("=") or odd_character(line) >= 0:
            raise UsageError(f"{line!r:.60} is not a derived line", expected="one line that starts with '='")
        out.append(line)
    return "\n".join(out) + "\n"
