"""Hands as they are tapped on the phone page: the fewest taps that its keys allow (see `service/static/phone.js`).

A card takes a tap for its suit, unless that is pressed already, and one for its rank. Where a card is a line of its own it is sent with
that; any other line is sent with a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from events.errors import KibitzError
from events.model import Call, Event, Recorded
from replay.table.line_reader import SeveralMeaningsError
from replay.table.pad import Pad, pad_of
from replay.table.session import Session
from replay.table.typist import shortest_acts

MOST_ON_A_LINE = 8
_CARD = re.compile(r"[2-9AKQJT][shdc]")


def taps_of_a_hand(records: Sequence[Recorded]) -> tuple[int, list[str]]:
    """How many taps a hand takes, and its lines."""
    acts = [act.events[0] for act in shortest_acts(records[:1], [r.event for r in records[1:]])]
    session, taps, lines, pressed = Session(records[:1]), 0, list[str](), ""
    while acts:
        cost, line, many = next_line(session, acts, pressed)
        # Where no suit is led, that of the last card stays pressed.
        cards = _CARD.findall(line)
        pressed = cards[-1][1] if cards else pressed
        taps += cost
        lines.append(line)
        take(session, acts[:many])
        acts = acts[many:]
    return taps, lines


def next_line(session: Session, acts: Sequence[Event], pressed: str) -> tuple[int, str, int]:
    """The line that a practised recorder taps next: its taps, its text, and how many acts it tells."""
    pad = pad_of(session)
    best: tuple[int, str, int] | None = None
    for many in range(1, MOST_ON_A_LINE + 1):
        if many > len(acts):
            break
        found = cheapest(session, pad, acts[:many], pressed)
        if found is None:
            continue
        if best is None or found[0] / many < best[0] / best[2]:
            best = (*found, many)
        if pad.one_card or found[1] in {key.text for key in pad.keys}:
            break
    assert best is not None, f"{acts[0]} cannot be tapped here: {[key.text for key in pad.keys]}"
    return best


def cheapest(session: Session, pad: Pad, acts: Sequence[Event], pressed: str) -> tuple[int, str] | None:
    """The fewest taps for a line that tells these acts. If it can mean several things, the service asks, and one tap answers."""
    ways = sorted({(cost(pad, words, pressed), line_of(pad, words)) for words in spelled(session, pad, acts)})
    found = []
    for taps, line in ways:
        more = reads(session, line, acts)
        if more is not None:
            found.append((taps + more, line))
    return min(found, default=None)


def spelled(session: Session, pad: Pad, acts: Sequence[Event]) -> Iterator[list[str]]:
    """The words that could tell acts: their cards, with the verb in front or without, with a pile; the last may be a key that ends
    the line."""
    *before, last = acts
    front = [word for act in before for word in cards_of(act)]
    if before and not all(next(cards_of(act), "") for act in before):
        return
    for key in pad.keys:
        if key.ends:
            yield [*front, key.text]
    if before:
        yield [*front, *cards_of(last)]
        return
    verb = str(type(last).__struct_config__.tag)
    cards, takes = list(cards_of(last)), list(getattr(last, "takes", ()))
    ways: list[list[str]] = [[*start, *cards, *pile] for start in ([], *([key.text] for key in pad.verbs if key.text == verb)) for pile in ([], *([key.text] for key in pad.piles))]
    if takes:
        ways.append([*cards, "/", *takes])
    ways += [[key.text, *cards] for key in pad.verbs if isinstance(last, Call)]
    # Of whom it is may be said first, two taps more.
    ways += [[last.by, *way] for way in ways if last.by in pad.seats]
    yield from (way for way in ways if way)


def cards_of(act: Event) -> Iterator[str]:
    yield from ("x" if "?" in text else text for text in getattr(act, "cards", ()))
    for _, cards in getattr(act, "piles", ()):
        yield from (text for text in cards if "?" not in text)
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


def cost(pad: Pad, words: Sequence[str], pressed: str) -> int:
    """The taps for words: the suit that was led is pressed, later the suit of the card before."""
    pressed, taps = pad.led if pad.trick or pad.led else pressed, 0
    singles = {key.text for key in pad.singles}
    for word in words:
        taps += 1 + (word in pad.seats)
        if _CARD.fullmatch(word) and word not in singles:
            taps += word[1] != pressed
            pressed = word[1]
    alone = pad.one_card and len(words) == 1 and is_card(words[0])
    ends = any(key.ends and key.text == words[-1] for key in pad.keys)
    return taps if alone or ends else taps + 1


def reads(session: Session, line: str, acts: Sequence[Event]) -> int | None:
    """How many taps more it takes until a line is read as these acts; None if it never is."""
    try:
        draft = session.complete(line)
    except SeveralMeaningsError as error:
        return 1 if any(not draft.doubts and [r.event for r in draft.events] == list(acts) for draft in error.drafts) else None
    except KibitzError:
        return None
    return 0 if not draft.doubts and [r.event for r in draft.events] == list(acts) else None


def take(session: Session, acts: Sequence[Event]) -> None:
    n = session.records[-1].n
    session.take([Recorded(n=n + i, event=event) for i, event in enumerate(acts, 1)])


__all__ = ["taps_of_a_hand"]
