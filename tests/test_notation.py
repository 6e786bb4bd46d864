"""`docs/notation.md` says of every verb what it is, how it is written and stored, and which games use it.

The sections of the verbs are computed from the code and compared; `KIBITZ_REWRITE=1 pytest tests/test_notation.py`
writes them anew. The vocabulary is frozen: what is compared here is the promise to every record that was ever
written, so a change that shows up as a difference needs a new version of the event type (`events/versions.py`), not
only a new text.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import get_args, get_origin

import msgspec
import pytest

from events.canon import decode, encode, encode_body
from events.kib import read_bytes
from events.model import ABOUT, VERBS, Event, Recorded
from events.verb_forms import FORMS, SYNTAX
from events.versions import VERSION, record_version
from events.writing import write_event
from reducers.legal import ANY_TIME
from reducers.registry import PAGES, find_game

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "notation.md"
BEGIN, END = "<!-- verbs -->\n", "<!-- end of verbs -->\n"

# What a person would write, for each form of each verb.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "open": ('[Game "kaiser"]',),
    "hand": ("W hand 1", "B hand 3 bank=B"),
    "deal": ("@ deal N=8x?? E=8x?? S=7hTd6x?? W=8x??", "A deal up col:A:1..4=7hJc2d9s <stock:A"),
    "shuffle": ("@ shuffle 8x?? <discard >stock", "@ shuffle stock=7hTd2x??"),
    "end": ("@ end hand misdeal", "@ end match score.EW=31 score.NS=54 winner=NS"),
    "tally": ("@ tally declarer=E five=EW level=7 three=NS tricks.EW=6 tricks.NS=2",),
    "play": ("S play Th", "C play up 4d <stock"),
    "draw": ("A draw ??", "P draw 7hQd <board", "B draw up Tc"),
    "discard": ("B discard down ??", "B discard 5hJo=6h7h", "A discard 5c <stock:A"),
    "move": (
        "A move 3d >C", "B move 4c <reserve:B >col:A:3", "@ move * <trick >won:EW", "@ move down * <discard >stock",
    ),
    "meld": ("B meld KcKdKh/4c5c6c7c", "C meld 8c >meld:B:2", "B meld 6hJh <board"),
    "capture": ("A capture Kh/6c4d", "A capture 7h/* <won:B"),
    "arrange": ("B arrange 6h7hJhQh", "C arrange 8h8s8d/9cTcJc >meld:C", "C arrange meld:2=8h8s8d meld:5=-"),
    "show": ("B show 2hAs7s", "E show ?? <stock"),
    "bid": ("E bid 7no", "S bid game"),
    "pass": ("N pass",),
    "call": ("A call stop #5", "N call revoke E #14", "B call buy 4", "A call declare tens 7hTd"),
    "name": ("E name h",),
    "bet": ("A bet 5", "A bet 4 >A:2", "B bet -2"),
    "pay": ("B pay 10 >A", "@ pay 3 <pot >B",),
    "back": ("E back", "E back 9d", "E back #9"),
    "fault": ("@ fault misdeal", "W fault revoke E 4c #14"),
    "claim": ("@ claim EW=9 NS=17", "W claim 12"),
    "confirm": ("N confirm #41",),
    "fix": ("@ fix #6 W play 9h", "@ fix #6+ S play Td", "@ fix #6-", "@ fix #6> E play Td"),
    "note": (
        "@ note #4",
        "@ note #4 bytes=231044 kind=jpeg sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    "dispute": ("S dispute #16 revoke",),
    "ruling": ("@ ruling #19 #14 revoke tricks.EW=-1 tricks.NS=1",),
    "gap": ("@ gap 4",),
}
KINDS = {
    "Cards": "list of cards", "Groups": "list of lists of cards", "Piles": "list of pairs: pile, list of cards",
    "Facts": "object", "Refs": "list of positions", "Face": "`up` or `down`",
}  # fmt: skip


def shape(verb: str, field: msgspec.structs.FieldInfo) -> str:
    """The JSON of a field, in words."""
    raw = str(VERBS[verb].__annotations__[field.name]).removesuffix(" | None")
    if raw in KINDS:
        return KINDS[raw]
    if get_origin(field.type) is not None and "Literal" in raw:
        return " or ".join(f"`{word}`" for word in get_args(field.type))
    return {"str": "text", "int": "whole number", "Plain": "an event"}[raw]


def event_of(line: str) -> Event:
    """The event that a line means."""
    if line.startswith("["):
        return read_bytes(f"%kib 1\n{line}\n".encode()).records[0].event
    reading = read_bytes(f'%kib 1\n[Game "kaiser"]\n[Seats "N E S W"]\n\n1. {line}\n'.encode())
    if reading.errors and "no seat" in str(reading.errors[0]):
        reading = read_bytes(f'%kib 1\n[Game "kaiser"]\n[Seats "A B C P"]\n\n1. {line}\n'.encode())
    assert reading.errors == [], line
    return reading.records[1].event


def json_of(event: Event) -> str:
    """The stored form of an event without what stands around it."""
    text = encode_body(Recorded(n=1, event=event, v=record_version(event))).decode()
    return text.removeprefix('{"event":').removesuffix("}")


@cache
def users(verb: str) -> tuple[str, ...]:
    """The keys of the games in which this is an act of some phase, or has rules or an effect of its own."""
    kind = VERBS[verb]
    return tuple(
        key for key in sorted(PAGES)
        if kind in find_game(key).on or (verb == "tally" and find_game(key).tally.facts)
        or any(kind in phase.acts for phase in find_game(key).phases.values())
        or any(kind in check.on for check in find_game(key).rules.checks)
    )


def section(verb: str) -> str:
    """What the page says about a verb."""
    kind = VERBS[verb]
    out = [f"### {verb}", "", " ".join((kind.__doc__ or "").split()), ""]
    if verb == "open":
        out += [
            (
                "Written as the tag block at the head of a file, at position 0. Terms that change later are an "
                "`open` of their own."
            ),
            "",
        ]
    else:
        out += [f"    actor {form}" for form in SYNTAX[verb].split(" | ")] + [""]
    fields = [f for f in msgspec.structs.fields(kind) if f.name != "by"]
    if fields:
        out += ["| field | JSON | |", "|---|---|---|"]
        for f in fields:
            must = "" if f.required else "left out when empty"
            out.append(f"| `{f.encode_name}` | {shape(verb, f)} | {must} |")
        out.append("")
    else:
        out += ["No fields but the actor.", ""]
    for line in EXAMPLES[verb]:
        out += ["```", line, json_of(event_of(line)), "```", ""]
    if kind in ABOUT or verb in ("open", "end", "gap"):
        out.append("About the record; used in every game.")
    elif kind in ANY_TIME:
        named = f" Has rules or an effect of its own in: {', '.join(users(verb))}." if users(verb) else ""
        out.append(f"May be written in every game.{named}")
    else:
        out.append(f"Games: {', '.join(users(verb)) or 'none yet'}.")
    return "\n".join(out) + "\n"


def sections() -> str:
    """All verbs in the order of the model."""
    return "\n".join(section(verb) for verb in VERBS)


def test_the_page_says_what_the_code_does() -> None:
    """If this failed, a reader of the page would write what the reader of records refuses."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    told, _, tail = rest.partition(END)
    if os.environ.get("KIBITZ_REWRITE"):
        PAGE.write_text(head + BEGIN + sections() + END + tail, encoding="utf-8")
        return
    assert told == sections(), "run this test with KIBITZ_REWRITE=1 and read what has changed"


@pytest.mark.parametrize("verb", [v for v in VERBS if v != "open"])
def test_examples_are_written_as_they_are_read(verb: str) -> None:
    """Every form of every verb has an example; text and JSON are two spellings of one thing."""
    assert len(EXAMPLES[verb]) >= len(FORMS[verb])
    for line in EXAMPLES[verb]:
        event = event_of(line)
        assert write_event(event) == line
        assert decode(encode(Recorded(n=1, event=event, v=record_version(event)))).event == event


def test_every_field_is_in_some_example() -> None:
    """If this failed, the stored form of a field would not be shown, and could change unseen."""
    unseen = []
    for verb, kind in VERBS.items():
        shown = " ".join(json_of(event_of(line)) for line in EXAMPLES[verb])
        unseen += [
            f"{verb}.{f.encode_name}" for f in msgspec.structs.fields(kind) if f'"{f.encode_name}":' not in shown
        ]
    assert unseen == []


def test_versions_stand_where_they_stood() -> None:
    """Since the vocabulary was frozen a note may have facts, and nothing else has changed. One without them is as it
    was."""
    assert {**dict.fromkeys(VERBS, 1), "note": 2} == VERSION
    assert record_version(event_of("@ note #4")) == 1
    assert json_of(event_of("@ note #4")) == '{"by":"@","refs":[4],"verb":"note"}'


def test_links_and_piles_of_the_page() -> None:
    """The page names every file it points to."""
    text = PAGE.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (PAGE.parent / target).exists(), target
