"""Hands as they are tapped on the phone page: the fewest taps that its keys allow (see `service/static/phone.js`).

A card takes a tap for its suit, unless that is pressed already, and one for its rank. Where a card is a line of its own it is sent with
that; any other line is sent with a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from events.errors import KibitzError
from events.model import Event, Recorded
from replay.table.pad import Key, Pad, pad_of
from replay.table.session import Session
from replay.table.typist import shortest_acts

MOST_ON_A_LINE = 8
_CARD = re.compile(r"[2-9AKQJT][shdc]")


def taps_of_a_hand(records: Sequence[Recorded]) -> tuple[int, list[str]]:
    """How many taps a hand takes, and its lines."""
    acts = [act.events[0] for act in shortest_acts(records[:1], [r.event for r in records[1:]])]
    session, taps, lines = Session(records[:1]), 0, list[str]()
    while acts:
        cost, line, many = next_line(session, acts)
        taps += cost
        lines.append(line)
        take(session, acts[:many])
        acts = acts[many:]
    return taps, lines


def next_line(session: Session, acts: Sequence[Event]) -> tuple[int, str, int]:
    """The line that a practised recorder taps next: its taps, its text, and how many acts it tells."""
    pad = pad_of(session)
    for key in pad.keys:
        if key.ends and reads(session, key.text, acts[:1]):
            return 1, key.text, 1
    best: tuple[int, str, int] | None = None
    for many in range(1, MOST_ON_A_LINE + 1):
        if many > len(acts):
            break
        found = cheapest(session, pad, acts[:many])
        if found is None:
            if many > 1:
                break
            continue
        best = (*found, many)
        if pad.one_card:
            break
    assert best is not None, f"{acts[0]} cannot be tapped here: {[key.text for key in pad.keys]}"
    return best


def cheapest(session: Session, pad: Pad, acts: Sequence[Event]) -> tuple[int, str] | None:
    """The fewest taps for a line that tells these acts."""
    ways = sorted({(cost(pad, words), line_of(pad, words)) for words in spelled(session, pad, acts)})
    return next(((taps, line) for taps, line in ways if reads(session, line, acts)), None)


def spelled(session: Session, pad: Pad, acts: Sequence[Event]) -> Iterator[list[str]]:
    """The words that could tell acts: their cards, with the verb in front or without, with a pile."""
    rows: list[list[list[str]]] = []
    for act in acts:
        cards = list(cards_of(act))
        ways: list[list[str]] = []
        verb = str(type(act).__struct_config__.tag)
        piles = [[], *([key.text] for key in pad.piles)]
        for front in ([], [verb]) if any(key.text == verb for key in pad.verbs) else ([],):
            ways += [[*front, *cards, *pile] for pile in (piles if len(acts) == 1 else [[]])]
        ways += [[key.text] for key in pad.keys]
        rows.append([way for way in ways if way])
    if len(rows) == 1:
        yield from rows[0]
        return
    # Several acts on a line are told by their cards alone.
    if all(rows):
        yield [word for row in rows for word in row[0]]


def cards_of(act: Event) -> Iterator[str]:
    for name in ("cards", "takes"):
        for text in getattr(act, name, ()):
            yield "x" if "?" in text else text
    for group in getattr(act, "groups", ()):
        for text in group:
            yield "x" if "?" in text else text.partition("=")[0]


def line_of(pad: Pad, words: Sequence[str]) -> str:
    """The line as the page puts it together."""
    out, before = "", ""
    for word in words:
        joined = is_card(word) and is_card(before) and not pad.one_card
        out += ("" if not out or joined else " ") + word
        before = word
    return out


def is_card(word: str) -> bool:
    return bool(_CARD.fullmatch(word)) or word == "x" or word == "Jo"


def cost(pad: Pad, words: Sequence[str]) -> int:
    """The taps for words: the suit that was led is pressed, later the suit of the card before."""
    pressed, taps = pad.led, 0
    singles = {key.text for key in pad.singles}
    for word in words:
        taps += 1
        if _CARD.fullmatch(word) and word not in singles:
            taps += word[1] != pressed
            pressed = word[1]
    alone = pad.one_card and len(words) == 1 and is_card(words[0])
    return taps if alone else taps + 1


def reads(session: Session, line: str, acts: Sequence[Event]) -> bool:
    try:
        draft = session.complete(line)
    except KibitzError:
        return False
    return not draft.doubts and [r.event for r in draft.events] == list(acts)


def take(session: Session, acts: Sequence[Event]) -> None:
    n = session.records[-1].n
    session.take([Recorded(n=n + i, event=event) for i, event in enumerate(acts, 1)])


__all__ = ["Key", "Any", "taps_of_a_hand"]
